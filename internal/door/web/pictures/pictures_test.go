package pictures

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// Everything that the page computes about elements agrees with brute force: places in each grid, their labels, the
// texts of the inspector, and which cells are lit.
func TestPictures(t *testing.T) {
	t.Parallel()
	needsNode(t)
	if testing.Short() {
		t.Skip("brute force takes seconds")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var all []scene
	for range 250 {
		all = append(all, randomLayout(r))
	}
	for range 60 {
		all = append(all, randomLinear(r))
	}
	for range 60 {
		all = append(all, randomTV(r))
	}
	all = append(all, oddTV()...)
	all = append(all, basisLayouts(t)...)
	all = append(all, limits()...)
	all = append(all, atoms(t)...)
	all = append(all, tiled(t)...)
	if os.Getenv("GIRIH_NODE") != "required" { // .ci/run checks all of them
		every := all[:0]
		for k := 0; k < len(all); k += 4 {
			every = append(every, all[k])
		}
		all = every
	}
	questions := make([]question, len(all))
	for k, s := range all {
		most := int64(0)
		for _, o := range s.operands {
			most = max(most, int64(len(o.elements)))
		}
		questions[k] = question{Ask: "views", Answers: []string{inspected(t, s.request)}, Sample: sampled(r, most)}
	}
	checked := 0
	for k, got := range shows[viewsShown](t, questions) {
		s := all[k]
		if len(got.Operands) != len(s.operands) {
			t.Errorf("%+v: %d operands, want %d", s.request, len(got.Operands), len(s.operands))
			continue
		}
		for n, o := range s.operands {
			c := check{t: t, scene: s, truth: o, got: got.Operands[n], bits: bitsOf(s.request.Type)}
			for _, i := range questions[k].Sample {
				if i < int64(len(o.elements)) {
					c.sample = append(c.sample, i)
				}
			}
			c.all()
			checked += len(c.sample)
			if len(s.operands) == 1 {
				c.out(got.Outs)
			}
		}
		if t.Failed() {
			t.Logf("after %d of %d expressions", k, len(all))
			return
		}
	}
	t.Logf("%d expressions, %d elements", len(all), checked)
}

func bitsOf(name string) int64 {
	bits := map[string]int64{"": 32, "b1": 1, "e2m1": 4, "e2m3": 6, "s8": 8, "f16": 16, "f32": 32, "f64": 64, "b128": 128}
	return bits[name]
}

// A check compares what is shown for an operand with the truth.
type check struct {
	t      *testing.T
	scene  scene
	truth  truth
	got    operandShown
	bits   int64
	sample []int64
}

func (c *check) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("%s, tile %s, type %s, operand %q: %s",
		c.scene.request.Expr, c.scene.request.Tile, c.scene.request.Type, c.truth.name, fmt.Sprintf(format, args...))
}

func (c *check) all() {
	if c.got.Outline || c.got.Name != c.truth.name || c.got.Size != int64(len(c.truth.elements)) {
		c.errorf("%q of %d elements, want %d (outline: %v)", c.got.Name, c.got.Size, len(c.truth.elements), c.got.Outline)
		return
	}
	c.logical()
	c.borders()
	c.hardware()
	c.memory()
	c.banks()
	for k, i := range c.sample {
		nested := c.truth.elements[i].nested
		numbers := strings.FieldsFunc(nested, func(r rune) bool { return strings.ContainsRune("(),", r) })
		if nested != "" && fmt.Sprint(c.got.Digits[k]) != fmt.Sprint(numbers) {
			c.errorf("the shape tree has the digits %v at element %d, want %v", c.got.Digits[k], i, numbers)
			return
		}
		if want := c.inspector(i); fmt.Sprint(want) != fmt.Sprint(c.got.Inspector[k]) {
			c.errorf("the inspector says of element %d\n%v, want\n%v", i, c.got.Inspector[k], want)
			return
		}
	}
	c.lit()
}

// label is the text of an element's cell.
func (c *check) label(e element, i int64) string {
	switch {
	case c.truth.space:
		return ""
	case e.held:
		return fmt.Sprintf("T%d|V%d", e.threadName(), e.index)
	case e.offset != nil:
		return e.offset.String()
	case e.value != "":
		return e.value
	}
	return fmt.Sprint(i)
}

// firsts returns the first element at each place, and the number of elements there.
func (c *check) firsts() (first map[[2]int64]int64, count map[[2]int64]int) {
	first, count = make(map[[2]int64]int64), make(map[[2]int64]int)
	for i, e := range c.truth.elements {
		at := [2]int64{e.row, e.col}
		if count[at]++; count[at] == 1 {
			first[at] = int64(i)
		}
	}
	return first, count
}

func (c *check) logical() {
	g := c.got.Logical[0]
	first, count := c.firsts()
	rows, cols := c.truth.rows, c.truth.cols
	if c.truth.name == "B" {
		rows, cols = cols, rows
	}
	if g.Rows != rows || g.Cols != cols || g.Cells != int64(len(first)) {
		c.errorf("the logical grid has %d rows, %d columns, %d cells; want %d, %d, %d",
			g.Rows, g.Cols, g.Cells, rows, cols, len(first))
		return
	}
	// Offsets of several elements are marked, and so are places with more elements than other places.
	offsets := make(map[string]int)
	even := int64(len(count)) == c.truth.rows*c.truth.cols
	for _, e := range c.truth.elements {
		if e.offset != nil {
			offsets[e.offset.String()]++
		}
		even = even && count[[2]int64{e.row, e.col}] == count[[2]int64{c.truth.elements[0].row, c.truth.elements[0].col}]
	}
	// If there are several panels, the modes after the first two select the panel of an element.
	panel := func(e element) string {
		parts := strings.SplitN(strings.Trim(e.coord, "()"), ",", 3)
		if e.held || len(parts) < 3 {
			return ""
		}
		return "(_,_," + parts[2] + ")"
	}
	panels := make(map[string]bool)
	for _, e := range c.truth.elements {
		panels[panel(e)] = true
	}
	for k, i := range c.sample {
		e, p := c.truth.elements[i], g.Elements[k]
		if want := panel(e); len(panels) > 1 && p.text(7) != want || len(panels) == 1 && p.text(7) != "" {
			c.errorf("logical: element %d is in panel %q, want %q", i, p.text(7), want)
			return
		}
		row, col, rowName, colName := e.row, e.col, e.rowName, e.colName
		if c.truth.name == "B" {
			row, col, rowName, colName = col, row, colName, rowName
		}
		if p.row() != row || p.col() != col || p.shown() != first[[2]int64{e.row, e.col}] || p.text(3) != c.label(e, i) ||
			p.text(4) != rowName || p.text(5) != colName {
			c.errorf("logical: element %d: %v; want %d %d %d %q %q %q",
				i, p, row, col, first[[2]int64{e.row, e.col}], c.label(e, i), rowName, colName)
			return
		}
		marked := count[[2]int64{e.row, e.col}] > 1 && !even
		if e.offset != nil {
			marked = offsets[e.offset.String()] > 1
		}
		if (p[6].(float64) == 1) != marked {
			c.errorf("logical: element %d is marked: %v, want %v", i, p[6], marked)
			return
		}
		says := e.coord
		if c.truth.name != "" {
			says = c.truth.name + " " + says
		}
		if !e.held {
			says += fmt.Sprintf(", index %d", i)
		}
		switch {
		case e.offset != nil:
			says += ", offset " + e.offset.String()
		case e.held && e.place >= 0:
			says += fmt.Sprintf(", tile index %d", e.place)
		case e.value != "":
			says += ", value " + e.value
		}
		if e.held {
			says += fmt.Sprintf(", thread %d, value %d", e.threadName(), e.index)
		}
		if !c.truth.space && p.text(8) != says {
			c.errorf("logical: of element %d is said %q, want %q", i, p.text(8), says)
			return
		}
	}
}

// borders compares the borders in the logical grid with each pair of neighbours: a border separates neighbours whose
// threads, warps or atoms differ. Borders of threads are omitted if no two neighbours have the same thread.
func (c *check) borders() {
	if len(c.truth.elements) == 0 || !c.truth.elements[0].held {
		if len(c.got.Borders) > 0 {
			c.errorf("there are borders where no thread holds anything: %v", c.got.Borders)
		}
		return
	}
	type edge struct{ down, row, col int64 } // above a cell, or to its left
	lines, atoms := map[edge]int64{}, map[edge]bool{}
	for _, b := range c.got.Borders {
		for k := b[2]; k < b[3]; k++ {
			e := edge{b[0], b[1], k}
			if b[0] == 1 {
				e.row, e.col = k, b[1]
			}
			if b[4] == 3 {
				atoms[e] = true
			} else {
				lines[e] = b[4]
			}
		}
	}
	first, _ := c.firsts()
	together := false
	level := func(e edge) (line int64, atom bool) {
		i, here := first[[2]int64{e.row, e.col}]
		j, there := first[[2]int64{e.row - 1 + e.down, e.col - e.down}]
		if !here || !there {
			return map[bool]int64{true: 0, false: 2}[here == there], here != there
		}
		a, b := c.truth.elements[i], c.truth.elements[j]
		switch {
		case a.thread == b.thread:
			together = true
		case a.thread/c.truth.warp != b.thread/c.truth.warp:
			line = 2
		default:
			line = 1
		}
		return line, a.atom != b.atom
	}
	want, wantAtoms := map[edge]int64{}, map[edge]bool{}
	for r := range c.truth.rows {
		for k := range c.truth.cols {
			for _, e := range []edge{{0, r, k}, {1, r, k}} {
				if e.down == 0 && r == 0 || e.down == 1 && k == 0 {
					continue
				}
				line, atom := level(e)
				if line > 0 {
					want[e] = line
				}
				if atom && c.truth.atoms {
					wantAtoms[e] = true
				}
			}
		}
	}
	maps.DeleteFunc(want, func(_ edge, line int64) bool { return line == 1 && !together })
	if !maps.Equal(lines, want) || !maps.Equal(atoms, wantAtoms) {
		c.errorf("%d borders of threads and %d of atoms, want %d and %d", len(lines), len(atoms), len(want), len(wantAtoms))
	}
}

// The thread and the value of a cell follow from its labels: the label of the row, and the header of the column.
func (c *check) hardware() {
	if len(c.truth.elements) > 0 && c.truth.elements[0].held != (len(c.got.Hardware) > 0) {
		c.errorf("%d hardware grids", len(c.got.Hardware))
	}
	for _, g := range c.got.Hardware {
		if g.Cells != int64(len(c.truth.elements)) {
			c.errorf("the hardware grid of %d rows shows %d of %d elements", g.Rows, g.Cells, len(c.truth.elements))
		}
		for k, i := range c.sample {
			e, p := c.truth.elements[i], g.Elements[k]
			var thread, first, last, value, warp int64
			row, band := p.text(4), p.text(7)
			scan(row, "T%d", &thread)
			scan(row, "+%d", &thread)
			scan(row, "%d", &thread)
			if at := strings.Index(band, "T"); at >= 0 {
				scan(band[at:], "T%d-%d", &first, &last)
			} else if band != "" {
				scan(band, "warp %d", &warp)
				first, last = warp*c.truth.warp, (warp+1)*c.truth.warp-1
			}
			if band != "" && (thread+first > last || p.col()/max(g.Cols, 1) > 0) {
				c.errorf("hardware: row %q is not in %q", row, band)
			}
			scan(p.text(5), "V%d", &value)
			if thread+first != e.threadName() || value != e.index || p.shown() != i ||
				p.text(3) != fmt.Sprintf("%d,%d", e.row, e.col) {
				c.errorf("hardware of %d rows: element %d of thread %d, value %d at (%d,%d): %v",
					g.Rows, i, e.thread, e.index, e.row, e.col, p)
				return
			}
			if scan(band, "warp %d", &warp) && (e.thread/c.truth.warp != warp) {
				c.errorf("hardware: thread %d in warps of %d is under %q", e.thread, c.truth.warp, band)
			}
		}
	}
}

func scan(text, format string, args ...any) bool {
	n, err := fmt.Sscanf(text, format, args...)
	return err == nil && n == len(args)
}

// atOffset returns the first element of each offset.
func (c *check) atOffset() map[string]int64 {
	first := make(map[string]int64)
	for i, e := range c.truth.elements {
		if e.offset == nil {
			return nil
		}
		if _, old := first[e.offset.String()]; !old {
			first[e.offset.String()] = int64(i)
		}
	}
	return first
}

func (c *check) memory() {
	first := c.atOffset()
	for _, g := range c.got.Memory {
		for k, i := range c.sample {
			e, p := c.truth.elements[i], g.Elements[k]
			var row int64
			scan(p.text(4), "%d", &row)
			if row+p.col() != e.offset.Int64() || p.text(5) != fmt.Sprint(p.col()) || p.shown() != first[e.offset.String()] ||
				p.text(3) != strings.Trim(e.coord, "()") {
				c.errorf("memory: element %d, %s, at offset %v: %v", i, e.coord, e.offset, p)
				return
			}
		}
		if g.Cells != int64(len(first)) {
			c.errorf("memory shows %d of %d offsets", g.Cells, len(first))
		}
	}
}

// span returns the first bit of an element, and its banks.
func (c *check) span(e element) (bit *big.Int, bank, last int64) {
	bit = new(big.Int).Mul(e.offset, big.NewInt(c.bits))
	end := new(big.Int).Add(bit, big.NewInt(c.bits-1))
	of := func(b *big.Int) int64 {
		return new(big.Int).Mod(new(big.Int).Div(b, big.NewInt(32)), big.NewInt(32)).Int64() // Euclidean
	}
	return bit, of(bit), of(end)
}

func (c *check) banks() {
	for _, g := range c.got.Banks {
		if c.bits == 6 {
			c.errorf("elements of 6 bits have no columns in banks")
		}
		for k, i := range c.sample {
			e, p := c.truth.elements[i], g.Elements[k]
			bit, bank, _ := c.span(e)
			row := new(big.Int).Div(bit, big.NewInt(1024))
			row.Mul(row, big.NewInt(128))
			if p.text(4) != row.String() || p.text(5) != fmt.Sprint(bank) {
				c.errorf("banks: element %d at offset %v is in the row of byte %v, bank %d: %v", i, e.offset, row, bank, p)
				return
			}
		}
	}
}

func (c *check) inspector(i int64) map[string]string {
	e := c.truth.elements[i]
	m := map[string]string{"coordinate": e.coord, "index": fmt.Sprint(i)}
	if c.truth.name != "" {
		m["operand"] = c.truth.name
	}
	if e.nested != "" {
		m["nested"] = e.nested
	}
	if e.held {
		m["thread"] = fmt.Sprintf("%d  = warp %d, lane %d", e.thread, e.thread/c.truth.warp, e.thread%c.truth.warp)
		if e.lane >= 0 {
			m["thread"] = fmt.Sprintf("%d, number %d of the instruction", e.lane, e.thread)
		}
		m["value"] = fmt.Sprint(e.index)
	}
	if c.truth.space {
		m["lies in"] = "shared memory"
		if strings.Contains(c.scene.request.Expr, "SM100") || strings.Contains(c.scene.request.Expr, "SM103") {
			m["lies in"] = c.got.Inspector[0]["lies in"]
		}
		return m
	}
	if e.value != "" {
		m["value"] = e.value
	}
	at, name := e.offset, "offset"
	if e.held && e.place >= 0 {
		at, name = big.NewInt(e.place), "tile index"
	}
	if at == nil {
		return m
	}
	m[name] = at.String()
	sign := ""
	if at.Sign() < 0 {
		sign = "-"
	}
	digits := new(big.Int).Abs(at).Text(2)
	m["in binary"] = sign + strings.Repeat("0", max(4-len(digits), 0)) + digits
	if e.offset != nil {
		bit, bank, last := c.span(e)
		m["byte"] = new(big.Int).Div(bit, big.NewInt(8)).String()
		if c.bits%8 != 0 {
			m["byte"] += fmt.Sprintf(", bit %v", new(big.Int).Mod(bit, big.NewInt(8)))
		}
		m["bank"] = fmt.Sprintf("%d of 32", bank)
		if bank != last {
			m["bank"] = fmt.Sprintf("%d-%d of 32", bank, last)
		}
	}
	var same []string
	for k, other := range c.truth.elements {
		switch {
		case int64(k) == i || e.offset != nil && e.offset.Cmp(other.offset) != 0 || e.offset == nil && other.place != e.place:
		case e.held:
			same = append(same, fmt.Sprintf("T%d V%d", other.threadName(), other.index))
		default:
			same = append(same, other.coord)
		}
	}
	more := ""
	if len(same) > 5 {
		same, more = same[:5], " …"
	}
	if len(same) > 0 {
		key := "same offset as"
		if e.held {
			key = "held also by"
		}
		m[key] = strings.Join(same, " ") + more
	}
	return m
}

// lit compares which cells are lit while an element is under the pointer. The axes of A, B and C are M and K, N and
// K, M and N.
func (c *check) lit() {
	axes := map[string]string{"A": "MK", "B": "NK", "C": "MN"}
	for k, lit := range c.got.Lit {
		i := c.sample[k]
		e := c.truth.elements[i]
		for n, other := range c.scene.operands {
			for j, level := range lit[n] {
				x := other.elements[j]
				want := 0
				if e.held && x.held && e.thread == x.thread {
					want = 1
				}
				switch {
				case other.name == c.truth.name && int64(j) == i:
					want = 3
				case other.name == c.truth.name:
					if e.offset != nil && e.offset.Cmp(x.offset) == 0 ||
						e.offset == nil && e.value != "" && e.value == x.value ||
						e.held && e.place >= 0 && e.place == x.place {
						want = 2
					}
				case axes[other.name] == "":
					if e.row == x.row && e.col == x.col {
						want = 2
					}
				default:
					mine := map[byte]int64{axes[c.truth.name][0]: e.row, axes[c.truth.name][1]: e.col}
					for a, at := range []int64{x.row, x.col} {
						if v, ok := mine[axes[other.name][a]]; ok && v == at {
							want = 2
						}
					}
				}
				if level != want {
					c.errorf("element %d lights %d of %s with %d, want %d", i, j, other.name, level, want)
					return
				}
			}
			c.shown(i, other, lit[n], c.got.Shown[k][n])
		}
	}
}

// shown compares which element of a cell is shown while element i lights others: the element with the highest level,
// or the first of several such elements.
func (c *check) shown(i int64, other truth, levels, got []int) {
	best := make(map[[2]int64]int)
	for j, level := range levels {
		at := [2]int64{other.elements[j].row, other.elements[j].col}
		if b, seen := best[at]; !seen || level > levels[b] {
			best[at] = j
		}
	}
	for j := range levels {
		if want := best[[2]int64{other.elements[j].row, other.elements[j].col}]; got[j] != want {
			c.errorf("while element %d is pointed at the cell of %d of %s shows %d, want %d", i, j, other.name, got[j], want)
			return
		}
	}
}

// out compares the output bits of the matrix.
func (c *check) out(names []string) {
	if len(c.got.Out) == 0 {
		return
	}
	for k, i := range c.sample {
		e := c.truth.elements[i]
		value := e.offset
		if value == nil {
			value = big.NewInt(e.row + c.truth.rows*e.col)
		}
		for b, name := range names {
			if e.value != "" {
				// Coordinate 4 of dim1 is bit 2 of its mode 1.
				var dim int
				var bit, x int64
				if !scan(name, "dim%d %d", &dim, &bit) {
					scan(name, "offset %d", &bit)
				}
				scan(strings.Split(strings.Trim(e.value, "()"), ",")[dim], "%d", &x)
				if (c.got.Out[k][b] == '1') != (x&bit != 0) {
					c.errorf("the matrix gives %s at index %d, the value is %s, outputs %v", c.got.Out[k], i, e.value, names)
					return
				}
				continue
			}
			if uint(c.got.Out[k][b]-'0') != value.Bit(b) {
				c.errorf("the matrix gives %s at index %d, the value is %v, outputs %v", c.got.Out[k], i, value, names)
				return
			}
		}
	}
}
