package kernel

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/machine/address"
	"girih/ptx"
)

// A Report says how a kernel moves its elements, and why. It covers one block in the first iteration of each loop, for
// tensors of whole tiles.
type Report struct {
	Kernel  string           `json:"kernel"`
	Threads int64            `json:"threads"`
	Shared  int64            `json:"shared"`              // bytes
	Placed  []Placed         `json:"tensors,omitempty"`   // in shared memory
	Arrays  []Placed         `json:"mbarriers,omitempty"` // in shared memory: arrays of mbarriers
	Values  map[string]int64 `json:"values,omitempty"`    // values of the integers, for which costs are counted
	Grid    []int64          `json:"grid,omitempty"`      // blocks of the launch along x, y and z, if values were given
	Total   *Cost            `json:"total,omitempty"`     // of the launch, if values were given
	Uses    []Use            `json:"uses"`
	Calls   []Call           `json:"calls,omitempty"`
	Rules   []RuleUse        `json:"rules"`
}

// A Use groups the accesses to one tensor that one line of a kernel makes with one instruction. These accesses differ
// only in their addresses.
type Use struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Op     string `json:"op"`
	Atom   string `json:"atom,omitempty"` // CuTe's name of a tiled copy, or ""
	Tensor string `json:"tensor"`
	Space  Space  `json:"space"`
	From   string `json:"from,omitempty"`   // of a copy between memories, the source
	Layout string `json:"layout"`           // of the tensor
	Source string `json:"source,omitempty"` // the layout of From
	Lane   int    `json:"lane"`             // bytes of a lane, or of a copy by the engine
	Count  int    `json:"count"`            // accesses of a thread
	Loops  int    `json:"loops,omitempty"`  // loops around it

	Address string `json:"address"`          // of the first access, in bytes; of a copy, in shared memory
	Box     string `json:"box,omitempty"`    // of a TMA copy: where its box begins in global memory
	Motion  string `json:"motion,omitempty"` // how the address changes with each iteration; "" outside of loops
	Cost    Cost   `json:"cost"`             // of all accesses, in one block
	Odd     Cost   `json:"odd"`              // the cost if each integer is one step larger: rows begin elsewhere
	Launch  *Cost  `json:"launch,omitempty"` // in all blocks and iterations, if values were given
	Notes   []Note `json:"notes,omitempty"`
}

// A Note is a remark on a [Use] for the author of the kernel.
type Note struct {
	Kind   NoteKind `json:"kind"`
	Text   string   `json:"text"`
	Repair string   `json:"repair,omitempty"` // how to change it, or ""
}

// A NoteKind says what a [Note] is about.
type NoteKind string

// The kinds of notes. The first three are warnings.
const (
	NoteConflict NoteKind = "conflict" // lanes wait for each other at banks
	NoteWaste    NoteKind = "waste"    // sectors contain bytes that nothing uses
	NoteNarrow   NoteKind = "narrow"   // accesses are narrower than 16 bytes
	NoteSwizzle  NoteKind = "swizzle"  // what the swizzle of a layout is for
	NoteAlign    NoteKind = "align"    // these values of the integers waste no sectors, and larger ones would
)

// Report describes the kernel. It executes nothing: it computes the addresses of one block.
func (k *Kernel) Report() Report {
	out, _ := k.report(nil)
	return out
}

// report describes the kernel for values of its integers, nil for typical values. It returns the uses' accesses, too.
func (k *Kernel) report(values map[string]int64) (Report, [][]*transfer) {
	out := Report{
		Kernel: k.Name, Threads: k.Threads, Shared: k.Shared, Placed: k.placed, Arrays: k.mbarriers, Values: map[string]int64{},
		Rules: k.rules(),
	}
	for _, m := range k.made {
		out.Calls = append(out.Calls, m.call())
	}
	odd := map[string]int64{}
	for _, s := range k.numbers {
		out.Values[s.Name()], odd[s.Name()] = typical(s)
		if x, ok := values[s.Name()]; ok {
			out.Values[s.Name()], odd[s.Name()] = x, next(s, x)
		}
	}
	var groups [][]*transfer
	for i := range k.accesses {
		a := &k.accesses[i]
		g := slices.IndexFunc(groups, func(g []*transfer) bool { return k.alike(g[0], a) })
		if g < 0 {
			groups = append(groups, nil)
			g = len(groups) - 1
		}
		groups[g] = append(groups[g], a)
	}
	typicalCosts, oddCosts := k.costs(groups, out.Values), k.costs(groups, odd)
	for i, g := range groups {
		u := k.use(g)
		u.Cost, u.Odd = typicalCosts[i], oddCosts[i]
		out.Uses = append(out.Uses, u)
	}
	b := &bench{k: k, groups: groups, values: out.Values}
	for i, g := range groups {
		k.annotate(&out.Uses[i], g[0], b)
	}
	return out, groups
}

// typical returns a value of an integer that makes whole tiles, and a value one step larger.
func typical(s *address.Symbol) (x, odd int64) {
	const enough = 1024
	f := s.Facts()
	x = (enough + f.Div - 1) / f.Div * f.Div
	for x%enough != 0 && x <= f.Max && x < enough*enough {
		x += f.Div
	}
	if x > f.Max {
		x = f.Max / f.Div * f.Div
	}
	x = max(x, (f.Min+f.Div-1)/f.Div*f.Div)
	return x, next(s, x)
}

// next returns the value of an integer that is one step larger, or smaller if there is no larger one.
func next(s *address.Symbol, x int64) int64 {
	f := s.Facts()
	if x <= f.Max-f.Div {
		return x + f.Div
	}
	return max(x-f.Div, f.Min)
}

// alike reports whether two accesses belong to one use.
func (k *Kernel) alike(a, b *transfer) bool {
	if a.op != b.op || a.bytes != b.bytes || len(a.around) != len(b.around) ||
		a.sides[0].in != b.sides[0].in {
		return false
	}
	if *a.pcs == *b.pcs {
		return true
	}
	file, line := a.place()
	file2, line2 := b.place()
	return file == file2 && line == line2
}

// costs returns the cost of each use in one block, for the first iteration of each loop.
func (k *Kernel) costs(groups [][]*transfer, values map[string]int64) []Cost {
	out := make([]Cost, len(groups))
	w := k.walker(values)
	w.trips, w.budget = 1, MaxPlanned
	w.block([3]int64{})
	for i, g := range groups {
		for _, a := range g {
			w.warps(a, func(mask uint32) { out[i].Add(w.cost(a, mask)) })
		}
	}
	return out
}

// use describes accesses that belong together.
func (k *Kernel) use(g []*transfer) Use {
	a := g[0]
	r := a.sides[0].in
	u := Use{
		Op: string(a.op), Atom: a.atom, Tensor: r.name, Space: r.space, Layout: r.layout(), Lane: a.bytes, Count: len(g),
		Address: a.sharedSide().x.String(), Box: a.coordinates(), Motion: k.motion(a),
	}
	u.File, u.Line = a.place()
	for _, s := range a.around {
		if s.counter != nil {
			u.Loops++
		}
	}
	if len(a.sides) > 1 {
		from := a.sides[1].in
		u.From, u.Source = from.name, from.layout()
	}
	return u
}

// layout returns the layout of a root as text.
func (r *root) layout() string {
	if r.extents == nil {
		return r.outer.String()
	}
	text := func(xs []address.Expr) string {
		parts := make([]string, len(xs))
		for i, x := range xs {
			parts[i] = x.String()
		}
		return "(" + strings.Join(parts, ",") + ")"
	}
	return text(r.extents) + ":" + text(r.strides)
}

// motion says how the address of an access, or the box of a copy, changes in the innermost loop around it.
func (k *Kernel) motion(a *transfer) string {
	for i := len(a.around) - 1; i >= 0; i-- {
		s := a.around[i]
		if s.counter == nil {
			continue
		}
		if a.coordinates() == "" {
			return k.moves(s, a.sides[len(a.sides)-1].x, "it")
		}
		var parts []string
		for dim, x := range a.engine.coord {
			if text := k.moves(s, x, ""); text != "" {
				parts = append(parts, fmt.Sprintf("%s in dimension %d of the box", text, dim))
			}
		}
		return strings.Join(parts, ", ")
	}
	return ""
}

// moves says how a loop changes a value. For an unnamed value that does not change, it returns "".
func (k *Kernel) moves(s scope, x address.Expr, it string) string {
	k.mu.Lock()
	m := k.space.Motion(x, address.Counter{Symbol: s.counter, From: s.from, Step: 1})
	k.mu.Unlock()
	name := s.counter.Name()
	switch m.Kind {
	case address.StepNone:
		if it == "" {
			return ""
		}
		return name + " leaves " + it + " alone"
	case address.StepAffine:
		return fmt.Sprintf("%s adds %v", name, m.By)
	case address.StepToggle:
		return fmt.Sprintf("%s flips the bits %v", name, m.By)
	case address.StepAlternate:
		return name + " goes to and fro between two"
	case address.StepWrap:
		return fmt.Sprintf("%s adds %v, and begins again after %d times", name, m.By, m.Period)
	default:
		return name + " computes it anew"
	}
}

// annotate adds the notes for the author.
func (k *Kernel) annotate(u *Use, a *transfer, b *bench) {
	add := func(kind NoteKind, repair, format string, args ...any) {
		u.Notes = append(u.Notes, Note{kind, fmt.Sprintf(format, args...), repair})
	}
	r := a.sides[0].in
	c := u.Cost
	if c.Wavefronts > c.Ideal {
		add(NoteConflict, b.repair(r), "%d wavefronts, %d without conflicts: %d ways", c.Wavefronts, c.Ideal, c.Ways)
	} else if plain, ok := b.plain(r, a); ok && plain > 1 {
		add(NoteSwizzle, "", "free of conflicts; without the swizzle it would have %d ways", plain)
	}
	if c.Sectors > c.Fewest && a.engine != nil {
		add(NoteWaste, "let both addresses be the same modulo 32 bytes", "%d sectors for %d bytes, which fit %d", c.Sectors,
			c.Bulk, c.Fewest)
	} else if c.Sectors > c.Fewest {
		add(NoteWaste, b.spread(a), "%d sectors for %d bytes, which fit %d", c.Sectors, c.Bytes, c.Fewest)
	} else if u.Odd.Sectors > u.Odd.Fewest && u.Odd.Requests > 0 {
		add(NoteAlign, "", "%d sectors instead of %d where rows begin elsewhere", u.Odd.Sectors, c.Sectors)
	}
	if o := a.narrow; o != nil && a.bytes < 16 && (a.op.Name() == "ld" || a.op.Name() == "st") {
		why, repair := o.why()
		add(NoteNarrow, repair, "%d bytes a lane: %s", a.bytes, why)
	}
}

// Warnings returns all notes about lost time, from all uses.
func (r Report) Warnings() []Note {
	var out []Note
	for _, u := range r.Uses {
		for _, n := range u.Notes {
			if n.Kind == NoteConflict || n.Kind == NoteWaste && n.Repair != "" {
				out = append(out, n)
			}
		}
	}
	return out
}

// String returns the report as text.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d threads, %d bytes of shared memory\n", r.Kernel, r.Threads, r.Shared)
	var values []string
	for name, x := range r.Values {
		values = append(values, fmt.Sprintf("%s=%d", name, x))
	}
	slices.Sort(values)
	if len(values) > 0 {
		fmt.Fprintf(&b, "counted for one block and one iteration, with %s\n", strings.Join(values, ", "))
	}
	if r.Total != nil {
		fmt.Fprintf(&b, "launch of %s blocks: %s\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Grid), " ", "x"), "[]"),
			r.Total.text())
	}
	for _, p := range r.Placed {
		b.WriteString(p.String() + "\n")
	}
	for _, u := range r.Uses {
		b.WriteString("\n" + u.String())
	}
	for _, c := range r.Calls {
		b.WriteString("\n" + c.String())
	}
	b.WriteString("\nrules of the algebra of addresses that changed an expression:\n")
	for _, u := range r.Rules {
		b.WriteString(u.String())
	}
	return b.String()
}

// String returns the use as lines of text.
func (u Use) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d  %s", u.File, u.Line, u.Op)
	if u.Atom != "" {
		b.WriteString("  " + u.Atom)
	}
	fmt.Fprintf(&b, "\n  %v %s  %s\n", u.Space, u.Tensor, u.Layout)
	if u.From != "" {
		fmt.Fprintf(&b, "  from %s  %s\n", u.From, u.Source)
	}
	fmt.Fprintf(&b, "  %s\n", u.cost())
	if u.Launch != nil {
		fmt.Fprintf(&b, "  launch: %s\n", u.Launch.text())
	}
	fmt.Fprintf(&b, "  at %s", u.Address)
	if u.Box != "" {
		fmt.Fprintf(&b, ", box at %s", u.Box)
	}
	b.WriteString("\n")
	if u.Motion != "" {
		fmt.Fprintf(&b, "  %s\n", u.Motion)
	}
	for _, n := range u.Notes {
		fmt.Fprintf(&b, "  %s: %s\n", n.Kind, n.Text)
		if n.Repair != "" {
			fmt.Fprintf(&b, "    %s\n", n.Repair)
		}
	}
	return b.String()
}

// cost returns the numbers of a use as text.
func (u Use) cost() string {
	each := "a lane"
	if u.Cost.Bulk > 0 {
		each = "a copy"
	}
	parts := []string{fmt.Sprintf("%d x %d bytes %s", u.Count, u.Lane, each), fmt.Sprintf("%d requests", u.Cost.Requests)}
	if u.Cost.Sectors > 0 {
		parts = append(parts, fmt.Sprintf("%d sectors", u.Cost.Sectors))
	}
	if u.Cost.Wavefronts > 0 {
		parts = append(parts, fmt.Sprintf("%d wavefronts", u.Cost.Wavefronts))
	}
	if u.Loops > 0 {
		parts = append(parts, fmt.Sprintf("loop %d", u.Loops))
	}
	return strings.Join(parts, ", ")
}

// isMatrix reports whether an instruction is ldmatrix or stmatrix.
func isMatrix(op ptx.Op) bool { return op.Name() == "ldmatrix" || op.Name() == "stmatrix" }
