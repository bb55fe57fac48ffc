package product

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"

	"girih/dtype"
	"girih/kernel"
	"girih/kernel/gemm"
)

// outside is what D has before a kernel runs.
const outside = 77

// A Trial is a problem with its numbers, whose sums are exact.
type Trial struct {
	Problem    gemm.Problem
	A, B, C, D Cube
	SA, SB     []float64
	Numbers    map[string]float64          // alpha and beta
	More       map[string][]float64        // further inputs
	Adds       func(i, j, l int64) float64 // what the epilogue adds, or nil
}

// New draws the numbers of a problem whose layouts are complete.
func New(p gemm.Problem, r *rand.Rand) *Trial {
	x := &Trial{Problem: p, Numbers: map[string]float64{}}
	x.A, x.B, x.D = cubeOf(p.A, p.In, r), cubeOf(p.B, p.InB, r), cubeOf(p.D, p.Out, r)
	for i := range x.D.X {
		x.D.X[i] = outside
	}
	if p.Epilogue.Scaled {
		x.Numbers["alpha"] = -2
	}
	if p.Epilogue.Add != 0 {
		x.C, x.Numbers["beta"] = cubeOf(p.C, p.Epilogue.Add, r), float64(r.IntN(3))
		if x.Numbers["beta"] == 0 { // then C is not read
			for i := range x.C.X {
				x.C.X[i] = math.NaN()
			}
		}
	}
	blocks := (p.K + gemm.ScaleBlock - 1) / gemm.ScaleBlock
	sizes := map[gemm.Scale][2]int64{
		gemm.ScaleTensors: {1, 1}, gemm.ScaleRows: {p.M, p.N},
		gemm.ScaleBlocks: {p.M * blocks, (p.N + gemm.ScaleBlock - 1) / gemm.ScaleBlock * blocks},
	}[p.Scale]
	for i, s := range []*[]float64{&x.SA, &x.SB} {
		*s = make([]float64, sizes[i]*x.products())
		for j := range *s {
			(*s)[j] = math.Ldexp(1, r.IntN(3)-1)
		}
	}
	return x
}

// products returns the number of products.
func (x *Trial) products() int64 { return max(x.Problem.L, 1) }

// Tensors returns the tensors of the problem by the names of their parameters.
func (x *Trial) Tensors() map[string][]float64 {
	out := map[string][]float64{"A": x.A.X, "B": x.B.X, "D": x.D.X}
	for name, s := range map[string][]float64{"C": x.C.X, "SA": x.SA, "SB": x.SB} {
		if len(s) > 0 {
			out[name] = s
		}
	}
	maps.Copy(out, x.More)
	return out
}

// Type returns the type of the elements of a tensor of the problem, f32 for factors.
func (x *Trial) Type(name string) dtype.Type {
	p := &x.Problem
	switch name {
	case "A":
		return p.In
	case "B":
		return p.InB
	case "C":
		return p.Epilogue.Add
	case "D":
		return p.Out
	}
	return dtype.F32
}

// Simulate executes a plan in the simulator, which must have no findings.
func (x *Trial) Simulate(plan *gemm.Plan, seed uint64) error {
	k, err := plan.Kernel()
	if err != nil {
		return fmt.Errorf("%w\n%v", err, plan)
	}
	sides := map[string]Cube{"A": x.A, "B": x.B}
	for _, c := range plan.Realign() {
		sides[c.Name] = sides[c.Name].under(c.Dst)
		if got := int64(len(sides[c.Name].X)) * c.Element; got > c.Bytes {
			return fmt.Errorf("the copy of %s has %d bytes, %d are planned", c.Name, got, c.Bytes)
		}
	}
	args := kernel.Args{Ints: plan.Args(), Seed: seed, Numbers: x.Numbers, Tensors: x.Tensors()}
	first, second := plan.Operands()
	args.Tensors["A"], args.Tensors["B"] = sides[first].X, sides[second].X
	maps.Copy(args.Tensors, x.More) // weights take the place of B
	if n := plan.Workspace(); n > 0 {
		args.Tensors["W"] = make([]float64, n)
	}
	result, err := k.Simulate(context.Background(), args)
	if err != nil {
		return fmt.Errorf("%w\n%v", err, plan)
	}
	if len(result.Findings) > 0 {
		return fmt.Errorf("%v\n%v", result.Findings[0], plan)
	}
	return nil
}

// Want returns an element of D by its definition.
func (x *Trial) Want(i, j, l int64) float64 {
	sum, blocks, p := 0.0, (x.Problem.K+gemm.ScaleBlock-1)/gemm.ScaleBlock, &x.Problem
	sa, sb := x.SA[int64(len(x.SA))/x.products()*l:], x.SB[int64(len(x.SB))/x.products()*l:]
	for q := range p.K {
		v := *x.A.At(i, q, l) * *x.B.At(j, q, l)
		switch p.Scale {
		case gemm.ScaleTensors:
			v *= sa[0] * sb[0]
		case gemm.ScaleRows:
			v *= sa[i] * sb[j]
		case gemm.ScaleBlocks:
			v *= sa[i+q/gemm.ScaleBlock*p.M] * sb[j/gemm.ScaleBlock*blocks+q/gemm.ScaleBlock]
		}
		sum += v
	}
	if p.Epilogue.Scaled {
		sum *= x.Numbers["alpha"]
	}
	if beta := x.Numbers["beta"]; beta != 0 {
		sum += beta * *x.C.At(i, j, l)
	}
	if x.Adds != nil {
		sum += x.Adds(i, j, l)
	}
	return sum
}

// Check compares D with the definition, and says whether something outside of it was written.
func (x *Trial) Check() error {
	inside := map[*float64]bool{}
	for i := range x.Problem.M {
		for j := range x.Problem.N {
			for l := range x.products() {
				at := x.D.At(i, j, l)
				inside[at] = true
				if want := x.Want(i, j, l); !x.Near(*at, want) {
					return fmt.Errorf("D(%d,%d,%d) is %v, want %v", i, j, l, *at, want)
				}
			}
		}
	}
	for i := range x.D.X {
		if !inside[&x.D.X[i]] && x.D.X[i] != outside {
			return fmt.Errorf("a place outside of D was written: %d", i)
		}
	}
	return nil
}

// Near reports whether a number of D is what it should be, rounded to its type.
func (x *Trial) Near(got, want float64) bool {
	unit := 0.0
	if x.Problem.Out.Bits() == 16 {
		unit = math.Abs(want) / 256
	}
	return math.Abs(got-want) <= unit
}
