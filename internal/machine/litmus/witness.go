package litmus

import (
	"fmt"
	"strings"

	"girih/ptx/consistency"
)

// Names returns a short name for each event: letters by thread, and "init x" for the first write of x.
func (x *Execution) Names() []string {
	names := make([]string, len(x.Events))
	n := 0
	for thread := -1; thread < MaxThreads; thread++ {
		for i, e := range x.Events {
			switch {
			case e.Thread != thread:
			case thread < 0:
				name, _, _ := strings.Cut(strings.TrimPrefix(e.Access, "W "), "=")
				names[i] = "init " + name
			default:
				names[i] = string(rune('a' + n%26))
				if n >= 26 {
					names[i] += fmt.Sprint(n / 26)
				}
				n++
			}
		}
	}
	return names
}

// Edges returns the edges that say how the threads met: co without what follows from other pairs of it, fr to the next
// write, sc, bar and sync.
func (x *Execution) Edges() []consistency.Edge {
	var list []consistency.Edge
	co := reduced(x.Graph.Relation("co"))
	for _, name := range []string{"co", "fr", "sc", "bar", "sync"} {
		r := x.Graph.Relation(name)
		switch name {
		case "co":
			r = co
		case "sc":
			r = reduced(r)
		}
		for i := range r {
			for j := range r {
				if r.Has(i, j) && (name != "fr" || co.Has(x.Events[i].From, j)) {
					list = append(list, consistency.Edge{Name: name, From: i, To: j})
				}
			}
		}
	}
	return list
}

// reduced returns the pairs of an order that do not follow from other pairs.
func reduced(r consistency.Relation) consistency.Relation {
	out := r.Clone()
	for i := range r {
		for j := range r {
			if r.Has(i, j) {
				out[i] &^= r[j]
			}
		}
	}
	return out
}
