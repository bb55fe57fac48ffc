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

// filled returns a tensor of small numbers with a drawn layout of the shape, injective unless broadcast is allowed.
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
	x := must(tensor.Alloc[int32](must(cute.New(cute.Ints(shape...), cute.Ints(str...)))))
	for i := range x.Size() {
		if err := x.Set(rapid.Int32Range(-9, 9).Draw(t, label), i); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// mma is a multiply-add that is not an FMA, so that gemm must slice.
type mma struct{ calls int }

func (m *mma) Call(d, a, b, c tensor.Tensor[int32]) error {
	m.calls++
	return tensor.MulAdd[int32]().Call(d, a, b, c)
}

// Every dispatch computes C + Σ_k a·b for each v, m and n, with the scalar path and with slices, into C and into
// another D.
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

// recorder records the (m,n) of its calls; the values of C are their own coordinates.
type recorder struct{ seen []string }

func (r *recorder) Call(_ tensor.Tensor[int64], _, _ tensor.Tensor[uint64], c tensor.Tensor[int64]) error {
	x, err := c.At(0)
	r.seen = append(r.seen, fmt.Sprintf("%d%d", x%10, x/10))
	return err
}

// The calls have the order of CuTe's dispatch [4], written out by hand for M = 3 and N = 3.
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
		{dtype.E2M1, 4, 4, kinked}, // one byte each, as sizeof counts
	} {
		a := must(tensor.AllocPacked(c.typ, must(cute.LayoutLeft(cute.Ints(c.a, 3)))))
		b := must(tensor.AllocPacked(c.typ, must(cute.LayoutLeft(cute.Ints(c.b, 3)))))
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
		code cute.Code
		err  error
	}{
		{"ranks", cute.CodeRank, tensor.Gemm(op, c, mk("(4,2,1)"), mk("(3,2)"), c)},
		{"M", cute.CodeNotCongruent, tensor.Gemm(op, c, mk("(5,2)"), mk("(3,2)"), c)},
		{"N", cute.CodeNotCongruent, tensor.Gemm(op, c, mk("(4,2)"), mk("(2,2)"), c)},
		{"K", cute.CodeNotCongruent, tensor.Gemm(op, c, mk("(4,2)"), mk("(3,3)"), c)},
		{"D", cute.CodeNotCongruent, tensor.Gemm(op, mk("(3,4)"), mk("(4,2)"), mk("(3,2)"), c)},
		{"V", cute.CodeNotCongruent, tensor.Gemm(op, mk("(2,4,3)"), mk("(2,4,1)"), mk("(1,3,1)"), mk("(2,4,3)"))},
		{"no mma", cute.CodeType, tensor.Gemm[int32, int32, int32](nil, c, mk("(4,2)"), mk("(3,2)"), c)},
		{"accumulators that repeat", cute.CodeNotInjective, tensor.Gemm(op, mk("(4,3):(1,0)"), mk("(4,2)"), mk("(3,2)"), c)},
		{"D in A", cute.CodeNotInjective, tensor.Gemm(op, must(tensor.Make(shared, parse("(4,3)"))), must(tensor.MakeAt(shared, 8, parse("(4,2)"))), mk("(3,2)"), c)},
		{"D across C", cute.CodeNotInjective, tensor.Gemm(op, must(tensor.Make(shared, parse("(4,3)"))), mk("(4,2)"), mk("(3,2)"), must(tensor.MakeAt(shared, 1, parse("(4,3)"))))},
	} {
		t.Run(x.name, func(t *testing.T) { wantCode(t, x.err, x.code) })
	}
}
