package tensormap

import (
	"math/bits"

	"girih/cute"
)

// Decode returns the map of 128 bytes, as a driver, [Map.Encode] or tensormap.replace writes them. The map may break
// rules: see [Map.Err]. Steps has a number for each dimension. A driver on sm_90 encodes a map of the mode im2col::w as
// im2col with the same corner in the first dimension of pixels, so Decode returns the mode im2col.
//
// The error has the code CodeRank for a wrong number of bytes, and CodeType for bytes that are not a map, or that are a
// map of a card with an unknown encoding: a field has an undefined value, or a bit outside all fields is 1.
func Decode(b []byte) (Map, error) {
	if len(b) != EncodedSize {
		return Map{}, refuse(cute.CodeRank, "", "a tensor map has %d bytes in memory, found %d", EncodedSize, len(b))
	}
	var e encoding
	e.read(b)
	if e == (encoding{}) {
		return Map{}, noMap("all 128 bytes are 0")
	}
	m := Map{
		Address: e[0], Interleave: Interleave(e.get(bitLeave, 2)), Promotion: Promotion(e.get(bitPromotion, 2)),
		Fill: Fill(e.get(bitFill, 1)),
	}
	rank := int(e.get(bitRank, 3)) + 1
	if m.Address >= maxAddress {
		return Map{}, noMap("they say globalAddress %s, not below 2^57", hex(m.Address))
	}
	if rank > 5 || m.Interleave > Interleave32B {
		return Map{}, noMap("they say rank %d and interleave %d: there are 1 to 5 and 0 to 2", rank, m.Interleave)
	}
	var err error
	if m.Type, err = e.elements(); err != nil {
		return Map{}, err
	}
	if m.Swizzle, err = e.swizzle(); err != nil {
		return Map{}, err
	}
	for i := range rank {
		m.Dims = append(m.Dims, int64(e.get(bitDims+32*i, 32))+1)
		m.Steps = append(m.Steps, int64(e.get(bitSteps+3*i, 3))+1)
		if i > 0 {
			m.Strides = append(m.Strides, e.stride(i-1))
		}
	}
	if e.get(bitPixels, 1) == 0 {
		for i := range rank {
			m.Box = append(m.Box, int64(e.get(bitBox+8*i, 8))+1)
		}
	} else if err := e.pixels(&m); err != nil {
		return Map{}, err
	}
	return m, e.rest(m)
}

func noMap(format string, args ...any) error {
	return refuse(cute.CodeType, "", "no tensor map of a driver on sm_90: "+format, args...)
}

// markedBits returns a field of a feature that sm_90 does not have. Without a mark it is 0.
func (e *encoding) markedBits(bit, n int) uint64 {
	if e.get(bitMark, 8) != mark {
		return 0
	}
	return e.get(bit, n)
}

func (e *encoding) elements() (Type, error) {
	n, rounded, newer := e.get(bitType, 4), e.get(bitRounded, 1) == 1, e.markedBits(bitNewer, 8)
	switch {
	case newer != 0 && n == 0 && !rounded && newer >= uint64(U4Align8) && newer < uint64(typeCount):
		return Type(newer), nil
	case newer != 0 || n >= plainTypes || rounded && n != 7 && n != 8:
		return 0, noMap("the type of their elements has the number %d, rounded to tf32: %v", n, rounded)
	case rounded:
		n += 4
	}
	return elementTypes[n], nil
}

func (e *encoding) swizzle() (Swizzle, error) {
	s, atom := Swizzle(e.get(bitSwizzle, 2)), e.markedBits(bitAtom, 2)
	switch {
	case s == Swizzle128B:
		return atoms[atom], nil
	case atom != 0:
		return 0, noMap("%s with an atom that does not have 16 bytes", s)
	}
	return s, nil
}

// pixels reads the fields that only a map of pixels has.
func (e *encoding) pixels(m *Map) error {
	m.Mode = Im2col
	if m.Rank() < 3 {
		return noMap("they say rank %d of a map of pixels, which has 3 to 5", m.Rank())
	}
	n, of := m.cornerBits(), m.Rank()-2
	if w := e.markedBits(bitWide, 8); w > uint64(W128)+1 {
		return noMap("there is no mode im2col::w with the number %d", w-1)
	} else if w > 0 {
		m.Mode, m.Wide, n, of = Im2colWide, WideMode(w-1), 16, 1
	}
	signed := func(bit int) int64 { return int64(e.get(bit, n)<<(64-n)) >> (64 - n) }
	for i := range of {
		m.Lower = append(m.Lower, signed(bitLower+n*i))
		m.Upper = append(m.Upper, signed(bitUpper+n*i))
	}
	m.Channels, m.Pixels = int64(e.get(bitBox, 8))+1, int64(e.get(bitColumn, 10))+1
	return nil
}

// rest refuses bits that belong to no field. Fields of dimensions beyond the rank may remain from a map whose rank a
// kernel has changed, and the driver's own words may have any value.
func (e *encoding) rest(m Map) error {
	known := encoding{0: ^uint64(0), bitBytes / 64: ^uint64(0), bitAlign / 64: ^uint64(0)}
	known.set(bitPixels, 1, 1)
	known.set(bitRank, bitPromotion+2-bitRank, ^uint64(0))
	known.set(bitStrides, 32, ^uint64(0))
	known[2] = ^uint64(0)
	known.set(bitStrides+96, 32+16, ^uint64(0))
	known[4], known[5] = ^uint64(0), ^uint64(0)
	known.set(bitDims+128, 32, ^uint64(0))
	known.set(bitSteps, 15, ^uint64(0))
	known.set(bitBox, 8, ^uint64(0))
	if m.Mode == Tiled {
		known.set(bitBox+8, 32, ^uint64(0))
	} else {
		n := m.cornerBits() * (m.Rank() - 2)
		if m.Mode == Im2colWide {
			n = 16
		}
		known.set(bitLower, n, ^uint64(0))
		known.set(bitUpper, n, ^uint64(0))
		known.set(bitColumn, 10, ^uint64(0))
	}
	if e.get(bitMark, 8) == mark {
		known.set(bitMark, 10, ^uint64(0))
		known.set(bitNewer, 16, ^uint64(0))
	}
	for i := range e {
		if x := e[i] &^ known[i]; x != 0 {
			return noMap("bit %d of them is 1, which belongs to no argument", 64*i+bits.TrailingZeros64(x))
		}
	}
	switch a := e[bitAlign/64]; a {
	case 0, 16, 256, 512, 1024:
		return nil
	default:
		return noMap("they say that shared memory is aligned to %d", a)
	}
}
