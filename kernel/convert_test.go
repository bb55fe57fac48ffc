package kernel_test

import (
	"context"
	"errors"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestConvertFragments converts fragments whose elements share registers, and fragments whose elements do not.
func TestConvertFragments(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, to dtype.Type
		layout   string // of the destination
	}{
		{dtype.F32, dtype.F16, "(2,3):(1,2)"},
		{dtype.F32, dtype.BF16, "(2,3):(1,2)"},
		{dtype.F32, dtype.F16, "(2,3):(3,1)"},
		{dtype.F32, dtype.BF16, "(3,2):(1,3)"},
		{dtype.F16, dtype.F32, "(2,3):(1,2)"},
		{dtype.F32, dtype.S32, "(2,3):(3,1)"},
		{dtype.F16, dtype.BF16, "(2,3):(3,1)"},
	} {
		k, err := kernel.Trace("k", 32, func(k *kernel.K) {
			shape := cute.MustParse(tt.layout).Shape()
			rows := kernel.Must(cute.LayoutLeft(shape))
			a, b := k.GlobalLayout("a", tt.from, rows), k.GlobalLayout("b", tt.to, rows)
			x, y := k.MakeFragment(tt.from, rows), k.MakeFragment(tt.to, cute.MustParse(tt.layout))
			k.Copy(a, x)
			k.Convert(x, y)
			k.If(k.ThreadIdx().Less(kernel.Int(1)), func() { k.Copy(y, b) })
		})
		if err != nil {
			t.Errorf("%v: %v", tt, err)
			continue
		}
		a, b := []float64{1.001, 2, 3.9, 4, 5, 6}, make([]float64, 6)
		if _, err := k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": a, "b": b}}); err != nil {
			t.Errorf("%v: %v", tt, err)
		}
		for i, x := range a { // x is rounded to its type now
			want := float64(int(x))
			if tt.to.Kind() == dtype.Float {
				code, _ := tt.to.Encode(x)
				want, _ = tt.to.Decode(code)
			}
			if b[i] != want {
				t.Errorf("%v: %v of %v", tt, b, a)
				break
			}
		}
	}
}

// TestMust checks that errors of other packages get the line of the kernel, and that Must panics outside of a trace.
func TestMust(t *testing.T) {
	t.Parallel()
	_, err := kernel.Trace("k", 32, func(*kernel.K) {
		kernel.Must(cute.New(cute.Ints(2, 3), cute.Ints(1)))
	})
	e, ok := errors.AsType[*kernel.Error](err)
	if !ok || e.File != "convert_test.go" || e.Line != 63 || e.Err.Msg == "" {
		t.Errorf("found %v", err)
	}
	defer func() {
		if err, ok := recover().(error); !ok || err.Error() == "" {
			t.Errorf("found %v", err)
		}
	}()
	kernel.Must(cute.New(cute.Ints(2, 3), cute.Ints(1)))
}
