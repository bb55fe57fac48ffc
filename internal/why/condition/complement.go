package condition

import (
	"strings"

	"girih/internal/pattern"
)

// subject is the name of a sentence's subject in its condition.
const subject = "\x01"

func it() *node { return name(subject) }

// A complement, in the sense of grammar, is the part of a sentence that says what its subject must be, such as "a
// multiple of 8".
type complement struct {
	cond *node
	unit string // unit of the numbers in the condition: "bytes", "bits", "elements" or ""
}

const (
	reMultiple = pattern.Pattern(`(?i)^(?:(?:an?|the|exact|integer|integral|whole|positive|even|evenly|exactly|perfectly|cleanly) )*(?:multiples? of|divisible (?:evenly )?by|(?:a )?multiple-of)[: ]+`)
	rePower    = pattern.Pattern(`(?i)^(?:(?:an?|the|exact|positive|integer) )*powers?(?:[- ]of[- ]| of )(?:two|2)\b`)
	reAlignedN = pattern.Pattern(`(?i)^(?:at least |naturally |properly )?(\d+)[- ]?(bytes?|bits?|B|b|elements?)?[- ]align(?:ed|ment)\b`)
	reAlignTo  = pattern.Pattern(`(?i)^(?:properly )?(?:aligned|alignment)(?: to| at| on| by| of)(?: an?| the)?(?: multiples? of)? `)
	reBetween  = pattern.Pattern(`(?i)^(?:in the range |in range |)(?:between|from) `)
	reRange    = pattern.Pattern(`(?i)^(?:(?:with)?in|inside)(?: of)?(?: the)?(?: closed| half-open| inclusive| valid)?(?: range| interval| bounds)?(?: of)?:? ?([\[(])`)
	reTo       = pattern.Pattern(`(?i)^(?:in the range|in range|range from)(?: of)? `)
	reOneOf    = pattern.Pattern(`(?i)^(?:(?:is|be|are)? ?(?:exactly )?(?:one|any|either|element|an element|a member|chosen|selected|taken)(?: of| from)?|among|in|either|from)(?: the| these)?(?: following| supported| allowed| valid)?(?: set| list| values?| sizes?)*(?: of)?:? ?`)
	reAtLeast  = pattern.Pattern(`(?i)^(?:(?:an?|the) )?(?:at least|no less than|not less than|no fewer than|no smaller than|not smaller than|greater(?: than)? or equal to|larger(?: than)? or equal to|greater-or-equal(?: than| to)?|>=|≥|minimum(?: of)?) ?`)
	reAtMost   = pattern.Pattern(`(?i)^(?:(?:an?|the) )?(?:at most|no more than|not more than|no larger than|not larger than|no greater than|not greater than|less(?: than)? or equal to|smaller(?: than)? or equal to|less-or-equal(?: than| to)?|up to|<=|≤|not exceed(?:ing)?|maximum(?: of)?|limited to) ?`)
	reOver     = pattern.Pattern(`(?i)^(?:strictly )?(?:greater than|larger than|bigger than|more than|higher than|above|over|exceed(?:s|ing)?(?: the)?(?: (?:maximum|limit|max|upper bound|hardware limit))*(?: of)?|>) ?`)
	reUnder    = pattern.Pattern(`(?i)^(?:strictly )?(?:less than|smaller than|lower than|fewer than|below|under|<) ?`)
	reSign     = pattern.Pattern(`(?i)^(?:an? |strictly )?(positive|non-?negative|non-?zero|even|odd|negative)\b(?: (?:integer|number|int))?`)
	reEquals   = pattern.Pattern(`(?i)^(?:exactly|equal to|equal|equals?|the same as|identical to|==|=|set to|match(?:es)?|of size|of length|of rank|:)? ?(?:exactly )?`)
	reNoun     = pattern.Pattern(`(?i)^(?:the )?(?:value|size|number|extent|width|length|rank|dimension|size of)s? (?:of )?`)
	reLink     = pattern.Pattern(`(?i)^(?: ?,? ?(and|or)(?: it)?(?: must| should)?(?: also)?(?: be| is)? | ?, ?(?:and )?| )`)
)

// complementAt reads a demand: "a multiple of 8 and at most 256", "64 or 128", "between 1 and 5".
func complementAt(text string) (c complement, rest string, ok bool) {
	first, rest, ok := demandAt(text)
	if !ok {
		return c, text, false
	}
	c = first
	for range 6 {
		m := reLink.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		after := rest[len(m[0]):]
		next, left, ok := demandAt(after)
		if !ok || m[1] == "" && plainEqual(next.cond) {
			break // as in "64, got 3" and "16 (see 5)"
		}
		switch op := strings.ToLower(m[1]); {
		case op == "or":
			c.cond = either(c.cond, next.cond)
		case plainEqual(next.cond) && op == "and":
			return c, rest, true // "a multiple of 16 and 3 warps" is about two values
		default:
			c.cond = apply("and", c.cond, next.cond)
		}
		if c.unit == "" {
			c.unit = next.unit
		}
		rest = left
	}
	return c, rest, true
}

// plainEqual reports whether a condition only says that the subject equals one value.
func plainEqual(n *node) bool { return n.is("==") && n.args[0].is("name") && n.args[0].text == subject }

// either joins conditions with "or". If both only list values of the subject, it joins the lists.
func either(a, b *node) *node {
	one := func(n *node) []*node {
		if plainEqual(n) {
			return n.args[1:]
		}
		if n.is("in") {
			return n.args[1:]
		}
		return nil
	}
	if x, y := one(a), one(b); x != nil && y != nil {
		return apply("in", append(append([]*node{it()}, x...), y...)...)
	}
	return apply("or", a, b)
}

// demandAt reads one demand.
func demandAt(text string) (c complement, rest string, ok bool) {
	text = strings.TrimLeft(text, " `'\"")
	for _, f := range []func(string) (complement, string, bool){
		multipleAt, powerAt, alignedAt, rangeAt, orMoreAt, memberAt, boundAt, signAt, equalAt,
	} {
		if c, rest, ok := f(text); ok {
			return c, rest, true
		}
	}
	return c, text, false
}

func multipleAt(text string) (c complement, rest string, ok bool) {
	m := reMultiple.FindString(text)
	if m == "" {
		return c, text, false
	}
	p, unit, rest, ok := parameterAt(text[len(m):])
	if !ok {
		return c, text, false
	}
	cond := multiple(it(), p)
	for { // "8 or 16", "8, 16 or 32": a multiple of any of them is enough
		q, _, after, ok := parameterAt(strings.TrimPrefix(rest, " or "))
		if !ok || !strings.HasPrefix(rest, " or ") || !q.is("num") {
			break
		}
		cond, rest = apply("or", cond, multiple(it(), q)), after
	}
	if m := reOrInParens.FindStringSubmatch(rest); m != nil { // as in "64 (or 32 for fp8)"
		if q, _, _, ok := numberAt(m[1]); ok {
			cond, rest = apply("or", cond, multiple(it(), num(q))), rest[len(m[0]):]
		}
	}
	if strings.HasPrefix(rest, " and ") { // "8 and 128 respectively", and "by 2 and 3"
		if q, _, after, ok := parameterAt(rest[len(" and "):]); ok && q.is("num") {
			cond, rest = apply("and", cond, multiple(it(), q)), after
		}
	}
	return complement{cond, unit}, rest, true
}

const reOrInParens = pattern.Pattern(`(?i)^ \(or (?:an? )?(?:multiples? of )?(\d+)\b[^()]*\)`)

func powerAt(text string) (c complement, rest string, ok bool) {
	m := rePower.FindString(text)
	return complement{cond: apply("power of two", it())}, text[len(m):], m != ""
}

func alignedAt(text string) (c complement, rest string, ok bool) {
	if m := reAlignedN.FindStringSubmatch(text); m != nil {
		x, _, _, ok := numberAt(m[1])
		_, unit := toUnit(x, "B")
		if m[2] != "" {
			_, unit = toUnit(x, strings.ToLower(m[2][:1])+strings.ToLower(m[2][1:]))
			if m[2] == "B" {
				unit = "bytes"
			}
		}
		return complement{multiple(it(), num(x)), unit}, text[len(m[0]):], ok && x > 0
	}
	m := reAlignTo.FindString(text)
	if m == "" {
		return c, text, false
	}
	p, unit, rest, ok := parameterAt(text[len(m):])
	rest = strings.TrimPrefix(rest, " boundary")
	return complement{multiple(it(), p), unit}, rest, ok
}

// A rangeForm is a wording of a range: the words before the range, and the separators between its ends. If words ends
// with an opening bracket, the bracket is its capturing group, and another bracket closes the range.
type rangeForm struct {
	words      pattern.Pattern
	separators []string
}

var rangeForms = []rangeForm{
	{reRange, []string{",", "..", " to", ":"}},
	{reBetween, []string{" and", " to"}},
	{reTo, []string{" to", "-", "..", " -"}},
}

// rangeAt reads "between 1 and 5", "in [0, 3)", "in the range 1 to 5".
func rangeAt(text string) (c complement, rest string, ok bool) {
	for _, f := range rangeForms {
		m := f.words.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		s, rest, ok := spanAt(text[len(m[0]):], f.separators)
		switch {
		case !ok:
			return c, text, false
		case len(m) > 1:
			return s.closeAt(rest, m[0], m[1])
		}
		c, rest = s.between(">=", "<=", rest)
		return c, rest, true
	}
	return c, text, false
}

// A span is a range: its two ends, their units and the separator between them.
type span struct {
	low, high         *node
	lowUnit, highUnit string
	separator         string
}

// spanAt reads the two ends of a range.
func spanAt(text string, separators []string) (s span, rest string, ok bool) {
	if s.low, s.lowUnit, rest, ok = parameterAt(text); !ok {
		return s, text, false
	}
	for _, sep := range separators {
		if after, found := strings.CutPrefix(rest, sep); found {
			s.separator = sep
			s.high, s.highUnit, rest, ok = parameterAt(strings.TrimLeft(after, " ."))
			return s, rest, ok
		}
	}
	return s, text, false
}

// closeAt reads the bracket that closes a range: "[0, 3)". words, the text before the range, ends with the opening
// bracket. Unless words call it a range, "(0, 3)" is a shape, and "[64, 128]" is both a range and a list of two.
func (s *span) closeAt(text, words, open string) (c complement, rest string, ok bool) {
	rest = strings.TrimLeft(text, " ")
	if rest == "" || rest[0] != ']' && rest[0] != ')' {
		return c, text, false // the text is a list of three
	}
	low, high := ">=", "<="
	if open == "(" {
		low = ">"
	}
	if rest[0] == ')' {
		high = "<"
	}
	rest = rest[1:]
	listed := !reInterval.MatchString(words)
	switch {
	case low == ">" && (high == "<" || listed):
		return c, text, false
	case listed && high == "<=" && s.separator == ",":
		// a value outside the range is not in the list either
		n := apply("in", it(), s.low, s.high)
		n.text = "[" + s.low.String() + ", " + s.high.String() + "]"
		return complement{n, s.lowUnit}, rest, true
	}
	c, rest = s.between(low, high, rest)
	return c, rest, true
}

const reInterval = pattern.Pattern(`(?i)range|interval|bounds`)

// between returns the condition that the subject is between the ends, including a step that follows the range: "between
// 8 and 256 in steps of 8".
func (s *span) between(low, high, rest string) (c complement, left string) {
	c.cond = apply("and", apply(low, it(), s.low), apply(high, it(), s.high))
	if c.unit = s.lowUnit; c.unit == "" {
		c.unit = s.highUnit
	}
	if m := reSteps.FindStringSubmatch(rest); m != nil {
		if k, _, _, ok := numberAt(m[1]); ok && k > 0 {
			c.cond, rest = apply("and", c.cond, stepFrom(s.low, k)), rest[len(m[0]):]
		}
	}
	return c, rest
}

// reSteps finds the step of a range: "between 8 and 256 in steps of 8".
const reSteps = pattern.Pattern(`(?i)^,? ?\(?(?:in|with|by)?(?: an?)?(?: step| steps| increments?| multiples?)(?: size)?(?: of)?:? ?=? ?(\d+)\)?`)

// stepFrom returns the condition that the subject is low plus a multiple of k.
func stepFrom(low *node, k int64) *node {
	if low.is("num") && low.n%k == 0 {
		return multiple(it(), num(k))
	}
	return multiple(apply("-", it(), low), num(k))
}

// reOrMore finds words that turn the number before them into a bound: "3 or more".
const reOrMore = pattern.Pattern(`(?i)^(?: or |/)(more|greater|higher|larger|above|less|fewer|smaller|lower|below)\b`)

// reUpTo finds the end of a range that begins with a number: "1 to 5", "1-5".
const reUpTo = pattern.Pattern(`(?i)^(?: to |-| - |–|\.\.| through )(\d+)\b`)

// orMoreAt reads "1 to 5", "3 or more" and "16 or less".
func orMoreAt(text string) (c complement, rest string, ok bool) {
	x, unit, rest, ok := numberAt(strings.TrimPrefix(text, "rank "))
	if m := reUpTo.FindStringSubmatch(rest); ok && m != nil {
		if y, unit2, _, ok := numberAt(m[1]); ok && y > x {
			if unit == "" {
				unit = unit2
			}
			return complement{apply("and", apply(">=", it(), num(x)), apply("<=", it(), num(y))), unit}, rest[len(m[0]):], true
		}
	}
	m := reOrMore.FindStringSubmatch(rest)
	if !ok || m == nil {
		return c, text, false
	}
	op := ">="
	if strings.Contains("less fewer smaller lower below", strings.ToLower(m[1])) {
		op = "<="
	}
	return complement{apply(op, it(), num(x)), unit}, rest[len(m[0]):], true
}

// memberAt reads a list: "one of [64, 96, 128]", "64 or 128", "1, 2, 4 or 8".
func memberAt(text string) (c complement, rest string, ok bool) {
	words := reOneOf.FindString(text)
	text = text[len(words):]
	v, rest, isTuple := valueAt(text)
	isTuple = isTuple && v.Tuple && strings.ContainsAny(text[:1], "[({")
	if isTuple && words == "" {
		return c, text, false // the text is a shape
	}
	n := apply("in", it())
	if isTuple {
		for _, x := range v.Values {
			n.args = append(n.args, num(x))
		}
		return complement{cond: n}, rest, true
	}
	unit := ""
	for len(n.args) <= maxExtents {
		x, u, after, ok := numberAt(text)
		if !ok {
			break
		}
		n.args, rest, unit = append(n.args, num(x)), after, u
		next := reSep.FindString(after)
		if next == "" {
			break
		}
		text = after[len(next):]
	}
	if len(n.args) < 3 {
		return c, text, false
	}
	return complement{n, unit}, rest, true
}

// listAt reads "in [1, 16, 64]".
func listAt(text string) (c complement, rest string, ok bool) {
	words := reOneOf.FindString(text)
	if words == "" || strings.IndexByte("[({", at(text, len(words))) < 0 {
		return c, text, false
	}
	return memberAt(text)
}

const reSep = pattern.Pattern(`^ ?(?:, or |, and |,|/| or |\|)\s*`)

func boundAt(text string) (c complement, rest string, ok bool) {
	for _, b := range []struct {
		words pattern.Pattern
		op    string
	}{{reAtLeast, ">="}, {reAtMost, "<="}, {reOver, ">"}, {reUnder, "<"}} {
		m := b.words.FindString(text)
		if m == "" {
			continue
		}
		p, unit, rest, ok := parameterAt(text[len(m):])
		return complement{apply(b.op, it(), p), unit}, rest, ok
	}
	return c, text, false
}

func signAt(text string) (c complement, rest string, ok bool) {
	m := reSign.FindStringSubmatch(text)
	if m == nil {
		return c, text, false
	}
	rest = text[len(m[0]):]
	switch strings.ReplaceAll(strings.ToLower(m[1]), "-", "") {
	case "positive":
		c.cond = apply(">", it(), num(0))
	case "negative":
		c.cond = apply("<", it(), num(0))
	case "nonnegative":
		c.cond = apply(">=", it(), num(0))
	case "nonzero":
		c.cond = apply("!=", it(), num(0))
	case "even":
		c.cond = multiple(it(), num(2))
	case "odd":
		c.cond = apply("==", apply("%", it(), num(2)), num(1))
	}
	return c, rest, true
}

// equalAt reads "equal to K", "exactly 16" and "16".
func equalAt(text string) (c complement, rest string, ok bool) {
	m := reEquals.FindString(text)
	after := text[len(m):]
	if n := reNoun.FindString(after); n != "" && strings.TrimSpace(m) == "" {
		if _, _, _, ok := numberAt(after[len(n):]); ok {
			after = after[len(n):] // as in "rank 3"
		}
	}
	if strings.TrimSpace(m) == "" || strings.TrimSpace(m) == ":" {
		if _, _, _, ok := numberAt(after); !ok {
			return c, text, false
		}
		p, unit, rest, ok := parameterAt(after) // as in 3 * hidden_size
		return complement{apply("==", it(), p), unit}, rest, ok && !reTerm.MatchString(strings.TrimRight(rest, " "))
	}
	p, unit, rest, ok := parameterAt(after)
	return complement{apply("==", it(), p), unit}, rest, ok
}

const (
	reCodeName = pattern.Pattern("^[`'\"]?((?:[A-Za-z_][\\w]*(?:\\.|->|::))*[A-Za-z_]\\w*(?:<-?\\d+>)?(?:\\[-?\\d+\\]|\\([^()]{0,40}\\))?)[`'\"]?")
	reInline   = pattern.Pattern(`^(?: ?\(|=|\s?= ?|: ?|\[)(-?\d+)([)\]]?)`)
	reBeside   = pattern.Pattern(`^ (\d+)(?:$|[ .,;)])`)
	reValued   = pattern.Pattern(`^((?:[A-Za-z_][\w.]*[ -]){0,4}[A-Za-z_][\w.]*) \((-?\d+) ?\)`)
	rePhrase   = pattern.Pattern(`^(?:the |its |their )?([a-z]+(?:[ -][a-z]+){0,3})`)
	reTerm     = pattern.Pattern(`^ ?([*+/-]|times |x |× ?) ?`)
	reTold     = pattern.Pattern(`^ ?\((\d+)\)`)
)

// parameterAt reads the number, name or product in a demand: 128, BLOCK_K, 2 * WARP_SIZE, the warp size.
func parameterAt(text string) (p *node, unit, rest string, ok bool) {
	p, unit, rest, ok = termAt(text)
	if !ok {
		return nil, "", text, false
	}
	for range 4 {
		m := reTerm.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		q, u, after, ok := termAt(rest[len(m[0]):])
		op := strings.TrimSpace(m[1])
		if op == "times" || op == "x" || op == "×" {
			op = "*"
			ok = ok && !(p.is("num") && q.is("num")) // 64 x 64 is a shape
		}
		if !ok {
			break
		}
		p, rest = apply(op, p, q), after
		if unit == "" {
			unit = u
		}
	}
	if m := reTold.FindStringSubmatch(rest); m != nil && len(p.args) > 0 { // as in m_warp * 16 (96)
		if x, _, _, ok := numberAt(m[1]); ok {
			return nameWithValue(p.String(), x), unit, rest[len(m[0]):], true
		}
	}
	return p, unit, rest, true
}

var numerals = map[string]int64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "sixteen": 16,
}

// termAt reads one number or name of a demand, and the value that the text gives next to the name.
func termAt(text string) (p *node, unit, rest string, ok bool) {
	text = strings.TrimLeft(text, " ")
	if x, unit, rest, ok := numberAt(text); ok {
		return num(x), unit, rest, true
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, "the "), "its ")
	if m := reValued.FindStringSubmatch(text); m != nil {
		if x, _, _, ok := numberAt(m[2]); ok {
			return nameWithValue(m[1], x), "", text[len(m[0]):], true // as in "the MMA K (32)"
		}
	}
	m := reCodeName.FindStringSubmatch(text)
	if m == nil {
		return nil, "", text, false
	}
	rest = text[len(m[0]):]
	if strings.HasSuffix(m[1], ")") {
		if n := expression(m[1]); n != nil {
			return n, "", rest, true // as in max(1, k)
		}
	}
	if x, ok := numerals[strings.ToLower(m[1])]; ok {
		return num(x), "", rest, true
	}
	if p, after, ok := valueBeside(m[1], rest); ok {
		return p, "", after, true
	}
	if identifier(m[1]) || strings.ContainsAny(m[0][:1], "`'\"") {
		return name(m[1]), "", rest, true
	}
	return phraseAt(text)
}

// valueBeside reads the value after a name: "BLOCK_K (64)", "group_size 128".
func valueBeside(name, rest string) (p *node, after string, ok bool) {
	m := reInline.FindStringSubmatch(rest)
	if m == nil {
		m = reBeside.FindStringSubmatch(rest)
		if m == nil || !identifier(name) {
			return nil, rest, false
		}
	} else if m[2] == "" && !identifier(name) || continues(rest[len(m[0]):]) {
		return nil, rest, false
	}
	x, _, _, ok := numberAt(m[1])
	return nameWithValue(name, x), rest[len(m[0]):], ok
}

// nameWithValue returns a name node with the value that the text gives next to the name.
func nameWithValue(text string, x int64) *node {
	return &node{op: "name", text: text, n: x, told: true}
}

// stops lists the words that end the name of a parameter in prose.
const stops = "|got|but|for|when|if|with|and|or|to|is|are|found|in|on|at|that|which|because|must|should|was|given|" +
	"instead|not|be|use|using|received|a|an|have|exactly|after|before|each|other|all|both|"

// phraseAt reads a name in prose: "the warp size", "tile size 64".
func phraseAt(text string) (p *node, unit, rest string, ok bool) {
	m := rePhrase.FindStringSubmatch(text)
	if m == nil {
		return nil, "", text, false
	}
	start := len(m[0]) - len(m[1])
	end, words := start, []string{}
	for _, w := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ' ' }) {
		if hasWord(stops, w) {
			break
		}
		words = append(words, w)
		end += len(w) + 1
	}
	end = min(end-1, len(text))
	if len(words) == 0 {
		return nil, "", text, false
	}
	rest = text[end:]
	if n := len(words) - 1; n > 0 && words[n] == "of" {
		words = words[:n] // as in "the pointer alignment of 32"
	}
	if x, unit, after, ok := numberAt(strings.TrimLeft(rest, " (")); ok && strings.HasPrefix(rest, " ") {
		return nameWithValue(strings.Join(words, " "), x), unit, strings.TrimPrefix(after, ")"), true
	}
	return name(strings.Join(words, " ")), "", rest, true
}
