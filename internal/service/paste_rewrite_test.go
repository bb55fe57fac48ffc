package service_test

import (
	"strings"
	"testing"

	"girih/internal/service"
)

// TestRewritten checks that the arguments of any function may be in C++, even if no pasted text calls the
// function.
func TestRewritten(t *testing.T) {
	t.Parallel()
	const mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{})"
	for expr, want := range map[string]string{
		"size(" + mma + ")": "128",
		"make_cotiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32,_4>,Stride<_4,_1>>{}, " +
			"Layout<Shape<_16,_8>,Stride<_1,_16>>{})": `tiled_copy_tv(copy_atom("UniversalCopy<uint128_t>","f32"),((4,8),4):((1,16),4),<(4,4):(4,1),8:1>)`,
		"cute::thrfrg(" + mma + ", A, Layout<Shape<_32,_16>>{});":                            "(((4,8),(2,1)),((2,2,2),(1,1))):(((64,1),(16,0)),((32,8,256),(0,0)))",
		"size(tiled_copy_like(Copy_Atom<UniversalCopy<uint64_t>, float>{}, " + mma + ", C))": "128",
		"let t = thr_layout(" + mma + "); size(t)":                                           "128",
	} {
		var s, in service.Session
		if r := s.Eval(service.EvalRequest{Expr: expr}); r.Value != want {
			t.Errorf("%s: %q, %+v, want %q", expr, r.Value, r.Error, want)
		}
		bound, asked, ok := strings.Cut(expr, "; ")
		if !ok {
			bound, asked = "auto x = "+strings.TrimSuffix(expr, ";"), "x"
		}
		program := strings.ReplaceAll(bound, "let", "auto") + ";"
		r := in.Run(service.RunRequest{Program: program})
		if v := in.Eval(service.EvalRequest{Expr: asked}); !r.OK || v.Value != want {
			t.Errorf("%s %s: %q, %+v, %+v, want %q", program, asked, v.Value, r.Error, v.Error, want)
		}
	}
	for _, expr := range []string{
		"unheard_of(Layout<Shape<_4,_2>,Stride<_2,_8>>{})", "size(Layout<Shape<_4,_2>,Stride<_2>>{}",
		"size(" + strings.Repeat("coalesce(", 1000) + "Layout<Shape<_4>>{}" + strings.Repeat(")", 1001), "size(,Layout<Shape<_4>>{})",
	} {
		var s service.Session
		if r := s.Eval(service.EvalRequest{Expr: expr}); r.OK || r.Error.Code == "" {
			t.Errorf("%.60s: %q", expr, r.Value)
		}
	}
}
