package eval

import (
	"strings"

	"girih"
)

func tilingBuiltins() []Builtin {
	const group = "divide and product"
	var bs []Builtin
	for _, d := range []struct {
		name, form, out string
		padded          func(girih.Until, girih.Layout, girih.Tiler) (girih.Division, error)
		exact           func(girih.Until, girih.Layout, girih.Tiler) (girih.Layout, error)
	}{
		{"logical_divide", "((TileM,RestM),(TileN,RestN),L,...)", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))", girih.Until.LogicalDivide, girih.Until.LogicalDivideExact},
		{"zipped_divide", "((TileM,TileN),(RestM,RestN,L,...))", "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))", girih.Until.ZippedDivide, girih.Until.ZippedDivideExact},
		{"tiled_divide", "((TileM,TileN),RestM,RestN,L,...)", "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))", girih.Until.TiledDivide, girih.Until.TiledDivideExact},
		{"flat_divide", "(TileM,TileN,RestM,RestN,L,...)", "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))", girih.Until.FlatDivide, girih.Until.FlatDivideExact},
	} {
		const args = "((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)"
		bs = append(bs,
			Builtin{
				Name: d.name, Params: "L, tiler", Group: group, least: 2, most: 2,
				Doc: "Divides L by the tiler and returns it as " + d.form + ". A layout as tiler tiles the whole domain, a tile or a " +
					"shape tiles mode by mode, and _ leaves a mode alone. Where the tiles do not fit it pads, as CuTe does, and a note says how much and which elements are real.",
				Example: d.name + args, Output: d.out,
				call: divide(d.padded),
			},
			Builtin{
				Name: d.name + "_exact", Params: "L, tiler", Group: group, least: 2, most: 2,
				Doc:     "Returns " + d.name + ", and refuses where that would pad.",
				Example: d.name + "_exact" + args, Output: d.out,
				call: tiled(d.exact),
			})
	}
	for _, p := range []struct {
		name, form, out string
		f               func(girih.Until, girih.Layout, girih.Tiler) (girih.Layout, error)
	}{
		{"logical_product", "(block,repeats), or ((M,TileM),(N,TileN),L,...) for a tile or a shape", "((2,5),(3,4)):((5,1),(10,30))", girih.Until.LogicalProduct},
		{"zipped_product", "((M,N),(TileM,TileN,L,...))", "((2,5),(3,4)):((5,1),(10,30))", girih.Until.ZippedProduct},
		{"tiled_product", "((M,N),TileM,TileN,L,...)", "((2,5),3,4):((5,1),10,30)", girih.Until.TiledProduct},
		{"flat_product", "(M,N,TileM,TileN,L,...)", "(2,5,3,4):(5,1,10,30)", girih.Until.FlatProduct},
	} {
		bs = append(bs, Builtin{
			Name: p.name, Params: "block, tiler", Group: group, least: 2, most: 2,
			Doc:     "Repeats the block over the tiler and returns it as " + p.form + ". The copies first fill the block's gaps, then follow it.",
			Example: p.name + "((2,5):(5,1), (3,4):(1,3))", Output: p.out,
			call: tiled(p.f),
		})
	}
	return append(bs,
		Builtin{
			Name: "blocked_product", Params: "block, tiler", Group: group, least: 2, most: 2,
			Doc:     "Repeats the block over the layout mode by mode, copies side by side: mode i is (block mode i, repeats).",
			Example: "blocked_product((2,5):(5,1), (3,4):(1,3))", Output: "((2,3),(5,4)):((5,10),(1,30))",
			call: modewise(girih.Until.BlockedProduct),
		},
		Builtin{
			Name: "raked_product", Params: "block, tiler", Group: group, least: 2, most: 2,
			Doc:     "Repeats the block over the layout mode by mode, copies interleaved: mode i is (repeats, block mode i).",
			Example: "raked_product((2,5):(5,1), (3,4):(1,3))", Output: "((3,2),(4,5)):((10,5),(30,1))",
			call: modewise(girih.Until.RakedProduct),
		})
}

// divide calls a divide that may pad, and notes the padding.
func divide(f func(girih.Until, girih.Layout, girih.Tiler) (girih.Division, error)) func(*call) (Value, error) {
	return tiled(nil, f)
}

// tiled calls an operation on the domain with a tiler.
func tiled(
	plain func(girih.Until, girih.Layout, girih.Tiler) (girih.Layout, error),
	padded ...func(girih.Until, girih.Layout, girih.Tiler) (girih.Division, error),
) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		if v, ok := c.args[1].(Composed); ok {
			return c.byFunction(v.Composed)
		}
		t, err := c.tiler(1)
		if err != nil {
			return nil, err
		}
		tile := func(l girih.Layout) (girih.Division, error) {
			if plain == nil {
				return padded[0](c.env.stop(), l, t)
			}
			r, err := plain(c.env.stop(), l, t)
			return girih.Division{Layout: r}, err
		}
		var d girih.Division
		v, err := c.domain(0, func(l girih.Layout) (girih.Layout, error) {
			form, rest, _ := strings.Cut(c.fn.Name, "_")
			if m, ok := keptPair(l, t); ok && form != "logical" {
				c.env.note("_ leaves %v alone: it is whole among the rests. CuTe takes a mode of rank 2 for (tile,rest) there, "+
					"as tile_unzip(logical_%s(L, tiler), tiler) does", m, rest)
			}
			var err error
			d, err = tile(l)
			return d.Layout, err
		})
		if f, ok := c.args[0].(Composed); ok && strings.Contains(c.fn.Name, "divide") && (err != nil || !d.Padding.None()) {
			if r, p, ok := tiledIndices(f.Composed, tile); ok && (err != nil || p.None()) {
				v, d.Padding, err = r, p, nil
			}
		}
		if err == nil && !d.Padding.None() {
			c.env.note("%v", d.Padding)
		}
		return v, err
	}
}

// tiledIndices divides the indices of a composed layout and not its inner layout, which may be divided by no layout
// where the function is, or be padded: f o (T,T*).
func tiledIndices(f girih.Composed, tile func(girih.Layout) (girih.Division, error)) (Value, girih.Padding, bool) {
	indices, err := girih.LayoutLeft(f.Shape())
	if err != nil {
		return nil, girih.Padding{}, false
	}
	d, err := tile(indices)
	if err != nil {
		return nil, girih.Padding{}, false
	}
	v, err := functionValue(f.Compose(d.Layout))
	return v, d.Padding, err == nil
}

// keptPair returns the first mode of rank 2 that the tiler leaves alone.
func keptPair(l girih.Layout, t girih.Tiler) (girih.Layout, bool) {
	if t == girih.Keep {
		return l, l.Rank() == 2 && !l.Shape().IsInt()
	}
	if tile, ok := t.(girih.Tile); ok {
		ms := l.Modes()
		for i, e := range tile.Modes() {
			if i >= len(ms) {
				break
			}
			if m, ok := keptPair(ms[i], e); ok {
				return m, true
			}
		}
	}
	return girih.Layout{}, false
}

// modewise calls a product whose tiler is a layout.
func modewise(f func(stop girih.Until, a, b girih.Layout) (girih.Layout, error)) func(*call) (Value, error) {
	return func(c *call) (Value, error) {
		if v, ok := c.args[1].(Composed); ok {
			return c.byFunction(v.Composed)
		}
		b, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		return c.domain(0, func(a girih.Layout) (girih.Layout, error) { return f(c.env.stop(), a, b) })
	}
}
