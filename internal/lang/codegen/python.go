package codegen

import (
	"fmt"
	"strings"
)

// This file defines what the two Python dialects share: Python's tuples, and None for the underscore.

// A pyWriter writes Python. leaf writes a leaf that is neither a static integer nor the underscore.
type pyWriter struct {
	strings.Builder
	names   *names
	dialect Dialect
	number  func(w *pyWriter, x number) string
	sum     func(w *pyWriter, s sum) (string, error)
}

// tree writes a tree. A tuple of one element has a comma after it.
func (w *pyWriter) tree(t tree) error {
	switch t := t.(type) {
	case number:
		if t.formula == nil {
			fmt.Fprintf(w, "%d", t.static)
			return nil
		}
		w.WriteString(w.number(w, t))
	case sum:
		text, err := w.sum(w, t)
		w.WriteString(text)
		return err
	case open:
		w.WriteString("None")
	case branch:
		return w.items(len(t), func(i int) error { return w.tree(t[i]) })
	}
	return nil
}

// items writes a Python tuple.
func (w *pyWriter) items(n int, item func(i int) error) error {
	w.WriteByte('(')
	for i := range n {
		if i > 0 {
			w.WriteString(", ")
		}
		if err := item(i); err != nil {
			return err
		}
	}
	if n == 1 {
		w.WriteByte(',')
	}
	w.WriteByte(')')
	return nil
}

// plain writes a value that is the same in both dialects, and reports whether n is one.
func (w *pyWriter) plain(n node, each func(node) error) (bool, error) {
	switch n := n.(type) {
	case boolean:
		if n {
			w.WriteString("True")
		} else {
			w.WriteString("False")
		}
	case keep:
		w.WriteString("None")
	case tuple:
		return true, w.tree(n.tree)
	case tile:
		return true, w.items(len(n), func(i int) error { return each(n[i]) })
	case list:
		return true, w.items(len(n), func(i int) error { return each(n[i]) })
	default:
		return false, nil
	}
	return true, nil
}

// finish returns the text with its comment.
func (w *pyWriter) finish() string { return w.String() + w.names.comment("#") }
