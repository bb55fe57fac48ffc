package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
)

// This file finds the variables of C++ that expressions denote, and changes them.

// variableOf returns the variable that an expression denotes, as in x, a[i], *p, p->x, ++x, x = y and c ? x : y. It
// returns nil if the expression does not denote a variable.
func (r *runner) variableOf(x program.Expr) (*cell, error) {
	switch x := x.(type) {
	case *program.Name:
		return r.find(x), nil
	case *program.Index:
		return r.elementOf(x)
	case *program.Attr:
		return r.fieldOf(x)
	case *program.Unary:
		if x.Op != "*" {
			return nil, nil
		}
		v, err := r.value(x.X)
		if err != nil {
			return nil, err
		}
		return r.pointee(v, x)
	case *program.Cond:
		return r.choice(x)
	case *program.Update:
		return r.assignVariable(x)
	case *program.Call:
		if c, err := r.calledPlace(x); c != nil || err != nil {
			return c, err
		}
		return r.returnedBy(x)
	case *program.Step:
		if x.After {
			return nil, nil
		}
		_, c, err := r.stepPlace(x)
		return c, err
	}
	return nil, nil
}

// choice is variableOf for C ? X : Y.
func (r *runner) choice(x *program.Cond) (*cell, error) {
	ok, err := r.holds(x.Cond)
	if err != nil {
		return nil, err
	}
	taken, other := x.Else, x.Then
	if ok {
		taken, other = other, taken
	}
	c, err := r.variableOf(taken)
	if err == nil && c == nil {
		c = &cell{}
		if c.v, err = r.value(taken); err == nil {
			c.typ = typeOfNumber(c.v)
		}
	}
	if err != nil {
		return nil, err
	}
	v, err := r.commonWith(c.v, other) // for example, c ? 1 : 2.0 is a double and not a variable
	if t := typeOfNumber(v); t != typeOfNumber(c.v) {
		c = &cell{v: v, typ: t}
	}
	return c, err
}

// returnedBy returns the variable to which the result of a call refers. If the function does not return a reference, it
// returns nil and does not run the call.
func (r *runner) returnedBy(x *program.Call) (*cell, error) {
	switch fn := x.Fn.(type) {
	case *program.Name:
		c := r.find(fn)
		if c == nil {
			return nil, nil
		}
		switch f := c.v.(type) {
		case *Func:
			return r.resultOf(f, x)
		case *Object:
			return r.resultOf(f.method("operator()"), x)
		}
	case *program.Template:
		if name, ok := fn.X.(*program.Name); ok {
			if c := r.find(name); c != nil {
				f, _ := c.v.(*Func)
				return r.resultOf(f, x)
			}
		}
	case *program.Attr:
		if c, err := r.dataOf(fn); c != nil || err != nil {
			return c, err
		}
		return r.returnedByMethod(fn, x)
	}
	return nil, nil
}

// resultOf runs a call of a function that returns a reference, and returns the variable to which the reference refers.
func (r *runner) resultOf(f *Func, x *program.Call) (*cell, error) {
	for ; f != nil; f = f.next {
		if f.Def.Ref {
			_, err := r.value(x)
			return r.cpp.result, err
		}
	}
	return nil, nil
}

// returnedByMethod is returnedBy for X.f(..). If X is a call, it is run only if its result is a reference.
func (r *runner) returnedByMethod(fn *program.Attr, x *program.Call) (*cell, error) {
	var of Value
	switch inner := fn.X.(type) {
	case *program.Name, *program.Attr, *program.Index:
		v, err := r.value(inner)
		if err != nil {
			return nil, err
		}
		of = v
	case *program.Call:
		c, err := r.returnedBy(inner)
		if err != nil || c == nil {
			return nil, err
		}
		v, err := r.callMethod(c.v, fn.Name, x)
		if o, ok := c.v.(*Object); ok && err == nil && o.method(fn.Name).refers() {
			return r.cpp.result, nil
		}
		return &cell{v: v, typ: typeOfNumber(v)}, err
	}
	if p, ok := of.(Pointer); ok && p.At >= 0 && p.At < int64(len(p.Of.Cells)) {
		of = p.Of.Cells[p.At].v
	}
	switch v := of.(type) {
	case *Object:
		return r.resultOf(v.method(fn.Name), x)
	case *Array:
		return r.elementBy(v, fn.Name, x)
	}
	return nil, nil
}

// refers reports whether a function, or one of its overloads, returns a reference.
func (f *Func) refers() bool { return f != nil && (f.Def.Ref || f.next.refers()) }

// elementBy returns the element of a vector to which front, back or at refers, or nil for other methods.
func (r *runner) elementBy(a *Array, name string, x *program.Call) (*cell, error) {
	if !a.Vector {
		return nil, nil
	}
	at := int64(0)
	switch {
	case name == "at" && len(x.Args) == 1:
		i, err := r.value(x.Args[0].X)
		if err != nil {
			return nil, err
		}
		c, err := a.element(i)
		return c, r.at(x, err)
	case name == "back" && len(x.Args) == 0:
		at = int64(len(a.Cells)) - 1
	case name != "front" || len(x.Args) > 0:
		return nil, nil
	}
	c, err := Pointer{Of: a, At: at}.cell()
	return c, r.at(x, err)
}

// target is variableOf for the target of an assignment.
func (r *runner) target(x program.Expr) (*cell, error) {
	c, err := r.variableOf(x)
	name, isName := x.(*program.Name)
	switch {
	case err != nil:
		return nil, err
	case c == nil && isName:
		return nil, r.at(x, r.unknownName(name.Name))
	case c == nil:
		return nil, r.at(x, errorf(cute.CodeType, "expected a variable to assign to"))
	case c.fixed:
		return nil, r.at(x, errorf(cute.CodeType, "%s is const", r.src[x.Pos():x.End()]))
	}
	return c, nil
}

// elementOf returns the variable a[i], or nil if a is a value of the algebra.
func (r *runner) elementOf(x *program.Index) (*cell, error) {
	of, err := r.value(x.X)
	if a, ok := of.(Algebra); ok && a.isTensor() && err == nil {
		return r.indexedPlace(a, x)
	}
	if err != nil || isAlgebra(of) {
		return nil, err
	}
	i, err := r.index(x)
	if err != nil {
		return nil, err
	}
	if p, ok := r.tracedPlace(of, i, x); ok {
		return p, nil
	}
	if p, ok := of.(*vectorPointer); ok {
		c, err := r.vectorPlace(p, i, x)
		return c, r.at(x, err)
	}
	if p, ok := of.(Address); ok {
		c, err := r.elementAtAddress(p, i)
		return c, r.at(x, err)
	}
	c, _, err := elementAt(of, i)
	return c, r.at(x, err)
}

// fieldOf returns the variable x.f or p->f, or nil if x is not an object.
func (r *runner) fieldOf(x *program.Attr) (*cell, error) {
	if _, ok := r.modulePath(x.X); ok {
		return nil, nil
	}
	if c, ok, err := r.vectorField(x); ok {
		return c, err
	}
	of, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	if p, ok := of.(Pointer); ok {
		c, err := p.cell()
		if err != nil {
			return nil, r.at(x, err)
		}
		of = c.v
	}
	if o, ok := of.(*Object); ok {
		return o.fields[x.Name], nil
	}
	if a, ok := of.(Algebra); ok && x.Name == "accumulate_" {
		return r.accumulateOf(a, x)
	}
	return nil, nil
}

// pointee returns the variable that a pointer points to.
func (r *runner) pointee(v Value, at program.Node) (*cell, error) {
	if p, ok := pointerOf(v); ok && r.traces() {
		return r.tracedElement(p.memory, []Value{p.start}, at), nil
	}
	if p, ok := v.(*vectorPointer); ok {
		return r.vectorPlace(p, cInt(0, CIntType), at)
	}
	if p, ok := v.(Address); ok {
		c, err := r.addressCell(p)
		return c, r.at(at, err)
	}
	p, ok := decay(v).(Pointer)
	if _, null := v.(None); null {
		return nil, r.at(at, errorf(cute.CodeType, "the pointer is null: undefined in C++"))
	}
	if !ok {
		return nil, nil
	}
	c, err := p.cell()
	return c, r.at(at, err)
}

// load returns the value of a variable, which must have one.
func (r *runner) load(c *cell, at program.Node) (Value, error) {
	if c.v == nil {
		return nil, r.at(at, errorf(cute.CodeName, "%s is read before a value is assigned to it: undefined in C++",
			r.src[at.Pos():at.End()]))
	}
	if c.used != nil {
		if err := c.used(); err != nil {
			return nil, r.at(at, err)
		}
	}
	return c.v, nil
}

// updatePlace runs TARGET OP= X, and TARGET = X.
func (r *runner) updatePlace(target program.Expr, op string, x program.Expr) (Value, error) {
	at := program.Span{From: target.Pos(), To: x.End()}
	c, err := r.assignVariable(&program.Update{Span: at, Target: target, Op: op, X: x})
	if err != nil {
		return nil, err
	}
	return c.v, nil
}

// assignVariable runs an assignment, and returns the variable. The value is evaluated before the variable, as in C++17.
func (r *runner) assignVariable(x *program.Update) (*cell, error) {
	y, err := r.value(x.X)
	if err != nil {
		return nil, err
	}
	c, err := r.target(x.Target)
	if err != nil {
		return nil, err
	}
	if x.Op != "" {
		old, err := r.load(c, x.Target)
		if err != nil {
			return nil, err
		}
		if y, err = r.combine(x.Op, old, y, x); err != nil {
			return nil, r.at(x, err)
		}
	}
	return c, r.at(x, r.assignTo(c, y))
}

// assignTo assigns a value to a variable, converted to its type.
func (r *runner) assignTo(c *cell, v Value) error {
	if c.put != nil {
		c.v = v
		return c.put(v)
	}
	if c.elem != 0 && r.lang == program.Cpp {
		var err error
		c.v, err = r.toElement(c.elem, v)
		return err
	}
	if e, ok := c.v.(Element); ok && r.lang == program.Cpp {
		var err error
		c.v, err = r.elementFrom(e.Type, &arguments{pos: []Value{v}})
		return err
	}
	if o, ok := v.(Tuple); ok { // a list in braces
		if list, isArray := c.v.(*Array); isArray && list.Vector {
			v = r.vector(list.Type, o)
		}
	}
	v, err := r.toType(copyOf(v), c.typ)
	if err != nil {
		return err
	}
	if old, ok := c.v.(*Array); ok && !old.Vector {
		return errorf(cute.CodeType, "an array cannot be assigned to")
	}
	if !setVector(c, v) {
		c.v = v
	}
	return r.raceCell(c, writes)
}

// stepPlace runs ++x or --x, and returns the old value and the variable.
func (r *runner) stepPlace(x *program.Step) (Value, *cell, error) {
	c, err := r.target(x.X)
	if err != nil {
		return nil, nil, err
	}
	old, err := r.load(c, x.X)
	if err != nil {
		return nil, nil, err
	}
	var v Value
	if o, ok := old.(*Object); ok && isPipelineState(o) && x.Op == "++" {
		was := copyOf(o)
		return was, c, r.at(x, r.advance(o, 1))
	}
	if typeOfNumber(old) != CNone {
		v, err = cppStep(x.Op, old)
	} else {
		v, err = r.combine(x.Op[:1], old, CInt{Bits: 1, Type: CIntType}, x)
	}
	if err != nil {
		return nil, nil, r.at(x, err)
	}
	if c.put != nil {
		err = r.at(x, c.put(v))
	}
	c.v = v
	return old, c, err
}

// stepValue evaluates ++x and x++.
func (r *runner) stepValue(x *program.Step) (Value, error) {
	old, c, err := r.stepPlace(x)
	if err != nil || x.After {
		return old, err
	}
	return c.v, nil
}

// pointer evaluates &x and *p.
func (r *runner) pointer(x *program.Unary) (Value, error) {
	if x.Op == "*" {
		v, err := r.value(x.X)
		if err != nil {
			return nil, err
		}
		if a, ok := v.(Algebra); ok {
			return r.algebraUnary(x, a)
		}
		c, err := r.pointee(v, x)
		if err == nil && c == nil {
			err = errorf(cute.CodeType, "expected a pointer after *, found %s", cppDescribe(v))
		}
		if err != nil {
			return nil, err
		}
		return r.load(c, x)
	}
	if i, ok := x.X.(*program.Index); ok { // &a[i] may be the address after the last element of a
		return r.value(&program.Binary{Span: x.Span, Op: "+", X: i.X, Y: i.Args[0]})
	}
	c, err := r.variableOf(x.X)
	if err != nil {
		return nil, err
	}
	if c == nil {
		v, err := r.value(x.X)
		if f, ok := v.(*Func); ok {
			return f, err
		}
		if err == nil {
			err = errorf(cute.CodeType, "expected a variable after &, found a value")
		}
		return nil, err
	}
	return r.pointerTo(c, x.X)
}

// pointerTo returns the address of a variable.
func (r *runner) pointerTo(c *cell, x program.Expr) (Value, error) {
	if r.traces() {
		if a, ok := r.tracing.scalars[c]; ok {
			return a, nil
		}
	}
	switch v := c.v.(type) {
	case *Func:
		return v, nil
	case *Array:
		if !v.Vector {
			return nil, errorf(cute.CodeType, "a pointer to an array is not run: write &%s[0]", r.src[x.Pos():x.End()])
		}
	}
	return Pointer{Of: &Array{Type: c.typ, Cells: []*cell{c}}}, nil
}
