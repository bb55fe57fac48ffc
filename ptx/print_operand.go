package ptx

import "strconv"

func (n Name) appendTo(dst []byte) []byte { return append(dst, n...) }

// String returns n.
func (n Name) String() string { return string(n) }

func (i Int) appendTo(dst []byte) []byte { return strconv.AppendInt(dst, int64(i), 10) }

// String returns i in decimal.
func (i Int) String() string { return string(i.appendTo(nil)) }

func (f Bits32) appendTo(dst []byte) []byte { return appendBits(append(dst, "0f"...), uint64(f), 8) }

// String returns f as PTX writes it.
func (f Bits32) String() string { return string(f.appendTo(nil)) }

func (f Bits64) appendTo(dst []byte) []byte { return appendBits(append(dst, "0d"...), uint64(f), 16) }

// String returns f as PTX writes it.
func (f Bits64) String() string { return string(f.appendTo(nil)) }

// appendBits appends the lowest hexadecimal digits of v.
func appendBits(dst []byte, v uint64, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789ABCDEF"[v>>shift&15])
	}
	return dst
}

// appendOffset appends an offset as nvcc writes it: -8 becomes +-8.
func appendOffset(dst []byte, offset int64) []byte {
	return strconv.AppendInt(append(dst, '+'), offset, 10)
}

func (s Sym) appendTo(dst []byte) []byte {
	if s.Mask != 0 {
		dst = strconv.AppendUint(append(dst, "0x"...), s.Mask, 16)
		dst = append(dst, '(')
	}
	if s.Generic {
		dst = append(append(append(dst, "generic("...), s.Name...), ')')
	} else {
		dst = append(dst, s.Name...)
	}
	if s.Offset != 0 {
		dst = appendOffset(dst, s.Offset)
	}
	if s.Mask != 0 {
		dst = append(dst, ')')
	}
	return dst
}

// String returns the text of s.
func (s Sym) String() string { return string(s.appendTo(nil)) }

func (e Elem) appendTo(dst []byte) []byte {
	return Addr{Base: e.Index, Offset: e.Offset}.appendTo(append(dst, e.Array...))
}

// String returns the text of e.
func (e Elem) String() string { return string(e.appendTo(nil)) }

func (a Addr) appendTo(dst []byte) []byte {
	dst = append(dst, '[')
	if a.Base != nil {
		dst = a.Base.appendTo(dst)
	}
	if a.Offset != 0 {
		dst = appendOffset(dst, a.Offset)
	}
	for _, x := range a.Args {
		dst = x.appendTo(append(dst, ", "...))
	}
	return append(dst, ']')
}

// String returns the text of a.
func (a Addr) String() string { return string(a.appendTo(nil)) }

func (v Vec) appendTo(dst []byte) []byte { return append(appendList(append(dst, '{'), v), '}') }

// String returns the text of v.
func (v Vec) String() string { return string(v.appendTo(nil)) }

func (a Args) appendTo(dst []byte) []byte { return append(appendList(append(dst, '('), a), ')') }

// String returns the text of a.
func (a Args) String() string { return string(a.appendTo(nil)) }

func appendList(dst []byte, list []Operand) []byte {
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = x.appendTo(dst)
	}
	return dst
}

func (p Pair) appendTo(dst []byte) []byte {
	return append(append(append(dst, p.First...), '|'), p.Second...)
}

// String returns the text of p.
func (p Pair) String() string { return string(p.appendTo(nil)) }

func (u Unary) appendTo(dst []byte) []byte { return append(append(dst, u.Op), u.X...) }

// String returns the text of u.
func (u Unary) String() string { return string(u.appendTo(nil)) }

func (f Field) appendTo(dst []byte) []byte {
	return append(append(append(dst, f.Name...), " = "...), f.Value...)
}

// String returns the text of f.
func (f Field) String() string { return string(f.appendTo(nil)) }
