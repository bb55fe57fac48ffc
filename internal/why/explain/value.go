package explain

import (
	"fmt"

	"girih/cute"
)

// valueExplainers explains values that no operation made, by their kind.
func valueExplainers() map[string]explainer {
	return map[string]explainer{
		"layout": layoutValue, "composed_layout": composedValue, "tuple": tupleValue, "tile": tileValue,
		"int":   plainValue("An integer: an extent, a stride, an index or an offset."),
		"bool":  plainValue("A truth value."),
		"coord": plainValue("A coordinate with modes left open by _, which a slice keeps."),
		"list":  plainValue("The values of an operation that has several, or the numbers of a set."),
		"order": plainValue("The strides of a compact layout: LayoutLeft is column-major, LayoutRight row-major."),
		"text":  plainValue("A name, as the argument of a function."),
	}
}

// plainValue explains a value by the definition of its kind.
func plainValue(rule string) explainer {
	return func(_ *Operation, x *Explanation) { x.Rule = rule }
}

// layoutValue explains a layout that no operation made.
func layoutValue(op *Operation, x *Explanation) {
	l, ok := arg[cute.Layout](op, 0)
	if !ok {
		return
	}
	x.Rule = "A layout is a function from coordinates to offsets, shape:stride: the coordinate (c0,c1,...) has the offset c0·d0 + c1·d1 + ..., and an integer is the coordinate with that colexicographic index, mode 0 fastest."
	x.Source = "CuTe, media/docs/cpp/cute/01_layout.md"
	sayLayout(x, l)
}

// sayLayout describes a layout as a function.
func sayLayout(x *Explanation, l cute.Layout) {
	rows := [][]string{{"mode", "coordinates", "a step moves by"}}
	for _, f := range leavesOf(l) {
		rows = append(rows, []string{f.String(), fmt.Sprintf("0 to %d", f.Extent-1), f.Stride.String()})
	}
	x.sayf("%s, %s:", Count(l.Rank(), "mode"), Count(l.Size(), "element")).
		show(columns(rows...)...).Figure = &Figure{Kind: "layout", Expr: l.String()}
	if c := cute.Coalesce(l); !c.Equal(l) {
		x.sayf("As a function of indices it is %v.", c)
	}
	x.say("The first offsets: " + values(l, 16))
	cosize, err := l.Coshape()
	if err != nil {
		return
	}
	x.Check = fmt.Sprintf("size %d, cosize %v", l.Size(), cosize)
	if ok, _, err := cute.IsBijective(l); err == nil && ok {
		x.Check += ", a bijection"
	}
	if ok, w, err := cute.IsInjective(l); err == nil && !ok && w.Other != nil {
		x.Check += fmt.Sprintf(", not injective: %v and %v share the offset %v", w.Coord, *w.Other, w.Value)
	}
}

func composedValue(op *Operation, x *Explanation) {
	if c, ok := arg[cute.Composed](op, 0); ok {
		x.Rule = "The function c -> layout_a(offset + layout_b(c)): the coordinate goes through the layout inside, the offset is added, and the sum goes through the function outside."
		firstValues(x, c)
	}
}

// tupleValue explains a tuple, and the compact column-major layout of a shape.
func tupleValue(op *Operation, x *Explanation) {
	t, ok := arg[cute.Tuple](op, 0)
	if !ok {
		return
	}
	x.Rule = "A tuple of integers is a shape, a stride or a coordinate. As a layout, a shape is its compact column-major layout; as a tiler, it tiles mode by mode."
	if l, err := cute.LayoutLeft(t); err == nil {
		x.sayf("As a layout it is %v.", l).Figure = &Figure{Kind: "layout", Expr: l.String()}
		sayLayout(x, l)
	}
}

func tileValue(op *Operation, x *Explanation) {
	t, ok := arg[cute.Tile](op, 0)
	if !ok {
		return
	}
	x.Rule = "A tile is a tuple of tilers, one for each mode: an integer n is n:1, the first n elements; _ leaves a mode unchanged."
	rows := [][]string{{"mode", "tiler", "picks"}}
	for i, m := range t.Modes() {
		picks := "every element"
		if l, whole := wholeTiler(m); whole {
			picks = values(l, 12)
		} else if m != cute.Keep {
			picks = "mode by mode"
		}
		rows = append(rows, []string{itoa(int64(i)), m.String(), picks})
	}
	x.say("Mode by mode:", columns(rows...)...).Figure = &Figure{Kind: "tile", Expr: t.String()}
}
