package eval

import (
	"fmt"
	"strings"

	"girih/internal/machine/tile"
	"girih/symbolic"
)

// predicateRows returns the built-ins that compute the predicate of a tile at the edge of a tensor.
func predicateRows() []Builtin {
	return []Builtin{
		{
			Name: "predicate", Params: "x, operand, extents, tile", named: []int{1},
			Doc: "Returns the layout of a thread's predicate tensor for a tile of a tensor with those extents, " +
				"which may be run-time integers: the argument of copy_if and of cute.copy(pred=). It has a truth " +
				"value for each instruction, and stride 0 along the modes on which it does not depend. Refuses if " +
				"one instruction would move elements on both sides of the edge.",
			Example: `predicate(tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8)), S, (M,64), (128,64))`,
			Output:  "(1,4,1):(0,1,0)",
			known:   (*call).predicate, dynamic: (*call).predicate,
		},
	}
}

// predicate is the row's method. The arguments are a tiled copy or a tiled MMA, its operand, the extents of a tensor,
// and the tile.
func (c *call) predicate() (Value, error) {
	o, err := c.tiledOperand(1)
	if err != nil {
		return nil, err
	}
	var part tile.Partition
	switch x := c.args[0].(type) {
	case TiledMMA:
		part = tile.PartitionMMA(x.TiledMMA, operands[o])
	case TiledCopy:
		part = tile.PartitionS(x.TiledCopy)
		if o == 'D' {
			part = tile.PartitionD(x.TiledCopy)
		}
	}
	extents, err := asDynamicTuple(c.args[2])
	if err != nil || extents.HasOpen() {
		return nil, c.bad(2, "the extents of a tensor")
	}
	shape, err := c.tuple(3)
	if err != nil {
		return nil, err
	}
	p, err := tile.NewPredicate(part, extents, shape)
	if err != nil {
		return nil, err
	}
	c.notePredicate(p)
	return simplify(DynamicLayout{symbolic.FromLayout(p.Layout()).If(guardOf(c.args[2]))}, nil)
}

// notePredicate notes which coordinates are compared, and the shape of the data.
func (c *call) notePredicate(p tile.Predicate) {
	if !p.Needed() {
		c.env.note("nothing has to be compared: a plain copy is right")
		return
	}
	var modes []string
	for i, e := range p.Edges() {
		if e.Needed() {
			modes = append(modes, fmt.Sprint(i))
		}
	}
	word := "mode "
	if len(modes) > 1 {
		word = "the modes "
	}
	c.env.note("the coordinates along %s are compared with the extents %v; the part of a thread is %v",
		word+strings.Join(modes, " and "), c.args[2], p.DataShape())
}
