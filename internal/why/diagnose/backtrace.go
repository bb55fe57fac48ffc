package diagnose

import (
	"strings"

	"girih/internal/pattern"
)

// frameOfGCC reads frames of gcc, which precede the message. gcc quotes ‘so’, or 'so' if the locale is C.
func (c *cutter) frameOfGCC(t string) bool {
	quoted := func(after string) (frame, bool) {
		open, end := "‘", "’"
		if !strings.Contains(t, after+open) {
			open, end = "'", "'"
		}
		_, rest, ok := strings.Cut(t, after+open)
		if !ok || len(c.context) >= maxFrames {
			return frame{}, ok
		}
		if i := strings.LastIndex(rest, end); i >= 0 {
			rest = rest[:i]
		}
		f := parseSignature(rest)
		if m := rePlace.FindStringSubmatch(t); m != nil {
			f.place = m[1] + ":" + m[2]
		}
		return f, true
	}
	if f, ok := quoted("In instantiation of "); ok {
		f.place = ""
		c.context, c.caller = []frame{f}, ""
		return true
	}
	if f, ok := quoted("required from "); ok {
		c.context = append(c.context, f)
		return true
	}
	if strings.Contains(t, "required from here") {
		if m := rePlace.FindStringSubmatch(t); m != nil {
			c.caller = m[1] + ":" + m[2]
		}
		return true
	}
	return strings.HasPrefix(t, "In file included from") || strings.HasPrefix(t, "                 from ")
}

// frameOfOthers reads frames of nvcc and clang, which follow the message.
func (c *cutter) frameOfOthers(t string) bool {
	i := strings.Index(t, "nstantiation of ")
	m := c.last()
	if i < 0 || m == nil || len(m.frames) >= maxFrames {
		return i >= 0
	}
	rest := t[i:]
	var f frame
	if open := strings.IndexByte(rest, '"'); open >= 0 { // nvcc
		close := strings.LastIndexByte(rest, '"')
		if close == open {
			close = len(rest)
		}
		f = parseSignature(rest[open+1 : close])
		if at := reAt.FindStringSubmatch(rest); at != nil {
			f.place = at[2] + ":" + at[1]
			if at[2] == "" {
				f.place = ""
				if file, _ := cutLast(m.lastPlace(), ":"); file != "" { // the file of a trimmed message is unknown
					f.place = file + ":" + at[1]
				}
			}
		}
	} else if open := strings.IndexByte(rest, '\''); open >= 0 { // clang
		close := strings.LastIndexByte(rest, '\'')
		if close == open {
			close = len(rest)
		}
		f = parseSignature(rest[open+1 : close])
		if p := rePlace.FindStringSubmatch(t); p != nil {
			f.place = p[1] + ":" + p[2]
		}
	} else {
		return false
	}
	m.frames = append(m.frames, f)
	if !library(f.place) && f.place != "" {
		m.caller = f.place
	}
	return true
}

// reBareFrame finds a function of CuTe with its template arguments, without the text that compilers print around it.
const reBareFrame = pattern.Pattern(`^[\s"'‘]*(?:[\w:&*<>]+ )*?(?:cute::)?(?:detail::)?(composition_impl|composition|logical_divide|zipped_divide|tiled_divide|flat_divide|logical_product|tile_to_shape|complement|left_inverse|upcast|downcast|shape_div)(?:\(.*\))? ?\[with .*=`)

// lostFrame begins the text of a message made from frames whose own message was lost.
const lostFrame = "a frame of a backtrace without its message"

// bareFrame reads a frame without the text around it, as a truncated terminal shows it. The frame belongs to the
// message above it. If there is none, the frame becomes a message.
func (c *cutter) bareFrame(i int) bool {
	t := c.lines[i].text
	if !strings.Contains(head(t), "[with ") || begins(reBareFrame, t) == nil {
		return false
	}
	f := parseSignature(strings.Trim(strings.TrimSpace(t), `"'‘’`))
	m := c.last()
	if m == nil {
		l := c.lines[i]
		c.messages = append(c.messages, message{
			text: lostFrame + ": " + f.name, tool: toolCute, first: i, start: l.start,
			end: l.end,
		})
		m = c.last()
	}
	if len(m.frames) < maxFrames {
		m.frames = append(m.frames, f)
	}
	return true
}

// lastPlace returns the place of the last frame that has one, or else the place of the message.
func (m *message) lastPlace() string {
	for i := len(m.frames) - 1; i >= 0; i-- {
		if m.frames[i].place != "" {
			return m.frames[i].place
		}
	}
	return m.place
}

// cutLast splits a text at its last separator.
func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}

// library reports whether a file belongs to CUTLASS, CuTe or a Python library rather than to the user.
func library(place string) bool {
	for _, dir := range []string{
		"include/cute/", "include/cutlass/", "/cute/", "pycute/", "site-packages/", "dist-packages/", "/c++/",
	} {
		if strings.Contains(place, dir) {
			return true
		}
	}
	return false
}

// frameOfPython reads a frame of a traceback and the line of source below it.
func (c *cutter) frameOfPython(i int) bool {
	t := c.lines[i].text
	if strings.HasPrefix(t, "Traceback (most recent call last)") {
		c.python = nil
		return true
	}
	m := begins(rePyFrame, t)
	if m == nil {
		return false
	}
	if len(c.python) < maxFrames {
		f := frame{name: m[3], place: m[1] + ":" + m[2]}
		if i+1 < len(c.lines) && sourceOf(t, c.lines[i+1].text) {
			f.head, c.skip = c.statement(t, i+1)
		}
		c.python = append(c.python, f)
	}
	return true
}

const reMarker = pattern.Pattern(`^[\s^~]+$`) // Python's marker below a line of source

// maxStatement limits the lines that are read for one statement.
const maxStatement = 16

// statement returns the source that a Python frame shows, which may span several lines, and the index of its last line.
func (c *cutter) statement(frame string, first int) (source string, last int) {
	source, last = strings.TrimSpace(c.lines[first].text), first
	for i := first + 1; i < min(first+maxStatement, len(c.lines)) && open(source) > 0; i++ {
		t := c.lines[i].text
		if strings.TrimSpace(t) == "" || !sourceOf(frame, t) || len(source)+len(t) > maxKnown {
			break
		}
		if last = i; !reMarker.MatchString(t) {
			source += " " + strings.TrimSpace(t)
		}
	}
	if open(source) > 0 {
		return strings.TrimSpace(c.lines[first].text), first // the statement is cut off: return its first line
	}
	return source, last
}

// open returns the number of brackets in source that are still open at the end. It ignores quoted text.
func open(source string) int {
	depth, quote := 0, byte(0)
	for i := range len(source) {
		switch ch := source[i]; {
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '"' || ch == '\'':
			quote = ch
		case strings.IndexByte("([{", ch) >= 0:
			depth++
		case strings.IndexByte(")]}", ch) >= 0:
			depth--
		}
	}
	return depth
}

// sourceOf reports whether the line below a Python frame is the frame's source. Source is indented more than the frame;
// another frame or the exception is not. If the file is missing, the frame has no source. If the indentation was lost,
// the form of the line decides.
func sourceOf(frame, next string) bool {
	if rePyFrame.MatchString(next) {
		return false
	}
	deep, deeper := len(frame)-len(strings.TrimLeft(frame, " \t")), len(next)-len(strings.TrimLeft(next, " \t"))
	return deeper > deep || deep == deeper && !rePython.MatchString(next) && !reBareError.MatchString(next)
}

// traceback returns the frames of the traceback, innermost first, as in C++ backtraces.
func (c *cutter) traceback() []frame {
	fs := make([]frame, len(c.python))
	for i, f := range c.python {
		fs[len(fs)-1-i] = f
	}
	return fs
}

// pythonCaller returns the innermost place in a traceback that is not in a library.
func (c *cutter) pythonCaller() string {
	for i := len(c.python) - 1; i >= 0; i-- {
		if !library(c.python[i].place) {
			return c.python[i].place
		}
	}
	return ""
}

func toolOfFile(place string) string {
	switch {
	case strings.Contains(place, "pycute/algebra") || strings.Contains(place, "pycute/htuple") ||
		strings.Contains(place, "pycute/shape.py"):
		return toolPyCute
	case strings.Contains(place, "pycute"):
		return toolPycute
	case strings.Contains(place, "tilelang") || strings.Contains(place, "/tvm/"):
		return toolTileLang
	case strings.Contains(place, "triton"):
		return toolTriton
	case strings.Contains(place, "cutlass"):
		return toolDSL
	}
	return ""
}

// parseSignature reads a function as compilers write it, with the parameters after the name or in angle brackets:
//
//	constexpr auto cute::composition(const Layout<ShapeA, StrideA>&, ...) [with LShape = tuple<C<4>, C<3> >; ...]
//	auto cute::shape_div(const IntTupleA &, const IntTupleB &) [with IntTupleA=cute::_136, IntTupleB=cute::_64]
//	cute::composition<cute::tuple<cute::C<4>, cute::C<3>>, ...>
//	struct cute::TiledCopy<cute::Copy_Atom<...>, cute::Layout<...>, cute::tuple<...> >
func parseSignature(text string) frame {
	var f frame
	head, with, named := strings.Cut(text, "[with ")
	f.head = strings.TrimSpace(head)
	if named {
		with = strings.TrimRight(with, " ]")
		sep := byte(',')
		if strings.Contains(with, "; ") {
			sep = ';'
		}
		for _, p := range split(with, sep) {
			if name, text, ok := strings.Cut(p, "="); ok {
				// gcc puts a value's type before the name: int N = 4.
				_, name = cutLast(" "+strings.TrimSpace(name), " ")
				f.params = append(f.params, param{name: name, text: strings.TrimSpace(text)})
			}
		}
	}
	f.name, f.args = functionName(f.head)
	if !named && len(f.args) == 0 && !strings.Contains(f.name, "lambda") {
		f.args = layoutArguments(f.head)
	}
	return f
}
