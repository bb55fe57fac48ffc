package kernel

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/machine/address"
)

// This file gives tensors other coordinates: the algebra of package cute, applied to the layout of a tensor's modes.
// Every operation keeps the first element. Modes with run-time extents have no layout, so they are moved as they are,
// and an operation that would compute with their extents refuses them.

// Layout returns the layout of the tensor's modes, in elements: layout(t). It contains neither the tensor's first
// element nor its swizzle. A Go loop over Layout().Size() visits all elements. It fails with [cute.CodeUnknown] for a
// run-time extent.
func (t Tensor) Layout() cute.Layout {
	if t.root == nil {
		none("layout", aTensor)
	}
	l, _ := t.root.k.layoutOf("layout", t)
	return l
}

// relayout returns the elements of t by the coordinates of another layout, which f makes from the layout of its modes.
func (k *K) relayout(op string, t Tensor, f func(cute.Layout) (cute.Layout, error)) Tensor {
	l, ok := k.layoutOf(op, t)
	if !ok || !k.isPlain(op, t) {
		return t
	}
	l, err := f(l)
	k.fail(err)
	t = t.apart()
	t.modes = nil
	for _, m := range l.Modes() {
		t.modes = append(t.modes, mode{layout: m})
	}
	return t
}

// isPlain refuses an operand that is zipped with another tensor, with which it shares its coordinates. What calls it
// emits no instruction, and is no step of [Kernel.CuTe].
func (k *K) isPlain(op string, t Tensor) bool {
	k.heard()
	if t.root != nil && (t.zip != nil || t.factors != nil) {
		k.advise("change the tensors first, and zip them then").refuse(op, cute.CodeType,
			"%s is zipped with another tensor, which has the same coordinates", t.root.name)
	}
	return k.err == nil
}

// LogicalDivide returns the tensor with each mode as (tile,rest), or as ((tile),(rest)) for a layout: logical_divide.
// Like the other divides it fails with [cute.CodeNotDivisible] if the tiler does not divide the tensor, the errors of
// [cute.LogicalDivide], and [cute.CodeUnknown] for a run-time extent.
func (k *K) LogicalDivide(t Tensor, tiler cute.Tiler) Tensor {
	return k.divideBy("logical_divide", t, tiler, cute.LogicalDivideExact)
}

// ZippedDivide returns the tensor as ((TM,TN),(RM,RN)): zipped_divide. Its errors are the errors of [K.LogicalDivide].
func (k *K) ZippedDivide(t Tensor, tiler cute.Tiler) Tensor {
	return k.divideBy("zipped_divide", t, tiler, cute.ZippedDivideExact)
}

// TiledDivide returns the tensor as ((TM,TN),RM,RN): tiled_divide. A run-time extent is rounded up to whole tiles, if
// the tiler has an integer for each mode, as [K.LocalTile] does. Its other errors are the errors of [K.LogicalDivide].
func (k *K) TiledDivide(t Tensor, tiler cute.Tiler) Tensor {
	if flat, ok := k.openTiles(t, tiler); ok {
		return k.GroupModes(flat, 0, len(t.modes))
	}
	return k.divideBy("tiled_divide", t, tiler, cute.TiledDivideExact)
}

// FlatDivide returns the tensor as (TM,TN,RM,RN): flat_divide, with the errors of [K.TiledDivide].
func (k *K) FlatDivide(t Tensor, tiler cute.Tiler) Tensor {
	if flat, ok := k.openTiles(t, tiler); ok {
		return flat
	}
	return k.divideBy("flat_divide", t, tiler, cute.FlatDivideExact)
}

// openTiles divides a tensor with run-time extents by integers: the modes of one tile come first, and then the modes
// that count tiles.
func (k *K) openTiles(t Tensor, tiler cute.Tiler) (Tensor, bool) {
	shape, isShape := tiler.(cute.Tuple)
	if t.root == nil || !isShape || !slices.ContainsFunc(t.modes, func(m mode) bool { return m.open }) {
		return t, false
	}
	var tile []int64
	for _, m := range shape.Modes() {
		n, ok := m.Int64()
		if !ok {
			return t, false
		}
		tile = append(tile, n)
	}
	return k.LocalTile(t, tile, slices.Repeat([]Index{Open}, len(t.modes))...), true
}

func (k *K) divideBy(op string, t Tensor, tiler cute.Tiler, f func(cute.Layout, cute.Tiler) (cute.Layout, error)) Tensor {
	if k.ready() && tiler == nil {
		k.refuse(op, cute.CodeType, "the tiler is none")
	}
	return k.relayout(op, t, func(l cute.Layout) (cute.Layout, error) { return f(l, tiler) })
}

// Composition returns the elements of t at the indices that a layout gives: composition(t, layout). It fails with
// [cute.CodeExtent] if the layout gives indices that the tensor does not have, the errors of [cute.Composition], and
// [cute.CodeUnknown] for a run-time extent.
func (k *K) Composition(t Tensor, layout cute.Layout) Tensor {
	const op = "composition"
	return k.relayout(op, t, func(l cute.Layout) (cute.Layout, error) {
		n, err := layout.Cosize()
		if err != nil {
			return l, err
		}
		below := slices.ContainsFunc(layout.Stride().Leaves(), func(d int64) bool { return d < 0 })
		if n > l.Size() || below || layout.HasBasis() {
			return l, &cute.Error{
				Code: cute.CodeExtent, Op: op,
				Msg: fmt.Sprintf("expected indices from 0 to %d of %s, found the layout %v", l.Size()-1, t.root.name, layout),
			}
		}
		return cute.Composition(l, layout)
	})
}

// Coalesce returns the elements of t in the same order with as few modes as possible: coalesce(t). It fails with
// [cute.CodeUnknown] for a run-time extent.
func (k *K) Coalesce(t Tensor) Tensor {
	return k.relayout("coalesce", t, func(l cute.Layout) (cute.Layout, error) { return cute.Coalesce(l), nil })
}

// FilterZeros returns the distinct elements of t: each extent whose stride is 0 becomes 1: filter_zeros(t).
func (k *K) FilterZeros(t Tensor) Tensor {
	modes, ok := k.modesOf("filter_zeros", t)
	for i, m := range modes {
		switch {
		case !m.open:
			modes[i].layout = cute.FilterZeros(m.layout)
		case !slices.ContainsFunc(m.step, func(d address.Expr) bool { return d != k.s.Const(0) }):
			modes[i] = mode{layout: cute.MustParse("1:0")}
		}
	}
	if ok {
		t = t.apart()
		t.modes = modes
	}
	return t
}

// modesOf returns a copy of the modes of a tensor.
func (k *K) modesOf(op string, t Tensor) ([]mode, bool) {
	if !k.has(op, t) || !k.isPlain(op, t) {
		return nil, false
	}
	return slices.Clone(t.modes), true
}

// GroupModes returns the tensor with the modes from begin to end-1 as one: group_modes<begin,end>(t). It fails with
// [cute.CodeMode] for modes that the tensor does not have, and [cute.CodeUnknown] for a run-time extent among them.
func (k *K) GroupModes(t Tensor, begin, end int) Tensor {
	const op = "group_modes"
	modes, ok := k.modesOf(op, t)
	if ok && (begin < 0 || begin >= end || end > len(modes)) {
		k.refuse(op, cute.CodeMode, "expected modes from 0 to %d of %v, found %d to %d", len(modes)-1, t, begin, end-1)
		return t
	}
	if !ok || end-begin == 1 && modes[begin].open {
		return t
	}
	group := t.apart()
	group.modes = modes[begin:end]
	l, ok := k.layoutOf(op, group)
	if !ok {
		return t
	}
	l, err := cute.MakeLayout(l) // one mode, also of a single one
	k.fail(err)
	group.modes = slices.Replace(modes, begin, end, mode{layout: l.Modes()[0]})
	return group
}

// SelectModes returns the tensor with the given modes, in that order; the others are fixed at 0: select<1,0>(t). It
// fails with [cute.CodeMode] for modes that the tensor does not have.
func (k *K) SelectModes(t Tensor, modes ...int) Tensor { return k.pickModes("select", t, modes) }

// TakeModes returns the tensor with the modes from begin to end-1, and the others fixed at 0: take<begin,end>(t). Its
// errors are the errors of [K.SelectModes].
func (k *K) TakeModes(t Tensor, begin, end int) Tensor {
	var modes []int
	for i := begin; i < min(end, begin+t.Rank()+1); i++ {
		modes = append(modes, i)
	}
	return k.pickModes("take", t, modes)
}

func (k *K) pickModes(op string, t Tensor, modes []int) Tensor {
	all, ok := k.modesOf(op, t)
	if !ok {
		return t
	}
	t = t.apart()
	t.modes = nil
	for _, i := range modes {
		if i < 0 || i >= len(all) {
			k.refuse(op, cute.CodeMode, "expected modes from 0 to %d of %s, found %d", len(all)-1, t.root.name, i)
			return t
		}
		t.modes = append(t.modes, all[i])
	}
	return t
}
