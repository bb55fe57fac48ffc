package sim

import "math/bits"

// What is known of shared memory is kept for each word of 4 bytes: its last write, and the reads since.

// A word is what happened to 4 bytes of shared memory.
type word struct {
	wrote    uint32 // when they were last written; 0 for never
	wroteAt  uint32 // by which instruction and lane, see grid.site
	read     uint32 // when they were first read since, or since all warps last met
	readAt   uint32 // by which instruction and lane, the last time
	readers  uint32 // warps of the block that read them, all of them the bytes of readBytes
	farTime  uint32 // when an actor that is no warp of the block read them last
	filling  uint32 // number of the operation in flight that writes to them
	draining uint32 // number of one that reads them
	farAt    uint32 // by which instruction and lane at farTime
	writer   uint16
	far      uint16
	bytes    uint8 // that were written, a bit each; read ones in the upper half
	how      how
	reader   uint8 // warp of the block of readAt
}

// how is by what something was written.
type how uint8

const (
	byOperation how = 1 << iota // an asynchronous operation
	fromFar                     // another block
	byAtom                      // an atomic instruction
	strong                      // a store that is .volatile, .relaxed or .release
	agreed                      // several wrote the same, in no order
	object                      // mbarrier.init: the word is half of one
	inFlight                    // an operation that has not completed, in records of global memory
)

// slow are writers that are not warps of the block.
const slow = byOperation | fromFar

const (
	pageWords = 256
	allBytes  = 15
)

// wordPage has 1 KB of shared memory.
type wordPage struct {
	words [pageWords]word
	sync  *[pageWords]*syncPoint
}

// word returns what is known of the word at off.
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
		p = &wordPage{}
		s.words[i] = p
	}
	return p
}

// knowsWrite reports whether the last write to x comes before what w does now.
func (w *warp) knowsWrite(x *word) bool {
	return x.wrote <= w.team.born || x.writer == w.actor || x.how&agreed != 0 ||
		w.knows(moment{w.clock.team, x.wrote, x.writer}) ||
		len(w.clock.parts) > 0 && w.clock.knowsLane(moment{w.clock.team, x.wrote, x.writer}, int(x.wroteAt&31))
}

// unknownReader returns a warp of the block that read x, and of which w does not know that, or -1.
func (w *warp) unknownReader(x *word, seg *segment) int {
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
		if !w.knows(at) && !w.knowsSome(at) {
			return i
		}
	}
	return -1
}

// knowsSome reports whether some lanes of a warp are known at an event of it.
func (w *warp) knowsSome(m moment) bool {
	for _, p := range w.clock.parts {
		if p.who == m.who && m.time <= p.time {
			return true
		}
	}
	return false
}

// noteRead notes that w reads bytes of x now.
func (x *word) noteRead(w *warp, seg *segment, now uint32, b uint8) {
	if w.block != seg.owner {
		x.noteFar(w, now, w.actor, x.readAt)
		seg.remote = true
		return
	}
	bit := uint32(1) << w.id
	switch {
	case x.read <= w.clock.floor || x.readers == 0:
		x.read, x.readers, x.bytes = now, bit, x.bytes&allBytes|b<<4
	case x.bytes>>4 == b:
		x.readers |= bit
	case x.readers == bit:
		x.bytes |= b << 4
	default:
		x.read, x.readers, x.bytes = now, bit, x.bytes&allBytes|b<<4
	}
	x.reader = uint8(w.id)
}

// noteFar notes that an actor that is no warp of the block has read x, where w knows of it.
func (x *word) noteFar(w *warp, now uint32, who uint16, at uint32) {
	if x.far == who || w.knows(moment{w.clock.team, x.farTime, x.far}) {
		x.far, x.farTime, x.farAt = who, now, at
	}
}

// noteWrite notes that bytes of x were written.
func (x *word) noteWrite(who uint16, now uint32, b uint8, h how) {
	if x.writer == who && x.wrote == now && x.how == h {
		b |= x.bytes & allBytes
	}
	x.wrote, x.writer, x.bytes, x.how = now, who, b, h
	x.readers, x.read, x.farTime = 0, 0, 0
}

// wordBytes returns which bytes of its word n bytes at off are, a bit each.
func wordBytes(off uint64, n int) uint8 {
	if n >= 4 {
		return allBytes
	}
	return uint8(ones(n) << (off & 3))
}

// readWords looks at the words that the lanes of mask read at w.off, n bytes each, and notes that. It returns a lane of
// which a finding was noted, or -1.
func (w *warp) readWords(seg *segment, mask uint32, n int) int {
	now, at := w.epoch(byAtomic), w.site()
	floor, actor, home := w.clock.floor, w.actor, w.block == seg.owner
	if !home {
		floor = w.team.born
	}
	bit := uint32(1) << w.id
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		off := w.off[lane]
		b := wordBytes(off, n)
		for end := off + uint64(n); off < end; off += 4 {
			x := seg.word(off)
			if x.filling != 0 || (x.wrote > floor || x.how&slow != 0) && x.writer != actor && x.bytes&b != 0 && !w.mayRead(x, seg, off) {
				w.readConflict(seg, off, x, lane)
				return lane
			}
			x.readAt = at | uint32(lane)
			if home && x.bytes>>4 == b && x.read > floor {
				x.readers |= bit
				x.reader = uint8(w.id)
				continue
			}
			x.noteRead(w, seg, now, b)
		}
	}
	return -1
}

// mayRead reports whether w may read x, whose last write is not of w: it is known, or by an instruction that orders.
func (w *warp) mayRead(x *word, seg *segment, off uint64) bool {
	if w.knowsWrite(x) {
		return true
	}
	if x.how&strong != 0 {
		w.learn(moment{w.clock.team, x.wrote, x.writer})
		return true
	}
	return false
}

// writeWords looks at the words that the lanes of mask write at w.off, n bytes each, and notes that.
func (w *warp) writeWords(seg *segment, mask uint32, n int) int {
	now, at := w.epoch(byAtomic), w.site()
	floor, bit, h := w.clock.floor, uint32(1)<<w.id, how(0)
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
			quick := home && x.filling|x.draining == 0 && x.farTime == 0 && (x.wrote <= floor && x.how&slow == 0 || x.writer == w.actor) &&
				(x.readers&^bit == 0 || x.read <= floor) && page.sync == nil && x.how&object == 0
			if !quick && !w.mayWrite(x, seg, off, b) {
				w.writeConflict(seg, off, x, lane)
				return lane
			}
			if x.how&object != 0 && !w.overwrite(seg, off, lane) {
				return lane
			}
			if page.sync != nil {
				if p := page.sync[off/4%pageWords]; p != nil {
					w.storeRelease(p)
					x.noteWrite(w.actor, now, b, h|strong)
					x.wroteAt = at | uint32(lane)
					continue
				}
			}
			x.noteWrite(w.actor, now, b, h)
			x.wroteAt = at | uint32(lane)
		}
	}
	return -1
}

// mayWrite reports whether w may write bytes of x.
func (w *warp) mayWrite(x *word, seg *segment, off uint64, b uint8) bool {
	if x.filling|x.draining != 0 {
		return false
	}
	if x.bytes&b != 0 && x.how&strong == 0 && !w.knowsWrite(x) {
		return false
	}
	if x.farTime != 0 && x.far != w.actor && !w.knows(moment{w.clock.team, x.farTime, x.far}) {
		return false
	}
	return x.bytes>>4&b == 0 || w.unknownReader(x, seg) < 0
}
