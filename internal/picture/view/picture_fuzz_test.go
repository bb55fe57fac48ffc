package view

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"girih/banks"
	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/picture/draw"
	"girih/linear"
)

// checkPictures draws a value in every way. It checks that no picture has shapes outside of its area or takes long,
// and that every error has a code.
func checkPictures(t *rapid.T) {
	var l cute.Layout
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		l = gen.HugeLayouts().Draw(t, "layout")
	case 1:
		l = gen.ManyLeaves().Draw(t, "layout")
	case 2:
		l = gen.MultiAxis().Draw(t, "layout")
	case 3:
		l = gen.PowersOfTwo().Draw(t, "layout")
	default:
		l = gen.Layouts().Draw(t, "layout")
	}
	c := gen.ComposedLayouts().Draw(t, "composed")
	bits := rapid.SampledFrom([]int{0, 1, 4, 8, 16, 32, 64, 128}).Draw(t, "bits")
	o := Options{
		MaxCells: rapid.SampledFrom([]int{0, 1, 16}).Draw(t, "cells"),
		ColorBy:  rapid.SampledFrom([]ColorBy{ColorAuto, ColorVector, ColorValue, ColorBank}).Draw(t, "fill"),
		ElemBits: bits,
	}
	sw, err := cute.NewComposed(gen.Swizzles().Draw(t, "swizzle"), cute.Int(0), l)
	if err != nil {
		sw = c
	}
	for _, x := range []cute.Composed{c, sw} {
		checkPicture(t, func() (*draw.Scene, error) { return Swizzle(x, bits, o) })
		checkPicture(t, func() (*draw.Scene, error) { return WiringComposed(x, o) })
	}
	tiler := rapid.SampledFrom([]cute.Tiler{
		l, cute.MakeTile(l), cute.MakeTile(l, cute.Keep), cute.MakeTile(c.Layout(), l),
	}).Draw(t, "tiler")
	tile := rapid.SampledFrom([]cute.Tuple{c.Shape(), l.Shape(), cute.Int(l.Size())}).Draw(t, "tile")
	for _, f := range []func() (*draw.Scene, error){
		func() (*draw.Scene, error) { return Layout(l, o) },
		func() (*draw.Scene, error) { return ComposedLayout(sw, o) },
		func() (*draw.Scene, error) { return Tile(tiler, o) },
		func() (*draw.Scene, error) { return TV(l, tile, o) },
		func() (*draw.Scene, error) { return Hardware(l, tile, o) },
		func() (*draw.Scene, error) { return Dual(l, tile, o) },
		func() (*draw.Scene, error) { return Wiring(l, o) },
	} {
		checkPicture(t, f)
	}
	if m, err := linear.FromLayout(l); err == nil {
		checkPicture(t, func() (*draw.Scene, error) { return Matrix(m, o), nil })
		checkPicture(t, func() (*draw.Scene, error) { return WiringLinear(m, o), nil })
	}
	target := rapid.SampledFrom(banks.Targets()).Draw(t, "target")
	access, err := banks.ParseAccess(rapid.SampledFrom([]string{"ld", "st.64", "ld.128", "ldmatrix.x2"}).Draw(t, "access"),
		32)
	if err != nil {
		t.Fatal(err)
	}
	rule, err := target.Rule(access)
	if err != nil {
		return
	}
	threads := rapid.SampledFrom([]banks.Threads{{}, banks.Rows(), banks.Cols()}).Draw(t, "threads")
	for _, m := range []banks.Memory{l, c} {
		if m.Size() > 1<<12 {
			continue
		}
		plan, err := banks.NewPlan(rule, m, 32, threads)
		if err != nil {
			continue
		}
		checkPicture(t, func() (*draw.Scene, error) { return Bank(BankCase{Plan: plan}, o) })
		checkPicture(t, func() (*draw.Scene, error) { return BankTile(m, BankCase{Plan: plan}, o) })
		checkPicture(t, func() (*draw.Scene, error) { return Banks([]BankCase{{Plan: plan}, {Name: "again", Plan: plan}}, o) })
	}
}

func checkPicture(t *rapid.T, f func() (*draw.Scene, error)) {
	begin := time.Now()
	s, err := f()
	if d := time.Since(begin); d > 10*time.Second {
		t.Fatalf("expected a picture, or an error, at once, found %v after %v", err, d)
	}
	if err != nil {
		if _, ok := errors.AsType[*cute.Error](err); !ok {
			t.Fatalf("expected an error with a code, found %v", err)
		}
		return
	}
	for _, sh := range s.Shapes() {
		if b := bounds(s, sh); b[0] < 0 || b[1] < 0 || b[2] > s.W || b[3] > s.H {
			t.Fatalf("%s: expected all of %+v inside of %v by %v, found %v", s.Title, sh, s.W, s.H, b)
		}
	}
}

func TestPicturesOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, checkPictures)
}

func FuzzPictures(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkPictures)) }
