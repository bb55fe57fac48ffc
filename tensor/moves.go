package tensor

import (
	"unsafe"
)

// This file copies memory without pointers in it. The compiler turns an assignment between arrays of 16 bytes into two
// instructions, and one between longer arrays into a call, which costs as much as a short run. Positions were checked when
// the tensors were made, so that these loops need not.

// plain reports whether memory of type T may be copied as bytes: whether T is one of the types that hold no pointers.
func plain[T any]() bool {
	var x T
	switch any(x).(type) {
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, complex64, complex128:
		return true
	}
	return false
}

// shortRun is the length in bytes up to which a run is copied without a call.
const shortRun = 64

// moveRuns copies a run at each step of a mode, everything in bytes.
func moveRuns(src, dst unsafe.Pointer, s, d, run int64, m pair) {
	switch {
	case run > shortRun:
		for range m.n {
			copy(unsafe.Slice((*byte)(unsafe.Add(dst, d)), run), unsafe.Slice((*byte)(unsafe.Add(src, s)), run))
			s, d = s+m.s, d+m.d
		}
	case run == 64:
		for range m.n {
			p, q := unsafe.Add(src, s), unsafe.Add(dst, d)
			move16(q, p, 0)
			move16(q, p, 16)
			move16(q, p, 32)
			move16(q, p, 48)
			s, d = s+m.s, d+m.d
		}
	case run >= 16:
		for range m.n {
			p, q := unsafe.Add(src, s), unsafe.Add(dst, d)
			for k := int64(0); k < run-16; k += 16 {
				move16(q, p, k)
			}
			move16(q, p, run-16) // may overlap the one before
			s, d = s+m.s, d+m.d
		}
	case run >= 8:
		for range m.n {
			p, q := unsafe.Add(src, s), unsafe.Add(dst, d)
			*(*[8]byte)(q) = *(*[8]byte)(p)
			*(*[8]byte)(unsafe.Add(q, run-8)) = *(*[8]byte)(unsafe.Add(p, run-8))
			s, d = s+m.s, d+m.d
		}
	case run >= 4:
		for range m.n {
			p, q := unsafe.Add(src, s), unsafe.Add(dst, d)
			*(*[4]byte)(q) = *(*[4]byte)(p)
			*(*[4]byte)(unsafe.Add(q, run-4)) = *(*[4]byte)(unsafe.Add(p, run-4))
			s, d = s+m.s, d+m.d
		}
	default:
		for range m.n {
			for k := range run {
				*(*byte)(unsafe.Add(dst, d+k)) = *(*byte)(unsafe.Add(src, s+k))
			}
			s, d = s+m.s, d+m.d
		}
	}
}

func move16(dst, src unsafe.Pointer, at int64) {
	*(*[16]byte)(unsafe.Add(dst, at)) = *(*[16]byte)(unsafe.Add(src, at))
}
