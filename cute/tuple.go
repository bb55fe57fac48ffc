package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// A Tuple is a hierarchical tuple of integers (CuTe's IntTuple): an integer, or a tuple of tuples.
// Shapes, strides and coordinates are tuples. The leaves of a stride may also be coordinates such as
// 2@1 (see [Basis]). The zero Tuple is the empty tuple (). Tuples are immutable.
//
// v holds the leaves from left to right, each as one number per axis of cod; prof is the nesting.
type Tuple struct {
	v    []int64
	prof string
	cod  *codomain
}

// Int returns the integer x as a Tuple of depth 0.
//
//go:noinline
func Int(x int64) Tuple { return Tuple{v: []int64{x}, prof: "."} }

// Ints returns the flat tuple of the given integers. Ints(8) is the 1-tuple (8), which is not 8.
func Ints(xs ...int64) Tuple { return Tuple{v: slices.Clone(xs), prof: flatProfile(len(xs))} }

// Basis returns the coordinate leaf x·e at the given path into the codomain, outermost index first:
// Basis(2, 1) is 2@1 and Basis(1, 0, 1) is 1@1@0, because CuTe prints the innermost index first.
// It returns [CodeCodomain] for an empty path or an index outside 0..[MaxAxisPath].
func Basis(x int64, path ...int) (Tuple, error) {
	c, err := newCodomain([][]int{path})
	if err != nil {
		return Tuple{}, err
	}
	v, c := trimAxes([]int64{x}, c)
	return Tuple{v: v, prof: ".", cod: c}, nil
}

// MakeTuple returns the tuple of the given elements, nested one level deeper.
// It returns [CodeCodomain] if the leaves mix nonzero integers with coordinates, or coordinates of different depth.
func MakeTuple(elems ...Tuple) (Tuple, error) {
	var cod *codomain
	profs := make([]string, len(elems))
	total := 0
	for i, e := range elems {
		var err error
		if cod, err = unifyCodomains(cod, e.cod); err != nil {
			return Tuple{}, err
		}
		profs[i] = e.profile()
		total += len(e.v)
	}
	v := make([]int64, 0, total)
	for _, e := range elems {
		var err error
		if v, err = rebase(v, e.v, e.cod, cod); err != nil {
			return Tuple{}, err
		}
	}
	return Tuple{v: v, prof: joinProfiles(profs...), cod: cod}, nil
}

// profile makes the zero Tuple the empty tuple.
func (t Tuple) profile() string {
	if t.prof == "" {
		return "()"
	}
	return t.prof
}

// leaves returns the number of leaves.
func (t Tuple) leaves() int { return len(t.v) / t.cod.axes() }

// at returns leaf i as a vector over the axes.
func (t Tuple) at(i int) []int64 {
	k := t.cod.axes()
	return t.v[i*k : (i+1)*k]
}

// IsInt reports whether t is a single integer, not a tuple.
func (t Tuple) IsInt() bool { return t.prof == "." && t.cod == nil }

// Terms calls f for each term of the leaf t: x times the unit of the axis at path, outermost mode first. For an integer
// the path is nil. f must not change the path. A leaf 0 and a tuple have no terms.
//
//go:noinline
func (t Tuple) Terms(f func(x int64, path []int)) {
	if t.prof != "." {
		return
	}
	for a, x := range t.v {
		switch {
		case x == 0:
		case t.cod == nil:
			f(x, nil)
		default:
			f(x, t.cod.paths[a])
		}
	}
}

// Int64 returns t as an integer, and whether t is an integer.
//
//go:noinline
func (t Tuple) Int64() (int64, bool) {
	if !t.IsInt() {
		return 0, false
	}
	return t.v[0], true
}

// Rank returns the number of top-level modes; an integer has rank 1.
//
//go:noinline
func (t Tuple) Rank() int { return profileRank(t.profile()) }

// Depth returns the depth of the nesting: 0 for an integer, 1 for a flat tuple.
//
//go:noinline
func (t Tuple) Depth() int { return profileDepth(t.profile()) }

// HasBasis reports whether a leaf of t is a coordinate such as 2@1.
func (t Tuple) HasBasis() bool { return t.cod != nil }

// LeafCount returns the number of leaves, integers and coordinates; () has 0. It takes constant time.
func (t Tuple) LeafCount() int { return t.leaves() }

// NodeCount returns the number of leaves and of tuples in t, including t: 3 for ((),()). It takes constant time.
func (t Tuple) NodeCount() int { return (len(t.profile()) + t.leaves()) / 2 }

// NumberCount returns how many numbers hold the leaves: one for each integer, and one per axis for each coordinate.
func (t Tuple) NumberCount() int { return len(t.v) }

// Leaves returns the integer leaves from left to right, or nil if a leaf is a coordinate.
//
//go:noinline
func (t Tuple) Leaves() []int64 {
	if t.cod != nil {
		return nil
	}
	return slices.Clone(t.v)
}

// Mode returns the mode at the given path: t.Mode(1, 0) is mode 0 of mode 1, t.Mode() is t. It returns [CodeMode] if
// there is no such mode.
func (t Tuple) Mode(path ...int) (Tuple, error) {
	prof, lo, hi, err := descend(t.profile(), path)
	if err != nil {
		return Tuple{}, err
	}
	k := t.cod.axes()
	v, cod := trimAxes(t.v[lo*k:hi*k], t.cod)
	return Tuple{v: v, prof: prof, cod: cod}, nil
}

// Modes returns the top-level modes from left to right; the only mode of an integer is the integer.
//
//go:noinline
func (t Tuple) Modes() []Tuple {
	if t.prof == "." {
		return []Tuple{t}
	}
	var ms []Tuple
	k := t.cod.axes()
	for m := modesOf(t.profile()); m.next(); {
		v, cod := trimAxes(t.v[m.lo*k:m.hi*k], t.cod)
		ms = append(ms, Tuple{v: v, prof: m.prof, cod: cod})
	}
	return ms
}

// descend follows a path of mode numbers into a profile and returns the subtree and its leaves [lo, hi).
func descend(prof string, path []int) (sub string, lo, hi int, err error) {
	sub, hi = prof, profileLeaves(prof)
	for step, want := range path {
		found := false
		m := modesOf(sub)
		// As in CuTe, an integer has rank 1 and is its own mode 0, but no path leads below a leaf.
		if sub == "." && step == 0 && want == 0 {
			continue
		}
		if sub == "." {
			return "", 0, 0, errorf(CodeMode, "get",
				"mode %s does not exist: the path goes below an integer at step %d", pathText(path), step)
		}
		for i := 0; m.next(); i++ {
			if i == want {
				sub, lo, hi, found = m.prof, lo+m.lo, lo+m.hi, true
				break
			}
		}
		if !found {
			return "", 0, 0, errorf(CodeMode, "get",
				"mode %s does not exist: at step %d there are %d modes, numbered from 0, found %d",
				pathText(path), step, profileRank(sub), want)
		}
	}
	return sub, lo, hi, nil
}

func pathText(path []int) string {
	if len(path) == 1 {
		return fmt.Sprint(path[0])
	}
	xs := make([]int64, len(path))
	for i, p := range path {
		xs[i] = int64(p)
	}
	return Ints(xs...).String()
}

// Equal reports whether t and u are the same tuple: the same nesting and the same leaves.
func (t Tuple) Equal(u Tuple) bool {
	return t.profile() == u.profile() && equalCodomains(t.cod, u.cod) && slices.Equal(t.v, u.v)
}

// String returns the canonical text, such as "(4,(2,2))"; [ParseTuple] reads it back.
//
//go:noinline
func (t Tuple) String() string { return string(t.Append(nil)) }

// Append appends the canonical text of t to b.
func (t Tuple) Append(b []byte) []byte {
	leaf := 0
	prof := t.profile()
	for i := range len(prof) {
		switch prof[i] {
		case '.':
			b = appendVector(b, t.at(leaf), t.cod)
			leaf++
		default:
			b = append(b, prof[i])
		}
		if i+1 < len(prof) && prof[i] != '(' && prof[i+1] != ')' {
			b = append(b, ',')
		}
	}
	return b
}

// Flatten returns the leaves of t as a flat tuple; an integer stays an integer.
func (t Tuple) Flatten() Tuple {
	if t.prof == "." {
		return t
	}
	return Tuple{v: t.v, prof: flatProfile(t.leaves()), cod: t.cod}
}

// Add returns the elementwise sum of two tuples. As CuTe's tuple addition does, it pads the shorter tuple
// with zeros at the end, and the integer 0 is neutral.
// It returns [CodeNotCongruent] if an integer meets a tuple, [CodeCodomain] and [CodeOverflow].
//
//go:noinline
func (t Tuple) Add(u Tuple) (Tuple, error) { return addition{"tuple_add", ints.Add, true}.of(t, u) }

// Sub returns the elementwise difference, padding the shorter tuple with zeros at the end.
// It returns the errors of [Tuple.Add].
func (t Tuple) Sub(u Tuple) (Tuple, error) { return addition{"tuple_sub", ints.Sub, false}.of(t, u) }

// Scale returns t with every leaf multiplied by x. It returns [CodeOverflow].
func (t Tuple) Scale(x int64) (Tuple, error) {
	v := make([]int64, len(t.v))
	for i, y := range t.v {
		p, ok := ints.Mul(x, y)
		if !ok {
			return Tuple{}, overflowError("", "%v times %d", t, x)
		}
		v[i] = p
	}
	v, cod := trimAxes(v, t.cod)
	return Tuple{v: v, prof: t.prof, cod: cod}, nil
}

// An addition is the sum or the difference of two tuples, leaf by leaf.
type addition struct {
	op       string
	f        func(a, b int64) (int64, bool)
	commutes bool
}

// ofLeaves is of for leaves, which may have axes.
func (p addition) ofLeaves(t, u Tuple) (Tuple, error) {
	cod, err := unifyCodomains(t.cod, u.cod)
	if err != nil {
		return Tuple{}, err
	}
	x, err := rebase(nil, t.v, t.cod, cod)
	if err != nil {
		return Tuple{}, err
	}
	y, err := rebase(nil, u.v, u.cod, cod)
	if err != nil {
		return Tuple{}, err
	}
	for i := range x {
		s, ok := p.f(x[i], y[i])
		if !ok {
			return Tuple{}, overflowError(p.op, "%v and %v", t, u)
		}
		x[i] = s
	}
	x, cod = trimAxes(x, cod)
	return Tuple{v: x, prof: ".", cod: cod}, nil
}

func (p addition) of(t, u Tuple) (Tuple, error) {
	if u.IsInt() && u.v[0] == 0 {
		return t, nil
	}
	if p.commutes && t.IsInt() && t.v[0] == 0 {
		return u, nil
	}
	if (t.prof == ".") != (u.prof == ".") {
		return Tuple{}, errorf(CodeNotCongruent, p.op, "expected two integers or two tuples, found %v and %v", t, u)
	}
	if t.prof == "." {
		return p.ofLeaves(t, u)
	}
	a, b := t.Modes(), u.Modes()
	sum := make([]Tuple, max(len(a), len(b)))
	for i := range sum {
		x, y := Int(0), Int(0)
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if i >= len(a) {
			x = zeroLike(y)
		}
		var err error
		if sum[i], err = p.of(x, y); err != nil {
			return Tuple{}, err
		}
	}
	return MakeTuple(sum...)
}

// zeroLike returns the tuple of zeros with the nesting of t.
func zeroLike(t Tuple) Tuple {
	return Tuple{v: make([]int64, t.leaves()), prof: t.profile()}
}

//go:noinline
func overflowError(op, format string, args ...any) *Error {
	return &Error{Code: CodeOverflow, Op: op, Msg: fmt.Sprintf(format, args...) + " leave the range of 64-bit integers"}
}

// coordTuple returns a leaf vector as a coordinate: over the axes @0 and @1@1 the vector (2, 3) is the tuple (2,(0,3)).
// An integer stays an integer.
//
//go:noinline
func coordTuple(x []int64, c *codomain) Tuple {
	if c == nil {
		return Tuple{v: []int64{x[0]}, prof: "."}
	}
	v := make([]int64, profileLeaves(c.prof))
	for a, l := range c.leaf {
		v[l] = x[a]
	}
	return Tuple{v: v, prof: c.prof}
}

// Product returns the product of all leaves, which is 1 for (). It returns [CodeOverflow], and [CodeCodomain] if a leaf
// is a coordinate.
func (t Tuple) Product() (int64, error) {
	if t.cod != nil {
		return 0, errorf(CodeCodomain, "product", "coordinates have no product: %v", t)
	}
	if slices.Contains(t.v, 0) {
		return 0, nil
	}
	p, ok := int64(1), true
	for _, x := range t.v {
		var o bool
		p, o = ints.Mul(p, x)
		ok = ok && o
	}
	if !ok {
		return 0, overflowError("product", "the product of %v", t)
	}
	return p, nil
}

// Congruent reports whether a and b have the same nesting.
func Congruent(a, b Tuple) bool { return a.profile() == b.profile() }

// WeaklyCongruent reports whether a has the nesting of b with some modes of b collapsed to leaves: an integer is weakly
// congruent to everything. A tuple is a coordinate of a shape if it is weakly congruent to the shape.
func WeaklyCongruent(a, b Tuple) bool { return weaklyCongruentProfiles(a.profile(), b.profile()) }
