package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"sync"

	"girih"
	"girih/atom"
	"girih/internal/file"
	"girih/internal/gemm"
	"girih/internal/lower"
)

var gemmCommand = command{
	"gemm", "--atom NAME -m M -n N -k K [options]", "run a matrix product by the instruction and compare it with float64",
	runGemm, gemmHelp,
}

const gemmHelp = `
Runs D = A·B with the instruction of an atom: a plain tiled kernel, made of its TiledMMA, TiledCopy
and layouts of shared memory, compared with float64. A is M by K, B is N by K, K contiguous; D is M by N.

  girih-gpu gemm --atom SM80_16x8x16_F32F16F16F32_TN -m 1000 -n 513 -k 77
  girih-gpu gemm --atom SM90_64x128x16_F32F16F16_SS -m 256 -n 256 -k 256 --print
  girih-gpu gemm --all [--atom 'SM90_64x*x16_*']

  --atom NAME         the instruction; with --all a pattern of names, * for anything
  -m M -n N -k K      the extents, any numbers
  --tile BMxBNxBK     the tile of a block; about 64 by 64 by 64 bytes if missing
  --atoms LAYOUT      atoms along M, N and K, as (2,2,1): the threads of a block
  --check WHAT        full: every element; sample: 4096 of them and the edges, which is taken above 2^34 products
  --seed N            of the numbers
  --device N          the card, from 0
  --print             the kernel as PTX, which needs no card; -o FILE writes it there; --json adds tile and threads
  --json              one object, with --all one a line
  --all               every atom that the card has, at 1x1x1, 127x65x33, 256x256x256 and 1000x513x77

Each kernel multiplies twice: small integers, whose sums are exact, added to a C; and numbers of a normal distribution,
or integers of the whole range of their type, without one (with --all at one size). Of a sparse A there are 2 of 4
elements, or 1 of 2. D is poisoned before. A float may differ by what the adders of the card cut off, 2^-23 of the
largest addend for each (2^-13 for wgmma on 8 bits, 2^-52 for doubles), and by a unit of its own type for each
instruction. What package gemm predicts stands below.

Exit codes: 0 all is right, 1 something is wrong or could not run, 2 wrong usage.
`

// A gemmRequest is what was asked for.
type gemmRequest struct {
	atom, tile, atoms, check, out string
	m, n, k                       int64
	seed                          uint64
	device                        int
	print, json, all              bool
}

func parseGemm(c *call) (*gemmRequest, error) {
	r := &gemmRequest{seed: 1}
	_, err := c.flags(0, func(fs *flag.FlagSet) {
		fs.StringVar(&r.atom, "atom", "", "")
		fs.StringVar(&r.tile, "tile", "", "")
		fs.StringVar(&r.atoms, "atoms", "", "")
		fs.StringVar(&r.check, "check", "", "")
		fs.StringVar(&r.out, "o", "", "")
		fs.Int64Var(&r.m, "m", 0, "")
		fs.Int64Var(&r.n, "n", 0, "")
		fs.Int64Var(&r.k, "k", 0, "")
		fs.Uint64Var(&r.seed, "seed", 1, "")
		fs.IntVar(&r.device, "device", 0, "")
		fs.BoolVar(&r.print, "print", false, "")
		fs.BoolVar(&r.json, "json", false, "")
		fs.BoolVar(&r.all, "all", false, "")
	})
	if err != nil {
		return nil, err
	}
	return r, r.validate()
}

func (r *gemmRequest) validate() error {
	switch {
	case r.check != "" && r.check != "full" && r.check != "sample":
		return usageError(fmt.Sprintf("--check is full or sample, found %q", r.check))
	case r.out != "" && !r.print:
		return usageError("-o is where --print writes to")
	case r.all && (r.print || r.tile != "" || r.atoms != "" || r.m != 0 || r.n != 0 || r.k != 0):
		return usageError("--all has kernels and sizes of its own")
	case r.all && r.check != "":
		return usageError("--all compares every element: it has no --check")
	case r.all:
		if _, err := path.Match(r.atom, ""); err != nil {
			return usageError(fmt.Sprintf("%q is no pattern of names", r.atom))
		}
		return nil
	case r.atom == "":
		return usageError("which instruction: --atom NAME")
	case r.print && r.m == 0 && r.n == 0 && r.k == 0:
		return nil // it is the same for all
	}
	for i, x := range []int64{r.m, r.n, r.k} {
		if x < 1 || x > maxExtent {
			return usageError(fmt.Sprintf("-%c is from 1 to %d, found %d", "mnk"[i], maxExtent, x))
		}
	}
	for _, x := range [][2]int64{{r.m, r.k}, {r.n, r.k}, {r.m, r.n}} {
		if x[0] > maxElements/x[1] {
			return usageError(fmt.Sprintf("a matrix of %d by %d elements is more than the %d that are compared with float64",
				x[0], x[1], maxElements))
		}
	}
	return nil
}

const (
	maxExtent   = 1 << 28
	maxElements = 1 << 26 // of a matrix: 512 MiB of float64
)

func runGemm(ctx context.Context, c *call) error {
	r, err := parseGemm(c)
	switch {
	case err != nil:
		return err
	case r.all:
		return r.everything(ctx, c)
	}
	a, err := atom.FindMMA(r.atom)
	if err != nil {
		return asUsage(err)
	}
	if r.print {
		k, err := r.kernel(a, "")
		if err != nil {
			return err
		}
		return r.printPTX(c, k)
	}
	d, err := c.open(r.device)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // what is left ends with the process
	k, err := r.kernel(a, d.Info().Chip)
	if err != nil {
		return err
	}
	p := prepare(d, k, new(sync.RWMutex))
	defer p.close()
	size := [3]int64{r.m, r.n, r.k}
	o, err := p.measure(ctx, gemmTrial{size: size, kinds: kindsOf(k), seed: r.seed, sampled: r.sampled(size), timed: true})
	if err != nil {
		return err
	}
	o.predict(k, size)
	if r.json {
		err = encode(c.stdout, o)
	} else {
		err = o.write(c.stdout)
	}
	if err == nil && !o.Right {
		return errFailed
	}
	return err
}

// sampled reports whether not every element is compared.
func (r *gemmRequest) sampled(size [3]int64) bool {
	return r.check == "sample" || r.check == "" && size[0]*size[1] > 1<<34/size[2]
}

// A kernelText is a kernel for somebody else's engine: its grid is M and N divided by the tile, rounded up; of N what
// is more than 65535 goes on in z.
type kernelText struct {
	Name        string   `json:"name"`
	Tile        [3]int64 `json:"tile"`
	Threads     int      `json:"threads"`
	SharedBytes int64    `json:"shared_bytes"`
	PTX         string   `json:"ptx"`
}

// encode writes a line of JSON, with the brackets of names as they are.
func encode(w io.Writer, x any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

func (r *gemmRequest) printPTX(c *call, k gemm.Kernel) error {
	p, err := k.Program("")
	if err != nil {
		return err
	}
	text := p.Module.String()
	if r.json {
		var b strings.Builder
		if err := encode(&b, kernelText{p.Name, k.Tile, p.Threads, p.SharedBytes, text}); err != nil {
			return err
		}
		text = b.String()
	}
	if r.out != "" {
		return file.Replace(r.out, []byte(text), 0o644)
	}
	return c.write(text)
}

// asUsage makes an error about what was given one of usage, with its hint.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	s := err.Error()
	if e, ok := errors.AsType[*girih.Error](err); ok && e.Hint != "" {
		s += ": " + e.Hint
	}
	return usageError(s)
}

// kernel makes the kernel that was asked for, for a chip that has the instruction.
func (r *gemmRequest) kernel(a atom.MMA, chip string) (gemm.Kernel, error) {
	if _, err := lower.TargetFor(a.Operation, chip); err != nil {
		return gemm.Kernel{}, err
	}
	atoms, err := atomsOf(a, r.atoms)
	if err != nil {
		return gemm.Kernel{}, asUsage(err)
	}
	mma, err := atom.MakeTiledMMA(a, atoms, girih.Keep)
	if err != nil {
		return gemm.Kernel{}, asUsage(err)
	}
	tile := tileOf(mma)
	if r.tile != "" {
		if tile, err = parseTile(r.tile); err != nil {
			return gemm.Kernel{}, err
		}
	}
	k, err := gemm.NewKernel(mma, tile)
	if r.tile != "" || r.atoms != "" {
		err = asUsage(err)
	}
	return k, err
}

// atomsOf reads a layout of atoms. Without one it is two by two warps, a warpgroup, or 16 by 16 threads.
func atomsOf(a atom.MMA, text string) (girih.Layout, error) {
	if text == "" {
		switch text = "(2,2,1)"; a.Threads() {
		case 128:
			text = "(1,1,1)"
		case 1:
			text = "(16,16,1)"
		}
	}
	return girih.Parse(text)
}

// tileOf returns the multiple of the MMA's tile nearest to 64 by 64 elements and 64 bytes, for wgmma 128 bytes.
func tileOf(mma atom.TiledMMA) [3]int64 {
	bytes := int64(64)
	if lower.IsWarpgroup(mma.Atom()) {
		bytes = 128
	}
	tile := mma.TileShape()
	for i, wish := range []int64{64, 64, bytes * 8 / int64(mma.Atom().Types.A.Type.Bits())} {
		tile[i] *= max(1, wish/tile[i])
	}
	return tile
}

func parseTile(text string) (tile [3]int64, err error) {
	parts := strings.Split(text, "x")
	if len(parts) != 3 {
		return tile, usageError(fmt.Sprintf("--tile is such as 64x64x32, found %q", text))
	}
	for i, s := range parts {
		if tile[i], err = strconv.ParseInt(s, 10, 32); err != nil || tile[i] < 1 {
			return tile, usageError(fmt.Sprintf("--tile is such as 64x64x32, found %q", text))
		}
	}
	return tile, nil
}
