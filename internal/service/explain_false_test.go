package service

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/why/explain"
)

// lastOperation returns the operation that an expression applies last, with its result.
func lastOperation(t *testing.T, expr string) explain.Operation {
	t.Helper()
	var s Session
	var op explain.Operation
	s.env.Trace(func(a eval.Application) { op = operation(a, expr) })
	if _, _, fault := s.few("explain", expr); fault != nil {
		t.Fatalf("%s: %v", expr, fault.Message)
	}
	return op
}

// TestFalseResult explains operations with a wrong result: the check says that the result is wrong, and
// where.
func TestFalseResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, result, where string }{
		{"complement((2,3):(2,4), 24)", "(2,2):(2,12)", "offset 1"},
		{"complement((2,3):(2,4), 24)", "(2,2):(1,13)", "offset 12"},
		{"complement((2,3):(2,4), 24000)", "(2,2000):(1,13)", "offset"},
		{"complement(Sw<3,3,3> o 0 o (8,64):(64,1), 1024)", "2:500", "index 501"},
		{"coalesce((2,(1,6)):(1,(6,2)))", "12:2", "index 1"},
		{"(6,2):(8,2) o (4,3):(3,1)", "((2,2),3):((24,2),9)", "index 4"},
		{"right_inverse((2,3):(3,1))", "(3,2):(2,3)", "index 3"},
		{"left_inverse((4,2):(1,16))", "(16,2):(1,5)", "index 4"},
		{"inverse((4,8):(8,1))", "(8,4):(4,2)", "index 8"},
		{"right_inverse((4,3):(2@1,5@0))", "(3,3):(4,1)", ""},
		{"layout_add((4,3):(3,1), 12:1)", "(4,3):(4,6)", "index 4"},
		{"nullspace((2,3,4):(1,0,2))", "3:1", "index 1"},
		{"max_common_layout((2,4):(4,1), (2,4):(4,1))", "(4,2):(2,3)", "index 4"},
		{"max_common_vector(Sw<3,3,3> o 0 o (8,64):(64,1), (8,64):(64,1))", "16", "coordinate (1,7)"},
		{"upcast<4>((8,4):(1,8))", "(2,3):(1,2)", "offset 24"},
		{"downcast<4>((8,4):(1,8))", "(32,4):(1,33)", "offset 128"},
		{"layout_left((4,(2,2)))", "(4,(2,2)):(1,(4,7))", "offset"},
		{"recognize(0, 4, 8, 1, 5, 9)", "(3,2):(4,2)", "index 3"},
		{"logical_divide(24:1, 4:1)", "(4,6):(1,5)", "offset 4"},
		{"logical_product((2,5):(5,1), (3,4):(1,3))", "((2,5),(3,4)):((6,1),(10,30))", "offset 5"},
		{"idx2crd(17, (3,(4,5)))", "(1,(1,1))", "index 17"},
		{"slice((1,(_,2)), (2,(3,4)):(12,(1,3)))", "(3):(2)", "index 1"},
		{"left_inverse(Sw<1,2,3> o 0 o (8,8):(8,1))", "(8,8):(8,1)", "index"},
		{"Sw<3,4,3>(900)", "901", "x = 900"},
		{"Sw<2,1,3> o Sw<1,1,3>", "Sw<1,1,3>", "index 16"},
		{"(8,4):(1,8) o Sw<1,0,2>", "Sw<1,0,3> o 0 o (8,4):(1,8)", "index"},
		{"inverse(matrix{rows=[[1,1],[0,1]]})", "matrix{rows=[[1,0],[0,1]]}", "column 1"},
		{"solve(matrix{rows=[[1,1],[0,1]]}, 2)", "2", "x = 2"},
		{"complement([0;0;1])", "[1 0; 0 0; 0 1]", "rank 2"},
		{"complement(linear{i=[[2]], out=[o:8]})", "linear{i=[[1],[2]], out=[o:8]}", "rank 2"},
		{"[1 1;] × [1;]", "[1 1 0; 0 1 1]", "column 1"},
		{"4:1 × 2:1", "(4,2):(1,8)", "column 2"},
		{"block_diag([1 1;], [1;])", "[1 1 0; 0 0 0]", "column 2"},
		{"[0;1] ⊗ [1 1; 0 1]", "[0 1 1; 1 0 0; 0 1 1]", "column 1"},
		{"compose_complement([0;1], [1 1; 0 1])", "[1 1; 0 0; 0 0]", "column 1"},
		{"[1 0; 0 1] ⊘ [0;1]", "[0 1; 1 1]", "column 1"},
		{"make_layout([1 1; 0 1], [1;0])", "[1 1 1; 0 1 1]", "column 2"},
		{"concat_outs([1 1; 0 1], [1 1;])", "[1 1; 0 1; 1 0]", "column 1"},
		{"[1 0; 0 1] /_l [1;]", "[0;]", "column 1"},
		{
			"linear{index=[[2],[1]], out=[x:4]} o linear{a=[[1],[3]], out=[index:4]}",
			"linear{a=[[2],[2]], out=[x:4]}", "column 1",
		},
		{"inverse(linear((2,4):(4,1)))", "linear((2,4):(4,1))", "column 0"},
		{"left_inverse(linear((2,4):(4,1)))", "linear((2,4):(4,1))", "column 0"},
		{"right_inverse(linear((2,4):(4,1)))", "linear((2,4):(4,1))", "column 0"},
		{
			"divide_left(linear{r=[[1],[2],[4]], out=[x:8]}, linear{r=[[1]], out=[x:2]})",
			"linear{r=[[1],[3]], out=[x:4]}", "column 2",
		},
		{
			"divide_right(linear{r=[[1],[2],[4]], out=[x:8]}, linear{r=[[1]], out=[x:2]})",
			"linear{r=[[1],[3]], out=[x:4]}", "column 1",
		},
		{
			"invert_and_compose(linear{a=[[2],[1]], out=[x:4]}, linear{b=[[1],[2]], out=[x:4]})",
			"linear{a=[[2],[3]], out=[b:4]}", "column 1",
		},
		{"(4,4):(F2(3),F2(4)) o (2,4):(4,1)", "(2,4):(F2(4),F2(1))", "index 2"},
		{"Sw<1,0,2> o (4,4):(F2(1),F2(4))", "(4,4):(F2(1),F2(6))", "index 4"},
		{"left_inverse((2,3):(F2(3),F2(4)))", "(4,4):(F2(1),F2(4))", "index"},
		{"inverse((2,3):(F2(1),F2(2)))", "(2,3):(F2(1),F2(3))", "index 2"},
		{"right_inverse((3,4):(F2(4),F2(1)))", "4:F2(1)", "index 1"},
		{
			`thrfrg(tiled_mma("SM80_16x8x16_F32F16F16F32_TN"), C, (16,8):(8,1))`,
			"(((4,8),(1,1)),((2,2),(1,1))):(((2,8),(0,0)),((1,65),(0,0)))", "index 64",
		},
		{
			`thrfrg(tiled_copy(copy_atom("UniversalCopy<float>", "float"), (4,8), (2,1)), S, (8,16))`,
			"(32,(1,2),(1,2)):(2,(0,2),(0,64))", "index 32",
		},
	} {
		op := lastOperation(t, c.expr)
		if x := explain.Explain(op); x.Check == "" || strings.Contains(x.Check, "does not hold") {
			t.Errorf("%s = %s: %q", c.expr, op.Result.Text, x.Check)
		}
		var s Session
		v, _, fault := s.few("explain", c.result)
		if fault != nil {
			t.Errorf("%s: %s", c.result, fault.Message)
			continue
		}
		op.Result = operand(v.Value)
		x := explain.Explain(op)
		if _, where, ok := strings.Cut(x.Check, " does not hold at "); !ok || !strings.HasPrefix(where, c.where) {
			t.Errorf("%s = %s: %q, want that it does not hold at %s", c.expr, c.result, x.Check, c.where)
		}
	}
}
