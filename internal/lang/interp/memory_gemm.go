package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// This file implements cute::gemm on tensors with storage, using package tiled.

// A product contains the operands of gemm, D = A*B + C.
type product struct {
	mma        atom.TiledMMA
	d, a, b, c Algebra
}

// gemmTensors implements gemm([mma,] [D,] A, B, C). Without an MMA the elements are multiplied and added one by one.
func gemmTensors(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	list := c.pos
	var p product
	hasMMA := false
	if len(list) > 0 {
		if m, _, ok := mmaOf(list[0]); ok {
			p.mma, list, hasMMA = m, list[1:], true
		}
	}
	same := len(list) == 3
	if same {
		list = []Value{list[2], list[0], list[1], list[2]}
	}
	if len(list) != 4 {
		return nil, errorf(cute.CodeRank, "expected gemm(mma, A, B, C), with a D before A or without mma, found %d arguments",
			len(c.pos))
	}
	operands := &arguments{pos: list}
	for i, to := range []*Algebra{&p.d, &p.a, &p.b, &p.c} {
		var err error
		if *to, err = operands.storage(i); err != nil {
			return nil, err
		}
	}
	if !hasMMA {
		var err error
		name := "UniversalFMA<" + p.d.typ.CPP() + "," + p.a.typ.CPP() + "," + p.b.typ.CPP() + "," + p.c.typ.CPP() + ">"
		if p.mma, err = r.oneThreadMMA(name); err != nil {
			return nil, err
		}
	}
	if !same && (p.d.window != p.c.window || p.d.view().String() != p.c.view().String()) {
		if err := r.copyTo(p.c, p.d); err != nil {
			return nil, err
		}
		p.c = p.d
	}
	if Sets(c.pos[0]) {
		if err := r.setsProduct(p); err != nil {
			return nil, err
		}
	}
	return None{}, r.multiply(p)
}

// multiply computes C += A*B.
func (r *runner) multiply(p product) error {
	ranks := [3]int{p.a.view().Rank(), p.b.view().Rank(), p.c.view().Rank()}
	isWhole := ranks == [3]int{2, 2, 2} || ranks == [3]int{1, 1, 2}
	one := p.mma.Atom().Threads() == 1
	if !one && !isWhole && ranks[0] < 4 {
		return r.multiplyTogether(p)
	}
	if one {
		m, err := r.oneThreadMMA(p.mma.Atom().Name)
		if err != nil {
			return err
		}
		p.mma = m
	}
	var reads [3]read
	for i, t := range []Algebra{p.a, p.b, p.c} {
		var err error
		if reads[i], err = r.loadTensor(t); err != nil {
			return err
		}
	}
	a, b, c := reads[0], reads[1], reads[2]
	if k := a.Size() / max(1, p.a.view().Extent(1)); r.work(1+int(c.Size()*k/elementsPerStep)) != nil {
		return r.work(0)
	}
	ta, tb, tc, err := sameRanks(a.Tensor, b.Tensor, c.Tensor)
	if err != nil {
		return err
	}
	if one && tc.Rank() == 2 {
		if err := addValues(&ta, &tb, &tc); err != nil {
			return err
		}
	}
	if err := tiled.Gemm(p.mma, ta, tb, tc); err != nil {
		return err
	}
	return r.markWritten(p.c, c)
}

// sameRanks adds the modes of extent 1 that the dispatch of cute::gemm adds: (V)x(V)=>(V), (M)x(N)=>(M,N) and
// (V,M)x(V,N)=>(V,M,N).
func sameRanks(a, b, c tensor.Tensor[uint64]) (ta, tb, tc tensor.Tensor[uint64], err error) {
	addA, addC := 0, 0
	ranks := [3]int{a.Rank(), b.Rank(), c.Rank()}
	switch ranks {
	case [3]int{1, 1, 1}:
		addA, addC = 2, 2
	case [3]int{1, 1, 2}, [3]int{2, 2, 3}:
		addA = 1
	}
	if ta, err = withModes(a, addA); err != nil {
		return
	}
	if tb, err = withModes(b, addA); err != nil {
		return
	}
	tc, err = withModes(c, addC)
	return
}

// oneThreadMMA returns the tiled MMA that consists of one instruction of one thread.
func (r *runner) oneThreadMMA(name string) (atom.TiledMMA, error) {
	if m, ok := r.mmas[name]; ok {
		return m, nil
	}
	a, err := atom.FindMMA(name)
	if err != nil {
		return atom.TiledMMA{}, err
	}
	m, err := atom.MakeTiledMMA(a, oneAtom(), nil)
	if err == nil {
		if r.mmas == nil {
			r.mmas = make(map[string]atom.TiledMMA)
		}
		r.mmas[name] = m
	}
	return m, err
}

// addValues adds the mode for the values of an instruction to tensors without it: (M,K) becomes (1,M,K).
func addValues(ts ...*tensor.Tensor[uint64]) (err error) {
	for _, t := range ts {
		if *t, err = t.Map(withValues); err != nil {
			return err
		}
	}
	return nil
}

// withValues returns the layout with a mode of extent 1 added before its modes.
func withValues(l cute.Layout) (cute.Layout, error) {
	one, err := cute.LayoutLeft(cute.Int(1))
	if err != nil {
		return l, err
	}
	return l.PrependMode(one)
}

// withModes appends modes of extent 1.
func withModes(t tensor.Tensor[uint64], n int) (tensor.Tensor[uint64], error) {
	one, err := cute.LayoutLeft(cute.Int(1))
	for range n {
		if err != nil {
			return t, err
		}
		t, err = t.Map(func(l cute.Layout) (cute.Layout, error) {
			if l.Shape().IsInt() {
				return cute.MakeLayout(l, one)
			}
			return l.AppendMode(one)
		})
	}
	return t, err
}

// needsThreads returns the error for an instruction of several threads that only one thread executes.
func needsThreads(name string, n int64) *statedError {
	e := errorf(cute.CodeType, "%s is executed by %d threads together, and this program is one thread", name, n)
	e.hint = "launch a kernel with at least that many threads: f<<<1, 32>>>(), or give gemm tensors that are not divided"
	return e
}
