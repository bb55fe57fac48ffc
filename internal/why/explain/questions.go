package explain

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file explains questions about layouts, such as is_injective and cosize, from the same derivations as complements
// and inverses, and checks the answer by enumerating the offsets of small layouts.

// questionExplainers explains questions about layouts and shapes.
func questionExplainers() map[string]explainer {
	return map[string]explainer{
		"size": size, "cosize": cosize, "coshape": cosize,
		"is_injective": bijectivity, "is_surjective": bijectivity, "is_bijective": bijectivity, "is_compact": bijectivity,
		"equivalent": equivalent, "==": sameText, "image": image, "holes": image, "offsets": image,
		"max_common_layout": commonVector, "max_common_vector": commonVector, "nullspace": nullspace,
		"filter": filter, "filter_zeros": filter,
		"compatible": compatible, "congruent": compatible, "weakly_congruent": compatible,
		"+": operator, "-": operator, "*": operator, "/": operator, "%": operator,
		"common_refinement": commonRefinement, "greatest_common_domain": commonDomain,
		"ceil_div": tupleDivision, "shape_div": tupleDivision,
	}
}

// mostListed is the size of the largest layout whose offsets are all enumerated.
const mostListed = 1 << 16

func size(op *Operation, x *Explanation) {
	t, ok := shapeArg(op, 0)
	if !ok || op.Err != nil || len(op.Args) != 1 || len(op.Template) != 0 || t.HasBasis() {
		return
	}
	x.Rule = "The number of coordinates: the product of the extents."
	extents := t.Flatten().Leaves()
	parts := make([]string, len(extents))
	for i, e := range extents {
		parts[i] = itoa(e)
	}
	p, err := t.Product()
	if err != nil {
		return
	}
	if len(parts) > 1 {
		x.say(strings.Join(parts, "·") + " = " + itoa(p))
	}
}

func cosize(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	if !ok || op.Err != nil || len(op.Args) != 1 || len(op.Template) != 0 {
		return
	}
	x.Rule = "The number of integers from the least offset to the greatest: 1 + the sum of (extent-1)·|stride|; for coordinate strides that for each axis."
	x.Source = "CuTe, include/cute/layout.hpp, cosize and coshape"
	if l.HasBasis() {
		return
	}
	c, err := l.Cosize()
	if err != nil {
		return
	}
	rows := [][]string{{"mode", "(extent-1)·|stride|", ""}}
	for _, f := range leavesOf(l) {
		d, _ := f.Stride.Int64()
		d = max(d, -d)
		rows = append(rows, []string{f.String(), fmt.Sprintf("%d·%d", f.Extent-1, d), itoa((f.Extent - 1) * d)})
	}
	x.sayf("1 and these make %d:", c).show(columns(rows...)...)
	if l.Size() <= mostChecked {
		if im, err := cute.Image(l); err == nil {
			x.Check = fmt.Sprintf("the offsets run from %d to %d", im[0], im[len(im)-1])
		}
	}
}

// bijectivityRules define the questions that bijectivity explains.
var bijectivityRules = map[string]string{
	"is_injective":  "No two coordinates have the same offset.",
	"is_surjective": "Every offset from 0 below the cosize is the offset of some coordinate.",
	"is_bijective":  "The offsets are 0, ..., size-1, each once.",
	"is_compact":    "No two coordinates have the same offset, and the offsets are without gaps.",
}

// sayReached says what the strides of a layout show about the offsets that the layout reaches.
func sayReached(x *Explanation, l cute.Layout) {
	g, ok := gapsIn(l, "weak_complement")
	if !ok || !g.moves {
		return
	}
	say := "Each stride is at least the block that the modes of smaller strides reach, extent times stride, so no offset is reached twice."
	if g.bad != "" {
		say = "The strides alone do not decide: " + g.bad + "."
	} else if len(g.fill) > 0 {
		say += " The gaps between them are not reached: " + leafText(g.fill) + "."
	}
	x.say(say, g.lines...)
}

// bijectivity explains is_injective, is_surjective, is_bijective and is_compact.
func bijectivity(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	if !ok || op.Err != nil || len(op.Args) != 1 { // with a codomain, the question is different
		return
	}
	x.Rule = bijectivityRules[op.Name]
	if l.HasBasis() {
		return
	}
	sayReached(x, l)
	if l.Size() > mostListed {
		return
	}
	im, err := cute.Image(l)
	if err != nil {
		return
	}
	c, err := l.Cosize()
	if err != nil {
		return
	}
	x.Check = fmt.Sprintf("%s have %s from %d to %d; the cosize is %d",
		Count(l.Size(), "coordinate"), Count(len(im), "offset"), im[0], im[len(im)-1], c)
	if op.Name != "is_surjective" && op.Name != "is_bijective" {
		return
	}
	if ok, w, err := cute.IsSurjective(l); err == nil && !ok && w != nil {
		x.sayf("The offset %v is not reached.", w.Value)
	}
}

func equivalent(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Rule = "Two layouts are the same function of indices exactly if their coalesced forms are the same, because the coalesced form is unique: its first mode is the longest linear run of the function, and so on."
	x.Source = coalesceSource
	p, lines, err := coalesceLines(a)
	if err != nil {
		return
	}
	x.sayf("A = %v, coalesced: %v", a, p).show(lines...)
	q, lines, err := coalesceLines(b)
	if err != nil {
		return
	}
	x.sayf("B = %v, coalesced: %v", b, q).show(lines...)
	same, diff := cute.Equivalent(a, b)
	switch {
	case same:
		x.Check = "A(i) = B(i) " + atAll(a.Size())
	case diff != nil && diff.Sizes:
		x.sayf("The sizes differ, %d and %d.", a.Size(), b.Size())
	case diff != nil:
		x.sayf("They differ first at index %d: A gives %v, B gives %v.", diff.Index, diff.A, diff.B)
	}
}

func sameText(op *Operation, x *Explanation) {
	if op.Err != nil || len(op.Args) != 2 {
		return
	}
	x.Rule = "A == B asks whether both are the same text; equivalent(A, B) asks whether two layouts are the same function."
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if ok && ok2 && op.Args[0].Kind == "layout" && op.Args[1].Kind == "layout" {
		same, _ := cute.Equivalent(a, b)
		if same {
			x.say("As functions of indices the two are the same.")
		} else {
			x.say("As functions of indices the two differ.")
		}
	}
}

// operator explains the arithmetic of integers and tuples.
func operator(op *Operation, x *Explanation) {
	x.Rule = map[string]string{
		"+": "Integers add; tuples add leaf by leaf, the shorter one completed with zeros; numbers over F2 add without carries.",
		"-": "Integers subtract; tuples leaf by leaf, the shorter one completed with zeros.",
		"*": "Integers multiply; an integer multiplies every leaf of a tuple; numbers over F2 multiply without carries; linear layouts side by side, A * B.",
		"/": "Integers divide, rounded towards 0.",
		"%": "The remainder of the division that is rounded towards 0.",
	}[op.Name]
}

// image explains image, holes and offsets.
func image(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	if !ok || op.Err != nil || l.HasBasis() {
		return
	}
	rules := map[string]string{
		"image":   "The set of all offsets.",
		"holes":   "The integers between the least and the greatest offset that are not offsets.",
		"offsets": "The offset of every index in colexicographic order: each mode repeats what the modes before it give, shifted by its stride.",
	}
	x.Rule = rules[op.Name]
	rows := [][]string{{"modes so far", "offsets"}}
	leaves := leavesOf(l)
	for i := range leaves {
		part, err := layoutOf(leaves[:i+1])
		if err != nil {
			return
		}
		rows = append(rows, []string{part.String(), values(part, 16)})
	}
	x.say("Mode by mode:", columns(rows...)...)
	if l.Size() > mostListed {
		return
	}
	im, err := cute.Image(l)
	if err != nil {
		return
	}
	span := im[len(im)-1] - im[0] + 1
	x.Check = fmt.Sprintf("%s of %s, from %d to %d: %d holes",
		Count(len(im), "offset"), Count(l.Size(), "coordinate"), im[0], im[len(im)-1], span-int64(len(im)))
}

// commonVector explains max_common_layout and max_common_vector.
func commonVector(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Rule = "A vector of A and B is a run of indices on which both count 0, 1, 2, ... The right inverse of B gives the index of each of its offsets; A goes along with it as far as A of these indices counts 0, 1, 2, ... too."
	x.Source = "CuTe, include/cute/layout.hpp, max_common_layout and max_common_vector"
	d, err := op.Until.Derive("max_common_layout", a, b)
	if err != nil {
		return
	}
	inverse, r := partsOf(d)[0].Result, d.Result
	x.sayf("right_inverse(B) = %v: the offsets 0 to %d of B.", inverse, inverse.Size()-1)
	rows := [][]string{{"offset of B", "index", "A there", ""}}
	for _, f := range stepsOf[cute.Follow](d) {
		same := "counts along"
		if !f.Follows {
			same = "ends"
		}
		rows = append(rows, []string{itoa(f.Offset), itoa(f.Index), f.Value.String(), same})
	}
	x.sayf("A counts along for %s: %v.", Count(r.Size(), "element"), r).show(columns(rows...)...)
	if result, ok := op.layoutResult(); ok {
		r = result
	}
	x.verify("A(R(k)) = B(R(k)) = k", r.Size(), func(k int64) bool { return takesBack(r, a, k) && takesBack(r, b, k) })
}

func nullspace(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	if !ok || op.Err != nil {
		return
	}
	x.Rule = "The modes of stride 0, each with the amount that one step adds to the index: the indices that L maps to 0 because their strides are 0."
	rows := [][]string{{"mode", "a step is worth", ""}}
	d, _ := op.Until.Derive(op.Name, l)
	for _, s := range stepsOf[cute.Stay](d) {
		what := "moves"
		if s.Stays {
			what = "stays: " + integerLeaf(s.Mode.Extent, s.Index).String()
		}
		rows = append(rows, []string{s.Mode.String(), itoa(s.Index), what})
	}
	x.say("", columns(rows...)...).Say = "Mode by mode:"
	r, ok := op.Result.Value.(cute.Layout)
	if !ok {
		return
	}
	x.verify("L(R(i)) = 0", r.Size(), func(i int64) bool {
		k, err := r.At(i)
		if err != nil {
			return false
		}
		v, ok := at(l, cute.Int(k))
		return ok && (isZero(v) || allZero(v))
	})
}

func allZero(t cute.Tuple) bool {
	for _, v := range t.Flatten().Leaves() {
		if v != 0 {
			return false
		}
	}
	return true
}

// filter explains filter and filter_zeros.
func filter(op *Operation, x *Explanation) {
	l, ok := op.layoutArg(0)
	if !ok || op.Err != nil || len(op.Args) != 1 {
		return
	}
	x.Source = "CuTe, include/cute/layout.hpp, filter and filter_zeros"
	x.Rule = "A mode of stride 0 repeats elements: its extent becomes 1."
	z := cute.FilterZeros(l)
	if op.Name == "filter_zeros" {
		x.sayf("Without them: %v.", z)
		return
	}
	x.Rule += " What is left is coalesced."
	r, lines, err := coalesceLines(z)
	if err != nil {
		return
	}
	x.sayf("Without them %v, and coalesced %v:", z, r).show(lines...)
}
