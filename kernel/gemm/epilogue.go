package gemm

import (
	"errors"
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
	// Add is the type of C: beta·C is added, a parameter and a tensor of the kernel. C has the shape of D and the layout
	// of [Problem].C, and may be D. If beta is 0, C is not read.
	Add dtype.Type
	// Inputs are further tensors.
	Inputs []Input
	// Make returns the function of an element, after alpha and beta: acc is a sum, in has the elements of the inputs for
	// it by name, and at is the row and the column of D, and the product or the group if there are several, which are
	// inside D. All numbers are f32.
	Make func(k *kernel.K) func(acc kernel.Value, in map[string]kernel.Value, at ...kernel.Index) kernel.Value
}

// An Input is a tensor that an epilogue reads.
type Input struct {
	Name string
	Type dtype.Type
	// Modes are the modes of D that it has: "m" for a vector with an element for each row, "n" for each column, and
	// "mn" for a matrix with its second mode contiguous; and with an "l" after them if they differ from product to
	// product. With groups, "nl" is a vector for each group.
	Modes string
}

// of returns the matrix of a product.
func (x *input) of(k *kernel.K, batch kernel.Index) kernel.Tensor {
	if !x.batched {
		return x.Tensor
	}
	return k.Slice(x.Tensor, kernel.Open, kernel.Open, batch)
}

// reads is the condition that C is read.
func (f *finish) reads() kernel.Cond { return f.beta.NotEqual(f.k.Number(dtype.F32, 0)) }

// plain reports whether elements of D are sums that are only rounded.
func (e *Epilogue) plain() bool { return !e.Scaled && e.Add == 0 && e.Make == nil }

// own are the names of the kernel's other parameters.
var own = strings.Fields("A B D W m n k l blocks ldA ldB ldD A_map B_map D_map alpha beta batchA batchB batchD batchW " +
	"SA SB ldSA ldSB batchSA batchSB ZB groups " + sizesName)

// names are the parameters that a kernel may have for an input.
func (x *Input) names() []string {
	return []string{x.Name, "ld" + x.Name, "batch" + x.Name, x.Name + "_map"}
}

// check refuses inputs that a kernel cannot have.
func (e *Epilogue) check(p *Problem) error {
	seen := slices.Clone(own)
	if e.Add == 0 {
		seen = append(seen, "C") // without beta there is no C
	}
	for _, in := range e.all() {
		modes, many := strings.CutSuffix(in.Modes, "l")
		taken := func(name string) bool { return slices.Contains(seen, name) }
		switch {
		case slices.ContainsFunc(in.names(), taken) || in.Name == "" || len(in.Name) > 100:
			return refuse(cute.CodeName, "expected inputs with names of their own, found %.100q", in.Name)
		case !slices.Contains([]string{"m", "n", "mn"}, modes):
			return refuse(cute.CodeMode, "expected the modes m, n or mn of %s, or with an l after them, found %q", in.Name,
				in.Modes)
		case many && p.L == 0 && (p.Groups == 0 || modes != "n"):
			return refuse(cute.CodeMode, "expected a problem with l for the modes %q of %s, or nl with groups", in.Modes, in.Name)
		case in.Type.Kind() != dtype.Float || in.Type.Bits() != 16 && in.Type.Bits() != 32 || in.Type == dtype.TF32:
			return refuse(cute.CodeType, "expected elements of f16, bf16 or f32 in %s, found %v", in.Name, in.Type)
		}
		seen = append(seen, in.names()...)
	}
	return nil
}

// checkNames refuses names of inputs that a kernel cannot have: it declares them in a kernel of that name that does
// nothing.
func (e *Epilogue) checkNames(name string) error {
	if len(e.Inputs) == 0 {
		return nil
	}
	_, err := kernel.Trace(name, 32, func(k *kernel.K) {
		for _, in := range e.Inputs {
			k.Scalar(in.Name, dtype.F32)
		}
	})
	if x, ok := errors.AsType[*cute.Error](err); ok {
		return x
	}
	return err
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
	k          *kernel.K
	e          *Epilogue
	p          *Problem
	w          *work
	m, n, z, l kernel.Index // of the kernel
	alpha      kernel.Value
	beta       kernel.Value
	in         []input                  // in the order of Epilogue.all
	factors    map[string]kernel.Tensor // SA and SB
	f          func(acc kernel.Value, in map[string]kernel.Value, at ...kernel.Index) kernel.Value

	place                                   // of the tile that is finished
	loaded [2]map[kernel.Index]kernel.Value // the factors of the elements that are finished
}

// An input is a tensor of the shape of the kernel's D; batched says that it has a third mode.
type input struct {
	kernel.Tensor
	batched bool
}

// plain reports whether elements of D are sums that are only rounded.
func (f *finish) plain() bool {
	return f.e.plain() && !f.p.Scale.whole() && (f.w.sums() == dtype.F32 || f.w.out == dtype.S32)
}

// beyond is the extent of a mode that a vector does not have: no coordinate of a tile is outside of it.
const beyond = 2 * MaxExtent

// declare declares the parameters. The unit divides the columns of the kernel's D.
func (f *finish) declare(unit int64, c *Choice) {
	k := f.k
	if f.e.Scaled {
		f.alpha = k.Scalar("alpha", dtype.F32)
	}
	if f.e.Add != 0 {
		f.beta = k.Scalar("beta", dtype.F32)
	}
	f.declareFactors()
	for i, in := range f.e.all() {
		declare := f.k.Global
		if c.fetches(f.w) && i == f.w.fetched {
			declare = f.k.TmaTensor
		}
		shape, strides := f.modes(in, unit)
		f.in = append(f.in, input{declare(in.Name, in.Type, shape, strides...), len(shape) == 3})
	}
	if f.e.Make != nil {
		if f.f = f.e.Make(k); f.f == nil {
			kernel.Must(0, error(refuse(cute.CodeUnknown, "expected a function of the epilogue, found nil")))
		}
	}
}

// modes returns the extents and strides of an input in the order of the kernel's D. A vector is a matrix with a stride
// of 0: a thread loads an element of it once for all of its sums.
func (f *finish) modes(in Input, unit int64) (shape, strides []kernel.Index) {
	modes, batched := strings.CutSuffix(in.Modes, "l")
	rows, columns := f.user(f.m, f.n)
	x := matrix{name: in.Name}
	if in.Name == "C" {
		x, batched = f.w.c, f.w.c.separate()
	} else if batched {
		x.batch = 1 // any stride
	}
	switch zero, one, any := kernel.Int(0), kernel.Int(1), kernel.Int(beyond); modes {
	case "n":
		shape, strides = []kernel.Index{any, columns, f.l}, []kernel.Index{zero, one, columns}
	case "m":
		shape, strides = []kernel.Index{rows, any, f.l}, []kernel.Index{one, zero, rows}
	default:
		if (x.major == atom.MNMajor) != f.w.exchanged {
			unit = 1 // the contiguous mode is the rows of the kernel's D
		}
		for x.ld%unit != 0 || in.Name == "C" && x.batch%unit != 0 {
			unit /= 2
		}
		shape, strides = x.modes(f.k, unit, [3]kernel.Index{rows, columns, f.l})
	}
	n := 2
	if batched {
		n = 3
	}
	shape, strides = slices.Clone(shape[:n]), slices.Clone(strides[:n])
	shape[0], shape[1] = f.user(shape[0], shape[1])
	strides[0], strides[1] = f.user(strides[0], strides[1])
	return shape, strides
}

// user returns coordinates of the kernel's D in the order of the problem, and the reverse.
func (f *finish) user(row, column kernel.Index) (i, j kernel.Index) {
	if f.w.exchanged {
		return column, row
	}
	return row, column
}

// A part is a piece of a tile of D: the C of a tiled MMA.
type part struct {
	team        int64
	mma         atom.TiledMMA
	thread      kernel.Index
	offset      int64        // of its sums among the sums of the thread
	row, column kernel.Index // in pieces
	has         kernel.Cond  // the block finishes it
	below       bool         // the piece before has the same columns
}

// of returns the thread's elements of a matrix of the shape of D.
func (x *part) of(k *kernel.K, t kernel.Tensor) kernel.Tensor {
	size := x.mma.TileShape()
	return k.ThrMMA(x.mma, x.thread).PartitionC(k.LocalTile(t, kernel.Shape(size[0], size[1]), x.row, x.column))
}

// fragment returns the layout of the thread's elements.
func (x *part) fragment() cute.Layout {
	size := x.mma.TileShape()
	return kernel.Must(cute.LayoutLeft(kernel.Must(x.mma.PartitionShape(atom.OperandC, cute.Ints(size[0], size[1])))))
}

// load begins to load the inputs for a part, in the widest accesses that the layout of C leaves: elements that follow
// each other in a row in pairs, and each element of a vector once. Before are the inputs of the piece before: elements
// of the same columns stay. With a beta of 0, C is zeros and is not read.
func (f *finish) load(x *part, c *Choice, before []kernel.Tensor) (out []kernel.Tensor) {
	k := f.k
	for i, in := range f.e.all() {
		if x.below && (strings.TrimSuffix(in.Modes, "l") == "n") != f.w.exchanged && !strings.HasPrefix(in.Modes, "mn") {
			out = append(out, before[i])
			continue
		}
		from, to := f.w.rowsFrom(k, f.in[i].of(k, f.batch), f.from), k.MakeFragment(in.Type, x.fragment())
		out = append(out, to)
		if in.Name == "C" {
			k.Clear(to)
		}
		switch {
		case c.fetches(f.w) && i == f.w.fetched: // see output.write
		case in.Name == "C":
			k.CopyWhere(f.reads().And(x.has), x.of(k, from), to)
		default:
			k.CopyZfill(x.of(k, from), to)
		}
	}
	return out
}

// part returns the elements of a part of D, from the thread's sums and inputs.
func (f *finish) part(x *part, in []kernel.Tensor, sums kernel.Tensor) kernel.Tensor {
	k, fragment := f.k, x.fragment()
	line := cute.MustParse(fmt.Sprintf("%d:1", fragment.Size()))
	from := k.View(sums, kernel.Int(x.offset), line)
	if f.plain() {
		return from
	}
	size := x.mma.TileShape()
	row, column, at := x.places(k)
	if f.w.groups > 0 {
		row = row.Add(f.from)
	}
	row, column = x.row.Mul(kernel.Int(size[0])).Add(row), x.column.Mul(kernel.Int(size[1])).Add(column)
	out := k.MakeFragment(dtype.F32, line)
	for i := range f.loaded {
		f.loaded[i] = map[kernel.Index]kernel.Value{}
	}
	for i := range fragment.Size() {
		e, values := kernel.Int(i), map[string]kernel.Value{}
		for j, x := range f.e.all() {
			v := k.Load(k.View(in[j], kernel.Int(0), line), e)
			if x.Type != dtype.F32 {
				v = v.Convert(dtype.F32)
			}
			values[x.Name] = v
		}
		down, across := at(i)
		k.Store(f.element(k.Load(from, e), values, row.Add(kernel.Int(down)), column.Add(kernel.Int(across))), out, e)
	}
	return out
}

// element returns an element of D before it is rounded. Coordinates outside of D are moved to its edge: the result is
// not written.
func (f *finish) element(acc kernel.Value, in map[string]kernel.Value, row, column kernel.Index) kernel.Value {
	one := kernel.Int(1)
	i, j := f.user(row.Min(f.m.Sub(one)), column.Min(f.n.Sub(one)))
	if acc.Type() != dtype.F32 {
		acc = acc.Convert(dtype.F32)
	}
	if f.p.Scale.whole() {
		acc = acc.Mul(f.factor(0, i).Mul(f.factor(1, j)))
	}
	if f.e.Scaled {
		acc = acc.Mul(f.alpha)
	}
	if f.e.Add != 0 {
		acc = f.beta.FMA(in["C"], acc)
	}
	if f.f != nil {
		acc = f.f(acc, in, f.coord(i, j)...)
	}
	return acc
}

// places returns where the sums of a thread are in a part: the row and the column of the first sum, and how far the
// i-th sum is from it.
func (x *part) places(k *kernel.K) (row, column kernel.Index, at func(i int64) (down, across int64)) {
	modes := kernel.Must(x.mma.LayoutTV(atom.OperandC)).Modes() // thread and value -> index in the tile, M first
	rows, size := x.mma.TileShape()[0], modes[1].Size()
	down, across := byAxis(modes[0], rows)
	return k.Crd2Idx(x.thread, down), k.Crd2Idx(x.thread, across), func(i int64) (int64, int64) {
		v := kernel.Must(modes[1].At(i % size))
		return v%rows + i/size*rows, v / rows
	}
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
