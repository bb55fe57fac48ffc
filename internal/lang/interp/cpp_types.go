package interp

import "strings"

// This file describes the types of numbers of C++ on 64-bit Linux, where int has 32 bits and long has 64.

// A ctypeInfo says what a type of numbers is. The rank orders the types of integers.
type ctypeInfo struct {
	name   string
	bits   uint // 0 for a type that is not one of integers
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

// unsigned returns the unsigned type of the same size.
func (t CType) unsigned() CType {
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

// cTypeOf returns the type of numbers with a name: int, unsigned long long, std::uint32_t. The words of a type may be
// in any order.
func cTypeOf(name string) (CType, bool) {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "std::"), "cute::")
	if t, ok := cNames[name]; ok {
		return t, true
	}
	count := map[string]int{}
	for word := range strings.FieldsSeq(name) {
		count[word]++
	}
	sign, unsigned := count["signed"], count["unsigned"]
	long, short, char := count["long"], count["short"], count["char"]
	words := sign + unsigned + long + short + char + count["int"]
	if words == 0 || words != len(strings.Fields(name)) || sign+unsigned > 1 || long > 2 || short > 1 || char > 1 ||
		count["int"] > 1 || char > 0 && long+short+count["int"] > 0 || short > 0 && long > 0 {
		return CNone, false
	}
	t := CIntType
	switch {
	case char > 0 && sign > 0:
		return CSChar, true
	case char > 0:
		t = CChar
	case short > 0:
		t = CShort
	case long == 1:
		t = CLong
	case long == 2:
		t = CLongLong
	}
	if unsigned > 0 {
		t = t.unsigned()
	}
	return t, true
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
	// The rank of b is not higher. Only an unsigned b of the size of a changes the type: long long and unsigned long.
	if ctypes[a].signed && !ctypes[b].signed && ctypes[a].bits == ctypes[b].bits {
		return a.unsigned()
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
