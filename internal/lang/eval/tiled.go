package eval

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
)

// This file has the methods of tiled MMAs, and of tiled copies that are made for their operands.

func getThrLayout(c *call) (Value, error) {
	m, ok := c.args[0].(TiledMMA)
	if !ok {
		return nil, c.bad(0, "a tiled MMA")
	}
	return Layout{m.ThrLayoutVMNK()}, nil
}

func partitionShape(c *call) (Value, error) {
	if _, ok := c.args[0].(TiledMMA); !ok {
		return nil, c.bad(0, "a tiled MMA")
	}
	o, err := c.operandName(1, "ABC")
	if err != nil {
		return nil, err
	}
	s, err := c.shape(2)
	if err != nil {
		return nil, err
	}
	return c.partitionShapeOf(o, s)
}

func makeCotiledCopy(c *call) (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	addresses, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	data, err := c.layout(2)
	if err != nil {
		return nil, err
	}
	t, err := atom.MakeCotiledCopy(a, addresses, data)
	return TiledCopy{t}, err
}

func makeTiledCopyCAtom(c *call) (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	m, ok := c.args[1].(TiledMMA)
	if !ok {
		return nil, c.bad(1, "a tiled MMA")
	}
	t, err := atom.MakeTiledCopyCAtom(a, m.TiledMMA)
	return TiledCopy{t}, err
}

// copyLikeRow returns the row of make_tiled_copy_A or a similar function: tiled_copy_like with the operand in its name.
//
//go:noinline
func copyLikeRow(operand byte, like, output string) Builtin {
	name := "make_tiled_copy_" + string(operand)
	x, op := `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`, `"SM75_U32x4_LDSM_N", "half_t"`
	switch {
	case like == "copy":
		x, op = `tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8))`, `"UniversalCopy<uint64_t>", "half_t"`
	case operand == 'B':
		op = `"SM75_U32x2_LDSM_N", "half_t"`
	case operand == 'C':
		op = `"UniversalCopy<uint64_t>", "float"`
	}
	return Builtin{
		Name: name, Params: "atom, " + like,
		Doc: "Returns tiled_copy_like(atom, x, " + string(operand) + "): the tiled copy whose threads have the same elements as the " +
			"threads of " + like + ".",
		Example: "tv(" + name + "(copy_atom(" + op + "), " + x + "), S)", Output: output,
		known: func(c *call) (Value, error) {
			of := *c
			of.args = append(slices.Clip(c.args), Names{string(operand)})
			return of.tiledCopyLike()
		},
	}
}

// fits checks every address that the instruction of a tiled copy uses.
func (c *call) fits() (Value, error) {
	x, ok := c.args[0].(TiledCopy)
	if !ok {
		return nil, c.bad(0, "a tiled copy")
	}
	var memory cute.Inner
	if l, ok := c.args[1].(Composed); ok {
		memory = l.Composed
	} else {
		l, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		memory = l
	}
	a := x.Atom()
	way := atom.SharedToRegisters
	switch {
	case a.Copy.To.Space == atom.SharedMemory && a.Copy.From.Space == atom.GlobalMemory:
		way = atom.GlobalToShared
	case a.Copy.To.Space == atom.SharedMemory:
		way = atom.RegistersToShared
	}
	f, err := a.Copy.Fit(atom.CopyRequest{
		Memory: memory,
		Type:   a.Type, LayoutTV: x.LayoutTV(), Tile: x.Tiler(), Direction: way,
	})
	if err != nil {
		return nil, err
	}
	if !f.Fits {
		c.env.note("%s", f.Reason)
	}
	return Bool(f.Fits), nil
}

// threadsOf returns the number of threads of a tiled MMA or copy, which CuTe calls its size.
func threadsOf(v Value) (int64, bool) {
	switch x := v.(type) {
	case TiledMMA:
		return x.Size(), true
	case TiledCopy:
		return x.Size(), true
	}
	return 0, false
}

func (c *call) tiledMMA() (Value, error) {
	a, err := c.mmaAtom(0)
	if err != nil {
		return nil, err
	}
	var atoms cute.Layout
	if len(c.args) > 1 {
		if atoms, err = c.layout(1); err != nil {
			return nil, err
		}
	}
	var perm cute.Tiler = cute.Keep
	if len(c.args) > 2 {
		if perm, err = c.tiler(2); err != nil {
			return nil, err
		}
	}
	m, err := atom.MakeTiledMMA(a, atoms, perm)
	if err != nil {
		return nil, err
	}
	for _, n := range m.Notes() {
		c.env.note("%s", n)
	}
	return TiledMMA{m}, nil
}

func (c *call) thrfrg() (Value, error) {
	o, err := c.tiledOperand(1)
	if err != nil {
		return nil, err
	}
	return c.thrfrgOf(o, 2)
}

// tiledOperand returns argument i as an operand of argument 0: A, B or C of a tiled MMA, S or D of a tiled copy.
func (c *call) tiledOperand(i int) (byte, error) {
	switch c.args[0].(type) {
	case TiledMMA:
		return c.operandName(i, "ABC")
	case TiledCopy:
		return c.operandName(i, "SD")
	}
	return 0, c.bad(0, "a tiled copy or a tiled MMA")
}

// thrfrgOf returns argument i, a layout or a tensor, as the threads and values of an operand.
func (c *call) thrfrgOf(operand byte, i int) (Value, error) {
	switch x := c.args[0].(type) {
	case TiledMMA:
		if o, ok := operands[operand]; ok {
			return c.domain(i, func(l cute.Layout) (cute.Layout, error) { return x.Thrfrg(o, l) })
		}
		return nil, c.bad(0, "a tiled copy")
	case TiledCopy:
		switch operand {
		case 'S':
			return c.domain(i, x.ThrfrgS)
		case 'D':
			return c.domain(i, x.ThrfrgD)
		}
	}
	return nil, c.bad(0, "a tiled MMA")
}

func (c *call) partition() (Value, error) {
	thread, err := c.integer(3)
	if err != nil {
		return nil, err
	}
	o, err := c.tiledOperand(1)
	if err != nil {
		return nil, err
	}
	own, err := partitionerOf(c.args[0], o, thread)
	if err != nil {
		return nil, err
	}
	return c.partitionBy(own, 2)
}

func (c *call) findPermutation() (Value, error) {
	m, ok := c.args[0].(TiledMMA)
	if !ok {
		return nil, c.bad(0, "a tiled MMA")
	}
	o, err := c.operandName(1, "ABC")
	if err != nil {
		return nil, err
	}
	mode, err := c.operandName(2, "MNK")
	if err != nil {
		return nil, err
	}
	run, err := c.integer(3)
	if err != nil {
		return nil, err
	}
	t, err := atom.FindPermutation(m.TiledMMA, operands[o], map[byte]int{'M': 0, 'N': 1, 'K': 2}[mode], run)
	return Tile{t}, err
}

func (c *call) tiledCopyLike() (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	switch x := c.args[1].(type) {
	case TiledCopy:
		o, err := c.operandName(2, "SD")
		if err != nil {
			return nil, err
		}
		t, err := atom.MakeTiledCopyS(a, x.TiledCopy)
		if o == 'D' {
			t, err = atom.MakeTiledCopyD(a, x.TiledCopy)
		}
		return TiledCopy{t}, err
	case TiledMMA:
		o, err := c.operandName(2, "ABC")
		if err != nil {
			return nil, err
		}
		tv, err := x.LayoutTV(operands[o])
		if err != nil {
			return nil, err
		}
		s := x.TileShape()
		shape := map[byte]cute.Tuple{'A': cute.Ints(s[0], s[2]), 'B': cute.Ints(s[1], s[2]), 'C': cute.Ints(s[0], s[1])}[o]
		t, err := atom.MakeTiledCopyTV(a, tv, shape)
		return TiledCopy{t}, err
	}
	return nil, &cute.Error{
		Code: cute.CodeType, Op: c.fn.Name,
		Msg: fmt.Sprintf("expected a tiled MMA or a tiled copy, found %v", c.args[1]),
	}
}
