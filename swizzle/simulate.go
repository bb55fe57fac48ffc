package swizzle

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/banks"
)

// A Cost is the sum over the instructions of one access.
type Cost struct {
	Name         string
	Instructions int
	Wavefronts   int
	Ideal        int // one wavefront for each phase
	Degree       int // the largest degree of a phase; 1 is conflict-free
}

// Extra returns the wavefronts that conflicts cost.
func (c Cost) Extra() int { return c.Wavefronts - c.Ideal }

// extra returns the wavefronts that conflicts cost in all accesses.
func extra(cs []Cost) int {
	n := 0
	for _, c := range cs {
		n += c.Extra()
	}
	return n
}

// simulate runs every instruction with the offsets moved by f, as the machine does. ok is false if an address is not
// aligned after the move, or the elements at one address are no longer adjacent and in order.
func (t *tile) simulate(f func(uint64) uint64) (cs []Cost, free, ok bool) {
	free = true
	cs = make([]Cost, len(t.accesses))
	for i, a := range t.accesses {
		cs[i] = Cost{Name: a.Name, Instructions: len(a.warps)}
	}
	ok = t.run(f, func(access int, n banks.Count) bool {
		c := &cs[access]
		c.Wavefronts += n.Wavefronts
		c.Ideal += n.Ideal
		c.Degree = max(c.Degree, n.Degree)
		free = free && n.Wavefronts <= n.Ideal
		return true
	})
	if !ok {
		return nil, false, false
	}
	return cs, free, true
}

// conflictFree reports whether simulate returns ok and free. It ends at the first conflict.
func (t *tile) conflictFree(f func(uint64) uint64) bool {
	free := true
	ok := t.run(f, func(_ int, n banks.Count) bool {
		free = n.Wavefronts <= n.Ideal
		return free
	})
	return free && ok
}

// run runs every instruction with the offsets moved by f, and calls each with the access's number and the instruction's
// cost until each returns false. It returns false if an address does not fit; see simulate.
func (t *tile) run(f func(uint64) uint64, each func(access int, n banks.Count) bool) bool {
	t.check()
	addrs := make([]int64, 64)
	for ai, a := range t.accesses {
		for _, warp := range a.warps {
			if len(warp) > len(addrs) {
				addrs = make([]int64, len(warp))
			}
			for i, x := range warp {
				if addrs[i] = banks.Inactive; x == banks.Inactive {
					continue
				}
				y := f(uint64(x))
				for e := uint64(1); e < 1<<t.vec[ai]; e++ {
					if f(uint64(x)+e) != y+e {
						return false
					}
				}
				if y&(1<<t.vec[ai]-1) != 0 {
					return false
				}
				addrs[i] = t.address(y)
			}
			n, err := a.rule.Count(addrs[:len(warp)])
			if err != nil {
				return false
			}
			if !each(ai, n) {
				return true
			}
		}
	}
	return true
}

// judge counts with the plans, with the offsets of the whole tile moved by f, and compares the result with the
// simulation. Every answer must pass judge: plans know the threads, and each element of a vector.
func (t *tile) judge(f func(uint64) uint64, costs []Cost) error {
	moved := make([]int64, len(t.table))
	for i, x := range t.table {
		moved[i] = int64(f(uint64(x)))
	}
	for i, a := range t.accesses {
		n, err := a.plan.Count(moved)
		if err != nil {
			return of(a.Name, err)
		}
		if c := costs[i]; n.Wavefronts != c.Wavefronts || n.Ideal != c.Ideal || n.Degree != c.Degree {
			return internalError(fmt.Sprintf("%s takes %d wavefronts for the machine's rules and %d in the search", a.Name,
				n.Wavefronts, c.Wavefronts))
		}
	}
	return nil
}

// stays reports whether the tile keeps its place when its offsets are moved by a linear map.
func (t *tile) stays(f func(uint64) uint64) bool {
	// The image of every offset is a sum of images of basis vectors, and so is every change of an offset.
	var all, changed uint64
	for _, x := range t.span {
		all |= f(x)
		changed |= f(x) ^ x
	}
	if all < uint64(t.cosize) {
		return true
	}
	// Only offsets that agree with the last offset above the changed bits can leave the tile.
	n := bits.Len64(changed)
	for _, x := range slices.Backward(t.image) {
		switch {
		case x>>n < (t.cosize-1)>>n:
			return true
		case f(uint64(x)) >= uint64(t.cosize):
			return false
		}
	}
	return true
}

// grows returns by how many elements a linear map of the offsets makes the tile longer.
func (t *tile) grows(f func(uint64) uint64) int64 {
	if t.stays(f) {
		return 0
	}
	last := uint64(0)
	for _, x := range t.image {
		last = max(last, f(uint64(x)))
	}
	return int64(last) + 1 - t.cosize
}
