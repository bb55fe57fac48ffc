package copy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"girih/cute"
	"girih/internal/ints"
	"girih/kernel"
	"girih/symbolic"
)

// This file plans copies of layouts with run-time integers. It plans an example with large extents, and with strides
// that are far apart and have exactly the known divisors of the real strides. The plan takes the tile, the vectors
// and the shared memory from the example; the kernel takes the extents, the strides and the cut tiles as parameters.

// An open is the part of a plan for run-time integers that its example lacks.
type open struct {
	src, dst     symbolic.Layout
	o            Options
	modes        []openMode // by mode of the plan
	srcAt, dstAt symbolic.Int
	from, to     symbolic.Int   // the bounds of the offsets of src
	equal        symbolic.Guard // extents that must be equal
	params       []param
	kernel       func() (*kernel.Kernel, error)
}

// An openMode is a [Mode] whose integers may be run-time integers.
type openMode struct{ extent, src, dst symbolic.Int }

// NewSymbolic plans the copy of src to dst for all values of their run-time integers. These become parameters of the
// kernel; [Plan.At] assigns values. The plan depends only on what holds for all values: strides that are 1, and the
// facts of symbols (N{div=8} allows wide accesses, K{<=4} small tiles). A symbol has 32 bits unless it is N{i64}.
//
// It returns the errors of [New] that hold for all values; Plan.At returns the others. It also returns
// [cute.CodeUnknown] if it is not known how the extents of the layouts refine each other.
func NewSymbolic(src, dst symbolic.Layout, o Options) (*Plan, error) {
	if src.Static() && dst.Static() {
		a, err := src.ToLayout()
		if err != nil {
			return nil, err
		}
		b, err := dst.ToLayout()
		if err != nil {
			return nil, err
		}
		return New(a, b, o)
	}
	given := o
	if err := o.complete(); err != nil {
		return nil, err
	}
	x := &open{src: src, dst: dst, o: given}
	p := &Plan{elem: min(o.Bytes, o.SrcAlign, o.DstAlign), open: x}
	p.src, p.dst = end{bytes: o.Bytes, align: o.SrcAlign}, end{bytes: o.Bytes, align: o.DstAlign}
	if err := x.refine(o.Bytes / p.elem); err != nil {
		return nil, err
	}
	e := example{}
	var c calc
	c.turn(x)
	e.sort(x.modes)
	x.modes = c.join(x.modes)
	if len(x.modes) > MaxModes {
		return nil, refuse(cute.CodeLimit, "the copy has %d joint modes: at most %d", len(x.modes), MaxModes)
	}
	for p.elem < 16 && c.joinOpenPairs(p) {
		p.elem *= 2
	}
	c.bounds(x)
	if c.err != nil {
		return nil, c.err
	}
	p.modes = e.modes(x.modes)
	p.src.base, p.dst.base = divisor(x.srcAt), divisor(x.dstAt)
	p.choose(o)
	if err := p.parameters(); err != nil {
		return nil, err
	}
	x.kernel = sync.OnceValues(p.trace)
	return p, nil
}

// refine splits the layouts into modes that both have. Each element is moved in the given number of parts.
func (x *open) refine(parts int64) error {
	r := refinement{x: x}
	var err error
	if r.a, err = openSide("source", x.src); err != nil {
		return err
	}
	if r.b, err = openSide("destination", x.dst); err != nil {
		return err
	}
	if parts > 1 {
		r.a, r.b = r.split(r.a, parts), r.split(r.b, parts)
	}
	for len(r.a) > 0 && len(r.b) > 0 && r.err == nil {
		if err := r.step(); err != nil {
			return err
		}
	}
	for _, rest := range slices.Concat(r.a, r.b) {
		if !is(rest.extent, 1) {
			return withHint("give both layouts the same shape", refuse(cute.CodeNotCongruent,
				"expected as many elements in %v as in %v: there is nothing that goes with %v", x.dst, x.src, rest.extent))
		}
	}
	if len(x.modes) == 0 {
		x.modes = []openMode{{symbolic.Const(1), symbolic.Const(1), symbolic.Const(1)}}
	}
	return r.err
}

// A refinement contains the remaining modes of both sides, and the first error of its calculations.
type refinement struct {
	x    *open
	a, b []openMode // with the strides in src
	calc
}

// split divides each element of a side into parts.
func (r *refinement) split(side []openMode, parts int64) []openMode {
	for i := range side {
		side[i].src = r.mul(side[i].src, symbolic.Const(parts))
	}
	return slices.Insert(side, 0, openMode{symbolic.Const(parts), symbolic.Const(1), symbolic.Int{}})
}

// step moves a factor of the first extents of both sides to the modes of the plan.
func (r *refinement) step() error {
	s, t := &r.a[0], &r.b[0]
	switch m, n := s.extent, t.extent; {
	case is(m, 1):
		r.a = r.a[1:]
	case is(n, 1):
		r.b = r.b[1:]
	case m.Equal(n):
		r.emitFirst(m)
	default:
		f := common(m, n)
		if is(f, 1) {
			return r.assumeEqual(m, n)
		}
		r.emit(f)
		s.extent, s.src = r.over(m, f), r.mul(s.src, f)
		t.extent, t.src = r.over(n, f), r.mul(t.src, f)
	}
	return nil
}

// emit adds a mode of extent n with the first strides of both sides.
func (r *refinement) emit(n symbolic.Int) {
	r.x.modes = append(r.x.modes, openMode{n, r.a[0].src, r.b[0].src})
}

// emitFirst adds a mode of the first modes of both sides, which both end.
func (r *refinement) emitFirst(n symbolic.Int) {
	r.emit(n)
	r.a, r.b = r.a[1:], r.b[1:]
}

// assumeEqual pairs two extents that are not known to be equal. One must be anonymous; [Plan.At] checks the values.
func (r *refinement) assumeEqual(m, n symbolic.Int) error {
	x := r.x
	if !anonymous(m) && !anonymous(n) {
		return withHint("give both layouts one shape, or state what divides an extent, as in N{div=8}",
			refuse(cute.CodeUnknown, "%v and %v: which of %v and %v divides the other is not known", x.src.Shape(),
				x.dst.Shape(), m, n))
	}
	g, _ := symbolic.EqualIf(symbolic.Number(m), symbolic.Number(n))
	x.equal = x.equal.And(g)
	if _, known := n.Int64(); known {
		m = n
	}
	r.emitFirst(m)
	return nil
}

// openSide returns the extents of a layout with their strides as src.
func openSide(name string, l symbolic.Layout) (out []openMode, err error) {
	if l.HasAxes() {
		return nil, refuse(cute.CodeCodomain, "the %s %v has coordinates as values", name, l)
	}
	walk(l, func(extent, stride symbolic.Int) { out = append(out, openMode{extent: extent, src: stride}) })
	return out, nil
}

// walk calls f for the extents of a layout with their strides.
func walk(l symbolic.Layout, f func(extent, stride symbolic.Int)) {
	var visit func(shape, stride symbolic.Tuple)
	visit = func(shape, stride symbolic.Tuple) {
		if n, ok := shape.Int(); ok {
			d, _ := stride.Int()
			f(n, d)
			return
		}
		ds := stride.Modes()
		for i, m := range shape.Modes() {
			visit(m, ds[i])
		}
	}
	visit(l.Shape(), l.Stride())
}

// is reports whether an integer is known and equal to n.
func is(x symbolic.Int, n int64) bool {
	y, ok := x.Int64()
	return ok && y == n
}

func anonymous(x symbolic.Int) bool {
	name, ok := x.Name()
	return ok && name[0] == '?'
}

// common returns a number that divides both extents: one of the extents or, if an extent is known, the greatest common
// divisor of their known divisors. Otherwise it returns 1.
func common(m, n symbolic.Int) symbolic.Int {
	_, mKnown := m.Int64()
	_, nKnown := n.Int64()
	switch {
	case mKnown || nKnown:
		return symbolic.Const(ints.GCD(content(m), content(n)))
	case divides(m, n):
		return m
	case divides(n, m):
		return n
	}
	return symbolic.Const(1)
}

// divides reports whether x divides y for all values.
func divides(x, y symbolic.Int) bool {
	var c calc
	q := c.over(y, x)
	return c.err == nil && c.mul(q, x).Equal(y)
}

// content returns the known divisor of an extent: the extent itself if it is known.
func content(x symbolic.Int) int64 {
	if n, ok := x.Int64(); ok {
		return n
	}
	return x.Facts().Div
}

// A calc computes until an operation fails.
type calc struct{ err error }

func (c *calc) take(x symbolic.Int, err error) symbolic.Int {
	if c.err == nil {
		c.err = err
	}
	return x
}

func (c *calc) add(x, y symbolic.Int) symbolic.Int { return c.take(symbolic.Add(x, y)) }
func (c *calc) mul(x, y symbolic.Int) symbolic.Int { return c.take(symbolic.Mul(x, y)) }

func (c *calc) less(x symbolic.Int, n int64) symbolic.Int { return c.add(x, symbolic.Const(-n)) }

// over returns x/y for a y that divides x.
func (c *calc) over(x, y symbolic.Int) symbolic.Int {
	q, _, err := symbolic.FloorDiv(x, y)
	return c.take(q, err)
}

// turn makes strides of the destination positive if they are known to be negative.
func (c *calc) turn(x *open) {
	for i := range x.modes {
		m := &x.modes[i]
		if m.dst.Facts().Max >= 0 {
			continue
		}
		last, minus := c.less(m.extent, 1), symbolic.Const(-1)
		x.srcAt, x.dstAt = c.add(x.srcAt, c.mul(last, m.src)), c.add(x.dstAt, c.mul(last, m.dst))
		m.src, m.dst = c.mul(m.src, minus), c.mul(m.dst, minus)
	}
}

// join joins modes that follow each other on both sides for all values.
func (c *calc) join(ms []openMode) []openMode {
	var out []openMode
	for _, m := range ms {
		if n := len(out) - 1; n >= 0 {
			l := &out[n]
			if m.dst.Equal(c.mul(l.extent, l.dst)) && m.src.Equal(c.mul(l.extent, l.src)) {
				l.extent = c.mul(l.extent, m.extent)
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

// joinOpenPairs joins pairs of elements into one element, if possible for all values: see [Plan.joinPairs].
func (c *calc) joinOpenPairs(p *Plan) bool {
	x, at := p.open, -1
	even := func(y symbolic.Int) bool { return divisor(y)%2 == 0 }
	for i, m := range x.modes {
		switch {
		case is(m.src, 1) && is(m.dst, 1) && even(m.extent):
			at = i
		case !even(m.src) || !even(m.dst):
			return false
		}
	}
	e := 2 * p.elem
	if at < 0 || !even(x.srcAt) || !even(x.dstAt) || p.src.align%e != 0 || p.dst.align%e != 0 {
		return false
	}
	half := func(y *symbolic.Int) { *y = c.over(*y, symbolic.Const(2)) }
	for i := range x.modes {
		if m := &x.modes[i]; i == at {
			half(&m.extent)
		} else {
			half(&m.src)
			half(&m.dst)
		}
	}
	half(&x.srcAt)
	half(&x.dstAt)
	return true
}

// bounds finds the begin and the end of src, in elements of the plan.
func (c *calc) bounds(x *open) {
	x.from, x.to = x.srcAt, c.add(x.srcAt, symbolic.Const(1))
	for _, m := range x.modes {
		last, minus := c.less(m.extent, 1), symbolic.Const(-1)
		below := symbolic.Min(m.src, symbolic.Int{})
		above := c.mul(minus, symbolic.Min(c.mul(minus, m.src), symbolic.Int{}))
		x.from, x.to = c.add(x.from, c.mul(last, below)), c.add(x.to, c.mul(last, above))
	}
}

// divisor returns the largest power of two that is known to divide a number, 0 for the number 0.
func divisor(x symbolic.Int) int64 {
	if n, ok := x.Int64(); ok {
		if n == 0 {
			return 0
		}
		return lowest(n)
	}
	return lowest(x.Facts().Div)
}

// An example assigns values to symbols.
type example struct{ values symbolic.Values }

// typical is the value of symbols without facts.
const typical = 1 << 10

// of returns the value of a number in the example, and a large number if it does not fit.
func (e *example) of(x symbolic.Int) int64 {
	if e.values == nil {
		e.values = symbolic.Values{}
	}
	each(x, func(s *symbolic.Symbol) {
		f := s.Facts()
		v := (typical/f.Div + 1) * f.Div
		if v > f.Max {
			v = f.Max / f.Div * f.Div
		}
		for v < f.Min {
			v += f.Div
		}
		e.values[s] = v
	})
	v, err := x.At(e.values)
	if err != nil {
		return math.MaxInt64
	}
	return v
}

// sort sorts modes by their strides in dst, modes without strides last. If the order of two strides is not known, the
// mode nearer to the contiguous mode comes first.
func (e *example) sort(ms []openMode) {
	if n := len(ms) - 1; n > 0 && is(ms[n].dst, 1) {
		slices.Reverse(ms)
	}
	key := func(m openMode) uint64 { return uint64(abs(e.of(m.dst)) - 1) }
	sort.SliceStable(ms, func(i, j int) bool { return key(ms[i]) < key(ms[j]) })
}

// modes returns the modes of the example. Unknown strides keep their order. Example strides are far from each other and
// from all extents of tiles, so that only modes that are always contiguous seem contiguous.
func (e *example) modes(ms []openMode) []Mode {
	const apart, large = 1 << 24, 1 << 16
	out := make([]Mode, len(ms))
	strides := func(of func(*openMode) symbolic.Int, to func(*Mode) *int64) {
		order := make([]int, len(ms))
		for i := range order {
			order[i] = i
		}
		key := func(i int) int64 { return abs(e.of(of(&ms[i]))) }
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(key(i), key(j)) })
		for rank, i := range order {
			d := of(&ms[i])
			if n, ok := d.Int64(); ok {
				*to(&out[i]) = n
				continue
			}
			by := min(divisor(d), apart)
			n := (int64(rank+1)*apart/by | 1) * by
			if d.Facts().Max < 0 {
				n = -n
			}
			*to(&out[i]) = n
		}
	}
	strides(func(m *openMode) symbolic.Int { return m.src }, func(m *Mode) *int64 { return &m.Src })
	strides(func(m *openMode) symbolic.Int { return m.dst }, func(m *Mode) *int64 { return &m.Dst })
	for i, m := range ms {
		out[i].open = &ms[i]
		if n, ok := m.extent.Int64(); ok {
			out[i].Extent = n
			continue
		}
		out[i].cut = true
		out[i].Extent = max(min(large, m.extent.Facts().Max), 1)
	}
	return out
}

// Symbols returns the symbols of two layouts by name, for the values of [Plan.At]. Symbols without a name are ?1, ?2
// and so on.
func Symbols(src, dst symbolic.Layout) map[string]*symbolic.Symbol {
	out := map[string]*symbolic.Symbol{}
	for _, l := range []symbolic.Layout{src, dst} {
		walk(l, func(extent, stride symbolic.Int) {
			for _, x := range []symbolic.Int{extent, stride} {
				each(x, func(s *symbolic.Symbol) { out[s.Name()] = s })
			}
		})
	}
	return out
}

// each calls f for each symbol in x.
func each(x symbolic.Int, f func(*symbolic.Symbol)) { symbolic.Fold(x, visitor(f)) }

// A visitor visits symbols and builds nothing.
type visitor func(*symbolic.Symbol)

func (v visitor) Symbol(s *symbolic.Symbol) struct{} {
	v(s)
	return struct{}{}
}
func (visitor) Const(int64) struct{}                   { return struct{}{} }
func (visitor) Sum([]struct{}) struct{}                { return struct{}{} }
func (visitor) Product([]struct{}) struct{}            { return struct{}{} }
func (visitor) Apply(symbolic.Op, []struct{}) struct{} { return struct{}{} }

// numbers returns the extent and the strides of a mode; in an example, of the mode that it is an example of.
func (m Mode) numbers() (extent, src, dst any) {
	if m.open != nil {
		return m.open.extent, m.open.src, m.open.dst
	}
	return m.Extent, m.Src, m.Dst
}

// MarshalJSON writes the extent and the strides: numbers, or expressions of run-time integers. It returns the errors of
// [json.Marshal].
func (m Mode) MarshalJSON() ([]byte, error) {
	var out struct {
		Extent any `json:"extent"`
		Src    any `json:"src"`
		Dst    any `json:"dst"`
	}
	out.Extent, out.Src, out.Dst = m.numbers()
	for _, x := range []*any{&out.Extent, &out.Src, &out.Dst} {
		y, ok := (*x).(symbolic.Int)
		if n, known := y.Int64(); ok && known {
			*x = n
		} else if ok {
			*x = y.String()
		}
	}
	return json.Marshal(out)
}

// String returns the parameter, as "N from 1 to 2147483647, a multiple of 8", followed by its meaning if it is not a
// symbol.
func (a param) String() string {
	text := a.name
	if name, ok := a.x.Name(); a.x.String() != "0" && (!ok || name != a.name) {
		text += " = " + a.x.String()
	}
	text += fmt.Sprintf(" from %d to %d", a.facts.Min, a.facts.Max)
	if a.facts.Div > 1 {
		text += fmt.Sprintf(", a multiple of %d", a.facts.Div)
	}
	return text
}
