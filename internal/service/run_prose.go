//go:build !js || programs

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file checks the prose of a document: formulas whose sides have values, rules, and matrices of layouts. A
// formula is left alone if its value is not certain: it has a name without a value, its value has a note, or it is a
// condition. run_relation.go has the sentences that state a relation, run_thread.go those on threads and their
// values, and run_saying.go general sentences that are false.

const (
	maxEvals = 1 << 14 // the most expressions that are evaluated for the claims of a document
	maxApart = 40      // the most lines between a step of threads and the code with its layout
	maxBelow = 5       // the most lines between a sentence that introduces code and the code
)

// A proseRun is what the prose of a document has said up to a line.
type proseRun struct {
	slips    []Slip
	names    map[string]string        // the values by name, from cells and formulas
	last     []interp.Watched         // the values of the last cell
	pending  []func([]interp.Watched) // the claims about the cell below
	evals    int                      // how many expressions were evaluated
	concat   []string                 // the parts of the last formula, if it is a concatenation of two
	concatAt int                      // the line of that formula
	threads  threadClaims
	ratio    string   // the number M of an index m + n*M
	header   []string // the columns of the table of Markdown that the line is in
	code     string   // the code of the last cell
	line     int      // the line where that code begins
	shapes   document.ShapeTable
}

// prose checks lines of prose.
func (d *documentRun) prose(lines []document.Line) {
	for _, l := range lines {
		if strings.TrimSpace(l.Text) == "" {
			d.p.header = nil
		}
		row, isRow := d.p.shapes.Read(l.Text, l.Number)
		if d.p.evals > maxEvals || denied.MatchString(l.Before+l.Text) || d.s.timeUp() != nil {
			continue
		}
		if strings.HasPrefix(l.Text, "#") { // a new section begins, in which the names have a new meaning
			clear(d.p.names)
		}
		if isRow {
			if c := newShapeCheck(d, row); c.why == "" {
				d.record(&c.slip)
			}
			continue
		}
		for _, f := range l.Formulas() {
			d.formula(l, f)
		}
		d.relations(l)
		d.threadLine(l)
		d.sayings(l)
	}
}

// know records the values of a cell, and checks the claims on it in the prose above.
func (d *documentRun) know(c document.Cell, code string) {
	for _, w := range d.values {
		if w.Name != "" && w.Result.Value != nil {
			d.p.names[w.Name] = w.Text
		}
		if w.Result.Value != nil && w.Result.Value.Kind() == eval.KindTiledMMA && !slices.Contains(d.p.threads.mmas, w.Text) {
			d.p.threads.mmas = append(d.p.threads.mmas, w.Text)
		}
	}
	d.p.last, d.p.code, d.p.line = slices.Clone(d.values), code, c.Line
	pending := d.p.pending
	d.p.pending = nil
	for _, f := range pending {
		f(d.p.last)
	}
}

// lineOf returns the line of a value of the last cell.
func (d *documentRun) lineOf(w interp.Watched) int {
	line, _ := syntax.Position(d.p.code, w.At.From)
	return d.p.line + line - 1
}

// record counts a value that the prose states, and adds a slip if its words say where it differs. It has many callers,
// and is not copied into them.
//
//go:noinline
func (d *documentRun) record(slip *Slip) {
	d.r.Checked++
	if slip.Words != "" {
		d.p.slips = append(d.p.slips, *slip)
	}
}

// same checks that an expression has the value that a line states, if both have a value for certain and can be
// compared.
func (d *documentRun) same(line int, expr, stated string) {
	a, okA := d.value(expr)
	b, okB := d.value(stated)
	if !okA || !okB {
		return
	}
	if words, ok := d.differ(b, a); ok {
		d.record(&Slip{Line: line, Name: expr, Stated: stated, Computed: a.Value.String(), Words: words})
	}
}

// value evaluates a text with the names that the document has bound. ok is false if its value is not certain.
func (d *documentRun) value(text string) (r eval.Result, ok bool) {
	if d.p.evals++; text == "" || len(text) > 1<<10 || d.p.evals > maxEvals {
		return r, false
	}
	var program strings.Builder
	seen := map[string]bool{}
	for _, name := range anyName.FindAllString(text, -1) {
		if v, ok := d.p.names[name]; ok && !seen[name] {
			seen[name] = true
			fmt.Fprintf(&program, "let %s = %s;\n", name, v)
		}
	}
	program.WriteString(text)
	r, notes, fault := d.s.fresh().lastTyped(program.String())
	return r, fault == nil && r.Value != nil && r.Static == "" && len(notes) == 0
}

// differ says where two values differ, or returns "" if they are the same. ok is false if they are not compared.
func (d *documentRun) differ(a, b eval.Result) (words string, ok bool) {
	kind := a.Value.Kind()
	if kind != b.Value.Kind() {
		return "", false
	}
	if a.Value.String() == b.Value.String() {
		return "", true
	}
	switch kind {
	case eval.KindInt, eval.KindTuple, eval.KindBool:
		return "the values differ", true
	case eval.KindLayout, eval.KindComposed, eval.KindSwizzle, eval.KindLinear, eval.KindXor:
		r := d.s.fresh().Compare(CompareRequest{A: a.Value.String(), B: b.Value.String()})
		if r.Verdict == verdictSame {
			return "", true
		}
		return r.Words, r.Verdict == verdictDifferent
	}
	return "", false
}

const (
	anyName  = pattern.Pattern(`[A-Za-z]\w*`)
	bareName = pattern.Pattern(`^[A-Za-z]\w*$`)
	// Words before a formula that make it a condition, a wish or a warning.
	conditional = pattern.Pattern(`(?i)\b(?:if|let|when|whenever|where|such that|suppose|assum\w*|require\w*|must|should|unless|until|` +
		`expect\w*|want|need\w*|not|wrong\w*|incorrect\w*|instead|would|could|might|mod|modulo|xor)\b|若|如果|假设|假如|当|满足|使得|要求|不|错|异或`)
	// Words of a line that quotes what it denies.
	denied = pattern.Pattern(`(?i)\b(?:false|wrong\w*|incorrect\w*|slips?|mistakes?|typos?|counter-?examples?|misleading|untrue|fails?|refused?|errors?)\b|` +
		`错误|不成立|反例|不正确|不对|有误|笔误|勘误`)
	rounded = pattern.Pattern(`[/%^.]|-\s*\d`)
	ratio   = pattern.Pattern(`^\d+:\d+$`)
)

// formula checks a formula, and records the layout that it gives a name.
func (d *documentRun) formula(l document.Line, f document.Formula) {
	if d.rule(l, f) || d.matrices(l, f) {
		return
	}
	if n := len(f.Sides); n > 1 {
		d.p.concat, d.p.concatAt = concatParts(f.Sides[n-1]), l.Number
	}
	var first eval.Result
	at := 0
	for i, side := range f.Sides {
		if i == 0 && (len(f.Sides) == 1 || bareName.MatchString(side)) {
			continue // the line assigns a value to a name, or the formula claims nothing
		}
		v, ok := d.value(side)
		switch {
		case !ok:
		case first.Value == nil:
			first, at = v, i // the first value, with which the other sides are compared
		case !conditional.MatchString(f.Before) && !d.isVague(f.Sides[at], side, v):
			d.same(l.Number, f.Sides[at], side)
		}
	}
	d.name(f.Sides[0], first)
}

// isVague reports whether a value may be meant another way: as a ratio, rounded, to a power, or of one bit.
func (d *documentRun) isVague(a, b string, v eval.Result) bool {
	if ratio.MatchString(a) && ratio.MatchString(b) {
		return true
	}
	if v.Value.Kind() != eval.KindInt || anyName.MatchString(a) {
		return v.Value.Kind() == eval.KindBool
	}
	if !rounded.MatchString(a + " " + b) {
		return strings.Trim(a+b, "01+* ") == ""
	}
	x, _ := d.value(a)
	return x.Value == nil || x.Value.String() != v.Value.String()
}

// name records that a formula gives a name a layout.
func (d *documentRun) name(name string, v eval.Result) {
	if v.Value == nil || !bareName.MatchString(name) {
		return
	}
	switch v.Value.Kind() {
	case eval.KindLayout, eval.KindComposed, eval.KindSwizzle, eval.KindTile:
		d.p.names[name] = v.Value.String()
	}
}

// rule checks a rule with =>: s0:d0 ++ s1:d1 => (s0,s1):(d0,d1), where ++ joins modes as coalesce does, or the value
// of a composition.
func (d *documentRun) rule(l document.Line, f document.Formula) bool {
	left, right, ok := strings.Cut(document.Plain(f.Text), "=>")
	if !ok || len(f.Sides) > 1 {
		return false
	}
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if x, y, joins := strings.Cut(left, "++"); joins {
		d.joins(l, "coalesce(make_layout("+x+","+y+"))", right)
		return true
	}
	if a, ok := d.value(left); ok && a.Value.Kind() == eval.KindLayout {
		d.same(l.Number, left, right)
	}
	return true
}

// joins checks what two modes are joined to. The numbers may be letters.
func (d *documentRun) joins(l document.Line, left, right string) {
	slip := Slip{Line: l.Number, Stated: right, Computed: d.letters(left)}
	said := d.letters(right)
	if said == "" {
		shape, stride, _ := strings.Cut(right, "):(")
		said = d.letters(shape + "):(" + strings.ReplaceAll(stride, ":", ","))
		slip.Words = "the strides of a layout are a tuple, with commas"
	}
	if said != "" && said == slip.Computed {
		d.record(&slip)
	}
}

// letters returns the text of a layout whose numbers may be letters, or "".
func (d *documentRun) letters(text string) string {
	if r := d.s.fresh().Eval(EvalRequest{Expr: text}); r.OK && r.Kind == string(eval.KindLayout) {
		return r.Value
	}
	return ""
}
