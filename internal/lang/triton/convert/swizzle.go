package convert

import (
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// A Swizzle is a layout of shared memory for a conversion, with the costs of its accesses.
type Swizzle struct {
	// Layout maps the input dimensions "vector" (the elements of one access), "bank", "segment" (repetitions of the
	// banks), "block" and "reps" to the tensor. The offset in memory, in elements, has the bits of vector, bank and
	// segment, from low to high. Every rep reuses the same memory, after a barrier.
	Layout linear.Layout
	Store  Access // the accesses of the source layout
	Load   Access // the accesses of the destination layout
}

// Bytes returns the shared memory that a block needs for one rep, in bytes, for elements of elemBits bits.
func (s Swizzle) Bytes(elemBits int) int64 {
	bits := s.Layout.InSize("vector") * s.Layout.InSize("bank") * s.Layout.InSize("segment") * int64(elemBits)
	return (bits + 7) / 8
}

// OptimalSwizzle returns a layout of shared memory through which elements of elemBits bits go from the distribution src
// to the distribution dst with as few bank conflicts as possible, on a machine with that many banks of 32 bits, by
// ordinary loads and stores. The algorithm is section 5.3 of the paper:
//
//	V    the registers that both sides have, up to 128 bits: one access
//	A, B the span of V and the lanes of one wavefront, for each side
//	Seg  unit vectors outside A + B, then sums of one vector of A and one of B: it meets neither A nor B
//	bank the rest
//
// Let the tensor have 2^d elements. A segment that meets neither A nor B has at most d - max(dim A, dim B) dimensions,
// and this segment has exactly that number. If more are needed, because the tensor is large and V small, single vectors
// of A and B are added; each doubles the wavefronts of one side.
//
// Two things differ from Triton. A and B are subspaces, so bases need not be unit vectors. If V is less than a word of
// 32 bits, the bank bits inside the word count as part of the vector: lanes that use the same word do not conflict, and
// differences inside a word do not help. Several choices of these bits, and Triton's layout, are compared by their
// exact numbers of wavefronts: the result never needs more wavefronts than Triton's.
//
// It returns the errors of [New], and [cute.CodeNotRepresentable] if elements change their block.
func OptimalSwizzle(src, dst linear.Layout, elemBits, banks int) (Swizzle, error) {
	return OptimalSwizzleTiles(src, dst, Memory{ElemBits: elemBits, Banks: banks})
}

// A Memory describes the shared memory and the instructions that access it.
type Memory struct {
	ElemBits    int  // the size of an element in bits
	Banks       int  // the number of banks, each 32 bits wide
	Store, Load Tile // the tiles of the stores from the source and of the loads to the destination
	Triton      bool // choose the same bases as Triton, which may have more conflicts inside words
}

// OptimalSwizzleTiles is [OptimalSwizzle] for accesses with these tiles. It also returns [cute.CodeNotRepresentable] if
// the layouts have no such accesses or, for Triton's bases, if bases are sums, and [cute.CodeMode] for a tile with
// lanes that do not exist or that does not fit the element.
func OptimalSwizzleTiles(src, dst linear.Layout, mem Memory) (Swizzle, error) {
	const op = "optimal_swizzle"
	src, dst, err := checkConversion(op, src, dst, mem)
	if err != nil {
		return Swizzle{}, err
	}
	a, b := sideOf(src, mem.Store), sideOf(dst, mem.Load)
	for _, s := range []side{a, b} {
		if !s.tile.valid(len(s.lanes), mem.ElemBits) {
			return Swizzle{}, fail(cute.CodeMode, op,
				"expected a tile of some of the %d lane bits that fits elements of %d bits, found %+v", len(s.lanes),
				mem.ElemBits, s.tile)
		}
	}
	if !slices.Equal(a.blocks, b.blocks) {
		return Swizzle{}, fail(cute.CodeNotRepresentable, op,
			"expected elements that stay in their block, found block bases %v and %v", a.blocks, b.blocks)
	}
	v := vectorBases(a, b, mem.ElemBits)
	if len(a.tile.Contiguous)+len(b.tile.Contiguous) > 0 {
		ok := false
		if v, ok = tileBases(a, b, mem.ElemBits); !ok {
			return Swizzle{}, fail(cute.CodeNotRepresentable, op,
				"expected 128 bits that are contiguous for both tiles, %+v and %+v, found none", mem.Store, mem.Load)
		}
	}
	c := conversion{src, dst, a, b, v, mem}
	if mem.Triton {
		smem, err := c.arrangeTriton()
		if err != nil {
			return Swizzle{}, err
		}
		return c.complete(smem)
	}
	return c.fewestWavefronts()
}

// A conversion goes through shared memory. It has the two layouts, their sides, and the vectors that one access moves.
type conversion struct {
	src, dst linear.Layout
	a, b     side
	v        []f2.Vector
	mem      Memory
}

// fewestWavefronts returns the best of a few arrangements. They differ in the bank bits that fill a vector of less than
// a word: lanes of both sides avoid conflicts, and registers of one side make its accesses wider. Triton's arrangement
// is compared, too, if there is one.
func (c conversion) fewestWavefronts() (Swizzle, error) {
	var best Swizzle
	found := false
	consider := func(smem linear.Layout, err error) error {
		if err != nil {
			return err
		}
		s, err := c.complete(smem)
		if err == nil && (!found || s.total() < best.total()) {
			best, found = s, true
		}
		return err
	}
	for _, first := range [][]f2.Vector{nil, c.a.regs, c.b.regs} {
		if err := consider(c.arrange(first)); err != nil {
			return Swizzle{}, err
		}
	}
	// Triton's arrangement does not exist for bases that are sums. That is not an error here.
	_ = consider(c.arrangeTriton())
	return best, nil
}

// complete splits the reps off a memory and counts the accesses.
func (c conversion) complete(smem linear.Layout) (s Swizzle, err error) {
	if s.Layout, err = splitReps(smem, c.src, c.dst, c.mem); err != nil {
		return Swizzle{}, err
	}
	if s.Store, err = AccessOf(c.src, s.Layout, c.mem, c.mem.Store); err != nil {
		return Swizzle{}, err
	}
	s.Load, err = AccessOf(c.dst, s.Layout, c.mem, c.mem.Load)
	return s, err
}

// total returns the wavefronts of both directions for one warp.
func (s Swizzle) total() int {
	return s.Store.Instructions*s.Store.Wavefronts + s.Load.Instructions*s.Load.Wavefronts
}

func sideOf(l linear.Layout, t Tile) side {
	nonzero := func(v f2.Vector) bool { return v != 0 }
	return side{columns(l, register), columns(l, lane), keep(columns(l, warp), nonzero), columns(l, block), t}
}

// arrange returns the layout from "vector", "bank", "segment" and "block" to the tensor. Among the banks that fill a
// vector up to a word, the vectors of first come first.
func (c conversion) arrange(first []f2.Vector) (linear.Layout, error) {
	a, b, v, mem, outs := c.a, c.b, c.v, c.mem, c.src.OutDims()
	d := 0
	for _, o := range outs {
		d += log2int64(o.Size)
	}
	blocks := extend(nil, a.blocks, f2.MaxRows)
	free := d - len(blocks) - len(v)
	w := wavefronts{a.phase(mem.ElemBits<<len(v), mem.Banks), b.phase(mem.ElemBits<<len(v), mem.Banks)}
	word := w.word(slices.Concat(blocks, v), first, min(log2(max(32/mem.ElemBits, 1))-len(v), free))
	bankBits := min(max(log2(mem.Banks*32/mem.ElemBits)-len(v), 0), free)
	fixed := slices.Concat(v, word, blocks)
	seg := w.segment(fixed, d, free-bankBits)
	rest, err := f2.Span(append(fixed, seg...)...).Complement(d)
	if err != nil {
		return linear.Layout{}, fail(cute.CodeNotRepresentable, "optimal_swizzle", "%v", err)
	}
	bank := slices.Concat(word, widen(rest, a.regs, b.regs))
	m, err := f2.NewMatrix(d, slices.Concat(v, bank, seg, a.blocks))
	if err != nil {
		return linear.Layout{}, fail(cute.CodeNotRepresentable, "optimal_swizzle", "%v", err)
	}
	return linear.FromMatrix(m, memoryDims(len(v), len(bank), len(seg), len(a.blocks)), outs)
}

func log2int64(n int64) int { return log2(int(n)) }

// A wavefronts holds, for each side, the lanes of one wavefront.
type wavefronts struct{ a, b []f2.Vector }

// spans returns, for each side, the span of the fixed vectors and that side's lanes.
func (w wavefronts) spans(fixed []f2.Vector) (a, b f2.Space) {
	return f2.Span(slices.Concat(fixed, w.a)...), f2.Span(slices.Concat(fixed, w.b)...)
}

// word returns n bank bases that fill the vector up to a word: first the independent vectors of first; then lanes of
// both wavefronts, which cost nothing; then lanes of the larger wavefront only, which make the smaller wavefront
// larger; then lanes of the smaller wavefront.
func (w wavefronts) word(fixed, first []f2.Vector, n int) []f2.Vector {
	if n <= 0 {
		return nil
	}
	a, b := w.spans(fixed)
	if a.Dim() < b.Dim() {
		a, b = b, a
	}
	filled := extend(fixed, first, len(fixed)+n)
	for _, from := range []f2.Space{a.Intersection(b), a, b} {
		filled = extend(filled, from.Basis(), len(fixed)+n)
	}
	return filled[len(fixed):]
}

// segment returns n vectors of d components, independent of each other and of the fixed vectors. For side a and for
// side b, their span meets the span of the fixed vectors and that side's lanes in as few dimensions as possible.
func (w wavefronts) segment(fixed []f2.Vector, d, n int) []f2.Vector {
	a, b := w.spans(fixed)
	both := a.Intersection(b)
	e, f := beyond(both, a), beyond(both, b)
	outside, err := a.Sum(b).Complement(d)
	if err != nil {
		return nil
	}
	if len(e) > len(f) {
		e, f = f, e
	}
	// A sum of one vector from each side costs nothing. If more vectors are needed, vectors of the larger side without
	// a partner follow, which cost only that side; then the sums are split into their parts, which costs both sides.
	split := min(max(n-len(outside)-len(f), 0), len(e))
	candidates := outside
	for i := split; i < len(e); i++ {
		candidates = append(candidates, e[i]^f[i])
	}
	candidates = slices.Concat(candidates, f[len(e):], e[:split], f[:split], both.Basis())
	return extend(fixed, candidates, len(fixed)+n)[len(fixed):]
}

// beyond returns vectors of the reduced basis of s that complete a basis of the subspace sub to a basis of s.
func beyond(sub, s f2.Space) []f2.Vector {
	n := sub.Dim()
	return extend(sub.Basis(), s.Basis(), s.Dim())[n:]
}

// widen reorders the banks. The registers of the side with more registers among the banks come first, so that this
// side's accesses may be wider.
func widen(bank, a, b []f2.Vector) []f2.Vector {
	inA := keep(bank, func(v f2.Vector) bool { return slices.Contains(a, v) })
	inB := keep(bank, func(v f2.Vector) bool { return slices.Contains(b, v) })
	first := inB
	if len(inA) > len(inB) {
		first = inA
	}
	return append(slices.Clone(first), keep(bank, func(v f2.Vector) bool { return !slices.Contains(first, v) })...)
}
