package gen

import (
	"fmt"

	"pgregory.net/rapid"

	"girih/cute"
)

// Drawn layouts have at most MaxLeaves leaves and MaxSize elements.
const (
	MaxLeaves = 4
	MaxSize   = 64
)

// must returns x. By construction there is no error.
func must[T any](x T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("gen: %v", err))
	}
	return x
}

// draw returns an integer of [lo, hi].
func draw(t *rapid.T, label string, lo, hi int64) int64 {
	return rapid.Int64Range(lo, hi).Draw(t, label)
}

// once returns true with a chance of one in n. Shrinking prefers small draws, which give false.
func once(t *rapid.T, label string, n int64) bool { return draw(t, label, 0, n-1) == n-1 }

// Profiles draws nestings of the given number of leaves, as tuples of zeros. A lone leaf is often not wrapped, and
// now and then a mode is the empty tuple.
func Profiles(leaves int) *rapid.Generator[cute.Tuple] {
	return rapid.Custom(func(t *rapid.T) cute.Tuple { return profile(t, leaves, 3) })
}

// profile draws a nesting of at most the given depth.
func profile(t *rapid.T, leaves, depth int) cute.Tuple {
	if leaves == 1 && !(depth > 0 && once(t, "wrap", 6)) {
		return cute.Int(0)
	}
	var modes []cute.Tuple
	for left := leaves; left > 0; {
		n := 1
		if depth > 1 && once(t, "group", 3) {
			n = int(draw(t, "leaves of the group", 1, int64(left)))
			modes = append(modes, profile(t, n, depth-1))
		} else {
			modes = append(modes, cute.Int(0))
		}
		left -= n
	}
	if once(t, "empty mode", 40) {
		modes = append(modes, cute.Tuple{})
	}
	return must(cute.MakeTuple(modes...))
}

// extents draws n extents whose product is at most size.
func extents(t *rapid.T, n int, size int64) []int64 {
	s := make([]int64, n)
	for i := range s {
		s[i] = draw(t, "extent", 1, min(8, size))
		size /= s[i]
	}
	return s
}

// powers draws n powers of two whose product is at most size.
func powers(t *rapid.T, n int, size int64) []int64 {
	s := make([]int64, n)
	for i := range s {
		s[i] = 1 << draw(t, "bits", 0, 3)
		for s[i] > size {
			s[i] /= 2
		}
		size /= s[i]
	}
	return s
}

// leafCount draws a number of leaves from 1 to MaxLeaves.
func leafCount(t *rapid.T) int { return int(draw(t, "leaves", 1, MaxLeaves)) }

// nest returns the given elements as a tuple in a drawn nesting.
func nest(t *rapid.T, elems []cute.Tuple) cute.Tuple {
	flat := must(cute.MakeTuple(elems...))
	return fill(profile(t, len(elems), 3), flat.Modes(), new(int))
}

// fill puts the elements in place of the leaves of the profile p, starting with the element at next.
func fill(p cute.Tuple, elems []cute.Tuple, next *int) cute.Tuple {
	if p.IsInt() {
		*next++
		return elems[*next-1]
	}
	modes := p.Modes()
	for i := range modes {
		modes[i] = fill(modes[i], elems, next)
	}
	return must(cute.MakeTuple(modes...))
}

func ints(xs []int64) []cute.Tuple {
	ts := make([]cute.Tuple, len(xs))
	for i, x := range xs {
		ts[i] = cute.Int(x)
	}
	return ts
}

// Shapes draws shapes of at most the given size.
func Shapes(size int64) *rapid.Generator[cute.Tuple] {
	return rapid.Custom(func(t *rapid.T) cute.Tuple {
		if once(t, "no leaves", 40) {
			return cute.Tuple{}
		}
		return nest(t, ints(extents(t, leafCount(t), size)))
	})
}

// Tuples draws tuples of small integers of any sign, or of coordinates.
func Tuples() *rapid.Generator[cute.Tuple] {
	return rapid.Custom(func(t *rapid.T) cute.Tuple {
		n := int(draw(t, "leaves", 0, MaxLeaves))
		if draw(t, "coordinates", 0, 1) == 1 {
			axes := rapid.SampledFrom(axesOf).Draw(t, "axes")
			return nest(t, movement{axes, len(axes), -9, 9}.strides(t, n))
		}
		elems := make([]cute.Tuple, n)
		for i := range elems {
			elems[i] = cute.Int(draw(t, "leaf", -9, 9))
		}
		return nest(t, elems)
	})
}

// Coords draws coordinates congruent to the shape, inside its bounds.
func Coords(shape cute.Tuple) *rapid.Generator[cute.Tuple] {
	return rapid.Custom(func(t *rapid.T) cute.Tuple {
		draw(t, "coordinate", 0, 0)
		return coord(t, shape, 0, 0)
	})
}

// WeakCoords draws coordinates weakly congruent to the shape: an integer may replace a whole mode. Coordinates may be
// negative or out of bounds, by up to a few times the size.
func WeakCoords(shape cute.Tuple) *rapid.Generator[cute.Tuple] {
	return rapid.Custom(func(t *rapid.T) cute.Tuple {
		if once(t, "integer", 6) {
			return cute.Int(draw(t, "index", -3*MaxSize, 3*MaxSize))
		}
		return coord(t, shape, 4, 3)
	})
}

// coord draws a coordinate of the shape. One mode in collapse is an integer (none if collapse is 0), and integers may
// be out of bounds by up to beyond*size.
func coord(t *rapid.T, shape cute.Tuple, collapse, beyond int64) cute.Tuple {
	size := must(shape.Product())
	if shape.IsInt() || (collapse > 0 && once(t, "collapse", collapse)) {
		return cute.Int(draw(t, "x", -beyond*size, (1+beyond)*size-1))
	}
	modes := shape.Modes()
	for i := range modes {
		modes[i] = coord(t, modes[i], collapse, beyond)
	}
	return must(cute.MakeTuple(modes...))
}

// SliceCoords draws coordinates of the shape in which modes are left open.
func SliceCoords(shape cute.Tuple) *rapid.Generator[cute.Coord] {
	return rapid.Custom(func(t *rapid.T) cute.Coord { return sliceCoord(t, shape) })
}

func sliceCoord(t *rapid.T, shape cute.Tuple) cute.Coord {
	if once(t, "open", 3) {
		return cute.Open
	}
	if shape.IsInt() || once(t, "collapse", 4) {
		return must(cute.Fixed(cute.Int(draw(t, "x", 0, must(shape.Product())-1))))
	}
	var modes []cute.Coord
	for _, m := range shape.Modes() {
		modes = append(modes, sliceCoord(t, m))
	}
	return cute.MakeCoord(modes...)
}
