package sim

import (
	"math/bits"

	"girih/ptx"
)

// This file records which bytes of global memory a run has written, and which bytes ld.global.nc has read, for kernels
// that need the record. ld.global.nc may return a value that a cache has kept since an earlier load. It is meant for
// bytes that no thread writes while the kernel runs (PTX ISA, ld.global.nc), and no barrier or fence changes that. If
// the kernel writes a byte before ld.global.nc reads it, this is a fault, even if the store did not change the value.
// If a byte is written after it was read, as in a kernel that works in place, this is a fault only in a strict run. The
// log also records the last change of each tensor map; see mapfence.go.

const (
	logPageBytes = 4096
	granuleBytes = 32 // the granularity, in bytes, at which writing instructions are recorded
)

// A byteLog contains the pages of global memory that were accessed, by number.
type byteLog struct {
	pages map[uint64]*logPage
	last  *logPage // the page of the last access
	at    uint64   // the number of that page
	maps  map[uint64][]mapFence
}

// A logPage is the record of 4096 bytes.
type logPage struct {
	read, wrote [logPageBytes / 64]uint64 // one bit for each byte
	reader      [logPageBytes / granuleBytes]uint32
	writer      [logPageBytes / granuleBytes]uint32 // by granule: the instruction and the lane
	changed     [logPageBytes / mapAlign]uint32     // by position of a possible tensor map: the time of the last write
}

// logPageSize is the size of a logPage, and of its entry in the map.
const logPageSize = 2*logPageBytes/8 + 2*4*logPageBytes/granuleBytes + 4*logPageBytes/mapAlign + 64

// manySites marks a granule that several instructions have accessed.
const manySites = ^uint32(0)

// newByteLog returns the log of a run of k, or nil if no instruction of the kernel needs a log.
func (k *kernel) newByteLog() *byteLog {
	for _, f := range k.list {
		for i := range f.code {
			if in := f.code[i].src; in != nil && (isNoncoherent(in.Op) || in.Op.Name() == "cp" && in.Op.Has("tensor")) {
				return &byteLog{pages: map[uint64]*logPage{}, maps: map[uint64][]mapFence{}}
			}
		}
	}
	return nil
}

// isNoncoherent reports whether op is a load through the cache that is not coherent.
func isNoncoherent(op ptx.Op) bool { return op.Name() == "ld" && op.Has("nc") }

// page returns the page that contains a byte. If the page does not exist, it creates the page, or returns nil if g is
// nil.
func (l *byteLog) page(address uint64, g *grid) *logPage {
	n := address / logPageBytes
	if l.last != nil && l.at == n {
		return l.last
	}
	p := l.pages[n]
	if p == nil {
		if g == nil {
			return nil
		}
		g.keep(logPageSize)
		p = &logPage{}
		l.pages[n] = p
	}
	l.last, l.at = p, n
	return p
}

// keepsLog reports whether the run records accesses to seg.
func (w *warp) keepsLog(seg *segment) bool {
	return w.block.grid.log != nil && seg.owner == nil && seg.tracked
}

// logAs is the kind of an access.
type logAs uint8

const (
	logRead logAs = iota // a read by ld.global.nc
	logWrite
)

// logLanes records that each lane of mask writes n bytes at its offset w.off, or reads them by ld.global.nc. It returns
// false if one of the accesses conflicts with an earlier access and the run ends.
func (w *warp) logLanes(seg *segment, mask uint32, n int, as logAs) bool {
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		if !w.logBytes(seg, lane, byteRange{w.off[lane], uint64(n)}, as) {
			return false
		}
	}
	return true
}

// noteStores is noteWrites for a run that may have a byteLog.
func (w *warp) noteStores(seg *segment, mask uint32, n int) int {
	if w.keepsLog(seg) && !w.logLanes(seg, mask, n, logWrite) {
		return lowest(mask)
	}
	return w.noteWrites(seg, mask, n)
}

// byteRange is a range of n bytes at an offset.
type byteRange struct{ off, n uint64 }

// logBytes is logLanes for a range of bytes of one lane.
func (w *warp) logBytes(seg *segment, lane int, x byteRange, as logAs) bool {
	g, site, write := w.block.grid, w.site()|uint32(lane), as == logWrite
	now := uint32(0)
	if write {
		now = g.tick()
	}
	for address, end := seg.base+x.off, seg.base+x.off+x.n; address < end; {
		p, in := g.log.page(address, g), address%logPageBytes
		next := min(end, address/granuleBytes*granuleBytes+granuleBytes)
		bytes := ones(int(next-address)) << (in % 64)
		mine, other, by := &p.read, &p.wrote, &p.reader
		if write {
			mine, other, by = &p.wrote, &p.read, &p.writer
			p.changed[in/mapAlign] = now
		}
		if both := other[in/64] & bytes; both != 0 && (!write || g.strict) {
			first := address - in%64 + uint64(bits.TrailingZeros64(both))
			if w.failNoncoherent(seg, lane, crossing{seg, first, write}, p); !w.goesOn() {
				return false
			}
		}
		switch at := &by[in/granuleBytes]; {
		case mine[in/64]>>(in%64/granuleBytes*granuleBytes)&(1<<granuleBytes-1) == 0:
			*at = site
		case *at&^31 != site&^31:
			*at = manySites
		}
		mine[in/64] |= bytes
		address = next
	}
	return true
}

// failNoncoherent notes the finding that a byte is both written and read by ld.global.nc.
func (w *warp) failNoncoherent(seg *segment, lane int, at crossing, p *logPage) {
	g := w.block.grid
	before, does := p.reader[at.address%logPageBytes/granuleBytes], "which ld.global.nc has read"
	if !at.write {
		before, does = p.writer[at.address%logPageBytes/granuleBytes], "which the kernel has written"
	}
	if w.repeats(KindNoncoherent, before) {
		return
	}
	var src *ptx.Instr
	if before != manySites {
		if src = g.at(before); src != nil {
			does += " at line " + g.lineAt(before)
		}
	}
	w.fail(KindNoncoherent, 1<<lane, "%s address 0x%x of %s, %s: ld.global.nc is for bytes that nobody writes while the "+
		"kernel runs, and no barrier or fence orders it; ld.global is needed (PTX ISA, ld.global.nc)",
		at.verb(), at.address, seg.name, does)
	w.fault.Address = at.address
	w.fault.otherAt(src)
}

// logOperation records the bytes of global memory that o will write.
func (w *warp) logOperation(o *operation) bool {
	for _, r := range o.writes {
		if w.keepsLog(r.seg) && !w.logBytes(r.seg, int(r.lane), byteRange{r.off, r.n}, logWrite) {
			return false
		}
	}
	return true
}
