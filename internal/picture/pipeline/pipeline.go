package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"girih/internal/picture/view"
	"girih/ptx/sim"
)

// Events is how many of a run's events are recorded for a timeline.
const Events = 1 << 16

const (
	maxRefills = 12 // the most fills of one place in shared memory that are drawn
	maxTracks  = 24 // the most tracks of stages, and of barriers
	maxName    = 64 // the most characters of the name of the kernel
)

// A pipeline holds the events of one block, sorted into operations, barriers and warps.
type pipeline struct {
	block    sim.Dim
	events   []sim.Event // the events of the block
	end      int64       // the end of the drawn time
	fills    []*fillSpan
	drains   []*fillSpan
	barriers []uint64       // the addresses of mbarriers
	hues     map[uint64]int // the color of each barrier
	bases    []uint64       // the addresses where fills begin, ascending
	names    Names
}

// An Area is a part of shared memory that is drawn as one: a stage of a tensor, or an mbarrier.
type Area struct {
	Name  string
	First uint64 // the address
	Stage int    // -1 for none
}

// Names finds the area at an address; ok is false if there is no name for it. The nil Names has no names: tracks are
// named by their addresses.
type Names func(at uint64) (a Area, ok bool)

// area returns the area at an address.
func (p *pipeline) area(at uint64) Area {
	if p.names != nil {
		if a, ok := p.names(at); ok {
			return a
		}
	}
	return Area{Name: fmt.Sprintf("0x%x", at), First: at, Stage: -1}
}

// A fillSpan holds the asynchronous operations of one instruction, one from each warp, and the bytes that the
// operations fill or read.
type fillSpan struct {
	begin, land int64
	at          uint64
	barrier     uint64
	line        int
	op          string
	warp        int
	bytes       int64
}

// Timeline returns the timeline of the first block of a run of the kernel entry; ok is false if the run has no events.
func Timeline(res *sim.Result, entry string, names Names) (t view.Timeline, ok bool) {
	t = view.Timeline{Unit: "instructions", End: 1}
	if len(res.Events) == 0 {
		return t, false
	}
	if r := []rune(entry); len(r) > maxName {
		entry = string(r[:maxName]) + "..."
	}
	t.Title = fmt.Sprintf("%s: what block %v waits for", entry, res.Events[0].Block)
	p := &pipeline{block: res.Events[0].Block, hues: map[uint64]int{}, names: names}
	own := map[int64]bool{} // operations
	for _, e := range res.Events {
		if e.Kind == sim.EventBegin && e.Shared != 0 && e.Into == p.block {
			own[e.Operation] = true
		}
		if e.Block == p.block || own[e.Operation] {
			p.events = append(p.events, e)
		}
	}
	p.operations()
	p.colors()
	p.window()
	t.Begin, t.End = p.events[0].Time, p.end
	t.Tracks = slices.Concat(p.findings(), p.warps(), p.reads(), p.stages(), p.phases())
	t.Legend = []view.Legend{
		{Kind: view.SpanRun, Text: "a warp executes"},
		{Kind: view.SpanWait, Text: "it waits, in color at an mbarrier"},
		{Kind: view.SpanFill, Text: "copies are under way, or a phase lacks arrivals or bytes"},
		{Kind: view.SpanReady, Text: "what has come may be used"},
		{Kind: view.SpanDrain, Text: "read by wgmma or a copy"},
		{Kind: view.SpanMark, Text: "a copy begins; at an mbarrier, a warp learns that the phase has completed"},
	}
	t.Sort()
	return t, true
}

// operations joins the begin and the end of each operation.
func (p *pipeline) operations() {
	type key struct {
		block sim.Dim
		line  int
		nth   int
		fills bool
	}
	type who struct {
		block sim.Dim
		warp  int
		line  int
	}
	nth, known, byID := map[who]int{}, map[key]*fillSpan{}, map[int64]*fillSpan{}
	for _, e := range p.events {
		switch {
		case e.Kind == sim.EventLand && byID[e.Operation] != nil:
			byID[e.Operation].land = e.Time
		case e.Kind == sim.EventBegin && e.Shared != 0 && e.Into == p.block:
			w := who{e.Block, e.Warp, e.Line}
			k := key{e.Block, e.Line, nth[w], e.Fills}
			nth[w]++
			f := known[k]
			if f == nil {
				f = &fillSpan{begin: e.Time, at: e.Shared, barrier: e.Barrier, line: e.Line, op: string(e.Op), warp: e.Warp}
				known[k] = f
				if e.Fills {
					p.fills = append(p.fills, f)
				} else {
					p.drains = append(p.drains, f)
				}
			}
			f.at, f.bytes = min(f.at, e.Shared), f.bytes+e.Bytes
			byID[e.Operation] = f
		}
	}
	last := p.events[len(p.events)-1].Time
	for _, f := range slices.Concat(p.fills, p.drains) {
		if f.land == 0 {
			f.land = last
		}
	}
	p.join()
	for _, f := range p.fills {
		if !slices.Contains(p.bases, f.at) {
			p.bases = append(p.bases, f.at)
		}
	}
	slices.Sort(p.bases)
}

// join makes one fill of the fills of one area that are under way together. A refill begins after the fill before it
// has landed.
func (p *pipeline) join() {
	if p.names == nil {
		return
	}
	slices.SortStableFunc(p.fills, func(a, b *fillSpan) int { return cmp.Compare(a.begin, b.begin) })
	last := map[uint64]*fillSpan{}
	kept := p.fills[:0]
	for _, f := range p.fills {
		f.at = p.area(f.at).First
		if g := last[f.at]; g != nil && f.begin <= g.land && f.barrier == g.barrier {
			g.land, g.bytes = max(g.land, f.land), g.bytes+f.bytes
			continue
		}
		last[f.at] = f
		kept = append(kept, f)
	}
	p.fills = kept
}

// colors gives a color to each barrier at which copies complete. Barriers without copies get the same colors if
// their number is the same or a multiple: these barriers give the stages back.
func (p *pipeline) colors() {
	var full, empty []uint64
	for _, e := range p.events {
		if e.Barrier != 0 && e.Block == p.block && !slices.Contains(p.barriers, e.Barrier) {
			p.barriers = append(p.barriers, e.Barrier)
		}
	}
	slices.Sort(p.barriers)
	for _, b := range p.barriers {
		if slices.ContainsFunc(p.fills, func(f *fillSpan) bool { return f.barrier == b }) {
			full = append(full, b)
		} else {
			empty = append(empty, b)
		}
	}
	for i, b := range full {
		p.hues[b] = i
	}
	for i, b := range empty {
		if p.hues[b] = len(full) + i; len(full) > 0 && len(empty)%len(full) == 0 {
			p.hues[b] = i % len(full)
		}
	}
}

// hue returns the color of a fill, or of a read at an address.
func (p *pipeline) hue(f *fillSpan) int {
	if h, ok := p.hues[f.barrier]; ok && f.barrier != 0 {
		return h
	}
	at := f.at
	if a := p.area(at); a.Stage >= 0 {
		return a.Stage
	}
	for i := len(p.bases) - 1; i >= 0; i-- {
		if p.bases[i] <= at {
			for _, x := range p.fills {
				if h, ok := p.hues[x.barrier]; ok && x.at == p.bases[i] && x.barrier != 0 {
					return h
				}
			}
			return i
		}
	}
	return -1
}

// window ends the drawn part when a stage has been filled often enough to show the pattern.
func (p *pipeline) window() {
	p.end = p.events[len(p.events)-1].Time
	times := map[uint64]int{}
	for _, f := range p.fills {
		if times[f.at]++; times[f.at] > maxRefills {
			p.end = min(p.end, f.begin)
		}
	}
	for _, e := range p.events {
		if e.Kind == sim.EventFound {
			p.end = max(p.end, e.Time+1)
		}
	}
}

// findings returns a track for each finding about the block, with a mark at the time of the finding.
func (p *pipeline) findings() []view.Track {
	var list []view.Track
	for _, e := range p.events {
		if e.Kind == sim.EventFound && len(list) < maxTracks {
			tip := fmt.Sprintf("%s at line %d, %s, in warp %d", e.Finding, e.Line, e.Op, e.Warp)
			list = append(list, view.Track{
				Group: "findings", Name: fmt.Sprintf("%s, line %d", e.Finding, e.Line),
				Marks: []view.Mark{{At: e.Time, Stage: -1, Tip: tip}},
			})
		}
	}
	return list
}

// A warpLine is the track of a warp while the events are read.
type warpLine struct {
	view.Track
	does  strings.Builder // what the warp does as text, to find warps that do the same
	since int64           // the time when the warp began to execute
	wait  sim.Event       // what the warp waits for; none while it executes
}

// warps returns the tracks of warps: neighbours that do the same share a track.
func (p *pipeline) warps() []view.Track {
	lines := p.warpLines()
	var list []view.Track
	for w := 0; w < len(lines) && len(list) < maxTracks; w++ {
		first := lines[w]
		if first == nil {
			continue
		}
		first.Name = fmt.Sprintf("warp %d", w)
		from := w
		for w+1 < len(lines) && lines[w+1] != nil && lines[w+1].does.String() == first.does.String() {
			w++
			first.Name = fmt.Sprintf("warps %d-%d", from, w)
		}
		list = append(list, first.Track)
	}
	return list
}

// warpLines returns what each warp of the block does, by its number; nil for a warp that does nothing.
func (p *pipeline) warpLines() []*warpLine {
	var lines []*warpLine
	for _, e := range p.events {
		if e.Block != p.block || e.Warp < 0 || e.Kind == sim.EventLand || e.Kind == sim.EventFound {
			continue
		}
		if n := e.Warp + 1 - len(lines); n > 0 {
			lines = append(lines, make([]*warpLine, n)...)
		}
		if lines[e.Warp] == nil {
			lines[e.Warp] = &warpLine{Track: view.Track{Group: "warps"}, since: p.events[0].Time}
		}
		p.extend(lines[e.Warp], e)
	}
	for w, l := range lines {
		switch {
		case l == nil:
		case l.wait.Kind != "":
			l.Spans = append(l.Spans, p.waitSpan(l.wait, p.events[len(p.events)-1].Time))
		default:
			l.Spans = append(l.Spans, view.Span{From: l.since, To: p.last(w), Stage: -1})
		}
	}
	return lines
}

// extend adds an event to the track of its warp.
func (p *pipeline) extend(l *warpLine, e sim.Event) {
	fmt.Fprintf(&l.does, "%s %d %x;", e.Kind, e.Line, e.Barrier)
	switch e.Kind {
	case sim.EventWait:
		l.Spans = append(l.Spans, view.Span{From: l.since, To: e.Time, Stage: -1})
		l.wait, l.since = e, e.Time
	case sim.EventResume:
		l.Spans = append(l.Spans, p.waitSpan(l.wait, e.Time))
		l.wait, l.since = sim.Event{}, e.Time
	case sim.EventBegin:
		if e.Shared != 0 && e.Fills {
			h := p.hue(&fillSpan{at: e.Shared, barrier: e.Barrier})
			l.Marks = append(l.Marks, view.Mark{At: e.Time, Stage: h, Tip: fmt.Sprintf("line %d, %s", e.Line, e.Op)})
		}
	}
}

// last returns the time of the last event of a warp.
func (p *pipeline) last(warp int) int64 {
	t := p.events[0].Time
	for _, e := range p.events {
		if e.Warp == warp && e.Block == p.block {
			t = e.Time
		}
	}
	return t
}

// waitSpan returns the span of a wait.
func (p *pipeline) waitSpan(e sim.Event, to int64) view.Span {
	s := view.Span{From: e.Time, To: to, Kind: view.SpanWait, Stage: -1, Tip: fmt.Sprintf("line %d, %s", e.Line, e.Op)}
	if e.Barrier != 0 {
		s.Stage = p.hues[e.Barrier]
		s.Tip += fmt.Sprintf(": phase %d of the mbarrier %s", e.Phase, p.barrierName(e.Barrier))
	}
	return s
}

// barrierName names an mbarrier in a sentence.
func (p *pipeline) barrierName(at uint64) string {
	name := p.area(at).Name
	if strings.HasPrefix(name, "0x") {
		return "at " + name
	}
	return name
}

// reads returns the tracks of asynchronous reads of shared memory, by instruction.
func (p *pipeline) reads() []view.Track {
	var list []view.Track
	for _, f := range p.drains {
		name := shortRead(f.op)
		k := slices.IndexFunc(list, func(t view.Track) bool { return t.Name == name })
		if k < 0 {
			list = append(list, view.Track{Group: "reads under way", Name: name})
			k = len(list) - 1
		}
		s := view.Span{
			From: f.begin, To: f.land, Kind: view.SpanDrain, Stage: p.hue(f), Tip: fmt.Sprintf("line %d, %s", f.line, f.op),
		}
		if n := len(list[k].Spans); n > 0 && list[k].Spans[n-1].To > s.From {
			last := &list[k].Spans[n-1]
			if last.Stage == s.Stage {
				last.To = max(last.To, s.To)
				continue
			}
			last.To = s.From
		}
		list[k].Spans = append(list[k].Spans, s)
	}
	return list
}

// shortRead names an instruction that reads.
func shortRead(op string) string {
	name, _, _ := strings.Cut(op, ".")
	switch {
	case strings.HasPrefix(op, "cp.reduce"):
		return "reductions"
	case strings.HasPrefix(op, "cp."):
		return "stores"
	}
	return name
}

// stages returns the tracks of the places that copies fill.
func (p *pipeline) stages() []view.Track {
	var list []view.Track
	for _, at := range p.bases[:min(len(p.bases), maxTracks)] {
		t := view.Track{Group: "stages in shared memory", Name: p.area(at).Name}
		for _, f := range p.fills {
			if f.at != at {
				continue
			}
			if n := len(t.Spans); n > 0 {
				t.Spans[n-1].To = max(t.Spans[n-1].From, f.begin)
			}
			tip := fmt.Sprintf("line %d, %s, %d bytes", f.line, f.op, f.bytes)
			t.Spans = append(t.Spans,
				view.Span{From: f.begin, To: f.land, Kind: view.SpanFill, Stage: p.hue(f), Tip: tip},
				view.Span{From: f.land, To: p.end, Kind: view.SpanReady, Stage: p.hue(f), Tip: tip})
		}
		list = append(list, t)
	}
	return list
}

// phases returns the tracks of mbarriers.
func (p *pipeline) phases() []view.Track {
	var list []view.Track
	for _, b := range p.barriers[:min(len(p.barriers), maxTracks)] {
		t := view.Track{Group: "mbarriers", Name: p.area(b).Name}
		hue, phase := p.hues[b], int64(-1)
		open := int64(-1) // when the phase got its first arrival or bytes
		for _, e := range p.events {
			if e.Barrier != b || e.Block != p.block && e.Kind != sim.EventBegin {
				continue
			}
			switch e.Kind {
			case sim.EventArrive, sim.EventBegin:
				if open < 0 {
					open = e.Time
					if n := len(t.Spans); n > 0 {
						t.Spans[n-1].To = open
					}
				}
			case sim.EventPhase:
				phase = int64(e.Phase)
				if open < 0 {
					open = e.Time
				}
				t.Spans = append(t.Spans, view.Span{
					From: open, To: e.Time, Kind: view.SpanFill, Stage: hue, Text: fmt.Sprint(phase),
					Tip: fmt.Sprintf("phase %d lacks arrivals or bytes", phase),
				}, view.Span{
					From: e.Time, To: p.end, Kind: view.SpanReady, Stage: hue, Tip: fmt.Sprintf("phase %d has completed", phase),
				})
				open = -1
			case sim.EventPass:
				tip := fmt.Sprintf("warp %d learns of phase %d", e.Warp, e.Phase)
				t.Marks = append(t.Marks, view.Mark{At: e.Time, Stage: -1, Tip: tip})
			}
		}
		if open >= 0 {
			t.Spans = append(t.Spans, view.Span{
				From: open, To: p.end, Kind: view.SpanFill, Stage: hue, Text: fmt.Sprint(phase + 1),
				Tip: fmt.Sprintf("phase %d lacks arrivals or bytes", phase+1),
			})
		}
		list = append(list, t)
	}
	return list
}
