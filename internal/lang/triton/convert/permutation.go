package convert

import (
	"fmt"
	"slices"
	"sort"

	"girih/f2"
)

// A Permutation is a conversion inside a warp that permutes the bits of the register and lane numbers: what bit i says
// about an element in the source, bit p(i) says in the destination. It is a product, as Triton factors it:
//
//	p = mixed ∘ Lane ∘ Reg
//
// Reg permutes the register bits and costs nothing, Lane permutes the lane bits and is one shuffle of every register,
// and mixed are disjoint exchanges of a register bit with a lane bit, each a shuffle between selects.
type Permutation struct {
	Reg      []int      // register bit i becomes register bit Reg[i]
	Lane     []int      // lane bit i becomes lane bit Lane[i]
	Mixed    []Exchange // the exchanges; they commute
	PackBits int        // the low register bits whose elements share a 32-bit word
	Cycles   [][]Bit    // the cycles of p that are longer than one bit, each from its first bit on
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

// An Exchange swaps a register bit with a lane bit. Where elements share words, the permutations of the bits inside a
// word are done by the same instructions: of two words that differ in the register bit, the instruction before the
// shuffle makes two new ones, with the selectors Pre, and the one after the shuffle with Post.
type Exchange struct {
	RegBit, LaneBit int
	Pre, Post       Selectors
}

// Selectors are two selectors of the byte-permute instruction (PTX prmt), for the word whose register bit is 0 and the
// one where it is 1. A digit selects a byte of the first word (0 to 3) or of the second (4 to 7), the last digit for
// the lowest byte. 3210 and 7654 change nothing: then the instruction is a select.
type Selectors struct{ Low, High uint16 }

// String returns the selectors in hexadecimal: "3210/7654".
func (s Selectors) String() string { return fmt.Sprintf("%04x/%04x", s.Low, s.High) }

// bitPermutation returns where each bit of the source goes, register bits first, if the columns of s that are not zero
// are those of t in another order and independent. Bits that repeat elements on both sides stay where they are; the
// others go to bits that repeat elements in the destination, in order.
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
		if v != 0 && !slices.Contains(s, v) || v != 0 && slices.Index(t, v) != i {
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
		from, entered := -1, -1 // the register bit before the run of lane bits, and the first of the run
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

// pack makes every exchange one of a register bit outside the words, and moves permutations of bits inside the words
// that stand next to it in a cycle of Reg into its selectors.
//
// With h a bit outside: (r l) ∘ Reg, where Reg takes r to h, is (h r) ∘ (h l) ∘ Reg', where Reg' leaves r alone and
// takes what went to r to h. So the swap (h r) comes after the exchange. Likewise a low bit t that Reg takes to h
// leaves a swap (h t) before the exchange. An r without such an h is conjugated with any bit h that nothing else uses:
// (r l) = (h r) ∘ (h l) ∘ (h r). The sets of bits of different exchanges stay disjoint, so that they still commute.
func (q *Permutation) pack() {
	paired := make([]bool, len(q.Reg))
	for _, x := range q.Mixed {
		paired[x.RegBit] = true
	}
	// Exchanges that find their own bit outside come first, so that the others do not take it.
	partners := func(x Exchange) int { // how many it needs
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

// needsPartner reports whether no bit outside the words, free for an exchange, follows r in its cycle.
func (q *Permutation) needsPartner(r int, paired []bool) bool {
	return r < q.PackBits && q.outside(r, paired) < 0
}

// outside returns the first bit outside the words that follows r in its cycle of Reg, if only low bits without an
// exchange stand between and it has none itself; otherwise -1.
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

// partner returns the smallest bit outside the words without an exchange. There is one: at most RegBits-len(Mixed) bits
// are inside the words.
func (q *Permutation) partner(paired []bool) int {
	h := q.PackBits
	for paired[h] {
		h++
	}
	return h
}

// source returns the bit that Reg takes to h.
func (q *Permutation) source(h int) int { return slices.Index(q.Reg, h) }

// detach takes r out of its cycle of Reg and returns what followed it.
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
		// The element at pos of the result was, before the swaps, where undoing them from the last on leads.
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
