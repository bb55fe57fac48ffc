package copy_test

import (
	"slices"
	"testing"

	"girih/cute"
	"girih/kernel/copy"
	"pgregory.net/rapid"
)

// places draws strides for extents such that no two coordinates have the same place, in some order, with gaps and
// signs.
func places(t *rapid.T, extents []int64, gaps []int64) []int64 {
	order := rapid.Permutation(indices(len(extents))).Draw(t, "order")
	strides := make([]int64, len(extents))
	next := int64(1)
	for _, i := range order {
		strides[i] = next
		next = next*extents[i] + rapid.SampledFrom(gaps).Draw(t, "gap")
		if rapid.IntRange(0, 7).Draw(t, "sign") == 0 {
			strides[i] = -strides[i]
		}
	}
	return strides
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// regrouped returns a layout with the same values, in which neighbouring extents are separate modes at random.
func regrouped(t *rapid.T, extents, strides []int64) cute.Layout {
	var shape, stride []int64
	for i, n := range extents {
		f := int64(1)
		if n%2 == 0 && rapid.Bool().Draw(t, "split") {
			f = n / 2
			shape, stride = append(shape, f), append(stride, strides[i])
		}
		shape, stride = append(shape, n/f), append(stride, strides[i]*f)
	}
	l, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// swizzled sometimes puts a swizzle before a layout that begins at 0.
func swizzled(t *rapid.T, l cute.Layout) cute.Inner {
	negative := slices.ContainsFunc(l.Stride().Leaves(), func(d int64) bool { return d < 0 })
	if negative || rapid.IntRange(0, 3).Draw(t, "swizzled") > 0 {
		return l
	}
	b, m := rapid.IntRange(1, 3).Draw(t, "B"), rapid.IntRange(0, 4).Draw(t, "M")
	w, err := cute.NewSwizzle(b, m, b+rapid.IntRange(0, 2).Draw(t, "S"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pairs draws two layouts of one size, and options.
func pairs(t *rapid.T) pair {
	n := rapid.IntRange(1, 6).Draw(t, "modes")
	extents := make([]int64, n)
	size := int64(1)
	some := []int64{1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 31, 32, 33, 56, 64, 65, 72, 96, 128, 130}
	for i := range extents {
		extents[i] = rapid.SampledFrom(some).Draw(t, "extent")
		for size*extents[i] > 1<<13 {
			extents[i] = (extents[i] + 1) / 2
		}
		size *= extents[i]
	}
	gaps := rapid.SampledFrom([][]int64{{0}, {0}, {0, 0, 0, 1, 5, 8, 16}}).Draw(t, "gaps")
	from, to := places(t, extents, gaps), places(t, extents, gaps)
	for i := range from {
		if rapid.IntRange(0, 9).Draw(t, "broadcast") == 0 {
			from[i] = 0
		}
	}
	c := pair{src: swizzled(t, regrouped(t, extents, from)), dst: swizzled(t, regrouped(t, extents, to))}
	c.o = copy.Options{
		Bytes:  rapid.SampledFrom([]int64{1, 2, 4, 8, 16}).Draw(t, "bytes"),
		Way:    rapid.SampledFrom([]copy.Way{"", "", copy.Direct, copy.Blocks, copy.Rows, copy.Shifted}).Draw(t, "way"),
		Vector: rapid.SampledFrom([]int64{0, 0, 0, 4, 8, 1}).Draw(t, "vector"),
		Flight: rapid.SampledFrom([]int64{0, 0, 32, 64, 128, 256}).Draw(t, "flight"),
		Tile:   rapid.SampledFrom([]int64{0, 0, 32, 64, 256}).Draw(t, "tile"),
		Order:  rapid.SampledFrom([]copy.Order{"", copy.AlongSrc}).Draw(t, "along"),
	}
	c.o.Threads = rapid.SampledFrom([]int64{0, 0, 32, 64, 96, 512}).Draw(t, "threads")
	aligns := []int64{256, 256, c.o.Bytes, max(c.o.Bytes/2, 1), 2 * c.o.Bytes, 4}
	c.o.SrcAlign = rapid.SampledFrom(aligns).Draw(t, "src align")
	c.o.DstAlign = rapid.SampledFrom(aligns).Draw(t, "dst align")
	return c
}

// TestAnyPair checks copies between random layouts on the simulator. -rapid.checks sets the number of copies.
func TestAnyPair(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := pairs(t)
		p, err := copy.New(c.src, c.dst, c.o)
		if err != nil {
			t.Fatalf("%v to %v: %v", c.src, c.dst, err)
		}
		runs(t, p, c)
	})
}
