package sim

import "math/bits"

// This file records the accesses to each 4-byte word of shared memory: the last write, and the reads after it.

// A word records the accesses to 4 bytes of shared memory.
type word struct {
	wrote    uint32 // time of the last write; 0 for never
	wroteAt  uint32 // instruction and lane of the last write, see grid.site
	read     uint32 // earliest epoch of a read since the last write, or since all warps last met
	readAt   uint32 // instruction and lane of the last read
	firstAt  uint32 // instruction and lane of the first read
	readers  uint32 // mask of the block's warps that read the word; each read the bytes in the upper half of bytes
	filling  uint32 // number of the operation in flight that writes the word
	draining uint32 // number of the operation in flight that reads the word
	writer   uint16
	how      how
	bytes    uint8 // bytes that were written, one bit each; in the upper half, bytes that were read
	reader   uint8 // warp of the block that made the read at readAt
	first    uint8 // warp of the block that made the read at firstAt
	mixed    bool  // lanes of a warp have read different bytes of the word
	far      farRead
}

// A farRead is a read by an actor that is not a warp of the block, or a strong read.
type farRead struct {
	time  uint32 // 0 for none
	at    uint32 // instruction and lane
	who   uint16
	bytes uint8
	scope uint8 // 1 + the scope of a strong read; 0 for a weak one
}

// how returns how strong the read is.
func (r *farRead) how() how {
	if r.scope == 0 {
		return 0
	}
	return strong | ambit(r.scope-1).how()
}

const (
	pageWords = 256
	allBytes  = 15
)

// wordPage covers 1 KB of shared memory.
type wordPage struct { // pointers first: the garbage collector reads no further
	sync    *[pageWords]*syncPoint
	tensors *[pageWords * 4 / pieceBytes][maxWarpgroups]tensorRead // nil if no wgmma has read the page
	same    *[pageWords]sameStore                                  // nil if each store has changed its word
	words   [pageWords]word
}

const (
	pieceBytes    = 16 // bytes that wgmma reads at once
	maxWarpgroups = 8  // the most warpgroups of a block
)

// A tensorRead is the last read of a piece by the wgmma of a warpgroup: its time and its instruction. Earlier reads by
// the warpgroup come before the last read.
type tensorRead struct{ time, at uint32 }

// noteTensor records that wgmma of a warpgroup has read the piece at off.
func (s *segment) noteTensor(off uint64, group int, r tensorRead) {
	page := s.wordPage(off)
	if page.tensors == nil {
		page.tensors = new([pageWords * 4 / pieceBytes][maxWarpgroups]tensorRead)
	}
	page.tensors[off/pieceBytes%(pageWords*4/pieceBytes)][group] = r
}

// unknownTensor returns a warpgroup of the block of seg and a read of word x at off by its wgmma, if the read came
// after the last write and is unknown to w; otherwise -1. A thread that knows the last write knows all reads before it.
func (w *warp) unknownTensor(x *word, seg *segment, off uint64) (group int, r *tensorRead) {
	page := seg.wordPage(off)
	if page.tensors == nil {
		return -1, nil
	}
	piece := &page.tensors[off/pieceBytes%(pageWords*4/pieceBytes)]
	for g := range seg.owner.groups {
		r := &piece[g]
		if r.time > x.wrote && !w.knows(moment{w.clock.team, r.time, seg.owner.groups[g].actor}) {
			return g, r
		}
	}
	return -1, nil
}

// word returns the word at off.
func (s *segment) word(off uint64) *word {
	return &s.wordPage(off).words[off/4%pageWords]
}

func (s *segment) wordPage(off uint64) *wordPage {
	i := off / (4 * pageWords)
	if s.words == nil {
		s.words = make([]*wordPage, len(s.data)/(4*pageWords)+1)
	}
	p := s.words[i]
	if p == nil {
		s.owner.grid.keep(wordPageBytes)
		p = &wordPage{}
		s.words[i] = p
	}
	return p
}

// isBy reports whether the given lane of an actor wrote x last, or another lane of the actor did before the lanes met,
// which was at the time met.
func (x *word) isBy(actor uint16, met uint32, lane int) bool {
	return x.writer == actor && (x.wrote <= met || int(x.wroteAt&31) == lane)
}

// knowsWrite reports whether the last write to x comes before the present action of a lane of w.
func (w *warp) knowsWrite(x *word, lane int) bool {
	if x.writer == w.actor { // elsewhere compares lanes that store at one instruction
		return x.how&(agreed|several) != 0 || x.wroteAt&^31 == w.site() || w.knowsOwn(x.wrote, int(x.wroteAt&31), lane)
	}
	return x.wrote <= w.team.born || x.how&agreed != 0 ||
		w.knowsAt(moment{w.clock.team, x.wrote, x.writer}, x.wroteAt, lane)
}

// unknownReader returns a warp of the block whose read of bytes of x is unknown to w, or -1.
func (w *warp) unknownReader(x *word, seg *segment, by byLane) int {
	if w.block == seg.owner {
		if x.read <= w.clock.floor {
			return -1
		}
	} else if x.read <= w.team.born {
		return -1
	}
	for m := x.readers; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		at := moment{w.clock.team, x.read, seg.owner.first + uint16(i)}
		if at.who != w.actor {
			if (!w.knowsRead(x, at, i) || w.hides(at, by.lane)) && !w.knowsByWgmma(seg.owner, i, x.read) {
				return i
			}
		} else if w.unknownLanes(x, by.bytes, by.lane) {
			return i
		}
	}
	return -1
}

// knowsSome reports whether w knows event m of a warp for some lanes of that warp.
func (w *warp) knowsSome(m moment) bool {
	return w.clock.knowsSome(m) || w.clock.shared != nil && w.clock.shared.knowsSome(m)
}

// noteRead records that w reads bytes of x now.
func (x *word) noteRead(w *warp, seg *segment, now uint32, b uint8) {
	if w.block != seg.owner {
		x.noteFar(w, farRead{now, x.readAt, w.actor, b, 0})
		seg.remote = true
		return
	}
	bit := uint32(1) << w.id
	was := x.mixed
	x.mixed = was || x.bytes>>4 != b
	switch {
	case x.read <= w.clock.floor || x.readers == 0:
		x.read, x.readers, x.bytes = now, bit, x.bytes&allBytes|b<<4
		x.first, x.firstAt = uint8(w.id), x.readAt
		x.mixed = false
	case x.bytes>>4 == b:
		x.readers |= bit
		x.read = min(x.read, now)
	case x.readers == bit:
		x.bytes |= b << 4
	default:
		x.read, x.readers, x.bytes = now, bit, x.bytes&allBytes|b<<4
		x.first, x.firstAt, x.mixed = uint8(w.id), x.readAt, false
	}
	x.reader = uint8(w.id)
}

// noteFar records a read by an actor that is not a warp of the block. The read replaces an earlier read that is known
// to w or has the same actor; any other earlier read is kept instead.
func (x *word) noteFar(w *warp, r farRead) {
	old := &x.far
	switch {
	case old.time == 0, old.bytes&^r.bytes == 0 && w.knowsFar(old, int(r.at&31)):
		*old = r
	case old.bytes&^r.bytes == 0 && old.who == r.who && (old.scope > 0 || r.scope == 0):
		*old = r
	case old.who == r.who && old.scope == r.scope:
		old.bytes |= r.bytes
		old.time = min(old.time, r.time)
	}
}

// unknownFar reports whether x.far is a read of bytes that a write conflicts with.
func (w *warp) unknownFar(x *word, by byLane) bool {
	return x.far.time != 0 && x.far.bytes&by.bytes != 0 && x.far.who != w.actor && !w.knowsFar(&x.far, by.lane) &&
		!w.mayMeet(by.how, x.far.how(), moment{w.clock.team, x.far.time, x.far.who})
}

// knowsOperation reports whether w knows that an operation has completed at an mbarrier after it read the bytes that
// were written last: the operation came after the write, so w comes after it, too. tcgen05.commit tells other blocks of
// the cluster so that they may fill the shared memory which the multiplication has read.
func (w *warp) knowsOperation(x *word, by byLane) bool {
	return x.far.time != 0 && x.far.scope == 0 && int(x.far.who) >= len(w.team.warps) &&
		x.bytes&by.bytes&^x.far.bytes == 0 && w.knowsFar(&x.far, by.lane)
}

func (w *warp) knowsFar(r *farRead, lane int) bool {
	return w.knowsAt(moment{w.clock.team, r.time, r.who}, r.at, lane)
}

// knowsLane reports whether w knows an event of one lane.
func (w *warp) knowsLane(m moment, lane int) bool {
	return w.clock.knowsLane(m, lane) || w.clock.shared != nil && w.clock.shared.knowsLane(m, lane)
}

// knowsAt reports whether a lane of w knows event m of the lane in a site.
func (w *warp) knowsAt(m moment, site uint32, lane int) bool {
	return (w.knows(m) || w.knowsLane(m, int(site&31))) && !w.hides(m, lane)
}

// noteWrite records that bytes of x were written.
func (x *word) noteWrite(who uint16, now uint32, b uint8, h how) {
	if x.writer == who && x.wrote == now && x.how&^several == h {
		if more := x.bytes & allBytes; more != b {
			b |= more
			h |= several
		}
	}
	x.wrote, x.writer, x.bytes, x.how = now, who, b, h
	x.readers, x.read, x.far.time, x.mixed = 0, 0, 0, false
}

// wordBytes returns which bytes of the first word are among the n bytes at off, one bit each.
func wordBytes(off uint64, n int) uint8 {
	if n >= 4 {
		return allBytes
	}
	return uint8(ones(n) << (off & 3))
}

// readWords checks and records the reads of the lanes of mask at w.off, n bytes each. It returns a lane that has a
// finding, or -1.
func (w *warp) readWords(seg *segment, mask uint32, n int) int {
	now, at := w.epoch(byAtomic), w.site()
	floor, actor, home, met := w.clock.floor, w.actor, w.block == seg.owner, w.metAt()
	if !home {
		floor = w.team.born
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		off := w.off[lane]
		b := wordBytes(off, n)
		for end := off + uint64(n); off < end; off += 4 {
			page := seg.wordPage(off)
			x := &page.words[off/4%pageWords]
			quick := x.filling == 0 && page.same == nil &&
				(x.wrote <= floor && x.how&slow == 0 || x.bytes&b == 0 || x.isBy(actor, met, lane))
			if !quick && !w.readWord(seg, off, byLane{lane: lane, bytes: b}) {
				return lane
			}
			last := x.readAt
			x.readAt = at | uint32(lane)
			if home && x.bytes>>4 == b && x.read > floor {
				x.readAgain(w, now, last)
				continue
			}
			x.noteRead(w, seg, now, b)
		}
	}
	return -1
}

// readWord checks a read of the word at off. It reports whether the run goes on.
func (w *warp) readWord(seg *segment, off uint64, by byLane) bool {
	page, x := seg.wordPage(off), seg.word(off)
	if x.filling != 0 || x.bytes&by.bytes != 0 && !w.mayRead(x, seg, off, by) {
		if w.readConflict(seg, off, x, by.lane); !w.goesOn() {
			return false
		}
		seg.defineAll(off, 4)
	}
	return page.same == nil || w.checkSame(page, crossing{seg, seg.base + off, false}, by, GradeSame)
}

// readAgain records a read of bytes that were read before, by the lane of x.readAt; last is the previous read. If only
// w has read them, and all earlier reads come before this read, a thread that knows this read knows the earlier ones.
func (x *word) readAgain(w *warp, now, last uint32) {
	bit := uint32(1) << w.id
	if x.readers == bit && x.read < now &&
		(x.read <= w.metAt() || (last^x.readAt)&31 == 0 && (x.firstAt^x.readAt)&31 == 0) {
		x.read, x.firstAt = now, x.readAt
	}
	x.readers |= bit
	x.read = min(x.read, now)
	x.reader = uint8(w.id)
}

// mayRead reports whether an access by a lane of w may follow the last write to x, which is at off. Either the write is
// known to w, or the two accesses are morally strong.
func (w *warp) mayRead(x *word, seg *segment, off uint64, by byLane) bool {
	return w.knowsWrite(x, by.lane) || w.mayMeet(by.how, x.how, moment{w.clock.team, x.wrote, x.writer}) ||
		x.how.isStrong() && w.hasRead(seg, off)
}

// writeWords checks and records the writes of the lanes of mask at w.off, n bytes each.
func (w *warp) writeWords(seg *segment, mask uint32, n int) int {
	now, at := w.epoch(byAtomic), w.site()
	floor, met, bit, h := w.clock.floor, w.metAt(), uint32(1)<<w.id, how(0)
	home := w.block == seg.owner
	if !home {
		h, seg.remote = fromFar, true
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		off := w.off[lane]
		b := wordBytes(off, n)
		for end := off + uint64(n); off < end; off += 4 {
			page := seg.wordPage(off)
			x := &page.words[off/4%pageWords]
			quick := home && x.filling|x.draining == 0 && x.far.time == 0 &&
				(x.wrote <= floor && x.how&slow == 0 || x.isBy(w.actor, met, lane)) &&
				(x.readers == 0 || x.read <= floor || x.readers == bit && x.read <= met) &&
				page.sync == nil && page.tensors == nil && x.how&object == 0
			if !quick && !w.mayWrite(x, seg, off, byLane{lane: lane, bytes: b}) {
				if w.writeConflict(seg, off, x, byLane{lane: lane, bytes: b}); !w.goesOn() {
					return lane
				}
			}
			if x.how&object != 0 && !w.overwrite(seg, off, lane) {
				return lane
			}
			if page.same != nil && !w.overSame(page, crossing{seg, seg.base + off, true}, byLane{lane: lane, bytes: b}) {
				return lane
			}
			if page.sync != nil {
				if p := page.sync[off/4%pageWords]; p != nil {
					p.forget()
				}
			}
			x.noteWrite(w.actor, now, b, h)
			x.wroteAt = at | uint32(lane)
		}
	}
	return -1
}

// mayWrite reports whether w may write bytes of x.
func (w *warp) mayWrite(x *word, seg *segment, off uint64, by byLane) bool {
	b := by.bytes
	if x.draining != 0 || x.filling != 0 && !(by.isAtomic() && w.block.grid.ops[x.filling].atomic()) {
		return false
	}
	if x.bytes&b != 0 && !w.mayRead(x, seg, off, by) && !w.knowsOperation(x, by) || w.unknownFar(x, by) {
		return false
	}
	if g, _ := w.unknownTensor(x, seg, off); g >= 0 {
		return false
	}
	return x.bytes>>4&b == 0 || w.unknownReader(x, seg, by) < 0
}
