package tensormap

import (
	"iter"

	"girih/cute"
)

// A Start is where one instruction begins: the operands of cp.async.bulk.tensor.
type Start struct {
	Coord   []int64 // the coordinates of the first element, in the order of Map.Dims; may be outside the tensor
	Offsets []int64 // for an im2col map, the tap of the filter, W first; nil for a map of boxes
	Shared  int64   // the address in shared memory, in bytes, a multiple of 128
}

// A Landing is the source and the destination of one element of a box. With an interleave the elements are slices.
type Landing struct {
	Coord  []int64 // the coordinate in the tensor; valid until the next piece
	Global int64   // bits from globalAddress on, if Inside
	Shared int64   // bits from Start.Shared on; negative if the start is not a multiple of the swizzle's repeat
	Bits   int64   // the number of bits, contiguous in global memory, at most 16 bytes
	Inside bool    // the piece is in the tensor; if not, a load writes FillCode, and a store writes nothing
}

// FillCode returns the value in shared memory of an element outside the tensor: 0, or for FillNaN the NaN that fma.oob
// knows, 0x7ff7 in every 16 bits. The PTX ISA ("Out of Boundary Access") gives no number; this one was measured.
func (m Map) FillCode() uint64 {
	if m.Fill != FillNaN {
		return 0
	}
	const nan = 0x7ff77ff77ff77ff7
	return nan & (1<<m.Type.Bits() - 1)
}

// Landings yields everything that one load copies, in the order of shared memory before the swizzle: elements, or with
// an interleave pieces of 16 bytes of a slice. Nothing is copied to the bytes that a box leaves unused (rows shorter
// than the span of the swizzle, padded types).
//
// The rows of the box follow each other; a row takes at least the span of the swizzle. The swizzle changes bits of the
// address, so a start that is not a multiple of its repeat moves the pattern, not the rows (PTX ISA, "Swizzling
// Modes").
//
// An im2col map begins at a pixel of its bounding box and steps in W, H, D and N by the element strides; if a dimension
// leaves the bounding box, it returns to the lower corner and the next dimension steps. Only then are the offsets added
// to each pixel (PTX ISA, "im2col mode").
//
// The error has the codes of [Map.Err] for an illegal map, CodeRank for a wrong number of coordinates or offsets,
// CodeMode if a pixel is outside the bounding box or an offset beyond its range, CodeNotDivisible if, without an
// interleave, the coordinate of dimension 0 of unpacked types is not a multiple of 16 bytes, or if Shared is not a
// multiple of 128, CodeOverflow for a tensor of more than 2^58 bytes, and CodeType for the mode Im2colWide, whose halo
// is not modelled.
func (m Map) Landings(s Start) (iter.Seq[Landing], error) {
	if err := m.start(s); err != nil {
		return nil, err
	}
	return m.walk(s, m.Dims[0]), nil
}

// Stores yields everything that one store or reduction reads from shared memory, as [Map.Landings] does for a load:
// Inside says whether it is written. Along dimension 0 writing continues to the next multiple of 16 bytes after the
// last element, into the gap between the rows of the tensor (seen on an H100 for elements of 1 to 8 bytes; no
// documentation mentions it). Coordinates below 0 were illegal there for tiled maps, and on an H200 for im2col maps.
//
// The errors are the errors of Landings, and CodeMode for a coordinate below 0, CodeRank for offsets, which stores do
// not have, CodeType for padded types, which are known for loads only, and CodeSwizzle for the swizzle with a flip,
// which is for loads only.
func (m Map) Stores(s Start) (iter.Seq[Landing], error) {
	if err := m.start(s); err != nil {
		return nil, err
	}
	for i, x := range s.Coord {
		if x < 0 {
			return nil, refuse(cute.CodeMode, "begin a store in the tensor",
				"coordinate %d of a store is %d: below 0 the instruction is illegal (seen on an H100; no documentation has it)",
				i, x)
		}
	}
	if len(s.Offsets) > 0 {
		return nil, refuse(cute.CodeRank, "", "a store takes no offsets, found %d", len(s.Offsets))
	}
	if m.Type.isPadded() {
		return nil, refuse(cute.CodeType, "CUDA Driver API, swizzle", "stores of %s are none (16U4) or not known here (16U6)",
			m.Type)
	}
	if m.Swizzle == Swizzle128BAtom32BFlip8B {
		return nil, refuse(cute.CodeSwizzle, "PTX ISA, Swizzling Modes", "%s is for loads only", m.Swizzle)
	}
	unit := m.unitBits()
	return m.walk(s, (m.Dims[0]*unit+127)/128*128/unit), nil
}

// walk yields the elements of one instruction; elements before width are inside along dimension 0.
func (m Map) walk(s Start, width int64) iter.Seq[Landing] {
	return func(yield func(Landing) bool) {
		w := walker{m: m, s: s, pitch: m.pitch(), width: width, coord: make([]int64, m.Rank())}
		if m.Mode == Tiled {
			w.tiles(yield)
			return
		}
		w.columns(yield)
	}
}

// start checks the start of a load.
func (m Map) start(s Start) error {
	if err := m.loadable(); err != nil {
		return err
	}
	if len(s.Coord) != m.Rank() {
		return refuse(cute.CodeRank, "", "expected %d coordinates, found %d", m.Rank(), len(s.Coord))
	}
	for i, x := range s.Coord {
		if x < -1<<31 || x >= 1<<31 {
			return refuse(cute.CodeMode, "coordinates are 32-bit integers", "coordinate %d is %d, outside -2^31 to 2^31-1", i, x)
		}
	}
	if bits := m.Type.Bits(); m.Interleave == InterleaveNone && m.Type < U4Align8 && s.Coord[0]*bits%128 != 0 {
		return refuse(cute.CodeNotDivisible, "begin at a multiple of 16 bytes along dimension 0",
			"coordinate 0 is %d × %s bytes, no multiple of 16: the instruction is illegal then (seen on an H200; no documentation has it)",
			s.Coord[0], size(bits))
	}
	if s.Shared%128 != 0 || s.Shared < 0 || s.Shared >= 1<<32 {
		return refuse(cute.CodeNotDivisible, "align shared memory to 128 bytes, or to the repeat of the swizzle",
			"the address in shared memory is %d, no multiple of 128 below 2^32", s.Shared)
	}
	if m.Mode == Im2colWide {
		return refuse(cute.CodeType, "maps of the modes tiled and im2col can be followed", "the halo of im2col::w is not modelled")
	}
	if m.Mode == Tiled {
		if len(s.Offsets) > 0 {
			return refuse(cute.CodeRank, "", "a tiled map takes no offsets, found %d", len(s.Offsets))
		}
		return nil
	}
	return m.startPixel(s)
}

// loadable refuses maps that are not legal, and tensors that no memory can have.
func (m Map) loadable() error {
	if err := m.Err(); err != nil {
		return err
	}
	for _, r := range m.Remarks() {
		if r.Fatal {
			return refuse(cute.CodeLimit, r.Source, "%s", r.Text)
		}
	}
	reach := 0.0
	for i, stride := range m.Strides {
		reach += float64(m.Dims[i+1]) * float64(stride)
	}
	if reach > 1<<58 {
		return refuse(cute.CodeOverflow, "no card has so much memory", "the tensor has more than 2^58 bytes")
	}
	return nil
}

// startPixel checks the start of an im2col load.
func (m Map) startPixel(s Start) error {
	n := m.Rank() - 2
	if len(s.Offsets) != 0 && len(s.Offsets) != n {
		return refuse(cute.CodeRank, "", "expected %d offsets, found %d", n, len(s.Offsets))
	}
	limit := int64(1) << []int{16, 8, 5}[n-1]
	for i, x := range s.Offsets {
		if x < 0 || x >= limit {
			return refuse(cute.CodeMode, "PTX ISA, im2col mode, offsets", "offset %d is %d, outside 0 to %d for rank %d", i,
				x, limit-1, m.Rank())
		}
	}
	first := m.firstPixel()
	for i := range n {
		lo, end := m.Lower[i], m.Dims[i+first]+m.Upper[i]
		if x := s.Coord[i+first]; x < lo || x >= end {
			return refuse(cute.CodeMode, "PTX ISA, im2col mode: the filter's base is in the bounding box",
				"coordinate %d is %d, outside the bounding box, %d to %d", i+first, x, lo, end-1)
		}
	}
	return nil
}

// A walker visits the rows of one load.
type walker struct {
	m     Map
	s     Start
	pitch int64
	width int64   // how many elements are inside along dimension 0
	coord []int64 // the coordinate of the first element of the row
	row   int64
}

// tiles visits the rows of a box.
func (w *walker) tiles(yield func(Landing) bool) {
	n := w.m.Loaded()
	at := make([]int64, len(n))
	for {
		for i := range at {
			w.coord[i] = w.s.Coord[i] + at[i]*w.m.step(i)
		}
		if !w.line(n[0], yield) {
			return
		}
		i := 1
		for ; i < len(n); i++ {
			if at[i]++; at[i] < n[i] {
				break
			}
			at[i] = 0
		}
		if i >= len(n) {
			return
		}
	}
}

// columns visits the pixels of an im2col map.
func (w *walker) columns(yield func(Landing) bool) {
	m, n, first := w.m, w.m.Rank()-2, w.m.firstPixel()
	cursor := append([]int64(nil), w.s.Coord...)
	for range m.pixels() {
		copy(w.coord, cursor)
		for i, x := range w.s.Offsets {
			w.coord[i+first] += x
		}
		if !w.line(m.channels(), yield) {
			return
		}
		i := 0
		for ; i < n; i++ {
			d := i + first
			if cursor[d] += m.step(d); cursor[d] < m.Dims[d]+m.Upper[i] {
				break
			}
			cursor[d] = m.Lower[i]
		}
		if i == n {
			cursor[m.Rank()-1] += m.step(m.Rank() - 1)
		}
	}
}

// line visits one row of n units.
func (w *walker) line(n int64, yield func(Landing) bool) bool {
	m := w.m
	base, inside := int64(0), true
	for i := 1; i < len(w.coord); i++ {
		inside = inside && w.coord[i] >= 0 && w.coord[i] < m.Dims[i]
		base += w.coord[i] * m.Strides[i-1] * 8
	}
	unit := m.unitBits()
	piece := min(unit, 128)
	x0 := w.coord[0]
	for j := range n {
		x := x0 + j*m.step(0)
		w.coord[0] = x
		in := inside && x >= 0 && x < w.width
		for p := int64(0); p < unit; p += piece {
			l := Landing{Coord: w.coord, Shared: w.sharedBit(m.packedBits(j) + p), Bits: piece, Inside: in}
			if in {
				l.Global = base + x*unit + p
			}
			if !yield(l) {
				return false
			}
		}
	}
	w.coord[0] = x0
	w.row++
	return true
}

// packedBits returns the bits before unit j of a row in shared memory.
func (m Map) packedBits(j int64) int64 {
	bits := j * m.unitBits()
	if m.Interleave == InterleaveNone && m.Type.isPadded() {
		bits += j / 16 * typeRows[m.Type].gap * 8
	}
	return bits
}

// sharedBit returns the destination of a bit of the current row, from the start on.
func (w *walker) sharedBit(bit int64) int64 {
	address := w.s.Shared + w.row*w.pitch + bit/8
	return (w.m.Swizzle.At(address)-w.s.Shared)*8 + bit%8
}
