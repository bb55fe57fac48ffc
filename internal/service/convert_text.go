package service

import (
	"fmt"
	"strings"
)

// Text returns the plan as a person reads it. Every line ends with a newline.
func (r ConvertResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Class)
	if len(r.Moves) > 0 {
		fmt.Fprintf(&b, ": elements move between %s", strings.Join(r.Moves, ", "))
	}
	b.WriteString("\n")
	if len(r.Moves) > 0 {
		fmt.Fprintf(&b, "  from where   %s\n", r.Minimal)
	}
	if len(r.Registers) > 0 && r.Class != "none" {
		fmt.Fprintf(&b, "  register i is register %s\n",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Registers), " ", ", "), "[]"))
	}
	if p := r.Shuffle; p != nil {
		writeShuffles(&b, p)
	}
	if p := r.Shared; p != nil {
		writeShared(&b, r, p)
	}
	return b.String()
}

func writeShuffles(b *strings.Builder, p *ShufflePlan) {
	fmt.Fprintf(b, "\nwarp shuffles: %s and %s a thread, in %s", plural(p.Shuffles, "shuffle"),
		plural(p.Selects, "select"), plural(p.Rounds, "round"))
	if p.Packed > 1 {
		fmt.Fprintf(b, " of %d elements a word", p.Packed)
	}
	b.WriteString("\n")
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "  %-11s  %s\n", name, text)
		}
	}
	row("cycles", strings.Join(p.Cycles, " "))
	row("registers", p.Registers)
	row("lanes", p.Lanes)
	for i, x := range p.Exchanges {
		name := "exchanges"
		if i > 0 {
			name = ""
		}
		row(name, x)
	}
}

func writeShared(b *strings.Builder, r ConvertResponse, p *SharedPlan) {
	fmt.Fprintf(b, "\nshared memory: %d bytes", p.Bytes)
	if p.Reps > 1 {
		fmt.Fprintf(b, ", used %d times with a barrier between", p.Reps)
	}
	if r.Class != "shared memory" {
		b.WriteString(", instead")
	}
	b.WriteString("\n")
	for _, side := range []struct {
		name string
		cost SharedCost
	}{{"store", p.Store}, {"load", p.Load}} {
		c := side.cost
		verdict := "no conflicts"
		if c.Wavefronts > c.Ideal {
			verdict = fmt.Sprintf("%d-way conflicts", c.Wavefronts/max(c.Ideal, 1))
		}
		fmt.Fprintf(b, "  %-11s  %s of %d bits, %s each, %s\n", side.name, plural(c.Instructions, "access"), c.VectorBits,
			plural(c.Wavefronts, "wavefront"), verdict)
	}
	fmt.Fprintf(b, "  %-11s  %s\n", "holds", p.Layout)
	if p.CuTe != "" {
		fmt.Fprintf(b, "  %-11s  %s\n", "elements at", p.CuTe)
	}
}
