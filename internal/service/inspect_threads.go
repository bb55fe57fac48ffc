package service

import (
	"fmt"

	"girih"
	"girih/atom"
	"girih/linear"
)

// threadValue adds an operand: a layout (thread, value) -> colexicographic index in a tile.
func (i *inspection) threadValue(name string, tv girih.Layout, tile girih.Tuple, rowName, colName string) error {
	modes := tile.Modes()
	o := Operand{Name: name, Text: tv.String(), Size: tv.Size(), Rows: 1, Cols: 1, Panels: 1, RowName: rowName, ColName: colName}
	total := int64(1)
	for k, m := range modes {
		n, err := m.Product()
		if err != nil {
			return err
		}
		if n <= 0 || total > MaxInspected/n && total*n <= 0 {
			return &girih.Error{Code: girih.CodeExtent, Op: "inspect", Msg: fmt.Sprintf("expected a tile of positive extents, found %v", tile)}
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
	o.Threads, o.Values = th.Size(), val.Size()
	o.Modes = []int64{o.Threads, o.Values}
	if o.Size > i.left || total > MaxInspected {
		i.Outline = true
		i.Operands = append(i.Operands, o)
		return nil
	}
	i.left -= o.Size
	if o.Offset, err = tv.AppendOffsets(nil); err != nil {
		return err
	}
	n := len(o.Offset)
	o.Row, o.Col, o.Thread, o.Value = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	for k, x := range o.Offset {
		if x < 0 || x >= total {
			return &girih.Error{
				Code: girih.CodeExtent, Op: "inspect",
				Msg: fmt.Sprintf("thread %d, value %d is at index %d, the tile %v has %d elements", int64(k)%o.Threads, int64(k)/o.Threads, x, tile, total),
			}
		}
		o.Row[k], o.Col[k] = x%o.Rows, x/o.Rows
		o.Thread[k], o.Value[k] = int64(k)%o.Threads, int64(k)/o.Threads
	}
	i.Operands = append(i.Operands, o)
	return nil
}

var operandAxes = map[atom.Operand][2]string{atom.OperandA: {"M", "K"}, atom.OperandB: {"N", "K"}, atom.OperandC: {"M", "N"}}

// mmaAtom fills in an instruction with the thread-value layouts of its operands.
func (i *inspection) mmaAtom(m atom.MMA) error {
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		rows, cols := m.Extents(o)
		axes := operandAxes[o]
		tv := m.TV(o)
		if tv.Rank() != 2 {
			continue
		}
		tile := girih.Ints(rows, cols)
		if n, err := tv.Cosize(); err == nil && n > rows*cols && rows*cols > 0 {
			tile = girih.Ints(rows, n/rows) // blocks side by side
		}
		if err := i.threadValue(o.String(), tv, tile, axes[0], axes[1]); err != nil {
			return err
		}
	}
	i.fact("threads", m.Threads())
	i.fact("shape_mnk", girih.Ints(m.Shape[:]...))
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
		x, y := operandModes(o)
		axes := operandAxes[o]
		if err := i.threadValue(o.String(), tv, girih.Ints(tile[x], tile[y]), axes[0], axes[1]); err != nil {
			return err
		}
	}
	i.Notes = append(i.Notes[:len(i.Notes):len(i.Notes)], m.Notes()...)
	i.fact("threads", m.Size())
	i.fact("tile_shape", fmt.Sprintf("(%d,%d,%d)", tile[0], tile[1], tile[2]))
	i.fact("thr_layout_vmnk", m.ThrLayoutVMNK())
	return nil
}

// tiledCopy fills in a TiledCopy: its source and its destination on the tile.
func (i *inspection) tiledCopy(c atom.TiledCopy) error {
	if err := i.threadValue("S", c.LayoutSrcTV(), c.Shape(), "", ""); err != nil {
		return err
	}
	if err := i.threadValue("D", c.LayoutDstTV(), c.Shape(), "", ""); err != nil {
		return err
	}
	i.fact("threads", c.Size())
	i.fact("tile", c.TilerText())
	return nil
}

// linear fills in a linear layout. Its first output dimension goes down, the others across; register and the dimensions of
// threads make the hardware grid. With a single output that is the offset.
func (i *inspection) linear(l linear.Layout) error {
	i.Matrix = linearMatrix(l)
	i.fact("rank", l.Rank())
	i.fact("injective", l.IsInjective())
	i.fact("surjective", l.IsSurjective())
	ins, outs := l.InDims(), l.OutDims()
	o := Operand{Text: l.String(), Size: 1 << l.InBits(), Rows: 1, Cols: 1, Panels: 1, Values: 1, Threads: 1}
	place := len(outs) > 1 || len(outs) == 1 && outs[0].Name != "offset"
	for k, d := range outs {
		switch {
		case !place:
		case k == 0:
			o.Rows, o.RowName = d.Size, d.Name
		default:
			o.Cols *= d.Size
			o.ColName = d.Name
		}
	}
	for k, d := range ins {
		o.Modes = append(o.Modes, d.Size)
		switch {
		case d.Name == "register":
			o.Values = d.Size
		default:
			o.Threads *= d.Size
		}
		switch {
		case place:
		case k == 0:
			o.Rows, o.RowName = d.Size, d.Name
		case k == 1:
			o.Cols, o.ColName = d.Size, d.Name
		default:
			o.Panels *= d.Size
		}
	}
	if l.InBits() > 16 || o.Size > i.left || place && (o.Rows > MaxInspected || o.Cols > MaxInspected/o.Rows) {
		i.Outline = true
		i.Operands = []Operand{o}
		return nil
	}
	hardware := place && l.HasIn("register")
	if !hardware {
		o.Threads, o.Values = 0, 0
	}
	for x := range o.Size {
		y, err := l.Flat(uint64(x))
		if err != nil {
			return err
		}
		if place {
			o.Row, o.Col = append(o.Row, int64(y)%o.Rows), append(o.Col, int64(y)/o.Rows)
		} else {
			o.Offset = append(o.Offset, int64(y))
		}
		if hardware {
			t, v := splitThread(x, ins)
			o.Thread, o.Value = append(o.Thread, t), append(o.Value, v)
		} else if place {
			o.Offset = append(o.Offset, x)
		}
	}
	i.Operands = []Operand{o}
	return nil
}

// splitThread returns the thread and the register of a flat index over input dimensions.
func splitThread(x int64, ins []linear.Dim) (thread, value int64) {
	scale := int64(1)
	for _, d := range ins {
		c := x % d.Size
		x /= d.Size
		if d.Name == "register" {
			value = c
			continue
		}
		thread += c * scale
		scale *= d.Size
	}
	return thread, value
}
