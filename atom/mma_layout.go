package atom

import (
	"slices"

	"girih/cute"
	"girih/dtype"
)

// This file defines the layouts of fragments in closed form. Nearly all tensor cores of NVIDIA hold an operand the same
// way: 4 threads side by side along the contiguous mode, each with the w consecutive elements that fit in 32 bits; 8
// such rows; then the values of a thread repeat 8 rows further down, and then 4w elements further along (PTX ISA,
// "Matrix Fragments for mma.m16n8k16" and its neighbours).

// mode is one mode of a layout: an extent and a stride.
type mode struct{ s, d int64 }

// group returns the modes as a tuple of extents and a tuple of strides, without modes of extent 1. For a single mode
// these are integers; no mode is 1:0.
func group(modes ...mode) (s, d cute.Tuple) {
	kept := slices.DeleteFunc(modes, func(m mode) bool { return m.s == 1 })
	switch len(kept) {
	case 0:
		return cute.Int(1), cute.Int(0)
	case 1:
		return cute.Int(kept[0].s), cute.Int(kept[0].d)
	}
	return tuple(kept...)
}

// tuple returns the modes as a tuple of extents and a tuple of strides, including modes of extent 1.
func tuple(modes ...mode) (s, d cute.Tuple) {
	var sb, db [8]int64
	ss, ds := sb[:0], db[:0]
	for _, m := range modes {
		ss, ds = append(ss, m.s), append(ds, m.d)
	}
	return cute.Ints(ss...), cute.Ints(ds...)
}

// tv returns the layout (thread, value) of two modes. Nothing in the tables can overflow, so no caller can cause an
// error; the tests make every layout.
func tv(ts, td, vs, vd cute.Tuple) cute.Layout {
	s, err := cute.MakeTuple(ts, vs)
	if err != nil {
		return cute.Layout{}
	}
	d, err := cute.MakeTuple(td, vd)
	if err != nil {
		return cute.Layout{}
	}
	l, err := cute.New(s, d)
	if err != nil {
		return cute.Layout{}
	}
	return l
}

// perRegister returns how many elements of the given bits a register of 32 bits holds, at least 1.
func perRegister(bits int) int64 { return int64(max(1, 32/bits)) }

// operandFragment returns the layout of an operand of mma.sync with the given rows (M of A or N of B) and K columns, in
// elements; a register holds w of them.
func operandFragment(rows, k, w int64) cute.Layout {
	ts, td := tuple(mode{4, w * rows}, mode{8, 1})
	vs, vd := group(mode{w, rows}, mode{rows / 8, 8}, mode{k / (4 * w), 4 * w * rows})
	return tv(ts, td, vs, vd)
}

// accumulatorFragment returns the layout of C of mma.sync: two neighbours along N in a thread, for every type.
func accumulatorFragment(m, n int64) cute.Layout {
	ts, td := tuple(mode{4, 2 * m}, mode{8, 1})
	vs, vd := group(mode{2, m}, mode{m / 8, 8}, mode{n / 8, 8 * m})
	return tv(ts, td, vs, vd)
}

// warpgroupOperand returns the layout of A of wgmma in registers: each of the four warps holds 16 of the 64 rows.
func warpgroupOperand(k, w int64) cute.Layout {
	const m = 64
	ts, td := tuple(mode{4, w * m}, mode{8, 1}, mode{4, 16})
	vs, vd := group(mode{w, m}, mode{2, 8}, mode{k / (4 * w), 4 * w * m})
	return tv(ts, td, vs, vd)
}

// warpgroupAccumulator returns the layout of C of wgmma. CuTe writes the last mode even if it is 1.
func warpgroupAccumulator(n, _ int64) cute.Layout {
	const m = 64
	ts, td := tuple(mode{4, 2 * m}, mode{8, 1}, mode{4, 16})
	vs, vd := tuple(mode{2, m}, mode{2, 8}, mode{n / 8, 8 * m})
	return tv(ts, td, vs, vd)
}

// wholeMatrix returns the layout of a matrix in shared memory that each of the threads names: rows by columns, with
// stride 0 along the threads (CuTe's ABLayout).
func wholeMatrix(threads, rows, columns int64) cute.Layout {
	vs, vd := tuple(mode{rows, 1}, mode{columns, rows})
	return tv(cute.Int(threads), cute.Int(0), vs, vd)
}

// warpgroupShared returns the layout of a matrix in shared memory for the 128 threads of a warpgroup.
func warpgroupShared(rows, columns int64) cute.Layout { return wholeMatrix(128, rows, columns) }

// halves returns the layout of a matrix whose rows are divided between the two CTAs of a pair.
func halves(rows, columns int64) cute.Layout {
	vs, vd := tuple(mode{rows / 2, 1}, mode{columns, rows})
	return tv(cute.Int(2), cute.Int(rows/2), vs, vd)
}

// column returns the layout n:d, for the threads of an operation.
func column(n, d int64) cute.Layout {
	l, err := cute.New(cute.Int(n), cute.Int(d))
	if err != nil {
		return cute.Layout{}
	}
	return l
}

// number returns the element that is one number of the given type.
func number(t dtype.Type) Element { return Element{Type: t, Parts: 1} }
