package diagnose

import (
	"fmt"
	"strings"
)

// tilerRank examines a tiler with more modes than the layout.
func tilerRank(f *failure) {
	o := f.innermostPair("logical_divide", "logical_product", "composition")
	f.use(o)
	if len(o.args) < 2 {
		return
	}
	n, m := len(modes(o.args[1])), len(modes(shapeOf(o.args[0])))
	if n <= m {
		return
	}
	f.Condition = fmt.Sprintf("the tiler %s has %s, the layout %s has %d", o.args[1], count(n, "mode"), o.args[0], m)
	f.Pair = o.args[0] + " and " + o.args[1]
	if ts := modes(o.args[1]); m > 0 {
		f.offer("only the first modes of the tiler", o.with(1, "<"+strings.Join(ts[:m], ",")+">"))
	}
}

// shapeOf returns the shape in a layout's text.
func shapeOf(text string) string {
	if i := strings.LastIndex(text, " o "); i >= 0 {
		text = text[i+len(" o "):]
	}
	shape, _, _ := strings.Cut(text, ":")
	return shape
}

// profileRank examines a profile with more modes than the layout.
func profileRank(f *failure) {
	o := f.innermost("coalesce")
	f.use(o)
	if len(o.args) == 2 {
		n, m := len(modes(o.args[1])), len(modes(shapeOf(o.args[0])))
		f.Condition = fmt.Sprintf("the profile %s has %s, the layout %s has %d", o.args[1], count(n, "mode"), o.args[0], m)
		f.offer("without a profile", operation{op: "coalesce", args: o.args[:1]})
	}
}

// coordinateRank examines a coordinate and a shape whose nesting differs.
func coordinateRank(f *failure) {
	fr := f.m.frame("crd2idx", "idx2crd", "slice", "dice")
	if fr == nil {
		return
	}
	coord, shape := fr.value("Coord", "Index", "A"), fr.value("Shape", "B")
	f.Op = fr.name
	f.operand("coord", coord)
	f.operand("shape", shape)
	if coord == "" || shape == "" {
		return
	}
	n, m := len(modes(coord)), len(modes(shape))
	if n != m {
		f.Pair = coord + " and " + shape
		f.Condition = fmt.Sprintf("the coordinate has %s where the shape %s has %d", count(n, "mode"), shape, m)
		if m > 0 {
			f.repair(Repair{
				Say: fmt.Sprintf("give %d numbers or _, one for each mode of %s, or one integer for all of it", m, shape),
			})
		}
	}
	if stride := fr.value("Stride"); stride != "" {
		f.operand("layout", layoutText(shape, stride))
	}
}

// pairRank examines two tuples of different ranks.
func pairRank(f *failure) {
	fr := f.m.frame("inner_product", "ceil_div", "round_up", "shape_div")
	if fr == nil {
		return
	}
	a, b := fr.value("IntTupleA"), fr.value("IntTupleB")
	f.operand("a", a)
	f.operand("b", b)
	if a != "" && b != "" {
		f.Pair = a + " and " + b
		f.Condition = fmt.Sprintf("%s has %s, %s has %d", a, count(len(modes(a)), "mode"), b, len(modes(b)))
	}
}

// orderRank examines an order that does not match its shape.
func orderRank(f *failure) {
	fr := f.m.outermost("compact_order", "make_ordered_layout")
	if fr == nil {
		return
	}
	shape, order := fr.value("Shape"), fr.value("Order")
	f.operand("shape", shape)
	f.operand("order", order)
	if shape != "" && order != "" {
		f.Pair = shape + " and " + order
		f.Condition = fmt.Sprintf("the shape has %s, the order %d", count(len(modes(shape)), "mode"), len(modes(order)))
		if n := len(modes(shape)); len(modes(order)) > n {
			f.offer("an order with the modes of the shape",
				operation{op: "make_ordered_layout", args: []string{shape, "(" + strings.Join(modes(order)[:n], ",") + ")"}})
		}
	}
}

// indexRange examines a mode that a tuple does not have.
func indexRange(f *failure) {
	fr := f.m.frame("get", "getv_cr", "getv_rr", "getv_r")
	i, t := fr.value("I", "N"), fr.param("T", "Tuple")
	f.operand("index", i)
	if t = strings.Trim(t, "{}"); t != "" && i != "" {
		n := len(split(t, ','))
		f.Condition = fmt.Sprintf("mode %s is asked for, the tuple (%s) has %d", i,
			strings.Join(values(split(t, ',')), ","), n)
	}
	frameLayouts(f)
}

// values returns the canonical texts of the given values.
func values(texts []string) []string {
	vs := make([]string, len(texts))
	for i, t := range texts {
		if vs[i] = value(t); vs[i] == "" {
			vs[i] = typeName(t)
		}
	}
	return vs
}
