package linear

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"girih/cute"

	"pgregory.net/rapid"
)

func TestApplyIsTheDefinition(t *testing.T) { check(t, applyIsTheDefinitionProperty) }

func FuzzApplyIsTheDefinition(f *testing.F) { f.Fuzz(rapid.MakeFuzz(applyIsTheDefinitionProperty)) }

func applyIsTheDefinitionProperty(t *rapid.T) {
	l := drawAny(t, "l")
	reached := map[uint64]int{}
	for i, p := range points(l) {
		var coords []Coord
		for _, name := range slices.Sorted(maps.Keys(p)) {
			coords = append(coords, Coord{name, p[name]})
		}
		got, err := l.Apply(coords)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]int64{}
		for _, c := range got {
			named[c.Name] = c.Value
		}
		if want := eval(l, p); !same(named, want) {
			t.Fatalf("%v at %v is %v, want %v", l, p, named, want)
		}
		flat, err := l.Flat(uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		reached[flat]++
	}
	if len(reached) != 1<<l.Rank() || l.IsInjective() != (len(reached) == 1<<l.InBits()) ||
		l.IsSurjective() != (len(reached) == 1<<l.OutBits()) {
		t.Fatalf("%v reaches %d outputs; rank %d, injective %v, surjective %v", l, len(reached), l.Rank(), l.IsInjective(),
			l.IsSurjective())
	}
	if l.IsInvertible() != (l.IsInjective() && l.IsSurjective()) {
		t.Fatalf("%v invertible: %v", l, l.IsInvertible())
	}
	again, err := New(l.Bases(), l.OutDims())
	if err == nil {
		again, err = again.WithOrigin(l.Origin()...)
	}
	if err != nil || !again.Equal(l) {
		t.Fatalf("%v made again is %v, %v", l, again, err)
	}
}

func TestComposeIsTheDefinition(t *testing.T) { check(t, composeIsTheDefinitionProperty) }

func FuzzComposeIsTheDefinition(f *testing.F) { f.Fuzz(rapid.MakeFuzz(composeIsTheDefinitionProperty)) }

func composeIsTheDefinitionProperty(t *rapid.T) {
	a := drawAny(t, "a")
	mid := a.OutDims()
	for i := range mid {
		mid[i].Size <<= rapid.IntRange(0, 1).Draw(t, "larger")
	}
	if len(mid) > 0 {
		mid = rapid.Permutation(mid).Draw(t, "middle")
	}
	b := drawLayout(t, "b", mid, drawDims(t, "out", []string{"u", "v"}, 6))
	c, err := a.Compose(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range points(a) {
		if got, want := eval(c, p), eval(b, eval(a, p)); !same(got, want) {
			t.Fatalf("%v then %v is %v: at %v %v, want %v", a, b, c, p, got, want)
		}
	}
}

// TestProductIsTheDirectSum checks products by splitting every coordinate of the product into the declared part of the
// left operand and the rest.
func TestProductIsTheDirectSum(t *testing.T) { check(t, productIsTheDirectSumProperty) }

func FuzzProductIsTheDirectSum(f *testing.F) { f.Fuzz(rapid.MakeFuzz(productIsTheDirectSumProperty)) }

func productIsTheDirectSumProperty(t *rapid.T) {
	a, b, c := drawAny(t, "a"), drawAny(t, "b"), drawAny(t, "c")
	p, err := a.Product(b, Triton)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range points(p) {
		low, high, want := map[string]int64{}, map[string]int64{}, map[string]int64{}
		for name, x := range at {
			low[name], high[name] = x%a.InSize(name), x/a.InSize(name)
		}
		for name, y := range eval(a, low) {
			want[name] += y
		}
		for name, y := range eval(b, high) {
			want[name] += y * a.OutSize(name)
		}
		if got := eval(p, at); !same(got, want) {
			t.Fatalf("%v * %v = %v: at %v %v, want %v", a, b, p, at, got, want)
		}
	}
	left, err1 := p.Product(c)
	right, err2 := b.Product(c)
	if err1 != nil || err2 != nil {
		return // contradictory orders
	}
	if right, err2 = a.Product(right); err2 == nil && !sameFunction(left, right) {
		t.Fatalf("%v * %v * %v is %v or %v", a, b, c, left, right)
	}
}

// sameFunction compares layouts up to the order of their dimensions.
func sameFunction(a, b Layout) bool {
	if !a.ins.sameSet(b.ins) || !a.outs.sameSet(b.outs) {
		return false
	}
	b = must(must(b.TransposeIns(names(a.InDims())...)).TransposeOuts(names(a.OutDims())...))
	return a.Equal(b)
}

func names(dims []Dim) []string {
	out := make([]string, len(dims))
	for i, d := range dims {
		out[i] = d.Name
	}
	return out
}

func TestSupremum(t *testing.T) { check(t, supremumProperty) }

func FuzzSupremum(f *testing.F) { f.Fuzz(rapid.MakeFuzz(supremumProperty)) }

func supremumProperty(t *rapid.T) {
	draw := func(label string) []string {
		all := rapid.Permutation([]string{"a", "b", "c", "d", "e"}).Draw(t, label)
		return all[:rapid.IntRange(0, 4).Draw(t, label+" length")]
	}
	x, y := draw("x"), draw("y")
	got, err := Supremum(x, y)
	triton := must(Supremum(x, y, Triton))
	cycle := false
	for i, a := range x {
		for _, b := range x[i+1:] {
			ia, ib := slices.Index(y, a), slices.Index(y, b)
			cycle = cycle || ia >= 0 && ib >= 0 && ib < ia
		}
	}
	if (err != nil) != cycle {
		t.Fatalf("supremum of %v and %v: %v, %v", x, y, got, err)
	}
	union := slices.Compact(slices.Sorted(slices.Values(slices.Concat(x, y))))
	if !slices.Equal(slices.Sorted(slices.Values(triton)), union) || !cycle &&
		(!subsequence(x, got) || !subsequence(y, got) || !slices.Equal(got, triton)) {
		t.Fatalf("supremum of %v and %v is %v, Triton %v", x, y, got, triton)
	}
}

func subsequence(sub, all []string) bool {
	for _, s := range all {
		if len(sub) > 0 && sub[0] == s {
			sub = sub[1:]
		}
	}
	return len(sub) == 0
}

// These are the forms of the dump of Triton's printer.
func TestString(t *testing.T) {
	t.Parallel()
	l := must(New([]In{{"r", [][]int64{{0, 1}, {8, 0}}}, {"w", nil}}, []Dim{{"dim0", 16}, {"dim1", 2}}))
	for _, c := range []struct {
		l    Layout
		want string
	}{
		{Empty(), "\n(empty layout)"},
		{must(New(nil, []Dim{{"o", 4}})), "\n(empty layout with out-dims [o (size 4)])"},
		{l, "\n - r=1 -> (0, 1)\n   r=2 -> (8, 0)\n - w is a size 1 dimension\nwhere out dims are: [dim0 (size 16), dim1 (size 2)]"},
		{must(l.WithOrigin(3, 1)), l.String() + "\nand 0 -> (3, 1)"},
	} {
		if got := c.l.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	id := must(Identity1D(8, "i", "o"))
	for name, c := range map[string]struct {
		f    func() error
		want cute.Code
	}{
		"gap":         {func() error { _, err := NewInferred([]In{{"i", [][]int64{{1}, {4}}}}, []string{"o"}); return err }, cute.CodeNotInvertible},
		"size":        {func() error { _, err := New(nil, []Dim{{"o", 3}}); return err }, cute.CodeExtent},
		"negative":    {func() error { _, err := New([]In{{"i", [][]int64{{-1}}}}, []Dim{{"o", 8}}); return err }, cute.CodeNegative},
		"coordinates": {func() error { _, err := New([]In{{"i", [][]int64{{1, 2}}}}, []Dim{{"o", 8}}); return err }, cute.CodeRank},
		"too large": {func() error {
			_, err := New([]In{{"i", [][]int64{{8}}}}, []Dim{{"o", 8}})
			return err
		}, cute.CodeExtent},
		"repeated":   {func() error { _, err := New([]In{{"i", nil}, {"i", nil}}, nil); return err }, cute.CodeName},
		"empty name": {func() error { _, err := New([]In{{"", nil}}, nil); return err }, cute.CodeName},
		"bits":       {func() error { _, err := New([]In{{"i", make([][]int64, 63)}}, nil); return err }, cute.CodeOverflow},
		"inferred bits": {func() error {
			_, err := NewInferred([]In{{"i", [][]int64{{1 << 62}}}}, []string{"o"})
			return err
		}, cute.CodeOverflow},
		"stride":         {func() error { _, err := Strided1D(4, 3, "i", "o"); return err }, cute.CodeExtent},
		"stride 0":       {func() error { _, err := Strided1D(4, 0, "i", "o"); return err }, cute.CodeExtent},
		"wide stride":    {func() error { _, err := Strided1D(1<<40, 1<<40, "i", "o"); return err }, cute.CodeOverflow},
		"origin":         {func() error { _, err := id.WithOrigin(8); return err }, cute.CodeExtent},
		"apply large":    {func() error { _, err := id.Apply([]Coord{{"i", 9}}); return err }, cute.CodeExtent},
		"apply negative": {func() error { _, err := id.At(-1); return err }, cute.CodeNegative},
		"apply missing":  {func() error { _, err := id.Apply(nil); return err }, cute.CodeNotCongruent},
		"apply twice": {func() error {
			_, err := id.Apply([]Coord{{"i", 1}, {"i", 1}})
			return err
		}, cute.CodeNotCongruent},
		"flat":          {func() error { _, err := id.Flat(8); return err }, cute.CodeExtent},
		"compose names": {func() error { _, err := id.Compose(id); return err }, cute.CodeNotCongruent},
		"compose size":  {func() error { _, err := id.Compose(must(Identity1D(4, "o", "p"))); return err }, cute.CodeExtent},
		"wide product": {func() error {
			wide := must(Identity1D(1<<40, "i", "o"))
			_, err := wide.Product(wide)
			return err
		}, cute.CodeOverflow},
		"clip": {func() error {
			_, err := must(New([]In{{"i", [][]int64{{5}}}}, []Dim{{"o", 8}})).ResizeOut("o", 4)
			return err
		}, cute.CodeNotDivisible},
		"grow out":  {func() error { _, err := id.ResizeOut("o", 16); return err }, cute.CodeExtent},
		"resize in": {func() error { _, err := id.ResizeIn("i", 3); return err }, cute.CodeExtent},
		"unknown":   {func() error { _, err := id.Sublayout([]string{"j"}, nil); return err }, cute.CodeName},
		"transpose": {func() error { _, err := id.TransposeOuts(); return err }, cute.CodeNotCongruent},
		"rename":    {func() error { _, err := id.RenameIn("i", ""); return err }, cute.CodeName},
	} {
		if e, ok := errors.AsType[*cute.Error](c.f()); !ok || e.Code != c.want {
			t.Errorf("%s: %v, want %s", name, e, c.want)
		}
	}
	if got := must(id.Apply([]Coord{{"i", 9}}, Triton)); got[0].Value != 1 {
		t.Errorf("Triton wraps 9 to 1, found %v", got)
	}
}

func TestResizes(t *testing.T) { check(t, resizesProperty) }

func FuzzResizes(f *testing.F) { f.Fuzz(rapid.MakeFuzz(resizesProperty)) }

func resizesProperty(t *rapid.T) {
	l := drawAny(t, "l")
	for _, d := range l.InDims() {
		n := int64(1) << rapid.IntRange(0, 4).Draw(t, "size")
		r := must(l.ResizeIn(d.Name, n))
		for _, p := range points(r) {
			q := maps.Clone(p)
			q[d.Name] %= d.Size
			if !same(eval(r, p), eval(l, q)) {
				t.Fatalf("%v resized to %d along %s is %v", l, n, d.Name, r)
			}
		}
	}
	for _, d := range l.OutDims() {
		r, err := l.ResizeOut(d.Name, max(d.Size/2, 1))
		if err != nil {
			continue
		}
		for _, p := range points(l) {
			want := eval(l, p)
			want[d.Name] %= r.OutSize(d.Name)
			if !same(eval(r, p), want) {
				t.Fatalf("%v cut to %d along %s is %v", l, r.OutSize(d.Name), d.Name, r)
			}
		}
	}
}
