package convert

import (
	"errors"
	"testing"

	"girih/cute"
	"girih/linear"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	outs := []linear.Dim{{Name: "dim0", Size: 4}}
	in := func(name string, bases ...int64) linear.In {
		d := linear.In{Name: name}
		for _, b := range bases {
			d.Bases = append(d.Bases, []int64{b})
		}
		return d
	}
	good := must(linear.New([]linear.In{in("register", 1), in("lane", 2)}, outs))
	swapped := must(linear.New([]linear.In{in("register", 2), in("lane", 1)}, outs))
	plan := func(src, dst linear.Layout, bits, banks int) func() error {
		return func() error { _, err := New(src, dst, bits, banks); return err }
	}
	tiles := func(mem Memory) func() error {
		return func() error { _, err := OptimalSwizzleTiles(good, swapped, mem); return err }
	}
	blocks := func(b, r int64) linear.Layout {
		return must(linear.New([]linear.In{in("register", r), in("block", b)}, outs))
	}
	for name, c := range map[string]struct {
		f    func() error
		want cute.Code
	}{
		"dimension":    {plan(good, must(good.RenameIn("lane", "thread")), 32, 32), cute.CodeName},
		"order":        {plan(good, must(good.TransposeIns("lane", "register")), 32, 32), cute.CodeName},
		"tensor":       {plan(good, must(good.RenameOut("dim0", "x")), 32, 32), cute.CodeNotCongruent},
		"lanes":        {plan(good, must(linear.New([]linear.In{in("register", 1, 2), in("lane")}, outs)), 32, 32), cute.CodeNotCongruent},
		"missing":      {plan(good, must(linear.New([]linear.In{in("register", 1), in("lane", 0)}, outs)), 32, 32), cute.CodeNotInvertible},
		"origin":       {plan(good, must(good.WithOrigin(1)), 32, 32), cute.CodeType},
		"element":      {plan(good, good, 24, 32), cute.CodeExtent},
		"no element":   {plan(good, good, 0, 32), cute.CodeExtent},
		"banks":        {plan(good, good, 32, 33), cute.CodeExtent},
		"registers":    {plan(must(linear.New([]linear.In{in("register", make([]int64, 17)...), in("lane", 1, 2)}, outs)), good, 32, 32), cute.CodeLimit},
		"places":       {plan(must(linear.New([]linear.In{in("register", 1, 2), in("lane", make([]int64, 39)...)}, outs)), good, 32, 32), cute.CodeLimit},
		"block":        {func() error { _, err := OptimalSwizzle(blocks(1, 2), blocks(2, 1), 32, 32); return err }, cute.CodeNotRepresentable},
		"lane tile":    {tiles(Memory{ElemBits: 16, Banks: 32, Load: Matrix()}), cute.CodeMode},
		"tile element": {tiles(Memory{ElemBits: 8, Banks: 32, Load: Tile{Transposed: true}}), cute.CodeMode},
		"access":       {func() error { _, err := AccessOf(good, good, Memory{}, Tile{}); return err }, cute.CodeExtent},
		"warp":         {func() error { _, err := NewShuffle(warps(1, 2), warps(2, 1), 32); return err }, cute.CodeNotInvertible},
	} {
		if e, ok := errors.AsType[*cute.Error](c.f()); !ok || e.Code != c.want {
			t.Errorf("%s: %v, want %s", name, e, c.want)
		}
	}
	if p, err := New(blocks(1, 2), blocks(2, 1), 32, 32); err != nil || p.Class != SharedMemory || p.Shared != nil {
		t.Errorf("between blocks: %+v, %v", p, err)
	}
}

// warps is a layout of two bits, one of the warp and one of the register.
func warps(warp, reg int64) linear.Layout {
	return must(linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{reg}}}, {Name: "warp", Bases: [][]int64{{warp}}},
	}, []linear.Dim{{Name: "dim0", Size: 4}}))
}
