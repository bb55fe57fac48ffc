package draw

import "fmt"

// A Color is 0xRRGGBBAA. The zero Color paints nothing.
type Color uint32

// None paints nothing.
const None Color = 0

// RGB returns an opaque color from its parts.
func RGB(r, g, b uint8) Color { return Color(r)<<24 | Color(g)<<16 | Color(b)<<8 | 0xff }

// RGBA returns the parts.
func (c Color) RGBA() (r, g, b, a uint8) {
	return uint8(c >> 24), uint8(c >> 16), uint8(c >> 8), uint8(c)
}

// Fade returns the color with another opacity, 0 to 255.
func (c Color) Fade(alpha uint8) Color { return c&^0xff | Color(alpha) }

// String returns #rrggbb, #rrggbbaa if the color is not opaque, or none.
func (c Color) String() string {
	switch {
	case c == None:
		return "none"
	case c&0xff == 0xff:
		return fmt.Sprintf("#%06x", uint32(c>>8))
	}
	return fmt.Sprintf("#%08x", uint32(c))
}

// An Anchor says which point of a text is at its X.
type Anchor uint8

// The anchors of texts.
const (
	Start Anchor = iota
	Middle
	Finish
)

// A StyleID is the number of a style in its scene.
type StyleID uint16

// A Style says how a shape is painted. It is comparable; the zero Style paints nothing.
type Style struct {
	Fill   Color
	Stroke Color
	Width  float64 // the width of the stroke, in points
	Dash   float64 // length of dashes and gaps in points; 0 for a solid stroke
	Arrow  bool    // a head at the end of a line or path
	Round  float64 // radius of the corners of a rectangle, in points

	Size   float64 // the size of text, in points; its color is Fill
	Anchor Anchor
	Bold   bool
	Up     bool // text that runs from the bottom to the top
}
