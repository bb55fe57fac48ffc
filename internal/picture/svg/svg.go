// Package svg writes a [draw.Scene] as SVG.
//
// The picture is one self-contained element. Every style is a CSS class in one <style> element; a class on the root,
// a checksum of the rules, confines the rules to this picture, so that one page can contain several pictures. Keys of
// shapes and groups become data-key attributes, tips become <title> children, and the title and the description of
// the scene become <title> and <desc>. Lengths are CSS pixels, rounded to a hundredth. The preferred font is DejaVu
// Sans Mono, whose advance width is [draw.Advance]; related fonts and any monospaced font follow.
//
// The same scene gives the same bytes.
package svg

import (
	"girih/internal/picture/draw"
)

// Append appends a scene as an SVG document in UTF-8 and returns the extended slice. It closes groups that were left
// open, writes 0 for coordinates that are not finite, and writes U+FFFD for characters that XML cannot contain.
func Append(dst []byte, s *draw.Scene) []byte {
	e := newEncoder(s)
	dst = e.open(grow(dst, 1024+64*len(s.Shapes())))
	for i := range s.Shapes() {
		dst = e.shape(dst, &s.Shapes()[i])
	}
	return e.end(dst)
}

// An encoder holds what the elements of a document need. Its methods append to a slice and return it; a slice stored
// in the encoder would be written to memory at every append.
type encoder struct {
	s     *draw.Scene
	sheet sheet
	depth int // the number of open groups
}

func newEncoder(s *draw.Scene) *encoder { return &encoder{s: s, sheet: newSheet(s)} }

// open appends everything up to the first shape.
func (e *encoder) open(b []byte) []byte {
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" class="`...)
	b = append(b, e.sheet.scope...)
	b = append(b, `" role="img"`...)
	b = appendNumber(append(b, ` width="`...), e.s.W)
	b = appendNumber(append(b, `" height="`...), e.s.H)
	b = appendNumber(append(b, `" viewBox="0 0 `...), e.s.W)
	b = appendNumber(append(b, ' '), e.s.H)
	b = append(b, "\">\n"...)
	b = appendElement(b, "title", e.s.Title)
	b = appendElement(b, "desc", e.s.Desc)
	if len(e.sheet.rules) > 0 {
		b = append(b, "<style>\n"...)
		b = append(b, e.sheet.rules...)
		b = append(b, "</style>\n"...)
	}
	if e.s.Background != draw.None {
		b = appendNumber(append(b, `<rect width="`...), e.s.W)
		b = appendNumber(append(b, `" height="`...), e.s.H)
		b = append(b, `" style="`...)
		b = appendColor(b, "fill", e.s.Background)
		b = append(b, "\"/>\n"...)
	}
	return b
}

// end appends everything after the last shape.
func (e *encoder) end(b []byte) []byte {
	for range e.depth {
		b = append(b, "</g>\n"...)
	}
	return append(b, "</svg>\n"...)
}

func (e *encoder) shape(b []byte, x *draw.Shape) []byte {
	switch x.Kind {
	case draw.Begin:
		e.depth++
		b = append(appendTip(append(appendKey(append(b, "<g"...), x.Key), '>'), x.Tip), '\n')
	case draw.End:
		if e.depth > 0 {
			e.depth--
			b = append(b, "</g>\n"...)
		}
	case draw.Rect:
		b = e.rect(b, x)
	case draw.Line, draw.Path:
		if e.s.StyleOf(*x).Arrow {
			return e.arrow(b, x)
		}
		b = e.path(b, x)
	case draw.Text:
		b = e.text(b, x)
	}
	return b
}

func (e *encoder) rect(b []byte, x *draw.Shape) []byte {
	left, top, w, h := x.X, x.Y, x.W, x.H
	if w < 0 {
		left, w = left+w, -w
	}
	if h < 0 {
		top, h = top+h, -h
	}
	b = appendClass(append(b, "<rect"...), 'c', x.Style)
	b = appendNumber(append(b, ` x="`...), left)
	b = appendNumber(append(b, `" y="`...), top)
	b = appendNumber(append(b, `" width="`...), w)
	b = appendNumber(append(b, `" height="`...), h)
	if r := e.s.StyleOf(*x).Round; r > 0 {
		b = appendNumber(append(b, `" rx="`...), r)
	}
	b = appendKey(append(b, '"'), x.Key)
	return appendLeaf(b, "rect", x.Tip)
}

func (e *encoder) path(b []byte, x *draw.Shape) []byte {
	b = appendClass(append(b, "<path"...), 'c', x.Style)
	b = append(b, ` d="`...)
	if x.Kind == draw.Line {
		b = appendLine(b, x)
	} else {
		b = appendSteps(b, x.Steps)
	}
	b = appendKey(append(b, '"'), x.Key)
	return appendLeaf(b, "path", x.Tip)
}

// arrow appends a group of a shaft and a head.
func (e *encoder) arrow(b []byte, x *draw.Shape) []byte {
	shaft, head := draw.Arrow(*x, e.s.StyleOf(*x).Width)
	b = appendTip(append(appendKey(append(b, "<g"...), x.Key), '>'), x.Tip)
	b = appendClass(append(b, "<path"...), 'c', x.Style)
	b = appendSteps(append(b, ` d="`...), shaft)
	b = append(b, `"/>`...)
	if head != nil {
		b = appendClass(append(b, "<path"...), 'h', x.Style)
		b = appendSteps(append(b, ` d="`...), head)
		b = append(b, `"/>`...)
	}
	return append(b, "</g>\n"...)
}

func (e *encoder) text(b []byte, x *draw.Shape) []byte {
	b = appendClass(append(b, "<text"...), 'c', x.Style)
	if e.s.StyleOf(*x).Up {
		b = appendPoint(append(b, ` transform="translate(`...), x.X, x.Y)
		b = append(b, `)rotate(-90)"`...)
	} else {
		b = appendNumber(append(b, ` x="`...), x.X)
		b = appendNumber(append(b, `" y="`...), x.Y)
		b = append(b, '"')
	}
	b = append(b, ` dy=".35em"`...)
	b = appendKey(b, x.Key)
	if hasSpacing(x.Text) {
		b = append(b, ` xml:space="preserve"`...)
	}
	b = appendTip(append(b, '>'), x.Tip)
	b = appendText(b, x.Text)
	return append(b, "</text>\n"...)
}

// grow ensures room for n more bytes.
func grow(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst
	}
	return append(make([]byte, 0, len(dst)+n), dst...)
}
