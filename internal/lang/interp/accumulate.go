package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
)

// This file has tiled_mma.accumulate_ of wgmma: with ScaleOut::Zero, products set C instead of adding to it.

// scaleOuts are the values of GMMA::ScaleOut and UMMA::ScaleOut.
var scaleOuts = map[string]CInt{"Zero": {Type: CIntType}, "One": {Bits: 1, Type: CIntType}}

// accumulateOf returns mma.accumulate_ as a variable.
func (r *runner) accumulateOf(a Algebra, x *program.Attr) (*cell, error) {
	if _, _, ok := mmaOf(a); !ok {
		return nil, nil
	}
	of, err := r.variableOf(x.X)
	if err != nil || of == nil {
		return nil, err
	}
	c := &cell{v: scaleOuts["One"]}
	if a.sets {
		c.v = scaleOuts["Zero"]
	}
	c.put = func(v Value) error {
		n, ok := integerOf(v)
		if !ok {
			return errorf(cute.CodeType, "expected ScaleOut::Zero or ScaleOut::One, found %s", r.describe(v))
		}
		a.sets = n == 0
		of.v = a
		return nil
	}
	return c, nil
}

// Sets reports whether a value is an MMA whose products set C.
func Sets(v Value) bool {
	a, ok := v.(Algebra)
	return ok && a.sets
}

// SameMMA reports whether two values are one MMA, perhaps with another accumulate_.
func SameMMA(v, w Value) bool {
	a, _, isA := mmaOf(v)
	b, _, isB := mmaOf(w)
	return isA && isB && a.String() == b.String()
}

// RefuseSets refuses products that set C several times: CuTe's gemm sets C for each step along K.
func RefuseSets(steps int64) error {
	if steps < 2 {
		return nil
	}
	e := errorf(cute.CodeNotRepresentable,
		"with ScaleOut::Zero, gemm sets C for each of %d steps along K: only the last one counts", steps)
	e.hint = "call gemm for each k: gemm(mma, tCrA(_,_,k), tCrB(_,_,k), tCrC), and set accumulate_ to One after the first"
	return e
}

// setsProduct clears C before a product that sets it.
func (r *runner) setsProduct(p product) error {
	if p.a.view().Rank() > 2 {
		if err := RefuseSets(p.a.view().Extent(2)); err != nil {
			return err
		}
	}
	return r.fillTensor(p.c, CInt{Type: CIntType})
}
