package symbolic

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A Tiler is a layout, which tiles the whole domain, a list of tilers, one for each mode, or _, which leaves a mode
// alone.
type Tiler struct {
	layout Layout
	elems  []Tiler
	modes  bool
	keep   bool
}

// Whole returns the tiler that is a layout.
func Whole(l Layout) Tiler { return Tiler{layout: l} }

// ByMode returns the tiler that tiles mode by mode.
func ByMode(ts ...Tiler) Tiler { return Tiler{elems: ts, modes: true} }

// Keep returns the tiler _.
func Keep() Tiler { return Tiler{keep: true} }

// OfShape returns a shape as a tiler: a tuple tiles mode by mode, and the integer n is n:1. It returns
// [cute.CodeExtent] if an extent is not positive.
func OfShape(t Tuple) (Tiler, error) {
	switch t.kind() {
	case isOpen:
		return Keep(), nil
	case isLeaf:
		l, err := New(t, Number(Const(1)))
		return Whole(l), err
	}
	ts := make([]Tiler, len(t.elems()))
	for i, e := range t.elems() {
		var err error
		if ts[i], err = OfShape(e); err != nil {
			return Tiler{}, err
		}
	}
	return ByMode(ts...), nil
}

// NodeCount is [Tuple.NodeCount] for the shapes of all its tilers.
func (t Tiler) NodeCount(most int) (nodes, depth int) {
	switch {
	case t.keep:
		return 1, 0
	case !t.modes:
		return t.layout.Shape().NodeCount(most)
	}
	nodes, depth = 1, 1
	for _, e := range t.elems {
		if nodes >= most {
			break
		}
		n, d := e.NodeCount(most - nodes)
		nodes, depth = nodes+n, max(depth, 1+d)
	}
	return nodes, depth
}

func (t Tiler) byMode() ([]Tiler, bool) { return t.elems, t.modes }

// String returns the tiler, as <(M,2):(1,M),_>.
func (t Tiler) String() string { return t.text(Layout.String) }

// StaticView returns the text that the CuTe DSL prints at trace time: ? in place of every unknown integer.
func (t Tiler) StaticView() string { return t.text(Layout.StaticView) }

func (t Tiler) text(layout func(Layout) string) string {
	switch {
	case t.keep:
		return "_"
	case !t.modes:
		return layout(t.layout)
	}
	parts := make([]string, len(t.elems))
	for i, e := range t.elems {
		parts[i] = e.text(layout)
	}
	return "<" + strings.Join(parts, ",") + ">"
}

// With returns the tiler with the given values in the place of symbols. It returns the errors of [Layout.With].
func (t Tiler) With(at Values) (Tiler, error) {
	switch {
	case t.keep:
		return t, nil
	case !t.modes:
		l, err := t.layout.With(at)
		return Whole(l), err
	}
	ts := make([]Tiler, len(t.elems))
	for i, e := range t.elems {
		var err error
		if ts[i], err = e.With(at); err != nil {
			return Tiler{}, err
		}
	}
	return ByMode(ts...), nil
}

// tiledModes returns the modes of a, and requires that there are at least as many modes as tilers.
func tiledModes(op string, a Layout, ts []Tiler) ([]Layout, error) {
	modes := a.Modes()
	if len(ts) > len(modes) {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: op,
			Msg: fmt.Sprintf("the tile has %d modes, more than the %d of %s", len(ts), len(modes), a),
		}
	}
	return modes, nil
}
