package kernel_test

import (
	"errors"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestNoNumber checks that a constant which its type cannot represent is refused, and that rounding is not.
func TestNoNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ dtype.Type
		x   float64
		ok  bool
	}{
		{dtype.S32, 1.5, false},
		{dtype.U8, 0.25, false},
		{dtype.F16, 65520, false},
		{dtype.BF16, 3.3e38, true},
		{dtype.F32, 1e39, false},
		{dtype.F16, 0.1, true},
		{dtype.F32, 1e-60, true},
		{dtype.S64, -3, true},
	} {
		_, err := kernel.Trace("k", 1, func(k *kernel.K) { k.Number(tt.typ, tt.x) })
		e, refused := errors.AsType[*cute.Error](err)
		if refused == tt.ok || refused && e.Code != cute.CodeType {
			t.Errorf("%v of %v: %v", tt.x, tt.typ, err)
		}
	}
}

// TestStatedOnce checks what a kernel says of its parameters and its grid: no negative divisor, a layout,
// one grid, atoms.
func TestStatedOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		code cute.Code
		do   func(k *kernel.K)
	}{
		"grid":    {cute.CodeMode, func(k *kernel.K) { k.Grid(kernel.Int(1)); k.Grid(kernel.Int(2)) }},
		"divisor": {cute.CodeFact, func(k *kernel.K) { k.Int("n", symbolic.Facts{Min: 1, Max: 8, Div: -4}) }},
		"shared":  {cute.CodeType, func(k *kernel.K) { k.Shared("s", dtype.F32, nil) }},
		"copy":    {cute.CodeType, func(k *kernel.K) { k.ThrCopy(atom.TiledCopy{}, k.ThreadIdx()) }},
		"mma":     {cute.CodeType, func(k *kernel.K) { k.ThrMMA(atom.TiledMMA{}, k.ThreadIdx()) }},
		"global":  {cute.CodeType, func(k *kernel.K) { k.GlobalLayout("s", dtype.F32, nil) }},
	} {
		_, err := kernel.Trace("k", 32, tt.do)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%s: found %v, expected %s", name, err, tt.code)
		}
	}
}
