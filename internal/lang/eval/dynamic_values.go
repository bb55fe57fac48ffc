package eval

import (
	"errors"
	"maps"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file gives run-time integers their values.

// at returns the values that are set, of the symbols in the scope, and those that the program gives. If none are set
// they are not copied: a program may give many, one after the other.
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

// Set gives run-time integers their values: M, or ?2 for the second one without a name in the program. The results of
// Eval are those with these numbers in the places of the integers from then on. Names that had a value only with the
// numbers before have none any more.
func (e *Env) Set(values map[string]int64) {
	if maps.Equal(e.set, values) {
		return
	}
	for name := range e.late {
		delete(e.vars, name)
	}
	e.set, e.now, e.late = values, nil, nil
}

// atRunTime evaluates a statement with the numbers that are set; v and err are what it is with run-time integers.
//
// For integers that are all without a name the text is what CuTe prints at run time, which is the form with ? with
// numbers in it; a note says what they give in their places where its text is another one.
func (e *Env) atRunTime(s syntax.Stmt, v Value, err error, at symbolic.Values) (Result, error) {
	r := Result{Name: s.Name}
	if err == nil && len(e.set) > 0 {
		r.Open = v
	}
	traced := ""
	switch {
	case err != nil:
		traced = "at trace time it is refused: " + err.Error()
	case dynamicWithin(v):
		r.Static = staticView(v)
		traced = "at trace time: " + r.Static
	}
	now, notes, errNow := e.withNumbers(s, at)
	for more := e.at(); len(more) > len(at); more = e.at() { // what was refused before had not come to all names
		at = more
		now, notes, errNow = e.withNumbers(s, at)
	}
	var form Value
	if err == nil && dynamicWithin(v) {
		if form, _ = runTime(v, at); form == nil {
			traced += ", whose condition these numbers violate"
		}
	}
	if errNow != nil {
		if g, ok := errors.AsType[*cute.Error](errNow); form == nil || !ok || g.Code != cute.CodeUnknown {
			return Result{}, errNow
		}
		now, notes = form, append(e.notes, padding(e.whole)...)
	}
	r.Value, r.Form = now, form
	if form != nil && e.unnamedOnly() && sameFunction(form, now) && form.String() != now.String() {
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
		if err != nil {
			v = nil
		}
		e.bindNow(s.Name, v, now)
	}
	return r, nil
}

// bindNow binds a name to its value with run-time integers, which may be nil, and to that with the numbers that are
// set.
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

// withNumbers evaluates a statement with numbers in the places of symbols.
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

// variable returns what a name is bound to, with numbers in the places of symbols where they are known.
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
		e.now[name] = now // the symbols of v were there when it was bound, so no other number comes to it
	}
	return now, true
}

// unnamedOnly reports whether no symbol with a number has a name; those that the program gives one have none.
func (e *Env) unnamedOnly() bool {
	for name := range e.set {
		if s, ok := e.scope.Lookup(name); ok && !s.Anonymous() {
			return false
		}
	}
	return true
}

// sameFunction reports whether two values are layouts of integers, and equal as functions.
func sameFunction(a, b Value) bool {
	x, okX := a.(Layout)
	y, okY := b.(Layout)
	if !okX || !okY {
		return false
	}
	same, _ := cute.Equivalent(x.Layout, y.Layout)
	return same && x.Size() == y.Size()
}

// Symbols returns the names of the run-time integers of the programs so far, as [Env.Set] takes them.
func (e *Env) Symbols() []string { return e.scope.Names() }

// Trials returns a value for each run-time integer of the programs so far, in the order of [Env.Symbols]: a small
// extent that its facts admit, for a first look.
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

// Values returns the numbers of run-time integers: those that are set, and those that the programs give themselves.
func (e *Env) Values() symbolic.Values { return e.at() }

// Symbolic returns a layout of integers, some of which may be known at run time only.
func Symbolic(v Value) (symbolic.Layout, bool) {
	switch v := v.(type) {
	case DynamicLayout:
		return v.Layout, true
	case Layout:
		return symbolic.FromLayout(v.Layout), true
	}
	return symbolic.Layout{}, false
}

// Unused returns the names that [Env.Set] gave values to and no program has had, sorted.
func (e *Env) Unused() []string {
	var names []string
	for name := range e.set {
		if _, ok := e.scope.Lookup(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// runTime returns the value where some run-time integers are known.
func runTime(v Value, at symbolic.Values) (Value, error) {
	switch d := v.(type) {
	case DynamicTuple:
		g, err := d.Guard.With(at)
		if err != nil {
			return nil, err
		}
		t, err := d.Tuple.With(at)
		return settled(DynamicTuple{t, g}, err)
	case DynamicLayout:
		l, err := d.Layout.With(at)
		return settled(DynamicLayout{l}, err)
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
		return settled(out, nil)
	case DynamicBool:
		g, err := d.Guard.With(at)
		if err != nil {
			return Bool(false), nil //nolint:nilerr // violated conditions are the truth value false
		}
		return settled(DynamicBool{g}, nil)
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
