package kernel

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"girih/cute"
	"girih/internal/ints"
	"girih/internal/machine/address"
	"girih/ptx"
)

// This file counts the requests of a launch by classes. A point is a block and an iteration of each loop around an
// access. The cost of a request depends on its point only by
//
//   - the residues of its addresses modulo 128 bytes: a distance of whole lines changes neither sectors nor banks;
//   - which lanes execute it, by comparisons of numbers;
//   - which part of the box of a TMA copy is inside.
//
// Each of these is a number, the sum of one function of the threads and one function of each variable of the point: an
// aspect. So points are never visited: the variables are added one after another, points with equal partial sums are
// counted together, and of a comparison that holds, or fails, whatever is added later, only that is kept. What remains
// of a gemm are the blocks inside and at the edges of the tensors. One point of each class is then visited as
// [Kernel.PlanBlocks] visits all points.
//
// Variables that occur together in one term, for example in ⌊(a+b)/3⌋, are added together. A variable that occurs
// together with the thread has one class for each value.

const (
	lineBytes     = 128     // the period of costs as functions of an address
	maxClassSteps = 1 << 22 // partial sums for one access
	maxClasses    = 1 << 17 // classes for one access
	maxVariable   = 1 << 20 // values of a variable, or of several that are added together
	maxKept       = 1 << 23 // sums that are kept for other accesses
	maxAspect     = 1 << 60 // the largest number in a comparison
)

// A variable is a coordinate of points: lo, ..., hi-1.
type variable struct {
	sym    *address.Symbol // nil if nothing depends on it
	lo, hi int64
}

// An expression depends on a set of variables: a bit for each, and these bits.
const (
	onThread  uint64 = 1 << 63
	onData    uint64 = 1 << 62
	onBlocks  uint64 = 1 << 61 // a number that is derived from the numbers of blocks
	unclear   uint64 = 1 << 60 // no variable: it cannot be classified
	variables uint64 = 1<<60 - 1
)

// classes counts points by classes.
type classes struct {
	w       *walker
	grid    [3]int64
	uses    map[*address.Symbol]uint64
	vars    []variable // the blocks along x, y and z, then the counters of loops
	sums    map[sumKey][]int64
	threads map[address.Expr][]int64
	seen    map[string]Cost
	numbers map[address.Expr]uint64
	kept    int  // the length of all sums
	failed  bool // the access cannot be classified
}

// A sumKey names the values of those terms of an expression that depend on variables of a set.
type sumKey struct {
	x    address.Expr
	vars uint64
}

func (w *walker) classes(grid [3]int64) *classes {
	c := &classes{
		w: w, grid: grid, uses: map[*address.Symbol]uint64{}, sums: map[sumKey][]int64{},
		threads: map[address.Expr][]int64{}, seen: map[string]Cost{}, numbers: map[address.Expr]uint64{},
	}
	for sym := range w.lanes[0] {
		c.uses[sym] = 0
	}
	for i, sym := range w.blocks {
		c.vars = append(c.vars, variable{sym, 0, grid[i]})
		if sym != nil {
			c.uses[sym] = 1 << i
		}
	}
	for _, name := range []string{"%tid.x", "warp", "warpgroup", "warpgroup.thread"} {
		if sym := w.k.special[ptx.Name(name)]; sym != nil {
			c.uses[sym] = onThread
		}
	}
	if sym := w.k.special["%cluster_ctarank"]; sym != nil {
		for i, n := range w.k.Cluster {
			if n > 1 {
				c.uses[sym] |= 1<<i | onBlocks
			}
		}
	}
	for _, d := range w.k.derived {
		c.uses[d.sym] = 0
		for _, x := range d.of {
			c.uses[d.sym] |= c.on(x)
		}
		if c.uses[d.sym] != 0 {
			c.uses[d.sym] |= onBlocks
		}
	}
	w.block([3]int64{})
	return c
}

// on returns what an expression depends on.
func (c *classes) on(x address.Expr) uint64 {
	set := uint64(0)
	x.Symbols(func(s *address.Symbol) { set |= c.onSymbol(s) })
	return set
}

func (c *classes) onTerm(t address.Term) uint64 {
	set := uint64(0)
	t.Symbols(func(s *address.Symbol) { set |= c.onSymbol(s) })
	return set
}

func (c *classes) onSymbol(s *address.Symbol) uint64 {
	if set, ok := c.uses[s]; ok {
		return set
	}
	d := c.w.k.data.late[s]
	switch {
	case d == nil:
		return unclear // the counter of a loop that is around other accesses only
	case d.how == nil:
		c.uses[s] = onData
		return onData
	}
	set := uint64(0)
	for _, x := range d.of {
		set |= c.on(x)
	}
	if set&unclear == 0 {
		c.uses[s] = set
	}
	return set
}

// cost returns the cost of an access in all blocks. It returns false if the access cannot be classified.
func (c *classes) cost(a *transfer) (Cost, bool) {
	name := c.signature(a)
	if out, ok := c.seen[name]; ok {
		return out, true
	}
	c.failed = false
	before := c.w.err
	own := c.loops(a)
	aspects := c.aspects(a)
	groups := c.groups(aspects)
	times := c.free(own, groups)
	var points []class
	if !c.failed && times > 0 {
		points = c.count(groups, aspects)
		few := c.free(own, nil) / 8 // to visit one point of a class costs more than to visit one of many in turn
		c.failed = c.failed || int64(len(points)) > max(few, 8)
	}
	if c.w.err != nil && before == nil {
		c.failed, c.w.err = true, nil // a number that no request may have
	}
	if c.failed {
		return Cost{}, false
	}
	var out Cost
	for _, p := range points {
		n, ok := ints.Mul(p.points, times)
		if !ok || !out.addTimes(c.visit(a, groups, p), n) {
			c.w.err = tooMuch
		}
	}
	c.seen[name] = out
	return out, true
}

// tooMuch is the error for a cost that does not fit in 64 bits.
var tooMuch = &cute.Error{Code: cute.CodeOverflow, Op: "plan", Msg: "the cost of the launch exceeds 64 bits"}

// addTimes adds n times another cost. It reports whether the sums fit in 64 bits.
func (c *Cost) addTimes(d Cost, n int64) bool {
	fits := true
	for _, p := range [...][2]*int64{
		{&c.Requests, &d.Requests},
		{&c.Bytes, &d.Bytes},
		{&c.Bulk, &d.Bulk},
		{&c.Sectors, &d.Sectors},
		{&c.Fewest, &d.Fewest},
		{&c.Wavefronts, &d.Wavefronts},
		{&c.Ideal, &d.Ideal},
		{&c.Unknown, &d.Unknown},
	} {
		x, ok := ints.Mul(*p[1], n)
		y, ok2 := ints.Add(*p[0], x)
		*p[0], fits = y, fits && ok && ok2
	}
	c.Ways = max(c.Ways, d.Ways)
	return fits
}

// each returns the cost of an access by visiting all points, if there are few.
func (c *classes) each(a *transfer) (out Cost) {
	points := c.free(c.loops(a), nil)
	if blocks := c.free(1<<len(c.grid)-1, nil); c.w.err == nil &&
		(points > MaxPlanned/((c.w.k.Threads+WarpSize-1)/WarpSize) || blocks > MaxPlanned/c.w.k.Threads) {
		file, line := a.place()
		c.w.err = &cute.Error{
			Code: cute.CodeLimit, Op: "plan", Hint: "ask PlanBlocks for some blocks", Msg: fmt.Sprintf(
				"the costs of %s at %s:%d, of %d threads in %d blocks and iterations, have no few classes: "+
					"at most %d addresses are visited one by one", a.op, file, line, c.w.k.Threads, points, MaxPlanned),
		}
	}
	at := [3]int64{}
	for at[2] = 0; at[2] < c.grid[2]; at[2]++ {
		for at[1] = 0; at[1] < c.grid[1]; at[1]++ {
			for at[0] = 0; at[0] < c.grid[0] && c.w.err == nil; at[0]++ {
				c.w.block(at)
				c.w.warps(a, func(mask uint32) { out.Add(c.w.cost(a, mask)) })
			}
		}
	}
	return out
}

// visit returns the cost of a class in one of its points.
func (c *classes) visit(a *transfer, groups []uint64, p class) Cost {
	at := [3]int64{}
	c.w.pinned = map[*address.Symbol]int64{}
	for g, vars := range groups {
		c.point(vars, p.at[g], func(i int, x int64) {
			if i < len(at) {
				at[i] = x
			} else {
				c.w.pinned[c.vars[i].sym] = x
			}
		})
	}
	for _, s := range a.around {
		if _, ok := c.w.pinned[s.counter]; s.counter != nil && !ok {
			c.w.pinned[s.counter] = c.vars[bits.TrailingZeros64(c.uses[s.counter])].lo
		}
	}
	out := Cost{}
	c.w.block(at)
	c.w.warps(a, func(mask uint32) { out.Add(c.w.cost(a, mask)) })
	c.w.pinned = nil
	return out
}

// point calls f for each variable of a group with its value in a point of the group.
func (c *classes) point(vars uint64, n int64, f func(i int, x int64)) {
	for m := vars; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		v := c.vars[i]
		f(i, v.lo+n%(v.hi-v.lo))
		n /= v.hi - v.lo
	}
}

// size returns the number of points of a group.
func (c *classes) size(vars uint64) int64 {
	n := int64(1)
	for m := vars; m != 0 && !c.failed; m &= m - 1 {
		v := c.vars[bits.TrailingZeros64(m)]
		if n *= v.hi - v.lo; n > maxVariable {
			c.failed = true
		}
	}
	return n
}

// free returns the number of points that differ only in variables outside of the groups.
func (c *classes) free(own uint64, groups []uint64) int64 {
	for _, g := range groups {
		own &^= g
	}
	n, ok := int64(1), true
	for m := own; m != 0 && ok; m &= m - 1 {
		v := c.vars[bits.TrailingZeros64(m)]
		n, ok = ints.Mul(n, max(v.hi-v.lo, 0))
	}
	if !ok {
		c.w.err = tooMuch
	}
	return n
}

// A class is a set of points with the same partial sums.
type class struct {
	sums   []int64 // of each aspect
	points int64
	at     []int64 // one of them: a point of each group
}

// count returns the classes of all points.
func (c *classes) count(groups []uint64, aspects []aspect) []class {
	first := class{points: 1}
	for i := range aspects {
		a := &aspects[i]
		first.sums = append(first.sums, a.reduce(a.start, a.least[0], a.most[0]))
	}
	now, steps := []class{first}, int64(0)
	key, sums := make([]byte, 0, 8*len(aspects)), make([]int64, len(aspects))
	for g, vars := range groups {
		n := c.size(vars)
		if steps += n * int64(len(now)); steps > maxClassSteps {
			c.failed = true
			return nil
		}
		var next []class
		index := map[string]int{}
		for _, s := range now {
			for i := int64(0); i < n && len(next) <= maxClasses; i++ {
				key = key[:0]
				for j := range aspects {
					a := &aspects[j]
					sums[j] = a.add(s.sums[j], a.values[g][i], g)
					key = binary.LittleEndian.AppendUint64(key, uint64(sums[j])) // #nosec G115 -- a key
				}
				at, ok := index[string(key)]
				if !ok {
					at = len(next)
					index[string(key)] = at
					next = append(next, class{sums: slices.Clone(sums), at: append(slices.Clip(s.at), i)})
				}
				var fits bool
				if next[at].points, fits = ints.Add(next[at].points, s.points); !fits {
					c.w.err = tooMuch
				}
			}
		}
		if now = next; len(now) > maxClasses {
			c.failed = true
			return nil
		}
	}
	c.failed = c.failed || int64(len(now))*c.w.k.Threads > MaxPlanned
	return now
}

// signature names all that the cost of an access depends on.
func (c *classes) signature(a *transfer) string {
	out := fmt.Appendf(nil, "%s %d", a.op, a.bytes)
	number := func(x address.Expr) {
		if _, ok := c.numbers[x]; !ok {
			c.numbers[x] = uint64(len(c.numbers))
		}
		out = binary.AppendUvarint(out, c.numbers[x])
	}
	condition := func(d Cond) {
		out = fmt.Appendf(out, ";%v %v", d.holds(), d.never)
		for _, p := range d.less() {
			number(p[0])
			number(p[1])
		}
	}
	for _, s := range a.around {
		if s.counter != nil {
			out = append(out, '@') // the counter of a loop of one iteration is a constant
			number(s.counter.Expr())
			number(s.from)
			number(s.to)
			continue
		}
		out = fmt.Appendf(out, "?%v %v", s.negated, s.repeats)
		condition(s.cond)
	}
	condition(*a.cond)
	condition(*a.reads)
	for _, s := range a.sides {
		base, k := s.x.Base()
		number(base)
		out = append(out, byte(ints.FloorMod(k, lineBytes)), byte(s.in.space))
	}
	if e := a.engine; e != nil {
		out = fmt.Appendf(out, ";%d %v %s", e.bytes, e.store, e.box)
		for _, x := range e.coord {
			number(x)
		}
	}
	return string(out)
}
