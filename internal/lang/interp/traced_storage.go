package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// This file shows the memory and the numbers of values to a [Tracer].

// A Storage is the memory to which a pointer or a tensor refers.
type Storage struct {
	ID       any // equal for equal memories
	Type     dtype.Type
	Space    atom.Space
	Start    int64      // the element at which the pointer or the tensor begins
	Elements int64      // of the whole memory
	Layout   cute.Inner // of a tensor; nil for a pointer
	Align    int64      // in bytes, as from_dlpack states it; 0 if it does not
	Null     bool
	w        *window
}

// StorageOf returns the memory of a pointer or of a tensor; ok is false for any other value.
func StorageOf(v Value) (s Storage, ok bool) {
	var w *window
	switch v := v.(type) {
	case Address:
		w, s.Start = v.window, v.At
	case *vectorPointer:
		return StorageOf(v.base)
	case Algebra:
		if !v.isTensor() {
			return s, false
		}
		w, s.Start, s.Layout = v.window, v.view().Start(), v.view().Layout()
	default:
		return s, false
	}
	s.w, s.Type, s.Space, s.Null, s.Align = w, w.typ, w.space, w.null, w.align
	if !w.null && len(w.data) > 0 {
		s.ID, s.Elements = &w.data[0], w.elements()
	}
	return s, true
}

// PointerOf returns the memory to which a pointer of a kernel that is being traced points, and the element; ok is false
// for other values, such as a pointer to an array of the thread.
func PointerOf(v Value) (memory, start Value, ok bool) {
	p, ok := pointerOf(v)
	if !ok {
		return nil, nil, false
	}
	return p.memory, p.start, true
}

// MemoryOf returns the memory of a pointer, or of an array of arrays in shared memory; ok is false for other values.
func MemoryOf(v Value) (Storage, bool) {
	switch v := v.(type) {
	case Address:
		return StorageOf(v)
	case *tracedAddress:
		return StorageOf(v.memory)
	}
	return Storage{}, false
}

// Values returns the numbers in the whole memory, and 0 where nothing was written.
func (s Storage) Values() []float64 {
	out := make([]float64, s.Elements)
	bits := s.Type.Bits()
	for i := range out {
		if s.w.array != nil {
			if n, ok := numberOf(s.w.array.Cells[i].v); ok {
				out[i] = n.float()
			}
			continue
		}
		from, to := s.w.bytes(int64(i))
		code := uint64(0)
		for b := to - 1; b >= from; b-- {
			code = code<<8 | uint64(s.w.data[b])
		}
		if bits < 8 {
			code = code >> (int64(i) * int64(bits) % 8) & (1<<bits - 1)
		}
		out[i], _ = s.Type.Decode(code)
	}
	return out
}

// IsStatic reports whether C++ knows the layout of a tensor when it compiles the program.
func IsStatic(v Value) bool {
	a, ok := v.(Algebra)
	return ok && !a.mixed
}

// Number returns the number that a value is; ok is false for any other value.
func Number(v Value) (x float64, ok bool) {
	n, ok := numberOf(v)
	return n.float(), ok
}

// Integer returns the integer that a value is; ok is false for any other value.
func Integer(v Value) (int64, bool) { return integerOf(v) }

// TypeOfNumber returns the type of a number of C++; CNone for any other value.
func TypeOfNumber(v Value) CType {
	switch v := v.(type) {
	case *Traced:
		return v.Type
	case Algebra:
		if _, ok := integerOf(v); ok {
			return CIntType
		}
	}
	return typeOfNumber(v)
}

// CommonType returns the type in which C++ computes with numbers of two types.
func CommonType(a, b CType) CType { return cppCommon(a, b) }

// Bits returns the number of bits of an integer type, and whether it has a sign; 0 for other types.
func (t CType) Bits() (n int, signed bool) { return int(ctypes[t].bits), ctypes[t].signed }

// LazyOf returns the function that lazy::transform applies to the elements of a tensor; nil if there is none.
func LazyOf(v Value) Value {
	a, _ := v.(Algebra)
	return a.lazy
}

// ElementTypeOf returns the type of elements that a value names, such as cutlass.Float32; ok is false for other values.
func ElementTypeOf(v Value) (t dtype.Type, ok bool) { return elementTypeOf(v) }
