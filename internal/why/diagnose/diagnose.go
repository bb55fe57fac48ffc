package diagnose

import (
	"slices"
	"sort"
	"strings"

	"girih/internal/lang/reader"
	"girih/internal/pattern"
)

// MaxText limits the length of a text, in bytes.
const MaxText = reader.MaxInput

// maxFindings limits the findings of one text. Failures after them are only counted, in Follows.
const maxFindings = 64

// Read finds the failures in a text. For a text without a failure it returns the layouts. A text may need thousands of
// expressions; if limit is not nil, Read calls limit before each expression, and stops at the first error that limit
// returns. For a text longer than [MaxText] it returns [reader.ErrTooLong], which girih why reports with
// cute.CodeLimit.
func Read(text string, limit func() error) (Report, error) {
	if len(text) > MaxText {
		return Report{}, reader.ErrTooLong
	}
	var r Report
	e := &evaluator{limit: limit}
	lines := linesOf(text)
	messages := cut(lines, e)
	dumped := dumps(text)
	seen := make(map[string]int) // a message with its backtrace -> the number of its finding, from 1, or 0
	for i := range messages {
		if len(dumped) > 0 && aboutMaps(messages[i].text) {
			continue // the dump gives the reason
		}
		key := messages[i].key()
		if k, ok := seen[key]; ok { // a repeated message
			if k > 0 {
				r.Findings[k-1].Times++
			} else if messages[i].head {
				r.pass(&messages[i])
			}
			continue
		}
		seen[key] = r.add(&messages[i], e)
	}
	r.descriptors(dumped)
	r.causes(messages, e)
	if len(r.Findings) == 0 {
		r.unknown(messages, e)
	}
	if len(r.Findings) == 0 && len(messages) == 0 {
		r.sentences(lines, e)
	}
	if len(r.Findings) == 0 {
		r.Layouts = layouts(text, e)
	}
	if e.isStopped() {
		return Report{}, e.over
	}
	sort.SliceStable(r.Findings, func(i, j int) bool { return r.Findings[i].Start < r.Findings[j].Start })
	return r, nil
}

// key returns everything in a message from which a finding is made. Messages with equal keys are repeats.
func (m *message) key() string {
	var b strings.Builder
	for _, s := range []string{m.text, m.requirement, m.source, m.place, m.caller} {
		b.WriteString(s + "\x00")
	}
	for _, f := range m.frames {
		b.WriteString(f.head + f.place + "\x00")
		for _, p := range f.params {
			b.WriteString(p.name + "=" + p.text + "\x00")
		}
	}
	if len(m.frames) == 0 {
		b.WriteString(firstLines(m.body, 6)) // the values quoted below the message
	}
	return b.String()
}

// add makes a finding if the message is known. It returns the number of the finding from 1, or 0.
func (r *Report) add(m *message, e *evaluator) int {
	rule := rules.find(m)
	if strings.Contains(m.text, "non-constant condition") {
		rule = nil // an assertion whose operands have already failed
	}
	if rule != nil && rule.weak && r.hasFailed(m.caller) {
		rule = nil
	}
	if rule == nil || len(r.Findings) >= maxFindings {
		if m.head {
			r.pass(m)
		}
		return 0
	}
	f := newFinding(m)
	f.Tool, f.Op, f.Demand = rule.tool, rule.op, rule.demand
	if f.Function == "" {
		f.Function = rule.function
	}
	if rule.look != nil {
		rule.look(&failure{Finding: &f, m: m, evaluator: e})
	}
	if r.judged++; r.judged <= maxJudged {
		(&failure{Finding: &f, m: m, evaluator: e}).complete()
	}
	f.symptom = rule.symptom
	if f.Expr == "" && f.Condition == "" && len(f.Operands)+len(f.Repairs)+len(f.Missing) == 0 {
		f.missing("the operands: the backtrace below the message names them, or print them before the call and paste both")
	}
	return r.keep(f)
}

// hasFailed reports whether there is a finding for the user's line caller.
func (r *Report) hasFailed(caller string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Caller == caller })
}

// maxConditions limits the length, in bytes, of a condition to which other conditions are appended.
const maxConditions = 400

// keep appends a finding, or merges it into an earlier finding if another mode of the same operation fails in the same
// line. It returns the number of the finding, from 1.
func (r *Report) keep(f Finding) int {
	for i := range r.Findings {
		old := &r.Findings[i]
		switch {
		case old.Caller != f.Caller && f.Caller != "" || old.Tool != f.Tool || old.Op != f.Op || old.Expr != f.Expr:
			continue
		case old.Condition == f.Condition && (f.Condition != "" || old.Message == f.Message):
		case f.Expr == "":
			continue
		case f.Condition != "" && len(old.Condition) < maxConditions && !strings.Contains(old.Condition, f.Condition):
			old.Condition += "; and " + f.Condition
		}
		old.Times++
		return i + 1
	}
	r.Findings = append(r.Findings, f)
	return len(r.Findings)
}

// newFinding makes a finding with the fields that every message provides.
func newFinding(m *message) Finding {
	text := m.text
	if strings.HasPrefix(text, "static assertion failed") && len(text) < 26 && m.source != "" {
		text = m.source // an assertion without a message
	}
	f := Finding{
		Tool: m.tool, Message: oneLine(text), Times: 1, Place: shortPlace(m.place), Caller: m.caller,
		Start: m.start, End: m.end,
	}
	f.Via = m.via()
	if n := len(f.Via); n > 0 {
		f.Function = f.Via[n-1]
		f.Via = f.Via[:n-1]
	}
	if f.Caller == "" && !library(m.place) && m.place != "" {
		f.Caller, f.Place = m.place, "" // a diagnostic about the user's own line
	}
	return f
}

// maxMessage limits the length, in bytes, of a message that a finding repeats.
const maxMessage = 400

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + " ..."
	}
	return strings.ToValidUTF8(s, "?")
}

// shortPlace omits the directory in which CUTLASS is installed.
func shortPlace(place string) string {
	for _, dir := range []string{"include/cute/", "include/cutlass/", "python/pycute/", "pycute/"} {
		if i := strings.Index(place, dir); i >= 0 {
			return place[i:]
		}
	}
	return place
}

// maxJudged limits how many known messages of a text, and how many unknown ones, are read for the rules that they
// state.
const maxJudged = 256

// maxPassed limits the list of messages without a finding of their own.
const maxPassed = 4

// pass counts a message without a finding of its own, and lists it.
func (r *Report) pass(m *message) {
	r.Follows++
	if text := oneLine(m.text); len(r.Passed) < maxPassed && !slices.Contains(r.Passed, text) {
		r.Passed = append(r.Passed, text)
	}
}

// causes replaces symptoms with their causes. An exception that states a rule and contains a value that breaks it
// becomes a finding, even next to a known message. A symptom whose cause is known is not a finding.
func (r *Report) causes(messages []message, e *evaluator) {
	if len(r.Findings) == 0 {
		return
	}
	tried := 0
	for i := range messages {
		m := &messages[i]
		if tried > maxJudged || len(r.Findings) >= maxFindings || !m.isUnknownError() || e.isStopped() {
			continue
		}
		tried++
		f := newFinding(m)
		fl := &failure{Finding: &f, m: m, evaluator: e}
		if m.tool == toolCute || !fl.judgeStated() || f.Condition == "" || len(f.Missing) > 0 {
			continue
		}
		f.name(m.body)
		if text := oneLine(m.text); r.Follows > 0 {
			r.Follows--
			r.Passed = slices.DeleteFunc(r.Passed, func(s string) bool { return s == text })
		}
		r.keep(f)
	}
	if slices.ContainsFunc(r.Findings, func(f Finding) bool { return !f.symptom }) {
		r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
			if f.symptom {
				r.pass(&message{text: f.Message})
			}
			return f.symptom
		})
	}
}

// isUnknownError reports whether a message has the form of an error, but no rule in a table.
func (m *message) isUnknownError() bool {
	return m.head && (m.place != "" || m.tool != toolCute) && rules.find(m) == nil
}

// unknown makes findings of failed assertions and exceptions that are in no table, if nothing else was found.
func (r *Report) unknown(messages []message, e *evaluator) {
	seen := make(map[string]int) // a message -> the number of its finding, from 1
	for i := range messages {
		m := &messages[i]
		if !m.head || len(r.Findings) >= maxFindings {
			continue
		}
		key := m.key()
		if k, ok := seen[key]; ok { // a repeated message
			r.Findings[k-1].Times++
			r.Follows--
			continue
		}
		if len(seen) >= maxJudged || e.isStopped() {
			continue
		}
		f := newFinding(m)
		r.Follows--
		f.Demand = "not a message that girih knows"
		(&failure{Finding: &f, m: m, evaluator: e}).unknown()
		f.name(strings.ToLower(m.body + m.place + m.caller))
		seen[key] = r.keep(f)
	}
	if r.Follows = max(r.Follows, 0); r.Follows == 0 {
		r.Passed = nil
	}
}

// reOfDSL finds words that occur in diagnostics of the CuTe DSL.
const reOfDSL = pattern.Pattern(`(?i)cute|cutlass|\bdsl|mlir|loc\(|operror|-mode\b`)

// name sets the tool of a message whose form does not show the tool. A compiler's error counts as CuTe's only if the
// message or a file name mentions CuTe.
func (f *Finding) name(of string) {
	switch {
	case f.Tool == "" || f.Tool == "assert":
		f.Tool = "a program"
	case f.Tool == toolDSL && !reOfDSL.MatchString(of):
		f.Tool = "a program"
	case f.Tool == toolCute && !strings.Contains(of, "cute") && !strings.Contains(of, "cutlass"):
		f.Tool = "C++"
	}
}

// maxSentences limits the lines that are read for rules, in a text without the form of an error.
const maxSentences = 1000

// sentences makes findings of lines that do not have the form of an error, but state a rule and contain a value that
// breaks it.
func (r *Report) sentences(lines []line, e *evaluator) {
	for i, l := range lines[:min(len(lines), maxSentences)] {
		if len(r.Findings) >= maxPassed || e.isStopped() || len(l.text) > maxKnown {
			return
		}
		m := message{text: strings.TrimSpace(l.text), body: l.text, first: i, start: l.start, end: l.end}
		f := newFinding(&m)
		if fl := (&failure{Finding: &f, m: &m, evaluator: e}); !fl.judgeStated() || f.Condition == "" || len(f.Missing) > 0 {
			continue
		}
		f.name("")
		r.keep(f)
	}
}
