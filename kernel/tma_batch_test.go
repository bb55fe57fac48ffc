package kernel_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A batch of matrices is copied by the TMA, a matrix at a time: its tile has two modes, and Slice takes the matrix.
func ExampleK_MakeTmaAtom() {
	k, err := batched(64, kernel.Shape(64, 64), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	const m, n, l = 70, 72, 3
	a, b := make([]float64, m*n*l), make([]float64, m*n*l)
	for i := range a {
		a[i] = float64(i % 2048)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"m": m, "n": n, "l": l}, Tensors: map[string][]float64{"A": a, "B": b},
	})
	fmt.Println(slices.Equal(a, b), err)
	// Output: true <nil>
}

// batched copies (m,n,l) through shared memory. If whole, the tile has a mode of one element for the batch.
func batched(rows int64, tile []int64, whole bool) (*kernel.Kernel, error) {
	return kernel.Trace("batched", 64, func(k *kernel.K) {
		m, n, l := k.Int("m", extent(1)), k.Int("n", extent(8)), k.Int("l", extent(1))
		zero, one, all := kernel.Int(0), kernel.Int(1), kernel.Open
		mA := k.TmaTensor("A", dtype.F16, kernel.Modes(m, n, l), n, one, m.Mul(n))
		mB := k.TmaTensor("B", dtype.F16, kernel.Modes(m, n, l), n, one, m.Mul(n))
		k.Grid(m.CeilDiv(rows), n.CeilDiv(64), l)
		layout := "Sw<3,3,3> o 0 o (64,64):(64,1)"
		if whole {
			layout = "Sw<3,3,3> o 0 o (64,64,1):(64,1,0)"
		}
		s := k.Shared("s", dtype.F16, cute.MustParseComposed(layout))
		load, store := k.MakeTmaAtom(mA, s, tile, 1), k.MakeTmaAtom(mB, s, tile, 1)
		part := func(t kernel.Tensor) kernel.Tensor {
			if whole {
				return k.LocalTile(t, tile, k.BlockIdx(0), k.BlockIdx(1), k.BlockIdx(2))
			}
			return k.LocalTile(k.Slice(t, all, all, k.BlockIdx(2)), tile, k.BlockIdx(0), k.BlockIdx(1))
		}
		tAgA, tAsA := k.TmaPartition(load, zero, s, part(mA))
		tBgB, tBsB := k.TmaPartition(store, zero, s, part(mB))
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 1, Bytes: load.Bytes(), Consumers: 64})
		k.Sync()
		k.If(k.WarpIdx().Less(one), func() {
			k.If(k.ElectOne(), func() {
				state := pipe.ProducerState(zero)
				pipe.ProducerAcquire(state)
				k.CopyTma(load.With(pipe.ProducerGetBarrier(state)), tAgA, tAsA)
				pipe.ProducerCommit(state)
			})
		})
		pipe.ConsumerWait(pipe.ConsumerState(zero))
		k.If(k.ThreadIdx().Less(one), func() {
			k.CopyTma(store, tBsB, tBgB)
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
}

// TestBatchedTma compares tiles without a mode for the batch with tiles that have one, and refuses other tiles.
func TestBatchedTma(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		tile := kernel.Shape(64, 64)
		if whole {
			tile = kernel.Shape(64, 64, 1)
		}
		k, err := batched(64, tile, whole)
		if err != nil {
			t.Errorf("%v: %v", whole, err)
			continue
		}
		for _, e := range [][3]int64{{1, 8, 1}, {64, 64, 2}, {65, 136, 3}} {
			a, b := make([]float64, e[0]*e[1]*e[2]), make([]float64, e[0]*e[1]*e[2])
			for i := range a {
				a[i] = float64(i % 2039)
			}
			_, err := k.Simulate(context.Background(), kernel.Args{
				Ints: map[string]int64{"m": e[0], "n": e[1], "l": e[2]}, Tensors: map[string][]float64{"A": a, "B": b},
			})
			if err != nil || !slices.Equal(a, b) {
				t.Errorf("%v, %v: %v", whole, e, err)
			}
		}
	}
	for _, tile := range [][]int64{{}, {64}, {64, 64, 1, 1}, {64, 0}} {
		if _, err := batched(64, tile, false); err == nil {
			t.Errorf("a tile %v was accepted", tile)
		}
	}
}
