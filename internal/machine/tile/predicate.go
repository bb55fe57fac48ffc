package tile

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/ints"
	"girih/symbolic"
)

// An Edge is one mode of a tensor that is divided into tiles; extents are in elements.
type Edge struct {
	Extent symbolic.Int // the extent of the tensor
	Tile   int64        // the extent of the CTA's tile
	Cover  int64        // the extent of the TiledCopy tiles that cover the CTA's tile; larger if they extend beyond it
	Ragged bool         // the last tile may have fewer elements than Tile
	Last   int64        // the number of elements of the last tile; if the extent is unknown, of the largest short tile
}

// Needed reports whether coordinates along the mode must be compared: because the last tile may be short, or because
// the TiledCopy extends beyond the tile of its CTA into the next one.
func (e Edge) Needed() bool { return e.Ragged || e.Cover > e.Tile }

// A Predicate is the predicate tensor of a thread for its part of a tile: the argument of copy_if in CuTe C++
// (include/cute/algorithm/copy.hpp) and cute.copy(pred=) in the CuTe DSL. It has one truth value for each instruction,
// with stride 0 along the modes on which it does not depend. The zero Predicate is invalid. It is immutable.
type Predicate struct {
	part   Partition
	in     parts
	edges  []Edge
	layout cute.Layout
}

// NewPredicate returns the predicate of a tile of a tensor with the given extents, one for each mode of the tile:
// integers, or known at run time. Tile and extents count elements. Source: media/docs/cpp/cute/0y_predication.md of
// CUTLASS.
//
// It returns [cute.CodeNotDivisible] if an instruction may move elements on both sides of the edge, so that no
// predicate is right; the hint has the widest vector that avoids this. It returns [cute.CodeRank] if the numbers of
// modes differ, [cute.CodeExtent] for an extent that is not positive, [cute.CodeFact] if no value satisfies the facts
// of a symbol, [cute.CodeLimit] above [MaxTile], [cute.CodeType] for the zero Partition, and the errors of
// atom.TiledCopy.ThrfrgS and atom.TiledMMA.Thrfrg.
func NewPredicate(p Partition, extents symbolic.Tuple, tile cute.Tuple) (Predicate, error) {
	const op = "predicate"
	sizes, err := tileExtents(tile)
	if err != nil {
		return Predicate{}, err
	}
	modes := []symbolic.Tuple{extents}
	if _, one := extents.Int(); !one {
		modes = extents.Modes()
	}
	if len(modes) != len(sizes) {
		return Predicate{}, fail(cute.CodeRank, op, "expected an extent for each of the %d modes of the tile %v, found %v",
			len(sizes), tile, extents)
	}
	in, err := p.of(sizes)
	if err != nil {
		return Predicate{}, err
	}
	r := Predicate{part: p, in: in}
	for k, m := range modes {
		x, err := m.Product() // the size of a nested mode, whose coordinates are compared as a whole
		if err != nil {
			return Predicate{}, err
		}
		ends, err := endsOf(x, sizes[k])
		if err != nil {
			return Predicate{}, err
		}
		e := Edge{Extent: x, Tile: sizes[k], Cover: in.shape[k], Ragged: ends.short(), Last: ends.last()}
		r.edges = append(r.edges, e)
		if !e.Needed() {
			continue
		}
		if err := r.checkStraddle(k, ends); err != nil {
			return Predicate{}, err
		}
	}
	r.layout, err = r.collapse()
	return r, err
}

// tileExtents returns the extents of the modes of a tile.
func tileExtents(tile cute.Tuple) ([]int64, error) {
	modes := []cute.Tuple{tile}
	if !tile.IsInt() {
		modes = tile.Modes()
	}
	var sizes []int64
	for _, m := range modes {
		n, err := m.Product()
		if err != nil {
			return nil, err
		}
		if n < 1 {
			return nil, fail(cute.CodeExtent, "predicate", "expected positive extents of the tile, found %v", tile)
		}
		if n > MaxTile {
			return nil, fail(cute.CodeLimit, "predicate", "expected a tile of at most %d elements, found %v", MaxTile, tile)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) == 0 {
		return nil, fail(cute.CodeRank, "predicate", "expected a tile with at least one mode, found %v", tile)
	}
	return sizes, nil
}

// ends says for each number of elements whether some tile may have it: the whole tile, or the remainder of the extent
// in the last tile.
type ends []bool

// short reports whether a tile may have fewer elements than the whole one.
func (e ends) short() bool {
	for r := range len(e) - 1 {
		if e[r] {
			return true
		}
	}
	return false
}

// last returns the largest number of elements of a short tile, or the elements of a whole tile. If the extent is known,
// only the last tile is short.
func (e ends) last() int64 {
	for r := len(e) - 2; r > 0; r-- {
		if e[r] {
			return int64(r)
		}
	}
	return int64(len(e) - 1)
}

// endsOf returns the numbers of elements that tiles may have for the values of an extent that its facts admit.
func endsOf(x symbolic.Int, tile int64) (ends, error) {
	f := x.Facts()
	if v, ok := x.Int64(); ok {
		f.Div, f.Min, f.Max = max(v, 1), v, v
	}
	if f.Max < 1 {
		return nil, fail(cute.CodeExtent, "predicate", "expected positive extents, found %v", x)
	}
	div := max(f.Div, 1)
	v := max(f.Min, 1)
	if over := v % div; over != 0 {
		if v > f.Max-(div-over) {
			return nil, fail(cute.CodeFact, "predicate", "no value of %v is a multiple of %d from %d to %d", x, div, v, f.Max)
		}
		v += div - over
	}
	e := make(ends, tile+1)
	for range tile { // the remainder repeats after tile/gcd(tile, div) steps
		r := v % tile
		if r == 0 {
			r = tile
		}
		e[r] = true
		if v >= tile {
			e[tile] = true
		}
		if v > f.Max-div {
			break
		}
		v += div
	}
	return e, nil
}

// checkStraddle refuses a mode along which some instruction would move elements on both sides of the end of a tile.
func (r *Predicate) checkStraddle(k int, e ends) error {
	cover := r.in.shape[k]
	width := int64(1) // the distance of an instruction's last value from its first, plus 1
	whole := int64(1)
	for _, f := range r.in.value {
		if f.d[k] > 0 {
			width += (f.n - 1) * f.d[k]
			whole *= f.n
		}
	}
	if width == 1 {
		return nil
	}
	begins := along(k, cover, append([][]leaf{r.in.threads}, r.in.modes...)...)
	vector, bad, first := width, int64(-1), int64(0)
	last := int64(-1) // where the last instruction before the end begins
	for end := int64(1); end < cover && end < int64(len(e)); end++ {
		if begins[end-1] {
			last = end - 1
		}
		if !e[end] || last < 0 || last+width <= end {
			continue
		}
		if bad < 0 {
			bad, first = end, last
		}
		vector = ints.GCD(vector, end-last)
	}
	if bad < 0 {
		return nil
	}
	err := fail(cute.CodeNotDivisible, "predicate",
		"no predicate guards mode %d: one %s moves elements %d to %d of a tile along it, and a tile of extent %v may end "+
			"after element %d", k, r.part.atom.Name, first, first+width-1, r.edges[k].Extent, bad-1)
	err.Hint = r.narrower(vector, width, whole)
	return err
}

// narrower describes an instruction that does not straddle the edge: one with fewer elements.
func (r *Predicate) narrower(vector, width, whole int64) string {
	a := r.part.atom
	if width != whole {
		return "put the values of one instruction along another mode"
	}
	bits := a.NumVal() * int64(a.Type.Bits()) * vector / width
	if bits < 8 || bits&(bits-1) != 0 {
		return fmt.Sprintf("pad the extent to a multiple of %d elements", width)
	}
	name := fmt.Sprintf("UniversalCopy<uint%d_t>", bits)
	if strings.Contains(a.Name, "CP_ASYNC") {
		switch {
		case bits >= 128:
		case bits >= 32:
			name = fmt.Sprintf("SM80_CP_ASYNC_CACHEALWAYS<uint%d_t>", bits)
		default:
			name += " (cp.async moves 4, 8 or 16 bytes)"
		}
	}
	return fmt.Sprintf("a vector of %d element(s), %d bits, never crosses the edge: %s with the same layouts of threads "+
		"and values; or pad the extent to a multiple of %d", vector, bits, name, width)
}

// collapse returns the layout of the predicate: compact along the modes on which it depends, stride 0 along the others.
func (r *Predicate) collapse() (cute.Layout, error) {
	shape, stride := make([]cute.Tuple, 0, len(r.in.modes)), make([]cute.Tuple, 0, len(r.in.modes))
	next := int64(1)
	for _, m := range r.in.modes {
		n, d := count(m), int64(0)
		if n > 1 && r.depends(m) {
			d, next = next, next*n
		}
		shape, stride = append(shape, cute.Int(n)), append(stride, cute.Int(d))
	}
	s, err := cute.MakeTuple(shape...)
	if err != nil {
		return cute.Layout{}, err
	}
	d, err := cute.MakeTuple(stride...)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(s, d)
}

// depends reports whether a mode of the predicate moves along an edge that must be compared.
func (r *Predicate) depends(m []leaf) bool {
	for _, f := range m {
		for k, d := range f.d {
			if d != 0 && f.n > 1 && r.edges[k].Needed() {
				return true
			}
		}
	}
	return false
}

// Needed reports whether anything must be compared. Otherwise a plain copy is right.
func (r Predicate) Needed() bool {
	for _, e := range r.edges {
		if e.Needed() {
			return true
		}
	}
	return false
}

// Edges returns the modes of the tensor, in their order.
func (r Predicate) Edges() []Edge { return append([]Edge(nil), r.edges...) }

// Partition returns how the tile is distributed over threads.
func (r Predicate) Partition() Partition { return r.part }

// Layout returns the layout of the predicate tensor, in truth values: (instructions in a tile of the TiledCopy, rest of
// M, rest of N, ...), with stride 0 along the modes that collapse. The CuTe DSL compares it with the data
// ((V,RestV),RestM,RestN): pred has RestV where the data has (V,RestV). CuTe C++ needs (1,RestV) there, which
// [Predicate.CPP] writes. For a TiledMMA, mode 0 has the elements of one instruction.
func (r Predicate) Layout() cute.Layout { return r.layout }

// Count returns how many truth values a thread keeps.
func (r Predicate) Count() int64 {
	n := int64(1)
	for _, m := range r.in.modes {
		if c := count(m); c > 1 && r.depends(m) {
			n *= c
		}
	}
	return n
}

// Collapsed returns the modes of the predicate that have several elements and stride 0: one truth value holds for all
// of them.
func (r Predicate) Collapsed() []int {
	var list []int
	for i, m := range r.in.modes {
		if count(m) > 1 && !r.depends(m) {
			list = append(list, i)
		}
	}
	return list
}

// DataShape returns the shape of a thread's part of the tile, the data that the predicate guards:
// ((V,RestV),RestM,RestN) for a copy, (FrgV,RestX,RestY) for an MMA.
func (r Predicate) DataShape() cute.Tuple {
	var modes []cute.Tuple
	for i, m := range r.in.modes {
		x := cute.Int(count(m))
		if i == 0 && r.part.copies() {
			x = cute.Ints(count(r.in.value), count(m))
		}
		modes = append(modes, x)
	}
	t, _ := cute.MakeTuple(modes...) // a tuple of integers and pairs is always valid
	return t
}

// A Place says which truth value guards an element of a tile.
type Place struct {
	Thread int64 // the thread of the TiledCopy or TiledMMA; -1 if no thread has the element
	Index  int64 // where the thread keeps the truth value, an offset of [Predicate.Layout]
}

// Places returns for each element of the tile, rounded up to whole tiles of the TiledCopy, in colexicographic order,
// the thread that copies it and the truth value that guards it. The shape consists of the Covers of the edges. It
// returns [cute.CodeLimit] if there are more than [MaxTile] threads and values.
func (r Predicate) Places() ([]Place, error) {
	size, n := int64(1), int64(1)
	for _, x := range r.in.shape {
		size *= x
	}
	for _, list := range append([][]leaf{r.in.threads, r.in.value}, r.in.modes...) {
		for _, f := range list {
			if n > MaxTile/f.n {
				return nil, fail(cute.CodeLimit, "predicate", "expected at most %d values of all threads, found more", MaxTile)
			}
			n *= f.n
		}
	}
	places := make([]Place, size)
	for i := range places {
		places[i].Thread = -1
	}
	index := r.offsets()
	values, begins := r.indices(r.in.value), r.indices(flatten(r.in.modes))
	for t, at := range r.indices(r.in.threads) {
		for i, rest := range begins {
			for _, v := range values {
				places[at+rest+v] = Place{int64(t), index[i]}
			}
		}
	}
	return places, nil
}

// flatten returns the leaves of all modes.
func flatten(modes [][]leaf) []leaf {
	var list []leaf
	for _, m := range modes {
		list = append(list, m...)
	}
	return list
}

// offsets returns the offset of each truth value by its colexicographic index.
func (r Predicate) offsets() []int64 {
	all, err := r.layout.AppendOffsets(nil)
	if err != nil {
		return nil // impossible for the layout of a partition
	}
	return all
}

// indices returns the colexicographic index in the tile of each copy of the leaves, in order.
//
//go:noinline
func (r Predicate) indices(list []leaf) []int64 {
	at := []int64{0}
	for _, f := range list {
		step, scale := int64(0), int64(1)
		for k, n := range r.in.shape {
			step += f.d[k] * scale
			scale *= n
		}
		base := at
		for i := int64(1); i < f.n; i++ {
			for _, x := range base {
				at = append(at, x+i*step)
			}
		}
	}
	return at
}
