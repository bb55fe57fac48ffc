package emit

import (
	"fmt"
	"strings"

	"girih/internal/lang/codegen"
)

// This file writes the TMA copies.

// tma writes the steps of the TMA that are more than a row.
func (w *writer) tma(s *Step, id ID) bool {
	switch s.Op {
	case "make_tma_atom": // by the host
		return true
	case "tma_partition":
		w.parts[id], w.parts[id+1] = w.partitionName(s), w.partitionName(&Step{Op: "second", Of: s.Of})
		w.own[id], w.own[id+1] = w.names.unique(w.parts[id].String()), w.names.unique(w.parts[id+1].String())
		atom := w.step(s.Of[2])
		blocks := max(atom.N, 1)
		at := w.coordinates(s.At)[0]
		if w.d == &dsl {
			group := func(id ID) string { return fmt.Sprintf("cute.group_modes(%s, 0, %d)", w.operand(id), s.N) }
			w.declare(fmt.Sprintf("%s, %s = cute.nvgpu.cpasync.tma_partition(tma_%s, %s, cute.make_layout(%d), %s, %s)",
				w.own[id+1], w.own[id], w.step(w.root(atom.Of[0])).Name, at, blocks, group(s.Of[0]), group(s.Of[1])), s)
			return true
		}
		layout := fmt.Sprintf("Layout<%s>{}", strings.TrimSuffix(w.static(blocks), "{}"))
		if blocks == 1 {
			at = "Int<0>{}"
		}
		w.declare(fmt.Sprintf("auto [%s, %s] = tma_partition(tma_%s, %s, %s, group_modes<0,%d>(%[7]s), group_modes<0,%[6]d>(%[8]s))",
			w.own[id], w.own[id+1], w.step(w.root(atom.Of[0])).Name, at, layout, s.N, w.operand(s.Of[0]), w.operand(s.Of[1])), s)
		return true
	}
	return false
}

// maps returns the TMA copies that the host makes.
func (w *writer) maps() [][2]string {
	var out [][2]string
	for i := range w.p.Steps {
		s := &w.p.Steps[i]
		if s.Op != "make_tma_atom" {
			continue
		}
		g := w.step(w.root(s.Of[0]))
		half := len(g.At) / 2
		if w.d == &dsl {
			out = append(out, [2]string{g.Name, w.dslMap(s, g, ID(i+1))})
			continue
		}
		op, blocks := "SM90_TMA_LOAD{}", ""
		if s.N > 1 {
			op, blocks = "SM90_TMA_LOAD_MULTICAST{}", ", "+w.static(s.N)
		}
		if w.stores(ID(i + 1)) {
			op = "SM90_TMA_STORE{}"
		}
		text := fmt.Sprintf("make_tma_atom(%s, make_tensor(make_gmem_ptr(%s_gmem), %s, %s), %s, %s%s)", op, g.Name,
			w.extents("shape", g.At[:half]), w.extents("stride", g.At[half:]), w.layoutOf(s.Of[1]), w.tile(s.Tile), blocks)
		out = append(out, [2]string{g.Name, text})
	}
	return out
}

// dslMap returns a TMA copy in Python.
func (w *writer) dslMap(s, g *Step, id ID) string {
	half := len(g.At) / 2
	op, blocks := "CopyBulkTensorTileG2SOp()", ""
	switch {
	case w.stores(id):
		op = "CopyBulkTensorTileS2GOp()"
	case s.N > 1:
		op, blocks = "CopyBulkTensorTileG2SMulticastOp()", fmt.Sprintf(", num_multicast=%d", s.N)
	}
	return fmt.Sprintf("cute.nvgpu.cpasync.make_tiled_tma_atom(\n        cute.nvgpu.cpasync.%s,\n"+
		"        cute.make_tensor(%s, cute.make_layout(%s, stride=%s)),\n        %s,\n        %s%s,\n    )", op, g.Name,
		w.extents("shape", g.At[:half]), w.extents("stride", g.At[half:]), w.layoutOf(s.Of[1]), w.tile(s.Tile), blocks)
}

// stores reports whether a TMA copy writes to global memory.
func (w *writer) stores(atom ID) bool {
	for _, s := range w.p.Steps {
		if s.Op == "copy_tma_store" && s.Of[0] == atom {
			return true
		}
	}
	return false
}

// layoutOf returns the layout of a tensor in shared memory, for the host.
func (w *writer) layoutOf(id ID) string {
	s := w.step(id)
	if w.d == &dsl {
		if s.Op == "slice" {
			return "cute.slice_(" + w.layoutOf(s.Of[0]) + ", (" + strings.Join(w.coordinates(s.At), ", ") + "))"
		}
		z := w.swizzle(s)
		return fmt.Sprintf("cute.make_composed_layout(cute.make_swizzle(%d, %d, %d), 0, %s)", z[0], z[1], z[2],
			w.value(codegen.Layout(s.Layout.Layout())))
	}
	if s.Op == "slice" {
		return w.layoutOf(s.Of[0]) + "(" + strings.Join(w.coordinates(s.At), ",") + ")"
	}
	return w.layout(s) + "{}"
}
