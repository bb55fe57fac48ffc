package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/ints"
	"girih/tensor"
)

// The threads of a layout divide a matrix among themselves; thread i has the elements at its coordinate in each tile.
func TestLocalPartition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		p, q := rapid.Int64Range(1, 5).Draw(t, "p"), rapid.Int64Range(1, 5).Draw(t, "q")
		threads := must(cute.New(cute.Ints(p, q), cute.Ints(1, p)))
		if rapid.Bool().Draw(t, "rows of threads") {
			threads = must(cute.New(cute.Ints(p, q), cute.Ints(q+1, 1)))
		}
		for r := range p {
			for c := range q {
				index, _ := must(threads.Eval(cute.Ints(r, c))).Int64()
				mine, err := x.LocalPartition(threads, index)
				if err != nil {
					t.Fatalf("thread %d of %v in %v: %v", index, threads, x, err)
				}
				var want []int32
				for j := c; j < int64(len(table[0])); j += q {
					for i := r; i < int64(len(table)); i += p {
						want = append(want, table[i][j])
					}
				}
				if got := slices.Collect(mine.Values()); !slices.Equal(got, want) {
					t.Fatalf("thread %d of %v in %v has %v, want %v", index, threads, x, got, want)
				}
				rows := must(x.LocalPartitionProj(threads, index, coord("(1,_)")))
				if got := slices.Collect(rows.Values()); len(got) != int(ints.CeilDiv(int64(len(table))-r, p))*len(table[0]) &&
					r < int64(len(table)) {
					t.Fatalf("rows of thread %d of %v in %v: %v", index, threads, x, got)
				}
			}
		}
	})
}

// The three projections of one tiler are CuTe's example.
func TestProjections(t *testing.T) {
	t.Parallel()
	mk := must(tensor.Counting(0, parse("(128,64):(64,1)")))
	for _, c := range []struct{ proj, shape string }{{"(1,_,1)", "(32,4,16)"}, {"(_,1,1)", "(64,4,16)"}, {"(1,1,_)", "(32,64)"}} {
		got := must(mk.LocalTileProj(tuple("(32,64,4)"), coord("(1,0,_)"), coord(c.proj)))
		if got.Shape().String() != c.shape {
			t.Errorf("the projection %s has the shape %v, want %s", c.proj, got.Shape(), c.shape)
		}
	}
	a := must(mk.LocalTileProj(tuple("(32,64,4)"), coord("(1,0,_)"), coord("(1,_,1)")))
	if got, want := must(a.At(3, 2, 5)), int64((32+3)*64+5*4+2); got != want {
		t.Errorf("element (3,2) of tile (1,5) is %d, want %d", got, want)
	}
	wantCode(t, second(mk.LocalTileProj(tuple("(32,64)"), coord("(1,0,_)"), coord("(1,_,1)"))), cute.CodeRank)
	wantCode(t, second(mk.LocalTileProj(parse("4:1"), coord("(1,0,_)"), coord("(1,_,1)"))), cute.CodeType)
}

// A tensor moved to c contains at x the element of c + x, or no element if c + x is outside.
func TestDomainOffset(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		dr, dc := rapid.Int64Range(-4, 13).Draw(t, "rows"), rapid.Int64Range(-4, 13).Draw(t, "columns")
		moved, err := x.DomainOffset(cute.At(dr, dc))
		if err != nil {
			wantCode(t, err, cute.CodeNegative) // a swizzle cannot take negative offsets
			return
		}
		for i := range table {
			for j := range table[0] {
				r, c := i+int(dr), j+int(dc)
				got, err := moved.At(int64(i), int64(j))
				real := r >= 0 && r < len(table) && c >= 0 && c < len(table[0])
				if real != (err == nil) || real && got != table[r][c] {
					t.Fatalf("%v moved by (%d,%d) is %d at (%d,%d), %v", x, dr, dc, got, i, j, err)
				}
			}
		}
	})
}

// An identity tensor, tiled like the data, gives the predicate that the padding of the data gives.
func TestInBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		bound := cute.Ints(int64(len(table)), int64(len(table[0])))
		by := cute.Ints(rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b"))
		data := must(x.ZippedDivide(by))
		coords := must(must(tensor.Identity(bound)).ZippedDivide(by))
		in := must(tensor.InBounds(coords, bound))
		want := must(data.Predicate())
		if a, b := slices.Collect(in.Values()), slices.Collect(want.Values()); !slices.Equal(a, b) {
			t.Fatalf("%v by %v: the identity tensor says %v, the padding %v", x, by, a, b)
		}
	})
}

// Operations on the domain keep the elements of plain, swizzled and padded tensors.
func TestMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, _ := grid(t)
		d := must(x.ZippedDivide(cute.Ints(rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b"))))
		want := slices.Collect(d.Values())
		for name, f := range map[string]func(cute.Layout) (cute.Layout, error){
			"coalesce": func(l cute.Layout) (cute.Layout, error) { return cute.Coalesce(l), nil },
			"flatten":  func(l cute.Layout) (cute.Layout, error) { return l.Flatten(), nil },
			"group":    func(l cute.Layout) (cute.Layout, error) { return l.GroupModes(0, 2) },
		} {
			y, err := d.Map(f)
			if err != nil {
				t.Fatalf("%s of %v: %v", name, d, err)
			}
			if got := slices.Collect(y.Values()); !slices.Equal(got, want) {
				t.Fatalf("%s of %v has %v, want %v", name, d, got, want)
			}
		}
	})
}

// A tuple that is shorter than the rest leaves its last modes open, and an integer counts tiles.
func TestShortCoordinates(t *testing.T) {
	t.Parallel()
	x := must(tensor.Counting(0, parse("(8,6,4):(1,8,48)")))
	for _, c := range []struct{ coord, want string }{
		{"(1,2)", "counting_iter(36) o (4,2,4):(1,8,48)"},
		{"(1)", "counting_iter(4) o (4,2,3,4):(1,8,16,48)"},
		{"(1,2,3)", "counting_iter(180) o (4,2):(1,8)"},
		{"5", "counting_iter(36) o (4,2):(1,8)"},
		{"_", "counting_iter(0) o (4,2,(2,3,4)):(1,8,(4,16,48))"},
	} {
		if got := must(x.LocalTile(tuple("(4,2)"), coord(c.coord))); got.String() != c.want {
			t.Errorf("the tile %s is %v, want %s", c.coord, got, c.want)
		}
	}
}

// Coordinates that are moved below 0 are out of bounds.
func TestNegativeCoordinates(t *testing.T) {
	t.Parallel()
	id := must(must(tensor.Identity(tuple("(2,3)"))).DomainOffset(coord("(-1,1)")))
	in := must(tensor.InBounds(id, tuple("(2,3)")))
	if got := slices.Collect(in.Values()); !slices.Equal(got, []bool{false, true, false, true, false, false}) {
		t.Errorf("%v is inside at %v", id, got)
	}
	wantCode(t, second(tensor.InBounds(id, tuple("(2,3,4)").Modes()[0])), cute.CodeNotCongruent)
	x := must(tensor.Alloc[int32](parse("((2,2),3)")))
	wantCode(t, second(x.DomainOffset(coord("(-1,0)"))), cute.CodeNegative)
	wantCode(t, second(x.DomainOffset(coord("(0,0,0)"))), cute.CodeNotCongruent)
	moved := must(x.DomainOffset(coord("(3,1)")))
	if got := must(moved.Predicate()); !must(got.At(0)) || must(got.At(1)) {
		t.Errorf("%v: only the first of mode 0 is left", moved)
	}
}

// TestShorterCoordinates checks that coordinates have all their modes even if the layout reaches only the first ones,
// as in CuTe.
func TestShorterCoordinates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ origin, layout, want string }{
		{"(0,0)", "2:1@0", "[(0,0) (1,0)]"},
		{"(3,0)", "2:1@0", "[(3,0) (4,0)]"},
		{"(3,(5,0))", "2:1@0", "[(3,(5,0)) (4,(5,0))]"},
		{"(0,(0,0))", "2:1@1@1", "[(0,(0,0)) (0,(0,1))]"},
	} {
		c := must(tensor.CoordinatesAt(cute.MustParseTuple(tt.origin), cute.MustParse(tt.layout)))
		if got := fmt.Sprint(slices.Collect(c.Values())); got != tt.want {
			t.Errorf("%s + %s: %s, expected %s", tt.origin, tt.layout, got, tt.want)
		}
	}
}
