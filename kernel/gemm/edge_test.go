package gemm

import (
	"testing"

	"girih/cute"
	"girih/dtype"
)

// TestRowEnds checks that D is stored by the TMA only if its rows end at multiples of 16 bytes: the hardware writes 16
// bytes whole, also after the end of a row (seen on an H200 for D of 1 by 1, and of fewer columns than its stride).
func TestRowEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		m, n, ld int64
		out      dtype.Type
		direct   bool
	}{
		{1, 1, 1, dtype.F32, true},
		{1, 4, 4, dtype.F32, false},
		{64, 60, 64, dtype.F32, false},
		{64, 62, 64, dtype.F32, true},
		{64, 60, 64, dtype.F16, true},
		{64, 56, 64, dtype.F16, false},
		{1, 60, 60, dtype.BF16, true},
	} {
		d, err := cute.New(cute.Ints(tt.m, tt.n), cute.Ints(tt.ld, 1))
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(Problem{M: tt.m, N: tt.n, K: 64, In: dtype.F16, Out: tt.out, D: d}, Cards()[0], Options{})
		if err != nil {
			t.Fatal(err)
		}
		if tt.direct && !p.Choice().Direct {
			t.Errorf("D of (%d,%d):(%d,1) and %v is stored by the TMA", tt.m, tt.n, tt.ld, tt.out)
		}
		if !tt.direct && !p.work.d.aligned {
			t.Errorf("D of (%d,%d):(%d,1) and %v is not for the TMA", tt.m, tt.n, tt.ld, tt.out)
		}
	}
}
