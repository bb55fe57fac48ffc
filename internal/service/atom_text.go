package service

import (
	"fmt"
	"strings"
)

// Text returns the instructions in columns, one a line.
func (r AtomsResponse) Text() string {
	width, shapes := 0, false
	for _, a := range r.Atoms {
		width = max(width, len(a.Name))
		shapes = shapes || a.Shape != ""
	}
	var b strings.Builder
	for _, a := range r.Atoms {
		fmt.Fprintf(&b, "%-*s  %-8s  ", width, a.Name, a.Arch)
		if shapes {
			fmt.Fprintf(&b, "%-12s  ", a.Shape)
		}
		b.WriteString(a.Types + "\n")
	}
	return b.String()
}

// AtomText returns the instruction as a person reads it: its text, registers and layouts. Every line ends with a
// newline.
func AtomText(r AtomResponse) string {
	var b strings.Builder
	if r.Copy != nil {
		return copyText(r)
	}
	fmt.Fprintf(&b, "%s\n%s, %s, %s threads %s\n%s\n\n", r.Name, r.Arch, r.Types, fmt.Sprint(r.Threads), r.ThrID,
		wrapText(r.Text))
	for _, o := range r.Operands {
		fmt.Fprintf(&b, "%s  %s by %s  %s\n", o.Name, o.Rows, o.Columns, o.TV)
		where := o.From
		if o.Registers != "none" {
			where += ", " + o.Registers
		}
		if o.Major != "" {
			where += ", " + o.Major + "-major"
		}
		fmt.Fprintf(&b, "   %s; %s\n", where, o.Coverage)
		if len(o.Holds) > 0 {
			fmt.Fprintf(&b, "   thread %d: %s\n", *r.Thread, strings.Join(o.Holds, " "))
		}
	}
	if r.Element != "" {
		var who []string
		for _, h := range r.Owners {
			who = append(who, fmt.Sprintf("T%d V%d", h.Thread, h.Value))
		}
		fmt.Fprintf(&b, "\n%s is %s\n", r.Element, shorten(who))
	}
	fmt.Fprintf(&b, "\n%s\n", wrapText(r.Source))
	return b.String()
}

// copyText is a copy instruction for people.
func copyText(r AtomResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, %s, %s %s, %d bits\n%s\n\n", r.Name, r.Arch, r.Types, plural(int(r.Threads), "thread"),
		r.ThrID, r.Copy.Bits, wrapText(r.Text))
	for _, side := range []struct{ name, l, gives string }{
		{"src", r.Copy.Src, r.Copy.From},
		{"dst", r.Copy.Dst, r.Copy.To},
	} {
		mark := ""
		if r.Copy.Ref == side.name {
			mark = "  (ref)"
		}
		fmt.Fprintf(&b, "%s  %s%s\n     %s\n", side.name, side.l, mark, side.gives)
	}
	for _, o := range r.Operands {
		fmt.Fprintf(&b, "thread %d, %s: %s\n", *r.Thread, o.Name, shorten(o.Holds))
	}
	fmt.Fprintf(&b, "\n%s\n", wrapText(r.Source))
	return b.String()
}

// shorten joins a list, without its middle if it is long.
func shorten(list []string) string {
	switch n := len(list); {
	case n == 0:
		return "held by no thread"
	case n > 12:
		return strings.Join(list[:4], ", ") + ", ..., " + list[n-1] + fmt.Sprintf(" (%d in all)", n)
	}
	return strings.Join(list, ", ")
}

// wrapText breaks prose at 80 columns and indents further lines.
func wrapText(text string) string { return strings.TrimSuffix(Wrap(text, 80, "", "  "), "\n") }
