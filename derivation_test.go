package girih_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/check/gen"
)

// derive runs an operation in the loops that take down their steps, and fails if the result or the error is another one
// than that of the function.
func derive(t *rapid.T, want girih.Layout, failed error, op string, operands ...girih.Tiler) *girih.Derivation {
	d, err := girih.Derive(op, operands...)
	if !reflect.DeepEqual(err, failed) {
		t.Fatalf("%s%v: the derivation fails with %v, the operation with %v", op, operands, err, failed)
	}
	if d.OK != (err == nil) || d.OK && !d.Result.Equal(want) {
		t.Fatalf("%s%v: the derivation ends with %v, the operation with %v", op, operands, d.Result, want)
	}
	return d
}

// anyLayouts draws layouts with integers and with coordinates for strides.
func anyLayouts() *rapid.Generator[girih.Layout] {
	return rapid.OneOf(gen.Layouts(), gen.Layouts(), gen.SingleAxis(), gen.MultiAxis())
}

func TestDerivations(t *testing.T) { rapid.Check(t, checkDerivations) }

func FuzzDerivations(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkDerivations)) }

// checkDerivations holds the recorded loops to the ones that say nothing.
func checkDerivations(t *rapid.T) {
	a := anyLayouts().Draw(t, "a")
	b := rapid.OneOf(gen.Layouts(), gen.Into(a.Shape()), gen.NonNegativeLayouts()).Draw(t, "b")
	r, err := girih.Composition(a, b)
	checkRuns(t, derive(t, r, err, "composition", a, b), b)
	tiler := gen.Tilers(a).Draw(t, "tiler")
	r, err = girih.CompositionBy(a, tiler)
	derive(t, r, err, "composition", a, tiler)
	derive(t, girih.Coalesce(a), nil, "coalesce", a)
	r, err = girih.CoalesceProfile(a, b.Shape())
	derive(t, r, err, "coalesce", a, b.Shape())

	r, err = girih.RightInverse(a)
	derive(t, r, err, "right_inverse", a)
	r, err = girih.LeftInverse(a)
	derive(t, r, err, "left_inverse", a)
	r, err = girih.Inverse(a)
	derive(t, r, err, "inverse", a)

	for name, f := range map[string]func(girih.Layout, girih.Tiler) (girih.Division, error){
		"logical_divide": girih.LogicalDivide, "zipped_divide": girih.ZippedDivide, "tiled_divide": girih.TiledDivide,
		"flat_divide": girih.FlatDivide,
	} {
		for _, t2 := range []girih.Tiler{tiler, b} {
			r, err := f(a, t2)
			derive(t, r.Layout, err, name, a, t2)
		}
	}
	for name, f := range map[string]func(girih.Layout, girih.Tiler) (girih.Layout, error){
		"logical_product": girih.LogicalProduct, "zipped_product": girih.ZippedProduct, "tiled_product": girih.TiledProduct,
		"flat_product": girih.FlatProduct, "logical_divide_exact": girih.LogicalDivideExact,
		"zipped_divide_exact": girih.ZippedDivideExact, "tiled_divide_exact": girih.TiledDivideExact,
		"flat_divide_exact": girih.FlatDivideExact,
	} {
		for _, t2 := range []girih.Tiler{tiler, b} {
			r, err := f(a, t2)
			derive(t, r, err, name, a, t2)
		}
	}
	r, err = girih.BlockedProduct(a, b)
	derive(t, r, err, "blocked_product", a, b)
	r, err = girih.RakedProduct(a, b)
	derive(t, r, err, "raked_product", a, b)

	r, err = girih.LayoutAdd(a, b)
	checkTurns(t, derive(t, r, err, "layout_add", a, b))
	r, err = girih.GreatestCommonDomain(a.Shape(), b.Shape())
	derive(t, r, err, "greatest_common_domain", a.Shape(), b)

	n, m := rapid.Int64Range(0, 9).Draw(t, "n"), rapid.Int64Range(1, 9).Draw(t, "m")
	r, err = girih.Upcast(a, n)
	derive(t, r, err, "upcast", a, girih.Int(n))
	r, err = girih.Downcast(a, n)
	derive(t, r, err, "downcast", a, girih.Int(n))
	r, err = girih.Recast(a, n, m)
	derive(t, r, err, "recast_layout", a, girih.Ints(n, m))

	c := rapid.OneOf(gen.Chained(64), gen.ChainedAxes(), anyLayouts()).Draw(t, "c")
	cotarget := gen.Layouts().Draw(t, "cotarget").Shape()
	if box, err := c.Coshape(); err == nil && rapid.Bool().Draw(t, "box") {
		cotarget = box
	}
	r, err = girih.Complement(c, cotarget)
	derive(t, r, err, "complement", c, cotarget)
	r, err = girih.ComplementExact(c, cotarget)
	derive(t, r, err, "complement_exact", c, cotarget)
	r, err = girih.WeakComplement(c, cotarget)
	derive(t, r, err, "weak_complement", c, cotarget)
	r, err = girih.ComplementCosize(c)
	derive(t, r, err, "complement", c)
	r, err = girih.WeakComplementCosize(c)
	derive(t, r, err, "weak_complement", c)
}

// checkTurns checks that a sum turns where its steps say, with the values of both there.
func checkTurns(t *rapid.T, d *girih.Derivation) {
	at := int64(1)
	for _, s := range d.Steps {
		turn, ok := s.(girih.Turn)
		if !ok || turn.At != at {
			t.Fatalf("layout_add(%v, %v): the step %+v at %d", d.A, d.B, s, at)
		}
		at = turn.Next
		if !d.OK {
			continue
		}
		if v, err := d.Result.Eval(girih.Int(turn.At)); err != nil || !v.Equal(turn.Sum) {
			t.Fatalf("layout_add(%v, %v): %v at %d, %v, want %v", d.A, d.B, v, turn.At, err, turn.Sum)
		}
	}
	if d.OK && at != d.A.Size() {
		t.Fatalf("layout_add(%v, %v) has turns up to %d", d.A, d.B, at)
	}
}

// checkRuns checks that the runs of a composition by digits are the modes of its result, leaf by leaf, and that there
// is a table exactly where the digits carry.
func checkRuns(t *rapid.T, d *girih.Derivation, b girih.Layout) {
	size, tables, refused := int64(1), 0, false
	for _, s := range d.Steps {
		switch s := s.(type) {
		case girih.Run:
			size *= s.Mode.Extent
			refused = refused || !s.Even()
		case girih.Reach:
			refused = refused || s.Carries()
		case girih.Borrow:
			refused = true
		case girih.Table:
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
