package atom

import (
	"testing"

	"girih/cute"
	"girih/dtype"
)

// Each value of each lane is the element that the instruction gives it: on gfx950 column l%16 of 16 lanes' rows of 16
// elements, where 4, 2 or 1 lanes hold a row; and on gfx1250 by the owners of 8x8 tiles, or for bytes by a loop over
// groups of four lanes.
func TestTransposedReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		lanes, width int64
		source       func(lane, value int64) (from, element int64)
	}{
		{"ds_read_b64_tr_b16", 64, 16, columnOf(4)},
		{"ds_read_b64_tr_b8", 64, 8, columnOf(2)},
		{"ds_read_b64_tr_b4", 64, 4, columnOf(1)},
		{"ds_read_b96_tr_b6", 64, 6, columnOf(1)},
		{"ds_load_tr8_b64", 32, 8, bytesOf(32)},
		{"ds_load_tr16_b128", 32, 16, func(l, v int64) (int64, int64) { return l&^7 + v, l & 7 }},
	} {
		op, err := FindCopy(c.name)
		if err != nil {
			t.Fatal(err)
		}
		run := op.From.Unit
		for lane := range c.lanes {
			for bit := range run {
				from, element := c.source(lane, bit/c.width)
				want := from*run + element*c.width + bit%c.width
				if got, err := op.Dst.At(lane + c.lanes*bit); err != nil || got != want {
					t.Fatalf("%s: lane %d, bit %d is bit %v, want %d: %v", c.name, lane, bit, got, want, err)
				}
			}
		}
	}
}

// columnOf transposes rows of 16 elements that some lanes of a block of 16 hold together: lane l gets column l%16.
func columnOf(holders int64) func(lane, value int64) (from, element int64) {
	each := 16 / holders
	return func(lane, value int64) (int64, int64) {
		at := 16*value + lane%16 // in the elements of a block
		return lane/16*16 + at/each, at % each
	}
}

// bytesOf follows the instruction: groups of four source lanes give one byte each to a register of another lane.
func bytesOf(lanes int64) func(lane, value int64) (from, element int64) {
	type place struct{ lane, value int64 }
	sources := map[place]place{}
	for group := int64(0); group < lanes; group += 4 {
		for b := range int64(8) {
			for i := range int64(4) {
				to := place{group/16*16 + group/4%2*8 + b, group%16/8*4 + i}
				sources[to] = place{group + i, b}
			}
		}
	}
	return func(lane, value int64) (int64, int64) {
		s := sources[place{lane, value}]
		return s.lane, s.value
	}
}

// An operand of MFMA whose other mode is contiguous in LDS is read by the transposed read of its machine, and by no
// instruction of NVIDIA.
func TestTransposedFit(t *testing.T) {
	t.Parallel()
	m := mustTiledMMA(t, "v_mfma_f32_16x16x32_f16", "(1,1,1)", nil)
	for _, c := range []struct {
		memory, fits string
	}{
		{"(16,32):(1,16)", "ds_read_b64_tr_b16"}, // M contiguous
		{"(16,32):(32,1)", "UniversalCopy<uint128_t>"},
	} {
		r, err := NewCopyRequest(m, OperandA, cute.MustParse(c.memory), dtype.F16)
		if err != nil || r.Arch != "gfx950" {
			t.Fatal(err, r.Arch)
		}
		fits, err := CopiesFor(r)
		if err != nil || fits[0].Copy.Name != c.fits || !fits[0].Fits {
			t.Errorf("%s: %+v, %v", c.memory, fits[0], err)
		}
		for _, f := range fits {
			if f.Copy.Kind != UniversalCopy && f.Copy.Arch != "gfx950" && f.Fits {
				t.Errorf("%s fits an operand of %s", f.Copy.Name, r.Arch)
			}
		}
	}
	read, err := FindCopy("ds_read_tr8_b64")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewCopyRequest(m, OperandA, cute.MustParse("(16,32):(1,16)"), dtype.F16)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := read.Fit(r); err != nil || f.Fits || f.Reason != "Lanes exchange elements that are narrower than 16 bits." {
		t.Errorf("%+v, %v", f, err)
	}
}
