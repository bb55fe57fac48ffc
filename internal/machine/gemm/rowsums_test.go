package gemm

import (
	"math"
	"math/rand/v2"
	"testing"

	"girih/dtype"
)

// Sums over rows find any single wrong element of an exact product, and accept a right product.
func TestRowSums(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x32_S32S8S8S32_TN", "SM80_8x8x4_C64C64C64C64_TN",
	} {
		atoms := "(1,1,1)"
		k := mustKernel(t, name, atoms, [3]int64{16, 16, 32})
		if name == "SM80_8x8x4_C64C64C64C64_TN" {
			k = mustKernel(t, name, atoms, [3]int64{8, 8, 4})
		}
		types := k.MMA.Atom().Types
		random := rand.New(rand.NewPCG(8, 9))
		p := Problem{M: 33, N: 21, K: 40}
		p.A = small(random, types.A.Type, p.M*p.K*int64(types.A.Parts))
		p.B = small(random, types.B.Type, p.N*p.K*int64(types.B.Parts))
		p.C = small(random, types.C.Type, p.M*p.N*int64(types.C.Parts))
		d := threeLoops(t, k, p)
		none := Sample{}
		c, err := k.CheckCard(p, d, none)
		if err != nil || c.Fails != 0 || c.Elements != 0 || c.Summed != int64(len(d)) || c.Missed <= 0 || c.Missed > 0x1p-40 {
			t.Errorf("%s: the right product: %+v, %v", name, c, err)
		}
		columns := int64(len(d)) / p.M
		for range 200 {
			at := random.Int64N(int64(len(d)))
			was := d[at]
			d[at] = []float64{was + 1, was - 1<<14, was + 0.5, 1 << 60, -1 << 63, math.NaN(), math.Inf(1)}[random.IntN(7)]
			c, err := k.CheckCard(p, d, none)
			if err != nil || c.Fails != 1 || c.FirstRow != at/columns || c.FirstColumn != at%columns || c.Elements != columns {
				t.Fatalf("%s: element %d is %v for %v: %+v, %v", name, at, d[at], was, c, err)
			}
			d[at] = was
		}
		for i := range d { // every element
			d[i]++
		}
		if c, err := k.CheckCard(p, d, none); err != nil || c.Fails != mostWrong*columns+p.M-mostWrong {
			t.Errorf("%s: all elements are wrong: %+v, %v", name, c, err)
		}
	}
	// Only integers are summed.
	k := mustKernel(t, "SM80_16x8x16_F32F16F16F32_TN", "(1,1,1)", [3]int64{16, 16, 32})
	p := Problem{M: 1, N: 1, K: 1, A: []float64{0.5}, B: []float64{1}}
	if c, err := k.CheckCard(p, []float64{9}, Sample{}); err != nil || c.Summed != 0 || c.Missed != 0 || c.Fails != 0 {
		t.Errorf("a product that is not exact: %+v, %v", c, err)
	}
}

// threeLoops multiplies, and adds C.
func threeLoops(t *testing.T, k Kernel, p Problem) []float64 {
	t.Helper()
	r, err := p.reals(k.MMA.Atom())
	if err != nil {
		t.Fatal(err)
	}
	d := make([]float64, r.M*r.N)
	copy(d, r.C)
	for i := range r.M {
		for j := range r.N {
			for x := range r.K {
				d[i*r.N+j] += r.A[i*r.K+x] * r.B[j*r.K+x]
			}
		}
	}
	return d
}

// Packing, unpacking and rounding a large list give the same results as for its elements one by one.
func TestLookedUpCodes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	for _, typ := range []dtype.Type{
		dtype.F16, dtype.BF16, dtype.E4M3, dtype.E5M2, dtype.E2M1, dtype.S8, dtype.U8, dtype.S4, dtype.B1, dtype.F32,
	} {
		xs := make([]float64, 1<<18)
		for i := range xs {
			switch xs[i] = float64(random.IntN(5) - 2); {
			case typ.Kind() != dtype.Float:
				xs[i] = math.Abs(xs[i])
				if typ.Bits() < 4 {
					xs[i] = math.Mod(xs[i], 2)
				}
			case i%3 == 0:
				xs[i] = min(3, max(-3, random.NormFloat64()))
			case i%101 == 0:
				xs[i] = math.Copysign(0, -1)
			}
		}
		got, err := roundAll(xs, typ)
		if err != nil {
			t.Fatal(typ, err)
		}
		columns := int64(1 << 9)
		data, err := Pack(typ, xs, columns, columns)
		if err != nil {
			t.Fatal(typ, err)
		}
		round := roundingOf(typ)
		for i := 0; i < len(xs); i += 1 + i/500*37 {
			want, err := round(xs[i])
			if err != nil || got[i] != want || math.Signbit(got[i]) != math.Signbit(want) {
				t.Fatalf("%v: %v is rounded to %v, want %v, %v", typ, xs[i], got[i], want, err)
			}
		}
		few, err := Pack(typ, xs[:columns*4], columns, columns)
		if err != nil || string(few) != string(data[:len(few)]) {
			t.Fatalf("%v: the first rows are packed in two ways, %v", typ, err)
		}
		if typ.Bits()%8 != 0 {
			continue
		}
		back, err := Unpack(typ, data, columns, columns)
		if err != nil {
			t.Fatal(typ, err)
		}
		for i, x := range back {
			if x != got[i] {
				t.Fatalf("%v: element %d comes back as %v, want %v", typ, i, x, got[i])
			}
		}
	}
}
