package tensormap_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/symbolic"
	"girih/tensormap"
)

// A randomTensor is a tensor with run-time integers, and numbers for them.
type randomTensor struct {
	layout symbolic.Layout
	at     symbolic.Values
}

// drawTensor makes a tensor whose extents and strides are numbers, symbols with facts, or products.
func drawTensor(t *rapid.T) randomTensor {
	var scope symbolic.Scope
	r := randomTensor{at: make(symbolic.Values)}
	numbers := []int64{
		1, 2, 3, 4, 6, 8, 16, 24, 32, 33, 64, 65, 100, 128, 256, 512, 4096,
		1 << 31, 1 << 32, 1<<32 + 1, 1 << 38, 1 << 39, 1<<40 - 16, 1 << 41,
	}
	symbols := map[string]*symbolic.Symbol{}
	symbol := func(label string) symbolic.Int {
		name := rapid.SampledFrom([]string{"K", "L", "M", "N"}).Draw(t, label)
		s, ok := symbols[name]
		if !ok {
			f := symbolic.NoFacts()
			f.Div = rapid.SampledFrom([]int64{1, 1, 2, 4, 8, 12, 16, 64}).Draw(t, "div")
			if rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
				f.Min = rapid.SampledFrom([]int64{0, 1, 2, 128}).Draw(t, "min")
				f.Max = rapid.SampledFrom([]int64{1 << 10, 1 << 20, 1 << 33}).Draw(t, "max")
			}
			s, _ = scope.Named(name, f)
			symbols[name] = s
			r.at[s] = f.Near(max(f.Div, rapid.SampledFrom(numbers).Draw(t, "value of "+name)))
		}
		return symbolic.Of(s)
	}
	leaf := func(label string) symbolic.Int {
		switch rapid.IntRange(0, 3).Draw(t, "kind of "+label) {
		case 0:
			return symbolic.Const(rapid.SampledFrom(numbers[:17]).Draw(t, label))
		case 1, 2:
			return symbol(label)
		}
		x, _ := symbolic.Mul(symbol(label), symbolic.Const(rapid.SampledFrom([]int64{1, 2, 3, 8, 64}).Draw(t, "times")))
		if rapid.Bool().Draw(t, "product") {
			x, _ = symbolic.Mul(x, symbol(label))
		}
		return x
	}
	rank := rapid.IntRange(1, 6).Draw(t, "rank")
	one := rapid.IntRange(-1, rank-1).Draw(t, "contiguous")
	var shape, stride []symbolic.Tuple
	for i := range rank {
		s, d := symbolic.Number(leaf("extent")), leaf("stride")
		if i == one {
			d = symbolic.Const(1)
		}
		if i > 0 && one != i && rapid.IntRange(0, 2).Draw(t, "follows") == 0 {
			d = shape[rapid.IntRange(0, i-1).Draw(t, "whose")].Integers()[0]
		}
		if rapid.IntRange(0, 7).Draw(t, "nested") == 0 {
			inner := symbolic.Const(rapid.SampledFrom([]int64{2, 8, 64}).Draw(t, "inner"))
			if rapid.IntRange(0, 3).Draw(t, "open") == 0 {
				inner = symbol("inner")
			}
			s, d2 := symbolic.Nest(symbolic.Number(inner), s), leaf("outer")
			shape, stride = append(shape, s), append(stride, symbolic.Nest(symbolic.Number(d), symbolic.Number(d2)))
			continue
		}
		shape, stride = append(shape, s), append(stride, symbolic.Number(d))
	}
	s, d := symbolic.Nest(shape...), symbolic.Nest(stride...)
	if rank == 1 && rapid.Bool().Draw(t, "single") && len(shape[0].Integers()) == 1 {
		s, d = shape[0], stride[0]
	}
	var err error
	if r.layout, err = symbolic.New(s, d); err != nil {
		t.Skip(err)
	}
	return r
}

// make plans the copy of one tensor.
func planFor(c tensormap.Copy, tile []int64, w *tensormap.Swizzle) (tensormap.Plan, error) {
	c, _, err := c.Fit(tile, w)
	if err != nil {
		return tensormap.Plan{}, err
	}
	return tensormap.Make(c)
}

// The condition of a tensor with run-time integers holds exactly if the plan of its numbers is legal.
func TestConditionsOfRunTimeTensors(t *testing.T) {
	t.Parallel()
	rapid.Check(t, conditionsHold)
}

func conditionsHold(t *rapid.T) {
	r := drawTensor(t)
	known, err := r.layout.At(r.at)
	if err != nil {
		t.Skip(err)
	}
	tile := make([]int64, len(r.layout.Modes()))
	for i := range tile {
		tile[i] = rapid.SampledFrom([]int64{1, 1, 2, 4, 8, 16, 32, 64, 128, 256}).Draw(t, "tile")
	}
	c := tensormap.Copy{
		Tiler: cute.Ints(tile...),
		Type: rapid.SampledFrom([]tensormap.Type{
			tensormap.Float16, tensormap.UInt8, tensormap.Float32, tensormap.Float64, tensormap.U4Align8,
		}).Draw(t, "type"),
	}
	var w *tensormap.Swizzle
	if rapid.IntRange(0, 3).Draw(t, "given") == 0 {
		given := []tensormap.Swizzle{tensormap.SwizzleNone, tensormap.Swizzle32B, tensormap.Swizzle128B}
		w = new(rapid.SampledFrom(given).Draw(t, "swizzle"))
	}
	cases, err := tensormap.Cases(r.layout, func(at *tensormap.Case) (tensormap.Plan, error) {
		of := c
		of.Case = at
		return planFor(of, tile, w)
	})
	if err != nil {
		t.Skip(err)
	}
	if slices.ContainsFunc(cases, func(o tensormap.Outcome) bool {
		e, ok := errors.AsType[*cute.Error](o.Err)
		return ok && e.Code == cute.CodeUnknown
	}) {
		t.Skip("refused")
	}
	legal := make([]symbolic.Guard, len(cases))
	for i, o := range cases {
		legal[i] = o.LegalIf()
	}
	c.Global = known
	p, err := planFor(c, tile, w)
	want := err == nil && holds(t, p.LegalIf(), nil)
	if got := holds(t, symbolic.AnyOf(legal...), r.at); got != want {
		t.Fatalf("%v at %v, tile %v: legal if %v, which is %v; the plan of the numbers is %v %v, legal %v", r.layout, known,
			tile, symbolic.AnyOf(legal...), got, p.Map, err, want)
	}
	for _, o := range cases {
		if want && holds(t, o.LegalIf(), r.at) {
			sameMap(t, o.Plan, p, r.at)
		}
	}
}

func holds(t *rapid.T, g symbolic.Guard, at symbolic.Values) bool {
	ok, err := g.Holds(at)
	if err != nil {
		t.Skip(err) // the number exceeds 64 bits
	}
	return ok
}

// sameMap compares a plan with expressions with the plan of the numbers. The former may have more dimensions, of one
// element.
func sameMap(t *rapid.T, open, known tensormap.Plan, at symbolic.Values) {
	if open.Run == nil || open.Map.Rank() != known.Map.Rank() {
		return
	}
	for i, x := range open.Run.Dims {
		if n, err := x.At(at); err != nil || n != known.Map.Dims[i] {
			t.Fatalf("globalDim %v is %d %v at %v, %v of the numbers", open.Run.Dims, n, err, at, known.Map)
		}
	}
	for i, x := range open.Run.Strides {
		if n, err := x.At(at); err != nil || n != known.Map.Strides[i] {
			t.Fatalf("globalStrides %v is %d %v at %v, %v of the numbers", open.Run.Strides, n, err, at, known.Map)
		}
	}
	if !slices.Equal(open.Map.Box, known.Map.Box) || open.Map.Swizzle != known.Map.Swizzle || open.Expect != known.Expect {
		t.Fatalf("%v, of the numbers %v", open.Map, known.Map)
	}
}

// The same holds for im2col maps.
func TestConditionsOfRunTimeImages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawTensor(t)
		n := len(r.layout.Modes())
		image, strides := r.layout.Shape().Integers(), r.layout.Stride().Integers()
		if n < 3 || n > 5 || len(image) != n {
			t.Skip("no image")
		}
		if rapid.Bool().Draw(t, "packed") {
			l, err := symbolic.LayoutRight(r.layout.Shape())
			if err != nil {
				t.Skip(err)
			}
			strides = l.Stride().Integers()
		} else {
			strides[n-1] = symbolic.Const(1)
		}
		draw := func(name string, xs ...int64) []int64 {
			out := make([]int64, n-2)
			for i := range out {
				out[i] = rapid.SampledFrom(xs).Draw(t, name)
			}
			return out
		}
		c := tensormap.Convolution{
			Filter: draw("filter", 1, 3, 5, 40), Lower: draw("lower", 0, 1, 2, 20),
			Stride: draw("stride", 1, 2, 9), Dilated: draw("dilated", 1, 2, 8),
			Type: tensormap.Float16, Channels: rapid.SampledFrom([]int64{8, 64, 65}).Draw(t, "channels"), Pixels: 64,
		}
		p, _, err := c.Open(image, strides)
		if err != nil {
			t.Skip(err)
		}
		known := func(xs []symbolic.Int) []int64 {
			out := make([]int64, len(xs))
			for i, x := range xs {
				if out[i], err = x.At(r.at); err != nil || out[i] > 1<<50 {
					t.Skip("beyond what a convolution takes")
				}
			}
			return out
		}
		c.Image, c.Strides = known(image), known(strides)
		if slices.Min(c.Image) < 1 {
			t.Skip("no image")
		}
		m, err := c.Map()
		want := err == nil && holds(t, tensormap.Plan{Map: m}.LegalIf(), nil)
		if got := holds(t, p.LegalIf(), r.at); got != want {
			t.Fatalf("%v: legal if %v, which is %v; the numbers give %v %v, legal %v", r.layout, p.LegalIf(), got, m, err, want)
		}
	})
}
