package consistency

import (
	"slices"
	"strings"
	"sync"
)

// A rule is a row whose relation has been parsed.
type rule struct {
	Row
	shape string // the shape of an axiom
	e     *expr
}

// rules returns the parsed rows: rules()[i] belongs to rows[i]. The tree is nil for rows that have no expression.
var rules = sync.OnceValue(func() []rule {
	list := make([]rule, len(rows))
	for i, r := range Rows() {
		list[i].Row = r
		text := r.Relation
		for _, shape := range []string{empty, irreflexive, acyclic} {
			if rest, ok := strings.CutPrefix(text, shape); ok {
				list[i].shape, text = shape, rest
			}
		}
		if text != "" {
			list[i].e = parse(text)
			resolve(list[i].e, i)
		}
	}
	return list
})

// index returns the number of the row with a name, or -1.
func index(name string) int {
	return slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
}

// resolve replaces each name in e by the number of its row, which must come before row i.
func resolve(e *expr, i int) {
	if e == nil {
		return
	}
	if e.op == 'n' {
		if e.row = index(e.name); e.row < 0 || e.row >= i {
			panic("consistency: row " + rows[i].Name + " uses " + e.name + ", which is no earlier row")
		}
	}
	resolve(e.a, i)
	resolve(e.b, i)
}

// An Execution is a run of a program, or a part of a run, as sets of events and relations between them. [NewExecution]
// makes an Execution; the zero value cannot be used.
type Execution struct {
	n      int
	sets   []Set
	rels   []Relation
	solved bool // the derived relations are up to date
}

// NewExecution returns an execution of n events, at most [MaxEvents]. All its sets and relations are empty.
func NewExecution(n int) *Execution {
	x := &Execution{n: n, sets: make([]Set, len(rows)), rels: make([]Relation, len(rows))}
	for i, r := range rows {
		if r.Kind == Given {
			x.rels[i] = make(Relation, n)
		}
	}
	return x
}

// Events returns the set called name, one of the [Events] in [Rows]. The caller adds the events of the set to it.
func (x *Execution) Events(name string) *Set { return &x.sets[index(name)] }

// Relation returns the relation called name in [Rows]. The caller may change given relations; derived relations are
// computed.
func (x *Execution) Relation(name string) Relation {
	i := index(name)
	if rows[i].Kind == Derived {
		x.solve()
	} else {
		x.solved = false
	}
	return x.rels[i]
}

// solve computes the derived relations.
func (x *Execution) solve() {
	if x.solved {
		return
	}
	for i, r := range rules() {
		if r.Kind == Derived {
			x.rels[i] = x.relation(r.e)
		}
	}
	x.solved = true
}

// set evaluates an expression whose operands are sets.
func (x *Execution) set(e *expr) Set {
	switch e.op {
	case '|':
		return x.set(e.a) | x.set(e.b)
	case '&':
		return x.set(e.a) & x.set(e.b)
	case '\\':
		return x.set(e.a) &^ x.set(e.b)
	}
	return x.sets[e.row]
}

// relation evaluates an expression whose operands are relations. The result may share memory with a named relation, so
// it must not be changed.
func (x *Execution) relation(e *expr) Relation {
	switch e.op {
	case 'n':
		return x.rels[e.row]
	case '[':
		out := make(Relation, x.n)
		for s := x.set(e.a) & (1<<x.n - 1); s != 0; s &= s - 1 {
			out.Add(s.First(), s.First())
		}
		return out
	case '-':
		return x.relation(e.a).inverse()
	case ';':
		return x.relation(e.a).then(x.relation(e.b))
	}
	out := x.relation(e.a).Clone()
	switch e.op {
	case '+', '*':
		out.Close()
	}
	switch e.op {
	case '?', '*':
		for i := range out {
			out.Add(i, i)
		}
	case '|':
		out.Unite(x.relation(e.b))
	case '&':
		for i, row := range x.relation(e.b) {
			out[i] &= row
		}
	case '\\':
		for i, row := range x.relation(e.b) {
			out[i] &^= row
		}
	}
	return out
}

// A Violation is an axiom that an execution violates.
type Violation struct {
	Row
	x        *Execution
	e        *expr
	from, to int // a pair of events in the relation of the axiom; from equals to for a cycle
	cyclic   bool
}

// Check returns the first axiom that the execution violates, or nil. Check skips the axioms named in without; a part of
// an execution needs this, because its coherence order is not complete.
func (x *Execution) Check(without ...string) *Violation {
	x.solve()
	for _, r := range rules() {
		if r.Kind != Axiom || slices.Contains(without, r.Name) {
			continue
		}
		if v := x.violation(r); v != nil {
			return v
		}
	}
	return nil
}

// violation returns the violation of axiom r, or nil.
func (x *Execution) violation(r rule) *Violation {
	m := x.relation(r.e)
	v := &Violation{Row: r.Row, x: x, e: r.e, cyclic: r.shape == acyclic}
	if r.shape == empty {
		for i, row := range m {
			if row != 0 {
				v.from, v.to = i, row.First()
				return v
			}
		}
		return nil
	}
	if v.cyclic {
		m = m.Clone()
		m.Close()
	}
	loops := m.loops()
	if loops == 0 {
		return nil
	}
	v.from = loops.First()
	v.to = v.from
	return v
}
