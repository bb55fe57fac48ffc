package linear

import (
	"errors"
	"slices"
	"testing"

	"girih/cute"

	"pgregory.net/rapid"
)

// drawPair draws two layouts with the same output dimensions, in any order.
func drawPair(t *rapid.T) (a, b Layout) {
	outs := drawDims(t, "outs", []string{"x", "y", "z"}, 6)
	a = drawLayout(t, "a", drawDims(t, "a in", []string{"register", "lane", "block"}, 6), outs)
	larger := make([]Dim, len(outs))
	for i, d := range outs {
		larger[i] = Dim{d.Name, d.Size << rapid.IntRange(0, 1).Draw(t, "larger")}
	}
	if len(larger) > 0 {
		larger = rapid.Permutation(larger).Draw(t, "other order")
	}
	b = drawLayout(t, "b", drawDims(t, "b in", []string{"register", "offset", "block"}, 7), larger)
	return a, b
}

// preimages lists, for every value of a layout, the flat inputs with that value, ascending.
func preimages(l Layout) map[uint64][]uint64 {
	out := map[uint64][]uint64{}
	for x := range uint64(1) << l.InBits() {
		out[must(l.Flat(x))] = append(out[must(l.Flat(x))], x)
	}
	return out
}

func TestInvertAndCompose(t *testing.T) { check(t, invertAndComposeProperty) }

func FuzzInvertAndCompose(f *testing.F) { f.Fuzz(rapid.MakeFuzz(invertAndComposeProperty)) }

func invertAndComposeProperty(t *rapid.T) {
	a, b := drawPair(t)
	aligned := must(a.inOutsOf(b))
	pre := preimages(b)
	covered := true
	for x := range uint64(1) << a.InBits() {
		covered = covered && len(pre[must(aligned.Flat(x))]) > 0
	}
	for _, opts := range [][]Option{nil, {Triton}} {
		c, err := a.InvertAndCompose(b, opts...)
		if (err == nil) != covered {
			t.Fatalf("%v and %v: covered %v, %v", a, b, covered, err)
		}
		if err != nil {
			continue
		}
		back, err := c.Compose(b)
		if err != nil {
			t.Fatal(err)
		}
		for x := range uint64(1) << a.InBits() {
			if must(back.Flat(x)) != must(aligned.Flat(x)) {
				t.Fatalf("%v and %v give %v, wrong at %d", a, b, c, x)
			}
			if got := must(c.Flat(x)); opts == nil && a.IsLinear() && b.IsLinear() && got != pre[must(aligned.Flat(x))][0] {
				t.Fatalf("%v and %v give %v, at %d not the smallest of %v", a, b, c, x, pre[must(aligned.Flat(x))])
			}
		}
	}
	if !covered {
		return
	}
	local, err := InvertAndComposeBlockLocal(b, a)
	if err != nil {
		t.Fatal(err)
	}
	if back := must(local.Compose(b)); !back.Equal(aligned) {
		t.Fatalf("%v and %v give %v, which composes to %v", b, a, local, back)
	}
	if x, err := b.Lstsq(a); err != nil || !must(x.Compose(b)).Equal(aligned) {
		t.Fatalf("lstsq of %v and %v: %v, %v", b, a, x, err)
	}
}

// inOutsOf returns l with the output dimensions of b, each at least as large as in l.
func (l Layout) inOutsOf(b Layout) (Layout, error) {
	cols, origin, err := l.alignOuts("test", b)
	return Layout{l.ins, b.outs, cols, origin}, err
}

func TestInverses(t *testing.T) { check(t, inversesProperty) }

func FuzzInverses(f *testing.F) { f.Fuzz(rapid.MakeFuzz(inversesProperty)) }

func inversesProperty(t *rapid.T) {
	l := drawAny(t, "l")
	p, err := l.Pseudoinvert()
	if (err == nil) != l.IsSurjective() {
		t.Fatalf("%v: %v", l, err)
	}
	inv, errInv := l.Invert()
	if (errInv == nil) != l.IsInvertible() {
		t.Fatalf("%v: %v", l, errInv)
	}
	if err != nil {
		var e *cute.Error
		if !errors.As(err, &e) || e.Code != cute.CodeNotInvertible || e.Witness == nil {
			t.Fatalf("%v", err)
		}
		return
	}
	pre := preimages(l)
	for y := range uint64(1) << l.OutBits() {
		x := must(p.Flat(y))
		if must(l.Flat(x)) != y || l.IsLinear() && x != pre[y][0] {
			t.Fatalf("%v has the right inverse %v, at %d not %d", l, p, y, pre[y][0])
		}
		if errInv == nil && must(inv.Flat(y)) != pre[y][0] {
			t.Fatalf("%v has the inverse %v", l, inv)
		}
	}
}

// The identity shortcut of Triton removes the shared dimension from both layouts, so the other inputs cannot use it.
// Here a register needs the block, and girih still finds the answer.
func TestSharedDimensionThatOthersNeed(t *testing.T) {
	t.Parallel()
	outs := []Dim{{"o", 4}}
	a := must(New([]In{{"block", [][]int64{{1}}}, {"register", [][]int64{{3}}}}, outs))
	b := must(New([]In{{"block", [][]int64{{1}}}, {"register", [][]int64{{2}}}}, outs))
	c := must(a.InvertAndCompose(b, Triton))
	want := must(New([]In{{"block", [][]int64{{1, 0}}}, {"register", [][]int64{{1, 1}}}},
		[]Dim{{"block", 2}, {"register", 2}}))
	if !c.Equal(want) {
		t.Errorf("got %v, want %v", c, want)
	}
}

func TestDivisions(t *testing.T) { check(t, divisionsProperty) }

func FuzzDivisions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(divisionsProperty)) }

func divisionsProperty(t *rapid.T) {
	a, b := drawAny(t, "a"), drawAny(t, "b")
	p := must(a.Product(b, Triton))
	left, err := p.DivideLeft(a)
	if err != nil || !sameFunction(must(a.Product(left, Triton)), p) {
		t.Fatalf("%v / %v is %v, %v", p, a, left, err)
	}
	right, err := p.DivideRight(b)
	if err != nil || !sameFunction(must(right.Product(b, Triton)), p) {
		t.Fatalf("%v / %v from the right is %v, %v", p, b, right, err)
	}
	if !p.HasPart(a) {
		t.Fatalf("%v is no part of %v", a, p)
	}
	checkDivisionSteps(t, p, left, must(p.DivideLeftSteps(a)))
	checkDivisionSteps(t, p, right, must(p.DivideRightSteps(b)))
	// c need not be divisible by a, and a refusal is then right (TestDivisionsAreComplete tests refusals). A quotient
	// that is returned must give c when it is multiplied by a.
	c := drawAny(t, "c")
	if q, err := c.DivideLeft(a); err == nil && !sameFunction(must(a.Product(q, Triton)), c) {
		t.Fatalf("%v / %v is not %v", c, a, q)
	}
	if q, err := c.DivideRight(a); err == nil && !sameFunction(must(q.Product(a, Triton)), c) {
		t.Fatalf("%v / %v from the right is not %v", c, a, q)
	}
}

// checkDivisionSteps checks that the steps of a division go over the columns of l in order, that each succeeds, and
// that the rests are the columns of the quotient.
func checkDivisionSteps(t *rapid.T, l, quotient Layout, steps []DivisionStep) {
	rests := []uint64{}
	for i, s := range steps {
		if s.Column != i || s.Value != l.cols[i] || s.Want != s.Value {
			t.Fatalf("step %d of %v is %+v", i, l, s)
		}
		if s.Divisor < 0 {
			rests = append(rests, s.Rest)
		}
	}
	if len(steps) != len(l.cols) || !slices.Equal(rests, quotient.cols) {
		t.Fatalf("the rests of %v are %v, the quotient is %v", l, rests, quotient)
	}
}

// Every layout with small dimensions that is the product of the divisor and some layout is divisible.
func TestDivisionsAreComplete(t *testing.T) {
	t.Parallel()
	all := func(ins, outs int) []Layout {
		var ls []Layout
		for code := range 1 << (ins * outs) {
			l := must(New([]In{{"i", nil}}, []Dim{{"o", 1 << outs}}))
			l.ins = must(fromDims("test", []Dim{{"i", 1 << ins}}))
			for k := range ins {
				l.cols = append(l.cols, uint64(code>>(k*outs)&(1<<outs-1)))
			}
			ls = append(ls, l)
		}
		return ls
	}
	for _, divisor := range all(1, 1) {
		left, right := map[string]bool{}, map[string]bool{}
		for _, q := range all(2, 2) {
			left[must(divisor.Product(q)).String()] = true
			right[must(q.Product(divisor)).String()] = true
		}
		for _, l := range all(3, 3) {
			if _, err := l.DivideLeft(divisor); (err == nil) != left[l.String()] {
				t.Fatalf("%v / %v: %v", l, divisor, err)
			}
			if _, err := l.DivideRight(divisor); (err == nil) != right[l.String()] {
				t.Fatalf("%v / %v from the right: %v", l, divisor, err)
			}
		}
	}
}

func TestDivideRightComparesAllOutputs(t *testing.T) {
	t.Parallel()
	l := must(New([]In{{"i", [][]int64{{1, 0}, {2, 1}}}}, []Dim{{"o", 4}, {"p", 2}}))
	if q, err := l.DivideRight(must(Identity1D(2, "i", "o"))); err == nil {
		t.Errorf("the basis (2, 1) is not that of the divisor, found the quotient %v", q)
	}
	l = must(New([]In{{"i", [][]int64{{2}, {2}}}}, []Dim{{"o", 4}}))
	if q, err := l.DivideRight(must(Identity1D(2, "i", "o"))); err == nil {
		t.Errorf("the basis 2 does not fit below the divisor, found the quotient %v", q)
	}
}

// A left inverse maps every value back to its input. A layout that repeats a value is refused, with two inputs of that
// value.
func TestLeftInverse(t *testing.T) {
	check(t, func(t *rapid.T) {
		l := drawLayout(t, "l", drawDims(t, "in", []string{"a", "b"}, 2), drawDims(t, "out", []string{"x", "y"}, 3))
		r, err := l.LeftInverse()
		if (err == nil) != l.IsInjective() {
			t.Fatalf("left_inverse(%v): %v", l, err)
		}
		if err != nil {
			var e *cute.Error
			if !errors.As(err, &e) || e.Witness.Index == 0 || l.flat(uint64(e.Witness.Index)) != l.flat(0) {
				t.Fatalf("left_inverse(%v): %v", l, err)
			}
			return
		}
		for x := range uint64(1) << l.InBits() {
			if y := r.flat(l.flat(x)); y != x {
				t.Fatalf("left_inverse(%v) = %v takes the value at %d to %d", l, r, x, y)
			}
		}
	})
}
