package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/tensormap"
)

// A TMATile is a tile that the copy engine loads: the tensor map, and the instructions that load the tile.
type TMATile struct {
	Name  string
	Map   tensormap.Map
	Dims  string // the extents of the tensor, if the map has numbers in place of run-time integers
	Issue []tensormap.Instruction
}

// chunkBits is the size of a cell: 16 bytes, the smallest unit that most swizzles move.
const chunkBits = 128

// TMA draws a tile in the tensor and in shared memory, side by side. A cell is 16 bytes: its number is the row of the
// tile and its letter the place in the row, the same on both sides. A line of shared memory has 128 bytes. Cells
// outside the tensor are empty on the left and filled on the right. It returns the errors of
// [tensormap.Map.Landings], and cute.CodeLimit above [DrawnCells] cells.
func TMA(t TMATile, o Options) (*draw.Scene, error) {
	v := tmaView{theme: o.theme(), rows: map[string]int{}, fill: "0"}
	if t.Map.Fill == tensormap.FillNaN {
		v.fill = "NaN"
	}
	for i, in := range t.Issue {
		landings, err := t.Map.Landings(tensormap.Start{Coord: in.Coord, Shared: 0})
		if err != nil {
			return nil, err
		}
		before := int64(-1)
		for l := range landings {
			at := in.Shared*8 + l.Shared
			if at/chunkBits == before/chunkBits && before >= 0 {
				continue // a further element of the same chunk
			}
			before = at
			if len(v.chunks) == DrawnCells {
				return nil, &cute.Error{
					Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected a tile of at most %d times 16 bytes", DrawnCells),
					Hint: "draw a smaller tile",
				}
			}
			v.add(i, t.Map, l, at)
		}
	}
	if len(v.chunks) == 0 {
		return nil, &cute.Error{Code: cute.CodeExtent, Op: "draw", Msg: "expected a tile with elements, found none"}
	}
	tensor, shared := v.tensor(t.Map), v.sharedGrid()
	f := frame{
		title: t.Name,
		body:  sideBySide(tensor, shared),
		notes: []string{
			fmt.Sprintf("A cell is 16 bytes: the row of the tile, and a letter for its place in the row. %s.", t.Map.Swizzle),
			fmt.Sprintf("Dimensions %s, box %v; %s of %d bytes.", cmp.Or(t.Dims, cute.Ints(t.Map.Dims...).String()),
				cute.Ints(t.Map.Box...), plural(len(t.Issue), "instruction", "instructions"), t.Map.Bytes()),
		},
	}
	if v.outside {
		f.notes = append(f.notes, "Empty cells of the tensor are outside of it; shared memory gets the fill there.")
	}
	return f.draw(o), nil
}

// A tmaChunk is 16 bytes of the tile.
type tmaChunk struct {
	row, col int   // the cell in the grid of the tensor
	at       int64 // the place in shared memory, in chunks
	issue    int
	inside   bool
}

// A tmaView is a tile to be drawn.
type tmaView struct {
	theme   *draw.Theme
	chunks  []tmaChunk
	rows    map[string]int // the row for each combination of the outer coordinates
	names   []string       // the names of the rows
	fill    string         // the value of elements outside the tensor
	first   int64          // the chunk of dimension 0 at which the tile begins
	outside bool
}

// add records a chunk that is written at a bit of shared memory.
func (v *tmaView) add(issue int, m tensormap.Map, l tensormap.Landing, at int64) {
	per := max(chunkBits/max(m.Type.Bits(), 1), 1)
	col := l.Coord[0] / per
	if l.Coord[0] < 0 {
		col = (l.Coord[0] - per + 1) / per
	}
	if len(v.chunks) == 0 {
		v.first = col
	}
	outer := l.Coord[1:]
	if m.Mode == tensormap.Im2col { // pixels are rows, in loading order
		outer = slices.Concat([]int64{int64(len(v.chunks)) / max(m.Channels/per, 1)}, outer)
	}
	key := fmt.Sprint(outer)
	row, ok := v.rows[key]
	if !ok {
		row = len(v.names)
		v.rows[key] = row
		v.names = append(v.names, outerText(l.Coord[1:]))
	}
	v.outside = v.outside || !l.Inside
	v.chunks = append(v.chunks, tmaChunk{row, int(col - v.first), at / chunkBits, issue, l.Inside})
}

// outerText returns the outer coordinates as text.
func outerText(xs []int64) string {
	if len(xs) == 1 {
		return strconv.FormatInt(xs[0], 10)
	}
	text := ""
	for i, x := range xs {
		if i > 0 {
			text += ","
		}
		text += strconv.FormatInt(x, 10)
	}
	return "(" + text + ")"
}

// name is the label of a cell: 3c is the third chunk of row 3.
func (c tmaChunk) name() string {
	if c.col < 0 || c.col > 25 {
		return fmt.Sprintf("%d.%d", c.row, c.col)
	}
	return strconv.Itoa(c.row) + string(rune('a'+c.col))
}

func (v *tmaView) cell(c tmaChunk) cell {
	return cell{fill: v.theme.Offsets[c.col&7%len(v.theme.Offsets)], text: c.name(), key: c.name()}
}

// tensor is the tile in the tensor, with a frame around each box.
func (v *tmaView) tensor(m tensormap.Map) *grid {
	least := 0
	for _, c := range v.chunks {
		least = min(least, c.col)
	}
	g := &grid{title: "in the tensor", rows: len(v.names), rowAxis: axis{labels: v.names}}
	boxes := map[int][4]int{}
	for _, c := range v.chunks {
		c.col -= least
		x := v.cell(c)
		x.row, x.col = c.row, c.col
		if !c.inside {
			x.mark, x.text = markEmpty, ""
		}
		g.cols = max(g.cols, c.col+1)
		g.cells = append(g.cells, x)
		b, ok := boxes[c.issue]
		if !ok {
			b = [4]int{c.row, c.col, c.row, c.col}
		}
		boxes[c.issue] = [4]int{min(b[0], c.row), min(b[1], c.col), max(b[2], c.row), max(b[3], c.col)}
	}
	per := max(chunkBits/max(m.Type.Bits(), 1), 1)
	for i := range g.cols {
		g.colAxis.labels = append(g.colAxis.labels, strconv.FormatInt((v.first+int64(i+least))*per, 10))
	}
	for i := range len(boxes) {
		b := boxes[i]
		g.focuses = append(g.focuses, focus{
			row: b[0], col: b[1], rows: b[2] - b[0] + 1, cols: b[3] - b[1] + 1, color: v.theme.Strong, width: 2,
		})
	}
	return g
}

// sharing is the tile in shared memory, with a line of 128 bytes per row.
func (v *tmaView) sharedGrid() *grid {
	const line = 8
	g := &grid{title: "in shared memory", cols: line}
	used := map[int64]bool{}
	begins := map[int]int{} // the first line of each instruction
	for _, c := range v.chunks {
		x := v.cell(c)
		if !c.inside {
			x.mark, x.text = markEmpty, v.fill
		}
		x.row, x.col = int(c.at/line), int(c.at%line)
		if first, ok := begins[c.issue]; !ok || x.row < first {
			begins[c.issue] = x.row
		}
		g.rows = max(g.rows, x.row+1)
		used[c.at] = true
		g.cells = append(g.cells, x)
	}
	for at := range int64(g.rows * line) {
		if !used[at] {
			g.cells = append(g.cells, cell{row: int(at / line), col: int(at % line), mark: markEmpty})
		}
	}
	for i := range g.rows {
		g.rowAxis.labels = append(g.rowAxis.labels, strconv.Itoa(i*128))
	}
	for i := range len(begins) {
		if r := begins[i]; r > 0 {
			g.rules = append(g.rules, rule{r, 0, r, line, v.theme.Strong, 2})
		}
	}
	for i := range line {
		g.colAxis.labels = append(g.colAxis.labels, strconv.Itoa(i*16))
	}
	return g
}
