package eval_test

import (
	"fmt"
	"testing"

	"girih/internal/lang/eval"
)

// The test checks that xor adds values without carries at every index, and that a swizzle is a map plus a shift of that
// map.
func TestXorOfMaps(t *testing.T) {
	t.Parallel()
	for _, m := range [][2]string{
		{"linear(8:1)", "linear((2,4):(4,1))"}, {"8:2", "(2,2,2):(1,0,8)"}, {"Sw<2,0,2> o 0 o 16:1", "16:1"}, {"matrix(8:1)", "(8):(F2(3))"},
	} {
		for i := range 8 {
			r, err := eval.Eval(fmt.Sprintf("xor(%s, %s)(%d)", m[0], m[1], i))
			a, errA := eval.Eval(fmt.Sprintf("linear(%s)(%d)", m[0], i))
			b, errB := eval.Eval(fmt.Sprintf("linear(%s)(%d)", m[1], i))
			if err != nil || errA != nil || errB != nil {
				t.Fatal(m, err, errA, errB)
			}
			x, _ := a.Value.(eval.Tuple).Int64()
			y, _ := b.Value.(eval.Tuple).Int64()
			if r.Value.String() != fmt.Sprint(x^y) {
				t.Errorf("xor(%s, %s) at %d is %v, want %d", m[0], m[1], i, r.Value, x^y)
			}
		}
	}
	wantValues(t, map[string]string{"xor(linear(Sw<2,0,2> o 0 o 16:1), linear(16:1))": "linear{index=[[0],[0],[1],[2]], out=[offset:16]}"})
}

// Matrices of 3 and of 2 rows are put side by side, [M1 M2], once the smaller one has 3 rows.
func TestResize(t *testing.T) {
	t.Parallel()
	wantValues(t, map[string]string{
		"concat_ins(linear(2:4), rename_in(resize_out(matrix((2,2):(2,1)), offset, 8), index, i))": "linear{index=[[4]], i=[[2],[1]], out=[offset:8]}",
		"resize_out(linear(8:1), offset, 4)": "linear{index=[[1],[2],[0]], out=[offset:4]}",
		"resize_in(linear(4:2), index, 8)":   "linear{index=[[2],[4],[0]], out=[offset:8]}",
		"resize_out(linear(4:1), offset, 4)": "linear{index=[[1],[2]], out=[offset:4]}",
	})
	for _, program := range []string{"resize_out(linear(4:1), x, 8)", "resize_out(linear(4:3), offset, 2)", "resize_in(linear(4:1), index, 3)"} {
		if r, err := eval.Eval(program); err == nil {
			t.Errorf("%s is %v", program, r.Value)
		}
	}
}
