package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// DivideValues returns the values of the logical divide of a by the tile if nothing is padded, and the number of copies
// of the tile. The value at (x,y) is a at the index tile(x) + place(y). The places ascend, and the copies of the tile
// at the places cover every index of a once.
func DivideValues(a, tile Layout) (values []Vector, copies int64, err error) {
	block, _, err := Block(tile)
	if err != nil {
		return nil, 0, fmt.Errorf("the tile: %w", err)
	}
	n := int64(len(block))
	if a.Size()%n != 0 {
		return nil, 0, fmt.Errorf("%d elements of the tile do not divide %d", n, a.Size())
	}
	places, covered, ok := Places(block, int(a.Size()/n))
	if !ok || covered != a.Size() {
		return nil, 0, fmt.Errorf("copies of the tile do not cover the %d elements", a.Size())
	}
	order := tile.Ints()
	for _, y := range places {
		for _, x := range order {
			values = append(values, a.Index(x+y))
		}
	}
	return values, int64(len(places)), nil
}

// CheckDivide returns an error unless r is the logical divide of a by the tile and nothing is padded.
func CheckDivide(a, tile, r Layout) error {
	want, copies, err := DivideValues(a, tile)
	if err != nil {
		return err
	}
	if r.Rank() != 2 || r.Mode(0).Size() != tile.Size() || r.Mode(1).Size() != copies {
		return fmt.Errorf("expected modes of %d and %d elements", tile.Size(), copies)
	}
	for i, got := range r.Table() {
		if !got.Equal(want[i]) {
			return fmt.Errorf("index %d has the offset %v, want %v", i, got, want[i])
		}
	}
	return nil
}

// A Padding is what a divide says about the elements that it added.
type Padding struct {
	Coord           Layout // maps coordinates of the result to the divided layout; refines the result's shape
	Bound           Tree   // the shape of the real coordinates
	Added, Elements int64
}

// CheckPadding returns an error unless r, a divide of a in any arrangement, lists the elements of a: each real
// coordinate has the offset of its element, each element occurs equally often, and the counts are right.
func CheckPadding(a, r Layout, p Padding) error {
	if !r.Shape.Compatible(p.Coord.Shape) {
		return errors.New("the padding's layout does not have the coordinates of the result")
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

// locate returns the index of the coordinate x within the shape t, the size of t, and whether x is inside. t is the
// mode at the given axis. A mode without an axis in x is at 0.
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

// CheckTile returns an error unless mode 0 of r, the divide of a by the tile, is a(tile(x)) at each coordinate that the
// padding calls real.
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
