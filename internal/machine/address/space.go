package address

import (
	"fmt"
	"math"
	"strings"

	"girih/cute"
	"girih/internal/ints"
	"girih/symbolic"
)

// These are the limits of a Space. An operation that would exceed one fails with [cute.CodeLimit].
const (
	MaxNodes = 1 << 20 // distinct sums and atoms
	MaxTerms = 256     // the most terms of one sum
	MaxDepth = 64      // nesting of divided sums
)

// maxBits limits the bits of a value that is split into bits.
const maxBits = 62

// Facts are the known properties of a symbol: its range and its divisor. The zero Facts describe the number 0.
type Facts = symbolic.Facts

// A Symbol is a number that is not known before the kernel runs. Symbols are compared by pointer.
type Symbol struct {
	name  string
	facts Facts
	level int
	expr  Expr
	atom  *atom
}

// Name returns the name of the symbol in the text of expressions.
func (s *Symbol) Name() string { return s.name }

// Facts returns the range of the symbol, and what divides it.
func (s *Symbol) Facts() Facts { return s.facts }

// Level returns how often the symbol changes: 0 for a constant of the launch, higher for counters of inner loops.
func (s *Symbol) Level() int { return s.level }

// Expr returns the symbol as an expression.
func (s *Symbol) Expr() Expr { return s.expr }

// A Space holds the expressions of one kernel, each form once. It must not be used by several goroutines at once. After
// its first error, which [Space.Err] returns, the results of its operations have no meaning; so formulas need no check
// after each operation.
type Space struct {
	sums  table
	atoms map[uint64]*atom
	xors  map[[2]*sum]Expr // results of earlier operations
	arena arena
	count int32
	stamp int32 // the number of the last substitution
	zero  *sum
	err   error
	trace *[]Step // nil unless steps are recorded
	used  [len(rules)]Use
	depth int
}

// New returns a Space without symbols.
func New() *Space {
	s := &Space{atoms: make(map[uint64]*atom, 16), xors: map[[2]*sum]Expr{}}
	s.zero = s.sum(0, nil)
	return s
}

// Err returns the first error, of type *[cute.Error], or nil: [cute.CodeOverflow] if a value may exceed 64 bits,
// [cute.CodeExtent] for a divisor that is not positive, [cute.CodeNegative] for the bits of a value that may be
// negative, [cute.CodeFact] for facts that contradict each other or leave the range unbounded, [cute.CodeLimit].
func (s *Space) Err() error { return s.err }

// Recover returns the first error and forgets it, so that the space can be used again.
func (s *Space) Recover() error {
	err := s.err
	s.err = nil
	return err
}

// fail records the first error and returns an expression without meaning.
func (s *Space) fail(code cute.Code, format string, args ...any) Expr {
	if s.err == nil {
		s.err = &cute.Error{Code: code, Op: "address", Msg: fmt.Sprintf(format, args...)}
	}
	return Expr{s.zero}
}

func (s *Space) overflow(what string) Expr {
	return s.fail(cute.CodeOverflow, "%s may leave 64 bits", what)
}

// overflowOf records that a sum may exceed 64 bits: with the ranges of its symbols, and with the largest term, whose
// symbols need smaller bounds.
func (s *Space) overflowOf(x *sum) {
	if s.err != nil || len(x.terms) == 0 {
		s.overflow("a sum")
		return
	}
	var far float64
	var most term
	for _, t := range x.terms {
		lo, hi := t.a.span(t.n)
		if y := math.Abs(float64(t.c)) * max(math.Abs(float64(lo)), math.Abs(float64(hi))); y >= far {
			far, most = y, t
		}
	}
	ranges := func(x *sum) (text, names []string) {
		Expr{x}.Symbols(func(sym *Symbol) {
			text = append(text, fmt.Sprintf("%s from %d to %d", sym.name, sym.facts.Min, sym.facts.Max))
			names = append(names, sym.name)
		})
		return text, names
	}
	text, _ := ranges(x)
	lo, hi := most.a.span(most.n)
	s.fail(cute.CodeOverflow, "a sum may leave 64 bits, with %s: one term is %d times a number from %d to %d",
		strings.Join(text, ", "), most.c, lo, hi)
	_, names := ranges(&sum{form: &form{terms: []term{most}}})
	s.err.(*cute.Error).Hint = "state a smaller Max in the facts of " + strings.Join(names, " or ")
}

// Symbol returns a new symbol, which changes at the given level. Facts must bound it on both sides; a Div of 0 means 1.
// The error is [Space.Err].
func (s *Space) Symbol(name string, f Facts, level int) (*Symbol, error) {
	if f.Div == 0 {
		f.Div = 1
	}
	if f.Min == math.MinInt64 || f.Max == math.MaxInt64 || f.Div < 0 {
		s.fail(cute.CodeFact, "%s needs a range and a positive divisor, found %d to %d and %d", name, f.Min, f.Max, f.Div)
		return nil, s.err
	}
	lo, hi := -ints.FloorDiv(-f.Min, f.Div), ints.FloorDiv(f.Max, f.Div)
	if lo > hi {
		s.fail(cute.CodeFact, "no multiple of %d is at least %d and at most %d, as %s must be", f.Div, f.Min, f.Max, name)
		return nil, s.err
	}
	sym := &Symbol{name: name, facts: f, level: level}
	sym.atom = s.register(atom{op: opSymbol, sym: sym, lo: lo, hi: hi, level: level})
	b := adder{s: s}
	b.quotient(f.Div, sym.atom, 1)
	sym.expr = b.expr()
	return sym, s.err
}

// Const returns the number x.
func (s *Space) Const(x int64) Expr {
	if x == 0 {
		return Expr{s.zero}
	}
	return Expr{s.sum(x, nil)}
}

// mul returns a·b, or records an overflow.
func (s *Space) mul(a, b int64) int64 {
	p, ok := ints.Mul(a, b)
	if !ok {
		s.overflow(fmt.Sprintf("%d times %d", a, b))
	}
	return p
}

// plus returns a+b, or records an overflow.
func (s *Space) plus(a, b int64) int64 {
	c, ok := ints.Add(a, b)
	if !ok {
		s.overflow(fmt.Sprintf("%d plus %d", a, b))
	}
	return c
}
