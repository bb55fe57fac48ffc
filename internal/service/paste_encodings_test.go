package service

import (
	"fmt"
	"strings"
	"testing"
)

// Read offers a module's encodings with the shapes of its tensors, as expressions that have a value.
func TestEncodingsOfModule(t *testing.T) {
	t.Parallel()
	const text = `
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8],
    warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#dot = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
%a = ttg.convert_layout %b : tensor<128x64xf16, #blocked> ->
    tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
%c = ttg.local_alloc %d : (tensor<32x64xf16, #blocked>) -> !ttg.memdesc<32x64xf16, #shared, #smem>
%e = tt.splat %f : tensor<64x16xf16, #dot>
%g = tt.splat %h : tensor<8x8xf16, #lost>`
	const blocked = "blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]}"
	const mma = "nvidia_mma{versionMajor=2, versionMinor=0, warpsPerCTA=[2,2], instrShape=[16,8]}"
	const shared = "swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}"
	want := []string{
		"linear(" + blocked + ", (128,64))",
		"", // no tensor has it
		"linear(" + shared + ", (32,64))",
		"linear(dot_op{opIdx=1, parent=" + mma + ", kWidth=2}, (64,16))",
		"linear(" + blocked + ", (128,64))",
		"linear(dot_op{opIdx=0, parent=" + mma + ", kWidth=2}, (128,64))",
		"linear(" + blocked + ", (32,64))",
		"linear(" + shared + ", (32,64))",
		"linear(dot_op{opIdx=1, parent=" + mma + ", kWidth=2}, (64,16))",
		"", // the text does not define #lost
	}
	s := new(Session)
	r := s.Read(ReadRequest{Text: text})
	if len(r.Items) != len(want) {
		t.Fatalf("%d values, want %d: %+v", len(r.Items), len(want), r.Items)
	}
	for i, it := range r.Items {
		if it.Expr != want[i] {
			t.Errorf("%s: %q, want %q", it.Value, it.Expr, want[i])
		}
		if e := s.Eval(EvalRequest{Expr: it.Expr}); it.Expr != "" && !e.OK {
			t.Errorf("%s has no value: %+v", it.Expr, e.Error)
		}
	}
}

// Read gives up on definitions that are circular or grow without end.
func TestEncodingsOfHostileModule(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("#x0 = #ttg.slice<{dim = 0, parent = #x0}>\n")
	for i := range 300 {
		fmt.Fprintf(&b, "#x%d = #ttg.dot_op<{opIdx = 0, parent = #x%d, other = #x%d, kWidth = 2}>\n", i+1, i, i)
		fmt.Fprintf(&b, "%%v%d = tt.splat %%a : tensor<8x8xf16, #x%d>\n", i, i)
	}
	for _, it := range new(Session).Read(ReadRequest{Text: b.String()}).Items {
		if it.Expr != "" {
			t.Errorf("%s: %q", it.Value, it.Expr)
		}
	}
}

// The numbers tried for run-time integers have the properties that the program states.
func TestTrials(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{
		"(M,K):(K,1)", "(M{div=8},K):(K,1)", "(M{div=64},K{div=3}):(K,1)", "(M{<=2},K{>=100}):(1,M)",
		"(?{div=7},?):(1,?{>=9})", "(N{div=48,<=48},4):(1,N)",
	} {
		r := new(Session).Inspect(InspectRequest{Expr: expr})
		if !r.OK || len(r.Trials) != len(r.Symbols) || len(r.Extents) == 0 {
			t.Fatalf("%s: %+v", expr, r)
		}
		values := map[string]int64{}
		for i, name := range r.Symbols {
			values[name] = r.Trials[i]
		}
		s := new(Session)
		s.Set(values)
		if v := s.Inspect(InspectRequest{Expr: expr}); !v.OK || len(v.Operands) != 1 {
			t.Errorf("%s with %v: %+v", expr, values, v.Error)
		}
	}
}
