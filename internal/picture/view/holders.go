package view

import (
	"fmt"
	"slices"

	"girih/cute"
)

// holders records which threads hold each element of a tile, and as which value: the content of thread-value
// pictures. Elements are numbered row by row, block after block.
type holders struct {
	rows, cols, blocks int
	threads, values    int64
	// The element of (thread, value) is at index thread + value·threads, or -1 outside of the tile.
	index         []int32
	thread, value []int32 // the first holder of each element; -1 without a holder
	count         []int32 // the number of holders
	other         []int32 // the thread of the second holder, if there are two
	numbers       []int64 // the numbers of the threads, ascending; nil for 0, 1, 2, ...
	outside       int     // the number of pairs that map outside of the tile
}

// maxPairs limits the number of pairs (thread, value) that are evaluated.
const maxPairs = 1 << 21

// tileOf returns the extents of a tile of rank 1 to 3; a tile of rank 1 is one row.
func tileOf(tile cute.Tuple) (rows, cols, blocks int64, err error) {
	rows, cols, blocks = 1, 1, 1
	modes := tile.Modes()
	sizes := make([]int64, len(modes))
	for i, m := range modes {
		if sizes[i], err = m.Product(); err != nil {
			return 0, 0, 0, err
		}
		if sizes[i] < 1 {
			return 0, 0, 0, &cute.Error{
				Code: cute.CodeExtent, Op: "draw", Msg: fmt.Sprintf("expected a tile of positive extents, found %s", tile),
			}
		}
	}
	switch len(sizes) {
	case 1:
		cols = sizes[0]
	case 2:
		rows, cols = sizes[0], sizes[1]
	case 3:
		rows, cols, blocks = sizes[0], sizes[1], sizes[2]
	default:
		return 0, 0, 0, &cute.Error{
			Code: cute.CodeRank, Op: "draw", Msg: fmt.Sprintf("expected a tile of 1 to 3 modes, found %s", tile),
		}
	}
	if n, err := tile.Product(); err != nil || n > DrawnCells {
		return 0, 0, 0, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected a tile of at most %d elements, found %s",
				DrawnCells, tile),
			Hint: "draw a smaller tile of it: a thread-value map repeats",
		}
	}
	return rows, cols, blocks, nil
}

// holdersOf evaluates a layout from (thread, value) to the colexicographic index in the tile, or to a coordinate of
// the tile.
func holdersOf(tv cute.Layout, tile cute.Tuple) (*holders, error) {
	rows, cols, blocks, err := tileOf(tile)
	if err != nil {
		return nil, err
	}
	modes := tv.Modes()
	if len(modes) != 2 {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: "draw",
			Msg:  fmt.Sprintf("expected a layout (thread, value) -> element, of rank 2, found %s of rank %d", tv, len(modes)),
			Hint: "group the modes of the threads and the modes of the values: ((threads),(values))",
		}
	}
	if tv.Size() > maxPairs {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "draw", Msg: fmt.Sprintf("expected at most %d threads times values, found %d",
				maxPairs, tv.Size()),
		}
	}
	h := &holders{rows: int(rows), cols: int(cols), blocks: int(blocks), threads: modes[0].Size(), values: modes[1].Size()}
	var offsets []int64
	if tv.HasBasis() {
		offsets, err = coordinates(tv, tile)
	} else {
		offsets, err = tv.AppendOffsets(nil)
	}
	if err != nil {
		return nil, err
	}
	for i, x := range offsets {
		if x < 0 || x >= rows*cols*blocks {
			offsets[i] = -1
			continue
		}
		offsets[i] = element(x, tile, rows, cols)
	}
	h.fill(offsets)
	return h, nil
}

// coordinates returns the indices in the tile for a layout whose values are coordinates.
func coordinates(tv cute.Layout, tile cute.Tuple) ([]int64, error) {
	out := make([]int64, tv.Size())
	for i := range out {
		c, err := tv.Eval(cute.Int(int64(i)))
		if err != nil {
			return nil, err
		}
		if out[i], err = cute.Crd2Idx(c, tile); err != nil {
			return nil, err
		}
		if ok, err := cute.ElemLess(c, tile); err == nil && !ok {
			out[i] = -1
		}
	}
	return out, nil
}

// ofThreads is holdersOf for threads with the given ascending numbers; nil means all. If there are as many numbers as
// rows of the map, they name all its rows; otherwise they select rows.
func ofThreads(tv cute.Layout, tile cute.Tuple, numbers []int64) (*holders, error) {
	h, err := holdersOf(tv, tile)
	if err != nil || numbers == nil || int64(len(numbers)) > h.threads {
		return h, err
	}
	all := h.threads
	row := func(i int) int64 { return int64(i) }
	if all > int64(len(numbers)) {
		row = func(i int) int64 { return min(numbers[i], all-1) }
	}
	elements := make([]int64, 0, int64(len(numbers))*h.values)
	for v := range h.values {
		for i := range numbers {
			elements = append(elements, int64(h.index[row(i)+v*all]))
		}
	}
	h.threads, h.outside = int64(len(numbers)), 0
	h.fill(elements)
	if last := len(numbers) - 1; last >= 0 && numbers[last] != int64(last) {
		h.numbers = numbers
	}
	return h, nil
}

// number returns the number of thread t.
func (h *holders) number(t int32) int64 {
	if h.numbers == nil || t < 0 {
		return int64(t)
	}
	return h.numbers[t]
}

// fill sets the holders from the element of each pair, in value-major order.
func (h *holders) fill(elements []int64) {
	n := h.rows * h.cols * h.blocks
	h.index = make([]int32, len(elements))
	h.thread, h.value, h.count, h.other = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range h.thread {
		h.thread[i], h.value[i], h.other[i] = -1, -1, -1
	}
	t, v := int32(0), int32(0)
	for i, x := range elements {
		h.index[i] = int32(x)
		switch {
		case x < 0:
			h.outside++
		default:
			if h.count[x] == 0 || t < h.thread[x] || t == h.thread[x] && v < h.value[x] {
				h.other[x] = h.thread[x]
				h.thread[x], h.value[x] = t, v
			} else {
				h.other[x] = t
			}
			h.count[x]++
		}
		if t++; int64(t) == h.threads {
			t, v = 0, v+1
		}
	}
}

// transpose returns the map with rows and columns exchanged, which is how B is drawn.
func (h *holders) transpose() *holders {
	t := *h
	t.rows, t.cols = h.cols, h.rows
	per := h.rows * h.cols
	move := func(x int32) int32 {
		if x < 0 {
			return x
		}
		b, in := int(x)/per, int(x)%per
		return int32(b*per + in%h.cols*t.cols + in/h.cols)
	}
	t.index = make([]int32, len(h.index))
	for i, x := range h.index {
		t.index[i] = move(x)
	}
	n := len(h.thread)
	t.thread, t.value, t.count, t.other = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range h.thread {
		j := move(int32(i))
		t.thread[j], t.value[j], t.count[j], t.other[j] = h.thread[i], h.value[i], h.count[i], h.other[i]
	}
	return &t
}

// sharing returns the number of elements with several holders, the largest number of holders, and the number of
// elements without a holder.
func (h *holders) sharing() (shared, most, none int) {
	for _, n := range h.count {
		switch {
		case n == 0:
			none++
		case n > 1:
			shared++
		}
		most = max(most, int(n))
	}
	return shared, most, none
}

// even reports whether all elements have the same number of holders, so that shared elements are deliberate.
func (h *holders) even() bool {
	for _, n := range h.count {
		if n != h.count[0] {
			return false
		}
	}
	return true
}

// vector returns the longest run of consecutive values of one thread that occurs along a line in all panels, and
// whether it goes across.
func (h *holders) vector() (n int, across bool) {
	down, right := 64, 64
	per := h.rows * h.cols
	for b := range h.blocks {
		next := func(i, j int) bool {
			i, j = i+b*per, j+b*per
			return h.count[i] > 0 && h.count[i] == h.count[j] && h.other[i] == h.other[j] && h.thread[i] == h.thread[j] &&
				h.value[j] == h.value[i]+1
		}
		down = colsOf(h.rows, h.cols).run(down, next)
		right = rowsOf(h.rows, h.cols).run(right, next)
	}
	if right >= down {
		return right, right > 1
	}
	return down, false
}

// tiles returns the extents of the largest blocks, in powers of two, such that all squares of each block have the
// same group; more square blocks are preferred. group may return -1 for none.
func (h *holders) tiles(group func(i int) int64) (rows, cols int) {
	rows, cols = 1, 1
	uniform := func(rows, cols int) bool {
		if h.rows%rows != 0 || h.cols%cols != 0 {
			return false
		}
		for i := range h.thread {
			in := i % (h.rows * h.cols)
			r, c := in/h.cols, in%h.cols
			if group(i) != group(i-in+(r-r%rows)*h.cols+c-c%cols) {
				return false
			}
		}
		return true
	}
	for down, across := true, true; down || across; {
		if across && (cols <= rows || !down) {
			if across = uniform(rows, 2*cols); across {
				cols *= 2
			}
			continue
		}
		if down {
			if down = uniform(2*rows, cols); down {
				rows *= 2
			}
		}
	}
	return rows, cols
}

// rowsOf returns the map restricted to the first cols columns of some rows of the first block. It has no index.
func (h *holders) rowsOf(from, rows, cols int) *holders {
	b := &holders{rows: rows, cols: cols, blocks: 1, threads: h.threads, values: h.values, numbers: h.numbers}
	for r := from; r < from+rows; r++ {
		at := r * h.cols
		b.thread = append(b.thread, h.thread[at:at+cols]...)
		b.value = append(b.value, h.value[at:at+cols]...)
		b.count = append(b.count, h.count[at:at+cols]...)
		b.other = append(b.other, h.other[at:at+cols]...)
	}
	return b
}

// same reports whether both maps assign each value of each thread the same element.
func (h *holders) same(o *holders) bool {
	return h.threads == o.threads && h.values == o.values && slices.Equal(h.index, o.index)
}
