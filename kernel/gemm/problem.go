package gemm

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
)

// MaxExtent is the largest extent of a product.
const MaxExtent = 1 << 20

// A Problem is the product D = epilogue(A·B): D(i,j) is the sum over q of A(i,q)·B(j,q), after the epilogue. A is M by
// K, B is N by K, and D is M by N, as in CuTe. Sums are f32. The sums of integers are s32, and are rounded to f32 for
// factors, for an epilogue, and for a D of floats.
type Problem struct {
	M, N, K int64
	L       int64 // how many products there are, which have a third mode; 0 means one without it
	// Groups are how many groups the rows of A and D have, one group after another; 0 means none. B has a third mode, a
	// matrix for each group, and the kernel reads the rows of each from its parameter sizes, of s32: they need not have
	// M in all, and rows after the last group are not written.
	Groups int64
	In     dtype.Type // of A and B: f16, bf16, tf32, e4m3, e5m2, s8 or u8
	InB    dtype.Type // of B if it differs: e4m3 and e5m2, and s8 and u8, multiply each other; u4 for f16 and bf16
	// Out is the type of D: f16, bf16 or f32, and s32 for integers. The zero Type means In for 16 bits, f32 for tf32,
	// bf16 for e4m3 and e5m2, and s32 for integers.
	Out dtype.Type

	// A, B and D are the layouts of the matrices in elements, of shapes (M,K), (N,K) and (M,N), or (M,K,L), (N,K,L) and
	// (M,N,L). One of the first two strides is 1, and the other one is the leading dimension. An A or B of all products
	// has no third mode, or the stride 0 there. The zero Layout is compact with its second mode contiguous, then its
	// first one.
	A, B, D cute.Layout
	// C is the layout of the epilogue's C, with the shape of D. The zero Layout is compact, as for D.
	C cute.Layout
	// AlignA, AlignB and AlignD are bytes that divide the addresses, powers of two; 0 means 256, the alignment of
	// allocators.
	AlignA, AlignB, AlignD int64

	// Scale says which factors A and B have. The factors are tensors of the kernel.
	Scale Scale
	// Fast leaves the sums of 8-bit floats in the tensor cores, which cut bits off 13 bits after the first one. Otherwise
	// the sums of 128 columns are added in registers.
	Fast bool

	Epilogue Epilogue
}

// A matrix is the place of a matrix in memory.
type matrix struct {
	name   string
	typ    dtype.Type
	major  atom.Major // KMajor if the second mode is contiguous
	ld     int64      // the leading dimension in elements
	batch  int64      // the stride of the third mode in elements; 0 if all products share the matrix
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
	l         int64 // 0 without a third mode
	groups    int64 // of rows; 0 for none
	weights   bool  // B is bytes with two numbers of 4 bits
	a, b, d   matrix
	c         matrix      // of the epilogue if it has one, in the problem's form
	math      *arithmetic // of the elements
	promoted  bool        // sums of 128 columns are added in registers
	blocks    bool        // each of them has factors
	inputs    []Input     // factors, C and the inputs of the epilogue
	in, out   dtype.Type
	exchanged bool // D is the transpose of the problem's D: A and B changed places
	fetched   int  // the input of the epilogue that has D's type and shape, or -1
}

// sums returns the type of the sums of a tile.
func (w *work) sums() dtype.Type {
	if w.promoted {
		return dtype.F32
	}
	return w.math.sum
}

// across reports whether the first mode of D is contiguous.
func (w *work) across() bool { return w.d.major == atom.MNMajor }

// exchange returns the transposed problem.
func (w *work) exchange() work {
	x := *w
	x.m, x.n, x.a, x.b, x.exchanged = w.n, w.m, w.b, w.a, !w.exchanged
	x.a.name, x.b.name, x.d.major = "A", "B", 1-w.d.major
	return x
}

// complete checks a problem and returns it in the form that kernels compute.
func (p *Problem) complete() (w work, err error) {
	x, err := p.types()
	if err != nil {
		return w, err
	}
	for i, n := range [4]int64{p.M, p.N, p.K, p.L} {
		if n < 1 && !(i == 3 && n == 0) || n > MaxExtent {
			return w, refuse(cute.CodeExtent, "expected %c from 1 to %d, found %d", "mnkl"[i], MaxExtent, n)
		}
	}
	if err := p.checkGroups(); err != nil {
		return w, err
	}
	inputs, err := p.inputs()
	if err == nil {
		err = p.Epilogue.check(p)
	}
	if err != nil {
		return w, err
	}
	w = work{
		m: p.M, n: p.N, k: p.K, l: p.L, groups: p.Groups, in: p.In, out: p.Out, math: x, promoted: p.promotes(),
		blocks: p.Scale == ScaleBlocks, inputs: inputs,
	}
	return w, p.matrices(&w)
}

// matrices reads the layouts of a problem.
func (p *Problem) matrices(w *work) (err error) {
	types := [4]dtype.Type{p.In, p.InB, p.Out, p.Epilogue.Add}
	aligns := [4]int64{p.AlignA, p.AlignB, p.AlignD}
	shapes := [4][3]int64{{p.M, p.K, p.L}, {p.N, p.K, p.L + p.Groups}, {p.M, p.N, p.L}, {p.M, p.N, p.L}}
	layouts := [4]*cute.Layout{&p.A, &p.B, &p.D, &p.C}
	for i, x := range [4]*matrix{&w.a, &w.b, &w.d, &w.c} {
		if types[i] == 0 {
			continue // there is no C
		}
		x.name, x.typ, x.align, x.layout = "ABDC"[i:i+1], types[i], aligns[i], *layouts[i]
		if err := x.read(shapes[i]); err != nil {
			return err
		}
		if err := x.check(); err != nil {
			return err
		}
		if *layouts[i] = x.layout; i == 1 && x.typ == dtype.U4 {
			if err := w.readWeights(); err != nil {
				return err
			}
		}
	}
	w.fetched = slices.IndexFunc(p.Epilogue.all(), func(x Input) bool {
		return x.Modes == "mn" && x.Type == p.Out && (x.Name != "C" || w.c.aligned && w.c.major == atom.KMajor)
	})
	if w.groups > 0 && w.across() {
		return withHint("exchange A and B, or copy D", refuse(cute.CodeNotRepresentable,
			"expected D of groups with N contiguous, found %v", p.D))
	}
	return w.d.checkWritten(shapes[2])
}

// run returns the length of the contiguous mode.
func (x *matrix) run(rows, columns int64) int64 {
	if x.major == atom.MNMajor {
		return rows
	}
	return columns
}

// read reads the layout of a matrix. The third extent is 0 for one product.
func (x *matrix) read(shape [3]int64) (err error) {
	if x.layout.Rank() == 0 {
		if x.layout, err = layoutOf(shape[:], []int64{shape[1], 1, shape[0] * shape[1]}); err != nil {
			return err
		}
	}
	s, d := x.layout.Shape().Leaves(), x.layout.Stride().Leaves()
	want := shape[:2]
	if len(s) == 3 && shape[2] > 0 {
		want, x.batch = shape[:], d[2]
	}
	if x.layout.HasBasis() || !slices.Equal(s, want) {
		return refuse(cute.CodeNotCongruent, "expected %s of shape %d, found %v", x.name, want, x.layout)
	}
	x.ld = d[0]
	if d[1] != 1 && (shape[1] != 1 || d[0] == 1) {
		x.major, x.ld = atom.MNMajor, d[1]
	}
	if x.major == atom.MNMajor && d[0] != 1 && shape[0] != 1 {
		return withHint("copy it with girih copy", refuse(cute.CodeNotRepresentable,
			"expected a contiguous mode of %s, found the strides %d and %d", x.name, d[0], d[1]))
	}
	x.replaceLeading(shape)
	return x.checkStrides()
}

// replaceLeading gives a matrix of one row, whose leading dimension is not used, one that the TMA can use.
func (x *matrix) replaceLeading(shape [3]int64) {
	run := x.run(shape[0], shape[1])
	if run == shape[0]*shape[1] && (x.ld < run || x.ld*int64(x.typ.Bits())%128 != 0) {
		x.ld = ints.RoundUp(run, 16)
	}
}

// checkStrides refuses strides out of range.
func (x *matrix) checkStrides() error {
	if x.ld >= 1 && x.ld <= MaxExtent && x.batch >= 0 && x.batch <= maxBatch {
		return nil
	}
	return refuse(cute.CodeExtent, "expected a leading dimension of %s from 1 to %d, and products 0 to %d apart, found %d and %d",
		x.name, MaxExtent, int64(maxBatch), x.ld, x.batch)
}

// check says whether the TMA can move the matrix, and refuses an alignment that is not possible.
func (x *matrix) check() error {
	bytes := int64(max(x.typ.Bits(), 8) / 8)
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
	case x.batch*bytes%16 != 0:
		x.why = fmt.Sprintf("its products are %d bytes apart", x.batch*bytes)
	default:
		x.aligned = true
	}
	return nil
}

// checkWritten checks the matrix that is written: the TMA writes whole 16 bytes, also after the end of a row.
func (x *matrix) checkWritten(shape [3]int64) error {
	run := x.run(shape[0], shape[1])
	if x.ld < run {
		return refuse(cute.CodeNotInjective, "elements of %s share places: its leading dimension is %d, below %d",
			x.name, x.ld, run)
	}
	if i := x.overlap(run, shape[0]*shape[1]/run, shape[2]); i > 0 {
		return refuse(cute.CodeNotInjective, "elements of %s share places: product %d begins %d elements after product 0",
			x.name, i, i*x.batch)
	}
	if bytes := run * int64(x.typ.Bits()) / 8; x.aligned && bytes%16 != 0 {
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
