package sim

import (
	"slices"

	"girih/tensormap"
)

// mapBytes and mapAlign are the size and the alignment of a tensor map in memory (CUDA Driver API, CUtensorMap).
const mapBytes, mapAlign = tensormap.EncodedSize, 64

// TensorMap returns m as an argument of 128 bytes, encoded as a driver encodes it. The Address of m is the start of a
// buffer, [Buffer.Address], or the address of another byte of a buffer. The error is of type *[Error], with
// [CodeArgument], if a driver would refuse m.
func TensorMap(m tensormap.Map) (Arg, error) {
	b, err := m.Encode()
	if err != nil {
		return Arg{}, &Error{Code: CodeArgument, Msg: "no tensor map: " + err.Error(), Err: err}
	}
	if m.Address == 0 {
		return Arg{}, errorf(CodeArgument, "no tensor map: its address is 0, where no buffer is")
	}
	for _, r := range m.Remarks() {
		if r.Fatal {
			return Arg{}, errorf(CodeArgument, "no tensor map: %s (%s)", r.Text, r.Source)
		}
	}
	return Arg{b[:]}, nil
}

// At returns a copy of a in which part replaces the bytes at offset: a pointer or a tensor map in a structure. The
// error is of type *[Error], with [CodeArgument], if a is too short.
func (a Arg) At(offset int, part Arg) (Arg, error) {
	if offset < 0 || offset > len(a.bytes) || len(part.bytes) > len(a.bytes)-offset {
		return Arg{}, errorf(CodeArgument, "%d bytes at offset %d of an argument of %d", len(part.bytes), offset, len(a.bytes))
	}
	out := slices.Clone(a.bytes)
	copy(out[offset:], part.bytes)
	return Arg{out}, nil
}

// Bytes returns a copy of the bytes of a in memory order. A buffer may hold the bytes of a tensor map.
func (a Arg) Bytes() []byte { return slices.Clone(a.bytes) }
