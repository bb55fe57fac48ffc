package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
)

// TestInline accesses memory by text, in both spaces. The simulator checks the accesses as others.
func TestInline(t *testing.T) {
	t.Parallel()
	inline := func(sync bool) error {
		k, err := kernel.Trace("f", 64, func(k *kernel.K) {
			x, s := k.GlobalLayout("x", dtype.U32, parse("64:1")), k.Shared("s", dtype.U32, parse("64:1"))
			at := k.ThreadIdx()
			k.PTX(kernel.PTX{
				Text: "ld.global.b32 %0, [%1]; st.shared.b32 [%2+0], %0;", Results: []dtype.Type{dtype.U32}, Memory: true,
			}, k.Address(x, at), k.Address(s, at))
			if sync {
				k.PTX(kernel.PTX{Text: "bar.sync 0;", Memory: true})
			}
			v := k.PTX(kernel.PTX{Text: "mov.u32 %0, %laneid;\nadd.u32 %0, %0, %1;", Results: []dtype.Type{dtype.U32}},
				k.Load(s, kernel.Int(63).Sub(at)))
			k.Store(v[0], x, at)
		})
		if err != nil {
			return err
		}
		x := make([]float64, 64)
		for i := range x {
			x[i] = float64(100 * i)
		}
		if _, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x}}); err != nil {
			return err
		}
		for i := range x {
			if want := float64(100*(63-i) + i%32); x[i] != want {
				return fmt.Errorf("element %d is %v, want %v", i, x[i], want)
			}
		}
		return nil
	}
	if err := inline(true); err != nil {
		t.Error(err)
	}
	err := inline(false)
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindRace || f.Source == "" {
		t.Errorf("%v, should be a race", err)
	}
}

// TestInlineRefuses checks the errors of text that cannot be part of a kernel.
func TestInlineRefuses(t *testing.T) {
	t.Parallel()
	word := []dtype.Type{dtype.U32}
	for _, tt := range []struct {
		p    kernel.PTX
		code cute.Code
	}{
		{kernel.PTX{Text: "mov.u32 %0, %laneid"}, cute.CodeType},
		{kernel.PTX{Text: "mov.u32 %0, 5;"}, cute.CodeType},
		{kernel.PTX{Text: "} .entry g() {"}, cute.CodeType},
		{kernel.PTX{Text: "mov.u32 %r0, 5;"}, cute.CodeName},
		{kernel.PTX{Text: "mov.u32 %0, %tid.w;", Results: word}, cute.CodeName},
		{kernel.PTX{Text: "mov.u32 %0, %99999999999999999999;", Results: word}, cute.CodeType},
		{kernel.PTX{Text: "L: bra L;"}, cute.CodeMode},
		{kernel.PTX{Text: "bra L;"}, cute.CodeMode},
		{kernel.PTX{Text: "ret;"}, cute.CodeMode},
		{kernel.PTX{Text: "bar.sync 0;"}, cute.CodeMode},
		{kernel.PTX{Text: "ld.shared.u32 %0, [0];", Results: word}, cute.CodeMode},
		{kernel.PTX{Text: "mov.u32 %0, 5;", Results: word, Chip: "gfx90a"}, cute.CodeName},
		{kernel.PTX{Text: "mov.u32 %0, 5;", Results: word, Version: "new"}, cute.CodeName},
		{kernel.PTX{Text: "mov.b128 %0, 5;", Results: []dtype.Type{dtype.B128}}, cute.CodeType},
	} {
		_, err := kernel.Trace("f", 32, func(k *kernel.K) { k.PTX(tt.p) })
		if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != tt.code || e.File != "inline_test.go" {
			t.Errorf("%q: %v, should be %s", tt.p.Text, err, tt.code)
		}
	}
	for _, tt := range []struct {
		text string
		code cute.Code
		hint string
	}{
		{"add.u32 %1, %1, 1; mov.u32 %0, 5;", cute.CodeMode, "writes %1"},
		{"mov.u32 %0, 5; mov.b64 {%0, %1}, 7;", cute.CodeMode, "writes %1"},
		{"add.u32 %0, %0, %1;", cute.CodeMode, "reads %0"},
		{"mov.u32 %0, %1; addc.u32 %0, %0, %1;", cute.CodeMode, "carry"},
		{"nanosleep.u32 %1;", cute.CodeType, "does not write %0"},
		{"@%1 mov.u32 %0, 5;", cute.CodeType, "guard"},
		{"mov.u32 %0, n;", cute.CodeName, "n is a name of the kernel"},
		{"mov.u32 %0, %1_0;", cute.CodeName, "name of the kernel"},
		{"mov.u32 %0, L0;", cute.CodeName, "L0"},
		{"ld.param.u32 %0, [n];", cute.CodeMode, "accesses memory"},
		{"mov.u32 %0, n+4;", cute.CodeName, "n is a name"},
		{".reg .u32 x; mov.u32 %0, 5;", cute.CodeMode, "expected instructions"},
		{"{ mov.u32 %0, 5; }", cute.CodeMode, "expected instructions"},
		{"shfl.sync.bfly.b32 %0, %1, 1, 31, -1;", cute.CodeMode, "thread 16 does not"},
		{"shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffff;", "", ""},
		{"add.cc.u32 %0, %1, %1; addc.u32 %0, %0, 0;", "", ""},
		{"nanosleep.u32 %1; mov.u32 %0, WARP_SZ;", "", ""},
	} {
		_, err := kernel.Trace("f", 32, func(k *kernel.K) {
			v := k.Int("n", extentTo(8)).Value(dtype.U32)
			k.If(k.ThreadIdx().Less(kernel.Int(16)), func() { k.PTX(kernel.PTX{Text: tt.text, Results: word}, v) })
		})
		e, ok := errors.AsType[*cute.Error](err)
		if ok != (tt.code != "") || ok && (e.Code != tt.code || !strings.Contains(err.Error(), tt.hint)) {
			t.Errorf("%q: %v, should be %s with %q", tt.text, err, tt.code, tt.hint)
		}
	}
	k, err := kernel.Trace("f", 32, func(k *kernel.K) {
		k.PTX(kernel.PTX{Text: "mov.u32 %0, 5;", Results: word, Chip: "sm_120a", Version: "8.7"})
	})
	if err != nil || k.Module.Target[0] != "sm_120a" || k.Module.Version.Minor != 7 {
		t.Errorf("%v", err)
	}
	_, err = kernel.Trace("f", 32, func(k *kernel.K) { k.PTX(kernel.PTX{Text: "mov.u32 %0, 5;"}, kernel.Value{}) })
	if err == nil {
		t.Error("the zero Value was accepted")
	}
}
