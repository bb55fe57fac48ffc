package cute_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/long"
	"girih/internal/check/oracle"
)

// These tests compare composed layouts, as functions, with their tables of values.

// functions draws chains of swizzles, offsets and layouts, mostly of the kinds that kernels use. Extents are powers of
// two or not.
func functions() *rapid.Generator[cute.Composed] {
	return rapid.Custom(func(t *rapid.T) cute.Composed {
		if rapid.IntRange(0, 3).Draw(t, "any") == 0 {
			return gen.ComposedLayouts().Draw(t, "c")
		}
		var l cute.Layout
		switch rapid.IntRange(0, 3).Draw(t, "inner") {
		case 0:
			l = gen.NonNegativeLayouts().Draw(t, "l")
		case 1:
			l = gen.PowersOfTwo().Draw(t, "l")
		case 2:
			l = gen.CompactLayouts().Draw(t, "l")
		default:
			l = gen.Chained(96).Draw(t, "l")
		}
		w := smallSwizzle().Draw(t, "w")
		offset := int64(0)
		if rapid.Bool().Draw(t, "shifted") {
			offset = rapid.Int64Range(0, 40).Draw(t, "offset")
		}
		c, err := cute.NewComposed(w, cute.Int(offset), l)
		if err != nil {
			t.Skip("no chain")
		}
		if rapid.IntRange(0, 3).Draw(t, "twice") == 0 {
			outer := cute.Outer(smallSwizzle().Draw(t, "v"))
			if rapid.Bool().Draw(t, "layout") {
				outer = gen.NonNegativeLayouts().Draw(t, "k")
			}
			c, err = cute.NewComposed(outer, cute.Int(rapid.Int64Range(0, 9).Draw(t, "second")), c)
			if err != nil {
				t.Skip("no chain")
			}
		}
		return c
	})
}

func smallSwizzle() *rapid.Generator[cute.Swizzle] {
	return rapid.Custom(func(t *rapid.T) cute.Swizzle {
		b := rapid.IntRange(0, 2).Draw(t, "b")
		s := rapid.IntRange(max(b, 1), 3).Draw(t, "s")
		if rapid.IntRange(0, 3).Draw(t, "down") == 0 {
			s = -s
		}
		w, err := cute.NewSwizzle(b, rapid.IntRange(0, 3).Draw(t, "m"), s)
		if err != nil {
			t.Fatal(err)
		}
		return w
	})
}

// tableOf returns the values of c one by one, by its definition; ok is false if some value does not exist or is a
// coordinate.
func tableOf(c cute.Composed) (table []int64, ok bool) {
	for i := range c.Size() {
		v, err := c.Eval(cute.Int(i))
		x, isInt := v.Int64()
		if err != nil || !isInt {
			return nil, false
		}
		table = append(table, x)
	}
	return table, true
}

// The set of values, and questions about it.
func TestFunctionValues(t *testing.T) { holds(t, functionValues) }

func functionValues(t *rapid.T) {
	c := functions().Draw(t, "c")
	table, ok := tableOf(c)
	if !ok {
		t.Skip("no integers")
	}
	sorted := slices.Clone(table)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	image, err := c.Image()
	noError(t, "image", err)
	if !slices.Equal(image, sorted) {
		t.Fatalf("%v has the image %v, want %v", c, image, sorted)
	}
	holes, err := c.Holes()
	noError(t, "holes", err)
	var want []int64
	for x := sorted[0]; x < sorted[len(sorted)-1]; x++ {
		if _, found := slices.BinarySearch(sorted, x); !found {
			want = append(want, x)
		}
	}
	if !slices.Equal(holes, want) {
		t.Fatalf("%v has the holes %v, want %v", c, holes, want)
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	if n, err := c.Cosize(); err != nil || n != max(most, 0)-min(least, 0)+1 {
		t.Fatalf("%v has the cosize %v, %v, values from %d to %d", c, n, err, least, most)
	}
	once := len(sorted) == len(table)
	for name, q := range map[string]struct {
		f    func() (bool, *cute.Witness, error)
		want bool
	}{
		"is_injective":  {c.IsInjective, once},
		"is_surjective": {c.IsSurjective, least == 0 && int64(len(sorted)) == most+1},
		"is_bijective":  {c.IsBijective, once && least == 0 && int64(len(sorted)) == most+1},
		"is_compact":    {c.IsCompact, once && int64(len(sorted)) == most-least+1},
	} {
		got, w, err := q.f()
		noError(t, name, err)
		if got != q.want || (w == nil) != got {
			t.Fatalf("%s(%v) = %v with the witness %v, want %v", name, c, got, w, q.want)
		}
		if w == nil {
			continue
		}
		x, _ := w.Value.Int64()
		if w.Other != nil {
			a, _ := c.Eval(w.Coord)
			b, _ := c.Eval(*w.Other)
			if !a.Equal(b) || !a.Equal(w.Value) || w.Coord.Equal(*w.Other) {
				t.Fatalf("%s(%v): the witness %v and %v have the values %v and %v", name, c, w.Coord, *w.Other, a, b)
			}
		} else if _, found := slices.BinarySearch(sorted, x); found == (name == "is_compact" || x >= 0) {
			t.Fatalf("%s(%v): the witness is %d of the values %v", name, c, x, sorted)
		}
	}
}

// Two functions are equivalent exactly if their tables are the same.
func TestFunctionEquivalent(t *testing.T) { holds(t, functionEquivalent) }

func functionEquivalent(t *rapid.T) {
	c, d := functions().Draw(t, "c"), functions().Draw(t, "d")
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		var err error
		d, err = c.Map(always(cute.Coalesce))
		noError(t, "coalesce", err)
	case 1:
		// Use the same inner layout in another chain, which is often the same function.
		e, err := d.Map(func(cute.Layout) (cute.Layout, error) { return c.Layout(), nil })
		if err != nil {
			t.Skip("no chain")
		}
		d = e
	}
	x, ok1 := tableOf(c)
	y, ok2 := tableOf(d)
	if !ok1 || !ok2 {
		t.Skip("no integers")
	}
	same, diff, err := c.Equivalent(d)
	noError(t, "equivalent", err)
	if same != slices.Equal(x, y) {
		t.Fatalf("equivalent(%v, %v) = %v; the values are %v and %v", c, d, same, x, y)
	}
	if same {
		return
	}
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if diff.Index != int64(n) || diff.Sizes != (n == min(len(x), len(y))) {
		t.Fatalf("equivalent(%v, %v) differ at %+v, want %d", c, d, diff, n)
	}
}

// Every inverse inverts its function, a right inverse is as large as possible, and a refusal is correct.
func TestFunctionInverse(t *testing.T) { holds(t, functionInverse) }

func functionInverse(t *rapid.T) {
	c := functions().Draw(t, "c")
	table, ok := tableOf(c)
	if !ok {
		t.Skip("no integers")
	}
	once, _, err := c.IsInjective()
	noError(t, "is_injective", err)
	l, err := c.LeftInverse()
	taken := err == nil
	zeros := cute.FilterZeros(c.Layout())
	switch moves, _ := c.Map(func(cute.Layout) (cute.Layout, error) { return zeros, nil }); {
	case err == nil:
		for i, y := range table {
			x, err := l.Eval(cute.Int(y))
			noError(t, "left inverse", err)
			at, _ := x.Int64()
			if once && at != int64(i) || at < 0 || at >= int64(len(table)) || table[at] != y {
				t.Fatalf("left_inverse(%v) = %v takes %d back to %v, want %d", c, l, y, x, i)
			}
		}
		if _, ok := tableOf(l); !ok {
			t.Fatalf("left_inverse(%v) = %v has no value somewhere", c, l)
		}
	case errorCode(err) == cute.CodeNotInjective:
		if ok, _, _ := moves.IsInjective(); ok {
			t.Fatalf("left_inverse(%v): %v, but it is injective", c, err)
		}
	case errorCode(err) == cute.CodeNegative:
		if slices.Min(table) >= 0 {
			t.Fatalf("left_inverse(%v): %v, values %v", c, err, table)
		}
	case errorCode(err) == cute.CodeNotInvertible: // no swizzle changes a number, and c is a layout
		plain, whole := tableOf(c.Layout().Composed())
		if _, err := cute.LeftInverse(c.Layout()); whole && errorCode(err) != cute.CodeNotInvertible {
			t.Fatalf("left_inverse(%v) is refused as that of %v, which has one", c, c.Layout())
		}
		if whole && !slices.Equal(plain, table) {
			t.Fatalf("left_inverse(%v) is refused as that of %v, which has other values", c, c.Layout())
		}
	case errorCode(err) != cute.CodeLimit && errorCode(err) != cute.CodeCodomain:
		t.Fatalf("left_inverse(%v): %v", c, err)
	}
	first := int64(0)
	for slices.Contains(table, first) {
		first++
	}
	r, err := c.RightInverse()
	switch {
	case err == nil:
		if n := r.Size(); n > first || (once && taken && n != first) {
			t.Fatalf("right_inverse(%v) = %v has %d indices, the first value that is missing is %d", c, r, n, first)
		}
		for i := range r.Size() {
			x, err := r.Eval(cute.Int(i))
			noError(t, "right inverse", err)
			if at, _ := x.Int64(); at < 0 || at >= int64(len(table)) || table[at] != i {
				t.Fatalf("right_inverse(%v) = %v takes %d to %v", c, r, i, x)
			}
		}
	case errorCode(err) == cute.CodeNotInvertible:
		if first > 0 {
			t.Fatalf("right_inverse(%v): %v, but it has the values below %d", c, err, first)
		}
	}
	bijective := once && first == int64(len(table))
	inv, err := c.Inverse()
	if bijective != (err == nil) && errorCode(err) != cute.CodeLimit && errorCode(err) != cute.CodeCodomain ||
		(err == nil) && inv.Size() != c.Size() {
		t.Fatalf("inverse(%v) = %v, %v; bijective: %v", c, inv, err, bijective)
	}
	if err == nil {
		for i, y := range table {
			if x, err := inv.Eval(cute.Int(y)); err != nil || !x.Equal(cute.Int(int64(i))) {
				t.Fatalf("inverse(%v) = %v takes %d back to %v, %v", c, inv, y, x, err)
			}
		}
	}
}

// The common vectors are found by trying: the least remaining value begins a vector.
func TestFunctionCommon(t *testing.T) { holds(t, functionCommon) }

func functionCommon(t *rapid.T) {
	c, d := functions().Draw(t, "c"), functions().Draw(t, "d")
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		d = c.Layout().Composed()
	case 1:
		c = d
	}
	x, ok1 := tableOf(c)
	y, ok2 := tableOf(d)
	if !ok1 || !ok2 {
		t.Skip("no integers")
	}
	size := min(len(x), len(y))
	x, y = x[:size], y[:size]
	if _, _, err := c.Decay(); err == nil {
		if _, _, err := d.Decay(); err == nil {
			t.Skip("two layouts")
		}
	}
	want := size
	for want > 1 && (size%want != 0 || !cutByForce(x, y, want)) {
		want--
	}
	n, err := c.MaxCommonVector(d)
	noError(t, "max_common_vector", err)
	if n != int64(want) {
		t.Fatalf("max_common_vector(%v, %v) = %d, want %d: %v and %v", c, d, n, want, x, y)
	}
	for m := n; m <= 2*n; m++ {
		last, length, torn, err := c.TornVector(d, m)
		noError(t, "max_common_vector", err)
		if torn == (size%int(m) == 0 && cutByForce(x, y, int(m))) {
			t.Fatalf("%v and %v: vectors of %d are torn: %v, %d at %d", c, d, m, torn, length, last)
		}
		for i := range size {
			if torn && x[i] == x[last]+1 && y[i] == y[last]+1 {
				t.Fatalf("%v and %v: the run that ends at %d goes on at %d", c, d, last, i)
			}
		}
	}
	r, err := c.MaxCommonLayout(d)
	if err != nil {
		switch errorCode(err) {
		case cute.CodeLimit, cute.CodeCodomain:
		case cute.CodeNotRepresentable:
			for i := range size {
				if x[i] == 0 && y[i] == 0 {
					t.Fatalf("max_common_layout(%v, %v): %v, both are 0 at %d", c, d, err, i)
				}
			}
		default:
			t.Fatalf("max_common_layout(%v, %v): %v", c, d, err)
		}
		return
	}
	if r.Size() != n {
		t.Fatalf("max_common_layout(%v, %v) = %v, want %d elements", c, d, r, n)
	}
	for i := range r.Size() {
		at, err := r.Eval(cute.Int(i))
		noError(t, "max_common_layout", err)
		if j, _ := at.Int64(); x[j] != i || y[j] != i {
			t.Fatalf("max_common_layout(%v, %v) = %v takes %d to %d, with the values %d and %d", c, d, r, i, j, x[j], y[j])
		}
	}
}

// cutByForce reports whether the indices can be cut into lists of n along which x and y count up by one.
func cutByForce(x, y []int64, n int) bool {
	left := make([]int, len(x))
	for i := range left {
		left[i] = i
	}
	slices.SortFunc(left, func(i, j int) int { return int(x[i] - x[j]) })
	for len(left) > 0 {
		first := left[0]
		for k := range n {
			at := slices.IndexFunc(left, func(i int) bool { return x[i] == x[first]+int64(k) && y[i] == y[first]+int64(k) })
			if at < 0 {
				return false
			}
			left = slices.Delete(left, at, at+1)
		}
	}
	return true
}

// The values of c plus the offsets of its complement give each number of an interval once; c has a complement if a
// layout with the same values has one.
func TestFunctionComplement(t *testing.T) { holds(t, functionComplement) }

func functionComplement(t *rapid.T) {
	c := functions().Draw(t, "c")
	table, ok := tableOf(c)
	if !ok {
		t.Skip("no integers")
	}
	sorted := slices.Clone(table)
	slices.Sort(sorted)
	m := rapid.Int64Range(1, 300).Draw(t, "cotarget")
	l, least, err := c.Sorted()
	var r cute.Layout
	if err == nil {
		if least != sorted[0] {
			t.Fatalf("%v has the least value %d, not %d", c, sorted[0], least)
		}
		r, err = cute.Complement(l, cute.Int(m))
	}
	if err != nil {
		if errorCode(err) != cute.CodeNotComplementable {
			t.Fatalf("complement(%v, %d): %v", c, m, err)
		}
		set := slices.Clone(slices.Compact(sorted))
		zeros := cute.FilterZeros(c.Layout())
		if zeros.Size() != int64(len(set)) {
			return // a repeated value
		}
		for i := range set {
			set[i] -= sorted[0]
		}
		if l, err := cute.Recognize(set); err == nil && oracle.Complementable(oracle.Of(l)) {
			t.Fatalf("complement(%v, %d): %v, but its values are those of %v", c, m, err, l)
		}
		return
	}
	set := slices.Compact(sorted)
	seen := make(map[int64]bool)
	offsets, err := r.AppendOffsets(nil)
	noError(t, "offsets", err)
	most := int64(0)
	for _, x := range set {
		for _, y := range offsets {
			if seen[x+y] {
				t.Fatalf("complement(%v, %d) = %v: %d twice", c, m, r, x+y)
			}
			seen[x+y] = true
			most = max(most, x+y-set[0])
		}
	}
	if int64(len(seen)) != most+1 || most+1 < m {
		t.Fatalf("complement(%v, %d) = %v: %d numbers up to %d", c, m, r, len(seen), most)
	}
}

// c.Compose(b) maps i to c(b(i)), whatever the inner layouts.
func TestFunctionCompose(t *testing.T) { holds(t, functionCompose) }

func functionCompose(t *rapid.T) {
	c := functions().Draw(t, "c")
	b := cute.Inner(gen.NonNegativeLayouts().Draw(t, "b"))
	if rapid.Bool().Draw(t, "chain") {
		b = functions().Draw(t, "chain of b")
	}
	r, err := c.Compose(b)
	if err != nil {
		t.Skip("no numbers")
	}
	inner, ok := b.(cute.Composed)
	if !ok {
		inner = b.(cute.Layout).Composed()
	}
	for i := range inner.Size() {
		x, err1 := inner.Eval(cute.Int(i))
		if err1 != nil {
			continue
		}
		want, err1 := c.Eval(x)
		got, err2 := r.Eval(cute.Int(i))
		if (err1 == nil) != (err2 == nil) || !got.Equal(want) {
			t.Fatalf("composition(%v, %v) = %v: at %d %v, %v, want %v, %v", c, b, r, i, got, err2, want, err1)
		}
	}
}

// A product or a divide by a composed tile equals its definition, value by value.
func TestFunctionTiler(t *testing.T) { holds(t, functionTiler) }

func functionTiler(t *rapid.T) {
	c := functions().Draw(t, "c")
	table, ok := tableOf(c)
	if !ok {
		t.Skip("no integers")
	}
	a := gen.NonNegativeLayouts().Draw(t, "a")
	if p, err := cute.LogicalProductBy(a, c); err == nil {
		// The same places as in the unbounded layout.
		var whole cute.Layout
		for n := slices.Max(table) + 1; ; n++ {
			count, _ := cute.New(cute.Int(n), cute.Int(1))
			if whole, err = cute.LogicalProduct(a, count); err == nil {
				break
			}
		}
		for j, y := range table {
			for i := range a.Size() {
				want, err := whole.At(i + a.Size()*y)
				noError(t, "eval", err)
				if got, err := p.Eval(cute.Int(i + a.Size()*int64(j))); err != nil || !got.Equal(cute.Int(want)) {
					t.Fatalf("logical_product(%v, %v) = %v: at %d,%d %v, %v, want %d", a, c, p, i, j, got, err, want)
				}
			}
		}
	} else if code := errorCode(err); code != cute.CodeNegative && code != cute.CodeNotComplementable &&
		code != cute.CodeCodomain {
		t.Fatalf("logical_product(%v, %v): %v", a, c, err)
	}
	copies := rapid.Int64Range(1, 4).Draw(t, "copies")
	size, _ := cute.New(cute.Int(c.Size()*copies), cute.Int(rapid.Int64Range(0, 5).Draw(t, "stride")))
	d, err := cute.LogicalDivideBy(size, c)
	if err != nil {
		if code := errorCode(err); code != cute.CodeNotDivisible && code != cute.CodeNotComplementable &&
			code != cute.CodeCodomain {
			t.Fatalf("logical_divide(%v, %v): %v", size, c, err)
		}
		return
	}
	tile, _, err := c.Sorted()
	noError(t, "sorted", err)
	rest, err := cute.Complement(tile, cute.Int(size.Size()))
	noError(t, "complement", err)
	for j := range rest.Size() {
		for i, y := range table {
			x, _ := rest.At(j)
			want, _ := size.At(x + y)
			if got, err := d.Eval(cute.Int(int64(i) + c.Size()*j)); err != nil || !got.Equal(cute.Int(want)) {
				t.Fatalf("logical_divide(%v, %v) = %v: at %d,%d %v, %v, want %d", size, c, d, i, j, got, err, want)
			}
		}
	}
}

// At the limits of int64 every question has an answer or an *Error.
func TestFunctionHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("tables of four million entries")
	}
	t.Parallel()
	rapid.Check(t, functionHuge)
}

func functionHuge(t *rapid.T) {
	if long.Skips(rapid.IntRange(0, 3).Draw(t, "in the sample"), 4) {
		return
	}
	l := gen.HugeLayouts().Draw(t, "l")
	if l.Size() > 1<<10 && l.Size() <= cute.EnumLimit {
		t.Skip("a long table")
	}
	var outer cute.Outer = smallSwizzle().Draw(t, "w")
	if rapid.Bool().Draw(t, "layout") {
		outer = gen.HugeLayouts().Draw(t, "k")
	}
	c, err := cute.NewComposed(outer, cute.Int(rapid.Int64().Draw(t, "offset")), l)
	if err != nil {
		t.Skip("no chain")
	}
	everyQuestion(t, c, gen.Layouts().Draw(t, "other"))
}

// everyQuestion asks every question about c.
func everyQuestion(t rapid.TB, c cute.Composed, other cute.Layout) {
	t.Helper()
	try := func(what string, err error) {
		t.Helper()
		if errorCode(err) == "foreign" {
			t.Fatalf("%s of %v and %v: %v", what, c, other, err)
		}
	}
	for name, f := range map[string]func() (cute.Composed, error){
		"left_inverse": c.LeftInverse, "right_inverse": c.RightInverse, "inverse": c.Inverse,
		"max_common_layout": func() (cute.Composed, error) { return c.MaxCommonLayout(other.Composed()) },
		"composition":       func() (cute.Composed, error) { return c.Compose(other) },
		"logical_product":   func() (cute.Composed, error) { return cute.LogicalProductBy(other, c) },
		"logical_divide":    func() (cute.Composed, error) { return cute.LogicalDivideBy(other, c) },
		"domain_offset":     func() (cute.Composed, error) { return c.DomainOffset(cute.Int(1)) },
	} {
		r, err := f()
		try(name, err)
		if err == nil {
			_, err := r.Eval(cute.Int(0))
			try(name, err)
		}
	}
	_, err := c.Image()
	try("image", err)
	_, err = c.Holes()
	try("holes", err)
	_, err = c.Cosize()
	try("cosize", err)
	_, err = c.CoordAt(5)
	try("idx2crd", err)
	_, _, err = c.Sorted()
	try("sorted", err)
	_, _, err = c.Equivalent(other.Composed())
	try("equivalent", err)
	_, err = c.MaxCommonVector(other.Composed())
	try("max_common_vector", err)
	for _, f := range []func() (bool, *cute.Witness, error){c.IsInjective, c.IsSurjective, c.IsBijective, c.IsCompact} {
		_, _, err := f()
		try("is", err)
	}
}

func FuzzFunction(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		switch rapid.IntRange(0, 6).Draw(t, "property") {
		case 0:
			functionValues(t)
		case 1:
			functionEquivalent(t)
		case 2:
			functionInverse(t)
		case 3:
			functionCommon(t)
		case 4:
			functionComplement(t)
		case 5:
			functionTiler(t)
		default:
			functionHuge(t)
		}
	}))
}
