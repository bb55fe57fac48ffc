package interp

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/tensor"
)

// This file lets tensors share the elements of arrays of C++, which are variables.

// nowhere is the place of a value that the program does not write.
var nowhere = program.Span{}

// windowOf returns the memory that the elements of an array are.
func (r *runner) windowOf(a *Array) (*window, error) {
	if a.window != nil && a.window.elements() == int64(len(a.Cells)) {
		return a.window, nil
	}
	t, ok := cElements[a.Type]
	if a.elem != 0 {
		t, ok = a.elem, true
	}
	if !ok {
		return nil, errorf(cute.CodeType, "expected an array of numbers, found %s", r.describe(a))
	}
	w, err := r.newMemory(t, int64(len(a.Cells)))
	if err != nil {
		return nil, err
	}
	w.array = a
	a.window = w
	return w, nil
}

// fetch copies an element of the array to the memory.
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
	codes, err := a.one(place)
	if err != nil {
		return err
	}
	return codes.Set(code, 0)
}

// flush copies an element of the memory to the array.
func (r *runner) flush(w *window, place int64) error {
	codes, err := w.one(place)
	if err != nil {
		return err
	}
	code, err := codes.At(0)
	if err != nil {
		return err
	}
	w.array.Cells[place].v, err = r.fromCode(w, code)
	return err
}

// one returns the tensor of one element.
func (w *window) one(place int64) (tensor.Tensor[uint64], error) {
	l, err := cute.LayoutLeft(cute.Int(1))
	if err != nil {
		return tensor.Tensor[uint64]{}, err
	}
	return tensor.PackedAt(w.typ, w.data, place, l)
}

var _ dtype.Type
