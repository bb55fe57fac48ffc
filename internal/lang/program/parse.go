package program

import (
	"strings"

	"girih/dtype"
	"girih/internal/pattern"
)

// maxBlocks is how deep blocks may nest.
const maxBlocks = 32

// parser goes over the source once. Its methods go on after a fault, and do nothing then.
type parser struct {
	src    string
	pos    int  // where the next statement begins
	by     byte // what ended the last one
	blocks int  // that are open
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

// Incomplete reports whether the source needs another line: something is open in it, or its last line belongs to a
// block, which an empty line ends.
func Incomplete(src string) bool {
	prog, err := Parse(src)
	if err != nil {
		return err.(*Error).Incomplete //nolint:errorlint // Parse returns no other
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

// runs is what statements may be, for those that are none.
const runs = "girih runs bindings, print and printf, assert, for over a range, and Python functions of such lines"

// others are the words that begin other statements, and what those are.
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

// wordsOf returns the kind of each word, of words by their kind.
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

// statement parses the statement at pos and moves behind it. It returns nil for one that does nothing, and on failure.
func (p *parser) statement() Stmt {
	start := p.pos
	switch c := p.at(start); c {
	case '@':
		return p.decorated(start)
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
	switch word {
	case "import", "from":
		return p.imports(start, x.end)
	case "return":
		if !p.inDef {
			p.fail(start, end, "return stands in no function")
		}
		return &Return{At(start), p.expr(p.blank(end, "\n"), x.end)}
	case "pass":
		if x.end > end {
			p.fail(end, x.end, "expected nothing behind pass")
		}
		return nil
	}
	if s, ok := p.printed(start, end, x); ok {
		return s
	}
	if _, _, to := p.literal(start, x.end); to == x.end {
		return nil // a docstring
	}
	if x.assign >= 0 {
		return p.bind(start, x)
	}
	if s, ok := p.declared(start, x); ok {
		return s
	}
	return &Value{At(start), p.expr(start, x.end)}
}

// expr is the expression of the bytes [start, end), which begins and ends with an operand.
func (p *parser) expr(start, end int) Expr {
	start = min(start, end)
	if start < end && (p.continues(start, end) || strings.IndexByte(":=*/%,<>", p.src[start]) >= 0) {
		p.fail(start, end, "expected an expression, found %s", p.src[start:end])
	}
	return Expr{Pos: start, End: end, Text: p.src[start:end]}
}

// imports passes over the imports of what girih stands for.
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

// What stands before the '=' of a binding.
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
		return nil // of elements
	case m == nil && namesList.MatchString(left):
		return p.unpack(start, namesList.FindStringSubmatch(left)[1], value)
	case m == nil && strings.ContainsAny(left[max(0, len(left)-1):], "+-*/%&|^"):
		p.fail(start, x.assign+1, "%s= is not run: write NAME = NAME %s ...", left, left[len(left)-1:])
	case m == nil:
		p.fail(start, x.assign, "only a single name is bound, found %s", left)
	default:
		return p.bound(start, m[1], value)
	}
	return nil
}

// unpack is the binding of several names, as a, b = X and auto [a, b] = X.
func (p *parser) unpack(start int, names string, x Expr) Stmt {
	s := &Unpack{At: At(start), X: x}
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if name != "_" && (!plainName.MatchString(name) || p.bound(start, name, x) == nil) {
			p.fail(start, x.Pos, "expected names before '=', found %s", names)
			return nil
		}
		s.Names = append(s.Names, name)
	}
	return s
}

// bound is the binding of a name, which must not be a word of the language or of programs.
func (p *parser) bound(start int, name string, x Expr) Stmt {
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

// isType reports whether a text is the name of a type of elements.
func isType(text string) bool {
	_, err := dtype.Parse(text)
	return err == nil
}

// What may stand in place of an expression: TYPE NAME, with what is behind it.
const (
	declaration = pattern.Pattern(`^([A-Za-z_]\w*(?:(?:::|\.)\w+)*(?:\s*<[^;{}()]*>)?(?:\s+const)?)` +
		`[\s&]+(_?[A-Za-z]\w*)\s*(\(|\{\s*\}$|\{|$)`)
	sharedArray = pattern.Pattern(`^(?:extern\s+)?__shared__\s`)
	ofNumbers   = pattern.Pattern(`^(?:dim3|auto|int|unsigned|size_t|u?int(?:32|64)_t)(?:\s+const)?$`)
	parameter   = pattern.Pattern(`^(?s:[^=]*)[\w>][\s&]+\w+$`)
)

// declared parses a declaration of C++ without '=': using namespace, of a value, of a function. ok is false if it is
// none.
func (p *parser) declared(start int, x extent) (s Stmt, ok bool) {
	text := p.src[start:x.end]
	if strings.HasPrefix(text, "using namespace ") || sharedArray.MatchString(text) {
		return nil, true
	}
	m := declaration.FindStringSubmatch(text)
	if m == nil || m[1] == "o" || m[2] == "o" || strings.HasPrefix(text, "let ") {
		return nil, false
	}
	name := m[2]
	switch m[3] {
	case "(":
		from := start + len(m[0])
		inner := p.scan(from, scan{stops: ")", within: true, limit: x.end})
		parts := p.parts(from, inner.end)
		for _, part := range parts {
			switch {
			case parameter.MatchString(part.Text) || inner.next != x.end || !ofNumbers.MatchString(m[1]):
			case len(parts) == 1:
				return p.bound(start, name, part), true
			case m[1] == "dim3":
				return p.bound(start, name, p.expr(from-1, inner.next)), true
			}
			if !parameter.MatchString(part.Text) {
				p.fail(start, x.end, "%s is declared with values in parentheses: write %s = ...", name, name)
				return nil, true
			}
		}
		if strings.Contains(text, "{") {
			return p.refuse(start, from-1, "a function of C++"), true
		}
		return nil, true // a declaration only
	case "{":
		if inner := p.scan(start+len(m[0]), scan{stops: "}", within: true, limit: x.end}); inner.next == x.end &&
			ofNumbers.MatchString(m[1]) {
			return p.bound(start, name, p.expr(p.blank(start+len(m[0]), "\n"), inner.end)), true
		}
		p.fail(start, x.end, "%s is declared with values in braces: write %s = ...", name, name)
		return nil, true
	}
	return p.bound(start, name, p.expr(start, start+len(m[1]))), true
}

// parts returns what commas separate between two offsets.
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

// call returns where the arguments of the call begin and end whose name ends at i, if the statement ends with it.
func (p *parser) call(i, end int) (from, to int, ok bool) {
	open := p.blank(i, "\n")
	if p.at(open) != '(' || open >= end {
		return 0, 0, false
	}
	x := p.scan(open+1, scan{stops: ")", within: true, tests: true, limit: end})
	return open + 1, x.next - 1, x.by == ')' && x.next == end
}
