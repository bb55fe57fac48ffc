package vectors

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/lang/triton"
)

// TestUserCasesOnSwizzles checks users' questions about swizzles and Triton's layouts that are answered in sentences,
// by the statements that decide each answer.
func TestUserCasesOnSwizzles(t *testing.T) {
	t.Parallel()
	const tiles = "let kv = tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (128,128)); " +
		"let t8 = tile_to_shape(Sw<3,3,3> o 0 o (64,8):(1,64), (128,128)); " +
		"let tn = tile_to_shape(Sw<3,3,3> o 0 o (64,128):(1,64), (128,128)); "
	for _, tt := range []struct{ id, expr, want string }{
		{"U058", "recast_layout<6,8>(Sw<3,3,3>)", "error: not_divisible"},
		{"U061", "recast_layout<128,4>((8,64):(64,1))", "(8,2):(2,1)"},
		{"U063", "Sw<3,0,3> o Sw<1,2,3>", "Sw<2,0,3>"},
		{"U063", "Sw<3,0,3> o Sw<1,2,1>", "linear{offset=[[1],[2],[4],[13],[18],[36]], out=[offset:64]}"},
		{"U065", "(Sw<3,4,3> o 0 o (32,8):(1,32))(0,1)", "32"},
		{"U065", "recast_layout<32,8>(Sw<3,4,3>)", "Sw<3,2,3>"},
		{"U065", "(Sw<3,2,3> o 0 o (32,8):(1,32))(0,1)", "36"},
		{"U066", "recast_layout<16,8>(Sw<3,4,3>)", "Sw<3,3,3>"},
		{"U067", "(tile_to_shape(recast_layout<16,8>(Sw<1,4,3>) o 0 o (8,16):(16,1), (64,16)))(4,0)", "72"},
		{"U081", "equivalent(Sw<0,4,3> o 0 o (8,64):(64,1), (8,64):(64,1))", "true"},
		{"U082", "slice((_,0), Sw<3,4,3> o 0 o (10,2):(2,1))", "Sw<3,4,3> o 0 o (10):(2)"},
		{"U082", "slice_and_offset((_,0), Sw<3,4,3> o 0 o (10,2):(2,1))", "{(10):(2),0}"},
		{"U083", "slice_and_offset((1,_), Sw<2,0,2> o 0 o (4,4):(4,1))", "{((2,2)):((-1,2)),5}"},
		{"U118", tiles + "equivalent(composition(tn, (128,128):(128,1)), kv)", "true"},
		{"U118", tiles + "equivalent(composition(t8, (128,128):(128,1)), kv)", "false"},
		{"U127", "(Sw<3,3,3> o 0 o ((8,16),(64,2)):((64,512),(1,8192)))(1,0)", "72"},
		{
			"U126", "to_layout(flatten_outs(linear(blocked{sizePerThread=[2,1], threadsPerWarp=[1,4], warpsPerCTA=[1,2], order=[1,0]}, (2,8))))",
			"(2,4,2,1):(1,2,8,0)",
		},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.expr)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = rs[len(rs)-1].Value.String()
		}
		if got != tt.want && !(strings.HasPrefix(tt.want, "error") && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s: %s = %s, want %s", tt.id, tt.expr, got, tt.want)
		}
	}
}

// TestUserCaseTransposedTiles checks U118: the number of places in which the two transposed tiles differ.
func TestUserCaseTransposedTiles(t *testing.T) {
	t.Parallel()
	table := func(expr string) []int64 {
		var e eval.Env
		rs, err := e.Eval(expr)
		if err != nil {
			t.Fatal(err)
		}
		xs, ok := values(rs[len(rs)-1].Value)
		if !ok {
			t.Fatalf("%s has no values", expr)
		}
		return xs
	}
	for _, tt := range []struct {
		head string
		want int
	}{{"128", 15360}, {"64", 0}} {
		kv := table("tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (128," + tt.head + "))")
		t8 := table("composition(tile_to_shape(Sw<3,3,3> o 0 o (64,8):(1,64), (" + tt.head + ",128)), " +
			"(128," + tt.head + "):(" + tt.head + ",1))")
		differ := 0
		for i := range kv {
			if kv[i] != t8[i] {
				differ++
			}
		}
		if differ != tt.want {
			t.Errorf("head dimension %s: %d places differ, want %d", tt.head, differ, tt.want)
		}
	}
}

// TestUserCaseSwizzledShared checks U125: a swizzle is Triton's swizzled_shared with these numbers.
func TestUserCaseSwizzledShared(t *testing.T) {
	t.Parallel()
	e, err := triton.FromRecord("swizzled_shared", triton.Field{Key: "vec", Value: 8},
		triton.Field{Key: "perPhase", Value: 1}, triton.Field{Key: "maxPhase", Value: 8},
		triton.Field{Key: "order", Value: []any{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	var env eval.Env
	rs, err := env.Eval("to_layout(inverse(flatten_outs(linear(" + e.String() + ", (8,64)))))")
	if err != nil || rs[0].Value.String() != "Sw<3,3,3> o 0 o (8,64):(64,1)" {
		t.Errorf("%v is %v, %v", e, rs, err)
	}
}
