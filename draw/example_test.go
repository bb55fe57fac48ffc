package draw_test

import (
	"fmt"

	"girih/draw"
)

// Two cells of a grid, the second one with a key, a tip and a label.
func Example() {
	s := draw.New(40, 20)
	s.Title = "2:1"
	cell := s.Intern(draw.Style{Fill: draw.RGB(0xee, 0xee, 0xee), Stroke: draw.RGB(0, 0, 0), Width: 1})
	label := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 10, Anchor: draw.Middle})
	s.Rect(cell, 0, 0, 20, 20)
	second := s.Rect(cell, 20, 0, 20, 20)
	second.Key, second.Tip = "i1", "index 1, offset 1"
	s.Text(label, 30, 10, "1")
	for _, x := range s.Shapes() {
		fmt.Println(x.Kind, x.X, x.Y, x.W, x.H, x.Key, x.Text, s.StyleOf(x).Fill)
	}
	// Output:
	// 0 0 0 20 20   #eeeeee
	// 0 20 0 20 20 i1  #eeeeee
	// 3 30 10 0 0  1 #000000
}

func ExampleNew() {
	s := draw.New(320, 200)
	fmt.Println(s.W, s.H, len(s.Shapes()), s.Background)
	// Output: 320 200 0 none
}

func ExampleScene_Shapes() {
	s := draw.New(10, 10)
	s.Line(s.Intern(draw.Style{Width: 1}), 0, 0, 10, 10)
	fmt.Println(len(s.Shapes()), s.Shapes()[0].Kind == draw.Line)
	// Output: 1 true
}

func ExampleScene_Styles() {
	s := draw.New(10, 10)
	s.Intern(draw.Style{Width: 1})
	s.Intern(draw.Style{Width: 2})
	fmt.Println(s.Styles()[1].Width)
	// Output: 2
}

func ExampleScene_StyleOf() {
	s := draw.New(10, 10)
	x := s.Rect(s.Intern(draw.Style{Round: 3}), 0, 0, 10, 10)
	fmt.Println(s.StyleOf(*x).Round)
	// Output: 3
}

// A style has one number in a scene, however often it comes.
func ExampleScene_Intern() {
	s := draw.New(10, 10)
	fmt.Println(s.Intern(draw.Style{Width: 1}), s.Intern(draw.Style{Width: 2}), s.Intern(draw.Style{Width: 1}))
	// Output: 0 1 0
}

func ExampleScene_Grow() {
	s := draw.New(10, 10)
	s.Grow(100)
	fmt.Println(len(s.Shapes()), cap(s.Shapes()) >= 100)
	// Output: 0 true
}

func ExampleScene_Rect() {
	s := draw.New(10, 10)
	x := s.Rect(0, 1, 2, 8, 4)
	fmt.Println(x.X, x.Y, x.W, x.H)
	// Output: 1 2 8 4
}

// A line is kept as its start and the way to its end.
func ExampleScene_Line() {
	s := draw.New(10, 10)
	x := s.Line(0, 1, 2, 8, 4)
	fmt.Println(x.X, x.Y, x.W, x.H)
	// Output: 1 2 7 2
}

func ExampleScene_Path() {
	s := draw.New(10, 10)
	x := s.Path(0, draw.Step{Verb: draw.Move, X: 1, Y: 1}, draw.Step{Verb: draw.To, X: 9, Y: 1}, draw.Step{Verb: draw.Close})
	fmt.Println(len(x.Steps))
	// Output: 3
}

func ExampleScene_Text() {
	s := draw.New(10, 10)
	x := s.Text(0, 5, 5, "∘")
	fmt.Println(x.Text, x.X, x.Y)
	// Output: ∘ 5 5
}

func ExampleScene_Begin() {
	s := draw.New(10, 10)
	s.Begin("t0v1")
	s.Rect(0, 0, 0, 10, 10)
	s.End()
	first, last := s.Shapes()[0], s.Shapes()[2]
	fmt.Println(first.Kind == draw.Begin, first.Key, last.Kind == draw.End)
	// Output: true t0v1 true
}

// Without an open group there is nothing to close.
func ExampleScene_End() {
	s := draw.New(10, 10)
	s.End()
	fmt.Println(len(s.Shapes()))
	// Output: 0
}

// Pictures side by side.
func ExampleScene_Append() {
	panel := draw.New(10, 10)
	panel.Rect(panel.Intern(draw.Style{Width: 1}), 0, 0, 10, 10)
	s := draw.New(25, 10)
	s.Append(panel, 0, 0)
	s.Append(panel, 15, 0)
	for _, x := range s.Shapes() {
		fmt.Println(x.X, x.Y, s.StyleOf(x).Width)
	}
	fmt.Println(len(s.Styles()), "style")
	// Output:
	// 0 0 1
	// 15 0 1
	// 1 style
}

func ExampleShape() {
	x := draw.Shape{Kind: draw.Text, X: 5, Y: 5, Text: "T0 V1", Key: "t0v1"}
	fmt.Println(x.Kind == draw.Text, x.Text)
	// Output: true T0 V1
}

func ExampleKind() {
	fmt.Println(draw.Rect, draw.Line, draw.Path, draw.Text, draw.Begin, draw.End)
	// Output: 0 1 2 3 4 5
}

// A curve to (10, 0) that leaves and arrives upright.
func ExampleStep() {
	p := draw.Step{Verb: draw.Cubic, X: 10, Y: 0, X1: 0, Y1: 5, X2: 10, Y2: 5}
	fmt.Println(p.X, p.Y)
	// Output: 10 0
}

func ExampleVerb() {
	fmt.Println(draw.Move, draw.To, draw.Cubic, draw.Close)
	// Output: 0 1 2 3
}

// Styles compare, so that a scene keeps each once.
func ExampleStyle() {
	fmt.Println(draw.Style{Width: 1} == draw.Style{Width: 1}, draw.Style{}.Fill)
	// Output: true none
}

func ExampleStyleID() {
	s := draw.New(10, 10)
	id := s.Intern(draw.Style{Dash: 2})
	fmt.Println(s.Styles()[id].Dash)
	// Output: 2
}

func ExampleAnchor() {
	st := draw.Style{Size: 10, Anchor: draw.Finish}
	fmt.Println(st.Anchor == draw.Start, st.Anchor == draw.Finish)
	// Output: false true
}

func ExampleTextWidth() {
	fmt.Printf("%.2f %.2f\n", draw.TextWidth("(4,8)", 12), draw.TextWidth("A∘B⊗C", 12))
	// Output: 36.12 36.12
}

func ExampleColor() {
	fmt.Println(draw.RGB(255, 128, 0), draw.RGB(255, 128, 0).Fade(128), draw.None)
	// Output: #ff8000 #ff800080 none
}

func ExampleRGB() {
	fmt.Println(draw.RGB(0x77, 0xaa, 0xdd))
	// Output: #77aadd
}

func ExampleColor_RGBA() {
	fmt.Println(draw.RGB(1, 2, 3).RGBA())
	// Output: 1 2 3 255
}

func ExampleColor_Fade() {
	fmt.Println(draw.RGB(0, 0, 0).Fade(0x80))
	// Output: #00000080
}

func ExampleColor_String() {
	fmt.Println(draw.RGB(255, 255, 255).String(), draw.Color(0).String())
	// Output: #ffffff none
}

func ExampleMix() {
	fmt.Println(draw.Mix(draw.RGB(0, 0, 0), draw.RGB(255, 255, 255), 0.5))
	// Output: #636363
}

func ExampleInkOn() {
	fmt.Println(draw.InkOn(draw.RGB(255, 255, 160)), draw.InkOn(draw.RGB(0, 0, 128)))
	// Output: #111418 #ffffff
}

func ExampleThemes() {
	for _, t := range draw.Themes() {
		fmt.Println(t.Name, t.Classic)
	}
	// Output:
	// light false
	// dark false
	// classic true
}

func ExampleFindTheme() {
	t, err := draw.FindTheme("dark")
	fmt.Println(t.Name, t.Paper, err)
	_, err = draw.FindTheme("neon")
	fmt.Println(err)
	// Output:
	// dark #14171c <nil>
	// expected a theme, one of light, dark, classic, found "neon"
}

// Thread 8 has the color of thread 0 again.
func ExampleTheme_Hue() {
	t := draw.Themes()[0]
	fmt.Println(t.Hue(0), t.Hue(1), t.Hue(8))
	// Output: #77aadd #ee8866 #77aadd
}

// The registers of a thread have its hue, the first the lightest.
func ExampleTheme_Shade() {
	t := draw.Themes()[0]
	for register := range int64(3) {
		fmt.Println(t.Shade(0, register, 3))
	}
	// Output:
	// #b4d0ed
	// #77aadd
	// #5a7da1
}

func ExampleTheme_Offset() {
	t := draw.Themes()[0]
	fmt.Println(t.Offset(0), t.Offset(1), t.Offset(-8))
	// Output: #f4f7fb #8fb1d6 #f4f7fb
}

func ExampleTheme_Level() {
	t := draw.Themes()[0]
	fmt.Println(t.Level(0), t.Level(1))
	// Output: #1f4e8c #c26a12
}

// The shaft ends inside the head, which is as wide as the stroke says.
func ExampleArrow() {
	s := draw.New(40, 10)
	shaft, head := draw.Arrow(*s.Line(0, 0, 5, 40, 5), 1)
	fmt.Println(len(shaft), shaft[1].X < 40)
	fmt.Println(len(head), head[len(head)-1].Verb == draw.Close)
	// Output:
	// 2 true
	// 4 true
}
