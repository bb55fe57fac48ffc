package gemm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Description is a plan in numbers and words.
type Description struct {
	M          int64      `json:"m"`
	N          int64      `json:"n"`
	K          int64      `json:"k"`
	L          int64      `json:"l,omitempty"`      // how many products there are, 0 for one without a third mode
	Groups     int64      `json:"groups,omitempty"` // of rows; 0 for none
	In         string     `json:"in"`
	InB        string     `json:"in_b,omitempty"` // of B, if it differs
	Out        string     `json:"out"`
	A          string     `json:"a"` // layouts, as the problem has them
	B          string     `json:"b"`
	D          string     `json:"d"`
	Card       Card       `json:"card"`
	Scale      string     `json:"scale,omitempty"` // the factors of A and B: tensors, rows or blocks
	Choice     Choice     `json:"choice"`
	Reasons    []Reason   `json:"reasons"`
	Workspace  int64      `json:"workspace_bytes"` // for sums, and for operands that are copied
	Prediction Prediction `json:"predicted"`
}

// Describe returns the plan in numbers and words.
func (p *Plan) Describe() Description {
	d := Description{
		M: p.problem.M, N: p.problem.N, K: p.problem.K, L: p.problem.L, Groups: p.work.groups, In: p.problem.In.String(),
		Out: p.problem.Out.String(), Scale: string(p.problem.Scale),
		A: p.problem.A.String(), B: p.problem.B.String(), D: p.problem.D.String(), Card: p.card, Choice: p.choice,
		Reasons: p.explain(), Workspace: 4 * p.Workspace(), Prediction: p.predict,
	}
	if p.problem.InB != p.problem.In {
		d.InB = p.problem.InB.String()
	}
	for _, a := range p.align {
		d.Workspace += a.Bytes
	}
	return d
}

// MarshalJSON encodes the result of [Plan.Describe]. It returns the errors of [json.Marshal].
func (p *Plan) MarshalJSON() ([]byte, error) { return json.Marshal(p.Describe()) }

// explain gives the reasons of the choices.
func (p *Plan) explain() (out []Reason) {
	c, w := &p.choice, &p.work
	if c.Blocks == 0 {
		return nil // no plan
	}
	out = p.copies()
	if c.Exchanged {
		why := "M is contiguous in D, so the transposed D is computed"
		switch {
		case w.across() && c.tma():
			why = fmt.Sprintf("an instruction has 64 rows and any 8 columns: the %d rows of A become columns", w.n)
		case w.across():
			why = "the tile fits the transposed D better"
		}
		out = append(out, Reason{"operands", "exchanged", why + "; the kernel's A is B, and its B is A"})
	}
	if c.tma() {
		out = append(out, Reason{"instruction", fmt.Sprintf("wgmma 64x%dx%d", c.Tile[1], depth(w.in)), p.instruction()})
		out = append(append(out, p.values()...), p.roles())
	} else {
		out = append(append(out, p.explainWarps()...), p.values()...)
	}
	out = append(out, Reason{"tile", fmt.Sprintf("%dx%dx%d", c.Tile[0], c.Tile[1], c.Tile[2]), fmt.Sprintf(
		"%.0f products for each byte from the L2%s",
		float64(c.Tile[0]*c.Tile[1])/(float64(c.Tile[0])+float64(c.Tile[1])/float64(c.Cluster))/2,
		p.against("the next best", func(x *Choice) bool { return x.Tile != c.Tile }))})
	out = append(out, Reason{"stages", fmt.Sprint(c.Stages), fmt.Sprintf("%d bytes each, %d for D, of %d", c.stage(w),
		c.pieces(w), p.card.Shared)})
	out = append(out, p.sharing()...)
	rows, columns := c.grid(w)
	step := bytesText(float64(c.region(p, rows, columns, c.Group) * c.Tile[2] * int64(w.in.Bits()/8)))
	out = append(out, Reason{
		"order", fmt.Sprintf("groups of %d", min(c.Group, rows)),
		"the tiles that run at once need " + step + " of A and B for a step",
	})
	if n := p.excess(c, w); n > 0 {
		out = append(out, Reason{"registers", fmt.Sprintf("%d in memory", n), "the inputs of the epilogue have not enough"})
	}
	return append(out, p.output())
}

// copies explains the copies before the product.
func (p *Plan) copies() (out []Reason) {
	for i, a := range p.align {
		why := a.Why
		switch {
		case a.Src.Stride().Leaves()[1] != a.Dst.Stride().Leaves()[1]:
		case p.choice.tma():
			why += ", and the TMA reads rows of multiples of 16 bytes"
		default:
			why += ", and a load moves 16 bytes of other rows"
		}
		why += ": " + bytesText(float64(a.Bytes)) + " are copied before"
		if i == 0 && p.work.math.majors {
			why += p.against("loads of fewer bytes", func(x *Choice) bool { return !x.tma() && min(x.Loads[0], x.Loads[1]) < 16 })
		}
		out = append(out, Reason{"copy", a.Name, why})
	}
	return out
}

// values explains how the sums become elements of D, and what several products share.
func (p *Plan) values() (out []Reason) {
	w := &p.work
	if w.l > 0 {
		why := "the blocks take the tiles of all products in turn"
		if !p.choice.tma() {
			why = "the grid has the tiles of all products"
		}
		out = append(out, Reason{"products", fmt.Sprint(w.l), why})
	}
	if w.groups > 0 {
		out = append(out, Reason{"groups", fmt.Sprint(w.groups), fmt.Sprintf(
			"a tile has rows of one group; each warp finds its next tile in sizes; expected with %d rows each", w.rowsOfGroup())})
	}
	if w.promoted {
		why := "tensor cores cut sums of 8-bit floats off 13 bits after the first one"
		if w.blocks {
			why = "each block of columns has factors, by which its sums are multiplied"
		}
		out = append(out, Reason{"sums", "of 128 columns", why + "; they are added in registers"})
	}
	if s := p.problem.Scale; s.whole() {
		out = append(out, Reason{"factors", "of " + string(s), "they are factors of D, too: the epilogue multiplies by them"})
	}
	return out
}

// against says how much slower the fastest configuration of another kind is.
func (p *Plan) against(what string, keep func(*Choice) bool) string {
	i := slices.IndexFunc(p.all, func(x rated) bool { return keep(&x.choice) })
	if i < 0 {
		return "; " + what + ": does not fit"
	}
	return fmt.Sprintf("; %s: %+.1f %%", what, 100*(p.all[i].predict.Seconds/p.predict.Seconds-1))
}

// roles explains the roles of the warpgroups.
func (p *Plan) roles() Reason {
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
	r.Why += p.against(other, func(x *Choice) bool { return x.PingPong != c.PingPong })
	return r
}

// sharing explains the cluster.
func (p *Plan) sharing() (out []Reason) {
	c, l2, how := &p.choice, bytesText(p.predict.Cache), "a cluster adds its"
	if !c.tma() {
		how = "the last one adds their"
	} else if c.Cluster > 1 {
		out = append(out, Reason{"cluster", fmt.Sprintf("%dx1", c.Cluster), fmt.Sprintf(
			"a tile of B leaves the L2 once for %d blocks: %s in all%s", c.Cluster, l2,
			p.against("without", func(x *Choice) bool { return x.Cluster == 1 }))})
	} else {
		out = append(out, Reason{"cluster", "none", l2 + " leave the L2" +
			p.against("2x1", func(x *Choice) bool { return x.Cluster == 2 })})
	}
	if c.Split > 1 {
		out = append(out, Reason{"K", fmt.Sprintf("%d blocks", c.Split), fmt.Sprintf(
			"%d tiles leave multiprocessors idle; %s sums in the order of K%s", p.predict.Tiles, how,
			p.against("not shared", func(x *Choice) bool { return x.Split == 1 }))})
	}
	return out
}

// output explains how D is written.
func (p *Plan) output() Reason {
	c, w := &p.choice, &p.work
	switch {
	case c.Split > 1 && c.tma():
		return Reason{"D", "registers", "each block adds its part of the tile, and writes it"}
	case c.Direct && w.across():
		return Reason{"D", "registers", "the rows of the tile are contiguous in D"}
	case !c.tma():
		return Reason{"D", "registers", fmt.Sprintf("%d bytes divide its rows", w.rowUnit()*int64(w.out.Bits()/8))}
	}
	n := c.piece(w.out.Bits())
	if w.groups > 0 {
		return Reason{"D", "rows", fmt.Sprintf("rows after a group belong to the next one: threads write rows from shared memory, "+
			"%d bytes at a time, in pieces of %d columns", c.storeUnit(w)*int64(w.out.Bits()/8), n)}
	}
	if c.Staged {
		return Reason{"D", "rows", fmt.Sprintf("%s: the TMA writes rows of multiples of 16 bytes; threads write them from shared "+
			"memory, %d bytes at a time, in pieces of %d columns", w.d.why, c.storeUnit(w)*int64(w.out.Bits()/8), n)}
	}
	why := fmt.Sprintf("through shared memory in %d pieces of %d columns, while the next one is rounded", c.Tile[1]/n, n)
	if c.fetches(w) {
		why += "; " + p.problem.Epilogue.all()[w.fetched].Name + " comes to their places before"
	}
	return Reason{"D", "TMA", why}
}

// instruction says why the instruction has its layouts of shared memory.
func (p *Plan) instruction() string {
	if w := &p.work; !w.math.majors {
		return fmt.Sprintf("A and B K-major in shared memory, which is all that it has for %v: swizzled, no conflicts", w.in)
	}
	return p.majors() + ": no conflicts"
}

// majors says which layouts A and B have in shared memory.
func (p *Plan) majors() string {
	w := &p.work
	major := func(x *matrix, mode string) string {
		if x.major == 0 {
			return "K"
		}
		return mode
	}
	return fmt.Sprintf("A %s-major, B %s-major in shared memory as in memory, swizzled", major(&w.a, "M"), major(&w.b, "N"))
}

// String returns the plan as text of at most 80 columns.
func (p *Plan) String() string {
	if p.choice.Blocks == 0 {
		return "no plan\n"
	}
	d := p.Describe()
	var b strings.Builder
	in := d.In
	if d.InB != "" {
		in += " and " + d.InB
	}
	fmt.Fprintf(&b, "%d x %d x %d, %s to %s, on %s\n", d.M, d.N, d.K, in, d.Out, d.Card.Name)
	layouts := []string{"  A " + d.A, "B " + d.B, "D " + d.D}
	line := strings.Join(layouts, ", ")
	if len(line) > 80 {
		line = strings.Join(layouts, "\n  ")
	}
	fmt.Fprintln(&b, line)
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
