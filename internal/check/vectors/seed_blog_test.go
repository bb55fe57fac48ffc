package vectors

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/why/judge"
)

// These are the layouts of the blog: thread-value to (m,n) in column-major order, and (m,n) to memory.
const (
	tvToMN     = "(4,2,2):(2,1,8)"
	mnToMemory = "(4,4):(4,1)"
	tvToMemory = mnToMemory + " o " + tvToMN
	blockXY    = "(2,5):(5,1)" // x = 2 and y = 5
	tilerZW    = "(3,4):(1,3)" // z = 3 and w = 4
)

// seedBlog holds the statements of a blog on the layout algebra.
var seedBlog = []fact{
	{23, 0, colexIndex},
	{27, 0, colexCoordinate},
	{33, 0, stated("crd2idx((0,0), (2,3))")},
	{33, 1, stated("crd2idx((0,1), (2,3))")},
	{33, 2, stated("crd2idx((0,2), (2,3))")},
	{34, 0, stated("crd2idx((1,0), (2,3))")},
	{34, 1, stated("crd2idx((1,1), (2,3))")},
	{34, 2, stated("crd2idx((1,2), (2,3))")},
	{42, 0, innerProduct},
	{48, 0, all(is("compact_col_major((2,3,4,5))", "(1,2,6,24)"), is("compact_col_major((7,(2,9)))", "(1,(7,14))"))},
	{50, 0, truth("layout_left((2,3,4))")},
	{53, 0, hasTable("(2,3):(1,2)")},
	{60, 0, hasTable("(2,3):(3,1)")},
	{68, 0, stated("make_layout((2,3), (3,1))")},
	{91, 0, truth("coalesce((2,3):(1,2))")},
	{92, 0, truth("flatten(make_layout((2,3):(1,2), 4:10))")},
	{102, 0, truth("complement(4:2, 8)")},
	{111, 0, hasTable("4:2")},
	{117, 0, truth("make_layout(4:2, 2:1)")},
	{119, 0, is("layout_right((4,2))", "(4,2):(2,1)")},
	{125, 0, truth("complement((2,3):(2,4), 24)")},
	{127, 0, hasTable("(2,3):(2,4)")},
	{131, 0, hasTable("(4,6):(1,4)")},
	{144, 0, sameImageOtherFunction},
	{148, 0, complementFormula},
	{178, 0, all(truth(tvToMemory), is("equivalent("+tvToMemory+", (2,2,4):(1,8,2))", "false"))},
	{183, 0, hasTable(tvToMN)},
	{188, 0, hasTable("(4,4):(1,4)")},
	{193, 0, hasTable(mnToMemory)},
	{198, 0, truth("flatten(" + tvToMemory + ")")},
	{199, 0, hasTable(tvToMemory)},
	{206, 0, all(
		is("("+tvToMN+")(0,0,0)", "0"), is("("+tvToMN+")(0,1,0)", "1"),
		is("("+tvToMN+")(0,0,1)", "8"), is("("+tvToMN+")(0,1,1)", "9"))},
	{207, 0, all(
		is("idx2crd(0, (4,4))", "(0,0)"), is("idx2crd(1, (4,4))", "(1,0)"),
		is("idx2crd(8, (4,4))", "(0,2)"), is("idx2crd(9, (4,4))", "(1,2)"))},
	{208, 0, all(
		is("("+mnToMemory+")(0,0)", "0"), is("("+mnToMemory+")(1,0)", "4"),
		is("("+mnToMemory+")(0,2)", "2"), is("("+mnToMemory+")(1,2)", "6"))},
	{211, 0, all(is("compatible((4,2,2), shape("+tvToMemory+"))", "true"), is("compatible(shape("+tvToMemory+"), (4,2,2))", "false"))},
	{215, 0, truth(tvToMemory)},
	{226, 0, hasTable("(2,3):(3,1)")},
	{230, 0, sortedByValue},
	{234, 0, hasTable("inverse((2,3):(3,1))")},
	{253, 0, all(inverts("left_inverse", "(2,3):(3,1)"), inverts("left_inverse", "(4,2):(1,16)"), inverts("left_inverse", "(2,(3,2)):(6,(1,12))"))},
	{276, 0, truth("select<1,0>((2,3):(3,1))")},
	{280, 0, compactInverse},
	{295, 0, all(
		divisionIs("(4,2,3):(2,1,8)", "4:2"), divisionIs("(6,8):(8,1)", "(3,4):(1,3)"), divisionIs("24:1", "(3,2):(2,12)"))},
	{307, 0, all(
		is("shape(logical_divide((8,12,5):(1,8,96), <4,3>))", "((4,2),(3,4),5)"),
		is("shape(logical_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>))", "((3,3),((2,4),(2,2)))"))},
	{308, 0, all(
		is("shape(zipped_divide((8,12,5):(1,8,96), <4,3>))", "((4,3),(2,4,5))"),
		is("shape(zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>))", "((3,(2,4)),(3,(2,2)))"))},
	{316, 0, divideThatDoesNotFit},
	{321, 0, truth("complement(4:1, 20)")},
	{322, 0, truth("make_layout(4:1, 5:4)")},
	{328, 0, productIsNotUndone},
	{332, 0, all(
		truthOnly("logical_product((2,5):(5,1), <3:5,4:6>)"),
		truthOnly("blocked_product((2,5):(5,1), (3,4):(1,3))"),
		is("logical_product((2,5):(5,1), <3:1,4:1>)", "((2,3),(5,4)):((5,1),(1,5))"))},
	{335, 0, truthOnly(product5("logical"))},
	{336, 0, truthOnly(product5("zipped"))},
	{337, 0, truthOnly(product5("tiled"))},
	{338, 0, truthOnly(product5("blocked"))},
	{339, 0, truthOnly(product5("raked"))},
	{341, 0, sameStrides},
	{341, 1, all(
		is("logical_product((2,2):(4,1), 6:1)", "((2,2),(2,3)):((4,1),(2,8))"),
		is("zipped_product((2,2):(4,1), 6:1)", "((2,2),(2,3)):((4,1),(2,8))"),
		is("tiled_product((2,2):(4,1), (6):(1))", "((2,2),(2,3)):((4,1),(2,8))"),
		is("blocked_product((2,2):(4,1), 6:1)", "((2,(2,3)),(2,1)):((4,(2,8)),(1,0))"),
		is("rank((2,2):(4,1)) == rank(6:1)", "false"))},
	{346, 0, all(
		is("complement((4,5):(30,1), 160)", "(6,2):(5,120)"),
		refuses("(6,2):(5,120) o (2,4):(1,2)", "not_representable"),
		refuses("logical_product((4,5):(30,1), (2,4):(1,2))", "not_representable"))},
	{357, 0, copiesOfPaddedRows("(1,2)", []string{"1:0", "2:16"}, 16)},
	{358, 0, paddedRowsTwice},
	{359, 0, copiesOfPaddedRows("(2,2)", []string{"2:16", "2:32"}, 16, 32, 48)},
	{361, 0, productOrderMatters},
	{162, 0, powersOfTwo},
}

// truthOnly asserts the true value if the statement gives a form instead of a value.
func truthOnly(expr string) func(c *checker) {
	return func(c *checker) { c.is(expr, c.row.True) }
}

func product5(kind string) string { return kind + "_product(" + blockXY + ", " + tilerZW + ")" }

// colexIndex asserts the index x0·1 + x1·s0 + x2·s0·s1 at every coordinate of a shape.
func colexIndex(c *checker) {
	for x2 := range 4 {
		for x1 := range 3 {
			for x0 := range 2 {
				c.is(fmt.Sprintf("crd2idx((%d,%d,%d), (2,3,4))", x0, x1, x2), fmt.Sprint(x0+2*x1+6*x2))
			}
		}
	}
}

// colexCoordinate asserts that modes are remainders inside the shape, and that the last mode is not reduced outside.
func colexCoordinate(c *checker) {
	for i := range 24 {
		c.is(fmt.Sprintf("idx2crd(%d, (2,3,4))", i), fmt.Sprintf("(%d,%d,%d)", i%2, i/2%3, i/6%4))
	}
	c.is("idx2crd(100, (2,3))", "(0,50)")
}

// innerProduct asserts coordinate times stride. The stated shape times stride is a single number and not an offset.
func innerProduct(c *checker) {
	shapeTimesStride := int64(0)
	for _, l := range layoutText("(2,3):(3,1)") {
		shapeTimesStride += l.S * l.D
	}
	for x1 := range int64(3) {
		for x0 := range int64(2) {
			at := fmt.Sprintf("((2,3):(3,1))(%d,%d)", x0, x1)
			c.is(at, fmt.Sprint(3*x0+x1))
			c.not(at, fmt.Sprint(shapeTimesStride))
		}
	}
}

// sameImageOtherFunction asserts that the concatenation has the image of (4,6):(1,4), but in another order.
func sameImageOtherFunction(c *checker) {
	const concat = "((2,2),(3,2)):((2,1),(4,12))"
	c.is("make_layout((2,2):(2,1), (3,2):(4,12))", concat)
	c.is("image("+concat+") == image((4,6):(1,4))", "true")
	c.is("equivalent("+concat+", (4,6):(1,4))", "false")
	c.is("coalesce("+concat+", (1,1))", "((2,2),6):((2,1),4)")
}

// complementFormula asserts (d0, d1/(s0·d0), M/(s1·d1)):(1, s0·d0, s1·d1) for sorted layouts whose strides chain.
func complementFormula(c *checker) {
	for s0 := int64(2); s0 <= 3; s0++ {
		for d0 := int64(1); d0 <= 3; d0++ {
			for gap := int64(1); gap <= 3; gap++ {
				d1 := gap * s0 * d0
				formula := fmt.Sprintf("(%d,%d,%d):(1,%d,%d)", d0, d1/(s0*d0), 4, s0*d0, 2*d1)
				c.is(fmt.Sprintf("equivalent(complement((%d,2):(%d,%d), %d), %s)", s0, d0, d1, 8*d1, formula), "true")
			}
		}
	}
}

// sortedByValue asserts that the right inverse lists the coordinates in the order of their values.
func sortedByValue(c *checker) {
	values := layoutText("(2,3):(3,1)").Table()
	order := make([]int64, len(values))
	for i := range order {
		order[i] = int64(i)
	}
	slices.SortFunc(order, func(i, j int64) int { return int(values[i] - values[j]) })
	c.holds(strings.ReplaceAll(fmt.Sprint(order), " ", ", ") == c.row.True,
		"sorted by value: %v, want %s", order, c.row.True)
	c.offsets("right_inverse((2,3):(3,1))", order)
}

// inverts asserts that an inverse undoes the layout at every index.
func inverts(inverse, layout string) func(c *checker) {
	return func(c *checker) {
		a, r := layoutText(layout), ask(inverse+"("+layout+")")
		m, ok := judge.ReadLayout(r.text())
		c.holds(ok, "%s(%s) = %s", inverse, layout, r.text())
		for i, x := range a.Table() {
			c.holds(m.Leaves().At(x) == int64(i), "%s(%s) maps offset %d to %d, want %d", inverse, layout, x, m.Leaves().At(x), i)
		}
	}
}

// compactInverse asserts that the inverse sorts modes by stride; its strides are products of the extents to the left.
func compactInverse(c *checker) {
	truthOnly("inverse((2,3):(3,1))")(c)
	extents := []int64{2, 3, 5}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		strides, prefix, next := make([]int64, 3), []int64{1, 2, 6}, int64(1)
		var s, d []string
		for _, k := range order {
			strides[k] = next
			next *= extents[k]
			s, d = append(s, fmt.Sprint(extents[k])), append(d, fmt.Sprint(prefix[k]))
		}
		formula := "(" + strings.Join(s, ",") + "):(" + strings.Join(d, ",") + ")"
		c.is(fmt.Sprintf("equivalent(inverse((2,3,5):(%d,%d,%d)), %s)", strides[0], strides[1], strides[2], formula), "true")
	}
}

// divisionIs asserts A / B = A o (B, B*), with B* the complement of B in size(A).
func divisionIs(a, b string) func(c *checker) {
	return func(c *checker) {
		divide := fmt.Sprintf("equivalent(logical_divide(%[1]s, %[2]s), %[1]s o make_layout(%[2]s, ", a, b)
		c.is(divide+fmt.Sprintf("complement(%s, size(%s))))", b, a), "true")
		c.is(divide+fmt.Sprintf("complement(%s, shape(coalesce(%s)))))", b, a), "true")
	}
}

// divideThatDoesNotFit asserts that A(4j) is 0, 4, 33, 62, 91. The first run has 2 values, and 2 does not divide 5, so
// A o (B,B*) is not a layout. CuTe today returns a padded result.
func divideThatDoesNotFit(c *checker) {
	a := layoutText("(5,4):(1,30)")
	for j, want := range []int64{0, 4, 33, 62, 91} {
		c.holds(a.At(4*int64(j)) == want, "A(%d) = %d, want %d", 4*j, a.At(4*int64(j)), want)
	}
	c.refuses("(5,4):(1,30) o (4,5):(1,4)", "not_representable")
	c.refuses("logical_divide_exact((5,4):(1,30), 4:1)", "not_divisible")
	c.is("logical_divide((5,4):(1,30), 4:1)", "(4,(2,4)):(1,(4,30))")
	c.holds(ask("logical_divide((5,4):(1,30), 4:1)").notesPadding(), "the padding is not noted")
	c.is("size(logical_divide((5,4):(1,30), 4:1))", "32")
}

// productIsNotUndone asserts that dividing the product by the tiler does not give the block back, while dividing by the
// block's extent gives the block as the tile.
func productIsNotUndone(c *checker) {
	const p = "logical_product((2,2):(4,1), 6:1)"
	c.is(p, "((2,2),(2,3)):((4,1),(2,8))")
	undone := ask("get<0>(logical_divide(" + p + ", 6:1))")
	c.holds(undone.isRefusal() || undone.text() != "(2,2):(4,1)", "the divide undoes the product: %s", undone.text())
	c.is("equivalent(get<0>(logical_divide("+p+", 4:1)), (2,2):(4,1))", "true")
}

// sameStrides asserts that x, y, z and w keep their strides 5, 1, 10 and 30 in every product.
func sameStrides(c *checker) {
	var texts []string
	for _, kind := range []string{"logical", "zipped", "tiled", "blocked", "raked"} {
		text := ask(product5(kind)).text()
		texts = append(texts, text)
		m, ok := judge.ReadLayout(text)
		c.holds(ok, "%s_product: %s", kind, text)
		for _, l := range m.Leaves() {
			want := map[int64]int64{2: 5, 5: 1, 3: 10, 4: 30}[l.S]
			c.holds(l.D == want, "%s_product: extent %d has stride %d, want %d", kind, l.S, l.D, want)
		}
	}
	got := strings.Join(texts, " | ")
	c.holds(got == c.row.True, "the five products are %s, want %s", got, c.row.True)
}

// copiesOfPaddedRows asserts that the product of (4,3):(4,1) is the block and its copies at the given offsets, without
// overlap. The block leaves out offsets 3, 7, 11 and 15, which no layout enumerates as a complement.
func copiesOfPaddedRows(tiler string, repeats []string, starts ...int64) func(c *checker) {
	return func(c *checker) {
		want := strings.Join(strings.Fields(*c.row.Stated), "")
		c.is("blocked_product((4,3):(4,1), "+tiler+")", want)
		c.is("make_layout(make_layout(4:4, "+repeats[0]+"), make_layout(3:1, "+repeats[1]+"))", want)
		block, all := layoutText("(4,3):(4,1)").Table(), layoutText(want).Table()
		c.holds(judge.Injective(all), "the copies overlap")
		var copies []int64
		for _, start := range append([]int64{0}, starts...) {
			for _, x := range block {
				copies = append(copies, start+x)
			}
		}
		slices.Sort(all)
		slices.Sort(copies)
		c.holds(slices.Equal(all, copies), "the offsets are %v, want %v", all, copies)
		c.refuses("complement((4,3):(4,1), 64)", "not_complementable")
	}
}

// paddedRowsTwice asserts that a second product repeats the whole first product 32 offsets later.
func paddedRowsTwice(c *checker) {
	const first = "((4,1),(3,2)):((4,0),(1,16))"
	c.is("blocked_product("+first+", (2,1))", *c.row.Stated)
	c.is("make_layout(make_layout(get<0>("+first+"), 2:32), make_layout(get<1>("+first+"), 1:0))", *c.row.Stated)
	once, twice := layoutText(first).Table(), layoutText(*c.row.Stated).Table()
	slices.Sort(once)
	slices.Sort(twice)
	for i, x := range once {
		c.holds(twice[i] == x && twice[len(once)+i] == x+32, "the second half is not the first one 32 further on")
	}
}

// productOrderMatters asserts that both products have the same offsets, but in another order and nesting.
func productOrderMatters(c *checker) {
	const stepwise, atOnce = "(((4,1),2),((3,2),1)):(((4,0),32),((1,16),0))", "((4,2),(3,2)):((4,16),(1,32))"
	c.holds(c.row.True == stepwise+" vs "+atOnce, "the row compares other layouts: %s", c.row.True)
	c.is("image("+stepwise+") == image("+atOnce+")", "true")
	c.is("equivalent("+stepwise+", "+atOnce+")", "false")
}

// powersOfTwo asserts that a layout A composes with every injective B that stays within A, here for four A of rank 2
// and every B of rank 1 or 2 with small extents and strides, and that a B that is not injective is refused.
func powersOfTwo(c *checker) {
	c.refuses("(2,2):(1,4) o (2,2):(1,1)", "not_representable")
	for _, a := range []string{"(2,8):(8,1)", "(4,4):(4,1)", "(4,4):(1,32)", "(8,4):(16,2)"} {
		size := layoutText(a).Size()
		for s0 := int64(1); s0 <= 8; s0 *= 2 {
			for d0 := int64(1); d0 <= 16; d0 *= 2 {
				for s1 := int64(1); s1 <= 8; s1 *= 2 {
					for d1 := int64(1); d1 <= 16; d1 *= 2 {
						b := judge.Leaves{{S: s0, D: d0}, {S: s1, D: d1}}
						if t := b.Table(); !judge.Injective(t) || slices.Max(t) >= size {
							continue
						}
						r := ask(fmt.Sprintf("%s o (%d,%d):(%d,%d)", a, s0, s1, d0, d1))
						c.holds(!r.isRefusal(), "%s: %s", r.expr, r.text())
					}
				}
			}
		}
	}
}
