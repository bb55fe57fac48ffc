package sim

import (
	"slices"

	"girih/ptx"
)

// A run ends with its first finding, unless the launch lets it go on or passes over some. It then goes on as if the
// access had been allowed. What a load finds nowhere is 0, and what a store puts there is lost; what nobody has written
// is taken as it is; of two accesses that nothing orders, and of an operation in flight, the second one is executed.
// Findings of one cause are one, with a count.

// Passable returns the kinds of findings that a run can go on after, in their order.
func Passable() []Kind { return slices.Clone(passable) }

var passable = []Kind{
	KindBounds, KindAlign, KindUninitialised, KindExited, KindRace, KindReadPending, KindWritePending, KindTxCount,
	KindReadOnly, KindWgmma,
}

// Ignore is a kind of findings that are passed over, which [Passable] has.
type Ignore struct {
	Kind Kind
	Line int // of either of the two instructions of a finding; 0 for all lines
}

// covers reports whether f is passed over.
func (i Ignore) covers(f *Finding) bool {
	return f.Kind == i.Kind && (i.Line == 0 || i.Line == int(f.Pos.Line) || i.Line == int(f.Other.Line))
}

// A tally has the findings that a run has gone on after.
type tally struct {
	most    int
	ignore  []Ignore
	told    []*Finding
	ignored []*Finding
	sites   map[siteCause]*Finding
	causes  map[cause]*Finding
	site    siteCause // of the finding that is noted next
	again   *Finding  // what is noted in place of one that is known
}

// newTally returns that of a launch, nil if it ends with its first finding.
func newTally(l Launch) *tally {
	if l.Findings <= 1 && len(l.Ignore) == 0 {
		return nil
	}
	return &tally{
		most: max(l.Findings, 1), ignore: l.Ignore, again: &Finding{},
		sites: map[siteCause]*Finding{}, causes: map[cause]*Finding{},
	}
}

// A siteCause is two instructions and what is wrong with them; one without another has no second.
type siteCause struct {
	kind        Kind
	site, other uint32
}

// A cause is what findings have in common that are told once: the lines, or what had no value.
type cause struct {
	kind        Kind
	line, other int32
	register    uint64
}

// because returns what f is told once for.
func (f *Finding) because() cause {
	c := cause{f.Kind, f.Pos.Line, f.Other.Line, f.register}
	if c.register != 0 {
		c.line = 0
	}
	if f.Kind == KindRace && c.other != 0 && c.other < c.line {
		c.line, c.other = c.other, c.line
	}
	return c
}

// repeats reports whether a kind of finding is known of the current instruction and another one. It is counted, and
// stands for the finding that would be noted.
func (w *warp) repeats(kind Kind, other uint32) bool {
	t := w.block.grid.tally
	if t == nil {
		return false
	}
	t.site = siteCause{kind, w.site(), other &^ 31}
	f := t.sites[t.site]
	if f == nil {
		return false
	}
	f.count(w)
	w.fault = t.again
	return true
}

// count counts a finding once for each instruction of a warp.
func (f *Finding) count(w *warp) {
	if n := int64(w.site())<<32 + w.p.frame.counts[w.p.pc].warps; f.last != n || f.lastBy != w {
		f.last, f.lastBy = n, w
		f.Count++
	}
}

// goesOn reports whether the run goes on though something was found, which is noted no more.
func (w *warp) goesOn() bool {
	g := w.block.grid
	t, f := g.tally, w.fault
	switch {
	case t == nil || f == nil:
		return false
	case f == t.again:
	case !slices.Contains(passable, f.Kind) || !t.take(w, f):
		return false
	}
	t.site = siteCause{}
	w.fault = nil
	w.wentOn++
	return true
}

// take keeps a finding, unless it is the last one that is told.
func (t *tally) take(w *warp, f *Finding) bool {
	known := t.causes[f.because()]
	if known == nil {
		known = f
		ignored := slices.ContainsFunc(t.ignore, func(i Ignore) bool { return i.covers(f) })
		switch {
		case ignored:
			t.ignored = append(t.ignored, f)
		case len(t.told)+1 >= t.most:
			f.count(w)
			return false
		default:
			t.told = append(t.told, f)
			w.block.grid.trace.found(w.block.grid, f)
		}
		t.causes[f.because()] = f
	}
	known.count(w)
	if s := t.site; s.kind == f.Kind && s.site == w.site() {
		t.sites[s] = known
	}
	return true
}

// finish adds the finding that ended a run to those before it, and returns them, with those that were passed over.
func (t *tally) finish(err error, seed uint64) (told, ignored []*Finding, first error) {
	f, ended := err.(*Finding)
	if t != nil {
		told, ignored = t.told, t.ignored
	}
	if ended {
		told = append(told, f)
		f.Count = max(f.Count, 1)
	}
	for _, x := range slices.Concat(told, ignored) {
		x.Seed = seed
	}
	if len(told) > 0 && (err == nil || ended) {
		return told, ignored, told[0]
	}
	return told, ignored, err
}

// A lack is what had no value: a register or predicate of a frame, or bytes.
type lack struct {
	frame *frame
	slot  int
	pred  bool
	mask  uint32 // lanes of the register; 0 for none
	seg   *segment
	off   uint64
	n     int
}

// retry reports whether the current instruction is executed again: what it found is that something has no value, and
// the run goes on with what is there.
func (w *warp) retry() bool {
	x, f, t := w.lack, w.fault, w.block.grid.tally
	if t == nil || f == nil || f.Kind != KindUninitialised || x.mask == 0 && x.seg == nil {
		return false
	}
	if t.raced(f) {
		w.fault = nil
	} else if !w.goesOn() {
		return false
	}
	w.lack = lack{}
	switch {
	case x.seg != nil:
		x.seg.defineAll(x.off, uint64(x.n))
	case x.pred:
		x.frame.pdef[x.slot] |= x.mask
	default:
		x.frame.def[x.slot] |= x.mask
	}
	return true
}

// raced reports whether a finding that something was not written is the other side of one that nothing orders the
// instruction and what writes it.
func (t *tally) raced(f *Finding) bool {
	for _, x := range slices.Concat(t.told, t.ignored) {
		if x.Kind != KindUninitialised && x.Other.Line != 0 && (x.Pos.Line == f.Pos.Line || x.Other.Line == f.Pos.Line) {
			return true
		}
	}
	return false
}

// nowhere returns memory for an access of n bytes of which a finding was just noted, if the run goes on: zeros that
// nobody else sees.
func (w *warp) nowhere(n int) (*segment, uint64) {
	if !w.goesOn() {
		return nil, 0
	}
	g := w.block.grid
	if n > len(g.void.data) {
		g.void = segment{name: "nowhere", data: make([]byte, n)}
	}
	clear(g.void.data)
	return &g.void, 0
}

// excuse lets those go on that wait since they have read what nobody wrote: nobody has written it. It reports whether
// there is one, and the run goes on after findings.
func (g *grid) excuse() bool {
	if g.tally == nil || g.doubt == nil {
		return false
	}
	g.doubt, g.limit, g.idle, g.watch = nil, g.given, 0, false
	g.progress++
	for _, c := range g.active {
		c.stuck = false
		for _, b := range c.blocks {
			for _, w := range b.warps {
				for _, p := range w.paths {
					if p.doubt {
						p.state, p.doubt, p.excused = running, false, p.pc+1
					}
				}
			}
		}
	}
	return true
}

// otherAt notes the other instruction of a finding.
func (f *Finding) otherAt(in *ptx.Instr) {
	if in != nil {
		f.Other = in.Pos
	}
}
