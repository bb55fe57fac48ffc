package kernel

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/ptx"
)

// Copy copies the elements of src to dst, which must have the same number of elements: copy(src, dst). It uses the
// widest accesses that both layouts, their alignment and the bounds allow. From memory to memory it loads everything
// before it stores anything. To a fragment it loads elements under a stride of 0 once.
//
// It fails with [cute.CodeNotCongruent] if the numbers of elements differ, or if the numbers of modes are equal and
// their sizes differ, [cute.CodeType] if the types differ, and [cute.CodeMode] if an element may be outside of its
// tensor: of one with run-time extents, or by a coordinate that may exceed a known extent. Use [K.CopyIf] there.
func (k *K) Copy(src, dst Tensor) {
	defer k.op("copy", 0, src.id(), dst.id()).end()
	a, b, ok := k.sides("copy", src, dst)
	if !ok {
		return
	}
	for _, s := range []side{a, b} {
		for i, e := range s.elements {
			if !e.cond.always() {
				k.outside("copy", s, i)
				return
			}
		}
	}
	if !k.permute(a, b) && !k.distinct("copy", a, b) {
		k.move(a, b, k.vectors(a, b))
	}
}

// CopyIf copies the elements that are inside their tensors, as [K.Copy] does: copy_if with the predicate elem_less of
// an identity tensor. The other elements of dst keep their values.
func (k *K) CopyIf(src, dst Tensor) {
	defer k.op("copy_if", 0, src.id(), dst.id()).end()
	if a, b, ok := k.sides("copy_if", src, dst); ok && !k.distinct("copy_if", a, b) {
		k.move(a, b, k.vectors(a, b))
	}
}

// CopyZfill is [K.CopyIf] that writes zeros to dst for elements outside of src, like CuTe's copies named ZFILL.
func (k *K) CopyZfill(src, dst Tensor) {
	defer k.op("copy_zfill", 0, src.id(), dst.id()).end()
	a, b, ok := k.sides("copy_zfill", src, dst)
	if !ok || k.distinct("copy_zfill", a, b) {
		return
	}
	vs := k.vectors(a, b)
	regs := make([][]ptx.Name, len(vs))
	for i, v := range vs {
		regs[i] = k.loadOrZero(a, v)
	}
	for i, v := range vs {
		k.store(b, v, regs[i], *b.elements[v.from[0]].cond)
	}
}

// sides returns the elements of two tensors, and refuses tensors of different sizes.
func (k *K) sides(op string, src, dst Tensor) (a, b side, ok bool) {
	if a, b, ok = k.bothSides(op, src, dst); ok && len(a.elements) != len(b.elements) {
		k.refuse(op, cute.CodeNotCongruent, "expected as many elements in %v as in %v, found %d and %d", dst, src,
			len(b.elements), len(a.elements))
	}
	if ok && k.err == nil && !alikeModes(src, dst) {
		k.repair("partition both with one layout of threads, or one tiled copy", &cute.Error{
			Code: cute.CodeNotCongruent, Op: op,
			Msg: fmt.Sprintf("expected modes of the same sizes in %v as in %v: elements at one coordinate belong together", dst,
				src),
		})
	}
	k.again(op, b, a)
	if ok && k.err == nil {
		a = k.before(a, b)
	}
	return a, b, k.err == nil
}

// bothSides returns the elements of two tensors.
func (k *K) bothSides(op string, src, dst Tensor) (a, b side, ok bool) {
	k.narrow = nil
	if !k.has(op, src, dst) {
		return a, b, false
	}
	a, b = side{src.root, k.elements(op, src)}, side{dst.root, k.elements(op, dst)}
	if k.err == nil && (a.root.elem != b.root.elem || a.root.bits() != b.root.bits()) {
		k.repair("Convert takes a fragment of one type to one of another", &cute.Error{
			Code: cute.CodeType, Op: op,
			Msg: fmt.Sprintf("expected elements of one type, found %v and %v", a.root.elem, b.root.elem),
		})
	}
	k.apart(op, b.root)
	return a, b, k.err == nil
}

// alikeModes reports whether the modes of two tensors of equal size have the same sizes. It also accepts different
// numbers of modes: one tensor then lists the other's elements.
func alikeModes(a, b Tensor) bool {
	if len(a.modes) != len(b.modes) {
		return true
	}
	for i, m := range a.modes {
		if n := b.modes[i]; !m.open && !n.open && m.layout.Size() != n.layout.Size() {
			return false
		}
	}
	return true
}

// outside reports the mistake that element i may be outside of its tensor.
func (k *K) outside(op string, s side, i int) {
	c := s.elements[i].cond
	text := "it is outside"
	if len(c.less()) > 0 {
		l := c.less()[0]
		_, hi := l[0].Range()
		lo, _ := l[1].Range()
		text = fmt.Sprintf("it is inside where %v < %v; the left goes up to %d, and the right may be %d", l[0], l[1], hi, lo)
	}
	or := ", or state a fact such as Div of the extent"
	if s.root.extents == nil {
		or = ", or take coordinates that are inside, as of Mod"
	}
	k.repair(k.insteadOf(op)+or, &cute.Error{
		Code: cute.CodeMode, Op: op, Msg: fmt.Sprintf("element %d of %s may be outside: %s", i, s.root.name, text),
	})
}

// insteadOf returns the hint for an operation on elements that may be outside.
func (k *K) insteadOf(op string) string {
	switch {
	case op == "load", op == "store":
		return "put it into k.If(k.InBounds(...), ...)"
	case op == "fill", op == "clear":
		return "fill a fragment, and use CopyIf"
	case op == "gemm":
		return "bring it to shared memory or a fragment with CopyZfill first"
	case strings.HasPrefix(k.atom, "SM80_CP_ASYNC") && !strings.Contains(k.atom, "_ZFILL"):
		name, of, _ := strings.Cut(k.atom, "<")
		return "take " + name + "_ZFILL<" + of + ", which writes zeros for elements outside"
	}
	return "use CopyIf, which leaves elements outside alone, or CopyZfill"
}

// move moves the vectors: all loads come before all stores.
func (k *K) move(src, dst side, vs []vector) {
	defer k.stand()()
	regs := make([][]ptx.Name, len(vs))
	conds := make([]Cond, len(vs))
	for i, v := range vs {
		conds[i] = src.elements[v.from[0]].cond.And(*dst.elements[v.from[0]].cond)
		if !conds[i].never {
			regs[i] = k.load(src, v, conds[i])
		}
	}
	for i, v := range vs {
		if !conds[i].never {
			k.store(dst, v, regs[i], conds[i])
		}
	}
}

// address returns the operand of an access, and records it.
func (k *K) address(in *root, x address.Expr) ptx.Operand {
	bits := 64
	if in.space == Shared {
		bits = 32
	}
	if in.fine() {
		x = k.s.Div(x, 8)
	}
	a, err := k.c.Address(x, bits)
	k.fail(err)
	r := reason{a, x, k.loops, in}
	k.addresses, k.pending = append(k.addresses, r), append(k.pending, r)
	return a
}

// load returns registers into which the elements of a vector are loaded if the condition holds.
func (k *K) load(s side, v vector, cond Cond) []ptx.Name {
	o, typ, n := suffix(s.root, v.n)
	switch {
	case s.root.space == Registers:
		return k.take(s, v, typ)
	case s.root.bits()*v.n < 8:
		return []ptx.Name{k.partOfByte(s, v, k.loadInto(s.root, k.at(s.elements[v.from[0]]), cond, access{o, k.b.Regs(typ, n)}))}
	}
	return k.loadInto(s.root, k.at(s.elements[v.from[0]]), cond, access{o, k.b.Regs(typ, n)})
}

// loadOrZero loads the elements that are inside the tensor, and returns zeros for the others.
func (k *K) loadOrZero(s side, v vector) []ptx.Name {
	cond := *s.elements[v.from[0]].cond
	if s.root.space == Registers || cond.always() {
		return k.load(s, v, cond)
	}
	o, typ, n := suffix(s.root, v.n)
	regs := k.b.Regs(typ, n)
	for _, r := range regs {
		k.emit("mov."+ptx.Op(typ), r, ptx.Int(0))
	}
	if cond.never {
		return names(regs)
	}
	out := k.loadInto(s.root, k.at(s.elements[v.from[0]]), cond, access{o, regs})
	if s.root.bits()*v.n < 8 {
		return []ptx.Name{k.partOfByte(s, v, out)}
	}
	return out
}

// An access is the suffix of a load's opcode, and the registers that it loads.
type access struct {
	suffix ptx.Op
	regs   ptx.Vec
}

// loadInto loads a vector from an address.
func (k *K) loadInto(from *root, x address.Expr, cond Cond, a access) []ptx.Name {
	at := k.address(from, x)
	to := ptx.Operand(a.regs)
	if len(a.regs) == 1 {
		to = a.regs[0]
	}
	k.emitIf(k.predicate(cond), k.withHint("ld", from.space)+a.suffix, to, at)
	return names(a.regs)
}

func names(regs ptx.Vec) []ptx.Name {
	out := make([]ptx.Name, len(regs))
	for i, r := range regs {
		out[i], _ = r.(ptx.Name)
	}
	return out
}

// pack returns registers as the operand of a load or store.
func pack(regs []ptx.Name) ptx.Operand {
	if len(regs) == 1 {
		return regs[0]
	}
	v := make(ptx.Vec, len(regs))
	for i, r := range regs {
		v[i] = r
	}
	return v
}

// store writes registers to the elements of a vector if the condition holds.
func (k *K) store(s side, v vector, regs []ptx.Name, cond Cond) {
	if cond.never || k.err != nil {
		return
	}
	if s.root.space == Registers {
		k.put(s, v, regs, cond)
		return
	}
	if bits := s.root.bits() * v.n; bits < 8 {
		k.repair("give each thread neighbours that make up whole bytes", &cute.Error{
			Code: cute.CodeType, Op: "copy",
			Msg: fmt.Sprintf("a thread stores %d bits of %s, and threads write whole bytes", bits, s.root.name),
		})
		return
	}
	if k.apart("store", s.root); k.err != nil {
		return
	}
	o, _, _ := suffix(s.root, v.n)
	p := k.predicate(cond)
	k.emitIf(p, k.withHint("st", s.root.space)+o, k.address(s.root, k.at(s.elements[v.from[0]])), pack(regs))
}

// number returns the number of an element in its fragment.
func (k *K) number(s side, i int) (int64, bool) {
	n, ok := s.elements[i].number()
	if !ok {
		k.repair("unroll the loop: use Go's for in the place of k.For", &cute.Error{
			Code: cute.CodeUnknown, Op: "copy",
			Msg: fmt.Sprintf("registers have no addresses: element %v of a fragment is not known when the kernel is traced",
				k.at(s.elements[i])),
		})
	}
	return n, ok
}

// Fill sets every element to a number: fill(t, x). It fails with [cute.CodeType] for types that cannot represent x,
// and, as [K.Copy] does, [cute.CodeMode] if an element may be outside.
func (k *K) Fill(t Tensor, x float64) {
	defer k.does(&emit.Step{Op: "fill", Of: of(t), X: x}).end()
	es := k.elements("fill", t)
	if k.err != nil {
		return
	}
	s := side{t.root, es}
	v := k.Number(t.root.elem, x)
	for i := range es {
		if !es[i].cond.always() {
			k.outside("fill", s, i)
			return
		}
		k.put1(s, i, v)
	}
}

// put1 stores a value in an element.
func (k *K) put1(s side, i int, v Value) {
	if k.err == nil {
		k.store(s, vector{1, []int{i}}, []ptx.Name{v.reg}, *s.elements[i].cond)
	}
}
