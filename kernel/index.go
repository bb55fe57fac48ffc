package kernel

import (
	"slices"
	"strconv"
	"strings"

	"girih/internal/machine/address"
	"girih/ptx"
)

// An Index is an integer of the kernel: a constant, or an expression of threads, blocks, loop counters and parameters.
// The zero Index is 0.
type Index struct {
	k *K // nil for a constant
	x address.Expr
	n int64
}

// Int returns the number n.
func Int(n int64) Index { return Index{n: n} }

// expr returns i as an expression of k.
func (k *K) expr(i Index) address.Expr {
	if i.k == nil {
		return k.s.Const(i.n)
	}
	return i.x
}

// on returns the kernel that two integers belong to, nil if both are constants.
func (i Index) on(j Index) *K {
	if i.k != nil {
		return i.k
	}
	return j.k
}

// of returns an expression as an Index.
func (k *K) of(x address.Expr) Index {
	k.space()
	return Index{k: k, x: x}
}

// Add returns i + j.
func (i Index) Add(j Index) Index {
	if k := i.on(j); k != nil {
		return k.of(k.s.Add(k.expr(i), k.expr(j)))
	}
	return Int(i.n + j.n)
}

// Sub returns i - j.
func (i Index) Sub(j Index) Index {
	if k := i.on(j); k != nil {
		return k.of(k.s.Sub(k.expr(i), k.expr(j)))
	}
	return Int(i.n - j.n)
}

// Mul returns i·j.
func (i Index) Mul(j Index) Index {
	if k := i.on(j); k != nil {
		return k.of(k.s.Mul(k.expr(i), k.expr(j)))
	}
	return Int(i.n * j.n)
}

// Div returns i/n, rounded down. It returns [cute.CodeExtent] for n < 1.
func (i Index) Div(n int64) Index {
	if i.k != nil {
		return i.k.of(i.k.s.Div(i.x, n))
	}
	return constant(i.n, n, (*address.Space).Div)
}

// Mod returns i - n·(i/n), which is between 0 and n-1.
func (i Index) Mod(n int64) Index {
	if i.k != nil {
		return i.k.of(i.k.s.Mod(i.x, n))
	}
	return constant(i.n, n, (*address.Space).Mod)
}

// CeilDiv returns i/n, rounded up.
func (i Index) CeilDiv(n int64) Index {
	if i.k != nil {
		return i.k.of(i.k.s.CeilDiv(i.x, n))
	}
	return constant(i.n, n, (*address.Space).CeilDiv)
}

// constant evaluates a division of constants by the rules of expressions.
func constant(x, n int64, f func(*address.Space, address.Expr, int64) address.Expr) Index {
	s := address.New()
	y, _ := f(s, s.Const(x), n).Int64()
	return Int(y)
}

// Int64 returns the value of i if it is the same for all threads, blocks and parameters.
func (i Index) Int64() (int64, bool) {
	if i.k == nil {
		return i.n, true
	}
	return i.x.Int64()
}

// String returns the expression: "128·(thread.x/8) + 16".
func (i Index) String() string {
	if i.k == nil {
		return strconv.FormatInt(i.n, 10)
	}
	return i.x.String()
}

// A Cond is a condition of the kernel: a list of comparisons that must all hold. The zero Cond is always true.
type Cond struct {
	k     *K
	less  [][2]address.Expr // each pair says that the first is less than the second
	holds []ptx.Operand     // predicates that [Value.Less] and others computed
	never bool
	one   bool // it holds for only one thread of a warp
}

// Less returns the condition i < j.
func (i Index) Less(j Index) Cond {
	k := i.on(j)
	if k == nil {
		return Cond{never: i.n >= j.n}
	}
	return k.less(Cond{k: k}, k.expr(i), k.expr(j))
}

// And returns the condition that both hold.
func (c Cond) And(d Cond) Cond {
	k := c.k
	if k == nil {
		k = d.k
	}
	out := Cond{k: k, never: c.never || d.never, one: c.one || d.one}
	if len(d.less)+len(d.holds) == 0 {
		out.less, out.holds = slices.Clip(c.less), slices.Clip(c.holds)
		return out
	}
	if len(c.less)+len(c.holds) == 0 {
		out.less, out.holds = slices.Clip(d.less), slices.Clip(d.holds)
		return out
	}
	out.less = append(append(out.less, c.less...), d.less...)
	out.holds = append(append(out.holds, c.holds...), d.holds...)
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
	for _, known := range [2][][2]address.Expr{k.given, k.inGrid} {
		for i := len(known) - 1; i >= 0; i-- { // innermost first
			d = k.s.Below(d, known[i][0], known[i][1])
		}
	}
	if _, hi := d.Range(); hi < 0 {
		return address.Always
	}
	return v
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
	parts := make([]string, len(c.less))
	for i, l := range c.less {
		parts[i] = l[0].String() + " < " + l[1].String()
	}
	for _, p := range c.holds {
		parts = append(parts, p.String())
	}
	if len(parts) == 0 {
		return "true"
	}
	return strings.Join(parts, " and ")
}

// less adds x < y to a condition, unless it is known.
func (k *K) less(c Cond, x, y address.Expr) Cond {
	switch k.compare(x, y) {
	case address.Always:
	case address.Never:
		c.never = true
	default:
		c.less = append(slices.Clip(c.less), [2]address.Expr{x, y})
	}
	return c
}

// always reports whether c is known to hold.
func (c Cond) always() bool { return !c.never && len(c.less) == 0 && len(c.holds) == 0 }

// predicate returns a register that holds the condition, nil if it is always true.
func (k *K) predicate(c Cond) ptx.Operand {
	var all ptx.Operand
	for _, p := range c.holds {
		if all == nil {
			all = p
		} else {
			all = k.let(ptx.Pred, "and.pred", all, p)
		}
	}
	for _, l := range c.less {
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
