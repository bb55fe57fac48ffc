package view

import (
	"fmt"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
)

// The label of a block names all threads and values of its elements, and no others.
func TestGroupLabels(t *testing.T) {
	t.Parallel()
	tv, tile := cute.MustParse("((4,8,4),(2,2,16)):((128,1,16),(64,8,512))"), cute.Ints(64, 128)
	h, err := holdersOf(tv, tile)
	if err != nil {
		t.Fatal(err)
	}
	m := newTVLook(h, Options{})
	g := m.grid(h, 0)
	if m.detail != detailGroup || m.rs != 8 || m.cs != 8 || len(g.cells) != 128 {
		t.Fatalf("%d cells of %d by %d", len(g.cells), m.rs, m.cs)
	}
	for _, c := range g.cells {
		var t0, t1, v0, v1 int64
		if n, err := fmt.Sscanf(c.text+" "+c.second, "T%d-%d V%d-%d", &t0, &t1, &v0, &v1); n != 4 {
			t.Fatalf("%s %s: %v", c.text, c.second, err)
		}
		for th := t0; th <= t1; th++ {
			for v := v0; v <= v1; v++ {
				x, err := tv.At(th + 128*v)
				if err != nil {
					t.Fatal(err)
				}
				if row, col := int(x%64), int(x/64); row < c.row || row >= c.row+8 || col < c.col || col >= c.col+8 {
					t.Fatalf("T%d V%d is at (%d,%d), not in the block at (%d,%d)", th, v, row, col, c.row, c.col)
				}
			}
		}
	}
}

// The three panels of a large tile have squares of one size, so each is drawn in blocks, and the page has a viewable
// size.
func TestLargeTiledMMA(t *testing.T) {
	t.Parallel()
	a, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	m, err := atom.MakeTiledMMA(a, cute.MustParse("(2,4,1)"), cute.MustParseTiler("<128,256,16>"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := TiledMMA(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.W > 2500 || s.H > 2500 || !strings.Contains(s.Desc, "C: A cell is a block of 16 by 8 elements: T0-31 V0-3") {
		t.Errorf("%g by %g points: %s", s.W, s.H, s.Desc)
	}
}

// A wavefront of CDNA has 64 threads, so no border of warps divides it. The axes of an operand have names.
func TestOptionsOfOperand(t *testing.T) {
	t.Parallel()
	for name, warp := range map[string]int64{"v_mfma_f32_32x32x8_f16": 64, "SM80_16x8x16_F32F16F16F32_TN": 32} {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		if o := (Options{}).OfOperand(m, atom.OperandB); o.WarpSize != warp || o.axes != [2]string{"N", "K"} {
			t.Errorf("%s: warps of %d, axes %q", name, o.WarpSize, o.axes)
		}
	}
}
