package girih_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// This file runs every operation on whatever layouts there are: nothing panics, every error is girih's, and on
// small layouts the results satisfy their definitions.

// everyOperation applies the package to two layouts and a tiler.
func everyOperation(t rapid.TB, a, b girih.Layout, tiler girih.Tiler, n int64) {
	t.Helper()
	try := func(what string, err error) {
		t.Helper()
		if errorCode(err) == "foreign" {
			t.Fatalf("%s of %v, %v, %v and %d: %v", what, a, b, tiler, n, err)
		}
	}
	layouts := func(what string, l girih.Layout, err error) {
		t.Helper()
		try(what, err)
		if err == nil {
			usable(t, what, l)
		}
	}
	for name, f := range map[string]func(a, b girih.Layout) (girih.Layout, error){
		"composition": girih.Composition, "blocked_product": girih.BlockedProduct, "raked_product": girih.RakedProduct,
		"max_common_layout": girih.MaxCommonLayout, "layout_add": girih.LayoutAdd,
		"greatest_common_domain": func(a, b girih.Layout) (girih.Layout, error) {
			return girih.GreatestCommonDomain(a.Shape(), b.Shape())
		},
	} {
		l, err := f(a, b)
		layouts(name, l, err)
	}
	for name, f := range map[string]func(a girih.Layout) (girih.Layout, error){
		"coalesce": always(girih.Coalesce), "coalesce_z": always(girih.CoalesceZ),
		"right_inverse": girih.RightInverse, "inverse": girih.Inverse,
		"complement": girih.ComplementCosize, "weak_complement": girih.WeakComplementCosize,
		"filter": always(girih.Filter), "filter_zeros": always(girih.FilterZeros), "nullspace": always(girih.Nullspace),
		"make_layout_like": girih.MakeLayoutLike, "reverse": girih.Layout.Reverse,
	} {
		l, err := f(a)
		layouts(name, l, err)
	}
	for name, f := range map[string]func(a girih.Layout, t girih.Tiler) (girih.Layout, error){
		"composition": girih.CompositionBy, "logical_product": girih.LogicalProduct, "zipped_product": girih.ZippedProduct,
		"tiled_product": girih.TiledProduct, "flat_product": girih.FlatProduct, "logical_divide": girih.LogicalDivideExact,
		"tile_unzip": girih.TileUnzip,
	} {
		for _, x := range []girih.Tiler{tiler, b, b.Shape()} {
			l, err := f(a, x)
			layouts(name, l, err)
		}
	}
	for _, op := range divides {
		for _, x := range []girih.Tiler{tiler, b, b.Shape()} {
			d, err := op.divide(a, x)
			layouts(op.name, d.Layout, err)
			_ = d.Padding.String()
			_, err = d.Padding.Contains(girih.Int(n))
			try("contains", err)
		}
	}
	for name, f := range map[string]func(a girih.Layout, n int64) (girih.Layout, error){
		"upcast": girih.Upcast, "downcast": girih.Downcast,
	} {
		l, err := f(a, n)
		layouts(name, l, err)
	}
	l, err := girih.Recast(a, n, 8)
	layouts("recast_layout", l, err)
	onShapes(t, a, b, n, layouts, try)
}

// onShapes applies what takes shapes, coordinates and modes.
func onShapes(t rapid.TB, a, b girih.Layout, n int64, layouts func(string, girih.Layout, error), try func(string, error)) {
	t.Helper()
	s, u := a.Shape(), b.Shape()
	for name, f := range map[string]func(l girih.Layout, t girih.Tuple) (girih.Layout, error){
		"complement": girih.Complement, "complement, exact": girih.ComplementExact,
		"complement by mode": girih.ComplementByMode, "weak_complement": girih.WeakComplement,
		"coalesce by profile": girih.CoalesceProfile,
		"with_shape":          girih.Layout.WithShape, "unflatten": girih.Layout.Unflatten,
	} {
		for _, x := range []girih.Tuple{s, u, b.Stride(), girih.Int(n)} {
			l, err := f(a, x)
			layouts(name, l, err)
		}
	}
	for name, f := range map[string]func(s, u girih.Tuple) (girih.Tuple, error){
		"ceil_div": girih.CeilDiv, "shape_div": girih.ShapeDiv, "common_refinement": girih.CommonRefinement,
		"idx2crd": girih.Idx2Crd, "increment": girih.Increment, "add": girih.Tuple.Add, "sub": girih.Tuple.Sub,
	} {
		for _, x := range [][2]girih.Tuple{
			{s, u}, {a.Stride(), b.Stride()}, {girih.Int(n), s}, {s, girih.Int(n)}, {b.Stride(), s},
		} {
			r, err := f(x[0], x[1])
			try(name, err)
			_ = r.String()
		}
	}
	_, err := girih.Crd2Idx(b.Stride(), s)
	try("crd2idx", err)
	_, err = girih.ElemLess(b.Stride(), s)
	try("elem_less", err)
	_, _, _ = girih.Congruent(s, u), girih.WeaklyCongruent(s, u), girih.Compatible(s, u)
	l, err := girih.MakeOrderedLayout(s, b.Stride())
	layouts("make_ordered_layout", l, err)
	l, err = girih.MakeIdentityLayout(s)
	layouts("make_identity_layout", l, err)
	l, err = girih.TileToShape(a, u, girih.Tuple{})
	layouts("tile_to_shape", l, err)
	l, err = girih.MakeLayout(a, b)
	layouts("make_layout", l, err)
	l, err = girih.Zip(a, b)
	layouts("zip", l, err)
	l, err = a.GroupModes(int(n%4), int(n%7))
	layouts("group_modes", l, err)
	l, err = a.Select(int(n%5), 0)
	layouts("select", l, err)
	l, err = a.AppendToRank(int(n%9), b)
	layouts("append_to_rank", l, err)
	same, diff := girih.Equivalent(a, b)
	if same != (diff == nil) {
		t.Fatalf("%v and %v: equivalent %v, %v", a, b, same, diff)
	}
	c, err := girih.NewComposed(a, girih.Int(0), b)
	try("make_composed_layout", err)
	if err == nil {
		_, err = c.Eval(girih.Int(n))
		try("eval", err)
		_, err = c.Recast(8, max(n, 1))
		try("recast of a chain", err)
	}
}

// usable stops unless l is a layout like any other: it prints, reads back and has values.
func usable(t rapid.TB, what string, l girih.Layout) {
	t.Helper()
	if l.Depth() < 200 {
		if back, err := girih.Parse(l.String()); err != nil || !back.Equal(l) {
			t.Fatalf("%s: %v reads back as %v, %v", what, l, back, err)
		}
	}
	if l.Size() < 1 {
		t.Fatalf("%s: %v has the size %d", what, l, l.Size())
	}
	for _, i := range []int64{0, l.Size() / 2, l.Size() - 1} {
		if _, err := l.Eval(girih.Int(i)); err != nil {
			t.Fatalf("%s: %v at %d: %v", what, l, i, err)
		}
	}
}

// small reports whether the brute-force definitions are cheap for l.
func small(l girih.Layout) bool {
	if l.Size() > 128 {
		return false
	}
	for _, d := range oracle.Of(l).D {
		for _, x := range d {
			if x > 1<<16 || x < -1<<16 {
				return false
			}
		}
	}
	return true
}

// wantDefinitions checks the operations whose definitions the oracle has, on small layouts.
func wantDefinitions(t rapid.TB, a, b girih.Layout) {
	t.Helper()
	if !small(a) || !small(b) {
		return
	}
	wantEquivalent(t, a, b)
	wantEquivalent(t, coalesce(t, a), a)
	wantComposition(t, a, b)
	if r, err := girih.RightInverse(a); err == nil {
		if err := oracle.CheckRightInverse(oracle.Of(a), oracle.Of(r)); err != nil {
			t.Fatalf("right_inverse(%v) = %v: %v", a, r, err)
		}
	}
}

func TestEveryOperation(t *testing.T) {
	holds(t, drawnSmall)
}

func drawnSmall(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	drawnOperations(t, a, rapid.OneOf(anyLayout(), gen.Into(a.Shape())).Draw(t, "b"))
}

func TestEveryOperationHuge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, drawnHuge)
}

func drawnHuge(t *rapid.T) {
	a := rapid.OneOf(gen.HugeLayouts(), anyLayout()).Draw(t, "a")
	drawnOperations(t, a, rapid.OneOf(gen.HugeLayouts(), anyLayout(), gen.Into(a.Shape())).Draw(t, "b"))
}

// drawnOperations runs everything on the layouts and a drawn tiler.
func drawnOperations(t *rapid.T, a, b girih.Layout) {
	t.Helper()
	if table(a) || table(b) {
		return
	}
	tiler := gen.Tilers(a).Draw(t, "tiler")
	n := rapid.OneOf(rapid.Int64Range(-2, 70), rapid.Int64()).Draw(t, "n")
	everyOperation(t, a, b, tiler, n)
	wantDefinitions(t, a, b)
}

// Kernels keep few modes on their stack and start again with more room where that is too little.
func TestManyLeaves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := gen.ManyLeaves().Draw(t, "a")
		b := rapid.OneOf(gen.ManyLeaves(), gen.Layouts(), gen.Into(a.Shape())).Draw(t, "b")
		drawnOperations(t, a, b)
		tile := rapid.OneOf(gen.Chained(8), gen.ManyLeaves()).Draw(t, "tile")
		if x := oracle.Of(tile); tile.Size() <= 16 && oracle.Complementable(x) {
			wantDivideBy(t, a, tile)
		}
		if c, err := girih.ComplementExact(a, girih.Int(1<<40)); err == nil {
			next := int64(1)
			for _, leaf := range byStride(a, c) {
				if leaf[1].Int64() != next {
					t.Fatalf("complement(%v) = %v: a stride of %v follows a block of %d", a, c, leaf[1], next)
				}
				next = leaf[0].Int64() * leaf[1].Int64()
			}
		}
		block := gen.Chained(8).Draw(t, "block")
		orders := rapid.OneOf(gen.CompactLayouts(), gen.ManyLeaves()).Draw(t, "orders")
		if p, err := girih.LogicalProduct(block, orders); err == nil && oracle.Surjective(oracle.Of(orders), orders.Size()) {
			if err := oracle.CheckProduct(oracle.Of(block), oracle.Of(orders), oracle.Of(p)); err != nil {
				t.Fatalf("%v x %v = %v: %v", block, orders, p, err)
			}
		}
	})
}

// table reports whether l is so large, but below the limit, that deciding something by its table takes a while.
func table(l girih.Layout) bool { return l.Size() > 1<<12 && l.Size() <= girih.EnumLimit }

// FuzzDrawn lets the fuzzer choose the seed of what is drawn. The choices themselves as input would be thousands of
// bytes, which the fuzzer spends its time to shorten.
func FuzzDrawn(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	property := rapid.MakeFuzz(drawnSmall)
	f.Fuzz(func(t *testing.T, seed uint64) {
		var key [32]byte
		binary.LittleEndian.PutUint64(key[:], seed)
		choices := make([]byte, 1<<12)
		_, _ = rand.NewChaCha8(key).Read(choices) // never fails
		property(t, choices)
	})
}

// FuzzOperations lets the fuzzer write the layouts.
func FuzzOperations(f *testing.F) {
	for _, x := range [][3]string{
		{"(6,2):(8,2)", "(4,3):(3,1)", "<2,_>"},
		{"(9,(4,8)):(59,(13,1))", "(3,(2,4)):(3,(1,8))", "<3:3,(2,4):(1,8)>"},
		{"((2,3),4):((5,7),11)", "(6,2):(1@0,2@1)", "(2,2)"},
		{"(4,4):(1@0,1@1)", "(2,2):(1,5)", "2:2"},
		{"9223372036854775807:1", "(2,1):(4611686018427387904,0)", "4"},
		{"(2,2,2):(1,1,3)", "3:3", "_"},
		{"():()", "(1,()):(0,())", "<>"},
		{"()", "(2)", "<>"},
		{"(4,1):(-1,7)", "(3,(2,(2,1))):(0,(-2,(5,1)))", "<<2>,2:0>"},
	} {
		f.Add(x[0], x[1], x[2], int64(4))
	}
	f.Fuzz(func(t *testing.T, x, y, z string, n int64) {
		a, err1 := girih.Parse(x)
		b, err2 := girih.Parse(y)
		tiler, err3 := girih.ParseTiler(z)
		if err1 != nil || err2 != nil || err3 != nil || len(x)+len(y)+len(z) > 200 || table(a) || table(b) {
			return // no layouts, or slow ones
		}
		everyOperation(t, a, b, tiler, n)
		wantDefinitions(t, a, b)
	})
}

// always gives an operation that has no error the form of those that have one.
func always(f func(girih.Layout) girih.Layout) func(girih.Layout) (girih.Layout, error) {
	return func(l girih.Layout) (girih.Layout, error) { return f(l), nil }
}
