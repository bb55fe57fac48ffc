package kernel

import (
	"math"
	"math/bits"
	"slices"

	"girih/internal/ints"
	"girih/internal/machine/address"
	"girih/ptx"
)

// An aspect is a number on which the cost of a request depends: the sum plus - minus + start.
type aspect struct {
	kind        aspectKind
	plus, minus address.Expr // without constants; minus may be the zero Expr
	start       int64
	inside      int64 // of a box, the last coordinate at which it ends inside
	least, most []int64
	values      [][]int64 // the part of each group of variables
}

type aspectKind uint8

const (
	aspectAddress aspectKind = iota // matters modulo a line
	aspectLess                      // matters by whether it is at least 1
	aspectBox                       // matters modulo a line, unless the box is outside in part
	aspectExact                     // matters
)

// The partial sums of decided aspects: numbers that no sum is.
const (
	holds  = math.MaxInt64
	fails  = math.MinInt64
	within = math.MinInt64 + 1 // within + r: a box that is inside, at r modulo a line
)

// reduce returns what matters of a partial sum, to which numbers from lo to hi are yet added.
func (a *aspect) reduce(x, lo, hi int64) int64 {
	switch {
	case a.kind == aspectAddress:
		return ints.FloorMod(x, lineBytes)
	case a.kind == aspectLess && x+lo >= 1:
		return holds
	case a.kind == aspectLess && x+hi < 1:
		return fails
	case a.kind == aspectBox && x+lo >= 0 && x+hi <= a.inside:
		return within + ints.FloorMod(x, lineBytes)
	}
	return x
}

// add adds the part of group i to what matters of a partial sum.
func (a *aspect) add(sum, part int64, i int) int64 {
	switch {
	case a.kind == aspectLess && (sum == holds || sum == fails):
		return sum
	case a.kind == aspectBox && sum < within+lineBytes:
		return within + ints.FloorMod(sum-within+part, lineBytes)
	}
	return a.reduce(sum+part, a.least[i+1], a.most[i+1])
}

// loops makes the counters of the loops around an access variables. It returns the variables of the access.
func (c *classes) loops(a *transfer) uint64 {
	own := uint64(1)<<len(c.grid) - 1
	for _, s := range a.around {
		if s.counter == nil {
			continue
		}
		if set, ok := c.uses[s.counter]; ok {
			own |= set
			continue
		}
		from, to := c.on(s.from), c.on(s.to)
		lo, most := c.bounds(s.from)
		_, hi := c.bounds(s.to)
		if to&onData != 0 && from&variables == 0 {
			hi = lo + 1 // as the walker has it
		} else if to&onData != 0 {
			c.failed = true
		}
		if c.failed = c.failed || from&(onThread|onData) != 0 || len(c.vars) >= 60 || hi-most > maxAspect; c.failed {
			return 0
		}
		c.uses[s.counter] = 1 << len(c.vars)
		own |= c.uses[s.counter]
		f := s.counter.Facts() // proved: they may be narrower
		lo, hi = max(lo, f.Min), min(hi, f.Max+1)
		c.vars = append(c.vars, variable{s.counter, lo, max(lo, hi)})
	}
	return own
}

// bounds returns bounds of an expression in all points and threads.
func (c *classes) bounds(x address.Expr) (lo, hi int64) {
	base, k := x.Base()
	var terms []address.Term
	set, ok := uint64(0), true
	for t := range base.Terms {
		if on := c.onTerm(t); on&onThread == 0 {
			terms, set = append(terms, t), set|on
			continue
		}
		least, most, finite := t.Range()
		lo, hi, ok = lo+least, hi+most, ok && finite && min(lo, least) > -maxAspect && max(hi, most) < maxAspect
	}
	if c.failed = c.failed || !ok; c.failed {
		return 0, 0
	}
	values := c.valuesOf(terms, set&variables)
	if len(values) == 0 {
		return 0, 0 // there are no points
	}
	return lo + k + slices.Min(values), hi + k + slices.Max(values)
}

// A collector collects the aspects of an access.
type collector struct {
	c     *classes
	out   []aspect
	exact uint64 // variables that occur together with the thread
}

// add adds an aspect unless it is the same in all points.
func (q *collector) add(b aspect) {
	set := q.c.on(b.plus)
	if b.minus != (address.Expr{}) {
		set |= q.c.on(b.minus)
	}
	q.c.failed = q.c.failed || set&unclear != 0
	same := func(d aspect) bool {
		return d.kind == b.kind && d.plus == b.plus && d.minus == b.minus && d.start == b.start && d.inside == b.inside
	}
	if set&variables == 0 || b.kind == aspectLess && set&onData != 0 || slices.ContainsFunc(q.out, same) {
		return
	}
	q.out = append(q.out, b)
	b.terms(func(t address.Term, _ int64) {
		if set := q.c.onTerm(t); set&onThread != 0 {
			q.exact |= set & variables
		}
	})
}

// less adds the comparison x < y + n.
func (q *collector) less(x, y address.Expr, n int64) {
	b := aspect{kind: aspectLess}
	var k int64
	b.plus, b.start = y.Base()
	b.minus, k = x.Base()
	b.start += n - k
	q.add(b)
}

// condition adds the comparisons in a condition.
func (q *collector) condition(d Cond) {
	for _, p := range d.holds() {
		if name, ok := p.(ptx.Name); ok {
			for _, d := range q.c.w.k.data.joined[name].of {
				q.condition(d)
			}
		}
	}
	for _, p := range d.less() {
		q.less(p[0], p[1], 0)
	}
}

// aspects returns the aspects of an access.
func (c *classes) aspects(a *transfer) []aspect {
	q := &collector{c: c}
	for _, s := range a.around {
		if s.counter == nil {
			q.condition(s.cond)
			continue
		}
		at := s.counter.Expr()
		q.less(at, s.to, 0)
		if c.on(s.from)&variables != 0 {
			q.less(s.from, at, 1)
		}
	}
	q.condition(*a.cond)
	q.condition(*a.reads)
	q.places(a)
	for m := q.exact; m != 0; m &= m - 1 {
		if v := c.vars[bits.TrailingZeros64(m)]; v.sym != nil {
			q.out = append(q.out, aspect{kind: aspectExact, plus: v.sym.Expr()})
		} else {
			c.failed = true // it is in the rank of the block only
		}
	}
	return q.out
}

// places adds the aspects of the addresses of an access.
func (q *collector) places(a *transfer) {
	if e := a.engine; e != nil && e.box != "" {
		if !e.store {
			return
		}
		m, err := q.c.w.tensorMap(e.box)
		if err != nil {
			q.c.failed = true
			return
		}
		for d, x := range e.coord {
			b := aspect{kind: aspectBox, inside: m.Dims[d] - m.Box[d]}
			b.plus, b.start = x.Base()
			q.add(b)
		}
		return
	}
	for _, s := range a.sides {
		b := aspect{kind: aspectAddress}
		b.plus, b.start = s.x.Base()
		b.start = ints.FloorMod(b.start, lineBytes)
		q.add(b)
	}
}

// terms yields the terms of the aspect, with the sign that they have.
func (a *aspect) terms(yield func(t address.Term, sign int64)) {
	for t := range a.plus.Terms {
		yield(t, 1)
	}
	if a.minus != (address.Expr{}) {
		for t := range a.minus.Terms {
			yield(t, -1)
		}
	}
}

// groups returns the sets of variables that are added together, and fills the values of the aspects.
func (c *classes) groups(aspects []aspect) []uint64 {
	var groups []uint64
	for i := range aspects {
		aspects[i].terms(func(t address.Term, _ int64) {
			set := c.onTerm(t)
			join := set & variables
			if join == 0 || set&onThread != 0 {
				return
			}
			groups = slices.DeleteFunc(groups, func(g uint64) bool {
				if g&join != 0 {
					join |= g
				}
				return g&join != 0
			})
			groups = append(groups, join)
		})
	}
	slices.Sort(groups)
	for i := range aspects {
		c.fill(&aspects[i], groups)
	}
	return groups
}

// fill computes the parts of an aspect.
func (c *classes) fill(a *aspect, groups []uint64) {
	n := len(groups)
	a.least, a.most, a.values = make([]int64, n+1), make([]int64, n+1), make([][]int64, n)
	if c.failed {
		return
	}
	if a.kind != aspectAddress && a.kind != aspectExact {
		a.least[n], a.most[n] = c.overThreads(a)
	}
	a.start += c.valuesIn(a, 0)[0]
	for g := n - 1; g >= 0 && !c.failed; g-- {
		v := c.valuesIn(a, groups[g])
		if len(v) == 0 {
			c.failed = c.failed || c.size(groups[g]) > 0
			v = []int64{0}
		}
		lo, hi := slices.Min(v), slices.Max(v)
		a.values[g], a.least[g], a.most[g] = v, a.least[g+1]+lo, a.most[g+1]+hi
		if a.kind != aspectAddress && (min(lo, a.least[g]) < -maxAspect || max(hi, a.most[g]) > maxAspect) {
			c.failed = true
		}
	}
}

// valuesIn returns the part of a group in each of its points.
func (c *classes) valuesIn(a *aspect, group uint64) []int64 {
	plus := c.sumsOf(a.plus, group)
	if a.minus == (address.Expr{}) {
		return plus
	}
	minus := c.sumsOf(a.minus, group)
	out := make([]int64, min(len(plus), len(minus)))
	for i := range out {
		out[i] = plus[i] - minus[i]
	}
	return out
}

// sumsOf returns the sum of those terms of x that depend on variables of a set, or on none if the set is empty, and
// not on the thread.
func (c *classes) sumsOf(x address.Expr, vars uint64) []int64 {
	key := sumKey{x, vars}
	if out, ok := c.sums[key]; ok {
		return out
	}
	var terms []address.Term
	for t := range x.Terms {
		if set := c.onTerm(t); set&onThread == 0 && set&variables&^vars == 0 && (vars == 0 || set&variables != 0) {
			terms = append(terms, t)
		}
	}
	out := c.valuesOf(terms, vars)
	if c.kept += len(out); !c.failed && c.kept <= maxKept {
		c.sums[key] = out
	}
	return out
}

// valuesOf returns the sum of terms for each value of some variables.
func (c *classes) valuesOf(terms []address.Term, vars uint64) []int64 {
	n := c.size(vars)
	if c.failed {
		return []int64{0}
	}
	out := make([]int64, n)
	if len(terms) == 0 {
		return out
	}
	set := uint64(0)
	for _, t := range terms {
		set |= c.onTerm(t)
	}
	at := [3]int64{}
	for i := range out {
		c.point(vars, int64(i), func(v int, x int64) {
			if v < len(at) {
				at[v] = x
			}
			if s := c.vars[v].sym; s != nil {
				c.w.lanes[0][s] = x
			}
		})
		if set&onBlocks != 0 {
			c.w.block(at)
		}
		for _, t := range terms {
			out[i] += c.value(t)
		}
	}
	return out
}

// value returns the value of a term for the current values of lane 0.
func (c *classes) value(t address.Term) int64 {
	w := c.w
	if len(w.k.data.late) > 0 {
		t.Symbols(func(s *address.Symbol) { w.settle(s, 0) })
	}
	x, err := t.At(w.lanes[0])
	c.failed = c.failed || err != nil
	return x
}

// overThreads returns bounds of the terms that depend on the thread. They are exact for terms that depend on nothing
// else.
func (c *classes) overThreads(a *aspect) (lo, hi int64) {
	plus := c.inThreads(a.plus)
	minus := make([]int64, len(plus))
	if a.minus != (address.Expr{}) {
		minus = c.inThreads(a.minus)
	}
	lo, hi = math.MaxInt64, math.MinInt64
	for i := range plus {
		lo, hi = min(lo, plus[i]-minus[i]), max(hi, plus[i]-minus[i])
	}
	a.terms(func(t address.Term, sign int64) {
		if set := c.onTerm(t); set&onThread != 0 && set&variables != 0 {
			x, y, ok := t.Range()
			if sign < 0 {
				x, y = -y, -x
			}
			lo, hi = lo+x, hi+y
			c.failed = c.failed || !ok || min(x, lo) < -maxAspect || max(y, hi) > maxAspect
		}
	})
	return lo, hi
}

// inThreads returns the sum of the terms of x that depend on the thread only, for each thread.
func (c *classes) inThreads(x address.Expr) []int64 {
	if out, ok := c.threads[x]; ok {
		return out
	}
	out := make([]int64, c.w.k.Threads)
	for t := range x.Terms {
		if set := c.onTerm(t); set&onThread == 0 || set&variables != 0 {
			continue
		}
		for i := range out {
			c.w.lanes[0][c.w.thread] = int64(i)
			c.w.roles(0, int64(i))
			out[i] += c.value(t)
		}
	}
	c.threads[x] = out
	return out
}
