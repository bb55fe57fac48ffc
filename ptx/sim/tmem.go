package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
	"girih/tmem"
)

// This file implements the tensor memory of a block (PTX ISA 9.7.16.1): 128 lanes of 512 columns of 32 bits, and its
// allocation. Package tmem knows where each instruction puts an element. The segment of tensor memory has the words of
// lane 0, then the words of lane 1, and so on, so the records of words.go and the operations of operation.go serve
// tensor memory too. tmem_order.go says what orders the accesses.
//
// A block has all 512 columns for itself: blocks that share a multiprocessor on a GPU, and wait for each other's
// columns there, do not meet here.

// tensorMemory is the tensor memory of a block.
type tensorMemory struct {
	seg   segment
	held  []holding // allocations, in order of columns
	freed []holding // the latest deallocations
	ceded uint32    // the instruction at which a warp gave up the right to allocate; 0 for none
	last  holding   // the latest allocation
	asks  int       // columns that a warp waits for; 0 for none
	// granted are the columns that the other block of a pair has taken for both, until the warp here sees them.
	granted    holding
	collectors [collectors]collector
}

// A holding is an allocation. site is the instruction that allocated it or, in freed, that freed it.
type holding struct {
	first, columns int
	site           uint32
	warp           *warp
}

func (h holding) String() string { return fmt.Sprintf("%d to %d", h.first, h.first+h.columns-1) }

// maxFreed limits the deallocations that a block remembers for reports.
const maxFreed = 16

// tensorPool + 0 is path.bar of a path that waits for columns.
const tensorPool = wgmmaWait + maxWarpgroups

// String says what a path that allocates waits for.
func (t *tensorMemory) String() string {
	return fmt.Sprintf("tcgen05.alloc of %d columns, while %s", t.asks, t.contents())
}

// contents says which columns are allocated.
func (t *tensorMemory) contents() string {
	if len(t.held) == 0 {
		return "no columns are allocated"
	}
	var list []string
	for _, h := range t.held {
		list = append(list, h.String())
	}
	return "the columns " + strings.Join(list, ", ") + " are allocated"
}

// tensor returns the tensor memory of b, and creates it at the first use.
func (b *block) tensor() *tensorMemory {
	if b.tmem == nil {
		const n = tmem.Lanes * tmem.Columns * tmem.ColumnBits / 8
		b.grid.keep(n + n/8)
		b.tmem = &tensorMemory{seg: newSegment(0, n)}
		s := &b.tmem.seg
		s.name, s.scratch, s.tracked, s.tensor, s.owner = "tensor memory", true, true, true, b
	}
	return b.tmem
}

// start forgets what an earlier block left in t.
func (t *tensorMemory) start() {
	if t == nil {
		return
	}
	clear(t.seg.def)
	t.seg.causes, t.held, t.freed, t.ceded = nil, nil, nil, 0
	t.last, t.granted, t.asks, t.collectors = holding{}, holding{}, 0, [collectors]collector{}
}

// cellOffset returns the offset of a column of a lane in the segment of tensor memory.
func cellOffset(lane, column int) uint64 { return uint64(lane*tmem.Columns+column) * 4 }

// tensorAddress returns the address for reports: in tensor memory, the lane and the column.
func (s *segment) tensorAddress(address uint64) uint64 {
	if cell := address / 4; s.tensor {
		return cell/tmem.Columns<<16 | cell%tmem.Columns
	}
	return address
}

// A tensorRun is some columns of a lane, relative to an address.
type tensorRun struct{ lane, column, columns int }

// tensorRuns returns the runs of cells, which are offsets in the segment of tensor memory.
func tensorRuns(cells []int32) []tensorRun {
	list := slices.Clone(cells)
	slices.Sort(list)
	var runs []tensorRun
	for i, c := range slices.Compact(list) {
		lane, column := int(c)/4/tmem.Columns, int(c)/4%tmem.Columns
		if n := len(runs); i > 0 && runs[n-1].lane == lane && runs[n-1].column+runs[n-1].columns == column {
			runs[n-1].columns++
			continue
		}
		runs = append(runs, tensorRun{lane, column, 1})
	}
	return runs
}

// tensorAccess describes how an instruction accesses tensor memory: the address, the lane of the warp that issues the
// instruction, and what it is for reports.
type tensorAccess struct {
	at   tmem.Address
	lane int
	what string // "reads" or "writes"
}

// regions returns the regions of runs at an address. All their columns must be allocated.
func (u tensorAccess) regions(w *warp, t *tensorMemory, runs []tensorRun) ([]region, status) {
	lane, column := int(u.at.Lane()), int(u.at.Column())
	list := make([]region, 0, len(runs))
	var in holding
	for _, r := range runs {
		first := column + r.column
		if first < in.first || first+r.columns > in.first+in.columns {
			in = t.holding(first, r.columns)
		}
		if in.columns == 0 || lane+r.lane >= tmem.Lanes {
			w.fail(KindBounds, 1<<u.lane, "%s lane %d, columns %d to %d of tensor memory at address %v, and %s in %d lanes (PTX ISA 9.7.16.1.2)%s",
				u.what, lane+r.lane, first, first+r.columns-1, u.at, t.contents(), tmem.Lanes, t.freedAt(first))
			w.fault.Address = uint64(u.at)
			return nil, failed
		}
		list = append(list, region{
			seg: &t.seg, off: cellOffset(lane+r.lane, first), n: 4 * uint64(r.columns), lane: uint8(u.lane),
		})
	}
	return list, advance
}

// freedAt says which instruction has freed a column, or returns "".
func (t *tensorMemory) freedAt(column int) string {
	for _, h := range slices.Backward(t.freed) {
		if h.first <= column && column < h.first+h.columns {
			return fmt.Sprintf(": line %s has freed the columns %v", h.warp.block.grid.lineAt(h.site), h)
		}
	}
	return ""
}

// holding returns the allocated columns that contain some columns; allocations that follow one another are one. It
// returns no columns if there are none.
func (t *tensorMemory) holding(first, columns int) holding {
	var sum holding
	for _, h := range t.held {
		if sum.columns > 0 && h.first == sum.first+sum.columns {
			sum.columns += h.columns
		} else {
			sum = holding{first: h.first, columns: h.columns}
		}
		if first >= sum.first && first+columns <= sum.first+sum.columns {
			return sum
		}
	}
	return holding{}
}

// tensorRow reads the instructions of tensor memory.
func tensorRow(name string) row {
	if name == "tcgen05" {
		return (*decoder).tcgen05
	}
	return nil
}

// tcgen05 reads the instructions of the fifth generation of tensor cores (PTX ISA 9.7.16).
func (d *decoder) tcgen05(o *opcode) (step, error) {
	if err := d.needsTarget(o, "sm_100", "sm_101", "sm_103", "sm_110"); err != nil {
		return nil, err
	}
	switch kind := o.one("alloc", "dealloc", "relinquish_alloc_permit", "ld", "st", "wait::ld", "wait::st",
		"commit", "fence::before_thread_sync", "fence::after_thread_sync", "mma", "cp", "shift"); kind {
	case "alloc", "dealloc", "relinquish_alloc_permit":
		return d.tensorAllocation(o, kind)
	case "ld", "st":
		return d.tensorMove(o)
	case "wait::ld", "wait::st":
		return tensorWait(o, kind)
	case "commit":
		return d.tensorCommit(o)
	case "mma":
		return d.tensorMMA(o)
	case "cp":
		return d.tensorFill(o)
	case "shift":
		return nil, refuseShift(o)
	case "fence::before_thread_sync", "fence::after_thread_sync":
		return tensorFence(o, kind)
	}
	return nil, fmt.Errorf("the instruction %s is not known", o.Op)
}

// ctaGroup reads .cta_group, which all instructions of a kernel have in common (PTX ISA 9.7.16.7.1).
func (d *decoder) ctaGroup(o *opcode) (int, error) {
	group := map[string]int{"cta_group::1": 1, "cta_group::2": 2}[o.one("cta_group::1", "cta_group::2")]
	switch k := d.kernel; {
	case group == 0:
		return 0, fmt.Errorf("expected .cta_group::1 or .cta_group::2")
	case k.ctaGroup != 0 && k.ctaGroup != group:
		return 0, fmt.Errorf("all instructions of a kernel have the same .cta_group, and another one has .cta_group::%d",
			k.ctaGroup)
	default:
		k.ctaGroup = group
	}
	return group, nil
}

// needAligned reads .sync and .aligned.
func (o *opcode) needAligned() error {
	if !o.has("sync") || !o.has("aligned") {
		return fmt.Errorf("expected .sync and .aligned")
	}
	return nil
}

// An allocationUse is an instruction that manages tensor memory.
type allocationUse struct {
	to      access // of alloc: where the address goes
	at      int    // of dealloc: the slot of the address
	columns int    // slot
	group   int
}

// tensorAllocation reads alloc, dealloc and relinquish_alloc_permit (PTX ISA 9.7.16.7.1).
func (d *decoder) tensorAllocation(o *opcode, kind string) (step, error) {
	group, err := d.ctaGroup(o)
	if err != nil {
		return nil, err
	}
	if err := o.needAligned(); err != nil {
		return nil, err
	}
	r, u := d.reader(o), &allocationUse{group: group}
	do := u.cede
	switch kind {
	case "alloc":
		o.has("b32")
		u.to, do = r.address(o.space()), u.alloc
		u.to.unit, u.to.count, u.to.write = 4, 1, true
		u.columns = r.src(ptx.U32)
	case "dealloc":
		o.has("b32")
		u.at, u.columns, do = r.src(ptx.B32), r.src(ptx.U32), u.dealloc
	}
	return r.end(func(w *warp, mask uint32) status {
		if st := w.whole(mask); st != advance {
			return st
		}
		if g := w.block.grid; g.orders != nil {
			g.orders.touch(w.block.place(barriers), alters)
		}
		return do(w, w.block.tensor())
	})
}

// count returns the number of columns, which must be a power of two from 32 to 512.
func (u *allocationUse) count(w *warp) (int, status) {
	n, ok := w.uniform(u.columns, all)
	if !ok {
		return 0, failed
	}
	if n < tmem.LeastAllocation || n > tmem.Columns || n&(n-1) != 0 {
		return 0, w.fail(KindArgument, all, "%d columns: expected a power of two from %d to %d (PTX ISA 9.7.16.7.1)", n,
			tmem.LeastAllocation, tmem.Columns)
	}
	return int(n), advance
}

// alloc executes tcgen05.alloc. The path waits while there are not enough columns.
func (u *allocationUse) alloc(w *warp, t *tensorMemory) status {
	n, st := u.count(w)
	if st != advance {
		return st
	}
	g := w.block.grid
	if t.ceded != 0 {
		w.fail(KindTensor, all, "allocates tensor memory, and tcgen05.relinquish_alloc_permit at line %s has given up the right of the block to do so (PTX ISA 9.7.16.7.1)",
			g.lineAt(t.ceded))
		if !w.goesOn() {
			return failed
		}
	}
	if old := t.last; old.columns != 0 && n > old.columns && !w.checkAs(GradeStrict, old.site, func() {
		w.fail(KindTensor, all, "allocates %d columns after %d at line %s: the number may not grow from one allocation of a block to the next (PTX ISA 9.7.16.7.1)",
			n, old.columns, g.lineAt(old.site))
	}) {
		return failed
	}
	address := w.addressOf(&u.to, 0)
	if st := w.needValues(all, u.to.at.slot); st != advance {
		return st
	}
	seg, off := w.target(&u.to, 0, address)
	if seg == nil {
		return failed
	}
	if seg != &w.block.shared && !w.isNowhere(seg) {
		return w.fail(KindArgument, all, "address 0x%x is not in the shared memory of the block (PTX ISA 9.7.16.7.1)", address)
	}
	h, st := u.take(w, t, n)
	if st != advance {
		return st
	}
	g.progress++
	seg.write(off, 4, uint64(h.first))
	seg.define(off, 4)
	if w.isNowhere(seg) {
		return advance
	}
	if w.off[0] = off; w.noteWrites(seg, 1, 4) >= 0 {
		return failed
	}
	seg.word(off).how |= several // all threads of the warp may read the address (9.7.16.6.1, same-address ordering)
	return advance
}

// take allocates n columns, or makes the path wait. In a pair of blocks, the warp that comes second takes the columns
// for both.
func (u *allocationUse) take(w *warp, t *tensorMemory, n int) (holding, status) {
	blocks, st := w.pair(u.group, 0) // the two warps meet here, so neither block has to be known to run
	if st != advance {
		return holding{}, st
	}
	if h := t.granted; h.columns != 0 {
		t.granted = holding{}
		return h, advance
	}
	for _, b := range blocks {
		switch other := b.tensor(); {
		case b == w.block || other.asks == n:
		case other.asks == 0:
			return holding{}, t.wait(w, n)
		default:
			return holding{}, w.fail(KindArgument, all, "allocates %d columns, and the other block of the pair %d (PTX ISA 9.7.16.7.1)",
				n, other.asks)
		}
	}
	first := freeColumns(blocks, n)
	if first < 0 {
		return holding{}, t.wait(w, n)
	}
	for _, b := range blocks {
		h := holding{first, n, w.site(), b.warps[0]}
		if b == w.block {
			h.warp = w
		} else {
			b.tmem.granted = h
			b.wake(tensorPool)
		}
		b.tmem.hold(h)
	}
	return t.last, advance
}

// wait makes the current path wait for n columns.
func (t *tensorMemory) wait(w *warp, n int) status {
	t.asks = n
	w.again()
	w.p.state, w.p.bar = waiting, tensorPool
	return blocked
}

// hold adds an allocation.
func (t *tensorMemory) hold(h holding) {
	at := slices.IndexFunc(t.held, func(x holding) bool { return x.first > h.first })
	if at < 0 {
		at = len(t.held)
	}
	t.held, t.last, t.asks = slices.Insert(t.held, at, h), h, 0
}

// freeColumns returns the first of n columns that follow one another, at a multiple of n, and are free in all blocks,
// or -1.
func freeColumns(blocks []*block, n int) int {
	for first := 0; first < tmem.Columns; first += n {
		if !slices.ContainsFunc(blocks, func(b *block) bool {
			return slices.ContainsFunc(b.tmem.held, func(h holding) bool {
				return h.first < first+n && first < h.first+h.columns
			})
		}) {
			return first
		}
	}
	return -1
}

// dealloc executes tcgen05.dealloc, which acts as a write of all cells: what others still read or write must have
// completed before it.
func (u *allocationUse) dealloc(w *warp, t *tensorMemory) status {
	n, st := u.count(w)
	if st != advance {
		return st
	}
	x, ok := w.uniform(u.at, all)
	if !ok {
		return failed
	}
	a := tmem.Address(x)
	i := slices.IndexFunc(t.held, func(h holding) bool { return h.first == int(a.Column()) && a.Lane() == 0 })
	if i < 0 || t.held[i].columns != n {
		w.fail(KindTensor, all, "deallocates %d columns of tensor memory at address %v, and %s (PTX ISA 9.7.16.7.1)", n, a,
			t.wrongFree(a, i))
		w.fault.Address = uint64(a)
		return failed
	}
	h := t.held[i]
	runs := make([]tensorRun, tmem.Lanes)
	for lane := range runs {
		runs[lane] = tensorRun{lane, 0, n}
	}
	cells, _ := tensorAccess{at: a}.regions(w, t, runs)
	o := &operation{writes: cells, quiet: true, tmem: &tensorOp{kind: tensorSync}}
	if st := w.begin(o, all); st != advance {
		return st
	}
	o.land(w.event())
	for _, r := range cells {
		t.seg.forget(r.off, r.n)
		for off := r.off; off < r.off+r.n; off += 4 {
			*t.seg.word(off) = word{}
		}
	}
	t.held = slices.Delete(t.held, i, i+1)
	h.site = w.site()
	if len(t.freed) == maxFreed {
		t.freed = slices.Delete(t.freed, 0, 1)
	}
	t.freed = append(t.freed, h)
	w.block.grid.progress++
	for _, b := range w.block.cluster.blocks {
		b.wake(tensorPool)
	}
	return advance
}

// wrongFree says why there is no allocation to free at an address; allocation i, if i is not negative, has another
// number of columns.
func (t *tensorMemory) wrongFree(a tmem.Address, i int) string {
	if i >= 0 {
		return fmt.Sprintf("the allocation there has %d", t.held[i].columns)
	}
	for _, h := range slices.Backward(t.freed) {
		if h.first == int(a.Column()) && a.Lane() == 0 {
			return fmt.Sprintf("line %s has freed the allocation there", h.warp.block.grid.lineAt(h.site))
		}
	}
	return t.contents()
}

// cede executes tcgen05.relinquish_alloc_permit.
func (*allocationUse) cede(w *warp, t *tensorMemory) status {
	t.ceded = w.site()
	return advance
}

// leak returns the finding that the last thread of b exits and tensor memory is still allocated, or nil.
func (b *block) leak() *Finding {
	if b.tmem == nil || len(b.tmem.held) == 0 {
		return nil
	}
	h := b.tmem.held[0]
	in := b.grid.at(h.site)
	return &Finding{
		Kind: KindTensor, Pos: in.Pos, Op: in.Op, Source: b.grid.program.source(b.grid.locOf(h.site)), Block: b.at,
		Thread: h.warp.thread(0), Address: uint64(h.first),
		Message: fmt.Sprintf("the columns %v of tensor memory are still allocated when the last thread of block %v exits: tcgen05.dealloc is missing (PTX ISA 9.7.16.7.1)",
			h, b.at),
	}
}
