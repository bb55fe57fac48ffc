package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test checks that the text of a value over F2 reads back as the value, and that the functions of CuTe layouts
// accept such values.
func TestBits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, notes string }{
		// numbers without carries
		{"F2(10)+F2(12)", "F2(6)", ""},
		{"F2(5)*3", "F2(15)", ""},
		{"F2(3)*F2(3)", "F2(5)", ""},
		{"F2(11)/3", "F2(6)", ""},
		{"F2(11)%3", "F2(1)", ""},
		{"-F2(5)", "F2(5)", ""},
		{"F2(1)+0", "F2(1)", ""},
		{"(F2(9),F2(1))", "(F2(9),F2(1))", ""},
		{"idx2crd(F2(22),(3,3))", "(1,13)", ""},
		// layouts with F2 strides
		{"(8,8):(F2(9),F2(1))", "(8,8):(F2(9),F2(1))", ""},
		{"((8,8):(F2(9),F2(1)))(3,2)", "25", ""},
		{"((8,8):(F2(9),F2(1)))(19)", "25", ""},
		{"stride((8,(2,4)):(F2(9),(F2(1),F2(2))))", "(F2(9),(F2(1),F2(2)))", ""},
		{"coalesce((8,8):(F2(1),F2(8)))", "64:F2(1)", ""},
		{"cosize((8,8):(F2(9),F2(1)))", "64", ""},
		{"inverse((8,8):(F2(9),F2(1)))", "(8,8):(F2(8),F2(9))", ""},
		{"equivalent((8,8):(F2(9),F2(1)), Sw<3,0,3> o 0 o (8,8):(8,1))", "true", ""},
		{"equivalent((8,8):(F2(9),F2(1)), (8,8):(8,1))", "false", "at index 1 the values are 9 and 8"},
		// linear layouts
		{"linear{r=[[0,1],[8,0]], l=[], out=[dim0:16,dim1:2]}", "linear{r=[[0,1],[8,0]], l=[], out=[dim0:16,dim1:2]}", ""},
		{"linear{r=[1,2], out=[x:4]}", "linear{r=[[1],[2]], out=[x:4]}", ""},
		{"linear{r=[[1],[2]]}", "linear{r=[[1],[2]], out=[dim0:4]}", ""},
		{"linear{r=[[1]], out=[x:4], origin=[2]}", "linear{r=[[1]], out=[x:4], origin=[2]}", ""},
		{"linear{register=[[1,0]], shape=[4,2]}", "linear{register=[[1,0]], out=[dim0:4,dim1:2]}", ""},
		{"linear((4,2):(1,4),(a,b))(3,1)", "7", ""},
		{"linear((4,2):(1,4),(a,b))(7)", "7", ""},
		{"linear{a=[[1,2]], out=[x:2,y:4]}(1)", "(1,2)", ""},
		{"linear(4:1) o linear(4:1)", "linear{index=[[1],[2]], out=[offset:4]}", ""},
		{"linear{i=[[1]], out=[o:2]} * linear{i=[[1]], out=[o:2]}", "linear{i=[[1],[2]], out=[o:4]}", ""},
		{"complement(linear{i=[[2]], out=[o:8]})", "linear{i=[[1],[4]], out=[o:8]}", ""},
		{"rank(linear{i=[[1],[2],[3]], out=[o:4]})", "2", ""},
		{"is_surjective(linear{i=[[1],[2],[3]], out=[o:4]})", "true", ""},
		{"is_injective(linear{i=[[1],[2],[3]], out=[o:4]})", "false", ""},
		{"left_inverse(linear{i=[[2]], out=[o:4]})(2)", "1", ""},
		{"to_layout(linear(1:1 o 7 o 8:-1))", "1:1 o 7 o 8:-1", ""},
		{"to_layout(linear{i=[[1],[3],[7],[5]], out=[o:8]}) == 1", "", "both flip bit 0"},
		// matrices: seed 001 says that the rank is the number of nonzero rows; it is not
		{"rank(matrix{rows=[[1,1],[1,1]]})", "1", ""},
		{"make_layout(matrix{rows=[[1],[0]]}, matrix{rows=[[0],[1]]})", "matrix{rows=[[1,0],[0,1]]}", ""},
		{"matrix{rows=[[1,1],[0,1]]} + matrix{rows=[[1,0],[0,1]]}", "matrix{rows=[[0,1],[0,0]]}", ""},
		{"inverse(matrix{rows=[[1,1],[0,1]]})", "matrix{rows=[[1,1],[0,1]]}", ""},
		{"matrix{rows=[[1,1],[0,1]]}(2)", "3", ""},
		// swizzles
		{"Sw<3,0,3> o Sw<1,2,3>", "Sw<2,0,3>", ""},
		{"Sw<3,0,3> o Sw<1,2,1>", "linear{offset=[[1],[2],[4],[13],[18],[36]], out=[offset:64]}", ""},
		{"inverse(Sw<3,4,3>)", "Sw<3,4,3>", ""},
		{"right_inverse(Sw<2,0,2> o 0 o (4,4):(4,1))", "Sw<2,0,-2> o 0 o (4,4):(4,1)", ""},
		{"(4,4):(4,1) o Sw<2,0,2>", "Sw<2,0,-2> o 0 o (4,4):(4,1)", ""},
		{"Sw<1,0,1> o 4:1 o Sw<1,0,1>", "4:1", ""},
		{"is_bijective(Sw<3,3,3> o 0 o (8,64):(64,1))", "true", ""},
		{"is_bijective(Sw<3,3,3> o 0 o (8,32):(64,1))", "false", "the offset 32 is the first that breaks it"},
		{"is_injective(Sw<3,3,3> o 0 o (8,32):(64,1))", "true", ""},
		{"is_injective(Sw<1,0,1> o 0 o (2,2):(1,0))", "false", "(0,0) and (0,1) have the same offset 0"},
		{"is_surjective(Sw<1,0,1> o 0 o (2,2):(1,0))", "true", ""},
		{"is_compact(Sw<1,0,1> o 4 o 4:1)", "true", ""},
		{"recognize(0,1,2,3,5,4,7,6)", "Sw<1,0,2> o 0 o 8:1", ""},
		{"recast_layout<8,16>(Sw<3,3,3>)", "Sw<3,4,3>", ""},
		// encodings of Triton
		{
			"linear(blocked{sizePerThread=[2,1], threadsPerWarp=[1,4], warpsPerCTA=[1,2], order=[1,0]}, (2,8))",
			"linear{register=[[1,0]], lane=[[0,1],[0,2]], warp=[[0,4]], block=[], out=[dim0:2,dim1:8]}", "",
		},
		{"let p = blocked{sizePerThread=[1], threadsPerWarp=[4], warpsPerCTA=[1], order=[0]}; slice{dim=0, parent=p}", "slice{dim=0, parent=blocked{sizePerThread=[1], threadsPerWarp=[4], warpsPerCTA=[1], order=[0]}}", ""},
		{"to_layout(inverse(flatten_outs(linear(swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}, (64,64)))))", "Sw<3,3,3> o 0 o (64,64):(64,1)", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if tt.want == "" {
			if err == nil || !strings.Contains(err.Error(), tt.notes) {
				t.Errorf("Eval(%q) = %v, want an error with %q", tt.src, err, tt.notes)
			}
			continue
		}
		if err != nil {
			t.Errorf("Eval(%q) = %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		if notes := strings.Join(r.Notes, "; "); r.Value.String() != tt.want || notes != tt.notes {
			t.Errorf("Eval(%q) = %s with %q, want %s with %q", tt.src, r.Value, notes, tt.want, tt.notes)
		}
		again, err := e.Eval(r.Value.String())
		if err != nil || again[len(again)-1].Value.String() != tt.want {
			t.Errorf("%s is read as %v, %v", tt.want, again, err)
		}
	}
}

// Mistakes with values over F2 are errors with a code.
func TestBitsErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src  string
		code cute.Code
		part string
	}{
		{"F2(1)*-1", cute.CodeType, "has no meaning"},
		{"F2(1)+3", cute.CodeType, "has no meaning"},
		{"F2(-1)", cute.CodeNegative, "at least 0"},
		{"F2(1)/0", cute.CodeRank, "not 0"},
		{"idx2crd(F2(22),(3,3,3))", cute.CodeNotDivisible, "3 times 3 is 5 without carries"},
		{"(8,8):(F2(9),1)", cute.CodeType, "next to F2 strides"},
		{"(8,8):F2(9)", cute.CodeNotCongruent, "the same nesting"},
		{"8:F2(4611686018427387904)", cute.CodeOverflow, "at most 62 bits"},
		{"M:F2(1)", cute.CodeType, "known integers"},
		{"linear{a=[[1]],out=[x:3]}", cute.CodeExtent, "a power of two"},
		{"linear{a=[[4]],out=[x:2]}", cute.CodeExtent, "below the size 2"},
		{"linear{a=[[1],[1,2]]}", cute.CodeRank, "a basis of 1 coordinates"},
		{"linear{a=[[1]],a=[[1]],out=[x:2]}", cute.CodeName, "once"},
		{"linear{a=4}", cute.CodeType, "must be a list"},
		{"linear((2,2):(1,1))", cute.CodeNotRepresentable, "at index 3 the value is 2"},
		{"linear((3,4):(4,1))", cute.CodeNotRepresentable, "at index 3"},
		{"linear(M:1)", cute.CodeUnknown, "where M is not"},
		{"linear(4:1,(a,b))", cute.CodeRank, "found 2 names"},
		{"linear(4:1)(4)", cute.CodeExtent, "below the size 4"},
		{"linear(4:1)(_)", cute.CodeType, "not sliced"},
		{"flatten(linear(4:1))", cute.CodeType, "not over F2"},
		{"matrix{rows=[[2]]}", cute.CodeType, "0 and 1"},
		{"matrix{rows=[[1],[1,0]]}", cute.CodeRank, ""},
		{"inverse(matrix{rows=[[1,1],[1,1]]})", cute.CodeNotInvertible, ""},
		{"inverse(linear{i=[[1],[1]], out=[o:4]})", cute.CodeNotInvertible, "every output"},
		{"left_inverse(linear{i=[[1],[1]], out=[o:2]})", cute.CodeNotInjective, "at (3)"},
		{"divide_left(linear(4:1), linear(8:1))", cute.CodeExtent, "at most as large"},
		{"blocked{order=[0]}", cute.CodeType, "the field sizePerThread"},
		{"nonsense{order=[0]}", cute.CodeName, "no encoding"},
		{"linear(blocked{sizePerThread=[1], threadsPerWarp=[4], warpsPerCTA=[1], order=[0]})", cute.CodeType, "a tensor of some shape"},
		{"linear(blocked{sizePerThread=[1], threadsPerWarp=[4], warpsPerCTA=[1], order=[0]}, 12)", cute.CodeExtent, "powers of two"},
		{"inverse(Sw<1,0,1> o 0 o 3:1)", cute.CodeNotInvertible, "the first that breaks it is 2"},
		{"recast_layout<6,8>(Sw<3,3,3>)", cute.CodeNotDivisible, "not a power of two"},
		{"decay(Sw<3,4,3> o 0 o (64,128):(1,64))", cute.CodeNotRepresentable, "at (16,2) the value is 128"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		bad, ok := errors.AsType[*cute.Error](err)
		if !ok || bad.Code != tt.code || !strings.Contains(bad.Error(), tt.part) {
			t.Errorf("Eval(%q) = %v, %v, want %s with %q", tt.src, rs, err, tt.code, tt.part)
		}
	}
}
