package interp

import "girih/internal/lang/program"

// This file finds the local names of a Python function: the names to which it assigns anywhere.

// assignedNames returns the names that statements assign to.
func assignedNames(body []program.Stmt) map[string]bool {
	names := make(map[string]bool)
	assignedIn(body, names)
	return names
}

func assignedIn(body []program.Stmt, names map[string]bool) {
	for _, st := range body {
		switch st := st.(type) {
		case *program.Assign:
			for _, t := range st.Targets {
				targetNames(t, names)
			}
			walruses(st.X, names)
		case *program.Augment:
			targetNames(st.Target, names)
			walruses(st.X, names)
		case *program.Value:
			walruses(st.X, names)
		case *program.Return:
			walruses(st.X, names)
		case *program.Assert:
			walruses(st.Cond, names)
		case *program.If:
			walruses(st.Cond, names)
			assignedIn(st.Then, names)
			assignedIn(st.Else, names)
		case *program.While:
			walruses(st.Cond, names)
			assignedIn(st.Body, names)
			assignedIn(st.Else, names)
		case *program.For:
			targetNames(st.Target, names)
			assignedIn(st.Body, names)
			assignedIn(st.Else, names)
		case *program.Def:
			names[st.Name] = true
		case *program.Class, *program.Try, *program.With, *program.Match:
			assignedByOthers(st, names)
		case *program.Names:
			if st.Keyword == "del" {
				targetNames(&program.Tuple{Elems: st.List}, names)
			}
		}
	}
}

// assignedByOthers adds the names that a class, a try, a with or a match binds.
func assignedByOthers(st program.Stmt, names map[string]bool) {
	switch st := st.(type) {
	case *program.Class:
		names[st.Name] = true
	case *program.Try:
		assignedInTry(st, names)
	case *program.With:
		for _, c := range st.Contexts {
			walruses(c.X, names)
			if c.Target != nil {
				targetNames(c.Target, names)
			}
		}
		assignedIn(st.Body, names)
	case *program.Match:
		for _, c := range st.Cases {
			patternNames(c.Pattern, names)
			assignedIn(c.Body, names)
		}
	}
}

// patternNames adds the names that a pattern binds.
func patternNames(p *program.Pattern, names map[string]bool) {
	if p.Name != "" {
		names[p.Name] = true
	}
	for _, q := range p.Parts {
		patternNames(q, names)
	}
}

func assignedInTry(st *program.Try, names map[string]bool) {
	for _, part := range [][]program.Stmt{st.Body, st.Else, st.Finally} {
		assignedIn(part, names)
	}
	for _, h := range st.Handlers {
		if h.Name != "" {
			names[h.Name] = true
		}
		assignedIn(h.Body, names)
	}
}

// targetNames adds the names that a target binds.
func targetNames(x program.Expr, names map[string]bool) {
	switch x := x.(type) {
	case *program.Name:
		names[x.Name] = true
	case *program.Star:
		targetNames(x.X, names)
	case *program.Tuple:
		for _, e := range x.Elems {
			targetNames(e, names)
		}
	case *program.List:
		for _, e := range x.Elems {
			targetNames(e, names)
		}
	}
}

// walruses adds the names that NAME := X binds within an expression.
func walruses(x program.Expr, names map[string]bool) {
	program.Walk(x, func(y program.Expr) bool {
		if w, ok := y.(*program.Walrus); ok {
			names[w.Target.Name] = true
		}
		return true
	})
}
