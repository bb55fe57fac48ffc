package tmem

import (
	"strings"

	"girih/cute"
)

// A Fill is a tcgen05.cp, which copies rows of shared memory to lanes of tensor memory (PTX ISA, tcgen05.cp; CuTe's
// SM100_UTCCP):
//
//	128x256b              128 rows of 256 bits
//	128x128b              128 rows of 128 bits
//	4x256b                4 rows of 256 bits, to the lanes 0, 32, 64 and 96
//	64x128b.warpx2::02_13 64 rows of 128 bits, twice: 32 rows to warps 0 and 2, 32 to 1 and 3
//	64x128b.warpx2::01_23 64 rows of 128 bits, twice: 32 rows to warps 0 and 1, 32 to 2 and 3
//	32x128b.warpx4        32 rows of 128 bits, to the lanes of all four warps
//
// With cta_group::2 each CTA of the pair fills its own tensor memory in the same way.
type Fill struct {
	name   string
	rows   int64
	bits   int64  // of a row
	lanes  string // the layout row -> lane
	copies string // the layout copy -> lane
}

var fills = []Fill{
	{"128x256b", 128, 256, "128:1", "1:0"},
	{"128x128b", 128, 128, "128:1", "1:0"},
	{"4x256b", 4, 256, "4:32", "1:0"},
	{"64x128b.warpx2::02_13", 64, 128, "64:1", "2:64"},
	{"64x128b.warpx2::01_23", 64, 128, "(32,2):(1,64)", "2:32"},
	{"32x128b.warpx4", 32, 128, "32:1", "4:32"},
}

// FindFill returns the tcgen05.cp of a shape, with its multicast, as PTX names them. It returns [cute.CodeName] for
// others.
func FindFill(name string) (Fill, error) {
	names := make([]string, len(fills))
	for i, f := range fills {
		if f.name == name {
			return f, nil
		}
		names[i] = f.name
	}
	return Fill{}, withHint(fail(cute.CodeName, "unknown shape %q of tcgen05.cp", name), "the shapes are %s",
		strings.Join(names, ", "))
}

// String returns the shape and the multicast.
func (f Fill) String() string { return f.name }

// Rows returns the number of rows of shared memory.
func (f Fill) Rows() int64 { return f.rows }

// RowBits returns the width of a row, in bits.
func (f Fill) RowBits() int64 { return f.bits }

// Layout returns the layout (row, value of the row, copy) -> offset from the address of the instruction, for values
// of a width in bits, in units of values: a lane is 65536·32/bits values, a column 32/bits. It returns
// [cute.CodeNotDivisible] unless bits divides 32, and [cute.CodeMode] for the zero Fill.
func (f Fill) Layout(bits int64) (cute.Layout, error) {
	if f.rows == 0 {
		return cute.Layout{}, fail(cute.CodeMode, "expected a shape of tcgen05.cp, found the zero Fill")
	}
	if bits < 1 || bits > ColumnBits || ColumnBits%bits != 0 {
		return cute.Layout{}, fail(cute.CodeNotDivisible, "expected values whose width divides %d bits, found %d bits",
			ColumnBits, bits)
	}
	lane := parse("%d:%d", int64(Lanes), laneStride*ColumnBits/bits)
	rows, err := cute.Composition(lane, cute.MustParse(f.lanes))
	if err != nil {
		return cute.Layout{}, err
	}
	copies, err := cute.Composition(lane, cute.MustParse(f.copies))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.MakeLayout(rows, parse("%d:1", f.bits/bits), copies)
}
