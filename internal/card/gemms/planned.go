package gemms

import (
	"bytes"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/card/command"
	"girih/internal/machine/gemm"
	"girih/kernel"
	plans "girih/kernel/gemm"
)

// This file runs the kernels that package kernel/gemm plans.

// plan plans the product of a request: rows of A and B are padded to multiples of 16 bytes, and D is f32.
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
		return cute.MustParse(fmt.Sprintf("(%d,%d):(%d,1)", rows, size[2], (size[2]+7)/8*8))
	}
	p, err := plans.New(plans.Problem{
		M: size[0], N: size[1], K: size[2], In: t, Out: dtype.F32, A: padded(size[0]), B: padded(size[1]),
	}, card, plans.Options{})
	return p, asUsage(err)
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
		name: "gemm", trace: func([3]int64) (*kernel.Kernel, error) { return p.Kernel() },
		key: func([3]int64) string { return "" }, ints: func([3]int64) map[string]int64 { return p.Args() },
	}
	out.form.Tile = c.Tile
	if out.form.MMA, err = atom.MakeTiledMMA(a, cute.Layout{}, cute.Keep); err != nil {
		return nil, err
	}
	out.launch = func(x gemm.Problem) (gemm.Launch, error) { return plannedLaunch(p, a.Types.A.Type, x) }
	out.result = out.form.Numbers
	return out, nil
}

// plannedLaunch returns the arguments of a planned kernel.
func plannedLaunch(p *plans.Plan, t dtype.Type, x gemm.Problem) (l gemm.Launch, err error) {
	first, second := p.Operands()
	l = gemm.Launch{Ints: p.Args(), Tensors: map[string][]byte{}, Output: "D"}
	sides := map[string][]float64{"A": x.A, "B": x.B}
	if l.Tensors["A"], err = gemm.Pack(t, sides[first], x.K, l.Ints["ldA"]); err != nil {
		return l, err
	}
	if l.Tensors["B"], err = gemm.Pack(t, sides[second], x.K, l.Ints["ldB"]); err != nil {
		return l, err
	}
	l.Tensors["D"] = bytes.Repeat([]byte{gemm.Poison(dtype.F32)}, int(4*x.M*x.N))
	if n := p.Workspace(); n > 0 {
		l.Tensors["W"] = make([]byte, 4*n)
	}
	return l, nil
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
