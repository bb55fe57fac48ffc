package swizzle_test

import (
	"errors"
	"slices"
	"testing"

	"girih/cute"
	"girih/swizzle"

	"pgregory.net/rapid"
)

// aTable draws offsets below 1<<n without repetition: the offsets of a layout, or any.
func aTable(t *rapid.T, n int) []int64 {
	if rapid.Bool().Draw(t, "layout") {
		a := rapid.Int64Range(1, 1<<(n/2)).Draw(t, "rows")
		b := rapid.Int64Range(1, 1<<(n-n/2)).Draw(t, "columns")
		var table []int64
		for j := range b {
			for i := range a {
				table = append(table, i*b+j)
			}
		}
		return table
	}
	return rapid.SliceOfNDistinct(rapid.Int64Range(0, 1<<n-1), 1, 20, rapid.ID).Draw(t, "offsets")
}

// Find returns exactly the swizzles that turn one table into the other, or some map that does, or a witness that no map
// can.
func TestFindAgainstAllSwizzles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := aTable(t, 7)
		to := make([]int64, len(from))
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			w := aSwizzle(t, 7)
			for i, x := range from {
				to[i] = at(t, w, x)
			}
		case 1:
			m := aMap(t, 7)
			for i, x := range from {
				to[i] = at(t, m, x)
			}
		default:
			for i := range to {
				to[i] = rapid.Int64Range(0, 127).Draw(t, "to")
			}
		}
		var want []cute.Swizzle
		for _, w := range allSwizzles(7) {
			if !slices.ContainsFunc(from, func(x int64) bool { return at(t, w, x) != to[slices.Index(from, x)] }) {
				want = append(want, w)
			}
		}
		slices.SortFunc(want, swizzle.Compare)
		f, err := swizzle.Find(from, to)
		if err != nil {
			if len(want) > 0 {
				t.Fatalf("%v: but %v does it", err, want[0])
			}
			wantWitness(t, err, from, to)
			return
		}
		for i, x := range from {
			if y := at(t, f.Map, x); y != to[i] {
				t.Fatalf("%v takes %d to %d, want %d", f.Map, x, y, to[i])
			}
			for _, w := range f.Swizzles {
				if y := at(t, w, x); y != to[i] {
					t.Fatalf("%v takes %d to %d, want %d", w, x, y, to[i])
				}
			}
		}
		for _, w := range want {
			if !slices.Contains(f.Swizzles, w) && f.Swizzles == nil {
				t.Fatalf("%v does it, found %v", w, f.Swizzles)
			}
		}
		if len(want) > 0 && f.Swizzles[0] != want[0] {
			t.Fatalf("the smallest is %v, found %v", want[0], f.Swizzles)
		}
	})
}

// wantWitness checks that no invertible linear map is right up to the index of the witness, and that some map is right
// before that index.
func wantWitness(t *rapid.T, err error, from, to []int64) {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil {
		t.Fatalf("%v has no witness", err)
	}
	n := int(e.Witness.Index)
	if linear(from[:n+1], to[:n+1]) {
		t.Fatalf("%v: a map is right up to there", err)
	}
	if !linear(from[:n], to[:n]) {
		t.Fatalf("%v: no map is right before it", err)
	}
}

// linear reports whether an invertible linear map turns the table from into the table to: an exclusive or of offsets is
// 0 exactly if the exclusive or of their images is 0.
func linear(from, to []int64) bool {
	rank := func(shift uint, a, b []int64) int {
		var rows []uint64
		for i := range a {
			rows = append(rows, uint64(a[i])<<shift|uint64(b[i]))
		}
		r := 0
		for bit := 63; bit >= 0; bit-- {
			p := slices.IndexFunc(rows[r:], func(x uint64) bool { return x>>bit&1 != 0 })
			if p < 0 {
				continue
			}
			rows[r], rows[r+p] = rows[r+p], rows[r]
			for i := range rows {
				if i != r && rows[i]>>bit&1 != 0 {
					rows[i] ^= rows[r]
				}
			}
			r++
		}
		return r
	}
	zero := make([]int64, len(from))
	both := rank(16, from, to)
	return both == rank(16, from, zero) && both == rank(16, zero, to)
}

// A table is recognised exactly, or refused. A table made of swizzles is never refused, and needs no more swizzles.
func TestRecognize(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var table []int64
		swizzles := rapid.IntRange(0, 3).Draw(t, "swizzles")
		l := cute.MustParse(rapid.SampledFrom([]string{
			"(8,16):(16,1)", "(4,8,4):(32,1,8)", "(16,8):(1,16)", "(6,8):(8,1)", "(2,2,2,2):(64,4,16,1)", "(4,4):(1,8)",
		}).Draw(t, "layout"))
		origin := rapid.SampledFrom([]int64{0, 0, 64}).Draw(t, "origin")
		table, err := l.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		var chain []cute.Swizzle
		for range swizzles {
			chain = append(chain, aSwizzle(t, 8))
		}
		broken := rapid.IntRange(0, 4).Draw(t, "broken") == 0
		for i := range table {
			table[i] += origin
			for _, w := range chain {
				table[i] = at(t, w, table[i])
			}
		}
		if broken {
			table[rapid.IntRange(0, len(table)-1).Draw(t, "place")] ^= 1 << rapid.IntRange(0, 8).Draw(t, "bit")
		}
		r, err := swizzle.Recognize(table)
		if err != nil {
			if !broken && (swizzles < 2 || l.Size()&(l.Size()-1) == 0) {
				t.Fatalf("%v of %v at %d: %v", chain, l, origin, err)
			}
			return
		}
		if !broken && swizzles < 2 && len(r.Swizzles) > swizzles {
			t.Fatalf("%v of %v at %d: found %v of %v", chain, l, origin, r.Swizzles, r.Layout)
		}
		for i, want := range table {
			got, err := offsetAt(r, int64(i))
			if err != nil || got != want {
				t.Fatalf("%v o %d o %v at %d: %d, %v, want %d", r.Map, r.Origin, r.Layout, i, got, err, want)
			}
		}
		for _, w := range r.Same {
			for i, want := range table {
				v, err := r.Layout.Eval(cute.Int(int64(i)))
				if err != nil {
					t.Fatal(err)
				}
				x, _ := v.Int64()
				if got := at(t, w, x+r.Origin); got != want {
					t.Fatalf("%v is not %v on %v: at %d it gives %d, want %d", w, r.Swizzles, r.Layout, i, got, want)
				}
			}
		}
		c, err := r.Composed()
		if err != nil {
			return
		}
		got, err := c.AppendOffsets(nil)
		if err != nil || !slices.Equal(got, table) {
			t.Fatalf("%v has the offsets %v, %v, want %v", c, got, err, table)
		}
	})
}

// offsetAt returns the offset at index i by the map of a recognition.
func offsetAt(r swizzle.Recognition, i int64) (int64, error) {
	v, err := r.Layout.Eval(cute.Int(i))
	if err != nil {
		return 0, err
	}
	x, _ := v.Int64()
	return r.Map.At(x + r.Origin)
}

// If the images of the index bits are independent, their exclusive ors are always a map after a layout.
func TestRecognizeEveryMap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := aMap(t, 6)
		origin := rapid.Int64Range(0, 63).Draw(t, "origin")
		n := rapid.IntRange(0, 6).Draw(t, "bits")
		table := make([]int64, 1<<n)
		for i := range table {
			table[i] = at(t, m, int64(i)) ^ origin
		}
		r, err := swizzle.Recognize(table)
		if err != nil {
			t.Fatalf("%v ^ %d: %v", m, origin, err)
		}
		for i, want := range table {
			if got, err := offsetAt(r, int64(i)); err != nil || got != want {
				t.Fatalf("%v o %d o %v at %d: %d, %v, want %d", r.Map, r.Origin, r.Layout, i, got, err, want)
			}
		}
	})
}

func TestRecognizeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		table []int64
		code  cute.Code
	}{
		{nil, cute.CodeExtent},
		{[]int64{0, 1, 2, 4, 7}, cute.CodeNotRepresentable},
		{[]int64{0, 1, 1, 0}, cute.CodeNotRepresentable},
		{[]int64{0, 5, 3, 1, 9, 2}, cute.CodeNotRepresentable},
		{[]int64{0, -1, 4}, cute.CodeNotRepresentable},
		{make([]int64, swizzle.RecognizeLimit+1), cute.CodeLimit},
	} {
		_, err := swizzle.Recognize(c.table)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != c.code {
			t.Errorf("%d offsets: %v, want %s", len(c.table), err, c.code)
		}
	}
}
