package relation

import "girih/cute"

// A Relation relates the elements of an operation's operands a and b to the elements of its result r. An element is
// given by its index in the domain.
type Relation struct {
	Links []Link `json:"links,omitempty"`
	Fill  *Fill  `json:"fill,omitempty"`
	// The tables that Links and Fill refer to, by name. A table has a number for each element of a side; -1 is no
	// element.
	Tables map[string][]int64 `json:"tables,omitempty"`
}

// A Link maps each element of the sides in From, one letter per side, to an element of the side To: through the table
// By, or to the element with the same index.
type Link struct {
	From string `json:"from"`
	To   string `json:"to"`
	By   string `json:"by,omitempty"` // the name of a table; if empty, equal indices are linked
}

// A Fill describes the colors of the elements of one side. Related elements get the same color.
type Fill struct {
	Side  string `json:"side"`
	What  string `json:"what"`  // the parts that each have a hue: row, tile or copy
	Count int64  `json:"count"` // the number of rows, tiles or copies
	// The names of the tables of hue and lightness. Without tables, the row in the side's grid determines the hue, and
	// the column determines the lightness.
	Hue   string `json:"hue,omitempty"`
	Shade string `json:"shade,omitempty"`
	Steps int64  `json:"steps,omitempty"` // the number of steps of lightness
}

// Same relates elements with the same index on two sides.
func Same(from, to string) Relation { return Relation{Links: []Link{{From: from, To: to}}} }

// Composition is the relation of A o B: index i of the result belongs to index i of B and to index picks[i] of A, which
// [Picks] returns. rows is the number of rows of B.
func Composition(picks []int64, rows int64) Relation {
	r := ByPicks("br", picks)
	r.Links = append(r.Links, Link{From: "r", To: "b"})
	r.Fill = &Fill{Side: "b", What: "row", Count: rows}
	return r
}

// ByPicks relates element i of one side to element picks[i] of A. The side is B if the composition is refused, or the
// result if B is a tile, because a tile has no elements.
func ByPicks(from string, picks []int64) Relation {
	return Relation{Links: []Link{{From: from, To: "a", By: "picks"}}, Tables: map[string][]int64{"picks": picks}}
}

// Inverse is the relation of A, with the values a, and its inverse, with the values r. Each value is an index of the
// other layout.
func Inverse(a, r []int64) Relation {
	return Relation{
		Links:  []Link{{From: "a", To: "r", By: "values"}, {From: "r", To: "a", By: "inverse"}},
		Tables: map[string][]int64{"values": a, "inverse": r},
	}
}

// Product is the relation of the product with derivation d. An element of the result is an element of the block A in a
// copy. If B is a layout, the number of the copy is an element of B.
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

// relation returns the tables of the places and of the numbers of n elements, and a fill by number. The argument what
// names the things that the numbers count: tile or copy.
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

// Relation is the relation of a divide: each element of the result is an element of A in a tile. If B is a layout, the
// element's place in the tile is an element of B. Relation returns the errors of [Division.Elements].
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

// Picks returns, for each element of b, the index in the shape that this element picks in a composition. An integer
// value of b is that index, and may be beyond the shape. A coordinate is converted to its index, or to -1 if the
// coordinate is outside the shape. Picks returns the errors of [cute.Layout.Eval].
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
