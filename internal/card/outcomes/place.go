package outcomes

import "girih/ptx"

// A place is what a thread of a launch runs in a round: a thread of the test, and an instance.
//
//	groups          the clusters of the launch, in a cyclic order that begins elsewhere in each round, are divided among
//	                the clusters of the test: of g groups, the first g clusters run cluster 0 of the test, and so on.
//	                Cluster k runs instances of group j in an order that differs for each k, so that pairs of clusters differ.
//	turn            the blocks of a cluster run the test's blocks, beginning with another one in each round
//	member          a block's warps are divided in the same way among the threads that the test has in a block, or each
//	                warp's lanes: lanes 0 to M-1 run one instance
type place struct {
	random   ptx.Name // a random number of the round, the same in all threads
	code     ptx.Name // the number of the thread in the test; all ones for none
	turn     ptx.Name // the rank of a block plus turn, modulo the number of blocks, is the number of the block in the test
	slot     ptx.Name // the number of the group of warps, or of the warp
	set      ptx.Name // if threads are lanes: the number of the instance in the warp
	within   ptx.Name // the number of the instance in the block
	instance ptx.Name // the number of the instance in the launch
}

// seat computes the place of a thread.
func (w *writer) seat() {
	p, groups := w.p, w.u32("groups")
	q := w.Let(ptx.U32, "add.u32", w.cluster, w.Let(ptx.U32, "rem.u32", w.draw(2), w.clusters))
	w.Emit("rem.u32", q, q, w.clusters)
	k := w.Let(ptx.U32, "div.u32", q, groups)
	idle := w.Let(ptx.Pred, "setp.ge.u32", k, ptx.Int(p.Clusters))
	group := w.Let(ptx.U32, "rem.u32", q, groups)
	w.Emit("add.u32", group, group, w.Let(ptx.U32, "rem.u32", w.draw(3, k), groups))
	w.Emit("rem.u32", group, group, groups)
	w.turn = w.modulo(w.draw(4), p.Blocks)
	block := w.modulo(w.Let(ptx.U32, "add.u32", w.block, w.turn), p.Blocks)
	member := w.members(k, block, idle)
	w.code = w.Let(ptx.U32, "mad.lo.u32", k, ptx.Int(p.Blocks), block)
	w.Emit("mad.lo.u32", w.code, w.code, ptx.Int(p.Members), member)
	none := w.Let(ptx.Pred, "setp.eq.u32", w.code, w.code)
	for i := range p.Test.Threads { // a block may contain fewer threads of the test than another block
		w.Emit("setp.ne.and.u32", none, w.code, ptx.Int(p.code(i)), none)
	}
	w.Emit("or.pred", idle, idle, none)
	w.Emit("selp.b32", w.code, ptx.Int(0xffffffff), w.code, idle)
	w.instance = w.Let(ptx.U32, "mad.lo.u32", group, ptx.Int(p.perBlock()), w.within)
}

// members sets slot, set and within, and returns the member of the block that the thread runs. It sets idle where
// there is none.
func (w *writer) members(k, block, idle ptx.Name) ptx.Name {
	p := w.p
	busy, warp, lanes := p.slots*p.Members, w.warp, p.perWarp
	if p.Form.Lanes {
		busy = p.slots
	}
	w.Emit("setp.ge.or.u32", idle, warp, ptx.Int(busy), idle)
	var member ptx.Name
	if p.Form.Lanes {
		w.Emit("setp.ge.or.u32", idle, w.lane, ptx.Int(lanes*p.Members), idle)
		member = w.modulo(w.lane, p.Members)
		w.slot = w.modulo(w.Let(ptx.U32, "add.u32", warp, w.modulo(w.draw(5, k, block), p.slots)), p.slots)
		w.set = w.Let(ptx.U32, "div.u32", w.lane, ptx.Int(p.Members))
	} else {
		member = w.Let(ptx.U32, "add.u32", w.Let(ptx.U32, "div.u32", warp, ptx.Int(p.slots)), w.modulo(w.draw(6), p.Members))
		member = w.modulo(member, p.Members)
		w.slot = w.modulo(w.Let(ptx.U32, "add.u32", warp, w.modulo(w.draw(7, k, block, member), p.slots)), p.slots)
		w.set = w.Let(ptx.U32, "and.b32", w.draw(8, k, block, member, w.slot), ptx.Int(31))
		w.Emit("xor.b32", w.set, w.set, w.lane)
	}
	w.within = w.Let(ptx.U32, "mad.lo.u32", w.slot, ptx.Int(lanes), w.set)
	return member
}
