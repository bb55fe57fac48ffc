package tensor_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/tensor"
)

// open draws a slice coordinate of the shape, and tells which indices it keeps.
func open(t *rapid.T, shape girih.Tuple) girih.Coord {
	switch k := rapid.IntRange(0, 3).Draw(t, "slice"); {
	case k == 0:
		return girih.Open
	case k == 1 || shape.IsInt() || shape.Rank() == 0:
		n := must(shape.Product())
		return must(girih.Fixed(girih.Int(rapid.Int64Range(0, n-1).Draw(t, "fixed"))))
	}
	var cs []girih.Coord
	for _, m := range shape.Modes() {
		cs = append(cs, open(t, m))
	}
	return girih.MakeCoord(cs...)
}

// kept reports whether the full coordinate x agrees with the fixed parts of c.
func kept(c girih.Coord, x, shape girih.Tuple) bool {
	if c.String() == "_" {
		return true
	}
	if f, ok := c.Tuple(); ok && f.IsInt() {
		return must(girih.Crd2Idx(x, shape)) == f.Leaves()[0]
	}
	xs, ss := x.Modes(), shape.Modes()
	for i, m := range c.Modes() {
		if !kept(m, xs[i], ss[i]) {
			return false
		}
	}
	return true
}

// A slice holds the elements whose coordinates agree with what is fixed, in order, swizzled or not.
func TestSlice(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		l := inner(t, n, "layout")
		x := must(tensor.Alloc[int32](l))
		number(x)
		c := open(t, x.Shape())
		got, err := x.Slice(c)
		if err != nil {
			t.Fatalf("%v at %v: %v", x, c, err)
		}
		var want []int32
		for i := range n {
			if kept(c, must(girih.Idx2Crd(girih.Int(i), x.Shape())), x.Shape()) {
				want = append(want, must(x.At(i)))
			}
		}
		if values := slices.Collect(got.Values()); !slices.Equal(values, want) {
			t.Fatalf("%v at %v is %v with %v, want %v", x, c, got, values, want)
		}
		// What is written to the slice is written to the tensor.
		if err := tensor.Fill(got, -1); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if kept(c, must(girih.Idx2Crd(girih.Int(i), x.Shape())), x.Shape()) && must(x.At(i)) != -1 {
				t.Fatalf("%v at %d was not filled through %v", x, i, got)
			}
		}
	})
}

// number writes 1 to the number of its places into the storage of x, by way of x.
func number(x tensor.Tensor[int32]) {
	next := int32(1)
	for i := range x.Size() {
		if v, err := x.At(i); err == nil && v == 0 {
			if err := x.Set(next, i); err != nil {
				panic(err)
			}
			next++
		}
	}
}

// grid draws a matrix, as a tensor and as a table.
func grid(t *rapid.T) (x tensor.Tensor[int32], table [][]int32) {
	m, n := rapid.Int64Range(1, 12).Draw(t, "M"), rapid.Int64Range(1, 12).Draw(t, "N")
	pad := rapid.Int64Range(0, 3).Draw(t, "pad")
	l := must(girih.New(girih.Ints(m, n), girih.Ints(1, m+pad)))
	if rapid.Bool().Draw(t, "rows") {
		l = must(girih.New(girih.Ints(m, n), girih.Ints(n+pad, 1)))
	}
	var in girih.Inner = l
	if rapid.Bool().Draw(t, "swizzled") {
		in = must(girih.NewComposed(must(girih.NewSwizzle(1, 1, 2)), girih.Int(0), l))
	}
	x = must(tensor.Alloc[int32](in))
	number(x)
	for i := range m {
		var row []int32
		for j := range n {
			row = append(row, must(x.At(i, j)))
		}
		table = append(table, row)
	}
	return x, table
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }

// Tile (i,j) of a matrix has the element (x,y) of it at (i·a + x, j·b + y), or none where that is outside.
func TestLocalTile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		m, n := int64(len(table)), int64(len(table[0]))
		a, b := rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b")
		for i := range ceil(m, a) {
			for j := range ceil(n, b) {
				at := must(girih.Fixed(girih.Ints(i, j)))
				tile, err := x.LocalTile(girih.Ints(a, b), at)
				if err != nil {
					t.Fatalf("tile %v of %v by (%d,%d): %v", at, x, a, b, err)
				}
				pred := must(tile.Predicate())
				for r := range a {
					for c := range b {
						real := i*a+r < m && j*b+c < n
						got, err := tile.At(r, c)
						if real != (err == nil) || must(pred.At(r, c)) != real || real && got != table[i*a+r][j*b+c] {
							t.Fatalf("tile %v of %v by (%d,%d) at (%d,%d) is %d, %v", at, x, a, b, r, c, got, err)
						}
					}
				}
				if whole := (i+1)*a <= m && (j+1)*b <= n; tile.Padded() == whole {
					t.Fatalf("tile %v of %v by (%d,%d): padded is %v", at, x, a, b, tile.Padded())
				}
			}
		}
	})
}

// Divides of divides know the padding of all of them: over all tiles of all tiles each element comes once.
func TestTilesOfTiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		a, b := rapid.Int64Range(1, 7).Draw(t, "a"), rapid.Int64Range(1, 7).Draw(t, "b")
		c, d := rapid.Int64Range(1, 4).Draw(t, "c"), rapid.Int64Range(1, 4).Draw(t, "d")
		outer := must(x.TiledDivide(girih.Ints(a, b)))
		seen := map[int32]int{}
		sh := outer.Shape().Modes()
		for i := range must(sh[1].Product()) {
			for j := range must(sh[2].Product()) {
				tile := must(outer.Slice(girih.MakeCoord(girih.Open, must(girih.Fixed(girih.Int(i))), must(girih.Fixed(girih.Int(j))))))
				tile = must(tile.Mode(0))
				parts, err := tile.ZippedDivide(girih.Ints(c, d))
				if err != nil {
					t.Fatalf("%v by (%d,%d): %v", tile, c, d, err)
				}
				for v := range parts.Values() {
					seen[v]++
				}
			}
		}
		for _, row := range table {
			for _, v := range row {
				if seen[v] != 1 {
					t.Fatalf("%v in tiles (%d,%d) of tiles (%d,%d): the element %d comes %d times", x, c, d, a, b, v, seen[v])
				}
			}
		}
	})
}

// The threads of a layout share out a matrix, each element to one; thread i has those at its coordinate in each tile.
func TestLocalPartition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		p, q := rapid.Int64Range(1, 5).Draw(t, "p"), rapid.Int64Range(1, 5).Draw(t, "q")
		threads := must(girih.New(girih.Ints(p, q), girih.Ints(1, p)))
		if rapid.Bool().Draw(t, "rows of threads") {
			threads = must(girih.New(girih.Ints(p, q), girih.Ints(q+1, 1)))
		}
		for r := range p {
			for c := range q {
				index, _ := must(threads.Eval(girih.Ints(r, c))).Int64()
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
				if got := slices.Collect(rows.Values()); len(got) != int(ceil(int64(len(table))-r, p))*len(table[0]) && r < int64(len(table)) {
					t.Fatalf("rows of thread %d of %v in %v: %v", index, threads, x, got)
				}
			}
		}
	})
}

// CuTe's example of three projections of one tiler.
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
	wantCode(t, second(mk.LocalTileProj(tuple("(32,64)"), coord("(1,0,_)"), coord("(1,_,1)"))), girih.CodeRank)
	wantCode(t, second(mk.LocalTileProj(parse("4:1"), coord("(1,0,_)"), coord("(1,_,1)"))), girih.CodeType)
}

// A tensor moved to c has the element of c + x at x, and none where c + x is outside.
func TestDomainOffset(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		dr, dc := rapid.Int64Range(-4, 13).Draw(t, "rows"), rapid.Int64Range(-4, 13).Draw(t, "columns")
		moved, err := x.DomainOffset(girih.Ints(dr, dc))
		if err != nil {
			t.Skip(err) // a swizzle has no negative offsets
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

// An identity tensor, tiled as the data is, predicates as the padding of the data does.
func TestInBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		bound := girih.Ints(int64(len(table)), int64(len(table[0])))
		by := girih.Ints(rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b"))
		data := must(x.ZippedDivide(by))
		coords := must(must(tensor.Identity(bound)).ZippedDivide(by))
		in := must(tensor.InBounds(coords, bound))
		want := must(data.Predicate())
		if a, b := slices.Collect(in.Values()), slices.Collect(want.Values()); !slices.Equal(a, b) {
			t.Fatalf("%v by %v: the identity tensor says %v, the padding %v", x, by, a, b)
		}
	})
}

// Operations on the domain keep the elements, swizzled or padded.
func TestMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, _ := grid(t)
		d := must(x.ZippedDivide(girih.Ints(rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b"))))
		want := slices.Collect(d.Values())
		for name, f := range map[string]func(girih.Layout) (girih.Layout, error){
			"coalesce": girih.Coalesce,
			"flatten":  func(l girih.Layout) (girih.Layout, error) { return l.Flatten(), nil },
			"group":    func(l girih.Layout) (girih.Layout, error) { return l.GroupModes(0, 2) },
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
	id := must(must(tensor.Identity(tuple("(2,3)"))).DomainOffset(tuple("(-1,1)")))
	in := must(tensor.InBounds(id, tuple("(2,3)")))
	if got := slices.Collect(in.Values()); !slices.Equal(got, []bool{false, true, false, true, false, false}) {
		t.Errorf("%v is inside at %v", id, got)
	}
	wantCode(t, second(tensor.InBounds(id, tuple("(2,3,4)").Modes()[0])), girih.CodeNotCongruent)
	x := must(tensor.Alloc[int32](parse("((2,2),3)")))
	wantCode(t, second(x.DomainOffset(tuple("(-1,0)"))), girih.CodeNegative)
	wantCode(t, second(x.DomainOffset(tuple("(0,0,0)"))), girih.CodeNotCongruent)
	moved := must(x.DomainOffset(tuple("(3,1)")))
	if got := must(moved.Predicate()); !must(got.At(0)) || must(got.At(1)) {
		t.Errorf("%v: only the first of mode 0 is left", moved)
	}
}
