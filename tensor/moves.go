package tensor

import (
	"unsafe"
)

// This file copies memory without pointers in it. The compiler turns an assignment between arrays of 16 bytes into two
// instructions, and one between longer arrays into a call, which costs as much as a short run. Positions were checked
// when the tensors were made, so these loops need no checks.

// plain reports whether memory of type T may be copied as bytes, because T is one of the types that hold no pointers.
func plain[T any]() bool {
	var x T
	switch any(x).(type) {
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64,
		complex64, complex128:
		return true
	}
	return false
}

// shortRun is the length in bytes up to which a run is copied without a call.
const shortRun = 64

// moveRuns copies a run at each step of a mode; all numbers are bytes.
func moveRuns(src, dst unsafe.Pointer, at place, m runMode) {
	s, d, run := at.s, at.d, m.run
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
			move16(q, p, run-16) // may overlap the previous move
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

// movePlaces copies a run of up to shortRun bytes at each place; all numbers count elements of w bytes.
func movePlaces(src, dst unsafe.Pointer, at places, w int64) {
	from, to, run := at.from, at.to[:len(at.from)], at.run*w
	switch {
	case run == 64:
		for k, s := range from {
			p, q := unsafe.Add(src, s*w), unsafe.Add(dst, to[k]*w)
			move16(q, p, 0)
			move16(q, p, 16)
			move16(q, p, 32)
			move16(q, p, 48)
		}
	case run >= 16:
		for k, s := range from {
			p, q := unsafe.Add(src, s*w), unsafe.Add(dst, to[k]*w)
			for at := int64(0); at < run-16; at += 16 {
				move16(q, p, at)
			}
			move16(q, p, run-16)
		}
	case run >= 8:
		for k, s := range from {
			p, q := unsafe.Add(src, s*w), unsafe.Add(dst, to[k]*w)
			*(*[8]byte)(q) = *(*[8]byte)(p)
			*(*[8]byte)(unsafe.Add(q, run-8)) = *(*[8]byte)(unsafe.Add(p, run-8))
		}
	default:
		for k, s := range from {
			for b := range run {
				*(*byte)(unsafe.Add(dst, to[k]*w+b)) = *(*byte)(unsafe.Add(src, s*w+b))
			}
		}
	}
}

func move16(dst, src unsafe.Pointer, at int64) {
	*(*[16]byte)(unsafe.Add(dst, at)) = *(*[16]byte)(unsafe.Add(src, at))
}

// A plane is a transpose of elements of w bytes: the destination has n rows of m neighbours, at a distance d, and the
// source m rows of n neighbours, at a distance s.
type plane struct{ m, n, s, d, w int64 }

// block returns a part of the plane, which begins at i in a row of the destination and j in a row of the source.
func (p plane) block(m, n, i, j int64) plane {
	return plane{min(m, p.m-i), min(n, p.n-j), p.s, p.d, p.w}
}

// tileSide is the number of rows of either tensor that are processed together: the memory pages that a processor's TLB
// covers.
const tileSide = 256

// moveTransposed copies a plane, tile by tile.
func moveTransposed(src, dst unsafe.Pointer, p plane) {
	for i := int64(0); i < p.m; i += tileSide {
		for j := int64(0); j < p.n; j += tileSide {
			moveTile(unsafe.Add(src, (i*p.s+j)*p.w), unsafe.Add(dst, (i+j*p.d)*p.w), p.block(tileSide, tileSide, i, j))
		}
	}
}

// moveTile copies a tile, block by block.
func moveTile(src, dst unsafe.Pointer, p plane) {
	w, side := p.w, blockSide(p.w)
	for i := int64(0); i < p.m; i += side {
		for j := int64(0); j < p.n; j += side {
			from, to, b := unsafe.Add(src, (i*p.s+j)*w), unsafe.Add(dst, (i+j*p.d)*w), p.block(side, side, i, j)
			switch w {
			case 1:
				moveBlock[uint8](from, to, b)
			case 2:
				moveBlock[uint16](from, to, b)
			case 4:
				moveBlock32(from, to, b)
			case 8:
				moveBlock[uint64](from, to, b)
			}
		}
	}
}

// moveBlock copies a block of words, row by row of the destination.
func moveBlock[W uint8 | uint16 | uint32 | uint64](src, dst unsafe.Pointer, p plane) {
	var x W
	w := int64(unsafe.Sizeof(x))
	for l := range p.n {
		from, to := unsafe.Add(src, l*w), unsafe.Add(dst, l*p.d*w)
		for k := range p.m {
			*(*W)(unsafe.Add(to, k*w)) = *(*W)(unsafe.Add(from, k*p.s*w))
		}
	}
}

// littleEndian reports whether the first byte of a word is its lowest.
var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// moveBlock32 copies a block of 32-bit words, four at a time in two 64-bit registers.
func moveBlock32(src, dst unsafe.Pointer, p plane) {
	m, n := p.m&^1, p.n&^1
	if !littleEndian {
		m, n = 0, 0
	}
	near, far := p.s*4, p.d*4
	for l := int64(0); l < n; l += 2 {
		from, to := unsafe.Add(src, l*4), unsafe.Add(dst, l*far)
		at := int64(0) // pointers must not leave the storage, numbers may
		for k := int64(0); k < m; k += 2 {
			a, b := *(*uint64)(unsafe.Add(from, at)), *(*uint64)(unsafe.Add(from, at+near))
			*(*uint64)(unsafe.Add(to, k*4)) = a&0xffffffff | b<<32
			*(*uint64)(unsafe.Add(to, k*4+far)) = a>>32 | b&^0xffffffff
			at += 2 * near
		}
	}
	if m < p.m {
		moveBlock[uint32](unsafe.Add(src, m*p.s*4), unsafe.Add(dst, m*4), plane{p.m - m, p.n, p.s, p.d, p.w})
	}
	if n < p.n {
		moveBlock[uint32](unsafe.Add(src, n*4), unsafe.Add(dst, n*p.d*4), plane{m, p.n - n, p.s, p.d, p.w})
	}
}
