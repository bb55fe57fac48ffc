package litmus

// A Condition is a formula over final states.
type Condition struct {
	Op   byte // '&', '|', '!', or 'c' for a comparison
	L, R *Condition
	Math Math // the comparison
	A, B Term
}

// A Term is an operand of a comparison: a register, a location, or an integer.
type Term struct {
	Thread, Register int // Thread is -1 if the term is not a register
	Loc              int // -1 if the term is not a location
	Value            int64
}

// A verdict is yes, no, or unknown if the result depends on unknown terms.
type verdict int8

const (
	unknown verdict = iota
	yes
	no
)

func (v verdict) not() verdict { return [...]verdict{unknown, no, yes}[v] }

// holds evaluates c. lookup returns the value of a term and whether it is known. A nil condition holds.
func (c *Condition) holds(lookup func(Term) (int64, bool)) verdict {
	if c == nil {
		return yes
	}
	switch c.Op {
	case '!':
		return c.L.holds(lookup).not()
	case '&', '|':
		end, neutral := no, yes // end decides a conjunction at once, neutral does not change it
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

// places returns the set of places whose locations c compares.
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
