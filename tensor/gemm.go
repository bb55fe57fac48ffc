package tensor

import (
	"girih/cute"
)

// Gemm computes D = A·Bᵀ + C, dispatched by the numbers of modes as cute::gemm (include/cute/algorithm/gemm.hpp):
//
//	[1] (V)     x (V)     => (V)      one call of the MMA
//	[2] (M)     x (N)     => (M,N)    [3] with K = 1
//	[3] (M,K)   x (N,K)   => (M,N)    [5] with V = 1, for an MMA of one value
//	[4] (V,M)   x (V,N)   => (V,M,N)  one call for each (m,n)
//	[5] (V,M,K) x (V,N,K) => (V,M,N)  [4] for each k, from 0 on
//
// The calls of [4] are in CuTe's order, which reuses registers. The order depends on the sizes in bytes of a thread's
// values of A and of B. 8 and 8, or 8 and 4: m is the outer loop, n alternates its direction. 4 and 4: pairs of m are
// the outer loop, n alternates. Others: n is the outer loop, m alternates.
//
// C is read at k = 0 only; the following k accumulate into D. So D and C may be one tensor, for accumulation, or two:
// CuTe's [5] adds the original C for each k, so that only the last k survives if D is not C.
//
// D must be injective. D must not share memory with A or B, nor with C unless D is C, element by element, because the
// result would depend on the order of the calls. It returns [cute.CodeRank] for other numbers of modes,
// [cute.CodeNotCongruent] if extents of M, N, K differ, [cute.CodeNotInjective] for shared memory, [cute.CodeMode] for
// padded tensors, [cute.CodeType] for a D that cannot be written, [cute.CodeLimit] for operands above 2^26 elements,
// and the errors of the MMA.
func Gemm[A, B, C any](mma MMA[A, B, C], d Tensor[C], a Tensor[A], b Tensor[B], c Tensor[C]) error {
	const op = "gemm"
	if mma == nil || a.v == nil || b.v == nil || c.v == nil || d.v == nil {
		return missing(op, d.eng, a.eng, b.eng, c.eng)
	}
	if err := writable(op, d); err != nil {
		return err
	}
	if err := checkUnpadded(op, d.operand(), a.operand(), b.operand(), c.operand()); err != nil {
		return err
	}
	g := product[A, B, C]{mma, d, a, b, c}
	ranks := [4]int{d.Rank(), a.Rank(), b.Rank(), c.Rank()}
	switch ranks {
	case [4]int{1, 1, 1, 1}:
		if err := g.distinct(op); err != nil {
			return err
		}
		return mma.Call(d, a, b, c)
	case [4]int{2, 1, 1, 2}, [4]int{2, 2, 2, 2}, [4]int{3, 2, 2, 3}, [4]int{3, 3, 3, 3}:
	default:
		return advise("the modes are (V), (M,K), (V,M) or (V,M,K) of A, the same with N of B, and (V), (M,N) or (V,M,N) of C and D",
			refuse(op, cute.CodeRank, "D, A, B and C have %d, %d, %d and %d modes: no gemm has these",
				ranks[0], ranks[1], ranks[2], ranks[3]))
	}
	if err := g.prepare(op, ranks); err != nil {
		return err
	}
	if f, ok := mma.(FMA[A, B, C]); ok && f != nil {
		return g.scalar(op, f)
	}
	return g.calls()
}

// A product is a gemm of (V,M,K), (V,N,K) and (V,M,N).
type product[A, B, C any] struct {
	mma MMA[A, B, C]
	d   Tensor[C]
	a   Tensor[A]
	b   Tensor[B]
	c   Tensor[C]
}

// raise adds the modes V and K that the operands leave out, with extent 1.
func (g *product[A, B, C]) raise(ranks [4]int) (err error) {
	one, _ := cute.New(cute.Int(1), cute.Int(0))
	front := func(l cute.Layout) (cute.Layout, error) { return l.PrependMode(one) }
	// A rank-1 layout such as 8:1 is one mode, even without parentheses.
	back := func(l cute.Layout) (cute.Layout, error) {
		if l.Shape().IsInt() {
			return cute.MakeLayout(l, one)
		}
		return l.AppendMode(one)
	}
	if ranks == [4]int{2, 1, 1, 2} || ranks == [4]int{3, 2, 2, 3} {
		if g.a, err = g.a.Map(back); err != nil {
			return err
		}
		if g.b, err = g.b.Map(back); err != nil {
			return err
		}
	}
	if ranks[0] == 2 {
		if g.d, err = g.d.Map(front); err != nil {
			return err
		}
		if g.a, err = g.a.Map(front); err != nil {
			return err
		}
		if g.b, err = g.b.Map(front); err != nil {
			return err
		}
		if g.c, err = g.c.Map(front); err != nil {
			return err
		}
	}
	return nil
}

// prepare raises the operands to their full ranks, and checks extents and memory.
func (g *product[A, B, C]) prepare(op string, ranks [4]int) error {
	if err := g.raise(ranks); err != nil {
		return err
	}
	if err := g.checkExtents(op); err != nil {
		return err
	}
	return g.distinct(op)
}

// maxOperand is the largest number of elements of an operand: their positions are listed.
const maxOperand = 1 << 26

// extent returns the size of a mode.
func extent[T any](t Tensor[T], mode int) int64 {
	var buf [modes]int64
	return t.v.lay.AppendModeSizes(buf[:0])[mode]
}

func (g *product[A, B, C]) checkExtents(op string) error {
	for _, v := range []*view{g.a.v, g.b.v, g.c.v, g.d.v} {
		if n := v.size(); n > maxOperand {
			return advise("multiply a tile at a time",
				refuse(op, cute.CodeLimit, "expected operands of at most %d elements, found %v of %d",
					int64(maxOperand), v.layout(), n))
		}
	}
	differ := func(what string, x, y int64) error {
		if x == y {
			return nil
		}
		return refuse(op, cute.CodeNotCongruent,
			"expected one extent of %s, found %d and %d: A is %v, B %v, C %v and D %v", what, x, y, g.a.Shape(), g.b.Shape(),
			g.c.Shape(), g.d.Shape())
	}
	for _, err := range []error{
		differ("M in A and C", extent(g.a, 1), extent(g.c, 1)), differ("N in B and C", extent(g.b, 1), extent(g.c, 2)),
		differ("K in A and B", extent(g.a, 2), extent(g.b, 2)), differ("V in C and D", extent(g.c, 0), extent(g.d, 0)),
		differ("M in C and D", extent(g.c, 1), extent(g.d, 1)), differ("N in C and D", extent(g.c, 2), extent(g.d, 2)),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// distinct refuses a D that does not have a separate place for each result.
func (g *product[A, B, C]) distinct(op string) error {
	if g.d.v.size() > 1 {
		index, err := overIndices(g.d.Shape(), func(i int64) int64 { return i })
		if err != nil {
			return err
		}
		if _, err := single(op, g.d.v, nil, index.operand()); err != nil {
			return err
		}
	}
	d := g.d.operand()
	if overlaps(d, g.a.operand()) {
		return advise("copy one of them first", refuse(op, cute.CodeNotInjective, "D and A share memory: %v and %v", d, g.a))
	}
	if overlaps(d, g.b.operand()) {
		return advise("copy one of them first", refuse(op, cute.CodeNotInjective, "D and B share memory: %v and %v", d, g.b))
	}
	if overlaps(d, g.c.operand()) && !samePlaces(g.d.v, g.c.v) {
		return advise("copy one of them first",
			refuse(op, cute.CodeNotInjective, "D and C share memory and are not one tensor: %v and %v", d, g.c))
	}
	return nil
}

// order calls f for each (m,n) in the order of dispatch [4].
func (g *product[A, B, C]) order(f func(m, n int64) error) error {
	a, b := bytesOf(g.a)*extent(g.a, 0), bytesOf(g.b)*extent(g.b, 0) // the bytes of the values of a thread
	m, n := extent(g.c, 1), extent(g.c, 2)
	switch {
	case a == 8 && (b == 8 || b == 4): // rows
		return snake(m, n, 1, f)
	case a == 4 && b == 4: // pairs of rows: the kinked path
		return snake(m, n, 2, f)
	}
	return snake(n, m, 1, func(n, m int64) error { return f(m, n) }) // columns
}

// snake calls f for each (i,j) of m rows of n elements, in bands of height rows. Every other band runs backwards.
func snake(m, n, height int64, f func(i, j int64) error) error {
	for i := int64(0); i < m; i += height {
		for j := range n {
			if i&height != 0 {
				j = n - 1 - j
			}
			for k := i; k < min(i+height, m); k++ {
				if err := f(k, j); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// bytesOf is C++'s sizeof of an element: whole bytes.
func bytesOf[T any](t Tensor[T]) int64 { return int64(t.Bits()+7) / 8 }

// calls calls the MMA for each (m,n,k), on slices.
func (g *product[A, B, C]) calls() error {
	at := func(x ...int64) cute.Coord {
		c := []cute.Coord{cute.Open}
		for _, i := range x {
			f, _ := cute.Fixed(cute.Int(i)) // an integer
			c = append(c, f)
		}
		return cute.MakeCoord(c...)
	}
	for k := range extent(g.a, 2) {
		from := g.d
		if k == 0 {
			from = g.c
		}
		err := g.order(func(m, n int64) error {
			a, err := g.a.Slice(at(m, k))
			if err != nil {
				return err
			}
			b, err := g.b.Slice(at(n, k))
			if err != nil {
				return err
			}
			c, err := from.Slice(at(m, n))
			if err != nil {
				return err
			}
			d, err := g.d.Slice(at(m, n))
			if err != nil {
				return err
			}
			return g.mma.Call(d, a, b, c)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// scalar is calls for a function of one element of each operand, without slices.
func (g *product[A, B, C]) scalar(op string, f FMA[A, B, C]) error {
	v := extent(g.d, 0)
	if extent(g.a, 0) != v || extent(g.b, 0) != v {
		return refuse(op, cute.CodeNotCongruent, "expected as many values of A and B as of D, %d, found %d and %d", v,
			extent(g.a, 0), extent(g.b, 0))
	}
	a, b := g.a.flat(), g.b.flat()
	if done, err := g.inMemory(f, a, b); done {
		return err
	}
	pa, pb, pc, pd := a.v.all(), b.v.all(), g.c.v.all(), g.d.v.all()
	m, n := extent(g.a, 1), extent(g.b, 1)
	for k := range extent(g.a, 2) {
		from, pf := g.d, pd
		if k == 0 {
			from, pf = g.c, pc
		}
		err := g.order(func(i, j int64) error {
			for x := range v {
				at := x + v*(i+m*j)
				g.d.eng.set(pd[at], f(a.eng.get(pa[x+v*(i+m*k)]), b.eng.get(pb[x+v*(j+n*k)]), from.eng.get(pf[at])))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inMemory is scalar for one value of each operand in Go slices whose positions are indices. It reports whether it
// applies.
func (g *product[A, B, C]) inMemory(f FMA[A, B, C], a Tensor[A], b Tensor[B]) (bool, error) {
	sa, okA := a.eng.(*slice[A])
	sb, okB := b.eng.(*slice[B])
	sc, okC := g.c.eng.(*slice[C])
	sd, okD := g.d.eng.(*slice[C])
	if !okA || !okB || !okC || !okD || extent(g.d, 0) != 1 {
		return false, nil
	}
	pa, pb, pc, pd := a.v.all(), b.v.all(), g.c.v.all(), g.d.v.all()
	m, n := extent(g.a, 1), extent(g.b, 1)
	for k := range extent(g.a, 2) {
		x, y := pa[k*m:(k+1)*m], pb[k*n:(k+1)*n]
		from, pf := sd.data, pd
		if k == 0 {
			from, pf = sc.data, pc
		}
		err := g.order(func(i, j int64) error {
			at := i + m*j
			sd.data[pd[at]] = f(sa.data[x[i]], sb.data[y[j]], from[pf[at]])
			return nil
		})
		if err != nil {
			return true, err
		}
	}
	return true, nil
}

// all returns the positions of all coordinates.
func (v *view) all() []int64 {
	out := make([]int64, v.size())
	newCursor(v).next(out)
	return out
}
