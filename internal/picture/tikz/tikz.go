package tikz

import (
	"math"
	"strconv"
	"strings"

	"girih/internal/picture/draw"
)

// MaxSize is the largest coordinate of the document, in points of the scene. Larger pictures are scaled down,
// including their text. TeX's largest dimension is 16383.99998 pt; 16000 points of the scene are 12000 pt on paper,
// which PDF readers can show.
const MaxSize = 16000

// unit is the length of a point of the scene in TeX points.
const unit = 0.75

// Append appends the document of a scene: the same bytes for the same scene. Coordinates are rounded to a hundredth
// of a point. Keys and tips are omitted. Shapes of one style share a command if that does not change the picture.
func Append(dst []byte, s *draw.Scene) []byte {
	e := encoder{dst: dst, s: s, scale: scaleOf(s)}
	e.dst = append(e.dst, "\\documentclass{standalone}\n"...)
	e.comment(s.Title)
	e.comment(s.Desc)
	e.preamble()
	e.dst = append(e.dst, "\\begin{document}\\frenchspacing%\n\\begin{tikzpicture}[x=.75pt,y=-.75pt]\n"...)
	e.dst = append(e.dst, "\\useasboundingbox(0,0)rectangle("...)
	e.point(s.W, s.H)
	e.dst = append(e.dst, ");\n"...)
	if visible(s.Background) {
		e.dst = append(e.dst, "\\fill[paper](0,0)rectangle("...)
		e.point(s.W, s.H)
		e.dst = append(e.dst, ");\n"...)
	}
	e.commands()
	return append(e.dst, "\\end{tikzpicture}%\n\\end{document}\n"...)
}

// An encoder appends one document.
type encoder struct {
	dst   []byte
	s     *draw.Scene
	scale float64
}

// preamble appends the packages, the colors and the styles. It defines only what the shapes use.
func (e *encoder) preamble() {
	e.dst = append(e.dst, `\usepackage{tikz}
\usetikzlibrary{arrows.meta}
\usepackage{textcomp}
\usepackage{amssymb}
% Latin Modern has a bold typewriter face; without it Computer Modern at any size does.
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{\usepackage{fix-cm}}
% A mathematical character as wide as a letter.
\newcommand\sym[1]{\makebox[.5em]{$#1$}}
% Many texts of a style in one node: \tc is centered at a point, \tl begins and \tr ends there.
\newcommand\texts[2]{\node[#1,inner sep=0pt,anchor=base west]at(0,0){\unitlength=.75pt\smash{\hbox to 0pt{#2\hss}}};}
\def\tc(#1,#2)#3{\raise-#2\unitlength\hbox to 0pt{\kern#1\unitlength\hbox to 0pt{\hss#3\hss}\hss}}
\def\tl(#1,#2)#3{\raise-#2\unitlength\hbox to 0pt{\kern#1\unitlength#3\hss}}
\def\tr(#1,#2)#3{\raise-#2\unitlength\hbox to 0pt{\kern#1\unitlength\hbox to 0pt{\hss#3}\hss}}
`...)
	kinds := e.kinds()
	e.colors(kinds)
	e.styles(kinds)
}

// The largest number of shapes in a path and of texts in a node. For longer paths TeX's time grows faster than their
// length.
const (
	pathLength = 100
	nodeLength = 400
)

// commands appends the shapes. Shapes of the same level and style share a command.
func (e *encoder) commands() {
	list := e.commandsInOrder()
	for len(list) > 0 {
		first := list[0]
		n := 1
		text := first.shape.Kind == draw.Text
		limit := pathLength
		if text {
			limit = nodeLength
		}
		for n < min(len(list), limit) && list[n].level == first.level && list[n].shape.Style == first.shape.Style &&
			(list[n].shape.Kind == draw.Text) == text {
			n++
		}
		switch st := e.s.StyleOf(first.shape); {
		case text && st.Up:
			for _, c := range list[:n] {
				e.upright(c.shape)
			}
		case text:
			e.texts(list[:n], st)
		default:
			e.paths(list[:n], st)
		}
		list = list[n:]
	}
}

// paths appends shapes of one style as one path. An arrow has its own path, because only the last part of a path gets
// a head. So does a shape that is not opaque, because a path paints overlapping parts only once.
func (e *encoder) paths(list []command, st draw.Style) {
	apart := st.Arrow || (st.Fill&0xff)%0xff != 0 || (st.Stroke&0xff)%0xff != 0
	for i, c := range list {
		x := c.shape
		if i == 0 || apart || x.Kind == draw.Path || list[i-1].shape.Kind == draw.Path {
			e.path(x.Style)
		}
		switch x.Kind {
		case draw.Rect:
			e.at(x.X, x.Y)
			e.dst = append(e.dst, "rectangle+"...)
			e.at(x.W, x.H)
		case draw.Line:
			e.at(x.X, x.Y)
			e.dst = append(e.dst, "--"...)
			e.at(x.X+x.W, x.Y+x.H)
		case draw.Path:
			e.steps(x)
		}
		if i+1 == len(list) || apart || x.Kind == draw.Path || list[i+1].shape.Kind == draw.Path {
			e.dst = append(e.dst, ";\n"...)
		} else {
			e.dst = append(e.dst, '\n')
		}
	}
}

// texts appends texts of one style as one node.
func (e *encoder) texts(list []command, st draw.Style) {
	e.dst = append(e.dst, `\texts{t`...)
	e.dst = strconv.AppendUint(e.dst, uint64(list[0].shape.Style), 10)
	e.dst = append(e.dst, "}{%\n"...)
	macro := byte('c')
	switch st.Anchor {
	case draw.Start:
		macro = 'l'
	case draw.Finish:
		macro = 'r'
	}
	for _, c := range list {
		e.dst = append(e.dst, '\\', 't', macro)
		e.at(c.shape.X, c.shape.Y)
		e.dst = append(e.dst, '{')
		e.dst = appendText(e.dst, c.shape.Text)
		e.dst = append(e.dst, "}%\n"...)
	}
	e.dst = append(e.dst, "}\n"...)
}

// upright appends a text that runs upward.
func (e *encoder) upright(x draw.Shape) {
	e.dst = append(e.dst, `\node[t`...)
	e.dst = strconv.AppendUint(e.dst, uint64(x.Style), 10)
	e.dst = append(e.dst, "]at"...)
	e.at(x.X, x.Y)
	e.dst = append(e.dst, '{')
	e.dst = appendText(e.dst, x.Text)
	e.dst = append(e.dst, "};\n"...)
}

// steps appends the parts of a path. Steps before the first move start at the origin.
func (e *encoder) steps(x draw.Shape) {
	if x.Steps[0].Verb != draw.Move {
		e.dst = append(e.dst, "(0,0)"...)
	}
	for i, p := range x.Steps {
		switch p.Verb {
		case draw.Move:
			e.at(p.X, p.Y)
		case draw.To:
			e.dst = append(e.dst, "--"...)
			e.at(p.X, p.Y)
		case draw.Cubic:
			e.dst = append(e.dst, "..controls"...)
			e.at(p.X1, p.Y1)
			e.dst = append(e.dst, "and"...)
			e.at(p.X2, p.Y2)
			e.dst = append(e.dst, ".."...)
			e.at(p.X, p.Y)
		case draw.Close:
			e.dst = append(e.dst, "--cycle"...)
		}
		if i%8 == 7 {
			e.dst = append(e.dst, '\n')
		}
	}
}

// path appends the beginning of a command that paints with a style.
func (e *encoder) path(id draw.StyleID) {
	e.dst = append(e.dst, `\path[s`...)
	e.dst = strconv.AppendUint(e.dst, uint64(id), 10)
	e.dst = append(e.dst, ']')
}

// at appends a coordinate.
//
//go:noinline
func (e *encoder) at(x, y float64) {
	e.dst = append(e.dst, '(')
	e.point(x, y)
	e.dst = append(e.dst, ')')
}

func (e *encoder) point(x, y float64) {
	e.dst = appendNumber(e.dst, x*e.scale)
	e.dst = append(e.dst, ',')
	e.dst = appendNumber(e.dst, y*e.scale)
}

// comment appends a TeX comment; line ends in the text become blanks.
func (e *encoder) comment(text string) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return
	}
	e.dst = append(e.dst, "% "...)
	e.dst = append(e.dst, strings.ToValidUTF8(text, "?")...)
	e.dst = append(e.dst, '\n')
}

// scaleOf returns the factor for all coordinates that keeps them within [MaxSize].
func scaleOf(s *draw.Scene) float64 {
	m := 0.0
	see := func(vs ...float64) {
		for _, v := range vs {
			if v = math.Abs(v); v > m && !math.IsInf(v, 0) {
				m = v
			}
		}
	}
	see(s.W, s.H)
	for _, x := range s.Shapes() {
		see(x.X, x.Y, x.W, x.H, x.X+x.W, x.Y+x.H)
		for _, p := range x.Steps {
			see(p.X, p.Y, p.X1, p.Y1, p.X2, p.Y2)
		}
	}
	if m <= MaxSize {
		return 1
	}
	return MaxSize / m
}

// appendNumber appends a number in hundredths in a form that TeX reads: no exponent and no trailing zeros. NaN
// becomes 0, and numbers too large for TeX become the largest coordinate.
func appendNumber(dst []byte, v float64) []byte {
	if math.IsNaN(v) {
		v = 0
	}
	v = math.Round(min(max(v, -MaxSize), MaxSize)*100) / 100
	if v == 0 {
		v = 0 // never -0
	}
	return strconv.AppendFloat(dst, v, 'f', -1, 64)
}
