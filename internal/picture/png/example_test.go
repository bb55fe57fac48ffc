package png_test

import (
	"bytes"
	"errors"
	"fmt"
	stdpng "image/png"

	"girih/internal/picture/draw"
	"girih/internal/picture/png"
)

// A picture at twice the resolution of the screen.
func Example() {
	s := draw.New(120, 40)
	s.Background = draw.RGB(0xff, 0xff, 0xff)
	s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 12, Anchor: draw.Middle}), 60, 20, "A ∘ ⟨2,ℤ⟩")
	var b bytes.Buffer
	if err := png.Encode(&b, s, 2); err != nil {
		fmt.Println(err)
		return
	}
	img, err := stdpng.Decode(&b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(img.Bounds().Size())
	// Output: (240,80)
}

func ExampleEncode() {
	err := png.Encode(&bytes.Buffer{}, draw.New(40000, 20000), 2)
	fmt.Println(errors.Is(err, png.ErrSize))
	fmt.Println(err)
	// Output:
	// true
	// bad picture size: expected at most 134217728 pixels, found 80000 x 40000 at scale 2; a scale of 0.4 fits
}
