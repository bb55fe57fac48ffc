package condition

import (
	"math"
	"slices"

	"girih/internal/ints"
)

// A Nearest gives the nearest values that keep a condition, below and above a value that breaks it. All other values
// stay the same. A value of at least 1, like an extent, is only replaced by values of at least 1. HasBelow or HasAbove
// is false if none of maxTries candidates in that direction fits; there may be one farther away.
type Nearest struct {
	Below, Above       int64
	HasBelow, HasAbove bool
}

// maxTries limits how many values are tried in one direction.
const maxTries = 4096

// nearest finds, on both sides of the present value of[x], the nearest values of x that make n hold. If the present
// value is at least 1, like an extent, so are the values found.
func nearest(n *node, x string, of values) Nearest {
	now := of[x]
	least := int64(math.MinInt64)
	if now >= 1 {
		least = 1
	}
	try := make(values, len(of))
	for k, v := range of {
		try[k] = v
	}
	var r Nearest
	for _, branch := range branches(n) {
		s := search{n: n, x: x, of: try, step: 1}
		s.learn(branch)
		if y, ok := s.down(now, least); ok && (!r.HasBelow || y > r.Below) {
			r.Below, r.HasBelow = y, true
		}
		if y, ok := s.up(now); ok && (!r.HasAbove || y < r.Above) {
			r.Above, r.HasAbove = y, true
		}
	}
	return r
}

// branches returns the parts of an "or". Each part alone makes n hold.
func branches(n *node) []*node {
	if n.is("or") {
		var list []*node
		for _, a := range n.args {
			list = append(list, branches(a)...)
		}
		return list
	}
	return []*node{n}
}

// A search tries the multiples of step from low to high. All other values break a necessary part of the condition.
type search struct {
	n         *node
	x         string
	of        values
	step      int64
	low, high *int64
	list      []int64 // if not nil, only these values are tried
	power     bool    // only powers of two are tried
}

// learn restricts the values to try, using the parts of a branch, which must all hold.
func (s *search) learn(n *node) {
	switch {
	case n.is("and"):
		for _, a := range n.args {
			s.learn(a)
		}
		return
	case s.isOn(n, "power of two"):
		s.power = true
		return
	case s.isOn(n, "in"):
		s.list = s.members(n.args[1:])
		return
	case !n.comparison() || len(n.args) != 2:
		return
	}
	l, r, op := n.args[0], n.args[1], n.op
	if !mentions(l, s.x) {
		l, r, op = r, l, flipped[op]
	}
	if v, ok := r.value(s.of); ok && !mentions(r, s.x) {
		s.compare(l, op, v)
	}
}

// isOn reports whether a condition applies op to the variable alone.
func (s *search) isOn(n *node, op string) bool {
	return n.is(op) && n.args[0].is("name") && n.args[0].text == s.x
}

// members returns the values of a list, or nil if one of them is not known.
func (s *search) members(list []*node) []int64 {
	values := []int64{}
	for _, a := range list {
		v, ok := a.value(s.of)
		if !ok || mentions(a, s.x) {
			return nil
		}
		values = append(values, v)
	}
	return values
}

var flipped = map[string]string{"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

// compare learns from "l op v", where l contains the variable and v is known.
func (s *search) compare(l *node, op string, v int64) {
	if l.is("%") && op == "==" && v == 0 {
		s.divide(l)
		return
	}
	k, linear := factor(l, s.x, s.of)
	if !linear || k <= 0 {
		return
	}
	switch op {
	case "==":
		if v%k == 0 {
			s.list = []int64{v / k}
		}
	case "<=":
		s.atMost(ints.FloorDiv(v, k))
	case "<":
		s.atMost(ints.FloorDiv(v-1, k))
	case ">=":
		s.atLeast(-ints.FloorDiv(-v, k))
	case ">":
		s.atLeast(-ints.FloorDiv(-(v + 1), k))
	}
}

func (s *search) atMost(y int64) {
	if s.high == nil || y < *s.high {
		s.high = &y
	}
}

func (s *search) atLeast(y int64) {
	if s.low == nil || y > *s.low {
		s.low = &y
	}
}

// divide learns the step from "l == 0", where l is a remainder whose dividend contains the variable.
func (s *search) divide(l *node) {
	m, ok := l.args[1].value(s.of)
	k, linear := factor(l.args[0], s.x, s.of)
	if !ok || !linear || k <= 0 || m <= 0 || mentions(l.args[1], s.x) {
		return
	}
	step := m / ints.GCD(m, k)
	if lcm, ok := ints.Mul(s.step/ints.GCD(s.step, step), step); ok {
		s.step = lcm
	}
}

// factor returns k if the expression is k*x.
func factor(n *node, x string, of values) (k int64, ok bool) {
	if n.is("name") && n.text == x {
		return 1, true
	}
	if !n.is("*") {
		return 0, false
	}
	for i := range 2 {
		a, b := n.args[i], n.args[1-i]
		if mentions(a, x) || !mentions(b, x) {
			continue
		}
		c, ok := a.value(of)
		k, linear := factor(b, x, of)
		if !ok || !linear {
			return 0, false
		}
		return ints.Mul(c, k)
	}
	return 0, false
}

// mentions reports whether an expression contains the name x.
func mentions(n *node, x string) bool {
	if n.is("name") {
		return n.text == x
	}
	for _, a := range n.args {
		if mentions(a, x) {
			return true
		}
	}
	return false
}

// holds reports whether the whole condition certainly holds if the variable is y.
func (s *search) holds(y int64) bool {
	s.of[s.x] = y
	t, known := s.n.truth(s.of)
	return t && known
}

func (s *search) down(now, least int64) (int64, bool) {
	if s.low != nil && *s.low > least {
		least = *s.low
	}
	if now == math.MinInt64 {
		return 0, false
	}
	from := now - 1
	if s.high != nil && *s.high < from {
		from = *s.high
	}
	if s.list != nil || s.power {
		return s.among(func(y int64) bool { return y <= from && y >= least }, func(a, b int64) bool { return a > b })
	}
	y := ints.FloorDiv(from, s.step) * s.step
	for range maxTries {
		if y < least || y > from {
			return 0, false
		}
		if s.holds(y) {
			return y, true
		}
		if y < math.MinInt64+s.step {
			return 0, false
		}
		y -= s.step
	}
	return 0, false
}

func (s *search) up(now int64) (int64, bool) {
	if now == math.MaxInt64 {
		return 0, false
	}
	from, most := now+1, int64(math.MaxInt64)
	if s.low != nil && *s.low > from {
		from = *s.low
	}
	if s.high != nil {
		most = *s.high
	}
	if s.list != nil || s.power {
		return s.among(func(y int64) bool { return y >= from && y <= most }, func(a, b int64) bool { return a < b })
	}
	down := ints.FloorDiv(from, s.step) * s.step
	y := down
	for range maxTries {
		if y >= from && y <= most && s.holds(y) {
			return y, true
		}
		if y > most || y > math.MaxInt64-s.step {
			return 0, false
		}
		y += s.step
	}
	return 0, false
}

// among returns the best value that is in the list or a power of two, is allowed, and keeps the condition.
func (s *search) among(allowed func(int64) bool, better func(a, b int64) bool) (best int64, ok bool) {
	list := s.list
	if list == nil {
		for p := int64(1); p > 0; p <<= 1 {
			list = append(list, p)
		}
	}
	for _, y := range list {
		if allowed(y) && (!ok || better(y, best)) && s.holds(y) {
			best, ok = y, true
		}
	}
	return best, ok
}

// divides reports whether a name is a divisor in the condition.
func divides(n *node, x string) bool {
	if n.is("%") && mentions(n.args[1], x) {
		return true
	}
	return slices.ContainsFunc(n.args, func(a *node) bool { return divides(a, x) })
}
