package view

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/picture/draw"
)

// MaxBankCases is the largest number of cases in a comparison.
const MaxBankCases = 12

// Banks compares cases, such as a tile unchanged, padded and swizzled: the cost of all instructions as bars, and the
// banks of the worst phase of each case. It returns [cute.CodeRank] without cases or with more than [MaxBankCases],
// and the errors of [Bank].
func Banks(cases []BankCase, o Options) (*draw.Scene, error) {
	if n := len(cases); n == 0 || n > MaxBankCases {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: "draw", Msg: fmt.Sprintf("expected 1 to %d accesses to compare, found %d", MaxBankCases, n),
		}
	}
	bars, grid := &barPart{}, (*bankView).small
	if len(cases) <= 2 {
		grid = (*bankView).medium
	}
	var lines stack
	line := &row{}
	names, title, err := caseNames(cases)
	if err != nil {
		return nil, err
	}
	for k, c := range cases {
		v, err := c.worst()
		if err != nil {
			return nil, err
		}
		name := names[k]
		bars.bars = append(bars.bars,
			bar{name, v.sum.Ideal, v.sum.Wavefronts - v.sum.Ideal, wayText(v.report.Degree) + ", " + v.passes(v.sum.Wavefronts)})
		g := grid(v, o.theme(), name)
		if len(cases) <= 2 && len(line.parts) == 1 || len(line.parts) == 3 || v.banks > bankCount && len(line.parts) == 1 {
			lines.parts = append(lines.parts, line)
			line = &row{}
		}
		line.parts = append(line.parts, g)
	}
	lines.parts = append(lines.parts, line)
	f := frame{title: title, body: above(bars, &lines), legend: bankRanks(o.theme())}
	f.notes = []string{
		"The bars are all instructions of all warps: teal what they take without conflicts, red what conflicts cost.",
		"Below, the worst phase of each: a column is a bank, a row a line of memory that is touched, in their order.",
	}
	return f.draw(o), nil
}

// caseNames returns the name of each case in the picture, and the title. The instruction and the machine are in the
// title if all cases share them, otherwise in the names.
func caseNames(cases []BankCase) (names []string, title string, err error) {
	accesses, targets := true, true
	for _, c := range cases {
		if err := c.check(); err != nil {
			return nil, "", err
		}
		r, r0 := c.Plan.Rule(), cases[0].Plan.Rule()
		accesses = accesses && r.Access() == r0.Access()
		targets = targets && r.Target() == r0.Target()
	}
	title = "shared memory"
	if r := cases[0].Plan.Rule(); accesses {
		title = r.Access().String()
	}
	if targets {
		title += " on " + cases[0].Plan.Rule().Target().String()
	}
	for _, c := range cases {
		parts := []string{}
		if c.Name != "" {
			parts = append(parts, c.Name)
		}
		r := c.Plan.Rule()
		if !accesses || c.Name == "" {
			parts = append(parts, r.Access().String())
		}
		if !targets {
			parts = append(parts, "on "+r.Target().String())
		}
		names = append(names, strings.Join(parts, ", "))
	}
	return names, title, nil
}

// worstPhase returns the index of the first phase with the most wavefronts.
func (v *bankView) worstPhase() int {
	worst := 0
	for k, p := range v.phases {
		if p.wavefronts > v.phases[worst].wavefronts {
			worst = k
		}
	}
	return worst
}

// small returns the worst phase as a grid without text in its cells.
func (v *bankView) small(t *draw.Theme, name string) *grid {
	g, p := v.worstGrid(name)
	g.between(t, v.fillGrid(t, g, p))
	return g
}

// medium returns the worst phase as a grid with the lanes in its cells.
func (v *bankView) medium(t *draw.Theme, name string) *grid {
	g, p := v.worstGrid(name)
	g.unitW, g.unitH = laneCell, textLine+2
	v.narrow(g)
	if len(p.lines) > 2 {
		g.rowAxis.name = "byte"
	}
	used := v.fillGrid(t, g, p)
	v.label(t, g, p)
	g.between(t, used)
	return g
}

// worstGrid returns the worst phase and a grid for it without cells.
func (v *bankView) worstGrid(name string) (*grid, bankPhase) {
	worst := v.worstPhase()
	p := v.phases[worst]
	return &grid{
		title: name, rows: len(p.lines), cols: v.banks, unitW: plainCell, unitH: plainCell,
		colAxis: axis{name: "bank", labels: indices(v.banks)},
		note: []string{
			fmt.Sprintf("phase %d of %d: lanes %s", worst, len(v.phases), laneList(p.lanes)), wayText(p.wavefronts),
		},
	}, p
}

// laneCell is the width, in points, of a bank that shows the number of a lane: 32 of them fill a page.
const laneCell = 23.0

// A bar is the cost of a case.
type bar struct {
	name         string
	ideal, extra int
	text         string
}

// A barPart is bars above each other with one scale.
type barPart struct {
	bars  []bar
	nameW float64
	barW  float64
	full  int
}

const (
	barW    = 420.0 // the length of the longest bar, at most
	barStep = 24.0
)

func (b *barPart) measure(*painter) (w, h float64) {
	b.nameW, b.full = 0, 1
	text := 0.0
	for _, x := range b.bars {
		b.nameW = max(b.nameW, draw.TextWidth(x.name, textSize))
		b.full = max(b.full, x.ideal+x.extra)
		text = max(text, draw.TextWidth(x.text, textSize))
	}
	b.barW = min(barW, max(pageRoom-b.nameW-20-text, barW/3))
	return b.nameW + 10 + b.barW + 10 + text, barStep * float64(len(b.bars))
}

func (b *barPart) paint(p *painter, x, y float64) {
	name := p.ink(p.theme.Ink, textSize, draw.Finish)
	unit := b.barW / float64(b.full)
	for i, v := range b.bars {
		y1 := y + barStep*float64(i)
		p.Text(name, x+b.nameW, y1+barStep/2, v.name)
		x1 := x + b.nameW + 10
		good, bad := unit*float64(v.ideal), unit*float64(v.extra)
		p.Rect(p.fill(p.theme.Good, draw.None, 0), x1, y1+4, good, barStep-8).Key = fmt.Sprintf("ideal%d", i)
		color := p.theme.Good
		if v.extra > 0 {
			p.Rect(p.fill(p.theme.Bad, draw.None, 0), x1+good, y1+4, bad, barStep-8).Key = fmt.Sprintf("extra%d", i)
			color = p.theme.Bad
		}
		p.Text(p.bold(color, textSize, draw.Start), x1+good+bad+8, y1+barStep/2, v.text)
	}
}
