package explain_test

import (
	"encoding/json"
	"fmt"

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
