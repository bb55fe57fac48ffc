package interp

import "girih/internal/lang/program"

// This file finds the local names of a function of Python: those that it assigns to anywhere.

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
		case *program.Class, *program.Try:
			assignedByOthers(st, names)
		case *program.Names:
			if st.Keyword == "del" {
				targetNames(&program.Tuple{Elems: st.List}, names)
			}
		}
	}
}

// assignedByOthers adds the names that a class or a try binds.
func assignedByOthers(st program.Stmt, names map[string]bool) {
	if c, ok := st.(*program.Class); ok {
		names[c.Name] = true
		return
	}
	try := st.(*program.Try) //nolint:forcetypeassert // as the caller checked
	assignedInTry(try, names)
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
