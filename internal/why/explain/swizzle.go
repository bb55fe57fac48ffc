package explain

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/swizzle"
)

// This file explains swizzles as functions on bits: Sw<B,M,S> adds B bits at M+S to the B bits at M, without carry.
// swizzle_layout.go explains their effect on a layout.

// swizzleExplainers explains swizzles: their definition, their effect on an offset and on a layout, their
// composition, and their form in other units.
func swizzleExplainers() map[string]explainer {
	return map[string]explainer{
		"swizzle":              explainSwizzle,
		"make_swizzle":         explainSwizzle,
		"eval":                 explainSwizzleAt,
		"composition":          explainSwizzleComposition,
		"make_composed_layout": explainSwizzled,
		"composed_layout":      explainSwizzled,
		"upcast":               explainSwizzleRecast,
		"downcast":             explainSwizzleRecast,
		"recast_layout":        explainSwizzleRecast,
		"inverse":              explainSwizzleInverse,
	}
}

const (
	sourceSwizzle = "CUTLASS, cute/swizzle.hpp"
	ruleSwizzle   = "Sw<B,M,S> adds, without carry, B bits of the offset to the B bits that lie S places below them: Z ^= Y, where Z begins at bit M and Y at bit M+S. " +
		"The M bits below stay, so 2^M consecutive offsets stay neighbours."
)

// swizzleMasks returns the position of the lowest bit of Y, the bits that are read, and of Z, the bits that change.
func swizzleMasks(w cute.Swizzle) (y, z int) {
	if w.S() >= 0 {
		return w.M() + w.S(), w.M()
	}
	return w.M(), w.M() - w.S()
}

// swizzleBits returns the number of low bits that contain every bit that the swizzle reads or changes.
func swizzleBits(w cute.Swizzle) int {
	y, z := swizzleMasks(w)
	return max(y, z) + w.B()
}

// diagram draws the bits of a swizzle, the highest first.
func diagram(w cute.Swizzle, bits int) []string {
	y, z := swizzleMasks(w)
	var number, what strings.Builder
	number.WriteString("bit  ")
	what.WriteString("     ")
	for i := bits - 1; i >= 0; i-- {
		c := "."
		switch {
		case i >= y && i < y+w.B():
			c = "Y"
		case i >= z && i < z+w.B():
			c = "Z"
		}
		fmt.Fprintf(&number, " %2d", i)
		fmt.Fprintf(&what, "  %s", c)
	}
	return []string{number.String(), what.String()}
}

// formulaText returns the swizzle as a C expression.
func formulaText(w cute.Swizzle, x string) string { return swizzle.MapOf(w).Formula(x) }

// explainSwizzle explains the definition of a swizzle.
func explainSwizzle(op *Operation, x *Explanation) {
	x.Rule, x.Source = ruleSwizzle, sourceSwizzle
	w, ok := op.Result.Value.(cute.Swizzle)
	if !ok {
		failedSwizzle(op, x)
		return
	}
	if w.B() == 0 {
		x.sayf("%v adds no bits: it is the identity.", w)
		return
	}
	y, z := swizzleMasks(w)
	s := max(w.S(), -w.S())
	x.sayf("B = %d, M = %d, S = %d: the bits Y = %s are added to the bits Z = %s. The bits below %d and all others stay.",
		w.B(), w.M(), w.S(), bitRange(y, w.B()), bitRange(z, w.B()), w.M()).
		show(append(diagram(w, swizzleBits(w)), "x -> "+formulaText(w, "x"))...).
		Figure = &Figure{Kind: "swizzle", Expr: op.Result.Text, Caption: "where the offsets go"}
	sayChunks(x, w)
	x.sayf("Y itself does not change (|S| = %d is at least B = %d), so the same Y is added again by a second %v: it is "+
		"its own inverse.", s, w.B(), w)
	var rows [][]string
	rows = append(rows, []string{"if the offsets count", "in bytes", "in bits", "stay together"})
	for _, bits := range []int{4, 8, 16, 32} {
		name := fmt.Sprintf("elements of %d bits", bits)
		inBytes, err := swizzle.InBytes(w, bits)
		text := inBytes.String()
		if err != nil || inBytes.B() != w.B() {
			text = "none"
		}
		inBits, err := swizzle.InBits(w, bits)
		if err != nil {
			continue
		}
		rows = append(rows, []string{name, text, inBits.String(), bytesText(int64(bits) << w.M())})
	}
	x.say("A swizzle has no unit of its own: it counts what the offsets count. CuTe prints the swizzle of a pointer to shared "+
		"memory (smem_ptr) in bytes, and swizzles of layouts in elements.", align(rows)...)
}

func bitRange(low, n int) string {
	if n == 1 {
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d to %d", low, low+n-1)
}

func bytesText(bits int64) string {
	if bits%8 == 0 {
		return Count(bits/8, "byte")
	}
	return Count(bits, "bit")
}

// sayChunks describes the effect on chunks of 2^M offsets: row Y of the table lists Z xor Y for each chunk Z.
func sayChunks(x *Explanation, w cute.Swizzle) {
	if w.B() > 3 || w.S() < 0 || w.M()+w.S() > 40 {
		return
	}
	n := int64(1) << w.B()
	rows := [][]string{{"offsets from", "Y", "pieces Z = " + runs(sequence(n)) + " go to"}}
	for y := range n {
		cells := make([]string, n)
		for z := range n {
			cells[z] = itoa(z ^ y)
		}
		rows = append(rows, []string{itoa(y << (w.M() + w.S())), binary(y, w.B()), strings.Join(cells, " ")})
	}
	x.sayf("Pieces of 2^%d = %d offsets stay whole, and Y, which counts blocks of 2^%d = %d, says how the %d pieces change places. The pattern repeats after 2^%d = %d.",
		w.M(), int64(1)<<w.M(), w.M()+w.S(), int64(1)<<(w.M()+w.S()), n, swizzleBits(w), int64(1)<<swizzleBits(w)).
		show(align(rows)...)
}

// binary returns a number in binary with a fixed number of bits.
func binary(x int64, bits int) string {
	s := strconv.FormatInt(x, 2)
	if len(s) < bits {
		s = strings.Repeat("0", bits-len(s)) + s
	}
	return s
}

// failedSwizzle offers legal parameters near the illegal parameters.
func failedSwizzle(op *Operation, x *Explanation) {
	b, okB := op.integerArg(0)
	m, okM := op.integerArg(1)
	s, okS := op.integerArg(2)
	if !okB || !okM || !okS || op.Err == nil {
		return
	}
	if abs := max(s, -s); b > abs && b >= 0 && m >= 0 && b < 32 && m < 32 {
		x.sayf("Z is the bits %d to %d and Y the bits from %d on: with |S| = %d below B = %d they overlap, and a bit "+
			"would be changed and read.", m, m+b-1, m+abs, abs, b)
		for _, n := range [][3]int{{int(abs), int(m), int(s)}, {int(b), int(m), int(b)}} {
			if w, err := cute.NewSwizzle(n[0], n[1], n[2]); err == nil && w.B() > 0 {
				x.instead("Without an overlap:", w.String(), "")
			}
		}
	}
}

// explainSwizzleAt explains the effect of a swizzle on one offset.
func explainSwizzleAt(op *Operation, x *Explanation) {
	w, ok := arg[cute.Swizzle](op, 0)
	if !ok {
		return
	}
	x.Rule, x.Source = ruleSwizzle, sourceSwizzle
	at, ok := op.integerArg(1)
	if !ok || at < 0 {
		return
	}
	r, ok := op.integerResult()
	if !ok {
		return
	}
	y, z := swizzleMasks(w)
	bits := max(swizzleBits(w), len(strconv.FormatInt(at, 2)))
	mask := int64(1)<<w.B() - 1
	yy, zz := at>>y&mask, at>>z&mask
	lines := append(diagram(w, bits),
		spread("x    ", at, bits)+fmt.Sprintf("   %d", at),
		spread("Y->Z ", yy<<z, bits)+fmt.Sprintf("   Y = %d", yy),
		spread("xor  ", r, bits)+fmt.Sprintf("   %d", r))
	x.sayf("Of %d the bits Y = %s are %s and the bits Z = %s are %s: %s xor %s = %s, that is Z = %d instead of %d. The offset changes by (%d - %d)·2^%d = %d.",
		at, bitRange(y, w.B()), binary(yy, w.B()), bitRange(z, w.B()), binary(zz, w.B()),
		binary(zz, w.B()), binary(yy, w.B()), binary(zz^yy, w.B()), zz^yy, zz, zz^yy, zz, z, r-at).show(lines...)
	x.Check = fmt.Sprintf("%s with x = %d is %d, and %v of that is %d again.", formulaText(w, "x"), at, r, w, at)
	if back, err := w.At(r); err != nil || back != at {
		x.refute(fmt.Sprintf("%v(%v(x)) = x", w, w), "x = %d", at)
	}
}

// spread writes the bits of a number in the columns of a diagram.
func spread(name string, x int64, bits int) string {
	var b strings.Builder
	b.WriteString(name)
	for i := bits - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "  %d", x>>i&1)
	}
	return b.String()
}

// explainSwizzleInverse explains why a swizzle is its own inverse.
func explainSwizzleInverse(op *Operation, x *Explanation) {
	w, ok := arg[cute.Swizzle](op, 0)
	if !ok {
		return
	}
	x.Rule, x.Source = ruleSwizzle, sourceSwizzle
	x.sayf("|S| = %d is at least B = %d, so Y is not changed, and %v adds the same Y a second time: Z xor Y xor Y = Z.",
		max(w.S(), -w.S()), w.B(), w)
}

// explainSwizzleComposition explains a swizzle applied after a swizzle or after a layout.
func explainSwizzleComposition(op *Operation, x *Explanation) {
	v, ok := arg[cute.Swizzle](op, 0)
	if !ok {
		return
	}
	if w, ok := arg[cute.Swizzle](op, 1); ok {
		sayComposition(op, x, v, w)
		return
	}
	explainSwizzled(op, x)
}

// sayComposition explains v o w.
func sayComposition(op *Operation, x *Explanation, v, w cute.Swizzle) {
	x.Source = sourceSwizzle
	x.Rule = "A swizzle adds bits to bits, so two of them in sequence are a linear map over bits: bit j of the offset goes to the exclusive or of the outer swizzle's images of the bits in the inner swizzle's image. It is one swizzle again only if all its terms are bits at one distance."
	both := swizzle.MapOf(v).After(swizzle.MapOf(w))
	n := max(swizzleBits(v), swizzleBits(w))
	rows := [][]string{{"bit", "after " + w.String(), "after " + v.String() + " o " + w.String()}}
	for j := range n {
		in := swizzle.MapOf(w).Col(j)
		if out := both.Col(j); in != 1<<j || out != 1<<j {
			rows = append(rows, []string{strconv.Itoa(j), setBits(in), setBits(out)})
		}
	}
	if len(rows) == 1 {
		x.say("No bit changes: the composition is the identity.")
	} else {
		x.sayf("%v is applied first, then %v. These bits of an offset go to more than themselves:", w, v).
			show(align(rows)...)
	}
	u, err := swizzle.Compose(v, w)
	if err == nil {
		x.sayf("All terms are at one distance and in a row: x -> %s, which is %v.", both.Formula("x"), u)
		if v.S() == w.S() {
			x.sayf("Both have S = %d, so both add a bit to the one %d places off: what both add cancels, and what one of them adds alone stays.",
				v.S(), max(v.S(), -v.S()))
		}
		checkMaps(x, op, both)
		return
	}
	var terms []string
	for _, t := range both.Terms() {
		terms = append(terms, t.String())
	}
	x.sayf("x -> %s. The terms %s are not B bits in a row at one distance, so no single Sw<B,M,S> is the composition.",
		both.Formula("x"), strings.Join(terms, " and "))
	x.instead("As a chain before a layout L of offsets:", fmt.Sprintf("%v o 0 o %v o 0 o L", v, w), "")
	checkMaps(x, op, both)
}

// setBits lists the positions of the set bits of a number: "3 and 6".
func setBits(x uint64) string {
	var parts []string
	for i := range 64 {
		if x>>i&1 == 1 {
			parts = append(parts, strconv.Itoa(i))
		}
	}
	return strings.Join(parts, " + ")
}

// checkMaps compares, at the first offsets, the composition of two swizzles with the two swizzles in sequence. If the
// result is a single swizzle, checkMaps compares this swizzle too.
func checkMaps(x *Explanation, op *Operation, both swizzle.Map) {
	v, _ := arg[cute.Swizzle](op, 0)
	w, _ := arg[cute.Swizzle](op, 1)
	u, isOne := op.Result.Value.(cute.Swizzle)
	n := int64(1) << min(max(swizzleBits(v), swizzleBits(w)), 12)
	x.confirm(fmt.Sprintf("The map and the two swizzles agree at the offsets 0 to %d.", n-1),
		fmt.Sprintf("R(i) = %v(%v(i))", v, w), n, func(i int64) bool {
			in, err1 := w.At(i)
			want, err2 := v.At(in)
			got, err3 := both.At(i)
			if isOne && err3 == nil && got == want {
				got, err3 = u.At(i)
			}
			return err1 == nil && err2 == nil && err3 == nil && got == want
		})
}
