package gen

import (
	"pgregory.net/rapid"

	"girih"
)

// Tilers draws tilers for the layout a of every kind, many of which fit it.
func Tilers(a girih.Layout) *rapid.Generator[girih.Tiler] {
	return rapid.Custom(func(t *rapid.T) girih.Tiler { return tiler(t, a, 2) })
}

// tiler draws a tiler for a, at most the given depth by mode.
func tiler(t *rapid.T, a girih.Layout, depth int) girih.Tiler {
	kind := draw(t, "kind of tiler", 0, 6)
	if depth == 0 {
		kind %= 4
	}
	modes := a.Modes()
	switch kind {
	case 0, 1:
		return girih.Int(draw(t, "tile", 1, 8))
	case 2:
		return Chained(8).Draw(t, "tile")
	case 3:
		return girih.Keep
	case 4:
		return girih.Ints(extents(t, int(draw(t, "modes of the tile", 0, int64(len(modes)))), MaxSize)...)
	}
	elems := make([]girih.Tiler, draw(t, "modes of the tile", 0, int64(len(modes))))
	for i := range elems {
		elems[i] = tiler(t, modes[i], depth-1)
	}
	return girih.MakeTile(elems...)
}

// Swizzles draws legal swizzles of small numbers.
func Swizzles() *rapid.Generator[girih.Swizzle] {
	return rapid.Custom(func(t *rapid.T) girih.Swizzle {
		b, m := draw(t, "b", 0, 3), draw(t, "m", 0, 4)
		s := draw(t, "s", b, 5)
		if once(t, "s < 0", 4) {
			s = -s
		}
		return must(girih.NewSwizzle(int(b), int(m), int(s)))
	})
}

// ComposedLayouts draws chains of a swizzle or a layout, an offset and a layout, now and then of two of them. Where the
// inner layout produces coordinates the outer one is flat.
func ComposedLayouts() *rapid.Generator[girih.Composed] {
	return rapid.Custom(func(t *rapid.T) girih.Composed {
		if once(t, "through coordinates", 5) {
			outer := Strided(0, 12).Draw(t, "outer").Flatten()
			return must(girih.NewComposed(outer, girih.Int(0), Into(outer.Shape()).Draw(t, "inner")))
		}
		c := stage(t, NonNegativeLayouts().Draw(t, "inner"))
		if once(t, "twice", 4) {
			return stage(t, c)
		}
		return c
	})
}

// stage puts a drawn function and offset in front of an inner function with values of at least 0.
func stage(t *rapid.T, inner girih.Inner) girih.Composed {
	offset := girih.Int(draw(t, "offset", 0, 40))
	if once(t, "layout outside", 3) {
		return must(girih.NewComposed(NonNegativeLayouts().Draw(t, "outer"), offset, inner))
	}
	return must(girih.NewComposed(Swizzles().Draw(t, "outer"), offset, inner))
}
