package gemm

import (
	"fmt"

	"girih/atom"
	"girih/cute"
)

// This file tabulates who has what of a tile: the fragments of the MMA and the partitions of the copies.

// A spread says which element of the tile each register of each thread has.
type spread struct {
	values  int     // of a thread
	index   []int32 // thread by thread: the colexicographic index in the tile
	firstV  int     // values of one instruction: the first mode of a thread's values
	restX   int     // instructions along the first mode of the operand
	restY   int     // and along the second
	threads [3]int  // of one instruction, and groups of them along the two modes
}

// spreadOf tabulates the fragments of an operand on a tile of rows by columns. The threads of the result are numbered
// (ThrV,ThrX,ThrY), as thrfrg has them.
func spreadOf(m atom.TiledMMA, o atom.Operand, rows, columns int64) (spread, error) {
	tile, err := cute.New(cute.Ints(rows, columns), cute.Ints(1, rows))
	if err != nil {
		return spread{}, err
	}
	f, err := m.Thrfrg(o, tile)
	if err != nil {
		return spread{}, err
	}
	size := func(path ...int) int {
		l, err := f.Mode(path...)
		if err != nil {
			return 1
		}
		return int(l.Size())
	}
	s := spread{
		firstV: size(1, 0), restX: size(1, 1, 0), restY: size(1, 1, 1),
		threads: [3]int{size(0, 0), size(0, 1, 0), size(0, 1, 1)},
	}
	s.values = s.firstV * s.restX * s.restY
	offsets, err := f.AppendOffsets(nil)
	if err != nil {
		return spread{}, err
	}
	threads := s.threads[0] * s.threads[1] * s.threads[2]
	if len(offsets) != threads*s.values {
		return spread{}, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "gemm", Msg: fmt.Sprintf("expected %d values in %v, found %d", threads*s.values, f,
				len(offsets)),
		}
	}
	s.index = make([]int32, len(offsets))
	for i, x := range offsets {
		if x < 0 || x >= rows*columns {
			return spread{}, &cute.Error{
				Code: cute.CodeExtent, Op: "gemm",
				Msg: fmt.Sprintf("thread %d holds the element %d of %v in a tile of %d elements", i%threads, x, o, rows*columns),
			}
		}
		s.index[i%threads*s.values+i/threads] = int32(x)
	}
	return s, nil
}

// A share of a spread is what one instruction takes: the group of threads, and the number of the instruction, both
// along the two modes of the operand.
type share struct{ gx, gy, x, y int }

// at returns the element of value v of an instruction, in thread t of its group.
func (s *spread) at(p share, t, v int) int32 {
	thread := t + s.threads[0]*(p.gx+s.threads[1]*p.gy)
	return s.index[thread*s.values+v+s.firstV*(p.x+s.restX*p.y)]
}

// partitionTV returns a partition of a tile as a layout of threads and values, (thread,values) -> index in the tile.
func partitionTV(f func(cute.Layout) (cute.Layout, error), rows, columns int64) (cute.Layout, error) {
	tile, err := cute.New(cute.Ints(rows, columns), cute.Ints(1, rows))
	if err != nil {
		return cute.Layout{}, err
	}
	l, err := f(tile)
	if err != nil {
		return cute.Layout{}, err
	}
	if l.Size()%(rows*columns) != 0 || l.Rank() != 3 {
		return cute.Layout{}, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "gemm",
			Msg: fmt.Sprintf("the tile of the copy does not divide the tile of %d by %d: %v", rows, columns, l),
		}
	}
	threads, err := l.Mode(0)
	if err != nil {
		return cute.Layout{}, err
	}
	values, err := l.Mode(1)
	if err != nil {
		return cute.Layout{}, err
	}
	rests, err := l.Mode(2)
	if err != nil {
		return cute.Layout{}, err
	}
	all, err := cute.MakeLayout(values, rests)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.MakeLayout(threads, all)
}
