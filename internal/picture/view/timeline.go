package view

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"girih/internal/picture/draw"
)

// A SpanKind is the state of a track during a span.
type SpanKind uint8

// The states of a track.
const (
	SpanRun   SpanKind = iota // SpanRun: a warp executes, or may.
	SpanWait                  // SpanWait: a warp waits.
	SpanFill                  // SpanFill: bytes are on their way, or arrivals at a barrier are missing.
	SpanReady                 // SpanReady: data that arrived may be used.
	SpanDrain                 // SpanDrain: an asynchronous operation reads.
	SpanMark                  // SpanMark: a moment, in legends only.
)

// A Span is a time during which a track has one state.
type Span struct {
	From, To int64
	Kind     SpanKind
	Stage    int    // the pipeline stage, shown as a color; -1 for none
	Text     string // shown if there is room
	Tip      string
}

// A Mark is one moment of a track.
type Mark struct {
	At    int64
	Stage int // the pipeline stage; -1 for none
	Tip   string
}

// A Track is a row of a timeline.
type Track struct {
	Group string // the common name of consecutive tracks
	Name  string
	Spans []Span // the spans in order, without overlaps
	Marks []Mark
}

// A Timeline shows what happens to several things over the same time, such as the warps, stages and barriers
// of a pipeline.
type Timeline struct {
	Title  string
	Unit   string // the unit of the time
	Begin  int64
	End    int64
	Tracks []Track
	Legend []Legend // the legend below the tracks
}

// A Legend explains a fill.
type Legend struct {
	Kind SpanKind
	Text string
}

// The sizes of a timeline, in points.
const (
	timeWide   = 900.0 // the width of the time from Begin to End, in points
	trackHigh  = 20.0
	trackGap   = 4.0
	groupGap   = 22.0
	timeTicks  = 8
	markWide   = 3.5
	maxTracks  = 96
	timelineIn = 14.0 // the margin inside the timeline, in points
)

// Scene draws tracks below each other over one time axis. It returns an error for more than 96 tracks.
func (t Timeline) Scene(o Options) (*draw.Scene, error) {
	if len(t.Tracks) > maxTracks {
		return nil, fmt.Errorf("%d tracks, and a picture has room for %d", len(t.Tracks), maxTracks)
	}
	if t.End <= t.Begin {
		t.End = t.Begin + 1
	}
	p := &timePainter{Timeline: t, theme: o.theme()}
	names := draw.TextWidth(t.Unit+" 0000", textSize-1) // half of the first time label is left of the axis
	for _, x := range t.Tracks {
		names = max(names, draw.TextWidth(x.Name, textSize))
	}
	p.left = timelineIn + names + 10
	y := timelineIn + 28
	group := ""
	rows := make([]float64, len(t.Tracks))
	for i, x := range t.Tracks {
		if x.Group != group {
			group = x.Group
			y += groupGap
		}
		rows[i] = y
		y += trackHigh + trackGap
	}
	bottom := y
	y += 24 + 24*float64(p.legendLines())
	s := draw.New(p.left+timeWide+timelineIn, y+timelineIn)
	s.Background = p.theme.Paper
	s.Title = firstNonEmpty(o.Title, t.Title)
	p.scene = s
	p.text(s.Title, timelineIn, timelineIn+8, draw.Style{Fill: p.theme.Ink, Size: textSize + 2, Bold: true})
	p.axis(timelineIn+28+groupGap-8, bottom)
	group = ""
	for i, x := range t.Tracks {
		if x.Group != group {
			group = x.Group
			p.text(group, timelineIn, rows[i]-10, draw.Style{Fill: p.theme.Soft, Size: textSize, Bold: true})
		}
		p.track(x, rows[i])
	}
	p.legend(bottom + 24)
	s.Desc = p.describe()
	return s, nil
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// A timePainter paints one timeline.
type timePainter struct {
	Timeline
	theme *draw.Theme
	scene *draw.Scene
	left  float64
}

func (p *timePainter) text(text string, x, y float64, st draw.Style) {
	p.scene.Text(p.scene.Intern(st), x, y, text)
}

// x returns the x of a time.
func (p *timePainter) x(at int64) float64 {
	at = min(max(at, p.Begin), p.End)
	return p.left + timeWide*float64(at-p.Begin)/float64(p.End-p.Begin)
}

// axis paints the time labels and a rule at each.
func (p *timePainter) axis(top, bottom float64) {
	step := roundStep((p.End - p.Begin) / timeTicks)
	rule := p.scene.Intern(draw.Style{Stroke: p.theme.Rule, Width: 0.5, Dash: 2})
	label := p.scene.Intern(draw.Style{Fill: p.theme.Soft, Size: textSize - 1, Anchor: draw.Middle})
	for at := (p.Begin + step - 1) / step * step; at <= p.End; at += step {
		x := p.x(at)
		p.scene.Line(rule, x, top, x, bottom)
		p.scene.Text(label, x, bottom+10, strconv.FormatInt(at, 10))
	}
	p.text(p.Unit, timelineIn, bottom+10, draw.Style{Fill: p.theme.Soft, Size: textSize - 1})
}

// roundStep returns the smallest of 1, 2, 5, 10, 20, ... that is at least n.
func roundStep(n int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, k := range []int64{1, 2, 5} {
			if k*unit >= n {
				return k * unit
			}
		}
	}
}

// fill returns the color of a span.
func (p *timePainter) fill(k SpanKind, stage int) draw.Color {
	hue := p.theme.Soft
	if stage >= 0 {
		hue = p.theme.Hue(int64(stage))
	}
	switch k {
	case SpanRun:
		return draw.Mix(p.theme.Paper, p.theme.Ink, 0.22)
	case SpanWait:
		return draw.Mix(p.theme.Paper, hue, 0.35)
	case SpanFill:
		return draw.Mix(p.theme.Paper, hue, 0.5)
	case SpanDrain:
		return draw.Mix(hue, p.theme.Ink, 0.25)
	}
	return hue
}

func (p *timePainter) track(t Track, y float64) {
	p.text(t.Name, p.left-8, y+trackHigh/2, draw.Style{Fill: p.theme.Ink, Size: textSize, Anchor: draw.Finish})
	for _, sp := range t.Spans {
		x1, x2 := p.x(sp.From), p.x(sp.To)
		if sp.To < p.Begin || sp.From > p.End {
			continue
		}
		high, down := trackHigh, 0.0
		if sp.Kind == SpanWait { // lower, so that it is recognizable without colors
			high, down = trackHigh*0.4, trackHigh*0.3
		}
		fill := p.fill(sp.Kind, sp.Stage)
		st := draw.Style{Fill: fill, Stroke: draw.Mix(fill, p.theme.Ink, 0.35), Width: 0.6}
		if sp.Kind == SpanFill {
			st.Dash = 2
		}
		r := p.scene.Rect(p.scene.Intern(st), x1, y+down, max(x2-x1, 0.8), high)
		r.Tip = sp.Tip
		if sp.Text != "" && draw.TextWidth(sp.Text, textSize-2)+4 <= x2-x1 {
			p.text(sp.Text, (x1+x2)/2, y+trackHigh/2, draw.Style{Fill: draw.InkOn(fill), Size: textSize - 2, Anchor: draw.Middle})
		}
	}
	for _, m := range t.Marks {
		if m.At < p.Begin || m.At > p.End {
			continue
		}
		fill := p.theme.Ink
		if m.Stage >= 0 {
			fill = p.theme.Hue(int64(m.Stage))
		}
		p.mark(fill, p.x(m.At), y-1).Tip = m.Tip
	}
}

// mark paints a downward triangle whose top is at y.
func (p *timePainter) mark(fill draw.Color, x, y float64) *draw.Shape {
	st := p.scene.Intern(draw.Style{Fill: fill, Stroke: p.theme.Ink, Width: 0.6})
	return p.scene.Path(st,
		draw.Step{Verb: draw.Move, X: x - markWide, Y: y}, draw.Step{Verb: draw.To, X: x + markWide, Y: y},
		draw.Step{Verb: draw.To, X: x, Y: y + 2*markWide + 1}, draw.Step{Verb: draw.Close})
}

// legendLines returns how many lines the legend takes.
func (p *timePainter) legendLines() int {
	lines := 0
	p.placeLegend(func(_ int, _, y float64) { lines = int(y) + 1 })
	return lines
}

// placeLegend calls at with the place of each entry of the legend: points from the left, and lines.
func (p *timePainter) placeLegend(at func(i int, x, line float64)) {
	x, line := 0.0, 0.0
	for i, l := range p.Legend {
		w := 30 + draw.TextWidth(l.Text, textSize-1) + 16
		if x > 0 && x+w > p.left+timeWide-timelineIn {
			x, line = 0, line+1
		}
		at(i, x, line)
		x += w
	}
}

func (p *timePainter) legend(y float64) {
	p.placeLegend(func(i int, x, line float64) {
		l := p.Legend[i]
		x, y := timelineIn+x, y+24*line
		p.text(l.Text, x+30, y+6, draw.Style{Fill: p.theme.Soft, Size: textSize - 1})
		if l.Kind == SpanMark {
			p.mark(p.theme.Hue(0), x+8, y+2)
			p.mark(p.theme.Ink, x+18, y+2)
			return
		}
		high, down := 12.0, 0.0
		if l.Kind == SpanWait {
			high, down = 5, 3.5
		}
		fill := p.fill(l.Kind, 0)
		if l.Kind == SpanRun {
			fill = p.fill(l.Kind, -1)
		}
		st := draw.Style{Fill: fill, Stroke: draw.Mix(fill, p.theme.Ink, 0.35), Width: 0.6}
		if l.Kind == SpanFill {
			st.Dash = 2
		}
		p.scene.Rect(p.scene.Intern(st), x, y+down, 24, high)
	})
}

// describe describes the picture in words.
func (p *timePainter) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "A timeline from %d to %d %s.", p.Begin, p.End, p.Unit)
	for _, t := range p.Tracks {
		waits, n := int64(0), 0
		for _, s := range t.Spans {
			if s.Kind == SpanWait {
				waits += s.To - s.From
				n++
			}
		}
		if n > 0 {
			fmt.Fprintf(&b, " %s waits %d times, %d in all.", t.Name, n, waits)
		}
	}
	return b.String()
}

// Sort sorts the spans and marks of all tracks by time.
func (t *Timeline) Sort() {
	for _, k := range t.Tracks {
		sort.SliceStable(k.Spans, func(i, j int) bool { return k.Spans[i].From < k.Spans[j].From })
		sort.SliceStable(k.Marks, func(i, j int) bool { return k.Marks[i].At < k.Marks[j].At })
	}
}
