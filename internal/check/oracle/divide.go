package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// CheckDivide returns what is wrong with r as the logical divide of a by the tile where nothing is padded: r(x,y)
// is a at the index tile(x) + place(y), the places being those, ascending, at which copies of the tile cover all
// indices of a once.
func CheckDivide(a, tile, r Layout) error {
	block, repeat, err := Block(tile)
	if err != nil {
		return fmt.Errorf("the tile: %w", err)
	}
	n := int64(len(block))
	if a.Size()%n != 0 {
		return fmt.Errorf("%d elements of the tile do not divide %d", n, a.Size())
	}
	places, covered, ok := Places(block, int(a.Size()/n))
	if !ok || covered != a.Size() {
		return fmt.Errorf("copies of the tile do not cover the %d elements", a.Size())
	}
	if r.Rank() != 2 || r.Mode(0).Size() != n*repeat || r.Mode(1).Size() != int64(len(places)) {
		return fmt.Errorf("expected modes of %d and %d elements", n*repeat, len(places))
	}
	got, order, i := r.Table(), tile.Ints(), 0
	for _, y := range places {
		for _, x := range order {
			if want := a.Index(x + y); !got[i].Equal(want) {
				return fmt.Errorf("index %d has the offset %v, want %v", i, got[i], want)
			}
			i++
		}
	}
	return nil
}

// A Padding is what a divide says about the elements that it added.
type Padding struct {
	Coord           Layout // maps coordinates of the result to the divided layout; refines its shape
	Bound           Tree   // the shape of the coordinates that are there
	Added, Elements int64
}

// CheckPadding returns what is wrong with r, a divide of a in any arrangement, as a list of a's elements: each real
// coordinate has the offset of its element, each element occurs equally often, and the counts are right.
func CheckPadding(a, r Layout, p Padding) error {
	if !r.Shape.Compatible(p.Coord.Shape) {
		return errors.New("coordinates of the result are none of the padding's layout")
	}
	if p.Bound.Size() != a.Size() {
		return fmt.Errorf("the bound holds %d elements, want %d", p.Bound.Size(), a.Size())
	}
	seen := make([]int64, a.Size())
	elements, table := int64(0), r.Table()
	for i, x := range p.Coord.Table() {
		at, _, inside := p.Bound.locate(x, "")
		if !inside {
			continue
		}
		elements++
		seen[at]++
		if want := a.Index(at); !table[i].Equal(want) {
			return fmt.Errorf("coordinate %d is element %d but has the offset %v, want %v", i, at, table[i], want)
		}
	}
	if elements != p.Elements || r.Size()-elements != p.Added {
		return fmt.Errorf("%d of %d coordinates are real, said to be %d, and %d added", elements, r.Size(),
			p.Elements, p.Added)
	}
	if slices.Min(seen) != slices.Max(seen) || seen[0] == 0 {
		return fmt.Errorf("the elements occur %v times", seen)
	}
	return nil
}

// locate returns the index within the shape t of the coordinate x, whose axes start with the given one, and whether it
// is inside. A mode without an axis in x is at 0.
func (t Tree) locate(x Vector, axis string) (index, size int64, inside bool) {
	if t.IsLeaf {
		i := x[axis]
		return i, t.Int(), 0 <= i && i < t.Int()
	}
	size, inside = 1, true
	for i, m := range t.Modes {
		at, n, ok := m.locate(x, "@"+strconv.Itoa(i)+axis)
		index, size, inside = index+at*size, size*n, inside && ok
	}
	return index, size, inside
}

// CheckTile returns what is wrong with mode 0 of r, the divide of a by the tile: at the first tile it is
// a(tile(x)) wherever the padding calls the coordinate real.
func CheckTile(a, tile, r Layout, p Padding) error {
	order, table, coord := tile.Ints(), r.Mode(0).Table(), p.Coord.Mode(0).Table()
	if len(table) != len(order) {
		return fmt.Errorf("the tile has %d elements, want %d", len(table), len(order))
	}
	for x, i := range order {
		at, _, inside := p.Bound.locate(coord[x], "")
		if inside && (at != i || !table[x].Equal(a.Index(i))) {
			return fmt.Errorf("coordinate %d of the tile is element %d at %v, want element %d at %v", x, at, table[x],
				i, a.Index(i))
		}
		if !inside && 0 <= i && i < a.Size() && at == i {
			return fmt.Errorf("coordinate %d of the tile is element %d, but is called padding", x, i)
		}
	}
	return nil
}
