package linear

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/f2"
)

func drawXor(t *rapid.T, extents []int64) XorLayout {
	n := rapid.IntRange(1, 4).Draw(t, "modes")
	s, d := make([]int64, n), make([]f2.Vector, n)
	for i := range s {
		s[i] = rapid.SampledFrom(extents).Draw(t, "extent")
		d[i] = f2.Vector(rapid.Uint64Range(0, 20).Draw(t, "stride"))
	}
	return must(NewXor(cute.Ints(s...), d...))
}

// xorTable is the definition, digit by digit and bit by bit.
func xorTable(x XorLayout) []int64 {
	table := make([]int64, x.Size())
	for i := range table {
		rest := int64(i)
		var y uint64
		for j, s := range x.Shape().Leaves() {
			digit := rest % s
			rest /= s
			for k := range 16 {
				if digit>>k&1 != 0 {
					y ^= uint64(x.Strides()[j]) << k
				}
			}
		}
		table[i] = int64(y)
	}
	return table
}

func TestXorLayoutIsTheDefinition(t *testing.T) {
	check(t, func(t *rapid.T) {
		x := drawXor(t, []int64{1, 2, 4, 8, 3, 5})
		table := xorTable(x)
		c := x.Coalesce()
		m, errM := x.Linear()
		for i, want := range table {
			if got := must(x.Eval(cute.Int(int64(i)))); got != want {
				t.Fatalf("%v at %d is %d, want %d", x, i, got, want)
			}
			if want >= x.Bound() {
				t.Fatalf("%v has the bound %d and the offset %d", x, x.Bound(), want)
			}
			if got := must(c.Eval(cute.Int(int64(i)))); got != want {
				t.Fatalf("%v coalesces to %v: at %d that is %d, want %d", x, c, i, got, want)
			}
			if errM == nil && must(m.Flat(uint64(i))) != uint64(want) {
				t.Fatalf("%v is not the map %v at %d", x, m, i)
			}
		}
		if got := must(x.AppendOffsets([]int64{7})); !slices.Equal(got[1:], table) || got[0] != 7 {
			t.Fatalf("the offsets of %v are %v, want %v", x, got[1:], table)
		}
		if got, want := must(x.Cosize()), slices.Max(table)+1; got != want {
			t.Fatalf("cosize(%v) = %d, want %d", x, got, want)
		}
		if (errM == nil) != (linearTable(table) < 0) {
			t.Fatalf("%v: %v", x, errM)
		}
	})
}

// Questions about a layout with F2 strides are about its own coordinates, even if their number is not a power of two.
func TestXorQuestions(t *testing.T) { check(t, xorQuestions) }

func FuzzXorQuestions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(xorQuestions)) }

func xorQuestions(t *rapid.T) {
	x := drawXor(t, []int64{1, 2, 4, 8, 3, 5, 6})
	table := xorTable(x)
	ok, i, j, err := x.Injective()
	if err != nil || ok != (countDistinct(table) == len(table)) {
		t.Fatalf("%v is injective: %v, %v", x, ok, err)
	}
	if !ok && (i == j || table[i] != table[j]) {
		t.Fatalf("%v is said to have one offset at %d and %d", x, i, j)
	}
	gap := int64(0)
	for slices.Contains(table, gap) {
		gap++
	}
	if got := must(x.Gap()); got != gap {
		t.Fatalf("%v has every offset below %d, not %d", x, gap, got)
	}
	xorRightInverse(t, x, table, gap)
	l, err := x.LeftInverse()
	if !ok {
		e, isError := errors.AsType[*cute.Error](err)
		if !isError || e.Code != cute.CodeNotInjective ||
			int64(slices.Index(table, table[e.Witness.Index])) == e.Witness.Index {
			t.Fatalf("left_inverse(%v): %v", x, err)
		}
	} else if err == nil {
		for i, y := range table {
			if got := must(l.Eval(cute.Int(y))); got != int64(i) || y >= l.Size() {
				t.Fatalf("left_inverse(%v) = %v takes %d to %d, want %d", x, l, y, got, i)
			}
		}
	} else if linearTable(table) < 0 {
		t.Fatalf("left_inverse(%v): %v", x, err)
	}
	inv, err := x.Inverse()
	bijective := ok && gap == x.Size()
	if err == nil != (bijective && (isXor(invert(table), inv.Shape().Leaves()) || inv.Size() == x.Size())) {
		t.Fatalf("inverse(%v) = %v, %v", x, inv, err)
	}
	if err == nil && !slices.Equal(xorTable(inv), invert(table)) {
		t.Fatalf("inverse(%v) = %v", x, inv)
	}
	if bijective && err != nil && len(ladders(invert(table))) > 0 {
		t.Fatalf("inverse(%v): %v", x, err)
	}
}

func xorRightInverse(t *rapid.T, x XorLayout, table []int64, gap int64) {
	r := must(x.RightInverse())
	least := make([]int64, gap)
	for k := range least {
		least[k] = int64(slices.Index(table, int64(k)))
	}
	if r.Size() > gap || !slices.Equal(xorTable(r), least[:r.Size()]) {
		t.Fatalf("right_inverse(%v) = %v, which is not the least index of each offset, %v", x, r, least)
	}
	for n := r.Size() + 1; n <= gap; n++ {
		if len(ladders(least[:n])) > 0 {
			t.Fatalf("right_inverse(%v) = %v, there is one of %d", x, r, n)
		}
	}
}

func countDistinct(xs []int64) int {
	seen := map[int64]bool{}
	for _, x := range xs {
		seen[x] = true
	}
	return len(seen)
}

func invert(table []int64) []int64 {
	out := make([]int64, len(table))
	for i, y := range table {
		if y < int64(len(out)) {
			out[y] = int64(i)
		}
	}
	return out
}

// Every linear map has F2 strides.
func TestToXorIsTheMap(t *testing.T) {
	check(t, func(t *rapid.T) {
		l := drawLayout(t, "l", []Dim{{"a", 4}, {"b", 8}, {"c", 1}}, []Dim{{"offset", 64}})
		l.origin = 0
		x, err := l.ToXor()
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range xorTable(x) {
			if must(l.Flat(uint64(i))) != uint64(y) {
				t.Fatalf("%v is not %v at %d", x, l, i)
			}
		}
	})
}

func TestXorAnchors(t *testing.T) {
	for _, tt := range []struct {
		shape   string
		strides []f2.Vector
		inverse string
	}{
		{"(8,8)", []f2.Vector{1, 9}, "(8,8):(F2(1),F2(9))"},
		{"(8,8)", []f2.Vector{9, 1}, "(8,8):(F2(8),F2(9))"},
		{"((2,4),8)", []f2.Vector{9, 18, 1}, "(8,8):(F2(8),F2(9))"},
	} {
		x := must(NewXor(cute.MustParseTuple(tt.shape), tt.strides...))
		if got := must(x.RightInverse()); got.String() != tt.inverse {
			t.Errorf("right_inverse(%v) = %v, want %s", x, got, tt.inverse)
		}
	}
	if x := must(NewXor(cute.MustParseTuple("((2,4),8)"), 9, 18, 1)); x.String() != "((2,4),8):((F2(9),F2(18)),F2(1))" {
		t.Errorf("the text is %v", x)
	}
	if _, err := NewXor(cute.MustParseTuple("(8,8)"), 1); err == nil {
		t.Error("one stride is taken for two leaves")
	}
	if _, err := NewXor(cute.Int(8), 1<<60); err == nil {
		t.Error("offsets of 63 bits are taken")
	}
	if y, err := must(NewXor(cute.Int(8), 3)).Eval(cute.Int(9)); y != 27 || err != nil {
		t.Errorf("the last mode goes on to %d, %v", y, err)
	}
	if y, err := must(NewXor(cute.Ints(4, 8), 1, 8)).Eval(cute.Ints(5, 0)); y != 5 || err != nil {
		t.Errorf("a coordinate beyond a mode has the offset %d, %v", y, err)
	}
	if _, err := must(NewXor(cute.Int(8), 1)).Eval(cute.Int(-1)); err == nil {
		t.Error("a negative index is taken")
	}
	six := must(NewXor(cute.MustParseTuple("(4,(4,3))"), 1, 5, 16))
	for name, got := range map[string]XorLayout{
		"right": must(six.RightInverse()), "left": must(six.LeftInverse()), "two-sided": must(six.Inverse()),
	} {
		if want := "(4,4,3):(F2(1),F2(5),F2(16))"; got.String() != want {
			t.Errorf("the %s inverse of %v is %v, want %s", name, six, got, want)
		}
	}
}
