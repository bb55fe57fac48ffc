package cute_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
)

// A model is a layout as extents, and strides as vectors over the axes [0], [1 0] and [1 1], or as integers.
type model struct {
	s []int64
	d [][]int64
}

var modelAxes = [][]int{{0}, {1, 0}, {1, 1}}

// layout returns the model as a layout whose first two leaves form a mode if there are more.
func (m model) layout(t rapid.TB) cute.Layout {
	t.Helper()
	var shape, stride []cute.Tuple
	for i, s := range m.s {
		shape, stride = append(shape, cute.Int(s)), append(stride, m.stride(t, i))
	}
	if len(shape) > 2 {
		shape = append([]cute.Tuple{tupleOf(t, shape[:2])}, shape[2:]...)
		stride = append([]cute.Tuple{tupleOf(t, stride[:2])}, stride[2:]...)
	}
	a, err := cute.New(tupleOf(t, shape), tupleOf(t, stride))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func tupleOf(t rapid.TB, elems []cute.Tuple) cute.Tuple {
	t.Helper()
	x, err := cute.MakeTuple(elems...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (m model) stride(t rapid.TB, i int) cute.Tuple {
	t.Helper()
	if len(m.d[i]) == 1 {
		return cute.Int(m.d[i][0])
	}
	sum := cute.Int(0)
	for axis, x := range m.d[i] {
		if x == 0 {
			continue
		}
		unit, err := cute.Basis(x, modelAxes[axis]...)
		if err != nil {
			t.Fatal(err)
		}
		if sum, err = sum.Add(unit); err != nil {
			t.Fatal(err)
		}
	}
	return sum
}

// axes returns the number of axes of an offset, or 1 for integers.
func (m model) axes() int { return len(m.d[0]) }

// offsets returns the offsets in colexicographic order by the definition.
func (m model) offsets() [][]int64 {
	offsets := [][]int64{make([]int64, m.axes())}
	for j, s := range m.s {
		n := len(offsets)
		for x := int64(1); x < s; x++ {
			for _, o := range offsets[:n] {
				o = slices.Clone(o)
				for axis := range o {
					o[axis] += x * m.d[j][axis]
				}
				offsets = append(offsets, o)
			}
		}
	}
	return offsets
}

// box returns the least offset and the number of integers from the least to the greatest, along each axis.
func (m model) box() (least, span []int64) {
	least, span = make([]int64, m.axes()), make([]int64, m.axes())
	for axis := range span {
		span[axis] = 1
		for i, s := range m.s {
			least[axis] += (s - 1) * min(m.d[i][axis], 0)
			span[axis] += (s - 1) * max(m.d[i][axis], -m.d[i][axis])
		}
	}
	return least, span
}

// facts are the answers by brute force.
type facts struct{ injective, surjective, bijective, compact bool }

func (m model) facts() facts {
	seen := map[string]bool{}
	negative := false
	offsets := m.offsets()
	for _, o := range offsets {
		seen[fmt.Sprint(o)] = true
		negative = negative || slices.Min(o) < 0
	}
	_, span := m.box()
	volume := int64(1)
	for _, n := range span {
		volume *= n
	}
	full := int64(len(seen)) == volume
	injective := len(seen) == len(offsets)
	return facts{
		injective:  injective,
		surjective: full && !negative,
		bijective:  full && !negative && injective,
		compact:    full && injective,
	}
}

// drawModel draws layouts small enough to enumerate: with integer strides, with strides along one axis each, or with
// any strides.
func drawModel(t *rapid.T) model {
	kind := rapid.IntRange(0, 2).Draw(t, "kind")
	far := int64(rapid.SampledFrom([]int{1, 4, 12}).Draw(t, "far"))
	var m model
	for range rapid.IntRange(1, 4).Draw(t, "rank") {
		m.s = append(m.s, rapid.Int64Range(1, 5).Draw(t, "extent"))
		if kind == 0 {
			m.d = append(m.d, []int64{rapid.Int64Range(-far, far).Draw(t, "stride")})
			continue
		}
		d := make([]int64, len(modelAxes))
		for axis := range d {
			d[axis] = rapid.Int64Range(-far/4, far/2).Draw(t, "stride")
		}
		if kind == 1 {
			axis := rapid.IntRange(0, len(d)-1).Draw(t, "axis")
			for i := range d {
				if i != axis {
					d[i] = 0
				}
			}
		}
		m.d = append(m.d, d)
	}
	return m
}

// checkCollision checks a witness of two coordinates.
func checkCollision(t rapid.TB, a cute.Layout, w *cute.Witness) {
	t.Helper()
	if w == nil || w.Other == nil {
		t.Fatalf("%v: expected a pair of coordinates, found %v", a, w)
	}
	i, err := cute.Crd2Idx(w.Coord, a.Shape())
	j, err2 := cute.Crd2Idx(*w.Other, a.Shape())
	if err != nil || err2 != nil || i != w.Index || i < 0 || i >= j || j >= a.Size() {
		t.Fatalf("%v: the witness has %v, index %d, and %v", a, w.Coord, w.Index, w.Other)
	}
	if !cute.Congruent(w.Coord, a.Shape()) || !cute.Congruent(*w.Other, a.Shape()) {
		t.Fatalf("%v: the coordinates %v and %v are not congruent to the shape", a, w.Coord, w.Other)
	}
	x, err := a.Eval(w.Coord)
	y, err2 := a.Eval(*w.Other)
	if err != nil || err2 != nil || !x.Equal(y) || !x.Equal(w.Value) {
		t.Fatalf("%v: the offsets of %v and %v are %v and %v, not %v", a, w.Coord, w.Other, x, y, w.Value)
	}
}

// checkMissed checks a witness of a missed point: it is within the box, and is not an offset.
func checkMissed(t rapid.TB, m model, a cute.Layout, w *cute.Witness) {
	t.Helper()
	if w == nil {
		t.Fatalf("%v: expected a point that is not reached", a)
	}
	if x, ok := w.Value.Int64(); ok && m.axes() == 1 {
		least, span := m.box()
		reached := map[int64]bool{}
		for _, o := range m.offsets() {
			reached[o[0]] = true
		}
		for y := least[0]; y < x; y++ {
			if !reached[y] {
				t.Fatalf("%v: %d is not reached, before %d", a, y, x)
			}
		}
		if reached[x] || x < least[0] || x >= least[0]+span[0] {
			t.Fatalf("%v: %d is reached, or outside", a, x)
		}
		return
	}
	for i := range a.Size() {
		if o, err := a.Eval(cute.Int(i)); err != nil || o.Equal(w.Value) {
			t.Fatalf("%v: %v is the offset of %d, %v", a, w.Value, i, err)
		}
	}
}

func checkInjective(t *rapid.T) {
	m := drawModel(t)
	a, want := m.layout(t), m.facts()
	got, w, err := cute.IsInjective(a)
	if err != nil || got != want.injective {
		t.Fatalf("is_injective(%v) = %t, %v", a, got, err)
	}
	if got {
		if w != nil {
			t.Fatalf("is_injective(%v) has a witness", a)
		}
		return
	}
	checkCollision(t, a, w)
}

func TestIsInjective(t *testing.T) { rapid.Check(t, checkInjective) }
func FuzzIsInjective(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkInjective)) }

// TestIsInjectiveAll tries all layouts with few small modes.
func TestIsInjectiveAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rank      int
		most, far int64
	}{{2, 5, 9}, {3, 3, 6}, {4, 2, 8}} {
		eachLayout(c.rank, c.most, c.far, func(s, d []int64) {
			offsets := offsetsOf(s, d)
			slices.Sort(offsets)
			want := len(slices.Compact(offsets)) == len(offsets)
			a := flatLayout(t, s, d)
			if got, _, err := cute.IsInjective(a); err != nil || got != want {
				t.Fatalf("is_injective(%v) = %t, %v", a, got, err)
			}
		})
	}
}

func checkOnto(t *rapid.T) {
	m := drawModel(t)
	a, want := m.layout(t), m.facts()
	for _, c := range []struct {
		name string
		f    func(cute.Layout) (bool, *cute.Witness, error)
		want bool
	}{
		{"is_surjective", cute.IsSurjective, want.surjective},
		{"is_bijective", cute.IsBijective, want.bijective},
		{"is_compact", cute.IsCompact, want.compact},
	} {
		got, w, err := c.f(a)
		switch {
		case err != nil || got != c.want || got != (w == nil):
			t.Fatalf("%s(%v) = %t, %v, %v", c.name, a, got, w, err)
		case got:
		case w.Other != nil:
			checkCollision(t, a, w)
		case w.Coord.Rank() > 0: // an offset below 0
			if o, err := a.Eval(w.Coord); err != nil || !o.Equal(w.Value) || slices.Min(o.Leaves()) >= 0 || c.name == "is_compact" {
				t.Fatalf("%s(%v): the offset of %v is %v, %v", c.name, a, w.Coord, o, err)
			}
		default:
			checkMissed(t, m, a, w)
		}
	}
}

func TestOnto(t *testing.T) { rapid.Check(t, checkOnto) }
func FuzzOnto(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkOnto)) }

// TestInjectiveHuge decides layouts with domains too large to enumerate.
func TestInjectiveHuge(t *testing.T) {
	t.Parallel()
	const big = 1 << 40
	for _, c := range []struct {
		s, d      []int64
		injective bool
	}{
		{[]int64{math.MaxInt64}, []int64{1}, true},
		{[]int64{1 << 62}, []int64{-1}, true},
		{[]int64{1 << 31, 1 << 31}, []int64{1, 1 << 31}, true},
		{[]int64{1 << 31, 1 << 31}, []int64{1, 1<<31 - 1}, false},
		{[]int64{1 << 31, 1 << 31}, []int64{1<<31 + 1, 1<<31 - 1}, true}, // 2^31+1 and 2^31-1 are coprime
		{[]int64{1<<31 + 2, 1 << 31}, []int64{1<<31 - 1, 1<<31 + 1}, false},
		{[]int64{1 << 20, 1 << 20, 1 << 20}, []int64{3 << 20, 5 << 21, 7 << 20}, false},
		{[]int64{1 << 20, 1 << 20, 1 << 20}, []int64{big, 1, -(1 << 20)}, true},
		{[]int64{2, big, 2}, []int64{1 << 61, 1, 1<<61 - big + 1}, false},
		{[]int64{2, big, 2}, []int64{1 << 61, 1, 1<<61 - big}, true},
		{[]int64{big, 2}, []int64{1, 0}, false},
	} {
		a := flatLayout(t, c.s, c.d)
		got, w, err := cute.IsInjective(a)
		if err != nil || got != c.injective {
			t.Errorf("is_injective(%v) = %t, %v", a, got, err)
			continue
		}
		if !got {
			checkCollision(t, a, w)
		}
	}
}

// TestInjectiveHard uses strides without structure, whose 2^n subset sums could all differ in a range of 2^55. Up to
// EnumLimit sums are examined; above EnumLimit the result is an error.
func TestInjectiveHard(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	t.Parallel()
	for _, n := range []int{18, 40} {
		s, d := make([]int64, n), make([]int64, n)
		x := uint64(1)
		for i := range s {
			x = x*6364136223846793005 + 1442695040888963407
			s[i], d[i] = 2, int64(x>>9)
		}
		a := flatLayout(t, s, d)
		got, w, err := cute.IsInjective(a)
		if n == 18 && (!got || err != nil) || n == 40 && codeOf(err) != cute.CodeLimit || w != nil {
			t.Errorf("is_injective of %d modes = %t, %v, %v", n, got, w, err)
		}
	}
	// If one stride is the sum of others, the answer depends on the extents.
	s, d := make([]int64, 18), make([]int64, 18)
	x := uint64(1)
	for i := range s {
		x = x*6364136223846793005 + 1442695040888963407
		s[i], d[i] = 2, int64(x>>9)
	}
	d[0] = d[2] + d[7] + d[11] + d[13] + d[17]
	a := flatLayout(t, s, d)
	got, w, err := cute.IsInjective(a)
	if err != nil || got {
		t.Fatalf("is_injective(%v) = %t, %v", a, got, err)
	}
	checkCollision(t, a, w)
}
