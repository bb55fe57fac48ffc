package cute_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

func ExampleDomainDistribute() {
	d, err := cute.DomainDistribute(cute.Ints(15, 14), 6)
	fmt.Println(d, err)
	// Output: (3,2):(1,15) <nil>
}

func TestDomainDistribute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, distributes)
	for _, n := range []int64{0, -4} {
		_, err := cute.DomainDistribute(cute.Int(8), n)
		wantCode(t, "domain_distribute", err, cute.CodeExtent)
	}
	_, err := cute.DomainDistribute(cute.Ints(1<<40, 1<<40), 4)
	wantCode(t, "domain_distribute", err, cute.CodeOverflow)
}

func FuzzDomainDistribute(f *testing.F) { f.Fuzz(rapid.MakeFuzz(distributes)) }

// distributes: the indices grow, are those of the shape, as many as divide n, and divide the shape evenly, as CuTe has
// it; and no leaf could take a larger part of what those before it have left.
func distributes(t *rapid.T) {
	shape := gen.NonNegativeLayouts().Draw(t, "layout").Shape()
	n := rapid.Int64Range(1, 200).Draw(t, "n")
	d, err := cute.DomainDistribute(shape, n)
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{0}
	rest, step := n, int64(1)
	for _, s := range shape.Leaves() {
		most := int64(1)
		for x := range s + 1 {
			if x > 0 && s%x == 0 && rest%x == 0 {
				most = x
			}
		}
		var next []int64
		for x := range most {
			for _, i := range want {
				next = append(next, i+x*step)
			}
		}
		want, rest, step = next, rest/most, step*s
	}
	if d.Size() != int64(len(want)) || n%d.Size() != 0 {
		t.Fatalf("%v over %v is %v, of %d elements", n, shape, d, len(want))
	}
	for i, x := range want {
		if got, err := d.At(int64(i)); err != nil || got != x || i > 0 && x <= want[i-1] {
			t.Fatalf("%v over %v is %v: element %d is %d, %v, want %d", n, shape, d, i, got, err, x)
		}
	}
	id, err := cute.LayoutLeft(shape)
	if err != nil {
		t.Fatal(err)
	}
	if div, err := cute.LogicalDivideExact(id, d); err != nil || div.Size() != id.Size() {
		t.Fatalf("%v does not divide %v: %v", d, shape, err)
	}
}
