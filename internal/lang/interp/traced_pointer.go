package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/internal/lang/program"
)

// This file has pointers of a kernel that is traced where conditions set or compare them, and variables in shared
// memory that are no arrays.

// A pointerCarrier carries a pointer out of the parts of a condition: the number of the element to which it points in
// one memory.
type pointerCarrier struct {
	r      *runner
	memory *Address // nil before a pointer is seen
	other  bool     // a pointer into another memory was seen
}

// number returns the number of the element to which a pointer points. Any other value it returns unchanged. A pointer
// into another memory is no number.
func (c *pointerCarrier) number(v Value) Value {
	p, ok := pointerOf(v)
	if !ok {
		return v
	}
	from := Address{p.memory.window, 0}
	if c.memory == nil {
		c.memory = &from
	}
	if c.memory.memory != from.memory || c.memory.typ != from.typ {
		c.other = true
		return None{}
	}
	start, err := c.r.combine("+", cInt(uint64(p.memory.At), CLong), p.start, nowhere)
	if err != nil {
		c.other = true
		return None{}
	}
	return start
}

// check refuses pointers into several memories.
func (c *pointerCarrier) check() error {
	if !c.other {
		return nil
	}
	e := errorf(cute.CodeNotRepresentable, "a pointer into one of two memories, which a condition that differs from thread "+
		"to thread chooses, is not followed")
	e.hint = "choose the element: condition ? a[i] : b[i]"
	return e
}

// pointer returns the pointer to an element whose number number has returned.
func (c *pointerCarrier) pointer(v Value) Value {
	if c.memory == nil || v == nil || TypeOfNumber(v) == CNone {
		return v
	}
	return &tracedAddress{memory: *c.memory, start: v}
}

// carriedPointer returns a variable that is a pointer as a variable whose value conditions join; ok is false for other
// variables.
func (r *runner) carriedPointer(d *cell) (c carried, ok bool) {
	if _, ok := pointerOf(d.v); !ok || d.put != nil {
		return c, false
	}
	p := &pointerCarrier{r: r}
	p.number(d.v)
	return carried{
		get: func() Value { return p.number(d.v) }, set: func(v Value) { d.v = p.pointer(v) }, typ: CLong,
		check: p.check,
	}, true
}

// pointerComparison computes P - Q, P < Q and similar operators of pointers into one memory.
func (r *runner) pointerComparison(op string, a, b Value) (v Value, ok bool, err error) {
	p, isP := pointerOf(a)
	q, isQ := pointerOf(b)
	if !isP || !isQ || r.lang != program.Cpp {
		return nil, false, nil
	}
	isOrder := map[string]bool{"<": true, ">": true, "<=": true, ">=": true, "==": true, "!=": true}[op]
	if op != "-" && !isOrder {
		return nil, false, nil
	}
	var c pointerCarrier
	c.r = r
	x := c.number(a)
	y := c.number(b)
	if TypeOfNumber(x) == CNone || TypeOfNumber(y) == CNone {
		if p.memory.memory != q.memory.memory && (op == "==" || op == "!=") {
			return cBools[op == "!="], true, nil
		}
		return nil, true, errorf(cute.CodeType, "%s of pointers into two memories is undefined in C++", op)
	}
	if isOrder {
		v, err = r.compare(op, x, y)
	} else {
		v, err = r.combine(op, x, y, nowhere)
	}
	return v, true, err
}

// sharedScalar returns the variable for __shared__ T x while a kernel is traced: the only element of a memory. For
// __shared__ float4 x[N] it returns a pointer to vectors. ok is false for other variables.
func (r *runner) sharedScalar(t TypeValue, q *program.Declarator) (c *cell, ok bool, err error) {
	of := cudaVectorOf(t.Struct)
	if of == nil && len(q.Dims) > 0 || of != nil && len(q.Dims) != 1 {
		return nil, false, nil
	}
	n := int64(1)
	elem, isNumber := elementTypeOf(t)
	if of != nil {
		if n, err = r.count(q.Dims[0]); err != nil {
			return nil, true, err
		}
		elem, isNumber, n = of.of, true, n*of.n
	}
	if !isNumber {
		return nil, false, nil
	}
	w, err := r.newMemory(elem, n)
	if err != nil {
		return nil, true, err
	}
	memory := Address{w.in(atom.SharedMemory), 0}
	r.tracing.tracer.NameVariable(q.Name, memory, "")
	if c = r.tracedElement(memory, []Value{cInt(0, CIntType)}, q); of != nil {
		c = &cell{v: &vectorPointer{memory, of, elem, of.n}}
	} else {
		if r.tracing.scalars == nil {
			r.tracing.scalars = make(map[*cell]Address)
		}
		r.tracing.scalars[c] = memory
	}
	r.kernel.shared[q] = c
	return c, true, nil
}

// operatorFunction computes A OP B by a function of the program, operator+(A, B), if A or B is an object.
func (r *runner) operatorFunction(op string, a, b Value) (v Value, ok bool, err error) {
	_, isA := a.(*Object)
	_, isB := b.(*Object)
	if r.lang != program.Cpp || !isA && !isB {
		return nil, false, nil
	}
	c, _ := r.lookup("operator" + op)
	if c == nil {
		return nil, false, nil
	}
	f, ok := c.v.(*Func)
	if !ok {
		return nil, false, nil
	}
	args := []argument{{v: copyOf(a), at: r.here}, {v: copyOf(b), at: r.here}}
	if f, err = r.overload(f, args); err == nil {
		v, err = r.callWith(f, nil, args)
	}
	return v, true, err
}

// currentValue returns the value of a variable. If it is an element of a memory, and a kernel is traced, other threads
// may have changed it.
func (r *runner) currentValue(c *cell) (Value, error) {
	if c.used != nil && r.traces() {
		if err := c.used(); err != nil {
			return nil, err
		}
	}
	return c.v, nil
}
