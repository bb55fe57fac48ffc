package draw_test

import (
	"fmt"

	"girih/internal/picture/draw"
)

// One scene can be written in every format.
func Example() {
	th, err := draw.FindTheme("light")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := draw.New(80, 40)
	s.Title = "2:1"
	s.Background = th.Paper
	for i := range int64(2) {
		fill := th.Offset(i)
		cell := s.Intern(draw.Style{Fill: fill, Stroke: th.Rule, Width: 1})
		label := s.Intern(draw.Style{Fill: draw.InkOn(fill), Size: 12, Anchor: draw.Middle})
		s.Rect(cell, float64(40*i), 0, 40, 40).Key = fmt.Sprint("i", i)
		s.Text(label, float64(40*i)+20, 20, fmt.Sprint(i))
	}
	for _, x := range s.Shapes() {
		fmt.Println(x.Kind == draw.Text, x.X, x.Y, x.Key+x.Text)
	}
	// Output:
	// false 0 0 i0
	// true 20 20 0
	// false 40 0 i1
	// true 60 20 1
}

func ExampleTextWidth() {
	fmt.Printf("%.2f\n", draw.TextWidth("A∘B", 10))
	// Output: 18.06
}

func ExampleArrow() {
	s := draw.New(100, 20)
	x := s.Line(s.Intern(draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 2, Arrow: true}), 0, 10, 100, 10)
	shaft, head := draw.Arrow(*x, 2)
	fmt.Println(shaft[0].X, "to", shaft[1].X)
	for _, p := range head[:3] {
		fmt.Println(p.X, p.Y)
	}
	// Output:
	// 0 to 93
	// 100 10
	// 90 13.8
	// 90 6.2
}

func ExampleScene() {
	s := draw.New(100, 50)
	s.Desc = "nothing yet"
	fmt.Println(s.W, s.H, len(s.Shapes()), len(s.Styles()))
	// Output: 100 50 0 0
}

func ExampleNew() {
	s := draw.New(100, 50)
	fmt.Println(s.W, s.H)
	// Output: 100 50
}

func ExampleScene_Shapes() {
	s := draw.New(10, 10)
	s.Rect(0, 1, 2, 3, 4)
	fmt.Println(s.Shapes()[0].Kind == draw.Rect, s.Shapes()[0].W)
	// Output: true 3
}

func ExampleScene_Styles() {
	s := draw.New(10, 10)
	s.Intern(draw.Style{Fill: draw.RGB(255, 0, 0)})
	fmt.Println(s.Styles()[0].Fill)
	// Output: #ff0000
}

func ExampleScene_StyleOf() {
	s := draw.New(10, 10)
	x := s.Rect(s.Intern(draw.Style{Width: 2}), 0, 0, 1, 1)
	fmt.Println(s.StyleOf(*x).Width)
	// Output: 2
}

func ExampleScene_Intern() {
	s := draw.New(10, 10)
	bold, plain := draw.Style{Size: 10, Bold: true}, draw.Style{Size: 10}
	fmt.Println(s.Intern(bold), s.Intern(plain), s.Intern(bold))
	// Output: 0 1 0
}

func ExampleScene_Grow() {
	s := draw.New(10, 10)
	s.Grow(1000)
	fmt.Println(len(s.Shapes()), cap(s.Shapes()) >= 1000)
	// Output: 0 true
}

func ExampleScene_Rect() {
	s := draw.New(10, 10)
	x := s.Rect(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0)}), 1, 2, 3, 4)
	x.Key, x.Tip = "t0v1", "thread 0, value 1"
	fmt.Println(x.X, x.Y, x.W, x.H, x.Key)
	// Output: 1 2 3 4 t0v1
}

func ExampleScene_Line() {
	s := draw.New(10, 10)
	x := s.Line(s.Intern(draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1}), 1, 2, 5, 8)
	fmt.Println(x.X, x.Y, x.W, x.H)
	// Output: 1 2 4 6
}

func ExampleScene_Path() {
	s := draw.New(10, 10)
	x := s.Path(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0)}),
		draw.Step{Verb: draw.Move, X: 0, Y: 0},
		draw.Step{Verb: draw.To, X: 10, Y: 0},
		draw.Step{Verb: draw.To, X: 5, Y: 8},
		draw.Step{Verb: draw.Close},
	)
	fmt.Println(len(x.Steps))
	// Output: 4
}

func ExampleScene_Text() {
	s := draw.New(10, 10)
	x := s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 8, Anchor: draw.Middle}), 5, 5, "0")
	fmt.Println(x.Text)
	// Output: 0
}

func ExampleScene_Begin() {
	s := draw.New(10, 10)
	s.Begin("warp0")
	s.Rect(0, 0, 0, 1, 1)
	s.End()
	for _, x := range s.Shapes() {
		fmt.Printf("%d %q\n", x.Kind, x.Key)
	}
	// Output:
	// 4 "warp0"
	// 0 ""
	// 5 ""
}

func ExampleScene_End() {
	s := draw.New(10, 10)
	s.End() // no group is open
	fmt.Println(len(s.Shapes()))
	// Output: 0
}

func ExampleScene_Append() {
	cell := draw.New(10, 10)
	cell.Rect(cell.Intern(draw.Style{Fill: draw.RGB(0, 0, 0)}), 0, 0, 10, 10)
	s := draw.New(20, 10)
	s.Append(cell, 0, 0)
	s.Append(cell, 10, 0)
	fmt.Println(len(s.Shapes()), s.Shapes()[1].X, len(s.Styles()))
	// Output: 2 10 1
}

func ExampleShape() {
	x := draw.Shape{Kind: draw.Rect, W: 2, H: 3, Key: "t0"}
	fmt.Println(x.Key, x.W*x.H)
	// Output: t0 6
}

func ExampleKind() {
	fmt.Println(draw.Rect, draw.Line, draw.Path, draw.Text, draw.Begin, draw.End)
	// Output: 0 1 2 3 4 5
}

func ExampleStep() {
	curve := []draw.Step{
		{Verb: draw.Move, X: 0, Y: 0},
		{Verb: draw.Cubic, X1: 0, Y1: 10, X2: 10, Y2: 10, X: 10, Y: 0},
	}
	fmt.Println(curve[1].X, curve[1].Y)
	// Output: 10 0
}

func ExampleVerb() {
	fmt.Println(draw.Move, draw.To, draw.Cubic, draw.Close)
	// Output: 0 1 2 3
}
