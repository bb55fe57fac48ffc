package view

import (
	"errors"
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/internal/picture/draw"
)

// The largest numbers of 16-byte pieces of a tile that are drawn.
const (
	descriptorRows    = 32
	descriptorColumns = 32
)

// Descriptor draws how an instruction reads an operand from shared memory. The tile is drawn in pieces of 16 bytes
// with their byte offsets; each core matrix has its own color, the pieces that the first instruction reads are
// framed, and the pieces to which the leading and the stride byte offset lead from the first piece are labelled. If
// the instruction cannot read the layout, the pieces that differ from the nearest pattern are marked. It returns the
// errors of [descriptor.Operand.Tile] and of [descriptor.Operand.Fit], except a [descriptor.Misfit] of a pattern.
func Descriptor(x descriptor.Operand, layout cute.Inner, o Options) (*draw.Scene, error) {
	tile, err := x.Tile(layout)
	if err != nil {
		return nil, err
	}
	p := descriptorPicture{operand: x, tile: tile, theme: o.theme(), opts: o}
	f, err := x.Fit(layout, 0)
	if m, ok := errors.AsType[*descriptor.Misfit](err); ok && m.Of > 0 {
		p.matrix, p.wrong = m.Matrix, m
	} else if err != nil {
		return nil, err
	} else {
		p.matrix, p.operand = f.Matrices[0], f.Operand
	}
	g, err := p.grid()
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("%v of %s, %v: %s", x.Which, x.Name, x.Type, short(tile.String(), 80))
	return frame{title: title, body: g, notes: p.notes(), legend: p.legend()}.draw(o), nil
}

// A descriptorPicture is a tile to be drawn.
type descriptorPicture struct {
	operand    descriptor.Operand
	tile       *descriptor.Tile
	matrix     descriptor.Matrix
	wrong      *descriptor.Misfit
	theme      *draw.Theme
	opts       Options
	rows, cols int64 // the numbers of drawn pieces
	all        [2]int64
	bad        int
}

// piece returns the number of elements in 16 bytes, and how many of them a cell spans down and across.
func (p *descriptorPicture) piece() (n, down, across int64) {
	n = 128 / p.operand.Bits
	if p.matrix.Major == atom.MNMajor {
		return n, n, 1
	}
	return n, 1, n
}

func (p *descriptorPicture) grid() (*grid, error) {
	_, down, across := p.piece()
	p.all = [2]int64{p.tile.Rows() / down, p.tile.Columns() / across}
	p.rows, p.cols = min(p.all[0], descriptorRows), min(p.all[1], descriptorColumns)
	g := &grid{rows: int(p.rows), cols: int(p.cols), rowAxis: axis{name: p.axis()}, colAxis: axis{name: "K"}}
	for r := range p.rows {
		g.rowAxis.labels = append(g.rowAxis.labels, fmt.Sprint(r*down))
	}
	for c := range p.cols {
		g.colAxis.labels = append(g.colAxis.labels, fmt.Sprint(c*across))
	}
	for r := range p.rows {
		for c := range p.cols {
			x, err := p.cell(r, c)
			if err != nil {
				return nil, err
			}
			g.cells = append(g.cells, x)
		}
	}
	p.frames(g, down, across)
	return g, nil
}

func (p *descriptorPicture) axis() string {
	if p.operand.Which == atom.OperandB {
		return "N"
	}
	return "M"
}

// core returns the core matrix that contains a piece, along M or N and along K.
func (p *descriptorPicture) core(r, c int64) (i, j int64) {
	if p.matrix.Major == atom.MNMajor {
		return r, c / 8
	}
	return r / 8, c
}

// cell returns the cell of a piece.
func (p *descriptorPicture) cell(r, c int64) (cell, error) {
	_, down, across := p.piece()
	at, err := p.tile.At(r*down, c*across, 0)
	if err != nil {
		return cell{}, err
	}
	at = at * p.operand.Bits / 8
	i, j := p.core(r, c)
	x := cell{
		row: int(r), col: int(c), text: fmt.Sprint(at), key: fmt.Sprintf("p%d_%d", r, c),
		fill: p.theme.Hue(i + 3*j), tip: fmt.Sprintf("element (%d,%d), byte %d, core matrix (%d,%d)", r*down, c*across, at,
			i, j),
	}
	if !p.reads(r, c) {
		x.fill = draw.Mix(x.fill, p.theme.Paper, 0.7)
		return x, nil
	}
	x.second = p.mark(r, c)
	if want, err := p.matrix.Find(p.operand.Bits, r*down, c*across); err == nil && want != at {
		x.mark |= markBad
		x.tip += fmt.Sprintf(", read at byte %d", want)
		p.bad++
	}
	return x, nil
}

// reads reports whether the first instruction reads a piece.
func (p *descriptorPicture) reads(r, c int64) bool {
	_, down, across := p.piece()
	rows := p.operand.Rows
	if rows == 0 {
		rows = p.tile.Rows()
	}
	return r*down < rows && c*across < p.operand.K
}

// mark names the descriptor offset that leads to a piece.
func (p *descriptorPicture) mark(r, c int64) string {
	d := p.matrix
	leading, stride := [2]int64{0, 1}, [2]int64{8, 0}
	if d.Major == atom.MNMajor {
		wide := d.Pattern.Width() / 16
		leading, stride = [2]int64{wide, 0}, [2]int64{0, d.Pattern.Rows()}
		if d.Pattern == descriptor.INTER {
			leading, stride = stride, leading
		}
	}
	switch at := [2]int64{r, c}; {
	case r == 0 && c == 0:
		return "start"
	case at == stride && d.Stride > 0:
		return "+SBO"
	case at == leading && d.Leading > 0 && (d.Major == atom.MNMajor || d.Pattern == descriptor.INTER):
		return "+LBO"
	}
	return ""
}

// frames adds the borders of core matrices and the frame of the first instruction.
func (p *descriptorPicture) frames(g *grid, down, across int64) {
	rows, cols := 8, 1
	if p.matrix.Major == atom.MNMajor {
		rows, cols = 1, 8
	}
	for r := rows; r < g.rows; r += rows {
		g.rules = append(g.rules, rule{r, 0, r, g.cols, p.theme.Strong, 1.2})
	}
	for c := cols; c < g.cols; c += cols {
		g.rules = append(g.rules, rule{0, c, g.rows, c, p.theme.Strong, 1.2})
	}
	n := 0
	for r := range p.rows {
		if p.reads(r, 0) {
			n++
		}
	}
	g.focuses = append(g.focuses, focus{
		rows: n, cols: int(min(p.operand.K/across, p.cols)), color: p.theme.Select,
		width: 2.4,
	})
}

func (p *descriptorPicture) notes() []string {
	_, down, across := p.piece()
	d := p.matrix
	n := []string{
		fmt.Sprintf("A cell is 16 bytes, %d by %d elements, at the byte that it shows; a core matrix is 8 of them.", down,
			across),
	}
	if p.wrong == nil {
		n = append(n, fmt.Sprintf("%v: descriptor %#016x.", d, d.Bits()))
	} else {
		why := p.wrong.Error()
		if e, ok := errors.AsType[*cute.Error](p.wrong); ok {
			why = e.Msg
		}
		n = append(n, fmt.Sprintf("Not legal: the %d pieces with a corner marked are not where %v has them.", p.bad, d),
			strings.ToUpper(why[:1])+why[1:]+".")
	}
	switch {
	case d.Major == atom.KMajor && d.Pattern != descriptor.INTER:
		n = append(n, "SBO leads from 8 rows to the next 8; LBO is not read. The swizzle moves pieces within a row of the pattern.")
	case d.Major == atom.KMajor:
		n = append(n, "LBO leads from 16 bytes along K to the next, SBO from 8 rows to the next 8.")
	}
	if p.rows < p.all[0] || p.cols < p.all[1] {
		n = append(n, fmt.Sprintf("The tile goes on: it is %d by %d pieces.", p.all[0], p.all[1]))
	}
	return n
}

func (p *descriptorPicture) legend() legend {
	return legend{items: []swatch{
		{fills: []draw.Color{p.theme.Paper}, border: p.theme.Select, thick: 2.4, text: "the first instruction"},
		{fills: p.theme.Hues, text: "a hue for each core matrix"},
	}}
}
