package gemms

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"girih/cute"
	"girih/gpu"
	"girih/internal/machine/gemm"
	"girih/kernel"
)

// A gemmPlace is where kernels run: a card, or the simulator if there is none.
type gemmPlace struct {
	d    *gpu.Device
	card sync.RWMutex // a timing holds the lock exclusively
}

// simulator replaces the name of a card.
const simulator = "simulator"

// name returns the name of the card and its chip.
func (g *gemmPlace) name() string {
	if g.d == nil {
		return simulator
	}
	return g.d.Info().Name + " (" + g.d.Info().Chip + ")"
}

// chip returns the card's chip, or sm_90 for the simulator, which computes sums as sm_90 does.
func (g *gemmPlace) chip() string {
	if g.d == nil {
		return "sm_90"
	}
	return g.d.Info().Chip
}

// A gemmRunner runs the kernels of a product in a place and keeps loaded kernels.
type gemmRunner struct {
	*product
	place  *gemmPlace
	loaded map[string]*loadedKernel
}

// A loadedKernel is a kernel that can be launched.
type loadedKernel struct {
	traced   *kernel.Kernel
	card     *gpu.Traced // nil in the simulator
	compiled time.Duration
}

func newRunner(p *product, place *gemmPlace) *gemmRunner {
	return &gemmRunner{product: p, place: place, loaded: map[string]*loadedKernel{}}
}

func (r *gemmRunner) close() {
	for _, l := range r.loaded {
		if l.card != nil {
			_ = l.card.Close() // fails only if work was abandoned; the process then ends
		}
	}
}

// load returns the kernel for a size.
func (r *gemmRunner) load(size [3]int64) (*loadedKernel, error) {
	key := r.key(size)
	if l := r.loaded[key]; l != nil {
		return l, nil
	}
	l := &loadedKernel{}
	var err error
	if l.traced, err = r.trace(size); err != nil {
		return nil, err
	}
	if r.place.d != nil {
		start := time.Now()
		if l.card, err = r.place.d.LoadKernel(l.traced); err != nil {
			return nil, err
		}
		l.compiled = time.Since(start)
	}
	r.loaded[key] = l
	return l, nil
}

// maxSimulated limits the products of a simulation, to some minutes.
const maxSimulated int64 = 1 << 31

// measure runs the problems of a trial, compares the results, and on a card times the kernel.
func (r *gemmRunner) measure(ctx context.Context, t gemmTrial) (*gemmOutcome, error) {
	size := t.size
	if r.place.d == nil && size[0]*size[1] > maxSimulated/size[2] {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "gemm",
			Msg:  fmt.Sprintf("%s are more than the %d products that are simulated", sizeText(size), maxSimulated),
			Hint: "take a smaller problem, or a card",
		}
	}
	next := r.pose(t, 0) // runs while the kernel is compiled
	l, err := r.load(size)
	if err != nil {
		return nil, err
	}
	k := l.traced
	blocks, err := k.Grid(r.ints(size))
	if err != nil {
		return nil, err
	}
	o := &gemmOutcome{
		Atom: r.form.MMA.Atom().Name, Card: r.place.name(), Size: size, Tile: r.form.Tile, Blocks: blocks,
		Threads: int(k.Threads), Shared: int(k.Shared), Right: true,
	}
	if r.name != o.Atom {
		o.Kernel = r.name
	} else {
		o.Atoms = r.form.MMA.AtomLayoutMNK().String()
	}
	if l.card != nil {
		res := l.card.Resources()
		o.Registers, o.Spilled, o.Compiled, o.Cached = res.Registers, res.Local, l.compiled.Seconds(), l.card.Cached()
	}
	var planning sync.WaitGroup
	defer planning.Wait()
	if t.planned {
		planning.Go(func() { r.predict(l, o) }) // planning and the runs set different fields
	}
	for i := range t.kinds {
		this := <-next
		if this.err != nil {
			return nil, this.err
		}
		if i+1 < len(t.kinds) {
			next = r.pose(t, i+1)
		}
		if err := r.once(ctx, t, this, o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// A posed is a problem and the arguments of its launch, or an error.
type posed struct {
	kind    numbers
	problem gemm.Problem
	launch  gemm.Launch
	err     error
}

// pose draws a problem and packs it, while the previous problem runs and is compared.
func (r *gemmRunner) pose(t gemmTrial, kind int) <-chan posed {
	done := make(chan posed, 1)
	go func() {
		out := posed{kind: t.kinds[kind]}
		if out.problem, out.err = out.kind.problem(r.product, t.size, t.seed); out.err == nil {
			out.launch, out.err = r.launch(out.problem)
		}
		done <- out
	}()
	return done
}

// once runs a problem, and adds its results to the outcome.
func (r *gemmRunner) once(ctx context.Context, t gemmTrial, p posed, o *gemmOutcome) error {
	l, err := r.load(t.size)
	if err != nil {
		return err
	}
	kind, problem, launch := p.kind, p.problem, p.launch
	var out []byte
	var j job
	defer j.close()
	if l.card == nil {
		result, err := l.traced.Simulate(ctx, kernel.Args{
			Ints: launch.Ints, Numbers: launch.Numbers, Bytes: launch.Tensors, Seed: t.seed,
		})
		if err != nil {
			return err
		}
		if len(result.Findings) > 0 {
			return result.Findings[0]
		}
		all := result.Traffic
		o.Simulated = &gemmStage{
			Name: "simulated", Operation: "all", Instructions: result.Instructions, Bytes: all.Bytes + all.Bulk,
			Sectors: all.Sectors, Wavefronts: all.Wavefronts, Ideal: all.Wavefronts - all.Conflicts,
		}
		out = launch.Tensors[launch.Output]
	} else if out, err = r.onCard(ctx, l, launch, &j); err != nil {
		return err
	}
	c, err := r.compare(problem, out[:len(launch.Tensors[launch.Output])], t.elements())
	if err != nil {
		return err
	}
	poison := gemm.Poison(r.form.MMA.Atom().Types.D.Type)
	c.Stray = slices.ContainsFunc(out[len(launch.Tensors[launch.Output]):], func(b byte) bool { return b != poison })
	c.Numbers = kind.String()
	if len(problem.C) > 0 {
		c.Numbers += ", with C"
	}
	o.Runs = append(o.Runs, *c)
	o.Right = o.Right && c.Wrong == 0 && !c.Stray
	if l.card == nil || !t.times(kind) {
		return nil
	}
	r.place.card.Lock()
	defer r.place.card.Unlock()
	report, err := r.place.d.Time(ctx, gpu.TimeOptions{Rounds: 7}, gpu.Case{Name: l.traced.Name, Run: j.launch})
	if err != nil {
		return err
	}
	o.Seconds = report.Cases[0].Median().Seconds()
	one := 2 * float64(t.size[0]) * float64(t.size[1]) * float64(t.size[2])
	o.GFLOPS = one * float64(max(r.times, 1)) / o.Seconds / 1e9
	return nil
}

// A job is a problem on the card.
type job struct {
	buffers []*gpu.Buffer[uint8]
	launch  func() error
}

func (j *job) close() {
	for _, b := range j.buffers {
		_ = b.Close() // fails only if work was abandoned
	}
}

// guard is the number of bytes after the output that must not change.
const guard = 4096

// onCard puts a problem on the card, runs it once, and returns the output and the guard after it.
func (r *gemmRunner) onCard(ctx context.Context, l *loadedKernel, launch gemm.Launch, j *job) ([]byte, error) {
	r.place.card.RLock()
	defer r.place.card.RUnlock()
	args := gpu.Args{}
	for name, x := range launch.Ints {
		args[name] = int(x) // an int fits a parameter of any size
	}
	for _, p := range l.traced.Params {
		x, ok := launch.Numbers[p.Name]
		switch {
		case !ok:
		case p.Type.Bits() == 32:
			args[p.Name] = float32(x)
		default:
			args[p.Name] = x
		}
	}
	poison := gemm.Poison(r.form.MMA.Atom().Types.D.Type)
	var output *gpu.Buffer[uint8]
	for name, data := range launch.Tensors {
		after := 0
		if name == launch.Output {
			after = guard
		}
		b, err := gpu.Alloc[uint8](r.place.d, len(data)+after)
		if err != nil {
			return nil, err
		}
		j.buffers = append(j.buffers, b)
		if args[name] = b; after > 0 {
			output = b
			if err := b.Fill(poison); err != nil {
				return nil, err
			}
		}
		if err := b.Write(ctx, data); err != nil {
			return nil, err
		}
	}
	j.launch = func() error { return l.card.Launch(args) }
	if err := j.launch(); err != nil {
		return nil, err
	}
	host := make([]byte, len(launch.Tensors[launch.Output])+guard)
	return host, output.Read(ctx, host)
}

// compare compares the sampled elements of an output with float64.
func (r *gemmRunner) compare(p gemm.Problem, out []byte, sample gemm.Sample) (*gemmCheck, error) {
	d, err := r.result(p, out)
	if err != nil {
		return nil, err
	}
	c, err := r.form.CheckCard(p, d, sample)
	if err != nil {
		return nil, err
	}
	o := &gemmCheck{
		Elements: c.Elements, Exact: c.Exact, Summed: c.Summed, Missed: c.Missed, Wrong: c.Fails, Worst: c.Worst,
		Bound: c.Bound,
	}
	if c.Fails > 0 {
		o.First = &gemmBad{c.FirstRow, c.FirstColumn, fmt.Sprint(c.Got), fmt.Sprint(c.Want)}
	}
	if math.IsNaN(o.Worst) || math.IsInf(o.Worst, 0) {
		o.Worst = -1 // JSON has no NaN or infinity; the first wrong element shows it
	}
	return o, nil
}

func (g *gemmPlace) close() {
	if g.d != nil {
		_ = g.d.Close() // remaining work ends with the process
	}
}
