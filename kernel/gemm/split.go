package gemm

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
	"girih/kernel"
)

// This file adds what the blocks of a cluster have summed, each over its part of K. Each block writes its sums to a
// workspace, the cluster meets, and each block adds its part of the rows: in the order of K, so that the result is the
// same in each run. A cluster runs at one time, so no block waits for one that has not started.

// declareSplit declares the workspace: f32 of (BN,BM,split,tiles).
func (h *hopper) declareSplit() {
	c := &h.p.choice
	one, per := int64(1), c.Tile[0]*c.Tile[1]
	h.sums = h.k.Global("W", dtype.F32,
		kernel.Modes(kernel.Int(c.Tile[0]), kernel.Int(c.Tile[1]), kernel.Int(c.Split), h.count.all),
		kernel.Int(c.Tile[1]), kernel.Int(one), kernel.Int(per), kernel.Int(per*c.Split))
}

// partial writes a team's sums to the workspace.
func (h *hopper) partial(thread kernel.Index, sums kernel.Tensor) {
	k, all, t := h.k, kernel.Open, h.p.choice.Tile
	to := k.LocalTile(k.Slice(h.sums, all, all, h.count.rank, h.count.first), kernel.Shape(t[0], t[1]), kernel.Int(0),
		kernel.Int(0))
	k.CopyIf(sums, k.ThrMMA(h.mma, thread).PartitionC(to))
}

// vector is the number of sums that a thread loads at a time.
const vector = 4

// reduce adds this block's part of the tile and writes it to D. All loads of a thread are under way together.
func (h *hopper) reduce(thread kernel.Index) {
	k, c, all := h.k, &h.p.choice, kernel.Open
	threads, across := 128*c.Warpgroups, c.Tile[1]/vector
	items := c.Tile[0] * across // vectors of the tile
	part := ints.CeilDiv(items, c.Split)
	line := cute.MustParse("4:1")
	row, column := h.raster(h.count.first)
	step := func(j int64) {
		own := thread.Add(kernel.Int(j * threads))
		at := h.count.rank.Mul(kernel.Int(part)).Add(own)
		down, along := at.Div(across), at.Mod(across)
		write := func() {
			sum := h.add(down, along, line)
			if !h.finish.e.plain() {
				i, j := row.Mul(kernel.Int(c.Tile[0])).Add(down), column.Mul(kernel.Int(c.Tile[1])).Add(along.Mul(kernel.Int(vector)))
				for x := range int64(vector) {
					e := kernel.Int(x)
					k.Store(h.finish.element(k.Load(sum, e), i, j.Add(e)), sum, e)
				}
			}
			to := k.LocalTile(h.d.global, kernel.Shape(1, vector), row.Mul(kernel.Int(c.Tile[0])).Add(down),
				column.Mul(kernel.Int(across)).Add(along))
			k.CopyIf(h.d.round(h, sum, line), k.Slice(to, kernel.Int(0), all))
		}
		if part%threads == 0 && items%part == 0 {
			write()
			return
		}
		k.If(own.Less(kernel.Int(part)).And(at.Less(kernel.Int(items))), write)
	}
	for j := range ints.CeilDiv(part, threads) {
		step(j)
	}
}

// add returns the sum of a vector of all blocks, in the order of K.
func (h *hopper) add(down, along kernel.Index, line cute.Layout) (sum kernel.Tensor) {
	k, all := h.k, kernel.Open
	parts := make([]kernel.Tensor, h.p.choice.Split)
	for s := range parts {
		parts[s] = k.MakeFragment(dtype.F32, line)
		from := k.Slice(h.sums, all, all, kernel.Int(int64(s)), h.count.first)
		k.CopyIf(k.Slice(k.LocalTile(from, kernel.Shape(1, vector), down, along), kernel.Int(0), all), parts[s])
	}
	for _, part := range parts[1:] {
		for i := range int64(vector) {
			e := kernel.Int(i)
			k.Store(k.Load(parts[0], e).Add(k.Load(part, e)), parts[0], e)
		}
	}
	return parts[0]
}
