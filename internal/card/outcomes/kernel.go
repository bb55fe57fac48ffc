package outcomes

import (
	"strings"

	"girih/internal/machine/litmus"
	"girih/ptx"
)

// Offsets of the words of Control.
const (
	arrivedAt    = 0  // the number of blocks that have arrived at the barrier of the grid since the launch
	unfinishedAt = 8  // the number of instances with a thread that did not end
	overflowAt   = 16 // the number of states for which the table had no entry
	ControlBytes = 24
)

// ScratchBytes is the size of the memory that warps without a thread of the test access.
const ScratchBytes = 1 << 22

// MaxThreads is the largest number of threads of a block.
const MaxThreads = 32 * (Warps + 4)

// parameters are the parameters of the kernels, all of 64 bits. A [Launch] has their values.
var parameters = []ptx.Name{
	"table", "memory", "results", "control", "scratch",
	"rounds", "seed", "groups", "half", "instance_step", "location_step", "mask", "scatter", "delay", "apart", "preload",
	"stress", "burn",
}

// TableBytes returns the size of the table of states.
func (p *Plan) TableBytes() int64 { return Entries * int64(16+8*len(p.Variables)) }

// words returns the number of results of an instance: its registers, and a word for each thread.
func (p *Plan) words() int { return len(p.Variables) + len(p.Test.Threads) }

// Module returns the kernel of the plan.
func (p *Plan) Module() (*ptx.Module, error) {
	m := &ptx.Module{Version: ptx.Version{Major: 7, Minor: 0}, Target: []string{"sm_70"}, AddressSize: 64}
	m.Version, m.Target[0] = p.needs()
	f, err := newWriter(p).kernel()
	if err != nil {
		return nil, err
	}
	m.Decls = []ptx.Decl{f}
	return m, nil
}

// needs returns the oldest version of PTX and architecture with the instructions of the test.
func (p *Plan) needs() (ptx.Version, string) {
	version, target := ptx.Version{Major: 7, Minor: 0}, "sm_70"
	if p.Blocks > 1 || p.async {
		version, target = ptx.Version{Major: 8, Minor: 0}, "sm_90"
	}
	for i := range p.Test.Threads {
		for _, ins := range p.Test.Threads[i].Code {
			switch {
			case ins.Op == litmus.Fence && (ins.Sem == "acquire" || ins.Sem == "release"),
				isMbarrier(&ins) && ins.Sem == "relaxed":
				return ptx.Version{Major: 9}, "sm_90"
			case isMbarrier(&ins), ins.Scope == litmus.Cluster:
				version, target = ptx.Version{Major: 8}, "sm_90"
			case ins.Op == litmus.Copy && target == "sm_70":
				target = "sm_80"
			}
		}
	}
	return version, target
}

// Kernel is the name of the kernel.
const Kernel = "litmus"

// A writer writes a kernel.
type writer struct {
	*ptx.Builder
	p     *Plan
	param map[ptx.Name]ptx.Name // the 64-bit registers of the parameters

	global, warp, lane ptx.Name // numbers: of the thread in the launch, its warp in the block, its lane
	cells              ptx.Name // the address of the cells in shared memory
	block, cluster     ptx.Name // the number of the block in its cluster, and of the cluster
	clusters           ptx.Name // the number of clusters of the launch
	first              ptx.Name // a predicate: this is the first thread of a block
	target             ptx.Name // the number of arrived blocks at which the next barrier ends

	place          // the place of the thread in this round
	base  ptx.Name // the base address of memory in this round
	bank  ptx.Name // the address of the cells of the instance in shared memory
	at    ptx.Name // the address of the instance in memory
}

func newWriter(p *Plan) *writer {
	w := &writer{Builder: ptx.NewKernel(Kernel), p: p, param: map[ptx.Name]ptx.Name{}}
	for _, name := range parameters {
		w.Param(ptx.U64, name)
	}
	w.Direct("maxntid", MaxThreads, 1, 1)
	if n := p.sharedBytes(); n > 0 {
		w.Declare(&ptx.Var{Space: ptx.Shared, Align: 128, Type: ptx.B8, Name: "cells", Dims: []int64{n}})
	}
	return w
}

// sharedBytes returns the size of the cells in shared memory, in two banks.
func (p *Plan) sharedBytes() int64 { return 2 * int64(p.perBlock()*p.inShared()) * cellBytes }

// cellBytes is the size of a location in shared memory.
const cellBytes = 16

// u32 returns the low half of a parameter.
func (w *writer) u32(name ptx.Name) ptx.Name { return w.Let(ptx.U32, "cvt.u32.u64", w.param[name]) }

// number returns a register with a constant.
func (w *writer) number(n int64) ptx.Name { return w.Let(ptx.U32, "mov.u32", ptx.Int(n)) }

// mix returns a hash of x.
func (w *writer) mix(x ptx.Operand) ptx.Name {
	h := w.Let(ptx.U32, "mov.b32", x)
	for _, step := range []struct{ shift, times int64 }{{16, 0x7feb352d}, {15, 0x846ca68b}, {16, 0}} {
		w.Emit("xor.b32", h, h, w.Let(ptx.U32, "shr.u32", h, ptx.Int(step.shift)))
		if step.times != 0 {
			w.Emit("mul.lo.u32", h, h, ptx.Int(step.times))
		}
	}
	return h
}

// draw returns a number that depends on the round, on salt, and on some registers of this thread.
func (w *writer) draw(salt int64, of ...ptx.Name) ptx.Name {
	h := w.Let(ptx.U32, "add.u32", w.random, ptx.Int(salt*0x3c6ef372&0x7fffffff))
	for _, x := range of {
		h = w.Let(ptx.U32, "mad.lo.u32", x, ptx.Int(0x9e3779b1), w.mix(h))
	}
	return w.mix(h)
}

// modulo returns x modulo a constant.
func (w *writer) modulo(x ptx.Name, n int) ptx.Name {
	if n == 1 {
		return w.number(0)
	}
	return w.Let(ptx.U32, "rem.u32", x, ptx.Int(n))
}

// kernel returns the kernel that runs the test in rounds and counts the final states.
func (w *writer) kernel() (*ptx.Func, error) {
	for _, name := range parameters {
		w.param[name] = w.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: name})
	}
	w.begin()
	rounds := w.u32("rounds")
	w.For(ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: rounds, Step: 1}, func(round ptx.Name) {
		w.random = w.mix(w.Let(ptx.U32, "mad.lo.u32", round, ptx.Int(0x9e3779b1), w.u32("seed")))
		parity := w.Let(ptx.U32, "and.b32", round, ptx.Int(1))
		w.seat()
		w.memory(parity)
		w.reset()
		w.barrier()
		w.test()
		w.barrier()
		w.count()
	})
	w.Emit("ret")
	return w.Func()
}

// begin computes where the thread is in the launch.
func (w *writer) begin() {
	tid, ctaid := w.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x")), w.Let(ptx.U32, "mov.u32", ptx.Name("%ctaid.x"))
	w.global = w.Let(ptx.U32, "mad.lo.u32", ctaid, w.Let(ptx.U32, "mov.u32", ptx.Name("%ntid.x")), tid)
	w.warp = w.Let(ptx.U32, "shr.u32", tid, ptx.Int(5))
	w.lane = w.Let(ptx.U32, "and.b32", tid, ptx.Int(31))
	w.first = w.Let(ptx.Pred, "setp.eq.u32", tid, ptx.Int(0))
	w.target = w.number(0)
	blocks := w.Let(ptx.U32, "mov.u32", ptx.Name("%nctaid.x"))
	w.block, w.cluster, w.clusters = w.number(0), ctaid, blocks
	if n := w.p.Blocks; n > 1 {
		w.block = w.Let(ptx.U32, "mov.u32", ptx.Name("%cluster_ctarank"))
		w.cluster = w.Let(ptx.U32, "div.u32", ctaid, ptx.Int(n))
		w.clusters = w.Let(ptx.U32, "div.u32", blocks, ptx.Int(n))
	}
	if w.p.sharedBytes() > 0 {
		w.cells = w.Let(ptx.U32, "mov.u32", ptx.Name("cells"))
	}
}

// barrier waits until all threads of the launch have arrived.
func (w *writer) barrier() {
	w.Emit("barrier.sync", ptx.Int(0))
	w.Emit("add.u32", w.target, w.target, w.Let(ptx.U32, "mov.u32", ptx.Name("%nctaid.x")))
	w.If(w.first, func() {
		arrived := ptx.Addr{Base: w.param["control"], Offset: arrivedAt}
		w.Emit("fence.acq_rel.gpu")
		w.Emit("red.release.gpu.global.add.u32", arrived, ptx.Int(1))
		w.While(func() ptx.Operand {
			n := w.Let(ptx.U32, "ld.acquire.gpu.global.u32", arrived)
			return w.Let(ptx.Pred, "setp.lt.u32", n, w.target)
		}, func() {})
		w.Emit("fence.acq_rel.gpu")
	})
	w.Emit("barrier.sync", ptx.Int(0))
	if w.p.async {
		w.Emit("fence.proxy.async")
	}
}

// memory computes the addresses of the instance.
func (w *writer) memory(parity ptx.Name) {
	wide := w.Let(ptx.U64, "cvt.u64.u32", parity)
	w.base = w.Let(ptx.U64, "mad.lo.u64", wide, w.param["half"], w.param["memory"])
	// The instances are placed at their numbers, or at their numbers times an odd factor, so that neighbours are far
	// apart.
	scatter := w.Let(ptx.U32, "and.b32", w.draw(1), w.u32("scatter"))
	odd := w.Let(ptx.U32, "or.b32", scatter, ptx.Int(1))
	index := w.Let(ptx.U32, "mad.lo.u32", w.instance, odd, scatter)
	w.Emit("and.b32", index, index, w.u32("mask"))
	w.at = w.Let(ptx.U64, "mad.lo.u64", w.Let(ptx.U64, "cvt.u64.u32", index), w.param["instance_step"], w.base)
	if n := w.p.inShared(); n > 0 {
		w.bank = w.Let(ptx.U32, "mad.lo.u32", parity, ptx.Int(w.p.perBlock()), w.within)
		w.Emit("mad.lo.u32", w.bank, w.bank, ptx.Int(n*cellBytes), w.cells)
	}
}

// An address is where a thread finds a location: in registers, with the state space for opcodes.
type address struct {
	ptx.Addr
	space string // ".global", ".shared::cta", ".shared::cluster"
}

// op returns an opcode with the address's space in the place of ~: "ld.weak~.b64".
func (a address) op(code string) ptx.Op { return ptx.Op(strings.Replace(code, "~", a.space, 1)) }

// address returns the address of a location for a thread of the test's block.
func (w *writer) address(loc, block int) address {
	c := w.p.cells[loc]
	if !c.shared {
		a := w.Let(ptx.U64, "mad.lo.u64", w.param["location_step"], ptx.Int(c.index), w.at)
		return address{ptx.Addr{Base: a}, ".global"}
	}
	a := w.Let(ptx.U32, "add.u32", w.bank, ptx.Int(c.index*cellBytes))
	switch {
	case w.p.Blocks == 1:
		return address{ptx.Addr{Base: a}, ".shared"}
	case c.block == block:
		return address{ptx.Addr{Base: a}, ".shared::cta"}
	}
	// Block b of the test runs in the block with rank (b + Blocks - turn) modulo Blocks.
	rank := w.Let(ptx.U32, "sub.u32", ptx.Int(c.block+w.p.Blocks), w.turn)
	rank = w.modulo(rank, w.p.Blocks)
	return address{ptx.Addr{Base: w.Let(ptx.U32, "mapa.shared::cluster.u32", a, rank)}, ".shared::cluster"}
}

// result returns the address of a word of the results of the instance.
func (w *writer) result(word int) ptx.Addr {
	instances := w.Let(ptx.U32, "mul.lo.u32", w.u32("groups"), ptx.Int(w.p.perBlock()))
	i := w.Let(ptx.U32, "mad.lo.u32", instances, ptx.Int(word), w.instance)
	return ptx.Addr{Base: w.Let(ptx.U64, "mad.wide.u32", i, ptx.Int(8), w.param["results"])}
}

// runs writes body for the threads that run thread i of the test.
func (w *writer) runs(i int, body func()) { w.If(w.is(i), body) }

// is returns a predicate of the threads that run thread i of the test.
func (w *writer) is(i int) ptx.Name {
	return w.Let(ptx.Pred, "setp.eq.u32", w.code, ptx.Int(w.p.code(i)))
}

// code returns the number of the seat of thread i.
func (p *Plan) code(i int) int {
	s := p.seats[i]
	return (s.cluster*p.Blocks+s.block)*p.Members + s.member
}

// resets returns the locations that thread i of the test resets: those in shared memory of its block if it is the first
// one there, and those in global memory if it is the first thread.
func (p *Plan) resets(i int) []int {
	var list []int
	for loc, c := range p.cells {
		owner := 0
		for c.shared && p.seats[owner].block != c.block {
			owner++
		}
		if owner == i {
			list = append(list, loc)
		}
	}
	return list
}

// reset writes the first values of the locations.
func (w *writer) reset() {
	for i := range w.p.Test.Threads {
		list := w.p.resets(i)
		if len(list) == 0 {
			continue
		}
		w.runs(i, func() {
			for _, loc := range list {
				a := w.address(loc, w.p.seats[i].block)
				if n := w.p.cells[loc].arrivals; n > 0 {
					w.Emit(a.op("mbarrier.init~.b64"), a.Addr, ptx.Int(n))
					w.Emit("fence.mbarrier_init.release.cluster")
					continue
				}
				w.Emit(a.op("st.weak~.b64"), a.Addr, w.Let(ptx.B64, "mov.b64", ptx.Int(w.p.Test.Locations[loc].Start)))
			}
			if w.p.async {
				w.Emit("fence.proxy.async")
			}
		})
	}
}
