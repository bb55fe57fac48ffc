package sim

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/ptx"
)

// flow says where execution may continue after an instruction, apart from the next instruction.
type flow struct {
	to   []*int
	stop bool // lanes that execute the instruction never reach the next one
}

func branchRow(name string) row {
	switch name {
	case "bra":
		return (*decoder).bra
	case "brx":
		return (*decoder).brx
	case "call":
		return (*decoder).call
	case "ret", "exit":
		return (*decoder).ret
	case "trap", "brkpt":
		return func(*decoder, *opcode) (step, error) {
			return func(w *warp, mask uint32) status {
				return w.fail(KindTrap, mask, "%s in lanes 0x%08x", name, mask)
			}, nil
		}
	}
	return nil
}

// label returns the index of the instruction after a label. The index is set when the whole function has been read.
func (d *decoder) label(o ptx.Operand) (*int, error) {
	name, _ := o.(ptx.Name)
	for s := d.scope; s != nil; s = s.up {
		if at := s.labels[name]; at != nil {
			return at, nil
		}
	}
	return nil, fmt.Errorf("operand %s: expected a label", o)
}

func (d *decoder) bra(o *opcode) (step, error) {
	o.skip("uni")
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	at, err := d.label(o.Operands[0])
	if err != nil {
		return nil, err
	}
	d.flows[d.self] = flow{[]*int{at}, o.Pred == ""}
	return func(w *warp, mask uint32) status {
		if mask == w.p.mask {
			w.p.pc = *at
			return jumped
		}
		return w.split(mask, *at, w.p.pc+1)
	}, nil
}

// brx reads a branch by an index into a list of labels.
func (d *decoder) brx(o *opcode) (step, error) {
	o.skip("uni", "idx")
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	index, err := d.src(o.Operands[0], ptx.U32)
	if err != nil {
		return nil, err
	}
	name, _ := o.Operands[1].(ptx.Name)
	sym := d.lookup(name)
	if sym == nil || sym.kind != symTargets {
		return nil, fmt.Errorf("operand %s: expected a list of targets", o.Operands[1])
	}
	to, err := d.targets(sym)
	if err != nil {
		return nil, err
	}
	if d.edges += len(to); d.edges > maxEdges {
		return nil, fmt.Errorf("the branches of %s have more than %d targets", d.name, maxEdges)
	}
	d.flows[d.self] = flow{to, o.Pred == ""}
	return func(w *warp, mask uint32) status {
		if miss := mask &^ w.f.def[index]; miss != 0 {
			return w.failUndefined(miss, index)
		}
		// The lanes of each target leave the path. Lanes outside mask continue at the next instruction.
		for left := mask; left != 0; {
			lane := bits.TrailingZeros32(left)
			v := w.f.regs[index][lane]
			same := uint32(0)
			for m := left; m != 0; m &= m - 1 {
				if i := bits.TrailingZeros32(m); w.f.regs[index][i] == v {
					same |= 1 << i
				}
			}
			if v >= uint64(len(to)) {
				return w.fail(KindArgument, same, "index %d into %d targets", v, len(to))
			}
			left &^= same
			if same == w.p.mask {
				w.p.pc = *to[v]
				return jumped
			}
			at := w.p.pc
			w.split(same, *to[v], at)
			if left == 0 {
				w.p.pc = at + 1
			}
		}
		return jumped
	}, nil
}

// maxEdges limits the targets of a function's indexed branches: each target adds an edge to the function's graph.
const maxEdges = 1 << 20

// targets returns the places of the labels in a list. Every call for a list returns the same slice.
func (d *decoder) targets(sym *symbol) ([]*int, error) {
	for _, l := range sym.list[len(sym.to):] {
		at, err := d.label(l)
		if err != nil {
			return nil, err
		}
		sym.to = append(sym.to, at)
	}
	return sym.to, nil
}

// ret reads ret and exit. ret ends a function; in a kernel it ends threads, as exit does everywhere.
func (d *decoder) ret(o *opcode) (step, error) {
	o.skip("uni")
	if err := o.need(0, 0); err != nil {
		return nil, err
	}
	if o.name == "exit" || d.decl.Entry {
		// There is no edge: these lanes leave all joins, and the other lanes may meet after the instruction.
		return func(w *warp, mask uint32) status { return w.exit(mask) }, nil
	}
	last := new(int)
	*last = -1
	d.flows[d.self] = flow{[]*int{last}, o.Pred == ""}
	return func(w *warp, mask uint32) status {
		end := len(w.f.fn.code) - 1
		if mask == w.p.mask {
			w.p.pc = end
			return jumped
		}
		return w.split(mask, end, w.p.pc+1)
	}, nil
}

// call reads a call (PTX ISA 9.7.12.5): the returned values, the function, its arguments and, if the address of the
// function is in a register, the functions that the call may reach.
func (d *decoder) call(o *opcode) (step, error) {
	o.skip("uni")
	ops := operands(o.Operands)
	var returns, args ptx.Args
	if len(ops) > 0 {
		if list, ok := ops[0].(ptx.Args); ok {
			returns = list
			ops.next()
		}
	}
	if len(ops) == 0 {
		return nil, fmt.Errorf("a call without a function")
	}
	name, _ := ops.next().(ptx.Name)
	if len(ops) > 0 {
		list, ok := ops[0].(ptx.Args)
		switch {
		case ok:
			args = list
			ops.next()
		case d.lookup(name) == nil:
			return nil, fmt.Errorf("operand %s: expected arguments", ops[0])
		}
	}
	decl, _ := d.program.find(name)
	indirect := false
	if s := d.lookup(name); s != nil && s.kind == symReg {
		indirect, decl = true, d.calleeDeclaration(ops.next())
	}
	site, err := d.site(returns, args, decl)
	switch {
	case err != nil:
		return nil, err
	case indirect:
		slot, err := d.nameSlot(name)
		return d.callIndirect(site, slot), err
	case decl != nil:
		fn := d.kernel.function(decl)
		return func(w *warp, mask uint32) status { return w.call(fn, site, mask) }, nil
	}
	if b := builtin(string(name)); b != nil {
		return b(d, site)
	}
	return nil, fmt.Errorf("the function %s has no body in this module", name)
}

// calleeDeclaration returns a declaration with the parameters of the functions that an indirect call may reach, or nil
// if they are not known. o is a prototype, a list of targets or an array of functions.
func (d *decoder) calleeDeclaration(o ptx.Operand) *ptx.Func {
	name, _ := o.(ptx.Name)
	s := d.lookup(name)
	if s == nil {
		return nil
	}
	list := s.list
	switch {
	case s.proto != nil:
		return &ptx.Func{Params: s.proto.Params, Returns: s.proto.Returns}
	case s.kind == symVar:
		if table, ok := s.v.Init.(ptx.Vec); ok && len(table) > 0 {
			first, _ := table[0].(ptx.Name)
			list = []ptx.Name{first}
		}
	}
	if len(list) == 0 {
		return nil
	}
	decl, _ := d.program.find(list[0])
	return decl
}

// callIndirect calls the functions whose addresses are in a register. Lanes with the same address call the function
// together.
func (d *decoder) callIndirect(site *callSite, slot int) step {
	targets := d.kernel.callable()
	return func(w *warp, mask uint32) status {
		if miss := mask &^ w.f.def[slot]; miss != 0 {
			return w.failUndefined(miss, slot)
		}
		v := w.f.regs[slot][bits.TrailingZeros32(mask)]
		same := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); w.f.regs[slot][i] == v {
				same |= 1 << i
			}
		}
		i := (v - functionBase) / 16
		if v < functionBase || i >= uint64(len(targets)) || v%16 != 0 || targets[i] == nil {
			return w.fail(KindCall, same, "0x%x is not the address of a function of this module", v)
		}
		if same != mask {
			// The other lanes stay here, and execute the call when these lanes have returned. All lanes meet after the
			// call.
			w.splitCall(same)
		}
		return w.call(targets[i], site, same)
	}
}

// callable returns the functions that a call by address may reach, by number, with nil for kernels. The first call of
// callable reads all functions.
func (k *kernel) callable() []*function {
	if k.targets == nil {
		k.targets = make([]*function, len(k.program.funcs))
		for i, f := range k.program.funcs {
			if !f.Entry {
				k.targets[i] = k.function(f)
			}
		}
	}
	return k.targets
}

// splitCall leaves the lanes of mask on the current path, and puts the other lanes on a new path at the same place.
func (w *warp) splitCall(mask uint32) {
	p := w.p
	w.joinAt(p.pc + 1)
	w.paths = append(w.paths, &path{mask: p.mask &^ mask, pc: p.pc, frame: p.frame, join: p.join})
	p.mask = mask
}

// joinAt makes the lanes of the current path meet at pc, unless they already do.
func (w *warp) joinAt(pc int) *join {
	p := w.p
	if p.join == nil || p.join.frame != p.frame || p.join.pc != pc {
		p.join = &join{frame: p.frame, pc: pc, expect: p.mask, up: p.join}
	}
	return p.join
}

// call makes the lanes of mask of the current path go on in fn.
func (w *warp) call(fn *function, site *callSite, mask uint32) status {
	if len(site.args) != len(fn.params) || len(site.returns) != len(fn.returns) {
		return w.fail(KindCall, mask, "%s takes %d arguments and returns %d values; the call has %d and %d",
			fn.name, len(fn.params), len(fn.returns), len(site.args), len(site.returns))
	}
	for _, x := range [...]struct {
		what   string
		given  []parcel
		wanted []binding
	}{{"argument", site.args, fn.params}, {"returned value", site.returns, fn.returns}} {
		for i, a := range x.given {
			if b := x.wanted[i]; !a.fits(b.parcel) {
				return w.fail(KindCall, mask, "%s %d of the call is %v, and %s of %s is %v",
					x.what, i+1, a, b.decl.Name, fn.name, b.parcel)
			}
		}
	}
	p, f := w.p, w.f
	if f.depth+1 >= maxCall || (f.depth+1)*len(fn.slots) > maxStack {
		return w.fail(KindCall, mask, "%d calls within each other", f.depth+1)
	}
	base := uint64(up(int64(f.local)+f.fn.local, 128))
	if base+uint64(fn.local) > MaxLocal {
		return w.fail(KindCall, mask, "the stack of a thread takes %d bytes, and may take %d",
			base+uint64(fn.local), MaxLocal)
	}
	if rest := p.mask &^ mask; rest != 0 { // the instruction is guarded: the other lanes wait after the call
		w.joinAt(p.pc + 1).here |= rest
		p.mask = mask
	}
	if flag := f.fn.flag; flag >= 0 { // a call does not preserve the condition code (PTX ISA 9.7.2)
		f.def[flag] &^= mask
	}
	g := w.newFrame(fn, base, mask)
	g.up, g.back, g.site, g.depth = f, p.pc+1, site, f.depth+1
	for i, a := range site.args {
		w.pass(handover{f, g, a, fn.params[i].parcel}, mask)
	}
	p.join = &join{frame: g, pc: len(fn.code) - 1, expect: mask, up: p.join}
	p.frame, p.pc, w.f = g, 0, g
	return jumped
}

// returnStep is the last instruction of each function, where all lanes of the call meet again.
func returnStep(w *warp, mask uint32) status {
	p, g := w.p, w.f
	fn := g.fn
	for i, r := range g.site.returns {
		w.pass(handover{g, g.up, fn.returns[i].parcel, r}, mask)
	}
	p.frame, p.pc, w.f = g.up, g.back, g.up
	if mask == g.lanes { // all lanes of the call are here
		w.spare = append(w.spare, g)
	}
	return jumped
}

// reconverge finds for each branch the first instruction that every path from the branch to the end passes: its
// immediate postdominator. An exit does not end a path, since no lane waits for lanes that exit: in the graph the next
// instruction follows it. The algorithm for postdominators is by Cooper, Harvey and Kennedy, on basic blocks.
func (f *function) reconverge(flows map[int]flow) {
	n := len(f.code)
	for i, fl := range flows {
		for k, at := range fl.to {
			if *at < 0 {
				fl.to[k] = ptr(n - 1)
			}
		}
		flows[i] = fl
	}
	g := newBlocks(n, flows)
	idom := postdominators(g.edges(flows))
	for i, fl := range flows {
		if len(fl.to) == 0 {
			continue
		}
		if d := idom[g.of[i]]; d >= 0 && !f.ends(g.first[d]) {
			f.code[i].join = int32(g.first[d])
		}
	}
}

// blocks are the basic blocks of a function: block b contains the instructions from first[b] to first[b+1]-1.
type blocks struct {
	first []int
	of    []int // by instruction: its block
}

// newBlocks splits n instructions after each flow, and before the target of each flow.
func newBlocks(n int, flows map[int]flow) blocks {
	leader := make([]bool, n+1)
	leader[0], leader[n-1], leader[n] = true, true, true
	for i, fl := range flows {
		leader[i+1] = true
		for _, at := range fl.to {
			leader[*at] = true
		}
	}
	g := blocks{of: make([]int, n)}
	for i := range n {
		if leader[i] {
			g.first = append(g.first, i)
		}
		g.of[i] = len(g.first) - 1
	}
	return g
}

// edges returns the blocks that may follow each block, and the blocks that may precede each block.
func (g blocks) edges(flows map[int]flow) (next, prev [][]int) {
	nb := len(g.first)
	next, prev = make([][]int, nb), make([][]int, nb)
	for b := range nb {
		last := len(g.of) - 1
		if b+1 < nb {
			last = g.first[b+1] - 1
		}
		fl := flows[last]
		if !fl.stop && b+1 < nb {
			next[b] = append(next[b], b+1)
		}
		for _, at := range fl.to {
			if to := g.of[*at]; !slices.Contains(next[b], to) {
				next[b] = append(next[b], to)
			}
		}
		for _, to := range next[b] {
			prev[to] = append(prev[to], b)
		}
	}
	return next, prev
}

// ends reports whether the threads that reach instruction i end there. Such threads do not wait for other threads,
// which may be at a barrier that completes only when the ending threads have exited.
func (f *function) ends(i int) bool {
	if !f.decl.Entry {
		return false
	}
	in := &f.code[i]
	return in.src == nil || in.guard < 0 && (in.src.Op.Name() == "ret" || in.src.Op.Name() == "exit")
}

func ptr(i int) *int { return &i }

// postdominators returns for each block its immediate postdominator, or -1 if no path leads to the last block.
func postdominators(next, prev [][]int) []int {
	n := len(next)
	end := n - 1
	// order lists the blocks in postorder of the reversed graph, starting from the end.
	number := make([]int, n) // 0 for blocks that are not reached
	var order []int
	type visit struct{ b, i int }
	stack := []visit{{end, 0}}
	seen := make([]bool, n)
	seen[end] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.i < len(prev[top.b]) {
			p := prev[top.b][top.i]
			top.i++
			if !seen[p] {
				seen[p] = true
				stack = append(stack, visit{p, 0})
			}
			continue
		}
		order = append(order, top.b)
		number[top.b] = len(order)
		stack = stack[:len(stack)-1]
	}
	idom := make([]int, n)
	for i := range idom {
		idom[i] = -1
	}
	idom[end] = end
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			b, best := order[i], -1
			for _, s := range next[b] {
				if idom[s] < 0 {
					continue
				}
				if best < 0 {
					best = s
					continue
				}
				for a := s; a != best; {
					for number[a] < number[best] {
						a = idom[a]
					}
					for number[best] < number[a] {
						best = idom[best]
					}
				}
			}
			if best != idom[b] {
				idom[b], changed = best, true
			}
		}
	}
	idom[end] = -1
	return idom
}
