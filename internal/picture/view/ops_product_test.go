package view

import (
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/check/gen"
)

// TestProductDigits: the elements of a copy in the picture of a product lie as those of the block do, whatever tiler
// repeats it.
func TestProductDigits(t *testing.T) {
	t.Parallel()
	ops := []string{"logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product"}
	rapid.Check(t, func(t *rapid.T) {
		a, op := gen.Chained(32).Draw(t, "block"), rapid.SampledFrom(ops).Draw(t, "op")
		var by girih.Tiler = gen.NonNegativeLayouts().Draw(t, "layout")
		if rapid.Bool().Draw(t, "by mode") {
			by = gen.Tilers(a).Draw(t, "tiler")
		}
		d, err := girih.Derive(op, a, by)
		if err != nil || d.Result.Size() > 1<<12 || by == girih.Keep {
			return
		}
		productLies(t, newProductPicture(op, d))
	})
	for _, x := range [][2]string{
		{"(2,2):(4,1)", "6"},
		{"(2,2):(4,1)", "<3:1,_>"},
		{"(2,(2,3)):(4,(1,8))", "<3:1,<_,2:1>>"},
		{"((2,3)):((1,2))", "<<2,2>>"},
	} {
		for _, op := range ops[:4] {
			d, err := girih.Derive(op, girih.MustParse(x[0]), girih.MustParseTiler(x[1]))
			if err != nil {
				t.Fatal(err)
			}
			productLies(t, newProductPicture(op, d))
		}
	}
}

func productLies(t rapid.TB, v *productPicture) {
	t.Helper()
	begins, seen := map[int64]int64{}, map[[2]int64]bool{}
	for i := range v.r.Size() {
		place, copy := v.split(i)
		at, err := v.r.At(i)
		own, errA := v.a.At(place)
		if err != nil || errA != nil || place < 0 || place >= v.a.Size() || seen[[2]int64{place, copy}] {
			t.Fatalf("%v of %v: index %d is element %d of copy %d, %v, %v", v.r, v.a, i, place, copy, err, errA)
		}
		seen[[2]int64{place, copy}] = true
		if begin, ok := begins[copy]; ok && begin != at-own {
			t.Fatalf("%v of %v: index %d is element %d of copy %d at %d, and another one begins it at %d",
				v.r, v.a, i, place, copy, at-own, begin)
		}
		begins[copy] = at - own
	}
}
