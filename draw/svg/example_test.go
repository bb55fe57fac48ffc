package svg_test

import (
	"bytes"
	"fmt"
	"os"

	"girih/draw"
	"girih/draw/svg"
)

// cell returns a scene of one cell.
func cell() *draw.Scene {
	s := draw.New(20, 20)
	s.Title = "1:0"
	s.Rect(s.Intern(draw.Style{Fill: draw.RGB(0xee, 0xee, 0xee), Stroke: draw.RGB(0, 0, 0), Width: 1}), 0, 0, 20, 20).Key = "i0"
	return s
}

// A picture is one element that can stand in a page.
func Example() {
	if err := svg.Write(os.Stdout, cell()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" class="g3399e726" role="img" width="20" height="20" viewBox="0 0 20 20">
	// <title>1:0</title>
	// <style>
	// .g3399e726 .c0{fill:#eeeeee;stroke:#000000}
	// </style>
	// <rect class="c0" x="0" y="0" width="20" height="20" data-key="i0"/>
	// </svg>
}

func ExampleWrite() {
	var b bytes.Buffer
	err := svg.Write(&b, cell())
	fmt.Println(bytes.HasPrefix(b.Bytes(), []byte("<svg ")), err)
	// Output: true <nil>
}

func ExampleAppend() {
	page := append([]byte("<p>"), svg.Append(nil, cell())...)
	fmt.Println(bytes.Count(page, []byte("<rect")))
	// Output: 1
}
