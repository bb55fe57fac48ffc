package view

import (
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// paintAxes paints the labels and names of both axes; x is the left edge of the grid including its axes.
func (g *grid) paintAxes(p *painter, x float64) {
	name := p.bold(p.theme.Soft, labelSize, draw.Middle)
	if a := g.colAxis; len(a.labels) > 0 || a.name != "" {
		st, up := p.ink(p.theme.Soft, labelSize, draw.Middle), g.upright()
		dy := labelPad + labelSize/2 - 1
		if up {
			st = p.Intern(draw.Style{Fill: p.theme.Soft, Size: labelSize, Anchor: draw.Start, Up: true})
			dy = labelPad - 1
		}
		room := a.widest() + 4
		if up {
			room = labelSize + 2
		}
		for i := 0; i < len(a.labels); i += g.block * every(room, g.unitW*float64(g.block)) {
			lx, _ := g.place(0, float64(i)+float64(g.block)/2)
			p.Text(st, lx, g.y-dy, a.labels[i])
		}
		if a.name != "" {
			p.Text(name, g.x+g.unitW*float64(g.cols)/2, g.y-g.top()+nameRoom/2-2, a.name)
		}
	}
	if a := g.rowAxis; len(a.labels) > 0 || a.name != "" {
		st := p.ink(p.theme.Soft, labelSize, draw.Finish)
		for i := 0; i < len(a.labels); i += g.blockRows * every(labelSize+2, g.unitH*float64(g.blockRows)) {
			_, ly := g.place(float64(i)+float64(g.blockRows)/2, 0)
			p.Text(st, g.x-labelPad, ly, a.labels[i])
		}
		if a.name != "" {
			up := p.Intern(draw.Style{Fill: p.theme.Soft, Size: labelSize, Anchor: draw.Middle, Bold: true, Up: len(a.name) > 1})
			p.Text(up, x+nameRoom/2-2, g.y+g.unitH*float64(g.rows)/2, a.name)
		}
	}
}

// every returns the least power of two k such that writing every k-th label leaves room for each.
func every(room, unit float64) int {
	k := 1
	for float64(k)*unit < room && k < 1<<20 {
		k *= 2
	}
	return k
}

// indices returns the labels 0 to n-1.
func indices(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strconv.Itoa(i)
	}
	return out
}

// modeLabels returns the labels along a mode of a shape: indices or coordinates.
func modeLabels(mode cute.Tuple, l Labels) []string {
	n, _ := mode.Product() // the sizes of layouts do not overflow
	out := indices(int(n))
	if l == LabelsIndex || l == LabelsAuto && nesting(mode) == nil {
		return out
	}
	for i := range out {
		if c, err := cute.Idx2Crd(cute.Int(int64(i)), mode); err == nil {
			out[i] = c.String()
		}
	}
	return out
}

// nesting returns the leaves of a mode with their depths, or nil if at most one leaf has an extent above 1.
func nesting(mode cute.Tuple) []leaf {
	var out []leaf
	var walk func(t cute.Tuple, depth int)
	walk = func(t cute.Tuple, depth int) {
		if n, ok := t.Int64(); ok {
			if n > 1 {
				out = append(out, leaf{n, depth})
			}
			return
		}
		for _, m := range t.Modes() {
			walk(m, depth+1)
		}
	}
	walk(mode, 0)
	if len(out) < 2 {
		return nil
	}
	return out
}

// A leaf is one integer of a shape: its extent, and its depth in its mode.
type leaf struct {
	extent int64
	depth  int
}

// colRules returns the borders between the groups of a nested mode that goes across; rows is their length in squares.
// There is a border after each block of the leaves to the left of a leaf. Outer levels have thicker borders, and each
// level has its own color.
func colRules(t *draw.Theme, mode cute.Tuple, rows int) []rule {
	var out []rule
	total, _ := mode.Product()
	for _, l := range levelsOf(mode) {
		for at := l.block; at < total; at += l.block {
			if at%l.next == 0 {
				continue // a border of an outer level
			}
			out = append(out, rule{0, int(at), rows, int(at), t.Level(l.depth), l.width()})
		}
	}
	return out
}

// rowRules returns the borders between the groups of a nested mode that goes down; cols is their length in squares.
func rowRules(t *draw.Theme, mode cute.Tuple, cols int) []rule {
	out := colRules(t, mode, cols)
	for i, r := range out {
		out[i].row1, out[i].col1, out[i].row2, out[i].col2 = r.col1, r.row1, r.col2, r.row2
	}
	return out
}

// stripRules returns the borders of a mode that is wrapped after every cols squares. A border runs down if whole
// blocks fill a line, and across if whole lines fill a block. Blocks that end at different columns of the lines have
// no borders.
func stripRules(t *draw.Theme, mode cute.Tuple, rows, cols int) []rule {
	var out []rule
	total, _ := mode.Product()
	for _, l := range levelsOf(mode) {
		line := int64(cols)
		for at := l.block; at < total; at += l.block {
			switch {
			case at%l.next == 0:
			case line%l.block == 0 && at < line:
				out = append(out, rule{0, int(at), rows, int(at), t.Level(l.depth), l.width()})
			case l.block%line == 0:
				out = append(out, rule{int(at / line), 0, int(at / line), cols, t.Level(l.depth), l.width()})
			}
		}
	}
	return out
}

// A level is one level of blocks in a nested mode: the number of squares in each block, the number in each block of
// the next level, and the number of levels further out.
type level struct {
	block, next int64
	depth       int
}

// width returns the width of the borders between the blocks.
func (l level) width() float64 { return max(3-float64(l.depth), 1.25) }

// levelsOf returns the levels of a mode, the innermost first.
func levelsOf(mode cute.Tuple) []level {
	leaves := nesting(mode)
	var out []level
	block := int64(1)
	for i := range len(leaves) - 1 {
		block *= leaves[i].extent
		out = append(out, level{block, block * leaves[i+1].extent, len(leaves) - 2 - i})
	}
	return out
}
