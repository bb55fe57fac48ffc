package kernel

import (
	"errors"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
)

// Open is the coordinate that leaves a mode open: CuTe's underscore.
var Open = Index{n: -1, in: &formula{k: openMark}}

// openMark is the kernel of [Open], which belongs to none.
var openMark = new(K)

// Shape returns its arguments, the extents of a tile.
func Shape(extents ...int64) []int64 { return extents }

// shiftAlong returns the vector plus a mode's value at x.
func (k *K) shiftAlong(origin []address.Expr, m mode, x address.Expr) []address.Expr {
	return k.shift(slices.Clone(origin), m, x)
}

// shift adds a mode's value at x to a vector.
func (k *K) shift(origin []address.Expr, m mode, x address.Expr) []address.Expr {
	if m.open {
		for a, d := range m.step {
			origin[a] = k.s.Add(origin[a], k.s.Mul(d, x))
		}
		return origin
	}
	at, err := k.s.Layout(m.layout, address.At(x))
	k.fail(err)
	return k.offsetBy(origin, at)
}

// offsetBy adds a value of a layout to a vector: a number, or a coordinate of the root.
func (k *K) offsetBy(origin []address.Expr, at address.Coord) []address.Expr {
	if x, ok := at.Expr(); ok {
		origin[0] = k.s.Add(origin[0], x)
		return origin
	}
	for a, c := range at.Modes() {
		if x, ok := c.Expr(); ok {
			origin[a] = k.s.Add(origin[a], x)
		}
	}
	return origin
}

// inside refuses a coordinate of t that is certainly outside of a mode, not less than its extent. If it may be outside,
// and the root knows no extents to check elements against, t gets the comparisons that make sure of it.
func (k *K) inside(op string, t Tensor, i int, less [2]address.Expr) {
	x, extent := less[0], less[1]
	if lo, hi := x.Range(); hi < 0 || k.s.Compare(x, extent) == address.Never {
		k.advise("there are %v: take one of them, or a larger tensor", extent).refuse(op, cute.CodeMode,
			"expected a coordinate of mode %d from 0 to %v less 1, found %v, from %d to %d",
			i, extent, x, lo, hi)
	}
	if t.root.extents == nil && t.root.space != Registers {
		c := k.inExtent(Cond{k: k}, x, extent)
		t.within, t.home = append(slices.Clip(t.within), c.less()...), innermost(t.home, c.home)
	}
}

// edges returns the condition that the coordinates of t are inside of their modes, as far as it is not known here.
func (k *K) edges(t Tensor) *Cond {
	if len(t.within) == 0 {
		return k.sure
	}
	c := Cond{k: k}
	for _, l := range t.within {
		c = k.less(c, l[0], l[1])
	}
	if c.always() {
		return k.sure
	}
	k.goesBeyond("a coordinate that may be outside of a known layout")
	return &c
}

// reaches reports whether a whole tile is inside of its root, and refuses a tile that may be outside.
func (k *K) reaches(op string, t Tensor) bool {
	c := k.edges(t)
	if !c.always() {
		k.outside(op, side{t.root, []element{{cond: c}}}, 0)
	}
	return c.always()
}

// Slice returns the tensor of the modes that the coordinate leaves open, with the other modes fixed: t(_,3). A mode of
// several parts is fixed by an index. The errors are [cute.CodeRank] unless there is a coordinate for each mode, and
// [cute.CodeMode] for a coordinate that is outside for all threads.
func (k *K) Slice(t Tensor, coord ...Index) (out Tensor) {
	const op = "slice"
	if k.record.quiet == 0 {
		defer k.does(&emit.Step{Op: op, Of: of(t), At: k.coords(coord...)}).tensor(&out)
	}
	if !k.has(op, t) {
		return t
	}
	if len(coord) != len(t.modes) {
		k.advise("write kernel.Open for each mode that stays").refuse(op, cute.CodeRank,
			"expected %d coordinates of %v, found %d", len(t.modes), t, len(coord))
		return t
	}
	out = Tensor{root: t.root, view: t.at(slices.Clone(t.origin))}
	open := 0
	for _, c := range coord {
		if c == Open {
			open++
		}
	}
	if open > 0 {
		out.modes = make([]mode, 0, open)
	}
	for i, c := range coord {
		if c == Open {
			out.modes = append(out.modes, t.modes[i])
			continue
		}
		x := k.expr(c)
		k.inside(op, out, i, [2]address.Expr{x, k.expr(t.Extent(i))})
		out.origin, out.home = k.shift(out.origin, t.modes[i], x), innermost(out.home, c.home())
	}
	if t.factors != nil {
		f := k.Slice(*t.factors, coord...)
		out.factors = &f
	}
	if t.zip != nil {
		out.zip = &zipped{k.Slice(t.zip.e, coord...), t.zip.selector}
	}
	k.space()
	return out
}

// LocalTile returns the tile at a coordinate, or the tiles along the modes that the coordinate leaves open: local_tile.
// The modes of the tile come first, then the open ones: LocalTile of (M,K) by (BM,BK) at (m,_) is (BM,BK,k). A mode of
// a run-time extent is rounded up to whole tiles; [K.CopyIf] and [K.InBounds] exclude the elements beyond. A known
// extent must be divisible by the tile: [cute.CodeNotDivisible] otherwise. It also has the errors of [K.Slice].
func (k *K) LocalTile(t Tensor, tile []int64, coord ...Index) (out Tensor) {
	const op = "local_tile"
	defer k.does(&emit.Step{Op: op, Of: of(t), Tile: tile, At: k.coords(coord...)}).tensor(&out)
	if !k.has(op, t) {
		return t
	}
	if len(tile) != len(t.modes) || len(coord) != len(t.modes) {
		k.refuse(op, cute.CodeRank, "expected a tile and a coordinate of %d modes for %v, found %d and %d", len(t.modes), t,
			len(tile), len(coord))
		return t
	}
	out = Tensor{root: t.root, view: t.at(t.origin)}
	var rests []mode
	for i := range t.modes {
		inner, rest, ok := k.divide(op, t, i, tile[i])
		if !ok {
			return t
		}
		out.modes = append(out.modes, inner)
		if coord[i] == Open {
			rests = append(rests, rest)
			continue
		}
		n := rest.extent
		if !rest.open {
			n = Int(rest.layout.Size())
		}
		k.inside(op, out, i, [2]address.Expr{k.expr(coord[i]), k.expr(n)})
		out.origin = k.shiftAlong(out.origin, rest, k.expr(coord[i]))
		out.home = innermost(out.home, coord[i].home())
	}
	out.modes = append(out.modes, rests...)
	k.space()
	return out
}

// divide divides mode i by a tile of n: into a mode within the tile and a mode of tiles.
func (k *K) divide(op string, t Tensor, i int, n int64) (tile, rest mode, ok bool) {
	m := t.modes[i]
	if n < 1 {
		k.refuse(op, cute.CodeExtent, "expected tiles of at least 1 along mode %d, found %d", i, n)
		return m, m, false
	}
	if !m.open {
		d, err := cute.LogicalDivideExact(m.layout, cute.Int(n))
		if err != nil {
			k.repair("take a tile whose extents divide those of the tensor", &cute.Error{
				Code: cute.CodeNotDivisible, Op: op,
				Msg: "expected a tile that divides mode " + m.layout.String() + " of " + t.root.name + ", found " + Int(n).String(),
			})
			return m, m, false
		}
		modes := d.Modes()
		return mode{layout: modes[0]}, mode{layout: modes[1]}, true
	}
	rest = mode{open: true, extent: m.extent.CeilDiv(n), step: slices.Clone(m.step)}
	for a, d := range m.step {
		rest.step[a] = k.s.Scale(d, n)
	}
	l, ok := k.constantMode(m, n)
	if !ok {
		k.advise("take a slice at a number, or LocalTile before").refuse(op, cute.CodeUnknown,
			"mode %d of %v steps by a run-time number", i, t)
	}
	return mode{layout: l}, rest, ok
}

// constantMode returns a mode of a run-time extent, whose steps are known, with the extent n instead.
func (k *K) constantMode(m mode, n int64) (cute.Layout, bool) {
	stride := cute.Int(0)
	for a, d := range m.step {
		x, ok := d.Int64()
		if !ok {
			return cute.Layout{}, false
		}
		if x == 0 {
			continue
		}
		part, err := cute.Basis(x, a)
		if err == nil && stride.Equal(cute.Int(0)) {
			stride = part
		} else if stride, err = stride.Add(part); err != nil {
			k.fail(err)
		}
	}
	l, err := cute.New(cute.Int(n), stride)
	k.fail(err)
	return l, k.err == nil
}

// LocalPartition returns the elements of one thread: local_partition. The layout, such as (32,8):(8,1), assigns threads
// to places in a tile of its shape, and each thread takes the element at its place in every tile. It fails with
// [cute.CodeNotInvertible] if the layout assigns one thread to two places, and the errors of [K.LocalTile].
//
//go:noinline
func (k *K) LocalPartition(t Tensor, threads cute.Layout, thread Index) Tensor {
	return k.localPartition(t, threads, thread, nil)
}

// LocalPartitionProj is [K.LocalPartition] with a projection: the modes of the layout at which proj is _ are left out
// of its shape and of the thread's place, so that threads that differ only in these modes share their elements:
// Step<_1,X> is (1,_). It fails with [cute.CodeRank] unless the projection has the rank of the layout.
func (k *K) LocalPartitionProj(t Tensor, threads cute.Layout, thread Index, proj cute.Coord) Tensor {
	if !k.has("local_partition", t) {
		return t
	}
	if proj.Rank() != threads.Rank() {
		k.refuse("local_partition", cute.CodeRank, "expected a projection with a mode for each of %v, found %v", threads,
			proj)
		return t
	}
	return k.localPartition(t, threads, thread, proj.Modes())
}

func (k *K) localPartition(t Tensor, threads cute.Layout, thread Index, proj []cute.Coord) (out Tensor) {
	const op = "local_partition"
	defer k.does(&emit.Step{
		Op: op, Of: of(t), Layout: threads.Composed(), At: k.coords(thread), Proj: strings.Join(projection(proj), ","),
	}).tensor(&out)
	if !k.has(op, t) {
		return t
	}
	back, ok := k.placeOf(threads, thread)
	if !ok {
		return t
	}
	k.claim(op, threads.Size(), thread)
	place, err := k.s.Layout(back, address.At(k.wrap(k.expr(thread), threads.Size())))
	k.fail(err)
	x, _ := place.Expr()
	out = Tensor{root: t.root, view: t.at(t.origin)}
	known := k.decides(k.expr(thread), k.s.Const(threads.Size()), address.Always)
	out.home = innermost(innermost(t.home, thread.home()), known)
	shape := threads.Shape().Modes()
	at := 0
	for i, s := range shape {
		n, err := s.Product()
		k.fail(err)
		own := x
		if i < len(shape)-1 {
			own = k.s.Mod(x, n)
			x = k.s.Div(x, n)
		}
		if proj != nil && proj[i].String() == "_" {
			continue
		}
		if at == len(t.modes) {
			k.refuse(op, cute.CodeRank, "expected a layout of at most %d modes for %v, found %v", len(t.modes), t, threads)
			return t
		}
		inner, rest, ok := k.divide(op, t, at, n)
		if !ok {
			return t
		}
		out.origin = k.shiftAlong(out.origin, inner, own)
		out.modes = append(out.modes, rest)
		at++
	}
	out.modes = append(out.modes, t.modes[at:]...)
	k.space()
	return out
}

// projection returns the modes of a projection as CuTe's Step has them.
func projection(proj []cute.Coord) []string {
	var out []string
	for _, c := range proj {
		out = append(out, map[bool]string{true: "X", false: "_1"}[c.String() == "_"])
	}
	return out
}

// placeOf returns the inverse of a layout of threads, which gives each thread its place. It refuses layouts without an
// inverse and threads that the layout does not have.
func (k *K) placeOf(threads cute.Layout, thread Index) (cute.Layout, bool) {
	back, err := cute.LeftInverse(threads)
	if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotInjective {
		k.repair("take a place for each thread, such as "+roomier(threads), e)
	}
	if k.fail(err); k.err != nil {
		return back, false
	}
	n := threads.Size()
	if lo, hi := k.expr(thread).Range(); !k.among(k.expr(thread), n) {
		k.advise("take a layout of as many threads as the block has, %d", k.threads).refuse(
			"local_partition", cute.CodeExtent, "expected a thread from 0 to %d of %v, found %v, from %d to %d", n-1, threads,
			thread, lo, hi)
		return back, false
	}
	return back, true
}

// Transposed returns the tensor with its two modes exchanged: select<1,0>(t). It fails with [cute.CodeRank] for another
// number of modes.
func (k *K) Transposed(t Tensor) (out Tensor) {
	defer k.op("select<1,0>", 0, t.id()).tensor(&out)
	if !k.has("select", t) {
		return t
	}
	if len(t.modes) != 2 {
		k.refuse("select", cute.CodeRank, "expected two modes, found %v", t)
		return t
	}
	out = Tensor{root: t.root, view: t.at(t.origin)}
	out.modes = []mode{t.modes[1], t.modes[0]}
	return out
}
