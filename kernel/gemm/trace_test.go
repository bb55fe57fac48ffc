package gemm

import (
	"errors"
	"fmt"
	"testing"

	"girih/cute"
	"girih/dtype"
)

// TestKernels writes the kernels of all tiles, with the most blocks that share K or B, for one product and for several:
// the algebra proves that no offset leaves 64 bits.
func TestKernels(t *testing.T) {
	t.Parallel()
	for _, s := range shapes {
		t.Run(fmt.Sprintf("%dx%dx%d", s.warpgroups, s.m, s.n), func(t *testing.T) {
			t.Parallel()
			roles := "cooperative"
			if s.pingPong {
				roles = "ping-pong"
			}
			kernels := 0
			for _, o := range []Options{{Cluster: 1, Split: 1}, {Cluster: 4}, {Split: 8}} {
				for _, p := range []Problem{
					{In: dtype.F16, L: 3},
					{In: dtype.E4M3, L: 3, Scale: ScaleBlocks},
					{In: dtype.S8, Scale: ScaleRows, Out: dtype.F16},
					{In: dtype.F16, Groups: 3},
				} {
					p.M, p.N, p.K = 2000, 520, 4096
					if p.In != dtype.F16 { // with C, large tiles have no registers left
						p.Epilogue = Epilogue{Scaled: true, Add: dtype.F32}
					}
					o.Tile, o.Roles, o.Warpgroups = [3]int64{s.m, s.n, 4 * depth(p.In)}, roles, s.warpgroups
					plan, err := New(p, Cards()[0], o)
					if errors.Is(err, cute.CodeLimit) {
						continue
					}
					if err == nil {
						_, err = plan.Kernel()
					}
					if err != nil {
						t.Errorf("%v\n%+v, %+v", err, p, o)
					}
					kernels++
				}
			}
			if kernels == 0 {
				t.Error("no kernel has this tile")
			}
		})
	}
}

// TestWarpKernels does the same for the tiles of cards without wgmma, with loads of all widths.
func TestWarpKernels(t *testing.T) {
	t.Parallel()
	for _, s := range warpTiles {
		t.Run(fmt.Sprintf("%dx%d", s.m, s.n), func(t *testing.T) {
			t.Parallel()
			for _, columns := range []int64{4096, 4100, 4094, 4093} {
				kernels := 0
				for _, o := range []Options{{Split: 1}, {Split: 8}} {
					for _, deep := range []int64{32, 64} {
						p := Problem{M: 2000, N: 520, K: columns, L: 3, In: dtype.BF16, Epilogue: Epilogue{Scaled: true, Add: dtype.F32}}
						o.Tile = [3]int64{s.m, s.n, deep}
						plan, err := New(p, Cards()[2], o)
						if errors.Is(err, cute.CodeLimit) {
							continue
						}
						if err == nil {
							_, err = plan.Kernel()
						}
						if err != nil {
							t.Errorf("%v\n%+v, %+v", err, p, o)
						}
						kernels++
					}
				}
				if kernels == 0 {
					t.Errorf("no kernel for %d columns has this tile", columns)
				}
			}
		})
	}
}
