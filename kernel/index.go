package kernel

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/ints"
	"girih/internal/machine/address"
	"girih/ptx"
)

// An Index is an integer of the kernel: a constant, or an expression of threads, blocks, loop counters and parameters.
// The zero Index is 0. Constants are exact: a result that does not fit in 64 bits, and a quotient by a number below 1,
// is an error of the kernel that uses it, with the line of the arithmetic.
type Index struct {
	in *formula // nil for a constant
	n  int64    // of a number of a kernel, the number of the body with which it ends, from 1 on
}

// A formula is an expression of a kernel, which has one formula for each: see [K.index]. Of [Open], and of a wrong
// constant, the K is no kernel.
type formula struct {
	k *K
	x address.Expr
}

// k returns the kernel of i, nil for a constant.
func (i Index) k() *K {
	if i.in == nil {
		return nil
	}
	return i.in.k
}

// x returns the expression of i, none for a constant.
func (i Index) x() address.Expr {
	if i.in == nil {
		return address.Expr{}
	}
	return i.in.x
}

// index returns an expression as an Index, always the same for the same expression: an Index can be compared.
func (k *K) index(x address.Expr) Index {
	in := k.formulas[x]
	if in == nil {
		in = &formula{k, x}
		k.formulas[x] = in
	}
	return Index{in: in}
}

// stale returns the result of arithmetic on a number of a kernel that is not being traced.
func stale(k *K) Index { return Index{in: &formula{k: k}} }

// home returns the body with which i ends, and nil if it is known in the whole kernel.
func (i Index) home() *region {
	if i.in == nil || i.n < 1 {
		return nil
	}
	return i.in.k.bodies[i.n-1]
}

// Int returns the number n.
func Int(n int64) Index { return Index{n: n} }

// wrong returns the Index of arithmetic on constants that has no result.
func wrong(code cute.Code, format string, args ...any) Index {
	k := &K{}
	var pcs [24]uintptr
	k.failAt(&cute.Error{Code: code, Op: "index", Msg: fmt.Sprintf(format, args...)}, placesOf(pcs[:runtime.Callers(3, pcs[:])]))
	return stale(k)
}

// expr returns i as an expression of k. It refuses [Open], wrong constants, and numbers of another kernel.
func (k *K) expr(i Index) address.Expr {
	switch {
	case i.in == nil:
		return k.s.Const(i.n)
	case i.in.k == k:
		k.lasts("index", "number "+i.String(), i.home(), "use it in the body only")
		return i.in.x
	case k.err == nil:
		k.foreign("index", thing{what: "index " + i.String()}, i.in.k)
	}
	return k.s.Const(0)
}

// on returns the kernel that two integers belong to, nil if both are constants. If they belong to two, it returns the
// kernel that is being traced, which refuses the other's.
func (i Index) on(j Index) *K {
	if i.in == nil || i.in.k != j.k() && j.k().live() {
		return j.k()
	}
	return i.in.k
}

// of returns an expression as an Index with a home.
func (k *K) of(x address.Expr, home *region) Index {
	k.space()
	i := k.index(x)
	if home != nil {
		i.n = home.number
	}
	return i
}

// with returns the result of an operation on two integers. The functions compute it for constants and for expressions.
func (i Index) with(j Index, sign string, known func(a, b int64) (int64, bool),
	f func(s *address.Space, x, y address.Expr) address.Expr,
) Index {
	k := i.on(j)
	switch {
	case k.live():
		return k.of(f(k.s, k.expr(i), k.expr(j)), innermost(i.home(), j.home()))
	case k != nil:
		return stale(k) // of no kernel that is being traced
	}
	n, ok := known(i.n, j.n)
	if !ok {
		return wrong(cute.CodeOverflow, "%d %s %d does not fit in 64 bits", i.n, sign, j.n)
	}
	return Int(n)
}

// Add returns i + j.
func (i Index) Add(j Index) Index {
	return i.with(j, "+", ints.Add, func(s *address.Space, x, y address.Expr) address.Expr { return s.Add(x, y) })
}

// Sub returns i - j.
func (i Index) Sub(j Index) Index { return i.with(j, "-", ints.Sub, (*address.Space).Sub) }

// Mul returns i·j.
func (i Index) Mul(j Index) Index { return i.with(j, "·", ints.Mul, (*address.Space).Mul) }

// Div returns i/n, rounded down. A divisor below 1 is refused with [cute.CodeExtent].
func (i Index) Div(n int64) Index { return i.by(n, (*address.Space).Div) }

// Mod returns i - n·(i/n), which is between 0 and n-1. It has the errors of [Index.Div].
func (i Index) Mod(n int64) Index { return i.by(n, (*address.Space).Mod) }

// CeilDiv returns i/n, rounded up. It has the errors of [Index.Div].
func (i Index) CeilDiv(n int64) Index { return i.by(n, (*address.Space).CeilDiv) }

// by returns the result of a division by a constant.
func (i Index) by(n int64, f func(*address.Space, address.Expr, int64) address.Expr) Index {
	switch k := i.k(); {
	case k.live():
		return k.of(f(k.s, k.expr(i), n), i.home())
	case k != nil:
		return i
	case n < 1:
		return wrong(cute.CodeExtent, "expected a divisor of at least 1, found %d/%d", i.n, n)
	}
	s := address.New()
	y, _ := f(s, s.Const(i.n), n).Int64()
	return Int(y)
}

// Int64 returns the value of i if it is the same for all threads, blocks and parameters.
func (i Index) Int64() (int64, bool) {
	switch {
	case i.in == nil:
		return i.n, true
	case i.in.x == address.Expr{}:
		return 0, false
	}
	return i.in.x.Int64()
}

// String returns the expression: "128·(thread.x/8) + 16".
func (i Index) String() string {
	switch {
	case i.in == nil:
		return strconv.FormatInt(i.n, 10)
	case i == Open:
		return "_"
	case i.in.x == address.Expr{}:
		return "no number"
	}
	return i.in.x.String()
}

// A Cond is a condition of the kernel: a list of comparisons that must all hold. The zero Cond is always true.
type Cond struct {
	k     *K
	terms *terms  // nil if there are none; conditions share them
	home  *region // the body with which it ends, as [Index] has it
	state
}

// A state is what is known of a condition. It is a struct because calls pass one of up to four fields in registers.
type state struct {
	_     [0]func() // conditions cannot be compared
	never bool
	one   bool // it holds for only one thread of a warp
}

// The terms of a condition must all hold. They do not change.
type terms struct {
	less  [][2]address.Expr // each pair says that the first is less than the second
	holds []ptx.Operand     // predicates that [Value.Less] and others computed
}

func (c Cond) less() [][2]address.Expr {
	if c.terms == nil {
		return nil
	}
	return c.terms.less
}

func (c Cond) holds() []ptx.Operand {
	if c.terms == nil {
		return nil
	}
	return c.terms.holds
}

// Less returns the condition i < j.
func (i Index) Less(j Index) Cond {
	k := i.on(j)
	switch {
	case k == nil:
		return Cond{state: state{never: i.n >= j.n}}
	case !k.live():
		return Cond{k: k, state: state{never: true}}
	}
	return k.less(Cond{k: k, home: innermost(i.home(), j.home())}, k.expr(i), k.expr(j))
}

// And returns the condition that both hold.
func (c Cond) And(d Cond) Cond {
	k := anyLive(c.k, d.k)
	if k == nil {
		k = cmp.Or(c.k, d.k)
	} else if !k.meets("and", c) || !k.meets("and", d) {
		return Cond{k: k, state: state{never: true}}
	}
	out := Cond{k: k, state: state{never: c.never || d.never, one: c.one || d.one}, home: innermost(c.home, d.home)}
	if out.terms = cmp.Or(c.terms, d.terms); c.terms != nil && d.terms != nil {
		out.terms = &terms{append(slices.Clip(c.less()), d.less()...), append(slices.Clip(c.holds()), d.holds()...)}
	}
	return out
}

// compare is [address.Space.Compare] with the facts known here: block indices and loop counters are below their limits,
// and the enclosing conditions hold.
func (k *K) compare(x, y address.Expr) address.Verdict {
	v := k.s.Compare(x, y)
	if v != address.Unknown || k.s.Err() != nil {
		return v
	}
	d := k.s.Sub(x, y)
	if k.isBelow(d) || slices.ContainsFunc(k.s.MultiplyOut(d), k.isBelow) {
		return address.Always
	}
	if k.forThreads(x, y) {
		return address.Always
	}
	return v
}

// isBelow reports whether the facts known here make d negative.
func (k *K) isBelow(d address.Expr) bool {
	least := d
	for _, known := range [2][][2]address.Expr{k.given, k.inGrid} {
		for i := len(known) - 1; i >= 0; i-- { // innermost first
			least = k.s.Below(least, known[i][0], known[i][1])
		}
	}
	_, hi := least.Range()
	tries := maxTries
	return hi < 0 || k.isNegative(d, maxSteps, &tries)
}

// A comparison looks at maxTries bounds of a difference, each by at most maxSteps conditions.
const maxTries, maxSteps = 24, 4

// isNegative reports whether bounds of bounds of d, by the conditions here, are negative. Unlike the search for the
// smallest bound it follows all of them: i < z, for the smaller z of x and n, proves i < n by z < n+1, although z < x+1
// may give the smaller bound.
func (k *K) isNegative(d address.Expr, steps int, tries *int) bool {
	for i := len(k.given) - 1; i >= 0 && steps > 0; i-- { // innermost first
		for _, y := range k.s.Bounds(d, k.given[i][0], k.given[i][1]) {
			if *tries--; *tries < 0 {
				return false
			}
			if _, hi := y.Range(); hi < 0 || k.isNegative(y, steps-1, tries) {
				return true
			}
		}
	}
	return false
}

// among reports whether x is known to be between 0 and n-1.
func (k *K) among(x address.Expr, n int64) bool {
	return k.compare(k.s.Const(-1), x) == address.Always && k.compare(x, k.s.Const(n)) == address.Always
}

// String returns the condition: "thread.x < n and block.x < 7", or "true" or "false" if it is known.
func (c Cond) String() string {
	if c.never {
		return "false"
	}
	parts := make([]string, len(c.less()))
	for i, l := range c.less() {
		parts[i] = l[0].String() + " < " + l[1].String()
	}
	for _, p := range c.holds() {
		parts = append(parts, p.String())
	}
	if len(parts) == 0 {
		return "true"
	}
	return strings.Join(parts, " and ")
}

// less adds x < y to a condition, unless it is known.
func (k *K) less(c Cond, x, y address.Expr) Cond {
	v := k.compare(x, y)
	switch v {
	case address.Always:
	case address.Never:
		c.never = true
	default:
		c.terms = &terms{append(slices.Clip(c.less()), [2]address.Expr{x, y}), c.holds()}
	}
	c.home = innermost(c.home, k.decides(x, y, v))
	return c
}

// inExtent adds 0 <= x < n to a condition, as far as it is not known.
func (k *K) inExtent(c Cond, x, n address.Expr) Cond {
	if least, _ := x.Range(); least < 0 && k.compare(k.s.Const(-1), x) != address.Always {
		k.goesBeyond("a coordinate that may be less than 0") // elem_less compares with the extent only
		c = k.less(c, k.s.Const(-1), x)
	}
	return k.less(c, x, n)
}

// decides returns the body whose conditions decided a comparison: nil if it is unknown, or known everywhere.
func (k *K) decides(x, y address.Expr, v address.Verdict) *region {
	if v == address.Unknown || len(k.given)+len(k.around) == 0 || k.s.Compare(x, y) != address.Unknown {
		return nil
	}
	return k.region
}

// Always reports whether the condition is known to hold for all threads, blocks and extents.
func (c Cond) Always() bool { return c.always() }

// always reports whether c is known to hold.
func (c Cond) always() bool { return !c.never && c.terms == nil }

// predicate returns a register that holds the condition, nil if it is always true.
func (k *K) predicate(c Cond) ptx.Operand {
	var all ptx.Operand
	for _, p := range c.holds() {
		if all == nil {
			all = p
		} else {
			all = k.let(ptx.Pred, "and.pred", all, p)
		}
	}
	for _, l := range c.less() {
		if k.holds(l) {
			continue // a loop or a condition around the code implies it
		}
		p, _, err := k.c.Less(l[0], l[1])
		if err != nil {
			k.fail(err)
			return nil
		}
		switch {
		case p == nil:
		case all == nil:
			all = p
		default:
			all = k.let(ptx.Pred, "and.pred", all, p)
		}
	}
	if r, ok := all.(ptx.Name); ok {
		held := c
		k.conds[r] = &held
	}
	return all
}
