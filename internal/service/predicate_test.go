package service

import (
	"slices"
	"strings"
	"testing"
)

const vectors = `tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(16,8):(8,1),(1,8))`

// TestPredicateQuestions asks questions about predicates that users have asked.
func TestPredicateQuestions(t *testing.T) {
	t.Parallel()
	for _, q := range []struct {
		name    string
		request PredicateRequest
		layout  string
		code    string // the code of the error
		says    []string
	}{
		{
			"flash-attention#2492: the predicate of the head dimension, 3 vectors of 8 in 2 rows",
			PredicateRequest{
				Extents: "(S,D{div=8})", Tile: "(32,192)", Side: "S",
				Tiled: `tiled_copy(copy_atom("UniversalCopy<uint128_t>","bf16"),(16,8):(8,1),(1,8))`,
			},
			"(1,2,3):(0,1,2)", "",
			[]string{"((8,1),2,3)"},
		},
		{
			"the same where the rows are whole tiles",
			PredicateRequest{
				Extents: "(S{div=32},D{div=8})", Tile: "(32,192)",
				Tiled: `tiled_copy(copy_atom("UniversalCopy<uint128_t>","bf16"),(16,8):(8,1),(1,8))`,
			},
			"(1,2,3):(0,0,1)", "",
			[]string{"stride=(0, 0, 1)", "elem_less(get<1>(c), shape<1>(mX))"},
		},
		{
			"cutlass#1886: a TiledCopy of 64 rows on a tile of 8",
			PredicateRequest{
				Extents: "(M,K{div=256})", Tile: "(8,256)",
				Tiled: `tiled_copy(copy_atom("UniversalCopy<uint128_t>","uint1b_t"),(64,2):(2,1),(1,128))`,
			},
			"(1,1,1):(0,0,0)", "",
			[]string{"get<0>(c) < (blk_m + 1) * 8", "covers 64 of them", "(64,256) is larger"},
		},
		{
			"cutlass#1940: one vector of 8, rank 1",
			PredicateRequest{
				Extents: "N{div=8}", Tile: "1024", Side: "D",
				Tiled: `tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),128,8)`,
			},
			"(1,1):(0,0)", "",
			[]string{"((8,1))", "prd(0)", "copy_if(tiled_copy, tXpX, tXsX, tXgX)"},
		},
		{
			"a vector on the edge",
			PredicateRequest{Extents: "(M,77)", Tile: "(32,64)", Tiled: vectors},
			"", "not_divisible",
			[]string{"elements 8 to 15", "UniversalCopy<uint16_t>"},
		},
		{
			"an edge that is not known",
			PredicateRequest{Extents: "(M,N{div=4})", Tile: "(32,64)", Tiled: vectors},
			"", "not_divisible",
			[]string{"UniversalCopy<uint64_t>"},
		},
		{
			"cp.async", PredicateRequest{
				Extents: "(M,64)", Tile: "(32,64)",
				Tiled: `tiled_copy(copy_atom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>","half_t"),(16,8):(8,1),(1,8))`,
			}, "(1,2,1):(0,1,0)", "", []string{"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>"},
		},
		{
			"nothing",
			PredicateRequest{Extents: "(64,128)", Tile: "(32,64)", Tiled: vectors},
			"(1,2,1):(0,0,0)", "",
			[]string{"no predicate"},
		},
		{
			"a batch in front of a TiledCopy of two modes",
			PredicateRequest{Extents: "(B,M,N{div=8})", Tile: "(1,64,64)", Tiled: vectors},
			"", "not_divisible",
			[]string{"the TiledCopy has 2 of the 3 modes", "mX(b,_,_)"},
		},
		{"no copy", PredicateRequest{Extents: "(64,128)", Tile: "(32,64)", Tiled: "4:1"}, "", "type", nil},
		{"no tile", PredicateRequest{Extents: "(64,128)", Tile: "(x,64)", Tiled: vectors}, "", "unknown", nil},
		{"no side", PredicateRequest{Extents: "(64,128)", Tile: "(32,64)", Tiled: vectors, Side: "A"}, "", "syntax", nil},
		{"no extents", PredicateRequest{Extents: "4:1", Tile: "(32,64)", Tiled: vectors}, "", "type", nil},
	} {
		var s Session
		r := s.Predicate(q.request)
		code, text := "", ""
		if r.Error != nil {
			code, text = r.Error.Code, r.Error.Message+r.Error.Hint
		} else {
			text = r.Text() + strings.Join(r.Notes, "\n")
		}
		if r.Layout != q.layout || code != q.code || r.OK != (code == "") {
			t.Errorf("%s: %s, %q (%s), expected %s, %q", q.name, r.Layout, code, text, q.layout, q.code)
		}
		for _, says := range q.says {
			if !strings.Contains(text, says) {
				t.Errorf("%s: %q is not in\n%s", q.name, says, text)
			}
		}
	}
}

// TestAlignAnswers checks alignments, and what wider vectors need.
func TestAlignAnswers(t *testing.T) {
	t.Parallel()
	for _, q := range []struct {
		request AlignRequest
		pointer string
		vector  int64
		failed  bool
		says    []string
	}{
		{
			AlignRequest{Expr: "(128,64):(ld,1)", Type: "f16", At: "(m,_)", Want: 128},
			"ptr<f16, gmem, align<2>>", 16, true,
			[]string{"cute.assume(ld, divby=8)"},
		},
		{
			AlignRequest{Expr: "(128,64):(ld{div=8},1)", Type: "f16", At: "(m,_)", Want: 128},
			"ptr<f16, gmem, align<16>>", 128, false, nil,
		},
		{
			AlignRequest{Expr: "(128,12):(12,1)", Type: "f16"},
			"ptr<f16, gmem, align<16>>", 64, false,
			[]string{"stride of mode 0"},
		},
		{
			AlignRequest{Expr: "(64,32):(1,64)", Type: "f32", Align: 32, Target: "sm100"},
			"ptr<f32, gmem, align<32>>", 256, false, nil,
		},
		{
			AlignRequest{Expr: "Sw<3,3,3> o 0 o (64,64):(64,1)", Type: "f16", Space: "smem", Align: 1024, At: "(3,_)"},
			"ptr<f16, smem, align<16>>", 128, false, nil,
		},
		{
			AlignRequest{Expr: "Sw<3,2,3> o 0 o (64,64):(64,1)", Type: "f16", Space: "smem", Align: 1024},
			"ptr<f16, smem, align<1024>>", 64, false,
			[]string{"larger M"},
		},
		{
			AlignRequest{Expr: "(128,64):(64,1)", Type: "f16", Offset: "(0,k{div=4})"},
			"ptr<f16, gmem, align<8>>", 64, false, nil,
		},
	} {
		var s Session
		r := s.Align(q.request)
		if r.Error != nil {
			t.Errorf("%+v: %+v", q.request, r.Error)
			continue
		}
		if r.Pointer != q.pointer || r.Vector != q.vector || r.Failed != q.failed {
			t.Errorf("%+v: %s, %d bits, failed %v", q.request, r.Pointer, r.Vector, r.Failed)
		}
		for _, says := range q.says {
			if text := r.Text(); !strings.Contains(text, says) {
				t.Errorf("%+v: %q is not in\n%s", q.request, says, text)
			}
		}
	}
	for _, q := range []AlignRequest{
		{},
		{Expr: "4:1", Type: "f17"},
		{Expr: "4:1@0", Type: "f16"},
		{Expr: "4:1", Type: "f16", Space: "tmem"},
		{Expr: "4:1", Type: "f16", At: "(1,2,3)"},
		{Expr: "4:1", Type: "f16", Target: "sm1"},
		{Expr: "4:1", Type: "f16", Want: 12},
		{Expr: "4:1", Type: "f16", Align: -16},
		{Expr: "", Type: "f16"},
	} {
		var s Session
		if r := s.Align(q); r.Error == nil || r.OK {
			t.Errorf("%+v is not refused", q)
		}
	}
}

// TestBudgetAnswers checks budgets, and the notation of buffers.
func TestBudgetAnswers(t *testing.T) {
	t.Parallel()
	var s Session
	r := s.Budget(BudgetRequest{
		Tile: "(128,128,256)", Type: "e2m1", SF: "ue4m3", SFVec: 16, D: "bf16", Epilogue: "(128,32)", DStages: 2, Fill: "D",
		Target: "sm100",
	})
	if r.Error != nil || r.Stages != 5 || len(r.Rules) != 2 || r.Rules[0].Stages != 5 ||
		r.Rules[1].Text != "(232448 - 17408) / 36864" {
		t.Errorf("%+v, %+v", r, r.Error)
	}
	i := slices.IndexFunc(r.Buffers, func(b BudgetBuffer) bool { return b.Name == "D" })
	if i < 0 || r.Buffers[i].Copies != 5 {
		t.Errorf("%+v", r.Buffers)
	}
	i = slices.IndexFunc(r.Targets, func(b BudgetTarget) bool { return b.Target == "sm120" })
	if i < 0 || r.Targets[i].Stages != 2 {
		t.Errorf("%+v", r.Targets)
	}
	r = s.Budget(BudgetRequest{Buffers: []string{"Q:(128,128):f16@1024", "bar : 8 @8*3", "K:32768@1024/stage"}})
	if r.Error != nil || r.Stages != 6 || r.Bytes != 33792+6*32768 {
		t.Errorf("%+v, %+v", r, r.Error)
	}
	r = s.Budget(BudgetRequest{Tile: "(128,512,32)", Type: "f16", Target: "sm100"})
	if !r.OK || r.TensorMemory == nil || *r.TensorMemory != (BudgetColumns{1, 512, 0, 512, 512}) || r.CTAs != 1 ||
		!strings.Contains(strings.Join(r.Notes, ""), "two do not fit") {
		t.Errorf("%+v of tensor memory, %d CTAs, %q", r.TensorMemory, r.CTAs, r.Notes)
	}
	for i, tile := range []string{"(128,256,64)", "(128,128,64)", "(128,512,32)"} { // the accumulators number 3, 5 and 2
		r = s.Budget(BudgetRequest{Tile: tile, Type: "f16", Target: "sm100", Accumulators: []int64{3, 5, 2}[i]})
		if r.OK || r.Error == nil || r.Error.Code != "limit" {
			t.Errorf("%s: %+v", tile, r)
		}
	}
	for _, q := range []BudgetRequest{
		{Tile: "(128,256,64)", Type: "f16", Accumulators: 2}, // sm90 has no tensor memory
		{},
		{Tile: "(128,128)", Type: "f16"},
		{Tile: "(128,128,0)", Type: "f16"},
		{Tile: "(128,128,64)"},
		{Type: "f16"},
		{Buffers: []string{"A"}},
		{Buffers: []string{"A:f16"}},
		{Buffers: []string{"A:(1,2):q"}},
		{Buffers: []string{"A:4:f16@3"}},
		{Buffers: []string{"A:999999999999999999999"}},
		{Tile: "(128,128,64)", Type: "f16", Stages: 99},
		{Tile: "(4096,4096,64)", Type: "f16"},
		{Tile: "(128,128,64)", Type: "f16", Target: "sm2"},
		{Tile: "(128,128,64)", Type: "f16", CTAs: 99},
		{Tile: "(128,128,64)", Type: "f16", CTAGroup: 3},
		{Tile: "(128,128,64)", Type: "f16", Fill: "Z"},
		{Tile: "(128,128,64)", Type: "f16", Epilogue: "(1,2,3)"},
	} {
		var s Session
		if r := s.Budget(q); r.Error == nil || r.OK {
			t.Errorf("%+v is not refused", q)
		}
	}
}
