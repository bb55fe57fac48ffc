package follow

import (
	"fmt"
	"slices"
	"strings"

	"girih/kernel"
)

// This file says in words what a hop does, and judges it by the counts of the run and the kernel's report.

// describe completes a hop.
func (b *builder) describe(h *Hop) {
	to := b.Places[h.To].phrase()
	switch from := b.from(h); h.Kind {
	case Load, Store, Copy:
		h.Words = fmt.Sprintf("%s to %s, %d bytes %s", from, to, h.Bytes, h.each())
	case Read:
		h.Words = fmt.Sprintf("%s as operand %s", from, b.Places[h.To].Operand)
	case MMA:
		h.Words = fmt.Sprintf("A times B, added in %s", to)
	default:
		h.Words = fmt.Sprintf("%s computed from %s", to, from)
		if len(h.From) == 0 {
			h.Words = to + " computed from many values"
		}
	}
	use := b.use(h)
	if use != nil {
		h.Atom = use.Atom
	}
	if call := b.call(h); call != nil {
		h.Atom = call.Atom
	}
	b.judge(h, use)
	b.legal(h)
}

func (b *builder) from(h *Hop) string {
	var list []string
	for _, f := range h.From {
		list = append(list, b.Places[f].phrase())
	}
	return strings.Join(list, " and ")
}

// phrase names a place in a sentence.
func (p *Place) phrase() string {
	switch p.Kind {
	case Global:
		return p.Name + " in global memory"
	case Shared:
		return p.Name + " in shared memory"
	case Registers:
		return p.Name + " in registers"
	case Operand:
		return "operand " + p.Name
	}
	return p.Name
}

// each says of what Bytes are.
func (h *Hop) each() string {
	if strings.Contains(h.Instruction, "bulk") {
		return "a copy"
	}
	return "a lane"
}

// use returns what the kernel's report has about the accesses of a hop, or nil.
func (b *builder) use(h *Hop) *kernel.Use {
	if b.k.Report == nil || h.Kind != Load && h.Kind != Store && h.Kind != Copy {
		return nil
	}
	names := []string{b.Places[h.To].Name}
	for _, f := range h.From {
		names = append(names, b.Places[f].Name)
	}
	for i := range b.k.Report.Uses {
		u := &b.k.Report.Uses[i]
		if fmt.Sprintf("%s:%d", u.File, u.Line) == h.Source && u.Op == h.Instruction && slices.Contains(names, u.Tensor) {
			return u
		}
	}
	return nil
}

// call returns what the report has about the product of a hop, or nil.
func (b *builder) call(h *Hop) *kernel.Call {
	if b.k.Report == nil || h.Kind != MMA && h.Kind != Read {
		return nil
	}
	for i := range b.k.Report.Calls {
		c := &b.k.Report.Calls[i]
		if fmt.Sprintf("%s:%d", c.File, c.Line) == h.Source {
			return c
		}
	}
	return nil
}

// judge adds the verdicts and the repairs of a hop.
func (b *builder) judge(h *Hop, use *kernel.Use) {
	if h.Sectors > 0 {
		r := Ruling{What: "sectors", Got: h.Sectors, Fewest: h.FewSectors, OK: h.Sectors <= h.FewSectors}
		r.Text = fmt.Sprintf("%d sectors of global memory, and the bytes fit %d", r.Got, r.Fewest)
		if r.OK {
			r.Text = fmt.Sprintf("%d sectors of global memory, the fewest for the bytes", r.Got)
		}
		h.Verdicts = append(h.Verdicts, r)
	}
	if h.Wavefronts > 0 {
		r := Ruling{What: "wavefronts", Got: h.Wavefronts, Fewest: h.FewWaves, OK: h.Wavefronts <= h.FewWaves}
		r.Text = fmt.Sprintf("%d wavefronts of shared memory, %d without conflicts", r.Got, r.Fewest)
		if r.OK {
			r.Text = fmt.Sprintf("%d wavefronts of shared memory, no conflicts", r.Got)
		}
		h.Verdicts = append(h.Verdicts, r)
	}
	if use == nil {
		return
	}
	for _, n := range use.Notes {
		switch n.Kind {
		case kernel.NoteNarrow:
			h.Verdicts = append(h.Verdicts, Ruling{What: "width", Got: int64(use.Lane), Fewest: 16, Text: n.Text})
		case kernel.NoteSwizzle:
			for i := range h.Verdicts {
				if h.Verdicts[i].What == "wavefronts" {
					h.Verdicts[i].Text += "; " + n.Text
				}
			}
		case kernel.NoteAlign:
			h.Verdicts = append(h.Verdicts, Ruling{
				What: "alignment", Got: use.Odd.Sectors, Fewest: use.Cost.Sectors, OK: true, Text: n.Text,
			})
		}
		if n.Repair == "" {
			continue
		}
		r := Repair{Text: n.Repair}
		switch n.Kind {
		case kernel.NoteConflict:
			r.Before, r.After, r.Unit = h.Wavefronts, h.FewWaves, "wavefronts"
		case kernel.NoteWaste:
			r.Before, r.After, r.Unit = h.Sectors, h.FewSectors, "sectors"
		}
		h.Repairs = append(h.Repairs, r)
	}
}
