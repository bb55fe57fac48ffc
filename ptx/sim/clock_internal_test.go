package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// clockWorld contains warps of several teams and, to compare with clocks, the set of events that each warp knows.
type clockWorld struct {
	grid   *grid
	warps  []*warp
	events []moment
	known  []map[int]bool // by warp: the numbers of the events that it knows
	points []clock
	said   []map[int]bool // by point: the numbers of the events that were released to it
}

func newClockWorld(teams, each int) *clockWorld {
	x := &clockWorld{grid: &grid{block: Dim{each * lanes, 1, 1}}}
	for n := range teams {
		c := &cluster{grid: x.grid, blocks: make([]*block, 1)}
		c.begin(n)
		b := &block{grid: x.grid, cluster: c}
		for range each {
			w := &warp{block: b}
			b.warps = append(b.warps, w)
			w.join(&c.team)
			x.warps = append(x.warps, w)
			x.known = append(x.known, map[int]bool{})
		}
	}
	for i := range 6 {
		x.points = append(x.points, clock{team: uint32(i % teams)})
		x.said = append(x.said, map[int]bool{})
	}
	return x
}

// step makes a random step: an event, a release to a point, or an acquire from a point.
func (x *clockWorld) step(t *rapid.T) {
	i := rapid.IntRange(0, len(x.warps)-1).Draw(t, "warp")
	w := x.warps[i]
	p := rapid.IntRange(0, len(x.points)-1).Draw(t, "point")
	switch rapid.IntRange(0, 2).Draw(t, "what") {
	case 0:
		x.known[i][len(x.events)] = true
		x.events = append(x.events, w.event())
	case 1:
		w.release(&x.points[p])
		for e := range x.known[i] {
			x.said[p][e] = true
		}
	case 2:
		w.acquire(&x.points[p])
		for e := range x.said[p] {
			x.known[i][e] = true
		}
	}
}

// TestClocks compares clocks with the sets of events that they represent.
func TestClocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := newClockWorld(rapid.IntRange(1, 4).Draw(t, "teams"), rapid.IntRange(1, 3).Draw(t, "warps"))
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			x.step(t)
			for i, w := range x.warps {
				for e, m := range x.events {
					if got := w.knows(m); got != x.known[i][e] {
						t.Fatalf("warp %d of team %d: event %d, %+v, is known: %v, want %v",
							w.actor, w.clock.team, e, m, got, x.known[i][e])
					}
				}
			}
		}
	})
}

// TestManyClocks checks that clocks of more than maxFar teams know every event that they should; they may know more.
func TestManyClocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := newClockWorld(maxFar+9, 1)
		x.points, x.said = x.points[:1], x.said[:1]
		for i, w := range x.warps { // each warp has an event, and may acquire the events that earlier warps released
			x.known[i][len(x.events)] = true
			x.events = append(x.events, w.event())
			if rapid.Bool().Draw(t, "acquires") {
				w.acquire(&x.points[0])
				for e := range x.said[0] {
					x.known[i][e] = true
				}
			}
			w.release(&x.points[0])
			for e := range x.known[i] {
				x.said[0][e] = true
			}
		}
		for range 20 {
			x.step(t)
		}
		for i, w := range x.warps {
			for e, m := range x.events {
				if x.known[i][e] && !w.knows(m) {
					t.Fatalf("warp %d does not know event %d", i, e)
				}
			}
		}
	})
}
