package gemms

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/card/command"
	"girih/internal/ints"
	"girih/internal/machine/gemm"
	"girih/kernel"
	plans "girih/kernel/gemm"
)

// This file runs the kernels that package kernel/gemm plans.

// plan plans the product of a request: rows of A and B are padded to multiples of 16 bytes, and D has the type of sums
// unless a search names its type.
func (r *gemmRequest) plan(size [3]int64) (*plans.Plan, error) {
	t, err := dtype.Parse(r.typ)
	if err != nil {
		return nil, asUsage(err)
	}
	if r.sum != "" || r.stages != 0 || r.atoms != "" || r.tile != "" {
		return nil, command.UsageError("--sum, --stages, --atoms and --tile are options of kernels with a name")
	}
	card := r.card
	if card.SMs == 0 {
		card = plans.Cards()[0]
	}
	padded := func(rows int64) cute.Layout {
		ld := ints.RoundUp(size[2], max(1, 128/int64(t.Bits())))
		if r.l == 0 {
			return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, size[2], ld))
		}
		return cute.MustParse(fmt.Sprintf("(%d,%d,%d):(%d,1,%d)", rows, size[2], r.l, ld, rows*ld))
	}
	problem, err := r.problem(t, size)
	if err != nil {
		return nil, asUsage(err)
	}
	problem.A = padded(size[0])
	if r.groups == 0 && r.typeB == "" {
		problem.B = padded(size[1])
	}
	p, err := plans.New(problem, card, plans.Options{})
	return p, asUsage(err)
}

// problem returns the problem of a request, without layouts.
func (r *gemmRequest) problem(t dtype.Type, size [3]int64) (problem plans.Problem, err error) {
	problem = plans.Problem{
		M: size[0], N: size[1], K: size[2], L: r.l, In: t, Out: dtype.F32, Fast: r.fast, Scale: plans.Scale(r.scale),
		Groups: r.groups,
	}
	problem.Epilogue.Scaled = r.alpha != 1 || r.c != ""
	if t.Kind() != dtype.Float && r.scale == "" && !problem.Epilogue.Scaled {
		problem.Out = dtype.S32
	}
	names := [3]string{r.output, r.c, r.typeB}
	for i, to := range [3]*dtype.Type{&problem.Out, &problem.Epilogue.Add, &problem.InB} {
		if names[i] != "" && err == nil {
			*to, err = dtype.Parse(names[i])
		}
	}
	return problem, err
}

// plannedProduct returns the product that is planned for the size of the request.
func (r *gemmRequest) plannedProduct() (*product, error) {
	size := [3]int64{r.m, r.n, r.k}
	p, err := r.plan(size)
	if err != nil {
		return nil, err
	}
	c := p.Choice()
	a, err := atom.FindMMA(c.MMA)
	if err != nil {
		return nil, err
	}
	out := &product{
		name: "gemm", times: max(r.l, 1), trace: func([3]int64) (*kernel.Kernel, error) { return p.Kernel() },
		key: func([3]int64) string { return "" }, ints: func([3]int64) map[string]int64 { return p.Args() },
	}
	out.form.Tile = c.Tile
	if out.form.MMA, err = atom.MakeTiledMMA(a, cute.Layout{}, cute.Keep); err != nil {
		return nil, err
	}
	y := &plannedRun{plan: p, types: a.Types, alpha: r.alpha, beta: r.beta}
	out.launch, out.adds, out.integers = y.launch, r.c != "", r.typeB != ""
	out.result = func(x gemm.Problem, d []byte) ([]float64, error) {
		all, err := out.form.Numbers(x, d)
		return agreement(y.plain(x, all), x.M, x.N), err
	}
	return out, nil
}

// agreement returns product 0 of several, whose product l has the rows of A rotated by l: the same sums, in other
// places. An element that another product has otherwise is replaced by that product's, so that it is found wrong.
func agreement(all []float64, m, n int64) []float64 {
	first := all[:min(m*n, int64(len(all)))]
	out := slices.Clone(first)
	for at, x := range all {
		l, i, j := int64(at)/(m*n), int64(at)/n%m, int64(at)%n
		from := (i+l)%m*n + j
		if y := first[from]; x != y && (x == x || y == y) { // not both NaN
			out[from] = x
		}
	}
	return out
}

// printPlan prints the plan of the size.
func (r *gemmRequest) printPlan(c *command.Call) error {
	p, err := r.plan([3]int64{r.m, r.n, r.k})
	if err != nil {
		return err
	}
	if r.json {
		return encode(c.Stdout, p)
	}
	return c.Write(p.String())
}
