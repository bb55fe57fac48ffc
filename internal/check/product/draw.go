// Package product draws products of matrices with numbers whose sums are exact, and checks what a kernel of package
// kernel/gemm makes of them, in the simulator or on a card.
package product

import (
	"math/rand/v2"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/kernel/gemm"
)

// Types are types of A and B, and types of D for them. Without types for B, B has the type of A.
var Types = []struct{ A, B, Out []dtype.Type }{
	{[]dtype.Type{dtype.F16}, nil, []dtype.Type{dtype.F16, dtype.F32}},
	{[]dtype.Type{dtype.BF16}, nil, []dtype.Type{dtype.BF16, dtype.F32}},
	{[]dtype.Type{dtype.TF32}, nil, []dtype.Type{dtype.F32, dtype.BF16}},
	{[]dtype.Type{dtype.S8, dtype.U8}, []dtype.Type{dtype.S8, dtype.U8}, []dtype.Type{dtype.S32, dtype.F32, dtype.F16}},
	{[]dtype.Type{dtype.E4M3, dtype.E5M2}, []dtype.Type{dtype.E4M3, dtype.E5M2}, []dtype.Type{dtype.BF16, dtype.F16, dtype.F32}},
}

// Draw draws a problem of the types of a row of [Types]: majors, rows with gaps, products, factors, alpha and beta.
func Draw(row uint64, r *rand.Rand) gemm.Problem {
	one := func(x []dtype.Type) dtype.Type { return x[r.IntN(len(x))] }
	extent := func(most int) int64 { return int64(1 + r.IntN(1+r.IntN(most))) }
	e := Types[row%uint64(len(Types))]
	p := gemm.Problem{M: extent(300), N: extent(300), K: extent(400), In: one(e.A), Out: one(e.Out), Fast: r.IntN(3) == 0}
	if p.InB = p.In; e.B != nil {
		p.InB = one(e.B)
	}
	if r.IntN(2) == 0 {
		p.L = extent(5)
	}
	if p.Out != dtype.S32 {
		p.Scale = []gemm.Scale{"", gemm.ScaleTensors, gemm.ScaleRows, gemm.ScaleBlocks}[r.IntN(4)]
		p.Epilogue.Scaled = r.IntN(2) == 0
		if r.IntN(2) == 0 {
			p.Epilogue.Add = []dtype.Type{dtype.F16, dtype.F32}[r.IntN(2)]
		}
	}
	shared := func(l int64) int64 { return l * int64(min(r.IntN(3), 1)) }
	p.A, p.B = Layout(p.M, p.K, shared(p.L), r), Layout(p.N, p.K, shared(p.L), r)
	p.C, p.D = Layout(p.M, p.N, shared(p.L), r), Layout(p.M, p.N, p.L, r)
	return p
}

// Layout returns a layout of one or more products: with padded rows, and with gaps between products.
func Layout(rows, columns, l int64, r *rand.Rand) cute.Layout {
	pad, gap := int64(r.IntN(3)*r.IntN(17)), int64(r.IntN(2)*r.IntN(40))
	ld, d := columns+pad, []int64{columns + pad, 1}
	size := ld * rows
	if r.IntN(2) == 0 {
		ld = rows + pad
		d, size = []int64{1, ld}, ld*columns
	}
	if l == 0 {
		return kernel.Must(cute.New(cute.Ints(rows, columns), cute.Ints(d...)))
	}
	return kernel.Must(cute.New(cute.Ints(rows, columns, l), cute.Ints(append(d, size+gap)...)))
}
