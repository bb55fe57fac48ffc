package cute

// This file holds the steps of divides and products. Mode by mode they have the derivations of the modes among their
// steps; a divide as a whole those of the complement of the tile and of the composition with both, a product the gaps
// of the block and the composition of the places for copies with the tiler.

// A Pad is a layout, coalesced, whose extents grow until its modes end where copies of the tile begin. The complement
// and the composition that come after it are those that count.
type Pad struct{ From, To Layout }

// A Miss is a divide in which the extents, each rounded up, do not make the tiles cover all elements.
type Miss struct{ Covered, Elements int64 }

// An Arrange is a form of the result: logical, zipped, tiled or flat.
type Arrange struct {
	Form   string
	Result Layout
}

// An Extend gives an operand of fewer modes than the other one modes 1:0.
type Extend struct{ From, To Layout }

// A Pair is a mode of the block and that of its copies, which are a mode of a blocked or a raked product.
type Pair struct{ Block, Copies Layout }

// A Fill is how many copies of a mode of the block, of that size, a mode of the target of tile_to_shape takes, rounded
// up, and the number of the mode in the order. The blocked product that comes after it makes the result.
type Fill struct{ Target, Block, Copies, Order int64 }

func (Fill) derives()    {}
func (Pad) derives()     {}
func (Miss) derives()    {}
func (Arrange) derives() {}
func (Extend) derives()  {}
func (Pair) derives()    {}

// compose begins the composition of a with b, as the leaves f.
func (t *trace) compose(a, b Layout, f *mixedRadix) {
	t.begin("composition", a, b)
	t.radices(f, nil)
}

// part returns the leaves of a part as a layout. They are part of one that fits.
func (m *modes) part(p part, cod *codomain) Layout {
	own := modes{s: m.s[p.lo:p.hi], d: m.d[p.lo*m.k : p.hi*m.k], n: p.hi - p.lo, k: m.k}
	l, _ := own.layout("", p.prof, cod)
	return l
}

// tiled returns the layout (B,B*) that the leaves of the tiles are.
func (m *modes) tiled(b *Layout) Layout {
	n := b.leaves()
	return m.part(part{joinProfiles(b.profile(), unwrappedProfile(m.n-n)), 0, m.n}, nil)
}

// lastPair returns the two parts that were added last.
func (w *tiling) lastPair(cod *codomain) Layout {
	x, y := w.parts[w.count-2], w.parts[w.count-1]
	return w.out.part(part{joinProfiles(x.prof, y.prof), x.lo, y.hi}, cod)
}

// padded takes down that the leaves of f have grown, and begins the complement and the composition again.
func (w *tiling) padded(f *mixedRadix, tiles *modes, b *Layout) {
	d := w.trace.top()
	c := Coalesce(d.A)
	to := f.part(part{unwrappedProfile(f.n), 0, f.n}, d.cod)
	w.trace.add(Pad{c, to})
	w.trace.begin("complement", *b, Int(to.Size()))
	w.trace.end(tiles.rest(b))
	w.trace.compose(to, tiles.tiled(b), f)
}

// rest returns the layout B* that the leaves of the tiles after B are.
func (m *modes) rest(b *Layout) Layout {
	n := b.leaves()
	return m.part(part{unwrappedProfile(m.n - n), n, m.n}, nil)
}

// arranged takes down the forms that lead to the form f.
func (w *tiling) arranged(a Layout, t Tiler) {
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
