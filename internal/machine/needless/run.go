package needless

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"

	"girih/internal/machine/chain"
	"girih/ptx"
	"girih/ptx/sim"
)

// A Kernel is a kernel and its launch.
type Kernel struct {
	Module *ptx.Module
	Entry  string
	// New returns a launch of the program with its own memory. Several goroutines call New at the same time.
	New func(p *sim.Program) (*Case, error)
}

// A Case is a launch that can be run once.
type Case struct {
	Memory *sim.Memory
	Launch sim.Launch    // Seed, Steps and Explain are set by Run
	Wrong  func() string // describes the first wrong output after the run, or returns ""; nil if the outputs are unknown
}

// Options limit the number of runs.
type Options struct {
	Orders   int // the number of orders; 0 counts as 1
	Workers  int // the number of goroutines that run changed kernels; 0 counts as 1
	Progress func(done, all int)
}

// A FindingError says that the unchanged kernel already has a finding, so its changes cannot be judged.
type FindingError struct{ Finding *sim.Finding }

func (e *FindingError) Error() string {
	return "expected a kernel without a finding, found " + e.Finding.Error() + "; repair or ignore it first"
}

// errWrong says that the unchanged kernel computes wrong outputs.
var errWrong = errors.New("expected a kernel with the expected outputs")

// A changed kernel may execute patience times the instructions of the unchanged kernel, plus a constant.
const (
	patience = 4
	spare    = 1 << 16
)

// A base contains the results of the unchanged kernel.
type base struct {
	kernel  Kernel
	orders  int
	steps   int64            // the limit of steps for changed kernels
	lanes   map[string]int64 // by instruction: how many threads executed it
	lesser  map[cause]bool   // races in which both accesses have the same value
	strict  map[cause]bool   // findings of a strict run
	open    map[string]*Edge
	used    map[string]bool // pairs whose edges use a given instruction; see uses
	sums    []uint64        // a checksum of the memory after each order
	settled bool            // all orders leave the same memory contents
}

// Run removes each synchronizing instruction of a kernel in turn, and reports the results. It returns an error of
// ptx/sim, a [FindingError], or the error of ctx.
func Run(ctx context.Context, k Kernel, o Options) (*Report, error) {
	b := &base{
		kernel: k, orders: max(o.Orders, 1), lanes: map[string]int64{}, lesser: map[cause]bool{}, strict: map[cause]bool{},
		open: map[string]*Edge{}, used: map[string]bool{},
	}
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	list := changes(k.Module, k.Entry)
	r := &Report{Orders: b.orders, Verdicts: make([]Verdict, len(list))}
	for _, e := range b.open {
		r.Open = append(r.Open, *e)
	}
	sortEdges(r.Open)
	return r, b.all(ctx, list, r, o)
}

// all judges the changes in list, several at a time.
func (b *base) all(ctx context.Context, list []change, r *Report, o Options) error {
	all := &together{Context: ctx}
	var group sync.WaitGroup
	var lock sync.Mutex
	next, done := 0, 0
	for range max(o.Workers, 1) {
		group.Go(func() {
			for {
				lock.Lock()
				i := next
				next++
				lock.Unlock()
				if i >= len(list) || all.Err() != nil {
					return
				}
				v, err := b.judge(all, &list[i])
				if err != nil {
					all.first.CompareAndSwap(nil, &err)
					return
				}
				lock.Lock()
				r.Verdicts[i] = v
				if done++; o.Progress != nil {
					o.Progress(done, len(list))
				}
				lock.Unlock()
			}
		})
	}
	group.Wait()
	return all.Err()
}

// together is a context that also ends with the first error of any goroutine. Callers must use Err instead of Done,
// because the context of a request may report its end only through Err.
type together struct {
	context.Context
	first atomic.Pointer[error]
}

// Err returns the reason why the goroutines must end, or nil if they may continue.
func (t *together) Err() error {
	if err := t.first.Load(); err != nil {
		return *err
	}
	return t.Context.Err()
}

// An outcome is the result of one run.
type outcome struct {
	res   *sim.Result
	found *sim.Finding
	wrong string
	sum   uint64
	log   chain.Log
}

// A trial contains the settings of a run.
type trial struct {
	seed    uint64
	explain bool
	strict  bool
}

// once runs a program in one order. It returns an error if the program cannot be run.
func (b *base) once(ctx context.Context, p *sim.Program, t trial) (*outcome, error) {
	c, err := b.kernel.New(p)
	if err != nil {
		return nil, err
	}
	x := &outcome{}
	l := c.Launch
	l.Entry, l.Seed = b.kernel.Entry, t.seed
	if t.explain {
		l.Explain = &x.log
	}
	if t.strict {
		l.Strict, l.Findings = true, mostStrict
	}
	if b.steps > 0 {
		l.Steps = b.steps
	}
	x.res, err = p.Run(ctx, c.Memory, l)
	if f, ok := errors.AsType[*sim.Finding](err); ok {
		x.found = f
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	if x.sum = c.Memory.Sum(); c.Wrong != nil {
		x.wrong = c.Wrong()
	}
	return x, nil
}

// run runs the unchanged kernel in all orders.
func (b *base) run(ctx context.Context) error {
	p, err := sim.Load(b.kernel.Module)
	if err != nil {
		return err
	}
	most := int64(0)
	for seed := range uint64(b.orders) {
		x, err := b.once(ctx, p, trial{seed: seed, explain: true})
		switch {
		case err != nil:
			return err
		case x.found != nil:
			return &FindingError{x.found}
		case x.wrong != "":
			return fmt.Errorf("%w, found %s", errWrong, x.wrong)
		}
		most = max(most, x.res.Instructions)
		b.sums = append(b.sums, x.sum)
		b.learn(x)
	}
	b.steps = patience*most + spare
	x, err := b.once(ctx, p, trial{strict: true})
	if err != nil {
		return err
	}
	for _, f := range x.res.Findings {
		b.strict[causeOf(f)] = true
	}
	b.settled = true
	for _, s := range b.sums {
		b.settled = b.settled && s == b.sums[0]
	}
	return nil
}

// learn records the results of one order of the unchanged kernel.
func (b *base) learn(x *outcome) {
	for _, s := range x.res.Lines {
		b.lanes[Place{Line: s.Line, Op: string(s.Op)}.String()] += s.Lanes
	}
	for _, f := range x.res.Lesser {
		b.lesser[causeOf(f)] = true
	}
	list := Prove(&x.log)
	for i := range list {
		e := edgeOf(&x.log, &list[i])
		key := e.key()
		if e.Why != "" {
			b.open[key] = &e
		}
		for _, at := range e.Via {
			b.used[uses(key, at)] = true
		}
	}
}

// judge runs the kernel with a change and returns the verdict.
func (b *base) judge(ctx context.Context, c *change) (Verdict, error) {
	v := Verdict{Place: Place{int(c.old.Pos.Line), string(c.old.Op), c.old.Pos.Col}, Change: c.what}
	switch {
	case b.lanes[v.String()] == 0:
		v.Outcome = NotExecuted
		return v, nil
	case c.deaf:
		v.Outcome = NotModelled
		return v, nil
	}
	p, err := sim.Load(c.apply(b.kernel.Module))
	if err != nil {
		return v, err
	}
	for seed := range uint64(b.orders) {
		x, err := b.once(ctx, p, trial{seed: seed})
		if err != nil {
			return v, err
		}
		if v.Finding, v.Why = b.wrong(x, int(seed)); v.Why != "" {
			v.Outcome, v.Order = Needed, seed
			return v, nil
		}
	}
	if v.Finding, err = b.strictly(ctx, p); v.Finding != nil || err != nil {
		v.Outcome, v.Why = Strict, say(v.Finding)
		return v, err
	}
	edges := map[string]*Edge{}
	for seed := range uint64(b.orders) {
		x, err := b.once(ctx, p, trial{seed: seed, explain: true})
		if err != nil {
			return v, err
		}
		b.explain(&v, &x.log, edges)
	}
	b.sort(&v, edges)
	return v, nil
}

// mostStrict limits the findings of one strict run.
const mostStrict = 1 << 10

// strictly returns a finding of a strict run that the unchanged kernel does not have, or nil.
func (b *base) strictly(ctx context.Context, p *sim.Program) (*sim.Finding, error) {
	x, err := b.once(ctx, p, trial{strict: true})
	if err != nil {
		return nil, err
	}
	for _, f := range x.res.Findings {
		if !b.strict[causeOf(f)] {
			return f, nil
		}
	}
	return nil, nil
}

// A cause identifies similar findings: by kind and lines.
type cause struct {
	kind        sim.Kind
	line, other int32
}

func causeOf(f *sim.Finding) cause { return cause{f.Kind, f.Pos.Line, f.Other.Line} }

// say describes a finding in words.
func say(f *sim.Finding) string {
	if f == nil {
		return ""
	}
	why := string(f.Kind)
	if f.Grade != sim.GradeRace {
		why += ", " + string(f.Grade)
	}
	why += fmt.Sprintf(", line %d", f.Pos.Line)
	if f.Other.Line != 0 {
		why += fmt.Sprintf(" with line %d", f.Other.Line)
	}
	return why
}

// wrong describes what is wrong with a run of a changed kernel, and returns the finding if there is one.
func (b *base) wrong(x *outcome, order int) (*sim.Finding, string) {
	if f := x.found; f != nil {
		return f, say(f)
	}
	for _, f := range x.res.Lesser {
		if !b.lesser[causeOf(f)] {
			return f, say(f)
		}
	}
	switch {
	case x.wrong != "":
		return nil, "wrong output: " + x.wrong
	case b.settled && x.sum != b.sums[order]:
		return nil, "the memory is not as the unchanged kernel leaves it"
	}
	return nil, ""
}

// explain adds the edges of one order to the verdict.
func (b *base) explain(v *Verdict, l *chain.Log, edges map[string]*Edge) {
	list := Prove(l)
	for i := range list {
		e := edgeOf(l, &list[i])
		key := e.key()
		if old, ok := edges[key]; ok && (old.Why != "" || e.Why == "") {
			continue
		}
		if _, known := b.open[key]; known && e.Why != "" {
			continue
		}
		e.Used = b.used[uses(key, v.Place)]
		edges[key] = &e
	}
	if l.Cut {
		edges[""] = &Edge{Why: "the log is too long to keep, or the kernel uses tensor memory, which it does not contain"}
	}
}

// sort decides the outcome of a change that caused no finding.
func (b *base) sort(v *Verdict, edges map[string]*Edge) {
	v.Pairs = len(edges)
	for _, e := range edges {
		if e.Why != "" {
			v.Open = append(v.Open, *e)
		} else {
			v.Edges = append(v.Edges, *e)
		}
	}
	sortEdges(v.Open)
	sortEdges(v.Edges)
	if v.Outcome = Needless; len(v.Open) > 0 {
		v.Outcome = Undecided
	}
}

// uses returns the key that says that the edges of a pair use the instruction at a place.
func uses(pair string, at Place) string { return fmt.Sprint(pair, at, at.col) }

// sortEdges sorts edges by line, with the edges that used the instruction first.
func sortEdges(list []Edge) {
	sort.Slice(list, func(i, k int) bool {
		x, y := &list[i], &list[k]
		if x.Used != y.Used {
			return x.Used
		}
		return cmp.Or(x.From.Line-y.From.Line, x.To.Line-y.To.Line, int(x.From.col-y.From.col), int(x.To.col-y.To.col)) < 0
	})
}
