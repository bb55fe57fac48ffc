// Package explain explains results: the rule of an operation and the steps with their numbers. For an operation that
// fails, the package names the coordinate of the failure, and similar requests that work. An [Explanation] is data:
// package service writes this data as text and JSON, and draws the figures.
//
// # Use
//
// The caller evaluates the operation first, and passes the operands with the result or the error:
//
//	a, b := cute.MustParse("(6,2):(8,2)"), cute.MustParse("4:3")
//	r, err := cute.Composition(a, b)
//	... // an Operation{Name: "composition", Args: the operands a and b, Result: r, Err: err}
//	fmt.Print(explain.Explain(op).Text(100))
//
//	composition
//	  (6,2):(8,2) o 4:3  =  (2,2):(24,2)
//	  rule    R(c) = A(B(c)) at every coordinate c of B's shape ...
//	  1.      A = (6,2):(8,2) takes an index apart into 2 digits ...
//	  2.      Leaf 0 of B, 4:3, counts 4 steps of 3: ...
//
// The example of this package shows the complete code.
//
// # Order of reading
//
// operation.go and explanation.go are the input and the output. explain.go maps names to explainers: an explainer looks
// at the operands, sets the rule, and adds steps with say, a check with verify or confirm (check.go), and alternatives
// with instead. text.go formats the result. coalesce.go is the smallest complete explainer.
//
// Most explainers for layouts describe a [cute.Derivation], the steps that the algebra records. These explainers are in
// coalesce.go, composition.go with digits.go, complement.go, divide.go and product.go, inverse.go, recast.go,
// evaluate.go. leaves.go formats leaves and columns. The other explainers compute their figures themselves:
// questions.go and shapes.go for questions, swizzle*.go, linear*.go for maps over bits, xor.go for F2 strides, mma.go,
// tv*.go and tiled*.go for instructions and the tiled MMAs and copies built from them, bank.go for shared memory.
package explain
