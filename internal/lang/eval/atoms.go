package eval

import (
	"girih/atom"
	"girih/cute"
)

// This file defines the methods of instructions and tiled copies: their thread-value layouts, the owners of elements,
// and fragments. The values are in atom_values.go, the methods of tiled MMAs in tiled.go, and the partitions in
// thread_slice.go.

func findMMA(c *call) (Value, error) {
	m, err := c.mmaAtom(0)
	return MMAAtom{m}, err
}

func findCopyAtom(c *call) (Value, error) {
	name, err := c.name(0)
	if err != nil {
		return nil, err
	}
	of, err := c.name(1)
	if err != nil {
		return nil, err
	}
	a, err := atom.FindCopyAtom(name, of)
	return CopyAtom{a}, err
}

func getThrID(c *call) (Value, error) {
	switch a := c.args[0].(type) {
	case CopyAtom:
		return Layout{a.ThrID}, nil
	case TiledCopy:
		return Layout{a.Atom().ThrID}, nil
	}
	m, err := c.mmaAtom(0)
	return Layout{m.ThrID}, err
}

func getShapeMNK(c *call) (Value, error) {
	m, err := c.mmaAtom(0)
	return Tuple{cute.Ints(m.Shape[:]...)}, err
}

func makeTiledCopyTV(c *call) (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	tv, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	t, err := c.tiler(2)
	if err != nil {
		return nil, err
	}
	r, err := atom.MakeTiledCopyTV(a, tv, t)
	return TiledCopy{r}, err
}

// retileRow returns the row of retile_S and retile_D.
//
//go:noinline
func retileRow(side byte, output string) Builtin {
	name := "retile_" + string(side)
	return Builtin{
		Name: name, Params: "thr, fragment",
		Doc: "Returns a fragment in the form in which a tiled copy, or one thread of it, addresses it as " + string(side) + ": retile(x, " +
			string(side) + ", fragment).",
		Example: name + `(tiled_copy(copy_atom("UniversalCopy<float>", "float"), (32,8), (4,1)), (4,2,2):(1,4,8))`,
		Output:  output,
		known: func(c *call) (Value, error) {
			x := c.args[0]
			if s, ok := x.(ThrSlice); ok {
				x = s.of // the result is the same for all threads
			}
			of := *c
			of.args = []Value{x, Names{string(side)}, c.args[1]}
			return of.retile()
		},
	}
}

// tvRow returns the row of get_layoutA_TV or of a similar method of a C++ TiledMMA.
//
//go:noinline
func tvRow(operand byte, mma, output string) Builtin {
	name := "get_layout" + string(operand) + "_TV"
	return Builtin{
		Name: name, Params: "mma", Aliases: []string{"tv_layout_" + string(operand) + "_tiled"},
		Doc: "Returns the layout (thread,value) -> index of operand " + string(operand) + " of a tiled MMA: tv(mma, " +
			string(operand) + ").",
		Example: name + "(tiled_mma(" + mma + "))", Output: output,
		known: func(c *call) (Value, error) {
			of := *c
			of.args = append(c.args[:1:1], Names{string(operand)})
			return of.tv()
		},
	}
}

func (c *call) tv() (Value, error) {
	if m, ok := c.args[0].(TiledMMA); ok {
		o, err := c.operandName(1, "ABC")
		if err != nil {
			return nil, err
		}
		l, err := m.LayoutTV(operands[o])
		return Layout{l}, err
	}
	if t, ok := c.args[0].(TiledCopy); ok {
		o, err := c.operandName(1, "SD")
		if err != nil {
			return nil, err
		}
		if o == 'S' {
			return Layout{t.LayoutSrcTV()}, nil
		}
		return Layout{t.LayoutDstTV()}, nil
	}
	if a, ok := c.args[0].(CopyAtom); ok {
		o, err := c.operandName(1, "SDR")
		return Layout{a.side(o)}, err
	}
	m, err := c.mmaAtom(0)
	if err != nil {
		return nil, err
	}
	o, err := c.operandName(1, "ABC")
	return Layout{m.TV(operands[o])}, err
}

func (c *call) owners() (Value, error) {
	o, err := c.operandName(1, "ABC")
	if err != nil {
		return nil, err
	}
	t, err := c.tuple(2)
	if err != nil {
		return nil, err
	}
	xs := t.Leaves()
	if len(xs) != 2 || t.Depth() != 1 {
		return nil, c.bad(2, "a coordinate of two modes")
	}
	var holders []atom.Holder
	if m, ok := c.args[0].(TiledMMA); ok {
		s := m.TileShape()
		shape := map[byte]cute.Tuple{'A': cute.Ints(s[0], s[2]), 'B': cute.Ints(s[1], s[2]), 'C': cute.Ints(s[0], s[1])}[o]
		holders, err = m.Owners(operands[o], shape, xs[0], xs[1])
	} else {
		var a atom.MMA
		if a, err = c.mmaAtom(0); err == nil {
			holders, err = a.Owners(operands[o], atom.Place{Row: xs[0], Column: xs[1]})
			for i := range holders {
				holders[i].Thread = a.Lane(holders[i].Thread)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	out := List{}
	for _, h := range holders {
		out = append(out, Tuple{cute.Ints(h.Thread, h.Value)})
	}
	return out, nil
}

func (c *call) tiledCopy() (Value, error) {
	a, err := c.copyAtom(0)
	if err != nil {
		return nil, err
	}
	thr, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	if v, err := c.dslTiledCopy(thr); v != nil || err != nil {
		return v, err
	}
	val, err := cute.New(cute.Int(1), cute.Int(0))
	if err == nil && len(c.args) > 2 {
		val, err = c.layout(2)
	}
	if err != nil {
		return nil, err
	}
	t, err := atom.MakeTiledCopy(a, thr, val)
	return TiledCopy{t}, err
}

// dslTiledCopy returns the tiled copy of make_tiled_copy(atom, layout_tv, tiler_mn), as the CuTe DSL has it: C++ takes
// the layouts of threads and of values there. It is the copy of the DSL if its last operand is a tiler, or a shape of
// as many elements as the layout (thread,value). Otherwise dslTiledCopy returns nil.
func (c *call) dslTiledCopy(tv cute.Layout) (Value, error) {
	if c.written != "make_tiled_copy" || len(c.args) != 3 || tv.Rank() != 2 {
		return nil, nil
	}
	switch t := c.args[2].(type) {
	case Tile:
	case Tuple:
		if n, err := t.Product(); err != nil || n != tv.Size() {
			return nil, nil
		}
	default:
		return nil, nil
	}
	c.env.note("read as make_tiled_copy of the CuTe DSL, of a layout (thread,value) and a tiler; of layouts of threads and of values it is make_tiled_copy_tv")
	return makeTiledCopyTV(c)
}

func (c *call) tileShape() (Value, error) {
	switch x := c.args[0].(type) {
	case TiledCopy:
		return Tuple{x.Shape()}, nil
	case TiledMMA:
		s := x.TileShape()
		return Tuple{cute.Ints(s[:]...)}, nil
	}
	return nil, c.bad(0, "a tiled copy or a tiled MMA")
}

func (c *call) tileSize() (Value, error) {
	v, err := c.tileShape()
	if err != nil {
		return nil, err
	}
	path, err := c.path()
	if err != nil {
		return nil, err
	}
	mode, err := v.(Tuple).Mode(path...)
	if err != nil {
		return nil, err
	}
	return intOf(mode.Product())
}

func (c *call) retile() (Value, error) {
	t, ok := c.args[0].(TiledCopy)
	if !ok {
		return nil, c.bad(0, "a tiled copy")
	}
	o, err := c.operandName(1, "SD")
	if err != nil {
		return nil, err
	}
	l, err := c.layout(2)
	if err != nil {
		return nil, err
	}
	own, err := t.Thread(0)
	if err != nil {
		return nil, err
	}
	r, err := own.RetileD(l)
	if o == 'S' {
		r, err = own.RetileS(l)
	}
	return Layout{r}, err
}
