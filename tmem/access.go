package tmem

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// An Access is a tcgen05.ld, or a tcgen05.st if Store is set: one warp moves a part of its lanes to or from
// registers.
//
//	Shape      lanes  columns (x1)  registers (x1)  Repeat up to
//	32x32b     32     1             1               128
//	16x64b     16     2             1               128
//	16x128b    16     4             2               64
//	16x256b    16     8             4               32
//	16x32bx2   16     1 + 1         1               128
//
// Columns and registers grow with Repeat (PTX ISA 9.7.16.2.3; the maps are CuTe's, from package
// atom). With Packed, .pack::16b of tcgen05.ld or .unpack::16b of tcgen05.st, a register holds the lower 16 bits of
// two adjacent columns, so there are twice as many columns.
type Access struct {
	Shape  string // in PTX
	Repeat int64  // 1, 2, 4, ...: .x1 to .x128
	Packed bool
	Store  bool
	// Split is immHalfSplitoff of 16x32bx2: the column at which the second half begins. 0 means after the first half.
	Split int64
}

// accessShapes maps a shape of PTX to CuTe's.
var accessShapes = map[string]struct {
	cute  string
	lanes int64
	bits  int64 // of a lane for x1
}{
	"32x32b":   {"32dp32b", 32, 32},
	"16x64b":   {"16dp64b", 16, 64},
	"16x128b":  {"16dp128b", 16, 128},
	"16x256b":  {"16dp256b", 16, 256},
	"16x32bx2": {"16dp32b", 16, 64},
}

// String returns the instruction without its operands.
func (a Access) String() string {
	name, pack := "ld", ".pack"
	if a.Store {
		name, pack = "st", ".unpack"
	}
	if !a.Packed {
		pack = ""
	} else {
		pack += "::16b"
	}
	return fmt.Sprintf("tcgen05.%s.sync.aligned.%s.x%d%s.b32", name, a.Shape, a.Repeat, pack)
}

// AccessOf returns a copy of tensor memory as an Access. It returns [cute.CodeName] for other copies.
func AccessOf(c atom.Copy) (Access, error) {
	opcode, _, _ := strings.Cut(c.Text, " ")
	return ParseAccess(opcode)
}

// ParseAccess reads an instruction: its name in PTX, or a shape and what follows it, such as 16x256b.x4 or
// 32x32b.x16.pack::16b. It is a load unless the text says tcgen05.st or unpack::16b. It returns [cute.CodeName] for
// other words, and for instructions that PTX does not have.
func ParseAccess(text string) (Access, error) {
	a := Access{Repeat: 1}
	for word := range strings.SplitSeq(strings.TrimSpace(text), ".") {
		n, isCount := strings.CutPrefix(word, "x")
		repeat, err := strconv.ParseInt(n, 10, 64)
		_, isShape := accessShapes[word]
		switch {
		case isShape:
			a.Shape = word
		case isCount && err == nil:
			a.Repeat = repeat
		case word == "pack::16b":
			a.Packed = true
		case word == "unpack::16b":
			a.Packed, a.Store = true, true
		case word == "st":
			a.Store = true
		case !slices.Contains([]string{"tcgen05", "ld", "sync", "aligned", "b32"}, word):
			return Access{}, withHint(fail(cute.CodeName, "unknown word %.40q of tcgen05.ld and tcgen05.st", word),
				"an example is 16x256b.x4.pack::16b")
		}
	}
	if _, err := a.Operation(); err != nil {
		return Access{}, err
	}
	return a, nil
}

// Operation returns the instruction as a copy operation of package atom. It returns [cute.CodeName] if PTX does not
// have the shape or the number of repetitions, and [cute.CodeMode] for a Split that no column has, or of another
// shape.
func (a Access) Operation() (atom.Copy, error) {
	s, ok := accessShapes[a.Shape]
	if !ok {
		return atom.Copy{}, withHint(fail(cute.CodeName, "unknown shape %q of tcgen05.ld and tcgen05.st", a.Shape),
			"the shapes are 32x32b, 16x64b, 16x128b, 16x256b and 16x32bx2")
	}
	if a.Split < 0 || a.Split >= Columns || a.Split != 0 && a.Shape != "16x32bx2" {
		return atom.Copy{}, fail(cute.CodeMode, "expected a column below %d for the second half of 16x32bx2, found %d for %s",
			Columns, a.Split, a.Shape)
	}
	direction, suffix := "LOAD", ""
	if a.Store {
		direction = "STORE"
	}
	if a.Packed {
		suffix = "_16b"
	}
	c, err := atom.FindCopy(fmt.Sprintf("SM100_TMEM_%s_%s%dx%s", direction, s.cute, a.Repeat, suffix))
	if err != nil {
		return c, withHint(fail(cute.CodeName, "PTX has no %v", a), "repetitions are 1, 2, 4, ... up to %d",
			min(128, 8192/s.bits))
	}
	return c, nil
}

// Lanes returns the number of lanes, 16 or 32, and 0 if there is no such instruction.
func (a Access) Lanes() int64 { return accessShapes[a.Shape].lanes }

// Columns returns the number of columns, without those between the halves of 16x32bx2.
func (a Access) Columns() int64 {
	bits := accessShapes[a.Shape].bits * a.Repeat
	if a.Packed {
		return bits / 16
	}
	return bits / ColumnBits
}

// Registers returns the number of registers of each thread.
func (a Access) Registers() int64 {
	s := accessShapes[a.Shape]
	return s.lanes * s.bits * a.Repeat / WarpLanes / ColumnBits
}

// valueWidth checks the width of the values of a layout.
func (a Access) valueWidth(bits int64) error {
	most := int64(ColumnBits)
	if a.Packed {
		most = 16
	}
	if bits < 1 || bits > most || most%bits != 0 {
		return fail(cute.CodeNotDivisible, "expected values whose width divides %d bits for %v, found %d bits", most, a, bits)
	}
	return nil
}

// memory returns the layout from the number of a bit that the instruction moves to its address in bits: bits are
// counted along a lane, then by lanes (CuTe's ValID).
func (a Access) memory() cute.Layout {
	s := accessShapes[a.Shape]
	row := s.bits * a.Repeat
	inColumn := int64(ColumnBits)
	if a.Packed {
		inColumn = 16
	}
	split := a.Split
	parts := int64(1)
	if split != 0 {
		parts = 2
	}
	return parse("((%d,%d,%d),%d):((1,32,%d),%d)", inColumn, row/inColumn/parts, parts, s.lanes,
		split*ColumnBits, laneStride*ColumnBits)
}

// ThreadValue returns the layout (thread of the warp, value) -> offset from the address of the instruction, for
// values of a width in bits, in units of values: a lane is 65536·32/bits values, a column 32/bits. Values are
// numbered from the lowest bits of register 0.
//
// It returns the errors of [Access.Operation] and [cute.CodeNotDivisible] unless bits divides 32, or 16 with Packed.
func (a Access) ThreadValue(bits int64) (cute.Layout, error) {
	c, err := a.Operation()
	if err != nil {
		return cute.Layout{}, err
	}
	if err := a.valueWidth(bits); err != nil {
		return cute.Layout{}, err
	}
	registers := c.Dst
	if a.Store {
		registers = c.Src
	}
	if registers, err = cute.Upcast(registers, bits); err != nil {
		return cute.Layout{}, err
	}
	memory, err := cute.Upcast(a.memory(), bits)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.Composition(memory, registers)
}

// TiledCopy returns the copy of a tensor by the four warps that reach it: CuTe's make_tmem_copy. Thread t of the copy
// is thread t mod 32 of the warp that reaches the lanes from 32·(t div 32).
//
// It returns the errors of [Access.ThreadValue] and [atom.MakeCotiledCopy]: [cute.CodeNotInvertible] for an
// instruction that reaches a place outside the tensor.
func (a Access) TiledCopy(t Tensor) (atom.TiledCopy, error) {
	if err := a.valueWidth(t.bits); err != nil {
		return atom.TiledCopy{}, err
	}
	data, err := t.Layout()
	if err != nil {
		return atom.TiledCopy{}, err
	}
	return a.TiledCopyOf(data, t.bits)
}

// TiledCopyOf is [Access.TiledCopy] for a part of a tensor: the layout of its elements, as [Tensor.Layout] returns it,
// and their width in bits.
func (a Access) TiledCopyOf(data cute.Layout, bits int64) (atom.TiledCopy, error) {
	c, err := a.Operation()
	if err != nil {
		return atom.TiledCopy{}, err
	}
	if err := a.valueWidth(bits); err != nil {
		return atom.TiledCopy{}, err
	}
	values, err := atom.MakeCopyAtom(c, map[int64]dtype.Type{
		32: dtype.B32, 16: dtype.B16, 8: dtype.B8, 4: dtype.B4, 2: dtype.B2, 1: dtype.B1,
	}[bits])
	if err != nil {
		return atom.TiledCopy{}, err
	}
	memory, err := cute.Upcast(a.memory(), bits)
	if err != nil {
		return atom.TiledCopy{}, err
	}
	addresses, err := cute.MakeLayout(parse("(32,4):(0,%d)", WarpLanes*laneStride*ColumnBits/bits), cute.Coalesce(memory))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	return atom.MakeCotiledCopy(values, addresses, data)
}
