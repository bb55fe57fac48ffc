package ptx

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse checks that Parse never panics, that the positions of errors are within the source, and that the printed
// tree can be parsed and printed again as the same text.
func FuzzParse(f *testing.F) {
	for _, src := range files(f) {
		f.Add(src)
	}
	for _, row := range malformed {
		f.Add(".version 8.0 .target sm_90 " + row.src)
		f.Add(".version 8.0 .target sm_90 .entry f() {" + row.src + "}")
	}
	for _, row := range constants {
		f.Add(".version 8.0 .target sm_90 .global .b64 x = " + row.src + ";")
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := Parse(src)
		if err != nil {
			checkError(t, src, err)
			return
		}
		text := m.String()
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", src, text, err)
		}
		if second := again.String(); second != text {
			t.Fatalf("%q is printed as %q, and that as %q", src, text, second)
		}
		if diff, same := sameTree(m, again); !same {
			t.Fatalf("%q is printed as %q, which is another tree:\n%s", src, text, diff)
		}
	})
}

// checkError checks that err is a complete *Error and that its position is within src.
func checkError(t *testing.T, src string, err error) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Code == "" || e.Expected == "" || e.Found == "" || !strings.Contains(e.Caret(), "^") {
		t.Fatalf("%q is refused by %#v", src, err)
	}
	lines := strings.Split(src, "\n")
	if e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.Col > len(lines[e.Line-1])+1 ||
		!strings.HasPrefix(lines[e.Line-1], e.Source) {
		t.Fatalf("%q is refused at a place that it does not have: %#v", src, err)
	}
}
