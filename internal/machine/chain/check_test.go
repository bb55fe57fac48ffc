package chain_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/machine/chain"
)

// message is two warps of two blocks: st [data]; fence; st.relaxed [flag] and ld.relaxed [flag]; fence; ld [data].
func message() (*chain.Log, chain.Pair, []int32) {
	l := &chain.Log{
		Sites: make([]chain.Site, 8),
		Warps: []chain.Warp{{Block: 1, Cluster: 1}, {Block: 2, Cluster: 1}, {Block: 1, Cluster: 1}},
		Ops:   make([]chain.Op, 2),
		Events: []chain.Event{
			{Kind: chain.Fence, Scope: chain.GPU, Lanes: 1},
			{Kind: chain.Write, Scope: chain.GPU, Lanes: 1, Object: 1, Relaxed: true},
			{Kind: chain.Read, Scope: chain.GPU, Warp: 1, Lanes: 2, Object: 1, Relaxed: true, Of: 1},
			{Kind: chain.Fence, Scope: chain.GPU, Warp: 1, Lanes: 2},
		},
	}
	p := chain.Pair{
		A: chain.Access{Write: true}, B: chain.Access{Warp: 1, Lane: 1, Time: 4}, Space: chain.SharedSpace, Count: 1,
	}
	return l, p, []int32{0, 1, 2, 3}
}

// TestBroken breaks a chain that holds, in each way, and asks that Check refuses it.
func TestBroken(t *testing.T) {
	t.Parallel()
	if l, p, c := message(); l.Check(p, c) != nil {
		t.Fatal(l.Check(p, c))
	}
	for name, break1 := range map[string]func(l *chain.Log, p *chain.Pair, c *[]int32){
		"no first fence":    func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = []int32{1, 2, 3} },
		"no last fence":     func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = []int32{0, 1, 2} },
		"nobody reads":      func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = []int32{0, 1} },
		"nothing":           func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = nil },
		"order":             func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = []int32{1, 0, 2, 3} },
		"twice":             func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = []int32{0, 0, 1, 2, 3} },
		"no such event":     func(_ *chain.Log, _ *chain.Pair, c *[]int32) { *c = []int32{-1, 0, 1, 2, 3} },
		"before the access": func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.A.Time = 1 },
		"after the access":  func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.B.Time = 3 },
		"other lane":        func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.A.Lane = 3 },
		"other warp":        func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.B.Warp = 2 },
		"fence elsewhere":   func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[0].Warp = 2 },
		"fence of a lane":   func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[0].Lanes = 2 },
		"other lane ends":   func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.B.Lane = 5 },
		"other word":        func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[2].Object = 9 },
		"other value":       func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[2].Phase = 1 },
		"scope of write":    func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[1].Scope = chain.CTA },
		"scope of read":     func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[2].Scope = chain.CTA },
		"scope of fence":    func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[0].Scope = chain.CTA },
		"scope of last":     func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[3].Scope = chain.CTA },
		"wrong end":         func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[2].Kind = chain.BarrierWait },
		"async":             func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.B.Async = true },
		"map":               func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.B.Map = 7 },
		"operation":         func(_ *chain.Log, p *chain.Pair, _ *[]int32) { p.A.Op = 1 },
		"meets nobody":      func(l *chain.Log, _ *chain.Pair, _ *[]int32) { l.Events[0].Kind = chain.Meet },
		"proxy instead": func(l *chain.Log, _ *chain.Pair, _ *[]int32) {
			l.Events[0].Kind, l.Events[0].Phase = chain.ProxyFence, int32(chain.SharedSpace)
		},
	} {
		l, p, c := message()
		break1(l, &p, &c)
		if l.Check(p, c) == nil {
			t.Errorf("%s: the chain is accepted", name)
		}
	}
}

// TestRows tries each row with the phases that fit and with phases that do not.
func TestRows(t *testing.T) {
	t.Parallel()
	for _, r := range chain.Rows() {
		for give := range int32(3) {
			for take := range int32(3) {
				l, p, _ := message()
				l.Events = []chain.Event{
					{Kind: r.Give, Scope: chain.GPU, Lanes: 1, Object: 1, Phase: give, Of: 1},
					{Kind: r.Take, Scope: chain.GPU, Warp: 1, Lanes: 1, Object: 1, Phase: take, Of: 1},
				}
				if p.B.Time = 2; r.Give == chain.Complete {
					p.A.Op = 1
				}
				want := give == take || r.Give == chain.Exit
				if r.Take == chain.MbarrierWait || r.Take == chain.ClusterWait {
					want = give < take
				}
				if err := l.Check(p, []int32{0, 1}); (err == nil) != want {
					t.Errorf("%s, phase %d given and %d taken: %v", r.Name, give, take, err)
				}
				if l.Events[1].Object, l.Events[1].Of = 2, 2; l.Check(p, []int32{0, 1}) == nil {
					t.Errorf("%s: an edge between two objects", r.Name)
				}
			}
		}
	}
}

// TestOperations completes an asynchronous operation in each way.
func TestOperations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e     chain.Event
		write bool
		lane  uint8
		want  string
	}{
		{chain.Event{Kind: chain.Finish, Lanes: 2, Of: 1}, true, 1, ""},
		{chain.Event{Kind: chain.Finish, Lanes: 2, Of: 1}, true, 0, "does not complete"},
		{chain.Event{Kind: chain.Finish, Lanes: 2, Of: 2}, true, 1, "does not complete"},
		{chain.Event{Kind: chain.FinishReads, Lanes: 2, Of: 1}, true, 1, "does not complete"},
		{chain.Event{Kind: chain.FinishReads, Lanes: 2, Of: 1}, false, 1, ""},
		{chain.Event{Kind: chain.Retire, Lanes: 2, Object: 5, Phase: 4}, false, 1, ""},
		{chain.Event{Kind: chain.Retire, Lanes: 2, Object: 5, Phase: 3}, false, 1, "does not complete"},
		{chain.Event{Kind: chain.Retire, Lanes: 2, Object: 6, Phase: 4}, false, 1, "does not complete"},
		{chain.Event{Kind: chain.Complete, Lanes: 2, Of: 1}, true, 1, "nobody waits"},
		{chain.Event{Kind: chain.Meet, Lanes: 2}, true, 1, "does not complete"},
	} {
		l := &chain.Log{
			Sites: make([]chain.Site, 1), Warps: make([]chain.Warp, 2),
			Ops: []chain.Op{{}, {Group: 5, Step: 3}, {}}, Events: []chain.Event{c.e},
		}
		p := chain.Pair{A: chain.Access{Op: 1, Lane: c.lane, Write: c.write}}
		p.B = chain.Access{Lane: c.lane, Write: true, Time: 1}
		if err := fmt.Sprint(l.Check(p, []int32{0})); !strings.Contains(err, c.want) || (c.want == "") != (err == "<nil>") {
			t.Errorf("%+v: expected %q, found %s", c.e, c.want, err)
		}
	}
}

// TestMorallyStrong asks for no chain between strong accesses whose scopes include both threads.
func TestMorallyStrong(t *testing.T) {
	t.Parallel()
	l, p, _ := message()
	p.A.Strong, p.B.Strong, p.A.Scope, p.B.Scope = true, true, chain.Cluster, chain.GPU
	if err := l.Check(p, nil); err != nil {
		t.Error(err)
	}
	if p.A.Scope = chain.CTA; l.Check(p, nil) == nil {
		t.Error("the scope of the block includes another block")
	}
	if p.A.Scope, p.A.Strong = chain.GPU, false; l.Check(p, nil) == nil {
		t.Error("a weak access counts as strong")
	}
}
