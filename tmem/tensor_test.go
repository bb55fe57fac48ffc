package tmem_test

import (
	"slices"
	"testing"

	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/lang/triton"
	"girih/tmem"
)

// TestAccumulators compares every accumulator with the figure of the PTX ISA, element by element: no two elements
// share a cell, the tensor has no other cells, and Find is the inverse of Place.
func TestAccumulators(t *testing.T) {
	t.Parallel()
	for _, f := range figures() {
		ns := f.extents()
		if len(ns) == 0 {
			t.Fatalf("%v: no legal N", f.i)
		}
		for k, n := range ns {
			if long.Skips(k, 7) && k != len(ns)-1 {
				continue
			}
			checkAccumulator(t, f, n)
		}
	}
}

func checkAccumulator(t *testing.T, f figure, n int64) {
	t.Helper()
	if d := must(tmem.DataPathOf(f.of(n))); d.String() != f.path {
		t.Errorf("M %d, N %d: data path %v, want %s", f.i.M, n, d, f.path)
	}
	d := must(tmem.Accumulator(f.of(n)))
	seen := map[cell]bool{}
	for m := range f.rows {
		for j := range n {
			lane, column := f.place(m, j, n)
			p := must(d.Place(m, j))
			if p != (tmem.Place{Lane: lane, Column: column}) {
				t.Fatalf("%s: M %d, N %d: (%d,%d) is at %v, want lane %d, column %d", f.path, f.i.M, n, m, j, p, lane, column)
			}
			seen[cell{lane, column}] = true
		}
	}
	if int64(len(seen)) != f.rows*n || d.Columns()*f.lanes != f.rows*n {
		t.Errorf("%s: %d cells and %d columns for %d elements", f.path, len(seen), d.Columns(), f.rows*n)
	}
	for lane := int64(0); lane < tmem.Lanes; lane += 5 {
		for column := range d.Columns() {
			coord, found, err := d.Find(tmem.Place{Lane: lane, Column: column, Bit: 31})
			if err != nil || found != seen[cell{lane, column}] {
				t.Fatalf("%s: Find of lane %d, column %d: %v, %v", f.path, lane, column, found, err)
			}
			if found && must(d.Place(coord...)) != (tmem.Place{Lane: lane, Column: column}) {
				t.Fatalf("%s: Find of lane %d, column %d is %v", f.path, lane, column, coord)
			}
		}
	}
}

// TestCuTe compares layouts with the fragments of CuTe: cute/atom/mma_traits_sm100_frag.hpp, tmem_frg and
// tmem_frg_ws, as the headers of CUTLASS 4.7 print them on the host.
func TestCuTe(t *testing.T) {
	t.Parallel()
	half := f16(128, 64, 1)
	half.D = dtype.F16
	ws64, ws32 := f16(64, 128, 1), f16(32, 128, 1)
	ws64.WS, ws32.WS = true, true
	f := must(tmem.Accumulator(f16(64, 64, 1)))
	tf32 := descriptor.Instruction{
		Kind: descriptor.KindTF32, A: dtype.TF32, B: dtype.TF32, D: dtype.F32, M: 128, N: 64, Group: 1,
	}
	f8 := descriptor.Instruction{
		Kind: descriptor.KindF8F6F4, A: dtype.E2M1, B: dtype.E4M3, D: dtype.F32, M: 128, N: 64, Group: 1,
	}
	for _, c := range []struct{ what, got, want string }{
		{"128x64 f32", textOf(tmem.Accumulator(f16(128, 64, 1))), "(128,64):(65536,1)"},
		{"128x64 f16", textOf(tmem.Accumulator(half)), "(128,64):(131072,2)"},
		{"64x64", text(f.Layout()), "((16,4),64):((65536,2097152),1)"},
		{"64x64, two by two", textOf(f.Tile(2, 2)), "(((16,4),64),2,2):(((65536,2097152),1),1048576,64)"},
		{"64x64, not interleaved", textOf(f.TileColumns(2, 2)), "(((16,4),64),2,2):(((65536,2097152),1),64,128)"},
		{"2SM 128x64", textOf(tmem.Accumulator(f16(128, 64, 2))), "(64,(32,2)):(65536,(1,4194304))"},
		{"2SM 256x64", textOf(tmem.Accumulator(f16(256, 64, 2))), "(128,64):(65536,1)"},
		{"ws 64x128", textOf(tmem.Accumulator(ws64)), "(64,(64,2)):(65536,(1,4194304))"},
		{"ws 32x128", textOf(tmem.Accumulator(ws32)), "(32,(32,4)):(65536,(1,2097152))"},
		{"A 128x16 f16", textOf(tmem.OperandA(f16(128, 64, 1), 16)), "(128,16):(131072,1)"},
		{"A 64x16 f16", textOf(tmem.OperandA(f16(64, 64, 1), 16)), "((16,4),16):((131072,4194304),1)"},
		{"A 2SM 128x16 f16, duplicated", textOf(tmem.OperandA(f16(128, 64, 2), 16)), "(128,16):(131072,1)"},
		{"A tf32", textOf(tmem.OperandA(tf32, 8)), "(128,8):(65536,1)"},
		{"A e2m1 of f8f6f4", textOf(tmem.OperandA(f8, 32)), "(128,32):(262144,1)"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
}

// TestTriton compares accumulators with Triton's TensorMemoryLayout, which is written independently as bases over F2.
func TestTriton(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		i   descriptor.Instruction
		two bool
	}{{f16(128, 64, 1), false}, {f16(64, 32, 1), false}, {f16(128, 128, 2), true}, {f16(256, 16, 2), false}} {
		d := must(tmem.Accumulator(c.i))
		rows := c.i.M / int64(c.i.CTAs())
		l := must((&triton.TensorMemory{BlockM: rows, BlockN: c.i.N, ColStride: 1, TwoCTAs: c.two}).Layout(rows, c.i.N))
		cells := 0
		for row := range int64(1) << len(l.Bases()[0].Bases) {
			for col := range int64(1) << len(l.Bases()[1].Bases) {
				out := must(l.At(row, col, 0))
				if must(d.Place(out...)) == (tmem.Place{Lane: row, Column: col}) {
					cells++
				}
			}
		}
		if int64(cells) != rows*c.i.N {
			t.Errorf("%v: %d of %d elements are where Triton has them", c.i, cells, rows*c.i.N)
		}
	}
}

func TestTensor(t *testing.T) {
	t.Parallel()
	f := must(tmem.Accumulator(f16(64, 32, 1)))
	upper := must(f.Move(must(tmem.NewAddress(16, 480))))
	if p := must(upper.Place(63, 31)); p != (tmem.Place{Lane: 127, Column: 511}) {
		t.Errorf("the last element is at %v", p)
	}
	if f.Halves() != 0b01010101 || upper.Halves() != 0b10101010 || must(f.Tile(2)).Halves() != 0xff {
		t.Errorf("halves %b, %b", f.Halves(), upper.Halves())
	}
	part := must(f.Compose(cute.MakeTile(cute.MustParseTiler("16:1"), cute.MustParseTiler("8:4"))))
	if p := must(part.Place(15, 7)); p != (tmem.Place{Lane: 15, Column: 28}) {
		t.Errorf("the last element of a part is at %v", p)
	}
	if w := must(tmem.WarpsOf(31, 64)); !slices.Equal(w, []int64{0, 1, 2}) {
		t.Errorf("lanes 31 to 64: warps %v", w)
	}
	if s := text(f.Coordinates()); s != "((16,4),32):((1@0,32@0),32@1)" {
		t.Errorf("coordinates: %s", s)
	}
}

func TestTensorErrors(t *testing.T) {
	t.Parallel()
	f := must(tmem.Accumulator(f16(64, 32, 1)))
	fail := func(what string, code cute.Code, err error) { t.Helper(); wantCode(t, what, err, code) }
	of := func(_ tmem.Tensor, err error) error { return err }
	fail("an N of 24 with two CTAs", cute.CodeExtent, of(tmem.Accumulator(f16(256, 24, 2))))
	fail("no instruction", cute.CodeType, of(tmem.Accumulator(descriptor.Instruction{})))
	fail("no columns left", cute.CodeMode, of(f.Move(must(tmem.NewAddress(0, 481)))))
	fail("no lanes left", cute.CodeMode, of(f.Move(must(tmem.NewAddress(17, 0)))))
	fail("no tiles", cute.CodeExtent, of(f.Tile(0)))
	fail("32 tiles of 32 columns, two in each", "", of(f.Tile(32)))
	fail("an odd number of tiles, two in each", cute.CodeNotRepresentable, of(f.Tile(17)))
	fail("34 tiles", cute.CodeMode, of(f.Tile(34)))
	fail("many tiles", cute.CodeMode, of(f.Tile(1<<20, 1<<20, 1<<20, 1<<20)))
	fail("sparse A", cute.CodeType, of(tmem.OperandA(sparse(f16(128, 64, 2)), 16)))
	fail("an odd k", cute.CodeNotDivisible, of(tmem.OperandA(f16(128, 64, 1), 15)))
	fail("a large k", cute.CodeMode, of(tmem.OperandA(f16(128, 64, 1), 1<<60)))
	fail("no k", cute.CodeExtent, of(tmem.OperandA(f16(128, 64, 1), 0)))
	_, err := f.Place(1, 2, 3)
	fail("three coordinates", cute.CodeRank, err)
	_, err = f.Place(64, 0)
	fail("row 64", cute.CodeMode, err)
	_, err = tmem.NewAddress(128, 0)
	fail("lane 128", cute.CodeMode, err)
	_, err = tmem.WarpsOf(5, 4)
	fail("no lanes", cute.CodeMode, err)
	_, found, err := f.Find(tmem.Place{Lane: 16, Bit: -1})
	if found || err != nil {
		t.Errorf("Find outside: %v, %v", found, err)
	}
}

// TestHostile asks zero values, and tilers that leave the tensor or count backwards.
func TestHostile(t *testing.T) {
	t.Parallel()
	d := must(tmem.Accumulator(f16(128, 32, 1)))
	compose := func(a, b string) error {
		_, err := d.Compose(cute.MakeTile(cute.MustParseTiler(a), cute.MustParseTiler(b)))
		return err
	}
	wantCode(t, "a tiler that repeats", compose("1099511627776:0", "8:1"), "")
	wantCode(t, "a long tiler", compose("128:1", "1099511627776:1"), cute.CodeLimit)
	wantCode(t, "a tiler outside", compose("128:1", "1024:1"), cute.CodeMode)
	wantCode(t, "a tiler that counts backwards", compose("8:-1", "8:1"), cute.CodeNegative)
	var zero tmem.Tensor
	for what, f := range map[string]func() error{
		"Layout":      func() error { _, err := zero.Layout(); return err },
		"Coordinates": func() error { _, err := zero.Coordinates(); return err },
		"Move":        func() error { _, err := zero.Move(0); return err },
		"Tile":        func() error { _, err := zero.Tile(2); return err },
		"TileColumns": func() error { _, err := zero.TileColumns(); return err },
		"Place":       func() error { _, err := zero.Place(); return err },
		"Find":        func() error { _, _, err := zero.Find(tmem.Place{}); return err },
		"Owner":       func() error { _, err := tmem.Partition{}.Owner(); return err },
		"Element":     func() error { _, _, err := tmem.Partition{}.Element(tmem.Owner{}); return err },
		"an address":  func() error { _, err := d.Move(1 << 31); return err },
	} {
		wantCode(t, what, f(), cute.CodeMode)
	}
	load := tmem.Access{Shape: "32x32b", Repeat: 1}
	_, err := load.Partition(zero)
	wantCode(t, "Partition", err, cute.CodeNotDivisible)
	_, err = load.TiledCopy(zero)
	wantCode(t, "TiledCopy", err, cute.CodeNotDivisible)
	_, err = zero.Compose(cute.MustParseTiler("8:1"))
	if err == nil {
		t.Error("the zero Tensor composes")
	}
}

func sparse(i descriptor.Instruction) descriptor.Instruction {
	i.Sparse = true
	return i
}
