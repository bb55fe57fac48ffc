package codegen

import (
	"errors"
	"math"
	"testing"

	"girih/cute"
)

// wantCode fails the test unless err is a girih error of the code.
func wantCode(t *testing.T, what string, err error, code cute.Code) {
	t.Helper()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
		t.Errorf("%s: error %v, want code %q", what, err, code)
	}
}

func TestZeroValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		value Value
		want  string
	}{
		{"Value", Value{}, `{"kind":"list","items":[]}`},
		{"Tuple", Tuple(cute.Tuple{}), `{"kind":"tuple","value":[]}`},
		{"Coord", Coord(cute.Coord{}), `{"kind":"tuple","value":[]}`},
		{"Layout", Layout(cute.Layout{}), `{"kind":"layout","shape":[],"stride":[],"static":true}`},
		{"Composed", ComposedLayout(cute.Composed{}), `{"kind":"layout","shape":[],"stride":[],"static":true}`},
		{"Swizzle", Swizzle(cute.Swizzle{}), `{"kind":"swizzle","b":0,"m":0,"s":0}`},
		{"Tile", Tiler(cute.Tile{}), `{"kind":"tile","modes":[]}`},
		{"List", List(Value{}), `{"kind":"list","items":[{"kind":"list","items":[]}]}`},
	} {
		if got, err := Write(JSON, test.value); err != nil || got != test.want {
			t.Errorf("%s: %s, %v; want %s", test.name, got, err, test.want)
		}
	}
}

func TestMissingParts(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]Value{
		"no tiler":         Tiler(nil),
		"no tiler inside":  Tiler(cute.MakeTile(cute.Int(4), nil)),
		"no tiler, listed": List(Bool(true), Tiler(nil)),
	} {
		for _, d := range Dialects() {
			_, err := Write(d, v)
			wantCode(t, name, err, cute.CodeType)
		}
	}
}

func TestUnknownDialect(t *testing.T) {
	t.Parallel()
	_, err := Write("rust", Bool(true))
	wantCode(t, "rust", err, cute.CodeName)
	if title := Dialect("rust").Title(); title != "" {
		t.Errorf("Title = %q, want none", title)
	}
}

// _N is written only for the N in integral_constant.hpp.
func TestConstants(t *testing.T) {
	t.Parallel()
	for x, want := range map[int64]string{
		0: "_0", 10: "_10", 11: "Int<11>", 12: "_12", 20: "Int<20>", 24: "_24", 128: "_128", 264: "Int<264>",
		384: "_384", 524288: "_524288", 1048576: "Int<1048576>", -1: "Int<-1>",
		math.MaxInt32: "Int<2147483647>", math.MinInt32: "Int<-2147483648>", math.MinInt32 - 1: "C<-2147483649>",
		math.MaxInt64: "C<9223372036854775807>", math.MinInt64: "C<-9223372036854775807-1>",
	} {
		w := new(cppWriter)
		w.leafType(static(x))
		if got := w.String(); got != want {
			t.Errorf("%d is %s, want %s", x, got, want)
		}
	}
}

// Writing takes linear time: a program may have a megabyte of text.
func TestLongValues(t *testing.T) {
	t.Parallel()
	xs := make([]int64, 50_000)
	for i := range xs {
		xs[i] = 1
	}
	l, err := cute.New(cute.Ints(xs...), cute.Ints(xs...))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range Dialects() {
		if _, err := Write(d, Layout(l)); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
}
