//go:build !js

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/report"
	"girih/internal/why/compat"
)

// Text returns the answers as a person reads them: a line for each tool with its verdict, and below it any error.
// Only errors are in capitals.
func (r CompatResponse) Text() string {
	var b strings.Builder
	b.WriteString(report.OneLine(r.Expr) + "\n\n")
	width := 0
	for _, t := range r.Tools {
		width = max(width, len(t.Name))
	}
	for _, t := range r.Tools {
		verdict := t.Verdict
		if verdict == compat.Wrong.String() {
			verdict = strings.ToUpper(verdict)
		}
		fmt.Fprintf(&b, "  %-*s  %-7s  %s\n", width, t.Name, verdict, report.OneLine(t.Answer+t.Refusal))
		for _, line := range r.remarks(t) {
			b.WriteString(Wrap(line, 100, strings.Repeat(" ", width+13), strings.Repeat(" ", width+15)))
		}
	}
	if r.NoAnswer != "" {
		none := "There is no answer"
		if strings.HasSuffix(r.Op, "_divide") {
			none += " without padding"
		}
		b.WriteString("\n" + none + ": " + r.NoAnswer + ".\n")
	}
	return b.String()
}

// remarks returns the lines below an answer.
func (r CompatResponse) remarks(t Tool) []string {
	var lines []string
	if t.Why != "" {
		lines = append(lines, report.OneLine(t.Why))
	}
	if t.Verdict == compat.Refused.String() && r.Answerable && t.ID != compat.GirihID {
		lines = append(lines, "though there is an answer")
	}
	if t.Static != "" && slices.ContainsFunc(r.Args, func(a string) bool { return strings.Contains(a, "_") }) {
		lines = append(lines, "known at compile time: "+t.Static)
	}
	return lines
}

// CompatReportText returns the counts of a report as tables: answers that are wrong, weak, refused though one exists,
// or padded.
func CompatReportText(r *CompatReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rows\n", r.File, r.All.Rows)
	lacking := false
	for _, t := range CompatTables(r) {
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		for _, row := range t.Rows {
			fmt.Fprintf(&b, "  %-16s", row[0])
			for i, cell := range row[1:] {
				fmt.Fprintf(&b, "  %*s", max(len(t.Rows[0][i+1]), 5), cell)
				lacking = lacking || cell == lacks
			}
			b.WriteByte('\n')
		}
	}
	if lacking {
		b.WriteString(lacks + " the tool does not have the operation.\n")
	}
	if len(r.Examples) > 0 {
		b.WriteString("\nThe shortest operation on which each tool is wrong\n")
	}
	for _, e := range r.Examples {
		fmt.Fprintf(&b, "  %-12s %s = %s\n  %-12s %s\n", toolName(e.Tool), report.OneLine(e.Expr), e.Answer, "", e.Why)
	}
	b.WriteByte('\n')
	if r.Recorded > 0 {
		fmt.Fprintf(&b, "The file records what the CuTe DSL printed; the model of it agrees on %d of %d rows.\n",
			r.Reproduced, r.Recorded)
	}
	for _, expr := range r.Deviating {
		fmt.Fprintf(&b, "  not on %s\n", report.OneLine(expr))
	}
	if r.Unmodelled > 0 {
		fmt.Fprintf(&b, "Rows that are not modelled: %d.\n", r.Unmodelled)
	}
	return b.String()
}

// toolName returns the name of a tool in the tables.
func toolName(id string) string {
	for _, d := range compat.Dialects() {
		if d.ID() == id {
			return d.Short()
		}
	}
	return id
}

// A CompatTable is a table of a report. The first row is the head, the last row the sum.
type CompatTable struct {
	Title string
	Rows  [][]string
}

// lacks marks an operation that a tool does not have.
const lacks = "-"

// CompatTables returns the tables of a report, without empty tables.
func CompatTables(r *CompatReport) []CompatTable {
	tables := []CompatTable{
		compatTable(r, "Wrong: some value is not what the definition says", func(c compat.Count) int { return c.Wrong }),
		compatTable(r, "Weak: a weak complement, ordered and disjoint, of a layout that has no complement",
			func(c compat.Count) int { return c.Weak }).sparse(),
		compatTable(r, "Refused although some layout is the answer", func(c compat.Count) int { return c.RefusedSolvable }),
		compatTable(r, "Padded: a divide with more elements than the layout, all of the layout's among them",
			func(c compat.Count) int { return c.Padded }).sparse(),
	}
	return slices.DeleteFunc(tables, func(t CompatTable) bool { return len(t.Rows) == 1 })
}

// sparse leaves out the operations with a number of 0 for all tools.
func (t CompatTable) sparse() CompatTable {
	none := func(row []string) bool {
		return !slices.ContainsFunc(row[2:], func(cell string) bool { return cell != "0" && cell != lacks })
	}
	t.Rows = append(t.Rows[:1], slices.DeleteFunc(t.Rows[1:], none)...)
	return t
}

// compatTable returns the table of one number.
func compatTable(r *CompatReport, title string, count func(compat.Count) int) CompatTable {
	ids, head := []string{compat.GirihID}, []string{"operation", "rows", "girih"}
	for _, d := range compat.Dialects() {
		ids, head = append(ids, d.ID()), append(head, d.Short())
	}
	t := CompatTable{Title: title, Rows: [][]string{head}}
	for _, o := range append(r.Ops[:len(r.Ops):len(r.Ops)], r.All) {
		row := []string{o.Op, fmt.Sprint(o.Rows)}
		for _, id := range ids {
			c, ok := o.Tools[id]
			if !ok {
				row = append(row, lacks)
				continue
			}
			row = append(row, fmt.Sprint(count(c)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
