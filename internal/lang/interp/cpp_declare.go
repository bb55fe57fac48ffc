package interp

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
)

// This file runs the declarations of C++.

// A cppState contains the state of a C++ program apart from its names.
type cppState struct {
	statics  map[*program.Declarator]*cell // the static variables of functions
	out      stream                        // std::cout
	errors   stream                        // std::cerr
	thread   map[string]Value              // inside a kernel: threadIdx and similar names
	result   *cell                         // the variable to which the reference refers that a function returned last
	random   random                        // the state of rand()
	launched map[*program.Def]seenState    // see function again
}

// declaration runs a declaration of variables.
func (r *runner) declaration(st *program.Declare) error {
	if st.Template != nil {
		return errorf(cute.CodeSyntax, "a template of a variable is not run: write a function")
	}
	t, err := r.resolve(st.Type)
	if err != nil {
		return err
	}
	for i := range st.Names {
		q := &st.Names[i]
		c := r.cpp.statics[q]
		if c == nil {
			if c, err = r.variable(st, t, q); err != nil {
				return r.at(q, err)
			}
		}
		r.declare(q.Name, c)
		if r.traces() {
			r.tracing.tracer.NameVariable(q.Name, c.v, r.commentAfter(q.End()))
		}
		if q.Ref {
			r.scope.refs = append(r.scope.refs, q.Name)
		}
		if st.Static {
			if r.cpp.statics == nil {
				r.cpp.statics = make(map[*program.Declarator]*cell)
			}
			r.cpp.statics[q] = c
		}
	}
	return nil
}

// variable makes the variable of a declarator.
func (r *runner) variable(st *program.Declare, t TypeValue, q *program.Declarator) (*cell, error) {
	switch {
	case st.Shared && r.kernel != nil && len(q.Dims) == 1 && q.Dims[0] == nil && q.X == nil:
		return r.dynamicShared(t)
	case st.Shared && r.kernel != nil:
		return r.sharedVariable(st, t, q)
	case len(q.Dims) > 0:
		v, err := r.arrayOf(t, q, func() bool { return r.isZeroed(st) })
		return &cell{v: v}, err
	case q.Ref:
		return r.reference(t, q)
	case q.Ptr:
		elem := t
		t = TypeValue{Name: "pointer", Elem: &elem}
	}
	c := &cell{typ: t.C, fixed: st.Const && !q.Ptr}
	v, err := r.initial(st, t, q)
	if err != nil {
		return nil, err
	}
	c.v, c.to = v, t.Elem
	c.findType(t)
	return c, nil
}

// findType sets the types of a variable that are no type of numbers: the type of the value of an auto variable, and a
// type such as half.
func (c *cell) findType(t TypeValue) {
	if t.C == CNone {
		c.typ = typeOfNumber(c.v)
		if x, ok := c.v.(*Traced); ok {
			c.typ = x.Type
		}
	}
	if narrow[t.Name] {
		c.elem, _ = elementTypeOf(t)
	}
}

// isZeroed reports whether variables without a value are zero: static variables, and variables outside functions in a
// text that defines main. Any other text may be the inside of a function.
func (r *runner) isZeroed(st *program.Declare) bool {
	return st.Static || (r.scope == r.globals || r.scope.space) && r.hasMain()
}

// reference returns the variable to which a reference refers: the variable that its initialiser denotes, or a new
// variable.
func (r *runner) reference(t TypeValue, q *program.Declarator) (*cell, error) {
	if q.Form != '=' {
		if list, ok := q.X.(*program.Tuple); ok && len(list.Elems) == 1 {
			return r.referenceTo(t, list.Elems[0])
		}
		return nil, errorf(cute.CodeSyntax, "expected a value for the reference %s", q.Name)
	}
	return r.referenceTo(t, q.X)
}

func (r *runner) referenceTo(t TypeValue, x program.Expr) (*cell, error) {
	c, err := r.variableOf(x)
	if err != nil {
		return nil, err
	}
	if c != nil && (t.C == CNone || c.typ == t.C || c.v == nil) {
		return c, nil
	}
	v, err := r.value(x)
	if err == nil {
		v, err = r.fit(v, t)
	}
	return &cell{v: v, typ: t.C}, r.at(x, err)
}

// initial returns the initial value of a variable. It is nil for a number without an initialiser, which must not be
// read.
func (r *runner) initial(st *program.Declare, t TypeValue, q *program.Declarator) (Value, error) {
	if q.Form == '=' {
		v, err := r.value(q.X)
		if err != nil {
			return nil, err
		}
		v, err = r.fit(v, t)
		return v, r.at(q.X, err)
	}
	if q.Form != 0 {
		tuple := q.X.(*program.Tuple) // the parser makes no other expression
		list, err := r.list(tuple.Elems)
		if err != nil {
			return nil, err
		}
		return r.construction(t, st.Type, q, list)
	}
	switch {
	case st.Type == nil:
		return nil, errorf(cute.CodeSyntax, "expected a value for %s, which has the type auto", q.Name)
	case t.C != CNone || t.Name == "pointer":
		if r.isZeroed(st) {
			return r.zero(t), nil
		}
		return nil, nil
	case t.Struct != nil:
		return r.object(t.Struct, nil)
	case vectors[t.Name]:
		return r.vectorOf(t, nil)
	case narrow[t.Name]:
		return nil, nil
	}
	if v, ok, err := r.cudaVariable(nameOf(st.Type), q); ok {
		return v, err
	}
	return r.make(&program.Make{Span: q.Span, Type: st.Type})
}

// cudaVariable returns a variable of a type of CUDA or CUTLASS without a value; ok is false for other types.
func (r *runner) cudaVariable(name string, q *program.Declarator) (v Value, ok bool, err error) {
	switch {
	case cudaHandles[name]:
		return None{}, true, nil
	case name == "ClusterLaunchParams":
		v, err = clusterParams(nil)
		return v, true, err
	case name == "GPU_Clock":
		return clock{}, true, nil
	case name == "cudaDeviceProp":
		of := r.gpu()
		r.noteAt(q.Pos(), fmt.Sprintf("the GPU is taken to be an %s with %d multiprocessors", of.name, of.processors))
		return r.gpuProperties(), true, nil
	}
	return nil, false, nil
}

// construction returns the value of T x(LIST) or T x{LIST}.
func (r *runner) construction(t TypeValue, typ program.Expr, q *program.Declarator, list []Value) (Value, error) {
	switch {
	case typ == nil && q.Form == '{':
		return r.bracedAuto(q, list)
	case typ == nil && len(list) == 1: // auto
		return r.fit(list[0], t)
	case t.C != CNone || t.Name == "pointer" || t.Name == "string":
		return r.fitList(list, t)
	case t.Struct != nil:
		return r.objectFrom(t.Struct, list)
	case vectors[t.Name] && q.Form == '(':
		return r.fillVector(t, list)
	case vectors[t.Name]:
		return r.vectorOf(t, list)
	case len(list) == 0:
		return r.make(&program.Make{Span: q.Span, Type: typ})
	}
	return r.callType(typ, q, list)
}

// bracedAuto returns the value of auto x{V}, and the elements of auto x = {V, W}.
func (r *runner) bracedAuto(q *program.Declarator, values []Value) (Value, error) {
	if between := r.src[q.From+len(q.Name) : q.X.Pos()]; len(values) == 1 && !strings.Contains(between, "=") {
		return copyOf(decay(values[0])), nil
	}
	for _, v := range values {
		if t := typeOfNumber(v); t == CNone || t != typeOfNumber(values[0]) {
			return nil, errorf(cute.CodeType, "expected numbers of one type in the braces of %s", q.Name)
		}
	}
	if len(values) == 0 {
		return nil, errorf(cute.CodeType, "expected a number in the braces of %s", q.Name)
	}
	return r.vector(typeOfNumber(values[0]), values), nil
}

// callType returns the value of T x(LIST) for a type of CUDA or CuTe.
func (r *runner) callType(typ program.Expr, q *program.Declarator, list []Value) (Value, error) {
	name, ok := typ.(*program.Name)
	switch {
	case ok && name.Name == "dim3":
		return dim3(list)
	case ok && name.Name == "ClusterLaunchParams":
		return clusterParams(list)
	case len(list) == 1 && isAlgebra(list[0]) && (!ok || !isOperation(name.Name)):
		return list[0], nil // a copy, as in Layout a(b);
	}
	x := &program.Call{Span: q.Span, Fn: typ}
	for _, e := range q.X.(*program.Tuple).Elems { // the parser makes no other expression
		x.Args = append(x.Args, program.Arg{X: e})
	}
	return r.call(x)
}

// fillVector returns vector<T>(n) or vector<T>(n, value).
func (r *runner) fillVector(t TypeValue, list []Value) (Value, error) {
	if len(list) == 1 {
		if a, ok := list[0].(*Array); ok {
			return copyOf(a), nil
		}
	}
	if len(list) == 0 || len(list) > 2 {
		return nil, errorf(cute.CodeRank, "expected the number of elements and their value, found %d values", len(list))
	}
	n, ok := integerOf(list[0])
	if !ok {
		return nil, errorf(cute.CodeType, "expected the number of elements, found %s", cppDescribe(list[0]))
	}
	a, err := r.newArray(*t.Elem, n)
	if err != nil {
		return nil, err
	}
	a.Vector = true
	for _, c := range a.Cells {
		c.v = r.zero(*t.Elem)
		if len(list) == 2 {
			if c.v, err = r.fit(list[1], *t.Elem); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// arrayOf makes the array of a declarator. If isZero returns true, elements without values are zero.
func (r *runner) arrayOf(t TypeValue, q *program.Declarator, isZero func() bool) (Value, error) {
	if q.Ptr {
		t = TypeValue{Name: "pointer", Elem: &t}
	}
	if text, ok := q.X.(*program.Text); ok && t.C == CChar {
		return r.characters(q, text)
	}
	var elems []program.Expr
	if list, ok := q.X.(*program.Tuple); ok {
		elems = list.Elems
	} else if q.X != nil {
		return nil, errorf(cute.CodeType, "expected the elements of %s in braces", q.Name)
	}
	dims := make([]int64, len(q.Dims))
	for i, x := range q.Dims {
		if x == nil {
			if i > 0 || q.X == nil {
				return nil, errorf(cute.CodeSyntax, "expected the number of elements of %s", q.Name)
			}
			dims[0] = int64(len(elems))
			continue
		}
		var err error
		if dims[i], err = r.count(x); err != nil {
			return nil, err
		}
	}
	f := filler{r, t, elems, q.X != nil || isZero()}
	v, err := f.fill(dims)
	if err == nil && len(f.elems) > 0 {
		err = errorf(cute.CodeRank, "%s has %d elements too many in its braces", q.Name, len(f.elems))
	}
	return v, err
}

// characters makes the array of char s[] = "text".
func (r *runner) characters(q *program.Declarator, x *program.Text) (Value, error) {
	text, _ := program.TextOf(x)
	n := int64(len(text)) + 1
	if q.Dims[0] != nil {
		var err error
		if n, err = r.count(q.Dims[0]); err != nil {
			return nil, err
		}
	}
	if n < int64(len(text))+1 {
		return nil, errorf(cute.CodeRank, "%s needs %d characters, found %d", q.Name, len(text)+1, n)
	}
	a, err := r.newArray(TypeValue{C: CChar}, n)
	if err != nil {
		return nil, err
	}
	for i, c := range textArray(text + strings.Repeat("\x00", int(n)-len(text)-1)).Cells {
		a.Cells[i].v = c.v
	}
	return a, nil
}

// A filler sets the elements of an array in order. The elements of a row may be in inner braces.
type filler struct {
	r     *runner
	t     TypeValue
	elems []program.Expr
	zero  bool // the elements without a value are zero
}

func (f *filler) fill(dims []int64) (Value, error) {
	elem := f.t
	if len(dims) > 1 {
		elem = TypeValue{}
	}
	a, err := f.r.newArray(elem, dims[0])
	if err != nil {
		return nil, err
	}
	for _, c := range a.Cells {
		if len(dims) > 1 {
			c.v, err = f.row(dims[1:])
		} else {
			c.v, err = f.next()
		}
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (f *filler) row(dims []int64) (Value, error) {
	if len(f.elems) == 0 {
		return f.fill(dims)
	}
	m, ok := f.elems[0].(*program.Make)
	if !ok || m.Type != nil {
		return f.fill(dims) // its elements continue the elements before
	}
	f.elems = f.elems[1:]
	in := filler{f.r, f.t, m.Elems, true}
	v, err := in.fill(dims)
	if err == nil && len(in.elems) > 0 {
		err = errorf(cute.CodeRank, "a row of %d has %d elements too many", dims[0], len(in.elems))
	}
	return v, err
}

func (f *filler) next() (Value, error) {
	if len(f.elems) == 0 {
		if f.zero {
			return f.r.zero(f.t), nil
		}
		if f.t.Struct != nil {
			return f.r.object(f.t.Struct, nil)
		}
		return nil, nil
	}
	x := f.elems[0]
	f.elems = f.elems[1:]
	v, err := f.r.value(x)
	if err == nil {
		v, err = f.r.fit(v, f.t)
	}
	return v, f.r.at(x, err)
}
