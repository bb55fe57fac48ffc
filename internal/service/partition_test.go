package service_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/service"
)

func TestPartition(t *testing.T) {
	t.Parallel()
	const copies = `tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(32,8):(8,1),(1,8))`
	for _, c := range []struct {
		req             service.PartitionRequest
		layout, offset  string
		first, elements int64
	}{
		{service.PartitionRequest{Tiled: copies, Operand: "S", Layout: "(128,64):(64,1)", Thread: 9}, "((8,1),4,1):((1,0),2048,0)", "72", 72, 32},
		{service.PartitionRequest{Tiled: "SM80_16x8x16_F32F16F16F32_TN", Operand: "c", Layout: "(16,8):(8,1)", Thread: 5}, "((2,2),1,1):((1,64),0,0)", "10", 10, 4},
		{
			service.PartitionRequest{
				Tiled: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,1,1))`, Operand: "A",
				Layout: "Sw<1,3,3> o 0 o (32,16):(16,1)", Thread: 1,
			},
			"", "", 2, 8,
		},
	} {
		r := new(service.Session).Partition(c.req)
		if !r.OK || c.layout != "" && r.Layout != c.layout || r.Offset != c.offset || r.Size != c.elements ||
			r.Offsets[0] != c.first {
			t.Errorf("Partition(%+v) = %+v %+v, want %s at %s", c.req, r, r.Error, c.layout, c.offset)
		}
		if text := r.Text(); !strings.HasPrefix(text, r.Layout+"\n") || !strings.HasSuffix(text, "\n") {
			t.Errorf("the text is %q", text)
		}
	}
}

// All threads together have every element once.
func TestPartitionCovers(t *testing.T) {
	t.Parallel()
	seen := make([]int, 32*16)
	for thread := range int64(64) {
		r := new(service.Session).Partition(service.PartitionRequest{
			Tiled: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,1,1))`, Operand: "A", Layout: "(32,16):(16,1)", Thread: thread,
		})
		if !r.OK {
			t.Fatal(r.Error)
		}
		for _, d := range r.Offsets {
			seen[d]++
		}
	}
	if i := slices.IndexFunc(seen, func(n int) bool { return n != 1 }); i >= 0 {
		t.Errorf("offset %d is in %d parts", i, seen[i])
	}
}

func TestPartitionRefuses(t *testing.T) {
	t.Parallel()
	const mma = "SM80_16x8x16_F32F16F16F32_TN"
	for _, c := range []struct {
		req  service.PartitionRequest
		code string
	}{
		{service.PartitionRequest{Tiled: mma, Operand: "X", Layout: "(16,8)"}, "syntax"},
		{service.PartitionRequest{Tiled: mma, Operand: "S", Layout: "(16,8)"}, "name"},
		{service.PartitionRequest{Tiled: "4:1", Operand: "A", Layout: "(16,8)"}, "type"},
		{service.PartitionRequest{Operand: "A", Layout: "(16,8)"}, "syntax"},
		{service.PartitionRequest{Tiled: mma, Operand: "A"}, "syntax"},
		{service.PartitionRequest{Tiled: mma, Operand: "A", Layout: "(16,"}, "syntax"},
		{service.PartitionRequest{Tiled: mma, Operand: "A", Layout: "(16,16)", Thread: 32}, "mode"},
		{service.PartitionRequest{Tiled: mma, Operand: "A", Layout: "(15,16)"}, "not_divisible"},
	} {
		r := new(service.Session).Partition(c.req)
		if r.OK || r.Error == nil || r.Error.Message == "" {
			t.Errorf("Partition(%+v) = %+v, want an error", c.req, r)
			continue
		}
		if r.Error.Code != c.code {
			t.Errorf("Partition(%+v): code %s, want %s: %s", c.req, r.Error.Code, c.code, r.Error.Message)
		}
	}
}
