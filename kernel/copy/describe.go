package copy

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"girih/cute"
	"girih/internal/ints"
	"girih/kernel"
	"girih/ptx"
)

// A Description is the numbers of a plan.
type Description struct {
	Way      Way      `json:"way"`
	Src      string   `json:"src"`
	Dst      string   `json:"dst"`
	Bytes    int64    `json:"element_bytes"` // of an element of the layouts
	Moved    int64    `json:"moved_bytes"`   // moved together: one element, or several contiguous ones
	Modes    []Mode   `json:"modes"`         // in moved elements, in the order of dst
	Tile     []int64  `json:"tile"`          // of a block, by mode, in moved elements
	Load     int64    `json:"load_bytes"`    // the widest access
	Store    int64    `json:"store_bytes"`
	Swizzle  string   `json:"swizzle,omitempty"` // of the tile in shared memory, in moved elements
	Shared   int64    `json:"shared_bytes,omitempty"`
	Conflict int64    `json:"conflicts"` // wavefronts above the minimum, for the first warp's accesses
	Threads  int64    `json:"threads"`
	Blocks   int64    `json:"blocks"`
	Total    int64    `json:"total_bytes"` // of all elements: read once, and written once
	Steps    []string `json:"steps"`

	// Of a plan for run-time integers: its layouts, and the parameters of the kernel. Until they have values, Src, Dst,
	// Blocks and Total are not known.
	Open   string   `json:"open,omitempty"`
	Params []string `json:"params,omitempty"`
}

// text returns the text of a layout, "" if it is not known.
func text(l cute.Inner) string {
	if l == nil {
		return ""
	}
	return l.String()
}

// Describe returns the numbers of the plan.
func (p *Plan) Describe() Description {
	d := Description{
		Way: p.way, Src: text(p.src.layout), Dst: text(p.dst.layout), Bytes: p.dst.bytes, Moved: p.elem,
		Modes: p.modes, Tile: p.tile, Load: p.load.width * p.elem, Store: p.load.width * p.elem, Threads: p.threads,
		Blocks: p.blocks, Total: p.size * p.dst.bytes,
	}
	if p.open != nil {
		d.Open = fmt.Sprintf("%v <- %v", p.open.dst, p.open.src)
		for _, a := range p.open.params {
			d.Params = append(d.Params, a.String())
		}
	}
	items := func(f *phase, what string) string {
		return fmt.Sprintf("%s, %d of a block, %d of a thread", what, f.items, f.each)
	}
	if p.way == Direct {
		if p.b >= 0 && p.modes[p.b].Src != 1 && p.modes[p.b].Src != -1 {
			d.Load = p.elem
		}
		d.Steps = []string{
			items(&p.load, fmt.Sprintf("global -> registers: accesses of %s", bytes(d.Load))),
			items(&p.load, fmt.Sprintf("registers -> global: accesses of %s", bytes(d.Store))),
		}
		return d
	}
	d.Store, d.Conflict = p.store.width*p.elem, p.shared.conflict
	d.Shared = p.shared.size * p.elem
	if p.shared.swizzle != nil {
		d.Swizzle = p.shared.swizzle.String()
	}
	if p.way == Shifted {
		d.Steps = p.shiftedSteps(items)
		return d
	}
	if p.way == Blocks {
		deep := int64(1)
		for _, g := range p.load.digits {
			if g.mode == p.b {
				deep = g.step
			}
		}
		d.Steps = append(d.Steps,
			items(&p.load, fmt.Sprintf("global -> registers: blocks of %dx%d elements, rows of %s", p.va, deep, bytes(d.Load))))
		if p.va > 1 && deep > 1 {
			d.Steps = append(d.Steps, fmt.Sprintf("registers: blocks of %dx%d are turned", p.va, deep))
		}
		d.Steps = append(d.Steps, fmt.Sprintf("registers -> shared: accesses of %s", bytes(deep*p.elem)))
		d.Steps = append(d.Steps, items(&p.store, fmt.Sprintf("shared -> global: accesses of %s", bytes(d.Store))))
		return d
	}
	d.Steps = append(d.Steps,
		items(&p.load, fmt.Sprintf("global -> shared: runs of %s, in words of %d", bytes(p.load.length*p.elem), d.Load)),
		items(&p.store, fmt.Sprintf("shared -> global: elements of %s gathered into runs of %d, in words of %d",
			bytes(p.elem), p.store.length*p.elem, d.Store)))
	return d
}

// bytes returns a number of bytes as text.
func bytes(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// MarshalJSON encodes the result of [Plan.Describe]. It returns the errors of [json.Marshal].
func (p *Plan) MarshalJSON() ([]byte, error) { return json.Marshal(p.Describe()) }

// String returns the plan in a few lines.
func (p *Plan) String() string {
	d := p.Describe()
	var b strings.Builder
	if p.open == nil || p.args != nil {
		fmt.Fprintf(&b, "%s: %s <- %s, %d elements of %s\n", d.Way, d.Dst, d.Src, p.size, bytes(d.Bytes))
	}
	if p.open != nil {
		fmt.Fprintf(&b, "%s for all %s, elements of %s\n  parameters: %s\n", d.Way, d.Open, bytes(d.Bytes),
			strings.Join(d.Params, "; "))
	}
	var shape, src, dst, tile []string
	for i, m := range d.Modes {
		n, x, y := m.numbers()
		shape, tile = append(shape, fmt.Sprint(n)), append(tile, fmt.Sprint(d.Tile[i]))
		if m.mixed {
			src, dst = append(src, m.src.String()), append(dst, m.dst.String())
			continue
		}
		src, dst = append(src, fmt.Sprint(x)), append(dst, fmt.Sprint(y))
	}
	tuple := func(s []string) string { return "(" + strings.Join(s, ",") + ")" }
	fmt.Fprintf(&b, "  joint modes of %s: %s, src %s, dst %s\n", bytes(d.Moved), tuple(shape), tuple(src), tuple(dst))
	blocks := ""
	if d.Blocks > 0 {
		blocks = fmt.Sprintf("%d ", d.Blocks)
	}
	fmt.Fprintf(&b, "  tile %s, %sblocks of %d threads", tuple(tile), blocks, d.Threads)
	if d.Shared > 0 {
		fmt.Fprintf(&b, ", %d bytes of shared memory", d.Shared)
	}
	if d.Swizzle != "" {
		fmt.Fprintf(&b, " behind %s", d.Swizzle)
	}
	b.WriteString("\n")
	for _, s := range d.Steps {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	return b.String()
}

// A Prediction is what a copy does to memory, by the models of package banks.
type Prediction struct {
	Loads, Stores kernel.Cost // of global memory
	Shared        kernel.Cost
	Instructions  int64 // of warps, in PTX, as if no branch skipped them
	Blocks        int64 // that were examined
	Sampled       bool  // the other blocks are assumed to be similar; otherwise all are counted
	Branches      bool  // so Instructions is approximate
}

// String returns the prediction in a few lines.
func (f Prediction) String() string {
	about, around := "", ""
	if f.Sampled {
		about = "about "
	}
	if f.Branches {
		around = "about "
	}
	text := fmt.Sprintf("  predicted: %s%d sectors read and %d written, %d and %d at least\n", about, f.Loads.Sectors,
		f.Stores.Sectors, f.Loads.Fewest, f.Stores.Fewest)
	if f.Shared.Wavefronts > 0 {
		text += fmt.Sprintf("  shared memory %s%d wavefronts, %d at least\n", about, f.Shared.Wavefronts, f.Shared.Ideal)
	}
	return text + fmt.Sprintf("  %s%d instructions of warps\n", around, f.Instructions)
}

// looked is the number of blocks of each kind that [Plan.Predict] examines when it samples.
const looked = 4

// Predict predicts what the copy does to memory. Blocks of a class access memory alike, so Predict examines one block
// of each class and counts exactly. If there are more than 256 classes, it examines four blocks for each number of
// elements. It returns the errors of [Plan.Kernel] and [kernel.Kernel.PlanBlocks].
func (p *Plan) Predict() (Prediction, error) {
	k, err := p.Kernel()
	if err != nil {
		return Prediction{}, err
	}
	return p.PredictKernel(k)
}

// PredictKernel is [Plan.Predict] for a kernel of the plan that exists already.
func (p *Plan) PredictKernel(k *kernel.Kernel) (Prediction, error) {
	out := Prediction{}
	if p.open != nil && p.args == nil {
		return out, withHint("Plan.At gives them values", refuse(cute.CodeUnknown,
			"the traffic of %v <- %v depends on its run-time integers", p.open.dst, p.open.src))
	}
	kinds, sampled := p.toExamine()
	out.Sampled = sampled
	for _, kind := range kinds {
		as, _, err := k.PlanBlocks(p.args, kind.blocks)
		if err != nil {
			return Prediction{}, err
		}
		out.add(as, float64(kind.count)/float64(len(kind.blocks)))
		out.Blocks += int64(len(kind.blocks))
	}
	out.Instructions, out.Branches = countInstructions(k)
	out.Instructions *= ints.CeilDiv(p.threads, kernel.WarpSize) * p.blocks
	return out, nil
}

// add adds the costs of accesses, multiplied by times.
func (f *Prediction) add(as []kernel.Access, times float64) {
	for _, a := range as {
		to := &f.Shared
		switch a.Tensor {
		case "src":
			to = &f.Loads
		case "dst":
			to = &f.Stores
		}
		c := a.Cost
		for _, x := range []*int64{&c.Requests, &c.Bytes, &c.Sectors, &c.Fewest, &c.Wavefronts, &c.Ideal, &c.Unknown} {
			*x = int64(math.Round(float64(*x) * times))
		}
		to.Add(c)
	}
}

// countInstructions returns the number of instructions of a kernel, and whether there are branches.
func countInstructions(k *kernel.Kernel) (n int64, branches bool) {
	for _, s := range k.Module.Func(ptx.Name(k.Name)).Body.Stmts {
		if i, ok := s.(*ptx.Instr); ok {
			n++
			branches = branches || i.Op.Name() == "bra"
		}
	}
	return n, branches
}

// toExamine returns the blocks to examine: one of each class or, if there are too many classes, a sample of each kind.
func (p *Plan) toExamine() (kinds []kind, sampled bool) {
	cs := p.classes()
	if cs == nil {
		return p.kinds(), true
	}
	for _, c := range cs {
		kinds = append(kinds, kind{count: c.count, blocks: [][3]int64{{c.block}}})
	}
	return kinds, false
}

// A kind is the blocks with the same extents.
type kind struct {
	count  int64
	blocks [][3]int64 // some of them
}

// kinds returns the kinds of blocks: whole in every mode, or the last ones along some modes.
func (p *Plan) kinds() []kind {
	out := []kind{{count: 1, blocks: make([][3]int64, looked)}}
	stride := int64(1)
	for _, m := range p.order {
		n := p.pieces(m)
		whole := p.modes[m].Extent / p.tile[m]
		var next []kind
		for _, k := range out {
			if whole > 0 {
				w := kind{count: k.count * whole}
				for i, b := range k.blocks {
					w.blocks = append(w.blocks, [3]int64{b[0] + stride*(int64(i)*whole/looked)})
				}
				next = append(next, w)
			}
			if n > whole {
				w := kind{count: k.count}
				for _, b := range k.blocks {
					w.blocks = append(w.blocks, [3]int64{b[0] + stride*whole})
				}
				next = append(next, w)
			}
		}
		out, stride = next, stride*n
	}
	for i := range out {
		blocks := out[i].blocks
		sort.Slice(blocks, func(i, j int) bool { return blocks[i][0] < blocks[j][0] })
		out[i].blocks = slices.Compact(out[i].blocks)
	}
	return out
}
