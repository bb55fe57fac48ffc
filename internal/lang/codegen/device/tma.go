package device

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/codegen"
	"girih/internal/why/explain"
	"girih/symbolic"
	"girih/tensormap"
)

// A TMA is a copy by TMA that is written as code.
type TMA struct {
	Copy    tensormap.Copy
	Open    *symbolic.Layout // the global tensor, if it has run-time integers
	Type    string           // the type of an element; if CuTe does not know the type, only CUDA C++ is written
	Operand string           // A or B, whose slices a cluster shares
}

// tmaCols is how wide the calls of the driver are, in columns.
const tmaCols = 100

// TileCopy writes the copy of a plan in all languages that have a name for the type.
func (j TMA) TileCopy(p tensormap.Plan) []Code {
	var all []Code
	if t, err := dtype.Parse(j.Type); err == nil {
		all = appendCode(all, CuTe, tmaCPP(j, p, t))
		all = appendCode(all, DSL, tmaDSL(j, p, t))
	}
	return appendCode(all, CUDA, tmaCUDA(j, p))
}

// appendCode appends a text in a language, unless it is empty.
func appendCode(all []Code, language, text string) []Code {
	if text == "" {
		return all
	}
	return append(all, Code{language, text})
}

// sharedLayout writes the layout of shared memory with its swizzle on bytes, as in CuTe's atoms.
func (j TMA) sharedLayout(d codegen.Dialect, p tensormap.Plan, t dtype.Type) string {
	layout, err := codegen.Write(d, codegen.Layout(p.Shared.Layout()))
	if err != nil {
		return ""
	}
	w, ok := p.Map.Swizzle.CuTe()
	if p.Map.Swizzle == tensormap.SwizzleNone || !ok {
		return layout
	}
	if d == codegen.CPP {
		return fmt.Sprintf("ComposedLayout<Swizzle<%d,%d,%d>, smem_ptr_flag_bits<sizeof_bits_v<%s>>, %s>{}", w.B(), w.M(),
			w.S(), t.CPP(),
			strings.TrimSuffix(layout, "{}"))
	}
	return fmt.Sprintf("cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), 0, %s)", w.B(), w.M(), w.S(), layout) +
		unitDSL(w, t)
}

// unitDSL says in a comment that a swizzle acts on bytes, and gives the equal swizzle on elements.
func unitDSL(w cute.Swizzle, t dtype.Type) string {
	same := ""
	if elements, err := w.Upcast(int64(t.Bits() / 8)); t.Bits() > 8 && err == nil {
		same = fmt.Sprintf("; of elements of %v it is %v", t, elements)
	}
	return "  # the swizzle is of bytes" + same
}

// tmaCPP writes the copy in CuTe C++.
func tmaCPP(j TMA, p tensormap.Plan, t dtype.Type) string {
	name := t.CPP()
	shared := j.sharedLayout(codegen.CPP, p, t)
	tile, err := codegen.Write(codegen.CPP, codegen.Tiler(j.Copy.Tiler))
	if j.Copy.Tiler == nil {
		tile, err = "product_each(shape(sA_layout))", nil
	}
	global := fmt.Sprintf("make_layout(%s, %s)", cppMake("make_shape", j.Copy.Global.Shape().String()),
		cppStride(j.Copy.Global.Stride().String()))
	if j.Open != nil && err == nil {
		global, err = codegen.Write(codegen.CPP, codegen.SymbolicLayout(*j.Open))
	}
	global, facts, _ := strings.Cut(global, "  // ")
	if facts != "" {
		facts = "; " + facts
	}
	if name == "" || shared == "" || err != nil {
		return ""
	}
	op, size, with := "SM90_TMA_LOAD{}", "Int<1>{}", "tma.with(mbar)"
	if j.Copy.Multicast > 1 {
		op, size, with = "SM90_TMA_LOAD_MULTICAST{}", fmt.Sprintf("Int<%d>{}", j.Copy.Multicast), "tma.with(mbar, mask)"
	}
	slice := map[string]string{"A": "cluster_n", "B": "cluster_m"}[j.Operand]
	if j.Copy.Multicast <= 1 {
		slice = "0"
	}
	return fmt.Sprintf(`// host%[3]s
Tensor gA = make_tensor(make_gmem_ptr<%[1]s>(ptr), %[2]s);
auto sA_layout = %[4]s;
auto tile = %[5]s;
auto tma = make_tma_copy(%[6]s, gA, sA_layout, tile, %[7]s);
// kernel; sA is aligned to %[8]d bytes
Tensor mA = tma.get_tma_tensor(shape(gA));
Tensor cA = local_tile(mA, tile, tile_coord);
auto thr = tma.get_slice(%[9]s);
Tensor tAgA = thr.partition_S(cA);
Tensor tAsA = thr.partition_D(sA);
if (elected) {
  set_barrier_transaction_bytes(mbar, %[10]d);
  copy(%[11]s, tAgA, tAsA);
}
wait_barrier(mbar, phase);
`, name, global, facts, shared, tile, op, size, p.Map.Align(), slice, p.Expect, with)
}

// cppMake writes a tuple of run-time integers as nested calls.
func cppMake(call, t string) string {
	return strings.ReplaceAll(strings.ReplaceAll(t, "(", call+"("), ",", ", ")
}

// cppStride is cppMake with static ones and zeros, which CuTe needs to see which mode is contiguous.
func cppStride(t string) string {
	var b strings.Builder
	for i := 0; i < len(t); {
		end := i
		for end < len(t) && t[end] >= '0' && t[end] <= '9' {
			end++
		}
		switch word := t[i:end]; {
		case word == "1" || word == "0":
			b.WriteString("_" + word + "{}")
		case word != "":
			b.WriteString(word)
		default:
			b.WriteByte(t[i])
			end = i + 1
		}
		i = end
	}
	return cppMake("make_stride", b.String())
}

// tmaDSL writes the copy in the CuTe DSL.
func tmaDSL(j TMA, p tensormap.Plan, t dtype.Type) string {
	shared := j.sharedLayout(codegen.DSL, p, t)
	var extents []int64
	for _, m := range p.Tile.Modes() {
		extents = append(extents, m.Size())
	}
	tile := tuple(extents)
	if j.Copy.Tiler != nil {
		if text, err := codegen.Write(codegen.DSL, codegen.Tiler(j.Copy.Tiler)); err == nil {
			tile = text
		}
	}
	if t.DSL() == "" || shared == "" {
		return ""
	}
	op, more, mask := "CopyBulkTensorTileG2SOp()", "", ""
	coord, layout := "0", "cute.make_layout(1)"
	if n := j.Copy.Multicast; n > 1 {
		op, more, mask = "CopyBulkTensorTileG2SMulticastOp()", fmt.Sprintf(", num_multicast=%d", n), ", mcast_mask=mask"
		coord, layout = "slice_in_cluster", fmt.Sprintf("cute.make_layout(%d)", n)
	}
	return fmt.Sprintf(`# host; mA is a tensor of %[1]s
sA_layout = %[2]s
tma_atom, tma_tensor = cpasync.make_tiled_tma_atom(
    cpasync.%[3]s, mA, sA_layout, %[4]s%[5]s)
# kernel; sA is aligned to %[6]d bytes
gA = cute.local_tile(tma_tensor, %[4]s, tile_coord)
tAsA, tAgA = cpasync.tma_partition(
    tma_atom, %[7]s, %[8]s,
    cute.group_modes(sA, 0, cute.rank(sA)), cute.group_modes(gA, 0, cute.rank(gA)))
with cute.arch.elect_one():
    cute.arch.mbarrier_arrive_and_expect_tx(mbar, %[9]d)
cute.copy(tma_atom, tAgA, tAsA, tma_bar_ptr=mbar%[10]s)
cute.arch.mbarrier_wait(mbar, phase)
`, t.DSL(), shared, op, tile, more, p.Map.Align(), coord, layout, p.Expect, mask)
}

// tmaCUDA writes the call of the driver and the instruction.
func tmaCUDA(j TMA, p tensormap.Plan) string {
	var b strings.Builder
	if j.Open != nil {
		fmt.Fprintf(&b, "// %s: cuuint64_t, known at run time\n", cNames(*j.Open))
	}
	args := driverArguments(&b, p)
	fmt.Fprintf(&b, "alignas(64) CUtensorMap map;  // to the kernel as const __grid_constant__ CUtensorMap\n")
	call := fmt.Sprintf("CUresult r = %s(&map, %s);", p.Map.Mode.Function(), strings.Join(args, ", "))
	b.WriteString(explain.Wrap(call, tmaCols, "", "    "))
	fmt.Fprintf(&b, "// kernel, one thread; shared memory is aligned to %d bytes; each instruction has its own smem and c0, ...\n",
		p.Map.Align())
	fmt.Fprintf(&b, "asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%0], %%1;\""+
		" :: \"r\"(mbar), \"r\"(%d));\n", p.Expect)
	writeBulkTensor(&b, j, p.Map)
	return b.String()
}

// driverArguments writes the arrays that the driver takes, and returns its arguments.
func driverArguments(b *strings.Builder, p tensormap.Plan) (args []string) {
	for _, f := range p.Fields() {
		if p.Run != nil && f.Name == "globalDim" {
			f.Value = cInts(p.Run.Dims)
		} else if p.Run != nil && f.Name == "globalStrides" {
			f.Value = cInts(p.Run.Strides)
		}
		kind := map[string]string{
			"globalDim": "cuuint64_t", "globalStrides": "cuuint64_t", "boxDim": "cuuint32_t", "elementStrides": "cuuint32_t",
			"pixelBoxLowerCorner": "int", "pixelBoxUpperCorner": "int",
		}[f.Name]
		switch {
		case f.Name == "globalStrides" && len(p.Map.Strides) == 0:
			args = append(args, "nullptr")
		case kind != "":
			comment := ""
			if f.Unit != "" {
				comment = "  // " + f.Unit
			}
			fmt.Fprintf(b, "%s %s[] = %s;%s\n", kind, f.Name, f.Value, comment)
			args = append(args, f.Name)
		case f.Name == "globalAddress":
			args = append(args, "globalAddress")
		default:
			args = append(args, f.Value)
		}
	}
	return args
}

// writeBulkTensor writes the instruction with its operands: coordinates, the offsets in the filter (for im2col),
// and the mask (for a multicast).
func writeBulkTensor(b *strings.Builder, j TMA, m tensormap.Map) {
	rank := m.Rank()
	mode, coords, inputs := ".mbarrier::complete_tx::bytes", make([]string, rank), make([]string, rank)
	for i := range rank {
		coords[i], inputs[i] = fmt.Sprintf("%%%d", i+3), fmt.Sprintf("\"r\"(c%d)", i)
	}
	operand := ""
	if m.Mode == tensormap.Im2col {
		mode = ".im2col" + mode
		var offsets []string
		for i := range rank - 2 {
			offsets = append(offsets, fmt.Sprintf("%%%d", rank+3+i))
			inputs = append(inputs, fmt.Sprintf("\"h\"(offset%d)", i))
		}
		operand = ", {" + strings.Join(offsets, ", ") + "}"
	}
	if j.Copy.Multicast > 1 {
		mode += ".multicast::cluster"
		operand += fmt.Sprintf(", %%%d", len(inputs)+3)
		inputs = append(inputs, "\"h\"(mask)")
	}
	fmt.Fprintf(b, "asm volatile(\"cp.async.bulk.tensor.%dd.shared::cluster.global%s\"\n"+
		"             \" [%%0], [%%1, {%s}], [%%2]%s;\"\n"+
		"             :: \"r\"(smem), \"l\"(&map), \"r\"(mbar), %s : \"memory\");\n",
		rank, mode, strings.Join(coords, ", "), operand, strings.Join(inputs, ", "))
}
