package needless

import (
	"math/rand/v2"
	"testing"

	"girih/internal/machine/chain"
)

// randomLog returns a log with a few events of three warps, which have two lanes each and belong to two blocks, and a
// pair of accesses.
func randomLog(r *rand.Rand, kinds []chain.Kind, events int) (*chain.Log, chain.Pair) {
	l := &chain.Log{
		Sites: make([]chain.Site, 1), Ops: []chain.Op{{}, {Group: 3, Step: 1}},
		Warps: []chain.Warp{{Block: 1, Cluster: 1}, {Block: 1, Cluster: 1}, {Block: 2, Cluster: 1}},
	}
	flip := func() bool { return r.IntN(2) == 0 }
	phase := int32(0) // the numbers of phases and values must grow
	for range events {
		if r.IntN(4) == 0 {
			phase++
		}
		e := chain.Event{
			Kind: kinds[r.IntN(len(kinds))], Scope: uint8(r.IntN(3)), Relaxed: r.IntN(3) == 0, Warp: int32(r.IntN(3)),
			Lanes: uint32(1 + r.IntN(3)), Object: int32(1 + r.IntN(2)), Phase: phase, Of: int32(r.IntN(3)),
		}
		if e.Kind == chain.MbarrierWait || e.Kind == chain.ClusterWait {
			e.Phase += int32(r.IntN(2))
		}
		if e.Kind == chain.ProxyFence {
			e.Phase = 1 + int32(r.IntN(3))
		}
		if e.Kind == chain.Meet {
			e.Lanes = 3
		}
		if e.Kind == chain.Read {
			e.Of = int32(r.IntN(len(l.Events)+1)) - 1
		}
		l.Events = append(l.Events, e)
	}
	p := chain.Pair{
		A: chain.Access{Warp: int32(r.IntN(3)), Lane: uint8(r.IntN(2)), Write: true, Strong: r.IntN(4) == 0, Scope: chain.GPU},
		B: chain.Access{Warp: int32(r.IntN(3)), Lane: uint8(r.IntN(2)), Time: int32(events), Async: r.IntN(4) == 0},
	}
	p.A.Time = int32(r.IntN(2))
	if p.Space = chain.SharedSpace; r.IntN(4) == 0 {
		p.Space = chain.GlobalSpace
	}
	if r.IntN(4) == 0 {
		p.A.Op, p.A.Write, p.A.Strong = 1, flip(), false
	}
	if r.IntN(8) == 0 {
		p.B.Map, p.B.Async = 1, true
	}
	return l, p
}

// TestFind compares the search with all chains that Check accepts.
func TestFind(t *testing.T) {
	t.Parallel()
	var kinds []chain.Kind
	for k := chain.Meet; k <= chain.Exit; k++ {
		kinds = append(kinds, k)
	}
	kinds = append(kinds, chain.Write, chain.Read, chain.Write, chain.Read, chain.Fence)
	kinds = append(kinds, chain.MbarrierArrive, chain.MbarrierWait)
	const events = 9
	ordered := 0
	for seed := range uint64(4000) {
		l, p := randomLog(rand.New(rand.NewPCG(seed, 1)), kinds, events)
		any := false
		for set := 0; set < 1<<events && !any; set++ {
			var c []int32
			for i := range int32(events) {
				if set>>i&1 == 1 {
					c = append(c, i)
				}
			}
			any = l.Check(p, c) == nil
		}
		c, _, ok := find(l, p)
		if ok != any {
			t.Fatalf("seed %d: found %v %v, and Check accepts a chain: %v\n%+v\n%+v", seed, ok, c, any, p, l.Events)
		}
		if ok {
			ordered++
			if err := l.Check(p, c); err != nil {
				t.Fatalf("seed %d: %v: %v\n%+v\n%+v", seed, c, err, p, l.Events)
			}
		}
	}
	if ordered < 400 {
		t.Errorf("only %d pairs are ordered", ordered)
	}
}

// A node is the part of a lane's execution that begins at an event.
type node struct{ event, warp, lane int }

// reaches decides by plain graph search whether a pair is ordered: edges lead from each lane to its next event, between
// lanes that meet, and from arrivals to waits and from releases to acquires.
func reaches(l *chain.Log, p chain.Pair) bool {
	seen := map[node]bool{}
	var from func(n node) bool
	from = func(n node) bool {
		if seen[n] {
			return false
		}
		seen[n] = true
		if n.event == int(p.B.Time) {
			return n.warp == int(p.B.Warp) && n.lane == int(p.B.Lane)
		}
		next := node{n.event + 1, n.warp, n.lane}
		if from(next) {
			return true
		}
		e := l.Events[n.event]
		if int(e.Warp) != n.warp || e.Lanes>>n.lane&1 == 0 {
			return false
		}
		if e.Kind == chain.Meet {
			return from(node{n.event + 1, n.warp, 0}) || from(node{n.event + 1, n.warp, 1})
		}
		for k := n.event + 1; k < int(p.B.Time); k++ {
			f := l.Events[k]
			joined := e.Object == f.Object && (e.Kind == chain.BarrierArrive && f.Kind == chain.BarrierWait &&
				e.Phase == f.Phase ||
				e.Kind == chain.MbarrierArrive && f.Kind == chain.MbarrierWait && e.Phase < f.Phase ||
				e.Kind == chain.Write && f.Kind == chain.Read && e.Phase == f.Phase &&
					(min(e.Scope, f.Scope) > chain.CTA || l.Warps[e.Warp].Block == l.Warps[f.Warp].Block))
			for lane := range 2 {
				if joined && from(node{k + 1, int(f.Warp), lane}) {
					return true
				}
			}
		}
		return false
	}
	return from(node{int(p.A.Time), int(p.A.Warp), int(p.A.Lane)})
}

// TestReachability compares the search with plain graph search, on logs without fences and proxies.
func TestReachability(t *testing.T) {
	t.Parallel()
	kinds := []chain.Kind{
		chain.Meet, chain.BarrierArrive, chain.BarrierWait, chain.MbarrierArrive, chain.MbarrierWait, chain.Write, chain.Read,
	}
	ordered := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 2))
		l, p := randomLog(r, kinds, 8+r.IntN(30))
		for i := range l.Events {
			l.Events[i].Relaxed = false
		}
		p.A = chain.Access{Warp: p.A.Warp, Lane: p.A.Lane, Write: true, Time: p.A.Time}
		p.B = chain.Access{Warp: p.B.Warp, Lane: p.B.Lane, Time: p.B.Time}
		p.Space = chain.SharedSpace
		c, _, ok := find(l, p)
		if want := reaches(l, p); ok != want {
			t.Fatalf("seed %d: found %v %v, reachable %v\n%+v\n%+v", seed, ok, c, want, p, l.Events)
		}
		if ok {
			ordered++
		}
	}
	if ordered < 5000 || ordered > 19000 {
		t.Errorf("%d pairs are ordered", ordered)
	}
}
