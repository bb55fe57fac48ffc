package kernel

import (
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/ptx"
)

// This file defines how elements are stored in memory and in registers: their bits, and their part of a register.

// bits returns the width of an element.
func (r *root) bits() int { return r.elem.Bits() * max(r.parts, 1) }

// fine reports whether elements are smaller than a byte; addresses of such elements count bits.
func (r *root) fine() bool { return r.space != Registers && r.bits() < 8 }

// step returns the distance of neighbours: in bytes, or in bits for elements below a byte; 1 if elements are numbered.
func (r *root) step() int64 {
	switch {
	case r.space == Registers:
		return 1
	case r.fine():
		return int64(r.bits())
	}
	return int64(r.bits()) / 8
}

// start returns the address of the first element of a root, in its unit.
func (k *K) start(r *root) address.Expr {
	if r.fine() {
		return k.s.Scale(r.pointer, 8)
	}
	return r.pointer
}

// storage returns the root that owns the registers of r.
func (r *root) storage() *root {
	for r.of != nil {
		r = r.of
	}
	return r
}

// holdable reports whether tensors may have elements of the given width: whole bytes, or parts that fill a byte.
func holdable(bits int) bool {
	switch bits {
	case 1, 2, 4, 8, 16, 32, 64:
		return true
	}
	return false
}

// register returns the type of the registers that hold elements, and how many elements one register holds: 1 if an
// element takes one register or more.
func (r *root) register() (ptx.Type, int) {
	if r.elem.Bits() < 32 && r.parts <= 1 {
		return ptx.B32, 32 / r.elem.Bits()
	}
	typ, _ := registerType(r.elem)
	return typ, 1
}

// word returns the first register of element n of a fragment.
func (r *root) word(n int64) ptx.Name {
	_, per := r.register()
	return r.words[int(n)/per*max(r.parts, 1)]
}

// operand returns register i as an operand; it allocates once.
func (r *root) operand(i int) ptx.Operand {
	if len(r.operands) < len(r.words) {
		r.operands = make([]ptx.Operand, len(r.words))
	}
	if r.operands[i] == nil {
		r.operands[i] = r.words[i]
	}
	return r.operands[i]
}

// registerType returns the type of the registers for a type of elements, and how many elements one register holds.
func registerType(t dtype.Type) (ptx.Type, int) {
	switch b := t.Bits(); b {
	case 64:
		return ptx.B64, 1
	case 32:
		return ptx.B32, 1
	default:
		return ptx.B32, 32 / b
	}
}

// take returns registers that hold the elements of a vector in a fragment.
func (k *K) take(s side, v vector, typ ptx.Type) []ptx.Name {
	k.refuseUnfinished(s.root)
	_, per := s.root.register()
	if typ == ptx.B16 { // half of a word
		n, ok := k.number(s, v.from[0])
		if !ok {
			return []ptx.Name{ptx.Sink}
		}
		bits := s.root.bits()
		x := k.let(ptx.B32, "bfe.u32", s.root.word(n), ptx.Int(int(n)%per*bits), ptx.Int(bits*v.n))
		return []ptx.Name{k.let(ptx.B16, "cvt.u16.u32", x)}
	}
	var out []ptx.Name
	for i := 0; i < v.n; i += per {
		n, ok := k.number(s, v.from[i])
		if !ok {
			return slices.Repeat([]ptx.Name{ptx.Sink}, v.n)
		}
		at := int(n) / per * max(s.root.parts, 1)
		out = append(out, s.root.words[at:at+max(s.root.parts, 1)]...)
	}
	return out
}

// put moves registers into a fragment.
func (k *K) put(s side, v vector, regs []ptx.Name, cond Cond) {
	k.refuseUnfinished(s.root)
	p := k.predicate(cond)
	typ, per := s.root.register()
	bits := s.root.bits()
	if bits*v.n < 32 {
		n, ok := k.number(s, v.from[0])
		if !ok {
			return
		}
		word := s.root.word(n)
		x := k.let(ptx.B32, "cvt.u32.u16", regs[0])
		k.emitIf(p, "bfi.b32", word, x, word, ptx.Int(int(n)%per*bits), ptx.Int(bits*v.n))
		return
	}
	parts := max(s.root.parts, 1)
	for i, r := range regs {
		n, ok := k.number(s, v.from[i/parts*per])
		if !ok {
			return
		}
		k.emitIf(p, "mov."+ptx.Op(typ), s.root.words[int(n)/per*parts+i%parts], r)
	}
}

// partOfByte extracts elements smaller than a byte from a loaded byte into a 16-bit register.
func (k *K) partOfByte(s side, v vector, loaded []ptx.Name) ptx.Name {
	first, err := k.c.Value(k.s.Mod(k.at(s.elements[v.from[0]]), 8), 32)
	k.fail(err)
	x := k.let(ptx.B32, "cvt.u32.u16", loaded[0])
	return k.let(ptx.B16, "cvt.u16.u32", k.let(ptx.B32, "bfe.u32", x, first, ptx.Int(s.root.bits()*v.n)))
}

// Clear sets every element to zero: clear(t). It has the errors of [K.Fill].
func (k *K) Clear(t Tensor) {
	defer k.op("fill", 0, t.id()).end()
	if !k.has("clear", t) || t.root.space != Registers {
		k.Fill(t, 0)
		return
	}
	k.refuseUnfinished(t.root)
	s := side{t.root, k.elements("clear", t)}
	typ, per := t.root.register()
	found := map[int]int{} // the number of elements cleared, by register
	for i := range s.elements {
		n, ok := k.number(s, i)
		if !ok {
			return
		}
		found[int(n)/per]++
	}
	parts, bits := max(t.root.parts, 1), t.root.bits()
	for i := range s.elements {
		n, _ := k.number(s, i)
		word := int(n) / per
		switch {
		case found[word] == min(per, t.root.count-word*per): // all elements of the register
			for p := range parts {
				k.emit("mov."+ptx.Op(typ), t.root.words[word*parts+p], ptx.Int(0))
			}
			found[word] = 0
		case found[word] > 0:
			x := t.root.word(n)
			k.emit("bfi.b32", x, ptx.Int(0), x, ptx.Int(int(n)%per*bits), ptx.Int(bits))
		}
	}
}

// values returns registers that hold an instruction's values, each narrower than 32 bits: the fragment's own registers
// if these hold the values in order, and new registers otherwise. Wide is the width of a register in bits.
func (k *K) values(s side, wide int) ptx.Vec {
	parts := max(s.root.parts, 1)
	_, per := s.root.register()
	bits := s.root.bits()
	out := make(ptx.Vec, 0, max(1, len(s.elements)*bits/32))
	for i := 0; i < len(s.elements); {
		n, ok := k.number(s, i)
		switch {
		case !ok:
			return nil
		case bits == 32 && wide == 64 && i+1 < len(s.elements): // two registers
			m, _ := k.number(s, i+1)
			k.refuseUnfinished(s.root)
			out = append(out, k.let(ptx.B64, "mov.b64", ptx.Vec{s.root.word(n), s.root.word(m)}))
			i += 2
			continue
		case bits >= 32:
			for p := range parts {
				out = append(out, s.root.operand(int(n)*parts+p))
			}
			i++
			continue
		case k.follow(s, i, per):
			out = append(out, s.root.operand(int(n)/per*parts))
			i += per
			continue
		}
		k.refuseUnfinished(s.root)
		count := min(wide/bits, len(s.elements)-i)
		if wide == 16 {
			out = append(out, k.take(s, vector{count, []int{i}}, ptx.B16)[0])
			i += count
			continue
		}
		word := k.let(ptx.B32, "mov.b32", ptx.Int(0))
		for j := range count {
			n, ok := k.number(s, i+j)
			if !ok {
				return nil
			}
			x := k.let(ptx.B32, "bfe.u32", s.root.word(n), ptx.Int(int(n)%per*bits), ptx.Int(bits))
			k.emit("bfi.b32", word, x, word, ptx.Int(j*bits), ptx.Int(bits))
		}
		out = append(out, word)
		i += count
	}
	return out
}

// halves returns two 32-bit registers for each of the 64-bit elements.
func (k *K) halves(s side) ptx.Vec {
	regs := k.b.Regs(ptx.B32, 2*len(s.elements))
	for i := range s.elements {
		if n, ok := k.number(s, i); ok {
			k.emit("mov.b64", ptx.Vec{regs[2*i], regs[2*i+1]}, s.root.word(n))
		}
	}
	return regs
}

// follow reports whether the elements from i on fill a register, in order.
func (k *K) follow(s side, i, per int) bool {
	if i+per > len(s.elements) {
		return false
	}
	first, ok := k.number(s, i)
	for j := range per {
		n, known := k.number(s, i+j)
		ok = ok && known && n == first+int64(j)
	}
	return ok && first%int64(per) == 0
}

// keep moves registers that an instruction wrote to the fragment's own registers, unless they are the same registers.
func (k *K) keep(s side, wide int, written ptx.Vec) {
	bits := s.root.bits()
	switch {
	case k.err != nil:
	case bits == 64 && wide == 32:
		k.joinHalves(s, written)
	case bits == 32 && wide == 64 && len(s.elements) >= 2:
		k.splitPairs(s, written)
	case bits < 32:
		k.keepParts(s, wide, written)
	}
}

// joinHalves sets 64-bit elements to pairs of registers.
func (k *K) joinHalves(s side, written ptx.Vec) {
	for i := range s.elements {
		if n, ok := k.number(s, i); ok {
			k.emit("mov.b64", s.root.word(n), ptx.Vec{written[2*i], written[2*i+1]})
		}
	}
}

// splitPairs sets pairs of 32-bit elements to 64-bit registers.
func (k *K) splitPairs(s side, written ptx.Vec) {
	for i, r := range written {
		n, _ := k.number(s, 2*i)
		m, _ := k.number(s, 2*i+1)
		name, _ := r.(ptx.Name)
		k.emit("mov.b64", ptx.Vec{s.root.word(n), s.root.word(m)}, name)
	}
}

// keepParts sets elements below 32 bits to the parts of registers, unless the registers are the fragment's own.
func (k *K) keepParts(s side, wide int, written ptx.Vec) {
	_, per := s.root.register()
	bits := s.root.bits()
	for _, r := range written {
		name, _ := r.(ptx.Name)
		count := min(max(wide/bits, 1), len(s.elements))
		part := side{s.root, s.elements[:count]}
		s.elements = s.elements[count:]
		if slices.Contains(s.root.words, name) {
			continue
		}
		if wide == 16 {
			k.put(part, vector{count, []int{0}}, []ptx.Name{name}, Cond{k: k})
			continue
		}
		for j := range count {
			n, _ := k.number(part, j)
			word := s.root.word(n)
			x := k.let(ptx.B32, "bfe.u32", name, ptx.Int(j*bits), ptx.Int(bits))
			k.emit("bfi.b32", word, x, word, ptx.Int(int(n)%per*bits), ptx.Int(bits))
		}
	}
}

// inOrder refuses values that do not fill whole registers in order, for instructions that run asynchronously.
func (k *K) inOrder(s side) {
	_, per := s.root.register()
	for i := 0; i < len(s.elements); i += per {
		if !k.follow(s, i, per) && k.err == nil {
			k.refuse("gemm", cute.CodeNotRepresentable,
				"values %d to %d of an instruction are no neighbours in the fragment, of %d bits: expected those of a register",
				i, i+per-1, s.root.bits())
		}
	}
}
