package follow

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file names cells of shared memory, and addresses in it, by the coordinates of the tensors that the kernel has
// there: sA(3,8), stage 1.

// index finds the coordinates of the layout at the cells of a tensor in shared memory.
func (p *place) index() {
	c, err := cute.ParseComposed(p.Layout)
	if err != nil || p.Layout == "" || c.Size() > p.Cells {
		return // without a layout, or with cells that several coordinates share
	}
	offsets, err := c.AppendOffsets(nil)
	if err != nil {
		return
	}
	list := unknown(p.Cells)
	for i, at := range offsets {
		if at < 0 || at >= p.Cells {
			return
		}
		if list[at] < 0 {
			list[at] = int64(i)
		}
	}
	p.Modes, p.Index = c.Layout().AppendModeSizes(nil)[units(c.Layout()):], NewSeries(list)
}

// own returns the coordinates of a cell in the layout of its tensor in shared memory, or nil.
func (p *Place) own(cell int64) []int64 {
	list := p.Index.Values()
	if list == nil || list[cell] < 0 {
		return nil
	}
	var out []int64
	rest := list[cell]
	for _, n := range p.Modes {
		out = append(out, rest%n)
		rest /= n
	}
	return out
}

// CellName names a cell of shared memory by its coordinates in the tensor, as sA(3,8), stage 1; the third mode of a
// tensor counts stages. It returns "" for other places and for gaps of the layout.
func (p *Place) CellName(cell int64) string {
	at := p.own(cell)
	if at == nil {
		return ""
	}
	if len(at) == 3 {
		return p.Name + coordinateText(at[:2]) + p.stageText(at[2])
	}
	return p.Name + coordinateText(at)
}

// stageText says in which stage a cell is, if there are several.
func (p *Place) stageText(stage int64) string {
	if p.Modes[2] == 1 {
		return ""
	}
	return fmt.Sprintf(", stage %d", stage)
}

func coordinateText(at []int64) string {
	return "(" + strings.Trim(strings.ReplaceAll(fmt.Sprint(at), " ", ","), "[]") + ")"
}

// An Area is a named part of shared memory: a tensor, one of its stages, or an mbarrier.
type Area struct {
	Name  string
	First uint64 // the address
	Stage int    // -1 for none
}

// Areas returns a function that finds the tensor, the stage or the mbarrier at an address in shared memory. It returns
// false if the kernel has no name for the address.
func (m *Model) Areas(k Kernel) func(at uint64) (Area, bool) {
	first := map[int]map[int64]int64{} // by place and stage: the first cell
	for i := range m.Places {
		first[i] = map[int64]int64{}
		for cell, stage := range m.Places[i].Panel.Values() {
			if _, ok := first[i][stage]; !ok {
				first[i][stage] = int64(cell)
			}
		}
	}
	return func(at uint64) (Area, bool) {
		off := int64(at & (1<<rankBits - 1))
		for _, r := range k.Barriers {
			if i := off - sharedStart - r.Offset; i >= 0 && i < r.Bytes {
				return Area{fmt.Sprintf("%s %d", r.Name, i/8), at - uint64(i%8), -1}, true
			}
		}
		for i := range m.Places {
			p := &m.Places[i]
			cell := (off - p.Base) * 8 / int64(p.Bits)
			if p.Kind != Shared || p.Index == nil || off < p.Base || cell >= p.Cells {
				continue
			}
			a := Area{p.Name, at - uint64(off-p.Base), -1}
			if p.Panel != nil {
				stage := p.Panel.values[cell]
				a.Name, a.Stage = fmt.Sprintf("%s stage %d", p.Name, stage), int(stage)
				a.First += uint64(first[i][stage] * int64(p.Bits) / 8)
			}
			return a, true
		}
		return Area{}, false
	}
}
