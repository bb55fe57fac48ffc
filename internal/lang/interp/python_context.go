package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the with statement.

// with runs with X as TARGET, ...: it enters the contexts starting with number from, and runs the body inside them.
func (r *runner) with(st *program.With, from int) (flow, error) {
	if from == len(st.Contexts) {
		return r.run(st.Body)
	}
	item := st.Contexts[from]
	of, err := r.value(item.X)
	if err != nil {
		return goesOn, err
	}
	if how, done, err := r.hostContext(of, st, from); done {
		return how, err
	}
	o, ok := of.(*Instance)
	if !ok || o.class.find("__enter__") == nil || o.class.find("__exit__") == nil {
		if ok && o.class.mro != nil || !ok && !isAlgebra(of) {
			return goesOn, r.at(item.X, &python.Exception{Kind: "TypeError", Msg: "'" + python.TypeName(of) +
				"' object does not support the context manager protocol"})
		}
		return goesOn, r.at(item.X, errorf(cute.CodeSyntax, "the context %s is not run", r.describe(of)))
	}
	v, err := r.callAttribute(o, "__enter__", &arguments{})
	if err != nil {
		return goesOn, r.at(item.X, err)
	}
	defer r.guard(st)()
	s := r.state()
	how := goesOn
	if item.Target != nil {
		err = r.at(item.Target, r.store(item.Target, v))
	}
	if err == nil {
		how, err = r.with(st, from+1)
	}
	c := openContext{o, s, st}
	return r.leaveContext(c, how, err)
}

// An openContext is a context that has been entered.
type openContext struct {
	o     *Instance
	state state // the state before the body
	st    *program.With
}

// leaveContext calls __exit__ of a context after its body has ended. If the result is true, an exception is dropped.
func (r *runner) leaveContext(c openContext, how flow, err error) (flow, error) {
	if err != nil && !isRaised(err) {
		return how, err
	}
	exit := &arguments{pos: []Value{None{}, None{}, None{}}}
	result := r.result
	if err != nil {
		f := r.place(c.st, err)
		r.restore(c.state)
		e := r.caughtValue(f.raised)
		exit.pos = []Value{e.class, e, None{}}
		r.caught = f
	}
	v, failed := r.callAttribute(c.o, "__exit__", exit)
	r.caught = c.state.caught
	if failed != nil {
		return goesOn, r.at(c.st, failed)
	}
	r.result = result
	if err == nil {
		return how, nil
	}
	if ends, failed := r.truth(v); failed != nil || ends {
		return goesOn, failed
	}
	return how, err
}

// hostContext runs a body in a context of the CuTe DSL; done is false for any other value.
func (r *runner) hostContext(of Value, st *program.With, from int) (how flow, done bool, err error) {
	c, ok := of.(bodyContext)
	if !ok {
		return goesOn, false, nil
	}
	if runs, err := c.runs(r); err != nil || !runs {
		return goesOn, true, err
	}
	how, err = r.with(st, from+1)
	return how, true, err
}

// A bodyContext is a context whose body runs only in some threads, as cute.arch.elect_one() requests, or in all
// threads.
type bodyContext struct {
	runs func(r *runner) (bool, error)
}

// TypeName returns the name of the type in Python.
func (bodyContext) TypeName() string { return "context" }
