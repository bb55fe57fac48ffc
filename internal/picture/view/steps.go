package view

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"girih/cute"
	"girih/internal/ints"
	"girih/internal/picture/draw"
)

// Steps are how the threads of a block move a tile: the accesses of each thread, step by step.
type Steps struct {
	Title string
	Notes []string
	Steps []Step
}

// A Step is accesses to one memory.
type Step struct {
	Title  string
	Note   string // the text below the panel
	Shared bool   // the step accesses shared memory, where a line is the bytes of all banks
	Bytes  int64  // the bytes of an element
	Moves  []Move
}

// A Move is an access of one thread.
type Move struct {
	Thread, Turn int64 // the turn is the number of the access among the accesses of its warp in this step
	At, Bytes    int64 // in shared memory, the byte; otherwise, the offset from the pointer
}

// Limits for a panel of [Steps].
const (
	globalLines = 16
	sharedLines = 32
	stepCells   = 32 // the cells of a line of global memory
)

// Draw draws the steps that move a tile, one panel each. A cell is an access. Accesses of one warp have the colors of
// its threads, the same in all panels; other accesses are faint. A line of global memory is a piece of a run. A line
// of shared memory is one pass through all banks; only the lines that the first instructions of the warp access are
// drawn. It returns [cute.CodeExtent] if there are no accesses, and [cute.CodeLimit] above [DrawnCells] accesses in a
// step.
func (s Steps) Draw(o Options) (*draw.Scene, error) {
	f := frame{title: s.Title, notes: slices.Clone(s.Notes)}
	v := stepsView{theme: o.theme(), warp: o.warp()}
	var gs []*grid
	lines := v.sharedLines(s.Steps)
	for _, x := range s.Steps {
		if len(x.Moves) == 0 || x.Bytes < 1 {
			return nil, &cute.Error{Code: cute.CodeExtent, Op: "draw", Msg: "expected a step with accesses, found none"}
		}
		if len(x.Moves) > DrawnCells {
			return nil, &cute.Error{
				Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d accesses of a step, found %d", DrawnCells,
					len(x.Moves)),
				Hint: "draw the plan of a smaller tile",
			}
		}
		if x.Shared {
			gs = append(gs, v.panel(x, lines))
		} else {
			gs = append(gs, v.panel(x, v.globalLines(x)))
		}
	}
	f.body = flow(o, gap, gs...)
	f.notes = append(f.notes, "A cell is an access, by the thread in it: in colors what the first warp does, the same thread in "+
		"the same color, and framed its first instruction of the step.")
	if len(lines) > 0 {
		f.notes = append(f.notes, fmt.Sprintf("A line of shared memory has %d bytes, all %d banks; those are here that the "+
			"framed instructions access.", bankBytes*bankCount, bankCount))
	}
	f.legend = v.legend()
	return f.draw(o), nil
}

// A stepsView is steps to be drawn.
type stepsView struct {
	theme *draw.Theme
	warp  int64
}

// A stepLine is a line of a panel: its first byte and its number of bytes.
type stepLine struct{ at, bytes int64 }

// globalLines cuts the accessed bytes into lines, starting with the first line of the first warp.
func (v *stepsView) globalLines(x Step) []stepLine {
	moves := slices.Clone(x.Moves)
	sort.Slice(moves, func(i, j int) bool { return moves[i].At < moves[j].At })
	most := int64(0)
	for _, m := range moves {
		most = max(most, m.Bytes)
	}
	most *= stepCells
	var out []stepLine
	begin := -1
	for _, m := range moves {
		n := len(out) - 1
		if n < 0 || m.At+m.Bytes > out[n].at+most || m.At > out[n].at+out[n].bytes+most/4 {
			if len(out)-max(begin, 0) == globalLines && begin >= 0 {
				break
			}
			out = append(out, stepLine{m.At, 0})
			n++
		}
		out[n].bytes = max(out[n].bytes, m.At+m.Bytes-out[n].at)
		if begin < 0 && m.Thread < v.warp {
			begin = n
		}
	}
	return out[max(begin, 0):]
}

// sharedLines returns the lines that the first instructions of the first warp access.
func (v *stepsView) sharedLines(steps []Step) []stepLine {
	const line = bankBytes * bankCount
	seen := map[int64]bool{}
	var out []stepLine
	for _, x := range steps {
		for _, m := range x.Moves {
			if at := m.At / line; x.Shared && m.Turn == 0 && m.Thread < v.warp && !seen[at] {
				seen[at] = true
				out = append(out, stepLine{at * line, line})
			}
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].at < out[j].at })
	return out[:min(len(out), sharedLines)]
}

// panel returns the grid of a step.
func (v *stepsView) panel(x Step, lines []stepLine) *grid {
	g := &grid{title: x.Title, rows: len(lines), note: wrap(x.Note, 50)}
	in, unit := movesIn(lines, x.Moves)
	wide := int64(0)
	for i, l := range lines {
		if len(in[i]) > 0 {
			wide = max(wide, l.bytes)
		}
	}
	g.cols = int(max(wide/unit, 1))
	least := int64(1 << 40)
	for i, l := range lines {
		g.rowAxis.labels = append(g.rowAxis.labels, v.label(x, l))
		v.line(g, i, lineUnit{l.at, unit}, in[i])
		for _, m := range in[i] {
			least = min(least, m.Bytes/unit)
		}
		if x.Shared && i > 0 && lines[i-1].at+lines[i-1].bytes != l.at {
			g.rules = append(g.rules, rule{i, 0, i, g.cols, v.theme.Soft, 1.5})
		}
	}
	if x.Shared {
		g.colAxis.name = "bank"
	}
	if name := map[bool]string{false: "element", true: "byte"}[x.Shared]; g.rows >= 4 { // if there is room for the name
		g.rowAxis.name = name
	}
	for i := range g.cols {
		text := strconv.FormatInt(int64(i)*unit/x.Bytes, 10)
		if x.Shared {
			text = strconv.FormatInt(int64(i)*unit/bankBytes, 10)
		}
		g.colAxis.labels = append(g.colAxis.labels, text)
	}
	v.size(g, float64(least))
	return g
}

// movesIn returns the accesses within each line, and the largest number of bytes, at most 16, that divides all their
// places and lengths.
func movesIn(lines []stepLine, moves []Move) (in [][]Move, unit int64) {
	in, unit = make([][]Move, len(lines)), 16
	for _, m := range moves {
		for i, l := range lines {
			if m.At < l.at || m.At+m.Bytes > l.at+l.bytes {
				continue
			}
			in[i] = append(in[i], m)
			for (m.At-l.at)%unit != 0 || m.Bytes%unit != 0 {
				unit /= 2
			}
		}
	}
	return in, unit
}

// label returns the label of a line.
func (v *stepsView) label(x Step, l stepLine) string {
	if x.Shared {
		return strconv.FormatInt(l.at, 10)
	}
	return strconv.FormatInt(ints.FloorDiv(l.at, x.Bytes), 10)
}

// A lineUnit is where a line begins, and the number of bytes in a square.
type lineUnit struct{ at, unit int64 }

// line puts the accesses of a line into cells. Bytes that several threads access form one cell, which belongs
// to the first of these threads.
func (v *stepsView) line(g *grid, row int, u lineUnit, moves []Move) {
	sort.SliceStable(moves, func(i, j int) bool { return moves[i].At < moves[j].At })
	for i := 0; i < len(moves); {
		m := moves[i]
		n := i + 1
		for n < len(moves) && moves[n].At == m.At && moves[n].Bytes == m.Bytes {
			n++
		}
		c := cell{
			row: row, col: int((m.At - u.at) / u.unit), cols: int(m.Bytes / u.unit), fill: v.fill(m.Thread),
			text: "T" + strconv.FormatInt(m.Thread, 10), key: fmt.Sprintf("t%da%d", m.Thread, m.Turn),
			tip: fmt.Sprintf("thread %d, access %d, byte %d, %d bytes", m.Thread, m.Turn, m.At, m.Bytes),
		}
		if n > i+1 {
			c.text += " ×" + strconv.Itoa(n-i)
		}
		if m.Thread >= v.warp {
			c.mark = markEmpty | markFaint
		} else if m.Turn == 0 {
			g.focuses = append(g.focuses, focus{row: row, col: c.col, rows: 1, cols: c.cols, color: v.theme.Strong, width: 1.75})
		}
		g.cells = append(g.cells, c)
		i = n
	}
}

// size decides the size of the squares. Two panels share a page. Cells show text if there is room, the first warp's
// cells first.
func (v *stepsView) size(g *grid, least float64) {
	g.tight = tightest
	size, pad := g.text()
	room := (pageRoom-gap)/2 - g.rowAxis.widest() - labelPad - nameRoom - 2
	unit := min(room/float64(g.cols), 40/least)
	g.unitW, g.unitH = unit, 14
	fits := map[bool]bool{true: true, false: true}
	for i := range g.cells {
		c := &g.cells[i]
		other := c.mark&markFaint != 0
		fits[other] = fits[other] && draw.TextWidth(c.text, size)+pad <= unit*float64(c.cols)
	}
	for i := range g.cells {
		if c := &g.cells[i]; !fits[c.mark&markFaint != 0] {
			c.text = ""
		}
	}
	for i := range g.focuses {
		if f := &g.focuses[i]; unit*float64(f.cols) < 8 {
			f.width = 0.75
		}
	}
}

// fill returns the color of a thread of the first warp: four adjacent threads share a hue.
func (v *stepsView) fill(t int64) draw.Color { return v.theme.Shade(t/4, t%4, 4) }

// legend explains the colors.
func (v *stepsView) legend() legend {
	var l legend
	for t := int64(0); t < v.warp; t += 4 {
		s := swatch{text: fmt.Sprintf("T%d–%d", t, t+3)}
		for i := range int64(4) {
			s.fills = append(s.fills, v.fill(t+i))
		}
		l.items = append(l.items, s)
	}
	l.items = append(l.items, swatch{fills: []draw.Color{v.theme.Empty}, text: "other warps"})
	return l
}
