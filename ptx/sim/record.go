package sim

import (
	"cmp"
	"fmt"
	"slices"

	"girih/ptx"
)

// This file records where the bytes of a run come from and where they go, see [Recording]. A run without a recording
// does nothing for it. With one, the recorder keeps a shadow: for each byte of memory and of registers, the byte of
// global memory at the start of the run that it is a copy of, or the instruction that computed it.
//
//	record.go         what is recorded, and the shadow
//	record_use.go     instructions of single threads: loads, stores, arithmetic
//	record_matrix.go  copies by the engine, matrices, products
//
// The shadow moves when an instruction is executed, also for operations that land later: between the two no thread may
// use the bytes. When a thread or a product reads a byte, the shadow is compared with the byte: if they disagree, the
// recording forgets the origin and counts it, so an origin that it states is true.

// Recordings limits what a recording keeps.
const (
	maxNodes    = 1 << 22 // values that instructions compute
	maxRecorded = 1 << 30 // bytes of global memory with an origin
)

// A Recording is a request to record a run, and the record. The program must come from [LoadRecorded].
type Recording struct {
	Block  Dim // the block whose moves are kept
	Pieces int // the limit of the pieces of all moves; a run that needs more ends with [CodeMemory]

	// Watch, if it is not nil, is called often during the run, with the number of instructions so far and their limit,
	// counted once for a warp.
	Watch func(done, most int64)

	Moves    []Move
	Names    []string       // the registers, by number
	Parts    []RecordedPart // the memory that has origins, in the order of addresses
	Nodes    []Node         // the computed values: Origin(firstNode + i) is Nodes[i]
	Products []Product
	Lost     int64 // the bytes whose origin the recording has forgotten, because it did not follow a write
}

// watch reports the progress of the run.
func (r *Recording) watch(done, most int64) {
	if r != nil && r.Watch != nil {
		r.Watch(done, most)
	}
}

// An Origin says where a value comes from: 0 for a constant, or for a value that the recording does not know; a byte
// of global memory at the start of the run; or a computed value.
type Origin uint32

// firstNode is the first origin that is a computed value.
const firstNode Origin = 1 << 31

// A RecordedPart is a buffer or variable in global memory.
type RecordedPart struct {
	Name    string
	Address uint64
	Bytes   int64
	First   Origin // of its first byte
}

// A Node is a value that an instruction computed in one lane, or an element of a product.
type Node struct {
	Line    int32
	Product int32     // 1 + the number of the product whose element it is, 0 for none
	At      uint32    // in the product: 65536 times the row plus the column; otherwise see Bytes
	Sources [3]Origin // of the operands; 0 for none. Of an element of a product, what it was added to
}

// Bytes returns how many bytes of global memory, beginning with the origin, source i of a computed value is: 1 for
// other sources, and of a product.
func (n *Node) Bytes(i int) int64 {
	if n.Product > 0 {
		return 1
	}
	return 1 + int64(n.At>>(8*i)&0xff)
}

// A Product is a multiplication of matrices, with the origins of its operands, row by row; B has a row for each column
// of the product.
type Product struct {
	K    int
	A, B []Origin
}

// Node returns the node of an origin, or nil if it is not a computed value.
func (r *Recording) Node(o Origin) *Node {
	if o < firstNode {
		return nil
	}
	return &r.Nodes[o-firstNode]
}

// Byte returns the part and the offset of an origin that is a byte of global memory; part is -1 for other origins.
func (r *Recording) Byte(o Origin) (part int, offset int64) {
	if o == 0 || o >= firstNode {
		return -1, 0
	}
	i, found := slices.BinarySearchFunc(r.Parts, o, func(p RecordedPart, o Origin) int { return cmp.Compare(p.First, o) })
	if !found {
		i--
	}
	return i, int64(o - r.Parts[i].First)
}

// A MoveKind says what a [Move] does.
type MoveKind uint8

// The kinds of moves.
const (
	MoveLoad     MoveKind = iota // from memory to registers
	MoveStore                    // from registers to memory
	MoveCopy                     // from memory to memory
	MoveOperand                  // from registers or memory to the operand of a product
	MoveProduct                  // from the operands of a product to its sums, in registers or tensor memory
	MoveRegister                 // from registers to registers
)

// A Side is one side of a move.
type Side struct {
	Space SideSpace
	// At has the place of each piece, lane after lane: an address; in registers, 8 times the number of the register
	// plus the byte, given for one lane if all lanes have the same; in a matrix, 65536 times the row plus the column.
	At []uint64
}

// A SideSpace says what the places of a [Side] are.
type SideSpace uint8

// The spaces of sides.
const (
	SideNone      SideSpace = iota
	SideRegisters           // the same in all lanes
	SideGlobal
	SideShared
	SideLocal
	SideTensor // addresses are 512 times the lane plus the column, times 4 bytes
	SideMatrix // an operand of a product
)

// A Move is one execution of an instruction by a warp that moves bytes, or takes part in a product. It has
// len(Lanes)·Pieces pieces, lane after lane.
type Move struct {
	Kind    MoveKind
	Operand byte  // of MoveOperand and MoveProduct: 'A', 'B' or 'C'
	Time    int64 // instructions of warps executed before it
	Warp    int
	Line    int
	Op      ptx.Op
	Source  string // as in a [Finding]
	Lanes   uint32
	Bytes   int // of a piece
	Pieces  int // of a lane
	From    Side
	To      Side
	Matrix  []uint32 // of MoveProduct: 65536 times the row plus the column of each piece in the product
	Held    []Origin // of each piece: the origin of its first byte
	Cost    Traffic
}

// LaneList returns the numbers of the lanes.
func (m *Move) LaneList() []int {
	var out []int
	for x := m.Lanes; x != 0; x &= x - 1 {
		out = append(out, lowest(x))
	}
	return out
}

// recorder records a run.
type recorder struct {
	*Recording
	g       *grid
	t       *trace
	names   map[registerKey]uint64
	memory  map[*segment]*memoryShadow
	frames  map[*frame]*frameShadow
	last    *segment
	lastOf  *memoryShadow
	frame   *frame
	frameOf *frameShadow
	starts  []startBytes // by number of the part
	near    startBytes   // of the part that was needed last
	pieces  int
	saved   vector                       // the addresses of the current access, which it may overwrite
	sources [maxSources][lanes][8]Origin // of the current instruction
	tables  map[*fragment]*fragmentTable
	run     productRun
	shared  [2]*sharedUse // A and B of the current wgmma
}

type registerKey struct {
	fn   int
	slot int
}

// memoryShadow has the origins of the bytes of a segment. In global memory, 0 at a byte that has not been written
// means the byte itself.
type memoryShadow struct {
	first   Origin // of byte 0 if nothing was written, 0 for scratch memory
	origins []Origin
}

// startBytes are the bytes of a segment at the start of the run. The first byte has the origin first.
type startBytes struct {
	first Origin
	bytes []byte
}

// byteOrigins are the origins of the bytes of one register.
type byteOrigins = [lanes][8]Origin

// frameShadow has the origins of the registers of a frame, nil for registers without any.
type frameShadow []*byteOrigins

// newRecorder returns the recorder of a run, or nil.
func (g *grid) newRecorder(r *Recording) error {
	if r == nil {
		return nil
	}
	if !g.program.recorded {
		return errorf(CodeLaunch, "the program was loaded without what a recording needs")
	}
	if g.trace == nil {
		g.trace = &trace{idle: map[*path]bool{}}
	}
	x := &recorder{
		Recording: r, g: g, t: g.trace, names: map[registerKey]uint64{}, memory: map[*segment]*memoryShadow{},
		frames: map[*frame]*frameShadow{}, tables: map[*fragment]*fragmentTable{},
	}
	next := Origin(1)
	for _, s := range g.memory.segs {
		if int64(next)+int64(len(s.data)) > maxRecorded {
			return errorf(CodeMemory, "global memory of more than %d bytes, which a recording does not follow", maxRecorded)
		}
		r.Parts = append(r.Parts, RecordedPart{s.name, s.base, int64(len(s.data)), next})
		if !g.keep(len(s.data)) {
			return g.over
		}
		x.memory[s] = &memoryShadow{first: next}
		x.starts = append(x.starts, startBytes{next, slices.Clone(s.data)})
		next += Origin(len(s.data))
	}
	g.trace.rec = x
	return nil
}

// recorder returns the recorder of a run, or nil.
func (g *grid) recorder() *recorder {
	if g.trace == nil {
		return nil
	}
	return g.trace.rec
}

// step executes an instruction, and records what it does.
func (t *trace) step(w *warp, in *instr, mask uint32) status {
	if t.rec == nil {
		return in.do(w, mask)
	}
	return t.rec.step(w, in, mask)
}

func (r *recorder) step(w *warp, in *instr, mask uint32) status {
	f, pc := w.f, w.p.pc
	var u recorded
	if kept := f.fn.kept; pc < len(kept) {
		u = kept[pc]
	}
	if c, ok := u.(*computed); r.run.w != nil && (!ok || !c.product) {
		r.flush()
	}
	if u != nil {
		u.before(r, w, mask)
	}
	st := in.do(w, mask)
	if st == jumped && w.p.frame != f {
		r.forgetFrame(w.p.frame)
	}
	if u != nil && st == advance {
		u.record(r, w, mask)
	}
	return st
}

// forgetFrame forgets the origins of a frame that begins, or that a call returns to: arguments and results are not
// followed.
func (r *recorder) forgetFrame(f *frame) {
	delete(r.frames, f)
	r.frame = nil
}

// shadow returns the origins of the registers of f.
func (r *recorder) shadow(f *frame) frameShadow {
	if r.frame == f {
		return *r.frameOf
	}
	s := r.frames[f]
	if s == nil {
		x := make(frameShadow, len(f.regs))
		s = &x
		r.frames[f] = s
	}
	r.frame, r.frameOf = f, s
	return *s
}

// register returns the origins of a register of f for writing.
func (r *recorder) register(f *frame, slot int) *byteOrigins {
	s := r.shadow(f)
	if s[slot] == nil {
		r.g.keep(lanes * 8 * 4)
		s[slot] = &byteOrigins{}
	}
	return s[slot]
}

// number returns the number of a register.
func (r *recorder) number(f *frame, slot int) uint64 {
	k := registerKey{f.fn.id, slot}
	n, ok := r.names[k]
	if !ok {
		n = uint64(len(r.Names))
		r.names[k] = n
		r.Names = append(r.Names, string(f.fn.slots[slot].name))
	}
	return n
}

// shadowOf returns the origins of the bytes of a segment.
func (r *recorder) shadowOf(s *segment) *memoryShadow {
	if r.last == s {
		return r.lastOf
	}
	m := r.memory[s]
	if m == nil {
		m = &memoryShadow{}
		r.memory[s] = m
	}
	r.last, r.lastOf = s, m
	return m
}

// get returns the origin of a byte.
func (m *memoryShadow) get(off uint64) Origin {
	if off < uint64(len(m.origins)) {
		return m.origins[off]
	}
	if m.first != 0 {
		return m.first + Origin(off)
	}
	return 0
}

// bytes returns the origins of n bytes of a segment for writing.
func (r *recorder) bytes(s *segment, off, n uint64) []Origin {
	m := r.shadowOf(s)
	if uint64(len(m.origins)) < off+n {
		size := max(uint64(len(s.data)), off+n)
		r.g.keep(int(size) * 4)
		list := make([]Origin, size)
		copy(list, m.origins)
		for i := len(m.origins); m.first != 0 && i < len(list); i++ {
			list[i] = m.first + Origin(i)
		}
		m.origins = list
	}
	return m.origins[off : off+n]
}

// read returns the origins of n bytes of a segment into out, after comparing them with the bytes.
func (r *recorder) read(s *segment, off, n uint64, out []Origin) {
	m := r.shadowOf(s)
	for i := range n {
		o := m.get(off + i)
		if o != 0 && o < firstNode && !r.is(o, s.data[off+i]) {
			o = 0
			r.Lost++
			r.bytes(s, off+i, 1)[0] = 0
		}
		out[i] = o
	}
}

// is reports whether the byte of global memory that o names was b at the start of the run.
func (r *recorder) is(o Origin, b byte) bool {
	if p := &r.near; o-p.first < Origin(len(p.bytes)) {
		return p.bytes[o-p.first] == b
	}
	i, off := r.Byte(o)
	r.near = r.starts[i]
	return r.near.bytes[off] == b
}

// nodeOf returns the origin of a value that the instruction of w computes of bytes of registers: whole elements and
// parts of packed ones. Bytes that do not follow each other are joined by nodes of their own.
func (r *recorder) nodeOf(w *warp, sources [][]Origin) Origin {
	var runs [3 * maxSources]Origin
	var bytes [3 * maxSources]uint32
	n := 0
	for _, list := range sources {
		before := Origin(0)
		for _, o := range list {
			switch {
			case o == 0 || o == before:
			case n > 0 && before != 0 && o < firstNode && o == before+1:
				bytes[n-1]++
			case n < len(runs):
				runs[n] = o
				n++
			}
			before = o
		}
	}
	for ; n > 3; n -= 2 { // the last three become one
		x := Node{Line: int32(w.instr().src.Pos.Line), Sources: [3]Origin(runs[n-3 : n])}
		x.At = bytes[n-3] | bytes[n-2]<<8 | bytes[n-1]<<16
		runs[n-3], bytes[n-3] = r.newNode(x), 0
	}
	if n == 0 {
		return 0
	}
	x := Node{Line: int32(w.instr().src.Pos.Line)}
	for i := range n {
		x.Sources[i] = runs[i]
		x.At |= bytes[i] << (8 * i)
	}
	return r.newNode(x)
}

// newNode returns the origin of a computed value.
func (r *recorder) newNode(n Node) Origin {
	if len(r.Nodes) >= maxNodes {
		r.end("the run computes more than %d values out of the data in global memory", maxNodes)
		return 0
	}
	if len(r.Nodes)%1024 == 0 {
		r.g.keep(1024 * 24)
	}
	r.Nodes = append(r.Nodes, n)
	return firstNode + Origin(len(r.Nodes)-1)
}

// end ends the run.
func (r *recorder) end(format string, args ...any) {
	if r.g.over == nil {
		r.g.over = &Error{Code: CodeMemory, Msg: fmt.Sprintf(format, args...)}
	}
}

// follows reports whether the moves of a block are kept.
func (r *recorder) follows(b *block) bool { return b != nil && b.at == r.Block }

// add adds a move of w. held has the origins of all its bytes, and the move gets pieces small enough that the bytes of
// each have consecutive origins, or one.
func (r *recorder) add(w *warp, m Move, held []Origin) {
	in := w.instr()
	m.Time, m.Warp, m.Line, m.Op = r.t.time+int64(r.t.done), w.id, int(in.src.Pos.Line), in.src.Op
	m.Source = r.g.program.source(in.loc)
	if in.meter != nil {
		m.Cost = w.cost
	}
	for m.Bytes > 1 && m.Kind != MoveOperand && m.Kind != MoveProduct && !contiguous(held, m.Bytes) {
		m.halve()
	}
	m.Held = make([]Origin, 0, len(held)/m.Bytes)
	for i := 0; i < len(held); i += m.Bytes {
		m.Held = append(m.Held, held[i])
	}
	if r.pieces += len(m.Held); r.pieces > r.Pieces {
		r.end("the block moves more than %d pieces of data, which is the most that are recorded", r.Pieces)
		return
	}
	r.g.keep(len(m.Held) * 20)
	r.Moves = append(r.Moves, m)
}

// contiguous reports whether the bytes of each piece of n bytes have consecutive origins, or one.
func contiguous(held []Origin, n int) bool {
	for i := 0; i < len(held); i += n {
		for k := 1; k < n; k++ {
			want := held[i]
			if want != 0 && want < firstNode {
				want += Origin(k)
			}
			if held[i+k] != want {
				return false
			}
		}
	}
	return true
}

// halve makes two pieces of each.
func (m *Move) halve() {
	m.Bytes, m.Pieces = m.Bytes/2, 2*m.Pieces
	for _, s := range []*Side{&m.From, &m.To} {
		at := make([]uint64, 0, 2*len(s.At))
		for _, x := range s.At {
			at = append(at, x, x+uint64(m.Bytes))
		}
		s.At = at
	}
}
