package tensor_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/tensor"
)

// pairOf draws two tensors of n elements in one storage.
func pairOf(t *rapid.T, n int64) (data []int32, x, y tensor.Tensor[int32], px, py []int64) {
	a, b := inner(t, n, "x"), inner(t, n, "y")
	if rapid.IntRange(0, 3).Draw(t, "same") == 0 {
		b = a
	}
	px, py = positions(a), positions(b)
	alo, ahi := span(px)
	blo, bhi := span(py)
	length := max(ahi-alo, bhi-blo) + 1 + rapid.Int64Range(0, 20).Draw(t, "more")
	sx, px := place(t, px, length, "x start")
	sy, py := place(t, py, length, "y start")
	data = storage(length)
	return data, must(tensor.MakeAt(data, sx, a)), must(tensor.MakeAt(data, sy, b)), px, py
}

// checkWritten compares the written elements with the definition: f of the previous contents at each index.
func checkWritten(t *rapid.T, err error, data, old []int32, dst []int64, srcs [][]int64, holds func(i int) bool,
	f func(i int) int32,
) {
	t.Helper()
	expect := slices.Clone(old)
	first := map[int64]int{}
	for i, p := range dst {
		if holds != nil && !holds(i) {
			continue
		}
		if j, seen := first[p]; seen {
			for _, s := range srcs {
				if s[i] != s[j] {
					wantCode(t, err, cute.CodeNotInjective)
					return
				}
			}
		}
		first[p] = i
		expect[p] = f(i)
	}
	if err != nil || !slices.Equal(data, expect) {
		t.Fatalf("got %v and\n%v, want\n%v", err, data, expect)
	}
}

func TestTransform(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		data, x, y, px, py := pairOf(t, n)
		old := slices.Clone(data)
		switch rapid.IntRange(0, 3).Draw(t, "operation") {
		case 0:
			err := tensor.Transform(x, y, func(v int32) int32 { return 3*v + 1 })
			checkWritten(t, err, data, old, py, [][]int64{px}, nil, func(i int) int32 { return 3*old[px[i]] + 1 })
		case 1:
			err := tensor.TransformBinary(x, y, y, func(a, b int32) int32 { return a - 2*b })
			checkWritten(t, err, data, old, py, [][]int64{px, py}, nil, func(i int) int32 { return old[px[i]] - 2*old[py[i]] })
		case 2:
			beta := rapid.Int32Range(0, 2).Draw(t, "beta")
			err := tensor.Axpby(5, x, beta, y)
			checkWritten(t, err, data, old, py, [][]int64{px}, nil, func(i int) int32 { return 5*old[px[i]] + beta*old[py[i]] })
		case 3:
			in := rapid.SliceOfN(rapid.Bool(), int(n), int(n)).Draw(t, "predicate")
			pred := must(tensor.Make(in, must(cute.LayoutLeft(cute.Int(n)))))
			err := tensor.AxpbyIf(pred, 5, x, 2, y)
			checkWritten(t, err, data, old, py, [][]int64{px}, func(i int) bool {
				return in[i]
			}, func(i int) int32 { return 5*old[px[i]] + 2*old[py[i]] })
		}
	})
}

func TestFillAndReduce(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		data, x, _, px, _ := pairOf(t, n)
		var want []int32
		for _, p := range px {
			want = append(want, data[p])
		}
		got := must(tensor.Reduce(x, nil, func(acc []int32, v int32) []int32 { return append(acc, v) }))
		if !slices.Equal(got, want) {
			t.Fatalf("reduce of %v saw %v, want %v", x, got, want)
		}
		old := slices.Clone(data)
		if err := tensor.Fill(x, -9); err != nil {
			t.Fatal(err)
		}
		checkWritten(t, nil, data, old, px, nil, nil, func(int) int32 { return -9 })
		if err := tensor.Clear(x); err != nil {
			t.Fatal(err)
		}
		checkWritten(t, nil, data, old, px, nil, nil, func(int) int32 { return 0 })
	})
}

// Filling a padded tensor does not write its padding, and a reduction skips it.
func TestPaddedElementwise(t *testing.T) {
	t.Parallel()
	data := storage(25)
	tile := must(must(tensor.Make(data, parse("(5,5):(1,5)"))).LocalTile(tuple("(4,4)"), coord("(0,1)")))
	sum := must(tensor.Reduce(tile, int32(0), func(a, b int32) int32 { return a + b }))
	if sum != 21+22+23+24 {
		t.Errorf("the sum of %v is %d", tile, sum)
	}
	if err := tensor.Fill(tile, 0); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data, append(storage(20), 0, 0, 0, 0, 25)) {
		t.Errorf("filling %v left %v", tile, data)
	}
	wantCode(t, tensor.Transform(tile, tile, func(x int32) int32 { return x }), cute.CodeMode)
	wantCode(t, tensor.Axpby(1, tile, 1, tile), cute.CodeMode)
}

// If beta is 0, the contents of y do not matter.
func TestAxpbyForgets(t *testing.T) {
	t.Parallel()
	x := must(tensor.Make([]float64{1, 2}, parse("2:1")))
	y := must(tensor.Make([]float64{math.NaN(), math.Inf(1)}, parse("2:1")))
	if err := tensor.Axpby(2, x, 0, y); err != nil || must(y.At(0)) != 2 || must(y.At(1)) != 4 {
		t.Errorf("axpby(2, x, 0, y) = %v, %v", slices.Collect(y.Values()), err)
	}
}

// Every function refuses sizes that differ, and destinations that cannot be written.
func TestElementwiseRefusals(t *testing.T) {
	t.Parallel()
	x, y := must(tensor.Alloc[int64](parse("4:1"))), must(tensor.Alloc[int64](parse("5:1")))
	count := must(tensor.Counting(0, parse("4:1")))
	pred := must(x.Predicate())
	var none tensor.Tensor[int64]
	same := func(v int64) int64 { return v }
	for _, err := range []error{
		tensor.Copy(x, y), tensor.Transform(x, y, same), tensor.Axpby(1, x, 1, y), tensor.CopyIf(pred, x, y),
		tensor.CopyIf(pred, y, y),
		second(tensor.MaxCommonVector(x, y)), second(tensor.CooperativeCopy(2, 0, 64, x, y)),
	} {
		wantCode(t, err, cute.CodeNotCongruent)
	}
	for _, err := range []error{
		tensor.Copy(x, count), tensor.Fill(count, 1), tensor.Clear(count), tensor.Transform(x, count, same),
		tensor.CopyIf(pred, x, count),
		tensor.Copy(none, x), tensor.Copy(x, none), tensor.Fill(none, 1), tensor.Transform(none, x, same),
		tensor.Transform(x, x, (func(int64) int64)(nil)),
		tensor.Axpby(1, none, 1, x), tensor.Axpby(1, x, 1, none), second(tensor.Reduce(none, 0, func(int, int64) int {
			return 0
		})),
		tensor.CopyIf(tensor.Tensor[bool]{}, x, x), second(tensor.Lazy(none, same)), second(tensor.MakeLike[int32](none)),
		second(tensor.MakeFragmentLike[int32](none)), tensor.Print(nil, none), second(none.Predicate()),
	} {
		wantCode(t, err, cute.CodeType)
	}
}
