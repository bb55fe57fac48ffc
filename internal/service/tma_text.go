package service

import (
	"fmt"
	"strings"
)

// Text returns the plan as a person reads it. Every line ends with a newline.
func (r TMAResponse) Text() string {
	var b strings.Builder
	b.WriteString(Wrap(r.Verdict, WideText, "", "  "))
	for _, k := range r.Broken {
		b.WriteString(Wrap(k.Text, WideText, "  broken  ", "          "))
		b.WriteString(Wrap(k.Change, WideText, "  change  ", "          "))
		b.WriteString(Wrap(k.Source, WideText, "  source  ", "          "))
	}
	r.rules(&b)
	fmt.Fprintf(&b, "\n%s\n", r.Function)
	for _, f := range r.Fields {
		fmt.Fprintf(&b, "  %-19s %s", f.Name, f.Value)
		if f.Unit != "" {
			b.WriteString("  " + f.Unit)
		}
		b.WriteString("\n")
	}
	b.WriteString("\ncopy of a tile\n")
	if r.Smem != "" {
		fmt.Fprintf(&b, "  shared memory  %s\n", r.Smem)
	}
	of := ""
	if r.Bytes > 0 { // Bytes is 0 for a box beyond its limits
		of = " of " + plural(int(r.Bytes), "byte")
	}
	fmt.Fprintf(&b, "  instructions   %d%s for each CTA\n", r.Instructions, of)
	for _, w := range r.Why {
		b.WriteString(Wrap(w, WideText, "                 ", "                 "))
	}
	fmt.Fprintf(&b, "  expect_tx      %d bytes, whether elements are inside the tensor or filled\n", r.Expect)
	fmt.Fprintf(&b, "  alignment      %d bytes of shared memory\n", r.Align)
	if len(r.Output) > 0 {
		fmt.Fprintf(&b, "  output         %s, N first\n", tmaTuple(r.Output))
	}
	if r.Coordinates != "" {
		fmt.Fprintf(&b, "  coordinates    %s\n", r.Coordinates)
	}
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "  %s = %s\n", s.Name, s.Value)
	}
	r.writeIssued(&b)
	for _, c := range r.Code {
		fmt.Fprintf(&b, "\n%s\n", c.title())
		for line := range strings.Lines(c.Text) {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// rules writes the rules about run-time integers.
func (r TMAResponse) rules(b *strings.Builder) {
	for i, c := range r.Clauses {
		if i == 0 {
			b.WriteString("\nrules about run-time integers\n")
		}
		says := "always"
		switch {
		case c.Holds == "never":
			says = "never"
		case c.Holds == "if" && c.Breaks != "":
			says = fmt.Sprintf("if %s; broken at %s", c.If, c.Breaks)
		case c.Holds == "if":
			says = "if " + c.If
		}
		b.WriteString(Wrap(c.Text+": "+says, WideText, "  ", "    "))
		if c.Holds == "if" && !strings.HasSuffix(c.Rule, "dim") && !strings.HasSuffix(c.Rule, "limit") {
			b.WriteString(Wrap(c.Change, WideText, "    change  ", "            "))
		}
	}
	for _, c := range r.Cases {
		b.WriteString(Wrap(fmt.Sprintf("where %s: %s", c.When, c.Verdict), WideText, "  ", "    "))
	}
}

// writeIssued writes the instructions and the parts of a cluster.
func (r TMAResponse) writeIssued(b *strings.Builder) {
	if len(r.Issue) > 0 {
		b.WriteString("\n")
	}
	for i, in := range r.Issue {
		if i == tmaInstructions {
			fmt.Fprintf(b, "  and %d more\n", len(r.Issue)-i)
			break
		}
		part := ""
		if len(r.Parts) > 0 {
			part = fmt.Sprintf("slice %d  ", in.CTA)
		}
		fmt.Fprintf(b, "  %scoordinates %s", part, tmaTuple(in.Coord))
		if in.Offset != nil {
			fmt.Fprintf(b, " offsets %s", tmaTuple(in.Offset))
		}
		fmt.Fprintf(b, " to byte %d\n", in.Shared)
	}
	for i, p := range r.Parts {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "  CTA %d, (%d,%d)  slice %d to the CTAs of mask %s\n", p.Rank, p.M, p.N, p.Slice, p.Mask)
	}
}

// tmaTuple writes numbers as a coordinate.
func tmaTuple(xs []int64) string {
	return "(" + withCommas(xs) + ")"
}

func (c TMACode) title() string {
	return map[string]string{"cpp": "CuTe C++", "cuda": "CUDA with inline PTX", "dsl": "CuTe DSL"}[c.Name]
}
