package symbolic_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/symbolic"
)

// A world draws layouts with run-time integers, and values for these integers.
type world struct {
	scope   symbolic.Scope
	symbols []*symbolic.Symbol
	strides int // symbols that are strides only
}

func (w *world) symbol(t *rapid.T, name string) symbolic.Int {
	if s, ok := w.scope.Lookup(name); ok {
		return symbolic.Of(s)
	}
	f := symbolic.NoFacts()
	if rapid.Bool().Draw(t, name+" has a divisor") {
		f.Div = rapid.SampledFrom([]int64{2, 3, 4, 8}).Draw(t, name+" div")
	}
	if rapid.IntRange(0, 3).Draw(t, name+" is bounded") == 0 {
		f.Min = rapid.Int64Range(1, 5).Draw(t, name+" min")
		f.Max = f.Min + 12
	}
	s, err := w.scope.Named(name, f)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(w.symbols, s) {
		w.symbols = append(w.symbols, s)
	}
	return symbolic.Of(s)
}

// extent draws an extent: a small number, or one of a few symbols, so that symbols repeat.
func (w *world) extent(t *rapid.T, what string) symbolic.Int {
	switch rapid.IntRange(0, 4).Draw(t, what) {
	case 0, 1:
		return w.symbol(t, rapid.SampledFrom([]string{"M", "K", "N"}).Draw(t, what+" symbol"))
	}
	return symbolic.Const(rapid.SampledFrom([]int64{1, 2, 2, 3, 4, 4, 6, 8}).Draw(t, what+" number"))
}

// freeStride draws a stride that is a symbol of its own.
func (w *world) freeStride(t *rapid.T) symbolic.Int {
	w.strides++
	s, err := w.scope.Named(fmt.Sprintf("D%d", w.strides), symbolic.NoFacts())
	if err != nil {
		t.Fatal(err)
	}
	w.symbols = append(w.symbols, s)
	return symbolic.Of(s)
}

// layout draws a layout. Its strides are separate symbols, or compact in some order, or numbers.
func (w *world) layout(t *rapid.T, what string, kind int) symbolic.Layout {
	n := rapid.IntRange(1, 3).Draw(t, what+" modes")
	shape, stride := make([]symbolic.Tuple, n), make([]symbolic.Tuple, n)
	next := symbolic.Const(1)
	order := rapid.Permutation(seq(n)).Draw(t, what+" order")
	for i := range shape {
		shape[i] = symbolic.Number(w.extent(t, fmt.Sprint(what, " extent ", i)))
	}
	for _, i := range order {
		x, _ := shape[i].Int()
		var d symbolic.Int
		switch kind {
		case free:
			d = w.freeStride(t)
		case compact:
			d = next
			next = times(t, next, x)
			if rapid.IntRange(0, 5).Draw(t, "gap") == 0 {
				next = times(t, next, symbolic.Const(2))
			}
		default:
			d = symbolic.Const(rapid.SampledFrom([]int64{0, 1, 1, 2, 3, 4, 6, 8, 12}).Draw(t, fmt.Sprint(what, " stride ", i)))
		}
		stride[i] = symbolic.Number(d)
	}
	l, err := symbolic.New(nested(shape), nested(stride))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const (
	numbers = iota
	compact
	free
)

func nested(ts []symbolic.Tuple) symbolic.Tuple {
	if len(ts) == 1 {
		return ts[0]
	}
	return symbolic.Nest(ts...)
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func times(t *rapid.T, x, y symbolic.Int) symbolic.Int {
	p, err := symbolic.Mul(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// unrelated lists strides; no small combination of some is another.
var unrelated = [...]int64{1000003, 472882049, 15485863, 86028121, 7919000033, 122949823, 3141592661, 2718281, 573259391}

// values draws admissible values: small values, except large and unrelated values for symbols that are only strides.
func (w *world) values(t *rapid.T) symbolic.Values {
	at := make(symbolic.Values)
	for i, s := range w.symbols {
		f := s.Facts()
		if s.Name()[0] == 'D' {
			at[s] = unrelated[i%len(unrelated)]
			continue
		}
		lo, hi := (max(f.Min, 1)+f.Div-1)/f.Div, min(f.Max, 24)/f.Div
		at[s] = rapid.Int64Range(lo, max(lo, hi)).Draw(t, s.Name()) * f.Div
	}
	return at
}

// bare returns the layout at the values, without checking its guard.
func bare(l symbolic.Layout, at symbolic.Values) (cute.Layout, error) {
	s, err := l.Shape().At(at)
	if err != nil {
		return cute.Layout{}, err
	}
	d, err := l.Stride().At(at)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(s, d)
}

// sameFunction reports whether two layouts have the same size and the same values.
func sameFunction(a, b cute.Layout) bool {
	same, _ := cute.Equivalent(a, b)
	return same && a.Size() == b.Size()
}

// wantSubstitution checks that an operation on layouts with run-time integers gives the same result as on the layouts
// at given values, if the guard of the result admits these values.
func wantSubstitution(
	t *rapid.T, w *world, what string, r symbolic.Layout, also symbolic.Guard, args []symbolic.Layout,
	f func(args []cute.Layout) (cute.Layout, error),
) {
	for range 6 {
		at := w.values(t)
		known := make([]cute.Layout, len(args))
		for i, a := range args {
			var err error
			if known[i], err = bare(a, at); err != nil {
				t.Fatalf("%v at %v: %v", a, show(at), err)
			}
		}
		ok, err := r.Guard().Holds(at)
		whole, errWhole := also.Holds(at)
		if err != nil || errWhole != nil || !ok || !whole {
			continue
		}
		got, err := r.At(at)
		if err != nil {
			t.Fatalf("%s = %v if %v: at %v: %v", what, r, r.Guard(), show(at), err)
		}
		want, err := f(known)
		if err != nil {
			t.Fatalf("%s = %v if %v: at %v it is %v, and for known integers %v", what, r, r.Guard(), show(at), got, err)
		}
		if !sameFunction(got, want) {
			t.Fatalf("%s = %v if %v: at %v it is %v, and for known integers %v", what, r, r.Guard(), show(at), got, want)
		}
	}
}

func show(at symbolic.Values) map[string]int64 {
	out := make(map[string]int64)
	for s, x := range at {
		out[s.Name()] = x
	}
	return out
}

// refusedBy reports whether an operation refused, which is not a failure here; any other error fails.
func refusedBy(t *rapid.T, err error) bool {
	if err == nil {
		return false
	}
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		t.Fatalf("unexpected error %v", err)
	}
	switch e.Code {
	case cute.CodeUnknown, cute.CodeNotRepresentable, cute.CodeNotComplementable, cute.CodeOverflow,
		cute.CodeNotDivisible, cute.CodeLimit:
		return true
	}
	t.Fatalf("unexpected error %v", err)
	return false
}

func TestCompositionCommutesWithSubstitution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
		b := w.layout(t, "b", rapid.IntRange(numbers, compact).Draw(t, "kind of b"))
		r, err := symbolic.Composition(a, b)
		if refusedBy(t, err) {
			return
		}
		wantSubstitution(t, w, fmt.Sprintf("%v o %v", a, b), r, nil, []symbolic.Layout{a, b},
			func(l []cute.Layout) (cute.Layout, error) { return cute.Composition(l[0], l[1]) })
	})
}

// If the strides of the left operand are unrelated, values that violate the guard make the result wrong.
func TestGuardsOfCompositionsAreExact(t *testing.T) {
	t.Parallel()
	violated := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", free)
		b := w.layout(t, "b", rapid.IntRange(numbers, compact).Draw(t, "kind of b"))
		r, err := symbolic.Composition(a, b)
		if refusedBy(t, err) || len(r.Guard()) == 0 {
			return
		}
		for range 6 {
			at := w.values(t)
			if ok, err := r.Guard().Holds(at); ok || err != nil {
				continue
			}
			violated++
			got, err := bare(r, at)
			if err != nil {
				continue
			}
			x, errA := bare(a, at)
			y, errB := bare(b, at)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if want, err := cute.Composition(x, y); err == nil && sameFunction(got, want) {
				t.Fatalf("%v o %v = %v if %v: at %v the condition fails, and the result is right: %v", a, b, r, r.Guard(),
					show(at), got)
			}
		}
	})
	if violated == 0 {
		t.Error("no guard was violated")
	}
}

// The verdict on a composition does not depend on the left operand's strides or its last extent.
func TestLeftStridesNeedNoGuard(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		n := rapid.IntRange(1, 3).Draw(t, "modes")
		shape, stride := make([]symbolic.Tuple, n), make([]symbolic.Tuple, n)
		for i := range shape {
			shape[i] = symbolic.Number(symbolic.Const(rapid.Int64Range(1, 8).Draw(t, "extent")))
			stride[i] = symbolic.Number(w.freeStride(t))
		}
		shape[n-1] = symbolic.Number(w.symbol(t, "M"))
		a, err := symbolic.New(nested(shape), nested(stride))
		if err != nil {
			t.Fatal(err)
		}
		b := w.layout(t, "b", numbers)
		if !b.Static() {
			return
		}
		r, err := symbolic.Composition(a, b)
		if err == nil && len(r.Guard()) > 0 {
			t.Fatalf("%v o %v = %v needs %v", a, b, r, r.Guard())
		}
		at := w.values(t)
		x, errA := bare(a, at)
		y, errB := bare(b, at)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if _, known := cute.Composition(x, y); (known == nil) != (err == nil) {
			t.Fatalf("%v o %v: %v, but at %v: %v", a, b, err, show(at), known)
		}
	})
}

func TestOperationsCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
		c, err := symbolic.Coalesce(a)
		if err != nil {
			t.Fatal(err)
		}
		wantSubstitution(t, w, fmt.Sprintf("coalesce(%v)", a), c, nil, []symbolic.Layout{a},
			func(l []cute.Layout) (cute.Layout, error) { return cute.Coalesce(l[0]), nil })
		if r, err := symbolic.RightInverse(a); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("right_inverse(%v)", a), r, nil, []symbolic.Layout{a},
				func(l []cute.Layout) (cute.Layout, error) { return cute.RightInverse(l[0]) })
		}
		m := w.extent(t, "cotarget")
		target, err := symbolic.New(symbolic.Number(m), symbolic.Number(symbolic.Const(1)))
		if err != nil {
			t.Fatal(err)
		}
		if r, err := symbolic.Complement(a, symbolic.Number(m)); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("complement(%v, %v)", a, m), r, nil, []symbolic.Layout{a, target},
				func(l []cute.Layout) (cute.Layout, error) { return cute.Complement(l[0], l[1].Shape()) })
		}
		if r, err := symbolic.ComplementExact(a, symbolic.Number(m)); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("complement_exact(%v, %v)", a, m), r, nil, []symbolic.Layout{a, target},
				func(l []cute.Layout) (cute.Layout, error) { return cute.ComplementExact(l[0], l[1].Shape()) })
		}
	})
}

func TestDividesCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	known := []func(cute.Layout, cute.Tiler) (cute.Division, error){
		cute.LogicalDivide, cute.ZippedDivide, cute.TiledDivide, cute.FlatDivide,
	}
	products := []func(cute.Layout, cute.Tiler) (cute.Layout, error){
		cute.LogicalProduct, cute.ZippedProduct, cute.TiledProduct, cute.FlatProduct,
	}
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
		b := w.layout(t, "b", rapid.IntRange(numbers, compact).Draw(t, "kind of b"))
		form := rapid.IntRange(0, 3).Draw(t, "form")
		if d, err := symbolic.Divide(a, symbolic.Whole(b), symbolic.Form(form)); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("divide(%v, %v)", a, b), d.Layout, nil, []symbolic.Layout{a, b},
				func(l []cute.Layout) (cute.Layout, error) {
					d, err := known[form](l[0], l[1])
					return d.Layout, err
				})
		}
		if p, err := symbolic.Multiply(a, symbolic.Whole(b), symbolic.Form(form)); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("product(%v, %v)", a, b), p, nil, []symbolic.Layout{a, b},
				func(l []cute.Layout) (cute.Layout, error) { return products[form](l[0], l[1]) })
		}
		if p, err := symbolic.BlockedProduct(a, b); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("blocked_product(%v, %v)", a, b), p, nil, []symbolic.Layout{a, b},
				func(l []cute.Layout) (cute.Layout, error) { return cute.BlockedProduct(l[0], l[1]) })
		}
		if p, err := symbolic.RakedProduct(a, b); !refusedBy(t, err) {
			wantSubstitution(t, w, fmt.Sprintf("raked_product(%v, %v)", a, b), p, nil, []symbolic.Layout{a, b},
				func(l []cute.Layout) (cute.Layout, error) { return cute.RakedProduct(l[0], l[1]) })
		}
	})
}

// Beyond its size, a result continues as for known integers, where modes of extent 1 are dropped: a composition with
// the result commutes with substitution, or its guard says for which values it does.
func TestChainsCommuteWithSubstitution(t *testing.T) {
	t.Parallel()
	target := symbolic.Number(symbolic.Const(24))
	chains := []struct {
		name   string
		first  func(symbolic.Layout) (symbolic.Layout, error)
		second func(cute.Layout) (cute.Layout, error)
	}{
		{"coalesce", symbolic.Coalesce, func(l cute.Layout) (cute.Layout, error) { return cute.Coalesce(l), nil }},
		{"right_inverse", symbolic.RightInverse, cute.RightInverse},
		{
			"complement", func(l symbolic.Layout) (symbolic.Layout, error) { return symbolic.Complement(l, target) },
			func(l cute.Layout) (cute.Layout, error) { return cute.Complement(l, cute.Int(24)) },
		},
		{
			"upcast", func(l symbolic.Layout) (symbolic.Layout, error) { return symbolic.Upcast(l, 2) },
			func(l cute.Layout) (cute.Layout, error) { return cute.Upcast(l, 2) },
		},
	}
	rapid.Check(t, func(t *rapid.T) {
		w := &world{}
		a := w.layout(t, "a", rapid.IntRange(numbers, free).Draw(t, "kind of a"))
		b := w.layout(t, "b", rapid.IntRange(numbers, compact).Draw(t, "kind of b"))
		c := rapid.SampledFrom(chains).Draw(t, "chain")
		x, err := c.first(a)
		if refusedBy(t, err) {
			return
		}
		r, err := symbolic.Composition(x, b)
		if refusedBy(t, err) {
			return
		}
		wantSubstitution(t, w, fmt.Sprintf("%s(%v) o %v", c.name, a, b), r, nil, []symbolic.Layout{a, b},
			func(l []cute.Layout) (cute.Layout, error) {
				y, err := c.second(l[0])
				if err != nil {
					return y, err
				}
				return cute.Composition(y, l[1])
			})
	})
}
