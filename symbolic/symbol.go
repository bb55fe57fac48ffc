package symbolic

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/ints"
)

// A Symbol is an integer that is known only at run time. Symbols are compared by pointer.
type Symbol struct {
	name  string // "M", or "?2" for the second one without a name
	facts Facts
	limit *limit
}

// Facts are what is known about a symbol.
type Facts struct {
	Div      int64 // a positive divisor of the symbol; 1 if nothing is known
	Min, Max int64 // the range of the symbol; [math.MinInt64] and [math.MaxInt64] for no bound
	Bits     int   // the width of its type, 32 or 64; 0 if it is not stated
}

// NoFacts returns the facts of a symbol about which nothing is known.
func NoFacts() Facts { return Facts{Div: 1, Min: math.MinInt64, Max: math.MaxInt64} }

// Name returns the name; symbols without a name are called ?1, ?2, ... in the order in which they are written.
func (s *Symbol) Name() string { return s.name }

// Anonymous reports whether the symbol was written as ?.
func (s *Symbol) Anonymous() bool { return s.name[0] == '?' }

// Facts returns what is known about the symbol.
func (s *Symbol) Facts() Facts { return s.facts }

// String returns the name with the facts, as K{div=8}; without a name, the text ?{div=8}.
func (s *Symbol) String() string {
	name := s.name
	if s.Anonymous() {
		name = "?"
	}
	return name + s.facts.String()
}

// String returns the facts in braces, as {i64 div=8}, {>=1,<=4096}, or "" if there are none.
func (f Facts) String() string {
	var parts []string
	if f.Div > 1 {
		parts = append(parts, "div="+strconv.FormatInt(f.Div, 10))
	}
	if f.Min != math.MinInt64 {
		parts = append(parts, ">="+strconv.FormatInt(f.Min, 10))
	}
	if f.Max != math.MaxInt64 {
		parts = append(parts, "<="+strconv.FormatInt(f.Max, 10))
	}
	text := strings.Join(parts, ",")
	if f.Bits == 64 {
		if text != "" {
			text = " " + text
		}
		text = "i64" + text
	}
	if text == "" {
		return ""
	}
	return "{" + text + "}"
}

// check refuses facts that no integer satisfies.
func (f Facts) check(name string) error {
	bad := func(format string, args ...any) error {
		return &cute.Error{Code: cute.CodeFact, Msg: name + f.String() + ": " + fmt.Sprintf(format, args...)}
	}
	switch {
	case f.Div < 1:
		return bad("div must be at least 1, found %d", f.Div)
	case f.Min > f.Max:
		return bad("no integer is at least %d and at most %d", f.Min, f.Max)
	case f.Bits != 0 && f.Bits != 32 && f.Bits != 64:
		return bad("an integer has 32 or 64 bits, found %d", f.Bits)
	}
	if lo, hi := f.quotients(); lo > hi {
		return bad("no multiple of %d is at least %d and at most %d", f.Div, f.Min, f.Max)
	}
	return nil
}

// quotients returns the range of the symbol divided by Div.
func (f Facts) quotients() (lo, hi int64) {
	lo, hi = f.Min, f.Max
	if f.Div > 1 {
		if lo != math.MinInt64 {
			lo = ints.CeilDiv(lo, f.Div)
		}
		if hi != math.MaxInt64 {
			hi = ints.FloorDiv(hi, f.Div)
		}
	}
	return lo, hi
}

// Near returns the value admitted by the facts that is nearest to the given value, the larger if two are equally near.
// Facts admit at least one value.
func (f Facts) Near(value int64) int64 {
	lo, hi := f.quotients()
	q := min(max(ints.FloorDiv(value, f.Div), lo), hi)
	if q < hi && value-q*f.Div >= (f.Div+1)/2 {
		q++
	}
	return q * f.Div
}

// Admits returns [cute.CodeFact] if the facts rule the value out.
func (s *Symbol) Admits(value int64) error {
	f := s.facts
	switch {
	case value%f.Div != 0:
		return &cute.Error{
			Code: cute.CodeFact, Msg: fmt.Sprintf("%s = %d breaks the fact that %d divides %s", s.name, value, f.Div, s.name),
		}
	case value < f.Min:
		return &cute.Error{
			Code: cute.CodeFact, Msg: fmt.Sprintf("%s = %d breaks the fact %s >= %d", s.name, value, s.name, f.Min),
		}
	case f.Bits == 32 && value != int64(int32(value)):
		return &cute.Error{
			Code: cute.CodeFact, Msg: fmt.Sprintf("%s = %d does not fit in the 32 bits of %s{i32}", s.name, value, s.name),
		}
	case value > f.Max:
		return &cute.Error{
			Code: cute.CodeFact, Msg: fmt.Sprintf("%s = %d breaks the fact %s <= %d", s.name, value, s.name, f.Max),
		}
	}
	return nil
}

// A Scope holds the symbols of a program. The zero Scope is empty.
type Scope struct {
	named     map[string]*Symbol
	anonymous []*Symbol
	limit     *limit // the limit of all symbols in the scope
}

// A limit ends work on expressions. The atoms of an expression refer to their limit, so operations need no parameter
// for it.
type limit struct{ stop func() error }

// over returns the error that ends the work, or nil if the work may continue.
func (l *limit) over() error {
	if l == nil || l.stop == nil {
		return nil
	}
	return l.stop()
}

// Limit makes operations on expressions with symbols of the scope call f often; nil removes the limit. After f returns
// an error, operations end soon: with that error, of code [cute.CodeLimit], or with a wrong result because a question
// was left undecided. So results after an error of f are meaningless.
func (s *Scope) Limit(f func() error) { s.limits().stop = f }

func (s *Scope) limits() *limit {
	if s.limit == nil {
		s.limit = new(limit)
	}
	return s.limit
}

// Anonymous returns a new symbol without a name. It returns [cute.CodeFact] if no integer satisfies the facts.
func (s *Scope) Anonymous(f Facts) (*Symbol, error) {
	if err := f.check("?"); err != nil {
		return nil, err
	}
	x := &Symbol{name: "?" + strconv.Itoa(len(s.anonymous)+1), facts: f, limit: s.limits()}
	s.anonymous = append(s.anonymous, x)
	return x, nil
}

// And returns the facts that hold if f and g both hold. It returns [cute.CodeFact] if no integer satisfies them.
func (f Facts) And(g Facts) (Facts, error) {
	by, ok := ints.Mul(f.Div/ints.GCD(f.Div, g.Div), g.Div)
	out := Facts{Div: by, Min: max(f.Min, g.Min), Max: min(f.Max, g.Max), Bits: max(f.Bits, g.Bits)}
	if !ok || f.Bits != 0 && g.Bits != 0 && f.Bits != g.Bits {
		return Facts{}, &cute.Error{
			Code: cute.CodeFact, Msg: fmt.Sprintf("no 64-bit integer but 0 has the facts %s and %s", f, g),
		}
	}
	return out, out.check("the symbol")
}

// implies reports whether g holds wherever f does.
func (f Facts) implies(g Facts) bool {
	both, err := f.And(g)
	return err == nil && both == f
}

// Named returns the symbol of the given name. Facts stated at its first mention hold from then on, and facts stated
// later must follow from them. It returns [cute.CodeFact] if they do not, or if no integer satisfies the facts.
func (s *Scope) Named(name string, f Facts) (*Symbol, error) {
	if x, ok := s.named[name]; ok {
		if !x.facts.implies(f) {
			return nil, &cute.Error{
				Code: cute.CodeFact,
				Msg:  fmt.Sprintf("%s was %s before: it cannot be %s%s now", name, orNone(name, x.facts), name, f),
				Hint: "state the facts of a symbol where it is mentioned first, in a fresh session",
			}
		}
		return x, nil
	}
	if err := f.check(name); err != nil {
		return nil, err
	}
	if s.named == nil {
		s.named = make(map[string]*Symbol)
	}
	x := &Symbol{name: name, facts: f, limit: s.limits()}
	s.named[name] = x
	return x, nil
}

func orNone(name string, f Facts) string {
	if t := f.String(); t != "" {
		return name + t
	}
	return "without facts"
}

// Names returns the names of all symbols, as [Scope.Lookup] accepts them: first ?1, ?2, ... in the order in which they
// are written, then the sorted names of the others.
func (s *Scope) Names() []string {
	var names []string
	for _, x := range s.anonymous {
		names = append(names, x.name)
	}
	return append(names, slices.Sorted(maps.Keys(s.named))...)
}

// Lookup returns the symbol called name; "?2" is the second symbol without a name.
func (s *Scope) Lookup(name string) (*Symbol, bool) {
	if x, ok := s.named[name]; ok {
		return x, true
	}
	number, ok := strings.CutPrefix(name, "?")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i < 1 || i > len(s.anonymous) {
		return nil, false
	}
	return s.anonymous[i-1], true
}
