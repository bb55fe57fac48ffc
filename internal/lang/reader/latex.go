package reader

import "strings"

// This file reads mathematics as girih show --as latex writes it: $\mathrm{Sw}\langle 3,4,3\rangle \circ 0 \circ
// (8,64){:}(64,1)$. It is converted to girih's language, and then read.

// latexWords are LaTeX's commands and their replacements.
var latexWords = map[string]string{
	"circ": " o ", "langle": "<", "rangle": ">", "lceil": "ceil(", "rceil": ")", "lfloor": "floor(", "rfloor": ")",
	"bmod": "%", "mod": "%",
	"min": "min", "max": "max", "cdot": "*", "times": "*", "colon": ":", "_": "_", "{": "{", "}": "}", ",": "*", ";": " ",
	":": " ", "!": "",
	" ": " ", "quad": " ", "left": "", "right": "", "bigl": "", "bigr": "", "big": "", "Bigl": "", "Bigr": "",
}

// formulaText reads the text between two dollar signs. The first one is the current token.
func (s *search) formulaText() bool {
	first := s.begin()
	open := int(s.peek().end)
	length := strings.IndexByte(s.src[open:], '$')
	if length <= 0 {
		return false
	}
	text := s.src[open : open+length]
	whole := s.isFirst() && strings.TrimSpace(s.src[open+length+1:]) == ""
	if !whole && !strings.Contains(text, "{:}") && !strings.Contains(text, `\`) {
		return false // the $ belongs to a price
	}
	n := parseFormula(text)
	if n == nil || !formulaKinds.has(n.kind) && !(whole && n.isInteger()) {
		return false
	}
	n.start, n.end = int32(open-1), int32(open+length+1)
	s.passTo(n.end)
	s.addInteger(n, first)
	return true
}

// parseFormula returns the value of a formula, or nil if there is no value.
func parseFormula(text string) *node {
	plain, ok := latexPlain(text)
	if !ok {
		return nil
	}
	p := newParser(plain)
	n := p.chain()
	if p.peek().kind != tokEOF {
		return nil
	}
	return n
}

// isInteger reports whether a formula may be an integer: a call, an operation or a name.
func (n *node) isInteger() bool {
	return n.kind == nodeCall || n.kind == nodeOp || n.kind == nodeSym && isName(n.text)
}

// formulaKinds are the kinds of value that a formula in other text may have.
const formulaKinds kindSet = 1<<nodeLayout | 1<<nodeCompose | 1<<nodeTuple | 1<<nodeSwizzle | 1<<nodeTile |
	1<<nodeInt | 1<<nodeBasis | 1<<nodeDyn

// addInteger keeps a value. A bare name in it is an integer, because the text shows that it is not a word of prose.
func (s *search) addInteger(n *node, first int) {
	if f := s.add(n, first); n.kind == nodeSym {
		f.kind = KindInt
	}
}

// latexPlain returns a formula as girih's language writes it.
func latexPlain(text string) (string, bool) {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], "{:}"):
			b = append(b, ':')
			i += 3
			continue
		case c != '\\':
			b = append(b, c)
			i++
			continue
		}
		name := latexCommand(text[i+1:])
		i += 1 + len(name)
		switch name {
		case "mathrm", "mathit", "mathtt", "text", "operatorname":
			arg, n, ok := latexArgument(text[i:])
			if !ok {
				return "", false
			}
			b = append(b, strings.ReplaceAll(arg, `\_`, "_")...)
			i += n
		case "mathbf", "vec":
			arg, n, ok := latexArgument(text[i:])
			if !ok || arg != "e" || !strings.HasPrefix(text[i+n:], "_") {
				return "", false
			}
			path, m, ok := latexArgument(text[i+n+1:])
			if !ok {
				return "", false
			}
			b = appendUnit(b, path)
			i += n + 1 + m
		case ",":
			if k := len(b); k > 0 && b[k-1] != ',' { // after a comma, it is a space
				b = append(b, '*')
			}
		default:
			word, ok := latexWords[name]
			if !ok {
				return "", false
			}
			b = append(b, word...)
		}
	}
	return string(b), true
}

// latexCommand returns the name of the command at the start of s: letters, or one other character.
func latexCommand(s string) string {
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	if n == 0 && s != "" {
		n = 1
	}
	return s[:n]
}

// latexArgument returns the text in the braces at the start of s, and its length with the braces.
func latexArgument(s string) (arg string, n int, ok bool) {
	if !strings.HasPrefix(s, "{") {
		return "", 0, false
	}
	end := strings.IndexByte(s[:min(len(s), maxLabel)], '}')
	if end < 0 {
		return "", 0, false
	}
	return s[1:end], end + 1, true
}

// appendUnit appends the path of a unit coordinate after its factor, or after a factor of 1. The path lists the
// outermost index first, girih's text the innermost.
func appendUnit(b []byte, path string) []byte {
	switch k := len(b); {
	case k > 0 && b[k-1] == '*':
		b = b[:k-1]
	default:
		b = append(b, '1')
	}
	parts := strings.Split(path, ",")
	for i := len(parts) - 1; i >= 0; i-- {
		b = append(b, '@')
		b = append(b, strings.TrimSpace(parts[i])...)
	}
	return b
}
