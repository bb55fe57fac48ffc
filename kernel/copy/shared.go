package copy

import (
	"math"
	"slices"

	"girih/banks"
	"girih/cute"
	"girih/kernel"
)

// A shared is the tile in shared memory, in elements of the plan.
type shared struct {
	modes    [][]part // where a coordinate of each mode goes
	size     int64
	swizzle  *cute.Swizzle
	conflict int64 // wavefronts of a warp's accesses over the fewest, as far as they were looked at
}

// A part is a digit of a coordinate: ⌊c/by⌋, modulo mod where that is not 0, times stride.
type part struct{ by, mod, stride int64 }

// at returns where the element at a coordinate of the tile is.
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

// arrange lays the tile of [Blocks] out: dst's order, behind a swizzle if there is one that frees the accesses of
// conflicts, or with room between rows. Deep is the extent of the blocks in registers along b.
func (p *Plan) arrange(byDst []int, deep int64) {
	unit := max(deep, p.vb, 4/p.elem, 1) // what stays together: the widest access, at least a word
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
	most = flat.size + flat.size/4 // more of it would take the place of other blocks
	for _, s := range p.swizzles(flat, unit) {
		if try(s) {
			return
		}
	}
	jumps := int64(1)
	if p.va > 1 {
		jumps = 4
	}
	for room := int64(1); room < 7; room++ { // the least room first
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

// gaps are where a tile has room, in elements: so many behind all of the modes up to one, -1 for none, and so many
// behind each block of va along a.
type gaps struct {
	at              int
	pad, jump, unit int64
}

// spread returns the tile in dst's order with room.
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
			s.size = roundUp(s.size, g.unit) + g.pad
		}
	}
	return s
}

// swizzles returns the tile behind the swizzles that move which block of rows it is onto the units of a row.
func (p *Plan) swizzles(s shared, unit int64) []shared {
	n := p.tile[p.b]
	if n&(n-1) != 0 || n <= unit {
		return nil
	}
	for _, d := range slices.Concat(p.load.digits, p.store.digits) {
		if d.count&(d.count-1) != 0 {
			return nil // padding serves better what is no sum of bits
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
			t.size = roundUp(s.size, 1<<(w.M()+w.S()+w.B()))
			out = append(out, t)
		}
	}
	return out
}

// looks returns what counts the wavefronts of what one warp does to a tile over the fewest, as far as they are less
// than those of a better one.
func (p *Plan) looks(deep int64) func(s *shared, less int64) int64 {
	type access struct {
		rule  *banks.Rule
		lanes [][]int64 // the coordinates of the lanes that take part
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

// rule returns how shared memory serves accesses of so many bytes, which are 1 to 16.
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

// pitch lays the tile of [Rows] out: runs of src one behind the other, an odd number of words apart, in an order in
// which the elements of an access of dst are far apart, and neighbouring accesses one row.
func (p *Plan) pitch(run, byDst []int) {
	s := shared{modes: make([][]part, len(p.modes))}
	length := int64(1)
	for _, m := range run {
		s.modes[m] = []part{{1, 0, length}}
		length *= p.tile[m]
	}
	w := max(p.load.width, p.store.width)
	row := ceilDiv(length+p.load.shift, w)
	row += 1 - row%2
	s.size = row * w
	for _, m := range byDst {
		if p.tile[m] == 1 || slices.Contains(run, m) {
			continue
		}
		n, wd := p.tile[m], p.store.width
		if m == p.b && wd > 1 && p.store.run[0] == m {
			far := ceilDiv(n, wd)
			s.modes[m] = []part{{1, wd, far * s.size}, {wd, 0, s.size}}
			s.size *= far * wd
			continue
		}
		s.modes[m] = []part{{1, 0, s.size}}
		s.size *= n
	}
	p.shared = s
}
