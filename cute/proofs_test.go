package cute_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/oracle"
)

// This file tests the theorems of docs/proofs.md that no other test covers, each under its number: all small cases if
// possible, against definitions by brute force.

// tables calls f with all tables of n entries from lo to hi that start with 0.
func tables(n int, lo, hi int64, f func(g []int64)) {
	g := make([]int64, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			f(g)
			return
		}
		for g[i] = lo; g[i] <= hi; g[i]++ {
			fill(i + 1)
		}
	}
	fill(1)
}

// Theorem 1: of all small tables, the tables of layouts are recognized, and the others are refused at the right place.
func TestRecognizeEveryTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n      int
		lo, hi int64
	}{{2, -3, 3}, {3, -3, 5}, {4, -2, 5}, {6, -1, 3}, {8, 0, 2}, {9, 0, 1}, {12, 0, 1}} {
		tables(c.n, c.lo, c.hi, func(g []int64) { wantRecognized(t, g) })
	}
}

// largestRight returns the size of the largest layout r with a(r(i)) = i. It tries all layouts into a's indices: each
// mode is a step, repeated as often as the table stays right.
func largestRight(at []int64) int64 {
	best := int64(1)
	var grow func(table []int64)
	grow = func(table []int64) {
		n := int64(len(table))
		best = max(best, n)
		for step := range at {
			next := slices.Clone(table)
			for x := 1; ; x++ {
				fits := true
				for j, i := range table {
					i += int64(x * step)
					if i >= int64(len(at)) || at[i] != int64(x)*n+int64(j) {
						fits = false
						break
					}
					next = append(next, i)
				}
				if !fits {
					break
				}
				grow(slices.Clone(next))
			}
		}
	}
	grow([]int64{0})
	return best
}

// Theorem 6: the right inverse is a right inverse, and it is the largest if its size is not an offset. The size is
// never an offset for layouts without negative strides that are injective apart from strides 0. Other layouts may have
// larger right inverses.
func TestRightInverseAgainstBruteForce(t *testing.T) {
	t.Parallel()
	larger := map[bool]int{}
	for _, c := range []struct {
		s      []int64
		lo, hi int64
	}{
		{[]int64{4}, -3, 3},
		{[]int64{2, 3}, -4, 7},
		{[]int64{3, 2}, -4, 7},
		{[]int64{4, 4}, -4, 5},
		{[]int64{2, 2, 2}, -2, 5},
		{[]int64{2, 3, 2}, -1, 6},
	} {
		for _, d := range oracle.Coords(slices.Repeat([]int64{c.hi - c.lo + 1}, len(c.s))) {
			moving, strides := int64(1), slices.Clone(d)
			for i := range strides {
				if strides[i] += c.lo; strides[i] != 0 {
					moving *= c.s[i]
				}
			}
			a := flatLayout(t, c.s, strides)
			r, err := cute.RightInverse(a)
			if err != nil {
				t.Fatal(err)
			}
			offsets := oracle.Of(a).Ints()
			if err := oracle.CheckRightInverse(oracle.Of(a), oracle.Of(r)); err != nil {
				t.Fatalf("right_inverse(%v) = %v: %v", a, r, err)
			}
			n, best := r.Size(), largestRight(offsets)
			missed := !slices.Contains(offsets, n)
			plain := slices.Min(strides) >= 0 && int64(len(oracle.Image(oracle.Of(a)))) == moving
			switch {
			case plain && !missed:
				t.Fatalf("right_inverse(%v) = %v, and %d is an offset", a, r, n)
			case missed && best != n || best < n:
				t.Fatalf("right_inverse(%v) = %v, and the largest one has the size %d", a, r, best)
			case best > n:
				larger[slices.Min(strides) < 0]++
			}
		}
	}
	if larger[false] == 0 || larger[true] == 0 {
		t.Errorf("larger inverses, by whether strides are negative: %v, want some of both", larger)
	}
}

// Theorem 7 holds for strides of both signs: compare all pairs of strides with all chains of radices.
func TestLeftInverseOfBothSigns(t *testing.T) {
	t.Parallel()
	found := map[int]int{}
	for _, s := range [][]int64{{2, 2}, {3, 2}, {2, 4}, {3, 3}} {
		for d0 := int64(-9); d0 <= 9; d0++ {
			for d1 := int64(-9); d1 <= 9; d1++ {
				found[checkLeftInverse(t, s, []int64{d0, d1})]++
			}
		}
	}
	if found[-1] == 0 || found[2] == 0 {
		t.Errorf("layouts by the number of radices, -1 without inverse: %v: too one-sided to be a test", found)
	}
}

// tilesInterval reports whether, with some other set, X gives each number of some [0,m), m at most most, as exactly one
// sum. The other set is forced: it must contain the least number that is not yet a sum.
func tilesInterval(x []int64, most int64) bool {
	for m := x[len(x)-1] + 1; m <= most; m++ {
		sums := make([]bool, m)
		tiles := true
		for y := int64(0); y < m && tiles; y++ {
			if sums[y] {
				continue
			}
			for _, v := range x {
				if v+y >= m || sums[v+y] {
					tiles = false
					break
				}
				sums[v+y] = true
			}
		}
		if tiles {
			return true
		}
	}
	return false
}

// Theorem 8, de Bruijn's: a set of offsets tiles an interval exactly if, in order, it is a layout whose strides are
// multiples of the blocks before them. complement accepts exactly such layouts.
func TestTilingsOfAnInterval(t *testing.T) {
	t.Parallel()
	top := 13
	if testing.Short() {
		top = 10
	}
	tiling, layouts := 0, 0
	for set := 1; set < 1<<top; set += 2 {
		var x []int64
		for i := range top {
			if set>>i&1 == 1 {
				x = append(x, int64(i))
			}
		}
		tiles := tilesInterval(x, 4*int64(top))
		l, err := cute.Recognize(x)
		if err != nil {
			if tiles {
				t.Fatalf("%v tiles an interval, and is no layout: %v", x, err)
			}
			continue
		}
		layouts++
		_, err = cute.Complement(l, cute.Int(1))
		if tiles != (err == nil) {
			t.Fatalf("%v, which is %v, tiles an interval: %v, and its complement: %v", x, l, tiles, err)
		}
		if tiles {
			tiling++
		}
	}
	if tiling < 20 || layouts == tiling {
		t.Errorf("%d sets are layouts and %d tile an interval: too one-sided to be a test", layouts, tiling)
	}
}

// Theorem 14: compositions of x+1 modulo 8 and the swizzles of one bit give all permutations of 8 offsets.
func TestChainsAreAllPermutations(t *testing.T) {
	t.Parallel()
	var generators [][8]uint8
	add := func(outer cute.Outer, offset int64) {
		c, err := cute.NewComposed(outer, cute.Int(offset), parse("8:1"))
		if err != nil {
			t.Fatal(err)
		}
		table, err := c.AppendOffsets(nil)
		if err != nil {
			t.Fatal(err)
		}
		var p [8]uint8
		for i, x := range table {
			p[i] = uint8(x)
		}
		generators = append(generators, p)
	}
	for _, bits := range [][2]int{{0, 1}, {0, -1}, {1, 1}, {1, -1}, {0, 2}, {0, -2}} {
		w, err := cute.NewSwizzle(1, bits[0], bits[1])
		if err != nil {
			t.Fatal(err)
		}
		add(w, 0)
	}
	if n := closure(generators); n != 168 {
		t.Errorf("the swizzles of one bit make %d permutations, want the 168 invertible matrices", n)
	}
	add(parse("(8,2):(1,0)"), 1)
	if n := closure(generators); n != 40320 {
		t.Errorf("with x+1 they make %d permutations, want all 40320", n)
	}
}

// closure returns the number of permutations that are products of the given ones.
func closure(generators [][8]uint8) int {
	id := [8]uint8{0, 1, 2, 3, 4, 5, 6, 7}
	seen := map[[8]uint8]bool{id: true}
	for todo := [][8]uint8{id}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, g := range generators {
			var q [8]uint8
			for i, x := range p {
				q[i] = g[x]
			}
			if !seen[q] {
				seen[q] = true
				todo = append(todo, q)
			}
		}
	}
	return len(seen)
}

// A mixed form is the form of Theorem 15: the offsets below 2^p are the exclusive or of the values of the index bits,
// and the offsets above are a layout of the index.
type mixedForm struct {
	constant int64
	high     string  // the layout of the offsets over 2^p
	s, bits  []int64 // the digits of the low part: extents, and for an extent of 2 what its bit flips
}

// mixedFormOf recognizes the form of a table for a given p.
func mixedFormOf(table []int64, p int) (f mixedForm, ok bool) {
	f.constant = table[0]
	low, high := make([]int64, len(table)), make([]int64, len(table))
	for i, x := range table {
		low[i], high[i] = (x^table[0])&(1<<p-1), x>>p-table[0]>>p
	}
	l, err := cute.Recognize(high)
	if err != nil {
		return f, false
	}
	f.high = l.String()
	for len(low) > 1 {
		run := slices.IndexFunc(low, func(x int64) bool { return x != 0 })
		bit := int64(0)
		switch run {
		case -1:
			run = len(low)
		case 1:
			run, bit = 2, low[1]
		}
		if len(low)%run != 0 {
			return f, false
		}
		var rest []int64
		for j := 0; j < len(low); j += run {
			for x := range run {
				if low[j+x] != low[j]^int64(x)*bit {
					return f, false
				}
			}
			rest = append(rest, low[j])
		}
		f.s, f.bits, low = append(f.s, int64(run)), append(f.bits, bit), rest
	}
	return f, true
}

func (f mixedForm) equal(g mixedForm) bool {
	return f.constant == g.constant && f.high == g.high && slices.Equal(f.s, g.s) && slices.Equal(f.bits, g.bits)
}

// Theorem 15. Existence: swizzles of layouts whose low bits do not carry have the form. Uniqueness: two forms are equal
// exactly if the functions are.
func TestSwizzledNormalForm(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 8))
	const p = 3
	type made struct {
		text  string
		table []int64
		form  mixedForm
	}
	var all []made
	equal, odd := 0, 0
	for range 2000 {
		b := random.Int64N(2)
		m := random.Int64N(p - 2*b + 1)
		s := b + random.Int64N(p-2*b-m+1)
		if random.IntN(2) == 0 {
			s = -s
		}
		sw, err := cute.NewSwizzle(int(b), int(m), int(s))
		if err != nil {
			t.Fatalf("Sw<%d,%d,%d>: %v", b, m, s, err)
		}
		// Draw modes of two elements at separate bits below 2^p, each with any step above, and modes of any extent
		// above 2^p.
		bits := random.Perm(p)
		n := random.IntN(4)
		var ss, ds []int64
		for _, bit := range bits[:n] {
			ss, ds = append(ss, 2), append(ds, 1<<bit+random.Int64N(2)<<p)
		}
		for range random.IntN(2) {
			at := random.IntN(len(ss) + 1)
			ss, ds = slices.Insert(ss, at, 2+random.Int64N(2)), slices.Insert(ds, at, random.Int64N(3)<<p)
		}
		l := flatLayout(t, ss, ds)
		offset := int64(0)
		for _, bit := range bits[n:] {
			offset |= random.Int64N(2) << bit
		}
		offset += random.Int64N(2) << p
		table := oracle.Of(l).Ints()
		for i, x := range table {
			if table[i], err = sw.At(offset + x); err != nil {
				t.Fatal(err)
			}
		}
		form, ok := mixedFormOf(table, p)
		if !ok {
			t.Fatalf("%v o %d o %v has the offsets %v, which have no form", sw, offset, l, table)
		}
		if len(table)&(len(table)-1) != 0 {
			odd++
		}
		all = append(all, made{fmt.Sprintf("%v o %d o %v", sw, offset, l), table, form})
	}
	for i, x := range all {
		for _, y := range all[:i] {
			same := slices.Equal(x.table, y.table)
			if same != (len(x.table) == len(y.table) && x.form.equal(y.form)) {
				t.Fatalf("%v and %v: the same function: %v, the forms %+v and %+v", x.text, y.text, same, x.form, y.form)
			}
			if same && x.text != y.text {
				equal++
			}
		}
	}
	if equal < 100 || odd < 100 {
		t.Errorf("%d pairs are equal, %d sizes are no power of two: too few to be a test", equal, odd)
	}
}
