package gemm

import (
	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
)

// This file expresses products of complex numbers, and of scaled numbers, as products of real numbers.

// checkNumbers refuses a problem whose lists of numbers do not fit the instruction.
func (k *Kernel) checkNumbers(p *Problem) error {
	m := k.MMA.Atom()
	t := m.Types
	if err := p.checkParts([3]int64{int64(t.A.Parts), int64(t.B.Parts), int64(t.C.Parts)}); err != nil {
		return err
	}
	groups := int64(0)
	if m.Scale != nil {
		groups = ints.CeilDiv(p.K, m.Scale.Vector)
	}
	for _, f := range []struct {
		name string
		have int
		want int64
	}{{"A", len(p.ScaleA), p.M * groups}, {"B", len(p.ScaleB), p.N * groups}} {
		if int64(f.have) != f.want {
			return refuse(cute.CodeExtent, "expected %d factors of %s, found %d", f.want, f.name, f.have)
		}
	}
	return nil
}

// reals returns a problem of real numbers with the same sums, each number rounded to its type. Scale factors are
// multiplied in. A row of complex numbers becomes a row of their parts, and B gets such a row for each part of C.
func (p Problem) reals(m atom.MMA) (out Problem, err error) {
	t := m.Types
	out = Problem{M: p.M, N: p.N, K: p.K}
	for _, x := range []struct {
		to, from *[]float64
		of       atom.Element
	}{{&out.A, &p.A, t.A}, {&out.B, &p.B, t.B}, {&out.C, &p.C, t.C}} {
		if *x.to, err = roundAll(*x.from, x.of.Type); err != nil {
			return out, err
		}
	}
	if m.Scale != nil {
		for _, x := range [][2][]float64{{out.A, p.ScaleA}, {out.B, p.ScaleB}} {
			factors, err := roundAll(x[1], m.Scale.Type)
			if err != nil {
				return out, err
			}
			groups := ints.CeilDiv(p.K, m.Scale.Vector)
			for i := range x[0] {
				row, column := int64(i)/p.K, int64(i)%p.K
				x[0][i] *= factors[row*groups+column/m.Scale.Vector]
			}
		}
	}
	if t.A.Parts != 2 {
		return out, nil
	}
	b := out.B
	out.B, out.K, out.N = nil, 2*p.K, int64(t.C.Parts)*p.N
	for j := range p.N {
		row := b[2*j*p.K:][:2*p.K]
		for part := range t.C.Parts {
			for i := 0; i < len(row); i += 2 {
				re, im := row[i], row[i+1]
				switch {
				case t.C.Parts == 3: // Gauss's products: real parts, imaginary parts, and the sums of both
					out.B = append(out.B, [][]float64{{re, 0}, {0, im}, {re + im, re + im}}[part]...)
				case part == 0:
					out.B = append(out.B, re, -im)
				default:
					out.B = append(out.B, im, re)
				}
			}
		}
	}
	return out, nil
}
