package scalar

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// A source of random numbers with a fixed sequence (splitmix64), because digests depend on it.
type source uint64

func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (s *source) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// one reports true once in n times.
func (s *source) one(n int) bool { return s.below(n) == 0 }

// shuffle puts a list into a random order.
func shuffle[T any](s *source, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := s.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// draw returns a value of a kind.
func (s *source) draw(k kind) uint64 {
	base, how := k.parts()
	if how != "" && how != "wide" && how != "own" && how != "few" && how != "same" && how != "D" {
		if v, ok := s.near(base, how); ok && !s.one(3) {
			return v
		}
	}
	element, n := single(base)
	if n > 1 {
		width := k.bits() / n
		if base == "ue8m0x2" {
			width = 8
		}
		v := uint64(0)
		for i := range n {
			v |= s.scalar(element, width) << (i * width)
		}
		return v
	}
	return s.scalar(base, k.bits())
}

func (s *source) scalar(base string, n int) uint64 {
	switch base {
	case "pred":
		return s.next() & 1
	case "shift", "pos", "vshift":
		return s.count()
	case "sel", "lane":
		if base == "lane" && !s.one(3) {
			return uint64(s.below(40)) - uint64(4*s.below(2))&0xffffffff
		}
		return s.next() & 0xffffffff >> (16 * s.below(2))
	case "clamp":
		return s.clamp()
	}
	if f, ok := numerals[base]; ok {
		return f.draw(s)
	}
	return s.integer(n)
}

// count returns a number of bits: within a register, at its ends, or far beyond.
func (s *source) count() uint64 {
	switch s.below(8) {
	case 0:
		return []uint64{0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 127, 128, 255, 256, 257}[s.below(19)]
	case 1:
		return s.next() & 0xffffffff
	case 2:
		return s.next() & 0xff
	}
	return s.next() & 63 >> s.below(3)
}

// clamp returns bounds of a shuffle: a segment of some width, most of the time.
func (s *source) clamp() uint64 {
	if s.one(3) {
		return s.next() & 0x1f1f
	}
	width := 1 << s.below(6)
	bound := uint64(0x1f)
	if s.one(2) {
		bound = 0
	}
	return uint64(32-width)<<8 | bound
}

// integer returns an integer of n bits: near the ends of a range or a power of two, or of any size.
func (s *source) integer(n int) uint64 {
	m := ones(n)
	small := uint64(s.below(5)) - 2
	switch s.below(8) {
	case 0:
		return small & m
	case 1: // the limits of the signed type
		return (1<<(n-1) + small) & m
	case 2:
		return (1<<s.below(n) + small) & m
	case 3:
		return ^(1<<s.below(n) + small) & m
	case 4: // a run of ones
		return ones(1+s.below(n)) << s.below(n) & m
	case 5:
		return s.next() >> s.below(64) & m
	}
	return s.next() & m
}

// draw returns a code of a format.
func (f numeral) draw(s *source) uint64 {
	sign := s.next() & 1 << (f.exp + f.man)
	bias, top := 1<<(f.exp-1)-1, ones(f.exp)<<f.man
	mantissa := s.next() & ones(f.man)
	if s.one(4) {
		mantissa = ones(f.man) << s.below(f.man+1) & ones(f.man)
	}
	switch s.below(16) {
	case 0:
		return sign
	case 1:
		return sign | []uint64{1, 2, ones(f.man), ones(f.man) - 1, 1 << (f.man - 1)}[s.below(5)]
	case 2: // subnormal
		return sign | mantissa
	case 3: // the smallest normal numbers
		return sign | 1<<f.man + mantissa&3
	case 4: // one
		return sign | uint64(bias)<<f.man + uint64(s.below(3)) - 1
	case 5: // the largest numbers
		return sign | top - 1 - mantissa&1
	case 6:
		return sign | top
	case 7: // quiet and signalling NaNs whose payload has some random bits
		if s.one(3) {
			mantissa = s.next() & ones(1+s.below(f.man))
		}
		return sign | top | max(mantissa, 1)
	case 8: // a small multiple of a half
		return sign | f.encode(float64(s.below(64))/2)
	case 9, 10:
		return sign | s.next()&(ones(f.exp)<<f.man) | mantissa
	case 11:
		return s.next() & ones(1+f.exp+f.man)
	}
	e := max(0, min(bias+s.below(9)-4, 1<<f.exp-2))
	return sign | uint64(e)<<f.man | mantissa
}

// decode returns the value of a code.
func (f numeral) decode(code uint64) float64 {
	bias := 1<<(f.exp-1) - 1
	e, m := int(code>>f.man&ones(f.exp)), code&ones(f.man)
	v := math.Ldexp(float64(m|1<<f.man), e-bias-f.man)
	switch {
	case e == 0:
		v = math.Ldexp(float64(m), 1-bias-f.man)
	case e == 1<<f.exp-1 && m == 0:
		v = math.Inf(1)
	case e == 1<<f.exp-1:
		v = math.NaN()
	}
	if code>>(f.exp+f.man)&1 == 1 {
		return math.Copysign(v, -1)
	}
	return v
}

// encode returns the code of a value that is cut off towards zero.
func (f numeral) encode(v float64) uint64 {
	sign := uint64(0)
	if math.Signbit(v) {
		sign = 1 << (f.exp + f.man)
	}
	v = math.Abs(v)
	bias, top := 1<<(f.exp-1)-1, ones(f.exp)<<f.man
	switch {
	case v != v:
		return sign | top | 1<<(f.man-1)
	case math.IsInf(v, 0):
		return sign | top
	case v == 0:
		return sign
	}
	frac, e := math.Frexp(v) // frac is at least 1/2 and below 1
	e += bias - 1
	if e >= 1<<f.exp-1 {
		return sign | top
	}
	if e <= 0 {
		return sign | uint64(math.Ldexp(v, bias-1+f.man))
	}
	return sign | uint64(e)<<f.man | uint64(math.Ldexp(frac, f.man+1))&ones(f.man)
}

// near returns a value of a type at a place where its conversion to another one changes: the middle between two
// numbers, or one of its neighbours. A conversion to an integer changes at halves and at the ends of its range.
func (s *source) near(from, to string) (uint64, bool) {
	element, n := single(from)
	f, ok := numerals[element]
	if !ok {
		return 0, false
	}
	target, _ := single(to)
	width := 1 + f.exp + f.man
	v := uint64(0)
	for i := range n {
		code, ok := s.nearOne(f, target)
		if !ok {
			return 0, false
		}
		v |= code << (i * width)
	}
	return v, true
}

func (s *source) nearOne(f numeral, to string) (uint64, bool) {
	var x float64
	if g, ok := numerals[to]; ok {
		if s.one(12) { // a little below the smallest normal number
			least := g.decode(1 << g.man)
			return f.encode(math.Copysign(least-math.Ldexp(least, -g.man-s.below(5)), float64(s.below(2))-0.5)), true
		}
		code := g.draw(s) &^ (1 << (g.exp + g.man))
		a, b := g.decode(code), g.decode(code+1)
		switch {
		case a != a:
			return f.draw(s), true
		case b != b || math.IsInf(b, 0):
			b = a + (a - g.decode(code-1))
		}
		x = a + (b-a)/2
	} else if to == "oob" {
		return []uint64{0x7ff7, 0x7ff7, 0x7ff7, 0x7ff6, 0xfff7, f.draw(s)}[s.below(6)], true
	} else if to == "angle" {
		x = (float64(s.next()>>11)/(1<<53)*2 - 1) * []float64{2, 2, 100}[s.below(3)] * math.Pi
	} else {
		n, err := strconv.Atoi(strings.TrimLeft(to, "us"))
		if err != nil {
			return 0, false
		}
		x = math.Abs(float64(int64(s.integer(n)))) + float64(s.below(4))/4
		if to[0] == 's' {
			x = math.Abs(float64(int64(s.integer(n)<<(64-n))>>(64-n))) + float64(s.below(4))/4
		}
	}
	code := f.encode(x) + uint64(s.below(3)) - 1
	if code > ones(f.exp+f.man) {
		code = 0
	}
	return code | s.next()&1<<(f.exp+f.man), true
}
