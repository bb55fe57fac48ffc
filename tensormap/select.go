package tensormap

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// Fit returns the copy with a layout of shared memory for a tile: with the swizzle w, or, if w is nil, the widest that
// makes a legal map. It chooses as CUTLASS's builders choose an atom (ss_smem_selector,
// include/cutlass/gemm/collective/builders/sm90_common.inl): contiguous along the tensor's mode of stride 1, in rows of
// the span of the largest swizzle that divides the tile there, one row after the other in the order of the other modes.
// A tile that is longer than the span has one block for each span, which begins at a multiple of 128 bytes. If rows of
// the tile follow each other in the tensor, a row of the box joins several of them, and may be wider than the span of
// the swizzle that a single row allows: note says so.
//
// The tile has an extent for each top-level mode of the tensor. The error has the code CodeRank if tile and tensor do
// not have the same number of modes, CodeNotRepresentable if the tensor has no mode of stride 1, CodeNotDivisible if
// the span of the given swizzle does not divide the tile, and CodeExtent for an extent below 1.
func (c Copy) Fit(tile []int64, w *Swizzle) (fitted Copy, note string, err error) {
	if c.Shared, err = c.sharedFor(tile, w); err != nil || w != nil {
		return c, "", err
	}
	p, err := Make(c)
	span := func(b Breach) bool { return b.Rule == RuleSpan }
	if err != nil || !slices.ContainsFunc(p.Map.Check(), span) {
		return c, "", nil // Make returns the error
	}
	for s := p.Map.Swizzle; s > SwizzleNone; {
		s--
		again := c
		if again.Shared, err = c.sharedFor(tile, &s); err != nil {
			continue
		}
		if q, err := Make(again); err == nil && q.Map.Legal() && len(q.Faults) == 0 {
			return again, fmt.Sprintf("rows of the tile follow each other in the tensor, so dimension 0 of the box takes %d elements: "+
				"more than the span of %v", p.Map.Box[0], p.Map.Swizzle), nil
		}
	}
	return c, "", nil
}

// sharedFor chooses the layout of [Copy.Fit] with the swizzle s, or with the largest that divides the tile.
func (c Copy) sharedFor(tile []int64, s *Swizzle) (cute.Composed, error) {
	major, err := c.contiguous(tile)
	if err != nil {
		return cute.Composed{}, err
	}
	t := c.Type
	row := tile[major]
	bits := max(t.sharedBits(), 1)
	rows := int64(1)
	for i, n := range tile {
		if i != major {
			rows *= n
		}
	}
	chosen := largestSwizzle(row*bits, rows)
	if s != nil {
		chosen = *s
	}
	if chosen != SwizzleNone {
		per := chosen.Span() * 8 / bits
		if row > per && row%per != 0 {
			return cute.Composed{}, refuse(cute.CodeNotDivisible, fmt.Sprintf("a tile of %d elements", up(row, per)),
				"rows of %d elements do not split into spans of %d bytes, %d elements", row, chosen.Span(), per)
		}
		row = min(row, per)
	}
	shape, stride := make([]cute.Tuple, len(tile)), make([]cute.Tuple, len(tile))
	at := row
	for i, n := range tile {
		if i == major {
			continue
		}
		shape[i], stride[i] = cute.Int(n), cute.Int(at)
		at *= n
	}
	shape[major], stride[major] = cute.Int(row), cute.Int(1)
	if rest := tile[major] / row; rest > 1 {
		shape[major], stride[major] = cute.Ints(row, rest), cute.Ints(1, at)
	}
	sh, err := cute.MakeTuple(shape...)
	if err != nil {
		return cute.Composed{}, err
	}
	st, err := cute.MakeTuple(stride...)
	if err != nil {
		return cute.Composed{}, err
	}
	l, err := cute.New(sh, st)
	if err != nil || chosen == SwizzleNone {
		return l.Composed(), err
	}
	return addSwizzle(l, chosen, bits)
}

// largestSwizzle returns the swizzle with the largest span that divides rows of the given bits. The spans of a single
// row follow each other, so one unswizzled box takes them all; no swizzle allows that.
func largestSwizzle(bits, rows int64) Swizzle {
	for w := Swizzle128B; w > SwizzleNone; w-- {
		blocks, rest := bits/(w.Span()*8), bits%(w.Span()*8)
		if rest == 0 && (blocks == 1 || rows > 1 && rows*w.Span()%128 == 0) {
			return w
		}
	}
	return SwizzleNone
}

// addSwizzle puts a swizzle of the copy engine before a layout of elements.
func addSwizzle(l cute.Layout, s Swizzle, bits int64) (cute.Composed, error) {
	w, ok := s.CuTe()
	if !ok || bits < 8 && bits != 4 {
		return cute.Composed{}, refuse(cute.CodeSwizzle, "", "%s is no swizzle of CuTe on elements of %d bits", s, bits)
	}
	m := w.M()
	for b := bits; b > 8; b /= 2 {
		m--
	}
	if bits == 4 {
		m++
	}
	e, err := cute.NewSwizzle(w.B(), m, w.S())
	if err != nil {
		return cute.Composed{}, err
	}
	return cute.NewComposed(e, cute.Int(0), l)
}

// contiguous returns the mode of the tensor that has stride 1.
func (c Copy) contiguous(tile []int64) (int, error) {
	t, err := c.tensor()
	if err != nil {
		return 0, err
	}
	modes := t.layout.Modes()
	if len(modes) != len(tile) {
		return 0, refuse(cute.CodeRank, "give an extent for each mode of the tensor, 1 for those that the tile does not go along",
			"the tile has %d extents, the tensor %s has %d modes", len(tile), t.layout, len(modes))
	}
	size := int64(1)
	for _, n := range tile {
		if n < 1 || n > 1<<24 || size > 1<<31/n {
			return 0, refuse(cute.CodeExtent, "", "a tile of %v is outside 1 to 2^31 elements", cute.Ints(tile...))
		}
		size *= n
	}
	major := -1
	one := symbolic.Const(1)
	for _, known := range []bool{true, false} { // strides that are certainly 1 first: then other strides rarely matter
		for i, m := range modes {
			for _, d := range m.Stride().Integers() {
				longer := major < 0 || tile[i] > tile[major] || tile[i] == tile[major] && i < major
				if _, is := d.Int64(); is != known || !longer {
					continue
				}
				if major < 0 && c.Case.expect(symbolic.Same(d, one)) || major >= 0 && c.Case.is(symbolic.Same(d, one)) {
					major = i
				}
			}
		}
	}
	if major < 0 {
		return 0, refuse(cute.CodeNotRepresentable, "make one mode of the tensor contiguous",
			"the tensor %s has no mode of stride 1, and a tensor map has one", t.layout)
	}
	return major, nil
}
