package term

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// The kinds of an event of an axis. An event without any kind is the anchor of a text.
const (
	isEdge  = 1 << iota // an edge of a rectangle, or a straight line; pages may be cut there
	isLined             // a stroke runs along it, so it has its own cell
	isEnd               // the end of a slanted line or curve
	isText              // a text is anchored there
)

// tolerance is how far apart two coordinates of one event may be, in points.
const tolerance = 0.75

// far is the largest coordinate that is used, in points.
const far = 1e7

// An axis maps the distinct coordinates of a scene in one direction, its events, to the cells of a terminal.
//
// Positions are in half cells, so that a text can be centered over an even or an odd number of cells. They grow with
// the coordinates. Edges are at whole cells; a lined edge occupies the cell that begins at its position. Bounds
// between events require pos[to] >= pos[from] + gap. The smallest positions that satisfy all bounds are longest
// paths, and one pass finds them, because bounds only lead forward. Then each event other than an edge moves towards
// its proportional place between the surrounding edges, as far as the bounds allow.
type axis struct {
	at     []float64 // coordinates of the events, in points, ascending
	kind   []uint8
	pos    []int // the positions of the events, in half cells
	bounds []bound
	first  []int // bounds[first[i]:first[i+1]] are the bounds of event i
	least  []int // the least positions of the events; nil if all are 0
	shift  int   // cells added so that the first cell is 0
}

// move moves all events by whole cells.
func (a *axis) move(cells int) {
	for i := range a.pos {
		a.pos[i] += 2 * cells
	}
}

// A bound is the least distance between two events, in half cells.
type bound struct{ from, to, gap int }

// A mark is a coordinate that becomes part of an event.
type mark struct {
	at   float64
	kind uint8
}

// newAxis merges marks that are close to each other into events.
func newAxis(marks []mark) *axis {
	sort.Slice(marks, func(i, j int) bool { return marks[i].at < marks[j].at })
	a := &axis{}
	for _, m := range marks {
		n := len(a.at)
		if n == 0 || m.at > a.at[n-1]+tolerance {
			a.at = append(a.at, m.at)
			a.kind = append(a.kind, m.kind)
			continue
		}
		a.kind[n-1] |= m.kind
	}
	return a
}

// event returns the event of a marked coordinate.
func (a *axis) event(v float64) int {
	return max(sort.Search(len(a.at), func(i int) bool { return a.at[i] > v })-1, 0)
}

// has reports whether event i has a kind.
func (a *axis) has(i int, kind uint8) bool { return a.kind[i]&kind != 0 }

// line returns the width of the line along an event in half cells: 2 or 0.
func (a *axis) line(i int) int {
	if a.has(i, isLined) {
		return 2
	}
	return 0
}

// keep adds a bound, unless it would lead backward.
func (a *axis) keep(from, to, gap int) {
	if from < to {
		a.bounds = append(a.bounds, bound{from, to, gap})
	}
}

// solve places the events.
func (a *axis) solve() {
	n := len(a.at)
	compare := func(p, q bound) int {
		return cmp.Or(cmp.Compare(p.to, q.to), cmp.Compare(p.from, q.from), cmp.Compare(q.gap, p.gap))
	}
	sort.Slice(a.bounds, func(i, j int) bool { return compare(a.bounds[i], a.bounds[j]) < 0 })
	a.bounds = slices.CompactFunc(a.bounds, func(p, q bound) bool { return p.to == q.to && p.from == q.from })
	a.first = make([]int, n+1)
	for _, b := range a.bounds {
		a.first[b.to+1]++
	}
	for i := range n {
		a.first[i+1] += a.first[i]
	}
	a.pos = make([]int, n)
	for i := range n {
		a.pos[i] = a.earliest(i)
		if a.has(i, isEdge) {
			a.pos[i] += a.pos[i] & 1
		}
	}
	a.center()
}

// earliest returns the least position of an event that the bounds from the events before it allow.
func (a *axis) earliest(i int) int {
	p := 0
	if a.least != nil {
		p = a.least[i]
	}
	if i > 0 {
		p = max(p, a.pos[i-1]+a.line(i-1))
	}
	for _, b := range a.bounds[a.first[i]:a.first[i+1]] {
		p = max(p, a.pos[b.from]+b.gap)
	}
	return p
}

// spread moves events as close to the positions in want as the bounds allow. No event moves beyond end.
func (a *axis) spread(want []int, end int) {
	late := make([]int, len(a.pos))
	for i := range late {
		late[i] = end
	}
	for i := len(late) - 1; i >= 0; i-- {
		if i+1 < len(late) {
			late[i] = min(late[i], late[i+1]-a.line(i))
		}
		if a.has(i, isEdge) {
			late[i] -= late[i] & 1
		}
		for _, b := range a.bounds[a.first[i]:a.first[i+1]] {
			late[b.from] = min(late[b.from], late[i]-b.gap)
		}
	}
	for i := range a.pos {
		p := max(a.earliest(i), min(want[i], late[i]))
		if a.has(i, isEdge) {
			p += p & 1
		}
		a.pos[i] = p
	}
}

// center moves the events that are not edges to their proportional places between the edges.
func (a *axis) center() {
	n := len(a.at)
	late := make([]int, n)
	for i := range late {
		late[i] = math.MaxInt
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			late[i] = min(late[i], late[i+1])
		}
		if a.has(i, isEdge) || late[i] == math.MaxInt {
			late[i] = a.pos[i]
		}
		for _, b := range a.bounds[a.first[i]:a.first[i+1]] {
			late[b.from] = min(late[b.from], late[i]-b.gap)
		}
	}
	next := a.nextEdge()
	left := -1
	for i := range n {
		if a.has(i, isEdge) {
			left = i
			continue
		}
		right := next[i]
		want := a.pos[i]
		if left >= 0 && right < n {
			from := a.pos[left] + a.line(left)
			t := (a.at[i] - a.at[left]) / (a.at[right] - a.at[left])
			want = from + int(math.Round(t*float64(a.pos[right]-from)))
		}
		a.pos[i] = max(min(want, late[i]), a.earliest(i))
	}
}

// nextEdge returns the first edge at or after each event, and after the last event. If there is no such edge, the
// entry is the number of events.
func (a *axis) nextEdge() []int {
	n := len(a.at)
	next := make([]int, n+1)
	next[n] = n
	for i := n - 1; i >= 0; i-- {
		next[i] = next[i+1]
		if a.has(i, isEdge) {
			next[i] = i
		}
	}
	return next
}

// cell returns the cell of an edge. For other events it returns the cell of a line along the event, which is also
// the cell of a text anchored there.
//
//go:noinline
func (a *axis) cell(i int) int {
	if a.has(i, isEdge) || !a.has(i, isText) {
		return a.pos[i]>>1 + a.shift
	}
	return (a.pos[i]-1)>>1 + a.shift
}

// place returns the place of a coordinate in cells, interpolated between the events around it. Beyond the first and
// the last event, size points are a cell.
func (a *axis) place(v, size float64) float64 {
	n := len(a.at)
	if n == 0 {
		return v / size
	}
	i := sort.Search(n, func(i int) bool { return a.at[i] > v })
	switch {
	case i == 0:
		return a.middle(0) + (v-a.at[0])/size
	case i == n:
		if v <= a.at[n-1]+tolerance {
			return a.middle(n - 1)
		}
		return a.middle(n-1) + (v-a.at[n-1])/size
	case v <= a.at[i-1]+tolerance:
		return a.middle(i - 1)
	}
	p, q := a.middle(i-1), a.middle(i)
	return p + (q-p)*(v-a.at[i-1])/(a.at[i]-a.at[i-1])
}

// middle returns the middle of an event in cells.
func (a *axis) middle(i int) float64 {
	switch {
	case a.has(i, isLined), a.has(i, isText) && !a.has(i, isEdge):
		return float64(a.cell(i)) + 0.5
	}
	return float64(a.pos[i])/2 + float64(a.shift)
}
