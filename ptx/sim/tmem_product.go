package sim

import (
	"errors"
	"math"

	"girih/descriptor"
	"girih/dtype"
	"girih/internal/machine/dot"
	"girih/tmem"
)

// This file multiplies matrices as tcgen05.mma. No card has shown how Blackwell adds: wgmma on an H200 adds 16-bit
// types so, and every kind is taken to: dot.Fused with all products of an instruction in one step, 25 bits below the
// largest term. Sums whose terms all fit in these bits, such as of small integers, have the same bits on every order of
// the sum.

// A tensorKey identifies a product: the instruction descriptor, whether A is in tensor memory, and the scale factors.
type tensorKey struct {
	in       descriptor.Instruction
	inTensor bool
	vector   int64 // elements of a scale factor; 0 for none
}

// A tensorProduct multiplies the matrices of an instruction descriptor.
type tensorProduct struct {
	in      descriptor.Instruction
	m, n, k int // m rows of one block
	product *dot.Product
	a, b    *sharedMatrix // a is nil if A is in tensor memory
	aCells  []tensorElement
	aBits   int // of an element of A in tensor memory
	aRuns   []tensorRun
	scale   [2]*tensorScale // of A and B; nil for none
	dCells  []int32         // of D, row by row: the cells, relative to the address
	dRuns   []tensorRun
	kept    int                   // elements of a row of A in memory
	meta    *tensorMetadata       // of a sparse A
	later   map[int]*sharedMatrix // B from a column on

	codesA, codesB, row []uint64
	held, there         []uint64 // of a sparse A: the codes in memory, and a bit for each element that has one
}

// A tensorElement is where an element of A is in tensor memory.
type tensorElement struct {
	cell int32
	bit  uint8
}

// mostProducts limits the products that a run keeps.
const mostProducts = 64

// tensorProduct returns the product of a key.
func (g *grid) tensorProduct(key tensorKey) (*tensorProduct, error) {
	if p := g.products[key]; p != nil {
		return p, nil
	}
	p, err := newTensorProduct(key)
	if err != nil {
		return nil, err
	}
	if g.products == nil || len(g.products) >= mostProducts {
		g.products = map[tensorKey]*tensorProduct{}
	}
	g.products[key] = p
	return p, nil
}

func newTensorProduct(key tensorKey) (*tensorProduct, error) {
	in := key.in
	p := &tensorProduct{in: in, m: int(in.M) / in.CTAs(), n: int(in.N), k: int(in.K())}
	if p.kept = p.k; in.Sparse {
		p.kept /= 2
		var err error
		if p.meta, err = newTensorMetadata(in, p.m); err != nil {
			return nil, err
		}
		p.held, p.there = make([]uint64, p.m*p.kept), make([]uint64, (p.m*p.k+63)/64)
	}
	p.codesA, p.codesB, p.row = make([]uint64, p.m*p.k), make([]uint64, p.n*p.k), make([]uint64, p.n)
	p.b = &sharedMatrix{bits: p.elementBits(in.B), codeBits: p.elementBits(in.B), rows: p.n / in.CTAs(), k: p.k}
	if key.vector == 0 {
		p.product = dot.NewProduct(sumOf(in), p.k)
	} else if err := p.scales(key.vector); err != nil {
		return nil, err
	}
	d, err := tmem.Accumulator(in)
	if err != nil {
		return nil, err
	}
	cells, err := cellsOf(d)
	if err != nil {
		return nil, err
	}
	p.dCells = make([]int32, len(cells))
	for i, c := range cells {
		p.dCells[i%p.m*p.n+i/p.m] = c.cell
	}
	p.dRuns = tensorRuns(p.dCells)
	if !key.inTensor {
		p.a = &sharedMatrix{bits: p.elementBits(in.A), codeBits: p.elementBits(in.A), rows: p.m, k: p.kept}
		return p, nil
	}
	a, err := tmem.OperandA(in, int64(p.kept))
	if err != nil {
		return nil, err
	}
	if p.aBits = int(a.Bits()); p.isPadded() && in.A.Bits() < 8 {
		return nil, errors.New("a matrix A of 4 or 6 bits in tensor memory is not known here")
	}
	if p.aCells, err = cellsOf(a); err != nil {
		return nil, err
	}
	list := make([]int32, len(p.aCells))
	for i, c := range p.aCells {
		list[i] = c.cell
	}
	p.aRuns = tensorRuns(list)
	return p, nil
}

// storedCodes returns where the codes of A go that are in memory.
func (p *tensorProduct) storedCodes() []uint64 {
	if p.meta != nil {
		return p.held
	}
	return p.codesA
}

// copiesA returns how often A is in memory: twice in tensor memory with data path B, a copy for each half of the
// columns of D (CuTe's TmemAllocMode::Duplicated).
func (p *tensorProduct) copiesA() int { return max(1, len(p.aCells)/(p.m*p.kept)) }

// isPadded reports whether elements of 4 or 6 bits have 8 bits in memory.
func (p *tensorProduct) isPadded() bool {
	return p.in.Kind == descriptor.KindF8F6F4 || p.in.Kind == descriptor.KindMXF8F6F4
}

// elementBits returns the bits that an element has in shared memory.
func (p *tensorProduct) elementBits(t dtype.Type) int {
	switch {
	case p.isPadded():
		return 8
	case t == dtype.TF32:
		return 32
	}
	return t.Bits()
}

// cellsOf returns the cells of the elements of a tensor, the first mode fastest.
func cellsOf(t tmem.Tensor) ([]tensorElement, error) {
	l, err := t.Layout()
	if err != nil {
		return nil, err
	}
	offsets, err := l.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	list := make([]tensorElement, len(offsets))
	for i, off := range offsets {
		list[i] = tensorElement{int32(cellOf(off, t.Bits())), uint8(off * t.Bits() % tmem.ColumnBits)}
	}
	return list, nil
}

// sumOf returns the sum of an instruction.
func sumOf(in descriptor.Instruction) dot.Model {
	if in.Kind == descriptor.KindI8 {
		return dot.Integers{A: in.A, B: in.B, C: in.D, Saturate: in.Saturate}
	}
	m := dot.Fused{A: in.A, B: in.B, C: in.D, Together: int(in.K()), Below: 25, Fraction: 23}
	if in.Kind == descriptor.KindF8F6F4 {
		m.A, m.B = dtype.F16, dtype.F16 // which contains the smaller types
	}
	if in.D == dtype.F16 {
		m.Fraction, m.Nearest = 10, true
	}
	return m
}

// prepare gives the codes of A and B to the product: in the types of the sum, and with their signs.
func (p *tensorProduct) prepare() {
	for _, x := range []struct {
		codes  []uint64
		t      dtype.Type
		negate bool
	}{{p.codesA, p.in.A, p.in.NegateA}, {p.codesB, p.in.B, p.in.NegateB}} {
		width := x.t.Bits()
		switch p.in.Kind {
		case descriptor.KindF8F6F4:
			width = 16
			half := halves(x.t)
			for i, c := range x.codes {
				x.codes[i] = half[c]
			}
		case descriptor.KindTF32:
			width = 32
		}
		if x.negate {
			for i := range x.codes {
				x.codes[i] ^= 1 << (width - 1)
			}
		}
	}
	p.product.SetA(p.codesA, p.rowBits())
	p.product.SetB(p.codesB)
}

// rows returns the function that computes a row of D in place, and returns the elements without a value, or nil.
func (x *tensorIssue) rows() (row func(m int, acc []uint64) []bool, why *Finding) {
	if x.product != nil {
		x.prepare()
		return func(m int, acc []uint64) []bool {
			x.product.Row(m, acc)
			return nil
		}, nil
	}
	p := newScaledProduct(x)
	return p.row, p.why
}

// halves returns the codes in f16 of the codes of a type of up to 8 bits.
func halves(t dtype.Type) []uint64 {
	list := make([]uint64, 1<<t.Bits())
	for c := range list {
		v, err := t.Decode(uint64(c))
		if err != nil {
			v = math.NaN()
		}
		if list[c], err = dtype.F16.Encode(v); err != nil || math.IsNaN(v) {
			list[c] = 0x7fff
		}
	}
	return list
}

// addend returns the code of an element of D as an addend: a word of tensor memory, times 2 to the power of
// -scale-input-d.
func (x *tensorIssue) addend(word uint64) uint64 {
	code := word & ones(x.in.D.Bits())
	if x.scaleD == 0 {
		return code
	}
	v, err := x.in.D.Decode(code)
	if err != nil {
		return code
	}
	if c, err := x.in.D.Encode(math.Ldexp(v, -x.scaleD)); err == nil {
		return c
	}
	return code
}
