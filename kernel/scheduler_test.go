package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A rounds is a random launch of a kernel that visits tiles.
type rounds struct {
	tiles                  []int64
	group, blocks, cluster int64
	dynamic, known         bool // whether a counter gives tiles, and whether the numbers of tiles are constants
}

func randomRounds(r *rand.Rand) rounds {
	o := rounds{
		tiles: []int64{1 + r.Int64N(9), 1 + r.Int64N(7), 1 + r.Int64N(3), 1 + r.Int64N(2)}[:1+r.IntN(4)],
		group: r.Int64N(5), blocks: 1 + r.Int64N(6), cluster: 1, dynamic: r.IntN(2) == 0, known: r.IntN(3) == 0,
	}
	if !o.dynamic && r.IntN(2) == 0 {
		o.cluster = 2
	}
	o.blocks *= o.cluster
	return o
}

// order returns the place of each tile, by its number along M first, in the order that groups define.
func (o rounds) order() []int64 {
	n := append(append([]int64{}, o.tiles...), 1, 1, 1)
	group := max(o.group, 1)
	if len(o.tiles) == 1 {
		group = n[0]
	}
	out := make([]int64, n[0]*n[1]*n[2]*n[3])
	at := int64(0)
	for batch := range n[2] * n[3] {
		for first := int64(0); first < n[0]; first += group {
			for column := range n[1] {
				for row := first; row < min(first+group, n[0]); row++ {
					out[row+n[0]*(column+n[1]*batch)] = at
					at++
				}
			}
		}
	}
	return out
}

func (o rounds) trace(ints map[string]int64) (*kernel.Kernel, error) {
	return kernel.Trace("k", 64, func(k *kernel.K) {
		if o.cluster > 1 {
			k.Cluster(o.cluster, 1, 1)
		}
		s := kernel.TileScheduler{Group: o.group}
		k.Grid(k.Int("blocks", extentTo(64)))
		for i, n := range o.tiles {
			x := kernel.Int(n)
			if !o.known {
				name := fmt.Sprintf("n%d", i)
				x, ints[name] = k.Int(name, extentTo(16)), n
			}
			s.Tiles = append(s.Tiles, x)
		}
		times, turns := k.Global("times", dtype.U32, s.Tiles), k.Global("turns", dtype.U32, s.Tiles)
		if o.dynamic {
			s.Counter = k.GlobalLayout("counter", dtype.U32, parse("1:0"))
		}
		k.ForTiles(s, func(turn kernel.Index, tile []kernel.Index) {
			k.If(k.ThreadIdx().Equal(kernel.Int(63)), func() {
				k.AtomicRef(kernel.ScopeDevice, times, tile...).Add(k.Number(dtype.U32, 1), kernel.Relaxed)
				k.If(k.BlockRankInCluster().Equal(kernel.Int(0)), func() { k.Store(turn.Value(dtype.U32), turns, tile...) })
			})
		})
	})
}

// TestForTiles counts how often each tile is visited, for random numbers of tiles, blocks, groups and clusters, and
// compares the order with the definition of the groups. The coordinates need no conditions: they are proved to be
// inside.
func TestForTiles(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 9))
	for range 80 {
		o, ints := randomRounds(r), map[string]int64{}
		k, err := o.trace(ints)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		order := o.order()
		ints["blocks"] = o.blocks
		times, turns := make([]float64, len(order)), make([]float64, len(order))
		args := kernel.Args{Ints: ints, Seed: r.Uint64(), Tensors: map[string][]float64{"times": times, "turns": turns}}
		if o.dynamic {
			args.Tensors["counter"] = []float64{0}
		}
		if _, err := k.Simulate(context.Background(), args); err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		for i := range order {
			if times[i] != float64(o.cluster) {
				t.Fatalf("%+v: tile %d is visited %v times", o, i, times[i])
			}
			if want := order[i] / (o.blocks / o.cluster); (!o.dynamic || o.blocks == 1) && turns[i] != float64(want) {
				t.Fatalf("%+v: tile %d is number %v of its block, expected %d", o, i, turns[i], want)
			}
		}
		if o.dynamic && args.Tensors["counter"][0] != 0 {
			t.Errorf("%+v: the counter is %v after the kernel", o, args.Tensors["counter"])
		}
	}
}

// TestForTilesRefuses checks the codes of impossible schedulers.
func TestForTilesRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		code cute.Code
		do   func(k *kernel.K, s *kernel.TileScheduler)
	}{
		{"no tiles", cute.CodeRank, func(_ *kernel.K, s *kernel.TileScheduler) { s.Tiles = nil }},
		{"a negative group", cute.CodeExtent, func(_ *kernel.K, s *kernel.TileScheduler) { s.Group = -1 }},
		{"perhaps no tile", cute.CodeExtent, func(k *kernel.K, s *kernel.TileScheduler) {
			s.Tiles[1] = k.Int("n", extentTo(9)).Sub(kernel.Int(1))
		}},
		{"a grid of two dimensions", cute.CodeRank, func(*kernel.K, *kernel.TileScheduler) {}},
		{"a counter of floats", cute.CodeType, func(k *kernel.K, s *kernel.TileScheduler) {
			s.Counter = k.GlobalLayout("counter", dtype.F32, parse("1:0"))
		}},
		{"a counter in a cluster", cute.CodeMode, func(k *kernel.K, s *kernel.TileScheduler) {
			k.Cluster(2, 1, 1)
			s.Counter = k.GlobalLayout("counter", dtype.U32, parse("1:0"))
		}},
		{"too many tiles", cute.CodeOverflow, func(k *kernel.K, s *kernel.TileScheduler) {
			s.Tiles = kernel.Modes(k.Int("m", extentTo(1<<20)), k.Int("n", extentTo(1<<20)))
		}},
		{"a counter of half a warp", cute.CodeMode, func(k *kernel.K, s *kernel.TileScheduler) {
			s.Counter = k.GlobalLayout("counter", dtype.U32, parse("1:0"))
			k.If(k.ThreadIdx().Less(kernel.Int(16)), func() { k.ForTiles(*s, func(kernel.Index, []kernel.Index) {}) })
		}},
	} {
		_, err := kernel.Trace("k", 64, func(k *kernel.K) {
			k.Grid(kernel.Modes(kernel.Int(4), kernel.Int(2))[:1+strings.Count(tt.name, "dimensions")]...)
			s := kernel.TileScheduler{Tiles: kernel.Modes(kernel.Int(4), kernel.Int(4))}
			tt.do(k, &s)
			k.ForTiles(s, func(kernel.Index, []kernel.Index) {})
		})
		if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code != tt.code || e.File != "scheduler_test.go" {
			t.Errorf("%s: expected %s, found %v", tt.name, tt.code, err)
		}
	}
}
