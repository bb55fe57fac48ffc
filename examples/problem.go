package examples

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A Problem contains the arguments of a kernel. Tensors hold their elements in memory order, as values that their types
// can represent.
type Problem struct {
	Kernel  *kernel.Kernel
	Extents map[string]int64
	Scalars map[string]float64
	Tensors map[string][]float64
}

// Problem makes a problem for a kernel that x has traced: tensors of random numbers for the given extents, including
// the output. It returns [cute.CodeUnknown] for a missing extent, and [cute.CodeFact] for an extent that contradicts
// the facts for which the kernel was traced.
func (x Recipe) Problem(k *kernel.Kernel, extents map[string]int64, r *rand.Rand) (Problem, error) {
	p := Problem{k, extents, map[string]float64{}, map[string][]float64{}}
	if x.trace == nil || k == nil {
		return p, &cute.Error{Code: cute.CodeName, Op: "kernel", Msg: "the zero Recipe has no problems: use Find"}
	}
	for _, q := range k.Params {
		if q.Pointer || q.Facts.Max == 0 {
			continue
		}
		n, ok := extents[q.Name]
		if !ok {
			return p, &cute.Error{Code: cute.CodeUnknown, Op: x.Name, Msg: "the extent " + q.Name + " has no value"}
		}
		if n < q.Facts.Min || n > q.Facts.Max || n%max(q.Facts.Div, 1) != 0 {
			return p, &cute.Error{
				Code: cute.CodeFact, Op: x.Name, Msg: fmt.Sprintf("%s is %d, and has the facts %v", q.Name, n, q.Facts),
			}
		}
	}
	sizes := sizesOf(k, extents)
	if x.sizes != nil {
		sizes = x.sizes(extents)
	}
	for _, q := range k.Params {
		switch {
		case q.Pointer:
			values := make([]float64, sizes[q.Name])
			for i := range values {
				values[i] = x.draw(q, extents, r)
			}
			p.Tensors[q.Name] = values
		case q.Facts.Max == 0:
			p.Scalars[q.Name] = draw(q.Type, r)
		}
	}
	return p, nil
}

// sizesOf returns the numbers of elements of the tensors whose extents are integers of the kernel or constants.
func sizesOf(k *kernel.Kernel, extents map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for _, a := range k.Signature() {
		n := int64(1)
		for _, text := range a.Extents {
			v, ok := extents[text]
			if !ok {
				v, _ = strconv.ParseInt(text, 10, 64)
			}
			n *= v
		}
		out[a.Name] = n
	}
	return out
}

// draw returns a random element of a parameter.
func (x Recipe) draw(q kernel.Param, extents map[string]int64, r *rand.Rand) float64 {
	most, ok := x.below[q.Name]
	if !ok {
		return draw(q.Type, r)
	}
	if n, ok := extents[most]; ok {
		return float64(r.Int64N(n))
	}
	n, _ := strconv.ParseInt(most, 10, 64)
	return float64(r.Int64N(max(n, 1)))
}

// draw returns a random value of a type. Floats are normally distributed.
func draw(t dtype.Type, r *rand.Rand) float64 {
	if t.Kind() != dtype.Float {
		return float64(r.IntN(100))
	}
	code, err := t.Encode(r.NormFloat64())
	if err != nil {
		return 0
	}
	x, _ := t.Decode(code)
	return x
}

// Bytes returns the bytes of a tensor of the problem in memory, little-endian.
func (p Problem) Bytes(name string) []byte {
	var out []byte
	for _, q := range p.Kernel.Params {
		if q.Name != name {
			continue
		}
		n := q.Type.Bits() / 8
		for _, x := range p.Tensors[name] {
			code, _ := q.Type.Encode(x) // x is a value of the type
			for i := range n {
				out = append(out, byte(code>>(8*i)))
			}
		}
	}
	return out
}

// Check compares the kernel's output, as bytes, with 64-bit arithmetic. It returns [cute.CodeFact] with the first
// element whose error exceeds rounding, or for a wrong number of bytes.
func (x Recipe) Check(p Problem, got []byte) error {
	if x.reference == nil || p.Kernel == nil {
		return &cute.Error{Code: cute.CodeName, Op: "kernel", Msg: "the zero Recipe has no results: use Find"}
	}
	var t dtype.Type
	for _, q := range p.Kernel.Params {
		if q.Name == x.Output {
			t = q.Type
		}
	}
	want, scale := x.reference(p)
	n := t.Bits() / 8
	if len(got) != n*len(want) {
		return &cute.Error{
			Code: cute.CodeFact, Op: x.Name, Msg: fmt.Sprintf("expected %d bytes of %s, found %d", n*len(want), x.Output,
				len(got)),
		}
	}
	inner := rounding(dtype.F32)
	if t.Bits() == 64 || t.Kind() != dtype.Float {
		inner = rounding(t)
	}
	for i, w := range want {
		code := uint64(0)
		for j := range n {
			code |= uint64(got[i*n+j]) << (8 * j)
		}
		v, err := t.Decode(code)
		bound := inner*scale[i] + rounding(t)*max(math.Abs(w), math.Ldexp(1, -14)) // f16 has no finer steps below
		if err != nil || !(math.Abs(v-w) <= bound) {
			return &cute.Error{
				Code: cute.CodeFact, Op: x.Name, Msg: fmt.Sprintf("element %d of %s is %v, expected %v within %.3g, for %v", i,
					x.Output, v, w, bound, p.Extents),
			}
		}
	}
	return nil
}

// rounding returns the largest relative change by rounding a number near 1 to a type.
func rounding(t dtype.Type) float64 {
	switch t {
	case dtype.F64:
		return math.Ldexp(1, -53)
	case dtype.F32:
		return math.Ldexp(1, -24)
	case dtype.F16:
		return math.Ldexp(1, -11)
	case dtype.BF16:
		return math.Ldexp(1, -8)
	}
	return 0
}
