package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// [[..]] with a 0 is a matrix, without one a tiler as before, and a matrix where a matrix is asked for; a value of it
// is the product with a vector.
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

// Vectors of 64 components are numbers up to 2^64-1, which no integer of the language holds: they are refused, and not
// wrapped.
func TestVectorsAsNumbers(t *testing.T) {
	t.Parallel()
	row := func(first string) string { return "[[" + first + strings.Repeat("0,", 62) + "1]]" } // of 64 columns
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
