package litmus

import (
	"strconv"
	"strings"

	"girih/fault"
)

// A token is a word, a number or a sign.
type token struct {
	text string // empty for the token after the end of the text
	line int
	at   int // the index of its first byte
}

// scan splits a text into tokens. Comments have the form (* *) or //.
func scan(text string) []token {
	var list []token
	line := 1
	for i := 0; i < len(text); {
		rest := text[i:]
		n := 1
		switch c := text[i]; {
		case c == '\n':
			line++
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case strings.HasPrefix(rest, "//"):
			i += lengthTo(rest, "\n", 0)
			continue
		case strings.HasPrefix(rest, "(*"):
			n = lengthTo(rest, "*)", 2)
			line += strings.Count(rest[:n], "\n")
			i += n
			continue
		case isWord(c):
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
		default:
			for _, sign := range signs {
				if strings.HasPrefix(rest, sign) {
					n = len(sign)
				}
			}
		}
		list = append(list, token{rest[:n], line, i})
		i += n
	}
	return append(list, token{"", line, len(text)})
}

var signs = []string{"==", "!=", "<=", ">=", `/\`, `\/`, "&&", "||"}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '%'
}

// lengthTo returns the length of text up to the sign end plus skip, or the length of the whole text if the sign does
// not occur.
func lengthTo(text, end string, skip int) int {
	if n := strings.Index(text, end); n >= 0 {
		return n + skip
	}
	return len(text)
}

// A reader reads tokens. After the first error all further tokens are empty, so that parsing ends.
type reader struct {
	text string
	list []token
	err  error
	t    *Test
}

func (r *reader) peek() string { return r.list[0].text }

// after returns the token n tokens later.
func (r *reader) after(n int) string {
	if n < len(r.list) {
		return r.list[n].text
	}
	return ""
}

func (r *reader) next() token {
	t := r.list[0]
	if len(r.list) > 1 {
		r.list = r.list[1:]
	}
	return t
}

// skip skips the token text if it comes next.
func (r *reader) skip(text string) bool {
	if r.peek() != text || text == "" {
		return false
	}
	r.next()
	return true
}

// expect skips the token text. Another token is an error.
func (r *reader) expect(text string) {
	if !r.skip(text) {
		r.fail(strconv.Quote(text))
	}
}

// fail records an error: want was expected instead of the current token.
func (r *reader) fail(want string) {
	if r.err == nil {
		found := "the end"
		if r.peek() != "" {
			found = strconv.Quote(r.peek())
		}
		r.err = &Error{fault.Syntax, r.list[0].line, "expected " + want + ", found " + found}
	}
	r.list = r.list[len(r.list)-1:]
}

// word reads a word; errors call it what.
func (r *reader) word(what string) string {
	if t := r.peek(); t == "" || !isWord(t[0]) {
		r.fail(what)
	}
	return r.next().text
}

// integer reads an integer with an optional sign.
func (r *reader) integer() int64 {
	sign := ""
	if r.peek() == "-" {
		sign = r.next().text
	}
	base := 10
	if strings.HasPrefix(r.peek(), "0x") {
		base = 0
	}
	n, err := strconv.ParseInt(sign+r.peek(), base, 64)
	if err != nil {
		r.fail("an integer of 64 bits")
	}
	r.next()
	return n
}

// isInteger reports whether the next tokens are an integer.
func (r *reader) isInteger() bool {
	t := r.peek()
	return t == "-" || t != "" && t[0] >= '0' && t[0] <= '9'
}

// Parse parses the tests in a text. The text contains one test in the format of herd for PTX, which Dat3M uses, or one
// or more tests in the format of NVlabs' mixedproxy, with an optional table of parameters after $$.
func Parse(text string) ([]*Test, error) {
	if len(text) > maxText {
		return nil, tooLarge("expected a test of at most %d bytes, found %d", maxText, len(text))
	}
	if list := scan(text); len(list) > 1 && (list[0].text == "." || strings.Contains(text, "$$") && list[0].text != "PTX") {
		return parseNVlitmus(text)
	}
	t, err := parseHerd(text)
	if err != nil {
		return nil, err
	}
	return []*Test{t}, nil
}

// maxText limits the length of a text, in bytes.
const maxText = 1 << 16

// register returns the number of the register of a thread that has this name. It adds the register if there is none.
func (r *reader) register(thread int, name string) int {
	th := &r.t.Threads[thread]
	name = strings.TrimPrefix(name, "%")
	for i, have := range th.Registers {
		if have == name {
			return i
		}
	}
	th.Registers = append(th.Registers, name)
	th.Start = append(th.Start, 0)
	return len(th.Registers) - 1
}

// location returns the number of a location. It adds undeclared locations with the value 0.
func (r *reader) location(name string) int {
	for i, l := range r.t.Locations {
		if l.Name == name {
			return i
		}
	}
	n := len(r.t.Locations)
	r.t.Locations = append(r.t.Locations, Location{Name: name, Place: n, Address: n})
	return n
}
