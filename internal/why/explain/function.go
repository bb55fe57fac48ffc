package explain

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
)

// This file explains questions about composed layouts as functions.

// functionExplainers returns an explainer for every question about composed layouts. These explainers leave questions
// about plain layouts to the other explainers.
func functionExplainers() map[string]explainer {
	table := map[string]explainer{
		"left_inverse": functionInverse, "right_inverse": functionInverse, "inverse": functionInverse,
		"max_common_layout": functionCommon, "max_common_vector": functionCommon,
	}
	for _, name := range []string{
		"image", "holes", "cosize", "is_injective", "is_surjective",
		"is_bijective", "is_compact", "equivalent", "complement", "complement_exact",
	} {
		table[name] = functionValues
	}
	return table
}

const functionSource = "girih, docs/proofs.md; CuTe, include/cute/layout_composed.hpp"

// composedArg returns operand i if it is a composed layout with an outer function.
func composedArg(op *Operation, i int) (cute.Composed, bool) {
	c, ok := arg[cute.Composed](op, i)
	return c, ok && c.Outer() != nil
}

// asFunction returns operand i, a layout or a composed layout, as a function.
func asFunction(op *Operation, i int) (cute.Composed, bool) {
	if c, ok := arg[cute.Composed](op, i); ok {
		return c, true
	}
	l, ok := op.layoutArg(i)
	return l.Composed(), ok
}

// sayPassage says which digits the outer functions of c leave unchanged.
func sayPassage(x *Explanation, c cute.Composed) {
	p, err := c.Passage()
	if err != nil {
		return
	}
	switch {
	case p.Values.Size() == 1:
		x.sayf("No digit of the index passes the outer functions of %v unchanged, so it is the table of its %d values.",
			c, p.Table)
	case p.Table == 1:
		x.sayf("Every digit of the index passes the outer functions of %v: together they are %v and an offset.", c, p.Values)
	default:
		x.sayf("The outer functions of %v change the bits of a value below 2^%d only, so digits whose strides are multiples of %d pass: %v. The rest is a table of %d values.",
			c, p.Bits, int64(1)<<p.Bits, p.Values, p.Table)
	}
}

// functionValues explains a question about the values of a composed layout.
func functionValues(op *Operation, x *Explanation) {
	var asked []cute.Composed
	for i := range op.Args {
		if c, ok := composedArg(op, i); ok {
			asked = append(asked, c)
		}
	}
	if len(asked) == 0 {
		return
	}
	x.Rule, x.Source = op.Doc, functionSource
	for _, c := range asked {
		sayPassage(x, c)
	}
	c := asked[0]
	image, err := c.Image()
	if err != nil {
		return
	}
	least, most := image[0], image[len(image)-1]
	x.sayf("%v has %d values at %d indices, from %d to %d.", c, len(image), c.Size(), least, most)
	if !strings.HasPrefix(op.Name, "complement") || op.Err != nil {
		return
	}
	for i := range image {
		image[i] -= least
	}
	if l, err := cute.Recognize(image); err == nil {
		x.sayf("A complement depends on the set of values alone: in order, and counted from %d, they are the offsets of "+
			"%v. It is the complement of that.", least, l)
	}
	if r, ok := op.Result.Value.(cute.Layout); ok && int64(len(image))*r.Size() <= listedSums {
		checkSums(x, image, r)
	}
}

// listedSums limits the sums that an explanation adds up.
const listedSums = 1 << 20

// checkSums checks whether the sums of a number in set and an offset of r are 0, 1, 2, ..., each once.
func checkSums(x *Explanation, set []int64, r cute.Layout) {
	offsets, err := r.AppendOffsets(nil)
	if err != nil {
		return
	}
	sums := make([]int64, 0, len(set)*len(offsets))
	for _, v := range set {
		for _, y := range offsets {
			sums = append(sums, v+y)
		}
	}
	slices.Sort(sums)
	n := int64(len(sums))
	x.confirm(fmt.Sprintf("the %d sums of a value and an offset of the complement are 0 to %d, each once", n, n-1),
		"that the sums of a value and an offset of the complement are 0, 1, 2, ... in order", n,
		func(i int64) bool { return sums[i] == i })
}

// functionInverse explains an inverse of a composed layout.
func functionInverse(op *Operation, x *Explanation) {
	c, ok := composedArg(op, 0)
	if !ok {
		return
	}
	x.Rule, x.Source = op.Doc, functionSource
	sayPassage(x, c)
	r, ok := functionOfResult(op)
	if !ok {
		return
	}
	backwards := map[string]func() (cute.Composed, error){
		"left_inverse": c.LeftInverse, "right_inverse": c.RightInverse, "inverse": c.Inverse,
	}[op.Name]
	lines := []string{}
	for outer, offset := range c.Stages() {
		undone := outer.String()
		if l, isLayout := outer.(cute.Layout); isLayout {
			undone = "left_inverse(" + l.String() + ")"
		}
		lines = append(lines, fmt.Sprintf("%v is taken back by %s, then %v is subtracted", outer, undone, offset))
	}
	if l, err := cute.LeftInverse(c.Layout()); err == nil {
		lines = append(lines, fmt.Sprintf("%v is taken back by its left inverse %v", c.Layout(), l))
	}
	x.say("The chain is taken back from the outside; a swizzle takes back itself.", lines...)
	if chain, err := backwards(); err == nil && chain.String() != r.String() {
		if same, _, err := chain.Equivalent(r); err == nil && same {
			x.sayf("Together that is %v, the same function as %v.", chain, r)
		}
	}
	through := func(first, then cute.Composed) func(i int64) (int64, bool) {
		return func(i int64) (int64, bool) {
			y, err := first.Eval(cute.Int(i))
			if err != nil {
				return 0, false
			}
			z, err := then.Eval(y)
			k, isInt := z.Int64()
			return k, isInt && err == nil
		}
	}
	if op.Name == "left_inverse" {
		x.verifyLeft(c.Size(), through(c, r), func(i int64) (cute.Tuple, bool) {
			v, err := c.Eval(cute.Int(i))
			return v, err == nil
		})
		return
	}
	forth := through(r, c)
	x.verify("A(R(i)) = i", r.Size(), func(i int64) bool { k, ok := forth(i); return ok && k == i })
}

// functionOfResult returns the result as a function.
func functionOfResult(op *Operation) (cute.Composed, bool) {
	switch v := op.Result.Value.(type) {
	case cute.Composed:
		return v, true
	case cute.Layout:
		return v.Composed(), true
	}
	return cute.Composed{}, false
}

// functionCommon explains the common layout and the common vector of two functions.
func functionCommon(op *Operation, x *Explanation) {
	_, first := composedArg(op, 0)
	_, second := composedArg(op, 1)
	a, ok1 := asFunction(op, 0)
	b, ok2 := asFunction(op, 1)
	if (!first && !second) || !ok1 || !ok2 {
		return
	}
	x.Rule = "A vector is a list of indices along which both functions count up by one; its length must cut the whole domain, since a swizzle may keep the first vector together and take the next ones apart."
	x.Source = functionSource
	n, err := a.MaxCommonVector(b)
	size := min(a.Size(), b.Size())
	if err != nil || size > cute.EnumLimit {
		return
	}
	x.sayf("The longest such vectors that cut the %d indices have %d elements.", size, n)
	if at, run, ok := tornRun(a, b, 2*n); ok {
		u, _ := a.Eval(at)
		v, _ := b.Eval(at)
		x.sayf("Vectors of %d do not: a run of %d ends at %v, where A is %v and B is %v.", 2*n, run, at, u, v)
	}
	x.Check = fmt.Sprintf("%d vectors of %d elements", size/n, n)
	if r, ok := op.integerResult(); ok && r != n {
		if at, _, ok := tornRun(a, b, r); ok {
			x.refute("that vectors of that many cut the indices", "coordinate %v", at)
		}
	}
}

// tornRun returns the last coordinate and the length of a run of both functions that cannot be cut into vectors of n.
func tornRun(a, b cute.Composed, n int64) (at cute.Tuple, length int64, ok bool) {
	last, length, ok, err := a.TornVector(b, n)
	if err != nil || !ok {
		return at, 0, false
	}
	at, err = cute.Idx2Crd(cute.Int(last), a.Shape())
	return at, length, err == nil
}
