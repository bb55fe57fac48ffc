package kernel

import "girih/ptx"

// This file joins two conversions of f32 into one. An element of a fragment that is narrower than a register is
// converted, widened and inserted into its register:
//
//	cvt.rn.f16.f32 %h0, %x0        cvt.rn.f16.f32 %h1, %x1
//	cvt.u32.u16    %t0, %h0        cvt.u32.u16    %t1, %h1
//	bfi.b32        %w, %t0, %w, 0, 16    bfi.b32  %w, %t1, %w, 16, 16
//
// becomes cvt.rn.f16x2.f32 %w, %x1, %x0, which rounds both in the same way. These instructions may be far apart, as
// long as they are executed one after another, and nothing between uses %w or changes %x0.

// packs are the conversions of two f32, by the conversion of one. The results with 16 bits of a byte each are inserted.
var packs = map[ptx.Op]ptx.Op{
	"cvt.rn.f16.f32": "cvt.rn.f16x2.f32", "cvt.rn.bf16.f32": "cvt.rn.bf16x2.f32",
	"cvt.rn.satfinite.e4m3x2.f32": "cvt.rn.satfinite.e4m3x2.f32",
	"cvt.rn.satfinite.e5m2x2.f32": "cvt.rn.satfinite.e5m2x2.f32",
}

// A packing is an element that was converted and inserted: the numbers of its three instructions.
type packing struct{ convert, widen, insert int }

// A fuser finds elements that are converted one by one.
type fuser struct {
	stmts   []ptx.Stmt
	uses    map[ptx.Name]int // how often instructions name a register
	made    map[ptx.Name]int // the instruction that wrote it last
	named   map[ptx.Name]int // the instruction that named it last
	last    map[ptx.Name]packing
	removed map[int]bool
}

// fuse returns the statements of a kernel with pairs of conversions joined.
func fuse(stmts []ptx.Stmt) []ptx.Stmt {
	f := fuser{stmts: stmts, uses: map[ptx.Name]int{}, removed: map[int]bool{}}
	if !f.worthwhile() {
		return stmts
	}
	f.begin()
	for i, st := range stmts {
		in, ok := st.(*ptx.Instr)
		if !ok || in.Op.Name() == "bra" {
			f.begin()
			continue
		}
		f.look(i)
		for name, writes := range in.Names() {
			f.named[name] = i
			if writes {
				f.made[name] = i
			}
		}
	}
	kept := stmts[:0]
	for i, st := range stmts {
		if !f.removed[i] {
			kept = append(kept, st)
		}
	}
	return kept
}

// worthwhile reports whether there are two conversions, and counts the uses of registers.
func (f *fuser) worthwhile() bool {
	found := 0
	for _, st := range f.stmts {
		if in, ok := st.(*ptx.Instr); ok && packs[in.Op] != "" {
			found++
		}
	}
	if found < 2 {
		return false
	}
	for _, st := range f.stmts {
		if in, ok := st.(*ptx.Instr); ok {
			for name := range in.Names() {
				f.uses[name]++
			}
		}
	}
	return true
}

// look joins the element that instruction i inserts with the one before it, if there are two.
func (f *fuser) look(i int) {
	p, ok := f.packing(i)
	if !ok {
		return
	}
	w, _ := f.at(i).Operands[0].(ptx.Name)
	if q, ok := f.last[w]; ok && f.named[w] == q.insert && f.join(q, p, w) {
		delete(f.last, w)
		return
	}
	f.last[w] = p
}

// begin forgets what was found: another path may lead here.
func (f *fuser) begin() {
	f.made, f.named, f.last = map[ptx.Name]int{}, map[ptx.Name]int{}, map[ptx.Name]packing{}
}

func (f *fuser) at(i int) *ptx.Instr { return f.stmts[i].(*ptx.Instr) }

// packing returns the element that instruction i inserts, if it was converted in the same run of instructions and is
// used for nothing else.
func (f *fuser) packing(i int) (p packing, ok bool) {
	in := f.at(i)
	if in.Op != "bfi.b32" || in.Pred != "" || in.Operands[0] != in.Operands[2] {
		return p, false
	}
	if p.widen, ok = f.only(in.Operands[1], "cvt.u32.u16"); !ok {
		return p, false
	}
	p.insert = i
	if p.convert, ok = f.only(f.at(p.widen).Operands[1], ""); !ok {
		return p, false
	}
	c := f.at(p.convert)
	bits := map[bool]ptx.Int{true: 16, false: 8}[len(c.Operands) == 2]
	return p, bits == in.Operands[4] && (bits == 16 || c.Operands[1] == ptx.Bits32(0))
}

// only returns the instruction that made an operand, if it is the given one, or a conversion, and its result is used
// once.
func (f *fuser) only(o ptx.Operand, op ptx.Op) (int, bool) {
	name, ok := o.(ptx.Name)
	i, made := f.made[name]
	if !ok || !made || f.uses[name] != 2 {
		return 0, false
	}
	in := f.at(i)
	return i, in.Pred == "" && (in.Op == op || op == "" && packs[in.Op] != "")
}

// join joins two elements of a register, inserted one after the other, if they are a pair.
func (f *fuser) join(q, p packing, w ptx.Name) bool {
	low, high := q, p
	from := func(p packing) ptx.Int { n, _ := f.at(p.insert).Operands[3].(ptx.Int); return n }
	if from(low) > from(high) {
		low, high = high, low
	}
	bits, _ := f.at(p.insert).Operands[4].(ptx.Int)
	if from(low)%(2*bits) != 0 || from(high) != from(low)+bits || f.at(q.convert).Op != f.at(p.convert).Op ||
		!f.keepsSource(p, p.convert) || !f.keepsSource(q, min(q.convert, p.convert)) {
		return false
	}
	source := func(p packing) ptx.Operand { c := f.at(p.convert).Operands; return c[len(c)-1] }
	lo, hi := source(low), source(high)
	op := packs[f.at(p.convert).Op]
	f.removed[q.convert], f.removed[q.widen], f.removed[q.insert] = true, true, true
	if bits == 16 {
		f.removed[p.convert], f.removed[p.widen] = true, true
		in := f.at(p.insert)
		in.Op, in.Operands = op, []ptx.Operand{w, hi, lo}
		return true
	}
	c, in := f.at(p.convert), f.at(p.insert)
	c.Operands = []ptx.Operand{c.Operands[0], hi, lo}
	in.Operands = []ptx.Operand{w, in.Operands[1], w, from(low), 2 * bits}
	return true
}

// keepsSource reports whether the number that was converted is still in its register, and was there before an
// instruction: two bytes are converted together where the byte that is inserted last was.
func (f *fuser) keepsSource(p packing, before int) bool {
	c := f.at(p.convert).Operands
	x, ok := c[len(c)-1].(ptx.Name)
	i, made := f.made[x]
	return ok && (!made || i < before)
}
