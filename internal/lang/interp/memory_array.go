package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
)

// This file lets tensors share the elements of C++ arrays, which are variables.

// nowhere is the position for values that do not occur in the program's text.
var nowhere = program.Span{}

// windowOf returns the window on the memory that consists of the elements of an array.
func (r *runner) windowOf(a *Array) (*window, error) {
	if a.window != nil && a.window.elements() == int64(len(a.Cells)) {
		return a.window, nil
	}
	t, ok := cElements[a.Type]
	if a.elem != 0 {
		t, ok = a.elem, true
	}
	if !ok || t.Bits()%8 != 0 {
		return nil, errorf(cute.CodeType, "expected an array of numbers of whole bytes, found %s", r.describe(a))
	}
	w, err := r.newMemory(t, int64(len(a.Cells)))
	if err != nil {
		return nil, err
	}
	w.array = a
	a.window = w
	return w, nil
}

// fetch copies an element from the array to the memory.
func (a Algebra) fetch(place int64) error {
	c := a.array.Cells[place]
	from, to := a.bytes(place)
	for b := from; b < to; b++ {
		a.written[b] = c.v != nil
	}
	if c.v == nil {
		return nil
	}
	n, ok := numberOf(c.v)
	if !ok {
		return errorf(cute.CodeType, "is no number")
	}
	code, err := encode(a.typ, n)
	if err != nil {
		return err
	}
	for b := from; b < to && a.typ.Bits()%8 == 0; b++ {
		a.data[b] = byte(code)
		code >>= 8
	}
	return nil
}

// flush copies an element from the memory to the array.
func (r *runner) flush(w *window, place int64) error {
	code := uint64(0)
	from, to := w.bytes(place)
	for b := to - 1; b >= from; b-- {
		code = code<<8 | uint64(w.data[b])
	}
	var err error
	w.array.Cells[place].v, err = r.fromCode(w, code)
	return err
}
