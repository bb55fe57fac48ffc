package report_test

import (
	"strings"
	"testing"

	"girih/internal/lang/report"
)

func TestReport(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("1+", 400)
	for _, test := range []struct {
		name string
		src  string
		err  report.Error
		want string
	}{
		{
			"place", "1 + foo(2)",
			report.Error{Code: "name", Message: "no foo", Pos: 4, End: 7, Hint: "define it"},
			"error: name: no foo\n  1 + foo(2)\n      ^~~\n  hint: define it\n",
		},
		{
			"behind the end", "(4,2",
			report.Error{Code: "syntax", Message: "expected ')'", Pos: 4, End: 4},
			"error: syntax: expected ')'\n  (4,2\n      ^\n",
		},
		{
			"second line", "let a = 1\n\ta + b\n1",
			report.Error{Code: "name", Message: "no b", Pos: 15, End: 16},
			"error: name: no b\n   a + b\n       ^\n",
		},
		{
			"place over two lines", "(1,\n2)",
			report.Error{Code: "type", Message: "bad", Pos: 0, End: 6},
			"error: type: bad\n  (1,\n  ^~~\n",
		},
		{
			"columns are runes", "a ∘ é ∘ ?",
			report.Error{Code: "syntax", Message: "bad", Pos: 13, End: 14},
			"error: syntax: bad\n  a ∘ é ∘ ?\n          ^\n",
		},
		{
			"witness", "x",
			report.Error{
				Code: "c", Message: "m", End: 1, Witness: &report.Witness{Coord: "(2,1)", Index: 5, Value: "8", Want: "7"},
			},
			"error: c: m\n  x\n  ^\n  witness: at index 5, coordinate (2,1), the value is 8, a layout would give 7\n",
		},
		{
			"pair of coordinates", "x",
			report.Error{
				Code: "c", Message: "m", End: 1,
				Witness: &report.Witness{Coord: "5", Index: 5, Value: "8", Want: "7", Other: "(1,1)"},
			},
			"error: c: m\n  x\n  ^\n  witness: at index 5 and at (1,1) the value is 8, a layout would give 7\n",
		},
		{"no source", "", report.Error{Code: "syntax", Message: "nothing"}, "error: syntax: nothing\n"},
		{
			"cut on both sides", long + "?" + long,
			report.Error{Code: "c", Message: "m", Pos: len(long), End: len(long) + 1},
			"error: c: m\n  ..." + strings.Repeat("1+", 24) + "?" + strings.Repeat("1+", 23) + "1...\n" +
				strings.Repeat(" ", 2+3+48) + "^\n",
		},
		{
			"place outside of the source", "ab",
			report.Error{Code: "c", Message: "m", Pos: 9, End: -1},
			"error: c: m\n  ab\n    ^\n",
		},
		{
			"line breaks and escapes", "a\x1b[31m",
			report.Error{Code: "c", Message: "one\ntwo\r\nthree", Hint: "four\nfive", End: 1},
			"error: c: one two three\n  a [31m\n  ^\n  hint: four five\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := test.err.Report(test.src, 0); got != test.want {
				t.Errorf("Report =\n%s, want\n%s", got, test.want)
			}
		})
	}
}

func TestReportWraps(t *testing.T) {
	t.Parallel()
	e := report.Error{Code: "c", Message: "one two three", Hint: "four five six", End: 1}
	want := "error: c: one\n  two three\n  x\n  ^\n  hint: four\n    five six\n"
	if got := e.Report("x", 14); got != want {
		t.Errorf("Report =\n%s, want\n%s", got, want)
	}
}

// FuzzReport searches for places and sources that break the excerpt.
func FuzzReport(f *testing.F) {
	f.Add("let a = (4,\n2", 3, 8)
	f.Add("\xff\x00∘\r\n", -1, 99)
	f.Fuzz(func(t *testing.T, src string, pos, end int) {
		e := report.Error{Code: "c", Message: "m", Pos: pos, End: end}
		text := e.Report(src, 0)
		if n := strings.Count(text, "\n"); n != 1 && n != 3 {
			t.Errorf("Report has %d lines, want 1 or 3:\n%s", n, text)
		}
		for line := range strings.Lines(text) {
			if n := len([]rune(line)); n > 2+2*3+96+1 {
				t.Errorf("a line of %d columns: %q", n, line)
			}
		}
	})
}

// TestWitnessInWords checks the sentence that describes a witness.
func TestWitnessInWords(t *testing.T) {
	t.Parallel()
	for want, w := range map[string]report.Witness{
		"at index 1, coordinate (1,0), and at (0,1) the value is 2": {
			Coord: "(1,0)", Index: 1, Value: "2", Want: "()", Other: "(0,1)",
		},
		"at index 5, coordinate (2,1), the value is 8, a layout would give 7": {Coord: "(2,1)", Index: 5, Value: "8", Want: "7"},
		"at index 4, coordinate (4,0), the value is 16":                       {Coord: "(4,0)", Index: 4, Value: "16", Want: "()"},
		"at index 3 the value is 16":                                          {Coord: "3", Index: 3, Value: "16", Want: "()"},
		"nothing has the value 3":                                             {Coord: "()", Value: "3", Want: "()"},
	} {
		if got := w.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
