package service

import (
	"strings"
	"testing"
)

// What a pasted tensor says about its pointer is used if the request says nothing.
func TestEngineOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]engine{
		"tensor<ptr<f16, gmem, align<16>> o (8,64):(64,1)>":      {typ: "f16", space: "gmem", align: 16},
		`!cute.memref<bf16, smem, align<1024>, S<3,4,3>, "8:1">`: {typ: "bf16", space: "smem", align: 1024},
		`!cute.memref<f32, gmem, "(8,64):(64,1)">`:               {typ: "f32", space: "gmem", align: 4},
		"tensor<ptr<i8, smem, align<12>> o 4:1>":                 {typ: "i8", space: "smem", align: 1},
		"gmem_ptr[16b](0x7f0000000008) o 4:1":                    {bits: 16, space: "gmem", align: 8, address: 0x7f0000000008},
		"smem_ptr[32b](unset) o 4:1":                             {bits: 32, space: "smem"},
		"ptr[16b](0x7f0000100000) o 4:1":                         {bits: 16, align: 1024, address: 0x7f0000100000},
		"ptr[16b](0) o 4:1":                                      {bits: 16},
		"ptr[16b](0xffffffffffffffffffff) o 4:1":                 {bits: 16},
		"ptr[99999999b](0x10) o 4:1":                             {bits: 32767, align: 16, address: 16},
		"(8,64):(64,1)":                                          {},
		strings.Repeat("x", MaxExpr+1) + "ptr[16b](0x10) o 4:1":  {},
	} {
		if got := engineOf(text); got != want {
			t.Errorf("%.60q: %+v, want %+v", text, got, want)
		}
	}
}

// Flags override the paste.
func TestAlignOfPaste(t *testing.T) {
	t.Parallel()
	const paste = "tensor<ptr<f16, smem, align<8>> o (8,64):(64,1)>"
	for _, c := range []struct {
		req     AlignRequest
		pointer string
	}{
		{AlignRequest{Expr: paste}, "ptr<f16, smem, align<8>>"},
		{AlignRequest{Expr: paste, Align: 16}, "ptr<f16, smem, align<16>>"},
		{AlignRequest{Expr: paste, Type: "f32", Space: "gmem"}, "ptr<f32, gmem, align<8>>"},
		{AlignRequest{Expr: paste, At: "(3,_)"}, "ptr<f16, smem, align<8>>"},
	} {
		if r := new(Session).Align(c.req); r.Pointer != c.pointer {
			t.Errorf("%+v: %s, %+v", c.req, r.Pointer, r.Error)
		}
	}
	for _, text := range []string{"ptr[99999999b](0x10) o 4:1", "ptr[7b](0x10) o 4:1"} {
		if r := new(Session).Align(AlignRequest{Expr: text}); r.Error == nil {
			t.Errorf("%s: %+v", text, r)
		}
	}
}
