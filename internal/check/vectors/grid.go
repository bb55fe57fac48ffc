package vectors

import (
	"fmt"
	"strings"
)

// runGrids runs print_layout.txt: it checks each layout's value at every cell of the grid below the layout. The tests
// of `girih layout` check how the grid is drawn.
func runGrids(rep *Report, data []byte) error {
	var g grid
	for n, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.Contains(line, "|"):
			g.cells = append(g.cells, strings.Split(line, "|")[1:])
		case strings.Contains(line, ":"):
			g.enter(rep)
			g = grid{line: n + 1, layout: strings.TrimSpace(line)}
		}
	}
	g.enter(rep)
	return nil
}

// A grid is one layout and the cells below it.
type grid struct {
	line   int
	layout string
	cells  [][]string
}

// enter adds the verdict on the grid to the report.
func (g grid) enter(rep *Report) {
	if g.layout != "" {
		rep.add(fmt.Sprintf("%s:%d", rep.File, g.line), "print_layout values", g.verdict())
	}
}

func (g grid) verdict() outcome {
	if len(g.cells) == 0 {
		return fail(ask(g.layout), "", "there is no grid below the layout")
	}
	for r, row := range g.cells {
		for c, cell := range row {
			want := strings.TrimSpace(cell)
			if want == "" && c == len(row)-1 {
				continue
			}
			if a := ask(fmt.Sprintf("(%s)(%d,%d)", g.layout, r, c)); a.text() != want {
				return fail(a, want, "another value in the grid")
			}
		}
	}
	return pass()
}

// isGrid reports whether a file starts with a layout and its grid.
func isGrid(first, rest string) bool {
	lines := strings.SplitN(rest, "\n", 3)
	return strings.Contains(first, ":") && len(lines) > 1 && strings.HasPrefix(strings.TrimSpace(lines[1]), "+--")
}
