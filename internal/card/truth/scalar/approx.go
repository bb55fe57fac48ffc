package scalar

import (
	"fmt"
	"math"
)

// An approximation is the ISA's rule for an instruction whose exact result the ISA does not define. Special values have
// one result; for other values the ISA bounds the error, in some unit, or states nothing.
type approximation struct {
	exact func(x, y float64) float64 // the result in float64, with an error below every bound
	unit  string                     // "ulp", "relative" or "absolute"
	bound func(x, y float64) float64 // returns 0 if there is no bound
}

const none = 0 // the ISA states no bound

func always(b float64) func(x, y float64) float64 { return func(_, _ float64) float64 { return b } }

// approximations are the functions by the beginnings of names of forms; the first match counts.
var approximations = []struct {
	name, typ string
	approximation
}{
	{"div.approx", "f32", approximation{func(x, y float64) float64 { return x / y }, "ulp", func(_, y float64) float64 {
		if y = math.Abs(y); y >= 0x1p-126 && y <= 0x1p126 {
			return 2
		}
		return none
	}}},
	{"div.full", "f32", approximation{func(x, y float64) float64 { return x / y }, "ulp", always(2)}},
	{"rcp", "f32", approximation{func(x, _ float64) float64 { return 1 / x }, "ulp", always(1)}},
	{"sqrt", "f32", approximation{func(x, _ float64) float64 { return math.Sqrt(x) }, "relative", always(0x1p-23)}},
	{"rsqrt", "f32", approximation{rsqrt, "relative", always(math.Exp2(-22.9))}},
	{"sin", "f32", approximation{func(x, _ float64) float64 { return math.Sin(x) }, "absolute", angleBound}},
	{"cos", "f32", approximation{func(x, _ float64) float64 { return math.Cos(x) }, "absolute", angleBound}},
	{"lg2", "f32", approximation{func(x, _ float64) float64 { return math.Log2(x) }, "absolute", func(x, _ float64) float64 {
		if x > 0.5 && x < 2 {
			return 0x1p-22
		}
		return 0x1p-22 * math.Abs(math.Log2(x))
	}}},
	{"ex2", "f32", approximation{func(x, _ float64) float64 { return math.Exp2(x) }, "ulp", always(2)}},
	{"tanh", "f32", approximation{func(x, _ float64) float64 { return math.Tanh(x) }, "relative", always(0x1p-11)}},
	{"tanh", "f16", approximation{func(x, _ float64) float64 { return math.Tanh(x) }, "absolute", always(math.Exp2(-10.987))}},
	{"tanh", "bf16", approximation{func(x, _ float64) float64 { return math.Tanh(x) }, "absolute", always(0x1p-8)}},
	{"ex2", "f16", approximation{func(x, _ float64) float64 { return math.Exp2(x) }, "relative", always(math.Exp2(-9.9))}},
	{"ex2", "bf16", approximation{func(x, _ float64) float64 { return math.Exp2(x) }, "relative", always(0x1p-7)}},
	{"rcp", "f64", approximation{func(x, _ float64) float64 { return 1 / x }, "relative", always(none)}},
	{"rsqrt", "f64", approximation{rsqrt, "relative", always(none)}},
}

func rsqrt(x, _ float64) float64 { return 1 / math.Sqrt(x) }

func angleBound(x, _ float64) float64 {
	switch x = math.Abs(x); {
	case x <= 2*math.Pi:
		return math.Exp2(-20.5)
	case x <= 100*math.Pi:
		return math.Exp2(-14.7)
	}
	return none
}

// approximation returns the rule of the ISA for a form.
func (f *Form) approximation() (a approximation, n int) {
	types := f.Op.Types()
	typ, n := single(string(types[len(types)-1]))
	for _, x := range approximations {
		if len(string(f.Op)) >= len(x.name) && string(f.Op)[:len(x.name)] == x.name && x.typ == typ {
			return x.approximation, n
		}
	}
	panic(fmt.Sprintf("no approximation of %s", f.Op)) // the table contains a mistake
}

// A verdict is the judgement of one approximate result.
type verdict struct {
	err   float64 // the error in the unit of the form
	ratio float64 // the ratio of the error to the bound; 0 without a bound
	free  bool    // the ISA says nothing about this operand
	fixed bool    // the result is fixed: a zero, an infinity, a NaN
	want  uint64  // the code, if it is fixed
}

// judge compares one element of an approximate result with the ISA.
func (f *Form) judge(x, y, got uint64) verdict {
	a, _ := f.approximation()
	types := f.Op.Types()
	typ, _ := single(string(types[len(types)-1]))
	j := judgement{approximation: a, g: numerals[typ], typ: typ, flushes: f.Op.Has("ftz")}
	input := j.g.decode
	if j.flushes {
		input = j.g.flush
	}
	if j.isGross() {
		x &^= 0xffffffff
	}
	u, v := input(x), input(y)
	want := a.exact(u, v)
	if u != u || len(f.src) > 1 && v != v {
		want = math.NaN()
	}
	j.most = a.bound(u, v)
	if v, ok := j.special(want); ok {
		return v
	}
	return j.compare(want, j.g.decode(got))
}

// A judgement is an approximation of a type, with the bound for certain operands.
type judgement struct {
	approximation
	g       numeral
	typ     string
	flushes bool // subnormal operands and results are zero
	most    float64
}

// isGross reports whether only the upper halves of doubles count.
func (j *judgement) isGross() bool { return j.typ == "f64" && j.flushes }

// special returns the verdict of results that the ISA fixes or says nothing about.
func (j *judgement) special(want float64) (verdict, bool) {
	isFree := j.most == none && j.typ == "f32"
	switch {
	case want != want:
		nan := ones(j.g.exp + j.g.man)
		if j.isGross() {
			nan &^= 0xffffffff
		}
		if j.typ == "f64" && !j.isGross() {
			return verdict{free: true}, true
		}
		return verdict{fixed: true, want: nan}, true
	case isFree:
		return verdict{free: true}, true
	case want == 0 || math.IsInf(want, 0):
		return verdict{fixed: true, want: j.g.encode(want)}, true
	}
	return verdict{}, false
}

// compare returns the error of a value.
func (j *judgement) compare(want, value float64) verdict {
	if value != value {
		return verdict{err: math.Inf(1), ratio: math.Inf(1)}
	}
	low := math.Ldexp(1, 2-1<<(j.g.exp-1)) // the least normal number
	if j.flushes && math.Abs(want) < low && value == 0 {
		return verdict{}
	}
	err := math.Abs(value - want)
	if math.IsInf(value, 0) && math.Signbit(value) == math.Signbit(want) { // the number after the largest
		err = max(0, math.Ldexp(1, 1<<(j.g.exp-1))-math.Abs(want))
	}
	unit := 1.0
	switch j.unit {
	case "ulp":
		unit = j.g.ulp(want)
	case "relative":
		unit = math.Abs(want)
		if unit < low { // the unit is not larger than the distance between two results
			unit = max(unit, j.g.ulp(want)/max(j.most, 0x1p-52))
		}
	}
	err /= unit
	if j.most == none {
		return verdict{err: err}
	}
	return verdict{err: err, ratio: err / j.most}
}

// flush returns the value of an operand; a subnormal one is zero.
func (f numeral) flush(code uint64) float64 {
	if code>>f.man&ones(f.exp) == 0 {
		code &= 1 << (f.exp + f.man)
	}
	return f.decode(code)
}

// ulp returns the distance of two codes at a value.
func (f numeral) ulp(v float64) float64 {
	_, e := math.Frexp(v)
	return math.Ldexp(1, min(max(e-1, 2-1<<(f.exp-1)), 1<<(f.exp-1)-1)-f.man)
}
