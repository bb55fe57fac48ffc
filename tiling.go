package girih

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

// keep adds the leaves [lo, hi) of a as one part.
func (w *tiling) keep(a *Layout, prof string, lo, hi int) {
	from, k := w.out.n, w.out.k
	d := a.strides()[lo*k:]
	for i := lo; i < hi; i++ {
		w.out.put(a.v[i], d[:k])
		w.real *= a.v[i]
		d = d[k:]
	}
	w.add(prof, from, w.out.n)
}

// tile tiles the leaves [lo, hi) of a, of nesting prof, by t: mode by mode, or as a whole.
func (w *tiling) tile(a *Layout, prof string, lo, hi int, t Tiler) error {
	ts, ok := byMode(t)
	switch {
	case ok:
		return w.tileModes(a, prof, lo, hi, ts)
	case t == Keep:
		if !w.takesApart(prof) {
			w.units++
		}
		w.keep(a, prof, lo, hi)
		return nil
	}
	switch w.kind {
	case divides:
		return w.divide(a, prof, lo, hi, t)
	case multiplies:
		return w.multiply(a, prof, lo, hi, t)
	}
	return w.collect(a, prof, lo, hi)
}

// takesApart reports whether a mode of nesting prof under _ is the pair (tile,rest) of an earlier divide or product.
func (w *tiling) takesApart(prof string) bool {
	return w.kind == collects && prof != "." && profileRank(prof) == 2
}

// tileModes tiles the modes that there are tilers for, and keeps the others.
func (w *tiling) tileModes(a *Layout, prof string, lo, hi int, ts []Tiler) error {
	if n := profileRank(prof); len(ts) > n {
		return tileRankError(w.op.String(), len(ts), a.part(prof, lo, hi))
	}
	if prof == "." && len(ts) == 1 {
		if w.trace != nil {
			return w.tileMode(0, a, part{prof, lo, hi}, ts[0])
		}
		return w.tile(a, prof, lo, hi, ts[0])
	}
	if prof == "." {
		w.keep(a, prof, lo, hi)
		return nil
	}
	m := modesOf(prof)
	for i := 0; m.next(); i++ {
		if i >= len(ts) {
			w.keep(a, m.prof, lo+m.lo, lo+m.hi)
			if w.trace != nil {
				mode := a.part(m.prof, lo+m.lo, lo+m.hi)
				w.trace.part(i, mode, nil)
				w.trace.end(mode)
			}
			continue
		}
		var err error
		if w.trace != nil {
			err = w.tileMode(i, a, part{m.prof, lo + m.lo, lo + m.hi}, ts[i])
		} else {
			err = w.tile(a, m.prof, lo+m.lo, lo+m.hi, ts[i])
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
	if err := w.tile(a, m.prof, m.lo, m.hi, t); err != nil {
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
func (w *tiling) collect(a *Layout, prof string, lo, hi int) error {
	if prof == "." || profileRank(prof) != 2 {
		return errorf(CodeRank, w.op.String(), "expected a pair (tile,rest), found %v", a.part(prof, lo, hi))
	}
	for m := modesOf(prof); m.next(); {
		w.keep(a, m.prof, lo+m.lo, lo+m.hi)
	}
	return nil
}

// roomFor returns the number of leaves and parts that a tiling of a by t can have.
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

// tileBy runs a tiling on the stack, and again with more room if that is too little. It stores the result in l, in the
// given form, and returns the number of coordinates that a divide added.
func tileBy(l *Layout, op operation, kind tilingKind, a Layout, t Tiler, f form, c caller) (added int64, err error) {
	var sb, db [stackModes]int64
	var pb [8]part
	k := a.cod.axes()
	var w tiling
	w.op, w.kind, w.parts, w.real, w.caller = op, kind, pb[:], 1, c
	w.out.s, w.out.d, w.out.k = sb[:], buffer(db[:], k), k
	w.out.putAlong(1, 0, 0)                                   // leaf 0 stands for a tile that does not exist
	if w.out.full = c.trace.over(a.cod) != nil; !w.out.full { // steps are taken once, with room for all
		err = w.tile(&a, a.profile(), 0, a.leaves(), t)
	}
	if w.out.full {
		leaves, parts := tilingSize(a, t)
		w = tiling{op: op, kind: kind, out: heapModes(leaves, k), parts: make([]part, parts), real: 1, caller: c}
		w.out.trace = c.trace
		w.out.putAlong(1, 0, 0)
		err = w.tile(&a, a.profile(), 0, a.leaves(), t)
	}
	if err != nil {
		return 0, err
	}
	if err = w.arrange(l, a.profile(), t, f, a.cod); err != nil {
		return 0, err
	}
	if c.trace != nil {
		w.arranged(a, t, f)
	}
	return l.Size() - w.real, nil
}

// TileUnzip returns the pairs (tile,rest) of a, which stand where the tiler has its leaves, gathered into
// ((tiles),(rests)), with the modes beyond the tiler among the rests: CuTe's tile_unzip. Where the tiler has _
// a mode of rank 2 is such a pair already; any other mode goes to the rests, with 1:0 as its tile.
// It returns [CodeRank] if a mode that should be a pair is not.
func TileUnzip(a Layout, t Tiler) (l Layout, err error) {
	_, err = tileBy(&l, opTileUnzip, collects, a, t, zipped, caller{})
	return l, err
}
