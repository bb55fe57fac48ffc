package view

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/cute"
	"girih/f2"
	"girih/internal/picture/draw"
)

var update = flag.Bool("update", false, "write the pictures of testdata instead of checking them")

// TestGolden compares small pictures with their display lists in testdata, shape by shape.
func TestGolden(t *testing.T) {
	t.Parallel()
	m, err := f2.FromRows([]int{1, 1}, []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func() (*draw.Scene, error){
		"matrix":  func() (*draw.Scene, error) { return MatrixF2(m, Options{}) },
		"wiring":  func() (*draw.Scene, error) { return Wiring(cute.MustParse("(2,4):(8,1)"), Options{}) },
		"places":  func() (*draw.Scene, error) { return Wiring(cute.MustParse("(3,5):(5,1)"), Options{}) },
		"swizzle": func() (*draw.Scene, error) { return Swizzle(composedOf(t, 1, 0, 1, "(2,2):(2,1)"), 32, Options{}) },
	} {
		s, err := f()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".txt")
		got := list(s)
		if *update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		gots, wants := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range max(len(gots), len(wants)) {
			if i >= len(gots) || i >= len(wants) || gots[i] != wants[i] {
				t.Errorf("%s, line %d: expected %q, found %q (go test ./view -run Golden -update writes the files; look at the picture)",
					path, i+1, at(wants, i), at(gots, i))
				break
			}
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "the end"
}

// list returns a scene as text, one line for each shape.
func list(s *draw.Scene) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.1f by %.1f on %v: %s\n%s\n", s.W, s.H, s.Background, s.Title, s.Desc)
	for _, sh := range s.Shapes() {
		st := s.StyleOf(sh)
		paint := fmt.Sprintf("fill %v, stroke %v of %.2f", st.Fill, st.Stroke, st.Width)
		switch sh.Kind {
		case draw.Rect:
			fmt.Fprintf(&b, "rect (%.1f,%.1f) %.1f by %.1f, %s", sh.X, sh.Y, sh.W, sh.H, paint)
		case draw.Line:
			fmt.Fprintf(&b, "line (%.1f,%.1f) to (%.1f,%.1f), %s", sh.X, sh.Y, sh.X+sh.W, sh.Y+sh.H, paint)
		case draw.Text:
			fmt.Fprintf(&b, "text (%.1f,%.1f) %q, size %.0f, %v", sh.X, sh.Y, sh.Text, st.Size, st.Fill)
		case draw.Begin:
			b.WriteString("begin")
		case draw.End:
			b.WriteString("end")
		case draw.Path:
			b.WriteString("path")
			for _, q := range sh.Steps {
				fmt.Fprintf(&b, " %d(%.1f,%.1f)", q.Verb, q.X, q.Y)
			}
			b.WriteString(", " + paint)
		}
		if sh.Key != "" {
			fmt.Fprintf(&b, " [%s]", sh.Key)
		}
		if sh.Tip != "" {
			fmt.Fprintf(&b, " {%s}", sh.Tip)
		}
		b.WriteString("\n")
	}
	return b.String()
}
