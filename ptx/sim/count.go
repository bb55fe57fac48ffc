package sim

import (
	"slices"
	"strings"
	"sync"

	"girih/banks"
	"girih/ptx"
)

// Traffic is the load that instructions put on the memory of a GPU of sm_90, by the models of package banks.
type Traffic struct {
	Accesses   int64 `json:"accesses,omitempty"`   // instructions of a warp that access memory: global, shared or local
	Bytes      int64 `json:"bytes,omitempty"`      // distinct bytes that lanes access; for cp.async the bytes read
	Sectors    int64 `json:"sectors,omitempty"`    // sectors of 32 bytes of global memory, counted for each access
	Wavefronts int64 `json:"wavefronts,omitempty"` // passes through the banks of shared memory
	Conflicts  int64 `json:"conflicts,omitempty"`  // wavefronts beyond the minimum for such an access
	Remote     int64 `json:"remote,omitempty"`     // sectors of the shared memory of other blocks of the cluster
	Bulk       int64 `json:"bulk,omitempty"`       // bytes of bulk copies, and of whole boxes of tensor copies
	Unknown    int64 `json:"unknown,omitempty"`    // accesses and bulk copies whose cost no model gives
}

// Add adds the counts of o to t.
func (t *Traffic) Add(o Traffic) {
	t.Accesses += o.Accesses
	t.Bytes += o.Bytes
	t.Sectors += o.Sectors
	t.Wavefronts += o.Wavefronts
	t.Conflicts += o.Conflicts
	t.Remote += o.Remote
	t.Bulk += o.Bulk
	t.Unknown += o.Unknown
}

// meterKind selects the model that counts an access.
type meterKind uint8

const (
	ofRequest meterKind = iota // ld and st
	ofAtomic                   // atom and red
	ofMatrix                   // ldmatrix and stmatrix
	ofCopy                     // cp.async.ca
	ofBypass                   // cp.async.cg
)

// A meter computes the cost of an instruction. Meters are part of the program; what a run remembers is in executions.
type meter struct {
	kind  meterKind
	at    place // the address; for a copy the address in shared memory
	from  place // for a copy: the address in global memory
	size  int   // for a copy: the slot of the number of bytes to read before zeros; -1 to read all
	width int   // bytes per lane
	whole bool  // all threads of the warp take part, on whichever path they are
	rule  *banks.Rule
	far   bool // the instruction may access the shared memory of other blocks
	odd   bool // no model covers the instruction
}

// hopper is the machine whose memory traffic is counted.
var hopper = sync.OnceValue(func() banks.Target {
	t, _ := banks.ParseTarget("sm90") // this target exists
	return t
})

// meterOf returns the meter of a decoded instruction, or nil if there is nothing to count.
func (d *decoder) meterOf(in *ptx.Instr) *meter {
	name, space := in.Op.Name(), in.Op.Space()
	at := meteredOperand(in.Op)
	if at < 0 || len(in.Operands) <= at || isUncounted(space) || isCountedLater(in) {
		return nil
	}
	to, err := d.address(in.Operands[at], space)
	if err != nil || to.lenient {
		return nil
	}
	m := &meter{size: -1, whole: name == "wmma", at: to.at, width: in.Op.Type().Bits() / 8 * in.Op.Vec()}
	m.far, m.odd = space == "" || space == "shared::cluster", space == ptx.Local || name == "wmma" || in.Op.Has("bulk")
	text := name + "." + string(in.Op.Type())
	switch name {
	case "ld", "ldu", "st":
		text = strings.TrimSuffix(name, "u") + "." + ptx.Int(8*m.width).String()
	case "atom", "red":
		m.kind, m.odd = ofAtomic, m.odd || in.Op.Vec() > 1
		text = atomicText(in.Op)
	case "ldmatrix", "stmatrix":
		m.kind, m.whole = ofMatrix, true
		text = matrixText(in.Op)
	case "cp":
		text = d.copyMeter(m, in)
	}
	m.rule = ruleOf(text, 8*m.width)
	return m
}

// ruleOf returns the rule that counts an access with the given bits per thread, or nil if there is no such rule.
func ruleOf(access string, bits int) *banks.Rule {
	a, err := banks.ParseAccess(access, bits)
	if err != nil {
		return nil
	}
	r, err := hopper().Rule(a)
	if err != nil {
		return nil
	}
	return &r
}

// meteredOperand returns the number of the operand whose address is counted, or -1 if no address is counted.
func meteredOperand(op ptx.Op) int {
	switch name := op.Name(); {
	case name == "wmma" && op.Has("mma"):
		return -1
	case name == "ld", name == "ldu", name == "atom", name == "ldmatrix", name == "wmma" && op.Has("load"):
		return 1
	case name == "st", name == "red", name == "stmatrix", name == "cp", name == "wmma":
		return 0
	}
	return -1
}

// isUncounted reports whether accesses to a space are not counted.
func isUncounted(s ptx.Space) bool {
	return s == ptx.Param || s == ptx.Const || strings.HasPrefix(string(s), "param::")
}

// isCountedLater reports whether in is an asynchronous operation that is counted when it begins: any except the
// cp.async of a thread.
func isCountedLater(in *ptx.Instr) bool {
	isThreadCopy := in.Op.Name() == "cp" && len(in.Operands) >= 3 && !in.Op.Has("bulk") && !in.Op.Has("mbarrier")
	return in.Op.Has("async") && !isThreadCopy
}

// atomicText names an atomic instruction as package banks does: operation and type.
func atomicText(op ptx.Op) string {
	words := []string{op.Name()}
	for m := range op.Mods() {
		switch m {
		case "add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas":
			words = append(words, m)
		}
	}
	return strings.Join(append(words, string(op.Type())), ".")
}

// matrixText names ldmatrix and stmatrix.
func matrixText(op ptx.Op) string {
	words := []string{op.Name()}
	for m := range op.Mods() {
		if slices.Contains([]string{"x1", "x2", "x4", "trans", "m8n8", "m16n16", "m8n16", "m16n8", "b8", "b16"}, m) {
			words = append(words, m)
		}
	}
	return strings.Join(words, ".")
}

// copyMeter completes the meter of a cp.async, and returns its name.
func (d *decoder) copyMeter(m *meter, in *ptx.Instr) string {
	from, err := d.address(in.Operands[1], ptx.Global)
	size, ok := in.Operands[2].(ptx.Int)
	if err != nil || !ok {
		m.odd = true
	}
	m.from, m.width, m.kind = from.at, int(size), ofCopy
	text := "cp.async."
	if in.Op.Has("cg") {
		m.kind, text = ofBypass, "cp.async.cg."
	}
	rest := in.Operands[3:]
	if in.Op.Has("L2::cache_hint") && len(rest) > 0 {
		rest = rest[:len(rest)-1]
	}
	if len(rest) > 0 {
		// The operand is the number of bytes to read or, without a slot, a predicate that suppresses the read.
		m.size, err = d.src(rest[0], ptx.U32)
		m.odd = m.odd || err != nil
	}
	return text + size.String()
}

// A pattern records the last access of an instruction and the cost, since accesses in a loop mostly cost the same.
type pattern struct {
	mask   uint32
	low    [2]uint64 // the part of the first lane's address that affects the cost; for a copy, of both addresses
	window uint64    // the state space
	delta  [lanes]uint64
	second [lanes]uint64
	cost   Traffic
}

// low returns the part of the first lane's address that the cost depends on: its position in a line or, if the access
// may go to another block, its position in that block's shared memory.
func (m *meter) low(w *warp, at uint64) uint64 {
	if m.far && at < globalBase {
		return at - w.block.shared.base
	}
	return at % banks.LineBytes
}

// count sets w.cost to the cost of the instruction of the current path, using the pattern in c. It runs before the
// instruction, which may overwrite its own addresses.
func (m *meter) count(w *warp, mask uint32, c *executions) {
	if m.whole {
		mask = w.live
	}
	if m.size >= 0 && !m.full(w, mask) {
		w.cost = m.cost(w, mask)
		return
	}
	f := w.f
	base := &f.regs[m.at.slot]
	if m.quick(w, base, mask) {
		return
	}
	first := lowest(mask)
	at := base[first] + uint64(m.at.offset)
	low, window, second := m.low(w, at), at&^(windowSize-1), uint64(0)
	var from *vector
	if m.kind >= ofCopy {
		from = &f.regs[m.from.slot]
		second = (from[first] + uint64(m.from.offset)) % banks.LineBytes
	}
	p := c.seen
	if p != nil && p.mask == mask && p.low == [2]uint64{low, second} && p.window == window && same(&p.delta, base, mask) &&
		(from == nil || same(&p.second, from, mask)) {
		w.cost = p.cost
		return
	}
	if p == nil {
		p = &pattern{}
		c.seen = p
	}
	p.mask, p.low, p.window = mask, [2]uint64{low, second}, window
	differences(&p.delta, base, mask)
	if from != nil {
		differences(&p.second, from, mask)
	}
	p.cost = m.cost(w, mask)
	w.cost = p.cost
}

// quick computes the cost of the common case by a formula: lanes that access consecutive elements. The cost is the
// number of sectors from the first to the last, or one wavefront for each 128 bytes. quick reports whether the case
// applies.
func (m *meter) quick(w *warp, base *vector, mask uint32) bool {
	if m.kind != ofRequest || m.odd {
		return false
	}
	first, n := lowest(mask), uint64(m.width)
	at, bad := base[first], uint64(0)
	last := uint64(31-first) * n
	if mask == all {
		differs := uint64(0)
		for i, x := range base {
			bad |= x - at ^ uint64(i)*n
			differs |= x ^ at
		}
		if differs == 0 && at+uint64(m.at.offset) >= globalBase { // all lanes access the same element
			bad, last = 0, 0
		}
	} else {
		lanes := mask >> first
		if lanes&(lanes+1) != 0 {
			return false
		}
		for k := mask; k != 0; k &= k - 1 {
			i := lowest(k)
			last = uint64(i-first) * n
			bad |= base[i] - at ^ last
		}
	}
	if bad != 0 {
		return false
	}
	at += uint64(m.at.offset)
	switch end, bytes := at+last+n-1, int64(last+n); {
	case at >= globalBase:
		w.cost = Traffic{Accesses: 1, Bytes: bytes, Sectors: int64(end/banks.SectorBytes - at/banks.SectorBytes + 1)}
		return true
	case mask == all && m.rule != nil && w.block.ownShared(at) && w.block.ownShared(end):
		w.cost = Traffic{Accesses: 1, Bytes: bytes, Wavefronts: max(int64(n)/4, 1)}
		return true
	}
	return false
}

// same reports whether the lanes of mask in v differ from the first of these lanes by delta.
func same(delta *[lanes]uint64, v *vector, mask uint32) bool {
	bad := uint64(0)
	if mask == all {
		for i, x := range v {
			bad |= x - v[0] ^ delta[i]
		}
		return bad == 0
	}
	first := v[lowest(mask)]
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		bad |= v[i] - first ^ delta[i]
	}
	return bad == 0
}

func differences(delta *[lanes]uint64, v *vector, mask uint32) {
	first := v[lowest(mask)]
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		delta[i] = v[i] - first
	}
}

// cost returns the cost of one execution by the lanes of mask, according to the models.
func (m *meter) cost(w *warp, mask uint32) Traffic {
	t := Traffic{Accesses: 1}
	if m.odd {
		t.Unknown = 1
	}
	addrs := inactive
	var local, global, shared, remote uint32
	for k := mask; k != 0; k &= k - 1 {
		i := lowest(k)
		a := w.f.regs[m.at.slot][i] + uint64(m.at.offset)
		switch {
		case a >= globalBase:
			global |= 1 << i
		case a&^(windowSize-1) == localWindow:
			local |= 1 << i
		case a&^(windowSize-1) == paramWindow:
			continue
		case w.block.ownShared(a):
			shared |= 1 << i
		default:
			remote |= 1 << i
		}
		addrs[i] = int64(a & (1<<62 - 1))
		if a < globalBase {
			addrs[i] = int64(a & (windowSize - 1))
		}
	}
	if local != 0 {
		t.Unknown = 1
	}
	if m.odd {
		return t
	}
	if global != 0 {
		m.global(&t, only(&addrs, global))
	}
	if shared != 0 {
		m.countShared(w, &t, only(&addrs, shared))
	}
	if remote != 0 {
		m.remote(&t, only(&addrs, remote))
	}
	return t
}

// inactive contains the addresses of lanes that access nothing.
var inactive = func() (a [lanes]int64) {
	for i := range a {
		a[i] = banks.Inactive
	}
	return a
}()

// only returns addrs with all lanes outside mask inactive.
func only(addrs *[lanes]int64, mask uint32) *[lanes]int64 {
	out := inactive
	for m := mask; m != 0; m &= m - 1 {
		i := lowest(m)
		out[i] = addrs[i]
	}
	return &out
}

func (m *meter) global(t *Traffic, addrs *[lanes]int64) {
	traffic := banks.RequestTraffic
	if m.kind == ofAtomic {
		traffic = banks.AtomicTraffic
	}
	got, err := traffic(addrs[:], m.width)
	if err != nil {
		t.Unknown = 1
		return
	}
	t.Sectors += int64(got.Sectors)
	t.Bytes += got.Bytes
}

func (m *meter) countShared(w *warp, t *Traffic, addrs *[lanes]int64) {
	if m.kind >= ofCopy {
		m.countCopied(w, t, *addrs)
	}
	if m.kind == ofBypass {
		return // cp.async.cg bypasses the unit whose wavefronts are counted
	}
	if m.rule == nil {
		t.Unknown = 1
		return
	}
	got, err := m.rule.Count(addrs[:m.rule.Lanes()])
	if err != nil {
		t.Unknown = 1
		return
	}
	t.Wavefronts += int64(got.Wavefronts)
	t.Conflicts += int64(got.Wavefronts - got.Ideal)
	if m.kind < ofCopy {
		t.Bytes += m.bytes(addrs[:m.rule.Lanes()])
	}
}

// bytes returns the number of distinct bytes at addresses.
func (m *meter) bytes(addrs []int64) int64 {
	width := m.width
	if m.kind == ofMatrix {
		width = matrixBytes
	}
	t, _ := banks.RequestTraffic(addrs, width) // the rule has already accepted these addresses
	return t.Bytes
}

// matrixBytes is the size of the row that a lane addresses for ldmatrix and stmatrix, in bytes.
const matrixBytes = 16

// full reports whether a copy reads all its bytes in all lanes of mask.
func (m *meter) full(w *warp, mask uint32) bool {
	for k := mask; k != 0; k &= k - 1 {
		if w.f.regs[m.size][lowest(k)] != uint64(m.width) {
			return false
		}
	}
	return true
}

// countCopied counts the sectors that cp.async reads, given its addresses in shared memory.
func (m *meter) countCopied(w *warp, t *Traffic, to [lanes]int64) {
	from := inactive
	for i, a := range to {
		if a == banks.Inactive {
			continue
		}
		from[i] = int64(w.f.regs[m.from.slot][i]+uint64(m.from.offset)) & (1<<62 - 1)
		if m.size < 0 {
			continue
		}
		switch n := w.f.regs[m.size][i]; {
		case n == 0: // the lane only writes zeros: with .cg, an H100 does not include it in the request
			from[i], to[i] = banks.Inactive, banks.Inactive
			if m.kind != ofBypass {
				t.Unknown = 1
			}
		case n < uint64(m.width):
			t.Unknown = 1
		}
	}
	got, err := banks.Traffic{}, error(nil)
	if m.kind == ofBypass {
		got, err = banks.CopyTraffic(to[:], from[:])
	} else {
		got, err = banks.RequestTraffic(from[:], m.width)
	}
	if err != nil {
		t.Unknown = 1
	}
	t.Sectors += int64(got.Sectors)
	t.Bytes += got.Bytes
}

// remote counts the accesses to the shared memory of other blocks.
func (m *meter) remote(t *Traffic, addrs *[lanes]int64) {
	got, err := banks.RequestTraffic(addrs[:], m.width)
	if err != nil || m.kind != ofRequest {
		t.Unknown = 1
		return
	}
	t.Remote += int64(got.Sectors)
	t.Bytes += got.Bytes
}

// ownShared reports whether an address, generic or of shared memory, is in the shared memory of b.
func (b *block) ownShared(a uint64) bool {
	off := a&(windowSize-1) - b.shared.base
	return off < uint64(len(b.shared.data))
}

// note adds traffic of the current path's instruction that the instruction's meter does not count.
func (w *warp) note(t Traffic) { w.f.counts[w.p.pc].traffic.Add(t) }

// noteBulk counts a bulk copy or reduction of n bytes to blocks of the cluster, or to global memory.
func (w *warp) noteBulk(to, from spot, n uint64) {
	t := Traffic{Bulk: int64(n)}
	var got banks.Traffic
	var err error
	at := func(s spot) int64 { return int64((s.seg.base + s.off) & (1<<60 - 1)) }
	switch toShared := to.seg.owner != nil; {
	case toShared && from.seg.owner != nil:
		got, err = banks.RemoteBulkTraffic(at(to), at(from), int64(n))
		t.Remote = int64(got.Sectors)
	case toShared:
		got, err = banks.BulkTraffic(at(to), at(from), int64(n))
		t.Sectors = int64(got.Sectors)
	default:
		got, err = banks.BulkTraffic(at(from), at(to), int64(n))
		t.Sectors = int64(got.Sectors)
	}
	if err != nil || w.instr().src.Op.Has("multicast::cluster") {
		t.Unknown = 1
	}
	w.note(t)
}

// noteBox counts a copy or reduction of a tensor's box. A store from shared memory touches the sectors of the bytes
// that it writes (measured on an H100 with three kernels of the corpus). A load also fetches elements outside the
// tensor, by an unknown rule, so its sectors are not counted.
func (w *warp) noteBox(b *boxAt) {
	t := Traffic{Bulk: b.Bytes()}
	if !w.instr().src.Op.Has("bulk_group") { // a load, whose sectors are unknown
		t.Unknown = 1
	} else {
		for _, s := range b.plan.global {
			first := int64(b.global) + s.at
			t.Sectors += (first+s.n-1)/banks.SectorBytes - first/banks.SectorBytes + 1
		}
	}
	w.note(t)
}

// noteRemote counts the bytes that st.async and red.async write.
func (w *warp) noteRemote(list []region) {
	t, addrs, n := Traffic{Accesses: 1}, inactive, 0
	for _, r := range list {
		addrs[r.lane], n = int64(r.seg.base+r.off), int(r.n)
		if r.atomic {
			t.Unknown = 1
		}
	}
	if got, err := banks.RequestTraffic(addrs[:], n); err == nil && t.Unknown == 0 {
		t.Remote, t.Bytes = int64(got.Sectors), got.Bytes
	}
	w.note(t)
}
