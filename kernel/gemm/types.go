package gemm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// This file has the types of elements, and what the tensor cores do with each of them.

// An arithmetic says how the tensor cores multiply elements of a type.
type arithmetic struct {
	types []dtype.Type // of A; B has one of them, too
	sum   dtype.Type   // of the sums
	out   dtype.Type   // of D if the problem does not say; 0 for the type of A
	rate  float64      // products that a multiprocessor adds in a cycle
	// majors says that the instruction reads operands with any mode contiguous: otherwise only with K contiguous.
	majors bool
}

var arithmetics = []arithmetic{
	{types: []dtype.Type{dtype.F16}, sum: dtype.F32, rate: 2048, majors: true},
	{types: []dtype.Type{dtype.BF16}, sum: dtype.F32, rate: 2048, majors: true},
	{types: []dtype.Type{dtype.TF32}, sum: dtype.F32, out: dtype.F32, rate: 1024},
	{types: []dtype.Type{dtype.E4M3, dtype.E5M2}, sum: dtype.F32, out: dtype.BF16, rate: 4096},
	{types: []dtype.Type{dtype.S8, dtype.U8}, sum: dtype.S32, out: dtype.S32, rate: 4096},
}

// types completes the types of a problem, and returns how its elements are multiplied.
func (p *Problem) types() (*arithmetic, error) {
	if p.InB == 0 {
		p.InB = p.In
	}
	var x *arithmetic
	for i := range arithmetics {
		y := &arithmetics[i]
		if slices.Contains(y.types, p.In) && (slices.Contains(y.types, p.InB) || p.InB == dtype.U4 && y.majors) {
			x = y
		}
	}
	if x == nil {
		return nil, withHint("convert them, or write a kernel with package kernel", refuse(cute.CodeType,
			"expected A and B of f16, bf16, tf32, e4m3 or e5m2, s8 or u8, or B of u4 for f16 and bf16, found %v and %v",
			p.In, p.InB))
	}
	if p.Out == 0 {
		p.Out = cmp.Or(x.out, p.In)
	}
	if most := x.mostColumns(p.In, p.InB, p.Scale); p.K > most && p.K <= MaxExtent {
		return nil, withHint("add products of parts of K", refuse(cute.CodeExtent,
			"expected at most %d columns of %v and %v, so that no sum leaves s32, found %d", most, p.In, p.InB, p.K))
	}
	if err := p.checkOut(x.sum); err != nil {
		return nil, err
	}
	return x, p.checkWeights()
}

// checkOut refuses a type that D cannot have.
func (p *Problem) checkOut(sum dtype.Type) error {
	switch p.Out {
	case dtype.F16, dtype.BF16, dtype.F32:
		return nil
	case sum: // s32
		if p.Epilogue.plain() && p.Scale == Unscaled {
			return nil
		}
		return withHint("take D of f32", refuse(cute.CodeType,
			"expected D of a float for factors and an epilogue, which compute in f32, found %v", p.Out))
	}
	return refuse(cute.CodeType, "expected D of f16, bf16 or f32, or s32 for integers, found %v", p.Out)
}

// mostColumns returns the largest K for which no sum of products of integers leaves s32.
func (x *arithmetic) mostColumns(a, b dtype.Type, scale Scale) int64 {
	if x.sum != dtype.S32 || scale == ScaleBlocks { // the sums of a block are added in f32
		return MaxExtent
	}
	product := int64(1)
	for _, t := range []dtype.Type{a, b} {
		if product *= 1 << 7; t == dtype.U8 {
			product = product >> 7 * 255
		}
	}
	return math.MaxInt32 / product
}

// promotes reports whether sums of 128 columns are added to sums in registers.
func (p *Problem) promotes() bool {
	return p.Scale == ScaleBlocks || p.In.Kind() == dtype.Float && p.In.Bits() == 8 && !p.Fast
}

// depth is the number of elements of K that an instruction multiplies: 32 bytes.
func depth(t dtype.Type) int64 { return 256 / int64(t.Bits()) }

// depths returns the extents of K of tiles that are compared: rows of 128 and 256 bytes, or a block of columns.
func (w *work) depths() []int64 {
	if w.promoted {
		return []int64{ScaleBlock}
	}
	return []int64{4 * depth(w.in), 8 * depth(w.in)}
}

// mmaName returns the name of the wgmma of two operands, with n columns.
func mmaName(n int64, x *arithmetic, a, b *matrix) string {
	majors := "_TN"
	if x.majors {
		majors = fmt.Sprintf("<%v,%v>", a.major, b.major)
	}
	types := strings.ToUpper(fmt.Sprintf("%v%v%v", x.sum, a.typ, b.typ))
	return fmt.Sprintf("SM90_64x%dx%d_%s_SS%s", n, depth(a.typ), types, majors)
}

// warpName returns the name of the mma.sync of two operands, which reads both with K contiguous.
func warpName(x *arithmetic, a, b *matrix) string {
	arch := 80
	if a.typ.Kind() == dtype.Float && a.typ.Bits() == 8 {
		arch = 89
	}
	types := strings.ToUpper(fmt.Sprintf("%v%v%v%[1]v", x.sum, a.typ, b.typ))
	return fmt.Sprintf("SM%d_16x8x%d_%s_TN", arch, depth(a.typ), types)
}

// pieceName returns the name of a wgmma whose C is a tile of 64 by n elements.
func pieceName(n int64) string {
	x := matrix{typ: dtype.F16, major: atom.KMajor}
	return mmaName(n, &arithmetics[0], &x, &x)
}
