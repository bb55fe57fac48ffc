package copy

import (
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// A Way is how elements move from one layout to the other.
type Way string

// The ways.
const (
	Direct Way = "direct" // through registers, in vectors of both sides
	Blocks Way = "blocks" // vectors of src, transposed in registers, through shared memory, vectors of dst
	Rows   Way = "rows"   // runs of src go through shared memory, and are gathered into runs of dst

	Shifted Way = "shifted" // as Blocks, for rows that begin anywhere: each row's window begins where a sector begins
)

// Options state facts about a copy, and override the planner's choices. The zero Options leave everything to it.
type Options struct {
	Bytes              int64 // of an element: 1, 2, 4, 8 or 16; 0 for 4
	SrcBytes           int64 // of an element of the source, if its alignment differs: 0 for Bytes
	SrcAlign, DstAlign int64 // bytes that divide the addresses, powers of two; 0 for 256, the alignment of allocators

	Way     Way   // "" for the best
	Vector  int64 // the most bytes of an access: 0 for 16
	Flight  int64 // bytes that a thread processes at one time, approximately; 0 for the fastest choice
	Tile    int64 // bytes of the runs of a tile, approximately; 0 for the fastest choice
	Threads int64 // of a block, approximately; 0 for the fastest choice
	Order   Order // of the tiles
}

// An Order says which side determines the order of tiles for consecutive blocks.
type Order string

// The orders. The zero Order means the destination's.
const (
	AlongDst Order = "dst"
	AlongSrc Order = "src"
)

// An end is one side of a plan.
type end struct {
	layout  cute.Inner
	bytes   int64 // of an element of the layout
	align   int64 // bytes
	swizzle *cute.Swizzle
	base    int64 // offset of the first index, in elements of the plan
	lo, hi  int64 // bounds of the offsets, in elements of the plan: lo ≤ offset < hi
}

// A Plan is a copy from one layout to another.
type Plan struct {
	way      Way
	elem     int64 // bytes of an element of the plan
	modes    []Mode
	src, dst end
	size     int64 // elements of the layouts

	a, b    int     // the modes that are contiguous in src and in dst, -1 for none
	va, vb  int64   // elements of an access along them
	tile    []int64 // the extent of a block, by mode
	order   []int   // modes, in the order in which blocks take their tiles
	threads int64
	load    phase
	store   phase
	shared  shared
	front   int64 // of [Shifted]: elements along b that a block loads before its window
	group   int64 // of [Shifted]: items that a thread loads before it stores them to shared memory
	blocks  int64

	open *open            // nil if all integers are known
	args map[string]int64 // of the kernel, once run-time integers have values
}

// New plans the copy of src to dst. Its errors are of type *[cute.Error].
//
//   - [cute.CodeNotCongruent]: layouts of two sizes,
//   - [cute.CodeType]: elements of other sizes than 1, 2, 4, 8 and 16 bytes, or of two sizes,
//   - [cute.CodeNotInjective]: a destination in which two elements have one place, with both,
//   - [cute.CodeCodomain]: layouts whose values are coordinates, [cute.CodeNotRepresentable]: those that go through
//     more than a swizzle, [cute.CodeNegative]: swizzled offsets below 0,
//   - [cute.CodeExtent]: options that are no sizes or alignments,
//   - [cute.CodeOverflow]: offsets that no address has, [cute.CodeLimit]: more than [MaxModes] joint modes, or more
//     blocks than a grid.
func New(src, dst cute.Inner, o Options) (*Plan, error) {
	p, err := prepare(src, dst, &o)
	if err != nil {
		return nil, err
	}
	p.choose(o)
	if err := p.count(); err != nil {
		return nil, err
	}
	return p, nil
}

// count counts the blocks.
func (p *Plan) count() error {
	p.blocks = 1
	for i := range p.modes {
		n := p.pieces(i)
		if p.blocks > (1<<31-1)/n {
			return withHint("copy it in parts",
				refuse(cute.CodeLimit, "the copy has more than the %d blocks of a grid", 1<<31-1))
		}
		p.blocks *= n
	}
	return nil
}

// prepare returns a plan with its modes.
func prepare(src, dst cute.Inner, o *Options) (*Plan, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	a, err := side("source", src)
	if err != nil {
		return nil, err
	}
	b, err := side("destination", dst)
	if err != nil {
		return nil, err
	}
	n, m := compose(src).Size(), compose(dst).Size()
	if n != m {
		return nil, withHint("give both layouts the same shape", refuse(cute.CodeNotCongruent,
			"expected as many elements in %v as in %v, found %d and %d", dst, src, m, n))
	}
	for _, s := range []sided{a, b} {
		if max(-s.least, s.most) >= maxReach/o.Bytes {
			return nil, withHint("copy it in parts", refuse(cute.CodeOverflow,
				"offsets from %d to %d of %d bytes are more than the %d bytes that are planned for", s.least, s.most, o.Bytes,
				int64(maxReach)))
		}
	}
	p := &Plan{elem: min(o.Bytes, o.SrcAlign, o.DstAlign), size: n}
	if f := o.Bytes / p.elem; f > 1 { // elements at unaligned addresses are moved in parts
		a.split(f)
		b.split(f)
	}
	p.src = end{src, o.Bytes, o.SrcAlign, a.swizzle, a.base, a.least, a.most + 1}
	p.dst = end{dst, o.Bytes, o.DstAlign, b.swizzle, b.base, b.least, b.most + 1}
	if p.modes, err = joint(a.leaves, b.leaves); err != nil {
		return nil, err
	}
	s, d := turn(p.modes)
	p.src.base, p.dst.base = p.src.base+s, p.dst.base+d
	p.modes = join(p.modes)
	if len(p.modes) == 0 {
		p.modes = []Mode{{Extent: 1, Src: 1, Dst: 1}}
	}
	if err := distinct(p.modes, dst); err != nil {
		return nil, err
	}
	if len(p.modes) > MaxModes {
		return nil, withHint("copy it in parts: one mode less, and a loop over it", refuse(cute.CodeLimit,
			"the copy has %d joint modes: at most %d", len(p.modes), MaxModes))
	}
	if f := p.enlarge(); f > 1 {
		p.src.lo, p.src.hi = p.src.lo/f, p.src.hi/f
		p.dst.lo, p.dst.hi = p.dst.lo/f, p.dst.hi/f
	}
	return p, nil
}

// complete fills in the options that are left out, and refuses impossible ones.
func (o *Options) complete() error {
	if o.Bytes == 0 {
		o.Bytes = 4
	}
	if o.SrcBytes == 0 {
		o.SrcBytes = o.Bytes
	}
	for _, n := range []int64{o.Bytes, o.SrcBytes} {
		if n > 16 || !isPower(n) {
			return withHint("recast the layouts to bytes: recast(layout, bits, 8)",
				refuse(cute.CodeType, "expected elements of 1, 2, 4, 8 or 16 bytes, found %d", n))
		}
	}
	if o.Bytes != o.SrcBytes {
		return withHint("convert the elements in a kernel of your own, or recast one of the layouts", refuse(cute.CodeType,
			"expected elements of one size, found %d bytes in the source and %d in the destination", o.SrcBytes, o.Bytes))
	}
	tile, flight := o.Tile, o.Flight // if 0, the plan decides
	for _, x := range []struct {
		what     string
		value    *int64
		or, most int64
	}{
		{"an alignment of the source", &o.SrcAlign, 256, 4096},
		{"an alignment of the destination", &o.DstAlign, 256, 4096},
		{"bytes of an access", &o.Vector, 16, 16},
		{"bytes in flight", &flight, 64, 512},
		{"bytes of a tile's runs", &tile, 128, 1024},
	} {
		if *x.value == 0 {
			*x.value = x.or
		}
		if n := *x.value; n > x.most || !isPower(n) {
			return refuse(cute.CodeExtent, "expected %s that is a power of two up to %d, found %d", x.what, x.most, n)
		}
	}
	switch {
	case tile < 32:
		return refuse(cute.CodeExtent, "expected at least 32 bytes of a tile's runs, found %d", o.Tile)
	case o.Threads != 0 && (o.Threads < 32 || o.Threads > 1024):
		return refuse(cute.CodeExtent, "expected 32 to 1024 threads of a block, found %d", o.Threads)
	}
	return o.checkNames()
}

// checkNames refuses a way or an order that does not exist.
func (o *Options) checkNames() error {
	if !slices.Contains([]Way{"", Direct, Blocks, Rows, Shifted}, o.Way) {
		return refuse(cute.CodeName, "expected a way of %s, %s, %s and %s, found %q", Direct, Blocks, Rows, Shifted, o.Way)
	}
	if !slices.Contains([]Order{"", AlongDst, AlongSrc}, o.Order) {
		return refuse(cute.CodeName, "expected an order of %s and %s, found %q", AlongDst, AlongSrc, o.Order)
	}
	return nil
}

func isPower(n int64) bool { return n > 0 && n&(n-1) == 0 }

// alignment returns the number of plan elements that divides every place where a run along mode v may begin.
func (e *end) alignment(p *Plan, v int, stride func(Mode) int64) int64 {
	n := e.align / p.elem
	if e.align < p.elem {
		n = 1
	}
	first := e.base
	if v >= 0 && stride(p.modes[v]) < 0 {
		first++ // a vector along a negative stride ends at the base
	}
	n = min(n, lowest(first))
	for i, m := range p.modes {
		switch {
		case m.mixed:
			return 1
		case i != v && m.Extent > 1:
			n = min(n, lowest(stride(m)))
		}
	}
	if e.swizzle != nil {
		n = min(n, max(e.bytes<<min(e.swizzle.M(), 8)/p.elem, 1))
	}
	return n
}

// lowest returns the highest power of two that divides n.
func lowest(n int64) int64 {
	if n == 0 {
		return 1 << 40
	}
	return ints.LowestBit(n)
}

func srcOf(m Mode) int64 { return m.Src }
func dstOf(m Mode) int64 { return m.Dst }
