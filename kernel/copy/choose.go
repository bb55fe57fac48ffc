package copy

import (
	"cmp"
	"slices"

	"girih/internal/ints"
)

// A digit is one part of an item's number: the coordinate of a mode, in steps.
type digit struct {
	mode  int
	count int64
	step  int64
}

// A phase is the work that all threads of a block share: items, numbered with the first digit fastest.
type phase struct {
	digits []digit
	run    []int // the modes that a run spans, if several; contiguous in this order
	length int64 // elements of a run
	width  int64 // elements of an access
	shift  int64 // the largest number of elements from an aligned place to the begin of a run
	items  int64
	each   int64 // items of a thread
}

// sum counts the items and divides them among the threads.
func (f *phase) sum(threads int64) {
	f.items = 1
	for _, d := range f.digits {
		f.items *= d.count
	}
	f.each = ints.CeilDiv(f.items, threads)
}

// share divides the items of both phases among the threads. If a thread would have more than maxEach, it uses more
// threads, if possible a multiple of step.
func (p *Plan) share(step int64) {
	for _, f := range []*phase{&p.load, &p.store} {
		if f.sum(p.threads); f.each > maxEach {
			p.threads = max(p.threads, min(ints.RoundUp(ints.CeilDiv(f.items, maxEach), step), maxThreads))
		}
	}
	p.load.sum(p.threads)
	p.store.sum(p.threads)
}

// The kernel unrolls the accesses of a thread: code size and registers allow maxEach accesses in a phase. maxThreads is
// the largest block.
const maxEach, maxThreads = 64, 1024

func abs(x int64) int64 { return max(x, -x) }

// choose decides the way, the tile and the threads.
func (p *Plan) choose(o Options) {
	p.findContiguous()
	p.va = p.vector(&p.src, p.a, srcOf, o.Vector)
	p.vb = p.vector(&p.dst, p.b, dstOf, o.Vector)
	p.way = o.Way
	if p.way == "" {
		p.way = p.best()
	}
	if p.way != Direct && !p.can(p.way) {
		p.way = Direct
	}
	p.lay(o)
	if p.way == Rows && o.Way == "" && p.elem > 1 && p.a != p.b && !p.gathers() && p.hasDearWords() {
		p.way = Direct
		if p.can(Blocks) {
			p.way = Blocks
		}
		p.lay(o)
	}
}

// findContiguous finds the modes along which src and dst are contiguous, or most nearly so.
func (p *Plan) findContiguous() {
	p.a, p.b = -1, -1
	if !p.modes[0].mixed {
		p.b = 0 // modes are sorted by their strides in dst
	}
	for i, m := range p.modes {
		if !m.mixed && m.Src != 0 && (p.a < 0 || abs(m.Src) < abs(p.modes[p.a].Src)) {
			p.a = i
		}
	}
}

// vector returns the elements of an access along a mode of one side: 1 unless the side is contiguous there.
func (p *Plan) vector(e *end, mode int, stride func(Mode) int64, bytes int64) int64 {
	if mode < 0 || abs(stride(p.modes[mode])) != 1 {
		return 1
	}
	return max(1, min(bytes/p.elem, e.alignment(p, mode, stride), floorPower(p.modes[mode].Extent)))
}

// hasDearWords reports whether runs are short or words cross the ends of runs. Such words cost more than single
// elements, unless the words are gathered into vectors.
func (p *Plan) hasDearWords() bool {
	if p.hasShortOddRuns() {
		return false
	}
	return p.load.shift > 0 || p.store.shift > 0 || min(p.load.length, p.store.length)*p.elem < 512
}

// gathers reports whether elements of two bytes that are not aligned to words in src are combined into vectors of dst.
func (p *Plan) gathers() bool { return p.elem == 2 && p.va == 1 && p.vb >= 8 }

// knobs fills in the options that are left open.
func (p *Plan) knobs(o *Options) {
	tile, flight, threads := p.fastest()
	for _, x := range []struct {
		to *int64
		or int64
	}{{&o.Tile, tile}, {&o.Flight, flight}, {&o.Threads, threads}} {
		if *x.to == 0 {
			*x.to = x.or
		}
	}
}

// fastest returns the values of [Options] that were fastest on an H200, for permutations drawn with four seeds.
func (p *Plan) fastest() (tile, flight, threads int64) {
	switch p.way {
	case Direct:
		return 128, 16, 256 // many threads with one access each, the widest
	case Rows:
		return p.fastestRows()
	case Shifted:
		return 128, 96, 256 // larger tiles were faster for some f32, and far slower for others
	}
	least := min(p.va, p.vb)
	switch {
	case p.elem == 16, p.elem == 1 && least < 4, p.elem == 2 && (least >= 8 || p.va == 1 && p.vb < 8):
		return 128, 64, 256
	case p.elem == 8:
		return 256, 128, 256
	case p.elem == 4 && least == 1, p.elem == 2:
		return 256, 32, 256 // fewer sectors at the ends of runs are moved by two blocks
	}
	return 256, 64, 256
}

// fastestRows is [Plan.fastest] for the way [Rows].
func (p *Plan) fastestRows() (tile, flight, threads int64) {
	switch {
	case p.elem == 1:
		return 64, 64, 128
	case p.a == p.b && p.elem == 2:
		return 128, 32, 256
	case p.a == p.b:
		return 64, 32, 256
	case p.hasShortOddRuns():
		return 256, 128, 256
	case p.elem == 2:
		return 64, 128, 256
	}
	return 128, 64, 256
}

// lay decides the tile, the threads and the order for a way.
func (p *Plan) lay(o Options) {
	p.knobs(&o)
	p.load, p.store, p.shared = phase{}, phase{}, shared{}
	p.tile = slices.Repeat([]int64{1}, len(p.modes))
	switch p.way {
	case Direct:
		p.planDirect(o)
	case Blocks:
		p.planBlocks(o)
	case Rows:
		p.planRows(o)
	case Shifted:
		p.planShifted(o)
	}
	if max(p.load.each, p.store.each) > maxEach && o.Tile > 4*p.elem {
		o.Tile /= 2 // the largest block has too few threads
		p.lay(o)
		return
	}
	if o.Order == "" && p.way == Blocks && p.flat() {
		o.Order = AlongSrc // neighbours share the sectors at the ends of runs
	}
	p.order = make([]int, len(p.modes))
	for i := range p.order {
		p.order[i] = i
	}
	if o.Order == AlongSrc {
		slices.SortStableFunc(p.order, func(i, j int) int { return cmp.Compare(abs(p.modes[i].Src), abs(p.modes[j].Src)) })
	}
}

// flat reports whether runs of src are cut into far fewer pieces than runs of dst. Consecutive blocks in the order of
// src then soon cover all pieces that share a sector.
func (p *Plan) flat() bool {
	pieces := func(m int) int64 { return ints.CeilDiv(p.modes[m].Extent, p.tile[m]) }
	if n := pieces(p.a); n == 1 || 4*n > pieces(p.b) {
		return false
	}
	return p.byStride(srcOf)[1] == p.b
}

// floorPower returns the highest power of two up to n.
func floorPower(n int64) int64 {
	x := int64(1)
	for 2*x <= n {
		x *= 2
	}
	return x
}

// can reports whether a way is possible.
func (p *Plan) can(w Way) bool {
	switch w {
	case Blocks:
		return p.a >= 0 && p.b >= 0 && p.a != p.b
	case Rows:
		return p.a >= 0 && p.b >= 0 && p.modes[p.a].Src == 1 && p.modes[p.b].Dst == 1 &&
			p.src.swizzle == nil && p.dst.swizzle == nil
	case Shifted:
		return p.canShift()
	}
	return true
}

// best chooses the way.
func (p *Plan) best() Way {
	if p.a < 0 || p.b < 0 || p.modes[p.b].Src == 0 {
		return Direct
	}
	a, b := p.modes[p.a], p.modes[p.b]
	short := min(a.Extent, b.Extent)*p.elem < sector
	switch {
	case p.a == p.b:
		return p.bestAlongOne()
	case p.can(Shifted) && p.breaks():
		return Shifted
	case p.can(Rows) && (short && p.elem > 1 || p.gathersBytes() || p.gathers() || p.hasShortOddRuns()):
		return Rows
	case min(abs(a.Src), b.Dst)*p.elem >= sector:
		return Direct // no two elements share a sector
	}
	if p.can(Blocks) {
		return Blocks
	}
	return Direct
}

// breaks reports whether straight tiles would break sectors, because rows of dst do not begin with vectors, or whether
// accesses to src would be single words of short rows. The rows of src must begin with words, and the rows of dst be
// far longer than their ends, which are moved element by element. The 11 such copies that docs/performance.md lists
// took 0.39 to 0.95 of their former time.
func (p *Plan) breaks() bool {
	rows := p.modes[p.b].Extent * p.elem
	few := p.va*p.elem == word && p.elem < word && p.modes[p.a].Extent*p.elem < sector
	return !p.joins() && (p.vb*p.elem < widest && rows >= 8*sector || few && rows >= 6*sector)
}

// gathersBytes reports whether bytes are gathered: from rows of src without words, or into short rows of dst.
func (p *Plan) gathersBytes() bool {
	return p.elem == 1 && min(p.va, p.vb) == 1 && (p.va < word || p.modes[p.b].Extent < sector)
}

// hasShortOddRuns reports whether no access has more than one element of two bytes, and a contiguous mode has from half
// a sector to two.
func (p *Plan) hasShortOddRuns() bool {
	run := min(p.modes[p.a].Extent, p.modes[p.b].Extent) * p.elem
	return p.open == nil && p.elem == 2 && max(p.va, p.vb) == 1 && run >= sector/2 && run < 2*sector
}

// sector is the bytes of a sector.
const sector = 32

// bestAlongOne chooses the way if one mode is contiguous on both sides. If accesses are narrow, runs of a tile also
// cover other modes that are contiguous on one side.
func (p *Plan) bestAlongOne() Way {
	wide := min(p.va, p.vb)*p.elem >= 16 && p.modes[p.b].Extent*p.elem >= 8*sector
	if p.can(Rows) && !wide && len(p.modes) > 1 {
		return Rows
	}
	return Direct
}

// fit returns the extent of a tile along n elements: a multiple of step near the wanted extent, such that a small
// number of tiles are equal.
func (p *Plan) fit(n, want, step int64) int64 {
	switch {
	case n <= want+want/2:
		return ints.RoundUp(n, step)
	case n >= 8*want:
		return ints.RoundUp(want, step)
	}
	return ints.RoundUp(ints.CeilDiv(n, (n+want/2)/want), step)
}

// bytes returns the size of the tile in bytes.
func (p *Plan) bytes() int64 {
	n := p.elem
	for _, t := range p.tile {
		n *= t
	}
	return n
}

// planDirect plans the way [Direct]: the tile is the part of dst that the threads of a block process at one time.
func (p *Plan) planDirect(o Options) {
	v := int64(1)
	if b := p.b; b >= 0 && p.modes[b].Dst == 1 {
		switch s := p.modes[b].Src; {
		case s == 0:
			v = p.vb
		case abs(s) == 1:
			v = min(p.vb, max(min(o.Vector/p.elem, p.src.alignment(p, b, srcOf)), 1))
		}
	}
	p.va, p.vb = v, v
	each := max(min(o.Flight/(v*p.elem), 16), 1)
	left := o.Threads * each
	p.load = phase{width: v}
	for i, m := range p.modes {
		step := int64(1)
		if i == p.b {
			step = v
		}
		n := ints.CeilDiv(m.Extent, step)
		t := n
		if n > left {
			t = ints.CeilDiv(n, ints.CeilDiv(n, left))
			for u := left; u >= o.Threads && u > 1; u -= o.Threads { // a whole number of rounds that wastes little
				if ints.CeilDiv(n, u)*u-n <= n/16 {
					t = u
					break
				}
			}
		}
		if m.cut && i < len(p.modes)-1 {
			t = min(t, max(256/(step*p.elem), 16)) // short runs are enough
		}
		p.tile[i] = t * step
		p.load.digits = append(p.load.digits, digit{i, t, step})
		if left /= t; left <= 1 {
			break
		}
	}
	p.threads = o.Threads
	n := int64(1)
	for _, d := range p.load.digits {
		n *= d.count
	}
	p.threads = max(min(o.Threads, ints.RoundUp(ints.CeilDiv(n, each), 32)), 32)
	p.load.sum(p.threads)
}

// byStride returns the modes, except mixed ones, in the order of their strides on one side; strides of 0 come last.
func (p *Plan) byStride(stride func(Mode) int64) []int {
	var out []int
	for i, m := range p.modes {
		if !m.mixed {
			out = append(out, i)
		}
	}
	key := func(i int) int64 { return abs(stride(p.modes[i])) - 1 }
	slices.SortStableFunc(out, func(i, j int) int { return cmp.Compare(uint64(key(i)), uint64(key(j))) })
	return out
}

// widen extends a run of one side to the wanted length, in elements, along the modes that come first there.
func (p *Plan) widen(order []int, want int64) {
	run := int64(1)
	for _, m := range order {
		if run >= want {
			return
		}
		if p.tile[m] == 1 {
			p.tile[m] = p.fit(p.modes[m].Extent, ints.CeilDiv(want, run), 1)
			if p.bytes() > maxTile {
				p.tile[m] = 1
				return
			}
		}
		run *= p.tile[m]
		if p.tile[m] < p.modes[m].Extent {
			return
		}
	}
}

// maxTile is the largest tile in bytes; several blocks with such tiles fit on a multiprocessor.
const maxTile = 48 << 10

// planBlocks plans the way [Blocks].
func (p *Plan) planBlocks(o Options) {
	a, b := p.a, p.b
	deep := max(min(p.vb, o.Flight*2/(p.va*p.elem)), 1) // elements of the block that is transposed in registers
	p.tile[a] = p.fit(p.modes[a].Extent, max(o.Tile/p.elem, p.va), p.va)
	p.tile[b] = p.fit(p.modes[b].Extent, max(o.Tile/p.elem, p.vb), p.vb)
	bySrc, byDst := p.byStride(srcOf), p.byStride(dstOf)
	p.widen(bySrc, o.Tile/p.elem)
	p.widen(byDst, o.Tile/p.elem)
	each := max(o.Flight/(p.va*deep*p.elem), 1)
	items := func() int64 { return p.bytes() / (p.va * deep * p.elem) }
	grow := append([]int{b, a}, byDst...)
	for i := 0; i < 64 && items() < o.Threads*each; i++ {
		m := grow[i%len(grow)]
		old := p.tile[m]
		step := int64(1)
		if m == a {
			step = p.va
		} else if m == b {
			step = p.vb
		}
		if old >= p.modes[m].Extent || m != a && m != b && items()*2 > o.Threads*each {
			continue
		}
		p.tile[m] = p.fit(p.modes[m].Extent, 2*old, step)
		if p.bytes() > maxTile {
			p.tile[m] = old
			break
		}
	}
	order := func(list []int, first digit, other digit) []digit {
		out := []digit{first}
		for _, m := range list {
			switch {
			case m == first.mode:
			case m == other.mode:
				out = append(out, other)
			case p.tile[m] > 1:
				out = append(out, digit{m, p.tile[m], 1})
			}
		}
		return out
	}
	p.load = phase{width: p.va, digits: order(bySrc, digit{a, p.tile[a] / p.va, p.va}, digit{b, p.tile[b] / deep, deep})}
	p.store = phase{width: p.vb, digits: order(byDst, digit{b, p.tile[b] / p.vb, p.vb}, digit{a, p.tile[a], 1})}
	p.threads = min(max(ints.RoundUp(ints.CeilDiv(items(), each), 32), 32), maxThreads)
	p.share(32)
	p.rebalance(deep)
	p.arrange(byDst, deep)
}

// rebalance uses fewer threads if a block has more than 512, or if an eighth of the threads' accesses are idle. With
// fewer threads, several blocks fit on a multiprocessor, and one of them loads while another one stores.
func (p *Plan) rebalance(deep int64) {
	size := p.bytes() / p.elem
	accesses := p.threads * (p.load.each*p.va*deep + p.store.each*p.vb)
	if p.threads > 512 || 4*(accesses-2*size) > size {
		p.balance(min(p.threads, 384), deep)
	}
}

// chain extends the tile along the modes of a run that is contiguous on one side, to the wanted length.
func (p *Plan) chain(order []int, stride func(Mode) int64, want int64) {
	length := int64(1)
	for _, m := range order {
		x := p.modes[m]
		if stride(x) != length || length >= want {
			break
		}
		p.tile[m] = max(p.tile[m], min(p.fit(x.Extent, ints.CeilDiv(want, length), 1), x.Extent))
		length *= p.tile[m]
		if p.tile[m] < x.Extent || x.cut {
			break
		}
	}
}

// planRows plans the way [Rows].
func (p *Plan) planRows(o Options) {
	bySrc, byDst := p.byStride(srcOf), p.byStride(dstOf)
	want := max(o.Tile/p.elem, 1)
	p.chain(bySrc, srcOf, want)
	p.chain(byDst, dstOf, want)
	wide := func(e *end) int64 { return max(min(4, e.align)/p.elem, 1) }
	ws, wd := wide(&p.src), wide(&p.dst)
	p.lengthen(bySrc, byDst, o.Threads*max(o.Flight/4, 1)/2)
	p.shorten(bySrc, srcOf, ws, p.src.base)
	p.shorten(byDst, dstOf, wd, p.dst.base)
	runA, lengthA := p.again(bySrc, srcOf)
	runB, lengthB := p.again(byDst, dstOf)
	p.load = p.runs(&p.src, srcOf, phase{run: runA, length: lengthA, width: ws})
	p.store = p.runs(&p.dst, dstOf, phase{run: runB, length: lengthB, width: wd})
	for i, f := range []*phase{&p.load, &p.store} {
		for _, m := range [][]int{bySrc, byDst}[i] {
			if p.tile[m] > 1 && !slices.Contains(f.run, m) {
				f.digits = append(f.digits, digit{m, p.tile[m], 1})
			}
		}
	}
	p.threads = o.Threads
	n := p.load.digits[0].count
	if n < p.threads {
		p.threads = n * max(p.threads/n, 1)
	}
	p.load.sum(1)
	p.threads = max(min(p.threads, ints.RoundUp(p.load.items, 32)), 32)
	p.share(n)
	p.pitch(runA, byDst)
}

// lengthen enlarges the tile, along the runs of both sides in turn, until it has the given number of words.
func (p *Plan) lengthen(bySrc, byDst []int, words int64) {
	const bytes = 24 << 10
	sides := []struct {
		order  []int
		stride func(Mode) int64
	}{{bySrc, srcOf}, {byDst, dstOf}}
	for i, idle := 0, 0; idle < 2 && p.bytes() < min(4*words, bytes); i++ {
		run, length := p.again(sides[i%2].order, sides[i%2].stride)
		order := sides[i%2].order
		last := run[len(run)-1]
		if n := len(run); p.tile[last] == p.modes[last].Extent && n < len(order) &&
			sides[i%2].stride(p.modes[order[n]]) == length {
			last = order[n]
		}
		old := p.tile[last]
		if n := p.modes[last].Extent; old < n {
			p.tile[last] = min(p.fit(n, 2*old, 1), n)
		}
		if p.bytes() > 2*bytes {
			p.tile[last] = old
		}
		if idle++; p.tile[last] > old {
			idle = 0
		}
	}
}

// shorten removes elements from a run so that it never covers more words than an aligned run: one for each element by
// which it may begin after an aligned word. Neighbouring threads then stay within their rows.
func (p *Plan) shorten(order []int, stride func(Mode) int64, w, base int64) {
	run, _ := p.again(order, stride)
	m := run[0]
	if len(run) > 1 || w == 1 || p.tile[m] == p.modes[m].Extent || p.tile[m] < 8*w {
		return
	}
	for i, x := range p.modes {
		if i != m && x.Extent > 1 && stride(x)%w != 0 || base%w != 0 {
			p.tile[m] = p.tile[m]/w*w - (w - 1)
			return
		}
	}
}

// again returns the run of the tile along the modes of a side.
//
//go:noinline
func (p *Plan) again(order []int, stride func(Mode) int64) (run []int, length int64) {
	length = 1
	for _, m := range order {
		x := p.modes[m]
		if stride(x) != length || p.tile[m] == 1 && x.Extent > 1 {
			break
		}
		run = append(run, m)
		length *= p.tile[m]
		if p.tile[m] < x.Extent || x.cut {
			break
		}
	}
	return run, length
}

// runs fills in the accesses of runs.
func (p *Plan) runs(e *end, stride func(Mode) int64, f phase) phase {
	aligned := lowest(e.base)
	for i, m := range p.modes {
		d := stride(m)
		if slices.Contains(f.run, i) {
			d *= p.tile[i] // blocks begin at multiples of the tile
		}
		if m.mixed {
			aligned = 1
		} else if m.Extent > 1 {
			aligned = min(aligned, lowest(d))
		}
	}
	count := ints.CeilDiv(f.length, f.width)
	if aligned < f.width {
		f.shift = f.width - 1
		count = ints.CeilDiv(f.length+f.shift, f.width)
	}
	f.digits = []digit{{f.run[0], count, f.width}}
	return f
}
