package f2

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The test compares matrices made of blocks, entry by entry and value by value, with their definitions.
func TestBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawMatrix(t, "a", drawSize(t, "rows"), drawSize(t, "cols"))
		b := drawMatrix(t, "b", drawSize(t, "rows b"), drawSize(t, "cols b"))
		d, err := a.Diagonal(b)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Rows() {
			for j := range d.Cols() {
				want := 0
				switch {
				case i < a.Rows() && j < a.Cols():
					want = a.At(i, j)
				case i >= a.Rows() && j >= a.Cols():
					want = b.At(i-a.Rows(), j-a.Cols())
				}
				if d.At(i, j) != want {
					t.Fatalf("the diagonal of\n%v and\n%v is\n%v", a, b, d)
				}
			}
		}
		beside, err := a.Beside(b)
		if (err == nil) != (a.Rows() == b.Rows()) ||
			err == nil && !slices.Equal(beside.Columns(), slices.Concat(a.Columns(), b.Columns())) {
			t.Fatalf("%v beside %v: %v, %v", a, b, beside, err)
		}
		above, err := a.Above(b)
		if (err == nil) != (a.Cols() == b.Cols()) {
			t.Fatalf("%v above %v: %v", a, b, err)
		}
		for j := range above.Cols() {
			if above.Col(j) != a.Col(j)|b.Col(j)<<a.Rows() {
				t.Fatalf("%v above %v is %v", a, b, above)
			}
		}
	})
}

// The test checks each step of a completion: a unit vector is taken exactly if no sum of the columns and of the unit
// vectors before has its value, and otherwise the step names such a sum.
func TestCompletion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatrix(t, "m", drawSize(t, "rows"), drawSize(t, "cols"))
		reached := map[Vector]bool{}
		for _, y := range image(m) {
			reached[y] = true
		}
		var taken []Vector
		trials := m.Completion()
		for i, s := range trials {
			u := Vector(1) << i
			if s.Unit != i || s.Taken == reached[u] {
				t.Fatalf("step %d of\n%v is %+v", i, m, s)
			}
			if s.Taken {
				taken = append(taken, u)
				for y := range clone(reached) {
					reached[y^u] = true
				}
				continue
			}
			sum := s.Units
			for _, j := range s.Columns {
				sum ^= m.Col(j)
			}
			if sum != u || s.Units>>i != 0 || !slices.IsSorted(s.Columns) {
				t.Fatalf("step %d of\n%v is %+v", i, m, s)
			}
		}
		if len(trials) != m.Rows() || !slices.Equal(taken, m.Complement()) {
			t.Fatalf("%v of\n%v, the complement is %v", trials, m, m.Complement())
		}
	})
}

func clone(set map[Vector]bool) map[Vector]bool {
	out := make(map[Vector]bool, len(set))
	for v := range set {
		out[v] = true
	}
	return out
}

// The test compares divides and products with their definitions on every input.
func TestTilings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := drawMatrix(t, "a", drawSize(t, "rows"), drawSize(t, "cols"))
		b := drawMatrix(t, "b", drawSize(t, "rows b"), rapid.IntRange(0, 3).Draw(t, "cols b"))
		at := func(m Matrix, x Vector) Vector {
			y, err := m.Apply(x)
			if err != nil {
				t.Fatal(err)
			}
			return y
		}
		low := func(x Vector, n int) Vector { return x & (1<<n - 1) }
		if d, err := a.LogicalDivide(b); (err == nil) != (b.Height() <= a.Cols()) {
			t.Fatalf("%v by %v: %v", a, b, err)
		} else if err == nil {
			tile, _ := b.WithRows(a.Cols())
			rest := Matrix{a.Cols(), tile.Complement()}
			for x := range Vector(1) << d.Cols() {
				if at(d, x) != at(a, at(tile, low(x, b.Cols()))^at(rest, x>>b.Cols())) {
					t.Fatalf("%v by %v is %v", a, b, d)
				}
			}
		}
		p, err := a.LogicalProduct(b)
		if err != nil {
			t.Fatal(err)
		}
		block, _ := a.WithRows(p.Rows())
		free := Matrix{p.Rows(), block.Complement()}
		for x := range Vector(1) << p.Cols() {
			if at(p, x) != at(block, low(x, a.Cols()))^at(free, at(b, x>>a.Cols())) {
				t.Fatalf("%v times %v is %v", a, b, p)
			}
		}
	})
}
