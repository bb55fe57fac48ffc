package interp

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/paste"
	"girih/internal/lang/program"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file evaluates the expressions of a program and binds names to their values.

// result is the name to which a function binds its value. Programs cannot use it.
const result = " result"

// bind binds a name to the value of an expression, or of a call of a function of the program.
func (r *runner) bind(name string, x program.Expr) *report.Error {
	if d, c := r.calledDef(x); d != nil {
		return r.call(d, c, name)
	}
	_, fault := r.value(name, x)
	return fault
}

// unpack binds names to the modes of a value, or to the values of a list.
func (r *runner) unpack(st *program.Unpack) *report.Error {
	env := r.Env
	defer env.Forget(result)
	if fault := r.bind(result, st.X); fault != nil {
		return fault
	}
	whole, err := env.Value(&syntax.Ident{Name: result})
	list, isList := whole.Value.(eval.List)
	of := []syntax.Arg{{KeyPos: -1, X: &syntax.Ident{Name: result}}}
	n := len(list)
	if err == nil && !isList {
		var v eval.Result
		if v, err = env.Value(&syntax.Call{Name: "rank", Qualified: true, Args: of}); err == nil {
			n, _ = strconv.Atoi(v.Value.String())
		}
	}
	if err == nil && n != len(st.Names) {
		return r.fault(cute.CodeRank, st.X.Pos, st.X.End,
			fmt.Sprintf("expected %d values to unpack, found %d", len(st.Names), n))
	}
	for i, name := range st.Names {
		if err != nil {
			break
		}
		if name == "_" {
			continue
		}
		if isList {
			env.Bind(name, list[i])
			continue
		}
		_, err = env.Assign(name, &syntax.Call{
			Name: "get", Qualified: true, Template: []syntax.Expr{&syntax.Int{Value: int64(i)}}, Args: of,
		})
	}
	return r.emit(err, st.X)
}

// alone runs an expression statement: outside functions and loops its value is printed.
func (r *runner) alone(st *program.Value) *report.Error {
	x := st.X
	if d, c := r.calledDef(x); d != nil {
		fault := r.call(d, c, result)
		defer r.Env.Forget(result)
		if fault != nil || !r.isBound(result) || r.nested > 0 {
			return fault
		}
		x = program.Expr{Pos: x.Pos, End: x.Pos}
	}
	v, fault := r.value("", x)
	if fault != nil || r.nested > 0 {
		return fault
	}
	r.Keep(v.Value)
	text := v.Value.String() + "\n"
	if fault = r.prints(text, x); fault != nil {
		return fault
	}
	return r.emit(r.out.line(text), x)
}

// isBound reports whether a name has a value.
func (r *runner) isBound(name string) bool {
	_, err := r.Env.Value(&syntax.Ident{Name: name})
	return err == nil
}

// emit returns the error of the output, at x.
func (r *runner) emit(err error, x program.Expr) *report.Error {
	if err == nil {
		return nil
	}
	fault := report.Of(err)
	fault.Pos, fault.End = x.Pos, x.End
	return fault
}

// value evaluates an expression, and binds name to the value unless name is "". Text that the language does not
// understand may be a value of C++ or Python that the reader finds. The value of an empty expression is the last
// result.
func (r *runner) value(name string, x program.Expr) (eval.Result, *report.Error) {
	tree, err := syntax.Expr(&syntax.Ident{Name: result}), error(nil)
	if x.Text != "" || x.End > x.Pos {
		tree, err = syntax.ParseWithin(r.src, x.Pos, x.End)
	}
	var v eval.Result
	if err == nil {
		if fault := r.nesting(tree); fault != nil {
			return v, fault
		}
		v, err = r.assign(name, tree)
	}
	if err == nil {
		r.note(x.Pos, v)
		return v, nil
	}
	fault := report.Of(err)
	if e, ok := err.(*syntax.Error); ok { //nolint:errorlint // ParseWithin returns no other
		fault.Message, fault.Incomplete = e.Msg, false
	}
	if item, ok := r.Paste.Item(x.Text, fault); ok {
		if v, wrong := r.read(name, x, item, fault); wrong == nil {
			return v, nil
		}
	}
	if item, ok := r.Paste.Rewrite(x.Text); ok {
		return r.read(name, x, item, fault)
	}
	return v, fault
}

// read evaluates the expression that the reader found, as value does. If it has no value, read returns the fault, with
// a hint.
func (r *runner) read(
	name string, x program.Expr, item reader.Item, fault *report.Error,
) (v eval.Result, wrong *report.Error) {
	if lost := r.lost(x.Text, item.Text); lost != "" {
		fault.Hint = fmt.Sprintf("read as %s, in which %s is no name: give it another one", item.Text, lost)
		return v, fault
	}
	if v, ok := r.tensor(name, x, item.Text); ok {
		return v, nil
	}
	tree, err := syntax.ParseWithin(item.Text, 0, len(item.Text))
	if err == nil {
		v, err = r.assign(name, tree)
	}
	if err != nil {
		if fault.Hint == "" {
			fault.Hint = paste.RecordHint(item, err)
		}
		return v, fault
	}
	r.note(x.Pos, v)
	return v, nil
}

// makesTensor matches the beginning of a tensor with a pointer; the reader keeps only its layout.
const makesTensor = pattern.Pattern(`^(?:cute(?:::|\.))?make_tensor\s*[<(]`)

// tensor binds a name to the tensor whose layout the reader found in an expression, so that its parts have addresses. A
// tensor with a layout of run-time integers stays a layout.
func (r *runner) tensor(name string, x program.Expr, layout string) (v eval.Result, ok bool) {
	if !makesTensor.MatchString(strings.TrimSpace(x.Text)) || strings.HasPrefix(layout, "make_tensor(") {
		return v, false
	}
	text := "make_tensor(" + layout + ")"
	tree, err := syntax.ParseWithin(text, 0, len(text))
	if err == nil {
		v, err = r.assign(name, tree)
	}
	if err == nil {
		r.note(x.Pos, v)
	}
	return v, err == nil
}

// lost returns a bound name that is in a text but not in the expression that the reader made from the text: in C++, X
// is _.
func (r *runner) lost(text, read string) string {
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	}
	has := make(map[string]bool)
	for _, w := range words(read) {
		has[w] = true
	}
	for _, w := range words(text) {
		if _, ok := eval.Lookup(w); !ok && !has[w] && r.isBound(w) {
			return w
		}
		has[w] = true
	}
	return ""
}

// assign evaluates a tree and binds name to the value unless name is "". If the tree is a single name, that name must
// be bound.
func (r *runner) assign(name string, tree syntax.Expr) (eval.Result, error) {
	if _, ok := tree.(*syntax.Ident); ok && name != "" {
		if v, err := r.Env.Value(tree); err != nil {
			return v, err
		}
	}
	return r.Env.Assign(name, tree)
}

// note keeps the notes on a value, each only once for a line. print shows the text at trace time.
func (r *runner) note(pos int, v eval.Result) {
	for _, n := range v.Notes {
		if v.Static != "" && strings.HasPrefix(n, "at trace time") {
			continue
		}
		line, _ := syntax.Position(r.src, pos)
		text := fmt.Sprintf("line %d: %s", line, n)
		if !r.noted[text] && len(r.notes) < maxNotes {
			r.noted[text] = true
			r.notes = append(r.notes, text)
		}
	}
}

// maxNotes limits the notes on a program.
const maxNotes = 64
