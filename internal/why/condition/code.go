package condition

import (
	"strconv"
	"strings"

	"girih/internal/pattern"
)

const (
	reQuoted   = pattern.Pattern("`([^`]{3,400})`|'([^']{3,400})'|\"([^\"]{3,400})\"|‘([^’]{3,400})’")
	reInParens = pattern.Pattern(`([A-Za-z_]\w*) \(-?\d+ ?\)`)
	reGiven    = pattern.Pattern(`([A-Za-z_][\w.]*)((?:<-?\d+(?:, ?-?\d+)*>)?)=-?\d+( *(?:==|!=|<=|>=|<|>|%) | *$|[,;.] )`)
	reMod      = pattern.Pattern(` mod `)
	reOperator = pattern.Pattern(`==|!=|<=|>=|≤|≥| < | > | in [\[({]`)
	reWants    = pattern.Pattern(`(?i)\b(?:check|checks|assert\w*|assertion|requires?|required|must|should|expect\w*|condition|requirement|satisf\w+|needs?|ensure|constraint)\b`)
	reChecked  = pattern.Pattern(`(?i)\bcheck\b|\bassert|\bcondition`)
	reRefused  = pattern.Pattern(`(?i)^\W*(?:is|are)? ?(?:not (?:supported|allowed|implemented|valid|possible)|unsupported|invalid|too (?:large|big|small))`)
	reAssert   = pattern.Pattern(`^\s*(?:assert\s+|(?:CUTE_|cute::)?static_assert\s*\(|STATIC_ASSERT(?:_V)?\s*\(|CUTE_STATIC_ASSERT(?:_V)?\s*\(|CUTE_RUNTIME_ASSERT\s*\(|(?:TORCH_|TVM_|T|I|D)?(?:CHECK|ICHECK|ASSERT|DG_HOST_ASSERT|EP_HOST_ASSERT|[A-Z]+_HOST_ASSERT|[A-Z]+_ASSERT|[A-Z]+_CHECK)(?:_MSG)?\s*\(|assert\s*\()`)
	reReduces  = pattern.Pattern(`(?:reduces to|evaluates to) ['‘"(]+\s*(-?\d+) *(==|!=|<=|>=|<|>) *(-?\d+)`)
)

// codeRule returns the rule of a sentence with a condition in code: "requires K % 128 == 0", 'Check failed: (a == b)'.
func codeRule(s string) (r *rule, rest string) {
	plain := s
	if strings.Contains(s, "=") {
		plain = reGiven.ReplaceAllString(s, "$1$2$3") // as in a=2 != b=1
	}
	plain = reVersus.ReplaceAllString(plain, "")
	plain = reMod.ReplaceAllString(reInParens.ReplaceAllString(plain, "$1"), " % ")
	n, rest := embeddedCode(plain)
	if asserted, comment, _ := strings.Cut(strings.TrimSpace(plain), " #"); n == nil && strings.HasPrefix(asserted, "assert ") {
		n, rest = conditionsOf(asserted), comment
	}
	if n == nil {
		return nil, s
	}
	for range 4 { // removes the operands of M >= 16, N >= 16 and K >= 16 one by one
		m := reNext.FindString(rest)
		next, after := prefix(rest[len(m):])
		if m == "" || next == nil {
			break
		}
		n, rest = apply("and", n, next), after
	}
	if n = asDemand(n); reRefused.MatchString(rest) {
		n = negate(n) // N > 256 is not supported
	}
	r = &rule{cond: n, code: true, told: !reWants.MatchString(s) || mentionsOp(n, "!=") && !reChecked.MatchString(s)}
	if m := reVersus.FindStringSubmatch(s); m != nil {
		r.sides = sidesOf(m[1], m[2])
	}
	r.found, _ = got(rest)
	r.found = append(r.found, namedValues(s)...)
	return r, rest
}

// asDemand turns what a message found, a % b != 0, into what the message demands, a % b == 0.
func asDemand(n *node) *node {
	if n.is("!=") && n.args[0].is("%") {
		return negate(n)
	}
	if !n.is("and") && !n.is("or") {
		return n
	}
	m := &node{op: n.op}
	for _, a := range n.args {
		w := asDemand(a)
		if w != a {
			m.op = "and" // all demands must hold, whether the message joins the violations by "or" or by "and"
		}
		m.args = append(m.args, w)
	}
	return m
}

func sidesOf(a, b string) *[2]int64 {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	if errX != nil || errY != nil {
		return nil
	}
	return &[2]int64{x, y}
}

// embeddedCode returns the condition within a text, in quotes or between words, and the text after it.
func embeddedCode(s string) (n *node, rest string) {
	if !reOperator.MatchString(s) && !strings.Contains(s, "%") && !strings.Contains(s, "pow") {
		return nil, ""
	}
	for _, m := range reQuoted.FindAllStringSubmatch(s, 8) {
		q := m[1] + m[2] + m[3] + m[4]
		if n := parse(q); n != nil && whole(n) {
			_, rest, _ := strings.Cut(s, m[0])
			return n, rest
		}
	}
	return between(s)
}

// reNext finds the words between two conditions of a sentence.
const reNext = pattern.Pattern(`^ ?(?:, and|,| and) `)

// prefix returns the condition at the beginning of a text, and the text after it.
func prefix(s string) (n *node, rest string) {
	tokens, places := placeTokens(s)
	for to := min(len(tokens), window); to > 2; to-- {
		if !ends(tokens[to-1]) {
			continue
		}
		if n := parseTokens(tokens[:to]); n != nil && whole(n) {
			return n, s[places[to-1][1]:]
		}
	}
	return nil, s
}

// window limits the tokens on each side of the comparison in a condition between words.
const window = 24

// between finds the longest condition around the first comparison, and the text after the condition.
func between(s string) (n *node, rest string) {
	tokens, places := placeTokens(s)
	for i, t := range tokens {
		if !comparisons[t] && t != "≤" && t != "≥" || t == "in" {
			continue
		}
		for from := max(0, i-window); from < i; from++ {
			if !begins(tokens, from) {
				continue
			}
			for to := min(len(tokens), i+window); to > i+1; to-- {
				if !ends(tokens[to-1]) {
					continue
				}
				if n := parseTokens(tokens[from:to]); n != nil && whole(n) {
					return n, s[places[to-1][1]:]
				}
			}
		}
		return nil, ""
	}
	return nil, ""
}

// begins and ends report whether a condition may begin or end with the given token.
func begins(tokens []string, i int) bool {
	t := tokens[i]
	if i > 0 && (tokens[i-1] == "." || tokens[i-1] == "::" || tokens[i-1] == "->") {
		return false
	}
	return t == "(" || t == "-" || t == "!" || t == "not" || isName(t[0])
}

func ends(t string) bool { return t == ")" || t == "]" || t == "}" || isName(t[0]) }

// maxTokens limits the tokens of a sentence.
const maxTokens = 512

// placeTokens cuts a text into tokens and returns them with their places. A byte that begins no token, such as a
// punctuation mark of prose, becomes a token that the parser never accepts.
func placeTokens(s string) (tokens []string, places [][2]int) {
	for i := 0; i < len(s) && len(tokens) < maxTokens; {
		if s[i] == ' ' || s[i] == '\t' {
			i++
			continue
		}
		t, n := tokenAt(s[i:])
		tokens = append(tokens, t)
		places = append(places, [2]int{i, i + n})
		i += n
	}
	return tokens, places
}

// whole reports whether n reads as code: all parts of "and" and "or" are conditions, and no name is a literal or a word
// of prose.
func whole(n *node) bool {
	if connectives[n.op] {
		for _, a := range n.args {
			if !a.condition() || !whole(a) {
				return false
			}
		}
		return true
	}
	for _, x := range n.names(nil) {
		if strings.HasSuffix(strings.ToLower(x.text), "success") {
			return false // compares the result of a driver call
		}
		switch strings.ToLower(x.text) {
		case "nullptr", "null", "none", "true", "false", "std::nullopt", "be", "to", "of", "is", "are", "was", "than", "by", "the",
			"must", "should", "have", "has", "with", "that", "got", "but", "found", "expected", "from", "equal", "satisfy",
			"where", "needs", "requires":
			return false
		}
	}
	return true
}

// conditionsOf returns the condition that a line of source asserts, or the line itself if it is a condition.
func conditionsOf(line string) *node {
	line = strings.TrimSpace(line)
	if len(line) > maxCode {
		return nil
	}
	if n := parse(line); n != nil {
		return n
	}
	m := reAssert.FindString(line)
	if m == "" {
		return nil
	}
	code := line[len(m):]
	if !strings.HasSuffix(m, "(") {
		code, _ = argument(code)
		return parse(code)
	}
	first, rest := argument(code)
	if op := macro(m); op != "" { // as in CHECK_EQ(a, b)
		second, _ := argument(rest)
		return parse("(" + first + ") " + op + " (" + second + ")")
	}
	return parse(first)
}

// macro returns the comparison that the name of a macro spells, as in CHECK_EQ, or "".
func macro(head string) string {
	head = strings.TrimRight(head, "( ")
	for suffix, op := range map[string]string{"_EQ": "==", "_NE": "!=", "_LE": "<=", "_LT": "<", "_GE": ">=", "_GT": ">"} {
		if strings.HasSuffix(head, suffix) {
			return op
		}
	}
	return ""
}

// nesting says how a byte changes the depth of brackets.
var nesting = map[byte]int{'(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1}

// argument cuts code at the first comma or closing bracket that is outside all brackets and quotes.
func argument(code string) (first, rest string) {
	depth := 0
	quote := byte(0)
	for i := range len(code) {
		c := code[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case c == '"' || c == '\'':
			quote = c
			continue
		}
		depth += nesting[c]
		if depth < 0 || c == ',' && depth == 0 && !inTemplate(code, i) {
			return code[:i], code[i+1:]
		}
	}
	return code, ""
}

// inTemplate reports whether a comma separates template arguments: f<a, b>.
func inTemplate(code string, i int) bool {
	open := strings.LastIndexByte(code[:i], '<')
	if open <= 0 || !isName(code[open-1]) {
		return false
	}
	end := strings.IndexByte(code[i:], '>')
	return end > 0 && !strings.ContainsAny(code[open+1:i], "()%=&|;\"") && !strings.ContainsAny(code[i:i+end], "()%=&|;\"")
}
