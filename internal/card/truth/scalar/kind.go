package scalar

import (
	"strings"

	"girih/ptx"
)

// A kind describes an operand and how its values are drawn. It is a type of PTX, or one of:
//
//	u8x4 u16x2        bytes and halves of a register
//	shift pos sel     a count of bits, a position or length of a field, a selector of bytes
//	lane clamp        a lane or a distance, and the bounds of a shuffle
//	mask all          lanes that take part: some, or all of the warp
//	lut               a constant of 8 bits
//	v32 n32 nv32 vshift m32 h2 b4 mh2 mb4   operands of video instructions
//
// A suffix after a colon narrows the choice: f32:f16 is near the middle between two numbers of .f16; T:wide may have a
// wider register; T:own has a register of 8 bits for a type of 8 bits; :oob is often the NaN of elements outside a
// tensor; :few has few values in a warp, :same often one. A :divisor is always loaded. Braces enclose a vector, a bar
// joins two destinations.
type kind string

// parts splits a kind at its colon.
func (k kind) parts() (base, how string) {
	base, how, _ = strings.Cut(string(k), ":")
	return base, how
}

// list returns the elements of a vector, or nil.
func (k kind) list() []kind {
	text, ok := strings.CutPrefix(string(k), "{")
	if !ok {
		return nil
	}
	var all []kind
	for _, e := range strings.Split(strings.TrimSuffix(text, "}"), ",") {
		all = append(all, kind(e))
	}
	return all
}

// bits returns the width of the values of a kind; 1 for a predicate.
func (k kind) bits() int {
	base, _ := k.parts()
	if n := ptx.Type(base).Bits(); n != 0 {
		return n
	}
	return 32
}

// A numeral is a format of floating-point numbers: bits of the exponent and of the mantissa.
type numeral struct{ exp, man int }

var numerals = map[string]numeral{
	"f16": {5, 10}, "bf16": {8, 7}, "f32": {8, 23}, "f64": {11, 52}, "tf32": {8, 10},
	"e4m3": {4, 3}, "e5m2": {5, 2}, "e2m3": {2, 3}, "e3m2": {3, 2}, "e2m1": {2, 1},
}

// single returns the type of one element of a packed type, and how many there are.
func single(t string) (string, int) {
	if base, ok := strings.CutSuffix(t, "x2"); ok {
		return base, 2
	}
	if base, ok := strings.CutSuffix(t, "x4"); ok {
		return base, 4
	}
	return t, 1
}

// immediate reports whether an operand of the kind may be a constant.
func (k kind) immediate() bool {
	switch k {
	case "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64", "shift", "pos", "sel", "lane":
		return true
	}
	return false
}

// hasType reports whether an operand may be the result of an earlier instruction, which can have any value.
func (k kind) hasType() bool {
	base, how := k.parts()
	return how == "" && (ptx.Type(base).Bits() != 0 || base == "u8x4" || base == "u16x2") || how == "wide"
}
