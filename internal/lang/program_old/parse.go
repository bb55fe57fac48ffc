package program

import (
	"strings"

	"girih/dtype"
	"girih/internal/pattern"
)

// maxBlocks limits the nesting of blocks.
const maxBlocks = 32

// parser reads the source once. After a fault its methods do nothing.
type parser struct {
	src    string
	pos    int  // the beginning of the next statement
	by     byte // the byte that ended the last statement
	blocks int  // open blocks
	inDef  bool
	err    *Error
}

// Parse reads the statements of a source. The error, if any, is an *[Error].
func Parse(src string) (*Program, error) {
	p := parser{src: src}
	prog := &Program{Src: src}
	for p.pos = p.blank(0, "\n;"); p.pos < len(src) && p.err == nil; p.pos = p.blank(p.pos, "\n;") {
		if s := p.statement(); s != nil {
			prog.Stmts = append(prog.Stmts, s)
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return prog, nil
}

// Incomplete reports whether the source needs another line: a bracket or text is open, or the last line belongs to a
// block that an empty line must end.
func Incomplete(src string) bool {
	prog, err := Parse(src)
	if err != nil {
		return err.(*Error).Incomplete //nolint:errorlint // Parse returns no other type
	}
	if len(prog.Stmts) == 0 || strings.HasSuffix(src, "\n") {
		return false
	}
	switch prog.Stmts[len(prog.Stmts)-1].(type) {
	case *Def, *For:
		line := src[strings.LastIndexByte(src, '\n')+1:]
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		return indented || strings.HasSuffix(strings.TrimRight(line, blanks), ":")
	}
	return false
}

// runs lists the statements that can be run, for the error about other statements.
const runs = "girih runs bindings, print and printf, assert, for over a range, and Python functions of such lines"

// others are the words that begin other statements, with the kinds of these statements.
var others = wordsOf(map[string]string{
	"a branch":                   "if elif else switch match",
	"a loop":                     "while do",
	"a class":                    "class",
	"a type of C++":              "struct enum union typedef",
	"a template of C++":          "template",
	"an exception":               "try raise",
	"a context":                  "with",
	"a function without a name":  "lambda",
	"a generator":                "yield",
	"a coroutine":                "async await",
	"a global name":              "global",
	"a name of another function": "nonlocal",
	"the end of a name":          "del",
	"a function of C++":          "void __device__ __host__ CUTE_HOST_DEVICE CUTE_DEVICE",
	"a kernel":                   "__global__",
	"a jump":                     "break continue goto",
	"a namespace of C++":         "namespace",
})

// wordsOf returns the kind of each word, from lists of words by kind.
func wordsOf(kinds map[string]string) map[string]string {
	out := make(map[string]string)
	for kind, words := range kinds {
		for w := range strings.FieldsSeq(words) {
			out[w] = kind
		}
	}
	return out
}

// refuse fails at a statement that is not run.
func (p *parser) refuse(start, end int, what string) Stmt {
	if p.fail(start, end, "%s is not run: %s", what, runs); p.err.Pos == start {
		p.err.Refused = true
	}
	return nil
}

// statement parses the statement at pos and moves after it. It returns nil for a statement that does nothing, and on
// failure.
func (p *parser) statement() Stmt {
	start := p.pos
	switch c := p.at(start); c {
	case '@':
		return p.jit(start)
	case '{', '}':
		return p.refuse(start, start+1, "a block of C++")
	}
	end := p.word(start)
	word := p.src[start:end]
	if what, ok := others[word]; ok {
		return p.refuse(start, end, what)
	}
	switch word {
	case "def":
		return p.def(start)
	case "for":
		return p.loop(start)
	case "assert", "static_assert", "CUTE_STATIC_ASSERT", "CUTE_STATIC_ASSERT_V":
		return p.assert(start, end)
	}
	x := p.scan(start, scan{limit: len(p.src)})
	p.pos, p.by = x.next, x.by
	if p.err != nil || x.end == start {
		return nil
	}
	if s, ok := p.simple(start, end, x); ok {
		return s
	}
	if s, ok := p.print(start, end, x); ok {
		return s
	}
	if _, _, to := p.literal(start, x.end); to == x.end {
		return nil // a docstring
	}
	if x.assign >= 0 {
		return p.bind(start, x)
	}
	if s, ok := p.declaration(start, x); ok {
		return s
	}
	return &Value{At(start), p.expr(start, x.end)}
}

// simple parses an import, return or pass, whose keyword ends at end. ok is false if the statement is none of these.
func (p *parser) simple(start, end int, x extent) (s Stmt, ok bool) {
	switch p.src[start:end] {
	case "import", "from":
		return p.imports(start, x.end), true
	case "return":
		if !p.inDef {
			p.fail(start, end, "return is not in a function")
		}
		return &Return{At(start), p.expr(p.blank(end, "\n"), x.end)}, true
	case "pass":
		if x.end > end {
			p.fail(end, x.end, "expected nothing after pass")
		}
		return nil, true
	}
	return nil, false
}

// expr returns the expression in the bytes [start, end). The expression must begin and end with an operand.
func (p *parser) expr(start, end int) Expr {
	start = min(start, end)
	if start < end && (p.continues(start, end) || strings.IndexByte(":=*/%,<>", p.src[start]) >= 0) {
		p.fail(start, end, "expected an expression, found %s", p.src[start:end])
	}
	return Expr{Pos: start, End: end, Text: p.src[start:end]}
}

// imports skips the imports of modules whose functions girih provides.
func (p *parser) imports(start, end int) Stmt {
	words := strings.Fields(p.src[start:end])
	module, as := "", ""
	if len(words) > 1 {
		module, _, _ = strings.Cut(words[1], ".")
	}
	if n := len(words); words[0] == "import" && n > 3 && words[n-2] == "as" {
		as = words[n-1]
	}
	switch module {
	case "cutlass", "cute", "pycute", "typing", "dataclasses":
	default:
		return p.refuse(start, end, "the module "+module)
	}
	if as != "" && as != "cute" && as != "cutlass" {
		p.fail(start, end, "expected the name cute or cutlass for the module, found %s", as)
	}
	return nil
}

// The forms of the left side of a binding.
const (
	plainName    = pattern.Pattern(`^(?:let\s+|using\s+)?(_?[A-Za-z]\w*)$`)
	typeName     = pattern.Pattern(`^(?:\w+\.)*([A-Za-z_]\w*(?:\[[\w., \[\]]*\])?)$`)
	typedName    = pattern.Pattern(`^(_?[A-Za-z]\w*)\s*:[^:]`)
	namesList    = pattern.Pattern(`^(?:auto\s*&{0,2}\s*\[|\(|)\s*(\w+(?:\s*,\s*\w+)*)\s*,?\s*[\])]?$`)
	declaredName = pattern.Pattern(`^[A-Za-z_][\w:.\s&*]*(?:<[\w:<>,\s&*.()]*>)?[\w\s&*]*[\s&*>](_?[A-Za-z]\w*)$`)
)

// bind parses a binding.
func (p *parser) bind(start int, x extent) Stmt {
	left := strings.TrimSpace(p.src[start:x.assign])
	value := p.expr(p.blank(x.assign+1, "\n"), x.end)
	var m []string
	for _, form := range []pattern.Pattern{plainName, typedName, declaredName} {
		if m = form.FindStringSubmatch(left); m != nil {
			break
		}
	}
	switch {
	case strings.HasPrefix(left, "using ") && isType(value.Text):
		return nil // a name for a type of elements
	case m == nil && namesList.MatchString(left):
		return p.unpack(start, namesList.FindStringSubmatch(left)[1], value)
	case m == nil && strings.ContainsAny(left[max(0, len(left)-1):], "+-*/%&|^"):
		p.fail(start, x.assign+1, "%s= is not run: write NAME = NAME %s ...", left, left[len(left)-1:])
	case m == nil:
		p.fail(start, x.assign, "only a single name is bound, found %s", left)
	default:
		return p.binding(start, m[1], value)
	}
	return nil
}

// unpack parses the binding of several names, as in a, b = X and auto [a, b] = X.
func (p *parser) unpack(start int, names string, x Expr) Stmt {
	s := &Unpack{At: At(start), X: x}
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if name != "_" && (!plainName.MatchString(name) || p.binding(start, name, x) == nil) {
			p.fail(start, x.Pos, "expected names before '=', found %s", names)
			return nil
		}
		s.Names = append(s.Names, name)
	}
	return s
}

// binding returns the binding of a name, which must not be a keyword of the language or of programs.
func (p *parser) binding(start int, name string, x Expr) Stmt {
	_, other := others[name]
	switch name {
	case "cute", "let", "true", "false", "None", "def", "for", "assert", "import", "from", "return", "pass", "using":
		other = true
	}
	if other {
		p.fail(start, x.End, "%s is no name that can be bound", name)
		return nil
	}
	return &Bind{At(start), name, x}
}

// isType reports whether a text names a type of elements.
func isType(text string) bool {
	_, err := dtype.Parse(text)
	return err == nil
}

// The declarations of C++: TYPE NAME, and the rest of the line.
const (
	declaration = pattern.Pattern(`^([A-Za-z_]\w*(?:(?:::|\.)\w+)*(?:\s*<[^;{}()]*>)?(?:\s+const)?)` +
		`[\s&]+(_?[A-Za-z]\w*)\s*(\(|\{\s*\}$|\{|$)`)
	sharedArray = pattern.Pattern(`^(?:extern\s+)?__shared__\s`)
	ofNumbers   = pattern.Pattern(`^(?:dim3|auto|int|unsigned|size_t|u?int(?:32|64)_t)(?:\s+const)?$`)
	parameter   = pattern.Pattern(`^(?s:[^=]*)[\w>][\s&]+\w+$`)
)

// declaration parses a declaration of C++ without '=': using namespace, or the declaration of a value or of a function.
// ok is false if there is none.
func (p *parser) declaration(start int, x extent) (s Stmt, ok bool) {
	text := p.src[start:x.end]
	if strings.HasPrefix(text, "using namespace ") || sharedArray.MatchString(text) {
		return nil, true
	}
	m := declaration.FindStringSubmatch(text)
	if m == nil || m[1] == "o" || m[2] == "o" || strings.HasPrefix(text, "let ") {
		return nil, false
	}
	name, inside := m[2], start+len(m[0])
	switch m[3] {
	case "(":
		return p.construction(start, m, x), true
	case "{":
		if inner := p.scan(inside, scan{stops: "}", within: true, limit: x.end}); inner.next == x.end &&
			ofNumbers.MatchString(m[1]) {
			return p.binding(start, name, p.expr(p.blank(inside, "\n"), inner.end)), true
		}
		p.fail(start, x.end, "%s is declared with values in braces: write %s = ...", name, name)
		return nil, true
	}
	return p.binding(start, name, p.expr(start, start+len(m[1]))), true
}

// construction parses TYPE NAME(...), the match m: the declaration of a value with numbers, dim3 grid(4, 2), or of a
// function.
func (p *parser) construction(start int, m []string, x extent) Stmt {
	name, from := m[2], start+len(m[0])
	inner := p.scan(from, scan{stops: ")", within: true, limit: x.end})
	parts := p.parts(from, inner.end)
	for _, part := range parts {
		switch {
		case parameter.MatchString(part.Text) || inner.next != x.end || !ofNumbers.MatchString(m[1]):
		case len(parts) == 1:
			return p.binding(start, name, part)
		case m[1] == "dim3":
			return p.binding(start, name, p.expr(from-1, inner.next))
		}
		if !parameter.MatchString(part.Text) {
			p.fail(start, x.end, "%s is declared with values in parentheses: write %s = ...", name, name)
			return nil
		}
	}
	if strings.Contains(p.src[start:x.end], "{") {
		return p.refuse(start, from-1, "a function of C++")
	}
	return nil // only declares
}

// parts returns the parts, separated by commas, of the source between two offsets.
func (p *parser) parts(from, to int) (list []Expr) {
	for i := p.blank(from, "\n"); i < to && p.err == nil; {
		x := p.scan(i, scan{stops: ",", within: true, limit: to})
		if x.end == i {
			p.fail(i, i, "expected a value")
		}
		list = append(list, p.expr(i, x.end))
		if x.by == 0 {
			break
		}
		i = p.blank(x.next, "\n")
	}
	return list
}

// call returns where the arguments of a call begin and end. The call's name ends at i, and the statement must end with
// the call.
func (p *parser) call(i, end int) (from, to int, ok bool) {
	open := p.blank(i, "\n")
	if p.at(open) != '(' || open >= end {
		return 0, 0, false
	}
	x := p.scan(open+1, scan{stops: ")", within: true, tests: true, limit: end})
	return open + 1, x.next - 1, x.by == ')' && x.next == end
}
