package service

import (
	"slices"
	"sort"
	"strings"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/syntax"
)

// A CompleteRequest asks how the name at byte Cursor of Expr may continue.
type CompleteRequest struct {
	Expr   string `json:"expr"`
	Cursor int    `json:"cursor"`
}

// A CompleteResponse lists the names that fit in the bytes [Start, End) of the expression, sorted, bound names
// first. Each name begins with the bytes before Cursor; the bytes after Cursor are the rest of a name already in
// the expression.
type CompleteResponse struct {
	Start      int         `json:"start"`
	End        int         `json:"end"`
	Candidates []Candidate `json:"candidates,omitempty"`
	More       int         `json:"more,omitempty"` // how many more candidates fit
}

// A Candidate is one possible completion.
type Candidate struct {
	// Name is the text to write. If very many instructions fit, Name is a prefix that several of them share.
	Name      string     `json:"name"`
	Class     TokenClass `json:"class"`               // ClassVariable, ClassFunction, ClassInstruction or ClassType
	Signature string     `json:"signature,omitempty"` // the signature of a function
	Summary   string     `json:"summary,omitempty"`   // the first sentence of the documentation of a function
}

// shownNames is the number of instruction names offered at a time.
const shownNames = 100

// Complete returns the names that begin with the name before the cursor: bound names, functions and instructions;
// within quotation marks, the names that the function takes there. Where no name has begun, Complete returns all
// names except instructions; within a number or a comment, no names.
func (s *Session) Complete(req CompleteRequest) CompleteResponse {
	cursor := min(max(req.Cursor, 0), len(req.Expr))
	resp := CompleteResponse{Start: cursor, End: cursor}
	tokens := syntax.Tokens(req.Expr)
	at := slices.IndexFunc(tokens, func(t syntax.Token) bool { return t.Pos < cursor && cursor <= t.End })
	if at < 0 {
		resp.Candidates = s.namesFrom("")
		return resp
	}
	t := tokens[at]
	switch text := t.Text(req.Expr); {
	case t.Kind == syntax.KindText:
		closed := len(text) > 1 && strings.HasSuffix(text, `"`)
		if closed && cursor == t.End {
			return resp
		}
		resp.Start, resp.End = t.Pos+1, cursor+nameLength(req.Expr[cursor:t.End])
		resp.addQuoted(textAt(req.Expr, tokens[:at]), req.Expr[resp.Start:cursor])
	case t.Kind == syntax.KindIdent:
		resp.Start = t.Pos
		prefix, rest := req.Expr[t.Pos:cursor], req.Expr[cursor:t.End]
		resp.Candidates = s.namesFrom(prefix)
		if len(prefix) > 1 {
			resp.instructions(eval.TextInstruction, prefix)
		}
		if slices.ContainsFunc(resp.Candidates, func(c Candidate) bool {
			return len(c.Name) >= len(prefix) && strings.HasPrefix(c.Name[len(prefix):], rest)
		}) {
			resp.End = t.End
		}
	case t.Kind == syntax.KindInt, t.Kind == syntax.KindBool, t.Kind == syntax.KindLet,
		t.Kind == syntax.KindComment && cursor > t.Pos:
	default:
		resp.Candidates = s.namesFrom("")
	}
	return resp
}

// namesFrom returns the bound names and the functions that begin with the prefix.
func (s *Session) namesFrom(prefix string) []Candidate {
	var names, functions []Candidate
	for _, name := range s.Vars() {
		if strings.HasPrefix(name, prefix) {
			names = append(names, Candidate{Name: name, Class: ClassVariable})
		}
	}
	for _, b := range eval.Builtins() {
		if strings.HasPrefix(b.Name, prefix) {
			f := function(b)
			functions = append(functions, Candidate{
				Name: f.Name, Class: ClassFunction, Signature: f.Signature(),
				Summary: f.Summary(),
			})
		}
	}
	// sort.Slice is one function for all types; slices.SortFunc would add 14 KB to the command for this type.
	sort.Slice(functions, func(i, j int) bool { return functions[i].Name < functions[j].Name })
	return append(names, functions...)
}

// addQuoted adds the names that fit within quotation marks.
func (r *CompleteResponse) addQuoted(kind eval.TextKind, prefix string) {
	if kind != eval.TextType {
		r.instructions(kind, prefix)
		return
	}
	for _, t := range dtype.All() {
		if name := t.String(); strings.HasPrefix(name, prefix) {
			r.Candidates = append(r.Candidates, Candidate{Name: name, Class: ClassType})
		}
	}
}

// instructionStems are the beginnings of the names of instructions and layouts, in lower case. A test compares them
// with the tables. The first engine of a page does not have the tables, and need not ask for them at every key.
var instructionStems = []string{"au", "ds", "gm", "sm", "un", "v_"}

// mayBeInstruction reports whether a name of an instruction may begin with the prefix.
func mayBeInstruction(prefix string) bool {
	prefix = strings.ToLower(prefix)
	return slices.ContainsFunc(instructionStems, func(stem string) bool {
		return strings.HasPrefix(prefix, stem) || strings.HasPrefix(stem, prefix)
	})
}

// instructions adds the instructions that begin with the prefix, in upper or lower case. If there are very many, it
// adds their common prefixes instead.
func (r *CompleteResponse) instructions(kind eval.TextKind, prefix string) {
	if !mayBeInstruction(prefix) {
		return
	}
	var names []string
	collect := func(name string) bool {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			names = append(names, name)
		}
		return true
	}
	if kind != eval.TextCopy {
		atom.MMANames()(collect)
	}
	if kind != eval.TextMMA {
		atom.CopyNames()(collect)
	}
	if kind == eval.TextInstruction {
		atom.LayoutNames()(collect)
		descriptor.AtomNames()(collect)
	}
	slices.Sort(names)
	names = stems(slices.Compact(names), len(prefix), shownNames)
	if n := len(names) - shownNames; n > 0 {
		names, r.More = names[:shownNames], n
	}
	for _, n := range names {
		r.Candidates = append(r.Candidates, Candidate{Name: n, Class: ClassInstruction})
	}
}

// stems shortens sorted names, if there are more than most, to the part after the first n bytes: SM80_16x8x16_
// represents all names that begin with it.
func stems(names []string, n, most int) []string {
	if len(names) <= most {
		return names
	}
	var out []string
	for i := 0; i < len(names); {
		stem := names[i]
		if at := strings.IndexAny(stem[n:], "_<:"); at >= 0 {
			stem = stem[:n+at+1]
		}
		j := i + 1
		for j < len(names) && strings.HasPrefix(names[j], stem) {
			j++
		}
		if j == i+1 {
			stem = names[i]
		}
		out = append(out, stem)
		i = j
	}
	return out
}

// nameLength returns the length in bytes of the rest of a name at the beginning of text: letters, digits, and balanced
// template arguments.
func nameLength(text string) int {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case c == '_' || c == ':' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case c == ',' && depth != 0:
		default:
			return i
		}
	}
	return len(text)
}

// textAt returns the kind of a name in quotation marks after these tokens, according to the function and the
// argument.
func textAt(src string, before []syntax.Token) eval.TextKind {
	depth, argument := 0, 0
	for i, t := range slices.Backward(before) {
		switch t.Kind {
		case syntax.KindRParen, syntax.KindRBracket, syntax.KindRBrace:
			depth++
		case syntax.KindComma:
			if depth == 0 {
				argument++
			}
		case syntax.KindLBracket, syntax.KindLBrace:
			depth--
		case syntax.KindLParen:
			if depth--; depth >= 0 {
				continue
			}
			if i > 0 && before[i-1].Kind == syntax.KindIdent {
				b, _ := eval.Lookup(before[i-1].Text(src))
				return b.TextAt(argument)
			}
			return eval.TextInstruction
		}
		if depth < 0 {
			return eval.TextInstruction
		}
	}
	return eval.TextInstruction
}
