package kernel

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// Gemm adds a product to c, which is in registers: c(m,n) += Σ a(m,k)·b(n,k), for a of (M,K), b of (N,K) and c of
// (M,N), all of one type: gemm(a, b, c) with UniversalFMA. For each k in turn it loads a column of a and of b, if they
// are in memory, in the widest accesses; a product of floats is rounded once, together with the sum.
//
// It fails with [cute.CodeRank] for other ranks, [cute.CodeNotCongruent] for extents that do not match, and
// [cute.CodeType] for types that differ or have no arithmetic, or if c is not in registers.
func (k *K) Gemm(a, b, c Tensor) {
	defer k.op("gemm", 0, a.id(), b.id(), c.id()).end()
	const op = "gemm"
	n, ok := k.gemmShape(a, b, c)
	if !ok {
		return
	}
	t := c.root.elem
	fma := fmaOf(t)
	if c.root.space != Registers || a.root.elem != t || b.root.elem != t || fma == "" {
		k.advise("load or Convert to fragments of one type first").refuse(op, cute.CodeType,
			"expected f32, f64 or integers, all alike, and c in registers, found %v %v, %v %v and %v %v",
			a.root.space, a.root.elem, b.root.space, b.root.elem, c.root.space, t)
		return
	}
	if n[0]*n[1]*n[2] > 4*MaxElements {
		k.repair("use k.For over K, or more threads", &cute.Error{
			Code: cute.CodeLimit, Op: op,
			Msg: fmt.Sprintf("a thread has %d·%d·%d products, which are unrolled: at most %d", n[0], n[1], n[2], 4*MaxElements),
		})
		return
	}
	defer k.stand()()
	acc := side{c.root, k.elements(op, c)}
	k.again(op, acc)
	a, b = k.apartFrom(c, a), k.apartFrom(c, b)
	for i := range n[2] {
		x, y := k.column(a, i), k.column(b, i)
		for q := range acc.elements {
			at, ok := k.number(acc, q)
			if !ok || k.err != nil {
				return
			}
			r := acc.root.words[at]
			k.emit(fma, r, x[int64(q)%n[0]], y[int64(q)/n[0]], r)
		}
	}
}

// fmaOf returns the instruction that adds a product, for types whose elements have a register each.
func fmaOf(t dtype.Type) ptx.Op {
	if t.Bits() < 32 {
		return ""
	}
	return operations["fma"][t]
}

// gemmShape returns the extents M, N and K of the operands of [K.Gemm]; ok is false if they do not match.
func (k *K) gemmShape(a, b, c Tensor) (n [3]int64, ok bool) {
	const op = "gemm"
	if !k.has(op, a, b, c) {
		return n, false
	}
	var ls [3]cute.Layout
	for _, t := range []Tensor{a, b, c} {
		if len(t.modes) != 2 {
			k.refuse(op, cute.CodeRank, "expected (M,K), (N,K) and (M,N), found %v", t)
			return n, false
		}
	}
	for i, t := range []Tensor{a, b, c} {
		if ls[i], ok = k.layoutOf(op, t); !ok {
			return n, false
		}
	}
	size := func(i, j int) int64 { return ls[i].Modes()[j].Size() }
	n = [3]int64{size(2, 0), size(2, 1), size(0, 1)}
	if size(0, 0) != n[0] || size(1, 0) != n[1] || size(1, 1) != n[2] {
		k.advise("partition A by rows, B by columns and C by both of one layout of threads").refuse(
			op, cute.CodeNotCongruent, "expected (M,K), (N,K) and (M,N), found the shapes %v, %v and %v", ls[0].Shape(),
			ls[1].Shape(), ls[2].Shape())
		return n, false
	}
	return n, true
}

// column returns registers with the elements of t at one k.
func (k *K) column(t Tensor, i int64) []ptx.Name {
	s := k.Slice(t, Open, Int(i))
	from := side{s.root, k.elements("gemm", s)}
	out := make([]ptx.Name, len(from.elements))
	if k.err != nil {
		return out
	}
	// The elements are loaded into a fragment with a register for each.
	to := side{&root{k: k, space: Registers, elem: t.root.elem}, make([]element, len(out))}
	for j := range to.elements {
		to.elements[j] = element{base: k.s.Const(0), off: int64(j), cond: k.sure}
	}
	for j, e := range from.elements {
		if !e.cond.always() {
			k.outside("gemm", from, j)
			return out
		}
	}
	for _, v := range k.vectors(from, to) {
		for j, r := range k.load(from, v, Cond{k: k}) {
			out[v.from[j]] = r
		}
	}
	return out
}
