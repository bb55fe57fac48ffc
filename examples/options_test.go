package examples_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
)

// drawOptions returns random options for a kernel, some of them absurd.
func drawOptions(x examples.Recipe, r *rand.Rand) examples.Options {
	odd := []int64{-1 << 63, -64, -1, 0, 1, 2, 3, 4, 5, 7, 12, 24, 33, 48, 96, 100, 160, 1000, 1 << 20, 1 << 40, 1<<63 - 1}
	good := []int64{8, 16, 32, 64, 128, 256}
	number := func(usual int64) int64 {
		switch r.IntN(10) {
		case 0:
			return odd[r.IntN(len(odd))]
		case 1, 2, 3, 4:
			return good[r.IntN(len(good))]
		}
		return usual
	}
	types := []dtype.Type{
		dtype.F16, dtype.BF16, dtype.F32, dtype.F64, dtype.U8, dtype.S32, dtype.E4M3, dtype.B16, dtype.U64,
	}
	o := examples.Options{}
	for _, n := range x.Default.Tile {
		o.Tile = append(o.Tile, number(n))
	}
	if r.IntN(30) == 0 {
		o.Tile = append(o.Tile, 8)
	}
	if o.Type = x.Types[r.IntN(len(x.Types))]; r.IntN(20) == 0 {
		o.Type = types[r.IntN(len(types))]
	}
	if x.Default.Sum != 0 && r.IntN(3) == 0 || r.IntN(40) == 0 {
		o.Sum = types[r.IntN(len(types))]
	}
	if x.Default.Div != 0 || r.IntN(40) == 0 {
		o.Div = number(int64(1) << r.IntN(8))
	}
	if x.Default.Stages != 0 || r.IntN(40) == 0 {
		if o.Stages = 1 + r.Int64N(5); r.IntN(10) == 0 {
			o.Stages = odd[r.IntN(len(odd))]
		}
	}
	return o
}

// TestOptionsAtRandom checks that any options yield a kernel that passes in the simulator with the planned traffic, or
// an error with a code, numbers and a hint, within two seconds and without a panic.
func TestOptionsAtRandom(t *testing.T) {
	t.Parallel()
	n, seed := 5, uint64(time.Now().UnixNano()) // any number is a valid seed
	if long.Tests() {
		n = 12
	}
	if text := os.Getenv("OPTIONS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	for _, x := range examples.All() {
		t.Run(x.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(x.Name))))
			ran, made, refused := 0, 0, map[string]int{}
			for range n {
				o := drawOptions(x, r)
				start := time.Now()
				k, err := x.Trace(o)
				if d := time.Since(start); d > 2*time.Second {
					t.Errorf("%+v took %v", o, d)
				}
				if err != nil {
					if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code == "" || e.Msg == "" || e.Hint == "" {
						t.Errorf("%+v: %v", o, err)
					}
					if os.Getenv("OPTIONS") != "" && refused[err.Error()] == 0 {
						fmt.Printf("%s %+v: %v\n", x.Name, o, err)
					}
					refused[err.Error()]++
					continue
				}
				made++
				if at, ok := smallExtents(k, r); ok && cheap(k, at) {
					p, err := x.Problem(k, at, r)
					if err != nil {
						t.Fatal(err)
					}
					ran++
					start = time.Now()
					t.Logf("%+v, %v", o, at) // shown only if the kernel fails
					run(t, x, p)
					if d := time.Since(start); d > 5*time.Second && os.Getenv("OPTIONS") != "" {
						fmt.Printf("%s %+v %v: %v\n", x.Name, o, at, d)
					}
				}
			}
			t.Logf("%d of %d kernels made, %d run, seed %d", made, n, ran, seed)
		})
	}
}

// smallExtents draws extents that a kernel accepts and that give few elements. It returns false if it finds none.
func smallExtents(k *kernel.Kernel, r *rand.Rand) (map[string]int64, bool) {
	out, all := map[string]int64{}, int64(1)
	for _, q := range k.Params {
		if q.Pointer || q.Facts.Max == 0 {
			continue
		}
		div := max(q.Facts.Div, 1)
		n := div * (1 + r.Int64N(max(40/div, 1)+1))
		if q.Name == "ctas" {
			n = 1 + r.Int64N(8)
		}
		if n > 600 || n > q.Facts.Max {
			return nil, false
		}
		out[q.Name] = n
		all *= n
	}
	return out, all <= 1<<19
}

// cheap reports whether the simulator is fast for a kernel. Small extents alone are not sufficient, because the
// simulator computes all products of a large tile.
func cheap(k *kernel.Kernel, at map[string]int64) bool {
	blocks, err := k.Grid(at)
	return err == nil && blocks[0]*blocks[1]*blocks[2]*k.Threads <= 4096 && len(k.Module.String()) < 300_000
}
