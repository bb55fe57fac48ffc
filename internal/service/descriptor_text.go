package service

import (
	"fmt"
	"strings"
)

// Text returns the answer as a person reads it: the verdict, the fields, the way from one descriptor to the next, and
// the code. Every line ends with a newline.
func (r DescriptorResponse) Text() string {
	var b strings.Builder
	para := func(text string) { b.WriteString(Wrap(text, textCols, "", "  ")) }
	if r.Verdict != "" {
		para(r.Verdict)
	}
	if r.Kind == "layout" && r.Value != "" {
		para(fmt.Sprintf("%s of %s, operand %s of %s", r.Value, r.Type, r.Operand, r.Instr))
	}
	if len(r.Tile) == 3 {
		begins := fmt.Sprintf("a multiple of %d bytes", r.Align)
		if r.Address != 0 {
			begins = fmt.Sprintf("byte %d", r.Address)
		}
		para(fmt.Sprintf("the tile is %d by %d%s; one instruction reads %d by %d; it begins at %s", r.Tile[0], r.Tile[1],
			map[bool]string{true: ", " + plural(int(r.Tile[2]), "stage")}[r.Tile[2] > 1], r.Reads[0], r.Reads[1], begins))
	}
	r.table(&b)
	for _, a := range r.Advances {
		if a.Count > 1 {
			b.WriteString(Wrap(a.text(), textCols, "", "  "))
		}
	}
	if len(r.All) > 0 {
		b.WriteString(Wrap("all: "+strings.Join(r.All, " "), textCols, "", "  "))
	}
	r.wrong(&b)
	for _, c := range r.Code {
		fmt.Fprintf(&b, "\n%s\n", c.Language)
		for line := range strings.Lines(c.Text) {
			b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	return b.String()
}

// table writes a line for each field of the descriptor.
func (r DescriptorResponse) table(b *strings.Builder) {
	if len(r.Fields) == 0 {
		return
	}
	if r.Kind == "layout" {
		fmt.Fprintf(b, "\ndescriptor %s\n", r.Descriptor)
	} else {
		b.WriteByte('\n')
	}
	for _, f := range r.Fields {
		head := fmt.Sprintf("  %-6s %-21s %6d  ", f.Bits, f.Name, f.Encoded)
		b.WriteString(Wrap(f.Means, textCols, head, strings.Repeat(" ", len(head))))
	}
	if r.Kind == "layout" {
		b.WriteByte('\n')
	}
}

// text says how far it is to the next descriptor.
func (a DescriptorAdvance) text() string {
	along := map[string]string{"step": "step along K", "block": "block along M or N", "stage": "stage"}[a.Along]
	if a.Constant {
		return fmt.Sprintf("each next %s: %d bytes, %+d in the start address (%d of them)", along, a.Bytes, a.Units, a.Count)
	}
	return fmt.Sprintf("from %s to %s the start is not constant: %s bytes from the first one on", along, along,
		commas(a.Starts))
}

// wrong writes what is out of place, and what would be right.
func (r DescriptorResponse) wrong(b *strings.Builder) {
	if m := r.Misfit; m != nil && r.Error != nil {
		b.WriteString(Wrap(strings.TrimPrefix(r.Error.Message, "descriptor: "), textCols, "", "  "))
		if m.Of > 0 {
			b.WriteString(Wrap(fmt.Sprintf(
				"under that pattern %d of the %d pieces of 16 bytes of the instruction are in place", m.Found, m.Of), textCols,
				"", "  "))
		}
	}
	if r.Misfit == nil && r.Error != nil && r.Address != 0 && r.Verdict != "" {
		b.WriteString(Wrap(strings.TrimPrefix(r.Error.Message, "descriptor: "), textCols, "", "  "))
	}
	if r.Nearest == nil && r.Error != nil && r.Error.Hint != "" && r.Verdict != "" {
		b.WriteString(Wrap("hint: "+r.Error.Hint, textCols, "", "  "))
	}
	if n := r.Nearest; n != nil {
		fmt.Fprintf(b, "\nnearest legal layout: %s\n", n.Layout)
		if n.Expr != "" {
			fmt.Fprintf(b, "  %s\n", n.Expr)
		}
		b.WriteString(Wrap(fmt.Sprintf("%s: %s", n.Atom, n.Why), textCols, "  ", "    "))
	}
}
