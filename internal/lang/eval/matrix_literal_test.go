package eval_test

import (
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
	})
	for _, program := range []string{"[[1,0],[1]]", "[[0,1],[2,0]]", "matrix([[1,2],[2,1]])"} {
		if r, err := eval.Eval(program); err == nil {
			t.Errorf("%s is %v", program, r.Value)
		}
	}
}
