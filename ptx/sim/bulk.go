package sim

import (
	"fmt"
	"math/bits"
	"strings"

	"girih/internal/machine/chain"
	"girih/ptx"
)

// This file implements bulk copies and reductions between two addresses (PTX ISA, cp.async.bulk and
// cp.reduce.async.bulk), and the part that tensor copies share: how a copy completes, and at which blocks. The PTX ISA
// requires that copies from shared memory to shared memory of the cluster and red.async go to another block, and that
// st.async goes to a block of a cluster. An H200 executes all three in any block. Code that is the same for all blocks
// of a cluster relies on that, so here it is no fault either.

// bulkAlign is the alignment of addresses and sizes, in bytes.
const bulkAlign = 16

// bulkUse is one bulk copy or reduction.
type bulkUse struct {
	completion
	to, from access
	size     int    // slot
	bytes    int    // slot of byteMask, or -1
	ignored  [2]int // slots of ignoreBytesLeft and ignoreBytesRight, or -1
	reduce   *reduction
}

// completion is how a copy signals that it has landed: at mbarriers, or in a bulk group of its thread.
type completion struct {
	op    string // for findings
	group bool
	bar   access
	mask  int  // slot of ctaMask, or -1
	pair  bool // .cta_group::2: the mbarriers may be in the other block of each pair
	same  bool // the mbarrier has to be in the block that receives the copy
}

// bulk reads all instructions for bulk copies.
func (d *decoder) bulk(o *opcode) (step, error) {
	switch {
	case o.has("commit_group"):
		return func(w *warp, mask uint32) status {
			w.bulk.commit(mask)
			return advance
		}, o.need(0, 0)
	case o.has("wait_group"):
		return d.bulkWait(o)
	case o.has("prefetch"):
		return d.bulkPrefetch(o)
	case o.has("tensor"):
		return d.tensorCopy(o)
	}
	return d.bulkCopy(o)
}

// bulkWait reads cp.async.bulk.wait_group.
func (d *decoder) bulkWait(o *opcode) (step, error) {
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	v, ok := o.Operands[0].(ptx.Int)
	if !ok || v < 0 {
		return nil, fmt.Errorf("operand %s: expected a number of groups", o.Operands[0])
	}
	n := uint32(min(v, 1<<30))
	if o.has("read") {
		return func(w *warp, mask uint32) status {
			w.bulk.note(mask, groupWait{site: w.site(), n: n, read: true})
			w.bulk.wait(mask, n, func(o *operation) {
				w.block.grid.explain.noteWait(w, o, chain.FinishReads)
				o.landReads(w.event())
			})
			return advance
		}, nil
	}
	return func(w *warp, mask uint32) status { return w.landGroups(&w.bulk, mask, n) }, nil
}

// spaces returns the modifiers that are state spaces, in order.
func (o *opcode) spaces() []ptx.Space {
	var list []ptx.Space
	for i, m := range o.mods {
		if first, _, _ := strings.Cut(m, "::"); first == "shared" || first == "global" {
			o.used[i] = true
			list = append(list, ptx.Space(m))
		}
	}
	return list
}

// optional returns the slot of the next operand if mod is a modifier, otherwise -1.
func (d *decoder) optional(o *opcode, mod string, ops *operands) (int, error) {
	if !o.has(mod) {
		return -1, nil
	}
	x := ops.next()
	if x == nil {
		return -1, fmt.Errorf(".%s needs an operand", mod)
	}
	return d.src(x, ptx.B64)
}

// completes reads how a copy into a space completes. The next operand is the address of the mbarrier.
func (d *decoder) completes(o *opcode, to ptx.Space, ops *operands) (c completion, err error) {
	c = completion{op: "cp.async.bulk", group: to == ptx.Global, mask: -1}
	want := "mbarrier::complete_tx::bytes"
	if c.group {
		want = "bulk_group"
	}
	if !o.has(want) {
		return c, fmt.Errorf("expected .%s", want)
	}
	if !c.group {
		c.bar, err = d.address(ops.next(), to)
		c.bar.unit, c.bar.count, c.bar.write = 8, 1, true
	}
	return c, err
}

// policy accepts the operand that .L2::cache_hint adds.
func (d *decoder) policy(o *opcode, ops *operands) error {
	_, err := d.optional(o, "L2::cache_hint", ops)
	return err
}

// bulkCopy reads copies and reductions between two addresses.
func (d *decoder) bulkCopy(o *opcode) (step, error) {
	spaces := o.spaces()
	if len(spaces) != 2 {
		return nil, fmt.Errorf("expected two state spaces")
	}
	to, from := spaces[0], spaces[1]
	switch string(to + " " + from) {
	case "shared::cta global", "shared::cluster global", "shared::cluster shared::cta", "global shared::cta":
	default:
		return nil, fmt.Errorf("no copy from .%s to .%s", from, to)
	}
	r, u := d.reader(o), &bulkUse{bytes: -1, ignored: [2]int{-1, -1}}
	u.to, u.from, u.size = r.address(to), r.address(from), r.src(ptx.U32)
	if to == "shared::cta" && from == ptx.Global && o.has("ignore_oob") {
		u.ignored = [2]int{r.src(ptx.U32), r.src(ptx.U32)}
	}
	u.to.write = true
	u.completion = r.completion(to)
	switch {
	case o.has("reduce"):
		u.op = "cp.reduce.async.bulk"
		if from == ptx.Global {
			r.fail("no reduction from .%s to .%s", from, to)
		}
		if r.err == nil {
			u.reduce, r.err = bulkReduction(o, to)
		}
	case to == "shared::cluster" && from == ptx.Global:
		u.mask = r.optional("multicast::cluster")
	}
	r.policy()
	if u.group && u.reduce == nil {
		u.bytes = r.optional("cp_mask")
	}
	return r.end(u.step)
}

// bulkReduction reads the operation of cp.reduce.async.bulk (the table in its PTX ISA section). The ISA says that
// .add.f32 flushes subnormal numbers; an H200 keeps them.
func bulkReduction(o *opcode, to ptx.Space) (*reduction, error) {
	name, t := o.one("add", "min", "max", "inc", "dec", "and", "or", "xor"), o.typ()
	half := t == ptx.F16 || t == ptx.BF16
	types := map[string]string{
		"add": "u32 s32 u64 f32 f64 f16 bf16", "min": "u32 s32 u64 s64 f16 bf16", "inc": "u32",
		"and": "b32 b64 u32 s32 u64 s64",
	}
	if to == "shared::cluster" {
		types = map[string]string{"add": "u32 s32 u64", "min": "u32 s32", "inc": "u32", "and": "b32 u32 s32"}
	}
	like := map[string]string{"max": "min", "dec": "inc", "or": "and", "xor": "and"}
	row := name
	if like[name] != "" {
		row = like[name]
	}
	if t == "" || !strings.Contains(" "+types[row]+" ", " "+string(t)+" ") {
		return nil, fmt.Errorf("no .%s of .%s elements in .%s", name, t, to)
	}
	if o.has("noftz") != (half && name == "add") {
		return nil, fmt.Errorf(".noftz goes with .add of .f16 and .bf16, and is needed there")
	}
	return newReduction(name, t), nil
}

// needValues fails if a slot has no value in some lane of mask. It ignores slots below 0.
func (w *warp) needValues(mask uint32, slots ...int) status {
	for _, s := range slots {
		if s >= 0 && mask&^w.f.def[s] != 0 {
			return w.failUndefined(mask, s)
		}
	}
	return advance
}

// addressOf returns the address of an access in a lane.
func (w *warp) addressOf(a *access, lane int) uint64 {
	return w.f.regs[a.at.slot][lane] + uint64(a.at.offset)
}

// extent finds n bytes, written or unwritten, that begin at a multiple of align. If there are no such bytes, it notes a
// finding and returns nil.
func (w *warp) extent(a access, lane int, n, align uint64) (*segment, uint64) {
	address := w.addressOf(&a, lane)
	if address&(align-1) != 0 {
		w.fail(KindAlign, 1<<lane, "address 0x%x is no multiple of %d (PTX ISA, %s)", address, align, w.opName())
		w.fault.Address = address
		return w.nowhere(int(n))
	}
	a.unit, a.count = int(n), 1
	seg, at := w.segmentOf(a.space, lane, address)
	if seg == nil || !seg.holds(at, int(n)) {
		w.outside(&a, lane, address)
		return w.nowhere(int(n))
	}
	if !w.mayReach(seg, lane, address) {
		return nil, 0
	}
	if a.write && seg.readOnly {
		w.fail(KindReadOnly, 1<<lane, "writes to address 0x%x in %s, which is read-only", address, seg.name)
		w.fault.Address = address
		return w.nowhere(int(n))
	}
	return seg, at - seg.base
}

// opName returns the instruction of the current path as the PTX ISA names its section.
//
//go:noinline
func (w *warp) opName() string {
	op := string(w.instr().src.Op)
	for _, name := range []string{
		"cp.reduce.async.bulk.tensor", "cp.reduce.async.bulk", "cp.async.bulk.prefetch.tensor", "cp.async.bulk.prefetch",
		"cp.async.bulk.tensor", "cp.async.bulk", "st.async", "red.async", "tensormap.replace",
	} {
		if strings.HasPrefix(op, name) {
			return name
		}
	}
	return op
}

// step begins a copy for each lane, one after another.
func (u *bulkUse) step(w *warp, mask uint32) status {
	bar := -1
	if !u.group {
		bar = u.bar.at.slot
	}
	if st := w.needValues(mask, u.to.at.slot, u.from.at.slot, u.size, bar, u.mask, u.bytes,
		u.ignored[0], u.ignored[1]); st != advance {
		return st
	}
	for m := mask; m != 0; m &= m - 1 {
		if st := u.one(w, lowest(m)); st != advance {
			return st
		}
	}
	return advance
}

func (u *bulkUse) one(w *warp, lane int) status {
	n := w.f.regs[u.size][lane] & ones(32)
	if n%bulkAlign != 0 {
		return w.fail(KindArgument, 1<<lane, "copies %d bytes, no multiple of %d (PTX ISA, %s)", n, bulkAlign, w.opName())
	}
	if n == 0 {
		return advance
	}
	src, from, move := u.source(w, lane, n)
	if src == nil {
		return failed
	}
	dst, to := w.extent(u.to, lane, n, bulkAlign)
	if dst == nil {
		return failed
	}
	if u.bytes >= 0 {
		move.mask = uint16(w.f.regs[u.bytes][lane])
	}
	var reads []region
	if move.n > 0 {
		reads = []region{{seg: src, off: from, n: move.n, lane: uint8(lane)}}
	}
	w.noteBulk(spot{dst, to}, spot{src, from}, n)
	return u.send(w, lane, sending{
		to: spot{dst, to}, bytes: int64(n), reads: reads,
		part: func(to spot) *operation {
			m := move
			w.block.grid.recorder().bulk(w, lane, m, to)
			return &operation{
				reads: reads, writes: []region{{seg: to.seg, off: to.off, n: n, lane: uint8(lane), atomic: u.reduce != nil}},
				move: func(*operation) opFault { return m.do(to) }, keep: func() { m.from = m.from.snapshot(m.n) },
			}
		},
	})
}

// source finds what a copy of n bytes reads, and returns its effect. With .ignore_oob it reads neither the first nor
// the last bytes that the operands count, which may be outside of every buffer and have no value then.
func (u *bulkUse) source(w *warp, lane int, n uint64) (*segment, uint64, bulkMove) {
	m, part, align := bulkMove{n: n, mask: 1<<bulkAlign - 1, reduce: u.reduce}, u.from, uint64(bulkAlign)
	if u.ignored[0] >= 0 && w.addressOf(&part, lane)%bulkAlign == 0 {
		align, m.left, m.right = 1, w.f.regs[u.ignored[0]][lane]&ones(32), w.f.regs[u.ignored[1]][lane]&ones(32)
		if max(m.left, m.right) >= bulkAlign {
			w.fail(KindArgument, 1<<lane, "ignores %d bytes at the beginning and %d at the end: expected 0 to %d (PTX ISA, %s)",
				m.left, m.right, bulkAlign-1, w.opName())
			return nil, 0, m
		}
		part.at.offset += int64(m.left)
		if m.n = n - min(n, m.left+m.right); m.n == 0 {
			m.from = spot{&w.block.shared, 0}
			return m.from.seg, 0, m
		}
	}
	src, from := w.extent(part, lane, m.n, align)
	m.from = spot{src, from}
	return src, from, m
}

// bulkMove is the effect of a copy when it lands.
type bulkMove struct {
	from        spot
	n           uint64
	mask        uint16 // the bytes of each 16 that are copied
	reduce      *reduction
	left, right uint64 // bytes before and after, which have no value then
}

func (m *bulkMove) do(to spot) opFault {
	if m.left+m.right > 0 {
		to.seg.forget(to.off, min(m.left, bulkAlign))
		to.off += m.left
		if m.right > 0 {
			to.seg.forget(to.off+m.n, m.right)
		}
	}
	switch {
	case m.reduce != nil:
		return m.reduce.apply(to, m.from, m.n)
	case m.mask == 1<<bulkAlign-1:
		copyBytes(to, m.from, m.n)
	default:
		for i := range m.n {
			if m.mask>>(i%bulkAlign)&1 == 1 {
				copyBytes(spot{to.seg, to.off + i}, spot{m.from.seg, m.from.off + i}, 1)
			}
		}
	}
	return opFault{}
}

// sending is a copy of one lane on its way.
type sending struct {
	to    spot
	bytes int64                    // that each mbarrier receives
	reads []region                 // of each part
	part  func(to spot) *operation // makes the operation that goes to one place
	// object is the tensor map. It counts as being read until the copy has completed, or until a wait for bulk groups
	// makes the end of the read known to a thread.
	object region
}

// send begins a copy, with one operation for each block that receives it.
func (c *completion) send(w *warp, lane int, s sending) status {
	if c.group {
		o := s.part(s.to)
		if s.object.isTracked() {
			o.reads = append(o.reads, s.object)
		}
		o.missing, o.engine = "cp.async.bulk.wait_group", true
		if st := w.begin(o, 1<<lane); st != advance {
			return st
		}
		w.bulk.add(o)
		return advance
	}
	list, st := c.destinations(w, lane, s.to)
	if st != advance {
		return st
	}
	for i, d := range list {
		if st := w.dispatch(s.part(spot{d.seg, s.to.off}), d.bar, lane, s.bytes); st != advance {
			return st
		}
		if i == 0 && s.object.isTracked() {
			if st := w.readsObject(s.object, d.bar); st != advance {
				return st
			}
		}
	}
	return advance
}

// isTracked reports whether the accesses to the bytes of r are recorded.
func (r region) isTracked() bool { return r.seg != nil && r.seg.tracked }

// readsObject begins the read of a tensor map by a load that completes at m. Threads know the end of the read when they
// know the end of the load. The thread that began the load also knows after a wait for bulk groups, although the load
// is in no group: NVIDIA states this for cp.async.bulk.wait_group (CUTLASS, issue 2912), and CUTLASS's grouped gemms
// rely on it before they change a map.
func (w *warp) readsObject(object region, m *mbarrier) status {
	o := &operation{reads: []region{object}, quiet: true}
	o.missing = fmt.Sprintf("mbarrier.try_wait on the barrier at 0x%x, or cp.async.bulk.commit_group and wait_group,",
		m.address())
	if st := w.begin(o, 1<<object.lane); st != advance {
		return st
	}
	p := &m.promised[len(m.promised)-1] // of the load
	p.ops, p.numbers = append(p.ops, o), append(p.numbers, o.number)
	w.bulk.sweep()
	w.bulk.add(o)
	return advance
}

// dispatch begins an operation of one lane that completes at an mbarrier.
func (w *warp) dispatch(o *operation, m *mbarrier, lane int, bytes int64) status {
	o.missing, o.engine = fmt.Sprintf("mbarrier.try_wait on the barrier at 0x%x", m.address()), true
	if st := w.mayTell(m, 1<<lane, bytes); st != advance {
		return st
	}
	if st := w.begin(o, 1<<lane); st != advance {
		return st
	}
	m.promise(promise{ops: []*operation{o}, lanes: 1 << lane, bytes: bytes, warp: w})
	return advance
}

// mayTell fails if m cannot count the given number of further bytes.
func (w *warp) mayTell(m *mbarrier, mask uint32, bytes int64) status {
	if !w.initProxied(m, lowest(mask)) {
		return failed
	}
	if _, owed := m.outstanding(); owed+bytes-m.tx > maxArrivals {
		w.fail(KindTxCount, mask, "%d bytes arrive at the mbarrier at 0x%x, which receives %d already and expects %d: the difference may be at most %d (PTX ISA, mbarrier, tx-count)",
			bytes, m.address(), owed, m.tx, maxArrivals)
		if !w.goesOn() {
			return failed
		}
	}
	return advance
}

// destination is a block's shared memory that receives a copy, and the mbarrier that the copy signals there.
type destination struct {
	seg *segment
	bar *mbarrier
}

// destinations returns where a copy of a lane to an address goes: to that address or, for a multicast, to the same
// place in each block of the mask.
func (c *completion) destinations(w *warp, lane int, to spot) ([]destination, status) {
	seg, off := w.target(&c.bar, lane, w.addressOf(&c.bar, lane))
	if seg == nil {
		return nil, failed
	}
	if w.isNowhere(seg) {
		return nil, advance
	}
	if c.mask >= 0 {
		return c.multicast(w, lane, spot{seg, off})
	}
	if !w.isNowhere(to.seg) {
		switch {
		case !c.same:
			seg = to.seg // the mbarrier in the block of the address, as on an H200
		case !c.pair && seg.owner != to.seg.owner:
			return nil, w.fail(KindArgument, 1<<lane, "the mbarrier at 0x%x is in block %d of the cluster, and the copy goes to block %d (PTX ISA, %s)",
				w.addressOf(&c.bar, lane), seg.owner.rank(), to.seg.owner.rank(), w.opName())
		}
	}
	m, st := w.mbarrierOf(seg, off, lane)
	return []destination{{to.seg, m}}, st
}

// multicast returns the destinations of a copy to the blocks of the mask; bar is the mbarrier that the operand names.
func (c *completion) multicast(w *warp, lane int, bar spot) ([]destination, status) {
	blocks := w.block.cluster.blocks
	mask := w.f.regs[c.mask][lane] & 0xffff
	if mask>>len(blocks) != 0 {
		return nil, w.fail(KindArgument, 1<<lane, "ctaMask 0x%x has block %d, and the cluster has %d blocks (PTX ISA, %s)",
			mask, bits.Len64(mask)-1, len(blocks), w.opName())
	}
	var list []destination
	for ; mask != 0; mask &= mask - 1 {
		rank := bits.TrailingZeros64(mask)
		told := rank
		if c.pair {
			told = rank&^1 | bar.seg.owner.rank()&1
		}
		if b := firstEnded(blocks[rank], blocks[told]); b != nil {
			if w.fail(KindExited, 1<<lane, "copies into %s", b.nearPeer(b.shared.base)); !w.goesOn() {
				return nil, failed
			}
			continue
		}
		if to := &blocks[rank].shared; !w.mayReach(to, lane, to.base) {
			return nil, failed
		}
		m, st := w.mbarrierOf(&blocks[told].shared, bar.off, lane)
		if m == nil {
			return nil, st
		}
		list = append(list, destination{&blocks[rank].shared, m})
	}
	return list, advance
}

// firstEnded returns the first block whose threads have all exited, or nil.
func firstEnded(list ...*block) *block {
	for _, b := range list {
		if b.live == 0 {
			return b
		}
	}
	return nil
}

// leftInFlight returns the finding that a copy still reads or writes the shared memory of b when the last threads of b
// exit, since no thread has waited for the copy; nil if there is no such copy. For sm_100 and later, a bulk store that
// still reads is of the grade GradeStrict: the epilogues of CUTLASS leave their last stores to the end of the block.
func (b *block) leftInFlight() *Finding {
	for _, o := range b.grid.ops {
		if o == nil || !o.engine {
			continue
		}
		list, does := o.writes, "writes to"
		at := findRegion(list, &b.shared)
		if at == nil && !o.read {
			at, does = findRegion(o.reads, &b.shared), "reads"
		}
		if at == nil {
			continue
		}
		in, lane := b.grid.at(o.at), int(at.lane)
		f := &Finding{
			Kind: KindExited, Pos: in.Pos, Op: in.Op, Source: b.grid.program.source(b.grid.locOf(o.at)), Block: o.warp.block.at,
			Thread: o.warp.thread(lane), Address: b.shared.base + at.off,
			Message: fmt.Sprintf("%s address 0x%x, the shared memory of block %v, and nothing lets a thread know of that before the last one of the block exits: %s",
				does, b.shared.base+at.off, b.at, o.whyUnseen(lane, toucher{source: does == "reads"})),
		}
		if b.grid.strict || does != "reads" || o.tmem != nil || b.grid.program.arch() < 100 {
			return f
		}
		if c := (siteCause{KindExited, o.at, 0}); b.grid.lesser.sites[c] == nil {
			f.Grade = GradeStrict
			b.grid.lesser.keep(c, f)
		}
	}
	return nil
}

// findRegion returns the first region of a list that is in seg, or nil.
func findRegion(list []region, seg *segment) *region {
	for i := range list {
		if list[i].seg == seg {
			return &list[i]
		}
	}
	return nil
}
