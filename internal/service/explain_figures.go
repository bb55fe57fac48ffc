package service

import (
	"fmt"
	"slices"

	"girih/internal/lang/report"
	"girih/internal/why/explain"
)

// An ExplainPicture is a figure of an explanation, drawn.
type ExplainPicture struct {
	explain.Figure
	Name  string        `json:"name"`            // for a file: 01-complement.svg, numbered through all explanations
	Text  string        `json:"text,omitempty"`  // the picture, if its format is text
	Data  []byte        `json:"data,omitempty"`  // the picture, if its format is not text
	Error *report.Error `json:"error,omitempty"` // why the picture is not drawn
}

// Bytes returns the picture as the content of a file.
func (p ExplainPicture) Bytes() []byte {
	if p.Data != nil {
		return p.Data
	}
	return []byte(p.Text)
}

// drawFigures draws each figure of the explanations once, with the options in q, and sets in each figure the name of
// its picture. A figure of an unknown kind is drawn as its value would be by default.
func (s *Session) drawFigures(xs []explain.Explanation, q DrawRequest) []ExplainPicture {
	var out []ExplainPicture
	names := make(map[explain.Figure]string)
	for _, x := range xs {
		for i, step := range x.Steps {
			f := step.Figure
			if f == nil {
				continue
			}
			key := explain.Figure{Kind: f.Kind, Expr: f.Expr}
			if _, drawn := names[key]; !drawn {
				p := s.drawFigure(*f, len(out)+1, q)
				names[key] = p.Name
				if p.Error != nil {
					names[key] = ""
				}
				out = append(out, p)
			}
			x.Steps[i].Figure.File = names[key]
		}
	}
	return out
}

// drawFigure draws the n-th figure.
func (s *Session) drawFigure(f explain.Figure, n int, q DrawRequest) ExplainPicture {
	q.Expr = f.Expr
	if slices.ContainsFunc(Pictures(), func(p Picture) bool { return p.Kind == f.Kind }) {
		q.As = f.Kind
	}
	r := s.Draw(q)
	p := ExplainPicture{Figure: f, Name: fmt.Sprintf("%02d-%s.%s", n, f.Kind, q.Format), Text: r.Text, Data: r.Data}
	if !r.OK {
		p.Error = r.Error
	}
	return p
}
