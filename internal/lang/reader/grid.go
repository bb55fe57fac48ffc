package reader

import (
	"fmt"
	"strconv"
	"strings"

	"girih/cute"
)

// This file reads grids that are drawn with | and +: the output of print_layout, thread-value grids, tables of phases.

// A grid is a drawn table. Cells are trimmed and share the memory of the text.
type grid struct {
	labels []string // the text before the first | of each row
	rows   [][]string
	border bool
	end    int // the byte after the last line
}

// lineAt returns the line that begins at byte i, without its end, and the start of the next line.
func (p *parser) lineAt(i int) (line string, next int) {
	if k := strings.IndexByte(p.src[i:], '\n'); k >= 0 {
		return p.src[i : i+k], i + k + 1
	}
	return p.src[i:], len(p.src)
}

// isBorder reports whether a line is +---+---+.
func isBorder(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && line[0] == '+' && strings.Trim(line, "+-=") == "" && line[len(line)-1] == '+'
}

// grid reads a drawn table at the current line. It skips the line of column numbers above the table.
func (s *search) grid() bool {
	start := int(s.peek().start)
	line, next := s.lineAt(start)
	if !strings.Contains(line, "|") && !isBorder(line) {
		below, _ := s.lineAt(next)
		if !isBorder(below) || strings.Trim(line, "0123456789 \t\r") != "" {
			return false
		}
		start = next
	}
	if start < s.undrawn {
		return false
	}
	g := s.collectRows(start)
	s.undrawn = g.end
	if len(g.rows) == 0 || !g.border && len(g.rows[0]) < 2 {
		return false
	}
	first := s.begin()
	ok := s.numbers(&g, first) || s.threadValues(&g, first) || s.phases(&g, first)
	if !ok {
		s.pos = first
	}
	return ok
}

// collectRows collects the rows of a table from byte i on.
func (s *search) collectRows(i int) grid {
	g := grid{end: i}
	for i < len(s.src) {
		line, next := s.lineAt(i)
		switch {
		case isBorder(line):
			g.border = true
		case strings.Contains(line, "|"):
			s.take(24 * (1 + strings.Count(line, "|"))) // the size includes the number of the cell
			cells := strings.Split(line, "|")
			for k := range cells {
				cells[k] = strings.TrimSpace(cells[k])
			}
			label := cells[0]
			cells = cells[1:]
			if n := len(cells); n > 0 && cells[n-1] == "" {
				cells = cells[:n-1]
			}
			if len(cells) == 0 || len(g.rows) > 0 && len(cells) != len(g.rows[0]) {
				return g
			}
			g.labels = append(g.labels, label)
			g.rows = append(g.rows, cells)
		default:
			return g
		}
		g.end = i + len(line)
		i = next
	}
	return g
}

// skipTo moves to the first token at or after a byte.
func (s *search) skipTo(end int) {
	for s.peek().kind != tokEOF && int(s.peek().start) < end {
		s.pos++
	}
}

// numbers keeps the layout of a grid of offsets. If the line above is a layout, as print_layout writes it, the grid is
// compared with that layout instead.
func (s *search) numbers(g *grid, first int) bool {
	t := table{rows: len(g.rows), cols: len(g.rows[0]), cells: make([]int64, 0, len(g.rows)*len(g.rows[0]))}
	for _, row := range g.rows {
		for _, c := range row {
			x, err := strconv.ParseInt(c, 10, 64)
			if err != nil || magnitude(x) > 1<<50 {
				return false
			}
			t.cells = append(t.cells, x)
		}
	}
	s.keepOffsets(&t, first, g.end)
	return true
}

// keepOffsets keeps a table of offsets that ends at a byte.
func (s *search) keepOffsets(t *table, first, end int) {
	start := s.toks[first].start
	title := s.title(int(start))
	s.skipTo(end)
	if title != nil {
		verdict, agrees := compare(title.node, t)
		title.notes = append(title.notes, verdict)
		title.node.end = max(title.node.end, s.end())
		if agrees {
			return
		}
	}
	n, kind := s.fitTable(t, nil, start, s.end())
	f := s.add(n, first)
	f.kind, f.name = kind, ""
}

// title returns the layout printed right above a grid, or nil.
func (s *search) title(start int) *found {
	if len(s.found) == 0 {
		return nil
	}
	f := &s.found[len(s.found)-1]
	if f.node.kind != nodeLayout && f.node.kind != nodeCompose || int(f.node.end) > start {
		return nil
	}
	between := s.src[f.node.end:start]
	if len(between) > 4096 || strings.Trim(between, "0123456789 :\t\r\n") != "" || strings.Count(between, "\n") > 2 {
		return nil
	}
	return f
}

// compare says whether a grid shows a layout.
func compare(n *node, t *table) (string, bool) {
	w, l, err := swizzledLayout(n)
	if err != nil {
		return "the grid below it is not compared", true
	}
	if l.Size() != int64(len(t.cells)) || l.Rank() > 2 && !goesDown(l, t.rows) {
		return fmt.Sprintf("the grid below it has %d by %d cells, the layout %d offsets", t.rows, t.cols, l.Size()), true
	}
	for i := range t.rows {
		for j := range t.cols {
			x, err := l.At(int64(i + j*t.rows))
			if err == nil && w != nil {
				x, err = w.At(x)
			}
			if err != nil || x != t.at(i, j) {
				return fmt.Sprintf("the grid below it differs at (%d,%d): %d, the layout gives %d", i, j, t.at(i, j), x), false
			}
		}
	}
	return "the grid below it shows this layout", true
}

// goesDown reports whether the rows of a grid are all or some of the first modes of a layout.
func goesDown(l cute.Layout, rows int) bool {
	n := int64(1)
	for i := range l.Rank() {
		m, err := l.Mode(i)
		if err != nil || n >= int64(rows) {
			break
		}
		n *= m.Size()
	}
	return n == int64(rows)
}

// swizzledLayout returns the parts of a static layout, with or without a swizzle and the offset 0 before it.
func swizzledLayout(n *node) (*cute.Swizzle, cute.Layout, error) {
	if n.kind == nodeCompose && len(n.kids) == 3 && n.kids[0].kind == nodeSwizzle && n.kids[1].text == "0" {
		var k [3]int64
		for i, x := range n.kids[0].kids {
			k[i], _ = x.integer()
		}
		w, err := cute.NewSwizzle(int(k[0]), int(k[1]), int(k[2]))
		if err != nil {
			return nil, cute.Layout{}, err
		}
		l, err := cute.Parse(n.kids[2].String())
		return &w, l, err
	}
	l, err := cute.Parse(n.String())
	if err == nil && l.HasBasis() {
		err = errCoordinates
	}
	return nil, l, err
}

// threadValues keeps the layout of a grid whose cells name a thread and a value: T0V1, T0:1.
func (s *search) threadValues(g *grid, first int) bool {
	rows, cols := len(g.rows), len(g.rows[0])
	type place struct{ t, v int }
	s.take(64 * rows * cols)
	at := make(map[place]int64, rows*cols)
	threads, values := 0, 0
	for i, row := range g.rows {
		for j, c := range row {
			t, v, ok := threadValue(c)
			if !ok {
				return false
			}
			threads, values = max(threads, t+1), max(values, v+1)
			if _, twice := at[place{t, v}]; twice {
				return s.unfit(g, first, fmt.Sprintf("T%dV%d is in two cells", t, v))
			}
			at[place{t, v}] = int64(i + j*rows)
		}
	}
	if threads*values != rows*cols {
		return s.unfit(g, first, fmt.Sprintf("%d threads of %d values do not fill %d cells evenly", threads, values, rows*cols))
	}
	t := table{rows: threads, cols: values, cells: make([]int64, 0, rows*cols)}
	for i := range threads {
		for j := range values {
			x, ok := at[place{i, j}]
			if !ok {
				return s.unfit(g, first, fmt.Sprintf("T%dV%d is in no cell", i, j))
			}
			t.cells = append(t.cells, x)
		}
	}
	s.note("thread and value to index in the %dx%d tile, mode 0 down and fastest", rows, cols)
	start := s.toks[first].start
	s.skipTo(g.end)
	n, kind := s.fitTable(&t, nil, start, s.end())
	s.add(n, first).kind = kind
	return true
}

// openGrid reads lines of cells T0V0 T0V1 without a drawing.
func (s *search) openGrid() bool {
	if t := s.peek(); s.src[t.start] != 'T' {
		return false
	}
	start := int(s.peek().start)
	if start < s.undrawn {
		return false
	}
	g := grid{end: start}
	for i := start; i < len(s.src); {
		line, next := s.lineAt(i)
		s.take(16 * len(line))
		cells := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\r' })
		if len(cells) == 0 || len(g.rows) > 0 && len(cells) != len(g.rows[0]) {
			break
		}
		if _, _, ok := threadValue(cells[0]); !ok {
			break
		}
		g.labels, g.rows = append(g.labels, ""), append(g.rows, cells)
		g.end = i + len(line)
		i = next
	}
	s.undrawn = g.end
	return len(g.rows) > 1 && s.threadValues(&g, s.begin())
}

// unfit keeps a grid of threads and values that does not map them to cells.
func (s *search) unfit(g *grid, first int, why string) bool {
	s.note("no thread-value layout: %s", why)
	s.keepTable("tv_grid", g, first)
	return true
}

// threadValue reads T0V1, T0:1 or T0,V1.
func threadValue(c string) (t, v int, ok bool) {
	if len(c) < 4 || len(c) > 16 || c[0] != 'T' {
		return 0, 0, false
	}
	k := 1
	for k < len(c) && isDigit(c[k]) {
		k++
	}
	rest := strings.TrimLeft(c[k:], ":, ")
	rest = strings.TrimPrefix(rest, "V")
	t, err1 := strconv.Atoi(c[1:k])
	v, err2 := strconv.Atoi(rest)
	return t, v, err1 == nil && err2 == nil && v >= 0 && t < 1<<20 && v < 1<<20 && len(rest) < len(c[k:])
}

// phases keeps a table of the threads served at each place and time: 0 | T0 | T2 | x | x |.
func (s *search) phases(g *grid, first int) bool {
	threads := false
	for _, row := range g.rows {
		for _, c := range row {
			switch {
			case len(c) > 1 && c[0] == 'T' && strings.Trim(c[1:], "0123456789") == "":
				threads = true
			case c == "" || c == "x" || c == "X" || c == "." || c == "-" || c == "_":
			default:
				return false
			}
		}
	}
	if !threads {
		return false
	}
	s.keepTable("phases", g, first)
	return true
}

// keepTable keeps a table as a record. Labels become field names, and a cell without a thread becomes _.
func (s *search) keepTable(name string, g *grid, first int) {
	n := &node{kind: nodeRecord, text: name, start: s.toks[first].start}
	for i, row := range g.rows {
		list := &node{kind: nodeList}
		s.take((nodeBytes + 8) * len(row))
		for _, c := range row {
			if len(c) < 2 {
				c = "_"
			}
			list.kids = append(list.kids, &node{kind: nodeSym, text: oneLine(c)})
		}
		label := g.labels[i]
		if label == "" {
			label = strconv.Itoa(i)
		}
		n.add(strings.Join(strings.Fields(label), "_"), list)
	}
	s.skipTo(g.end)
	n.end = s.end()
	s.add(n, first).name = ""
}
