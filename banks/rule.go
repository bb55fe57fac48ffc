package banks

import (
	"fmt"

	"girih/cute"
)

// Inactive is the address of a lane that does not take part.
const Inactive int64 = -1

// maxLanes is the largest warp.
const maxLanes = 64

// A Rule says how one machine serves one instruction: the lanes of each phase, the number of banks, and which loads
// merge. [Target.Rule] returns one; the zero Rule is not valid. It is plain data: copying and concurrent use are safe.
type Rule struct {
	target Target
	access Access
	source string

	banks  int
	warp   int // threads
	lanes  int // the number of lanes that have an address; these are the first lanes of the warp
	phase  int // lanes per phase
	merged int // lanes per merged phase; 0 if phases never merge
	passes int // passes through the banks per lane: 2 for atom.cas, otherwise 1
	// eachLane reports that lanes that access the same word also take turns. This is so for atomics, and for the writes
	// of cp.async.
	eachLane bool
	order    [maxLanes]uint8
}

// inOnePhase returns the rule with all lanes of the warp in one phase, in their order.
func (r Rule) inOnePhase() Rule {
	r.lanes, r.phase, r.passes = r.warp, r.warp, 1
	for i := range r.order {
		r.order[i] = uint8(i)
	}
	return r
}

// Target returns the machine.
func (r *Rule) Target() Target { return r.target }

// Access returns the instruction.
func (r *Rule) Access() Access { return r.access }

// Source cites the documentation or measurement of the rule.
func (r *Rule) Source() string { return r.source }

// EachLane reports whether lanes that access the same word conflict with each other, as in atomics and cp.async; loads
// and stores serve such lanes together.
func (r *Rule) EachLane() bool { return r.eachLane }

// Passes returns how often an access goes through the banks: 2 for atom.cas, and 1 for all others.
func (r *Rule) Passes() int { return r.passes }

// Banks returns the number of banks, each 4 bytes wide.
func (r *Rule) Banks() int { return r.banks }

// Lanes returns the number of lanes with an address, counted from lane 0: 8 for each matrix of ldmatrix and stmatrix,
// otherwise all.
func (r *Rule) Lanes() int { return r.lanes }

// Phases returns, phase by phase, the lanes of an access that does not merge.
func (r *Rule) Phases() [][]int { return r.phases(r.phase) }

// MergedPhases returns, phase by phase, the lanes of a load that merges: see [Rule.Count]. It is nil for instructions
// that never merge.
func (r *Rule) MergedPhases() [][]int { return r.phases(r.merged) }

//go:noinline
func (r *Rule) phases(size int) [][]int {
	if size == 0 {
		return nil
	}
	var ps [][]int
	for start := 0; start < r.lanes; start += size {
		p := make([]int, size)
		for i := range p {
			p[i] = int(r.order[start+i])
		}
		ps = append(ps, p)
	}
	return ps
}

// unit returns the number of bytes that move together, at least the 4 of a bank, and the number of places for them in
// the banks.
func (r *Rule) unit() (bytes, places int) {
	bytes = max(r.access.bits/8, 4)
	return bytes, r.banks * 4 / bytes
}

// A Count is the cost of one instruction of one warp.
type Count struct {
	Wavefronts int // passes through the banks in all phases; for AMD, whose warps are called wavefronts, these are cycles
	// Ideal is the fewest wavefronts of such an access: one for each phase with an active lane, or two for atom.cas.
	// The hardware counter of bank conflicts counts the wavefronts beyond that.
	Ideal int
	// Degree is the largest number of turns of a phase. The turns are the phase's wavefronts, or half of the wavefronts
	// for atom.cas: 1 is conflict-free, 8 is an 8-way conflict; 0 if no lane is active.
	Degree int
	Phases int  // the number of phases with an active lane
	Merged bool // two lanes share each address, so the load needs half as many phases
}

// Count returns the wavefronts of the instruction if lane l accesses the byte address addrs[l], or nothing if addrs[l]
// is [Inactive]. Lanes beyond the end of addrs are inactive. It allocates nothing unless it fails.
//
// Each phase takes as many wavefronts as the largest number of different 4-byte words that its lanes want from one
// bank. For atomics and cp.async ([Rule.EachLane]) the count is the largest number of lanes that want one bank, and
// twice that for atom.cas. A 64- or 128-bit load of NVIDIA's machines takes half as many phases if every lane l has the
// same address as lane l^1, or if every lane l has the same address as lane l^2; inactive lanes match anything.
//
// It returns [cute.CodeRank] for more addresses than lanes, [cute.CodeNegative] for any other negative address,
// [cute.CodeNotDivisible] for an address that is not a multiple of the width of the access, and [cute.CodeRank] if a
// row of a matrix has no address.
func (r *Rule) Count(addrs []int64) (Count, error) {
	if len(addrs) > r.lanes || r.access.op.isMatrix() || r.lanes == 0 {
		if err := r.checkLanes(addrs); err != nil {
			return Count{}, err
		}
		addrs = addrs[:r.lanes]
	}
	bytes, _ := r.unit()
	mask := int64(r.access.bits/8 - 1)
	for _, a := range addrs {
		if (a < 0 && a != Inactive) || (a >= 0 && a&mask != 0) {
			return Count{}, r.addressError(addrs)
		}
	}
	var c Count
	size := r.phase
	if r.merges(addrs) {
		size, c.Merged = r.merged, true
	}
	shift := 2
	for 1<<shift < bytes {
		shift++
	}
	for start := 0; start < r.lanes; start += size {
		d := r.degree(addrs, r.order[start:start+size], shift)
		if d == 0 {
			continue
		}
		c.Wavefronts += r.passes * d
		c.Phases++
		c.Degree = max(c.Degree, d)
	}
	c.Ideal = r.passes * c.Phases
	return c, nil
}

// merges reports whether the instruction takes half as many phases because lanes share addresses in pairs.
func (r *Rule) merges(addrs []int64) bool {
	return r.merged != 0 && (pairsEqual(addrs, 1) || pairsEqual(addrs, 2))
}

// pairsEqual reports whether the lanes l and l^x have the same address for all l for which both are active.
func pairsEqual(addrs []int64, x int) bool {
	for l, a := range addrs {
		if k := l ^ x; k > l && k < len(addrs) && addrs[k] != a && a != Inactive && addrs[k] != Inactive {
			return false
		}
	}
	return true
}

// degree returns the largest number of different units that the lanes want in one place of the banks; with eachLane,
// the largest number of lanes. A unit is 1<<shift bytes, and its place is given by the low bits of its number.
func (r *Rule) degree(addrs []int64, lanes []uint8, shift int) int {
	mask := int64(r.banks*4>>shift - 1)
	// Each place has a chain of lanes. first contains 1 + the first lane of the chain, and next contains 1 + the
	// following lane.
	var first, next, count [maxLanes]uint8
	most := uint8(0)
	for _, l := range lanes {
		if int(l) >= len(addrs) || addrs[l] < 0 {
			continue
		}
		u := addrs[l] >> shift
		at := u & mask & (maxLanes - 1)
		k := first[at]
		for k != 0 && (r.eachLane || addrs[k-1]>>shift != u) {
			k = next[k-1]
		}
		if k != 0 {
			continue
		}
		next[l], first[at] = first[at], l+1
		count[at]++
		most = max(most, count[at])
	}
	return int(most)
}

// checkLanes refuses too many addresses, and matrices with a row that lacks an address.
func (r *Rule) checkLanes(addrs []int64) error {
	switch {
	case r.lanes == 0:
		return refuse(cute.CodeType, "use Target.Rule", "expected the rule of a target, found none")
	case len(addrs) > r.warp:
		return refuse(cute.CodeRank, "", "%s has warps of %d threads, found %d addresses", r.target, r.warp, len(addrs))
	case !r.access.op.isMatrix():
		return nil
	}
	for l := range r.lanes {
		if l >= len(addrs) || addrs[l] == Inactive {
			return refuse(cute.CodeRank, "", "%v takes the addresses of %d rows, lane %d has no address", r.access, r.lanes, l)
		}
	}
	return nil
}

// addressError returns the error for the first address that is negative or not aligned.
func (r *Rule) addressError(addrs []int64) error {
	bytes := int64(r.access.bits / 8)
	for l, a := range addrs {
		switch {
		case a == Inactive:
		case a < 0:
			return refuse(cute.CodeNegative, "", "lane %d has the negative address %d", l, a)
		case a%bytes != 0:
			return refuse(cute.CodeNotDivisible, fmt.Sprintf("an access of at most %d bits is aligned there", 8*(a&-a)),
				"lane %d has the address %d, which is not a multiple of the %d bytes that %v moves", l, a, bytes, r.access)
		}
	}
	return nil
}

// Wavefronts returns the wavefronts of one instruction of one warp on the machine: [Rule.Count] of [Target.Rule],
// with the errors of both.
func Wavefronts(t Target, a Access, addrs []int64) (Count, error) {
	r, err := t.Rule(a)
	if err != nil {
		return Count{}, err
	}
	return r.Count(addrs)
}
