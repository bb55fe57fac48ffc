package codegen

import "fmt"

// This file writes pycute (python/pycute in the CUTLASS repository): Layout, Swizzle, ComposedLayout, and tuples.

func writePyCute(n node) (string, error) {
	w := &pyWriter{names: newNames(n, pythonWords, pythonTypes), dialect: PyCute, number: pyNumber, sum: pySum}
	if err := w.pycute(n); err != nil {
		return "", err
	}
	return w.finish(), nil
}

func (w *pyWriter) pycute(n node) error {
	if done, err := w.plain(n, w.pycute); done {
		return err
	}
	switch n := n.(type) {
	case layout:
		w.WriteString("Layout(")
		if err := w.tree(n.shape); err != nil {
			return err
		}
		w.WriteString(", ")
		if err := w.tree(n.stride); err != nil {
			return err
		}
	case swizzle:
		if n.s == 0 { // pycute's shiftl and shiftr then recurse into each other (python/pycute/swizzle.py)
			return refuse(PyCute, "Swizzle never returns for a shift of 0")
		}
		fmt.Fprintf(w, "Swizzle(%d, %d, %d", n.b, n.m, n.s)
	case composed:
		// pycute names the function LayoutB and the layout LayoutA, but in the same order.
		s := n.stages[0]
		if _, ok := s.offset.(number); !ok {
			return refuse(PyCute, "offsets are added as Python adds, and a sum of tuples is no coordinate")
		}
		w.WriteString("ComposedLayout(")
		if err := w.pycute(s.outer); err != nil {
			return err
		}
		w.WriteString(", ")
		if err := w.tree(s.offset); err != nil {
			return err
		}
		w.WriteString(", ")
		if err := w.pycute(rest(n)); err != nil {
			return err
		}
	default:
		return refuse(PyCute, "there is no value for %s", describe(n))
	}
	w.WriteByte(')')
	return nil
}

func pyNumber(w *pyWriter, x number) string {
	return w.names.text(pythonExpr, x, levelAdd)
}

func pySum(_ *pyWriter, s sum) (string, error) {
	return "", refuse(PyCute, "there are no coordinates such as %s, only integers", leafText(s))
}
