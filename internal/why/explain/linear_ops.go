package explain

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// explainLinearComposition explains A o B for maps over bits.
func explainLinearComposition(op *Operation, x *Explanation) {
	if len(op.Args) != 2 {
		return
	}
	if w, ok := op.Args[1].Value.(cute.Swizzle); ok {
		layoutAfterSwizzle(op, x, w)
		return
	}
	if !overBits(op.Args[0].Value) && !overBits(op.Args[1].Value) {
		return
	}
	x.Source = sourceLinear
	x.Rule = "Both maps are linear, so the composition is: its bases are what A makes of the bases of B, the exclusive or of those columns of A that the bits of the basis pick. Its matrix is the product."
	a, errA := asLinear(op.Args[0].Value)
	b, errB := asLinear(op.Args[1].Value)
	if errA != nil || errB != nil {
		return
	}
	ma, mb := a.Matrix(), b.Matrix()
	if op.Err != nil {
		x.sayf("B has the outputs %s, and A has the inputs %s: they have to be the same.", dims(b.OutDims()), dims(a.InDims()))
		return
	}
	r, ok := op.Result.Value.(linear.Layout)
	if !ok || ma.Cols() > 64 || mb.Cols() > 64 {
		return
	}
	rows := [][]string{{"input", "B", "A of it"}}
	mr := r.Matrix()
	for j := range mb.Cols() {
		col := uint64(mb.Col(j))
		rows = append(rows, []string{strconv.FormatUint(1<<j, 10), strconv.FormatUint(col, 10), sumText(ma, col)})
	}
	x.say("Take the bases of B one by one, as flat numbers, and add the columns of A that their bits name:",
		align(rows)...)
	check := fmt.Sprintf("The product of the matrices, %d×%d times %d×%d, is the matrix of the result.",
		ma.Rows(), ma.Cols(), mb.Rows(), mb.Cols())
	if ma.Cols() != mb.Rows() { // A has inputs that B does not reach
		check = "A of each basis of B is the basis of the result."
	}
	x.confirmMatrix(check, "that the product of the matrices is the matrix of the result", mr, ma, mb)
}

// layoutAfterSwizzle explains L o Sw, in which the swizzle permutes the indices of the layout.
func layoutAfterSwizzle(op *Operation, x *Explanation, w cute.Swizzle) {
	x.Source = sourceLinear
	x.Rule = "A swizzle inside permutes the indices of the layout: L(Sw(i)). Where L is a map over bits, so is the composition: bit j of the index goes to the exclusive or of the values of the bits of Sw(2^j)."
	a, err := asLinear(op.Args[0].Value)
	if err != nil {
		x.sayf("%s is no map over bits, so there is no such matrix: %v.", op.Args[0].Text, err)
		return
	}
	m := a.Matrix()
	rows := [][]string{{"index", "swizzled", "value"}}
	for j := range m.Cols() {
		to, err := w.At(1 << j)
		if err != nil || to>>m.Cols() != 0 {
			break
		}
		rows = append(rows, []string{strconv.FormatUint(1<<j, 10), itoa(to), sumText(m, uint64(to))})
	}
	x.say("The bits of the index one by one:", align(rows)...)
	if w, ok := resultSwizzle(op); ok {
		x.sayf("These values belong to a layout followed by a swizzle of its offsets, %v: %s.", w, op.Result.Text)
	}
	if r, err := asLinear(op.Result.Value); err == nil {
		good, n := 0, m.Cols()
		for j := range n {
			to, err := w.At(1 << j)
			if err != nil {
				return
			}
			p, err := m.Apply(f2.Vector(to))
			if err != nil {
				continue // the swizzle maps to a column outside of the matrix
			}
			if good++; r.Matrix().Col(j) != p {
				x.refute("R(i) = L(Sw(i))", "index %d", 1<<j)
				return
			}
		}
		x.Check = fmt.Sprintf("The result agrees at %d of %s of the index.", good, Count(n, "bit"))
	}
}

func dims(ds []linear.Dim) string {
	parts := make([]string, len(ds))
	for i, d := range ds {
		parts[i] = fmt.Sprintf("%s:%d", d.Name, d.Size)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// explainLinearInverse explains the inverses of a map over bits.
func explainLinearInverse(op *Operation, x *Explanation) {
	if len(op.Args) == 0 || !overBits(op.Args[0].Value) {
		return
	}
	l, err := asLinear(op.Args[0].Value)
	if err != nil {
		return
	}
	x.Source = sourceLinear
	m := l.Matrix()
	switch op.Name {
	case "inverse":
		x.Rule = "The inverse leads from each output back to its input. It exists exactly if the matrix is square and of full rank."
	case "left_inverse":
		x.Rule = "A left inverse R has R(L(i)) = i. It exists exactly if the bases are independent, so that no two inputs meet."
	default:
		x.Rule = "A right inverse R has L(R(y)) = y for every output y that is reached, and takes the smallest input."
	}
	x.sayf("The matrix has %d rows and %d columns, and the rank %d.", m.Rows(), m.Cols(), m.Rank()).
		show(strings.Split(m.String(), "\n")...)
	if op.Err != nil {
		notInvertible(x, m)
		return
	}
	r, err := asLinear(op.Result.Value)
	if err != nil {
		return
	}
	sayPreimages(op, x, m, r.Matrix())
}

// notInvertible explains why the map of a matrix has no inverse: two inputs have equal values, or some outputs have no
// input.
func notInvertible(x *Explanation, m f2.Matrix) {
	if x.Failure.Coord == "()" { // the witness is a value, not an input
		x.Failure.Index, x.Failure.Coord = -1, ""
	}
	rank := m.Rank()
	if kernel, err := m.Kernel(); err == nil && len(kernel) > 0 {
		k := uint64(kernel[0])
		x.sayf("The columns of the bits %s add up to 0: the inputs 0 and %d have the same value, so nothing can tell "+
			"them apart.", setBits(k), k)
	} else if rank < m.Rows() {
		x.sayf("Only 2^%d = %d of the 2^%d = %d outputs are reached.", rank, int64(1)<<rank, m.Rows(), int64(1)<<m.Rows())
	}
}

// sayPreimages lists the input for each bit of the output, from the inverse mr of the map m, and checks the definition.
func sayPreimages(op *Operation, x *Explanation, m, mr f2.Matrix) {
	rows := [][]string{{"output", "comes from", "since"}}
	good := 0
	for j := range mr.Cols() {
		col := uint64(mr.Col(j))
		sum, err := m.Apply(mr.Col(j))
		if err != nil {
			break
		}
		if uint64(sum) == 1<<j {
			good++
		}
		rows = append(rows, []string{strconv.FormatUint(1<<j, 10), strconv.FormatUint(col, 10), sumText(m, col)})
	}
	x.say("For each bit of the output, the input whose columns add up to it (elimination finds it):", align(rows)...)
	check := fmt.Sprintf("L(R(y)) = y for %d of %s of the output.", good, Count(mr.Cols(), "bit"))
	what, inner, outer := "L(R(y)) = y", mr, m
	if op.Name == "left_inverse" {
		what, inner, outer = "R(L(i)) = i", m, mr
	}
	if id, err := f2.Identity(inner.Cols()); err == nil {
		x.confirmMatrix(check, what, id, outer, inner)
	}
}

// explainLinearRank explains the rank of a map over bits, and what follows from the rank.
func explainLinearRank(op *Operation, x *Explanation) {
	if len(op.Args) == 0 || !overBits(op.Args[0].Value) {
		return
	}
	if _, isXor := op.Args[0].Value.(linear.XorLayout); isXor && op.Name == "rank" {
		return // the question is about the rank of the shape
	}
	l, err := asLinear(op.Args[0].Value)
	if err != nil {
		return
	}
	x.Source = sourceLinear
	x.Rule = "The rank is the number of independent bases. If it is the number of bits of the input, no two inputs meet; if it is the number of bits of the output, every output is reached."
	m := l.Matrix()
	_, pivots := m.RREF()
	rows := [][]string{{"flat input", "value", ""}}
	for j := range m.Cols() {
		text := "sum of columns before it"
		if m.Col(j) == 0 {
			text = "0: this bit changes nothing"
		}
		for _, p := range pivots {
			if p == j {
				text = "new"
			}
		}
		rows = append(rows, []string{strconv.FormatUint(1<<j, 10), strconv.FormatUint(uint64(m.Col(j)), 10), text})
	}
	if m.Cols() <= 62 {
		x.say("Go through the columns and count those that are no sum of the ones before:", align(rows)...)
	}
	sayKernel(x, l)
}

// explainLinearAt explains the value of a map over bits at a coordinate.
func explainLinearAt(op *Operation, x *Explanation) {
	if len(op.Args) != 2 || !overBits(op.Args[0].Value) {
		return
	}
	l, err := asLinear(op.Args[0].Value)
	at, ok := op.integerArg(1)
	if err != nil || !ok || at < 0 || len(l.InDims()) != 1 {
		return
	}
	x.Rule, x.Source = ruleLinear, sourceLinear
	m := l.Matrix()
	flat, err := l.Flat(uint64(at))
	if err != nil {
		return
	}
	x.sayf("%d has the bits %s. The exclusive or of their bases is %s = %d.",
		at, setBitsOr(uint64(at)), columnsText(m, uint64(at)), flat)
}

func setBitsOr(v uint64) string {
	if v == 0 {
		return "none"
	}
	return setBits(v)
}

// explainInvertAndCompose explains the map from each input of one map to an input of another map with the same output.
func explainInvertAndCompose(op *Operation, x *Explanation) {
	if len(op.Args) != 2 {
		return
	}
	a, errA := asLinear(op.Args[0].Value)
	b, errB := asLinear(op.Args[1].Value)
	if errA != nil || errB != nil {
		return
	}
	x.Source = sourceLinear
	x.Rule = "C leads from an input of A to the input of B that has the same value: B(C(i)) = A(i). It exists if B reaches every value of A; of several inputs it takes the smallest."
	r, ok := op.Result.Value.(linear.Layout)
	if !ok {
		if !b.IsSurjective() {
			x.sayf("B has the rank %d and reaches 2^%d of 2^%d values.", b.Rank(), b.Rank(), b.OutBits())
		}
		return
	}
	ma, mb, mr := a.Matrix(), b.Matrix(), r.Matrix()
	rows := [][]string{{"input of A", "value", "input of B", "since"}}
	for j := range min(ma.Cols(), mr.Cols()) {
		rows = append(rows, []string{
			strconv.FormatUint(1<<j, 10), strconv.FormatUint(uint64(ma.Col(j)), 10),
			strconv.FormatUint(uint64(mr.Col(j)), 10), sumText(mb, uint64(mr.Col(j))),
		})
	}
	x.say("For each bit of the input of A, the bits of B whose columns add up to its value:", align(rows)...)
	if a.IsLinear() && b.IsLinear() && r.IsLinear() {
		n := ma.Cols()
		x.confirmMatrix(fmt.Sprintf("B(C(i)) = A(i) for %d of %s of the input.", n, Count(n, "bit")),
			"B(C(i)) = A(i)", ma, mb, mr)
	}
}

// explainToLayout explains how bases become strides or a swizzle, or why that is impossible.
func explainToLayout(op *Operation, x *Explanation) {
	if len(op.Args) == 0 || sayKeptSize(op, x) {
		return
	}
	l, err := asLinear(op.Args[0].Value)
	if err != nil {
		return
	}
	x.Source = sourceLinear
	x.Rule = "A layout adds its values, a linear map takes their exclusive or. Both are the same where no two bases share a bit: each basis then is a stride, and bases that double are one mode. A swizzle outside can remove bits that are shared."
	m := l.Matrix()
	x.say("The bases, as flat numbers:", basisLines(l)...)
	_, _, carries := l.ToLayout()
	if e, ok := errors.AsType[*cute.Error](carries); ok && e.Witness != nil {
		at := uint64(e.Witness.Index) // the two input bits whose bases share a bit
		i, j := bits.TrailingZeros64(at), bits.Len64(at)-1
		p, q := uint64(m.Col(i)), uint64(m.Col(j))
		x.sayf("The bases of the inputs %d and %d share %s: %d xor %d = %d, and the sum is %d. No layout of strides alone is the map.",
			int64(1)<<i, int64(1)<<j, setBitsOr0(p&q), p, q, p^q, p+q)
	} else {
		x.say("No two bases share a bit, so sums carry nothing and every basis is a stride.")
	}
	switch r := op.Result.Value.(type) {
	case cute.Layout:
		x.sayf("Bases that double go together: %v.", r)
	case cute.Composed:
		if w, ok := r.Outer().(cute.Swizzle); ok && carries != nil {
			x.sayf("%v takes the shared bits away: what is left is %v.", w, r.Layout()).
				show(append(diagram(w, max(swizzleBits(w), 1)), unswizzledBases(m, w)...)...)
		}
	}
	if op.Err != nil {
		if xor, err := l.ToXor(); err == nil {
			x.instead("As a layout with F2 strides, which every linear map is:", "to_xor("+op.Args[0].Text+")", xor.String())
		}
	}
}

// unswizzledBases lists the bases after undoing a swizzle.
func unswizzledBases(m f2.Matrix, w cute.Swizzle) []string {
	rows := [][]string{{"input", "basis", "without the swizzle"}}
	for k, basis := range m.Columns() {
		v, err := w.At(int64(basis))
		if err != nil {
			return nil
		}
		rows = append(rows, []string{strconv.FormatUint(1<<k, 10), strconv.FormatUint(uint64(basis), 10), itoa(v)})
	}
	return align(rows)
}

// sayKeptSize explains a conversion that keeps a size that is not a power of two, and reports whether op is such a
// conversion.
func sayKeptSize(op *Operation, x *Explanation) bool {
	sized, ok := op.Result.Value.(interface{ Size() int64 })
	if !ok || op.Err != nil || sized.Size()&(sized.Size()-1) == 0 {
		return false
	}
	x.Source = sourceLinear
	x.Rule = "A map over bits has as many inputs as a power of two. A layout of another size is compared value by value, and keeps its size where the other kind of strides has the same values."
	x.sayf("%s has %s, no power of two, and %v has the same values at the same indices.",
		op.Args[0].Text, Count(sized.Size(), "element"), op.Result.Value)
	return true
}

// explainToXor explains F2 strides.
func explainToXor(op *Operation, x *Explanation) {
	if len(op.Args) == 0 || sayKeptSize(op, x) {
		return
	}
	l, err := asLinear(op.Args[0].Value)
	if err != nil {
		return
	}
	x.Source = "Cecka, CuTe Layout Representation and Algebra, arXiv 2603.02298"
	x.Rule = "An F2 stride is multiplied without carries: i times F2(d) is the exclusive or of d shifted by the bits of i. Bases that double, as bits, are one mode."
	x.say("The bases, as flat numbers:", basisLines(l)...)
	if r, ok := op.Result.Value.(linear.XorLayout); ok {
		x.sayf("Bases that are the one before shifted by one go together: %v.", r)
	}
}
