//go:build !js || programs

package service

import (
	"slices"
	"strings"

	"girih/internal/lang/document"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/internal/pattern"
)

// This file checks sentences that relate layouts, in English and in Chinese: one that can be seen as another,
// complements, the layout of a shape, a coordinate.

const (
	layoutWords = `(Layout\([^()]*(?:\([^()]*\)[^()]*)*\)|(?:\([\d_(), ]*\)|_?\d+):(?:\([\d_(), ]*\)|_?\d+))`
	shapeWords  = `(\(\d[\d(), ]*\))`
	// The marks of formulas, which sentences may have around their values.
	marks = pattern.Pattern("\\$+|`|\\\\[()\\[\\]]")

	// X can be seen as Y: one function.
	seenAs = pattern.Pattern(`(?i)(?:\blayout\s+)?(?:\b([A-Za-z]\w*)|` + layoutWords + `)\s*(?:实际上|其实)?\s*(?:可以|能)?\s*` +
		`(?:看做|看作|视为|等价于|等同于|can be (?:seen|viewed|regarded|considered) as|is (?:equivalent|identical|equal) to|is the same (?:layout |function )?as)` +
		`\s*(?:一个|同一个)?(?:合并的|合并后的)?\s*(?:an? |the )?(?:(?:coalesced |merged |simple )?layout )?` + layoutWords)
	// X and Y are complements of each other in [0, N).
	mutual = pattern.Pattern(`([A-Za-z]\w*)\s*(?:and|和|与|、)\s*([A-Za-z]\w*)\s*(?:各自|互相|互|分别|are)\s*(?:each other's|mutual|是|为)?\s*` +
		`(?:complements? (?:of each other )?)?(?:在|in|within|on)?\s*\[0,\s*(\d+)\)\s*(?:范围|区间)?(?:内|中|上)?(?:的|互为)?(补集|补)?`)
	// The complement of X under N is Y.
	complementOf = pattern.Pattern(`(?i)complement of ([^;。]{1,60}?) (?:under|in|within|with respect to|w\.r\.t\.|up to) ([^;。]{1,40}?) is ([^;。]{1,60}?)\.?\s*$`)
	// A layout of shape S is, above a cell.
	naturalOf = pattern.Pattern(`(?i)shape\s*(?:of|is|为|是|=|:)?\s*` + shapeWords +
		`\s*(?:的|is|has)?\s*(?:the )?(natural|column[- ]major|row[- ]major|列主序|列优先|行主序|行优先)\s*(?:的)?\s*(?:layout|布局)?\s*(?:is|为|是|如下)?\s*[:：]?\s*$`)
	profile = pattern.Pattern(`[^(),]+`) // the parts between brackets and commas
	// A natural coordinate such as C.
	naturalCoordinate = pattern.Pattern(`(?i)(?:自然坐标|natural coordinates?)[^\d()]{0,20}` + shapeWords)
)

const (
	ofLayoutOrName = `(?:\b([A-Za-z]\w*)|` + layoutWords + `)`
	propertyWord   = `(size|cosize|rank|depth|shape|stride|大小|秩|深度|形状|步长)`
	valueWords     = `(\d+\b|\([\d(), ]*\))`
	// The size of X is N, X has size N, and the same of a shape and so on.
	propertyOf = pattern.Pattern(`(?i)\b` + propertyWord +
		` of (?:the )?(?:layout )?` + ofLayoutOrName + ` (?:is|equals) ` + valueWords)
	hasProp = pattern.Pattern(`(?i)` + ofLayoutOrName +
		`(?:\s*的\s*| has (?:a |the )?|'s )` + propertyWord + `\s*(?:of|is|为|是|=)?\s*` + valueWords)
)

// chineseProperties are names of properties, each followed by the function.
var chineseProperties = []string{"大小", "size", "秩", "rank", "深度", "depth", "形状", "shape", "步长", "stride"}

// properties checks what the sentences of a line say of the size, the shape and so on of layouts.
func (d *documentRun) properties(l document.Line, text string) {
	for _, m := range propertyOf.FindAllStringSubmatch(text, -1) {
		d.property(l, m[1], m[2]+m[3], m[4])
	}
	for _, m := range hasProp.FindAllStringSubmatch(text, -1) {
		d.property(l, m[3], m[1]+m[2], m[4])
	}
}

// property checks a property of a layout.
func (d *documentRun) property(l document.Line, prop, x, said string) {
	prop = strings.ToLower(prop)
	if i := slices.Index(chineseProperties, prop); i >= 0 {
		prop = chineseProperties[i|1]
	}
	x, said = balance(x), balance(said)
	if of, ok := d.value(x); ok && of.Value.Kind() == eval.KindLayout {
		d.same(l.Number, prop+"("+x+")", said)
	}
}

const (
	tableRule   = pattern.Pattern(`^\|?[\s:|-]+\|?$`)
	exprHeader  = pattern.Pattern(`(?i)^(?:expr\w*|operation|computation|call|input|表达式|运算|操作)$`)
	valueHeader = pattern.Pattern(`(?i)^(?:values?|results?|outputs?|layout|结果|值|输出)$`)
)

// tableRow checks a row of a table of Markdown that has a column of expressions and one of their values.
func (d *documentRun) tableRow(l document.Line) {
	if !strings.Contains(l.Text, "|") {
		d.p.header = nil
		return
	}
	cells := strings.Split(strings.Trim(strings.TrimSpace(l.Text), "|"), "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(marks.ReplaceAllString(c, ""))
	}
	if d.p.header == nil {
		d.p.header = cells
	}
	expr := slices.IndexFunc(d.p.header, exprHeader.MatchString)
	value := slices.IndexFunc(d.p.header, valueHeader.MatchString)
	if expr < 0 || value < 0 || len(cells) != len(d.p.header) || tableRule.MatchString(l.Text) {
		return
	}
	d.same(l.Number, document.Plain(cells[expr]), document.Plain(cells[value]))
}

// relations checks the sentences of a line that relate layouts.
func (d *documentRun) relations(l document.Line) {
	d.tableRow(l)
	text := marks.ReplaceAllString(l.Text, "")
	if conditional.MatchString(text) && !naturalOf.MatchString(text) && !mutual.MatchString(text) {
		return
	}
	for _, m := range seenAs.FindAllStringSubmatch(text, -1) {
		if x, ok := d.value(balance(m[1] + m[2])); ok && x.Value.Kind() == eval.KindLayout {
			d.same(l.Number, balance(m[1]+m[2]), balance(m[3]))
		}
	}
	if m := mutual.FindStringSubmatch(text); m != nil && (m[4] != "" || strings.Contains(m[0], "complement")) {
		d.same(l.Number, "complement("+m[1]+","+m[3]+")", m[2])
		d.same(l.Number, "complement("+m[2]+","+m[3]+")", m[1])
	}
	if m := complementOf.FindStringSubmatch(text); m != nil {
		for i, text := range m { // a part may be a formula, NAME = VALUE
			sides := document.Sides(text)
			m[i] = sides[len(sides)-1]
		}
		d.same(l.Number, "complement("+m[1]+","+m[2]+")", m[3])
	}
	d.properties(l, text)
	if m := naturalOf.FindStringSubmatch(text); m != nil {
		d.p.pending = append(d.p.pending, func(values []interp.Watched) { d.natural(l, m[1], m[2], values) })
	}
	if m := naturalCoordinate.FindStringSubmatch(text); m != nil {
		d.coordinate(l, m[1])
	}
}

// balance cuts a text after the value that it begins with: a layout, a tuple or an integer.
func balance(text string) string {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		switch {
		case depth < 0, depth == 0 && (c == ',' || c == ' '):
			return text[:i]
		case depth == 0 && c == ')' && !strings.HasPrefix(text[i+1:], ":"):
			return text[:i+1]
		}
	}
	return text
}

// natural checks the first layout of a cell, which a sentence calls the natural layout of a shape.
func (d *documentRun) natural(l document.Line, shape, order string, values []interp.Watched) {
	if d.p.line > l.Number+maxBelow {
		return
	}
	if strings.HasPrefix(strings.ToLower(order), "row") || strings.HasPrefix(order, "行") {
		order = ",LayoutRight"
	} else {
		order = ""
	}
	for _, w := range values {
		if _, ok := w.Result.Value.(eval.Layout); ok {
			d.same(l.Number, "make_layout("+shape+order+")", w.Text)
			return
		}
	}
}

// coordinate checks that a coordinate has the profile of a layout of the cell above. A coordinate with another number
// of integers may be one of another layout.
func (d *documentRun) coordinate(l document.Line, text string) {
	text = balance(text)
	commas := strings.Count(text, ",")
	for _, w := range d.p.last {
		layout, ok := w.Result.Value.(eval.Layout)
		if !ok {
			continue
		}
		shape := layout.Shape().String()
		if strings.Count(shape, ",") != commas || commas == 0 {
			continue
		}
		slip := Slip{Line: l.Number, Name: w.Name, Stated: text, Computed: "a coordinate of " + shape}
		if profile.ReplaceAllString(text, "") != profile.ReplaceAllString(shape, "") {
			slip.Words = "a coordinate has the brackets of its shape"
		}
		d.record(&slip)
		return
	}
}
