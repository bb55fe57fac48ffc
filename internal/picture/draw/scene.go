package draw

import "unicode/utf8"

// Advance is the width of a character of the monospaced font, in units of the font size. DejaVu Sans Mono has
// 1233/2048.
const Advance = 1233.0 / 2048

// TextWidth returns the width of one line of text at a font size, in points.
//
//go:noinline
func TextWidth(text string, size float64) float64 {
	return float64(utf8.RuneCountInString(text)) * Advance * size
}

// A Kind says what a [Shape] is.
type Kind uint8

// The kinds of shapes.
const (
	Rect  Kind = iota // the rectangle with top left corner (X, Y), W wide and H high
	Line              // the segment from (X, Y) to (X+W, Y+H)
	Path              // the path in Steps
	Text              // the line in Text; Y is its middle height, X the point that the style's anchor names
	Begin             // opens a group with a key
	End               // closes the last open group
)

// A Shape is one item of a display list. Its kind decides which fields are used.
type Shape struct {
	Kind       Kind
	Style      StyleID
	X, Y, W, H float64
	Text       string // the characters of a text
	Key        string // what a group or shape represents, such as "t3v1"; formats with names keep the key
	Tip        string // shown while a pointer is over the shape; formats without pointers ignore it
	Steps      []Step // the steps of a path
}

// A Verb is one command of a path.
type Verb uint8

// The commands of paths.
const (
	Move  Verb = iota // to (X, Y), beginning a new part
	To                // a straight line to (X, Y)
	Cubic             // a cubic Bezier curve with control points (X1, Y1) and (X2, Y2) to (X, Y)
	Close             // a straight line to the start of the part
)

// A Step is a command of a path with its points, all absolute.
type Step struct {
	Verb                 Verb
	X, Y, X1, Y1, X2, Y2 float64
}

// A Scene is a picture: its size, its title, and its shapes in painting order. The zero Scene is empty. The methods
// that add a shape return the shape, so that the caller can set its key and tip.
type Scene struct {
	W, H       float64 // the size in points
	Title      string  // one line: the layout, or the subject of the picture
	Desc       string  // the content of the picture for readers who cannot see it
	Background Color   // None for a transparent picture

	shapes []Shape
	styles []Style
	index  map[Style]StyleID
	open   int
}

// New returns an empty scene of a size in points.
func New(w, h float64) *Scene { return &Scene{W: w, H: h} }

// Shapes returns the display list. The scene owns the slice.
func (s *Scene) Shapes() []Shape { return s.shapes }

// Styles returns the styles, indexed by [StyleID]. The scene owns the slice.
func (s *Scene) Styles() []Style { return s.styles }

// StyleOf returns the style of a shape.
func (s *Scene) StyleOf(x Shape) Style {
	if int(x.Style) >= len(s.styles) {
		return Style{}
	}
	return s.styles[x.Style]
}

// Intern returns the number of a style in this scene. It adds a new style.
//
//go:noinline
func (s *Scene) Intern(st Style) StyleID {
	if id, ok := s.index[st]; ok {
		return id
	}
	if s.index == nil {
		s.index = make(map[Style]StyleID)
	}
	id := StyleID(len(s.styles))
	s.styles = append(s.styles, st)
	s.index[st] = id
	return id
}

// Grow makes room for n more shapes.
func (s *Scene) Grow(n int) {
	if cap(s.shapes)-len(s.shapes) < n {
		s.shapes = append(make([]Shape, 0, len(s.shapes)+n), s.shapes...)
	}
}

// Rect adds a rectangle.
//
//go:noinline
func (s *Scene) Rect(st StyleID, x, y, w, h float64) *Shape {
	return s.add(Shape{Kind: Rect, Style: st, X: x, Y: y, W: w, H: h})
}

// Line adds a segment.
//
//go:noinline
func (s *Scene) Line(st StyleID, x1, y1, x2, y2 float64) *Shape {
	return s.add(Shape{Kind: Line, Style: st, X: x1, Y: y1, W: x2 - x1, H: y2 - y1})
}

// Path adds a path.
//
//go:noinline
func (s *Scene) Path(st StyleID, steps ...Step) *Shape {
	return s.add(Shape{Kind: Path, Style: st, Steps: steps})
}

// Text adds one line of text; y is the middle of its height.
//
//go:noinline
func (s *Scene) Text(st StyleID, x, y float64, text string) *Shape {
	return s.add(Shape{Kind: Text, Style: st, X: x, Y: y, Text: text})
}

// Begin opens a group: the key applies to everything until [Scene.End].
func (s *Scene) Begin(key string) {
	s.open++
	s.add(Shape{Kind: Begin, Key: key})
}

// End closes the innermost open group. If no group is open, it does nothing.
func (s *Scene) End() {
	if s.open > 0 {
		s.open--
		s.add(Shape{Kind: End})
	}
}

// Append adds the shapes of another scene with its origin at (x, y), but not its background.
func (s *Scene) Append(o *Scene, x, y float64) {
	s.Grow(len(o.shapes))
	ids := make([]StyleID, len(o.styles))
	for i, st := range o.styles {
		ids[i] = s.Intern(st)
	}
	for _, sh := range o.shapes {
		if int(sh.Style) < len(ids) {
			sh.Style = ids[sh.Style]
		}
		sh.X, sh.Y = sh.X+x, sh.Y+y
		if sh.Steps != nil {
			steps := make([]Step, len(sh.Steps))
			for i, p := range sh.Steps {
				steps[i] = Step{p.Verb, p.X + x, p.Y + y, p.X1 + x, p.Y1 + y, p.X2 + x, p.Y2 + y}
			}
			sh.Steps = steps
		}
		s.shapes = append(s.shapes, sh)
	}
	for range o.open {
		s.add(Shape{Kind: End})
	}
}

//go:noinline
func (s *Scene) add(x Shape) *Shape {
	s.shapes = append(s.shapes, x)
	return &s.shapes[len(s.shapes)-1]
}
