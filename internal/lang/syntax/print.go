package syntax

import "strconv"

// Format returns the canonical text of x: no spaces within lists, one space around infix operators, tilers as <a,b>,
// swizzles as Sw<B,M,S>, and integers without their static spelling.
//
// For a tree from the parser, parsing the text again gives an equal tree except for positions, Int.Static and
// Tuple.TrailingComma and Tuple.Braced. In any other tree, Format adds parentheses where the text would otherwise mean
// something else; the parser returns those as tuples of one element.
func Format(x Expr) string {
	var w printer
	w.expr(x, place{})
	return string(w.buf)
}

// String returns the canonical text, as Format does.
func (x *Int) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Basis) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Wildcard) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Bool) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Ident) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Symbol) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Scaled) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Along) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Tuple) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Layout) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Tiler) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Grid) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Record) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Text) String() string { return Format(x) }

// String returns the source.
func (x *Lambda) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *List) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Swizzle) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Call) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Apply) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Compose) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Equation) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Unary) String() string { return Format(x) }

// String returns the canonical text, as Format does.
func (x *Binary) String() string { return Format(x) }

// printer appends text to buf.
type printer struct {
	buf []byte
}

// expr appends x, in parentheses if its place in the expression needs them.
func (w *printer) expr(x Expr, at place) {
	if at.encloses(x) {
		w.buf = append(w.buf, '(')
		w.expr(x, place{})
		w.buf = append(w.buf, ')')
		return
	}
	switch n := x.(type) {
	case *Scaled:
		w.literal(n.Value, at)
		w.expr(n.X, place{least: precPostfix, loop: precPostfix})
	case *Along:
		w.expr(n.X, place{least: precPostfix, loop: precPostfix, minus: at.minus})
		w.path(n.Path)
	case *Layout:
		w.expr(n.Shape, place{least: precSum, loop: precSum})
		w.text(":")
		w.expr(n.Stride, place{least: precSum, loop: precSum, stride: true})
	case *Call:
		w.call(n, at)
	case *Apply:
		w.expr(n.Fn, at.calleeAt(applyCallee))
		w.list("(", n.Args, ")")
	case *Compose:
		w.compose(n, at)
	case *Equation:
		w.expr(n.X, place{})
		w.text(" = ")
		w.expr(n.Y, place{})
	case *Unary:
		w.text("-")
		w.expr(n.X, place{least: precUnary, loop: precUnary, stride: at.stride, minus: true})
	case *Binary:
		w.binary(n, at)
	default:
		w.brackets(x, at)
	}
}

// brackets appends a node that begins and ends with a bracket, or a node without operands. Only a literal depends on
// its place.
func (w *printer) brackets(x Expr, at place) {
	switch n := x.(type) {
	case *Tuple:
		w.tuple(n)
	case *Tiler:
		w.tiler(n)
	case *Grid:
		w.grid(n)
	case *Record:
		w.record(n)
	case *List:
		w.list("[", n.Elems, "]")
	default:
		w.primary(x, at)
	}
}

// primary appends a node without operands.
func (w *printer) primary(x Expr, at place) {
	switch n := x.(type) {
	case *Int:
		w.literal(n.Value, at)
	case *Basis:
		w.literal(n.Value, at)
		w.path(n.Path)
	case *Wildcard:
		w.text("_")
	case *Bool:
		w.buf = strconv.AppendBool(w.buf, n.Value)
	case *Ident:
		w.text(n.Name)
	case *Symbol:
		w.symbol(n)
	case *Text:
		w.text(`"` + n.Value + `"`)
	case *Lambda:
		w.text(n.Text)
	case *Swizzle:
		w.swizzle(n)
	default:
		w.text("<nil>")
	}
}

//go:noinline
func (w *printer) text(s string) { w.buf = append(w.buf, s...) }

func (w *printer) int(v int64) { w.buf = strconv.AppendInt(w.buf, v, 10) }

// literal prints a zero after a minus sign as -0, because a literal would include the sign before it. So --0 stays the
// negation of a literal.
func (w *printer) literal(v int64, at place) {
	if at.minus && v == 0 {
		w.text("-")
	}
	w.int(v)
}

func (w *printer) path(modes []int) {
	for _, mode := range modes {
		w.text("@")
		w.int(int64(mode))
	}
}

// tuple keeps the trailing comma of a single element, because only the comma makes it a tuple rather than grouping.
func (w *printer) tuple(n *Tuple) {
	if len(n.Elems) == 1 && n.TrailingComma {
		w.list("(", n.Elems, ",)")
		return
	}
	w.list("(", n.Elems, ")")
}

func (w *printer) list(before string, elems []Expr, after string) {
	w.text(before)
	for i, x := range elems {
		if i > 0 {
			w.text(",")
		}
		w.expr(x, place{})
	}
	w.text(after)
}

func (w *printer) swizzle(n *Swizzle) {
	w.text("Sw<")
	w.int(n.B)
	w.text(",")
	w.int(n.M)
	w.text(",")
	w.int(n.S)
	w.text(">")
}

func (w *printer) call(n *Call, at place) {
	args := n.Args
	if n.Index && len(args) > 0 {
		w.index(n, at)
		return
	}
	if n.Dual && len(args) == 1 {
		w.expr(args[0].X, at.calleeAt(dualCallee))
		w.text("^*")
		return
	}
	if n.Method && len(args) > 0 {
		w.expr(args[0].X, at.calleeAt(methodCallee))
		w.text(".")
		args = args[1:]
	}
	w.text(n.Name)
	for i, m := range n.Modes {
		if i == 0 {
			w.text("[")
		} else {
			w.text(",")
		}
		w.int(int64(m))
	}
	if len(n.Modes) > 0 {
		w.text("]")
	}
	if len(n.Template) > 0 {
		w.list("<", n.Template, ">")
	}
	w.text("(")
	for i, a := range args {
		if i > 0 {
			w.text(",")
		}
		if a.Key != "" {
			w.text(a.Key)
			w.text("=")
		}
		w.expr(a.X, place{})
	}
	w.text(")")
}

func (w *printer) index(n *Call, at place) {
	w.expr(n.Args[0].X, at.calleeAt(methodCallee))
	list := n.Template
	for _, a := range n.Args[1:] {
		list = append(list, a.X)
	}
	w.list("[", list, "]")
}

func (w *printer) compose(n *Compose, at place) {
	for i, x := range n.Operands {
		if i == 0 {
			w.expr(x, place{least: precLayout, loop: at.loop})
			continue
		}
		w.text(" o ")
		w.expr(x, place{least: precLayout, loop: precLayout})
	}
}

// binary puts spaces around the operator because "_-3" would be a static integer.
func (w *printer) binary(n *Binary, at place) {
	level := n.Op.prec()
	w.expr(n.X, place{least: level, loop: at.loop, stride: at.stride})
	w.text(" ")
	w.text(n.Op.String())
	w.text(" ")
	w.expr(n.Y, place{least: level + 1, loop: level + 1, stride: at.stride})
}
