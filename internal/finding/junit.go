package finding

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// writeJUnit writes a test case for each file. The findings that set the exit status are the failure of the test case,
// and the other findings are its output. A file that could not be checked is an error.
func writeJUnit(w io.Writer, r *Report) error {
	byFile := map[string][]Finding{}
	for _, f := range r.Findings {
		byFile[f.Path] = append(byFile[f.Path], f)
	}
	why := map[string]string{}
	names := slices.Clone(r.Files)
	for _, f := range r.Findings {
		names = append(names, f.Path) // a run may have findings in its PTX, which may not be one of the checked files
	}
	slices.Sort(names)
	for _, x := range r.Failed {
		why[x.Path] = x.Why
	}
	var cases strings.Builder
	failures := 0
	for _, name := range slices.Compact(names) {
		if _, failed := why[name]; failed {
			continue
		}
		fails, rest := r.split(byFile[name])
		if len(fails) > 0 {
			failures++
		}
		testCase(&cases, name, fails, rest)
	}
	for _, x := range r.Failed {
		fmt.Fprintf(&cases, "    <testcase classname=\"girih\" name=\"%s\">\n      <error message=\"%s\"/>\n    </testcase>\n",
			xml(x.Path), xml(x.Why))
	}
	tests := strings.Count(cases.String(), "<testcase ")
	_, err := fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"+
		"  <testsuite name=\"girih check\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n%s  </testsuite>\n</testsuites>\n",
		tests, failures, len(r.Failed), cases.String())
	return err
}

// split separates the findings that set the exit status from the others.
func (r *Report) split(list []Finding) (fails, rest []Finding) {
	for _, f := range list {
		if r.Fails(f) {
			fails = append(fails, f)
		} else {
			rest = append(rest, f)
		}
	}
	return fails, rest
}

// testCase writes the test case for one file.
func testCase(b *strings.Builder, name string, fails, rest []Finding) {
	fmt.Fprintf(b, "    <testcase classname=\"girih\" name=\"%s\"", xml(name))
	if len(fails)+len(rest) == 0 {
		b.WriteString("/>\n")
		return
	}
	b.WriteString(">\n")
	text := func(list []Finding) string {
		var t strings.Builder
		for _, f := range list {
			f.text(&t)
		}
		return xml(t.String())
	}
	if len(fails) > 0 {
		first, _, _ := strings.Cut(fails[0].Message, "\n")
		fmt.Fprintf(b, "      <failure type=\"%s\" message=\"%s\">%s</failure>\n", xml(fails[0].Rule),
			xml(fmt.Sprintf("%s:%d: %s", name, fails[0].Line, first)), text(fails))
	}
	if len(rest) > 0 {
		fmt.Fprintf(b, "      <system-out>%s</system-out>\n", text(rest))
	}
	b.WriteString("    </testcase>\n")
}

var xmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// xml escapes a text for content and attributes.
func xml(s string) string { return xmlEscapes.Replace(clean(strings.ToValidUTF8(s, "\ufffd"))) }
