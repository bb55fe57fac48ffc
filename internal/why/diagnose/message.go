package diagnose

import (
	"strings"

	"girih/internal/pattern"
)

// A message is an error message with its backtrace and surroundings.
type message struct {
	text        string // the message without its place, on one line
	requirement string // the condition that clang repeats: C<10>::value % 4 == 0
	source      string // the line of source that the compiler repeats, lower case
	place       string // file:line of the message
	tool        string // the tool, if the form of the message shows it, or ""
	frames      []frame
	caller      string
	body        string // everything from the message to the next message
	before      string // for the first message: the text before the message, at most the size of one value
	above       string // for each message: the text before the first message
	first       int    // the index of the message's line
	start, end  int    // the place of the message's line in the input, in bytes
	head        bool   // the message has the form of an error, rather than only known words
}

// Forms of the lines that begin a message. The patterns do not parse nested text.
const (
	reHead      = pattern.Pattern(`^\s*(?:\[[^\]]*\]\s*)?((?:[A-Za-z]:)?[^\s:()"']+)(?::(\d+)(?::\d+)?|\((\d+)\)):? (?:fatal )?error(?: #\d+(?:-D)?)?: (.*)$`)
	reBareError = pattern.Pattern(`^\s*(?:[\w.]*(?:MLIRError|DSLRuntimeError|Error): )?(?:loc\(.*\): )?error: (.*)$`)
	reAssert    = pattern.Pattern("^(?:(.*?):(\\d+): )?.*Assertion [`'‘\"](.*)['’\"] failed")
	rePython    = pattern.Pattern(`^\s*(?:E\s+)?((?:[A-Za-z_]\w*\.)*(?:<locals>\.)?[A-Za-z_]*(?:Error|Exception|Fault))(?:: ?(.*))?$`)
	reCheck     = pattern.Pattern(`Check failed: \(?(.*?)\)? is false(?:: (.*))?$`)
	reClang     = pattern.Pattern(`static(?:_assert| assertion) failed(?: due to requirement '(.*?)')?:? ?"?([^"]*)"?$`)
	reStatic    = pattern.Pattern(`static[_ ]assert`)
	reAt        = pattern.Pattern(`" at line (\d+)(?: of (.*))?$`)
	reBare      = pattern.Pattern(`^\s*(?:E\s+)?(?:error: )?static(?:_assert| assertion)(?: failed|:)(?: due to requirement '(.*?)')?(?: with)?:? ?"?([^"]*)"?;?$`)
	reSource    = pattern.Pattern(`^\s*(?:\d+ \| *)?(?:CUTE_STATIC_ASSERT(?:_V)?|(?:\w+\.)?static_assert)\((.*), *f?"([^"]*)"\);?$`)
	reQuotedOp  = pattern.Pattern(`^\s*'[a-z_]+\.\w[\w.]*' op `)
	reButGot    = pattern.Pattern(`(?i)\bexpects? .*but got \(`)
	rePlace     = pattern.Pattern(`^\s*((?:[A-Za-z]:)?[^\s:()]+):(\d+):(?:\d+:)?`)
	rePyFrame   = pattern.Pattern(`^\s*(?:E\s+)?File "([^"]+)", line (\d+), in (\S+)`)
	reEscape    = pattern.Pattern("\x1b\\[[0-9;?]*[A-Za-z]")
)

// cutter goes over the lines of a text and collects messages.
type cutter struct {
	lines    []line
	messages []message
	context  []frame // frames of gcc, which prints a backtrace before its message
	caller   string
	python   []frame // frames of a traceback, the user's call first
	skip     int     // the last line of source below a frame of a traceback
}

// A line is one line of the text without escape sequences, and its place in the text.
type line struct {
	text       string
	start, end int
}

// linesOf splits a text into lines. The parts of a signature that was wrapped are joined into one line.
func linesOf(text string) []line {
	var lines []line
	for start := 0; start < len(text); {
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += start
		}
		t := strings.TrimRight(text[start:end], "\r")
		if strings.IndexByte(t, 0x1b) >= 0 {
			t = reEscape.ReplaceAllString(t, "")
		}
		t = trimLog(t)
		if n := len(lines) - 1; n >= 0 && isUnfinished(lines[n].text) && len(t) > 0 {
			lines[n].text += t
			lines[n].end = end
		} else {
			for _, t := range unwrapLine(t) {
				lines = append(lines, line{text: t, start: start, end: end})
			}
		}
		start = end + 1
	}
	return lines
}

// reLogged finds the prefixes that a logger puts before each line: the rank, the process, the level and time, or the
// source file.
const reLogged = pattern.Pattern(`^(?:\[(?:default\d+:?|rank ?\d+)\]:? ?|\((?:\w+ )*(?:pid|rank|ip)=[^)]{1,40}\) ?|(?:ERROR|WARNING|INFO|CRITICAL|DEBUG) \d[\d-]+ [\d:.,]+ (?:\[[\w./]+:\d+\]|[\w./]+:\d+\]) ?)+`)

// trimLog removes a logger's prefix from a line.
func trimLog(t string) string {
	if t == "" || strings.IndexByte("[(EWICD", t[0]) < 0 {
		return t
	}
	return t[len(reLogged.FindString(head(t))):]
}

// unwrapLine splits a line that contains a message of nvcc and its frames, as in text copied from a log or a chat. nvcc
// prints them on separate lines.
func unwrapLine(t string) []string {
	const frame = ` instantiation of `
	var parts []string
	for from := 0; ; {
		i := strings.Index(t[from:], frame)
		if i < 0 {
			return append(parts, t)
		}
		at := from + i + 1
		before := strings.TrimRight(t[:at], " \t")
		if !strings.HasSuffix(t[:at], "In ") && !strings.HasSuffix(t[:at], "in ") && strings.Count(before, `"`)%2 == 0 &&
			strings.TrimSpace(before) != "" {
			before = strings.TrimRight(strings.TrimSuffix(before, "detected during:"), " \t")
			parts, t, from = append(parts, before), t[at:], 0
			continue
		}
		from = at
	}
}

// maxJoined limits the length, in bytes, of a line joined from several.
const maxJoined = 1 << 20

// isUnfinished reports whether a line is a frame whose signature continues on the next line.
func isUnfinished(t string) bool {
	if len(t) > maxJoined {
		return false
	}
	if i := strings.Index(t, `instantiation of `); i >= 0 && strings.Contains(t[i:], `"`) {
		return strings.Count(t[i:], `"`) == 1
	}
	if strings.Contains(t, "required from ‘") || strings.Contains(t, "In instantiation of ‘") {
		return strings.Count(t, "‘") > strings.Count(t, "’")
	}
	return false
}

// cut finds the messages in a text. It returns none if the evaluator is stopped.
func cut(lines []line, e *evaluator) []message {
	c := cutter{lines: lines}
	for i := range lines {
		if e.isStopped() {
			return nil
		}
		c.line(i)
	}
	for i := range c.messages {
		c.messages[i].body = c.body(i)
	}
	if len(c.messages) > 0 {
		c.messages[0].before = c.before(c.messages[0].first)
		for i := range c.messages {
			c.messages[i].above = c.messages[0].before
		}
	}
	return c.messages
}

// body returns the lines from message i up to the next message.
func (c *cutter) body(i int) string {
	end := len(c.lines)
	if i+1 < len(c.messages) {
		end = c.messages[i+1].first
	}
	var b strings.Builder
	for _, l := range c.lines[c.messages[i].first:end] {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// before returns the lines before line first, up to the size of one value.
func (c *cutter) before(first int) string {
	from, size := first, 0
	for from > 0 && size+len(c.lines[from-1].text) < maxValue {
		from--
		size += len(c.lines[from].text) + 1
	}
	var b strings.Builder
	for _, l := range c.lines[from:first] {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// last returns the last message, to which a backtrace below it belongs, or nil.
func (c *cutter) last() *message {
	if len(c.messages) == 0 {
		return nil
	}
	return &c.messages[len(c.messages)-1]
}

// line reads one line: a part of a backtrace, or the beginning of a message.
func (c *cutter) line(i int) {
	t := c.lines[i].text
	switch {
	case i > 0 && i <= c.skip:
	case c.frameOfGCC(t), c.frameOfOthers(t), c.frameOfPython(i):
	case strings.Contains(t, " note: ") || echo(t) || c.repeatsSource(i), c.bareFrame(i):
	default:
		if m, ok := c.begin(i); ok {
			m.first, m.start, m.end = i, c.lines[i].start, c.lines[i].end
			c.messages = append(c.messages, m)
		}
	}
}

// echo reports whether the line is source that gcc or clang repeats: " 154 | #define ...".
func echo(t string) bool {
	s := strings.TrimLeft(t, " 0123456789")
	return strings.HasPrefix(s, "|") && len(t) > len(s)
}

// maxRepeated is how many lines below its message a compiler may repeat the source.
const maxRepeated = 8

// repeatsSource reports whether line i is the source of a message, repeated by nvcc or clang.
func (c *cutter) repeatsSource(i int) bool {
	m := c.last()
	return m != nil && m.head && i-m.first <= maxRepeated &&
		reStatic.MatchString(strings.ToLower(head(c.lines[i].text))) && begins(reHead, c.lines[i].text) == nil
}

// maxHead limits how many bytes of a line are searched for a message. Each of the ten patterns takes a tenth of a
// second for a megabyte.
const maxHead = 1 << 16

// head returns the part of a line that is searched for a message.
func head(t string) string { return t[:min(len(t), maxHead)] }

// begins returns the groups of a message pattern, if the pattern matches the searched part of the line.
func begins(p pattern.Pattern, t string) []string {
	if len(t) > maxHead && !p.MatchString(head(t)) {
		return nil
	}
	return p.FindStringSubmatch(t)
}

// begin returns the message that begins on a line.
func (c *cutter) begin(i int) (message, bool) {
	t := c.lines[i].text
	if m := begins(reHead, t); m != nil {
		return c.compiler(i, m), true
	}
	if m := begins(reAssert, t); m != nil {
		msg := message{text: m[3], tool: "assert", head: true}
		if m[1] != "" {
			msg.place = lastField(m[1]) + ":" + m[2]
		}
		if strings.Contains(t, "mlir::") || strings.Contains(t, "triton") {
			msg.tool = toolTriton
		}
		return msg, true
	}
	if m := begins(reCheck, t); m != nil {
		return message{text: strings.TrimSpace("Check failed: " + m[1] + "  " + m[2]), tool: toolTileLang, head: true}, true
	}
	if m := begins(reBare, t); m != nil && m[2] != "" {
		return message{text: strings.TrimSpace(m[2]), requirement: m[1], tool: toolCute, head: true}, true
	}
	if m := begins(reBareError, t); m != nil {
		return message{text: m[1], tool: toolDSL, head: true, frames: c.traceback(), caller: c.pythonCaller()}, true
	}
	if m := begins(rePython, t); m != nil && !strings.HasPrefix(t, "        ") {
		if strings.HasSuffix(t, "Operation creation failed:") || strings.Contains(t, "CompilationError: at ") {
			return message{}, false // the next line gives the reason
		}
		return c.exception(m[1], m[2]), true
	}
	return c.trimmedMessage(t)
}

// trimmedMessage returns the message on a line that was cut out of its surroundings: a message without the compiler's
// file and line, a message without the name of the exception, or only the sentence.
func (c *cutter) trimmedMessage(t string) (message, bool) {
	if m := begins(reSource, t); m != nil {
		msg := message{text: m[2], source: strings.TrimSpace(t), tool: toolCute, head: true}
		if strings.Contains(t, ".static_assert(") { // tl.static_assert
			msg.tool = toolTriton
		}
		return msg, true
	}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(t), "assert "); ok && rules.hasWords("assertionerror "+rest) {
		return message{text: "AssertionError: " + rest, frames: c.traceback(), caller: c.pythonCaller()}, true
	}
	if m := begins(reQuotedOp, t); m != nil && dialectOf(t) != "" {
		return message{text: strings.TrimSpace(t), tool: dialectOf(t), head: true}, true
	}
	if len(t) <= maxKnown && reButGot.MatchString(t) {
		return message{text: strings.TrimSpace(t), tool: toolDSL}, true
	}
	if rules.hasWords(t) {
		return message{text: strings.TrimSpace(t)}, true
	}
	return message{}, false
}

func lastField(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[len(f)-1]
	}
	return s
}

// compiler makes a message from a line of a C++ compiler.
func (c *cutter) compiler(i int, m []string) message {
	at := m[2]
	if at == "" {
		at = m[3]
	}
	msg := message{text: m[4], place: m[1] + ":" + at, tool: toolCute, head: true}
	if strings.HasSuffix(m[1], ".mlir") {
		msg.tool = toolDSL
	} else if strings.HasSuffix(m[1], ".py") {
		msg.tool = ""
	}
	if tool := dialectOf(m[4]); tool != "" {
		msg.tool = tool
	}
	msg.frames, msg.caller = c.context, c.caller
	if _, with, ok := strings.Cut(m[4], `assertion failed with "`); ok { // nvcc
		msg.text = strings.TrimSuffix(strings.TrimSpace(with), `"`)
	} else if r := reClang.FindStringSubmatch(m[4]); r != nil {
		msg.requirement = r[1]
		if msg.text = strings.TrimSpace(r[2]); msg.text == "" {
			msg.text = "static assertion failed"
		}
	}
	msg.readSource(c.lines[i+1 : min(i+8, len(c.lines))])
	return msg
}

// readSource reads the source that a compiler repeats below a message: the assertion, and the place of its macro.
func (m *message) readSource(lines []line) {
	for _, l := range lines {
		if reHead.MatchString(l.text) || strings.Contains(l.text, "nstantiation") {
			return
		}
		s := strings.TrimLeft(l.text, " 0123456789|")
		if strings.Contains(s, "static_assert(") || strings.Contains(s, "STATIC_ASSERT_V(") {
			if !strings.HasPrefix(s, "#define") {
				m.source = s
			}
		}
		if strings.Contains(l.text, "in expansion of macro") && strings.Contains(l.text, "STATIC_ASSERT") {
			if q := rePlace.FindStringSubmatch(l.text); q != nil {
				m.place = q[1] + ":" + q[2]
			}
		}
	}
}

// reDialect finds the MLIR operation that a diagnostic is about, or a type or an attribute of a dialect.
const reDialect = pattern.Pattern(`['!#"](cute|cute_nvgpu|tt|ttg|ttng|triton_gpu|triton_nvidia_gpu|gluon|amdgpu|amdg|nvws|tl)\.\w`)

// dialectOf returns the tool whose dialect occurs in a diagnostic.
func dialectOf(text string) string {
	m := reDialect.FindStringSubmatch(text[:min(len(text), maxKnown)])
	switch {
	case m == nil:
		return ""
	case strings.HasPrefix(m[1], "cute"):
		return toolDSL
	case m[1] == "tl":
		return toolTileLang
	}
	return toolTriton
}

// exception makes a message from a Python exception.
func (c *cutter) exception(name, text string) message {
	msg := message{text: strings.TrimSpace(name + ": " + text), head: true, frames: c.traceback(), caller: c.pythonCaller()}
	if text == "" {
		msg.text = name
	}
	if n := len(c.python); n > 0 {
		msg.place = c.python[n-1].place
		msg.source = c.python[n-1].head
		msg.tool = toolOfFile(msg.place)
	}
	return msg
}
