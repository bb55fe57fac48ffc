package ptx

import (
	"math"
	"strings"
)

// Operand is what an instruction works on, or a value of an initialiser: [Name], [Int], [Bits32], [Bits64], [Sym],
// [Elem], [Addr], [Vec], [Args], [Pair], [Unary], [Field] (PTX ISA 6).
type Operand interface {
	Node
	appendTo(dst []byte) []byte
}

// Name is an identifier (PTX ISA 4.4): a register, variable, label or function. PTX has one grammar for all of these;
// only their declarations tell them apart. A component or part follows a dot: "%tid.x", "v.y", "r1.b0". "_" is the
// sink.
type Name string

// Sink is the operand that discards a result.
const Sink Name = "_"

// Int is a 64-bit integer. PTX computes constants in 64 bits and uses their low bits, so -1 is also the value of
// 0xffffffffffffffff.
type Int int64

// Bits32 is the bits of a constant of type .f32, which PTX writes as 0f3F800000.
type Bits32 uint32

// Float32 returns the constant of value v.
func Float32(v float32) Bits32 { return Bits32(math.Float32bits(v)) }

// Float returns the value of f.
func (f Bits32) Float() float32 { return math.Float32frombits(uint32(f)) }

// Bits64 is the bits of a constant of type .f64, which PTX writes as 0d3FF0000000000000, or in decimal.
type Bits64 uint64

// Float64 returns the constant of value v.
func Float64(v float64) Bits64 { return Bits64(math.Float64bits(v)) }

// Float returns the value of f.
func (f Bits64) Float() float64 { return math.Float64frombits(uint64(f)) }

// Sym is an address of a variable or function that the linker knows: name+offset, generic(name)+offset, and a byte of
// either in an initialiser, 0xff00(name) (PTX ISA 5.4.4). The parser returns a [Name] if there is only Name.
type Sym struct {
	Name    Name
	Offset  int64
	Generic bool
	Mask    uint64 // selects the byte of the address; 0 for all of it
}

// Elem is an element of an array, name[index+offset], index being a [Name] or an [Int] (PTX ISA 6.4.2).
type Elem struct {
	Array  Name
	Index  Operand
	Offset int64 // 0 after an Int
}

// Addr is an operand in brackets: an address in memory (PTX ISA 6.4.1), or a tensor map, texture or surface with
// coordinates: [map, {x, y}].
type Addr struct {
	Base   Operand // a [Name] or an [Int]
	Offset int64   // in bytes; 0 after an Int
	Args   []Operand
}

// Vec is a list between braces: the elements of a vector (PTX ISA 6.4.3), fragments, the values of an array.
type Vec []Operand

// Args is a list between parentheses, of a call (PTX ISA 7.1).
type Args []Operand

// Pair is two destinations, p|q.
type Pair struct{ First, Second Name }

// Unary is a register with an operator before it: '!' for a predicate, '-' for an operand of video instructions.
type Unary struct {
	Op byte
	X  Name
}

// Not returns the operand !p.
func Not(p Name) Unary { return Unary{'!', p} }

// Field is a field of an opaque type with its value, in an initialiser (PTX ISA 5.3).
type Field struct{ Name, Value Name }

// Base returns n without its component or part.
func (n Name) Base() Name {
	base, _, _ := strings.Cut(string(n), ".")
	return Name(base)
}

// Part returns what follows the dot in n, "x" of "%tid.x", or "".
func (n Name) Part() string {
	_, part, _ := strings.Cut(string(n), ".")
	return part
}
