package relation

import "girih/cute"

// A Relation relates the elements of the operands a and b of an operation to the elements of its result r. An element
// is an index in the domain.
type Relation struct {
	Links []Link `json:"links,omitempty"`
	Fill  *Fill  `json:"fill,omitempty"`
	// The tables that links and fills use, by name: a number for each element of a side. -1 means no element.
	Tables map[string][]int64 `json:"tables,omitempty"`
}

// A Link maps each element of the sides From, one letter each, to an element of the side To: by a table, or to the
// element of the same index.
type Link struct {
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by,omitempty"` // the name of a table; index by index if empty
}

// A Fill is the colors of the elements of a side. Related elements get the same color.
type Fill struct {
	Side  string `json:"side"`
	What  string `json:"what"`  // what has a hue of its own: each row, tile or copy
	Count int64  `json:"count"` // the number of rows, tiles or copies
	// The tables of the hue and of the lightness. Without them the hue is the row in the grid of the side, and the
	// lightness is the column.
	Hue   string `json:"hue,omitempty"`
	Shade string `json:"shade,omitempty"`
	Steps int64  `json:"steps,omitempty"` // of lightness
}

// Same is the relation of two sides index by index.
func Same(from, to string) Relation { return Relation{Links: []Link{{From: from, To: to}}} }

// Composition is the relation of A o B: index i of the result belongs to index i of B, and to the value of B at i as an
// index of A. rows is the number of rows of B.
func Composition(picks []int64, rows int64) Relation {
	r := ByPicks("br", picks)
	r.Links = append(r.Links, Link{From: "r", To: "b"})
	r.Fill = &Fill{Side: "b", What: "row", Count: rows}
	return r
}

// ByPicks is the relation of A to a side whose elements are indices of A. That side is B if the composition is refused,
// or the result if B is a tile, which has no elements.
func ByPicks(from string, picks []int64) Relation {
	return Relation{Links: []Link{{From: from, To: "a", By: "picks"}}, Tables: map[string][]int64{"picks": picks}}
}

// Inverse is the relation of A and an inverse with these values: each maps its indices to the indices of the other.
func Inverse(a, r []int64) Relation {
	return Relation{
		Links:  []Link{{From: "a", To: "r", By: "values"}, {From: "r", To: "a", By: "inverse"}},
		Tables: map[string][]int64{"values": a, "inverse": r},
	}
}

// Product is the relation of a product: an element of the result is an element of the block in a copy. The copy is an
// element of B, if B is a layout. d is its derivation.
func Product(d *cute.Derivation) Relation {
	s, ok := SplitOf(d)
	if !ok || s.Size() != d.Result.Size() {
		return Relation{}
	}
	r := s.relation(d.Result.Size(), "copy")
	r.Links = []Link{{From: "r", To: "a", By: "place"}}
	if b, whole := d.B.(cute.Layout); whole && b.Size() == r.Fill.Count {
		r.Links = append(r.Links, Link{From: "r", To: "b", By: "copy"})
	}
	r.Fill.Shade, r.Fill.Steps = "place", d.A.Size()
	return r
}

// relation has the tables of the places and of the numbers of n elements, and the fill by number. what is the thing
// that a number counts.
func (s Split) relation(n int64, what string) Relation {
	place, number, count := make([]int64, n), make([]int64, n), int64(1)
	for i := range n {
		place[i], number[i] = s.At(i)
	}
	for _, k := range s.Parts() {
		count *= k
	}
	return Relation{
		Fill:   &Fill{Side: "r", What: what, Count: count, Hue: what},
		Tables: map[string][]int64{"place": place, what: number},
	}
}

// Relation is the relation of a divide: an element of the result is an element of A in a tile. If B is a layout, its
// place in the tile is an element of B. Relation returns the errors of [Division.Elements].
func (d Division) Relation() (Relation, error) {
	of, err := d.Elements()
	if err != nil || d.Split.Size() != d.Size() {
		return Relation{}, err
	}
	r := d.Split.relation(d.Size(), "tile")
	r.Links, r.Tables["of"] = []Link{{From: "r", To: "a", By: "of"}}, of
	if _, whole := d.t.(cute.Layout); whole {
		r.Links = append(r.Links, Link{From: "r", To: "b", By: "place"})
	} else {
		delete(r.Tables, "place")
	}
	return r, nil
}

// Picks returns, for each element of b, the index in a shape of the element that it picks in a composition. It is the
// value of b, which may be beyond the shape, or the index of the value if that is a coordinate, or -1 if the coordinate
// is outside. Picks returns the errors of [cute.Layout.Eval].
func Picks(shape cute.Tuple, b cute.Layout) ([]int64, error) {
	if !b.HasBasis() {
		return b.AppendOffsets(nil)
	}
	out := make([]int64, b.Size())
	for i := range out {
		v, err := b.Eval(cute.Int(int64(i)))
		if err != nil {
			return nil, err
		}
		if out[i], err = cute.Crd2Idx(v, shape); err != nil {
			out[i] = -1
		}
	}
	return out, nil
}
