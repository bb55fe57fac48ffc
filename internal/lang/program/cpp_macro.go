package program

import (
	"slices"
	"strings"
)

// This file is the preprocessor of C++. It expands macros, and leaves out what #if and #ifdef exclude. Files are not
// included, and #pragma has no effect. Every token of an expansion has the place where the macro is used.

// A macro is #define NAME TOKENS, or #define NAME(PARAMS) TOKENS if call is set.
type macro struct {
	from     int // the first token for which the definition holds
	call     bool
	params   []string
	variadic bool    // whether the last parameter is __VA_ARGS__
	body     []token // nil and removed for #undef
	removed  bool
}

// maxExpanded limits the tokens of a text after the expansion of its macros.
const maxExpanded = 1 << 20

// directive reads a line of the preprocessor.
func (l *lexer) directive() {
	from := l.at
	l.at = directiveEnd(l.src, from)
	inside := &lexer{src: l.src[:l.at], lang: Cpp, at: from + 1, indents: []int{0}}
	word := inside.word()
	switch word {
	case "define":
		l.define(inside)
	case "undef":
		name := inside.word()
		l.macros[name] = append(l.macros[name], macro{from: len(l.tokens), removed: true})
	case "if", "ifdef", "ifndef":
		l.ifs = append(l.ifs, Span{from, l.at})
		if !l.condition(word, inside) {
			l.skip()
		}
	case "elif", "else": // an earlier branch was taken
		l.needIf(from, word)
		for l.skip() != "endif" {
		}
	case "endif":
		l.needIf(from, word)
		l.ifs = l.ifs[:len(l.ifs)-1]
	case "error":
		fail(Span{from, l.at}, "%s", strings.TrimSpace(l.src[from:l.at]))
	case "include", "pragma", "line", "warning":
	default:
		l.comments = append(l.comments, Comment{Span{from, l.at}, strings.TrimLeft(l.src[from:l.at], "#")})
	}
}

// directiveEnd returns the end of a line, and of the lines that a backslash joins to it.
func directiveEnd(src string, at int) int {
	end := lineEnd(src, at)
	for end < len(src) && strings.HasSuffix(strings.TrimSuffix(src[:end], "\r"), "\\") {
		end = lineEnd(src, end+1)
	}
	return end
}

func (l *lexer) needIf(from int, word string) {
	if len(l.ifs) == 0 {
		fail(Span{from, l.at}, "#%s has no #if before it", word)
	}
}

// word reads a name; it returns "" if there is none.
func (l *lexer) word() string {
	for l.peek(0) == ' ' || l.peek(0) == '\t' {
		l.at++
	}
	from := l.at
	for l.at < len(l.src) && isWord(l.src[l.at]) {
		l.at++
	}
	return l.src[from:l.at]
}

// rest reads the tokens up to the end of the source of l.
func (l *lexer) rest() []token {
	for l.at < len(l.src) {
		l.next()
	}
	return l.tokens
}

// define reads the name, the parameters and the text of a macro after #define.
func (l *lexer) define(in *lexer) {
	name := in.word()
	if name == "" || name[0] <= '9' {
		fail(Span{in.at, min(in.at+1, len(in.src))}, "expected the name of a macro")
	}
	m := macro{from: len(l.tokens), call: in.peek(0) == '('}
	if m.call {
		end := strings.IndexByte(in.src[in.at:], ')')
		if end < 0 {
			fail(Span{in.at, len(in.src)}, "expected ')' after the parameters of a macro")
		}
		for q := range strings.SplitSeq(in.src[in.at+1:in.at+end], ",") {
			q = strings.TrimSpace(q)
			if m.variadic = strings.HasSuffix(q, "..."); m.variadic {
				if q = strings.TrimSuffix(q, "..."); q == "" {
					q = "__VA_ARGS__"
				}
			}
			if q != "" {
				m.params = append(m.params, q)
			}
		}
		in.at += end + 1
	}
	m.body = in.rest()
	l.macros[name] = append(l.macros[name], m)
}

// macro returns the macro of a name that holds at token i.
func (l *lexer) macro(name string, i int) (m macro, ok bool) {
	list := l.macros[name]
	for k := len(list) - 1; k >= 0; k-- {
		if list[k].from <= i {
			return list[k], !list[k].removed
		}
	}
	return macro{}, false
}

// skip skips the lines that a condition excludes, and returns the word that ends them: an elif whose condition holds,
// else, or endif. A branch after else or after a taken branch is skipped by calling skip again.
func (l *lexer) skip() string {
	open := l.ifs[len(l.ifs)-1]
	for depth := 0; l.at < len(l.src); {
		l.at++ // the newline
		from := l.at
		end := lineEnd(l.src, from)
		line := strings.TrimLeft(l.src[from:end], " \t")
		if !strings.HasPrefix(line, "#") {
			l.at = end
			continue
		}
		l.at = directiveEnd(l.src, from)
		in := &lexer{src: l.src[:l.at], lang: Cpp, at: end - len(line) + 1, indents: []int{0}}
		switch word := in.word(); {
		case word == "if" || word == "ifdef" || word == "ifndef":
			depth++
		case word == "endif" && depth > 0:
			depth--
		case depth > 0:
		case word == "endif":
			l.ifs = l.ifs[:len(l.ifs)-1]
			return word
		case word == "else", word == "elif" && l.condition("if", in):
			return word
		}
	}
	panic(failure{&Error{
		Span: Span{open.From, min(open.To, len(l.src))}, Incomplete: true, Msg: "expected #endif to end the #if, found end of input",
	}})
}

// An expander expands macros.
type expander struct {
	*lexer
	made int // the number of tokens made so far, at most maxExpanded
}

// A use is a macro where it is used: its name, and its arguments by parameter.
type use struct {
	macro
	name token
	at   Span // the position, including the arguments
	args map[string][]token
}

// expand returns tokens with their macros expanded, except those in hide, which are being expanded. The macros are
// those that hold at token at; if at is negative, each token has the macros that hold at its own place.
func (e *expander) expand(tokens []token, at int, hide []string) (list []token) {
	for i := 0; i < len(tokens); i++ {
		t, holds := tokens[i], at
		if at < 0 {
			holds = i
		}
		m, ok := e.macro(t.text, holds)
		if !ok || t.kind != tokenName || slices.Contains(hide, t.text) ||
			m.call && (i+1 >= len(tokens) || tokens[i+1].text != "(") {
			list = append(list, t)
			continue
		}
		u := use{macro: m, name: t, at: t.Span, args: m.noArguments()}
		if m.call {
			i = u.read(tokens, i+1)
			u.at.To = tokens[i].To
		}
		inner := append(hide[:len(hide):len(hide)], t.text)
		body := e.substitute(u, func(arg []token) []token { return e.expand(arg, holds, hide) })
		list = append(list, e.expand(body, holds, inner)...)
	}
	if e.made += 1 + len(list); e.made > maxExpanded || len(hide) > maxNested {
		exceed(Span{0, min(1, len(e.src))}, "macros expand to more than %d tokens, or nest more than %d deep",
			maxExpanded, maxNested)
	}
	return list
}

// noArguments returns the arguments before any is read; __VA_ARGS__ may stay empty.
func (m macro) noArguments() map[string][]token {
	out := map[string][]token{}
	if m.variadic {
		out[m.params[len(m.params)-1]] = nil
	}
	return out
}

// read reads the arguments of a macro from its opening parenthesis on. It returns the index of the closing one.
func (u *use) read(tokens []token, i int) int {
	depth, n, start := 0, 0, i+1
	add := func(to int) {
		if n < len(u.params) {
			u.args[u.params[n]] = tokens[start:to]
		}
		n++
		start = to + 1
	}
	for ; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.opens():
			depth++
		case t.closes():
			depth--
		case t.text == "," && depth == 1 && (!u.variadic || n+1 < len(u.params)):
			add(i)
		}
		if depth > 0 {
			continue
		}
		if start < i || len(u.params) > 0 {
			add(i)
		}
		if n != len(u.params) && (!u.variadic || n != len(u.params)-1) {
			fail(Span{u.name.From, tokens[i].To}, "the macro %s has %d parameters, found %d arguments",
				u.name.text, len(u.params), n)
		}
		return i
	}
	fail(u.name.Span, "expected ')' to end the arguments of the macro %s", u.name.text)
	return 0
}

// substitute returns the body of a macro with its arguments, at the place where the macro is used.
func (e *expander) substitute(u use, expand func(arg []token) []token) (list []token) {
	for i := 0; i < len(u.body); i++ {
		t := u.body[i]
		if u.joins(i + 1) {
			joined := u.operand(i)
			for ; u.joins(i + 1); i += 3 {
				joined = e.join(u, joined, i+3)
			}
			list = append(list, joined...)
			continue
		}
		if u.call && t.text == "#" {
			i++
			arg, ok := u.args[u.body[min(i, len(u.body)-1)].text]
			if !ok {
				fail(u.at, "expected a parameter of the macro %s after #", u.name.text)
			}
			list = append(list, token{u.at, tokenText, e.spelling(arg)})
			continue
		}
		if arg, ok := u.args[t.text]; ok && t.kind == tokenName {
			list = append(list, expand(arg)...)
			continue
		}
		t.Span = u.at
		list = append(list, t)
	}
	return list
}

// joins reports whether ## is at index i of the body.
func (u use) joins(i int) bool {
	return i+1 < len(u.body) && u.body[i].text == "#" && u.body[i+1].text == "#" && u.body[i].To == u.body[i+1].From
}

// operand returns the token at index i of the body, or the tokens of the argument that it names. The operands of ## are
// not expanded.
func (u use) operand(i int) []token {
	if i >= len(u.body) {
		fail(u.at, "expected a name after ## in the macro %s", u.name.text)
	}
	t := u.body[i]
	if arg, ok := u.args[t.text]; ok && t.kind == tokenName {
		return arg
	}
	t.Span = u.at
	return []token{t}
}

// join joins the last of the tokens on the left with the first of the operand at index i of the body: v ## 4 is v4. A
// comma before an empty list of arguments goes, as in f(x, ## __VA_ARGS__).
func (e *expander) join(u use, left []token, i int) []token {
	right := u.operand(i)
	comma := len(left) > 0 && left[len(left)-1].text == "," && u.variadic && u.body[i].text == u.params[len(u.params)-1]
	switch {
	case comma && len(right) == 0:
		return left[:len(left)-1]
	case comma || len(left) == 0 || len(right) == 0:
		return slices.Concat(left, right)
	}
	a, b := left[len(left)-1], right[0]
	text := a.text + b.text
	made := (&lexer{src: text, lang: Cpp, indents: []int{0}}).rest()
	if len(made) != 1 || a.kind == tokenText || b.kind == tokenText {
		fail(u.at, "%s, which ## makes, is no name, number or operator", text)
	}
	made[0].Span = u.at
	return slices.Concat(left[:len(left)-1], made, right[1:])
}

// spelling returns tokens as a string of C++.
func (e *expander) spelling(tokens []token) string {
	text := ""
	if n := len(tokens); n > 0 {
		text = e.src[tokens[0].From:max(tokens[0].From, tokens[n-1].To)]
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text) + `"`
}
