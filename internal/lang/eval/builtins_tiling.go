package eval

import (
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/linear"
	"girih/symbolic"
)

// This file defines the rows of divides and products, and the one method that these rows share. A tiling records what
// is computed, and in which of CuTe's four forms the result is returned. logical_divide(L, tiler) is the form Logical,
// ((TileM,RestM),...), and zipped_divide gathers the tiles, ((TileM,...),(RestM,...)).

// tilingRows returns the built-ins that divide layouts into tiles, and repeat blocks.
func tilingRows() []Builtin {
	return []Builtin{
		{
			Name: "blocked_product", Params: "block, tiler",
			Doc:     "Repeats the block over the layout mode by mode, with the copies side by side: mode i is (block mode i, repeats).",
			Example: "blocked_product((2,5):(5,1), (3,4):(1,3))", Output: "((2,3),(5,4)):((5,10),(1,30))",
			known:   modewise(cute.Until.BlockedProduct, blockThenRepeats),
			dynamic: dynamicProduct(symbolic.BlockedProduct), xor: xorModewise(linear.XorLayout.BlockedProduct),
		},
		{
			Name: "raked_product", Params: "block, tiler",
			Doc:     "Repeats the block over the layout mode by mode, with the copies interleaved: mode i is (repeats, block mode i).",
			Example: "raked_product((2,5):(5,1), (3,4):(1,3))", Output: "((3,2),(4,5)):((10,5),(30,1))",
			known:   modewise(cute.Until.RakedProduct, repeatsThenBlock),
			dynamic: dynamicProduct(symbolic.RakedProduct), xor: xorModewise(linear.XorLayout.RakedProduct),
		},
		divideRow("logical_divide", "((TileM,RestM),(TileN,RestN),L,...)", logicalDivided, logicalDivide),
		divideRow("zipped_divide", "((TileM,TileN),(RestM,RestN,L,...))", zippedDivided, zippedDivide),
		divideRow("tiled_divide", "((TileM,TileN),RestM,RestN,L,...)", tiledDivided, tiledDivide),
		divideRow("flat_divide", "(TileM,TileN,RestM,RestN,L,...)", flatDivided, flatDivide),
		exactRow("logical_divide", logicalDivided, logicalDivide),
		exactRow("zipped_divide", zippedDivided, zippedDivide),
		exactRow("tiled_divide", tiledDivided, tiledDivide),
		exactRow("flat_divide", flatDivided, flatDivide),
		productRow("logical_product", "(block,repeats), or ((M,TileM),(N,TileN),L,...) for a tile or a shape",
			"((2,5),(3,4)):((5,1),(10,30))", logicalProduct),
		productRow("zipped_product", "((M,N),(TileM,TileN,L,...))", "((2,5),(3,4)):((5,1),(10,30))", zippedProduct),
		productRow("tiled_product", "((M,N),TileM,TileN,L,...)", "((2,5),3,4):((5,1),10,30)", tiledProduct),
		productRow("flat_product", "(M,N,TileM,TileN,L,...)", "(2,5,3,4):(5,1,10,30)", flatProduct),
	}
}

// The divides and the products in their four forms.
var (
	logicalDivide = tiling{symbolic.Logical, cute.Until.LogicalDivide, cute.Until.LogicalDivideExact}
	zippedDivide  = tiling{symbolic.Zipped, cute.Until.ZippedDivide, cute.Until.ZippedDivideExact}
	tiledDivide   = tiling{symbolic.Tiled, cute.Until.TiledDivide, cute.Until.TiledDivideExact}
	flatDivide    = tiling{symbolic.Flat, cute.Until.FlatDivide, cute.Until.FlatDivideExact}

	logicalProduct = tiling{form: symbolic.Logical, whole: cute.Until.LogicalProduct}
	zippedProduct  = tiling{form: symbolic.Zipped, whole: cute.Until.ZippedProduct}
	tiledProduct   = tiling{form: symbolic.Tiled, whole: cute.Until.TiledProduct}
	flatProduct    = tiling{form: symbolic.Flat, whole: cute.Until.FlatProduct}
)

// The operands of the examples of divides, and the results.
const (
	divideOperands = "((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)"
	logicalDivided = "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"
	zippedDivided  = "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"
	tiledDivided   = "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"
	flatDivided    = "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"
)

// productRow returns the row of a product.
//
//go:noinline
func productRow(name, shape, output string, t tiling) Builtin {
	return Builtin{
		Name: name, Params: "block, tiler",
		Doc:     "Repeats the block over the tiler and returns it as " + shape + ". The copies first fill the gaps of the block, then follow it.",
		Example: name + "((2,5):(5,1), (3,4):(1,3))", Output: output,
		known: t.onKnown, dynamic: t.dynamicProduct, xor: t.xorProduct,
		bits: t.overBits(f2.Matrix.LogicalProduct),
	}
}

// blockThenRepeats and repeatsThenBlock pair the modes of a block with its repeats.
func blockThenRepeats(block, repeats cute.Layout) (cute.Layout, error) {
	return cute.Zip(block, repeats)
}

func repeatsThenBlock(block, repeats cute.Layout) (cute.Layout, error) {
	return cute.Zip(repeats, block)
}

// divideRow returns the row of a divide that may pad.
//
//go:noinline
func divideRow(name, shape, output string, t tiling) Builtin {
	t.whole = nil
	return Builtin{
		Name: name, Params: "L, tiler",
		Doc: "Divides L by the tiler and returns it as " + shape + ". A layout as tiler tiles the whole domain, a tile or a " +
			"shape tiles mode by mode, and _ leaves a mode unchanged. If the tiles do not fit, it pads as CuTe does; a note says how much, " +
			"and which elements are real.",
		Example: name + divideOperands, Output: output,
		known: t.onKnown, dynamic: t.dynamicDivide, xor: t.xorDivide, bits: t.overBits(f2.Matrix.LogicalDivide),
	}
}

// exactRow returns the row of a divide that refuses to pad.
//
//go:noinline
func exactRow(name, output string, t tiling) Builtin {
	return Builtin{
		Name: name + "_exact", Params: "L, tiler",
		Doc:     "Returns " + name + "; refuses if that would pad.",
		Example: name + "_exact" + divideOperands, Output: output,
		known: t.onKnown, dynamic: t.dynamicDivide, xor: t.xorDivide,
	}
}

// A tiling is a divide, an exact divide, or a product, in one of the four forms of the result.
type tiling struct {
	form   symbolic.Form
	padded func(cute.Until, cute.Layout, cute.Tiler) (cute.Division, error) // nil for a product
	whole  func(cute.Until, cute.Layout, cute.Tiler) (cute.Layout, error)   // nil for a divide that pads
}

// on tiles a layout of known integers.
func (t tiling) on(stop cute.Until, l cute.Layout, by cute.Tiler) (cute.Division, error) {
	if t.whole == nil {
		return t.padded(stop, l, by)
	}
	r, err := t.whole(stop, l, by)
	return cute.Division{Layout: r}, err
}

// onKnown tiles a layout or a composed layout, and notes the padding.
func (t tiling) onKnown(c *call) (Value, error) {
	if v, ok := c.args[1].(Composed); ok {
		of := cute.LogicalProductBy
		if t.padded != nil {
			of = cute.LogicalDivideBy
		}
		return c.byFunction(v.Composed, of, t.arrange)
	}
	by, err := c.tiler(1)
	if err != nil {
		return nil, err
	}
	tile := func(l cute.Layout) (cute.Division, error) { return t.on(c.env.stop(), l, by) }
	var d cute.Division
	v, err := c.domain(0, func(l cute.Layout) (cute.Layout, error) {
		if m, ok := keptPair(l, by); ok && t.form != symbolic.Logical {
			_, rest, _ := strings.Cut(c.fn.Name, "_")
			c.env.note("_ leaves %v unchanged: it is whole among the rests. CuTe takes a mode of rank 2 for (tile,rest) there, "+
				"as tile_unzip(logical_%s(L, tiler), tiler) does", m, rest)
		}
		var err error
		d, err = tile(l)
		return d.Layout, err
	})
	if f, ok := c.args[0].(Composed); ok && t.padded != nil && (err != nil || !d.Padding.None()) {
		if r, p, ok := tiledIndices(f.Composed, tile); ok && (err != nil || p.None()) {
			v, d.Padding, err = r, p, nil
		}
	}
	if err == nil && !d.Padding.None() {
		c.env.note("%v", d.Padding)
	}
	return v, err
}

// arrange returns the tiles and the rests, or the block and its repeats, in the form of t.
func (t tiling) arrange(first, second cute.Layout) (cute.Layout, error) {
	switch t.form {
	case symbolic.Tiled:
		return cute.MakeLayout(append([]cute.Layout{first}, second.Modes()...)...)
	case symbolic.Flat:
		return cute.MakeLayout(append(first.Modes(), second.Modes()...)...)
	}
	return cute.MakeLayout(first, second)
}

// tiledIndices divides the indices of a composed layout: f o (T,T*). Dividing the inner layout instead may fail or pad
// where dividing the indices does neither.
func tiledIndices(f cute.Composed, tile func(cute.Layout) (cute.Division, error)) (Value, cute.Padding, bool) {
	indices, err := cute.LayoutLeft(f.Shape())
	if err != nil {
		return nil, cute.Padding{}, false
	}
	d, err := tile(indices)
	if err != nil {
		return nil, cute.Padding{}, false
	}
	v, err := functionValue(f.Compose(d.Layout))
	return v, d.Padding, err == nil
}

// keptPair returns the first mode with rank 2 that the tiler leaves unchanged.
func keptPair(l cute.Layout, t cute.Tiler) (cute.Layout, bool) {
	if t == cute.Keep {
		return l, l.Rank() == 2 && !l.Shape().IsInt()
	}
	if tile, ok := t.(cute.Tile); ok {
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
	return cute.Layout{}, false
}

// modewise calls a product whose tiler is a layout. As CuTe does, it pads the operand with fewer modes with 1:0.
//
//go:noinline
func modewise(
	f func(stop cute.Until, a, b cute.Layout) (cute.Layout, error),
	arranged func(block, repeats cute.Layout) (cute.Layout, error),
) method {
	return func(c *call) (Value, error) {
		if v, ok := c.args[1].(Composed); ok {
			return c.byFunction(v.Composed, func(l cute.Layout, tile cute.Composed) (cute.Composed, error) {
				n := max(l.Rank(), tile.Rank())
				l, err := padModes(l, n)
				if err != nil {
					return tile, err
				}
				if tile, err = tile.Map(func(in cute.Layout) (cute.Layout, error) { return padModes(in, n) }); err != nil {
					return tile, err
				}
				return cute.LogicalProductBy(l, tile)
			}, arranged)
		}
		b, err := c.layout(1)
		if err != nil {
			return nil, err
		}
		return c.domain(0, func(a cute.Layout) (cute.Layout, error) { return f(c.env.stop(), a, b) })
	}
}
