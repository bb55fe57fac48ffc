package gemm

import (
	"reflect"
	"testing"

	"girih/dtype"
)

func TestPackRoundTrip(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{
		dtype.F64, dtype.F32, dtype.TF32, dtype.F16, dtype.BF16, dtype.E4M3, dtype.S32, dtype.S8, dtype.U8,
	} {
		xs := []float64{1, 2, 3, 0, 1, 1}
		data, err := Pack(typ, xs, 3, 5)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unpack(typ, data, 3, 5)
		if err != nil || !reflect.DeepEqual(got, xs) {
			t.Errorf("%v: %v, %v", typ, got, err)
		}
	}
	for _, tt := range []struct {
		t    dtype.Type
		want []byte
	}{{dtype.S4, []byte{0xe1, 0x03, 0x20, 0x0f}}, {dtype.E2M1, []byte{0xc2, 0x05, 0x40, 0x0a}}} {
		data, err := Pack(tt.t, []float64{1, -2, 3, 0, 2, -1}, 3, 4)
		if err != nil || !reflect.DeepEqual(data, tt.want) {
			t.Errorf("%v: %#x, %v", tt.t, data, err)
		}
	}
	// In a byte of kind::f8f6f4, 4-bit numbers are in the middle, and 6-bit numbers at the low end.
	for _, tt := range []struct {
		r    row
		want []byte
	}{
		{row{dtype.E2M1, 8, 3, 4}, []byte{2 << 2, 12 << 2, 5 << 2, 0, 0, 4 << 2, 10 << 2, 0}},
		{row{dtype.E2M3, 8, 3, 3}, []byte{8, 48, 20, 0, 16, 40}},
	} {
		data, err := tt.r.pack([]float64{1, -2, 3, 0, 2, -1})
		if err != nil || !reflect.DeepEqual(data, tt.want) {
			t.Errorf("%v: %#v, %v", tt.r.t, data, err)
		}
	}
	// Long rows without gaps are split at bytes, and long rows with gaps at rows.
	long := make([]float64, 2*chunk+6)
	for i := range long {
		long[i] = float64(i % 7)
	}
	for _, columns := range []int64{int64(len(long)), 2} {
		ld := max(columns, 4) // elements
		data, err := Pack(dtype.S4, long, columns, ld)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range long {
			at := int64(i)/columns*ld + int64(i)%columns
			if got := data[at/2] >> (at % 2 * 4) & 15; float64(got) != x {
				t.Fatalf("rows of %d: element %d is %d, not %v", columns, i, got, x)
			}
		}
	}
	if data, err := Pack(dtype.B1, []float64{1, 0, 1, 1, 1, 0, 0, 0, 1, 0}, 5, 8); err != nil ||
		!reflect.DeepEqual(data, []byte{0x1d, 0x08}) {
		t.Errorf("bits: %#x, %v", data, err)
	}
	for _, bad := range [][2]int64{{4, 4}, {3, 2}, {3, 3}} {
		if _, err := Pack(dtype.S4, make([]float64, 6), bad[0], bad[1]); err == nil {
			t.Errorf("rows %v are taken", bad)
		}
	}
	// Products of extents that overflow an int64 are not mistaken for small products.
	for _, ld := range []int64{1 << 62, 1 << 59, 1 << 42} {
		if data, err := Pack(dtype.F32, make([]float64, 4), 1, ld); err == nil {
			t.Errorf("rows every %d elements are %d bytes", ld, len(data))
		}
	}
	for _, bad := range [][2]int64{{0, 4}, {8, 8}, {3, 2}, {1 << 62, 1 << 62}} {
		if xs, err := Unpack(dtype.F32, make([]byte, 28), bad[0], bad[1]); err == nil {
			t.Errorf("28 bytes are %d numbers in rows of %v", len(xs), bad)
		}
	}
	if xs, err := Unpack(dtype.F32, make([]byte, 28), 1, 3); err != nil || len(xs) != 3 {
		t.Errorf("the last of the rows need not be whole: %v, %v", xs, err)
	}
}
