package cute

// This file implements composition, R(c) = A(B(c)).
//
// Write A, coalesced, as a mixed radix system: extents S0, S1, ..., the last one unbounded, strides D0, D1, ... A takes
// an integer apart into its digits and returns the sum of digit·D. So A∘B is a layout with the shape of B, each leaf
// possibly split, whenever the digits of B's values form layouts: the leaf N:r of B counts r, 2r, 3r, ... and its
// digits grow evenly until one of them reaches its extent, at x = m. If m divides N, the leaf is a mode of extent m
// with the digits of r, followed by the leaf N/m:(m·r), and so on. At the end no sum of digits over the whole box may
// reach its digit's extent, or digits carry.
//
//	A = (6,2):(8,2)   B = (4,3):(3,1)
//	leaf 4:3   3 has the digits (3,0); 2·3 = 6 carries, so m = 2:   2:24  (stride 3·8)
//	           then 2:6 with the digits (0,1):                      2:2
//	leaf 3:1   1 has the digits (1,0), no carry in 3 steps:         3:8
//	R = ((2,2),3):((24,2),8); the first digit is at most 3·1 + 1·2 = 5 < 6
//
// If B only counts up, or only down, this accepts exactly the pairs that are layouts for all strides of A. If B does
// both, it accepts pairs that use a single digit. Few other pairs are layouts, because strides coincide or digits
// cancel; composition_table.go decides those by looking at the values. docs/proofs.md has the proof. Published
// algorithms (Shah, "CuTe layout algebra", Def. 2.12; Colfax, arXiv 2601.05972, Alg. 4.1.1; the whitepaper arXiv
// 2603.02298, eq. 20-21) are stricter; CuTe's code accepts some pairs whose result is wrong.

// Composition returns the layout c ↦ a(b(c)) in the shape of b, each leaf of b replaced by a coalesced mode or group of
// modes. The integers that b produces index a in colexicographic order with a's last mode unbounded; if b has
// coordinate strides, its coordinates address the modes of a.
//
// If no layout is this function it returns [CodeNotRepresentable] with a coordinate of b at which every layout fails:
// the first such coordinate unless b has more than [EnumLimit] elements for the axes of a. It returns
// [CodeNotCongruent] if b addresses modes that a does not have, [CodeOverflow], and [CodeLimit] when a decision would
// need more than [EnumLimit] values.
func Composition(a, b Layout) (l Layout, err error) {
	err = compose(&l, &a, &b, caller{})
	return l, err
}

// compose is Composition with the result stored in l.
func compose(l, a, b *Layout, c caller) (err error) {
	if b.cod != nil || c.trace != nil {
		return composeAny(l, *a, *b, c)
	}
	var sb, db [fewModes]int64
	var sr, dr [stackModes]int64
	var cb [stackModes]uint8
	n, k := a.leaves(), a.cod.axes()
	var f mixedRadix
	f.s, f.d, f.k = buffer(sb[:], n+1), buffer(db[:], (n+1)*k), k
	f.coalesceZ(a.extents(), a.strides())
	var r modes
	r.s, r.d, r.k = sr[:], buffer(dr[:], k), k
	counts := cb[:]
	if m := b.leaves(); m > len(counts) {
		counts = make([]uint8, m)
	}
	v := f.compose(&r, b.extents(), b.strides(), counts)
	if r.full {
		r = heapModes(mostModes(b.leaves()), k)
		v = f.compose(&r, b.extents(), b.strides(), counts)
	}
	if v == universal {
		return r.layoutTo(l, "composition", splitProfile(b.profile(), counts[:b.leaves()]), a.cod)
	}
	*l, err = composeRefused(v, *a, *b, c)
	return err
}

// composeRefused looks at the values to decide a pair that the universal procedure refuses.
func composeRefused(v verdict, a, b Layout, c caller) (Layout, error) {
	if v == overflows {
		return Layout{}, overflowError("composition", "the strides of %v o %v", a, b)
	}
	if c.trace != nil {
		c.trace.add(Table{b.Size()})
	}
	return composeByTable(a, b, c.Until)
}

// composeAny is compose for all strides, with steps recorded if the caller asks.
func composeAny(l *Layout, a, b Layout, c caller) (err error) {
	f, err := newMixedRadix(a, b.cod)
	if err != nil {
		return err
	}
	r := heapModes(mostModes(b.leaves()), f.k)
	if r.trace = c.trace.over(a.cod); r.trace != nil {
		r.trace.radices(f, b.cod)
	}
	counts := make([]uint8, b.leaves())
	if v := f.compose(&r, b.extents(), b.strides(), counts); v != universal {
		*l, err = composeRefused(v, a, b, c)
		return err
	}
	return r.layoutTo(l, "composition", splitProfile(b.profile(), counts), a.cod)
}

// CompositionBy returns the composition of a with a tiler: [Composition] with a layout or an integer n, which stands
// for n:1; with a tile or a shape, mode by mode, and, as in CuTe, without the modes of a beyond the tile; with [Keep],
// a itself. It returns [CodeRank] if the tile has more modes than a, [CodeType] for a nil tiler, [CodeExtent] for an
// integer below 1, [CodeCodomain] for a coordinate, and the errors of [Composition].
func CompositionBy(a Layout, t Tiler) (Layout, error) { return compositionBy(a, t, caller{}) }

func compositionBy(a Layout, t Tiler, c caller) (l Layout, err error) {
	const op = "composition"
	if t == Keep {
		return a, nil
	}
	ts, ok := byMode(t)
	if !ok {
		b, err := whole(op, t)
		if err != nil {
			return Layout{}, err
		}
		c.trace.tiles(b)
		err = compose(&l, &a, &b, c)
		return l, err
	}
	if len(ts) > a.Rank() {
		return Layout{}, tileRankError(op, len(ts), a)
	}
	as := a.Modes()[:len(ts)]
	for i := range ts {
		c.trace.part(i, as[i], ts[i])
		if as[i], err = compositionBy(as[i], ts[i], c); err != nil {
			return Layout{}, err
		}
		c.trace.end(as[i])
	}
	return MakeLayout(as...)
}

// WithShape returns l composed with the compact column-major layout of another shape: CuTe's with_shape. It returns the
// errors of [LayoutLeft] and [Composition].
//
//go:noinline
func (l Layout) WithShape(shape Tuple) (Layout, error) { return withShape(l, shape, caller{}) }

func withShape(l Layout, shape Tuple, c caller) (r Layout, err error) {
	b, err := LayoutLeft(shape)
	if err != nil {
		return Layout{}, err
	}
	err = compose(&r, &l, &b, c)
	return r, err
}

// Composition is the function [Composition]. It returns the errors of Composition and of u.
func (u Until) Composition(a, b Layout) (l Layout, err error) {
	err = compose(&l, &a, &b, caller{Until: u})
	return l, err
}

// CompositionBy is the function [CompositionBy]. It returns the errors of CompositionBy and of u.
func (u Until) CompositionBy(a Layout, t Tiler) (Layout, error) {
	return compositionBy(a, t, caller{Until: u})
}

// WithShape is [Layout.WithShape] of l. It returns the errors of WithShape and of u.
func (u Until) WithShape(l Layout, shape Tuple) (Layout, error) {
	return withShape(l, shape, caller{Until: u})
}
