package view

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"girih/banks"
	"girih/cute"
	"girih/internal/picture/draw"
)

// A BankCase is a set of accesses to shared memory.
type BankCase struct {
	Name string      // the name in the picture, usually the layout; "" for none
	Plan *banks.Plan // which lanes access which elements, and how the machine serves them
	// The offset of every element, in elements, in the order of the memory's index; nil for the memory of the plan.
	Offsets []int64
}

// Bank returns the picture of the worst instruction of a plan. Each phase is a grid with a column for each bank and a
// row for each line of memory that the phase touches; the cells of the words show the lanes that access them. Each
// word of a bank beyond the first is red and costs one more wavefront (on AMD's machines, a cycle of the banks).
// Below the grid is the number of words in each bank. If there are too many rows, some phases are omitted, and a
// caption says how many.
//
// It returns [cute.CodeType] if the case has no plan, and the errors of [banks.Plan.Groups].
func Bank(c BankCase, o Options) (*draw.Scene, error) {
	v, err := c.worst()
	if err != nil {
		return nil, err
	}
	return v.draw(o), nil
}

func (c BankCase) check() error {
	if c.Plan == nil {
		return &cute.Error{Code: cute.CodeType, Op: "draw", Msg: "expected a plan of accesses, found none", Hint: "banks.NewPlan makes one"}
	}
	return nil
}

// worst returns the first of the most expensive instructions.
func (c BankCase) worst() (*bankView, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	sum, groups, err := c.Plan.Groups(c.Offsets)
	if err != nil {
		return nil, err
	}
	if len(groups) == 0 {
		return nil, &cute.Error{Code: cute.CodeExtent, Op: "draw", Msg: "expected accesses to draw, found a plan without instructions"}
	}
	v, err := c.at(groups[0].Places[0])
	if err == nil {
		v.sum, v.same = sum, len(groups[0].Places)
	}
	return v, err
}

// at returns the view of one instruction.
func (c BankCase) at(place banks.Place) (*bankView, error) {
	addrs, err := c.Plan.Addresses(nil, c.Offsets, place.Warp, place.Instruction)
	if err != nil {
		return nil, err
	}
	rep, err := c.Plan.Rule().Explain(addrs)
	if err != nil {
		return nil, err
	}
	r := c.Plan.Rule()
	v := &bankView{c: c, place: place, addrs: addrs, report: rep, banks: r.Banks(), width: max(1, r.Access().Bits()/32)}
	for _, p := range rep.Served {
		v.phases = append(v.phases, v.phase(p, addrs))
	}
	return v, nil
}

// A bankView is one instruction and how the banks serve it.
type bankView struct {
	c      BankCase
	place  banks.Place
	addrs  []int64 // the address of each lane in bytes
	report banks.Report
	sum    banks.Count // the sum of the costs of all instructions
	same   int         // instructions with the same cost, including this one; 0 if unknown
	banks  int
	width  int // words per access, at least 1
	phases []bankPhase
}

// A bankPhase is the words that lanes access together.
type bankPhase struct {
	lanes      []int
	wavefronts int
	words      []bankWord
	lines      []int64 // the lines of memory that are touched, ascending; a line is one word in every bank
	wanted     []int   // by bank: the number of different words
}

// A bankWord is a word, or the words of a wide access, and the lanes that access it.
type bankWord struct {
	word  int64 // the address divided by 4
	lanes []int
	rank  int // the position among the words of its banks, from 0
}

// phase gathers the words of a phase.
func (v *bankView) phase(p banks.Phase, addrs []int64) bankPhase {
	out := bankPhase{lanes: p.Lanes, wavefronts: p.Wavefronts, wanted: make([]int, v.banks)}
	byWord := map[int64]int{}
	for _, l := range p.Lanes {
		if l >= len(addrs) || addrs[l] == banks.Inactive {
			continue
		}
		w := addrs[l] / bankBytes
		k, ok := byWord[w]
		if !ok {
			k = len(out.words)
			byWord[w] = k
			out.words = append(out.words, bankWord{word: w})
		}
		out.words[k].lanes = append(out.words[k].lanes, l)
	}
	sort.Slice(out.words, func(i, j int) bool { return out.words[i].word < out.words[j].word })
	for k := range out.words {
		w := &out.words[k]
		w.rank = out.wanted[w.word%int64(v.banks)]
		for i := range v.width {
			out.wanted[(w.word+int64(i))%int64(v.banks)]++
		}
		out.lines = append(out.lines, w.word/int64(v.banks))
	}
	out.lines = slices.Compact(out.lines)
	return out
}

// like reports whether two phases look alike except for their numbers: the same words at a constant distance, each
// accessed by the lane at the same place.
func (p bankPhase) like(q bankPhase) bool {
	if len(p.words) != len(q.words) || len(p.words) == 0 || len(p.lines) != len(q.lines) || p.wavefronts != q.wavefronts {
		return false
	}
	for i, w := range p.words {
		u := q.words[i]
		if w.word-p.words[0].word != u.word-q.words[0].word || w.rank != u.rank || len(w.lanes) != len(u.lanes) {
			return false
		}
		for j, l := range w.lanes {
			if l-p.lanes[0] != u.lanes[j]-q.lanes[0] {
				return false
			}
		}
	}
	return true
}

// wayText returns a degree of conflict in words.
func wayText(n int) string {
	if n < 2 {
		return "conflict-free"
	}
	return fmt.Sprintf("%d-way conflict", n)
}

// maxBankLines is the largest number of lines of memory in all phases together; further phases are omitted.
const maxBankLines = 48

func (v *bankView) draw(o Options) *draw.Scene {
	rule := v.c.Plan.Rule()
	title := fmt.Sprintf("%v on %v", rule.Access(), rule.Target())
	if v.c.Name != "" {
		title += ": " + v.c.Name
	}
	f := frame{title: title}
	body := above(v.verdict())
	body.gap = 14
	lines, shown := 0, 0
	var alike []int // the phases that look like the first one
	for k, p := range v.phases {
		if k > 0 && p.like(v.phases[0]) {
			alike = append(alike, k)
			shown++
			continue
		}
		if lines += len(p.lines) + 1; k > 0 && lines > maxBankLines {
			break
		}
		shown++
		body.parts = append(body.parts, v.grid(o.theme(), k, p))
	}
	f.body = body
	f.legend = bankRanks(o.theme())
	f.notes = append(f.notes,
		fmt.Sprintf("A column is a bank, a row the %d bytes from the address on its left, rows not touched left out; in the cells are lanes.",
			bankBytes*v.banks))
	if v.width > 1 {
		f.notes = append(f.notes, fmt.Sprintf("A lane takes %d banks at once.", v.width))
	}
	if v.report.Merged {
		f.notes = append(f.notes, "Pairs of lanes share addresses, so that the load takes half as many phases.")
	}
	if len(alike) > 0 {
		var who []string
		for _, k := range alike {
			who = append(who, fmt.Sprintf("phase %d, lanes %s, from bank %d on", k, laneList(v.phases[k].lanes),
				v.phases[k].words[0].word%int64(v.banks)))
		}
		f.notes = append(f.notes, "Like phase 0, with the same collisions: "+strings.Join(who, "; ")+".")
	}
	if shown < len(v.phases) {
		worst := 0
		for _, p := range v.phases[shown:] {
			worst = max(worst, p.wavefronts)
		}
		f.notes = append(f.notes, fmt.Sprintf("%d more phases are not drawn; the worst of them is %s.", len(v.phases)-shown,
			wayText(worst)))
	}
	f.notes = append(f.notes, "Source: "+rule.Source()+".")
	return f.draw(o)
}

// verdict returns the line that states the cost of the instruction.
func (v *bankView) verdict() part {
	where := fmt.Sprintf("warp %d, instruction %d: ", v.place.Warp, v.place.Instruction)
	head := fmt.Sprintf("%s%s, %s", where, wayText(v.report.Degree), v.cost(v.report.Count))
	var more []string
	total := v.c.Plan.Warps() * v.c.Plan.Instructions()
	if total > 1 {
		more = append(more, fmt.Sprintf("all %d instructions: %s", total, v.cost(v.sum)))
		if v.same > 1 {
			more[0] += fmt.Sprintf("; %d cost as much as this one", v.same)
		}
	}
	return verdictPart{head, v.report.Degree > 1, more}
}

// passes returns a number of wavefronts in words. On AMD's machines, where a wavefront is a warp, it counts cycles of
// the banks.
func (v *bankView) passes(n int) string {
	if v.c.Plan.Rule().Target().WarpSize() > 32 {
		return plural(n, "bank cycle", "bank cycles")
	}
	return plural(n, "wavefront", "wavefronts")
}

// cost returns a count in words.
func (v *bankView) cost(c banks.Count) string {
	if c.Wavefronts == c.Ideal {
		return v.passes(c.Wavefronts)
	}
	return fmt.Sprintf("%s where %d would do", v.passes(c.Wavefronts), c.Ideal)
}

// A verdictPart is a line in the color for good or bad, followed by secondary lines.
type verdictPart struct {
	head string
	bad  bool
	more []string
}

func (v verdictPart) measure(p *painter) (w, h float64) {
	w, h = caption(v.more).measure(p)
	return max(w, draw.TextWidth(v.head, 13)), h + 18
}

func (v verdictPart) paint(p *painter, x, y float64) {
	color := p.theme.Good
	if v.bad {
		color = p.theme.Bad
	}
	p.Text(p.bold(color, 13, draw.Start), x, y+8, v.head)
	caption(v.more).paint(p, x, y+18)
}

// rankFill returns the fill of word k of a bank.
func rankFill(t *draw.Theme, k int) draw.Color {
	if k == 0 {
		return draw.Mix(t.Good, t.Paper, 0.6)
	}
	return draw.Mix(t.Bad, t.Paper, max(0.7-0.1*float64(k-1), 0.2))
}

// bankRanks is the legend of the words of a bank.
func bankRanks(t *draw.Theme) legend {
	return legend{items: []swatch{
		{fills: []draw.Color{rankFill(t, 0)}, text: "first word of its bank"},
		{fills: []draw.Color{rankFill(t, 1), rankFill(t, 3), rankFill(t, 5), rankFill(t, 7)}, text: "further words: one more pass through the banks each"},
		{fills: []draw.Color{t.Empty}, text: "wanted by no lane"},
	}}
}

// grid returns the grid of phase k.
func (v *bankView) grid(t *draw.Theme, k int, p bankPhase) *grid {
	g := &grid{
		title: fmt.Sprintf("phase %d, lanes %s: %s, %s", k, laneList(p.lanes), wayText(p.wavefronts), v.passes(p.wavefronts)),
		rows:  len(p.lines) + 1, cols: v.banks,
		rowAxis: axis{name: "byte"}, colAxis: axis{name: "bank", labels: indices(v.banks)},
		key: fmt.Sprintf("phase%d", k), unitW: laneCell, unitH: textCell,
	}
	v.narrow(g)
	if len(p.lines) < 2 {
		g.rowAxis.name = ""
	}
	used := v.fillGrid(t, g, p)
	v.label(t, g, p)
	last := len(p.lines)
	for b, n := range p.wanted {
		c := cell{row: last, col: b, fill: t.Paper, key: fmt.Sprintf("bank%d", b)}
		if n == 0 {
			c.mark = markEmpty
		} else {
			c.text = fmt.Sprint(n)
			c.tip = fmt.Sprintf("%s wanted of bank %d", plural(n, "word", "words"), b)
		}
		if n > 1 {
			c.fill = rankFill(t, n-1)
		}
		g.cells = append(g.cells, c)
	}
	g.between(t, used)
	g.rowAxis.labels = append(g.rowAxis.labels, "words")
	g.rules = append(g.rules, rule{last, 0, last, v.banks, t.Strong, 1.5})
	return g
}

// narrow halves the width of the columns of a grid with 64 banks, compared with 32, and makes its numbers smaller so
// that they fit.
func (v *bankView) narrow(g *grid) {
	if v.banks > bankCount {
		g.unitW, g.unitH, g.tight = laneCell/2, textLine+2, tightest
	}
}

// fillGrid adds the words of a phase to a grid without cells. It returns which squares are used.
func (v *bankView) fillGrid(t *draw.Theme, g *grid, p bankPhase) []bool {
	used := make([]bool, len(p.lines)*v.banks)
	for _, w := range p.words {
		row, _ := slices.BinarySearch(p.lines, w.word/int64(v.banks))
		col := int(w.word % int64(v.banks))
		c := cell{row: row, col: col, cols: v.width, fill: rankFill(t, w.rank), key: fmt.Sprintf("w%d", w.word)}
		c.tip = fmt.Sprintf("byte %d, bank %d: lanes %s", w.word*bankBytes, col, laneList(w.lanes))
		g.cells = append(g.cells, c)
		for i := range v.width {
			used[row*v.banks+col+i] = true
		}
	}
	for row := range p.lines {
		g.empty(t, row, used[row*v.banks:(row+1)*v.banks])
	}
	return used
}

// label completes a grid filled by [bankView.fillGrid]: the lanes that access the words, the byte at which each line
// begins, and borders where lines of memory are omitted.
func (v *bankView) label(t *draw.Theme, g *grid, p bankPhase) {
	size, _ := g.text()
	room := g.unitW * float64(v.width)
	if g.tight == 0 {
		room -= 4
	}
	for i, w := range p.words {
		g.cells[i].text = laneShort(w.lanes, room, size)
	}
	for i, l := range p.lines {
		g.rowAxis.labels = append(g.rowAxis.labels, fmt.Sprint(l*int64(v.banks)*bankBytes))
		if i > 0 && l != p.lines[i-1]+1 {
			g.rules = append(g.rules, rule{i, 0, i, v.banks, t.Soft, 1.5})
		}
	}
}

// empty adds the unused squares of a row, adjacent squares as one cell, because nearly all squares of a conflict
// are empty.
func (g *grid) empty(t *draw.Theme, row int, used []bool) {
	for from := 0; from < len(used); from++ {
		to := from
		for to < len(used) && !used[to] {
			to++
		}
		if to > from {
			g.cells = append(g.cells, cell{row: row, col: from, cols: to - from, mark: markEmpty})
			from = to
		}
	}
}

// between adds the lines between adjacent empty squares, each as long as possible.
func (g *grid) between(t *draw.Theme, used []bool) {
	for col := 1; col < g.cols; col++ {
		for from := 0; from*g.cols < len(used); from++ {
			to := from
			for to*g.cols < len(used) && !used[to*g.cols+col-1] && !used[to*g.cols+col] {
				to++
			}
			if to > from {
				g.rules = append(g.rules, rule{from, col, to, col, t.Rule, 0.75})
				from = to
			}
		}
	}
}

// laneList returns lanes as text: "0–7, 16–23", "0, 4, 8, 12".
func laneList(lanes []int) string {
	var runs []string
	for i := 0; i < len(lanes); {
		j := i
		for j+1 < len(lanes) && lanes[j+1] == lanes[j]+1 {
			j++
		}
		switch {
		case j == i:
			runs = append(runs, fmt.Sprint(lanes[i]))
		default:
			runs = append(runs, fmt.Sprintf("%d–%d", lanes[i], lanes[j]))
		}
		i = j + 1
	}
	return some(runs, 8)
}

// laneShort returns lanes as text of a given width and size: the list if it fits, otherwise their number.
func laneShort(lanes []int, width, size float64) string {
	text := laneList(lanes)
	if draw.TextWidth(text, size) > width {
		text = fmt.Sprintf("%d×", len(lanes))
	}
	return text
}
