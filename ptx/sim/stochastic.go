package sim

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"girih/ptx"
)

// This file converts with stochastic rounding, cvt.rs (PTX ISA 9.7.9.21): a number is added to the discarded bits of
// the mantissa, and a carry rounds away from zero. For .f16x2 and .bf16x2 the number has as many bits as are discarded.
// The formats of 8 and 6 bits discard more than the 16 bits of their number, which are added to the upper ones. The ISA
// says which half of the register rounds which pair of values; an sm_100 reads it from left to right for one value of
// the pair and from right to left for the other (FlashInfer, mamba/conversion.cuh, compared its formula with a card for
// .e4m3x4). Numbers below the least normal one discard more bits; there, too, the bits are added to the upper ones.
// Figure 41 of the ISA is for all four types of 8 and 6 bits. For .e2m1x4 the ISA only says which bytes round a pair.

// cvtStochastic reads cvt.rs.
func (d *decoder) cvtStochastic(o *opcode, to ptx.Type) (step, error) {
	if err := d.needsTarget(o, "sm_100", "sm_103"); err != nil {
		return nil, err
	}
	if to == "e2m1x4" {
		return nil, fmt.Errorf("the instruction %s is not known: the PTX ISA does not say in words which random bits round which element of a pair",
			o.Op)
	}
	name, four := strings.CutSuffix(string(to), "x4")
	s := &stochastic{f: smallFormats[strings.TrimSuffix(name, "x2")].f, finite: o.has("satfinite"), relu: o.has("relu")}
	if o.has("rs"); !four {
		s.random = 16
		if s.f == formatF16 {
			s.random = 13
		}
		return d.applyMixed(o, []ptx.Type{ptx.F32, ptx.F32, ptx.B32}, func(x []uint64) uint64 {
			return s.round(x[0], x[2]>>16)<<16 | s.round(x[1], x[2])
		})
	}
	s.random = 16
	r := d.reader(o)
	dst, list, number := r.dst(), r.srcs(ptx.F32), r.src(ptx.B32)
	if r.err == nil && len(list) != 4 {
		r.fail("%d values, expected 4", len(list))
	}
	return r.end(mapN(dst, append(list, number), func(x []uint64) uint64 {
		high, low := x[4]>>16, x[4]
		turn := func(n uint64) uint64 { return uint64(bits.Reverse16(uint16(n))) }
		return s.round(x[0], turn(high))<<24 | s.round(x[1], high)<<16 | s.round(x[2], turn(low))<<8 | s.round(x[3], low)
	}))
}

// stochastic rounds to a format with the low bits of a number.
type stochastic struct {
	f            *format
	random       int // bits
	finite, relu bool
}

// round returns the code of a value of .f32.
func (s *stochastic) round(x, number uint64) uint64 {
	v, f := formatF32.value(x), s.f
	sign := f.sign()
	if v != v {
		return f.round(v, toZero)
	}
	if !math.Signbit(v) {
		sign = 0
	} else if s.relu {
		return 0
	}
	code := f.top + 1
	if v = math.Abs(v); !math.IsInf(v, 0) {
		least := 2 - 1<<(f.exp-1) // the exponent of the least normal number
		_, e := math.Frexp(v)
		e = max(e-1, least)
		// The sum is exact: v has 24 bits, and those below the number's cannot carry.
		n := math.Floor(math.Ldexp(v, f.man-e) + math.Ldexp(float64(number&ones(s.random)), -s.random))
		code = uint64(e-least)<<f.man + uint64(n)
	}
	if code > f.top {
		if code = f.top + 1; s.finite {
			code = f.top
		}
	}
	return sign | code
}
