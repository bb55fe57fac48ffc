package sim

import (
	"slices"

	"girih/ptx"
)

// A run ends with its first finding, unless the launch lets it go on or passes over some. It then goes on as if the
// access had been allowed. What a load finds nowhere is 0, and what a store puts there is lost; what nobody has written
// is taken as it is; of two accesses that nothing orders the second one is executed; an operation in flight lands, as
// if the wait that is missing were there. Findings of one cause are one, with a count. As many are told as the launch
// says, and those beyond are counted.

// Passable returns the kinds of findings that a run can go on after, in their order.
func Passable() []Kind { return slices.Clone(passable) }

var passable = []Kind{
	KindBounds, KindAlign, KindUninitialised, KindExited, KindRace, KindReadPending, KindWritePending, KindTxCount,
	KindReadOnly, KindWgmma,
}

// Ends says why a run cannot go on after a finding of a kind, in words that follow "since". It is "" for those of
// [Passable].
func (k Kind) Ends() string {
	for _, x := range ending {
		if x.kind == k {
			return x.why
		}
	}
	return ""
}

// Ending returns the kinds of findings that end every run, in their order.
func Ending() []Kind {
	var list []Kind
	for _, x := range ending {
		list = append(list, x.kind)
	}
	return list
}

var ending = []struct {
	kind Kind
	why  string
}{
	{KindDivergent, "PTX leaves open what the instruction does without the threads that are missing"},
	{KindDeadlock, "no thread can go on"},
	{KindBarrier, "PTX leaves open what a barrier does that is used so"},
	{KindSteps, "it has executed the instructions that it may have"},
	{KindUnsupported, "what the instruction does, or what is in that memory, is not known"},
	{KindCall, "there is nothing to call"},
	{KindTrap, "the kernel ends itself"},
	{KindAssert, "the kernel ends itself"},
	{KindArgument, "PTX leaves open what the instruction does with such an operand"},
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
	most    int // that are told; 0 where the run ends with the first one that is not passed over
	ignore  []Ignore
	told    []*Finding
	more    int // beyond those
	ignored []*Finding
	sites   map[siteCause]*Finding
	causes  map[cause]*Finding
	site    siteCause  // of the finding that is noted next
	again   *Finding   // what is noted in place of one that is known
	under   *operation // in flight, that the finding is about which is noted; nil for none
	lane    int        // whose part
}

// newTally returns that of a launch, nil if it ends with its first finding.
func newTally(l Launch) *tally {
	if l.Findings <= 0 && len(l.Ignore) == 0 {
		return nil
	}
	return &tally{
		most: l.Findings, ignore: l.Ignore, again: &Finding{},
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
	if o := t.under; o != nil {
		t.under = nil
		w.landNow(o, t.lane)
	}
	return true
}

// landNow lets the part of o of a lane land, as an event that those know who wait for it.
func (w *warp) landNow(o *operation, lane int) {
	var f fault
	switch m, p := o.promised(lane); {
	case o.number == 0:
		return
	case o.warpgroup > 0:
		o.warp.group().landIf(o)
		return
	case m != nil:
		at := m.landing()
		o = o.part(o.lanes & p.lanes)
		f = o.land(at)
	default:
		f = o.land(o.warp.event())
	}
	if f.kind != "" {
		w.faulted(f, o)
		w.goesOn()
	}
}

// maxCauses is how many causes of findings a run goes on after.
const maxCauses = 1 << 16

// take keeps a finding, and reports whether the run goes on after it.
func (t *tally) take(w *warp, f *Finding) bool {
	known := t.causes[f.because()]
	if known == nil {
		known = f
		ignored := slices.ContainsFunc(t.ignore, func(i Ignore) bool { return i.covers(f) })
		switch {
		case ignored:
			t.ignored = append(t.ignored, f)
		case t.most == 0 || len(t.causes) >= maxCauses:
			f.count(w)
			return false
		case len(t.told) >= t.most:
			t.more++
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

// finish puts the findings of a run that ended by err into r, and returns the first one, or err. Last is the finding
// that ended it.
func (t *tally) finish(r *Result, err error, seed uint64) error {
	last, ended := err.(*Finding)
	if t != nil {
		r.Findings, r.Ignored, r.More = t.told, t.ignored, t.more
	}
	if r.Ended = err == nil; ended {
		last.Count, last.Seed = max(last.Count, 1), seed
		if r.Last = last; t == nil || t.most == 0 || len(t.told) < t.most {
			r.Findings = append(r.Findings, last)
		} else {
			r.More++
		}
	}
	for _, x := range slices.Concat(r.Findings, r.Ignored) {
		x.Seed = seed
	}
	if len(r.Findings) > 0 && (err == nil || ended) {
		return r.Findings[0]
	}
	return err
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

// maxNowhere is how many bytes of nowhere there are.
const maxNowhere = 1 << 20

// nowhere returns memory for an access of n bytes of which a finding was just noted, if the run goes on: zeros that
// nobody else sees. If there are not so many it returns nil, and the instruction has no effect.
func (w *warp) nowhere(n int) (*segment, uint64) {
	if !w.goesOn() || n > maxNowhere {
		return nil, 0
	}
	g := w.block.grid
	if n > len(g.void.data) {
		g.void = segment{name: "nowhere", data: make([]byte, n)}
	}
	clear(g.void.data)
	return &g.void, 0
}

// isNowhere reports whether s is that memory.
func (w *warp) isNowhere(s *segment) bool { return s == &w.block.grid.void }

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
