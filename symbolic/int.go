package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/ints"
)

// An Int is an integer, or an expression for one: a polynomial with integer coefficients whose variables are atoms.
// Equal polynomials are equal as values, so comparing values tests an identity between expressions. The zero Int is 0.
type Int struct {
	k     int64  // the constant term
	terms []term // the terms of degree 1 and more, in the order of compareMonomials, none with the coefficient 0
}

// A term is a coefficient times a monomial.
type term struct {
	c int64
	m monomial
}

// A monomial is a product of atoms, sorted by their keys; its key consists of the keys of the atoms.
type monomial struct {
	key   string
	atoms []*atom
}

// Const returns the integer x.
func Const(x int64) Int { return Int{k: x} }

// Of returns the symbol as an integer.
func Of(s *Symbol) Int {
	a := &atom{op: opSymbol, sym: s, key: s.name, limit: s.limit}
	return Int{terms: []term{{s.facts.Div, monomial{a.key, []*atom{a}}}}}
}

// Int64 returns the integer, if it is known.
func (x Int) Int64() (int64, bool) { return x.k, len(x.terms) == 0 }

// is reports whether x is known to be n.
func (x Int) is(n int64) bool { return len(x.terms) == 0 && x.k == n }

// static reports whether x is known.
func (x Int) static() bool { return len(x.terms) == 0 }

// Equal reports whether x and y are the same for all values of the symbols. It may miss that two quotients are equal.
func (x Int) Equal(y Int) bool {
	return x.k == y.k && slices.EqualFunc(x.terms, y.terms, func(a, b term) bool { return a.c == b.c && a.m.key == b.m.key })
}

// symbols calls f for each symbol in x, possibly more than once.
func (x Int) symbols(f func(*Symbol)) {
	for _, t := range x.terms {
		for _, a := range t.m.atoms {
			if a.op == opSymbol {
				f(a.sym)
			}
			for _, arg := range a.args {
				arg.symbols(f)
			}
		}
	}
}

// anonymous reports whether a symbol without a name occurs in x.
func (x Int) anonymous() bool {
	found := false
	x.symbols(func(s *Symbol) { found = found || s.Anonymous() })
	return found
}

// An op says what an atom is.
type op uint8

const (
	opSymbol  op = iota // the symbol divided by its fact div
	opCeil              // ⌈args[0]/args[1]⌉
	opFloor             // ⌊args[0]/args[1]⌋
	opMod               // args[0] - args[1]·⌊args[0]/args[1]⌋
	opMin               // the smaller of args[0] and args[1]
	opAbs               // |args[0]|
	opSwizzle           // the swizzle of args[0]
)

// An atom is a variable of the polynomials: a symbol, or a function of polynomials that is not a polynomial. If 8
// divides a symbol K, the variable is K/8, so that a polynomial is divisible if its coefficients are.
type atom struct {
	op   op
	sym  *Symbol
	fn   func(int64) (int64, error) // opSwizzle
	name string                     // opSwizzle
	args []Int
	key  string
	size int // the number of terms and atoms in the arguments, at all depths

	limit *limit // the limit of the scope of the atom's symbols
}

// over returns the error that ends work on x, or nil if the work may continue.
func (x Int) over() error {
	if len(x.terms) == 0 {
		return nil
	}
	return x.terms[0].m.atoms[0].limit.over()
}

func newAtom(o op, args ...Int) *atom {
	a := &atom{op: o, args: args, size: 1}
	for _, x := range args {
		a.size += x.size()
		if a.limit == nil && len(x.terms) > 0 {
			a.limit = x.terms[0].m.atoms[0].limit
		}
	}
	var b strings.Builder
	b.WriteString(opNames[o])
	for i, x := range args {
		b.WriteByte("(,"[min(i, 1)])
		b.WriteString(x.key())
	}
	b.WriteByte(')')
	a.key = b.String()
	return a
}

var opNames = [...]string{opCeil: "ceil", opFloor: "floor", opMod: "mod", opMin: "min", opAbs: "abs", opSwizzle: "swizzle"}

// size returns the number of terms and atoms in x, at all depths.
func (x Int) size() int {
	n := 1
	for _, t := range x.terms {
		n++
		for _, a := range t.m.atoms {
			n += max(a.size, 1)
		}
	}
	return n
}

// The sizes of expressions are limited, since nested functions grow exponentially with the number of operations.
const (
	maxSize     = 20000 // the largest size of an expression that is computed
	maxCompared = 250   // the largest size of an expression whose comparison uses the facts
)

// function returns the Int for a function that is not a polynomial.
func (c *calc) function(o op, args ...Int) Int {
	a := newAtom(o, args...)
	if a.size > maxSize {
		c.fail(&cute.Error{
			Code: cute.CodeLimit,
			Msg:  fmt.Sprintf("an expression has more than %d parts", maxSize),
			Hint: "state facts such as K{div=8}, or give run-time integers their values, so that fewer cases are left",
		})
		return afterError
	}
	return variable(a)
}

// key returns a text that two polynomials share exactly if they are equal.
func (x Int) key() string { return x.text(numbered) }

// variable returns the atom as an integer.
func variable(a *atom) Int {
	return Int{terms: []term{{1, monomial{a.key, []*atom{a}}}}}
}

func times(x, y monomial) monomial {
	atoms := make([]*atom, 0, len(x.atoms)+len(y.atoms))
	atoms = append(append(atoms, x.atoms...), y.atoms...)
	if x.atoms[len(x.atoms)-1].key > y.atoms[0].key {
		slices.SortStableFunc(atoms, func(a, b *atom) int { return strings.Compare(a.key, b.key) })
	}
	return product(atoms)
}

// product returns the monomial of sorted atoms.
func product(atoms []*atom) monomial {
	if len(atoms) == 1 {
		return monomial{atoms[0].key, atoms}
	}
	if len(atoms) == 2 {
		return monomial{atoms[0].key + "*" + atoms[1].key, atoms}
	}
	keys := make([]string, len(atoms))
	for i, a := range atoms {
		keys[i] = a.key
	}
	return monomial{strings.Join(keys, "*"), atoms}
}

// over returns x divided by y, if it is a monomial.
func (x monomial) over(y monomial) ([]*atom, bool) {
	rest := make([]*atom, 0, len(x.atoms))
	j := 0
	for _, a := range x.atoms {
		if j < len(y.atoms) && a.key == y.atoms[j].key {
			j++
			continue
		}
		rest = append(rest, a)
	}
	return rest, j == len(y.atoms)
}

// compareMonomials puts higher degrees first.
func compareMonomials(x, y monomial) int {
	if d := len(y.atoms) - len(x.atoms); d != 0 {
		return d
	}
	return strings.Compare(x.key, y.key)
}

// maxTerms is the largest number of terms of a polynomial in a computation.
const maxTerms = 512

var tooManyTerms = &cute.Error{Code: cute.CodeLimit, Msg: fmt.Sprintf("an expression has more than %d terms", maxTerms)}

// limitError returns the error of a limit as an error of the algebra.
func limitError(err error) error { return &cute.Error{Code: cute.CodeLimit, Msg: err.Error()} }

// A calc computes with integers. It records the first error, so a formula need not check each operation. Results after
// an error are meaningless.
type calc struct {
	err error
}

// add returns x + y.
func (c *calc) add(x, y Int) Int {
	k, ok := ints.Add(x.k, y.k)
	switch {
	case len(y.terms) == 0:
		if !ok {
			c.overflow()
		}
		return Int{k, x.terms} // terms are never changed
	case len(x.terms) == 0:
		if !ok {
			c.overflow()
		}
		return Int{k, y.terms}
	}
	if err := x.over(); err != nil {
		c.fail(limitError(err))
		return afterError
	}
	terms := make([]term, 0, len(x.terms)+len(y.terms))
	i, j := 0, 0
	for i < len(x.terms) && j < len(y.terms) {
		switch order := compareMonomials(x.terms[i].m, y.terms[j].m); {
		case order < 0:
			terms = append(terms, x.terms[i])
			i++
		case order > 0:
			terms = append(terms, y.terms[j])
			j++
		default:
			sum, o := ints.Add(x.terms[i].c, y.terms[j].c)
			ok = ok && o
			if sum != 0 {
				terms = append(terms, term{sum, x.terms[i].m})
			}
			i++
			j++
		}
	}
	terms = append(append(terms, x.terms[i:]...), y.terms[j:]...)
	if !ok {
		c.overflow()
	}
	if len(terms) > maxTerms {
		c.fail(tooManyTerms)
	}
	return Int{k, terms}
}

// sub returns x - y.
func (c *calc) sub(x, y Int) Int { return c.add(x, c.mul(y, Const(-1))) }

// mul returns x·y.
func (c *calc) mul(x, y Int) Int {
	if len(x.terms) == 0 {
		x, y = y, x
	}
	if len(y.terms) == 0 {
		return c.scale(x, y.k)
	}
	if len(x.terms) == 1 && len(y.terms) == 1 && x.k == 0 && y.k == 0 {
		p, ok := ints.Mul(x.terms[0].c, y.terms[0].c)
		if !ok {
			c.overflow()
			return afterError
		}
		return Int{terms: []term{{p, times(x.terms[0].m, y.terms[0].m)}}}
	}
	sum := c.add(c.scale(y, x.k), c.scale(Int{terms: x.terms}, y.k))
	if len(x.terms)*len(y.terms) > maxTerms {
		c.fail(tooManyTerms)
		return afterError
	}
	// The product x.k·y.k is already in the first summand.
	for _, t := range x.terms {
		for _, u := range y.terms {
			p, ok := ints.Mul(t.c, u.c)
			if !ok {
				c.overflow()
				return afterError
			}
			sum = c.add(sum, Int{terms: []term{{p, times(t.m, u.m)}}})
		}
	}
	return sum
}

func (c *calc) scale(x Int, n int64) Int {
	if n == 0 {
		return Int{}
	}
	if n == 1 {
		return x
	}
	k, ok := ints.Mul(x.k, n)
	out := Int{k: k}
	if len(x.terms) > 0 {
		out.terms = make([]term, len(x.terms))
	}
	for i, t := range x.terms {
		p, o := ints.Mul(t.c, n)
		ok = ok && o
		out.terms[i] = term{p, t.m}
	}
	if !ok {
		c.overflow()
		return afterError
	}
	return out
}

// afterError is the result of products and quotients after an error. It is a valid divisor with a nonzero coefficient.
var afterError = Const(1)

// prod returns the product of all.
func (c *calc) prod(xs ...Int) Int {
	p := Const(1)
	for _, x := range xs {
		p = c.mul(p, x)
	}
	return p
}
