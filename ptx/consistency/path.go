package consistency

import "slices"

// An Edge is one step of a cycle: the name of a relation and the two events it relates.
type Edge struct {
	Name     string
	From, To int
}

// isWhole reports whether a cycle shows the derived relation called name as one edge instead of the edges from which it
// is derived.
func isWhole(name string) bool { return name == "fr" || name == "sync" }

// Cycle returns the edges that the axiom forbids. They lead from an event back to itself; if the axiom says that a
// relation is empty, they lead from one event to another that the relation relates. If there are several such paths,
// Cycle returns one of them.
func (v *Violation) Cycle() []Edge {
	w := walk{x: v.x}
	if v.cyclic {
		w.closure(v.e, v.from, v.to)
	} else {
		w.edges(v.e, v.from, v.to)
	}
	return w.list
}

// A walk collects the edges of a path.
type walk struct {
	x    *Execution
	list []Edge
}

// edges adds edges that show why e relates i to j.
func (w *walk) edges(e *expr, i, j int) {
	switch e.op {
	case 'n':
		w.name(rules()[e.row], i, j)
	case '-':
		w.list = append(w.list, Edge{e.a.name + "^-1", i, j})
	case '|':
		if w.x.relation(e.a).Has(i, j) {
			w.edges(e.a, i, j)
		} else {
			w.edges(e.b, i, j)
		}
	case '&':
		w.edges(w.narrow(e), i, j)
	case '\\':
		w.edges(e.a, i, j)
	case ';':
		mid := w.x.relation(e.a)[i] & w.x.relation(e.b).inverse()[j]
		w.edges(e.a, i, mid.First())
		w.edges(e.b, mid.First(), j)
	case '?':
		if i != j {
			w.edges(e.a, i, j)
		}
	case '+', '*':
		if e.op == '+' || i != j {
			w.closure(e.a, i, j)
		}
	}
}

// name adds the edges for a named relation.
func (w *walk) name(r rule, i, j int) {
	if r.e == nil || isWhole(r.Name) {
		w.list = append(w.list, Edge{r.Name, i, j})
		return
	}
	w.edges(r.e, i, j)
}

// filters lists the relations that only say what two operations share. They do not order the operations.
var filters = []string{"loc", "whole", "scope", "proxy", "cta", "same", "ms"}

// narrow chooses the operand of an intersection whose edges explain the order: a composition if there is one, otherwise
// an operand that is not a filter.
func (w *walk) narrow(e *expr) *expr {
	operands := []*expr{e.b}
	for e = e.a; e.op == '&'; e = e.a {
		operands = append(operands, e.b)
	}
	best := e
	for _, o := range append(operands, e) {
		if o.op == ';' {
			return o
		}
		if o.op != 'n' || !slices.Contains(filters, o.name) {
			best = o
		}
	}
	return best
}

// closure adds the edges of a shortest chain of at least one step of e from i to j.
func (w *walk) closure(e *expr, i, j int) {
	m := w.x.relation(e)
	before := make([]int, len(m))
	seen := Set(0)
	for queue := []int{i}; len(queue) > 0 && !seen.Has(j); queue = queue[1:] {
		for next := m[queue[0]] &^ seen; next != 0; next &= next - 1 {
			seen.Add(next.First())
			before[next.First()] = queue[0]
			queue = append(queue, next.First())
		}
	}
	chain := []int{j}
	for at := before[j]; ; at = before[at] {
		chain = append(chain, at)
		if at == i {
			break
		}
	}
	for k := len(chain) - 1; k > 0; k-- {
		w.edges(e, chain[k], chain[k-1])
	}
}
