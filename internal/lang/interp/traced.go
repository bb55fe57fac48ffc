package interp

import (
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file lets a [Tracer] make a kernel of a launch. The body of the kernel runs once, for a thread and a block whose
// coordinates are values of the tracer. Values that depend on them are [Traced], and so is each tensor of the kernel.
// The tracer runs the operations on such values. Everything else, such as the counter of a loop, has its value: loops
// are unrolled, and conditions are decided.
//
// A Traced value also has the value of thread 0 of block 0, its shadow. What an operation needs from the algebra, such
// as the layout of a partition, is computed from the shadows, exactly as when the program is run.

// A Tracer makes a kernel of a launch.
type Tracer interface {
	// Wants reports whether to trace the launch of a kernel. Other launches run.
	Wants(kernel string) bool
	// Launch makes the kernel; run runs its body once.
	Launch(l TracedLaunch, run func() error) error
	// At states the line of the program that the operations belong to.
	At(line int)
	// Coordinate returns threadIdx or blockIdx along dimension 0, 1 or 2.
	Coordinate(name string, dim int) any
	// Operator computes an operator if a value is traced: "+", "<", "unary -", "unary !". A condition that is the same for
	// all threads becomes a bool.
	Operator(op string, args []Value) (Value, error)
	// Convert converts a value to a type of numbers of C++.
	Convert(v *Traced, t CType) (Value, error)
	// Call runs a call of a function or a method.
	Call(c *TracedCall) (Value, error)
	// ValuesUnder returns the value that a value has in the threads for which a condition holds, and in the others.
	ValuesUnder(cond *Traced, v Value) (then, otherwise Value)
	// If runs the parts of a condition that differs from thread to thread. A part leaves its values of the variables in
	// them. If leaves the values of both parts together there, or the values of one part if it runs no other.
	If(cond *Traced, vars []*Variable, then, otherwise func() error) error
	// NameVariable says that a variable is declared with a value. comment is the rest of the line after //.
	NameVariable(name string, v Value, comment string)
}

// A TracedLaunch is a launch of a kernel.
type TracedLaunch struct {
	Kernel      string
	Python      bool // it is one of the CuTe DSL
	Grid, Block [3]int64
	Cluster     [3]int64 // 0 without clusters
	Names       []string // of the parameters
	Args        []Value
}

// A Traced is a value of a tracer.
type Traced struct {
	Of     any
	Shadow Value // the value in thread 0 of block 0; nil if it depends on elements
	Type   CType // of a number of C++, otherwise CNone
	// Elem is the type of a number of an element type that C++ itself does not have, as half; otherwise 0.
	Elem dtype.Type
}

// TypeName returns the name of its type in errors of Python.
func (*Traced) TypeName() string { return "value that differs from thread to thread" }

// IsForeign marks the type.
func (*Traced) IsForeign() {}

// A Variable is a variable that the parts of a condition may set.
type Variable struct {
	Type  CType // to which assigned values are converted; CNone in Python, and if there is none
	Value Value // nil before it is set
	// Result is true for the result of a function. A part that does not return leaves another value there, which is no
	// number, and is never used.
	Result bool
}

// A TracedCall is a call of a function of CuTe, of a method, or of a tensor. The first argument of a method is its
// object, and of t(i,j) it is t.
type TracedCall struct {
	Name string // "()" for t(i,j), "load" and "store" for an element
	Args []Value
	Keys map[string]Value // the arguments with names
	Elem dtype.Type       // the type among the template arguments, or 0
	Ints []int64          // the integers among the template arguments
	Lazy bool             // it is lazy::transform
	Std  bool             // the name is one of the namespace std
	// Unused says that the call is a statement: nothing uses the result.
	Unused bool
	// Apply calls a function of the program.
	Apply func(f Value, args ...Value) (Value, error)
	// Run runs the call as without a tracer, with other arguments.
	Run func(args []Value) (Value, error)
	// Ordinary runs the operation of the algebra with a name on values.
	Ordinary func(name string, args ...Value) (Value, error)
}

// ShadowOf returns a value with shadows in place of its traced parts. ok is false if a part depends on elements.
func ShadowOf(v Value) (out Value, ok bool) {
	switch v := v.(type) {
	case *Traced:
		return v.Shadow, v.Shadow != nil
	case Tuple:
		list := make(Tuple, len(v))
		for i, x := range v {
			if list[i], ok = ShadowOf(x); !ok {
				return nil, false
			}
		}
		return list, true
	}
	return v, true
}

// IsTraced reports whether a value, or a part of it, is traced.
func IsTraced(v Value) bool {
	if t, ok := v.(Tuple); ok {
		return slices.ContainsFunc(t, IsTraced)
	}
	_, ok := v.(*Traced)
	return ok
}

// A tracing is the state of a runner whose kernel is being traced.
type tracing struct {
	tracer    Tracer
	shadow    int               // the number of running calls on shadows
	at        program.Node      // the latest operation
	guard     Value             // a condition of the threads that go on, where some have left the statements
	scalars   map[*cell]Address // of shared memory: the variables that are no arrays
	undecided int               // the running rounds of loops that some threads have left
	isSize    bool              // the running expression is the operand of sizeof
}

// traces reports whether operations are the tracer's now.
func (r *runner) traces() bool { return r.tracing != nil && r.tracing.shadow == 0 }

// errTraced ends a program whose kernel was traced.
var errTraced = errorf(cute.CodeLimit, "the program ends here, since its kernel is traced")

// coordinateOf returns threadIdx or blockIdx along a dimension.
func (r *runner) coordinateOf(name string, dim int) Value {
	return &Traced{Of: r.tracing.tracer.Coordinate(name, dim), Shadow: CInt{Type: CUInt, Static: true}, Type: CUInt}
}

// ordinary calls f with shadows: the operations in it are not the tracer's.
func (r *runner) ordinary(f func() (Value, error)) (Value, error) {
	r.tracing.shadow++
	defer func() { r.tracing.shadow-- }()
	return f()
}

// isTracedName reports whether a function is the tracer's for all arguments: functions on memory, and barriers.
func isTracedName(name string) bool {
	if memoryRows[name] != nil {
		return true
	}
	if strings.HasPrefix(name, "atomic") || warpFunction(name) != nil {
		return true
	}
	f := kernelNames[name]
	return f != nil && name != "make_warp_uniform" || idleNames[name]
}

// A tracedCall is a call that the tracer may run.
type tracedCall struct {
	name     string
	at       program.Node
	template []program.Expr
	run      func(args []Value) (Value, error) // runs it without the tracer
}

// callTraced calls a function if it is the tracer's; ok is false for any other function.
func (r *runner) callTraced(name string, x *program.Call, template []program.Expr) (v Value, ok bool, err error) {
	if v, ok, err := r.repeatTraced(name, x); ok {
		return v, true, err
	}
	always := isTracedName(name)
	if ofParts(name) {
		return nil, false, nil
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, always, err
	}
	if umma[name] && len(c.pos) > 0 {
		if c.pos[0], err = r.barrierPointer(c.pos[0]); err != nil {
			return nil, true, r.at(x, err)
		}
	}
	run := func(args []Value) (Value, error) { return r.call(withArguments(x, args, c)) }
	if always || slices.ContainsFunc(c.pos, IsTraced) || slices.ContainsFunc(c.keys, hasTraced) {
		v, err = r.tracerCall(tracedCall{name, x, template, run}, c)
		return v, true, r.at(x, err)
	}
	if !hasEffects(x) {
		return nil, false, nil
	}
	v, err = r.ordinary(func() (Value, error) { return run(c.pos) }) // the arguments are not evaluated again
	return v, true, r.at(x, err)
}

// repeatTraced evaluates repeat_like(X, t[I]), which is X for an element of a tensor. The element is not read.
func (r *runner) repeatTraced(name string, x *program.Call) (v Value, ok bool, err error) {
	if name != "repeat_like" || len(x.Args) != 2 || hasEffects(x) {
		return nil, false, nil
	}
	at, ok := x.Args[1].X.(*program.Index)
	if !ok {
		return nil, false, nil
	}
	of, err := r.value(at.X)
	if err != nil || !IsTraced(of) {
		return nil, false, nil
	}
	if i, err := r.index(at); err != nil || !isInteger(i) {
		return nil, false, nil
	}
	v, err = r.value(x.Args[0].X)
	return v, true, err
}

func isInteger(v Value) bool {
	_, ok := integerOf(v)
	return ok
}

func hasTraced(k python.KeyArg) bool { return IsTraced(k.Value) }

// withArguments returns a call with other evaluated arguments, and with the shadows of the arguments by name.
func withArguments(x *program.Call, args []Value, c *arguments) *program.Call {
	y := *x
	y.Args = nil
	span := program.Span{From: x.Pos(), To: x.End()}
	for _, v := range args {
		y.Args = append(y.Args, program.Arg{X: &known{span, v}})
	}
	for _, k := range c.keys {
		if v, ok := ShadowOf(k.Value); ok {
			y.Args = append(y.Args, program.Arg{Name: k.Name, X: &known{span, v}})
		}
	}
	return &y
}

// hasEffects reports whether evaluating the arguments of a call sets variables.
func hasEffects(x *program.Call) (has bool) {
	for _, a := range x.Args {
		program.Walk(a.X, func(y program.Expr) bool {
			switch y.(type) {
			case *program.Step, *program.Update, *program.Walrus:
				has = true
			case *program.Lambda:
				return false
			}
			return !has
		})
	}
	return has
}

// tracerCall gives a call to the tracer.
func (r *runner) tracerCall(x tracedCall, c *arguments) (Value, error) {
	call := &TracedCall{Name: x.name, Args: c.pos, Keys: make(map[string]Value), Apply: r.apply}
	if y, ok := x.at.(*program.Call); ok {
		fn, isName := y.Fn.(*program.Name)
		call.Lazy = isName && strings.HasSuffix(fn.Path, "lazy")
		call.Std = isName && fn.Path == "std"
		st, isStatement := r.here.(*program.Value)
		call.Unused = isStatement && st.X == program.Expr(y)
	}
	for _, k := range c.keys {
		call.Keys[k.Name] = k.Value
	}
	for _, a := range x.template {
		if t, ok := r.elementType(a); ok && call.Elem == 0 {
			call.Elem = t
		} else if n, err := r.count(a); err == nil {
			call.Ints = append(call.Ints, n)
		}
	}
	call.Run = func(args []Value) (Value, error) {
		return r.ordinary(func() (Value, error) { return x.run(args) })
	}
	call.Ordinary = func(name string, args ...Value) (Value, error) {
		return r.ordinary(func() (Value, error) { return r.callValues(name, args...) })
	}
	r.stateLine(x.at)
	return r.tracing.tracer.Call(call)
}

// stateLine states the line of an operation.
func (r *runner) stateLine(at program.Node) {
	if at == nil || at.End() == 0 {
		at = r.here
	}
	r.tracing.at = at
	r.tracing.tracer.At(1 + strings.Count(r.src[:min(at.Pos(), len(r.src))], "\n"))
}

// callTracedMethod calls a method if it is the tracer's: its object or an argument is traced, or it makes registers.
func (r *runner) callTracedMethod(of Value, name string, x *program.Call) (v Value, ok bool, err error) {
	if o, isObject := of.(*Object); isObject && !IsTraced(o) {
		return nil, false, nil
	}
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, IsTraced(of), err
	}
	_, _, isMMA := mmaOf(of)
	_, makesShared := of.(smemAllocator)
	own := IsTraced(of) || slices.ContainsFunc(c.pos, IsTraced) || slices.ContainsFunc(c.keys, hasTraced)
	if !own && !makesShared && !(isMMA && memoryRows[name] != nil) {
		return nil, false, nil
	}
	c.pos = append([]Value{of}, c.pos...)
	v, err = r.tracerCall(tracedCall{name: name, at: x, run: func(args []Value) (Value, error) {
		return r.callMethod(args[0], name, withArguments(x, args[1:], c))
	}}, c)
	return v, true, r.at(x, err)
}

// applyTraced evaluates t(COORDINATE) if t or a coordinate is traced.
func (r *runner) applyTraced(f Value, args []Value, at program.Node) (v Value, ok bool, err error) {
	if !IsTraced(f) && !slices.ContainsFunc(args, IsTraced) {
		return nil, false, nil
	}
	c := &arguments{pos: append([]Value{f}, args...)}
	v, err = r.tracerCall(tracedCall{name: "()", at: at, run: func(args []Value) (Value, error) {
		a, isAlgebra := args[0].(Algebra)
		if !isAlgebra {
			return nil, r.notCallable(args[0])
		}
		if a.isTensor() {
			return r.tensorAt(a, args[1:], at)
		}
		return r.applyTrees(a, args[1:])
	}}, c)
	return v, true, err
}

// tracedOperator computes an operator if a value is traced.
func (r *runner) tracedOperator(op string, args ...Value) (v Value, ok bool, err error) {
	if r.tracing == nil || !slices.ContainsFunc(args, IsTraced) {
		return nil, false, nil
	}
	r.stateLine(r.here)
	v, err = r.tracing.tracer.Operator(op, args)
	return v, true, err
}

// ownBinary computes a OP b if the tracer does, or a class of the program.
func (r *runner) ownBinary(op string, a, b Value) (v Value, ok bool, err error) {
	if v, ok, err := r.vectorPointerBinary(op, a, b); ok {
		return v, ok, err
	}
	if v, ok, err := r.pointerComparison(op, a, b); ok {
		return v, ok, err
	}
	if v, ok, err := r.operatorFunction(op, a, b); ok {
		return v, ok, err
	}
	if v, ok, err := r.tracedAddressBinary(op, a, b); ok {
		return v, ok, err
	}
	if v, ok, err := r.tracedOperator(op, a, b); ok {
		return v, ok, err
	}
	return r.objectBinary(op, a, b)
}

// tracedAttribute evaluates t.name for a traced tensor, if it does not depend on the thread.
func (r *runner) tracedAttribute(t *Traced, x *program.Attr) (Value, error) {
	switch x.Name {
	case "layout", "shape", "stride", "element_type", "dtype", "value_type", "memspace":
		return r.ordinary(func() (Value, error) {
			y := *x
			y.X = &known{program.Span{From: x.X.Pos(), To: x.X.End()}, t.Shadow}
			return r.attribute(&y)
		})
	}
	return nil, r.notFollowed("the attribute " + x.Name)
}

// notFollowed returns the error for something that no tracer makes a kernel of.
func (r *runner) notFollowed(what string) error {
	e := errorf(cute.CodeNotRepresentable, "%s is not followed in a kernel", what)
	e.hint = "girih run runs it; to follow the data, use CuTe's tensors, partitions, copy and gemm"
	return e
}

// tracedElement returns an element of a tensor or of a memory as a variable; of is a Traced tensor or an Address.
func (r *runner) tracedElement(of Value, args []Value, at program.Node) *cell {
	args = append([]Value{of}, args...)
	none := func([]Value) (Value, error) { return nil, r.notFollowed("this access") }
	c := &cell{v: &Traced{}}
	c.put = func(v Value) error {
		store := tracedCall{name: "store", at: at, run: none}
		_, err := r.tracerCall(store, &arguments{pos: append(slices.Clone(args), v)})
		return err
	}
	c.used = func() (err error) {
		c.v, err = r.tracerCall(tracedCall{name: "load", at: at, run: none}, &arguments{pos: args})
		return err
	}
	return c
}

// callTracedValue evaluates t(COORDINATE) for a traced tensor.
func (r *runner) callTracedValue(t *Traced, x *program.Call) (Value, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	v, _, err := r.applyTraced(t, c.pos, x)
	return v, r.at(x, err)
}

// applyIfTraced applies a value of the algebra to coordinates if one of these is traced.
func (r *runner) applyIfTraced(f Algebra, x *program.Call) (v Value, ok bool, err error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, false, nil // the algebra may accept an operand without a value
	}
	return r.applyTraced(f, c.pos, x)
}

// tracedShared returns the variable for an array in shared memory: the address of its memory.
func (r *runner) tracedShared(t TypeValue, q *program.Declarator) (*cell, error) {
	if c, ok, err := r.sharedScalar(t, q); ok {
		return c, err
	}
	elem, n, _, err := r.fieldType(t, q)
	if err != nil {
		return nil, err
	}
	w, err := r.newMemory(elem, n)
	if err != nil {
		return nil, err
	}
	memory := Address{w.in(atom.SharedMemory), 0}
	c := &cell{v: memory}
	if len(q.Dims) > 1 {
		rows := &tracedAddress{memory: memory, start: cInt(0, CIntType)}
		for _, d := range q.Dims {
			n, err := r.count(d)
			if err != nil {
				return nil, err
			}
			rows.extents = append(rows.extents, n)
		}
		c.v = rows
	}
	r.kernel.shared[q] = c
	return c, nil
}

// tracedPlace returns the element X[I] of a memory or of a traced tensor as a variable, while a kernel is traced.
func (r *runner) tracedPlace(x, i Value, at program.Node) (*cell, bool) {
	if !r.traces() {
		return nil, false
	}
	if p, ok := x.(*tracedAddress); ok {
		return r.addressPlace(p, i, at), true
	}
	_, isAddress := x.(Address)
	if !isAddress && !IsTraced(x) {
		return nil, false
	}
	args := []Value{i}
	if t, ok := i.(Tuple); ok {
		args = t
	}
	return r.tracedElement(x, args, at), true
}

// tracedItem evaluates X[I] for a memory or a traced tensor, while a kernel is traced.
func (r *runner) tracedItem(x, i Value, at program.Node) (v Value, ok bool, err error) {
	_, isTraced := x.(*Traced)
	_, isAlgebra := x.(Algebra)
	if (isTraced || isAlgebra && IsTraced(i)) && r.traces() {
		args := []Value{i}
		if list, ok := i.(Tuple); ok {
			args = list
		}
		return r.applyTraced(x, args, at)
	}
	c, ok := r.tracedPlace(x, i, at)
	if !ok {
		return nil, false, nil
	}
	v, err = r.load(c, at)
	return v, true, err
}

// tracedCalledPlace returns the element t(COORDINATE) of a traced tensor as a variable.
func (r *runner) tracedCalledPlace(t *Traced, x *program.Call) (*cell, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	for _, v := range c.pos {
		if _, isInt := integerOf(v); !isInt && !IsTraced(v) {
			return nil, nil // a slice
		}
	}
	return r.tracedElement(t, c.pos, x), nil
}

// commentAfter returns the comment after a declaration in its line, or "".
func (r *runner) commentAfter(pos int) string {
	if pos > len(r.src) {
		return ""
	}
	line, _, _ := strings.Cut(r.src[pos:], "\n")
	mark := "//"
	if r.lang == program.Python {
		mark = "#"
	}
	_, comment, _ := strings.Cut(line, mark)
	return strings.TrimSpace(comment)
}
