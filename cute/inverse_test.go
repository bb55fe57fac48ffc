package cute_test

import (
	"errors"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// a(r(i)) = i, and for injective layouts without negative strides r is as large as possible.
func TestRightInverse(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		r, err := cute.RightInverse(a)
		noError(t, "right_inverse", err)
		x := oracle.Of(a)
		if err := oracle.CheckRightInverse(x, oracle.Of(r)); err != nil {
			t.Fatalf("right_inverse(%v) = %v: %v", a, r, err)
		}
		if !coalesce(t, r).Equal(r) {
			t.Fatalf("right_inverse(%v) = %v is not coalesced", a, r)
		}
		if slices.Min(append(a.Stride().Leaves(), 0)) == 0 && oracle.Injective(x) {
			if n := oracle.LargestRightInverse(x); r.Size() != n {
				t.Fatalf("right_inverse(%v) = %v has the size %d, the largest one %d", a, r, r.Size(), n)
			}
		}
	})
}

func TestRightInverseAlongAxes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.SingleAxis(), gen.ChainedAxes(), gen.MultiAxis()).Draw(t, "a")
		r, err := cute.RightInverse(a)
		for j, d := range oracle.Of(a).D {
			if len(d) > 1 && oracle.Of(a).S[j] > 1 {
				wantCode(t, "right_inverse of a diagonal", err, cute.CodeCodomain)
				return
			}
		}
		noError(t, "right_inverse", err)
		if err := oracle.CheckRightInverse(oracle.Of(a), oracle.Of(r)); err != nil {
			t.Fatalf("right_inverse(%v) = %v: %v", a, r, err)
		}
	})
}

// The inverse exists exactly for the bijections of [0, size).
func TestInverse(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.CompactLayouts(), gen.Layouts()).Draw(t, "a")
		r, err := cute.Inverse(a)
		x := oracle.Of(a)
		if !oracle.Surjective(x, a.Size()) {
			wantCode(t, "the inverse of what is no bijection", err, cute.CodeNotInvertible)
			return
		}
		noError(t, "inverse", err)
		y := oracle.Of(r)
		if r.Size() != a.Size() {
			t.Fatalf("the inverse of %v is %v, of another size", a, r)
		}
		for i := range a.Size() {
			if back := x.Index(y.Index(i)[""]); !back.Equal(oracle.Number(i)) {
				t.Fatalf("the inverse of %v is %v: a(r(%d)) = %v", a, r, i, back)
			}
			if back := y.Index(x.Index(i)[""]); !back.Equal(oracle.Number(i)) {
				t.Fatalf("the inverse of %v is %v: r(a(%d)) = %v", a, r, i, back)
			}
		}
	})
}

func TestInverseFacts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"4:1":                   "4:1",
		"4:2":                   "1:0",
		"4:0":                   "1:0",
		"4:-1":                  "1:0",
		"(2,4):(0,1)":           "4:2",
		"(8,4):(1,8)":           "32:1",
		"(8,4):(4,1)":           "(4,8):(8,1)",
		"(2,4,6):(4,1,8)":       "(4,2,6):(2,1,8)",
		"(4,2,8):(16,1,2)":      "(16,4):(4,1)",
		"(3,3,8):(0,1,12)":      "3:3",         // CuTe's Python stops at the stride 0
		"(3,2,4):(1,1,3)":       "(3,4):(1,6)", // repeated offsets are skipped
		"(3,2):(1,1)":           "3:1",
		"(4,2):(1,6)":           "4:1",
		"1:5":                   "1:0",
		"():()":                 "1:0",
		"(4,5):(1@1,1@0)":       "(5,4):(4,1)",
		"(2,3):(0,1@0)":         "(3):(2)",
		"(4,5):(2@0,2@1)":       "(1,1):(0,0)",
		"(2,3):(1@2,1@0)":       "(3,1,2):(2,0,1)",
		"(2,3,4):(1@0,2@0,1@1)": "(6,4):(1,6)",
		"((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))": "(8,2,4,2,2,4,8):(4,256,32,4096,128,1,512)",
	} {
		r, err := cute.RightInverse(parse(in))
		wantText(t, "right_inverse("+in+")", r, err, want)
	}
	r, err := cute.Inverse(parse("(2,3):(3,1)"))
	wantText(t, "the inverse of (2,3):(3,1)", r, err, "(3,2):(2,1)")
	for _, in := range []string{"4:2", "(2,2):(1,1)", "4:-1", "(2,4):(0,1)"} {
		_, err := cute.Inverse(parse(in))
		wantCode(t, "the inverse of "+in, err, cute.CodeNotInvertible)
	}
}

// flatLayout returns the flat layout of extents s and strides d.
func flatLayout(t rapid.TB, s, d []int64) cute.Layout {
	t.Helper()
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// offsetsOf returns all offsets by the definition.
func offsetsOf(s, d []int64) []int64 {
	offsets := []int64{0}
	for j := range s {
		n := len(offsets)
		for x := int64(1); x < s[j]; x++ {
			for _, o := range offsets[:n] {
				offsets = append(offsets, o+x*d[j])
			}
		}
	}
	return offsets
}

// layoutThrough decides by brute force whether some layout takes each u[i] to index[i], and returns the fewest radices
// of such a layout, or -1. A layout with the radix products P_1 | P_2 | ... is an integer combination of u, ⌊u/P_1⌋,
// ⌊u/P_2⌋, .... layoutThrough tries all chains of products up to the largest u.
func layoutThrough(u, index []int64) int {
	best := -1
	var try func(last int64, columns [][]int64)
	try = func(last int64, columns [][]int64) {
		radices := len(columns) - 1
		if best >= 0 && radices >= best {
			return
		}
		if inSpan(columns, index) {
			best = radices
			return
		}
		for p := 2 * last; p <= slices.Max(u); p += last {
			next := make([]int64, len(u))
			for i, x := range u {
				next[i] = x / p
			}
			try(p, append(columns[:radices+1:radices+1], next))
		}
	}
	try(1, [][]int64{u})
	return best
}

// inSpan reports whether t is an integer combination of the vectors, by bringing them to echelon form.
func inSpan(vectors [][]int64, t []int64) bool {
	rows := make([][]int64, len(vectors))
	for i := range rows {
		rows[i] = slices.Clone(vectors[i])
	}
	t = slices.Clone(t)
	for c := range t {
		pivot := -1
		for i := 0; i < len(rows); i++ {
			switch {
			case rows[i][c] == 0:
			case pivot < 0:
				pivot = i
			default:
				// Euclid on the two rows.
				for rows[i][c] != 0 {
					subtract(rows[pivot], rows[i], rows[pivot][c]/rows[i][c])
					rows[pivot], rows[i] = rows[i], rows[pivot]
				}
			}
		}
		if pivot < 0 {
			if t[c] != 0 {
				return false
			}
			continue
		}
		if t[c]%rows[pivot][c] != 0 {
			return false
		}
		subtract(t, rows[pivot], t[c]/rows[pivot][c])
		rows = slices.Delete(rows, pivot, pivot+1)
	}
	return true
}

func subtract(x, y []int64, q int64) {
	for i := range x {
		x[i] -= q * y[i]
	}
}

// points returns the equations u -> index that a left inverse satisfies; they are odd, as layouts are. The index counts
// modes of stride 0 as 0.
func points(s, d []int64) (u, index []int64) {
	seen := map[int64]bool{0: true}
	for i, o := range offsetsOf(s, d) {
		if seen[o] {
			continue
		}
		seen[o] = true
		u, index = append(u, max(o, -o)), append(index, int64(i))
		if o < 0 {
			index[len(index)-1] = -int64(i)
		}
	}
	return u, index
}

func codeOf(err error) cute.Code {
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e.Code
	}
	return ""
}

// checkLeftInverse compares LeftInverse with brute force: whether an inverse exists, its values, and the fewest radices
// if the strides do not chain. It returns the number of radices, -1 if there is no inverse, and -2 if modes of nonzero
// stride repeat offsets.
func checkLeftInverse(t rapid.TB, s, d []int64) int {
	t.Helper()
	a := flatLayout(t, s, d)
	u, index := points(s, d)
	r, err := cute.LeftInverse(a)
	coordinates := 1
	for i := range s {
		if d[i] != 0 {
			coordinates *= int(s[i])
		}
	}
	if len(u)+1 < coordinates {
		if codeOf(err) != cute.CodeNotInjective {
			t.Fatalf("left_inverse(%v) = %v, %v: expected not_injective", a, r, err)
		}
		return -2
	}
	if len(u) == 0 {
		return 0
	}
	radices := layoutThrough(u, index)
	if radices < 0 {
		if codeOf(err) != cute.CodeNotInvertible {
			t.Fatalf("left_inverse(%v) = %v, %v: no layout is an inverse", a, r, err)
		}
		checkFailure(t, a, err)
		return radices
	}
	if err != nil {
		t.Fatalf("left_inverse(%v): %v: there is an inverse with %d radices", a, err, radices)
	}
	for i, x := range u {
		if got, err := r.At(x); err != nil || got != index[i] {
			t.Fatalf("left_inverse(%v) = %v takes %d to %d, %v, and not to %d", a, r, x, got, err, index[i])
		}
	}
	c := cute.Coalesce(a)
	if !chains(c.Stride().Leaves()) && r.Rank() != radices+1 {
		t.Fatalf("left_inverse(%v) = %v, but %d modes are enough", a, r, radices+1)
	}
	return radices
}

// checkFailure checks the witness: no layout inverts the offsets up to it, and some layout inverts the offsets below
// it.
func checkFailure(t rapid.TB, a cute.Layout, err error) {
	t.Helper()
	e, _ := errors.AsType[*cute.Error](err)
	at, ok := e.Witness.Value.Int64()
	if got, err := a.At(e.Witness.Index); !ok || err != nil || got != at {
		t.Fatalf("left_inverse(%v): index %d does not have the offset %v", a, e.Witness.Index, e.Witness.Value)
	}
	u, index := points(a.Shape().Leaves(), a.Stride().Leaves())
	var below, upTo [2][]int64
	for i, x := range u {
		if x <= max(at, -at) {
			upTo[0], upTo[1] = append(upTo[0], x), append(upTo[1], index[i])
		}
		if x < max(at, -at) {
			below[0], below[1] = append(below[0], x), append(below[1], index[i])
		}
	}
	if len(below[0]) > 0 && layoutThrough(below[0], below[1]) < 0 || layoutThrough(upTo[0], upTo[1]) >= 0 {
		t.Fatalf("left_inverse(%v) has the witness %d", a, at)
	}
}

// chains reports whether the strides, sorted, are multiples of each other, or there is one mode.
func chains(d []int64) bool {
	d = slices.DeleteFunc(slices.Clone(d), func(x int64) bool { return x == 0 })
	slices.SortFunc(d, func(a, b int64) int { return int(max(a, -a) - max(b, -b)) })
	for i := 1; i < len(d); i++ {
		if d[i]%d[i-1] != 0 || d[i]*d[i-1] < 0 {
			return false
		}
	}
	return true
}

// eachLayout calls f with all flat layouts of the given rank with extents 2, ..., most and strides 1, ..., far.
func eachLayout(rank int, most, far int64, f func(s, d []int64)) {
	s, d := make([]int64, rank), make([]int64, rank)
	var fill func(i int)
	fill = func(i int) {
		if i == rank {
			f(s, d)
			return
		}
		for s[i] = 2; s[i] <= most; s[i]++ {
			for d[i] = 1; d[i] <= far; d[i]++ {
				fill(i + 1)
			}
		}
	}
	fill(0)
}

func TestLeftInverseAgainstBruteForce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rank      int
		most, far int64
	}{{1, 6, 12}, {2, 4, 9}, {3, 2, 7}, {3, 3, 6}} {
		radices := map[int]int{}
		eachLayout(c.rank, c.most, c.far, func(s, d []int64) { radices[checkLeftInverse(t, s, d)]++ })
		t.Logf("rank %d, extents to %d, strides to %d: layouts by number of radices, -1 without inverse, -2 not injective: %v",
			c.rank, c.most, c.far, radices)
	}
}

// checkInverseByAxis compares LeftInverse with brute force on layouts of any kind. A layout with coordinate strides has
// an inverse exactly if the part along each axis has an inverse.
func checkInverseByAxis(t *rapid.T) {
	m := drawModel(t)
	m.s, m.d = m.s[:min(3, len(m.s))], m.d[:min(3, len(m.s))]
	a := m.layout(t)
	r, err := cute.LeftInverse(a)
	want := cute.Code("")
	for axis := range m.axes() {
		var s, d []int64 // all leaves, so that indices do not change
		repeats := int64(1)
		for i := range m.s {
			s, d = append(s, m.s[i]), append(d, m.d[i][axis])
			if d[i] != 0 {
				repeats *= s[i]
			}
			if norm := slices.DeleteFunc(slices.Clone(m.d[i]), func(x int64) bool { return x == 0 }); len(norm) > 1 && s[i] > 1 {
				want = cute.CodeCodomain
			}
		}
		if want == cute.CodeCodomain {
			break
		}
		u, index := points(s, d)
		switch {
		case int64(len(u))+1 < repeats:
			want = cute.CodeNotInjective
		case want == "" && len(u) > 0 && layoutThrough(u, index) < 0:
			want = cute.CodeNotInvertible
		}
	}
	// If two axes have no inverse, either may be the reason.
	if got := codeOf(err); got != want && (want == "" || got != cute.CodeNotInjective && got != cute.CodeNotInvertible) {
		t.Fatalf("left_inverse(%v) = %v, %v; expected %q", a, r, err, want)
	}
	if err != nil {
		return
	}
	for i := range a.Size() {
		o, err := a.Eval(cute.Int(i))
		if err != nil {
			t.Fatal(err)
		}
		index, err := r.Eval(o)
		if err != nil {
			t.Fatalf("left_inverse(%v) = %v at %v: %v", a, r, o, err)
		}
		back, err := a.Eval(index)
		if err != nil || !back.Equal(o) {
			t.Fatalf("left_inverse(%v) = %v takes %v to %v, which has the offset %v, %v", a, r, o, index, back, err)
		}
		if repeated(m) == 1 && !index.Equal(cute.Int(i)) {
			t.Fatalf("left_inverse(%v) = %v takes %v to %v, not to %d", a, r, o, index, i)
		}
	}
}

// repeated returns how often each offset is repeated by modes of stride 0.
func repeated(m model) int64 {
	n := int64(1)
	for i, d := range m.d {
		if !slices.ContainsFunc(d, func(x int64) bool { return x != 0 }) {
			n *= m.s[i]
		}
	}
	return n
}

func TestLeftInverse(t *testing.T) { rapid.Check(t, checkInverseByAxis) }
func FuzzLeftInverse(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkInverseByAxis)) }

// TestLeftInverseText checks inverses that CuTe finds, and some that CuTe does not find.
func TestLeftInverseText(t *testing.T) {
	t.Parallel()
	for a, want := range map[string]string{
		// CuTe gives these answers, including the generalised inverse of layouts with stride 0.
		"(2,2,2):(4,0,1)":                     "(4,2):(4,1)",
		"4:0":                                 "1:0",
		"(2,4):(0,2)":                         "(2,4):(0,2)",
		"(4,2):(1,16)":                        "(16,2):(1,4)",
		"4:2":                                 "(2,4):(0,1)",
		"(128,160):(65536,1)":                 "(65536,128):(128,1)",
		"(2,4,8):(32,0,2)":                    "(2,16,2):(0,8,1)",
		"(4,8):(1,5)":                         "(5,8):(1,4)",
		"(4,5):(2@0,2@1)":                     "((2,4),(2,5)):((0,1),(0,4))",
		"(4,5):(1@1,1@1@4)":                   "(1,4,1,1,(1,5)):(0,1,0,0,(0,4))",
		"(2,3):(1@0,1@1)":                     "(2,3):(1,2)",
		"((4,8),(2,2)):((2@1,1@0),(1@1,8@0))": "((8,2),(2,4)):((4,64),(32,1))",
		// Negative strides are handled by oddness if all are negative, and by search if signs are mixed.
		"(4,2):(-1,-16)":         "(16,2):(-1,-4)",
		"(2,2):(-1,4)":           "(3,2):(-1,3)",
		"(2,2,2):(2@0,3@0,-3@1)": "((2,3),(3,2)):((1,1),(0,-4))",
		// These strides do not form a chain.
		"(2,2):(2,3)":     "(2,3):(1,1)",
		"(4,2):(7,4)":     "(7,4):(1,1)",
		"(4,16):(6,32)":   "(2,3,16,6):(0,-1,1,12)",
		"(4,4):(3,11)":    "(2,2,2,5,2):(0,1,1,3,14)",
		"(2,2,3):(1,6,4)": "(2,2,4):(1,-2,4)", // at 6 two radices cancel
		// Found without enumerating the domain.
		"(2,2):(1099511627776,1099511627777)": "(1099511627776,3):(1,1)",
		"(1048576,1048576):(1048577,1)":       "(1048577,1048576):(1048576,1)",
		"(1048576,1024):(3,8388609)":          "(3,2796203,1024):(0,1,1048576)",
		"(1048576,1024):(2,8388609)":          "(2,8388609,512):(-3145728,1,2097152)",
	} {
		if r, err := cute.LeftInverse(cute.MustParse(a)); err != nil || r.String() != want {
			t.Errorf("left_inverse(%s) = %v, %v; expected %s", a, r, err, want)
		}
	}
}

func TestLeftInverseRefuses(t *testing.T) {
	t.Parallel()
	for a, want := range map[string]cute.Code{
		"(2,2):(1,1)":                               cute.CodeNotInjective,
		"(2,2,3):(0,3,1)":                           "",
		"(2,2,4):(0,3,1)":                           cute.CodeNotInjective,
		"(4,4):(2@0,3@0)":                           cute.CodeNotInjective,
		"(1048576,1048576):(1048575,1)":             cute.CodeNotInjective,
		"(2,2,2):(3,4,5)":                           cute.CodeNotInvertible,
		"(4,4):(1,-4)":                              cute.CodeNotInvertible,
		"(2,2,2):(3@1,4@1,5@1)":                     cute.CodeNotInvertible,
		"(1024,1024,8):(1030,1,1054727)":            cute.CodeNotInvertible,
		"(2,2):(1@0+1@1,1@1)":                       cute.CodeCodomain,
		"(2,1099511627776):(4611686018427387904,1)": cute.CodeOverflow,

		"(7,5,6,3):(982451653,694847539,413158523,961748941)": cute.CodeLimit,
	} {
		r, err := cute.LeftInverse(cute.MustParse(a))
		if codeOf(err) != want || (err == nil) != (want == "") {
			t.Errorf("left_inverse(%s) = %v, %v; expected %q", a, r, err, want)
		}
	}
}
