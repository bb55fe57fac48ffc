package view

import (
	"testing"

	"girih/cute"
	"girih/tensormap"
)

// The chunks of a tile are where the swizzle puts them; chunks outside the tensor are empty on the left only.
func TestTMA(t *testing.T) {
	t.Parallel()
	m := tensormap.Map{
		Type: tensormap.Float16, Dims: []int64{104, 6}, Strides: []int64{208}, Box: []int64{64, 8},
		Swizzle: tensormap.Swizzle128B,
	}
	v := tmaView{theme: Options{}.theme(), rows: map[string]int{}, fill: "0"}
	for i, x := range []int64{0, 64} {
		landings, err := m.Landings(tensormap.Start{Coord: []int64{x, 0}})
		if err != nil {
			t.Fatal(err)
		}
		n := int64(0)
		for l := range landings {
			if n%8 == 0 {
				v.add(i, m, l, int64(i)*8192+l.Shared)
			}
			n++
		}
	}
	tensor, shared := v.tensor(m), v.sharedGrid()
	if tensor.rows != 8 || tensor.cols != 16 || shared.rows != 16 || len(tensor.focuses) != 2 {
		t.Fatalf("%d by %d in the tensor, %d lines of shared memory, %d boxes", tensor.rows, tensor.cols, shared.rows,
			len(tensor.focuses))
	}
	for i, c := range v.chunks {
		left, right := tensor.cells[i], shared.cells[i]
		inside := c.row < 6 && c.col < 13
		line := c.row + c.col/8*8
		if right.row != line || right.col != c.col%8^c.row || (left.mark == 0) != inside || (right.text == "0") == inside {
			t.Errorf("chunk %d of row %d: %+v, %+v", c.col, c.row, left, right)
		}
	}
}

// Invalid maps and tiles that are too large are refused.
func TestTMARefuses(t *testing.T) {
	t.Parallel()
	m := tensormap.Map{
		Type: tensormap.UInt8, Dims: []int64{256, 256, 256}, Strides: []int64{256, 65536},
		Box: []int64{256, 256, 256},
	}
	at := []tensormap.Instruction{{Coord: []int64{0, 0, 0}}}
	if _, err := TMA(TMATile{Map: m, Issue: at}, Options{}); err == nil || err.(*cute.Error).Code != cute.CodeLimit {
		t.Errorf("a large tile: %v", err)
	}
	m.Box[0] = 8
	if _, err := TMA(TMATile{Map: m, Issue: at}, Options{}); err == nil ||
		err.(*cute.Error).Code != cute.CodeNotDivisible {
		t.Errorf("an illegal map: %v", err)
	}
	if _, err := TMA(TMATile{}, Options{}); err == nil {
		t.Error("no tile is drawn")
	}
}
