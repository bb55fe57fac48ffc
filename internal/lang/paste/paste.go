package paste

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"girih/cute"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file lets every front end take pasted text. Text that is in the language keeps its meaning; only other text goes
// to the reader.

// The strides of other tools that the language reads as symbols: PyCuTe's F9, and FlyDSL's 1E0.
const (
	pyCuTeStride = pattern.Pattern(`[:,(]\s*(F\d+)\s*(?:[,)]|$)`)
	flyDSLStride = pattern.Pattern(`[:,(]\s*(\d+(?:E\d+)+)\s*(?:[,)]|$)`)
)

// noteStrides notes the meaning in other tools of a stride that the language reads as a symbol.
func noteStrides(src, value string) (notes []string) {
	if len(src) > syntax.MaxSource || !strings.ContainsAny(value, "FE") || !strings.Contains(src, ":") {
		return nil
	}
	if m := pyCuTeStride.FindStringSubmatch(src); m != nil && strings.Contains(value, m[1]) {
		notes = append(notes, fmt.Sprintf("%s is a symbol; the stride that PyCuTe prints so is written F2(%s), and read "+
			"takes it for that", m[1], m[1][1:]))
	}
	if m := flyDSLStride.FindStringSubmatch(src); m != nil &&
		strings.Contains(value, m[1][strings.IndexByte(m[1], 'E'):]) {
		layout := reader.Read("1:" + m[1])
		if len(layout.Items) == 1 {
			notes = append(notes, fmt.Sprintf("%s is a multiple of a symbol; the stride that FlyDSL prints so is written "+
				"%s, and read takes it for that", m[1], strings.TrimPrefix(layout.Items[0].Text, "1:")))
		}
	}
	return notes
}

// evalPasted evaluates a program that is not in the language as the one value that the reader finds in it. ok is false
// if there is no value, if there are several, or if there is anything else in the text; then the fault may get a hint.
func (r *Reader) evalPasted(src string, fault *report.Error) (all Outcome, ok bool) {
	if !mayBePasted(fault) {
		return all, false
	}
	if bound := bindMaps(src); bound != src {
		if err := r.Env.Run(bound, all.add); err == nil && all.n > 0 {
			return all, true
		}
		all = Outcome{}
	}
	if parts := statements(src); len(parts) > 1 {
		return r.each(parts)
	}
	name, text := binding(src)
	if item, ok := r.Item(text, fault); ok {
		if all, ok = r.read(name, item, fault); ok {
			return all, true
		}
	}
	if item, ok := r.Rewrite(text); ok {
		return r.read(name, item, fault)
	}
	return Outcome{}, false
}

// defs are the heads of functions of Python at the beginning of a line.
const defs = pattern.Pattern(`(?m)^(def +([A-Za-z_]\w*) *\()`)

// bindMaps writes functions of Python as maps of indices that are bound by let.
func bindMaps(src string) string {
	if len(src) > syntax.MaxSource || !strings.Contains(src, "def ") {
		return src
	}
	return defs.ReplaceAllString(src, "let $2 = $1")
}

// mayBePasted reports whether an error of the language may mean that the text is not in the language.
func mayBePasted(fault *report.Error) bool {
	return fault.Code == string(cute.CodeSyntax) || fault.Code == string(cute.CodeName)
}

// read evaluates the value that the reader found, and binds it to a name if there is one.
func (r *Reader) read(name string, item reader.Item, fault *report.Error) (all Outcome, ok bool) {
	program := item.Text
	if name != "" {
		program = "let " + name + " = " + item.Text
	}
	err := r.Env.Run(program, all.add)
	if expr, ok := InElements(item.Text); ok && err != nil {
		fault.Hint = fmt.Sprintf("did you mean %s? That is it in elements, at an aligned address", expr)
	}
	if err != nil && item.Record != "" && fault.Hint == "" {
		fault.Hint = RecordHint(item, err)
	}
	if err != nil || all.n == 0 {
		return Outcome{}, false
	}
	all.Notes = slices.Concat([]string{"read as " + item.Text}, item.Notes, all.Notes)
	return all, true
}

// RecordHint says why a record that was read has no value. For an atom, or a tiled operation, the error about Triton's
// encodings would not help.
func RecordHint(item reader.Item, err error) string {
	e := report.Of(err)
	atom := strings.Contains(item.Record, "Atom") || strings.HasPrefix(item.Record, "Tiled")
	if atom && strings.Contains(e.Message, "is no encoding") {
		return fmt.Sprintf("read as %s, which is not evaluated: the language has copy_atom, make_tiled_copy and tiled_mma",
			item.Text)
	}
	return fmt.Sprintf("read as %s, but %s", item.Text, e.Message)
}

// Item returns the one value that the reader finds in a text that is not in the language. ok is false if there is no
// value, if there are several, or if there is anything else in the text; then the fault may get a hint.
func (r *Reader) Item(text string, fault *report.Error) (item reader.Item, ok bool) {
	if !mayBePasted(fault) || len(text) > syntax.MaxSource {
		return item, false
	}
	found := reader.ReadWithin(text, r.Limits)
	switch {
	case found.Err != nil:
		return item, false
	case len(found.Items) == 0:
		r.hintNothing(found, fault)
		return item, false
	case !isOne(found, text):
		hintSeveral(found.Items, fault)
		return item, false
	case r.isDoubtful(found.Items[0], fault):
		return item, false
	}
	item = found.Items[0]
	if item.Record != "" {
		made := []string{""}
		if rebuild([]reader.Item{item}, made); made[0] != "" { // make_tiled_mma(SM70_..{}, Layout<..>{}, Tile<..>{}) of C++
			item.Text, item.Record = made[0], ""
		}
	}
	return item, true
}

// hintNothing gives the error for a text without a value a hint.
func (r *Reader) hintNothing(found reader.Result, fault *report.Error) {
	if len(found.Unread) > 0 && fault.Hint == "" {
		fault.Hint = found.Unread[0].String()
	}
	if found.Miss != nil && fault.Hint == "" {
		r.suggest(found.Miss.Hint, fault)
	}
}

// suggest makes a text the hint of an error if it has a value.
func (r *Reader) suggest(text string, fault *report.Error) {
	if _, ok := r.hasValue(text); ok {
		fault.Hint = fmt.Sprintf("did you mean %s?", text)
	}
}

// isOne reports whether a text is one value and nothing else.
func isOne(found reader.Result, text string) bool {
	item := found.Items[0]
	return len(found.Items) == 1 && len(found.Unread) == 0 && isDropped(item, text[:item.Start]) &&
		strings.Trim(text[item.End:], " \t\r\n;:.,") == ""
}

// hintSeveral gives a syntax error of a text with values and something else a hint.
func hintSeveral(items []reader.Item, fault *report.Error) {
	if fault.Hint == "" && fault.Code == string(cute.CodeSyntax) && items[0].Record == "" &&
		strings.ContainsAny(items[0].Text, ":<") {
		fault.Hint = fmt.Sprintf("read finds %s in this text", FoundText(items))
	}
}

// isDoubtful reports whether a value may not be what the text means: it has a fault, the reader supplied a part of it,
// or the text is incomplete. The error may get a hint.
func (r *Reader) isDoubtful(item reader.Item, fault *report.Error) bool {
	supplied := func(note string) bool { return strings.HasPrefix(note, "supplied") }
	switch {
	case item.Fault != "":
		if !fault.Incomplete {
			fault.Hint = fmt.Sprintf("read as %s, but %s", item.Text, item.Fault)
		}
		return true
	case fault.Incomplete && item.Record == "" || slices.ContainsFunc(item.Notes, supplied):
		r.suggest(item.Text, fault)
		return true
	}
	return false
}

// isDropped reports whether the notes on a value say that the text before it was dropped, such as an engine.
func isDropped(item reader.Item, before string) bool {
	before = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(before), " o"))
	if label, ok := strings.CutSuffix(before, ":"); ok && IsWord(label) {
		return true // the label of a dump
	}
	return before == "" || slices.ContainsFunc(item.Notes, func(n string) bool {
		return strings.HasPrefix(n, "dropped") && strings.Contains(n, before)
	})
}

// IsWord reports whether the text is one name.
func IsWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) &&
			!unicode.IsDigit(r)
	})
}

// each evaluates statements one by one, so that one of them may be a pasted value.
func (r *Reader) each(parts []string) (all Outcome, ok bool) {
	for _, p := range parts {
		var one Outcome
		if err := r.Env.Run(p, one.add); err != nil {
			if one, ok = r.evalPasted(p, report.Of(err)); !ok {
				return Outcome{}, false
			}
		}
		all.n, all.Last, all.Notes = all.n+one.n, one.Last, append(all.Notes, one.Notes...)
	}
	return all, all.n > 0
}

// statements cuts a program at the semicolons outside brackets and quotation marks.
func statements(src string) []string {
	return slices.DeleteFunc(cutOutside(src, ';'), func(p string) bool { return strings.TrimSpace(p) == "" })
}

// cutOutside cuts a text at a mark outside brackets and quotation marks.
//
//go:noinline
func cutOutside(src string, mark rune) []string {
	var parts []string
	start, depth, quoted := 0, 0, false
	for i, c := range src {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case '"':
			quoted = !quoted
		case mark:
			if depth <= 0 && !quoted {
				parts = append(parts, src[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, src[start:])
}

// FoundText lists values for a hint.
func FoundText(items []reader.Item) string {
	if len(items) == 1 {
		return items[0].Text
	}
	return fmt.Sprintf("%s and %d more", items[0].Text, len(items)-1)
}

// binding splits "let a = VALUE".
func binding(src string) (name, text string) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(src), "let ")
	if !ok {
		return "", src
	}
	name, text, ok = strings.Cut(rest, "=")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t(<:") {
		return "", src
	}
	return name, text
}
