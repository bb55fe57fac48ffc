package symbolic

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

// This file draws the inputs of the package's properties: symbols with facts, values that the facts admit, and
// expressions, with a second evaluator over numbers of any size.

// holds checks a property on a few hundred drawn values, in parallel with other tests.
func holds(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	t.Parallel()
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		rapid.Check(t, property)
	}
}

// codeOf returns the code of a girih error, "" for none and "foreign" for any other error.
func codeOf(err error) cute.Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e.Code
	}
	return "foreign"
}

// drawFacts draws facts that some small integer satisfies.
func drawFacts(t *rapid.T, name string) Facts {
	f := NoFacts()
	f.Div = rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 4, 8}).Draw(t, name+" div")
	v := f.Div * rapid.Int64Range(-3, 9).Draw(t, name+" sample")
	switch rapid.IntRange(0, 5).Draw(t, name+" bounds") {
	case 0:
	case 1:
		f.Min = v - rapid.Int64Range(0, 9).Draw(t, name+" slack")
	case 2:
		f.Max = v + rapid.Int64Range(0, 20).Draw(t, name+" slack")
	case 3:
		f.Min = v - rapid.Int64Range(0, 9).Draw(t, name+" slack below")
		f.Max = v + rapid.Int64Range(0, 20).Draw(t, name+" slack above")
	default:
		f.Min = 1 // an extent
	}
	return f
}

// drawSymbols draws the symbols K, M and one without a name.
func drawSymbols(t *rapid.T) []*Symbol {
	var s Scope
	k, errK := s.Named("K", drawFacts(t, "K"))
	m, errM := s.Named("M", drawFacts(t, "M"))
	q, errQ := s.Anonymous(drawFacts(t, "?"))
	if err := errors.Join(errK, errM, errQ); err != nil {
		t.Fatalf("facts that an integer satisfies are refused: %v", err)
	}
	return []*Symbol{k, m, q}
}

// drawValue draws a small value that the facts admit.
func drawValue(t *rapid.T, s *Symbol) int64 {
	f := s.facts
	lo, hi := int64(-30), int64(60)
	switch {
	case f.Min != math.MinInt64 && f.Max != math.MaxInt64:
		lo, hi = f.Min, f.Max
	case f.Min != math.MinInt64:
		lo, hi = f.Min, f.Min+60
	case f.Max != math.MaxInt64:
		lo, hi = f.Max-60, f.Max
	}
	first := lo + (f.Div-lo%f.Div)%f.Div // the least multiple, found without the functions under test
	return first + f.Div*rapid.Int64Range(0, (hi-first)/f.Div).Draw(t, s.name)
}

// drawSamples draws values of all symbols, many times.
func drawSamples(t *rapid.T, symbols []*Symbol) []Values {
	out := make([]Values, 12)
	for i := range out {
		out[i] = Values{}
		for _, s := range symbols {
			out[i][s] = drawValue(t, s)
		}
	}
	return out
}

// A tree is an expression before any simplification.
type tree struct {
	op   treeOp
	sym  *Symbol
	k    int64
	l, r *tree
}

type treeOp int

const (
	treeConst treeOp = iota
	treeSymbol
	treeAdd
	treeSub
	treeMul
	treeCeil
	treeFloor
	treeMod
	treeMin
	treeAbs
	treeOps // the number of operations
)

// drawTree draws an expression of at most the given depth; either polynomials only, or also quotients, minima and so
// on.
func drawTree(t *rapid.T, symbols []*Symbol, depth int, last treeOp) *tree {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "stop") == 0 {
		if rapid.IntRange(0, 2).Draw(t, "leaf") == 0 {
			return &tree{k: rapid.Int64Range(-9, 16).Draw(t, "number")}
		}
		return &tree{op: treeSymbol, sym: rapid.SampledFrom(symbols).Draw(t, "symbol")}
	}
	op := treeOp(rapid.IntRange(int(treeAdd), int(last)-1).Draw(t, "op"))
	x := &tree{op: op, l: drawTree(t, symbols, depth-1, last)}
	switch op {
	case treeAbs:
	case treeCeil, treeFloor, treeMod:
		// Divisors are mostly known numbers. Other divisors may not be positive everywhere; results are compared only
		// where they are.
		if rapid.IntRange(0, 2).Draw(t, "divisor") > 0 {
			x.r = &tree{k: rapid.Int64Range(1, 12).Draw(t, "by")}
			break
		}
		x.r = drawTree(t, symbols, depth-1, last)
	default:
		x.r = drawTree(t, symbols, depth-1, last)
	}
	return x
}

// build computes the tree with the package; ok is false if a divisor is known not to be positive.
func (x *tree) build(c *calc) (out Int, ok bool) {
	switch x.op {
	case treeConst:
		return Const(x.k), true
	case treeSymbol:
		return Of(x.sym), true
	}
	l, ok := x.l.build(c)
	if !ok {
		return Int{}, false
	}
	if x.op == treeAbs {
		return c.abs(l), true
	}
	r, ok := x.r.build(c)
	if !ok {
		return Int{}, false
	}
	switch x.op {
	case treeCeil, treeFloor, treeMod:
		if atMost(Const(1), r) == no {
			return Int{}, false
		}
	}
	f := map[treeOp]func(x, y Int) Int{
		treeAdd: c.add, treeSub: c.sub, treeMul: c.mul, treeCeil: c.ceilDiv, treeFloor: c.floorDiv, treeMod: c.mod,
		treeMin: c.min,
	}
	return f[x.op](l, r), true
}

// value computes the tree over numbers of any size; ok is false if it divides by a number below 1.
func (x *tree) value(at Values) (out *big.Int, ok bool) {
	switch x.op {
	case treeConst:
		return big.NewInt(x.k), true
	case treeSymbol:
		return big.NewInt(at[x.sym]), true
	}
	l, ok := x.l.value(at)
	if !ok {
		return nil, false
	}
	if x.op == treeAbs {
		return new(big.Int).Abs(l), true
	}
	r, ok := x.r.value(at)
	if !ok {
		return nil, false
	}
	z := new(big.Int)
	switch x.op {
	case treeAdd:
		return z.Add(l, r), true
	case treeSub:
		return z.Sub(l, r), true
	case treeMul:
		return z.Mul(l, r), true
	case treeMin:
		if l.Cmp(r) < 0 {
			return l, true
		}
		return r, true
	}
	if r.Sign() <= 0 {
		return nil, false
	}
	// Div and Mod round down for positive divisors.
	switch x.op {
	case treeFloor:
		return z.Div(l, r), true
	case treeMod:
		return z.Mod(l, r), true
	}
	return z.Neg(z.Div(z.Neg(l), r)), true
}
