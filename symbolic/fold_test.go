package symbolic

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// numbers evaluates an expression during Fold. Quotients of negative numbers round down.
type numbers struct{ at Values }

func (n numbers) Const(x int64) *big.Int    { return big.NewInt(x) }
func (n numbers) Symbol(s *Symbol) *big.Int { return big.NewInt(n.at[s]) }

func (n numbers) Sum(terms []*big.Int) *big.Int {
	z := new(big.Int)
	for _, x := range terms {
		z.Add(z, x)
	}
	return z
}

func (n numbers) Product(factors []*big.Int) *big.Int {
	z := big.NewInt(1)
	for _, x := range factors {
		z.Mul(z, x)
	}
	return z
}

func (n numbers) Apply(op Op, args []*big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case OpFloor:
		return z.Div(args[0], args[1])
	case OpCeil:
		return z.Neg(z.Div(z.Neg(args[0]), args[1]))
	case OpMod:
		return z.Mod(args[0], args[1])
	case OpAbs:
		return z.Abs(args[0])
	case OpMin:
		if args[0].Cmp(args[1]) < 0 {
			return args[0]
		}
		return args[1]
	}
	panic("no such function is drawn: " + string(op))
}

// The calls of a builder describe the same expression.
func TestFoldAgreesWithNumbers(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		tr := drawTree(t, symbols, 3, treeOps)
		var c calc
		x, ok := tr.build(&c)
		if !ok || c.err != nil {
			wantRefused(t, &c)
			return
		}
		for _, at := range drawSamples(t, symbols) {
			want, ok := tr.value(at)
			if !ok {
				continue
			}
			if got := Fold(x, numbers{at}); got.Cmp(want) != 0 {
				t.Fatalf("%s at %s folds to %s, want %s", x.key(), spell(at), got, want)
			}
		}
	})
}

// If the product of the symbols' divisors does not fit, each symbol is divided on its own.
func TestDivisorsWhoseProductDoesNotFit(t *testing.T) {
	t.Parallel()
	const div = 1 << 40
	var s Scope
	k, errK := s.Named("K", Facts{Div: div, Min: div, Max: math.MaxInt64})
	m, errM := s.Named("M", Facts{Div: div, Min: div, Max: math.MaxInt64})
	if errK != nil || errM != nil {
		t.Fatal(errK, errM)
	}
	var c calc
	x, okK := c.exact(Of(k), Const(div))
	y, okM := c.exact(Of(m), Const(div))
	p := c.mul(x, y)
	if !okK || !okM || c.err != nil || p.String() != "(K/1099511627776)*(M/1099511627776)" {
		t.Fatalf("%s, %v, want (K/1099511627776)*(M/1099511627776)", p, c.err)
	}
	at := Values{k: 3 * div, m: 5 * div}
	if got, err := p.At(at); err != nil || got != 15 || Fold(p, numbers{at}).Int64() != 15 {
		t.Errorf("%s is %d, %v, and folds to %s, want 15", p, got, err, Fold(p, numbers{at}))
	}
}

// The facts of an expression hold for its values.
func TestFactsOfExpressions(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		tr := drawTree(t, symbols, 3, treeOps)
		var c calc
		x, ok := tr.build(&c)
		if !ok || c.err != nil {
			wantRefused(t, &c)
			return
		}
		f := x.Facts()
		for _, at := range drawSamples(t, symbols) {
			want, ok := tr.value(at)
			if !ok {
				continue
			}
			if v := want.Int64(); v%f.Div != 0 || v < f.Min || v > f.Max {
				t.Fatalf("%s has the facts %s, and is %d at %s", x.key(), f, v, spell(at))
			}
		}
	})
}
