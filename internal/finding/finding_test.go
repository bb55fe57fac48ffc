package finding_test

import (
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"girih/internal/finding"
)

var update = flag.Bool("update", false, "write the files that show the formats")

// sample returns a report that has every field, and characters that formats must escape.
func sample() *finding.Report {
	list := []finding.Finding{
		{
			Place: finding.Place{Path: "b/k.ptx", Line: 32}, Rule: "race", Severity: finding.Error,
			Message: "nothing orders a < b & \"c\", 100% sure", Hint: "add bar.sync: 0, 1", Witness: "thread (1,0,0)\n    25 | st.shared [s], %r1;",
			Text: "ld.shared.u32 %r2, [s];", Source: "k.cu:7", Other: &finding.Place{Path: "b/k.ptx", Line: 25},
		},
		{
			Place: finding.Place{Path: "a, with: signs%.cu", Line: 3, Column: 7}, Rule: "conflict-free",
			Severity: finding.Warning, Message: "an escape \x1b[31m and ∘", Text: "// girih: conflict-free f16 ld",
		},
		{Place: finding.Place{Path: "b/k.ptx", Line: 40}, Rule: "narrow", Severity: finding.Note, Message: "two loads"},
	}
	finding.Sort(list)
	return &finding.Report{
		Version: "1.2.3", Files: []string{"a, with: signs%.cu", "b/k.ptx", "c.ptx"}, Findings: list, Known: 2,
		Failed: []finding.Failure{{Path: "d.ptx", Why: "cannot open it: permission denied"}},
		Rules:  []finding.Rule{{Name: "race", Says: "two accesses that nothing orders"}, {Name: "unused", Says: "not found"}},
	}
}

// written returns a report in the format called name.
func written(t *testing.T, name string, r *finding.Report) string {
	t.Helper()
	k := slices.IndexFunc(finding.Formats(), func(f finding.Format) bool { return f.Name == name })
	var b strings.Builder
	if err := finding.Formats()[k].Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestFormats compares the output of each format with a file in testdata.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, f := range finding.Formats() {
		got := written(t, f.Name, sample())
		name := filepath.Join("testdata", f.Name+".golden")
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", f.Name, err, diff)
		}
	}
}

// TestReadBack parses the output of each format with a parser of that format.
func TestReadBack(t *testing.T) {
	t.Parallel()
	var suites struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Cases    []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(written(t, "junit", sample())), &suites); err != nil {
		t.Fatal(err)
	}
	s := suites.Suites[0]
	if s.Tests != 4 || len(s.Cases) != 4 || s.Failures != 1 || s.Errors != 1 || s.Cases[0].Name != "a, with: signs%.cu" {
		t.Errorf("JUnit: %+v", s)
	}
	elsewhere := sample()
	elsewhere.Files = []string{"b/run.json"} // the run file whose kernel is b/k.ptx
	if text := written(t, "junit", elsewhere); !strings.Contains(text, `failures="1"`) {
		t.Errorf("a finding in a file that was not named is no failure:\n%s", text)
	}
	strict := sample()
	strict.Strict = true
	if text := written(t, "junit", strict); !strings.Contains(text, `failures="2"`) {
		t.Errorf("with --strict a warning is no failure:\n%s", text)
	}
	for _, name := range []string{"json", "sarif"} {
		if text := written(t, name, sample()); !json.Valid([]byte(text)) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestGitHubLines checks that each command is one line, whatever characters the message contains.
func TestGitHubLines(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(written(t, "github", sample())), "\n")
	if len(lines) != 5 {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
	for _, l := range lines[:4] {
		if !strings.HasPrefix(l, "::") || strings.Contains(l, "\x1b") {
			t.Errorf("%q", l)
		}
	}
}

// TestFails checks which findings set the exit status.
func TestFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		severity      finding.Severity
		usual, strict bool
	}{{finding.Error, true, true}, {finding.Warning, false, true}, {finding.Note, false, false}} {
		r := &finding.Report{Findings: []finding.Finding{{Severity: c.severity}}}
		usual := r.Failing()
		if r.Strict = true; usual != c.usual || r.Failing() != c.strict {
			t.Errorf("%s: %v, with --strict %v", c.severity, usual, r.Failing())
		}
	}
}

// TestPrints checks that fingerprints do not depend on line numbers, and that similar findings have different
// fingerprints.
func TestPrints(t *testing.T) {
	t.Parallel()
	two := func(first int) []finding.Finding {
		var list []finding.Finding
		for i := range 2 {
			list = append(list, finding.Finding{
				Place: finding.Place{Path: "k.ptx", Line: first + i}, Rule: "race", Text: "ld.shared  [s];", Severity: finding.Error,
			})
		}
		finding.Sort(list)
		return list
	}
	a, b := two(10), two(70)
	if a[0].Print != b[0].Print || a[1].Print != b[1].Print || a[0].Print == a[1].Print || len(a[0].Print) != 16 {
		t.Errorf("%v\n%v", a, b)
	}
}

// TestPlaces checks how paths are written: URIs in SARIF, and paths from the root of the repository for GitHub.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, uri, github string }{
		{"a b/k.cu", "a%20b/k.cu", "sub/folder/a b/k.cu"},
		{"../k.cu", "../k.cu", "sub/k.cu"},
		{"a:b.cu", "./a:b.cu", "sub/folder/a%3Ab.cu"},
		{"/x/k.cu", "file:///x/k.cu", "/x/k.cu"},
		{"C:/x/k#1.cu", "file:///C:/x/k%231.cu", "C%3A/x/k#1.cu"},
		{"//host/share/k.cu", "file://host/share/k.cu", "//host/share/k.cu"},
	} {
		r := &finding.Report{Findings: []finding.Finding{{Place: finding.Place{Path: c.name, Line: 1}, Rule: "race"}}}
		r.Folder = "sub/folder"
		if got := written(t, "sarif", r); !strings.Contains(got, `"uri": "`+c.uri+`"`) {
			t.Errorf("%s: want %s in %s", c.name, c.uri, got)
		}
		r.Findings[0].Severity = finding.Error
		if got := written(t, "github", r); !strings.Contains(got, "file="+c.github+",") {
			t.Errorf("%s: want %s in %s", c.name, c.github, got)
		}
	}
}

// TestKeep checks that an update keeps what is known of other paths, and drops what is no longer found.
func TestKeep(t *testing.T) {
	t.Parallel()
	old := &finding.Baseline{Girih: 1, Findings: []finding.Known{
		{"1", "race", "a/k.ptx"}, {"2", "race", "b/k.ptx"}, {"3", "race", "b/k.ptx"},
	}}
	old.Values = map[string]string{"a/k.cu: golden": "1", "b/k.cu: golden: x": "2", "b: c.cu: golden": "3"}
	b := finding.NewBaseline([]finding.Finding{{Place: finding.Place{Path: "b/k.ptx"}, Rule: "race", Print: "3"}}, nil)
	b.Keep(old, func(name string) bool { return strings.HasPrefix(name, "b") })
	want := `{"girih":1,"findings":[{"fingerprint":"1","rule":"race","path":"a/k.ptx"},` +
		`{"fingerprint":"3","rule":"race","path":"b/k.ptx"}],"values":{"a/k.cu: golden":"1"}}`
	if got, _ := json.Marshal(b); string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBaseline(t *testing.T) {
	t.Parallel()
	r := sample()
	values := []finding.Value{{Place: finding.Place{Path: "k.cu", Line: 3}, Name: "golden tile", Text: "(8,64):(64,1)"}}
	text := finding.NewBaseline(r.Findings[:2], values).Text()
	b, err := finding.ParseBaseline(text)
	if err != nil {
		t.Fatal(err)
	}
	left, known, fresh := b.Apply(r.Findings, values)
	if len(left) != 1 || known != 2 || len(fresh) != 0 || left[0].Print != r.Findings[2].Print {
		t.Errorf("%v, %d known, %v", left, known, fresh)
	}
	values[0].Text = "(8,64):(72,1)"
	values = append(values, finding.Value{Place: finding.Place{Path: "k.cu", Line: 9}, Name: "golden other", Text: "4:1"})
	left, _, fresh = b.Apply(nil, values)
	if len(left) != 1 || left[0].Rule != finding.RuleGolden || left[0].Line != 3 || len(fresh) != 1 {
		t.Errorf("%v, %v", left, fresh)
	}
	for _, bad := range []string{"", "{}", `{"girih": 2}`, `{"girih": 1, "other": 3}`, "[]", string(text) + ">>>>>>> b\n"} {
		if _, err := finding.ParseBaseline([]byte(bad)); err == nil {
			t.Errorf("%q is a baseline", bad)
		}
	}
}
