package follow

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file completes a model: grids, names, words, and the accesses in order of time.

func (b *builder) finish() {
	b.finishOperands()
	slices.SortStableFunc(b.accesses, func(x, y access) int {
		if x.time != y.time {
			return int(x.time - y.time)
		}
		return b.rank(x.hop) - b.rank(y.hop)
	})
	used := make([]bool, len(b.places))
	for i := range b.Hops {
		h := &b.Hops[i]
		h.Lines = unique(h.Lines)
		for _, f := range append(h.From, h.To) {
			used[f] = true
		}
		if h.From == nil {
			h.From = []int{}
		}
	}
	number := make([]int, len(b.places))
	for i, p := range b.places {
		if !used[i] {
			number[i] = -1
			continue
		}
		number[i] = len(b.Places)
		p.ID = number[i]
		b.grid(p)
		b.Places = append(b.Places, p.Place)
	}
	for i := range b.Hops {
		h := &b.Hops[i]
		h.From = slices.Clone(h.From)
		for k, f := range h.From {
			h.From[k] = number[f]
		}
		h.To = number[h.To]
	}
	b.names()
	for i := range b.Hops {
		b.describe(&b.Hops[i])
	}
	for i := range b.Hops { // after the products are known
		b.factors(&b.Hops[i])
	}
	b.Accesses = make([]int64, 0, 6*len(b.accesses))
	for _, a := range b.accesses {
		b.Accesses = append(b.Accesses, int64(a.hop), a.time, int64(a.warp), int64(a.shape), a.from, a.to)
	}
}

// rank orders what one instruction does: arithmetic before it, its operands, its sums.
func (b *builder) rank(hop int) int {
	switch b.Hops[hop].Kind {
	case Compute:
		return 0
	case Read:
		return 1
	}
	return 2
}

// grid finds the grid of a place.
func (b *builder) grid(p *place) {
	if p.Panels = 1; p.Kind == Shared {
		p.panels()
		p.index()
	}
	panel := p.Panel.Values()
	type box struct{ low, high [2]int64 }
	boxes := make([]box, p.Panels)
	for i := range boxes {
		boxes[i] = box{[2]int64{1 << 40, 1 << 40}, [2]int64{-1, -1}}
	}
	for i, r := range p.row {
		if r < 0 {
			continue
		}
		k := int64(0)
		if panel != nil {
			k = panel[i]
		}
		x := &boxes[k]
		x.low = [2]int64{min(x.low[0], r), min(x.low[1], p.col[i])}
		x.high = [2]int64{max(x.high[0], r), max(x.high[1], p.col[i])}
	}
	for _, x := range boxes {
		if x.high[0] >= 0 {
			p.Rows, p.Cols = max(p.Rows, x.high[0]-x.low[0]+1), max(p.Cols, x.high[1]-x.low[1]+1)
		}
	}
	if p.Rows == 0 {
		p.row, p.col = nil, nil
	}
	p.Row, p.Col = NewSeries(p.row), NewSeries(p.col)
}

// units counts the modes of extent 1 before the last three modes, as of a tile of (batch,heads,m,d,PIPE).
func units(l cute.Layout) int {
	n := 0
	for sizes := l.AppendModeSizes(nil); n+3 < len(sizes) && sizes[n] == 1; {
		n++
	}
	return n
}

// panels finds the stages of a tensor in shared memory: its third mode.
func (p *place) panels() {
	c, err := cute.ParseComposed(p.Layout)
	if err != nil {
		return
	}
	modes := c.Layout().Modes()
	modes = modes[units(c.Layout()):]
	if len(modes) < 3 {
		return
	}
	stages, step := modes[2].Size(), int64(0)
	extents := modes[2].Shape().Leaves()
	for i, d := range modes[2].Stride().Leaves() {
		if extents[i] == stages {
			step = d
		}
	}
	if step <= 0 || stages <= 1 {
		return
	}
	p.Panels = stages
	list := make([]int64, p.Cells)
	for i := range list {
		list[i] = min(int64(i)/step, stages-1)
	}
	p.Panel = NewSeries(list)
}

// names gives places CuTe's names, as its tutorials have them, and says what their modes count.
func (b *builder) names() {
	letter := b.letters()
	for i := range b.Places {
		p, x := &b.Places[i], letter[i]
		switch {
		case p.Kind == Registers:
			p.Words = fragmentWords(p)
		case x == "" || p.Kind == Operand:
		case p.Kind == Global && x == "C":
			p.CuTe = "tCgC"
		case p.Kind == Global:
			p.CuTe = "t" + x + "g" + x
		case p.Kind == Shared && x != "C":
			p.CuTe = fmt.Sprintf("t%[1]vs%[1]v, tCs%[1]v", x)
		}
	}
}

// letters returns, by place, which matrix of the MMA the place holds: A and B from the operands back to global
// memory, C from the sums on.
func (b *builder) letters() map[int]string {
	letter := map[int]string{}
	for i := range b.Places {
		if p := &b.Places[i]; p.Operand != "" {
			letter[i] = p.Operand
		}
	}
	for range len(b.Hops) {
		for i := range b.Hops {
			if h := &b.Hops[i]; h.Kind != MMA && len(h.From) == 1 {
				from, to := letter[h.From[0]], letter[h.To]
				switch {
				case from == "C" && to == "" && h.Kind != Read:
					letter[h.To] = from
				case from == "" && to != "" && to != "C" && h.Kind != Compute:
					letter[h.From[0]] = to
				}
			}
		}
	}
	return letter
}

// fragmentWords says what the modes of a fragment count.
func fragmentWords(p *Place) string {
	l, err := cute.Parse(p.Layout)
	if err != nil || p.Layout == "" {
		return fmt.Sprintf("%d values of each of %d threads", p.Values, p.Threads)
	}
	shape, modes := l.Shape(), l.Modes()
	kind := map[string][3]string{
		"A": {"MMA", "MMA_M", "MMA_K"}, "B": {"MMA", "MMA_N", "MMA_K"}, "C": {"MMA", "MMA_M", "MMA_N"},
	}[p.Operand]
	switch {
	case len(modes) == 3 && kind[0] != "":
		return fmt.Sprintf("%v = (%s,%s,%s): %d elements of one instruction, %d of its tiles along %s, %d along %s", shape,
			kind[0], kind[1], kind[2], modes[0].Size(), modes[1].Size(), kind[1][4:], modes[2].Size(), kind[2][4:])
	case len(modes) == 3:
		return fmt.Sprintf("%v = (CPY,CPY_M,CPY_N): %d elements of one copy, %d of them along M, %d along N", shape,
			modes[0].Size(), modes[1].Size(), modes[2].Size())
	}
	return fmt.Sprintf("%v: %d values of each of %d threads", shape, p.Values, p.Threads)
}
