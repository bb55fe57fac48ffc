package png_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"

	"girih/draw"
	drawpng "girih/draw/png"
)

// At scale 2 a picture of 40 by 20 points has 80 by 40 pixels.
func Example() {
	s := draw.New(40, 20)
	s.Background = draw.RGB(255, 255, 255)
	s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 12, Anchor: draw.Middle}), 20, 10, "A∘B")
	var b bytes.Buffer
	if err := drawpng.Encode(&b, s, 2); err != nil {
		fmt.Println(err)
		return
	}
	picture, err := png.DecodeConfig(&b)
	fmt.Println(picture.Width, picture.Height, err)
	// Output: 80 40 <nil>
}

// What would be too large is refused before anything is written.
func ExampleEncode() {
	var b bytes.Buffer
	err := drawpng.Encode(&b, draw.New(1e6, 1e6), 1)
	fmt.Println(errors.Is(err, drawpng.ErrSize), b.Len())
	fmt.Println(err)
	// Output:
	// true 0
	// bad picture size: expected at most 134217728 pixels, found 1000000 x 1000000 at scale 1; a scale of 0.01 fits
}
