package service_test

import (
	"strings"
	"testing"

	"girih/internal/service"
)

// TestTmem asks for each operand, with answers from docs/tmem.md and refusals by their code.
func TestTmem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q    service.TmemRequest
		want string // in the text, or the code of the error
	}{
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Load: "16x256b.x16", Element: "50,77"}, "warp 3, thread 10: register 37, bit 0"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Element: "(0,0)"}, "(0,0) is in lane 0, column 0"},
		{service.TmemRequest{Instr: "SM100_MMA_F16BF16_2x1SM_SS_256x128"}, "data path A: D has 128 columns, and 32 lanes"},
		{service.TmemRequest{Instr: "m=128,n=64,a=f16", Operand: "a"}, "A has 8 columns"},
		{service.TmemRequest{Instr: "m=128,n=64,a=f16,sparse=1", Operand: "A"}, "A has 8 columns"},
		{service.TmemRequest{Instr: "m=128,n=200,a=e4m3", Kind: "mxf8f6f4", Operand: "SFB"}, "SFB has 8 columns"},
		{service.TmemRequest{Instr: "m=128,n=128,a=e2m1", Kind: "mxf4nvf4", Operand: "SFA", Vector: 16, K: 256}, "SFA has 16 columns"},
		{service.TmemRequest{Instr: "m=128,n=128,a=e4m3,sparse=1", Kind: "mxf8f6f4", Operand: "SFA"}, "SFA has 4 columns"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Load: "32x32b.x16"}, "mode"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Load: "33x32b"}, "name"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Element: "64,0"}, "mode"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Element: "1"}, "rank"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Element: "1,x"}, "syntax"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Operand: "B"}, "name"},
		{service.TmemRequest{Instr: "m=64,n=128,a=f16", Operand: "SFA"}, "type"},
		{service.TmemRequest{Instr: "m=65,n=128,a=f16"}, "extent"},
		{service.TmemRequest{}, "syntax"},
	} {
		r := new(service.Session).Tmem(c.q)
		good := r.OK && r.Error == nil && strings.Contains(r.Text(), c.want)
		if r.Error != nil {
			good = !r.OK && r.Error.Code == c.want
		}
		if !good {
			t.Errorf("%+v: %v, %s, want %q", c.q, r.Error, r.Text(), c.want)
		}
	}
}
