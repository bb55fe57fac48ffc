package view

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Tile draws the elements that a tiler picks from a layout: the smallest grid of coordinates that contains the first
// tile, with the elements of the tile highlighted and numbered in the tile's order. If there are more than two modes,
// as in a PermutationMNK, each mode is a strip. An unchanged mode (_) is drawn 8 wide. It returns cute.CodeRank if
// there are no modes or more than 8, cute.CodeType if a mode is itself a tile, cute.CodeNegative and
// cute.CodeCodomain for strides of modes, and cute.CodeLimit above [DrawnCells] elements.
func Tile(t cute.Tiler, o Options) (*draw.Scene, error) {
	modes := []cute.Tiler{t}
	switch t := t.(type) {
	case cute.Tile:
		modes = t.Modes()
	case cute.Tuple:
		modes = nil
		for _, m := range t.Modes() {
			modes = append(modes, m)
		}
	}
	if len(modes) == 0 || len(modes) > 8 {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: "draw", Msg: fmt.Sprintf("expected a tiler of 1 to 8 modes, found %s", t),
		}
	}
	var picks [][]int64
	for _, m := range modes {
		p, err := pickedCoords(m)
		if err != nil {
			return nil, err
		}
		picks = append(picks, p)
	}
	f := frame{title: t.String()}
	if len(modes) == 2 {
		g, err := pickedGrid(picks[0], picks[1], o)
		if err != nil {
			return nil, err
		}
		f.body = g
		f.notes = append(f.notes, fmt.Sprintf("The first tile: %d of the %d elements that it spans, numbered in its order.",
			len(picks[0])*len(picks[1]), g.rows*g.cols))
	} else {
		strips := &stack{gap: 14}
		for i, p := range picks {
			g, err := pickedGrid([]int64{0}, p, o)
			if err != nil {
				return nil, err
			}
			g.rowAxis.labels = nil
			if len(modes) > 1 {
				g.title = fmt.Sprintf("mode %d: %s", i, modes[i])
			}
			strips.parts = append(strips.parts, g)
			f.notes = append(f.notes,
				fmt.Sprintf("The first tile of mode %d: %d of the %d elements that it spans, numbered in its order.", i,
					len(p), g.cols))
		}
		f.body = strips
	}
	for i, m := range modes {
		if m == cute.Keep {
			f.notes = append(f.notes, fmt.Sprintf("Mode %d is left alone; 8 of it are drawn.", i))
		}
	}
	return f.draw(o), nil
}

// pickedGrid returns the grid of the rows and columns that a tile picks and of those between them.
func pickedGrid(down, across []int64, o Options) (*grid, error) {
	lastRow, lastCol := slices.Max(down), slices.Max(across)
	if lastRow >= DrawnCells || lastCol >= DrawnCells || (lastRow+1)*(lastCol+1) > DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw",
			Msg: fmt.Sprintf("expected a tile that spans at most %d elements, found %d by %d", DrawnCells, uint64(lastRow)+1,
				uint64(lastCol)+1),
		}
	}
	rows, cols := lastRow+1, lastCol+1
	g := &grid{
		rows: int(rows), cols: int(cols), rowAxis: axis{labels: indices(int(rows))}, colAxis: axis{labels: indices(int(cols))},
	}
	labels := rows*cols <= o.labelLimit()
	number := make(map[[2]int64]int, len(down)*len(across))
	for j, c := range across {
		for i, r := range down {
			number[[2]int64{r, c}] = i + j*len(down)
		}
	}
	for r := range rows {
		for c := range cols {
			x := cell{row: int(r), col: int(c), mark: markEmpty}
			if n, ok := number[[2]int64{r, c}]; ok {
				x.mark = markFocus
				if labels {
					x.text, x.key = strconv.Itoa(n), "i"+strconv.Itoa(n)
				}
			}
			g.cells = append(g.cells, x)
		}
	}
	return g, nil
}

// pickedCoords returns the coordinates that the tiler of a mode picks, in its order.
func pickedCoords(t cute.Tiler) ([]int64, error) {
	if t == cute.Keep {
		return []int64{0, 1, 2, 3, 4, 5, 6, 7}, nil
	}
	var l cute.Layout
	switch t := t.(type) {
	case cute.Layout:
		l = t
	case cute.Tuple:
		n, err := t.Product()
		if err != nil {
			return nil, err
		}
		if l, err = cute.New(cute.Int(n), cute.Int(1)); err != nil {
			return nil, err
		}
	default:
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "draw",
			Msg: fmt.Sprintf("expected a layout, an integer or _ as the tiler of a mode, found %s", t),
		}
	}
	if l.HasBasis() {
		return nil, &cute.Error{
			Code: cute.CodeCodomain, Op: "draw", Msg: fmt.Sprintf("expected integer strides in a tiler, found %s", l),
		}
	}
	if l.Size() > DrawnCells {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected a tile of at most %d elements, found %s", DrawnCells, l),
		}
	}
	xs, err := l.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	if lo := slices.Min(xs); lo < 0 {
		return nil, &cute.Error{
			Code: cute.CodeNegative, Op: "draw",
			Msg: fmt.Sprintf("expected a tile that picks from 0 on, found %s, which picks %d", l, lo),
		}
	}
	return xs, nil
}
