//go:build !js

package service

import (
	"fmt"
	"strings"
)

// Text returns the answers in words. File is the name of the file, for texts of several tests.
func (r LitmusResponse) Text(file string) string {
	var b strings.Builder
	for _, t := range r.Tests {
		for _, a := range t.Asks {
			a.text(&b, strings.TrimSpace(file+" "+t.Name))
		}
	}
	return b.String()
}

// text writes a question with its answer.
func (a LitmusAsk) text(b *strings.Builder, name string) {
	question := strings.TrimSpace(a.Kind + " " + a.Condition)
	if a.Kind == "ends" {
		question = "every fair execution ends"
	}
	fmt.Fprintf(b, "%s: %s: %s\n", strings.TrimSpace(name+" "+a.Name), a.Verdict, question)
	fmt.Fprintf(b, "  %s, %d states\n", a.why(), a.States)
	if x := a.Witness; x != nil {
		x.text(b)
	}
	if x := a.Forbidden; x != nil {
		fmt.Fprintf(b, "  forbidden by %s, PTX ISA %s: %s\n", x.Axiom, x.Section, x.Words)
		x.text(b)
	}
}

// why says what an answer rests on.
func (a LitmusAsk) why() string {
	switch {
	case a.Kind == "ends" && a.Witness != nil:
		return "an execution that does not end: " + strings.Join(a.Witness.Stuck, "; ")
	case a.Verdict == "unknown":
		return "no execution within the bound on the rounds of loops shows it, and there are longer ones"
	case a.Kind == "ends":
		return "none goes on for ever"
	case a.Witness != nil && a.Kind == "forall":
		return "an execution ends otherwise"
	case a.Witness != nil:
		return "an execution ends so"
	case a.Kind == "forall":
		return "no execution ends otherwise"
	}
	return "no execution ends so"
}

// text writes the events by thread, and the edges.
func (x *LitmusExecution) text(b *strings.Builder) {
	width := 0
	for _, e := range x.Events {
		width = max(width, len(e.Text))
	}
	thread := ""
	for _, e := range x.byThread() {
		if e.Thread != thread {
			thread = e.Thread
			fmt.Fprintf(b, "    %s\n", thread)
		}
		from := ""
		if e.From != "" {
			from = "  from " + e.From
		}
		fmt.Fprintf(b, "      %-3s %-*s  %s%s\n", e.Name, width, e.Text, e.Access, from)
	}
	for _, name := range []string{"co", "fr", "sc", "bar", "sync"} {
		edges(b, name, x.Edges)
	}
	if len(x.Cycle) > 0 {
		b.WriteString("    cycle")
		for i, e := range x.Cycle {
			if i == 0 || x.Cycle[i-1].To != e.From {
				fmt.Fprintf(b, " %s", e.From)
			}
			fmt.Fprintf(b, " -%s-> %s", e.Relation, e.To)
		}
		b.WriteString("\n")
	}
}

// byThread returns the events of threads, thread by thread.
func (x *LitmusExecution) byThread() []LitmusEvent {
	var list []LitmusEvent
	done := map[string]bool{"": true}
	for _, first := range x.Events {
		if done[first.Thread] {
			continue
		}
		done[first.Thread] = true
		for _, e := range x.Events {
			if e.Thread == first.Thread {
				list = append(list, e)
			}
		}
	}
	return list
}

// edges writes the edges of a relation in one line, if there are any.
func edges(b *strings.Builder, name string, list []LitmusEdge) {
	sep := fmt.Sprintf("    %-5s", name)
	for _, e := range list {
		if e.Relation == name {
			fmt.Fprintf(b, "%s %s -> %s", sep, e.From, e.To)
			sep = ","
		}
	}
	if sep == "," {
		b.WriteString("\n")
	}
}
