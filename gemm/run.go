package gemm

import (
	"fmt"

	"girih"
	"girih/atom"
)

// A Problem is D = A·B + C with A of M by K, B of N by K, and C of M by N elements, each row by row: K is contiguous in A and
// B, N in C. The numbers are rounded to the element types first. A nil C is zero.
type Problem struct {
	M, N, K int64
	A, B, C []float64
}

// A Result is what a kernel computes.
type Result struct {
	D      []float64 // M by N, row by row
	Ledger Ledger
	// Bound is the largest difference to the exact product of the rounded operands that rounding can make; 0 where all sums
	// are exact.
	Bound float64
}

// MaxWork is the largest number of multiplications that are simulated.
const MaxWork = 1 << 33

// Run computes the problem. It returns [girih.CodeExtent] for operands of the wrong length, [girih.CodeLimit] above [MaxWork]
// multiplications, [girih.CodeOverflow] for a number that its type cannot hold, and the errors of the partitions.
func (k Kernel) Run(p Problem) (Result, error) {
	if err := p.check(); err != nil {
		return Result{}, err
	}
	r, err := k.newRun(p)
	if err != nil {
		return Result{}, err
	}
	for tile := range tiles(p.M, k.Tile[0]) * tiles(p.N, k.Tile[1]) {
		if err := r.tile(tile%tiles(p.M, k.Tile[0]), tile/tiles(p.M, k.Tile[0])); err != nil {
			return Result{}, err
		}
	}
	return r.result()
}

func tiles(n, tile int64) int64 { return (n + tile - 1) / tile }

func (p *Problem) check() error {
	if p.M < 1 || p.N < 1 || p.K < 1 {
		return &girih.Error{Code: girih.CodeExtent, Op: "gemm", Msg: fmt.Sprintf("expected M, N and K of at least 1, found %d, %d and %d", p.M, p.N, p.K)}
	}
	const most = 1 << 20
	if p.M > most || p.N > most || p.K > most || p.M*p.N > MaxWork/p.K {
		return &girih.Error{Code: girih.CodeLimit, Op: "gemm", Msg: fmt.Sprintf("%d by %d by %d are more than the %d multiplications that are simulated", p.M, p.N, p.K, int64(MaxWork))}
	}
	for _, m := range []struct {
		name string
		have int
		want int64
	}{{"A", len(p.A), p.M * p.K}, {"B", len(p.B), p.N * p.K}, {"C", len(p.C), p.M * p.N}} {
		if int64(m.have) != m.want && !(m.name == "C" && m.have == 0) {
			return &girih.Error{Code: girih.CodeExtent, Op: "gemm", Msg: fmt.Sprintf("expected %d numbers in %s, found %d", m.want, m.name, m.have)}
		}
	}
	return nil
}

// A run is a kernel at work.
type run struct {
	k       *Kernel
	p       *Problem
	in      *instruction
	a, b    *moves
	c       *accumulators
	times   []uint16 // how often a product along K was added, for each element of D and each tile along K together
	d       []float64
	ledger  Ledger
	useful  int64
}

// An accumulators has the registers of C.
type accumulators struct {
	place  []int64   // thread, value -> index in the tile (M,N), or -1
	values int64     // of a thread
	regs   []float64 // thread by thread
}

var _ = atom.OperandA
