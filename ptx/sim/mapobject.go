package sim

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"girih/tensormap"
)

// mapBytes and mapAlign are the size and the alignment of a tensor map in memory (CUDA Driver API, CUtensorMap).
const mapBytes, mapAlign = 128, 64

// Where the fields of a tensor map are in its 128 bytes. The layout of the driver's is not documented; this is one of
// this package, so maps that a driver encoded are not known here. The first 8 bytes are a sum of the others.
const (
	mapAddress  = 8  // 8 bytes
	mapKinds    = 16 // mode, type, rank, interleave, swizzle, promotion, fill, wide mode, a byte each
	mapDims     = 24 // 5 of 4 bytes, less 1
	mapStrides  = 48 // 4 of 8 bytes
	mapBox      = 80 // 5 of 2 bytes
	mapSteps    = 90 // 5 of a byte
	mapLower    = 96 // 3 of 2 bytes, with a sign
	mapUpper    = 102
	mapChannels = 108 // 2 bytes
	mapPixels   = 110
)

// TensorMap returns a tensor map as an argument of 128 bytes: one that a driver encodes of the same numbers. Its
// Address is where a buffer begins, [Buffer.Address], or a byte in it. The error is of type *[Error], [CodeArgument]:
// a map that the driver does not make.
func TensorMap(m tensormap.Map) (Arg, error) {
	if err := m.Err(); err != nil {
		return Arg{}, &Error{Code: CodeArgument, Msg: "no tensor map: " + err.Error(), Err: err}
	}
	for _, r := range m.Remarks() {
		if r.Fatal {
			return Arg{}, errorf(CodeArgument, "no tensor map: %s (%s)", r.Text, r.Source)
		}
	}
	if m.Address == 0 {
		return Arg{}, errorf(CodeArgument, "no tensor map: its address is 0, where no buffer is")
	}
	return Arg{encodeMap(m)}, nil
}

// At returns the argument a with the bytes of part at offset: a pointer or a tensor map in a structure. The error is
// of type *[Error], [CodeArgument]: a has not so many bytes.
func (a Arg) At(offset int, part Arg) (Arg, error) {
	if offset < 0 || offset > len(a.bytes) || len(part.bytes) > len(a.bytes)-offset {
		return Arg{}, errorf(CodeArgument, "%d bytes at offset %d of an argument of %d", len(part.bytes), offset, len(a.bytes))
	}
	out := slices.Clone(a.bytes)
	copy(out[offset:], part.bytes)
	return Arg{out}, nil
}

// Bytes returns a copy of the bytes of a, as they lie in memory: those of a tensor map may be put into a buffer.
func (a Arg) Bytes() []byte { return slices.Clone(a.bytes) }

// encodeMap returns the 128 bytes of a map whose numbers are within the limits of its fields.
func encodeMap(m tensormap.Map) []byte {
	b, le := make([]byte, mapBytes), binary.LittleEndian
	le.PutUint64(b[mapAddress:], m.Address)
	copy(b[mapKinds:], []byte{
		byte(m.Mode), byte(m.Type), byte(m.Rank()), byte(m.Interleave), byte(m.Swizzle), byte(m.Promotion), byte(m.Fill), byte(m.Wide),
	})
	for i, n := range m.Dims {
		le.PutUint32(b[mapDims+4*i:], uint32(n-1))
	}
	for i, n := range m.Strides {
		le.PutUint64(b[mapStrides+8*i:], uint64(n))
	}
	for i, n := range m.Box {
		le.PutUint16(b[mapBox+2*i:], uint16(n))
	}
	for i := range m.Dims {
		b[mapSteps+i] = 1
		if i < len(m.Steps) {
			b[mapSteps+i] = byte(m.Steps[i])
		}
	}
	for i, n := range m.Lower {
		le.PutUint16(b[mapLower+2*i:], uint16(n))
	}
	for i, n := range m.Upper {
		le.PutUint16(b[mapUpper+2*i:], uint16(n))
	}
	le.PutUint16(b[mapChannels:], uint16(m.Channels))
	le.PutUint16(b[mapPixels:], uint16(m.Pixels))
	sealMap(b)
	return b
}

// sealMap writes the sum of a map's fields.
func sealMap(b []byte) { binary.LittleEndian.PutUint64(b, mapSum(b)) }

// mapSum returns the sum of a map's fields.
func mapSum(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b[8:mapBytes])
	return h.Sum64()
}

// decodeMap returns the map of 128 bytes. The error is for bytes that are none; the map may be illegal all the same.
func decodeMap(b []byte) (tensormap.Map, error) {
	le := binary.LittleEndian
	if le.Uint64(b) != mapSum(b) {
		return tensormap.Map{}, fmt.Errorf("the 128 bytes are no tensor map that was made for this run (one of a driver has another layout, which is not documented)")
	}
	k := b[mapKinds:]
	m := tensormap.Map{
		Mode: tensormap.Mode(k[0]), Type: tensormap.Type(k[1]), Address: le.Uint64(b[mapAddress:]),
		Interleave: tensormap.Interleave(k[3]), Swizzle: tensormap.Swizzle(k[4]), Promotion: tensormap.Promotion(k[5]),
		Fill: tensormap.Fill(k[6]), Wide: tensormap.WideMode(k[7]),
	}
	rank := min(int(k[2]), 5)
	for i := range rank {
		m.Dims = append(m.Dims, int64(le.Uint32(b[mapDims+4*i:]))+1)
		m.Steps = append(m.Steps, int64(b[mapSteps+i]))
		if i > 0 {
			m.Strides = append(m.Strides, int64(le.Uint64(b[mapStrides+8*i-8:])))
		}
		if m.Mode == tensormap.Tiled {
			m.Box = append(m.Box, int64(le.Uint16(b[mapBox+2*i:])))
		}
	}
	if m.Mode != tensormap.Tiled {
		n := max(rank-2, 0)
		if m.Mode == tensormap.Im2colWide {
			n = 1
		}
		for i := range n {
			m.Lower = append(m.Lower, int64(int16(le.Uint16(b[mapLower+2*i:]))))
			m.Upper = append(m.Upper, int64(int16(le.Uint16(b[mapUpper+2*i:]))))
		}
		m.Channels, m.Pixels = int64(le.Uint16(b[mapChannels:])), int64(le.Uint16(b[mapPixels:]))
	}
	return m, nil
}
