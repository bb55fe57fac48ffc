package device

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/descriptor"
	"girih/internal/lang/codegen"
	"girih/internal/why/explain"
)

// This file writes answers about descriptors as code.

// Fit writes a legal layout and its descriptors in three languages.
func Fit(f descriptor.Fit, layout cute.Inner) []Code {
	a, o := f.Atom, f.Operand
	shape := cute.Ints(f.Rows, f.K)
	if f.Stages > 1 {
		shape = cute.Ints(f.Rows, f.K, f.Stages)
	}
	order, tiled := tileOrder(a, shape, layout)
	cpp := ""
	dsl := fmt.Sprintf("layout = cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), 0, cute.make_layout(%v, stride=%v))",
		a.Swizzle.B(), a.Swizzle.M(), a.Swizzle.S(), plainOf(layout).Shape(), plainOf(layout).Stride())
	if tiled {
		cpp = fmt.Sprintf("auto layout = tile_to_shape(%s, %s%s);", atomCpp(a, o.Format), shapeCpp(shape), orderCpp(order))
		if tiled = a.Pattern != descriptor.SW128Base; tiled { // the atom of the DSL has 8 rows, the atom of C++ has 4
			dsl = fmt.Sprintf("layout = cute.tile_to_shape(atom, %v, order=%s)", shape, orderDSL(order, shape.Rank()))
		}
	} else {
		plain := plainOf(layout)
		inner, err := codegen.Write("cpp", codegen.Layout(plain))
		if err != nil {
			inner = plain.String()
		}
		w := a.Swizzle
		cpp = fmt.Sprintf("using Plain = decltype(%s);\nComposedLayout<Swizzle<%d,%d,%d>, smem_ptr_flag_bits<%d>, Plain> layout{};",
			strings.TrimSuffix(strings.TrimSpace(inner), ";"), w.B(), w.M(), w.S(), o.Bits)
	}
	space, make, major := "SM90::GMMA", "make_gmma_desc", "SM90::GMMA::Major"
	if o.Format == descriptor.SM100 {
		space, make, major = "UMMA", "make_umma_desc", "UMMA::Major"
	}
	index := "0"
	if f.Stages > 1 {
		index = "0, stage"
	}
	cpp += fmt.Sprintf("\nTensor s%v = make_tensor(make_smem_ptr(smem), layout); // smem at a multiple of %d bytes\n",
		o.Which, f.Matrices[0].Align()) +
		fmt.Sprintf("// what partition_fragment_%v makes of it, for the first instruction:\n", o.Which) +
		fmt.Sprintf("auto desc = %s::%s<%s::%v>(local_tile(s%v%s, %s, make_coord(0, %s)));", space, make, major, a.Major,
			o.Which,
			map[bool]string{true: "(_, _, stage)", false: ""}[f.Stages > 1], shapeCpp(cute.Ints(o.Rows, o.K)),
			strings.TrimSuffix(index, ", stage"))
	if tiled {
		dsl = atomDSL(a, o.Format) + "\n" + dsl
	}
	if f.Matrices[0].Base != 0 { // CuTe writes 0
		return []Code{{CUDA, fitCUDA(f)}}
	}
	return []Code{{CuTe, cpp}, {CUDA, fitCUDA(f)}, {DSL, dsl}}
}

// plainOf returns the layout without its swizzle.
func plainOf(l cute.Inner) cute.Layout {
	switch l := l.(type) {
	case cute.Layout:
		return l
	case cute.Composed:
		return l.Layout()
	}
	return cute.Layout{}
}

// tileOrder returns the order, if any, for which tile_to_shape of the atom gives the layout.
func tileOrder(a descriptor.Atom, shape cute.Tuple, layout cute.Inner) (cute.Tuple, bool) {
	c, ok := layout.(cute.Composed)
	if l, plain := layout.(cute.Layout); plain {
		c, ok = l.Composed(), true
	}
	if !ok {
		return cute.Tuple{}, false
	}
	orders := []cute.Tuple{cute.Ints(0, 1), cute.Ints(1, 0)}
	if shape.Rank() == 3 {
		orders = []cute.Tuple{cute.Ints(0, 1, 2), cute.Ints(1, 0, 2)}
	}
	for _, order := range orders {
		t, err := a.TileToShape(shape, order)
		if err != nil {
			continue
		}
		if same, _, err := t.Equivalent(c); err == nil && same {
			return order, true
		}
	}
	return cute.Tuple{}, false
}

// atomCpp writes an atom in C++.
func atomCpp(a descriptor.Atom, f descriptor.Format) string {
	if f == descriptor.SM100 {
		return "UMMA::" + a.Name() + "{}"
	}
	return "GMMA::" + a.Name() + "{}"
}

// shapeCpp writes a flat shape in C++.
func shapeCpp(shape cute.Tuple) string {
	var parts []string
	for _, n := range shape.Leaves() {
		parts = append(parts, fmt.Sprintf("_%d", n))
	}
	text := "Shape<" + strings.Join(parts, ",") + ">{}"
	for _, n := range shape.Leaves() { // CuTe names powers of two, and few others
		if n&(n-1) != 0 && n != 96 && n != 192 && n != 384 {
			text = strings.ReplaceAll(text, fmt.Sprintf("_%d", n), fmt.Sprintf("Int<%d>", n))
		}
	}
	return text
}

// orderCpp writes the order of tile_to_shape in C++, nothing for the usual one.
func orderCpp(order cute.Tuple) string {
	o := order.Leaves()
	if len(o) < 2 || o[0] < o[1] {
		return ""
	}
	text := ", Step<_2,_1"
	if len(o) > 2 {
		text += ",_3"
	}
	return text + ">{}"
}

// orderDSL writes the order of tile_to_shape in Python.
func orderDSL(order cute.Tuple, rank int) string {
	if o := order.Leaves(); len(o) > 1 && o[0] > o[1] {
		return map[bool]string{true: "(1, 0, 2)", false: "(1, 0)"}[rank == 3]
	}
	return map[bool]string{true: "(0, 1, 2)", false: "(0, 1)"}[rank == 3]
}

// atomDSL makes an atom in Python.
func atomDSL(a descriptor.Atom, f descriptor.Format) string {
	module := "warpgroup"
	if f == descriptor.SM100 {
		module = "tcgen05"
	}
	return fmt.Sprintf(
		"from cutlass.cute.nvgpu import %s\natom = %s.make_smem_layout_atom(%s.SmemLayoutAtomKind.%s, cutlass.%s)", module,
		module, module,
		a.Kind(), a.Type.DSL())
}

// Tile writes the layout of a tile that CUTLASS's builders select: the atom repeated over the tile.
func Tile(a descriptor.Atom, f descriptor.Format, tile [2]int64) []Code {
	shape := cute.Ints(tile[:]...)
	cpp := fmt.Sprintf("auto layout = tile_to_shape(%s, %s);", atomCpp(a, f), shapeCpp(shape))
	dsl := fmt.Sprintf("%s\nlayout = cute.tile_to_shape(atom, %v, order=(0, 1))", atomDSL(a, f), shape)
	if a.Pattern == descriptor.SW128Base {
		return []Code{{CuTe, cpp}} // the atom of the DSL has 8 rows: another layout of the same pattern
	}
	return []Code{{CuTe, cpp}, {DSL, dsl}}
}

// fitCUDA writes the descriptors with inline PTX alone.
func fitCUDA(f descriptor.Fit) string {
	first := f.Matrices[0]
	d := first
	d.Start = 0
	var b strings.Builder
	at := "tile"
	if first.Base != 0 { // a base offset depends on the address, so the code takes the pattern's start
		at = "smem"
	}
	fmt.Fprintf(&b, "// %v; %s at a multiple of %d bytes\n", first, at, multiple(first))
	fmt.Fprintf(&b, "__device__ uint64_t descriptor(const void* %s, int step, int block, int stage) {\n", at)
	fmt.Fprintf(&b, "  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(%s))", at)
	if !f.Alike || !f.Sum {
		fmt.Fprintf(&b, ";\n%s}\n", lookUp(f))
		return b.String() + asmOf(f.Operand, f.Atom.Major)
	}
	if first.Start > 0 {
		fmt.Fprintf(&b, " + %d", first.Start)
	}
	b.WriteString(";\n")
	for _, x := range []struct {
		name string
		a    descriptor.Advance
	}{{"step", f.Step}, {"block", f.Block}, {"stage", f.Stage}} {
		if x.a.Count < 2 {
			continue
		}
		if bytes, ok := x.a.Constant(); ok {
			fmt.Fprintf(&b, "  at += %d * %s;\n", bytes, x.name)
			continue
		}
		fmt.Fprintf(&b, "  constexpr uint32_t %ss[] = {%s};\n  at += %ss[%s];\n", x.name, commas(x.a.Starts), x.name, x.name)
	}
	fmt.Fprintf(&b, "  return 0x%016xull | (at & 0x3ffff) >> 4;\n}\n", d.Bits())
	b.WriteString(asmOf(f.Operand, f.Atom.Major))
	return b.String()
}

// lookUp is the body of a function that looks up descriptors that are not a sum of steps, blocks and stages.
func lookUp(f descriptor.Fit) string {
	var all []string
	for _, d := range f.Matrices {
		all = append(all, fmt.Sprintf("0x%016x", d.Bits()))
	}
	return explain.Wrap("  constexpr uint64_t all[] = {"+strings.Join(all, ", ")+"};", asmCols, "", "      ") +
		fmt.Sprintf("  uint64_t d = all[step + %d * (block + %d * stage)];\n", f.Step.Count, f.Block.Count) +
		"  return d & ~0x3fffull | (d + (at >> 4)) & 0x3fff;\n"
}

// multiple returns the address alignment, in bytes, for which the descriptor is right: 1024 with a base offset, which
// counts from such an address.
func multiple(d descriptor.Matrix) int64 {
	if d.Base != 0 {
		return descriptor.SW128.Align()
	}
	return d.Align()
}
