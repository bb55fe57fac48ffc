package traced

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has tensors without memory: tensors of coordinates, which make_identity_tensor makes, and predicates.
//
// A tensor of coordinates is a part of the vector 0, 1, 2, ... whose digits are a coordinate: (3,5) is 3 + 5·2^30.
// Whatever divides a tensor in memory divides its coordinates in the same way, and package kernel proves from the
// digits what the coordinates of a thread are.

// codeBits is the number of bits of all digits together.
const codeBits = 60

// axes are the coordinates in a tensor.
type axes struct {
	origin cute.Tuple // the profile of a coordinate
	bits   int64      // of a digit
	lazy   interp.Value
}

// numbers returns a part of the numbers 0, 1, 2, ... as a tensor of the kernel.
func (t *Tracer) numbers(start int64, layout cute.Layout) kernel.Tensor {
	all := t.k.MakeIdentityTensor(kernel.Int(1 << (codeBits + 1)))
	return t.k.View(all, kernel.Int(start), layout)
}

// coordinateTensor returns the tensor of a value of the algebra whose elements are coordinates.
func (t *Tracer) coordinateTensor(v interp.Value) (*tensor, bool) {
	x, ok := valueOf(v).(eval.Tensor)
	if _, inMemory := interp.StorageOf(v); !ok || inMemory {
		return nil, false
	}
	l, ok := x.Layout().(cute.Layout)
	if !ok {
		return nil, false
	}
	a := &axes{origin: x.First(), lazy: interp.LazyOf(v)}
	if a.bits = codeBits / int64(max(1, a.origin.LeafCount())); !l.HasBasis() && !a.origin.IsInt() {
		return nil, false
	}
	return &tensor{t: t.numbers(a.code(a.origin), a.encode(l, a.origin)), made: true, axes: a, space: atom.Registers}, true
}

// code returns the number for a coordinate.
func (a *axes) code(c cute.Tuple) (code int64) {
	for i, n := range c.Leaves() {
		code += n << (int64(i) * a.bits)
	}
	return code
}

// axis returns the digit for the path of a basis such as 1@0@1, the last first.
func (a *axes) axis(path []int) int64 {
	at := int64(0)
	c := a.origin
	for _, p := range path {
		for i, m := range c.Modes() {
			if i < p {
				at += int64(m.LeafCount())
			}
		}
		if !c.IsInt() {
			c = kernel.Must(c.Mode(p))
		}
	}
	return at
}

// encode returns the layout with numbers in place of coordinates. It refuses one whose coordinates have more digits.
func (a *axes) encode(l cute.Layout, from cute.Tuple) cute.Layout {
	last := from.Leaves()
	var visit func(s, d cute.Tuple) cute.Tuple
	visit = func(s, d cute.Tuple) cute.Tuple {
		if n, ok := s.Int64(); ok {
			code := int64(0)
			d.Terms(func(x int64, path []int) {
				i := a.axis(path)
				code += x << (i * a.bits)
				if last[i] += (n - 1) * x; x < 0 {
					last[i] = -1
				}
			})
			return cute.Int(code)
		}
		strides := d.Modes()
		for i, m := range s.Modes() {
			strides[i] = visit(m, strides[i])
		}
		return kernel.Must(cute.MakeTuple(strides...))
	}
	stride := visit(l.Shape(), l.Stride())
	for _, n := range last {
		a.limit(n)
	}
	return kernel.Must(cute.New(l.Shape(), stride))
}

// limit refuses a coordinate above a quarter of the largest digit, to which padding adds.
func (a *axes) limit(n int64) {
	if n < 0 || n >= 1<<(a.bits-2) {
		kernel.Must(0, refuse(cute.CodeNotRepresentable, "take smaller extents, and strides that are not negative",
			"a coordinate that is negative, or has more than %d bits, is not followed", a.bits-2))
	}
}

// A caller calls a function of the program.
type caller = func(f interp.Value, args ...interp.Value) (interp.Value, error)

// coordinate returns an element of a tensor of coordinates.
func (t *Tracer) coordinate(of *tensor, at []kernel.Index, apply caller) (interp.Value, error) {
	code := t.k.Coord(of.t, at...)[0]
	var typ interp.CType
	if !t.python {
		typ = interp.CIntType
	}
	n := of.axes.origin.LeafCount()
	var visit func(c cute.Tuple) interp.Value
	visit = func(c cute.Tuple) interp.Value {
		if c.IsInt() {
			n--
			x := code
			if n > 0 {
				x = code.Mod(1 << of.axes.bits)
			}
			code = code.Div(1 << of.axes.bits)
			return index{x, typ}.value(nil)
		}
		var out interp.Tuple
		for _, m := range c.Modes() {
			out = append(out, visit(m))
		}
		return out
	}
	v := visit(of.axes.origin)
	if of.axes.lazy == nil {
		return v, nil
	}
	return apply(of.axes.lazy, v)
}

// partOfCoordinates returns the tensor of the kernel for a part of a tensor of coordinates, and other values unchanged.
func (t *Tracer) partOfCoordinates(of *tensor, from, v interp.Value) interp.Value {
	x, isTensor := valueOf(v).(eval.Tensor)
	l, ok := layoutIn(of, v)
	if !isTensor || !ok {
		return v
	}
	if y, isTraced := from.(*interp.Traced); isTraced {
		from = y.Shadow
	}
	first := of.axes.code(x.First()) - of.axes.code(valueOf(from).(eval.Tensor).First())
	return wrap(t.k.View(of.t, kernel.Int(first), l), of, v)
}

// elemLess implements elem_less(coordinate, extents).
func (t *Tracer) elemLess(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	a, okA := leavesOf(c.Args[0])
	b, okB := leavesOf(c.Args[1])
	if !okA || !okB || len(a) != len(b) {
		return nil, unknown(c)
	}
	out := t.constant(1)
	for i := range a {
		v, ok, err := t.indexOperator("<", []interp.Value{a[i], b[i]})
		if err == nil && !ok {
			err = unknown(c)
		}
		if err != nil {
			return nil, err
		}
		if isConstant(out) {
			if n, _ := interp.Number(out); n != 0 {
				out = v
			}
			continue
		}
		if out, _, err = t.condOperator("&&", []interp.Value{out, v}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// leavesOf returns the integers of a coordinate or of extents.
func leavesOf(v interp.Value) (out []interp.Value, ok bool) {
	if _, ok := indexOf(v); ok {
		return []interp.Value{v}, true
	}
	modes, ok := modesOf(v)
	for _, m := range modes {
		list, isInts := leavesOf(m)
		if !isInts {
			return nil, false
		}
		out = append(out, list...)
	}
	return out, ok
}

// get implements get<I>(tuple).
func (t *Tracer) get(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 1 || len(c.Ints) == 0 {
		return nil, unknown(c)
	}
	v := c.Args[0]
	for _, i := range c.Ints {
		list, ok := v.(interp.Tuple)
		if !ok || i < 0 || i >= int64(len(list)) {
			return nil, unknown(c)
		}
		v = list[i]
	}
	return v, nil
}

// transform implements lazy::transform(coordinates, f), and transform(t, f), transform(src, dst, f) and
// transform(a, b, dst, f) of elements.
func (t *Tracer) transform(c *interp.TracedCall) (interp.Value, error) {
	if !c.Lazy {
		return t.transformElements(c)
	}
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	of, ok := t.of(c.Args[0])
	if !ok || of.axes == nil || of.axes.lazy != nil {
		return nil, unknown(c)
	}
	x, isTraced := c.Args[0].(*interp.Traced)
	if !isTraced {
		return c.Run(c.Args)
	}
	own := *of
	own.axes = &axes{of.axes.origin, of.axes.bits, c.Args[1]}
	return &interp.Traced{Of: &own, Shadow: x.Shadow}, nil
}

// transformElements sets each element of a tensor to a function of elements.
func (t *Tracer) transformElements(c *interp.TracedCall) (interp.Value, error) {
	n := len(c.Args) - 1
	if n < 1 || n > 3 {
		return nil, unknown(c)
	}
	list := make([]*tensor, n)
	for i := range list {
		of, ok := t.of(c.Args[i])
		if !ok || of.axes != nil || of.preds != nil || of.t.Layout().Size() != list[0].size(of) {
			return nil, unknown(c)
		}
		list[i] = of
	}
	dst := list[n-1]
	for i := range dst.t.Layout().Size() {
		var args []interp.Value
		for _, of := range list[:max(1, n-1)] {
			args = append(args, t.value(t.k.Load(of.t, kernel.Int(i))))
		}
		v, err := c.Apply(c.Args[n], args...)
		if err != nil {
			return nil, err
		}
		x, ok := t.number(v, dst.t.Elem())
		if !ok {
			return nil, unknown(c)
		}
		t.k.Store(x, dst.t, kernel.Int(i))
	}
	return interp.None{}, nil
}

// size returns the number of elements of a tensor, or of another one if it is nil.
func (of *tensor) size(other *tensor) int64 {
	if of == nil {
		of = other
	}
	return of.t.Layout().Size()
}

// predicates are the elements of a tensor of bools in registers. Each is a condition, or the same for all threads.
type predicates struct {
	values map[int64]interp.Value
	depth  int // of the conditions around the tensor
}

// isPredicate reports whether elements of a type are bools.
func isPredicate(typ dtype.Type) bool { return typ == dtype.U1 }

// predicateTensor returns a tensor of bools in registers.
func (t *Tracer) predicateTensor(l cute.Layout, shadow interp.Value) interp.Value {
	p := &predicates{values: map[int64]interp.Value{}, depth: t.depth}
	return &interp.Traced{Of: &tensor{t: t.numbers(0, l), made: true, preds: p, space: atom.Registers}, Shadow: shadow}
}

// place returns where an element of a tensor without memory is.
func (t *Tracer) place(of *tensor, at ...kernel.Index) (int64, bool) {
	return t.k.Coord(of.t, at...)[0].Int64()
}

// predicate returns an element of a tensor of bools.
func (t *Tracer) predicate(of *tensor, at ...kernel.Index) (interp.Value, error) {
	i, ok := t.place(of, at...)
	v := of.preds.values[i]
	if !ok || v == nil {
		return nil, refuse(cute.CodeNotRepresentable, "set all predicates first, by coordinates that are the same for all threads",
			"a predicate that is not set, or whose coordinate differs from thread to thread, is not followed")
	}
	return v, nil
}

// setPredicate sets an element of a tensor of bools.
func (t *Tracer) setPredicate(of *tensor, v interp.Value, at ...kernel.Index) error {
	i, ok := t.place(of, at...)
	if x, isTraced := v.(*interp.Traced); isTraced {
		c, isCond := t.asCond(x)
		ok = ok && isCond
		v = t.truth(c)
	} else {
		n, isNumber := interp.Number(v)
		ok = ok && isNumber
		v = t.constant(n)
	}
	if !ok || of.preds.depth != t.depth {
		return refuse(cute.CodeNotRepresentable, "write pred(i) = i < n && pred(i) without an if around it",
			"a predicate that is set in a condition, or at a coordinate that differs from thread to thread, is not followed")
	}
	of.preds.values[i] = v
	return nil
}

// setAll sets all elements of a tensor of bools.
func (t *Tracer) setAll(of *tensor, v interp.Value) error {
	for i := range of.t.Layout().Size() {
		if err := t.setPredicate(of, v, kernel.Int(i)); err != nil {
			return err
		}
	}
	return nil
}

// maxGuarded limits the instructions of one copy with predicates.
const maxGuarded = 1024

// copyIf implements copy_if(pred, src, dst) and copy_if(by, pred, src, dst). CuTe copies element by element, or
// instruction by instruction with the predicate of the first element.
func (t *Tracer) copyIf(c *interp.TracedCall) (interp.Value, error) {
	src, dst, ok := t.elementsOf(c)
	if !ok {
		return nil, unknown(c)
	}
	by, err := t.oneInstruction(c, src.t.Elem())
	if err != nil {
		return nil, err
	}
	size, wide := src.t.Layout().Size(), by.TileSize()
	holds, given, err := t.predicateOf(c, size)
	if err != nil {
		return nil, err
	}
	each := size / max(1, given) // elements for each predicate
	isWhole := dst.t.Layout().Size() == size && given*each == size && size%wide == 0
	if !isWhole || each != 1 && each != wide || size/wide > maxGuarded {
		return nil, refuse(cute.CodeNotRepresentable, "give the predicate the shape of the tensors, or one for each instruction",
			"copy_if with %d predicates, for %d elements in instructions of %d, is not followed", given, size, wide)
	}
	a, b := t.instructions(src.t, wide), t.instructions(dst.t, wide)
	for i := range size / wide {
		v, err := holds(i * wide / each)
		if err != nil {
			return nil, err
		}
		t.guard(v, func() {
			t.k.CopyTiled(by, t.k.Slice(a, kernel.Open, kernel.Int(i)), t.k.Slice(b, kernel.Open, kernel.Int(i)))
		})
	}
	return interp.None{}, nil
}

// elementsOf returns the source and the destination of a copy_if.
func (t *Tracer) elementsOf(c *interp.TracedCall) (src, dst *tensor, ok bool) {
	n := len(c.Args)
	if n < 3 || n > 4 || len(c.Keys) > 0 {
		return nil, nil, false
	}
	src, okS := t.of(c.Args[n-2])
	dst, okD := t.of(c.Args[n-1])
	return src, dst, okS && okD && src.axes == nil && dst.axes == nil && src.t.Elem() == dst.t.Elem()
}

// guard traces instructions of the threads for which a predicate holds.
func (t *Tracer) guard(v interp.Value, body func()) {
	x, isTraced := v.(*interp.Traced)
	if isTraced {
		c, _ := t.asCond(x)
		t.k.If(c.yes(), body)
	} else if n, _ := interp.Number(v); n != 0 {
		body()
	}
}

// instructions divides a tensor into the elements of an instruction, and the instructions.
func (t *Tracer) instructions(of kernel.Tensor, wide int64) kernel.Tensor {
	l := of.Layout()
	by := kernel.Must(cute.New(cute.Ints(wide, l.Size()/wide), cute.Ints(1, wide)))
	return t.k.View(of, kernel.Int(0), kernel.Must(cute.Composition(l, by)))
}

// oneInstruction returns the copy of one thread by one instruction.
func (t *Tracer) oneInstruction(c *interp.TracedCall, elem dtype.Type) (atom.TiledCopy, error) {
	width := int64(elem.Bits())
	if len(c.Args) == 3 {
		return vectorCopy(width, elem.CPP(), width)
	}
	var by atom.CopyAtom
	switch of := valueOf(c.Args[0]).(type) {
	case eval.TiledCopy:
		by = of.Atom()
	case eval.CopyAtom:
		by = of.CopyAtom
	default:
		return atom.TiledCopy{}, unknown(c)
	}
	switch {
	case isAutomatic(by):
		return vectorCopy(width, elem.CPP(), width)
	case by.Threads() > 1 || strings.Contains(by.Name, "ZFILL"):
		return atom.TiledCopy{}, refuse(cute.CodeNotRepresentable, "take a copy of one thread without zero fill",
			"copy_if by %s is not followed", by.Name)
	}
	return atom.MakeTiledCopyTV(by, by.ValRef, cute.Int(by.ValRef.Size()))
}

// predicateOf returns the predicate of a copy as a function of an index, and the number of its elements.
func (t *Tracer) predicateOf(c *interp.TracedCall, size int64) (
	holds func(i int64) (interp.Value, error), n int64, err error,
) {
	v := c.Args[len(c.Args)-3]
	of, ok := t.of(v)
	switch {
	case ok && of.preds != nil:
		return func(i int64) (interp.Value, error) { return t.predicate(of, kernel.Int(i)) }, of.t.Layout().Size(), nil
	case ok && of.axes != nil && of.axes.lazy != nil:
		return func(i int64) (interp.Value, error) {
			return t.coordinate(of, []kernel.Index{kernel.Int(i)}, c.Apply)
		}, of.t.Layout().Size(), nil
	case ok || len(c.Args) != 3:
		return nil, 0, refuse(cute.CodeNotRepresentable,
			"take a tensor of bools, or lazy::transform of an identity tensor, partitioned as the tensors are",
			"%s with this predicate is not followed", c.Name)
	}
	return func(i int64) (interp.Value, error) {
		n := interp.Value(interp.CInt{Bits: uint64(i), Type: interp.CIntType})
		if t.python {
			n = interp.Int(i)
		}
		return c.Apply(v, n)
	}, size, nil
}

// pad returns a tensor with its modes extended to whole tiles, as in CuTe: the last tiles reach beyond the tensor.
func (t *Tracer) pad(of *tensor, sizes []int64) kernel.Tensor {
	l := of.t.Layout()
	modes, changed := l.Modes(), false
	for i, n := range sizes {
		if i >= len(modes) || n < 1 || modes[i].Size()%n == 0 || !modes[i].Shape().IsInt() {
			continue
		}
		changed = true
		if a := of.axes; a != nil {
			for d := range int64(a.origin.LeafCount()) {
				a.limit(n * (modes[i].Stride().Leaves()[0] >> (d * a.bits) & (1<<a.bits - 1)))
			}
		}
		modes[i] = kernel.Must(cute.New(cute.Int((modes[i].Size()+n-1)/n*n), modes[i].Stride()))
	}
	if !changed {
		return of.t
	}
	return t.k.View(of.t, kernel.Int(0), kernel.Must(cute.MakeLayout(modes...)))
}
