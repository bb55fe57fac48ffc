package gemm

import (
	"girih/cute"
	"girih/internal/ints"
	"girih/kernel"
)

// This file adds what the blocks of a cluster have summed, each over its part of K. Each block writes its sums to a
// workspace in the order of its registers, 16 bytes of each thread after another. The cluster meets, and each block
// adds its part of each thread's sums: in the order of K, so that the result is the same in each run. A cluster runs at
// one time, so no block waits for one that has not started. Blocks that are no cluster count themselves, and the last
// one adds all sums.

// vector is the number of sums that a thread moves at a time: its part of 8 columns of wgmma.
const vector = 4

// declareSplit declares the workspace: sums of (4,threads,vectors of a thread,split,tiles), with a mode L after them if
// there is one. Blocks that are no cluster count themselves in a number after the sums of a tile.
func (h *hopper) declareSplit() {
	c := &h.p.choice
	per, threads, parts := c.Tile[0]*c.Tile[1], 128*c.Warpgroups, c.Split
	if !c.tma() {
		parts++
	}
	shape := kernel.Modes(kernel.Int(vector), kernel.Int(threads), kernel.Int(per/threads/vector), kernel.Int(parts),
		h.count.tiles)
	strides := []kernel.Index{
		kernel.Int(1), kernel.Int(vector), kernel.Int(vector * threads), kernel.Int(per), kernel.Int(c.sums()),
	}
	if h.p.work.l > 0 {
		shape, strides = append(shape, h.l), append(strides, batchStride(h.k, "W", 1))
	}
	h.sums = h.k.Global("W", h.p.work.sums(), shape, strides...)
}

// sums returns how many numbers of the workspace a tile has.
func (c *Choice) sums() int64 {
	n := c.Tile[0] * c.Tile[1] * c.Split
	if !c.tma() {
		n += vector
	}
	return n
}

// part returns vectors of a thread's sums of a tile that one block has written; i may be open.
func (h *hopper) part(at place, thread, i, rank kernel.Index) kernel.Tensor {
	coord := []kernel.Index{kernel.Open, thread, i, rank, at.number}
	if h.p.work.l > 0 {
		coord = append(coord, at.batch)
	}
	return h.k.Slice(h.sums, coord...)
}

// partial writes a thread's sums to the workspace.
func (h *hopper) partial(thread kernel.Index, sums kernel.Tensor, at place) {
	k := h.k
	n := h.p.choice.fragment().Size() / vector
	from := k.View(sums, kernel.Int(0), kernel.Must(cute.New(cute.Ints(vector, n), cute.Ints(1, vector))))
	to := h.part(at, thread, kernel.Open, h.count.rank)
	k.CopyIf(from, k.LocalTile(to, kernel.Shape(vector, n), kernel.Int(0), kernel.Int(0)))
}

// inFlight is the number of sums that a thread loads before it adds the first one.
const inFlight = 96

// reduce adds a part of each thread's sums, of some parts, and writes it to D. The loads of some vectors are under way
// together.
func (h *hopper) reduce(thread, rank kernel.Index, parts int64) {
	k, c := h.k, &h.p.choice
	vectors := h.p.choice.fragment().Size() / vector
	per := ints.CeilDiv(vectors, parts)
	t := tile{thread: thread, place: h.raster(h.count.first)}
	h.finish.place = t.place
	together := max(inFlight/vector/c.Split, 1)
	for from := int64(0); from < per; from += together {
		var adds []func()
		for j := from; j < min(from+together, per); j++ {
			i := rank.Mul(kernel.Int(per)).Add(kernel.Int(j))
			var has kernel.Cond
			if per*parts > vectors {
				has = i.Less(kernel.Int(vectors))
			}
			add := h.add(&t, i.Min(kernel.Int(vectors-1)), has)
			adds = append(adds, func() { k.If(has, add) })
		}
		for _, add := range adds {
			add()
		}
	}
}

// add begins to load a vector of all blocks, and returns what adds them in the order of K, and writes the sum. A block
// that has no vector i loads another block's, but not its C, which may be the D that the other block writes.
func (h *hopper) add(t *tile, i kernel.Index, has kernel.Cond) func() {
	k, x := h.k, h.d.piece(h, t, 0)
	x.has = has
	_, across := h.d.pieces(h)
	x.row, x.column = x.row.Add(i.Div(across)), x.column.Add(i.Mod(across))
	parts := make([]kernel.Tensor, h.p.choice.Split)
	for s := range parts {
		parts[s] = k.MakeFragment(h.p.work.sums(), cute.MustParse("4:1"))
		from := h.part(t.place, t.thread, i, kernel.Int(int64(s)))
		k.CopyIf(k.LocalTile(from, kernel.Shape(vector), kernel.Int(0)), parts[s])
	}
	in := h.finish.load(x, &h.p.choice, nil)
	return func() {
		for _, part := range parts[1:] {
			for i := range int64(vector) {
				e := kernel.Int(i)
				k.Store(k.Load(parts[0], e).Add(k.Load(part, e)), parts[0], e)
			}
		}
		k.CopyIf(h.d.round(h, h.finish.part(x, in, parts[0]), x.fragment()), x.of(k, h.d.product(h)))
	}
}
