package view_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"girih/cute"
	"girih/f2"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
	"girih/linear"
)

// Two elements have the same fill exactly if their banks are equal, for every element width and every offset.
func TestBankFills(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"(8,64):(64,1)", "(8,(4,8)):(33,(1,4))", "(5,7):(-3,11)", "(2,3):(1,4611686018427387900)", "64:-144115188075855871",
	} {
		for _, bits := range []int{0, 1, 4, 6, 8, 16, 32, 64, 128, 1 << 16} {
			l := cute.MustParse(text)
			s, err := view.Layout(l, view.Options{ColorBy: view.ColorBank, ElemBits: bits})
			if err != nil {
				t.Fatal(err)
			}
			width := bits
			if bits == 0 {
				width = 32
			}
			if want := fmt.Sprintf("the element, %d bits wide", width); !strings.Contains(s.Desc, want) {
				t.Errorf("%s: no %q in %s", text, want, s.Desc)
			}
			offsets := must(l.AppendOffsets(nil))
			cells := paintedCells(s)
			if len(cells) != len(offsets) {
				t.Fatalf("%s: %d cells for %d elements", text, len(cells), len(offsets))
			}
			bank, fill := map[draw.Color]int64{}, map[int64]draw.Color{}
			for i, x := range offsets {
				bit := new(big.Int).Mul(big.NewInt(x), big.NewInt(int64(width)))
				want := new(big.Int).Mod(bit.Rsh(bit, 5), big.NewInt(32)).Int64()
				got := cells[fmt.Sprintf("i%d", i)].fill
				if b, seen := bank[got]; seen && b != want {
					t.Fatalf("%s of %d bits: banks %d and %d have one fill", text, width, b, want)
				}
				if c, seen := fill[want]; seen && c != got {
					t.Fatalf("%s of %d bits: bank %d has two fills", text, width, want)
				}
				bank[got], fill[want] = want, got
			}
		}
	}
}

// If there are too many elements for labels, each still has its fill. Coordinates, which have no bank, have the fills
// of offsets.
func TestBankFillsOfMany(t *testing.T) {
	t.Parallel()
	o := view.Options{ColorBy: view.ColorBank, ElemBits: 16}
	s := must(view.Layout(cute.MustParse("(128,128):(128,1)"), o))
	if !strings.Contains(s.Desc, "the fill is the bank") || strings.Contains(s.Desc, "consecutive") {
		t.Errorf("captions: %s", s.Desc)
	}
	theme := draw.Themes()[0]
	for b := range int64(32) {
		// 128 elements of 16 bits are two rounds of 32 banks: 2 neighbours, 2 rounds and 128 rows, plus the legend.
		if n := filled(s, theme.Shade(b/4, b%4, 4)); n < 128*2 {
			t.Errorf("bank %d has %d cells", b, n)
		}
	}
	basis := cute.MustParse("(4,4):(1@0,1@1)")
	if a, b := must(view.Layout(basis, o)), must(view.Layout(basis, view.Options{})); a.Desc != b.Desc ||
		fmt.Sprint(a.Shapes()) != fmt.Sprint(b.Shapes()) {
		t.Errorf("coordinates have banks: %s", a.Desc)
	}
	for _, bits := range []int{-1, 1<<16 + 1} {
		var e *cute.Error
		if err := second(view.Layout(basis, view.Options{ElemBits: bits})); !errors.As(err, &e) || e.Code != cute.CodeExtent {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
}

// The hue is the value, with and without labels.
func TestValueFills(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tv   string
		m, n int64
	}{{"((4,8),(2,2)):((32,1),(16,8))", 16, 8}, {"(8,4):(1,8)", 4, 8}, {"(32,(2,6)):(2,(1,64))", 64, 12}} {
		l := cute.MustParse(c.tv)
		s := must(view.TV(l, cute.Ints(c.m, c.n), view.Options{ColorBy: view.ColorValue}))
		theme := draw.Themes()[0]
		threads := must(l.Mode(0)).Size()
		values := must(l.Mode(1)).Size()
		cells := paintedCells(s)
		for i := range l.Size() {
			key := fmt.Sprintf("t%dv%d", i%threads, i/threads)
			if got := cells[key].fill; got != theme.Hue(i/threads) {
				t.Errorf("%s: %s has the fill %v", c.tv, key, got)
			}
		}
		want := fmt.Sprintf("hue: value 0 to %d", values-1)
		if hues := int64(len(theme.Hues)); values > hues {
			want = fmt.Sprintf("hue: value modulo %d", hues)
		}
		if got := strings.Join(texts(s), "\n"); !strings.Contains(got, want) || strings.Contains(got, "lightness") {
			t.Errorf("%s: no legend %q", c.tv, want)
		}
	}
	s := must(view.TV(cute.MustParse("(128,128):(1,128)"), cute.Ints(128, 128), view.Options{ColorBy: view.ColorValue}))
	for h, c := range draw.Themes()[0].Hues {
		if n := filled(s, c); n < 128*16 {
			t.Errorf("hue %d has %d cells", h, n)
		}
	}
	if !strings.Contains(s.Desc, "its color says as which value") {
		t.Errorf("captions: %s", s.Desc)
	}
}

// The default fill of a swizzled layout distinguishes what the swizzle moves: elements whose group of 16 bytes, or
// whose bank in it, differs from the layout without the swizzle.
func TestFillOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		b, m, s int
		bits    int
		want    view.ColorBy
	}{
		{3, 3, 3, 16, view.ColorGroup},
		{1, 3, 3, 16, view.ColorGroup},
		{3, 4, 3, 8, view.ColorGroup},
		{1, 4, 3, 4, view.ColorBank}, // a group has 32 elements, a bank 8
		{2, 4, 3, 4, view.ColorGroup},
		{2, 0, 3, 32, view.ColorBank},
		{3, 0, 3, 8, view.ColorBank},
		{2, 0, 3, 8, view.ColorOffset}, // within a word
		{3, 3, -3, 16, view.ColorGroup},
		{0, 3, 3, 16, view.ColorOffset},
		{3, 3, 3, 0, view.ColorOffset},
		{1, 12, 1, 16, view.ColorGroup},
	} {
		w, err := cute.NewSwizzle(c.b, c.m, c.s)
		if err != nil {
			t.Fatal(err)
		}
		l, err := cute.New(cute.Ints(8, 64), cute.Ints(64, 1))
		if err != nil {
			t.Fatal(err)
		}
		composed, err := cute.NewComposed(w, cute.Int(0), l)
		if err != nil {
			t.Fatal(err)
		}
		if got := view.FillOf(composed, c.bits); got != c.want {
			t.Errorf("%v, %d bits: %v, want %v", w, c.bits, got, c.want)
		}
	}
}

// A layout with F2 strides has the fill of the composed layout that computes the same function.
func TestFillOfXor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		strides [2]f2.Vector
		bits    int
		want    view.ColorBy
	}{
		{[2]f2.Vector{64 ^ 8, 1}, 16, view.ColorGroup},  // Sw<3,3,3> o 0 o (8,64):(64,1)
		{[2]f2.Vector{64 ^ 16, 1}, 8, view.ColorGroup},  // Sw<3,4,3>
		{[2]f2.Vector{64 ^ 1, 1}, 32, view.ColorGroup},  // Sw<3,0,3>: bit 2 selects the group
		{[2]f2.Vector{64 ^ 1, 1}, 8, view.ColorBank},    // Sw<3,0,3>
		{[2]f2.Vector{64, 1 ^ 64}, 16, view.ColorGroup}, // Sw<3,0,-6>
		{[2]f2.Vector{64, 1}, 16, view.ColorOffset},
		{[2]f2.Vector{64 ^ 8, 1}, 0, view.ColorOffset},
		{[2]f2.Vector{64 ^ 8, 0}, 16, view.ColorGroup}, // no other bit of the index affects bit 3
	} {
		x, err := linear.NewXor(cute.Ints(8, 64), c.strides[:]...)
		if err != nil {
			t.Fatal(err)
		}
		if got := view.FillOfXor(x, c.bits); got != c.want {
			t.Errorf("%v, %d bits: %v, want %v", x, c.bits, got, c.want)
		}
	}
}
