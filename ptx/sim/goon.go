package sim

import (
	"slices"

	"girih/ptx"
)

// This file lets a run continue after a finding. A run ends with its first finding, unless the launch lets it continue
// or ignores the finding. The run then continues as if the access had been allowed. A load where there is no memory
// returns 0, and a store there is lost. Unwritten bytes have arbitrary contents. Of two unordered accesses, the second
// is executed. An operation in flight completes, as if the missing wait were there. Findings with the same cause become
// one finding with a count. The launch limits how many findings are reported; further findings are only counted.

// Passable returns the kinds of findings after which a run can go on, in order.
func Passable() []Kind { return slices.Clone(passable) }

var passable = []Kind{
	KindBounds, KindAlign, KindUninitialised, KindExited, KindBegun, KindNoncoherent, KindRace, KindReadPending,
	KindWritePending, KindTxCount, KindReadOnly, KindWgmma, KindTensor,
}

// Ends says why a run cannot go on after a finding of this kind, in words that follow "since". It is "" for the kinds
// of [Passable].
func (k Kind) Ends() string {
	for _, x := range ending {
		if x.kind == k {
			return x.why
		}
	}
	return ""
}

// Ending returns the kinds of findings that end every run, in order.
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

// Ignore names findings that a run ignores. The kind must be one of [Passable].
type Ignore struct {
	Kind Kind
	Line int // the line of either instruction of a finding; 0 for all lines
}

// covers reports whether i ignores f.
func (i Ignore) covers(f *Finding) bool {
	return f.Kind == i.Kind && (i.Line == 0 || i.Line == int(f.Pos.Line) || i.Line == int(f.Other.Line))
}

// A tally collects the findings after which a run has gone on.
type tally struct {
	most    int // the number of findings that are reported; 0 if the run ends with the first one that is not ignored
	ignore  []Ignore
	told    []*Finding
	more    int // findings beyond told
	ignored []*Finding
	sites   map[siteCause]*Finding
	causes  map[cause]*Finding
	site    siteCause  // the cause of the next noted finding
	again   *Finding   // a known finding that is found again
	under   *operation // the operation in flight that the noted finding is about; nil for none
	lane    int        // the lane whose part of under the finding is about
}

// newTally returns the tally of a launch, or nil if the run ends with its first finding.
func newTally(l Launch) *tally {
	if l.Findings <= 0 && len(l.Ignore) == 0 {
		return nil
	}
	return &tally{
		most: l.Findings, ignore: l.Ignore, again: &Finding{},
		sites: map[siteCause]*Finding{}, causes: map[cause]*Finding{},
	}
}

// A siteCause is the kind of a finding and its two instructions; other is 0 if there is only one instruction.
type siteCause struct {
	kind        Kind
	site, other uint32
}

// A cause identifies findings that count as one: by their lines, or by the register without a value.
type cause struct {
	kind        Kind
	line, other int32
	register    uint64
}

// because returns the cause of f.
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

// repeats reports whether a finding of this kind about the current instruction and other is already known. If so, it
// counts the known finding, and no new finding is needed.
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

// count counts a finding once for each execution by a warp.
func (f *Finding) count(w *warp) {
	if n := int64(w.site())<<32 + w.p.frame.counts[w.p.pc].warps; f.last != n || f.lastBy != w {
		f.last, f.lastBy = n, w
		f.Count++
	}
}

// goesOn reports whether the run goes on after the finding that was noted. If so, it clears the finding.
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

// landNow lands a lane's part of o. Threads that wait for that part will know this event.
func (w *warp) landNow(o *operation, lane int) {
	var f opFault
	switch m, p := o.promiseOf(lane); {
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
		w.noteFault(f, o)
		w.goesOn()
	}
}

// maxCauses limits the causes of findings after which a run goes on.
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
			w.block.grid.trace.noteFinding(w.block.grid, f)
		}
		t.causes[f.because()] = f
	}
	known.count(w)
	if s := t.site; s.kind == f.Kind && s.site == w.site() {
		t.sites[s] = known
	}
	return true
}

// finish puts the findings of a run that ended by err into r, and returns the first finding, or err. r.Last becomes the
// finding that ended the run.
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
	for _, x := range slices.Concat(r.Findings, r.Ignored, r.Lesser) {
		x.Seed = seed
	}
	if len(r.Findings) > 0 && (err == nil || ended) {
		return r.Findings[0]
	}
	return err
}

// A lack says what had no value: a register or predicate of a frame, or bytes of a segment.
type lack struct {
	frame *frame
	slot  int
	pred  bool
	mask  uint32 // lanes of the register; 0 for none
	seg   *segment
	off   uint64
	n     int
}

// retry reports whether the current instruction is executed again, which happens if its finding is about a missing
// value and the run goes on with the bits that are there.
func (w *warp) retry() bool {
	x, f, t := w.lack, w.fault, w.block.grid.tally
	if t == nil || f == nil || f.Kind != KindUninitialised || x.mask == 0 && x.seg == nil {
		return false
	}
	if t.isRace(f) {
		w.fault = nil
	} else if !w.branches() && !w.goesOn() {
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

// isRace reports whether a finding about unwritten bytes belongs to a known race between the instruction and the write
// of the same bytes.
func (t *tally) isRace(f *Finding) bool {
	for _, x := range slices.Concat(t.told, t.ignored) {
		if x.Kind != KindUninitialised && x.Other.Line != 0 && (x.Pos.Line == f.Pos.Line || x.Other.Line == f.Pos.Line) {
			return true
		}
	}
	return false
}

// maxNowhere limits the memory that nowhere returns, in bytes.
const maxNowhere = 1 << 20

// nowhere returns memory for an access of n bytes that has a finding, if the run goes on: zeros that no other access
// sees. If n is too large it returns nil, and the instruction has no effect.
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

// isNowhere reports whether s is the memory that nowhere returns.
//
//go:noinline
func (w *warp) isNowhere(s *segment) bool { return s == &w.block.grid.void }

// excuse ends the waits of paths that have read unwritten bytes, once no thread will write these bytes. It reports
// whether there is such a path, and the run goes on after findings.
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

// otherAt records the other instruction of a finding.
func (f *Finding) otherAt(in *ptx.Instr) {
	if in != nil {
		f.Other = in.Pos
	}
}
