package tensor_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/tensor"
)

// All threads together copy each element once, whatever their number.
func TestCooperativeCopy(t *testing.T) {
	eachSize(t, func(t *rapid.T, n int64) {
		a, b := inner(t, n, "source"), inner(t, n, "destination")
		src, dst := must(tensor.Alloc[int32](a)), must(tensor.Alloc[int32](b))
		for i := range n {
			if err := src.Set(int32(i+1), i); err != nil {
				t.Fatal(err)
			}
		}
		threads := rapid.IntRange(1, 9).Draw(t, "threads")
		ok := copyable(positions(a), positions(b))
		writes := map[int64]int{}
		for _, tid := range rapid.Permutation(numbers(threads)).Draw(t, "order") {
			if err := tensor.Clear(dst); err != nil {
				t.Fatal(err)
			}
			v, err := tensor.CooperativeCopy(threads, tid, 128, src, dst)
			if !ok {
				wantCode(t, err, cute.CodeNotInjective)
				return
			}
			if err != nil || v < 1 || v > 4 {
				t.Fatalf("vector %d, %v", v, err)
			}
			for i, x := range dst.All() {
				if x != 0 {
					if x != must(src.At(i)) {
						t.Fatalf("thread %d of %d copies %v to %v: element %d is %d", tid, threads, src, dst, i, x)
					}
					writes[positions(b)[i]]++
				}
			}
		}
		for i, p := range positions(b) {
			if writes[p] == 0 || writes[p] > 1 && distinct(positions(b)) {
				t.Fatalf("%d of %d threads copy element %d of %v to %v", writes[p], threads, i, src, dst)
			}
		}
	})
}

func distinct(ps []int64) bool {
	s := slices.Clone(ps)
	slices.Sort(s)
	return len(slices.Compact(s)) == len(ps)
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Running the threads of a cooperative copy one after the other is a copy. Vectors are as wide as allowed, but narrow
// enough that every thread has work.
func TestCooperativeVectors(t *testing.T) {
	t.Parallel()
	src, dst := must(tensor.Alloc[float32](parse("(64,8):(1,64)"))), must(tensor.Alloc[float32](parse("(64,8):(1,68)")))
	for _, c := range []struct {
		threads, bits int
		want          int64
	}{{32, 128, 4}, {32, 64, 2}, {32, 32, 1}, {256, 128, 2}, {512, 128, 1}, {1024, 128, 1}} {
		if got := must(tensor.CooperativeCopy(c.threads, 0, c.bits, src, dst)); got != c.want {
			t.Errorf("%d threads with %d bits copy vectors of %d, want %d", c.threads, c.bits, got, c.want)
		}
	}
	wantCode(t, second(tensor.CooperativeCopy(0, 0, 128, src, dst)), cute.CodeExtent)
	wantCode(t, second(tensor.CooperativeCopy(2, 2, 128, src, dst)), cute.CodeMode)
	wantCode(t, second(tensor.CooperativeCopy(2, -1, 128, src, dst)), cute.CodeMode)
	wantCode(t, second(tensor.CooperativeCopy(2, 1, 16, src, dst)), cute.CodeExtent)
	wantCode(t, second(tensor.CooperativeCopy(2, 1, 128, src, src)), cute.CodeNotInjective)
	wantCode(t, tensor.CooperativeFill(2, 2, src, 1), cute.CodeMode)
}

// All threads together compute the product, and fill; no thread writes another's elements.
func TestCooperativeGemm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, n, k := rapid.Int64Range(1, 7).Draw(t, "M"), rapid.Int64Range(1, 7).Draw(t, "N"), rapid.Int64Range(1, 4).Draw(t, "K")
		a, b, c := filled(t, "A", true, m, k), filled(t, "B", true, n, k), filled(t, "C", false, m, n)
		cv := slices.Collect(c.Values())
		p, q := rapid.Int64Range(1, 4).Draw(t, "p"), rapid.Int64Range(1, 4).Draw(t, "q")
		threads := must(cute.New(cute.Ints(p, q), cute.Ints(q, 1)))
		beta := rapid.Int32Range(0, 2).Draw(t, "beta")
		for tid := range p * q {
			before := slices.Collect(c.Values())
			if err := tensor.CooperativeGemm(threads, tid, 3, a, b, beta, c); err != nil {
				t.Fatal(err)
			}
			for i, x := range c.All() {
				if x != before[i] && (i%m%p)*q+(i/m%q) != tid {
					t.Fatalf("thread %d of %v wrote element %d", tid, threads, i)
				}
			}
		}
		for i, got := range c.All() {
			var sum int32
			for z := range k {
				sum += must(a.At(i%m, z)) * must(b.At(i/m, z))
			}
			if want := 3*sum + beta*cv[i]; got != want {
				t.Fatalf("threads %v: element %d is %d, want %d", threads, i, got, want)
			}
		}
		for tid := range 5 {
			if err := tensor.CooperativeFill(5, tid, c, 77); err != nil {
				t.Fatal(err)
			}
		}
		for i, x := range c.All() {
			if x != 77 {
				t.Fatalf("element %d was not filled", i)
			}
		}
	})
}
