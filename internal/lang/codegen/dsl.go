package codegen

import "fmt"

// This file writes the CuTe DSL of Python as its documentation does: cute.make_layout, cute.make_swizzle,
// cute.make_composed_layout(inner, offset, outer), cute.E, cute.assume, and tilers as tuples with None.

func writeDSL(n node) (string, error) {
	if err := wideSwizzle(DSL, n, 32); err != nil { // make_swizzle makes a type of the cute dialect
		return "", err
	}
	w := &pyWriter{names: newNames(n, pythonWords, pythonTypes), dialect: DSL, number: dslNumber, sum: dslSum}
	if err := w.dsl(n); err != nil {
		return "", err
	}
	return w.finish(), nil
}

func (w *pyWriter) dsl(n node) error {
	if done, err := w.plain(n, w.dsl); done {
		return err
	}
	switch n := n.(type) {
	case layout:
		w.WriteString("cute.make_layout(")
		if err := w.tree(n.shape); err != nil {
			return err
		}
		w.WriteString(", stride=")
		if err := w.tree(n.stride); err != nil {
			return err
		}
	case swizzle:
		fmt.Fprintf(w, "cute.make_swizzle(%d, %d, %d", n.b, n.m, n.s)
	case composed:
		if len(n.stages) > 1 {
			return refuse(DSL, "make_composed_layout takes a function, an offset and a layout, this chain has %d functions",
				len(n.stages))
		}
		w.WriteString("cute.make_composed_layout(")
		if err := w.dsl(n.stages[0].outer); err != nil {
			return err
		}
		w.WriteString(", ")
		if err := w.tree(n.stages[0].offset); err != nil {
			return err
		}
		w.WriteString(", ")
		if err := w.dsl(n.inner); err != nil {
			return err
		}
	default:
		return refuse(DSL, "there is no Python value for %s", describe(n))
	}
	w.WriteByte(')')
	return nil
}

// dslNumber writes a dynamic integer.
func dslNumber(w *pyWriter, x number) string { return w.assume(x, levelAdd) }

// assume states the divisor of an integer, which the DSL keeps in the integer's type. The comment states the
// width.
func (w *pyWriter) assume(x number, least int) string {
	div := x.facts.div
	if div <= 1 {
		return w.names.text(dslExpr, x, least)
	}
	x.facts.div = 0
	return fmt.Sprintf("cute.assume(%s, divby=%d)", w.names.text(dslExpr, x, levelAdd), div)
}

// dslSum writes a multiple of a unit coordinate: cute.E(1), 2 * cute.E([0, 1]), outermost index first.
func dslSum(w *pyWriter, s sum) (string, error) {
	if len(s) > 1 {
		return "", refuse(DSL, "a stride points along one axis, %s does not", leafText(s))
	}
	e := fmt.Sprintf("cute.E(%d)", s[0].path[0])
	if len(s[0].path) > 1 {
		e = "cute.E([" + indices(s[0].path, ", ") + "])"
	}
	x := s[0].scale
	switch {
	case x.formula != nil:
		return w.assume(x, levelMul) + " * " + e, nil
	case x.static == 1:
		return e, nil
	}
	return fmt.Sprintf("%d * %s", x.static, e), nil
}
