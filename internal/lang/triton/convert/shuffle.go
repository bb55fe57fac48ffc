package convert

import (
	"math/bits"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/linear"
)

// A Shuffle moves elements between the lanes of a warp, in rounds. In round p, every lane μ offers one register, and
// every lane λ takes the offer of one lane. All choices are linear over F2:
//
//	lane λ reads from lane                E·p + H·λ
//	lane μ offers register                M·p + N·μ
//	lane λ stores the element in register   p + G·λ
//
// The offered register depends on the lane only through N, and the target only through G: each unit of their ranks
// costs one select for each register. A round with E·p = 0 needs no shuffle if H is the identity.
//
// Let (A B; E F) be the matrix of the conversion, from registers and lanes of the destination to registers and lanes of
// the source. Any G with an invertible H = F + E·G works: then M = A + N·E and N = (A·G + B)·H⁻¹. Since the rows (E F)
// are independent, such a G exists, with the rank of the kernel of F. This is the scheme of section 5.4 of the paper,
// for any conversion.
type Shuffle struct {
	// RegBits is log2 of the registers per thread on the side that has more. LaneBits is log2 of the lanes.
	RegBits, LaneBits int
	Exchanged         int // the number of bits that registers and lanes exchange: the rank of E
	PackBits          int // log2 of the elements that share one 32-bit word in a shuffle
	Rounds            int // words that each lane receives, including its own
	Shuffles          int // shuffle instructions of each thread
	Selects           int // select or byte-permute instructions of each thread

	// Permutation is the conversion as a permutation of register and lane bits, or nil if it does not permute bits.
	Permutation *Permutation

	e, h, m, n, g f2.Matrix
}

// NewShuffle returns the shuffles that move elements of elemBits bits inside each warp from the distribution src to
// dst, even if nothing moves or if shared memory would be cheaper. Registers that repeat an element are removed first:
// the rounds are between the layouts without zero register bases.
//
// It returns the errors of [New], and [cute.CodeNotInvertible] if elements leave their warp.
func NewShuffle(src, dst linear.Layout, elemBits int) (*Shuffle, error) {
	const op = "convert"
	src, dst, err := checkConversion(op, src, dst, Memory{ElemBits: elemBits, Banks: 32})
	if err != nil {
		return nil, err
	}
	for _, dim := range []string{warp, block} {
		if !slices.Equal(columns(src, dim), columns(dst, dim)) {
			return nil, fail(cute.CodeNotInvertible, op, "expected the same bases of %q in both layouts, found %v and %v", dim,
				columns(src, dim), columns(dst, dim))
		}
	}
	return newShuffle(src, dst, elemBits)
}

// newShuffle plans the conversion of layouts whose other dimensions do not move.
func newShuffle(src, dst linear.Layout, elemBits int) (*Shuffle, error) {
	nr := max(bitsOf(src, register), bitsOf(dst, register))
	nl := bitsOf(src, lane)
	s := append(addZeros(columns(src, register), nr), columns(src, lane)...)
	t := append(addZeros(columns(dst, register), nr), columns(dst, lane)...)
	out := &Shuffle{RegBits: nr, LaneBits: nl}
	var c []f2.Vector
	if p, ok := bitPermutation(s, t, nr); ok {
		out.Permutation = newPermutation(p, nr, nl, elemBits)
		c = make([]f2.Vector, nr+nl)
		for from, to := range p {
			c[to] = 1 << from
		}
	} else {
		var err error
		if c, err = invertible(s, t); err != nil {
			return nil, err
		}
	}
	if err := out.split(c); err != nil {
		return nil, err
	}
	out.count(elemBits)
	return out, nil
}

func bitsOf(l linear.Layout, dim string) int { return bits.TrailingZeros64(uint64(l.InSize(dim))) }

// columns returns the flat basis vectors of an input dimension.
func columns(l linear.Layout, dim string) []f2.Vector {
	m, first := l.Matrix(), 0
	for _, d := range l.InDims() {
		n := bits.TrailingZeros64(uint64(d.Size))
		if d.Name == dim {
			return m.Columns()[first : first+n : first+n]
		}
		first += n
	}
	return nil
}

// addZeros appends zeros up to n columns: registers that repeat the others.
func addZeros(cols []f2.Vector, n int) []f2.Vector {
	return append(cols, make([]f2.Vector, n-len(cols))...)
}

// invertible returns an invertible matrix c, from the bits of t to the bits of s, with s·c = t. s and t must have the
// same span.
func invertible(s, t []f2.Vector) ([]f2.Vector, error) {
	const op = "convert"
	sm, errS := f2.NewMatrix(f2.MaxRows, s)
	tm, errT := f2.NewMatrix(f2.MaxRows, t)
	if errS != nil || errT != nil || !sm.Image().Equal(tm.Image()) {
		return nil, fail(cute.CodeNotInvertible, op,
			"expected the same elements in a warp of both layouts, found spans of dimension %d and %d that differ",
			sm.Rank(), tm.Rank())
	}
	solved, err := sm.SolveAll(tm)
	if err != nil {
		return nil, fail(cute.CodeNotInvertible, op, "%v", err)
	}
	c := solved.Columns()
	// A place that repeats others must read from a place that repeats them, and different places must read from
	// different places, so that nothing is lost. So c maps the kernel of t to the kernel of s; on the kernel, c is
	// otherwise arbitrary.
	from, err := tm.Kernel()
	if err != nil {
		return nil, fail(cute.CodeNotInvertible, op, "%v", err)
	}
	to, err := sm.Kernel()
	if err != nil {
		return nil, fail(cute.CodeNotInvertible, op, "%v", err)
	}
	to = sameFirst(from, to)
	cm, err := f2.NewMatrix(len(s), c)
	if err != nil {
		return nil, fail(cute.CodeNotInvertible, op, "%v", err)
	}
	for i, k := range from {
		at, err := cm.Apply(k)
		if err != nil {
			return nil, fail(cute.CodeNotInvertible, op, "%v", err)
		}
		c[k.Len()-1] ^= at ^ to[i]
	}
	return c, nil
}

// sameFirst reorders the vectors of to: a vector that is in both lists gets the same place.
func sameFirst(from, to []f2.Vector) []f2.Vector {
	to = slices.Clone(to)
	for i, v := range from {
		if j := slices.Index(to, v); j >= 0 {
			to[i], to[j] = to[j], to[i]
		}
	}
	return to
}

// split finds G and the matrices that follow from it.
func (s *Shuffle) split(c []f2.Vector) error {
	nr, nl := s.RegBits, s.LaneBits
	low := f2.Vector(1)<<nr - 1
	part := func(cols []f2.Vector, rows int, of func(f2.Vector) f2.Vector) (f2.Matrix, error) {
		out := make([]f2.Vector, len(cols))
		for j, v := range cols {
			out[j] = of(v)
		}
		return f2.NewMatrix(rows, out)
	}
	regs, lanes := func(v f2.Vector) f2.Vector { return v & low }, func(v f2.Vector) f2.Vector { return v >> nr }
	a, err1 := part(c[:nr], nr, regs)
	b, err2 := part(c[nr:], nr, regs)
	e, err3 := part(c[:nr], nl, lanes)
	f, err4 := part(c[nr:], nl, lanes)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			return fail(cute.CodeNotInvertible, "convert", "%v", err)
		}
	}
	s.e = e
	var best *Shuffle
	for _, choose := range []func(e, f f2.Matrix) (f2.Matrix, error){stayingLanes, fewestSelects} {
		g, err := choose(e, f)
		if err != nil {
			continue
		}
		trial := *s
		if err := trial.complete(a, b, f, g); err != nil {
			continue
		}
		trial.count(32)
		if best == nil || trial.Shuffles+trial.Selects < best.Shuffles+best.Selects {
			best = &trial
		}
	}
	if best == nil {
		return fail(cute.CodeNotInvertible, "convert",
			"expected an invertible conversion of %d register and %d lane bits, found none", nr, nl)
	}
	*s = *best
	return nil
}

// stayingLanes returns the G with H = 1: elements that stay in their lane need no shuffle.
func stayingLanes(e, f f2.Matrix) (f2.Matrix, error) {
	cols := f.Columns()
	for j := range cols {
		cols[j] ^= 1 << j
	}
	rest, err := f2.NewMatrix(f.Rows(), cols)
	if err != nil {
		return f2.Matrix{}, err
	}
	return e.SolveAll(rest)
}

// fewestSelects returns the G of least rank with an invertible H. G maps the kernel of F to registers that E maps to
// lanes outside the image of F.
func fewestSelects(e, f f2.Matrix) (f2.Matrix, error) {
	kernel, err := f.Kernel()
	if err != nil {
		return f2.Matrix{}, err
	}
	g := make([]f2.Vector, f.Cols())
	reached := f.Image()
	next := 0
	for _, k := range kernel {
		for next < e.Cols() && reached.Contains(e.Col(next)) {
			next++
		}
		if next == e.Cols() {
			break
		}
		reached = reached.Sum(f2.Span(e.Col(next)))
		g[k.Len()-1] = 1 << next
	}
	return f2.NewMatrix(e.Cols(), g)
}

// complete computes H, M and N.
func (s *Shuffle) complete(a, b, f, g f2.Matrix) error {
	eg, err := s.e.Mul(g)
	if err != nil {
		return err
	}
	h, err := sum(f, eg)
	if err != nil {
		return err
	}
	inverse, err := h.Inverse()
	if err != nil {
		return err
	}
	ag, err := a.Mul(g)
	if err != nil {
		return err
	}
	agb, err := sum(ag, b)
	if err != nil {
		return err
	}
	n, err := agb.Mul(inverse)
	if err != nil {
		return err
	}
	ne, err := n.Mul(s.e)
	if err != nil {
		return err
	}
	m, err := sum(a, ne)
	if err != nil {
		return err
	}
	s.g, s.h, s.n, s.m = g, h, n, m
	return nil
}

// sum returns the sum of two matrices of the same size.
func sum(x, y f2.Matrix) (f2.Matrix, error) {
	cols := x.Columns()
	for j := range cols {
		cols[j] ^= y.Col(j)
	}
	return f2.NewMatrix(x.Rows(), cols)
}

// count computes the cost for elements of that many bits.
func (s *Shuffle) count(elemBits int) {
	s.Exchanged = s.e.Rank()
	s.PackBits = min(packBits(elemBits), s.RegBits-s.Exchanged)
	words := max(1, elemBits/32)
	s.Rounds = words << (s.RegBits - s.PackBits)
	s.Shuffles = s.Rounds
	stays := isIdentity(s.h)
	if stays {
		s.Shuffles -= s.Rounds >> s.Exchanged
	}
	stages := s.n.Rank() + s.g.Rank()
	s.Selects = stages * s.Rounds
	if stays && s.Exchanged == 1 && stages == 2 {
		// One select chooses the half that a lane sends, and two put the received half in its place.
		s.Selects = s.Rounds * 3 / 2
	}
}

// packBits returns log2 of the elements in a 32-bit word. A byte-permute can distinguish at most four.
func packBits(elemBits int) int {
	return bits.Len(uint(min(max(32/elemBits, 1), 4))) - 1
}

func isIdentity(m f2.Matrix) bool {
	for j, c := range m.Columns() {
		if c != 1<<j {
			return false
		}
	}
	return m.Rows() == m.Cols()
}
