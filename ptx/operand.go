package ptx

import (
	"math"
	"strings"
)

// Operand is an operand of an instruction, or a value in an initialiser: [Name], [Int], [Bits32], [Bits64], [Sym],
// [Elem], [Addr], [Vec], [Args], [Pair], [Unary], [Field] (PTX ISA 6).
type Operand interface {
	Node
	appendTo(dst []byte) []byte
}

// Name is an identifier (PTX ISA 4.4) of a register, variable, label or function. Only its declaration tells which:
// PTX spells all identifiers alike. A component or part follows a dot, as in "%tid.x", "v.y" and "r1.b0". "_" is the
// sink.
type Name string

// Sink is the operand that discards a result.
const Sink Name = "_"

// Int is a 64-bit integer. PTX computes constants in 64 bits and uses the low bits, so 0xffffffffffffffff also
// has the value -1.
type Int int64

// Bits32 contains the bits of a .f32 constant, which PTX writes as 0f3F800000.
type Bits32 uint32

// Float returns the value of f.
func (f Bits32) Float() float32 { return math.Float32frombits(uint32(f)) }

// Bits64 contains the bits of a .f64 constant, which PTX writes as 0d3FF0000000000000, or in decimal.
type Bits64 uint64

// Float returns the value of f.
func (f Bits64) Float() float64 { return math.Float64frombits(uint64(f)) }

// Sym is the address of a variable or function, known to the linker: name+offset or generic(name)+offset. An
// initialiser may select a byte of it, 0xff00(name) (PTX ISA 5.4.4). If only Name is set, the parser returns a [Name].
type Sym struct {
	Name    Name
	Offset  int64
	Generic bool
	Mask    uint64 // selects a byte of the address; 0 for the whole address
}

// Elem is an element of an array, name[index+offset], where index is a [Name] or an [Int] (PTX ISA 6.4.2).
type Elem struct {
	Array  Name
	Index  Operand
	Offset int64 // 0 if the index is an Int
}

// Addr is an operand in brackets: an address in memory (PTX ISA 6.4.1), or a tensor map, texture or surface with
// coordinates, as in [map, {x, y}].
type Addr struct {
	Base   Operand // a [Name] or an [Int]
	Offset int64   // the offset in bytes; 0 if Base is an Int
	Args   []Operand
}

// Vec is a list in braces: the elements of a vector (PTX ISA 6.4.3) or fragment, or the values of an array.
type Vec []Operand

// Args is a list in parentheses, used in calls (PTX ISA 7.1).
type Args []Operand

// Pair is a pair of destinations, p|q.
type Pair struct{ First, Second Name }

// Unary is a register with an operator before it: '!' for a predicate, or '-' for an operand of video instructions.
type Unary struct {
	Op byte
	X  Name
}

// Not returns the operand !p.
func Not(p Name) Unary { return Unary{'!', p} }

// Field is a field of an opaque type and its value, in an initialiser (PTX ISA 5.3).
type Field struct{ Name, Value Name }

// Base returns n without its component or part.
func (n Name) Base() Name {
	base, _, _ := strings.Cut(string(n), ".")
	return Name(base)
}

// Part returns the text after the dot in n, such as "x" for "%tid.x", or "" without a dot.
func (n Name) Part() string {
	_, part, _ := strings.Cut(string(n), ".")
	return part
}
