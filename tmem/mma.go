package tmem

import (
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
)

// A DataPath is one of the layouts of the PTX ISA's "Data path layout organization" (9.7.16.10.5): how the rows of an
// accumulator are spread over the lanes of one CTA.
//
//	   M    instruction               lanes
//	A  256  cta_group::2              row m in lane m, 128 rows in each CTA
//	B  128  cta_group::2, dense A     64 rows in each CTA: columns n < N/2 in lanes 0-63, the others in lanes 64-127
//	C  128  cta_group::2, sparse A    64 rows in each CTA: 16 in the first 16 lanes of each warp
//	D  128  cta_group::1, .ws or not  row m in lane m
//	E  64   .ws                       as B
//	F  64   cta_group::1              as C
//	G  32   .ws                       a quarter of the columns in the lanes of each warp
//
// CuTe's fragments are the same (tmem_frg, tmem_frg_ws), except that CuTe gives layout B to a sparse A with M 128 and
// cta_group::2. The package follows the PTX ISA, as TVM's tmem_datapath_layout does.
type DataPath uint8

// The data paths.
const (
	DataPathA DataPath = iota + 1
	DataPathB
	DataPathC
	DataPathD
	DataPathE
	DataPathF
	DataPathG
)

// halfLanes are the groups of 16 lanes of layouts C and F at lane 0: bits 0, 2, 4 and 6.
const halfLanes = 0b01010101

// String returns the letter of the PTX ISA.
func (d DataPath) String() string {
	if d < DataPathA || d > DataPathG {
		return "?"
	}
	return string(rune('A' + d - 1))
}

// DataPathOf returns the data path of an instruction. It returns the errors of [descriptor.Instruction.Check].
func DataPathOf(i descriptor.Instruction) (DataPath, error) {
	if err := i.Check(); err != nil {
		return 0, err
	}
	switch {
	case i.M == 256:
		return DataPathA, nil
	case i.M == 128 && i.CTAs() == 2 && i.Sparse:
		return DataPathC, nil
	case i.M == 128 && i.CTAs() == 2:
		return DataPathB, nil
	case i.M == 128:
		return DataPathD, nil
	case i.M == 64 && i.WS:
		return DataPathE, nil
	case i.M == 64:
		return DataPathF, nil
	}
	return DataPathG, nil
}

// virtual returns the layout of the rows of one CTA by n columns.
func (d DataPath) virtual(n int64) cute.Layout {
	switch d {
	case DataPathB, DataPathE:
		return parse("(64,(%d,2)):(1,(128,64))", n/2)
	case DataPathC, DataPathF:
		return parse("((16,4),%d):((1,32),128)", n)
	case DataPathG:
		return parse("(32,(%d,4)):(1,(128,32))", n/4)
	}
	return parse("(128,%d):(1,128)", n)
}

// Accumulator returns the matrix D of an instruction, (m,n), of one CTA: M rows, or M/2 with cta_group::2, by N
// columns. Each element has a column of 32 bits for itself; an f16 is in the lower half. It begins at lane 0 and
// column 0; [Tensor.Move] puts it elsewhere, also to lane 16 for the data paths C and F.
//
// It returns the errors of [descriptor.Instruction.Check].
func Accumulator(i descriptor.Instruction) (Tensor, error) {
	d, err := DataPathOf(i)
	if err != nil {
		return Tensor{}, err
	}
	return newTensor(d.virtual(i.N), int64(i.D.Bits()), ColumnBits)
}

// OperandA returns a matrix A in tensor memory, (m,k), of one CTA and k stored elements (half of K for a sparse A).
// Elements are packed along the columns; an element of f8f6f4 or mxf8f6f4 has 8 bits, whatever its type. With data
// path B there are 128 rows: row m+64 must hold a copy of row m, for the lanes of the other half of the columns of D
// (CuTe's TmemAllocMode::Duplicated).
//
// It returns the errors of [descriptor.Instruction.Check], [cute.CodeExtent] unless k is positive, [cute.CodeMode] if
// k elements need more than 512 columns, [cute.CodeNotDivisible] unless k elements fill whole columns, and
// [cute.CodeType] for the data paths C, E and G, whose A has only one source.
func OperandA(i descriptor.Instruction, k int64) (Tensor, error) {
	d, err := DataPathOf(i)
	if err != nil {
		return Tensor{}, err
	}
	if d == DataPathC || d == DataPathE || d == DataPathG {
		return Tensor{}, withHint(fail(cute.CodeType, "A in tensor memory is not known for data path %v", d),
			"known are M 64, 128 and 256 without .ws, and M 128 with .ws")
	}
	bits := containerBits(i)
	switch {
	case k < 1:
		return Tensor{}, fail(cute.CodeExtent, "expected a positive k, found %d", k)
	case k > Columns*ColumnBits/bits:
		return Tensor{}, fail(cute.CodeMode, "expected at most %d elements of %d bits in a lane, found %d",
			Columns*ColumnBits/bits, bits, k)
	case k*bits%ColumnBits != 0:
		return Tensor{}, fail(cute.CodeNotDivisible, "expected elements that fill columns of %d bits, found %d of %d bits",
			ColumnBits, k, bits)
	}
	if d == DataPathB {
		d = DataPathD
	}
	return newTensor(d.virtual(k), bits, bits)
}

// containerBits returns the width that an element of A has in tensor memory.
func containerBits(i descriptor.Instruction) int64 {
	if i.Kind == descriptor.KindF8F6F4 || i.Kind == descriptor.KindMXF8F6F4 {
		return 8
	}
	if i.A == dtype.TF32 {
		return 32
	}
	return int64(i.A.Bits())
}
