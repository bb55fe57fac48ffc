package sim

import (
	"math/bits"
	"strings"

	"girih/ptx"
)

// This file records loads, stores and the instructions that compute with registers.

// maxSources is how many registers of an instruction are followed.
const maxSources = 8

// recorded is what a recorder needs to know of an instruction that it records around its step. Instructions
// whose own steps call the recorder do not need it.
type recorded interface {
	before(r *recorder, w *warp, mask uint32) // called before the step: keeps the origins that the step overwrites
	record(r *recorder, w *warp, mask uint32) // called after it
}

// LoadRecorded is [Load] for a program whose runs are to be recorded.
func LoadRecorded(m *ptx.Module) (*Program, error) {
	p, err := Load(m)
	if err == nil {
		p.recorded = true
	}
	return p, err
}

// keepUse keeps what a recorder needs to know of an instruction.
func (d *decoder) keepUse(in *ptx.Instr) {
	u := d.use
	d.use = nil
	if !d.program.recorded {
		return
	}
	if u == nil {
		u = d.registerUse(in)
	}
	d.kept = append(d.kept, u)
}

// stepsRecord are the instructions whose steps call the recorder.
var stepsRecord = map[string]bool{
	"mma": true, "wgmma": true, "ldmatrix": true, "stmatrix": true, "cp": true, "tcgen05": true,
	"bra": true, "ret": true, "exit": true, "call": true, "bar": true, "barrier": true, "mbarrier": true, "brx": true,
	"setp": true,
}

// registerUse returns the use of an instruction that only works on registers, or changes memory by an operation.
func (d *decoder) registerUse(in *ptx.Instr) recorded {
	name := in.Op.Name()
	if stepsRecord[name] || len(in.Operands) < 2 {
		return nil
	}
	switch name {
	case "mov":
		if u := d.moveUse(in); u != nil {
			return u
		}
	case "shfl":
		return d.shuffleUse(in)
	case "selp":
		p, not, err := d.srcPred(in.Operands[3])
		if err == nil {
			return &selectUse{d.registerOf(in.Operands[0]), d.registerOf(in.Operands[1]), d.registerOf(in.Operands[2]), p, not}
		}
	case "prmt":
		if u := d.permuteUse(in); u != nil {
			return u
		}
	case "atom", "red":
		i := 1
		if name == "red" {
			i = 0
		}
		a, err := d.address(in.Operands[i], in.Op.Space())
		if err != nil {
			return nil
		}
		a.unit, a.count = in.Op.Type().Bits()/8, max(in.Op.Vec(), 1)
		return &atomicRecord{access: a, computed: d.computeUse(in)}
	}
	return d.computeUse(in)
}

// registerOf returns the slot of a register operand, or -1.
func (d *decoder) registerOf(o ptx.Operand) int {
	if p, ok := o.(ptx.Pair); ok {
		o = p.First
	}
	name, ok := o.(ptx.Name)
	if !ok || name == ptx.Sink {
		return -1
	}
	s := d.lookup(name)
	if s == nil && name.Part() != "" {
		s = d.lookup(name.Base())
	}
	if s == nil || s.kind != symReg {
		return -1
	}
	slot, err := d.nameSlot(name)
	if err != nil {
		return -1
	}
	return slot
}

// A registerByte is a byte of a register; slot is -1 for a constant.
type registerByte struct{ slot, at int }

// bytesOfRegisters returns the bytes of an operand of a mov, which may be several registers.
func (d *decoder) bytesOfRegisters(o ptx.Operand, n int) []registerByte {
	list := elements(o)
	if n%len(list) != 0 {
		return nil
	}
	var out []registerByte
	for _, x := range list {
		slot := d.registerOf(x)
		for i := range n / len(list) {
			out = append(out, registerByte{slot, i})
		}
	}
	return out
}

// A byteMove moves bytes from registers to registers.
type byteMove struct{ to, from []registerByte }

// moveUse returns the use of a mov, or nil if it is of another kind.
func (d *decoder) moveUse(in *ptx.Instr) recorded {
	n := in.Op.Type().Bits() / 8
	if n == 0 || n > 8 {
		return nil
	}
	u := &byteMove{d.bytesOfRegisters(in.Operands[0], n), d.bytesOfRegisters(in.Operands[1], n)}
	if len(u.to) != n || len(u.from) != n {
		return nil
	}
	return u
}

// permuteUse returns the use of a prmt whose selector is a constant that repeats no signs, or nil.
func (d *decoder) permuteUse(in *ptx.Instr) recorded {
	c, ok := in.Operands[3].(ptx.Int)
	to := d.registerOf(in.Operands[0])
	if !ok || string(in.Op) != "prmt.b32" || to < 0 || c&0x8888 != 0 {
		return nil
	}
	a, b := d.registerOf(in.Operands[1]), d.registerOf(in.Operands[2])
	u := &byteMove{}
	for i := range 4 {
		k := int(c>>(4*i)) & 7
		from := registerByte{a, k}
		if k > 3 {
			from = registerByte{b, k - 4}
		}
		u.to, u.from = append(u.to, registerByte{to, i}), append(u.from, from)
	}
	return u
}

func (u *byteMove) before(r *recorder, w *warp, mask uint32) {
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		for i, b := range u.from {
			r.sources[0][lane][i] = r.registerByte(w.f, b, lane)
		}
	}
}

func (u *byteMove) record(r *recorder, w *warp, mask uint32) {
	for i, b := range u.to {
		if b.slot >= 0 {
			r.set(w.f, mask, b, func(lane int) Origin { return r.sources[0][lane][i] })
		}
		if b.slot >= 0 && (i+1 == len(u.to) || u.to[i+1].slot != b.slot) {
			r.clearAbove(w.f, mask, b.slot, b.at+1)
		}
	}
}

// set sets the origin of a byte of a register.
func (r *recorder) set(f *frame, mask uint32, b registerByte, of func(lane int) Origin) {
	s := r.shadow(f)[b.slot]
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		o := of(lane)
		if s == nil {
			if o == 0 {
				continue
			}
			s = r.register(f, b.slot)
		}
		s[lane][b.at&7] = o
	}
}

// clearAbove forgets the origins of the bytes of a register from byte n on.
func (r *recorder) clearAbove(f *frame, mask uint32, slot, n int) {
	s := r.shadow(f)[slot]
	for m := mask; m != 0 && s != nil; m &= m - 1 {
		clear(s[lowest(m)][min(n, 8):])
	}
}

// registerByte returns the origin of a byte of a register, after comparing it with the byte.
func (r *recorder) registerByte(f *frame, b registerByte, lane int) Origin {
	if b.slot < 0 {
		return 0
	}
	s := r.shadow(f)[b.slot]
	if s == nil {
		return 0
	}
	o := &s[lane][b.at&7]
	if *o != 0 && *o < firstNode && !r.is(*o, byte(f.regs[b.slot][lane]>>(8*b.at))) {
		*o = 0
		r.Lost++
	}
	return *o
}

// A selectUse is a selp.
type selectUse struct {
	to, a, b int
	p        int
	not      uint32
}

func (u *selectUse) before(r *recorder, w *warp, mask uint32) {
	v := w.f.pred[u.p] ^ u.not
	for m := mask; m != 0; m &= m - 1 {
		lane, from := lowest(m), u.b
		if v>>lane&1 == 1 {
			from = u.a
		}
		for i := range 8 {
			r.sources[0][lane][i] = r.registerByte(w.f, registerByte{from, i}, lane)
		}
	}
}

func (u *selectUse) record(r *recorder, w *warp, mask uint32) { r.setAll(w.f, mask, u.to) }

// setAll gives a register the origins in the first source.
func (r *recorder) setAll(f *frame, mask uint32, slot int) {
	for i := range 8 {
		if slot >= 0 {
			r.set(f, mask, registerByte{slot, i}, func(lane int) Origin { return r.sources[0][lane][i] })
		}
	}
}

// A shuffleRecord is a shfl.
type shuffleRecord struct {
	to, a, b, c int
	mode        string
	fixed       [2]uint64 // b and c if they are constants
}

func (d *decoder) shuffleUse(in *ptx.Instr) recorded {
	u := &shuffleRecord{to: d.registerOf(in.Operands[0]), a: d.registerOf(in.Operands[1]), b: -1, c: -1}
	for m := range in.Op.Mods() {
		if strings.Contains(" up down bfly idx ", " "+m+" ") {
			u.mode = m
		}
	}
	for i, s := range []*int{&u.b, &u.c} {
		if c, ok := in.Operands[2+i].(ptx.Int); ok {
			u.fixed[i] = uint64(c)
		} else if *s = d.registerOf(in.Operands[2+i]); *s < 0 {
			return d.computeUse(in)
		}
	}
	return u
}

func (u *shuffleRecord) before(r *recorder, w *warp, mask uint32) {
	f := w.f
	for m := mask; m != 0; m &= m - 1 {
		lane, b, c := lowest(m), u.fixed[0], u.fixed[1]
		if u.b >= 0 {
			b = f.regs[u.b][lane]
		}
		if u.c >= 0 {
			c = f.regs[u.c][lane]
		}
		j, in := shuffleLane(u.mode, lane, int(b&31), c)
		if !in {
			j = lane
		}
		for i := range 8 {
			r.sources[0][lane][i] = r.registerByte(f, registerByte{u.a, i}, j&31)
		}
	}
}

func (u *shuffleRecord) record(r *recorder, w *warp, mask uint32) { r.setAll(w.f, mask, u.to) }

// A computed is an instruction that computes values out of others. The elements of packed operands are apart.
type computed struct {
	packs    bool // two numbers into the halves of a register
	to, from []int
	half     bool // registers have two elements of 16 bits each
	product  bool // an fma of three registers
}

func (d *decoder) computeUse(in *ptx.Instr) *computed {
	u := &computed{half: strings.Contains(string(in.Op), "16x2")}
	for i, o := range in.Operands {
		for _, x := range d.registersIn(nil, o) {
			if i == 0 {
				u.to = append(u.to, x)
			} else if len(u.from) < maxSources {
				u.from = append(u.from, x)
			}
		}
	}
	if len(u.to) == 0 {
		return nil
	}
	u.packs = in.Op.Name() == "cvt" && u.half && len(u.from) == 2
	u.product = in.Op.Name() == "fma" && !u.half && len(u.to) == 1 && len(u.from) == 3 && len(in.Operands) == 4
	return u
}

func (u *computed) before(r *recorder, w *warp, mask uint32) {
	if u == nil {
		return
	}
	for k, s := range u.from {
		if r.shadow(w.f)[s] == nil {
			for m := mask; m != 0; m &= m - 1 {
				r.sources[k][lowest(m)] = [8]Origin{}
			}
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			lane := lowest(m)
			for i := range 8 {
				r.sources[k][lane][i] = r.registerByte(w.f, registerByte{s, i}, lane)
			}
		}
	}
}

func (u *computed) record(r *recorder, w *warp, mask uint32) {
	if u == nil {
		return
	}
	parts := [][2]int{{0, 8}}
	if u.half {
		parts = [][2]int{{0, 2}, {2, 4}}
	}
	product, held := u.product, [3][]Origin{}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		for _, p := range parts {
			from, o := u.compute(r, w, lane, p)
			if u.product && (from[0] == 0 || from[1] == 0 || !r.follows(w.block)) {
				product = false
			} else if u.product {
				held[0], held[1], held[2] = append(held[0], from[0]), append(held[1], from[1]), append(held[2], o)
			}
			for _, s := range u.to {
				n := min(p[1], max(w.f.fn.slots[s].bits/8, 1))
				for i := p[0]; i < n; i++ {
					r.set(w.f, 1<<lane, registerByte{s, i}, func(int) Origin { return o })
				}
			}
		}
	}
	if product {
		r.addProduct(w, mask, [3]int{u.from[0], u.from[1], u.to[0]}, held)
	}
}

// compute returns the origins of the sources and of the result of the instruction in a lane, for the bytes p of packed
// registers.
func (u *computed) compute(r *recorder, w *warp, lane int, p [2]int) (from [maxSources]Origin, o Origin) {
	var lists [maxSources][]Origin
	for k := range u.from {
		from[k] = firstOrigin(r.sources[k][lane][:], p)
		if lists[k] = r.sources[k][lane][:]; u.half && w.f.fn.slots[u.from[k]].bits == 32 {
			lists[k] = r.sources[k][lane][p[0]:p[1]]
		}
	}
	read := lists[:len(u.from)]
	if u.packs { // the first source becomes the upper half
		read = lists[1-p[0]/2 : 2-p[0]/2]
	}
	return from, r.nodeOf(w, read)
}

// A productRun is consecutive products of single elements, fma, of one line of the source.
type productRun struct {
	w     *warp
	at    *instr // the first one
	time  int64
	mask  uint32
	bytes int
	regs  [3][]uint64   // of a, b and the sum
	held  [3][][]Origin // by product, then lane
}

// addProduct adds a product to the run of products.
func (r *recorder) addProduct(w *warp, mask uint32, slots [3]int, held [3][]Origin) {
	p := &r.run
	if in := w.instr(); p.w != w || p.mask != mask || r.g.program.source(p.at.loc) != r.g.program.source(in.loc) {
		r.flush()
		*p = productRun{w: w, at: in, time: r.t.time + int64(r.t.done), mask: mask, bytes: w.f.fn.slots[slots[2]].bits / 8}
	}
	for i, s := range slots {
		p.regs[i], p.held[i] = append(p.regs[i], r.number(w.f, s)<<3), append(p.held[i], held[i])
	}
}

// flush records the run of products: its operands and its sums. Each piece is a product of its own.
func (r *recorder) flush() {
	p := r.run
	if r.run = (productRun{}); p.w == nil {
		return
	}
	for i, name := range []byte{'A', 'B', 'C'} {
		m := Move{Kind: MoveOperand, Operand: name, Lanes: p.mask, Bytes: p.bytes, Pieces: len(p.regs[i])}
		side := Side{Space: SideRegisters, At: p.regs[i]}
		if m.From, m.To = side, (Side{Space: SideMatrix}); name == 'C' {
			m.Kind, m.From, m.To = MoveProduct, Side{}, side
		}
		var held []Origin
		for lane := range bits.OnesCount32(p.mask) {
			for k := range p.held[i] {
				held = append(held, p.held[i][k][lane])
			}
		}
		n := len(r.Moves)
		if r.addPieces(p.w, m, held); len(r.Moves) > n {
			x := &r.Moves[n]
			x.Time, x.Line, x.Op, x.Cost = p.time, int(p.at.src.Pos.Line), p.at.src.Op, Traffic{}
			x.Source = r.g.program.source(p.at.loc)
		}
	}
}

// firstOrigin returns the first origin among some bytes.
func firstOrigin(list []Origin, part [2]int) Origin {
	for _, o := range list[part[0]:part[1]] {
		if o != 0 {
			return o
		}
	}
	return 0
}

// An atomicRecord is an atom or red: what it leaves in memory is not followed.
type atomicRecord struct {
	access
	*computed
}

func (u *atomicRecord) before(r *recorder, w *warp, mask uint32) {
	r.saved = w.f.regs[u.at.slot]
	u.computed.before(r, w, mask)
}

func (u *atomicRecord) record(r *recorder, w *warp, mask uint32) {
	u.computed.record(r, w, mask)
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		if seg, at := w.segmentOf(u.space, lane, r.saved[lane]+uint64(u.at.offset)); seg != nil && u.unit > 0 {
			clear(r.bytes(seg, at-seg.base, uint64(u.unit*u.count)))
		}
	}
}

// spaceOf returns the space of a segment, as a side has it.
func (r *recorder) spaceOf(s *segment) SideSpace {
	switch {
	case s.tensor:
		return SideTensor
	case s.owner != nil:
		return SideShared
	case s.scratch:
		return SideLocal
	case s == &r.g.params || s.constant:
		return SideNone
	}
	return SideGlobal
}

func (l *loadUse) before(r *recorder, w *warp, _ uint32) { r.saved = w.f.regs[l.at.slot] }

func (l *loadUse) record(r *recorder, w *warp, mask uint32) {
	n := l.unit * l.count
	m := Move{Kind: MoveLoad, Lanes: mask, Bytes: l.unit, Pieces: l.count, To: Side{Space: SideRegisters}}
	held := make([]Origin, 0, n*bits.OnesCount32(mask))
	for k := mask; k != 0; k &= k - 1 {
		lane := lowest(k)
		seg, at := w.segmentOf(l.space, lane, r.saved[lane]+uint64(l.at.offset))
		if seg == nil || !seg.holds(at, n) {
			return
		}
		m.From.Space = r.spaceOf(seg)
		for i := range l.count {
			m.From.At = append(m.From.At, at+uint64(i*l.unit))
		}
		first := len(held)
		held = held[:first+n]
		r.read(seg, at-seg.base, uint64(n), held[first:])
	}
	for i, s := range l.slots {
		m.To.At = append(m.To.At, r.number(w.f, s)<<3)
		for b := range 8 {
			k := 0
			r.set(w.f, mask, registerByte{s, b}, func(int) (o Origin) {
				if b < l.unit {
					o = held[k*n+i*l.unit+b]
				}
				k++
				return o
			})
		}
	}
	r.keepMove(w, w.block, m, held)
}

// keepMove adds a move of w if it concerns the followed block and something that has an origin.
func (r *recorder) keepMove(w *warp, of *block, m Move, held []Origin) {
	if !r.follows(of) || m.From.Space == SideLocal || m.To.Space == SideLocal ||
		m.Kind == MoveLoad && m.From.Space == SideNone {
		return
	}
	for _, o := range held {
		if o != 0 {
			r.add(w, m, held)
			return
		}
	}
}

func (u *storeUse) before(*recorder, *warp, uint32) {}

func (u *storeUse) record(r *recorder, w *warp, mask uint32) {
	n, f := u.unit*u.count, w.f
	m := Move{Kind: MoveStore, Lanes: mask, Bytes: u.unit, Pieces: u.count, From: Side{Space: SideRegisters}}
	for _, s := range u.slots {
		m.From.At = append(m.From.At, r.number(f, s)<<3)
	}
	held := make([]Origin, 0, n*bits.OnesCount32(mask))
	for k := mask; k != 0; k &= k - 1 {
		lane := lowest(k)
		seg, at := w.segmentOf(u.space, lane, f.regs[u.at.slot][lane]+uint64(u.at.offset))
		if seg == nil || !seg.holds(at, n) {
			return
		}
		m.To.Space = r.spaceOf(seg)
		first := len(held)
		for i, s := range u.slots {
			m.To.At = append(m.To.At, at+uint64(i*u.unit))
			for b := range u.unit {
				held = append(held, r.registerByte(f, registerByte{s, b}, lane))
			}
		}
		copy(r.bytes(seg, at-seg.base, uint64(n)), held[first:])
	}
	r.keepMove(w, w.block, m, held)
}
