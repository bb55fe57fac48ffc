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

// blank skips spaces and comments; if lines is true, it also skips newlines and semicolons.
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

// An extent is a statement or a part of a statement, whose end is found by matching brackets.
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

// scan finds the end of the extent that begins at i, by the rows of scanRules.
func (p *parser) scan(i int, s scan) extent {
	e := extentScan{parser: p, how: s, x: extent{assign: -1, end: i}, start: i}
	for i < s.limit && p.err == nil {
		if i = e.step(i); e.done {
			return e.x
		}
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

// An extentScan is the state of a scan.
type extentScan struct {
	*parser
	how   scan
	x     extent
	start int
	open  []int // the open brackets
	done  bool  // the end of the extent is found
}

// step processes the byte at i, and returns where the scan continues.
func (e *extentScan) step(i int) int {
	for k := range scanRules {
		r := &scanRules[k]
		if strings.IndexByte(r.bytes, e.src[i]) >= 0 && (r.holds == nil || r.holds(e, i)) {
			return r.does(e, i)
		}
	}
	return e.include(i)
}

var closer = map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}

// shut closes the bracket at i, and forgets each '<' inside that was not a bracket.
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
