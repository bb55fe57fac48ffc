package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/ptx"
)

// A Space is where the elements of a tensor are.
type Space uint8

// The spaces.
const (
	Global       Space = iota // in memory that all blocks see
	Shared                    // in the shared memory of a block
	Registers                 // in registers of a thread
	Descriptors               // descriptors of matrices in shared memory, for wgmma
	TensorMaps                // coordinates in global memory, for the TMA
	Coordinates               // no memory: coordinates of an identity tensor
	TensorMemory              // in the tensor memory of a block
)

// String returns the name of the space.
func (s Space) String() string {
	return [...]string{
		"global", "shared", "registers", "descriptors", "tensor maps", "coordinates",
		"tensor memory",
	}[min(s, TensorMemory)]
}

// MarshalText returns the name, for JSON. The error is nil.
func (s Space) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Tensor is elements under a layout: CuTe's Tensor. Methods of [K] make its views.
//
// Its element at a coordinate is the element of the root at origin + layout(coordinate). That sum is a coordinate of
// the root if the root has one mode for each axis, and an offset in elements otherwise.
type Tensor struct {
	_ [0]func() // tensors cannot be compared

	// It is two words, which calls pass in registers: kernels pass tensors everywhere. Tensors share views, so a method
	// changes the view that it has just made, or its copy by [Tensor.apart].
	root *root
	*view
}

// A view is which elements of its root a tensor has. The zero Tensor is without one.
type view struct {
	origin []address.Expr // by axis
	modes  []mode
	assume int64   // divisor, in bytes, of the first address by [K.Assume]; 0 if only proved facts count
	zip    *zipped // the metadata of a sparse operand

	factors *Tensor // the factors of a block-scaled operand
	home    *region // the body whose numbers it is made of: see scope.go
	step    emit.ID // the operation that made it: see steps.go

	within [][2]address.Expr // of a root of a known layout: what holds if the coordinates are inside of their modes
}

// at returns a view from another origin on, without modes.
func (v *view) at(origin []address.Expr) *view {
	return &view{origin: origin, home: v.home, within: v.within}
}

// A root is what a tensor is a part of.
type root struct {
	k        *K
	name     string
	space    Space
	elem     dtype.Type
	pointer  address.Expr   // of the first element, in bytes
	strides  []address.Expr // by axis, in elements
	extents  []address.Expr // by axis; nil if no element can be outside
	outer    cute.Composed  // the functions applied to the offset; its inner layout is not used
	period   int64          // the period of the swizzle in outer, if offsets below 0 count modulo it; otherwise 0
	words    []ptx.Name     // registers
	operands []ptx.Operand  // the same as operands, made on demand
	count    int            // the number of elements in them
	parts    int            // of a complex element: its number of parts, each an elem
	of       *root          // the root that owns these registers
	matrix   *matrix        // of descriptors
	cells    *cells         // of tensor memory
	apart    bool           // whether overlapping elements were already checked
	viewed   bool           // there is a view by [K.View], which may leave the tensor
	wgmma    bool           // wgmma reads it by descriptors
}

// A mode is a mode of a tensor: a layout of known extents, or a run-time extent with a vector as its step.
type mode struct {
	layout cute.Layout // if extent is not an expression
	extent Index       // a run-time extent
	step   []address.Expr
	open   bool // extent and step are used
}

// apart returns a tensor with its own copy of the view.
func (t Tensor) apart() Tensor {
	v := *t.view
	t.view = &v
	return t
}

// Modes returns its arguments, the extents for [K.Global].
func Modes(extents ...Index) []Index { return extents }

// Global returns a parameter that is the address of a tensor in global memory, a multiple of 16 bytes. Its modes have
// the given extents, which may be run-time numbers, and strides in elements; without strides the first mode is
// contiguous and the others follow, as in [cute.LayoutLeft]. It fails with [cute.CodeRank] for another number of
// strides, and [cute.CodeType] for elements that are neither whole bytes nor parts that fill a byte. If elements are
// smaller than a byte, the first element of a byte is in the lowest bits.
func (k *K) Global(name string, t dtype.Type, extents []Index, strides ...Index) (out Tensor) {
	if len(strides) == 0 {
		next := Int(1)
		for _, e := range extents {
			strides = append(strides, next)
			next = next.Mul(e)
		}
	}
	s := emit.Step{Op: "global", Name: name, Type: t, At: append(k.coords(extents...), k.coords(strides...)...)}
	defer k.does(&s).tensor(&out)
	if len(strides) != len(extents) {
		k.refuse("make_tensor", cute.CodeRank, "%s has %d extents and %d strides", name, len(extents), len(strides))
		return Tensor{}
	}
	r := k.pointer(name, t)
	if r == nil {
		return Tensor{}
	}
	out = Tensor{root: r, view: &view{}}
	for i, e := range extents {
		r.strides = append(r.strides, k.expr(strides[i]))
		r.extents = append(r.extents, k.expr(e))
		out.origin = append(out.origin, k.s.Const(0))
	}
	for i, e := range extents {
		step := slices.Repeat([]address.Expr{k.s.Const(0)}, len(extents))
		step[i] = k.s.Const(1)
		out.modes = append(out.modes, mode{extent: e, step: step, open: true})
	}
	k.space()
	return out
}

// GlobalLayout is [K.Global] for a tensor under a known layout of integers, swizzled or not. It fails with
// [cute.CodeCodomain] for coordinates.
func (k *K) GlobalLayout(name string, t dtype.Type, layout cute.Inner) (out Tensor) {
	defer k.does(&emit.Step{Op: "global_layout", Name: name, Type: t, Layout: compose(layout)}).tensor(&out)
	r := k.pointer(name, t)
	if r == nil {
		return Tensor{}
	}
	return k.under(r, layout)
}

// pointer returns the root of a parameter that is an address.
func (k *K) pointer(name string, t dtype.Type) *root {
	return k.newGlobal(name, t, cmp.Or(k.align, 16))
}

// AssumedAlign states what divides the addresses of the tensors that [K.Global] and [K.GlobalLayout] return in f,
// instead of 16 bytes: assumed_align of the CuTe DSL. They fail with [cute.CodeExtent] unless bytes is a power of two
// from the size of an element to 4096.
func (k *K) AssumedAlign(bytes int64, f func()) {
	k.goesBeyond("AssumedAlign")
	k.ready()
	before := k.align
	k.align = bytes
	f()
	k.align = before
}

func compose(layout cute.Inner) cute.Composed {
	switch l := layout.(type) {
	case cute.Layout:
		return l.Composed()
	case cute.Composed:
		return l
	}
	return cute.Composed{}
}

// under returns the tensor of a root under a layout of integers.
func (k *K) under(r *root, layout cute.Inner) Tensor {
	if r.outer = compose(layout); layout == nil {
		k.foreign("make_tensor", aLayout, nil)
	}
	l := r.outer.Layout()
	if l.HasBasis() {
		k.refuse("make_tensor", cute.CodeCodomain, "%s has the layout %v, whose values are coordinates", r.name, layout)
		return Tensor{}
	}
	r.strides = []address.Expr{k.s.Const(1)}
	out := Tensor{root: r, view: &view{origin: []address.Expr{k.s.Const(0)}}}
	for _, m := range l.Modes() {
		out.modes = append(out.modes, mode{layout: m})
	}
	return out
}

// MakeFragment returns a tensor in registers under a layout, with as many elements as its cosize:
// make_tensor<T>(layout). It fails with [cute.CodeNegative] and [cute.CodeCodomain] as [K.Shared], and [cute.CodeLimit]
// above [MaxElements].
func (k *K) MakeFragment(t dtype.Type, layout cute.Layout) (out Tensor) {
	defer k.does(&emit.Step{Op: "make_tensor", Type: t, Layout: layout.Composed()}).tensor(&out)
	return k.makeFragment(t, 1, layout)
}

// makeFragment is MakeFragment for elements of several parts.
func (k *K) makeFragment(t dtype.Type, parts int, layout cute.Layout) Tensor {
	const op = "make_tensor"
	n, err := layout.Cosize()
	if err != nil {
		k.fail(err)
		return Tensor{}
	}
	switch {
	case layout.HasBasis():
		k.refuse(op, cute.CodeCodomain, "a fragment has the layout %v, whose values are coordinates", layout)
	case n > MaxElements:
		k.advise("give each thread fewer elements: smaller tiles, or more threads").refuse(op, cute.CodeLimit,
			"a fragment of %d elements is more than %d", n, MaxElements)
	case !holdable(t.Bits()):
		k.refuse(op, cute.CodeType, "a fragment has elements of %d bits: expected 1, 2, 4, 8, 16, 32 or 64", t.Bits())
	case slices.ContainsFunc(layout.Stride().Leaves(), func(d int64) bool { return d < 0 }):
		k.advise("take strides of at least 0").refuse(op, cute.CodeNegative,
			"a fragment has the layout %v, which goes below its first element", layout)
	}
	if k.err != nil {
		return Tensor{}
	}
	r := &root{k: k, name: "fragment", space: Registers, elem: t, parts: parts, count: int(n), pointer: k.s.Const(0)}
	typ, per := r.register()
	for range (int(n) + per - 1) / per * parts {
		w := k.b.Reg(typ)
		r.words = append(r.words, w)
		if t.Bits() < 32 {
			k.emit("mov.b32", w, ptx.Int(0)) // elements are written to a word one by one
		}
	}
	f := fragment{words: r.words, root: r}
	f.pcs.keep(k, 2)
	k.fragments = append(k.fragments, f)
	return k.under(r, layout)
}

// MakeFragmentLike returns a compact tensor in registers with the shape of t and its modes in the order of their
// strides: make_fragment_like. It fails with [cute.CodeUnknown] for run-time extents.
func (k *K) MakeFragmentLike(t Tensor, elem dtype.Type) (out Tensor) {
	defer k.does(&emit.Step{Op: "make_fragment_like", Of: of(t), Type: elem}).tensor(&out)
	l, ok := k.layoutOf("make_fragment_like", t)
	if !ok {
		return Tensor{}
	}
	like, err := alike(l, t.root)
	if err != nil {
		k.fail(err)
		return Tensor{}
	}
	return k.label(k.MakeFragment(elem, like), t.like())
}

// alike returns a compact layout in the order of the strides of a part of a root: known ones by their size, and
// run-time ones, as in CuTe, after them.
func alike(l cute.Layout, r *root) (cute.Layout, error) {
	if !l.HasBasis() {
		return cute.MakeLayoutLike(l)
	}
	var order []int64
	for _, f := range leavesOf(l) {
		far := int64(0)
		for a, d := range f.stride {
			if n, known := r.along(a); d != 0 && known {
				far += d * n
			} else if d != 0 {
				far = math.MaxInt64
			}
		}
		order = append(order, far)
	}
	by, _ := cute.Ints(order...).Unflatten(l.Shape())
	return cute.MakeOrderedLayout(l.Shape(), by)
}

// along returns the stride of an axis, if it is known.
func (r *root) along(axis int) (int64, bool) {
	if axis >= len(r.strides) {
		return 0, false
	}
	return r.strides[axis].Int64()
}

// layoutOf returns the layout of a tensor without run-time extents.
func (k *K) layoutOf(op string, t Tensor) (cute.Layout, bool) {
	if !k.has(op, t) {
		return cute.Layout{}, false
	}
	ls := make([]cute.Layout, len(t.modes))
	for i, m := range t.modes {
		if m.open {
			k.repair("give a coordinate for each mode, or take a tile with LocalTile or a slice first", &cute.Error{
				Code: cute.CodeUnknown, Op: op,
				Msg: fmt.Sprintf("mode %d of %s has the run-time extent %v", i, t.root.name, m.extent),
			})
			return cute.Layout{}, false
		}
		ls[i] = m.layout
	}
	l, err := cute.MakeLayout(ls...)
	k.fail(err)
	return l, k.err == nil
}

// Elem returns the type of the elements, 0 for the zero Tensor.
func (t Tensor) Elem() dtype.Type {
	if t.root == nil {
		return 0
	}
	return t.root.elem
}

// Space returns where the elements are.
func (t Tensor) Space() Space {
	if t.root == nil {
		return Global
	}
	return t.root.space
}

// Rank returns the number of modes.
func (t Tensor) Rank() int {
	if t.root == nil {
		return 0
	}
	return len(t.modes)
}

// Extent returns the number of coordinates of a mode, 1 for a mode that the tensor does not have.
func (t Tensor) Extent(i int) Index {
	if i < 0 || i >= t.Rank() {
		return Int(1)
	}
	if m := t.modes[i]; !m.open {
		return Int(m.layout.Size())
	} else {
		return m.extent
	}
}

// String returns the tensor as "shared a (8,4):(4,1) at 16·(thread.x/8)".
func (t Tensor) String() string {
	if t.root == nil {
		return "no tensor"
	}
	var shapes, strides, origin []string
	for _, m := range t.modes {
		if m.open {
			var steps []string
			for _, d := range m.step {
				steps = append(steps, d.String())
			}
			shapes, strides = append(shapes, m.extent.String()), append(strides, "["+strings.Join(steps, ",")+"]")
			continue
		}
		shapes, strides = append(shapes, m.layout.Shape().String()), append(strides, m.layout.Stride().String())
	}
	for _, x := range t.origin {
		origin = append(origin, x.String())
	}
	return fmt.Sprintf("%v %s (%s):(%s) at (%s)", t.root.space, t.root.name, strings.Join(shapes, ","),
		strings.Join(strides, ","), strings.Join(origin, ","))
}
