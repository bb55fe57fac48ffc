package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test checks alignments that are certain, and predicates for the shapes on CUTLASS's page on predication.
func TestAlignmentsAndPredicates(t *testing.T) {
	t.Parallel()
	const (
		wide = `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`
		one  = `tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8):(8,1), (1,1))`
	)
	for _, tt := range []struct{ src, want, note string }{
		{"max_alignment(Sw<3,4,3> o 0 o (8,64):(64,1))", "16", ""},
		{"max_alignment((8,64):(ld,1))", "1", "CuTe C++ takes run-time strides for multiples of whatever the others have, and says 64"},
		{"max_alignment((8,64):(ld{div=8},1))", "8", "says 64"},
		{"max_alignment((8,64):(ld{div=64},1))", "64", "at least so much for all values, more for some, as for ld = 64"},
		{"max_alignment((8,(4,2)):(2*ld{div=4},(1,ld)))", "4", "more for some, as for ld = 4"},
		{"max_alignment(8:N)", "1", "more for some, as for N = 1"},
		{"max_alignment((8,4):(M,N))", "1", "more for some, as for M = 4 and N = 1"},
		{"max_alignment((8,4):(5,N{>=100,<=103}))", "1", "at least so much for all values"},
		{"max_alignment((64,1):(1,ld))", "64", ""},
		{"let ld = 72; max_alignment((8,64):(ld,1))", "8", ""},
		{"max_alignment(8)", "8", ""},
		{"predicate(" + wide + ", S, (M,64), (128,64))", "(1,4,1):(0,1,0)", "along mode 0 are compared with the extents (M,64); the part of a thread is ((8,1),4,1)"},
		{"predicate(" + wide + ", D, (M,K{div=8}), (128,64))", "(1,4,1):(0,1,0)", "along the modes 0 and 1"},
		{"predicate(" + wide + ", S, (256,128), (128,64))", "(1,4,1):(0,0,0)", "a plain copy is right"},
		{"predicate(" + one + ", S, (100,77), (128,64))", "(1,4,8):(0,1,4)", "along the modes 0 and 1"},
		{`predicate(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), C, (M,N), (128,128))`, "(4,4,8):(1,4,16)", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q): %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		if r.Value.String() != tt.want || !strings.Contains(strings.Join(r.Notes, "\n"), tt.note) ||
			tt.note == "" && len(r.Notes) > 0 && !strings.Contains(tt.src, "M") {
			t.Errorf("Eval(%q) = %s %q, want %s with %q", tt.src, r.Value, r.Notes, tt.want, tt.note)
		}
	}
	for _, tt := range []struct {
		src  string
		code cute.Code
		text string
	}{
		{"max_alignment((M,64):(64,1))", cute.CodeUnknown, "M"},
		{"max_alignment((8,64):(ld@0,1@1))", cute.CodeUnknown, ""},
		{"max_alignment((8,64):(1@0,1@1))", cute.CodeCodomain, ""},
		{"max_alignment(Sw<3,3,3> o 0 o (8,64):(ld,1))", cute.CodeUnknown, ""},
		{"max_alignment(8:F2(1))", cute.CodeType, ""},
		{"predicate(" + wide + ", S, (M,K), (128,64))", cute.CodeNotDivisible, "a vector of 1 element(s)"},
		{"predicate(" + wide + ", S, M, (128,64))", cute.CodeRank, "2 modes"},
		{"predicate(" + wide + ", S, (M,_), (128,64))", cute.CodeType, "the extents of a tensor"},
		{"predicate(" + wide + ", S, (M,K), (N,64))", cute.CodeType, "an integer or a tuple"},
		{"predicate(" + wide + ", C, (M,K), (128,64))", cute.CodeName, "S, D"},
		{"predicate(4:1, S, (M,K), (128,64))", cute.CodeType, "a tiled copy"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		bad, ok := errors.AsType[*cute.Error](err)
		if !ok || bad.Code != tt.code || !strings.Contains(bad.Error()+bad.Hint, tt.text) {
			t.Errorf("Eval(%q) = %v, %v, want %s with %q", tt.src, rs, err, tt.code, tt.text)
		}
	}
}
