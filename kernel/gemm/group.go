package gemm

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
	"girih/kernel"
	"girih/symbolic"
)

// This file has groups of rows, such as the tokens of each expert of a model. A and D have the rows of all groups, one
// group after another, B has a matrix for each group, and only the device knows how many rows a group has. A tile
// begins at the first row of its group or a multiple of its rows after it, so it has rows of one group only. A block
// finds its next tile by itself: each warp adds up the rows and the tiles of 32 groups at a time. D is written row by
// row, because rows after the end of a group belong to the next one.

// MaxGroups is the largest number of groups.
const MaxGroups = 1 << 16

// sizesName is the parameter with the rows of each group, s32.
const sizesName = "sizes"

// checkGroups refuses what groups do not have.
func (p *Problem) checkGroups() error {
	switch {
	case p.Groups == 0:
		return nil
	case p.Groups < 0 || p.Groups > MaxGroups:
		return refuse(cute.CodeExtent, "expected from 1 to %d groups, or 0 for none, found %d", int64(MaxGroups), p.Groups)
	case p.L > 0:
		return refuse(cute.CodeExtent, "expected groups or products, found %d groups and %d products", p.Groups, p.L)
	case p.Scale != Unscaled:
		return withHint("multiply by them in the epilogue", refuse(cute.CodeName,
			"expected groups without factors, found factors of %v", p.Scale))
	}
	return nil
}

// rowsOfGroup returns the rows that an average group has, as far as the host knows.
func (w *work) rowsOfGroup() int64 { return ints.CeilDiv(w.m, w.groups) }

// mostOfGroups returns the most tiles that groups have: each group may have a tile that is not full.
func (c *Choice) mostOfGroups(w *work) int64 {
	return (ints.CeilDiv(w.m, c.Tile[0]) + min(w.groups, w.m)) * ints.CeilDiv(w.n, c.Tile[1])
}

// declareGroups declares the sizes.
func (h *hopper) declareGroups() {
	h.l = h.k.Int("groups", symbolic.Facts{Min: 1, Max: MaxGroups})
	h.sizes = h.k.Global(sizesName, dtype.S32, []kernel.Index{h.l})
}

// search returns the tile of a number, in the order of the groups, and how many tiles there are. In a group, the tiles
// of one column follow each other. All threads of a warp call it.
func (h *hopper) search(i kernel.Index) (at place, all kernel.Index) {
	k, n, most := h.k, &h.count, symbolic.Facts{Max: maxTiles}
	none, number, columns := k.Number(dtype.S32, 0), k.ValueOf(i, dtype.S32), k.ValueOf(n.columns, dtype.S32)
	start := []kernel.Value{none, none, none, none, none, none}
	add := func(j kernel.Index, v []kernel.Value) []kernel.Value {
		group := j.Mul(kernel.Int(kernel.WarpSize)).Add(h.lane())
		size := k.IfElseCarry(group.Less(h.l), func() kernel.Value {
			return k.Load(h.sizes, group).Max(none).Min(h.m.Value(dtype.S32))
		}, func() kernel.Value { return none })
		end := v[0].Add(h.scan(size)) // at most 33·m
		from, to := h.rowOf(end.Sub(size)), h.rowOf(end)
		rows := to.Sub(from).Max(kernel.Int(0))
		count := rows.CeilDiv(h.p.choice.Tile[0]).Value(dtype.S32)
		last := v[1].Add(h.scan(count))
		first := last.Sub(count)
		here := k.Ballot(first.Mul(columns).LessEqual(number).And(number.Less(last.Mul(columns))))
		source := kernel.Int(31).Sub(here.Clz().Index(symbolic.Facts{Max: 32})).Max(kernel.Int(0))
		out := []kernel.Value{k.Shfl(to.Value(dtype.S32), kernel.Int(31)), k.Shfl(last, kernel.Int(31))}
		for q, x := range []kernel.Value{group.Value(dtype.S32), from.Value(dtype.S32), rows.Value(dtype.S32), first} {
			out = append(out, k.Select(here.NotEqual(k.Number(here.Type(), 0)), k.Shfl(x, source), v[q+2]))
		}
		return out
	}
	v := k.ForCarryAll(kernel.Int(0), h.l.CeilDiv(kernel.WarpSize), start, add)
	row := func(x kernel.Value) kernel.Index { return x.Index(symbolic.Facts{Max: MaxExtent}).Min(h.m) }
	one := kernel.Int(1)
	at.number, at.batch = i, v[2].Index(symbolic.Facts{Max: MaxGroups}).Min(h.l.Sub(one))
	at.from, at.size = row(v[3]), row(v[4])
	local := i.Sub(v[5].Mul(columns).Index(most)).Max(kernel.Int(0))
	column, tile := local.DivMod(at.size.CeilDiv(h.p.choice.Tile[0]).Max(one))
	at.row, at.column = tile.Min(n.rows.Sub(one)), column.Min(n.columns.Sub(one))
	return at, v[1].Mul(columns).Index(most)
}

// lane returns the number of the thread in its warp.
func (h *hopper) lane() kernel.Index { return h.k.ThreadIdx().Mod(kernel.WarpSize) }

// rowOf returns a number as a row of A, or the number of rows if it is beyond.
func (h *hopper) rowOf(v kernel.Value) kernel.Index {
	return v.Index(symbolic.Facts{Max: 33 * MaxExtent}).Min(h.m)
}

// scan returns the sum of the values of the lanes up to this one.
func (h *hopper) scan(v kernel.Value) kernel.Value {
	for d := int64(1); d < kernel.WarpSize; d *= 2 {
		v = h.k.Select(h.lane().AtLeast(kernel.Int(d)), v.Add(h.k.ShflUp(v, d)), v)
	}
	return v
}

// rowsFrom returns a matrix from the first row of a group on.
func (w *work) rowsFrom(k *kernel.K, t kernel.Tensor, from kernel.Index) kernel.Tensor {
	if w.groups == 0 {
		return t
	}
	return k.DomainOffset(t, from, kernel.Int(0))
}
