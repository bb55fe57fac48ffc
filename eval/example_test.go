package eval_test

import (
	"errors"
	"fmt"

	"girih/eval"
)

func ExampleEval() {
	r, err := eval.Eval("(6,2):(8,2) o (4,3):(3,1)")
	fmt.Println(r.Value, r.Value.Kind(), err)
	// Output: ((2,2),3):((24,2),8) layout <nil>
}

// A note says what a reader of the value should know.
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
	// fooo(8:1) name false
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

// The values of the language know their kind, and their text reads back as themselves.
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
