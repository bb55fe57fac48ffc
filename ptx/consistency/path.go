package consistency

import "slices"

// An Edge is one step of a cycle: the name of a relation and the two events it relates.
type Edge struct {
	Name     string
	From, To int
}

// isWhole reports whether a cycle shows a derived relation as one edge, and not as the edges that make it up.
func isWhole(name string) bool { return name == "fr" || name == "sync" }

// Cycle returns the edges that the axiom forbids: edges from an event back to itself, or, if the axiom says that a
// relation is empty, the edges of one pair. Of several ways between two events it takes one.
func (v *Violation) Cycle() []Edge {
	w := walk{x: v.x}
	if v.cyclic {
		w.closure(v.e, v.from, v.to)
	} else {
		w.edges(v.e, v.from, v.to)
	}
	return w.list
}

// A walk collects edges.
type walk struct {
	x    *Execution
	list []Edge
}

// edges adds the edges by which e relates i to j, as it does.
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

// name adds the edges of a relation with a name.
func (w *walk) name(r rule, i, j int) {
	if r.e == nil || isWhole(r.Name) {
		w.list = append(w.list, Edge{r.Name, i, j})
		return
	}
	w.edges(r.e, i, j)
}

// filters are the relations that say what operations have in common, not that one comes before the other.
var filters = []string{"loc", "whole", "scope", "proxy", "cta", "same", "ms"}

// narrow returns the operand of an intersection that tells the way: one that is composed, or else one that is no
// filter.
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

// closure adds a shortest chain of e from i to j, one step at least.
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
