package explain

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"girih/cute"
)

// constructionExplainers explains how layouts are constructed and rearranged.
func constructionExplainers() map[string]explainer {
	t := map[string]explainer{
		"layout_left": compact, "layout_right": compact, "compact_col_major": compact, "compact_row_major": compact,
		"make_ordered_layout": explainOrdered, "make_layout_like": explainOrdered, "recognize": recognize,
		"with_shape": withShape,
		"zip":        explainRearranged, "tile_unzip": explainRearranged, "make_layout": makeLayout,
		"make_composed_layout": makeComposed, "make_identity_layout": identityLayout,
	}
	for _, name := range []string{
		"append", "append_to_rank", "flatten", "get", "group_modes",
		"prepend", "prepend_to_rank", "replace", "reverse", "select", "take", "unflatten",
	} {
		t[name] = explainRearranged
	}
	return t
}

// compact explains the compact layouts of a shape.
func compact(op *Operation, x *Explanation) {
	shape, ok := shapeArg(op, 0)
	if !ok || op.Err != nil {
		return
	}
	right := strings.HasSuffix(op.Name, "right") || strings.HasSuffix(op.Name, "row_major")
	x.Rule = "Column-major: the stride of each extent is the product of the extents to its left."
	if right {
		x.Rule = "Row-major: the stride of each extent is the product of the extents to its right."
	}
	x.Rule += " An extent of 1 gets the stride 0, as in CuTe for static shapes."
	x.Source = "CuTe, include/cute/stride.hpp, compact_col_major, compact_row_major"
	l, ok := op.Result.Value.(cute.Layout)
	if strides, isTuple := op.Result.Value.(cute.Tuple); isTuple {
		var err error
		l, err = cute.New(shape, strides)
		ok = err == nil
	}
	if !ok {
		return
	}
	leaves := leavesOf(l)
	if right {
		slices.Reverse(leaves)
	}
	rows := [][]string{{"extent", "stride", "next stride"}}
	next := int64(1)
	for _, f := range leaves {
		next *= f.Extent
		rows = append(rows, []string{itoa(f.Extent), f.Stride.String(), itoa(next)})
	}
	x.say("In the order in which they vary, the fastest first:", columns(rows...)...)
	if ok, w, err := cute.IsBijective(l); err == nil {
		x.Check = fmt.Sprintf("the offsets are 0 to %d, each once", l.Size()-1)
		if !ok {
			x.refute("that the offsets are 0, 1, 2, ..., each once,", "offset %v", w.Value)
		}
	}
}

// explainOrdered explains make_ordered_layout and make_layout_like.
func explainOrdered(op *Operation, x *Explanation) {
	if op.Err != nil {
		return
	}
	x.Source = "CuTe, include/cute/layout.hpp, " + op.Name
	r, ok := op.Result.Value.(cute.Layout)
	if !ok {
		return
	}
	x.Rule = "The compact layout of the shape whose modes vary in the given order: the mode of the smallest number is the fastest, equal numbers go from left to right."
	if op.Name == "make_layout_like" {
		x.Rule = "The compact layout of L's shape in the order of L's strides: the mode of the smallest stride is the fastest; modes of stride 0 keep it and take no room."
	}
	leaves := leavesOf(r)
	sort.SliceStable(leaves, func(i, j int) bool {
		p, _ := leaves[i].Stride.Int64()
		q, _ := leaves[j].Stride.Int64()
		return p < q
	})
	rows := [][]string{{"extent", "stride"}}
	for _, f := range leaves {
		rows = append(rows, []string{itoa(f.Extent), f.Stride.String()})
	}
	x.say("In the order in which they vary, each stride the product of the extents before it:", columns(rows...)...)
}

// recognize explains how a layout with a given table of offsets is found.
func recognize(op *Operation, x *Explanation) {
	table, ok := tableOf(op)
	if !ok {
		return
	}
	x.Rule = "The first mode of the coalesced layout is forced: it is the longest run at the beginning that is linear. Its length must divide the number of offsets, every block of that length must repeat the first one shifted, and the shifts must be offsets of a layout again."
	x.Source = coalesceSource
	if !isZero(table[0]) {
		return
	}
	rows := [][]string{{"offsets", "step", "linear for", "mode"}}
	entries := make([]cute.Tiler, len(table))
	for i, t := range table {
		entries[i] = t
	}
	d, _ := op.Until.Derive(op.Name, entries...)
	rest := table
	for _, r := range stepsOf[cute.Round](d) {
		run, text := r.Mode.Extent, r.Mode.String()
		if r.Entries%run != 0 {
			text = fmt.Sprintf("%d does not divide %d", run, r.Entries)
		}
		rows = append(rows, []string{
			listLeaves(rest, 12), r.Mode.Stride.String(), fmt.Sprintf("%d of %d", run, r.Entries), text,
		})
		var starts []cute.Tuple
		for i := 0; i < len(rest); i += int(run) {
			starts = append(starts, rest[i])
		}
		rest = starts
	}
	x.say("Run by run; each line has the offsets at which the runs of the line before begin:", columns(rows...)...)
	r, ok := op.layoutResult()
	if !ok || op.Err != nil {
		return
	}
	n := int64(len(table))
	x.confirm("R(i) is offset i of the list "+atAll(n), "that R(i) is offset i of the list", n, func(i int64) bool {
		v, ok := at(r, cute.Int(i))
		return ok && sameValue(v, table[i])
	})
}

// tableOf returns the entries of a table as leaves. As in the language, each operand is an entry, and a tuple is a
// coordinate; but a single operand may be the tuple of all entries.
func tableOf(op *Operation) ([]cute.Tuple, bool) {
	entries := make([]cute.Tuple, len(op.Args))
	for i := range op.Args {
		var ok bool
		if entries[i], ok = arg[cute.Tuple](op, i); !ok {
			return nil, false
		}
	}
	if len(entries) == 1 && entries[0].Depth() > 0 {
		entries = entries[0].Modes()
	}
	for i, t := range entries {
		var err error
		if entries[i], err = cute.ArithmeticTuple(t); err != nil {
			return nil, false
		}
	}
	return entries, len(entries) > 0
}

// listLeaves joins leaves as text. The argument most limits their number.
func listLeaves(ts []cute.Tuple, most int) string {
	var b strings.Builder
	for i, t := range ts {
		if i == most {
			b.WriteString(" ...")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.String())
	}
	return b.String()
}

func withShape(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	shape, ok2 := arg[cute.Tuple](op, 1)
	if !ok || !ok2 {
		return
	}
	x.Rule = "L seen through another shape: L o (the compact column-major layout of the shape), so that the coordinates of the new shape count the indices of L."
	x.Source = "CuTe, include/cute/layout.hpp, Layout::with_shape"
	b, err := cute.LayoutLeft(shape)
	if err != nil {
		return
	}
	x.sayf("The compact layout of the shape is B = %v, and R = L o B:", b)
	compose(x, l, b)
	if op.Err == nil {
		if r, ok := op.Result.Value.(cute.Layout); ok {
			checkComposition(x, l, b, r)
		}
	}
}

// explainRearranged explains operations that only move modes, by listing the modes before and after.
func explainRearranged(op *Operation, x *Explanation) {
	if op.Err != nil {
		return
	}
	x.Rule = op.Doc
	rows := [][]string{{"", "modes"}}
	add := func(name string, o Operand) {
		if l, ok := o.Value.(cute.Layout); ok {
			ms := l.Modes()
			parts := make([]string, len(ms))
			for i, m := range ms {
				parts[i] = fmt.Sprintf("%d = %v", i, m)
			}
			rows = append(rows, []string{name, strings.Join(parts, ", ")})
		}
	}
	for i, a := range op.Args {
		add(fmt.Sprintf("operand %d", i+1), a)
	}
	add("result", op.Result)
	if len(rows) > 2 {
		x.say("The modes before and after:", columns(rows...)...)
	}
	a, ok := op.layoutArg(0)
	r, ok2 := op.Result.Value.(cute.Layout)
	if ok && ok2 && a.Size() == r.Size() {
		if same, _ := cute.Equivalent(a, r); same {
			x.Check = "the result is the same function of indices"
		} else {
			x.Check = "the result has the same size, and is another function of indices"
		}
	}
}

func makeLayout(op *Operation, x *Explanation) {
	if op.Err != nil || len(op.Args) == 0 {
		return
	}
	if _, ok := arg[cute.Layout](op, 0); ok {
		explainRearranged(op, x)
		x.Rule = "The layouts side by side: their shapes and their strides become modes of one, and the offset is the sum of theirs."
		return
	}
	x.Rule = "shape:stride; without a stride, or with LayoutLeft, the compact column-major layout, with LayoutRight the row-major one."
	if len(op.Args) == 1 {
		x.Rule = "Without a stride: the compact column-major layout of the shape."
	}
}

func makeComposed(op *Operation, x *Explanation) {
	c, ok := op.Result.Value.(cute.Composed)
	if !ok || op.Err != nil {
		return
	}
	x.Rule = "The function c -> layout_a(offset + layout_b(c)): the coordinate goes through the layout inside, the offset is added, and the sum goes through the function outside. It is kept in its parts: nothing is computed."
	x.Source = "CuTe, include/cute/layout_composed.hpp"
	firstValues(x, c)
}

// firstValues shows the first values of a composed layout after every stage.
func firstValues(x *Explanation, c cute.Composed) {
	n := min(c.Size(), 16)
	rows := [][]string{{"index", "inside", "value"}}
	l := c.Layout()
	for i := range n {
		v, ok := at(l, cute.Int(i))
		w, err := c.Eval(cute.Int(i))
		if !ok || err != nil {
			return
		}
		rows = append(rows, []string{itoa(i), v.String(), w.String()})
	}
	x.sayf("The first %s:", Count(n, "value")).show(columns(rows...)...).Figure = &Figure{Kind: "layout", Expr: c.String()}
}

func identityLayout(op *Operation, x *Explanation) {
	if op.Err != nil {
		return
	}
	x.Rule = "Each coordinate is its own value: the stride of each leaf is the unit coordinate at its place, 1@1@0 for mode 1 of mode 0."
	x.Source = "CuTe, include/cute/layout.hpp, make_identity_layout"
}
