package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/ptx/sim"
)

// storing traces a kernel that writes tiles of 16 by 8 numbers through a ring of stages; a mistake leaves out, or
// changes, what its name says.
func storing(stages int64, mistake string) (*kernel.Kernel, error) {
	return kernel.Trace("storing", 128, func(k *kernel.K) {
		n, all, zero := k.Int("n", extent(8)), kernel.Open, kernel.Int(0)
		c := k.TmaTensor("C", dtype.F32, kernel.Modes(kernel.Int(16), n))
		s := k.Shared("s", dtype.F32, cute.MustParse(fmt.Sprintf("(16,8,%d):(1,16,128)", stages)))
		tma := k.MakeTmaAtom(c, k.Slice(s, all, all, zero), kernel.Shape(16, 8), 1)
		tCgC, tCsC := k.TmaPartition(tma, zero, s, k.LocalTile(c, kernel.Shape(16, 8), zero, all)) // (TMA,n), (TMA,PIPE)
		pipe := k.PipelineTmaStore("stores", stages)
		unless := func(what string, f func()) {
			if mistake != what {
				f()
			}
		}
		thread := func(x int64, f func()) { k.If(k.ThreadIdx().Equal(kernel.Int(x)), f) }
		k.For(zero, n.CeilDiv(8), func(i kernel.Index) {
			state := pipe.ProducerState(i)
			acquirer := int64(0)
			if mistake == "one thread" {
				acquirer = 32
			}
			thread(acquirer, func() { pipe.ProducerAcquire(state) })
			unless("barrier after acquire", k.Sync)
			own := k.LocalPartition(k.Slice(s, all, all, state.Index()), cute.MustParse("(16,8):(1,16)"), k.ThreadIdx())
			at := zero
			if mistake == "stage" {
				other := k.Slice(s, all, all, i.Add(kernel.Int(1)).Mod(stages))
				own = k.LocalPartition(other, cute.MustParse("(16,8):(1,16)"), k.ThreadIdx())
			}
			k.Store(i.Mul(kernel.Int(128)).Add(k.ThreadIdx()).Value(dtype.F32), own, at, at)
			unless("fence", k.TmaStoreFence)
			unless("barrier before store", k.Sync)
			thread(0, func() {
				k.CopyTma(tma, k.Slice(tCsC, all, state.Index()), k.Slice(tCgC, all, i))
				pipe.ProducerCommit(state)
			})
		})
		unless("tail", func() { thread(0, func() { pipe.ProducerTail(pipe.ProducerState(n.CeilDiv(8))) }) })
	})
}

// TestPipelineTmaStore runs the pipeline in several orders, and with a mistake each, which the simulator finds.
func TestPipelineTmaStore(t *testing.T) {
	t.Parallel()
	run := func(stages int64, mistake string, seed uint64) ([]float64, error) {
		k, err := storing(stages, mistake)
		if err != nil {
			t.Fatal(err)
		}
		c := make([]float64, 16*72)
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": 72}, Tensors: map[string][]float64{"C": c}, Blocks: [3]int64{1}, Seed: seed,
		})
		return c, err
	}
	for seed := range uint64(4) {
		for _, stages := range []int64{1, 2, 3} {
			c, err := run(stages, "", seed)
			if err != nil {
				t.Fatalf("%d stages: %v", stages, err)
			}
			for i := range c {
				if c[i] != float64(i) {
					t.Fatalf("%d stages: element %d is %v", stages, i, c[i])
				}
			}
		}
	}
	for _, mistake := range []string{
		"barrier after acquire", "one thread", "stage", "fence", "barrier before store", "tail",
	} {
		found := false
		for seed := range uint64(8) {
			c, err := run(2, mistake, seed)
			_, isFinding := errors.AsType[*sim.Finding](err)
			if err != nil && !isFinding {
				t.Fatal(err)
			}
			found = found || isFinding
			if mistake == "stage" && c[0] != 0 && !isFinding {
				t.Errorf("a wrong stage stores %v", c[:4])
			}
		}
		if !found {
			t.Errorf("%s: nothing was found", mistake)
		}
	}
}

// taking traces a kernel whose groups take turns to add to numbers in shared memory; a mistake leaves out, or changes,
// what its name says.
func taking(p kernel.OrderedSequenceParams, mistake string) (*kernel.Kernel, error) {
	return kernel.Trace("taking", p.Group*p.Length, func(k *kernel.K) {
		n, zero, one := k.Int("n", extentTo(8)), kernel.Int(0), kernel.Int(1)
		s := k.Shared("s", dtype.U32, cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", p.Group, p.Depth, p.Group)))
		y := k.GlobalLayout("y", dtype.U32, cute.MustParse(fmt.Sprintf("(%d,%d):(1,%d)", p.Group, p.Depth, p.Group)))
		order := k.OrderedSequenceBarrier("order", p)
		x := k.ThreadIdx().Mod(p.Group)
		k.If(k.ThreadIdx().Less(kernel.Int(p.Group)), func() {
			for d := range p.Depth {
				k.Store(k.Number(dtype.U32, 0), s, x, kernel.Int(d))
			}
		})
		k.Sync()
		for g := range p.Length {
			group := kernel.Int(g)
			k.If(k.ThreadIdx().Div(p.Group).Equal(group), func() {
				k.For(zero, n, func(i kernel.Index) {
					for d := range p.Depth {
						turn, part := i.Mul(kernel.Int(p.Depth)).Add(kernel.Int(d)), kernel.Int(d)
						if mistake != "wait" {
							order.Wait(group, turn)
						}
						// y = (groups + 1)·y + g + 1: the order decides the number
						v := k.Load(s, x, part).Mul(k.Number(dtype.U32, float64(p.Length+1))).Add(k.Number(dtype.U32, float64(g+1)))
						k.Store(v, s, x, part)
						switch {
						case mistake == "arrive" && g == 0:
						case mistake == "group" && g == 0:
							order.Arrive(one, turn)
						default:
							order.Arrive(group, turn)
						}
					}
				})
			})
		}
		k.Sync()
		k.If(k.ThreadIdx().Less(kernel.Int(p.Group)), func() {
			for d := range p.Depth {
				k.Store(k.Load(s, x, kernel.Int(d)), y, x, kernel.Int(d))
			}
		})
	})
}

// TestOrderedSequence runs groups that take turns in several orders of warps, and with a mistake each.
func TestOrderedSequence(t *testing.T) {
	t.Parallel()
	run := func(p kernel.OrderedSequenceParams, mistake string, seed uint64) ([]float64, error) {
		k, err := taking(p, mistake)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, p.Group*p.Depth)
		_, err = k.Simulate(context.Background(), kernel.Args{
			Ints: map[string]int64{"n": 3}, Tensors: map[string][]float64{"y": y}, Blocks: [3]int64{1}, Seed: seed,
		})
		return y, err
	}
	for _, p := range []kernel.OrderedSequenceParams{
		{Depth: 1, Length: 2, Group: 32},
		{Depth: 2, Length: 2, Group: 64},
		{Depth: 1, Length: 3, Group: 32},
		{Depth: 3, Length: 2, Group: 32},
	} {
		want := 0.0
		for range 3 {
			for g := range p.Length {
				want = want*float64(p.Length+1) + float64(g+1)
			}
		}
		for seed := range uint64(4) {
			y, err := run(p, "", seed)
			if err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			for i := range y {
				if y[i] != want {
					t.Fatalf("%+v: thread %d has %v, expected %v", p, i, y[i], want)
				}
			}
		}
	}
	for mistake, kind := range map[string]string{"wait": "race", "arrive": "deadlock", "group": "deadlock"} {
		_, err := run(kernel.OrderedSequenceParams{Depth: 2, Length: 2, Group: 32}, mistake, 0)
		if f, ok := errors.AsType[*sim.Finding](err); !ok || string(f.Kind) != kind {
			t.Errorf("without %s: expected a %s, found %v", mistake, kind, err)
		}
	}
}

// TestSequencesRefuse checks the codes of mistakes in pipelines of stores and in sequences.
func TestSequencesRefuse(t *testing.T) {
	t.Parallel()
	p := kernel.OrderedSequenceParams{Depth: 1, Length: 2, Group: 64}
	zero := kernel.Int(0)
	one := func(k *kernel.K, f func()) { k.If(k.ThreadIdx().Equal(zero), f) }
	for _, tt := range []struct {
		name, text string
		code       cute.Code
		do         func(k *kernel.K)
	}{
		{"no stages", "1 to 64", cute.CodeExtent, func(k *kernel.K) { k.PipelineTmaStore("p", 0) }},
		{"all threads", "one thread", cute.CodeMode, func(k *kernel.K) {
			pipe := k.PipelineTmaStore("p", 2)
			pipe.ProducerAcquire(pipe.ProducerState(zero))
		}},
		{"no store", "nothing was stored", cute.CodeMode, func(k *kernel.K) {
			pipe := k.PipelineTmaStore("p", 2)
			one(k, func() {
				pipe.ProducerAcquire(pipe.ProducerState(zero))
				pipe.ProducerCommit(pipe.ProducerState(zero))
			})
		}},
		{"no acquire", "comes before", cute.CodeMode, func(k *kernel.K) {
			pipe := k.PipelineTmaStore("p", 2)
			one(k, func() { pipe.ProducerCommit(pipe.ProducerState(zero)) })
		}},
		{"two acquires", "not committed", cute.CodeMode, func(k *kernel.K) {
			pipe := k.PipelineTmaStore("p", 2)
			one(k, func() {
				pipe.ProducerAcquire(pipe.ProducerState(zero))
				pipe.ProducerAcquire(pipe.ProducerState(kernel.Int(1)))
			})
		}},
		{"another pipeline's state", "state of the pipeline", cute.CodeType, func(k *kernel.K) {
			pipe, other := k.PipelineTmaStore("p", 2), k.PipelineTmaStore("q", 2)
			pipe.ProducerTail(other.ProducerState(zero))
		}},
		{"the zero pipeline", "pipeline is none", cute.CodeType, func(*kernel.K) {
			var pipe kernel.PipelineTmaStore
			pipe.ProducerTail(pipe.ProducerState(zero))
		}},
		{"no parts", "parts", cute.CodeExtent, func(k *kernel.K) {
			k.OrderedSequenceBarrier("o", kernel.OrderedSequenceParams{Length: 2, Group: 64})
		}},
		{"one group", "2 to 32 groups", cute.CodeExtent, func(k *kernel.K) {
			k.OrderedSequenceBarrier("o", kernel.OrderedSequenceParams{Depth: 1, Length: 1, Group: 64})
		}},
		{"too many threads", "whole warps", cute.CodeExtent, func(k *kernel.K) {
			k.OrderedSequenceBarrier("o", kernel.OrderedSequenceParams{Depth: 1, Length: 2, Group: 128})
		}},
		{"group 2", "a group from 0 to 1", cute.CodeMode, func(k *kernel.K) {
			k.OrderedSequenceBarrier("o", p).Wait(kernel.Int(2), zero)
		}},
		{"an elected thread arrives", "4 threads arrive", cute.CodeExtent, func(k *kernel.K) {
			o := k.OrderedSequenceBarrier("o", p)
			k.If(k.ThreadIdx().Mod(32).Equal(zero), func() { o.Arrive(zero, zero) })
		}},
		{"all threads arrive for one group", "128 threads arrive", cute.CodeExtent, func(k *kernel.K) {
			k.OrderedSequenceBarrier("o", p).Arrive(zero, zero)
		}},
		{"the zero sequence", "sequence barrier is none", cute.CodeType, func(*kernel.K) {
			var o kernel.OrderedSequenceBarrier
			o.Wait(zero, zero)
		}},
	} {
		_, err := kernel.Trace("k", 128, tt.do)
		e, ok := errors.AsType[*kernel.Error](err)
		if !ok || e.Err.Code != tt.code || e.File != "pipeline_store_test.go" || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: expected %s and %q, found %v", tt.name, tt.code, tt.text, err)
		}
	}
}
