package address

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/internal/ints"
)

// A drawn is an expression and its expected value.
type drawn struct {
	x    Expr
	at   func(v []int64) int64
	text string
}

// A drawer draws expressions of symbols with the given extents and lower bounds.
type drawer struct {
	*rand.Rand
	s    *Space
	syms []*Symbol
}

func newDrawer(seed uint64, ranges ...[3]int64) *drawer {
	d := &drawer{Rand: rand.New(rand.NewPCG(seed, 1)), s: New()}
	for i, r := range ranges {
		sym, err := d.s.Symbol(string(rune('a'+i)), Facts{Min: r[0], Max: r[1], Div: r[2]}, i)
		if err != nil {
			panic(err)
		}
		d.syms = append(d.syms, sym)
	}
	return d
}

func (d *drawer) draw(depth int) drawn {
	if depth == 0 || d.IntN(6) == 0 {
		if d.IntN(5) == 0 {
			k := int64(d.IntN(20)) - 4
			return drawn{d.s.Const(k), func([]int64) int64 { return k }, fmt.Sprint(k)}
		}
		i := d.IntN(len(d.syms))
		return drawn{d.syms[i].Expr(), func(v []int64) int64 { return v[i] }, d.syms[i].name}
	}
	a := d.draw(depth - 1)
	switch d.IntN(9) {
	case 0, 1:
		b := d.draw(depth - 1)
		return drawn{d.s.Add(a.x, b.x), func(v []int64) int64 { return a.at(v) + b.at(v) }, "(" + a.text + "+" + b.text + ")"}
	case 2:
		c := int64(d.IntN(12)) - 3
		if d.IntN(2) == 0 {
			c = 1 << d.IntN(5)
		}
		return drawn{d.s.Scale(a.x, c), func(v []int64) int64 { return c * a.at(v) }, fmt.Sprint(c, "*", a.text)}
	case 3, 4:
		n := d.divisor()
		text := fmt.Sprint("(", a.text, "/", n, ")")
		return drawn{d.s.Div(a.x, n), func(v []int64) int64 { return ints.FloorDiv(a.at(v), n) }, text}
	case 5, 6:
		n := d.divisor()
		text := fmt.Sprint("(", a.text, "%", n, ")")
		return drawn{d.s.Mod(a.x, n), func(v []int64) int64 { return ints.FloorMod(a.at(v), n) }, text}
	case 7:
		b := d.draw(depth - 1)
		alo, ahi := a.x.Range()
		blo, bhi := b.x.Range()
		if alo < 0 || blo < 0 || ahi > 1<<30 || bhi > 1<<30 {
			m := int64(d.IntN(256))
			return drawn{d.s.And(a.x, m), func(v []int64) int64 { return a.at(v) & m }, fmt.Sprint("(", a.text, "&", m, ")")}
		}
		return drawn{d.s.Xor(a.x, b.x), func(v []int64) int64 { return a.at(v) ^ b.at(v) }, "(" + a.text + "^" + b.text + ")"}
	default:
		b := d.draw(depth - 2 + min(1, 2-min(depth, 2)))
		alo, ahi := a.x.Range()
		if alo < -1000 || ahi > 1000 {
			return a
		}
		return drawn{d.s.Mul(a.x, b.x), func(v []int64) int64 { return a.at(v) * b.at(v) }, "(" + a.text + "*" + b.text + ")"}
	}
}

func (d *drawer) divisor() int64 {
	if d.IntN(3) == 0 {
		return int64(d.IntN(11)) + 1
	}
	return 1 << d.IntN(6)
}

// every calls f with all values of the symbols, or with a random sample if there are many.
func (d *drawer) every(most int, f func(v []int64, at Values)) {
	total := int64(1)
	for _, s := range d.syms {
		total *= (s.facts.Max-s.facts.Min)/s.facts.Div + 1
	}
	v, at := make([]int64, len(d.syms)), Values{}
	for n := range min(total, int64(most)) {
		if total > int64(most) {
			n = d.Int64N(total)
		}
		for i, s := range d.syms {
			e := (s.facts.Max-s.facts.Min)/s.facts.Div + 1
			v[i] = s.facts.Min + n%e*s.facts.Div
			n /= e
			at[s] = v[i]
		}
		f(v, at)
	}
}

var manyRanges = [][][3]int64{
	{{0, 31, 1}, {0, 7, 1}, {0, 3, 1}},
	{{0, 127, 1}, {0, 15, 1}},
	{{0, 23, 1}, {0, 4, 1}, {0, 11, 3}},
	{{-5, 9, 1}, {0, 56, 8}, {2, 5, 1}},
	{{1, 100, 1}, {0, 6, 2}},
	{{0, 1 << 40, 1}, {0, 1 << 20, 16}},
	{{0, 1<<32 - 1, 1}, {-5, 5, 1}},
}

// TestRandom compares every operation with its definition, at all points of small domains and at some points of large
// domains, and checks ranges, congruences, known bits and substitution.
func TestRandom(t *testing.T) {
	t.Parallel()
	rounds := 8000
	if testing.Short() {
		rounds = 2000
	}
	limits := 0
	for n := range rounds {
		d := newDrawer(uint64(n), manyRanges[n%len(manyRanges)]...)
		e := d.draw(2 + n%4)
		if err := d.s.Recover(); err != nil {
			limits++
			continue
		}
		lo, hi := e.x.Range()
		m, r := e.x.Congruence()
		ones, zeros := d.s.Ones(e.x)
		rest, k := d.s.Constant(e.x)
		moved, j := d.s.Constant(d.s.Add(e.x, d.s.Const(int64(n%7)-3)))
		if d.s.Recover() == nil && (d.s.Add(rest, d.s.Const(k)) != e.x || moved != rest || j != k+int64(n%7)-3) {
			t.Fatalf("%d: %v is %v + %d, and %d more is %v + %d", n, e.x, rest, k, n%7-3, moved, j)
		}
		// The first symbol is mirrored: its range stays the same.
		f := d.syms[0].facts
		mirrored := d.s.Sub(d.s.Const(f.Max-f.Max%f.Div+f.Min), d.syms[0].Expr())
		swapped := d.s.Substitute(e.x, d.syms[0], mirrored)
		if d.s.Recover() != nil || f.Min%f.Div != 0 {
			swapped = Expr{}
		}
		d.every(300, func(v []int64, at Values) {
			want := e.at(v)
			got, err := e.x.At(at)
			if err != nil || got != want {
				t.Fatalf("%d: %s is %d at %v, and %v is %d (%v)", n, e.text, want, v, e.x, got, err)
			}
			if got < lo || got > hi {
				t.Fatalf("%d: %v is %d at %v, outside of %d to %d", n, e.x, got, v, lo, hi)
			}
			if m == 0 && got != r || m > 0 && (got-r)%m != 0 {
				t.Fatalf("%d: %v is %d at %v, not %d mod %d", n, e.x, got, v, r, m)
			}
			if uint64(got)&ones != ones || uint64(got)&zeros != 0 {
				t.Fatalf("%d: %v is %#x at %v, with ones %#x and zeros %#x", n, e.x, got, v, ones, zeros)
			}
			if swapped.s != nil {
				v[0] = f.Max - f.Max%f.Div + f.Min - v[0]
				want := e.at(v)
				if got, err := swapped.At(at); err != nil || got != want {
					t.Fatalf("%d: %v with %v in the place of a is %v: %d at %v, want %d (%v)",
						n, e.x, mirrored, swapped, got, at, want, err)
				}
			}
		})
	}
	if limits > rounds/20 {
		t.Errorf("%d of %d expressions were refused", limits, rounds)
	}
}

// TestEqualFunctions draws pairs of layouts and of swizzled layouts: equal functions must have equal forms, and
// different functions must have different forms.
func TestEqualFunctions(t *testing.T) {
	t.Parallel()
	equal, total := 0, 0
	for n := range 1200 {
		d := newDrawer(uint64(n), [3]int64{0, 15, 1}, [3]int64{0, 7, 1})
		byTable := map[string]Expr{}
		for range 12 {
			x := d.layout(n%2 == 0)
			if err := d.s.Err(); err != nil {
				t.Fatal(err)
			}
			var table []int64
			d.every(200, func(_ []int64, at Values) {
				y, err := x.At(at)
				if err != nil {
					t.Fatal(err)
				}
				table = append(table, y)
			})
			key := fmt.Sprint(table)
			total++
			if y, ok := byTable[key]; ok {
				equal++
				if x != y {
					t.Fatalf("%d: %v and %v are one function, and two forms", n, x, y)
				}
			}
			for other, y := range byTable {
				if other != key && x == y {
					t.Fatalf("%d: %v is two functions", n, x)
				}
			}
			byTable[key] = x
		}
	}
	if equal < total/50 {
		t.Errorf("only %d of %d were equal to another one: nothing was tried", equal, total)
	}
}

// layout draws a sum of digits of a and b: with any strides, or of powers of two and exclusive ors.
func (d *drawer) layout(swizzled bool) Expr {
	s := d.s
	if !swizzled {
		x := s.Const(int64(d.IntN(3)))
		for _, sym := range d.syms {
			for range d.IntN(3) {
				n := int64(1) << d.IntN(4)
				y := s.Div(sym.Expr(), n)
				if d.IntN(2) == 0 {
					y = s.Mod(y, 1<<d.IntN(4))
				}
				x = s.Add(x, s.Scale(y, []int64{1, 2, 4, -1, 3, 8}[d.IntN(6)]))
			}
		}
		return x
	}
	// Few bits, so that equal functions occur.
	x := s.Const(int64(d.IntN(4)))
	for range 3 {
		sym := d.syms[d.IntN(2)]
		y := s.And(sym.Expr(), int64(d.IntN(4)))
		switch d.IntN(4) {
		case 0:
			y = s.Scale(y, 2)
		case 1:
			y = s.Div(y, 2)
		}
		x = s.Xor(x, y)
	}
	if d.IntN(3) == 0 {
		w, _ := cute.NewSwizzle(1, 0, 1)
		x = s.Swizzle(x, w)
	}
	return x
}
