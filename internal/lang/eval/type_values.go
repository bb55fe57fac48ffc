package eval

import (
	"slices"
	"strings"

	"girih/dtype"
)

// This file has types of elements, members of enumerations, and copy operations without a type as values. Programs bind
// them to names:
//
//	dtype = cutlass.Float16
//	major = OperandMajorMode.K
//	op = cute.nvgpu.CopyUniversalOp()

// The kinds of these values.
const (
	KindElementType Kind = "type"
	KindCopyOp      Kind = "copy_op"
	KindMember      Kind = "member"
)

// An ElementType is a type of elements, such as Float16.
type ElementType struct{ dtype.Type }

func (ElementType) value() {}

// Kind returns [KindElementType].
func (ElementType) Kind() Kind { return KindElementType }

// String returns the name in the CuTe DSL, or else in CUTLASS.
func (t ElementType) String() string {
	if name := t.DSL(); name != "" {
		return name
	}
	return t.CPP()
}

// typeNamed returns the type with a name of the CuTe DSL, or of CUTLASS if the DSL has no name for it, such as uint1_t.
// Other types of C++ are not values: they are arguments of templates.
func typeNamed(name string) (ElementType, bool) {
	t, err := dtype.Parse(name)
	of := ElementType{t}
	return of, err == nil && name == of.String()
}

// A Member is a member of an enumeration of the CuTe DSL, such as LayoutEnum.ROW_MAJOR.
type Member struct{ class, word string }

func (Member) value() {}

// Kind returns [KindMember].
func (Member) Kind() Kind { return KindMember }

// String returns the call that makes the member: LayoutEnum(ROW_MAJOR).
func (m Member) String() string { return m.class + "(" + m.word + ")" }

// Enumerations returns the members of the enumerations of the CuTe DSL by their class.
//
//go:noinline
func Enumerations() map[string][]string {
	return map[string][]string{
		"LayoutEnum":       {rowMajor, colMajor},
		"OperandMajorMode": {"K", "MN"},
		"OperandSource":    {"SMEM", "RMEM", "TMEM"},
		"CtaGroup":         {"ONE", "TWO"},
		"LoadCacheMode":    {"ALWAYS", "GLOBAL", "STREAMING", "LAST_USE", "NONE"},
		"Repetition":       {"x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"},
		"Pack":             {"NONE", "PACK_16b_IN_32b"},
		"Unpack":           {"NONE", "UNPACK_32b_IN_16b"},
		"MmaIntOverflow":   {"WRAP", "SATURATE"},
		"SmemLayoutAtomKind": {
			"K_SW128", "K_SW64", "K_SW32", "K_INTER", "MN_SW128", "MN_SW64", "MN_SW32", "MN_INTER", "MN_SW128_32B",
		},
	}
}

// enumerationRows make members of enumerations.
func enumerationRows() []Builtin {
	var rows []Builtin
	for class, words := range Enumerations() {
		rows = append(rows, Builtin{
			Name: class, Params: "member", named: []int{0}, inModule: true,
			Doc: "Returns a member of an enumeration of the CuTe DSL, which writes " + class + "." + words[0] + ": " +
				strings.Join(words, ", ") + ".",
			Example: class + "(" + words[0] + ")", Output: class + "(" + words[0] + ")",
			known: func(c *call) (Value, error) {
				name, err := c.name(0)
				if err != nil || !slices.Contains(words, name) {
					return nil, c.bad(0, "one of "+strings.Join(words, ", "))
				}
				return Member{class, name}, nil
			},
		})
	}
	return rows
}

// A CopyOp is a copy operation of the CuTe DSL: make_copy_atom makes an instruction of it, a type and, for some, a
// number of bits.
type CopyOp struct {
	text string // the text in the source, such as CopyUniversalOp()
	// name is the name of the instruction in CUTLASS. A * is replaced by the type with the number of bits.
	name string
}

func (CopyOp) value() {}

// Kind returns [KindCopyOp].
func (CopyOp) Kind() Kind { return KindCopyOp }

// String returns CopyUniversalOp().
func (o CopyOp) String() string { return o.text }
