package reader

import (
	"strings"

	"girih/syntax"
)

// maxForeign is the longest text that is tried as a program of girih's language, in bytes: it is for what people
// type, and reading that twice costs nothing.
const maxForeign = 1 << 16

// foreign reads the text as a program of girih's language, where nothing else was found: 2 + 3 == 5, true.
func (s *search) foreign() {
	if len(s.src) > maxForeign || strings.TrimSpace(s.src) == "" {
		return
	}
	prog, err := syntax.Parse(s.src)
	if err != nil {
		return
	}
	for _, stmt := range prog.Stmts {
		switch x := stmt.X.(type) {
		case *syntax.Bool, *syntax.Binary, *syntax.Unary, *syntax.Compose, *syntax.Apply:
		case *syntax.Call:
			if roles[x.Name] == roleNone {
				continue
			}
		default:
			continue
		}
		n := &node{kind: nodeLeaf, text: syntax.Format(stmt.X), start: int32(stmt.X.Pos()), end: int32(stmt.X.End())}
		s.found = append(s.found, found{node: n, kind: KindExpression, name: stmt.Name})
	}
}
