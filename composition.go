package girih

import (
	"fmt"

	"girih/internal/ints"
)

// This file implements composition, R(c) = A(B(c)).
//
// Write A, coalesced, as a mixed radix system: extents S0, S1, ..., the last one unbounded, strides D0, D1, ...
// A takes an integer apart into its digits and returns the sum of digit·D. So A∘B is a layout with the
// shape of B, each leaf possibly split, whenever the digits of B's values are: the leaf N:r of B counts
// r, 2r, 3r, ... and its digits grow evenly until one of them reaches its extent, at x = m. If m divides N,
// the leaf is a mode of extent m with the digits of r, followed by the leaf N/m:(m·r), and so on. At the end no
// sum of digits over the whole box may reach its extent, or digits carry.
//
//	A = (6,2):(8,2)   B = (4,3):(3,1)
//	leaf 4:3   3 has the digits (3,0); 2·3 = 6 carries, so m = 2:   2:24  (stride 3·8)
//	           then 2:6 with the digits (0,1):                      2:2
//	leaf 3:1   1 has the digits (1,0), no carry in 3 steps:         3:8
//	R = ((2,2),3):((24,2),8); the first digit is at most 3·1 + 1·2 = 5 < 6
//
// This accepts exactly the pairs that are layouts for all strides of A. Strides that coincide can make a
// layout of the others, or rather of few of them; composition_table.go decides those by looking at the values.
// Published algorithms (Shah, "CuTe layout algebra", Def. 2.12; Colfax, arXiv 2601.05972, Alg. 4.1.1; the
// whitepaper arXiv 2603.02298, eq. 20-21) are stricter; CuTe's code accepts some pairs whose result is wrong.

// Composition returns the layout c ↦ a(b(c)) in the shape of b, each leaf of b replaced by a coalesced mode
// or group of modes. The integers that b produces index a in colexicographic order with a's last mode
// unbounded; where b has coordinate strides its coordinates address the modes of a.
//
// If no layout is this function it returns [CodeNotRepresentable] with the first coordinate of b at which
// every layout fails. It returns [CodeNotCongruent] if b addresses modes that a does not have,
// [CodeOverflow], and [CodeLimit] when a decision would need more than [EnumLimit] values.
func Composition(a, b Layout) (Layout, error) {
	var sb, db [stackModes]int64
	var eb [4]int
	f := forest{modes: modes{s: sb[:0], d: db[:0], k: a.cod.axes()}, end: eb[:0]}
	if b.cod == nil {
		f.modes = f.coalesceZ(a.extents(), a.strides())
		f.end = append(f.end, f.len())
	} else {
		var err error
		if f, err = f.address(a, b.cod); err != nil {
			return Layout{}, err
		}
	}
	var sr, dr [stackModes]int64
	r := modes{s: sr[:0], d: dr[:0], k: f.k}
	var cb [stackModes]int
	r, counts, verdict := f.compose(r, b, cb[:0])
	switch verdict {
	case universal:
		return r.layout("composition", splitProfile(b.profile(), counts), a.cod)
	case overflows:
		return Layout{}, overflowError("composition", "the strides of %v o %v", a, b)
	}
	return composeByTable(a, b)
}

// verdict is what the universal procedure says about a pair.
type verdict int

const (
	universal verdict = iota // a layout for all strides of A
	carries                  // some digit carries, or a run does not divide
	overflows
)

// A forest is one radix system for each axis of B's codomain: for integers, all of A; for coordinates, the
// mode of A at each axis. end[t] is the end of system t in the modes; each system's last mode is unbounded.
type forest struct {
	modes
	end []int
}

// address collects the modes of a that stand at the axes of c.
func (f forest) address(a Layout, c *codomain) (forest, error) {
	if !addresses(c.prof, a.profile()) {
		return f, &Error{
			Code: CodeNotCongruent, Op: "composition",
			Msg:  fmt.Sprintf("the coordinates %s of the right operand do not address the modes of the shape %v", c.prof, a.Shape()),
			Hint: "the axis 1@1@0 is mode 1 of mode 0: its path must exist in the shape of the left operand",
		}
	}
	for _, p := range c.paths {
		_, lo, hi, err := descend(a.profile(), p)
		if err != nil {
			return f, err
		}
		k := a.cod.axes()
		f.modes = f.coalesceZ(a.extents()[lo:hi], a.strides()[lo*k:hi*k])
		f.end = append(f.end, f.len())
	}
	return f, nil
}

// addresses reports whether coordinates of profile p reach modes of q. They may be integers for whole modes, and CuTe
// lets coordinates be shorter than the shape, the modes they leave out being at 0.
func addresses(p, q string) bool {
	if p == "." {
		return true
	}
	if q == "." {
		return false
	}
	a, b := modesOf(p), modesOf(q)
	for a.next() {
		if !b.next() || !addresses(a.prof, b.prof) {
			return false
		}
	}
	return true
}

// compose appends the modes of A∘B to r, and to counts the number of modes of each leaf of B.
func (f forest) compose(r modes, b Layout, counts []int) (modes, []int, verdict) {
	var pb, nb, wb [stackModes]int64
	n := f.len()
	most, least, unit := pb[:0], nb[:0], wb[:0]
	if n > stackModes {
		most, least = make([]int64, 0, n), make([]int64, 0, n)
	}
	most, least = most[:n], least[:n] // greatest and least value of each digit over the box
	if f.k > stackModes {
		unit = make([]int64, 0, f.k)
	}
	unit = unit[:f.k]
	k := b.cod.axes()
	bs := b.strides()
	for j, extent := range b.extents() {
		from := r.len()
		var v verdict
		if r, v = f.leaf(r, extent, bs[j*k:(j+1)*k], unit, most, least); v != universal {
			return r, counts, v
		}
		if r.len() == from {
			clear(unit)
			r.s, r.d = append(r.s, 1), append(r.d, unit...)
		}
		counts = append(counts, r.len()-from)
	}
	if !f.carryFree(most, least) {
		return r, counts, carries
	}
	return r, counts, universal
}

// leaf appends the modes of A∘(N:r), and adds the digits they reach to most and least.
func (f forest) leaf(r modes, n int64, stride, unit, most, least []int64) (modes, verdict) {
	from := r.len()
	scale := int64(1) // the leaf still to do is n:(scale·stride)
	for n > 1 {
		run := n
		clear(unit)
		start := 0
		for t, end := range f.end {
			x, ok := ints.Mul(scale, stride[t])
			if !ok {
				return r, overflows
			}
			// Digits are taken of |x|: A is odd.
			neg := x < 0
			if x, ok = ints.Abs(x); !ok {
				return r, overflows
			}
			for i := start; x != 0; i++ {
				digit := x
				if i == end-1 {
					x = 0
				} else if s := f.s[i]; x >= s {
					q := x / s
					digit, x = x-q*s, q
					if digit == 0 {
						continue
					}
					run = min(run, ints.CeilDiv(s, digit))
				} else {
					x = 0
					run = min(run, ints.CeilDiv(s, digit))
				}
				if neg {
					digit = -digit
				}
				if !addScaled(unit, digit, f.stride(i)) {
					return r, overflows
				}
			}
			start = end
		}
		if run < n && n%run != 0 {
			return r, carries
		}
		if !f.reach(run-1, scale, stride, most, least) {
			return r, overflows
		}
		r = r.push(run, unit, from)
		n /= run
		var ok bool
		if scale, ok = ints.Mul(scale, run); !ok && n > 1 {
			return r, overflows
		}
	}
	return r, universal
}

// addScaled adds x·d to sum and reports whether it fits.
func addScaled(sum []int64, x int64, d []int64) bool {
	fits := true
	for a, y := range d {
		p, o1 := ints.Mul(x, y)
		s, o2 := ints.Add(sum[a], p)
		sum[a] = s
		fits = fits && o1 && o2
	}
	return fits
}

// reach adds steps times the digits of scale·stride to the extremes of the digits.
func (f forest) reach(steps, scale int64, stride, most, least []int64) bool {
	start := 0
	for t, end := range f.end {
		x := scale * stride[t]
		to := most
		if x < 0 {
			x, to = -x, least
		}
		for i := start; x != 0; i++ {
			digit := x
			if i < end-1 {
				q := x / f.s[i]
				digit, x = x-q*f.s[i], q
			} else {
				x = 0
			}
			p, o1 := ints.Mul(steps, digit)
			s, o2 := ints.Add(to[i], p)
			if !o1 || !o2 {
				return false
			}
			to[i] = s
		}
		start = end
	}
	return true
}

// carryFree reports whether no point of the box makes a digit reach its extent. Digits of one number have
// one sign, so a system that counts both up and down may use a single digit only.
func (f forest) carryFree(most, least []int64) bool {
	start := 0
	for _, end := range f.end {
		used, up, down := 0, false, false
		for i := start; i < end; i++ {
			if i < end-1 && (most[i] >= f.s[i] || least[i] >= f.s[i]) {
				return false
			}
			if most[i] > 0 || least[i] > 0 {
				used++
			}
			up = up || most[i] > 0
			down = down || least[i] > 0
		}
		if up && down && used > 1 {
			return false
		}
		start = end
	}
	return true
}

// splitProfile returns the profile p with each leaf replaced by a group of the given number of leaves;
// where every leaf stays one, p itself.
func splitProfile(p string, counts []int) string {
	split := false
	for _, c := range counts {
		split = split || c != 1
	}
	if !split {
		return p
	}
	var buf [64]byte
	b := buf[:0]
	leaf := 0
	for i := range len(p) {
		if p[i] != '.' {
			b = append(b, p[i])
			continue
		}
		if counts[leaf] == 1 {
			b = append(b, '.')
		} else {
			b = append(b, flatProfile(counts[leaf])...)
		}
		leaf++
	}
	return internProfile(b)
}
