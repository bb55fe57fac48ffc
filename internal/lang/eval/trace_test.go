package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// TestTrace checks the calls of the trace for programs of every kind.
func TestTrace(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"(4,8):(8,1)":                                 "",
		"coalesce((2,2):(1,2) o 4:1)":                 "composition{(2,2):(1,2),4:1}=4:1 coalesce{4:1}=4:1",
		"let A = 8:2; A(3)":                           "eval{8:2,3}=6",
		"((4,8):(8,1))(2,_)":                          "slice{(2,_),(4,8):(8,1)}=(8):(1)!the slice leaves out the offset 16 of the fixed modes: slice_and_offset returns both",
		"upcast<4>((8,4):(1,8))":                      "upcast<4>{(8,4):(1,8)}=(2,4):(1,2)",
		"8:1 o 4:2 o 2:1":                             "composition{8:1,4:2}=4:2 composition{4:2,2:1}=2:2",
		"Sw<1,0,2> o 4 o 8:1":                         "make_composed_layout{Sw<1,0,2>,4,8:1}=Sw<1,0,2> o 4 o 8:1",
		"Sw<1,0,2> o 0 o 8:1 o 4:2":                   "composition{8:1,4:2}=4:2 make_composed_layout{Sw<1,0,2>,0,4:2}=Sw<1,0,2> o 0 o 4:2",
		"size(4:1) + 2*3":                             "size{4:1}=4 *{2,3}=6 +{4,6}=10",
		"4:1 == 4:1":                                  "=={4:1,4:1}=true",
		"(3,3):(0,1) o 4:2":                           "composition{(3,3):(0,1),4:2}=not_representable",
		"coalesce((2,2):(1,2), 4:1)":                  "coalesce{(2,2):(1,2),4:1}=type",
		"complement(4:1, M)":                          "complement{4:1,M}=ceil(M/4):4!M is rounded up unless 4 | M",
		"F2(3)*3":                                     "F2{3}=F2(3) *{F2(3),3}=F2(5)",
		"size(rank(4:1), 8)":                          "rank{4:1}=1 size{1,8}=mode",
		"zipped_divide((5,4):(1,5), <2>)":             "zipped_divide{(5,4):(1,5),<2:1>}=((2),(3,4)):((1),(2,5))!padded 20 to 24 elements: real where ((2),(3,4)):((1@0),(2@0,1@1)) < (5,4)",
		`thr_id(mma("SM80_16x8x16_F32F16F16F32_TN"))`: `mma{"SM80_16x8x16_F32F16F16F32_TN"}=mma("SM80_16x8x16_F32F16F16F32_TN") thr_id{mma("SM80_16x8x16_F32F16F16F32_TN")}=32:1`,
	} {
		var env eval.Env
		var got []string
		env.Trace(func(a eval.Application) {
			text := a.Op
			if a.Template != nil {
				text += "<" + strings.Trim(fmt.Sprint(a.Template), "[]") + ">"
			}
			text += eval.List(a.Args).String() + "="
			if a.Err != nil {
				text += string(a.Err.Code)
			} else {
				text += a.Value.String()
			}
			for _, n := range a.Notes {
				text += "!" + n
			}
			if a.Pos < 0 || a.End <= a.Pos || a.End > len(src) {
				t.Errorf("%s: %s stands at %d to %d", src, a.Op, a.Pos, a.End)
			}
			got = append(got, text)
		})
		env.Eval(src)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s\n  applies %s\n  want    %s", src, s, want)
		}
		env.Trace(nil)
		before := len(got)
		env.Eval(src)
		if len(got) != before {
			t.Errorf("%s: the trace goes on after Trace(nil)", src)
		}
	}
}

// TestTraceFailure checks the place of an operation that fails.
func TestTraceFailure(t *testing.T) {
	t.Parallel()
	const src = "size((6,2):(1,7) o (3,2):(2,3))"
	var env eval.Env
	var failed []eval.Application
	env.Trace(func(a eval.Application) { failed = append(failed, a) })
	if _, err := env.Eval(src); err == nil {
		t.Fatal("no error")
	}
	if len(failed) != 1 || failed[0].Value != nil || failed[0].Err.Code != cute.CodeNotRepresentable {
		t.Fatalf("the trace has %v", failed)
	}
	if got := src[failed[0].Pos:failed[0].End]; got != "(6,2):(1,7) o (3,2):(2,3)" {
		t.Errorf("the failure stands at %q", got)
	}
}

func ExampleEnv_Trace() {
	var env eval.Env
	env.Trace(func(a eval.Application) { fmt.Println(a.Op, a.Args, a.Value) })
	env.Eval("coalesce((2,2):(1,2) o 4:1)")
	// Output:
	// composition [(2,2):(1,2) 4:1] 4:1
	// coalesce [4:1] 4:1
}
