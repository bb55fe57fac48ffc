package interp

import (
	"fmt"
	"strings"
	"unicode"

	"girih/internal/lang/eval"
	"girih/internal/lang/paste"
	"girih/internal/lang/program"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// This file reads expressions that belong to no supported language, using package paste: a C++ value in a Python
// program, or the output of another tool.

// orPasted returns the value that the reader finds in an expression that has no value, or err.
func (r *runner) orPasted(x program.Expr, err error) (Value, error) {
	v, failed := r.readPasted(x, err)
	if failed != nil {
		return nil, failed
	}
	return v, nil
}

// orPastedValue returns the value of f. If f fails, it returns the value that the reader finds in the text of x.
func (r *runner) orPastedValue(x program.Expr, f func() (Value, error)) (Value, error) {
	v, err := f()
	if err != nil {
		return r.orPasted(x, err)
	}
	return v, nil
}

// readPasted returns the value that the reader finds in the text of an expression whose evaluation failed with err. If
// the reader finds no value, readPasted returns err, possibly with a hint.
func (r *runner) readPasted(x program.Expr, err error) (Value, error) {
	fault := r.place(x, err)
	if fault.src != r.src || r.Paste == nil || fault.Code != "name" && fault.Code != "syntax" {
		return nil, faultError{fault}
	}
	text := r.src[x.Pos():x.End()]
	if item, ok := r.Paste.Item(text, fault.Error); ok {
		if v, ok := r.read(x, text, item, fault.Error); ok {
			return v, nil
		}
	}
	if item, ok := r.Paste.Rewrite(text); ok {
		if v, ok := r.read(x, text, item, fault.Error); ok {
			return v, nil
		}
	}
	return nil, faultError{fault}
}

// read evaluates the expression that the reader found. If the expression has no value, the fault gets a hint.
func (r *runner) read(x program.Expr, text string, item reader.Item, fault *report.Error) (Value, bool) {
	if lost := r.lost(text, item.Text); lost != "" {
		fault.Hint = fmt.Sprintf("read as %s, in which %s is no name: give it another one", item.Text, lost)
		return nil, false
	}
	tree, err := syntax.ParseWithin(item.Text, 0, len(item.Text))
	var v Value
	if err == nil {
		var restore func()
		if restore, err = r.lend(tree); err == nil {
			defer restore()
			v, err = r.solve(tree, x)
		}
	}
	if err != nil {
		if f, ok := err.(faultError); ok { //nolint:errorlint // faults are not wrapped
			err = &statedError{msg: f.Message}
		}
		if fault.Hint == "" {
			fault.Hint = paste.RecordHint(item, err)
		}
		return nil, false
	}
	if call, ok := x.(*program.Call); ok && lastName(call.Fn) == "make_tensor" {
		if w, text, err := r.tensorAtZero(v, call); err == nil {
			v, item.Text = w, text
		}
	}
	r.noteAt(x.Pos(), "read as "+item.Text)
	if a, ok := v.(Algebra); ok && r.lang == program.Cpp {
		a.mixed, a.late = true, &Algebra{} // the reader does not record which integers are static
		v = a
	}
	return v, true
}

// tensorAtZero evaluates make_tensor for a pointer with an unknown value, as in make_gmem_ptr(A) without an A. The
// tensor has the layout that the reader found, and its offsets start at 0.
func (r *runner) tensorAtZero(v Value, x *program.Call) (Value, string, error) {
	l, err := r.tree(v, x)
	if err != nil {
		return nil, "", err
	}
	v, err = r.solve(&syntax.Call{Name: "make_tensor", Args: []syntax.Arg{
		{KeyPos: -1, X: &syntax.Int{}}, {KeyPos: -1, X: l},
	}}, x)
	if err != nil {
		return nil, "", err
	}
	return v, v.(Algebra).Value.String(), nil //nolint:forcetypeassert // solve returns values of the algebra
}

// lost returns a bound name that occurs in a text but not in the expression that the reader made from the text. For
// example, the reader treats X as _, as in C++.
func (r *runner) lost(text, read string) string {
	has := make(map[string]bool)
	for _, w := range wordsOf(read) {
		has[w] = true
	}
	for _, w := range wordsOf(text) {
		if _, ok := eval.Lookup(w); !ok && !has[w] {
			if v, _ := r.lookupValue(w); v != nil {
				return w
			}
		}
		has[w] = true
	}
	return ""
}

// wordsOf returns the names and numbers in a text.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
