package link

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/linear"
)

// threadValue adds an operand with its names: a layout (thread, value) -> colexicographic index in a tile.
func (i *inspection) threadValue(o Operand, tv cute.Layout, tile cute.Tuple) error {
	modes := tile.Modes()
	o.Text, o.Size, o.Rows, o.Cols, o.Panels = tv.String(), tv.Size(), 1, 1, 1
	total := int64(1)
	for k, m := range modes {
		n, err := m.Product()
		if err != nil {
			return err
		}
		if n <= 0 || total > MaxElements/n && total*n <= 0 {
			return &cute.Error{
				Code: cute.CodeExtent, Op: "inspect",
				Msg: fmt.Sprintf("expected a tile of positive extents, found %v", tile),
			}
		}
		total *= n
		switch k {
		case 0:
			o.Rows = n
		default:
			o.Cols *= n
		}
	}
	th, err := tv.Mode(0)
	if err != nil {
		return err
	}
	val, err := tv.Mode(1)
	if err != nil {
		return err
	}
	o.Threads, o.Values, o.Warp = th.Size(), val.Size(), warpThreads
	o.Modes = []int64{o.Threads, o.Values}
	if o.Size > i.left || total > MaxElements {
		return i.outline(o)
	}
	i.left -= o.Size
	if o.Offset, err = tv.AppendOffsets(nil); err != nil {
		return err
	}
	n := len(o.Offset)
	o.Row, o.Col, o.Thread, o.Value = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	for k, x := range o.Offset {
		if x < 0 || x >= total {
			return &cute.Error{
				Code: cute.CodeExtent, Op: "inspect",
				Msg: fmt.Sprintf("thread %d, value %d is at index %d, the tile %v has %d elements", int64(k)%o.Threads,
					int64(k)/o.Threads, x, tile, total),
			}
		}
		o.Row[k], o.Col[k] = x%o.Rows, x/o.Rows
		o.Thread[k], o.Value[k] = int64(k)%o.Threads, int64(k)/o.Threads
	}
	i.Operands = append(i.Operands, o)
	return nil
}

// warpThreads is the number of threads in a warp of an unknown machine.
const warpThreads = 32

// machine sets the number of threads in a warp of all operands to the number on a machine, if the machine is known.
func (i *inspection) machine(arch string) {
	t, err := banks.ParseTarget(arch)
	if err != nil {
		return
	}
	for k := range i.Operands {
		i.Operands[k].Warp = int64(t.WarpSize())
	}
}

// inAtoms records, for the last operand, the threads that take no part and, if atoms have other borders than threads
// and elements, the atoms of threads and values.
func (i *inspection) inAtoms(threads, values []int64) {
	o := &i.Operands[len(i.Operands)-1]
	if o.Thread == nil {
		return
	}
	// An atom of one thread is the whole thread if it has all the thread's values, or an element if it has
	// one value.
	first := func(list []int64) (n int) {
		for _, x := range list {
			if x == 0 {
				n++
			}
		}
		return n
	}
	several := slices.Max(threads) > 0 || slices.Max(values) > 0
	alone := first(threads) == 1 && (slices.Max(values) == 0 || first(values) == 1)
	if several && !alone {
		o.ThreadAtom, o.ValueAtom = threads, values
	} else if slices.Contains(threads, -1) {
		o.ThreadAtom = threads
	}
}

// inRuns returns the atoms of threads or values that follow each other in atoms of a size.
func inRuns(n, size int64) []int64 {
	out := make([]int64, n)
	for k := range out {
		out[k] = int64(k) / size
	}
	return out
}

// lanes sets the lane of each thread of the operand that was added last, if lanes and threads have different numbers.
func (i *inspection) lanes(thrID cute.Layout) error {
	o := &i.Operands[len(i.Operands)-1]
	if o.Thread == nil || thrID.Size() != o.Threads {
		return nil
	}
	ids, err := thrID.AppendOffsets(nil)
	if err != nil {
		return err
	}
	for t, id := range ids {
		if int64(t) != id {
			o.ThrID = ids
			break
		}
	}
	return nil
}

var operandAxes = map[atom.Operand][2]string{
	atom.OperandA: {"M", "K"}, atom.OperandB: {"N", "K"},
	atom.OperandC: {"M", "N"},
}

// spaceOf returns the memory from which an instruction reads an operand.
func spaceOf(m atom.MMA, o atom.Operand) atom.Space {
	return [...]atom.Space{atom.OperandA: m.AFrom, atom.OperandB: m.BFrom, atom.OperandC: m.CFrom}[o]
}

// isHeld reports whether threads hold the elements in a space. In the other spaces all threads name the same
// memory.
func isHeld(s atom.Space) bool { return s == atom.Registers || s == atom.Anywhere }

// inSpace adds an operand in memory. The operand's elements belong to no thread, but are multiplied like all
// others.
func (i *inspection) inSpace(op atom.Operand, tv cute.Layout, tile [2]int64, s atom.Space) {
	axes := operandAxes[op]
	o := Operand{
		Name: op.String(), Text: tv.String(), Rows: tile[0], Cols: tile[1], Panels: 1, RowName: axes[0], ColName: axes[1],
		Size: tile[0] * tile[1], Modes: tile[:], Space: s.String(),
	}
	if o.Size > i.left {
		i.Outline = true
		i.Operands = append(i.Operands, o)
		return
	}
	i.left -= o.Size
	for k := range o.Size {
		o.Row, o.Col = append(o.Row, k%o.Rows), append(o.Col, k/o.Rows)
	}
	i.Operands = append(i.Operands, o)
}

// mmaAtom fills in an instruction with the thread-value layouts of its operands.
func (i *inspection) mmaAtom(m atom.MMA) error {
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		rows, cols := m.Extents(o)
		axes := operandAxes[o]
		tv := m.TV(o)
		if tv.Rank() != 2 {
			continue
		}
		if s := spaceOf(m, o); !isHeld(s) {
			i.inSpace(o, tv, [2]int64{rows, cols}, s)
			continue
		}
		tile := cute.Ints(rows, cols)
		if n, err := tv.Cosize(); err == nil && n > rows*cols && rows*cols > 0 {
			tile = cute.Ints(rows, n/rows) // blocks side by side
		}
		if err := i.threadValue(Operand{Name: o.String(), RowName: axes[0], ColName: axes[1]}, tv, tile); err != nil {
			return err
		}
		if err := i.lanes(m.ThrID); err != nil {
			return err
		}
	}
	i.machine(m.Arch)
	i.fact("threads", m.Threads())
	i.fact("shape_mnk", cute.Ints(m.Shape[:]...))
	return nil
}

// tiledMMA fills in a TiledMMA on its tile.
func (i *inspection) tiledMMA(m atom.TiledMMA) error {
	tile := m.TileShape()
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		tv, err := m.LayoutTV(o)
		if err != nil {
			return err
		}
		x, y := o.Axes()
		axes := operandAxes[o]
		if s := spaceOf(m.Atom(), o); !isHeld(s) {
			i.inSpace(o, tv, [2]int64{tile[x], tile[y]}, s)
			continue
		}
		named := Operand{Name: o.String(), RowName: axes[0], ColName: axes[1]}
		if err := i.threadValue(named, tv, cute.Ints(tile[x], tile[y])); err != nil {
			return err
		}
		threads, values, err := m.Atoms(o)
		if err != nil {
			return err
		}
		i.inAtoms(threads, values)
	}
	i.machine(m.Atom().Arch)
	i.notes = m.Notes()
	i.fact("threads", m.Size())
	i.fact("tile_shape", fmt.Sprintf("(%d,%d,%d)", tile[0], tile[1], tile[2]))
	i.fact("thr_layout_vmnk", m.ThrLayoutVMNK())
	return nil
}

// tiledCopy fills in a TiledCopy: its source and its destination on the tile.
func (i *inspection) tiledCopy(c atom.TiledCopy) error {
	for _, side := range []struct {
		name    string
		tv, one cute.Layout
	}{
		{"S", c.LayoutSrcTV(), c.Atom().ValSrc},
		{"D", c.LayoutDstTV(), c.Atom().ValDst},
	} {
		if err := i.threadValue(Operand{Name: side.name}, side.tv, c.Shape()); err != nil {
			return err
		}
		all, one := side.tv.Modes(), side.one.Modes()
		i.inAtoms(inRuns(all[0].Size(), one[0].Size()), inRuns(all[1].Size(), one[1].Size()))
	}
	i.machine(c.Atom().Arch)
	i.fact("threads", c.Size())
	i.fact("tile", c.TilerText())
	return nil
}

// linear fills in a linear layout onto a tensor, or onto offsets if its only output is named offset.
func (i *inspection) linear(l linear.Layout) error {
	i.Matrix = linearMatrix(l)
	i.fact("rank", l.Rank())
	i.fact("injective", l.IsInjective())
	i.fact("surjective", l.IsSurjective())
	o := linearOperand(l)
	if outs := l.OutDims(); len(outs) == 0 || len(outs) == 1 && outs[0].Name == "offset" {
		return i.linearOffsets(l, o)
	}
	return i.linearTensor(l, o)
}

// linearOperand returns a linear layout as an operand, with the hardware grid that register and the dimensions of
// threads make, and without a logical grid.
func linearOperand(l linear.Layout) Operand {
	o := Operand{Text: l.String(), Rows: 1, Cols: 1, Panels: 1, Values: 1, Threads: 1}
	if l.InBits() < 63 {
		o.Size = 1 << l.InBits()
	}
	for _, d := range l.InDims() {
		o.Modes = append(o.Modes, d.Size)
		switch d.Name {
		case "register":
			o.Values = d.Size
			continue
		case "lane":
			o.Warp = d.Size
		}
		o.Threads *= d.Size
	}
	return o
}

// linearTensor adds a linear layout onto a tensor: its first output dimension goes down, the others go
// across.
func (i *inspection) linearTensor(l linear.Layout, o Operand) error {
	for k, d := range l.OutDims() {
		if k == 0 {
			o.Rows, o.RowName = d.Size, d.Name
			continue
		}
		o.Cols *= d.Size
		o.ColName = d.Name
	}
	if !i.hasRoom(o) || o.Rows > MaxElements || o.Cols > MaxElements/o.Rows {
		return i.outline(o)
	}
	hardware, ins := l.HasIn("register"), l.InDims()
	if !hardware {
		o.Threads, o.Values, o.Warp = 0, 0, 0
	}
	for x := range o.Size {
		y, err := l.Flat(uint64(x))
		if err != nil {
			return err
		}
		o.Row, o.Col = append(o.Row, int64(y)%o.Rows), append(o.Col, int64(y)/o.Rows)
		if hardware {
			t, v := splitThread(x, ins)
			o.Thread, o.Value = append(o.Thread, t), append(o.Value, v)
		}
	}
	i.Operands = []Operand{o}
	return nil
}

// linearOffsets adds a linear layout onto offsets: its first input dimension goes down, the second goes across, and
// the others become panels.
func (i *inspection) linearOffsets(l linear.Layout, o Operand) error {
	for k, d := range l.InDims() {
		switch k {
		case 0:
			o.Rows, o.RowName = d.Size, d.Name
		case 1:
			o.Cols, o.ColName = d.Size, d.Name
		default:
			o.Panels *= d.Size
		}
	}
	if !i.hasRoom(o) {
		return i.outline(o)
	}
	o.Threads, o.Values, o.Warp = 0, 0, 0
	var offsets []int64
	for x := range o.Size {
		y, err := l.Flat(uint64(x))
		if err != nil {
			return err
		}
		offsets = append(offsets, int64(y))
	}
	o.setOffsets(offsets)
	o.setPanels(cute.Ints(o.Modes...).Modes())
	i.Operands = []Operand{o}
	return nil
}

// hasRoom reports whether the number of elements of an operand is known, and all of them fit.
func (i *inspection) hasRoom(o Operand) bool { return o.Size > 0 && o.Size <= i.left }

// outline adds an operand without its elements.
func (i *inspection) outline(o Operand) error {
	i.Outline = true
	i.Operands = append(i.Operands, o)
	return nil
}

// splitThread returns the thread and the register of a flat index over input dimensions. Lanes count first, as the
// threads of a warp follow each other; then the others, in their order.
func splitThread(x int64, ins []linear.Dim) (thread, value int64) {
	var lane, others int64
	lanes, scale := int64(1), int64(1)
	for _, d := range ins {
		c := x % d.Size
		x /= d.Size
		switch d.Name {
		case "register":
			value = c
		case "lane":
			lane, lanes = c, d.Size
		default:
			others += c * scale
			scale *= d.Size
		}
	}
	return lane + lanes*others, value
}
