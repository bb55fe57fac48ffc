package gemms

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/file"
	"girih/internal/machine/lower"
	"girih/internal/terminal"
	plans "girih/kernel/gemm"
)

// Command is girih-gpu gemm.
var Command = command.Command{
	Name: "gemm",
	Args: "(--type T | NAME | --atom NAME) -m M -n N -k K [options]",
	Help: "run a matrix product on a card or in the simulator, and compare",
	Run:  runGemm,
	More: gemmHelp,
}

const gemmHelp = `
Runs D = A·B with the kernel that is planned for a type, with the instruction of an atom in a plain tiled kernel made
of its TiledMMA, TiledCopy and layouts of shared memory, or with a kernel of package examples, and compares D with
float64. A is M by K, B is N by K, with K contiguous; D is M by N. Without a card it runs in the simulator, with all of
its checks.

  girih-gpu gemm --type f16 -m 4096 -n 4096 -k 4096
  girih-gpu gemm --atom SM80_16x8x16_F32F16F16F32_TN -m 1000 -n 513 -k 77
  girih-gpu gemm SM90_64x128x16_F32F16F16_SS -m 256 -n 256 -k 256 --print
  girih-gpu gemm sgemm_sm80 --sum f16 -m 4096 -n 4096 -k 4096
  girih-gpu gemm --all [--atom 'SM90_64x*x16_*']

  NAME                an instruction, or a kernel: sgemm_1, sgemm_2, sgemm_sm70, sgemm_sm80, wgmma_sm90, wgmma_tma_sm90,
                      wgmma_tma_cluster_sm90, with matrices in its own order, and with the divisors of M, N and K
  --atom NAME         the instruction; with --all a pattern of names, * for anything
  -m M -n N -k K      the extents, any numbers
  --tile BMxBNxBK     the tile of a block; for an instruction the default is about 64 by 64 by 64 bytes
  --atoms LAYOUT      atoms of an instruction along M, N and K, as (2,2,1): the threads of a block
  --type T --sum T    the types of a kernel's elements and sums, where it has a choice; without a name --type f16, bf16,
                      tf32, e4m3, e5m2, s8 or u8 runs the planned kernel, with rows of A and B padded to multiples of 16
                      bytes and D in f32 or s32
  -l L                of a planned kernel: the number of products, whose A have the same rows in other places
  --groups G          of a planned kernel: the rows of A and D in G groups, each with a B, whose rows are in other places
  --alpha X --beta X  of a planned kernel: alpha·A·B + beta·C, powers of two; --c T has a C of that type
  --scale FACTORS     of a planned kernel: tensors or rows for factors of A and B; with --type-b u4, groups for weights of
                      4 bits with factors and zero points of 128 columns
  --fast              of a planned kernel for 8-bit floats: the tensor cores add all products
  --plan              print the plan with its reasons; needs no card
  --tune              time the configurations that the planner compares on the card, at most 200 of them, and print
                      the fastest, the planner's choice, and how far it is from the best; --most N times fewer, in the
                      order of their predictions; --out T has D in T instead of f32
  --stages N          the stages of a kernel's pipeline
  --check WHAT        full: every element; sample: 4096 elements and the edges, and where all sums are exact the others
                      by a random sum over each row of D; sample is the default above 2^34 products
  --seed N            the seed of the numbers
  --device N          the card, from 0; default: the first card, or the simulator
  --simulate          run in the simulator even if there is a card
  --print             print the kernel as PTX, for these extents or for all that its parameters allow, or write it to
                      -o FILE; needs no card; --json adds tile, grid, threads and parameters
  --explain           print what the kernel moves and why, instead of the PTX
  --json              print one object, with --all one a line
  --all               every atom of the card, at 1x1x1, 127x65x33, 256x256x256 and 1000x513x77; in the simulator every
                      atom of sm_90, at the first two and at whole tiles

Each kernel multiplies twice: small integers, whose sums are exact, plus a C if the kernel adds one; and numbers of a
normal distribution, or integers of the whole range of their type, without a C (with --all at one size). A sample of
integers covers all of D: D·x = A·(B·x) + C·x for a random x modulo 2^64, so that a wrong element is missed with the
printed probability, at most once in 2^30. A sparse A has 2 of 4 elements, or 1 of 2. D is poisoned before. A float may
differ by the bits that the adders of the card cut off, 2^-23 of the largest addend for each (2^-13 for wgmma on 8 bits, 2^-52
for doubles), and by a unit of its own type for each instruction. The traffic of the kernel without a C, planned by
package kernel, is printed below; for a large problem it is planned from four blocks.

Exit codes: 0 all is right, 1 something is wrong or could not run, 2 wrong usage.
`

// A gemmRequest has the arguments.
type gemmRequest struct {
	name                                string // the name of a kernel of package examples, or of an instruction
	atom, tile, atoms, check, out       string
	typ, sum                            string
	m, n, k, stages                     int64
	seed                                uint64
	device                              int // negative: the first card, or the simulator
	print, explain, simulate, json, all bool
	showPlan, fast                      bool
	l                                   int64 // products of a planned kernel; 0 for one without a third mode
	search                              bool
	most                                int        // configurations of a search
	output                              string     // the type of D of a search; "" for the type of sums
	card                                plans.Card // of the plan; zero for the first one of the table
	alpha, beta                         float64    // of a planned kernel
	c, scale, typeB                     string     // of a planned kernel: the type of C, the factors, the type of B
	groups                              int64      // of the rows of a planned kernel; 0 for none
}

func parseGemm(c *command.Call) (*gemmRequest, error) {
	r := &gemmRequest{seed: 1}
	names, err := c.Flags(1, func(fs *flag.FlagSet) {
		fs.StringVar(&r.typ, "type", "", "")
		fs.StringVar(&r.sum, "sum", "", "")
		fs.Int64Var(&r.stages, "stages", 0, "")
		fs.BoolVar(&r.explain, "explain", false, "")
		fs.BoolVar(&r.simulate, "simulate", false, "")
		fs.StringVar(&r.atom, "atom", "", "")
		fs.StringVar(&r.tile, "tile", "", "")
		fs.StringVar(&r.atoms, "atoms", "", "")
		fs.StringVar(&r.check, "check", "", "")
		fs.StringVar(&r.out, "o", "", "")
		fs.Int64Var(&r.m, "m", 0, "")
		fs.Int64Var(&r.n, "n", 0, "")
		fs.Int64Var(&r.k, "k", 0, "")
		fs.Uint64Var(&r.seed, "seed", 1, "")
		fs.IntVar(&r.device, "device", -1, "")
		fs.BoolVar(&r.print, "print", false, "")
		fs.BoolVar(&r.json, "json", false, "")
		fs.BoolVar(&r.all, "all", false, "")
		fs.BoolVar(&r.showPlan, "plan", false, "")
		fs.BoolVar(&r.fast, "fast", false, "")
		fs.Int64Var(&r.l, "l", 0, "")
		fs.BoolVar(&r.search, "tune", false, "")
		fs.IntVar(&r.most, "most", mostTuned, "")
		fs.StringVar(&r.output, "out", "", "")
		fs.Float64Var(&r.alpha, "alpha", 1, "")
		fs.Float64Var(&r.beta, "beta", 1, "")
		fs.StringVar(&r.c, "c", "", "")
		fs.StringVar(&r.scale, "scale", "", "")
		fs.StringVar(&r.typeB, "type-b", "", "")
		fs.Int64Var(&r.groups, "groups", 0, "")
	})
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		r.name = names[0]
	}
	if r.explain { // --explain is --print in words
		r.print = true
	}
	return r, r.validate()
}

func (r *gemmRequest) validate() error {
	switch {
	case !slices.Contains([]string{"", "full", "sample"}, r.check):
		return command.UsageError(fmt.Sprintf("--check is full or sample, found %q", r.check))
	case r.out != "" && !r.print:
		return command.UsageError("-o is where --print writes to")
	case r.simulate && r.device >= 0:
		return command.UsageError("--simulate needs no --device")
	case r.all:
		return r.validateAll()
	case r.name+r.atom+r.typ == "":
		return command.UsageError("the kernel is missing: NAME, --atom NAME of an instruction, or --type T for a planned one")
	case (r.fast || r.l != 0) && !r.isPlanned():
		return command.UsageError("--fast and -l are of a planned kernel: --type T without a name")
	case r.print && r.m|r.n|r.k == 0 && !r.isPlanned():
		return nil // one kernel serves all extents
	}
	return cmp.Or(r.validatePlanned(), r.validateInputs(), r.validateSize())
}

// validatePlanned checks the options of planned kernels.
func (r *gemmRequest) validatePlanned() error {
	switch {
	case r.showPlan && !r.isPlanned():
		return command.UsageError("--plan is of a planned kernel: --type T without a name")
	case r.search && (!r.isPlanned() || r.simulate || r.print || r.showPlan):
		return command.UsageError("--tune times the configurations of a planned kernel on a card: --type T without a name")
	case !r.search && (r.output != "" || r.most != mostTuned):
		return command.UsageError("--out and --most are options of --tune")
	case r.most < 1 || r.most > mostTuned:
		return command.UsageError(fmt.Sprintf("--most is from 1 to %d, found %d", mostTuned, r.most))
	}
	return nil
}

// isPlanned reports whether the kernel is planned for the size.
func (r *gemmRequest) isPlanned() bool { return r.name+r.atom == "" && r.typ != "" }

// validateAll checks the arguments of --all.
func (r *gemmRequest) validateAll() error {
	_, err := path.Match(r.atom, "")
	switch {
	case r.print || r.name+r.typ+r.sum+r.tile+r.atoms != "" || r.stages|r.m|r.n|r.k != 0:
		return command.UsageError("--all has kernels and sizes of its own")
	case r.check != "":
		return command.UsageError("--all compares every element: it has no --check")
	case err != nil:
		return command.UsageError(fmt.Sprintf("%q is not a pattern of names", r.atom))
	}
	return nil
}

// validateSize checks the extents and the sizes of the matrices.
func (r *gemmRequest) validateSize() error {
	if r.l < 0 || r.l > maxProducts {
		return command.UsageError(fmt.Sprintf("-l is from 1 to %d, or 0 for one product, found %d", maxProducts, r.l))
	}
	for i, x := range []int64{r.m, r.n, r.k} {
		if x < 1 || x > maxExtent {
			return command.UsageError(fmt.Sprintf("-%c is from 1 to %d, found %d", "mnk"[i], maxExtent, x))
		}
	}
	for _, x := range [][2]int64{{r.m, r.k}, {r.n, r.k}, {r.m, r.n}} {
		if x[0] > maxElements/x[1]/max(r.l, 1) && !r.search { // a search compares a sample
			return command.UsageError(fmt.Sprintf("a matrix of %d by %d elements is more than the %d that are compared with float64",
				x[0], x[1], maxElements))
		}
	}
	return nil
}

const (
	maxExtent   = 1 << 28
	maxProducts = 1 << 16
	maxElements = 1 << 26 // the limit for a matrix: 512 MiB of float64
)

func runGemm(ctx context.Context, c *command.Call) error {
	r, err := parseGemm(c)
	switch {
	case err != nil:
		return err
	case r.all:
		return r.everything(ctx, c)
	case r.showPlan:
		return r.printPlan(c)
	case r.search:
		return r.tune(ctx, c)
	case r.print:
		p, err := r.product("")
		if err != nil {
			return err
		}
		return r.printPTX(c, p)
	}
	if _, err := r.product(""); err != nil { // this must come before a card is opened
		return err
	}
	return r.run(ctx, c)
}

// run runs the product of the request on the card or in the simulator.
func (r *gemmRequest) run(ctx context.Context, c *command.Call) error {
	place, err := r.place(c)
	if err != nil {
		return err
	}
	defer place.close()
	if place.d != nil && r.isPlanned() {
		if r.card, err = place.d.GemmCard(); err != nil {
			return err
		}
	}
	p, err := r.product(place.chip())
	if err != nil && place.d == nil {
		return fmt.Errorf("the simulator adds as sm_90 does: %w", err)
	}
	if err != nil {
		return err
	}
	runner := newRunner(p, place)
	defer runner.close()
	size := [3]int64{r.m, r.n, r.k}
	t := gemmTrial{size: size, kinds: kindsOf(p), seed: r.seed, sampled: r.samples(size), timed: true, planned: true}
	o, err := runner.measure(ctx, t)
	if err != nil {
		return err
	}
	if r.json {
		err = encode(c.Stdout, o)
	} else {
		err = o.write(c.Stdout)
	}
	if err == nil && !o.Right {
		return command.ErrFailed
	}
	return err
}

// place opens the requested card or the first one; without a card it is the simulator.
func (r *gemmRequest) place(c *command.Call) (*gemmPlace, error) {
	if r.simulate {
		return &gemmPlace{}, nil
	}
	d, err := c.Open(max(r.device, 0))
	if err == nil {
		return &gemmPlace{d: d}, nil
	}
	e, ok := errors.AsType[*gpu.Error](err)
	if r.device >= 0 || !ok || e.Code != gpu.NoDriver && e.Code != gpu.NoDevice {
		return nil, err
	}
	fmt.Fprintf(c.Stderr, "in the simulator: %s\n", terminal.Clean(err.Error()))
	return &gemmPlace{}, nil
}

// samples reports whether only a sample of the elements is compared.
func (r *gemmRequest) samples(size [3]int64) bool {
	return r.check == "sample" || r.check == "" && size[0]*size[1] > 1<<34/size[2]
}

// A kernelText is a kernel with what another program needs to launch it.
type kernelText struct {
	Entry   string   `json:"entry"`
	Tile    [3]int64 `json:"tile"`
	Grid    []string `json:"grid"`  // blocks along x, y and z, as formulas of m, n and k
	Block   int64    `json:"block"` // threads
	Shared  int64    `json:"shared"`
	Dynamic int64    `json:"dynamic,omitempty"` // the part of the bytes of shared memory that the launch must request
	Params  []string `json:"params"`
	PTX     string   `json:"ptx"`
}

// encode writes a line of JSON without escaping < and > in names.
func encode(w io.Writer, x any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

func (r *gemmRequest) printPTX(c *command.Call, p *product) error {
	k, err := p.trace([3]int64{r.m, r.n, r.k})
	if err != nil {
		return err
	}
	text := k.Module.String()
	var b strings.Builder
	switch {
	case r.explain && r.json:
		if err := encode(&b, k.Report()); err != nil {
			return err
		}
		text = b.String()
	case r.explain:
		text = k.Report().String()
	case r.json:
		t := kernelText{
			Entry: k.Name, Tile: p.form.Tile, Grid: k.GridText(), Block: k.Threads, Shared: k.Shared, Dynamic: k.Dynamic,
			PTX: text,
		}
		for _, q := range k.Params {
			t.Params = append(t.Params, q.Name)
		}
		if err := encode(&b, t); err != nil {
			return err
		}
		text = b.String()
	}
	if r.out != "" {
		return file.Replace(r.out, []byte(text), 0o644)
	}
	return c.Write(text)
}

// asUsage converts an error about an argument to an error of usage, with its hint.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	s := err.Error()
	if e, ok := errors.AsType[*cute.Error](err); ok && e.Hint != "" {
		s += ": " + e.Hint
	}
	return command.UsageError(s)
}

// atomsOf parses a layout of atoms. The default is two by two warps, a warpgroup, or 16 by 16 threads.
func atomsOf(a atom.MMA, text string) (cute.Layout, error) {
	if text == "" {
		switch text = "(2,2,1)"; {
		case a.Threads() == 128 || a.CFrom != atom.Registers:
			text = "(1,1,1)"
		case a.Threads() == 1:
			text = "(16,16,1)"
		}
	}
	return cute.Parse(text)
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
		return tile, command.UsageError(fmt.Sprintf("--tile needs three extents, as 64x64x32, found %q", text))
	}
	for i, s := range parts {
		if tile[i], err = strconv.ParseInt(s, 10, 32); err != nil || tile[i] < 1 {
			return tile, command.UsageError(fmt.Sprintf("--tile needs three extents, as 64x64x32, found %q", text))
		}
	}
	return tile, nil
}
