package triton_test

import (
	"girih/internal/lang/triton"
	"girih/linear"

	"pgregory.net/rapid"
)

// This file draws encodings and looks at layouts point by point.

// power draws 2^0..2^most.
func power(r *rapid.T, most int, label string) int64 {
	return int64(1) << rapid.IntRange(0, most).Draw(r, label)
}

// powers draws n powers of two.
func powers(r *rapid.T, n, most int, label string) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = power(r, most, label)
	}
	return out
}

func order(r *rapid.T, rank int) []int {
	list := make([]int, rank)
	for i := range list {
		list[i] = i
	}
	return rapid.Permutation(list).Draw(r, "order")
}

func cluster(r *rapid.T, rank int) triton.CGA {
	if rapid.Bool().Draw(r, "one CTA") {
		return triton.CGA{}
	}
	c := triton.CGA{CTAsPerCGA: powers(r, rank, 2, "CTAs"), CTAOrder: order(r, rank)}
	for _, n := range c.CTAsPerCGA {
		c.CTASplitNum = append(c.CTASplitNum, min(n, power(r, 2, "split")))
	}
	return c
}

func blocked(r *rapid.T, rank int) *triton.Blocked {
	return &triton.Blocked{
		SizePerThread: powers(r, rank, 2, "sizePerThread"), ThreadsPerWarp: powers(r, rank, 2, "threadsPerWarp"),
		WarpsPerCTA: powers(r, rank, 1, "warpsPerCTA"), Order: order(r, rank), CGA: cluster(r, rank),
	}
}

// result draws the encoding of the result of a dot, and a kWidth for its operands.
func result(r *rapid.T) (e triton.Encoding, rank int, kWidth int64) {
	rank = rapid.IntRange(2, 3).Draw(r, "rank")
	warps := powers(r, rank, 1, "warps")
	switch rapid.IntRange(0, 4).Draw(r, "parent") {
	case 0:
		return blocked(r, rank), rank, 0
	case 1:
		shape := []int64{rapid.SampledFrom([]int64{8, 16}).Draw(r, "m"), 8}
		if rank == 3 {
			shape = append([]int64{1}, shape...)
		}
		return &triton.NvidiaMMA{VersionMajor: 2, WarpsPerCTA: warps, InstrShape: shape, CGA: cluster(r, rank)}, rank,
			power(r, 3, "kWidth")
	case 2:
		return &triton.NvidiaMMA{VersionMajor: 3, WarpsPerCTA: warps[:2], InstrShape: []int64{16, 8 * power(r, 4, "n"), 16}},
			2, power(r, 2, "kWidth")
	case 3:
		mn := rapid.SampledFrom([][]int64{{32, 32, 8}, {16, 16, 16}, {64, 4, 4}, {4, 64, 4}}).Draw(r, "mn")
		return &triton.MFMA{
			Version: rapid.IntRange(1, 4).Draw(r, "version"), WarpsPerCTA: warps, InstrShape: mn, IsTransposed: mn[0] == 64 ||
				rapid.Bool().Draw(r, "transposed"),
			TilesPerWarp: powers(r, rank, 1, "tiles"), ElementBitWidth: rapid.SampledFrom([]int64{0, 32, 64}).Draw(r, "bits"),
			CGA: cluster(r, rank),
		}, rank, power(r, 3, "kWidth")
	}
	version := rapid.IntRange(1, 3).Draw(r, "version")
	shape := map[int][]int64{
		1: nil, 2: {16, 16, 32}, 3: rapid.SampledFrom([][]int64{{16, 16, 32}, {32, 16, 64}}).Draw(r, "instr"),
	}[version]
	e = &triton.WMMA{
		Version: version, IsTransposed: rapid.Bool().Draw(r, "transposed"), WarpsPerCTA: warps,
		TilesPerWarp: powers(r, rank, 1, "tiles"),
		InstrShape:   shape, CGA: cluster(r, rank),
	}
	return e, rank, rapid.SampledFrom([]int64{8, 16}).Draw(r, "kWidth")
}

// A fatal is the common part of *testing.T and *rapid.T.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustLayout(t fatal, e triton.Encoding, shape ...int64) linear.Layout {
	t.Helper()
	l, err := e.Layout(shape...)
	if err != nil {
		t.Fatalf("%v on %v: %v", e, shape, err)
	}
	return l
}

// each calls f with every coordinate of the sizes, the first dimension fastest.
func each(sizes []int64, f func(c []int64)) {
	c := make([]int64, len(sizes))
	for {
		f(c)
		i := 0
		for ; i < len(c); i++ {
			if c[i]++; c[i] < sizes[i] {
				break
			}
			c[i] = 0
		}
		if i == len(c) {
			return
		}
	}
}

// sizes returns the sizes of the input dimensions.
func sizes(l linear.Layout) []int64 {
	var out []int64
	for _, d := range l.InDims() {
		out = append(out, d.Size)
	}
	return out
}

// at is the value of a layout.
func at(t fatal, l linear.Layout, c ...int64) []int64 {
	v, err := l.At(c...)
	if err != nil {
		t.Helper() // not called earlier, because it takes longer than At
		t.Fatalf("%v at %v: %v", l, c, err)
	}
	return v
}

// unrank splits a number into digits of these sizes. The digit of order[0] is the lowest.
func unrank(n int64, sizes []int64, order []int) []int64 {
	c := make([]int64, len(sizes))
	for _, d := range order {
		c[d] = n % sizes[d]
		n /= sizes[d]
	}
	return c
}

func product(sizes []int64) int64 {
	p := int64(1)
	for _, n := range sizes {
		p *= n
	}
	return p
}
