package explain

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// This file explains compositions. A splits an index into digits, one for each mode of A; each leaf of B counts in
// steps of these digits. The composition is a layout if no digit carries within a leaf, and if each digit, added over
// all leaves, stays below its extent. A failure names the leaves that violate this condition. digits.go formats the
// digits.

const (
	compositionRule   = "R(c) = A(B(c)) in the shape of B. A takes an integer apart into digits, one for each of its modes, the last one without bound; a leaf N:r of B stays one mode as long as the digits of r, 2r, 3r, ... grow evenly, and splits where one of them is full, which must be after a number of steps that divides N."
	compositionSource = "CuTe, include/cute/layout.hpp, composition; conditions: Cecka, arXiv 2603.02298, Eq. 20-21, and Shah, CuTe layout algebra, Def. 2.12-2.17, which this one contains"
)

func composition(op *Operation, x *Explanation) {
	if c, ok := arg[cute.Composed](op, 0); ok {
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
		if r, ok := op.Result.Value.(cute.Layout); ok {
			checkComposition(x, a, b, r)
		}
		return
	}
	x.Rule = "With a tile or a shape, A o B composes mode by mode: mode i of the result is mode i of A composed with element i of the tiler; modes of A beyond the tiler are dropped, and _ leaves a mode alone."
	x.Source = "CuTe, include/cute/layout.hpp, composition with a tiler"
	d, err := cute.Derive("composition", a, t)
	sayComposedModes(x, d, err)
	if res, ok := op.Result.Value.(cute.Layout); ok && op.Err == nil {
		x.Check = fmt.Sprintf("the %d modes hold %d of the %d elements of A", res.Rank(), res.Size(), a.Size())
	}
}

// wholeTiler returns the layout of a tiler that tiles the whole domain: the tiler itself, or n:1 for an integer.
func wholeTiler(t cute.Tiler) (cute.Layout, bool) {
	switch t := t.(type) {
	case cute.Layout:
		return t, true
	case cute.Tuple:
		if n, ok := t.Int64(); ok {
			l, err := cute.New(cute.Int(n), cute.Int(1))
			return l, err == nil
		}
	}
	return cute.Layout{}, false
}

// compose adds the steps of A o B.
func compose(x *Explanation, a, b cute.Layout) {
	d, err := cute.Derive("composition", a, b)
	compositionSteps(x, d, err)
}

// compositionSteps describes the steps of a composition with a layout.
func compositionSteps(x *Explanation, d *cute.Derivation, err error) {
	b, ok := d.B.(cute.Layout)
	sys := stepsOf[cute.Radix](d)
	if !ok || len(sys) == 0 {
		return
	}
	sayDigits(x, d.A, sys)
	leaves := walksOf(d, b)
	var bad *breach
	for j, w := range leaves {
		if !w.ends() {
			return
		}
		sayLeaf(x, j, sys, w)
		if bad == nil {
			bad = w.breach(sys)
		}
	}
	if bad == nil {
		bad = sayReaches(x, d, sys, leaves)
	}
	if bad != nil {
		explainBreach(x, bad)
		if err == nil && x.Result != "" {
			coincidence(x, d.A, b)
		}
		return
	}
	if err == nil {
		x.sayf("In the shape of B, %v, each leaf replaced by its modes: %v.", b.Shape(), d.Result).Figure = &Figure{
			Kind: "composition", Expr: d.A.String() + " o " + b.String(), Caption: "the cells of B, and where A puts them",
		}
	}
}

// sayDigits describes how the layout a splits an index into digits.
func sayDigits(x *Explanation, a cute.Layout, sys []cute.Radix) {
	for t, s := range sys {
		what := "A"
		if s.Axis != nil {
			what = "mode " + pathText(s.Axis) + " of A"
		}
		text := fmt.Sprintf("%s = %v", what, s.Of)
		if l := cute.CoalesceZ(s.Of); !l.Equal(s.Of) {
			text += ", coalesced " + l.String() + ","
		}
		if len(s.Digits) == 1 {
			x.say(text + " is one mode, so nothing ever carries.")
			continue
		}
		rows := [][]string{{"digit", "extent", "worth", "stride in A"}}
		for i, f := range s.Digits {
			extent := itoa(f.Extent)
			if i == len(s.Digits)-1 {
				extent = "none"
			}
			rows = append(rows, []string{itoa(int64(i)), extent, itoa(s.Worth[i]), f.Stride.String()})
		}
		if t == 0 && s.Axis != nil {
			text = "B's values are coordinates: " + text
		}
		x.say(text+" takes an index apart into "+Count(len(s.Digits), "digit")+
			": digit i of x is x div worth mod extent.", columns(rows...)...)
	}
}

// sayLeaf describes how leaf j of the right operand is composed.
func sayLeaf(x *Explanation, j int, sys []cute.Radix, w leafWalk) {
	text := fmt.Sprintf("Leaf %d of B, %v, counts %s of %v", j, w.from, Count(w.from.Extent, "step"), w.from.Stride)
	switch {
	case w.breach(sys) != nil:
		text += ", and does not come out even:"
	case len(w.split.Modes) < len(w.runs):
		text += fmt.Sprintf("; the modes coalesce to %s:", leafText(w.split.Modes))
	default:
		text += ":"
	}
	if w.from.Extent == 1 || isZero(w.from.Stride) {
		x.sayf("Leaf %d of B, %v, goes nowhere: %s.", j, w.from, leafText(w.split.Modes))
		return
	}
	x.say(text, columns(append([][]string{{"step", "digits", "a step adds", "runs", "mode"}}, w.rows(sys)...)...)...)
}

// sayReaches says whether each digit, added over all leaves, stays below its extent. If one does not, sayReaches
// returns the breach.
func sayReaches(x *Explanation, d *cute.Derivation, sys []cute.Radix, leaves []leafWalk) *breach {
	var bad *breach
	rows := [][]string{{"", "greatest value over B", "extent"}}
	bounded := false
	for _, r := range stepsOf[cute.Reach](d) {
		name := digitName(sys, r.System, r.Digit)
		terms, from := make([]string, len(r.Terms)), make([]string, len(r.Terms))
		for i, t := range r.Terms {
			terms[i], from[i] = fmt.Sprintf("%d·%d", t.Steps, t.Digit), leaves[t.Leaf].from.String()
		}
		sum, bound := strings.Join(terms, " + "), "no bound"
		if r.Extent > 0 {
			bounded = true
			bound = fmt.Sprintf("< %d", r.Extent)
		}
		if r.Carries() {
			bound = fmt.Sprintf("reaches %d", r.Extent)
			if bad == nil {
				who, which := "the leaves carry together", "the leaves "+strings.Join(slices.Compact(from), " and ")
				if len(leaves) == 1 {
					who, which = "its runs carry together", "the leaf "+from[0]
				}
				bad = &breach{
					condition: fmt.Sprintf("%s reaches %s = %d, its extent is %d: %s into the next mode",
						name, sum, r.Sum, r.Extent, who),
					pair: fmt.Sprintf("%s of B and the mode %v of A", which, sys[r.System].Digits[r.Digit]),
				}
			}
		}
		rows = append(rows, []string{name, sum + " = " + itoa(r.Sum), bound})
	}
	if borrows := stepsOf[cute.Borrow](d); len(borrows) > 0 && bad == nil {
		name := "A"
		if s := sys[borrows[0].System]; s.Axis != nil {
			name = "mode " + pathText(s.Axis) + " of A"
		}
		x.say("Of the digits of " + name + " some count up and some down, and their sum borrows from one to the other.")
		return &breach{condition: "some digits of " + name + " count up and others down, so their sum borrows", pair: "the leaves of B that count up and those that count down"}
	}
	if !bounded {
		return nil
	}
	who := "The leaves"
	if len(leaves) == 1 {
		who = "Its runs"
	}
	text := who + " add digit by digit, because no digit carries:"
	if bad != nil {
		text = who + " do not add digit by digit, because one carries:"
	}
	x.say(text, columns(rows...)...)
	return bad
}

// explainBreach records a violated condition in the failure.
func explainBreach(x *Explanation, bad *breach) {
	if f := x.Failure; f != nil && f.Code == string(cute.CodeNotRepresentable) {
		f.Condition, f.Pair = bad.condition, bad.pair
	}
}

// coincidence explains a result that exists although the condition on digits does not hold.
func coincidence(x *Explanation, a, b cute.Layout) {
	x.say("The digits carry, but every value still agrees with a layout, because the strides of A coincide: the carry makes no difference to the sum. Such results are found from the table of values:",
		"A(B(i)): "+composedValues(a, b, 16))
}

// composedValues returns A(B(i)) at the first n indices as text.
func composedValues(a, b cute.Layout, n int64) string {
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
func composedAt(a, b cute.Layout, i int64) (cute.Tuple, bool) {
	v, ok := at(b, cute.Int(i))
	if !ok {
		return v, false
	}
	return atPadded(a, v)
}

// atPadded evaluates a at a coordinate that may omit modes at the end, which are then 0.
func atPadded(a cute.Layout, v cute.Tuple) (cute.Tuple, bool) {
	v, ok := withZeros(v, a.Shape())
	if !ok {
		return v, false
	}
	return at(a, v)
}

// withZeros extends a coordinate of the shape with zeros.
func withZeros(v, shape cute.Tuple) (cute.Tuple, bool) {
	if v.Depth() == 0 || shape.IsInt() {
		return v, true
	}
	vs, ss := v.Modes(), shape.Modes()
	if len(vs) > len(ss) {
		return v, false
	}
	out := make([]cute.Tuple, len(ss))
	for i, s := range ss {
		if i >= len(vs) {
			out[i] = cute.Int(0)
			continue
		}
		var ok bool
		if out[i], ok = withZeros(vs[i], s); !ok {
			return v, false
		}
	}
	t, err := cute.MakeTuple(out...)
	return t, err == nil
}

// checkComposition compares the result with the definition, and shows the first values of B and of A o B.
func checkComposition(x *Explanation, a, b, r cute.Layout) {
	x.verify("R(i) = A(B(i))", r.Size(), func(i int64) bool {
		want, ok1 := composedAt(a, b, i)
		got, ok2 := at(r, cute.Int(i))
		return ok1 && ok2 && sameValue(got, want)
	})
	rows := [][]string{{"i", "coordinate of B", "B(i)", "coordinate of A", "A(B(i)) = R(i)"}}
	n := b.Size()
	if n > 16 {
		n = 8
	}
	for i := range n {
		c, err1 := cute.Idx2Crd(cute.Int(i), b.Shape())
		v, ok := at(b, cute.Int(i))
		if err1 != nil || !ok {
			return
		}
		p, ok := withZeros(v, a.Shape())
		if !ok {
			return
		}
		crd := p.String()
		if !v.HasBasis() && v.Depth() == 0 {
			if t, err := cute.Idx2Crd(v, a.Shape()); err == nil {
				crd = t.String()
			}
		}
		w, ok := at(r, cute.Int(i))
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

// sayComposedModes describes a composition mode by mode.
func sayComposedModes(x *Explanation, d *cute.Derivation, err error) {
	path := pathText(d.At)
	if b, ok := d.B.(cute.Layout); ok {
		if err != nil {
			return
		}
		where := "A"
		if path != "" {
			where = "mode " + path + " of A"
		}
		x.sayf("%s o element %s: %v o %v = %v", where, path, d.A, b, d.Result).show(digitLines(d)...)
		return
	}
	if d.B == cute.Keep {
		x.sayf("mode %s of A, %v, stays: _", path, d.A)
		return
	}
	parts := partsOf(d)
	for i, p := range parts {
		var failed error
		if i == len(parts)-1 {
			failed = err
		}
		sayComposedModes(x, p, failed)
	}
	if ms := d.A.Modes(); err == nil && len(ms) > len(parts) {
		rest := make([]string, 0, len(ms))
		for _, m := range ms[len(parts):] {
			rest = append(rest, m.String())
		}
		x.say("The tiler has no element for " + strings.Join(rest, " and ") + ": dropped.")
	}
}

// digitLines returns the lines of work of a composition, leaf by leaf, without sentences.
func digitLines(d *cute.Derivation) []string {
	b, ok := d.B.(cute.Layout)
	sys := stepsOf[cute.Radix](d)
	if !ok || len(sys) == 0 {
		return nil
	}
	rows := [][]string{{"leaf of B", "step", "digits", "a step adds", "runs", "mode"}}
	for _, w := range walksOf(d, b) {
		for i, r := range w.rows(sys) {
			name := ""
			if i == 0 {
				name = w.from.String()
			}
			rows = append(rows, append([]string{name}, r...))
		}
	}
	return columns(rows...)
}

// composeInside explains (F o offset o L) o B, which composes L with B inside.
func composeInside(op *Operation, x *Explanation, c cute.Composed) {
	t, ok := op.tilerArg(1)
	if !ok {
		return
	}
	x.Rule = "The domain of F o offset o L is the domain of L, so (F o offset o L) o B is F o offset o (L o B)."
	x.Source = "CuTe, include/cute/layout_composed.hpp, composition"
	l := c.Layout()
	b, ok := wholeTiler(t)
	if !ok {
		return
	}
	x.sayf("Inside: L = %v is composed with B = %v, as follows.", l, b)
	compose(x, l, b)
	if r, ok := op.Result.Value.(cute.Composed); ok && op.Err == nil {
		x.sayf("The outer functions do not change: %v.", r)
	}
}
