package needless

import (
	"fmt"
	"strings"

	"girih/internal/machine/chain"
	"girih/ptx/sim"
)

// An Outcome is the result of removing an instruction.
type Outcome string

// The outcomes; the package comment explains them.
const (
	Needed      Outcome = "needed"
	Strict      Outcome = "strict"
	Needless    Outcome = "needless"
	Undecided   Outcome = "undecided"
	NotExecuted Outcome = "not executed"
	NotModelled Outcome = "not modelled"
)

// A Place identifies an instruction.
type Place struct {
	Line int    `json:"line"`
	Op   string `json:"op"`
	col  int32
}

func (p Place) String() string { return fmt.Sprintf("%s line %d", p.Op, p.Line) }

// An Edge describes why two conflicting instructions are ordered.
type Edge struct {
	From Place   `json:"from"`
	Via  []Place `json:"via"` // the instructions between them that make the order
	To   Place   `json:"to"`
	Why  string  `json:"why,omitempty"` // the reason why no such instructions were found
	// Used reports whether, in the unchanged kernel, the edges use the removed instruction.
	Used bool `json:"used,omitempty"`
	// Async reports whether the second access uses the async proxy.
	Async bool `json:"async,omitempty"`
}

// key returns a text that is different for different edges of a report.
func (e Edge) key() string { return fmt.Sprint(e.From, e.To, e.From.col, e.To.col, e.Async) }

// String returns "st.shared line 40 -> bar.sync line 44 -> ld.shared line 52".
func (e Edge) String() string {
	var b strings.Builder
	b.WriteString(e.From.String())
	for _, p := range e.Via {
		b.WriteString(" -> " + p.String())
	}
	b.WriteString(" -> " + e.To.String())
	if e.Async {
		b.WriteString(" (async proxy)")
	}
	if e.Why != "" {
		b.WriteString(": " + e.Why)
	}
	return b.String()
}

// A Verdict is the result for one instruction.
type Verdict struct {
	Place
	Change  string       `json:"change"` // "removed", "true at once", "relaxed"
	Outcome Outcome      `json:"outcome"`
	Why     string       `json:"why,omitempty"`
	Finding *sim.Finding `json:"-"`               // a finding caused by the change; nil if there is none
	Order   uint64       `json:"order,omitempty"` // the order in which the finding occurred
	Pairs   int          `json:"pairs,omitempty"` // the number of pairs of conflicting instructions
	Edges   []Edge       `json:"edges,omitempty"` // the orders of these pairs; those that used the instruction come first
	Open    []Edge       `json:"open,omitempty"`  // the pairs for which no order was found
}

// A Report contains the verdicts on all synchronizing instructions of a kernel.
type Report struct {
	Orders   int       `json:"orders"`
	Verdicts []Verdict `json:"verdicts"`
	// Open lists the pairs of the unchanged kernel for which no order was found. They do not affect the verdicts.
	Open []Edge `json:"open,omitempty"`
}

// Count returns the number of verdicts with the outcome o.
func (r *Report) Count(o Outcome) int {
	n := 0
	for i := range r.Verdicts {
		if r.Verdicts[i].Outcome == o {
			n++
		}
	}
	return n
}

// orders returns the number of orders as text, such as "2 orders".
func (r *Report) orders() string {
	if r.Orders == 1 {
		return "1 order"
	}
	return fmt.Sprintf("%d orders", r.Orders)
}

// shownEdges limits the edges that Text shows for an instruction.
const shownEdges = 4

// Text returns the report as text. It states the number of orders, because needless only refers to these orders.
func (r *Report) Text() string {
	var b strings.Builder
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		fmt.Fprintf(&b, "line %d  %s", v.Line, v.Op)
		if v.Change != "removed" {
			fmt.Fprintf(&b, " (%s)", v.Change)
		}
		switch v.Outcome {
		case Needed:
			fmt.Fprintf(&b, ": needed: %s\n", v.Why)
		case Strict:
			fmt.Fprintf(&b, ": only the PTX ISA needs it, no known GPU does: %s\n", v.Why)
		case Needless:
			n := 0
			for n < len(v.Edges) && v.Edges[n].Used {
				n++
			}
			if fmt.Fprintf(&b, ": needless in %s; ", r.orders()); n == 0 {
				fmt.Fprintf(&b, "none of %d conflicting pairs uses it\n", v.Pairs)
			} else {
				fmt.Fprintf(&b, "other edges order the %d of %d conflicting pairs that use it\n", n, v.Pairs)
			}
			writeEdges(&b, v.Edges[:n])
		case Undecided:
			fmt.Fprintf(&b, ": nothing found in %s, and nothing orders %d of %d conflicting pairs\n",
				r.orders(), len(v.Open), v.Pairs)
			writeEdges(&b, v.Open)
		default:
			fmt.Fprintf(&b, ": %s\n", v.Outcome)
		}
	}
	fmt.Fprintf(&b, "%d needed, %d needed by the PTX ISA only, %d needless in %s, %d undecided, %d not executed, "+
		"%d not modelled\n", r.Count(Needed), r.Count(Strict), r.Count(Needless), r.orders(), r.Count(Undecided),
		r.Count(NotExecuted), r.Count(NotModelled))
	return b.String()
}

func writeEdges(b *strings.Builder, list []Edge) {
	for i, e := range list {
		if i == shownEdges {
			fmt.Fprintf(b, "    and %d more\n", len(list)-i)
			return
		}
		fmt.Fprintf(b, "    %v\n", e)
	}
}

// Score returns the report as a score of the simulator: how many executed changes it detects or explains.
func (r *Report) Score() string {
	var b strings.Builder
	found, explained, open := r.Count(Needed)+r.Count(Strict), r.Count(Needless), r.Count(Undecided)
	fmt.Fprintf(&b, "%d changes were executed: %d found (%d of them in a strict run), %d explained by edges in %s, %d neither\n",
		found+explained+open, found, r.Count(Strict), explained, r.orders(), open)
	for i := range r.Verdicts {
		if v := &r.Verdicts[i]; v.Outcome == Undecided {
			fmt.Fprintf(&b, "line %d  %s: neither\n", v.Line, v.Op)
			writeEdges(&b, v.Open)
		}
	}
	if n := r.Count(NotExecuted) + r.Count(NotModelled); n > 0 {
		fmt.Fprintf(&b, "%d not executed, %d not modelled\n", r.Count(NotExecuted), r.Count(NotModelled))
	}
	return b.String()
}

// edgeOf converts a proof to an Edge.
func edgeOf(l *chain.Log, p *Proof) Edge {
	e := Edge{From: placeOf(l.Sites[p.A.Site]), To: placeOf(l.Sites[p.B.Site]), Via: []Place{}, Async: p.B.Async}
	for _, n := range p.Events {
		at := placeOf(l.Sites[l.Events[n].Site])
		if k := len(e.Via); k == 0 || e.Via[k-1] != at {
			e.Via = append(e.Via, at)
		}
	}
	if p.Err != nil {
		e.Why, e.Via = p.Err.Error(), []Place{}
	}
	return e
}

func placeOf(s chain.Site) Place { return Place{int(s.Line), s.Op, s.Col} }
