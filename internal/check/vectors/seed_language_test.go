package vectors

import (
	"testing"

	"girih/internal/lang/eval"
)

// TestSeedOnMatrices checks the text about layouts as matrices over two elements (seed 001) in girih's language: the
// statements that it shows, and its wrong statements.
func TestSeedOnMatrices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ what, expr, want string }{
		{"a matrix", "matrix((2,2,2):(2,4,1))", "matrix{rows=[[0,0,1],[1,0,0],[0,1,0]]}"},
		{"the column of 2:4", "matrix(2:4)", "matrix{rows=[[0],[0],[1]]}"},
		{"the matrix of (2,2):(2,1), of which the text drops a column", "matrix((2,2):(2,1))", "matrix{rows=[[0,1],[1,0]]}"},
		{"the cosize is the last offset and 1", "cosize((2,2,2):(2,4,1)) == (2,2,2):(2,4,1)(size((2,2,2):(2,4,1))-1)+1", "true"},
		{"the rank is not the number of rows that are not zero", "rank(matrix{rows=[[1,1],[1,1]]})", "1"},
		{"full rank is surjective", "is_surjective(linear((2,2,2):(2,4,1)))", "true"},
		{"concatenation puts matrices side by side", "make_layout(matrix(2:4), matrix((2,2):(2,1)))", "matrix{rows=[[0,0,1],[0,1,0],[1,0,0]]}"},
		{"... and is that of the layouts", "make_layout(matrix(2:4), matrix((2,2):(2,1))) == matrix(make_layout(2:4, (2,2):(2,1)))", "true"},
		{"images that share offsets make it repeat", "is_injective(linear{i=[[1],[1]], out=[o:2]})", "false"},
		{"composition is the product", "matrix((4,2):(2,1)) * matrix((2,4):(4,1)) == matrix((4,2):(2,1) o (2,4):(4,1))", "true"},
		{"... where nothing carries", "linear((2,2):(1,1))", ""},
		{"the complement completes the bases", "complement(linear{i=[[4]], out=[o:8]})", "linear{i=[[1],[2]], out=[o:8]}"},
		{"... as CuTe's does", "complement(2:4, 8)", "4:1"},
		{"... to all outputs", "is_bijective(concat_ins(linear{i=[[4]], out=[o:8]}, rename_in(complement(linear{i=[[4]], out=[o:8]}), i, j)))", "true"},
		{"the inverse forgets the profile", "inverse((2,3):(3,1))", "(3,2):(2,1)"},
		{"the product is block diagonal", "block_diag(matrix(2:1), matrix((2,2):(2,1)))", "matrix{rows=[[1,0,0],[0,0,1],[0,1,0]]}"},
		{"... in linear layouts too", "matrix(linear(2:1) * linear((2,2):(2,1))) == block_diag(matrix(2:1), matrix((2,2):(2,1)))", "true"},
		{"left division undoes it", "divide_left(linear(2:1) * linear((2,2):(2,1)), linear(2:1)) == linear((2,2):(2,1))", "true"},
		{"is L1 a part of L", "has_part(linear((2,2):(1,2)), linear(2:1))", "true"},
		{"... or not", "has_part(linear((2,2):(2,1)), linear(2:1))", "false"},
		{"the divide is [A1 B, A2]", "matrix(logical_divide(16:1, 4:1)) == make_layout(matrix(4:1) * matrix(4:1), matrix(4:4))", "true"},
		{"the product is [A, A* B]", "matrix(logical_product(4:1, (2,2):(2,1))) == make_layout(matrix(4:1), matrix(4:4) * matrix((2,2):(2,1)))", "true"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.expr)
		if tt.want == "" {
			if err == nil {
				t.Errorf("%s: %s = %v, want a refusal", tt.what, tt.expr, rs)
			}
			continue
		}
		if err != nil || rs[len(rs)-1].Value.String() != tt.want {
			t.Errorf("%s: %s = %v, %v, want %s", tt.what, tt.expr, rs, err, tt.want)
		}
	}
}
