package symbolic

import (
	"slices"

	"girih/internal/ints"
)

// An Op names a function in an expression.
type Op string

// The functions of expressions.
const (
	OpCeil    Op = "ceil"    // ⌈a/b⌉
	OpFloor   Op = "floor"   // ⌊a/b⌋
	OpMod     Op = "mod"     // a - b·⌊a/b⌋
	OpMin     Op = "min"     // the smaller of a and b
	OpAbs     Op = "abs"     // |a|
	OpSwizzle Op = "swizzle" // a swizzle of a
)

// A Builder makes expressions of another kind, for [Fold].
type Builder[T any] interface {
	Const(x int64) T
	Symbol(s *Symbol) T
	Sum(terms []T) T       // returns the sum of at least two terms
	Product(factors []T) T // returns the product of at least two factors
	Apply(op Op, args []T) T
}

// Fold rebuilds the expression x with b. Division of a symbol by its divisor is OpFloor, which is exact for that pair.
func Fold[T any](x Int, b Builder[T]) T {
	var sum []T
	for _, t := range x.terms {
		sum = append(sum, foldTerm(t, b))
	}
	if x.k != 0 || len(sum) == 0 {
		sum = append(sum, b.Const(x.k))
	}
	if len(sum) == 1 {
		return sum[0]
	}
	return b.Sum(sum)
}

func foldTerm[T any](t term, b Builder[T]) T {
	c, div := t.c, t.m.divisor()
	apart := div == 0
	if g := ints.GCD(c, div); !apart && g > 1 {
		c, div = c/g, div/g
	}
	var factors []T
	if c != 1 {
		factors = append(factors, b.Const(c))
	}
	for _, a := range t.m.atoms {
		if a.op != opSymbol {
			args := make([]T, len(a.args))
			for i, x := range a.args {
				args[i] = Fold(x, b)
			}
			factors = append(factors, b.Apply(Op(opNames[a.op]), args))
			continue
		}
		s := b.Symbol(a.sym)
		if d := a.sym.facts.Div; apart && d > 1 {
			s = b.Apply(OpFloor, []T{s, b.Const(d)})
		}
		factors = append(factors, s)
	}
	out := factors[0]
	if len(factors) > 1 {
		out = b.Product(factors)
	}
	if !apart && div > 1 {
		out = b.Apply(OpFloor, []T{out, b.Const(div)})
	}
	return out
}

// Axes calls f for each part of the vector: an integer along an axis. The axis is a path, outermost mode first; its
// path is nil if the vector is an integer.
func (v Vector) Axes(f func(x Int, path []int)) {
	for _, p := range v.parts {
		f(p.x, path(p.axis))
	}
}

// Symbols returns the names of the symbols in t, each once, in order of occurrence; symbols without a name are "?".
func (t Tuple) Symbols() []string {
	var names symbolNames
	for _, v := range t.leaves() {
		for _, p := range v.parts {
			Fold(p.x, &names)
		}
	}
	return names
}

// symbolNames collects names; it builds nothing.
type symbolNames []string

func (n *symbolNames) Symbol(s *Symbol) struct{} {
	name := s.Name()
	if s.Anonymous() {
		name = "?"
	}
	if !slices.Contains(*n, name) {
		*n = append(*n, name)
	}
	return struct{}{}
}

func (n *symbolNames) Const(int64) struct{}          { return struct{}{} }
func (n *symbolNames) Sum([]struct{}) struct{}       { return struct{}{} }
func (n *symbolNames) Product([]struct{}) struct{}   { return struct{}{} }
func (n *symbolNames) Apply(Op, []struct{}) struct{} { return struct{}{} }
