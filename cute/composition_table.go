package cute

import (
	"fmt"
	"math"
	"slices"

	"girih/internal/ints"
)

// This file decides the compositions that the universal procedure refuses. In almost all of them some value of A∘B
// contradicts every layout, and that value is the witness. In a few, strides of A coincide so that the carry makes no
// difference, as in (2,2,2):(1,1,3) o 3:3 = 3:2; these compositions are recognized from the table of values.

// composeByTable returns A∘B from its values, or the witness that no layout has these values.
func composeByTable(a, b Layout, stop Until) (Layout, error) {
	f, err := newMixedRadix(a, b.cod)
	if err != nil {
		return Layout{}, err
	}
	t := newCompositionTable(f, a, b)
	if b.Size() > EnumLimit/int64(f.k) { // the table has a number for each axis
		return Layout{}, t.refuseLarge()
	}
	return t.decide(stop)
}

// A compositionTable evaluates A∘B one value at a time.
type compositionTable struct {
	f    *mixedRadix
	a, b Layout

	ends   []int   // the ends of the radix systems
	x, out []int64 // buffers for a point of B's codomain and its value, overwritten by the next point
	bound  bool    // no value, and no partial sum of a value, exceeds 64 bits
}

func newCompositionTable(f *mixedRadix, a, b Layout) *compositionTable {
	t := &compositionTable{f: f, a: a, b: b, ends: f.ends(), x: make([]int64, b.cod.axes()), out: make([]int64, f.k)}
	t.bound = t.isBounded()
	return t
}

// bounded reports whether values need no overflow checks: with all signs equal, the sums of B's largest digits, and of
// the digits of A that those sums reach, stay within 64 bits.
func (t *compositionTable) isBounded() bool {
	ok := true
	add := func(sum *int64, x, d int64) { // add adds x·|d| to sum
		p, o1 := ints.Mul(x, max(d, -d))
		s, o2 := ints.Add(*sum, p)
		*sum, ok = s, ok && o1 && o2 && (d == 0 || d != -d)
	}
	start := 0
	for i, end := range t.ends {
		x := int64(0)
		for j, n := range t.b.extents() {
			add(&x, n-1, t.b.stride(j)[i])
		}
		for a := range t.f.k {
			y, sum := x, int64(0)
			for j := start; j < end; j++ {
				digit := y
				if j < end-1 {
					digit, y = min(y, t.f.s[j]-1), y/t.f.s[j]
				}
				add(&sum, digit, t.f.stride(j)[a])
			}
			add(&t.out[a], 1, sum)
		}
		start = end
	}
	return ok
}

// value returns A at the point x of B's codomain, and whether it fits.
func (t *compositionTable) value(x []int64) ([]int64, bool) {
	if t.bound {
		return t.boundedValue(x), true
	}
	out, ok, start := t.out, true, 0
	clear(out)
	for i, end := range t.ends {
		y := x[i]
		for j := start; j < end && y != 0; j++ {
			digit := y
			if j < end-1 {
				digit, y = y%t.f.s[j], y/t.f.s[j]
			}
			ok = addScaled(out, digit, t.f.stride(j)) && ok
		}
		start = end
	}
	return out, ok
}

// boundedValue is value without overflow checks.
func (t *compositionTable) boundedValue(x []int64) []int64 {
	out, k, start := t.out, t.f.k, 0
	clear(out)
	for i, end := range t.ends {
		y := x[i]
		for j := start; j < end && y != 0; j++ {
			digit := y
			if j < end-1 {
				y /= t.f.s[j]
				digit -= y * t.f.s[j]
			}
			for a, d := range t.f.d[j*k : j*k+k] {
				out[a] += digit * d
			}
		}
		start = end
	}
	return out
}

// point returns the value of A∘B at the coordinate c, one integer for each leaf of B.
func (t *compositionTable) point(c []int64) ([]int64, bool) {
	x, ok := t.x, true
	clear(x)
	for j, y := range c {
		if y == 0 {
			continue
		}
		if t.bound {
			for a, d := range t.b.stride(j) {
				x[a] += y * d
			}
			continue
		}
		ok = addScaled(x, y, t.b.stride(j)) && ok
	}
	v, o := t.value(x)
	return v, ok && o
}

// decide recognizes each leaf from its values and checks that the leaves add.
func (t *compositionTable) decide(stop Until) (Layout, error) {
	b := t.b
	n, size := b.leaves(), b.Size()
	c := make([]int64, n)
	tables := make([][]int64, n)
	r := heapModes(mostModes(n), t.f.k)
	var counts []uint8
	var bad *mismatch
	for j := range n {
		from := r.n
		table, m, err := t.along(c, j, &r, stop)
		if err != nil {
			return Layout{}, err
		}
		if tables[j] = table; m != nil {
			m.index = colexPlace(b.extents(), j, m.index)
			m.why = fmt.Sprintf("leaf %d of the right operand, %s: %s", j, t.leafText(j), m.why)
			if bad == nil || m.index < bad.index {
				bad = m
			}
			continue
		}
		r.trimUnit(from)
		counts = append(counts, uint8(r.n-from))
	}
	limit := size
	if bad != nil {
		limit = bad.index
	}
	m, err := t.addUp(tables, limit, stop)
	if err != nil {
		return Layout{}, err
	}
	if m != nil {
		bad = m
	}
	if bad != nil {
		return Layout{}, t.refusal(bad)
	}
	return r.layout("composition", splitProfile(b.profile(), counts), t.a.cod)
}

// along recognizes the values along leaf j and appends their modes to r. It returns the values, or a mismatch if no
// layout has them. The error is an error of stop, or says that a value before the mismatch overflows 64 bits. For most
// refused leaves, the first values suffice.
func (t *compositionTable) along(c []int64, j int, r *modes, stop Until) (table []int64, m *mismatch, err error) {
	defer func() { c[j] = 0 }()
	s, few := t.b.extents()[j], int64(1<<12)
	table = make([]int64, 0, min(s, few)*int64(t.f.k))
	for x := range s {
		if err := stop.at(x); err != nil {
			return nil, nil, err
		}
		if x == few {
			first := heapModes(64, t.f.k)
			if bad, more, err := first.recognizeFirst(table, s, caller{Until: stop}); err != nil || !more {
				return table, bad, err
			}
			table = slices.Grow(table, int(s-x)*t.f.k)
		}
		c[j] = x
		v, ok := t.point(c)
		if !ok {
			return nil, nil, t.overflow()
		}
		table = append(table, v...)
	}
	m, err = r.recognize(table, caller{Until: stop})
	return table, m, err
}

// addUp returns the first index below limit at which the value is not the sum of the values along the leaves. The error
// is an error of stop, or says that a value before that index overflows 64 bits.
func (t *compositionTable) addUp(tables [][]int64, limit int64, stop Until) (*mismatch, error) {
	if t.bound && sumsFit(tables) {
		return t.addUpBounded(tables, limit, stop)
	}
	c := make([]int64, len(tables))
	k := int64(t.f.k)
	want := make([]int64, k)
	for i := range limit {
		if err := stop.at(i); err != nil {
			return nil, err
		}
		fits := true
		clear(want)
		for j, x := range c {
			fits = addScaled(want, 1, tables[j][x*k:][:k]) && fits
		}
		value, ok := t.point(c)
		if !ok {
			return nil, t.overflow()
		}
		if !fits || !equalVectors(value, want) {
			if !fits {
				want = nil
			}
			return newMismatch(i, value, want), nil
		}
		for j := range c {
			c[j]++
			if c[j] < t.b.extents()[j] {
				break
			}
			c[j] = 0
		}
	}
	return nil, nil
}

// sumsFit reports whether sums with one number from each table, and their partial sums, stay within 64 bits. If the
// numbers belong to several axes, sumsFit uses the largest number on any axis.
func sumsFit(tables [][]int64) bool {
	sum, ok := int64(0), true
	for _, table := range tables {
		least, most := int64(0), int64(0)
		for _, x := range table {
			least, most = min(least, x), max(most, x)
		}
		for _, x := range []int64{-least, most} {
			s, fits := ints.Add(sum, max(x, 0))
			sum, ok = s, ok && fits && x != math.MinInt64
		}
	}
	return ok
}

// addUpBounded does what addUp does, without overflow checks. From one index to the next it only updates the
// contributions of the digits that change, which takes a quarter of the time. When a digit returns to 0, its
// contribution is subtracted.
func (t *compositionTable) addUpBounded(tables [][]int64, limit int64, stop Until) (*mismatch, error) {
	k, c, extents := t.f.k, make([]int64, len(tables)), t.b.extents()
	x, want := t.x, make([]int64, k)
	clear(x)
	for i := range limit {
		if err := stop.at(i); err != nil {
			return nil, err
		}
		if value := t.boundedValue(x); !slices.Equal(value, want) {
			return newMismatch(i, value, want), nil
		}
		for j, n := range extents {
			was := int(c[j])
			c[j]++
			steps := int64(1)
			if c[j] == n {
				c[j], steps = 0, -(n - 1)
			}
			for a, d := range t.b.stride(j) {
				x[a] += steps * d
			}
			now, before := tables[j][int(c[j])*k:][:k], tables[j][was*k:][:k]
			for a := range want {
				want[a] += now[a] - before[a]
			}
			if c[j] != 0 {
				break
			}
		}
	}
	return nil, nil
}

func newMismatch(index int64, value, want []int64) *mismatch {
	return &mismatch{index: index, value: slices.Clone(value), want: want, why: "the value there is not the sum of the values of its modes"}
}

// refusal turns a mismatch into the error that names the coordinate.
func (t *compositionTable) refusal(m *mismatch) error {
	at, _ := Idx2Crd(Int(m.index), t.b.Shape())
	value := coordTuple(m.value, t.a.cod)
	inner, _ := t.b.Eval(at)
	w := &Witness{Coord: at, Index: m.index, Value: value}
	would := "leave 64 bits"
	if m.want != nil {
		w.Want = coordTuple(m.want, t.a.cod)
		would = "give " + w.Want.String()
	}
	return &Error{
		Code: CodeNotRepresentable, Op: "composition",
		Msg: fmt.Sprintf("%v o %v is not a layout: at %v (index %d) the value is A(%v) = %v, where a layout would %s: %s",
			t.a, t.b, at, m.index, inner, value, would, m.why),
		Witness: w,
		Hint:    "a leaf may cross from one mode of the left operand into the next only where its steps divide evenly",
	}
}

func (t *compositionTable) overflow() error {
	return overflowError("composition", "the values of %v o %v", t.a, t.b)
}

func (t *compositionTable) leafText(j int) string {
	d := Tuple{v: t.b.stride(j), prof: ".", cod: t.b.cod}
	return fmt.Sprintf("%d:%v", t.b.extents()[j], d)
}

// colexPlace returns the colexicographic index of the coordinate that is x at leaf j and 0 elsewhere. It is below the
// size of the layout.
func colexPlace(s []int64, j int, x int64) int64 {
	for _, e := range s[:j] {
		x *= e
	}
	return x
}

// refuseLarge finds a value that contradicts every layout without looking at all values. The runs of a leaf are forced
// if the value at the end of each run breaks the linear sequence. Then there is only one candidate, and any value that
// differs from it is a witness.
func (t *compositionTable) refuseLarge() error {
	cand := heapModes(mostModes(t.b.leaves()), t.f.k)
	var box []int64 // the extents of the candidate's modes, in B's units
	var unit [][]int64
	for j, n := range t.b.extents() {
		c := make([]int64, t.b.leaves())
		for scale := int64(1); n > 1; {
			run := t.f.run(n, scale, t.b.stride(j))
			c[j] = scale
			step, ok1 := t.point(c)
			step = slices.Clone(step)
			if run < n {
				c[j] = scale * run
				end, ok2 := t.point(c)
				if !ok1 || !ok2 {
					return t.overflow()
				}
				if isMultiple(end, run, step) {
					return t.undecidedError()
				}
				if n%run != 0 {
					return t.refusal(&mismatch{
						index: colexPlace(t.b.extents(), j, scale*run), value: end, want: multiple(run, step),
						why: fmt.Sprintf("leaf %d of the right operand, %s, is linear for %d steps, and %d does not divide %d",
							j, t.leafText(j), run, run, n),
					})
				}
			}
			u := make([]int64, t.b.leaves())
			u[j] = scale
			box, unit = append(box, run), append(unit, u)
			cand.put(run, step)
			n /= run
			scale *= run
		}
	}
	return t.probe(&cand, box, unit)
}

// probe compares the candidate with the values where digits are largest.
func (t *compositionTable) probe(cand *modes, box []int64, unit [][]int64) error {
	try := func(pick func(i int) bool) error {
		c := make([]int64, t.b.leaves())
		want, fits := make([]int64, t.f.k), true
		for i, s := range box {
			if pick(i) {
				addScaled(c, s-1, unit[i])
				fits = addScaled(want, s-1, cand.stride(i)) && fits
			}
		}
		if !fits {
			want = nil
		}
		value, ok := t.point(c)
		if !ok || want != nil && equalVectors(value, want) {
			return nil
		}
		idx := int64(0)
		for j, x := range c {
			idx += colexPlace(t.b.extents(), j, x)
		}
		return t.refusal(&mismatch{index: idx, value: value, want: want, why: "the value there is not the sum of the values of its modes"})
	}
	for last := range box {
		if err := try(func(i int) bool { return i <= last }); err != nil {
			return err
		}
	}
	for x := range box {
		for y := range x {
			if err := try(func(i int) bool { return i == x || i == y }); err != nil {
				return err
			}
		}
	}
	return t.undecidedError()
}

func (t *compositionTable) undecidedError() error {
	return errorf(CodeLimit, "composition", "%v o %v is a layout only if %s; deciding that takes %d values, more than %d",
		t.a, t.b, t.chance(), t.b.Size(), EnumLimit/int64(t.f.k))
}

// chance explains when a pair that the universal procedure refuses is still a layout.
func (t *compositionTable) chance() string {
	up, down := false, false
	for j, s := range t.b.extents() {
		for _, d := range t.b.stride(j) {
			up, down = up || s > 1 && d > 0, down || s > 1 && d < 0
		}
	}
	if up && down {
		return "what its leaves count up and down happens to cancel, or the strides of the left operand happen to coincide"
	}
	return "the strides of the left operand happen to coincide"
}

// splitProfile returns the profile p with each leaf replaced by a group of the given number of leaves. If every leaf
// stays a single leaf, it returns p itself.
func splitProfile(p string, counts []uint8) string {
	split := false
	for _, c := range counts {
		split = split || c != 1
	}
	if !split {
		return p
	}
	if p == "." {
		return flatProfile(int(counts[0]))
	}
	if len(p) == len(counts)+2 {
		if g := groupedProfile(counts); g != "" {
			return g
		}
	}
	var buf [64]byte
	b := buf[:0]
	leaf := 0
	for i := range len(p) {
		if p[i] != '.' {
			b = append(b, p[i])
			continue
		}
		if counts[leaf] == 1 {
			b = append(b, '.')
		} else {
			b = append(b, flatProfile(int(counts[leaf]))...)
		}
		leaf++
	}
	return internProfile(b)
}
