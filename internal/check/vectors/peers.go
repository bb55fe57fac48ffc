package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/banks"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/reader"
	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// This file checks girih against peers/suites.jsonl: expectations from the test suites of other implementations. A
// peer's answer is not trusted: girih's answer must satisfy the definition, and if the peer's text differs, the
// difference must be of a documented kind that is verified on the row (peers_kinds.go). The row's own verdict is
// ignored.

// A peerCase is a row.
type peerCase struct {
	Source     string `json:"source"`
	Expression string `json:"expression"`
	Expected   string `json:"expected"`
}

// runPeers runs peers/suites.jsonl: one JSON object a line.
func runPeers(rep *Report, data []byte) error {
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var c peerCase
		if err := json.Unmarshal(line, &c); err != nil {
			return fmt.Errorf("%s:%d: %w", rep.File, n+1, err)
		}
		op, o := c.run()
		if o.by = c.peer(); o.expr == "" {
			o.expr = c.Expression
		}
		rep.add(fmt.Sprintf("%s:%d", rep.File, n+1), op, o)
	}
	return nil
}

// peer returns the name of the implementation whose suite it is: the first word of the source.
func (c peerCase) peer() string {
	name, _, _ := strings.Cut(c.Source, " ")
	return name
}

const (
	aCall      = pattern.Pattern(`^([a-z][a-zA-Z_0-9]*)(?:<[-0-9, ]*>)?\((.*)\)$`)
	aBankCase  = pattern.Pattern(`^(.+) --type (\S+) --access (\S+) --threads (.+)$`)
	aCount     = pattern.Pattern(`^(?:tensor view, )?([0-9]+) (elements|offsets|entries|conflicts)$`)
	aName      = pattern.Pattern(`\b[A-Z][A-Za-z0-9]*\b`)
	aNumberSet = pattern.Pattern(`^\((?:-?[0-9]+,)*-?[0-9]+\)$`)
)

// run returns the operation of the row and the verdict.
func (c peerCase) run() (op string, o outcome) {
	if text, ok := strings.CutPrefix(c.Expression, "girih read: "); ok {
		return "read", c.reading(text)
	}
	if m := aBankCase.FindStringSubmatch(c.Expression); m != nil {
		return bankConflicts, c.conflicts(m)
	}
	q := c.question()
	a := ask(q.expr)
	switch {
	case a.isPanic():
		return q.op, fail(a, c.Expected, "girih panics")
	case a.foreign() && !strings.HasPrefix(c.Expected, "error"):
		return q.op, fail(a, c.Expected, "girih does not understand the expression")
	}
	return q.op, c.verdict(q, a)
}

// question splits the expression into operation and operands, if it is one call or one composition.
func (c peerCase) question() question {
	q := question{op: "eval", expr: c.Expression}
	if q.expr = sumsOfAxes(q.expr); q.expr != c.Expression {
		c.Expression = q.expr
	}
	parts := judge.SplitTop(strings.ReplaceAll(c.Expression, " o ", "\x00"), '\x00')
	if len(parts) == 2 && !strings.HasPrefix(parts[0], "Sw") {
		q.op, q.args = "composition", canonical(parts)
		return q
	}
	if m := aCall.FindStringSubmatch(c.Expression); m != nil {
		q.op = m[1]
		if q.args = judge.SplitTop(m[2], ','); m[2] == "" {
			q.args = nil
		}
		q.args = canonical(q.args)
	}
	if b, ok := eval.Lookup(q.op); ok {
		q.op = b.Name
	}
	return q
}

// canonical evaluates the operands that are layouts, and leaves the others as they are written.
func canonical(args []string) []string {
	for i, arg := range args {
		if a := ask(arg); !a.isRefusal() && a.value.Kind() == eval.KindLayout {
			args[i] = a.text()
		}
	}
	return args
}

// verdict compares girih's answer with the expectation of the suite: a refusal, a property, a count, or a value.
func (c peerCase) verdict(q question, a answer) outcome {
	names := namesOf(c.Expression)
	switch {
	case strings.HasPrefix(c.Expected, "error"):
		return q.peerRefuses(a, c.Expected)
	case c.Expected == "post-condition", c.Expected == "any", c.Expected == "?":
		if len(names) > 0 {
			return q.atValues(a, names, "")
		}
		return q.postCondition(a)
	case a.isRefusal():
		return q.girihRefuses(a, c.Expected)
	case strings.HasPrefix(c.Expected, "#"):
		got := "no list"
		if l, ok := a.value.(eval.List); ok {
			got = "#" + strconv.Itoa(len(l))
		}
		return equalTexts(a, got, c.Expected)
	case aCount.MatchString(c.Expected):
		return c.countOf(a)
	}
	if r, err := eval.Eval(q.expr); strings.Contains(c.Expected, "?") && err == nil && r.Static == judge.Strip(c.Expected) {
		return pass() // the recorded text is the trace-time text
	}
	want := c.expectation(a)
	if len(names) > 0 {
		if want == a.text() {
			return pass()
		}
		return q.atValues(a, names, want)
	}
	return q.value(a, want)
}

// equalTexts compares two texts.
func equalTexts(a answer, got, want string) outcome {
	if got == want {
		return pass()
	}
	return fail(a, want, "another value")
}

// expectation returns the expected value in girih's spelling.
func (c peerCase) expectation(a answer) string {
	text := c.Expected
	if _, after, ok := strings.Cut(text, " = "); ok {
		text = after // MoYe's test compares two expressions
	}
	if _, isList := a.value.(eval.List); isList && aNumberSet.MatchString(text) {
		return "{" + text[1:len(text)-1] + "}"
	}
	if strings.HasPrefix(text, "[[") {
		text = "matrix{rows=" + text + "}"
	}
	if w := ask(text); !w.isRefusal() {
		return w.text()
	}
	return strings.ReplaceAll(text, " ", "")
}

// value judges a value first by the definition, and then by its text.
func (q question) value(a answer, want string) outcome {
	if want == a.text() {
		return pass()
	}
	var o outcome
	if k, ok := newQuery(q.op, q.args); ok {
		o = onRecord().rule(k, a, want)
	} else {
		o = compare(a, want)
	}
	if o.verdict != failed {
		return o
	}
	if k, ok := q.peerKind(a, want); ok {
		return differ(k, a, want)
	}
	return o
}

// girihRefuses judges a refusal where the peer has a value. The row passes if no value is right or CuTe refuses too.
func (q question) girihRefuses(a answer, want string) outcome {
	if w := ask(want); !w.isRefusal() {
		want = w.text()
	}
	if k, ok := newQuery(q.op, q.args); ok {
		if o := onRecord().rule(k, a, want); o.verdict != failed {
			return o
		}
	}
	if k, ok := q.refusalKind(a, want); ok {
		return differ(k, a, want)
	}
	return fail(a, want, "girih refuses")
}

// peerRefuses judges girih's answer or refusal where the peer refuses.
func (q question) peerRefuses(a answer, want string) outcome {
	if a.isRefusal() {
		if k, ok := newQuery(q.op, q.args); ok {
			if f, why := k.Unsolvable(); f == judge.Breaks {
				return fail(a, want, why)
			}
		}
		return pass()
	}
	if o := q.postCondition(a); o.verdict == failed {
		return o
	}
	return differ(answered, a, want)
}

// reading judges what package reader finds in a text. One item must be the expected value, or the items and their notes
// must contain all expected words.
func (c peerCase) reading(text string) outcome {
	r := reader.Read(text)
	var found []string
	for _, it := range r.Items {
		found = append(found, it.Text)
		if squeeze(it.Text) == squeeze(c.Expected) {
			return pass()
		}
		found = append(found, it.Notes...)
	}
	o := outcome{verdict: failed, got: strings.Join(found, " ; "), want: c.Expected, why: "another value"}
	if strings.Contains(c.Expected, ":") {
		return o
	}
	for _, word := range strings.Split(c.Expected, ",") {
		word = strings.TrimSpace(word)
		if own := fieldNames[word]; !strings.Contains(o.got, word) && (own == "" || !strings.Contains(o.got, own)) {
			o.why = "what is read, with its notes, does not say " + word
			return o
		}
	}
	return pass()
}

// fieldNames maps Gluon's fields to girih's.
var fieldNames = map[string]string{"offset_bases": "offset=", "cga_layout": "block="}

// conflicts counts the bank conflicts of an access, given by a layout, an element type, an instruction and a
// thread-value layout.
func (c peerCase) conflicts(m []string) outcome {
	a, tv := ask(m[1]), ask(m[4])
	mem, ok := memory(a)
	threads, ok2 := memory(tv)
	t, err := dtype.Parse(m[2])
	target, err2 := banks.ParseTarget("sm90")
	n := aCount.FindStringSubmatch(c.Expected)
	if !ok || !ok2 || err != nil || err2 != nil || n == nil {
		return fail(a, c.Expected, "girih does not read the access")
	}
	count, err := countBanks(target, m[3], banks.Array{Memory: mem, ElemBits: t.Bits()}, banks.TV(threads))
	if err != nil {
		return outcome{verdict: failed, got: err.Error(), want: c.Expected, why: "girih refuses"}
	}
	return equalTexts(a, strconv.Itoa(count.Degree-1), n[1])
}

// countOf compares the expected count with a linear layout's number of inputs, or of outputs if it counts elements.
func (c peerCase) countOf(a answer) outcome {
	l, ok := a.value.(eval.Linear)
	if !ok {
		return fail(a, c.Expected, "not a linear layout")
	}
	m := aCount.FindStringSubmatch(c.Expected)
	n := int64(1) << l.InBits()
	if m[2] == "elements" {
		n = 1 << l.OutBits()
	}
	return equalTexts(a, strconv.FormatInt(n, 10), m[1])
}

// namesOf returns the names of run-time integers in an expression, each once.
func namesOf(expr string) []string {
	var names []string
	for _, name := range aName.FindAllString(expr, -1) {
		if name != "Sw" && name != "None" && !strings.HasPrefix(name, "F2") && !strings.HasPrefix(name, "CTA") &&
			!slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// sumsOfAxes rewrites PyCuTe's arithmetic tuples as sums along axes: (1,2) in 4:(1,2) becomes 1@0+2@1. An arithmetic
// tuple is a tuple in the stride at a leaf of the shape. sumsOfAxes rewrites layouts and compositions of layouts, and
// leaves everything else as it is.
func sumsOfAxes(expr string) string {
	parts := strings.Split(expr, " o ")
	for i, p := range parts {
		shape, stride, ok := strings.Cut(judge.Strip(p), ":")
		s, rest, ok1 := judge.ReadTree(shape)
		d, rest2, ok2 := judge.ReadTree(stride)
		if !ok || !ok1 || !ok2 || rest+rest2 != "" {
			return expr
		}
		if text, changed := axisSums(s, d); changed {
			parts[i] = shape + ":" + text
		}
	}
	return strings.Join(parts, " o ")
}

// axisSums rewrites the stride of one layout.
func axisSums(shape, stride judge.Mode) (text string, changed bool) {
	var parts []string
	switch {
	case !shape.Tuple && stride.Tuple:
		for i, k := range stride.Kids {
			parts = append(parts, fmt.Sprintf("%d@%d", k.S, i))
		}
		return strings.Join(parts, "+"), true
	case !shape.Tuple || len(shape.Kids) != len(stride.Kids):
		return fmt.Sprint(stride.S) + stride.Path, false
	}
	for i, k := range shape.Kids {
		t, c := axisSums(k, stride.Kids[i])
		parts, changed = append(parts, t), changed || c
	}
	return "(" + strings.Join(parts, ",") + ")", changed
}
