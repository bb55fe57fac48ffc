package reader

import (
	"slices"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/indexmap"
	"girih/internal/lang/syntax"
)

// This file reads a whole text as a program of girih's language, if the reading as pasted text lost a part of the text:
// 2 + 3 == 5.

// maxForeign limits, in bytes, the texts that are tried as programs of girih's language. People type such programs, and
// reading a short text twice costs little.
const maxForeign = 1 << 12

// foreign reads the text as a program of girih's language, if the text has more than the values found in it: 2 + 3 ==
// 5, or two layouts with an operator between them.
func (s *search) foreign() {
	text := strings.TrimSpace(s.src)
	if len(s.src) > maxForeign || text == "" {
		return
	}
	if n := len(s.found); n > 0 && int(s.found[n-1].node.end-s.found[0].node.start) == len(text) && n == 1 {
		return
	}
	if s.wholeMap(text) {
		return
	}
	prog, err := syntax.Parse(s.src)
	if err != nil || len(s.found)+len(s.unread) > 0 && len(prog.Stmts) != 1 {
		return
	}
	var found []found
	for _, stmt := range prog.Stmts {
		if !s.isExpression(stmt.X) {
			continue
		}
		n := &node{kind: nodeLeaf, text: syntax.Format(stmt.X), start: int32(stmt.X.Pos()), end: int32(stmt.X.End())}
		found = append(found, foundExpression(n, stmt.Name))
	}
	if len(found) > 0 && (len(s.unread) == 0 || isCall(prog.Stmts[0].X)) {
		s.found, s.unread = found, nil
	}
}

// wholeMap keeps the text as a map of indices, if it is a lambda or a function. A swizzle found in it says more.
func (s *search) wholeMap(text string) bool {
	isSwizzle := func(f found) bool { return f.node.kind == nodeSwizzle }
	if !indexmap.IsMap(text) || slices.ContainsFunc(s.found, isSwizzle) {
		return false
	}
	m, err := indexmap.Parse(text)
	if err != nil {
		return false
	}
	start := int32(strings.Index(s.src, text))
	n := &node{kind: nodeLeaf, text: m.String(), start: start, end: start + int32(len(text))}
	s.found, s.unread = []found{foundExpression(n, "")}, nil
	return true
}

func foundExpression(n *node, name string) found {
	return found{node: n, kind: KindExpression, name: name}
}

// isExpression reports whether an expression is more than a name or a value that was found already.
func (s *search) isExpression(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Binary, *syntax.Apply:
		return true
	case *syntax.Bool, *syntax.Unary, *syntax.Compose:
		return len(s.found) == 0
	case *syntax.Call:
		return isCall(x) || roles()[x.Name] != roleNone && (len(s.found) == 0 || x.Method)
	}
	return false
}

// isCall reports whether an expression calls a function on instructions, or on values over F2. The values found in such
// an expression are only parts of it.
func isCall(x syntax.Expr) bool {
	c, ok := x.(*syntax.Call)
	if !ok {
		return false
	}
	b, ok := eval.Lookup(c.Name)
	return ok && !b.OnLayouts()
}
