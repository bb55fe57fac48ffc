package draw

import (
	"fmt"
	"strings"
)

// A Theme is the set of colors of a picture.
type Theme struct {
	Name    string
	Paper   Color   // the background
	Ink     Color   // text on the paper
	Soft    Color   // secondary text: axis labels, captions
	Rule    Color   // borders of cells
	Strong  Color   // borders of tiles, atoms and warps
	Empty   Color   // the fill of a cell without an element: a hole, padding
	Select  Color   // what is highlighted: its border
	Glow    Color   // what is highlighted: its fill
	Bad     Color   // conflicts, aliases, errors
	Good    Color   // what has no problem, in pictures that mark problems
	Levels  []Color // borders of the modes of a hierarchy, the outermost first
	Hues    []Color // categories: threads, warps
	Offsets []Color // fills by offset, neighbours in contrast
	// Classic makes Hues and Offsets repeat as in CUTLASS's print_latex, and gives registers no shades.
	Classic bool

	// The first of several shades is mixed with the fraction pale of Paper, the last with the fraction deep of Ink.
	pale, deep float64
}

// Themes returns the themes, the default one first.
func Themes() []*Theme { return []*Theme{&light, &dark, &classic} }

// FindTheme returns the theme with a name: "light", "dark" or "classic"; "" is the default theme. The error says what
// was expected and found.
func FindTheme(name string) (*Theme, error) {
	var names []string
	for _, t := range Themes() {
		if name == "" || strings.EqualFold(name, t.Name) {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return nil, fmt.Errorf("expected a theme, one of %s, found %q", strings.Join(names, ", "), name)
}

// Hue returns the color of category i, a thread or a warp. The colors repeat after the last one.
func (t *Theme) Hue(i int64) Color { return pick(t.Hues, i) }

// Shade returns the color of category i at step j of n, 0 <= j < n, usually a register of a thread. The category
// decides the hue; the step decides the lightness, from paler than the hue to deeper. The classic theme has no
// shades, and neither does n = 1.
func (t *Theme) Shade(i, j, n int64) Color {
	c := t.Hue(i)
	if t.Classic || n <= 1 {
		return c
	}
	at := (t.pale+t.deep)*float64(j)/float64(n-1) - t.pale
	if at < 0 {
		return Mix(c, t.Paper, -at)
	}
	return Mix(c, t.Ink, at)
}

// Offset returns the fill of the cell of an offset.
func (t *Theme) Offset(x int64) Color { return pick(t.Offsets, x) }

// Level returns the color of a mode's border at a depth; 0 is outermost.
func (t *Theme) Level(depth int) Color { return pick(t.Levels, int64(depth)) }

// pick returns color i of a list that repeats in both directions, or None if the list is empty.
func pick(list []Color, i int64) Color {
	n := int64(len(list))
	if n == 0 {
		return None
	}
	return list[(i%n+n)%n]
}

// The hues of light and dark were found by search. The eight hues differ for every kind of color vision, by at least
// 0.10 in OKLab, where 0.02 is barely visible. For full color vision their tones are at least 30 degrees apart, so
// that the lightness is free for registers. The order puts distant hues next to each other. On dark, no two shades of
// different hues coincide.

// Black text is readable on every fill of a cell.
var light = Theme{
	Name:  "light",
	Paper: RGB(0xff, 0xff, 0xff), Ink: RGB(0x1c, 0x20, 0x26), Soft: RGB(0x5d, 0x68, 0x77),
	Rule: RGB(0xb4, 0xbc, 0xc8), Strong: RGB(0x1c, 0x20, 0x26), Empty: RGB(0xee, 0xf0, 0xf3),
	Select: RGB(0xd5, 0x2b, 0x1e), Glow: RGB(0xff, 0xdc, 0x96), Bad: RGB(0xc4, 0x26, 0x1d), Good: RGB(0x12, 0x85, 0x8f),
	Levels: []Color{
		RGB(0x12, 0x46, 0x6c), RGB(0xb0, 0x71, 0x07), RGB(0x79, 0x51, 0xc2), RGB(0x04, 0x99, 0x97), RGB(0x84, 0x01, 0x05),
	},
	Hues: []Color{
		RGB(0x76, 0x9c, 0xef), RGB(0xee, 0xb2, 0x57), RGB(0x96, 0xf4, 0xf7), RGB(0xe5, 0xe9, 0x87),
		RGB(0xbd, 0x91, 0xa9), RGB(0xcc, 0xb7, 0xf8), RGB(0xe3, 0x82, 0x60), RGB(0x84, 0xd4, 0xad),
	},
	Offsets: []Color{
		RGB(0xf3, 0xf7, 0xfc), RGB(0x90, 0xb2, 0xda), RGB(0xc1, 0xd4, 0xec), RGB(0x5f, 0x8f, 0xc8),
		RGB(0xda, 0xe6, 0xf4), RGB(0x78, 0xa1, 0xd1), RGB(0xa8, 0xc3, 0xe3), RGB(0x46, 0x7e, 0xbe),
	},
	pale: 0.42, deep: 0.28,
}

// The hues are light, so that all of them and their shades differ on a dark page too. Text is black on hues and white
// on offsets. Shades are darker than the hue.
var dark = Theme{
	Name:  "dark",
	Paper: RGB(0x14, 0x17, 0x1c), Ink: RGB(0xe6, 0xe9, 0xee), Soft: RGB(0x9a, 0xa5, 0xb4),
	Rule: RGB(0x3d, 0x46, 0x53), Strong: RGB(0xe6, 0xe9, 0xee), Empty: RGB(0x22, 0x27, 0x2f),
	Select: RGB(0xff, 0x24, 0x24), Glow: RGB(0x6b, 0x50, 0x16), Bad: RGB(0xff, 0x24, 0x24), Good: RGB(0x62, 0xcf, 0xd6),
	Levels: []Color{
		RGB(0x51, 0xa3, 0xff), RGB(0xfe, 0xc4, 0x7f), RGB(0xd8, 0x64, 0x9e), RGB(0x14, 0xe9, 0xfe), RGB(0x9e, 0xa1, 0x02),
	},
	Hues: []Color{
		RGB(0x4e, 0x9b, 0xfc), RGB(0xff, 0xa8, 0x00), RGB(0xb8, 0xf0, 0xf6), RGB(0xf7, 0x70, 0x53),
		RGB(0xc9, 0xb7, 0xff), RGB(0x58, 0xe6, 0x9a), RGB(0xb5, 0x91, 0xaf), RGB(0xee, 0xee, 0x39),
	},
	Offsets: []Color{
		RGB(0x19, 0x22, 0x2d), RGB(0x2e, 0x50, 0x77), RGB(0x24, 0x39, 0x51), RGB(0x38, 0x69, 0x9f),
		RGB(0x1e, 0x2d, 0x3f), RGB(0x33, 0x5c, 0x8b), RGB(0x29, 0x44, 0x64), RGB(0x3d, 0x75, 0xb4),
	},
	pale: 0.25, deep: 0,
}

// The colors of CUTLASS's print_latex and print_svg: eight pastels by thread, eight greys by offset.
var classic = Theme{
	Name:  "classic",
	Paper: RGB(0xff, 0xff, 0xff), Ink: RGB(0, 0, 0), Soft: RGB(0x4a, 0x5a, 0x78),
	Rule: RGB(0, 0, 0), Strong: RGB(0, 0, 0), Empty: RGB(0xff, 0xff, 0xff),
	Select: RGB(0xff, 0, 0), Glow: RGB(0xff, 0xdc, 0x96), Bad: RGB(0xff, 0, 0), Good: RGB(0, 0x80, 0),
	Levels: []Color{
		RGB(0x1f, 0x77, 0xb4), RGB(0xff, 0x7f, 0x0e), RGB(0x2c, 0xa0, 0x2c), RGB(0xd6, 0x27, 0x28), RGB(0x94, 0x67, 0xbd),
	},
	Hues: []Color{
		RGB(0xaf, 0xaf, 0xff), RGB(0xaf, 0xff, 0xaf), RGB(0xff, 0xff, 0xaf), RGB(0xff, 0xaf, 0xaf),
		RGB(0xd2, 0xd2, 0xff), RGB(0xd2, 0xff, 0xd2), RGB(0xff, 0xff, 0xd2), RGB(0xff, 0xd2, 0xd2),
	},
	Offsets: []Color{
		RGB(0xff, 0xff, 0xff), RGB(0x9b, 0x9b, 0x9b), RGB(0xcd, 0xcd, 0xcd), RGB(0x69, 0x69, 0x69),
		RGB(0xe6, 0xe6, 0xe6), RGB(0x82, 0x82, 0x82), RGB(0xb4, 0xb4, 0xb4), RGB(0x50, 0x50, 0x50),
	},
	Classic: true,
}
