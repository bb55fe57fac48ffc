package program

// Walk calls visit for an expression and everything within it, parents first. The parts of an expression for which
// visit returns false are skipped. The body of a lambda is not walked.
func Walk(x Expr, visit func(Expr) bool) {
	if x == nil || !visit(x) {
		return
	}
	for _, y := range parts(x) {
		Walk(y, visit)
	}
}

// parts returns the expressions directly within an expression.
func parts(x Expr) []Expr {
	switch x := x.(type) {
	case *Attr:
		return []Expr{x.X}
	case *Index:
		return append([]Expr{x.X}, x.Args...)
	case *Slice:
		return present(x.Low, x.High, x.Step)
	case *Call:
		list := present(x.Fn, x.Grid, x.Block)
		for _, a := range x.Args {
			list = append(list, a.X)
		}
		return list
	case *Cast:
		return []Expr{x.Type, x.X}
	case *Template:
		return append([]Expr{x.X}, x.Args...)
	case *TypeOf:
		return []Expr{x.X}
	}
	return operands(x)
}

// operands returns the operands of an operator, or the parts of another expression without a name before them.
func operands(x Expr) []Expr {
	switch x := x.(type) {
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.X, x.Y}
	case *Compare:
		return x.X
	case *Logic:
		return []Expr{x.X, x.Y}
	case *Cond:
		return []Expr{x.Cond, x.Then, x.Else}
	case *Star:
		return []Expr{x.X}
	case *Update:
		return []Expr{x.Target, x.X}
	case *Step:
		return []Expr{x.X}
	case *Walrus:
		return []Expr{x.Target, x.X}
	case *Yield:
		return present(x.X)
	}
	return elements(x)
}

// elements returns the expressions within a list of any kind, or within a text.
func elements(x Expr) (list []Expr) {
	switch x := x.(type) {
	case *Tuple:
		return x.Elems
	case *List:
		return x.Elems
	case *Set:
		return x.Elems
	case *Make:
		return append([]Expr{x.Type}, x.Elems...)
	case *Dict:
		return append(present(x.Keys...), x.Values...)
	case *Comprehension:
		list = present(x.Key, x.X)
		for _, l := range x.Loops {
			list = append(append(list, l.Target, l.X), l.Ifs...)
		}
	case *Text:
		for _, p := range x.Parts {
			list = append(list, present(p.X)...)
		}
	}
	return list
}

// present returns the expressions that are not nil.
func present(xs ...Expr) (list []Expr) {
	for _, x := range xs {
		if x != nil {
			list = append(list, x)
		}
	}
	return list
}
