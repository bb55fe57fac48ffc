package symbolic

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawPair draws two expressions that are often related, so that most questions about them have an answer.
func drawPair(t *rapid.T, symbols []*Symbol) (x, y *tree) {
	x = drawTree(t, symbols, 2, treeOps)
	y = drawTree(t, symbols, 2, treeOps)
	switch rapid.IntRange(0, 3).Draw(t, "pair") {
	case 0:
		y = &tree{op: treeAdd, l: x, r: y}
	case 1:
		y = &tree{op: treeMul, l: x, r: y}
	case 2:
		y = &tree{op: treeSub, l: y, r: &tree{k: rapid.Int64Range(-50, 50).Draw(t, "far")}}
	}
	return x, y
}

// Verdicts hold for all values of the symbols, and bounds contain every value of the expression.
func TestVerdictsAreTrueEverywhere(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		p, q := drawPair(t, symbols)
		var c calc
		x, okX := p.build(&c)
		y, okY := q.build(&c)
		if !okX || !okY || c.err != nil {
			wantRefused(t, &c)
			return
		}
		le, lt, div := atMost(x, y), below(x, y), divides(x, y)
		ne := Condition{op: isDistinct, a: x, b: y}.decide()
		eq := Condition{op: isEqual, a: x, b: y}.decide()
		for _, at := range drawSamples(t, symbols) {
			v, okV := p.value(at)
			w, okW := q.value(at)
			if !okV || !okW {
				continue
			}
			wantVerdict(t, le, v.Cmp(w) <= 0, x, "<=", y, at)
			wantVerdict(t, lt, v.Cmp(w) < 0, x, "<", y, at)
			wantVerdict(t, ne, v.Cmp(w) != 0, x, "!=", y, at)
			wantVerdict(t, eq, v.Cmp(w) == 0, x, "==", y, at)
			// An unknown divisor is assumed to be positive; operations require that separately.
			if v.Sign() > 0 {
				wantVerdict(t, div, w.Int64()%v.Int64() == 0, x, "|", y, at)
			} else if x.static() {
				wantVerdict(t, div, false, x, "|", y, at)
			}
			r := bounds(x)
			if r.hasLo() && r.lo > v.Int64() || r.hasHi() && r.hi < v.Int64() {
				t.Fatalf("bounds(%s) = [%d, %d], and it is %s at %s", x.key(), r.lo, r.hi, v, spell(at))
			}
		}
	})
}

func wantVerdict(t *rapid.T, got verdict, truth bool, x Int, op string, y Int, at Values) {
	t.Helper()
	if got == yes && !truth || got == no && truth {
		t.Fatalf("%s %s %s is decided as %v, and is %v at %s", x.key(), op, y.key(), got == yes, truth, spell(at))
	}
}

// The questions that the operations rely on are decided, not merely left unknown.
func TestVerdictsThatAreReached(t *testing.T) {
	t.Parallel()
	var s Scope
	named := func(name string, f Facts) Int {
		x, err := s.Named(name, f)
		if err != nil {
			t.Fatal(err)
		}
		return Of(x)
	}
	m := named("M", Facts{Div: 1, Min: 1, Max: math.MaxInt64})
	n := named("N", Facts{Div: 1, Min: 1, Max: 128})
	k := named("K", Facts{Div: 8, Min: 1, Max: math.MaxInt64})
	x := named("X", NoFacts())
	y := named("Y", Facts{Div: 1, Min: -9, Max: 3})
	var c calc
	tiles := c.ceilDiv(m, Const(128))
	for _, tt := range []struct {
		name string
		got  verdict
		want verdict
	}{
		{"1 <= M", atMost(Const(1), m), yes},
		{"8 <= K, since 8 | K", atMost(Const(8), k), yes},
		{"9 <= K", atMost(Const(9), k), unknown},
		{"M <= M*K", atMost(m, c.mul(m, k)), yes},
		{"N <= 128", atMost(n, Const(128)), yes},
		{"129 <= N", atMost(Const(129), n), no},
		{"M < M+1", below(m, c.add(m, Const(1))), yes},
		{"X <= X", atMost(x, x), yes},
		{"X <= M", atMost(x, m), unknown},
		{"M <= 128*ceil(M/128)", atMost(m, c.mul(tiles, Const(128))), yes},
		{"128*floor(M/128) <= M", atMost(c.mul(c.floorDiv(m, Const(128)), Const(128)), m), yes},
		{"128*ceil(M/128) < M+128", below(c.mul(tiles, Const(128)), c.add(m, Const(128))), yes},
		{"128*ceil(M/128) <= M+126", atMost(c.mul(tiles, Const(128)), c.add(m, Const(126))), unknown},
		{"M <= 128*floor(M/128)+127", atMost(m, c.add(c.mul(c.floorDiv(m, Const(128)), Const(128)), Const(127))), yes},
		{"M <= 128*floor(M/128)+126", atMost(m, c.add(c.mul(c.floorDiv(m, Const(128)), Const(128)), Const(126))), unknown},
		{"Y*min(M,8) <= 8Y, wrong for Y = -1", atMost(c.mul(y, c.min(m, Const(8))), c.mul(y, Const(8))), unknown},
		{"N*min(M,8) <= 8N", atMost(c.mul(n, c.min(m, Const(8))), c.mul(n, Const(8))), yes},
		{"|Y| <= 9", atMost(c.abs(y), Const(9)), yes},
		{"|Y| <= 8", atMost(c.abs(y), Const(8)), unknown},
		{"min(M,X) <= M", atMost(c.min(m, x), m), yes},
		{"M%8 < 8", below(c.mod(m, Const(8)), Const(8)), yes},
		{"0 <= |X|", atMost(Const(0), c.abs(x)), yes},
		{"4 | K", divides(Const(4), k), yes},
		{"16 | K", divides(Const(16), k), unknown},
		{"4 | K+1", divides(Const(4), c.add(k, Const(1))), no},
		{"M | M*K", divides(m, c.mul(m, k)), yes},
		{"K | 4, since 8 <= K", divides(k, Const(4)), no},
		{"M*8 | M*K", divides(c.mul(m, Const(8)), c.mul(m, k)), yes},
		{"X*8 | X*K", divides(c.mul(x, Const(8)), c.mul(x, k)), yes},
		{"0 | M, which no value satisfies", divides(Const(0), m), no},
		{"-4 | K, which is no divisor", divides(Const(-4), k), no},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: verdict %d, want %d", tt.name, tt.got, tt.want)
		}
	}
}

// drawGuard draws conditions, including alternatives, and returns the trees of their divisors.
func drawGuard(t *rapid.T, symbols []*Symbol, depth int) (g Guard, divisors []Int) {
	var c calc
	for range rapid.IntRange(1, 3).Draw(t, "conditions") {
		op := relation(rapid.IntRange(0, int(oneOf)).Draw(t, "relation"))
		if op == oneOf {
			if depth == 0 {
				continue
			}
			var alts []Guard
			for range rapid.IntRange(1, 3).Draw(t, "alternatives") {
				a, ds := drawGuard(t, symbols, depth-1)
				alts, divisors = append(alts, a), append(divisors, ds...)
			}
			g = append(g, Condition{op: oneOf, alts: alts})
			continue
		}
		p, q := drawPair(t, symbols)
		x, okX := p.build(&c)
		y, okY := q.build(&c)
		if !okX || !okY || c.err != nil {
			wantRefused(t, &c)
			return
		}
		if op == isDivisor {
			divisors = append(divisors, x)
			g = append(g, dividesIf(x, y))
			continue
		}
		g = append(g, Condition{op: op, a: x, b: y})
	}
	return g, divisors
}

// meaningful reports whether divisors are positive and every expression has a value.
func meaningful(g Guard, divisors []Int, at Values) bool {
	for _, d := range divisors {
		if v, err := d.At(at); err != nil || v < 1 {
			return false
		}
	}
	for _, c := range g {
		if c.op != oneOf {
			if _, err := c.holds(at); err != nil {
				return false
			}
		}
		for _, a := range c.alts {
			if !meaningful(a, nil, at) {
				return false
			}
		}
	}
	return true
}

// Simplification, [Guard.And] and substitution in two steps keep the meaning of a guard; a decision is right for all
// values.
func TestGuardsKeepTheirMeaning(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		g, ds := drawGuard(t, symbols, 2)
		h, es := drawGuard(t, symbols, 1)
		ds = append(ds, es...)
		simple, possible := g.simplify()
		both := Guard(nil).And(g).And(h)
		all, known := g.Decide()
		first := rapid.SampledFrom(symbols).Draw(t, "first")
		for _, at := range drawSamples(t, symbols) {
			if !meaningful(g, ds, at) || !meaningful(h, nil, at) {
				continue
			}
			want, _ := g.Holds(at)
			if known && want != all {
				t.Fatalf("%s is decided as %v, and is %v at %s", g, all, want, spell(at))
			}
			if !possible && want {
				t.Fatalf("%s was found impossible, and holds at %s", g, spell(at))
			}
			if got, err := simple.Holds(at); possible && (got != want || err != nil) {
				t.Fatalf("%s simplified is %s: %v, %v at %s, want %v", g, simple, got, err, spell(at), want)
			}
			also, _ := h.Holds(at)
			if got, err := both.Holds(at); got != (want && also) || err != nil {
				t.Fatalf("(%s) and (%s) is %s: %v, %v at %s, want %v", g, h, both, got, err, spell(at), want && also)
			}
			part, err := g.With(Values{first: at[first]})
			if err != nil {
				if want {
					t.Fatalf("%s with %s = %d: %v, and it holds at %s", g, first, at[first], err, spell(at))
				}
				continue
			}
			if got, err := part.Holds(at); got != want || err != nil {
				t.Fatalf("%s with %s = %d is %s: %v, %v at %s, want %v", g, first, at[first], part, got, err, spell(at), want)
			}
		}
	})
}
