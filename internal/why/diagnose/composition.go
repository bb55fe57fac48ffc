package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// algebra lists the operations of CuTe whose calls a backtrace may show.
var algebra = []string{
	"composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product",
	"tiled_product", "flat_product", "blocked_product", "raked_product", "tile_to_shape", "complement", "left_inverse",
	"right_inverse", "upcast", "downcast", "shape_div",
}

// composition examines a failing composition, and the divide or product that contains it.
func composition(f *failure) {
	inner := f.innermostPair("composition_impl", "composition")
	outer := f.outer(inner)
	if !inner.isKnown() && !outer.isKnown() {
		f.use(inner)
		return
	}
	if outer.op == "composition" && outer.isKnown() && !inner.isKnown() {
		inner = outer
	}
	f.use(outer)
	if inner.isKnown() {
		part := ""
		if inner.expr() != outer.expr() {
			part = "its composition " + inner.expr() + ": "
		}
		f.composes(inner, part)
	}
	expr := f.Expr
	if f.repairPartition() {
		f.Expr = expr
		return
	}
	f.repairs(outer, inner)
}

// pairs lists the operations that compose their first operand with the second, or with a layout made from the second.
var pairs = []string{
	"composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product",
	"tiled_product", "flat_product", "blocked_product", "raked_product",
}

// innermostPair is innermost for compositions. If no frame shows one, a divide or product that the text spells counts.
func (f *failure) innermostPair(functions ...string) operation {
	o := f.innermost(functions...)
	if w := f.writtenCall(); len(o.args) == 0 && slices.Contains(pairs, w.op) {
		return w
	}
	return o
}

// innermost returns the operation of the innermost frame that belongs to one of the functions and shows all operands.
// If there is no such frame, it returns a call of one of the functions that the text spells.
func (f *failure) innermost(functions ...string) operation {
	var found operation
	for i := range f.m.frames {
		for _, name := range functions {
			if f.m.frames[i].name != name || !f.m.frames[i].hasValues() {
				continue
			}
			o := f.m.frames[i].operation()
			if o.isKnown() {
				return o
			}
			if found.op == "" {
				found = o
			}
		}
	}
	if found.op != "" {
		return found
	}
	if w := f.writtenCall(); slices.Contains(functions, w.op) {
		return w
	}
	return operation{op: f.Op}
}

// outer returns the operation of the outermost frame that shows all operands, or inner. The user's code calls this
// operation.
func (f *failure) outer(inner operation) operation {
	for i := len(f.m.frames) - 1; i >= 0; i-- {
		for _, name := range algebra {
			if f.m.frames[i].name != name {
				continue
			}
			if o := f.m.frames[i].operation(); o.isKnown() {
				return o
			}
		}
	}
	return inner
}

// composes records which leaf of the right operand and which mode of the left operand of a composition do not fit.
func (f *failure) composes(o operation, part string) {
	a := o.args[0]
	if i := strings.LastIndex(a, " o "); i >= 0 {
		a = a[i+len(" o "):] // the composition is with the layout after the swizzle
	}
	f.violates(operation{op: "composition", args: []string{a, o.args[1]}}, part)
}

// leafOf returns the extent and the stride of mode i of a flat layout. A coordinate stride counts as 0.
func leafOf(l cute.Layout, i int) (n, d int64) {
	n = l.Shape().Leaves()[i]
	if !l.HasBasis() {
		d = l.Stride().Leaves()[i]
	}
	return n, d
}

// repairs offers operations that work, in place of a composition or of the divide or product around it.
func (f *failure) repairs(outer, inner operation) {
	switch {
	case strings.HasSuffix(outer.op, "_divide"):
		f.repairDivide(outer)
	case strings.HasSuffix(outer.op, "_product"):
		f.repairProduct(outer)
	case outer.op == "tile_to_shape":
		f.repairTile(outer)
	case outer.op == "composition" && outer.isKnown():
		f.repairComposition(outer)
	case inner.op == "composition" && inner.isKnown():
		f.repairComposition(inner)
	}
}

// repairComposition offers the composition itself if it has a value, nearby extents and strides, and the tile by mode.
func (f *failure) repairComposition(o operation) {
	a, b := o.args[0], o.args[1]
	if v, err := f.result(o.expr()); err == nil {
		if _, no := refusal(o, f.dialect()); no || f.Condition != "" {
			f.repair(Repair{
				Say:  "the composition has a value although " + f.Tool + " refuses it; write the layout itself",
				Expr: o.expr(), Result: v,
			})
		}
	}
	if !strings.HasPrefix(b, "<") && !strings.Contains(b, ":") {
		f.nearby(o, 1, 0, "an extent of")
		return
	}
	r, ok := layout(b)
	if ok {
		if k, stride := f.failing(o, r); k >= 0 {
			f.nearby(o, 1, k, "the right operand with an extent of")
			if stride {
				f.nearby(o, 1, r.Flatten().Rank()+k, "the right operand with a stride of")
			}
		}
		if l, okA := layout(a); okA && l.Rank() == r.Rank() && r.Rank() > 1 {
			f.offer("if the right operand was meant as a tile, one number for each mode: compose by mode",
				o.with(1, tiler(r.Shape().String())))
		}
	}
}

// failing returns the index of the right operand's leaf in the pair that fails, and whether the leaf's stride is at
// fault.
func (f *failure) failing(o operation, r cute.Layout) (k int, stride bool) {
	name, _, ok := strings.Cut(f.Pair, " and ")
	if !ok {
		return -1, false
	}
	flat := r.Flatten()
	for i := range flat.Rank() {
		if n, d := leafOf(flat, i); fmt.Sprintf("%d:%d", n, d) == name {
			return i, strings.Contains(f.Condition, "the stride")
		}
	}
	return -1, false
}

// repairDivide offers tiles that divide the layout, and a padded layout that the tile divides.
func (f *failure) repairDivide(o operation) {
	if n, ok := strings.CutSuffix(o.args[1], ":1"); ok && !strings.Contains(n, "(") {
		o = o.with(1, n)
	}
	l, ok := layout(o.args[0])
	ts := modes(o.args[1])
	if !ok || strings.Contains(o.args[1], ":") {
		if ok && !strings.HasPrefix(o.args[1], "<") {
			if t, okT := layout(o.args[1]); okT && t.Rank() <= l.Rank() {
				f.offer("the tile by mode, if its shape is what was meant", o.with(1, tiler(t.Shape().String())))
			}
		}
		f.asItIs(o)
		return
	}
	tile := strings.HasPrefix(o.args[1], "<")
	if tile && len(ts) > l.Rank() {
		return
	}
	sizes := make([]int64, len(ts))
	for i := range ts {
		m := l
		if tile {
			m, _ = l.Mode(i)
		}
		sizes[i] = m.Size()
	}
	f.divideBy(o, ts, sizes)
	if len(f.Repairs) == 0 {
		for k := range ts {
			f.nearby(o, 1, k, "a tile of")
		}
	}
	f.asItIs(o)
}

// divideBy offers the nearest tiles that divide the given sizes.
func (f *failure) divideBy(o operation, ts []string, sizes []int64) {
	lower, upper := o.args[1], o.args[1]
	var why []string
	for i, t := range ts {
		n, ok := integer(t)
		if !ok || n <= 0 || sizes[i]%n == 0 {
			continue
		}
		why = append(why, fmt.Sprintf("%d does not divide the %d elements of mode %d: remainder %d", n, sizes[i],
			i, sizes[i]%n))
		below, above := divisors(sizes[i], n)
		lower = withNumber(lower, i, below)
		if above > 0 {
			upper = withNumber(upper, i, above)
		}
	}
	if len(why) == 0 {
		return
	}
	if f.Condition == "" {
		f.Condition = strings.Join(why, "; ")
	}
	for _, c := range []string{lower, upper} {
		if c != o.args[1] {
			f.offer("a tile that divides the layout: "+c, o.with(1, c))
		}
	}
}

// asItIs offers girih's value of an operation that the tool refuses, if girih has one.
func (f *failure) asItIs(o operation) {
	if r, err := f.eval(o.expr()); err == nil {
		say := "what " + f.Tool + " refuses has a value"
		if len(r.Notes) > 0 {
			say += " (" + strings.Join(r.Notes, "; ") + ")"
		}
		f.repair(Repair{Say: say + "; write the layout itself", Expr: o.expr(), Result: r.Value.String()})
	}
}

// repairProduct offers tilers of other sizes, and the block without gaps.
func (f *failure) repairProduct(o operation) {
	f.nearbyShape(o, 1, "a tiler with an extent of")
	if l, ok := layout(o.args[0]); ok {
		if c, err := cute.MakeLayoutLike(l); err == nil && c.String() != l.String() {
			f.offer("the same block without gaps", o.with(0, c.String()))
		}
	}
	f.asItIs(o)
}

// nearbyShape offers operand i with other extents, one at a time.
func (f *failure) nearbyShape(o operation, i int, what string) {
	shape, _, _ := strings.Cut(o.args[i], ":")
	count := len(strings.FieldsFunc(shape, func(r rune) bool { return r < '0' || r > '9' }))
	for k := range min(count, 4) {
		if len(f.Repairs) >= 4 {
			return
		}
		f.nearby(o, i, k, what)
	}
}
