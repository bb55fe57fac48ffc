package banks

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

// The instructions of the part, times the repeats, cost as much as the instructions of the whole memory.
func TestPeriodOfRandomLayouts(t *testing.T) {
	t.Parallel()
	target, err := ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		rank := rapid.IntRange(1, 3).Draw(t, "rank")
		shape, stride := make([]int64, rank), make([]int64, rank)
		for i := range shape {
			shape[i] = rapid.SampledFrom([]int64{8, 32, 64, 3, 512}[:6-rank]).Draw(t, "extent")
			stride[i] = rapid.SampledFrom([]int64{0, 1, 64, 128, 256, 264, 512}).Draw(t, "stride")
		}
		if rapid.Bool().Draw(t, "contiguous") {
			stride[rapid.IntRange(0, rank-1).Draw(t, "along")] = 1
		}
		l, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
		if err != nil || l.Size() > 1<<15 {
			t.Skip(err)
		}
		bits := rapid.SampledFrom([]int{8, 16, 32}).Draw(t, "bits")
		name := rapid.SampledFrom([]string{"ld", "ld.64", "st.128", "ldmatrix.x4", "cp.async.16"}).Draw(t, "access")
		a, err := ParseAccess(name, bits)
		if err != nil {
			t.Skip(err)
		}
		rule, err := target.Rule(a)
		if err != nil {
			t.Skip(err)
		}
		threads := rapid.SampledFrom([]Threads{{}, Rows(), Cols()}).Draw(t, "threads")
		p := period(rule, l, int64(bits), threads)
		if p.Repeats == 1 {
			return
		}
		whole, err := NewPlan(rule, l, bits, threads)
		part, err2 := NewPlan(rule, p.Memory, bits, threads)
		if err != nil || err2 != nil {
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%v: %v, of the part %v %v", l, err, p.Memory, err2)
			}
			return
		}
		a1, err := whole.Count(nil)
		a2, err2 := part.Count(nil)
		n := int(p.Repeats)
		if (err == nil) != (err2 == nil) || err == nil && (a1.Wavefronts != n*a2.Wavefronts || a1.Ideal != n*a2.Ideal ||
			a1.Degree != a2.Degree || whole.Instructions() != n*part.Instructions() || whole.How() != part.How()) {
			t.Fatalf("%v %v: %+v %v, of %v, %d times: %+v %v", l, a, a1, err, p.Memory, n, a2, err2)
		}
		for i := range whole.Instructions() {
			if err != nil {
				break
			}
			x, err := whole.TrafficAt(nil, 4, 0, i)
			y, err2 := part.TrafficAt(nil, 4, 0, i%part.Instructions())
			if (err == nil) != (err2 == nil) || err == nil && x != y {
				t.Fatalf("%v %v, instruction %d: %+v %v, of %v: %+v %v", l, a, i, x, err, p.Memory, y, err2)
			}
		}
	})
}
