package swizzle

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/internal/ints"
)

// A Problem is a tile in shared memory and the accesses to it that should not conflict.
type Problem struct {
	// Layout gives the tile's offsets, in elements: a [cute.Layout], or a [cute.Composed], which cannot be padded.
	Layout banks.Memory
	// ElemBits is the width of an element: 4, 8, 16, 32, 64 or 128 bits, or less.
	ElemBits int
	Accesses []Access
	// Stop, if it is not nil, is called from time to time; an error that it returns ends the search.
	Stop func() error
}

// An Access is one way in which the tile is read or written.
type Access struct {
	Name string // how reports name it
	Plan *banks.Plan
}

// TileLimit is the largest number of elements of a tile that [Solve] accepts: more than the shared memory of any
// machine holds in elements of 4 bits. LaneLimit limits the lanes in all instructions of all accesses. ClashLimit
// limits the distinct differences, by exclusive or, between offsets of lanes that are served together.
const (
	TileLimit = 1 << 19
	LaneLimit = 1 << 20

	ClashLimit = 1 << 20
)

// A tile is a problem prepared for the search.
type tile struct {
	Problem
	table    []int64 // the offset of each element
	accesses []access

	shift   int // log2 of the elements in a word of 4 bytes; negative if an element is larger
	vec     []int
	granule int // log2 of the elements that a general map keeps together: the widest vector, at least a word
	bits    int // the number of bits of an offset

	image  []int64  // the distinct offsets, ascending
	span   []uint64 // a basis of their span
	cosize int64
	full   bool // every offset below cosize is used

	starts  [][]uint64 // by access: a basis of the span of its lanes' offsets
	phases  []phase    // one of all phases that differ only by an exclusive or
	clashes []clash    // differences of offsets that must not be in one bank
}

// An access is an [Access] with its offsets.
type access struct {
	Name  string
	plan  *banks.Plan
	rule  *banks.Rule
	warps [][]int64 // for each instruction and lane, the offset of the element at its address, or banks.Inactive
}

// A phase is a set of lanes that are served together.
type phase struct {
	access int
	warp   int      // the first instruction that has the phase
	lanes  []int    // in the order of offs
	offs   []uint64 // the different offsets of the lanes
	weight int      // the number of phases that differ only by an exclusive or, times the passes of a phase
}

// A clash is the difference, by exclusive or, between the offsets of two lanes that are served together. The two must
// not be in different words of the same bank.
type clash struct {
	diff  uint64
	banks int32 // log2 of the number of banks
	phase int32 // the index of the phase
}

// A clashKey is a difference of one access.
type clashKey struct {
	access int
	diff   uint64
}

const opSolve = "swizzle"

// prepare checks the problem and computes the input of the searches.
func prepare(p Problem) (*tile, error) {
	t := &tile{Problem: p}
	if n := p.Layout.Size(); n > TileLimit {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: opSolve, Msg: fmt.Sprintf("expected a tile of at most %d elements, found %d", TileLimit,
				n), Hint: "a tile in shared memory is smaller: take a slice",
		}
	}
	var err error
	if t.table, err = offsetsOf(opSolve, p.Layout); err != nil {
		return nil, err
	}
	if err := t.units(); err != nil {
		return nil, err
	}
	if err := t.enumerate(); err != nil {
		return nil, err
	}
	t.image = slices.Clone(t.table)
	_ = ints.Sort(t.image, t.checkStop)
	t.image = slices.Compact(t.image)
	t.span = spanOf(t.image, t.checkAt)
	last := t.image[len(t.image)-1]
	if last >= 1<<(MaxBits-10) {
		return nil, &cute.Error{
			Code: cute.CodeOverflow, Op: opSolve, Msg: fmt.Sprintf("the offset %d is no place in shared memory", last),
		}
	}
	t.cosize = last + 1
	t.full = t.cosize == int64(len(t.image))
	t.bits = bits.Len64(uint64(last))
	return t, t.collect()
}

// units checks the widths of elements and accesses, and sets the units in which the search counts.
func (t *tile) units() error {
	if len(t.Accesses) == 0 {
		return &cute.Error{Code: cute.CodeRank, Op: opSolve, Msg: "expected at least one access, found none"}
	}
	eb := t.ElemBits
	if eb < 1 || eb > 128 || eb&(eb-1) != 0 {
		return &cute.Error{
			Code: cute.CodeNotDivisible, Op: opSolve,
			Msg: fmt.Sprintf("expected elements of a power of two of bits up to 128, found %d: for other widths the bank is not in bits of the offset",
				eb),
		}
	}
	t.shift = bits.TrailingZeros(32) - bits.TrailingZeros(uint(eb))
	t.granule = max(t.shift, 0)
	for _, a := range t.Accesses {
		if a.Plan == nil {
			return &cute.Error{
				Code: cute.CodeRank, Op: opSolve, Msg: fmt.Sprintf("expected a plan of the instructions of %q, found none", a.Name),
			}
		}
		v := bits.TrailingZeros(uint(a.Plan.Vector()))
		t.vec = append(t.vec, v)
		t.granule = max(t.granule, v)
	}
	return nil
}

// enumerate lists the offsets of all lanes of all instructions.
func (t *tile) enumerate() error {
	total := 0
	for _, a := range t.Accesses {
		acc := access{Name: a.Name, plan: a.Plan, rule: a.Plan.Rule()}
		if total += a.Plan.Warps() * a.Plan.Instructions() * acc.rule.Lanes(); total > LaneLimit {
			return &cute.Error{
				Code: cute.CodeLimit, Op: opSolve,
				Msg:  fmt.Sprintf("expected at most %d lanes in all instructions, found %d up to %s", LaneLimit, total, a.Name),
				Hint: "instructions that only repeat others elsewhere in the tile can be left out",
			}
		}
		for w := range a.Plan.Warps() {
			t.check()
			for i := range a.Plan.Instructions() {
				lanes, err := a.Plan.Addresses(nil, t.table, w, i)
				if err != nil {
					return of(a.Name, err)
				}
				for l, addr := range lanes {
					if addr != banks.Inactive {
						lanes[l] = addr * 8 / int64(t.ElemBits)
					}
				}
				acc.warps = append(acc.warps, lanes)
			}
		}
		t.accesses = append(t.accesses, acc)
	}
	return nil
}

// of names the access in an error.
func of(name string, err error) error {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return err
	}
	named := *e
	named.Op = opSolve
	if !strings.HasPrefix(e.Msg, name) {
		named.Msg = name + ": " + e.Msg
	}
	return &named
}

// address returns the byte address of an offset.
func (t *tile) address(x uint64) int64 { return int64(x) * int64(t.ElemBits) / 8 }

// collect finds the phases and the differences that clash.
func (t *tile) collect() error {
	c := collector{tile: t, seen: make(map[string]int), pairs: make(map[clashKey]bool)}
	for i := range t.accesses {
		if err := c.access(i); err != nil {
			return err
		}
	}
	return nil
}

// A collector collects the phases of a tile. It counts phases that differ only by an exclusive or as one phase.
type collector struct {
	*tile
	seen  map[string]int // the index of the phase with a key
	pairs map[clashKey]bool
	key   []byte
}

// access collects the phases of an access, and a basis of the offsets of its lanes.
func (c *collector) access(ai int) error {
	a := &c.accesses[ai]
	var span basis
	var starts []uint64
	plain, merged := a.rule.Phases(), a.rule.MergedPhases()
	addrs := make([]int64, a.rule.Lanes())
	for wi, warp := range a.warps {
		c.check()
		for i, x := range warp {
			if addrs[i] = banks.Inactive; x != banks.Inactive {
				addrs[i] = c.address(uint64(x))
				if _, ok := span.add(uint64(x), 0); ok {
					starts = append(starts, uint64(x))
				}
			}
		}
		count, err := a.rule.Count(addrs[:len(warp)])
		if err != nil {
			return of(a.Name, err)
		}
		phases := plain
		if count.Merged {
			phases = merged
		}
		for _, lanes := range phases {
			if err := c.phase(ai, wi, lanes); err != nil {
				return err
			}
		}
	}
	c.starts = append(c.starts, starts)
	return nil
}

// phase collects a phase of an instruction, and its differences unless an earlier phase has the same differences.
func (c *collector) phase(ai, wi int, lanes []int) error {
	a := &c.accesses[ai]
	warp := a.warps[wi]
	ph := phaseOf(ai, wi, lanes, warp)
	ph.weight = a.rule.Passes()
	if len(ph.offs) == 0 {
		return nil
	}
	repeats := func(l int) bool { return isActive(warp, l) && !slices.Contains(ph.lanes, l) }
	if a.rule.EachLane() && slices.ContainsFunc(lanes, repeats) {
		return &cute.Error{
			Code: cute.CodeNotInjective, Op: opSolve,
			Msg:  a.Name + ": two lanes that are served together access one element, and take turns wherever it is",
			Hint: "give each lane an element of its own, or leave the access out",
		}
	}
	c.key = ph.key(c.key[:0])
	if i, ok := c.seen[string(c.key)]; ok {
		c.phases[i].weight += ph.weight
		return nil
	}
	c.seen[string(c.key)] = len(c.phases)
	c.phases = append(c.phases, ph)
	c.addClashes(len(c.phases)-1, c.pairs)
	if len(c.clashes) > ClashLimit {
		return &cute.Error{
			Code: cute.CodeLimit, Op: opSolve,
			Msg: fmt.Sprintf(
				"expected at most %d different differences between offsets of lanes that are served together, found more",
				ClashLimit),
			Hint: "the offsets of tiles in shared memory repeat theirs: take a slice",
		}
	}
	return nil
}

// isActive reports whether a lane of an instruction takes part.
func isActive(offs []int64, lane int) bool { return lane < len(offs) && offs[lane] != banks.Inactive }

// phaseOf returns those active lanes of a phase whose offsets differ.
func phaseOf(access, warp int, lanes []int, offs []int64) phase {
	ph := phase{access: access, warp: warp}
	for _, l := range lanes {
		if isActive(offs, l) && !slices.Contains(ph.offs, uint64(offs[l])) {
			ph.lanes = append(ph.lanes, l)
			ph.offs = append(ph.offs, uint64(offs[l]))
		}
	}
	return ph
}

// key returns a key that is equal for phases that differ only by an exclusive or: linear maps treat such phases alike.
func (p phase) key(b []byte) []byte {
	b = append(b, byte(p.access), byte(p.access>>8))
	var buf [64]uint64
	diffs := buf[:0]
	for _, x := range p.offs {
		diffs = append(diffs, x^p.offs[0])
	}
	slices.Sort(diffs)
	for _, d := range diffs {
		b = append(b, byte(d), byte(d>>8), byte(d>>16), byte(d>>24), byte(d>>32), byte(d>>40), byte(d>>48), byte(d>>56))
	}
	return b
}

// addClashes adds the differences of a phase.
func (t *tile) addClashes(i int, seen map[clashKey]bool) {
	ph := t.phases[i]
	banks := int32(bits.TrailingZeros(uint(t.accesses[ph.access].rule.Banks())))
	for x := range ph.offs {
		for y := range x {
			key := clashKey{ph.access, ph.offs[x] ^ ph.offs[y]}
			if !seen[key] {
				seen[key] = true
				t.clashes = append(t.clashes, clash{diff: key.diff, banks: banks, phase: int32(i)})
			}
		}
	}
}

// word returns the number of the word that an offset is in.
func (t *tile) word(x uint64) uint64 {
	if t.shift < 0 {
		return x << -t.shift
	}
	return x >> t.shift
}

// sameBank reports whether two offsets whose exclusive or is d are in different words of one bank.
func (t *tile) sameBank(d uint64, banks int32) bool {
	w := t.word(d)
	return w != 0 && w&(1<<banks-1) == 0
}
