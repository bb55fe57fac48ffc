package banks

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/ints"
)

// Threads tells which elements of a memory each thread accesses, and in which order. The zero Threads is the default:
// one warp, whose lanes take consecutive vectors in the order of the memory's index; for ldmatrix and stmatrix,
// consecutive rows of 16 bytes as they are stored. See also [Rows], [Cols], [TV] and [Partition].
type Threads struct {
	kind     threadsKind
	tv       Memory
	thr, val cute.Layout
	stop     func() error // see Until
}

// Until returns t with a function that plans with t call once for each warp, to ask whether to continue; plans return
// the function's error. With nil, plans always continue.
func (t Threads) Until(stop func() error) Threads {
	t.stop = stop
	return t
}

type threadsKind uint8

const (
	byDefault threadsKind = iota
	byRows
	byCols
	byTV
	byPartition
)

// Rows returns the assignment in which one warp runs along mode 0 first: consecutive lanes take consecutive rows, one
// vector each. Vectors run along the first mode in which enough elements are contiguous.
func Rows() Threads { return Threads{kind: byRows} }

// Cols returns the assignment in which one warp runs along mode 1 first: consecutive lanes take consecutive columns, or
// vectors of columns, then the next row.
func Cols() Threads { return Threads{kind: byCols} }

// TV returns the assignment of a thread-value layout, CuTe's layout_tv: mode 0 is the thread, the other modes are the
// value, and the result is the element's colexicographic index or coordinate. The memory is composed with it,
// composition(L, TV). Each instruction accesses the next values of a thread, as many as the access width holds.
func TV(tv Memory) Threads { return Threads{kind: byTV, tv: tv} }

// Partition returns the assignment of CuTe's local_partition and make_tiled_copy: thr maps the coordinates of a tile to
// threads and val maps the coordinates of each thread's part to values, as thr_layout and val_layout do; the tile is
// repeated over the memory, mode by mode. Without a second argument val is 1:0, one element for each thread and tile.
func Partition(thr cute.Layout, val ...cute.Layout) Threads {
	t := Threads{kind: byPartition, thr: thr}
	if len(val) > 0 {
		t.val = val[0]
	}
	return t
}

// ask returns the error of the function of Until.
func (t Threads) ask() error {
	if t.stop == nil {
		return nil
	}
	return t.stop()
}

// An assignment lists, for every thread, the indices of its elements in the order of its values.
type assignment struct {
	threads, values int
	index           []int32 // ordered by thread
	warps           bool    // threads are numbered over all warps; otherwise the lanes of one warp repeat
	how             func() string
}

// assign lists the elements. vector is the number of elements that one lane accesses together.
func (t Threads) assign(r *Rule, mem Memory, offsets []int64, vector int) (assignment, error) {
	switch t.kind {
	case byTV:
		return assignTV(t.tv, mem)
	case byPartition:
		return assignPartition(t.thr, t.val, mem)
	}
	return t.assignVectors(r, mem, offsets, vector)
}

// assignVectors gives consecutive lanes consecutive vectors.
func (t Threads) assignVectors(r *Rule, mem Memory, offsets []int64, vector int) (assignment, error) {
	sizes, err := modeSizes(mem.Shape())
	if err != nil {
		return assignment{}, err
	}
	if len(sizes) == 0 {
		sizes = []int64{1}
	}
	along, longest := vectorMode(sizes, offsets, int64(vector))
	if longest < int64(vector) {
		return assignment{}, refuse(cute.CodeNotDivisible, "choose a narrower access, or give the elements of each thread with a thread-value layout",
			"%v accesses %d contiguous elements, and no mode of %v splits into more than %d", r.access, vector, mem, longest)
	}
	if t.kind == byCols && len(sizes) < 2 {
		return assignment{}, refuse(cute.CodeRank, "", "lanes go along columns of a memory with at least 2 modes, found %v",
			mem)
	}
	order := t.order(len(sizes), along, r.access.op)
	n := len(sizes)
	table := make([]int64, 3*n)
	weight, extent, step := table[:n], table[n:2*n], table[2*n:]
	total := int64(1)
	for i, n := range sizes {
		weight[i] = total
		total *= n
	}
	copy(extent, sizes)
	copy(step, weight)
	extent[along] /= int64(vector)
	step[along] *= int64(vector)
	vectors := total / int64(vector)
	if r.access.op.isMatrix() && vectors%int64(r.lanes) != 0 {
		return assignment{}, refuse(cute.CodeNotDivisible, "give the rows of each lane with a thread-value layout",
			"%v takes %d rows of 16 bytes, and %v has %d", r.access, r.lanes, mem, vectors)
	}
	a := assignment{
		threads: int(vectors), values: vector, index: make([]int32, 0, ints.RoundUp(total, int64(r.lanes*vector))),
		how: words(order, along, vector, r.access.op),
	}
	for i := range vectors {
		first, rest := int64(0), i
		for _, m := range order {
			first += rest % extent[m] * step[m]
			rest /= extent[m]
		}
		for v := range int64(vector) {
			a.index = append(a.index, int32(first+v*weight[along]))
		}
	}
	return a, nil
}

// order returns the modes in the order in which consecutive lanes traverse them; vectors run along one mode.
func (t Threads) order(modes, along int, op Op) []int {
	order := make([]int, modes)
	for i := range order {
		order[i] = i
	}
	switch {
	case t.kind == byCols:
		order[0], order[1] = 1, 0
	case t.kind == byDefault && op.isMatrix():
		order = append(slices.Delete(order, along, along+1), along)
	}
	return order
}

// words returns, in words, how assignVectors distributes the elements.
func words(order []int, along, vector int, op Op) func() string {
	return func() string { return vectorWords(order, along, vector, op) }
}

func vectorWords(order []int, along, vector int, op Op) string {
	var b strings.Builder
	b.WriteString("one warp; consecutive lanes take consecutive coordinates of mode ")
	if op == BulkCopy {
		b.Reset()
		b.WriteString("one thread; consecutive copies take consecutive coordinates of mode ")
	}
	for i, m := range order {
		if i > 0 {
			b.WriteString(", then ")
		}
		fmt.Fprint(&b, m)
	}
	if vector > 1 {
		what := "vectors"
		switch {
		case op.isMatrix():
			what = "rows"
		case op == BulkCopy:
			what = "runs"
		}
		fmt.Fprintf(&b, ", in %s of %d elements along mode %d", what, vector, along)
	}
	return b.String()
}

// vectorMode returns the first mode along which a vector of n elements is contiguous, judged by the first vector, and
// n. If there is no such mode, longest is the length of the longest vectors into which any mode splits.
func vectorMode(sizes, offsets []int64, n int64) (mode int, longest int64) {
	weight := int64(1)
	longest = 1
	for m, size := range sizes {
		run := int64(1)
		for run < size && offsets[run*weight]-offsets[0] == run {
			run++
		}
		if n == 1 || (run >= n && size%n == 0) {
			return m, n
		}
		for k := min(run, n); k > longest; k-- {
			if size%k == 0 {
				longest = k
			}
		}
		weight *= size
	}
	return 0, longest
}

// assignTV lists the elements of a thread-value layout.
func assignTV(tv, mem Memory) (assignment, error) {
	a, table, err := tvAssignment(tv, mem)
	for i, x := range table {
		a.index[a.place(i)] = int32(x)
	}
	return a, err
}

// assignFar lists the elements of a thread-value layout in a memory that is too large to be enumerated. It returns the
// offsets of these elements; the list contains places among these offsets instead of indices in the memory.
func assignFar(tv, mem Memory) (assignment, []int64, error) {
	a, table, err := tvAssignment(tv, mem)
	if err != nil {
		return a, nil, err
	}
	at, ok := mem.(interface {
		Eval(cute.Tuple) (cute.Tuple, error)
	})
	if !ok {
		_, err := offsetsOf(mem, nil)
		return a, nil, err
	}
	elements := slices.Clone(table)
	slices.Sort(elements)
	elements = slices.Compact(elements)
	offsets := make([]int64, len(elements))
	for i, x := range elements {
		v, err := at.Eval(cute.Int(x))
		if err != nil {
			return a, nil, err
		}
		offsets[i], _ = v.Int64()
	}
	for i, x := range table {
		e, _ := slices.BinarySearch(elements, x)
		a.index[a.place(i)] = int32(e)
	}
	return a, offsets, nil
}

// place returns where in the index entry i of a thread-value table is; threads run fastest in the table.
func (a *assignment) place(i int) int { return i%a.threads*a.values + i/a.threads }

// tvAssignment returns the assignment of a thread-value layout without its index, and the table of its entries, each an
// element of the memory.
func tvAssignment(tv, mem Memory) (a assignment, table []int64, err error) {
	sizes, err := modeSizes(tv.Shape())
	if err != nil {
		return a, nil, err
	}
	if len(sizes) == 0 {
		return a, nil, refuse(cute.CodeRank, "",
			"a thread-value layout has a mode for threads and one for values, found %v", tv)
	}
	if table, err = tvTable(tv, mem); err != nil {
		return a, nil, err
	}
	threads := int(sizes[0])
	values := len(table) / threads
	a = assignment{threads: threads, values: values, warps: true, index: make([]int32, len(table))}
	a.how = func() string {
		return fmt.Sprintf("%s, %s each: (thread,value) -> index is %v", number(threads, "thread"),
			number(values, "value"), tv)
	}
	for i, x := range table {
		if x < 0 || x >= mem.Size() {
			return a, nil, refuse(cute.CodeNotRepresentable, "the thread-value layout maps (thread,value) to the index of an element, counted from 0",
				"thread %d, value %d has the index %d, and %v has %s", i%threads, i/threads, x, mem,
				number(int(mem.Size()), "element"))
		}
	}
	return a, table, nil
}

// tvTable returns the element indices of all (thread,value); coordinates are converted to indices.
func tvTable(tv, mem Memory) ([]int64, error) {
	l, ok := tv.(cute.Layout)
	if !ok || !l.HasBasis() {
		return tv.AppendOffsets(nil)
	}
	if l.Size() > cute.EnumLimit {
		_, err := tv.AppendOffsets(nil)
		return nil, err
	}
	table := make([]int64, 0, l.Size())
	for i := range l.Size() {
		c, err := l.Eval(cute.Int(i))
		if err != nil {
			return nil, err
		}
		x, err := cute.Crd2Idx(c, mem.Shape())
		if err != nil {
			return nil, err
		}
		table = append(table, x)
	}
	return table, nil
}

// number returns "1 thread", "2 threads".
func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
