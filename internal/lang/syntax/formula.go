package syntax

import "strings"

// This file parses what mathematical texts write and programs do not: LaTeX's names of operators, A^*, A^{-1} and A^T,
// $...$ around a formula, and A = B as a question.

// latexKinds are the commands of LaTeX that are operators. Commands that make space are skipped like comments.
var latexKinds = map[string]Kind{
	"circ": KindCompose, "oslash": KindDivide, "otimes": KindProduct, "times": KindTimes, "cdot": KindStar,
	"left": KindComment, "right": KindComment, "big": KindComment, "bigl": KindComment,
	"bigr": KindComment, "quad": KindComment, "qquad": KindComment,
	",": KindComment, ";": KindComment, ":": KindComment, "!": KindComment, " ": KindComment,
	"(": KindMath, ")": KindMath, "[": KindMath, "]": KindMath, `\`: KindRow,
}

// superscripts are the texts after ^ that have a meaning.
var superscripts = map[string]Kind{
	"*": KindDual, "ast": KindDual, "-1": KindInverse,
	"T": KindTranspose, "top": KindTranspose, "intercal": KindTranspose, "⊤": KindTranspose,
}

// formula scans a token that begins with c: a command of LaTeX, a superscript, & or $.
func (s *scanner) formula(c byte) Kind {
	switch c {
	case '&':
		s.off++
		return KindCell
	case '$':
		return s.pair('$', KindMath, KindMath)
	case '^':
		return s.power()
	}
	name := latexName(s.src[s.off+1:])
	s.off += 1 + len(name)
	if name == "begin" || name == "end" {
		return s.environment(name)
	}
	if kind, ok := latexKinds[name]; ok {
		return kind
	}
	return KindIllegal
}

// latexName returns the name of a command of LaTeX at the start of s: letters, or one other byte.
func latexName(s string) string {
	n := 0
	for n < len(s) && classes[s[n]] == classLetter {
		n++
	}
	if n == 0 && s != "" {
		n = 1
	}
	return s[:n]
}

// power scans ^*, ^{-1}, ^T and the like. Any other superscript has no meaning.
func (s *scanner) power() Kind {
	rest := s.src[s.off+1:]
	text, end := rest, 0
	if strings.HasPrefix(rest, "{") {
		if end = strings.IndexByte(rest[:min(len(rest), 16)], '}'); end > 0 {
			kind, ok := superscripts[strings.TrimPrefix(strings.TrimSpace(rest[1:end]), `\`)]
			if ok {
				s.off += 1 + end + 1
				return kind
			}
		}
		s.off++
		return KindIllegal
	}
	text = strings.TrimPrefix(text, `\`)
	for name, kind := range superscripts {
		after, ok := strings.CutPrefix(text, name)
		if ok && (after == "" || !isWord(name[len(name)-1]) || !isWord(after[0])) {
			s.off += 1 + len(rest) - len(after)
			return kind
		}
	}
	s.off++
	return KindIllegal
}

// isWord reports whether a byte may be part of a name or a number.
func isWord(c byte) bool { return classes[c] == classLetter || classes[c] == classDigit || c == '_' }

// leftDivisions are the spellings of the left division.
var leftDivisions = [...]string{"/_l", "/_{l}", `/_\ell`, `/_{\ell}`}

// slash scans a left division or '/'.
func (s *scanner) slash() Kind {
	for _, text := range leftDivisions {
		after, ok := strings.CutPrefix(s.src[s.off:], text)
		if ok && (after == "" || !isWord(after[0]) || text[len(text)-1] == '}') {
			s.off += len(text)
			return KindLeftDivide
		}
	}
	s.off++
	return KindSlash
}

// latex parses a matrix of LaTeX or a formula in $...$, and refuses any other token.
func (p *parser) latex() Expr {
	switch p.tok.Kind {
	case KindBegin:
		return p.environment()
	case KindMath:
		return p.math()
	}
	p.want("an expression")
	return nil
}

// math parses $...$ or \[...\], which group.
func (p *parser) math() Expr {
	b, ok := p.open()
	if !ok {
		return nil
	}
	x := p.expr(precEqual)
	if x == nil || !p.closing(mathBrackets, b) {
		return nil
	}
	p.shut(b)
	return x
}

// starIsDual reports whether the current token, a '*', has no operand after it: B* is B^*, as in A o (B,B*).
func (p *parser) starIsDual() bool {
	ahead := p.scan
	switch t := skipBlank(&ahead); t.Kind {
	case KindRParen, KindRBracket, KindComma:
		return p.nest > 0
	case KindCompose:
		return true
	case KindIdent: // B* o A; a name o is not followed by an operand, and o(x) is a call
		next := skipBlank(&ahead)
		return t.Text(p.scan.src) == "o" && next.Text(p.scan.src) != "o" && startsOperand(next.Kind) && next.Pos > t.End
	}
	return false
}

// startsOperand reports whether a token of kind k can begin an operand right after another operand.
func startsOperand(k Kind) bool {
	switch k {
	case KindInt, KindIdent, KindWildcard, KindLParen, KindLBracket, KindBegin:
		return true
	}
	return false
}

// superscript parses the rest of A^*, which is complement(A), of A^{-1} and of A^T.
func (p *parser) superscript(x Expr) Expr {
	c := &Call{Name: "complement", NamePos: p.tok.Pos, Args: []Arg{{KeyPos: -1, X: x}}}
	switch p.tok.Kind {
	case KindInverse:
		c.Name = "inverse"
	case KindTranspose:
		c.Name = "transpose"
	default:
		c.Dual = true
	}
	star := p.tok.Kind == KindStar
	p.advance()
	if star { // the sign after the star may be on the next line
		p.skipLines()
	}
	if !p.raise(0) {
		return nil
	}
	c.Span = span(x.Pos(), p.end)
	return c
}

// dual returns A if x is A^*.
func dual(x Expr) (of Expr, ok bool) {
	c, ok := x.(*Call)
	if !ok || !c.Dual {
		return nil, false
	}
	return c.Args[0].X, true
}

// concatenation returns the value of parentheses around several expressions if one is A^* or A^* o B, and nil
// otherwise: mathematical texts write (A,B) for the concatenation. (A, A^* o B) is the logical product of A and B.
func (p *parser) concatenation(start int, elems []Expr) Expr {
	if len(elems) < 2 {
		return nil
	}
	c := &Call{Span: span(start, p.end), Name: "make_layout", NamePos: start}
	hasDual := false
	for _, x := range elems {
		_, ok := dual(x)
		if l, isCall := x.(*Call); isCall && l.Name == composeDual {
			if len(elems) == 2 && x == elems[1] && Format(l.Args[0].X) == Format(elems[0]) {
				l.Name, l.Span = "logical_product", c.Span
				return l
			}
			ok = true
		}
		hasDual = hasDual || ok
		c.Args = append(c.Args, Arg{KeyPos: -1, X: x})
	}
	if !hasDual {
		return nil
	}
	return c
}

// composeDual is the function of A^* o B. The bound of the complement is size(A) times cosize(B), as in A ⊗ B.
const composeDual = "compose_complement"

// composition returns the chain x, in which A^* o B and A o (B,B^*) have bounds: A^* o B is the second mode of A ⊗ B,
// and A o (B,B^*) is A ⊘ B.
func (p *parser) composition(x *Compose) Expr {
	n := len(x.Operands)
	for i := n - 2; i >= 0; i-- {
		of, ok := dual(x.Operands[i])
		if !ok {
			continue
		}
		rest := chain(x.Operands[i+1:])
		c := callOf(span(x.Operands[i].Pos(), p.end), composeDual, of, rest)
		x.Operands = append(x.Operands[:i:i], c)
		n = len(x.Operands)
	}
	if n == 1 {
		return x.Operands[0]
	}
	if pair, ok := x.Operands[n-1].(*Call); ok && pair.Name == "make_layout" && len(pair.Args) == 2 {
		of, ok := dual(pair.Args[1].X)
		if ok && Format(of) == Format(pair.Args[0].X) {
			return callOf(x.Span, "logical_divide", chain(x.Operands[:n-1]), of)
		}
	}
	return x
}

// callOf returns the call of a function with two operands that is written with signs.
func callOf(at Span, name string, a, b Expr) *Call {
	return &Call{Span: at, Name: name, NamePos: a.End(), Args: []Arg{{KeyPos: -1, X: a}, {KeyPos: -1, X: b}}}
}

// chain returns the composition of at least one operand.
func chain(operands []Expr) Expr {
	if len(operands) == 1 {
		return operands[0]
	}
	return &Compose{Span: span(operands[0].Pos(), operands[len(operands)-1].End()), Operands: operands}
}

// question parses the rest of X = Y, which asks whether both are the same. A bare name on the left is bound by let, so
// there only X = Y^* is a question: whether X and Y are complements. Nothing is a question that other languages assign
// to: (a,b), [a,b], a[0] and a.b.
func (p *parser) question(x Expr) Expr {
	switch n := x.(type) {
	case *Tuple, *Tiler, *Wildcard:
		return x
	case *Call:
		if n.Index || n.Method {
			return x
		}
	}
	trial := *p
	trial.advance()
	y := trial.expr(precEqual)
	if y == nil {
		if !isIdent(x) {
			*p = trial
			return nil
		}
		return x
	}
	of, isDual := dual(y)
	if isIdent(x) && !isDual {
		return x
	}
	*p = trial
	at := span(x.Pos(), p.end)
	if left, ok := dual(x); ok && !isDual {
		x, of, isDual = y, left, true
	}
	if !p.raise(p.height) {
		return nil
	}
	if isDual {
		return callOf(at, "is_complement", x, of)
	}
	return &Binary{Span: at, Op: OpIs, X: x, Y: y}
}
