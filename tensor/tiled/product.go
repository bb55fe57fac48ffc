package tiled

import (
	"girih/atom"
	"girih/cute"
)

// A Product is C += A·Bᵀ by the instructions of a tiled MMA, planned once and run for any contents of the operands.
// Unlike [Gemm], it uses the caller's arithmetic, an [Adder], and elements are float64 whatever the types of the
// instruction. So it executes the layouts of any instruction, even if its sums were never measured.
type Product struct {
	step    int64     // how many elements along K an instruction has
	a, b, c places    // the places of the elements of each operand
	as, bs  []float64 // A and B in the order of the instructions
	row     []float64 // a row of C
}

// An Adder computes what one execution of the instruction does to one element of C: it returns c plus the sum of the
// products a[i]·b[i], or any other result. The operands are the columns of A and B from the given one on, in the order
// in which the instructions read them.
type Adder interface {
	Add(column int64, a, b []float64, c float64) (float64, error)
}

// NewProduct plans a product of undivided operands with the layouts (M,K), (N,K) and (M,N), swizzled or not. It returns
// the errors of [Gemm] about shapes: [cute.CodeRank], [cute.CodeNotCongruent], [cute.CodeNotDivisible],
// [cute.CodeNotInjective] and [cute.CodeLimit], and [cute.CodeNegative] for a layout with negative values.
func NewProduct(m atom.TiledMMA, a, b, c cute.Inner) (*Product, error) {
	p := &Product{step: m.Atom().Shape[2]}
	for _, x := range []struct {
		to *places
		o  atom.Operand
		l  cute.Inner
	}{{&p.a, atom.OperandA, a}, {&p.b, atom.OperandB, b}, {&p.c, atom.OperandC, c}} {
		var err error
		if *x.to, err = newPlaces(regroup{m, x.o}, x.l); err != nil {
			return nil, err
		}
	}
	if err := p.c.distinct(); err != nil {
		return nil, err
	}
	return p, p.grids().check()
}

func (p *Product) grids() grids { return grids{&p.a.grid, &p.b.grid, &p.c.grid} }

// Clone returns the same product with its own memory, for another goroutine.
func (p *Product) Clone() *Product {
	q := *p
	q.as, q.bs, q.row = nil, nil, nil
	return &q
}

// Run executes all instructions on the storages of A, B and C. It returns [cute.CodeMode] for a storage that is shorter
// than its layout, and otherwise the first error of the adder, after which the contents of C are undefined.
func (p *Product) Run(add Adder, a, b, c []float64) (err error) {
	for _, x := range []struct {
		name string
		of   *places
		have []float64
	}{{"A", &p.a, a}, {"B", &p.b, b}, {"C", &p.c, c}} {
		if int64(len(x.have)) < x.of.length {
			return refuse(opGemm, cute.CodeMode, "expected %d elements of %s, found %d", x.of.length, x.name, len(x.have))
		}
	}
	p.as, p.bs = p.a.appendElements(p.as[:0], a), p.b.appendElements(p.bs[:0], b)
	for x := range p.grids().blocks() {
		for i := range x.m {
			at := p.c.at[(x.plane*p.c.rows+x.row+i)*p.c.columns+x.column:][:x.n]
			p.row = p.row[:0]
			for _, to := range at {
				p.row = append(p.row, c[to])
			}
			if err = p.addRow(add, x, i); err != nil {
				return err
			}
			for j, to := range at {
				c[to] = p.row[j]
			}
		}
	}
	return nil
}

// addRow adds the products of row i of a block to the row of C.
func (p *Product) addRow(add Adder, x block, i int64) (err error) {
	a := p.as[x.a+i*x.rowA:][:x.k]
	for j := range p.row {
		b := p.bs[x.b+int64(j)*x.rowB:][:x.k]
		for k := int64(0); k < x.k; k += p.step {
			if p.row[j], err = add.Add(x.first+k, a[k:k+p.step], b[k:k+p.step], p.row[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// places say where the elements of an operand are in its storage.
type places struct {
	grid
	at     []int64 // the positions, plane by plane and row by row
	length int64   // the length of the storage
}

func newPlaces(r regroup, l cute.Inner) (out places, err error) {
	regrouped := func(l cute.Layout) (cute.Layout, error) {
		given := l.Shape()
		if l.Rank() != 2 || l.HasBasis() {
			return l, refuse(opGemm, cute.CodeRank, "expected %v as a layout of two modes of integers, found %v", r.o, l)
		}
		l, err := partLayout(r.mma, r.o, l)
		if err != nil {
			return l, err
		}
		if l, err = r.apply(l); err == nil {
			out.grid = newGrid(r, given, l)
		}
		if n := l.Size(); n > maxListed {
			return l, refuse(opGemm, cute.CodeLimit, "%v has %d elements, more than %d", r.o, n, int64(maxListed))
		}
		return l, err
	}
	switch x := l.(type) {
	case cute.Layout:
		if x, err = regrouped(x); err == nil {
			out.at, err = x.AppendOffsets(nil)
		}
	case cute.Composed:
		if x, err = x.Map(regrouped); err == nil {
			out.at, err = x.AppendOffsets(nil)
		}
	}
	for _, x := range out.at {
		if x < 0 && err == nil {
			err = refuse(opGemm, cute.CodeNegative, "%v has an element at %d", r.o, x)
		}
		out.length = max(out.length, x+1)
	}
	return out, err
}

// distinct refuses two elements at one place.
func (p *places) distinct() error {
	if p.length > maxListed {
		return refuse(opGemm, cute.CodeLimit, "C reaches over %d elements, more than %d", p.length, int64(maxListed))
	}
	seen := make([]bool, p.length)
	for _, at := range p.at {
		if seen[at] {
			return refuse(opGemm, cute.CodeNotInjective, "two elements of C are at %d", at)
		}
		seen[at] = true
	}
	return nil
}

// appendElements appends the elements of a storage.
func (p *places) appendElements(dst, storage []float64) []float64 {
	for _, at := range p.at {
		dst = append(dst, storage[at])
	}
	return dst
}
