package gemm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Description is a plan in numbers and words.
type Description struct {
	M          int64      `json:"m"`
	N          int64      `json:"n"`
	K          int64      `json:"k"`
	In         string     `json:"in"`
	Out        string     `json:"out"`
	A          string     `json:"a"` // layouts, as the problem has them
	B          string     `json:"b"`
	D          string     `json:"d"`
	Card       Card       `json:"card"`
	Choice     Choice     `json:"choice"`
	Reasons    []Reason   `json:"reasons"`
	Workspace  int64      `json:"workspace_bytes"` // for sums, and for operands that are copied
	Prediction Prediction `json:"predicted"`
}

// Describe returns the plan in numbers and words.
func (p *Plan) Describe() Description {
	d := Description{
		M: p.problem.M, N: p.problem.N, K: p.problem.K, In: p.work.in.String(), Out: p.work.out.String(),
		A: p.problem.A.String(), B: p.problem.B.String(), D: p.problem.D.String(), Card: p.card, Choice: p.choice,
		Reasons: p.reasons, Workspace: 4 * p.Workspace(), Prediction: p.predict,
	}
	for _, a := range p.align {
		d.Workspace += a.Bytes
	}
	return d
}

// MarshalJSON encodes the result of [Plan.Describe]. It returns the errors of [json.Marshal].
func (p *Plan) MarshalJSON() ([]byte, error) { return json.Marshal(p.Describe()) }

// A fastest returns the prediction of the fastest configuration that satisfies a condition.
type fastest func(keep func(*Choice) bool) (Prediction, bool)

// explain gives the reasons of the choices.
func (p *Plan) explain(best fastest) (out []Reason) {
	c, w := &p.choice, &p.work
	for _, a := range p.align {
		out = append(out, Reason{"copy", a.Name, fmt.Sprintf(
			"%s, and the TMA reads rows of multiples of 16 bytes: %s are copied before", a.Why, bytesText(float64(a.Bytes)))})
	}
	if c.Exchanged {
		why := "M is contiguous in D, so the transposed D is computed"
		if w.across() {
			why = fmt.Sprintf("an instruction has 64 rows and any 8 columns: the %d rows of A become columns", w.n)
		}
		out = append(out, Reason{"operands", "exchanged", why})
	}
	out = append(out, Reason{"instruction", fmt.Sprintf("wgmma 64x%dx16", c.Tile[1]), p.instruction()}, p.roles(best))
	out = append(out, Reason{"tile", fmt.Sprintf("%dx%dx%d", c.Tile[0], c.Tile[1], c.Tile[2]), fmt.Sprintf(
		"%.0f products for each byte from the L2%s",
		float64(c.Tile[0]*c.Tile[1])/(float64(c.Tile[0])+float64(c.Tile[1])/float64(c.Cluster))/2,
		p.against(best, "the next best", func(x *Choice) bool { return x.Tile != c.Tile }))})
	out = append(out, Reason{"stages", fmt.Sprint(c.Stages), fmt.Sprintf("%d bytes each, %d for D, of %d", c.stage(w),
		c.pieces(w), p.card.Shared)})
	out = append(out, p.sharing(best)...)
	rows, columns := c.grid(w)
	step := bytesText(float64(c.region(p, rows, columns, c.Group) * c.Tile[2] * int64(w.in.Bits()/8)))
	out = append(out, Reason{
		"order", fmt.Sprintf("groups of %d", min(c.Group, rows)),
		"the tiles that run at once need " + step + " of A and B for a step",
	})
	return append(out, p.output())
}

// against says how much slower the fastest configuration of another kind is.
func (p *Plan) against(best fastest, what string, keep func(*Choice) bool) string {
	if f, ok := best(keep); ok {
		return fmt.Sprintf("; %s: %+.1f %%", what, 100*(f.Seconds/p.predict.Seconds-1))
	}
	return "; " + what + ": does not fit"
}

// roles explains the roles of the warpgroups.
func (p *Plan) roles(best fastest) Reason {
	c := &p.choice
	r := Reason{"roles", "cooperative", fmt.Sprintf("%d warpgroups share a tile", c.Warpgroups)}
	if c.Warpgroups == 1 {
		r.Why = "one warpgroup has all rows of a tile"
	}
	other := "ping-pong"
	if c.PingPong {
		other, r.Value = r.Value, other
		r.Why = fmt.Sprintf("%d warpgroups take tiles in turn, one writes D while the other multiplies", c.Warpgroups)
	}
	r.Why += p.against(best, other, func(x *Choice) bool { return x.PingPong != c.PingPong })
	return r
}

// sharing explains the cluster.
func (p *Plan) sharing(best fastest) (out []Reason) {
	c, l2 := &p.choice, bytesText(p.predict.Cache)
	if c.Cluster > 1 {
		out = append(out, Reason{"cluster", fmt.Sprintf("%dx1", c.Cluster), fmt.Sprintf(
			"a tile of B leaves the L2 once for %d blocks: %s in all%s", c.Cluster, l2,
			p.against(best, "without", func(x *Choice) bool { return x.Cluster == 1 }))})
	} else {
		out = append(out, Reason{"cluster", "none", l2 + " leave the L2" +
			p.against(best, "2x1", func(x *Choice) bool { return x.Cluster == 2 })})
	}
	if c.Split > 1 {
		out = append(out, Reason{"K", fmt.Sprintf("%d blocks", c.Split), fmt.Sprintf(
			"%d tiles leave multiprocessors idle; a cluster adds its sums in the order of K%s", p.predict.Tiles,
			p.against(best, "not shared", func(x *Choice) bool { return x.Split == 1 }))})
	}
	return out
}

// output explains how D is written.
func (p *Plan) output() Reason {
	c, w := &p.choice, &p.work
	switch {
	case c.Split > 1:
		return Reason{"D", "registers", "each block adds its part of the tile, and writes it"}
	case c.Direct && w.across():
		return Reason{"D", "registers", "the rows of the tile are contiguous in D"}
	case c.Direct:
		return Reason{"D", "registers", w.d.why + ": the TMA writes rows of multiples of 16 bytes"}
	}
	n := c.piece(w.out.Bits())
	return Reason{"D", "TMA", fmt.Sprintf("through shared memory in %d pieces of %d columns, while the next one is rounded",
		c.Tile[1]/n, n)}
}

// instruction says why the instruction has its layouts of shared memory.
func (p *Plan) instruction() string {
	w := &p.work
	major := func(x *matrix, mode string) string {
		if x.major == 0 {
			return "K"
		}
		return mode
	}
	return fmt.Sprintf("A %s-major, B %s-major in shared memory as in memory, swizzled: no conflicts", major(&w.a, "M"),
		major(&w.b, "N"))
}

// String returns the plan as text of at most 80 columns.
func (p *Plan) String() string {
	d := p.Describe()
	var b strings.Builder
	fmt.Fprintf(&b, "%d x %d x %d, %s to %s, on %s\n", d.M, d.N, d.K, d.In, d.Out, d.Card.Name)
	fmt.Fprintf(&b, "  A %s, B %s, D %s\n", d.A, d.B, d.D)
	for _, r := range d.Reasons {
		lines := wrap(r.Why, 80-34)
		for i, line := range lines {
			what, value := r.What, r.Value
			if i > 0 {
				what, value = "", ""
			}
			fmt.Fprintf(&b, "  %-12s%-20s%s\n", what, value, line)
		}
	}
	f := &d.Prediction
	fmt.Fprintf(&b, "  %d tiles, %.2f waves: the multiprocessors have work %.0f %% of the time\n", f.Tiles, f.Waves,
		100*f.Used)
	fmt.Fprintf(&b, "  %s of memory, %s from the L2; %d steps of %.0f cycles\n", bytesText(f.Memory), bytesText(f.Cache),
		f.Steps, f.Cycles)
	fmt.Fprintf(&b, "  expected: %.4g us, %.0f TFLOP/s, bound by %s; the best of %d\n", f.Seconds*1e6, f.TFLOPS, f.Bound,
		f.Configurations)
	return b.String()
}

// wrap breaks a text into lines of at most n columns.
func wrap(text string, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > n {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
