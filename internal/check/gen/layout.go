package gen

import (
	"math"

	"pgregory.net/rapid"

	"girih/cute"
)

// layout returns the layout with the extents s and the strides d, one for each leaf, in a drawn nesting.
func layout(t *rapid.T, s []int64, d []cute.Tuple) cute.Layout {
	p := profile(t, len(s), 3)
	flat := must(cute.MakeTuple(d...))
	return must(cute.New(fill(p, ints(s), new(int)), fill(p, flat.Modes(), new(int))))
}

// Layouts draws layouts of integers of every kind: compact, scattered, with broadcasts, with negative strides.
func Layouts() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(NonNegativeLayouts(), CompactLayouts(), Strided(-12, 12), Strided(-2, 2))
}

// NonNegativeLayouts draws layouts of integers without negative strides.
func NonNegativeLayouts() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(Strided(0, 12), TinyStrides(), Chained(MaxSize), PowersOfTwo(), CompactLayouts())
}

// Strided draws layouts whose strides are any integers of [lo, hi].
func Strided(lo, hi int64) *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := extents(t, leafCount(t), MaxSize)
		d := make([]int64, len(s))
		for i := range d {
			d[i] = draw(t, "stride", lo, hi)
		}
		return layout(t, s, ints(d))
	})
}

// TinyStrides draws layouts with strides of 0 to 3, so that many strides and offsets coincide.
func TinyStrides() *rapid.Generator[cute.Layout] { return Strided(0, 3) }

// PowersOfTwo draws layouts whose extents are powers of two, and whose strides are powers of two or 0.
func PowersOfTwo() *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := powers(t, leafCount(t), MaxSize)
		d := make([]int64, len(s))
		for i := range d {
			d[i] = 1 << draw(t, "stride", 0, 6) >> 1
		}
		return layout(t, s, ints(d))
	})
}

// CompactLayouts draws bijections of [0, size): compact layouts with the modes in any order.
func CompactLayouts() *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := extents(t, leafCount(t), MaxSize)
		return layout(t, s, ints(chain(t, s, 1)))
	})
}

// Chained draws layouts of at most the given size whose strides chain, so that a complement exists: ordered by stride,
// each stride is a multiple of the previous mode's extent times its stride. Now and then a mode has stride 0.
func Chained(size int64) *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := extents(t, int(draw(t, "leaves", 1, 3)), size)
		d := chain(t, s, 3)
		if once(t, "broadcast", 6) {
			d[draw(t, "which", 0, int64(len(d)-1))] = 0
		}
		return layout(t, s, ints(d))
	})
}

// chain draws strides for the extents s that chain in some order, with gaps of up to the given factor.
func chain(t *rapid.T, s []int64, gap int64) []int64 {
	order := make([]int, len(s))
	for i := range order {
		order[i] = i
	}
	d, next := make([]int64, len(s)), int64(1)
	for _, i := range rapid.Permutation(order).Draw(t, "order") {
		d[i] = next * draw(t, "gap", 1, gap)
		next = d[i] * s[i]
	}
	return d
}

// ManyLeaves draws layouts of integers with up to 40 leaves, more than a kernel keeps on its stack. Most extents are 1,
// so that these layouts are as small as the others.
func ManyLeaves() *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		n := int(draw(t, "leaves", 5, 40))
		s, d, size := make([]int64, n), make([]int64, n), int64(MaxSize)
		for i := range s {
			s[i] = min(max(draw(t, "extent", -2, 3), 1), size)
			size /= s[i]
			d[i] = draw(t, "stride", -1, 40)
		}
		return layout(t, s, ints(d))
	})
}

// axesOf lists the axes of codomains to draw from. In a codomain, no path is a prefix of another.
var axesOf = [][][]int{
	{{0}, {1}},
	{{0}, {1}, {2}},
	{{1}},
	{{0, 0}, {0, 1}, {1}},
	{{0}, {1, 2}},
	{{2}, {0, 1, 0}},
}

// SingleAxis draws layouts with coordinate strides that move along one axis each.
func SingleAxis() *rapid.Generator[cute.Layout] { return withAxes(1, 0) }

// MultiAxis draws layouts with coordinate strides that may move along several axes at once, in either direction.
func MultiAxis() *rapid.Generator[cute.Layout] { return withAxes(3, -4) }

func withAxes(terms int, least int64) *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := extents(t, leafCount(t), MaxSize)
		m := movement{rapid.SampledFrom(axesOf).Draw(t, "axes"), terms, least, 6}
		return layout(t, s, m.strides(t, len(s)))
	})
}

// A movement describes coordinate strides: each stride is a sum along at most terms axes, with coefficients from least
// to most.
type movement struct {
	axes        [][]int
	terms       int
	least, most int64
}

// strides draws n coordinate strides.
func (m movement) strides(t *rapid.T, n int) []cute.Tuple {
	d := make([]cute.Tuple, n)
	for i := range d {
		d[i] = cute.Int(0)
		for range draw(t, "terms", 0, int64(m.terms)) {
			path := rapid.SampledFrom(m.axes).Draw(t, "axis")
			d[i] = must(d[i].Add(must(cute.Basis(draw(t, "coefficient", m.least, m.most), path...))))
		}
	}
	return d
}

// ChainedAxes draws layouts with coordinate strides that chain along each axis, and so have a complement.
func ChainedAxes() *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := extents(t, leafCount(t), 32)
		axes := rapid.SampledFrom(axesOf).Draw(t, "axes")
		d, next := make([]cute.Tuple, len(s)), map[int]int64{}
		for i := range s {
			a := rapid.IntRange(0, len(axes)-1).Draw(t, "axis")
			step := max(next[a], 1) * draw(t, "gap", 1, 2)
			d[i], next[a] = must(cute.Basis(step, axes[a]...)), step*s[i]
		}
		return layout(t, s, d)
	})
}

// Into draws layouts whose offsets are coordinates of the shape, sometimes with an integer for a whole mode. Most
// offsets are inside the shape, and a few strides move along several axes.
func Into(shape cute.Tuple) *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		s := extents(t, int(draw(t, "leaves", 1, 3)), 32)
		axes := antichain(t, shape, nil)
		if len(axes) == 0 {
			return layout(t, s, ints(make([]int64, len(s))))
		}
		if len(axes[0]) == 0 {
			return layout(t, s, ints(extents(t, len(s), MaxSize)))
		}
		return layout(t, s, movement{axes, 2, -1, 6}.strides(t, len(s)))
	})
}

// antichain draws paths to disjoint modes of the shape.
func antichain(t *rapid.T, shape cute.Tuple, path []int) [][]int {
	if shape.IsInt() || once(t, "whole mode", 5) {
		return [][]int{path}
	}
	var out [][]int
	for i, m := range shape.Modes() {
		if !once(t, "skip", 5) {
			out = append(out, antichain(t, m, append(path[:len(path):len(path)], i))...)
		}
	}
	return out
}

// hugeNumbers lists numbers at the edges of what fits. Sizes made of them are small or too large for a table.
var hugeNumbers = []int64{
	1, 2, 3, 6, 1 << 24, 16777259, 1 << 31, 1<<31 + 1, 1 << 32, 3486784401, 1 << 40, 999999999989,
	1 << 61, 1 << 62, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64,
}

// HugeLayouts draws layouts of integers whose size, or whose offsets, come near to 2^63.
func HugeLayouts() *rapid.Generator[cute.Layout] {
	return rapid.Custom(func(t *rapid.T) cute.Layout {
		n := leafCount(t)
		s, d := make([]int64, n), make([]int64, n)
		size, reach := int64(math.MaxInt64), int64(math.MaxInt64)
		for i := range s {
			s[i] = min(rapid.SampledFrom(hugeNumbers).Draw(t, "extent"), size)
			size /= s[i]
			d[i] = rapid.SampledFrom(hugeNumbers).Draw(t, "stride") - draw(t, "less", 0, 1)
			if s[i] > 1 {
				d[i] = min(d[i], reach/(s[i]-1))
				reach -= (s[i] - 1) * d[i]
			}
			if once(t, "negative", 5) {
				d[i] = -d[i]
			}
		}
		return layout(t, s, ints(d))
	})
}
