package kernel

import (
	"cmp"
	"slices"

	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
)

// This file loads elements that a thread has several times, as it has a bias or a scale under a stride of 0. Each
// address is loaded once, in the widest accesses that the distinct elements allow, and its register is copied.

// distinct copies elements from memory to registers if the first one has another element's address. It reports whether
// it did. For copy_zfill, elements outside of the tensor become zeros; otherwise their registers are left alone.
func (k *K) distinct(op string, a, b side) bool {
	if a.root.space == Registers || b.root.space != Registers || k.err != nil || !a.repeats() {
		return false
	}
	first, users := a.group()
	layout, err := cute.LayoutLeft(cute.Int(int64(len(first))))
	if err != nil {
		return false
	}
	temp := k.makeFragment(a.root.elem, max(a.root.parts, 1), layout)
	if k.err != nil {
		return false
	}
	from, to := side{a.root, nil}, side{temp.root, nil}
	for i, f := range first {
		from.elements = append(from.elements, a.elements[f])
		to.elements = append(to.elements, element{base: k.s.Const(0), off: int64(i), cond: k.sure})
	}
	defer k.stand()()
	zero := op == "copy_zfill"
	vs := k.vectors(from, to)
	if zero {
		for _, v := range vs {
			k.store(to, v, k.loadOrZero(from, v), *k.sure)
		}
	} else {
		k.move(from, to, vs)
	}
	typ := valueType(a.root.elem)
	for i := range first {
		cond := *a.elements[first[i]].cond
		if zero {
			cond = *k.sure
		}
		if cond.never {
			continue
		}
		regs := k.take(to, vector{1, []int{i}}, typ)
		for _, u := range users[i] {
			k.store(b, vector{1, []int{u}}, regs, cond.And(*b.elements[u].cond))
		}
	}
	return true
}

// repeats reports whether another element has the address of the first one, as under a stride of 0.
func (s side) repeats() bool {
	for i := range s.elements {
		if e := &s.elements[i]; i > 0 && e.base == s.elements[0].base && e.off == s.elements[0].off {
			return true
		}
	}
	return false
}

// group returns the first element of each address, in the order of the addresses from one base, and all elements that
// have the address under the same condition.
func (s side) group() (first []int, users [][]int) {
	type place struct {
		base address.Expr
		off  int64
	}
	at, bases := map[place]int{}, map[address.Expr]int{}
	for i, e := range s.elements {
		p := place{e.base, e.off}
		n, ok := at[p]
		if !ok || !s.elements[first[n]].cond.same(e.cond) {
			n = len(first)
			at[p], first, users = n, append(first, i), append(users, nil)
		}
		if _, ok := bases[e.base]; !ok {
			bases[e.base] = len(bases)
		}
		users[n] = append(users[n], i)
	}
	order := make([]int, len(first))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := s.elements[first[i]], s.elements[first[j]]
		return cmp.Or(cmp.Compare(bases[x.base], bases[y.base]), cmp.Compare(x.off, y.off))
	})
	sorted, of := make([]int, len(first)), make([][]int, len(first))
	for i, o := range order {
		sorted[i], of[i] = first[o], users[o]
	}
	return sorted, of
}

// same reports whether two conditions consist of the same comparisons and predicates.
func (c *Cond) same(d *Cond) bool {
	return c == d || c.never == d.never && slices.Equal(c.less(), d.less()) &&
		slices.EqualFunc(c.holds(), d.holds(), func(p, q ptx.Operand) bool { return p == q })
}
