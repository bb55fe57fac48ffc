package ptx

import (
	"math"
	"testing"
)

func TestFuncIsTheDefinition(t *testing.T) {
	t.Parallel()
	m, err := Parse(".version 8.0 .target sm_90 .func f(); .func f() {} .func f(); .func g(.reg .b32 a); .func g(.reg .b32 a);")
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Func("f"); f == nil || f.Body == nil {
		t.Errorf("f is %v, want its definition", f)
	}
	if g := m.Func("g"); g != m.Decls[3] {
		t.Errorf("g is %v, want its first declaration", g)
	}
	if h := m.Func("h"); h != nil {
		t.Errorf("h is %v, want nothing", h)
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		src  string
		want int64
	}{
		{".global .u32 x", 4},
		{".global .pred x", 1},
		{".global .b128 x[3]", 48},
		{".shared .v4 .f16 x[2][5]", 80},
		{".shared .b32 x<10>", 40},
		{".reg .b32 x<10>", 0},
		{".global .b8 x[]", 0},
		{".global .b8 x[0][9]", 0},
		{".global .b8 x[9223372036854775807]", 1<<63 - 1},
		{".global .b16 x[9223372036854775807]", math.MaxInt64},
		{".global .b8 x[4294967296][4294967296]", math.MaxInt64},
		{".global .b8 x[4294967296][4294967296][0]", 0},
		{".global .b8 x[4294967296][4294967296][]", 0},
		{".global .texref x", 8},
	} {
		m, err := Parse(".version 8.0 .target sm_90 " + row.src + ";")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Decls[0].(*Var).Size(); got != row.want {
			t.Errorf("%s takes %d bytes, want %d", row.src, got, row.want)
		}
	}
}
