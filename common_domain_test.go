package girih_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/check/gen"
)

func TestGreatestCommonDomain(t *testing.T) { holds(t, checkCommonDomain) }
func FuzzGreatestCommonDomain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkCommonDomain)) }

// The result is a layout of modes that both shapes can be cut into, and the size of every other one divides its size.
func checkCommonDomain(t *rapid.T) {
	a := gen.Shapes(gen.MaxSize).Draw(t, "a")
	b := gen.Shapes(gen.MaxSize).Draw(t, "b")
	if n, err := a.Product(); err == nil && n > 1 && rapid.Bool().Draw(t, "one size") {
		b = girih.Ints(factors(t, n)...)
	}
	r, err := girih.GreatestCommonDomain(a, b)
	noError(t, "greatest_common_domain", err)
	if other, err := girih.GreatestCommonDomain(b, a); err != nil || !other.Equal(r) {
		t.Fatalf("greatest_common_domain(%v, %v) = %v, the other way round %v, %v", a, b, r, other, err)
	}
	s, d, from := r.Shape().Leaves(), r.Stride().Leaves(), int64(1)
	for i := range s {
		if s[i] == 1 && r.String() == "(1):(0)" {
			break
		}
		if s[i] < 2 || d[i]%from != 0 || !cuttable(a, s[i], d[i]) || !cuttable(b, s[i], d[i]) {
			t.Fatalf("greatest_common_domain(%v, %v) = %v: mode %d cannot be cut out of both", a, b, r, i)
		}
		from = s[i] * d[i]
	}
	for size := range commonSizes(a, b, 1, map[int64]map[int64]bool{}) {
		if r.Size()%size != 0 {
			t.Fatalf("greatest_common_domain(%v, %v) = %v: there is one of size %d", a, b, r, size)
		}
	}
}

// cuttable reports whether a leaf of the shape can be cut into three factors of which the second is s:d.
func cuttable(shape girih.Tuple, s, d int64) bool {
	p := int64(1)
	for _, x := range shape.Leaves() {
		if d%p == 0 && x%(d/p) == 0 && (x/(d/p))%s == 0 {
			return true
		}
		p *= x
	}
	return false
}

// commonSizes returns the sizes of all layouts of modes from the given stride on that can be cut out of both shapes.
func commonSizes(a, b girih.Tuple, from int64, known map[int64]map[int64]bool) map[int64]bool {
	if known[from] != nil {
		return known[from]
	}
	sizes := map[int64]bool{1: true}
	known[from] = sizes
	n, _ := a.Product()
	for d := from; d < n; d += from {
		for s := int64(2); s*d <= n; s++ {
			if cuttable(a, s, d) && cuttable(b, s, d) {
				for rest := range commonSizes(a, b, s*d, known) {
					sizes[s*rest] = true
				}
			}
		}
	}
	return sizes
}

// The results that NVIDIA's PyCuTe documents.
func TestGreatestCommonDomainFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"1", "1", "(1):(0)"},
		{"10", "10", "(10):(1)"},
		{"7", "9", "(1):(0)"},
		{"12", "18", "(6):(1)"},
		{"(16,3)", "(16,3)", "(16,3):(1,16)"},
		{"(5,3,4)", "(10,6)", "(5,2):(1,30)"},
		{"(5,3,3,4)", "(10,6,1,3)", "(5):(1)"},
		{"(2,21)", "(3,14)", "(7):(6)"},
		{"(6,35)", "(15,14)", "(3,7):(1,30)"},
		{"(16,64)", "(4,16,16)", "(4,4,4,16):(1,4,16,64)"},
		{"(5,3)", "(3,5)", "(1):(0)"},
		{"(7,2,3,2,2,3,2)", "(7,3,2,2,3,2,2)", "(7,2,2):(1,42,504)"},
		{"(2,(3,4))", "(6,4)", "(2,3,4):(1,2,6)"},
		{"(4,6)", "(2,12)", "(2,2,6):(1,2,4)"},
		{"4611686018427387904", "(3,1537228672809129301)", "(1):(0)"},
	} {
		r, err := girih.GreatestCommonDomain(girih.MustParseTuple(c.a), girih.MustParseTuple(c.b))
		wantText(t, "greatest_common_domain("+c.a+", "+c.b+")", r, err, c.want)
	}
	for code, a := range map[girih.Code]string{girih.CodeExtent: "(4,0)", girih.CodeCodomain: "1@0", girih.CodeOverflow: "(4294967296,4294967296)"} {
		_, err := girih.GreatestCommonDomain(girih.MustParseTuple("4"), girih.MustParseTuple(a))
		wantCode(t, "greatest_common_domain of "+a, err, code)
	}
}

func ExampleGreatestCommonDomain() {
	fmt.Println(girih.GreatestCommonDomain(girih.Ints(5, 3, 4), girih.Ints(10, 6)))
	// Output: (5,2):(1,30) <nil>
}
