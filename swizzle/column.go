package swizzle

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
)

// This file searches the linear maps of bits to banks. Such a map has a column, the bank, for each bit of an offset.
// The map must not send certain differences to bank 0. Which differences it sends there depends only on its kernel, so
// the search is for a subspace that avoids all of them (theory of binary matroids: the critical problem of Crapo and
// Rota).

// A columnSearch assigns columns to bits, one after the other.
type columnSearch struct {
	bits  []int // the bits with a column of their own, in the order of assignment
	rows  int   // log2 of the number of banks
	least int   // the fewest rows of a difference; below rows only if reads see more banks than writes
	rules [][]columnRule
	unit  []uint8 // by position: the column of the identity

	cols   []uint8 // the columns so far, by position
	steps  int64   // how many rules were looked at
	limit  int64
	check  func() // called now and then, if not nil
	next   int64  // the number of steps at the next call
	budget int    // the most exclusive ors that the answer may cost
	spare  int    // exclusive ors reserved for bank bits whose columns add nothing
	found  [][]uint8
	want   int // how many assignments to find
}

// A columnRule says that the sum of the columns at positions must be nonzero in at least one of the rows.
type columnRule struct {
	positions uint64 // the positions except the last one, under which the rule is filed
	rows      uint8
}

// A difference is an exclusive or of granules that a map must not take to 0 in the given rows.
type difference struct {
	bits uint64
	rows uint8
}

// newColumnSearch prepares a search over the bits that occur in the differences; bit j < rows is bank bit j.
func newColumnSearch(ds []difference, rows int, limit int64, check func()) *columnSearch {
	s := &columnSearch{rows: rows, least: rows, limit: limit, check: check}
	var all uint64
	var weight [64]int
	for _, d := range ds {
		s.count(1)
		all |= d.bits
		s.least = min(s.least, bits.Len8(d.rows))
		for rest := d.bits; rest != 0; rest &= rest - 1 {
			weight[bits.TrailingZeros64(rest)]++
		}
	}
	for rest := all; rest != 0; rest &= rest - 1 {
		s.bits = append(s.bits, bits.TrailingZeros64(rest))
	}
	// Bank bits come first, because they decide how many other bits must change; then the bits in most differences.
	sort.Slice(s.bits, func(i, j int) bool {
		x, y := s.bits[i], s.bits[j]
		return cmp.Or(cmp.Compare(min(x, rows), min(y, rows)), cmp.Compare(weight[y], weight[x]), cmp.Compare(x, y)) < 0
	})
	at := make(map[int]int)
	for i, b := range s.bits {
		at[b] = i
		u := uint8(0)
		if b < rows {
			u = 1 << b
		}
		s.unit = append(s.unit, u)
	}
	s.rules = make([][]columnRule, len(s.bits))
	s.cols = make([]uint8, len(s.bits))
	for _, d := range ds {
		s.count(1)
		var positions uint64
		for rest := d.bits; rest != 0; rest &= rest - 1 {
			positions |= 1 << at[bits.TrailingZeros64(rest)]
		}
		last := bits.Len64(positions) - 1
		s.rules[last] = append(s.rules[last], columnRule{positions &^ (1 << last), d.rows})
	}
	return s
}

// forbidden returns the columns, one bit each, that break a rule of position i.
func (s *columnSearch) forbidden(i int) uint64 {
	s.count(1 + int64(len(s.rules[i])))
	var bad uint64
	for _, r := range s.rules[i] {
		var v uint8
		for rest := r.positions; rest != 0; rest &= rest - 1 {
			v ^= s.cols[bits.TrailingZeros64(rest)]
		}
		bad |= 1 << v
		for high := r.rows + 1; high>>s.rows == 0; high += r.rows + 1 {
			bad |= 1 << (v&r.rows | high) // rows outside the rule may be anything
		}
		bad |= 1 << (v & r.rows)
	}
	return bad
}

// feasible reports whether there is an assignment, at any cost; done is false if the limit ended the search. The
// conflicts depend on two kernels: the kernel of the rows that all differences share, and the kernel of all rows. One
// map is tried for each pair of kernels.
func (s *columnSearch) feasible() (yes, done bool) {
	s.steps, s.next = 0, 0
	yes = s.feasibleFrom(0, 0)
	return yes, yes || s.steps <= s.limit
}

// feasibleFrom assigns the columns from position i on; the columns before span the first rank rows.
func (s *columnSearch) feasibleFrom(i, rank int) bool {
	if i == len(s.bits) {
		return true
	}
	bad := s.forbidden(i)
	if s.steps > s.limit {
		return false
	}
	if c := uint8(1) << rank; rank < s.least && bad>>c&1 == 0 {
		// The next unit represents every column outside the span: adding other rows to the unit changes no kernel.
		s.cols[i] = c
		if s.feasibleFrom(i+1, rank+1) {
			return true
		}
	}
	for high := range uint8(1) << (s.rows - s.least) {
		for c := range uint8(1) << rank {
			if c |= high << s.least; bad>>c&1 != 0 {
				continue
			}
			s.cols[i] = c
			if s.feasibleFrom(i+1, rank) {
				return true
			}
		}
	}
	return false
}

// cheapest returns column assignments with the fewest exclusive ors, at most want of them, and their cost. At least one
// assignment must exist. done is false if the limit ended the search before cheaper assignments were excluded.
func (s *columnSearch) cheapest(want int) (found [][]uint8, cost int, done bool) {
	s.steps, s.next, s.want = 0, 0, want
	for cost = 0; cost <= (len(s.bits)+1)*s.rows; cost++ {
		s.budget, s.found = cost, nil
		s.cheapestFrom(0, 0)
		if s.steps > s.limit {
			return s.found, cost, false
		}
		if len(s.found) > 0 {
			return s.found, cost, true
		}
	}
	return nil, cost, true
}

// cheapestFrom assigns the columns from position i on, with spent exclusive ors so far.
func (s *columnSearch) cheapestFrom(i, spent int) {
	if s.steps > s.limit || len(s.found) >= s.want {
		return
	}
	if s.endsBankBits(i) {
		// Each bank bit whose column adds nothing to the others costs one more exclusive or, which complete adds.
		s.spare = s.rows - s.bankRank()
	}
	if spent+s.spare > s.budget {
		return
	}
	if i == len(s.bits) {
		if spent+s.spare == s.budget && s.reachesAll() {
			s.found = append(s.found, slices.Clone(s.cols))
		}
		return
	}
	bad := s.forbidden(i)
	spare := s.spare
	for flips := range s.rows + 1 {
		if spent+flips > s.budget {
			break
		}
		for x := range 1 << s.rows {
			c := uint8(x) ^ s.unit[i]
			if bits.OnesCount(uint(x)) != flips || bad>>c&1 != 0 {
				continue
			}
			s.cols[i] = c
			s.cheapestFrom(i+1, spent+flips)
			s.spare = spare
		}
	}
}

// endsBankBits reports whether position i is the first one after the bank bits, or after all bits.
func (s *columnSearch) endsBankBits(i int) bool {
	return i == len(s.bits) || s.bits[i] >= s.rows && (i == 0 || s.bits[i-1] < s.rows)
}

// bankColumns returns the columns of the bank bits; a bank bit that is in no difference keeps its own column.
func (s *columnSearch) bankColumns(cols []uint8) []uint8 {
	out := make([]uint8, s.rows)
	for j := range out {
		out[j] = 1 << j
	}
	for i, b := range s.bits {
		if b < s.rows {
			out[b] = cols[i]
		}
	}
	return out
}

func (s *columnSearch) bankRank() int {
	var e basis
	for _, c := range s.bankColumns(s.cols) {
		e.add(uint64(c), 0)
	}
	return e.rank
}

// reachesAll reports whether the columns, including the columns of bank bits that are in no difference, span all rows.
// Otherwise two offsets coincide, for any images of the other bits.
func (s *columnSearch) reachesAll() bool {
	var e basis
	for _, c := range s.bankColumns(s.cols) {
		e.add(uint64(c), 0)
	}
	for _, c := range s.cols {
		e.add(uint64(c), 0)
	}
	return e.rank == s.rows
}

// complete returns the images of n bits: the found columns in the bank bits, and the other bits as they are. A bank bit
// whose column adds nothing to the others' also goes to another bit, so that no two offsets coincide.
func (s *columnSearch) complete(cols []uint8, n int) []uint64 {
	image := make([]uint64, n)
	bank := s.bankColumns(cols)
	for j := range image {
		image[j] = 1 << j
		if j < s.rows {
			image[j] = uint64(bank[j])
		}
	}
	for i, b := range s.bits {
		if b >= s.rows {
			image[b] |= uint64(cols[i])
		}
	}
	var e basis
	var lost []int
	for j, c := range bank {
		if _, ok := e.add(uint64(c), 0); !ok {
			lost = append(lost, j)
		}
	}
	for j := s.rows; j < n && len(lost) > 0; j++ {
		if _, ok := e.add(image[j]&(1<<s.rows-1), 0); ok {
			image[lost[0]] |= 1 << j
			lost = lost[1:]
		}
	}
	return image
}

// subspaces returns the number of subspaces of codimension at most k of the vectors of n bits, at most MaxInt64.
func subspaces(n, k int) int64 {
	const most = 1<<63 - 1
	// Pascal's triangle with powers of two: [n,k] = [n-1,k-1] + 2^k [n-1,k].
	row := make([]float64, k+1)
	row[0] = 1
	for range n {
		for j := k; j > 0; j-- {
			row[j] = row[j-1] + row[j]*float64(uint64(1)<<j)
		}
	}
	total := 0.0
	for _, x := range row {
		total += x
	}
	if total >= most {
		return most
	}
	return int64(total)
}
