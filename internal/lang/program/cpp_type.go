package program

import "strings"

// This file parses the types of C++ and the arguments of templates.

var (
	// typeWords lists the words from which the names of number types are made, as in unsigned long long.
	typeWords = set("void bool char short int long signed unsigned float double wchar_t char8_t char16_t char32_t __int128")
	// specifiers lists words that may come before and after the type of a declaration.
	specifiers = set(`const constexpr consteval constinit static inline extern mutable volatile register thread_local explicit
		virtual friend typename __global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __forceinline__
		__noinline__ __inline__ __restrict__ __restrict restrict CUTE_HOST_DEVICE CUTE_DEVICE CUTE_HOST CUTE_HOST_RTC
		CUTE_INLINE_CONSTANT CUTE_STATIC_CONSTEXPR CUTE_GRID_CONSTANT CUTLASS_HOST_DEVICE CUTLASS_DEVICE CUTLASS_HOST
		CUTLASS_GLOBAL CUTLASS_GRID_CONSTANT CUTLASS_CONSTEXPR_IF_CXX17 CUTLASS_CONSTEXPR CUTE_CONSTEXPR`)
	// bracketed lists attributes in double brackets. In contrast, [[1,0],[0,1]] is a matrix.
	bracketed = set(`nodiscard maybe_unused fallthrough likely unlikely noreturn deprecated gnu clang no_unique_address assume
		carries_dependency`)
	// attributes lists attributes that are followed by parentheses.
	attributes = set("alignas CUTE_ALIGNAS __align__ __attribute__ __attribute __launch_bounds__ __cluster_dims__ __maxnreg__ __declspec noexcept")
)

// A cppSpec is the type of a declaration and the words around it.
type cppSpec struct {
	typ   Expr            // nil for auto
	words map[string]bool // specifiers such as const, static and __global__, and auto
}

func (s cppSpec) isConst() bool { return s.words["const"] || s.words["constexpr"] }

// skipAttributes moves past attributes such as [[nodiscard]] and alignas(16).
func (p *parser) skipAttributes() (moved bool) {
	for {
		t := p.tok()
		switch {
		case t.text == "[" && p.ahead(1).text == "[" && p.ahead(1).From == t.To && bracketed[p.ahead(2).text]:
			p.skipBrackets()
		case t.kind == tokenName && attributes[t.text]:
			if p.i++; p.is("(") {
				p.skipBrackets()
			}
		default:
			return moved
		}
		moved = true
	}
}

// skipBrackets moves past a bracket, what is in it, and the bracket that closes it.
func (p *parser) skipBrackets() {
	open := p.tok()
	for depth := 0; ; p.i++ {
		switch t := p.tok(); {
		case t.kind == tokenEnd:
			p.refuse("expected " + string(closers[open.text[0]]))
		case t.opens():
			depth++
		case t.closes():
			if depth--; depth == 0 {
				p.i++
				return
			}
		}
	}
}

// spec parses the type of a declaration with the words around it.
func (p *parser) spec() cppSpec {
	s := cppSpec{words: map[string]bool{}}
	p.specWords(s.words)
	if p.accept("auto") {
		s.words["auto"] = true
	} else {
		s.typ = p.cppTypeName()
		if t, ok := s.typ.(*TypeOf); ok && t.X == nil { // decltype(auto)
			s.typ = nil
			s.words["auto"] = true
		}
	}
	p.specWords(s.words)
	return s
}

func (p *parser) specWords(words map[string]bool) {
	for {
		switch t := p.tok(); {
		case p.skipAttributes():
		case t.kind == tokenName && specifiers[t.text]:
			words[t.text] = true
			p.i++
		case t.text == "struct" || t.text == "class" || t.text == "enum" || t.text == "union": // struct NAME as a type
			p.i++
		case t.text == "extern" && p.ahead(1).kind == tokenText:
			p.i += 2
		default:
			return
		}
	}
}

// cppTypeName parses a type without const, *, & and dimensions.
func (p *parser) cppTypeName() Expr {
	defer p.deeper()()
	p.step()
	from := p.tok().From
	switch t := p.tok(); {
	case t.text == "decltype":
		return p.members(p.typeOf(), func(Expr) bool { return true })
	case t.kind == tokenName && typeWords[t.text]:
		var words []string
		for t = p.tok(); t.kind == tokenName && (typeWords[t.text] || t.text == "const"); t = p.tok() {
			if t.text != "const" {
				words = append(words, t.text)
			}
			p.i++
		}
		return &Name{Span: p.since(from), Name: strings.Join(words, " ")}
	case t.text == "...":
		p.leftOut()
	}
	p.accept("::")
	name := p.path("a type")
	if name.Path == "" && p.kindOf(name.Name) == valueName && !p.is("::") {
		fail(name.Span, "expected a type, found the name of a variable")
	}
	var x Expr = name
	if p.is("<") {
		x = &Template{X: x, Args: p.templateArgs()}
		x.(*Template).Span = p.since(from)
	}
	return p.members(x, func(Expr) bool { return true })
}

// path parses NAME or NAMESPACE::NAME.
func (p *parser) path(what string) *Name {
	x := p.name(what)
	start := p.i - 1
	for p.is("::") && p.ahead(1).kind == tokenName && !isKeyword(Cpp, p.ahead(1).text) {
		p.i += 2
	}
	if last := p.i - 1; last > start {
		x.Name, x.To = p.tokens[last].text, p.tokens[last].To
		if last-start > 2*maxBlocks {
			fail(x.Span, "a name has at most %d namespaces", maxBlocks)
		}
		for i := start; i < last-1; i++ {
			x.Path += p.tokens[i].text
		}
	}
	return x
}

// members parses ::NAME after a template. The name has template arguments if opens says that the < after it opens them.
func (p *parser) members(x Expr, opens func(Expr) bool) Expr {
	from := x.Pos()
	for p.is("::") {
		p.i++
		template := p.accept("template")
		t := p.tok()
		name := p.name("a name after ::")
		x = &Attr{Span: p.since(from), X: x, Name: name.Name, At: t.From}
		if p.is("<") && (template || opens(x)) {
			x = &Template{X: x, Args: p.templateArgs()}
			x.(*Template).Span = p.since(from)
		}
	}
	return x
}

// typeOf parses decltype(X). X is nil for decltype(auto).
func (p *parser) typeOf() *TypeOf {
	from := p.tok().From
	p.i++
	p.expect("(", "'(' after decltype")
	x := &TypeOf{}
	if !p.accept("auto") {
		p.inBrackets(func() { x.X = p.cppComma("an expression") })
	}
	p.expect(")", "')'")
	x.Span = p.since(from)
	return x
}

// cppType parses a whole type, as in a cast: T const&, T*, T[4], R(A, B). It is nil for auto.
func (p *parser) cppType() Expr {
	from := p.tok().From
	s := p.spec()
	x := s.typ
	for {
		switch t := p.tok(); {
		case t.text == "*" || t.text == "&" || t.text == "&&":
			p.i++
			x = &Unary{p.since(from), t.text[:1], x}
			p.specWords(s.words)
		case t.text == "[" && x != nil:
			i := &Index{X: x}
			for p.is("[") {
				i.Args = append(i.Args, p.dimension())
			}
			i.Span = p.since(from)
			x = i
		case t.text == "(" && x != nil:
			f := &Call{Fn: x}
			if !p.tentative(func() bool { f.Args = p.typeList(); return true }) {
				return x
			}
			f.Span = p.since(from)
			x = f
		default:
			return x
		}
	}
}

// typeList parses the types of the parameters of a type of functions. In R (*)(A, B) the star is left out.
func (p *parser) typeList() (list []Arg) {
	if p.ahead(1).text == "*" && p.ahead(2).text == ")" {
		p.i += 3
	}
	p.expect("(", "'('")
	for !p.is(")") {
		list = append(list, Arg{X: p.cppType()})
		if p.tok().kind == tokenName {
			p.i++ // the name of the parameter
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")", "')'")
	return list
}

// dimension parses [N] or []. It returns nil for [].
func (p *parser) dimension() (x Expr) {
	p.expect("[", "'['")
	if !p.is("]") {
		p.inBrackets(func() { x = p.cppAssignment("the number of elements") })
	}
	p.expect("]", "']'")
	return x
}

// An argList is the result of parsing the arguments of a template.
type argList struct {
	args []Expr
	end  int // the index of the token after >
	err  *Error
}

// templateArgs parses <A, B>. The result is kept: the parser may come here more than once.
func (p *parser) templateArgs() []Expr {
	start := p.i
	r, ok := p.argLists[start]
	if !ok {
		before := *p
		r.err = alternative(func() {
			r.args = p.readTemplateArgs()
			r.end = p.i
		})
		steps := p.steps
		*p = before
		p.steps = steps
		if p.argLists == nil {
			p.argLists = map[int]argList{}
		}
		p.argLists[start] = r
	}
	if r.err != nil {
		panic(failure{r.err})
	}
	p.i = r.end
	return r.args
}

func (p *parser) readTemplateArgs() (args []Expr) {
	defer p.deeper()()
	p.expect("<", "'<'")
	for !p.is(">") {
		args = append(args, p.templateArg())
		if !p.accept(",") {
			break
		}
	}
	if t := p.tok(); t.text == ">=" || !p.accept(">") {
		p.refuse("expected ',' or '>' to end the arguments of the template")
	}
	return args
}

// templateArg parses a type or a value, perhaps with the ... of a pack.
func (p *parser) templateArg() (x Expr) {
	from := p.tok().From
	isType := p.tentative(func() bool {
		x = p.cppType()
		return p.is(",") || p.is(">") || p.is("...")
	})
	if !isType {
		angles := p.angles
		p.angles = true
		x = p.cppConditional("a type or a value")
		p.angles = angles
	}
	if p.accept("...") {
		return &Star{p.since(from), x}
	}
	if x == nil {
		return &Name{Span: p.since(from), Name: "auto"}
	}
	return x
}

// opensTemplate reports whether the < after x opens the arguments of a template.
func (p *parser) opensTemplate(x Expr) bool {
	name, isName := x.(*Name)
	if isName && name.Path == "" {
		switch p.kindOf(name.Name) {
		case templateName:
			return true
		case valueName, typeName:
			return false
		}
	}
	is, start := false, p.i
	p.tentative(func() bool {
		args := p.templateArgs()
		is = p.followsTemplate(x, args)
		return false
	})
	p.i = start
	return is
}

// followsTemplate reports whether what is next may follow a template with these arguments. If a name is not declared,
// a < b && c > (d) is a comparison, and so is a < b > 2.
func (p *parser) followsTemplate(x Expr, args []Expr) bool {
	t := p.tok()
	switch t.kind {
	case tokenNumber, tokenText:
		return false
	case tokenName:
		return set("and or not")[t.text]
	}
	if t.text != "(" {
		_, isName := x.(*Name)
		return isName || t.text == "::"
	}
	for _, x := range args {
		switch x.(type) {
		case *Logic, *Compare:
			return false
		}
	}
	return true
}

const leftOutText = "parts of the text are left out here, where it has ...: write them"

// leftOut fails at dots in the place of parts of the text.
func (p *parser) leftOut() { fail(p.tok().Span, leftOutText) }
