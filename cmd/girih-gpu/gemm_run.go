package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"girih"
	"girih/atom"
	"girih/banks"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/gemm"
)

// A gemmOutcome is what a kernel did with a problem.
type gemmOutcome struct {
	Atom       string      `json:"atom"`
	Card       string      `json:"card,omitempty"`
	Size       [3]int64    `json:"size,omitzero"` // M, N, K
	Atoms      string      `json:"atoms,omitempty"`
	Tile       [3]int64    `json:"tile,omitzero"`
	Blocks     [3]int64    `json:"blocks,omitzero"`   // x along M, y times z along N
	Threads    int         `json:"threads,omitempty"` // of a block
	Shared     int         `json:"shared_bytes,omitempty"`
	Registers  int         `json:"registers,omitempty"`
	Spilled    int         `json:"spilled_bytes,omitempty"` // of a thread
	Compiled   float64     `json:"compile_seconds,omitempty"`
	Cached     bool        `json:"cached,omitempty"`
	Seconds    float64     `json:"seconds,omitempty"` // the median
	GFLOPS     float64     `json:"gflops,omitempty"`
	Right      bool        `json:"right"`
	Runs       []gemmCheck `json:"runs,omitempty"`
	Predicted  []gemmStage `json:"predicted,omitempty"`
	Prediction string      `json:"prediction_error,omitempty"`
	Error      string      `json:"error,omitempty"`
	Hint       string      `json:"hint,omitempty"`
}

// A gemmCheck is a result compared with float64.
type gemmCheck struct {
	Numbers  string   `json:"numbers"`
	Elements int64    `json:"elements"` // that were compared
	Exact    int64    `json:"exact"`    // of them, that must be exact
	Wrong    int64    `json:"wrong"`
	Worst    float64  `json:"worst"`
	Bound    float64  `json:"bound"`
	First    *gemmBad `json:"first,omitempty"`
	Stray    bool     `json:"stray,omitempty"` // something behind D was written
}

// A gemmBad is an element that is wrong.
type gemmBad struct {
	Row    int64  `json:"row"`
	Column int64  `json:"column"`
	Got    string `json:"got"`
	Want   string `json:"want"`
}

// A gemmStage is what package gemm says of a movement.
type gemmStage struct {
	Name         string `json:"name"`
	Operation    string `json:"operation"`
	Instructions int64  `json:"instructions"`
	Bytes        int64  `json:"bytes"`
	Wavefronts   int    `json:"wavefronts"`
	Ideal        int    `json:"ideal"`
}

// A loadedKernel is a kernel that the card has.
type loadedKernel struct {
	d        *gpu.Device
	k        gemm.Kernel
	program  gemm.Program
	module   *gpu.Module
	kernel   *gpu.Kernel
	compiled time.Duration
	card     *sync.RWMutex // who times has the card alone
	err      error
}

// prepare makes the program and loads it.
func prepare(d *gpu.Device, k gemm.Kernel, card *sync.RWMutex) *loadedKernel {
	p := &loadedKernel{d: d, k: k, card: card}
	if p.program, p.err = k.Program(d.Info().Chip); p.err != nil {
		return p
	}
	start := time.Now()
	if p.module, p.err = d.Load(p.program.Module); p.err != nil {
		return p
	}
	p.compiled = time.Since(start)
	p.kernel, p.err = p.module.Kernel(p.program.Name)
	return p
}

func (p *loadedKernel) close() {
	if p.module != nil {
		_ = p.module.Close() // says so if work was left, and then the process ends
	}
}

// A gemmTrial says which problems of one size are run and compared.
type gemmTrial struct {
	size    [3]int64
	kinds   []numbers
	seed    uint64
	sampled bool // a sample of D is compared, not every element
	timed   bool // the last one is timed
}

// times reports whether the problem with these numbers is timed.
func (t gemmTrial) times(kind numbers) bool { return t.timed && kind == t.kinds[len(t.kinds)-1] }

// compared returns which elements of D are, nil for all.
func (t gemmTrial) compared() func(i, j int64) bool {
	if !t.sampled {
		return nil
	}
	return sample(t.size[0], t.size[1])
}

// measure runs the problems of a trial, compares and times.
func (p *loadedKernel) measure(ctx context.Context, t gemmTrial) (*gemmOutcome, error) {
	if p.err != nil {
		return nil, p.err
	}
	size := t.size
	x, y, z := p.program.Blocks(size[0], size[1])
	res := p.kernel.Resources()
	o := &gemmOutcome{
		Atom: p.k.MMA.Atom().Name, Card: p.d.Info().Name + " (" + p.d.Info().Chip + ")", Size: size,
		Atoms: p.k.MMA.AtomLayoutMNK().String(), Tile: p.k.Tile, Blocks: [3]int64{x, y, z}, Threads: p.program.Threads,
		Shared: res.Shared, Registers: res.Registers, Spilled: res.Local,
		Compiled: p.compiled.Seconds(), Cached: p.module.Cached(), Right: true,
	}
	for _, kind := range t.kinds {
		c, took, err := p.once(ctx, t, kind)
		if err != nil {
			return nil, err
		}
		o.Runs = append(o.Runs, *c)
		o.Right = o.Right && c.Wrong == 0 && !c.Stray
		if t.times(kind) {
			o.Seconds = took.Seconds()
			o.GFLOPS = 2 * float64(size[0]) * float64(size[1]) * float64(size[2]) / took.Seconds() / 1e9
		}
	}
	return o, nil
}

// once runs the problem with these numbers.
func (p *loadedKernel) once(ctx context.Context, t gemmTrial, kind numbers) (*gemmCheck, time.Duration, error) {
	problem := kind.problem(p.k.MMA.Atom(), t.size, t.seed)
	j := job{d: p.d}
	defer j.close()
	host, err := p.run(ctx, problem, &j)
	if err != nil {
		return nil, 0, err
	}
	check, err := p.compare(problem, host, t.compared())
	if err != nil {
		return nil, 0, err
	}
	check.Numbers = kind.String()
	if !t.times(kind) {
		return check, 0, nil
	}
	p.card.Lock()
	defer p.card.Unlock()
	report, err := p.d.Time(ctx, gpu.TimeOptions{Rounds: 7}, gpu.Case{Name: p.program.Name, Run: j.launch})
	if err != nil {
		return nil, 0, err
	}
	return check, report.Cases[0].Median(), nil
}

// A job is a problem on the card.
type job struct {
	d       *gpu.Device
	buffers []*gpu.Buffer[uint8]
	launch  func() error
}

func (j *job) close() {
	for _, b := range j.buffers {
		_ = b.Close() // as that of the module
	}
}

// put copies bytes to the card.
func (j *job) put(ctx context.Context, data []byte) (*gpu.Buffer[uint8], error) {
	b, err := gpu.Upload(ctx, j.d, data)
	if err == nil {
		j.buffers = append(j.buffers, b)
	}
	return b, err
}

// matrix copies one to the card, and returns the elements from one row to the next.
func (j *job) matrix(ctx context.Context, t dtype.Type, xs []float64, columns int64) (*gpu.Buffer[uint8], int64, error) {
	per := max(8/int64(t.Bits()), 1)
	ld := (columns + per - 1) / per * per
	data, err := gemm.Pack(t, xs, columns, ld)
	if err != nil {
		return nil, ld, err
	}
	b, err := j.put(ctx, data)
	return b, ld, err
}

// run puts a problem on the card, runs it once, and returns D and what is behind it.
func (p *loadedKernel) run(ctx context.Context, problem gemm.Problem, j *job) ([]uint8, error) {
	p.card.RLock()
	defer p.card.RUnlock()
	m, n, k := problem.M, problem.N, problem.K
	mma := p.k.MMA.Atom()
	left, columns, sparsity, metadata := problem.A, k, int64(1), []byte(nil)
	if mma.Sparse != nil {
		var err error
		if left, metadata, err = gemm.Compress(mma, problem.A, k); err != nil {
			return nil, err
		}
		columns, sparsity = int64(len(left))/m, int64(mma.Types.A.Sparsity)
	}
	a, lda, err := j.matrix(ctx, mma.Types.A.Type, left, columns)
	if err != nil {
		return nil, err
	}
	b, ldb, err := j.matrix(ctx, mma.Types.B.Type, problem.B, k)
	if err != nil {
		return nil, err
	}
	c := any(uint64(0))
	if len(problem.C) > 0 {
		if c, _, err = j.matrix(ctx, mma.Types.C.Type, problem.C, n); err != nil {
			return nil, err
		}
	}
	host := make([]uint8, m*n*int64(mma.Types.D.Type.Bits())/8+guard)
	d, err := gpu.Alloc[uint8](p.d, len(host))
	if err != nil {
		return nil, err
	}
	j.buffers = append(j.buffers, d)
	if err := d.Fill(poison(mma)); err != nil {
		return nil, err
	}
	args := []any{a, b, c, d, uint32(m), uint32(n), uint32(k), uint64(lda * sparsity), uint64(ldb), uint64(n)}
	if metadata != nil {
		e, err := j.put(ctx, metadata)
		if err != nil {
			return nil, err
		}
		args = append(args, e, uint64(int64(len(metadata))/m))
	}
	x, y, z := p.program.Blocks(m, n)
	grid := gpu.Dim{X: int(x), Y: int(y), Z: int(z)}
	j.launch = func() error {
		return p.kernel.Launch(gpu.Config{Grid: grid, Block: gpu.Dim{X: p.program.Threads}}, args...)
	}
	if err := j.launch(); err != nil {
		return nil, err
	}
	return host, d.Read(ctx, host)
}

// guard is what lies behind D, in bytes, and must stay.
const guard = 4096

// poison is what D is filled with before: a NaN of floats.
func poison(m atom.MMA) byte {
	if m.Types.D.Type.Kind() == dtype.Float {
		return 0xff
	}
	return 0xa5
}

// compare holds D to float64, or only those of its elements, if only is not nil.
func (p *loadedKernel) compare(problem gemm.Problem, host []uint8, only func(i, j int64) bool) (*gemmCheck, error) {
	d, err := gemm.Unpack(p.k.MMA.Atom().Types.D.Type, host[:len(host)-guard], problem.N, problem.N)
	if err != nil {
		return nil, err
	}
	c, err := p.k.CheckCard(problem, d, only)
	if err != nil {
		return nil, err
	}
	out := &gemmCheck{Elements: c.Elements, Exact: c.Exact, Wrong: c.Fails, Worst: c.Worst, Bound: c.Bound}
	if c.Fails > 0 {
		out.First = &gemmBad{c.FirstRow, c.FirstColumn, fmt.Sprint(c.Got), fmt.Sprint(c.Want)}
	}
	if math.IsNaN(out.Worst) || math.IsInf(out.Worst, 0) {
		out.Worst = -1 // JSON has neither; the first wrong element says more
	}
	out.Stray = slices.ContainsFunc(host[len(host)-guard:], func(b uint8) bool { return b != poison(p.k.MMA.Atom()) })
	return out, nil
}

// sample picks about 4096 elements, the corners and the middle of the edges among them.
func sample(m, n int64) func(i, j int64) bool {
	picked := map[[2]int64]bool{}
	for _, i := range []int64{0, m / 2, m - 1} {
		for _, j := range []int64{0, n / 2, n - 1} {
			picked[[2]int64{i, j}] = true
		}
	}
	random := rand.New(rand.NewPCG(3, 5))
	for range 4096 {
		picked[[2]int64{random.Int64N(m), random.Int64N(n)}] = true
	}
	return func(i, j int64) bool { return picked[[2]int64{i, j}] }
}

// numbers is what matrices are filled with.
type numbers int

const (
	smallIntegers numbers = iota
	normal
	wholeRange
)

// String returns what the report says.
func (x numbers) String() string {
	return [...]string{"small integers, with C", "normal distribution", "integers of the whole range"}[x]
}

func kindsOf(k gemm.Kernel) []numbers {
	if k.MMA.Atom().Types.A.Type.Kind() == dtype.Float {
		return []numbers{smallIntegers, normal}
	}
	return []numbers{smallIntegers, wholeRange}
}

// problem draws a problem. Of a sparse A there is only what the instruction holds.
func (x numbers) problem(m atom.MMA, size [3]int64, seed uint64) gemm.Problem {
	random := rand.New(rand.NewPCG(seed, uint64(x)))
	p := gemm.Problem{M: size[0], N: size[1], K: size[2]}
	p.A, p.B = x.fill(random, m.Types.A.Type, p.M*p.K), x.fill(random, m.Types.B.Type, p.N*p.K)
	if x == smallIntegers {
		p.C = x.fill(random, m.Types.C.Type, p.M*p.N)
	}
	gemm.Prune(m, p.A, p.K, random.Perm)
	return p
}

// fill draws n numbers that the type has.
func (x numbers) fill(random *rand.Rand, t dtype.Type, n int64) []float64 {
	low, high := int64(-2), int64(2)
	switch {
	case t == dtype.B1 || t == dtype.U1:
		low, high = 0, 1
	case x == wholeRange && t.Kind() == dtype.Signed && t.Bits() <= 16:
		low, high = -1<<(t.Bits()-1), 1<<(t.Bits()-1)-1
	case x == wholeRange && t.Kind() == dtype.Natural && t.Bits() <= 16:
		low, high = 0, 1<<t.Bits()-1
	case t.Kind() == dtype.Natural:
		low = 0
	}
	xs := make([]float64, n)
	for i := range xs {
		if x == normal {
			// Beyond three the smallest types have no number.
			xs[i] = min(3, max(-3, random.NormFloat64()))
			continue
		}
		xs[i] = float64(low + random.Int64N(high-low+1))
	}
	return xs
}

// predict adds what package gemm says without a card.
func (o *gemmOutcome) predict(k gemm.Kernel, size [3]int64) {
	target, err := banks.ParseTarget("sm90")
	var l gemm.Ledger
	if err == nil {
		l, err = k.Predict(size[0], size[1], size[2], target)
	}
	if err != nil {
		o.Prediction = err.Error()
		return
	}
	for _, s := range l.Stages {
		o.Predicted = append(o.Predicted, gemmStage{
			s.Name, s.Operation, s.Instructions, s.Bytes, s.Shared.Wavefronts, s.Shared.Ideal,
		})
	}
	o.Predicted = append(o.Predicted, gemmStage{Name: "multiply", Operation: o.Atom, Instructions: l.Instructions})
}

// failed makes an outcome of an error.
func failed(name string, err error) *gemmOutcome {
	o := &gemmOutcome{Atom: name, Error: err.Error()}
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		o.Error, o.Hint = string(e.Code)+": "+o.Error, e.Hint
	} else if e, ok := errors.AsType[*girih.Error](err); ok {
		o.Hint = e.Hint
	}
	return o
}
