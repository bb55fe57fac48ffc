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

// deepestPiece bounds how deep pieces that are rewritten stand inside each other.
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

// A rewriter goes over the text once; pieces inside others are rewritten by rewriters of their own.
type rewriter struct {
	r     *Reader
	depth int
	out   strings.Builder
	notes []string
}

// Rewrite returns the expression of the language that a text of C++ is, if there is one that is not the text.
func (r *Reader) Rewrite(text string) (item reader.Item, ok bool) {
	text = strings.TrimRight(text, " \t\r\n;")
	if len(text) > longestRewritten || !strings.ContainsAny(text, "<{:(") {
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

// inner returns what is inside a piece, rewritten.
func (r *rewriter) inner(text string) (string, bool) {
	in := rewriter{r: r.r, depth: r.depth + 1}
	ok := in.depth <= deepestPiece && in.all(text)
	r.notes = append(r.notes, in.notes...)
	return strings.TrimSpace(in.out.String()), ok
}

// all rewrites a text; ok is false where a bracket or a quotation mark does not close, or pieces nest too deep.
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
		switch {
		case name != "":
			n, ok := r.piece(text[i:], name)
			if !ok {
				return false
			}
			i += n
		case isNameByte(c): // a number: 4u is no name
			n := len(text[i:]) - len(strings.TrimLeftFunc(text[i:], func(c rune) bool { return c < 0x80 && isNameByte(byte(c)) }))
			r.out.WriteString(text[i : i+n])
			i += n
		default:
			if m := pieceMember.FindString(text[i:]); m != "" {
				i += len(m)
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

// piece rewrites what begins with a name, and returns how much of the text that is.
func (r *rewriter) piece(text, name string) (n int, ok bool) {
	base := name[strings.LastIndexByte(name, ':')+1:]
	list, behind := cutBrackets(text[len(name):], '<', '>')
	call, after := cutBrackets(behind, '(', ')')
	braces, past := cutBrackets(behind, '{', '}')
	switch {
	case base == "typename":
		return len(name), true
	case piecePtr.MatchString(base) && call != "":
		r.out.WriteString("?")
		return len(text) - len(after), true
	case base == "decltype" && list == "" && call != "":
		if braces, past := cutBrackets(after, '{', '}'); strings.TrimSpace(strings.Trim(braces, "{}")) == "" {
			after = past
		}
		in, ok := r.inner(call[1 : len(call)-1])
		r.out.WriteString("(" + in + ")")
		return len(text) - len(after), ok
	case pieceOwner.MatchString(base) && list != "" && call != "" && len(cutOutside(list[1:len(list)-1], ',')) == 1:
		r.out.WriteString(name)
		return len(text) - len(behind), true
	case list != "" && strings.HasSuffix(base, "_v") && call == "" && braces == "":
		in, ok := r.inner(list[1:len(list)-1] + "{}")
		fn := strings.TrimSuffix(base, "_v")
		_, known := eval.Lookup(fn)
		r.out.WriteString(fn + "(" + in + ")")
		return len(text) - len(behind), ok && known
	case braces != "" && call == "":
		return r.value(text, len(text)-len(past))
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
func cutBrackets(text string, open, shut byte) (inside, behind string) {
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
