package view

import (
	"fmt"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Hardware draws a thread-value map by threads: a row for each thread and a column for each of its values, with the
// coordinate in the tile as text and the colors of [TV]. It returns the errors of TV, and cute.CodeLimit if threads
// times values exceeds [DrawnCells].
func Hardware(tv cute.Layout, tile cute.Tuple, o Options) (*draw.Scene, error) {
	h, err := hardwareOf(tv, tile, o)
	if err != nil {
		return nil, err
	}
	m := newTVLook(h, o)
	f := frame{
		title: fmt.Sprintf("%s on %s", tv, tile), body: m.hardware(h, tile.Rank()).page(o), legend: m.legend(),
		notes: []string{hardwareNote(h)},
	}
	if h.outside > 0 {
		f.notes = append(f.notes, outsideNote(h.outside))
	}
	return f.draw(o), nil
}

// Dual draws a thread-value map both ways, on the left as [Hardware] does and on the right as [TV] does. An element
// has the same color on both sides, and the same key if it has one. It returns the errors of Hardware.
func Dual(tv cute.Layout, tile cute.Tuple, o Options) (*draw.Scene, error) {
	h, err := hardwareOf(tv, tile, o)
	if err != nil {
		return nil, err
	}
	m := newTVLook(h, o)
	left := m.hardware(h, tile.Rank())
	left.title, left.key = "thread, value -> element", "hardware"
	parts := []part{left.page(o)}
	for b := range h.blocks {
		g := m.grid(h, b)
		g.title, g.key = "element -> thread, value", "logical"
		g.rowAxis.name, g.colAxis.name = o.axes[0], o.axes[1]
		if h.blocks > 1 {
			g.title = fmt.Sprintf("(_,_,%d) -> thread, value", b)
		}
		parts = append(parts, g.page(o))
	}
	f := frame{
		title: fmt.Sprintf("%s on %s", tv, tile), body: flow(o, gap, parts...), legend: m.legend(),
		notes: append(m.notes(h, ""), hardwareNote(h)),
	}
	return f.draw(o), nil
}

// hardwareOf is holdersOf for pictures with a cell for each value of each thread.
func hardwareOf(tv cute.Layout, tile cute.Tuple, o Options) (*holders, error) {
	h, err := ofThreads(tv, tile, o.threads)
	if err == nil && len(h.index) > DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d threads times values, found %d", DrawnCells,
				len(h.index)),
		}
	}
	return h, err
}

// hardwareNote explains the rows and columns.
func hardwareNote(h *holders) string {
	return fmt.Sprintf("Rows are the %s, columns their %s; a cell is the coordinate in the tile.",
		plural(int(h.threads), "thread", "threads"), plural(int(h.values), "value", "values"))
}

// hardware returns the grid of threads and values.
func (m *tvLook) hardware(h *holders, rank int) *grid {
	g := &grid{
		rows: int(h.threads), cols: int(h.values),
		rowAxis: axis{name: "thread", labels: indices(int(h.threads))},
		colAxis: axis{name: "value", labels: indices(int(h.values))},
	}
	for i, n := range h.numbers {
		g.rowAxis.labels[i] = strconv.FormatInt(n, 10)
	}
	fill := m.fills()
	labels := len(h.index) <= 2*LabelledCells
	per, even := h.rows*h.cols, h.even()
	for t := range g.rows {
		for v := range g.cols {
			x := h.index[t+v*g.rows]
			c := cell{row: t, col: v}
			if x < 0 {
				c.mark = markEmpty
				g.cells = append(g.cells, c)
				continue
			}
			c.fill = fill(int32(t), int32(v))
			if labels {
				in := int(x) % per
				switch {
				case rank < 2:
					c.text = strconv.Itoa(in)
				case h.blocks > 1:
					c.text = fmt.Sprintf("(%d,%d,%d)", in/h.cols, in%h.cols, int(x)/per)
				default:
					c.text = fmt.Sprintf("(%d,%d)", in/h.cols, in%h.cols)
				}
				c.key = fmt.Sprintf("t%dv%d", h.number(int32(t)), v)
			}
			if h.count[x] > 1 && !even {
				m.shared = true
				c.mark |= markBad
			}
			g.cells = append(g.cells, c)
		}
	}
	for t := m.warp; t < h.threads; t += m.warp {
		g.rules = append(g.rules, rule{int(t), 0, int(t), g.cols, m.theme.Strong, 2.5})
	}
	return g
}
