package condition

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/pattern"
)

// A binding is a value that a sentence may be about.
type binding struct {
	name, where string
	value       int64
	unit        string
}

// judgeSentence checks what a sentence demands of its subject.
func (t *Text) judgeSentence(r *rule) *Verdict {
	all := t.operands(r)
	about := shorten(r.about)
	if x := r.asExpression(about); x != nil {
		return t.judgeCode(x)
	}
	of := values{}
	v := &Verdict{}
	v.Demand = strings.TrimSpace(demandOf(about, r))
	for _, x := range r.cond.names(nil) {
		if x.text == subject {
			continue
		}
		if n, ok := lookup(x.text, all); ok && !x.told {
			of[x.text] = n
		} else if x.told {
			of[x.text] = x.n
		} else {
			v.Missing = append(v.Missing, x.text)
		}
	}
	list, certain := bind(about, r, all)
	if in := inline(about); len(in) == 1 && in[0].name != "" {
		v.Demand = demandOf(in[0].name, r)
	}
	if len(list) == 0 {
		v.Missing = append(v.Missing, missingName(about))
	}
	if len(v.Missing) > 0 {
		return v
	}
	v.Certain = certain
	x := trial{text: t, rule: r, of: of, verdict: v, all: all}
	for _, b := range list {
		x.check(b)
	}
	if len(v.Keeps) > 0 && reAnyOf.MatchString(r.about) {
		v.Fails = nil // one value that keeps the rule is enough
	}
	if len(v.Fails) == 0 {
		v.Certain = false
	}
	return v
}

const reAnyOf = pattern.Pattern(`(?i)\b(?:one of|either|any of)\b`)

// asExpression returns the rule as code if its subject is an expression, such as tile_m (48) * warps (2), and the
// message did not find the expression's value.
func (r *rule) asExpression(about string) *rule {
	if _, ok := onlyFound(r); ok || !strings.ContainsAny(about, "*+") && !strings.Contains(about, " / ") {
		return nil
	}
	x := expression(plainName(reInParens.ReplaceAllString(reGiven.ReplaceAllString(about+" ", "$1$2$3"), "$1")))
	if x == nil || len(x.args) == 0 {
		return nil
	}
	return &rule{cond: withSubject(r.cond, x), code: true, found: append(namedValues(about), r.found...)}
}

// withSubject replaces the subject by an expression.
func withSubject(n, x *node) *node {
	if n.is("name") && n.text == subject {
		return x
	}
	m := *n
	m.args = nil
	for _, a := range n.args {
		m.args = append(m.args, withSubject(a, x))
	}
	return &m
}

// demandOf writes, in words, what a sentence demands.
func demandOf(about string, r *rule) string {
	about = plainName(about)
	if about == "" {
		about = "the value"
	}
	text := strings.ReplaceAll(describe(r.cond), subject, about)
	for _, x := range r.cond.names(nil) {
		if x.told {
			text = strings.ReplaceAll(text, x.text, fmt.Sprintf("%s (%d)", x.text, x.n))
		}
	}
	if (bytesOf(r.unit) > 0) && !strings.HasSuffix(text, ")") {
		text += " " + strings.ToLower(r.unit)
	}
	return text
}

// missingName returns a name for a subject whose value is missing from the text.
func missingName(about string) string {
	if about = plainName(about); about == "" {
		return "the value"
	}
	return about
}

const reArticles = pattern.Pattern(`(?i)^(?:(?:the|an?|all|both|each|every|expected|that|requires?|assertion failed|failed assertion|error|got|value of|invalid|unsupported|illegal)\b[: ]*)+`)

// plainName returns the words of a subject without articles and quotes.
func plainName(about string) string {
	about = trimName(about)
	if m := reArticles.FindString(about); len(m) < len(about) {
		about = about[len(m):]
	}
	return trimName(reCountOf.ReplaceAllString(strings.TrimSuffix(trimName(about), " out of range"), "$1"))
}

const reCountOf = pattern.Pattern(`^\d+ ([a-z]+)$`) // as in "12 warps"

// trimName removes quotes, punctuation and brackets around a name.
func trimName(s string) string {
	s = strings.Trim(s, " `'\"“”‘’.,:;")
	for _, pair := range []string{"()", "[]"} {
		if strings.Count(s, pair[:1]) < strings.Count(s, pair[1:]) {
			s = strings.TrimSuffix(s, pair[1:])
		}
		if strings.Count(s, pair[:1]) > strings.Count(s, pair[1:]) {
			s = strings.TrimPrefix(s, pair[:1])
			if i := strings.LastIndex(s, pair[:1]); i >= 0 && strings.Count(s, pair[:1]) > strings.Count(s, pair[1:]) {
				s = s[:i]
			}
		}
	}
	return strings.Trim(s, " `'\"“”‘’.,:;")
}

// shorten returns the last clause of a subject: the text after the last colon, cut to its last words.
func shorten(about string) string {
	about = reTyped.ReplaceAllString(about, "$1 ($2)")
	about = reOfOp.ReplaceAllString(about, "")
	if i := openParen(about); i >= 0 && strings.TrimSpace(about[i+1:]) != "" && !beginsValue(about[i+1:]) {
		about = about[i+1:] // as in "are not compatible (the second index of ..."
	}
	for _, sep := range []string{
		": ", "; ", ". ", " because ", " since ", " but ", " - ", " -- ", ", so ", " that ",
		" requires ", "\t",
	} {
		if i := strings.LastIndex(about, sep); i >= 0 && strings.TrimSpace(about[i+len(sep):]) != "" &&
			!beginsValue(about[i+len(sep):]) {
			about = about[i+len(sep):]
		}
	}
	if i := strings.LastIndex(about, " and "); i >= 0 && reClause.MatchString(about[:i]) {
		about = about[i+len(" and "):] // as in "M is 64 and N"
	}
	if words := strings.Fields(about); len(words) > 12 {
		about = strings.Join(words[len(words)-12:], " ")
	}
	return strings.TrimSpace(about)
}

// reOfOp finds the name of the operation at the beginning of an MLIR diagnostic: 'ttg.local_alloc' op.
const reOfOp = pattern.Pattern(`^ *'[\w.]+' op `)

// reClause finds a verb. If there is one, the words before "and" are a separate clause.
const reClause = pattern.Pattern(`(?i) (?:is|are|be|has|have|equals?) `)

// openParen returns the place of the first parenthesis that is not closed, or -1.
func openParen(s string) int {
	var open []int
	for i := range len(s) {
		switch s[i] {
		case '(':
			open = append(open, i)
		case ')':
			open = open[:max(len(open)-1, 0)]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[0]
}

// beginsValue reports whether a text begins with a value. A separator before a value does not start a new clause: in
// "M: 64", the colon separates a name from its value.
func beginsValue(text string) bool {
	_, _, ok := valueAt(strings.TrimSpace(text))
	return ok
}

const (
	reLastNumber = pattern.Pattern(`^(.*?)[ (=:]*(-?(?:0[xX][0-9a-fA-F]+|\d+))\)? ?(KiB|KB|bytes?|bits?|elements?|B)?\)?$`)
	reIdentifier = pattern.Pattern("[`'\"]?((?:[A-Za-z_]\\w*(?:\\.|->|::))*[A-Za-z_]\\w*(?:<-?\\d+>)?(?:\\[-?\\d+\\]|\\(-?\\d*\\))?)[`'\"]?")
	reIndexed    = pattern.Pattern(`(?i)(?:dim|dimension|axis|mode|index|element|extent|size|stride) ?[(\[#]?(-?\d)\b`)
	rePlace      = pattern.Pattern(`\b(second[- ](?:to[- ])?last|penultimate|last|trailing|innermost|inner|first|outermost)[ -](?:\w+ )?(?:dim|dimension|axis|extent|mode|size|stride|element)\b`)
	reAll        = pattern.Pattern(`(?i)\b(?:all|each|every|both|any)\b|\b(?:dims|dimensions|sizes|extents|strides|shapes|shape)\b`)
)

// bind returns the values that a sentence's subject may refer to. Unless certain, the subject may be any of them.
func bind(about string, r *rule, all []Operand) (list []binding, certain bool) {
	unnamed, withNames := r.foundValues()
	decides := func(list []binding) bool { return len(list) > 0 && (len(unnamed) == 0 || len(list) == 1) }
	if list := inline(about); decides(list) {
		return list, len(list) == 1 || len(parts(about)) > 1 || reAll.MatchString(about)
	}
	if list := byIdentifiers(about, all); decides(list) {
		return list, len(list) == 1 || len(parts(about)) == len(list) || reAll.MatchString(about)
	}
	if list, certain := byFound(about, unnamed); len(list) > 0 {
		return list, certain
	}
	if len(withNames) > 0 {
		return ofNamed(about, withNames)
	}
	label := plainName(about)
	if x, ok := lookup(label, all); ok && label != "" {
		return []binding{{name: label, value: x, where: whereOf(label, all)}}, true
	}
	if identifier(label) && !strings.Contains(label, " ") {
		return nil, false // a name that the text has no value for
	}
	if o := onlyShape(all); o != nil && rePlace.MatchString(strings.ToLower(about)) {
		list = extents(about, *o)
		return list, len(list) == 1
	}
	return byWords(about, all), false
}

// foundValues returns the values that the message says it found: the unnamed values and the named values.
func (r *rule) foundValues() (unnamed, withNames []Operand) {
	for _, o := range r.found {
		if o.Got && o.Name == "" {
			unnamed = append(unnamed, o)
		} else if o.Got {
			withNames = append(withNames, o)
		}
	}
	return unnamed, withNames
}

// onlyShape returns the only tuple in a message, or nil.
func onlyShape(all []Operand) (only *Operand) {
	for i := range all {
		if o := &all[i]; o.Tuple && o.far <= 1 {
			if only != nil && !slices.Equal(only.Values, o.Values) {
				return nil
			}
			only = o
		}
	}
	return only
}

// inline returns the values among the words of the subject: block_M (48), head size 100.
func inline(about string) []binding {
	about = reSingle.ReplaceAllString(about, "($1)")
	if list := inlineNamed(about); len(list) > 0 {
		return list
	}
	about = strings.Trim(about, " `'\",:")
	if m := reTimesLast.FindStringSubmatch(about); m != nil {
		if v, _, ok := valueAt(m[2]); ok {
			v.Name = plainName(m[1])
			return extents(about, v)
		}
	}
	for _, word := range []string{" but", " and", " which", " it", ","} { // as in "the box is 300 but must be at most 256"
		about = strings.TrimSuffix(about, word)
	}
	if m := reParenValue.FindAllStringSubmatch(about, 2); len(m) == 1 {
		x, unit, _, ok := numberAt(m[0][1])
		noun, _, _ := strings.Cut(about, " "+m[0][0])
		if ok && noun != about {
			return []binding{{name: plainName(noun), value: x, unit: unit}}
		}
	}
	return inlineLast(about)
}

// inlineNamed returns the values after names in the subject.
func inlineNamed(about string) (list []binding) {
	all := namedValues(about)
	for _, o := range all {
		if o.Tuple {
			list = append(list, extents(about, o)...)
			continue
		}
		name := o.Name
		if open := strings.LastIndexByte(about, '('); len(all) == 1 && !identifier(name) && open > 0 {
			name = plainName(about[:open]) // as in "size of shared memory (231 KB)"
		}
		list = append(list, binding{name: name, value: o.Values[0], unit: o.Unit})
	}
	return list
}

// inlineLast returns the number at the end of the subject, unless it is an index: "head size 80", not "buffer 1".
func inlineLast(about string) []binding {
	m := reLastNumber.FindStringSubmatch(about)
	if m == nil {
		return nil
	}
	number := about[len(m[1]):]
	if m[1] != "" && isName(m[1][len(m[1])-1]) && strings.IndexAny(number, " =:") != 0 {
		return nil // as in K2 and stride(1)
	}
	x, _, _, ok := numberAt(m[2])
	between := number[:strings.Index(number, m[2])]
	if !ok || m[3] == "" && !isMeasure(m[1], x) && !strings.ContainsAny(between, "=:(") {
		return nil
	}
	unit := ""
	if m[3] != "" {
		x, unit = toUnit(x, m[3])
	}
	noun := strings.TrimSpace(m[1])
	for _, verb := range []string{" is", " was", " of"} {
		noun = strings.TrimSuffix(noun, verb)
	}
	return []binding{{name: plainName(noun), value: x, unit: unit}}
}

// reTimesLast finds a shape at the end of the subject: result shape 64x100.
const reTimesLast = pattern.Pattern(`^(.*?) (\d+(?:x\d+)+)$`)

// reParenValue finds the value in "the N dimension (20) of the tile".
const reParenValue = pattern.Pattern(`\((?:= ?)?(\d+(?: (?:bytes|bits|elements))?)\)`)

// reSingle finds a tuple of one number as Python writes it.
const reSingle = pattern.Pattern(`\((\d+),\)`)

// isMeasure reports whether a number after a noun is the noun's value, as in "head size 80", rather than an index, as
// in "buffer 1".
func isMeasure(noun string, x int64) bool {
	words := strings.Fields(noun)
	if len(words) == 0 {
		return true
	}
	last := strings.ToLower(strings.Trim(words[len(words)-1], "`'\""))
	if last == "is" || last == "was" {
		return true
	}
	return identifier(strings.Trim(words[len(words)-1], "`'\"")) || hasWord(nouns, last) || x >= 10 && places[last]
}

// nouns lists measures. After a word in places, a number below 10 is an index, otherwise a value: "head dim 80".
var (
	nouns = "|size|sizes|width|height|depth|length|extent|stride|offset|address|alignment|count|number|rank|" +
		"stages|threads|warps|value|memory|bytes|columns|rows|elements|alignments|limit|total|lda|ldb|ldc|" +
		"ldd|"
	places = map[string]bool{"dim": true, "dimension": true, "hidden": true, "k": true, "n": true, "m": true}
)

// byIdentifiers returns the values of the identifiers in the subject.
func byIdentifiers(about string, all []Operand) (list []binding) {
	seen := map[string]bool{}
	for _, m := range reIdentifier.FindAllStringSubmatch(about, 12) {
		word := m[1]
		quoted := strings.ContainsAny(m[0][:1], "`'\"")
		if seen[word] || !identifier(word) && !quoted && !exact(word, all) {
			continue
		}
		seen[word] = true
		if x, ok := lookup(word, all); ok {
			list = append(list, binding{name: word, value: x, where: whereOf(word, all), unit: unitOf(word, all)})
			continue
		}
		for _, o := range all {
			if o.Tuple && (key(o.Name) == key(word) || key(o.Name) == key(word)+"shape") {
				list = append(list, extents(about, o)...)
				break
			}
		}
	}
	return list
}

// byFound returns the unnamed values that a sentence says it found, as values of the subject.
func byFound(about string, found []Operand) (list []binding, certain bool) {
	label := plainName(about)
	names := parts(about)
	if len(names) > 1 && len(names) == len(found) {
		for i, o := range found {
			if o.Tuple {
				return nil, false
			}
			list = append(list, binding{name: names[i], value: o.Values[0], unit: o.Unit})
		}
		return list, true
	}
	all := reAll.MatchString(about)
	certain = true
	for _, o := range found {
		if label == "" {
			label = o.called
		}
		switch {
		case !o.Tuple:
			list = append(list, binding{name: label, value: o.Values[0], unit: o.Unit})
		case rankLike(about):
			list = append(list, binding{name: label, value: int64(len(o.Values))})
		case len(names) == len(o.Values) && len(names) > 1:
			for i, x := range o.Values {
				list = append(list, binding{name: names[i], value: x, unit: o.Unit})
			}
		default:
			_, told := place(about, len(o.Values))
			certain = certain && (told || all)
			list = append(list, unnamedExtents(about, o)...)
		}
	}
	return list, certain && (len(found) == 1 || len(list) == 1 || all)
}

// unnamedExtents returns the extents of an unnamed tuple that the subject is about.
func unnamedExtents(about string, o Operand) []binding {
	o.Name = "the shape"
	if strings.Contains(strings.ToLower(about), "stride") {
		o.Name = "the strides"
	}
	return extents(about, o)
}

// ofNamed returns the values that a sentence found under names that are not in its subject. If there is only one, that
// value is certainly the subject.
func ofNamed(about string, found []Operand) (list []binding, certain bool) {
	for _, o := range found {
		if o.Tuple {
			list = append(list, extents(about, o)...)
		} else {
			list = append(list, binding{name: o.Name, value: o.Values[0], where: o.Where, unit: o.Unit})
		}
	}
	return list, len(list) == 1
}
