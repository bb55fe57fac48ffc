package convert

import (
	"testing"

	"girih/linear"
)

// transpose128 is a 128×128 tile in eight warps, by rows and by columns, from Triton's test of swizzling.
func transpose128() (src, dst linear.Layout) {
	outs := []linear.Dim{{Name: "dim0", Size: 128}, {Name: "dim1", Size: 128}}
	src = must(linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}, {2, 0}}},
		{Name: "lane", Bases: [][]int64{{0, 16}, {0, 32}, {0, 64}, {4, 0}, {8, 0}}},
		{Name: "warp", Bases: [][]int64{{16, 0}, {32, 0}, {64, 0}}},
	}, outs))
	return src, must(src.TransposeTensor([]int{1, 0}))
}

func BenchmarkOptimalSwizzle(b *testing.B) {
	src, dst := transpose128()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := OptimalSwizzle(src, dst, 8, 32); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewShuffle(b *testing.B) {
	outs := []linear.Dim{{Name: "dim0", Size: 16}, {Name: "dim1", Size: 8}}
	blocked := must(linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}, {0, 2}}}, {Name: "lane", Bases: [][]int64{{0, 4}, {1, 0}, {2, 0}, {4, 0}, {8, 0}}},
	}, outs))
	mma := must(linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}, {8, 0}}}, {Name: "lane", Bases: [][]int64{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
	}, outs))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewShuffle(blocked, mma, 16); err != nil {
			b.Fatal(err)
		}
	}
}
