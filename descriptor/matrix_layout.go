package descriptor

import (
	"math/bits"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
)

// Layout returns the layout of the matrix that the instruction reads: from (row, k) to elements of elementBits bits,
// counted like Start. Extents are rounded up: along the contiguous mode to 16 bytes, or to whole rows of the pattern if
// longer than one; along the other mode to 8 (4 for SW128_32B). With a base offset the swizzle acts from the beginning
// of the pattern:
//
//	Sw<3,3,3> o 0 o ((8,16),16):((64,512),1)                    SW128, K-major, f16, SBO 1024
//	131072:1 o 64 o Sw<3,3,3> o 0 o ((8,16),16):((64,512),1)    the same from byte 128, with base offset 1
//
// It returns [cute.CodeExtent] for extents that are not positive or exceed the 2^18 bytes that a descriptor reaches,
// and the errors of [Matrix.Find] for the last element.
func (d Matrix) Layout(elementBits, rows, k int64) (cute.Composed, error) {
	if reach := int64(unit+farthest) * 8; rows <= 0 || k <= 0 || rows > reach || k > reach {
		return cute.Composed{}, fail(cute.CodeExtent, "expected extents of 1 to %d elements, found (%d,%d)", reach, rows, k)
	}
	if _, err := d.Find(elementBits, rows-1, k-1); err != nil {
		return cute.Composed{}, err
	}
	plain, err := d.plain(128/elementBits, rows, k)
	if err != nil {
		return cute.Composed{}, err
	}
	// The swizzle acts on elements.
	b, m, s := d.Pattern.bits()
	w, err := cute.NewSwizzle(b, m+3-bits.TrailingZeros64(uint64(elementBits)), s)
	if err != nil {
		return cute.Composed{}, err
	}
	elements := func(bytes int64) cute.Tuple { return cute.Int(bytes * 8 / elementBits) }
	if d.Base == 0 {
		return cute.NewComposed(w, elements(d.Start), plain)
	}
	// The swizzle counts addresses from the row in which the pattern begins.
	begin := d.Base << 7
	if d.Start < begin {
		begin -= SW128.Align()
	}
	inner, err := cute.NewComposed(w, elements(d.Start-begin), plain)
	if err != nil {
		return cute.Composed{}, err
	}
	all, err := cute.LayoutLeft(elements(unit + farthest))
	if err != nil {
		return cute.Composed{}, err
	}
	return cute.NewComposed(all, elements(begin), inner)
}

// plain returns the canonical layout without start and swizzle, given the number of elements in 16 bytes.
func (d Matrix) plain(piece, rows, k int64) (cute.Layout, error) {
	wide := d.Pattern.Width() / unit * piece // elements of a row of the pattern
	leading, stride := d.Leading/unit*piece, d.Stride/unit*piece
	if d.Major == atom.KMajor {
		row := modes2(8, wide, ints.CeilDiv(rows, 8), stride)
		if k > wide {
			return layout2(row, modes2(wide, 1, ints.CeilDiv(k, wide), leading))
		}
		return layout2(row, modes2(piece*ints.CeilDiv(k, piece), 1, 1, 0))
	}
	if d.Pattern == INTER {
		return layout2(modes2(piece, 1, ints.CeilDiv(rows, piece), stride), modes2(8, wide, ints.CeilDiv(k, 8), leading))
	}
	row := modes2(wide, 1, ints.CeilDiv(rows, wide), leading)
	if rows < wide {
		row = modes2(piece*ints.CeilDiv(rows, piece), 1, 1, 0)
	}
	high := d.Pattern.Rows()
	return layout2(row, modes2(high, wide, ints.CeilDiv(k, high), stride))
}

// A nest is a mode of two leaves, with extents and strides, or of one leaf if the second extent is 1.
type nest struct{ s0, d0, s1, d1 int64 }

func modes2(s0, d0, s1, d1 int64) nest { return nest{s0, d0, s1, d1} }

// layout2 returns the layout of two nests.
func layout2(a, b nest) (cute.Layout, error) {
	var shapes, strides [2]cute.Tuple
	for i, n := range []nest{a, b} {
		shapes[i], strides[i] = cute.Int(n.s0), cute.Int(n.d0)
		if n.s1 > 1 {
			shapes[i], strides[i] = cute.Ints(n.s0, n.s1), cute.Ints(n.d0, n.d1)
		}
	}
	shape, err := cute.MakeTuple(shapes[:]...)
	if err != nil {
		return cute.Layout{}, err
	}
	stride, err := cute.MakeTuple(strides[:]...)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(shape, stride)
}
