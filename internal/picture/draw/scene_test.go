package draw

import (
	"math"
	"testing"
)

// Appending a scene to another one keeps its places, styles and groups.
func TestAppendMovesEverything(t *testing.T) {
	t.Parallel()
	in := New(10, 10)
	red, blue := in.Intern(Style{Fill: RGB(255, 0, 0)}), in.Intern(Style{Fill: RGB(0, 0, 255)})
	in.Begin("open")
	in.Path(blue, Step{Verb: Move, X: 1, Y: 2}, Step{Verb: Cubic, X1: 3, Y1: 4, X2: 5, Y2: 6, X: 7, Y: 8})
	in.Rect(red, 1, 2, 3, 4)
	out := New(100, 100)
	out.Intern(Style{Bold: true})
	out.Append(in, 10, 20)
	shapes := out.Shapes()
	if len(shapes) != 4 || shapes[0].Kind != Begin || shapes[3].Kind != End {
		t.Fatalf("an open group is not closed: %+v", shapes)
	}
	path, rect := shapes[1], shapes[2]
	if want := (Step{Cubic, 17, 28, 13, 24, 15, 26}); path.Steps[1] != want {
		t.Errorf("the path is at %+v, want %+v", path.Steps[1], want)
	}
	if rect.X != 11 || rect.Y != 22 || rect.W != 3 || rect.H != 4 {
		t.Errorf("the rectangle is at %+v", rect)
	}
	if out.StyleOf(rect).Fill != RGB(255, 0, 0) || out.StyleOf(path).Fill != RGB(0, 0, 255) {
		t.Error("the styles are mixed up")
	}
	if in.Shapes()[1].Steps[0].X != 1 {
		t.Error("the scene that was painted has changed")
	}
}

func TestEndWithoutBegin(t *testing.T) {
	t.Parallel()
	s := New(1, 1)
	s.Begin("a")
	s.End()
	s.End()
	if len(s.Shapes()) != 2 {
		t.Errorf("%d shapes, want 2", len(s.Shapes()))
	}
}

func TestStyleOfNoStyle(t *testing.T) {
	t.Parallel()
	if got := New(1, 1).StyleOf(Shape{Style: 7}); got != (Style{}) {
		t.Errorf("a style out of nowhere: %+v", got)
	}
}

// The head of an arrow points in the direction of the shape; a shape without a direction has no head.
func TestArrow(t *testing.T) {
	t.Parallel()
	move := Step{Verb: Move, X: 10, Y: 10}
	for _, c := range []struct {
		name     string
		x        Shape
		dx, dy   float64 // the direction of the head
		headless bool
	}{
		{"right", Shape{Kind: Line, X: 0, Y: 5, W: 50}, 1, 0, false},
		{"up", Shape{Kind: Line, X: 0, Y: 50, H: -50}, 0, -1, false},
		{"slanting", Shape{Kind: Line, W: 30, H: 40}, 0.6, 0.8, false},
		{"short", Shape{Kind: Line, W: 1}, 1, 0, false},
		{"a curve ends as its control line", Shape{Kind: Path, Steps: []Step{move, {Verb: Cubic, X1: 50, Y1: 10, X2: 90, Y2: 50, X: 90, Y: 90}}}, 0, 1, false},
		{"a curve with one control point at its end", Shape{Kind: Path, Steps: []Step{move, {Verb: Cubic, X1: 90, Y1: 50, X2: 90, Y2: 90, X: 90, Y: 90}}}, 0, 1, false},
		{"a curve with both there", Shape{Kind: Path, Steps: []Step{move, {Verb: Cubic, X1: 90, Y1: 10, X2: 90, Y2: 10, X: 90, Y: 10}}}, 1, 0, false},
		{"on from a closed part", Shape{Kind: Path, Steps: []Step{move, {Verb: To, X: 20, Y: 99}, {Verb: Close}, {Verb: To, X: 10, Y: 90}}}, 0, 1, false},
		{"no length", Shape{Kind: Line}, 0, 0, true},
		{"no steps", Shape{Kind: Path}, 0, 0, true},
		{"closed", Shape{Kind: Path, Steps: []Step{move, {Verb: To, X: 20}, {Verb: Close}}}, 0, 0, true},
		{"not a number", Shape{Kind: Line, W: math.NaN()}, 0, 0, true},
		{"endless", Shape{Kind: Line, W: math.Inf(1)}, 0, 0, true},
		{"a rectangle", Shape{Kind: Rect, W: 5}, 0, 0, true},
	} {
		shaft, head := Arrow(c.x, 1)
		if (head == nil) != c.headless {
			t.Errorf("%s: head %v", c.name, head)
			continue
		}
		if c.headless {
			continue
		}
		// The tip is at the end of the shape; the middle of the base is 7 points before it.
		end := outline(c.x)[len(shaft)-1]
		bx, by := (head[1].X+head[2].X)/2, (head[1].Y+head[2].Y)/2
		if head[0].X != end.X || head[0].Y != end.Y || !near(end.X-bx, 7*c.dx) || !near(end.Y-by, 7*c.dy) {
			t.Errorf("%s: head %+v at the end %+v", c.name, head, end)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
