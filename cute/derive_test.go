package cute_test

import (
	"reflect"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"pgregory.net/rapid"
)

// derive runs an operation in the loops that record their steps. It fails if the result or the error differs from the
// function's result or error.
func derive(t *rapid.T, want cute.Layout, failed error, op string, operands ...cute.Tiler) *cute.Derivation {
	d, err := cute.Derive(op, operands...)
	if !reflect.DeepEqual(err, failed) {
		t.Fatalf("%s%v: the derivation fails with %v, the operation with %v", op, operands, err, failed)
	}
	if d.OK != (err == nil) || d.OK && !d.Result.Equal(want) {
		t.Fatalf("%s%v: the derivation ends with %v, the operation with %v", op, operands, d.Result, want)
	}
	return d
}

// deriveShape is derive for an operation from shapes to a shape.
func deriveShape(t *rapid.T, want cute.Tuple, failed error, op string, a, b cute.Tuple) *cute.Derivation {
	d, err := cute.Derive(op, a, b)
	if !reflect.DeepEqual(err, failed) {
		t.Fatalf("%s(%v, %v): the derivation fails with %v, the operation with %v", op, a, b, err, failed)
	}
	if d.OK != (err == nil) || d.OK && (!d.To.Equal(want) || !d.From.Equal(a)) {
		t.Fatalf("%s(%v, %v): the derivation takes %v to %v, the operation to %v", op, a, b, d.From, d.To, want)
	}
	return d
}

// anyLayouts draws layouts with integers and with coordinates for strides.
func anyLayouts() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(gen.Layouts(), gen.Layouts(), gen.SingleAxis(), gen.MultiAxis())
}

func TestDerivations(t *testing.T) { rapid.Check(t, checkDerivations) }

func FuzzDerivations(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkDerivations)) }

// checkDerivations checks that the recording loops return the same as the fast loops.
func checkDerivations(t *rapid.T) {
	a := anyLayouts().Draw(t, "a")
	b := rapid.OneOf(gen.Layouts(), gen.Into(a.Shape()), gen.NonNegativeLayouts()).Draw(t, "b")
	r, err := cute.Composition(a, b)
	checkRuns(t, derive(t, r, err, "composition", a, b), b)
	tiler := gen.Tilers(a).Draw(t, "tiler")
	r, err = cute.CompositionBy(a, tiler)
	derive(t, r, err, "composition", a, tiler)
	derive(t, cute.Coalesce(a), nil, "coalesce", a)
	r, err = cute.CoalesceProfile(a, b.Shape())
	derive(t, r, err, "coalesce", a, b.Shape())

	r, err = cute.RightInverse(a)
	derive(t, r, err, "right_inverse", a)
	r, err = cute.LeftInverse(a)
	derive(t, r, err, "left_inverse", a)
	r, err = cute.Inverse(a)
	derive(t, r, err, "inverse", a)

	for name, f := range map[string]func(cute.Layout, cute.Tiler) (cute.Division, error){
		"logical_divide": cute.LogicalDivide, "zipped_divide": cute.ZippedDivide, "tiled_divide": cute.TiledDivide,
		"flat_divide": cute.FlatDivide,
	} {
		for _, t2 := range []cute.Tiler{tiler, b} {
			r, err := f(a, t2)
			derive(t, r.Layout, err, name, a, t2)
		}
	}
	for name, f := range map[string]func(cute.Layout, cute.Tiler) (cute.Layout, error){
		"logical_product": cute.LogicalProduct, "zipped_product": cute.ZippedProduct, "tiled_product": cute.TiledProduct,
		"flat_product": cute.FlatProduct, "logical_divide_exact": cute.LogicalDivideExact,
		"zipped_divide_exact": cute.ZippedDivideExact, "tiled_divide_exact": cute.TiledDivideExact,
		"flat_divide_exact": cute.FlatDivideExact,
	} {
		for _, t2 := range []cute.Tiler{tiler, b} {
			r, err := f(a, t2)
			derive(t, r, err, name, a, t2)
		}
	}
	r, err = cute.BlockedProduct(a, b)
	derive(t, r, err, "blocked_product", a, b)
	r, err = cute.RakedProduct(a, b)
	derive(t, r, err, "raked_product", a, b)

	r, err = cute.LayoutAdd(a, b)
	checkTurns(t, derive(t, r, err, "layout_add", a, b))
	r, err = cute.GreatestCommonDomain(a.Shape(), b.Shape())
	derive(t, r, err, "greatest_common_domain", a.Shape(), b)

	checkShapeDerivations(t, a.Shape(), b.Shape())
	checkListDerivations(t, a, b)

	n, m := rapid.Int64Range(0, 9).Draw(t, "n"), rapid.Int64Range(1, 9).Draw(t, "m")
	r, err = cute.Upcast(a, n)
	derive(t, r, err, "upcast", a, cute.Int(n))
	r, err = cute.Downcast(a, n)
	derive(t, r, err, "downcast", a, cute.Int(n))
	r, err = cute.Recast(a, n, m)
	derive(t, r, err, "recast_layout", a, cute.Ints(n, m))

	c := rapid.OneOf(gen.Chained(64), gen.ChainedAxes(), anyLayouts()).Draw(t, "c")
	cotarget := gen.Layouts().Draw(t, "cotarget").Shape()
	if box, err := c.Coshape(); err == nil && rapid.Bool().Draw(t, "box") {
		cotarget = box
	}
	r, err = cute.Complement(c, cotarget)
	derive(t, r, err, "complement", c, cotarget)
	r, err = cute.ComplementExact(c, cotarget)
	derive(t, r, err, "complement_exact", c, cotarget)
	r, err = cute.WeakComplement(c, cotarget)
	derive(t, r, err, "weak_complement", c, cotarget)
	r, err = cute.ComplementCosize(c)
	derive(t, r, err, "complement", c)
	r, err = cute.WeakComplementCosize(c)
	derive(t, r, err, "weak_complement", c)
}

// checkShapeDerivations checks the recorded steps of operations on shapes against their results.
func checkShapeDerivations(t *rapid.T, a, b cute.Tuple) {
	refined, err := cute.CommonRefinement(a, b)
	checkCuts(t, deriveShape(t, refined, err, "common_refinement", a, b))
	for _, n := range []cute.Tuple{b, b.Flatten(), cute.Int(rapid.Int64Range(0, 40).Draw(t, "divisor"))} {
		r, err := cute.CeilDiv(a, n)
		checkQuotients(t, deriveShape(t, r, err, "ceil_div", a, n))
		r, err = cute.ShapeDiv(a, n)
		checkQuotients(t, deriveShape(t, r, err, "shape_div", a, n))
	}
}

// checkListDerivations checks the recorded steps of tile_to_shape, nullspace and recognize against their results.
func checkListDerivations(t *rapid.T, a, b cute.Layout) {
	r, err := cute.TileToShape(a, b.Shape(), cute.Tuple{})
	d := derive(t, r, err, "tile_to_shape", a, b.Shape())
	if err == nil {
		for i, s := range d.Steps[:len(d.Steps)-1] {
			f := s.(cute.Fill)
			mode, err := r.Mode(i)
			if err != nil || f.Block*f.Copies != mode.Size() || f.Copies != (f.Target+f.Block-1)/f.Block {
				t.Fatalf("tile_to_shape(%v, %v) = %v: the step %+v of mode %d", a, b.Shape(), r, f, i)
			}
		}
	}
	zeros := int64(1)
	for _, s := range derive(t, cute.Nullspace(a), nil, "nullspace", a).Steps {
		if s := s.(cute.Stay); s.Stays {
			zeros *= s.Mode.Extent
		}
	}
	if zeros != cute.Nullspace(a).Size() {
		t.Fatalf("nullspace(%v) = %v, the steps have %d elements that stay", a, cute.Nullspace(a), zeros)
	}
	r, err = cute.MaxCommonLayout(a, b)
	checkFollows(t, derive(t, r, err, "max_common_layout", a, b))
	if a.HasBasis() {
		return
	}
	table, err := a.AppendOffsets(nil)
	if err != nil {
		return
	}
	if i := rapid.IntRange(0, 2*len(table)).Draw(t, "changed"); i < len(table) {
		table[i]++
	}
	entries := make([]cute.Tiler, len(table))
	for i, x := range table {
		entries[i] = cute.Int(x)
	}
	r, err = cute.Recognize(table)
	size := int64(1)
	for _, s := range derive(t, r, err, "recognize", entries...).Steps {
		size *= s.(cute.Round).Mode.Extent
	}
	if err == nil && size != r.Size() {
		t.Fatalf("recognize(%v) = %v: the rounds have %d entries", table, r, size)
	}
}

// checkFollows checks that A follows both the recorded offsets and the offsets of the result.
func checkFollows(t *rapid.T, d *cute.Derivation) {
	if !d.OK {
		return
	}
	inverse := d.Steps[0].(*cute.Derivation).Result
	for k, s := range d.Steps[1:] {
		f := s.(cute.Follow)
		i, err := inverse.At(int64(k))
		v, failed := d.A.Eval(cute.Int(i))
		if err != nil || failed != nil || f.Offset != int64(k) || f.Index != i || !f.Value.Equal(v) ||
			f.Follows != (i < d.A.Size() && v.Equal(cute.Int(int64(k)))) || !f.Follows && d.Result.Size() > int64(k) && k > 0 {
			t.Fatalf("max_common_layout(%v, %v) = %v: the step %+v", d.A, d.B, d.Result, f)
		}
	}
}

// checkCuts checks the cuts of a common refinement: each leads to the next, each but the last is a cut of a shape, and
// only the last cut of a refusal does not divide the next.
func checkCuts(t *rapid.T, d *cute.Derivation) {
	var known, extents []int64
	at, even := int64(1), true
	for _, s := range d.Steps {
		switch s := s.(type) {
		case cute.Cuts:
			known = append(known, s.At...)
		case cute.Turn:
			if s.At != at || s.Next <= s.At || !slices.Contains(known, s.Next) || !even {
				t.Fatalf("common_refinement(%v, %v): the step %+v at %d", d.From, d.B, s, at)
			}
			at, even = s.Next, s.Next%s.At == 0
			extents = append(extents, s.Next/s.At)
		}
	}
	if len(extents) == 0 {
		extents = []int64{1}
	}
	if even != d.OK || d.OK && !slices.Equal(extents, d.To.Leaves()) {
		t.Fatalf("common_refinement(%v, %v) = %v has the cuts %v of %v", d.From, d.B, d.To, extents, known)
	}
}

// checkQuotients checks a division of shapes, mode by mode: the quotients are the leaves of the result; a quotient
// times the used part of the divisor is the least multiple not below the extent; and the rest of the divisor is used
// next.
func checkQuotients(t *rapid.T, d *cute.Derivation) {
	var leaves []int64
	left := int64(0)
	for _, s := range d.Steps {
		switch s := s.(type) {
		case cute.Quotient:
			if left != 0 && s.Divisor != left || s.Quotient*s.Divisor < s.Extent || (s.Quotient-1)*s.Divisor >= s.Extent ||
				s.Left*s.Extent < s.Divisor || (s.Left-1)*s.Extent >= s.Divisor {
				t.Fatalf("%s(%v, %v): the step %+v after %d", d.Op, d.From, d.B, s, left)
			}
			left = s.Left
			leaves = append(leaves, s.Quotient)
		case *cute.Derivation:
			checkQuotients(t, s)
			leaves = append(leaves, s.To.Leaves()...)
		}
	}
	if want := d.To.Leaves(); d.OK && !slices.Equal(leaves, want[:len(leaves)]) {
		t.Fatalf("%s(%v, %v) = %v has the quotients %v", d.Op, d.From, d.B, d.To, leaves)
	}
}

// checkTurns checks that a sum turns at the recorded cuts, with the recorded values of both layouts.
func checkTurns(t *rapid.T, d *cute.Derivation) {
	at := int64(1)
	for _, s := range d.Steps {
		if cuts, ok := s.(cute.Cuts); ok {
			l, last := cuts.Of.(cute.Layout), cuts.At[len(cuts.At)-1]
			if !cute.Coalesce(l).Equal(l) || last != l.Size() {
				t.Fatalf("layout_add(%v, %v): %v has the cuts %v", d.A, d.B, cuts.Of, cuts.At)
			}
			continue
		}
		turn, ok := s.(cute.Turn)
		if !ok || turn.At != at {
			t.Fatalf("layout_add(%v, %v): the step %+v at %d", d.A, d.B, s, at)
		}
		at = turn.Next
		if !d.OK {
			continue
		}
		// The sum has the axes of both layouts, even axes along which nothing moves. The result does not have these
		// axes.
		v, err := d.Result.Eval(cute.Int(turn.At))
		trimmed := !cute.Congruent(v, turn.Sum) && slices.Equal(nonzero(v), nonzero(turn.Sum))
		if err != nil || !v.Equal(turn.Sum) && !trimmed {
			t.Fatalf("layout_add(%v, %v): %v at %d, %v, want %v", d.A, d.B, v, turn.At, err, turn.Sum)
		}
	}
	if d.OK && at != d.A.Size() {
		t.Fatalf("layout_add(%v, %v) has turns up to %d", d.A, d.B, at)
	}
}

// nonzero returns the numbers of a value that are not 0.
func nonzero(v cute.Tuple) []int64 {
	return slices.DeleteFunc(v.Leaves(), func(x int64) bool { return x == 0 })
}

// checkRuns checks that the runs of a composition by digits are the result's modes, leaf by leaf, and that the
// composition uses a table exactly if the digits carry.
func checkRuns(t *rapid.T, d *cute.Derivation, b cute.Layout) {
	size, tables, refused := int64(1), 0, false
	for _, s := range d.Steps {
		switch s := s.(type) {
		case cute.Run:
			size *= s.Mode.Extent
			refused = refused || !s.Even()
		case cute.Reach:
			refused = refused || s.Carries()
		case cute.Borrow:
			refused = true
		case cute.Table:
			tables++
		}
	}
	if refused != (tables == 1) {
		t.Fatalf("%v o %v: the digits refuse: %v, and %d tables", d.A, d.B, refused, tables)
	}
	if !refused && d.OK && size != b.Size() {
		t.Fatalf("%v o %v: runs of %d elements, not %d", d.A, d.B, size, b.Size())
	}
}

func TestCoordinateDerivations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkCoordinateDerivations)
}

// checkCoordinateDerivations checks the recorded steps of evaluations, slices, conversions of coordinates and relations
// of shapes against their results.
func checkCoordinateDerivations(t *rapid.T) {
	a := anyLayouts().Draw(t, "a")
	c := gen.WeakCoords(a.Shape()).Draw(t, "c")
	v, err := a.Eval(c)
	d, failed := cute.DeriveEval(a, c)
	wantValue(t, d, v, failed, err)
	if err == nil {
		wantTerms(t, d)
	}

	k := gen.SliceCoords(a.Shape()).Draw(t, "k")
	r, off, err := a.SliceAndOffset(k)
	d, failed = cute.DeriveSlice(a, k)
	wantValue(t, d, off, failed, err)
	if err == nil && !d.Result.Equal(r) {
		t.Fatalf("%v sliced at %v is %v, its steps lead to %v", a, k, r, d.Result)
	}

	f := gen.ComposedLayouts().Draw(t, "f")
	x := gen.WeakCoords(f.Shape()).Draw(t, "x")
	v, err = f.Eval(x)
	d, failed = cute.DeriveEval(f, x)
	wantValue(t, d, v, failed, err)
	if err == nil {
		wantStages(t, d, f)
	}

	b := gen.Layouts().Draw(t, "b").Shape()
	i, err := cute.Crd2Idx(c, a.Shape())
	deriveShape(t, cute.Int(i), err, "crd2idx", c, a.Shape())
	n := cute.Int(rapid.Int64Range(-100, 1000).Draw(t, "n"))
	crd, err := cute.Idx2Crd(n, b)
	deriveShape(t, crd, err, "idx2crd", n, b)
	crd, err = cute.Crd2Crd(c, a.Shape(), b)
	d, failed = cute.Derive("crd2crd", c, a.Shape(), b)
	wantValue(t, d, crd, failed, err)

	refined := rapid.SampledFrom([]cute.Tuple{b, a.Shape(), a.Stride(), c, cute.Int(a.Size())}).Draw(t, "refined")
	for name, f := range map[string]func(a, b cute.Tuple) bool{
		"compatible": cute.Compatible, "congruent": cute.Congruent, "weakly_congruent": cute.WeaklyCongruent,
	} {
		for _, p := range [][2]cute.Tuple{{refined, a.Shape()}, {a.Shape(), refined}} {
			d, err := cute.Derive(name, p[0], p[1])
			if err != nil || d.Holds != f(p[0], p[1]) {
				t.Fatalf("%s(%v, %v) is %v, its steps lead to %v, %v", name, p[0], p[1], f(p[0], p[1]), d.Holds, err)
			}
			if slices.ContainsFunc(d.Steps, func(s cute.Step) bool { return !s.(cute.Match).Holds }) == d.Holds {
				t.Fatalf("%s(%v, %v) is %v with the steps %v", name, p[0], p[1], d.Holds, d.Steps)
			}
		}
	}
}

// wantValue fails unless a derivation ends with the value, or with the error.
func wantValue(t *rapid.T, d *cute.Derivation, want cute.Tuple, failed, err error) {
	if !reflect.DeepEqual(failed, err) || d.OK != (err == nil) || d.OK && !d.To.Equal(want) {
		t.Fatalf("%s of %v at %v: the steps lead to %v, %v, the operation to %v, %v", d.Op, d.A, d.B, d.To, failed, want, err)
	}
}

// wantTerms fails unless an evaluation's terms add up to its value, and its digits to its coordinate.
func wantTerms(t *rapid.T, d *cute.Derivation) {
	sum, digits := cute.Int(0), []int64{}
	for _, s := range d.Steps {
		for _, x := range s.(cute.Digits).Each {
			var err error
			if sum, err = sum.Add(x.Term); err != nil {
				t.Fatal(err)
			}
			digits = append(digits, x.Value)
		}
	}
	value, err := cute.ArithmeticTuple(d.To)
	if err != nil || !sum.Equal(value) || !slices.Equal(digits, d.From.Leaves()) || !cute.Congruent(d.From, d.A.Shape()) {
		t.Fatalf("%v at %v, which is %v: the terms make %v, the value is %v", d.A, d.B, d.From, sum, d.To)
	}
}

// wantStages fails unless each stage begins with the value at which the stage before ends.
func wantStages(t *rapid.T, d *cute.Derivation, f cute.Composed) {
	var at cute.Tuple
	stages := 0
	for _, s := range d.Steps {
		switch s := s.(type) {
		case *cute.Derivation:
			at = s.To
		case cute.Stage:
			stages++
			sum, err := at.Add(s.Offset)
			if err != nil || !s.From.Equal(at) || !s.To.Equal(sum) {
				t.Fatalf("%v: the stage %+v after %v", f, s, at)
			}
			if _, ok := s.Outer.(cute.Swizzle); ok {
				y, _ := s.To.Int64()
				at = cute.Int(y ^ s.Moved)
			}
		}
	}
	for range f.Stages() {
		stages--
	}
	if stages != 0 || !at.Equal(d.To) {
		t.Fatalf("%v at %v is %v, the stages end with %v", f, d.B, d.To, at)
	}
}
