package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/dtype"
	"girih/tensor"
)

// want is the definition of a copy: everything is read, then written. want reports false if one place would receive two
// elements from different places.
func want(data []int32, src, dst []int64, holds func(i int) bool) ([]int32, bool) {
	out := slices.Clone(data)
	from := map[int64]int64{}
	for i, p := range dst {
		if holds != nil && !holds(i) {
			continue
		}
		if s, seen := from[p]; seen && s != src[i] {
			return nil, false
		}
		from[p] = src[i]
		out[p] = data[src[i]]
	}
	return out, true
}

// place moves positions so that they fit somewhere in a storage of n elements.
func place(t *rapid.T, ps []int64, length int64, label string) (start int64, moved []int64) {
	lo, hi := span(ps)
	start = -lo + rapid.Int64Range(0, length-1-(hi-lo)).Draw(t, label)
	for _, p := range ps {
		moved = append(moved, p+start)
	}
	return start, moved
}

// A copy between any two layouts of one size, in one storage or in two, follows the definition, or is refused if the
// definition is ambiguous.
func TestCopy(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		a, b := inner(t, n, "source"), inner(t, n, "destination")
		pa, pb := positions(a), positions(b)
		alo, ahi := span(pa)
		blo, bhi := span(pb)
		length := max(ahi-alo, bhi-blo) + 1 + rapid.Int64Range(0, 20).Draw(t, "more")
		sa, pa := place(t, pa, length, "source start")
		sb, pb := place(t, pb, length, "destination start")
		data := storage(length)
		to := data
		if rapid.Bool().Draw(t, "apart") {
			to = make([]int32, length)
		}
		expect, ok := want(data, pa, pb, nil)
		src, dst := must(tensor.MakeAt(data, sa, a)), must(tensor.MakeAt(to, sb, b))
		vector := must(tensor.MaxCommonVector(src, dst))
		err := tensor.Copy(src, dst, tensor.Workers(rapid.IntRange(0, 3).Draw(t, "workers")))
		if !ok {
			wantCode(t, err, cute.CodeNotInjective)
			return
		}
		if err != nil {
			t.Fatalf("copy of %v to %v: %v", src, dst, err)
		}
		for i, p := range pb {
			if to[p] != expect[p] {
				t.Fatalf("copy of %v to %v in vectors of %d: element %d is %d, want %d", src, dst, vector, i, to[p], expect[p])
			}
		}
		if &to[0] == &data[0] && !slices.Equal(to, expect) {
			t.Fatalf("copy of %v to %v wrote elsewhere", src, dst)
		}
	})
}

// A run of any length is moved over itself, by any distance, with any number of goroutines.
func TestCopyRunOverItself(t *testing.T) {
	t.Parallel()
	for n := int64(1); n < 80; n++ {
		for _, by := range []int64{-9, -1, 0, 1, 3, 9} {
			data := storage(n + 18)
			want := slices.Clone(data)
			copy(want[9+by:9+by+n], data[9:9+n])
			l := must(cute.New(cute.Int(n), cute.Int(1)))
			err := tensor.Copy(must(tensor.MakeAt(data, 9, l)), must(tensor.MakeAt(data, 9+by, l)), tensor.Workers(3))
			if err != nil || !slices.Equal(data, want) {
				t.Fatalf("%d elements moved by %d: %v\n%v, want\n%v", n, by, err, data, want)
			}
		}
	}
}

// A run that counts down and is swizzled is cut where the swizzle cuts it.
func TestCopyDownSwizzle(t *testing.T) {
	t.Parallel()
	for offset := int64(3); offset < 20; offset++ {
		l := must(cute.NewComposed(must(cute.NewSwizzle(1, 2, 1)), cute.Int(offset), parse("4:-1")))
		x := must(tensor.Make(storage(32), l))
		y := must(tensor.Alloc[int32](parse("4:-1")))
		if err := tensor.Copy(x, y); err != nil || !slices.Equal(slices.Collect(x.Values()), slices.Collect(y.Values())) {
			t.Errorf("%v is copied as %v, %v", x, slices.Collect(y.Values()), err)
		}
	}
}

// Large tensors use blocks and tables; every size around a block is tried.
func TestCopyLarge(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"(33,65):(65,1)", "(33,65):(1,33)"},
		{"(300,270):(270,1)", "(300,270):(1,301)"},
		{"(31,5,47):(235,47,1)", "(31,5,47):(1,31,155)"},
		{"(32,6):(1,100)", "(48,4):(1,60)"},
		{"((6,4),32):((32,192),1)", "((4,6),32):((192,32),1)"},
		{"(2,64,64):(1,128,2)", "(2,64,64):(1,2,128)"},
		{"(64,64):(64,1)", "(64,64):(-1,-64)"},
		{"(7,11,13):(1,7,77)", "(11,13,7):(1,11,143)"},
		{"(2,257,301):(1,602,2)", "(2,301,257):(1,514,2)"},
	} {
		a, b := parse(c[0]), parse(c[1])
		for _, workers := range []int{1, 2} {
			copied[int32](t, a, b, workers)
			copied[uint8](t, a, b, workers)
			copied[uint16](t, a, b, workers)
			copied[float64](t, a, b, workers)
			copied[complex128](t, a, b, workers)
			copied[string](t, a, b, workers)
		}
	}
}

// copied copies numbered elements and compares.
func copied[T comparable](t *testing.T, a, b cute.Layout, workers int) {
	t.Helper()
	src, dst := must(tensor.Alloc[T](a)), must(tensor.Alloc[T](b))
	for i := range a.Size() {
		var x T
		switch p := any(&x).(type) {
		case *int32:
			*p = int32(i)
		case *uint8:
			*p = uint8(i*7 + i/251)
		case *uint16:
			*p = uint16(i)
		case *float64:
			*p = float64(i)
		case *complex128:
			*p = complex(float64(i), 1)
		case *string:
			*p = fmt.Sprint(i)
		}
		if err := src.Set(x, i); err != nil {
			t.Fatal(err)
		}
	}
	if err := tensor.Copy(src, dst, tensor.Workers(workers)); err != nil {
		t.Fatalf("copy of %v to %v: %v", a, b, err)
	}
	for i, x := range dst.All() {
		if y := must(src.At(i)); x != y {
			t.Fatalf("copy of %v to %v: element %d is %v, want %v", a, b, i, x, y)
		}
	}
}

// MaxCommonVector returns the number of elements that move together.
func TestMaxCommonVector(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b cute.Inner
		want int64
	}{
		{parse("(2,4):(4,1)"), parse("(2,4):(4,1)"), 8},
		{parse("(2,4):(4,1)"), parse("(2,4):(8,1)"), 4},
		{parse("(8,8):(8,1)"), parse("(8,8):(1,8)"), 1},
		{parse("24:1"), parse("(6,4):(4,1)"), 1},
		{parse("(6,4):(1,6)"), parse("(4,6):(1,4)"), 24},
		{parse("(32,6):(1,100)"), parse("(48,4):(1,60)"), 16},
		{composed("Sw<2,3,3>", "0", "(8,64):(64,1)"), parse("(8,64):(64,1)"), 8},
		{composed("Sw<2,3,3>", "4", "(8,32):(64,1)"), parse("(8,32):(64,1)"), 4},
		{composed("Sw<0,3,3>", "0", "(8,64):(64,1)"), parse("(8,64):(64,1)"), 512},
	} {
		x, y := must(tensor.Alloc[int32](c.a)), must(tensor.Alloc[int32](c.b))
		if got := must(tensor.MaxCommonVector(x, y)); got != c.want {
			t.Errorf("%v and %v have the vector %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// A predicated copy writes only where the predicate is true.
func TestCopyIf(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		a, b := inner(t, n, "source"), inner(t, n, "destination")
		pa, pb := positions(a), positions(b)
		alo, ahi := span(pa)
		blo, bhi := span(pb)
		length := max(ahi-alo, bhi-blo) + 1 + rapid.Int64Range(0, 20).Draw(t, "more")
		sa, pa := place(t, pa, length, "source start")
		sb, pb := place(t, pb, length, "destination start")
		data := storage(length)
		in := rapid.SliceOfN(rapid.Bool(), int(n), int(n)).Draw(t, "predicate")
		pred := must(tensor.Make(in, must(cute.LayoutLeft(cute.Int(n)))))
		expect, ok := want(data, pa, pb, func(i int) bool { return in[i] })
		err := tensor.CopyIf(pred, must(tensor.MakeAt(data, sa, a)), must(tensor.MakeAt(data, sb, b)))
		if !ok {
			wantCode(t, err, cute.CodeNotInjective)
			return
		}
		if err != nil || !slices.Equal(data, expect) {
			t.Fatalf("copy_if(%v) of %v at %d to %v at %d: %v\n%v, want\n%v", in, a, sa, b, sb, err, data, expect)
		}
	})
}

// Tiles at the border are copied with the predicate, and refused without.
func TestCopyPadded(t *testing.T) {
	t.Parallel()
	x := must(tensor.Make(storage(25), parse("(5,5):(1,5)")))
	tile := must(x.LocalTile(tuple("(4,4)"), coord("(1,1)")))
	buffer := must(tensor.Alloc[int32](parse("(4,4):(4,1)")))
	wantCode(t, tensor.Copy(tile, buffer), cute.CodeMode)
	wantCode(t, tensor.Copy(buffer, tile), cute.CodeMode)
	all := must(must(tensor.Alloc[int32](parse("(4,4)"))).Predicate())
	wantCode(t, tensor.CopyIf(all, tile, buffer), cute.CodeMode)
	if err := tensor.CopyIf(must(tile.Predicate()), tile, buffer); err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(buffer.Values()); got[0] != 25 || slices.Max(got[1:]) != 0 {
		t.Errorf("the tile was copied as %v", got)
	}
	if err := tensor.CopyIf(must(tile.Predicate()),
		must(tensor.Lazy(must(tensor.Counting(-7, parse("16:0"))), func(x int64) int32 {
			return int32(x)
		})), tile); err != nil {
		t.Fatal(err)
	}
}

// Packed codes are copied whether or not their runs are whole bytes.
func TestCopyPacked(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		typ := rapid.SampledFrom([]dtype.Type{
			dtype.E2M1, dtype.U1, dtype.U3, dtype.E3M2, dtype.S8, dtype.F16, dtype.F64,
		}).Draw(t, "type")
		a, b := inner(t, n, "source"), inner(t, n, "destination")
		src, dst := must(tensor.AllocPacked(typ, a)), must(tensor.AllocPacked(typ, b))
		seed := rapid.Uint64().Draw(t, "seed")
		for i := range n {
			seed = seed*6364136223846793005 + 1442695040888963407
			if err := src.Set(seed>>13, i); err != nil {
				t.Fatal(err)
			}
		}
		ok := copyable(positions(a), positions(b))
		err := tensor.Copy(src, dst)
		if !ok {
			wantCode(t, err, cute.CodeNotInjective)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if x, y := slices.Collect(src.Values()), slices.Collect(dst.Values()); !slices.Equal(x, y) {
			t.Fatalf("%v copied to %v: %x is %x", src, dst, x, y)
		}
	})
}

// copyable reports whether no place would receive two elements.
func copyable(from, to []int64) bool {
	from, to = shifted(from), shifted(to)
	_, ok := want(make([]int32, 1+max(slices.Max(from), slices.Max(to))), from, to, nil)
	return ok
}

func shifted(ps []int64) []int64 {
	lo, _ := span(ps)
	out := slices.Clone(ps)
	for i := range out {
		out[i] -= lo
	}
	return out
}
