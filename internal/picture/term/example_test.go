package term_test

import (
	"fmt"

	"girih/internal/picture/draw"
	"girih/internal/picture/term"
)

// twoByTwo is the layout (2,2):(2,1) as a picture.
func twoByTwo() *draw.Scene {
	s := draw.New(80, 64)
	cell := s.Intern(draw.Style{Fill: draw.RGB(0xaf, 0xaf, 0xff), Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 12, Anchor: draw.Middle})
	for i := range 4 {
		x, y := 10+32*float64(i%2), 32*float64(i/2)
		s.Rect(cell, x, y, 32, 32)
		s.Text(ink, x+16, y+16, fmt.Sprint(i))
	}
	return s
}

func Example() {
	fmt.Printf("%s", term.Append(nil, twoByTwo(), term.Options{}))
	// Output:
	// ┌──┬──┐
	// │ 0│ 1│
	// ├──┼──┤
	// │ 2│ 3│
	// └──┴──┘
}

func ExampleAppend() {
	fmt.Printf("%s", term.Append(nil, twoByTwo(), term.Options{ASCII: true}))
	// Output:
	// +--+--+
	// | 0| 1|
	// +--+--+
	// | 2| 3|
	// +--+--+
}

// With colors, the fills separate the cells, and their thin borders are omitted.
func ExampleOptions() {
	fmt.Printf("%q\n", term.Append(nil, twoByTwo(), term.Options{Color: term.Color256}))
	// Output: "\x1b[38;5;16;48;5;147m0  1\x1b[0m\n\x1b[38;5;16;48;5;147m2  3\x1b[0m\n"
}

func ExampleTerminalDepth() {
	env := map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}
	lookup := func(name string) string { return env[name] }
	fmt.Println(term.TerminalDepth(lookup))
	env["COLORTERM"] = ""
	fmt.Println(term.TerminalDepth(lookup))
	env["NO_COLOR"] = "1"
	fmt.Println(term.TerminalDepth(lookup))
	// Output:
	// truecolor
	// 256
	// none
}

func ExamplePipeDepth() {
	env := map[string]string{"TERM": "xterm-256color"}
	lookup := func(name string) string { return env[name] }
	fmt.Println(term.PipeDepth(lookup))
	env["CLICOLOR_FORCE"] = "1"
	fmt.Println(term.PipeDepth(lookup))
	// Output:
	// none
	// 256
}

func ExampleDepth_String() {
	fmt.Println(term.None, term.Color256, term.TrueColor)
	// Output: none 256 truecolor
}
