package sim

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"girih/ptx"
)

// The generic address space. The low 32 bits of an address in a window are an address in the space of the window (PTX
// ISA 5, 9.7.9.20, cvta). Global memory and constants are outside the windows, with gaps that no access may touch.
const (
	sharedWindow = 0x7100_0000_0000
	localWindow  = 0x7200_0000_0000
	paramWindow  = 0x7300_0000_0000
	functionBase = 0x7400_0000_0000
	globalBase   = 0x7f00_0000_0000
	windowSize   = 1 << 32

	sharedStart = 1024 // reserved by sm_90 and later, so that no variable has address 0
	localStart  = 256
	gapSize     = 4096 // least number of bytes between buffers
	bufferAlign = 512  // as cudaMalloc aligns buffers
)

// windowOf returns the number that cvta adds to an address in space s.
func windowOf(s ptx.Space) uint64 {
	switch s {
	case ptx.Shared, "shared::cta", "shared::cluster":
		return sharedWindow
	case ptx.Local:
		return localWindow
	case ptx.Param, "param::entry":
		return paramWindow
	}
	return 0
}

// gap returns the first address for a buffer after a buffer that ends at end.
func gap(end uint64) uint64 { return uint64(up(int64(end+gapSize), bufferAlign)) }

// segment is a range of bytes at consecutive addresses, with the state of each byte.
type segment struct {
	base     uint64
	data     []byte
	def      []uint64 // one bit per byte, 1 if the byte was written; nil if all were
	name     string
	readOnly bool
	constant bool
	scratch  bool // memory of a thread or block: storing a missing value only marks the bytes as unwritten
	tracked  bool // accesses are recorded: in global memory, and in the shared memory of owner
	owner    *block
	remote   bool                // other blocks have accessed it
	tensor   bool                // tensor memory
	causes   map[uint64]*Finding // by word of shared or local memory, the finding of a store without a value: see lose
	words    []*wordPage         // accesses to shared memory
	lines    []*linePage         // accesses to global memory
	store    *store              // store of the run that accesses global memory
	shadow   *shadow             // the accesses in the log of the explainer
}

// newSegment returns a segment of n unwritten bytes at base.
func newSegment(base uint64, n int64) segment {
	return segment{base: base, data: make([]byte, n), def: make([]uint64, (n+63)/64)}
}

// holds reports whether the n bytes at address are in s.
func (s *segment) holds(address uint64, n int) bool {
	off := address - s.base
	return off < uint64(len(s.data)) && uint64(len(s.data))-off >= uint64(n)
}

// isDefined reports whether the n bytes at off were written. n is at most 16, and off is a multiple of n.
func (s *segment) isDefined(off uint64, n int) bool {
	if s.def == nil {
		return true
	}
	m := ones(n) << (off & 63)
	return s.def[off>>6]&m == m
}

// define records that the n bytes at off were written. n and off are as in isDefined.
func (s *segment) define(off uint64, n int) {
	if s.def != nil {
		s.def[off>>6] |= ones(n) << (off & 63)
	}
}

// forget records that the n bytes at off have no value.
func (s *segment) forget(off, n uint64) {
	for i := off / 4; s.causes != nil && i <= (off+n-1)/4; i++ {
		delete(s.causes, i)
	}
	for i := off; i < off+n; i++ {
		s.def[i>>6] &^= 1 << (i & 63)
	}
}

// read returns the n bytes at off, little-endian; n is 1, 2, 4 or 8.
func (s *segment) read(off uint64, n int) uint64 {
	b := s.data[off:]
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// write sets the n bytes at off to v, little-endian; n is 1, 2, 4 or 8.
func (s *segment) write(off uint64, n int, v uint64) {
	b := s.data[off:]
	switch n {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// Memory is the global memory of a GPU: the variables of a module and the buffers that its user allocates. A Memory
// keeps its contents from one [Program.Run] to the next. Only one run at a time may use a Memory.
type Memory struct {
	program *Program
	segs    []*segment // the segments in order of address
	vars    []*segment // the segments that are variables
	absent  []absent
	next    uint64
	total   int64
	heap    map[uint64]bool // addresses that malloc returned and free accepts
	common  *segment        // the workspace of grids; nil if there is none yet
	given   int64
}

// NewMemory returns the memory of a GPU on which the module was loaded. Variables have their initial values, or 0. The
// error is of type *[Error], with [CodeModule], if an initial value does not fit its variable.
func (p *Program) NewMemory() (*Memory, error) {
	m := &Memory{program: p, next: p.end, heap: map[uint64]bool{}}
	for _, s := range p.order {
		seg := &segment{
			base: uint64(s.offset), data: make([]byte, s.v.Size()), name: string(s.v.Name),
			readOnly: s.v.Space == ptx.Const, constant: s.v.Space == ptx.Const, tracked: s.v.Space != ptx.Const,
		}
		if s.v.Init != nil {
			if _, err := p.initial(initialisedVar{s, seg}, 0, 0, s.v.Init); err != nil {
				return nil, errorf(CodeModule, "line %d: %s: %v", s.v.Pos.Line, s.v.Name, err)
			}
		}
		m.segs = append(m.segs, seg)
		m.total += int64(len(seg.data))
	}
	m.vars = slices.Clone(m.segs)
	return m, nil
}

// initial writes an initial value at off and returns the offset after it. depth is the number of lists around value.
func (p *Program) initial(in initialisedVar, off, depth int, value ptx.Operand) (int, error) {
	s, seg := in.symbol, in.seg
	size := max(s.v.Type.Bits()/8, 1)
	if list, ok := value.(ptx.Vec); ok {
		begin := off
		for _, v := range list {
			var err error
			if off, err = p.initial(in, off, depth+1, v); err != nil {
				return 0, err
			}
		}
		// A list that is shorter than its part of the array leaves the rest of the part 0.
		n := s.partSize(depth)
		switch {
		case depth == 0:
			return off, nil
		case off-begin > n || n > len(seg.data)-begin:
			return 0, fmt.Errorf("a list of %d bytes of initial values, expected up to %d in the %d bytes of the variable",
				off-begin, n, len(seg.data))
		}
		return begin + n, nil
	}
	if off+size > len(seg.data) {
		return 0, fmt.Errorf("more initial values than the %d bytes of the variable", len(seg.data))
	}
	v, err := p.initialValue(s, value)
	if err != nil {
		return 0, err
	}
	for i := range min(size, 8) {
		seg.data[off+i] = byte(v >> (8 * i))
	}
	return off + size, nil
}

// initialisedVar is a variable with the segment of its bytes.
type initialisedVar struct {
	*symbol
	seg *segment
}

// partSize returns the size of the part of s that a list at depth initialises: an array without the first depth
// dimensions, or a vector.
func (s *symbol) partSize(depth int) int {
	n := max(s.v.Type.Bits()/8, 1)
	for i := len(s.v.Dims) - 1; i >= depth && i > 0; i-- {
		n *= int(s.v.Dims[i])
	}
	if depth <= len(s.v.Dims) {
		n *= max(s.v.Vec, 1)
	}
	return n
}

func (p *Program) initialValue(of *symbol, value ptx.Operand) (uint64, error) {
	name, offset, mask := ptx.Name(""), int64(0), uint64(0)
	switch v := value.(type) {
	case ptx.Name:
		name = v
	case ptx.Sym:
		name, offset, mask = v.Name, v.Offset, v.Mask
	default:
		n, ok := constantBits(value, of.v.Type)
		if !ok {
			return 0, fmt.Errorf("initial value %s: expected a constant", value)
		}
		return n, nil
	}
	address := uint64(0)
	if s := p.visible(of, name); s != nil && s.offset > 0 {
		address = uint64(s.offset)
	} else if f, i := p.find(name); f != nil {
		address = functionBase + 16*uint64(i)
	} else {
		return 0, fmt.Errorf("initial value %s: no such variable or function", name)
	}
	address += uint64(offset)
	if mask != 0 {
		address = address & mask >> bits.TrailingZeros64(mask)
	}
	return address, nil
}

// Buffer is a range of bytes of global memory.
type Buffer struct{ seg *segment }

// Alloc returns a buffer of n unwritten bytes: a kernel that reads a byte before writing it has an error. Findings
// contain name. The error is of type *[Error], with [CodeMemory].
func (m *Memory) Alloc(name string, n int64) (*Buffer, error) {
	if n < 0 || n > MaxMemory-m.total {
		return nil, m.full(name, n)
	}
	seg := newSegment(m.next, n)
	return m.add(name, &seg), nil
}

// Put returns a buffer that holds a copy of data. The error is of type *[Error], with [CodeMemory].
func (m *Memory) Put(name string, data []byte) (*Buffer, error) {
	if m.total+int64(len(data)) > MaxMemory {
		return nil, m.full(name, int64(len(data)))
	}
	return m.add(name, &segment{base: m.next, data: slices.Clone(data)}), nil
}

func (m *Memory) full(name string, n int64) error {
	return errorf(CodeMemory, "buffer %q of %d bytes besides %d bytes, and there may be %d",
		name, n, m.total, int64(MaxMemory))
}

func (m *Memory) add(name string, seg *segment) *Buffer {
	seg.name, seg.tracked = name, true
	m.segs = append(m.segs, seg)
	m.total += int64(len(seg.data))
	m.next = gap(m.next + uint64(len(seg.data)))
	return &Buffer{seg}
}

// Variable returns a variable of the module, in the space .global or .const, as a buffer. The error is of type
// *[Error], with [CodeMemory], if there is no variable with that name.
func (m *Memory) Variable(name string) (*Buffer, error) {
	for _, s := range m.vars {
		if s.name == name {
			return &Buffer{s}, nil
		}
	}
	return nil, errorf(CodeMemory, "the module has no variable %q in the space .global or .const", name)
}

// Address returns the address of the first byte, a multiple of 512.
func (b *Buffer) Address() uint64 { return b.seg.base }

// Bytes returns the bytes of b without copying them, so a later run may change the result.
func (b *Buffer) Bytes() []byte { return b.seg.data }

// Written reports whether all n bytes at off were written, by a kernel or as initial values.
func (b *Buffer) Written(off, n int) bool {
	if off < 0 || n < 0 || off+n > len(b.seg.data) {
		return false
	}
	for i := off; i < off+n; i++ {
		if !b.seg.isDefined(uint64(i), 1) {
			return false
		}
	}
	return true
}

// find returns the segment that contains address, or nil.
func (m *Memory) find(address uint64) *segment {
	lo, hi := 0, len(m.segs)
	for lo < hi {
		if mid := (lo + hi) / 2; m.segs[mid].base <= address {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo > 0 && m.segs[lo-1].holds(address, 1) {
		return m.segs[lo-1]
	}
	return nil
}

// nearest returns the name of the buffer nearest to address, and the distance between them.
func (m *Memory) nearest(address uint64) string {
	var best *segment
	dist, text := ^uint64(0), ""
	for _, s := range m.segs {
		end := s.base + uint64(len(s.data))
		d := uint64(0)
		switch {
		case address < s.base:
			d = s.base - address
		case address >= end:
			d = address - end
		}
		if d < dist {
			best, dist = s, d
			switch {
			case address < s.base:
				text = fmt.Sprintf("%d bytes before", d)
			case address >= end:
				text = fmt.Sprintf("%d bytes after the end of", d)
			default:
				text = fmt.Sprintf("at byte %d of", address-s.base)
			}
		}
	}
	if best == nil {
		return "there is no buffer"
	}
	return fmt.Sprintf("%s %s, %d bytes at 0x%x", text, best.name, len(best.data), best.base)
}
