package gemm

import (
	"cmp"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
)

// MaxExtent is the largest extent of a product.
const MaxExtent = 1 << 20

// A Problem is the product D = epilogue(A·B): D(i,j) is the sum over q of A(i,q)·B(j,q), in f32, after the epilogue. A
// is M by K, B is N by K, and D is M by N, as in CuTe.
type Problem struct {
	M, N, K int64
	In      dtype.Type // of A and B: f16 or bf16
	Out     dtype.Type // of D: f16, bf16 or f32; the zero Type means In

	// A, B and D are the layouts of the matrices in elements, of shapes (M,K), (N,K) and (M,N). One of the two strides
	// is 1, and the other one is the leading dimension. The zero Layout is compact with its second mode contiguous.
	A, B, D cute.Layout
	// AlignA, AlignB and AlignD are bytes that divide the addresses, powers of two; 0 means 256, the alignment of
	// allocators.
	AlignA, AlignB, AlignD int64

	Epilogue Epilogue
}

// A matrix is the place of a matrix in memory.
type matrix struct {
	name   string
	major  atom.Major // KMajor if the second mode is contiguous
	ld     int64      // the leading dimension in elements
	layout cute.Layout
	align  int64 // of the address, in bytes
	// aligned says that a row is a multiple of 16 bytes, and begins at one: only then the TMA can move it.
	aligned bool
	why     string // if not aligned
}

// work is a problem in the form that kernels compute: D with its second mode contiguous, unless the roles of A and B
// are exchanged.
type work struct {
	m, n, k   int64
	a, b, d   matrix
	in, out   dtype.Type
	exchanged bool // D is the transpose of the problem's D: A and B changed places
}

// across reports whether the first mode of D is contiguous.
func (w *work) across() bool { return w.d.major == atom.MNMajor }

// exchange returns the transposed problem.
func (w *work) exchange() work {
	x := *w
	x.m, x.n, x.a, x.b, x.exchanged = w.n, w.m, w.b, w.a, !w.exchanged
	x.d.major = 1 - w.d.major
	return x
}

// complete checks a problem and returns it in the form that kernels compute.
func (p *Problem) complete() (w work, err error) {
	if p.Out == 0 {
		p.Out = p.In
	}
	switch {
	case p.In != dtype.F16 && p.In != dtype.BF16:
		return w, withHint("convert them, or write a kernel with package kernel", refuse(cute.CodeType,
			"expected A and B of f16 or bf16, found %v", p.In))
	case p.Out != dtype.F16 && p.Out != dtype.BF16 && p.Out != dtype.F32:
		return w, refuse(cute.CodeType, "expected D of f16, bf16 or f32, found %v", p.Out)
	}
	for i, n := range [3]int64{p.M, p.N, p.K} {
		if n < 1 || n > MaxExtent {
			return w, refuse(cute.CodeExtent, "expected %c from 1 to %d, found %d", "mnk"[i], MaxExtent, n)
		}
	}
	w = work{m: p.M, n: p.N, k: p.K, in: p.In, out: p.Out}
	if w.a, err = matrixOf("A", p.A, [2]int64{p.M, p.K}, p.AlignA); err != nil {
		return w, err
	}
	if w.b, err = matrixOf("B", p.B, [2]int64{p.N, p.K}, p.AlignB); err != nil {
		return w, err
	}
	if w.d, err = matrixOf("D", p.D, [2]int64{p.M, p.N}, p.AlignD); err != nil {
		return w, err
	}
	if err := cmp.Or(w.a.check(p.In), w.b.check(p.In), w.d.check(p.Out)); err != nil {
		return w, err
	}
	if err := w.d.checkWritten(w.d.run(p.M, p.N), p.Out); err != nil {
		return w, err
	}
	p.A, p.B, p.D = w.a.layout, w.b.layout, w.d.layout
	return w, p.Epilogue.check()
}

// run returns the length of the contiguous mode.
func (x *matrix) run(rows, columns int64) int64 {
	if x.major == atom.MNMajor {
		return rows
	}
	return columns
}

// matrixOf reads the layout of a matrix. The alignment in bytes is 0 for the usual one.
func matrixOf(name string, l cute.Layout, shape [2]int64, align int64) (x matrix, err error) {
	if l.Rank() == 0 {
		if l, err = cute.New(cute.Ints(shape[0], shape[1]), cute.Ints(shape[1], 1)); err != nil {
			return x, err
		}
	}
	s, d := l.Shape().Leaves(), l.Stride().Leaves()
	if len(s) != 2 || l.HasBasis() || [2]int64(s) != shape {
		return x, refuse(cute.CodeNotCongruent, "expected %s of shape (%d,%d), found %v", name, shape[0], shape[1], l)
	}
	x = matrix{name: name, layout: l, ld: d[0], align: align}
	if d[1] != 1 && (shape[1] != 1 || d[0] == 1) {
		x.major, x.ld = atom.MNMajor, d[1]
	}
	if x.major == atom.MNMajor && d[0] != 1 && shape[0] != 1 {
		return x, withHint("copy it with girih copy", refuse(cute.CodeNotRepresentable,
			"expected a contiguous mode of %s, found the strides %d and %d", name, d[0], d[1]))
	}
	if run := x.run(shape[0], shape[1]); run == shape[0]*shape[1] { // one row: its leading dimension is not used
		x.ld = ints.RoundUp(run, 8)
	}
	if x.ld < 1 || x.ld > MaxExtent {
		return x, refuse(cute.CodeExtent, "expected a leading dimension of %s from 1 to %d, found %d", name, MaxExtent, x.ld)
	}
	return x, nil
}

// check says whether the TMA can move the matrix, and refuses an alignment that is not possible.
func (x *matrix) check(t dtype.Type) error {
	bytes := int64(t.Bits() / 8)
	if x.align == 0 {
		x.align = 256
	}
	switch {
	case x.align < bytes || x.align&(x.align-1) != 0:
		return refuse(cute.CodeExtent, "expected a power of two of at least %d bytes that divides the address of %s, found %d",
			bytes, x.name, x.align)
	case x.align < 16:
		x.why = fmt.Sprintf("its address is a multiple of %d bytes", x.align)
	case x.ld*bytes%16 != 0:
		x.why = fmt.Sprintf("a row of %d elements has %d bytes", x.ld, x.ld*bytes)
	default:
		x.aligned = true
	}
	return nil
}

// checkWritten checks a matrix that is written in rows of run elements: the TMA writes whole 16 bytes, also after the
// end of a row.
func (x *matrix) checkWritten(run int64, t dtype.Type) error {
	if x.ld < run {
		return refuse(cute.CodeNotInjective, "elements of %s share places: its leading dimension is %d, below %d",
			x.name, x.ld, run)
	}
	if bytes := run * int64(t.Bits()) / 8; x.aligned && bytes%16 != 0 {
		x.aligned, x.why = false, fmt.Sprintf("a row of %d elements has %d bytes", run, bytes)
	}
	return nil
}

func refuse(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "gemm", Msg: fmt.Sprintf(format, args...)}
}

func withHint(hint string, e *cute.Error) *cute.Error {
	e.Hint = hint
	return e
}
