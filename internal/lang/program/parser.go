package program

import "strings"

// maxBlocks and maxNested limit the nesting of blocks and of expressions.
const (
	maxBlocks = 32
	maxNested = 200
)

// maxChain limits the operators in a row, as in 1 + 1 + ..., and maxTried the bytes that are read again as girih's
// notation.
const (
	maxChain = 2000
	maxTried = 1 << 16
)

// A parser reads the tokens of one source. The grammars of Python and C++ share what is in this file.
type parser struct {
	*lexer
	i       int // the next token
	looked  int // how often a token was examined
	blocks  int // the number of open blocks
	nested  int // the number of open expressions
	inDef   bool
	inClass bool // inside the body of a class, but not inside a function of it
	tries   int  // the number of open try blocks
	loops   int  // the number of open loops of the function
	colon   bool // a colon may follow the expression: it begins a block or ends a lambda's parameters
	assigns bool // whether := has been read
	yields  bool // whether yield has been read in the function
	tried   int  // the number of bytes that were read again as girih's notation

	// The following fields are for C++.
	switches int                   // the number of open switches of the function
	inStruct bool                  // functions are members, which are not run
	angles   bool                  // a > closes the arguments of a template
	scopes   []map[string]nameKind // the kinds of the names by scope, with the innermost scope last
	argLists map[int]argList       // the template argument lists that were parsed, by the position of the <
	steps    int
}

//go:noinline
func (p *parser) tok() token { return p.ahead(0) }

// ahead returns the token n places after the next one.
func (p *parser) ahead(n int) token {
	p.looked++
	return p.tokens[min(p.i+n, len(p.tokens)-1)]
}

// is reports whether the next token is the given mark or word.
//
//go:noinline
func (p *parser) is(text string) bool {
	t := p.tok()
	return t.text == text && (t.kind == tokenMark || t.kind == tokenName)
}

// accept moves past the next token if it is the given mark or word.
//
//go:noinline
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.i++
	return true
}

// expect moves past the given mark or word, and fails if another token is next.
func (p *parser) expect(text, what string) token {
	t := p.tok()
	if !p.accept(text) {
		p.refuse("expected " + what)
	}
	return t
}

// refuse fails at the next token.
func (p *parser) refuse(expected string) {
	t := p.tok()
	if p.isLast() {
		panic(failure{&Error{Span: t.Span, Msg: expected + ", found end of input", Incomplete: true}})
	}
	fail(t.Span, "%s, found %s", expected, t.describe())
}

// isLast reports whether the source ends at the next token, perhaps within blocks.
func (p *parser) isLast() bool {
	i := p.i
	for p.tokens[i].kind == tokenDedent {
		i++
	}
	return p.tokens[i].kind == tokenEnd
}

// describe names a token in an error.
func (t token) describe() string {
	switch t.kind {
	case tokenNewline:
		return "the end of the line"
	case tokenIndent:
		return "a deeper indentation"
	case tokenDedent:
		return "the end of the block"
	case tokenEnd:
		return "end of input"
	}
	text, _, more := strings.Cut(t.text, "\n")
	if const40 := 40; more || len(text) > const40 {
		text = strings.ToValidUTF8(text[:min(len(text), const40)], "") + "..."
	}
	return text
}

func (t token) opens() bool {
	return t.kind == tokenMark && (t.text == "(" || t.text == "[" || t.text == "{")
}

func (t token) closes() bool {
	return t.kind == tokenMark && (t.text == ")" || t.text == "]" || t.text == "}")
}

// depth returns 1 for an opening bracket, -1 for a closing one, and 0 for any other token.
func (t token) depth() int {
	switch {
	case t.opens():
		return 1
	case t.closes():
		return -1
	}
	return 0
}

// since returns the span from a position to the end of the last token.
//
//go:noinline
func (p *parser) since(from int) Span {
	if p.i == 0 {
		return Span{from, from}
	}
	return Span{from, max(from, p.tokens[min(p.i, len(p.tokens))-1].To)}
}

// deeper counts the open expressions, and returns the function that closes one.
func (p *parser) deeper() func() {
	if p.nested++; p.nested > maxNested {
		exceed(p.tok().Span, "an expression nests at most %d deep", maxNested)
	}
	return func() { p.nested-- }
}

// chain fails if n operators in a row are too many.
func (p *parser) chain(n int) {
	if n > maxChain {
		exceed(p.tok().Span, "at most %d operators, calls or branches follow each other", maxChain)
	}
}

// inside parses what is within brackets, where no colon may follow an expression.
func (p *parser) inside(f func()) {
	colon := p.colon
	p.colon = false
	f()
	p.colon = colon
}

// header parses the part of a compound statement before its colon.
func (p *parser) header(what string, parse func(what string) Expr) Expr {
	colon := p.colon
	p.colon = true
	x := parse(what)
	p.colon = colon
	return x
}

// name reads a name that is no keyword.
func (p *parser) name(what string) *Name {
	t := p.tok()
	if t.kind != tokenName || isKeyword(p.lang, t.text) {
		p.refuse("expected " + what)
	}
	p.i++
	return &Name{Span: t.Span, Name: t.text}
}

// keywords are the words that cannot be names.
var keywords = map[Language]map[string]bool{
	Python: set(`False None True and as assert async await break class continue def del elif else except finally for from
		global if import in is lambda nonlocal not or pass raise return try while with yield`),
	Cpp: set(`alignas alignof auto bool break case catch char class const constexpr const_cast continue decltype default
		delete do double dynamic_cast else enum explicit extern false float for friend goto if inline int long mutable
		namespace new noexcept nullptr operator private protected public reinterpret_cast return short signed sizeof
		static static_assert static_cast struct switch template this throw true try typedef typename union unsigned using
		virtual void volatile while`),
}

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// Words returns the words of a text as a set.
func Words(text string) map[string]bool { return set(text) }

func isKeyword(l Language, word string) bool { return keywords[l][word] }
