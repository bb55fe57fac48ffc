package vectors

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/why/judge"
)

const (
	tutorialL = "(2,(1,6)):(1,(6,2))"
	tutorialR = "(6,2):(8,2) o (4,3):(3,1)"
	tutorialA = "(12,(4,8)):(59,(13,1))"
	tutorialD = "(9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>"
	tutorialP = "(2,5):(5,1), <3:5,4:6>"
)

// seedTutorial holds the statements of a tutorial on the layout algebra.
var seedTutorial = []fact{
	{13, 0, stated("coalesce(" + tutorialL + ")")},
	{14, 0, naturalCoordinate},
	{17, 0, all(truthOnly("coalesce((4,1):(3,7))"), is("coalesce((6,1):(2,1))", "6:2"))},
	{18, 0, all(truthOnly("coalesce((1,4):(7,3))"), is("coalesce((1,6):(5,2))", "6:2"))},
	{19, 0, all(truthOnly("coalesce((4,5):(3,12))"), is("coalesce((6,2):(2,12))", "12:2"))},
	{20, 0, all(is("coalesce((4,5):(3,7))", "(4,5):(3,7)"), refuses("(4,5):(3:7)", "type"))},
	{29, 0, stated("coalesce(" + tutorialL + ", (1,1))")},
	{31, 0, all(
		truthOnly("make_layout(coalesce(get<0>("+tutorialL+")), coalesce(get<1>("+tutorialL+")))"),
		is("coalesce("+tutorialL+", (1,1)) == "+
			"make_layout(coalesce(get<0>("+tutorialL+")), coalesce(get<1>("+tutorialL+")))", "true"))},
	{33, 0, all(
		is("coalesce("+tutorialL+", (1,1)) == coalesce("+tutorialL+", (7,42))", "true"),
		is("coalesce("+tutorialL+", 1) == coalesce("+tutorialL+", (1,1))", "false"))},
	{44, 0, all(is("("+tutorialR+")(0)", "0"), is("((6,2):(8,2))(((4,3):(3,1))(0))", "0"))},
	{46, 0, all(stated(tutorialR), compositionOnAll("(6,2):(8,2)", "(4,3):(3,1)"))},
	{48, 0, is("compatible((4,3), shape("+tutorialR+"))", "true")},
	{60, 0, distributesNotAlways},
	{61, 0, injectiveIsNotEnough},
	{64, 0, all(truthOnly("20:3 o 4:5"), is("7:11 o 3:2", "3:22"))},
	{71, 0, truth("(10,2):(16,4) o (5,4):(1,5)")},
	{83, 0, stated(tutorialA + " o <3:4,8:2>")},
	{85, 0, is(tutorialA+" o <3:4,8:2> == make_layout(get<0>("+tutorialA+") o 3:4, get<1>("+tutorialA+") o 8:2)", "true")},
	{97, 0, all(is("make_shape(3, 8)", "(3,8)"), is("make_shape(3, 8) == (8,3)", "false"))},
	{102, 0, stated(tutorialA + " o (3,8)")},
	{106, 0, all(
		is("(12,8):(1,12) o 4:2", "4:2"),
		is("(12,8):(1,12) o <3:4,2:4>", "(3,2):(4,48)"),
		is("(12,8):(1,12) o <3:4,(2,2):(1,4)>", "(3,(2,2)):(4,(12,48))"),
		is("(12,8):(1,12) o (3,2)", "(3,2):(1,12)"),
		is("(12,8):(1,12) o (3,2) == (12,8):(1,12) o <3:1,2:1>", "true"))},
	{118, 0, complementPostConditions},
	{127, 0, all(is("complement(4:1, 28)", "7:4"), is("complement(4:1, (4,7))", "7:4"))},
	{136, 0, all(divisionIs("(4,2,3):(2,1,8)", "4:2"), divisionIs("(6,8):(8,1)", "(3,4):(1,3)"))},
	{146, 0, hasQuote("logical_divide", "((3,3),((2,4),(2,2)))")},
	{147, 0, hasQuote("zipped_divide", "((3,(2,4)),(3,(2,2)))")},
	{148, 0, hasQuote("tiled_divide", "((3,(2,4)),3,(2,2))")},
	{149, 0, hasQuote("flat_divide", "(3,(2,4),3,(2,2))")},
	{158, 0, productForm("logical_product", "((2,3),(5,4)):((5,10),(1,30))", "((2,5),(3,4))")},
	{159, 0, productForm("zipped_product", "((2,5),(3,4)):((5,1),(10,30))", "((2,5),(3,4))")},
	{160, 0, productForm("tiled_product", "((2,5),3,4):((5,1),10,30)", "((2,5),3,4)")},
	{161, 0, productForm("flat_product", "(2,5,3,4):(5,1,10,30)", "(2,5,3,4)")},
}

// naturalCoordinate asserts that (0,(0,2)) nests like the shape. (0,0,2) has three modes and is no coordinate.
func naturalCoordinate(c *checker) {
	c.is("congruent((0,(0,2)), (2,(1,6)))", "true")
	c.is("("+tutorialL+")((0,(0,2)))", "4")
	c.is("weakly_congruent((0,0,2), (2,(1,6)))", "false")
	c.refuses("("+tutorialL+")(0,0,2)", "not_congruent")
}

// compositionOnAll asserts R(i) = A(B(i)) for every i.
func compositionOnAll(a, b string) func(c *checker) {
	return func(c *checker) {
		r := ask(a + " o " + b)
		la, lb := layoutText(a), layoutText(b)
		for i := range lb.Size() {
			c.is(fmt.Sprintf("(%s)(%d)", r.text(), i), fmt.Sprint(la.At(lb.At(i))))
		}
	}
}

// distributesNotAlways asserts that a concatenation composes mode by mode if no digits carry, but not in general.
func distributesNotAlways(c *checker) {
	const a = "(6,2):(8,2)"
	c.is(a+" o (4,3):(3,1) == make_layout("+a+" o 4:3, "+a+" o 3:1)", "true")
	c.is("make_layout((6,2):(1,7) o 3:2, (6,2):(1,7) o 2:3)", "(3,2):(2,3)")
	c.refuses("(6,2):(1,7) o (3,2):(2,3)", "not_representable")
}

// injectiveIsNotEnough asserts that B is injective and each mode composes, but that the composition is not a layout.
func injectiveIsNotEnough(c *checker) {
	a, b := layoutText("(6,2):(1,7)"), layoutText("(3,2):(2,3)")
	var values []int64
	for i := range b.Size() {
		values = append(values, a.At(b.At(i)))
	}
	c.holds(slices.Equal(values, []int64{0, 2, 4, 3, 5, 8}), "A(B(i)) is %v", values)
	c.is("is_injective((3,2):(2,3))", "true")
	c.offsets("(3,2):(2,3)", []int64{0, 2, 4, 3, 5, 7}) // the stated result, which is wrong at index 5
	prospect, _ := judge.SolvabilityOf("composition", []string{"(6,2):(1,7)", "(3,2):(2,3)"})
	c.holds(prospect == judge.Unsolvable, "a layout is A(B(i))")
	c.refuses("(6,2):(1,7) o (3,2):(2,3)", "not_representable")
}

// complementPostConditions asserts that the complement is sorted and shares only offset 0 with A, and that A and the
// complement cover the cotarget, rounded up to a multiple of A's block.
func complementPostConditions(c *checker) {
	for _, p := range []struct {
		a       string
		m, n    int64 // the cotarget, and the number of covered offsets
		star    string
		cosizes int64
	}{{"4:1", 10, 12, "3:4", 9}, {"4:2", 16, 16, "(2,2):(1,8)", 10}, {"(2,3):(2,4)", 24, 24, "(2,2):(1,12)", 14}} {
		c.is(fmt.Sprintf("complement(%s, %d)", p.a, p.m), p.star)
		c.is("cosize("+p.star+")", fmt.Sprint(p.cosizes))
		star, both := layoutText(p.star), append(layoutText(p.a), layoutText(p.star)...).Table()
		c.holds(slices.IsSortedFunc(star, func(x, y judge.Leaf) int { return int(x.D - y.D) }), "%s is not sorted", p.star)
		c.holds(judge.Injective(both) && int64(len(both)) == p.n && slices.Max(both) == p.n-1,
			"%s and %s cover %v", p.a, p.star, both)
	}
}

// hasQuote asserts the layout that the row quotes, and its shape.
func hasQuote(op, shape string) func(c *checker) {
	return func(c *checker) {
		r := ask(op + "(" + tutorialD + ")")
		c.holds(!r.isRefusal() && strings.HasSuffix(c.row.True, " "+r.text()),
			"%s = %s, want %s", r.expr, r.text(), c.row.True)
		c.is("shape("+r.expr+")", shape)
	}
}

// productForm asserts that the product with a tile is mode by mode, and that its form differs with a layout as tiler.
func productForm(op, byMode, whole string) func(c *checker) {
	return func(c *checker) {
		c.is(op+"("+tutorialP+")", byMode)
		c.is("shape("+op+"((2,5):(5,1), (3,4):(1,3)))", whole)
	}
}
