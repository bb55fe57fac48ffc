package eval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The tests of this file evaluate the notation of texts on linear layouts. Values in tables are computed by hand or by
// the definitions; the properties compare with matrices whose entries are added and multiplied here.

// TestSeedNotation evaluates a page of formulas, with the values that they have.
func TestSeedNotation(t *testing.T) {
	t.Parallel()
	const (
		page = "let L = (2,2,2):(2,4,1); let L1 = 2:4; let L2 = (2,2):(2,1); let M1 = [1 1; 0 1]; let M2 = [0;1]; "
		unit = "matrix{rows=[[1,0],[0,1]]}"
	)
	for formula, want := range map[string]string{
		`matrix(L) = \begin{bmatrix}0 & 0 & 1 \\ 1 & 0 & 0 \\ 0 & 1 & 0\end{bmatrix}`: "true",
		`matrix(L1) = \begin{bmatrix} 0 \\ 0 \\ 1\end{bmatrix}`:                       "true",
		// The text says [0 0; 1 0; 0 0], which has rank 1.
		`matrix(L2) = \begin{bmatrix} 0 & 0 \\ 1 & 0 \\ 0 & 0 \end{bmatrix}`: "false",
		`matrix(L2) = \begin{bmatrix} 0 & 1 \\ 1 & 0 \end{bmatrix}`:          "true",
		`rank([[1,1],[1,1]])`:                    "1",
		`L1 = L2^*`:                              "true",
		`L2 = L1^*`:                              "true",
		`L1 = L1^*`:                              "false",
		`complement(L2, 8)`:                      "2:4",
		`complement(L1, 8)`:                      "4:1",
		`[M1 M1]`:                                "matrix{rows=[[1,1,1,1],[0,1,0,1]]}",
		`[L1 L2]`:                                "(2,(2,2)):(4,(2,1))",
		`\begin{bmatrix}M_1&\\&M_2\end{bmatrix}`: "",
		`\begin{bmatrix}M1&\\&M2\end{bmatrix}`:   "matrix{rows=[[1,1,0],[0,1,0],[0,0,0],[0,0,1]]}",
		`M1 × M2`:                                "matrix{rows=[[1,1,0],[0,1,0],[0,0,0],[0,0,1]]}",
		`(M1 × M2) /_l M1 = M2`:                  "true",
		`(M1 × M2) /_l M2`:                       "",
		`L1 × L2`:                                "(2,(2,2)):(4,(16,8))",
		`(L1 × L2) /_l L1 = L2`:                  "true",
		`M1 ∘ M1`:                                unit,
		`M1 M1`:                                  "",
		`M1^{-1} = M1`:                           "true",
		`M1^T`:                                   "matrix{rows=[[1,0],[1,1]]}",
		`24:1 ⊘ 4:2 = 24:1 ∘ (4:2, 4:2^*)`:       "true",
		`4:2 ⊗ 6:1 = (4:2, 4:2^* ∘ 6:1)`:         "true",
		`4:1 ⊗ 2:1 = 4:1 × 2:1`:                  "true",
		`4:2 ⊗ 2:1 = 4:2 × 2:1`:                  "false",
		`M1 ∘ (M2, M2^*)`:                        "matrix{rows=[[1,1],[1,0]]}",
		`(M2, M2^* ∘ M1)`:                        "matrix{rows=[[0,1,1],[1,0,0],[0,0,1]]}",
		`[M1 0; 0 M2]`:                           "matrix{rows=[[1,1,0],[0,1,0],[0,0,0],[0,0,1]]}",
		`[M1 I]`:                                 "matrix{rows=[[1,1,1,0],[0,1,0,1]]}",
		`[M1 I; I 0]`:                            "matrix{rows=[[1,1,1,0],[0,1,0,1],[1,0,0,0],[0,1,0,0]]}",
		`[M1 1]`:                                 "matrix{rows=[[1,1,1,0],[0,1,0,1]]}",
		`[M1; 1 1]`:                              "matrix{rows=[[1,1],[0,1],[1,1]]}",
		`[M1 0; 0 I]`:                            "",
		`[M1 M2 [1 1]]`:                          "",
		`[2 1]`:                                  "",
		`to_layout(matrix(L), (2,2,2))`:          "(2,2,2):(2,4,1)",
		`to_layout(matrix(L), (2,4))`:            "(2,(2,2)):(2,(4,1))",
		`to_layout(matrix(L), (8,2))`:            "",
		`to_layout([1 0; 1 1], (2,2))`:           "Sw<1,0,-1> o 0 o (2,2):(1,2)",
		`complement([0;0;1], 32)`:                "matrix{rows=[[1,0,0,0],[0,1,0,0],[0,0,0,0],[0,0,1,0],[0,0,0,1]]}",
		`complement(linear(8:1), 32)`:            "linear{index=[[8],[16]], out=[offset:32]}",
		`complement(linear(8:1), 24)`:            "",
		`complement(linear{a=[[1,0]], out=[x:2,y:4]}, 8)`:  "linear{a=[[0,1],[0,2]], out=[x:2,y:4]}",
		`complement(linear{a=[[1,0]], out=[x:2,y:4]}, 16)`: "",
		`concat_ins(M1, M2)`:                               "matrix{rows=[[1,1,0],[0,1,1]]}",
		`concat_ins(M1, [1])`:                              "",
		`concat_ins(M1, [1 1])`:                            "",
		`concat_outs(M1, [1 1])`:                           "matrix{rows=[[1,1],[0,1],[1,1]]}",
		`idx2crd({0,1,8,9}, (4,4))`:                        "{(0,0),(1,0),(0,2),(1,2)}",
		`idx2crd(image((2,2):(1,8)), (4,4))`:               "{(0,0),(1,0),(0,2),(1,2)}",
		`recognize({0,2,4,1,3,5})`:                         "(3,2):(2,1)",
		`recognize(image(4:2))`:                            "4:2",
		`max(3,4) - min(3,4)`:                              "1",
		`max(M,4)`:                                         "M-min(M,4)+4",
		`max(M{>=8},4)`:                                    "M",
	} {
		rs, err := new(eval.Env).Eval(page + formula)
		switch {
		case err != nil && want != "":
			t.Errorf("%s: %v", formula, err)
		case err == nil && rs[len(rs)-1].Value.String() != want:
			t.Errorf("%s is %v, want %q", formula, rs[len(rs)-1].Value, want)
		}
	}
}

// TestBrackets checks which reading rows of ones in brackets have, and that a note or the hint of an error gives the
// other one.
func TestBrackets(t *testing.T) {
	t.Parallel()
	const (
		ones   = "matrix{rows=[[1,1],[1,1]]}"
		zeros  = "matrix{rows=[[0,0],[0,0]]}"
		square = "<<1:1,1:1>,<1:1,1:1>>"
	)
	for _, tt := range []struct{ program, want, note string }{
		{"rank(B)", "1", "as a matrix"},
		{"[[0,1],[1,0]] * B", ones, "as a matrix"},
		{"B * [[0,1],[1,0]]", ones, "as a matrix"},
		{"B + B", zeros, "as a matrix"},
		{"B o B", zeros, "as a matrix"},
		{"linear(4:1) o B", "linear{index=[[3],[3]], out=[offset:4]}", "as a matrix"},
		{"B o linear(4:1)", "linear{index=[[3],[3]], out=[offset:4]}", "as a matrix"},
		{"B == " + ones, "true", "as a matrix"},
		{ones + " == B", "true", "as a matrix"},
		{"B == <<1,1>,<1,1>>", "true", "as the tiler"},
		{"B(1)", "3", "as a matrix"},
		{"equivalent(B, " + ones + ")", "true", "as a matrix"},
		{"nullspace(B)", "{3}", "as a matrix"},
		{"size(B)", "(2,2)", "as a matrix"},
		{"complement(B)", "matrix{rows=[[1],[0]]}", "as a matrix"},
		{"make_layout(B, [1;0])", "matrix{rows=[[1,1,1],[1,1,0]]}", "as a matrix"},
		{"linear(B)", "linear{index=[[3],[3]], out=[offset:4]}", ""},
		{"kernel(B)", "{3}", ""},
		{"solve(B, 3)", "1", ""},
		{"transpose(B)", ones, ""},
		{"echelon(B)", "matrix{rows=[[1,1],[0,0]]}", "pivot"},
		{"block_diag(B, [1;])", "matrix{rows=[[1,1,0],[1,1,0],[0,0,1]]}", ""},
		{"to_xor(B)", "(2,2):(F2(3),F2(3))", ""},
		{"is_injective(B)", "false", "as a matrix"},
		{"B", square, "as the tiler"},
		{"logical_divide(((4,4),(4,4)):((1,4),(16,64)), B)", "(((1,4),(1,4)),((1,4),(1,4))):(((0,1),(0,4)),((0,16),(0,64)))", "as the tiler"},
		{"<B,_>", "<" + square + ",_>", ""},
	} {
		for _, program := range []string{
			strings.ReplaceAll(tt.program, "B", "[[1,1],[1,1]]"), "let B = [[1,1],[1,1]]; " + tt.program,
		} {
			rs, err := new(eval.Env).Eval(program)
			if err != nil {
				t.Errorf("%s: %v", program, err)
				continue
			}
			r := rs[len(rs)-1]
			if notes := strings.Join(r.Notes, "\n"); r.Value.String() != tt.want || !strings.Contains(notes, tt.note) ||
				tt.note == "" && notes != "" {
				t.Errorf("%s is %v, want %s; the notes are %q, want %q", program, r.Value, tt.want, notes, tt.note)
			}
		}
	}
	_, err := eval.Eval("(4,4):(1,4) o [[1,1],[1,1]]")
	if err == nil || !strings.Contains(hintOf(err), ones) {
		t.Errorf("the error %v lacks the matrix", err)
	}
}

func hintOf(err error) string {
	if e, ok := err.(*eval.Error); ok {
		return e.Err.Hint
	}
	return ""
}

// TestLargeMatrices checks that matrices which grow with each statement, and long ones, are refused before they take
// time and memory.
func TestLargeMatrices(t *testing.T) {
	t.Parallel()
	double := "let a = [1 0; 0 1]; " + strings.Repeat("let a = [a a]; ", 40)
	product := "let a = [1 0; 0 1]; " + strings.Repeat("let a = a ⊗ [1;]; ", 80)
	for _, program := range []string{
		double + "rank(a)", product + "rank(a)",
		"let a = [1 0; 0 1]; " + strings.Repeat("let a = make_layout(a, a); ", 40) + "rank(a)",
		"let a = [1 0; 0 1]; " + strings.Repeat("let a = a × a; ", 8) + "rank(a)",
		"let a = [1 0; 0 1]; " + strings.Repeat("let a = [a; a]; ", 8) + "rank(a)",
		"[" + strings.Repeat("1 ", 1<<18) + "]", "[" + strings.Repeat("1;", 1<<18) + "]",
		`\begin{bmatrix}` + strings.Repeat(`1&`, 1<<18) + `1\end{bmatrix}`,
	} {
		if _, err := new(eval.Env).Eval(program); err == nil {
			t.Errorf("%.60s... has no error", program)
		}
	}
}

// bitMatrix has the entries of a matrix over F2.
type bitMatrix [][]int

func drawBits(r *rand.Rand, rows, cols int) bitMatrix {
	m := make(bitMatrix, rows)
	for i := range m {
		m[i] = make([]int, cols)
		for j := range m[i] {
			m[i][j] = r.IntN(2)
		}
	}
	return m
}

// at returns the value at the input x.
func (m bitMatrix) at(x int) (y int) {
	for i, row := range m {
		sum := 0
		for j, b := range row {
			sum += b * (x >> j & 1)
		}
		y |= sum % 2 << i
	}
	return y
}

// write returns a text of the matrix: in LaTeX, in two notations of brackets, or as girih prints it.
func (m bitMatrix) write(r *rand.Rand) string {
	form := [][4]string{
		{`\begin{bmatrix}`, " & ", ` \\ `, `\end{bmatrix}`},
		{`\left(\begin{array}{c} `, "&", "\\\\\n", ` \end{array}\right)`},
		{"[", " ", "; ", ";]"},
		{"[", ", ", "; ", ";]"},
		{"[", " ", "\n", ";]"},
		{"matrix{rows=[[", ",", "],[", "]]}"},
	}[r.IntN(6)]
	rows := make([]string, len(m))
	for i, row := range m {
		rows[i] = strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", form[1]), "[]")
	}
	return form[0] + strings.Join(rows, form[2]) + form[3]
}

// valuesOf evaluates a program and returns the value of its result, a matrix, at every input.
func valuesOf(t *testing.T, program string, inputs int) []int {
	t.Helper()
	rs, err := new(eval.Env).Eval(program)
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	m, ok := rs[len(rs)-1].Value.(eval.Matrix)
	if !ok || m.Cols() != inputs {
		t.Fatalf("%s is %v, want a matrix with %d columns", program, rs[len(rs)-1].Value, inputs)
	}
	out := make([]int, 1<<inputs)
	for x := range out {
		for i := range m.Rows() {
			sum := 0
			for j := range inputs {
				sum += m.At(i, j) * (x >> j & 1)
			}
			out[x] |= sum % 2 << i
		}
	}
	return out
}

// TestMatrixNotations compares products, direct products and left divisions with the definitions.
func TestMatrixNotations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2026))
	for range 200 {
		a, b := drawBits(r, 1+r.IntN(3), 1+r.IntN(3)), drawBits(r, 1+r.IntN(3), 1+r.IntN(3))
		na, nb := len(a[0]), len(b[0])
		let := "let A = " + a.write(r) + "; let B = " + b.write(r) + "; "
		direct := valuesOf(t, let+"A × B", na+nb)
		for x := range 1 << na {
			for y := range 1 << nb {
				if got, want := direct[x|y<<na], a.at(x)|b.at(y)<<len(a); got != want {
					t.Fatalf("%sA × B at (%d,%d) is %d, want %d", let, x, y, got, want)
				}
			}
		}
		if rest := valuesOf(t, let+`A × B /_l A`, nb); !slices.Equal(rest, valuesOf(t, let+"B", nb)) {
			t.Fatalf("%s(A × B) /_l A is %v", let, rest)
		}
		c := drawBits(r, na, nb)
		product := valuesOf(t, let+"A * "+c.write(r), nb)
		for x, got := range product {
			if want := a.at(c.at(x)); got != want {
				t.Fatalf("%s times %v at %d is %d, want %d", let, c, x, got, want)
			}
		}
		back := valuesOf(t, let+"A^T^T", na)
		if !slices.Equal(back, valuesOf(t, let+"A", na)) {
			t.Fatalf("%sA^T^T is %v", let, back)
		}
	}
}

// complete returns the smallest unit vectors, in order, that enlarge the set of sums of vectors step by step.
func complete(columns []int, rows int) (units []int) {
	sums := map[int]bool{0: true}
	add := func(v int) bool {
		if sums[v] {
			return false
		}
		for s := range sums {
			defer func() { sums[s^v] = true }()
		}
		return true
	}
	for _, c := range columns {
		add(c)
	}
	for i := range rows {
		if add(1 << i) {
			units = append(units, 1<<i)
		}
	}
	return units
}

func (m bitMatrix) columns() []int {
	var out []int
	for j := range m[0] {
		out = append(out, m.at(1<<j))
	}
	return out
}

// sum returns the exclusive or of the columns that the bits of x select.
func sum(columns []int, x int) (y int) {
	for j, c := range columns {
		y ^= c * (x >> j & 1)
	}
	return y
}

// TestComplementsOverF2 compares complements, divides and products of matrices with the definitions: A ⊘ B is
// A∘(B,B^*), A ⊗ B is (A,A^*∘B), and A^* has the smallest unit vectors that complete A.
func TestComplementsOverF2(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2, 2026))
	for range 200 {
		a, b := drawBits(r, 1+r.IntN(4), 1+r.IntN(3)), drawBits(r, 1+r.IntN(3), 1+r.IntN(2))
		na, nb := len(a[0]), len(b[0])
		let := "let A = " + a.write(r) + "; let B = " + b.write(r) + "; "
		units := complete(a.columns(), len(a))
		if len(units) > 0 {
			if got := valuesOf(t, let+"A^*", len(units)); got[len(got)-1] != sum(units, len(got)-1) {
				t.Fatalf("%sA^* is %v, want the columns %v", let, got, units)
			}
		}
		reached := map[int]bool{}
		for x := range 1 << (na + len(units)) {
			reached[a.at(x&(1<<na-1))^sum(units, x>>na)] = true
		}
		v, err := eval.Eval(let + "is_complement(A, A^*)")
		if want := len(reached) == 1<<(na+len(units)); err != nil || v.Value != eval.Bool(want) {
			t.Fatalf("%sis_complement(A, A^*) is %v %v, want %v", let, v.Value, err, want)
		}
		rows := max(len(a), na+len(b))
		free := complete(a.columns(), rows)
		product := valuesOf(t, let+"(A, A^* ∘ B)", na+nb)
		for x, got := range product {
			if want := a.at(x&(1<<na-1)) ^ sum(free, b.at(x>>na)); got != want {
				t.Fatalf("%s(A, A^* ∘ B) at %d is %d, want %d", let, x, got, want)
			}
		}
		if len(b) > na {
			continue
		}
		rest := complete(b.columns(), na)
		divided := valuesOf(t, let+"A ∘ (B, B^*)", nb+len(rest))
		for x, got := range divided {
			if want := a.at(b.at(x&(1<<nb-1)) ^ sum(rest, x>>nb)); got != want {
				t.Fatalf("%sA ∘ (B, B^*) at %d is %d, want %d", let, x, got, want)
			}
		}
	}
}

// drawLayout returns a layout of bits that is linear, and its offsets.
func drawLayout(r *rand.Rand) (text string, offsets []int) {
	places := r.Perm(4)[:1+r.IntN(3)]
	var shape, stride []string
	offsets = []int{0}
	for _, p := range places {
		shape, stride = append(shape, "2"), append(stride, fmt.Sprint(1<<p))
		for _, o := range slices.Clone(offsets) {
			offsets = append(offsets, o+1<<p)
		}
	}
	return "(" + strings.Join(shape, ",") + ",):(" + strings.Join(stride, ",") + ",)", offsets
}

// TestLayoutsAsFormulas compares A × B, A = B^* and the matrices of ⊘ and ⊗ with the offsets of layouts.
func TestLayoutsAsFormulas(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 2026))
	for range 150 {
		a, as := drawLayout(r)
		b, bs := drawLayout(r)
		let := "let A = " + a + "; let B = " + b + "; "
		block := 1
		for block <= slices.Max(as) {
			block *= 2
		}
		inInterval := make([]bool, len(as)*len(bs))
		complements := true
		var product []string
		for _, y := range bs {
			for _, x := range as {
				product = append(product, fmt.Sprint(x+y*block))
				if x+y >= len(inInterval) || inInterval[x+y] {
					complements = false
				} else {
					inInterval[x+y] = true
				}
			}
		}
		wantValues(t, map[string]string{
			let + "equivalent(A × B, recognize(" + strings.Join(product, ",") + "))": "true",
			let + "A = B^*": fmt.Sprint(complements),
			let + "B = A^*": fmt.Sprint(complements),
			let + "matrix(A) × matrix(B) = matrix(A × B)":          "true",
			let + "(A × B) /_l A = B":                              "true",
			let + "to_layout(matrix(A × B), shape(A × B)) = A × B": "true",
		})
		if _, err := eval.Eval(let + "A ⊗ B"); err == nil { // A has a complement
			wantValues(t, map[string]string{let + "equivalent(linear(A) ⊗ linear(B), A ⊗ B)": "true"})
		}
	}
}
