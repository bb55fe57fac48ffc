package service

import (
	"fmt"
	"strings"

	"girih"
	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/lang/codegen"
)

// This file writes answers about descriptors as code.

const (
	langCuTe = "CuTe C++"
	langCUDA = "CUDA C++"
	langDSL  = "CuTe DSL"
)

// fitCode writes a legal layout and its descriptors in three languages.
func fitCode(f descriptor.Fit, layout girih.Inner) []DescriptorCode {
	a, o := f.Atom, f.Operand
	shape := girih.Ints(f.Rows, f.K)
	if f.Stages > 1 {
		shape = girih.Ints(f.Rows, f.K, f.Stages)
	}
	order, tiled := tileOrder(a, shape, layout)
	cpp := ""
	dsl := fmt.Sprintf("layout = cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), 0, cute.make_layout(%v, stride=%v))",
		a.Swizzle.B(), a.Swizzle.M(), a.Swizzle.S(), plainOf(layout).Shape(), plainOf(layout).Stride())
	if tiled {
		cpp = fmt.Sprintf("auto layout = tile_to_shape(%s, %s%s);", atomCpp(a, o.Format), shapeCpp(shape), orderCpp(order))
		if tiled = a.Pattern != descriptor.SW128Base; tiled { // the atom of the DSL has 8 rows where that of C++ has 4
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
			map[bool]string{true: "(_, _, stage)", false: ""}[f.Stages > 1], shapeCpp(girih.Ints(o.Rows, o.K)),
			strings.TrimSuffix(index, ", stage"))
	if tiled {
		dsl = atomDSL(a, o.Format) + "\n" + dsl
	}
	return []DescriptorCode{{langCuTe, cpp}, {langCUDA, fitCUDA(f)}, {langDSL, dsl}}
}

// plainOf returns the layout behind the swizzle.
func plainOf(l girih.Inner) girih.Layout {
	switch l := l.(type) {
	case girih.Layout:
		return l
	case girih.Composed:
		return l.Layout()
	}
	return girih.Layout{}
}

// tileOrder returns the order in which tile_to_shape of the atom is the layout, if there is one.
func tileOrder(a descriptor.Atom, shape girih.Tuple, layout girih.Inner) (girih.Tuple, bool) {
	c, ok := layout.(girih.Composed)
	if l, plain := layout.(girih.Layout); plain {
		c, ok = l.Composed(), true
	}
	if !ok {
		return girih.Tuple{}, false
	}
	orders := []girih.Tuple{girih.Ints(0, 1), girih.Ints(1, 0)}
	if shape.Rank() == 3 {
		orders = []girih.Tuple{girih.Ints(0, 1, 2), girih.Ints(1, 0, 2)}
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
	return girih.Tuple{}, false
}

// atomCpp writes an atom in C++.
func atomCpp(a descriptor.Atom, f descriptor.Format) string {
	if f == descriptor.SM100 {
		return "UMMA::" + a.Name() + "{}"
	}
	return "GMMA::" + a.Name() + "{}"
}

// shapeCpp writes a flat shape in C++.
func shapeCpp(shape girih.Tuple) string {
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
func orderCpp(order girih.Tuple) string {
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
func orderDSL(order girih.Tuple, rank int) string {
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

// atomCode writes what a builder selects.
func atomCode(a descriptor.Atom, f descriptor.Format, tile [2]int64) []DescriptorCode {
	shape := girih.Ints(tile[:]...)
	cpp := fmt.Sprintf("auto layout = tile_to_shape(%s, %s);", atomCpp(a, f), shapeCpp(shape))
	dsl := fmt.Sprintf("%s\nlayout = cute.tile_to_shape(atom, %v, order=(0, 1))", atomDSL(a, f), shape)
	if a.Pattern == descriptor.SW128Base {
		return []DescriptorCode{{langCuTe, cpp}} // the atom of the DSL has 8 rows: another layout of the same pattern
	}
	return []DescriptorCode{{langCuTe, cpp}, {langDSL, dsl}}
}

// fitCUDA writes the descriptors with inline PTX alone.
func fitCUDA(f descriptor.Fit) string {
	first := f.Matrices[0]
	d := first
	d.Start = 0
	var b strings.Builder
	fmt.Fprintf(&b, "// %v; tile at a multiple of %d bytes\n", first, first.Align())
	b.WriteString("__device__ uint64_t descriptor(const void* tile, int step, int block, int stage) {\n")
	b.WriteString("  uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(tile))")
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
		fmt.Fprintf(&b, "  constexpr uint32_t %ss[] = {%s};\n  at += %ss[%s];\n", x.name, listOf(x.a.Starts), x.name, x.name)
	}
	fmt.Fprintf(&b, "  return 0x%016xull | (at & 0x3ffff) >> 4;\n}\n", d.Bits())
	b.WriteString(asmUse(f.Operand, f.Atom.Major))
	return b.String()
}

func listOf(xs []int64) string {
	var parts []string
	for _, x := range xs {
		parts = append(parts, fmt.Sprint(x))
	}
	return strings.Join(parts, ", ")
}

// asmUse says where the descriptor goes in PTX.
func asmUse(o descriptor.Operand, major atom.Major) string {
	trans := 0
	if major == atom.MNMajor {
		trans = 1
	}
	at := strings.ToLower(o.Which.String())
	if o.Format == descriptor.SM100 {
		return fmt.Sprintf("// asm volatile(\"tcgen05.mma.cta_group::... [d], a-desc, b-desc, idesc, p;\" ...) with \"l\"(descriptor(...)) as %s-desc;\n"+
			"// bit %d of idesc, transpose %v, is %d", at, 15+int(o.Which), o.Which, trans)
	}
	text := "// asm volatile(\"wgmma.mma_async.sync.aligned... {d}, a-desc, b-desc, p, 1, 1"
	if o.Type.Bits() == 16 {
		return strings.Replace(text, "p, 1, 1", "p, 1, 1, trans-a, trans-b;\" ...)", 1) +
			fmt.Sprintf(" with \"l\"(descriptor(...)) as %s-desc, trans-%s %d", at, at, trans)
	}
	return text + fmt.Sprintf(";\" ...) with \"l\"(descriptor(...)) as %s-desc", at)
}

// instructionPTX writes the instruction that takes the descriptor (PTX ISA 9.7.16.10.9, tcgen05.mma, and its forms .sp
// and .ws): with metadata if it is sparse, with two addresses of scale factors if its kind has them.
func instructionPTX(i descriptor.Instruction) string {
	name, operands := "tcgen05.mma", []string{"[d]", "a-desc", "b-desc"}
	if i.WS {
		name += ".ws"
	}
	if i.Sparse {
		name += ".sp"
		operands = append(operands, "[metadata]")
	}
	name += fmt.Sprintf(".cta_group::%d.kind::%v", max(1, i.Group), i.Kind)
	operands = append(operands, "idesc")
	if i.Kind.Scaled() {
		name += ".block_scale"
		operands = append(operands, "[scale-a]", "[scale-b]")
	}
	switch {
	case i.Kind != descriptor.KindMXF4NVF4:
	case i.Scale == dtype.UE4M3:
		name += ".scale_vec::4X"
	default:
		name += ".scale_vec::2X"
	}
	return name + " " + strings.Join(append(operands, "p"), ", ")
}

// instructionCode writes an instruction descriptor.
func instructionCode(i descriptor.Instruction) []DescriptorCode {
	bits := i.Bits()
	cuda := fmt.Sprintf("constexpr uint32_t idesc = 0x%08xu; // %v\n// asm volatile(\"%s;\" ... \"r\"(idesc) ...)", bits, i,
		instructionPTX(i))
	if i.Kind.Scaled() || i.K96 || i.MaxShift != 0 {
		return []DescriptorCode{{langCUDA, cuda}}
	}
	cpp := fmt.Sprintf(
		"auto idesc = UMMA::make_instr_desc<%s, %s, %s, %d, %d, UMMA::Major::%v, UMMA::Major::%v>(); // %#08x", i.A.CPP(),
		i.B.CPP(),
		strings.Replace(i.D.CPP(), "int", "int32_t", 1), i.M, i.N, i.AMajor, i.BMajor, bits)
	cpp = strings.ReplaceAll(cpp, "int32_t32_t", "int32_t")
	return []DescriptorCode{{langCuTe, cpp}, {langCUDA, cuda}}
}
