package follow

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx/sim"
)

// This file finds the places of registers that no fragment of the kernel has, and of tensor memory.

// assign gives each register of the moves a place.
func (b *builder) assign() {
	first, last := uint64(512), uint64(0)
	for i := range b.rec.Moves {
		m := &b.rec.Moves[i]
		for _, s := range []*sim.Side{&m.From, &m.To} {
			switch s.Space {
			case sim.SideRegisters:
				for _, at := range s.At {
					b.ends[at>>3] = max(b.ends[at>>3], int64(at&7)*8+int64(m.Bytes)*8)
				}
			case sim.SideTensor:
				for _, at := range s.At {
					first, last = min(first, at/4%512), max(last, at/4%512)
				}
			}
		}
	}
	if last >= first && first < 512 {
		p := &place{first: first}
		n := int64(last - first + 1)
		p.Place = Place{Kind: Tensor, Name: "tensor memory", Bits: 32, Cells: 128 * n, Threads: 128, Values: n}
		p.Words = "lanes and columns of 32 bits"
		b.tensor = 1 + b.add(p)
	}
	for i := range b.rec.Moves {
		m := &b.rec.Moves[i]
		if m.To.Space == sim.SideRegisters {
			b.assignSide(m, &m.To, b.memoryOf(m, &m.From))
		}
		if m.From.Space == sim.SideRegisters {
			b.assignSide(m, &m.From, b.memoryOf(m, &m.To))
		}
	}
	for _, p := range b.places {
		if p.Kind == Registers {
			p.Values = max(p.Values, 1)
			p.Cells = p.Values * p.Threads
			p.row, p.col = unknown(p.Cells), unknown(p.Cells)
		} else if p.Kind != Global {
			p.row, p.col = unknown(p.Cells), unknown(p.Cells)
		}
	}
}

// unknown returns coordinates that are not known.
func unknown(n int64) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// memoryOf returns the place in memory at the first address of a side, or nil.
func (b *builder) memoryOf(m *sim.Move, s *sim.Side) *place {
	if len(s.At) == 0 || s.Space == sim.SideMatrix || s.Space == sim.SideRegisters {
		return nil
	}
	if id, _ := b.memory(s.Space, s.At[0]); id >= 0 {
		return b.places[id]
	}
	return nil
}

// memory returns the place of an address and the bytes from its first cell; -1 if there is none.
func (b *builder) memory(space sim.SideSpace, at uint64) (id int, off uint64) {
	switch space {
	case sim.SideGlobal:
		for i, p := range b.rec.Parts {
			if at-p.Address < uint64(p.Bytes) && b.global[i] > 0 {
				return b.global[i] - 1, at - p.Address
			}
		}
	case sim.SideShared:
		if len(b.k.Shared) > 0 {
			at &= 1<<rankBits - 1
		}
		for _, id := range b.shared {
			if p := b.places[id]; at-p.first < p.bytes {
				return id, at - p.first
			}
		}
	case sim.SideTensor:
		if b.tensor > 0 {
			p := b.places[b.tensor-1]
			cell := at / 4
			return b.tensor - 1, (cell/512*uint64(p.Values)+cell%512-p.first)*4 + at%4
		}
	}
	return -1, 0
}

// assignSide gives the registers of a side that have no place the place of their use; of is the other side.
func (b *builder) assignSide(m *sim.Move, s *sim.Side, of *place) {
	id := -1
	for _, at := range s.At {
		n := at >> 3
		if b.registers[n].place >= 0 {
			continue
		}
		if id < 0 {
			id = b.group(m, s, of)
		}
		p := b.places[id]
		width := (b.ends[n] + int64(p.Bits) - 1) / int64(p.Bits)
		b.registers[n] = register{id, p.Values * int64(p.Bits)}
		p.Values += width
	}
}

// group returns the place of registers that an instruction uses.
func (b *builder) group(m *sim.Move, s *sim.Side, of *place) int {
	what, name := "r", "registers"
	switch {
	case m.Kind == sim.MoveOperand || m.Kind == sim.MoveProduct:
		what, name = string(m.Operand), "registers of "+string(m.Operand)
	case of != nil && s == &m.From:
		what, name = "w", "values for "+of.Name
	case of != nil:
		name = "r" + of.Name
	}
	key := fmt.Sprint("registers ", what, " ", siteOf(m), " ", name)
	if id, ok := b.groups[key]; ok {
		return id
	}
	bits, typ := m.Bytes*8, ""
	if of != nil && of.Kind != Tensor {
		bits, typ = of.Bits, of.Type
	}
	p := &place{Place: Place{Kind: Registers, Name: name, Type: typ, Bits: bits, Threads: b.k.Threads}}
	same := 1
	for _, q := range b.places {
		if q.Name == name || strings.HasPrefix(q.Name, name+" ") {
			same++
		}
	}
	if same > 1 {
		p.Name = fmt.Sprintf("%s %d", name, same)
	}
	b.groups[key] = b.add(p)
	return p.ID
}

// siteOf returns the line of the source that made a move or, without a source, its instruction.
func siteOf(m *sim.Move) string {
	if m.Source != "" {
		return m.Source
	}
	return string(m.Op)
}

// coordinate returns the coordinates of the element that an origin is in, and its tensor; ok is false for computed
// values and constants.
func (b *builder) coordinate(o sim.Origin, item int64) (p *place, cell int64, ok bool) {
	part, off := b.rec.Byte(o)
	if part < 0 || b.global[part] == 0 {
		return nil, 0, false
	}
	p = b.places[b.global[part]-1]
	cell = off*8/int64(p.Bits) + item
	if cell >= p.Cells || p.row[cell] < 0 {
		return nil, 0, false
	}
	return p, cell, true
}

// unique returns the sorted numbers of a list, each once.
func unique(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}
