package service

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// This file writes the analysis of shared memory as a person reads it.

// Limits on the conflicts shown, unless the request asks for all.
const (
	shownPhases  = 2
	shownGroups  = 4
	shownHits    = 8
	bankIndent   = "    "
	bankTextCols = 80
)

// Text returns the analysis as a person reads it: for each access a line, the elements accessed, and the first
// conflicts; more says how to see the other conflicts. If more is empty, all are listed. Every line ends with a
// newline.
func (r BankResponse) Text(more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s in the shared memory of %s\n\n", r.Value, r.Type, r.Target)
	width := 0
	for _, a := range r.Accesses {
		width = max(width, len(a.Access))
	}
	for i, a := range r.Accesses {
		if i > 0 {
			b.WriteByte('\n')
		}
		a.text(&b, width, r.pass(), more)
	}
	var sources []string
	for _, a := range r.Accesses {
		sources = append(sources, a.Source)
	}
	b.WriteByte('\n')
	for _, s := range unique(sources) {
		b.WriteString(Wrap(fmt.Sprintf("%s, %s: %s", r.Target, r.Machine, s), bankTextCols, "", "  "))
	}
	return b.String()
}

// pass is the name of one use of all banks.
func (r BankResponse) pass() string {
	if strings.HasPrefix(r.Target, "gfx") {
		return "bank cycle" // on these machines, "wavefront" means a warp
	}
	return "wavefront"
}

// text writes one access. pass is the name of one use of all banks.
func (a BankAccess) text(b *strings.Builder, width int, pass, more string) {
	all := more == ""
	fmt.Fprintf(b, "%-*s  %s: %s in %s", width, a.Access, verdict(a.Degree), plural(a.Wavefronts, pass),
		plural(a.Warps*a.Instructions, "instruction"))
	if a.Wavefronts > a.Ideal {
		fmt.Fprintf(b, ", %d without conflicts", a.Ideal)
	}
	b.WriteByte('\n')
	how := a.How
	if a.Warps > 1 {
		how += fmt.Sprintf("; %d warps, %s each", a.Warps, plural(a.Instructions, "instruction"))
	}
	b.WriteString(Wrap(how, bankTextCols, "  ", "  "))
	if a.Merged {
		b.WriteString(Wrap("lanes have the same addresses in pairs, l and l^1 or l and l^2: such a load takes half as "+
			"many phases", bankTextCols, "  ", "  "))
	}
	if a.Degree < 2 && !all {
		return
	}
	for i, g := range a.Groups {
		if i == shownGroups && !all {
			fmt.Fprintf(b, "  and %s that cost something else: %s\n", plural(len(a.Groups)-i, "more kind"), more)
			return
		}
		a.groupLine(b, g, pass)
		if all || i == 0 {
			g.text(b, pass, more)
		}
	}
}

// groupLine writes which instructions belong to a group, and what each costs.
func (a BankAccess) groupLine(b *strings.Builder, g BankGroup, pass string) {
	total := a.Warps * a.Instructions
	which := fmt.Sprintf("warp %d, instruction %d", g.Warp, g.Instruction)
	if a.Warps == 1 {
		which = fmt.Sprintf("instruction %d", g.Instruction)
	}
	switch {
	case g.Count == total && total == 1:
		which = "the instruction"
	case g.Count == total:
		which = fmt.Sprintf("each of the %d instructions", total)
	case g.Count > 1:
		which += fmt.Sprintf(" and %d others", g.Count-1)
	}
	fmt.Fprintf(b, "  %s: %s, %s in %s\n", which, verdict(g.Degree), plural(g.Wavefronts, pass),
		plural(len(g.Phases), "phase"))
}

// text writes the phases of a group that have conflicts, or all.
func (g BankGroup) text(b *strings.Builder, pass, more string) {
	all, most := more == "", shownHits
	if all {
		most = math.MaxInt
	}
	conflicts := make([][]BankConflict, len(g.Phases))
	for _, c := range g.Conflicts {
		conflicts[c.Phase] = append(conflicts[c.Phase], c)
	}
	shown, left := 0, 0
	for i, p := range g.Phases {
		cs := conflicts[i]
		if len(cs) == 0 && !all {
			continue
		}
		if shown == shownPhases && !all {
			left++
			continue
		}
		shown++
		fmt.Fprintf(b, "%sphase %d, lanes %s: %s\n", bankIndent, i, list(p.Lanes, most), plural(p.Wavefronts, pass))
		// The worst banks first, as they decide.
		sort.SliceStable(cs, func(i, j int) bool { return cs[j].Degree < cs[i].Degree })
		for k, c := range cs {
			if k == 1 && !all {
				fmt.Fprintf(b, "%s  and %s\n", bankIndent, plural(len(cs)-1, "more conflict")+" in other banks")
				break
			}
			c.text(b, most)
		}
	}
	if left > 0 {
		fmt.Fprintf(b, "%sand %s with conflicts: %s\n", bankIndent, plural(left, "more phase"), more)
	}
}

// text writes which lanes use which banks, up to the given number of lanes and of banks.
func (c BankConflict) text(b *strings.Builder, most int) {
	banks := fmt.Sprintf("bank %d", c.Bank)
	if c.Banks > 1 {
		banks = fmt.Sprintf("banks %d-%d", c.Bank, c.Bank+c.Banks-1)
	}
	line := banks + ": "
	if !slices.ContainsFunc(c.Hits, func(h BankHit) bool { return len(h.Lanes) > 1 }) {
		lanes, addresses := make([]int, len(c.Hits)), make([]int, len(c.Hits))
		for i, h := range c.Hits {
			lanes[i], addresses[i] = h.Lanes[0], int(h.Address)
		}
		line += fmt.Sprintf("lanes %s at bytes %s", list(lanes, most), list(addresses, most))
	} else {
		for i, h := range c.Hits {
			if i == most {
				line += fmt.Sprintf("; and %d more", len(c.Hits)-i)
				break
			}
			if i > 0 {
				line += "; "
			}
			line += fmt.Sprintf("byte %d by %s %s", h.Address,
				map[bool]string{true: "lane", false: "lanes"}[len(h.Lanes) == 1], list(h.Lanes, most))
		}
	}
	b.WriteString(Wrap(line, bankTextCols, bankIndent+"  ", bankIndent+"    "))
}

// list writes integers: runs as 0-7, other progressions as 0, 4, ..., 28, and at most the given number of items.
func list(xs []int, most int) string {
	var parts []string
	for len(xs) > 0 {
		n := 1
		for n < len(xs) && xs[n] == xs[0]+n {
			n++
		}
		if n > 2 {
			parts = append(parts, fmt.Sprintf("%d-%d", xs[0], xs[0]+n-1))
			xs = xs[n:]
			continue
		}
		n = 1
		for n < len(xs) && n+1 < len(xs) && xs[n+1]-xs[n] == xs[1]-xs[0] {
			n++
		}
		if n++; n > 4 && n <= len(xs) {
			parts = append(parts, fmt.Sprintf("%d, %d, ..., %d", xs[0], xs[1], xs[n-1]))
			xs = xs[n:]
			continue
		}
		parts = append(parts, strconv.Itoa(xs[0]))
		xs = xs[1:]
	}
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("... (%d more)", len(parts)-most))
	}
	return strings.Join(parts, ", ")
}
