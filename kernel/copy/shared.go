package copy

import (
	"slices"

	"girih"
	"girih/banks"
)

// A shared is the tile in shared memory, in elements of the plan.
type shared struct {
	modes    [][]part // where a coordinate of each mode goes
	size     int64
	swizzle  *girih.Swizzle
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
// conflicts, or with rows that are longer than they are. Deep is the extent of the blocks in registers along b.
func (p *Plan) arrange(byDst []int, deep int64) {
	vector := max(16/p.elem, 1)
	lay := func(pad, jump int64) shared {
		s := shared{modes: make([][]part, len(p.modes)), size: 1}
		for _, m := range byDst {
			switch {
			case m == p.b:
				s.modes[m], s.size = []part{{1, 0, s.size}}, s.size*p.tile[m]
				if p.tile[m] > 1 && len(byDst) > 1 {
					s.size = roundUp(s.size, vector) + pad*vector
				}
			case m == p.a && p.va > 1 && jump > 0:
				next := p.va*s.size + jump*vector
				s.modes[m] = []part{{1, p.va, s.size}, {p.va, 0, next}}
				s.size = next * (p.tile[m] / p.va)
			case p.tile[m] > 1:
				s.modes[m], s.size = []part{{1, 0, s.size}}, s.size*p.tile[m]
			}
		}
		return s
	}
	options := []shared{lay(0, 0)}
	options = append(options, p.swizzles(lay(0, 0))...)
	for _, x := range [][2]int64{{1, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 1}} {
		options = append(options, lay(x[0], x[1]))
	}
	best := -1
	for i := range options {
		options[i].conflict = p.conflicts(&options[i], deep)
		if best < 0 || options[i].conflict < options[best].conflict {
			best = i
		}
	}
	p.shared = options[best]
}

// swizzles returns the tile behind the swizzles that move which block of rows it is onto the vectors of a row.
func (p *Plan) swizzles(s shared) []shared {
	n := p.tile[p.b]
	vector := max(16/p.elem, 1)
	if n&(n-1) != 0 || n <= vector {
		return nil
	}
	for _, d := range slices.Concat(p.load.digits, p.store.digits) {
		if d.count&(d.count-1) != 0 {
			return nil // padding serves better what is no sum of bits
		}
	}
	var out []shared
	for _, rows := range []int64{p.va, max(p.va, 128/(n*p.elem)), 1} {
		w, err := girih.NewSwizzle(min(3, log2(n/vector)), log2(vector), log2(n)+log2(rows)-log2(vector))
		if err == nil {
			t := s
			t.swizzle = &w
			t.size = roundUp(s.size, 1<<(w.M()+w.S()+w.B()))
			out = append(out, t)
		}
	}
	return out
}

// conflicts returns the wavefronts of what one warp does to the tile over the fewest.
func (p *Plan) conflicts(s *shared, deep int64) int64 {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		return 0
	}
	over := int64(0)
	look := func(f *phase, op string, width int64, turn func(c []int64)) {
		at, err := banks.ParseAccess(op, int(8*width*p.elem))
		if err != nil {
			return
		}
		r, err := target.Rule(at)
		if err != nil {
			return
		}
		addrs := slices.Repeat([]int64{banks.Inactive}, r.Lanes())
		c := make([]int64, len(p.modes))
		for lane := range addrs {
			q := int64(lane)
			for i := range c {
				c[i] = 0
			}
			for i, d := range f.digits {
				if i == len(f.digits)-1 {
					c[d.mode] = q * d.step
				} else {
					c[d.mode] = q % d.count * d.step
				}
				q /= d.count
			}
			if turn != nil {
				turn(c)
			}
			if int64(lane) < f.items {
				addrs[lane] = s.at(c) * p.elem
			}
		}
		if n, err := r.Count(addrs); err == nil {
			over += int64(n.Wavefronts - n.Ideal)
		}
	}
	look(&p.load, access("st", deep*p.elem), deep, nil)
	if p.va > 1 {
		look(&p.load, access("st", deep*p.elem), deep, func(c []int64) { c[p.a]++ })
	}
	look(&p.store, access("ld", p.vb*p.elem), p.vb, nil)
	return over
}

func access(op string, bytes int64) string {
	return op + "." + map[int64]string{1: "8", 2: "16", 4: "32", 8: "64", 16: "128"}[bytes]
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
