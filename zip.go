package girih

import "fmt"

// This file implements the rearrangements that turn a logical divide or product into its zipped, tiled and
// flat forms. For a tile <TM,TN> over modes (M,N,L):
//
//	logical ((TM,RM),(TN,RN),L)   zipped ((TM,TN),(RM,RN,L))   tiled ((TM,TN),RM,RN,L)   flat (TM,TN,RM,RN,L)

// Zip returns the transpose of the nesting of the given layouts: ((a,b),(c,d)) becomes ((a,c),(b,d)), as
// CuTe's zip of (a,b) and (c,d). All must have the same rank, or it returns [CodeRank].
func Zip(as ...Layout) (Layout, error) {
	var cols [][]Layout
	for i, a := range as {
		ms := a.Modes()
		if i > 0 && len(ms) != len(cols) {
			return Layout{}, &Error{Code: CodeRank, Op: "zip", Msg: fmt.Sprintf("expected %d modes as in %v, found %v", len(cols), as[0], a)}
		}
		for j, m := range ms {
			if i == 0 {
				cols = append(cols, nil)
			}
			cols[j] = append(cols[j], m)
		}
	}
	parts := make([]Layout, len(cols))
	for j, c := range cols {
		var err error
		if parts[j], err = MakeLayout(c...); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(parts...)
}

// TileUnzip returns the pairs (tile,rest) of a, which stand where the tiler has its leaves, gathered into
// ((tiles),(rests)), with the modes beyond the tiler among the rests: CuTe's tile_unzip. Where the tiler has _
// a mode of rank 2 is such a pair already; any other mode goes to the rests, with 1:0 as its tile.
// It returns [CodeRank] if a mode that should be a pair is not.
func TileUnzip(a Layout, t Tiler) (Layout, error) {
	x, y, err := unzip(a, t)
	if err != nil {
		return Layout{}, err
	}
	return pair(x, y)
}

// unzip returns the tiles and the rests of a.
func unzip(a Layout, t Tiler) (tile, rest Layout, err error) {
	ts, ok := byMode(t)
	if !ok {
		if a.prof != "." && a.Rank() == 2 {
			return a.part2()
		}
		if t == Keep {
			return Layout{v: []int64{1, 0}, prof: "."}, a, nil
		}
		return Layout{}, Layout{}, &Error{Code: CodeRank, Op: "tile_unzip", Msg: fmt.Sprintf("expected a pair (tile,rest), found %v", a)}
	}
	if err := checkTileRank("tile_unzip", a, len(ts)); err != nil {
		return Layout{}, Layout{}, err
	}
	as := a.Modes()
	tiles := make([]Layout, len(ts))
	for i := range ts {
		if tiles[i], as[i], err = unzip(as[i], ts[i]); err != nil {
			return Layout{}, Layout{}, err
		}
	}
	if tile, err = MakeLayout(tiles...); err != nil {
		return Layout{}, Layout{}, err
	}
	rest, err = MakeLayout(as...)
	return tile, rest, err
}

// part2 returns the two modes of a layout of rank 2.
func (l Layout) part2() (a, b Layout, err error) {
	m := modesOf(l.prof)
	m.next()
	a = l.part(m.prof, m.lo, m.hi)
	m.next()
	return a, l.part(m.prof, m.lo, m.hi), nil
}

// form is the arrangement of a divide or a product.
type form int

const (
	logical form = iota
	zipped
	tiled // the rests unpacked
	flat  // tiles and rests unpacked
)

// arrange brings the logical result a of an operation with the tiler t into the given form.
func arrange(a Layout, t Tiler, f form) (Layout, error) {
	if f == logical {
		return a, nil
	}
	tile, rest, err := unzip(a, t)
	if err != nil || f == zipped {
		if err != nil {
			return Layout{}, err
		}
		return pair(tile, rest)
	}
	parts := []Layout{tile}
	if f == flat {
		parts = tile.Modes()
	}
	return MakeLayout(append(parts, rest.Modes()...)...)
}

// arrangeDivision brings a logical divide, and the coordinates of its padding, into the given form.
func arrangeDivision(d Division, t Tiler, f form) (Division, error) {
	var err error
	if d.Layout, err = arrange(d.Layout, t, f); err != nil || d.Padding.None() {
		return d, err
	}
	d.Padding.Coord, err = arrange(d.Padding.Coord, t, f)
	return d, err
}

func divideIn(op string, a Layout, t Tiler, f form) (Division, error) {
	d, err := divide(op, a, t)
	if err != nil {
		return Division{}, err
	}
	return arrangeDivision(d, t, f)
}

// ZippedDivide is [LogicalDivide] with the tiles gathered in mode 0 and the rests in mode 1:
// ((TM,TN),(RM,RN,L)). It returns the errors of LogicalDivide, and [CodeRank] as [TileUnzip] does.
func ZippedDivide(a Layout, t Tiler) (Division, error) {
	return divideIn("zipped_divide", a, t, zipped)
}

// TiledDivide is [ZippedDivide] with the rests unpacked: ((TM,TN),RM,RN,L).
func TiledDivide(a Layout, t Tiler) (Division, error) { return divideIn("tiled_divide", a, t, tiled) }

// FlatDivide is [ZippedDivide] with tiles and rests unpacked: (TM,TN,RM,RN,L).
func FlatDivide(a Layout, t Tiler) (Division, error) { return divideIn("flat_divide", a, t, flat) }

// ZippedDivideExact is [ZippedDivide], and refuses with [CodeNotDivisible] instead of padding.
func ZippedDivideExact(a Layout, t Tiler) (Layout, error) {
	return refusePadding("zipped_divide", a, t, ZippedDivide)
}

// TiledDivideExact is [TiledDivide], and refuses with [CodeNotDivisible] instead of padding.
func TiledDivideExact(a Layout, t Tiler) (Layout, error) {
	return refusePadding("tiled_divide", a, t, TiledDivide)
}

// FlatDivideExact is [FlatDivide], and refuses with [CodeNotDivisible] instead of padding.
func FlatDivideExact(a Layout, t Tiler) (Layout, error) {
	return refusePadding("flat_divide", a, t, FlatDivide)
}
