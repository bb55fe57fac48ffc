package sim

import (
	"encoding/binary"
	"fmt"

	"girih/ptx"
	"girih/tensormap"
)

// definedBits returns one bit for each of the n bytes at off: whether the byte was written. n is at most 64.
func (s *segment) definedBits(off uint64, n int) uint64 {
	if s.def == nil {
		return ones(n)
	}
	v := s.def[off>>6] >> (off & 63)
	if r := 64 - off&63; r < uint64(n) {
		v |= s.def[off>>6+1] << r
	}
	return v & ones(n)
}

// setDefinedBits records which of the n bytes at off have a value, one bit of v each. n is at most 64.
func (s *segment) setDefinedBits(off uint64, n int, v uint64) {
	if s.def == nil {
		if v == ones(n) {
			return
		}
		s.def = make([]uint64, (len(s.data)+63)/64)
		for i := range s.def {
			s.def[i] = ^uint64(0)
		}
	}
	for i := off / 4; s.causes != nil && i <= (off+uint64(n)-1)/4; i++ {
		delete(s.causes, i)
	}
	m, sh := ones(n), off&63
	s.def[off>>6] = s.def[off>>6]&^(m<<sh) | v<<sh
	if r := 64 - sh; r < uint64(n) {
		s.def[off>>6+1] = s.def[off>>6+1]&^(m>>r) | v>>r
	}
}

// defineAll records that the n bytes at off have a value.
func (s *segment) defineAll(off, n uint64) {
	for ; n > 0; off, n = off+min(n, 64), n-min(n, 64) {
		s.setDefinedBits(off, int(min(n, 64)), ones(int(min(n, 64))))
	}
}

// copyBytes copies n bytes between segments, with their states: a copy of an unwritten byte is unwritten.
func copyBytes(dst, src spot, n uint64) {
	copy(dst.seg.data[dst.off:dst.off+n], src.seg.data[src.off:src.off+n])
	if src.seg.def == nil && dst.seg.def == nil {
		return
	}
	for n > 0 {
		k := min(n, 64)
		dst.seg.setDefinedBits(dst.off, int(k), src.seg.definedBits(src.off, int(k)))
		dst.off, src.off, n = dst.off+k, src.off+k, n-k
	}
}

// copyBits is copyBytes for n bits, in elements of 4 or 6 bits; the offsets are also in bits.
func copyBits(dst, src spot, n uint64) {
	for i := range n {
		a, b := src.off+i, dst.off+i
		bit, to := src.seg.data[a>>3]>>(a&7)&1, &dst.seg.data[b>>3]
		*to = *to&^(1<<(b&7)) | bit<<(b&7)
		if b&7 == 0 || i == 0 {
			dst.seg.setDefinedBits(b>>3, 1, src.seg.definedBits(a>>3, 1))
		}
	}
}

// A spot is a place in memory.
type spot struct {
	seg *segment
	off uint64
}

// snapshot returns a copy of the n bytes at s.
func (s spot) snapshot(n uint64) spot {
	c := &segment{data: make([]byte, n), def: make([]uint64, (n+63)/64), name: s.seg.name}
	copyBytes(spot{c, 0}, s, n)
	return spot{c, 0}
}

// boxAt is a box at its place in the tensor and in shared memory, from which the runs of plan are counted.
type boxAt struct {
	*tensorObject
	object region // the bytes of the map
	plan   *boxPlan
	global uint64 // the address from which the runs in the tensor are counted
	shared spot
	memory *Memory
	reduce *reduction
	near   *segment // the segment of the last run
}

// bytes returns the segment and the offset of n bits of the tensor, and the number of bytes that the bits cover. A
// spare run may cover fewer bytes, if the segment ends earlier.
func (b *boxAt) bytes(bit, n int64) (*segment, uint64, uint64) {
	at := b.global + uint64(bit>>3)
	if b.near == nil || !b.near.holds(at, 1) {
		if b.near = b.memory.find(at); b.near == nil {
			return nil, 0, 0
		}
	}
	off := at - b.near.base
	return b.near, off, min(uint64(bit&7+n+7)>>3, uint64(len(b.near.data))-off)
}

// load copies the box from the tensor into shared memory, and fills the elements outside the tensor.
func (b *boxAt) load() {
	dst := b.shared.seg
	for _, r := range b.plan.runs {
		to := b.shared.off + uint64(r.shared>>3)
		if r.kind == outside {
			b.fill(to, r)
			continue
		}
		src, from, n := b.bytes(r.global, r.n)
		switch {
		case src == nil:
		case (r.global|r.shared|r.n)&7 != 0:
			copyBits(spot{dst, b.shared.off*8 + uint64(r.shared)}, spot{src, from*8 + uint64(r.global&7)}, uint64(r.n))
		default:
			copyBytes(spot{dst, to}, spot{src, from}, n)
			b.round(dst.data[to : to+n])
		}
	}
}

// fill writes the fill value to run r, which is outside the tensor.
func (b *boxAt) fill(to uint64, r run) {
	dst, code := b.shared.seg, b.FillCode()
	if (r.shared|r.n)&7 != 0 {
		zero := segment{data: make([]byte, r.n/8+2)}
		copyBits(spot{dst, b.shared.off*8 + uint64(r.shared)}, spot{&zero, uint64(r.shared & 7)}, uint64(r.n))
		return
	}
	n, size := uint64(r.n)/8, uint64(max(b.Type.Bits()/8, 1))
	for i := range n {
		dst.data[to+i] = byte(code >> (8 * (i % size)))
	}
	dst.defineAll(to, n)
}

// round rounds elements of .tf32 types as a load does.
func (b *boxAt) round(data []byte) {
	if b.Type != tensormap.TFloat32 && b.Type != tensormap.TFloat32FTZ {
		return
	}
	for ; len(data) >= 4; data = data[4:] {
		binary.LittleEndian.PutUint32(data, uint32(b.Type.Load(uint64(binary.LittleEndian.Uint32(data)))))
	}
}

// store copies the box from shared memory into the tensor, or reduces the tensor with the box.
func (b *boxAt) store() opFault {
	for _, r := range b.plan.runs {
		if r.kind == outside {
			continue
		}
		dst, to, n := b.bytes(r.global, r.n)
		from := b.shared.off + uint64(r.shared>>3)
		switch {
		case dst == nil:
		case b.reduce != nil:
			f := b.reduce.apply(spot{dst, to}, spot{b.shared.seg, from}, n)
			if f.kind != "" && r.kind != spare {
				return f
			}
		case (r.global|r.shared|r.n)&7 != 0:
			copyBits(spot{dst, to*8 + uint64(r.global&7)}, spot{b.shared.seg, b.shared.off*8 + uint64(r.shared)}, uint64(r.n))
		default:
			copyBytes(spot{dst, to}, spot{b.shared.seg, from}, n)
		}
	}
	return opFault{}
}

// reduction is an operation that a copy applies to each element instead of overwriting the element.
type reduction struct {
	op   func(old, b uint64) uint64
	unit int // bytes of an element
}

// newReduction returns an operation on elements of type t, or nil if there is none.
func newReduction(name string, t ptx.Type) *reduction {
	op := atomicOp(name, t)
	if op == nil {
		return nil
	}
	return &reduction{func(old, b uint64) uint64 { return op(old, b, 0) }, t.Bits() / 8}
}

// flushSubnormals returns r for .f32, but treats subnormal numbers as zeros.
func (r *reduction) flushSubnormals() *reduction {
	f, op := formatF32, r.op
	return &reduction{func(old, b uint64) uint64 { return f.flush(op(f.flush(old), f.flush(b))) }, r.unit}
}

// apply reduces n bytes of dst with the bytes of src. Elements without a value are faults; apply returns the first one.
func (r *reduction) apply(dst, src spot, n uint64) (first opFault) {
	size := uint64(r.unit)
	for i := uint64(0); i+size <= n; i += size {
		for _, s := range []spot{src, dst} {
			if s.seg.definedBits(s.off+i, r.unit) != ones(r.unit) && first.kind == "" {
				address := s.seg.base + s.off + i
				first = opFault{KindUninitialised, address, fmt.Sprintf("reduces an element at address 0x%x of %s, to which nothing was written",
					address, s.seg.name)}
			}
		}
		dst.seg.write(dst.off+i, r.unit, r.op(dst.seg.read(dst.off+i, r.unit), src.seg.read(src.off+i, r.unit)))
	}
	return first
}
