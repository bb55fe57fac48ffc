package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A grower makes random programs. In a wild program, bodies set variables that belong to bodies around them, and there
// are statements that must be errors.
//
// Two mistakes cannot be seen when a kernel is traced, and no program has them: an iteration that reads what the one
// before has set, and a variable that a body sets to something from outside. So in the body of a loop no variable is
// set after it was read, and variables are set to new values, or to sums with the counter of the innermost body.
type grower struct {
	t       *rapid.T
	wild    bool
	left    int // statements
	next    int // variable
	values  []int
	indices []int
	cells   []int
	reads   []map[int]bool // of the loops around: the variables that were read
	depth   map[int]int    // the number of loops around the declaration of a variable
	counter int            // of the innermost body, 0 if that is no loop with a counter
}

func (g *grower) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "choice") }

// declare returns a new variable.
func (g *grower) declare() int {
	g.next++
	g.depth[g.next] = len(g.reads)
	return g.next
}

func (g *grower) read(slot int) int {
	for _, r := range g.reads {
		r[slot] = true
	}
	return slot
}

// settable reports whether a variable may be set here.
func (g *grower) settable(slot int) bool {
	return !slices.ContainsFunc(g.reads[g.depth[slot]:], func(r map[int]bool) bool { return r[slot] })
}

func (g *grower) value(depth int) *valueOf {
	kinds := []string{"number", "g", "s", "f"}
	if len(g.values) > 0 {
		kinds = append(kinds, "var", "var", "var")
	}
	if len(g.cells) > 0 {
		kinds = append(kinds, "cell", "cell")
	}
	if depth > 0 {
		kinds = append(kinds, "add", "sub", "mul", "max", "min", "neg", "select", "and", "xor", "shr", "of index")
	}
	v := &valueOf{kind: kinds[g.pick(len(kinds))]}
	switch v.kind {
	case "number":
		v.n = int32(g.pick(7) - 3)
	case "var":
		v.slot = g.read(g.values[g.pick(len(g.values))])
	case "cell":
		v.slot = g.read(g.cells[g.pick(len(g.cells))])
	case "g", "s":
		v.at = g.index(1)
	case "f":
		v.n = int32(g.pick(rowWidth))
	case "neg", "shr":
		v.args = []*valueOf{g.value(depth - 1)}
		v.at = g.index(1)
	case "of index":
		v.at = g.index(1)
	case "select":
		v.cond = g.cond(depth - 1)
		fallthrough
	default:
		v.args = []*valueOf{g.value(depth - 1), g.value(depth - 1)}
	}
	return v
}

func (g *grower) index(depth int) *indexOf {
	kinds := []string{"const", "thread", "n"}
	if len(g.indices) > 0 {
		kinds = append(kinds, "var", "var")
	}
	if depth > 0 {
		kinds = append(kinds, "add", "sub", "mul", "div", "mod", "min", "max", "quotient", "rest", "data")
	}
	x := &indexOf{kind: kinds[g.pick(len(kinds))]}
	switch x.kind {
	case "const":
		x.n = int64(g.pick(9) - 4)
	case "var":
		x.slot = g.read(g.indices[g.pick(len(g.indices))])
	case "data":
		x.v = g.value(depth - 1)
	case "add", "sub", "mul", "min", "max", "quotient", "rest":
		x.args = []*indexOf{g.index(depth - 1), g.index(depth - 1)}
	case "div", "mod":
		x.n, x.args = int64(1+g.pick(5)), []*indexOf{g.index(depth - 1)}
	}
	return x
}

func (g *grower) cond(depth int) *condOf {
	kinds := []string{"less", "equal", "below", "at", "least"}
	if depth > 0 {
		kinds = append(kinds, "and", "or", "not")
	}
	c := &condOf{kind: kinds[g.pick(len(kinds))]}
	switch c.kind {
	case "and", "or":
		c.args = []*condOf{g.cond(depth - 1), g.cond(depth - 1)}
	case "not":
		c.args = []*condOf{g.cond(depth - 1)}
	case "below", "at", "least":
		c.x = []*indexOf{g.index(1), g.index(1)}
	default:
		c.v = []*valueOf{g.value(1), g.value(1)}
	}
	return c
}

func (g *grower) list(n int) (out []*valueOf) {
	for range n {
		out = append(out, g.value(1))
	}
	return out
}

// results returns what an iteration passes on: expressions, and carried values in any order.
func (g *grower) results(carried []int) []*valueOf {
	out := g.list(len(carried))
	for i := range out {
		if g.pick(2) == 0 {
			out[i] = &valueOf{kind: "var", slot: g.read(carried[g.pick(len(carried))])}
		}
	}
	return out
}

// within grows a body with variables of its own; loop says that it is the body of a loop.
func (g *grower) within(loop bool, grow func()) {
	values, indices, cells, counter := len(g.values), len(g.indices), len(g.cells), g.counter
	g.counter = 0
	if loop {
		g.reads = append(g.reads, map[int]bool{})
	}
	grow()
	if loop {
		g.reads = g.reads[:len(g.reads)-1]
	}
	g.values, g.indices, g.cells, g.counter = g.values[:values], g.indices[:indices], g.cells[:cells], counter
}

func (g *grower) stmts(depth int) (out []stmt) {
	for range 1 + g.pick(4) {
		if g.left--; g.left < 0 {
			return out
		}
		out = append(out, g.stmt(depth))
	}
	return out
}

func (g *grower) stmt(depth int) stmt {
	kinds := []string{"let", "let", "index", "store", "store", "store", "fetch", "cell", "cell"}
	if depth > 0 {
		kinds = append(kinds, "for", "step", "carry", "carry", "if", "ifelse", "choose", "while")
	}
	if g.wild {
		kinds = append(kinds, "set", "set", "illegal")
	}
	switch kind := kinds[g.pick(len(kinds))]; kind {
	case "let":
		a := assign{v: g.value(2)}
		a.slot = g.declare()
		g.values = append(g.values, a.slot)
		return a
	case "index":
		a := assign{x: g.index(2)}
		a.slot = g.declare()
		g.indices = append(g.indices, a.slot)
		return a
	case "cell":
		return g.cell()
	case "store":
		s := store{space: []string{"g", "s", "f"}[g.pick(3)], n: int64(g.pick(rowWidth)), at: g.index(2)}
		s.v = g.value(2)
		return s
	case "fetch":
		f := fetch{at: g.index(2), v: g.value(2)}
		f.slot = g.declare()
		g.values = append(g.values, f.slot)
		return f
	case "illegal":
		if g.pick(3) == 0 {
			return illegal{g.pick(illegals)}
		}
		return g.stmt(depth)
	case "set":
		return g.set()
	default:
		return g.block(kind, depth-1)
	}
}

// cell returns a statement that makes a fragment, or sets one. Setting a fragment is right in any body.
func (g *grower) cell() stmt {
	c := cell{v: g.value(2), make: len(g.cells) == 0 || g.pick(2) == 0}
	if slots := g.settables(g.cells); c.make && g.wild && len(slots) > 0 && g.pick(2) == 0 {
		c.slot = slots[g.pick(len(slots))]
		return c
	}
	if !c.make {
		c.slot = g.read(g.cells[g.pick(len(g.cells))])
		return c
	}
	c.slot = g.declare()
	g.cells = append(g.cells, c.slot)
	return c
}

// set returns a statement that sets a variable.
func (g *grower) set() stmt {
	if slots := g.settables(g.indices); len(slots) > 0 && g.counter > 0 && g.pick(2) == 0 {
		i := &indexOf{kind: "var", slot: g.read(g.counter)}
		if g.pick(2) == 0 {
			i = &indexOf{kind: "add", args: []*indexOf{i, {kind: "n"}}}
		}
		return assign{slot: slots[g.pick(len(slots))], x: i}
	}
	one := &valueOf{kind: "number", n: 1}
	a := assign{v: &valueOf{kind: "add", args: []*valueOf{g.value(2), one}}} // made here
	if slots := g.settables(g.values); len(slots) > 0 {
		a.slot = slots[g.pick(len(slots))]
		return a
	}
	return store{space: "f", v: a.v, at: &indexOf{kind: "const"}}
}

func (g *grower) settables(slots []int) (out []int) {
	for _, s := range slots {
		if g.settable(s) {
			out = append(out, s)
		}
	}
	return out
}

func (g *grower) block(kind string, depth int) stmt {
	b := block{kind: kind}
	carried, first := g.pick(3), 0 // values
	switch kind {
	case "for", "step", "carry":
		if kind == "step" {
			b.step = int64(1 + g.pick(3))
		}
		b.from, b.to = &indexOf{kind: "const", n: int64(g.pick(2))}, &indexOf{kind: "const", n: int64(g.pick(mostRuns + 1))}
		switch g.pick(4) {
		case 0: // the counter of one iteration is a constant
			b.to = &indexOf{kind: "const", n: b.from.n + 1}
		case 1, 2:
			b.to = &indexOf{kind: "n"}
		}
	case "while":
		count := &valueOf{kind: "min", args: []*valueOf{g.value(1), {kind: "number", n: mostRuns}}}
		b.init, first = []*valueOf{count}, 1 // no statement sets the count
	default:
		b.cond = g.cond(1)
	}
	if kind == "carry" || kind == "while" {
		b.init = append(b.init, g.list(carried)...)
	}
	counts := b.from != nil
	g.within(counts || kind == "while", func() {
		if counts {
			b.counter = g.declare()
			g.counter = b.counter
			g.indices = append(g.indices, b.counter)
		}
		for range b.init {
			b.slots = append(b.slots, g.declare())
		}
		g.values = append(g.values, b.slots[min(len(b.slots), first):]...)
		b.body = g.stmts(depth)
		switch kind {
		case "while": // the first value counts down
			one := &valueOf{kind: "number", n: 1}
			b.outs = []*valueOf{{kind: "sub", args: []*valueOf{{kind: "var", slot: g.read(b.slots[0])}, one}}}
			b.outs = append(b.outs, g.results(b.slots[1:])...)
		case "carry":
			b.outs = g.results(b.slots)
		case "choose":
			b.outs = g.list(carried)
		}
	})
	if kind == "ifelse" || kind == "choose" {
		g.within(false, func() {
			b.other = g.stmts(depth)
			if kind == "choose" {
				b.others = g.list(carried)
			}
		})
	}
	for range b.outs {
		b.results = append(b.results, g.declare())
	}
	g.values = append(g.values, b.results...)
	return b
}

// grow returns a random program.
func grow(t *rapid.T, wild bool) program {
	g := &grower{t: t, wild: wild, left: 20, depth: map[int]int{}}
	return program{threads: []int64{1, 5, 32, 40}[g.pick(4)], n: int64(g.pick(mostRuns + 1)), body: g.stmts(3)}
}

// trace traces the program. It also reports whether a statement was traced that must be an error.
func (p program) trace(other foreigners) (k *kernel.Kernel, illegal bool, err error) {
	e := &traced{other: other}
	e.values, e.indices, e.cells = map[int]kernel.Value{}, map[int]kernel.Index{}, map[int]kernel.Tensor{}
	k, err = kernel.Trace("random", p.threads, func(k *kernel.K) {
		e.k, e.n = k, k.Int("n", symbolic.Facts{Max: mostRuns})
		all, width := kernel.Int(p.threads), kernel.Int(rowWidth)
		e.g = k.Global("g", dtype.S32, kernel.Modes(all, width), width, kernel.Int(1))
		e.s = k.Shared("s", dtype.S32, cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", p.threads, rowWidth, rowWidth)))
		e.f = k.MakeFragment(dtype.S32, cute.MustParse(fmt.Sprintf("%d:1", rowWidth)))
		k.Clear(e.f)
		k.Grid(kernel.Int(1))
		for i := range int64(rowWidth) {
			k.Store(k.Load(e.g, k.ThreadIdx(), kernel.Int(i)), e.s, k.ThreadIdx(), kernel.Int(i))
		}
		traceAll(e, p.body)
		for i := range int64(rowWidth) { // the fragment counts too
			at := []kernel.Index{k.ThreadIdx(), kernel.Int(i)}
			k.Store(k.Load(e.g, at...).Add(k.Load(e.f, kernel.Int(i))), e.g, at...)
		}
	})
	return k, e.illegal, err
}

// run returns the elements of the tensor in global memory after the program.
func (p program) run(g []float64) []float64 {
	var out []float64
	for t := range p.threads {
		e := &thread{number: t, n: p.n, f: make([]int32, rowWidth)}
		e.values, e.indices, e.cells = map[int]int32{}, map[int]int64{}, map[int]*int32{}
		for _, x := range g[t*rowWidth:][:rowWidth] {
			e.g, e.s = append(e.g, int32(x)), append(e.s, int32(x))
		}
		runAll(e, p.body)
		for i, x := range e.g {
			out = append(out, float64(x+e.f[i]))
		}
	}
	return out
}

// otherKernel returns things of a kernel that is traced before the others.
func otherKernel() (out foreigners) {
	_, err := kernel.Trace("other", 32, func(k *kernel.K) {
		t := k.Global("g", dtype.S32, kernel.Modes(kernel.Int(32), kernel.Int(rowWidth)))
		n := k.Int("n", symbolic.Facts{Max: mostRuns})
		a := k.AtomicRef(kernel.ScopeDevice, t, k.ThreadIdx(), kernel.Int(0))
		out = foreigners{k.Number(dtype.S32, 1), n, k.ThreadIdx().Less(n), t, a}
	})
	if err != nil {
		panic(err)
	}
	return out
}

// checkRandom holds Trace to its promise: an error, or a kernel with the right results. A program that is not wild has
// no error.
func checkRandom(t *rapid.T, wild bool) {
	p := grow(t, wild)
	k, mustFail, err := p.trace(otherKernel())
	if err != nil {
		e, ok := errors.AsType[*kernel.Error](err)
		if !wild || !ok || e.Err.Code == "" || e.Err.Msg == "" || e.Line == 0 {
			t.Fatalf("a program that is right, or an error without a code or a line: %v", err)
		}
		return
	}
	if mustFail {
		t.Fatalf("a statement that is wrong was accepted:\n%v", p)
	}
	g := make([]float64, p.threads*rowWidth)
	for i := range g {
		g[i] = float64(i%11 - 5)
	}
	want := p.run(g)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": p.n}, Tensors: map[string][]float64{"g": g},
	})
	if err != nil {
		t.Fatalf("%v\n%v\n%v", err, p, k.Listing())
	}
	if !slices.Equal(g, want) {
		t.Fatalf("found %v, expected %v\n%v", g, want, p)
	}
	checkClasses(t, k, map[string]int64{"n": p.n})
}

// TestRandomKernels traces right programs, and wild ones.
func TestRandomKernels(t *testing.T) {
	t.Parallel()
	for name, wild := range maps.All(map[string]bool{"right": false, "wild": true}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { checkRandom(t, wild) })
		})
	}
}

func FuzzRandomKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { checkRandom(t, rapid.Bool().Draw(t, "wild")) }))
}
