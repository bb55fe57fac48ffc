package interp

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/tensormap"
)

// This file has the copies of tiles by NVIDIA's copy engine, the TMA, in C++: make_tma_atom and make_tma_copy on the
// host, and what kernels make of them. A [Tracer] makes the instructions.

// tmaOps lists the operations of the copy engine. The value of SM90_TMA_LOAD{} is the type itself.
var tmaOps = program.Words(`SM90_TMA_LOAD SM90_TMA_LOAD_MULTICAST SM90_TMA_STORE SM100_TMA_2SM_LOAD
	SM100_TMA_2SM_LOAD_MULTICAST`)

// A TMA is a copy of tiles by the copy engine, with the barrier that counts its bytes and the blocks that it writes to.
type TMA struct {
	*TMAPlan
	Barrier Value // the address of an mbarrier; nil without tma.with(barrier)
	Mask    Value // of the blocks; nil if the copy names none
}

// A TMAPlan is what make_tma_atom is given.
type TMAPlan struct {
	Op        string        // such as SM90_TMA_LOAD
	Global    Algebra       // the tensor in global memory
	Stage     cute.Composed // the tile in shared memory
	Tile      []int64       // the extents of the tile
	Multicast int64         // the number of blocks that share a tile
	// Coordinates is the layout from the coordinates of the tensor to the coordinates of an instruction.
	Coordinates cute.Layout
}

// TypeName returns the name of its type in errors.
func (*TMA) TypeName() string { return "TMA copy" }

// IsForeign marks the type.
func (*TMA) IsForeign() {}

func init() {
	memoryRows["make_tma_atom"], memoryRows["make_tma_copy"] = makeTMA, makeTMA
	for _, name := range []string{"make_tma_atom", "make_tma_copy"} {
		memoryRows[name+"_A_sm100"] = makeTMAOf(atom.OperandA)
		memoryRows[name+"_B_sm100"] = makeTMAOf(atom.OperandB)
	}
	memoryRows["tma_partition"] = func(*runner, *arguments, dtype.Type) (Value, error) {
		e := errorf(cute.CodeNotRepresentable, "copies by the TMA are not run thread by thread")
		e.hint = "girih follow makes a kernel of the program, and runs that"
		return nil, e
	}
}

// makeTMA implements make_tma_atom(op, tensor, layout, tile, blocks), and make_tma_copy of the same arguments.
func makeTMA(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	if len(c.pos) < 3 || len(c.pos) > 5 {
		return nil, errNoMemory
	}
	op, ok := c.pos[0].(TypeValue)
	if !ok || !tmaOps[op.Name] {
		return nil, errNoMemory
	}
	g, err := c.storage(1)
	if err != nil {
		return nil, errorf(cute.CodeType, "expected a tensor in global memory, found %s", r.describe(c.pos[1]))
	}
	global, ok := g.view().Layout().(cute.Layout)
	if !ok {
		return nil, errorf(cute.CodeType, "expected a tensor without a swizzle, found %s", r.describe(c.pos[1]))
	}
	of := tensormap.Copy{Global: global, Multicast: 1, Promotion: tensormap.Promotion128B}
	if of.Type, err = tensormap.TypeOf(g.typ); err != nil {
		return nil, err
	}
	stage, err := r.layoutOf(c.pos[2:3])
	if err != nil {
		return nil, err
	}
	switch l := stage.(type) {
	case cute.Layout:
		of.Shared = l.Composed()
	case cute.Composed:
		of.Shared = l
	}
	plan := &TMAPlan{Op: op.Name, Global: g, Stage: of.Shared}
	if plan.Tile, err = r.tileOf(c.pos[2:], of.Shared); err != nil {
		return nil, err
	}
	if len(c.pos) == 5 {
		if of.Multicast, err = r.blocksOf(c.pos[4]); err != nil {
			return nil, err
		}
	}
	of.Tiler, plan.Multicast = cute.Ints(plan.Tile...), of.Multicast
	made, err := tensormap.Make(of)
	if err != nil {
		return nil, err
	}
	plan.Coordinates = made.Coordinates
	return &TMA{TMAPlan: plan}, nil
}

// makeTMAOf returns the implementation of make_tma_atom_A_sm100(op, tensor, layout, tiler, mma, cluster) or of the same
// function for B: the tile is the part of one block, and the blocks along the other mode of the cluster share it.
func makeTMAOf(o atom.Operand) memoryRow {
	return func(r *runner, c *arguments, t dtype.Type) (Value, error) {
		if len(c.pos) != 6 {
			return nil, errNoMemory
		}
		op, _ := c.pos[0].(TypeValue)
		m, _, ok := mmaOf(c.pos[4])
		if !ok {
			return nil, errorf(cute.CodeType, "expected a tiled MMA, found %s", r.describe(c.pos[4]))
		}
		whole, err := r.tileOf(c.pos[2:], cute.Composed{})
		if err != nil {
			return nil, err
		}
		if len(whole) != 3 {
			return nil, errorf(cute.CodeRank, "expected a tiler of (M,N,K), found %s", r.describe(c.pos[3]))
		}
		x, y := o.Axes()
		tile, err := blockTile(m, o, whole[x], whole[y])
		if err != nil {
			return nil, err
		}
		args := []Value{c.pos[0], c.pos[1], c.pos[2], Tuple{Int(tile[0]), Int(tile[1])}}
		if strings.HasSuffix(op.Name, "_MULTICAST") {
			mode := map[atom.Operand]Value{atom.OperandA: Int(2), atom.OperandB: Int(1)}[o] // of (V,M,N,K)
			n, err := r.callValues("size", c.pos[5], mode)
			if err != nil {
				return nil, err
			}
			args = append(args, n)
		}
		return makeTMA(r, &arguments{pos: args}, t)
	}
}

// blockTile returns the rows and columns of the part of one block of a tile of an operand: each block of a pair has
// some of the rows.
func blockTile(m atom.TiledMMA, o atom.Operand, rows, columns int64) ([2]int64, error) {
	whole, err := cute.LayoutLeft(cute.Ints(rows, columns))
	if err != nil {
		return [2]int64{}, err
	}
	first, err := m.Thread(0)
	if err != nil {
		return [2]int64{}, err
	}
	part, _, err := first.Partition(o, whole)
	if err != nil {
		return [2]int64{}, err
	}
	own := part.Size() / columns
	box, err := cute.New(cute.Ints(own, columns), cute.Ints(1, rows))
	if err != nil {
		return [2]int64{}, err
	}
	if same, err := cute.Equivalent(box, part); err != nil || !same {
		return [2]int64{}, errorf(cute.CodeNotRepresentable, "the part %v of a block of %v is no box of %d by %d", part,
			whole, own, columns)
	}
	return [2]int64{own, columns}, nil
}

// tileOf returns the extents of the tile that (layout, tile, ...) states: by default the extents of the layout.
func (r *runner) tileOf(list []Value, stage cute.Composed) ([]int64, error) {
	if len(list) < 2 {
		return stage.Layout().AppendModeSizes(nil), nil
	}
	a, err := r.asAlgebra(list[1])
	if err != nil {
		return nil, err
	}
	t, ok := withNumbers(a).(eval.Tuple)
	if of, isTile := withNumbers(a).(eval.Tile); isTile {
		t.Tuple, ok = extentsOf(of)
	}
	if !ok || t.Depth() > 1 {
		e := errorf(cute.CodeNotRepresentable, "expected the extents of a tile as integers, found %s", r.describe(list[1]))
		e.hint = "write make_shape(Int<128>{}, Int<64>{})"
		return nil, e
	}
	return t.Leaves(), nil
}

// extentsOf returns the extents of a tile of neighbours, such as make_tile(Int<128>{}, Int<64>{}); ok is false for
// other tiles.
func extentsOf(t eval.Tile) (out cute.Tuple, ok bool) {
	var list []int64
	for _, m := range t.Modes() {
		n, isInt := m.(cute.Tuple)
		if l, isLayout := m.(cute.Layout); isLayout && l.Size() > 0 && l.String() == fmt.Sprintf("%d:1", l.Size()) {
			n, isInt = cute.Int(l.Size()), true
		}
		if !isInt || !n.IsInt() {
			return out, false
		}
		size, _ := n.Int64()
		list = append(list, size)
	}
	return cute.Ints(list...), true
}

// blocksOf returns the number of blocks that share a tile: an integer, or the size of a shape or a layout.
func (r *runner) blocksOf(v Value) (int64, error) {
	if n, ok := integerOf(v); ok {
		return n, nil
	}
	v, err := r.callValues("size", v)
	n, ok := integerOf(v)
	if err == nil && !ok {
		err = errorf(cute.CodeType, "expected the number of blocks that share a tile, found %s", r.describe(v))
	}
	return n, err
}

// tmaMethod calls a method of a copy by the TMA.
func (r *runner) tmaMethod(t *TMA, name string, x *program.Call) (Value, error) {
	switch {
	case name == "get_tma_tensor" && len(x.Args) == 1:
		shape, err := r.value(x.Args[0].X)
		if err != nil || !r.traces() {
			return r.tmaTensor(t, shape, err)
		}
		run := func(args []Value) (Value, error) { return r.tmaTensor(t, args[1], nil) }
		return r.tracerCall(tracedCall{name: name, at: x, run: run}, &arguments{pos: []Value{t, shape}})
	case name == "with" && (len(x.Args) == 1 || len(x.Args) == 2):
		own := *t
		var err error
		if own.Barrier, err = r.barrierReference(x.Args[0].X); err != nil {
			return nil, err
		}
		if len(x.Args) == 2 {
			own.Mask, err = r.value(x.Args[1].X)
		}
		return &own, err
	case name == "get_tma_descriptor":
		return None{}, nil // for prefetch_tma_descriptor, which has no effect here
	}
	e := errorf(cute.CodeNotRepresentable, "%s of a copy by the TMA is not followed", name)
	e.hint = "divide by tma_partition(tma, Int<0>{}, Layout<_1>{}, group_modes<0,2>(sA), group_modes<0,2>(gA))"
	return nil, e
}

// tmaTensor implements tma.get_tma_tensor(shape): the tensor of the coordinates of instructions.
func (r *runner) tmaTensor(t *TMA, v Value, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	a, err := r.asAlgebra(v)
	if err != nil {
		return nil, err
	}
	s, ok := withNumbers(a).(eval.Tuple)
	if !ok {
		return nil, errorf(cute.CodeType, "expected a shape with known extents, found %s", r.describe(v))
	}
	l, err := cute.New(s.Tuple, t.Coordinates.Stride())
	if err != nil {
		return nil, err
	}
	return r.coordinatesOn(l, len(t.Tile))
}

// coordinatesOn returns the tensor from (0,0,...) of n coordinates under a layout.
func (r *runner) coordinatesOn(l cute.Layout, n int) (Value, error) {
	const name = " tma"
	r.Env.Bind(name, eval.Layout{Layout: l})
	bound, _ := r.Env.Take(name)
	origin := make(Tuple, n)
	for i := range origin {
		origin[i] = Int(0)
	}
	return r.callValues("make_tensor", origin, Algebra{Result: eval.Result{Value: eval.Layout{Layout: l}}, bound: bound})
}

// isShared reports whether an address is in shared memory.
func isShared(v Value) bool {
	p, ok := v.(Address)
	return ok && p.space == atom.SharedMemory
}

func isTMA(v Value) bool {
	_, ok := v.(*TMA)
	return ok
}
