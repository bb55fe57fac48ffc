package tensor_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/ints"
	"girih/tensor"
)

// open draws a slice coordinate of the shape.
func open(t *rapid.T, shape cute.Tuple) cute.Coord {
	switch k := rapid.IntRange(0, 3).Draw(t, "slice"); {
	case k == 0:
		return cute.Open
	case k == 1 || shape.IsInt() || shape.Rank() == 0:
		n := must(shape.Product())
		return must(cute.Fixed(cute.Int(rapid.Int64Range(0, n-1).Draw(t, "fixed"))))
	}
	var cs []cute.Coord
	for _, m := range shape.Modes() {
		cs = append(cs, open(t, m))
	}
	return cute.MakeCoord(cs...)
}

// kept reports whether the full coordinate x agrees with the fixed parts of c.
func kept(c cute.Coord, x, shape cute.Tuple) bool {
	if c.String() == "_" {
		return true
	}
	if f, ok := c.Tuple(); ok && f.IsInt() {
		return must(cute.Crd2Idx(x, shape)) == f.Leaves()[0]
	}
	xs, ss := x.Modes(), shape.Modes()
	for i, m := range c.Modes() {
		if !kept(m, xs[i], ss[i]) {
			return false
		}
	}
	return true
}

// A slice holds the elements whose coordinates agree with the fixed numbers, in order, swizzled or not.
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
			if kept(c, must(cute.Idx2Crd(cute.Int(i), x.Shape())), x.Shape()) {
				want = append(want, must(x.At(i)))
			}
		}
		if values := slices.Collect(got.Values()); !slices.Equal(values, want) {
			t.Fatalf("%v at %v is %v with %v, want %v", x, c, got, values, want)
		}
		// Writing to the slice writes to the tensor.
		if err := tensor.Fill(got, -1); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if kept(c, must(cute.Idx2Crd(cute.Int(i), x.Shape())), x.Shape()) && must(x.At(i)) != -1 {
				t.Fatalf("%v at %d was not filled through %v", x, i, got)
			}
		}
	})
}

// A slice of a tensor that computes its elements holds the values of its layout: also after a swizzle, whose functions
// slices share.
func TestSliceOfValues(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		l := inner(t, n, "layout")
		x, err := tensor.Coordinates(l)
		if err != nil {
			t.Skip(err)
		}
		c := open(t, x.Shape())
		got := must(x.Slice(c))
		at := int64(0)
		for i := range n {
			if !kept(c, must(cute.Idx2Crd(cute.Int(i), x.Shape())), x.Shape()) {
				continue
			}
			if a, b := must(got.At(at)), must(x.At(i)); !a.Equal(b) {
				t.Fatalf("element %d of %v at %v is %v, want %v", at, x, c, a, b)
			}
			at++
		}
	})
}

// number writes 1, 2, ... to the places of x in its storage, through x.
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
	l := must(cute.New(cute.Ints(m, n), cute.Ints(1, m+pad)))
	if rapid.Bool().Draw(t, "rows") {
		l = must(cute.New(cute.Ints(m, n), cute.Ints(n+pad, 1)))
	}
	var in cute.Inner = l
	if rapid.Bool().Draw(t, "swizzled") {
		in = must(cute.NewComposed(must(cute.NewSwizzle(1, 1, 2)), cute.Int(0), l))
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

// Tile (i,j) of a matrix contains the matrix's element (i·a + x, j·b + y) at (x,y), or no element if that is outside.
func TestLocalTile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		m, n := int64(len(table)), int64(len(table[0]))
		a, b := rapid.Int64Range(1, 6).Draw(t, "a"), rapid.Int64Range(1, 6).Draw(t, "b")
		for i := range ints.CeilDiv(m, a) {
			for j := range ints.CeilDiv(n, b) {
				at := must(cute.Fixed(cute.Ints(i, j)))
				tile, err := x.LocalTile(cute.Ints(a, b), at)
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

// Divides of divides keep all padding: over all tiles of all tiles each element occurs once.
func TestTilesOfTiles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x, table := grid(t)
		a, b := rapid.Int64Range(1, 7).Draw(t, "a"), rapid.Int64Range(1, 7).Draw(t, "b")
		c, d := rapid.Int64Range(1, 4).Draw(t, "c"), rapid.Int64Range(1, 4).Draw(t, "d")
		outer := must(x.TiledDivide(cute.Ints(a, b)))
		seen := map[int32]int{}
		sh := outer.Shape().Modes()
		for i := range must(sh[1].Product()) {
			for j := range must(sh[2].Product()) {
				tile := must(outer.Slice(cute.MakeCoord(cute.Open, must(cute.Fixed(cute.Int(i))), must(cute.Fixed(cute.Int(j))))))
				tile = must(tile.Mode(0))
				parts, err := tile.ZippedDivide(cute.Ints(c, d))
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
