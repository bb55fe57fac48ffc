package explain_test

import (
	"encoding/json"
	"fmt"

	"girih/cute"
	"girih/internal/why/explain"
)

// compose returns the operation A o B with its result or its error.
func compose(a, b cute.Layout) explain.Operation {
	operand := func(l cute.Layout) explain.Operand {
		return explain.Operand{Kind: "layout", Text: l.String(), Value: l}
	}
	op := explain.Operation{Name: "composition", Args: []explain.Operand{operand(a), operand(b)}}
	r, err := cute.Composition(a, b)
	if err != nil {
		op.Err = err.(*cute.Error)
		return op
	}
	op.Result = operand(r)
	return op
}

// The operation to explain has a name, operands, and a result or an error.
func Example() {
	x := explain.Explain(compose(cute.MustParse("(4,8):(8,1)"), cute.MustParse("4:2")))
	for _, s := range x.Steps {
		fmt.Println(s.Say)
	}
	fmt.Println(x.Check)
	// Output:
	// A = (4,8):(8,1) takes an index apart into 2 digits: digit i of x is x div worth mod extent.
	// Leaf 0 of B, 4:2, counts 4 steps of 2:
	// Its runs add digit by digit, because no digit carries:
	// In the shape of B, 4, each leaf replaced by its modes: (2,2):(16,1).
	// Every element on its way through both:
	// R(i) = A(B(i)) at all 4 indices
}

func ExampleExplain() {
	x := explain.Explain(compose(cute.MustParse("(6,2):(8,2)"), cute.MustParse("4:3")))
	fmt.Println(x.Expr, "=", x.Result)
	for _, line := range x.Steps[1].Lines {
		fmt.Println(line)
	}
	// Output:
	// (6,2):(8,2) o 4:3 = (2,2):(24,2)
	// step     digits  a step adds  runs                              mode
	// 3        (3,0)   3·8 = 24     2 of 4: digit 0 is full (2·3 of   2:24
	//                               6)
	// 6 = 1·6  (0,1)   2            2 of 2: to the end                2:2
}

func ExampleExplanation_Text() {
	l := cute.MustParse("((2,2),(1,3)):((1,2),(0,4))")
	r := cute.Coalesce(l)
	x := explain.Explain(explain.Operation{
		Name:   "coalesce",
		Args:   []explain.Operand{{Kind: "layout", Text: l.String(), Value: l}},
		Result: explain.Operand{Kind: "layout", Text: r.String(), Value: r},
	})
	fmt.Print(x.Text(100))
	// Output:
	// coalesce
	//   coalesce(((2,2),(1,3)):((1,2),(0,4))) = 12:1
	//   rule    The layout of least rank that is the same function: a mode of extent 1 goes, and of two
	//           neighbours s0:d0 and s1:d1 the second continues the first where d1 = s0·d0; they then are
	//           one mode (s0·s1):d0.
	//   1.      From left to right, each mode against the last one that is kept:
	//             mode   kept so far
	//             2:1    2:1           the first mode
	//             2:2    4:1           2 = 2·1: merges with 2:1 into 4:1
	//             1:0    4:1           extent 1: dropped
	//             3:4    12:1          4 = 4·1: merges with 4:1 into 12:1
	//   check   L(i) = R(i) at all 12 indices: 0 1 2 3 4 5 6 7 8 9 10 11
	//   source  CuTe, include/cute/layout.hpp, coalesce; uniqueness: Colfax, arXiv 2601.05972, 2.1.4.18
}

func ExampleFailure() {
	x := explain.Explain(compose(cute.MustParse("(6,2):(1,7)"), cute.MustParse("(3,2):(2,3)")))
	fmt.Println(x.Failure.Code)
	fmt.Println(x.Failure.Condition)
	fmt.Println(x.Failure.Pair)
	fmt.Println(x.Failure.Index, x.Failure.Coord)
	// Output:
	// not_representable
	// digit 0 reaches 2·2 + 1·3 = 7, its extent is 6: the leaves carry together into the next mode
	// the leaves 3:2 and 2:3 of B and the mode 6:1 of A
	// 5 (2,1)
}

func ExampleAlternative() {
	x := explain.Explain(compose(cute.MustParse("(4,3):(1,100)"), cute.MustParse("4:3")))
	for _, a := range x.Instead {
		fmt.Printf("%s\n  %s = %s\n", a.Say, a.Expr, a.Result)
	}
	// Output:
	// with the extent 2 instead of 4 in the leaf 4:3: 2:3
	//   (4,3):(1,100) o 2:3 = 2:3
	// with the stride 2 instead of 3 in the leaf 4:3: 4:2
	//   (4,3):(1,100) o 4:2 = (2,2):(2,100)
	// the function as it is, not as one layout but as a chain that is evaluated in two steps
	//   (4,3):(1,100) o 0 o 4:3 = (4,3):(1,100) o 0 o 4:3
}

func ExampleExplanation() {
	x := explain.Explain(explain.Operation{
		Name:   "min",
		Args:   []explain.Operand{{Kind: "int", Text: "8"}, {Kind: "int", Text: "3"}},
		Result: explain.Operand{Kind: "int", Text: "3"},
		Doc:    "Returns the smaller one.",
	})
	text, _ := json.Marshal(x)
	fmt.Println(string(text))
	// Output: {"op":"min","expr":"min(8, 3)","rule":"Returns the smaller one.","result":"3"}
}

func ExampleFigure() {
	x := explain.Explain(compose(cute.MustParse("8:1"), cute.MustParse("4:2")))
	for _, s := range x.Steps {
		if s.Figure != nil {
			fmt.Println(s.Figure.Kind, s.Figure.Expr)
		}
	}
	// Output: composition 8:1 o 4:2
}

func ExampleStep() {
	x := explain.Explain(compose(cute.MustParse("8:1"), cute.MustParse("4:2")))
	fmt.Println(x.Steps[0].Say)
	// Output: A = 8:1 is one mode, so nothing ever carries.
}

func ExampleOperation_Expr() {
	l := explain.Operand{Kind: "layout", Text: "(8,4):(1,8)"}
	fmt.Println((&explain.Operation{Name: "upcast", Template: []int64{4}, Args: []explain.Operand{l}}).Expr())
	fmt.Println((&explain.Operation{Name: "composition", Args: []explain.Operand{l, {Kind: "layout", Text: "4:2"}}}).Expr())
	// Output:
	// upcast<4>((8,4):(1,8))
	// (8,4):(1,8) o 4:2
}

func ExampleOperation_Symbolic() {
	op := explain.Operation{Name: "size", Args: []explain.Operand{{Kind: "layout", Text: "M:1", Symbolic: true}}}
	fmt.Println(op.Symbolic())
	// Output: true
}

func ExampleOperand() {
	t := cute.Ints(4, 8)
	fmt.Println(explain.Operand{Kind: "tuple", Text: t.String(), Value: t}.Text)
	// Output: (4,8)
}

func ExampleOperation() {
	op := compose(cute.MustParse("8:1"), cute.MustParse("4:2"))
	fmt.Println(op.Name, len(op.Args), op.Result.Text)
	// Output: composition 2 4:2
}

func ExampleCount() {
	fmt.Println(explain.Count(1, "copy"), explain.Count(2, "copy"), explain.Count(int64(0), "access"))
	// Output: 1 copy 2 copies 0 accesses
}
