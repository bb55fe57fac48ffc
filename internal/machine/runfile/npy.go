package runfile

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"girih/dtype"
	"girih/internal/pattern"
)

const npyMagic = "\x93NUMPY"

// maxHeader limits the bytes of a file before its elements.
const maxHeader = 1 << 17

// headerField matches the header of a .npy file: a dictionary of Python with three keys.
var headerField = []struct {
	name string
	is   pattern.Pattern
}{
	{"descr", `'descr': *'([^']*)'`},
	{"fortran_order", `'fortran_order': *(True|False)`},
	{"shape", `'shape': *\(([0-9, ]*)\)`},
}

// npyTypes are NumPy's names of types, without the byte order.
var npyTypes = map[string]dtype.Type{
	"f2": dtype.F16, "f4": dtype.F32, "f8": dtype.F64, "i1": dtype.S8, "i2": dtype.S16, "i4": dtype.S32, "i8": dtype.S64,
	"u1": dtype.U8, "u2": dtype.U16, "u4": dtype.U32, "u8": dtype.U64, "b1": dtype.U8, "V1": dtype.B8, "V2": dtype.B16,
}

// content returns the elements of a file and, if the file has NumPy's format .npy (version 1 to 3), their type. All
// bytes of another file are elements.
func content(field string, text []byte) (data []byte, t dtype.Type, err error) {
	if !bytes.HasPrefix(text, []byte(npyMagic)) {
		return text, 0, nil
	}
	said, data, err := npyHeader(field, text)
	if err != nil {
		return nil, 0, err
	}
	descr := said["descr"]
	t, ok := npyTypes[strings.TrimLeft(descr, "<=|")]
	if !ok {
		return nil, 0, errorf(field, "the .npy file has elements %.40q: expected little-endian f2 to f8, i1 to i8, u1 to u8 or b1",
			descr)
	}
	count, dims := int64(1), 0
	for part := range strings.FieldsFuncSeq(said["shape"], func(r rune) bool { return r == ',' || r == ' ' }) {
		d, err := strconv.ParseInt(part, 10, 64)
		if err != nil || d > 0 && count > MaxBytes/d {
			return nil, 0, errorf(field, "the .npy file has the shape (%.60s), of more than %d elements", said["shape"], MaxBytes)
		}
		count *= d
		dims++
	}
	if said["fortran_order"] == "True" && dims > 1 {
		return nil, 0, errorf(field, "the .npy file is in Fortran's order: save numpy.ascontiguousarray of it")
	}
	if want := count * int64(t.Bits()/8); int64(len(data)) != want {
		return nil, 0, errorf(field, "expected %d bytes after the header of the .npy file, for its shape (%.60s) of %s, found %d",
			want, said["shape"], descr, len(data))
	}
	return data, t, nil
}

// npyHeader returns the fields of the header of a .npy file, and the bytes after it.
func npyHeader(field string, text []byte) (said map[string]string, rest []byte, err error) {
	size, from := 2, 10
	if len(text) > 6 && text[6] > 1 {
		size, from = 4, 12
	}
	if len(text) > 6 && text[6] > 3 {
		return nil, nil, errorf(field, "expected version 1, 2 or 3 of the .npy format, found %d", text[6])
	}
	if len(text) < from {
		return nil, nil, errorf(field, "the .npy file ends in its header")
	}
	length := uint32(binary.LittleEndian.Uint16(text[8:]))
	if size == 4 {
		length = binary.LittleEndian.Uint32(text[8:])
	}
	if length > maxHeader-uint32(from) {
		return nil, nil, errorf(field, "expected at most %d bytes of header in the .npy file, found %d",
			maxHeader-from, length)
	}
	n := int(length)
	if len(text)-from < n {
		return nil, nil, errorf(field, "the .npy file ends in its header")
	}
	header := string(text[from : from+n])
	said = map[string]string{}
	for _, h := range headerField {
		m := h.is.FindStringSubmatch(header)
		if m == nil {
			return nil, nil, errorf(field, "the header of the .npy file has no %s that girih reads: %.100q", h.name, header)
		}
		said[h.name] = m[1]
	}
	return said, text[from+n:], nil
}
