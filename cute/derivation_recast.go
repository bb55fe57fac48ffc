package cute

// This file holds the steps of upcast, downcast and recast, of nullspace and of recognize. A recast has the derivations
// of an upcast and a downcast.

// A Rescale is what becomes of a mode in elements Factor times as wide, or of 1/Factor of the width. In the first case
// Fit steps of the mode are in one wide element; Fit is 0 if neither of the stride and the factor divides the other,
// and of an extent that does not come out even, as of such a stride, nothing becomes (CuTe asks for the strides only).
type Rescale struct {
	Mode   Leaf
	Factor int64
	Fit    int64
	Into   Leaf // of extent 0 if there is none
}

// A Unit is the mode whose elements are neighbours, the only one that a downcast makes longer: its place among the
// leaves, and the number of such modes, which must be 1. The place is -1 if there is none.
type Unit struct{ Leaf, Count int }

// A Stay is a mode with what one step of it adds to the index: a mode of the nullspace if it stays, that is, has the
// stride 0 and some steps.
type Stay struct {
	Mode  Leaf
	Index int64
	Stays bool
}

// A Round is what recognize finds in so many entries of a table, those at which the runs of the round before begin: the
// longest linear run from the first one on. There is no such layout if it does not divide the entries.
type Round struct {
	Entries int64
	Mode    Leaf
}

func (Stay) derives()    {}
func (Round) derives()   {}
func (Rescale) derives() {}
func (Unit) derives()    {}

// rescale takes down what becomes of leaf i of l in the layout to; nothing if that is nil.
func (t *trace) rescale(l Layout, to *Layout, i int, r Rescale) {
	r.Mode = t.leaf(l.extents()[i], l.stride(i))
	if to != nil {
		r.Into = t.leaf(to.extents()[i], to.stride(i))
	}
	t.add(r)
}
