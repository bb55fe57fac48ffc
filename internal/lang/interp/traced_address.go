package interp

import "girih/internal/lang/program"

// This file has pointers into memory while a kernel is traced: those to which an integer was added that differs from
// thread to thread, and arrays of arrays in shared memory.

// A tracedAddress is a pointer to an element of a memory, or a row of an array of arrays.
type tracedAddress struct {
	memory  Address
	start   Value   // the element to which it points
	extents []int64 // of the rows of an array of arrays, from the outermost to the innermost; nil for a pointer
}

// tracedAddressBinary computes P + I, I + P or P - I if the pointer or the integer differs from thread to thread.
func (r *runner) tracedAddressBinary(op string, a, b Value) (v Value, ok bool, err error) {
	if !r.traces() {
		return nil, false, nil
	}
	p, isP := pointerOf(a)
	if _, isQ := pointerOf(b); isQ && !isP && op == "+" {
		p, isP = pointerOf(b)
		b = a
	}
	_, differs := a.(*tracedAddress)
	if !isP || op != "+" && op != "-" || !differs && !IsTraced(b) {
		return nil, false, nil
	}
	start, err := r.combine(op, p.start, b, nowhere)
	return &tracedAddress{memory: p.memory, start: start}, true, err
}

// pointerOf returns a pointer to elements. A row of elements is the pointer to its first one.
func pointerOf(v Value) (*tracedAddress, bool) {
	switch v := v.(type) {
	case *tracedAddress:
		return v, len(v.extents) <= 1
	case Address:
		return &tracedAddress{memory: v, start: cInt(0, CIntType)}, true
	}
	return nil, false
}

// addressPlace returns p[i]: the element of a pointer as a variable, or a row or an element of an array of arrays.
func (r *runner) addressPlace(p *tracedAddress, i Value, at program.Node) *cell {
	stride := int64(1)
	for _, n := range p.extents[min(1, len(p.extents)):] {
		stride *= n
	}
	start, err := r.combine("*", i, cInt(uint64(stride), CIntType), at)
	if err == nil {
		start, err = r.combine("+", p.start, start, at)
	}
	switch {
	case err != nil:
		fails := func() error { return r.at(at, err) }
		return &cell{used: fails, put: func(Value) error { return fails() }}
	case len(p.extents) <= 1:
		return r.tracedElement(p.memory, []Value{start}, at)
	}
	return &cell{v: &tracedAddress{p.memory, start, p.extents[1:]}}
}
