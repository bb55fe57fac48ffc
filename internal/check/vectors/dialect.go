package vectors

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/pattern"
	"girih/internal/why/judge"
)

// runDialect runs cute_ir_ok.tsv: operations of the CuTe dialect, their operands as kind:text, and the results.
func runDialect(rep *Report, data []byte) error {
	return eachRow(rep, data, 6, func(line int, c []string) {
		rep.add(fmt.Sprintf("%s:%d", rep.File, line), c[2], newDialectRow(c).run())
	})
}

// A dialectRow is one operation of the dialect.
type dialectRow struct {
	name     string // the name of the test case
	op       string
	attrs    string // mode numbers, bit widths, or ""
	operands []operand
	results  []operand
}

// An operand is a value with its kind: layout, shape, stride, coord, int_tuple, tile, swizzle or composed_layout.
type operand struct{ kind, text string }

func newDialectRow(c []string) dialectRow {
	r := dialectRow{name: c[1], op: c[2], attrs: templateOf(c[3]), operands: operandsOf(c[4])}
	if len(c) > 5 {
		r.results = operandsOf(c[5])
	}
	return r
}

// operandsOf reads "layout:4:1 ; shape:8". The text of a type without a value, such as i1, is empty.
func operandsOf(column string) []operand {
	var ops []operand
	for part := range strings.SplitSeq(column, " ; ") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		kind, text, _ := strings.Cut(part, ":")
		ops = append(ops, operand{kind, text})
	}
	return ops
}

// templateOf converts the attributes <[1, 0]> or <0, 2> to a template list, <1,0> or <0,2>, and <> to "".
func templateOf(attrs string) string {
	list := strings.NewReplacer("[", "", "]", "", " ", "").Replace(attrs)
	if list == "<>" {
		return ""
	}
	return list
}

const numbersOnly = pattern.Pattern(`^(<-?[0-9]+(,-?[0-9]+)*>)?$`)

// texts returns the operands as expressions. A list of modes is written [..] even for one element.
func (r dialectRow) texts() []string {
	var ts []string
	for _, o := range r.operands {
		ts = append(ts, o.text)
	}
	return ts
}

// expression returns the row in girih's language, or why girih's language cannot express it.
func (r dialectRow) expression() (expr, why string) {
	t := r.texts()
	if !numbersOnly.MatchString(r.attrs) {
		return "", "attributes that girih's language does not have: " + r.attrs
	}
	switch {
	case len(t) == 0 && len(r.results) == 1 && constructor.MatchString(r.op) && opensBracket(r.results[0].text):
		// The operands were scalars, which are the modes of the result.
		return r.op + "(" + strings.Join(modesOf(r.results[0].text), ", ") + ")", ""
	case len(t) == 0, constructor.MatchString(r.op) && len(r.results) == 1 && r.fewerOperands():
		return "", "the operands are not recorded"
	case strings.HasPrefix(r.op, "to_"):
		return t[0], ""
	}
	if s, ok := spellings[r.op]; ok && (s.operands == 0 || s.operands == len(t)) {
		return s.in(t, r.attrs), ""
	}
	if _, ok := eval.Lookup(r.op); !ok {
		return "", "girih has no " + r.op
	}
	return r.op + r.attrs + "(" + strings.Join(t, ", ") + ")", ""
}

// A spelling is the text of an operation in girih's language, with $1 and $2 for the operands and $0 for the
// attributes.
type spelling struct {
	operands int // 0 for any number
	text     string
}

// spellings lists the dialect's operations that girih's language writes differently from a call with the same operands.
// For layout_eval, slice and dice, the two languages order the coordinate and the layout differently.
var spellings = map[string]spelling{
	"print":       {0, "$1"},
	"get_shape":   {0, "shape($1)"},
	"get_stride":  {0, "stride($1)"},
	"tuple_add":   {2, "$1 + $2"},
	"tuple_sub":   {2, "$1 - $2"},
	"equal":       {2, "$1 == $2"},
	"layout_eval": {2, "layout_eval$0($2, $1)"},
	"slice":       {2, "slice$0($2, $1)"},
	"dice":        {2, "dice$0($2, $1)"},
}

// in returns the text with the operands and attributes inserted.
func (s spelling) in(operands []string, attrs string) string {
	pairs := []string{"$0", attrs}
	for i, x := range operands {
		pairs = append(pairs, fmt.Sprintf("$%d", i+1), x)
	}
	return strings.NewReplacer(pairs...).Replace(s.text)
}

// constructor matches the operations that make a tuple from their operands.
const constructor = pattern.Pattern(`^make_(shape|stride|coord|int_tuple|tile)$`)

// fewerOperands reports whether operands are missing: the result has run-time integers, but not one mode per operand.
func (r dialectRow) fewerOperands() bool {
	text := r.results[0].text
	return strings.Contains(text, "?") && (!opensBracket(text) || len(modesOf(text)) != len(r.operands))
}

// opensBracket reports whether a text is a tuple or a tile.
func opensBracket(text string) bool {
	return len(text) > 1 && (text[0] == '(' || text[0] == '[')
}

// modesOf returns the texts of the modes of a tuple or a tile.
func modesOf(text string) []string {
	sep := byte(',')
	if text[0] == '[' {
		sep = ';'
	}
	return judge.SplitTop(text[1:len(text)-1], sep)
}

// dynamic reports whether some operand or result contains a run-time integer.
func (r dialectRow) dynamic() bool {
	for _, o := range append(r.operands, r.results...) {
		if strings.Contains(o.text, "?") {
			return true
		}
	}
	return false
}

func (r dialectRow) run() outcome {
	o := r.judge()
	if o.verdict == failed && r.dynamic() && holdsAtSamples(o.expr) {
		return outcome{verdict: documented, kind: runTimeForm, expr: o.expr, got: o.got, want: o.want}
	}
	return o
}

// judge compares girih's answer with the recorded answer.
func (r dialectRow) judge() outcome {
	expr, why := r.expression()
	if why != "" {
		return skip(why)
	}
	if kind := r.misread(); kind != "" {
		return skip("girih's language does not read the operand as a " + kind)
	}
	a := ask(expr)
	if a.foreign() {
		return fail(a, r.recordedText(), "girih does not understand the expression")
	}
	if r.op == "print" {
		return compare(a, r.operands[0].text)
	}
	if len(r.results) != 1 || r.results[0].text == "" {
		return r.withoutText(a)
	}
	want := r.results[0].text
	if o, ok := r.special(a, want); ok {
		return o
	}
	if q, ok := r.query(); ok {
		return onRecord().rule(q, a, judge.Strip(want))
	}
	if o := compare(a, want); o.verdict != failed || !r.takesApart(want) {
		return o
	}
	return differ(keptMode, a, want)
}

// withoutText returns the verdict on a row that does not record exactly one result as text.
func (r dialectRow) withoutText(a answer) outcome {
	switch {
	case len(r.results) == 0:
		return skip("no result is recorded")
	case len(r.results) > 1:
		return skip("more than one result")
	case r.results[0].kind == "i1" && !a.isRefusal() && a.value.Kind() == eval.KindBool:
		return pass()
	}
	return skip("only the type of the result is recorded")
}

// special returns the verdict on a row whose operation or operand kind the two languages treat differently.
func (r dialectRow) special(a answer, want string) (o outcome, ok bool) {
	kind := ""
	if len(r.operands) > 0 {
		kind = r.operands[0].kind
	}
	switch {
	case a.lacksType() && (kind == "composed_layout" || kind == "swizzle" || kind == "tile"):
		return skip("girih has no " + r.op + " of a " + strings.ReplaceAll(kind, "_", " ")), true
	case r.op == "tuple_sub" && copiesMissing(r.texts(), a, want):
		return differ(missingModes, a, want), true
	case r.op != "slice" || kind != "composed_layout" || r.results[0].kind != "layout":
		return outcome{}, false
	case reducesTo(r.texts(), want):
		return differ(keptChain, a, want), true
	}
	return fail(a, want, "the slice has other values than the recorded layout"), true
}

// takesApart reports whether the recorded divide has the leaves of the logical divide after tile_unzip, which also
// gathers the pairs under _. Leaves of extent 1 do not count.
func (r dialectRow) takesApart(want string) bool {
	if !judge.AnyDivide(r.op) || r.op == "logical_divide" {
		return false
	}
	args := strings.Join(r.texts(), ", ")
	unzipped := ask("tile_unzip(logical_divide(" + args + "), " + r.texts()[1] + ")")
	rec, ok := judge.ReadLayout(want)
	got, ok2 := judge.ReadLayout(unzipped.text())
	moving := func(m judge.Mode) judge.Leaves {
		return slices.DeleteFunc(m.Leaves(), func(l judge.Leaf) bool { return l.S == 1 })
	}
	return ok && ok2 && !unzipped.isRefusal() && slices.Equal(moving(rec), moving(got))
}

// reducesTo reports whether a slice of a composed layout has the values of the recorded layout. The slice's values are
// counted from its first value, because the slice may include the offset of the fixed modes.
func reducesTo(operands []string, layout string) bool {
	rec, ok := judge.ReadLayout(layout)
	a := ask("slice_and_offset(" + operands[1] + ", " + operands[0] + ")")
	if !ok || a.isRefusal() || rec.Leaves().Size() > judge.MaxValues {
		return false
	}
	parts, ok := a.value.(eval.List)
	if !ok || len(parts) == 0 {
		return false
	}
	values, ok := values(parts[0])
	if !ok || len(values) == 0 {
		return false
	}
	first := values[0]
	for i := range values {
		values[i] -= first
	}
	return slices.Equal(values, rec.Leaves().Table())
}

// recordedText returns the results as in the file.
func (r dialectRow) recordedText() string {
	var texts []string
	for _, o := range r.results {
		texts = append(texts, o.kind+":"+o.text)
	}
	return strings.Join(texts, " ; ")
}

// misread returns "composed layout" if some operand is a composed layout in the dialect but not in girih's language,
// for example because its offset cannot be added to the values of the inner layout. Otherwise it returns "".
func (r dialectRow) misread() string {
	for _, o := range r.operands {
		if a := ask(o.text); o.kind == "composed_layout" && !a.isRefusal() && a.value.Kind() != eval.KindComposed {
			return "composed layout"
		}
	}
	return ""
}

// copiesMissing reports whether the answers treat differently the modes that only the second tuple has: girih's answer
// is the difference of the tuples, with 0 for missing modes, and the recorded answer copies these modes unnegated.
func copiesMissing(operands []string, a answer, want string) bool {
	if len(operands) != 2 {
		return false
	}
	x, _, okX := judge.ReadTree(judge.Strip(operands[0]))
	y, _, okY := judge.ReadTree(judge.Strip(operands[1]))
	text := func(sign int64) string {
		shape, _, _ := strings.Cut(minus(x, y, sign).String(), ":")
		return shape
	}
	return okX && okY && a.text() == text(-1) && judge.Strip(want) == text(1) && text(-1) != text(1)
}

// minus returns x - y. Modes of y that x lacks are multiplied by sign.
func minus(x, y judge.Mode, sign int64) judge.Mode {
	if !x.Tuple && !y.Tuple {
		return judge.Mode{S: x.S - y.S}
	}
	out := judge.Mode{Tuple: true}
	for i := range max(len(x.Kids), len(y.Kids)) {
		switch {
		case i >= len(y.Kids):
			out.Kids = append(out.Kids, x.Kids[i])
		case i >= len(x.Kids):
			out.Kids = append(out.Kids, times(y.Kids[i], sign))
		default:
			out.Kids = append(out.Kids, minus(x.Kids[i], y.Kids[i], sign))
		}
	}
	return out
}

// times returns the tree with its integers multiplied by n.
func times(m judge.Mode, n int64) judge.Mode {
	out := judge.Mode{S: m.S * n, Tuple: m.Tuple}
	for _, k := range m.Kids {
		out.Kids = append(out.Kids, times(k, n))
	}
	return out
}

// query returns the row as a query, if its operands are plain layouts.
func (r dialectRow) query() (judge.Query, bool) {
	if len(r.operands) == 0 || r.operands[0].kind != "layout" || r.attrs != "" {
		return judge.Query{}, false
	}
	t := r.texts()
	if len(r.operands) == 2 {
		switch {
		case r.op == "complement" && r.operands[1].kind == "layout":
			t[1], _, _ = strings.Cut(t[1], ":")
		case r.op == "complement" && r.operands[1].kind == "shape":
		case r.operands[1].kind != "layout":
			return judge.Query{}, false
		}
	}
	return newQuery(r.op, t)
}
