package gemm

import (
	"testing"

	"girih/dtype"
)

// Rounding to an integer keeps exactly what the type encodes, also at its limits.
func TestRoundingOfIntegers(t *testing.T) {
	t.Parallel()
	for _, typ := range dtype.All() {
		if typ.Kind() == dtype.Float || typ.Bits() > 32 || typ == dtype.B1 { // a bit is 0 or 1
			continue
		}
		round := roundingOf(typ)
		least, most := integersOf(typ)
		for _, x := range []float64{least - 1, least, least + 1, -1, 0, 1, most - 1, most, most + 1, 0.5, -1e300} {
			code, want := typ.EncodeInt(int64(x))
			y, err := round(x)
			fits := want == nil && x == float64(int64(x))
			if (err == nil) != fits {
				t.Errorf("%v of %v: %v, %v; EncodeInt says %v, %v", x, typ, y, err, code, want)
			}
			if err == nil && y != x {
				t.Errorf("%v of %v is rounded to %v", x, typ, y)
			}
		}
	}
}
