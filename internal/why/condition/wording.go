package condition

import (
	"strings"

	"girih/internal/pattern"
)

// This file has one function for each wording of a rule. A function reads one sentence, and returns nil if the sentence
// uses another wording.

// firstRule reads the rule in a sentence with the first function that fits.
func firstRule(s string) *rule {
	for _, f := range []func(string) *rule{
		shapes, divisors, same, twoShapes, never, modal, deniedRule, limits, supportedRule, neededRule, expectedRule, extreme,
	} {
		if r := f(s); r != nil {
			return r
		}
	}
	return nil
}

const reChained = pattern.Pattern(`(-?\d+) ?(<=?|≤) ?([A-Za-z][\w .]{0,30}?) ?(<=?|≤) ?(-?\d+)(?:$|[^\w])(?:,? ?(?:and |that (?:are|is) |which (?:are|is) )(.*))?`)

// chainedRule reads "we support 32 <= head dims <= 512 that are powers of two". One-word names are left to codeRule.
func chainedRule(s string) *rule {
	m := reChained.FindStringSubmatch(s)
	if m == nil || !strings.Contains(m[3], " ") {
		return nil
	}
	low, _, _, okLow := numberAt(m[1])
	high, _, _, okHigh := numberAt(m[5])
	if !okLow || !okHigh {
		return nil
	}
	side := func(op string) string { return strings.ReplaceAll(op, "≤", "<=") }
	cond := apply("and", apply(flipped[side(m[2])], it(), num(low)), apply(side(m[4]), it(), num(high)))
	if c, _, ok := complementAt(m[6]); ok && !plainEqual(c.cond) {
		cond = apply("and", cond, c.cond)
	}
	return &rule{about: m[3], cond: cond}
}

const (
	reNeeded  = pattern.Pattern(`(?i)\b(?:needs?|requires?|requested|uses|used|required|allocated|requesting)[: ]+(\d+(?: ?(?:[KMG]i?B|bytes?|B))?)(?:[^\w.]|$).{0,60}?\b(?:at most|maximum|limit|only|max|available|supports?|allowed)\b[ :]*(?:is|of|are|to)?[ :]*(\d+(?: ?(?:[KMG]i?B|bytes?|B))?)(?:[^\w.]|$)`)
	reExtreme = pattern.Pattern(`(?i)\b(maximum|max|limit|upper bound|minimum|min|lower bound)(?: \w+){0,3}? ?(?:is|of|:|=) ?(\d+)\b`)
	reOnly    = pattern.Pattern(`(?i)\bonly (?:supports? )?((?:[A-Za-z_]\w* ){0,4}?)(?:of )?(\d.*)$`)
)

// neededRule reads "needs 131072 bytes, at most 101376 are available".
func neededRule(s string) *rule {
	m := reNeeded.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	x, unit, _, okX := numberAt(m[1])
	y, limit, _, okY := numberAt(m[2])
	if !okX || !okY || unit != limit && (unit == kilo || limit == kilo) {
		return nil
	}
	return &rule{
		about: "what is needed", cond: apply("<=", it(), num(y)), unit: limit,
		found: []Operand{{Values: []int64{x}, Unit: limit, Got: true}},
	}
}

// extreme reads "the maximum is 4", which limits the value that the sentence found.
func extreme(s string) *rule {
	m := reExtreme.FindStringSubmatch(s)
	if list, _ := got(s); m == nil || len(list) != 1 || list[0].Tuple || list[0].Name != "" {
		return nil
	}
	x, _, _, ok := numberAt(m[2])
	op := "<="
	if word := strings.ToLower(m[1]); strings.HasPrefix(word, "min") || strings.HasPrefix(word, "low") {
		op = ">="
	}
	if !ok {
		return nil
	}
	return &rule{cond: apply(op, it(), num(x))}
}

// orWords writes "64 and 128" as "64 or 128": both values are supported, one at a time.
func orWords(list string) string { return reAndNumber.ReplaceAllString(list, " or $1") }

const reAndNumber = pattern.Pattern(`,? and (\d)`)

const rePairwise = pattern.Pattern(`(?i)\b([\w.\[\]]+) (?:(?:must be|is) )?((?:an? )?(?:divisible by|multiples? of) \d+),? and (?:the |a )?([\w.\[\]]+) (?:(?:must be|is) )?((?:an? )?(?:divisible by|multiples? of) \d+)`)

// pairwise reads "height divisible by 8 and width divisible by 16".
func pairwise(s string) (rules []*rule) {
	m := rePairwise.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	found, _ := got(s)
	r := &rule{found: found}
	for _, o := range found {
		if len(found) == 1 && o.Tuple && len(o.Values) == 2 {
			r.found = append(r.found, Operand{Name: m[1], Values: o.Values[:1]}, Operand{Name: m[3], Values: o.Values[1:]})
		}
	}
	for i, about := range []string{m[1], m[3]} {
		c, _, ok := complementAt(m[2+2*i])
		if !ok {
			return nil
		}
		n := withSubject(c.cond, name(about))
		if r.cond == nil {
			r.cond = n
		} else {
			r.cond = apply("and", r.cond, n)
		}
	}
	r.code = true
	return []*rule{r}
}

const reSupported = pattern.Pattern(`(?i)\b(?:supported|valid|allowed|available|possible|legal|permitted)((?: [\w ]+?)?) ?(?:are|is|:|include)+:? `)

const (
	reOnlyThese = pattern.Pattern(`(?i)\bonly (.*?) (?:is|are) (?:supported|allowed|valid|accepted|implemented)\b`)
	reMostOf    = pattern.Pattern(`(?i)\b(maximum|max|minimum|min|at most|at least|up to)(?: of)? (\d+) ([a-z][\w ]{0,30}?) (?:is|are) (?:supported|allowed|accepted|permitted)\b`)
)

// supportedRule reads "Supported head sizes are [64, 128]".
func supportedRule(s string) *rule {
	m := reSupported.FindStringSubmatch(s)
	if only := reOnly.FindStringSubmatch(s); only != nil {
		if c, _, ok := memberAt(orWords(only[2])); ok {
			return &rule{about: only[1], cond: c.cond, unit: c.unit}
		}
	}
	if only := reOnlyThese.FindStringSubmatch(s); only != nil {
		if c, noun, ok := within(only[1]); ok {
			if i := strings.LastIndex(noun, " a "); i >= 0 {
				noun = noun[i+len(" a "):] // as in "copies transferring a number of bytes"
			}
			return &rule{about: noun, cond: c.cond, unit: c.unit}
		}
	}
	if most := reMostOf.FindStringSubmatch(s); most != nil {
		op := "<="
		if strings.HasPrefix(strings.ToLower(most[1]), "min") || strings.EqualFold(most[1], "at least") {
			op = ">="
		}
		if x, _, _, ok := numberAt(most[2]); ok {
			return &rule{about: most[3], cond: apply(op, it(), num(x))}
		}
	}
	if m == nil {
		return nil
	}
	_, _, after, _ := cutAt(reSupported, s)
	after = orWords(after)
	c, _, ok := memberAt(after)
	if !ok {
		if c, _, ok = memberAt("one of " + after); !ok {
			return nil
		}
	}
	return &rule{about: m[1], cond: c.cond, unit: c.unit}
}

// cutAt splits a text at the first match of a pattern.
func cutAt(p pattern.Pattern, s string) (before, match, after string, ok bool) {
	m := p.FindStringIndex(s)
	if m == nil {
		return s, "", "", false
	}
	return s[:m[0]], s[m[0]:m[1]], s[m[1]:], true
}

// modal reads "N must be a multiple of 128".
func modal(s string) *rule {
	m := reModal.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	before, _, after, _ := cutAt(reModal, s)
	verb := strings.ToLower(m[2])
	after = strings.TrimLeft(after, " :")
	after = demandOfVerb[verb] + after
	c, rest, ok := complementAt(after)
	if !ok {
		var noun string
		if c, noun, ok = within(after); ok && verb == "have" {
			before = noun + " of " + shorten(before) // as in "a contiguous extent of the tile"
		}
	}
	if !ok || m[1] != "" && verb != "exceed" {
		return nil
	}
	if noun := nounOf(rest); verb == "have" && !c.cond.is("in") && noun != "" && !hasWord(stops, noun) {
		before = noun + " of " + shorten(before) // as in "must have 2 to 5 dimensions"
	}
	before += alongOf(rest)
	if rank := rankOf(after); rank != "" {
		before = rank + shorten(before)
	}
	return &rule{about: before, cond: c.cond, unit: c.unit}
}

// demandOfVerb maps a verb to the words that it adds to the demand after it.
var demandOfVerb = map[string]string{"exceed": "not exceed ", "equal": "equal to ", "match": "equal to "}

// reAlong finds the mode that follows a demand: "at least 128 along the M-dimension".
const reAlong = pattern.Pattern(`^ (?:along|in) (?:the )?([MNKL])\b`)

const reAtPlace = pattern.Pattern(`(?i)^ (?:at|in|along) (?:dimension|dim|axis|mode) (-?\d)\b`)

// alongOf returns the mode that follows a demand, in words that can end a subject.
func alongOf(rest string) string {
	if m := reAtPlace.FindStringSubmatch(rest); m != nil {
		return " dimension " + m[1]
	}
	if m := reAlong.FindStringSubmatch(rest); m != nil {
		return " along " + m[1]
	}
	return ""
}

// rankOf returns "rank of " if a demand is on the rank of a value, as in "rank 2".
func rankOf(what string) string {
	if strings.HasPrefix(strings.ToLower(what), "rank ") {
		return "rank of "
	}
	return ""
}

// within reads "have a contiguous extent that is a multiple of 128", where the noun comes before the demand.
func within(after string) (c complement, noun string, ok bool) {
	for at := 0; at < min(len(after), 60); {
		i := strings.IndexByte(after[at:], ' ')
		if i < 0 {
			break
		}
		at += i + 1
		for _, f := range []func(string) (complement, string, bool){multipleAt, powerAt, alignedAt, boundAt, listAt} {
			if _, _, ok := f(after[at:]); ok {
				c, _, ok = complementAt(after[at:])
				noun = strings.TrimSpace(after[:at])
				for _, word := range []string{" that is", " which is", " that are", " of"} {
					noun = strings.TrimSuffix(noun, word)
				}
				return c, noun, ok
			}
		}
	}
	return c, "", false
}

// never reads "cannot exceed 1024" and "must not be larger than 8".
func never(s string) *rule {
	m := reNever.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	before, _, after, _ := cutAt(reNever, s)
	after = strings.TrimLeft(after, " ")
	if strings.EqualFold(m[1], "exceed") {
		c, _, ok := complementAt("at most " + after)
		if !ok {
			return nil
		}
		return &rule{about: before, cond: c.cond, unit: c.unit}
	}
	c, _, ok := complementAt(after)
	if !ok {
		return nil
	}
	return &rule{about: before, cond: negate(c.cond), unit: c.unit}
}

var opposite = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

func negate(n *node) *node {
	if op, ok := opposite[n.op]; ok {
		return apply(op, n.args...)
	}
	return apply("not", n)
}

// deniedRule reads "size 100 is not divisible by 16".
func deniedRule(s string) *rule {
	before, match, after, ok := cutAt(reDenied, s)
	if !ok {
		return nil
	}
	words := strings.ToLower(match)
	for _, not := range []string{"not ", "n't "} {
		if i := strings.Index(words, not); i >= 0 {
			match = match[i+len(not):]
			break
		}
	}
	c, _, ok := complementAt(strings.TrimPrefix(match, "be ") + after)
	if !ok {
		return nil
	}
	return &rule{about: before, cond: c.cond, unit: c.unit}
}

// divisors reads "8 does not divide 100" and "BLOCK_K must divide K". The first value must divide the second.
func divisors(s string) *rule {
	before, match, after, ok := cutAt(reDivide, s)
	if !ok || strings.Contains(match, "annot") {
		return nil
	}
	p, unit, _, ok := parameterAt(after)
	if !ok {
		return nil
	}
	before = reNumberLast.ReplaceAllString(before, "$1 ($2)") // as in "tiler 96 does not divide 128"
	return &rule{about: before, cond: multiple(p, it()), unit: unit}
}

const reNumberLast = pattern.Pattern(`([A-Za-z_]) (\d+)$`)

// reVerb finds a verb. A comparative without a verb states no rule.
const reVerb = pattern.Pattern(`(?i)\b(?:is|are|was|were|exceed\w*|above)\b`)

// limits reads "131072 bytes exceed 101376" and "N is smaller than 64", sentences that state the violation.
func limits(s string) *rule {
	for _, x := range []struct {
		words pattern.Pattern
		op    string
	}{{reOver2, "<="}, {reUnder2, ">="}} {
		before, match, after, ok := cutAt(x.words, s)
		if !ok || !reVerb.MatchString(match) && !reEndsInValue.MatchString(before) {
			continue // the value is a tensor with more than one element
		}
		p, unit, ok := limitAt(after)
		if reCounted.MatchString(after) && reTupleLast.MatchString(before) {
			before = "number of elements of " + shorten(before) // as in "cluster shape (4, 4, 1) exceeds 8 CTAs"
		}
		if ok {
			return &rule{about: before, cond: apply(x.op, it(), p), unit: unit}
		}
	}
	return nil
}

// limitAt reads a limit: 101376, (64), the maximum (1024).
func limitAt(text string) (p *node, unit string, ok bool) {
	p, unit, _, ok = parameterAt(text)
	if !ok {
		if v, _, is := valueAt(strings.TrimLeft(text, "(")); is && len(v.Values) == 1 {
			p, unit, ok = num(v.Values[0]), v.Unit, true
		}
	}
	if m := reBehind.FindStringSubmatch(text); m != nil && (!ok || p.is("name") && !p.told) {
		if y, _, _, is := numberAt(m[2]); is {
			p, ok = nameWithValue(m[1], y), true
		}
	}
	return p, unit, ok
}

// reEndsInValue finds the value at the end of a text.
const reEndsInValue = pattern.Pattern(`[0-9)]$`)

const (
	reBehind    = pattern.Pattern(`^((?:[A-Za-z_]\w* ){1,12}?)?\((\d+)\)`)
	reCounted   = pattern.Pattern(`^\d+ (?:CTAs?|threads?|blocks?|elements?|warps?)\b`)
	reTupleLast = pattern.Pattern(`\(\d+(?:, ?\d+)+\)$`)
)

// expectedRule reads "expected N to be a multiple of 8", "expects at least 3 dims" and "expected 16".
func expectedRule(s string) *rule {
	before, match, after, ok := cutAt(reExpect, s)
	if !ok {
		return nil
	}
	if about, _, what, ok := cutAt(reToBe, after); ok {
		what = strings.TrimLeft(what, " :")
		if c, rest, ok := complementAt(what); ok {
			return &rule{about: rankOf(what) + about + alongOf(rest), cond: c.cond, unit: c.unit}
		}
		return nil
	}
	c, rest, ok := complementAt(after)
	if c, noun, found := within(after); !ok && found {
		return &rule{about: noun, cond: c.cond, unit: c.unit} // as in "supports head dimension at most 256"
	}
	if m := reNounOf.FindStringSubmatch(after); m != nil && !ok && strings.HasPrefix(strings.ToLower(match), "expect") {
		if x, unit, _, ok := numberAt(m[2]); ok {
			return &rule{about: m[1], cond: apply("==", it(), num(x)), unit: unit}
		}
	}
	if !ok || plainEqual(c.cond) && !strings.HasPrefix(strings.ToLower(match), "expect") {
		return nil // "needs 131072 bytes" states a value
	}
	about := before
	if noun := nounOf(rest); noun == "" {
		if noun = reNoun.FindString(after); noun != "" {
			about = strings.TrimSpace(noun) // as in "expected rank 3"
		}
	} else if !hasWord(stops, noun) {
		about = noun // as in "expected 3 dims"
	}
	return &rule{about: about, cond: c.cond, unit: c.unit}
}

// reNounOf finds a noun and its value after "expected": "an embedding dimension of 512".
const reNounOf = pattern.Pattern(`(?i)^(?:an? |the )?((?:[a-z_]\w* ){0,3}[a-z_]\w*?) (?:of|=) (\d[^,;]*)$`)

const reToBe = pattern.Pattern(`(?i) to (?:be|have|equal|satisfy|match|contain)\b(?: (?:of|the|a shape of|size|shape))*`)

// nounOf returns the noun after a number: "dims" of "expected 3 dims", "indexing maps" of "expected 2 indexing maps".
func nounOf(rest string) string {
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "of ")
	word, more, _ := strings.Cut(rest, " ")
	noun := strings.Trim(word, ",.;:()")
	next, _, _ := strings.Cut(more, " ")
	if strings.HasSuffix(word, "ing") && strings.Trim(next, "abcdefghijklmnopqrstuvwxyz") == "" {
		noun += " " + next
	}
	return noun
}
