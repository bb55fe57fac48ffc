package tensormap_test

import (
	"testing"

	"girih/cute"
	"girih/tensormap"
)

// BenchmarkPlan finds the map of a tile, its broken rules, and its instructions.
func BenchmarkPlan(b *testing.B) {
	swizzle, _ := cute.NewSwizzle(3, 3, 3)
	shared, _ := cute.NewComposed(swizzle, cute.Int(0), cute.MustParse("((8,16),(64,2)):((64,512),(1,8192))"))
	c := tensormap.Copy{
		Global: cute.MustParse("(1024,512):(512,1)"), Type: tensormap.Float16, Shared: shared,
		Multicast: 2,
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := tensormap.Make(c)
		if err != nil || !p.Map.Legal() {
			b.Fatal(err)
		}
		if _, err := p.Issue(cute.Ints(3, 1)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	m := tiled()
	m.Strides[0], m.Box[0] = 2056, 128
	for b.Loop() {
		if len(m.Check()) != 2 {
			b.Fatal(m.Check())
		}
	}
}

func BenchmarkLandings(b *testing.B) {
	m := tiled()
	start := tensormap.Start{Coord: []int64{0, 0, 0}}
	for b.Loop() {
		landings, err := m.Landings(start)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for range landings {
			n++
		}
		if n != 4096 {
			b.Fatal(n)
		}
	}
}
