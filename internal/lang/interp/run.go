package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
)

// This file runs statements.

// A flow is the way in which a statement ended.
type flow uint8

const (
	goesOn flow = iota
	breaks
	continues
	returns
	someContinue // some threads of a kernel that is traced continue, and the others go on
	someReturn
	someBreak
)

// run runs statements until one of them leaves the list.
func (r *runner) run(list []program.Stmt) (flow, error) {
	for i, st := range list {
		if r.nested == 0 {
			clear(r.temps)
		}
		if err := r.step(st); err != nil {
			return goesOn, err
		}
		r.begins(st)
		how, err := r.statement(st)
		if err == nil && r.isWatched(st) {
			r.watch(st)
		}
		if err == nil && how > returns {
			return r.tracedRest(list[i+1:], how)
		}
		if err != nil || how != goesOn {
			return how, r.at(st, err)
		}
	}
	return goesOn, nil
}

func (r *runner) statement(st program.Stmt) (flow, error) {
	switch st := st.(type) {
	case *program.Value:
		return goesOn, r.alone(st)
	case *program.Assign:
		return goesOn, r.assignment(st)
	case *program.Augment:
		_, err := r.update(st.Target, st.Op, st.X)
		return goesOn, err
	case *program.Declare:
		return goesOn, r.declaration(st)
	case *program.Using:
		return goesOn, r.using(st)
	case *program.Struct:
		return goesOn, r.structure(st)
	case *program.Def:
		return goesOn, r.define(st)
	case *program.Return:
		return returns, r.runReturn(st)
	case *program.Assert:
		return goesOn, r.assert(st)
	case *program.Names:
		return goesOn, r.names(st)
	case *program.Jump:
		if st.Continue {
			return continues, nil
		}
		return breaks, nil
	}
	return r.compound(st)
}

// compound runs a statement with a body.
func (r *runner) compound(st program.Stmt) (flow, error) {
	switch st := st.(type) {
	case *program.If:
		return r.branch(st)
	case *program.While:
		return r.while(st)
	case *program.For:
		return r.each(st)
	case *program.Loop:
		return r.loop(st)
	case *program.Block:
		defer r.enter()()
		return r.run(st.Body)
	case *program.Switch:
		return r.choose(st)
	case *program.Namespace:
		return r.namespace(st)
	case *program.Import:
		r.imports(st)
		return goesOn, nil
	case *program.Try:
		return r.try(st)
	case *program.With:
		return r.with(st, 0)
	case *program.Match:
		return r.match(st)
	case *program.Class:
		return goesOn, r.class(st)
	case *program.Raise:
		return goesOn, r.raise(st)
	case *program.Refusal:
		return goesOn, r.refusal(st)
	}
	return goesOn, errorf(cute.CodeSyntax, "this statement is not run")
}

// body runs the body of a statement, which is a separate scope in C++.
func (r *runner) body(list []program.Stmt) (flow, error) {
	if r.lang == program.Cpp {
		defer r.enter()()
	}
	return r.run(list)
}

// holds evaluates a condition.
func (r *runner) holds(x program.Expr) (bool, error) {
	v, err := r.value(x)
	if err != nil {
		return false, err
	}
	b, err := r.truth(v)
	return b, r.at(x, err)
}

func (r *runner) branch(st *program.If) (flow, error) {
	if r.lang == program.Cpp {
		defer r.enter()()
	}
	if st.Init != nil {
		if _, err := r.statement(st.Init); err != nil {
			return goesOn, r.at(st.Init, err)
		}
	}
	cond, ok, err := r.condition(st.Cond)
	switch {
	case err != nil:
		return goesOn, err
	case cond != nil:
		return r.tracedBranch(st, cond)
	case ok:
		return r.body(st.Then)
	}
	return r.body(st.Else)
}

// round runs the body of a loop once. ends is true if the loop ends.
func (r *runner) round(body []program.Stmt) (how flow, ends bool, err error) {
	how, err = r.body(body)
	switch {
	case err != nil || how == returns:
		return how, true, err
	case how == breaks:
		return breaks, true, nil
	case how == someBreak:
		return someBreak, true, nil
	case how == someReturn:
		return how, true, r.notFollowed("a return of some threads only, in a loop,")
	}
	return goesOn, false, nil
}

// leave returns how the loop as a whole ended. It runs the else clause unless a break ended the loop.
func (r *runner) leave(how flow, other []program.Stmt) (flow, error) {
	switch how {
	case returns:
		return returns, nil
	case breaks:
		return goesOn, nil
	}
	return r.run(other)
}

func (r *runner) while(st *program.While) (flow, error) {
	r.nested++
	defer func() { r.nested-- }()
	if st.Do {
		how, ends, err := r.whileRound(st)
		if err != nil || ends {
			return how, err
		}
	}
	return r.whileRounds(st)
}

// whileRounds runs rounds of a while as long as its condition holds.
func (r *runner) whileRounds(st *program.While) (flow, error) {
	for {
		ok, err := r.tracedHolds(st, st.Cond)
		if err != nil {
			return goesOn, err
		}
		if !ok {
			return r.leave(goesOn, st.Else)
		}
		how, ends, err := r.whileRound(st)
		if err != nil || ends {
			return how, err
		}
	}
}

// whileRound runs one round of a while. ends is true if the loop ends, as how says.
func (r *runner) whileRound(st *program.While) (how flow, ends bool, err error) {
	how, ends, err = r.round(st.Body)
	if err == nil && how == someBreak {
		how, err = r.afterBreak(st)
		return how, true, err
	}
	if err == nil && !ends {
		err = r.step(st)
	}
	if err != nil {
		return goesOn, true, err
	}
	if ends {
		how, err = r.leave(how, st.Else)
	}
	return how, ends, err
}

// loop runs for (INIT; COND; POST), unless the tracer does not need it.
func (r *runner) loop(st *program.Loop) (flow, error) {
	if r.fillsRandomly(st) {
		return goesOn, nil
	}
	return r.loopRounds(st)
}

func (r *runner) loopRounds(st *program.Loop) (flow, error) {
	defer r.enter()()
	r.nested++
	defer func() { r.nested-- }()
	if st.Init != nil {
		if _, err := r.statement(st.Init); err != nil {
			return goesOn, r.at(st.Init, err)
		}
	}
	return r.rounds(st)
}

// rounds runs rounds of for (INIT; COND; POST) as long as its condition holds.
func (r *runner) rounds(st *program.Loop) (flow, error) {
	for {
		if st.Cond != nil {
			if ok, err := r.tracedHolds(st, st.Cond); err != nil || !ok {
				return goesOn, err
			}
		}
		how, ends, err := r.round(st.Body)
		if err == nil && how == someBreak {
			return r.afterBreak(st)
		}
		if err == nil && !ends && st.Post != nil {
			_, err = r.value(st.Post)
		}
		if err == nil && !ends {
			err = r.step(st)
		}
		if err != nil || ends {
			if how == returns {
				return returns, err
			}
			return goesOn, err
		}
	}
}

// choose runs a switch statement from the matching case on.
func (r *runner) choose(st *program.Switch) (flow, error) {
	v, err := r.value(st.X)
	if err != nil {
		return goesOn, err
	}
	from := -1
	for i, c := range st.Cases {
		if c.X == nil {
			if from < 0 {
				from = i
			}
			continue
		}
		same, err := r.isCase(v, c.X)
		if err != nil {
			return goesOn, err
		}
		if same {
			from = i
			break
		}
	}
	if from < 0 {
		return goesOn, nil
	}
	defer r.enter()()
	for _, c := range st.Cases[from:] {
		how, err := r.run(c.Body)
		switch {
		case err != nil || how == returns || how == continues:
			return how, err
		case how > returns:
			return how, r.notFollowed("a return, break or continue of some threads only, in a switch,")
		case how == breaks:
			return goesOn, nil
		}
	}
	return goesOn, nil
}

func (r *runner) isCase(v Value, x program.Expr) (bool, error) {
	label, err := r.value(x)
	if err != nil {
		return false, err
	}
	same, err := r.compare("==", v, label)
	if err != nil {
		return false, r.at(x, err)
	}
	b, err := r.truth(same)
	return b, r.at(x, err)
}

// each runs for TARGET in X: of Python, and for (TYPE NAME : X) of C++.
func (r *runner) each(st *program.For) (how flow, err error) {
	of, err := r.value(st.X)
	if err != nil {
		return goesOn, err
	}
	r.nested++
	defer func() { r.nested-- }()
	if r.lang == program.Cpp {
		defer r.enter()()
	}
	late := r.isLate(of)
	if late {
		defer r.trace.loop()()
	}
	ended := false
	err = r.forEach(of, st.X, func(v Value) (bool, error) {
		if late {
			var err error
			if v, err = r.atRunTime(v, st.X); err != nil {
				return false, err
			}
		}
		if err := r.element(st, v); err != nil {
			return false, err
		}
		var err error
		how, ended, err = r.round(st.Body)
		if late {
			r.trace.past = true
		}
		if err == nil && !ended {
			err = r.step(st)
		}
		return !ended, err
	})
	if err != nil {
		return goesOn, err
	}
	return r.leave(how, st.Else)
}

// element binds the name of a loop to an element.
func (r *runner) element(st *program.For, v Value) error {
	c, isCell := v.(*cell)
	name, isName := st.Target.(*program.Name)
	switch {
	case isCell && st.Ref && isName:
		r.declare(name.Name, c)
		return nil
	case isCell && st.Ref:
		return r.bindParts(st.Target, c.v)
	case isCell:
		if v = c.v; st.Type == nil {
			v = copyOf(v)
		}
	}
	if r.lang != program.Cpp || !isName || st.Type == nil {
		return r.store(st.Target, v)
	}
	made, err := r.variableFor(st.Type, v)
	if err == nil {
		r.declare(name.Name, made)
	}
	return err
}

// define binds the name of a function. Its default values are evaluated now, as Python does.
func (r *runner) define(d *program.Def) error {
	f, err := r.function(d)
	if err != nil {
		return err
	}
	if r.lang == program.Cpp {
		r.declareFunction(f)
		return nil
	}
	v, err := r.decorate(f)
	if err == nil {
		r.assign(d.Name, v)
	}
	return err
}

func (r *runner) function(d *program.Def) (*Func, error) {
	f := &Func{Def: d, Defaults: make([]Value, len(d.Params)), Scope: r.scope}
	if d.Lang != program.Python {
		return f, r.capture(f)
	}
	name := d.Name
	if name == "" {
		name = "<lambda>"
	}
	f.qual, f.library = r.qualifiedName(name), r.libraryName()
	f.traced = isTraced(d)
	if s := r.functionScope(); s != nil && s.fn.traced {
		f.traced = true
	}
	f.local = assignedNames(d.Body)
	for i, p := range d.Params {
		if p.Default == nil {
			continue
		}
		var err error
		if f.Defaults[i], err = r.value(p.Default); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (r *runner) runReturn(st *program.Return) (err error) {
	r.result = None{}
	if st.X == nil {
		return nil
	}
	if s := r.functionScope(); s != nil && s.fn.Def.Ref {
		c, err := r.variableOf(st.X)
		if err != nil {
			return err
		}
		if r.cpp.result = c; c != nil {
			r.result, err = r.load(c, st.X)
			return err
		}
		r.result, err = r.value(st.X)
		r.cpp.result = &cell{v: r.result, typ: typeOfNumber(r.result)}
		return err
	}
	r.result, err = r.value(st.X)
	return err
}

// assert ends the program with an error if its condition does not hold.
func (r *runner) assert(st *program.Assert) error {
	if name := r.unboundOperand(st.Cond); name != nil && r.lang != program.Notation {
		return r.at(name, r.unknownName(name.Name))
	}
	ok, err := r.holds(st.Cond)
	if err != nil || ok {
		return err
	}
	text := report.OneLine(strings.TrimSpace(r.src[st.Cond.Pos():st.Cond.End()]))
	e := &report.Error{Code: CodeAssert, Message: "the assertion " + text + " does not hold"}
	if st.Message != nil {
		v, err := r.value(st.Message)
		if err != nil {
			return err
		}
		text, err := r.str(v)
		if err != nil {
			return err
		}
		e.Message += ": " + text
	}
	e.Message = report.Brief(e.Message)
	err = r.placeReport(st.Cond, e)
	err.(faultError).raised = assertionError(e.Message) //nolint:forcetypeassert,errorlint // as placeReport returns it
	return err
}

// unboundOperand returns a call argument in an expression that is a name without a value, or nil. An operation would
// treat the name as a run-time integer, so an assertion about it would prove nothing.
func (r *runner) unboundOperand(x program.Expr) (found *program.Name) {
	program.Walk(x, func(y program.Expr) bool {
		c, ok := y.(*program.Call)
		if !ok {
			return found == nil
		}
		for _, a := range c.Args {
			n, ok := a.X.(*program.Name)
			if !ok || n.Path != "" || found != nil {
				continue
			}
			_, isStatic := staticName(n.Name, spanOf(n))
			_, isBuiltin := r.builtin("", n.Name)
			if v, err := r.lookupValue(n.Name); v == nil && err == nil && !isStatic && !isBuiltin && !isOperation(n.Name) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// names runs global, nonlocal and del.
func (r *runner) names(st *program.Names) error {
	s := r.functionScope()
	for _, x := range st.List {
		name, isName := x.(*program.Name)
		switch {
		case st.Keyword != "del":
			if s == nil {
				continue // at module level, global does nothing
			}
			if s.declared == nil {
				s.declared = make(map[string]string)
			}
			s.declared[name.Name] = st.Keyword
		case isName:
			c, _ := r.lookup(name.Name)
			if c == nil || c.v == nil {
				return r.at(x, r.unknownName(name.Name))
			}
			c.v = nil
			r.Env.Forget(name.Name)
		default:
			if err := r.deleteItem(x); err != nil {
				return r.at(x, err)
			}
		}
	}
	return nil
}

// alone runs an expression statement. Outside functions and loops, it shows a value of the algebra.
func (r *runner) alone(st *program.Value) error {
	if _, isText := st.X.(*program.Text); isText || r.printsOnly(st.X) {
		return nil
	}
	v, err := r.value(st.X)
	if err != nil || r.nested > 0 {
		return err
	}
	r.seen = v
	a, ok := r.valueToShow(st.X, v)
	if !ok {
		return nil
	}
	r.Keep(a.Value)
	text := a.Value.String() + "\n"
	if a.isTensor() && a.host && r.lang == program.Python { // notebooks show an array
		if text, err = r.tensorText(a); err != nil {
			return err
		}
		text += "\n"
	}
	if err := r.counts(text); err != nil {
		return err
	}
	return r.out.line(r.newOutput(text))
}

// counts counts printed bytes, and returns an error beyond the limit.
func (r *runner) counts(text string) error {
	most := maxOutput
	if r.Room > 0 {
		most = min(most, r.Room)
	}
	if r.printed += len(text); r.printed > most {
		return errorf(cute.CodeLimit, "a program prints at most %d bytes here", most)
	}
	return nil
}
