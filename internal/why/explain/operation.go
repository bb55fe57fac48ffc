package explain

import (
	"strings"

	"girih/cute"
)

// An Operation is one application of an operation of the language, the subject of an explanation.
type Operation struct {
	// Name is the function's name in the language: composition for A o B, eval for L(c), slice for L(c) with
	// underscores, or a sign such as == for an operator. For a value that no operation made, Name is the kind of the
	// value, such as layout; the value is then both the only operand and the result.
	Name     string
	Args     []Operand // the operands in the order of the function's parameters
	Template []int64   // the numbers in <...>
	Result   Operand   // has no value if there is an error
	Err      *cute.Error
	Notes    []string // remarks of the evaluation, such as padding
	Doc      string   // what the function returns, from the language's table; the rule if no explainer sets one
	// Until, if not nil, may end the work early; the explanation then has fewer steps.
	Until cute.Until
}

// An Operand is a value of the language.
type Operand struct {
	Kind string // int, tuple, coord, layout, composed_layout, swizzle, tile, list, ...
	Text string // the canonical text of the operand
	// Value is the operand as a cute.Tuple, cute.Coord, cute.Layout, cute.Composed, cute.Swizzle, cute.Tile,
	// linear.Layout, linear.XorLayout, f2.Matrix, atom.MMA, atom.CopyAtom, atom.TiledMMA, atom.TiledCopy, bool or
	// []Operand. It is nil for values that are explained by their text: values with run-time integers, names,
	// encodings.
	Value any
	// Symbolic says that the value contains integers known only at run time.
	Symbolic bool
}

// Expr returns the operation and its operands in the language: A o B, L(c), name<1,2>(x, y).
func (op *Operation) Expr() string {
	switch {
	case op.isValue():
		return op.Args[0].Text
	case op.Name == "composition" && len(op.Args) == 2:
		return op.Args[0].Text + " o " + op.Args[1].Text
	case op.Name == "make_composed_layout" && len(op.Args) == 3:
		return op.Args[0].Text + " o " + op.Args[1].Text + " o " + op.Args[2].Text
	case op.isOperator() && len(op.Args) == 2:
		return op.Args[0].Text + " " + op.Name + " " + op.Args[1].Text
	}
	var b strings.Builder
	b.WriteString(op.Name)
	if op.Template != nil {
		b.WriteByte('<')
		for i, n := range op.Template {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(itoa(n))
		}
		b.WriteByte('>')
	}
	b.WriteByte('(')
	for i, a := range op.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.Text)
	}
	b.WriteByte(')')
	return b.String()
}

// isOperator reports whether the operation is written between its operands.
func (op *Operation) isOperator() bool { return strings.Contains("+-*/%==", op.Name) }

// isValue reports whether op is a value that no operation made.
func (op *Operation) isValue() bool {
	return len(op.Args) == 1 && op.Name == op.Args[0].Kind && op.Err == nil && op.Args[0].Text == op.Result.Text
}

// Symbolic reports whether an operand contains integers known only at run time.
func (op *Operation) Symbolic() bool {
	for _, a := range op.Args {
		if a.Symbolic {
			return true
		}
	}
	return op.Result.Symbolic
}

// arg returns operand i if it has type T.
//
//go:noinline
func arg[T any](op *Operation, i int) (T, bool) {
	var none T
	if i < 0 || i >= len(op.Args) {
		return none, false
	}
	v, ok := op.Args[i].Value.(T)
	return v, ok
}

// layoutArg returns operand i as a layout. As in the language, a shape is its compact column-major layout.
func (op *Operation) layoutArg(i int) (cute.Layout, bool) {
	if l, ok := arg[cute.Layout](op, i); ok {
		return l, true
	}
	if t, ok := arg[cute.Tuple](op, i); ok {
		l, err := cute.LayoutLeft(t)
		return l, err == nil
	}
	return cute.Layout{}, false
}

// integerArg returns operand i as an integer.
func (op *Operation) integerArg(i int) (int64, bool) {
	t, ok := arg[cute.Tuple](op, i)
	if !ok {
		return 0, false
	}
	for t.Depth() > 0 && t.Rank() == 1 {
		t = t.Modes()[0]
	}
	return t.Int64()
}

// layoutResult returns the result if it is a layout.
//
//go:noinline
func (op *Operation) layoutResult() (cute.Layout, bool) { return arg[cute.Layout](op.result(), 0) }

// tilerArg returns operand i as a tiler.
func (op *Operation) tilerArg(i int) (cute.Tiler, bool) {
	if i >= len(op.Args) {
		return nil, false
	}
	switch v := op.Args[i].Value.(type) {
	case cute.Layout:
		return v, true
	case cute.Tuple:
		return v, true
	case cute.Tile:
		return v, true
	case cute.Coord:
		return v.Tiler(), true
	}
	return nil, false
}
