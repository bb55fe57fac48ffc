package swizzle_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"

	"pgregory.net/rapid"
)

// rowTile draws a tile of rows of any length, with accesses along rows and columns. For most of these tiles, no swizzle
// helps.
func rowTile(t *rapid.T) problem {
	elem := rapid.SampledFrom([]int{8, 16, 32}).Draw(t, "element")
	c := rapid.SampledFrom([]int64{3, 3, 5, 6, 7, 9, 10}).Draw(t, "columns")
	l := cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", 32, c, c))
	p := problem{Problem: swizzle.Problem{Layout: l, ElemBits: elem}, full: true}
	table, err := l.AppendOffsets(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.table = table
	for _, th := range []banks.Threads{banks.Rows(), banks.Cols()}[:rapid.IntRange(1, 2).Draw(t, "accesses")] {
		r, err := parseRule("sm90", "ld", elem)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := banks.NewPlan(r, l, elem, th)
		if err != nil {
			t.Fatal(err)
		}
		p.Accesses = append(p.Accesses, swizzle.Access{Name: fmt.Sprint("ld", len(p.Accesses)), Plan: plan})
	}
	return p
}

// Paddings are the least possible for rows of any length.
func TestPaddingIsTheLeast(t *testing.T) {
	t.Parallel()
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		p := rowTile(t)
		sol, err := swizzle.Solve(p.Problem)
		if err != nil {
			t.Fatal(err)
		}
		if sol.Kind != swizzle.KindPadding {
			return
		}
		found++
		for _, pad := range sol.Paddings {
			p.wantPadding(t, pad)
			cosize, err := pad.Layout.Cosize()
			if err != nil {
				t.Fatal(err)
			}
			if more := (cosize - slices.Max(p.table) - 1) * int64(p.ElemBits) / 8; more != pad.Bytes {
				t.Fatalf("%v is %d bytes longer, said %d", pad.Layout, more, pad.Bytes)
			}
			if pad.Bytes < sol.Paddings[0].Bytes {
				t.Fatalf("%v comes after %v", pad, sol.Paddings[0])
			}
		}
	})
	if found == 0 {
		t.Error("no padding was drawn")
	}
}

// A compromise costs what it reports, and no swizzle, no padding at one row length and no drawn linear map costs less.
func TestCompromiseIsTheBest(t *testing.T) {
	t.Parallel()
	found, maps := 0, 0
	property := func(t *rapid.T) {
		var p problem
		if rapid.IntRange(0, 9).Draw(t, "rows") == 0 {
			p = rowTile(t)
		} else {
			p = drawAlike(t, 3, []string{"16", "32", "128", "128"}, []int{16}, false)
		}
		if len(p.Accesses) == 0 {
			return
		}
		sol, err := swizzle.Solve(p.Problem)
		if err != nil {
			t.Fatal(err)
		}
		if sol.Best == nil {
			return
		}
		found++
		best := sol.Best
		check := func(what any, f func(int64) int64) {
			if extra, ok := p.extraOf(f); ok && extra < best.Extra {
				t.Fatalf("%v costs %d wavefronts more, the compromise %+v costs %d", what, extra, best, best.Extra)
			}
		}
		move := func(x int64) int64 { return at(t, best.Map, x) }
		switch {
		case best.Choice != nil:
			move = func(x int64) int64 { return at(t, best.Choice.Swizzle, x) }
		case best.Padding != nil:
			pad := best.Padding.Pads[0]
			move = func(x int64) int64 { return x + x/pad.Every*pad.Elements }
		}
		if extra, ok := p.extraOf(move); !ok || extra != best.Extra || best.Padding == nil && p.grows(move) {
			t.Fatalf("%+v costs %d, whole %t, grows %t", best, extra, ok, p.grows(move))
		}
		for _, w := range allSwizzles(bits.Len64(uint64(slices.Max(p.table)))) {
			f := func(x int64) int64 { return at(t, w, x) }
			if !p.grows(f) {
				check(w, f)
			}
		}
		if l := p.Layout.(cute.Layout); l.Rank() == 2 {
			every := l.Stride().Leaves()[0]
			for add := range int64(1024 / p.ElemBits) {
				check(add, func(x int64) int64 { return x + x/every*add })
			}
		}
		if !best.AllMaps || !p.full {
			return
		}
		maps++
		granule := bits.TrailingZeros64(uint64(p.granule()))
		n := bits.Len64(uint64(slices.Max(p.table))) - granule
		if n < 2 || n > 7 {
			return
		}
		for range 5 {
			m := aMap(t, n)
			check(m, func(x int64) int64 { return at(t, m, x>>granule)<<granule | x&(1<<granule-1) })
		}
	}
	// Drawn problems rarely lack an answer, and few may be drawn.
	for round := 0; round == 0 || maps == 0 && round < 20; round++ {
		rapid.Check(t, property)
	}
	if found == 0 || maps == 0 {
		t.Errorf("only %d compromises, %d with all maps", found, maps)
	}
}

// A recognised layout has no more modes than the layout from which its table was made.
func TestRecognizeAddsNoModes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"(8,64):(64,1)", "(64,8):(1,64)", "(8,8,8):(64,512,1)"} {
		l := cute.MustParse(text)
		for _, w := range allSwizzles(9) {
			c, err := cute.NewComposed(w, cute.Int(0), l)
			if err != nil {
				t.Fatal(err)
			}
			table, err := c.AppendOffsets(nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := swizzle.Recognize(table)
			if err != nil {
				t.Fatal(err)
			}
			flat := cute.Coalesce(l)
			if len(r.Swizzles) == 1 && r.Swizzles[0].B() == w.B() && r.Layout.Rank() > flat.Rank() {
				t.Errorf("%v is found as %v of %v", c, r.Swizzles[0], r.Layout)
			}
		}
	}
}
