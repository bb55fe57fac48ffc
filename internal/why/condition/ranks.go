package condition

import (
	"strconv"
	"strings"

	"girih/internal/pattern"
)

const (
	reRank       = pattern.Pattern(`\b(?:(\d{1,2})(?:-?[dD]\b|[- ][dD]imensional\b)|(?:rank|Rank)[- ](\d{1,2})\b|(?i:(one|two|three|four|five))[- ]dimensional\b)`)
	reOrRank     = pattern.Pattern(`^(?: \([^()]{0,24}\))?(?: tensors?| inputs?| arrays?)?(?:, or|,? or|/|,)(?: an?)? ?$`)
	reDemands    = pattern.Pattern(`(?i)\b(?:expect(?:s|ed|ing)?|must (?:be|have)|should (?:be|have)|has to be|have to be|needs? to be|requires?|required|only supports?|only accepts?)\b`)
	reBareNumber = pattern.Pattern(`(?:^|[^\w.\[])\d|[=<>%]`)
	reToBeRank   = pattern.Pattern(`(?i)^(.*?) (?:to (?:be|have)|must (?:be|have)|should (?:be|have)|has to be|needs? to be)(?: an?)?(?: the)?(?: exactly)? ?$`)
)

// rankAt returns the first rank that a text states, such as 3 in "3D", and the text before and after it.
func rankAt(text string) (n int64, before, after string, ok bool) {
	m := reRank.FindStringSubmatch(text)
	if m == nil {
		return 0, text, "", false
	}
	at := reRank.FindStringIndex(text)
	before, after = text[:at[0]], text[at[1]:]
	if x, err := strconv.ParseInt(m[1]+m[2], 10, 64); err == nil {
		return x, before, after, true
	}
	return numerals[strings.ToLower(m[3])], before, after, true
}

// ranks reads "expected a 3D tensor, got 2D". found lists the values that s says it found, beginning at byte offset at.
// A shape has as many modes as extents.
func ranks(s string, at int, found []Operand) *rule {
	end := len(s)
	if at >= 0 {
		end = at
	}
	who, demand, what, ok := cutAt(reDemands, s[:end])
	if !ok {
		return nil
	}
	n, between, rest, ok := rankAt(what)
	if !ok || len(between) > 60 || reBareNumber.MatchString(between) {
		return nil
	}
	if m := reUpTo.FindStringSubmatch(rest); m != nil {
		return ranksBetween(rankLabel(who, demand+between), n, m[1], found)
	}
	list := []*node{num(n)}
	for len(list) < 4 {
		x, gap, after, ok := rankAt(rest)
		if !ok || !reOrRank.MatchString(gap) {
			break
		}
		list, rest = append(list, num(x)), after
	}
	label := rankLabel(who, demand+between)
	cond := apply("==", name(label), list[0])
	if len(list) > 1 {
		cond = apply("in", append([]*node{name(label)}, list...)...)
	}
	r := &rule{cond: cond, code: true}
	if at < 0 {
		return r
	}
	x, gap, _, ok := rankAt(s[at:])
	if !ok || len(gap) > 60 {
		if x, ok = rankFound(found); !ok {
			return r
		}
	}
	r.found = []Operand{{Name: label, Values: []int64{x}}}
	return r
}

// rankFound returns the rank that a sentence says it found. The rank of a shape is its number of extents.
func rankFound(found []Operand) (int64, bool) {
	switch {
	case len(found) != 1:
		return 0, false
	case found[0].Tuple:
		return int64(len(found[0].Values)), true
	}
	return found[0].Values[0], found[0].Got && found[0].Name == "" && found[0].Values[0] <= maxExtents
}

// ranksBetween reads "rank 1 to 5".
func ranksBetween(label string, low int64, most string, found []Operand) *rule {
	high, _, _, ok := numberAt(most)
	if !ok {
		return nil
	}
	r := &rule{code: true, cond: apply("and", apply(">=", name(label), num(low)), apply("<=", name(label), num(high)))}
	if x, ok := rankFound(found); ok {
		r.found = []Operand{{Name: label, Values: []int64{x}}}
	}
	return r
}

// rankLabel returns a name for the rank of a sentence's subject.
func rankLabel(who, demanded string) string {
	if m := reToBeRank.FindStringSubmatch(demanded); m != nil { // as in "expected batch2 to be a"
		who = reDemands.ReplaceAllString(m[1], "")
	}
	if who = plainName(shorten(who)); who == "" || len(who) > 40 {
		return "the rank"
	}
	return "the rank of " + who
}
