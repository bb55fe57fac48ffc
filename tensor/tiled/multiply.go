package tiled

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/dot"
)

// A block is the part of the product that one set of atoms computes: rows of A and of B, over some columns along K. Its
// numbers are places in the listed matrices.
type block struct {
	m, n, k int64
	a, b    int64 // where the rows of A and of B begin
	first   int64 // the first column of A and B
	// The distance between rows.
	rowA, rowB int64
	// The first row and column of C, and the plane.
	row, column, plane int64
}

// A multiplier adds the products of a block to rows of C.
type multiplier[C any] interface {
	begin(b block)
	// row adds row i of the block to a row of C.
	row(i int64, c []C)
}

// run reads the operands, adds block after block, and writes C.
func (g *product[A, B, C]) run() error {
	as, err := g.a.read()
	if err != nil {
		return err
	}
	bs, err := g.b.read()
	if err != nil {
		return err
	}
	m := g.mma.Atom()
	x := newMultiplier[A, B, C](m, as, bs)
	if x == nil {
		t := m.Types
		return refuse(opGemm, cute.CodeType, "no arithmetic is stated for %v times %v plus %v, the elements of %s",
			t.A, t.B, t.C, m.Name)
	}
	c, err := g.c.accumulators()
	if err != nil {
		return err
	}
	for b := range (grids{&g.a.grid, &g.b.grid, &g.c.grid}).blocks() {
		x.begin(b)
		for i := range b.m {
			row := c.load(b, i)
			x.row(i, row)
			c.store(row)
		}
	}
	return c.finish()
}

// grids are the extents of A, B and C.
type grids struct{ a, b, c *grid }

// check refuses operands whose extents do not match.
func (g grids) check() error {
	for _, x := range []struct {
		axis, of string
		p, q     int64
	}{
		{"M", "A and C", g.a.rows, g.c.rows},
		{"N", "B and C", g.b.rows, g.c.columns},
		{"K", "A and B", g.a.columns, g.b.columns},
	} {
		if x.p != x.q {
			return refuse(opGemm, cute.CodeNotCongruent, "expected one extent of %s in %s, found %d and %d: A is %v, B %v and C %v",
				x.axis, x.of, x.p, x.q, g.a.given, g.b.given, g.c.given)
		}
	}
	m, n, k := g.a.rows, g.b.rows, g.a.columns
	if m > maxProducts/n || m*n > maxProducts/k {
		return advise("multiply a tile at a time", refuse(opGemm, cute.CodeLimit,
			"%d by %d by %d are more than the %d products of one call", m, n, k, int64(maxProducts)))
	}
	return nil
}

// blocks yields the blocks in order: along K in the order of the atoms, and a single block for all of M and N if A and
// B are the same for all atoms.
func (g grids) blocks() func(yield func(block) bool) {
	a, b := g.a, g.b
	parts := [2]int64{1, 1} // the numbers of parts of M and of N
	if a.planes > 1 || b.planes > 1 {
		parts = [2]int64{a.atomsX, b.atomsX}
	}
	return func(yield func(block) bool) {
		for vk := range a.atomsY {
			for vm := range parts[0] {
				for vn := range parts[1] {
					if !yield(g.block(parts, [3]int64{vm, vn, vk})) {
						return
					}
				}
			}
		}
	}
}

// block returns the block of an atom, by its place along M, N and K; parts are the numbers of blocks along M and N.
func (g grids) block(parts [2]int64, at [3]int64) block {
	a, b := g.a, g.b
	x := block{m: a.rows / parts[0], n: b.rows / parts[1], k: a.columns / a.atomsY, rowA: a.columns, rowB: b.columns}
	x.first, x.row, x.column = at[2]*x.k, at[0]*x.m, at[1]*x.n
	x.a = x.row*a.columns + x.first
	x.b = x.column*b.columns + x.first
	if a.planes > 1 {
		x.a += at[1] * a.rows * a.columns
	}
	if b.planes > 1 {
		x.b += at[0] * b.rows * b.columns
	}
	if g.c.planes > 1 {
		x.plane = at[2]
	}
	return x
}

// newMultiplier returns the fast multiplier for the elements, or the general one, or nil if there is no arithmetic for
// them.
func newMultiplier[A, B, C any](m atom.MMA, as []A, bs []B) multiplier[C] {
	add := Arithmetic(m)
	if add.model == nil {
		return nil
	}
	var quick any
	chain, isChain := add.model.(dot.Chain)
	switch a := any(as).(type) {
	case []float32:
		if b, ok := any(bs).([]float32); ok && isChain && !chain.Last && chain.In == dtype.F32 && m.Types.A.Type == dtype.F32 {
			quick = newSingles(chain, a, b)
		}
	case []float64:
		if b, ok := any(bs).([]float64); ok && isChain && !chain.Last && chain.In == dtype.F64 {
			quick = &doubles{chain: chain, a: a, b: b}
		}
	case []complex128:
		if b, ok := any(bs).([]complex128); ok {
			quick = &complexes{step: m.Shape[2], model: add.model, a: a, b: b}
		}
	}
	if x, ok := quick.(multiplier[C]); ok {
		return x
	}
	if m.Types.A.Parts > 1 {
		return nil
	}
	return &codes[C]{model: add.model, step: m.Shape[2], a: codesOf(nil, as), b: codesOf(nil, bs)}
}

// codes multiplies by the model, instruction by instruction.
type codes[C any] struct {
	block
	model summer
	step  int64 // how many elements along K an instruction has
	a, b  []uint64
	sums  []uint64
}

func (x *codes[C]) begin(b block) { x.block = b }

func (x *codes[C]) row(i int64, c []C) {
	x.sums = codesOf(x.sums[:0], c)
	a := x.a[x.block.a+i*x.rowA:]
	for j := range x.sums {
		b := x.b[x.block.b+int64(j)*x.rowB:]
		for k := int64(0); k < x.k; k += x.step {
			x.sums[j] = x.model.Add(a[k:k+x.step], b[k:k+x.step], x.sums[j])
		}
	}
	setCodes(c, x.sums)
}
