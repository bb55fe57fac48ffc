package kernel_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// TestNoFunction checks that each operation refuses a function that is nil, with the line of the operation.
func TestNoFunction(t *testing.T) {
	t.Parallel()
	zero, three, no := kernel.Int(0), kernel.Int(3), []kernel.Value(nil)
	something := func() {}
	for i, do := range []func(k *kernel.K, c kernel.Cond, v kernel.Value, r kernel.Tensor){
		func(k *kernel.K, c kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.If(c, nil) },
		func(k *kernel.K, c kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.IfElse(c, nil, something) },
		func(k *kernel.K, c kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.IfElse(c, nil, nil) },
		func(k *kernel.K, c kernel.Cond, v kernel.Value, _ kernel.Tensor) {
			k.IfElseCarry(c, func() kernel.Value { return v }, nil)
		},
		func(k *kernel.K, c kernel.Cond, _ kernel.Value, _ kernel.Tensor) {
			k.IfElseCarryAll(c, nil, func() []kernel.Value { return nil })
		},
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.For(zero, three, nil) },
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.ForStep(zero, three, three, nil) },
		func(k *kernel.K, _ kernel.Cond, v kernel.Value, _ kernel.Tensor) { k.ForCarry(zero, three, v, nil) },
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.ForCarryAll(zero, three, no, nil) },
		func(k *kernel.K, c kernel.Cond, _ kernel.Value, _ kernel.Tensor) {
			k.While(no, func([]kernel.Value) kernel.Cond { return c }, nil)
		},
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, _ kernel.Tensor) {
			k.While(no, nil, func(v []kernel.Value) []kernel.Value { return v })
		},
		func(k *kernel.K, c kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.Accumulate(c, nil) },
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, _ kernel.Tensor) { k.CacheHint(kernel.EvictFirst, nil) },
		func(k *kernel.K, _ kernel.Cond, v kernel.Value, _ kernel.Tensor) { k.WarpReduction(v, nil, 1) },
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, r kernel.Tensor) { k.Transform(r, r, nil) },
		func(k *kernel.K, _ kernel.Cond, _ kernel.Value, r kernel.Tensor) { k.Transform2(r, r, r, nil) },
		func(k *kernel.K, _ kernel.Cond, v kernel.Value, r kernel.Tensor) { k.Reduce(r, v, nil) },
	} {
		_, err := kernel.Trace("k", 32, func(k *kernel.K) {
			r := k.MakeFragment(dtype.F32, cute.MustParse("2:1"))
			k.Clear(r)
			do(k, k.ThreadIdx().Less(three), k.Load(r, zero), r)
		})
		e, ok := errors.AsType[*kernel.Error](err)
		if !ok || e.Err.Code != cute.CodeType || e.File != "function_test.go" {
			t.Errorf("%d: found %v", i, err)
		}
	}
	_, _, line, _ := runtime.Caller(0)
	_, err := kernel.Trace("k", 32, nil)
	want := fmt.Sprintf("function_test.go:%d: type: trace: the function is none", line+1)
	if err == nil || err.Error() != want {
		t.Errorf("found %v, expected %s", err, want)
	}
}
