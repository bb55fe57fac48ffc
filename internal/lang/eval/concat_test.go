package eval_test

import (
	"fmt"
	"testing"

	"girih/internal/lang/eval"
)

// The test concatenates tuples, layouts with known and run-time integers, and layouts with F2 strides: the result has
// the modes of the operands in order.
func TestConcat(t *testing.T) {
	t.Parallel()
	wantValues(t, map[string]string{
		"concat(4:2, 2:1)":                          "(4,2):(2,1)",
		"concat((2,3), 4, (5,(6,7)))":               "(2,3,4,5,(6,7))",
		"concat((M,4):(4,1), 3:N)":                  "(M,4,3):(4,1,N)",
		"concat((M,2), N)":                          "(M,2,N)",
		"concat((2,2):(F2(1),F2(2)), 4:F2(8))":      "(2,2,4):(F2(1),F2(2),F2(8))",
		"concat[0]((4,2):(1,4), 3:8)":               "((4,3),2):((1,8),4)",
		"concat(Sw<2,0,2> o 0 o (4,4):(4,1), 2:16)": "Sw<2,0,2> o 0 o (4,4,2):(4,1,16)",

		"concat(4)":                                      "(4)",
		"concat((4,2):(1,4)) == (4,2):(1,4)":             "true",
		"concat(make_layout(4:1,8:4), make_layout(2:1))": "(4,8,2):(1,4,1)",
	})
	ls := []string{"4:2", "(2,3):(1,2)", "(2,(3,2)):(5,(1,4))", "((2,2)):((1,7))"}
	for _, a := range ls {
		for _, b := range ls {
			for i := range 12 {
				for j := range 4 {
					sum, err := eval.Eval(fmt.Sprintf("let a=%s; let b=%s; let i=%d%%size(a); let j=%d%%size(b); "+
						"concat(a,b)(crd2idx((i,j),(size(a),size(b)))) == a(i)+b(j)", a, b, i, j))
					if err != nil || sum.Value != eval.Bool(true) {
						t.Fatalf("concat(%s, %s) at %d, %d: %v %v", a, b, i, j, sum.Value, err)
					}
				}
			}
		}
	}
}
