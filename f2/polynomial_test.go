package f2

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestPolynomialsAgainstTheirCoefficients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := Vector(rapid.Uint64Range(0, 1<<20).Draw(t, "v"))
		w := Vector(rapid.Uint64Range(0, 1<<20).Draw(t, "w"))
		p, err := v.Mul(w)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 42 {
			sum := 0
			for i := range k + 1 {
				sum ^= v.At(i) & w.At(k-i)
			}
			if p.At(k) != sum {
				t.Fatalf("%d·%d = %d: coefficient %d is %d, want %d", v, w, p, k, p.At(k), sum)
			}
		}
		if w == 0 {
			return
		}
		q, r, err := v.DivMod(w)
		if err != nil {
			t.Fatal(err)
		}
		if back, _ := q.Mul(w); back^r != v || r.Len() >= w.Len() {
			t.Fatalf("%d = %d·%d + %d is wrong", v, q, w, r)
		}
	})
	if _, err := Vector(1 << 40).Mul(1 << 40); err == nil {
		t.Error("a product of 81 components is taken")
	}
	if _, _, err := Vector(1).DivMod(0); err == nil {
		t.Error("a division by 0 is taken")
	}
}

func ExampleVector_Mul() {
	fmt.Println(Vector(3).Mul(3)) // (x+1)² = x²+1
	// Output: 5 <nil>
}

func ExampleVector_DivMod() {
	fmt.Println(Vector(11).DivMod(3))
	// Output: 6 1 <nil>
}
