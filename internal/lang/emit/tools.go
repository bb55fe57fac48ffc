package emit

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/codegen"
	"girih/internal/lang/codegen/atoms"
)

// This file writes the tiled operations and the layouts, by package codegen.

// A tool is a tiled MMA or a tiled copy of the kernel.
type tool struct{ name, key, text string }

// describes reports whether an operand of an instruction is in shared memory.
func describes(m atom.MMA, operand string) bool {
	return operand == "A" && m.AFrom == atom.SharedMemory || operand == "B" && m.BFrom == atom.SharedMemory
}

// tool adds the tiled operation of a step.
func (w *writer) tool(s *Step) {
	key := keyOf(s)
	if key == "" {
		return
	}
	for _, t := range w.tools {
		if t.key == key {
			return
		}
	}
	t := tool{key: key}
	if s.MMA != nil {
		t.name, t.text = w.names.unique("tiled_mma"), w.tiledMMA(*s.MMA)
	} else {
		which := ""
		which, t.text = w.tiledCopy(*s.Copy)
		t.name = w.names.unique("tiled_copy" + which)
	}
	w.tools = append(w.tools, t)
}

func keyOf(s *Step) string {
	switch {
	case s.MMA != nil:
		return s.MMA.String()
	case s.Copy != nil:
		return s.Copy.Atom().Name + s.Copy.Atom().Type.String() + s.Copy.LayoutTV().String() + fmt.Sprint(s.Copy.Tiler())
	}
	return ""
}

// toolOf returns the name of the tiled operation of a step.
func (w *writer) toolOf(s *Step) string {
	for _, t := range w.tools {
		if t.key == keyOf(s) {
			return t.name
		}
	}
	return ""
}

// retiles reports whether a step is a thread of a tiled copy that was made for an operand of a tiled MMA.
func (w *writer) retiles(s *Step) bool {
	return s.Copy != nil && strings.HasPrefix(w.toolOf(s), "tiled_copy_") && len(w.toolOf(s)) == len("tiled_copy_A")
}

// value returns a value of the algebra as text.
func (w *writer) value(v codegen.Value) string {
	d := codegen.CPP
	if w.d == &dsl {
		d = codegen.DSL
	}
	text, err := codegen.Write(d, v)
	if err != nil && w.err == nil {
		w.err = err
	}
	return text
}

func (w *writer) tiledMMA(m atom.TiledMMA) string {
	parts := []string{atoms.CPPMMA(m.Atom()) + "{}", w.value(codegen.Layout(m.AtomLayoutMNK()))}
	if w.d == &dsl {
		parts[0] = atoms.DSLMMA(m.Atom())
	}
	if strings.TrimSuffix(parts[0], "{}") == "" {
		w.refuse(cute.CodeType, "%s is not in this language", m.Atom().Name)
	}
	if perm := m.PermutationMNK(); perm != [3]cute.Tiler{cute.Keep, cute.Keep, cute.Keep} {
		parts = append(parts, w.value(codegen.Tiler(cute.MakeTile(perm[:]...))))
	}
	return w.d.call("make_tiled_mma", parts...)
}

// tiledCopy returns a tiled copy, and the operand of an MMA for which it was made: "_A".
func (w *writer) tiledCopy(c atom.TiledCopy) (which, text string) {
	one := atoms.CPPCopy(c.Atom()) + "{}"
	if w.d == &dsl {
		a := c.Atom()
		a.Name = strings.Replace(a.Name, "_ZFILL", "", 1) // see copy_tiled_if
		one = atoms.DSLCopy(a)
	}
	if strings.TrimSuffix(one, "{}") == "" {
		w.refuse(cute.CodeType, "%s is not in this language", c.Atom().Name)
	}
	same := func(d atom.TiledCopy, err error) bool {
		return err == nil && d.LayoutTV().String() == c.LayoutTV().String() && fmt.Sprint(d.Tiler()) == fmt.Sprint(c.Tiler())
	}
	for i := range w.p.Steps {
		m := w.p.Steps[i].MMA
		if m == nil {
			continue
		}
		for which, f := range map[string]func(atom.CopyAtom, atom.TiledMMA) (atom.TiledCopy, error){
			"A": atom.MakeTiledCopyA, "B": atom.MakeTiledCopyB, "C": atom.MakeTiledCopyC,
		} {
			if same(f(c.Atom(), *m)) {
				w.tool(&w.p.Steps[i])
				return "_" + which, w.d.call("make_tiled_copy_"+which, one, w.toolOf(&w.p.Steps[i]))
			}
		}
	}
	if thr, val, ok := threadsAndValues(c, same); ok {
		make := map[bool]string{false: "make_tiled_copy", true: "make_tiled_copy_tv"}[w.d == &dsl]
		return "", w.d.call(make, one, w.value(codegen.Layout(thr)), w.value(codegen.Layout(val)))
	}
	make := map[bool]string{false: "make_tiled_copy_impl", true: "make_tiled_copy"}[w.d == &dsl]
	return "", w.d.call(make, one, w.value(codegen.Layout(c.LayoutTV())), w.value(codegen.Tiler(c.Tiler())))
}

// threadsAndValues finds the arguments of make_tiled_copy for c: layouts of threads and values by rows or by columns.
func threadsAndValues(c atom.TiledCopy, same func(atom.TiledCopy, error) bool) (thr, val cute.Layout, ok bool) {
	tile, isTuple := c.Tiler().(cute.Tuple)
	if !isTuple || len(tile.Leaves()) != 2 || tile.NodeCount() != 3 {
		return thr, val, false
	}
	m, n, values := tile.Leaves()[0], tile.Leaves()[1], c.LayoutTV().Modes()[1].Size()
	for rows := int64(1); rows <= values; rows++ {
		if values%rows != 0 || m%rows != 0 || n%(values/rows) != 0 {
			continue
		}
		columns := values / rows
		for _, thr := range orders(m/rows, n/columns) {
			for _, val := range orders(rows, columns) {
				if same(atom.MakeTiledCopy(c.Atom(), thr, val)) {
					return thr, val, true
				}
			}
		}
	}
	return thr, val, false
}

// orders returns the layouts of a matrix by columns and by rows.
func orders(m, n int64) []cute.Layout {
	left, err := cute.LayoutLeft(cute.Ints(m, n))
	right, other := cute.LayoutRight(cute.Ints(m, n))
	if err != nil || other != nil {
		return nil
	}
	return []cute.Layout{left, right}
}

// tile returns the extents of a tile.
func (w *writer) tile(extents []int64) string {
	if len(extents) == 1 {
		one := w.static(extents[0])
		if w.d == &dsl {
			return "(" + one + ",)"
		}
		return "make_shape(" + one + ")"
	}
	return w.value(codegen.Tuple(cute.Ints(extents...)))
}

// static returns a number that is known when the kernel is compiled.
func (w *writer) static(n int64) string { return w.value(codegen.Tuple(cute.Int(n))) }

// layout returns the layout of a step. The layouts of shared memory have names in C++.
func (w *writer) layout(s *Step) string {
	if s.Op == "shared" && w.d == &cpp {
		return "SmemLayout" + upper(s.Name)
	}
	if !w.marks[w.id(s)] {
		return w.value(codegen.ComposedLayout(s.Layout))
	}
	z := w.swizzle(s) // of the pointer, where the TMA and wgmma look for it
	return fmt.Sprintf("%s, 1024, cute.make_swizzle(%d, %d, %d)", w.value(codegen.Layout(s.Layout.Layout())), z[0], z[1],
		z[2])
}

// projection returns the last argument of local_partition.
func (w *writer) projection(p string) string {
	switch {
	case p == "":
		return ""
	case w.d == &dsl:
		return ", proj=(" + strings.NewReplacer("_1", "1", "X", "None", ",", ", ").Replace(p) + ")"
	}
	return ", Step<" + p + ">{}"
}
