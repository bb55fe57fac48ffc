package copy

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/ints"
	"girih/kernel"
	"girih/symbolic"
)

// Bounds of run-time offsets and strides, in bytes. No card has as much memory, and the sums of a thread fit in 64
// bits.
const (
	openReach  = 1 << 46
	openStride = 1 << 42
)

// A param is a parameter of the kernel of an [open] plan.
type param struct {
	name  string
	x     symbolic.Int
	wide  bool // 64 bits wide
	facts symbolic.Facts
}

// A use is how the kernel computes a number of the plan: a constant (param is -1), or a parameter times mul, divided by
// div.
type use struct{ param, mul, div int64 }

// parameters decides the parameters of the kernel: symbols for extents and strides that are symbols times or divided by
// a known factor, and the values of other expressions.
func (p *Plan) parameters() error {
	x := p.open
	strides := openStride / max(p.elem, p.dst.bytes)
	for i, m := range x.modes {
		p.use(m.extent, role{fmt.Sprintf("extent%d", i), 1, strides})
		p.use(m.src, role{fmt.Sprintf("src_stride%d", i), -strides, strides})
		p.use(m.dst, role{fmt.Sprintf("dst_stride%d", i), -strides, strides})
	}
	reach := openReach / p.elem
	p.use(x.srcAt, role{"src_first", -reach, reach})
	p.use(x.dstAt, role{"dst_first", -reach, reach})
	if lo, hi := p.cut(p.load.width); p.way == Rows && (lo || hi) {
		p.use(x.from, role{"src_begin", -reach, reach})
		p.use(x.to, role{"src_end", -reach, reach})
	}
	if !p.formula() {
		x.params = append(x.params, param{name: "blocks", facts: symbolic.Facts{Div: 1, Min: 1, Max: math.MaxInt32}})
	}
	for _, a := range x.params {
		if a.facts.Min <= a.facts.Max {
			continue
		}
		if name, ok := a.x.Name(); ok && a.x.Facts().Bits != 64 {
			return withHint(fmt.Sprintf("state it: %s{i64}", name),
				refuse(cute.CodeFact, "no integer of 32 bits is %v as %v has to be", a.x, a.x.Facts()))
		}
		return refuse(cute.CodeOverflow, "%v exceeds the largest planned stride, %d bytes: it is %v", a.x,
			int64(openStride), a.x.Facts())
	}
	for _, m := range x.modes {
		for _, y := range []symbolic.Int{m.extent, m.src, m.dst} {
			if n, ok := y.Int64(); ok && (n > strides || n < -strides) {
				return refuse(cute.CodeOverflow, "%d exceeds the largest planned stride, %d bytes", n, int64(openStride))
			}
		}
	}
	return nil
}

// A role is the meaning of a number: the name of its parameter, unless it is a symbol, and its bounds.
type role struct {
	name        string
	least, most int64
}

// use returns how the kernel computes a number, and adds a parameter for it if there is none.
func (p *Plan) use(y symbolic.Int, r role) use {
	if n, ok := y.Int64(); ok {
		return use{-1, n, 1}
	}
	var c calc
	for f := int64(1); f <= 16; f *= 2 {
		if z := c.mul(y, symbolic.Const(f)); c.err == nil && ptxName(z) != "" {
			return use{p.param(z, r), 1, f}
		}
		if content(y)%f != 0 {
			continue
		}
		if z := c.over(y, symbolic.Const(f)); c.err == nil && ptxName(z) != "" {
			return use{p.param(z, r), f, 1}
		}
	}
	return use{p.param(y, r), 1, 1}
}

// ptxName returns the name of a number that is a symbol, or "" if PTX does not allow the name.
func ptxName(x symbolic.Int) string {
	name, ok := x.Name()
	if !ok {
		return ""
	}
	if name[0] == '?' {
		return "x" + name[1:]
	}
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return ""
		}
	}
	return name
}

// reserved are the names that a symbol cannot have in a kernel: names of other parameters, and names that PTX reserves
// for instructions (PTX ISA, Reserved Instruction Keywords) or predefines.
var reserved = strings.Fields(`
	src dst tile blocks WARP_SZ abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk
	bra brev brkpt brx call clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect ex2 exit
	fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max
	mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or pmevent popc prefetch prefetchu
	prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore
	stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 tensormap testp tex tld4 trap txq vabsdiff
	vadd vmad vmax vmin vote vset vshl vshr vsub wgmma wmma xor`)

// param returns the parameter for a number.
func (p *Plan) param(y symbolic.Int, r role) int64 {
	x := p.open
	for i, a := range x.params {
		if a.x.Equal(y) {
			return int64(i)
		}
	}
	a := param{name: cmp.Or(ptxName(y), r.name), x: y, facts: y.Facts()}
	taken := func(b param) bool { return b.name == a.name }
	for slices.Contains(reserved, a.name) || slices.ContainsFunc(x.params, taken) {
		a.name += "_"
	}
	if _, symbol := y.Name(); symbol && a.facts.Bits != 64 {
		r.least, r.most = max(r.least, math.MinInt32), min(r.most, math.MaxInt32)
	}
	a.facts.Min, a.facts.Max, a.facts.Bits = max(a.facts.Min, r.least), min(a.facts.Max, r.most), 0
	a.wide = a.facts.Max > math.MaxInt32 || a.facts.Min < 0
	if by := a.facts.Div; by > 1 && a.facts.Min <= a.facts.Max {
		a.facts.Min, a.facts.Max = ints.CeilDiv(a.facts.Min, by)*by, a.facts.Max/by*by
	}
	x.params = append(x.params, a)
	return int64(len(x.params) - 1)
}

// divides reports whether n divides the extent of a mode for all values.
func (p *Plan) divides(n int64, mode int) bool {
	if m := p.modes[mode]; !m.cut {
		return m.Extent%n == 0
	}
	return p.open.modes[mode].extent.Facts().Div%n == 0
}

// cut reports whether words of w elements may reach beyond the ends of src.
func (p *Plan) cut(w int64) (lo, hi bool) {
	if p.open == nil {
		return p.src.lo%w != 0, p.src.hi%w != 0
	}
	return divisor(p.open.from)%w != 0, divisor(p.open.to)%w != 0
}

// formula reports whether the number of blocks is a formula of the parameters that cannot overflow.
func (p *Plan) formula() bool {
	most := 1.0
	for i, m := range p.modes {
		n := m.Extent
		if m.cut {
			n = p.most(i)
		}
		most *= float64(ints.CeilDiv(n, p.tile[i]))
	}
	return most < 1<<60
}

// most returns an upper bound of the extent of a mode.
func (p *Plan) most(mode int) int64 {
	m := p.modes[mode]
	if !m.cut {
		return m.Extent
	}
	u := p.use(p.open.modes[mode].extent, role{})
	return p.open.params[u.param].facts.Max / u.div * u.mul
}

// numbers are the run-time integers of an open plan in its kernel.
type numbers struct {
	params   []kernel.Index
	extent   []kernel.Index
	src, dst ends
}

// ends contains the run-time strides of one side, and the terms that the block's tile adds to offsets.
type ends struct {
	first  kernel.Index
	stride []kernel.Index
	known  []bool
	tile   []kernel.Index
	low    *ends // all of these modulo the width of words
}

// number returns a number as an index of the kernel.
func (t *tracer) number(y symbolic.Int) kernel.Index {
	u := t.p.use(y, role{})
	if u.param < 0 {
		return kernel.Int(u.mul)
	}
	return t.numbers.params[u.param].Div(u.div).Mul(kernel.Int(u.mul))
}

// beginOpen is [tracer.begin] of a plan for run-time integers.
func (t *tracer) beginOpen() {
	k, p, x := t.k, t.p, t.p.open
	t.src, t.dst = t.end("src", &p.src), t.end("dst", &p.dst)
	for _, a := range x.params {
		declare := k.Int
		if a.wide {
			declare = k.Int64
		}
		t.numbers.params = append(t.numbers.params, declare(a.name, a.facts))
	}
	t.numbers.src.first, t.numbers.dst.first = t.number(x.srcAt), t.number(x.dstAt)
	for _, m := range x.modes {
		t.numbers.extent = append(t.numbers.extent, t.number(m.extent))
		for _, s := range []struct {
			e *ends
			d symbolic.Int
		}{{&t.numbers.src, m.src}, {&t.numbers.dst, m.dst}} {
			_, known := s.d.Int64()
			s.e.stride, s.e.known = append(s.e.stride, t.number(s.d)), append(s.e.known, known)
		}
	}
	if lo, hi := p.cut(p.load.width); p.way == Rows && (lo || hi) {
		t.lo, t.hi = t.number(x.from), t.number(x.to)
	}
	t.tiles(t.blockOf())
	if p.way == Rows {
		t.numbers.src.low, t.numbers.dst.low = t.low(&t.numbers.src, p.load.width), t.low(&t.numbers.dst, p.store.width)
	}
	t.thread = k.ThreadIdx()
}

// low returns the numbers of a side modulo the width of its words. The remainders are computed once, and are small, so
// that products with strides fit.
func (t *tracer) low(e *ends, width int64) *ends {
	out := &ends{}
	mod := func(x kernel.Index) kernel.Index {
		x = x.Mod(width)
		if _, known := x.Int64(); known {
			return x
		}
		return t.k.Stated(symbolic.Facts{Max: width - 1}, x)
	}
	out.first = mod(e.first)
	for i := range e.stride {
		out.stride, out.tile = append(out.stride, mod(e.stride[i])), append(out.tile, mod(e.tile[i]))
	}
	return out
}

// misalignment returns how far the element at a coordinate of the tile is after an aligned word of its side.
func (t *tracer) misalignment(f *phase, c []kernel.Index) kernel.Index {
	e, s := &t.p.src, t.numbers.src.low
	if f == &t.p.store {
		e, s = &t.p.dst, t.numbers.dst.low
	}
	if t.p.open != nil {
		return s.at(c).Mod(f.width)
	}
	stride := srcOf
	if f == &t.p.store {
		stride = dstOf
	}
	return t.offset(e, stride, c).Mod(f.width)
}

// blockOf states the grid and returns the number of the block.
func (t *tracer) blockOf() kernel.Index {
	if p := t.p; !p.formula() {
		t.k.Grid(t.numbers.params[len(p.open.params)-1])
	} else {
		blocks := kernel.Int(1)
		for i, n := range t.numbers.extent {
			blocks = blocks.Mul(n.CeilDiv(p.tile[i]))
		}
		t.k.Grid(blocks)
	}
	return t.k.Stated(symbolic.Facts{Max: math.MaxInt32 - 1}, t.k.BlockIdx(0)) // the limit of a grid
}

// tiles finds the block's tile.
func (t *tracer) tiles(block kernel.Index) {
	k, p := t.k, t.p
	var several []int
	for _, m := range p.order {
		if p.most(m) > p.tile[m] {
			several = append(several, m)
		}
	}
	for m, n := range t.numbers.extent {
		t.left[m], t.smaller[m] = n, !p.divides(p.tile[m], m)
	}
	for j, m := range several {
		n, by, most := t.numbers.extent[m], p.tile[m], p.most(m)
		at := block
		if j < len(several)-1 {
			count := n.CeilDiv(by)
			if ints.CeilDiv(most, by) > math.MaxInt32 {
				count = k.Stated(symbolic.Facts{Min: 1, Max: math.MaxInt32}, count) // the limit of a grid
			}
			block, at = block.DivMod(count)
		}
		t.first[m] = k.Stated(symbolic.Facts{Div: by, Max: most - 1}, at, kernel.Int(by))
		both := ints.GCD(by, content(p.open.modes[m].extent))
		t.left[m] = k.Stated(symbolic.Facts{Div: both, Min: 1, Max: most}, n.Sub(t.first[m]))
	}
	for _, e := range []*ends{&t.numbers.src, &t.numbers.dst} {
		e.tile = make([]kernel.Index, len(p.modes))
		for _, m := range several {
			d := p.open.modes[m].src
			if e == &t.numbers.dst {
				d = p.open.modes[m].dst
			}
			if e.known[m] {
				e.tile[m] = t.first[m].Mul(e.stride[m])
				continue
			}
			f := symbolic.Facts{Div: lowest(p.tile[m]) * divisor(d), Min: -openReach / p.elem, Max: openReach / p.elem}
			if d.Facts().Min >= 0 {
				f.Min = 0
			}
			e.tile[m] = k.Stated(f, t.first[m], e.stride[m])
		}
	}
}

// offsetOpen is [tracer.offset] of a plan for run-time integers.
func (t *tracer) offsetOpen(e *end, c []kernel.Index) kernel.Index {
	s := &t.numbers.src
	if e == &t.p.dst {
		s = &t.numbers.dst
	}
	return s.at(c)
}

// at returns the offset of the element at a coordinate of the tile.
func (e *ends) at(c []kernel.Index) kernel.Index {
	x := e.first
	for i, d := range e.stride {
		x = x.Add(e.tile[i]).Add(c[i].Mul(d))
	}
	return x
}

// srcStride returns the stride of a mode in src.
func (t *tracer) srcStride(mode int) kernel.Index {
	if t.p.open != nil {
		return t.numbers.src.stride[mode]
	}
	return kernel.Int(t.p.modes[mode].Src)
}

// At returns the plan for values of the run-time integers. Its kernel is the kernel of p, and [Plan.Args] has the
// arguments. A plan without run-time integers is returned unchanged. The errors are of type *[cute.Error].
//
//   - the codes of [New] for the layouts with these values,
//   - [cute.CodeUnknown]: an integer without a value,
//   - [cute.CodeFact]: a value that contradicts a fact, or unequal extents that must be equal,
//   - [cute.CodeOverflow]: a value above 32 bits for a symbol that is not {i64}, strides above 4 TiB, or offsets above
//     64 TiB.
func (p *Plan) At(values symbolic.Values) (*Plan, error) {
	x := p.open
	if x == nil {
		return p, nil
	}
	known, err := x.at(values)
	if err != nil {
		return nil, err
	}
	out := *p
	out.args, out.size, out.modes = map[string]int64{}, known.size, make([]Mode, len(p.modes))
	out.src.layout, out.dst.layout = known.src.layout, known.dst.layout
	for i, m := range x.modes {
		for _, s := range []struct {
			to *int64
			x  symbolic.Int
		}{{&out.modes[i].Extent, m.extent}, {&out.modes[i].Src, m.src}, {&out.modes[i].Dst, m.dst}} {
			if *s.to, err = s.x.At(values); err != nil {
				return nil, err
			}
		}
	}
	if err := out.count(); err != nil {
		return nil, err
	}
	for _, a := range x.params {
		n := out.blocks
		if a.name != "blocks" {
			if n, err = a.x.At(values); err != nil {
				return nil, err
			}
		}
		if err := a.check(n); err != nil {
			return nil, err
		}
		out.args[a.name] = n
	}
	return &out, nil
}

// at returns a plan for the layouts with values, without a way: it has passed the checks of [New].
func (x *open) at(values symbolic.Values) (*Plan, error) {
	a, err := x.src.At(values)
	if err != nil {
		return nil, err
	}
	b, err := x.dst.At(values)
	if err != nil {
		return nil, err
	}
	if ok, err := x.equal.Holds(values); err != nil {
		return nil, err
	} else if !ok {
		return nil, withHint("give both layouts the same shape",
			refuse(cute.CodeFact, "%v and %v are copied if %v, which does not hold", x.src, x.dst, x.equal))
	}
	o := x.o
	known, err := prepare(a, b, &o)
	if err != nil {
		return nil, err
	}
	for _, e := range []*end{&known.src, &known.dst} {
		if max(-e.lo, e.hi) >= openReach/known.elem {
			return nil, withHint("plan it for these values alone: copy.New", refuse(cute.CodeOverflow,
				"offsets from %d to %d of %d bytes are more than the %d bytes that are planned for", e.lo, e.hi-1, known.elem,
				int64(openReach)))
		}
	}
	return known, nil
}

// check refuses a value that the parameter does not have.
func (a *param) check(n int64) error {
	if n >= a.facts.Min && n <= a.facts.Max {
		return nil
	}
	e := refuse(cute.CodeOverflow, "%v is %d, and the kernel is for numbers from %d to %d", a.x, n, a.facts.Min,
		a.facts.Max)
	if name, ok := a.x.Name(); ok && a.facts.Max <= math.MaxInt32 {
		return withHint(fmt.Sprintf("state that it has 64 bits: %s{i64}", name), e)
	}
	return withHint("plan it for these values alone: copy.New", e)
}

// Args returns the arguments of the kernel except src and dst, by parameter name, for a plan of [Plan.At]. It is nil
// for a plan without run-time integers.
func (p *Plan) Args() map[string]int64 { return maps.Clone(p.args) }
