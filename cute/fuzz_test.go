package cute_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// These tests run every operation on arbitrary layouts: nothing panics, every error is an *Error, and on small layouts
// the results satisfy their definitions.

// everyOperation applies the package to two layouts and a tiler.
func everyOperation(t rapid.TB, a, b cute.Layout, tiler cute.Tiler, n int64) {
	t.Helper()
	try := func(what string, err error) {
		t.Helper()
		if errorCode(err) == "foreign" {
			t.Fatalf("%s of %v, %v, %v and %d: %v", what, a, b, tiler, n, err)
		}
	}
	layouts := func(what string, l cute.Layout, err error) {
		t.Helper()
		try(what, err)
		if err == nil {
			usable(t, what, l)
		}
	}
	for name, f := range map[string]func(a, b cute.Layout) (cute.Layout, error){
		"composition": cute.Composition, "blocked_product": cute.BlockedProduct, "raked_product": cute.RakedProduct,
		"max_common_layout": cute.MaxCommonLayout, "layout_add": cute.LayoutAdd,
		"greatest_common_domain": func(a, b cute.Layout) (cute.Layout, error) {
			return cute.GreatestCommonDomain(a.Shape(), b.Shape())
		},
	} {
		l, err := f(a, b)
		layouts(name, l, err)
	}
	for name, f := range map[string]func(a cute.Layout) (cute.Layout, error){
		"coalesce": always(cute.Coalesce), "coalesce_z": always(cute.CoalesceZ),
		"right_inverse": cute.RightInverse, "inverse": cute.Inverse,
		"complement": cute.ComplementCosize, "weak_complement": cute.WeakComplementCosize,
		"filter": always(cute.Filter), "filter_zeros": always(cute.FilterZeros), "nullspace": always(cute.Nullspace),
		"make_layout_like": cute.MakeLayoutLike, "reverse": cute.Layout.Reverse,
	} {
		l, err := f(a)
		layouts(name, l, err)
	}
	for name, f := range map[string]func(a cute.Layout, t cute.Tiler) (cute.Layout, error){
		"composition": cute.CompositionBy, "logical_product": cute.LogicalProduct, "zipped_product": cute.ZippedProduct,
		"tiled_product": cute.TiledProduct, "flat_product": cute.FlatProduct, "logical_divide": cute.LogicalDivideExact,
		"tile_unzip": cute.TileUnzip,
	} {
		for _, x := range []cute.Tiler{tiler, b, b.Shape()} {
			l, err := f(a, x)
			layouts(name, l, err)
		}
	}
	for _, op := range divides {
		for _, x := range []cute.Tiler{tiler, b, b.Shape()} {
			d, err := op.divide(a, x)
			layouts(op.name, d.Layout, err)
			_ = d.Padding.String()
			_, err = d.Padding.Contains(cute.Int(n))
			try("contains", err)
		}
	}
	for name, f := range map[string]func(a cute.Layout, n int64) (cute.Layout, error){
		"upcast": cute.Upcast, "downcast": cute.Downcast,
	} {
		l, err := f(a, n)
		layouts(name, l, err)
	}
	l, err := cute.Recast(a, n, 8)
	layouts("recast_layout", l, err)
	onShapes(t, a, b, n, layouts, try)
}

// onShapes applies the operations on shapes, coordinates and modes.
func onShapes(t rapid.TB, a, b cute.Layout, n int64, layouts func(string, cute.Layout, error), try func(string, error)) {
	t.Helper()
	s, u := a.Shape(), b.Shape()
	for name, f := range map[string]func(l cute.Layout, t cute.Tuple) (cute.Layout, error){
		"complement": cute.Complement, "complement, exact": cute.ComplementExact,
		"complement by mode": cute.ComplementByMode, "weak_complement": cute.WeakComplement,
		"coalesce by profile": cute.CoalesceProfile,
		"with_shape":          cute.Layout.WithShape, "unflatten": cute.Layout.Unflatten,
	} {
		for _, x := range []cute.Tuple{s, u, b.Stride(), cute.Int(n)} {
			l, err := f(a, x)
			layouts(name, l, err)
		}
	}
	for name, f := range map[string]func(s, u cute.Tuple) (cute.Tuple, error){
		"ceil_div": cute.CeilDiv, "shape_div": cute.ShapeDiv, "common_refinement": cute.CommonRefinement,
		"idx2crd": cute.Idx2Crd, "increment": cute.Increment, "add": cute.Tuple.Add, "sub": cute.Tuple.Sub,
	} {
		for _, x := range [][2]cute.Tuple{
			{s, u}, {a.Stride(), b.Stride()}, {cute.Int(n), s}, {s, cute.Int(n)}, {b.Stride(), s},
		} {
			r, err := f(x[0], x[1])
			try(name, err)
			_ = r.String()
		}
	}
	_, err := cute.Crd2Idx(b.Stride(), s)
	try("crd2idx", err)
	_, err = cute.ElemLess(b.Stride(), s)
	try("elem_less", err)
	_, _, _ = cute.Congruent(s, u), cute.WeaklyCongruent(s, u), cute.Compatible(s, u)
	l, err := cute.MakeOrderedLayout(s, b.Stride())
	layouts("make_ordered_layout", l, err)
	l, err = cute.MakeIdentityLayout(s)
	layouts("make_identity_layout", l, err)
	l, err = cute.TileToShape(a, u, cute.Tuple{})
	layouts("tile_to_shape", l, err)
	l, err = cute.MakeLayout(a, b)
	layouts("make_layout", l, err)
	l, err = cute.Zip(a, b)
	layouts("zip", l, err)
	l, err = a.GroupModes(int(n%4), int(n%7))
	layouts("group_modes", l, err)
	l, err = a.Select(int(n%5), 0)
	layouts("select", l, err)
	l, err = a.AppendToRank(int(n%9), b)
	layouts("append_to_rank", l, err)
	same, diff := cute.Equivalent(a, b)
	if same != (diff == nil) {
		t.Fatalf("%v and %v: equivalent %v, %v", a, b, same, diff)
	}
	c, err := cute.NewComposed(a, cute.Int(0), b)
	try("make_composed_layout", err)
	if err == nil {
		_, err = c.Eval(cute.Int(n))
		try("eval", err)
		_, err = c.Recast(8, max(n, 1))
		try("recast of a chain", err)
	}
}

// usable stops unless l is a proper layout: it prints, reads back and has values.
func usable(t rapid.TB, what string, l cute.Layout) {
	t.Helper()
	if l.Depth() < 200 {
		if back, err := cute.Parse(l.String()); err != nil || !back.Equal(l) {
			t.Fatalf("%s: %v reads back as %v, %v", what, l, back, err)
		}
	}
	if l.Size() < 1 {
		t.Fatalf("%s: %v has the size %d", what, l, l.Size())
	}
	for _, i := range []int64{0, l.Size() / 2, l.Size() - 1} {
		if _, err := l.Eval(cute.Int(i)); err != nil {
			t.Fatalf("%s: %v at %d: %v", what, l, i, err)
		}
	}
}

// small reports whether the brute-force definitions are cheap for l.
func small(l cute.Layout) bool {
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
func wantDefinitions(t rapid.TB, a, b cute.Layout) {
	t.Helper()
	if !small(a) || !small(b) {
		return
	}
	wantEquivalent(t, a, b)
	wantEquivalent(t, coalesce(t, a), a)
	wantComposition(t, a, b)
	if r, err := cute.RightInverse(a); err == nil {
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
func drawnOperations(t *rapid.T, a, b cute.Layout) {
	t.Helper()
	if table(a) || table(b) {
		return
	}
	tiler := gen.Tilers(a).Draw(t, "tiler")
	n := rapid.OneOf(rapid.Int64Range(-2, 70), rapid.Int64()).Draw(t, "n")
	everyOperation(t, a, b, tiler, n)
	wantDefinitions(t, a, b)
}

// Kernels keep few modes on their stack, and start again on the heap if a layout has more modes.
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
		if c, err := cute.ComplementExact(a, cute.Int(1<<40)); err == nil {
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
		if p, err := cute.LogicalProduct(block, orders); err == nil && oracle.Surjective(oracle.Of(orders), orders.Size()) {
			if err := oracle.CheckProduct(oracle.Of(block), oracle.Of(orders), oracle.Of(p)); err != nil {
				t.Fatalf("%v x %v = %v: %v", block, orders, p, err)
			}
		}
	})
}

// table reports whether l is large, but below the limit, so that a decision by its table takes a while.
func table(l cute.Layout) bool { return l.Size() > 1<<12 && l.Size() <= cute.EnumLimit }

// FuzzDrawn lets the fuzzer choose the seed of the drawn values. Fuzzing the choices themselves would need inputs of
// thousands of bytes, and the fuzzer would spend its time shortening them.
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
		a, err1 := cute.Parse(x)
		b, err2 := cute.Parse(y)
		tiler, err3 := cute.ParseTiler(z)
		if err1 != nil || err2 != nil || err3 != nil || len(x)+len(y)+len(z) > 200 || table(a) || table(b) {
			return // the texts are no layouts, or slow ones
		}
		everyOperation(t, a, b, tiler, n)
		wantDefinitions(t, a, b)
	})
}

// always wraps an operation without an error in the form of operations with one.
func always(f func(cute.Layout) cute.Layout) func(cute.Layout) (cute.Layout, error) {
	return func(l cute.Layout) (cute.Layout, error) { return f(l), nil }
}
