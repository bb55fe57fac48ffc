package cute

// This file holds the working form of divides and products, and the arrangements of their result. For a tile
// <TM,TN> over modes (M,N,L):
//
//	logical ((TM,RM),(TN,RN),L)   zipped ((TM,TN),(RM,RN,L))   tiled ((TM,TN),RM,RN,L)   flat (TM,TN,RM,RN,L)

// form is the arrangement of a divide or a product.
type form int

const (
	logical form = iota
	zipped
	tiled // the rests unpacked
	flat  // tiles and rests unpacked
)

// A tiling collects the leaves of a result in parts: for each mode that is tiled its tile and its rest, for every
// other mode itself. Its buffers are the caller's, as those of modes.
//
// It holds nothing that reaches a result or an error, so that it can stay on the stack: the name of the operation
// is a number, and the codomain is that of the layout that is tiled.
type tiling struct {
	op    operation
	kind  tilingKind
	form  form
	out   modes
	parts []part // the first count are in use
	count int
	units int   // modes left alone, whole, that have 1:0 for a tile
	real  int64 // of a divide: the number of coordinates that stand for elements
	caller
}

// An operation is the place of its name in operationNames.
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
	return form(o-opLogicalDivide) & flat // the forms of the divides come in order, and then those of the products
}

// kind returns what a tiling for the operation does with a mode that is tiled as a whole.
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
	collects   tilingKind = iota // takes the pair that it is
	divides                      // into the tile and the tiles
	multiplies                   // into the block and its copies
)

// A part is a mode of the result: the leaves [lo, hi) of out in a nesting.
type part struct {
	prof   string
	lo, hi int
}

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

// tile tiles a mode of a by t: mode by mode, or as a whole.
func (w *tiling) tile(a *Layout, m part, t Tiler) error {
	ts, ok := byMode(t)
	switch {
	case ok:
		return w.tileModes(a, m, ts)
	case t == Keep:
		if !w.takesApart(m.prof) {
			w.units++
		}
		w.keep(a, m)
		return nil
	}
	switch w.kind {
	case divides:
		return w.divide(a, m, t)
	case multiplies:
		return w.multiply(a, m, t)
	}
	return w.collect(a, m)
}

// takesApart reports whether a mode of nesting prof under _ is the pair (tile,rest) of an earlier divide or product.
func (w *tiling) takesApart(prof string) bool {
	return w.kind == collects && prof != "." && profileRank(prof) == 2
}

// tileModes tiles the modes of a mode that there are tilers for, and keeps the others.
func (w *tiling) tileModes(a *Layout, m part, ts []Tiler) error {
	if n := profileRank(m.prof); len(ts) > n {
		return tileRankError(w.op.String(), len(ts), a.part(m.prof, m.lo, m.hi))
	}
	if m.prof == "." && len(ts) == 1 {
		if w.trace != nil {
			return w.tileMode(0, a, m, ts[0])
		}
		return w.tile(a, m, ts[0])
	}
	if m.prof == "." {
		w.keep(a, m)
		return nil
	}
	subs := modesOf(m.prof)
	for i := 0; subs.next(); i++ {
		sub := part{subs.prof, m.lo + subs.lo, m.lo + subs.hi}
		if i >= len(ts) {
			w.keep(a, sub)
			if w.trace != nil {
				mode := a.part(sub.prof, sub.lo, sub.hi)
				w.trace.part(i, mode, nil)
				w.trace.end(mode)
			}
			continue
		}
		var err error
		if w.trace != nil {
			err = w.tileMode(i, a, sub, ts[i])
		} else {
			err = w.tile(a, sub, ts[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tileMode tiles mode i, of which there are the leaves of m in a, and has its steps taken down.
func (w *tiling) tileMode(i int, a *Layout, m part, t Tiler) error {
	w.trace.part(i, a.part(m.prof, m.lo, m.hi), t)
	before := w.count
	if err := w.tile(a, m, t); err != nil {
		return err
	}
	var l Layout
	if w.count == before+2 {
		l = w.lastPair(a.cod)
	}
	w.trace.end(l)
	return nil
}

// collect takes a mode that is the pair (tile,rest) already, from a logical divide or product.
func (w *tiling) collect(a *Layout, m part) error {
	if m.prof == "." || profileRank(m.prof) != 2 {
		return errorf(CodeRank, w.op.String(), "expected a pair (tile,rest), found %v", a.part(m.prof, m.lo, m.hi))
	}
	for sub := modesOf(m.prof); sub.next(); {
		w.keep(a, part{sub.prof, m.lo + sub.lo, m.lo + sub.hi})
	}
	return nil
}

// tilingSize returns the number of leaves and parts that a tiling of a by t can have.
func tilingSize(a Layout, t Tiler) (leaves, parts int) {
	n := tilerLeaves(t)
	return 2 + 2*a.leaves() + 2*n + 64*(1+a.Rank()), 2 + 2*(a.leaves()+n)
}

// tilerLeaves returns the number of leaves of all layouts in the tiler.
func tilerLeaves(t Tiler) int {
	switch t := t.(type) {
	case Layout:
		return t.leaves()
	case Tuple:
		return t.leaves()
	case Tile:
		n := 0
		for _, e := range t.elems {
			n += 1 + tilerLeaves(e)
		}
		return n
	}
	return 1
}

// tile runs a tiling of a by t on the stack, and again with more room if that is too little. It stores the result in l,
// in the form of the operation, and returns the number of coordinates that a divide added.
func (o operation) tile(l *Layout, a Layout, t Tiler, c caller) (added int64, err error) {
	var sb, db [stackModes]int64
	var pb [8]part
	k := a.cod.axes()
	var w tiling
	w.op, w.kind, w.form, w.parts, w.real, w.caller = o, o.kind(), o.form(), pb[:], 1, c
	w.out.s, w.out.d, w.out.k = sb[:], buffer(db[:], k), k
	w.out.putAlong(1, 0, 0)                                   // leaf 0 stands for a tile that does not exist
	if w.out.full = c.trace.over(a.cod) != nil; !w.out.full { // steps are taken once, with room for all
		err = w.tile(&a, part{a.profile(), 0, a.leaves()}, t)
	}
	if w.out.full {
		leaves, parts := tilingSize(a, t)
		w = tiling{op: o, kind: w.kind, form: w.form, real: 1, caller: c}
		w.out, w.parts = heapModes(leaves, k), make([]part, parts)
		w.out.trace = c.trace
		w.out.putAlong(1, 0, 0)
		err = w.tile(&a, part{a.profile(), 0, a.leaves()}, t)
	}
	if err != nil {
		return 0, err
	}
	if err = w.arrange(l, a.profile(), t, a.cod); err != nil {
		return 0, err
	}
	if c.trace != nil {
		w.arranged(a, t)
	}
	return l.Size() - w.real, nil
}

// TileUnzip returns the pairs (tile,rest) of a, which stand where the tiler has its leaves, gathered into
// ((tiles),(rests)), with the modes beyond the tiler among the rests: CuTe's tile_unzip. Where the tiler has _
// a mode of rank 2 is such a pair already; any other mode goes to the rests, with 1:0 as its tile.
// It returns [CodeRank] if a mode that should be a pair is not.
func TileUnzip(a Layout, t Tiler) (l Layout, err error) {
	_, err = opTileUnzip.tile(&l, a, t, caller{})
	return l, err
}

// A tiledLayout takes the leaves of the parts in the order of a form, and their nesting as text. The buffer of the text
// is inside it, so that it can be passed around by pointer and stay on the stack; a longer text goes to long.
type tiledLayout struct {
	v     []int64 // the result: n extents, then the strides
	n, at int     // at is the next leaf
	next  int     // the next part of the tiling
	text  [96]byte
	used  int
	long  []byte // all of the text, once text is full
}

// arrange stores in l the layout of the parts in the form; prof is the nesting of the layout that was tiled.
func (w *tiling) arrange(l *Layout, prof string, t Tiler, cod *codomain) error {
	if _, modewise := byMode(t); !modewise && t != Keep {
		return w.pair(l, cod)
	}
	var p tiledLayout
	if w.form == logical {
		p.begin(w.out.n-1, w.out.k) // leaf 0 is no part
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

// pair stores the result of a tiling as a whole, (tile,rest): in every form its leaves are in order already.
func (w *tiling) pair(l *Layout, cod *codomain) error {
	tile, rest := w.parts[0].prof, w.parts[1].prof
	if w.form == flat {
		tile = unwrapped(tile)
	}
	if w.form == tiled || w.form == flat {
		rest = unwrapped(rest)
	}
	k := w.out.k
	var m modes
	m.s, m.d, m.n, m.k = w.out.s[1:], w.out.d[k:], w.out.n-1, k // leaf 0 is no part
	counts := [2]uint8{flatLeaves(tile), flatLeaves(rest)}
	if counts[0] != 0 && counts[1] != 0 {
		if prof := groupedProfile(counts[:]); prof != "" {
			return m.layoutTo(l, w.op.String(), prof, cod)
		}
	}
	return m.layoutTo(l, w.op.String(), joinProfiles(tile, rest), cod)
}

// flatLeaves returns the number of leaves of a leaf or a flat group of at least two, and 0 for any other nesting, also
// for one without its parentheses.
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

// unwrapped returns the nesting without the parentheses around it, if it is a tuple.
func unwrapped(prof string) string {
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

// unwrapFrom removes the parentheses around the text from place at on, if it is a tuple.
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

// put copies the leaves of a part, which lie in m, and writes its nesting.
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

// side says which parts a walk writes.
type side int

const (
	bothParts side = iota
	tileParts
	restParts
)

// walk writes the parts of a mode of nesting prof that was tiled by t, skipping those of the other side.
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
		m = modesOf("(.)") // an integer has itself as its only mode
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

// walkKept writes a mode that was left alone: whole, as a rest with 1:0 for its tile; tile_unzip takes the pair that it
// is.
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
