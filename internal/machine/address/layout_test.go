package address

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/symbolic"
)

// TestLayout compares layouts at coordinates of expressions with layouts at numbers.
func TestLayout(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"8:1", "(4,8):(8,1)", "((2,4),(3,5)):((1,40),(2,8))", "(6,2):(8,2)", "(4,(2,2)):(1,(4,-8))", "(5,3):(0,7)",
		"((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))", "(4,8):(1@0,1@1)",
		"((2,4),8):((1@0@0,1@1@0),3@1)", "((3,5),2):((1@1,2@0),6@0)",
	} {
		l := cute.MustParse(text)
		s := New()
		i, _ := s.Symbol("i", Facts{Max: l.Size() - 1}, 0)
		got, err := s.Layout(l, At(i.Expr()))
		if err != nil {
			t.Fatal(err)
		}
		modes := make([]Coord, l.Rank())
		var syms []*Symbol
		for k := range modes {
			m, _ := l.Mode(k)
			sym, _ := s.Symbol(fmt.Sprint("c", k), Facts{Max: m.Size() - 1}, 0)
			modes[k], syms = At(sym.Expr()), append(syms, sym)
		}
		byMode, err := s.Layout(l, Nest(modes...))
		if err != nil {
			t.Fatal(err)
		}
		for x := range l.Size() {
			want, _ := l.Eval(cute.Int(x))
			if y := valueOf(t, got, Values{i: x}); y != want.String() {
				t.Fatalf("%v at %d is %v, want %v (%v)", l, x, y, want, got)
			}
			at, n := Values{}, x
			for k, sym := range syms {
				m, _ := l.Mode(k)
				at[sym] = n % m.Size()
				n /= m.Size()
			}
			if y := valueOf(t, byMode, at); y != want.String() {
				t.Fatalf("%v at %v is %v, want %v (%v)", l, at, y, want, byMode)
			}
		}
	}
}

func valueOf(t *testing.T, c Coord, at Values) string {
	t.Helper()
	if x, ok := c.Expr(); ok {
		y, err := x.At(at)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(y)
	}
	text := "("
	for i, m := range c.Modes() {
		if i > 0 {
			text += ","
		}
		text += valueOf(t, m, at)
	}
	return text + ")"
}

// TestComposed compares swizzled and composed layouts at coordinates with their tables.
func TestComposed(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	shapes := []string{
		"(8,64):(64,1)", "((4,8),(2,16)):((1,64),(4,512))", "(16,(8,4)):(8,(1,128))", "(5,7):(7,1)", "(12,8):(9,108)",
	}
	for range 400 {
		l := cute.MustParse(shapes[r.IntN(len(shapes))])
		c := l.Composed()
		for range 1 + r.IntN(2) {
			b, m := r.IntN(4), r.IntN(4)
			d := b + r.IntN(3)
			if r.IntN(3) == 0 {
				d = -d
			}
			w, err := cute.NewSwizzle(b, m, d)
			if err != nil {
				t.Fatal(err)
			}
			if c, err = cute.NewComposed(w, cute.Int(r.Int64N(40)), c); err != nil {
				t.Fatal(err)
			}
		}
		if r.IntN(3) == 0 {
			var err error
			if c, err = cute.NewComposed(cute.MustParse("(16,4,4096):(1,100,17)"), cute.Int(r.Int64N(9)), c); err != nil {
				t.Fatal(err)
			}
		}
		s := New()
		i, _ := s.Symbol("i", Facts{Max: l.Size() - 1}, 0)
		got, err := s.ComposedAt(c, At(i.Expr()))
		if err != nil {
			t.Fatal(err)
		}
		table, err := c.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range table {
			if y := valueOf(t, got, Values{i: int64(k)}); y != fmt.Sprint(want) {
				t.Fatalf("%v at %d is %v, want %d (%v)", c, k, y, want, got)
			}
		}
	}
}

// TestSwizzleOfSum checks the rule of swizzles: if base and offset have no bits in common, they are swizzled
// separately.
func TestSwizzleOfSum(t *testing.T) {
	t.Parallel()
	s := New()
	row, _ := s.Symbol("row", Facts{Max: 7}, 0)
	col, _ := s.Symbol("col", Facts{Max: 7}, 0)
	stage, _ := s.Symbol("stage", Facts{Max: 3}, 1)
	w, _ := cute.NewSwizzle(3, 4, 3)
	tile := s.Add(s.Scale(row.Expr(), 128), s.Scale(col.Expr(), 16))
	swizzled := s.Swizzle(tile, w)
	moved := s.Swizzle(s.Add(tile, s.Scale(stage.Expr(), 1024)), w)
	if want := s.Add(swizzled, s.Scale(stage.Expr(), 1024)); moved != want {
		t.Errorf("a stage is a summand: got %v, want %v", moved, want)
	}
	if want := "128·row + 16·(row xor col)"; swizzled.String() != want {
		t.Errorf("got %v, want %s", swizzled, want)
	}
	// A constant below the bits that the swizzle reads flips bits.
	if got, want := s.Swizzle(s.Xor(tile, s.Const(32)), w), s.Xor(swizzled, s.Const(32)); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if s.Swizzle(swizzled, w) != tile {
		t.Errorf("swizzled twice is %v, want %v", s.Swizzle(swizzled, w), tile)
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

// TestSymbolic compares layouts of run-time integers with their values.
func TestSymbolic(t *testing.T) {
	t.Parallel()
	var scope symbolic.Scope
	k, err := scope.Named("K", symbolic.Facts{Div: 8, Min: 8, Max: 4096})
	if err != nil {
		t.Fatal(err)
	}
	m, err := scope.Named("M", symbolic.Facts{Div: 1, Min: 1, Max: 4096})
	if err != nil {
		t.Fatal(err)
	}
	four, stride := symbolic.Const(4), symbolic.Of(k)
	number := symbolic.Number
	shape := symbolic.Nest(symbolic.Nest(number(four), number(symbolic.Of(m))), number(symbolic.Of(k)))
	tall, _ := symbolic.Mul(symbolic.Const(4), stride)
	l, err := symbolic.New(shape, symbolic.Nest(symbolic.Nest(number(stride), number(tall)), number(symbolic.Const(1))))
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	kk, _ := s.Symbol("K", Facts{Div: 8, Min: 8, Max: 4096}, 0)
	mm, _ := s.Symbol("M", Facts{Min: 1, Max: 4096}, 0)
	row, _ := s.Symbol("row", Facts{Max: 999}, 1)
	col, _ := s.Symbol("col", Facts{Max: 99}, 1)
	env := func(x *symbolic.Symbol) Expr {
		if x == k {
			return kk.Expr()
		}
		return mm.Expr()
	}
	got, err := s.Symbolic(l, Nest(At(row.Expr()), At(col.Expr())), env)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := got.Expr()
	if want := s.Add(s.Mul(row.Expr(), kk.Expr()), col.Expr()); x != want {
		t.Errorf("got %v, want %v", x, want)
	}
	if _, err := s.Symbolic(l, At(row.Expr()), env); err == nil {
		t.Error("an index was taken apart by an extent that is not known")
	}
}

// TestRefusals causes each error by an operation.
func TestRefusals(t *testing.T) {
	t.Parallel()
	big := Facts{Max: math.MaxInt64 - 1}
	for _, tt := range []struct {
		code cute.Code
		do   func(s *Space, x, t Expr)
	}{
		{cute.CodeOverflow, func(s *Space, x, _ Expr) { s.Add(x, x) }},
		{cute.CodeOverflow, func(s *Space, x, _ Expr) { s.Mul(x, x) }},
		{cute.CodeOverflow, func(s *Space, x, _ Expr) { s.Scale(x, -3) }},
		{cute.CodeOverflow, func(s *Space, _, t Expr) { s.Add(s.Const(math.MaxInt64), t) }},
		{cute.CodeExtent, func(s *Space, _, t Expr) { s.Div(t, 0) }},
		{cute.CodeExtent, func(s *Space, _, t Expr) { s.Mod(t, -4) }},
		{cute.CodeNegative, func(s *Space, _, t Expr) { s.Xor(s.Sub(t, s.Const(1)), t) }},
		{cute.CodeNegative, func(s *Space, x, t Expr) { s.Xor(x, t) }},
		{cute.CodeNegative, func(s *Space, _, t Expr) { s.And(t, -1) }},
		{cute.CodeNegative, func(s *Space, _, t Expr) {
			s.Layout(cute.MustParse("(4,8):(1,4)"), At(s.Sub(t, s.Const(1))))
		}},
		{cute.CodeNotCongruent, func(s *Space, _, t Expr) { s.Layout(cute.MustParse("(4,8):(1,4)"), Nest(At(t))) }},
		{cute.CodeNotCongruent, func(s *Space, _, t Expr) { s.Layout(cute.MustParse("4:1"), Nest(At(t), At(t))) }},
		{cute.CodeFact, func(s *Space, _, _ Expr) { s.Symbol("y", symbolic.NoFacts(), 0) }},
		{cute.CodeFact, func(s *Space, _, _ Expr) { s.Symbol("y", Facts{Min: 1, Max: 7, Div: 8}, 0) }},
		{cute.CodeLimit, func(s *Space, _, t Expr) {
			x := t
			for n := int64(2); s.Err() == nil; n++ {
				x = s.Add(x, s.Div(s.Scale(t, 100000), 99999*n))
			}
		}},
	} {
		s := New()
		x, _ := s.Symbol("x", big, 0)
		y, _ := s.Symbol("t", Facts{Max: 1023}, 0)
		tt.do(s, x.Expr(), y.Expr())
		e, ok := errors.AsType[*cute.Error](s.Err())
		if !ok || e.Code != tt.code {
			t.Errorf("expected %s, found %v", tt.code, s.Err())
		}
		if s.Recover(); s.Err() != nil {
			t.Error("recovered, and there is an error still")
		}
	}
}
