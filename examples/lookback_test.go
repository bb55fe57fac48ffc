package examples_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/kernel"
	"girih/ptx/sim"
)

// TestLookback checks lookback in several orders of blocks: integers exactly, in launches that follow each other with
// the same flags and counts, over more than 32 blocks, which is how far a block looks at a time.
func TestLookback(t *testing.T) {
	t.Parallel()
	for _, typ := range []dtype.Type{dtype.S32, dtype.F32} {
		k := trace(t, "lookback", examples.Options{Tile: []int64{256}, Type: typ})
		r := rand.New(rand.NewPCG(7, 1))
		most := int64(75)
		flags, counts := make([]float64, most), make([]float64, 2)
		for seed := range uint64(6) {
			blocks := 1 + r.Int64N(most)
			n := (blocks-1)*256 + 1 + r.Int64N(256)
			x, want, sum := make([]float64, n), make([]float64, n), 0.0
			for i := range x {
				x[i] = float64(r.IntN(21) - 10)
				sum += x[i]
				want[i] = sum
			}
			y := make([]float64, n)
			_, err := k.Simulate(context.Background(), kernel.Args{
				Ints: map[string]int64{"n": n}, Seed: seed,
				Tensors: map[string][]float64{
					"x": x, "y": y, "parts": make([]float64, blocks), "sums": make([]float64, blocks),
					"flags": flags[:blocks], "counts": counts,
				},
			})
			if err != nil {
				t.Fatalf("%v, %d elements, seed %d: %v", typ, n, seed, err)
			}
			for i := range y {
				if y[i] != want[i] {
					t.Fatalf("%v, %d elements, seed %d: element %d is %v, want %v", typ, n, seed, i, y[i], want[i])
				}
			}
			for i, f := range append(append([]float64{}, flags...), counts...) {
				if f != 0 {
					t.Fatalf("%v, %d elements, seed %d: flag or count %d is %v after the launch", typ, n, seed, i, f)
				}
			}
		}
	}
}

// TestLookbackFar checks a block that finds no whole sum among the 32 blocks before: the launch goes on where another
// one has stopped, after 50 blocks have published and only the first one has a sum of all before.
func TestLookbackFar(t *testing.T) {
	t.Parallel()
	const done, blocks, n = 50, 60, 60 * 256
	k := trace(t, "lookback", examples.Options{Tile: []int64{256}, Type: dtype.S32})
	p := examples.Problem{Kernel: k, Extents: map[string]int64{"n": n}, Tensors: map[string][]float64{
		"x": make([]float64, n), "y": make([]float64, n), "parts": make([]float64, blocks), "sums": make([]float64, blocks),
		"flags": make([]float64, blocks), "counts": {done, done},
	}}
	for i := range n {
		p.Tensors["x"][i] = float64(i % 7)
	}
	for i := range done {
		p.Tensors["flags"][i], p.Tensors["parts"][i] = 1, float64(i)
	}
	p.Tensors["flags"][0], p.Tensors["sums"][0] = 2, 1000
	program, err := sim.Load(k.Module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := program.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	var args []sim.Arg
	var y *sim.Buffer
	for _, q := range k.Params {
		if !q.Pointer {
			args = append(args, sim.U32(n))
			continue
		}
		b, err := m.Put(q.Name, p.Bytes(q.Name))
		if err != nil {
			t.Fatal(err)
		}
		if args = append(args, sim.Pointer(b, 0)); q.Name == "y" {
			y = b
		}
	}
	_, err = program.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: blocks - done}, Block: sim.Dim{X: 256}, Args: args,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := 1000 + done*(done-1)/2
	for i := done * 256; i < n; i++ {
		want += i % 7
		if got := int(int32(binary.LittleEndian.Uint32(y.Bytes()[4*i:]))); got != want {
			t.Fatalf("element %d is %d, want %d", i, got, want)
		}
	}
}
