package main

import (
	"encoding/json"
	"os"

	"girih/internal/picture/draw"
)

// The colors of a theme as the page has them.
type colors struct {
	Paper   string   `json:"paper"`
	Plain   string   `json:"plain"`
	Hues    []string `json:"hues"`
	Offsets []string `json:"offsets"`
	// Shades are those of each hue, from the palest to the deepest. The steps between them are so small that the page
	// mixes them as a screen does, without the perceptual space that they are mixed in.
	Shades [][]string `json:"shades"`
}

// shadeSteps is how many shades of a hue are told: of the light theme one of them is the hue itself, at which shades
// turn from the paper to the ink.
const shadeSteps = 6

// palette writes the colors of pictures in the light and the dark theme to a file of the page.
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
