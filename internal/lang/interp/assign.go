package interp

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements assignments: their targets, and the unpacking of values into several targets.

// assignment runs TARGET = X.
func (r *runner) assignment(st *program.Assign) error {
	if st.Ref {
		return r.bindReferences(st)
	}
	if r.isQuestion(st) {
		return r.alone(&program.Value{Span: st.Span, X: &program.Girih{Span: st.Span}})
	}
	if st.X == nil {
		return nil // a field of a class without a value
	}
	v, err := r.value(st.X)
	if err != nil && st.Import {
		return r.importAbsent(st)
	}
	if err != nil {
		return err
	}
	for _, t := range st.Targets {
		if err := r.store(t, v); err != nil {
			return r.at(t, err)
		}
		if name, ok := t.(*program.Name); ok && r.traces() {
			r.tracing.tracer.NameVariable(name.Name, v, r.commentAfter(st.End()))
		}
	}
	return nil
}

// importAbsent binds a name that an import asks of a module, if the module does not have the name here. A name of CuTe
// may still be known without the module.
func (r *runner) importAbsent(st *program.Assign) error {
	a, ok := st.X.(*program.Attr)
	if !ok {
		return nil
	}
	path, _ := r.modulePath(a.X)
	target, isName := st.Targets[0].(*program.Name)
	if isName && path != "" && !isCuTe(path) {
		r.assign(target.Name, absent(path))
	}
	return nil
}

// store assigns a value to a target.
func (r *runner) store(target program.Expr, v Value) error {
	if r.lang == program.Cpp {
		return r.bindTo(target, v, r.declareValue)
	}
	return r.bindTo(target, v, r.assign)
}

// declareValue binds a name in the innermost scope.
func (r *runner) declareValue(name string, v Value) { r.declare(name, &cell{v: v}) }

// bindTo assigns a value to a target; set binds the names in it.
func (r *runner) bindTo(target program.Expr, v Value, set func(name string, v Value)) error {
	switch t := target.(type) {
	case *program.Name:
		set(t.Name, v)
		return nil
	case *program.Tuple:
		return r.unpack(t.Elems, v, set)
	case *program.List:
		return r.unpack(t.Elems, v, set)
	case *program.Index:
		x, err := r.value(t.X)
		if err != nil {
			return err
		}
		i, err := r.index(t)
		if err != nil {
			return err
		}
		return r.at(t, r.setIndex(x, i, v))
	case *program.Attr:
		x, err := r.value(t.X)
		if err != nil {
			return err
		}
		return r.at(t, r.setAttribute(x, t.Name, v))
	}
	return errorf(cute.CodeType, "nothing can be assigned to this target")
}

// unpack assigns the elements of a value to targets. One target may be *REST.
func (r *runner) unpack(targets []program.Expr, v Value, set func(name string, v Value)) error {
	if _, isNumber := v.(CInt); isNumber {
		return errorf(cute.CodeRank, "expected %d values to unpack, found one integer", len(targets))
	}
	list, err := r.elements(v)
	if python.IsKind(err, "TypeError") && r.lang == program.Python {
		return python.TypeError("cannot unpack non-iterable %s object", python.TypeName(v))
	}
	if err != nil {
		return err
	}
	star := slices.IndexFunc(targets, func(t program.Expr) bool {
		_, ok := t.(*program.Star)
		return ok
	})
	n := len(targets)
	if star < 0 && len(list) != n || star >= 0 && len(list) < n-1 {
		return r.unpackError(list, n, star)
	}
	for i, t := range targets {
		var of Value
		switch {
		case i == star:
			of = &List{Elems: slices.Clone(list[i : i+len(list)-n+1])}
			t = t.(*program.Star).X
		case star >= 0 && i > star:
			of = list[len(list)-n+i]
		default:
			of = list[i]
		}
		if r.drops(t) {
			continue
		}
		if err := r.bindTo(t, of, set); err != nil {
			return r.at(t, err)
		}
	}
	return nil
}

// drops reports whether a target discards its value: _ in C++ and in girih's own notation.
func (r *runner) drops(target program.Expr) bool {
	name, ok := target.(*program.Name)
	return ok && name.Name == "_" && r.lang != program.Python
}

// unpackError returns the error for a number of values that does not match n targets. The target with the index star
// takes any number of values; star is negative if there is no such target.
func (r *runner) unpackError(list []Value, n, star int) error {
	least := ""
	if star >= 0 {
		n, least = n-1, "at least "
	}
	switch {
	case r.lang != program.Python:
		return errorf(cute.CodeRank, "expected %s%d values to unpack, found %d", least, n, len(list))
	case len(list) > n:
		more := fmt.Sprintf(": found %d", len(list))
		return &python.Exception{
			Kind: "ValueError", Msg: fmt.Sprintf("too many values to unpack (expected %d)", n), More: more,
		}
	}
	return python.ValueError("not enough values to unpack (expected %s%d, got %d)", least, n, len(list))
}
