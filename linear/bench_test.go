package linear

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkCompose12 composes two layouts of 12 bits with dense columns, with the dimensions in the same order and in
// different orders.
func BenchmarkCompose12(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	dense := func(ins, outs []Dim) Layout {
		l := Layout{ins: must(fromDims("bench", ins)), outs: must(fromDims("bench", outs)), cols: make([]uint64, 12)}
		for j := range l.cols {
			l.cols[j] = rng.Uint64N(1 << 12)
		}
		return l
	}
	hw := []Dim{{"register", 16}, {"lane", 32}, {"warp", 8}}
	inner := dense(hw, []Dim{{"dim0", 64}, {"dim1", 64}})
	for _, c := range []struct {
		name  string
		outer Layout
	}{
		{"SameOrder", dense([]Dim{{"dim0", 64}, {"dim1", 64}}, []Dim{{"offset", 4096}})},
		{"OtherOrder", dense([]Dim{{"dim1", 64}, {"dim0", 64}}, []Dim{{"offset", 4096}})},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := inner.Compose(c.outer); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestComposeAllocates checks that composing dimensions in the same order allocates once, for the columns of the
// result.
func TestComposeAllocates(t *testing.T) {
	a, b := must(Identity1D(4096, "i", "m")), must(Identity1D(4096, "m", "o"))
	if n := testing.AllocsPerRun(100, func() { _, _ = a.Compose(b) }); n != 1 {
		t.Errorf("%v allocations, want 1", n)
	}
}
