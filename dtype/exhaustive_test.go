package dtype

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Encode undoes Decode for every code of every type of up to 16 bits; all NaNs become one NaN.
func TestEncodeUndoesDecode(t *testing.T) {
	t.Parallel()
	for _, typ := range small() {
		for c, x := range decodes(t, typ) {
			got, err := typ.Encode(x)
			if err != nil {
				t.Fatalf("%v: Encode(%v): %v", typ, x, err)
			}
			if math.IsNaN(x) {
				if back, _ := typ.Decode(got); !math.IsNaN(back) {
					t.Errorf("%v: the NaN %#x encodes as %#x, which is %v", typ, c, got, back)
				}
				continue
			}
			if got != uint64(c) {
				t.Errorf("%v: %#x is %v, which encodes as %#x", typ, c, x, got)
			}
		}
	}
}

// The middle of two neighbours becomes the even code, and a number just off the middle becomes the nearer value.
// Neighbours are found by sorting the values of all codes.
func TestMiddlesGoToTheEvenCode(t *testing.T) {
	t.Parallel()
	for _, typ := range small() {
		values := decodes(t, typ)
		var order []uint64
		for c, x := range values {
			if !math.IsNaN(x) && !math.IsInf(x, 0) && !(x == 0 && math.Signbit(x)) {
				order = append(order, uint64(c))
			}
		}
		slices.SortFunc(order, func(a, b uint64) int {
			if values[a] < values[b] {
				return -1
			}
			return 1
		})
		for i, lo := range order[:len(order)-1] {
			hi := order[i+1]
			a, b := values[lo], values[hi]
			if a == b {
				t.Fatalf("%v: %#x and %#x are both %v", typ, lo, hi, a)
			}
			mid := a/2 + b/2
			even := lo
			if hi%2 == 0 {
				even = hi
			}
			wantValue(t, typ, math.Nextafter(mid, a), values[lo])
			wantValue(t, typ, mid, values[even])
			wantValue(t, typ, math.Nextafter(mid, b), values[hi])
		}
	}
}

func wantValue(t *testing.T, typ Type, x, want float64) {
	t.Helper()
	for _, encode := range []func(float64) (uint64, error){typ.Encode, typ.EncodeSaturating} {
		c, err := encode(x)
		if err != nil {
			t.Errorf("%v: %v: %v", typ, x, err)
			return
		}
		if got, _ := typ.Decode(c); got != want {
			t.Errorf("%v: %v encodes as %v, the nearest value is %v", typ, x, got, want)
		}
	}
}

// Random numbers in the range of a type of up to 8 bits become the code that a search over all codes finds.
func TestNearestOfAllCodes(t *testing.T) {
	t.Parallel()
	for _, typ := range small() {
		if typ.Bits() > 8 {
			continue // a search would be too slow; TestMiddlesGoToTheEvenCode covers these types
		}
		values := decodes(t, typ)
		finite := slices.DeleteFunc(slices.Clone(values), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
		lo, hi := slices.Min(finite), slices.Max(finite)
		rapid.Check(t, func(r *rapid.T) {
			x := rapid.Float64Range(lo, hi).Draw(r, "x")
			got, err := typ.Encode(x)
			if err != nil {
				r.Fatal(err)
			}
			if want := nearest(values, x); got != want {
				r.Fatalf("%v: %v encodes as %#x (%v), the nearest is %#x (%v)", typ, x, got, values[got], want, values[want])
			}
		})
	}
}

// Greater codes without a sign have greater values.
func TestMonotonic(t *testing.T) {
	t.Parallel()
	for _, typ := range small() {
		values := decodes(t, typ)
		half := values
		if typ.Kind() == Signed || typ.Kind() == Float && !typ.row().format.unsigned {
			half = values[:len(values)/2]
		}
		last := math.Inf(-1)
		for c, x := range half {
			if math.IsNaN(x) {
				continue
			}
			if x <= last {
				t.Errorf("%v: %#x is %v, not above %v", typ, c, x, last)
			}
			last = x
		}
	}
}
