package term

import (
	"fmt"

	"girih/internal/picture/draw"
)

// Append appends a scene as lines of text, without blanks at the ends of lines: the same bytes for the same scene and
// options. With colors, each line ends in the terminal's own colors. An empty scene has no lines.
//
// A picture wider than [Options].Width is cut into pages, between its panels or else between cells. Each page begins
// with a line that says which columns follow, "columns 0-31 of 128", and repeats the labels at the left, unless it
// begins with a panel. Text and legends above and below the picture appear once, wrapped.
func Append(dst []byte, s *draw.Scene, o Options) []byte {
	list := shapes(s, o)
	dropBorders(list, s.Background, o)
	swatches(list)
	compact(list, o)
	p := upright(list, o)
	c := paint(p, s, o)
	e := emitter{dst: dst, c: c, o: o, paper: s.Background}
	if o.Width > 0 && c.w > o.Width {
		e.pages(p)
	} else {
		for row := range c.h {
			e.row(row, stretch{0, c.w})
		}
	}
	if c.w < p.w || c.h < p.h {
		e.dst = fmt.Appendf(e.dst, "cut: %d by %d characters of %d by %d are shown, since a picture has at most %d\n", c.w,
			c.h, p.w, p.h, MaxCells)
	}
	return e.dst
}

// dropBorders decides which boxes have their strokes drawn and their fills painted. With colors, boxes with the same
// thin border lose it if any of them has a colored fill; then all their fills are painted, even fills in the color of
// the paper. For other boxes, a fill in the color of the paper is no fill, because the terminal has its own
// background.
func dropBorders(list []shape, paper draw.Color, o Options) {
	filled := filledBorders(list, paper)
	for i := range list {
		x := &list[i]
		if x.kind != boxShape {
			continue
		}
		colored := x.lined && filled[borderOf(x)]
		if colored && visible(x.style.Fill) && x.style.Width <= thin && o.Color != None && !o.Grid {
			x.lined = false
		}
		x.erases = x.style.Fill == paper && visible(paper) && !colored && !o.Paper
	}
}

// A border describes the borders that one kind of boxes share.
type border struct {
	color draw.Color
	width float64
}

func borderOf(x *shape) border { return border{x.style.Stroke, x.style.Width} }

// filledBorders returns the borders that occur on a box with an opaque fill whose color is not the paper's.
func filledBorders(list []shape, paper draw.Color) map[border]bool {
	filled := map[border]bool{}
	for i := range list {
		if x := &list[i]; x.kind == boxShape && x.lined && x.style.Fill&0xff == 0xff && x.style.Fill != paper {
			filled[borderOf(x)] = true
		}
	}
	return filled
}
