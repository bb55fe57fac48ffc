package explain

import (
	"fmt"
	"slices"
	"strings"

	"girih"
)

const (
	compositionRule   = "R(c) = A(B(c)) in the shape of B. A takes an integer apart into digits, one for each of its modes, the last one without bound; a leaf N:r of B stays one mode as long as the digits of r, 2r, 3r, ... grow evenly, and splits where one of them is full, which must be after a number of steps that divides N."
	compositionSource = "CuTe, include/cute/layout.hpp, composition; conditions: Cecka, arXiv 2603.02298, Eq. 20-21, and Shah, CuTe layout algebra, Def. 2.12-2.17, which this one contains"
)

func composition(op *Operation, x *Explanation) {
	if c, ok := arg[girih.Composed](op, 0); ok {
		composeInside(op, x, c)
		return
	}
	a, ok := op.layoutArg(0)
	if !ok || len(op.Args) != 2 {
		return
	}
	t, ok := op.tilerArg(1)
	if !ok {
		return
	}
	x.Source = compositionSource
	if b, ok := wholeTiler(t); ok {
		x.Rule = compositionRule
		compose(x, a, b)
		if op.Err != nil {
			insteadOfComposition(x, a, b)
			return
		}
		if r, ok := op.Result.Value.(girih.Layout); ok {
			checkComposition(x, a, b, r)
		}
		return
	}
	x.Rule = "With a tile or a shape, A o B composes mode by mode: mode i of the result is mode i of A composed with element i of the tiler; modes of A beyond the tiler are dropped, and _ leaves a mode alone."
	x.Source = "CuTe, include/cute/layout.hpp, composition with a tiler"
	r, ok := composeModes(x, a, t, "")
	if ok {
		x.derive(r)
	}
	if res, ok := op.Result.Value.(girih.Layout); ok && op.Err == nil {
		x.Check = fmt.Sprintf("the %d modes hold %d of the %d elements of A", res.Rank(), res.Size(), a.Size())
	}
}

// wholeTiler returns the layout by which a tiler tiles the whole domain: itself, or n:1 for an integer.
func wholeTiler(t girih.Tiler) (girih.Layout, bool) {
	switch t := t.(type) {
	case girih.Layout:
		return t, true
	case girih.Tuple:
		if n, ok := t.Int64(); ok {
			l, err := girih.New(girih.Int(n), girih.Int(1))
			return l, err == nil
		}
	}
	return girih.Layout{}, false
}

// tilersOf returns the tilers of the modes of a tiler by mode. It reports false for an integer, which has none: it is
// its own only mode, and one that tiles nothing, such as 0, is no layout either.
func tilersOf(t girih.Tiler) ([]girih.Tiler, bool) {
	switch t := t.(type) {
	case girih.Tile:
		return t.Modes(), true
	case girih.Tuple:
		if t.IsInt() {
			return nil, false
		}
		ms := t.Modes()
		out := make([]girih.Tiler, len(ms))
		for i, m := range ms {
			out[i] = m
		}
		return out, true
	}
	return nil, true
}

// compose adds the steps of A o B, and what they lead to. It reports whether the digits never carry.
func compose(x *Explanation, a, b girih.Layout) bool {
	sys, ok := systemsOf(a, b)
	if !ok {
		return false
	}
	sayDigits(x, a, sys)
	leaves := leavesOf(b)
	walks := make([]leafWalk, len(leaves))
	var bad *breach
	for j, f := range leaves {
		walks[j] = walkLeaf(sys, j, f)
		w := walks[j]
		if !w.fits {
			return false
		}
		sayLeaf(x, j, w)
		if w.bad != nil && bad == nil {
			bad = w.bad
		}
	}
	if bad == nil {
		bad = sayReaches(x, sys, walks)
	}
	if bad != nil {
		explainBreach(x, bad)
		if x.Result != "" {
			coincidence(x, a, b)
		}
		return false
	}
	parts := make([]girih.Layout, len(walks))
	for j, w := range walks {
		l, err := layoutOf(w.merged())
		if err != nil {
			return false
		}
		parts[j] = l
	}
	r, err := nested(b.Shape(), parts)
	if err != nil {
		return false
	}
	x.say(fmt.Sprintf("In the shape of B, %v, each leaf replaced by its modes: %v.", b.Shape(), r)).Figure = &Figure{
		Kind: "composition", Expr: a.String() + " o " + b.String(), Caption: "the cells of B, and where A puts them",
	}
	x.derive(r)
	return true
}

// sayDigits says how a counts.
func sayDigits(x *Explanation, a girih.Layout, sys []system) {
	for t, s := range sys {
		what, of := "A", a
		if s.path != nil {
			what = "mode " + pathText(s.path) + " of A"
			of, _ = a.Mode(s.path...)
		}
		text := fmt.Sprintf("%s = %v", what, of)
		if l, err := layoutOf(s.leaves); err == nil && !l.Equal(of) {
			text += ", coalesced " + l.String() + ","
		}
		if len(s.leaves) == 1 {
			x.say(text + " is one mode, so nothing ever carries.")
			continue
		}
		rows := [][]string{{"digit", "extent", "worth", "stride in A"}}
		for i, f := range s.leaves {
			extent := itoa(f.s)
			if i == len(s.leaves)-1 {
				extent = "none"
			}
			rows = append(rows, []string{itoa(int64(i)), extent, itoa(s.worth[i]), f.d.String()})
		}
		if t == 0 && s.path != nil {
			text = "B's values are coordinates: " + text
		}
		x.say(text+" takes an index apart into "+count(int64(len(s.leaves)), "digit")+": digit i of x is x div worth mod extent.", columns(rows...)...)
	}
}

// sayLeaf says what becomes of leaf j of the right operand.
func sayLeaf(x *Explanation, j int, w leafWalk) {
	text := fmt.Sprintf("Leaf %d of B, %v, counts %s of %v", j, w.from, count(w.from.s, "step"), w.from.d)
	m := w.merged()
	switch {
	case w.bad != nil:
		text += ", and does not come out even:"
	case len(m) < len(w.modes):
		text += fmt.Sprintf("; the modes coalesce to %s:", leafText(m))
	default:
		text += ":"
	}
	if w.from.s == 1 || isZero(w.from.d) {
		x.say(fmt.Sprintf("Leaf %d of B, %v, goes nowhere: %s.", j, w.from, leafText(m)))
		return
	}
	x.say(text, columns(w.rows...)...)
}

// sayReaches says whether the digits of all leaves together stay below their extents, and returns the breach if not.
func sayReaches(x *Explanation, sys []system, walks []leafWalk) *breach {
	var bad *breach
	rows := [][]string{{"", "greatest", "", ""}}
	bounded := false
	for _, r := range reaches(sys, walks) {
		row := []string{r.name, strings.Join(r.terms, " + ") + " = " + itoa(r.sum), "", "no bound"}
		if r.bound > 0 {
			bounded = true
			row[3] = fmt.Sprintf("< %d", r.bound)
			if r.sum >= r.bound {
				row[3] = fmt.Sprintf("reaches %d", r.bound)
				if bad == nil {
					who, which := "the leaves carry together", "the leaves "+strings.Join(slices.Compact(r.from), " and ")
					if len(walks) == 1 {
						who, which = "its runs carry together", "the leaf "+r.from[0]
					}
					bad = &breach{
						leaf:      -1,
						condition: fmt.Sprintf("%s reaches %s = %d, its extent is %d: %s into the next mode", r.name, strings.Join(r.terms, " + "), r.sum, r.bound, who),
						pair:      fmt.Sprintf("%s of B and the mode %s of A", which, r.owner),
					}
				}
			}
		}
		rows = append(rows, []string{row[0], row[1], row[3]})
	}
	rows[0] = []string{"", "greatest value over B", "extent"}
	if name, mixed := mixedSigns(sys, walks); mixed && bad == nil {
		x.say("Of the digits of " + name + " some count up and some down, and their sum borrows from one to the other.")
		return &breach{leaf: -1, condition: "some digits of " + name + " count up and others down, so their sum borrows", pair: "the leaves of B that count up and those that count down"}
	}
	if !bounded {
		return nil
	}
	who := "The leaves"
	if len(walks) == 1 {
		who = "Its runs"
	}
	text := who + " add digit by digit, because no digit carries:"
	if bad != nil {
		text = who + " do not add digit by digit, because one carries:"
	}
	x.say(text, columns(rows...)...)
	return bad
}

// explainBreach puts the condition that is violated into the failure.
func explainBreach(x *Explanation, bad *breach) {
	if f := x.Failure; f != nil && f.Code == string(girih.CodeNotRepresentable) {
		f.Condition, f.Pair = bad.condition, bad.pair
	}
}

// coincidence explains a result that the digits do not promise.
func coincidence(x *Explanation, a, b girih.Layout) {
	x.say("The digits carry, and still every value is that of a layout, because the strides of A coincide: the carry makes no difference to the sum. Such results are found from the table of values:",
		"A(B(i)): "+composedValues(a, b, 16))
}

// composedValues returns A(B(i)) at the first n indices.
func composedValues(a, b girih.Layout, n int64) string {
	var parts []string
	for i := range min(n, b.Size()) {
		v, ok := composedAt(a, b, i)
		if !ok {
			break
		}
		parts = append(parts, v.String())
	}
	text := strings.Join(parts, " ")
	if n < b.Size() {
		text += " ..."
	}
	return text
}

// composedAt returns A(B(i)).
func composedAt(a, b girih.Layout, i int64) (girih.Tuple, bool) {
	v, ok := at(b, girih.Int(i))
	if !ok {
		return v, false
	}
	return atPadded(a, v)
}

// atPadded evaluates a at a coordinate that may leave out modes at the end, which are then at 0.
func atPadded(a girih.Layout, v girih.Tuple) (girih.Tuple, bool) {
	v, ok := completed(v, a.Shape())
	if !ok {
		return v, false
	}
	return at(a, v)
}

// completed completes a coordinate of the shape with zeros.
func completed(v, shape girih.Tuple) (girih.Tuple, bool) {
	if v.Depth() == 0 || shape.IsInt() {
		return v, true
	}
	vs, ss := v.Modes(), shape.Modes()
	if len(vs) > len(ss) {
		return v, false
	}
	out := make([]girih.Tuple, len(ss))
	for i, s := range ss {
		if i >= len(vs) {
			out[i] = girih.Int(0)
			continue
		}
		var ok bool
		if out[i], ok = completed(vs[i], s); !ok {
			return v, false
		}
	}
	t, err := girih.MakeTuple(out...)
	return t, err == nil
}

// checkComposition compares the result with the definition, and shows the first values on their way through both.
func checkComposition(x *Explanation, a, b, r girih.Layout) {
	if !holdsAt(r.Size(), func(i int64) bool {
		want, ok1 := composedAt(a, b, i)
		got, ok2 := at(r, girih.Int(i))
		return ok1 && ok2 && got.Equal(want)
	}) {
		return
	}
	x.Check = "R(i) = A(B(i)) " + atAll(r.Size())
	rows := [][]string{{"i", "coordinate of B", "B(i)", "coordinate of A", "A(B(i)) = R(i)"}}
	n := b.Size()
	if n > 16 {
		n = 8
	}
	for i := range n {
		c, err1 := girih.Idx2Crd(girih.Int(i), b.Shape())
		v, ok := at(b, girih.Int(i))
		if err1 != nil || !ok {
			return
		}
		p, ok := completed(v, a.Shape())
		if !ok {
			return
		}
		crd := p.String()
		if !v.HasBasis() && v.Depth() == 0 {
			if t, err := girih.Idx2Crd(v, a.Shape()); err == nil {
				crd = t.String()
			}
		}
		w, ok := at(r, girih.Int(i))
		if !ok {
			return
		}
		rows = append(rows, []string{itoa(i), c.String(), v.String(), crd, w.String()})
	}
	text := "Every element on its way through both:"
	if n < b.Size() {
		text = fmt.Sprintf("The first %d elements on their way through both:", n)
	}
	x.say(text, columns(rows...)...)
}

// composeModes adds the steps of a composition mode by mode.
func composeModes(x *Explanation, a girih.Layout, t girih.Tiler, path string) (girih.Layout, bool) {
	if b, ok := wholeTiler(t); ok {
		r, err := girih.Composition(a, b)
		if err != nil {
			return r, false
		}
		where := "A"
		if path != "" {
			where = "mode " + path + " of A"
		}
		x.say(fmt.Sprintf("%s o element %s: %v o %v = %v", where, path, a, b, r), digitLines(a, b)...)
		return r, true
	}
	if t == girih.Keep {
		x.say(fmt.Sprintf("mode %s of A, %v, stays: _", path, a))
		return a, true
	}
	ts, ok := tilersOf(t)
	ms := a.Modes()
	if !ok || len(ts) > len(ms) {
		return a, false
	}
	parts := make([]girih.Layout, len(ts))
	for i := range ts {
		sub := itoa(int64(i))
		if path != "" {
			sub = path + "," + sub
		}
		var ok bool
		if parts[i], ok = composeModes(x, ms[i], ts[i], sub); !ok {
			return a, false
		}
	}
	if len(ms) > len(ts) {
		rest := make([]string, 0, len(ms))
		for _, m := range ms[len(ts):] {
			rest = append(rest, m.String())
		}
		x.say("The tiler has no element for " + strings.Join(rest, " and ") + ": dropped.")
	}
	r, err := girih.MakeLayout(parts...)
	return r, err == nil
}

// digitLines returns the work of a composition, leaf by leaf, without sentences.
func digitLines(a, b girih.Layout) []string {
	sys, ok := systemsOf(a, b)
	if !ok {
		return nil
	}
	rows := [][]string{{"leaf of B", "step", "digits", "a step adds", "runs", "mode"}}
	for j, f := range leavesOf(b) {
		w := walkLeaf(sys, j, f)
		for i, r := range w.rows[1:] {
			name := ""
			if i == 0 {
				name = f.String()
			}
			rows = append(rows, append([]string{name}, r...))
		}
	}
	return columns(rows...)
}

// composeInside explains F o offset o L composed with something: the composition happens inside.
func composeInside(op *Operation, x *Explanation, c girih.Composed) {
	t, ok := op.tilerArg(1)
	if !ok {
		return
	}
	x.Rule = "The domain of F o offset o L is that of L, so (F o offset o L) o B is F o offset o (L o B)."
	x.Source = "CuTe, include/cute/layout_composed.hpp, composition"
	l := c.Layout()
	b, ok := wholeTiler(t)
	if !ok {
		return
	}
	x.say(fmt.Sprintf("Inside: L = %v is composed with B = %v, as follows.", l, b))
	compose(x, l, b)
	x.derived = ""
	if r, ok := op.Result.Value.(girih.Composed); ok && op.Err == nil {
		x.say(fmt.Sprintf("What is outside stays: %v.", r))
	}
}
