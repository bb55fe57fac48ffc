package outcomes

import (
	"slices"
	"strings"

	"girih/internal/machine/litmus"
	"girih/ptx"
)

// fuel is how often a thread takes a branch back, or asks an mbarrier, before it gives up.
const fuel = 1 << 12

// A role is a thread of the test while its instructions are written.
type role struct {
	*writer
	thread int
	regs   []ptx.Name
	labels []ptx.Name // by instruction
	end    ptx.Name
	fuel   ptx.Name
	stuck  ptx.Name // 1 if the thread gave up
	meets  int      // the number of barriers of the cluster so far
	to     map[int]address
	copies []int // the mbarriers at which copies of this thread complete
}

// test writes the part of a round in which threads run the test, and other threads disturb them.
//
// The branches to the threads are nested, and meet after the last one. Otherwise lanes of a warp that run one thread
// could wait, before they begin, for lanes that run another thread.
func (w *writer) test() { w.either(0) }

// either writes the threads from i on.
func (w *writer) either(i int) {
	if i == len(w.p.Test.Threads) {
		w.If(w.Let(ptx.Pred, "setp.eq.u32", w.code, ptx.Int(0xffffffff)), func() {
			w.disturb()
			w.meet(w.p.meets)
		})
		return
	}
	w.IfElse(w.is(i), func() { w.thread(i) }, func() { w.either(i + 1) })
}

// meet takes part in n barriers of the cluster, for threads that have fewer than others.
func (w *writer) meet(n int) {
	for range n {
		w.Emit("barrier.cluster.arrive")
		w.Emit("barrier.cluster.wait")
	}
}

// disturb reads and writes memory of its own.
func (w *writer) disturb() {
	x := w.draw(9, w.global)
	w.For(ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: w.u32("stress"), Step: 1}, func(i ptx.Name) {
		at := w.Let(ptx.U32, "and.b32", x, ptx.Int(ScratchBytes-4))
		a := ptx.Addr{Base: w.Let(ptx.U64, "cvt.u64.u32", at)}
		w.Emit("add.u64", a.Base, a.Base, w.param["scratch"])
		w.Emit("st.volatile.global.u32", a, w.Let(ptx.U32, "ld.volatile.global.u32", a))
		w.Emit("mov.b32", x, w.mix(w.Let(ptx.U32, "add.u32", x, i)))
	})
}

// thread writes thread i of the test.
func (w *writer) thread(i int) {
	th := &w.p.Test.Threads[i]
	r := &role{writer: w, thread: i, end: w.Label(), to: map[int]address{}}
	r.fuel, r.stuck = r.number(fuel), r.number(0)
	for loc, list := range w.p.uses() {
		if slices.ContainsFunc(list, func(u use) bool { return u.thread == i }) {
			r.to[loc] = w.address(loc, w.p.seats[i].block)
		}
	}
	for k := range th.Registers {
		r.regs = append(r.regs, r.Let(ptx.B64, "mov.b64", ptx.Int(th.Start[k])))
	}
	for range len(th.Code) + 1 {
		r.labels = append(r.labels, w.Label())
	}
	r.preload()
	r.wait()
	for k := range th.Code {
		r.Mark(r.labels[k])
		r.instruction(k, &th.Code[k])
	}
	r.Mark(r.labels[len(th.Code)])
	r.Mark(r.end)
	r.end = w.Label()
	r.drain()
	r.Mark(r.end)
	w.meet(w.p.meets - r.meets)
	for word, v := range w.p.Variables {
		if v.Thread == i {
			r.Emit("st.weak.global.b64", w.result(word), r.regs[v.Register])
		}
	}
	r.Emit("st.weak.global.b64", w.result(len(w.p.Variables)+i), r.Let(ptx.U64, "cvt.u64.u32", r.stuck))
}

// preload reads some of the locations of global memory that the thread accesses, so that their first values are in its
// cache. The sum is stored if it is a number that it never is, so that the compiler keeps the reads.
func (r *role) preload() {
	sum := r.Let(ptx.B64, "mov.b64", ptx.Int(0))
	for loc := range r.p.cells {
		a, ok := r.to[loc]
		if !ok || r.p.cells[loc].shared {
			continue
		}
		bits := r.Let(ptx.U32, "and.b32", r.draw(10+int64(loc), r.global), r.u32("preload"))
		r.If(r.Let(ptx.Pred, "setp.ne.u32", bits, ptx.Int(0)), func() {
			r.Emit("xor.b64", sum, sum, r.Let(ptx.B64, "ld.weak.global.b64", a.Addr))
		})
	}
	never := r.Let(ptx.Pred, "setp.eq.u64", sum, r.param["scratch"])
	r.EmitIf(never, "st.weak.global.b64", ptx.Addr{Base: r.param["scratch"]}, sum)
}

// wait waits for a random number of clocks.
func (r *role) wait() {
	who := r.Let(ptx.U32, "and.b32", r.global, r.u32("apart"))
	clocks := r.Let(ptx.U32, "and.b32", r.draw(50, who), r.u32("delay"))
	from := r.Let(ptx.U32, "mov.u32", ptx.Name("%clock"))
	r.While(func() ptx.Operand {
		now := r.Let(ptx.U32, "mov.u32", ptx.Name("%clock"))
		return r.Let(ptx.Pred, "setp.lt.u32", r.Let(ptx.U32, "sub.u32", now, from), clocks)
	}, func() {})
}

// drain waits for the copies of the thread.
func (r *role) drain() {
	code := r.p.Test.Threads[r.thread].Code
	has := func(bulk bool) bool {
		return slices.ContainsFunc(code, func(ins litmus.Instruction) bool {
			return ins.Op == litmus.Copy && ins.Bulk == bulk && len(ins.Parts) <= 3
		})
	}
	if has(true) {
		r.Emit("cp.async.bulk.commit_group")
		r.Emit("cp.async.bulk.wait_group", ptx.Int(0))
	}
	if has(false) {
		r.Emit("cp.async.wait_all")
	}
	for _, loc := range r.copies {
		r.await(r.to[loc].op("mbarrier.try_wait.parity~.b64"), r.to[loc])
	}
}

// await asks an mbarrier until its first phase is complete, or gives up.
func (r *role) await(op ptx.Op, m address) {
	r.While(func() ptx.Operand {
		return ptx.Not(r.Let(ptx.Pred, op, m.Addr, ptx.Int(0), ptx.Int(1000)))
	}, r.burn)
}

// burn counts down the fuel, and gives up without it. A launch whose parameter is 0 never gives up.
func (r *role) burn() {
	r.Emit("sub.u32", r.fuel, r.fuel, r.u32("burn"))
	r.If(r.Let(ptx.Pred, "setp.eq.u32", r.fuel, ptx.Int(0)), func() {
		r.Emit("mov.u32", r.stuck, ptx.Int(1))
		r.Emit("mov.u32", r.fuel, ptx.Int(1))
		r.Emit("bra", r.end)
	})
}

// operand returns a register with an operand.
func (r *role) operand(o litmus.Operand) ptx.Operand {
	if o.Register >= 0 {
		return r.regs[o.Register]
	}
	return ptx.Int(o.Value)
}

// value returns an operand in a register.
func (r *role) value(o litmus.Operand) ptx.Name { return r.Let(ptx.B64, "mov.b64", r.operand(o)) }

// instruction writes an instruction.
func (r *role) instruction(k int, ins *litmus.Instruction) {
	switch ins.Op {
	case litmus.Load, litmus.Store, litmus.Atomic, litmus.Reduce:
		r.access(ins)
	case litmus.Fence, litmus.Proxy:
		r.Emit(fenceOp(ins))
	case litmus.Barrier:
		r.bar(ins)
	case litmus.Copy:
		r.copy(ins)
	case litmus.Commit:
		r.Emit(copyOp(ins, ".commit_group"))
	case litmus.Wait:
		r.waitFor(ins)
	case litmus.Local:
		r.local(ins)
	case litmus.Branch:
		r.branch(k, ins)
	}
}

// copyOp returns an opcode of asynchronous copies.
func copyOp(ins *litmus.Instruction, suffix string) ptx.Op {
	if ins.Bulk {
		return ptx.Op("cp.async.bulk" + suffix)
	}
	return ptx.Op("cp.async" + suffix)
}

func (r *role) waitFor(ins *litmus.Instruction) {
	switch {
	case ins.A.Value < 0:
		r.Emit(copyOp(ins, ".wait_all"))
	case ins.Reads:
		r.Emit(copyOp(ins, ".wait_group.read"), ptx.Int(ins.A.Value))
	default:
		r.Emit(copyOp(ins, ".wait_group"), ptx.Int(ins.A.Value))
	}
}

// strength returns the modifiers of an access or fence: ".acquire.gpu". What the test writes as .volatile stays so.
func strength(ins *litmus.Instruction) string {
	opcode, _, _ := strings.Cut(ins.Text, " ")
	switch {
	case strings.Contains(opcode, ".volatile"):
		return ".volatile"
	case ins.Scope == litmus.Own:
		return "." + string(ins.Sem)
	}
	return "." + string(ins.Sem) + "." + ins.Scope.String()
}

// fenceOp returns the opcode of a fence.
func fenceOp(ins *litmus.Instruction) ptx.Op {
	switch {
	case ins.Op == litmus.Proxy:
		return ptx.Op("fence.proxy." + ins.Proxy)
	case strings.HasPrefix(ins.Text, "membar") && ins.Scope != litmus.Cluster:
		return ptx.Op("membar." + map[litmus.Scope]string{litmus.CTA: "cta", litmus.GPU: "gl", litmus.System: "sys"}[ins.Scope])
	}
	return ptx.Op("fence" + strength(ins))
}

// access writes an access to memory, or to an mbarrier.
func (r *role) access(ins *litmus.Instruction) {
	a := r.to[ins.Loc]
	if isMbarrier(ins) {
		r.mbarrier(ins, a)
		return
	}
	sem := strength(ins)
	switch ins.Op {
	case litmus.Load:
		r.Emit(a.op("ld"+sem+"~.b64"), r.regs[ins.Dst], a.Addr)
	case litmus.Store:
		r.Emit(a.op("st"+sem+"~.b64"), a.Addr, r.value(ins.A))
	case litmus.Reduce:
		r.Emit(a.op("red"+sem+"~."+mathType(ins.Math)), a.Addr, r.value(ins.A))
	case litmus.Atomic:
		operands := []ptx.Operand{r.regs[ins.Dst], a.Addr, r.value(ins.A)}
		if ins.Math == "cas" {
			operands = append(operands, r.value(ins.B))
		}
		r.Emit(a.op("atom"+sem+"~."+mathType(ins.Math)), operands...)
	}
}

// mathType returns an operation with the type that PTX gives it: "add.u64".
func mathType(m litmus.Math) string {
	switch m {
	case "add":
		return "add.u64"
	case "min", "max":
		return string(m) + ".s64"
	}
	return string(m) + ".b64"
}

// mbarrier writes an arrival or a wait. The semantics are written if they are not the default ones.
func (r *role) mbarrier(ins *litmus.Instruction, a address) {
	sem := strength(ins)
	if sem == ".release.cta" || sem == ".acquire.cta" {
		sem = ""
	}
	if ins.Op == litmus.Reduce {
		r.Emit(a.op("mbarrier.arrive"+sem+"~.b64"), ptx.Sink, a.Addr)
		return
	}
	r.await(a.op("mbarrier.try_wait.parity"+sem+"~.b64"), a)
}

// bar writes a barrier. The threads of a test that meet there are warps, each of 32 instances, or lanes of a warp.
func (r *role) bar(ins *litmus.Instruction) {
	m := ins.Bar
	switch {
	case m.Scope == litmus.Cluster:
		op := "barrier.cluster.arrive"
		if !m.Arrives {
			op, r.meets = "barrier.cluster.wait", r.meets+1
		}
		if m.Arrives && !m.Releases {
			op += ".relaxed"
		}
		r.Emit(ptx.Op(op))
	case r.p.Form.Lanes:
		shift := r.Let(ptx.U32, "mul.lo.u32", r.set, ptx.Int(r.p.Members))
		mask := r.Let(ptx.B32, "shl.b32", r.number(r.p.partners(r.thread, ins, func(seat) {})), shift)
		r.Emit("bar.warp.sync", mask)
	default:
		n := int64(0)
		r.p.partners(r.thread, ins, func(seat) { n += 32 })
		key := slices.Index(r.p.keys, m.Instance)
		id := r.Let(ptx.U32, "mad.lo.u32", r.slot, ptx.Int(len(r.p.keys)), ptx.Int(1+key))
		op := ptx.Op("barrier.arrive")
		if m.Waits {
			op = "barrier.sync"
		}
		r.Emit(op, id, ptx.Int(n))
	}
}

// copy writes an asynchronous copy of 16 bytes.
func (r *role) copy(ins *litmus.Instruction) {
	from, to := r.to[ins.Parts[0].Loc], r.to[ins.Parts[1].Loc]
	switch {
	case !ins.Bulk:
		r.Emit("cp.async.cg.shared.global", to.Addr, from.Addr, ptx.Int(16))
	case len(ins.Parts) <= 3:
		r.Emit("cp.async.bulk.global.shared::cta.bulk_group", to.Addr, from.Addr, ptx.Int(16))
	default:
		m := r.to[ins.Parts[3].Loc]
		r.Emit(m.op("mbarrier.arrive.expect_tx~.b64"), ptx.Sink, m.Addr, ptx.Int(16))
		r.Emit("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", to.Addr, from.Addr, ptx.Int(16), m.Addr)
		r.copies = append(r.copies, ins.Parts[3].Loc)
	}
}

// local writes an operation on registers.
func (r *role) local(ins *litmus.Instruction) {
	op := map[litmus.Math]ptx.Op{
		"add": "add.s64", "sub": "sub.s64", "mul": "mul.lo.s64", "div": "div.s64", "and": "and.b64", "or": "or.b64",
		"xor": "xor.b64", "min": "min.s64", "max": "max.s64",
	}[ins.Math]
	if op == "" {
		r.Emit("mov.b64", r.regs[ins.Dst], r.operand(ins.B))
		return
	}
	r.Emit(op, r.regs[ins.Dst], r.value(ins.A), r.value(ins.B))
}

// branch writes a branch. One that goes back burns fuel.
func (r *role) branch(k int, ins *litmus.Instruction) {
	jump := func() {
		if ins.Target <= k {
			r.burn()
		}
		r.Emit("bra", r.labels[ins.Target])
	}
	if ins.Math == "goto" {
		jump()
		return
	}
	r.If(r.Let(ptx.Pred, ptx.Op("setp."+string(ins.Math)+".s64"), r.value(ins.A), r.value(ins.B)), jump)
}
