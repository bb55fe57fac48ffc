package program

import (
	"fmt"
	"strings"
)

// Error is the first fault of a source.
type Error struct {
	Pos, End   int // the bytes of it, End exclusive
	Msg        string
	Incomplete bool // more input, begun on a new line, could make the source valid
	Refused    bool // it is a statement of Python or C++ that is not run
}

// Error returns the message without the place.
func (e *Error) Error() string { return e.Msg }

// fail notes the first fault.
func (p *parser) fail(pos, end int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Pos: pos, End: end, Msg: fmt.Sprintf(format, args...)}
	}
}

// more fails where the source ends too early.
func (p *parser) more(what string) {
	p.fail(len(p.src), len(p.src), "expected %s, found end of input", what)
	p.err.Incomplete = true
}

// at returns the byte at offset i, 0 beyond the end.
func (p *parser) at(i int) byte {
	if i < 0 || i >= len(p.src) {
		return 0
	}
	return p.src[i]
}

// blanks are the bytes between the words of a line.
const blanks = " \t\r\v\f"

// blank moves over spaces and comments, and over newlines and semicolons if lines says so.
func (p *parser) blank(i int, lines string) int {
	for i < len(p.src) {
		switch c := p.src[i]; {
		case strings.IndexByte(blanks, c) >= 0, strings.IndexByte(lines, c) >= 0:
			i++
		case c == '\\' && p.at(i+1) == '\n':
			i += 2
		default:
			end := p.comment(i)
			if end == i {
				return i
			}
			i = end
		}
	}
	return i
}

// comment returns the end of the comment that begins at i, before its newline; i if none does.
func (p *parser) comment(i int) int {
	rest := p.src[i:]
	n := -1
	switch {
	case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
		n = strings.IndexByte(rest, '\n')
	case strings.HasPrefix(rest, "/*"):
		if n = strings.Index(rest[2:], "*/"); n >= 0 {
			return i + n + 4
		}
		p.more("*/ to end the comment")
	default:
		return i
	}
	if n < 0 {
		return len(p.src)
	}
	return i + n
}

// quote returns the end of the text in quotation marks that begins at i, and where what is between them begins and
// ends. It fails where the text does not end.
func (p *parser) quote(i int) (end, from, to int) {
	mark := p.src[i : i+1]
	if strings.HasPrefix(p.src[i:], strings.Repeat(mark, 3)) {
		mark = p.src[i : i+3]
	}
	from = i + len(mark)
	for k := from; k < len(p.src); k++ {
		switch {
		case p.src[k] == '\\':
			k++
		case strings.HasPrefix(p.src[k:], mark):
			return k + len(mark), from, k
		case p.src[k] == '\n' && len(mark) == 1:
			p.fail(i, k, "expected %s to end the text", mark)
			return k, from, k
		}
	}
	p.more(mark + " to end the text")
	return len(p.src), from, len(p.src)
}

// An extent is a statement, or a part of one, as the brackets in it have it.
type extent struct {
	end    int  // behind its last byte
	next   int  // where the next one begins
	by     byte // what ended it: '\n', ';', one of the stops, or 0 at the end of the source
	assign int  // its first '=' outside brackets; -1 if there is none
	joints []joint
}

// A joint is what joins two parts of a test: a comparison, or "and".
type joint struct {
	pos int
	op  string
}

// A scan says where an extent ends.
type scan struct {
	stops  string // bytes that end it outside brackets
	tests  bool   // '<' and '>' compare, unless they stand at a name
	within bool   // it stands in brackets, where newlines mean nothing
	limit  int    // the source ends here
}

// scan finds the end of what begins at i.
func (p *parser) scan(i int, s scan) extent {
	x, start := extent{assign: -1, end: i}, i
	var open []int // the brackets that are open
	for i < s.limit && p.err == nil {
		c := p.src[i]
		if end := p.comment(i); end > i {
			if p.division(i) {
				p.fail(i, i+2, "// is a comment of C++ and a division of Python: write # for a comment, floor(a/b) for a quotient")
			}
			i = end
			continue
		}
		if op := p.joint(i); s.tests && op != "" && len(open) == 0 {
			x.joints = append(x.joints, joint{i, op})
			i += len(op)
			x.end = i
			continue
		}
		switch {
		case (c == '"' || c == '\'') && (len(open) > 0 || strings.IndexByte(s.stops, c) < 0):
			i, _, _ = p.quote(i)
			x.end = i
			continue
		case len(open) == 0 && strings.IndexByte(s.stops, c) >= 0, c == ';' && len(open) == 0 && !s.within,
			c == '\n' && len(open) == 0 && !s.within && !p.continues(start, x.end):
			shown := p.at(x.end-1) == '=' && strings.IndexByte("}!:", c) >= 0 // {x=} of an f-string
			if c != '\n' && x.end > start && p.continues(start, x.end) && !shown {
				p.fail(i, i+1, "expected an expression before '%c'", c)
			}
			x.next, x.by = i+1, c
			return x
		case c == '(' || c == '[' || c == '{' || c == '<' && p.opens(i) && !(s.tests && p.apart(i)):
			open = append(open, i)
		case c == '>' && len(open) > 0 && p.src[open[len(open)-1]] == '<' && p.at(i-1) != '-' && p.at(i-1) != '=':
			open = open[:len(open)-1]
		case c == ')' || c == ']' || c == '}':
			open = p.shut(open, i)
		case len(open) > 0:
		case c == '=' && x.assign < 0 && p.at(i+1) != '=' && strings.IndexByte("=<>!", p.at(i-1)) < 0:
			x.assign = i
		}
		i++
		if strings.IndexByte(blanks+"\n\\", c) < 0 {
			x.end = i
		}
	}
	x.next = i
	if len(open) > 0 {
		p.more(fmt.Sprintf("'%c' to close the '%c'", closer[p.src[open[len(open)-1]]], p.src[open[len(open)-1]]))
	} else if !s.within && p.continues(start, x.end) {
		p.more("an expression")
	}
	return x
}

var closer = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// shut closes the bracket at i, and the '<' in it that were none.
func (p *parser) shut(open []int, i int) []int {
	for len(open) > 0 {
		last := p.src[open[len(open)-1]]
		open = open[:len(open)-1]
		if closer[last] == p.src[i] {
			return open
		}
		if last != '<' {
			break
		}
	}
	p.fail(i, i+1, "'%c' closes nothing", p.src[i])
	return open
}

// joint returns the operator of a test that begins at i, outside brackets.
func (p *parser) joint(i int) string {
	for _, op := range []string{"<=", ">=", "!=", "&&", "||", "and", "or", "not", "<", ">"} {
		if !strings.HasPrefix(p.src[i:], op) {
			continue
		}
		switch {
		case op == "<" && p.opens(i) && !p.apart(i), op == ">" && p.at(i-1) == '-':
			return ""
		case isWord(op[0]) && (isWord(p.at(i-1)) || p.at(i-1) == '.' || isWord(p.at(i+len(op)))):
			continue
		}
		return op
	}
	return ""
}

// opens reports whether the '<' at i may be a bracket; in a test it is none if it stands apart.
func (p *parser) opens(i int) bool { return p.at(i+1) != '=' }

// apart reports whether a blank stands behind the '<' at i.
func (p *parser) apart(i int) bool { return p.at(i+1) == ' ' || p.at(i+1) == '\n' }

// continues reports whether what began at start and has come to end goes on in the next line.
func (p *parser) continues(start, end int) bool {
	switch c := p.at(end - 1); c {
	case '=', '+', '-', '*', '/', '%', ',', ':':
		return true
	case 'o':
		return p.at(end-2) == ' ' && p.operand(start, end-1)
	}
	return strings.HasSuffix(p.src[:end], "∘") || strings.HasPrefix(strings.TrimLeft(p.src[end:], blanks), "\\\n")
}

// operand reports whether what began at start ends, before end, with an operand: behind one an o composes, and
// elsewhere it is a name.
func (p *parser) operand(start, end int) bool {
	before := strings.TrimRight(p.src[start:end], blanks)
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return r > 0x7f || !isWord(byte(r)) })+1:]
	switch word {
	case "return", "assert", "and", "or", "not", "in":
		return false
	}
	return isWord(last) || strings.IndexByte(`)]}>"'`, last) >= 0
}

// division reports whether the // at i may be that of Python: behind an operand, with one word behind it.
func (p *parser) division(i int) bool {
	if !strings.HasPrefix(p.src[i:], "//") {
		return false
	}
	line := p.src[strings.LastIndexByte(p.src[:i], '\n')+1 : i]
	before := strings.TrimRight(line, blanks)
	after, _, _ := strings.Cut(p.src[i+2:], "\n")
	after = strings.TrimRight(strings.TrimSpace(after), ",;):")
	if before == "" || after == "" || strings.ContainsAny(after, blanks) {
		return false
	}
	last := before[len(before)-1]
	return (isWord(last) || last == ')' || last == ']') && isWord(after[0])
}

// isWord reports whether a byte may stand in a name or a number.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// word returns the end of the name, with its namespaces, that begins at i.
func (p *parser) word(i int) int {
	start := i
	for {
		switch {
		case isWord(p.at(i)):
			i++
		case i > start && p.at(i) == '.' && isWord(p.at(i+1)):
			i += 2
		case i > start && strings.HasPrefix(p.src[i:], "::") && isWord(p.at(i+2)):
			i += 3
		default:
			return i
		}
	}
}
