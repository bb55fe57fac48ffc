package cute

import (
	"slices"

	"girih/internal/ints"
)

// This file tiles one mode as a whole: a divide gives a tile and the tiles, a product a block and its copies. A divide
// takes the complement of the tile in the mode's shape and composes the mode with tile and complement; if these do not
// fit, the divide pads the mode.

// A tiledMode is a mode that a divide tiles as a whole by a tile B.
type tiledMode struct {
	mixedRadix       // the coalesced leaves of the mode
	shape      int   // the first shape leaves are the mode's shape
	tiles      modes // the leaves of (B,B*)
	filled     int   // the first filled leaves of tiles are B and the modes that fill B's gaps
	block      int64 // the number of indices that the filled leaves cover
}

// divide divides a mode of a as a whole by the tiler t.
func (w *tiling) divide(a *Layout, m part, t Tiler) error {
	op := w.op.String()
	b, ok := t.(Layout)
	if !ok {
		var err error
		if b, err = whole(op, t); err != nil {
			return err
		}
	}
	lo, hi := m.lo, m.hi
	if b.cod != nil {
		return w.divideByCoordinates(a.part(m.prof, lo, hi), b, a.cod)
	}
	var sb, db [fewModes]int64
	var te, td [fewModes]int64
	k := w.out.k
	var f tiledMode
	f.s, f.d, f.k = buffer(sb[:], hi-lo+1), buffer(db[:], (hi-lo+1)*k), k
	f.coalesceZ(a.v[lo:hi], a.strides()[lo*k:hi*k])
	f.shape = f.n
	if f.n > 1 && f.s[f.n-1] == 1 {
		f.shape--
	}
	shape := f.s[:f.shape]
	n := b.leaves()
	f.tiles.s, f.tiles.d, f.tiles.n, f.tiles.k = buffer(te[:], 2*n+1), buffer(td[:], 2*n+1), n, 1
	tiles := &f.tiles
	for i := range n {
		tiles.s[i], tiles.d[i] = b.v[i], b.v[n+i]
	}
	if w.trace != nil {
		w.trace.tiles(b)
		w.trace.begin("complement", b, Ints(shape...))
		f.tiles.trace = w.trace
	}
	var err error
	if f.block, err = tiles.fillGaps(op, &b, gapAxes{}, fillWhole); err != nil {
		return err
	}
	f.filled = tiles.n
	if err := tiles.fillRest(op, &b, shape, f.block); err != nil {
		return err
	}
	tiles.putUnit(n)
	if tiles.trace = nil; w.trace != nil {
		w.trace.end(tiles.rest(&b))
	}
	switch v := w.countReal(a.v[lo:hi], n, tiles); v {
	case overflows:
		return missError(op, v, a.part(m.prof, lo, hi), b)
	case carries:
		if !w.placeGrown(&f, &b) {
			return missError(op, v, a.part(m.prof, lo, hi), b)
		}
		return nil
	}
	return w.placeTiles(&f, &b, a.cod)
}

// countReal multiplies w.real by the number of real coordinates of this mode: its extents are s, and the first n leaves
// of the tiles are B. It fails if the tiles miss elements or are too many.
func (w *tiling) countReal(s []int64, n int, tiles *modes) verdict {
	size, repeat, covered, ok := int64(1), int64(1), int64(1), true
	for _, e := range s {
		size *= e
	}
	for i, e := range tiles.s[:tiles.n] {
		if i < n && tiles.d[i] == 0 {
			// A tile that repeats elements repeats every element equally often.
			ok = mulInto(&repeat, e) && ok
		} else {
			ok = mulInto(&covered, e) && ok
		}
	}
	real, all := size, covered
	ok = mulInto(&real, repeat) && ok
	ok = mulInto(&w.real, real) && ok
	if ok = mulInto(&all, repeat) && ok; !ok {
		return overflows
	}
	if covered < size {
		if w.trace != nil {
			w.trace.add(Miss{covered, size})
		}
		return carries
	}
	return universal
}

// missError is the error for tiles that overflow or do not cover a, or for a first tile of b that is not a layout.
func missError(op string, v verdict, a, b Layout) error {
	if v == overflows {
		return overflowError(op, "the size of the tiles of %v by %v", a, b)
	}
	if _, err := Composition(a, b); err != nil {
		return err
	}
	return errorf(CodeNotDivisible, op,
		"the tiles of %v, rounded up mode by mode, do not reach all %d elements of %v, and the tile itself goes on beyond the mode that would have to be padded",
		b, a.Size(), a)
}

// mulInto multiplies *a by b, and reports whether the product fits.
func mulInto(a *int64, b int64) (ok bool) {
	*a, ok = ints.Mul(*a, b)
	return ok
}

// placeTiles composes the mode with its tiles. If the tiles do not fit, placeTiles pads the mode.
func (w *tiling) placeTiles(f *tiledMode, b *Layout, cod *codomain) error {
	var cb [stackModes]uint8
	counts, tiles := cb[:], &f.tiles
	if tiles.n > len(counts) {
		counts = make([]uint8, tiles.n)
	}
	from := w.out.n
	if w.trace != nil {
		w.trace.compose(w.trace.top().A, tiles.tileLayout(b), &f.mixedRadix)
	}
	v := f.compose(&w.out, tiles.s[:tiles.n], tiles.d[:tiles.n], counts)
	if w.out.full {
		return nil
	}
	if v == overflows {
		return overflowError(w.op.String(), "the strides of the tiles of %v", *b)
	}
	if v == carries {
		// The strides may coincide; otherwise padding may help.
		w.out.n = from
		if w.trace != nil {
			w.trace.add(Table{tiles.tileLayout(b).Size()})
		}
		l, refusal := w.placeByTable(f, counts, cod)
		if refusal != nil {
			w.trace.drop()
			if !w.placeGrown(f, b) {
				return refusal
			}
			return nil
		}
		if err := w.out.putLayout(l, cod); err != nil {
			return err
		}
	}
	w.addTiles(b, counts[:tiles.n], from)
	if w.trace != nil {
		w.trace.end(w.lastPair(cod))
	}
	return nil
}

// addTiles adds the tile and the rest as parts. Their leaves begin at place from; counts gives the number of leaves for
// each leaf of (B,B*).
func (w *tiling) addTiles(b *Layout, counts []uint8, from int) {
	n := b.leaves()
	at := from
	for _, c := range counts[:n] {
		at += int(c)
	}
	w.add(splitProfile(b.profile(), counts[:n]), from, at)
	w.add(splitProfile(unwrappedProfile(len(counts)-n), counts[n:]), at, w.out.n)
}

// placeGrown pads the shape of the mode until the tiles fit: first B and its gaps, then whole blocks. It reports
// whether the tiles fit, and also returns true if there is no room for more leaves.
func (w *tiling) placeGrown(f *tiledMode, b *Layout) bool {
	tiles := &f.tiles
	tiles.n = f.filled
	reach := int64(0)
	for i, s := range b.extents() {
		reach += (s - 1) * tiles.d[i] // below the block
	}
	size, ok := f.grow(f.shape, tiles, f.block, reach)
	if !ok || tiles.fillRest(w.op.String(), b, []int64{size}, f.block) != nil {
		return false
	}
	tiles.putUnit(b.leaves())
	repeat := int64(1)
	for i, s := range b.extents() {
		if tiles.d[i] == 0 {
			repeat *= s
		}
	}
	if _, ok := ints.Mul(size, repeat); !ok {
		return false
	}
	counts := make([]uint8, tiles.n)
	from := w.out.n
	f.n = f.shape // the tiles end where the last mode ends, so they never reach the leaves after the shape
	if w.trace != nil {
		w.recordPad(&f.mixedRadix, tiles, b)
	}
	if f.compose(&w.out, tiles.s[:tiles.n], tiles.d[:tiles.n], counts) != universal {
		return w.out.full
	}
	if !w.out.full {
		w.addTiles(b, counts, from)
		if w.trace != nil {
			w.trace.end(w.lastPair(w.trace.top().cod))
		}
	}
	return true
}

// placeByTable looks at the values to decide a composition with the tiles.
func (w *tiling) placeByTable(f *tiledMode, counts []uint8, cod *codomain) (Layout, error) {
	a, err := f.layout(w.op.String(), flatProfile(f.n), cod)
	if err != nil {
		return Layout{}, err
	}
	b, err := f.tiles.layout(w.op.String(), flatProfile(f.tiles.n), nil)
	if err != nil {
		return Layout{}, err
	}
	r, err := composeByTable(a, b, w.Until)
	if err != nil {
		return Layout{}, err
	}
	m := modesOf(r.prof)
	for i := 0; m.next(); i++ {
		counts[i] = uint8(m.hi - m.lo)
	}
	return r, nil
}

// divideByCoordinates divides a by a tile with coordinate strides, which address the modes of a.
func (w *tiling) divideByCoordinates(a, b Layout, cod *codomain) error {
	target, err := collapse(a.Shape(), b.cod.prof)
	if err != nil {
		return err
	}
	rest, err := complementer{op: w.op.String(), how: coversSize}.of(b, target)
	if err != nil {
		return err
	}
	tiles, err := MakeLayout(b, rest)
	if err != nil {
		return err
	}
	var r Layout
	if w.trace != nil {
		w.trace.tiles(b)
		w.trace.begin("composition", a, tiles)
	}
	if err := compose(&r, &a, &tiles, w.caller); err != nil {
		return err
	}
	w.trace.end(r)
	from := w.out.n
	if err := w.out.putLayout(r, cod); err != nil {
		return err
	}
	for m := modesOf(r.prof); m.next(); {
		w.add(m.prof, from+m.lo, from+m.hi)
	}
	repeat := int64(1)
	for i, e := range b.extents() {
		if isZero(b.stride(i)) {
			repeat *= e
		}
	}
	if r.Size()/repeat < a.Size() {
		return missError(w.op.String(), carries, a, b)
	}
	if !mulInto(&w.real, a.Size()*repeat) { // a.Size()*repeat is at most the size of r
		return missError(w.op.String(), overflows, a, b)
	}
	return nil
}

// collapse returns the shape, collapsing into one leaf each mode that an integer addresses in coordinates of profile p.
func collapse(shape Tuple, p string) (Tuple, error) {
	if p == "." || shape.prof == "." {
		size, err := shape.Product()
		return Int(size), err
	}
	ms := shape.Modes()
	m := modesOf(p)
	for i := range ms {
		sub := "."
		if m.next() {
			sub = m.prof
		}
		var err error
		if ms[i], err = collapse(ms[i], sub); err != nil {
			return Tuple{}, err
		}
	}
	return MakeTuple(ms...)
}

// grow enlarges the first m extents, from left to right, to the least extents such that every mode ends where copies of
// the tile begin: at a step of a leaf of the tiles (B and its gaps), or after whole blocks; the last mode ends after
// whole blocks. A∘B must not change: a mode grows only if B, whose greatest index is reach, does not reach beyond the
// mode, or if the mode is the last. grow returns the new size, and false if there are no such extents.
//
//	(5,5) by 2:3   leaves 2:3 and the gap 3:1, block 6: a mode may end at 1, 3 and multiples of 6, and 5 grows to 6;
//	               (6,5) has 5 blocks: (2,(3,5)):(3@0,(1@0,1@1)), where x < 5 is real
func (f *mixedRadix) grow(m int, tiles *modes, block, reach int64) (size int64, ok bool) {
	size = 1
	given, grown := int64(1), false
	for i, s := range f.s[:m] {
		given *= s
		whole := block / ints.GCD(size, block)
		most, ok := ints.Mul(ints.CeilDiv(s, whole), whole)
		if !ok {
			return 0, false
		}
		next := s
		for next < most && (i == m-1 || !tiles.mayEnd(size, next, block)) {
			if next++; i == m-1 || next-s > mostGrowth {
				next = most
			}
		}
		if next > s && i < f.n-1 && !grown {
			if reach >= given {
				return 0, false
			}
			grown = true
		}
		f.s[i] = next
		if size, ok = ints.Mul(size, next); !ok {
			return 0, false
		}
	}
	return size, true
}

// mostGrowth limits how far an extent grows, in steps of one, to end within a block.
const mostGrowth = 1 << 12

// mayEnd reports whether modes that together have size·s elements end at a step of a leaf, or after whole blocks.
func (m *modes) mayEnd(size, s, block int64) bool {
	end, ok := ints.Mul(size, s)
	if !ok || end%block == 0 {
		return ok
	}
	for i, e := range m.s[:m.n] {
		if d := m.d[i]; d > 0 && d <= end && end/d < e {
			return end%d == 0 && e%(end/d) == 0
		}
	}
	return false
}

// multiply tiles a mode of a as a whole: a block, repeated over the tiler t.
func (w *tiling) multiply(a *Layout, m part, t Tiler) error {
	b, err := whole(w.op.String(), t)
	if err != nil {
		return err
	}
	w.keep(a, m)
	block := *a
	if m.hi-m.lo != a.leaves() {
		block = a.part(m.prof, m.lo, m.hi)
	}
	from := w.out.n
	w.trace.tiles(b)
	nesting, err := w.out.putCopies(w.op.String(), &block, &b, a.cod, w.Until)
	w.add(nesting, from, w.out.n)
	return err
}

// putCopies appends A*∘B, the places of the copies of a, over the axes of cod. It returns the nesting of the places,
// which is b's nesting with the leaves split. If there is no room for the places, it sets m.full, and the result is
// meaningless.
func (m *modes) putCopies(op string, a, b *Layout, cod *codomain, stop Until) (nesting string, err error) {
	if b.cod != nil {
		return "", errorf(CodeCodomain, op, "the tiler of a product counts copies with integers, found %v", *b)
	}
	if err := bothSides(op, a, b); err != nil {
		return "", err
	}
	var sb, db [fewModes]int64
	var cb [stackModes]uint8
	n, k := a.leaves()+m.k, m.k
	var f mixedRadix
	f.s, f.d, f.k, f.trace = buffer(sb[:], n), buffer(db[:], n*k), k, m.trace
	if err := f.endlessComplement(op, a, cod); err != nil {
		return "", err
	}
	if m.trace != nil {
		m.trace.compose(f.part(part{unwrappedProfile(f.n), 0, f.n}, cod), *b, &f)
	}
	counts := cb[:]
	if m := b.leaves(); m > len(counts) {
		counts = make([]uint8, m)
	}
	from := m.n
	switch v := f.compose(m, b.extents(), b.strides(), counts); {
	case m.full:
		return "", nil
	case v == overflows:
		return "", overflowError(op, "the places of the copies of %v", *a)
	case v == carries:
		m.n = from
		if m.trace != nil {
			m.trace.add(Table{b.Size()})
		}
		places, err := f.layout(op, flatProfile(f.n), cod)
		if err != nil {
			return "", err
		}
		r, err := composeByTable(places, *b, stop)
		if err != nil {
			return "", err
		}
		m.trace.end(r)
		return r.profile(), m.putLayout(r, cod)
	}
	nesting = splitProfile(b.profile(), counts[:b.leaves()])
	if m.trace != nil {
		m.trace.end(m.part(part{nesting, from, m.n}, cod))
	}
	return nesting, nil
}

// bothSides refuses a tiler with places on both sides of the block, such as (2,2):(1,-1), if the block has no
// complement. Below the block the places mirror those above it. The part between a place above and one below is
// known only if the gaps are filled without a remainder.
func bothSides(op string, a, b *Layout) error {
	var below, above bool
	for i, d := range b.strides() {
		if b.extents()[i] > 1 {
			below, above = below || d < 0, above || d > 0
		}
	}
	if !below || !above {
		return nil
	}
	if _, err := ComplementCosize(*a); err != nil {
		return errorf(CodeNegative, op,
			"the tiler %v counts copies on both sides of the block, and %v, which has no complement, would meet its own copies there",
			*b, *a)
	}
	return nil
}

// endlessComplement appends the complement of a without a cotarget, over the axes of cod: for each axis the modes that
// fill a's gaps, then a mode of extent 1 whose stride is a's block. The very last mode is unbounded.
func (f *mixedRadix) endlessComplement(op string, a *Layout, cod *codomain) error {
	if a.cod == nil && cod != nil {
		return errorf(CodeCodomain, op, "the block %v moves along no axis, so its copies have no place to go", *a)
	}
	if a.cod == nil {
		block, err := f.fillGaps(op, a, gapAxes{}, fillSome)
		f.putAlong(1, block, 0)
		return err
	}
	for axis, path := range a.cod.paths {
		for i := range a.leaves() {
			if err := singleAxis(op, *a, i); err != nil {
				return err
			}
		}
		along, _ := slices.BinarySearchFunc(cod.paths, path, slices.Compare[[]int])
		block, err := f.fillGaps(op, a, gapAxes{axis, along}, fillSome)
		if err != nil {
			return err
		}
		// Only the last axis needs the mode of extent 1: copies continue along the last axis only.
		if axis == len(a.cod.paths)-1 {
			f.putAlong(1, block, along)
		}
	}
	return nil
}
