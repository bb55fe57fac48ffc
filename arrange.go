package girih

// This file writes the result of a divide or a product in one of its forms, from the parts that a tiling collected.

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
