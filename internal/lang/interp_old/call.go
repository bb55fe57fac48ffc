package interp

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/program"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
)

// This file calls the functions of a program.

// maxCalls limits nested calls. Without branches a recursion would never end.
const maxCalls = 64

// calledDef returns the function of the program that an expression calls, and the call.
func (r *runner) calledDef(x program.Expr) (*program.Def, *syntax.Call) {
	if len(r.Functions) == 0 {
		return nil, nil
	}
	tree, err := syntax.ParseWithin(r.src, x.Pos, x.End)
	c, ok := tree.(*syntax.Call)
	if err != nil || !ok || !plainCall(c) {
		return nil, nil
	}
	return r.Functions[c.Name], c
}

// plainCall reports whether a call may call a function of the program.
func plainCall(c *syntax.Call) bool {
	return !c.Method && !c.Qualified && c.Template == nil && c.Modes == nil
}

// call calls a function and binds a name to its value. The function must return a value unless the name is [result].
func (r *runner) call(d *program.Def, c *syntax.Call, name string) *report.Error {
	if r.calls == maxCalls {
		return r.fault(cute.CodeLimit, c.Pos(), c.End(),
			fmt.Sprintf("functions call each other more than %d deep", maxCalls))
	}
	as, fault := r.arguments(d, c)
	if fault != nil {
		return fault
	}
	env, src := r.Env, r.src
	caller := env.Scope()
	env.Enter(r.globals, as)
	r.src = d.Src
	r.calls++
	r.nested++
	top := d.JIT && r.trace == nil
	if top {
		r.trace = new(trace)
	}
	_, fault = r.run(d.Body)
	if top {
		late := r.trace.late.String()
		r.trace = nil
		if fault == nil {
			fault = r.emit(r.out.line(late), program.Expr{})
		}
	}
	r.calls--
	r.nested--
	if fault != nil && r.failed == "" {
		r.failed = d.Src
	}
	r.src = src
	given := fault == nil && r.isBound(result)
	env.Leave(caller, result, name)
	if fault == nil && !given && name != result {
		fault = r.fault(cute.CodeType, c.Pos(), c.End(), fmt.Sprintf("%s returns nothing", d.Name))
	}
	return fault
}

// arguments evaluates the arguments of a call. It binds each to a name, and returns the names with their parameters.
func (r *runner) arguments(d *program.Def, c *syntax.Call) (map[string]string, *report.Error) {
	as := make(map[string]string)
	given := make(map[string]bool)
	for i, a := range c.Args {
		k := i
		if a.Key != "" {
			for k = 0; k < len(d.Params) && d.Params[k].Name != a.Key; k++ {
			}
		}
		if k >= len(d.Params) || given[d.Params[k].Name] {
			return nil, r.fault(cute.CodeRank, a.X.Pos(), a.X.End(),
				fmt.Sprintf("%s has no parameter for this argument", d.Name))
		}
		if fault := r.argument(d.Params[k], a.X, r.src, as); fault != nil {
			return nil, fault
		}
		given[d.Params[k].Name] = true
	}
	for _, p := range d.Params {
		if given[p.Name] {
			continue
		}
		x, err := syntax.ParseWithin(d.Src, p.Default.Pos, p.Default.End)
		if p.Default.Text == "" || err != nil {
			return nil, r.fault(cute.CodeRank, c.Pos(), c.End(),
				fmt.Sprintf("%s needs a value for its parameter %s", d.Name, p.Name))
		}
		if fault := r.argument(p, x, d.Src, as); fault != nil {
			fault.Pos, fault.End = c.Pos(), c.End()
			return nil, fault
		}
	}
	return as, nil
}

// argument evaluates the argument of a parameter, an expression in the text src. An Int32 becomes a run-time integer.
func (r *runner) argument(p program.Param, x syntax.Expr, src string, as map[string]string) *report.Error {
	was := r.src
	r.src = src
	defer func() { r.src = was }()
	name := " " + p.Name
	at := program.Expr{Pos: x.Pos(), End: x.End(), Text: src[x.Pos():x.End()]}
	if _, fault := r.value(name, at); fault != nil {
		return fault
	}
	if p.Type == "Int32" || p.Type == "Int64" {
		bare := syntax.Arg{KeyPos: -1, X: &syntax.Ident{Span: syntax.SpanOf(at.Pos, at.End), Name: name}}
		late := &syntax.Call{Span: syntax.SpanOf(at.Pos, at.End), Name: p.Type, Args: []syntax.Arg{bare}}
		if _, err := r.Env.Assign(name, late); err != nil {
			return report.Of(err)
		}
	}
	as[name] = p.Name
	return nil
}

// nesting refuses an expression in which a function of the program is called.
func (r *runner) nesting(x syntax.Expr) (fault *report.Error) {
	if len(r.Functions) == 0 {
		return nil
	}
	syntax.Walk(x, func(y syntax.Expr) bool {
		if c, ok := y.(*syntax.Call); ok && fault == nil && plainCall(c) && r.Functions[c.Name] != nil {
			fault = r.fault(cute.CodeSyntax, c.Pos(), c.End(),
				c.Name+" is a function of the program and called within an expression")
			fault.Hint = "bind its value to a name: NAME = " + c.Name + "(...)"
		}
		return fault == nil
	})
	return fault
}
