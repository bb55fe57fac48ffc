package tmem

import (
	"fmt"

	"girih/cute"
)

// An Address is an address in tensor memory: the lane in the bits 31-16, the column in the bits 15-0 (PTX ISA
// 9.7.16, "Tensor Memory Addressing").
type Address uint32

// NewAddress returns the address of a lane, 0 to 127, and a column, 0 to 511. It returns [cute.CodeMode] for others.
func NewAddress(lane, column int64) (Address, error) {
	if lane < 0 || lane >= Lanes || column < 0 || column >= Columns {
		return 0, fail(cute.CodeMode, "expected a lane from 0 to %d and a column from 0 to %d, found lane %d, column %d",
			Lanes-1, Columns-1, lane, column)
	}
	return Address(lane*laneStride + column), nil
}

// Lane returns the lane.
func (a Address) Lane() int64 { return int64(a) / laneStride }

// Column returns the column.
func (a Address) Column() int64 { return int64(a) % laneStride }

// String returns the address in hexadecimal, as debuggers and CuTe print it.
func (a Address) String() string { return fmt.Sprintf("0x%08x", uint32(a)) }

// A Place is where an element begins: a lane, a column, and the number of its first bit in the column.
type Place struct{ Lane, Column, Bit int64 }

// Address returns the address of the column that contains the place.
func (p Place) Address() Address { return Address(p.Lane*laneStride + p.Column) }

// Warp returns the number, modulo 4, of the warps that reach the place: warp w of a CTA reaches the lanes from 32·(w
// mod 4) (PTX ISA, tcgen05.ld, "Access restrictions"; the assertion in CuTe's copy_unpack).
func (p Place) Warp() int64 { return p.Lane / WarpLanes }

// String returns the place as "lane 3, column 5", and the bit if it is not 0.
func (p Place) String() string {
	if p.Bit == 0 {
		return fmt.Sprintf("lane %d, column %d", p.Lane, p.Column)
	}
	return fmt.Sprintf("lane %d, column %d, bit %d", p.Lane, p.Column, p.Bit)
}

// WarpsOf returns the numbers, modulo 4, of the warps that reach the lanes from first to last, in ascending order. It
// returns [cute.CodeMode] unless 0 <= first <= last < 128.
func WarpsOf(first, last int64) ([]int64, error) {
	if first < 0 || last >= Lanes || first > last {
		return nil, fail(cute.CodeMode, "expected lanes from 0 to %d, found %d to %d", Lanes-1, first, last)
	}
	var out []int64
	for w := first / WarpLanes; w <= last/WarpLanes; w++ {
		out = append(out, w)
	}
	return out, nil
}
