package sim

import (
	"fmt"
	"math"

	"girih/ptx"
)

func floatRow(name string) row {
	switch name {
	case "fma", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh", "copysign":
		return (*decoder).float
	case "testp":
		return (*decoder).testp
	}
	return nil
}

// formatOf returns the format of a type, and whether the type packs two values.
func formatOf(t ptx.Type) (f *format, packed bool) {
	switch t {
	case ptx.F32:
		return formatF32, false
	case ptx.F32x2:
		return formatF32, true
	case ptx.F16:
		return formatF16, false
	case ptx.F16x2:
		return formatF16, true
	case ptx.BF16:
		return formatBF16, false
	case ptx.BF16x2:
		return formatBF16, true
	}
	return nil, false
}

// floatOps is an operation on codes. Exactly the field for the instruction's operand count is set.
type floatOps struct {
	op1 func(x uint64) uint64
	op2 func(x, y uint64) uint64
	op3 func(x, y, z uint64) uint64
}

// float reads arithmetic on floating-point numbers (PTX ISA 9.7.3 to 9.7.5).
func (d *decoder) float(o *opcode) (step, error) {
	if types := o.types(); len(types) == 2 && (o.name == "add" || o.name == "sub" || o.name == "fma") {
		return d.mixedFloat(o, types[0], types[1])
	}
	if err := o.oneType(); err != nil {
		return nil, err
	}
	if len(o.Operands) == 4 && (o.name == "min" || o.name == "max") {
		if err := d.needs(o, 100); err != nil {
			return nil, err
		}
	}
	t, mode := o.typ(), o.rounding()
	f, packed := formatOf(t)
	var ops floatOps
	switch {
	case t == ptx.F64:
		ops = doubleOps(o, mode)
	case f == nil:
		return nil, fmt.Errorf("the type .%s is not known here", t)
	default:
		ops = o.wrap(f, formatOps(o, f, mode))
	}
	if packed {
		ops = ops.twice(f.width())
	}
	return d.applyFloat(o, t, ops)
}

// applyFloat makes the step of ops on sources of type t.
func (d *decoder) applyFloat(o *opcode, t ptx.Type, ops floatOps) (step, error) {
	switch {
	case ops.op1 != nil:
		return d.apply1(o, t, ops.op1)
	case ops.op2 != nil:
		return d.apply2(o, t, ops.op2)
	case ops.op3 != nil:
		return d.apply3(o, t, ops.op3)
	case o.rounding() == unstated && !o.Op.Has("approx") && !o.Op.Has("full"):
		return nil, fmt.Errorf("the operation is not known for .%s without a rounding mode or .approx", t)
	}
	return nil, fmt.Errorf("the operation is not known for .%s", t)
}

// mixedFloat reads add, sub and fma of .f32 whose factors, or first operand, have 16 bits (PTX ISA 9.7.5).
func (d *decoder) mixedFloat(o *opcode, to, from ptx.Type) (step, error) {
	if to != ptx.F32 || from != ptx.F16 && from != ptx.BF16 {
		return nil, fmt.Errorf("no %s of .%s and .%s: expected .f32 with .f16 or .bf16", o.name, to, from)
	}
	half, _ := formatOf(from)
	mode := o.rounding()
	if o.name == "fma" && mode == unstated {
		return nil, fmt.Errorf("expected a rounding mode")
	}
	after := func(x uint64) uint64 { return x }
	if o.has("sat") {
		after = formatF32.saturate
	}
	value := formatF32.value
	if o.name == "fma" {
		return d.applyMixed(o, []ptx.Type{from, from, to}, func(x []uint64) uint64 {
			return after(formatF32.round(mode.fma(half.value(x[0]), half.value(x[1]), value(x[2])), mode))
		})
	}
	sign := 1.0
	if o.name == "sub" {
		sign = -1
	}
	return d.applyMixed(o, []ptx.Type{from, to}, func(x []uint64) uint64 {
		return after(formatF32.round(mode.sum(half.value(x[0]), sign*value(x[1])), mode))
	})
}

// twice applies operations to both halves.
func (ops floatOps) twice(n int) floatOps {
	m := ones(n)
	var out floatOps
	if op := ops.op1; op != nil {
		out.op1 = func(x uint64) uint64 { return op(x&m) | op(x>>n)<<n }
	}
	if op := ops.op2; op != nil {
		out.op2 = func(x, y uint64) uint64 { return op(x&m, y&m) | op(x>>n, y>>n)<<n }
	}
	if op := ops.op3; op != nil {
		out.op3 = func(x, y, z uint64) uint64 { return op(x&m, y&m, z&m) | op(x>>n, y>>n, z>>n)<<n }
	}
	return out
}

// flush returns x, or a zero with its sign if x is subnormal.
func (f *format) flush(x uint64) uint64 {
	if x>>f.man&ones(f.exp) == 0 {
		return x & f.sign()
	}
	return x
}

// saturate clamps to [0, 1]; NaN becomes 0.
func (f *format) saturate(x uint64) uint64 {
	v := f.value(x)
	switch {
	case !(v > 0):
		return 0
	case v > 1:
		return f.round(1, toEven)
	}
	return x
}

// relu replaces negative values by 0; NaN stays.
func (f *format) relu(x uint64) uint64 {
	v := f.value(x)
	if v != v {
		return f.nan
	}
	if x&f.sign() != 0 {
		return 0
	}
	return x
}

// wrap applies .ftz, .sat and .relu to operations.
func (o *opcode) wrap(f *format, ops floatOps) floatOps {
	after := func(x uint64) uint64 { return x }
	then := func(g func(uint64) uint64) {
		inner := after
		after = func(x uint64) uint64 { return g(inner(x)) }
	}
	ftz, plain := o.has("ftz"), true
	if ftz { // sums are flushed when they are rounded; see formatOps
		then(f.flush)
		plain = false
	}
	if o.has("sat") {
		then(f.saturate)
		plain = false
	}
	if o.has("relu") {
		then(f.relu)
		plain = false
	}
	if plain {
		return ops
	}
	before := func(x uint64) uint64 { return x }
	if ftz {
		before = f.flush
	}
	var out floatOps
	if op := ops.op1; op != nil {
		out.op1 = func(x uint64) uint64 { return after(op(before(x))) }
	}
	if op := ops.op2; op != nil {
		out.op2 = func(x, y uint64) uint64 { return after(op(before(x), before(y))) }
	}
	if op := ops.op3; op != nil {
		out.op3 = func(x, y, z uint64) uint64 { return after(op(before(x), before(y), before(z))) }
	}
	return out
}

// outOfBounds is the NaN that copies write for elements outside a tensor. A factor of fma.oob that is this NaN, of
// either sign, makes the result 0.
const outOfBounds = 0x7ff7

// formatOps returns an operation on codes of f. Operations that are exact in float64 are computed there and rounded
// once; sums and quotients are first rounded to odd.
func formatOps(o *opcode, f *format, mode rounding) floatOps {
	rounded := mode != unstated
	stated := isApproximate(o) || rounded
	x := newFormatRounding(o, f, mode)
	switch o.name {
	case "add", "sub":
		return floatOps{op2: x.sum(o.name)}
	case "mul":
		return floatOps{op2: x.product()}
	case "fma", "mad":
		if !rounded {
			return floatOps{}
		}
		return floatOps{op3: x.fma(o)}
	case "min", "max":
		return minMaxOps(o, f)
	case "neg", "abs", "copysign":
		return f.signOps(o.name)
	case "div":
		if !stated || f != formatF32 {
			return floatOps{}
		}
		return floatOps{op2: x.quotient(o)}
	}
	fn := transcendental(o.name)
	if fn == nil || !stated && o.name != "ex2" && o.name != "tanh" {
		return floatOps{}
	}
	val, res := f.value, x.round
	return floatOps{op1: func(x uint64) uint64 { return res(fn(val(x))) }}
}

// isApproximate reports whether an instruction has .approx or .full.
func isApproximate(o *opcode) bool { return o.has("approx") || o.has("full") }

// A formatRounding makes operations that work on codes of a format and round by a mode.
type formatRounding struct {
	*format
	mode  rounding
	round func(x float64) uint64 // with .ftz, subnormal results become zeros
	ftz   bool
	fast  bool // Go's float32 computes the operations
}

func newFormatRounding(o *opcode, f *format, mode rounding) *formatRounding {
	x := &formatRounding{format: f, mode: mode, ftz: o.Op.Has("ftz"), fast: f == formatF32 && mode <= toEven}
	x.round = func(v float64) uint64 { return f.round(v, mode) }
	if x.ftz {
		x.round = func(v float64) uint64 { return f.roundFlushed(v, mode) }
	}
	return x
}

// isOpen reports whether the fast result r is uncertain: with .ftz, results below the least normal number are flushed
// later, but a result that was rounded up to that number may have been below it.
func (f *formatRounding) isOpen(r uint64) bool { return f.ftz && r&^f.sign() == 1<<f.man }

// sum returns add or sub.
//
//go:noinline
func (f *formatRounding) sum(name string) func(x, y uint64) uint64 {
	val, res, mode := f.value, f.round, f.mode
	switch {
	case f.fast && name == "add":
		return addF32
	case f.fast:
		return subF32
	case name == "add":
		return func(x, y uint64) uint64 { return res(mode.sum(val(x), val(y))) }
	}
	return func(x, y uint64) uint64 { return res(mode.sum(val(x), -val(y))) }
}

// product returns mul.
//
//go:noinline
func (f *formatRounding) product() func(x, y uint64) uint64 {
	if f.fast && !f.ftz {
		return mulF32
	}
	return func(x, y uint64) uint64 {
		if f.fast {
			if r := mulF32(x, y); !f.isOpen(r) {
				return r
			}
		}
		return f.round(f.value(x) * f.value(y))
	}
}

// fma returns fma or mad.
//
//go:noinline
func (f *formatRounding) fma(o *opcode) func(x, y, z uint64) uint64 {
	if f.fast && !f.ftz {
		return fmaF32
	}
	outside, sign := o.has("oob"), f.sign()
	return func(x, y, z uint64) uint64 {
		if f.fast {
			if r := fmaF32(x, y, z); !f.isOpen(r) {
				return r
			}
		}
		if outside && (x&^sign == outOfBounds || y&^sign == outOfBounds) {
			return 0
		}
		return f.round(f.mode.fma(f.value(x), f.value(y), f.value(z)))
	}
}

// quotient returns div of .f32.
//
//go:noinline
func (f *formatRounding) quotient(o *opcode) func(x, y uint64) uint64 {
	approx := o.Op.Has("approx")
	return func(x, y uint64) uint64 {
		a, b := f.value(x), f.value(y)
		// div.approx by a divisor beyond 2^126 (PTX ISA 9.7.3.8).
		if huge := math.Abs(b) > 0x1p126 && !math.IsInf(b, 0); approx && huge && a == a {
			if math.IsInf(a, 0) {
				return f.nan
			}
			return (x ^ y) & f.sign()
		}
		return f.round(divOdd(a, b))
	}
}

// signOps returns neg, abs or copysign.
func (f *format) signOps(name string) floatOps {
	val, sign := f.value, f.sign()
	if name == "copysign" { // the sign comes from the first operand
		return floatOps{op2: func(x, y uint64) uint64 { return x&sign | y&^sign }}
	}
	return floatOps{op1: func(x uint64) uint64 {
		switch v := val(x); {
		case v != v: // an H100 returns the NaN that operations return
			return f.nan
		case name == "neg":
			return x ^ sign
		}
		return x &^ sign
	}}
}

// transcendental returns a function of one value in float64. Exact functions are rounded to odd, so that every later
// rounding is right. The others exist as .approx only and are more precise than the documented error (PTX ISA
// 9.7.3.10 to 9.7.3.22).
func transcendental(name string) func(x float64) float64 {
	switch name {
	case "rcp":
		return func(x float64) float64 { return divOdd(1, x) }
	case "sqrt":
		return sqrtOdd
	case "rsqrt":
		return func(x float64) float64 { return 1 / math.Sqrt(x) }
	case "sin":
		return math.Sin
	case "cos":
		return math.Cos
	case "ex2":
		return math.Exp2
	case "lg2":
		return math.Log2
	case "tanh":
		return math.Tanh
	}
	return nil
}

func nanF32(r float32) uint64 {
	if r != r {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(r))
}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func addF32(x, y uint64) uint64 { return nanF32(f32(x) + f32(y)) }
func subF32(x, y uint64) uint64 { return nanF32(f32(x) - f32(y)) }
func mulF32(x, y uint64) uint64 { return nanF32(f32(x) * f32(y)) }

// fmaF32 returns x*y + z rounded once. The product is exact in float64. The sum is rounded to float64 and then to
// float32, which is right unless the float64 is halfway between two float32; then the error of the first rounding
// decides.
func fmaF32(x, y, z uint64) uint64 {
	p := float64(f32(x)) * float64(f32(y))
	c := float64(f32(z))
	s := p + c
	if b := math.Float64bits(s); b&0x1fffffff != 0x10000000 && math.Abs(s) >= 0x1p-126 {
		return uint64(math.Float32bits(float32(s)))
	}
	return nanF32(float32(addOdd(p, c)))
}

// minMaxOps returns min and max of two or three codes of f.
func minMaxOps(o *opcode, f *format) floatOps {
	op := minMaxOf(f, o.name, o.nanRule())
	if o.has("xorsign") {
		o.skip("abs")
		inner := op
		op = func(x, y uint64) uint64 {
			r := inner(x&^f.sign(), y&^f.sign())
			if v := f.value(r); v != v {
				return r
			}
			return r | (x^y)&f.sign()
		}
	}
	if len(o.Operands) == 4 {
		m := ^uint64(0)
		switch {
		case f != formatF32 || o.Op.Has("xorsign"):
			return floatOps{}
		case o.has("abs"):
			m = f.sign() - 1
		}
		return floatOps{op3: func(x, y, z uint64) uint64 { return op(op(x&m, y&m), z&m) }}
	}
	return floatOps{op2: op}
}

// nanRule says what min and max return for a NaN and a number.
type nanRule uint8

const (
	numberWins nanRule = iota
	nanWins            // .NaN
)

func (o *opcode) nanRule() nanRule {
	if o.has("NaN") {
		return nanWins
	}
	return numberWins
}

// minMaxOf returns min or max. -0 is less than +0.
func minMaxOf(f *format, name string, nan nanRule) func(x, y uint64) uint64 {
	if name != "min" && name != "max" {
		return nil
	}
	return func(x, y uint64) uint64 {
		a, b := f.value(x), f.value(y)
		switch {
		case a != a && (nan == nanWins || b != b), b != b && nan == nanWins:
			return f.nan
		case a != a:
			return y
		case b != b:
			return x
		}
		less := a < b || a == b && x&f.sign() != 0
		if less == (name == "min") {
			return x
		}
		return y
	}
}

// testp reads testp, which tests the class of a number.
func (d *decoder) testp(o *opcode) (step, error) {
	t := o.typ()
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	name, _ := o.Operands[0].(ptx.Name)
	p, err := d.predSlot(name)
	if err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[1], t)
	if err != nil {
		return nil, err
	}
	what := o.one("finite", "infinite", "number", "notanumber", "normal", "subnormal")
	return compare1(p, a, func(code uint64) bool {
		v, least := math.Float64frombits(code), 0x1p-1022
		if t == ptx.F32 {
			v, least = float64(f32(code)), 0x1p-126
		}
		m := math.Abs(v)
		switch what {
		case "finite":
			return finite(v)
		case "infinite":
			return math.IsInf(v, 0)
		case "number":
			return v == v
		case "notanumber":
			return v != v
		case "normal": // zeros count as normal
			return (m >= least || m == 0) && finite(v)
		}
		return m != 0 && m < least
	}), nil
}
