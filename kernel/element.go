package kernel

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/internal/ints"
	"girih/internal/machine/address"
	"girih/ptx"
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
	*p = placer{k: k, t: t, low: 1, known: p.known[:0], moved: p.moved[:0], inside: p.inside[:0]}
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
		e.cond = k.sure
		return e
	}
	e := p.shift(off)
	e.cond = k.sure
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
// before its first element, and not after its last. The condition matters for modes with run-time extents: their last
// tiles may extend beyond the tensor. It has the errors of [K.Slice].
func (k *K) InBounds(t Tensor, coord ...Index) Cond {
	c := Cond{k: k}
	at, ok := k.point("in_bounds", t, coord)
	if !ok {
		return c
	}
	c.home = at.home
	for a, n := range at.root.extents {
		c = k.inExtent(c, at.origin[a], n)
	}
	k.space()
	return c
}

// A vector is a group of elements that one instruction moves.
type vector struct {
	n    int
	from []int // the elements' numbers; they are consecutive in both tensors
}

// leading returns the vector of the first n elements.
func leading(n int) vector {
	v := vector{n, make([]int, n)}
	for i := range v.from {
		v.from[i] = i
	}
	return v
}

// widest returns the largest width of an access, in bits.
func (k *K) widest() int {
	if k.limit > 0 {
		return k.limit
	}
	return 128
}

// vectors splits the elements of a copy into the widest memory accesses that both sides allow.
func (k *K) vectors(src, dst side) []vector {
	bits := src.root.bits()
	k.narrow = nil
	for width := k.widest(); width > bits && width >= 8; width /= 2 {
		if vs, ok := k.vectorsOf(src, dst, width/bits); ok {
			k.moves(width)
			return vs
		}
		if k.narrow == nil || k.narrow.few > 0 { // why they are narrower than these elements allow
			k.narrow = k.obstacle(src, dst, width/bits)
		}
	}
	k.moves(bits)
	out := make([]vector, len(src.elements))
	for i := range out {
		out[i] = vector{1, []int{i}}
	}
	return out
}

// A side is a list of elements of one tensor.
type side struct {
	root     *root
	elements []element
}

// vectorsOf splits the elements into vectors of n, or fails.
func (k *K) vectorsOf(src, dst side, n int) ([]vector, bool) {
	if len(src.elements)%n != 0 {
		return nil, false
	}
	next := [2][]int{src.successors(), dst.successors()}
	var out []vector
	used := make([]bool, len(src.elements))
	for i := range src.elements {
		if used[i] || !src.isAligned(i, n) || !dst.isAligned(i, n) {
			continue
		}
		v := vector{n: n, from: []int{i}}
		for at := i; len(v.from) < n; {
			at = next[0][at]
			if at < 0 || at != next[1][v.from[len(v.from)-1]] {
				break
			}
			v.from = append(v.from, at)
		}
		if len(v.from) < n || !k.alike(src, v) || !k.alike(dst, v) {
			return nil, false
		}
		for _, j := range v.from {
			used[j] = true
		}
		out = append(out, v)
	}
	return out, !slices.Contains(used, false)
}

// successors returns for each element the element that follows it in memory, or -1.
func (s side) successors() []int {
	out := make([]int, len(s.elements))
	step := s.root.step()
	if s.inOrder(step, out) {
		return out
	}
	type place struct {
		base address.Expr
		off  int64
	}
	at := make(map[place]int, len(s.elements))
	for i, e := range s.elements {
		at[place{e.base, e.off}] = i
	}
	for i, e := range s.elements {
		j, ok := at[place{e.base, e.off + step}]
		if !ok {
			j = -1
		}
		out[i] = j
	}
	return out
}

// inOrder finds the successors of elements at multiples of a step from one base. It fails for other elements, and if
// their range is much larger than their number.
func (s side) inOrder(step int64, out []int) bool {
	if len(s.elements) == 0 {
		return true
	}
	base := s.elements[0].base
	lo, hi := s.elements[0].off, s.elements[0].off
	for i := range s.elements {
		e := &s.elements[i]
		lo, hi = min(lo, e.off), max(hi, e.off)
		if e.base != base || hi-lo > 8*step*int64(len(s.elements)) {
			return false
		}
	}
	at := make([]int32, (hi-lo)/step+2) // the elements by place, numbered from 1
	for i := range s.elements {
		off := s.elements[i].off - lo
		if off%step != 0 {
			return false
		}
		at[off/step] = int32(i) + 1
	}
	for i := range s.elements {
		out[i] = int(at[(s.elements[i].off-lo)/step+1]) - 1
	}
	return true
}

// aligned reports whether element i may begin a vector of n: whether its address is a multiple of the vector's bytes.
func (s side) isAligned(i, n int) bool {
	if s.root.space == Registers {
		_, per := s.root.register()
		return s.elements[i].divisible(int64(min(n, per))) // any registers make a vector
	}
	size := int64(n) * s.root.step()
	if x := s.elements[i].assume; x > 0 && x%size == 0 {
		return true
	}
	return s.elements[i].divisible(size)
}

// alike reports whether all elements of a vector are inside if the first element is: either they differ only along one
// axis, with an extent that is a multiple of the vector, or all are known to be inside.
func (k *K) alike(s side, v vector) bool {
	_, differs := k.unlike(s, v)
	return !differs
}

// unlike returns a comparison of an element that the first element of the vector does not imply, if there is one. It
// returns the zero comparison if an element lacks a comparison of the first element.
func (k *K) unlike(s side, v vector) (less [2]address.Expr, differs bool) {
	first := s.elements[v.from[0]].cond
	for _, i := range v.from[1:] {
		c := s.elements[i].cond
		if c == first {
			continue
		}
		if len(c.less()) != len(first.less()) || c.never != first.never || !slices.Equal(c.holds(), first.holds()) {
			if i := slices.IndexFunc(c.less(), func(l [2]address.Expr) bool { return !slices.Contains(first.less(), l) }); i >= 0 {
				less = c.less()[i]
			}
			return less, true
		}
		for j, l := range c.less() {
			m := first.less()[j]
			if l == m {
				continue
			}
			n := int64(v.n)
			if d, known := k.s.Sub(l[0], m[0]).Int64(); !known || d < 0 || d >= n || l[1] != m[1] || !l[1].Divisible(n) ||
				!m[0].Divisible(n) {
				return l, true
			}
		}
	}
	return less, false
}

// suffix returns what an access of n elements appends to ld and st, the type of its registers, and their number.
func suffix(r *root, n int) (o ptx.Op, typ ptx.Type, regs int) {
	bits := r.bits() * n
	if bits < 32 {
		return ptx.Op(".b" + strconv.Itoa(max(bits, 8))), ptx.B16, 1
	}
	typ, _ = r.register()
	regs = bits / typ.Bits()
	if regs > 1 {
		o = ptx.Op(".v" + strconv.Itoa(regs))
	}
	return o + "." + ptx.Op(typ), typ, regs
}
