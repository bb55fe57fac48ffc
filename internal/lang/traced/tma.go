package traced

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has the copies of tiles by the TMA. A kernel divides a tensor of coordinates, as in CuTe, and a copy takes
// the coordinate of the first element of a tile. Package kernel plans the instructions of a tile.

// A tmaCopy is what the kernel has for a make_tma_atom of the host.
type tmaCopy struct {
	plan  *interp.TMAPlan
	whole kernel.Tensor // the tensor in global memory
	tile  kernel.TmaAtom
	ready bool // tile is made, when the tile in shared memory is known
}

// tmaCopyOf returns the copy of the kernel, and makes the tensor in global memory of a new one.
func (t *Tracer) tmaCopyOf(p *interp.TMAPlan) (*tmaCopy, error) {
	if c := t.copies[p]; c != nil {
		return c, nil
	}
	s, ok := interp.StorageOf(p.Global)
	l, isLayout := s.Layout.(cute.Layout)
	if !ok || s.Null || !isLayout || s.Space == atom.SharedMemory {
		return nil, refuse(cute.CodeNotRepresentable, "make it of a pointer to global memory: make_tensor(p, shape, stride)",
			"a copy by the TMA of this tensor is not followed")
	}
	if t.usedByTMA(s.ID) {
		return nil, refuse(cute.CodeNotRepresentable, "make one TMA copy for each memory",
			"two TMA copies of one memory are not followed")
	}
	if t.roots[s.ID] != nil {
		return nil, sharedMemory(t.names[s.ID])
	}
	if l.Shape().Depth() > 1 {
		return nil, refuse(cute.CodeNotRepresentable, "give the tensor one extent for each mode",
			"a copy by the TMA of a tensor with nested modes, %v, is not followed", l)
	}
	c := &tmaCopy{plan: p}
	name := t.names[s.ID]
	if name == "" {
		name = fmt.Sprint("global", len(t.roots)+len(t.copies))
		t.names[s.ID] = name
	}
	c.whole = t.k.TmaTensor(name, s.Type, ints(l.Shape().Leaves()), ints(l.Stride().Leaves())...)
	if t.copies == nil {
		t.copies = make(map[*interp.TMAPlan]*tmaCopy)
	}
	t.copies[p] = c
	n := kernel.Must(l.Cosize())
	t.out.Buffers = append(t.out.Buffers, Buffer{
		Name: name, Type: s.Type, Layout: l, Values: s.Values()[s.Start : s.Start+n],
	})
	return c, nil
}

// sharedMemory refuses a memory that threads and the TMA access.
func sharedMemory(name string) error {
	return refuse(cute.CodeNotRepresentable, "access it by the TMA only, or by tensors only",
		"the memory %s is accessed by a TMA copy and by a tensor or a pointer, which is not followed", name)
}

// usedByTMA reports whether a TMA copy accesses a memory.
func (t *Tracer) usedByTMA(id any) bool {
	for p := range t.copies {
		if s, _ := interp.StorageOf(p.Global); s.ID == id {
			return true
		}
	}
	return false
}

func ints(list []int64) []kernel.Index {
	out := make([]kernel.Index, len(list))
	for i, n := range list {
		out[i] = kernel.Int(n)
	}
	return out
}

// tmaTensor implements tma.get_tma_tensor(shape).
func (t *Tracer) tmaTensor(c *interp.TracedCall) (interp.Value, error) {
	tma, ok := c.Args[0].(*interp.TMA)
	if !ok {
		return nil, unknown(c)
	}
	if _, err := t.tmaCopyOf(tma.TMAPlan); err != nil {
		return nil, err
	}
	return c.Run(c.Args)
}

// dropUnused drops the memories of TMA copies that the kernel does not use.
func (t *Tracer) dropUnused() {
	for p, c := range t.copies {
		if !c.ready {
			s, _ := interp.StorageOf(p.Global)
			name := t.names[s.ID]
			t.out.Buffers = slices.DeleteFunc(t.out.Buffers, func(b Buffer) bool { return b.Name == name })
		}
	}
}

// tmaPartition implements tma_partition(tma, part, layout, shared, coordinates). Mode 0 of both tensors is the tile. In
// CuTe its elements are in the order of the instructions, so single elements are not followed.
func (t *Tracer) tmaPartition(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 5 && len(c.Args) != 3 {
		return nil, unknown(c)
	}
	tma, ok := c.Args[0].(*interp.TMA)
	if !ok {
		return nil, unknown(c)
	}
	part, err := partOf(c, tma.Multicast)
	if err != nil {
		return nil, err
	}
	s, okS := t.of(c.Args[len(c.Args)-2])
	g, okG := t.of(c.Args[len(c.Args)-1])
	if !okS || !okG || s.space != atom.SharedMemory || g.axes == nil {
		return nil, unknown(c)
	}
	out := make(interp.Tuple, 2)
	for i, of := range []*tensor{g, s} {
		own := *of
		own.tile = &part
		shadow, _ := interp.ShadowOf(c.Args[len(c.Args)-1-i])
		out[i] = &interp.Traced{Of: &own, Shadow: shadow}
	}
	return out, nil
}

// partOf returns the part of a tile that a block copies: the second argument of tma_partition, under the layout of the
// blocks that share the tile.
func partOf(c *interp.TracedCall, blocks int64) (kernel.Index, error) {
	if len(c.Args) == 3 {
		return kernel.Int(0), nil
	}
	i, isIndex := indexOf(c.Args[1])
	l, isLayout := valueOf(c.Args[2]).(eval.Layout)
	n, known := i.Int64()
	same := isLayout && l.Size() == blocks
	same = same && (blocks == 1 || cute.Coalesce(l.Layout).String() == fmt.Sprintf("%d:1", blocks))
	if !isIndex || !same || blocks == 1 && !(known && n == 0) {
		return i.Index, refuse(cute.CodeNotRepresentable,
			"give the number of the block among those that share the tile, and their layout: 0 and Layout<_1> for one block",
			"tma_partition with this part of a tile that %d blocks share is not followed", blocks)
	}
	return i.Index, nil
}

// questions returns what runs operations on a tensor whose modes are not the modes of the program's value, or nil.
func (of *tensor) questions() function {
	switch {
	case of == nil:
	case of.isDescriptors():
		return (*Tracer).askDescriptors
	case of.tile != nil:
		return (*Tracer).askTile
	}
	return nil
}

// askTile runs an operation on a tensor of tma_partition.
func (t *Tracer) askTile(c *interp.TracedCall) (interp.Value, error) {
	if c.Name == "rank" || c.Name == "size" {
		return shadow(c)
	}
	return nil, refuse(cute.CodeNotRepresentable, "slice it as tAgA(_,k), and ask size<1>(tAgA)",
		"%s of what tma_partition returns is not followed", c.Name)
}

// copyTMA implements copy(tma.with(barrier), src, dst), and copy(tma, src, dst) of a store.
func (t *Tracer) copyTMA(c *interp.TracedCall, tma *interp.TMA) (interp.Value, error) {
	if len(c.Args) != 3 || len(c.Keys) > 0 {
		return nil, unknown(c)
	}
	g, okG := t.of(c.Args[1])
	s, okS := t.of(c.Args[2])
	if !loads[tma.Op] {
		g, s = s, g
	}
	if !okG || !okS || g.axes == nil || s.space != atom.SharedMemory || g.tile == nil || s.tile == nil {
		return nil, refuse(cute.CodeNotRepresentable, "copy slices of what tma_partition returns: tAgA(_,k) and tAsA(_,pipe)",
			"%s between these tensors is not followed", tma.Op)
	}
	own, err := t.tmaCopyOf(tma.TMAPlan)
	if err != nil {
		return nil, err
	}
	stage, err := stageOf(t.k, own, s)
	if err != nil {
		return nil, err
	}
	from, err := t.tileAt(own, g)
	if err != nil {
		return nil, err
	}
	if !own.ready {
		own.ready, own.tile = true, t.k.MakeTmaAtom(own.whole, stage, tma.Tile, tma.Multicast)
	}
	return interp.None{}, t.issue(own.tile, tma, *g.tile, [2]kernel.Tensor{from, stage})
}

// issue copies a tile between global and shared memory.
func (t *Tracer) issue(by kernel.TmaAtom, tma *interp.TMA, part kernel.Index, of [2]kernel.Tensor) error {
	by, err := t.withBarrier(by, tma)
	if err != nil {
		return err
	}
	g, s := t.k.TmaPartition(by, part, of[1], of[0])
	if loads[tma.Op] {
		t.k.CopyTma(by, g, s)
	} else {
		t.k.CopyTma(by, s, g)
	}
	return nil
}

// loads says which operations copy to shared memory.
var loads = map[string]bool{
	"SM90_TMA_LOAD": true, "SM90_TMA_LOAD_MULTICAST": true,
	"SM100_TMA_2SM_LOAD": true, "SM100_TMA_2SM_LOAD_MULTICAST": true,
}

// withBarrier returns a copy with its barrier, and the blocks that it writes to. A store is returned unchanged.
func (t *Tracer) withBarrier(by kernel.TmaAtom, tma *interp.TMA) (kernel.TmaAtom, error) {
	if !loads[tma.Op] {
		return by, nil
	}
	if tma.Barrier == nil {
		return by, refuse(cute.CodeMode, "write copy(tma.with(barrier), src, dst)", "a load by the TMA needs a barrier")
	}
	b, err := t.barrierAt(tma.Barrier)
	if err != nil {
		return by, err
	}
	if strings.HasPrefix(tma.Op, "SM100_TMA_2SM_") {
		b = b.PairLeader()
	}
	if tma.Mask == nil || !strings.HasSuffix(tma.Op, "_MULTICAST") {
		return by.With(b), nil
	}
	mask, err := maskOf(tma.Mask)
	if err != nil {
		return by, err
	}
	return by.WithMask(b, mask), nil
}

// tileOf returns the layout of a tile in shared memory with the modes of the tile. The layout for tcgen05,
// ((MMA_M,MMA_K),M,K), is the same function of the index.
func (c *tmaCopy) tileOf() (cute.Layout, error) {
	l := c.plan.Stage.Layout()
	if l.Rank() == len(c.plan.Tile) {
		return l, nil
	}
	tile, err := cute.LayoutLeft(cute.Ints(c.plan.Tile...))
	if err != nil {
		return l, err
	}
	return cute.Composition(l, tile)
}

// maskOf returns a mask of blocks.
func maskOf(v interp.Value) (kernel.Index, error) {
	i, ok := indexOf(v)
	if !ok {
		return i.Index, refuse(cute.CodeNotRepresentable, "compute it by create_tma_multicast_mask and |",
			"this mask is not followed")
	}
	return i.Index, nil
}

// stageOf returns a tile of shared memory with the modes of the copy.
func stageOf(k *kernel.K, c *tmaCopy, s *tensor) (kernel.Tensor, error) {
	l := c.plan.Stage.Layout()
	same, err := sameOffsets(s.t.Layout(), l)
	if err != nil {
		return kernel.Tensor{}, err
	}
	own := s.t.Layout().Composed()
	if whole, isComposed := s.storage.Layout.(cute.Composed); isComposed {
		inner := own.Layout()
		own = kernel.Must(whole.Map(func(cute.Layout) (cute.Layout, error) { return inner, nil }))
	}
	as := kernel.Must(own.Map(func(cute.Layout) (cute.Layout, error) { return l, nil }))
	if !same || !as.Equal(c.plan.Stage) {
		return kernel.Tensor{}, refuse(cute.CodeNotRepresentable, "give make_tma_atom the layout of one stage: sA(_,_,0)",
			"expected a tile of shared memory with the layout of the TMA copy, %v, found %v", c.plan.Stage, own)
	}
	tile, err := c.tileOf()
	return k.View(s.t, kernel.Int(0), tile), err
}

// tileAt returns the tile of the tensor in global memory whose first element has the first coordinate of g.
func (t *Tracer) tileAt(c *tmaCopy, g *tensor) (kernel.Tensor, error) {
	n := len(c.plan.Tile)
	digit := make([]int64, n) // of each mode of the tensor
	stride := make([]cute.Tuple, n)
	for i, d := range c.plan.Coordinates.Stride().Modes() {
		terms := 0
		d.Terms(func(x int64, path []int) { terms, digit[i] = terms+int(x), g.axes.axis(path) })
		if terms != 1 {
			return kernel.Tensor{}, refuse(cute.CodeNotRepresentable, "give each mode of the tensor one extent and one stride",
				"a TMA copy whose coordinates are %v is not followed", c.plan.Coordinates)
		}
		stride[i] = cute.Int(1 << (digit[i] * g.axes.bits))
	}
	box, err := cute.New(cute.Ints(c.plan.Tile...), kernel.Must(cute.MakeTuple(stride...)))
	if err != nil {
		return kernel.Tensor{}, err
	}
	same, err := sameOffsets(g.t.Layout(), box)
	if err == nil && !same {
		err = refuse(cute.CodeNotRepresentable, "tile get_tma_tensor by the tile that make_tma_atom was given",
			"the tile of coordinates %v is not the tile %v of the TMA copy", g.t.Layout(), c.plan.Tile)
	}
	if err != nil {
		return kernel.Tensor{}, err
	}
	code := t.k.Coord(g.t, kernel.Int(0))[0]
	at := make([]kernel.Index, n)
	for i, d := range digit {
		at[i] = code.Div(1 << (d * g.axes.bits))
		if d+1 < int64(g.axes.origin.LeafCount()) {
			at[i] = at[i].Mod(1 << g.axes.bits)
		}
	}
	return t.k.LocalTile(t.k.DomainOffset(c.whole, at...), c.plan.Tile, ints(make([]int64, n))...), nil
}

// sameOffsets reports whether two layouts are the same function of the index.
func sameOffsets(a, b cute.Layout) (bool, error) {
	x, err := a.AppendOffsets(nil)
	if err != nil {
		return false, err
	}
	y, err := b.AppendOffsets(nil)
	return slices.Equal(x, y), err
}
