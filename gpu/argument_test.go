package gpu

import (
	"math"
	"slices"
	"strings"
	"testing"

	"girih/ptx"
)

// TestArguments checks the encoding of arguments. It needs no card: arguments are checked before the driver is called.
func TestArguments(t *testing.T) {
	t.Parallel()
	type key uint16
	d := &Device{live: map[*resource]bool{}}
	other := &Device{}
	b := &Buffer[float32]{r: d.own(nil), addr: 0x1234, n: 1}
	foreign := &Buffer[float32]{r: &resource{device: other}, addr: 0x1234, n: 1}
	other.live = map[*resource]bool{foreign.r: true}
	closed := &Buffer[float32]{r: &resource{device: d}, addr: 0x1234, n: 1}
	typed := func(t ptx.Type) parameter { return parameter{"p", t, int64(t.Bits() / 8)} }
	sized := func(n int64) parameter { return parameter{"p", "", n} }
	for _, tt := range []struct {
		name  string
		param parameter
		arg   any
		want  []byte
		err   string
	}{
		{"u32", typed(ptx.U32), uint32(0x01020304), []byte{4, 3, 2, 1}, ""},
		{"named", typed(ptx.U16), key(7), []byte{7, 0}, ""},
		{"negative", typed(ptx.S32), int32(-2), []byte{0xfe, 0xff, 0xff, 0xff}, ""},
		{"f32", typed(ptx.F32), float32(1), []byte{0, 0, 0x80, 0x3f}, ""},
		{"float as bits", typed(ptx.B32), float32(1), []byte{0, 0, 0x80, 0x3f}, ""},
		{"f64", typed(ptx.F64), 1.0, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, ""},
		{"int for u16", typed(ptx.U16), 65535, []byte{0xff, 0xff}, ""},
		{"int for s64", typed(ptx.S64), -2, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, ""},
		{"int for 4 bytes", sized(4), -1, []byte{0xff, 0xff, 0xff, 0xff}, ""},
		{"address", typed(ptx.U64), b, []byte{0x34, 0x12, 0, 0, 0, 0, 0, 0}, ""},
		{"bytes", sized(3), []byte{1, 2, 3}, []byte{1, 2, 3}, ""},
		{"nothing known", parameter{}, int16(1), []byte{1, 0}, ""},
		{"int too large", typed(ptx.U16), 65536, nil, "65536 is not in [0, 65535]"},
		{"int too large, signed", typed(ptx.S8), 128, nil, "128 is not in [-128, 127]"},
		{"negative for u64", typed(ptx.U64), -1, nil, "-1 is not in [0,"},
		{"int for 3 bytes", sized(3), 1, nil, "it is an int"},
		{"int for f32", typed(ptx.F32), 1, nil, "it is an integer"},
		{"float for u32", typed(ptx.U32), float32(1), nil, "it is a float"},
		{"size", typed(ptx.U64), uint32(1), nil, "uint32 has 4 bytes"},
		{"address for f64", typed(ptx.F64), b, nil, "it is an address"},
		{"address for u32", typed(ptx.U32), b, nil, "has 8 bytes"},
		{"address for an array", sized(128), b, nil, "has 8 bytes"},
		{"nil buffer", typed(ptx.U64), (*Buffer[int8])(nil), nil, "a nil *gpu.Buffer[int8]"},
		{"closed buffer", typed(ptx.U64), closed, nil, "was closed"},
		{"buffer of another device", typed(ptx.U64), foreign, nil, "another"},
		{"nil", typed(ptx.U64), nil, nil, "it is nil"},
		{"string", typed(ptx.U64), "x", nil, "a string is not an argument"},
	} {
		got, err := tt.param.encode(d, tt.arg)
		if tt.err == "" && (err != nil || !slices.Equal(got, tt.want)) {
			t.Errorf("%s: got % x and %v, want % x", tt.name, got, err, tt.want)
		}
		if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: got % x and the error %v, want %q", tt.name, got, err, tt.err)
		}
	}
}

// TestParameters checks that parameters have the types that the tree declares, and that arrays and vectors are bytes.
func TestParameters(t *testing.T) {
	t.Parallel()
	b := ptx.NewKernel("k")
	b.Param(ptx.U64, "to")
	b.Declare(&ptx.Var{Space: ptx.Param, Align: 64, Type: ptx.B8, Name: "map", Dims: []int64{128}})
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	want := []parameter{{"to", ptx.U64, 8}, {"map", "", 128}}
	if got := parameters(f); !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestBytesOfABuffer(t *testing.T) {
	t.Parallel()
	if n, err := bytes[float64](3); n != 24 || err != nil {
		t.Errorf("got %d and %v, want 24", n, err)
	}
	for _, n := range []int{0, -1, math.MaxInt} {
		if n == math.MaxInt && math.MaxInt == math.MaxInt32 {
			continue
		}
		if got, err := bytes[float64](n); err == nil {
			t.Errorf("%d elements have %d bytes", n, got)
		}
	}
}
