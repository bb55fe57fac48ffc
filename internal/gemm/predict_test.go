package gemm

import (
	"reflect"
	"testing"

	"girih/banks"
	"girih/dtype"
)

// What is predicted is what running counts.
func TestPredictIsTheLedgerOfRun(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, atoms   string
		tile, problem [3]int64
	}{
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 32}, [3]int64{70, 33, 50}},
		{"SM80_16x8x64_S32S4S4S32_TN", "(1,2,1)", [3]int64{32, 32, 64}, [3]int64{31, 64, 77}},
		{"SM90_64x64x16_F32F16F16_SS", "(1,1,1)", [3]int64{64, 64, 64}, [3]int64{64, 128, 65}},
		{"UniversalFMA<float,float,float>", "(16,16,1)", [3]int64{32, 32, 8}, [3]int64{5, 6, 7}},
	} {
		k := mustKernel(t, tt.name, tt.atoms, tt.tile)
		p := Problem{M: tt.problem[0], N: tt.problem[1], K: tt.problem[2]}
		p.A, p.B = make([]float64, p.M*p.K), make([]float64, p.N*p.K)
		r, err := k.Run(p, target)
		if err != nil {
			t.Fatal(err)
		}
		l, err := k.Predict(p.M, p.N, p.K, target)
		if err != nil || !reflect.DeepEqual(l, r.Ledger) {
			t.Errorf("%s: predicted %+v, %v, and ran %+v", tt.name, l, err, r.Ledger)
		}
	}
}

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
	if data, err := Pack(dtype.B1, []float64{1, 0, 1, 1, 1, 0, 0, 0, 1, 0}, 5, 8); err != nil ||
		!reflect.DeepEqual(data, []byte{0x1d, 0x08}) {
		t.Errorf("bits: %#x, %v", data, err)
	}
	for _, bad := range [][2]int64{{4, 4}, {3, 2}, {3, 3}} {
		if _, err := Pack(dtype.S4, make([]float64, 6), bad[0], bad[1]); err == nil {
			t.Errorf("rows %v are taken", bad)
		}
	}
	// Products of extents that leave an int64 are no small ones.
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
