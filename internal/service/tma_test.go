package service

import (
	"slices"
	"strings"
	"testing"
)

// The answers about legal and illegal maps.
func TestTMA(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		req     TMARequest
		legal   bool
		verdict string
		says    []string
	}{
		{
			"a tile",
			TMARequest{Expr: "(1024,512):(512,1)", Box: "128,64", Type: "f16"},
			true,
			"legal: one instruction for a tile, expect_tx 16384 bytes",
			[]string{
				"boxDim              {64, 128}", "SW", "make_tma_copy(SM90_TMA_LOAD{}", "Swizzle<3,4,3>",
				"cpasync.make_tiled_tma_atom(", "make_stride(512, _1{})",
				"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
			},
		},
		{
			"two spans",
			TMARequest{Expr: "(1024,512):(512,1)", Box: "128,128", Type: "f16", Tile: "3,1"},
			true,
			"legal: 2 instructions for a tile, expect_tx 32768 bytes",
			[]string{
				"coordinates (128,384) to byte 0", "coordinates (192,384) to byte 16384", "the span of CU_TENSOR_MAP_SWIZZLE_128B",
			},
		},
		{"an atom", TMARequest{
			Expr: "(1024,512):(512,1)", Smem: "tile_to_shape(Layout_K_SW64_Atom<half_t>, (128,64))",
			Type: "f16",
		}, true, "legal: 2 instructions", []string{
			"CU_TENSOR_MAP_SWIZZLE_64B", "Swizzle<2,4,3>",
		}},
		{
			"multicast",
			TMARequest{Expr: "(1024,512):(512,1)", Box: "128,64", Type: "f16", Multicast: "B@2x1"},
			true, "legal",
			[]string{
				"CTA 0, (0,0)  slice 0 to the CTAs of mask 0x3", "CTA 1, (1,0)  slice 1 to the CTAs of mask 0x3",
				".multicast::cluster", "num_multicast=2",
				"boxDim              {64, 64}",
			},
		},
		{
			"a stride and a box",
			TMARequest{Expr: "(1024,511):(511,1)", Box: "512,128", Type: "f16"},
			false,
			"illegal: 2 broken rules",
			[]string{
				"globalStrides[0] is 1022 bytes, no multiple of 16: 1022 mod 16 = 14", "boxDim[1] = 256, in 2 copies",
			},
		},
		{"a row without atoms", TMARequest{
			Expr: "(1024,512):(512,1)", Smem: "Sw<3,3,3> o 0 o (64,128):(128,1)",
			Type: "f16",
		}, false, "illegal: 1 broken rule", []string{
			"boxDim[0] is 128 × 2 bytes = 256 bytes, more than 128",
		}},
		{
			"short rows",
			TMARequest{Expr: "(1024,512):(512,1)", Smem: "Sw<3,3,3> o 0 o (64,32):(32,1)", Type: "f16"},
			false,
			"illegal",
			[]string{
				"begins each row at a new span",
			},
		},
		{
			"address",
			TMARequest{Expr: "(64,64):(64,1)", Box: "8,64", Type: "f16", Address: "0x7f0000000008"},
			false,
			"illegal",
			[]string{
				"globalAddress is 0x7f0000000008, no multiple of 16",
			},
		},
		{"nan", TMARequest{Expr: "(64,64):(64,1)", Box: "8,64", Type: "e4m3", Fill: "nan"}, false, "illegal", []string{"is no floating-point type"}},
		{
			"heads",
			TMARequest{Expr: "(4096,128,64):(8192,1,128)", Box: "128,64,1", Type: "bf16"},
			true,
			"legal: one instruction",
			[]string{
				"{16384, 256}  bytes",
			},
		},
		{
			"im2col",
			TMARequest{Expr: "(8,56,56,64)", Im2col: "filter 3,3 pad 1,1", Box: "128,64", Type: "f16"},
			true,
			"legal: one instruction for 128 pixels of 64 channels",
			[]string{
				"pixelBoxLowerCorner {-1, -1}", "offsets (2,2)", "cuTensorMapEncodeIm2col(&map", ".im2col.mbarrier", "(8,56,56), N first",
			},
		},
		{
			"im2col for two CTAs",
			TMARequest{Expr: "(8,56,56,64)", Im2col: "filter 3,3 pad 1,1", Box: "128,64", Type: "f16", Multicast: "A@1x2"},
			true,
			"legal: one instruction for 64 pixels of 64 channels, expect_tx 16384 bytes of all 2 CTAs",
			[]string{
				"pixelsPerColumn 64", "slice 1 coordinates (0,7,0,0)",
				"CTA 1, (0,1) slice 1 to the CTAs of mask 0x3", "make_im2col_tma_copy(SM90_TMA_LOAD_IM2COL_MULTICAST{}", ".multicast::cluster",
				"cpasync.CopyBulkTensorIm2ColG2SMulticastOp()",
			},
		},
		{"im2col too wide", TMARequest{
			Expr: "(1,8,8,128)", Im2col: "filter=3", Box: "16,128", Type: "f16",
			Swizzle: "128B",
		}, false, "illegal: 1 broken rule", []string{
			"channelsPerPixel is 128 × 2 bytes = 256 bytes, more than 128", "channelsPerPixel = 64, in 2 copies",
		}},
	} {
		r := new(Session).TMA(c.req)
		if !r.OK || r.Legal != c.legal || !strings.HasPrefix(r.Verdict, c.verdict) {
			t.Errorf("%s: %v, %q, %+v", c.name, r.Legal, r.Verdict, r.Error)
			continue
		}
		text := r.Text() + strings.Join(r.Notes, "\n")
		text = strings.Join(strings.Fields(text), " ")
		for _, s := range c.says {
			if !strings.Contains(text, strings.Join(strings.Fields(s), " ")) {
				t.Errorf("%s: %q is missing in\n%s", c.name, s, r.Text())
			}
		}
		if r.Legal == (len(r.Code) == 0) {
			t.Errorf("%s: %d codes", c.name, len(r.Code))
		}
	}
}

// Wrong requests are refused; the error says what was expected.
func TestTMARefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		req  TMARequest
		code string
		says string
	}{
		{TMARequest{Expr: "(8,8):(8,1)", Box: "8,8"}, "syntax", "type of an element"},
		{TMARequest{Expr: "(8,8):(8,1)", Type: "f17", Box: "8,8"}, "name", "f17"},
		{TMARequest{Expr: "(8,8):(8,1)", Type: "f16"}, "syntax", "--box"},
		{TMARequest{Expr: "(8,8):(8,1)", Type: "f16", Box: "8"}, "rank", "1 extents"},
		{TMARequest{Expr: "(8,8):(8,2)", Type: "f16", Box: "8,8"}, "not_representable", "no mode of stride 1"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Smem: "(64,64):(1,64)"}, "not_representable", "majorness"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Smem: "Sw<3,4,3> o 0 o (64,64):(64,1)"}, "swizzle", "Sw<3,4,3>"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Smem: "(64,64):(64,1)", Box: "32,64"}, "extent", "2048"},
		{TMARequest{Expr: "Sw<3,3,3> o 0 o (64,64):(64,1)", Type: "f16", Box: "8,8"}, "type", "global memory"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", Multicast: "C@2x1"}, "syntax", "A@2x1"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", Multicast: "A@5x5"}, "limit", "5x5"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", Address: "here"}, "syntax", "address"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", Fill: "one"}, "syntax", "zero or nan"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", L2: "1"}, "syntax", "L2"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", Swizzle: "96B"}, "name", "96B"},
		{TMARequest{Expr: "(64,64):(64,1)", Type: "f16", Box: "8,64", Tile: "1,2,3"}, "syntax", "number of a tile"},
		{TMARequest{Expr: "(1,8,8,64)", Type: "f16", Im2col: "filter"}, "syntax", "numbers after filter"},
		{TMARequest{Expr: "(1,8,8,64)", Type: "f16", Im2col: "filter 3", Box: "8"}, "syntax", "pixels and the channels"},
		{TMARequest{Expr: "(1,2,2,64)", Type: "f16", Im2col: "filter 9", Box: "8,64"}, "extent", "larger than the padded image"},
	} {
		r := new(Session).TMA(c.req)
		if r.OK || r.Error == nil || r.Error.Code != c.code || !strings.Contains(r.Error.Message+r.Error.Hint, c.says) {
			t.Errorf("%+v: %+v", c.req, r.Error)
		}
	}
}

// No numbers, however wrong, panic or take long.
func TestTMANonsense(t *testing.T) {
	t.Parallel()
	numbers := []string{"0", "-1", "1", "9223372036854775807", "4294967297", "a"}
	for _, x := range numbers {
		for _, global := range []string{"(" + x + "," + x + "):(1," + x + ")", "(8,8,8,8):(512,64,8,1)", "()"} {
			for _, more := range []TMARequest{{}, {Im2col: "filter " + x + " stride " + x}, {Swizzle: "128B"}} {
				more.Expr, more.Type, more.Box, more.Tile = global, "f16", strings.Join(slices.Repeat([]string{x}, 2), ","), x
				r := new(Session).TMA(more)
				_ = r.Text()
				more.Smem = global
				r = new(Session).TMA(more)
				_ = r.Text()
			}
		}
	}
}

func BenchmarkTMA(b *testing.B) {
	req := TMARequest{Expr: "(1024,512):(512,1)", Box: "128,128", Type: "f16", Multicast: "A@1x2", Tile: "3,1"}
	for b.Loop() {
		if r := new(Session).TMA(req); !r.Legal {
			b.Fatal(r.Verdict)
		}
	}
}

// The answer about a fatal remark contains the change that the remark proposes.
func TestTMAFatalChange(t *testing.T) {
	t.Parallel()
	r := new(Session).TMA(TMARequest{Expr: "(4096,512):(512,1)", Box: "2048,64", Type: "f16"})
	for _, b := range r.Broken {
		if strings.Contains(b.Text, "262144") && !strings.Contains(b.Change, "232448") {
			t.Errorf("%s: %s", b.Text, b.Change)
		}
	}
	if len(r.Broken) != 2 {
		t.Errorf("%+v", r.Broken)
	}
}

// A tile without an element of the tensor is filled, and a note says so.
func TestTMAOutside(t *testing.T) {
	t.Parallel()
	for tile, outside := range map[string]bool{"7,7": false, "8,7": true, "7,8": true, "-1,0": true, "0,0": false} {
		r := new(Session).TMA(TMARequest{Expr: "(1000,500):(504,1)", Box: "128,64", Type: "f16", Tile: tile})
		said := strings.Contains(strings.Join(r.Notes, "\n"), "is outside of the tensor, whose tiles are 0 to 7")
		if !r.Legal || said != outside {
			t.Errorf("%s: %v", tile, r.Notes)
		}
	}
	r := new(Session).TMA(TMARequest{Expr: "1000:1", Box: "128", Type: "f16", Tile: "8"})
	if !strings.Contains(strings.Join(r.Notes, "\n"), "tiles are 0 to 7") {
		t.Errorf("%+v", r.Notes)
	}
}

// For a tensor of one mode and a tile of one row, several spans side by side are one box, which cannot have a
// swizzle.
func TestTMAOneRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, box, tile, says string }{
		{"1000:1", "128", "", "coordinates (0) to byte 0"},
		{"1000:1", "128", "3", "coordinates (384) to byte 0"},
		{"(1000):(1)", "(128)", "1", "coordinates (128) to byte 0"},
		{"1000:1", "64", "1", "coordinates (64) to byte 0"},
		{"(1024,512):(512,1)", "1,128", "2,1", "coordinates (128,2) to byte 0"},
		{"(16,32):(32,1)", "8,32", "1,0", "CU_TENSOR_MAP_SWIZZLE_32B"},
		{"(32,1,6,16,1):(1,192,32,192,3072)", "32,1,2,16,1", "", "CU_TENSOR_MAP_SWIZZLE_32B"},
	} {
		r := new(Session).TMA(TMARequest{Expr: c.expr, Box: c.box, Type: "f16", Tile: c.tile})
		if !r.Legal || r.Error != nil || !strings.Contains(r.Text(), c.says) {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}
