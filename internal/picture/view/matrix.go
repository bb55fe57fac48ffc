package view

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/internal/picture/draw"
	"girih/linear"
)

// MaxMatrixColumns is the largest number of columns of a matrix that is drawn.
const MaxMatrixColumns = 1024

// Matrix returns the picture of a linear layout as a matrix over bits. Each column is a bit of the input, with the
// lowest bit of the first dimension on the left; each row is a bit of the output, with the lowest bit of the first
// dimension on top. Ones have the hue of their input dimension, zeros are dots. To the right are the origin, if it is
// not 0, and each output bit as a sum of input bits; below are the basis vectors. The captions give the rank and the
// kernel.
func Matrix(l linear.Layout, o Options) *draw.Scene {
	b := bitMapOf(l)
	notes := b.facts()
	for _, d := range append(b.ins[:len(b.ins):len(b.ins)], b.outs...) {
		if d.bits == 0 {
			notes = append(notes, fmt.Sprintf("%s has one coordinate and no bits.", d.name))
		}
	}
	return b.frame(dimsTitle(l), notes).draw(o)
}

// MatrixF2 returns the picture of a matrix M over the field with two elements, for y = M x: row 0 on top, column 0 on
// the left. It returns [cute.CodeLimit] above [MaxMatrixColumns] columns.
func MatrixF2(m f2.Matrix, o Options) (*draw.Scene, error) {
	if m.Cols() > MaxMatrixColumns {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d columns to draw, found %d",
				MaxMatrixColumns, m.Cols()),
		}
	}
	b := bitMap{m: m, ins: []bitDim{{"x", m.Cols()}}, outs: []bitDim{{"y", m.Rows()}}}
	return b.frame(fmt.Sprintf("F2 matrix, %d×%d", m.Rows(), m.Cols()), b.facts()).draw(o), nil
}

// dimsTitle returns the dimensions of a linear layout in one line.
func dimsTitle(l linear.Layout) string {
	list := func(dims []linear.Dim) string {
		parts := make([]string, len(dims))
		for i, d := range dims {
			parts[i] = fmt.Sprintf("%s %d", d.Name, d.Size)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return "linear layout " + list(l.InDims()) + " -> " + list(l.OutDims())
}

// frame returns the matrix with its title and captions.
func (b bitMap) frame(title string, notes []string) frame {
	return frame{title: title, notes: notes, body: &matrixPart{b: b}}
}

// A matrixPart is a matrix with its axes, its origin and its formulas.
type matrixPart struct {
	b    bitMap
	cell float64

	left, top  float64 // the corner of cell (0,0), counted from the corner of the part
	levels     []int   // the level of each name above the columns
	foot       float64 // the height of the basis vectors below the matrix
	vectors    []string
	formulas   []string
	originAt   float64 // x of the origin's column; 0 if there is no origin
	formulaAt  float64
	labelCells bool
}

func (m *matrixPart) measure(*painter) (w, h float64) {
	rows, cols := m.b.m.Rows(), m.b.m.Cols()
	m.cell = 22
	switch {
	case cols > 256:
		m.cell = 3
	case cols > 64:
		m.cell = 8
	case max(rows, cols) > 32:
		m.cell = 15
	}
	m.labelCells = m.cell > 10
	widest := 0.0
	for _, d := range m.b.outs {
		if d.bits > 0 {
			widest = max(widest, draw.TextWidth(d.name, textSize))
		}
	}
	m.left = widest + 14
	if m.labelCells {
		m.left += 22
	}
	m.levels = m.nameLevels()
	deepest := 0
	for _, l := range m.levels {
		deepest = max(deepest, l)
	}
	m.top = float64(deepest+1)*14 + 8
	if m.labelCells {
		m.top += 16
	}
	right := m.left + m.cell*float64(cols)
	if m.b.origin != 0 {
		m.originAt = right + m.cell
		right = m.originAt + m.cell
	}
	m.formulas, m.vectors = nil, nil
	if m.labelCells {
		m.formulaAt = right + 12
		for i := range rows {
			m.formulas = append(m.formulas, "= "+m.b.formula(i))
			right = max(right, m.formulaAt+draw.TextWidth(m.formulas[i], textSize))
		}
		m.foot = 0
		for j := range cols {
			m.vectors = append(m.vectors, m.b.vector(m.b.m.Col(j)))
			m.foot = max(m.foot, draw.TextWidth(m.vectors[j], textSize)+8)
		}
		if m.originAt > 0 {
			m.foot = max(m.foot, draw.TextWidth(m.b.vector(m.b.origin), textSize)+8)
		}
	}
	// Names above the last columns may be wider than their columns.
	m.b.eachDim(m.b.ins, func(d bitDim, at, k int) {
		mid := m.left + m.cell*(float64(at)+float64(d.bits)/2)
		right = max(right, mid+draw.TextWidth(d.name, textSize)/2)
	})
	return right, m.top + m.cell*float64(rows) + m.foot
}

// nameLevels returns the level of each name of an input dimension, chosen so that no two names overlap.
func (m *matrixPart) nameLevels() []int {
	levels := make([]int, len(m.b.ins))
	var ends []float64 // the right end of the last name of each level
	m.b.eachDim(m.b.ins, func(d bitDim, at, k int) {
		half := draw.TextWidth(d.name, textSize)/2 + 4
		mid := m.cell * (float64(at) + float64(d.bits)/2)
		l := 0
		for l < len(ends) && mid-half < ends[l] {
			l++
		}
		if l == len(ends) {
			ends = append(ends, 0)
		}
		ends[l] = mid + half
		levels[k] = l
	})
	return levels
}

func (m *matrixPart) paint(p *painter, x, y float64) {
	b, c := m.b, m.cell
	rows, cols := b.m.Rows(), b.m.Cols()
	x0, y0 := x+m.left, y+m.top
	w, h := c*float64(cols), c*float64(rows)
	p.Rect(p.fill(p.theme.Paper, p.theme.Rule, 0.75), x0, y0, w, h)
	m.paintCells(p, x0, y0)
	m.paintAxes(p, x0, y0)
	strong := p.stroke(p.theme.Strong, 1.5)
	b.eachDim(b.ins, func(d bitDim, at, _ int) {
		if at > 0 {
			p.Line(strong, x0+c*float64(at), y0, x0+c*float64(at), y0+h)
		}
	})
	b.eachDim(b.outs, func(d bitDim, at, _ int) {
		if at > 0 {
			p.Line(strong, x0, y0+c*float64(at), x0+w, y0+c*float64(at))
		}
	})
	p.Rect(strong, x0, y0, w, h)
	soft := p.ink(p.theme.Soft, textSize, draw.Start)
	for i, f := range m.formulas {
		p.Text(soft, x+m.formulaAt, y0+c*(float64(i)+0.5), f)
	}
	up := p.Intern(draw.Style{Fill: p.theme.Soft, Size: textSize, Anchor: draw.Finish, Up: true})
	for j, v := range m.vectors {
		p.Text(up, x0+c*(float64(j)+0.5), y0+h+6, v)
	}
	if m.originAt > 0 {
		m.paintOrigin(p, x+m.originAt, y0, up)
	}
}

// paintCells paints the entries and the lines between them.
func (m *matrixPart) paintCells(p *painter, x0, y0 float64) {
	b, c := m.b, m.cell
	rows, cols := b.m.Rows(), b.m.Cols()
	if m.labelCells {
		thin := p.stroke(draw.Mix(p.theme.Rule, p.theme.Paper, 0.55), 0.5)
		for i := 1; i < rows; i++ {
			p.Line(thin, x0, y0+c*float64(i), x0+c*float64(cols), y0+c*float64(i))
		}
		for j := 1; j < cols; j++ {
			p.Line(thin, x0+c*float64(j), y0, x0+c*float64(j), y0+c*float64(rows))
		}
	}
	dot := p.ink(p.theme.Rule, textSize, draw.Middle)
	for j := range cols {
		for i := range rows {
			at := func(k int) float64 { return c * (float64(k) + 0.5) }
			switch {
			case b.m.At(i, j) == 1:
				one, ink := m.one(p, i, j)
				s := p.Rect(one, x0+c*float64(j), y0+c*float64(i), c, c)
				s.Key = fmt.Sprintf("r%dc%d", i, j)
				s.Tip = b.outName(i) + " has " + b.inName(j)
				if m.labelCells {
					p.Text(ink, x0+at(j), y0+at(i), "1")
				}
			case m.labelCells:
				p.Text(dot, x0+at(j), y0+at(i), "·")
			}
		}
	}
}

// one returns the styles of a one and of its text.
func (m *matrixPart) one(p *painter, i, j int) (fill, ink draw.StyleID) {
	hue := m.b.inDim(j)
	if m.b.self && i != j {
		hue = 1
	}
	c := p.theme.Hue(int64(hue))
	if !m.labelCells {
		return p.fill(draw.Mix(c, p.theme.Ink, 0.25), draw.None, 0), 0
	}
	return p.fill(c, p.theme.Rule, 0.5), p.bold(draw.InkOn(c), textSize, draw.Middle)
}

// paintAxes paints the names of the dimensions and the numbers of their bits.
func (m *matrixPart) paintAxes(p *painter, x0, y0 float64) {
	b, c := m.b, m.cell
	name := p.ink(p.theme.Ink, textSize, draw.Middle)
	side := p.ink(p.theme.Ink, textSize, draw.Finish)
	num := p.ink(p.theme.Soft, textSize-1, draw.Middle)
	line := p.stroke(p.theme.Soft, 1)
	over := 6.0
	if m.labelCells {
		over += 16
	}
	b.eachDim(b.ins, func(d bitDim, at, k int) {
		x1, x2 := x0+c*float64(at)+2, x0+c*float64(at+d.bits)-2
		p.Line(line, x1, y0-over, x2, y0-over)
		base := y0 - over - 9
		if l := m.levels[k]; l > 0 {
			p.Line(line, (x1+x2)/2, y0-over, (x1+x2)/2, base-14*float64(l)+7)
		}
		p.Text(name, (x1+x2)/2, base-14*float64(m.levels[k]), d.name)
		for i := 0; i < d.bits && m.labelCells; i++ {
			p.Text(num, x0+c*(float64(at+i)+0.5), y0-10, fmt.Sprint(i))
		}
	})
	back := 6.0
	if m.labelCells {
		back += 16
	}
	b.eachDim(b.outs, func(d bitDim, at, _ int) {
		y1, y2 := y0+c*float64(at)+2, y0+c*float64(at+d.bits)-2
		p.Line(line, x0-back, y1, x0-back, y2)
		p.Text(side, x0-back-5, (y1+y2)/2, d.name)
		for i := 0; i < d.bits && m.labelCells; i++ {
			p.Text(num, x0-11, y0+c*(float64(at+i)+0.5), fmt.Sprint(i))
		}
	})
}

// paintOrigin paints the image of 0 as an additional column.
func (m *matrixPart) paintOrigin(p *painter, x, y0 float64, up draw.StyleID) {
	c, rows := m.cell, m.b.m.Rows()
	p.Text(p.ink(p.theme.Ink, textSize, draw.Middle), x-c/2, y0+c*float64(rows)/2, "⊕")
	p.Text(p.ink(p.theme.Select, textSize, draw.Middle), x+c/2, y0-10, "origin")
	p.Rect(p.fill(p.theme.Paper, p.theme.Select, 1.5), x, y0, c, c*float64(rows))
	one := p.fill(p.theme.Glow, p.theme.Rule, 0.5)
	for i := range rows {
		text, ink := "·", p.ink(p.theme.Rule, textSize, draw.Middle)
		if m.b.origin.At(i) == 1 {
			p.Rect(one, x, y0+c*float64(i), c, c)
			text, ink = "1", p.bold(draw.InkOn(p.theme.Glow), textSize, draw.Middle)
		}
		if m.labelCells {
			p.Text(ink, x+c/2, y0+c*(float64(i)+0.5), text)
		}
	}
	if len(m.vectors) > 0 {
		p.Text(up, x+c/2, y0+c*float64(rows)+6, m.b.vector(m.b.origin))
	}
}
