package ptx

import (
	"strconv"
	"strings"
)

// Parse reads a module. Names, opcodes and types of the tree share the memory of src. Parse drops comments and
// evaluates constant expressions (PTX ISA 4.5). The error is an *[Error].
func Parse(src string) (*Module, error) {
	p := &parser{scanner: scanner{src: src, line: 1}}
	if len(src) > MaxSource {
		most := "at most " + strconv.Itoa(MaxSource) + " bytes"
		return nil, &Error{Code: CodeLimit, Line: 1, Col: 1, Expected: most, Found: strconv.Itoa(len(src))}
	}
	p.next()
	m := p.module()
	if p.err != nil {
		return nil, p.err
	}
	return m, nil
}

// parser reads by recursive descent, one token ahead. After the first error it sees only the end of the file, so every
// loop that stops at the end of the file terminates.
type parser struct {
	scanner
	err   *Error
	depth int
	call  bool // true inside a call, where parentheses enclose lists
	heap
}

// fail records that something else was expected in place of the current token.
func (p *parser) fail(expected string) { p.failAt(CodeSyntax, p.scanner, expected, p.describe()) }

// failBehind is fail for something that should follow the previous token. The error is on the line of the previous
// token.
func (p *parser) failBehind(expected string) {
	if p.kind == eof { // also after the first error, when counting lines may be slow
		p.fail(expected)
		return
	}
	lines := strings.Count(p.src[p.before:p.start], "\n")
	if lines == 0 {
		p.fail(expected)
		return
	}
	p.start, p.line = p.before, p.line-lines
	p.lineStart = strings.LastIndexByte(p.src[:p.start], '\n') + 1
	p.failAt(CodeSyntax, p.scanner, expected, "end of line")
}

// failAt records the error if it is the first, at the current token of at, and skips to the end of the file.
func (p *parser) failAt(code Code, at scanner, expected, found string) {
	if p.err == nil {
		pos := at.pos()
		line, _, _ := strings.Cut(p.src[at.lineStart:], "\n")
		p.err = &Error{code, int(pos.Line), int(pos.Col), expected, found, strings.TrimRight(line, "\r")}
	}
	p.kind, p.start, p.end = eof, len(p.src), len(p.src)
}

// describe returns the current token as errors show it.
func (s *scanner) describe() string {
	const shown = 40 // bytes
	switch {
	case s.kind == eof:
		return "end of file"
	case s.kind == invalid && strings.HasPrefix(s.token(), "/*"):
		return "a comment without an end"
	case s.kind == invalid && s.src[s.start] == '"':
		return "a string without an end"
	case s.kind == text:
		return "a string"
	}
	t := s.token()
	if len(t) > shown {
		t = t[:shown] + "..."
	}
	if len(t) == 1 && (t[0] < ' ' || t[0] > '~') {
		return "byte " + strconv.Itoa(int(t[0]))
	}
	return "'" + t + "'"
}

// got skips the current token if its kind is k, and reports whether the kind was k.
func (p *parser) got(k kind) bool {
	if p.kind != k {
		return false
	}
	p.next()
	return true
}

// want skips the current token, whose kind must be k.
func (p *parser) want(k kind) {
	if p.kind != k {
		p.failBehind("'" + string(rune(k)) + "'")
		return
	}
	p.next()
}

// is reports whether the current token is the directive .name.
func (p *parser) is(name string) bool {
	return p.kind == directive && p.src[p.start+1:p.end] == name
}

// enter counts a nested construct. If enter returns true, the caller must call leave at the end of the construct.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > MaxDepth {
		what := "at most " + strconv.Itoa(MaxDepth) + " blocks, lists and parentheses within each other"
		p.failAt(CodeDepth, p.scanner, what, "another one")
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// name reads an identifier; errors call the identifier by the text what.
func (p *parser) name(what string) Name {
	if p.kind != word || p.token() == "%" {
		p.fail(what)
		return ""
	}
	n := Name(p.token())
	p.next()
	return n
}

// quotedString reads a string and returns the text between its quotes.
func (p *parser) quotedString() string {
	if p.kind != text {
		p.fail("a string")
		return ""
	}
	s := p.src[p.start+1 : p.end-1]
	p.next()
	return s
}

func (p *parser) strings() []string {
	list := []string{p.quotedString()}
	for p.got(',') {
		list = append(list, p.quotedString())
	}
	return list
}

// integer reads a constant from low to high; errors call the constant by the text what.
func (p *parser) integer(what string, low, high int64) int64 {
	at := p.scanner
	if k := p.kind; k != number && k != '-' && k != '(' && k != '+' && k != '~' && !p.isWarpSize() {
		p.fail(what)
		return low
	}
	c := p.constant(0)
	if p.err != nil {
		return low
	}
	if c.float {
		p.failAt(CodeSyntax, at, what, at.describe())
		return low
	}
	if n := int64(c.bits); n >= low && n <= high {
		return n
	}
	p.failAt(CodeOverflow, at, what+" from "+strconv.FormatInt(low, 10)+" to "+strconv.FormatInt(high, 10), c.String())
	return low
}

// module reads a whole file.
func (p *parser) module() *Module {
	m := &Module{}
	if !p.is("version") {
		p.fail("'.version'")
	}
	p.next()
	m.Version = p.version()
	if !p.is("target") {
		p.fail("'.target'")
	}
	p.next()
	m.Target = []string{string(p.name("a target"))}
	for p.got(',') {
		m.Target = append(m.Target, string(p.name("an option of the target")))
	}
	if p.is("address_size") {
		p.next()
		at := p.scanner
		if m.AddressSize = int(p.integer("32 or 64", 0, 1<<20)); m.AddressSize != 32 && m.AddressSize != 64 {
			p.failAt(CodeSyntax, at, "32 or 64", at.describe())
		}
	}
	for p.kind != eof {
		if p.got(';') {
			continue
		}
		if d := p.decl(); d != nil {
			m.Decls = append(m.Decls, d...)
		}
	}
	return m
}

// version reads a version such as "8.7".
func (p *parser) version() Version {
	major, minor, dot := strings.Cut(p.token(), ".")
	if p.kind == number && dot && allDigits(major) && allDigits(minor) {
		p.next()
		a, _ := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		return Version{a, b}
	}
	p.fail("a version like 8.7")
	return Version{}
}

// allDigits reports whether s consists of 1 to 6 decimal digits.
func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) < 7
}

// decl reads a top-level declaration of a module, and returns a declaration for each name that it declares.
func (p *parser) decl() []Decl {
	if p.kind != directive {
		p.fail("a directive, such as .entry or .global")
		return nil
	}
	switch p.token() {
	case ".file":
		return []Decl{p.file()}
	case ".section":
		return []Decl{p.section()}
	case ".alias":
		p.next()
		a := &Alias{Name: p.name("the name of a function")}
		p.want(',')
		a.Of = p.name("the name of a function")
		p.want(';')
		return []Decl{a}
	case ".pragma":
		return []Decl{p.pragma()}
	}
	at, linkage := p.pos(), p.linkage()
	if p.is("entry") || p.is("func") {
		return []Decl{p.function(at, linkage)}
	}
	var list []Decl
	p.variables(at, linkage, func(v *Var) { list = append(list, v) })
	return list
}

// linkage reads .extern or another linking directive, if there is one.
func (p *parser) linkage() Linkage {
	if p.kind != directive {
		return ""
	}
	l := Linkage(p.src[p.start+1 : p.end])
	if !isLinkage(l) {
		return ""
	}
	p.next()
	return l
}

func (p *parser) pragma() *Pragma {
	p.next()
	g := &Pragma{p.strings()}
	p.want(';')
	return g
}

func (p *parser) file() *File {
	p.next()
	f := &File{Index: int(p.integer("the number of a file", 0, 1<<31-1)), Name: p.quotedString()}
	if p.got(',') {
		f.Timestamp = p.integer("a time", 0, 1<<63-1)
		p.want(',')
		f.Size = p.integer("a size", 0, 1<<63-1)
	}
	return f
}

// section reads a section of debug information and keeps its text.
func (p *parser) section() *Section {
	p.next()
	s := &Section{}
	if p.kind != directive || p.end == p.start+1 {
		p.fail("the name of a section")
	}
	s.Name = p.token()
	p.next()
	from := p.end
	p.want('{')
	for depth := 1; ; p.next() {
		switch p.kind {
		case '{':
			depth++
		case '}':
			depth--
		case eof, invalid:
			p.fail("'}' at the end of the section")
			return s
		}
		if depth == 0 {
			s.Text = strings.TrimSpace(p.src[from:p.start])
			p.next()
			return s
		}
	}
}

// function reads the part of a kernel or function after the linkage.
func (p *parser) function(at Pos, linkage Linkage) *Func {
	f := &Func{Pos: at, Linkage: linkage, Entry: p.is("entry")}
	p.next()
	f.Attributes = p.attributes()
	if !f.Entry && p.kind == '(' {
		f.Returns = p.params()
	}
	if f.Entry {
		f.Name = p.name("the name of a kernel")
	} else {
		f.Name = p.name("the name of a function")
	}
	if p.kind == '(' {
		f.Params = p.params()
	}
	f.Directives = p.directives()
	switch {
	case p.got(';'):
	case p.kind == '{':
		f.Body = p.block()
	case len(f.Directives) == 0 && f.Params == nil:
		p.fail("parameters, a directive, ';' or a body")
	default:
		p.fail("a directive, ';' or a body")
	}
	return f
}

// directives reads the directives between the parameters of a function and its body.
func (p *parser) directives() []Directive {
	var list []Directive
	for p.kind == directive && p.end > p.start+1 {
		d := Directive{Name: p.src[p.start+1 : p.end]}
		p.next()
		if d.Name == "pragma" {
			d.Strings = p.strings()
			p.want(';')
		} else if p.kind == number {
			d.Args = append(d.Args, p.directiveArg())
			for p.got(',') {
				d.Args = append(d.Args, p.directiveArg())
			}
		}
		list = append(list, d)
	}
	return list
}

func (p *parser) directiveArg() int64 { return p.integer("a number", 0, 1<<32-1) }
