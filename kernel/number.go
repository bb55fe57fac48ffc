package kernel

import (
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
)

// This file defines numbers that the algebra cannot make: 64-bit parameters, quotients by run-time numbers, and
// products with facts that do not follow from their factors.

// Int64 is [K.Int] for a 64-bit integer parameter, such as the distance between the matrices of a batch.
func (k *K) Int64(name string, f symbolic.Facts) Index {
	sym := k.symbol(name, f, levelParam)
	k.c.DefineFirst(sym, k.param(ptx.S64, Param{Name: name, Type: dtype.S64, Facts: f}), 64)
	k.numbers = append(k.numbers, sym)
	return k.index(sym.Expr())
}

// A derived is a number that instructions compute from symbols which do not depend on the thread.
type derived struct {
	sym *address.Symbol
	of  []address.Expr
	how func(x []int64) int64
}

// late returns a new number that an instruction computes from other numbers of 32 bits, where the kernel is now. The
// number may depend on threads, loops and data; it is known to the end of the loop or condition around it.
func (k *K) late(f symbolic.Facts, d derived, o ptx.Op, operands ...ptx.Operand) Index {
	d.sym = k.symbol("number"+text(len(k.data.late)+1), f, levelThread+k.loops)
	k.c.Define(d.sym, k.let(ptx.B32, o, operands...), 32)
	k.data.late[d.sym] = &d
	return k.of(d.sym.Expr(), k.region)
}

// isUniform reports whether numbers are the same for all threads of a block, here, outside of loops and conditions.
func (k *K) isUniform(of []address.Expr) bool {
	for _, x := range of {
		if x.Level() > levelBlock {
			return false
		}
	}
	return len(k.around) == 0
}

// derive returns a new number that is the same for all threads of a block.
func (k *K) derive(f symbolic.Facts, d derived) *address.Symbol {
	level := 0
	for _, x := range d.of {
		level = max(level, x.Level())
	}
	if level > levelBlock || len(k.around) > 0 {
		k.refuse("number", cute.CodeMode,
			"expected numbers that all threads of a block have, outside of loops and conditions, found %v", d.of)
		return nil
	}
	d.sym = k.symbol("number."+string(rune('a'+len(k.derived)%26))+text(len(k.derived)/26), f, level)
	k.derived = append(k.derived, d)
	return d.sym
}

// text returns a number as the suffix of a name, and "" for 0.
func text(n int) string {
	if n == 0 {
		return ""
	}
	return Int(int64(n)).String()
}

// Stated returns a product with facts that the algebra cannot derive, for example that a block index times its tile is
// less than the extent. The product is computed once. The facts are not proved: if they do not hold, the kernel is
// wrong. It fails with [cute.CodeFact] for facts that are unbounded or contradict each other, and [cute.CodeMode] for
// numbers that depend on the thread, and within loops and conditions.
func (k *K) Stated(f symbolic.Facts, factors ...Index) Index {
	d := derived{how: func(x []int64) int64 {
		p := int64(1)
		for _, y := range x {
			p *= y
		}
		return p
	}}
	for _, x := range factors {
		d.of = append(d.of, k.expr(x))
	}
	sym := k.derive(f, d)
	if sym == nil || !k.space() {
		return Int(0)
	}
	bits, mul, typ := 64, ptx.Op("mul.lo.s64"), ptx.B64
	if f.Min >= math.MinInt32 && f.Max <= math.MaxInt32 {
		bits, mul, typ = 32, "mul.lo.s32", ptx.B32 // right modulo 2^32 whatever the factors are
	}
	var acc ptx.Operand
	for _, x := range d.of {
		r, err := k.c.Value(x, bits)
		k.fail(err)
		if acc != nil {
			r = k.let(typ, mul, acc, r)
		}
		acc = r
	}
	if acc == nil {
		acc = ptx.Int(1)
	}
	k.c.DefineFirst(sym, acc, bits)
	return k.index(sym.Expr())
}

// DivMod returns i/j, rounded down, and the remainder. j may be known at run time only, and both may depend on the
// thread, a loop or data. It fails with [cute.CodeExtent] if j may be below 1, [cute.CodeNegative] if i may be below 0,
// and [cute.CodeOverflow] for numbers of more than 31 bits.
func (i Index) DivMod(j Index) (quotient, rest Index) {
	k := i.on(j)
	if n, ok := j.Int64(); ok && n > 0 || k == nil {
		return i.Div(n), i.Mod(n)
	}
	if !k.live() {
		return stale(k), stale(k)
	}
	x, y := k.expr(i), k.expr(j)
	k.checkDivision(i, j, x, y)
	_, most := x.Range()
	from, to := y.Range()
	both := []address.Expr{x, y}
	over := derived{of: both, how: func(x []int64) int64 { return x[0] / max(x[1], 1) }}
	left := derived{of: both, how: func(x []int64) int64 { return x[0] % max(x[1], 1) }}
	times, below := symbolic.Facts{Max: most / from}, symbolic.Facts{Max: min(most, to-1)}
	matrices := k.matrices(x, y)
	if matrices != nil {
		times.Max = min(times.Max, max(matrices.Facts().Max-1, 0))
	}
	if !k.isUniform(both) {
		a, b := k.value32(x), k.value32(y)
		quotient = k.late(times, over, "div.u32", a, b)
		back := k.let(ptx.B32, "mul.lo.u32", k.value32(quotient.x()), b)
		rest = k.late(below, left, "sub.u32", a, back)
		k.given = append(k.given, [2]address.Expr{rest.x(), y})
		return quotient, rest
	}
	q, r := k.derive(times, over), k.derive(below, left)
	a, b := k.value32(x), k.value32(y)
	reg := k.let(ptx.B32, "div.u32", a, b)
	k.c.DefineFirst(q, reg, 32)
	k.c.DefineFirst(r, k.let(ptx.B32, "sub.u32", a, k.let(ptx.B32, "mul.lo.u32", reg, b)), 32)
	if matrices != nil {
		k.inGrid = append(k.inGrid, [2]address.Expr{q.Expr(), matrices.Expr()})
	}
	return k.index(q.Expr()), k.index(r.Expr())
}

// matrices returns the parameter n if x counts blocks and there are y·n of them, as where a grid counts the tiles of n
// matrices: x/y is less than n. Otherwise it returns nil.
func (k *K) matrices(x, y address.Expr) *address.Symbol {
	for _, l := range k.inGrid {
		for _, n := range k.numbers {
			if l[0] == x && n.Facts().Max <= math.MaxInt32 && k.s.Mul(y, n.Expr()) == l[1] {
				return n
			}
		}
	}
	return nil
}

// checkDivision refuses x/y unless x is not negative, y is positive, and both have at most 31 bits.
func (k *K) checkDivision(i, j Index, x, y address.Expr) {
	const op = "idivmod"
	least, most := x.Range()
	from, to := y.Range()
	switch {
	case from < 1:
		k.refuse(op, cute.CodeExtent, "expected a divisor of at least 1, found %v, from %d on", j, from)
	case least < 0 && k.compare(k.s.Const(-1), x) != address.Always: // by the grid, or by conditions here
		k.refuse(op, cute.CodeNegative, "expected a number of at least 0, found %v, from %d on", i, least)
	case most > math.MaxInt32 || to > math.MaxInt32:
		k.refuse(op, cute.CodeOverflow, "expected numbers of 31 bits, found %v up to %d, and %v up to %d", i, most, j, to)
	}
}

// derive sets the values of derived numbers, which are the same in every lane.
func (w *walker) derive() {
	for _, d := range w.k.derived {
		x := make([]int64, len(d.of))
		for i, y := range d.of {
			x[i] = w.eval(y, 0)
		}
		w.set(d.sym, d.how(x))
	}
}
