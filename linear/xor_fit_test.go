package linear

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/f2"
)

// This file evaluates the definitions by brute force: it tries every split of every leaf to decide which offsets have
// F2 strides.

// factors returns the ordered ways to write n as a product of numbers above 1.
func factors(n int64) [][]int64 {
	if n == 1 {
		return [][]int64{nil}
	}
	var out [][]int64
	for s := int64(2); s <= n; s++ {
		if n%s == 0 {
			for _, rest := range factors(n / s) {
				out = append(out, append([]int64{s}, rest...))
			}
		}
	}
	return out
}

// ladders returns the flat shapes with which the offsets of one leaf have F2 strides.
func ladders(table []int64) [][]int64 {
	var out [][]int64
	for _, s := range factors(int64(len(table))) {
		if isXor(table, s) {
			out = append(out, s)
		}
	}
	return out
}

func isXor(table []int64, s []int64) bool { return reaches(table, s) == len(table) }

// reaches returns the first index at which the only possible strides of the flat shape fail.
func reaches(table []int64, s []int64) int {
	for i, want := range table {
		rest, step, y := int64(i), int64(1), uint64(0)
		for j, e := range s {
			digit := rest % e
			if j == len(s)-1 {
				digit = rest
			}
			rest /= e
			for k := range 12 {
				if digit>>k&1 != 0 && step < int64(len(table)) {
					y ^= uint64(table[step]) << k
				}
			}
			step *= e
		}
		if int64(y) != want {
			return i
		}
	}
	return len(table)
}

// best returns the greatest index that a flat shape compatible with the leaves reaches.
func best(table []int64, leaves []int64) int {
	flats := [][]int64{nil}
	for _, e := range leaves {
		var next [][]int64
		for _, f := range flats {
			for _, g := range factors(e) {
				next = append(next, slices.Concat(f, g))
			}
		}
		flats = next
	}
	most := 0
	for _, s := range flats {
		most = max(most, reaches(table, s))
	}
	return most
}

// checkFit compares the result for these offsets, a layout or a refusal, with all possible layouts.
func checkFit(t *rapid.T, what string, shape cute.Tuple, table []int64, got XorLayout, err error) {
	reach := best(table, shape.Leaves())
	if err == nil {
		if !cute.Compatible(shape, got.Shape()) || !slices.Equal(xorTable(got), table) {
			t.Fatalf("%s = %v has the offsets %v, want %v over %v", what, got, xorTable(got), table, shape)
		}
		return
	}
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != cute.CodeNotRepresentable {
		t.Fatalf("%s of %v: %v", what, table, err)
	}
	if reach == len(table) {
		t.Fatalf("%s is refused, and %v over %v has F2 strides: %v", what, table, shape, err)
	}
	if e.Witness.Want.String() == e.Witness.Value.String() {
		t.Fatalf("%s of %v: %v is the value and what F2 strides have", what, table, e.Witness.Want)
	}
	if e.Witness.Index != int64(reach) || e.Witness.Value.String() != cute.Int(table[reach]).String() {
		t.Fatalf("%s of %v over %v fails at %d, %v, want %d, %d", what, table, shape, e.Witness.Index, e.Witness.Value, reach,
			table[reach])
	}
}

// smallShape draws a shape of at most 48 elements.
func smallShape(t *rapid.T, label string) cute.Tuple {
	return rapid.SampledFrom([]cute.Tuple{
		cute.Int(1), cute.Int(6), cute.Int(8), cute.Int(12), cute.Int(7), cute.Int(24), cute.Ints(4, 3),
		cute.Ints(3, 4), cute.Ints(2, 3, 4),
		cute.Ints(6, 2), cute.Ints(5, 3), cute.Ints(1, 8), cute.MustParseTuple("(4,(2,3))"),
		cute.MustParseTuple("((2,3),6)"), cute.Ints(36), cute.Ints(9, 4),
	}).Draw(t, label)
}

func TestFitXor(t *testing.T) { check(t, fitXor) }

func FuzzFitXor(f *testing.F) { f.Fuzz(rapid.MakeFuzz(fitXor)) }

func fitXor(t *rapid.T) {
	shape := smallShape(t, "shape")
	// Strides are drawn for a refinement of the shape, and sometimes one offset is wrong.
	var s []int64
	for _, e := range shape.Leaves() {
		s = append(s, rapid.SampledFrom(factors(e)).Draw(t, "split")...)
	}
	d := make([]f2.Vector, len(s))
	for i := range d {
		d[i] = f2.Vector(rapid.Uint64Range(0, 40).Draw(t, "stride"))
	}
	table := xorTable(must(NewXor(cute.Ints(s...), d...)))
	if n := len(table); rapid.Bool().Draw(t, "wrong") && n > 1 {
		table[rapid.IntRange(1, n-1).Draw(t, "at")] = rapid.Int64Range(0, 60).Draw(t, "offset")
	}
	got, err := FitXor(shape, func(i int64) (int64, error) { return table[i], nil })
	checkFit(t, "the layout", shape, table, got, err)
}

func TestCoalesceXorHasLeastRank(t *testing.T) {
	check(t, func(t *rapid.T) {
		x := drawXor(t, []int64{1, 2, 3, 4, 6})
		if x.Size() > 72 {
			return
		}
		table := xorTable(x)
		c := x.Coalesce()
		if !slices.Equal(xorTable(c), table) {
			t.Fatalf("coalesce(%v) = %v", x, c)
		}
		for _, s := range ladders(table) {
			if n := len(c.Shape().Leaves()); n > max(1, len(s)) {
				t.Fatalf("coalesce(%v) = %v has %d modes, %v are enough", x, c, n, s)
			}
		}
	})
}

// at is the definition of a layout with F2 strides, also beyond its last mode.
func at(x XorLayout, i int64) int64 {
	y := uint64(0)
	s := x.Shape().Leaves()
	for j, e := range s {
		digit := i % e
		if j == len(s)-1 {
			digit = i
		}
		i /= e
		for k := range 20 {
			if digit>>k&1 != 0 {
				y ^= uint64(x.strides()[j]) << k
			}
		}
	}
	return int64(y)
}

func TestXorComposition(t *testing.T) { check(t, xorComposition) }

func FuzzXorComposition(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorComposition)) }

func xorComposition(t *rapid.T) {
	x := drawXor(t, []int64{1, 2, 4, 8, 3, 6})
	shape := smallShape(t, "b")
	strides := make([]int64, len(shape.Leaves()))
	for i := range strides {
		strides[i] = rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 6, 8, 12, 16, 24}).Draw(t, "stride")
	}
	at0 := -1
	b := must(cute.New(shape, renumber(shape, func(int64) int64 { at0++; return strides[at0] })))
	var table []int64
	for i := range b.Size() {
		table = append(table, at(x, must(b.At(i))))
	}
	got, err := x.Composition(b)
	checkFit(t, x.String()+" o "+b.String(), shape, table, got, err)
}

// A composition found leaf by leaf equals the composition found from all values.
func TestXorCompositionOfManyElements(t *testing.T) {
	x := must(NewXor(cute.MustParseTuple("((1024,1024),(64,3))"), 9, 1<<13|1, 1<<24, 1<<33))
	for _, text := range []string{"(4096,1024):(1,4096)", "((1024,64),1024):((1024,1048576),1)", "(8192,3):(1,67108864)", "1024:4"} {
		b := cute.MustParse(text)
		r := must(x.Composition(b))
		for i := int64(0); i < b.Size(); i += 997 {
			if got, want := at(r, i), must(x.Eval(cute.Int(must(b.At(i))))); got != want {
				t.Fatalf("%v o %v = %v is %d at %d, want %d", x, b, r, got, i, want)
			}
		}
	}
	_, err := x.Composition(cute.MustParse("(4096,2048):(1,3)"))
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeLimit {
		t.Errorf("8388608 values are looked at: %v", err)
	}
}
