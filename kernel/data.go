package kernel

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
)

// This file converts between numbers of the address algebra and values in registers: an Index is a Value for argmax and
// coordinates as data, and a loaded Value is an Index for gathers, page tables and lengths that are data.

// data is what a kernel knows about numbers that instructions compute. K and its Kernel share it.
type data struct {
	facts  map[*ptx.Instr]*ptx.Pragma   // what is stated of the number that an instruction makes, for [Kernel.Simulate]
	late   map[*address.Symbol]*derived // numbers that depend on threads, loops or data
	joined map[ptx.Name]joint           // predicates made of conditions
	hint   CacheHint                    // of the accesses that are traced now

	accumulate *Cond // whether the products that are traced now add to C; nil if they always do
}

func newData() *data {
	return &data{
		facts: map[*ptx.Instr]*ptx.Pragma{}, late: map[*address.Symbol]*derived{}, joined: map[ptx.Name]joint{},
	}
}

// valueOf returns the number in a register.
func (k *K) valueOf(reg ptx.Name, t dtype.Type) Value { return Value{k: k, reg: reg, typ: t} }

// isInteger reports whether values of a type are integers of 8 to 64 bits.
func isInteger(t dtype.Type) bool {
	return (t.Kind() == dtype.Signed || t.Kind() == dtype.Natural) && t.Bits() >= 8 && t.Bits() <= 64
}

// Value returns i as a value, for example to store a coordinate or to compare it with loaded numbers. Floats are
// rounded to nearest. It fails with [cute.CodeOverflow] if an integer type cannot represent every number that i may be,
// and the [cute.CodeType] of [Value.Convert]. A constant belongs to no kernel, and its Value is the zero Value: see
// [K.ValueOf].
func (i Index) Value(t dtype.Type) Value {
	const op = "value"
	k := i.k()
	if !k.live() {
		return Value{k: k, typ: t}
	}
	lo, hi := k.expr(i).Range()
	if least, most := limits(t); isInteger(t) && !k.isBetween(i.x(), least, most) {
		k.advise("take a wider type, or state smaller facts").refuse(op, cute.CodeOverflow,
			"%v is from %d to %d, and a %v is from %d to %d", i, lo, hi, t, least, uint64(max(most, 0)))
		return k.valueOf(ptx.Sink, t)
	}
	bits, typ, from := 32, ptx.Type(ptx.B32), dtype.S32
	if !k.isBetween(i.x(), math.MinInt32, math.MaxInt32) {
		bits, typ, from = 64, ptx.B64, dtype.S64
	}
	r, err := k.c.Value(i.x(), bits)
	k.fail(err)
	// A loop may step the register of the number, so the value has its own.
	v := k.valueOf(k.let(typ, "mov."+ptx.Op(typ), r), from)
	return v.Convert(t)
}

// isBetween reports whether x is known to be from lo to hi, by its facts, the grid, and the conditions and loops here.
func (k *K) isBetween(x address.Expr, lo, hi int64) bool {
	least, most := x.Range()
	return (least >= lo || k.compare(k.s.Const(lo-1), x) == address.Always) &&
		(most <= hi || k.compare(x, k.s.Const(hi+1)) == address.Always)
}

// ValueOf returns i as a value, as [Index.Value] does, for an i that may also be a constant.
func (k *K) ValueOf(i Index, t dtype.Type) Value {
	if i.in != nil {
		k.expr(i) // refuses an i of another kernel
		return i.Value(t)
	}
	if n, ok := i.Int64(); ok && n >= -1<<53 && n <= 1<<53 {
		return k.Number(t, float64(n))
	}
	k.refuse("value", cute.CodeOverflow, "expected a constant of up to 53 bits, found %v", i)
	return k.valueOf(ptx.Sink, t)
}

// limits returns the least and the largest number of an integer type, up to 63 bits.
func limits(t dtype.Type) (least, most int64) {
	n := min(t.Bits(), 64)
	if t.Kind() == dtype.Signed {
		return -1 << (n - 1), 1<<(n-1) - 1
	}
	return 0, int64(uint64(1)<<min(n, 63) - 1)
}

// Index returns v as a number for coordinates, extents and bounds of loops. The facts bound the number, and each access
// that uses it is checked against the bounds during the trace. They are not proved: [Kernel.Simulate] reports a number
// that contradicts them as a finding of the line, and on a card the kernel is wrong. It fails with [cute.CodeFact] for
// facts that are unbounded or contradict each other, and [cute.CodeType] unless v is an integer of 8 to 64 bits.
func (v Value) Index(f symbolic.Facts) Index {
	const op = "index"
	k := v.k
	switch {
	case k == nil:
		return wrong(cute.CodeType, "the value is none")
	case !k.live() || !k.takes(op, v):
		return stale(k)
	case !isInteger(v.typ):
		k.advise("Convert or Bitcast it to s32").refuse(op, cute.CodeType,
			"expected an integer of 8 to 64 bits, found %v", v.typ)
		return Int(0)
	}
	if f.Div == 0 {
		f.Div = 1
	}
	sym := k.symbol("value"+text(len(k.data.late)), f, levelThread+k.loops)
	k.space()
	bits, typ, wide := 64, ptx.Type(ptx.B64), ".s64"
	if f.Min >= math.MinInt32 && f.Max <= math.MaxInt32 {
		bits, typ, wide = 32, ptx.B32, ".s32"
	}
	o := ptx.Op("mov." + string(typ))
	if v.typ.Bits() != bits {
		o = ptx.Op("cvt" + wide + v.typ.PTX())
	}
	r := k.b.Reg(typ)
	in := &ptx.Instr{Op: o, Operands: []ptx.Operand{r, v.reg}}
	k.data.facts[in] = &ptx.Pragma{Strings: []string{
		fmt.Sprintf("girih.fact %s %s %d %d %d", v.reg, v.typ.PTX()[1:], f.Min, f.Max, f.Div),
	}}
	k.add(in)
	k.places[in] = new(stack)
	k.places[in].keep(k, 2)
	k.c.Define(sym, r, bits)
	k.data.late[sym] = &derived{sym: sym}
	return k.of(sym.Expr(), k.region)
}

// settle sets a symbol that depends on the thread, on a loop or on data, for a lane. Nothing is known about data: it
// gets the least number of its facts, and the walker's data is set.
func (w *walker) settle(sym *address.Symbol, lane int) {
	d := w.k.data.late[sym]
	if d == nil {
		return
	}
	if d.how == nil {
		f := sym.Facts()
		w.data = true
		w.lanes[lane][sym] = f.Min + ints.FloorMod(-f.Min, max(f.Div, 1))
		return
	}
	x := make([]int64, len(d.of))
	for i, y := range d.of {
		x[i] = w.eval(y, lane)
	}
	w.lanes[lane][sym] = d.how(x)
}

// asks reports whether f evaluates numbers that are data.
func (w *walker) asks(f func()) bool {
	before := w.data
	w.data = false
	f()
	data := w.data
	w.data = data || before
	return data
}

// below evaluates a comparison for a lane. A comparison of data is assumed to hold.
func (w *walker) below(d [2]address.Expr, lane int) bool {
	var holds bool
	data := w.asks(func() { holds = w.eval(d[0], lane) < w.eval(d[1], lane) })
	return holds || data
}

// isAtomic reports whether an instruction is an atomic operation, whose cost no model knows.
func isAtomic(o ptx.Op) bool { return o.Name() == "atom" || o.Name() == "red" }
