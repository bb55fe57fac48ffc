package explain_test

import (
	"encoding/json"
	"fmt"

	"girih"
	"girih/explain"
)

// An explanation is data, and its JSON has the names that programs read.
func ExampleExplanation() {
	x := explain.Explanation{
		Op:      "composition",
		Expr:    "(6,2):(1,7) o 3:4",
		Rule:    "R(i) = A(B(i)) at every index i of B",
		Steps:   []explain.Step{{Say: "the stride 4 does not divide the extent 6", Figure: &explain.Figure{Kind: "composition", Expr: "(6,2):(1,7) o 3:4"}}},
		Failure: &explain.Failure{Code: "not_representable", Condition: "4 does not divide 6", Index: 2},
		Instead: []explain.Alternative{{Say: "a stride that divides 6", Expr: "(6,2):(1,7) o 3:2", Result: "3:2"}},
	}
	text, err := json.MarshalIndent(x, "", " ")
	fmt.Println(string(text), err)
	// Output:
	// {
	//  "op": "composition",
	//  "expr": "(6,2):(1,7) o 3:4",
	//  "rule": "R(i) = A(B(i)) at every index i of B",
	//  "steps": [
	//   {
	//    "say": "the stride 4 does not divide the extent 6",
	//    "figure": {
	//     "kind": "composition",
	//     "expr": "(6,2):(1,7) o 3:4"
	//    }
	//   }
	//  ],
	//  "failure": {
	//   "code": "not_representable",
	//   "condition": "4 does not divide 6",
	//   "index": 2,
	//   "message": ""
	//  },
	//  "instead": [
	//   {
	//    "say": "a stride that divides 6",
	//    "expr": "(6,2):(1,7) o 3:2",
	//    "result": "3:2"
	//   }
	//  ]
	// } <nil>
}

// halves is (6,2):(8,2) o 2:3.
func halves() explain.Operation {
	operand := func(text string) explain.Operand {
		return explain.Operand{Kind: "layout", Text: text, Value: girih.MustParse(text)}
	}
	return explain.Operation{Name: "composition", Args: []explain.Operand{operand("(6,2):(8,2)"), operand("2:3")}, Result: operand("2:24")}
}

// An operation with its operands and its result is taken apart.
func Example() {
	x := explain.Explain(halves())
	fmt.Println(x.Op, x.Expr, x.Result)
	// Output: composition (6,2):(8,2) o 2:3 2:24
}

func ExampleExplain() {
	x := explain.Explain(halves())
	fmt.Println(x.Op, x.Result, x.Failure == nil)
	// Output: composition 2:24 true
}

func ExampleExplanation_Text() {
	x := explain.Explanation{Op: "coalesce", Expr: "coalesce((2,4):(1,2))", Rule: "the layout of least rank that is the same function", Result: "8:1"}
	fmt.Print(x.Text(80))
	// Output:
	// coalesce
	//   coalesce((2,4):(1,2)) = 8:1
	//   rule    the layout of least rank that is the same function
}

func ExampleOperation() {
	op := halves()
	fmt.Println(op.Name, len(op.Args), op.Result.Text)
	// Output: composition 2 2:24
}

func ExampleOperation_Expr() {
	op := halves()
	fmt.Println(op.Expr())
	// Output: (6,2):(8,2) o 2:3
}

// A value with run-time integers is explained by its text.
func ExampleOperand() {
	o := explain.Operand{Kind: "layout", Text: "(M,8):(8,1)", Symbolic: true}
	x := explain.Explain(explain.Operation{Name: "layout", Args: []explain.Operand{o}, Result: o})
	fmt.Println(x.Result)
	// Output: (M,8):(8,1)
}
