package interp

import (
	"slices"

	"girih/internal/lang/program"
)

// This file runs statements whose condition differs from thread to thread. Both parts of such a condition are traced.
// The variables that they set get the value of the part that a thread runs: the tracer joins them.
//
// After a return, a break or a continue in a part, the statements that follow are a condition of the other threads.

// maxUndecided limits the rounds of a loop, one in another, whose condition differs from thread to thread.
const maxUndecided = 32

// A carried is a variable whose value comes out of the parts of a condition.
type carried struct {
	get    func() Value
	set    func(v Value)
	typ    CType
	result bool         // it is the result of a function, which the threads that go on do not have yet
	check  func() error // refuses the value after a part; nil if any value is carried
}

// tracedIf runs the parts of a condition. Each part begins with the same variables.
func (r *runner) tracedIf(cond *Traced, list []carried, then, otherwise func() error) error {
	vars := make([]*Variable, len(list))
	before, others := make([]Value, len(list)), make([]Value, len(list))
	for i, p := range list {
		v := p.get()
		vars[i] = &Variable{Type: p.typ, Value: v, Result: p.result}
		before[i], others[i] = r.tracing.tracer.ValuesUnder(cond, v)
	}
	part := func(begin []Value, body func() error) func() error {
		return func() error {
			for i, p := range list {
				p.set(begin[i])
			}
			err := body()
			for i, p := range list {
				if vars[i].Value = p.get(); p.check != nil && err == nil {
					err = p.check()
				}
			}
			return err
		}
	}
	err := r.tracing.tracer.If(cond, vars, part(before, then), part(others, otherwise))
	for i, p := range list {
		p.set(vars[i].Value)
	}
	return err
}

// nothing is a part of a condition without statements.
func nothing() error { return nil }

// An ending is how a part of a condition ends, for the threads of a condition.
type ending struct {
	how flow
	of  *Traced
}

// tracedBranch runs an if statement whose condition differs from thread to thread.
func (r *runner) tracedBranch(st *program.If, cond *Traced) (flow, error) {
	var ends []ending
	list, others := r.setBy(nil, st.Then, st.Else)
	deep := leavesWithin(st.Then) || leavesWithin(st.Else)
	if deep {
		list = append(list, r.guardCarried())
	}
	not, err := r.negation(cond)
	if err != nil {
		return goesOn, r.at(st.Cond, err)
	}
	part := func(body []program.Stmt, of *Traced) func() error {
		return func() error {
			h, err := r.apart(st, others, func() (flow, error) { return r.body(body) })
			ends = append(ends, ending{h, of})
			if h <= returns {
				r.tracing.guard = cBools[h == goesOn]
			}
			return err
		}
	}
	r.stateLine(st.Cond)
	if err := r.tracedIf(cond, list, part(st.Then, cond), part(st.Else, not)); err != nil {
		return goesOn, r.at(st, err)
	}
	if len(ends) == 1 {
		return ends[0].how, nil
	}
	how, err := r.outcome(ends[0], ends[1])
	return how, r.at(st, err)
}

// outcome returns how a condition ends if both parts are traced. If the guard of the threads that go on is one of the
// conditions, outcome sets it. Otherwise the parts have set it.
func (r *runner) outcome(a, b ending) (flow, error) {
	if a.how == b.how {
		return a.how, nil
	}
	if a.how == goesOn {
		a, b = b, a
	}
	how := flowOfSome(a.how)
	switch {
	case r.lang != program.Cpp, b.how != goesOn && flowOfSome(b.how) != how:
		return goesOn, r.notFollowed("a return with a break or a continue of some threads only, or one of Python,")
	case b.how == goesOn && a.how <= returns:
		r.tracing.guard = b.of
	}
	return how, nil
}

// guardCarried returns the guard of the threads that go on as a variable.
func (r *runner) guardCarried() carried {
	return carried{
		get: func() Value { return r.tracing.guard }, set: func(v Value) { r.tracing.guard = v }, typ: CBool, result: true,
	}
}

// leavesWithin reports whether a return, break or continue is within a statement of a list.
func leavesWithin(list []program.Stmt) bool {
	return slices.ContainsFunc(list, func(st program.Stmt) bool {
		switch st := st.(type) {
		case *program.If:
			return leaves(st.Then) || leaves(st.Else)
		case *program.Block:
			return leaves(st.Body)
		}
		return false
	})
}

// leaves reports whether a return, break or continue is in a list, or within one of its statements.
func leaves(list []program.Stmt) bool {
	return leavesWithin(list) || slices.ContainsFunc(list, func(st program.Stmt) bool {
		_, isReturn := st.(*program.Return)
		_, isJump := st.(*program.Jump)
		return isReturn || isJump
	})
}

// flowOfSome returns the flow of a list that some threads have left by a return, break or continue.
func flowOfSome(how flow) flow {
	switch how {
	case continues, someContinue:
		return someContinue
	case breaks, someBreak:
		return someBreak
	}
	return someReturn
}

// tracedRest runs the statements after a condition in which some threads have left the list, as a condition of the
// others.
func (r *runner) tracedRest(rest []program.Stmt, how flow) (flow, error) {
	if len(rest) == 0 {
		return how, nil
	}
	all := map[flow]flow{someReturn: returns, someContinue: continues, someBreak: breaks}[how]
	guard, ok := r.tracing.guard.(*Traced)
	if !ok { // the parts agree
		if n, _ := integerOf(r.tracing.guard); n == 0 {
			return all, nil
		}
		return r.run(rest)
	}
	list, others := r.setBy(nil, rest)
	inner := r.scope.fn == nil && leaves(rest) // statements after the list need to know
	if inner {
		list = append(list, r.guardCarried())
	}
	var ends []flow
	err := r.tracedIf(guard, list, func() error {
		h, err := r.apart(rest[0], others, func() (flow, error) { return r.run(rest) })
		if ends = append(ends, h); h <= returns {
			r.tracing.guard = cBools[h == goesOn]
		}
		return err
	}, func() error {
		r.tracing.guard = cBools[false]
		return nil
	})
	switch {
	case err != nil:
		return goesOn, err
	case len(ends) == 0 || ends[0] == all: // the guard never holds, or the others leave too
		return all, nil
	case ends[0] != goesOn && ends[0] != how:
		return goesOn, r.at(rest[0], r.notFollowed("a return or break after a continue of some threads only"))
	}
	if !inner {
		r.tracing.guard = guard
	}
	return how, nil
}

// negation returns the condition that a condition does not hold.
func (r *runner) negation(cond *Traced) (*Traced, error) {
	v, _, err := r.tracedOperator("unary !", cond)
	t, ok := v.(*Traced)
	if err == nil && !ok {
		err = r.notFollowed("this condition")
	}
	return t, err
}

// apart runs statements that must not set other variables than those that are carried.
func (r *runner) apart(at program.Node, others map[*cell]Value, body func() (flow, error)) (flow, error) {
	bound := make(map[string]bool)
	for name := range r.scope.names {
		bound[name] = true
	}
	how, err := body()
	if err != nil {
		return how, err
	}
	for c, v := range others {
		if !sameVariable(c.v, v) {
			return how, r.at(at, r.notFollowed("this variable that is set in a condition that differs from thread to thread"))
		}
	}
	if r.lang == program.Python { // only some threads have the names that it binds
		for name := range r.scope.names {
			if !bound[name] {
				delete(r.scope.names, name)
			}
		}
	}
	return how, nil
}

// condition evaluates a condition: it returns a traced value if it differs from thread to thread.
func (r *runner) condition(x program.Expr) (cond *Traced, holds bool, err error) {
	v, err := r.value(x)
	if err != nil {
		return nil, false, err
	}
	if t, ok := v.(*Traced); ok {
		if v, err = r.convertTraced(t, CBool); err != nil {
			return nil, false, r.at(x, err)
		}
		if cond, ok := v.(*Traced); ok {
			return cond, false, nil
		}
	}
	holds, err = r.truth(v)
	return nil, holds, r.at(x, err)
}

// tracedHolds evaluates the condition of a loop. If it differs from thread to thread, the further rounds of the loop
// are a condition of the threads for which it holds, and the loop ends.
func (r *runner) tracedHolds(st program.Stmt, x program.Expr) (bool, error) {
	cond, b, err := r.condition(x)
	if cond == nil || err != nil {
		return b, err
	}
	if r.tracing.undecided == maxUndecided {
		e := errorf("limit", "more than %d rounds of a loop whose number differs from thread to thread are not followed",
			maxUndecided)
		e.hint = "follow a smaller problem, or bound the loop by a number that is the same for all threads"
		return false, r.at(x, e)
	}
	r.tracing.undecided++
	defer func() { r.tracing.undecided-- }()
	return false, r.at(x, r.roundsOfSome(st, cond, func() (goes bool, err error) {
		how, ends, err := r.round(loopOf(st).body)
		switch {
		case err == nil && how == someBreak:
			_, err = r.afterBreak(st)
			return false, err
		case err == nil && ends:
			err = r.notFollowed("a break or return of a loop whose rounds differ from thread to thread")
		}
		return true, err
	}))
}

// A loopPart is what the rounds of a loop run.
type loopPart struct {
	body []program.Stmt
	post program.Expr
	more bool // there is an else
}

func loopOf(st program.Stmt) (p loopPart) {
	switch st := st.(type) {
	case *program.Loop:
		p.body, p.post = st.Body, st.Post
	case *program.While:
		p.body, p.more = st.Body, len(st.Else) > 0
	}
	return p
}

// roundsOfSome runs the rest of a loop for the threads of a condition: first, and then, if the round goes on, the
// further rounds.
func (r *runner) roundsOfSome(st program.Stmt, cond *Traced, first func() (goes bool, err error)) error {
	p := loopOf(st)
	var own map[string]*cell
	if _, isFor := st.(*program.Loop); isFor {
		own = r.scope.names
	}
	if p.more {
		return r.notFollowed("the else of a loop whose rounds differ from thread to thread")
	}
	list, others := r.setBy(own, p.body, []program.Stmt{&program.Value{X: p.post}})
	r.stateLine(st)
	return r.tracedIf(cond, list, func() error {
		_, err := r.apart(st, others, func() (flow, error) {
			goes, err := first()
			if err != nil || !goes {
				return goesOn, err
			}
			return r.furtherRounds(st, p.post)
		})
		return err
	}, nothing)
}

// furtherRounds runs what follows the body of a round, and the further rounds.
func (r *runner) furtherRounds(st program.Stmt, post program.Expr) (how flow, err error) {
	if post != nil {
		_, err = r.value(post)
	}
	if err == nil {
		err = r.step(st)
	}
	if err != nil {
		return goesOn, err
	}
	switch st := st.(type) {
	case *program.Loop:
		return r.rounds(st)
	case *program.While:
		return r.whileRounds(st)
	}
	return goesOn, nil
}

// afterBreak runs the further rounds of a loop that some threads have left by a break, for the others.
func (r *runner) afterBreak(st program.Stmt) (flow, error) {
	guard, ok := r.tracing.guard.(*Traced)
	if !ok { // all threads have left it, or none
		if n, _ := integerOf(r.tracing.guard); n == 0 {
			return goesOn, nil
		}
		return r.furtherRounds(st, loopOf(st).post)
	}
	if r.tracing.undecided == maxUndecided {
		e := errorf("limit", "more than %d rounds of a loop that some threads have left are not followed", maxUndecided)
		e.hint = "follow a smaller problem"
		return goesOn, r.at(st, e)
	}
	r.tracing.undecided++
	defer func() { r.tracing.undecided-- }()
	err := r.roundsOfSome(st, guard, func() (bool, error) { return true, nil })
	return goesOn, r.at(st, err)
}

// tracedChoice evaluates COND ? THEN : ELSE. A thread computes one of the values only.
func (r *runner) tracedChoice(x *program.Cond, cond *Traced) (Value, error) {
	var v Value
	part := func(y program.Expr) func() error {
		return func() (err error) {
			v, err = r.value(y)
			return err
		}
	}
	_, others := r.setBy(nil)
	r.stateLine(x)
	p := &pointerCarrier{r: r}
	result := carried{get: func() Value { return p.number(v) }, set: func(w Value) { v = p.pointer(w) }, check: p.check}
	_, err := r.apart(x, others, func() (flow, error) {
		return goesOn, r.tracedIf(cond, []carried{result}, part(x.Then), part(x.Else))
	})
	return v, r.at(x, err)
}

// tracedLogic evaluates X && Y or X || Y where X is traced. Only the threads that need Y compute it, since it may be an
// element that the other threads do not have.
func (r *runner) tracedLogic(x *program.Logic, v *Traced) (Value, error) {
	isAccess := false
	program.Walk(x.Y, func(y program.Expr) bool {
		switch y := y.(type) {
		case *program.Call: // every thread may ask who is elected
			isAccess = isAccess || nameOf(y.Fn) != "elect_one_sync"
		case *program.Index, *program.Step, *program.Update:
			isAccess = true
		}
		return !isAccess
	})
	if isAccess && r.lang == program.Cpp {
		known := &known{program.Span{From: x.Pos(), To: x.End()}, cBools[x.Or]}
		choice := &program.Cond{Span: known.Span, Then: x.Y, Else: known}
		if x.Or {
			choice.Then, choice.Else = known, x.Y
		}
		c, err := r.tracedChoice(choice, v)
		if t, ok := c.(*Traced); ok && err == nil {
			if c, err = r.convertTraced(t, CBool); err == nil { // the tracer knows more of x && (x && y)
				c, _, err = r.tracedOperator(map[bool]string{true: "||", false: "&&"}[x.Or], v, c)
			}
		}
		return c, r.at(x, err)
	}
	w, err := r.value(x.Y)
	if err != nil {
		return nil, err
	}
	op := map[bool]string{true: "||", false: "&&"}[x.Or]
	u, _, err := r.tracedOperator(op, v, w)
	return u, r.at(x, err)
}

// convertTraced converts a traced value to a type of C++.
func (r *runner) convertTraced(v *Traced, t CType) (Value, error) {
	if r.tracing == nil {
		return v, nil
	}
	r.stateLine(r.here)
	return r.tracing.tracer.Convert(v, t)
}

// setBy returns the variables with numbers that statements assign to, without those in own, and the other variables
// that they can reach, with their values.
func (r *runner) setBy(own map[string]*cell, lists ...[]program.Stmt) (list []carried, others map[*cell]Value) {
	names := make(map[string]bool)
	for _, list := range lists {
		setNames(list, names)
	}
	others = r.reachable()
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	for _, name := range sorted {
		c, _ := r.lookup(name)
		if c == nil || own[name] == c {
			delete(others, c)
			continue
		}
		for _, d := range parts(c) {
			if _, reaches := others[d]; reaches && isNumber(d) {
				list = append(list, carried{get: func() Value { return d.v }, set: func(v Value) { d.v = v }, typ: d.typ})
				delete(others, d)
			} else if p, isPointer := r.carriedPointer(d); isPointer && reaches {
				list = append(list, p)
				delete(others, d)
			}
		}
	}
	if names[""] {
		list = append(list, carried{
			get: func() Value { return r.result }, set: func(v Value) { r.result = v }, typ: r.runningResult(), result: true,
		})
	}
	return list, others
}

// runningResult returns the type of numbers that the running function returns; CNone if it states none.
func (r *runner) runningResult() CType {
	s := r.functionScope()
	if s == nil || s.fn.Def.Result == nil || r.lang != program.Cpp {
		return CNone
	}
	t, err := r.resolve(s.fn.Def.Result)
	if err != nil {
		return CNone
	}
	return t.C
}

// parts returns a variable, or the variables of an array and the fields of an object.
func parts(c *cell) []*cell {
	var list []*cell
	switch v := c.v.(type) {
	case *Array:
		for _, e := range v.Cells {
			list = append(list, parts(e)...)
		}
	case *Object:
		for _, name := range v.names {
			list = append(list, parts(v.fields[name])...)
		}
	default:
		return []*cell{c}
	}
	return list
}

// isNumber reports whether a variable has a number, an MMA, whose accumulate_ is one, or no value yet.
func isNumber(c *cell) bool {
	switch v := c.v.(type) {
	case Algebra:
		_, _, isMMA := mmaOf(v)
		return isMMA && c.put == nil
	case nil, CInt, CFloat, Element, Int, Float, Bool, *Traced:
		return c.put == nil
	}
	return false
}

// setNames adds the names of the variables that statements set, or whose parts they set, and "" for the result of a
// function.
func setNames(list []program.Stmt, names map[string]bool) {
	for _, st := range list {
		switch st := st.(type) {
		case *program.Assign:
			for _, t := range st.Targets {
				rootName(t, names)
			}
			setIn(st.X, names)
		case *program.Augment:
			rootName(st.Target, names)
		case *program.Return:
			names[""] = names[""] || st.X != nil
			setIn(st.X, names)
		case *program.Value:
			setIn(st.X, names)
		case *program.Declare:
			for _, q := range st.Names {
				setIn(q.X, names)
			}
		case *program.If:
			setNames([]program.Stmt{st.Init, &program.Value{X: st.Cond}}, names)
			setNames(st.Then, names)
			setNames(st.Else, names)
		default:
			setNamesWithin(st, names)
		}
	}
}

// setNamesWithin adds the names that a loop or a block sets.
func setNamesWithin(st program.Stmt, names map[string]bool) {
	switch st := st.(type) {
	case *program.Loop:
		setNames([]program.Stmt{st.Init, &program.Value{X: st.Cond}, &program.Value{X: st.Post}}, names)
		setNames(st.Body, names)
	case *program.While:
		setIn(st.Cond, names)
		setNames(st.Body, names)
	case *program.For:
		rootName(st.Target, names)
		setNames(st.Body, names)
	case *program.Block:
		setNames(st.Body, names)
	case *program.Switch:
		for _, c := range st.Cases {
			setNames(c.Body, names)
		}
	}
}

// setIn adds the names that an expression sets.
func setIn(x program.Expr, names map[string]bool) {
	program.Walk(x, func(y program.Expr) bool {
		switch y := y.(type) {
		case *program.Update:
			rootName(y.Target, names)
		case *program.Step:
			rootName(y.X, names)
		case *program.Walrus:
			rootName(y.Target, names)
		}
		return true
	})
}

// rootName adds the name of the variable that contains a target.
func rootName(x program.Expr, names map[string]bool) {
	switch x := x.(type) {
	case *program.Name:
		names[x.Name] = true
	case *program.Index:
		rootName(x.X, names)
	case *program.Attr:
		rootName(x.X, names)
	case *program.Tuple:
		for _, y := range x.Elems {
			rootName(y, names)
		}
	}
}
