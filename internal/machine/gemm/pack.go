package gemm

import (
	"encoding/binary"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
)

// This file converts numbers to and from the memory of a card.

// Pack returns a matrix as kernels expect it: rows of the given number of columns, ld elements apart; elements of less
// than 8 bits are packed, the first one lowest; gaps between the rows are zero. It returns [cute.CodeExtent] if the
// numbers are not whole rows, or rows are longer than ld or do not begin at a byte, [cute.CodeLimit] for more than 2^40
// bytes, and [cute.CodeOverflow] for a number that the type cannot hold. It rounds to the nearest, and bits are 0 or 1.
func Pack(t dtype.Type, xs []float64, columns, ld int64) ([]byte, error) {
	return row{t, int64(t.Bits()), columns, ld}.pack(xs)
}

// A row says how rows of numbers are stored: bits per number, and ld numbers from one row to the next.
type row struct {
	t           dtype.Type
	bits        int64
	columns, ld int64
}

// shift returns the first bit of a number within its bits. In a byte of kind::f8f6f4, 4-bit numbers are bits 2 to 5,
// and 6-bit numbers are the low bits (PTX ISA 9.7.14.5, Data-types packing).
func (r row) shift() int64 {
	if r.t.Bits() == 4 && r.bits == 8 {
		return 2
	}
	return 0
}

func (r row) pack(xs []float64) ([]byte, error) {
	bits, columns, ld := r.bits, r.columns, r.ld
	if columns < 1 || ld < columns || int64(len(xs))%columns != 0 || bits == 0 || ld%8*bits%8 != 0 {
		return nil, refuse(cute.CodeExtent,
			"%d numbers are no rows of %d elements of %v every %d, each beginning with a byte", len(xs), columns, r.t, ld)
	}
	encode, shift := encoderOf(r.t), r.shift()
	rows := int64(len(xs)) / columns
	if most := int64(8) << 40 / bits; rows > 0 && ld > most/rows {
		return nil, refuse(cute.CodeLimit, "%d rows of %v every %d elements are more than 2^40 bytes", rows, r.t, ld)
	}
	out := make([]byte, rows*ld*bits/8)
	known := newCodes(r.t, len(xs))
	part := ints.CeilDiv(chunk, columns) * columns // parts begin at bytes, too
	if ld == columns {
		part = chunk
	}
	err := Parts(int64(len(xs)), part, func(from, to int64) error {
		for i := from; i < to; i++ {
			code, ok := uint64(0), false
			if known != nil {
				code, ok = known.find(xs[i])
			}
			if !ok {
				var err error
				if code, err = encode(xs[i]); err != nil {
					return &cute.Error{Code: cute.CodeOverflow, Op: "gemm", Msg: err.Error()}
				}
			}
			put(out, (i/columns*ld+i%columns)*bits, bits, code<<shift)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// put writes a code of the given number of bits, from the given bit on.
func put(out []byte, bit, bits int64, code uint64) {
	switch bits {
	case 64:
		binary.LittleEndian.PutUint64(out[bit/8:], code)
	case 32:
		binary.LittleEndian.PutUint32(out[bit/8:], uint32(code))
	case 16:
		binary.LittleEndian.PutUint16(out[bit/8:], uint16(code))
	default:
		out[bit/8] |= byte(code << (bit % 8))
		if bit%8+bits > 8 {
			out[bit/8+1] |= byte(code >> (8 - bit%8))
		}
	}
}

func encoderOf(t dtype.Type) func(x float64) (uint64, error) {
	switch t {
	case dtype.B1:
		t = dtype.U1
	case dtype.F64:
		return func(x float64) (uint64, error) { return math.Float64bits(x), nil }
	case dtype.F32:
		return func(x float64) (uint64, error) { return uint64(math.Float32bits(float32(x))), nil }
	}
	return t.Encode
}

// Unpack returns the numbers of a matrix in memory: the inverse of [Pack]. The last row may end after its columns. It
// returns [cute.CodeType] for types whose elements are not whole bytes, which D never has, and [cute.CodeExtent] for
// data shorter than a row.
func Unpack(t dtype.Type, data []byte, columns, ld int64) ([]float64, error) {
	size := int64(t.Bits() / 8)
	if t.Bits()%8 != 0 || size != 1 && size != 2 && size != 4 && size != 8 {
		return nil, refuse(cute.CodeType, "elements of %v take no whole bytes", t)
	}
	given := int64(len(data)) / size
	if columns < 1 || ld < columns || columns > given {
		return nil, refuse(cute.CodeExtent,
			"%d bytes are no rows of %d elements of %v every %d", len(data), columns, t, ld)
	}
	rows := (given-columns)/ld + 1
	out := make([]float64, rows*columns)
	known := newCodes(t, len(out))
	err := Parts(rows, ints.CeilDiv(chunk, columns), func(from, to int64) error {
		for i := from; i < to; i++ {
			for j, at := int64(0), data[i*ld*size:]; j < columns; j, at = j+1, at[size:] {
				var err error
				if out[i*columns+j], err = decode(t, at, known); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// decode returns the number at the beginning of the data.
func decode(t dtype.Type, data []byte, known *codes) (float64, error) {
	code := uint64(0)
	switch t.Bits() {
	case 8:
		code = uint64(data[0])
	case 16:
		code = uint64(binary.LittleEndian.Uint16(data))
	case 32:
		code = uint64(binary.LittleEndian.Uint32(data))
	default:
		code = binary.LittleEndian.Uint64(data)
	}
	switch {
	case known != nil:
		return known.value[code], nil
	case t == dtype.F64:
		return math.Float64frombits(code), nil
	case t == dtype.F32:
		return float64(math.Float32frombits(uint32(code))), nil
	}
	return t.Decode(code)
}
