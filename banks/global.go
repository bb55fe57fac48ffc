package banks

import (
	"slices"

	"girih/cute"
)

// Sizes of NVIDIA's global memory transactions, in bytes (CUDA C++ Best Practices Guide, coalesced access to global
// memory, and the Nsight Compute documentation): lines of caches have 4 sectors, and only whole sectors move.
const (
	SectorBytes = 32
	LineBytes   = 128
)

// A Traffic counts what requests to global memory move. The zero Traffic counts nothing.
type Traffic struct {
	Requests int   // instructions of warps with at least one active lane
	Sectors  int   // the sectors of 32 bytes, counted for each request
	Lines    int   // the lines of 128 bytes, counted for each request
	Bytes    int64 // different bytes that the lanes access, counted for each request
}

// Moved returns the number of bytes that move: whole sectors.
func (t Traffic) Moved() int64 { return SectorBytes * int64(t.Sectors) }

// Efficiency returns the fraction of the moved bytes that some lane accesses, from 0 to 1; 1 if nothing moves.
func (t Traffic) Efficiency() float64 {
	if t.Sectors == 0 {
		return 1
	}
	return float64(t.Bytes) / float64(t.Moved())
}

// add returns the sums.
func (t Traffic) add(u Traffic) Traffic {
	return Traffic{t.Requests + u.Requests, t.Sectors + u.Sectors, t.Lines + u.Lines, t.Bytes + u.Bytes}
}

// RequestTraffic returns the traffic of one request whose lane l accesses width bytes from addrs[l] on, or nothing if
// addrs[l] is [Inactive]. The addresses count from the beginning of a line. Bytes that several lanes access count once.
// An access that is wider than a sector, or straddles two, moves all of its sectors. It returns [cute.CodeExtent] for a
// width that is not positive, [cute.CodeNegative] for any other negative address, and [cute.CodeOverflow] for an
// address beyond any memory.
func RequestTraffic(addrs []int64, width int) (Traffic, error) {
	if width < 1 || width > 1<<20 {
		return Traffic{}, refuse(cute.CodeExtent, "", "expected a width of 1 to %d bytes, found %d", 1<<20, width)
	}
	starts := make([]int64, 0, len(addrs))
	for l, a := range addrs {
		switch {
		case a == Inactive:
		case a < 0:
			return Traffic{}, refuse(cute.CodeNegative, "", "lane %d has the negative address %d", l, a)
		case a > 1<<60:
			return Traffic{}, refuse(cute.CodeOverflow, "", "lane %d has the address %d, which is beyond any memory", l, a)
		default:
			starts = append(starts, a)
		}
	}
	if len(starts) == 0 {
		return Traffic{}, nil
	}
	slices.Sort(starts)
	t := Traffic{Requests: 1}
	end, sector, line := int64(0), int64(-1), int64(-1) // the end of the bytes, sectors and lines counted so far
	for _, a := range starts {
		last := a + int64(width) - 1
		t.Bytes += max(0, last+1-max(a, end))
		end = max(end, last+1)
		t.Sectors += int(max(0, last/SectorBytes-max(a/SectorBytes-1, sector)))
		sector = max(sector, last/SectorBytes)
		t.Lines += int(max(0, last/LineBytes-max(a/LineBytes-1, line)))
		line = max(line, last/LineBytes)
	}
	return t, nil
}

// AtomicTraffic returns the traffic of one request of atom or red, whose lane l changes the place of width bytes at
// addrs[l], or none if addrs[l] is [Inactive]. It equals [RequestTraffic], except that a sector moves once for each
// lane at its busiest place. So 32 lanes that add to one counter move 32 sectors, and 32 lanes that add to 8 counters
// in a sector move 4. Measured on an H200: 120 single-warp accesses of 32, 64 and 128 bits, all reproduced. It returns
// the errors of RequestTraffic, and [cute.CodeNotDivisible] for an address that is not a multiple of width.
func AtomicTraffic(addrs []int64, width int) (Traffic, error) {
	t, err := RequestTraffic(addrs, width)
	if err != nil {
		return t, err
	}
	at := make([]int64, 0, len(addrs))
	for l, a := range addrs {
		if a == Inactive {
			continue
		}
		if a%int64(width) != 0 {
			return Traffic{}, refuse(cute.CodeNotDivisible, "",
				"lane %d has the address %d, no multiple of the %d bytes of the place", l, a, width)
		}
		at = append(at, a)
	}
	slices.Sort(at)
	t.Sectors = 0
	for i := 0; i < len(at); {
		most, sector := 0, at[i]/SectorBytes
		for i < len(at) && at[i]/SectorBytes == sector {
			first := i
			for i < len(at) && at[i] == at[first] {
				i++
			}
			most = max(most, i-first)
		}
		t.Sectors += most
	}
	return t, nil
}

// Traffic returns the traffic of all instructions of all warps if the memory is in global memory and begins at the byte
// address base, given the offsets of all elements in the order of the memory's index. A bulk copy is between global
// memory and the beginning of a line of [LineBytes] of shared memory. It returns the errors of [Plan.Addresses] and
// [RequestTraffic], and [cute.CodeNotDivisible] if base is not a multiple of an access's width, or of 16 bytes for a
// bulk copy.
func (p *Plan) Traffic(offsets []int64, base int64) (Traffic, error) {
	sum, err := Traffic{}, p.checkBase(base)
	if err != nil {
		return sum, err
	}
	for w := range p.warps {
		for i := range p.perWarp {
			t, err := p.trafficAt(offsets, base, w, i)
			if err != nil {
				return Traffic{}, err
			}
			sum = sum.add(t)
		}
	}
	return sum, nil
}

// TrafficAt returns the traffic of one instruction of one warp, both counted from 0, and the errors of [Plan.Traffic].
func (p *Plan) TrafficAt(offsets []int64, base int64, warp, instruction int) (Traffic, error) {
	if err := p.checkBase(base); err != nil {
		return Traffic{}, err
	}
	return p.trafficAt(offsets, base, warp, instruction)
}

func (p *Plan) trafficAt(offsets []int64, base int64, warp, instruction int) (Traffic, error) {
	if err := p.askAt(instruction); err != nil {
		return Traffic{}, err
	}
	addrs, err := p.Addresses(make([]int64, 0, maxLanes), offsets, warp, instruction)
	if err != nil {
		return Traffic{}, err
	}
	for l, a := range addrs {
		if a != Inactive {
			addrs[l] = a + base
		}
	}
	switch {
	case p.rule.access.atomic != 0:
		return AtomicTraffic(addrs, p.rule.access.bits/8)
	case p.rule.access.op == BulkCopy:
		return BulkTraffic(0, addrs[0], int64(p.rule.access.bits/8))
	}
	return RequestTraffic(addrs, p.rule.access.bits/8)
}

// checkBase refuses a base address that makes accesses unaligned.
func (p *Plan) checkBase(base int64) error {
	bytes := int64(p.rule.access.alignment() / 8)
	switch {
	case base < 0 || base > 1<<59:
		return refuse(cute.CodeNegative, "", "expected a base address from 0 to 2^59, found %d", base)
	case base%bytes != 0:
		return refuse(cute.CodeNotDivisible, "choose a narrower access",
			"the base address %d is not a multiple of the %d bytes that %s", base, bytes, p.rule.access.alignedText())
	}
	return nil
}

// An Array is the elements of a memory.
type Array struct {
	Memory   Memory
	ElemBits int   // the size of an element
	Base     int64 // the byte address of the element with offset 0
}

// WidestAccess returns the largest number of bits, up to 128, of a lane's values that the lane can access at once: the
// values must be consecutive, contiguous and aligned for every thread. That is what CuTe's max_common_vector finds for
// layouts that it accepts, here with the alignment of the offsets and of the base. The result is 0 if an element has
// less than 8 bits and no two elements can be accessed together. It returns the errors of [NewPlan] except errors about
// the width.
func (a Array) WidestAccess(t Target, op Op, threads Threads) (int, error) {
	var refused error
	if a.ElemBits < 1 {
		return 0, refuse(cute.CodeExtent, "", "expected the bits of an element, found %d", a.ElemBits)
	}
	for bits := 128; bits >= 8; bits /= 2 {
		if bits%a.ElemBits != 0 {
			continue
		}
		rule, err := t.Rule(Access{op: op, bits: bits})
		if err != nil {
			return 0, err
		}
		var p *Plan
		if p, err = NewPlan(rule, a.Memory, a.ElemBits, threads); err != nil {
			refused = err
			continue
		}
		refused = nil
		if _, err := p.Count(nil); err == nil && a.Base%int64(bits/8) == 0 {
			return bits, nil
		}
	}
	return 0, refused // the reason why even the narrowest access is refused
}
