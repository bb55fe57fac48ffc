package reader

import (
	"fmt"
	"strings"
)

// This file reads the comment that girih show writes after C++ and Python text. The comment states facts that a
// variable of those languages cannot express: K % 8 == 0; n0: run-time int; n1: run-time int64_t; is_ stands for is.

// A remark is the information of a comment about one variable.
type remark struct {
	nameless bool   // the integer was ? before it got this name
	name     string // the name, unless it is a word of the source's language; otherwise ""
	bits     string // i64, or ""
	div      string // the divisor, or ""
}

// maxRemarks limits the comment, in bytes: each value before the last value in the comment reads the comment again.
const maxRemarks = 1 << 12

// remarks reads the comment at the current token and passes over it, if it consists of remarks only.
func (s *search) remarks(n *node) *node {
	t := s.peek()
	if t.line || t.kind != tokSlashes && (t.c != '#' || !s.at(1).space) {
		return n
	}
	line, _, ok := strings.Cut(s.src[t.end:min(len(s.src), int(t.end)+maxRemarks)], "\n")
	if !ok && int(t.end)+len(line) < len(s.src) {
		return n
	}
	about := make(map[string]remark)
	for sentence := range strings.SplitSeq(line, ";") {
		if !readRemark(strings.TrimSpace(sentence), about) {
			return n
		}
	}
	for s.pos++; !s.peek().line; s.pos++ {
	}
	n = n.withRemarks(about)
	n.end = s.end()
	return n
}

// readRemark reads one sentence. A remark on an expression is valid but ignored.
func readRemark(sentence string, about map[string]remark) bool {
	if name, of, ok := strings.Cut(sentence, " stands for "); ok {
		r := about[name]
		r.name = of
		about[name] = r
		return isName(name) && isName(of)
	}
	if x, ok := strings.CutSuffix(sentence, " == 0"); ok {
		i := strings.LastIndex(x, " % ")
		if i <= 0 || strings.Trim(x[i+3:], "0123456789") != "" || x[i+3:] == "" {
			return false
		}
		r := about[x[:i]]
		r.div = x[i+3:]
		about[x[:i]] = r
		return true
	}
	name, kind, ok := strings.Cut(sentence, ": ")
	if i := strings.LastIndex(sentence, ": "); ok && i > len(name) { // cute::min(a, b): int64_t
		name, kind = sentence[:i], sentence[i+2:]
	}
	if !ok || name == "" {
		return false
	}
	r := about[name]
	kind, r.nameless = strings.CutPrefix(kind, "run-time ")
	switch {
	case !integerTypes[kind] || !r.nameless && kind == "int":
		return false
	case strings.Contains(kind, "64"):
		r.bits = "i64"
	}
	about[name] = r
	return true
}

func isName(s string) bool { return s != "" && !isDigit(s[0]) && wordLen(s) == len(s) }

// withRemarks returns the value with the remarks on its variables.
func (n *node) withRemarks(about map[string]remark) *node {
	switch n.kind {
	case nodeSym, nodeBasis:
		name := n.text[:wordLen(n.text)]
		r, ok := about[name]
		if !ok {
			return n
		}
		rest := n.text[len(name):]
		m := *n
		if strings.HasPrefix(rest, "{div=") && r.div == "" {
			r.div = rest[5:max(5, strings.IndexByte(rest, '}'))]
		}
		if strings.HasPrefix(rest, "{") {
			rest = rest[strings.IndexByte(rest, '}')+1:]
		}
		if r.name != "" {
			name = r.name
		}
		if r.nameless {
			name = "?"
			if n.kind == nodeSym {
				m.kind = nodeDyn
			}
		}
		m.text = name + r.braces() + rest
		return &m
	}
	if len(n.kids) == 0 {
		return n
	}
	m := *n
	m.kids = make([]*node, len(n.kids))
	for i, k := range n.kids {
		m.kids[i] = k.withRemarks(about)
	}
	return &m
}

// braces returns the facts about an integer as girih's language writes them: {i64 div=8}.
func (r remark) braces() string {
	switch {
	case r.bits != "" && r.div != "":
		return fmt.Sprintf("{%s div=%s}", r.bits, r.div)
	case r.div != "":
		return "{div=" + r.div + "}"
	case r.bits != "":
		return "{" + r.bits + "}"
	}
	return ""
}
