package main

import (
	"encoding/json"
	"os"

	"girih/internal/picture/draw"
)

// colors are the colors of a theme in the form that the page reads.
type colors struct {
	Paper   string   `json:"paper"`
	Plain   string   `json:"plain"`
	Hues    []string `json:"hues"`
	Offsets []string `json:"offsets"`
	// Shades are the shades of each hue, from the palest to the deepest. The steps are so small that the page can mix
	// adjacent shades in sRGB without a visible difference from mixing in OKLab.
	Shades [][]string `json:"shades"`
}

// shadeSteps is the number of shades of each hue. In the light theme one shade is the hue itself: paler shades
// mix in the paper, deeper shades the ink.
const shadeSteps = 6

// palette writes the colors of the light and the dark theme to a file of the page.
func palette(file string) error {
	all := map[string]colors{}
	for _, t := range draw.Themes() {
		if t.Classic {
			continue
		}
		c := colors{Paper: t.Paper.String(), Plain: t.Empty.String()}
		for i := range int64(len(t.Hues)) {
			var shades []string
			for j := range int64(shadeSteps) {
				shades = append(shades, t.Shade(i, j, shadeSteps).String())
			}
			c.Hues, c.Shades = append(c.Hues, t.Hue(i).String()), append(c.Shades, shades)
		}
		for i := range int64(len(t.Offsets)) {
			c.Offsets = append(c.Offsets, t.Offset(i).String())
		}
		all[t.Name] = c
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
