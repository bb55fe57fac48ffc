package explain

import (
	"fmt"
	"strconv"
	"strings"

	"girih/f2"
	"girih/linear"
)

// matrixExplainers explains operations on matrices over F2, and on the dimensions of maps over bits.
func matrixExplainers() map[string]explainer {
	t := map[string]explainer{
		"matrix":         explainMatrix,
		"composition":    explainMatrixProduct,
		"inverse":        explainMatrixInverse,
		"rank":           explainMatrixRank,
		"echelon":        explainEchelon,
		"kernel":         explainKernel,
		"solve":          explainSolve,
		"transpose":      explainTranspose,
		"block_diag":     explainBlocks,
		"direct_product": explainBlocks,
		"complement":     explainCompletion,
		"is_complement":  explainComplements,
		"make_layout":    explainBeside,
		"concat_ins":     explainBeside,
		"concat_outs":    explainAbove,

		"logical_product":    explainProductOverF2,
		"compose_complement": explainProductOverF2,
		"logical_divide":     explainDivideOverF2,

		"divide_left":     explainQuotient,
		"divide_right":    explainQuotient,
		"has_part":        explainQuotient,
		"num_consecutive": explainConsecutive,
	}
	for name := range dimensionRules {
		if t[name] == nil {
			t[name] = explainDimensions
		}
	}
	return t
}

// dimensionRules describe how bases change if only their dimensions change.
var dimensionRules = map[string]string{
	"concat_ins":     "The inputs of both maps are side by side, and the value is the exclusive or of both values: the columns of the second matrix follow the columns of the first.",
	"concat_outs":    "Both maps have the same inputs, and the value has the outputs of both: the rows of the second matrix follow the rows of the first.",
	"flatten_ins":    "The inputs become one number, the first dimension lowest. The bases stay in their order.",
	"flatten_outs":   "The outputs become one number, the first dimension lowest: a value (x,y) becomes x + y times the size of the first.",
	"reshape_ins":    "The flat number of the input is cut into dimensions of these sizes, the first one lowest. The bases stay in their order.",
	"reshape_outs":   "The flat number of the output is cut into dimensions of these sizes, the first one lowest.",
	"transpose_ins":  "The inputs are in another order. The bases move with their dimensions, and the flat number of an input changes.",
	"transpose_outs": "The outputs are in another order. The coordinates move with their dimensions, and the flat number of a value changes.",
	"rename_in":      "An input has another name, and nothing else changes.",
	"rename_out":     "An output has another name, and nothing else changes.",
	"sublayout":      "Only these inputs are kept, the others are 0; and only these coordinates of the values are kept.",
	"quotient":       "A dimension that is mapped to itself and to nothing else, and that nothing else is mapped to, can be left out: its rows and columns are a block of their own.",
}

// explainDimensions shows the bases before and after the operation.
func explainDimensions(op *Operation, x *Explanation) {
	x.Source = sourceLinear
	x.Rule = dimensionRules[op.Name]
	n := 0
	for i, a := range op.Args {
		l, ok := a.Value.(linear.Layout)
		if !ok {
			continue
		}
		n++
		which := "The map"
		if len(op.Args) > 1 && i == 1 {
			which = "The second map"
		}
		x.sayf("%s leads %s to %s:", which, dims(l.InDims()), dims(l.OutDims())).show(basisLines(l)...)
	}
	if r, ok := op.Result.Value.(linear.Layout); ok && n > 0 {
		x.sayf("The result leads %s to %s:", dims(r.InDims()), dims(r.OutDims())).show(basisLines(r)...)
	}
}

// matrixArg returns operand i as a matrix.
func (op *Operation) matrixArg(i int) (f2.Matrix, bool) {
	if i >= len(op.Args) {
		return f2.Matrix{}, false
	}
	if m, ok := op.Args[i].Value.(f2.Matrix); ok {
		return m, true
	}
	l, err := asLinear(op.Args[i].Value)
	if err != nil {
		return f2.Matrix{}, false
	}
	return l.Matrix(), true
}

func matrixLines(m f2.Matrix) []string { return strings.Split(m.String(), "\n") }

// explainMatrix explains the matrix of a map over bits.
func explainMatrix(op *Operation, x *Explanation) {
	x.Source = sourceLinear
	x.Rule = "Column j of the matrix is the value of bit j of the input, row i is bit i of the value, the lowest bits first. The value of an index is the sum, without carries, of the columns of its bits."
	m, ok := op.Result.Value.(f2.Matrix)
	if !ok {
		return
	}
	rows := [][]string{{"column", "value of the input", "bits"}}
	for j := range min(m.Cols(), 32) {
		rows = append(rows,
			[]string{strconv.Itoa(j), fmt.Sprintf("%d -> %d", uint64(1)<<j, uint64(m.Col(j))), setBitsOr(uint64(m.Col(j)))})
	}
	x.say("The columns:", align(rows)...).Figure = &Figure{Kind: "matrix", Expr: op.Result.Text, Caption: "the matrix over F2"}
	x.sayf("%d by %d, of rank %d:", m.Rows(), m.Cols(), m.Rank()).show(matrixLines(m)...)
}

// explainMatrixProduct explains the product of two matrices.
func explainMatrixProduct(op *Operation, x *Explanation) {
	if len(op.Args) != 2 {
		return
	}
	a, okA := op.Args[0].Value.(f2.Matrix)
	b, okB := op.Args[1].Value.(f2.Matrix)
	if !okA || !okB {
		return
	}
	x.Rule = "The product applies the right matrix first. Its column j is the sum of the columns of the left one that the bits of column j of the right one pick."
	r, ok := op.Result.Value.(f2.Matrix)
	if !ok {
		x.sayf("The left matrix has %d columns and the right one %d rows: these have to be as many.", a.Cols(), b.Rows())
		return
	}
	rows := [][]string{{"column", "of the right one", "sum of columns of the left one"}}
	for j := range min(b.Cols(), 32) {
		rows = append(rows, []string{strconv.Itoa(j), strconv.FormatUint(uint64(b.Col(j)), 10), sumText(a, uint64(b.Col(j)))})
	}
	x.say("Column by column, as numbers:", align(rows)...)
	x.say("The product:", matrixLines(r)...)
}

// eliminationLines describes the elimination in each column of a small matrix.
func eliminationLines(m f2.Matrix, steps []f2.Elimination) []string {
	if m.Rows() > 12 || m.Cols() > 24 {
		return nil
	}
	var out []string
	pivot := 0
	for _, s := range steps {
		if s.Pivot < 0 {
			out = append(out, fmt.Sprintf("column %d: no row from %d on has a 1: no pivot", s.Column, pivot))
			continue
		}
		text := fmt.Sprintf("column %d: pivot in row %d", s.Column, s.Pivot)
		if s.From != s.Pivot {
			text += fmt.Sprintf(", after rows %d and %d change places", s.Pivot, s.From)
		}
		if s.Added != 0 {
			text += fmt.Sprintf("; row %d is added to %s", s.Pivot, strings.ReplaceAll(setBits(uint64(s.Added)), " + ", ", "))
		}
		out = append(out, text)
		pivot++
	}
	return out
}

const ruleEchelon = "Elimination: in each column take a row that has a 1 there and is not a pivot row yet, and add it to all other rows that have a 1 there. The result is the reduced row echelon form; the columns with a pivot are independent, and every other column is a sum of earlier ones."

// explainEchelon explains elimination.
func explainEchelon(op *Operation, x *Explanation) {
	m, ok := op.matrixArg(0)
	if !ok {
		return
	}
	x.Rule = ruleEchelon
	x.sayf("The matrix, %d by %d:", m.Rows(), m.Cols()).show(matrixLines(m)...)
	r, pivots, steps := m.Eliminate()
	if lines := eliminationLines(m, steps); len(lines) > 0 {
		x.say("Column by column, rows counted from 0:", lines...)
	}
	x.sayf("The result has pivots in the columns %v, so the rank is %d:", pivots, len(pivots)).show(matrixLines(r)...)
}

// explainMatrixRank explains the rank of a matrix.
func explainMatrixRank(op *Operation, x *Explanation) {
	if len(op.Args) == 0 {
		return
	}
	if _, ok := op.Args[0].Value.(f2.Matrix); ok {
		explainEchelon(op, x)
	}
}

// explainMatrixInverse explains the inverse of a matrix.
func explainMatrixInverse(op *Operation, x *Explanation) {
	if len(op.Args) == 0 {
		return
	}
	m, ok := op.Args[0].Value.(f2.Matrix)
	if !ok {
		return
	}
	x.Rule = "The inverse exists exactly if the matrix is square and of full rank. Its column j is the input whose columns add up to the unit vector j."
	x.sayf("The matrix is %d by %d and has the rank %d.", m.Rows(), m.Cols(), m.Rank()).show(matrixLines(m)...)
	r, ok := op.Result.Value.(f2.Matrix)
	if !ok {
		if kernel, err := m.Kernel(); err == nil && len(kernel) > 0 {
			x.sayf("The columns %s add up to 0, so the inputs 0 and %d have the same value.",
				setBits(uint64(kernel[0])), uint64(kernel[0]))
		}
		return
	}
	_, _, steps := m.Eliminate()
	if lines := eliminationLines(m, steps); len(lines) > 0 {
		x.say("Elimination makes it the identity, and the same steps make the identity the inverse:", lines...)
	}
	x.say("The inverse:", matrixLines(r)...)
	id, err := f2.Identity(m.Rows())
	if err != nil {
		return
	}
	x.confirmMatrix("The product of the two is the identity.", "that the product of the two is the identity", id, m, r)
}

// confirmMatrix records a check if the product of the factors has the wanted columns. Otherwise it names the first
// column that differs.
func (x *Explanation) confirmMatrix(check, what string, want f2.Matrix, factors ...f2.Matrix) {
	x.Check = check
	inner := factors[len(factors)-1]
	for j := range want.Cols() {
		v, err := inner.Col(j), error(nil)
		for i := len(factors) - 2; i >= 0 && err == nil; i-- {
			v, err = factors[i].Apply(v)
		}
		if err != nil || v != want.Col(j) {
			x.refute(what, "column %d", j)
			return
		}
	}
}

// explainKernel explains which inputs are mapped to 0.
func explainKernel(op *Operation, x *Explanation) {
	m, ok := op.matrixArg(0)
	if !ok {
		return
	}
	x.Rule = "Each column without a pivot is a sum of pivot columns before it. The column together with these adds up to 0, and all such sums are a basis of the inputs that are mapped to 0."
	x.sayf("The matrix, %d by %d:", m.Rows(), m.Cols()).show(matrixLines(m)...)
	r, pivots := m.RREF()
	x.sayf("Its reduced row echelon form has pivots in the columns %v:", pivots).show(matrixLines(r)...)
	kernel, err := m.Kernel()
	if err != nil {
		return
	}
	if len(kernel) == 0 {
		x.say("Every column has a pivot: only 0 is mapped to 0.")
		return
	}
	var lines []string
	for _, k := range kernel {
		lines = append(lines, fmt.Sprintf("%d: columns %s, %s", uint64(k), setBits(uint64(k)), sumText(m, uint64(k))))
	}
	x.sayf("The other columns give %s:", Count(len(kernel), "vector")).show(lines...)
	x.Check = fmt.Sprintf("%d + %d = %d columns.", len(pivots), len(kernel), m.Cols())
}

// explainSolve explains the solution of m x = b.
func explainSolve(op *Operation, x *Explanation) {
	m, ok := op.matrixArg(0)
	b, isInt := op.integerArg(1)
	if !ok || !isInt || b < 0 {
		return
	}
	x.Rule = "m x = b asks which columns of m add up to b. Elimination finds the only ones among the pivot columns; a b that is no sum of columns has no x."
	x.sayf("The columns as numbers are %s, and b = %d has the bits %s.", columnList(m), b, setBitsOr(uint64(b))).
		show(matrixLines(m)...)
	s, err := m.Solve(f2.Vector(b))
	if r, ok := op.integerResult(); ok {
		s = f2.Vector(r)
	}
	if err != nil {
		left := m.Image().Reduce(f2.Vector(b))
		x.sayf("Whatever columns are added to b, at least %d is left, the bits %s: b is not in the span of the columns.",
			uint64(left), setBits(uint64(left)))
		if near := uint64(b) ^ uint64(left); near != uint64(b) {
			x.instead("The nearest value that has a solution in this sense:",
				fmt.Sprintf("solve(%s, %d)", op.Args[0].Text, near), "")
		}
		return
	}
	x.sayf("x = %d: the columns %s, %s.", uint64(s), setBitsOr(uint64(s)), sumText(m, uint64(s)))
	x.Check = fmt.Sprintf("m x = %d.", b)
	if at, err := m.Apply(s); err != nil || at != f2.Vector(b) {
		x.refute("m x = b", "x = %d", uint64(s))
	}
}

func columnList(m f2.Matrix) string {
	var parts []string
	for j := range min(m.Cols(), 32) {
		parts = append(parts, strconv.FormatUint(uint64(m.Col(j)), 10))
	}
	return strings.Join(parts, " ")
}

// explainTranspose explains the transposed matrix.
func explainTranspose(op *Operation, x *Explanation) {
	m, ok := op.matrixArg(0)
	r, isMatrix := op.Result.Value.(f2.Matrix)
	if !ok || !isMatrix {
		return
	}
	x.Rule = "Rows become columns: entry (i,j) of the result is entry (j,i) of the matrix."
	x.sayf("From %d by %d:", m.Rows(), m.Cols()).show(matrixLines(m)...)
	x.sayf("to %d by %d:", r.Rows(), r.Cols()).show(matrixLines(r)...)
}

// explainConsecutive explains the width of the runs that a map preserves.
func explainConsecutive(op *Operation, x *Explanation) {
	if len(op.Args) == 0 {
		return
	}
	l, err := asLinear(op.Args[0].Value)
	if err != nil {
		return
	}
	x.Source = sourceLinear
	x.Rule = "2^k consecutive inputs have consecutive outputs exactly if the first k bases are 1, 2, 4, ... and no other basis has one of these bits."
	m := l.Matrix()
	n, ok := op.integerResult()
	if !ok {
		return
	}
	k := 0
	for int64(1)<<k < n {
		k++
	}
	var rows [][]string
	for j := range min(m.Cols(), 16) {
		text := ""
		switch v := uint64(m.Col(j)); {
		case j < k:
			text = "counts on"
		case j == k && v != 1<<k:
			text = fmt.Sprintf("is not %d: the run ends", uint64(1)<<k)
		case v>>k&1 == 1 && j != k:
			text = fmt.Sprintf("has bit %d too, so that %d does not always lead on by %d", k, int64(1)<<k, int64(1)<<k)
		}
		rows = append(rows, []string{fmt.Sprintf("basis %d", j), strconv.FormatUint(uint64(m.Col(j)), 10), text})
	}
	x.sayf("The first %d of the bases count on, so runs have 2^%d = %d elements.", k, k, n).show(align(rows)...)
}

// integerResult returns the result as an integer.
func (op *Operation) integerResult() (int64, bool) { return op.result().integerArg(0) }
