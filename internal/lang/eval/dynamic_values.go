package eval

import (
	"maps"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file gives run-time integers their values.

// at returns the numbers of symbols that [Env.Set] set or that the program gives. If [Env.Set] set none, the result is
// not a copy, because a program may give many numbers one after the other.
func (e *Env) at() symbolic.Values {
	if len(e.set) == 0 {
		return e.given
	}
	out := maps.Clone(e.given)
	if out == nil {
		out = make(symbolic.Values)
	}
	for name, x := range e.set {
		if s, ok := e.scope.Lookup(name); ok {
			out[s] = x
		}
	}
	return out
}

// Set gives run-time integers their values. Its keys are names such as M, or ?2 for the second integer without a name
// in the program. From then on, Eval computes its results with these numbers. Names that had a value only with the
// previous numbers lose that value.
//
//go:noinline
func (e *Env) Set(values map[string]int64) {
	if maps.Equal(e.set, values) {
		return
	}
	for name := range e.late {
		delete(e.vars, name)
	}
	e.set, e.now, e.late = values, nil, nil
}

// atRunTime evaluates a statement with the numbers that are set. v and err are its result with run-time integers.
//
// If none of the integers has a name, the text of the result is what CuTe prints at run time: the form with ? with
// numbers put in. If evaluating with numbers gives another text, a note shows that text.
func (e *Env) atRunTime(s syntax.Stmt, v Value, err error, at symbolic.Values) (Result, error) {
	r := Result{Name: s.Name}
	if err == nil && len(e.set) > 0 {
		r.Open = v
	}
	traced := ""
	switch {
	case err != nil:
		traced, v = "at trace time it is refused: "+err.Error(), nil
	case dynamicWithin(v):
		r.Static = staticView(v)
		traced = "at trace time: " + r.Static
	}
	now, notes, at, errNow := e.withAllNumbers(s, at)
	var form Value
	if v != nil && dynamicWithin(v) {
		if form, _ = runTime(v, at); form == nil {
			traced += ", whose condition these numbers violate"
		}
	}
	if errNow != nil {
		if form == nil || !isCode(errNow, cute.CodeUnknown) {
			return Result{}, errNow
		}
		now, notes = form, append(e.notes, padding(e.whole)...)
	}
	r.Value, r.Form = now, form
	if e.printsForm(form, now) {
		notes = append(notes, "with the numbers in their places: "+now.String())
		r.Value = form
	}
	r.Notes = notes
	if traced != "" {
		r.Notes = append(r.Notes, traced)
	}
	if c := Conditions(r.Value); c != "" {
		r.Notes = append(r.Notes, c)
	}
	if s.Name != "" {
		e.bindNow(s.Name, v, now)
	}
	return r, nil
}

// printsForm reports whether the result is printed as the form with numbers put in. This is so if both are the same
// function but their texts differ.
func (e *Env) printsForm(form, now Value) bool {
	return form != nil && e.unnamedOnly() && sameFunction(form, now) && form.String() != now.String()
}

// withAllNumbers evaluates a statement with numbers for symbols. It evaluates again when the evaluation reaches further
// names that have numbers. It returns all numbers used.
func (e *Env) withAllNumbers(
	s syntax.Stmt, at symbolic.Values,
) (now Value, notes []string, all symbolic.Values, err error) {
	now, notes, err = e.withNumbers(s, at)
	for more := e.at(); len(more) > len(at); more = e.at() {
		at = more
		now, notes, err = e.withNumbers(s, at)
	}
	return now, notes, at, err
}

// bindNow binds a name to two values: the value with run-time integers, which may be nil, and the value with numbers.
func (e *Env) bindNow(name string, v, now Value) {
	late := v == nil
	if late {
		v = now
	}
	e.bind(name, v)
	if late {
		if e.late == nil {
			e.late = make(map[string]bool)
		}
		e.late[name] = true
	}
	if e.now == nil {
		e.now = make(map[string]Value)
	}
	e.now[name] = now
}

// withNumbers evaluates a statement with the given numbers for symbols.
func (e *Env) withNumbers(s syntax.Stmt, at symbolic.Values) (Value, []string, error) {
	saved := *e
	defer func() {
		scope, unnamed, given := e.scope, e.unnamed, e.given
		*e = saved
		e.scope, e.unnamed, e.given = scope, unnamed, given
	}()
	e.notes, e.whole, e.trace, e.known = nil, nil, nil, at
	v, err := e.statement(s)
	return v, append(e.notes, padding(e.whole)...), err
}

// variable returns the value of a bound name, with the known numbers put in for symbols.
func (e *Env) variable(name string) (Value, bool) {
	v, ok := e.vars[name]
	if !ok || e.known == nil {
		return v, ok
	}
	now, isNow := e.now[name]
	if !isNow {
		var err error
		if now, err = runTime(v, e.known); err != nil {
			now = v
		}
		if e.now == nil {
			e.now = make(map[string]Value)
		}
		e.now[name] = now // v has no symbols that were made after it was bound, so its numbers are final
	}
	return now, true
}

// unnamedOnly reports whether no named symbol has a number that [Env.Set] set.
func (e *Env) unnamedOnly() bool {
	for name := range e.set {
		if s, ok := e.scope.Lookup(name); ok && !s.Anonymous() {
			return false
		}
	}
	return true
}

// sameFunction reports whether two values are layouts of integers that are equal as functions.
func sameFunction(a, b Value) bool {
	x, okX := a.(Layout)
	y, okY := b.(Layout)
	if !okX || !okY {
		return false
	}
	same, _ := cute.Equivalent(x.Layout, y.Layout)
	return same && x.Size() == y.Size()
}

// Symbols returns the names of the run-time integers of all programs so far, as [Env.Set] takes them.
func (e *Env) Symbols() []string { return e.scope.Names() }

// Trials returns an example value for each run-time integer of all programs so far, in the order of [Env.Symbols]. Each
// is a small extent that the facts admit.
func (e *Env) Trials() []int64 {
	trials := make([]int64, len(e.Symbols()))
	for i, name := range e.Symbols() {
		s, _ := e.scope.Lookup(name)
		f := s.Facts()
		if trials[i] = f.Near([]int64{8, 4}[i%2]); trials[i] <= 0 {
			trials[i] = f.Near(f.Div)
		}
	}
	return trials
}

// Values returns the numbers of run-time integers that [Env.Set] set or that the programs themselves give.
func (e *Env) Values() symbolic.Values { return e.at() }

// Symbolic returns a layout of integers. Some of them may be known only at run time.
func Symbolic(v Value) (symbolic.Layout, bool) {
	switch v := v.(type) {
	case DynamicLayout:
		return v.Layout, true
	case Layout:
		return symbolic.FromLayout(v.Layout), true
	}
	return symbolic.Layout{}, false
}

// UnusedNames returns, sorted, the names with values from [Env.Set] that no program has used.
func (e *Env) UnusedNames() []string {
	var names []string
	for name := range e.set {
		if _, ok := e.scope.Lookup(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// runTime returns the value with the given numbers put in for symbols.
func runTime(v Value, at symbolic.Values) (Value, error) {
	switch d := v.(type) {
	case DynamicTuple:
		g, err := d.Guard.With(at)
		if err != nil {
			return nil, err
		}
		t, err := d.Tuple.With(at)
		return simplify(DynamicTuple{t, g}, err)
	case DynamicLayout:
		l, err := d.Layout.With(at)
		return simplify(DynamicLayout{l}, err)
	case DynamicTile:
		t, err := d.Tiler.With(at)
		return DynamicTile{t}, err
	case DynamicComposed:
		inner, err := d.Inner.With(at)
		if err != nil {
			return nil, err
		}
		out := DynamicComposed{Inner: inner}
		for _, s := range d.Stages {
			outer, err := runTime(s.Outer, at)
			if err != nil {
				return nil, err
			}
			offset, err := s.Offset.With(at)
			if err != nil {
				return nil, err
			}
			out.Stages = append(out.Stages, DynamicStage{outer, offset})
		}
		return simplify(out, nil)
	case DynamicBool:
		g, err := d.Guard.With(at)
		if err != nil {
			return Bool(false), nil //nolint:nilerr // a violated condition makes the truth value false
		}
		return simplify(DynamicBool{g}, nil)
	case List:
		out := make(List, len(d))
		for i, x := range d {
			var err error
			if out[i], err = runTime(x, at); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}
