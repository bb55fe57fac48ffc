//go:build !js || kernels

package service

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"girih/banks"
	"girih/internal/listing"
	"girih/internal/picture/pipeline"
	"girih/internal/picture/view"
	"girih/ptx"
	"girih/ptx/sim"
)

// This file adds to a followed run what surrounds the data: source lines with counts, findings, the timeline.

// followEvents is how many events are recorded for the timeline.
const followEvents = pipeline.Events

// A FollowSource is a source text with what its lines did.
type FollowSource struct {
	Lang  string       `json:"lang"` // go, cpp, python or ptx
	Name  string       `json:"name"`
	Lines []FollowLine `json:"lines"`
}

// A FollowLine is a line of a source.
type FollowLine struct {
	Line       int     `json:"line"`
	Text       string  `json:"text,omitempty"`
	Hops       []int   `json:"hops,omitempty"`
	Count      int64   `json:"count,omitempty"` // executions by warps, in all blocks
	Sectors    int64   `json:"sectors,omitempty"`
	Wavefronts int64   `json:"wavefronts,omitempty"`
	Excess     int64   `json:"excess,omitempty"` // sectors and wavefronts beyond the fewest for the bytes
	Hot        float64 `json:"hot,omitempty"`    // sectors and wavefronts, as a share of the busiest line
}

// A FollowFinding is a finding with its time.
type FollowFinding struct {
	SimFinding
	Time int64 `json:"time,omitempty"`
}

// A FollowTimeline is the timeline of a block.
type FollowTimeline struct {
	Unit   string         `json:"unit"`
	Begin  int64          `json:"begin"`
	End    int64          `json:"end"`
	Tracks []FollowTrack  `json:"tracks"`
	Legend []FollowLegend `json:"legend"`
}

// A FollowTrack is a row of a timeline.
type FollowTrack struct {
	Group string       `json:"group"`
	Name  string       `json:"name"`
	Spans []FollowSpan `json:"spans"`
	Marks []FollowMark `json:"marks,omitempty"`
}

// A FollowSpan is a time of a track in one state.
type FollowSpan struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Kind  string `json:"kind"`
	Stage int    `json:"stage"` // -1 for none
	Text  string `json:"text,omitempty"`
	Tip   string `json:"tip,omitempty"`
}

// A FollowMark is a moment of a track.
type FollowMark struct {
	At    int64  `json:"at"`
	Stage int    `json:"stage"`
	Tip   string `json:"tip,omitempty"`
}

// A FollowLegend explains a state.
type FollowLegend struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// spanKinds are the states as the page reads them.
var spanKinds = map[view.SpanKind]string{
	view.SpanRun: "run", view.SpanWait: "wait", view.SpanFill: "fill", view.SpanReady: "ready", view.SpanDrain: "drain",
	view.SpanMark: "mark",
}

// timeline adds the timeline of the followed block.
func (x *followed) timeline() {
	res := *x.result
	first := slices.IndexFunc(res.Events, func(e sim.Event) bool { return e.Block == x.rec.Block })
	if first < 0 {
		return
	}
	res.Events = res.Events[first:]
	areas := x.Areas(x.kernel)
	t, ok := pipeline.Timeline(&res, x.Name, func(at uint64) (pipeline.Area, bool) {
		a, ok := areas(at)
		return pipeline.Area(a), ok
	})
	if !ok {
		return
	}
	out := &FollowTimeline{Unit: t.Unit, Begin: t.Begin, End: t.End}
	for _, track := range t.Tracks {
		row := FollowTrack{Group: track.Group, Name: track.Name, Spans: []FollowSpan{}}
		for _, s := range track.Spans {
			row.Spans = append(row.Spans, FollowSpan{s.From, s.To, spanKinds[s.Kind], s.Stage, s.Text, s.Tip})
		}
		for _, m := range track.Marks {
			row.Marks = append(row.Marks, FollowMark{m.At, m.Stage, m.Tip})
		}
		out.Tracks = append(out.Tracks, row)
	}
	for _, l := range t.Legend {
		out.Legend = append(out.Legend, FollowLegend{spanKinds[l.Kind], l.Text})
	}
	x.Timeline = out
}

// A run ends after mostFound findings. The first mostFindings of different lines of the program are shown.
const (
	mostFound    = 1 << 13
	mostFindings = 20
)

// findings adds the findings of the run. Those about instructions of the same lines of the program are one: a loop that
// is unrolled has many.
func (x *followed) findings() {
	type pair struct {
		kind            sim.Kind
		op              ptx.Op
		source, earlier string
	}
	sources := make(map[int32]string) // of the lines of the PTX
	for _, l := range x.result.Lines {
		sources[int32(l.Line)] = l.Source
	}
	var firsts []*sim.Finding
	more := make(map[pair]int)
	pairOf := func(f *sim.Finding) pair {
		p := pair{f.Kind, f.Op, f.Source, sources[f.Other.Line]}
		if f.Source == "" || f.Other.Line > 0 && p.earlier == "" { // the program is the PTX
			p.source, p.earlier = fmt.Sprint(f.Pos.Line), fmt.Sprint(f.Other.Line)
		}
		return p
	}
	for _, f := range x.result.Findings {
		if p := pairOf(f); more[p] > 0 || len(firsts) < mostFindings {
			if more[p]++; more[p] == 1 {
				firsts = append(firsts, f)
			}
		}
	}
	lines := strings.SplitAfter(x.ptx, "\n")
	for _, f := range firsts {
		one := FollowFinding{SimFinding: simFinding(f, lines)}
		if n := more[pairOf(f)]; n > 1 {
			one.Message += fmt.Sprintf(" (%d more findings are about the same lines of the program)", n-1)
		}
		for _, e := range x.result.Events {
			if e.Kind == sim.EventFound && e.Line == one.Line && e.Finding == f.Kind {
				one.Time = e.Time
			}
		}
		x.Findings = append(x.Findings, one)
	}
}

// sources adds the lines of the PTX, and the lines of the source that the run executed.
func (x *followed) sources() {
	ptx := FollowSource{Lang: "ptx", Name: x.Name + ".ptx"}
	for i, text := range strings.Split(strings.TrimSuffix(x.ptx, "\n"), "\n") {
		ptx.Lines = append(ptx.Lines, FollowLine{Line: i + 1, Text: strings.TrimRight(text, " \t")})
	}
	others := map[string]map[int]*FollowLine{}
	line := func(n int) *FollowLine { // of the PTX
		if n < 1 || n > len(ptx.Lines) {
			return new(FollowLine)
		}
		return &ptx.Lines[n-1]
	}
	other := func(source string) *FollowLine {
		file, n, ok := sourceLine(source)
		if !ok {
			return new(FollowLine)
		}
		if others[file] == nil {
			others[file] = map[int]*FollowLine{}
		}
		if others[file][n] == nil {
			others[file][n] = &FollowLine{Line: n}
		}
		return others[file][n]
	}
	for _, l := range x.result.Lines {
		line(l.Line).add(l)
		other(l.Source).add(l)
	}
	for i := range x.Hops {
		for _, n := range x.Hops[i].Lines {
			line(n).Hops = append(line(n).Hops, i)
		}
		o := other(x.Hops[i].Source)
		o.Hops = append(o.Hops, i)
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		s := FollowSource{Lang: langOf(name), Name: name, Lines: x.sourceLines(name, others[name])}
		heat(s.Lines)
		x.Sources = append(x.Sources, s)
	}
	heat(ptx.Lines)
	x.Sources = append(x.Sources, ptx)
}

// sourceLines returns the lines of a source file: all lines with their text, if it is a kernel of package examples,
// otherwise those that did something.
func (x *followed) sourceLines(name string, ran map[int]*FollowLine) (out []FollowLine) {
	var text []string
	if x.Options != nil {
		text = listing.Lines(name)
	}
	for i, t := range text {
		if ran[i+1] == nil {
			ran[i+1] = &FollowLine{Line: i + 1}
		}
		ran[i+1].Text = t
	}
	for _, n := range slices.Sorted(maps.Keys(ran)) {
		out = append(out, *ran[n])
	}
	return out
}

// add adds what a line of PTX did.
func (l *FollowLine) add(c sim.LineCount) {
	l.Count += c.Warps
	l.Sectors += c.Traffic.Sectors + c.Traffic.Bulk/32
	l.Wavefronts += c.Traffic.Wavefronts
	l.Excess += c.Traffic.Conflicts
	if fewest := (c.Traffic.Bytes + banks.SectorBytes - 1) / banks.SectorBytes; c.Traffic.Sectors > fewest {
		l.Excess += c.Traffic.Sectors - fewest
	}
}

// heat sets the shares of lines.
func heat(lines []FollowLine) {
	most := int64(1)
	for _, l := range lines {
		most = max(most, l.Sectors+l.Wavefronts)
	}
	for i := range lines {
		l := &lines[i]
		l.Hot = float64((l.Sectors+l.Wavefronts)*100/most) / 100
	}
}

// sourceLine splits "sgemm_1.go:57"; of an inlined line it is the innermost one.
func sourceLine(text string) (file string, line int, ok bool) {
	text, _, _ = strings.Cut(text, ",")
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	return text[:i], n, err == nil
}

// langOf names the language of a source file.
func langOf(name string) string {
	switch i := strings.LastIndexByte(name, '.'); name[max(i, 0):] {
	case ".go":
		return "go"
	case ".py":
		return "python"
	}
	return "cpp"
}
