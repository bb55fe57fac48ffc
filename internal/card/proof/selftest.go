package proof

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/trial"
	"girih/internal/card/truth"
	"girih/internal/machine/lower"
	"girih/internal/terminal"
	"girih/internal/version"
	"girih/ptx"
)

// Selftest is girih-gpu selftest.
var Selftest = command.Command{
	Name: "selftest",
	Args: "[--device N]",
	Help: "try all of this on the card, in a minute, for an issue",
	Run:  selftest,
}

// selftest prints a table in Markdown, row by row.
func selftest(ctx context.Context, c *command.Call) error {
	device := 0
	if _, err := c.Flags(0, func(fs *flag.FlagSet) { fs.IntVar(&device, "device", 0, "") }); err != nil {
		return err
	}
	ctx, stop := context.WithTimeoutCause(ctx, time.Minute, errors.New("the minute is over"))
	defer stop()
	begin := time.Now()
	d, err := c.Open(device)
	if err != nil {
		return err
	}
	defer d.Close()
	dir, err := os.MkdirTemp("", "girih-selftest-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d.SetCache(dir)
	i := d.Info()
	fmt.Fprintf(c.Stdout, "| girih-gpu selftest, %s, %s | | | |\n|--|--|--|--|\n",
		time.Now().UTC().Format(time.DateOnly), version.Current())
	t := &selftestTable{ctx: ctx, d: d, w: c.Stdout, last: begin}
	t.row("card", fmt.Sprintf("%s, %s, %.1f GiB, %d SMs, driver %s, CUDA %s",
		i.Name, i.Chip, float64(i.Memory)/(1<<30), i.SMs, command.Dash(i.Driver), i.CUDA), nil)
	t.try("vector add", t.add)
	t.try("cache of cubins", t.cache)
	t.try("wrong PTX", t.wrongPTX)
	t.try("a launch that does not fit", t.tooLarge)
	t.try("too much memory", t.tooMuch)
	t.try("bank conflicts", t.banks)
	t.instructions()
	t.try("tensor maps", t.tensorMaps)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if t.failed {
		return command.ErrFailed
	}
	return nil
}

type selftestTable struct {
	ctx    context.Context
	d      *gpu.Device
	w      io.Writer
	last   time.Time
	failed bool
}

// row prints the result of a check, and its time.
func (t *selftestTable) row(what, result string, err error) {
	mark := "ok"
	if err != nil {
		mark, t.failed = "FAILED", true
		result = strings.TrimSpace(result + " " + err.Error())
	}
	now := time.Now()
	text := strings.NewReplacer("|", "\\|", "\n", " ").Replace(terminal.Clean(result))
	fmt.Fprintf(t.w, "| %s | %s | %s | %d ms |\n", what, mark, text, now.Sub(t.last).Milliseconds())
	t.last = now
}

func (t *selftestTable) try(what string, check func() (string, error)) {
	if t.ctx.Err() == nil {
		result, err := check()
		t.row(what, result, err)
	}
}

// anyCard is a target that every card since Turing accepts.
var anyCard = lower.Target{Chip: "sm_75", Version: ptx.Version{Major: 6, Minor: 3}}

// kernel compiles the kernel of b.
func (t *selftestTable) kernel(b *ptx.Builder) (*gpu.Kernel, *gpu.Module, error) {
	f, err := b.Func()
	if err != nil {
		return nil, nil, err
	}
	m, err := t.d.Load(anyCard.Module(f))
	if err != nil {
		return nil, nil, err
	}
	k, err := m.Kernel(string(f.Name))
	return k, m, err
}

func (t *selftestTable) add() (string, error) {
	k, m, err := t.kernel(trial.Add())
	if err != nil {
		return "", err
	}
	defer m.Close()
	const n = 1<<20 + 7
	host := [2][]float32{make([]float32, n), make([]float32, n)}
	var buffers [2]*gpu.Buffer[float32]
	for j := range host {
		for i := range host[j] {
			host[j][i] = rand.Float32()
		}
		if buffers[j], err = gpu.Upload(t.ctx, t.d, host[j]); err != nil {
			return "", err
		}
		defer buffers[j].Close()
	}
	sum, err := gpu.Alloc[float32](t.d, n)
	if err != nil {
		return "", err
	}
	defer sum.Close()
	shape := gpu.Config{Grid: gpu.Dim{X: (n + 255) / 256}, Block: gpu.Dim{X: 256}}
	if err := k.Launch(shape, buffers[0], buffers[1], sum, n); err != nil {
		return "", err
	}
	got := make([]float32, n)
	if err := sum.Read(t.ctx, got); err != nil {
		return "", err
	}
	for i, v := range got {
		if want := host[0][i] + host[1][i]; v != want {
			return "", fmt.Errorf("element %d is %v and not %v", i, v, want)
		}
	}
	return fmt.Sprintf("%d floats", n), nil
}

func (t *selftestTable) cache() (string, error) {
	_, m, err := t.kernel(trial.Add()) // the second time
	if err != nil {
		return "", err
	}
	defer m.Close()
	if !m.Cached() {
		return "", errors.New("a module that was compiled is compiled again")
	}
	return "found again", nil
}

// wantCode returns an error unless err has the code.
func wantCode(err error, code gpu.Code) (string, error) {
	e, ok := errors.AsType[*gpu.Error](err)
	if !ok || e.Code != code {
		return "", fmt.Errorf("expected an error of the code %s, found %v", code, err)
	}
	first, _, _ := strings.Cut(e.Error(), "\n")
	return "refused: " + first, nil
}

func (t *selftestTable) wrongPTX() (string, error) {
	_, err := t.d.LoadPTX(".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tmov.u32 %r0, 1;\n\tret;\n}\n")
	return wantCode(err, gpu.Refused)
}

func (t *selftestTable) tooLarge() (string, error) {
	k, m, err := t.kernel(trial.Add())
	if err != nil {
		return "", err
	}
	defer m.Close()
	shape := gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 2048}}
	return wantCode(k.Launch(shape, uint64(0), uint64(0), uint64(0), 0), gpu.Argument)
}

func (t *selftestTable) tooMuch() (string, error) {
	b, err := gpu.Alloc[uint64](t.d, int(t.d.Info().Memory/8+1))
	if err == nil {
		return "", errors.Join(errors.New("more memory was given than there is"), b.Close())
	}
	return wantCode(err, gpu.OutOfMemory)
}

// banks measures loads of a warp from shared memory that take 1 wavefront and 32.
func (t *selftestTable) banks() (string, error) {
	k, m, err := t.kernel(trial.Banks())
	if err != nil {
		return "", err
	}
	defer m.Close()
	out, err := gpu.Alloc[uint32](t.d, 64)
	if err != nil {
		return "", err
	}
	defer out.Close()
	var cycles [2]float64
	for i, stride := range []uint32{1, 32} {
		results := make([]uint32, 64)
		if err := k.Launch(gpu.Config{Block: gpu.Dim{X: 32}}, out, stride); err != nil {
			return "", err
		}
		if err := out.Read(t.ctx, results); err != nil {
			return "", err
		}
		cycles[i] = float64(results[0]) / trial.BankLoads
	}
	text := fmt.Sprintf("a load takes %.0f cycles, with its 32 words in one bank %.0f", cycles[0], cycles[1])
	if extra := cycles[1] - cycles[0]; extra < 20 || extra > 200 {
		return text, errors.New("expected about 31 wavefronts more")
	}
	return text, nil
}

// tensorMaps makes some maps and copies some boxes.
func (t *selftestTable) tensorMaps() (string, error) {
	chip := 0
	if _, err := fmt.Sscanf(t.d.Info().Chip, "sm_%d", &chip); err == nil && chip < 90 {
		return "none before sm_90", nil
	}
	f, err := tryMaps(t.ctx, t.d, mapCount{maps: 300, boxes: 120})
	if err == nil && f.first != "" {
		err = errors.New(f.first)
	}
	return f.String(), err
}

// mostOfAFamily limits the instructions tried of each family.
const mostOfAFamily = 24

// instructions tries some of every family.
func (t *selftestTable) instructions() {
	byFamily := map[string][]truth.Atom{}
	var families []string
	chip := t.d.Info().Chip
	for _, a := range slices.Concat(truth.Atoms(chip), truth.Descriptors(chip)) {
		if a.Lacks != nil {
			continue
		}
		if byFamily[a.Family] == nil {
			families = append(families, a.Family)
		}
		byFamily[a.Family] = append(byFamily[a.Family], a)
	}
	for _, f := range families {
		all := byFamily[f]
		n := min(len(all), mostOfAFamily)
		some := make([]truth.Atom, n)
		for i := range some {
			some[i] = all[i*len(all)/n]
		}
		t.try(f, func() (string, error) { return t.family(some) })
	}
}

// family compares instructions with the card. Instructions without experiments are skipped; sums are only reported.
func (t *selftestTable) family(some []truth.Atom) (string, error) {
	records, err := measure(t.ctx, t.d, some, io.Discard)
	if err != nil {
		return "", err
	}
	proven, tried, sums, agree := 0, 0, 0, 0
	for _, r := range records {
		switch r.Status {
		case truth.Untried:
			continue
		case truth.Proven:
			proven++
		default:
			err = errors.Join(err, fmt.Errorf("%s %s: %s", r.Atom, r.Status, r.Reason))
		}
		tried++
		if r.Sums != nil {
			sums, agree = sums+r.Sums.Sums, agree+r.Sums.Agree
		}
	}
	if tried == 0 {
		return "nothing with a table of its own", err
	}
	text := fmt.Sprintf("%d of %d tables are right", proven, tried)
	if sums > 0 {
		text += fmt.Sprintf(", %d of %d sums equal the sums of sm_90", agree, sums)
	}
	return text, err
}
