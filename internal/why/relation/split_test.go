package relation_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/why/relation"
)

// TestProductDigits checks that each copy in a product arranges its elements as the block does, for any tiler.
func TestProductDigits(t *testing.T) {
	t.Parallel()
	ops := []string{"logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product"}
	rapid.Check(t, func(t *rapid.T) {
		a, op := gen.Chained(32).Draw(t, "block"), rapid.SampledFrom(ops).Draw(t, "op")
		d, err := cute.Derive(op, a, tiler(t, a))
		if err != nil || d.Result.Size() > 1<<12 {
			return
		}
		productLies(t, d)
	})
	for _, x := range [][2]string{
		{"(2,2):(4,1)", "6"},
		{"(2,2):(4,1)", "<3:1,_>"},
		{"(2,(2,3)):(4,(1,8))", "<3:1,<_,2:1>>"},
		{"((2,3)):((1,2))", "<<2,2>>"},
	} {
		for _, op := range ops[:4] {
			d, err := cute.Derive(op, cute.MustParse(x[0]), cute.MustParseTiler(x[1]))
			if err != nil {
				t.Fatal(err)
			}
			productLies(t, d)
		}
	}
}

// tiler draws a tiler for a: a layout, or a tiler by mode.
func tiler(t *rapid.T, a cute.Layout) cute.Tiler {
	if rapid.Bool().Draw(t, "by mode") {
		return gen.Tilers(a).Draw(t, "tiler")
	}
	return gen.NonNegativeLayouts().Draw(t, "layout")
}

func productLies(t rapid.TB, d *cute.Derivation) {
	t.Helper()
	s, ok := relation.SplitOf(d)
	if !ok || s.Size() != d.Result.Size() {
		t.Fatalf("%s(%v, %v) = %v: the digits count %d, %v", d.Op, d.A, d.B, d.Result, s.Size(), ok)
	}
	begins, seen := map[int64]int64{}, map[[2]int64]bool{}
	for i := range d.Result.Size() {
		place, copy := s.At(i)
		at, err := d.Result.At(i)
		own, errA := d.A.At(place)
		if err != nil || errA != nil || place < 0 || place >= d.A.Size() || seen[[2]int64{place, copy}] {
			t.Fatalf("%v of %v: index %d is element %d of copy %d, %v, %v", d.Result, d.A, i, place, copy, err, errA)
		}
		seen[[2]int64{place, copy}] = true
		if begin, ok := begins[copy]; ok && begin != at-own {
			t.Fatalf("%v of %v: index %d is element %d of copy %d at %d, and another one begins it at %d",
				d.Result, d.A, i, place, copy, at-own, begin)
		}
		begins[copy] = at - own
	}
}

// TestDivide checks that a divide contains each element of the divided layout, and that all forms have the same element
// at the same place of the same tile.
func TestDivide(t *testing.T) {
	t.Parallel()
	ops := []string{"zipped_divide", "tiled_divide", "flat_divide", "logical_divide"}
	rapid.Check(t, func(t *rapid.T) {
		a := gen.NonNegativeLayouts().Draw(t, "layout")
		divides(t, a, tiler(t, a), ops)
	})
	for _, x := range [][2]string{
		{"(8,16,3):(16,1,128)", "<_,8>"},
		{"((4,2),6):((1,4),8)", "<<2,_>,3>"},
		{"((4,2),6):((1,4),8)", "<<2,2>,3>"},
		{"(6,4):(1,6)", "<4,3>"},
		{"10:3", "4"},
		{"24:1", "5:2"},
		{"(2,3):(0,0)", "<2,3>"},
		{"(1,1,1,1):(0,0,0,0)", "(2)"},
	} {
		divides(t, cute.MustParse(x[0]), cute.MustParseTiler(x[1]), ops)
	}
}

func divides(t rapid.TB, a cute.Layout, by cute.Tiler, ops []string) {
	t.Helper()
	var want map[[2]int64]int64 // the elements of the zipped form, by place and tile
	for _, op := range ops {
		d, err := relation.Divide(op, a, by)
		if err != nil || d.Size() > 1<<12 {
			return
		}
		of, err := d.Elements()
		if err != nil || d.Split.Size() != d.Size() || int64(len(of)) != d.Size() {
			t.Fatalf("%s(%v, %v) = %v: the digits count %d of %d, %v", op, a, by, d.Layout, d.Split.Size(), len(of), err)
		}
		seen, got := map[int64]bool{}, map[[2]int64]int64{}
		for i, j := range of {
			place, tile := d.Split.At(int64(i))
			if got[[2]int64{place, tile}] = j; j < 0 {
				continue
			}
			x, errX := d.At(int64(i))
			y, errY := a.At(j)
			if errX != nil || errY != nil || x != y {
				t.Fatalf("%s(%v, %v): element %d is %d, element %d of A is %d, %v, %v", op, a, by, i, x, j, y, errX, errY)
			}
			seen[j] = true
		}
		if want == nil {
			want = got
			m, err := d.Mode(0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range d.Size() {
				if place, tile := d.Split.At(i); place != i%m.Size() || tile != i/m.Size() {
					t.Fatalf("%s(%v, %v) = %v: element %d is at place %d of tile %d", op, a, by, d.Layout, i, place, tile)
				}
			}
		}
		if len(seen) != int(a.Size()) || len(got) != len(want) {
			t.Fatalf("%s(%v, %v): %d of %d elements, %d places", op, a, by, len(seen), a.Size(), len(got))
		}
		for at, j := range got {
			if want[at] != j {
				t.Fatalf("%s(%v, %v): tile %d has element %d at place %d, zipped %d", op, a, by, at[1], j, at[0], want[at])
			}
		}
	}
}
