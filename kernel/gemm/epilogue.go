package gemm

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// An Epilogue computes the elements of D from the sums. The zero Epilogue rounds them.
type Epilogue struct {
	// Scaled multiplies the sums by alpha, a parameter of the kernel.
	Scaled bool
	// Add adds beta·C, a parameter and a tensor of the kernel: C has the shape of D, and its second mode is contiguous.
	Add dtype.Type
	// Inputs are further tensors.
	Inputs []Input
	// Make returns the function of an element, after alpha and beta: acc is a sum in f32, and at is the row and the
	// column of D, which are inside D. The result is in f32, too. In has the inputs by name.
	Make func(k *kernel.K, in map[string]kernel.Tensor) func(acc kernel.Value, at ...kernel.Index) kernel.Value
}

// An Input is a tensor that an epilogue reads.
type Input struct {
	Name string
	Type dtype.Type
	// Modes are the modes of D that it has: "m" for a vector with an element for each row, "n" for each column, and
	// "mn" for a matrix with its second mode contiguous.
	Modes string
}

// plain reports whether elements of D are sums that are only rounded.
func (e *Epilogue) plain() bool { return !e.Scaled && e.Add == 0 && e.Make == nil }

// own are the names of the kernel's other parameters.
var own = strings.Fields("A B D W m n k blocks ldA ldB ldD alpha beta")

// check refuses inputs that a kernel cannot have.
func (e *Epilogue) check() error {
	seen := slices.Clone(own)
	for _, in := range e.all() {
		switch {
		case slices.Contains(seen, in.Name) || in.Name == "":
			return refuse(cute.CodeName, "expected inputs with names of their own, found %q", in.Name)
		case !slices.Contains([]string{"m", "n", "mn"}, in.Modes):
			return refuse(cute.CodeMode, "expected the modes m, n or mn of %s, found %q", in.Name, in.Modes)
		case in.Type.Kind() != dtype.Float || in.Type.Bits() != 16 && in.Type.Bits() != 32 || in.Type == dtype.TF32:
			return refuse(cute.CodeType, "expected elements of f16, bf16 or f32 in %s, found %v", in.Name, in.Type)
		}
		seen = append(seen, in.Name, "ld"+in.Name)
	}
	return nil
}

// all returns the inputs and C.
func (e *Epilogue) all() []Input {
	if e.Add == 0 {
		return e.Inputs
	}
	return append([]Input{{Name: "C", Type: e.Add, Modes: "mn"}}, e.Inputs...)
}

// A finish is the epilogue of a kernel that is being traced.
type finish struct {
	k     *kernel.K
	e     *Epilogue
	w     *work
	m, n  kernel.Index // of the kernel
	alpha kernel.Value
	beta  kernel.Value
	in    map[string]kernel.Tensor
	f     func(acc kernel.Value, at ...kernel.Index) kernel.Value // nil if there is no function
}

// declare declares the parameters.
func (f *finish) declare() {
	k := f.k
	if f.e.Scaled {
		f.alpha = k.Scalar("alpha", dtype.F32)
	}
	if f.e.Add != 0 {
		f.beta = k.Scalar("beta", dtype.F32)
	}
	f.in = map[string]kernel.Tensor{}
	for _, in := range f.e.all() {
		m, n := f.user(f.m, f.n)
		switch in.Modes {
		case "m":
			f.in[in.Name] = k.Global(in.Name, in.Type, kernel.Modes(m), kernel.Int(1))
		case "n":
			f.in[in.Name] = k.Global(in.Name, in.Type, kernel.Modes(n), kernel.Int(1))
		default:
			ld := k.Int("ld"+in.Name, extent(1))
			f.in[in.Name] = k.Global(in.Name, in.Type, kernel.Modes(m, n), ld, kernel.Int(1))
		}
	}
	if f.e.Make != nil {
		f.f = f.e.Make(k, f.in)
	}
}

// user returns coordinates of the kernel's D in the order of the problem.
func (f *finish) user(row, column kernel.Index) (i, j kernel.Index) {
	if f.w.exchanged {
		return column, row
	}
	return row, column
}

// element returns an element of D before it is rounded. Coordinates outside of D are moved to its edge: the result is
// not written.
func (f *finish) element(acc kernel.Value, row, column kernel.Index) kernel.Value {
	one := kernel.Int(1)
	i, j := f.user(row.Min(f.m.Sub(one)), column.Min(f.n.Sub(one)))
	if f.e.Scaled {
		acc = acc.Mul(f.alpha)
	}
	if f.e.Add != 0 {
		c := f.k.Load(f.in["C"], i, j)
		if f.e.Add != dtype.F32 {
			c = c.Convert(dtype.F32)
		}
		acc = f.beta.FMA(c, acc)
	}
	if f.f != nil {
		acc = f.f(acc, i, j)
	}
	return acc
}

// A part is a tile of D or a piece of one: the C of a tiled MMA, repeated along M.
type part struct {
	mma           atom.TiledMMA
	thread        kernel.Index
	offset, count int64 // of its sums among the sums of the thread
	row, column   kernel.Index
}

// part returns the elements of a part of D, from the thread's sums.
func (f *finish) part(x part, sums kernel.Tensor) kernel.Tensor {
	k := f.k
	line := cute.MustParse(fmt.Sprintf("%d:1", x.count))
	from := k.View(sums, kernel.Int(x.offset), line)
	if f.e.plain() {
		return from
	}
	modes := kernel.Must(x.mma.LayoutTV(atom.OperandC)).Modes() // thread and value -> index in the tile, M first
	rows, size := x.mma.TileShape()[0], modes[1].Size()
	down, across := byAxis(modes[0], rows)
	row, column := x.row.Add(k.Crd2Idx(x.thread, down)), x.column.Add(k.Crd2Idx(x.thread, across))
	out := k.MakeFragment(dtype.F32, line)
	for i := range x.count {
		at, e := kernel.Must(modes[1].At(i%size)), kernel.Int(i)
		acc := f.element(k.Load(from, e), row.Add(kernel.Int(at%rows+i/size*rows)), column.Add(kernel.Int(at/rows)))
		k.Store(acc, out, e)
	}
	return out
}

// byAxis splits a layout of indices in a tile into layouts of rows and of columns.
func byAxis(l cute.Layout, rows int64) (down, across cute.Layout) {
	var shape, a, b []int64
	for i, n := range l.Shape().Leaves() {
		d := l.Stride().Leaves()[i]
		shape = append(shape, n)
		if d < rows {
			a, b = append(a, d), append(b, 0)
		} else {
			a, b = append(a, 0), append(b, d/rows)
		}
	}
	under := func(strides []int64) cute.Layout {
		return kernel.Must(cute.New(cute.Ints(shape...), cute.Ints(strides...)))
	}
	return under(a), under(b)
}
