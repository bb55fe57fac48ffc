package paste

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/reader"
	"girih/internal/lang/report"
	"girih/internal/lang/syntax"
	"girih/internal/pattern"
)

// This file rewrites an expression of C++ piece by piece. The reader reads a type with its braces. Pieces that do not
// matter to layouts, such as decltype and the type of an element, are removed. The rest is in the language.

// deepestPiece limits the nesting of pieces that are rewritten.
const deepestPiece = 8

// longestRewritten limits the text, in bytes: the brackets after each name are searched, which takes quadratic time.
const longestRewritten = 1 << 14

// The pieces, at a name. A pointer is ?, whose value is not known.
const (
	pieceName   = pattern.Pattern(`^(?:(?:cute|cutlass|std)::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*`)
	piecePtr    = pattern.Pattern(`^(?:make_[gsrt]mem_ptr|recast_ptr|raw_pointer_cast)$`)
	pieceOwner  = pattern.Pattern(`^(?:make_tensor|make_tensor_like|make_fragment_like|make_rmem_tensor)$`)
	pieceMember = pattern.Pattern(`^(?:::value|\.value|::type)\b(?:\s*\{\s*\})?`)
)

// A rewriter reads its text once; other rewriters rewrite the pieces inside a piece.
type rewriter struct {
	r     *Reader
	depth int
	out   strings.Builder
	notes []string
}

// Rewrite returns the expression of the language for a C++ text. ok is false if there is no expression, or if the
// expression is the text itself.
func (r *Reader) Rewrite(text string) (item reader.Item, ok bool) {
	text = strings.TrimRight(text, " \t\r\n;")
	if len(text) > longestRewritten || !strings.ContainsAny(text, "<{:(.") {
		return item, false
	}
	w := rewriter{r: r}
	if !w.all(text) || strings.TrimSpace(w.out.String()) == strings.TrimSpace(text) {
		return item, false
	}
	item.Text, item.Notes = strings.TrimSpace(w.out.String()), w.notes
	_, err := syntax.Parse(item.Text)
	return item, err == nil
}

// inner rewrites the text inside a piece.
func (r *rewriter) inner(text string) (string, bool) {
	in := rewriter{r: r.r, depth: r.depth + 1}
	ok := in.depth <= deepestPiece && in.all(text)
	r.notes = append(r.notes, in.notes...)
	return strings.TrimSpace(in.out.String()), ok
}

// all rewrites a text. ok is false if a bracket or a quotation mark does not close, or if pieces nest too deep.
func (r *rewriter) all(text string) (ok bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c == '"' {
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return false
			}
			r.out.WriteString(text[i : i+end+2])
			i += end + 2
			continue
		}
		name := pieceName.FindString(text[i:])
		if name != "" {
			if n := r.module(text[i:]); n > 0 {
				i += n
				continue
			}
		}
		switch {
		case name != "":
			n, ok := r.piece(text[i:], name)
			if !ok {
				return false
			}
			i += n
		case isNameByte(c): // a number: 4u is not a name
			n := len(text[i:]) - len(strings.TrimLeftFunc(text[i:], func(c rune) bool { return c < 0x80 && isNameByte(byte(c)) }))
			r.out.WriteString(text[i : i+n])
			i += n
		default:
			if n := max(len(pieceMember.FindString(text[i:])), r.attribute(text[i:])); n > 0 {
				i += n
				continue
			}
			r.out.WriteByte(c)
			i++
		}
	}
	return true
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// A piece is the beginning of a text: a name with <LIST>, and after that (CALL) or {BRACES}. Missing parts are empty.
type piece struct {
	base               string // the name without namespaces
	list, call, braces string // each includes its brackets
	afterList          string // the text after the list, and so on
	afterCall          string
	afterBraces        string
}

func cutPiece(text, name string) (p piece) {
	p.base = name[strings.LastIndexByte(name, ':')+1:]
	p.list, p.afterList = cutBrackets(text[len(name):], '<', '>')
	p.call, p.afterCall = cutBrackets(p.afterList, '(', ')')
	p.braces, p.afterBraces = cutBrackets(p.afterList, '{', '}')
	return p
}

func (p *piece) isPointer() bool  { return p.call != "" && piecePtr.MatchString(p.base) }
func (p *piece) isDecltype() bool { return p.base == "decltype" && p.list == "" && p.call != "" }
func (p *piece) isType() bool     { return p.braces != "" && p.call == "" }

// isOwner reports whether the piece makes a tensor of a type of elements, which is dropped: make_tensor<float>(L).
func (p *piece) isOwner() bool {
	return p.list != "" && p.call != "" && pieceOwner.MatchString(p.base) &&
		len(cutOutside(p.list[1:len(p.list)-1], ',')) == 1
}

// isConstant reports whether the piece uses a variable template, such as size_v<L>.
func (p *piece) isConstant() bool {
	return p.list != "" && strings.HasSuffix(p.base, "_v") && p.call == "" && p.braces == ""
}

// piece rewrites the piece that begins with a name, and returns its length in the text.
func (r *rewriter) piece(text, name string) (n int, ok bool) {
	p := cutPiece(text, name)
	if n := r.trait(&p, text); n > 0 {
		return n, true
	}
	switch {
	case p.base == "typename":
		return len(name), true
	case p.isPointer():
		r.out.WriteString("?")
		return len(text) - len(p.afterCall), true
	case p.isDecltype():
		after := p.afterCall
		if braces, past := cutBrackets(after, '{', '}'); strings.TrimSpace(strings.Trim(braces, "{}")) == "" {
			after = past
		}
		in, ok := r.inner(p.call[1 : len(p.call)-1])
		r.out.WriteString("(" + in + ")")
		return len(text) - len(after), ok
	case p.isOwner():
		r.out.WriteString(name)
		return len(text) - len(p.afterList), true
	case p.isFunctionOfInts():
		r.out.WriteString(p.base + strings.ReplaceAll(p.list, "_", "") + "()")
		return len(text) - len(p.afterBraces), true
	case p.isConstant():
		in, ok := r.inner(p.list[1:len(p.list)-1] + "{}")
		fn := strings.TrimSuffix(p.base, "_v")
		_, known := eval.Lookup(fn)
		r.out.WriteString(fn + "(" + in + ")")
		return len(text) - len(p.afterList), ok && known
	case p.isType():
		return r.value(text, len(text)-len(p.afterBraces))
	}
	r.out.WriteString(name)
	return len(name), true
}

// value rewrites a type with braces, the first n bytes of the text, if the reader knows it and the language does not.
func (r *rewriter) value(text string, n int) (int, bool) {
	piece := text[:n]
	if tree, err := syntax.Parse(piece); err == nil {
		if _, isName := tree.Stmts[0].X.(*syntax.Ident); !isName || len(tree.Stmts) != 1 {
			r.out.WriteString(piece)
			return n, true
		}
	} else if item, ok := r.r.Item(piece, &report.Error{Code: string(cute.CodeSyntax)}); ok {
		r.notes = append(r.notes, item.Notes...)
		piece = item.Text
		before := strings.TrimRight(r.out.String(), " \t\r\n")
		next := strings.TrimLeft(text[n:], " \t\r\n")
		if (before == "" || strings.IndexByte("(,", before[len(before)-1]) >= 0) &&
			(next == "" || strings.IndexByte("),", next[0]) >= 0) {
			r.out.WriteString(piece)
			return n, true
		}
		piece = "(" + piece + ")"
	}
	r.out.WriteString(piece)
	return n, true
}

// cutBrackets splits a text that begins with a bracket, after blanks, into the bracketed part and the rest. If it does
// not begin with the bracket, or the bracket does not close, the first part is empty and the second is the text.
func cutBrackets(text string, open, shut byte) (inside, after string) {
	from := strings.TrimLeft(text, " \t\r\n")
	if from == "" || from[0] != open {
		return "", text
	}
	depth, quoted := 0, false
	for i := range len(from) {
		c := from[i]
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == open, c == '(' && open == '<':
			depth++
		case c == shut, c == ')' && open == '<':
			if depth--; depth == 0 {
				return from[:i+1], from[i+1:]
			}
		case c == ';':
			return "", text
		}
	}
	return "", text
}
