package eval_test

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
)

// An expression in CuTe's spelling has a value, or an error with its place.
func Example() {
	for _, src := range []string{"zipped_divide((8,8):(8,1), <4,2>)", "(6,2):(1,7) o (3,2):(2,3)"} {
		r, err := eval.Eval(src)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r.Value)
	}
	// Output:
	// ((4,2),(2,4)):((8,1),(32,2))
	// not_representable: composition: (6,2):(1,7) o (3,2):(2,3) is not a layout: at (2,1) (index 5) the value is A(7) = 8, where a layout would give 7: the value there is not the sum of the values of its modes
}

func ExampleEval() {
	r, err := eval.Eval("(6,2):(8,2) o (4,3):(3,1)")
	fmt.Println(r.Value, r.Value.Kind(), err)
	// Output: ((2,2),3):((24,2),8) layout <nil>
}

// A note tells the user of a value what to know about it.
func ExampleEval_notes() {
	r, _ := eval.Eval("logical_divide((5,4):(1,30), 4:1)")
	fmt.Println(r.Value)
	fmt.Println(r.Notes[0])
	// Output:
	// (4,(2,4)):(1,(4,30))
	// padded 20 to 32 elements: real where (4,(2,4)):(1@0,(4@0,1@1)) < (5,4)
}

// An error has the place in the source.
func ExampleError() {
	src := "coalesce(4:1) o fooo(8:1)"
	_, err := eval.Eval(src)
	var e *eval.Error
	if errors.As(err, &e) {
		fmt.Println(e)
		fmt.Println(src[e.Pos:e.End], e.Err.Code, e.Incomplete)
	}
	// Output:
	// name: fooo is not a function of the language and not bound by let
	// fooo name false
}

func ExampleEnv_Eval() {
	var e eval.Env
	rs, err := e.Eval("let a = (8,8):(8,1); a o (4,2):(2,32)")
	for _, r := range rs {
		fmt.Println(r.Name, r.Value)
	}
	fmt.Println(e.Vars(), err)
	// Output:
	// a (8,8):(8,1)
	//  (4,2):(16,4)
	// [a] <nil>
}

func ExampleLookup() {
	b, ok := eval.Lookup("compose")
	fmt.Printf("%s(%s), %v\n", b.Name, b.Params, ok)
	fmt.Println(b.Example, "=", b.Output)
	// Output:
	// composition(A, B), true
	// composition((6,2):(8,2), (4,3):(3,1)) = ((2,2),3):((24,2),8)
}

func ExampleBuiltins() {
	for _, b := range eval.Builtins() {
		if b.Group == "recast" {
			fmt.Printf("%s(%s)\n", b.Name, b.Params)
		}
	}
	// Output:
	// downcast(L, n)
	// recast_layout(new_bits, old_bits, L)
	// upcast(L, n)
}

func ExampleGroups() {
	fmt.Println(eval.Groups()[0])
	// Output: construction
}

func ExampleSuggest() {
	fmt.Println(eval.Suggest("colaesce", nil), eval.Suggest("layoutt", []string{"layout1"}))
	// Output: coalesce layout
}

// Nearest is [Suggest] among given names.
func ExampleNearest() {
	fmt.Printf("%q %q\n", eval.Nearest("acesses", []string{"expr", "accesses"}), eval.Nearest("tile", []string{"expr", "accesses"}))
	// Output: "accesses" ""
}

// Values report their kind, and the text of a value reads back as the same value.
func ExampleValue() {
	for _, src := range []string{"4", "(4,2)", "(_,2)", "8:1", "Sw<3,4,3>", "Sw<3,4,3> o 0 o 8:1", "<4,_>", "2 == 2", "image(4:2)"} {
		r, _ := eval.Eval(src)
		fmt.Println(r.Value.Kind(), r.Value)
	}
	// Output:
	// int 4
	// tuple (4,2)
	// coord (_,2)
	// layout 8:1
	// swizzle Sw<3,4,3>
	// composed_layout Sw<3,4,3> o 0 o 8:1
	// tile <4:1,_>
	// bool true
	// list {0,2,4,6}
}

// Instructions, numbers and maps over bits are values too.
func ExampleValue_instructions() {
	for _, src := range []string{
		`mma("SM70_8x8x4_F32F16F16F32_TN")`, `copy_atom("SM75_U32x4_LDSM_N", "f16")`, `tiled_mma("SM70_8x8x4_F32F16F16F32_TN", (2,2,1))`,
		"F2(9)", "(8,8):(F2(9),F2(1))", "matrix{rows=[[1,0],[1,1]]}", "linear{lane=[[1],[2]], out=[x:4]}",
		"swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}",
	} {
		r, err := eval.Eval(src)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r.Value.Kind(), r.Value)
	}
	// Output:
	// mma_atom mma("SM70_8x8x4_F32F16F16F32_TN")
	// copy_atom copy_atom("SM75_U32x4_LDSM_N","f16")
	// tiled_mma tiled_mma("SM70_8x8x4_F32F16F16F32_TN",(2,2,1):(1,2,0),<_,_,_>)
	// f2 F2(9)
	// xor_layout (8,8):(F2(9),F2(1))
	// matrix matrix{rows=[[1,0],[1,1]]}
	// linear_layout linear{lane=[[1],[2]], out=[x:4]}
	// encoding swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}
}

// If integers are known only at run time, values contain expressions.
func ExampleValue_dynamic() {
	for _, src := range []string{"(M,4)", "(M,4):(4,1)", "<M,4>", "Sw<2,0,2> o 0 o (M,4):(4,1)", "size((M,4)) == 8"} {
		r, err := eval.Eval(src)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%T %s\n", r.Value, r.Value)
	}
	// Output:
	// eval.DynamicTuple (M,4)
	// eval.DynamicLayout (M,4):(4,1)
	// eval.DynamicTile <M:1,4:1>
	// eval.DynamicComposed Sw<2,0,2> o 0 o (M,4):(4,1)
	// eval.DynamicBool 4M == 8
}

func ExampleKind() {
	r, err := eval.Eval("Sw<3,4,3> o 0 o (8,64):(64,1)")
	fmt.Println(r.Value.Kind() == eval.KindComposed, err)
	// Output: true <nil>
}

// At run time M is 256.
func ExampleEnv_Set() {
	var e eval.Env
	e.Set(map[string]int64{"M": 256})
	rs, err := e.Eval("zipped_divide((M,64):(64,1), <128,64>)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rs[0].Value)
	fmt.Println(rs[0].Static)
	// Output:
	// ((128,64),(2,1)):((64,1),(8192,0))
	// ((128,64),(?,1)):((64,1),(8192,0))
}

func ExampleEnv_Symbols() {
	var e eval.Env
	_, err := e.Eval("(?,K):(1,?)")
	fmt.Println(e.Symbols(), err)
	// Output: [?1 ?2 K] <nil>
}

func ExampleEnv_UnusedNames() {
	var e eval.Env
	e.Set(map[string]int64{"M": 256, "K": 64})
	_, err := e.Eval("M:1")
	fmt.Println(e.UnusedNames(), err)
	// Output: [K] <nil>
}

func ExampleEnv_Vars() {
	var e eval.Env
	_, err := e.Eval("let a = 4:1; a o 2:1")
	fmt.Println(e.Vars(), err)
	// Output: [a] <nil>
}

func ExampleError_Error() {
	_, err := eval.Eval("fooo(8:1)")
	fmt.Println(err)
	// Output: name: fooo is not a function of the language and not bound by let
}

// The error of the algebra has the code and the witness.
func ExampleError_Unwrap() {
	_, err := eval.Eval("(6,2):(1,7) o (3,2):(2,3)")
	if e, ok := errors.AsType[*cute.Error](err); ok {
		fmt.Println(e.Code, "at index", e.Witness.Index)
	}
	// Output: not_representable at index 5
}

func ExampleToLinear() {
	r, err := eval.Eval("(4,2):(2,1)")
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := eval.ToLinear(r.Value)
	fmt.Println(l, err)
	// Output:
	// - index=1 -> (2)
	//    index=2 -> (4)
	//    index=4 -> (1)
	// where out dims are: [offset (size 8)] <nil>
}

// Operands are traced before the operation that takes them.
func ExampleApplication() {
	var e eval.Env
	e.Trace(func(a eval.Application) { fmt.Println(a.Op, a.Args, a.Value) })
	_, err := e.Eval("coalesce((2,4):(1,2)) o 2:4")
	fmt.Println(err)
	// Output:
	// coalesce [(2,4):(1,2)] 8:1
	// composition [8:1 2:4] 2:4
	// <nil>
}

func ExampleBuiltin_TakesModes() {
	divide, _ := eval.Lookup("logical_divide")
	index, _ := eval.Lookup("idx2crd")
	fmt.Println(divide.TakesModes(), index.TakesModes())
	// Output: true false
}

// E is a function where it is called, and a run-time integer everywhere else: (M,E):(E,1).
func ExampleIsReserved() {
	fmt.Println(eval.IsReserved("coalesce"), eval.IsReserved("E"), eval.IsReserved("M"))
	// Output: true false false
}

func ExampleFits() {
	var env eval.Env
	results, err := env.Eval("(" + strings.Repeat("1,", 2000) + "2)")
	fmt.Println(len(results), err)
	fmt.Println(eval.Fits("draw", results[0].Value))
	// Output:
	// 1 <nil>
	// limit: draw: expected an operand of at most 1024 leaves, found 2001
}

func ExampleEnv_Limit() {
	var env eval.Env
	left := 3
	env.Limit(func() error {
		if left--; left < 0 {
			return errors.New("enough")
		}
		return nil
	})
	_, err := env.Eval("size((4,8))")
	fmt.Println(err)
	// Output:
	// limit: enough
}

// The condition of the first result is exact. The condition of the second result also excludes values for which that
// result is right.
func ExampleConditions() {
	for _, src := range []string{"(M,4):(1,100) o 8:1", "downcast<2>((M,8,4):(1,M,M*8))"} {
		r, err := eval.Eval(src)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(eval.Conditions(r.Value))
	}
	// Output:
	// valid only if 8 <= M or M | 8
	// valid if M != 1 (sufficient, not always necessary)
}

// A value of Go gets a name in programs.
func ExampleEnv_Bind() {
	var e eval.Env
	e.Bind("a", eval.Layout{Layout: cute.MustParse("(4,2):(2,1)")})
	rs, err := e.Eval("size(a)")
	fmt.Println(rs[0].Value, err)
	// Output: 8 <nil>
}

// The second argument of copy_atom names a type of elements.
func ExampleBuiltin_TextAt() {
	b, _ := eval.Lookup("copy_atom")
	fmt.Println(b.TextAt(0), b.TextAt(1), b.TextAt(2))
	// Output: copy type instruction
}

// tv accepts the names of MMA instructions in quotation marks.
func ExampleTextKind() {
	b, _ := eval.Lookup("tv")
	fmt.Println(b.TextAt(0) == eval.TextMMA)
	// Output: true
}
