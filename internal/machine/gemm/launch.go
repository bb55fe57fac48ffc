package gemm

import (
	"bytes"

	"girih/atom"
	"girih/dtype"
	"girih/internal/ints"
)

// This file makes the arguments of a traced kernel.

// A Launch is the arguments of a kernel, by the names of its parameters.
type Launch struct {
	Ints    map[string]int64
	Numbers map[string]float64
	Tensors map[string][]byte // the contents of tensors, including the output
	Output  string
}

// Launch returns the arguments of the kernel of [Kernel.Trace]. D is filled with [Poison]. C is read only if the
// problem has a C. It returns the errors of [Kernel.CheckCard] about the numbers, the errors of [Compress], and
// [cute.CodeOverflow] for a number that its type cannot hold.
func (k Kernel) Launch(p Problem) (Launch, error) {
	m := k.MMA.Atom()
	if err := k.checkNumbers(&p); err != nil {
		return Launch{}, err
	}
	l := Launch{
		Ints:    k.Ints(p.M, p.N, p.K),
		Tensors: map[string][]byte{"C": make([]byte, 16)}, Output: "D",
	}
	var err error
	put := func(name string, r row, xs []float64) {
		if err == nil {
			l.Tensors[name], err = r.pack(xs)
		}
	}
	compact := func(t dtype.Type, columns int64) row { return row{t, int64(t.Bits()), columns, columns} }
	left, sides := p.A, k.sides()
	a, b := sides[0].row(m.Types.A, p.K), sides[1].row(m.Types.B, p.K)
	if m.Sparse != nil {
		if left, l.Tensors["E"], err = Compress(m, p.A, p.K); err != nil {
			return Launch{}, err
		}
		a.columns = int64(len(left)) / p.M
		a.ld = a.columns
	}
	put("A", a, left)
	put("B", b, p.B)
	t, columns := m.Types.C, p.N*int64(m.Types.C.Parts)
	if len(p.C) > 0 {
		put("C", compact(t.Type, columns), p.C)
		l.Ints["beta"] = 1
	}
	if f := m.Scale; f != nil {
		put("SFA", compact(f.Type, ints.CeilDiv(p.K, f.Vector)), p.ScaleA)
		put("SFB", compact(f.Type, ints.CeilDiv(p.K, f.Vector)), p.ScaleB)
	}
	l.Tensors["D"] = bytes.Repeat([]byte{Poison(t.Type)}, int(p.M*columns)*t.Type.Bits()/8)
	return l, err
}

// Ints returns the integers of a problem without a C, whose rows are contiguous.
func (k Kernel) Ints(m, n, kk int64) map[string]int64 {
	out := map[string]int64{"m": m, "n": n, "k": kk, "ldd": n, "beta": 0}
	for i, s := range k.sides() {
		out[[]string{"lda", "ldb"}[i]] = ints.CeilDiv(kk, s.unit) * s.unit
	}
	return out
}

// Poison is a byte that fills elements so that they are not plausible sums: a NaN for floats.
func Poison(t dtype.Type) byte {
	if t.Kind() == dtype.Float {
		return 0xff
	}
	return 0xa5
}

// row returns how rows of an operand with the given number of elements are stored.
func (s side) row(e atom.Element, columns int64) row {
	r := row{t: s.value, bits: int64(s.elem.Bits()) * int64(max(e.Sparsity, 1)), columns: columns * s.parts}
	r.ld = ints.CeilDiv(r.columns, s.unit*s.parts) * s.unit * s.parts
	return r
}

// Numbers returns D from its contents in memory: each number, or the parts of each number.
func (k Kernel) Numbers(p Problem, d []byte) ([]float64, error) {
	e := k.MMA.Atom().Types.D
	columns := p.N * int64(e.Parts)
	return Unpack(e.Type, d, columns, columns)
}
