package litmus

// A Condition is a formula over final states.
type Condition struct {
	Op   byte // '&', '|', '!', or 'c' for a comparison
	L, R *Condition
	Math Math // of a comparison
	A, B Term
}

// A Term is what a condition compares: a register, a location, or an integer.
type Term struct {
	Thread, Register int // Thread -1: no register
	Loc              int // -1: no location
	Value            int64
}

// A verdict is true, false, or unknown while parts of the state are.
type verdict int8

const (
	unknown verdict = iota
	yes
	no
)

func (v verdict) not() verdict { return [...]verdict{unknown, no, yes}[v] }

// holds evaluates c in a state whose terms lookup knows, as far as it does. A nil condition holds.
func (c *Condition) holds(lookup func(Term) (int64, bool)) verdict {
	if c == nil {
		return yes
	}
	switch c.Op {
	case '!':
		return c.L.holds(lookup).not()
	case '&', '|':
		end, neutral := no, yes // of a conjunction
		if c.Op == '|' {
			end, neutral = yes, no
		}
		l := c.L.holds(lookup)
		if l == end {
			return end
		}
		if r := c.R.holds(lookup); r == end || l == neutral {
			return r
		}
		return unknown
	}
	a, known := lookup(c.A)
	b, too := lookup(c.B)
	if !known || !too {
		return unknown
	}
	if !compare(c.Math, a, b) {
		return no
	}
	return yes
}

// places returns the places of the locations that c compares.
func (c *Condition) places(t *Test) uint64 {
	if c == nil {
		return 0
	}
	set := c.L.places(t) | c.R.places(t)
	for _, term := range []Term{c.A, c.B} {
		if c.Op == 'c' && term.Loc >= 0 {
			set |= 1 << uint(t.Locations[term.Loc].Place)
		}
	}
	return set
}
