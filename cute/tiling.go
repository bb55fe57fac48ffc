package cute

// This file defines the working form of divides and products, and the four arrangements of their results. For a tile
// <TM,TN> over modes (M,N,L):
//
//	logical ((TM,RM),(TN,RN),L)   zipped ((TM,TN),(RM,RN,L))   tiled ((TM,TN),RM,RN,L)   flat (TM,TN,RM,RN,L)

// form is the arrangement of the result of a divide or a product.
type form int

const (
	logical form = iota
	zipped
	tiled // the rests are unpacked
	flat  // tiles and rests are unpacked
)

// A tiling collects the leaves of a result in parts: a tile and a rest for each mode that is tiled, and one part for
// every other mode. As in modes, the caller provides the buffers.
//
// A tiling holds nothing that a result or an error refers to, so that it can stay on the stack: it contains the
// operation's number instead of its name, and the codomain stays with the tiled layout.
type tiling struct {
	op    operation
	kind  tilingKind
	form  form
	out   modes
	parts []part // the first count parts are in use
	count int
	units int   // the number of modes that are not divided; their tile is 1:0
	real  int64 // in a divide: the number of coordinates that are elements, not padding
	caller
}

// An operation is an index into operationNames.
type operation uint8

const (
	opTileUnzip operation = iota
	opLogicalDivide
	opZippedDivide
	opTiledDivide
	opFlatDivide
	opLogicalProduct
	opZippedProduct
	opTiledProduct
	opFlatProduct
	opBlockedProduct
	opRakedProduct
)

var operationNames = [...]string{
	"tile_unzip", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product",
	"zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product",
}

func (o operation) String() string { return operationNames[o] }

// form returns the form of a divide, a product or a tile_unzip.
func (o operation) form() form {
	if o == opTileUnzip {
		return zipped
	}
	return form(o-opLogicalDivide) & flat // divides and products have their forms in the same order
}

// kind returns what the operation does with a mode tiled as a whole.
func (o operation) kind() tilingKind {
	switch {
	case o == opTileUnzip:
		return collects
	case o <= opFlatDivide:
		return divides
	}
	return multiplies
}

// tilingKind says what a tiling does with a mode that is tiled as a whole.
type tilingKind int

const (
	collects   tilingKind = iota // makes the pair (tile,rest) that the mode already is
	divides                      // makes the tile and the tiles around it
	multiplies                   // makes the block and its copies
)

func (w *tiling) add(prof string, lo, hi int) {
	if w.count == len(w.parts) {
		w.out.full = true
		return
	}
	w.parts[w.count] = part{prof, lo, hi}
	w.count++
}

// keep adds the leaves of a mode of a as one part.
func (w *tiling) keep(a *Layout, m part) {
	from, k := w.out.n, w.out.k
	d := a.strides()[m.lo*k:]
	for i := m.lo; i < m.hi; i++ {
		w.out.put(a.v[i], d[:k])
		w.real *= a.v[i]
		d = d[k:]
	}
	w.add(m.prof, from, w.out.n)
}

// takesApart reports whether a mode under _ is nested like a pair (tile,rest), which tile_unzip takes apart.
func (w *tiling) takesApart(prof string) bool {
	return w.kind == collects && prof != "." && profileRank(prof) == 2
}

// A tiledLayout receives the leaves of the parts in the order of a form, and their nesting as text. It contains the
// buffer of the text, so that a tiledLayout passed by pointer can stay on the stack; long holds a longer text.
type tiledLayout struct {
	v     []int64 // the result: n extents, then the strides
	n, at int     // at is the next leaf
	next  int     // the next part of the tiling
	text  [96]byte
	used  int
	long  []byte // the whole text, once it does not fit into text
}

// arrange stores in l the layout of the parts in the form; prof is the nesting of the layout that was tiled.
func (w *tiling) arrange(l *Layout, prof string, t Tiler, cod *codomain) error {
	if _, modewise := byMode(t); !modewise && t != Keep {
		return w.pair(l, cod)
	}
	var p tiledLayout
	if w.form == logical {
		p.begin(w.out.n-1, w.out.k) // leaf 0 belongs to no part
		p.walk(w, prof, t, bothParts)
		return p.end(l, w.op.String(), cod)
	}
	p.begin(w.out.n-1+w.units, w.out.k)
	p.write("(")
	at := p.used
	p.walk(w, prof, t, tileParts)
	if w.form == flat {
		p.unwrapFrom(at)
	}
	p.next = 0
	at = p.len()
	p.walk(w, prof, t, restParts)
	if w.form != zipped {
		p.unwrapFrom(at)
	}
	p.write(")")
	return p.end(l, w.op.String(), cod)
}

// pair stores the result of a tiling as a whole, (tile,rest). The leaves are already in order in every form.
func (w *tiling) pair(l *Layout, cod *codomain) error {
	tile, rest := w.parts[0].prof, w.parts[1].prof
	if w.form == flat {
		tile = unwrap(tile)
	}
	if w.form == tiled || w.form == flat {
		rest = unwrap(rest)
	}
	k := w.out.k
	var m modes
	m.s, m.d, m.n, m.k = w.out.s[1:], w.out.d[k:], w.out.n-1, k // leaf 0 belongs to no part
	counts := [2]uint8{flatLeaves(tile), flatLeaves(rest)}
	if counts[0] != 0 && counts[1] != 0 {
		if prof := groupedProfile(counts[:]); prof != "" {
			return m.layoutTo(l, w.op.String(), prof, cod)
		}
	}
	return m.layoutTo(l, w.op.String(), joinProfiles(tile, rest), cod)
}

// flatLeaves returns the number of leaves of a nesting that is one leaf or a flat group of at least two leaves, with or
// without its parentheses; for other nestings it returns 0.
func flatLeaves(prof string) uint8 {
	if prof == "." {
		return 1
	}
	n := len(prof) - 2
	if n < 2 || n > mostGrouped || prof != flatProfiles[n] {
		return 0
	}
	return uint8(n)
}

// unwrap returns the nesting without its outer parentheses; a leaf stays a leaf.
func unwrap(prof string) string {
	if prof == "." {
		return prof
	}
	return prof[1 : len(prof)-1]
}

// begin makes room for n leaves with strides of k numbers.
func (p *tiledLayout) begin(n, k int) {
	p.n = n
	p.v = make([]int64, n*(1+k))
}

// end stores the layout in l.
func (p *tiledLayout) end(l *Layout, op string, cod *codomain) (err error) {
	l.v, l.prof, l.cod = p.v, internProfile(p.bytes()), nil
	if cod == nil && l.fitsQuickly() {
		return nil
	}
	*l, err = finish(op, p.v, l.prof, cod)
	return err
}

// write appends to the text.
//
//go:noinline
func (p *tiledLayout) write(s string) {
	if p.long == nil && p.used+len(s) <= len(p.text) {
		// Nestings are a few bytes: a loop beats a call of memmove.
		to := p.text[p.used:]
		for i := range len(s) {
			to[i] = s[i]
		}
		p.used += len(s)
		return
	}
	if p.long == nil {
		p.long = append(p.long, p.text[:p.used]...)
	}
	p.long = append(p.long, s...)
}

func (p *tiledLayout) bytes() []byte {
	if p.long != nil {
		return p.long
	}
	return p.text[:p.used]
}

func (p *tiledLayout) len() int { return len(p.bytes()) }

// unwrapFrom removes the outer parentheses of the text from place at on, if it is a tuple.
func (p *tiledLayout) unwrapFrom(at int) {
	b := p.bytes()
	if b[at] != '(' {
		return
	}
	copy(b[at:], b[at+1:len(b)-1])
	if p.long != nil {
		p.long = p.long[:len(b)-2]
		return
	}
	p.used -= 2
}

// put copies the leaves of a part from m and writes its nesting.
func (p *tiledLayout) put(m *modes, o part) {
	k := m.k
	for i := o.lo; i < o.hi; i++ {
		p.v[p.at] = m.s[i]
		if to := p.n + p.at*k; k == 1 {
			p.v[to] = m.d[i]
		} else {
			copy(p.v[to:to+k], m.d[i*k:])
		}
		p.at++
	}
	p.write(o.prof)
}

// side is the set of parts that a walk writes.
type side int

const (
	bothParts side = iota
	tileParts
	restParts
)

// walk writes the parts of a mode of nesting prof that was tiled by t, but not the parts of the other side.
func (p *tiledLayout) walk(w *tiling, prof string, t Tiler, s side) {
	ts, ok := byMode(t)
	switch {
	case ok:
		p.walkModes(w, prof, ts, s)
		return
	case t == Keep:
		p.walkKept(w, s)
		return
	}
	tile, rest := w.parts[p.next], w.parts[p.next+1]
	p.next += 2
	switch s {
	case tileParts:
		p.put(&w.out, tile)
	case restParts:
		p.put(&w.out, rest)
	case bothParts:
		p.write("(")
		p.put(&w.out, tile)
		p.put(&w.out, rest)
		p.write(")")
	}
}

func (p *tiledLayout) walkModes(w *tiling, prof string, ts []Tiler, s side) {
	p.write("(")
	m := modesOf(prof)
	if prof == "." {
		m = modesOf("(.)") // the only mode of an integer is the integer
	}
	for i := 0; m.next(); i++ {
		if i < len(ts) {
			p.walk(w, m.prof, ts[i], s)
			continue
		}
		if s != tileParts {
			p.put(&w.out, w.parts[p.next])
		}
		p.next++
	}
	p.write(")")
}

// walkKept writes a mode that was left alone: the whole mode, as a rest whose tile is 1:0. For tile_unzip it writes the
// mode's tile and rest.
func (p *tiledLayout) walkKept(w *tiling, s side) {
	o := w.parts[p.next]
	p.next++
	switch {
	case s == bothParts:
		p.put(&w.out, o)
	case w.takesApart(o.prof):
		m := modesOf(o.prof)
		m.next()
		if s == restParts {
			m.next()
		}
		p.put(&w.out, part{m.prof, o.lo + m.lo, o.lo + m.hi})
	case s == tileParts:
		p.put(&w.out, part{".", 0, 1}) // leaf 0 of a tiling is 1:0
	default:
		p.put(&w.out, o)
	}
}

// The steps of divides and products follow. Tiled by mode, their steps include the derivations of the modes. Tiled as a
// whole, a divide records the derivations of the tile's complement and of the composition with tile and complement; a
// product records the gaps of the block and the composition of the places for copies with the tiler.

// A Pad is the coalesced layout before and after its extents grow so that its modes end where copies of the tile begin.
// Only the complement and the composition after the Pad count.
type Pad struct{ From, To Layout }

// A Miss says that the tiles of a divide, each extent rounded up, do not cover all elements.
type Miss struct{ Covered, Elements int64 }

// An Arrange is a form of the result: logical, zipped, tiled or flat.
type Arrange struct {
	Form   string
	Result Layout
}

// An Extend adds modes 1:0 to the operand with fewer modes.
type Extend struct{ From, To Layout }

// A Pair is a mode of the block with the mode of its copies: together they are a mode of a blocked or a raked product.
type Pair struct{ Block, Copies Layout }

// A Fill is one mode of tile_to_shape: the sizes of the target and the block in that mode, the number of copies of the
// block, rounded up, and the mode's number in the order. The blocked product that follows makes the result.
type Fill struct{ Target, Block, Copies, Order int64 }

func (Fill) derives() {}

func (Pad) derives() {}

func (Miss) derives() {}

func (Arrange) derives() {}

func (Extend) derives() {}

func (Pair) derives() {}

// compose begins the composition of a with b; the leaves f are a, coalesced.
func (t *trace) compose(a, b Layout, f *mixedRadix) {
	t.begin("composition", a, b)
	t.radices(f, nil)
}

// part returns the leaves of a part as a layout, which fits because the layout of all leaves fits.
func (m *modes) part(p part, cod *codomain) Layout {
	own := modes{s: m.s[p.lo:p.hi], d: m.d[p.lo*m.k : p.hi*m.k], n: p.hi - p.lo, k: m.k}
	l, _ := own.layout("", p.prof, cod)
	return l
}

// tileLayout returns the layout (B,B*) of the leaves of the tiles.
func (m *modes) tileLayout(b *Layout) Layout {
	n := b.leaves()
	return m.part(part{joinProfiles(b.profile(), unwrappedProfile(m.n-n)), 0, m.n}, nil)
}

// lastPair returns the layout of the two parts that were added last.
func (w *tiling) lastPair(cod *codomain) Layout {
	x, y := w.parts[w.count-2], w.parts[w.count-1]
	return w.out.part(part{joinProfiles(x.prof, y.prof), x.lo, y.hi}, cod)
}

// recordPad records that the leaves of f have grown, and begins the complement and the composition again.
func (w *tiling) recordPad(f *mixedRadix, tiles *modes, b *Layout) {
	d := w.trace.top()
	c := Coalesce(d.A)
	to := f.part(part{unwrappedProfile(f.n), 0, f.n}, d.cod)
	w.trace.add(Pad{c, to})
	w.trace.begin("complement", *b, Int(to.Size()))
	w.trace.end(tiles.rest(b))
	w.trace.compose(to, tiles.tileLayout(b), f)
}

// rest returns the layout B* of the leaves of the tiles after B.
func (m *modes) rest(b *Layout) Layout {
	n := b.leaves()
	return m.part(part{unwrappedProfile(m.n - n), n, m.n}, nil)
}

// recordArrange records the forms that lead to the form of the operation.
func (w *tiling) recordArrange(a Layout, t Tiler) {
	f := w.form
	for g := min(f, zipped); g <= f; g++ {
		if g == tiled && f == flat {
			continue
		}
		var l Layout
		if w.form = g; w.arrange(&l, a.profile(), t, a.cod) == nil {
			w.trace.add(Arrange{formNames[g], l})
		}
	}
}

var formNames = [...]string{"logical", "zipped", "tiled", "flat"}
