package sim

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"girih/ptx"
)

func convertRow(name string) row {
	if name == "cvt" {
		return (*decoder).cvt
	}
	return nil
}

// smallFormats maps the name of an element of a packed or alternate type to its format; bits is the element's width in
// a pack.
var smallFormats = map[string]struct {
	f    *format
	bits int
}{
	"f16": {formatF16, 16}, "bf16": {formatBF16, 16}, "e4m3": {formatE4M3, 8}, "e5m2": {formatE5M2, 8},
	"e3m2": {formatE3M2, 8}, "e2m3": {formatE2M3, 8}, "e2m1": {formatE2M1, 4},
}

// packOf returns the format and the width of the two elements of a packed type.
func packOf(t ptx.Type) (f *format, n int) {
	name, ok := strings.CutSuffix(string(t), "x2")
	if !ok {
		return nil, 0
	}
	s := smallFormats[name]
	return s.f, s.bits
}

// cvt reads conversions between all types (PTX ISA 9.7.9.21).
func (d *decoder) cvt(o *opcode) (step, error) {
	if o.has("pack") {
		return d.packSaturated(o)
	}
	types := o.types()
	switch {
	case len(types) == 2 && o.Op.Has("rs"):
		return d.cvtStochastic(o, types[0])
	case len(types) != 2:
		return nil, fmt.Errorf("expected two types that are known, found %d", len(types))
	}
	to, from := types[0], types[1]
	if isInteger(to) && !isInteger(from) && o.rounding() == unstated {
		return nil, fmt.Errorf("expected a rounding to integers: .rni, .rzi, .rmi or .rpi")
	}
	if to == "ue8m0x2" || from == "ue8m0x2" {
		return d.cvtScale(o, to, from)
	}
	if pf, _ := packOf(to); pf != nil {
		return d.cvtPack(o, to, from)
	}
	return d.cvtScalar(o, to, from)
}

// cvtScalar reads a conversion of one value.
func (d *decoder) cvtScalar(o *opcode, to, from ptx.Type) (step, error) {
	r := d.reader(o)
	r.keep(o.need(2, 2))
	dst, a := r.dst(), r.src(from)
	if r.err != nil {
		return nil, r.err
	}
	op := conversion(o, to, from)
	if op == nil {
		return nil, fmt.Errorf("there is no such conversion")
	}
	m := ones(from.Bits())
	wide, n := d.slots[dst].bits, to.Bits()
	if begins(to, 's') && wide > n {
		return map1(dst, a, func(x uint64) uint64 { return uint64(extend(op(x&m), n)) & ones(wide) }), nil
	}
	return map1(dst, a, func(x uint64) uint64 { return op(x & m) }), nil
}

func isInteger(t ptx.Type) bool {
	return begins(t, 's') || begins(t, 'u') && !strings.HasPrefix(string(t), "ue")
}

// converter converts one value.
type converter struct {
	to, from        ptx.Type
	mode            rounding
	small           subnormals
	sat             bool
	relu, satfinite bool
	integral        bool // rounds to an integer of the same format
}

// conversion returns a conversion of one value, or nil.
func conversion(o *opcode, to, from ptx.Type) func(x uint64) uint64 {
	c := &converter{to: to, from: from, mode: o.rounding(), small: o.subnormals(), sat: o.has("sat")}
	switch {
	case isInteger(to) && isInteger(from):
		return c.integerToInteger
	case isInteger(to):
		val := valueOf(from, c.small)
		if val == nil || c.mode == unstated {
			return nil
		}
		return func(x uint64) uint64 { return c.floatToInteger(val(x)) }
	case isInteger(from):
		return c.integerToFloat()
	}
	c.relu, c.satfinite = o.has("relu"), o.has("satfinite")
	c.integral = o.Op.Has("rni") || o.Op.Has("rzi") || o.Op.Has("rmi") || o.Op.Has("rpi")
	return c.floatToFloat()
}

// subnormals says how subnormal values of .f32 are handled.
type subnormals uint8

const (
	kept subnormals = iota
	flushed
)

func (o *opcode) subnormals() subnormals {
	if o.has("ftz") {
		return flushed
	}
	return kept
}

// integerToInteger keeps the low bits, or clamps.
func (c *converter) integerToInteger(x uint64) uint64 {
	n := c.to.Bits()
	m, neg := ones(n), false
	if begins(c.from, 's') {
		x = uint64(extend(x, c.from.Bits()))
		neg = int64(x) < 0
	}
	switch {
	case !c.sat:
		return x & m
	case begins(c.to, 'u') && neg:
		return 0
	case begins(c.to, 'u'):
		return min(x, m)
	case neg:
		return uint64(max(int64(x), -1<<(n-1))) & m
	}
	return min(x, m>>1)
}

// valueOf returns a function from codes of a type to their values.
func valueOf(t ptx.Type, small subnormals) func(x uint64) float64 {
	if t == ptx.F64 {
		return math.Float64frombits
	}
	f := scalarFormat(t)
	if f == nil {
		return nil
	}
	if small == flushed && f == formatF32 {
		return func(x uint64) float64 { return f.value(f.flush(x)) }
	}
	return f.value
}

func scalarFormat(t ptx.Type) *format {
	if t == ptx.TF32 {
		return formatTF32
	}
	f, packed := formatOf(t)
	if packed {
		return nil
	}
	return f
}

// roundInteger rounds to an integer.
func roundInteger(x float64, mode rounding) float64 {
	switch mode {
	case toZero:
		return math.Trunc(x)
	case toDown:
		return math.Floor(x)
	case toUp:
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

// floatToInteger clamps to the range of the type. NaN becomes 0, or the sign bit if either type has 64 bits.
func (c *converter) floatToInteger(x float64) uint64 {
	to, n := c.to, c.to.Bits()
	if x != x {
		if c.from == ptx.F64 || n == 64 {
			return 1 << (n - 1)
		}
		return 0
	}
	x = roundInteger(x, c.mode)
	lo, hi := 0.0, math.Ldexp(1, n)
	if begins(to, 's') {
		lo, hi = -math.Ldexp(1, n-1), math.Ldexp(1, n-1)
	}
	switch {
	case x < lo:
		return uint64(int64(lo)) & ones(n)
	case x >= hi && begins(to, 's'):
		return ones(n - 1)
	case x >= hi:
		return ones(n)
	case x < 0:
		return uint64(int64(x)) & ones(n)
	case x >= 1<<63:
		return uint64(x-1<<63) + 1<<63
	}
	return uint64(x)
}

// integerToFloat rounds an integer of up to 64 bits once.
func (c *converter) integerToFloat() func(x uint64) uint64 {
	k, from := c.from.Bits(), c.from
	f := scalarFormat(c.to)
	if f == nil && c.to != ptx.F64 {
		return nil
	}
	return func(x uint64) uint64 {
		neg := begins(from, 's') && extend(x, k) < 0
		mag := x & ones(k)
		if neg {
			mag = -uint64(extend(x, k))
		}
		if f == nil {
			sign := 1
			if neg {
				sign = -1
			}
			v := integerToDouble(mag, sign, c.mode)
			if c.sat {
				v = max(0, min(v, 1))
			}
			return math.Float64bits(v)
		}
		v := float64(mag)
		if sh := bits.Len64(mag) - 53; sh > 0 { // sets the last kept bit if any lost bit is 1, which rounds to odd
			top := mag >> sh
			if mag&ones(sh) != 0 {
				top |= 1
			}
			v = math.Ldexp(float64(top), sh)
		}
		if neg {
			v = -v
		}
		r := f.round(v, c.mode)
		if c.sat {
			r = f.saturate(r)
		}
		return r
	}
}

// integerToDouble rounds a magnitude with its sign to .f64.
func integerToDouble(mag uint64, sign int, mode rounding) float64 {
	v := float64(mag) // rounds to nearest even
	diff := 0
	if v >= 1<<64 {
		diff = -1
	} else if got := uint64(v); got > mag {
		diff = -1
	} else if got < mag {
		diff = 1
	}
	v, diff = v*float64(sign), diff*sign
	if mode <= toEven {
		return v
	}
	return direct(v, diff, mode)
}

// floatToFloat rounds to another format, or to an integer in the same format.
func (c *converter) floatToFloat() func(x uint64) uint64 {
	if c.to == ptx.F16 { // .ftz applies to values of .f32, but an H100 keeps even subnormal .f32 here
		c.small = kept
	}
	val, f := valueOf(c.from, c.small), scalarFormat(c.to)
	switch {
	case val == nil || f == nil && c.to != ptx.F64:
		return nil
	case c.isMove():
		return func(x uint64) uint64 { return x }
	case f == nil:
		return c.floatToDouble(val)
	}
	round := f.round
	if c.small == flushed && f == formatF32 {
		round = f.roundFlushed
	}
	return func(x uint64) uint64 {
		v := val(x)
		if v != v {
			return c.nan(x)
		}
		if c.integral {
			v = roundInteger(v, c.mode)
		}
		r := round(v, c.mode)
		if c.satfinite {
			r = f.roundFinite(v, c.mode)
		}
		if c.sat {
			r = f.saturate(r)
		}
		if c.relu {
			r = f.relu(r)
		}
		return r
	}
}

// isMove reports whether a conversion of .f32 or .f64 leaves every value as it is.
func (c *converter) isMove() bool {
	return c.to == c.from && (c.to == ptx.F32 || c.to == ptx.F64) && !c.integral && !c.sat && c.small == kept
}

// floatToDouble converts to .f64, which has every value of the other formats.
//
//go:noinline
func (c *converter) floatToDouble(val func(x uint64) float64) func(x uint64) uint64 {
	return func(x uint64) uint64 {
		v := val(x)
		switch {
		case v != v:
			return c.nan(x)
		case c.integral:
			v = roundInteger(v, c.mode)
		}
		switch {
		case c.sat && !(v > 0):
			return 0
		case c.sat:
			return math.Float64bits(min(v, 1))
		}
		return math.Float64bits(v)
	}
}

// nan returns the result of converting a NaN, as on an H100; the ISA leaves the payload open except for .relu. To or
// from .f64, the result keeps the mantissa bits that both formats have, and is quiet. Otherwise it is mostly the NaN
// that operations return.
func (c *converter) nan(x uint64) uint64 {
	f, g := scalarFormat(c.to), scalarFormat(c.from)
	switch {
	case c.sat:
		return 0
	case f == nil && g == nil:
		return x | 1<<51
	case f == nil:
		if c.small == flushed {
			x = g.nan
		}
		m := x & ones(g.man)
		return x>>(g.width()-1)<<63 | 0x7ff8<<48 | m<<(52-g.man)
	case g == nil:
		return x>>63<<(f.width()-1) | ones(f.exp)<<f.man | 1<<(f.man-1) | x>>(52-f.man)&ones(f.man)
	case g == formatBF16 && f == formatF32 && c.small == kept:
		return x << 16
	case f == formatTF32 && c.mode == toAway && c.satfinite: // one less than for an infinity
		return x&^ones(f.shift) - 1<<f.shift
	case f == formatTF32 && c.mode == toAway:
		return x &^ ones(f.shift)
	}
	return f.round(math.NaN(), c.mode)
}

// cvtPack reads conversions to two packed values: from two .f32, the first into the upper half, or from a pack.
func (d *decoder) cvtPack(o *opcode, to, from ptx.Type) (step, error) {
	f, n := packOf(to)
	mode := o.rounding()
	relu, satfinite := o.has("relu"), o.has("satfinite")
	small := o.subnormals()
	one := func(v float64) uint64 {
		r := f.round(v, mode)
		if satfinite {
			r = f.roundFinite(v, mode)
		}
		if !relu || v != v {
			return r
		}
		if r&f.sign() != 0 {
			return 0
		}
		return r
	}
	if from == ptx.F32 {
		val := valueOf(from, small)
		return d.apply2(o, ptx.F32, func(x, y uint64) uint64 { return one(val(x))<<n | one(val(y)) })
	}
	g, k := packOf(from)
	if g == nil {
		return nil, fmt.Errorf("there is no such conversion")
	}
	m := ones(k)
	return d.apply1(o, from, func(x uint64) uint64 { return one(g.value(x>>k&m))<<n | one(g.value(x&m)) })
}

// packSaturated reads cvt.pack, which clamps two integers to a narrower type and puts the first above the second. The
// remaining upper bits are low bits of a third operand (PTX ISA 9.7.9.22).
func (d *decoder) packSaturated(o *opcode) (step, error) {
	sizes := map[string]int{"s16": 16, "u16": 16, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "s2": 2, "u2": 2}
	to := o.one("s16", "u16", "s8", "u8", "s4", "u4", "s2", "u2")
	n, from := sizes[to], o.one("s32")
	if n == 0 || from == "" || !o.has("sat") || (n < 16) != (o.one("b32") != "") {
		return nil, fmt.Errorf("expected .sat, a type of 16 bits and .s32, or one of 8, 4 or 2 bits, .s32 and .b32")
	}
	lo, hi := int64(0), int64(ones(n))
	if to[0] == 's' {
		lo, hi = -1<<(n-1), 1<<(n-1)-1
	}
	clamp := func(x uint64) uint64 { return uint64(max(lo, min(extend(x, 32), hi))) & ones(n) }
	types := []ptx.Type{ptx.S32, ptx.S32, ptx.B32}
	if n == 16 {
		types = types[:2]
	}
	return d.applyMixed(o, types, func(x []uint64) uint64 {
		v := clamp(x[0])<<n | clamp(x[1])
		if n < 16 {
			v |= x[2] << (2 * n)
		}
		return v & 0xffffffff
	})
}

// cvtScale reads conversions to and from powers of two, .ue8m0x2.
func (d *decoder) cvtScale(o *opcode, to, from ptx.Type) (step, error) {
	mode := o.rounding()
	o.skip("satfinite")
	if from == "ue8m0x2" {
		if to != ptx.BF16x2 {
			return nil, fmt.Errorf("there is no such conversion")
		}
		one := func(x uint64) uint64 {
			if x == 0xff {
				return formatBF16.nan
			}
			return formatBF16.round(math.Ldexp(1, int(x)-127), toEven)
		}
		return d.apply1(o, from, func(x uint64) uint64 { return one(x>>8&0xff)<<16 | one(x&0xff) })
	}
	one := func(v float64) uint64 { return scaleCode(v, mode) }
	switch from {
	case ptx.F32:
		return d.apply2(o, from, func(x, y uint64) uint64 { return one(formatF32.value(x))<<8 | one(formatF32.value(y)) })
	case ptx.BF16x2:
		return d.apply1(o, from, func(x uint64) uint64 {
			return one(formatBF16.value(x>>16))<<8 | one(formatBF16.value(x&0xffff))
		})
	}
	return nil, fmt.Errorf("there is no such conversion")
}

// scaleCode returns the exponent of |v|, rounded up or to zero, within 2^-127 to 2^127.
func scaleCode(v float64, mode rounding) uint64 {
	v = math.Abs(v)
	switch {
	case v != v:
		return 0xff
	case math.IsInf(v, 0):
		return 0xfe
	case v == 0:
		return 0
	}
	frac, e := math.Frexp(v) // v = frac * 2^e, where frac is at least 0.5 and below 1
	e--
	if mode == toUp && frac != 0.5 {
		e++
	}
	return uint64(max(0, min(e+127, 0xfe)))
}
