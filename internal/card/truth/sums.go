package truth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"girih/atom"
	"girih/dtype"
	"girih/internal/machine/dot"
)

// This file makes the experiments on how an MMA adds: random operands of several kinds, whose results are compared, bit
// for bit, with a model.

// A Sum is one element of D and its operands, as codes: A of its row and B of its column, in the order of k, without
// the products that a sparse operation leaves out.
type Sum struct {
	Kind string // the kind of the random numbers
	A, B []uint64
	C, D uint64
}

// A draw is a kind of random numbers: it fills a row of A and a column of B, or C.
type draw struct {
	name string
	ab   func(r *rand.Rand, t dtype.Type) uint64
	c    func(r *rand.Rand, t dtype.Type) uint64
}

// withExponent returns the code of a number with a random significand, exponent e and a random sign, or 0 if the type
// has no number near.
func withExponent(r *rand.Rand, t dtype.Type, e int) uint64 {
	if t.Kind() != dtype.Float {
		return r.Uint64() & (1<<t.Bits() - 1)
	}
	x := math.Ldexp(1+r.Float64(), e)
	if r.IntN(2) == 0 {
		x = -x
	}
	c, err := t.EncodeSaturating(x)
	if err != nil {
		return 0
	}
	return c
}

// exponents returns the range of exponents of a type, subnormal numbers left out.
func exponents(t dtype.Type) (low, high int) {
	switch t {
	case dtype.F16:
		return -14, 15
	case dtype.E5M2:
		return -14, 14
	case dtype.E4M3:
		return -6, 7
	case dtype.F64:
		return -1000, 1000
	}
	return -120, 120
}

// draws are the kinds. The last three include special values.
var draws = []draw{
	{"normal", gauss, gauss},
	{"exponents -4 to 4", within(-4, 4), within(-8, 8)},
	{"exponents -14 to 14", within(-14, 14), within(-28, 28)},
	{"few products", few(within(-14, 14)), within(-20, 20)},
	{"few products, no C", few(within(-6, 6)), zero},
	{"close, positive", positive, positive},
	{"small C", within(-2, 2), within(-26, -6)},
	{"large C", within(-2, 2), within(0, 24)},
	{"all codes", anyCode, anyCode},
	{"infinity and NaN", few(special), special},
	{"subnormal", subnormal, subnormal},
}

func gauss(r *rand.Rand, t dtype.Type) uint64 {
	if t.Kind() != dtype.Float {
		return withExponent(r, t, 0)
	}
	c, err := t.Encode(r.NormFloat64())
	if err != nil {
		return 0
	}
	return c
}

func within(low, high int) func(*rand.Rand, dtype.Type) uint64 {
	return func(r *rand.Rand, t dtype.Type) uint64 {
		least, most := exponents(t)
		a, b := max(low, least), min(high, most)
		return withExponent(r, t, a+r.IntN(max(1, b-a+1)))
	}
}

func few(f func(*rand.Rand, dtype.Type) uint64) func(*rand.Rand, dtype.Type) uint64 {
	return func(r *rand.Rand, t dtype.Type) uint64 {
		if r.IntN(2) == 0 {
			return 0
		}
		return f(r, t)
	}
}

func zero(*rand.Rand, dtype.Type) uint64 { return 0 }

func positive(r *rand.Rand, t dtype.Type) uint64 {
	if t.Kind() != dtype.Float {
		return withExponent(r, t, 0) >> 1
	}
	c, err := t.EncodeSaturating(1 + r.Float64())
	if err != nil {
		return 0
	}
	return c
}

func anyCode(r *rand.Rand, t dtype.Type) uint64 {
	c := r.Uint64()
	if t.Bits() < 64 {
		c &= 1<<t.Bits() - 1
	}
	// About one number in 40 is an infinity or NaN; with more, every sum would be NaN.
	if _, high := exponents(t); t.Kind() == dtype.Float && r.IntN(40) != 0 {
		if v, err := t.Decode(c); err != nil || v-v != 0 {
			return withExponent(r, t, high)
		}
	}
	return c
}

// special returns infinity or NaN one time of 16.
func special(r *rand.Rand, t dtype.Type) uint64 {
	if t.Kind() != dtype.Float || r.IntN(16) != 0 {
		return within(-2, 2)(r, t)
	}
	c, err := t.Encode(math.Inf(r.IntN(2)*2 - 1))
	if err != nil { // e4m3
		return r.Uint64()&0x80 | 0x7f
	}
	if r.IntN(2) == 0 {
		c |= r.Uint64() & (1<<(t.Bits()-7) - 1) // a random payload
	}
	return c
}

func subnormal(r *rand.Rand, t dtype.Type) uint64 {
	if t.Kind() != dtype.Float {
		return withExponent(r, t, 0)
	}
	low, _ := exponents(t)
	if low == -120 {
		low = -126
	}
	if low == -1000 {
		low = -1022
	}
	switch r.IntN(4) {
	case 0:
		return withExponent(r, t, 0)
	case 1:
		return withExponent(r, t, low/2)
	}
	return withExponent(r, t, low-r.IntN(12))
}

// sums is the experiments on the sums of an operation.
type sums struct {
	x      *multiplication
	inputs []sumCase
}

type sumCase struct {
	kind    string
	a, b, c []uint64 // by element
	chosen  []int
}

// perKind is the number of cases of each kind; a case has M·N sums.
const perKind = 10

// newSums draws the numbers.
func newSums(x *multiplication) *sums {
	s := &sums{x: x}
	random := rand.New(rand.NewPCG(15, 2026))
	for _, d := range draws {
		for range perKind {
			s.add(random, d)
		}
	}
	return s
}

// batch returns the experiments for a kernel with the selector 0.
func (s *sums) batch(kernel string) Batch {
	b := &builder{kernel: kernel, threads: s.x.threads, words: s.x.sides[atom.OperandC].words}
	for _, in := range s.inputs {
		e := 0
		if in.chosen != nil {
			e = b.image(s.x.e.image(0, in.chosen))
		}
		b.add(b.image(s.codes(atom.OperandA, in.a, in.chosen)), b.image(s.codes(atom.OperandB, in.b, nil)),
			b.image(s.codes(atom.OperandC, in.c, nil)), e)
	}
	return b.batch()
}

// compare compares the results with a model.
func (s *sums) compare(out []uint32, m dot.Model) *SumsFinding {
	f := &SumsFinding{Model: m.String()}
	types := s.x.m.Types
	// Readers do not have the random numbers, so the record contains one example of each kind.
	some := types.C.Type.Kind() == dtype.Float && s.x.m.AFrom == atom.Registers
	kind := ""
	var results []int32
	s.each(out, func(x Sum) {
		f.Sums++
		results = append(results, int32(x.D), int32(x.D>>32))
		if some && x.Kind != kind {
			kind = x.Kind
			f.Some = append(f.Some, Example{
				x.Kind, codesOf(types.A.Type, x.A...), codesOf(types.B.Type, x.B...), codesOf(types.C.Type, x.C),
				codesOf(types.D.Type, x.D),
			})
		}
		if got := m.Add(x.A, x.B, x.C); got == x.D {
			f.Agree++
		} else if f.First == "" {
			f.First = fmt.Sprintf("%s: a %s, b %s, c %s make %s, the model has %s", x.Kind, codesOf(types.A.Type, x.A...),
				codesOf(types.B.Type, x.B...), codesOf(types.C.Type, x.C), codesOf(types.D.Type, x.D), codesOf(types.D.Type, got))
		}
	})
	f.Digest = digest(results)
	return f
}

// predict returns the digest of the results of a model.
func (s *sums) predict(m dot.Model) string {
	var results []int32
	s.each(nil, func(x Sum) {
		d := m.Add(x.A, x.B, x.C)
		results = append(results, int32(d), int32(d>>32))
	})
	return digest(results)
}

// codesOf writes codes as wide as their type.
func codesOf(t dtype.Type, codes ...uint64) string {
	texts := make([]string, len(codes))
	for i, c := range codes {
		texts[i] = fmt.Sprintf("%0*x", (t.Bits()+3)/4, c)
	}
	return strings.Join(texts, " ")
}

// add adds a case of a kind.
func (s *sums) add(r *rand.Rand, d draw) {
	x, types := s.x, s.x.m.Types
	fill := func(t dtype.Type, n int, f func(*rand.Rand, dtype.Type) uint64) []uint64 {
		v := make([]uint64, n)
		for i := range v {
			v[i] = f(r, t)
		}
		return v
	}
	m, n, k := int(x.m.Shape[0]), int(x.m.Shape[1]), int(x.m.Shape[2])
	c := sumCase{
		kind: d.name,
		a:    fill(types.A.Type, m*k, d.ab), b: fill(types.B.Type, n*k, d.ab), c: fill(types.C.Type, m*n, d.c),
	}
	if x.e != nil {
		c.chosen = make([]int, x.e.rows*x.e.groups)
		for f := range c.chosen {
			c.chosen[f] = r.IntN(len(x.e.patterns))
		}
	}
	s.inputs = append(s.inputs, c)
}

// codes returns the image of a matrix of codes.
func (s *sums) codes(o atom.Operand, matrix []uint64, chosen []int) []uint32 {
	image := make([]uint32, s.x.size(o))
	side := &s.x.sides[o]
	var expand []int
	if chosen != nil {
		expand = s.x.e.expand(chosen)
	}
	for i, v := range matrix {
		held := i
		if expand != nil {
			held = expand[i]
		}
		if held >= 0 {
			s.x.put(image, o, side.at[held], v)
		}
	}
	return image
}

// each calls f with every sum, whose result is 0 if out is nil. The slices of a Sum are reused.
func (s *sums) each(out []uint32, f func(Sum)) {
	x := s.x
	c := &cursor{out: out, words: x.threads * x.sides[atom.OperandC].words}
	m, n, k := int(x.m.Shape[0]), int(x.m.Shape[1]), int(x.m.Shape[2])
	a, b, there := make([]uint64, k), make([]uint64, k), make([]int, 0, k)
	for _, in := range s.inputs {
		var result []uint32
		if out != nil {
			result = c.next()
		}
		var expand []int
		if in.chosen != nil {
			expand = x.e.expand(in.chosen)
		}
		for mm := range m {
			there = there[:0]
			for kk := range k {
				if expand == nil || expand[mm+kk*m] >= 0 {
					there = append(there, kk)
				}
			}
			a, b = a[:len(there)], b[:len(there)]
			for i, kk := range there {
				a[i] = in.a[mm+kk*m]
			}
			for nn := range n {
				for i, kk := range there {
					b[i] = in.b[nn+kk*n]
				}
				d := uint64(0)
				if result != nil {
					d = x.get(result, x.sides[2].at[mm+nn*m], 0)
				}
				f(Sum{in.kind, a, b, in.c[mm+nn*m], d})
			}
		}
	}
}
