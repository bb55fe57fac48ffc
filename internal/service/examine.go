//go:build !js || kernels

package service

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"girih/internal/finding"
	"girih/internal/lang/report"
	"girih/internal/machine/runfile"
	"girih/ptx"
	"girih/ptx/lint"
	"girih/ptx/sim"
)

// This file checks one file after another for girih check PATHS, and answers with findings in one form: PTX by lint, a
// description of a run by check, a source by its assertions.

// An Examination is the result of checking one file.
type Examination struct {
	Findings []finding.Finding `json:"findings,omitempty"`
	Values   []finding.Value   `json:"values,omitempty"` // for a baseline
}

// The rules of findings beyond the rules of lint, the kinds of sim and the names of assertions.
const (
	ruleUnread = "unread"  // PTX that cannot be read, or a run that cannot be started
	ruleOutput = "output"  // an output that is not as expected
	ruleOrder  = "depends" // an output that depends on the order
)

// FindingRules returns the rules of all findings.
func FindingRules() []finding.Rule {
	var all []finding.Rule
	for _, r := range lint.Rules() {
		all = append(all, finding.Rule{Name: r.Name, Says: r.Says})
	}
	for _, k := range slices.Concat(sim.Passable(), sim.Ending()) {
		all = append(all, finding.Rule{Name: string(k), Says: "a simulated run of the kernel finds: " + string(k)})
	}
	all = append(
		all, finding.Rule{Name: ruleOutput, Says: "an output of a run is not as the description of the run says"},
		finding.Rule{Name: ruleOrder, Says: "an output of a run depends on the order of the threads"},
		finding.Rule{Name: ruleUnread, Says: "the file cannot be read, or the run cannot be started"},
	)
	for _, r := range AssertionRows() {
		all = append(all, finding.Rule{Name: r.Name, Says: r.Says})
	}
	all = append(all, finding.Rule{Name: ruleAssertion, Says: "the words of an assertion assert nothing"},
		finding.Rule{Name: ruleUnknown, Says: "an assertion is about a layout that cannot be evaluated"})
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return slices.CompactFunc(all, func(a, b finding.Rule) bool { return a.Name == b.Name })
}

// ExaminePTX lints PTX.
func (s *Session) ExaminePTX(path, text string) (x Examination) {
	lines := strings.Split(text, "\n")
	r := s.Lint(LintRequest{PTX: text})
	if r.Error != nil {
		f := unreadable(path, r.Error)
		f.Severity = finding.Warning // PTX of another age or tool may be right
		if _, err := ptx.Parse(text); err != nil {
			if e, ok := errors.AsType[*ptx.Error](err); ok {
				f.Line, f.Column, f.Text = max(e.Line, 1), e.Col, lineAt(lines, e.Line)
				_, f.Message, _ = strings.Cut(e.Error(), ": ") // without the place
			}
		}
		f.Message = "girih cannot read this PTX: " + f.Message
		return Examination{Findings: []finding.Finding{f}}
	}
	severity := map[lint.Grade]finding.Severity{
		lint.Fault: finding.Error, lint.Path: finding.Warning, lint.Hint: finding.Note,
	}
	section := map[string]string{}
	for _, rule := range lint.Rules() {
		section[rule.Name] = rule.Section
	}
	for _, l := range r.Lines {
		f := finding.Finding{
			Place: finding.Place{Path: path, Line: l.Line}, Rule: l.Rule, Severity: severity[l.Grade],
			Message: strings.TrimPrefix(string(l.Op)+": "+l.Text, ": "), Source: l.Source, Text: lineAt(lines, l.Line),
		}
		if l.Other > 0 {
			f.Other = &finding.Place{Path: path, Line: l.Other}
			f.Witness = withNumber(lines, l.Other)
		}
		if l.Grade != lint.Hint {
			f.Hint = "the rule is in the PTX ISA: " + section[l.Rule]
		}
		x.Findings = append(x.Findings, f)
	}
	return x
}

// withNumber writes a line of a text with its number.
func withNumber(lines []string, n int) string {
	if text := lineAt(lines, n); text != "" {
		return fmt.Sprintf("%6d | %s", n, text)
	}
	return ""
}

// unreadable is the finding that a file cannot be checked.
func unreadable(path string, info *report.Error) finding.Finding {
	return finding.Finding{
		Place: finding.Place{Path: path, Line: 1}, Rule: ruleUnread, Severity: finding.Error,
		Message: report.OneLine(info.Message), Hint: info.Hint,
	}
}

// NotRun is the answer for a description of a run whose PTX cannot be read.
func NotRun(path string, err error) Examination {
	return Examination{Findings: []finding.Finding{unreadable(path, usage("%v", err))}}
}

// ExamineRun runs a kernel as the description with the given path says. Findings are about lines of the PTX with the
// path ptxPath, and outputs about the description.
func (s *Session) ExamineRun(path, ptxPath string, q SimRequest) (x Examination) {
	r := s.Check(q)
	if !r.ran() {
		if r.Error == nil {
			r.Error = usage("the run has not begun")
		}
		return Examination{Findings: []finding.Finding{unreadable(path, r.Error)}}
	}
	lines := strings.Split(q.PTX, "\n")
	under := fmt.Sprintf("in the run %s of %s", path, r.Entry)
	if r.Seed > 0 {
		under += fmt.Sprintf(", order %d: --seeds %d finds it again", r.Seed, r.Seed+1)
	}
	for _, f := range r.Findings {
		x.Findings = append(x.Findings, f.finding(ptxPath, lines, under))
	}
	for _, f := range r.Lesser {
		x.Findings = append(x.Findings, f.finding(ptxPath, lines, under))
	}
	about := finding.Finding{Place: finding.Place{Path: path, Line: 1}, Severity: finding.Error, Witness: under}
	for _, w := range r.Wrong {
		f := about
		f.Rule, f.Message, f.Text = ruleOutput, wrongText(w), w.Buffer
		x.Findings = append(x.Findings, f)
	}
	for _, d := range r.Depends {
		f := about
		f.Rule, f.Message, f.Text = ruleOrder, dependsText(d, r.Seed), d.Buffer
		x.Findings = append(x.Findings, f)
	}
	t := r.Traffic
	x.Values = []finding.Value{{
		Place: finding.Place{Path: path, Line: 1}, Name: "traffic",
		Text: fmt.Sprintf("%d instructions, %d sectors, %d wavefronts, %d conflicts, %d bulk bytes", r.Instructions, t.Sectors,
			t.Wavefronts, t.Conflicts, t.Bulk),
	}}
	return x.withoutExpected(path, q.Run)
}

// finding returns a finding of a run in the form of all findings.
func (f SimFinding) finding(path string, lines []string, under string) finding.Finding {
	message, more, _ := strings.Cut(f.Message, "\n")
	out := finding.Finding{
		Place: finding.Place{Path: path, Line: f.Line}, Rule: f.Kind, Severity: finding.Error, Message: message,
		Source: f.Source, Text: f.Text,
	}
	if f.Grade == string(sim.GradeSame) || f.Grade == string(sim.GradeStrict) {
		out.Severity, out.Message = finding.Warning, f.Grade+": "+message
	}
	if f.Ends != "" {
		out.Hint = "the run ends here, since " + f.Ends
	}
	if f.Guesses != "" {
		out.Severity = finding.Warning
		out.Hint = "it depends on values that girih sim --init made up, which are to be corrected: " + f.Guesses
	}
	witness := []string{"block " + pointText(f.Block) + " thread " + pointText(f.Thread)}
	if f.Address != "" {
		witness[0] += ", address " + f.Address
	}
	if f.Count > 1 {
		witness[0] += fmt.Sprintf(", %d times", f.Count)
	}
	if f.Beside != "" && f.Other != f.Line {
		out.Other = &finding.Place{Path: path, Line: f.Other}
		witness = append(witness, withNumber(lines, f.Other))
	}
	if more != "" {
		witness = append(witness, more)
	}
	out.Witness = strings.Join(append(witness, under), "\n")
	return out
}

// withoutExpected removes the findings that the description of a broken kernel expects. If there is none of them, that
// is a finding.
func (x Examination) withoutExpected(path, run string) Examination {
	file, err := runfile.Parse([]byte(run))
	if err != nil || len(file.Findings) == 0 {
		return x
	}
	for _, want := range file.Findings {
		for _, f := range x.Findings {
			if f.Rule == want.Kind {
				x.Findings = nil
				return x
			}
		}
	}
	x.Findings = append(x.Findings, finding.Finding{
		Place: finding.Place{Path: path, Line: 1}, Rule: ruleOutput, Severity: finding.Error,
		Message: "the description expects findings, and none of them was found",
	})
	return x
}

// ExamineSource evaluates the assertions in the comments of a source.
func (s *Session) ExamineSource(path, text string) (x Examination) {
	if !strings.Contains(text, "girih:") {
		return x
	}
	lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") // a mark of UTF-8
	var source *sourceText
	seen := map[string]int{}
	for _, c := range claims(path, lines) {
		if s.timeUp() != nil {
			return x
		}
		if source == nil {
			source = newSource(path, lines)
		}
		at := finding.Place{Path: path, Line: c.line + 1, Column: c.column + 1}
		layout, witness := c.give(c.layout), ""
		_, info := assertionNamed(c.words)
		if info == nil && c.wrong != "" {
			info = usage("%s", c.wrong)
		}
		if info != nil {
			x.refuse(at, lineAt(lines, at.Line), ruleAssertion, info)
			continue
		}
		if c.layout == "" {
			first, end := source.of(c)
			if layout, info = s.layoutAt(source, c, first, end); info != nil {
				x.refuse(at, lineAt(lines, at.Line), ruleUnknown, info)
				continue
			}
			for i := first; i < end && first != c.line; i++ {
				witness += fmt.Sprintf("%6d | %s\n", i+1, clip(strings.TrimSpace(lines[i])))
			}
		}
		x.assert(s, AssertionAt{at, lineAt(lines, at.Line), valueName(c.words, seen), layout, c.words}, witness)
	}
	return x
}

// An AssertionAt is an assertion with its place.
type AssertionAt struct {
	finding.Place
	Text   string // the line that it is written in
	Name   string // of its value, in a baseline
	Layout string // a program
	Words  string
}

// ExamineAssertion evaluates an assertion that is not in a comment.
func (s *Session) ExamineAssertion(a AssertionAt) (x Examination) {
	x.assert(s, a, "")
	return x
}

// assert evaluates an assertion, and adds what is found. above are lines that show the layout.
func (x *Examination) assert(s *Session, a AssertionAt, above string) {
	rule, v := s.fresh().judge(a.Layout, a.Words)
	switch {
	case v.refused != nil:
		if rule != ruleAssertion {
			rule = ruleUnknown
		}
		x.refuse(a.Place, a.Text, rule, v.refused)
		return
	case !v.ok:
		x.Findings = append(x.Findings, finding.Finding{
			Place: a.Place, Rule: rule, Severity: finding.Error, Message: v.message, Hint: v.hint, Text: a.Text,
			Witness: strings.TrimRight(above+v.witness, "\n"),
		})
	}
	x.Values = append(x.Values, finding.Value{Place: a.Place, Name: a.Name, Text: v.value, Line: a.Text})
}

// refuse adds the finding that an assertion cannot be evaluated.
func (x *Examination) refuse(at finding.Place, text, rule string, info *report.Error) {
	x.Findings = append(x.Findings, finding.Finding{
		Place: at, Rule: rule, Severity: finding.Error, Message: report.OneLine(info.Message), Hint: info.Hint, Text: text,
	})
}
