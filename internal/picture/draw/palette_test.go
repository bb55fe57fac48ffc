package draw

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page draws in the colors of the pictures.
func TestPalette(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../internal/door/web/ui/color.ts")
	if err != nil {
		t.Fatal(err)
	}
	colors := regexp.MustCompile(`#[0-9a-f]{6}`)
	for name, of := range map[string]func(*Theme) []Color{
		"hues":    func(th *Theme) []Color { return th.Hues },
		"offsets": func(th *Theme) []Color { return th.Offsets },
	} {
		_, list, _ := strings.Cut(string(page), "const "+name)
		list, _, _ = strings.Cut(list, "};")
		var want []string
		for _, theme := range []string{"light", "dark"} {
			th, err := FindTheme(theme)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range of(th) {
				want = append(want, c.String())
			}
		}
		if got := colors.FindAllString(list, -1); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("the page has the %s %v, the pictures have %v", name, got, want)
		}
	}
}
