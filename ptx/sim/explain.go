package sim

import (
	"math/bits"

	"girih/internal/machine/chain"
)

// This file writes the log of Launch.Explain, from which package chain proves that conflicting accesses are ordered.
// The log does not use the clocks, so that the proof is independent of them. It numbers the events in the order in
// which they happened, and it records the accesses to each word separately, with their lanes. Without Launch.Explain
// all methods return immediately.

// An explainer writes a log.
type explainer struct {
	*chain.Log
	grid    *grid
	objects int32    // the number of barriers, words and other objects that have numbers
	maps    []uint64 // the addresses of tensor maps
	records []chain.Access
	pairs   map[pairClass]int // by class: the index of its first pair in Log.Pairs
	last    [2]int32          // the two records of the last pair
	// usesBarrier is true while the recorded access is to an mbarrier.
	usesBarrier bool
	kept        int // bytes not yet reported to the store
}

// A warpLog contains the number of a warp in the log, counted from 1, and the lanes that met last, if nothing has
// happened since.
type warpLog struct {
	number int32
	met    uint32
}

// A strongWrite is the last strong write of a word.
type strongWrite struct {
	event   int32 // the number of the event, counted from 1
	version uint32
}

// A shadow contains the accesses to the words of a segment.
type shadow struct {
	team  uint32
	pages []*[pageWords]shadowWord
}

// A shadowWord contains the accesses to 4 bytes since their last write. Most words have only one access.
type shadowWord struct {
	first shadowEntry
	more  *[]shadowEntry
}

// A shadowEntry is an access to some bytes of a word; bytes is 0 if there is no access.
type shadowEntry struct {
	record int32
	lane   uint8
	bytes  uint8
	write  bool
}

// A pairClass contains the properties by which pairs of accesses are grouped. Only some pairs of each class are kept.
type pairClass struct {
	a, b                int32 // sites
	near                uint8 // whether the threads share the thread, warp, block, cluster, or nothing
	asyncA, asyncB      bool
	strong, toRead, fin bool
}

const (
	mostEvents   = 1 << 22
	mostRecords  = 1 << 23
	mostClasses  = 1 << 14
	keptPairs    = 3 // pairs kept per class: the first ones and the last one
	keptReads    = 16
	explainBytes = 1 << 20 // the unit, in bytes, in which memory is reported
)

// newExplainer returns the explainer of a launch, or nil.
func newExplainer(g *grid, l *chain.Log) *explainer {
	if l == nil {
		return nil
	}
	*l = chain.Log{Ops: make([]chain.Op, 1)}
	return &explainer{Log: l, grid: g, pairs: map[pairClass]int{}, last: [2]int32{-1, -1}}
}

// finish writes the instructions of the kernel.
func (x *explainer) finish() {
	if x == nil {
		return
	}
	n := 0
	for i := range x.Pairs {
		if x.Pairs[i].Count > 0 {
			x.Pairs[n] = x.Pairs[i]
			n++
		}
	}
	x.Pairs = x.Pairs[:n]
	for _, f := range x.grid.kernel.list {
		for i := range f.code {
			s := chain.Site{}
			if in := f.code[i].src; in != nil {
				s = chain.Site{Line: in.Pos.Line, Col: in.Pos.Col, Op: string(in.Op)}
			}
			x.Sites = append(x.Sites, s)
		}
	}
}

// keep counts n bytes of the log as kept memory.
func (x *explainer) keep(n int) {
	if x.kept += n; x.kept >= explainBytes {
		x.grid.keep(x.kept)
		x.kept = 0
	}
}

// object returns the number of an object. The number is stored in *n, which is 0 for a new object.
//
//go:noinline
func (x *explainer) object(n *int32) int32 {
	if *n == 0 {
		x.objects++
		*n = x.objects
	}
	return *n
}

// tensorMap returns the number of the tensor map at an address.
func (x *explainer) tensorMap(address uint64) int32 {
	for i, a := range x.maps {
		if a == address {
			return int32(i + 1)
		}
	}
	x.maps = append(x.maps, address)
	return int32(len(x.maps))
}

// warp returns the number of a warp in the log.
func (x *explainer) warp(w *warp) int32 {
	if w.logged.number == 0 {
		x.Warps = append(x.Warps, chain.Warp{Block: x.object(&w.block.object), Cluster: int32(w.team.number)})
		w.logged.number = int32(len(x.Warps))
	}
	return w.logged.number - 1
}

// event logs an event of lanes of w, and returns its number.
func (x *explainer) event(w *warp, lanes uint32, e chain.Event) int32 {
	if len(x.Events) >= mostEvents {
		x.Cut = true
		return -1
	}
	e.Warp, e.Lanes = x.warp(w), lanes
	if e.Kind != chain.Meet {
		w.logged.met = 0
	}
	if w.p != nil && w.p.frame != nil {
		e.Site = int32(w.site() >> 5)
	}
	x.keep(32)
	x.Events = append(x.Events, e)
	return int32(len(x.Events) - 1)
}

// meet logs that lanes meet, unless nothing has happened since they met last.
func (x *explainer) meet(w *warp, lanes uint32) {
	if x == nil || lanes&(lanes-1) == 0 {
		return
	}
	if w.logged.met != lanes {
		w.logged.met = lanes
		x.event(w, lanes, chain.Event{Kind: chain.Meet})
	}
}

// fence logs a fence.
func (x *explainer) fence(w *warp, lanes uint32, s ambit) {
	if x != nil {
		x.event(w, lanes, chain.Event{Kind: chain.Fence, Scope: uint8(s)})
	}
}

// fenceProxy logs a fence.proxy.async.
func (x *explainer) fenceProxy(w *warp, lanes uint32, spaces []proxySpace) {
	if x == nil {
		return
	}
	mask := int32(0)
	for _, s := range spaces {
		mask |= int32([...]uint8{chain.SharedSpace, chain.GlobalSpace, chain.MbarrierSpace}[s])
	}
	x.event(w, lanes, chain.Event{Kind: chain.ProxyFence, Phase: mask})
}

// fenceMap logs a fence.proxy.tensormap of the map at an address.
func (x *explainer) fenceMap(w *warp, lane int, address uint64) {
	if x != nil {
		x.event(w, 1<<lane, chain.Event{Kind: chain.MapFence, Object: x.tensorMap(address)})
	}
}

// arrive logs an arrival at a barrier of the block.
func (x *explainer) arrive(w *warp, lanes uint32, bar *barrier) {
	if x != nil {
		x.event(w, lanes, chain.Event{Kind: chain.BarrierArrive, Object: x.object(&bar.object)})
	}
}

// pass logs that the waiting threads pass a barrier of the block.
func (x *explainer) pass(b *block, bar *barrier) {
	if x == nil {
		return
	}
	n := 0
	for _, y := range bar.waiters {
		n += bits.OnesCount32(y.mask)
	}
	of := int32(-1)
	if n == b.live {
		of = x.object(&b.object)
	}
	for _, y := range bar.waiters {
		n := x.event(y.w, y.mask, chain.Event{Kind: chain.BarrierWait, Object: x.object(&bar.object), Of: of})
		if n >= 0 {
			x.Events[n].Site = int32(y.p.site() >> 5)
		}
	}
}

// exit logs the end of a warp.
func (x *explainer) exit(w *warp) {
	if x != nil {
		x.event(w, all, chain.Event{Kind: chain.Exit, Object: x.object(&w.block.object)})
	}
}

func (x *explainer) arriveCluster(w *warp, lanes uint32, by arrived) {
	if x != nil {
		c := w.block.cluster
		x.event(w, lanes, chain.Event{
			Kind: chain.ClusterArrive, Object: x.object(&c.object), Phase: c.phases, Relaxed: by.relaxed,
		})
	}
}

func (x *explainer) passCluster(w *warp) {
	if x != nil {
		c := w.block.cluster
		x.event(w, w.live, chain.Event{Kind: chain.ClusterWait, Object: x.object(&c.object), Phase: c.phases})
	}
}

func (x *explainer) arriveAt(w *warp, m *mbarrier, by arrived) {
	if x != nil && by.mask != 0 {
		x.event(w, by.mask, chain.Event{
			Kind: chain.MbarrierArrive, Object: x.object(&m.object), Phase: int32(m.phase), Relaxed: by.relaxed,
		})
	}
}

func (x *explainer) waitFor(w *warp, m *mbarrier, by arrived) {
	if x != nil {
		x.event(w, by.mask, chain.Event{
			Kind: chain.MbarrierWait, Object: x.object(&m.object), Phase: int32(m.phase), Relaxed: by.relaxed,
		})
	}
}

// complete logs that o arrives at m.
func (x *explainer) complete(o *operation, m *mbarrier) {
	if x != nil && o.explained != 0 {
		n := x.event(o.warp, o.lanes, chain.Event{
			Kind: chain.Complete, Object: x.object(&m.object), Phase: int32(m.phase), Of: o.explained,
		})
		if n >= 0 {
			x.Events[n].Site = int32(o.at >> 5)
		}
	}
}

// noteWait logs that w knows that o, or its reads, have completed.
func (x *explainer) noteWait(w *warp, o *operation, k chain.Kind) {
	if x != nil && o.explained != 0 {
		x.event(w, o.lanes, chain.Event{Kind: k, Of: o.explained})
	}
}

// retire logs that w knows that the first n wgmma of its warpgroup have read their operands.
func (x *explainer) retire(w *warp, n int) {
	if x != nil {
		x.event(w, all, chain.Event{Kind: chain.Retire, Object: x.object(&w.group().object), Phase: int32(n)})
	}
}

// synchronise logs a strong access to the word of p.
func (x *explainer) synchronise(w *warp, p *syncPoint, lane int, a orderedAccess) {
	if x == nil {
		return
	}
	o, s := x.object(&p.object), uint8(a.how.scope())
	if !a.orders() || a.how&byAtom != 0 {
		of := int32(-1)
		if p.strong.event > 0 && p.strong.version == p.version {
			of = p.strong.event - 1
		}
		x.event(w, 1<<lane, chain.Event{
			Kind: chain.Read, Scope: s, Object: o, Phase: int32(p.version), Relaxed: a.order&acquires == 0, Of: of,
		})
	}
}

// publish logs a strong write to the word of p.
func (x *explainer) publish(w *warp, p *syncPoint, lane int, a orderedAccess) {
	if x == nil {
		return
	}
	n := x.event(w, 1<<lane, chain.Event{
		Kind: chain.Write, Scope: uint8(a.how.scope()), Object: x.object(&p.object), Phase: int32(p.version),
		Relaxed: a.order&releases == 0,
	})
	if a.writes() {
		p.strong = strongWrite{n + 1, p.version}
	}
}

// begin logs operation o, and its accesses.
func (x *explainer) begin(w *warp, o *operation) {
	if x == nil {
		return
	}
	op := chain.Op{Warp: x.warp(w)}
	if o.warpgroup > 0 {
		op.Group, op.Step = x.object(&w.group().object), int32(w.group().counts[w.id%warpgroup]-1)
	}
	x.keep(16)
	x.Ops = append(x.Ops, op)
	o.explained = int32(len(x.Ops) - 1)
	for _, list := range [][]region{o.reads, o.writes} {
		for i := range list {
			r := &list[i]
			if r.seg.tensor {
				x.Cut = true // the rules of package chain do not cover tensor memory
			}
			if !r.seg.tracked || r.seg.tensor {
				continue
			}
			a := chain.Access{Op: o.explained, Async: o.byProxy(r)}
			if r.object {
				a.Map = x.tensorMap(r.seg.base + r.off)
			}
			if r.atomic {
				a.Strong, a.Scope = true, uint8(ofGPU)
			}
			if i < len(o.writes) && r == &o.writes[i] {
				a.Write = true
			}
			x.touch(r.seg, x.record(w, a), laneBytes{r.off, r.n, int(r.lane)})
		}
	}
}

// notePromise logs that operations use mbarrier m through the async proxy.
func (x *explainer) notePromise(w *warp, m *mbarrier, ops []*operation) {
	if x == nil {
		return
	}
	for _, o := range ops {
		if o.engine && o.explained != 0 && o.lanes != 0 {
			n := x.record(w, chain.Access{Op: o.explained, Async: true})
			x.compare(&m.block.shared, n, laneBytes{m.off, 8, lowest(o.lanes)})
		}
	}
}

// uses logs that a lane uses mbarrier m.
func (x *explainer) uses(w *warp, m *mbarrier, lane int) {
	if x != nil {
		x.compare(&m.block.shared, x.record(w, chain.Access{}), laneBytes{m.off, 8, lane})
	}
}

// lanesAt describes lanes that access n bytes each of a segment, at w.off.
type lanesAt struct {
	seg  *segment
	mask uint32
	n    int
}

// access logs an access.
func (x *explainer) access(w *warp, at lanesAt, a chain.Access) {
	if x == nil || !at.seg.tracked {
		return
	}
	r := x.record(w, a)
	for m := at.mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		x.touch(at.seg, r, laneBytes{w.off[lane], uint64(at.n), lane})
	}
}

// strong logs a strong access of a lane.
func (x *explainer) strong(w *warp, at spot, lane int, a orderedAccess) {
	if x == nil || !at.seg.tracked {
		return
	}
	r := x.record(w, chain.Access{Write: a.orders(), Strong: true, Scope: uint8(a.how.scope())})
	x.touch(at.seg, r, laneBytes{at.off, uint64(a.bytes), lane})
}

// record adds the description of an access to the log.
func (x *explainer) record(w *warp, a chain.Access) int32 {
	if len(x.records) >= mostRecords {
		x.Cut = true
		return int32(len(x.records) - 1)
	}
	a.Warp, a.Site, a.Time = x.warp(w), int32(w.site()>>5), int32(len(x.Events))
	w.logged.met = 0
	x.keep(32)
	x.records = append(x.records, a)
	return int32(len(x.records) - 1)
}

// A laneBytes is a range of n bytes that one lane accesses.
type laneBytes struct {
	off, n uint64
	lane   int
}

// touch compares an access with the earlier accesses to the same bytes, and keeps it.
func (x *explainer) touch(seg *segment, record int32, at laneBytes) {
	write := x.records[record].Write
	x.eachWord(seg, at, func(s *shadowWord, bytes uint8) {
		e := shadowEntry{record, uint8(at.lane), bytes, write}
		x.meets(seg, s, e)
		s.add(e)
	})
}

// compare is touch for an access that need not be kept.
func (x *explainer) compare(seg *segment, record int32, at laneBytes) {
	x.usesBarrier = true
	defer func() { x.usesBarrier = false }()
	x.eachWord(seg, at, func(s *shadowWord, bytes uint8) { x.meets(seg, s, shadowEntry{record, uint8(at.lane), bytes, false}) })
}

func (x *explainer) eachWord(seg *segment, at laneBytes, f func(s *shadowWord, bytes uint8)) {
	h := seg.shadow
	team := uint32(0)
	if seg.owner != nil {
		team = seg.owner.cluster.team.number
	}
	if h == nil || h.team != team {
		h = &shadow{team, make([]*[pageWords]shadowWord, len(seg.data)/(4*pageWords)+1)}
		seg.shadow = h
		x.keep(8 * len(h.pages))
	}
	r := region{off: at.off, n: at.n}
	for off := at.off &^ 3; off < at.off+at.n; off += 4 {
		p := &h.pages[off/(4*pageWords)]
		if *p == nil {
			*p = new([pageWords]shadowWord)
			x.keep(16 * pageWords)
		}
		f(&(*p)[off/4%pageWords], regionBytes(&r, off))
	}
}

// meets logs the pairs of e and earlier accesses to the same bytes.
func (x *explainer) meets(seg *segment, s *shadowWord, e shadowEntry) {
	x.pair(seg, s.first, e)
	if s.more != nil {
		for _, old := range *s.more {
			x.pair(seg, old, e)
		}
	}
}

// add keeps e. A write replaces the earlier accesses to its bytes.
func (s *shadowWord) add(e shadowEntry) {
	if e.write {
		if s.first.bytes &^= e.bytes; s.more != nil {
			list := (*s.more)[:0]
			for _, old := range *s.more {
				if old.bytes &^= e.bytes; old.bytes != 0 {
					list = append(list, old)
				}
			}
			*s.more = list
		}
	}
	switch {
	case s.first.bytes == 0:
		s.first = e
	case s.more == nil:
		s.more = &[]shadowEntry{e}
	case len(*s.more) < keptReads:
		*s.more = append(*s.more, e)
	default:
		(*s.more)[keptReads/2+int(e.record)%(keptReads/2)] = e
	}
}

// pair logs the pair of two accesses if they conflict.
func (x *explainer) pair(seg *segment, old, now shadowEntry) {
	if old.bytes&now.bytes == 0 || old.record == now.record || !old.write && !now.write {
		return
	}
	v, w := &x.records[old.record], &x.records[now.record]
	if v.Op != 0 && v.Op == w.Op || x.last == [2]int32{old.record, now.record} && (v.Warp != w.Warp || v.Op != 0) {
		return
	}
	p := chain.Pair{A: *v, B: *w, Space: chain.SharedSpace, Count: 1}
	p.A.Lane, p.B.Lane = old.lane, now.lane
	if seg.owner == nil {
		p.Space = chain.GlobalSpace
	} else if x.usesBarrier {
		p.Space = chain.MbarrierSpace
	}
	if isOwn(&p) {
		return
	}
	x.last = [2]int32{old.record, now.record}
	x.keepPair(p)
}

// isOwn reports whether program order alone orders the accesses of p. In global memory, the lanes of a warp count as
// one thread. Between a write and an access by the async proxy, the same thread also needs a fence.
func isOwn(p *chain.Pair) bool {
	mine := p.A.Warp == p.B.Warp && (p.A.Lane == p.B.Lane || p.Space == chain.GlobalSpace)
	return mine && p.A.Op == 0 && !(p.B.Async && p.A.Write)
}

// keepPair keeps p, or only counts it if its class has enough pairs.
func (x *explainer) keepPair(p chain.Pair) {
	a, b := &p.A, &p.B
	c := pairClass{a.Site, b.Site, x.near(a, b), a.Async, b.Async, a.Strong && b.Strong, !b.Write, a.Op != 0}
	i, ok := x.pairs[c]
	if !ok {
		if len(x.pairs) >= mostClasses {
			x.Cut = true
			return
		}
		i = len(x.Pairs)
		x.pairs[c] = i
		x.Pairs = append(x.Pairs, make([]chain.Pair, keptPairs)...)
	}
	n := x.Pairs[i].Count
	x.Pairs[i+int(min(n, keptPairs-1))] = p
	x.Pairs[i].Count = n + 1
}

// near returns how closely the threads of two accesses are related.
func (x *explainer) near(a, b *chain.Access) uint8 {
	v, w := x.Warps[a.Warp], x.Warps[b.Warp]
	switch {
	case a.Warp == b.Warp && a.Lane == b.Lane:
		return 0
	case a.Warp == b.Warp:
		return 1
	case v.Block == w.Block:
		return 2
	case v.Cluster == w.Cluster:
		return 3
	}
	return 4
}
