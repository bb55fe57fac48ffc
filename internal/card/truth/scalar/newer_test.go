package scalar

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"girih/internal/check/long"
)

// This file is a second source for instructions that only targets after sm_90a have, which no card has been asked
// about: the formulas of the PTX ISA over exact numbers, with a rounding of its own.

// precision is enough bits for the exact sum of a value of .f32 and a product of two.
const precision = 700

// A fraction is an exact number, a NaN, an infinity, or a zero with a sign.
type fraction struct {
	x    *big.Float // nil if name is the value instead
	name float64    // NaN, an infinity or a zero
}

func exact(v float64) fraction {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return fraction{name: v}
	}
	return fraction{x: new(big.Float).SetPrec(precision).SetFloat64(v)}
}

// plus is the sum of two values; the rounding mode decides the sign of a zero sum.
func (a fraction) plus(b fraction, mode string) fraction {
	switch {
	case a.x == nil && b.x == nil && a.name == 0 && b.name == 0:
		if math.Signbit(a.name) == math.Signbit(b.name) {
			return a
		}
		return zeroOf(mode)
	case a.x == nil && a.name == 0:
		return b
	case b.x == nil && b.name == 0:
		return a
	case a.x == nil && b.x == nil:
		return fraction{name: a.name + b.name}
	case a.x == nil:
		return a
	case b.x == nil:
		return b
	}
	s := new(big.Float).SetPrec(precision).Add(a.x, b.x)
	if s.Sign() == 0 {
		return zeroOf(mode)
	}
	return fraction{x: s}
}

func zeroOf(mode string) fraction {
	if mode == "rm" {
		return fraction{name: math.Copysign(0, -1)}
	}
	return fraction{}
}

func (a fraction) times(b fraction) fraction {
	if a.x != nil && b.x != nil {
		return fraction{x: new(big.Float).SetPrec(precision).Mul(a.x, b.x)}
	}
	return fraction{name: a.sign() * b.sign()}
}

// sign returns 1 or -1 if a is a number other than 0, and otherwise a itself.
func (a fraction) sign() float64 {
	if a.x != nil {
		return float64(a.x.Sign())
	}
	return a.name
}

// wholeOf rounds x to an integer.
func wholeOf(x *big.Float, mode string) *big.Int {
	n, _ := x.Int(nil) // rounds toward zero
	rest := new(big.Float).SetPrec(precision).Sub(x, new(big.Float).SetPrec(precision).SetInt(n))
	away := big.NewInt(int64(x.Sign()))
	half := new(big.Float).Abs(rest).Cmp(big.NewFloat(0.5))
	switch {
	case rest.Sign() == 0:
	case mode == "rn" && (half > 0 || half == 0 && n.Bit(0) == 1),
		mode == "rm" && x.Sign() < 0, mode == "rp" && x.Sign() > 0:
		n.Add(n, away)
	}
	return n
}

// A target is a format that is rounded to.
type target struct {
	numeral
	top uint64 // the code of the largest value
	inf bool
	nan uint64
}

var targets = map[string]target{
	"f32": {numerals["f32"], 0x7f7fffff, true, 0x7fffffff}, "f16": {numerals["f16"], 0x7bff, true, 0x7fff},
	"bf16": {numerals["bf16"], 0x7f7f, true, 0x7fff}, "tf32": {numerals["tf32"], 0x3fbff, true, 0x3ffff},
	"e4m3": {numerals["e4m3"], 0x7e, false, 0x7f}, "e5m2": {numerals["e5m2"], 0x7b, true, 0x7f},
	"e2m3": {numerals["e2m3"], 0x1f, false, 0x1f}, "e3m2": {numerals["e3m2"], 0x1f, false, 0x1f},
	"e2m1": {numerals["e2m1"], 7, false, 7},
}

// round rounds the fraction a to the format t and returns its code. With ftz, a becomes 0 if it is still below the
// least normal number after rounding to the precision of a normal number, with the exponent unlimited.
func (t target) round(a fraction, mode string, ftz, finite bool) uint64 {
	sign := uint64(0)
	if math.Signbit(a.name) || a.x != nil && a.x.Signbit() {
		sign = 1 << (t.exp + t.man)
	}
	switch {
	case a.x == nil && a.name != a.name:
		return t.nan
	case a.x == nil && a.name == 0:
		return sign
	case a.x == nil && finite:
		return sign | t.top
	case a.x == nil:
		return sign | (t.top + 1)
	}
	least := 2 - 1<<(t.exp-1)
	e := a.x.MantExp(nil) - 1
	at := func(e int) uint64 { // the mantissa with its leading bit, in units of the last place of an exponent
		n := wholeOf(new(big.Float).SetMantExp(a.x, t.man-e), mode)
		return new(big.Int).Abs(n).Uint64()
	}
	if ftz && e < least && (e < least-1 || at(e) < 2<<t.man) {
		return sign
	}
	e = max(e, least)
	code := uint64(e-least)<<t.man + at(e)
	if code <= t.top {
		return sign | code
	}
	if finite || mode == "rz" || mode == "rm" && sign == 0 || mode == "rp" && sign != 0 {
		return sign | t.top
	}
	return sign | (t.top + 1)
}

// elements returns the values of the parts of an operand, the lowest first.
func elements(typ string, code uint64, ftz bool) []fraction {
	one, n := single(typ)
	f := numerals[one]
	width := 1 + f.exp + f.man
	if n > 1 {
		width = kind(typ).bits() / n
	}
	all := make([]fraction, n)
	for i := range all {
		c := code >> (i * width) & ones(width)
		v := f.decode(c)
		if t := targets[one]; !t.inf && one != "f64" { // no infinities: the largest exponent has numbers
			e, m := int(c>>f.man&ones(f.exp)), c&ones(f.man)
			if e == 1<<f.exp-1 {
				v = math.Ldexp(float64(m|1<<f.man), e-(1<<(f.exp-1)-1)-f.man)
				if c>>(f.exp+f.man)&1 == 1 {
					v = -math.Abs(v)
				}
			}
			if one == "e4m3" && c&0x7f == 0x7f {
				v = math.NaN()
			}
		}
		if ftz && c>>f.man&ones(f.exp) == 0 {
			v = math.Copysign(0, v)
		}
		all[i] = exact(v)
	}
	return all
}

// reference computes a form for the operands of a lane by the formulas of the ISA; ok is false if they say nothing.
func reference(f *Form, src []uint64) (want uint64, ok bool) {
	mode, types := "rn", f.Op.Types()
	for _, m := range []string{"rz", "rm", "rp"} {
		if f.Op.Has(m) {
			mode = m
		}
	}
	ftz, from, to := f.Op.Has("ftz"), string(types[len(types)-1]), string(types[0])
	switch f.Op.Name() {
	case "cvt":
		return referenceConversion(f, src, mode)
	case "min", "max":
		return referenceMinMax(f, src), true
	}
	one, n := single(to)
	for i := range n {
		value := func(k int) fraction {
			typ := from
			if len(types) > 1 && k == len(src)-1 {
				typ = to
			}
			return elements(typ, src[k], ftz)[i]
		}
		a, b := value(0), value(1)
		switch f.Op.Name() {
		case "sub":
			b = b.times(exact(-1))
			fallthrough
		case "add":
			a = a.plus(b, mode)
		case "mul":
			a = a.times(b)
		case "fma":
			a = a.times(b).plus(value(2), mode)
		}
		r := targets[one].round(a, mode, ftz, false)
		if f.Op.Has("sat") {
			r = saturated(r)
		}
		want |= r << (i * 32)
	}
	return want, true
}

// saturated clamps a code of .f32 to [0, 1].
func saturated(code uint64) uint64 {
	switch v := float64(math.Float32frombits(uint32(code))); {
	case !(v > 0):
		return 0
	case v > 1:
		return 0x3f800000
	}
	return code
}

// referenceMinMax is the min or max of any number of .f32 codes.
func referenceMinMax(f *Form, src []uint64) uint64 {
	best, found := uint64(0), false
	least := f.Op.Name() == "min" || f.Op.Has("min")
	for _, c := range src {
		if f.Op.Has("ftz") && c>>23&0xff == 0 {
			c &= 1 << 31
		}
		if f.Op.Has("abs") {
			c &^= 1 << 31
		}
		v := math.Float32frombits(uint32(c))
		if v != v {
			if f.Op.Has("NaN") {
				return 0x7fffffff
			}
			continue
		}
		w := math.Float32frombits(uint32(best))
		less := v < w || v == w && c>>31 == 1
		if !found || less == least {
			best, found = c, true
		}
	}
	if !found {
		return 0x7fffffff
	}
	return best
}

// referenceConversion is a cvt to or from packed formats.
func referenceConversion(f *Form, src []uint64, mode string) (want uint64, ok bool) {
	types := f.Op.Types()
	to, from := string(types[0]), string(types[1])
	var values []fraction
	for _, c := range slices.Backward(src) { // the first source is the upper element
		if from == "ue8m0x2" {
			for i := range 2 {
				e := int(c >> (8 * i) & 0xff)
				v := exact(math.Ldexp(1, e-127))
				if e == 0xff {
					v = exact(math.NaN())
				}
				values = append(values, v)
			}
			continue
		}
		values = append(values, elements(from, c, false)...)
	}
	one, n := single(to)
	width := types[0].Bits() / n
	for i, v := range values {
		r := uint64(0)
		if one == "ue8m0" {
			if v.x == nil && math.IsInf(v.name, 0) {
				return 0, false // without .satfinite the ISA says nothing; with it, the largest
			}
			r = exponentOf(v, mode)
		} else {
			t := targets[one]
			r = t.round(v, mode, false, f.Op.Has("satfinite"))
			if f.Op.Has("relu") && r>>(t.exp+t.man) == 1 {
				r = 0
			}
			if one == "tf32" {
				r <<= 13
			}
		}
		want |= r << (i * width)
	}
	return want, true
}

// exponentOf returns the biased exponent of the magnitude of v, rounded to a power of two.
func exponentOf(v fraction, mode string) uint64 {
	switch {
	case v.x == nil && v.name != v.name:
		return 0xff
	case v.x == nil:
		return 0
	}
	m := new(big.Float)
	e := v.x.MantExp(m) - 1
	if mode == "rp" && m.Abs(m).Cmp(big.NewFloat(0.5)) != 0 {
		e++
	}
	return uint64(max(0, min(e+127, 0xfe)))
}

func TestNewer(t *testing.T) {
	t.Parallel()
	var list []*Form
	for _, f := range Forms() {
		if f.Newer() {
			list = append(list, f)
		}
	}
	all := func(*Form) bool { return true }
	tried, wrong := map[*Form]int{}, map[*Form]int{}
	shards, least := 2, 400
	if long.Tests() {
		shards, least = 5, 1000
	}
	for number := range shards {
		s := NewShard(number, list)
		results, err := s.Simulate(context.Background(), all)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range s.kernels {
			for i := range k.programs {
				for j := range k.programs[i].steps {
					c := comparison{shard: s, kernel: k, step: &k.programs[i].steps[j], card: results}
					for lane := range Lanes {
						compareReference(t, &c, lane, tried, wrong)
					}
				}
			}
		}
	}
	for _, f := range list {
		if tried[f] < least {
			t.Errorf("%s was tried %d times", f.Name(), tried[f])
		}
	}
	t.Logf("%d forms", len(list))
}

// compareReference compares one result of the simulator with the formulas.
func compareReference(t *testing.T, c *comparison, lane int, tried, wrong map[*Form]int) {
	f := c.step.form
	if tried[f] > 1100 {
		return
	}
	var src []uint64
	if f.Op.Name() == "redux" {
		mask := c.source(c.step.src[1], lane)
		if c.step.guard >= 0 && c.source(operand{value: c.step.guard}, lane) == 0 {
			tried[f]++
			return
		}
		for i := range Lanes {
			if mask>>i&1 == 1 {
				src = append(src, c.source(c.step.src[0], i))
			}
		}
		want := referenceMinMax(f, src)
		verify(t, c, lane, want, tried, wrong)
		return
	}
	for i, o := range c.step.src {
		src = append(src, c.source(o, lane)&ones(max(16, f.src[i].bits())))
	}
	if want, ok := reference(f, src); ok {
		verify(t, c, lane, want, tried, wrong)
	}
}

func verify(t *testing.T, c *comparison, lane int, want uint64, tried, wrong map[*Form]int) {
	f := c.step.form
	tried[f]++
	got := c.card[c.kernel.values[c.step.dst[0].value].slot*Lanes+lane]
	if got == want {
		return
	}
	if wrong[f]++; wrong[f] <= 3 {
		var src []string
		for _, o := range c.step.src {
			src = append(src, code(c.source(o, lane)))
		}
		t.Errorf("%s of %s: %x, expected %x", f.Name(), strings.Join(src, ", "), got, want)
	}
}
