package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"girih/internal/service"
)

// A thumb is a small picture of an example of the first page: a cell is a character.
type thumb struct {
	Rows  int      `json:"rows"`
	Cells []string `json:"cells"` // by column
}

// Characters of cells. Letters are the eight hues with four shades each; digits are steps of offsets.
const (
	nothing = ' '
	hued    = '@' // the first shade of the first hue; 'A' and on follow
	stepped = '0'
)

// example matches an example of the first page: its name, its expression in JavaScript's quotes, and its type.
var example = regexp.MustCompile(`(?m)^  \["([^"]+)", \{ e: (?:"((?:[^"\\]|\\.)*)"|'([^']*)')(?:, t: "(\w+)")? \}\],$`)

// thumbs writes the pictures of the examples, by name, to a file of the page. The example of a refusal has no picture.
func thumbs(from string) error {
	text, err := os.ReadFile(filepath.Join(from, "pages", "explore.tsx"))
	if err != nil {
		return err
	}
	all := map[string]thumb{}
	for _, m := range example.FindAllStringSubmatch(string(text), -1) {
		r := new(service.Session).Inspect(service.InspectRequest{Expr: m[2] + m[3], Type: m[4]})
		if r.OK {
			all[m[1]] = thumbOf(&r)
		}
	}
	if len(all) < 6 {
		return fmt.Errorf("explore.tsx has %d examples of the form that is read here", len(all))
	}
	out, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(from, "thumbs.json"), append(out, '\n'), 0o644)
}

// thumbOf arranges the operands of a value as the page does: A to the left of C, and B above it. Of source and
// destination it takes the source.
func thumbOf(r *service.InspectResponse) thumb {
	if len(r.Operands) < 3 {
		return thumb{int(r.Operands[0].Rows), columns(r, 0)}
	}
	a, b, c := columns(r, 0), rowsOf(columns(r, 1)), columns(r, 2)
	gap := len(b[0]) + 1
	t := thumb{Rows: gap + len(a[0])}
	blank := fmt.Sprintf("%*s", gap, "")
	for _, column := range a {
		t.Cells = append(t.Cells, blank+column)
	}
	t.Cells = append(t.Cells, fmt.Sprintf("%*s", t.Rows, ""))
	for i, column := range c {
		t.Cells = append(t.Cells, b[i]+" "+column)
	}
	return t
}

// columns returns the cells of an operand, column by column.
func columns(r *service.InspectResponse, operand int) []string {
	o := &r.Operands[operand]
	cells := make([][]byte, o.Cols)
	for i := range cells {
		cells[i] = fmt.Appendf(nil, "%*s", o.Rows, "")
	}
	for i := range o.Size {
		row, col := i%o.Rows, i/o.Rows
		if o.Row != nil {
			row, col = o.Row[i], o.Col[i]
		}
		if col < o.Cols {
			cells[col][row] = cellOf(r, operand, i)
		}
	}
	out := make([]string, len(cells))
	for i := range cells {
		out[i] = string(cells[i])
	}
	return out
}

// rowsOf returns the rows of a grid of columns.
func rowsOf(columns []string) []string {
	rows := make([]string, len(columns[0]))
	for k := range rows {
		for _, column := range columns {
			rows[k] += column[k : k+1]
		}
	}
	return rows
}

// cellOf returns the character of an element: its warp, its lane if there is only one warp, its group of banks, or its
// offset.
func cellOf(r *service.InspectResponse, operand int, i int64) byte {
	o := &r.Operands[operand]
	switch {
	case o.Threads > 32:
		t := i % o.Threads
		return byte(hued + t/32%8*4 + t%32/8)
	case o.Threads > 0:
		return byte(hued + i%o.Threads/4%8*4 + i%4)
	case o.Fill == "group":
		return byte(hued + o.Offset[i]*2/16%8*4 + 1)
	case o.Offset != nil:
		return byte(stepped + o.Offset[i]/step(o.Offset)%8)
	}
	return nothing
}

// step returns the greatest common divisor of offsets, or 1.
func step(offsets []int64) int64 {
	var d int64
	for _, x := range offsets {
		for x != 0 {
			d, x = x, d%x
		}
	}
	return max(d, 1)
}
