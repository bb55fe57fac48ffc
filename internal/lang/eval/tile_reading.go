package eval

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file decides how a tuple of layouts in the place of a tiler is read. The CuTe DSL and PyCuTe write a tiler as a
// Python tuple, and CuTe prints it so, but mathematical texts write (L1,L2) for the concatenation. girih reads the
// tuple as a tiler, and adds a note if the other reading has another answer.

// writtenTuple returns x if x is a tuple in parentheses, or such a tuple to which let has bound x.
func (e *Env) writtenTuple(x syntax.Expr) *syntax.Tuple {
	switch x := x.(type) {
	case *syntax.Tuple:
		if isGroup(x) {
			return e.writtenTuple(x.Elems[0])
		}
		return x
	case *syntax.Ident:
		return e.tuples[x.Name]
	}
	return nil
}

// concatenation returns x, whose value v is a tiler, read as a concatenation, and the text of that layout. ok is false
// if an element is not a layout, such as _ or <4,2>.
func (e *Env) concatenation(x syntax.Expr, v Value) (l Value, text string, ok bool) {
	var modes []Value
	switch t := v.(type) {
	case Layout, DynamicLayout:
		return v, v.String(), true
	case Tuple: // a shape becomes its compact layout
		compact, err := cute.LayoutLeft(t.Tuple)
		return Layout{compact}, compact.String(), err == nil
	case Tile:
		for _, m := range t.Modes() {
			modes = append(modes, tilerValue(m))
		}
	case DynamicTile:
		for _, m := range t.Modes() {
			if l, ok := m.Layout(); ok {
				modes = append(modes, DynamicLayout{l})
			}
		}
	}
	w := e.writtenTuple(x)
	if w == nil || len(w.Elems) != len(modes) || len(modes) == 0 {
		return nil, "", false
	}
	texts := make([]string, len(modes))
	for i, m := range modes {
		if modes[i], texts[i], ok = e.concatenation(w.Elems[i], m); !ok {
			return nil, "", false
		}
	}
	l, err := e.builtin(x, "make_layout", modes...)
	return l, "make_layout(" + strings.Join(texts, ",") + ")", err == nil
}

// asTilerRead returns the answer v, or the error, of a call that takes a tiler. f computes the answer for the
// concatenation of a tiler that is a tuple of layouts. If that answer differs, a note says how the tuple was read. If
// only the concatenation has an answer, the error has a hint.
func (c *call) asTilerRead(v Value, err error, f func(Value) (Value, error)) (Value, error) {
	e, x, t := c.env, c.place(c.fn.tiler), c.args[c.fn.tiler]
	switch t.(type) {
	case Tile, DynamicTile:
	default:
		return v, err
	}
	l, text, ok := e.concatenation(x, t)
	if !ok {
		return v, err
	}
	notes, whole := len(e.notes), len(e.whole)
	other, failed := f(l)
	same := failed == nil && err == nil && e.sameFunction(x, v, other)
	e.notes, e.whole = e.notes[:notes], e.whole[:whole]
	switch {
	case err != nil && failed == nil:
		if g, ok := asGirih(err); ok {
			hinted := *g
			hinted.Hint = fmt.Sprintf("%s is taken as a tiler, by mode; %s is the concatenation, and gives %s",
				e.writtenTuple(x), text, other)
			if placed, ok := errors.AsType[*Error](err); ok {
				return nil, &Error{Err: &hinted, Pos: placed.Pos, End: placed.End}
			}
			return nil, &hinted
		}
	case err != nil || same:
	case failed != nil:
		e.note("%s is taken as the tiler %s, by mode; concatenated, as %s, it is refused", e.writtenTuple(x), t, text)
	default:
		condition := ""
		if g := guardOf(other); len(g) > 0 {
			condition = " if " + g.String()
		}
		e.note("%s is taken as the tiler %s, by mode; concatenated, as %s, it gives %s%s",
			e.writtenTuple(x), t, text, other, condition)
	}
	return v, err
}

// sameFunction reports whether two answers are known to be the same function of indices.
func (e *Env) sameFunction(x syntax.Expr, a, b Value) bool {
	if a.String() == b.String() {
		return true
	}
	same, err := e.builtin(x, "equivalent", a, b)
	return err == nil && same == Bool(true)
}
