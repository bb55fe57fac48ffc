package copy

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// Kernel writes the kernel of the plan. Its parameters are src and dst, the addresses of the elements at offset 0. The
// error is a *[kernel.Error]: [cute.CodeLimit] if options exceed the limits of a block or a kernel.
//
// If the plan has run-time integers, they are parameters too, and [Plan.Args] has their values. The kernel is the same
// for all values.
func (p *Plan) Kernel() (*kernel.Kernel, error) {
	if p.open != nil {
		return p.open.kernel()
	}
	return p.trace()
}

// trace writes the kernel.
func (p *Plan) trace() (*kernel.Kernel, error) {
	return kernel.Trace("copy_"+string(p.way), p.threads, func(k *kernel.K) {
		t := tracer{k: k, p: p, words: max(p.elem/4, 1)}
		t.unit = map[int64]dtype.Type{1: dtype.U8, 2: dtype.U16}[p.elem]
		if p.elem >= 4 {
			t.unit = dtype.U32
		}
		t.begin()
		switch p.way {
		case Direct:
			t.direct()
		case Blocks:
			t.blocks()
		case Rows:
			t.rows()
		case Shifted:
			t.shiftedBlocks()
		}
	})
}

// A tracer writes a kernel.
type tracer struct {
	k        *kernel.K
	p        *Plan
	unit     dtype.Type // the type of the words that an element consists of
	words    int64
	src, dst kernel.Tensor
	tile     kernel.Tensor
	first    []kernel.Index // the coordinates at which the block begins
	left     []kernel.Index // how many elements are left from there
	smaller  []bool         // by mode: the last tile may be smaller
	thread   kernel.Index
	lo, hi   kernel.Index // the bounds of the offsets of src
	inner    bool         // no word of the block reaches beyond these bounds
	numbers  numbers      // the run-time integers
}

// begin declares the parameters and finds the block's tile.
func (t *tracer) begin() {
	k, p := t.k, t.p
	n := len(p.modes)
	t.first, t.left, t.smaller = make([]kernel.Index, n), make([]kernel.Index, n), make([]bool, n)
	if p.open != nil {
		t.beginOpen()
		return
	}
	k.Grid(kernel.Int(p.blocks))
	t.src, t.dst = t.end("src", &p.src), t.end("dst", &p.dst)
	t.lo, t.hi = kernel.Int(p.src.lo), kernel.Int(p.src.hi)
	t.thread = k.ThreadIdx()
	block := kernel.Int(0)
	if p.blocks > 1 {
		block = k.BlockIdx(0)
	}
	after := p.blocks
	for _, m := range p.order {
		count := p.pieces(m)
		if after /= count; count > 1 {
			at := block
			if after > 1 {
				at, block = block.Mod(count), block.Div(count)
			}
			t.first[m] = at.Mul(kernel.Int(p.tile[m]))
		}
		lead := p.lead(m)
		t.first[m] = t.first[m].Sub(kernel.Int(lead))
		t.left[m] = kernel.Int(p.modes[m].Extent).Sub(t.first[m])
		t.smaller[m] = p.modes[m].Extent%p.tile[m] != 0 || lead > 0
	}
}

// end declares the parameter of one side: a pointer, and its swizzle.
func (t *tracer) end(name string, e *end) kernel.Tensor {
	one, err := cute.New(cute.Int(1), cute.Int(0))
	if err != nil {
		return kernel.Tensor{}
	}
	align := max(min(e.align, 256), int64(t.unit.Bits()/8))
	if e.swizzle == nil {
		return t.k.GlobalAligned(name, t.unit, align, one)
	}
	unit := int64(t.unit.Bits() / 8)
	w, err := cute.NewSwizzle(e.swizzle.B(), e.swizzle.M()+log2(e.bytes)-log2(unit), e.swizzle.S())
	if err != nil {
		return kernel.Tensor{}
	}
	c, err := cute.NewComposed(w, cute.Int(0), one)
	if err != nil {
		return kernel.Tensor{}
	}
	return t.k.GlobalAligned(name, t.unit, align, c)
}

// items calls f for each of the thread's items of a phase, with its coordinates in the tile and the condition that the
// item exists.
func (t *tracer) items(f *phase, do func(c []kernel.Index, there kernel.Cond)) {
	for j := range f.each {
		q := t.thread.Add(kernel.Int(j * t.p.threads))
		there := kernel.Cond{}
		if (j+1)*t.p.threads > f.items {
			there = q.Less(kernel.Int(f.items))
		}
		c := make([]kernel.Index, len(t.p.modes))
		for i, d := range f.digits {
			x := q
			if i < len(f.digits)-1 {
				x = q.Mod(d.count)
			}
			q = q.Div(d.count)
			c[d.mode] = x.Mul(kernel.Int(d.step))
		}
		do(c, there)
	}
}

// offset returns the offset on one side of the element at a coordinate of the tile, in elements of the plan.
func (t *tracer) offset(e *end, stride func(Mode) int64, c []kernel.Index) kernel.Index {
	if t.p.open != nil {
		return t.offsetOpen(e, c)
	}
	x := kernel.Int(e.base)
	for i, m := range t.p.modes {
		at := t.first[i].Add(c[i])
		if !m.mixed {
			x = x.Add(at.Mul(kernel.Int(stride(m))))
			continue
		}
		l := m.src
		if e == &t.p.dst {
			l = m.dst
		}
		x = x.Add(t.k.Crd2Idx(at, l))
	}
	return x
}

func (t *tracer) fromSrc(c []kernel.Index) kernel.Index { return t.offset(&t.p.src, srcOf, c) }
func (t *tracer) toDst(c []kernel.Index) kernel.Index   { return t.offset(&t.p.dst, dstOf, c) }

// inside returns the condition that a coordinate of the tile is inside the layouts, ignoring mode skip.
func (t *tracer) inside(c []kernel.Index, there kernel.Cond, skip int) kernel.Cond {
	for i, s := range t.smaller {
		if s && i != skip {
			there = there.And(c[i].Less(t.left[i]))
		}
	}
	return there
}

// elements returns a view of n elements with a stride, from an offset on; both are in elements.
//
//go:noinline
func (t *tracer) elements(x kernel.Tensor, offset kernel.Index, n, stride int64) kernel.Tensor {
	return t.view(x, offset, [2]int64{n, stride})
}

// view returns a view of a tensor from an offset on. Each of modes is an extent and a stride; all are in elements.
func (t *tracer) view(x kernel.Tensor, offset kernel.Index, modes ...[2]int64) kernel.Tensor {
	shape, stride := []int64{t.words}, []int64{1}
	for _, m := range modes {
		shape, stride = append(shape, m[0]), append(stride, m[1]*t.words)
	}
	l, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
	if err != nil {
		return x
	}
	return t.k.View(x, offset.Mul(kernel.Int(t.words)), l)
}

// fragment returns registers for n elements.
func (t *tracer) fragment(n int64) kernel.Tensor {
	l, err := cute.LayoutLeft(cute.Int(n * t.words))
	if err != nil {
		return kernel.Tensor{}
	}
	return t.k.MakeFragment(t.unit, l)
}

// A strip is a group of elements along one mode: one access if all of them exist.
type strip struct {
	mode  int
	n     int64
	at    kernel.Index // the coordinate of the first element in the tile
	there kernel.Cond  // that the other modes are inside
}

// whole returns the condition that all elements of a strip exist; part reports whether some may exist without the
// others.
func (t *tracer) whole(s strip) (all kernel.Cond, part bool) {
	if !t.smaller[s.mode] {
		return s.there, false
	}
	if t.p.divides(s.n, s.mode) {
		return s.there.And(s.at.Less(t.left[s.mode])), false
	}
	return s.there.And(s.at.Add(kernel.Int(s.n - 1)).Less(t.left[s.mode])), true
}

// partly executes do for the existing elements of strips that are not whole.
func (t *tracer) partly(s strip, do func(i int64, c kernel.Cond)) {
	if _, part := t.whole(s); !part {
		return
	}
	first := s.at.Less(t.left[s.mode]).And(t.left[s.mode].Less(s.at.Add(kernel.Int(s.n))))
	t.k.If(s.there.And(first), func() {
		for i := range s.n - 1 {
			do(i, s.at.Add(kernel.Int(i)).Less(t.left[s.mode]))
		}
	})
}

// certain reports whether a condition is known to hold.
func certain(c kernel.Cond) bool { return c.String() == "true" }

// A vector is an item of the way [Direct]: registers, and a strip of dst.
type vector struct {
	frag kernel.Tensor
	c    []kernel.Index
	s    strip
	in   kernel.Cond // that the vector is whole
}

// direct writes the kernel of the way [Direct].
func (t *tracer) direct() {
	p, v := t.p, t.p.va
	step := int64(0) // in src, along the vector
	if p.b >= 0 {
		step = p.modes[p.b].Src
	}
	var all []vector
	t.items(&p.load, func(c []kernel.Index, there kernel.Cond) { all = append(all, t.loadVector(c, there, step)) })
	for _, x := range all {
		if v > 1 && step != 1 {
			x.frag = t.order(x.frag, step)
		}
		t.k.CopyWhere(x.in, t.elements(x.frag, kernel.Int(0), v, 1), t.elements(t.dst, t.toDst(x.c), v, 1))
	}
	if v == 1 {
		return
	}
	for _, x := range all {
		t.partly(x.s, func(i int64, c kernel.Cond) {
			from := t.fromSrc(x.c).Add(kernel.Int(i * step))
			t.k.CopyWhere(c, t.elements(t.src, from, 1, 1), t.elements(t.dst, t.toDst(x.c).Add(kernel.Int(i)), 1, 1))
		})
	}
}

// loadVector loads the elements of a vector; step is their stride in src: 1, -1 or 0.
func (t *tracer) loadVector(c []kernel.Index, there kernel.Cond, step int64) vector {
	p, n := t.p, t.p.va
	x := vector{c: c}
	if p.b < 0 || n == 1 {
		x.in = t.inside(c, there, -1)
	} else {
		x.s = strip{p.b, n, c[p.b], t.inside(c, there, p.b)}
		x.in, _ = t.whole(x.s)
	}
	if step == 0 {
		n = 1
	}
	x.frag = t.fragment(n)
	if !certain(x.in) {
		t.k.Clear(x.frag)
	}
	from := t.fromSrc(c)
	if step < 0 {
		from = from.Add(kernel.Int(step * (n - 1)))
	}
	t.k.CopyWhere(x.in, t.elements(t.src, from, n, 1), t.elements(x.frag, kernel.Int(0), n, 1))
	return x
}

// order returns the elements of a vector in the order of dst: repeated for step 0, reversed for step -1.
func (t *tracer) order(frag kernel.Tensor, step int64) kernel.Tensor {
	v, first := t.p.va, int64(0)
	ordered := t.fragment(v)
	if step < 0 {
		first = v - 1
	}
	t.k.Copy(t.elements(frag, kernel.Int(first), v, step), t.elements(ordered, kernel.Int(0), v, 1))
	return ordered
}

// A block is an item of the way [Blocks]: deep rows of va elements of src in registers.
type block struct {
	frag  kernel.Tensor
	c     []kernel.Index
	there kernel.Cond
	deep  int64
	step  int64 // of src along a row, 1 or -1
}

// blocks writes the kernel of the way [Blocks].
func (t *tracer) blocks() {
	p, k := t.p, t.k
	x := block{deep: p.load.digits[len(p.load.digits)-1].step, step: 1}
	for _, d := range p.load.digits {
		if d.mode == p.b {
			x.deep = d.step
		}
	}
	t.declare()
	if p.va > 1 {
		x.step = p.modes[p.a].Src
	}
	var all []block
	t.items(&p.load, func(c []kernel.Index, there kernel.Cond) {
		x.c, x.there = c, there
		t.loadBlock(&x)
		all = append(all, x)
	})
	for _, x := range all {
		t.putBlock(&x)
	}
	k.Sync()
	t.out(func(c []kernel.Index, there kernel.Cond, frag kernel.Tensor) {
		k.CopyWhere(there, t.elements(t.tile, t.inTile(c), p.vb, 1), t.elements(frag, kernel.Int(0), p.vb, 1))
	})
}

// loadBlock loads the rows of a block from src.
func (t *tracer) loadBlock(b *block) {
	p, k, c := t.p, t.k, b.c
	b.frag = t.fragment(p.va * b.deep)
	if t.unit == dtype.U32 && (t.smaller[p.a] || t.smaller[p.b] || !certain(t.inside(c, b.there, -1))) {
		k.Clear(b.frag)
	}
	from := t.fromSrc(c)
	in := t.inside(c, b.there, p.a)
	for j := range b.deep {
		row := in
		if j > 0 && t.smaller[p.b] {
			row = row.And(c[p.b].Add(kernel.Int(j)).Less(t.left[p.b]))
		}
		at := from.Add(t.srcStride(p.b).Mul(kernel.Int(j)))
		if b.step < 0 {
			at = at.Add(kernel.Int(b.step * (p.va - 1)))
		}
		s := strip{p.a, p.va, c[p.a], row}
		whole, _ := t.whole(s)
		k.CopyWhere(whole, t.elements(t.src, at, p.va, 1), t.elements(b.frag, kernel.Int(j*p.va), p.va, 1))
		t.partly(s, func(i int64, some kernel.Cond) {
			if b.step < 0 {
				i = p.va - 1 - i
			}
			k.CopyWhere(some, t.elements(t.src, at.Add(kernel.Int(i)), 1, 1), t.elements(b.frag, kernel.Int(j*p.va+i), 1, 1))
		})
	}
}

// putBlock transposes a block and stores its columns to shared memory.
func (t *tracer) putBlock(b *block) {
	p, k := t.p, t.k
	columns := t.fragment(p.va * b.deep)
	first := int64(0)
	if b.step < 0 {
		first = p.va - 1
	}
	k.Copy(t.view(b.frag, kernel.Int(first), [2]int64{b.deep, p.va}, [2]int64{p.va, b.step}),
		t.elements(columns, kernel.Int(0), b.deep*p.va, 1))
	for i := range p.va {
		c := append([]kernel.Index(nil), b.c...)
		c[p.a] = c[p.a].Add(kernel.Int(i))
		k.CopyWhere(b.there, t.elements(columns, kernel.Int(i*b.deep), b.deep, 1), t.elements(t.tile, t.inTile(c), b.deep, 1))
	}
}

// declare declares the tile in shared memory.
func (t *tracer) declare() {
	flat, err := cute.LayoutLeft(cute.Int(t.p.shared.size * t.words))
	if err != nil {
		return
	}
	if t.p.shared.swizzle == nil {
		t.tile = t.k.Shared("tile", t.unit, flat)
		return
	}
	w := *t.p.shared.swizzle
	if w, err = cute.NewSwizzle(w.B(), w.M()+log2(t.words), w.S()); err != nil {
		return
	}
	if c, err := cute.NewComposed(w, cute.Int(0), flat); err == nil {
		t.tile = t.k.Shared("tile", t.unit, c)
	}
}

// inTile returns the place in shared memory of the element at a coordinate of the tile.
func (t *tracer) inTile(c []kernel.Index) kernel.Index {
	x := kernel.Int(0)
	for m, parts := range t.p.shared.modes {
		for _, q := range parts {
			y := c[m].Div(q.by)
			if q.mod != 0 {
				y = y.Mod(q.mod)
			}
			x = x.Add(y.Mul(kernel.Int(q.stride)))
		}
	}
	return x
}

// batch limits the bytes that a thread reads from shared memory before storing them.
const batch = 128

// out writes the second phase of [Blocks]: it reads vectors from shared memory and stores them to dst.
func (t *tracer) out(take func(c []kernel.Index, there kernel.Cond, frag kernel.Tensor)) {
	p := t.p
	type item struct {
		frag kernel.Tensor
		c    []kernel.Index
		s    strip
	}
	var all []item
	put := func() {
		for _, x := range all {
			whole, _ := t.whole(x.s)
			to := t.toDst(x.c)
			t.k.CopyWhere(whole, t.elements(x.frag, kernel.Int(0), p.vb, 1), t.elements(t.dst, to, p.vb, 1))
			t.partly(x.s, func(i int64, some kernel.Cond) {
				t.k.CopyWhere(some, t.elements(x.frag, kernel.Int(i), 1, 1), t.elements(t.dst, to.Add(kernel.Int(i)), 1, 1))
			})
		}
		all = nil
	}
	t.items(&p.store, func(c []kernel.Index, there kernel.Cond) {
		frag := t.fragment(p.vb)
		in := t.inside(c, there, p.b)
		s := strip{p.b, p.vb, c[p.b], in}
		if !certain(in) {
			t.k.Clear(frag)
		}
		take(c, in, frag)
		all = append(all, item{frag, c, s})
		if int64(len(all))*p.vb*p.elem >= batch {
			put()
		}
	})
	put()
}
