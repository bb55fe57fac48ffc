package service

import (
	"fmt"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/lang/eval"
)

// The test rebuilds a dump from the expression read from it: the value prints the same dump.
func TestRebuildMMA(t *testing.T) {
	t.Parallel()
	tiles := []cute.Tiler{cute.MustParseTiler("<_,_,_>"), cute.MustParseTiler("<128,_,64>"), cute.MustParseTiler("<(4,4,2):(1,8,4),64,_>")}
	n := 0
	for a := range atom.MMAs() {
		n++
		atoms := cute.MustParse([]string{"(1,1,1)", "(2,2,1)", "(2,4,1):(4,1,0)", "(1,2,2):(0,2,1)"}[n%4])
		m, err := atom.MakeTiledMMA(a, atoms, tiles[n%3])
		if err != nil || long.Skips(n, 7) {
			continue
		}
		dump := m.String()
		r := Read(ReadRequest{Text: "kernel:\n" + dump + "\ndone"})
		if len(r.Items) != 2 || r.Items[0].Record != "TiledMMA" {
			t.Fatalf("%s is read as %+v", dump, r.Items)
		}
		if got := value(t, r.Items[0].Expr); fmt.Sprint(got.(eval.TiledMMA).TiledMMA) != dump {
			t.Errorf("%s\nis made by %s, which is\n%v", dump, r.Items[0].Expr, got)
		}
		if r.Items[1].Expr == "" {
			t.Errorf("%s\n is made by nothing", dump)
			continue
		}
		if got := value(t, r.Items[1].Expr).(eval.MMAAtom); got.ThrID.String() != a.ThrID.String() ||
			got.TVText(atom.OperandA) != a.TVText(atom.OperandA) {
			t.Errorf("%s is %s", a.Name, r.Items[1].Expr)
		}
	}
	if n < 1000 {
		t.Errorf("only %d instructions", n)
	}
}

func TestRebuildCopy(t *testing.T) {
	t.Parallel()
	n := 0
	for c := range atom.Copies() {
		a, err := atom.MakeCopyAtom(c, dtype.F16)
		if err != nil || a.ThrID.Size() > 32 {
			continue
		}
		threads := cute.MustParse(fmt.Sprintf("(%d,2)", 2*a.ThrID.Size()))
		values := cute.MustParse(fmt.Sprintf("(1,%d)", a.NumVal()))
		tiled, err := atom.MakeTiledCopy(a, threads, values)
		if err != nil {
			continue
		}
		if n++; long.Skips(n, 5) {
			continue
		}
		dump := tiled.String()
		r := Read(ReadRequest{Text: dump})
		if len(r.Items) != 2 || r.Items[0].Record != "TiledCopy" {
			t.Fatalf("%s is read as %+v", dump, r.Items)
		}
		if got := value(t, r.Items[0].Expr).(eval.TiledCopy); got.TiledCopy.String() != dump {
			t.Errorf("%s\nis made by %s, which is\n%v", dump, r.Items[0].Expr, got.TiledCopy)
		}
		if got := value(t, r.Items[1].Expr).(eval.CopyAtom); got.CopyAtom.String() != a.String() {
			t.Errorf("%v is %s", a, r.Items[1].Expr)
		}
	}
	if n < 100 {
		t.Errorf("only %d tiled copies", n)
	}
}

// A dump gives no expression if no instruction has its layouts; C++ types name their instruction.
func TestRebuildOthers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"TiledMMA<MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>, Layout<Shape<_2,_2,_1>>, Tile<_32,_32,_16>>", `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1):(1,2,0),<32,32,16>)`},
		{"TiledMMA<MMA_Atom<SM80_16x8x17_NO>, Layout<Shape<_2,_2,_1>>>", ""},
		{"TiledMMA\n  ThrLayoutVMNK:  (_32,_2,_2,_1):(_1,_32,_64,_0)\n  PermutationMNK: (_,_,_)\n", ""},
		{"TiledCopy\n  Tiler_MN:       (_16,_64)\n  TiledLayout_TV: ((_8,_16),_8):((_128,_1),_16)\n", ""},
		{"(4,8):(8,1)", ""},
		{"make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>{}, Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})", `tiled_copy_tv(copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>","f16"),((8,16),8):((128,1),16),(16,64))`},
		{"cute::TiledCopy<cute::Copy_Atom<cute::Copy_Traits<cute::SM80_CP_ASYNC_CACHEGLOBAL<cute::uint128_t, cute::uint128_t>>, cutlass::half_t>, Layout<Shape<Shape<_8,_16>,_8>,Stride<Stride<_128,_1>,_16>>, Shape<_16,_64>>", `tiled_copy_tv(copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>","f16"),((8,16),8):((128,1),16),(16,64))`},
		{"Copy_Atom<SM75_U32x4_LDSM_N, cutlass::half_t>", `copy_atom("SM75_U32x4_LDSM_N","f16")`},
		{"MMA_Atom<UniversalFMA<float, float, float, float>>", `mma("UniversalFMA<float,float,float,float>")`},
		{"MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n  LayoutA_TV: (_32,_8):(_1,_32)\n  LayoutB_TV: (_32,_4):(_1,_32)\n  LayoutC_TV: (_32,_4):(_1,_32)\n", ""},
	} {
		r := Read(ReadRequest{Text: tt.text})
		if len(r.Items) == 0 || r.Items[0].Expr != tt.want {
			t.Errorf("%s: %+v, want %q", tt.text, r.Items, tt.want)
		}
	}
	const dump = "MMA_Atom\n  ThrID:      _32:_1\n  Shape_MNK:  (_16,_8,_16)\n  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n" +
		"  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n"
	r := Read(ReadRequest{Text: dump})
	if it := r.Items[0]; it.Expr != `mma("SM80_16x8x16_F32F16F16F32_TN")` || len(it.Notes) != 1 ||
		!strings.Contains(it.Notes[0], "SM80_16x8x16_F32BF16BF16F32_TN") {
		t.Errorf("%+v", it)
	}
}

// value evaluates an expression.
func value(t *testing.T, expr string) eval.Value {
	t.Helper()
	if expr == "" {
		t.Fatal("there is no expression")
	}
	r, err := eval.Eval(expr)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return r.Value
}

// A swizzle of a pointer acts on bytes. In elements, at an aligned address, each element is at the place of
// its first byte.
func TestSwizzledPointer(t *testing.T) {
	t.Parallel()
	const layout = "(8,16):(16,1)"
	for _, bits := range []int64{4, 8, 16, 32, 64} {
		for _, w := range []string{"Sw<3,4,3>", "Sw<2,4,3>", "Sw<1,4,3>", "Sw<0,4,3>", "Sw<2,3,-2>"} {
			for _, text := range []string{
				fmt.Sprintf("%s_smem_ptr[%db](0x7f0000000400) o %s", w, bits, layout),
				fmt.Sprintf("%s o smem_ptr[%db](unset) o %s", w, bits, layout),
			} {
				r := Read(ReadRequest{Text: text})
				if len(r.Items) != 1 || r.Items[0].Expr == "" {
					t.Fatalf("%s is read as %+v", text, r.Items)
				}
				swizzle, err := cute.ParseSwizzle(w)
				if err != nil {
					t.Fatal(err)
				}
				plain := cute.MustParse(layout)
				for i := range plain.Size() {
					offset, err := plain.At(i)
					if err != nil {
						t.Fatal(err)
					}
					byBytes, err := swizzle.At(offset * bits / 8)
					if err != nil {
						t.Fatal(err)
					}
					got := fmt.Sprint(value(t, fmt.Sprintf("(%s)(%d)", r.Items[0].Expr, i)))
					if want := byBytes*8/bits + offset%max(8/bits, 1); got != fmt.Sprint(want) {
						t.Fatalf("%s is %s: at %d it gives %s, by bytes it is %d", text, r.Items[0].Expr, i, got, want)
					}
				}
			}
		}
	}
	for _, text := range []string{
		"Sw<3,0,3> o smem_ptr[16b](unset) o 8:1", "Sw<3,4,3> o smem_ptr(unset) o 8:1",
		"Sw<3,4,3> o smem_ptr[24b](unset) o 8:1", "Sw<3,4,3> o 0 o 8:1",
	} {
		if r := Read(ReadRequest{Text: text}); len(r.Items) != 1 || r.Items[0].Expr != "" {
			t.Errorf("%s is made by an expression: %+v", text, r.Items)
		}
	}
}
