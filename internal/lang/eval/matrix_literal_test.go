package eval_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The test checks that [[..]] with a 0 is a matrix. Without a 0 it is a tiler, or a matrix where a matrix is expected.
// A matrix applied to a vector is the product.
func TestMatrixLiteral(t *testing.T) {
	t.Parallel()
	wantValues(t, map[string]string{
		"[[1,1],[0,1]]":                     "matrix{rows=[[1,1],[0,1]]}",
		"[[0,0,1]]":                         "matrix{rows=[[0,0,1]]}",
		"[[0,1],[1,0]]*[[1,1],[0,1]]":       "matrix{rows=[[0,1],[1,1]]}",
		"matrix([[1,1],[1,1]])":             "matrix{rows=[[1,1],[1,1]]}",
		"[[1,1],[1,1]]":                     "<<1:1,1:1>,<1:1,1:1>>",
		"[[1,1],[1,1]] == <<1,1>,<1,1>>":    "true",
		"to_xor([[0,0,1],[0,1,0],[1,0,0]])": "(2,2,2):(F2(4),F2(2),F2(1))",
		"let m = [[1,0,1],[0,1,1]]; m(5)":   "2",
		"rank([[1,0],[0,0]])":               "1",
		"transpose([[1,1]])":                "matrix{rows=[[1],[1]]}",
		"solve([[1,1],[1,1]], 3)":           "1",
	})
	for _, program := range []string{"[[1,0],[1]]", "[[0,1],[2,0]]", "matrix([[1,2],[2,1]])"} {
		if r, err := eval.Eval(program); err == nil {
			t.Errorf("%s is %v", program, r.Value)
		}
	}
}

// Vectors of 64 components are numbers up to 2^64-1, which exceed the integers of the language: they are refused, not
// wrapped.
func TestVectorsAsNumbers(t *testing.T) {
	t.Parallel()
	row := func(first string) string { return "[[" + first + strings.Repeat("0,", 62) + "1]]" } // a row of 64 columns
	for program, want := range map[string]string{
		"solve(" + row("0,") + ", 1)":     "overflow: as a number the vector is 9223372036854775808, more than 9223372036854775807",
		"kernel(" + row("1,") + ")":       "overflow: as a number the vector is 9223372036854775809, more than 9223372036854775807",
		"kernel([[1,1]])":                 "{3}",
		"solve([[1,1],[0,1]], 2)":         "3",
		"transpose(" + row("0,") + ")(1)": "overflow: as a number the vector is 9223372036854775808, more than 9223372036854775807",
	} {
		r, err := eval.Eval(program)
		got := fmt.Sprint(r.Value)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}

// The test checks by brute force that the intersection spans the values that both matrices have.
func TestIntersection(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 2026))
	for range 200 {
		rows := 1 + r.IntN(5)
		draw := func() (string, map[int64]bool) {
			columns := make([]int64, 1+r.IntN(4))
			values := map[int64]bool{0: true}
			for j := range columns {
				columns[j] = r.Int64N(1 << rows)
				for v := range maps.Clone(values) {
					values[v^columns[j]] = true
				}
			}
			text := make([]string, rows)
			for i := range text {
				bits := make([]string, len(columns))
				for j, c := range columns {
					bits[j] = strconv.FormatInt(c>>i&1, 10)
				}
				text[i] = "[" + strings.Join(bits, ",") + "]"
			}
			return "matrix{rows=[" + strings.Join(text, ",") + "]}", values
		}
		a, inA := draw()
		b, inB := draw()
		v, err := eval.Eval("intersection(" + a + ", " + b + ")")
		if err != nil {
			t.Fatal(err)
		}
		got := map[int64]bool{0: true}
		for n := range strings.FieldsFuncSeq(v.Value.String(), func(r rune) bool { return r < '0' || r > '9' }) {
			x, _ := strconv.ParseInt(n, 10, 64)
			for y := range maps.Clone(got) {
				if got[x^y] {
					t.Fatalf("%s and %s: %v is no basis", a, b, v.Value)
				}
				got[x^y] = true
			}
		}
		maps.DeleteFunc(inA, func(x int64, _ bool) bool { return !inB[x] })
		if !maps.Equal(got, inA) {
			t.Fatalf("%s and %s: %v, by force %v", a, b, v.Value, inA)
		}
	}
	if _, err := eval.Eval("intersection([[1,0]], [[1],[0]])"); err == nil || !strings.HasPrefix(err.Error(), "type: ") {
		t.Errorf("of 1 row and 2: %v", err)
	}
}
