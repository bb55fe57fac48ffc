//go:build !js || kernels

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/litmus"
)

// Text returns the answers in words. File is the name of the file, for texts of several tests.
func (r LitmusResponse) Text(file string) string {
	var b strings.Builder
	for _, t := range r.Tests {
		for _, a := range t.Asks {
			litmusAnswer(&b, a, strings.TrimSpace(file+" "+t.Name))
		}
	}
	return b.String()
}

// litmusAnswer writes a question with its answer.
func litmusAnswer(b *strings.Builder, a litmus.Answer, name string) {
	question := strings.TrimSpace(a.Kind + " " + a.Condition)
	if a.Kind == "ends" {
		question = "every fair execution ends"
	}
	if a.Kind == "races" {
		question = "no execution has a data race"
	}
	fmt.Fprintf(b, "%s: %s: %s\n", strings.TrimSpace(name+" "+a.Name), a.Verdict, question)
	fmt.Fprintf(b, "  %s, %d states\n", litmusWhy(a), a.States)
	if x := a.Witness; x != nil {
		litmusExecution(b, x)
	}
	if x := a.Forbidden; x != nil {
		fmt.Fprintf(b, "  forbidden by %s, PTX ISA %s: %s\n", x.Axiom, x.Section, x.Words)
		litmusExecution(b, x)
	}
}

// litmusWhy says why an answer is right.
func litmusWhy(a litmus.Answer) string {
	switch {
	case a.Kind == "ends" && a.Witness != nil:
		return "an execution that does not end: " + strings.Join(a.Witness.Stuck, "; ")
	case a.Verdict == litmus.Unknown:
		return "no execution within the bound on the rounds of loops shows it, and there are longer ones"
	case a.Kind == "ends":
		return "none goes on for ever"
	case a.Kind == "races" && a.Witness != nil:
		return "an execution has a race"
	case a.Kind == "races":
		return "none has a race"
	case a.Witness != nil && a.Kind == "forall":
		return "an execution ends otherwise"
	case a.Witness != nil:
		return "an execution ends so"
	case a.Kind == "forall":
		return "no execution ends otherwise"
	}
	return "no execution ends so"
}

// litmusExecution writes the events by thread, and the edges.
func litmusExecution(b *strings.Builder, x *litmus.Execution) {
	width := 0
	for _, e := range x.Events {
		width = max(width, len(e.Text))
	}
	var done []string
	for _, first := range x.Events {
		if first.Thread == "" || slices.Contains(done, first.Thread) {
			continue
		}
		done = append(done, first.Thread)
		fmt.Fprintf(b, "    %s\n", first.Thread)
		for _, e := range x.Events {
			if e.Thread == first.Thread {
				from := ""
				if e.From != "" {
					from = " from " + e.From
				}
				fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("      %-3s %-*s  %s%s", e.Name, width, e.Text, e.Access, from), " "))
			}
		}
	}
	for _, name := range []string{"co", "fr", "sc", "bar", "sync", "race"} {
		litmusEdges(b, name, x.Edges)
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

// litmusEdges writes the edges of a relation in one line, if there are any.
func litmusEdges(b *strings.Builder, name string, list []litmus.Edge) {
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
