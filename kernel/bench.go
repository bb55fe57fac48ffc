package kernel

import (
	"errors"
	"fmt"
	"math/bits"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"
)

// A bench tries other layouts for the tensors of a kernel in shared memory.
type bench struct {
	k       *Kernel
	groups  [][]*transfer
	values  map[string]int64
	repairs map[*root]string
}

// A table says which element of a tile each thread accesses, as package banks expects threads: (thread,value) to index.
type table struct {
	threads, values int64
	index           []int64
}

// AppendOffsets appends the indices.
func (t table) AppendOffsets(dst []int64) ([]int64, error) { return append(dst, t.index...), nil }

// Shape returns (threads,values).
func (t table) Shape() cute.Tuple { return cute.Ints(t.threads, t.values) }

// Size returns the number of threads times the number of values.
func (t table) Size() int64 { return int64(len(t.index)) }

// HasBasis returns false: indices are integers.
func (t table) HasBasis() bool { return false }

// String describes the table in messages.
func (t table) String() string { return "the addresses of the kernel" }

// plan returns how the accesses of one use hit the banks of a tile in shared memory. It returns false for asynchronous
// accesses, and for accesses that only some threads execute.
func (b *bench) plan(r *root, g []*transfer) (*banks.Plan, bool) {
	if !b.plannable(r, g[0]) {
		return nil, false
	}
	rule, err := rule(g[0])
	if err != nil {
		return nil, false
	}
	t, ok := b.table(r, g)
	if !ok {
		return nil, false
	}
	p, err := banks.NewPlan(rule, r.outer.Layout(), r.bits(), banks.TV(t))
	return p, err == nil
}

// plannable reports whether accesses like a, to a tile in shared memory, are made by whole warps.
func (b *bench) plannable(r *root, a *transfer) bool {
	return r.space == Shared && !r.fine() && len(a.sides) == 1 && b.k.Threads%WarpSize == 0 &&
		(!isMatrix(a.op) || a.op.Has("x4"))
}

// table returns the elements that each thread accesses. It returns false unless all lanes of all warps execute all
// accesses.
func (b *bench) table(r *root, g []*transfer) (table, bool) {
	offsets, err := r.outer.AppendOffsets(nil)
	if err != nil {
		return table{}, false
	}
	index := make(map[int64]int64, len(offsets))
	for i, x := range offsets {
		index[x] = int64(i)
	}
	each := int64(g[0].bytes) / r.step()
	t := table{threads: b.k.Threads, values: each * int64(len(g))}
	t.index = make([]int64, t.threads*t.values)
	w := b.k.walker(b.values)
	w.trips, w.budget = 1, MaxPlanned
	w.block([3]int64{})
	first := w.eval(r.pointer, 0)
	whole := true
	for i, a := range g {
		warp := int64(0)
		w.warps(a, func(mask uint32) {
			whole = whole && mask == 1<<WarpSize-1
			for lane, x := range w.addresses(a.sides[0].x, mask) {
				for j := range each {
					e, ok := index[(x-first)/r.step()+j]
					whole = whole && ok
					t.index[warp*WarpSize+int64(lane)+t.threads*(int64(i)*each+j)] = e
				}
			}
			if warp++; warp > t.threads/WarpSize {
				whole = false
			}
		})
		whole = whole && warp == t.threads/WarpSize
	}
	return t, whole && w.err == nil
}

// plain returns the bank conflict degree that accesses like a would have if their tile were not swizzled.
func (b *bench) plain(r *root, a *transfer) (ways int, ok bool) {
	if r.outer.Outer() == nil {
		return 0, false
	}
	p, ok := b.plan(r, []*transfer{a})
	if !ok {
		return 0, false
	}
	c, err := p.Count(nil)
	return c.Degree, err == nil
}

// maxAsked limits how often the search for a swizzle may continue.
const maxAsked = 1 << 14

// repair returns a layout of the tile that avoids all bank conflicts, or the reason why there is no such layout.
func (b *bench) repair(r *root) string {
	if text, ok := b.repairs[r]; ok {
		return text
	}
	if b.repairs == nil {
		b.repairs = map[*root]string{}
	}
	engines, together := b.users(r)
	if engines != "" {
		m := bits.Len(uint(128/r.bits())) - 1
		b.repairs[r] = fmt.Sprintf("%s %s too: take a layout that they have, with Sw<1,%d,3>, Sw<2,%d,3> or Sw<3,%d,3>",
			engines, r.name, m, m, m)
		return b.repairs[r]
	}
	problem := swizzle.Problem{Layout: r.outer.Layout(), ElemBits: r.bits()}
	asked := 0
	problem.Stop = func() error {
		if asked++; asked > maxAsked {
			return errors.New("the search is long")
		}
		return nil
	}
	for _, g := range b.groups {
		if g[0].sides[0].in != r {
			continue
		}
		if p, ok := b.plan(r, g); ok {
			problem.Accesses = append(problem.Accesses, swizzle.Access{Name: string(g[0].op), Plan: p})
		}
	}
	b.repairs[r] = describeSolution(problem, together)
	return b.repairs[r]
}

// users returns what reads or writes a tensor in addition to the accesses that [bench.repair] solves for: the engines
// that know few layouts, as text, and the number of elements that other accesses need to be neighbours.
func (b *bench) users(r *root) (engines string, together int64) {
	together = 1
	if r.wgmma {
		engines = "wgmma reads"
	}
	for _, g := range b.groups {
		a := g[0]
		for _, s := range a.sides {
			switch {
			case s.in.space != r.space || s.in.pointer != r.pointer:
			case a.engine != nil && a.engine.box != "":
				engines = "TMA copies move"
			case a.engine != nil:
				engines = "bulk copies move"
			case s.in != r || !b.plannable(r, a):
				together = max(together, int64(a.bytes)/r.step())
			}
		}
	}
	return engines, together
}

// describeSolution describes what package swizzle finds, if it keeps a number of neighbours together.
func describeSolution(p swizzle.Problem, together int64) string {
	sol, err := swizzle.Solve(p)
	if err != nil {
		return ""
	}
	switch sol.Kind {
	case swizzle.KindSwizzle:
		for _, s := range sol.Swizzles {
			if together>>s.Swizzle.M() <= 1 {
				return fmt.Sprintf("%v o 0 o %v has no conflicts", s.Swizzle, p.Layout)
			}
		}
		return apart(together)
	case swizzle.KindMap:
		if together > 1 {
			return apart(together)
		}
		return fmt.Sprintf("only %v of the offsets of %v has no conflicts, and that is no swizzle", sol.Map, p.Layout)
	case swizzle.KindPadding:
		for _, pad := range sol.Paddings[0].Pads {
			if pad.Every%together != 0 || pad.Elements%together != 0 {
				return apart(together)
			}
		}
		return fmt.Sprintf("%v has no conflicts, and takes %d bytes more", sol.Paddings[0].Layout, sol.Paddings[0].Bytes)
	case swizzle.KindFree:
		return fmt.Sprintf("%v has no conflicts", p.Layout)
	}
	return "no swizzle and no padding frees all accesses of conflicts: give the threads other elements"
}

// apart says that what frees of conflicts separates the elements of a vector.
func apart(together int64) string {
	return fmt.Sprintf("the layouts found without conflicts separate %d neighbours that other copies move at once: "+
		"give the threads other elements", together)
}

// spread says how far apart the addresses of neighbouring lanes are.
func (b *bench) spread(a *transfer) string {
	w := b.k.walker(b.values)
	w.trips, w.budget = 1, MaxPlanned
	w.block([3]int64{})
	text := ""
	w.warps(a, func(mask uint32) {
		if text != "" || mask&3 != 3 {
			return
		}
		at := w.addresses(a.sides[len(a.sides)-1].x, 3)
		in := a.sides[0].in
		if o := a.narrow; o != nil && o.in != nil && o.in != in && at[1]-at[0] == int64(o.elements)*in.step() {
			text = fmt.Sprintf("a thread has %d neighbours, which are not neighbours in %s: copy to a fragment, and from it",
				o.elements, o.in.name)
			return
		}
		if at[1]-at[0] == int64(a.bytes) {
			text = "the bytes of neighbouring lanes are neighbours, but do not begin with a sector: let rows begin at multiples " +
				"of 32 bytes"
			return
		}
		text = fmt.Sprintf("neighbouring lanes are %d bytes apart, and have %d each: let lanes go along the mode of stride 1, or "+
			"through shared memory", at[1]-at[0], a.bytes)
	})
	return text
}
