package vectors

import (
	"fmt"
	"slices"

	"girih/internal/why/judge"
)

// A bits is a matrix over the field of two elements, stored by rows. Its column k is the image of 2^k.
type bits [][]int

// matrixOf returns the matrix of a layout with the given number of rows: bit r of L(2^k) in row r, column k.
func matrixOf(layout string, rows int) bits {
	l := layoutText(layout)
	m := make(bits, rows)
	for r := range m {
		for x := int64(1); x < l.Size(); x *= 2 {
			m[r] = append(m[r], int(l.At(x)>>r&1))
		}
	}
	return m
}

// apply returns the image of x: the sum without carries of the columns that x selects.
func (m bits) apply(x int64) int64 {
	y := int64(0)
	for r, row := range m {
		bit := 0
		for k, b := range row {
			bit ^= b & int(x>>k&1)
		}
		y |= int64(bit) << r
	}
	return y
}

// times returns the matrix product.
func (m bits) times(n bits) bits {
	out := make(bits, len(m))
	for r := range m {
		for k := range n[0] {
			sum := 0
			for j := range n {
				sum ^= m[r][j] & n[j][k]
			}
			out[r] = append(out[r], sum)
		}
	}
	return out
}

// joined returns the matrix [m n].
func (m bits) joined(n bits) bits {
	out := make(bits, len(m))
	for r := range m {
		out[r] = append(slices.Clone(m[r]), n[r]...)
	}
	return out
}

// diagonal returns the block diagonal matrix of m and n.
func diagonal(m, n bits) bits {
	var out bits
	for _, row := range m {
		out = append(out, append(slices.Clone(row), make([]int, len(n[0]))...))
	}
	for _, row := range n {
		out = append(out, append(make([]int, len(m[0])), row...))
	}
	return out
}

// without returns the n with m = diagonal(first, n), the left quotient of linear layouts, or false if there is no n.
func (m bits) without(first bits) (bits, bool) {
	var n bits
	for r := len(first); r < len(m); r++ {
		n = append(n, m[r][len(first[0]):])
	}
	if len(n) == 0 || len(n[0]) == 0 {
		return nil, false
	}
	return n, m.equal(diagonal(first, n))
}

func (m bits) equal(n bits) bool { return slices.EqualFunc(m, n, slices.Equal[[]int]) }

// rank returns the rank, by elimination.
func (m bits) rank() int {
	rows := make(bits, len(m))
	for r := range m {
		rows[r] = slices.Clone(m[r])
	}
	rank := 0
	for k := range rows[0] {
		pivot := slices.IndexFunc(rows[rank:], func(row []int) bool { return row[k] == 1 })
		if pivot < 0 {
			continue
		}
		rows[rank], rows[rank+pivot] = rows[rank+pivot], rows[rank]
		for r := range rows {
			if r == rank || rows[r][k] == 0 {
				continue
			}
			for j := range rows[r] {
				rows[r][j] ^= rows[rank][j]
			}
		}
		if rank++; rank == len(rows) {
			break
		}
	}
	return rank
}

func (m bits) nonzeroRows() int {
	n := 0
	for _, row := range m {
		if slices.Contains(row, 1) {
			n++
		}
	}
	return n
}

func identity(n int) bits {
	m := make(bits, n)
	for i := range m {
		m[i] = make([]int, n)
		m[i][i] = 1
	}
	return m
}

// seedLinear holds the statements of a text on CuTe layouts and linear layouts.
var seedLinear = []fact{
	{19, 0, all(is("offsets((2,2,2):(2,4,1))", "{0,2,4,6,1,3,5,7}"), digitsTimesStrides)},
	{20, 0, matrixIs("(2,2,2):(2,4,1)", bits{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}})},
	{22, 0, cosizeIsLastOffset},
	{23, 0, matrixDimensions},
	{25, 0, nonzeroRowsAreNotRank},
	{29, 0, disjointImages},
	{30, 0, concatenationIsBeside},
	{34, 0, compositionIsProduct},
	{37, 0, all(truth("complement((2,2):(2,1), 8)"), is("image(make_layout((2,2):(2,1), 2:4)) == image(8:1)", "true"))},
	{37, 1, all(truth("complement(2:4, 8)"), is("image(make_layout(2:4, (2,2):(2,1))) == image(8:1)", "true"))},
	{39, 0, matrixIs("2:4", bits{{0}, {0}, {1}})},
	{39, 1, secondColumn},
	{39, 2, complementIsBlock},
	{41, 0, complementIsSorted},
	{43, 0, all(truthOnly("inverse((2,3):(3,1))"), is("right_inverse((2,(1,3)):(3,(0,1)))", "(3,2):(2,1)"), is("depth(right_inverse(((2,2),3):((3,6),1)))", "1"))},
	{49, 0, productIsDiagonal},
	{50, 0, leftDivision},
	{56, 0, all(divisionIs("(8,4):(4,1)", "4:2"), divisionIs("(4,2,3):(2,1,8)", "4:2"))},
	{57, 0, divideIsBlockRow},
	{59, 0, threadFragmentShape},
	{65, 0, all(productIs("(2,2):(4,1)", "6:1"), productIs("4:2", "(2,2):(1,2)"), productIs("(2,4):(1,2)", "3:1"))},
	{66, 0, productIsBlockRow},
	{67, 0, compactProduct},
	{71, 0, productIsNotUndone},
}

// digitsTimesStrides asserts that offsets are sums of strides times remainders of repeated division by 2.
func digitsTimesStrides(c *checker) {
	for i := range 8 {
		c.is(fmt.Sprintf("((2,2,2):(2,4,1))(%d)", i), fmt.Sprint(i%2*2+i/2%2*4+i/4*1))
	}
}

// matrixIs asserts the matrix of a layout, and that the matrix gives girih's values.
func matrixIs(layout string, want bits) func(c *checker) {
	return func(c *checker) {
		m := matrixOf(layout, len(want))
		c.holds(m.equal(want), "the matrix of %s is %v, want %v", layout, m, want)
		for i := range layoutText(layout).Size() {
			c.is(fmt.Sprintf("(%s)(%d)", layout, i), fmt.Sprint(m.apply(i)))
		}
	}
}

// cosizeIsLastOffset asserts that the cosize is one more than the offset at index size-1, not at size as stated.
func cosizeIsLastOffset(c *checker) {
	const l = "(2,2,2):(2,4,1)"
	c.is("cosize("+l+")", "8")
	c.is("("+l+")(size("+l+") - 1) + 1", "8")
	c.is("("+l+")(size("+l+")) + 1", "3")
}

// matrixDimensions asserts as many rows as an offset has bits, and as many columns as an index has bits.
func matrixDimensions(c *checker) {
	m := matrixOf("(4,2):(1,16)", 5)
	c.is("size((4,2):(1,16))", "8")
	c.is("cosize((4,2):(1,16))", "20")
	c.holds(len(m) == 5 && len(m[0]) == 3, "the matrix has %d rows and %d columns, want 5 and 3", len(m), len(m[0]))
	c.holds(matrixOf("(4,2):(1,16)", 4).apply(4) != 16, "offset 16 does not fit in 4 rows")
}

func nonzeroRowsAreNotRank(c *checker) {
	m := bits{{1, 1}, {1, 1}}
	c.holds(m.nonzeroRows() == 2 && m.rank() == 1, "%d rows, rank %d, want 2 and 1", m.nonzeroRows(), m.rank())
	l := matrixOf("(2,2,2):(2,4,1)", 3)
	c.holds(l.nonzeroRows() == l.rank(), "a layout of powers of two: %d rows, rank %d", l.nonzeroRows(), l.rank())
}

// disjointImages asserts that images decide whether a concatenation is injective; both domains are {0,1}.
func disjointImages(c *checker) {
	c.is("is_injective(make_layout(2:1, 2:2))", "true")
	c.is("is_injective(make_layout(2:1, 2:1))", "false")
	c.is("size(make_layout(2:1, 2:2))", "4")
}

func concatenationIsBeside(c *checker) {
	const a, b = "(2,2):(4,1)", "2:2"
	l := ask("make_layout(" + a + ", " + b + ")").text()
	c.holds(matrixOf(l, 3).equal(matrixOf(a, 3).joined(matrixOf(b, 3))), "the matrix of %s is not [M1 M2]", l)
}

// compositionIsProduct asserts the matrix product for layouts that do not carry. 4:3 carries: L(3) is 9, not 3 xor 6.
func compositionIsProduct(c *checker) {
	for _, p := range [][2]string{{"(4,4):(4,1)", "(4,2,2):(2,1,8)"}, {"(2,2,2):(2,4,1)", "(4,2):(2,1)"}, {"(8,2):(2,1)", "(2,2,4):(8,1,2)"}} {
		r := ask(p[0] + " o " + p[1])
		c.holds(!r.isRefusal(), "%s: %s", r.expr, r.text())
		n := log2(layoutText(p[0]).Size()) // an offset of B is an index of A
		c.holds(matrixOf(r.text(), 4).equal(matrixOf(p[0], 4).times(matrixOf(p[1], n))),
			"the matrix of %s is not the product", r.expr)
	}
	c.is("(4:3)(3)", "9")
	c.holds(matrixOf("4:3", 4).apply(3) == 5, "4:3 is linear")
}

// secondColumn asserts the second column (1,0,0). With the stated column, index 2 has offset 0 and the rank is 1.
func secondColumn(c *checker) {
	matrixIs("(2,2):(2,1)", bits{{0, 1}, {1, 0}, {0, 0}})(c)
	wrong := bits{{0, 0}, {1, 0}, {0, 0}}
	c.holds(wrong.rank() == 1 && wrong.apply(2) == 0,
		"the stated matrix: rank %d, index 2 at %d", wrong.rank(), wrong.apply(2))
	c.not("((2,2):(2,1))(2)", fmt.Sprint(wrong.apply(2)))
}

// complementIsBlock asserts that L* is the column block [0; I], and that [M 0; 0 I] is (L, L*).
func complementIsBlock(c *checker) {
	const l = "(2,2):(2,1)" // a bijection onto 0..3, so M is a permutation matrix
	star := ask("complement(" + l + ", 16)").text()
	c.holds(star == "4:4", "the complement is %s", star)
	m, n := matrixOf(l, 4), matrixOf(star, 4)
	c.holds(n.equal(bits{{0, 0}, {0, 0}, {1, 0}, {0, 1}}), "the matrix of %s is %v", star, n)
	c.holds(m.joined(n).equal(diagonal(bits{{0, 1}, {1, 0}}, identity(2))), "[L L*] is %v", m.joined(n))
	c.holds(len(n[0]) != len(diagonal(m[:2], identity(2))[0]), "L* alone has as many columns as the stated matrix")
}

// complementIsSorted asserts that strides grow, and that no two neighbours merge.
func complementIsSorted(c *checker) {
	for _, p := range [][2]string{{"(2,2):(8,2)", "32"}, {"2:4", "8"}, {"(2,3):(2,4)", "24"}, {"(2,2):(32,4)", "256"}} {
		text := ask("complement(" + p[0] + ", " + p[1] + ")").text()
		m, ok := judge.ReadLayout(text)
		sorted := ok && slices.IsSortedFunc(m.Leaves(), func(a, b judge.Leaf) int { return int(a.D - b.D) })
		c.holds(sorted, "complement(%s, %s) = %s is not sorted", p[0], p[1], text)
		c.is("coalesce("+text+")", text)
	}
}

// productIsDiagonal asserts that the product with a compact first layout is the product of linear layouts.
func productIsDiagonal(c *checker) {
	for _, p := range [][2]string{{"4:1", "(2,2):(2,1)"}, {"(2,2):(2,1)", "4:1"}, {"(4,2):(2,1)", "2:1"}} {
		r := ask("logical_product(" + p[0] + ", " + p[1] + ")")
		first := log2(layoutText(p[0]).Size())
		second := log2(layoutText(p[1]).Size())
		want := diagonal(matrixOf(p[0], first), matrixOf(p[1], second))
		c.holds(matrixOf(r.text(), first+second).equal(want),
			"the matrix of %s = %s is not the block diagonal %v", r.expr, r.text(), want)
	}
}

func log2(n int64) int {
	k := 0
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}

// leftDivision asserts that a quotient exists only if the matrix is block diagonal and starts with the divisor.
func leftDivision(c *checker) {
	m1, m2 := matrixOf("(2,2):(2,1)", 2), matrixOf("4:1", 2)
	whole := matrixOf(ask("logical_product((2,2):(2,1), 4:1)").text(), 4)
	n, ok := whole.without(m1)
	c.holds(ok && n.equal(m2), "L /l L1 = %v, want %v", n, m2)
	_, ok = matrixOf("(4,4):(4,1)", 4).without(m1)
	c.holds(!ok, "(4,4):(4,1) is divided by (2,2):(2,1), which is no part of it")
}

// divideIsBlockRow asserts that for A = [A1 A2], A o (B,I) is [A1·B A2], as high as A. The stated matrix is higher.
func divideIsBlockRow(c *checker) {
	const a, b = "(4,4):(4,1)", "4:1"
	m, n := matrixOf(a, 4), matrixOf("(2,2):(2,1)", 2)
	a1, a2 := bits{}, bits{}
	for _, row := range m {
		a1, a2 = append(a1, row[:2]), append(a2, row[2:])
	}
	got := m.times(diagonal(n, identity(2)))
	c.holds(got.equal(a1.times(n).joined(a2)), "[A1 A2]·diag(B,I) is %v", got)
	c.holds(len(got) != len(diagonal(a1.times(n), a2)), "the stated matrix has the same height")
	r := ask(a + " o make_layout((2,2):(2,1), complement((2,2):(2,1), 16))")
	c.holds(matrixOf(r.text(), 4).equal(got), "the matrix of %s = %s is not %v", r.expr, r.text(), got)
	c.is("logical_divide("+a+", "+b+")", "(4,4):(4,1)")
}

// productIs asserts A x B = (A, A* o B), with A* the complement of A in size(A)·cosize(B).
func productIs(a, b string) func(c *checker) {
	return func(c *checker) {
		copies := fmt.Sprintf("complement(%[1]s, size(%[1]s)*cosize(%[2]s)) o %[2]s", a, b)
		c.is(fmt.Sprintf("equivalent(logical_product(%[1]s, %[2]s), make_layout(%[1]s, %[3]s))", a, b, copies), "true")
		c.is(fmt.Sprintf("get<0>(logical_product(%[1]s, %[2]s)) == %[1]s", a, b), "true")
	}
}

// productIsBlockRow asserts that the matrix is [A A*·B]. This matrix is block diagonal only for a compact A.
func productIsBlockRow(c *checker) {
	const a, b = "2:2", "(2,2):(1,2)"
	p := ask("logical_product(" + a + ", " + b + ")").text()
	star := ask("complement(" + a + ", 8)").text()
	row := matrixOf(a, 3).joined(matrixOf(star, 3).times(matrixOf(b, 2)))
	c.holds(matrixOf(p, 3).equal(row), "the matrix of %s is not [A A*B] = %v", p, row)
	stated := diagonal(matrixOf(a, 3), matrixOf(star, 3).times(matrixOf(b, 2)))
	c.holds(len(stated) != len(row), "the stated matrix has the same height")
	_, ok := matrixOf(p, 3).without(matrixOf(a, 2))
	c.holds(!ok, "the matrix of %s is block diagonal", p)
}

// compactProduct asserts that A* counts blocks, so that the product is the product of linear layouts.
func compactProduct(c *checker) {
	for _, a := range []string{"4:1", "(2,2):(2,1)", "(2,4):(4,1)"} {
		n := layoutText(a).Size()
		c.is(fmt.Sprintf("complement(%s, %d)", a, 8*n), fmt.Sprintf("8:%d", n))
		c.is(fmt.Sprintf("get<1>(logical_product(%s, (2,2):(2,1)))", a), fmt.Sprintf("(2,2):(%d,%d)", 2*n, n))
	}
	productIsDiagonal(c)
}
