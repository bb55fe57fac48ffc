package tikz_test

import (
	"fmt"
	"strings"

	"girih/internal/picture/draw"
	"girih/internal/picture/tikz"
)

// A cell of print_latex: a colored square with its offset.
func Example() {
	s := draw.New(32, 32)
	s.Title = "(1,1):(0,0)"
	cell := s.Intern(draw.Style{Fill: draw.RGB(0xaf, 0xaf, 0xff), Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 12, Anchor: draw.Middle})
	s.Rect(cell, 0, 0, 32, 32)
	s.Text(ink, 16, 16, "0")
	_, picture, _ := strings.Cut(string(tikz.Append(nil, s)), "\\begin{document}\\frenchspacing%\n")
	fmt.Print(picture)
	// Output:
	// \begin{tikzpicture}[x=.75pt,y=-.75pt]
	// \useasboundingbox(0,0)rectangle(32,32);
	// \path[s0](0,0)rectangle+(32,32);
	// \texts{t1}{%
	// \tc(16,16){0}%
	// }
	// \end{tikzpicture}%
	// \end{document}
}

func ExampleAppend() {
	s := draw.New(8, 8)
	s.Rect(s.Intern(draw.Style{Fill: draw.RGB(0xaf, 0xff, 0xaf)}), 0, 0, 8, 8)
	for line := range strings.Lines(string(tikz.Append(nil, s))) {
		if strings.Contains(line, "afffaf") || strings.HasPrefix(line, "\\path") {
			fmt.Print(line)
		}
	}
	// Output:
	// \definecolor{cafffaf}{HTML}{AFFFAF}
	// \tikzset{s0/.style={fill=cafffaf}}
	// \path[s0](0,0)rectangle+(8,8);
}
