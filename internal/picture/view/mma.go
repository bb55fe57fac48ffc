package view

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/internal/picture/draw"
)

// MMA draws an MMA instruction as three panels with common axes: A at the bottom left, M by K; B at the top right, K
// by N; and C at the bottom right, M by N. Each shows the threads that hold the elements, as [TV] does. An operand
// outside of registers is drawn as an empty matrix, and a caption says where it is. It returns cute.CodeLimit above
// [DrawnCells] elements.
func MMA(m atom.MMA, o Options) (*draw.Scene, error) {
	title := fmt.Sprintf("%s, %d x %d x %d", m.Name, m.Shape[0], m.Shape[1], m.Shape[2])
	if m.Blocks > 1 {
		title += fmt.Sprintf(", %d blocks", m.Blocks)
	}
	return threePanels(title, operands{
		atom: m, shape: m.Shape, threads: m.ThrID,
		tv: func(op atom.Operand) (cute.Layout, error) { return m.TV(op), nil },
	}, o)
}

// TiledMMA draws a TiledMMA on its tile, as [MMA] draws an instruction, with borders of the atoms. It returns the
// errors of MMA and of atom.TiledMMA.LayoutTV.
func TiledMMA(m atom.TiledMMA, o Options) (*draw.Scene, error) {
	shape := m.TileShape()
	title := fmt.Sprintf("%s x %s", m.Atom().Name, m.AtomLayoutMNK())
	if p := m.PermutationMNK(); p != [3]cute.Tiler{cute.Keep, cute.Keep, cute.Keep} {
		title += fmt.Sprintf(", permutation <%s,%s,%s>", p[0], p[1], p[2])
	}
	title += fmt.Sprintf(", tile %d x %d x %d, %d threads", shape[0], shape[1], shape[2], m.Size())
	return threePanels(title, operands{
		atom: m.Atom(), shape: shape, threads: m.ThrLayoutVMNK(), tv: m.LayoutTV, atoms: m.Atoms, notes: m.Notes(),
	}, o)
}

// operands are the contents of the three panels.
type operands struct {
	atom    atom.MMA
	shape   [3]int64 // M, N, K
	tv      func(atom.Operand) (cute.Layout, error)
	threads cute.Layout                                             // from threads to their numbers in the instruction
	atoms   func(atom.Operand) (threads, values []int64, err error) // nil for a single instruction
	notes   []string
}

// space returns the memory that contains an operand.
func (s operands) space(op atom.Operand) atom.Space {
	switch op {
	case atom.OperandA:
		return s.atom.AFrom
	case atom.OperandB:
		return s.atom.BFrom
	}
	return s.atom.CFrom
}

// holders returns the holders of an operand, or nil if it is not in registers; B is transposed to K by N.
func (s operands) holders(op atom.Operand) (*holders, error) {
	x, y := op.Axes()
	tile := cute.Ints(s.shape[x], s.shape[y])
	if s.atom.Blocks > 1 {
		tile = cute.Ints(s.shape[x], s.shape[y], s.atom.Blocks)
	}
	if _, _, _, err := tileOf(tile); err != nil {
		return nil, err
	}
	if sp := s.space(op); sp != atom.Registers && sp != atom.Anywhere {
		return nil, nil
	}
	tv, err := s.tv(op)
	if err != nil {
		return nil, err
	}
	h, err := ofThreads(tv, tile, Options{}.OfThreads(s.threads).threads)
	if err == nil && op == atom.OperandB {
		h = h.transpose()
	}
	return h, err
}

const modeNames = "MNK"

// threePanels draws A, B and C.
func threePanels(title string, s operands, o Options) (*draw.Scene, error) {
	o = o.machine(s.atom)
	f := frame{title: title, notes: s.notes}
	var hs [3]*holders
	var held []*holders
	var borders [3][]rule // the borders of atoms
	for _, op := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		h, rules, err := s.panelHolders(op, o.theme())
		if err != nil {
			return nil, err
		}
		hs[op], borders[op] = h, rules
		if h == nil {
			f.notes = append(f.notes, fmt.Sprintf("%s is in %s: it belongs to no thread.", op, s.space(op)))
			continue
		}
		held = append(held, h)
	}
	var gs [3]*grid
	var looks map[*holders]*tvLook
	build := func(o Options) (part, []*grid) {
		looks = perPanel(held, o)
		for op, h := range hs {
			gs[op] = s.panel(atom.Operand(op), h, looks[h])
			for _, b := range borders[op] {
				if looks[h].between(b) {
					gs[op].rules = append(gs[op].rules, b)
				}
			}
		}
		return &quad{a: gs[0], b: gs[1], c: gs[2]}, gs[:]
	}
	n := 0
	for _, h := range held {
		n = max(n, len(h.thread))
	}
	o = o.onPage(n, build)
	body, _ := build(o)
	var details panelNotes
	for op, h := range hs {
		if h != nil {
			f.notes = append(f.notes, looks[h].notes(h, atom.Operand(op).String()+": ")...)
			details.add(atom.Operand(op).String(), looks[h].detailNote(h))
			f.legend.merge(looks[h].legend())
		}
	}
	s.explain(&f, o.theme())
	f.notes = append(f.notes, details.lines()...)
	if f.body = body; o.Columns == 0 {
		p := newPainter(o)
		tighten(pageRoom, tightest, func() float64 { w, _ := body.measure(p); return w }, gs[:]...)
	}
	if s := samples(hs[:], looks); len(s) > 0 && o.Columns == 0 {
		f.body = above(f.body, flow(o, gap, s...))
		f.notes = append(f.notes, sampleNote)
	}
	return f.draw(o), nil
}

// panelHolders returns the holders of an operand, nil if no thread holds it, and the borders of its atoms.
func (s operands) panelHolders(op atom.Operand, t *draw.Theme) (*holders, []rule, error) {
	h, err := s.holders(op)
	if err != nil || h == nil || s.atoms == nil {
		return h, nil, err
	}
	threads, values, err := s.atoms(op)
	if err != nil {
		return nil, nil, err
	}
	return h, h.atomRules(t, threads, values), nil
}

// explain adds the border of atoms to the legend, and the number of blocks to the notes.
func (s operands) explain(f *frame, t *draw.Theme) {
	if s.atoms != nil {
		f.legend.items = append(f.legend.items,
			swatch{fills: []draw.Color{t.Paper}, border: t.Level(1), thick: 2, text: "atom"})
	}
	if s.atom.Blocks > 1 {
		f.notes = append(f.notes, fmt.Sprintf("Block 0 of %d; the others look alike, with other threads.", s.atom.Blocks))
	}
}

// between reports whether a border is between cells and does not cross one.
func (m *tvLook) between(b rule) bool {
	return b.row1 == b.row2 && b.row1%m.rs == 0 || b.col1 == b.col2 && b.col1%m.cs == 0
}

// samples returns the first cells, element by element, of operands whose cells are blocks.
func samples(hs []*holders, looks map[*holders]*tvLook) []*grid {
	var out []*grid
	for op, h := range hs {
		if h == nil {
			continue
		}
		if g := looks[h].sample(h); g != nil {
			g.title, g.tight = atom.Operand(op).String()+": "+g.title, 1
			out = append(out, g)
		}
	}
	return out
}

// panel returns the grid of an operand with holders h, which is nil if no thread holds it. B is drawn as K by N.
func (s operands) panel(op atom.Operand, h *holders, m *tvLook) *grid {
	x, y := op.Axes()
	if op == atom.OperandB {
		x, y = y, x
	}
	var g *grid
	if h == nil {
		g = emptyPanel(int(s.shape[x]), int(s.shape[y]), s.space(op).String())
	} else {
		g = m.grid(h, 0)
	}
	g.key, g.title = op.String(), op.String()
	g.rowAxis.name, g.colAxis.name = modeNames[x:x+1], modeNames[y:y+1]
	if s.atom.Blocks > 1 {
		g.title += ", block 0"
	}
	return g
}

// panelNotes are sentences about panels; each sentence appears once with the panels that it describes.
type panelNotes struct{ panels, notes []string }

// add records that a note applies to a panel, unless the note is empty.
func (l *panelNotes) add(panel, note string) {
	if i := slices.Index(l.notes, note); i >= 0 {
		l.panels[i] += ", " + panel
	} else if note != "" {
		l.panels, l.notes = append(l.panels, panel), append(l.notes, note)
	}
}

// lines returns the notes, each with its panels in front.
func (l *panelNotes) lines() []string {
	var out []string
	for i, n := range l.notes {
		out = append(out, l.panels[i]+": "+n)
	}
	return out
}

// perPanel returns the look of each map: the same colors for all, but for each the detail that fits.
func perPanel(hs []*holders, o Options) map[*holders]*tvLook {
	threads, values := int64(0), int64(0)
	for _, h := range hs {
		threads, values = max(threads, h.threads), max(values, h.values)
	}
	o.ColorBy = o.holderFill(threads)
	for _, h := range hs {
		o.coarse = o.coarse || int64(len(h.thread)) > o.labelLimit()
	}
	out := map[*holders]*tvLook{}
	for _, h := range hs {
		m := newTVLook(h, o)
		m.threads, m.values = threads, values // so that the colors are the same in all panels
		out[h] = m
	}
	return out
}

// merge adds the swatches that the legend does not have yet.
func (l *legend) merge(m legend) {
	for _, s := range m.items {
		known := false
		for _, t := range l.items {
			known = known || t.text == s.text
		}
		if !known {
			l.items = append(l.items, s)
		}
	}
}

// emptyPanel returns a matrix that no thread holds; where names its memory.
func emptyPanel(rows, cols int, where string) *grid {
	return &grid{
		rows: rows, cols: cols, rowAxis: axis{labels: indices(rows)}, colAxis: axis{labels: indices(cols)},
		cells: []cell{{rows: rows, cols: cols, mark: markEmpty, text: where}},
	}
}

// atomRules returns the borders between elements whose threads or values belong to different atoms.
func (h *holders) atomRules(t *draw.Theme, threads, values []int64) []rule {
	atoms := make([]int64, h.rows*h.cols)
	for i := range atoms {
		atoms[i] = -1
		if h.thread[i] >= 0 {
			atoms[i] = threads[h.number(h.thread[i])]*h.values + values[h.value[i]]
		}
	}
	return regions{h.rows, h.cols, atoms}.borders(t.Level(1), 2)
}

// A quad is three grids: a at the bottom left, b at the top right, c at the bottom right. The rows of a and c are
// aligned, and so are the columns of b and c.
type quad struct{ a, b, c *grid }

// align gives the grids squares of common sizes, and returns the place of c's squares relative to the top left.
func (q *quad) align() (x, y float64) {
	for _, g := range []*grid{q.a, q.b, q.c} {
		g.fit()
	}
	w, h := max(q.b.unitW, q.c.unitW), max(q.a.unitH, q.c.unitH)
	q.b.unitW, q.c.unitW = w, w
	q.a.unitH, q.c.unitH = h, h
	x = q.a.left() + q.a.unitW*float64(q.a.cols) + gap + max(q.b.left(), q.c.left())
	y = max(q.b.titleH()+q.b.top()+q.b.unitH*float64(q.b.rows)+gap+q.c.titleH()+q.c.top(), q.a.titleH()+q.a.top())
	return x, y
}

func (q *quad) measure(*painter) (w, h float64) {
	x, y := q.align()
	return x + q.c.unitW*float64(q.c.cols) + 1, y + q.c.unitH*float64(q.c.rows) + 1
}

func (q *quad) paint(p *painter, x, y float64) {
	cx, cy := q.align()
	q.a.paint(p, x, y+cy-q.a.titleH()-q.a.top())
	q.b.paint(p, x+cx-q.b.left(), y)
	q.c.paint(p, x+cx-q.c.left(), y+cy-q.c.titleH()-q.c.top())
}
