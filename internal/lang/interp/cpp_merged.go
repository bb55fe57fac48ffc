package interp

import (
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file notes where CuTe C++ prints a different layout because it does not know an integer at compile time. For
// example, coalesce(make_layout(make_shape(2, 3))) stays (2,3):(1,2) in C++, and is 6:1 here, which is the same
// function. With make_shape(Int<2>{}, Int<3>{}), C++ also gives _6:_1.

// A merging is a condition under which the result of an operation on a run-time operand may be a different layout in
// C++.
type merging uint8

const (
	always  merging = iota + 1
	shorter         // the result has fewer modes than the operand
	several         // the operand has several modes, or the result has a mode of extent 1
	stops           // C++ stops at the first mode that it does not know, so its result is a different function
)

var mergings = map[string]merging{
	"coalesce": shorter, "filter": shorter, "composition": several, "o": several, "complement": always,
	"logical_divide": several, "zipped_divide": several, "tiled_divide": several, "flat_divide": several,
	"right_inverse": stops, "left_inverse": stops, "max_common_layout": stops, "max_common_vector": stops,
}

// noteMerged adds this note for the value of a tree, if the condition of the operation holds.
func (r *runner) noteMerged(tree syntax.Expr, v Value, at program.Node) {
	name, first := firstOperand(tree)
	how := mergings[name]
	if how == 0 {
		return
	}
	of, result := Algebra{}, Algebra{}
	if id, ok := first.(*syntax.Ident); ok {
		of = r.temps[id.Name]
	}
	result, _ = v.(Algebra)
	if how != stops && result.late != nil && result.late.Value != nil { // the value is printed as C++ prints it
		return
	}
	if !of.mixed && !(how == always && result.mixed) {
		return
	}
	before, _ := leavesOf(of.Value)
	after, ones := leavesOf(result.Value)
	switch {
	case how == shorter && after >= before, how == several && before < 2 && !ones:
	case how == stops:
		r.noteAt(at.Pos(), "CuTe prints the value of "+name+" up to the first integer that C++ knows at run time only: this is "+
			"the value for Int<N>{}")
	default:
		r.noteAt(at.Pos(), "CuTe may print another layout of the same function: "+name+" keeps modes apart whose integers C++ "+
			"knows at run time only")
	}
}

// firstOperand returns the name and the first operand of an operation; first is nil if the tree is not an operation.
func firstOperand(tree syntax.Expr) (name string, first syntax.Expr) {
	switch x := tree.(type) {
	case *syntax.Call:
		if len(x.Args) > 0 {
			name, first = x.Name, x.Args[0].X
		}
	case *syntax.Binary:
		name, first = x.Op.String(), x.X
	}
	return name, first
}

// leavesOf returns the number of leaf modes of a layout, and whether one of them has extent 1.
func leavesOf(v eval.Value) (n int, ones bool) {
	l, ok := v.(eval.Layout)
	if !ok {
		return 0, false
	}
	for i := range l.LeafCount() {
		s, _ := l.Leaf(i)
		ones = ones || s == 1
	}
	return l.LeafCount(), ones
}
