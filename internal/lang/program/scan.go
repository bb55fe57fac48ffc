package program

import (
	"fmt"
	"strings"
)

// Error is the first fault of a source.
type Error struct {
	Pos, End   int // its bytes, End exclusive
	Msg        string
	Incomplete bool // more input, begun on a new line, could make the source valid
	Refused    bool // a statement of Python or C++ that is not run
}

// Error returns the message without the place.
func (e *Error) Error() string { return e.Msg }

// fail records the first fault.
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

// blank skips spaces and comments, and with lines also newlines and semicolons.
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

// comment returns the end of the comment that begins at i, before its newline, or i if there is no comment.
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

// quote returns the end of the text in quotation marks that begins at i, and the range between the quotation marks. It
// fails if the text does not end.
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

// An extent is a statement or a part of one, whose end is found by matching brackets.
type extent struct {
	end    int  // after its last byte
	next   int  // the beginning of the next extent
	by     byte // the byte that ended it: '\n', ';', one of the stops, or 0 at the end of the source
	assign int  // its first '=' outside brackets; -1 if there is none
	joints []joint
}

// A joint joins two parts of a test: a comparison, or "and".
type joint struct {
	pos int
	op  string
}

// A scan says what ends an extent.
type scan struct {
	stops  string // bytes that end it outside brackets
	tests  bool   // '<' and '>' compare, except right after a name
	within bool   // it is inside brackets, where newlines are spaces
	limit  int    // the end of the source
}

// scan finds the end of the extent that begins at i.
func (p *parser) scan(i int, s scan) extent {
	e := extentScan{parser: p, how: s, x: extent{assign: -1, end: i}, start: i}
	for i < s.limit && p.err == nil {
		if end, ok := e.skip(i); ok {
			i = end
			continue
		}
		if e.ends(i) {
			e.x.next, e.x.by = i+1, p.src[i]
			return e.x
		}
		e.byte(i)
		i++
	}
	e.x.next = i
	if len(e.open) > 0 {
		last := p.src[e.open[len(e.open)-1]]
		p.more(fmt.Sprintf("'%c' to close the '%c'", closer[last], last))
	} else if !s.within && p.continues(e.start, e.x.end) {
		p.more("an expression")
	}
	return e.x
}

// An extentScan is a scan with what it has found so far.
type extentScan struct {
	*parser
	how   scan
	x     extent
	start int
	open  []int // the open brackets
}

// skip moves over a comment, an operator of a test, or a text in quotation marks at i, if there is one.
func (e *extentScan) skip(i int) (end int, ok bool) {
	if end := e.comment(i); end > i {
		if e.division(i) {
			e.fail(i, i+2, "// is a comment of C++ and a division of Python: write # for a comment, floor(a/b) for a quotient")
		}
		return end, true
	}
	if op := e.joint(i); e.how.tests && op != "" && len(e.open) == 0 {
		e.x.joints = append(e.x.joints, joint{i, op})
		e.x.end = i + len(op)
		return e.x.end, true
	}
	if c := e.src[i]; (c == '"' || c == '\'') && !e.stopsAt(c) {
		e.x.end, _, _ = e.quote(i)
		return e.x.end, true
	}
	return i, false
}

// stopsAt reports whether c is a stop, outside of brackets.
func (e *extentScan) stopsAt(c byte) bool {
	return len(e.open) == 0 && strings.IndexByte(e.how.stops, c) >= 0
}

// ends reports whether the byte at i ends the extent. It fails if an operand is missing before the byte.
func (e *extentScan) ends(i int) bool {
	c := e.src[i]
	ofLine := len(e.open) == 0 && !e.how.within && (c == ';' || c == '\n' && !e.continues(e.start, e.x.end))
	if !ofLine && !e.stopsAt(c) {
		return false
	}
	shown := e.at(e.x.end-1) == '=' && strings.IndexByte("}!:", c) >= 0 // {x=} of an f-string
	if c != '\n' && e.x.end > e.start && e.continues(e.start, e.x.end) && !shown {
		e.fail(i, i+1, "expected an expression before '%c'", c)
	}
	return true
}

// byte takes the byte at i, which may open or close a bracket or be the '=' of a binding.
func (e *extentScan) byte(i int) {
	c := e.src[i]
	switch {
	case c == '(' || c == '[' || c == '{' || c == '<' && e.opens(i) && !(e.how.tests && e.apart(i)):
		e.open = append(e.open, i)
	case c == '>' && e.inLess() && e.at(i-1) != '-' && e.at(i-1) != '=':
		e.open = e.open[:len(e.open)-1]
	case c == ')' || c == ']' || c == '}':
		e.open = e.shut(e.open, i)
	case len(e.open) > 0:
	case c == '=' && e.x.assign < 0 && e.at(i+1) != '=' && strings.IndexByte("=<>!", e.at(i-1)) < 0:
		e.x.assign = i
	}
	if strings.IndexByte(blanks+"\n\\", c) < 0 {
		e.x.end = i + 1
	}
}

// inLess reports whether the innermost open bracket is '<'.
func (e *extentScan) inLess() bool { return len(e.open) > 0 && e.src[e.open[len(e.open)-1]] == '<' }

var closer = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// shut closes the bracket at i, and forgets each '<' inside that was no bracket.
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

// joint returns the operator of a test that begins at i, outside of brackets.
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

// opens reports whether the '<' at i may be a bracket. In a test it is not if a blank follows.
func (p *parser) opens(i int) bool { return p.at(i+1) != '=' }

// apart reports whether a blank follows the '<' at i.
func (p *parser) apart(i int) bool { return p.at(i+1) == ' ' || p.at(i+1) == '\n' }

// continues reports whether the extent from start continues on the next line.
func (p *parser) continues(start, end int) bool {
	switch c := p.at(end - 1); c {
	case '=', '+', '-', '*', '/', '%', ',', ':':
		return true
	case 'o':
		return p.at(end-2) == ' ' && p.operand(start, end-1)
	}
	return strings.HasSuffix(p.src[:end], "∘") || strings.HasPrefix(strings.TrimLeft(p.src[end:], blanks), "\\\n")
}

// operand reports whether the text from start to end ends with an operand. After an operand, o is the operator of
// composition; elsewhere it is a name.
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

// division reports whether the // at i may be Python's division: an operand precedes it, and a single word follows.
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

// isWord reports whether a byte may be part of a name or a number.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// word returns the end of the name that begins at i, including its namespaces.
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
