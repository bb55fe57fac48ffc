package service_test

import (
	"slices"
	"testing"

	"girih/internal/service"
)

// A run of values gives the TiledMMA the permutation that Permute finds.
func TestTiledMMA(t *testing.T) {
	t.Parallel()
	var s service.Session
	ask := service.PermuteRequest{
		MMARequest: service.MMARequest{Atom: "SM80_16x8x16_F32F16F16F32_TN"}, Operand: "B", Along: "N", Run: 2,
	}
	p, r := s.Permute(ask), s.TiledMMA(ask)
	if !p.OK || !r.OK || r.MMA != p.MMA || len(r.Operands) != 3 || r.Permuted == nil ||
		r.Permuted.Permutation != p.Permutation || !slices.Equal(r.Permuted.After, p.After) {
		t.Errorf("TiledMMA = %+v, Permute = %+v", r, p)
	}
	plain, want := s.TiledMMA(service.PermuteRequest{MMARequest: ask.MMARequest}), s.MMA(ask.MMARequest)
	if plain.MMA != want.MMA || plain.Text() != want.Text() || plain.Permuted != nil {
		t.Errorf("without a run %+v, want %+v", plain, want)
	}
	ask.Run = 0
	if r := s.TiledMMA(ask); r.OK || r.Error.Code != "syntax" || !r.Usage {
		t.Errorf("an operand without a run = %+v", r)
	}
}

func TestRecognizeDifference(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, typ, value, bytes, formula string }{
		{"(8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "f16", "Sw<3,3,3>", "Sw<3,4,3>", "x ^ ((x & 0x1c0) >> 3)"},
		{"0,1,2,3", "0,1,3,2", "", "Sw<1,0,1>", "", "x ^ ((x & 0x2) >> 1)"},
		{"(8,8):(8,1)", "(8,8):(8,1)", "", "Sw<0,0,0>", "", ""},
	} {
		var s service.Session
		r := s.RecognizeSwizzle(service.RecognizeSwizzleRequest{Text: c.to, From: c.from, Type: c.typ})
		formula := ""
		if r.Map != nil {
			formula = r.Map.Formula
		}
		if !r.OK || r.Value != c.value || r.Bytes != c.bytes || formula != c.formula || r.Read != "difference" {
			t.Errorf("%s of %s = %+v, %s, want %+v", c.to, c.from, r, formula, c)
		}
	}
	var s service.Session
	if r := s.RecognizeSwizzle(service.RecognizeSwizzleRequest{Text: "0,1,2,3", From: "("}); r.OK ||
		r.Error.Code != "syntax" || r.In != "(" {
		t.Errorf("a layout that does not parse = %+v", r)
	}
}

// A conversion that needs no shared memory is planned through shared memory if the request asks for that.
func TestConvertThrough(t *testing.T) {
	t.Parallel()
	ask := service.ConvertRequest{
		From: "linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}",
		To:   "linear{register=[[2],[1]], lane=[[4],[8]], out=[dim0:16]}", Type: "f16",
	}
	var s service.Session
	if r := s.Convert(ask); !r.OK || r.Shared != nil || r.Class != "register permutation" {
		t.Errorf("as it can: %+v", r)
	}
	between := s.BetweenSwizzle(ask)
	ask.Through = "shared"
	if r := s.Convert(ask); !r.OK || r.Shared == nil || *r.Shared != *between.Plan {
		t.Errorf("through shared memory: %+v, want %+v", r, between)
	}
}
