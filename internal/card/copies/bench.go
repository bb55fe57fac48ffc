package copies

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"girih/cute"
	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/file"
	"girih/kernel"
	"girih/kernel/copy"
)

// Bench is girih-gpu bench.
var Bench = command.Command{
	Name: "bench",
	Args: "copy [options]",
	Help: "time copies against PyTorch, torch.compile and CuPy",
	Run:  runBench,
	More: benchHelp,
}

const benchHelp = `
Times the copies that girih plans: transposes, permutes, gathers, and twenty random permutations, in rounds with a device
copy of the same bytes and, if Python has them, PyTorch copy_, torch.compile and CuPy. Every result is compared with
the definition.

  girih-gpu bench copy
  girih-gpu bench copy --only '*transposed*' --sweep
  girih-gpu bench copy --only 'drawn*' --seed 7

  --only PATTERN      only cases whose names match, * for anything
  --seed N            seed of the random permutations; default 2026, as in docs/performance.md
  --rounds N          rounds for each case, default 15
  --python FILE       the Python, default python3; "" for none
  --counters          also print the sectors that the card counts, by ncu
  --run-time          also time a kernel for run-time extents with the values of the case
  --sweep             try the planner's choices one after the other and print the best
  --markdown FILE     write the table of docs/performance.md
  --json              print one object a line
  --device N          the card, from 0

Exit codes: 0 all is right, 1 something is wrong or could not run, 2 wrong usage.
`

// A benchRequest has the arguments.
type benchRequest struct {
	only, python, markdown string
	rounds, device         int
	seed                   uint64
	sweep, json, counters  bool
	open                   bool
}

func runBench(ctx context.Context, c *command.Call) error {
	r := benchRequest{}
	what, err := c.Flags(1, func(fs *flag.FlagSet) {
		fs.StringVar(&r.only, "only", "*", "")
		fs.Uint64Var(&r.seed, "seed", drawSeed, "")
		fs.StringVar(&r.python, "python", "python3", "")
		fs.StringVar(&r.markdown, "markdown", "", "")
		fs.IntVar(&r.rounds, "rounds", 15, "")
		fs.IntVar(&r.device, "device", 0, "")
		fs.BoolVar(&r.sweep, "sweep", false, "")
		fs.BoolVar(&r.json, "json", false, "")
		fs.BoolVar(&r.counters, "counters", false, "")
		fs.BoolVar(&r.open, "run-time", false, "")
	})
	switch {
	case err != nil:
		return err
	case len(what) != 1 || what[0] != "copy":
		return command.UsageError("expected what to time: girih-gpu bench copy, or bench gemm")
	case r.rounds < 1:
		return command.UsageError(fmt.Sprintf("--rounds is 1 at least, found %d", r.rounds))
	}
	var cases []copyCase
	for _, x := range copyCases(r.seed) {
		if ok, err := path.Match(r.only, x.Name); err != nil {
			return command.UsageError(fmt.Sprintf("%q is not a pattern of names", r.only))
		} else if ok {
			cases = append(cases, x)
		}
	}
	if len(cases) == 0 {
		return command.UsageError(fmt.Sprintf("no case has a name that matches %q", r.only))
	}
	d, err := c.Open(r.device)
	if err != nil {
		return err
	}
	defer d.Close()
	b := &copyBench{d: d, rounds: r.rounds, open: r.open}
	defer b.close()
	if r.sweep {
		return r.sweepAll(ctx, c, b, cases)
	}
	if r.python != "" {
		if b.peers, err = startPeers(ctx, r.python); err != nil {
			fmt.Fprintf(c.Stderr, "no peers: %v\n", err)
			b.peers = nil
		} else {
			defer b.peers.Close()
		}
	}
	return r.table(ctx, c, b, cases)
}

// table times all cases.
func (r *benchRequest) table(ctx context.Context, c *command.Call, b *copyBench, cases []copyCase) error {
	var all []copyOutcome
	wrong := false
	for i := range cases {
		x := &cases[i]
		o, err := b.bench(ctx, x, copy.Options{})
		if err != nil {
			fmt.Fprintf(c.Stderr, "%s: %v\n", x.Name, err)
			wrong = true
			continue
		}
		wrong = wrong || o.Wrong != ""
		if r.counters {
			d := o.Plan.Describe()
			o.Measured = countCopy(ctx, []string{d.Src, d.Dst, "--type", fmt.Sprintf("b%d", 8*d.Bytes), "--rounds=1"})
		}
		all = append(all, *o)
		if r.json {
			if err := json.NewEncoder(c.Stdout).Encode(o); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(c.Stdout, x.Name)
		o.print(c.Stdout)
	}
	text := markdownTable(cases, all)
	if r.markdown != "" {
		if err := file.Replace(r.markdown, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if !r.json {
		fmt.Fprintf(c.Stdout, "\n%s", text)
	}
	if wrong {
		return command.ErrFailed
	}
	return nil
}

// bench plans and times a case.
func (b *copyBench) bench(ctx context.Context, x *copyCase, o copy.Options) (*copyOutcome, error) {
	src, dst, err := x.layouts()
	if err != nil {
		return nil, err
	}
	o.Bytes = x.Bytes
	p, err := copy.New(src, dst, o)
	if err != nil {
		return nil, err
	}
	out := &copyOutcome{Name: x.Name, Plan: p}
	if out.Predicted, err = p.Predict(); err != nil {
		return nil, err
	}
	if b.open {
		if out.Open, err = x.open(); err != nil {
			return nil, err
		}
	}
	if b.peers != nil {
		if err := b.peers.prepare(x); err != nil {
			return nil, err
		}
	}
	return out, b.one(ctx, out, src, dst)
}

// markdownTable is the table of docs/performance.md.
func markdownTable(cases []copyCase, all []copyOutcome) string {
	var s strings.Builder
	head := "| copy | GB/s | of a device copy | goal | PyTorch | torch.compile | CuPy | way | sectors, of the fewest | counted |"
	rule := "|--|--|--|--|--|--|--|--|--|--|"
	open := func(string) string { return "" }
	if slices.ContainsFunc(all, func(o copyOutcome) bool { return o.Open != nil }) {
		open = func(text string) string { return text }
	}
	s.WriteString(head + open(" run-time extents |") + "\n" + rule + open("--|") + "\n")
	product, least, drawn := 1.0, math.Inf(1), 0
	for _, o := range all {
		goal := "-"
		for _, x := range cases {
			if x.Name == o.Name && x.goal > 0 {
				goal = fmt.Sprintf("%.2f", x.goal)
			}
		}
		peer := func(name string) string {
			for _, p := range o.Peers {
				if p.Name == name && p.Seconds > 0 {
					return fmt.Sprintf("%.2f", o.share(p.Seconds))
				}
			}
			return "-"
		}
		d, f := o.Plan.Describe(), o.Predicted
		share := o.share(o.Seconds)
		if strings.HasPrefix(o.Name, "drawn") {
			product, least, drawn = product*share, min(least, share), drawn+1
		}
		counted := "-"
		if m := o.Measured; m != nil && m.Error == "" {
			counted = fmt.Sprintf("%.2f", float64(m.Read+m.Written)*32/(2*float64(d.Total)))
		}
		fmt.Fprintf(&s, "| %s | %.0f | %.2f | %s | %s | %s | %s | %s | %.2f | %s |%s\n", o.Name,
			2*float64(d.Total)/o.Seconds/1e9, share, goal, peer("PyTorch copy_"), peer("torch.compile"), peer("CuPy"), d.Way,
			float64(f.Loads.Sectors+f.Stores.Sectors)*32/(2*float64(d.Total)), counted, open(o.open()))
	}
	if drawn > 0 {
		fmt.Fprintf(&s, "\nThe %d that were drawn: a geometric mean of %.3f, the least %.2f.\n", drawn,
			math.Pow(product, 1/float64(drawn)), least)
	}
	return s.String()
}

// sweepAll tries the knobs of each case, one after the other around the best so far.
func (r *benchRequest) sweepAll(ctx context.Context, c *command.Call, b *copyBench, cases []copyCase) error {
	for i := range cases {
		x := &cases[i]
		if err := r.sweepOne(ctx, c, b, x); err != nil {
			fmt.Fprintf(c.Stderr, "%s: %v\n", x.Name, err)
		}
	}
	return nil
}

// knobs are the parameters of a sweep: the planner's options, and an index into hints.
type knobs struct {
	copy.Options
	hint int
}

// hints replace instructions by instructions with cache hints. The first entry changes nothing.
var hints = []*strings.Replacer{
	strings.NewReplacer(),
	strings.NewReplacer("ld.global.", "ld.global.nc."),
	strings.NewReplacer("ld.global.", "ld.global.nc.L1::no_allocate."),
	strings.NewReplacer("st.global.", "st.global.cs."),
	strings.NewReplacer("ld.global.", "ld.global.nc.L1::no_allocate.", "st.global.", "st.global.cs."),
	strings.NewReplacer("ld.global.", "ld.global.L2::256B."),
}

// A tried is a measurement.
type tried struct {
	o       knobs
	seconds float64
	text    string
}

// sweeps list the knobs to try next, given the best so far.
var sweeps = []func(best knobs) []knobs{
	func(knobs) []knobs {
		list := []knobs{{}}
		for _, w := range []copy.Way{copy.Direct, copy.Blocks, copy.Rows, copy.Shifted} {
			list = append(list, knobs{Options: copy.Options{Way: w}})
		}
		return list
	},
	func(o knobs) (list []knobs) {
		for _, tile := range []int64{64, 128, 256, 512} {
			for _, flight := range []int64{32, 64, 128} {
				o.Tile, o.Flight = tile, flight
				list = append(list, o)
			}
		}
		return list
	},
	func(best knobs) (list []knobs) {
		o := best
		for _, threads := range []int64{128, 256, 512} {
			for _, order := range []copy.Order{copy.AlongDst, copy.AlongSrc} {
				o.Threads, o.Order = threads, order
				list = append(list, o)
			}
		}
		best.Vector = 8
		return append(list, best)
	},
	func(o knobs) (list []knobs) {
		for o.hint = range hints {
			list = append(list, o)
		}
		return list
	},
}

func (r *benchRequest) sweepOne(ctx context.Context, c *command.Call, b *copyBench, x *copyCase) error {
	seen := map[string]bool{}
	best := tried{seconds: math.Inf(1)}
	fmt.Fprintln(c.Stdout, x.Name)
	for _, next := range sweeps {
		trials, device, err := b.together(ctx, x, next(best.o), seen)
		if err != nil {
			return err
		}
		for _, t := range trials {
			if t.seconds < best.seconds {
				best = t
			}
			fmt.Fprintf(c.Stdout, "  %.3f %s\n", device/t.seconds, t.text)
		}
	}
	fmt.Fprintf(c.Stdout, "  best: %s\n", best.text)
	return nil
}

// A planned is a kernel of a sweep.
type planned struct {
	o      knobs
	plan   *copy.Plan
	kernel *kernel.Kernel
	ptx    string
	reach  int64 // the size of the source in bytes
}

// trials plans a case under several options. It leaves out kernels that were tried and tiles that do not fit in shared
// memory.
func (c *copyCase) trials(list []knobs, seen map[string]bool) (out []planned, err error) {
	src, dst, err := c.layouts()
	if err != nil {
		return nil, err
	}
	_, reach := span(src, c.Bytes)
	for _, o := range list {
		o.Bytes = c.Bytes
		p, err := copy.New(src, dst, o.Options)
		if err != nil {
			return nil, err
		}
		k, err := p.Kernel()
		if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeLimit {
			continue
		}
		if err != nil {
			return nil, err
		}
		text := hints[o.hint].Replace(k.Module.String())
		if key := text + fmt.Sprint(p.Describe().Blocks); !seen[key] {
			seen[key] = true
			out = append(out, planned{o, p, k, text, reach})
		}
	}
	return out, nil
}

// together times a case under several options in the same rounds.
func (b *copyBench) together(
	ctx context.Context, x *copyCase, list []knobs, seen map[string]bool,
) (trials []tried, device float64, err error) {
	kernels, err := x.trials(list, seen)
	if err != nil {
		return nil, 0, err
	}
	var cases []gpu.Case
	total := int64(0)
	for _, y := range kernels {
		o, d, k := y.o, y.plan.Describe(), y.kernel
		if err := b.grow(ctx, y.reach, d.Total); err != nil {
			return nil, 0, err
		}
		m, err := b.d.LoadPTX(y.ptx)
		if err != nil && o.hint > 0 {
			continue // the driver's compiler does not know the hint
		}
		if err != nil {
			return nil, 0, err
		}
		defer m.Close()
		t, err := m.Kernel(k.Name)
		if err != nil {
			return nil, 0, err
		}
		total = d.Total
		trials = append(trials, tried{o: o, text: fmt.Sprintf(
			"%-6s vector %d flight %d tile %d threads %d order %s hint %d: "+
				"tile %v, %d threads, %d blocks, %d shared, %d registers, conflicts %d",
			d.Way, o.Vector, o.Flight, o.Tile, o.Threads, o.Order, o.hint, d.Tile, d.Threads, d.Blocks, d.Shared,
			t.Resources().Registers, d.Conflict)})
		cases = append(cases, gpu.Case{Run: func() error {
			return t.Launch(gpu.Config{
				Grid: gpu.Dim{X: int(d.Blocks)}, Block: gpu.Dim{X: int(d.Threads)}, Shared: int(k.Dynamic),
			}, b.src, b.dst)
		}})
	}
	if len(cases) == 0 {
		return nil, 0, nil
	}
	half, err := newHalves(b.d, b.src, b.dst, total)
	if err != nil {
		return nil, 0, err
	}
	rep, err := b.d.Time(ctx, gpu.TimeOptions{Rounds: min(b.rounds, 7), Cold: true}, append(cases, gpu.Case{Run: half})...)
	if err != nil {
		return nil, 0, err
	}
	for i := range trials {
		trials[i].seconds = rep.Cases[i].Median().Seconds()
	}
	return trials, rep.Cases[len(cases)].Median().Seconds(), nil
}
