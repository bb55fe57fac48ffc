package eval

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/symbolic"
)

// This file holds the values with integers that are known only at run time, CuTe's dynamic integers. A value whose
// integers all turn out to be known becomes the plain value, so that the rest of the package sees these values only
// where it must.

type (
	// A DynamicTuple is an integer, a tuple or a coordinate with run-time integers.
	DynamicTuple struct {
		symbolic.Tuple
		Guard symbolic.Guard // the conditions under which it is the right answer
	}
	// A DynamicLayout is a layout with run-time integers.
	DynamicLayout struct{ symbolic.Layout }
	// A DynamicTile is a tuple of tilers with run-time integers.
	DynamicTile struct{ symbolic.Tiler }
	// A DynamicComposed is a composed layout with run-time integers.
	DynamicComposed struct {
		Stages []DynamicStage // outermost first
		Inner  symbolic.Layout
	}
	// A DynamicStage adds the offset and applies a function.
	DynamicStage struct {
		Outer  Value // a [Swizzle], a [Layout] or a [DynamicLayout]
		Offset symbolic.Tuple
	}
	// A DynamicBool is a truth value that depends on run-time integers: it is true if these conditions hold.
	DynamicBool struct{ symbolic.Guard }
)

func (DynamicTuple) value()    {}
func (DynamicLayout) value()   {}
func (DynamicTile) value()     {}
func (DynamicComposed) value() {}
func (DynamicBool) value()     {}

// Kind returns [KindInt], [KindTuple] or [KindCoord].
func (t DynamicTuple) Kind() Kind {
	if t.HasOpen() {
		return KindCoord
	}
	if _, ok := t.Int(); ok {
		return KindInt
	}
	return KindTuple
}

// Kind returns [KindLayout].
func (DynamicLayout) Kind() Kind { return KindLayout }

// Kind returns [KindTile].
func (DynamicTile) Kind() Kind { return KindTile }

// Kind returns [KindComposed].
func (DynamicComposed) Kind() Kind { return KindComposed }

// Kind returns [KindBool].
func (DynamicBool) Kind() Kind { return KindBool }

// simplify returns the plain value if every integer is known and no condition is left; otherwise it returns v.
func simplify(v Value, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	switch d := v.(type) {
	case DynamicTuple:
		if d.Static() && !d.HasOpen() && len(d.Guard) == 0 {
			t, err := d.ToTuple()
			return Tuple{t}, err
		}
	case DynamicLayout:
		if d.Static() && len(d.Guard()) == 0 {
			l, err := d.ToLayout()
			return Layout{l}, err
		}
	case DynamicComposed:
		return d.simplify()
	case DynamicBool:
		if holds, known := d.Decide(); known {
			return Bool(holds), nil
		}
	}
	return v, nil
}

// guardOf returns the conditions of a value, for a result that is made from the value.
func guardOf(v Value) symbolic.Guard { return conditionsOf(v).Inherited() }

// conditionsOf returns the conditions of a value.
func conditionsOf(v Value) symbolic.Guard {
	switch d := v.(type) {
	case DynamicTuple:
		return d.Guard
	case DynamicLayout:
		return d.Layout.Guard()
	case DynamicComposed:
		return d.Inner.Guard()
	case List:
		var g symbolic.Guard
		for _, x := range d {
			g = g.And(conditionsOf(x))
		}
		return g
	}
	return nil
}

// unknowns returns the names of the run-time integers in a value.
func unknowns(v Value) []string {
	var ts []symbolic.Tuple
	switch d := v.(type) {
	case DynamicTuple:
		ts = []symbolic.Tuple{d.Tuple}
	case DynamicLayout:
		ts = []symbolic.Tuple{d.Shape(), d.Stride()}
	case DynamicComposed:
		for _, s := range d.Stages {
			ts = append(ts, s.Offset)
		}
		ts = append(ts, d.Inner.Shape(), d.Inner.Stride())
	}
	return symbolic.Nest(ts...).Symbols()
}

// staticView returns the text that CuTe prints for a value at trace time.
func staticView(v Value) string {
	switch d := v.(type) {
	case DynamicTuple:
		return d.StaticView()
	case DynamicLayout:
		return d.Layout.StaticView()
	case DynamicComposed:
		return d.text(staticView, symbolic.Tuple.StaticView, symbolic.Layout.StaticView)
	case DynamicTile:
		return d.Tiler.StaticView()
	case List:
		views := make([]string, len(d))
		for i, x := range d {
			views[i] = staticView(x)
		}
		return "{" + strings.Join(views, ",") + "}"
	}
	return v.String()
}

// asDynamicTuple converts an integer, a tuple or a coordinate.
func asDynamicTuple(v Value) (symbolic.Tuple, error) {
	switch d := v.(type) {
	case DynamicTuple:
		return d.Tuple, nil
	case Tuple:
		return symbolic.FromTuple(d.Tuple), nil
	case Coord:
		return liftCoord(d.Coord), nil
	}
	return symbolic.Tuple{}, typeError("", "the operand", "an integer or a tuple", v)
}

func liftCoord(c cute.Coord) symbolic.Tuple {
	if t, closed := c.Tuple(); closed {
		return symbolic.FromTuple(t)
	}
	if c.String() == "_" {
		return symbolic.Open()
	}
	var elems []symbolic.Tuple
	for _, m := range c.Modes() {
		elems = append(elems, liftCoord(m))
	}
	return symbolic.Nest(elems...)
}

// asDynamicLayout converts a layout; a shape becomes its compact column-major layout. A bare unbound name is refused as
// a shape: more likely its let is missing.
func asDynamicLayout(v Value) (symbolic.Layout, error) {
	switch d := v.(type) {
	case DynamicLayout:
		return d.Layout, nil
	case Layout:
		return symbolic.FromLayout(d.Layout), nil
	case Tuple, DynamicTuple:
		t, err := asDynamicTuple(v)
		if err != nil {
			return symbolic.Layout{}, err
		}
		if d, ok := v.(DynamicTuple); ok && d.bare() {
			return symbolic.Layout{}, &unboundError{name: d.String(), err: &cute.Error{
				Code: cute.CodeName,
				Msg:  fmt.Sprintf("%s is not bound by let, and a layout is expected", d),
				Hint: fmt.Sprintf("let %s = ... binds a layout; for a run-time integer write %s:1", d, d),
			}}
		}
		return symbolic.LayoutLeft(t)
	}
	return symbolic.Layout{}, typeError("", "the operand", "a layout", v)
}

// bare reports whether t is just a name.
func (t DynamicTuple) bare() bool {
	x, ok := t.Int()
	if !ok {
		return false
	}
	name, ok := x.Name()
	return ok && name[0] != '?'
}

// asDynamicTiler converts a tiler.
func asDynamicTiler(v Value) (symbolic.Tiler, error) {
	switch d := v.(type) {
	case Layout, DynamicLayout:
		l, err := asDynamicLayout(v)
		return symbolic.Whole(l), err
	case Tuple, DynamicTuple, Coord:
		t, err := asDynamicTuple(v)
		if err != nil {
			return symbolic.Tiler{}, err
		}
		return symbolic.OfShape(t)
	case DynamicTile:
		return d.Tiler, nil
	case Tile:
		return liftTile(d.Tile)
	}
	return symbolic.Tiler{}, typeError("", "the tiler", "a layout, a shape, a tile or _", v)
}

func liftTile(t cute.Tiler) (symbolic.Tiler, error) {
	if tile, ok := t.(cute.Tile); ok {
		var ts []symbolic.Tiler
		for _, m := range tile.Modes() {
			e, err := liftTile(m)
			if err != nil {
				return symbolic.Tiler{}, err
			}
			ts = append(ts, e)
		}
		return symbolic.ByMode(ts...), nil
	}
	return asDynamicTiler(tilerValue(t))
}
