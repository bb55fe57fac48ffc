package sim

import (
	"fmt"
	"math"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/tmem"
)

// This file multiplies with scale factors (PTX ISA 9.7.16.10.7): each factor, a byte in tensor memory, scales 16 or 32
// elements along K of a row of A or B. Package tmem says where the factors are, in four copies: the rows of D in the
// lanes of a warp are computed with the copy in these lanes. The products with their factors are exact; their sum is
// cut off as in tmem_product.go.

// A tensorScale is where the factors of an operand are.
type tensorScale struct {
	rows, factors int
	copies        int             // 4, one in the lanes of each warp, or 2 for each half of B
	cells         []tensorElement // by row, then factor, then copy
	runs          []tensorRun
}

// scaleVector reads the modifiers that say how many elements a factor scales, 0 for a kind without factors (tables 54
// and 55).
func (o *opcode) scaleVector(k descriptor.Kind) (int64, error) {
	if o.has("block_scale") != k.Scaled() {
		return 0, fmt.Errorf(".block_scale goes with the kinds mxf8f6f4, mxf4 and mxf4nvf4, and is needed there")
	}
	size := o.one("scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32")
	switch {
	case !k.Scaled():
		return 0, nil
	case k == descriptor.KindMXF4NVF4 && (size == "scale_vec::4X" || size == "block16"):
		return 16, nil
	case k == descriptor.KindMXF8F6F4 && (size == "" || size == "scale_vec::1X" || size == "block32"),
		k == descriptor.KindMXF4 && (size == "" || size == "scale_vec::2X" || size == "block32"),
		k == descriptor.KindMXF4NVF4 && (size == "scale_vec::2X" || size == "block32"):
		return 32, nil
	}
	return 0, fmt.Errorf("kind::%v has no scale factors of the size %q (PTX ISA 9.7.16.10.7.1)", k, size)
}

// newTensorScale returns the factors of an operand of rows. With M 128 of a pair of blocks, the warps 0 and 1 have the
// factors of the lower half of B, and the warps 2 and 3 have the others (CuTe's ScaleFactorDuplicated2by2).
func newTensorScale(f tmem.ScaleFactors, rows, id int) (*tensorScale, error) {
	halves, up := 1, func(n int) int { return (n + lanes - 1) / lanes * lanes }
	if f.Operand == atom.OperandB && f.Instruction.M == tmem.Lanes && f.Instruction.CTAs() == 2 {
		halves = 2
	}
	part := up(rows / halves)
	s := &tensorScale{rows: up(rows), factors: int(f.PerStep())}
	t, err := f.Tensor(int64(halves*part), f.Instruction.K())
	if err != nil {
		return nil, err
	}
	all, err := cellsOf(t)
	if err != nil {
		return nil, err
	}
	k := int(f.Instruction.K())
	s.copies = tmem.Lanes / tmem.WarpLanes / halves
	each := len(all) / s.copies
	for row := range s.rows {
		at := row
		if halves == 2 {
			at = row/(rows/2)*part + row%(rows/2)
		}
		for n := range s.factors {
			for c := range s.copies {
				e := all[at%(halves*part)+halves*part*(n*k/s.factors)+each*c]
				e.bit += uint8(8 * id)
				s.cells = append(s.cells, e)
			}
		}
	}
	list := make([]int32, len(s.cells))
	for i, e := range s.cells {
		list[i] = e.cell
	}
	s.runs = tensorRuns(list)
	return s, nil
}

// scales finds the factors of both operands.
func (p *tensorProduct) scales(vector int64) (err error) {
	for i, o := range []atom.Operand{atom.OperandA, atom.OperandB} {
		rows, id := []int{p.m, p.n}[i], []int{p.in.ScaleA, p.in.ScaleB}[i]
		f := tmem.ScaleFactors{Instruction: p.in, Operand: o, Vector: vector}
		if p.scale[i], err = newTensorScale(f, rows, id); err != nil {
			return err
		}
	}
	return nil
}

// factors returns the factors of an operand, by copy, row and number. A factor without a value is a NaN, and lost, by
// copy and row.
func (x *tensorIssue) factors(operand int) (values []float64, lost []bool, why *Finding) {
	s, at, seg := x.scale[operand], x.scaleAt[operand], &x.t.seg
	base, n := cellOffset(int(at.Lane()), int(at.Column())), s.rows*s.factors
	values, lost = make([]float64, s.copies*n), make([]bool, s.copies*s.rows)
	for i, e := range s.cells {
		off, c, f := base+uint64(e.cell), i%s.copies, i/s.copies
		if !seg.isDefined(off, 4) {
			lost[c*s.rows+f/s.factors] = true
			if why == nil {
				why = x.w.lost(seg, off, reading{x.lane, 4})
			}
		}
		v, err := x.in.Scale.Decode(seg.read(off, 4) >> e.bit & 0xff)
		if err != nil {
			v = math.NaN()
		}
		values[c*n+f] = v
	}
	return values, lost, why
}

// A scaledProduct is the product of matrices with their factors.
type scaledProduct struct {
	x            *tensorIssue
	a, b         []float64 // the elements, row by row
	sa, sb       []float64
	lostA, lostB []bool
	why          *Finding
	copy         int       // of the factors in b
	scaled       []float64 // b with its factors
	terms        []float64
}

// newScaledProduct reads the elements, whose codes the operands have, and the factors.
func newScaledProduct(x *tensorIssue) *scaledProduct {
	p := &scaledProduct{x: x, copy: -1, scaled: make([]float64, x.n*x.k), terms: make([]float64, x.k+1)}
	sign := map[bool]float64{false: 1, true: -1}
	p.a = elementsOf(x.codesA, x.in.A, sign[x.in.NegateA])
	p.b = elementsOf(x.codesB, x.in.B, sign[x.in.NegateB])
	var also *Finding
	p.sa, p.lostA, p.why = x.factors(0)
	p.sb, p.lostB, also = x.factors(1)
	if p.why == nil {
		p.why = also
	}
	return p
}

// elementsOf returns the values of codes, times a sign.
func elementsOf(codes []uint64, t dtype.Type, sign float64) []float64 {
	list := make([]float64, len(codes))
	for i, c := range codes {
		v, err := t.Decode(c)
		if err != nil {
			v = math.NaN()
		}
		list[i] = sign * v
	}
	return list
}

// row computes row m of D from acc, in place, and returns whether elements have no value: nil if all have one.
func (p *scaledProduct) row(m int, acc []uint64) (lost []bool) {
	x, warp, last := p.x, m/lanes, -1
	fa, fb := x.scale[0], x.scale[1]
	if c := warp % fb.copies; c != p.copy {
		p.copy = c
		for i := range p.scaled {
			p.scaled[i] = p.b[i] * p.sb[(c*fb.rows+i/x.k)*fb.factors+i%x.k*fb.factors/x.k]
		}
	}
	a := make([]float64, x.k)
	for n := range acc {
		c := warp
		if fb.copies == 2 && n >= x.n/2 { // in the lanes of the warps 2 and 3
			c += 2
		}
		if c != last {
			last = c
			for k := range a {
				a[k] = p.a[m*x.k+k] * p.sa[(c*fa.rows+m)*fa.factors+k*fa.factors/x.k]
			}
		}
		for k, v := range a {
			if p.terms[k] = v * p.scaled[n*x.k+k]; !x.isHeld(m, k) {
				p.terms[k] = 0
			}
		}
		p.terms[x.k] = float64(math.Float32frombits(uint32(acc[n])))
		acc[n] = cutSum(p.terms)
		if p.lostA[c*fa.rows+m] || p.lostB[p.copy*fb.rows+n] {
			if lost == nil {
				lost = make([]bool, len(acc))
			}
			lost[n] = true
		}
	}
	return lost
}

// cutSum returns the code in f32 of the sum of terms, each cut off 25 bits below the largest; the sum is cut off to 23
// bits after the point.
func cutSum(terms []float64) uint64 {
	const below = 25
	most, plain := uint64(0), 0.0
	for _, t := range terms {
		plain += t
		most = max(most, math.Float64bits(t)&^(1<<63))
	}
	top := int(most>>52) - 1023 // no term is subnormal: products of factors are 2^-300 at least
	switch {
	case plain != plain:
		return 0x7fffffff
	case math.IsInf(plain, 0):
		return uint64(math.Float32bits(float32(plain)))
	case most == 0: // the unit would be infinite
		return 0
	}
	sum, unit := int64(0), math.Ldexp(1, below-top)
	for _, t := range terms {
		sum += int64(t * unit)
	}
	if sum == 0 {
		return 0
	}
	v := math.Ldexp(float64(sum), top-below)
	f, e := math.Frexp(v)
	return uint64(math.Float32bits(float32(math.Ldexp(math.Trunc(math.Ldexp(f, 24)), e-24))))
}
