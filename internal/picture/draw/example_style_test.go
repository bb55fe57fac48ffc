package draw_test

import (
	"fmt"

	"girih/internal/picture/draw"
)

func ExampleStyle() {
	a := draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1}
	b := a
	b.Dash = 2
	fmt.Println(a == b, a == draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1})
	// Output: false true
}

func ExampleStyleID() {
	s := draw.New(1, 1)
	var id draw.StyleID = s.Intern(draw.Style{Bold: true})
	fmt.Println(s.Styles()[id].Bold)
	// Output: true
}

func ExampleAnchor() {
	right := draw.Style{Size: 10, Anchor: draw.Finish} // the text ends at its X
	fmt.Println(right.Anchor, draw.Start, draw.Middle)
	// Output: 2 0 1
}

func ExampleColor() {
	c := draw.Color(0x1f77b4ff)
	fmt.Println(c, draw.None)
	// Output: #1f77b4 none
}

func ExampleColor_RGBA() {
	fmt.Println(draw.Color(0x01020304).RGBA())
	// Output: 1 2 3 4
}

func ExampleColor_Fade() {
	fmt.Println(draw.RGB(255, 0, 0).Fade(0x80))
	// Output: #ff000080
}

func ExampleColor_String() {
	fmt.Println(draw.RGB(1, 2, 3).String(), draw.RGB(1, 2, 3).Fade(4), draw.None)
	// Output: #010203 #01020304 none
}

func ExampleRGB() {
	fmt.Println(draw.RGB(0xaf, 0xff, 0xd2))
	// Output: #afffd2
}

// Halfway from black to white is the grey that looks halfway; it is darker than #808080.
func ExampleMix() {
	fmt.Println(draw.Mix(draw.RGB(0, 0, 0), draw.RGB(255, 255, 255), 0.5))
	// Output: #636363
}

func ExampleInkOn() {
	fmt.Println(draw.InkOn(draw.RGB(0xaf, 0xaf, 0xff)), draw.InkOn(draw.RGB(0x50, 0x50, 0x50)))
	// Output: #000000 #ffffff
}

func ExampleContrast() {
	fmt.Printf("%.2f\n", draw.Contrast(draw.RGB(0x77, 0x77, 0x77), draw.RGB(255, 255, 255)))
	// Output: 4.48
}

func ExampleTheme() {
	th, _ := draw.FindTheme("classic")
	fmt.Println(th.Name, th.Classic, th.Paper, len(th.Hues))
	// Output: classic true #ffffff 8
}

func ExampleThemes() {
	for _, th := range draw.Themes() {
		fmt.Println(th.Name)
	}
	// Output:
	// light
	// dark
	// classic
}

func ExampleFindTheme() {
	th, _ := draw.FindTheme("")
	fmt.Println(th.Name)
	_, err := draw.FindTheme("neon")
	fmt.Println(err)
	// Output:
	// light
	// expected a theme, one of light, dark, classic, found "neon"
}

func ExampleTheme_Hue() {
	th, _ := draw.FindTheme("classic")
	fmt.Println(th.Hue(0), th.Hue(1), th.Hue(8))
	// Output: #afafff #afffaf #afafff
}

// Register 0 of 4 is paler than the hue of its thread, register 3 deeper.
func ExampleTheme_Shade() {
	th, _ := draw.FindTheme("light")
	fmt.Println(th.Shade(0, 0, 4), th.Hue(0), th.Shade(0, 3, 4))
	// Output: #aec6f8 #769cef #5b77b1
}

func ExampleTheme_Offset() {
	th, _ := draw.FindTheme("classic")
	fmt.Println(th.Offset(0), th.Offset(1), th.Offset(9))
	// Output: #ffffff #9b9b9b #9b9b9b
}

func ExampleTheme_Level() {
	th, _ := draw.FindTheme("classic")
	fmt.Println(th.Level(0), th.Level(1))
	// Output: #1f77b4 #ff7f0e
}
