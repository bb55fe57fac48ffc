package dtype

import "math"

// Decode returns the value of a code as a float64, exactly: infinities and NaN stay what they are, and zero keeps its
// sign. The low 13 bits of a [TF32] do not count. It returns [CodeRange] for a code with bits outside the type and for
// an integer that no float64 equals (see [Type.DecodeInt]), and [CodeType] for bits without a meaning.
func (t Type) Decode(code uint64) (float64, error) {
	if err := t.checkCode(code); err != nil {
		return 0, err
	}
	r := t.row()
	if r.kind == Float {
		return r.format.value(code), nil
	}
	if r.kind == Signed {
		x := signExtend(code, r.bits)
		if f := float64(x); f < 1<<63 && int64(f) == x {
			return f, nil
		}
		return 0, refuse(CodeRange, "%d is no float64: it has more than 53 significant bits", x)
	}
	if f := float64(code); f < 1<<64 && uint64(f) == code {
		return f, nil
	}
	return 0, refuse(CodeRange, "%d is no float64: it has more than 53 significant bits", code)
}

// DecodeInt returns the value of a code as an int64, exactly. It returns [CodeRange] for a code with bits outside of
// the type, a fraction, infinity or NaN, and values beyond 64 bits with sign, and [CodeType] for bits without a
// meaning.
func (t Type) DecodeInt(code uint64) (int64, error) {
	if err := t.checkCode(code); err != nil {
		return 0, err
	}
	r := t.row()
	switch r.kind {
	case Signed:
		return signExtend(code, r.bits), nil
	case Natural:
		if code > math.MaxInt64 {
			return 0, refuse(CodeRange, "%d is beyond the largest int64, %d", code, int64(math.MaxInt64))
		}
		return int64(code), nil
	}
	f := r.format.value(code)
	if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
		return 0, refuse(CodeRange, "%v, the value of %#x as %v, is no int64", f, code, t)
	}
	return int64(f), nil
}

// checkCode refuses codes that have bits outside of the type.
func (t Type) checkCode(code uint64) error {
	if err := t.checkMeaning(); err != nil {
		return err
	}
	if w := t.width(); code>>w != 0 {
		return refuse(CodeRange, "%#x has bits beyond the %d of %v", code, w, t)
	}
	return nil
}

// checkMeaning refuses types whose codes have no values.
func (t Type) checkMeaning() error {
	if !t.valid() {
		return refuse(CodeType, "%v is no element type", t)
	}
	if t.Kind() == Raw {
		return refuse(CodeType, "%v is %d bits without a meaning: name a type of that width", t, t.Bits())
	}
	return nil
}

// width returns the number of bits of a code that may be set.
func (t Type) width() int {
	if r := t.row(); r.kind == Float {
		return r.format.sign() + r.format.signBits()
	}
	return t.Bits()
}

// signExtend reads the low n bits as two's complement.
func signExtend(code uint64, n int) int64 { return int64(code<<(64-n)) >> (64 - n) }

// sign returns the place of the sign bit, also for a format without a sign.
func (f *format) sign() int { return f.shift + f.mantissa + f.exponent }

// signBits returns 1, or 0 for a format without a sign.
func (f *format) signBits() int {
	if f.unsigned {
		return 0
	}
	return 1
}

// value returns the value of a code without stray bits.
func (f *format) value(code uint64) float64 {
	negative := !f.unsigned && code>>f.sign()&1 != 0
	digits := code >> f.shift & (1<<(f.mantissa+f.exponent) - 1)
	x := f.magnitude(digits)
	if f.special == minusNil && negative && digits == 0 {
		return math.NaN()
	}
	if negative {
		return -x
	}
	return x
}

// magnitude returns the value of the exponent and the mantissa; digits has the mantissa in its low bits and the
// exponent above.
func (f *format) magnitude(digits uint64) float64 {
	e := int(digits >> f.mantissa)
	m := digits & (1<<f.mantissa - 1)
	top := 1<<f.exponent - 1
	switch {
	case f.special == ieee && e == top && m == 0:
		return math.Inf(1)
	case f.special == ieee && e == top:
		return math.NaN()
	case (f.special == allOnes || f.special == powers) && digits == 1<<(f.mantissa+f.exponent)-1:
		return math.NaN()
	case e == 0 && f.special != powers: // subnormal: no leading one, and the exponent of 1
		e = 1
	default:
		m |= 1 << f.mantissa
	}
	return math.Ldexp(float64(m), e-f.bias-f.mantissa)
}
