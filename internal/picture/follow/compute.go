package follow

import (
	"slices"

	"girih/ptx/sim"
)

// This file follows arithmetic: values that are stored or multiplied, and that instructions computed out of values
// whose cells are known.

// maxLeaves is how many cells a computed value may come from, to be listed.
const maxLeaves = 16

// leaves returns the cells of the values that a computed value comes from; ok is false if there are more than
// maxLeaves.
func (b *builder) leaves(o sim.Origin) (out []cellOf, ok bool) {
	seen := map[sim.Origin]bool{}
	list := []sim.Origin{o}
	for len(list) > 0 {
		x := list[len(list)-1]
		list = list[:len(list)-1]
		if x == 0 || seen[x] {
			continue
		}
		seen[x] = true
		if len(seen) > 16*maxLeaves || len(out) > maxLeaves {
			return nil, false
		}
		if c, ok := b.held[x]; ok {
			out = append(out, c)
			continue
		}
		n := b.rec.Node(x)
		if n == nil {
			if part, off := b.rec.Byte(x); part >= 0 && b.global[part] > 0 {
				p := b.places[b.global[part]-1]
				out = append(out, cellOf{b.global[part] - 1, off * 8 / int64(p.Bits)})
			}
			continue
		}
		if n.Product == 0 {
			list = append(list, n.Sources[:]...)
		}
	}
	slices.SortFunc(out, func(x, y cellOf) int {
		if x.place != y.place {
			return x.place - y.place
		}
		return int(x.cell - y.cell)
	})
	return slices.Compact(out), true
}

// compute adds the hop of the arithmetic that computed what a move reads from registers.
func (b *builder) compute(m *sim.Move, x *items) {
	if x.fromPlace[0] < 0 || b.places[x.fromPlace[0]].Kind != Registers {
		return
	}
	to := x.fromPlace[0]
	parts := map[int]*items{} // by the place that values come from
	many := false
	for i, cell := range x.from {
		o := x.held[i]
		if o < firstNode || x.fromPlace[i] != to {
			continue
		}
		if c, ok := b.held[o]; ok && c == (cellOf{to, cell}) {
			continue // a move or a product has put it here
		}
		list, ok := b.leaves(o)
		many = many || !ok
		for _, c := range list {
			if parts[c.place] == nil {
				parts[c.place] = &items{}
			}
			p := parts[c.place]
			p.from, p.to = append(p.from, c.cell), append(p.to, cell)
		}
		b.held[o] = cellOf{to, cell}
	}
	for _, from := range unique(keysOf(parts)) {
		b.addCompute(m, []int{from}, to, parts[from])
	}
	if many {
		part := &items{to: slices.Clone(x.from)}
		b.addCompute(m, nil, to, part)
	}
}

func keysOf(parts map[int]*items) []int {
	var out []int
	for k := range parts {
		out = append(out, k)
	}
	return out
}

// addCompute adds an access of arithmetic.
func (b *builder) addCompute(m *sim.Move, from []int, to int, x *items) {
	c := *m
	c.Kind, c.Cost, c.Operand = sim.MoveRegister, sim.Traffic{}, 0
	c.Op = "arithmetic"
	c.From.Space, c.To.Space = sim.SideRegisters, sim.SideRegisters
	x.lanes, x.per = []int{0}, len(x.to)
	if from == nil {
		c.Kind = sim.MoveProduct // without sources
	}
	s := b.shape(&c, x)
	c.Kind = sim.MoveRegister
	b.access(&c, b.hop(&c, from, to), s, x)
}
