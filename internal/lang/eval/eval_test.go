package eval_test

import (
	"errors"
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

func TestEval(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		// values
		{"4", "4"},
		{"_4", "4"},
		{"Int<4>{}", "4"},
		{"(4)", "(4)"},
		{"(4,)", "(4)"},
		{"( 4 , ( 2 , 2 ) )", "(4,(2,2))"},
		{"(_4,_2):(_1,_4)", "(4,2):(1,4)"},
		{"(4):(1)", "(4):(1)"},
		{"(4,2):(2@0,1@1)", "(4,2):(2@0,1@1)"},
		{"4:1@0+2@1", "4:1@0+2@1"},
		{"(4,2):(-1,4)", "(4,2):(-1,4)"},
		{"Sw<3,4,3>", "Sw<3,4,3>"},
		{"S<2,0,-3>", "Sw<2,0,-3>"},
		{"<3:3,(2,4):(1,8)>", "<3:3,(2,4):(1,8)>"},
		{"[3:3;8:1]", "<3:3,8:1>"},
		{"(_,_32,_4:_2)", "<_,32:1,4:2>"},
		{"(2,(_,3))", "(2,(_,3))"},
		{"true", "true"},
		// arithmetic
		{"2+3*4", "14"},
		{"-(2,(3,4))", "(-2,(-3,-4))"},
		{"(1,2)+(4,5,6)", "(5,7,6)"},
		{"7/2", "3"},
		{"2*1@0", "2@0"},
		{"(4,2):(1,4) == (4,2):(1,4)", "true"},
		{"8:1 == (4,2):(1,4)", "false"},
		// composition
		{"(6,2):(8,2) o (4,3):(3,1)", "((2,2),3):((24,2),8)"},
		{"(6,2):(8,2) ∘ (4,3):(3,1)", "((2,2),3):((24,2),8)"},
		{"(4,4):(4,1) o (2,2):(1,5)", "(2,2):(4,5)"},
		{"(12,(4,8)):(59,(13,1)) o (3,8)", "(3,(4,2)):(59,(13,1))"},
		{"(12,(4,8)):(59,(13,1)) o <3:4,8:2>", "(3,(2,4)):(236,(26,1))"},
		{"(4,8) o 8:2", "8:2"},
		{"(4,8):(8,1) o (2,2) o 2:1", "2:8"},
		// composed layouts
		{"Sw<3,4,3> o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
		{"Sw<3,4,3> o 8 o (8,64):(64,1)", "Sw<3,4,3> o 8 o (8,64):(64,1)"},
		{"(4,5):(1,4) o 2 o (2,3):(1,2)", "(4,5):(1,4) o 2 o (2,3):(1,2)"},
		{"(4,5):(1,4) o (0,0) o (2,3):(1@0,1@1)", "(4,5):(1,4) o (0,0) o (2,3):(1@0,1@1)"},
		{"Sw<2,0,3> o 0 o Sw<2,0,-3> o 0 o (8,8):(1,8)", "Sw<2,0,3> o 0 o Sw<2,0,-3> o 0 o (8,8):(1,8)"},
		{"(Sw<3,4,3> o 0 o (64,8):(8,1))((1,3))", "11"},
		{"let s = Sw<1,4,3> o 2 o 32:32; s(6)", "210"},
		{"Sw<1,4,3>(129)", "145"},
		// evaluation and slices
		{"(4,8):(8,1)(1,2)", "10"},
		{"(4,8):(8,1)((1,2))", "10"},
		{"((4,8):(8,1))(9)", "10"},
		{"let a = (4,(2,2)):(1,(4,8)); a((3,1)) + a(1,(1,1))", "20"},
		{"(4,(2,2)):(1,(4,8))(_,3)", "(4):(1)"},
		{"let a = ((2,2),4):((1,8),2); a((_,1),_)", "(2,4):(1,2)"},
		{"(2,3):(1@0,1@1)(1,2)", "(1,2)"},
		// calls
		{"make_layout((4,2), (2,1))", "(4,2):(2,1)"},
		{"make_layout((4,2), stride=(2,1))", "(4,2):(2,1)"},
		{"make_layout((4,2), LayoutRight{})", "(4,2):(2,1)"},
		{"make_layout(make_shape(4, 2), make_stride(2, 1))", "(4,2):(2,1)"},
		{"make_layout(4:1, 2:8)", "(4,2):(1,8)"},
		{"make_layout(8:1)", "(8):(1)"},
		{"coalesce((2,(1,6)):(1,(6,2)), target_profile=(1,1))", "(2,6):(1,2)"},
		{"coalesce((2,1,6):(1,6,2), (1,2))", "(2,1,6):(1,0,2)"},
		{"(2,(1,6)):(1,(6,2)).coalesce()", "12:1"},
		{"size<1>((4,(2,3)))", "6"},
		{"get<1>((4,2):(1,4))", "2:4"},
		{"get<1>([4:1;_])", "_"},
		{"logical_divide((5,4):(1,30), 4:1)", "(4,(2,4)):(1,(4,30))"},
		{"logical_product((2,5):(5,1), <3:5,4:6>)", "((2,3),(5,4)):((5,10),(1,30))"},
		{"zipped_divide((8,6), (_,3))", "((1,3),(8,2)):((0,8),(1,24))"},
		{"logical_divide(Sw<3,4,3> o 0 o (6,8):(8,1), (3,4):(1,3))", "Sw<3,4,3> o 0 o ((3,(2,2)),4):((8,(24,1)),2)"},
		{"complement(4:1, (_4,7))", "7:4"},
		{"append<3>(4:1)", "(4,1,1):(1,0,0)"},
		{"upcast<8>((128,64):(1,128))", "(16,64):(1,16)"},
		{"upcast<256>(Sw<3,4,3>)", "Sw<0,0,3>"},
		{"recast_layout<32,16>((4,5):(1,4) o 2 o (8,4):(1,8))", "(2,5):(1,2) o 1 o (4,4):(1,4)"},
		{"idx2crd(7, (1,(2,4)), (0,(1,2)))", "(0,(1,3))"},
		{"let A = (6,2):(8,2); let B = (4,3):(3,1)\nA o B", "((2,2),3):((24,2),8)"},
	} {
		got, err := eval.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q) = %v, want %s", tt.src, err, tt.want)
			continue
		}
		if got.Value.String() != tt.want {
			t.Errorf("Eval(%q) = %s, want %s", tt.src, got.Value, tt.want)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, code, part string }{
		{"(6,2):(1,7) o (3,2):(2,3)", "not_representable", "at (2,1) (index 5)"},
		{"colaesce(4:1)", "name", "colaesce is not a function"},
		{"foo", "name", "foo is not"},
		{"coalesce", "name", "coalesce is a function"},
		{"coalesce()", "rank", "expected 1 to 2 arguments, found 0"},
		{"4:(1", "syntax", ""},
		{"(4,2):(1)", "not_congruent", "(4,2):(1)"},
		{"(4,8)((1,2,3))", "not_congruent", "(1,2,3)"},
		{"3/0", "overflow", "3 / 0"},
		{"true:1", "type", "the shape of a layout"},
		{"let size = 4", "name", "size is a function"},
		{"get<-1>((1,2,3))", "mode", "numbered from 0"},
		{"stride(Sw<3,4,3> o 0 o 8:1)", "type", "no strides"},
		{"image(1099511627776:2)", "limit", "elements"},
		{"coalesce<3>(4:1)", "rank", "takes no numbers"},
		{"select<0>()", "rank", "at least 1 arguments"},
		{"replace<0,1>(4:1)", "rank", "3 arguments"},
		{"<0>", "extent", "at least 1"},
		{"(9223372036854775807,2):(1,1)", "overflow", ""},
	} {
		_, err := eval.Eval(tt.src)
		var e *eval.Error
		if !errors.As(err, &e) {
			t.Errorf("Eval(%q) = %v, want the code %s", tt.src, err, tt.code)
			continue
		}
		if string(e.Err.Code) != tt.code || !strings.Contains(e.Error(), tt.part) {
			t.Errorf("Eval(%q) = %v, want %s with %q", tt.src, e, tt.code, tt.part)
		}
		if e.Pos < 0 || e.End > len(tt.src) || e.Pos > e.End {
			t.Errorf("Eval(%q): the place [%d, %d) is not in the source", tt.src, e.Pos, e.End)
		}
	}
}

// The test checks that the error for an unbound name has the place of the name, not of the enclosing call.
func TestEvalNamePlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"composition(foo, 4:1)", "foo"},
		{"composition(4:1, foo)", "foo"},
		{"composition(4:foo, foo)", "foo"},
		{"coalesce(foo)", "foo"},
		{"foo.complement(8)", "foo"},
		{"let L = foo; complement(L, 8)", "L"},
		{"foo o 4:1", "foo"},
		{"2 + fooo(3)", "fooo"},
		{"compositon((4,2):(1,4), 3)", "compositon"},
		{"(4:1).fooo()", "fooo"},
		{"cute::fooo(3)", "fooo"},
		{"let foo = 4:1; composition(foo, bar)", "bar"},
	} {
		var env eval.Env
		_, err := env.Eval(tt.src)
		e, ok := errors.AsType[*eval.Error](err)
		if !ok || e.Err.Code != "name" {
			t.Errorf("Eval(%q): %v", tt.src, err)
			continue
		}
		if got := tt.src[e.Pos:e.End]; got != tt.want {
			t.Errorf("Eval(%q): the place is %q, want %q", tt.src, got, tt.want)
		}
		if tt.src == "composition(4:foo, foo)" && e.Pos != 19 {
			t.Errorf("Eval(%q): the place begins at %d, want 19", tt.src, e.Pos)
		}
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"logical_divide((5,4):(1,30), 4:1)", "padded 20 to 32 elements: real where (4,(2,4)):(1@0,(4@0,1@1)) < (5,4)"},
		{"equivalent((2,2):(1,2), (2,2):(2,1))", "index 1"},
		{"is_injective((2,2):(1,1))", "same offset"},
		{"(4,(2,2)):(1,(4,8))(_,3)", "offset 12"},
		{"tile_to_shape((3,3), (5,8))", "rounded up"},
	} {
		got, err := eval.Eval(tt.src)
		if err != nil || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], tt.want) {
			t.Errorf("Eval(%q) notes %q, %v, want %q", tt.src, got.Notes, err, tt.want)
		}
	}
}

// FuzzEval checks that no text makes Eval panic, and that the text of a value reads back as the same value.
func FuzzEval(f *testing.F) {
	for _, b := range eval.Builtins() {
		f.Add(b.Example)
	}
	for _, s := range []string{
		"(6,2):(8,2) o (4,3):(3,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)", "let a = 4; a", "(4,(2,_))", "<4,_>",
		"(9223372036854775807):(9223372036854775807)", "-9223372036854775808:1", "append<99>(4:1)", "get<0,0,0>(((4)))",
		"(M,K{div=8}):(K,1) o (4,8):(1,4)", "zipped_divide((?,N{>=1,<=4096}):(8N,?{i64 div=4}), <128,64>)", "(?@0,8M@1)",
		"(Sw<3,4,3> o 0 o (M,64):(64,1))(i,_)", "right_inverse((M,K):(K,1)) == (K,M):(M,1)", "ceil_div((M,7), (4,K)) % 3",
		"blocked_product((M,K):(1,M), (2,?):(1,2))", "complement(3:?, (M,12))", "crd2idx((i,j), (M,(K,2)))", "<M:1,_>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var e eval.Env
		rs, _ := e.Eval(src)
		for _, r := range rs {
			switch k := r.Value.Kind(); {
			case k == eval.KindList, k == eval.KindOrder, r.Static != "":
				continue // with run-time integers, facts are not part of the text
			}
			text := r.Value.String()
			again, err := eval.Eval(text)
			if err != nil || again.Value.String() != text {
				t.Fatalf("Eval(%q) = %s, which reads back as %v, %v", src, text, again.Value, err)
			}
		}
	})
}

func BenchmarkEval(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := eval.Eval("(6,2):(8,2) o (4,3):(3,1)"); err != nil {
			b.Fatal(err)
		}
	}
}
