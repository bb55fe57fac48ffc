package address

import (
	"testing"

	"girih/cute"
)

// TestMotion runs loops: the motion applied to the value of one iteration must give the value of the next.
func TestMotion(t *testing.T) {
	t.Parallel()
	kinds := map[StepKind]int{}
	for n := range 6000 {
		step := int64(1 + n%4)
		from := step * int64(n/4%3)
		d := newDrawer(uint64(n), [3]int64{0, 31, 1}, [3]int64{0, 15, 1}, [3]int64{from, from + 40*step, step})
		i := d.syms[2]
		e := d.loop()
		if d.s.Recover() != nil {
			continue
		}
		inv, vary := d.s.Split(e, 1)
		if d.s.Add(inv, vary) != e || inv.Level() > 1 {
			t.Fatalf("%v is not %v and %v", e, inv, vary)
		}
		c := Counter{Symbol: i, From: d.s.Const(from), Step: step}
		m := d.s.Motion(e, c)
		if err := d.s.Err(); err != nil {
			t.Fatalf("%v: %v", e, err)
		}
		kinds[m.Kind]++
		for range 3 {
			at := Values{d.syms[0]: d.Int64N(32), d.syms[1]: d.Int64N(16), i: from}
			x, _ := e.At(at)
			for range 40 {
				now := at[i]
				if m.Kind != StepAnew && m.Kind != StepNone {
					by, err := m.By.At(at)
					if err != nil {
						t.Fatal(err)
					}
					switch m.Kind {
					case StepAffine:
						x += by
					case StepToggle:
						x ^= by
					case StepAlternate:
						x = by - x
					case StepWrap:
						at[i] = from
						end, err := m.End.At(at)
						if err != nil {
							t.Fatal(err)
						}
						if x += by; x == end {
							x -= by * m.Period
						}
					}
				}
				at[i] = now + step
				want, err := e.At(at)
				if err != nil {
					t.Fatal(err)
				}
				if m.Kind == StepAnew {
					break
				}
				if x != want {
					t.Fatalf("%d: %v: %v by %v gives %d at %v, want %d", n, e, m.Kind, m.By, x, at[i], want)
				}
			}
		}
	}
	for k := StepNone; k <= StepAnew; k++ {
		if kinds[k] < 20 {
			t.Errorf("%d motions of kind %d: nothing was tried", kinds[k], k)
		}
	}
}

// loop draws an address of a loop: a tile, swizzled or not, plus a function of the count.
func (d *drawer) loop() Expr {
	s := d.s
	t, i := d.syms[0].Expr(), d.syms[2].Expr()
	tile := s.Add(s.Scale(s.Mod(t, 8), 128), s.Scale(s.Div(t, 8), 16))
	count := s.Div(i, d.syms[2].facts.Div)
	var part Expr
	switch d.IntN(6) {
	case 0:
		part = s.Scale(s.Mod(s.Add(count, s.Const(int64(d.IntN(4)))), int64(2+d.IntN(4))), 1024)
	case 1:
		part = s.Mul(i, d.syms[1].Expr())
	case 2:
		part = s.Scale(s.Mod(count, 2), 1<<d.IntN(12))
	case 3:
		part = s.Scale(i, int64(d.IntN(64)))
	case 4:
		part = s.Scale(s.Mod(count, 1<<d.IntN(3)), 32)
	default:
		part = d.draw(2).x
	}
	x := s.Add(tile, part)
	if lo, hi := x.Range(); d.IntN(2) == 0 && lo >= 0 && hi < 1<<30 {
		w, _ := cute.NewSwizzle(3, 4, 3)
		x = s.Swizzle(x, w)
	}
	if d.IntN(3) == 0 {
		x = s.Add(x, s.Scale(d.syms[1].Expr(), 3))
	}
	return x
}

// TestBelow checks the bounds of Below and Bounds at all points where u < v.
func TestBelow(t *testing.T) {
	t.Parallel()
	found := 0
	for n := range 3000 {
		d := newDrawer(uint64(n), manyRanges[n%4]...)
		x, u, v := d.draw(3).x, d.draw(2).x, d.draw(1).x
		if d.s.Recover() != nil {
			continue
		}
		z, bounds := d.s.Below(x, u, v), d.s.Bounds(x, u, v)
		if d.s.Recover() != nil || len(bounds) == 0 {
			continue
		}
		if z != x {
			found++
		}
		d.every(200, func(_ []int64, at Values) {
			a, _ := u.At(at)
			b, _ := v.At(at)
			for _, z := range append(bounds, z) {
				most, err := z.At(at)
				if y, _ := x.At(at); err != nil || a < b && y > most {
					t.Fatalf("%v < %v at %v, and %v is %d, more than %v, %d (%v)", u, v, at, x, y, z, most, err)
				}
			}
		})
	}
	if found < 50 {
		t.Errorf("%d were found: nothing was tried", found)
	}
}

// TestMultiplyOut checks at all points that the expressions of MultiplyOut are negative where the expression is.
func TestMultiplyOut(t *testing.T) {
	t.Parallel()
	found := 0
	for n := range 3000 {
		d := newDrawer(uint64(n), manyRanges[n%4]...)
		x, by := d.draw(3).x, int64(2+d.IntN(20))
		x = d.s.Add(d.s.Scale(d.s.Div(x, by), int64(d.IntN(5)-2)), d.draw(2).x)
		if d.IntN(2) == 0 {
			x = d.s.Sub(d.s.Const(int64(d.IntN(50))), x)
		}
		if d.s.Recover() != nil {
			continue
		}
		list := d.s.MultiplyOut(x)
		if d.s.Recover() != nil {
			t.Fatalf("%v: an error is left", x)
		}
		d.every(200, func(_ []int64, at Values) {
			for _, y := range list {
				a, _ := x.At(at)
				b, err := y.At(at)
				if err != nil || (a < 0) != (b < 0) {
					t.Fatalf("at %v, %v is %d, and %v is %d (%v)", at, x, a, y, b, err)
				}
				found++
			}
		})
	}
	if found < 1000 {
		t.Errorf("%d were found: nothing was tried", found)
	}
}

// TestMotionOfData checks that an expression with a symbol that changes in each iteration in addition to the counter
// has no step, and that one with a symbol of an outer loop has.
func TestMotionOfData(t *testing.T) {
	t.Parallel()
	s := New()
	symbol := func(name string, level int) *Symbol {
		sym, err := s.Symbol(name, Facts{Max: 15}, level)
		if err != nil {
			t.Fatal(err)
		}
		return sym
	}
	i, inner, outer := symbol("i", 3), symbol("v", 3), symbol("w", 2)
	c := Counter{Symbol: i, From: s.Const(0), Step: 1}
	for _, tt := range []struct {
		x    Expr
		want StepKind
	}{
		{s.Add(s.Scale(i.Expr(), 4), inner.Expr()), StepAnew},
		{s.Add(s.Mod(i.Expr(), 2), inner.Expr()), StepAnew},
		{s.Mul(i.Expr(), inner.Expr()), StepAnew},
		{inner.Expr(), StepAnew},
		{s.Add(s.Scale(i.Expr(), 4), outer.Expr()), StepAffine},
		{s.Mul(i.Expr(), outer.Expr()), StepAffine},
		{outer.Expr(), StepNone},
	} {
		if m := s.Motion(tt.x, c); m.Kind != tt.want {
			t.Errorf("%v has the step %d, want %d", tt.x, m.Kind, tt.want)
		}
	}
}
