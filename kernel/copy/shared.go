package copy

import (
	"math"
	"slices"

	"girih/banks"
	"girih/cute"
	"girih/internal/ints"
	"girih/kernel"
)

// A shared is the layout of the tile in shared memory, in elements of the plan.
type shared struct {
	modes    [][]part // the terms of the offset, by mode
	size     int64
	swizzle  *cute.Swizzle
	conflict int64 // wavefronts of a warp's accesses above the minimum, up to the best so far
}

// A part is a term of an offset, from a digit of a coordinate c: ⌊c/by⌋, modulo mod unless that is 0, times stride.
type part struct{ by, mod, stride int64 }

// at returns the offset of the element at a coordinate of the tile.
func (s *shared) at(c []int64) int64 {
	x := int64(0)
	for m, parts := range s.modes {
		for _, q := range parts {
			y := c[m] / q.by
			if q.mod != 0 {
				y %= q.mod
			}
			x += y * q.stride
		}
	}
	if s.swizzle != nil {
		x, _ = s.swizzle.At(x)
	}
	return x
}

// arrange lays out the tile of [Blocks] in dst's order, with a swizzle if one removes all bank conflicts, or with
// padding between rows. Deep is the extent along b of the blocks in registers.
func (p *Plan) arrange(byDst []int, deep int64) {
	unit := max(deep, p.vb, 4/p.elem, 1) // bytes that stay together: the widest access, at least a word
	look := p.looks(deep)
	p.shared.conflict = math.MaxInt64
	most := int64(math.MaxInt64)
	try := func(s shared) bool {
		if s.size > most {
			return false
		}
		if s.conflict = look(&s, p.shared.conflict); s.conflict < p.shared.conflict {
			p.shared = s
		}
		return p.shared.conflict == 0
	}
	flat := p.spread(byDst, gaps{at: -1})
	if try(flat) {
		return
	}
	most = flat.size + flat.size/4 // a larger tile would displace other blocks
	for _, s := range p.swizzles(flat, unit) {
		if try(s) {
			return
		}
	}
	jumps := int64(1)
	if p.va > 1 {
		jumps = 4
	}
	for room := int64(1); room < 7; room++ { // the least padding first
		for jump := range min(jumps, room+1) {
			for _, m := range byDst {
				if m == p.a && p.a == byDst[len(byDst)-1] || p.tile[m] == 1 || room-jump > 3 {
					continue
				}
				if try(p.spread(byDst, gaps{at: m, pad: (room - jump) * unit, jump: jump * unit, unit: unit})) {
					return
				}
			}
		}
	}
}

// gaps describes the padding of a tile, in elements: one number is added after all modes up to a given mode (-1 for
// none), another after each block of va along a.
type gaps struct {
	at              int
	pad, jump, unit int64
}

// spread returns the tile in dst's order with padding.
func (p *Plan) spread(byDst []int, g gaps) shared {
	s := shared{modes: make([][]part, len(p.modes)), size: 1}
	for _, m := range byDst {
		switch {
		case p.tile[m] == 1:
		case m == p.a && g.jump > 0:
			next := p.va*s.size + g.jump
			s.modes[m] = []part{{1, p.va, s.size}, {p.va, 0, next}}
			s.size = next * (p.tile[m] / p.va)
		default:
			s.modes[m], s.size = []part{{1, 0, s.size}}, s.size*p.tile[m]
		}
		if m == g.at {
			s.size = ints.RoundUp(s.size, g.unit) + g.pad
		}
	}
	return s
}

// swizzles returns the tile with each swizzle that mixes the number of a block of rows into the units of a row.
func (p *Plan) swizzles(s shared, unit int64) []shared {
	n := p.tile[p.b]
	if n&(n-1) != 0 || n <= unit {
		return nil
	}
	for _, d := range slices.Concat(p.load.digits, p.store.digits) {
		if d.count&(d.count-1) != 0 {
			return nil // padding is better for offsets that are not sums of bits
		}
	}
	const line = 128 // bytes of all banks
	var out []shared
	for _, rows := range []int64{p.va, max(p.va, line/(n*p.elem)), 1} {
		bits := min(log2(line/(unit*p.elem)), log2(n/unit))
		w, err := cute.NewSwizzle(bits, log2(unit), log2(n)+log2(rows)-log2(unit))
		if err == nil {
			t := s
			t.swizzle = &w
			t.size = ints.RoundUp(s.size, 1<<(w.M()+w.S()+w.B()))
			out = append(out, t)
		}
	}
	return out
}

// looks returns a function that counts, for one warp's accesses to a tile, the wavefronts above the minimum. The
// function stops at the count of a better tile.
func (p *Plan) looks(deep int64) func(s *shared, less int64) int64 {
	type access struct {
		rule  *banks.Rule
		lanes [][]int64 // the coordinates of the active lanes
	}
	of := func(f *phase, r *banks.Rule, next int64) access {
		x := access{rule: r}
		for lane := range min(f.items, kernel.WarpSize) {
			c := make([]int64, len(p.modes))
			f.coordinate(lane, c)
			c[p.a] += next
			x.lanes = append(x.lanes, c)
		}
		return x
	}
	put, take := rule("st", deep*p.elem), rule("ld", p.vb*p.elem)
	all := []access{of(&p.load, put, 0), of(&p.store, take, 0)}
	if p.va > 1 {
		all = append(all, of(&p.load, put, 1))
	}
	addrs := make([]int64, kernel.WarpSize)
	return func(s *shared, less int64) int64 {
		over := int64(0)
		for _, x := range all {
			if x.rule == nil || over >= less {
				continue
			}
			for lane := range addrs {
				if addrs[lane] = banks.Inactive; lane < len(x.lanes) {
					addrs[lane] = s.at(x.lanes[lane]) * p.elem
				}
			}
			if n, err := x.rule.Count(addrs[:x.rule.Lanes()]); err == nil {
				over += int64(n.Wavefronts - n.Ideal)
			}
		}
		return over
	}
}

// coordinate sets c to the coordinate of an item in the tile.
func (f *phase) coordinate(item int64, c []int64) {
	clear(c)
	for i, d := range f.digits {
		x := item
		if i < len(f.digits)-1 {
			x = item % d.count
		}
		c[d.mode], item = x*d.step, item/d.count
	}
}

// rule returns how shared memory serves accesses of the given bytes, 1 to 16.
func rule(op string, bytes int64) *banks.Rule {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		return nil
	}
	at, err := banks.ParseAccess(op, int(8*bytes))
	if err != nil {
		return nil
	}
	r, err := target.Rule(at)
	if err != nil {
		return nil
	}
	return &r
}

// pitch lays out the tile of [Rows]: the runs of src follow each other, in an order in which the elements of an access
// of dst are far apart, and neighbouring accesses one row apart. Rows are as many words apart as leads to the fewest
// bank conflicts of the gather, of the odd numbers first.
func (p *Plan) pitch(run, byDst []int) {
	w := max(p.load.width, p.store.width)
	length := int64(1)
	for _, m := range run {
		length *= p.tile[m]
	}
	row := ints.CeilDiv(length+p.load.shift, w)
	row += 1 - row%2
	least, most := int64(math.MaxInt64), row+row/8+2 // a larger tile would displace other blocks
	for _, by := range []int64{2, 1} {
		for n := row; n <= min(most, row+31) && least > 0; n += by {
			s := p.rowsApart(run, byDst, n*w)
			if s.conflict = p.gatherConflicts(&s); s.conflict < least {
				p.shared, least = s, s.conflict
			}
		}
	}
}

// rowsApart returns the tile of [Rows] with the given number of elements from run to run.
func (p *Plan) rowsApart(run, byDst []int, row int64) shared {
	s := shared{modes: make([][]part, len(p.modes)), size: row}
	length := int64(1)
	for _, m := range run {
		s.modes[m] = []part{{1, 0, length}}
		length *= p.tile[m]
	}
	for _, m := range byDst {
		if p.tile[m] == 1 || slices.Contains(run, m) {
			continue
		}
		n, wd := p.tile[m], p.store.width
		if m == p.b && wd > 1 && p.store.run[0] == m {
			far := ints.CeilDiv(n, wd)
			s.modes[m] = []part{{1, wd, far * s.size}, {wd, 0, s.size}}
			s.size *= far * wd
			continue
		}
		s.modes[m] = []part{{1, 0, s.size}}
		s.size *= n
	}
	return s
}

// gatherConflicts counts the wavefronts above the minimum of the first warp that gathers elements from a tile.
func (p *Plan) gatherConflicts(s *shared) (over int64) {
	take, f := rule("ld", min(p.elem, word)), &p.store
	if take == nil {
		return 0
	}
	addrs, c := make([]int64, kernel.WarpSize), make([]int64, len(p.modes))
	for i := range f.width {
		for lane := range addrs {
			if addrs[lane] = banks.Inactive; int64(lane) >= f.items {
				continue
			}
			f.coordinate(int64(lane), c)
			r := c[f.run[0]] + i
			for j, m := range f.run {
				if c[m] = r; j < len(f.run)-1 {
					c[m], r = r%p.tile[m], r/p.tile[m]
				}
			}
			addrs[lane] = s.at(c) * p.elem
		}
		if n, err := take.Count(addrs[:take.Lanes()]); err == nil {
			over += int64(n.Wavefronts - n.Ideal)
		}
	}
	return over
}
