package condition

import (
	"strings"

	"girih/internal/pattern"
)

// A rule is the demand of one sentence, or of one line of code.
type rule struct {
	about   string    // the words for the subject; "" for a rule in code
	cond    *node     // the condition: on names if in code, on subject if in a sentence
	unit    string    // the unit of the numbers in a sentence
	found   []Operand // the values that the sentence found
	sides   *[2]int64 // the values of both sides of the comparison, from "(3 vs. 4)"
	code    bool
	told    bool     // set if the sentence states code, but does not say whether this is the demand or what was found
	done    *Verdict // the verdict, if the sentence alone decides it
	given   *node    // the "if" of the sentence; the rule applies only if this condition holds
	each    []*node  // the demands of a sentence on several values, in order, each on subject
	orEqual string   // the tuple whose extents the values may equal instead
}

const (
	reModal  = pattern.Pattern(`(?i)\b(?:must|should|shoud|shall|has to|have to|had to|needs? to|ought to|(?:is |are )?(?:required|expected|supposed) to|can only|may only|only allowed to|expected(?: it)? to)(?: (?:always|both|all|each|also|only))*( not)? (be|have|equal|match|satisfy|divide|evenly divide|exceed|lie|fit|contain|use|start)\b`)
	reNever  = pattern.Pattern(`(?i)\b(?:cannot|can't|can not|may not|must not|mustn't|should not|shouldn't) (be|have|equal|exceed)\b`)
	reExpect = pattern.Pattern(`(?i)\b(?:expect(?:s|ed|ing)?|requires?|required|need(?:s|ed)?|want(?:s|ed)?|assumes?|support(?:s|ed)? only|only supports?|only support|supports?)\b(?: that| the)*:? `)
	reDenied = pattern.Pattern(`(?i)(?: (?:is|are|was|were|has|have))?(?: value)?(?: not| isn't| aren't|n't) (?:be )?(?:an? )?(?:(?:exact |integer |evenly )*(?:multiples? of|divisible|aligned|power|powers|one of|in |equal to|a member|at least|at most|positive|non-|between|\d+[- ]?(?:byte|bit|B)[- ]?aligned))`)
	reDivide = pattern.Pattern(`(?i) (?:(?:does|do|did) not|doesn't|don't|cannot|must|should|has to|have to|needs to) (?:evenly |exactly )?divide(?: evenly)?(?: into)? `)
	reOver2  = pattern.Pattern(`(?i)(?: (?:is|are|was))?(?: (?:too large|too big|too many),?)?,? (?:exceeds?|exceeded|exceeding|(?:is |are )?(?:greater|larger|bigger|more|higher) than|above)(?: the)?(?: (?:maximum|limit|max|upper|bound|hardware|device|allowed|supported|number|size|of|is|total))*:? `)
	reUnder2 = pattern.Pattern(`(?i) (?:is |are |was )?(?:less|smaller|lower|fewer) than(?: the)?(?: (?:minimum|limit|min|lower|bound|required|allowed|of))* `)
	reVersus = pattern.Pattern(`\((-?\d+) vs\.? (-?\d+)\)`)
	reSame   = pattern.Pattern(`(?i) (?:(?:must|should|has to|have to|needs? to) (?:match|equal|agree with|be (?:equal to|the same as|identical to))|(?:does not|do not|doesn't|don't|did not) (?:match|equal|agree with)|(?:is|are) not (?:equal to|the same as)|differs? from|mismatch(?:es|ed)?(?: with)?|!=) (?:the )?`)
)

// maxSentences limits the sentences of a message that are read.
const maxSentences = 12

// sentences cuts a message into sentences. It does not cut inside brackets.
func sentences(text string) []string {
	var list []string
	depth, start := 0, 0
	for i := 0; i < len(text) && len(list) < maxSentences; i++ {
		switch c := text[i]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(depth-1, 0)
		case c == '\n', c == ';' && depth == 0,
			c == '.' && depth == 0 && at(text, i+1) == ' ' && !isDigit(at(text, i+2)):
			list = append(list, strings.TrimSpace(text[start:i]))
			start = i + 1
			depth = 0
		}
	}
	return append(list, strings.TrimSpace(text[start:]))
}

// statedRules returns the rules in the sentences of a message. What a sentence found may follow in the next sentence.
func statedRules(text string) (rules []rule) {
	all := sentences(text)
	for i, s := range all {
		next := ""
		if i+1 < len(all) {
			next = all[i+1]
		}
		from := len(rules)
		for _, part := range clauses(s) {
			for _, r := range rulesOf(part) {
				if len(r.found) == 0 {
					if r.found, _ = got(next); len(r.found) == 0 && i > 0 {
						r.found = refusedValue(all[i-1])
					}
				}
				if !joinRule(rules[from:], r) {
					rules = append(rules, *r)
				}
			}
		}
	}
	return rules
}

// plain reports whether a rule is a single condition on a subject, in words.
func (r *rule) plain() bool { return !r.code && r.each == nil && r.done == nil }

// joinRule joins a rule to the rule before it, if both have the same subject: "x must be a multiple of 8 and x must be
// at most 128".
func joinRule(rules []rule, r *rule) bool {
	if len(rules) == 0 {
		return false
	}
	last := &rules[len(rules)-1]
	if !last.plain() || !r.plain() || last.unit != r.unit || last.given != r.given || r.about == "" ||
		plainName(shorten(last.about)) != plainName(shorten(r.about)) {
		return false
	}
	last.cond = apply("and", last.cond, r.cond)
	if len(r.found) > 0 {
		last.found = r.found
	}
	return true
}

const reAndThen = pattern.Pattern(`(?i)(?:,? and |, )(?:the )?[\w.\[\]()]+(?: [\w.]+){0,2} (?:must|should|shoud|has to|have to|needs to) `)

const reAndToBe = pattern.Pattern(`(?i),? and (?:the )?[\w.\[\]()]+(?: [\w.]+){0,3} to (?:be|have) `)

// clauses cuts "M must be 64 and N must be a multiple of 8" in two. Named values that the second found count for both.
func clauses(s string) []string { return clausesWithin(s, maxSentences) }

func clausesWithin(s string, most int) []string {
	if most == 0 || len(s) > maxLine {
		return []string{s}
	}
	first, m, after, ok := cutAt(reAndThen, s)
	verb := ""
	if !ok || !reModal.MatchString(first) {
		if first, m, after, ok = cutAt(reAndToBe, s); !ok || !reToBe.MatchString(first+" ") {
			return []string{s}
		}
		if verb = reExpect.FindString(first); verb == "" {
			return []string{s}
		}
	}
	rest := verb + strings.TrimPrefix(strings.TrimLeft(m, ", "), "and ") + after
	if own, _ := got(first); len(own) > 0 {
		return append([]string{first}, clausesWithin(rest, most-1)...)
	}
	if list, at := got(rest); at >= 0 && (allNamed(list) || reProduct.MatchString(first)) {
		first += ", " + rest[at:]
	}
	return append([]string{first}, clausesWithin(rest, most-1)...)
}

func allNamed(list []Operand) bool {
	for _, o := range list {
		if o.Name == "" {
			return false
		}
	}
	return len(list) > 0
}

const (
	reRefuses = pattern.Pattern(`(?i)^(.*?\d+\)?) (?:is|are) (?:not (?:supported|allowed|valid)|unsupported|invalid)`)
	reInvalid = pattern.Pattern(`(?i)\b(?:unsupported|invalid|bad|illegal|unexpected|wrong) ([\w ]+?[: (=]*-?\d+)`)
)

// refusedValue returns the value that a sentence calls unsupported: 80 in "Head size 80 is not supported".
func refusedValue(s string) []Operand {
	m := reRefuses.FindStringSubmatch(s)
	if m == nil {
		m = reInvalid.FindStringSubmatch(s)
	}
	if m == nil {
		return nil
	}
	list := inline(shorten(m[1]))
	if len(list) != 1 {
		return nil
	}
	return []Operand{{Values: []int64{list[0].value}, Unit: list[0].unit, Got: true, called: list[0].name}}
}

// rulesOf reads the rules in one sentence: one in code, and one in words.
func rulesOf(s string) []*rule {
	if len(s) > maxLine {
		return nil
	}
	given, s := conditional(s)
	rules := demands(s)
	for _, r := range rules {
		r.given = given
	}
	return rules
}

// demands reads the rules in a sentence from which the "if" has been cut.
func demands(s string) (rules []*rule) {
	if strings.Contains(strings.ToLower(s), "respectively") {
		return withFound(respective(s), s)
	}
	if r := chainedRule(s); r != nil {
		return withFound(r, s)
	}
	rest := s
	if r, after := codeRule(s); r != nil {
		if holds, known := r.cond.truth(values{}); !(holds && known && r.cond.is("==") && r.cond.constant()) { // size 64==64
			rules, rest = append(rules, r), after
		}
	}
	if pair := pairwise(rest); pair != nil {
		return append(rules, pair...)
	}
	if r := wordRule(rest); r != nil {
		rules = append(rules, r)
	}
	return rules
}

// withFound adds the values that a sentence found to its only rule, r, and returns r as a list. r may be nil.
func withFound(r *rule, s string) []*rule {
	if r == nil {
		return nil
	}
	r.found, _ = got(s)
	return []*rule{r}
}

// wordRule reads the rule that a sentence states in words.
func wordRule(s string) *rule {
	found, at := got(s)
	before := s
	if at >= 0 {
		before = strings.TrimRight(s[:at], " ,(")
	}
	if r := ranks(s, at, found); r != nil {
		return r
	}
	if r := expectedShape(before, found); r != nil {
		return r
	}
	r := firstRule(before)
	if r == nil && at >= 0 {
		r = firstRule(s) // as in "got num_warps=3, must be a power of 2"
	}
	if r == nil {
		return nil
	}
	r.found = append(r.found, found...)
	if r.done == nil && len(found) == 0 {
		r.found = append(r.found, refusedValue(before)...)
	}
	return r
}
