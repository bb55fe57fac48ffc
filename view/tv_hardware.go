package view

import (
	"fmt"
	"strconv"

	"girih"
	"girih/draw"
)

// Hardware draws a thread-value map the other way round: a row for each thread and a column for each of its values, with the
// coordinate in the tile as text and the colors of [TV]. It returns the errors of TV.
func Hardware(tv girih.Layout, tile girih.Tuple, o Options) (*draw.Scene, error) {
	h, err := holdersOf(tv, tile)
	if err != nil {
		return nil, err
	}
	m := newTVLook(h, o)
	f := frame{title: fmt.Sprintf("%s on %s", tv, tile), body: m.hardware(h, tile.Rank()), legend: m.legend()}
	f.notes = []string{fmt.Sprintf("Rows are the %s, columns their %s; a cell is the coordinate in the tile.",
		counted(int(h.threads), "thread", "threads"), counted(int(h.values), "value", "values"))}
	if h.outside > 0 {
		f.notes = append(f.notes, outsideNote(h.outside))
	}
	return f.draw(o), nil
}

// hardware returns the grid of threads and values.
func (m *tvLook) hardware(h *holders, rank int) *grid {
	g := &grid{
		rows: int(h.threads), cols: int(h.values),
		rowAxis: axis{name: "thread", labels: indices(int(h.threads))},
		colAxis: axis{name: "value", labels: indices(int(h.values))},
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
				c.key = fmt.Sprintf("t%dv%d", t, v)
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
