package sim

import (
	"fmt"
	"math/bits"

	"girih/internal/machine/chain"
	"girih/ptx"
	"girih/tmem"
)

// place is the address that an operand names: the value of a slot plus an offset.
type place struct {
	slot   int
	offset int64
}

// access describes how one instruction accesses memory.
type access struct {
	space ptx.Space // "" for generic addresses
	at    place
	unit  int // bytes of one element
	count int // elements
	write bool

	// lenient allows reads of bytes that were not written. It is set for parameters of functions, which act as
	// registers.
	lenient bool
}

// address reads an address operand.
func (d *decoder) address(o ptx.Operand, space ptx.Space) (access, error) {
	if e, ok := o.(ptx.Elem); ok {
		at, err := d.element(e)
		if err != nil {
			return access{}, err
		}
		o = ptx.Addr{Base: at.Name, Offset: at.Offset}
	}
	if o == nil {
		return access{}, errMissing
	}
	a, ok := o.(ptx.Addr)
	if !ok || len(a.Args) != 0 {
		return access{}, fmt.Errorf("operand %s: expected an address", o)
	}
	out := access{space: space, at: place{0, a.Offset}}
	switch b := a.Base.(type) {
	case ptx.Int:
		out.at.slot = d.constant(uint64(b))
		return out, nil
	case ptx.Name:
		s := d.lookup(b)
		if s != nil && s.kind == symVar {
			return d.variableAddress(out, b, s)
		}
		var err error
		out.at.slot, err = d.nameSlot(b)
		return out, err
	}
	return access{}, fmt.Errorf("operand %s: expected an address", o)
}

// variableAddress returns the address of a variable that an operand names.
func (d *decoder) variableAddress(out access, name ptx.Name, s *symbol) (access, error) {
	var err error
	out.at.slot, err = d.symbolAddress(ptx.Sym{Name: name, Generic: out.space == ""})
	if s.frame && s.v.Space == ptx.Param {
		out.space, out.lenient = "", true // the slot has a generic address
	}
	return out, err
}

// target finds the bytes that one lane accesses at address. If the access is wrong, target notes a finding, and returns
// nil or, if the run goes on, what nowhere returns.
func (w *warp) target(a *access, lane int, address uint64) (*segment, uint64) {
	n := a.unit * a.count
	seg, base := w.segmentOf(a.space, lane, address)
	if seg == nil || !seg.holds(base, n) {
		w.outside(a, lane, address)
		return w.nowhere(n)
	}
	if !w.mayReach(seg, lane, address) {
		return nil, 0
	}
	off := base - seg.base
	if base&uint64(n-1) != 0 && n&(n-1) == 0 {
		w.fail(KindAlign, 1<<lane, "address 0x%x is no multiple of the %d bytes that are %s", address, n, a.verb())
		w.fault.Address = address
		return w.nowhere(n)
	}
	if a.write {
		if seg.readOnly {
			w.fail(KindReadOnly, 1<<lane, "writes to address 0x%x in %s, which is read-only", address, seg.name)
			w.fault.Address = address
			return w.nowhere(n)
		}
		return seg, off
	}
	for i := 0; i < n && !a.lenient; i += 16 {
		if k := min(16, n-i); !seg.isDefined(off+uint64(i), k) {
			w.unwritten(seg, lane, address, n)
			return nil, 0
		}
	}
	return seg, off
}

// reach puts the offsets of the bytes that the lanes of mask access in w.off, and returns their segment. It returns nil
// unless one segment that the lanes share contains all these bytes, and nothing else is wrong with the accesses. reach
// does not check whether the bytes were written.
func (w *warp) reach(a *access, mask uint32) *segment {
	base := &w.f.regs[a.at.slot]
	first := bits.TrailingZeros32(mask) & 31
	n := uint64(a.unit * a.count)
	address := base[first] + uint64(a.at.offset)
	seg, at := w.segmentOf(a.space, first, address)
	if seg == nil || seg == &w.local[first] || uint64(len(seg.data)) < n || a.lenient ||
		seg.owner != nil && !w.knowsBegun(seg.owner) {
		return nil
	}
	less := address - at + seg.base - uint64(a.at.offset)
	last, bad, odd := uint64(len(seg.data))-n, uint64(0), uint64(0)
	if mask == all {
		for i := range &w.off {
			off := base[i] - less
			w.off[i] = off
			bad |= last - off | off
			odd |= off
		}
	} else {
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			off := base[lane] - less
			w.off[lane] = off
			bad |= last - off | off
			odd |= off
		}
	}
	// A segment begins at a multiple of every access size.
	if bad>>63 != 0 || odd&(n-1) != 0 {
		return nil
	}
	return seg
}

// noteReads checks and records the reads of the lanes of mask, n bytes each at w.off. It returns a lane that has a
// finding, or -1.
func (w *warp) noteReads(seg *segment, mask uint32, n int) int {
	if x := w.block.grid.explain; x != nil {
		x.access(w, lanesAt{seg, mask, n}, chain.Access{})
	}
	if seg.owner != nil {
		return w.readWords(seg, mask, n)
	}
	w.width = n
	return w.readLines(seg, mask, n)
}

// noteWrites is noteReads for writes that have been executed.
func (w *warp) noteWrites(seg *segment, mask uint32, n int) int {
	if x := w.block.grid.explain; x != nil {
		x.access(w, lanesAt{seg, mask, n}, chain.Access{Write: true})
	}
	if seg.owner != nil {
		return w.writeWords(seg, mask, n)
	}
	w.width = n
	return w.writeLines(seg, mask, n)
}

// segmentOf returns the segment that contains an address of a lane, and the address within that segment.
func (w *warp) segmentOf(space ptx.Space, lane int, address uint64) (*segment, uint64) {
	switch space {
	case "", ptx.Global, ptx.Const, "param::entry", ptx.Param:
		if s := w.hint; s != nil && address-s.base < uint64(len(s.data)) {
			return s, address
		}
		if space == ptx.Param && address < 1<<16 || space == "param::entry" {
			return &w.block.grid.params, address
		}
		if space == ptx.Global || space == ptx.Const {
			return w.globalSegment(space, address)
		}
		return w.genericSegment(lane, address)
	case ptx.Shared, "shared::cta":
		return &w.block.shared, address & (windowSize - 1)
	case "shared::cluster":
		return w.block.peer(address & (windowSize - 1)), address & (windowSize - 1)
	case ptx.Local:
		return &w.local[lane], address & (windowSize - 1)
	}
	return nil, 0
}

// genericSegment is segmentOf for a generic address.
func (w *warp) genericSegment(lane int, address uint64) (*segment, uint64) {
	switch address &^ (windowSize - 1) {
	case sharedWindow:
		return w.block.peer(address - sharedWindow), address - sharedWindow
	case localWindow:
		return &w.local[lane], address - localWindow
	case paramWindow:
		return &w.block.grid.params, address - paramWindow
	}
	return w.globalSegment(ptx.Global, address)
}

// globalSegment is segmentOf for an address of global memory, which contains the constants too.
func (w *warp) globalSegment(space ptx.Space, address uint64) (*segment, uint64) {
	s := w.block.grid.memory.find(address)
	if s == nil || space == ptx.Const && !s.constant {
		return nil, 0
	}
	w.hint = s
	return s, address
}

func (a *access) verb() string {
	if a.write {
		return "written"
	}
	return "read"
}

// outside notes the finding that there is no memory at an address.
func (w *warp) outside(a *access, lane int, address uint64) {
	kind := KindBounds
	if w.block.reachesExited(a.space, address) {
		kind = KindExited
	}
	if w.repeats(kind, 0) {
		return
	}
	n := a.unit * a.count
	var near string
	switch a.space {
	case ptx.Shared, "shared::cta":
		near = w.block.nearShared(address & (windowSize - 1))
	case "shared::cluster":
		near = w.block.nearPeer(address & (windowSize - 1))
	case ptx.Local:
		s := &w.local[lane]
		near = fmt.Sprintf("the local memory of the thread is from 0x%x to 0x%x", s.base, s.base+uint64(len(s.data)))
	case ptx.Param, "param::entry":
		near = fmt.Sprintf("there are %d bytes of parameters", len(w.block.grid.params.data))
	default:
		switch address &^ (windowSize - 1) {
		case sharedWindow:
			near = "that is in the window of shared memory: " + w.block.nearPeer(address-sharedWindow)
		case localWindow:
			near = "that is in the window of local memory"
		case paramWindow:
			near = "that is in the window of the parameters"
		default:
			if near = w.block.grid.memory.absentAt(address); near != "" {
				kind = KindUnsupported
			} else {
				near = w.block.grid.memory.nearest(address)
			}
		}
	}
	w.fail(kind, 1<<lane, "%d bytes %s at address 0x%x: %s", n, a.verb(), address, near)
	w.fault.Address = address
}

// unwritten notes the finding that a lane reads bytes that nobody wrote.
func (w *warp) unwritten(seg *segment, lane int, address uint64, n int) {
	defer func() { w.lack = lack{seg: seg, off: address&(windowSize-1) - seg.base&(windowSize-1), n: n} }()
	if seg.tensor {
		at := tmem.Address(seg.tensorAddress(address))
		w.fail(KindUninitialised, 1<<lane, "reads lane %d, column %d of tensor memory, to which nothing was written", at.Lane(),
			at.Column())
		w.fault.Address = uint64(at)
		return
	}
	w.fail(KindUninitialised, 1<<lane, "reads %d bytes at address 0x%x of %s, to which nothing was written: byte %d of %d",
		n, address, seg.name, address&(windowSize-1)-seg.base&(windowSize-1), len(seg.data))
	w.fault.Address = address
}

// stack reserves n bytes of local memory at base in all lanes of mask, and marks them as not written.
func (w *warp) stack(base, n uint64, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		s := &w.local[bits.TrailingZeros32(m)]
		off := base - localStart
		if need := off + n; uint64(len(s.data)) < need {
			w.growLocal(s, int(up(int64(need), 64)))
		}
		s.forget(off, n)
	}
}

// growLocal extends local memory to n bytes, a multiple of 64. It doubles the capacity, since a stack grows frame by
// frame.
func (w *warp) growLocal(s *segment, n int) {
	if n > cap(s.data) {
		room := max(n, min(2*len(s.data), MaxLocal))
		w.block.grid.keep((room - cap(s.data)) * 9 / 8)
		grown := newSegment(localStart, int64(room))
		copy(grown.data, s.data)
		copy(grown.def, s.def)
		grown.name, grown.scratch, grown.causes = "local memory", true, s.causes
		*s = grown
	}
	s.data, s.def = s.data[:n], s.def[:n/64]
}
