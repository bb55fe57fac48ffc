//go:build !js || programs

package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/lang/report"
	"girih/internal/why/diagnose"
	"girih/internal/why/explain"
)

// Text returns the findings as a person reads them, wrapped to width columns: what failed and where, the two
// operands that do not fit, the condition with its numbers, what works, and the explanations of operations that have
// one.
func (r WhyResponse) Text(width int) string {
	var b strings.Builder
	for i, f := range r.Findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.text(width))
	}
	if r.Follows > 0 {
		b.WriteString("\n" + Wrap("passed over "+explain.Count(r.Follows, "error message")+": such messages mostly follow from "+
			"a finding above, but one of them may be the cause", width, "", "  "))
		for _, m := range r.Passed {
			b.WriteString(Wrap(report.OneLine(m), width, "  ", "    "))
		}
	}
	for _, l := range r.Layouts {
		b.WriteString(layoutText(l, width))
	}
	return b.String()
}

// Brief returns the findings without explanations.
func (r WhyResponse) Brief() WhyResponse {
	r.Findings = slices.Clone(r.Findings)
	for i := range r.Findings {
		r.Findings[i].Explanation = nil
	}
	return r
}

// layoutText returns a layout from a text without a failure, with remarks on the layout below.
func layoutText(l diagnose.Layout, width int) string {
	head := report.OneLine(l.Value)
	if l.Name != "" {
		head = l.Name + " = " + head
	}
	text := head + "\n"
	for _, n := range l.Notes {
		text += Wrap(report.OneLine(n), width, "  ", "    ")
	}
	return text
}

// text returns one finding.
func (f WhyFinding) text(width int) string {
	var b strings.Builder
	row := func(name, text string) {
		if text != "" {
			b.WriteString(Wrap(report.OneLine(text), width, fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13)))
		}
	}
	times := ""
	if f.Times > 1 {
		times = fmt.Sprintf(" (%d times)", f.Times)
	}
	b.WriteString(Wrap(fmt.Sprintf("line %d: %s: %s%s", f.Line, f.Tool, report.OneLine(f.Message), times), width, "", "  "))
	row("operation", f.operation())
	row("checked in", strings.TrimSpace(f.Function+" "+f.at()))
	row("through", strings.Join(f.Via, " > "))
	row("called at", f.Caller)
	for _, o := range f.Operands {
		if f.Expr == "" {
			row(o.Name, o.Value)
		}
	}
	row("demands", f.Demand)
	row("fails", f.Condition)
	if a, b, ok := strings.Cut(f.Pair, " and "); ok &&
		!(strings.Contains(f.Condition, a) && strings.Contains(f.Condition, b)) {
		row("pair", f.Pair)
	}
	row("girih", f.Fact)
	for i, r := range f.Repairs {
		name := "repair"
		if len(f.Repairs) > 1 {
			name = fmt.Sprintf("repair %d", i+1)
		}
		row(name, r.Say)
		if r.Expr != "" {
			line := report.OneLine(r.Expr) + " = " + report.OneLine(r.Result)
			b.WriteString(Wrap(line, width, strings.Repeat(" ", 15), strings.Repeat(" ", 17)))
		}
	}
	for _, m := range f.Missing {
		row("missing", m)
	}
	if f.Explanation != nil {
		b.WriteString("\n" + f.Explanation.Text(width))
	}
	return b.String()
}

// operation returns the operation as an expression, or its name.
func (f WhyFinding) operation() string {
	if f.Expr != "" {
		return f.Expr
	}
	return f.Op
}

// at returns the place in parentheses, unless the name of the function already includes the place.
func (f WhyFinding) at() string {
	if f.Place == "" || strings.Contains(f.Function, "(") {
		return ""
	}
	if f.Function == "" {
		return f.Place
	}
	return "(" + f.Place + ")"
}
