package cute_test

import (
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/long"
)

// The tests in this file that count allocations are not parallel: allocations of other tests would count as well.

func TestAllocations(t *testing.T) {
	if long.Raced {
		t.Skip("the race detector allocates")
	}
	a, b := parse("(6,2):(8,2)"), parse("(4,3):(3,1)")
	nested := parse("(2,(1,6)):(1,(6,2))")
	block := parse("((2,2),(2,2)):((1,4),(8,32))")
	eight := parse("((2,2,2),(2,2),(2,2,2)):((1,16,4),(64,2),(8,128,32))")
	right := parse("((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))")
	buffer := make([]int64, 0, 256)
	line := make([]byte, 256)
	target := cute.Int(460)
	gaps := parse("(2,4,8):(8,1,64)")
	one := parse("(1,(1,1)):(7,(0,3))")
	c := cute.MustParseTuple("((1,0,1),(1,1),(0,1,0))")
	slice, shape := cute.MustParseCoord("(_,1,3)"), gaps.Shape()
	for _, test := range []struct {
		name string
		most float64
		f    func()
	}{
		{"composition", 1, func() { _, _ = cute.Composition(a, b) }},
		{"coalesce", 1, func() { _ = cute.Coalesce(nested) }},
		{"coalesce to three modes", 1, func() { _ = cute.Coalesce(block) }},
		{"coalesce what is coalesced", 0, func() { _ = cute.Coalesce(gaps) }},
		{"coalesce what only is nested", 0, func() { _ = cute.Coalesce(right) }},
		{"coalesce one element", 0, func() { _ = cute.Coalesce(one) }},
		{"complement", 1, func() { _, _ = cute.Complement(gaps, target) }},
		{"right_inverse", 2, func() { _, _ = cute.RightInverse(right) }},
		{"at", 0, func() { _, _ = eight.At(137) }},
		{"eval", 2, func() { _, _ = eight.Eval(c) }},
		{"slice_and_offset", 1, func() { _, _, _ = gaps.SliceAndOffset(slice) }},
		{"a coordinate with one small number", 0, func() { _ = cute.MakeCoord(cute.Open, cute.At(7), cute.Open) }},
		{"a coordinate with two numbers", 1, func() { _ = cute.MakeCoord(cute.Open, cute.At(7), cute.At(8)) }},
		{"inside", 0, func() { _ = slice.Inside(shape) }},
		{"mode sizes, leaves", 0, func() {
			_ = eight.AppendModeSizes(buffer)
			for i := range eight.LeafCount() {
				_, _ = eight.Leaf(i)
			}
		}},
		{"offsets", 1, func() { _, _ = eight.AppendOffsets(buffer) }},
		{"all", 0, func() {
			for range eight.All() {
			}
		}},
		{"size, shape and stride", 0, func() { _, _, _ = eight.Size(), eight.Shape(), eight.Stride() }},
		{"equal", 0, func() { _ = eight.Equal(right) }},
		{"equivalent", 2, func() { _, _ = cute.Equivalent(nested, nested) }},
		{"append", 0, func() { _ = eight.Append(line[:0]) }},
	} {
		if got := testing.AllocsPerRun(100, test.f); got > test.most {
			t.Errorf("%s: %v allocations, want at most %v", test.name, got, test.most)
		}
	}
}

// A layout is passed by value everywhere, so it has only six words.
func TestSizeof(t *testing.T) {
	t.Parallel()
	if strconv.IntSize != 64 {
		t.Skip("the sizes are those of 64-bit machines")
	}
	for _, test := range []struct {
		of   reflect.Type
		want uintptr
	}{
		{reflect.TypeFor[cute.Layout](), 48},
		{reflect.TypeFor[cute.Tuple](), 48},
		{reflect.TypeFor[cute.Swizzle](), 24},
	} {
		if got := test.of.Size(); got != test.want {
			t.Errorf("%v has %d bytes, want %d", test.of, got, test.want)
		}
	}
}

// The cost of an operation depends on the number of modes, not on the number of elements: nothing is enumerated, and no
// table is kept. A layout of 2^60 elements would not fit in any memory; the limit also catches smaller tables.
func TestHugeLayoutsCostNothing(t *testing.T) {
	a := parse("(1073741824,1073741824):(1,1073741824)") // 2^60 elements
	skewed := parse("(1073741823,1073741824):(1,1073741825)")
	scattered := parse("(1048576,1048577,1048575):(3,7,11)")
	tile := cute.MustParseTiler("<4096:1,(2,2):(1,4)>")
	shape := cute.MustParseTuple("(536870912,3)")
	coord := cute.MustParseCoord("(5,_)")
	for name, f := range map[string]func(){
		"coalesce":             func() { _ = cute.Coalesce(a) },
		"composition":          func() { _, _ = cute.Composition(a, a) },
		"refused composition":  func() { _, _ = cute.Composition(skewed, a) },
		"refused composition ": func() { _, _ = cute.Composition(scattered, parse("(1152921504606846975,3):(5,1)")) },
		"undecided":            func() { _, _ = cute.Composition(parse("(2,2,1073741824):(1,1,3)"), parse("(3,1073741824):(3,6)")) },
		"complement":           func() { _, _ = cute.Complement(a, cute.Int(1<<61)) },
		"right_inverse":        func() { _, _ = cute.RightInverse(scattered) },
		"inverse":              func() { _, _ = cute.Inverse(a) },
		"logical_divide":       func() { _, _ = cute.LogicalDivide(a, tile) },
		"padded divide":        func() { _, _ = cute.ZippedDivide(skewed, cute.MustParseTiler("<7,5>")) },
		"logical_product":      func() { _, _ = cute.LogicalProduct(a, parse("(2,2):(2,1)")) },
		"blocked_product":      func() { _, _ = cute.BlockedProduct(a, parse("(2,2):(2,1)")) },
		"raked_product":        func() { _, _ = cute.RakedProduct(a, parse("(2,2):(2,1)")) },
		"tile_to_shape":        func() { _, _ = cute.TileToShape(parse("(8,64):(64,1)"), shape, cute.Ints(1, 0)) },
		"equivalent":           func() { _, _ = cute.Equivalent(a, skewed) },
		"max_common_layout":    func() { _, _ = cute.MaxCommonLayout(a, skewed) },
		"common_refinement":    func() { _, _ = cute.CommonRefinement(cute.Int(1<<60), a.Shape()) },
		"upcast":               func() { _, _ = cute.Upcast(a, 1<<20) },
		"downcast":             func() { _, _ = cute.Downcast(a, 2) },
		"filter":               func() { _ = cute.Filter(a) },
		"nullspace":            func() { _ = cute.Nullspace(parse("(1073741824,1073741824):(0,1)")) },
		"slice":                func() { _, _, _ = a.SliceAndOffset(coord) },
		"at":                   func() { _, _ = a.At(1 << 59) },
		"increment":            func() { _, _ = cute.Increment(cute.Ints(1073741823, 5), a.Shape()) },
		"cosize":               func() { _, _ = a.Cosize() },
		"offsets":              func() { _, _ = a.AppendOffsets(nil) },
		"all": func() {
			for i := range a.All() {
				if i == 1000 {
					break
				}
			}
		},
		"string": func() { _ = a.String() },
	} {
		f() // tables that are built only once do not count
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
			t.Errorf("%s allocates %d bytes", name, got)
		}
	}
}

// Operations that look at every element refuse more than EnumLimit elements.
func TestEnumLimit(t *testing.T) {
	t.Parallel()
	_, err := parse("(2048,2049):(1,2048)").AppendOffsets(nil)
	wantCode(t, "the offsets of more than 2^22 elements", err, cute.CodeLimit)
	table, err := parse("(2048,2048):(1,2048)").AppendOffsets(nil)
	if err != nil || len(table) != cute.EnumLimit || table[cute.EnumLimit-1] != cute.EnumLimit-1 {
		t.Errorf("the offsets of 2^22 elements: %d of them, %v", len(table), err)
	}
	// Only a table can decide whether strides coincide: below the limit they are decided, above it the answer stays
	// open.
	r, err := cute.Composition(parse("(2,2,2):(1,1,3)"), parse("3:3"))
	wantText(t, "(2,2,2):(1,1,3) o 3:3", r, err, "3:2")
	_, err = cute.Composition(parse("(2,2,2):(1,1,3)"), parse("(3,4194304):(3,0)"))
	wantCode(t, "a coincidence 2^22 times over", err, cute.CodeLimit)
	// A contradiction is found at any size.
	_, err = cute.Composition(parse("(6,2):(1,7)"), parse("(3,2,1073741824):(2,3,0)"))
	wantCode(t, "a carry 2^30 times over", err, cute.CodeNotRepresentable)
}

// bits returns the layout of the given bits of an index or an offset: modes of extent 2, in that order.
func bits(t *rapid.T, places []int) cute.Layout {
	t.Helper()
	d := make([]int64, len(places))
	for i, p := range places {
		d[i] = 1 << p
	}
	l, err := cute.New(cute.Ints(slices.Repeat([]int64{2}, len(d))...), cute.Ints(d...))
	noError(t, "make_layout", err)
	return l
}

// Permutations of up to 40 bits compose, divide and multiply without a refusal, with more modes than a kernel keeps
// on its stack.
func TestBitPermutations(t *testing.T) {
	holds(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 40).Draw(t, "bits")
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		order := rapid.Permutation(all)
		p, q := order.Draw(t, "p"), order.Draw(t, "q")
		a, b := bits(t, p), bits(t, q)
		r, err := cute.Composition(a, b)
		noError(t, "composition", err)
		through := make([]int, n)
		for i := range through {
			through[i] = p[q[i]]
		}
		if want := coalesce(t, bits(t, through)); !coalesce(t, r).Equal(want) {
			t.Fatalf("%v o %v = %v, want %v", a, b, r, want)
		}
		inverse, err := cute.Inverse(a)
		noError(t, "inverse", err)
		back := make([]int, n)
		for i, x := range p {
			back[x] = i
		}
		if want := coalesce(t, bits(t, back)); !inverse.Equal(want) {
			t.Fatalf("the inverse of %v is %v, want %v", a, inverse, want)
		}
		wantTakenBits(t, a, p, q[:rapid.IntRange(1, n-1).Draw(t, "taken")])
	})
}

// wantTakenBits divides the permutation p of bits by the taken bits, and multiplies the taken bits by the rest.
func wantTakenBits(t *rapid.T, a cute.Layout, p, taken []int) {
	t.Helper()
	var left []int
	for i := range p {
		if !slices.Contains(taken, i) {
			left = append(left, i)
		}
	}
	tile, rest := bits(t, taken), coalesce(t, bits(t, left))
	c, err := cute.ComplementExact(tile, cute.Int(a.Size()))
	if err != nil || !c.Equal(rest) {
		t.Fatalf("complement(%v, 2^%d) = %v, %v, want %v", tile, len(p), c, err, rest)
	}
	d, err := cute.LogicalDivideExact(a, tile)
	noError(t, "logical_divide", err)
	for i, places := range [][]int{taken, left} {
		at := make([]int, len(places))
		for j, x := range places {
			at[j] = p[x]
		}
		mode, err := d.Mode(i)
		noError(t, "mode", err)
		if want := coalesce(t, bits(t, at)); !coalesce(t, mode).Equal(want) {
			t.Fatalf("%v / %v = %v: mode %d is %v, want %v", a, tile, d, i, mode, want)
		}
	}
	x, err := cute.LogicalProduct(tile, line(t, rest.Size()))
	noError(t, "logical_product", err)
	if mode, err := x.Mode(1); err != nil || !coalesce(t, mode).Equal(rest) || !x.Modes()[0].Equal(tile) {
		t.Fatalf("%v x %d:1 = %v, want the repeats %v", tile, rest.Size(), x, rest)
	}
}

// Many modes and deep nesting are only slow to write down.
func TestManyModes(t *testing.T) {
	t.Parallel()
	const n = 40
	s, d := slices.Repeat([]int64{2}, n), make([]int64, n)
	for i := range d {
		d[i] = 1 << (n - 1 - i)
	}
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	if err != nil {
		t.Fatal(err)
	}
	inverse, err := cute.Inverse(l)
	if err != nil || !inverse.Equal(l) {
		t.Errorf("the reversal of %d bits has the inverse %v, %v", n, inverse, err)
	}
	same, err := cute.Composition(l, l)
	wantText(t, "the reversal twice", coalesce(t, same), err, "1099511627776:1")
	deep := parse("8:1")
	for range 200 {
		if deep, err = deep.GroupModes(0, 1); err != nil {
			t.Fatal(err)
		}
		if deep, err = cute.MakeLayout(deep); err != nil {
			t.Fatal(err)
		}
		if deep.Depth() > 250 {
			break
		}
	}
	back, err := cute.Parse(deep.String())
	if err != nil || !back.Equal(deep) || !strings.HasPrefix(deep.String(), "((((") {
		t.Errorf("%d levels read back as %v", deep.Depth(), err)
	}
	r, err := cute.Composition(deep, deep)
	wantText(t, "a deep composition", coalesce(t, r), err, "8:1")
}
