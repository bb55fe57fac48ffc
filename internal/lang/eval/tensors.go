package eval

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
	"girih/tensor/tiled"
	"girih/tmem"
)

// This file has the methods of tensors: tiles, partitions, fragments, and the output of print_tensor. tensor_values.go
// has the values.

func makeIdentityTensor(c *call) (Value, error) {
	s, err := c.shape(0)
	if err != nil {
		return nil, err
	}
	return tensorOf(tensor.Identity(s))
}

func makeFragmentLike(c *call) (Value, error) {
	t, err := c.tensor(0)
	if err != nil {
		return nil, err
	}
	return layoutOf(tensor.FragmentLayout(t.Domain()))
}

// partRow returns the row of make_fragment_A or a similar function: the registers for a result of partition_A.
//
//go:noinline
func partRow(operand byte, part, output string) Builtin {
	name := "make_fragment_" + string(operand)
	doc := "make_fragment_like of it"
	if operand == 'C' {
		doc = "column-major"
	}
	return Builtin{
		Name: name, Params: "thr, part",
		Doc: "Returns the layout of one thread's registers for a result of partition_" + string(operand) + ": " + doc +
			". An operand that the MMA reads from shared memory has descriptors: see partition_fragment_" + string(operand) +
			". An operand in tensor memory has addresses there, in elements; a lane is 65536 words of 32 bits from the next.",
		Example: name + `(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), ` + part + ")", Output: output,
		known: func(c *call) (Value, error) {
			m, err := c.mmaOf(0)
			if err != nil {
				return nil, err
			}
			if o := operands[operand]; m.Atom().Space(o) == atom.SharedMemory {
				return nil, &cute.Error{
					Code: cute.CodeType, Op: name, Msg: fmt.Sprintf("%s takes %v from shared memory, by descriptors", m.Atom().Name, o),
					Hint: "use partition_fragment_" + string(operand) + " of the whole tensor",
				}
			}
			t, err := c.tensor(1)
			if err != nil {
				return nil, err
			}
			if o := operands[operand]; m.Atom().Space(o) == atom.TensorMemory {
				return fragmentInTensorMemory(m.Atom(), o, t.Domain())
			}
			if operand == 'C' {
				return layoutOf(cute.LayoutLeft(t.Domain().Shape()))
			}
			return layoutOf(tensor.FragmentLayout(t.Domain()))
		},
	}
}

// fragmentInTensorMemory returns the layout of a part of an operand in tensor memory, in elements.
func fragmentInTensorMemory(m atom.MMA, o atom.Operand, part cute.Layout) (Value, error) {
	sizes := part.AppendModeSizes(nil)
	if rows, columns := m.Extents(o); len(sizes) < 3 || sizes[0] != rows*columns/m.Threads() {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "make_fragment_" + o.String(),
			Msg: fmt.Sprintf("expected a part with %d elements of an instruction in mode 0 and the modes of the instructions, "+
				"found %v", rows*columns/m.Threads(), part),
			Hint: "use what partition_" + o.String() + " returns",
		}
	}
	t, err := tmem.Fragment(m, o, sizes[1:]...)
	if err != nil {
		return nil, err
	}
	return layoutOf(t.Layout())
}

// mmaOf returns argument i, a tiled MMA or one thread of it.
func (c *call) mmaOf(i int) (TiledMMA, error) {
	of := c.args[i]
	if s, ok := of.(ThrSlice); ok {
		of = s.of
	}
	m, ok := of.(TiledMMA)
	if !ok {
		return m, c.bad(i, "a tiled MMA, or one thread of it, get_slice(m, thread)")
	}
	return m, nil
}

// fragmentRow returns the row of partition_fragment_A or a similar function.
//
//go:noinline
func fragmentRow(operand byte, output string) Builtin {
	name := "partition_fragment_" + string(operand)
	shape := "(128,64)"
	return Builtin{
		Name: name, Params: "thr, T",
		Doc: "Returns the layout of one thread's registers for operand " + string(operand) + " of a tensor: make_fragment_like of partition_" +
			string(operand) + ", or column-major for C. For an operand in shared memory, returns the layout of its descriptors, " +
			"in units of 16 bytes. It is the same for all threads.",
		Example: name + `(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), ` + shape + ":(64,1))", Output: output,
		known: func(c *call) (Value, error) {
			m, err := c.mmaOf(0)
			if err != nil {
				return nil, err
			}
			thr, err := m.Thread(0)
			if err != nil {
				return nil, err
			}
			t, err := c.tensor(1)
			if err != nil {
				return nil, err
			}
			return layoutOf(thr.PartitionFragment(operands[operand], t.Domain()))
		},
	}
}

// makeTensor takes a layout, or an origin and a layout, or an origin, a shape and its stride.
func (c *call) makeTensor() (Value, error) {
	if len(c.args) == 3 {
		l, err := c.env.builtin(c.expr, "make_layout", c.args[1:]...)
		if err != nil {
			return nil, err
		}
		of := *c
		of.args = []Value{c.args[0], l}
		return of.makeTensor()
	}
	at := len(c.args) - 1
	if dynamic(c.args[at]) {
		return c.needsKnown()
	}
	origin := cute.Int(0)
	if at == 1 {
		switch x := c.args[0].(type) {
		case Tuple:
			origin = x.Tuple
		case DynamicTuple:
			c.env.note("what %v points to is not known: places count from it", x)
		default:
			return nil, c.bad(0, "an integer or a coordinate")
		}
	}
	of := *c
	of.args = c.args[at:]
	t, err := of.tensor(0)
	if err != nil {
		return nil, err
	}
	return tensorOf(tensor.CoordinatesAt(origin, t.Layout()))
}

// noteTiles notes where tiles do not fit, as divides do.
func (c *call) noteTiles(t Tensor, by cute.Tiler) {
	if d, err := cute.ZippedDivide(t.Domain(), by); err == nil && !d.Padding.None() {
		c.env.note("%v", d.Padding)
	}
}

func (c *call) localTile() (Value, error) {
	t, by, at, err := c.tiles()
	if err != nil {
		return nil, err
	}
	if len(c.args) < 4 {
		c.noteTiles(t, by)
		part, err := t.LocalTile(by, at)
		return c.asGiven(0, part, err)
	}
	proj, err := c.coord(3)
	if err != nil {
		return nil, err
	}
	part, err := t.LocalTileProj(by, at, proj)
	return c.asGiven(0, part, err)
}

func (c *call) outerPartition() (Value, error) {
	t, by, at, err := c.tiles()
	if err != nil {
		return nil, err
	}
	c.noteTiles(t, by)
	part, err := t.OuterPartition(by, at)
	return c.asGiven(0, part, err)
}

// tiles returns the operands: a tensor, a tiler and a coordinate.
func (c *call) tiles() (t Tensor, by cute.Tiler, at cute.Coord, err error) {
	if t, err = c.tensor(0); err != nil {
		return t, by, at, err
	}
	if by, err = c.tiler(1); err != nil {
		return t, by, at, err
	}
	at, err = c.coord(2)
	return t, by, at, err
}

// dynamicTile is localTile for a layout with run-time integers: a slice of its zipped divide.
func (c *call) dynamicTile() (Value, error) { return c.dynamicTiles(1) }

// dynamicPlace is outerPartition for a layout with run-time integers.
func (c *call) dynamicPlace() (Value, error) { return c.dynamicTiles(0) }

// dynamicTiles slices mode at of a zipped divide. Mode 0 is the tile, mode 1 the places of the tiles.
func (c *call) dynamicTiles(at int) (Value, error) {
	if len(c.args) > 3 {
		return nil, &cute.Error{
			Code: cute.CodeUnknown, Op: c.fn.Name, Msg: "a projection needs integers that are known",
			Hint: "leave the modes at which it has _ out of the tiler and the coordinate",
		}
	}
	divided, err := c.env.builtin(c.expr, "zipped_divide", c.args[0], c.args[1])
	if err != nil {
		return nil, err
	}
	l, err := asDynamicLayout(divided)
	if err != nil {
		return nil, c.bad(0, "a layout")
	}
	modes := l.Shape().Modes()
	open := func(n int) []Value { return slices.Repeat([]Value{Coord{cute.Open}}, max(0, n)) }
	picked := c.args[2]
	if elems, ok := elements(picked); ok { // a shorter tuple leaves the last modes open
		all := append(elems, open(len(modes[at].Modes())-len(elems))...)
		if picked, err = c.env.builtin(c.expr, "make_tuple", all...); err != nil {
			return nil, err
		}
	}
	var kept Value = Coord{cute.Open}
	if _, leaf := modes[1-at].Leaf(); !leaf {
		if kept, err = c.env.builtin(c.expr, "make_tuple", open(len(modes[1-at].Modes()))...); err != nil {
			return nil, err
		}
	}
	both := []Value{kept, picked}
	if at == 0 {
		both = []Value{picked, kept}
	}
	coord, err := c.env.builtin(c.expr, "make_tuple", both...)
	if err != nil {
		return nil, err
	}
	return c.env.builtin(c.expr, "slice_and_offset", coord, divided)
}

// elements returns the modes of a coordinate that is a tuple.
func elements(v Value) ([]Value, bool) {
	switch k := v.(type) {
	case Coord:
		if k.Depth() > 0 {
			return coordModes(k), true
		}
	case Tuple:
		if k.Depth() > 0 {
			var all []Value
			for _, m := range k.Modes() {
				all = append(all, Tuple{m})
			}
			return all, true
		}
	case DynamicTuple:
		if _, leaf := k.Leaf(); !leaf && !k.Open() {
			var all []Value
			for _, m := range k.Modes() {
				all = append(all, DynamicTuple{m, k.Guard})
			}
			return all, true
		}
	}
	return nil, false
}

func (c *call) localPartition() (Value, error) {
	t, err := c.tensor(0)
	if err != nil {
		return nil, err
	}
	threads, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	index, err := c.integer(2)
	if err != nil {
		return nil, err
	}
	if len(c.args) < 4 {
		part, err := t.LocalPartition(threads, index)
		return c.asGiven(0, part, err)
	}
	proj, err := c.coord(3)
	if err != nil {
		return nil, err
	}
	part, err := t.LocalPartitionProj(threads, index, proj)
	return c.asGiven(0, part, err)
}

// printTensor lists the elements: a row for each index of mode 0, with mode 1 along the row, inside lists for modes 2
// and 3.
func (c *call) printTensor() (Value, error) {
	t, err := c.tensor(0)
	if err != nil {
		return nil, err
	}
	if err := printable(t); err != nil {
		return nil, err
	}
	n := t.Domain().AppendModeSizes(nil)
	if len(n) > 4 {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: c.fn.Name, Msg: "expected at most 4 modes to print, found " + t.Shape().String(),
			Hint: "print a slice, or group modes",
		}
	}
	elements := make([]Value, 0, t.Size())
	for x := range t.Values() {
		elements = append(elements, Tuple{x})
	}
	if len(n) < 2 {
		return List(elements), nil
	}
	rows := func(plane []Value) Value {
		var out List
		for i := range n[0] {
			var row List
			for j := range n[1] {
				row = append(row, plane[i+n[0]*j])
			}
			out = append(out, row)
		}
		return out
	}
	var planes List
	for at := int64(0); at < int64(len(elements)); at += n[0] * n[1] {
		planes = append(planes, rows(elements[at:at+n[0]*n[1]]))
	}
	switch len(n) {
	case 2:
		return planes[0], nil
	case 3:
		return planes, nil
	}
	var all List
	for at := int64(0); at < int64(len(planes)); at += n[2] {
		all = append(all, planes[at:at+n[2]])
	}
	return all, nil
}

// partTensor returns one thread's part of a tensor that is an operand.
func partTensor(s ThrSlice, operand byte, t Tensor) (Value, error) {
	switch x := s.of.(type) {
	case TiledMMA:
		thr, err := x.Thread(s.thread)
		if err != nil {
			return nil, err
		}
		switch operand {
		case 'A':
			return tensorOf(tiled.PartitionA(thr, t.Tensor))
		case 'B':
			return tensorOf(tiled.PartitionB(thr, t.Tensor))
		case 'C':
			return tensorOf(tiled.PartitionC(thr, t.Tensor))
		}
	case TiledCopy:
		thr, err := x.Thread(s.thread)
		if err != nil {
			return nil, err
		}
		switch operand {
		case 'S':
			return tensorOf(tiled.PartitionS(thr, t.Tensor))
		case 'D':
			return tensorOf(tiled.PartitionD(thr, t.Tensor))
		}
	}
	_, err := partitionerOf(s.of, operand, s.thread) // returns the error for an unknown operand
	return nil, err
}
