package cute

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"girih/internal/ints"
)

// This file evaluates layouts and converts between coordinates and indices (include/cute/stride.hpp,
// include/cute/underscore.hpp). Integer coordinates decompose as C++ does, by division that truncates
// toward zero with the last mode not reduced, so a layout is an odd function on all integers:
// L(-i) = -L(i).

// At returns the offset of the i-th coordinate in colexicographic order, for any integer i. It returns [CodeCodomain]
// if the offsets are coordinates ([Layout.Eval] returns coordinates), and [CodeOverflow], which cannot happen inside
// the domain.
func (l Layout) At(i int64) (int64, error) {
	if l.cod != nil {
		return 0, errorf(CodeCodomain, "crd2idx", "the offsets of %v are coordinates, not integers", l)
	}
	off, ok := indexOffset(l.v, i)
	if !ok {
		return 0, overflowError("crd2idx", "the offset of index %d in %v", i, l)
	}
	return off, nil
}

// indexOffset evaluates integer leaves, extents then strides, at index i. All extents but the last
// reduce the index, so only the last product can leave 64 bits.
func indexOffset(v []int64, i int64) (off int64, ok bool) {
	n := len(v) / 2
	if n == 0 {
		return 0, true
	}
	s, d := v[:n], v[n:]
	d = d[:len(s)]
	last := n - 1
	if i < 0 {
		for j := range last {
			off += i % s[j] * d[j]
			i /= s[j]
		}
	} else {
		x := uint64(i)
		for j := range last {
			e := uint64(s[j])
			if x < e {
				return off + int64(x)*d[j], true
			}
			if e&(e-1) == 0 {
				off += int64(x&(e-1)) * d[j]
				x >>= uint(bits.TrailingZeros64(e)) & 63
				continue
			}
			q := x / e
			off += int64(x-q*e) * d[j]
			x = q
		}
		i = int64(x)
	}
	p, ok1 := ints.Mul(i, d[last])
	off, ok2 := ints.Add(off, p)
	return off, ok1 && ok2
}

// Eval returns the offset of the coordinate c: an integer, or a tuple if the strides are coordinates. Any coordinate
// weakly congruent to the shape is accepted, in bounds or not: an integer in place of a mode decomposes
// colexicographically, without reducing the last mode. It returns [CodeNotCongruent] for other coordinates, and
// [CodeOverflow].
func (l Layout) Eval(c Tuple) (Tuple, error) { return l.eval(c, nil) }

func (l Layout) eval(c Tuple, t *trace) (Tuple, error) {
	v, err := l.evalVector(c, t)
	if err != nil {
		return Tuple{}, err
	}
	return coordTuple(v, l.cod), nil
}

// evalVector returns the offset of c, one number per axis.
func (l Layout) evalVector(c Tuple, t *trace) ([]int64, error) {
	if c.cod != nil || !WeaklyCongruent(c, l.Shape()) {
		return nil, &Error{
			Code: CodeNotCongruent, Op: "crd2idx",
			Msg:  fmt.Sprintf("%v is not a coordinate of the shape %v", c, l.Shape()),
			Hint: "a coordinate has the parentheses of the shape, or an integer in place of a whole mode",
		}
	}
	s := sum{make([]int64, l.cod.axes()), t.over(l.cod)}
	if !l.accumulate(s, c.v, c.profile(), part{l.profile(), 0, l.leaves()}) {
		return nil, overflowError("crd2idx", "the offset of %v in %v", c, l)
	}
	if t != nil {
		t.place(l.prof)
	}
	return s.v, nil
}

// A sum is a partial offset, one number per axis, and the trace that records its terms.
type sum struct {
	v     []int64
	trace *trace
}

// accumulate adds the offset of the coordinate c, of profile p, within a mode of l. It reports whether everything fits.
func (l Layout) accumulate(s sum, c []int64, p string, q part) bool {
	if p == "." {
		return l.accumulateIndex(s, c[0], q)
	}
	m, n := modesOf(p), modesOf(q.prof)
	ok := true
	for m.next() && n.next() {
		ok = l.accumulate(s, c[m.lo:m.hi], m.prof, part{n.prof, q.lo + n.lo, q.lo + n.hi}) && ok
	}
	return ok
}

// accumulateIndex adds the offset of the integer i within a mode, whose last leaf is unbounded.
func (l Layout) accumulateIndex(s sum, i int64, q part) bool {
	if l.cod == nil && s.trace == nil {
		off, ok := spanOffset(l.v[q.lo:q.hi], l.v[l.leaves()+q.lo:], i)
		at, fits := ints.Add(s.v[0], off)
		s.v[0] = at
		return ok && fits
	}
	ok := true
	e, whole := l.extents(), i
	var each []Digit
	for j := q.lo; j < q.hi && (i != 0 || s.trace != nil); j++ {
		left, x := i, i
		if j < q.hi-1 {
			x = i % e[j]
			i /= e[j]
		}
		if s.trace != nil {
			each = append(each, s.trace.digit(Digit{Left: left, Value: x}, e[j], l.stride(j)))
		}
		for a, d := range l.stride(j) {
			p, o1 := ints.Mul(x, d)
			r, o2 := ints.Add(s.v[a], p)
			s.v[a] = r
			ok = ok && o1 && o2
		}
	}
	if s.trace != nil {
		s.trace.add(Digits{whole, Tuple{v: slices.Clone(e[q.lo:q.hi]), prof: q.prof}, each})
	}
	return ok
}

// addIndex adds the offset of the integer i. It reports whether everything fits.
func (l Layout) addIndex(v []int64, i int64) bool {
	return l.accumulateIndex(sum{v: v}, i, part{l.profile(), 0, l.leaves()})
}

// spanOffset returns the offset of the integer i within leaves with integer strides, the last leaf unbounded.
func spanOffset(extents, strides []int64, i int64) (off int64, ok bool) {
	ok = true
	strides = strides[:len(extents)]
	for j, n := range extents {
		x := i
		if j < len(extents)-1 {
			if x = i % n; x == i {
				i = 0
			} else {
				i /= n
			}
		}
		p, o1 := ints.Mul(x, strides[j])
		sum, o2 := ints.Add(off, p)
		off, ok = sum, ok && o1 && o2
		if i == 0 {
			break
		}
	}
	return off, ok
}

// Crd2Idx returns the colexicographic index of the coordinate c of the shape: (1,2) of (4,8) has index 9. As in
// [Layout.Eval], coordinates may be out of bounds and may have integers in place of modes. It returns
// [CodeNotCongruent], [CodeExtent], [CodeCodomain] for a shape with coordinates, and [CodeOverflow].
func Crd2Idx(c, shape Tuple) (int64, error) { return crd2idx(c, shape, nil) }

func crd2idx(c, shape Tuple, t *trace) (int64, error) {
	if err := checkShape("crd2idx", shape); err != nil {
		return 0, err
	}
	if c.cod != nil || !WeaklyCongruent(c, shape) {
		return 0, errorf(CodeNotCongruent, "crd2idx", "%v is not a coordinate of the shape %v", c, shape)
	}
	if t != nil && !strings.Contains(shape.profile(), "()") { // () has no digits, but its coordinate may be an integer
		return t.index(c, shape)
	}
	idx, _, ok := hornerIndex(c.v, c.profile(), shape.v, shape.profile())
	if !ok {
		return 0, overflowError("crd2idx", "the index of %v in %v", c, shape)
	}
	return idx, nil
}

// hornerIndex returns the index of c within the shape, and the size of the shape.
func hornerIndex(c []int64, p string, s []int64, q string) (idx, size int64, ok bool) {
	size, ok = 1, true
	if p == "." {
		for _, x := range s {
			var o bool
			size, o = ints.Mul(size, x)
			ok = ok && o
		}
		return c[0], size, ok
	}
	m, n := modesOf(p), modesOf(q)
	for m.next() && n.next() {
		i, sz, o1 := hornerIndex(c[m.lo:m.hi], m.prof, s[n.lo:n.hi], n.prof)
		t, o2 := ints.Mul(i, size)
		var o3, o4 bool
		idx, o3 = ints.Add(idx, t)
		size, o4 = ints.Mul(size, sz)
		ok = ok && o1 && o2 && o3 && o4
	}
	return idx, size, ok
}

// Idx2Crd returns the coordinate of the shape that has the given colexicographic index, congruent to the
// shape, the last mode not reduced: 100 in (3,(4,5)) is (1,(1,8)). A tuple of indices is taken mode by mode.
// It returns [CodeNotCongruent], [CodeExtent], and [CodeCodomain] for a shape with coordinates.
//
//go:noinline
func Idx2Crd(i, shape Tuple) (Tuple, error) { return idx2crd(i, shape, nil) }

func idx2crd(i, shape Tuple, t *trace) (Tuple, error) {
	if err := checkShape("idx2crd", shape); err != nil {
		return Tuple{}, err
	}
	if i.cod != nil || !WeaklyCongruent(i, shape) {
		return Tuple{}, errorf(CodeNotCongruent, "idx2crd", "%v is not an index into the shape %v", i, shape)
	}
	v := splitIndex(make([]int64, 0, len(shape.v)), i, shape, t)
	return Tuple{v: v, prof: shape.prof}, nil
}

// splitIndex appends the digits of the indices i in the shape s.
func splitIndex(dst []int64, i, s Tuple, t *trace) []int64 {
	if !i.IsInt() {
		m, n := modesOf(i.profile()), modesOf(s.profile())
		for m.next() && n.next() {
			part := Tuple{v: s.v[n.lo:n.hi], prof: n.prof}
			dst = splitIndex(dst, Tuple{v: i.v[m.lo:m.hi], prof: m.prof}, part, t)
		}
		return dst
	}
	left := i.v[0]
	var each []Digit
	for j, e := range s.v {
		x := left
		if j < len(s.v)-1 {
			x = left % e
		}
		if t != nil {
			each = append(each, Digit{Mode: Leaf{Extent: e}, Left: left, Value: x})
		}
		dst = append(dst, x)
		left /= e
	}
	if t != nil {
		t.add(Digits{i.v[0], s, each})
	}
	return dst
}

// Crd2Crd returns the coordinate of dst with the same index as c in src: CuTe's crd2crd. It returns the errors of
// [Crd2Idx] and [Idx2Crd].
func Crd2Crd(c, src, dst Tuple) (Tuple, error) { return crd2crd(c, src, dst, nil) }

func crd2crd(c, src, dst Tuple, t *trace) (Tuple, error) {
	i, err := crd2idx(c, src, t)
	if err != nil {
		return Tuple{}, err
	}
	return idx2crd(Int(i), dst, t)
}

// Increment returns the coordinate that follows c in colexicographic order within the shape. After the last coordinate
// the last mode continues beyond its extent, as in CuTe's increment. It returns [CodeNotCongruent] unless c is
// congruent to the shape, and [CodeOverflow].
func Increment(c, shape Tuple) (Tuple, error) {
	if err := checkShape("increment", shape); err != nil {
		return Tuple{}, err
	}
	if c.cod != nil || c.profile() != shape.profile() {
		return Tuple{}, errorf(CodeNotCongruent, "increment",
			"expected a coordinate with the nesting of the shape %v, found %v", shape, c)
	}
	v := append([]int64(nil), c.v...)
	for j := range v {
		next, ok := ints.Add(v[j], 1)
		if !ok {
			return Tuple{}, overflowError("increment", "the successor of %v", c)
		}
		v[j] = next
		if j == len(v)-1 || next != shape.v[j] {
			break
		}
		v[j] = 0
	}
	return Tuple{v: v, prof: c.prof}, nil
}

// Derivations of evaluations and conversions of coordinates.

// Digits records how an integer of a coordinate decomposes over a mode of a shape.
type Digits struct {
	Index int64
	Shape Tuple
	Each  []Digit
}

// A Digit is one digit of an index. Left is the part of the index that was not used yet; the digit is Left modulo the
// extent, and for the last extent all of Left. In a layout Term is the digit times the stride.
type Digit struct {
	Mode        Leaf
	Left, Value int64
	Term        Tuple
}

// OpenMode is a mode that a slice leaves open. A fixed mode is recorded as the derivation of its offset, named eval.
type OpenMode struct{ Mode Layout }

func (Digits) derives() {}

func (OpenMode) derives() {}

// digit completes a digit of an index into a layout.
func (t *trace) digit(d Digit, extent int64, stride []int64) Digit {
	d.Mode = t.leaf(extent, stride)
	d.Term, _ = d.Mode.Stride.Scale(d.Value) // a term that exceeds 64 bits ends the evaluation
	return d
}

// place stores the digits as the coordinate of the current derivation, one number for each leaf.
func (t *trace) place(prof string) {
	d := t.top()
	var v []int64
	for _, s := range d.Steps {
		if s, ok := s.(Digits); ok {
			for _, x := range s.Each {
				v = append(v, x.Value)
			}
		}
	}
	d.From = Tuple{v: v, prof: prof}
}

// evalStep is eval as a step of another operation.
func (l Layout) evalStep(c Tuple, t *trace) (Tuple, error) {
	if t == nil {
		return l.eval(c, nil)
	}
	t.begin("eval", l, c)
	v, err := l.eval(c, t)
	t.top().To, t.top().OK = v, err == nil
	t.drop()
	return v, err
}

// recordMode records what a slice does with a mode that is open or fixed as a whole, and adds the mode's offset.
func (s sum) recordMode(l Layout, v []int64, p string, q part) bool {
	mode := l.part(q.prof, q.lo, q.hi)
	if p == openLeaf {
		s.trace.add(OpenMode{mode})
		return true
	}
	s.trace.begin("eval", mode, Tuple{v: v, prof: p})
	defer s.trace.drop()
	off, err := mode.evalVector(Tuple{v: v, prof: p}, s.trace)
	if err != nil {
		return false
	}
	s.trace.top().To, s.trace.top().OK = coordTuple(off, mode.cod), true
	if off, err = rebase(nil, off, mode.cod, l.cod); err != nil {
		return false
	}
	total, ok := addOffsets(s.v, off)
	copy(s.v, total)
	return ok
}

// index returns the index of a coordinate as an offset in a layout whose strides are the products of the extents to the
// left. Modes of extent 1 have such a stride too, for coordinates beyond the shape.
func (t *trace) index(c, shape Tuple) (int64, error) {
	n, size := len(shape.v), int64(1)
	v := append(make([]int64, 0, 2*n), shape.v...)
	for _, e := range shape.v {
		v = append(v, size)
		var ok bool
		if size, ok = ints.Mul(size, e); !ok {
			return 0, overflowError("crd2idx", "the index of %v in %v", c, shape)
		}
	}
	x, err := Layout{v: v, prof: shape.profile()}.evalStep(c, t)
	if err != nil {
		return 0, overflowError("crd2idx", "the index of %v in %v", c, shape)
	}
	return x.v[0], nil
}

// EnumLimit is the largest number of elements that an operation enumerates, such as tables, images and recognition.
// Larger inputs are refused with [CodeLimit].
const EnumLimit = 1 << 22

// checkEnum refuses to enumerate more than EnumLimit elements.
func checkEnum(op string, n int64, what any) error {
	if n > EnumLimit {
		return &Error{
			Code: CodeLimit, Op: op,
			Msg:  fmt.Sprintf("%v has %d elements, more than the %d that are enumerated", what, n, int64(EnumLimit)),
			Hint: "take a slice or a tile of it first",
		}
	}
	return nil
}

// AppendOffsets appends the offsets of all coordinates to dst, in elements, in colexicographic order. It is
// the fast way to evaluate a whole layout: each mode's table is the previous modes' table copied with an
// added stride, about 0.3 ns an element. For coordinate strides each offset takes one number per axis.
// It returns [CodeLimit] above [EnumLimit] elements.
func (l Layout) AppendOffsets(dst []int64) ([]int64, error) { return l.appendOffsets(dst, nil) }

func (l Layout) appendOffsets(dst []int64, stop Until) ([]int64, error) {
	size := l.Size()
	if err := checkEnum("offsets", size, l); err != nil {
		return dst, err
	}
	k := l.cod.axes()
	if n := int(size) * k; cap(dst) == 0 {
		dst = make([]int64, 0, n) // slices.Grow would clear dst at once, which takes long and cannot be stopped
	} else {
		dst = slices.Grow(dst, n)
	}
	at := len(dst)
	table := dst[at : at+int(size)*k]
	clear(table[:k])
	filled := k
	for j, s := range l.extents() {
		var err error
		if filled, err = stop.outerSum(table, filled, int(s), l.stride(j)); err != nil {
			return dst[:at], err
		}
	}
	return dst[:at+int(size)*k], nil
}

// outerSum extends the table of filled numbers to s copies of it, the x-th shifted by x·d.
func (u Until) outerSum(table []int64, filled, s int, d []int64) (int, error) {
	if len(d) == 1 {
		const most = 1 << 16 // numbers between two calls of u: writing to fresh memory is slow
		step, shift := d[0], int64(0)
		for x := 1; x < s; x++ {
			shift += step
			for from := 0; from < filled; from += most {
				if filled >= ints.Every || x%ints.Every == 0 {
					if err := u.ask(); err != nil {
						return 0, err
					}
				}
				base := table[from:min(from+most, filled)]
				dst := table[x*filled+from:]
				for i, b := range base[:min(len(base), len(dst))] {
					dst[i] = b + shift
				}
			}
		}
		return s * filled, nil
	}
	for i := filled; i < s*filled; {
		if err := u.ask(); err != nil {
			return 0, err
		}
		for end := min(i+len(d)*ints.Every, s*filled); i < end; i += len(d) {
			for x, step := range d {
				table[i+x] = table[i+x-filled] + step
			}
		}
	}
	return s * filled, nil
}

// All returns the pairs (index, offset) of all coordinates in colexicographic order. Ranging over it costs
// about 1.5 ns an element and no allocation. A layout with coordinate strides yields nothing; see [Layout.Eval].
func (l Layout) All() iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		if l.cod != nil {
			return
		}
		s, d := l.extents(), l.strides()
		if len(s) == 0 {
			yield(0, 0)
			return
		}
		var buf [16]int64
		c := append(buf[:0], make([]int64, len(s))...)
		size, off := l.Size(), int64(0)
		for i := int64(0); i < size; {
			// A plain loop runs over the innermost mode; the other modes count like an odometer.
			for range s[0] {
				if !yield(i, off) {
					return
				}
				i++
				off += d[0]
			}
			off -= s[0] * d[0]
			for j := 1; j < len(s); j++ {
				c[j]++
				off += d[j]
				if c[j] < s[j] {
					break
				}
				off -= s[j] * d[j]
				c[j] = 0
			}
		}
	}
}

// The leaves in the profile of a Coord.
const (
	openLeaf  = "_"
	fixedLeaf = "."
)

// addOffsets adds two offsets, each an integer or a coordinate tuple.
func addOffsets(a, b []int64) ([]int64, bool) {
	out, ok := slices.Clone(a), true
	for i := range out {
		var o bool
		out[i], o = ints.Add(a[i], b[i])
		ok = ok && o
	}
	return out, ok
}
