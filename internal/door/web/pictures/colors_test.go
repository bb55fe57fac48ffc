package pictures

import (
	"fmt"
	"testing"

	"girih/internal/picture/draw"
)

// The page has the colors of the pictures: hues, offsets and banks exactly, and shades up to differences that no
// screen shows.
func TestColors(t *testing.T) {
	t.Parallel()
	needsNode(t)
	themes := []string{"light", "dark"}
	questions := make([]question, len(themes))
	for k, name := range themes {
		questions[k] = question{Ask: "colors", Op: name}
	}
	for k, got := range shows[map[string][]string](t, questions) {
		theme, err := draw.FindTheme(themes[k])
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]func(i int64) draw.Color{
			"hues":    theme.Hue,
			"offsets": func(i int64) draw.Color { return theme.Offset(i - 10) },
			"shades":  func(i int64) draw.Color { return theme.Shade(i/8, i%8, 8) },
			"banks":   func(i int64) draw.Color { return theme.Shade(i/4, i%4, 4) },
			"groups":  theme.Hue,
			"plain":   func(int64) draw.Color { return theme.Empty },
		}
		for name, color := range want {
			worst := 0
			if len(got[name]) == 0 {
				t.Errorf("%s: the page has no %s", themes[k], name)
			}
			for i, text := range got[name] {
				var r, g, b int
				if _, err := fmt.Sscanf(text, "rgb(%d,%d,%d)", &r, &g, &b); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				x, y, z, _ := color(int64(i)).RGBA()
				worst = max(worst, r-int(x), int(x)-r, g-int(y), int(y)-g, b-int(z), int(z)-b)
			}
			most := 0
			if name == "shades" || name == "banks" {
				most = 2 // such a difference is invisible on every screen
			}
			if worst > most {
				t.Errorf("%s: %s are up to %d of 255 away from those of pictures", themes[k], name, worst)
			}
		}
	}
}
