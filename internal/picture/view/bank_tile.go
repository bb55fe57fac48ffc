package view

import (
	"fmt"

	"girih/banks"
	"girih/cute"
	"girih/internal/ints"
	"girih/internal/picture/draw"
)

// BankTile returns the picture of a tile with each element in the color of its bank. It emphasizes the elements that
// the worst phase of the worst instruction accesses: these show their lane and, if in conflict, a red frame; the
// others are faint. Mode 0 goes down, and all other modes go across together. The memory is mem, whose shape must be
// the shape for which the plan of the case was made; the case's offsets are not used.
//
// It returns [cute.CodeRank] if the size of mem differs from the size of the plan's memory, [cute.CodeLimit] above
// [DrawnCells] elements, and the errors of [Bank].
func BankTile(mem banks.Memory, c BankCase, o Options) (*draw.Scene, error) {
	if n := mem.Size(); n > DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d elements to draw, found %d", DrawnCells, n),
			Hint: "draw the banks, whose size does not grow with the tile",
		}
	}
	offsets, err := mem.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	c.Offsets = offsets
	v, err := c.worst()
	if err != nil {
		return nil, err
	}
	t := &bankTile{
		bankView: v, offsets: offsets, elemBits: v.c.Plan.Rule().Access().Bits() / v.c.Plan.Vector(), theme: o.theme(),
	}
	t.lay(mem.Shape())
	f := frame{title: c.Name, body: t.grid(mem.Shape(), o), legend: bankLegend(o.theme(), t.fillBy())}
	if f.title == "" {
		f.title = mem.String()
	}
	p := v.phases[t.phase]
	f.notes = []string{
		fmt.Sprintf("%v on %v, warp %d, instruction %d, phase %d: %s, %s.", v.c.Plan.Rule().Access(), v.c.Plan.Rule().Target(),
			v.place.Warp, v.place.Instruction, t.phase, wayText(p.wavefronts), v.passes(p.wavefronts)),
		fmt.Sprintf("The hue is the bank of the element, %d bits wide; the numbers are lanes of the phase.", t.elemBits),
	}
	if p.wavefronts > 1 {
		f.notes[1] += " Frames in red: several words of one bank."
	}
	if t.vector > 1 {
		f.notes = append(f.notes, fmt.Sprintf("A cell is %d elements that are neighbours in memory.", t.vector))
	}
	return f.draw(o), nil
}

// A bankTile is a tile and the elements of one phase.
type bankTile struct {
	*bankView
	theme      *draw.Theme
	offsets    []int64
	elemBits   int
	phase      int
	rows, cols int
	vector     int
	across     bool
	labels     bool
	at         map[int64][]int // the lanes of the phase by address, in units of the width of an access
}

// lay lays out the grid, and finds the worst phase and its words.
func (t *bankTile) lay(shape cute.Tuple) {
	t.rows, t.cols, t.vector = 1, len(t.offsets), 1
	if modes := shape.Modes(); len(modes) > 1 {
		t.rows = extent(modes[0])
		t.cols /= t.rows
	}
	t.phase = t.worstPhase()
	t.at = map[int64][]int{}
	for _, l := range t.phases[t.phase].lanes {
		if l < len(t.addrs) && t.addrs[l] != banks.Inactive {
			k := t.addrs[l] * 8 / t.bits()
			t.at[k] = append(t.at[k], l)
		}
	}
	next := func(a, b int) bool {
		i, j := a/t.cols+a%t.cols*t.rows, b/t.cols+b%t.cols*t.rows
		return t.offsets[j] == t.offsets[i]+1 && t.access(t.offsets[i]) == t.access(t.offsets[j])
	}
	most := max(t.c.Plan.Vector(), 1)
	t.vector = rowsOf(t.rows, t.cols).run(most, next)
	t.across = t.vector > 1
	if !t.across {
		t.vector = colsOf(t.rows, t.cols).run(most, next)
	}
}

func (t *bankTile) fillBy() ColorBy { return cellBank(t.vector * t.elemBits) }

// bits returns the width of the access of one lane.
func (t *bankTile) bits() int64 { return int64(t.c.Plan.Rule().Access().Bits()) }

// access returns the address of the access that contains an element, in units of the access width.
func (t *bankTile) access(offset int64) int64 {
	return ints.FloorDiv(offset*int64(t.elemBits), t.bits())
}

// grid returns the tile.
func (t *bankTile) grid(shape cute.Tuple, o Options) *grid {
	modes := shape.Modes()
	g := &grid{rows: t.rows, cols: t.cols, colAxis: axis{labels: indices(t.cols)}}
	if len(modes) > 1 {
		g.rowAxis.labels = modeLabels(modes[0], o.Labels)
	}
	if len(modes) == 2 {
		g.colAxis.labels = modeLabels(modes[1], o.Labels)
	}
	rs, cs := 1, t.vector
	if !t.across {
		rs, cs = t.vector, 1
	}
	t.labels = int64(len(t.offsets)/t.vector) <= o.labelLimit()
	p := t.phases[t.phase]
	fills := bankFills(t.theme, t.fillBy())
	faint := make([]draw.Color, len(fills))
	for b, c := range fills {
		faint[b] = draw.Mix(c, t.theme.Paper, 0.78)
	}
	for r := 0; r < t.rows; r += rs {
		for c := 0; c < t.cols; c += cs {
			i := r + c*t.rows
			bank := t.bank(t.offsets[i])
			x := cell{row: r, col: c, rows: rs, cols: cs, fill: faint[bank%bankCount], key: fmt.Sprintf("i%d", i)}
			if lanes := t.at[t.access(t.offsets[i])]; lanes != nil {
				x.fill = fills[bank%bankCount]
				x.tip = fmt.Sprintf("offset %d, bank %d, lanes %s", t.offsets[i], bank, laneList(lanes))
				if t.labels {
					x.text = laneShort(lanes, 18, textSize)
				}
				if p.wanted[bank] > 1 {
					g.focuses = append(g.focuses, focus{row: r, col: c, rows: rs, cols: cs, color: t.theme.Bad, width: 1.75})
				}
			}
			g.cells = append(g.cells, x)
		}
	}
	t.size(g)
	g.shortLabels(cs)
	return g
}

// size decides the size of the squares: larger tiles have smaller squares.
func (t *bankTile) size(g *grid) {
	g.unitW, g.unitH = 26, 20
	switch {
	case !t.labels:
		g.unitW, g.unitH, g.flat = tinyCell, tinyCell, true
	case t.across && t.vector > 1:
		g.unitW = max(26/float64(t.vector), 4)
	case t.vector > 1:
		g.unitH = max(20/float64(t.vector), 4)
	}
	if t.labels && t.rows > 48 && g.unitH > 13 {
		g.unitH = 13
	}
}

// bank returns the bank of an element on the plan's machine.
func (t *bankTile) bank(offset int64) int64 {
	return ints.FloorDiv(offset*int64(t.elemBits), 8*bankBytes) % int64(t.banks)
}
