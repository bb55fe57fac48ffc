package tensormap

import (
	"encoding/binary"

	"girih/cute"
)

// EncodedSize is the size of a map in memory, in bytes (CUDA Driver API, CUtensorMap).
const EncodedSize = 128

// The bytes of a map in memory are not documented. Each field was found on an H100 (driver 580.159.04) by changing one
// argument of the driver at a time, and by tensormap.replace. This package encodes 6,000 random maps of all modes, and
// 2,033 replaced ones, as the card does (conformance/README.md, hardware/h100_encodings.jsonl).
//
//	bits      arguments
//	0-63      globalAddress
//	64        1 for a map of pixels, im2col
//	68-70     tensorRank - 1
//	71-74     tensorDataType, in the numbers of tensormap.replace.elemtype; tf32 is f32 with bit 80
//	75-76     interleave
//	77-78     swizzle
//	79        oobFill
//	80        elements are rounded to tf32
//	81-82     l2Promotion
//	86        tensormap.replace.swizzle_mode writes the third bit of its value here; no value of sm_90 has this bit
//	96-223    globalStrides / 16: the low 32 bits of each
//	224-239   the 4 bits above those, of each
//	256-415   globalDim - 1: 32 bits each
//	416-430   elementStrides - 1: 3 bits each
//	440-479   boxDim - 1: 8 bits each; in a map of pixels, channelsPerPixel - 1 takes the first 8, followed by
//	448-463   pixelBoxLowerCorner, in two's complement: 16, 8 or 5 bits each, for 1, 2 or 3 dimensions of pixels
//	464-479   pixelBoxUpperCorner, likewise
//	480-489   pixelsPerColumn - 1
//	512-575   the bytes of the box, as the driver counts them
//	576-639   the alignment of the box in shared memory
//
// The words from bit 512 on are the driver's own: maps that a kernel makes of zeros work without them.
const (
	bitPixels    = 64
	bitRank      = 68 // 3 bits
	bitType      = 71 // 4 bits
	bitLeave     = 75 // 2 bits
	bitSwizzle   = 77 // 2 bits
	bitFill      = 79
	bitRounded   = 80
	bitPromotion = 81 // 2 bits
	bitSpan96    = 86
	bitStrides   = 96  // 4 fields of 32 bits
	bitStridesUp = 224 // 4 fields of 4 bits
	bitDims      = 256 // 5 fields of 32 bits
	bitSteps     = 416 // 5 fields of 3 bits
	bitBox       = 440 // 5 fields of 8 bits
	bitLower     = 448
	bitUpper     = 464
	bitColumn    = 480 // 10 bits
	bitBytes     = 512 // a word
	bitAlign     = 576 // a word

	// Features that sm_90 does not have are encoded in the last 8 bytes, which its driver sets to 0. This encoding is
	// specific to this package: a mark, then the atom of the swizzle, the type and the mode.
	bitMark  = 960
	bitAtom  = 968 // 2 bits, as tensormap.replace numbers .swizzle_atomicity
	bitNewer = 976 // 8 bits: the type, or 0 if bitType has the type
	bitWide  = 984 // 8 bits: 1 + the mode of im2col::w, 0 for other modes
	mark     = 0x67
)

// maxAddress is the first address that the driver refuses.
const maxAddress = 1 << 57

// elementTypes are the types in the order of tensormap.replace.elemtype (PTX ISA, "Tensormap new_val validity").
var elementTypes = [typeCount]Type{
	UInt8, UInt16, UInt32, Int32, UInt64, Int64, Float16, Float32, Float32FTZ, Float64, BFloat16, TFloat32, TFloat32FTZ,
	U4Align8, U4Align16, U6Align16,
}

// plainTypes is the number of types that bitType holds; the next two are rounded types of 32 bits.
const plainTypes = 11

// atoms are the swizzles of 128 bytes in the order of tensormap.replace.swizzle_atomicity.
var atoms = [4]Swizzle{Swizzle128B, Swizzle128BAtom32B, Swizzle128BAtom32BFlip8B, Swizzle128BAtom64B}

// An encoding is a map in memory, as words of 64 bits. No field crosses a word.
type encoding [EncodedSize / 8]uint64

func (e *encoding) get(bit, n int) uint64 { return e[bit/64] >> (bit % 64) & (1<<n - 1) }

func (e *encoding) set(bit, n int, v uint64) {
	m := uint64(1)<<n - 1
	e[bit/64] = e[bit/64]&^(m<<(bit%64)) | v&m<<(bit%64)
}

// read returns the words of 128 bytes.
func (e *encoding) read(b []byte) {
	for i := range e {
		e[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
}

// write stores the words in 128 bytes.
func (e *encoding) write(b []byte) {
	for i := range e {
		binary.LittleEndian.PutUint64(b[8*i:], e[i])
	}
}

// Encode returns the 128 bytes of a map in memory, as the driver of an H100 writes them. Types of 4 and 6 bits,
// swizzles with another atom and im2col::w, which an H100 does not have, have an encoding of this package that only
// [Decode] reads. The error is the first broken rule, see [Map.Err], or has the code CodeLimit for 0 channels or
// pixels, or an address from 2^57 on.
func (m Map) Encode() ([EncodedSize]byte, error) {
	var out [EncodedSize]byte
	if err := m.Err(); err != nil {
		return out, err
	}
	switch {
	case m.Address >= maxAddress:
		return out, refuse(cute.CodeLimit, "", "globalAddress is %s, and the driver takes addresses below 2^57",
			hex(m.Address))
	case m.Mode != Tiled && (m.Channels == 0 || m.pixels() == 0):
		return out, refuse(cute.CodeLimit, "copy 16 bytes at least", "%d channels of %d pixels: nothing is copied",
			m.Channels, m.pixels())
	}
	e := encoding{m.Address}
	e.set(bitRank, 3, uint64(m.Rank()-1))
	e.setType(m.Type)
	e.set(bitLeave, 2, uint64(m.Interleave))
	e.setSwizzle(m.Swizzle)
	e.set(bitFill, 1, uint64(m.Fill))
	e.set(bitPromotion, 2, uint64(m.Promotion))
	for i, s := range m.Strides {
		e.setStride(i, uint64(s))
	}
	for i, d := range m.Dims {
		e.set(bitDims+32*i, 32, uint64(d-1))
		if i < len(m.Steps) {
			e.set(bitSteps+3*i, 3, uint64(m.Steps[i]-1))
		}
	}
	for i, b := range m.Box {
		e.set(bitBox+8*i, 8, uint64(b-1))
	}
	if m.Mode != Tiled {
		e.setPixels(m)
	}
	e[bitBytes/64], e[bitAlign/64] = m.boxBytes(), m.alignment()
	e.write(out[:])
	return out, nil
}

// boxBytes returns the bytes of the box that the driver writes. If an element stride does not divide an extent of the
// box, the driver rounds down. It counts all channels of a pixel, even with an interleave.
func (m Map) boxBytes() uint64 {
	n := m.Type.Bits()
	if m.Mode != Tiled {
		return uint64(n * m.Channels * m.pixels() / 8)
	}
	for i, b := range m.Box {
		if i < len(m.Steps) {
			b /= m.Steps[i]
		}
		n *= b
	}
	return uint64(n / 8)
}

// alignment returns the alignment of shared memory that the driver writes.
func (m Map) alignment() uint64 {
	if m.Swizzle == SwizzleNone {
		return 16
	}
	return uint64(m.Swizzle.Repeats())
}

func (e *encoding) setStride(i int, bytes uint64) {
	e.set(bitStrides+32*i, 32, bytes>>4)
	e.set(bitStridesUp+4*i, 4, bytes>>36)
}

func (e *encoding) stride(i int) int64 {
	return int64(e.get(bitStrides+32*i, 32)<<4 | e.get(bitStridesUp+4*i, 4)<<36)
}

func (e *encoding) setType(t Type) {
	n := uint64(0)
	for elementTypes[n] != t {
		n++
	}
	e.setElement(n)
}

// setElement sets the type by its number in elementTypes. As on the card, setting a type that is not rounded keeps the
// bit of a previous type that was.
func (e *encoding) setElement(n uint64) {
	newer := uint64(0)
	switch t := elementTypes[n]; {
	case t == TFloat32 || t == TFloat32FTZ:
		e.set(bitRounded, 1, 1)
		n -= 4
	case n >= plainTypes:
		newer, n = uint64(t), 0
	}
	e.set(bitType, 4, n)
	e.extend(bitNewer, 8, newer)
}

func (e *encoding) setSwizzle(s Swizzle) {
	e.set(bitSwizzle, 2, uint64(min(s, Swizzle128B)))
	for i, a := range atoms {
		if a == s {
			e.extend(bitAtom, 2, uint64(i))
		}
	}
}

// extend sets a field of a feature that sm_90 does not have. Without a mark these fields are 0.
func (e *encoding) extend(bit, n int, v uint64) {
	const last = bitMark / 64
	if e.get(bitMark, 8) != mark {
		if v == 0 {
			return
		}
		e[last] = mark
	}
	e.set(bit, n, v)
	if e[last] == mark {
		e[last] = 0
	}
}

// cornerBits returns the number of bits of one component of a corner.
func (m Map) cornerBits() int {
	if m.Rank() < 3 {
		return 16
	}
	return []int{16, 8, 5}[m.Rank()-3]
}

func (e *encoding) setPixels(m Map) {
	e.set(bitPixels, 1, 1)
	e.set(bitBox, 8, uint64(m.Channels-1))
	e.set(bitColumn, 10, uint64(m.pixels()-1))
	n := m.cornerBits()
	if m.Mode == Im2colWide {
		n = 16
		e.extend(bitWide, 8, 1+uint64(m.Wide))
	}
	for i := range m.Lower {
		e.set(bitLower+n*i, n, uint64(m.Lower[i]))
		e.set(bitUpper+n*i, n, uint64(m.Upper[i]))
	}
}
