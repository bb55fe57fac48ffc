package syntax

import (
	"fmt"
	"strings"
)

// dump writes a tree as an S-expression, without positions. It is independent of Format, so that tests can use it to
// compare trees.
func dump(x Expr) string {
	switch n := x.(type) {
	case *Int:
		return fmt.Sprint(n.Value)
	case *Basis:
		return fmt.Sprintf("(basis %d %v)", n.Value, n.Path)
	case *Wildcard:
		return "_"
	case *Bool:
		return fmt.Sprint(n.Value)
	case *Ident:
		return n.Name
	case *Symbol:
		return fmt.Sprintf("(symbol %q %v)", n.Name, n.Facts)
	case *Scaled:
		return fmt.Sprintf("(scaled %d %s)", n.Value, dump(n.X))
	case *Along:
		return fmt.Sprintf("(along %s %v)", dump(n.X), n.Path)
	case *Tuple:
		return dumpAll("tuple", n.Elems)
	case *Layout:
		return dumpAll("layout", []Expr{n.Shape, n.Stride})
	case *Tiler:
		if n.Bits {
			return dumpAll("bits", n.Elems)
		}
		return dumpAll("tiler", n.Elems)
	case *Grid:
		text := "(grid"
		for _, row := range n.Rows {
			text += " " + dumpAll("row", row)
		}
		return text + ")"
	case *Record:
		var b strings.Builder
		fmt.Fprintf(&b, "(record %s", n.Name)
		for _, f := range n.Fields {
			fmt.Fprintf(&b, " %s=%s", f.Name, dump(f.X))
		}
		return b.String() + ")"
	case *Text:
		return fmt.Sprintf("(text %q)", n.Value)
	case *Lambda:
		return fmt.Sprintf("(lambda %q)", n.Text)
	case *List:
		return dumpAll("list", n.Elems)
	case *Swizzle:
		return fmt.Sprintf("(swizzle %d %d %d)", n.B, n.M, n.S)
	case *Call:
		return dumpCall(n)
	case *Apply:
		return dumpAll("apply", append([]Expr{n.Fn}, n.Args...))
	case *Compose:
		return dumpAll("compose", n.Operands)
	case *Equation:
		return dumpAll("equation", []Expr{n.X, n.Y})
	case *Unary:
		return dumpAll("neg", []Expr{n.X})
	case *Binary:
		return dumpAll(n.Op.String(), []Expr{n.X, n.Y})
	}
	return fmt.Sprintf("%T", x)
}

func dumpAll(head string, list []Expr) string {
	var b strings.Builder
	b.WriteString("(" + head)
	for _, x := range list {
		b.WriteString(" " + dump(x))
	}
	return b.String() + ")"
}

func dumpCall(n *Call) string {
	var b strings.Builder
	b.WriteString("(call ")
	if n.Method {
		b.WriteString(".")
	}
	b.WriteString(n.Name)
	if n.Dual {
		b.WriteString("^*")
	}
	if n.Modes != nil {
		fmt.Fprintf(&b, "%v", n.Modes)
	}
	if len(n.Template) > 0 {
		b.WriteString(dumpAll("<>", n.Template))
	}
	for _, a := range n.Args {
		b.WriteString(" ")
		if a.Key != "" {
			b.WriteString(a.Key + "=")
		}
		b.WriteString(dump(a.X))
	}
	return b.String() + ")"
}

// ungroup returns a copy of the tree without tuples of one element, because parentheses that Format added are parsed as
// such.
func ungroup(x Expr) Expr {
	switch n := x.(type) {
	case *Tuple:
		if len(n.Elems) == 1 {
			return ungroup(n.Elems[0])
		}
		return &Tuple{Elems: ungroupAll(n.Elems)}
	case *Layout:
		return &Layout{Shape: ungroup(n.Shape), Stride: ungroup(n.Stride)}
	case *Tiler:
		return &Tiler{Elems: ungroupAll(n.Elems), Bits: n.Bits}
	case *Grid:
		g := &Grid{}
		for _, row := range n.Rows {
			g.Rows = append(g.Rows, ungroupAll(row))
		}
		return g
	case *Call:
		c := &Call{Name: n.Name, Modes: n.Modes, Template: n.Template, Method: n.Method}
		for _, a := range n.Args {
			c.Args = append(c.Args, Arg{Key: a.Key, X: ungroup(a.X)})
		}
		return c
	case *Apply:
		return &Apply{Fn: ungroup(n.Fn), Args: ungroupAll(n.Args)}
	case *Compose:
		return &Compose{Operands: ungroupAll(n.Operands)}
	case *Unary:
		return &Unary{Op: n.Op, X: ungroup(n.X)}
	case *Binary:
		return &Binary{Op: n.Op, X: ungroup(n.X), Y: ungroup(n.Y)}
	}
	return x
}

func ungroupAll(list []Expr) []Expr {
	var out []Expr
	for _, x := range list {
		out = append(out, ungroup(x))
	}
	return out
}
