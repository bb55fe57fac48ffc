package service

import (
	"fmt"
	"strings"

	"girih/swizzle"
)

// This file writes the answers of the solver as a person reads them.

// matrixCols is the widest matrix that is written.
const matrixCols = 24

// Text returns the answer as a person reads it: what to write, what that changes, and why nothing smaller suffices.
// Every line ends with a newline.
func (r SwizzleResponse) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s in the shared memory of %s\n\n", r.Value, r.Type, r.Target)
	para := func(format string, args ...any) {
		b.WriteString(Wrap(fmt.Sprintf(format, args...), textCols, "", ""))
	}
	switch swizzle.Kind(r.Kind) {
	case swizzle.KindFree:
		b.WriteString("No swizzle is needed: there are no conflicts.\n")
	case swizzle.KindSwizzle:
		r.swizzles(&b)
	case swizzle.KindMap:
		para("None of the %d swizzles Sw<B,M,S> frees all accesses. A map of bits does, with %s%s:",
			r.Tried, plural(r.Map.Cost, "exclusive or")+" of bits", map[bool]string{
				true:  ", and none with fewer",
				false: "",
			}[r.Map.Cheapest])
		b.WriteByte('\n')
		r.Map.whole(&b)
		r.growth(&b)
	case swizzle.KindPadding:
		para("None of the %d swizzles Sw<B,M,S> frees all accesses, and no linear map of bits%s. Padding does:", r.Tried,
			r.limitNote())
		b.WriteByte('\n')
		for _, p := range r.Paddings {
			fmt.Fprintf(&b, "  %s\n", p.Layout)
			b.WriteString(Wrap(p.words(), textCols, "    ", "    "))
		}
		r.proof(&b)
	default:
		r.nothing(&b)
	}
	b.WriteByte('\n')
	r.table(&b)
	if r.Checked > 0 {
		b.WriteByte('\n')
		para("Counted for %s of warps, one by one, as %s serves them (%s).", plural(r.Checked, "instruction"), r.Target,
			strings.Join(r.sources(), "; "))
	}
	return b.String()
}

// textCols is where prose is wrapped.
const textCols = 80

// sources lists the evidence for the rules of the machine.
func (r SwizzleResponse) sources() []string {
	var all []string
	for _, a := range r.Accesses {
		all = append(all, a.Source)
	}
	return unique(all)
}

// swizzles writes all smallest swizzles.
func (r SwizzleResponse) swizzles(b *strings.Builder) {
	if n := len(r.Swizzles); n > 1 {
		fmt.Fprintf(b, "%d different swizzles are the smallest that do:\n\n", n)
	}
	for _, c := range r.Swizzles {
		c.text(b)
	}
	r.growth(b)
}

// text writes a swizzle in all units.
func (c SwizzleChoice) text(b *strings.Builder) {
	name := c.Composed
	if name == "" {
		name = c.Swizzle
	}
	fmt.Fprintf(b, "  %s\n", name)
	fmt.Fprintf(b, "    elements %s", c.Swizzle)
	if c.Bytes != "" {
		fmt.Fprintf(b, ", bytes %s", c.Bytes)
	}
	if c.BitUnits != "" {
		fmt.Fprintf(b, ", bits %s", c.BitUnits)
	}
	b.WriteByte('\n')
	if len(c.Same) > 0 {
		b.WriteString(Wrap("the same function on this tile: "+strings.Join(c.Same, ", "), textCols, "    ", "      "))
	}
}

// growth says that the tile becomes longer.
func (r SwizzleResponse) growth(b *strings.Builder) {
	if r.Grows > 0 {
		b.WriteString(Wrap(fmt.Sprintf("The tile becomes %s longer with it: none that keeps it in its place does.",
			plural(int(r.Grows), "byte")), textCols, "", ""))
	}
}

// text writes a map as a formula and as a chain.
func (m SwizzleMap) text(b *strings.Builder) {
	fmt.Fprintf(b, "  elements  %s\n", m.Formula)
	if m.Bytes != "" {
		fmt.Fprintf(b, "  bytes     %s\n", m.Bytes)
	}
	switch {
	case m.Composed != "":
		fmt.Fprintf(b, "  swizzles  %s\n", m.Composed)
	case len(m.Swizzles) > 0:
		fmt.Fprintf(b, "  swizzles  %s\n", strings.Join(m.Swizzles, " o "))
	}
}

// whole writes a map as text does, and as a matrix if there is a matrix and it is not too wide.
func (m SwizzleMap) whole(b *strings.Builder) {
	m.text(b)
	if len(m.Matrix) > 0 && len(m.Matrix) <= matrixCols {
		m.matrix(b)
	}
}

// matrix writes the matrix, with dots for 0.
func (m SwizzleMap) matrix(b *strings.Builder) {
	b.WriteString("\n  the matrix: new bits down, old bits across, bit 0 first\n")
	for i, row := range m.Matrix {
		fmt.Fprintf(b, "  %2d  %s\n", i, strings.Join(strings.Split(strings.ReplaceAll(row, "0", "."), ""), " "))
	}
}

// words says where room is left, and how much.
func (p SwizzlePad) words() string {
	var parts []string
	for _, g := range p.Pads {
		parts = append(parts, fmt.Sprintf("%s after every %d", plural(int(g.Elements), "element"), g.Every))
	}
	return strings.Join(parts, " and ") + fmt.Sprintf(": %s more", plural(int(p.Bytes), "byte"))
}

// limitNote says that the search for a map ended at its limit, if there is no proof.
func (r SwizzleResponse) limitNote() string {
	if r.Proof == nil {
		return " was found, though not all were tried"
	}
	return r.together()
}

// together says which maps the proof is about.
func (r SwizzleResponse) together() string {
	return fmt.Sprintf(" that keeps every %d bytes together", r.Granule)
}

// proof writes why no map does.
func (r SwizzleResponse) proof(b *strings.Builder) {
	if r.Proof != nil {
		b.WriteByte('\n')
		b.WriteString(Wrap("Why no map of bits does. "+r.Proof.Text, textCols, "", ""))
	}
}

// nothing writes that nothing removes all conflicts, why, and what comes closest.
func (r SwizzleResponse) nothing(b *strings.Builder) {
	para := func(text string) { b.WriteString(Wrap(text, textCols, "", "")) }
	tried := plural(r.Tried, "swizzle")
	if r.Padded > 0 {
		tried += " and " + plural(r.Padded, "padding")
	} else {
		tried += " (only plain layouts whose strides are not negative are padded)"
	}
	switch {
	case r.Proof == nil:
		para(fmt.Sprintf("Nothing was found that frees all accesses: none of %s does, and the search for a map of bits "+
			"ended at its limit, so there may be one.", tried))
	case r.Proof.Always:
		para("Nothing frees all accesses. " + r.Proof.Text)
	default:
		para(fmt.Sprintf("Nothing frees all accesses: none of %s does, and no linear map of bits%s. %s", tried,
			r.together(), r.Proof.Text))
	}
	b.WriteString("\nThe best compromise:\n\n")
	switch {
	case r.Best.Swizzle != nil && r.Best.Swizzle.Swizzle == "Sw<0,0,0>":
		fmt.Fprintf(b, "  %s, as it is\n", r.Value)
	case r.Best.Swizzle != nil:
		r.Best.Swizzle.text(b)
	case r.Best.Padding != nil:
		fmt.Fprintf(b, "  %s\n    %s\n", r.Best.Padding.Layout, r.Best.Padding.words())
	default:
		r.Best.Map.text(b)
	}
	b.WriteByte('\n')
	para(r.Best.words())
}

// words says what the compromise costs, and how good it is.
func (s SwizzleBest) words() string {
	text := fmt.Sprintf("It costs %s more than without conflicts", plural(s.Extra, "wavefront"))
	compared := plural(s.Swizzles, "swizzle")
	if s.Paddings > 0 {
		compared += ", " + plural(s.Paddings, "padding")
	}
	if s.AllMaps {
		compared += fmt.Sprintf(" and all %s of bits, by the offsets that they take to bank 0,", plural(int(s.Maps), "map"))
	}
	switch {
	case s.Extra == s.Least:
		return text + "; every arrangement of the tile costs at least as many."
	case s.Least > 0:
		return text + fmt.Sprintf(", the least of %s that were compared; every arrangement costs at least %d.", compared,
			s.Least)
	}
	return text + fmt.Sprintf(", the least of %s that were compared.", compared)
}

// table writes the accesses before and after.
func (r SwizzleResponse) table(b *strings.Builder) {
	rows := [][]string{{"wavefronts", "before", "after", "ideal"}}
	for _, a := range r.Accesses {
		rows = append(rows, []string{
			a.Access, cell(a.Before, a.DegreeBefore), cell(a.After, a.DegreeAfter),
			fmt.Sprint(a.Ideal),
		})
	}
	if n := len(r.Accesses); n > 1 {
		var before, after, ideal int
		for _, a := range r.Accesses {
			before, after, ideal = before+a.Before, after+a.After, ideal+a.Ideal
		}
		rows = append(rows, []string{"all", fmt.Sprint(before), fmt.Sprint(after), fmt.Sprint(ideal)})
	}
	textTable{Rows: rows, Indent: "  ", Gap: "   "}.write(b)
}

func cell(wavefronts, degree int) string {
	if degree < 2 {
		return fmt.Sprint(wavefronts)
	}
	return fmt.Sprintf("%d, %d-way", wavefronts, degree)
}
