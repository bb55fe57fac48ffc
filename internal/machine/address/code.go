package address

import (
	"math"
	"slices"
	"strings"

	"girih/cute"
	"girih/ptx"
)

// A Code emits expressions as instructions. It does not emit a value again while its register is in force. An
// instruction is placed where the innermost symbol of its value is known: before every loop in which the value does not
// change. If stepping a value from one iteration to the next costs less than computing the value, it is kept in a
// register that is stepped at the end of each iteration.
type Code struct {
	s      *Space
	b      *ptx.Builder
	frames []*frame
	dry    bool // instructions are counted but not emitted
	cost   int64
	undo   []change          // changes of values to undo after a dry run
	given  map[ptx.Name]bool // the registers that the caller assigned to symbols
	helds  block[held]
	plans  block[plan]

	missing *Symbol // the first symbol that no register held where it was needed
}

// Registers record which registers hold a sum or an atom, and how it is computed.
type registers struct {
	held  *held
	plans *plan
}

// A plan is how a value is computed in a frame.
type plan struct {
	next *plan
	f    *frame
	a    *atom // the atom of the valueKey
	bits int
	// best is the cheapest way to compute the value, counted from 1, so that nested plans are compared only once. When
	// more values become known, another way may become cheaper, but the emitted instructions remain right.
	best   int
	motion *Motion
	near   Expr // the last value of the same family, from which this value may be computed by adding a difference
}

// A held value is in a register, in force in a frame.
type held struct {
	next *held
	f    *frame
	r    ptx.Operand
	bits int
}

// A change is what a frame knew before.
type change struct {
	f   *frame
	key valueKey
	old ptx.Operand // nil if there was no value
}

// A frame is a part of the kernel that is being emitted: all of it, a loop, or the code under a condition.
type frame struct {
	level   int
	at      int      // the index of the frame among the frames
	ended   bool     // the values of the frame are no longer valid
	counter *Counter // the counter, if the frame is a loop
	loops   int      // the number of nested loops, including this one
	stmts   []ptx.Stmt
	latch   []ptx.Stmt // statements for the end of each iteration
	wraps   []wrap     // registers that the latch increments and wraps around
	values  []valueKey // the values that are in registers
	count   int64
}

// A valueKey is a value as a register holds it: an expression, or an exclusive or without its mask.
type valueKey struct {
	x    *sum
	a    *atom
	bits int
}

// NewCode returns a Code for the expressions of s, with registers of b. Symbols up to the given level are known from
// the beginning.
func NewCode(s *Space, b *ptx.Builder, level int) *Code {
	c := &Code{s: s, b: b, given: map[ptx.Name]bool{}}
	c.frames = []*frame{{level: level}}
	return c
}

func (c *Code) top() *frame { return c.frames[len(c.frames)-1] }

// Define says which register holds a symbol, from here to the end of the innermost loop or condition. The register has
// 64 bits if bits is 64, and otherwise 32.
func (c *Code) Define(sym *Symbol, reg ptx.Operand, bits int) {
	c.define(c.top(), sym, reg, bits)
}

// DefineFirst is Define for a symbol that is known from the beginning of the kernel.
func (c *Code) DefineFirst(sym *Symbol, reg ptx.Operand, bits int) {
	c.define(c.frames[0], sym, reg, bits)
}

func (c *Code) define(f *frame, sym *Symbol, reg ptx.Operand, bits int) {
	c.set(f, valueKey{x: sym.expr.s, bits: bits}, reg)
	if name, ok := reg.(ptx.Name); ok {
		c.given[name] = true
	}
}

// Hoist emits a statement outside all loops and conditions.
//
//go:noinline
func (c *Code) Hoist(st ptx.Stmt) { c.frames[0].stmts = append(c.frames[0].stmts, st) }

// Add emits a statement at the current place.
func (c *Code) Add(st ptx.Stmt) { c.top().stmts = append(c.top().stmts, st) }

// Emit emits an instruction at the current place.
func (c *Code) Emit(o ptx.Op, operands ...ptx.Operand) { c.Add(&ptx.Instr{Op: o, Operands: operands}) }

// Loop begins the body of a loop, which ends at [Code.End]. The register of the counter has 32 bits.
func (c *Code) Loop(counter Counter, reg ptx.Operand) {
	c.frames = append(c.frames, &frame{
		level: counter.Symbol.level, at: len(c.frames), counter: &counter, loops: c.top().loops + 1,
	})
	c.Define(counter.Symbol, reg, 32)
}

// Branch begins the code under a condition, until [Code.End].
func (c *Code) Branch() {
	t := c.top()
	c.frames = append(c.frames, &frame{level: t.level, at: len(c.frames), loops: t.loops})
}

// A Part is what was emitted between [Code.Loop] or [Code.Branch] and [Code.End].
type Part struct {
	Stmts  []ptx.Stmt
	Latch  []ptx.Stmt // steps of registers, for the end of each iteration
	Weight int64      // the integer instructions of expressions in Stmts and Latch, in 32-bit instructions
}

// End ends the innermost loop or condition and returns what was emitted in it; at the outermost level, it returns
// everything.
func (c *Code) End() Part {
	f := c.top()
	if len(c.frames) > 1 {
		c.frames = c.frames[:len(c.frames)-1]
		f.ended = true
	}
	if f.loops == 1 && f.counter != nil {
		c.forget(f)
	}
	return Part{f.stmts, f.latch, f.count}
}

// forget drops values that were computed before a loop and are not used in it: recomputing a value after the loop takes
// one instruction, but keeping it takes a register in every iteration.
func (c *Code) forget(loop *frame) {
	used := map[ptx.Name]bool{}
	for _, part := range [][]ptx.Stmt{loop.stmts, loop.latch} {
		for _, st := range part {
			if in, ok := st.(*ptx.Instr); ok {
				used[in.Pred] = true
				for _, o := range in.Operands {
					namesOf(o, used)
				}
			}
		}
	}
	for _, f := range c.frames {
		kept := f.values[:0]
		for _, key := range f.values {
			h := key.registerIn(f)
			if h == nil {
				continue
			}
			if name, ok := h.r.(ptx.Name); ok && !used[name] && !c.given[name] {
				h.r = nil
				continue
			}
			kept = append(kept, key)
		}
		f.values = kept
	}
}

// namesOf adds the names in an operand to a set.
func namesOf(o ptx.Operand, to map[ptx.Name]bool) {
	switch o := o.(type) {
	case ptx.Name:
		to[o] = true
	case ptx.Vec:
		for _, x := range o {
			namesOf(x, to)
		}
	case ptx.Addr:
		namesOf(o.Base, to)
		for _, x := range o.Args {
			namesOf(x, to)
		}
	case ptx.Pair:
		namesOf(o.First, to)
		namesOf(o.Second, to)
	}
}

// target returns the frame for a value that changes at the given level: the innermost frame, or the one around the
// outermost loop in which it does not change.
func (c *Code) target(level int) *frame {
	best := len(c.frames) - 1
	for j := best; j > 0; j-- {
		f := c.frames[j]
		if f.counter == nil {
			continue // a value computed under a condition may be computed before it
		}
		if level >= f.level {
			break
		}
		best = j - 1
	}
	return c.frames[best]
}

// find returns the register that already has a value.
func (c *Code) find(key valueKey) (ptx.Operand, bool) {
	var best *held
	for h := key.registers().held; h != nil; h = h.next {
		if h.bits == key.bits && h.r != nil && h.f.at < len(c.frames) && c.frames[h.f.at] == h.f &&
			(best == nil || best.f.at < h.f.at) {
			best = h
		}
	}
	if best == nil {
		return nil, false
	}
	return best.r, true
}

// registers returns what is known about the key's sum or atom.
func (key valueKey) registers() *registers {
	if key.x != nil {
		return &key.x.code
	}
	return &key.a.code
}

// registerIn returns the register that has the value in a frame, or nil.
func (key valueKey) registerIn(f *frame) *held {
	for h := key.registers().held; h != nil; h = h.next {
		if h.f == f && h.bits == key.bits && h.r != nil {
			return h
		}
	}
	return nil
}

// plan returns how the value of a key is computed in a frame, for the given number of a choice.
func (c *Code) plan(key valueKey, f *frame, way int) *plan {
	rs := key.registers()
	var free *plan
	for p := rs.plans; p != nil; p = p.next {
		switch {
		case p.f == f && p.bits == way && p.a == key.a:
			return p
		case p.f.ended:
			free = p
		}
	}
	if free == nil {
		free = c.plans.one()
		free.next, rs.plans = rs.plans, free
	}
	*free = plan{next: free.next, f: f, bits: way, a: key.a}
	return free
}

// hold records which register has the value of a key in a frame, or nil for none.
func (c *Code) hold(key valueKey, f *frame, r ptx.Operand) {
	if h := key.registerIn(f); h != nil {
		h.r = r
		return
	}
	rs := key.registers()
	h := rs.held
	for h != nil && h.r != nil && !h.f.ended {
		h = h.next
	}
	if h == nil {
		h = c.helds.one()
		h.next, rs.held = rs.held, h
	}
	*h = held{h.next, f, r, key.bits}
}

// weight returns how many 32-bit instructions the hardware executes for one.
func weight(o ptx.Op) int64 {
	switch {
	case strings.HasPrefix(string(o), "div"):
		return 20
	case !strings.HasSuffix(string(o), "64"):
		return 1
	case strings.HasPrefix(string(o), "mul.lo"):
		return 4
	case strings.Contains(string(o), ".wide") || strings.HasPrefix(string(o), "cvt"):
		return 1
	}
	return 2
}

// let emits an instruction whose result is the value of a key that changes with the level.
func (c *Code) let(at target, o ptx.Op, operands ...ptx.Operand) ptx.Operand {
	f := c.target(at.level)
	c.pay(f, o)
	dst := dryRegister
	if !c.dry {
		t := ptx.B32
		switch at.key.bits {
		case 64:
			t = ptx.B64
		case 1:
			t = ptx.Pred
		}
		dst = c.b.Reg(t)
		args := append(make([]ptx.Operand, 0, len(operands)+1), dst)
		f.stmts = append(f.stmts, &ptx.Instr{Op: o, Operands: append(args, operands...)})
		f.count += weight(o)
	}
	c.set(f, at.key, dst)
	return dst
}

// dryRegister replaces all registers in a plan that is only tried.
var dryRegister ptx.Operand = ptx.Name("%dry")

// set records which register has a value.
func (c *Code) set(f *frame, key valueKey, r ptx.Operand) {
	if c.dry {
		u := change{f: f, key: key}
		if h := key.registerIn(f); h != nil {
			u.old = h.r
		}
		c.undo = append(c.undo, u)
	} else {
		f.values = append(f.values, key)
	}
	c.hold(key, f, r)
}

// pay counts the cost of an instruction, which is higher in inner loops.
func (c *Code) pay(f *frame, o ptx.Op) { c.cost += weight(o) << (5 * min(f.loops, 4)) }

// A target says which value an instruction computes, and at which level it changes.
type target struct {
	key   valueKey
	level int
}

// cheapest carries out the plan with the lowest cost, the first one if costs are equal.
func (c *Code) cheapest(key valueKey, plans ...func() ptx.Operand) ptx.Operand {
	best := c.plan(key, c.top(), key.bits).best
	if best == 0 {
		least := int64(math.MaxInt64)
		for i, plan := range plans {
			if cost := c.try(plan); cost < least {
				best, least = i+1, cost
			}
		}
		c.plan(key, c.top(), key.bits).best = best
	}
	return plans[best-1]()
}

// try returns the cost of a plan, and undoes its effects.
func (c *Code) try(plan func() ptx.Operand) int64 {
	cost, dry, undo := c.cost, c.dry, len(c.undo)
	c.cost, c.dry = 0, true
	plan()
	for i := len(c.undo) - 1; i >= undo; i-- {
		c.hold(c.undo[i].key, c.undo[i].f, c.undo[i].old)
	}
	c.undo = c.undo[:undo]
	found := c.cost
	c.cost, c.dry = cost, dry
	return found
}

// fits32 reports whether 32 bits hold all values, signed or unsigned.
func (x *sum) fits32() bool {
	return x.lo >= 0 && x.hi <= math.MaxUint32 || x.lo >= math.MinInt32 && x.hi <= math.MaxInt32
}

// Value returns x in a register of 32 or 64 bits, or as a constant: the lowest bits of its two's complement. It returns
// the error of the space, [cute.CodeUnknown] for a symbol that no register holds here, and [cute.CodeOverflow] if a
// part of a sum may exceed 64 bits though the sum does not.
func (c *Code) Value(x Expr, bits int) (ptx.Operand, error) {
	var r ptx.Operand
	if bits == 64 {
		r = c.value64(x)
	} else {
		r = c.value32(x)
	}
	return r, c.s.err
}

// maxOffset limits the constant in [reg+imm]: the hardware has 24 bits, signed.
const maxOffset = 1 << 22

// Address returns the address x, in bytes, as a register of 32 or 64 bits and a constant. The errors are the errors of
// [Code.Value].
func (c *Code) Address(x Expr, bits int) (ptx.Addr, error) {
	base, offset := x, int64(0)
	least := int64(math.MaxInt64)
	ks := x.constants(make([]int64, 0, 4))
	if len(ks) > 0 { // the most likely constant comes first
		if r, known := c.find(valueKey{x: c.s.Plus(x, -ks[0]).s, bits: bits}); known && c.s.err == nil {
			if _, number := r.(ptx.Int); !number {
				return ptx.Addr{Base: r, Offset: ks[0]}, nil
			}
		}
	}
	ks = c.offsets(ks, x)
	for _, k := range ks {
		y := c.s.Plus(x, -k)
		if _, known := c.find(valueKey{x: y.s, bits: bits}); known || len(ks) == 1 {
			base, offset = y, k
			break
		}
		if cost := c.try(func() ptx.Operand { r, _ := c.Value(y, bits); return r }); cost < least {
			base, offset, least = y, k, cost
		}
	}
	r, err := c.Value(base, bits)
	if k, ok := r.(ptx.Int); ok {
		return ptx.Addr{Base: k + ptx.Int(offset)}, err
	}
	return ptx.Addr{Base: r, Offset: offset}, err
}

// offsets appends to [Expr.constants] other constants that can be split off x such that the rest is not negative (the
// hardware adds the two without wrapping): bits to which nothing else contributes, and their sums with the constants of
// parts that carry.
func (c *Code) offsets(ks []int64, x Expr) []int64 {
	if p, ok := c.s.pattern(x.s); ok {
		k := int64(p.ones)
		for _, f := range p.fields {
			if y := f.a.x; f.a.op == opSum && f.n == 1 && f.from == 0 && !f.flip && y.lo >= y.k {
				k += y.k << f.to
			}
		}
		for _, k := range []int64{k % maxOffset, int64(p.ones) % maxOffset} {
			if !slices.Contains(ks, k) {
				ks = append(ks, k)
			}
		}
	} else if len(ks) == 0 {
		ks = append(ks, 0)
	}
	return ks
}

// constants appends the constants of x and of its digits whose removal leaves a rest that is not negative.
func (x Expr) constants(ks []int64) []int64 {
	for _, k := range [2]int64{x.s.k, x.s.rest} {
		if k := k % maxOffset; k != 0 && x.s.lo-k >= 0 && !slices.Contains(ks, k) {
			ks = append(ks, k)
		}
	}
	return ks
}

// A Verdict is what is known about a comparison before the kernel runs.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota // a predicate is needed to decide
	Always
	Never
)

// Compare says whether x < y for all values of the symbols, or for no values.
func (s *Space) Compare(x, y Expr) Verdict {
	switch d := s.Sub(y, x); { // the range of either may be narrower than the range of the difference
	case d.s.lo > 0 || x.s.hi < y.s.lo:
		return Always
	case d.s.hi <= 0 || x.s.lo >= y.s.hi:
		return Never
	}
	return Unknown
}

// Less returns the predicate x < y, which is emitted once for each difference y - x. If the comparison is known, it
// returns nil and the verdict. The errors are the errors of [Code.Value].
func (c *Code) Less(x, y Expr) (ptx.Operand, Verdict, error) {
	v := c.s.Compare(x, y)
	if v != Unknown || c.s.err != nil {
		return nil, v, c.s.err
	}
	d := c.s.Sub(y, x)
	key := valueKey{x: d.s, bits: 1}
	if p, ok := c.find(key); ok {
		return p, v, nil
	}
	if max(x.s.level, y.s.level) > d.s.level {
		x, y = c.s.Const(0), d // both have a counter on which the predicate, emitted before the loop, does not depend
	}
	// Without its constant, x may be the same in other comparisons, which then use the same register.
	k := x.s.k
	x, y = c.s.Plus(x, -k), c.s.Plus(y, -k)
	at := target{key, d.s.level}
	if x.s.lo >= math.MinInt32 && x.s.hi <= math.MaxInt32 && y.s.lo >= math.MinInt32 && y.s.hi <= math.MaxInt32 {
		p := c.let(at, "setp.lt.s32", c.value32(x), c.value32(y))
		return p, v, c.s.err
	}
	p := c.let(at, "setp.lt.s64", c.value64(x), c.value64(y))
	return p, v, c.s.err
}

// unknown records the error that a symbol has no register.
func (c *Code) unknown(sym *Symbol) ptx.Operand {
	if c.missing == nil {
		c.missing = sym
	}
	c.s.fail(cute.CodeUnknown, "%s is not known where it is used", sym.name)
	return ptx.Int(0)
}

// Missing returns the symbol of the first [cute.CodeUnknown], or nil: a symbol that no register holds where it is used.
func (c *Code) Missing() *Symbol { return c.missing }
