package runfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strconv"

	"girih/dtype"
)

// elementType returns the type with a name: of whole bytes, at most 8; u8 for "".
func elementType(field, name string) (dtype.Type, error) {
	if name == "" {
		return dtype.U8, nil
	}
	t, err := dtype.Parse(name)
	if err != nil {
		return t, errorf(field, "%v", err)
	}
	if t.Bits()%8 != 0 || t.Bits() > 64 {
		return t, errorf(field, "elements of %d bits: a buffer has elements of 8, 16, 32 or 64; give packed elements as u8",
			t.Bits())
	}
	return t, nil
}

// encode returns the code of a number, rounded to the nearest value of the type.
func (n Number) encode(field string, t dtype.Type) (uint64, error) {
	text := string(n)
	var code uint64
	var err error
	switch t.Kind() {
	case dtype.Float:
		var x float64
		if x, err = strconv.ParseFloat(text, 64); errors.Is(err, strconv.ErrRange) {
			err = nil // the number is infinite; the type decides whether it has an infinity
		}
		if err == nil {
			code, err = t.Encode(x)
		}
	default:
		code, err = integerCode(text, t)
	}
	if err != nil {
		if _, ok := errors.AsType[*strconv.NumError](err); ok {
			return 0, errorf(field, "expected a number of type %v, found %.40q", t, text)
		}
		return 0, errorf(field, "%v", err)
	}
	return code, nil
}

// integerCode returns the code of an integer, in two's complement or as bits.
func integerCode(text string, t dtype.Type) (uint64, error) {
	u, err := strconv.ParseUint(text, 0, 64)
	if err == nil && (t.Kind() == dtype.Raw || u > math.MaxInt64 && t == dtype.U64) {
		if t.Bits() < 64 && u>>t.Bits() != 0 {
			return 0, &dtype.Error{Code: dtype.CodeRange, Msg: text + " has more bits than " + t.String()}
		}
		return u, nil
	}
	x, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return 0, err
	}
	return t.EncodeInt(x)
}

// appendCode appends the bytes of a code of t.
func appendCode(b []byte, t dtype.Type, code uint64) []byte {
	switch t.Bits() {
	case 8:
		return append(b, byte(code))
	case 16:
		return binary.LittleEndian.AppendUint16(b, uint16(code))
	case 32:
		return binary.LittleEndian.AppendUint32(b, uint32(code))
	}
	return binary.LittleEndian.AppendUint64(b, code)
}

// codeAt returns the code of element i.
func codeAt(b []byte, t dtype.Type, i int) uint64 {
	switch t.Bits() {
	case 8:
		return uint64(b[i])
	case 16:
		return uint64(binary.LittleEndian.Uint16(b[2*i:]))
	case 32:
		return uint64(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return binary.LittleEndian.Uint64(b[8*i:])
}

// show writes an element for a reader: a number, with its bits if the number does not determine them.
func show(t dtype.Type, code uint64) string {
	bits := "0x" + strconv.FormatUint(code, 16)
	if t.Kind() == dtype.Float {
		x, err := t.Decode(code)
		if err != nil {
			return bits
		}
		if t == dtype.F64 {
			return strconv.FormatFloat(x, 'g', -1, 64) + " (" + bits + ")"
		}
		return strconv.FormatFloat(x, 'g', -1, 32) + " (" + bits + ")"
	}
	if x, err := t.DecodeInt(code); err == nil {
		return strconv.FormatInt(x, 10)
	}
	return bits
}

// state is the state of the generator of a fill: the linear congruence of Knuth's MMIX.
type state uint64

func (s *state) next() uint64 {
	*s = *s*6364136223846793005 + 1442695040888963407
	return uint64(*s)
}

// turn is the number of elements that a loop handles before it calls Stop again.
const turn = 1 << 14

// fill returns n bytes of elements of t, or nil if the bytes are not written.
func (f *Fill) fill(field string, t dtype.Type, n int64, h Host) ([]byte, error) {
	switch {
	case f.Kind == "none":
		return nil, nil
	case f.Kind == "byte":
		return bytes.Repeat([]byte{byte(f.Value)}, int(n)), nil
	}
	b := make([]byte, 0, n)
	s := state(f.Seed)
	known := make([]uint64, min(f.Mod, 1<<16)) // the codes of the numbers of an lcg, plus 1; 0 if not computed yet
	for i := range n / int64(t.Bits()/8) {
		if i%turn == 0 {
			if err := h.stop(); err != nil {
				return nil, err
			}
		}
		x := s.next()
		if f.Kind == "bits" {
			if t.Bits() < 64 {
				x >>= 32
			}
			b = appendCode(b, t, x)
			continue
		}
		x = x >> 33 % f.Mod
		if x < uint64(len(known)) && known[x] != 0 {
			b = appendCode(b, t, known[x]-1)
			continue
		}
		code, err := f.code(field, t, x)
		if err != nil {
			return nil, err
		}
		if x < uint64(len(known)) {
			known[x] = code + 1
		}
		b = appendCode(b, t, code)
	}
	return b, nil
}

// code returns the element for number x of an lcg.
func (f *Fill) code(field string, t dtype.Type, x uint64) (uint64, error) {
	v := math.Ldexp(float64(int64(x)-f.Sub), int(f.Scale))
	code, err := t.Encode(v)
	if err != nil {
		return 0, errorf(field, "%v", err)
	}
	if back, err := t.Decode(code); err == nil && back != v {
		return 0, errorf(field, "the number %v is not a value of the type %v, which has %v: choose another mod, sub or scale",
			v, t, back)
	}
	return code, nil
}
