package tensor

import (
	"strconv"
	"unsafe"

	"girih/atom"
	"girih/cute"
)

// An engine holds elements, or computes them (CuTe's Engine and its iterators). Positions count elements from 0.
type engine[T any] interface {
	get(at int64) T
	set(at int64, x T)
	length() int64 // positions are in [0, length), or anywhere if it is negative
	readOnly() bool
	bits() int                                 // the width of an element in its storage
	memory(lo, hi int64) (from, to uintptr)    // the addresses of the bytes at positions lo to hi, or 0 and 0
	text(base int64, origin cute.Tuple) string // as CuTe's print() writes it
	space() atom.Space
	in(s atom.Space) engine[T] // the same storage, with that memory space
}

// A slice is an engine in Go memory.
type slice[T any] struct {
	data []T
	at   atom.Space // which memory of a GPU it represents
}

func (s *slice[T]) get(at int64) T    { return s.data[at] }
func (s *slice[T]) set(at int64, x T) { s.data[at] = x }
func (s *slice[T]) length() int64     { return int64(len(s.data)) }
func (s *slice[T]) readOnly() bool    { return false }
func (s *slice[T]) space() atom.Space { return s.at }

func (s *slice[T]) in(space atom.Space) engine[T] { return &slice[T]{s.data, space} }

func (s *slice[T]) bits() int {
	var x T
	return 8 * int(unsafe.Sizeof(x))
}

func (s *slice[T]) memory(lo, hi int64) (from, to uintptr) {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(s.data)))
	w := uintptr(s.bits() / 8)
	return p + uintptr(lo)*w, p + uintptr(hi+1)*w
}

func (s *slice[T]) text(base int64, _ cute.Tuple) string {
	return pointerText(pointerName(s.at, "ptr"), s.bits(), base)
}

// pointerName returns the name of CuTe's pointers into a memory: gmem_ptr, smem_ptr, tmem_ptr. Registers have ordinary
// pointers.
func pointerName(s atom.Space, plain string) string {
	switch s {
	case atom.GlobalMemory:
		return "gmem_" + plain
	case atom.SharedMemory:
		return "smem_" + plain
	case atom.TensorMemory:
		return "tmem_" + plain
	}
	return plain
}

// pointerText spells a pointer: in place of CuTe's address, the text shows the position of the first element, in
// elements.
func pointerText(name string, bits int, base int64) string {
	return name + "[" + strconv.Itoa(bits) + "b](" + strconv.FormatInt(base, 10) + ")"
}

// countingIterator is CuTe's counting_iterator: the element at a position is the position.
type countingIterator struct{}

func (countingIterator) get(at int64) int64                     { return at }
func (countingIterator) set(int64, int64)                       {}
func (countingIterator) length() int64                          { return -1 }
func (countingIterator) readOnly() bool                         { return true }
func (countingIterator) space() atom.Space                      { return atom.Anywhere }
func (e countingIterator) in(atom.Space) engine[int64]          { return e }
func (countingIterator) bits() int                              { return 64 }
func (countingIterator) memory(int64, int64) (from, to uintptr) { return 0, 0 }

func (countingIterator) text(base int64, _ cute.Tuple) string {
	return "counting_iter(" + strconv.FormatInt(base, 10) + ")"
}

// coordinates is CuTe's ArithmeticTupleIterator: the element at a coordinate is the coordinate. Its positions are not
// integers, so get is not used; see Tensor.flat.
type coordinates struct{}

func (coordinates) get(int64) cute.Tuple                   { return cute.Tuple{} }
func (coordinates) set(int64, cute.Tuple)                  {}
func (coordinates) length() int64                          { return -1 }
func (coordinates) readOnly() bool                         { return true }
func (coordinates) space() atom.Space                      { return atom.Anywhere }
func (e coordinates) in(atom.Space) engine[cute.Tuple]     { return e }
func (coordinates) bits() int                              { return 0 }
func (coordinates) memory(int64, int64) (from, to uintptr) { return 0, 0 }

func (coordinates) text(_ int64, origin cute.Tuple) string {
	t := origin.String()
	if origin.IsInt() {
		t = "(" + t + ")"
	}
	return "ArithTuple" + t
}

// An indexEngine computes elements from the indices of a view; its positions are those indices.
type indexEngine[T any] struct{ at func(i int64) T }

func (e *indexEngine[T]) get(at int64) T                         { return e.at(at) }
func (e *indexEngine[T]) set(int64, T)                           {}
func (e *indexEngine[T]) length() int64                          { return -1 }
func (e *indexEngine[T]) readOnly() bool                         { return true }
func (e *indexEngine[T]) space() atom.Space                      { return atom.Anywhere }
func (e *indexEngine[T]) in(atom.Space) engine[T]                { return e }
func (e *indexEngine[T]) bits() int                              { return 0 }
func (e *indexEngine[T]) memory(int64, int64) (from, to uintptr) { return 0, 0 }
func (e *indexEngine[T]) text(base int64, _ cute.Tuple) string   { return pointerText("lazy", 0, base) }

// A transformEngine applies a function to the elements of another engine as they are read (CuTe's lazy::transform).
type transformEngine[S, T any] struct {
	from engine[S]
	f    func(S) T
}

func (e *transformEngine[S, T]) get(at int64) T    { return e.f(e.from.get(at)) }
func (e *transformEngine[S, T]) set(int64, T)      {}
func (e *transformEngine[S, T]) length() int64     { return e.from.length() }
func (e *transformEngine[S, T]) readOnly() bool    { return true }
func (e *transformEngine[S, T]) space() atom.Space { return e.from.space() }
func (e *transformEngine[S, T]) in(s atom.Space) engine[T] {
	return &transformEngine[S, T]{e.from.in(s), e.f}
}
func (e *transformEngine[S, T]) bits() int { return e.from.bits() }

func (e *transformEngine[S, T]) memory(lo, hi int64) (from, to uintptr) { return e.from.memory(lo, hi) }

func (e *transformEngine[S, T]) text(base int64, o cute.Tuple) string {
	return "lazy(" + e.from.text(base, o) + ")"
}
