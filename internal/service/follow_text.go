//go:build !js || kernels

package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/internal/lang/report"
	"girih/internal/picture/follow"
)

// This file writes a followed run as text for 80 columns.

// followWidth is the width of the text.
const followWidth = 80

// sayFollow returns the answer in words.
func sayFollow(q FollowRequest, r FollowResponse, _ Door) Answer {
	a := Answer{Fault: r.Fault, OK: r.OK, Notes: r.Notes, Error: r.Error, Whole: true}
	if !r.OK {
		return a
	}
	text, info := r.text(q)
	if info != nil {
		return Answer{Error: info, Fault: Fault{Usage: true}}
	}
	a.Text = func() string { return text }
	return a
}

// text writes the answer to a request.
func (r *FollowResponse) text(q FollowRequest) (string, *report.Error) {
	var b strings.Builder
	b.WriteString(Wrap(r.Name+": "+r.Title, followWidth, "", "  "))
	var values []string
	for _, name := range sortedNames(r.Values) {
		values = append(values, fmt.Sprintf("%s=%d", name, r.Values[name]))
	}
	at, grid := r.Block, r.Grid
	fmt.Fprintf(&b, "block %d,%d,%d of %dx%dx%d blocks of %d threads", at[0], at[1], at[2], grid[0], grid[1], grid[2],
		r.Threads)
	if len(values) > 0 {
		b.WriteString("; " + strings.Join(values, ", "))
	}
	b.WriteString("\n\n")
	switch {
	case q.At != "":
		if info := r.way(&b, q.At); info != nil {
			return "", info
		}
	case q.Thread != nil:
		if info := r.ofThread(&b, *q.Thread); info != nil {
			return "", info
		}
	default:
		r.table(&b)
	}
	for _, f := range r.Findings {
		b.WriteString(Wrap(fmt.Sprintf("%s at line %d, %s: %s", f.Kind, f.Line, f.Op, f.Message), followWidth, "", "  "))
	}
	return b.String(), nil
}

func sortedNames(values map[string]int64) []string {
	var names []string
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// table writes all hops.
func (r *FollowResponse) table(b *strings.Builder) {
	fmt.Fprintf(b, "%-4s%-34s%-16s%6s%9s%11s\n", "hop", "way", "instruction", "bytes", "sectors", "wavefronts")
	for i := range r.Hops {
		h := &r.Hops[i]
		fmt.Fprintf(b, "%-4d%-34s%-16s%6s%9s%11s\n", i, cutTo(r.wayOf(h), 33), cutTo(mainOp(h.Instruction), 15),
			orDash(int64(h.Bytes)*hasBytes(h)), orDash(h.Sectors), orDash(h.Wavefronts))
		b.WriteString(Wrap(strings.Join(aboutHop(h), "; "), followWidth, "    ", "      "))
		for _, v := range h.Verdicts {
			if !v.OK {
				b.WriteString(Wrap(v.What+": "+v.Text, followWidth, "    ", "      "))
			}
		}
		for _, p := range h.Repairs {
			text := "repair: " + p.Text
			if p.Unit != "" {
				text += fmt.Sprintf(" (%d %s, now %d)", p.After, p.Unit, p.Before)
			}
			b.WriteString(Wrap(text, followWidth, "    ", "      "))
		}
	}
}

// aboutHop returns the line of a hop, its atom and what is good about it.
func aboutHop(h *follow.Hop) []string {
	list := []string{h.Source}
	if h.Source == "" && len(h.Lines) > 0 {
		list[0] = fmt.Sprintf("line %d", h.Lines[0])
	}
	if h.Atom != "" {
		list = append(list, cutTo(h.Atom, 60))
	}
	for _, v := range h.Verdicts {
		switch {
		case v.OK && v.What == "sectors":
			list = append(list, "the fewest sectors")
		case v.OK && v.What == "wavefronts":
			list = append(list, "no conflicts")
		}
	}
	return list
}

// hasBytes is 1 for moves, and 0 for products and arithmetic, which have no bytes.
func hasBytes(h *follow.Hop) int64 {
	switch h.Kind {
	case follow.Load, follow.Store, follow.Copy:
		return 1
	}
	return 0
}

// wayOf writes the places of a hop.
func (r *FollowResponse) wayOf(h *follow.Hop) string {
	var from []string
	for _, f := range h.From {
		from = append(from, r.Places[f].Name)
	}
	if len(from) == 0 {
		from = []string{"many values"}
	}
	to := &r.Places[h.To]
	name := to.Name
	if to.Kind == follow.Operand {
		name = "operand " + name
	}
	return strings.Join(from, ", ") + " -> " + name
}

// mainOp returns an opcode without most of its modifiers.
func mainOp(op string) string {
	words := strings.Split(op, ".")
	n := 1
	for n < len(words) && n < 3 && !slices.Contains([]string{"sync", "global", "shared", "mma_async"}, words[n]) {
		n++
	}
	if len(words) > 1 && (words[1] == "global" || words[1] == "shared") {
		n = 2
	}
	return strings.Join(words[:n], ".")
}

func cutTo(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-3]) + "..."
	}
	return s
}

// maxShown limits the elements of a hop that the text lists.
const maxShown = 4

// way writes the way of an element such as A(3,5).
func (r *FollowResponse) way(b *strings.Builder, at string) *report.Error {
	name, list, ok := coordinateOf(at)
	if !ok {
		return usage("expected an element such as A(3,5) of one of %s, found %.40q", r.extents(), at)
	}
	place, cells := r.Find(name, list)
	if len(cells) == 0 {
		return usage("there is no %.40s: the places and their extents are %s", at, r.extents())
	}
	p := &r.Places[place]
	fmt.Fprintf(b, "%s: %s\n", at, r.cellText(place, cells[0]))
	if len(cells) > 1 {
		fmt.Fprintf(b, "and %d other cells\n", len(cells)-1)
	}
	back := r.Backward(place, cells[0])
	slices.Reverse(back)
	if len(back) > 0 {
		b.WriteString("\nwhere it comes from\n")
		r.steps(b, back)
	}
	if len(r.OfText) > 0 {
		b.WriteString("\nwhat it is computed of\n")
		for _, text := range r.OfText {
			b.WriteString(Wrap(text, followWidth, "  ", "    "))
		}
	}
	from := int64(0)
	if p.Kind != follow.Global && len(back) > 0 {
		from = back[len(back)-1].Time + 1
	}
	if steps := r.Forward(place, cells[0], from); len(steps) > 0 {
		b.WriteString("\nwhere it goes\n")
		r.steps(b, steps)
	}
	return nil
}

// coordinateOf reads an element such as A(3,5).
func coordinateOf(text string) (name string, at []int64, ok bool) {
	name, rest, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(text), ")"), "(")
	for _, part := range strings.Split(rest, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		at, ok = append(at, n), ok && err == nil
	}
	return strings.TrimSpace(name), at, ok
}

// extents lists the places with the extents of their coordinates.
func (r *FollowResponse) extents() string {
	var names []string
	for _, p := range r.Places {
		switch {
		case p.Index != nil:
			names = append(names, fmt.Sprintf("%s(%s)", p.Name, commas(p.Modes)))
		case p.Rows > 0 && p.Row != nil:
			names = append(names, fmt.Sprintf("%s(%d,%d)", p.Name, p.Rows, p.Cols))
		}
	}
	return strings.Join(names, ", ")
}

// steps writes steps; neighbours with the same hop share a heading.
func (r *FollowResponse) steps(b *strings.Builder, steps []follow.Step) {
	for i := 0; i < len(steps); {
		n := i
		for n < len(steps) && steps[n].Hop == steps[i].Hop {
			n++
		}
		h := &r.Hops[steps[i].Hop]
		b.WriteString(Wrap(fmt.Sprintf("%s, %s  %s", r.wayOf(h), mainOp(h.Instruction), h.Source), followWidth, "  ", "    "))
		for _, s := range steps[i:min(n, i+maxShown)] {
			b.WriteString(Wrap(r.stepText(s), followWidth, "    ", "      "))
		}
		if more := n - i - maxShown; more > 0 {
			fmt.Fprintf(b, "    and %d more\n", more)
		}
		i = n
	}
}

// stepText writes a step.
func (r *FollowResponse) stepText(s follow.Step) string {
	h := &r.Hops[s.Hop]
	who := fmt.Sprintf("warp %d", s.Warp)
	if s.Thread >= 0 {
		who = fmt.Sprintf("thread %d", s.Thread)
	}
	text := fmt.Sprintf("time %d, %s", s.Time, who)
	if s.Pass >= 0 {
		text += fmt.Sprintf(", pass %d", s.Pass)
	}
	if s.From >= 0 && len(h.From) == 1 {
		text += ": " + r.cellText(h.From[0], s.From)
	}
	text += " -> " + r.cellText(h.To, s.To)
	if h.Kind == follow.MMA {
		if p := &r.Places[h.To]; p.Row != nil && p.Row.Values()[s.To] >= 0 {
			text += fmt.Sprintf(", the sum of A(%d,k)*B(%d,k)", p.Row.Values()[s.To], p.Col.Values()[s.To])
		}
	}
	return text
}

// cellText names a cell by what people call it: an element, a bank, a value of a thread.
func (r *FollowResponse) cellText(place int, cell int64) string {
	p := &r.Places[place]
	rows, cols := p.Row.Values(), p.Col.Values()
	at := ""
	if rows != nil && rows[cell] >= 0 {
		at = fmt.Sprintf("(%d,%d)", rows[cell], cols[cell])
	}
	switch p.Kind {
	case follow.Shared:
		address := p.Base + cell*int64(p.Bits)/8
		where := fmt.Sprintf("bank %d, byte %d", address/4%32, address)
		if name := p.CellName(cell); name != "" {
			return name + ", " + where
		}
		return fmt.Sprintf("%s%s, %s", p.Name, at, where)
	case follow.Registers:
		return fmt.Sprintf("%s%s, value %d of thread %d", p.Name, at, cell%p.Values, cell/p.Values)
	case follow.Tensor:
		return fmt.Sprintf("tensor memory%s, lane %d, column %d", at, cell/p.Values, cell%p.Values)
	case follow.Operand:
		return fmt.Sprintf("operand %s%s", p.Name, at)
	}
	return fmt.Sprintf("%s%s, element %d", p.Name, at, cell)
}

// ofThread writes what a thread moves: the first access of each hop.
func (r *FollowResponse) ofThread(b *strings.Builder, thread int64) *report.Error {
	if thread < 0 || thread >= r.Threads {
		return usage("expected a thread from 0 to %d, found %d", r.Threads-1, thread)
	}
	moves := r.OfThread(thread)
	for _, m := range moves {
		h := &r.Hops[m.Hop]
		head := fmt.Sprintf("%s, %s, %d times  %s", r.wayOf(h), mainOp(h.Instruction), m.Count, h.Source)
		b.WriteString(Wrap(head, followWidth, "", "  "))
		text := "first: " + r.elements(h.To, m.To)
		if len(m.From) > 0 {
			text = "first: " + r.elements(h.From[0], m.From) + " -> " + r.elements(h.To, m.To)
		}
		b.WriteString(Wrap(text, followWidth, "  ", "    "))
	}
	if len(moves) == 0 {
		fmt.Fprintf(b, "thread %d moves nothing that comes from global memory\n", thread)
	}
	return nil
}

// elements writes the elements of some cells; neighbours along a row become one span.
func (r *FollowResponse) elements(place int, cells []int64) string {
	p := &r.Places[place]
	rows, cols := p.Row.Values(), p.Col.Values()
	var parts []string
	for i := 0; i < len(cells); {
		n := i + 1
		c := cells[i]
		if rows == nil || rows[c] < 0 {
			for n < len(cells) && cells[n] == c+int64(n-i) {
				n++
			}
			parts = append(parts, spanText(c, c+int64(n-i)-1))
		} else {
			for n < len(cells) && rows[cells[n]] == rows[c] && cols[cells[n]] == cols[c]+int64(n-i) {
				n++
			}
			parts = append(parts, fmt.Sprintf("(%d,%s)", rows[c], spanText(cols[c], cols[c]+int64(n-i)-1)))
		}
		i = n
	}
	if n := len(parts); n > 2*maxShown {
		parts = append(parts[:2*maxShown], fmt.Sprintf("and %d more", n-2*maxShown))
	}
	return p.Name + " " + strings.Join(parts, " ")
}

func spanText(from, to int64) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d..%d", from, to)
}
