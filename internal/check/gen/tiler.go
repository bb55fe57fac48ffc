package gen

import (
	"pgregory.net/rapid"

	"girih/cute"
)

// Tilers draws tilers of every kind for the layout a; many of them fit a.
func Tilers(a cute.Layout) *rapid.Generator[cute.Tiler] {
	return rapid.Custom(func(t *rapid.T) cute.Tiler { return tiler(t, a, 2) })
}

// tiler draws a tiler for a, with tilers by mode nested at most to the given depth.
func tiler(t *rapid.T, a cute.Layout, depth int) cute.Tiler {
	kind := draw(t, "kind of tiler", 0, 6)
	if depth == 0 {
		kind %= 4
	}
	modes := a.Modes()
	switch kind {
	case 0, 1:
		return cute.Int(draw(t, "tile", 1, 8))
	case 2:
		return Chained(8).Draw(t, "tile")
	case 3:
		return cute.Keep
	case 4:
		return cute.Ints(extents(t, int(draw(t, "modes of the tile", 0, int64(len(modes)))), MaxSize)...)
	}
	elems := make([]cute.Tiler, draw(t, "modes of the tile", 0, int64(len(modes))))
	for i := range elems {
		elems[i] = tiler(t, modes[i], depth-1)
	}
	return cute.MakeTile(elems...)
}

// Swizzles draws legal swizzles with small parameters.
func Swizzles() *rapid.Generator[cute.Swizzle] {
	return rapid.Custom(func(t *rapid.T) cute.Swizzle {
		b, m := draw(t, "b", 0, 3), draw(t, "m", 0, 4)
		s := draw(t, "s", b, 5)
		if once(t, "s < 0", 4) {
			s = -s
		}
		return must(cute.NewSwizzle(int(b), int(m), int(s)))
	})
}

// ComposedLayouts draws a swizzle or a layout, composed with an offset and an inner layout; now and then it adds a
// second such stage. If the inner layout produces coordinates, the outer layout is flat.
func ComposedLayouts() *rapid.Generator[cute.Composed] {
	return rapid.Custom(func(t *rapid.T) cute.Composed {
		if once(t, "through coordinates", 5) {
			outer := Strided(0, 12).Draw(t, "outer").Flatten()
			return must(cute.NewComposed(outer, cute.Int(0), Into(outer.Shape()).Draw(t, "inner")))
		}
		c := stage(t, NonNegativeLayouts().Draw(t, "inner"))
		if once(t, "twice", 4) {
			return stage(t, c)
		}
		return c
	})
}

// stage composes a drawn function and a drawn offset with an inner function whose values are not negative.
func stage(t *rapid.T, inner cute.Inner) cute.Composed {
	offset := cute.Int(draw(t, "offset", 0, 40))
	if once(t, "layout outside", 3) {
		return must(cute.NewComposed(NonNegativeLayouts().Draw(t, "outer"), offset, inner))
	}
	return must(cute.NewComposed(Swizzles().Draw(t, "outer"), offset, inner))
}
