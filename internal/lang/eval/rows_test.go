package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test evaluates profiles with _, orders, codomains, and the operations of PyCuTe, with operands of every kind.
func TestProfilesOrdersCodomains(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, note string }{
		{"coalesce(((8,8),(8,8)):((1,8),(64,512)), (_,_))", "(64,64):(1,64)", "PyCuTe leaves a mode at None alone: ((8,8),(8,8))"},
		{"coalesce((2,(1,6)):(1,(6,2)), None)", "12:1", "alone: (2,(1,6)):(1,(6,2))"},
		{"coalesce((2,(1,6)):(1,(6,2)), (1,_))", "(2,6):(1,2)", "alone: (2,(1,6)):(1,(6,2))"},
		{"coalesce(((2,2),(2,(2,2))):((1,2),(4,(8,16))), (_,(1,_)))", "(4,(2,4)):(1,(4,8))", "alone: ((2,2),(2,(2,2))):((1,2),(4,(8,16)))"},
		{"coalesce((4,2):(1,4), (_,_))", "(4,2):(1,4)", ""},
		{"coalesce(Sw<2,0,2> o 0 o (4,(2,2)):(1,(4,8)), (_,_))", "Sw<2,0,2> o 0 o (4,4):(1,4)", "alone"},
		{"coalesce((M,(2,2)):(1,(M,2M)), (_,_))", "(M,4):(1,M)", ""},
		{"coalesce_z(((2,(1,6)),(3,4,1)):((1,(6,2)),(100,300,0)), (1,_))", "(12,(12,1)):(1,(100,0))", "None"},
		{"coalesce_z((4,1):(3,4))", "(4,1):(3,4)", ""},
		{"unflatten((1,2,3,4,5), ((_,0),(0,_,0)))", "((1,2),(3,4,5))", ""},
		{"unflatten((1,2,3,4), (((0,0),0),0))", "(((1,2),3),4)", ""},
		{"unflatten((), ())", "()", ""},
		{"unflatten((M,2,N), (0,(0,0)))", "(M,(2,N))", ""},
		{"unflatten(Sw<2,0,2> o 0 o (4,2,2):(1,4,8), (0,(0,0)))", "Sw<2,0,2> o 0 o (4,(2,2)):(1,(4,8))", ""},
		{"make_ordered_layout((4,(2,3)))", "(4,(2,3)):(1,(4,8))", ""},
		{"make_ordered_layout((4,(2,3)), LayoutRight)", "(4,(2,3)):(6,(3,1))", ""},
		{"make_ordered_layout((4,(2,3)), LayoutLeft)", "(4,(2,3)):(1,(4,8))", ""},
		{"make_ordered_layout((4,2,3):(7,100,2))", "(4,2,3):(3,12,1)", ""},
		{"make_ordered_layout((M,(N,2)), (1,0))", "(M,(N,2)):(2N,(1,N))", ""},
		{"make_ordered_layout((M,(N,2)), LayoutRight)", "(M,(N,2)):(2N,(2,1))", ""},
		{"make_ordered_layout((M,N))", "(M,N):(1,M)", ""},
		{"make_ordered_layout((M,N):(2,1))", "(M,N):(N,1)", ""},
		{"is_surjective(4:2, 4)", "false", "the offset 6, of 3, is outside the codomain 4"},
		{"is_surjective((4,3):(1,4), 16)", "false", "the offset 12 is the first that breaks it"},
		{"is_injective((4,3):(1,5), 14)", "true", ""},
		{"is_bijective((4,3):(3,1), (2,6))", "true", ""},
		{"is_bijective(Sw<2,0,2> o 0 o 16:1, 16)", "true", ""},
		{"is_surjective(Sw<2,0,2> o 0 o 16:1, 17)", "false", "the offset 16 is the first that breaks it"},
		{"is_surjective(Sw<2,0,2> o 0 o 16:1, 15)", "false", "is outside the codomain 15"},
		{"is_injective(Sw<2,0,2> o 0 o 4:0, 4)", "false", "0 and 1 have the same offset 0"},
		{"is_surjective((4,2):(1,0) o 8:1, 4)", "true", ""},
		{"common_refinement((6,6), (12,3,6))", "(6,2,3,6)", "the sizes are 36 and 216"},
		{"common_refinement((M,6), (M,12))", "(M,6,2)", ""},
		{"greatest_common_domain((4,6):(6,1), 8)", "(4,2):(1,4)", ""},
		{"layout_add((4,3):(1@0,1@1), 12:0)", "(4,3):(1@0,1@1)", ""},
		{"layout_add(16:F2(1), (4,4):(F2(2),F2(8)))", "16:F2(3)", ""},
		{"layout_add(8:F2(7), 8:0)", "8:F2(7)", ""},
		{"coalesce_z((3,2,2):(F2(1),F2(3),F2(6)))", "(3,4):(F2(1),F2(3))", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q): %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		if r.Value.String() != tt.want || !strings.Contains(strings.Join(r.Notes, "\n"), tt.note) ||
			tt.note == "" && len(r.Notes) > 0 && !strings.ContainsAny(tt.src, "MN?") {
			t.Errorf("Eval(%q) = %s %q, want %s with %q", tt.src, r.Value, r.Notes, tt.want, tt.note)
		}
	}
	for _, tt := range []struct {
		src  string
		code cute.Code
	}{
		{"coalesce(4:1, (_,_))", cute.CodeRank},
		{"unflatten((1,2), (_,(_,_)))", cute.CodeNotCongruent},
		{"make_ordered_layout((M,N), (M,1))", cute.CodeUnknown},
		{"make_ordered_layout((2,3,4,5), (2,?,?,50))", cute.CodeUnknown},
		{"make_ordered_layout((M,N):(N,1))", cute.CodeUnknown},
		{"make_ordered_layout((M,N), (1,2,3))", cute.CodeNotCongruent},
		{"make_ordered_layout((M,N), ((1,2),3))", cute.CodeNotCongruent},
		{"make_ordered_layout((M,N), (1@0,2))", cute.CodeCodomain},
		{"make_ordered_layout((4,2):(1@0,1@1))", cute.CodeNotCongruent},
		{"is_surjective((M,N):(1,M), 4)", cute.CodeUnknown},
		{"is_surjective(4:1@0, 4)", cute.CodeNotCongruent},
		{"is_surjective(4:1, (4,0))", cute.CodeExtent},
		{"is_compact(4:1, 4)", cute.CodeRank},
		{"layout_add(4:1, 5:1)", cute.CodeNotCongruent},
		{"layout_add(4:F2(1), 4:1)", cute.CodeType},
		{"layout_add(12:F2(1), (3,4):(F2(1),F2(8)))", cute.CodeNotDivisible},
		{"coalesce_z((2,1):(F2(1),F2(8)))", cute.CodeType},
		{"coalesce_z((2,2):(F2(1),F2(8)), (1,1))", cute.CodeType},
		{"layout_add((2,3):(1,5), (3,2):(1,5))", cute.CodeNotRepresentable},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if bad, ok := errors.AsType[*cute.Error](err); !ok || bad.Code != tt.code {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, rs, err, tt.code)
		}
	}
}
