package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file solves A o X = B for a layout X: A(X(c)) = B(c) for every index c of B.
//
// X(c) must be an index at which A has the value B(c). If A is injective, there is at most one such index, so X is
// unique as a function. Otherwise there are choices, but few of them: X is a layout, so once its values below the radix
// product p are known, the next stride d = X(p) and extent s give all values below p·s,
//
//	X(r + k·p) = X(r) + k·d   for r < p and k < s
//
// and d must be an index with A(d) = B(p). The search takes d from these indices in increasing order and s from the
// prime factors that are left, and ends a branch at the first index where A o X is not B.
//
//	A = (4,2):(1,2)   values 0 1 2 3 2 3 4 5, then 4 5 6 7, ...     B = 4:2   values 0 2 4 6
//	p = 1             d is 2 or 4: A has the value 2 at both
//	d = 2, p = 2      the next d is 6 or 8, where A is 4; X(3) would be 2 + 6 = 8, where A is 4, not 6
//	                  or 2 + 8 = 10, where it is 6: X = (2,2):(2,8), beyond the 8 elements of A
//
// A continues beyond its size as its last mode does, and so may X: first X is sought within the domain of A, in the
// shape of B, then beyond that domain, then in any shape.

// Solutions are the layouts that solve an equation.
type Solutions struct {
	// X is the smallest solution. For A o X = B it has the least value at the first index where two solutions differ;
	// for X o A = B it has the fewest modes among the solutions whose size is just large enough for the offsets of A.
	X Layout
	// Others contains a few other solutions of A o X = B. More reports that there are more solutions than these.
	Others []Layout
	More   bool
	// Beyond reports that values of X are indices beyond the size of A, where its last mode continues.
	Beyond bool
	// Free is the number of indices of X, for X o A = B, that are not offsets of A: the equation says nothing there.
	Free int64
}

// SolveBudget is how many values a search for solutions may look at before it gives up.
const SolveBudget = 1 << 24

// maxOthers is the number of other solutions that are listed.
const maxOthers = 4

const opSolveInner = "solve_inner"

// SolveInner returns the layouts X with A o X = B, the smallest one with the domain of B.
//
// It returns [CodeNotRepresentable] if there is none. The witness is the first index c at which B(c) is not a value of
// A; or else the first index at which every layout fails that solves the equation below that index. It returns
// [CodeCodomain] for coordinates, [CodeLimit] above [EnumLimit] elements of A or B and if [SolveBudget] does not decide
// it. It also returns the errors of u, which may be nil.
func (u Until) SolveInner(a, b Layout) (Solutions, error) {
	q, err := newInnerSolver(a, b, u)
	if err != nil {
		return Solutions{}, err
	}
	var deepest int64
	for _, shaped := range []bool{true, false} {
		q.bounds = []int64{q.size()}
		if shaped {
			q.bounds = boundsOf(b)
		}
		for _, beyond := range []bool{false, true} {
			q.beyond = beyond
			s, err := q.run()
			if err != nil || s.X.prof != "" {
				return s, err
			}
			deepest = max(deepest, q.deepest)
		}
	}
	return Solutions{}, q.impossible(deepest)
}

// An innerSolver looks for X with A o X = B.
type innerSolver struct {
	a, b   Layout
	base   []int64 // the values of A without its last leaf
	extent int64   // the extent of the last leaf
	stride int64   // the stride of the last leaf
	want   []int64 // the values of B
	bounds []int64 // radix products that X must have, such as the products of the shape of B
	beyond bool    // X may leave the domain of A

	x       []int64 // the values of X that are already determined
	at      map[int64][]int64
	looks   int
	deepest int64 // the first index at which the best branch fails
	stop    Until
	stopped error
}

// boundsOf returns the radix products of a shape, without repetitions.
func boundsOf(b Layout) []int64 {
	var all []int64
	p := int64(1)
	for _, s := range b.extents() {
		if p *= s; s > 1 {
			all = append(all, p)
		}
	}
	if all == nil {
		all = []int64{1}
	}
	return all
}

func newInnerSolver(a, b Layout, u Until) (*innerSolver, error) {
	for _, l := range []Layout{a, b} {
		if l.HasBasis() {
			return nil, errorf(CodeCodomain, opSolveInner, "expected values that are integers, found coordinates of %v", l)
		}
		if err := checkEnum(opSolveInner, l.Size(), l); err != nil {
			return nil, err
		}
	}
	q := &innerSolver{a: a, b: b, stop: u, extent: 1}
	n := a.leaves()
	head := Layout{v: []int64{1, 0}, prof: "."}
	if n > 0 {
		q.extent, q.stride = a.extents()[n-1], a.strides()[n-1]
	}
	if n > 1 {
		v := slices.Concat(a.extents()[:n-1], a.strides()[:n-1])
		head = Layout{v: v, prof: flatProfile(n - 1)}
	}
	var err error
	if q.base, err = head.AppendOffsets(nil); err != nil {
		return nil, err
	}
	q.want, err = b.appendOffsets(nil, u)
	return q, err
}

func (q *innerSolver) size() int64 { return int64(len(q.want)) }

// value returns A at an index, and whether X may have that index.
func (q *innerSolver) value(i int64) (int64, bool) {
	n := int64(len(q.base))
	if i < 0 || !q.beyond && i/n >= q.extent {
		return 0, false
	}
	step, ok := ints.Mul(i/n, q.stride)
	if !ok {
		return 0, false
	}
	return ints.Add(q.base[i%n], step)
}

// indices returns the indices at which A has a value, in increasing order. If the last stride is 0, they are within the
// domain.
func (q *innerSolver) indices(y int64) []int64 {
	if list, ok := q.at[y]; ok {
		return list
	}
	n := int64(len(q.base))
	list := []int64{}
	q.looks -= len(q.base)
	for r, x := range q.base {
		switch rest := y - x; {
		case q.stride == 0 && rest == 0:
			for k := range q.extent {
				list = append(list, int64(r)+k*n)
			}
		case q.stride != 0 && rest%q.stride == 0:
			if k := rest / q.stride; k >= 0 && (q.beyond || k < q.extent) && k < 1<<40 {
				list = append(list, int64(r)+k*n)
			}
		}
	}
	slices.Sort(list)
	q.at[y] = list
	return list
}

// ends reports whether the search must stop.
func (q *innerSolver) ends() bool {
	if q.stopped == nil && q.looks < 0 {
		q.stopped = &Error{
			Code: CodeLimit, Op: opSolveInner,
			Msg: fmt.Sprintf("the layouts X with %v o X = %v are undecided after a search that looked at %d values",
				q.a, q.b, int64(SolveBudget)),
		}
	}
	if q.stopped == nil {
		q.stopped = q.stop.ask()
	}
	return q.stopped != nil
}

// run searches in the current domain and shape. Without a solution and without an error, the X of the result is the
// zero layout.
func (q *innerSolver) run() (Solutions, error) {
	q.at, q.looks, q.deepest = map[int64][]int64{}, SolveBudget, 0
	q.x = make([]int64, q.size())
	least := q.least(1, q.bounds)
	if q.stopped != nil || least == nil {
		return Solutions{}, q.stopped
	}
	s := Solutions{X: q.layout(least)}
	for _, m := range least {
		if m.Extent > 1 {
			s.Beyond = s.Beyond || q.leaves(s.X)
			break
		}
	}
	q.others(&s)
	q.stopped = nil // a solution was found; whether it is the only one may remain undecided
	return s, nil
}

// leaves reports whether a value of x is beyond the domain of A.
func (q *innerSolver) leaves(x Layout) bool {
	return leastOffset(x)[0] < 0 || x.greatest() >= q.a.Size()
}

// greatest returns the greatest offset of a layout of integers.
func (l Layout) greatest() int64 {
	terms, _ := termsOf(l)
	least, span := extremes(l, terms)
	return least + span
}

// layout returns the layout of modes, in the shape of B if that is possible.
func (q *innerSolver) layout(modes []Leaf) Layout {
	s, d := make([]int64, 0, len(modes)), make([]int64, 0, len(modes))
	for _, m := range modes {
		x, _ := m.Stride.Int64()
		s, d = append(s, m.Extent), append(d, x)
	}
	l := Coalesce(Layout{v: append(s, d...), prof: flatProfile(len(modes))})
	if shaped, err := l.WithShape(q.b.Shape()); err == nil {
		return shaped
	}
	return l
}

// least returns the modes of the smallest X whose values below p are known, or nil if there is none. It begins with the
// mode at p.
func (q *innerSolver) least(p int64, bounds []int64) []Leaf {
	if p == q.size() {
		return []Leaf{{1, Int(0)}}
	}
	var best []Leaf
	q.each(p, bounds, func(d, s int64, rest []int64) bool {
		found := q.least(p*s, rest)
		if found == nil {
			return true
		}
		found = append([]Leaf{{s, Int(d)}}, found...)
		if best == nil || d == leadOf(best) && q.before(found, best) {
			best = found
		}
		return true
	}, func(d int64) bool { return best != nil })
	return best
}

func leadOf(modes []Leaf) int64 {
	d, _ := modes[0].Stride.Int64()
	return d
}

// before reports whether modes have a smaller value than others at the first index where they differ.
func (q *innerSolver) before(modes, others []Leaf) bool {
	x, y := q.layout(modes), q.layout(others)
	for i := range q.size() {
		u, _ := x.At(i)
		v, _ := y.At(i)
		if u != v {
			return u < v
		}
	}
	return false
}

// each calls f with each stride and prime extent of a mode at p that agree with B, with the bounds that follow. It
// stops if f returns false, or if done returns true after all extents of a stride.
func (q *innerSolver) each(p int64, bounds []int64, f func(d, s int64, rest []int64) bool, done func(d int64) bool) {
	left := bounds[0] / p
	for _, d := range q.indices(q.want[p]) {
		for _, s := range primeFactors(left) {
			if q.ends() {
				return
			}
			if at := q.extend(p, s, d); at >= 0 {
				q.deepest = max(q.deepest, at)
				continue
			}
			rest := bounds
			if p*s == bounds[0] && len(bounds) > 1 {
				rest = bounds[1:]
			}
			if !f(d, s, rest) {
				return
			}
		}
		if done(d) {
			return
		}
	}
	if len(q.indices(q.want[p])) == 0 {
		q.deepest = max(q.deepest, p)
	}
}

// extend sets the values of X below p·s. It returns the first index at which they do not solve the equation, or -1.
func (q *innerSolver) extend(p, s, d int64) int64 {
	for i := p; i < p*s; i++ {
		x, ok := ints.Add(q.x[i-p], d)
		y, is := q.value(x)
		q.looks--
		if !ok || !is || y != q.want[i] {
			return i
		}
		q.x[i] = x
	}
	return -1
}

// primeFactors returns the different primes that divide n, in increasing order.
func primeFactors(n int64) []int64 {
	var all []int64
	for p := int64(2); p*p <= n; p++ {
		if n%p == 0 {
			all = append(all, p)
			for n%p == 0 {
				n /= p
			}
		}
	}
	if n > 1 {
		all = append(all, n)
	}
	return all
}

// others adds other solutions, as functions different from X, to the result.
func (q *innerSolver) others(s *Solutions) {
	seen := []Layout{Coalesce(s.X)}
	var modes []Leaf
	var walk func(p int64, bounds []int64) bool
	walk = func(p int64, bounds []int64) bool {
		if p == q.size() {
			x := q.layout(append(modes[:len(modes):len(modes)], Leaf{1, Int(0)}))
			if c := Coalesce(x); !slices.ContainsFunc(seen, c.Equal) {
				if len(s.Others) == maxOthers {
					s.More = true
					return false
				}
				seen, s.Others = append(seen, c), append(s.Others, x)
			}
			return true
		}
		on := true
		q.each(p, bounds, func(d, e int64, rest []int64) bool {
			modes = append(modes, Leaf{e, Int(d)})
			on = walk(p*e, rest)
			modes = modes[:len(modes)-1]
			return on
		}, func(int64) bool { return !on })
		return on
	}
	q.looks = SolveBudget / 4
	walk(1, q.bounds)
	s.More = s.More || q.stopped != nil
}

// impossible is the error of an equation without a solution. deepest is the first index at which every layout fails.
func (q *innerSolver) impossible(deepest int64) error {
	q.beyond, q.at = true, map[int64][]int64{}
	seen := map[int64]bool{}
	for i, y := range q.want {
		if seen[y] {
			continue
		}
		if seen[y] = true; len(seen) > 1<<10 || len(q.indices(y)) > 0 {
			continue
		}
		c, _ := Idx2Crd(Int(int64(i)), q.b.Shape())
		return &Error{
			Code: CodeNotRepresentable, Op: opSolveInner,
			Msg: fmt.Sprintf("no X has %v o X = %v: at index %d, coordinate %v, the right side is %d, which is no value of %v",
				q.a, q.b, i, c, y, q.a),
			Witness: &Witness{Coord: c, Index: int64(i), Value: Int(y)},
		}
	}
	c, _ := Idx2Crd(Int(deepest), q.b.Shape())
	list := q.indices(q.want[deepest])
	return &Error{
		Code: CodeNotRepresentable, Op: opSolveInner,
		Msg: fmt.Sprintf("no layout X has %v o X = %v: every layout that solves it below index %d, coordinate %v, fails there; X "+
			"has to be %s", q.a, q.b, deepest, c, oneOf(list)),
		Witness: &Witness{Coord: c, Index: deepest, Value: Int(q.want[deepest])},
	}
}

// oneOf lists numbers; one of them is needed.
func oneOf(list []int64) string {
	const most = 4
	text := ""
	for i, x := range list[:min(len(list), most)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(x)
	}
	switch {
	case len(list) == 0:
		return "an index that does not exist"
	case len(list) > most:
		text += ", ..."
	}
	if len(list) > 1 {
		return "one of " + text
	}
	return text
}
