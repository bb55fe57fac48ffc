package diagnose

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	shared "girih/descriptor"
)

// repairPartition offers a canonical shared memory layout that a TiledCopy can partition, in place of a layout that it
// cannot. With N = 192 for two warpgroups, a thread's values step over 96 columns, which atoms of 64 columns (SW128 of
// 16-bit elements) do not divide and atoms of 32 columns (SW64) do. It reports whether the partition fails.
func (f *failure) repairPartition() bool {
	fr := f.m.frame("tidfrg_D", "tidfrg_S")
	if fr == nil {
		return false
	}
	op, typ := f.atomOf(fr)
	a, err := atom.FindCopyAtom(op, typ)
	if err != nil {
		return false
	}
	tv, ok := layout(fr.value("LayoutCopy_TV"))
	tensor, okT := layout(tensorLayout(fr.value("DTensor", "STensor")))
	tile, errT := cute.ParseTiler(fr.value("ShapeTiler_MN"))
	if !ok || !okT || errT != nil {
		return false
	}
	t, err := atom.MakeTiledCopyTV(a, tv, tile)
	if err != nil {
		return false
	}
	if _, err := t.ThrfrgD(tensor); err == nil && fr.name == "tidfrg_D" {
		return false // the partition works
	}
	if _, err := t.ThrfrgS(tensor); err == nil && fr.name == "tidfrg_S" {
		return false
	}
	f.Op = map[string]string{"tidfrg_D": "partition_D", "tidfrg_S": "partition_S"}[fr.name]
	f.Operands = nil
	f.operand("CopyOp", op)
	f.operand("LayoutCopy_TV", tv.String())
	f.operand("tiler", tile.String())
	f.operand("tensor", tensor.String())
	for _, major := range majors(tensor) {
		for _, p := range []shared.Pattern{shared.SW128, shared.SW64, shared.SW32, shared.INTER} {
			s, err := shared.MakeAtom(p, major, a.Type)
			if err == nil && f.offerPattern(t, fr.name, s, tensor) {
				return true
			}
		}
	}
	return true
}

// majors returns both majors; the tensor is contiguous in the first.
func majors(tensor cute.Layout) []atom.Major {
	if m, err := tensor.Mode(0); err == nil && contiguous(m) {
		return []atom.Major{atom.MNMajor, atom.KMajor}
	}
	return []atom.Major{atom.KMajor, atom.MNMajor}
}

// contiguous reports whether the second element of a layout is at offset 1.
func contiguous(l cute.Layout) bool {
	at, err := l.At(1)
	return l.Size() > 1 && err == nil && at == 1
}

// offerPattern offers the canonical layout that repeats atom s to a tensor's shape, if the TiledCopy can partition it.
func (f *failure) offerPattern(t atom.TiledCopy, function string, s shared.Atom, tensor cute.Layout) bool {
	var sizes []string
	for i := range tensor.Rank() {
		sizes = append(sizes, fmt.Sprint(modeSize(tensor, i)))
	}
	shape, err := cute.ParseTuple("(" + strings.Join(sizes, ",") + ")")
	if err != nil {
		return false
	}
	whole, err := s.TileToShape(shape, cute.Tuple{})
	if err != nil {
		return false
	}
	thread, err := t.Thread(0)
	if err != nil {
		return false
	}
	part := thread.PartitionD
	if function == "tidfrg_S" {
		part = thread.PartitionS
	}
	got, _, err := part(whole.Layout())
	if err != nil {
		return false
	}
	expr := fmt.Sprintf("tile_to_shape(%s, %s)", s.Elements, shape)
	v, err := f.result(expr)
	if err != nil {
		return false
	}
	f.repair(Repair{
		Say: fmt.Sprintf("shared memory as tile_to_shape(GMMA::%s{}, %s): each thread of this TiledCopy then has %s of it",
			s.Name(), shape, got),
		Expr: expr, Result: v,
	})
	return true
}

// tensorLayout returns the layout in Tensor<Engine, Layout>, or in a parameter that is a layout, without the swizzle
// and the pointer.
func tensorLayout(text string) string {
	if i := strings.LastIndex(text, " o "); i >= 0 {
		return text[i+len(" o "):]
	}
	return text
}
