package svg_test

import (
	"fmt"

	"girih/internal/picture/draw"
	"girih/internal/picture/svg"
)

// Two cells of a layout; the second has a key and a tip.
func Example() {
	s := draw.New(80, 40)
	s.Title = "2:1"
	cell := s.Intern(draw.Style{Fill: draw.RGB(0xee, 0xee, 0xff), Stroke: draw.RGB(0, 0, 0), Width: 1})
	label := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 12, Anchor: draw.Middle})
	s.Rect(cell, 0, 0, 40, 40)
	s.Text(label, 20, 20, "0")
	x := s.Rect(cell, 40, 0, 40, 40)
	x.Key, x.Tip = "i1", "index 1 <1>"
	s.Text(label, 60, 20, "1")
	fmt.Printf("%s", svg.Append(nil, s))
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" class="g9ce158cd" role="img" width="80" height="40" viewBox="0 0 80 40">
	// <title>2:1</title>
	// <style>
	// .g9ce158cd text{font-family:"DejaVu Sans Mono","Bitstream Vera Sans Mono",Menlo,monospace}
	// .g9ce158cd .c0{fill:#eeeeff;stroke:#000000}
	// .g9ce158cd .c1{fill:#000000;font-size:12px;text-anchor:middle}
	// </style>
	// <rect class="c0" x="0" y="0" width="40" height="40"/>
	// <text class="c1" x="20" y="20" dy=".35em">0</text>
	// <rect class="c0" x="40" y="0" width="40" height="40" data-key="i1"><title>index 1 &lt;1&gt;</title></rect>
	// <text class="c1" x="60" y="20" dy=".35em">1</text>
	// </svg>
}

func ExampleAppend() {
	s := draw.New(10, 10)
	s.Background = draw.RGB(255, 255, 255)
	fmt.Printf("%s", svg.Append(nil, s))
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" class="g811c9dc5" role="img" width="10" height="10" viewBox="0 0 10 10">
	// <rect width="10" height="10" style="fill:#ffffff"/>
	// </svg>
}
