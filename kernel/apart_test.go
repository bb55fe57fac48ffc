package kernel_test

import (
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// TestApart checks that an operation leaves the tensor that it is given as it was: both share what they have in common.
func TestApart(t *testing.T) {
	shape := must(cute.Parse("(4,(2,2),8):(1,(4,8),16)"))
	_, err := kernel.Trace("apart", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, shape)
		was, tile := a.String(), []int64{2, 2, 4}
		for name, do := range map[string]func() kernel.Tensor{
			"Assume":      func() kernel.Tensor { return k.Assume(a, 16) },
			"Coalesce":    func() kernel.Tensor { return k.Coalesce(a) },
			"FilterZeros": func() kernel.Tensor { return k.FilterZeros(a) },
			"FlatDivide":  func() kernel.Tensor { return k.FlatDivide(a, cute.Ints(tile...)) },
			"GroupModes":  func() kernel.Tensor { return k.GroupModes(a, 0, 2) },
			"LocalTile":   func() kernel.Tensor { return k.LocalTile(a, tile, kernel.Int(0), k.ThreadIdx().Mod(2), kernel.Open) },
			"SelectModes": func() kernel.Tensor { return k.SelectModes(a, 2, 0) },
			"Slice":       func() kernel.Tensor { return k.Slice(a, kernel.Open, kernel.Int(1), kernel.Int(2)) },
		} {
			do()
			if a.String() != was {
				t.Errorf("%s: %v was %s", name, a, was)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestNumbersAreEqual checks that numbers of one expression are equal, and others are not.
func TestNumbersAreEqual(t *testing.T) {
	_, err := kernel.Trace("equal", 32, func(k *kernel.K) {
		x, n := k.ThreadIdx(), k.Int("n", symbolic.Facts{Min: 1, Max: 9})
		if x.Add(n) != n.Add(x) || x.Add(n) == x || x != k.ThreadIdx() || kernel.Int(3) != kernel.Int(2).Add(kernel.Int(1)) {
			t.Error("numbers of one expression differ, or numbers of two are equal")
		}
	})
	if err != nil {
		t.Error(err)
	}
}
