package kernel

import (
	"fmt"
	"strings"
)

// This file reports what a whole launch does to memory.

// ReportFor is [Kernel.Report] for values of the kernel's integers by name. In addition, it has the cost of each use in
// all blocks and iterations of the launch, by [Kernel.Plan], whose errors it returns.
func (k *Kernel) ReportFor(values map[string]int64) (Report, error) {
	grid, err := k.Grid(values)
	if err != nil {
		return Report{}, err
	}
	plan, total, err := k.Plan(values)
	if err != nil {
		return Report{}, err
	}
	out, groups := k.report(values)
	out.Grid, out.Total = grid[:], &total
	use := map[*transfer]int{}
	for i, g := range groups {
		out.Uses[i].Launch = new(Cost)
		for _, a := range g {
			use[a] = i
		}
	}
	for i := range plan {
		out.Uses[use[&k.accesses[i]]].Launch.Add(plan[i].Cost)
	}
	return out, nil
}

// text returns the numbers of a cost that are not 0.
func (c *Cost) text() string {
	parts := []string{fmt.Sprintf("%d requests", c.Requests)}
	for _, p := range []struct {
		n    int64
		what string
	}{
		{c.Bytes, "bytes"},
		{c.Bulk, "bytes of bulk copies"},
		{c.Sectors, "sectors"},
		{c.Wavefronts, "wavefronts"},
		{c.Unknown, "requests of unknown cost"},
	} {
		switch {
		case p.n == 0:
		case p.what == "sectors" && c.Fewest < c.Sectors:
			parts = append(parts, fmt.Sprintf("%d sectors for bytes that fit %d", p.n, c.Fewest))
		case p.what == "wavefronts" && c.Ideal < c.Wavefronts:
			parts = append(parts, fmt.Sprintf("%d wavefronts instead of %d", p.n, c.Ideal))
		default:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}
