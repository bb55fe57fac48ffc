package cute

import "fmt"

// A Tiler says how an operation tiles the modes of a layout. There are four kinds, and the kind decides what
// happens (include/cute/layout.hpp, logical_divide and composition with a tiler):
//
//   - a [Layout] tiles the whole domain;
//   - a [Tuple], that is a shape, tiles by mode: the integer n stands for n:1, a tuple for a tile of its elements;
//   - a [Tile] tiles by mode, each element one mode; it may be shorter than the layout;
//   - [Keep], written _, leaves a mode alone, whatever its rank. Where a divide or a product gathers tiles and rests
//     the mode is a rest, with 1:0 as its tile. (CuTe takes a mode of rank 2 there for a pair, and compiles for no
//     other.)
type Tiler interface {
	String() string
	tiler() // the set of kinds is closed
}

func (Layout) tiler()    {}
func (Tuple) tiler()     {}
func (Tile) tiler()      {}
func (keepTiler) tiler() {}

// Keep is the tiler _ that leaves a mode alone.
var Keep Tiler = keepTiler{}

type keepTiler struct{}

func (keepTiler) String() string { return "_" }

// A Tile is a tuple of tilers, one for each mode: <3:3,(2,4):(1,8)>.
type Tile struct {
	elems []Tiler
	// What they have in all; they may share what they are made of, so that counting it again would take long.
	leaves, nodes, depth int
}

// MakeTile returns the tile of the given tilers.
func MakeTile(elems ...Tiler) Tile {
	t := Tile{elems: append([]Tiler(nil), elems...), nodes: 1, depth: 1}
	for _, e := range elems {
		leaves, nodes, depth := 1, 1, 0
		switch e := e.(type) {
		case Tile:
			leaves, nodes, depth = e.leaves, e.nodes, e.depth
		case Layout:
			leaves, nodes, depth = e.leaves(), e.Shape().NodeCount(), e.Depth()
		case Tuple:
			leaves, nodes, depth = e.leaves(), e.NodeCount(), e.Depth()
		}
		t.leaves, t.nodes, t.depth = t.leaves+leaves, t.nodes+nodes, max(t.depth, 1+depth)
	}
	return t
}

// LeafCount returns the number of leaves of all its tilers, of which _ is one. It takes no time, however many there
// are.
func (t Tile) LeafCount() int { return t.leaves }

// NodeCount returns the number of leaves and of tuples in t, itself included. It takes no time either.
func (t Tile) NodeCount() int { return t.nodes }

// Depth returns the depth of the nesting: 1 for <4,2>, 2 for <4,(2,2):(1,4)>.
func (t Tile) Depth() int { return t.depth }

// Rank returns the number of modes that the tile tiles.
func (t Tile) Rank() int { return len(t.elems) }

// Modes returns the tilers of the modes.
func (t Tile) Modes() []Tiler { return append([]Tiler(nil), t.elems...) }

// String returns the canonical text, such as "<3:3,(2,4):(1,8)>". Integers print as n:1.
func (t Tile) String() string {
	b := []byte{'<'}
	for i, e := range t.elems {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, tilerText(e)...)
		if n, ok := e.(Tuple); ok && n.IsInt() {
			b = append(b, ":1"...)
		}
	}
	return string(append(b, '>'))
}

// byMode returns the tilers of the single modes if t tiles by mode, and whether it does.
func byMode(t Tiler) ([]Tiler, bool) {
	switch t := t.(type) {
	case Tile:
		return t.elems, true
	case Tuple:
		if t.prof == "." {
			return nil, false
		}
		ms := t.Modes()
		out := make([]Tiler, len(ms))
		for i, m := range ms {
			out[i] = m
		}
		return out, true
	}
	return nil, false
}

// whole returns the layout that the tiler t, which does not tile by mode, stands for.
func whole(op string, t Tiler) (Layout, error) {
	switch t := t.(type) {
	case Layout:
		return t, nil
	case Tuple:
		if n, ok := t.Int64(); ok {
			if n < 1 {
				return Layout{}, &Error{Code: CodeExtent, Op: op, Msg: fmt.Sprintf("a tile has at least 1 element, found %d",
					n), Hint: hintExtent}
			}
			return Layout{v: []int64{n, 1}, prof: "."}, nil
		}
		return Layout{}, errorf(CodeCodomain, op,
			"a tiler is a layout, a shape, a tile or _, found the coordinate %s", t.String())
	case nil:
		return Layout{}, &Error{Code: CodeType, Op: op, Msg: "expected a tiler, found none"}
	}
	return Layout{}, errorf(CodeType, op, "expected a layout as tiler, found %s", tilerText(t))
}

// tileRankError refuses a tile with more modes than the layout.
func tileRankError(op string, modes int, a Layout) error {
	return &Error{
		Code: CodeRank, Op: op,
		Msg:  fmt.Sprintf("the tile has %d modes, more than the %d of %v", modes, a.Rank(), a),
		Hint: "a layout as tiler, (4,6):(1,4), tiles the whole domain; a tile or a shape tiles mode by mode",
	}
}

// tilerText spells a tiler. Unlike a call of its String through the interface it lets tilers stay on the stack.
func tilerText(t Tiler) string {
	switch t := t.(type) {
	case Layout:
		return t.String()
	case Tuple:
		return t.String()
	case Tile:
		return t.String()
	}
	return "_"
}

// CompositionBy returns the composition of a with a tiler: [Composition] with a layout or an integer n, which is
// n:1; mode by mode with a tile or a shape, where, as in CuTe, the modes of a beyond the tile are dropped;
// and a itself with [Keep].
// It returns [CodeRank] if the tile has more modes than a, [CodeType] for a nil tiler, [CodeExtent] for an integer
// below 1, [CodeCodomain] for a coordinate, and the errors of [Composition].
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

// WithShape returns l seen through the compact column-major layout of another shape: CuTe's with_shape.
// It returns the errors of [LayoutLeft] and [Composition].
func (l Layout) WithShape(shape Tuple) (Layout, error) { return withShape(l, shape, caller{}) }

func withShape(l Layout, shape Tuple, c caller) (r Layout, err error) {
	b, err := LayoutLeft(shape)
	if err != nil {
		return Layout{}, err
	}
	err = compose(&r, &l, &b, c)
	return r, err
}
