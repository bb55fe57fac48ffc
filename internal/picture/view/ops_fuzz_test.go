package view

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/picture/draw"
)

// checkOps draws operations on many kinds of layouts: no picture panics, contains shapes outside of its area or takes
// long, and every error has a code.
func checkOps(t *rapid.T) {
	layout := func(name string) cute.Layout {
		switch rapid.IntRange(0, 4).Draw(t, "kind of "+name) {
		case 0:
			return gen.HugeLayouts().Draw(t, name)
		case 1:
			return gen.MultiAxis().Draw(t, name)
		case 2:
			return gen.PowersOfTwo().Draw(t, name)
		}
		return gen.Layouts().Draw(t, name)
	}
	a, b := layout("a"), layout("b")
	n := rapid.Int64Range(-1, 2000).Draw(t, "n")
	op := func(names ...string) string { return rapid.SampledFrom(names).Draw(t, "op") }
	tiler := cute.Tiler(b)
	if rapid.Bool().Draw(t, "by mode") {
		tiler = cute.MakeTile(b, cute.Keep)
	}
	o := Options{MaxCells: rapid.SampledFrom([]int{0, 1, 16}).Draw(t, "cells")}
	shape := b.Shape()
	for name, f := range map[string]func() (*draw.Scene, error){
		"composition": func() (*draw.Scene, error) { return Composition(a, b, o) },
		"divide": func() (*draw.Scene, error) {
			return Divide(op("logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "flat_divide_exact"), a, tiler, o)
		},
		"product": func() (*draw.Scene, error) {
			return Product(op("logical_product", "zipped_product", "tiled_product", "flat_product"), a, tiler, o)
		},
		"blocked":       func() (*draw.Scene, error) { return Product(op("blocked_product", "raked_product"), a, b, o) },
		"tile_to_shape": func() (*draw.Scene, error) { return TileToShape(a, shape, cute.Ints(), o) },
		"complement":    func() (*draw.Scene, error) { return Complement(a, cute.Int(n), o) },
		"inverse":       func() (*draw.Scene, error) { return Inverse(op("right_inverse", "left_inverse", "inverse"), a, o) },
		"coalesce":      func() (*draw.Scene, error) { return Coalesce(a, nil, o) },
		"by profile":    func() (*draw.Scene, error) { return Coalesce(a, &shape, o) },
		"compare":       func() (*draw.Scene, error) { return Compare(a, b, o) },
	} {
		start := time.Now()
		s, err := f()
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("%s of %v and %v took %v", name, a, b, took)
		}
		if e, ok := errors.AsType[*cute.Error](err); err != nil && (!ok || e.Code == "") {
			t.Fatalf("%s of %v and %v: an error without a code: %v", name, a, b, err)
		}
		if (s == nil) == (err == nil) {
			t.Fatalf("%s of %v and %v: picture %v, error %v", name, a, b, s, err)
		}
	}
}

func TestOpsFuzz(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkOps)
}

func FuzzOps(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkOps)) }
