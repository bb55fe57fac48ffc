package convert

import (
	"fmt"
	"slices"
	"sort"

	"girih/f2"
)

// A Permutation is a conversion inside a warp that permutes the bits of the register and lane numbers: bit i of the
// place of an element in the source is bit p(i) of its place in the destination. It is a product, as Triton factors it:
//
//	p = mixed ∘ Lane ∘ Reg
//
// Reg permutes the register bits and costs nothing. Lane permutes the lane bits and is one shuffle of every register.
// mixed consists of disjoint exchanges of a register bit with a lane bit, each a shuffle between selects.
type Permutation struct {
	Reg      []int      // register bit i becomes register bit Reg[i]
	Lane     []int      // lane bit i becomes lane bit Lane[i]
	Mixed    []Exchange // the exchanges; they commute
	PackBits int        // the number of low register bits whose elements share a 32-bit word
	Cycles   [][]Bit    // the cycles of p with more than one bit; each begins with its smallest bit
}

// A Bit is a bit of the register number or of the lane number.
type Bit struct {
	Lane  bool
	Index int
}

// String returns "r2" or "l0".
func (b Bit) String() string {
	if b.Lane {
		return fmt.Sprintf("l%d", b.Index)
	}
	return fmt.Sprintf("r%d", b.Index)
}

// An Exchange swaps a register bit with a lane bit. If elements share words, the same instructions permute the bits
// inside a word: from two words that differ in the register bit, the instruction before the shuffle makes two new words
// with the selectors Pre, and the instruction after the shuffle with Post.
type Exchange struct {
	RegBit, LaneBit int
	Pre, Post       Selectors
}

// Selectors are two selectors of the byte-permute instruction (PTX prmt), for the words whose register bit is 0 and 1.
// A digit selects a byte of the first word (0 to 3) or of the second (4 to 7); the last digit selects the lowest byte.
// 3210 and 7654 change nothing: then the instruction is a select.
type Selectors struct{ Low, High uint16 }

// String returns the selectors in hexadecimal: "3210/7654".
func (s Selectors) String() string { return fmt.Sprintf("%04x/%04x", s.Low, s.High) }

// bitPermutation returns the place in t of each bit of s, register bits first. ok is false unless the nonzero columns
// of s are the nonzero columns of t in some order, and independent. Bits that repeat elements on both sides stay; the
// other repeating bits go to repeating bits of the destination, in order.
func bitPermutation(s, t []f2.Vector, nr int) ([]int, bool) {
	p := make([]int, len(s))
	var freeSrc, freeDst []int
	used := 0
	for i, v := range s {
		switch {
		case v != 0:
			if p[i] = slices.Index(t, v); p[i] < 0 || slices.Index(s, v) != i {
				return nil, false
			}
			used++
		case t[i] == 0:
			p[i] = i
		default:
			freeSrc = append(freeSrc, i)
		}
	}
	for i, v := range t {
		if v != 0 && (slices.Index(t, v) != i || !slices.Contains(s, v)) {
			return nil, false
		}
		if v == 0 && s[i] != 0 {
			freeDst = append(freeDst, i)
		}
	}
	if f2.Span(s...).Dim() != used || len(freeSrc) != len(freeDst) {
		return nil, false
	}
	for k, i := range freeSrc {
		p[i] = freeDst[k]
	}
	return p, true
}

// newPermutation factors a permutation of nr register bits and nl lane bits. A cycle (.. r_m l_j .. l_k r_i ..) is
// (r_i l_j) ∘ (.. r_m r_i ..) ∘ (l_j .. l_k): the run of lane bits becomes a cycle of its own.
func newPermutation(p []int, nr, nl, elemBits int) *Permutation {
	q := &Permutation{Reg: make([]int, nr), Lane: make([]int, nl)}
	seen := make([]bool, len(p))
	for first := range p {
		if seen[first] {
			continue
		}
		var cycle []Bit
		from, entered := -1, -1 // the register bit before the run of lane bits, and the first lane bit of the run
		for i := first; !seen[i]; i = p[i] {
			seen[i] = true
			cycle = append(cycle, bitAt(i, nr))
			to := p[i]
			switch {
			case i < nr && to < nr:
				q.Reg[i] = to
			case i >= nr && to >= nr:
				q.Lane[i-nr] = to - nr
			case i < nr:
				from, entered = i, to-nr
			default:
				q.Reg[from], q.Lane[i-nr] = to, entered
				q.Mixed = append(q.Mixed, Exchange{RegBit: to, LaneBit: entered})
			}
		}
		if len(cycle) > 1 {
			q.Cycles = append(q.Cycles, cycle)
		}
	}
	q.PackBits = min(packBits(elemBits), nr-len(q.Mixed))
	q.pack()
	return q
}

func bitAt(i, nr int) Bit {
	if i < nr {
		return Bit{false, i}
	}
	return Bit{true, i - nr}
}

// pack makes every exchange use a register bit outside the words. It moves the permutations of bits inside the words
// that are adjacent in a cycle of Reg into the selectors of the exchange.
//
// Let h be a bit outside the words. If Reg maps r to h, then (r l) ∘ Reg = (h r) ∘ (h l) ∘ Reg', where Reg' fixes r and
// maps the source of r to h. So the swap (h r) comes after the exchange. Likewise, a low bit t that Reg maps to h
// leaves a swap (h t) before the exchange. If there is no such h, any unused bit h conjugates the exchange: (r l) = (h
// r) ∘ (h l) ∘ (h r). The bits of different exchanges are still disjoint, so the exchanges still commute.
func (q *Permutation) pack() {
	paired := make([]bool, len(q.Reg))
	for _, x := range q.Mixed {
		paired[x.RegBit] = true
	}
	// Exchanges with their own bit outside the words come first, so that other exchanges do not use this bit.
	partners := func(x Exchange) int { // the number of partners that x needs
		if q.needsPartner(x.RegBit, paired) {
			return 1
		}
		return 0
	}
	sort.SliceStable(q.Mixed, func(i, j int) bool { return partners(q.Mixed[i]) < partners(q.Mixed[j]) })
	for i := range q.Mixed {
		x := &q.Mixed[i]
		var before, after []int // the low bits that are swapped with h, in the order of the swaps
		h := x.RegBit
		if h < q.PackBits {
			if h = q.outside(x.RegBit, paired); h >= 0 {
				for r := x.RegBit; r != h; r = q.detach(r) {
					after = append(after, r)
				}
			} else {
				h = q.partner(paired)
				before, after = []int{x.RegBit}, []int{x.RegBit}
			}
			paired[h] = true
		}
		if len(before) == 0 {
			for t := q.source(h); t < q.PackBits && !paired[t]; t = q.source(h) {
				q.detach(t)
				before = append([]int{t}, before...)
			}
		}
		x.RegBit = h
		x.Pre, x.Post = q.selectors(before), q.selectors(after)
	}
}

// needsPartner reports whether r is inside the words and its cycle has no free bit outside the words after it.
func (q *Permutation) needsPartner(r int, paired []bool) bool {
	return r < q.PackBits && q.outside(r, paired) < 0
}

// outside returns the first bit outside the words that follows r in its cycle of Reg, or -1 if that bit, or a bit
// before it, has an exchange.
func (q *Permutation) outside(r int, paired []bool) int {
	for next := q.Reg[r]; next != r; next = q.Reg[next] {
		if paired[next] {
			return -1
		}
		if next >= q.PackBits {
			return next
		}
	}
	return -1
}

// partner returns the smallest bit outside the words without an exchange. Such a bit exists: at most
// RegBits-len(Mixed) bits are inside the words.
func (q *Permutation) partner(paired []bool) int {
	h := q.PackBits
	for paired[h] {
		h++
	}
	return h
}

// source returns the bit that Reg maps to h.
func (q *Permutation) source(h int) int { return slices.Index(q.Reg, h) }

// detach removes r from its cycle of Reg and returns the bit that followed it.
func (q *Permutation) detach(r int) int {
	next := q.Reg[r]
	q.Reg[q.source(r)] = next
	q.Reg[r] = r
	return next
}

// selectors returns the selectors for swaps of the upper bit of two words with low bits, one after the other.
func (q *Permutation) selectors(swaps []int) Selectors {
	var s Selectors
	for pos := range 8 {
		// Undoing the swaps, beginning with the last, leads to the place of this element before them.
		from := pos
		for _, low := range slices.Backward(swaps) {
			from = swapBits(from, low+2-q.PackBits, 2)
		}
		if pos < 4 {
			s.Low |= uint16(from) << (4 * pos)
		} else {
			s.High |= uint16(from) << (4 * (pos - 4))
		}
	}
	return s
}

func swapBits(x, i, j int) int {
	if x>>i&1 != x>>j&1 {
		x ^= 1<<i | 1<<j
	}
	return x
}
