package tensor_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/dtype"
	"girih/tensor"
)

// filled returns a tensor of small numbers under a drawn layout of the shape, distinct unless broadcast is allowed.
func filled(t *rapid.T, label string, broadcast bool, shape ...int64) tensor.Tensor[int32] {
	n := len(shape)
	str := make([]int64, n)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	next := int64(1)
	for _, i := range rapid.Permutation(order).Draw(t, label+" order") {
		str[i] = next * rapid.Int64Range(1, 2).Draw(t, label+" gap")
		next = str[i] * shape[i]
		if broadcast && rapid.IntRange(0, 5).Draw(t, label+" broadcast") == 0 {
			str[i] = 0
		} else if rapid.IntRange(0, 5).Draw(t, label+" negative") == 0 {
			str[i] = -str[i]
		}
	}
	x := must(tensor.Alloc[int32](must(girih.New(girih.Ints(shape...), girih.Ints(str...)))))
	for i := range x.Size() {
		if err := x.Set(rapid.Int32Range(-9, 9).Draw(t, label), i); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// mma is a multiply-add that is no FMA, so that gemm has to slice.
type mma struct{ calls int }

func (m *mma) Call(d, a, b, c tensor.Tensor[int32]) error {
	m.calls++
	return tensor.MulAdd[int32]().Call(d, a, b, c)
}

// Every dispatch computes C + Σ_k a·b for each v, m and n, with the scalar and with slices, into C and into another D.
func TestGemm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v, k := int64(1), int64(1)
		m, n := rapid.Int64Range(1, 5).Draw(t, "M"), rapid.Int64Range(1, 5).Draw(t, "N")
		var as, bs, cs []int64
		kind := rapid.IntRange(1, 5).Draw(t, "dispatch")
		switch kind {
		case 1:
			v, m, n = rapid.Int64Range(1, 5).Draw(t, "V"), 1, 1
			as, bs, cs = []int64{v}, []int64{v}, []int64{v}
		case 2:
			as, bs, cs = []int64{m}, []int64{n}, []int64{m, n}
		case 3:
			k = rapid.Int64Range(1, 4).Draw(t, "K")
			as, bs, cs = []int64{m, k}, []int64{n, k}, []int64{m, n}
		case 4:
			v = rapid.Int64Range(1, 3).Draw(t, "V")
			as, bs, cs = []int64{v, m}, []int64{v, n}, []int64{v, m, n}
		case 5:
			v, k = rapid.Int64Range(1, 3).Draw(t, "V"), rapid.Int64Range(1, 4).Draw(t, "K")
			as, bs, cs = []int64{v, m, k}, []int64{v, n, k}, []int64{v, m, n}
		}
		a, b, c := filled(t, "A", true, as...), filled(t, "B", true, bs...), filled(t, "C", false, cs...)
		d := c
		if rapid.Bool().Draw(t, "apart") {
			d = filled(t, "D", false, cs...)
		}
		av, bv, cv := slices.Collect(a.Values()), slices.Collect(b.Values()), slices.Collect(c.Values())
		var want []int32
		for j := range n {
			for i := range m {
				for x := range v {
					sum := cv[x+v*(i+m*j)]
					for z := range k {
						sum += av[x+v*(i+m*z)] * bv[x+v*(j+n*z)]
					}
					want = append(want, sum)
				}
			}
		}
		var op tensor.MMA[int32, int32, int32] = tensor.MulAdd[int32]()
		counter := &mma{}
		if rapid.Bool().Draw(t, "sliced") {
			op = counter
		}
		if err := tensor.Gemm(op, d, a, b, c); err != nil {
			t.Fatalf("gemm [%d] of %v, %v, %v: %v", kind, a, b, c, err)
		}
		if got := slices.Collect(d.Values()); !slices.Equal(got, want) {
			t.Fatalf("gemm [%d] of %v, %v, %v is %v, want %v", kind, a, b, c, got, want)
		}
		if op == tensor.MMA[int32, int32, int32](counter) && counter.calls != int(m*n*k) {
			t.Fatalf("gemm [%d] made %d calls, want %d", kind, counter.calls, m*n*k)
		}
	})
}

// recorder writes down which (m,n) it is called for; the values of C are their own coordinates.
type recorder struct{ seen []string }

func (r *recorder) Call(_ tensor.Tensor[int64], _, _ tensor.Tensor[uint64], c tensor.Tensor[int64]) error {
	x, err := c.At(0)
	r.seen = append(r.seen, fmt.Sprintf("%d%d", x%10, x/10))
	return err
}

// The order of the calls is that of CuTe's dispatch [4], written out by hand for M = 3 and N = 3.
func TestGemmOrder(t *testing.T) {
	t.Parallel()
	rows := "00 01 02 12 11 10 20 21 22"
	kinked := "00 10 01 11 02 12 22 21 20"
	columns := "00 10 20 21 11 01 02 12 22"
	for _, c := range []struct {
		typ  dtype.Type
		a, b int64 // values of a thread
		want string
	}{
		{dtype.F64, 1, 1, rows},
		{dtype.F16, 4, 4, rows},
		{dtype.F16, 4, 2, rows},
		{dtype.F32, 1, 1, kinked},
		{dtype.F16, 2, 2, kinked},
		{dtype.F16, 2, 4, columns},
		{dtype.F16, 8, 4, columns},
		{dtype.F16, 1, 1, columns},
		{dtype.E2M1, 4, 4, kinked}, // one byte each, as sizeof has it
	} {
		a := must(tensor.AllocPacked(c.typ, must(girih.LayoutLeft(girih.Ints(c.a, 3)))))
		b := must(tensor.AllocPacked(c.typ, must(girih.LayoutLeft(girih.Ints(c.b, 3)))))
		d := must(tensor.Make(make([]int64, 30), parse("(1,3,3):(0,1,10)")))
		for n := range int64(3) {
			for m := range int64(3) {
				if err := d.Set(m+10*n, 0, m, n); err != nil {
					t.Fatal(err)
				}
			}
		}
		var r recorder
		if err := tensor.Gemm(&r, d, a, b, d); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.seen); got != "["+c.want+"]" {
			t.Errorf("%d and %d values of %v: %v, want %s", c.a, c.b, c.typ, got, c.want)
		}
	}
}

func TestGemmRefusals(t *testing.T) {
	t.Parallel()
	mk := func(l string) tensor.Tensor[int32] { return must(tensor.Alloc[int32](parse(l))) }
	op := tensor.MulAdd[int32]()
	c := mk("(4,3):(1,4)")
	shared := make([]int32, 24)
	for _, x := range []struct {
		name string
		code girih.Code
		err  error
	}{
		{"ranks", girih.CodeRank, tensor.Gemm(op, c, mk("(4,2,1)"), mk("(3,2)"), c)},
		{"M", girih.CodeNotCongruent, tensor.Gemm(op, c, mk("(5,2)"), mk("(3,2)"), c)},
		{"N", girih.CodeNotCongruent, tensor.Gemm(op, c, mk("(4,2)"), mk("(2,2)"), c)},
		{"K", girih.CodeNotCongruent, tensor.Gemm(op, c, mk("(4,2)"), mk("(3,3)"), c)},
		{"D", girih.CodeNotCongruent, tensor.Gemm(op, mk("(3,4)"), mk("(4,2)"), mk("(3,2)"), c)},
		{"V", girih.CodeNotCongruent, tensor.Gemm(op, mk("(2,4,3)"), mk("(2,4,1)"), mk("(1,3,1)"), mk("(2,4,3)"))},
		{"no mma", girih.CodeType, tensor.Gemm[int32, int32, int32](nil, c, mk("(4,2)"), mk("(3,2)"), c)},
		{"accumulators that repeat", girih.CodeNotInjective, tensor.Gemm(op, mk("(4,3):(1,0)"), mk("(4,2)"), mk("(3,2)"), c)},
		{"D in A", girih.CodeNotInjective, tensor.Gemm(op, must(tensor.Make(shared, parse("(4,3)"))), must(tensor.MakeAt(shared, 8, parse("(4,2)"))), mk("(3,2)"), c)},
		{"D across C", girih.CodeNotInjective, tensor.Gemm(op, must(tensor.Make(shared, parse("(4,3)"))), mk("(4,2)"), mk("(3,2)"), must(tensor.MakeAt(shared, 1, parse("(4,3)"))))},
	} {
		t.Run(x.name, func(t *testing.T) { wantCode(t, x.err, x.code) })
	}
}

// All threads together copy every element, each once, whatever their number.
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
		_, ok := want(make([]int32, 1<<12), shifted(positions(a)), shifted(positions(b)), nil)
		writes := map[int64]int{}
		for _, tid := range rapid.Permutation(numbers(threads)).Draw(t, "order") {
			if err := tensor.Clear(dst); err != nil {
				t.Fatal(err)
			}
			v, err := tensor.CooperativeCopy(threads, tid, 128, src, dst)
			if !ok {
				wantCode(t, err, girih.CodeNotInjective)
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

// A cooperative copy of one thread after the other is a copy; vectors are as wide as allowed, and no wider than leaves
// work for all.
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
	wantCode(t, second(tensor.CooperativeCopy(0, 0, 128, src, dst)), girih.CodeExtent)
	wantCode(t, second(tensor.CooperativeCopy(2, 2, 128, src, dst)), girih.CodeMode)
	wantCode(t, second(tensor.CooperativeCopy(2, -1, 128, src, dst)), girih.CodeMode)
	wantCode(t, second(tensor.CooperativeCopy(2, 1, 16, src, dst)), girih.CodeExtent)
	wantCode(t, second(tensor.CooperativeCopy(2, 1, 128, src, src)), girih.CodeNotInjective)
	wantCode(t, tensor.CooperativeFill(2, 2, src, 1), girih.CodeMode)
}

// All threads together compute the product, and fill; none touches what is another's.
func TestCooperativeGemm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m, n, k := rapid.Int64Range(1, 7).Draw(t, "M"), rapid.Int64Range(1, 7).Draw(t, "N"), rapid.Int64Range(1, 4).Draw(t, "K")
		a, b, c := filled(t, "A", true, m, k), filled(t, "B", true, n, k), filled(t, "C", false, m, n)
		cv := slices.Collect(c.Values())
		p, q := rapid.Int64Range(1, 4).Draw(t, "p"), rapid.Int64Range(1, 4).Draw(t, "q")
		threads := must(girih.New(girih.Ints(p, q), girih.Ints(q, 1)))
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
