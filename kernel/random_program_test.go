package kernel_test

import (
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file has random kernels as trees, which are both traced and executed in Go, thread by thread. Each thread uses
// its own row of the tensors, so the order of the threads does not matter.

const (
	rowWidth = 4 // elements of a row
	mostRuns = 3 // iterations of a loop
)

// A program is a random kernel.
type program struct {
	threads int64
	n       int64 // the value of its parameter, 0 to mostRuns
	body    []stmt
}

// A stmt is a statement of a program.
type stmt interface {
	trace(e *traced)
	run(e *thread)
}

// traced is a program that is being traced. Its variables are Go variables of the traced function.
type traced struct {
	k       *kernel.K
	n       kernel.Index
	g, s, f kernel.Tensor // in global memory, in shared memory, in registers
	values  map[int]kernel.Value
	indices map[int]kernel.Index
	cells   map[int]kernel.Tensor
	illegal bool // a statement that must be an error was traced
	other   foreigners
}

// foreigners are things of another kernel.
type foreigners struct {
	v kernel.Value
	i kernel.Index
	c kernel.Cond
	t kernel.Tensor
	a kernel.AtomicRef
}

// thread is a thread that executes a program in Go.
type thread struct {
	number, n int64
	g, s, f   []int32
	values    map[int]int32
	indices   map[int]int64
	cells     map[int]*int32
}

// A valueOf is an expression of 32-bit integers.
type valueOf struct {
	kind string // number, var, g, s, f, cell, or an operation
	n    int32
	slot int
	at   *indexOf
	args []*valueOf
	cond *condOf
}

func (v *valueOf) trace(e *traced) kernel.Value {
	var args []kernel.Value
	for _, a := range v.args {
		args = append(args, a.trace(e))
	}
	switch v.kind {
	case "number":
		return e.k.Number(dtype.S32, float64(v.n))
	case "var":
		return e.values[v.slot]
	case "g":
		return e.k.Load(e.g, e.k.ThreadIdx(), v.at.trace(e).Mod(rowWidth))
	case "s":
		return e.k.Load(e.s, e.k.ThreadIdx(), v.at.trace(e).Mod(rowWidth))
	case "f":
		return e.k.Load(e.f, kernel.Int(int64(v.n)))
	case "cell":
		return e.k.Load(e.cells[v.slot], kernel.Int(0))
	case "add":
		return args[0].Add(args[1])
	case "sub":
		return args[0].Sub(args[1])
	case "mul":
		return args[0].Mul(args[1])
	case "max":
		return args[0].Max(args[1])
	case "min":
		return args[0].Min(args[1])
	case "neg":
		return args[0].Neg()
	case "and":
		return args[0].And(args[1])
	case "xor":
		return args[0].Xor(args[1])
	case "shr":
		return args[0].Shr(v.at.trace(e).Mod(8))
	case "of index":
		return e.k.ValueOf(v.at.trace(e).Mod(1000), dtype.S32)
	}
	return e.k.Select(v.cond.trace(e), args[0], args[1])
}

func (v *valueOf) run(e *thread) int32 {
	var args []int32
	for _, a := range v.args {
		args = append(args, a.run(e))
	}
	switch v.kind {
	case "number":
		return v.n
	case "var":
		return e.values[v.slot]
	case "g":
		return e.g[floorMod(v.at.run(e), rowWidth)]
	case "s":
		return e.s[floorMod(v.at.run(e), rowWidth)]
	case "f":
		return e.f[v.n]
	case "cell":
		return *e.cells[v.slot]
	case "add":
		return args[0] + args[1]
	case "sub":
		return args[0] - args[1]
	case "mul":
		return args[0] * args[1]
	case "max":
		return max(args[0], args[1])
	case "min":
		return min(args[0], args[1])
	case "neg":
		return -args[0]
	case "and":
		return args[0] & args[1]
	case "xor":
		return args[0] ^ args[1]
	case "shr":
		return args[0] >> floorMod(v.at.run(e), 8)
	case "of index":
		return int32(floorMod(v.at.run(e), 1000))
	}
	if v.cond.run(e) {
		return args[0]
	}
	return args[1]
}

func floorDiv(x, n int64) int64 { return (x - floorMod(x, n)) / n }
func floorMod(x, n int64) int64 { return (x%n + n) % n }

// An indexOf is an expression of the kernel's integers.
type indexOf struct {
	kind string // const, thread, n, var, or an operation
	n    int64
	slot int
	args []*indexOf
	v    *valueOf // of data
}

func (x *indexOf) trace(e *traced) kernel.Index {
	var args []kernel.Index
	for _, a := range x.args {
		args = append(args, a.trace(e))
	}
	switch x.kind {
	case "const":
		return kernel.Int(x.n)
	case "thread":
		return e.k.ThreadIdx()
	case "n":
		return e.n
	case "var":
		return e.indices[x.slot]
	case "add":
		return args[0].Add(args[1])
	case "sub":
		return args[0].Sub(args[1])
	case "mul":
		return args[0].Mul(args[1])
	case "div":
		return args[0].Div(x.n)
	case "min":
		return args[0].Mod(64).Min(args[1].Mod(64))
	case "max":
		return args[0].Mod(64).Max(args[1].Mod(64))
	case "quotient", "rest":
		q, r := args[0].Mod(64).DivMod(args[1].Mod(8).Add(kernel.Int(1)))
		if x.kind == "rest" {
			return r
		}
		return q
	case "data":
		return x.v.trace(e).And(e.k.Number(dtype.S32, 7)).Index(symbolic.Facts{Max: 7})
	}
	return args[0].Mod(x.n)
}

func (x *indexOf) run(e *thread) int64 {
	var args []int64
	for _, a := range x.args {
		args = append(args, a.run(e))
	}
	switch x.kind {
	case "const":
		return x.n
	case "thread":
		return e.number
	case "n":
		return e.n
	case "var":
		return e.indices[x.slot]
	case "add":
		return args[0] + args[1]
	case "sub":
		return args[0] - args[1]
	case "mul":
		return args[0] * args[1]
	case "div":
		return floorDiv(args[0], x.n)
	case "min":
		return min(floorMod(args[0], 64), floorMod(args[1], 64))
	case "max":
		return max(floorMod(args[0], 64), floorMod(args[1], 64))
	case "quotient":
		return floorMod(args[0], 64) / (floorMod(args[1], 8) + 1)
	case "rest":
		return floorMod(args[0], 64) % (floorMod(args[1], 8) + 1)
	case "data":
		return int64(x.v.run(e) & 7)
	}
	return floorMod(args[0], x.n)
}

// A condOf is a condition: a comparison of two values or of two integers, or made of conditions.
type condOf struct {
	kind string // less, equal, below, at, least, and, or, not
	v    []*valueOf
	x    []*indexOf
	args []*condOf
}

func (c *condOf) trace(e *traced) kernel.Cond {
	switch c.kind {
	case "less":
		return c.v[0].trace(e).Less(c.v[1].trace(e))
	case "equal":
		return c.v[0].trace(e).Equal(c.v[1].trace(e))
	case "below":
		return c.x[0].trace(e).Less(c.x[1].trace(e))
	case "at":
		return c.x[0].trace(e).Equal(c.x[1].trace(e))
	case "least":
		return c.x[0].trace(e).AtLeast(c.x[1].trace(e))
	case "or":
		return c.args[0].trace(e).Or(c.args[1].trace(e))
	case "not":
		return c.args[0].trace(e).Not()
	}
	return c.args[0].trace(e).And(c.args[1].trace(e))
}

func (c *condOf) run(e *thread) bool {
	switch c.kind {
	case "less":
		return c.v[0].run(e) < c.v[1].run(e)
	case "equal":
		return c.v[0].run(e) == c.v[1].run(e)
	case "below":
		return c.x[0].run(e) < c.x[1].run(e)
	case "at":
		return c.x[0].run(e) == c.x[1].run(e)
	case "least":
		return c.x[0].run(e) >= c.x[1].run(e)
	case "or":
		return c.args[0].run(e) || c.args[1].run(e)
	case "not":
		return !c.args[0].run(e)
	}
	return c.args[0].run(e) && c.args[1].run(e)
}

// An assign sets a Go variable, which may belong to a body around it.
type assign struct {
	slot int
	v    *valueOf // nil for an index
	x    *indexOf
}

func (a assign) trace(e *traced) {
	if a.v != nil {
		e.values[a.slot] = a.v.trace(e)
	} else {
		e.indices[a.slot] = a.x.trace(e)
	}
}

func (a assign) run(e *thread) {
	if a.v != nil {
		e.values[a.slot] = a.v.run(e)
	} else {
		e.indices[a.slot] = a.x.run(e)
	}
}

// A cell makes a fragment of one element, for a variable that may belong to a body around it, or sets the fragment.
type cell struct {
	slot int
	make bool
	v    *valueOf
}

func (c cell) trace(e *traced) {
	v := c.v.trace(e)
	if c.make {
		e.cells[c.slot] = e.k.MakeFragment(dtype.S32, cute.MustParse("1:1"))
	}
	e.k.Store(v, e.cells[c.slot], kernel.Int(0))
}

func (c cell) run(e *thread) {
	v := c.v.run(e)
	if c.make {
		e.cells[c.slot] = new(int32)
	}
	*e.cells[c.slot] = v
}

// A store sets an element of a tensor.
type store struct {
	space string
	at    *indexOf
	n     int64 // of a fragment
	v     *valueOf
}

func (s store) trace(e *traced) {
	v := s.v.trace(e)
	switch s.space {
	case "f":
		e.k.Store(v, e.f, kernel.Int(s.n))
	case "s":
		e.k.Store(v, e.s, e.k.ThreadIdx(), s.at.trace(e).Mod(rowWidth))
	default:
		e.k.Store(v, e.g, e.k.ThreadIdx(), s.at.trace(e).Mod(rowWidth))
	}
}

func (s store) run(e *thread) {
	v := s.v.run(e)
	switch s.space {
	case "f":
		e.f[s.n] = v
	case "s":
		e.s[floorMod(s.at.run(e), rowWidth)] = v
	default:
		e.g[floorMod(s.at.run(e), rowWidth)] = v
	}
}

// A fetch adds to an element in global memory, and sets a variable to the number before.
type fetch struct {
	slot int
	at   *indexOf
	v    *valueOf
}

func (f fetch) trace(e *traced) {
	v := f.v.trace(e)
	at := e.k.AtomicRef(kernel.ScopeDevice, e.g, e.k.ThreadIdx(), f.at.trace(e).Mod(rowWidth))
	e.values[f.slot] = at.FetchAdd(v, kernel.Relaxed)
}

func (f fetch) run(e *thread) {
	x := &e.g[floorMod(f.at.run(e), rowWidth)]
	e.values[f.slot] = *x
	*x += f.v.run(e)
}

// illegal is a statement that must be an error if it is traced.
type illegal struct{ how int }

// illegals is the number of such statements.
const illegals = 22

func (x illegal) trace(e *traced) {
	k, t, v := e.k, e.k.ThreadIdx(), e.k.Number(dtype.S32, 1)
	e.illegal = true
	switch zero := kernel.Int(0); x.how {
	case 0:
		k.Store(e.other.v, e.g, t, zero)
	case 1:
		k.Store(v.Add(e.other.v), e.g, t, zero)
	case 2:
		k.Store(v, e.g, t, e.other.i.Mod(rowWidth))
	case 3:
		k.Store(v, e.other.t, t, zero)
	case 4:
		k.For(zero, e.other.i, func(kernel.Index) {})
	case 5:
		k.If(e.other.c, func() {})
	case 6:
		k.Store(kernel.Value{}, e.g, t, zero)
	case 7:
		k.Store(kernel.Value{}.Add(v), e.g, t, zero)
	case 8:
		k.Store(v, e.g, t, kernel.Open)
	case 9:
		k.Store(v, e.g, t, kernel.Int(math.MaxInt64).Add(kernel.Int(1)).Mod(rowWidth))
	case 10:
		k.Store(v, e.g, t, kernel.Int(8).Div(0).Mod(rowWidth))
	case 11:
		k.Store(e.other.v.And(v), e.g, t, zero)
	case 12:
		k.Store(v.Shl(e.other.i), e.g, t, zero)
	case 13:
		k.Store(v, e.g, t, e.other.v.Index(symbolic.Facts{Max: rowWidth - 1}))
	case 14:
		k.Store(v, e.g, t, kernel.Value{}.Index(symbolic.Facts{Max: rowWidth - 1}))
	case 15:
		k.Store(e.other.i.Value(dtype.S32), e.g, t, zero)
	case 16:
		k.Store(v, e.g, t, e.other.i.Min(t).Mod(rowWidth))
	case 17:
		k.If(t.Less(e.n).Or(e.other.c), func() {})
	case 18:
		k.If(e.other.c.Not(), func() {})
	case 19:
		k.AtomicRef(kernel.ScopeDevice, e.g, t, zero).Add(e.other.v, kernel.Relaxed)
	case 20:
		e.other.a.Add(v, kernel.Relaxed)
	default:
		kernel.Barrier{}.Arrive()
	}
}

func (x illegal) run(*thread) {}

// A block is a statement with bodies: a loop or a condition, which may carry values.
type block struct {
	kind     string // for, step, carry, if, ifelse, choose, while
	step     int64
	from, to *indexOf
	counter  int
	cond     *condOf
	init     []*valueOf
	slots    []int // the carried values in a body
	body     []stmt
	outs     []*valueOf
	other    []stmt // the second part of a condition
	others   []*valueOf
	results  []int // variables for the values after it
}

func traceAll(e *traced, body []stmt) {
	for _, s := range body {
		s.trace(e)
	}
}

func traceValues(e *traced, vs []*valueOf) (out []kernel.Value) {
	for _, v := range vs {
		out = append(out, v.trace(e))
	}
	return out
}

func (b block) trace(e *traced) {
	k := e.k
	body := func(v []kernel.Value) []kernel.Value {
		for i, s := range b.slots {
			e.values[s] = v[i]
		}
		traceAll(e, b.body)
		return traceValues(e, b.outs)
	}
	var out []kernel.Value
	switch b.kind {
	case "for":
		k.For(b.from.trace(e), b.to.trace(e), func(i kernel.Index) {
			e.indices[b.counter] = i
			traceAll(e, b.body)
		})
	case "step":
		k.ForStep(b.from.trace(e), b.to.trace(e), kernel.Int(b.step), func(i kernel.Index) {
			e.indices[b.counter] = i
			traceAll(e, b.body)
		})
	case "carry":
		out = k.ForCarryAll(b.from.trace(e), b.to.trace(e), traceValues(e, b.init),
			func(i kernel.Index, v []kernel.Value) []kernel.Value {
				e.indices[b.counter] = i
				return body(v)
			})
	case "if":
		k.If(b.cond.trace(e), func() { traceAll(e, b.body) })
	case "ifelse":
		k.IfElse(b.cond.trace(e), func() { traceAll(e, b.body) }, func() { traceAll(e, b.other) })
	case "choose":
		out = k.IfElseCarryAll(b.cond.trace(e), func() []kernel.Value { return body(nil) }, func() []kernel.Value {
			traceAll(e, b.other)
			return traceValues(e, b.others)
		})
	case "while":
		zero := k.Number(dtype.S32, 0)
		out = k.While(traceValues(e, b.init), func(v []kernel.Value) kernel.Cond { return zero.Less(v[0]) }, body)
	}
	for i, s := range b.results {
		e.values[s] = out[i]
	}
}

func runAll(e *thread, body []stmt) {
	for _, s := range body {
		s.run(e)
	}
}

func runValues(e *thread, vs []*valueOf) (out []int32) {
	for _, v := range vs {
		out = append(out, v.run(e))
	}
	return out
}

func (b block) run(e *thread) {
	v := runValues(e, b.init)
	body := func() {
		for i, s := range b.slots {
			e.values[s] = v[i]
		}
		runAll(e, b.body)
		v = runValues(e, b.outs)
	}
	switch b.kind {
	case "for", "carry", "step":
		last := b.to.run(e)
		for i := b.from.run(e); i < last; i += max(b.step, 1) {
			e.indices[b.counter] = i
			body()
		}
	case "while":
		for v[0] > 0 {
			body()
		}
	default:
		if b.cond.run(e) {
			body()
		} else {
			runAll(e, b.other)
			v = runValues(e, b.others)
		}
	}
	for i, s := range b.results {
		e.values[s] = v[i]
	}
}
