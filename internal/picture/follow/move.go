package follow

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"girih/banks"
	"girih/ptx"
	"girih/ptx/sim"
)

// This file turns moves into accesses: elements of one place that go to elements of another.

// items are the elements of a move, lane after lane.
type items struct {
	from, to  []int64
	fromPlace []int
	toPlace   []int
	held      []sim.Origin // of the piece
	within    []int64      // the number of the element in its piece
	lanes     []int
	per       int
}

// reset empties x.
func (x *items) reset() {
	x.from, x.to, x.fromPlace, x.toPlace = x.from[:0], x.to[:0], x.fromPlace[:0], x.toPlace[:0]
	x.held, x.within = x.held[:0], x.within[:0]
}

// A spot is a byte of a piece of a move: the lane, its number among the lanes of the move, and the piece of the lane.
type spot struct {
	lane, nth, piece int
	off              uint64
}

// cell returns the cell of a byte on one side of a move; its place is -1 if there is none.
func (b *builder) cell(m *sim.Move, s *sim.Side, x spot) (id int, cell int64) {
	switch s.Space {
	case sim.SideRegisters:
		at := s.At[x.piece]
		r := b.registers[at>>3]
		p := b.places[r.place]
		return r.place, (int64(m.Warp)*32+int64(x.lane))*p.Values + (r.bit+int64(at&7)*8+int64(x.off)*8)/int64(p.Bits)
	case sim.SideMatrix, sim.SideNone:
		return -1, 0
	}
	id, at := b.memory(s.Space, s.At[x.nth*m.Pieces+x.piece]+x.off)
	if id < 0 {
		return -1, 0
	}
	return id, int64(at) * 8 / int64(b.places[id].Bits)
}

// bits returns the bits of the elements on a side; 0 if there are none.
func (b *builder) bits(m *sim.Move, s *sim.Side) int {
	id := -1
	if len(s.At) > 0 {
		id, _ = b.cell(m, s, spot{})
	}
	if id < 0 {
		return 0
	}
	return b.places[id].Bits
}

// take fills b.items with the elements of a move.
func (b *builder) take(m *sim.Move) *items {
	x := &b.items
	x.reset()
	x.lanes = m.LaneList()
	unit := m.Bytes * 8
	for _, s := range []*sim.Side{&m.From, &m.To} {
		if n := b.bits(m, s); n > 0 {
			unit = min(unit, max(n, 8))
		}
	}
	each := max(m.Bytes*8/unit, 1)
	x.per = m.Pieces * each
	for nth, lane := range x.lanes {
		for i := range m.Pieces {
			for e := range each {
				at := spot{lane, nth, i, uint64(e * unit / 8)}
				fp, from := b.cell(m, &m.From, at)
				tp, to := b.cell(m, &m.To, at)
				x.from, x.to = append(x.from, from), append(x.to, to)
				x.fromPlace, x.toPlace = append(x.fromPlace, fp), append(x.toPlace, tp)
				x.held, x.within = append(x.held, m.Held[nth*m.Pieces+i]), append(x.within, int64(e))
			}
		}
	}
	return x
}

// move adds the accesses of a move.
func (b *builder) move(m *sim.Move) {
	x := b.take(m)
	switch m.Kind {
	case sim.MoveOperand:
		b.operand(m, x)
		return
	case sim.MoveProduct:
		b.product(m, x)
		return
	case sim.MoveStore:
		b.labelComputed(m, x)
	}
	b.label(x)
	from, to := x.fromPlace[0], x.toPlace[0]
	if from < 0 || to < 0 || slices.ContainsFunc(x.fromPlace, func(p int) bool { return p != from }) ||
		slices.ContainsFunc(x.toPlace, func(p int) bool { return p != to }) {
		b.split(m, x)
		return
	}
	b.access(m, b.hop(m, []int{from}, to), b.shape(m, x), x)
}

// split adds the accesses of a move between several places: one for each pair.
func (b *builder) split(m *sim.Move, x *items) {
	whole := *x
	seen := map[[2]int]bool{}
	for i := range whole.from {
		pair := [2]int{whole.fromPlace[i], whole.toPlace[i]}
		if seen[pair] || pair[0] < 0 || pair[1] < 0 {
			continue
		}
		seen[pair] = true
		part := items{}
		for lane := range whole.lanes {
			before := len(part.from)
			for k := lane * whole.per; k < (lane+1)*whole.per; k++ {
				if whole.fromPlace[k] == pair[0] && whole.toPlace[k] == pair[1] {
					part.from, part.to = append(part.from, whole.from[k]), append(part.to, whole.to[k])
				}
			}
			switch n := len(part.from) - before; {
			case n == 0:
			case part.per == 0 || part.per == n:
				part.lanes, part.per = append(part.lanes, whole.lanes[lane]), n
			default: // lanes with fewer elements repeat their last one
				for len(part.from)-before < part.per {
					part.from, part.to = append(part.from, part.from[len(part.from)-1]), append(part.to, part.to[len(part.to)-1])
				}
				part.from, part.to = part.from[:before+part.per], part.to[:before+part.per]
				part.lanes = append(part.lanes, whole.lanes[lane])
			}
		}
		b.access(m, b.hop(m, pair[:1], pair[1]), b.shape(m, &part), &part)
	}
}

// label gives the cells that a move writes the coordinates of their elements, if they do not have any yet, and records
// where values are.
func (b *builder) label(x *items) {
	for i, to := range x.to {
		if x.toPlace[i] < 0 {
			continue
		}
		p := b.places[x.toPlace[i]]
		if o := x.held[i]; o >= firstNode {
			b.held[o] = cellOf{x.toPlace[i], to}
		}
		if p.Kind == Global || p.row[to] >= 0 {
			continue
		}
		if q, cell, ok := b.coordinate(x.held[i], x.within[i]); ok {
			p.row[to], p.col[to] = q.row[cell], q.col[cell]
			p.name(q)
		} else if from := x.fromPlace[i]; from >= 0 && x.held[i] != 0 {
			q := b.places[from]
			p.row[to], p.col[to] = q.row[x.from[i]], q.col[x.from[i]]
			p.name(q)
		}
	}
}

// firstNode is the first origin that is a computed value.
const firstNode = sim.Origin(1) << 31

// name takes the names of the coordinates of q.
func (p *place) name(q *place) {
	if p.RowName == "" && p.ColName == "" {
		p.RowName, p.ColName = q.RowName, q.ColName
	}
	if p.Type == "" && p.Bits == q.Bits {
		p.Type = q.Type
	}
}

// labelComputed gives registers that a store reads, and that arithmetic wrote, the coordinates of the element that
// they are stored to, and adds the hop of the arithmetic.
func (b *builder) labelComputed(m *sim.Move, x *items) {
	for i, from := range x.from {
		if x.fromPlace[i] < 0 || x.toPlace[i] < 0 || x.held[i] < firstNode {
			continue
		}
		p, q := b.places[x.fromPlace[i]], b.places[x.toPlace[i]]
		if p.row[from] < 0 && q.Kind == Global {
			p.row[from], p.col[from] = q.row[x.to[i]], q.col[x.to[i]]
			p.name(q)
		}
	}
	b.compute(m, x)
}

// access adds an access.
func (b *builder) access(m *sim.Move, hop, shape int, x *items) {
	a := access{hop: hop, warp: m.Warp, shape: shape, time: m.Time, to: x.to[0]}
	if b.Shapes[shape].From != nil {
		a.from = x.from[0]
	}
	b.accesses = append(b.accesses, a)
	h := &b.Hops[hop]
	h.Accesses++
	h.Lines = append(h.Lines, m.Line)
	c := m.Cost
	h.Sectors += c.Sectors
	h.Wavefronts += c.Wavefronts
	h.FewWaves += c.Wavefronts - c.Conflicts
	if c.Sectors > 0 {
		h.FewSectors += (c.Bytes + banks.SectorBytes - 1) / banks.SectorBytes
	}
}

// seed is the seed of the hashes of shapes.
var seed = maphash.MakeSeed()

// shape returns the number of the shape of the elements of a move.
func (b *builder) shape(m *sim.Move, x *items) int {
	s := Shape{Lanes: x.lanes, Per: x.per, Sectors: m.Cost.Sectors, Waves: m.Cost.Wavefronts}
	if len(s.Lanes) == 32 {
		s.Lanes = nil
	}
	var from []int64
	if len(x.from) > 0 && m.Kind != sim.MoveProduct && (x.fromPlace == nil || x.fromPlace[0] >= 0) {
		from = relative(x.from)
	}
	if m.From.Space == sim.SideShared && m.To.Space == sim.SideRegisters && m.Kind == sim.MoveLoad {
		s.phases(m, m.From.At)
	} else if m.To.Space == sim.SideShared && m.From.Space == sim.SideRegisters {
		s.phases(m, m.To.At)
	}
	s.From, s.To = NewSeries(from), NewSeries(relative(x.to))
	key := s.hash(m.Lanes)
	for _, i := range b.shapes[key] {
		if b.Shapes[i].equal(&s) {
			return i
		}
	}
	b.Shapes = append(b.Shapes, s)
	b.shapes[key] = append(b.shapes[key], len(b.Shapes)-1)
	return len(b.Shapes) - 1
}

// hash returns a hash of a shape.
func (s *Shape) hash(lanes uint32) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, list := range [][]int64{
		s.From.Values(), s.To.values, {int64(lanes), int64(s.Per), s.Sectors, s.Waves, int64(s.Phases)},
	} {
		maphash.WriteComparable(&h, len(list))
		for _, v := range list {
			maphash.WriteComparable(&h, v)
		}
	}
	return h.Sum64()
}

// equal reports whether two shapes are the same.
func (s *Shape) equal(t *Shape) bool {
	return slices.Equal(t.From.Values(), s.From.Values()) && slices.Equal(t.To.values, s.To.values) &&
		slices.Equal(t.Lanes, s.Lanes) && t.Per == s.Per && slices.Equal(t.Phase, s.Phase) && t.Sectors == s.Sectors &&
		t.Waves == s.Waves
}

// relative returns the differences to the first of a list.
func relative(list []int64) []int64 {
	out := make([]int64, len(list))
	for i, v := range list {
		out[i] = v - list[0]
	}
	return out
}

// phases finds the pass in which shared memory serves each lane, by package banks.
func (s *Shape) phases(m *sim.Move, at []uint64) {
	text, bits := accessText(m)
	target, err := banks.ParseTarget("sm90")
	if text == "" || err != nil {
		return
	}
	a, err := banks.ParseAccess(text, bits)
	if err != nil {
		return
	}
	rule, err := target.Rule(a)
	if err != nil {
		return
	}
	addrs := make([]int64, rule.Lanes())
	for i := range addrs {
		addrs[i] = banks.Inactive
	}
	for nth, lane := range m.LaneList() {
		addrs[lane] = int64(at[nth*m.Pieces])
	}
	if a.Matrices() > 0 {
		addrs = matrixRows(m, at, addrs, a.Matrices())
	}
	report, err := rule.Explain(addrs)
	if err != nil {
		return
	}
	s.Phases = len(report.Served)
	lanes := make([]int, 32)
	for i, p := range report.Served {
		for _, lane := range p.Lanes {
			lanes[lane] = i
		}
	}
	if n := a.Matrices(); n > 0 {
		s.PhaseOf = "item"
		for i := range m.Pieces {
			s.Phase = append(s.Phase, lanes[i/(m.Pieces/n)*8])
		}
		return
	}
	for _, lane := range m.LaneList() {
		s.Phase = append(s.Phase, lanes[lane])
	}
}

// matrixRows returns the addresses of the rows that an ldmatrix or stmatrix accesses. Lanes 8k to 8k+7 give the rows
// of matrix k, of 16 bytes each, which register k of the lanes gets.
func matrixRows(m *sim.Move, at []uint64, addrs []int64, n int) []int64 {
	per := m.Pieces / n
	for k := range n {
		var rows []int64
		for lane := range 32 {
			for i := range per {
				if row := int64(at[lane*m.Pieces+k*per+i]) &^ 15; !slices.Contains(rows, row) {
					rows = append(rows, row)
				}
			}
		}
		for i := range 8 {
			addrs[8*k+i] = rows[i%len(rows)]
		}
	}
	return addrs
}

// accessText returns the access of a move as package banks reads it.
func accessText(m *sim.Move) (string, int) {
	switch name := m.Op.Name(); name {
	case "ld", "st":
		bits := m.Op.Type().Bits() * m.Op.Vec()
		return name + "." + fmt.Sprint(bits), bits
	case "ldmatrix", "stmatrix":
		words := []string{name}
		for w := range m.Op.Mods() {
			if slices.Contains([]string{"x1", "x2", "x4", "trans", "m8n8", "m16n16", "m8n16", "m16n8", "b8", "b16"}, w) {
				words = append(words, w)
			}
		}
		return strings.Join(words, "."), 16
	}
	return "", 0
}

// hop returns the hop of a move between places.
func (b *builder) hop(m *sim.Move, from []int, to int) int {
	key := fmt.Sprint(m.Kind, m.Operand, from, to, m.Op, m.Source)
	if id, ok := b.hops[key]; ok {
		return id
	}
	h := Hop{ID: len(b.Hops), From: from, To: to, Instruction: string(m.Op), Source: m.Source, Bytes: m.Bytes * m.Pieces}
	h.Kind = map[sim.MoveKind]HopKind{
		sim.MoveLoad: Load, sim.MoveStore: Store, sim.MoveCopy: Copy, sim.MoveOperand: Read, sim.MoveProduct: MMA,
		sim.MoveRegister: Compute,
	}[m.Kind]
	b.Hops = append(b.Hops, h)
	b.hops[key] = h.ID
	return h.ID
}

// isThread reports whether threads execute an instruction, and not the copy engine.
func isThread(op ptx.Op) bool { return !op.Has("bulk") && op.Name() != "tcgen05" }
