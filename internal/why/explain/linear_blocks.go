package explain

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// This file explains matrices made of blocks: [A B], products and their divisions, and the completion of a basis, a
// part of divides and products over F2. The steps are those that f2 and linear record.

const (
	ruleCompletion = "The complement completes the columns to a basis: go through the values of single bits, 1, 2, 4, ..., and take each that is no exclusive or of columns and of values taken before. The columns and the values taken together reach every value; each once if the columns are independent."
	ruleBlocks     = "The first matrix is above left, the second below right, and the rest is 0: the inputs and outputs of the second follow the inputs and outputs of the first."
	ruleQuotient   = "A product of maps has the matrix of one map above left, the matrix of the other below right, and 0 elsewhere. "
)

// mostColumns limits the columns that a table lists.
const mostColumns = 32

// explainCompletion explains the complement of a map over bits.
func explainCompletion(op *Operation, x *Explanation) {
	m, ok := overF2(op, 0)
	r, made := op.result().matrixArg(0)
	if !ok || !made {
		return
	}
	x.Rule = ruleCompletion
	if r.Rows() != m.Rows() {
		if len(op.Args) < 2 {
			return
		}
		x.sayf("The cotarget %s has %s, so the matrix has as many rows.", op.Args[1].Text, Count(r.Rows(), "bit"))
		var err error
		if m, err = m.WithRows(r.Rows()); err != nil {
			return
		}
	}
	sayCompletion(x, m)
	x.say("The values taken are the columns of the complement:", matrixLines(r)...)
	checkCompletion(x, m, r)
}

// overF2 returns operand i as a matrix if it is a matrix or a map over bits, not a layout of integers.
func overF2(op *Operation, i int) (f2.Matrix, bool) {
	if i >= len(op.Args) {
		return f2.Matrix{}, false
	}
	switch op.Args[i].Value.(type) {
	case f2.Matrix, linear.Layout:
		return op.matrixArg(i)
	}
	return f2.Matrix{}, false
}

// sayCompletion lists which values of single bits complete the columns, and why the others do not.
func sayCompletion(x *Explanation, m f2.Matrix) {
	rank := m.Rank()
	x.sayf("%s of rank %d: as numbers the columns are %s, and %s missing.", matrixSize(m), rank, columnList(m),
		Count(m.Rows()-rank, "dimension")+" "+wasWere(m.Rows()-rank)).show(matrixLines(m)...)
	rows := [][]string{{"value", "", ""}}
	for _, t := range m.Completion() {
		row := []string{strconv.FormatUint(1<<t.Unit, 10), "taken", "no sum of columns and values before"}
		if !t.Taken {
			row[1], row[2] = "left out", unitSum(m, t)
		}
		rows = append(rows, row)
	}
	x.say("One by one:", align(rows)...)
}

func wasWere(n int) string { return map[bool]string{true: "is", false: "are"}[n == 1] }

func matrixSize(m f2.Matrix) string { return fmt.Sprintf("%d by %d", m.Rows(), m.Cols()) }

// unitSum returns the sum that makes a unit vector of columns and of unit vectors before it.
func unitSum(m f2.Matrix, t f2.Trial) string {
	var parts []string
	for _, j := range t.Columns {
		parts = append(parts, fmt.Sprintf("%d (column %d)", uint64(m.Col(j)), j))
	}
	for i := range 64 {
		if t.Units>>i&1 == 1 {
			parts = append(parts, strconv.FormatUint(1<<i, 10))
		}
	}
	return strings.Join(parts, " xor ")
}

// checkCompletion checks that the columns of r complete the columns of m to a basis.
func checkCompletion(x *Explanation, m, r f2.Matrix) {
	x.Check = fmt.Sprintf("%d + %d = %d: the rank and the values taken are the rows, and together their rank is %d.",
		m.Rank(), r.Cols(), m.Rows(), m.Rows())
	both, err := m.Beside(r)
	if err != nil || both.Rank() != m.Rows() || m.Rank()+r.Cols() != m.Rows() {
		x.refute("that the columns and the complement are a basis", "rank %d", both.Rank())
	}
}

// explainComplements explains whether two maps are complements.
func explainComplements(op *Operation, x *Explanation) {
	if len(op.Args) != 2 {
		return
	}
	x.Rule = op.Doc
	a, okA := overF2(op, 0)
	b, okB := overF2(op, 1)
	if !okA && !okB {
		complementsOfIntegers(op, x)
		return
	}
	if !okA {
		a, okA = op.matrixArg(0)
	}
	if !okB {
		b, okB = op.matrixArg(1)
	}
	if !okA || !okB {
		return
	}
	both, err := a.Beside(b)
	if err != nil {
		x.sayf("A has %d rows and B has %d: no basis has columns of both.", a.Rows(), b.Rows())
		return
	}
	x.sayf("[A B] is %s:", matrixSize(both)).show(matrixLines(both)...)
	x.sayf("Its rank is %d. A basis has %d independent columns, one for each row.", both.Rank(), both.Rows())
	if kernel, err := both.Kernel(); err == nil && len(kernel) > 0 {
		x.sayf("The columns %s add up to 0.", setBits(uint64(kernel[0])))
	}
}

// complementsOfIntegers explains whether two layouts of integers are complements: whether (A,B) is a bijection.
func complementsOfIntegers(op *Operation, x *Explanation) {
	a, okA := op.layoutArg(0)
	b, okB := op.layoutArg(1)
	if !okA || !okB {
		return
	}
	both, err := cute.MakeLayout(a, b)
	if err != nil {
		return
	}
	x.sayf("(A,B) is %v, with %s. It has to reach the offsets from 0 on, each once.", both, Count(both.Size(), "element"))
	rule := x.Rule
	bijectivity(&Operation{
		Name: "is_bijective", Args: []Operand{{Kind: "layout", Text: both.String(), Value: both}},
		Result: op.Result, Until: op.Until,
	}, x)
	x.Rule = rule
}

// explainBlocks explains the product of maps, a matrix with two blocks.
func explainBlocks(op *Operation, x *Explanation) {
	a, okA := op.matrixArg(0)
	b, okB := op.matrixArg(1)
	r, ok := op.result().matrixArg(0)
	if !okA || !okB || !ok {
		return
	}
	x.Rule = ruleBlocks
	x.sayf("A is %s:", matrixSize(a)).show(matrixLines(a)...)
	x.sayf("B is %s:", matrixSize(b)).show(matrixLines(b)...)
	x.sayf("The columns of B move down by the %s of A: its values are multiplied by %d. Together that is %s:",
		Count(a.Rows(), "row"), uint64(1)<<a.Rows(), matrixSize(r)).show(matrixLines(r)...)
	if l, isLayout := op.layoutResult(); isLayout {
		x.sayf("As layouts: the strides of B are multiplied by %d, and (A,B) is %v.", uint64(1)<<a.Rows(), l)
	}
	want, err := a.Diagonal(b)
	if err != nil || sharesDims(op) {
		return
	}
	x.checkColumns(want, r, "the first columns are A, the others are B below it")
}

// sharesDims reports whether the inputs or outputs of two maps are several: then the blocks are interleaved.
func sharesDims(op *Operation) bool {
	for _, a := range op.Args {
		if l, ok := a.Value.(linear.Layout); ok && (len(l.InDims()) > 1 || len(l.OutDims()) > 1) {
			return true
		}
	}
	return false
}

// checkColumns checks that a matrix has the wanted columns. A matrix may lack rows of zeros.
func (x *Explanation) checkColumns(want, got f2.Matrix, what string) {
	if want.Cols() != got.Cols() {
		x.refute("that "+what, "column %d", min(want.Cols(), got.Cols()))
		return
	}
	x.Check = "Column by column: " + what + "."
	for j := range want.Cols() {
		if want.Col(j) != got.Col(j) {
			x.refute("that "+what, "column %d", j)
			return
		}
	}
}

// explainBeside explains matrices side by side.
func explainBeside(op *Operation, x *Explanation) {
	var parts []f2.Matrix
	for i := range op.Args {
		m, ok := op.Args[i].Value.(f2.Matrix)
		if !ok {
			if op.Name != "make_layout" {
				explainDimensions(op, x)
			}
			return
		}
		parts = append(parts, m)
	}
	if len(parts) == 0 {
		return
	}
	x.Rule = "The matrices are side by side: their inputs follow one another, and the value is the exclusive or of the values of all."
	r, ok := op.Result.Value.(f2.Matrix)
	if !ok {
		x.sayf("The matrices have %s rows: they need as many.", rowsOf(parts))
		return
	}
	rows := [][]string{{"columns", "of", "as numbers"}}
	want := f2.Matrix{}
	for i, m := range parts {
		first := want.Cols()
		tall, err := m.WithRows(r.Rows())
		if err != nil {
			return
		}
		if i == 0 {
			want = tall
		} else if want, err = want.Beside(tall); err != nil {
			return
		}
		rows = append(rows, []string{fmt.Sprintf("%d to %d", first, want.Cols()-1), op.Args[i].Text, columnList(m)})
	}
	x.say("The columns of the result:", align(rows)...)
	x.say("The result:", matrixLines(r)...)
	x.checkColumns(want, r, "the columns of each matrix follow the ones before it")
}

func rowsOf(ms []f2.Matrix) string {
	parts := make([]string, len(ms))
	for i, m := range ms {
		parts[i] = strconv.Itoa(m.Rows())
	}
	return strings.Join(parts, " and ")
}

// explainAbove explains one matrix above another.
func explainAbove(op *Operation, x *Explanation) {
	a, okA := arg[f2.Matrix](op, 0)
	b, okB := arg[f2.Matrix](op, 1)
	if !okA || !okB {
		explainDimensions(op, x)
		return
	}
	x.Rule = "Both matrices have the same inputs, and the rows of the second follow the rows of the first: the value has the outputs of both."
	r, ok := op.Result.Value.(f2.Matrix)
	if !ok {
		x.sayf("A has %s and B %s: they need as many.", Count(a.Cols(), "column"), Count(b.Cols(), "column"))
		return
	}
	x.sayf("A is %s and B %s:", matrixSize(a), matrixSize(b)).show(matrixLines(r)...)
	if want, err := a.Above(b); err == nil {
		x.checkColumns(want, r, "each column is the column of A with the column of B below it")
	}
}

// explainProductOverF2 explains A ⊗ B, which is [A A^*B], and its second part.
func explainProductOverF2(op *Operation, x *Explanation) {
	if len(op.Args) != 2 {
		return
	}
	_, isF2 := overF2(op, 0)
	_, alsoF2 := overF2(op, 1)
	a, okA := op.matrixArg(0)
	b, okB := op.matrixArg(1)
	r, ok := op.result().matrixArg(0)
	if !isF2 && !alsoF2 {
		repeatsOfIntegers(op, x)
		return
	}
	if !okA || !okB || !ok {
		return
	}
	x.Rule = "A ⊗ B is (A, A^* o B), as a matrix [A A^*B]: A^* completes A to a basis of as many outputs as A has " +
		"inputs and B has outputs, and B counts its columns. " +
		ruleCompletion
	block, err := a.WithRows(max(a.Rows(), a.Cols()+b.Rows()))
	if err != nil {
		return
	}
	x.sayf("A has %s and B %s, so the values have %s.", Count(a.Cols(), "input"), Count(b.Rows(), "output"),
		Count(block.Rows(), "bit"))
	sayCompletion(x, block)
	free, err := f2.NewMatrix(block.Rows(), block.Complement())
	if err != nil {
		return
	}
	sayPicked(x, free, b)
	x.say("The result:", matrixLines(r)...)
	if b, err = b.WithRows(free.Cols()); err != nil {
		return
	}
	want, err := free.Mul(b)
	if op.Name != "compose_complement" && err == nil {
		want, err = block.Beside(want)
	}
	if err == nil {
		x.checkColumns(want, r, "the columns are A and what B picks of A^*")
	}
}

// repeatsOfIntegers explains A^* o B for layouts of integers: the second mode of their product.
func repeatsOfIntegers(op *Operation, x *Explanation) {
	a, okA := op.layoutArg(0)
	b, okB := op.layoutArg(1)
	if op.Name != "compose_complement" || !okA || !okB || op.Err != nil {
		return
	}
	both, err := cute.LogicalProduct(a, b)
	if err != nil {
		return
	}
	whole := *op
	whole.Name, whole.Result = "logical_product", Operand{Kind: "layout", Text: both.String(), Value: both}
	expr := x.Expr
	x.Expr = whole.Expr() // the figure shows the product
	product(&whole, x)
	x.Expr = expr
	x.sayf("A^* o B is the second mode, %s.", op.Result.Text)
}

// sayPicked lists the sums of columns of A^* that the columns of b pick.
func sayPicked(x *Explanation, free, b f2.Matrix) {
	rows := [][]string{{"column of B", "picks of A^*"}}
	for j := range min(b.Cols(), mostColumns) {
		rows = append(rows, []string{strconv.FormatUint(uint64(b.Col(j)), 10), sumText(free, uint64(b.Col(j)))})
	}
	x.say("The product A^* B, as numbers: the bits of each column of B pick columns of A^*.", align(rows)...)
}

// explainDivideOverF2 explains A ⊘ B, which is A[B B^*].
func explainDivideOverF2(op *Operation, x *Explanation) {
	_, isF2 := overF2(op, 0)
	_, alsoF2 := overF2(op, 1)
	a, okA := op.matrixArg(0)
	b, okB := op.matrixArg(1)
	r, ok := op.result().matrixArg(0)
	if !isF2 && !alsoF2 || !okA || !okB || !ok {
		return
	}
	x.Rule = "A ⊘ B is A o (B, B^*), as a matrix A[B B^*]: B^* completes the tile B to a basis of the inputs of A. " +
		ruleCompletion
	tile, err := b.WithRows(a.Cols())
	if err != nil {
		return
	}
	x.sayf("A has %s, so B has as many rows.", Count(a.Cols(), "input"))
	sayCompletion(x, tile)
	rest, err := f2.NewMatrix(tile.Rows(), tile.Complement())
	if err != nil {
		return
	}
	both, err := tile.Beside(rest)
	if err != nil {
		return
	}
	rows := [][]string{{"column of [B B^*]", "picks of A"}}
	for j := range min(both.Cols(), mostColumns) {
		rows = append(rows, []string{strconv.FormatUint(uint64(both.Col(j)), 10), sumText(a, uint64(both.Col(j)))})
	}
	x.say("The product A[B B^*], as numbers:", align(rows)...)
	x.say("The result:", matrixLines(r)...)
	if want, err := a.Mul(both); err == nil {
		x.checkColumns(want, r, "the columns are what [B B^*] picks of A")
	}
}

// explainQuotient explains which part of a map remains after division by another map.
func explainQuotient(op *Operation, x *Explanation) {
	if len(op.Args) != 2 {
		return
	}
	a, errA := asLinear(op.Args[0].Value)
	b, errB := asLinear(op.Args[1].Value)
	if errA != nil || errB != nil {
		return
	}
	x.Source = sourceLinear
	where := "the first block: the lowest bits of the inputs and outputs that both have"
	derive := linear.Layout.DivideLeftSteps
	if op.Name == "divide_right" {
		where = "the last block: the highest bits of the inputs and outputs that both have"
		derive = linear.Layout.DivideRightSteps
	}
	x.Rule = ruleQuotient + "So a map has a part exactly if it is " + where + ", with 0 to its side and below it."
	x.sayf("A leads %s to %s:", dims(a.InDims()), dims(a.OutDims())).show(matrixLines(a.Matrix())...)
	x.sayf("B leads %s to %s:", dims(b.InDims()), dims(b.OutDims())).show(matrixLines(b.Matrix())...)
	if steps, err := derive(a, b); err == nil && len(steps) > 0 {
		sayDivision(x, steps)
	}
	if is, ok := op.Result.Value.(bool); ok {
		if !is {
			x.say("The bases of A at the place of B differ from the bases of B, or other bases reach the bits of B.")
		} else if q, err := a.DivideLeft(b); err == nil {
			x.sayf("A = B times the map %s.", textOf(q))
		}
		return
	}
	r, err := asLinear(op.Result.Value)
	if err != nil {
		return
	}
	x.sayf("The rest leads %s to %s:", dims(r.InDims()), dims(r.OutDims())).show(matrixLines(r.Matrix())...)
	if p, err := rejoin(op.Name, b, r); err == nil {
		const what = "he product of B and the rest is A"
		x.confirmMatrix("T"+what+".", "that t"+what, a.Matrix(), p.Matrix())
	}
}

// sayDivision lists the steps of a division.
func sayDivision(x *Explanation, steps []linear.DivisionStep) {
	rows := [][]string{{"column of A", "value", ""}}
	for _, s := range steps[:min(len(steps), mostColumns)] {
		text := fmt.Sprintf("column %d of B", s.Divisor)
		switch {
		case s.Divisor < 0 && s.Value == s.Want:
			text = fmt.Sprintf("0 in the bits of B: %d of the rest", s.Rest)
		case s.Divisor < 0:
			text = fmt.Sprintf("has %s in the bits of B: A is no product of B and a rest", setBitsOr0(s.Value&^s.Want))
		case s.Value != s.Want:
			text = fmt.Sprintf("column %d of B is %d there: A does not have the part B", s.Divisor, s.Want)
		}
		rows = append(rows, []string{strconv.Itoa(s.Column), strconv.FormatUint(s.Value, 10), text})
	}
	x.say("Column by column:", align(rows)...)
}

// rejoin returns the product that divide_left or divide_right splits.
func rejoin(name string, b, r linear.Layout) (linear.Layout, error) {
	if name == "divide_right" {
		return r.Product(b)
	}
	return b.Product(r)
}
