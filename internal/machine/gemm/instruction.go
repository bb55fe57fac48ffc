package gemm

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/machine/lower"
)

// This file executes one MMA instruction on fragments: registers by (thread, value).

// An instruction is an MMA with its layouts as tables.
type instruction struct {
	mma     atom.MMA
	a, b, c operand
	m, n, k int
	round   rounding
	product func(a, b float64) float64
	am, bm  []float64 // the matrices that the fragments make up, (m,k) and (n,k)
	set     []bool
}

// An operand has for each thread and value, thread first, the index in the matrix.
type operand struct {
	threads, values int
	index           []int
	size            int // elements of the matrix
}

// newInstruction tabulates the layouts. It returns [cute.CodeLimit] for an instruction of several blocks or with scale
// factors or metadata, whose operands are more than two matrices.
func newInstruction(m atom.MMA) (*instruction, error) {
	if m.Blocks > 1 || m.Scale != nil || m.Sparse != nil && !lower.IsWarpgroup(m) {
		return nil, refuse(cute.CodeLimit,
			"%s is not simulated: block-scaled and multi-block instructions, and sparse ones that are not wgmma, have more operands than A, B and C",
			m.Name)
	}
	if m.Sparse != nil && m.AMajor == atom.MNMajor {
		return nil, refuse(cute.CodeLimit,
			"%s is not simulated: the halves of what is left of a sparse A are not neighbours along M", m.Name)
	}
	if m.Types.A.Parts > 1 || m.Types.B.Parts > 1 {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "gemm", Msg: fmt.Sprintf("%s is not simulated: its elements are complex", m.Name),
		}
	}
	for _, t := range []atom.Element{m.Types.A, m.Types.B} {
		if b := t.Type.Bits(); b&(b-1) != 0 {
			return nil, &cute.Error{
				Code: cute.CodeLimit, Op: "gemm",
				Msg: fmt.Sprintf("%s is not simulated: no copy of whole words moves elements of %d bits, %v", m.Name, b, t.Type),
			}
		}
	}
	in := &instruction{
		mma: m, m: int(m.Shape[0]), n: int(m.Shape[1]), k: int(m.Shape[2]), round: roundingOf(m.Types.C.Type),
		product: productOf(m),
	}
	var err error
	if in.a, err = tabulate(m.A, in.m*in.k); err != nil {
		return nil, err
	}
	if in.b, err = tabulate(m.B, in.n*in.k); err != nil {
		return nil, err
	}
	if in.c, err = tabulate(m.C, in.m*in.n); err != nil {
		return nil, err
	}
	in.am, in.bm = make([]float64, in.m*in.k), make([]float64, in.n*in.k)
	in.set = make([]bool, max(len(in.am), len(in.bm)))
	return in, nil
}

// productOf returns what the instruction adds for an element of A and one of B: the product, but where it counts the
// bits of an exclusive or.
func productOf(m atom.MMA) func(a, b float64) float64 {
	if strings.HasSuffix(m.Name, "_XORPOPC") {
		return func(a, b float64) float64 { return a + b - 2*a*b }
	}
	return func(a, b float64) float64 { return a * b }
}

// tabulate evaluates a thread-value layout.
func tabulate(tv cute.Layout, size int) (operand, error) {
	modes := tv.Modes()
	if len(modes) != 2 {
		return operand{}, &cute.Error{
			Code: cute.CodeRank, Op: "gemm", Msg: fmt.Sprintf("expected a layout of threads and values, found %v", tv),
		}
	}
	o := operand{threads: int(modes[0].Size()), values: int(modes[1].Size()), size: size}
	offsets, err := tv.AppendOffsets(nil)
	if err != nil {
		return o, err
	}
	o.index = make([]int, len(offsets))
	for i, x := range offsets { // threads run fastest
		if x < 0 || x >= int64(size) {
			return o, &cute.Error{
				Code: cute.CodeExtent, Op: "gemm", Msg: fmt.Sprintf("thread %d holds the element %d of a matrix of %d",
					i%o.threads, x, size),
			}
		}
		o.index[i%o.threads*o.values+i/o.threads] = int(x)
	}
	return o, nil
}

// gather makes the matrix of a fragment. Where several registers hold one element they must agree.
func (in *instruction) gather(o *operand, matrix []float64, what string, register func(thread, value int) float64) error {
	set := in.set[:o.size]
	clear(set)
	for t := range o.threads {
		for v := range o.values {
			i := o.index[t*o.values+v]
			x := register(t, v)
			if set[i] && matrix[i] != x {
				return &cute.Error{
					Code: cute.CodeNotInjective, Op: "gemm",
					Msg: fmt.Sprintf("%s: two registers hold element %d of %s and differ: %v, and %v in thread %d, value %d",
						in.mma.Name, i, what, matrix[i], x, t, v),
				}
			}
			set[i], matrix[i] = true, x
		}
	}
	for i, ok := range set {
		if !ok {
			return &cute.Error{
				Code: cute.CodeNotInvertible, Op: "gemm", Msg: fmt.Sprintf("%s: no register holds element %d of %s",
					in.mma.Name, i, what),
			}
		}
	}
	return nil
}

// A fragment reads and writes the registers of the threads of one instruction.
type fragment struct {
	a, b func(thread, value int) float64
	c    func(thread, value int) *float64
}

// execute adds the products at some k to the accumulators: exact sums, rounded once to the accumulator's type.
func (in *instruction) execute(f fragment, ks []int) error {
	if err := in.gather(&in.a, in.am, "A", f.a); err != nil {
		return err
	}
	if err := in.gather(&in.b, in.bm, "B", f.b); err != nil {
		return err
	}
	for t := range in.c.threads {
		for v := range in.c.values {
			i := in.c.index[t*in.c.values+v]
			m, n := i%in.m, i/in.m
			d := f.c(t, v)
			sum := *d
			for _, k := range ks {
				sum += in.product(in.am[m+k*in.m], in.bm[n+k*in.n])
			}
			r, err := in.round(sum)
			if err != nil {
				return err
			}
			*d = r
		}
	}
	return nil
}
