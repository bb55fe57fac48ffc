package tensor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/tensor"
)

// At every index and coordinate, and in order, the element is at the position that the layout gives.
func TestElements(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		l := inner(t, n, "layout")
		ps := positions(l)
		lo, hi := span(ps)
		start := -lo + rapid.Int64Range(0, 3).Draw(t, "start")
		data := storage(start + hi + 1)
		x, err := tensor.MakeAt(data, start, l)
		if err != nil {
			t.Fatalf("MakeAt(%v at %d): %v", l, start, err)
		}
		var want []int32
		for i, p := range ps {
			want = append(want, data[start+p])
			if got, err := x.At(int64(i)); err != nil || got != want[i] {
				t.Fatalf("%v at %d = %d, %v, want %d", x, i, got, err, want[i])
			}
			c := must(cute.Idx2Crd(cute.Int(int64(i)), x.Shape()))
			if got, err := x.Get(must(cute.Fixed(c))); err != nil || got != want[i] {
				t.Fatalf("%v at %v = %d, %v, want %d", x, c, got, err, want[i])
			}
		}
		if got := slices.Collect(x.Values()); !slices.Equal(got, want) {
			t.Fatalf("the values of %v are %v, want %v", x, got, want)
		}
		if _, err := tensor.MakeAt(data[:len(data)-1], start, l); err == nil {
			t.Fatalf("%v at %d fits in %d elements, and reaches %d", l, start, len(data)-1, start+hi)
		}
		if _, err := tensor.MakeAt(data, -lo-1, l); err == nil {
			t.Fatalf("%v at %d fits, and reaches -1", l, -lo-1)
		}
		own := must(tensor.Alloc[int32](l))
		if err := own.Set(7, n-1); err != nil {
			t.Fatal(err)
		}
		if got := must(own.At(n - 1)); got != 7 {
			t.Fatalf("%v was set to 7 and is %d", own, got)
		}
	})
}

// A coordinate with one number for each mode gives the same element as the nested coordinate.
func TestModeCoordinates(t *testing.T) {
	t.Parallel()
	x := must(tensor.Make(storage(24), parse("((2,3),4):((1,8),2)")))
	for j := range int64(4) {
		for i := range int64(6) {
			want := must(x.Get(cute.At(i, j)))
			if got := must(x.At(i, j)); got != want {
				t.Errorf("at (%d,%d) there is %d, want %d", i, j, got, want)
			}
		}
	}
	if err := x.Put(99, coord("((1,2),3)")); err != nil || must(x.At(5, 3)) != 99 {
		t.Errorf("((1,2),3) is not (5,3): %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	x := must(tensor.Make(storage(8), parse("(4,2):(1,4)")))
	count := must(tensor.Counting(3, parse("4:-2")))
	var none tensor.Tensor[int32]
	for _, c := range []struct {
		name string
		code cute.Code
		err  error
	}{
		{"index beyond", cute.CodeMode, second(x.At(8))},
		{"index negative", cute.CodeMode, second(x.At(-1))},
		{"coordinate beyond", cute.CodeMode, second(x.At(0, 2))},
		{"too many numbers", cute.CodeRank, second(x.At(0, 0, 0))},
		{"no numbers", cute.CodeRank, second(x.At())},
		{"nested coordinate beyond", cute.CodeMode, second(x.Get(cute.At(4, 0)))},
		{"open", cute.CodeType, second(x.Get(coord("(_,0)")))},
		{"other nesting", cute.CodeNotCongruent, second(x.Get(coord("((1,0),0)")))},
		{"zero tensor", cute.CodeType, second(none.At(0))},
		{"zero tensor set", cute.CodeType, none.Set(1, 0)},
		{"zero tensor slice", cute.CodeType, second(none.Slice(cute.Open))},
		{"zero tensor divide", cute.CodeType, second(none.ZippedDivide(tuple("2")))},
		{"storage too small", cute.CodeMode, second(tensor.Make(storage(7), parse("(4,2):(1,4)")))},
		{"negative stride", cute.CodeMode, second(tensor.Make(storage(8), parse("8:-1")))},
		{"no layout", cute.CodeType, second(tensor.Make(storage(8), nil))},
		{"coordinates", cute.CodeType, second(tensor.Make(storage(8), parse("(2,2):(1@0,1@1)")))},
		{"read-only", cute.CodeType, count.Set(1, 0)},
		{"overflow", cute.CodeOverflow, second(tensor.Counting(1<<62, parse("2:4611686018427387904")))},
		{"negative swizzle", cute.CodeNegative, second(tensor.Make(storage(8), composed("Sw<1,0,1>", "0", "4:-1")))},
		{"slice beyond", cute.CodeMode, second(x.Slice(coord("(_,2)")))},
		{"slice of other rank", cute.CodeNotCongruent, second(x.Slice(coord("(_,0,0)")))},
		{"too large", cute.CodeLimit, second(tensor.Alloc[int32](parse("2:4611686018427387904")))},
		{"too large by one", cute.CodeLimit, second(tensor.Alloc[struct{}](parse("2:9223372036854775807")))},
		{"too large both ways", cute.CodeLimit, second(tensor.Alloc[int32](parse("(2,2):(4611686018427387903,-4611686018427387904)")))},
		{"tile beyond", cute.CodeMode, second(x.LocalTile(tuple("(2,2)"), coord("(2,0)")))},
		{"thread beyond", cute.CodeNotInvertible, second(x.LocalPartition(parse("2:1"), 2))},
		{"mode", cute.CodeMode, second(x.Mode(2))},
		{"map out of the storage", cute.CodeMode, second(x.Map(func(cute.Layout) (cute.Layout, error) { return parse("9:1"), nil }))},
	} {
		t.Run(c.name, func(t *testing.T) { wantCode(t, c.err, c.code) })
	}
	_, err := tensor.Alloc[struct{}](parse("2:9223372036854775807"))
	if want := "a storage of 9223372036854775808 elements"; !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("%v, want %q in it", err, want)
	}
}

func second[T any](_ T, err error) error { return err }

// composed parses a composed layout.
func composed(outer, offset, in string) cute.Composed {
	var b, m, s int
	for i, p := range []*int{&b, &m, &s} {
		*p = int(outer[3+2*i] - '0')
	}
	w := must(cute.NewSwizzle(b, m, s))
	return must(cute.NewComposed(w, tuple(offset), parse(in)))
}

// Reading and writing an element does not allocate, not even through a swizzle, for packed codes, or in a padded
// tensor.
func TestAllocations(t *testing.T) {
	plain := must(tensor.Alloc[float32](parse("((2,3),4):((1,8),2)")))
	swizzled := must(tensor.Alloc[float32](composed("Sw<2,0,3>", "0", "(8,8):(8,1)")))
	tile := must(must(tensor.Alloc[float32](parse("(5,5):(1,5)"))).LocalTile(tuple("(2,2)"), coord("(1,1)")))
	for name, x := range map[string]tensor.Tensor[float32]{"plain": plain, "swizzled": swizzled, "tile": tile} {
		if got := testing.AllocsPerRun(100, func() {
			v, _ := x.At(1, 1)
			_ = x.Set(v, 1, 0)
		}); got != 0 {
			t.Errorf("%s: %v allocations to read and write an element", name, got)
		}
	}
	x, k := must(tensor.Alloc[float32](parse("(128,8,4):(1,128,1024)"))), int64(3)
	nested, inside := must(tensor.Alloc[float32](parse("((8,16),(8,4),64):((1,128),(16,1024),4096)"))), coord("((_,3),_,5)")
	for name, slice := range map[string]func(){
		"a slice":        func() { _, _ = x.Slice(cute.MakeCoord(cute.Open, cute.Open, cute.At(k))) },
		"a nested slice": func() { _, _ = nested.Slice(inside) },
	} {
		if got := testing.AllocsPerRun(100, slice); got > 2 {
			t.Errorf("%v allocations for %s, want at most 2", got, name)
		}
	}
}

// The elements of counting and identity tensors are the values and the coordinates of their layouts.
func TestGenerated(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := layouts().Draw(t, "layout")
		first := rapid.Int64Range(-5, 5).Draw(t, "first")
		c := must(tensor.Counting(first, l))
		id := must(tensor.Identity(l.Shape()))
		for i, p := range positions(l) {
			if got := must(c.At(int64(i))); got != first+p {
				t.Fatalf("%v at %d = %d, want %d", c, i, got, first+p)
			}
			want := must(cute.Idx2Crd(cute.Int(int64(i)), l.Shape()))
			// Coordinates omit the modes after the last mode in use, as in a shape (2,()).
			got := must(id.At(int64(i))).Leaves()
			if w := want.Leaves(); len(got) > len(w) || !slices.Equal(got, w[:len(got)]) {
				t.Fatalf("%v at %d = %v, want %v", id, i, got, want)
			}
		}
	})
}

// Layouts that repeat a place may have any number of elements; no operation iterates over them for years.
func TestHuge(t *testing.T) {
	t.Parallel()
	data := storage(4)
	x := must(tensor.Make(data, parse("(4,1152921504606846976):(1,0)")))
	y := must(tensor.Make(storage(4), parse("(4,1152921504606846976):(1,0)")))
	if got := must(x.At(1 << 61)); got != 1 {
		t.Errorf("the element is %d", got)
	}
	add := func(a, b int32) int32 { return a + b }
	for _, err := range []error{
		tensor.Copy(x, y), tensor.Fill(x, 1), second(tensor.Reduce(x, 0, add)), tensor.Print(nil, x),
		tensor.Transform(x, y, func(v int32) int32 {
			return v
		}), tensor.Axpby(1, x, 1, y), tensor.CopyIf(must(x.Predicate()), x, y),
		tensor.Gemm(tensor.MulAdd[int32](), must(tensor.Alloc[int32](parse("(4,1)"))), x,
			must(tensor.Make(data, parse("(1,1152921504606846976):(1,0)"))), must(tensor.Alloc[int32](parse("(4,1)")))),
		second(tensor.CooperativeCopy(4, 0, 128, x, y)), tensor.CooperativeFill(4, 0, x, 1), second(x.AppendValues(nil)),
	} {
		wantCode(t, err, cute.CodeLimit)
	}
	if _, err := x.ZippedDivide(cute.Ints(3, 7)); err != nil {
		t.Error(err)
	}
}
