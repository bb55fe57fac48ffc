package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// Recognize returns the coalesced layout whose offsets, in colexicographic order, are the given ones. A layout exists
// exactly if the table starts at 0, its longest linear run divides its length, every block of that length repeats the
// first block, shifted, and the shifts form a layout again; the run is then forced to be the first mode, so the answer
// is unique.
//
// If there is no such layout, it returns [CodeNotRepresentable] with the first index at which every layout fails. It
// returns [CodeExtent] for an empty list, [CodeLimit] above [EnumLimit] offsets, and [CodeOverflow].
func Recognize(offsets []int64) (Layout, error) { return recognize(offsets, caller{}) }

func recognize(offsets []int64, c caller) (Layout, error) {
	const op = "recognize"
	if len(offsets) == 0 {
		return Layout{}, &Error{Code: CodeExtent, Op: op, Msg: "expected at least one offset, found none"}
	}
	if err := checkEnum(op, int64(len(offsets)), "the list"); err != nil {
		return Layout{}, err
	}
	if offsets[0] != 0 {
		return Layout{}, &Error{
			Code: CodeNotRepresentable, Op: op,
			Msg:     fmt.Sprintf("a layout maps index 0 to 0, found %d", offsets[0]),
			Witness: &Witness{Coord: Int(0), Value: Int(offsets[0]), Want: Int(0)},
			Hint:    fmt.Sprintf("subtract %d from every offset and keep it as the base", offsets[0]),
		}
	}
	if err := c.ask(); err != nil {
		return Layout{}, err
	}
	m := heapModes(64, 1)
	bad, err := m.recognize(offsets, c)
	if err != nil {
		return Layout{}, err
	}
	if bad != nil {
		e := errorf(CodeNotRepresentable, op, "no layout has these offsets: %s", bad.why)
		e.Witness = &Witness{Coord: Int(bad.index), Index: bad.index, Value: Int(bad.value[0])}
		if bad.want != nil {
			e.Witness.Want = Int(bad.want[0])
		}
		return Layout{}, e
	}
	return m.layout(op, unwrappedProfile(m.n), nil)
}

// A mismatch is the first place at which a table contradicts every layout.
type mismatch struct {
	index       int64
	value, want []int64 // the table's value there, and the value of every layout: nil if that leaves 64 bits
	why         string
}

// recognize appends the modes of the layout that has the table g, k numbers for each entry and 0 at entry 0, or returns
// the first index at which no layout agrees. The error is an error of c.
func (m *modes) recognize(g []int64, c caller) (*mismatch, error) {
	bad, _, err := m.recognizeFirst(g, int64(len(g)/m.k), c)
	return bad, err
}

// recognizeFirst is recognize for a table of n entries if g holds only the first ones. If these entries do not decide,
// more is true and the modes are meaningless.
func (m *modes) recognizeFirst(g []int64, n int64, c caller) (bad *mismatch, more bool, err error) {
	k := m.k
	have := int64(len(g) / k)
	from := m.n
	step := int64(1) // in this round, the entries 0, step, 2·step, ... are examined
	for n > 1 {
		at := func(x int64) []int64 { return g[x*step*int64(k):][:k] }
		there := min(n, (have-1)/step+1)
		if there < 2 {
			return nil, true, nil
		}
		d := at(1)
		run := int64(2)
		for run < there && isMultiple(at(run), run, d) {
			if err := c.at(run); err != nil {
				return nil, false, err
			}
			run++
		}
		if run == there && there < n {
			return nil, true, nil
		}
		if c.trace != nil {
			c.trace.add(Round{n, c.trace.leaf(run, d)})
		}
		if n%run != 0 {
			return uneven(g, k, round{n, step, run}), false, nil
		}
		bad, err := m.blocks(g, round{there, step, run}, c.Until)
		if err != nil {
			return nil, false, err
		}
		if bad != nil {
			return round{n, step, run}.earlier(bad, g, k, c)
		}
		if there < n {
			return nil, true, nil
		}
		m.push(run, d, from)
		n /= run
		step *= run
	}
	if m.n == from {
		m.putAlong(1, 0, 0)
	}
	return nil, false, nil
}

// A round looks at the n entries of a table at distance step; the first run entries are linear.
type round struct{ n, step, run int64 }

// uneven returns the mismatch of a run that does not divide the entries of its round.
func uneven(g []int64, k int, r round) *mismatch {
	n, step, run := r.n, r.step, r.run
	at := func(x int64) []int64 { return g[x*step*int64(k):][:k] }
	return &mismatch{
		index: run * step, value: at(run), want: multiple(run, at(1)),
		why: fmt.Sprintf("the first %d entries at distance %d are linear with step %s, and %d does not divide the %d entries",
			run, step, vectorText(at(1)), run, n),
	}
}

// blocks checks that each block of run entries repeats the first block, shifted.
func (m *modes) blocks(g []int64, r round, stop Until) (*mismatch, error) {
	k, n, step, run := int64(m.k), r.n, r.step, r.run
	since := int64(0) // entries since stop was last called; a block of millions of entries takes some milliseconds
	for y := run; y < n; y += run {
		if since += run; since >= ints.Every {
			since = 0
			if err := stop.ask(); err != nil {
				return nil, err
			}
		}
		start := g[y*step*k:][:k]
		for x := int64(1); x < min(run, n-y); x++ {
			value, first := g[(y+x)*step*k:][:k], g[x*step*k:][:k]
			if isSum(value, start, first) {
				continue
			}
			want, ok := addOffsets(start, first)
			if !ok {
				want = nil
			}
			return &mismatch{
				index: (y + x) * step, value: value, want: want,
				why: fmt.Sprintf("the first %d entries at distance %d must repeat, shifted by %s, from entry %d on",
					run, step, vectorText(start), y*step),
			}, nil
		}
	}
	return nil, nil
}

// earlier returns bad, the mismatch of the blocks of a round, or the mismatch of the starts of the blocks, which are a
// later round, if that comes first. more is as for recognizeFirst.
func (r round) earlier(bad *mismatch, g []int64, k int, c caller) (first *mismatch, more bool, err error) {
	step := r.step * r.run
	starts, err := every(g, k, step, c.Until)
	if err != nil {
		return nil, false, err
	}
	rest := heapModes(64, k)
	later, more, err := rest.recognizeFirst(starts, r.n/r.run, c)
	if err != nil || more {
		return nil, more, err
	}
	if later == nil || later.index*step >= bad.index {
		return bad, false, nil
	}
	later.index *= step
	return later, false, nil
}

// isSum reports whether v is a + b, which does not wrap.
func isSum(v, a, b []int64) bool {
	for i := range v {
		if s, ok := ints.Add(a[i], b[i]); !ok || s != v[i] {
			return false
		}
	}
	return true
}

// every returns the entries of the table g at multiples of step.
func every(g []int64, k int, step int64, stop Until) ([]int64, error) {
	n := (int64(len(g)/k) + step - 1) / step
	out := make([]int64, 0, n*int64(k))
	for i := range n {
		if err := stop.at(i); err != nil {
			return nil, err
		}
		out = append(out, g[i*step*int64(k):][:k]...)
	}
	return out, nil
}

func isMultiple(v []int64, x int64, d []int64) bool {
	for a := range v {
		if p, ok := ints.Mul(x, d[a]); !ok || p != v[a] {
			return false
		}
	}
	return true
}

// multiple returns x·d, or nil if that does not fit.
func multiple(x int64, d []int64) []int64 {
	out := make([]int64, len(d))
	for a := range d {
		var ok bool
		if out[a], ok = ints.Mul(x, d[a]); !ok {
			return nil
		}
	}
	return out
}

func equalVectors(a, b []int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// vectorText returns the offset vector x as text: a number, or a tuple.
func vectorText(x []int64) string {
	if len(x) == 1 {
		return fmt.Sprint(x[0])
	}
	return Ints(x...).String()
}

// ArithmeticTuple returns the coordinate t as one leaf with element i along axis i: (1,(0,2)) becomes 1@0+2@1@1, the
// stride with which a layout maps 1 to t. A leaf is returned as it is. The function is CuTe's as_arithmetic_tuple. It
// returns [CodeCodomain] if a leaf of a tuple is not an integer, or if t is wider or nested deeper than [MaxAxisPath].
func ArithmeticTuple(t Tuple) (Tuple, error) {
	if t.prof == "." {
		return t, nil
	}
	if t.cod != nil {
		return Tuple{}, errorf(CodeCodomain, "as_arithmetic_tuple", "the numbers of a coordinate are integers, found %v", t)
	}
	cod, err := newCodomain(leafPaths(nil, t.profile(), nil))
	if err != nil {
		return Tuple{}, err
	}
	if cod == nil {
		return Int(0), nil
	}
	v, cod := trimAxes(slices.Clone(t.v), cod)
	return Tuple{v: v, prof: ".", cod: cod}, nil
}

// RecognizeCoordinates returns the coalesced layout that has the given coordinates at the indices 0, 1, 2, ..., in
// colexicographic order: [Recognize] for coordinate strides. The coordinates are tuples of one nesting, such as
// (1,(0,2)), or leaves such as 1@0+2@1; element i of a tuple is along axis i. The conditions of Recognize must hold on
// each axis.
//
// If there is no such layout, it returns [CodeNotRepresentable] with the first index at which every layout fails. It
// returns [CodeExtent] for an empty list, [CodeNotCongruent] for coordinates of different nesting, [CodeCodomain] for a
// coordinate without numbers or with too many, [CodeLimit] above [EnumLimit] numbers, and [CodeOverflow].
func RecognizeCoordinates(coords []Tuple) (Layout, error) { return recognizeCoordinates(coords, nil) }

func recognizeCoordinates(coords []Tuple, t *trace) (Layout, error) {
	const op = "recognize"
	if len(coords) == 0 {
		return Layout{}, &Error{Code: CodeExtent, Op: op, Msg: "expected at least one coordinate, found none"}
	}
	cod, err := coordinateAxes(op, coords)
	if err != nil {
		return Layout{}, err
	}
	k := cod.axes()
	if err := checkEnum(op, int64(len(coords))*int64(k), "the list"); err != nil {
		return Layout{}, err
	}
	table := make([]int64, 0, len(coords)*k)
	for _, c := range coords {
		if c.prof != "." {
			table = append(table, c.v...) // the leaves are the axes
		} else if table, err = rebase(table, c.v, c.cod, cod); err != nil {
			return Layout{}, err
		}
	}
	spelt := func(x []int64) Tuple {
		if x == nil {
			return Tuple{}
		}
		if p := coords[0].profile(); p != "." {
			return Tuple{v: x, prof: p}
		}
		v, c := trimAxes(x, cod)
		return Tuple{v: v, prof: ".", cod: c}
	}
	if !isZero(table[:k]) {
		first := spelt(table[:k])
		return Layout{}, &Error{
			Code: CodeNotRepresentable, Op: op,
			Msg:     fmt.Sprintf("a layout maps index 0 to 0, found %v", first),
			Witness: &Witness{Coord: Int(0), Value: first, Want: spelt(make([]int64, k))},
			Hint:    fmt.Sprintf("subtract %v from every coordinate and keep it as the offset", first),
		}
	}
	m := heapModes(64, k)
	bad, err := m.recognize(table, caller{trace: t.over(cod)})
	if err != nil {
		return Layout{}, err
	}
	if bad != nil {
		return Layout{}, &Error{
			Code: CodeNotRepresentable, Op: op, Msg: fmt.Sprintf("no layout has these coordinates: %s", bad.why),
			Witness: &Witness{Coord: Int(bad.index), Index: bad.index, Value: spelt(bad.value), Want: spelt(bad.want)},
		}
	}
	return m.layout(op, unwrappedProfile(m.n), cod)
}

// coordinateAxes returns the axes of the coordinates: one for each leaf of a tuple, or the axes that the leaves name.
func coordinateAxes(op string, coords []Tuple) (cod *codomain, err error) {
	p := coords[0].profile()
	for i, c := range coords {
		if c.profile() != p {
			return nil, errorf(CodeNotCongruent, op,
				"expected coordinates of one nesting, found %v at index 0 and %v at index %d", coords[0], c, i)
		}
		if c.cod != nil && p != "." {
			return nil, errorf(CodeCodomain, op, "the numbers of a coordinate are integers, found %v at index %d", c, i)
		}
		if cod, err = unifyCodomains(cod, c.cod); err != nil {
			return nil, err
		}
	}
	if p == "." {
		return cod, nil
	}
	if cod, err = newCodomain(leafPaths(nil, p, nil)); err == nil && cod == nil {
		err = errorf(CodeCodomain, op, "a coordinate has at least one number, found %v", coords[0])
	}
	return cod, err
}

// A Round is one round of recognize. It looks at the entries at which the runs of the round before begin, and finds the
// longest linear run from the first of them. If the run does not divide the number of these entries, no layout has the
// table.
type Round struct {
	Entries int64
	Mode    Leaf
}

func (Round) derives() {}

// Recognize is the function [Recognize]. It returns the errors of Recognize and of u.
func (u Until) Recognize(offsets []int64) (Layout, error) {
	return recognize(offsets, caller{Until: u})
}
