package kernel

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
	"girih/internal/machine/address"
)

// This file finds the addresses or registers of elements, and whether the elements are inside their root.

// An element is the place of one element of a tensor, base + off: an address in memory, in bytes or bits (see
// [root.step]), or a number in registers. Base contains no constant: neighbours share a base, and only sums used as
// addresses are built.
type element struct {
	base address.Expr
	off  int64
	cond *Cond // holds if the element is inside the root; elements share conditions

	assume int64 // what [K.Assume] states to divide the place; 0 for nothing
}

// at returns the place of an element.
func (k *K) at(e element) address.Expr { return k.s.Plus(e.base, e.off) }

// follows reports whether e is exactly the given number of bytes after d.
func (e element) follows(d element, bytes int64) bool {
	return e.base == d.base && e.off-d.off == bytes
}

// number returns the place of an element if it is the same for all threads.
func (e element) number() (int64, bool) {
	n, ok := e.base.Int64()
	return n + e.off, ok
}

// divisible reports whether n divides the place of e.
func (e element) divisible(n int64) bool {
	m, r := e.base.Congruence()
	return n > 0 && m%n == 0 && (r+e.off)%n == 0
}

// elements returns the elements of a tensor in colexicographic order.
func (k *K) elements(op string, t Tensor) []element {
	if !k.has(op, t) {
		return nil
	}
	leaves, n, ok := k.leaves(t)
	if !ok {
		l, ok := k.layoutOf(op, t)
		if !ok {
			return nil
		}
		leaves, n = leavesOf(l), l.Size()
	}
	if n > MaxElements {
		k.repair("use k.For, or more threads", &cute.Error{
			Code: cute.CodeLimit, Op: op, Msg: fmt.Sprintf("a thread has %d elements of %v, which is unrolled: at most %d", n,
				t.root.name, MaxElements),
		})
		return nil
	}
	if t.root.space > Registers {
		k.refuse(op, cute.CodeType, "%v cannot be copied", t)
		return nil
	}
	p := k.placer(t)
	out := make([]element, n)
	off := make([]int64, len(t.origin))
	for i := range out {
		out[i] = p.element(off)
		for j := range leaves { // add one to the counter
			f := &leaves[j]
			f.at++
			back := int64(0)
			if f.at == f.extent {
				f.at, back = 0, f.extent
			}
			for a, d := range f.stride {
				off[a] += d * (1 - back)
			}
			if f.at > 0 {
				break
			}
		}
	}
	if !k.space() {
		return nil
	}
	return out
}

// A leaf is an extent with its stride by axis.
type leaf struct {
	extent int64
	stride []int64
	at     int64 // of the counter
}

// leaves returns the leaves of a tensor and its number of elements, without making a layout of its modes. It fails if
// that layout cannot be made, or if offsets are large.
func (k *K) leaves(t Tensor) (out []leaf, n int64, ok bool) {
	if k.err != nil || t.root == nil {
		return nil, 0, false
	}
	count := 0
	for i := range t.modes {
		if count += t.modes[i].layout.LeafCount(); t.modes[i].open {
			return nil, 0, false
		}
	}
	out, n = make([]leaf, 0, count), 1
	strides := make([]int64, 0, count)
	far := int64(0)
	for i := range t.modes {
		l := t.modes[i].layout
		if l.HasBasis() {
			out = append(out, leavesOf(l)...)
			continue
		}
		for j := range l.LeafCount() {
			extent, d := l.Leaf(j)
			strides = append(strides, d)
			out = append(out, leaf{extent: extent, stride: strides[len(strides)-1:]})
		}
	}
	const most = 1 << 40
	for _, f := range out {
		if n *= f.extent; n > MaxElements {
			return nil, 0, false
		}
		for _, d := range f.stride {
			if d > most || d < -most {
				return nil, 0, false
			}
			far += max(d, -d) * f.extent
		}
	}
	return out, n, far < 1<<56
}

func leavesOf(l cute.Layout) []leaf {
	var out []leaf
	shape, stride := l.Shape().Flatten(), l.Stride().Flatten()
	for i, s := range shape.Modes() {
		n, _ := s.Int64()
		f := leaf{extent: n}
		d, _ := stride.Mode(i)
		if shape.IsInt() {
			d = stride
		}
		d.Terms(func(x int64, path []int) {
			a := 0
			if len(path) > 0 {
				a = path[0]
			}
			for len(f.stride) <= a {
				f.stride = append(f.stride, 0)
			}
			f.stride[a] += x
		})
		out = append(out, f)
	}
	return out
}

// baseOf returns the address of the first element if the tensor has no outer functions, so that the address is a sum.
func (k *K) baseOf(t Tensor) address.Expr {
	x := k.start(t.root)
	for a, o := range t.origin {
		x = k.s.Add(x, k.s.Scale(k.s.Mul(o, t.root.strides[a]), t.root.step()))
	}
	return x
}

// A placer finds where the elements of a tensor are.
type placer struct {
	k    *K
	t    Tensor
	base element // the origin's place, if the tensor has no outer functions
	// For a swizzled tensor: the place of each offset, by the high bits that the swizzle can change.
	swizzled map[int64]element
	low      int64 // the number of consecutive offsets that the swizzle keeps together
	first    int64 // the origin modulo low

	sure   *Cond   // holds if the coordinates of t are inside
	known  []int64 // the strides in bytes, by axis; 0 for run-time strides
	moved  []moved // recently used bases that include offsets along axes with run-time strides
	inside []insideAt
	joint  [3]*Cond // the last two conditions that were joined, and their conjunction
}

// insideAt is the condition that an offset along an axis is inside the root.
type insideAt struct {
	axis int
	off  int64
	cond *Cond
}

// moved is the base for offsets along axes with run-time strides; the other offsets are 0.
type moved struct {
	off  []int64
	base element
}

// placer returns the placer of a tensor. It reuses the memory of the previous placer, so the previous placer becomes
// invalid.
func (k *K) placer(t Tensor) *placer {
	p := &k.spot
	*p = placer{k: k, t: t, low: 1, sure: k.edges(t), known: p.known[:0], moved: p.moved[:0], inside: p.inside[:0]}
	r := t.root
	if r.outer.Outer() == nil {
		p.base.base, p.base.off = k.s.Constant(k.baseOf(t))
		for _, d := range r.strides {
			n, ok := d.Int64()
			if !ok {
				n = 0
			}
			p.known = append(p.known, n*r.step())
		}
		return p
	}
	clear(k.swizzled)
	p.swizzled = k.swizzled
	stages := 0
	for f, o := range r.outer.Stages() {
		stages++
		w, ok := f.(cute.Swizzle)
		if ok && stages == 1 && o.Equal(cute.Int(0)) && w.M() < 16 {
			p.low = 1 << w.M()
		} else {
			p.low = 1
		}
	}
	m, rest := t.origin[0].Congruence()
	if m%p.low != 0 {
		p.low = 1
	}
	p.first = rest % p.low
	return p
}

// element returns the element at an offset from the origin.
func (p *placer) element(off []int64) element {
	k, r := p.k, p.t.root
	if p.swizzled != nil {
		// origin + off = (a multiple of low) + rest; the swizzle changes only the multiple.
		rest := (p.first + off[0]) % p.low
		if rest < 0 {
			rest += p.low
		}
		e := p.swizzle(off[0] - rest)
		e.off += rest * r.step()
		e.cond = p.sure
		return e
	}
	e := p.shift(off)
	e.cond = p.sure
	if p.t.assume > 0 {
		e.assume = p.t.assume
		if r.fine() {
			e.assume *= 8
		}
		e.assume = ints.GCD(e.assume, off[0]*r.step())
	}
	for a, d := range off {
		e.off += d * p.known[a]
	}
	for a := range r.extents {
		switch c := p.within(a, off[a]); {
		case c.always():
		case e.cond.always():
			e.cond = c
		case p.joint[0] == e.cond && p.joint[1] == c:
			e.cond = p.joint[2]
		default:
			both := k.both(e.cond, c)
			p.joint = [3]*Cond{e.cond, c, both}
			e.cond = both
		}
	}
	return e
}

// both returns the conjunction of two conditions that are comparisons.
func (k *K) both(c, d *Cond) *Cond {
	if len(c.holds())+len(d.holds()) > 0 {
		out := c.And(*d)
		return &out
	}
	if len(k.conditions) == 0 {
		k.conditions = make([]Cond, 32)
	}
	out, n := &k.conditions[0], len(c.less())+len(d.less())
	k.conditions = k.conditions[1:]
	if cap(k.comparisons)-len(k.comparisons) < n {
		k.comparisons = make([][2]address.Expr, 0, 64+n)
	}
	from := len(k.comparisons)
	k.comparisons = append(append(k.comparisons, c.less()...), d.less()...)
	*out = Cond{k: k, state: state{never: c.never || d.never, one: c.one || d.one}}
	if n > 0 {
		out.terms = &terms{less: slices.Clip(k.comparisons[from:])}
	}
	return out
}

// shift returns the base plus the offsets along axes with run-time strides.
func (p *placer) shift(off []int64) element {
	k, r := p.k, p.t.root
	if !slices.Contains(p.known, 0) {
		return p.base
	}
	same := func(m moved) bool {
		for a, d := range off {
			if p.known[a] == 0 && d != m.off[a] {
				return false
			}
		}
		return true
	}
	for i := len(p.moved) - 1; i >= max(0, len(p.moved)-maxMoved); i-- {
		if same(p.moved[i]) {
			return p.moved[i].base
		}
	}
	x, changed := p.base.base, false
	for a, d := range off {
		if p.known[a] == 0 && d != 0 {
			x, changed = k.s.Add(x, k.s.Scale(r.strides[a], d*r.step())), true
		}
	}
	e := p.base
	if changed {
		var more int64
		e.base, more = k.s.Constant(x)
		e.off += more
	}
	p.moved = append(p.moved, moved{slices.Clone(off), e})
	return e
}

// maxMoved limits how many recent bases and conditions are searched.
const maxMoved = 64

// within returns the condition that an offset along an axis is inside the root.
func (p *placer) within(a int, off int64) *Cond {
	for i := len(p.inside) - 1; i >= max(0, len(p.inside)-maxMoved); i-- {
		if in := &p.inside[i]; in.axis == a && in.off == off {
			return in.cond
		}
	}
	k := p.k
	c := k.inExtent(*k.sure, k.s.Plus(p.t.origin[a], off), p.t.root.extents[a])
	in := insideAt{a, off, k.sure}
	if !c.always() {
		in.cond = &c
	}
	p.inside = append(p.inside, in)
	return in.cond
}

// swizzle returns the place of an offset, through the outer functions.
func (p *placer) swizzle(off int64) element {
	if e, ok := p.swizzled[off]; ok {
		return e
	}
	k, r := p.k, p.t.root
	at, shift := k.s.Plus(p.t.origin[0], off), int64(0)
	if lo, _ := at.Range(); lo < 0 && r.period > 0 {
		shift = (-lo + r.period - 1) / r.period * r.period
	}
	v, err := k.s.Outer(r.outer, address.At(k.s.Plus(at, shift)))
	k.fail(err)
	y, ok := v.Expr()
	if !ok || k.err != nil {
		return element{base: k.s.Const(0)}
	}
	y = k.s.Plus(y, -shift)
	var e element
	e.base, e.off = k.s.Constant(k.s.Add(k.start(r), k.s.Scale(y, r.step())))
	p.swizzled[off] = e
	return e
}

// InBounds returns the condition that the element of t at a coordinate is inside the tensor that t is a part of: not
// before its first element, and not after its last. In a tensor under a known layout each coordinate must be inside of
// its mode. In other tensors the condition matters for modes with run-time extents: their last tiles may extend beyond
// the tensor. It has the errors of [K.Slice].
func (k *K) InBounds(t Tensor, coord ...Index) Cond {
	c := Cond{k: k}
	at, ok := k.point("in_bounds", t, coord)
	if !ok {
		return c
	}
	c = k.edges(at).And(c)
	c.home = at.home
	for a, n := range at.root.extents {
		c = k.inExtent(c, at.origin[a], n)
	}
	k.space()
	return c
}
