package interp

import (
	"slices"
	"strings"
)

// This file describes the types of numbers of C++ on 64-bit Linux, where int has 32 bits and long has 64.

// A ctypeInfo describes a type of numbers. The rank orders the integer types.
type ctypeInfo struct {
	name   string
	bits   uint // 0 for a floating-point type
	signed bool
	rank   int
}

var ctypes = [...]ctypeInfo{
	CNone:      {name: "no number"},
	CBool:      {"bool", 1, false, 0},
	CChar:      {"char", 8, true, 1},
	CSChar:     {"signed char", 8, true, 1},
	CUChar:     {"unsigned char", 8, false, 1},
	CShort:     {"short", 16, true, 2},
	CUShort:    {"unsigned short", 16, false, 2},
	CIntType:   {"int", 32, true, 3},
	CUInt:      {"unsigned int", 32, false, 3},
	CLong:      {"long", 64, true, 4},
	CULong:     {"unsigned long", 64, false, 4},
	CLongLong:  {"long long", 64, true, 5},
	CULongLong: {"unsigned long long", 64, false, 5},
	CSingle:    {name: "float"},
	CDouble:    {name: "double"},
}

// cppTypeName returns the name of a type of numbers.
func cppTypeName(t CType) string { return ctypes[t].name }

func (t CType) isInteger() bool { return ctypes[t].bits > 0 }

// withoutSign returns the unsigned type of the same size.
func (t CType) withoutSign() CType {
	switch t {
	case CChar, CSChar:
		return CUChar
	case CShort, CIntType, CLong, CLongLong:
		return t + 1
	}
	return t
}

// cNames are the names of types in the standard library.
var cNames = map[string]CType{
	"size_t": CULong, "ssize_t": CLong, "ptrdiff_t": CLong, "intptr_t": CLong, "uintptr_t": CULong,
	"intmax_t": CLong, "uintmax_t": CULong,
	"int8_t": CSChar, "uint8_t": CUChar, "int16_t": CShort, "uint16_t": CUShort, "int32_t": CIntType, "uint32_t": CUInt,
	"int64_t": CLong, "uint64_t": CULong, "uint": CUInt, "ushort": CUShort, "uchar": CUChar, "ulong": CULong,
	"wchar_t": CIntType, "char8_t": CUChar, "char16_t": CUShort, "char32_t": CUInt, "byte": CUChar,
	"bool": CBool, "float": CSingle, "double": CDouble, "float32_t": CSingle, "float64_t": CDouble,
}

// cWords maps the words of an integer type, sorted and without int and signed, to the type.
var cWords = map[string]CType{
	"": CIntType, "unsigned": CUInt, "char": CChar, "char signed": CSChar, "char unsigned": CUChar, "short": CShort,
	"short unsigned": CUShort, "long": CLong, "long unsigned": CULong, "long long": CLongLong,
	"long long unsigned": CULongLong,
}

// cTypeOf returns the type of numbers with a given name, such as int, unsigned long long or std::uint32_t. The words of
// a type may be in any order.
func cTypeOf(name string) (CType, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "std::"), "cute::")
	if t, ok := cNames[name]; ok {
		return t, true
	}
	words := strings.Fields(name)
	isChar := slices.Contains(words, "char")
	rest := slices.DeleteFunc(slices.Sorted(slices.Values(words)), func(w string) bool {
		return w == "int" || w == "signed" && !isChar
	})
	t, ok := cWords[strings.Join(rest, " ")]
	return t, ok && len(words) > 0 && len(words) <= len(rest)+2
}

// cppPromoted returns the type to which an operand is converted before arithmetic: at least int.
func cppPromoted(t CType) CType {
	if t.isInteger() && ctypes[t].rank < ctypes[CIntType].rank {
		return CIntType
	}
	return t
}

// cppCommon returns the type in which a and b are added: the usual arithmetic conversions.
func cppCommon(a, b CType) CType {
	for _, t := range []CType{CDouble, CSingle} {
		if a == t || b == t {
			return t
		}
	}
	a, b = cppPromoted(a), cppPromoted(b)
	if ctypes[a].rank < ctypes[b].rank {
		a, b = b, a
	}
	// The rank of b is not higher than the rank of a. Only an unsigned b of the same size changes the type, as for long
	// long and unsigned long.
	if ctypes[a].signed && !ctypes[b].signed && ctypes[a].bits == ctypes[b].bits {
		return a.withoutSign()
	}
	return a
}

// cppChoice returns the type of C ? A : B.
func cppChoice(a, b CType) CType {
	if a == b {
		return a
	}
	return cppCommon(a, b)
}

// typeOfNumber returns the type of a number of C++, or CNone.
func typeOfNumber(v Value) CType {
	switch v := v.(type) {
	case CInt:
		return v.Type
	case CFloat:
		if v.Single {
			return CSingle
		}
		return CDouble
	}
	return CNone
}

// size returns sizeof a type of numbers.
func (t CType) size() uint64 {
	switch t {
	case CBool:
		return 1
	case CSingle:
		return 4
	case CDouble:
		return 8
	}
	return uint64(ctypes[t].bits / 8)
}
