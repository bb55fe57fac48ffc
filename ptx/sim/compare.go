package sim

import (
	"fmt"
	"math"
	"math/bits"

	"girih/ptx"
)

func compareRow(name string) row {
	switch name {
	case "setp":
		return (*decoder).setp
	case "set":
		return (*decoder).set
	case "selp":
		return (*decoder).selp
	case "slct":
		return (*decoder).slct
	}
	return nil
}

// comparisons are the operators of setp and set (PTX ISA 9.3).
var comparisons = []string{
	"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
}

// comparison returns an operator on codes of type t, or nil.
func comparison(op string, t ptx.Type, small subnormals) func(x, y uint64) bool {
	switch {
	case t == ptx.F64:
		return compareFloats(op, math.Float64frombits)
	case begins(t, 'f') || t == ptx.BF16:
		f := scalarFormat(t)
		if f == nil {
			return nil
		}
		if small == flushed {
			return compareFloats(op, func(x uint64) float64 { return f.value(f.flush(x)) })
		}
		return compareFloats(op, f.value)
	case begins(t, 's'):
		if cmp := compareSigned(op, t.Bits()); cmp != nil {
			return cmp
		}
	}
	return compareBits(op)
}

// compareSigned returns an operator that orders signed integers of n bits, or nil. This and similar functions are not
// inlined: otherwise the calls in their closures, which run for each lane, would not be inlined.
//
//go:noinline
func compareSigned(op string, n int) func(x, y uint64) bool {
	switch op {
	case "lt":
		return func(x, y uint64) bool { return extend(x, n) < extend(y, n) }
	case "le":
		return func(x, y uint64) bool { return extend(x, n) <= extend(y, n) }
	case "gt":
		return func(x, y uint64) bool { return extend(x, n) > extend(y, n) }
	case "ge":
		return func(x, y uint64) bool { return extend(x, n) >= extend(y, n) }
	}
	return nil
}

// compareBits returns an operator on unsigned integers, or nil; eq and ne serve signed integers too.
func compareBits(op string) func(x, y uint64) bool {
	switch op {
	case "eq":
		return func(x, y uint64) bool { return x == y }
	case "ne":
		return func(x, y uint64) bool { return x != y }
	case "lt", "lo":
		return func(x, y uint64) bool { return x < y }
	case "le", "ls":
		return func(x, y uint64) bool { return x <= y }
	case "gt", "hi":
		return func(x, y uint64) bool { return x > y }
	case "ge", "hs":
		return func(x, y uint64) bool { return x >= y }
	}
	return nil
}

// compareFloats returns an operator on floating-point numbers, or nil. The operators are false for NaN, except nan and
// those that end in u.
func compareFloats(op string, val func(uint64) float64) func(x, y uint64) bool {
	switch op {
	case "num":
		return func(x, y uint64) bool { a, b := val(x), val(y); return a == a && b == b }
	case "nan":
		return func(x, y uint64) bool { a, b := val(x), val(y); return a != a || b != b }
	}
	unordered := len(op) == 3 && op[2] == 'u'
	if unordered {
		op = op[:2]
	}
	cmp := floatOrders[op]
	if cmp == nil {
		return nil
	}
	return func(x, y uint64) bool {
		a, b := val(x), val(y)
		return cmp(a, b) || unordered && (a != a || b != b)
	}
}

// floatOrders are the operators on numbers; each is false if an operand is NaN.
var floatOrders = map[string]func(a, b float64) bool{
	"eq": func(a, b float64) bool { return a == b },
	"ne": func(a, b float64) bool { return a < b || a > b },
	"lt": func(a, b float64) bool { return a < b },
	"le": func(a, b float64) bool { return a <= b },
	"gt": func(a, b float64) bool { return a > b },
	"ge": func(a, b float64) bool { return a >= b },
}

// combine applies the boolean operator of setp and set.
func combine(op string, a, b uint32) uint32 {
	switch op {
	case "and":
		return a & b
	case "or":
		return a | b
	case "xor":
		return a ^ b
	}
	return a
}

// predicateUse is the common part of setp and set.
type predicateUse struct {
	cmp     func(x, y uint64) bool
	a, b, c int
	not     uint32
	bool    string
	t       ptx.Type
}

func (d *decoder) predicateUse(o *opcode, t ptx.Type) (*predicateUse, error) {
	small := o.subnormals()
	scalar := t
	switch t {
	case ptx.F16x2:
		scalar = ptx.F16
	case ptx.BF16x2:
		scalar = ptx.BF16
	}
	u := &predicateUse{cmp: comparison(o.one(comparisons...), scalar, small), c: -1, t: t}
	if u.cmp == nil {
		return nil, fmt.Errorf("the comparison is not known for .%s", t)
	}
	var err error
	if u.a, err = d.src(o.Operands[1], t); err != nil {
		return nil, err
	}
	if u.b, err = d.src(o.Operands[2], t); err != nil {
		return nil, err
	}
	if len(o.Operands) == 4 {
		if u.bool = o.one("and", "or", "xor"); u.bool == "" {
			return nil, fmt.Errorf("operand %s: a predicate goes with .and, .or or .xor", o.Operands[3])
		}
		u.c, u.not, err = d.srcPred(o.Operands[3])
	}
	return u, err
}

// lanes compares in the lanes of mask; shift and m select the part of the registers.
func (u *predicateUse) lanes(f *frame, mask uint32, shift int, m uint64) uint32 {
	res := uint32(0)
	x, y := &f.regs[u.a], &f.regs[u.b]
	for k := mask; k != 0; k &= k - 1 {
		i := bits.TrailingZeros32(k) & 31
		if u.cmp(x[i]>>shift&m, y[i]>>shift&m) {
			res |= 1 << i
		}
	}
	return res
}

// ready returns the lanes in which all sources have values, or in which the predicate alone decides the result.
func (u *predicateUse) ready(f *frame) uint32 {
	ok := f.def[u.a] & f.def[u.b]
	if u.c < 0 {
		return ok
	}
	c := f.pred[u.c] ^ u.not
	switch u.bool {
	case "and":
		ok |= ^c
	case "or":
		ok |= c
	}
	return ok & f.pdef[u.c]
}

// outcome holds the inputs of setp except the compared values, read before setp writes a predicate.
type outcome struct {
	f              *frame
	mask, ok, with uint32 // with is the predicate to combine comparisons with
}

func (u *predicateUse) outcome(f *frame, mask uint32) outcome {
	x := outcome{f, mask, u.ready(f), 0}
	if u.c >= 0 {
		x.with = f.pred[u.c] ^ u.not
	}
	return x
}

// set writes the results r of a comparison to predicate p.
func (x outcome) set(u *predicateUse, p int, r uint32) {
	x.f.setPredicate(p, x.mask, combine(u.bool, r, x.with))
	if miss := x.mask &^ x.ok; miss != 0 {
		x.f.undefine(p, miss)
		x.f.blame(p, u.a, u.b)
	}
}

func (d *decoder) setp(o *opcode) (step, error) {
	r := d.reader(o)
	r.keep(o.need(3, 4))
	r.keep(o.oneType())
	if r.err != nil {
		return nil, r.err
	}
	t := o.typ()
	var first, second ptx.Name
	switch n := o.Operands[0].(type) {
	case ptx.Name:
		first = n
	case ptx.Pair:
		first, second = n.First, n.Second
	}
	p, q := r.predicate(first), -1
	if second != "" {
		q = r.predicate(second)
	}
	u, err := d.predicateUse(o, t)
	r.keep(err)
	f, packed := formatOf(t)
	n := t.Bits()
	if packed {
		n /= 2
	}
	if q >= 0 && f != nil && n == 16 && !packed {
		r.fail("operand %s: a comparison of .%s has one predicate", o.Operands[0], t)
	}
	m := ones(n)
	return r.finish(func(w *warp, mask uint32) status {
		f := w.f
		r := u.lanes(f, mask, 0, m)
		s := ^r // the second predicate receives the negation
		if packed {
			s = u.lanes(f, mask, n, m)
		}
		x := u.outcome(f, mask)
		x.set(u, p, r)
		if q >= 0 {
			x.set(u, q, s)
		}
		return advance
	})
}

// set reads set: a comparison whose result is a number, all ones or 1.0.
func (d *decoder) set(o *opcode) (step, error) {
	if err := o.need(3, 4); err != nil {
		return nil, err
	}
	types := o.types()
	if len(types) != 2 {
		return nil, fmt.Errorf("expected two types")
	}
	to, t := types[0], types[1]
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	u, err := d.predicateUse(o, t)
	if err != nil {
		return nil, err
	}
	yes := ones(to.Bits())
	tf, packedTo := formatOf(to)
	if tf != nil {
		yes = tf.round(1, toEven)
	}
	parts, n := 1, t.Bits()
	if _, packed := formatOf(t); packed {
		parts, n = 2, n/2
		if !packedTo {
			yes = ones(to.Bits() / 2)
		}
	}
	return func(w *warp, mask uint32) status {
		f := w.f
		x := u.outcome(f, mask)
		var out vector
		for k := range parts {
			r := combine(u.bool, u.lanes(f, mask, k*n, ones(n)), x.with)
			for i := range lanes {
				if r>>i&1 == 1 {
					out[i] |= yes << (k * n)
				}
			}
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			f.regs[dst][i] = out[i]
		}
		f.taint(dst, w.p.pc, mask, u.a, u.b)
		f.def[dst] = f.def[dst]&^mask | x.ok&mask
		return advance
	}, nil
}

// selp reads selp, which selects by a predicate. Only the selected source needs a value.
func (d *decoder) selp(o *opcode) (step, error) {
	if err := o.need(4, 4); err != nil {
		return nil, err
	}
	t := o.typ()
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	s, err := d.srcs(o.Operands[1:3], t)
	if err != nil {
		return nil, err
	}
	p, not, err := d.srcPred(o.Operands[3])
	if err != nil {
		return nil, err
	}
	a, b := move(dst, s[0], ones(t.Bits())), move(dst, s[1], ones(t.Bits()))
	return func(w *warp, mask uint32) status {
		f := w.f
		none := mask &^ f.pdef[p]
		yes := (f.pred[p] ^ not) & mask
		st := advance
		// The destination may be one of the sources, so each lane is written only once.
		if yes != 0 {
			st = a(w, yes)
		}
		if rest := mask &^ yes; rest != 0 && st == advance {
			st = b(w, rest)
		}
		f.def[dst] &^= none
		return st
	}, nil
}

// slct reads slct, which selects by a sign.
func (d *decoder) slct(o *opcode) (step, error) {
	types := o.types()
	if len(types) != 2 {
		return nil, fmt.Errorf("expected two types")
	}
	o.skip("ftz")
	ftz := o.Op.Has("ftz")
	t, by := types[0], types[1]
	return d.applyMixed(o, []ptx.Type{t, t, by}, func(x []uint64) uint64 {
		yes := extend(x[2], 32) >= 0
		if by == ptx.F32 {
			if ftz {
				x[2] = formatF32.flush(x[2])
			}
			yes = f32(x[2]) >= 0
		}
		if yes {
			return x[0]
		}
		return x[1]
	})
}
