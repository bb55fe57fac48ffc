package kernel_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx"
)

// TestListingHasLoops checks the comment of each loop: its range, and the register that counts in it.
func TestListingHasLoops(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("rows", 32, func(k *kernel.K) {
		m, n, zero := k.Int("m", extent(1)), k.Int("n", extent(1)), kernel.Int(0)
		x := k.Global("x", dtype.F32, kernel.Modes(m, n), n, kernel.Int(1))
		k.For(zero, m, func(i kernel.Index) {
			k.ForStep(zero, n, kernel.Int(32), func(j kernel.Index) { k.Store(k.Number(dtype.F32, 1), x, i, j) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	text := k.Listing()
	comment := regexp.MustCompile(`(?m)^\t// for (.*): i[12] counts in (%r\d+)\n(?:\t//.*\n)*\$L\d+:$`)
	var ranges []string
	for _, m := range comment.FindAllStringSubmatch(text, -1) {
		ranges = append(ranges, m[1])
		if step := "add.s32 " + m[2] + ", " + m[2] + ", 1;"; strings.Count(text, step) != 1 {
			t.Errorf("the listing does not have %s\n%s", step, text)
		}
	}
	want := []string{"i1 from 0, below m", "i2 from 0, below (n + 31)/32"}
	if !slices.Equal(ranges, want) {
		t.Errorf("found %q, expected %q in\n%s", ranges, want, text)
	}
}

// TestListingNames checks that a listing with the names of fragments is a kernel with the same results, and that no
// register of a named fragment has another name.
func TestListingNames(t *testing.T) {
	t.Parallel()
	mma := oneAtom(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN"))
	k, err := kernel.Trace("product", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F16, cute.MustParse("(16,16):(16,1)"))
		b := k.GlobalLayout("b", dtype.F16, cute.MustParse("(8,16):(16,1)"))
		c := k.GlobalLayout("c", dtype.F64, cute.MustParse("(16,8):(8,1)"))
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tA, tB, tC := thr.PartitionA(a), thr.PartitionB(b), thr.PartitionC(c)
		rA, rB, rC := thr.MakeFragmentA(tA), thr.MakeFragmentB(tB), thr.MakeFragmentC(tC)
		k.Copy(tA, rA)
		k.Copy(tB, rB)
		k.Clear(rC)
		k.GemmTiled(mma, rA, rB, rC)
		wide := k.Name("sums", k.MakeFragmentLike(tC, dtype.F64))
		k.Convert(rC, wide)
		k.Convert(rC, k.MakeFragmentLike(tC, dtype.F64)) // rc
		k.Convert(rC, k.MakeFragmentLike(tC, dtype.F64)) // rc2
		k.Copy(wide, tC)
	})
	if err != nil {
		t.Fatal(err)
	}
	text := k.Listing()
	for _, want := range []string{
		"// tCrA: f16 ((2,2,2),1,1):((1,2,4),0,0), 2 in a register\n\t.reg .b32 %tCrA_<4>;\n", ".reg .b32 %tCrC_<4>;",
		"// sums: f64", ".reg .b64 %sums_<4>;", ".reg .b64 %rc_<4>;", ".reg .b64 %rc2_<4>;",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%tCrC_0, %tCrC_1, %tCrC_2, %tCrC_3}, {%tCrA_0, %tCrA_1, ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the listing does not have %q:\n%s", want, text)
		}
	}
	for _, want := range []string{".reg .b32 tCrC_<4>;", "{tCrC_0, tCrC_1, tCrC_2, tCrC_3}"} {
		if text := k.CUDA(); !strings.Contains(text, want) || strings.Contains(text, "%tCrC") {
			t.Errorf("the C++ does not have %q:\n%s", want, text)
		}
	}
	run := func() []float64 {
		x := map[string][]float64{"a": make([]float64, 256), "b": make([]float64, 128), "c": make([]float64, 128)}
		for i := range x["a"] {
			x["a"][i], x["b"][i/2] = float64(i%7), float64(i%5)
		}
		if _, err := k.Simulate(context.Background(), kernel.Args{Tensors: x}); err != nil {
			t.Fatal(err)
		}
		return x["c"]
	}
	want := run()
	if k.Module, err = ptx.Parse(text); err != nil {
		t.Fatal(err)
	}
	if got := run(); !slices.Equal(got, want) || want[9] == 0 {
		t.Errorf("the listing computes %v, and the kernel %v", got, want)
	}
}

// TestFragmentNames checks which names of fragments are refused.
func TestFragmentNames(t *testing.T) {
	t.Parallel()
	bad := cute.CodeName
	for name, code := range map[string]cute.Code{"acc": "", "r0": "", "1x": bad, "float": bad, "": bad} {
		_, err := kernel.Trace("k", 32, func(k *kernel.K) { k.Name(name, k.MakeFragment(dtype.F32, parse("4:1"))) })
		if e, ok := errors.AsType[*kernel.Error](err); (err != nil) != (code != "") || ok && e.Err.Code != code {
			t.Errorf("%q: found %v", name, err)
		}
	}
	_, err := kernel.Trace("k", 32, func(k *kernel.K) { k.Name("x", k.GlobalLayout("a", dtype.F32, parse("4:1"))) })
	if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != cute.CodeType {
		t.Errorf("a tensor in memory: found %v", err)
	}
}
