package kernel

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tensormap"
)

// This file records the sources of instructions that are not accesses of lanes: products and TMA copies.

// A Call describes the instructions that one call of [K.GemmTiled] or [K.CopyTma] emitted.
type Call struct {
	File  string   `json:"file"`
	Line  int      `json:"line"`
	Op    string   `json:"op"`    // opcode of the first instruction, in PTX
	Atom  string   `json:"atom"`  // CuTe's name
	Count int      `json:"count"` // instructions per thread, for one execution of the line
	From  []string `json:"from"`  // the layouts that it was made from, one phrase each
}

// A made is a Call whose text is not made yet.
type made struct {
	first *ptx.Instr
	count int
	atom  string
	from  func() []string // called when the text is wanted
	pcs   stack
}

// begin records the instructions that a call emits, except memory accesses, until the returned function is called.
func (k *K) begin(atom string, from func() []string) (end func()) {
	m := &made{atom: atom, from: from}
	m.pcs.keep(k, 3)
	outer := k.making
	k.making = func(in *ptx.Instr) {
		if name := in.Op.Name(); name != "mma" && name != "wgmma" && !in.Op.Has("mma") && name != "fma" && !in.Op.Has("bulk") {
			return
		}
		if m.count++; m.first == nil {
			m.first = in
		}
	}
	return func() {
		k.making = outer
		if m.first != nil {
			k.made = append(k.made, m)
		}
	}
}

// call describes a made.
func (m *made) call() Call {
	p := Call{Op: string(m.first.Op), Atom: m.atom, Count: m.count, From: m.from()}
	p.File, p.Line = m.pcs.outside()
	return p
}

// madeOfMMA returns a description of a tiled MMA and its tensors.
func madeOfMMA(m atom.TiledMMA, a, b, c Tensor) func() []string {
	return func() []string {
		tile := m.TileShape()
		out := []string{fmt.Sprintf("ThrLayoutVMNK %v, PermutationMNK %s, tile (%d,%d,%d)", m.ThrLayoutVMNK(),
			m.PermutationText(), tile[0], tile[1], tile[2])}
		for i, t := range []Tensor{a, b, c} {
			out = append(out, string("ABC"[i])+": "+t.what())
		}
		return out
	}
}

// what returns a description of a tensor, except for the place of its elements.
func (t Tensor) what() string {
	var shapes, strides []string
	for _, m := range t.modes {
		if m.layout.Rank() == 0 {
			continue
		}
		shapes, strides = append(shapes, m.layout.Shape().String()), append(strides, m.layout.Stride().String())
	}
	out := fmt.Sprintf("%v in %v (%s):(%s)", t.root.elem, t.root.space, strings.Join(shapes, ","), strings.Join(strides, ","))
	if m := t.root.matrix; m != nil {
		out += fmt.Sprintf(" of %s %s: %v-major %v, LBO %d, SBO %d", m.in.name, m.in.layout(), m.Major, m.Pattern, m.Leading,
			m.Stride)
	}
	return out
}

// madeOfMap returns a description of a TMA copy.
func madeOfMap(a TmaAtom, s *root) func() []string {
	return func() []string {
		m := a.plan.Map
		text := fmt.Sprintf("%s %s, tile %v, %s of a box %v", a.name, a.root.layout(), cute.Ints(a.tile...),
			map[bool]string{true: "one copy", false: fmt.Sprintf("%d copies", a.plan.Instructions)}[a.plan.Instructions == 1],
			cute.Ints(m.Box...))
		if m.Swizzle != tensormap.SwizzleNone {
			text += ", " + m.Swizzle.String()
		}
		if a.several {
			text += ", to several blocks"
		}
		return []string{text, fmt.Sprintf("%s %v, %d bytes of a tile", s.name, s.outer, a.plan.Expect)}
	}
}

// A Placed is a tensor in shared memory.
type Placed struct {
	Name   string `json:"name"`
	Layout string `json:"layout"`
	Type   string `json:"type"`   // of its elements
	Offset int64  `json:"offset"` // bytes from the beginning of the kernel's shared memory
	Bytes  int64  `json:"bytes"`
}

// A RuleUse is a rule of the address algebra that changed an expression of the kernel.
type RuleUse struct {
	Name    string `json:"name"`
	Law     string `json:"law"` // what is rewritten, as formulas
	Times   int    `json:"times"`
	Example string `json:"example,omitempty"` // one use: the expression before and after
}

// String returns the rule as lines of text.
func (r RuleUse) String() string {
	text := fmt.Sprintf("  %s, %d times: %s\n", r.Name, r.Times, r.Law)
	if r.Example != "" {
		text += "    " + r.Example + "\n"
	}
	return text
}

// String returns the tensor as "sA: f16 in shared memory at 0, 16384 bytes: (128,64):(64,1)".
func (p Placed) String() string {
	return fmt.Sprintf("%s: %s in shared memory at %d, %d bytes: %s", p.Name, p.Type, p.Offset, p.Bytes, p.Layout)
}

// String returns the call as lines of text.
func (c Call) String() string {
	return fmt.Sprintf("%s:%d  %d x %s  %s\n  %s\n", c.File, c.Line, c.Count, c.Op, c.Atom, strings.Join(c.From, "\n  "))
}

// rules returns the rules that were applied to the kernel's addresses.
func (k *Kernel) rules() []RuleUse {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []RuleUse
	for _, u := range k.space.UsedRules() {
		r := RuleUse{Name: u.Rule.String(), Law: u.Rule.Law(), Times: u.Times}
		if _, rest, ok := strings.Cut(u.Example.String(), ": "); ok && u.Rule != address.RuleLayout {
			r.Example = rest
		}
		out = append(out, r)
	}
	return out
}
