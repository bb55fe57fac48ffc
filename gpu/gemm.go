package gpu

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"girih/kernel/copy"
	"girih/kernel/gemm"
)

// A Gemm is a plan of package gemm, loaded on a device with its workspaces. Launches of one Gemm share the workspaces,
// which is safe because a device has one queue.
type Gemm struct {
	plan      *gemm.Plan
	product   *Traced
	copies    []alignment
	workspace *Buffer[float32] // or of s32; nil if blocks do not share K
}

// An alignment is the copy of an operand to rows that the TMA can read.
type alignment struct {
	name string // of the operand
	plan *copy.Plan
	copy *Traced
	to   *Buffer[uint8]
}

// GemmCard returns what plans of package gemm need to know of the device. The numbers that the driver reports replace
// the numbers of the table; a card that is not in the table has the rates of the first one of its architecture, or of
// the first one. The error has the code [Argument] for a card before sm_80.
func (d *Device) GemmCard() (gemm.Card, error) {
	i := d.Info()
	arch := strings.TrimRight(i.Chip, "af") // features of an architecture do not count
	if n, err := strconv.Atoi(strings.TrimPrefix(arch, "sm_")); err != nil || n < 80 {
		return gemm.Card{}, wrong("the kernels of package gemm are for sm_80 and later, and the card is %s", i.Chip)
	}
	c, err := gemm.FindCard(i.Name)
	if all := gemm.Cards(); err != nil {
		c = all[max(slices.IndexFunc(all, func(c gemm.Card) bool { return c.Arch == arch }), 0)]
	}
	c.Name, c.Arch, c.SMs, c.Shared, c.L2 = i.Name, arch, int64(i.SMs), i.SharedPerBlock, i.L2
	return c, nil
}

// LoadGemm compiles and loads a plan, and allocates its workspaces. It returns the errors of [gemm.Plan.Kernel],
// [copy.New], [Device.LoadKernel] and [Alloc].
func (d *Device) LoadGemm(p *gemm.Plan) (*Gemm, error) {
	g := &Gemm{plan: p}
	if err := g.load(d); err != nil {
		_ = g.Close() // the first error is more informative
		return nil, err
	}
	return g, nil
}

func (g *Gemm) load(d *Device) error {
	k, err := g.plan.Kernel()
	if err != nil {
		return err
	}
	if g.product, err = d.LoadKernel(k); err != nil {
		return err
	}
	if n := g.plan.Workspace(); n > 0 {
		if g.workspace, err = Alloc[float32](d, int(n)); err == nil {
			err = g.workspace.Fill(0) // there may be counters
		}
		if err != nil {
			return err
		}
	}
	for _, r := range g.plan.Realign() {
		a := alignment{name: r.Name}
		if a.plan, err = copy.New(r.Src, r.Dst, copy.Options{Bytes: r.Element, SrcAlign: r.Align}); err != nil {
			return err
		}
		k, err := a.plan.Kernel()
		if err != nil {
			return err
		}
		if a.copy, err = d.LoadKernel(k); err != nil {
			return err
		}
		a.to, err = Alloc[uint8](d, int(r.Bytes))
		g.copies = append(g.copies, a)
		if err != nil {
			return err
		}
	}
	return nil
}

// Launch queues the product. The arguments are A, B and D of the problem, alpha, beta and C if the epilogue has them,
// its inputs, and SA and SB if the problem has factors, by name. [gemm.Plan.Args] has the strides, unless the arguments
// have others. It returns the errors of [Traced.Launch].
func (g *Gemm) Launch(args Args) error {
	all := maps.Clone(args)
	for _, c := range g.copies {
		if err := c.copy.Launch(CopyArgs(c.plan, args[c.name], c.to)); err != nil {
			return err
		}
		all[c.name] = c.to
	}
	first, second := g.plan.Operands()
	all["A"], all["B"] = all[first], all[second]
	for name, n := range g.plan.Args() {
		if _, ok := args[name]; !ok {
			all[name] = int(n)
		}
	}
	if g.workspace != nil {
		all["W"] = g.workspace
	}
	return g.product.Launch(all)
}

// Resources returns the resources that the kernel of the product uses.
func (g *Gemm) Resources() Resources { return g.product.Resources() }

// Close unloads the kernels, which must not be running, and frees the workspaces. It returns the errors of
// [Traced.Close] and [Buffer.Close].
func (g *Gemm) Close() error {
	var errs []error
	for _, c := range g.copies {
		errs = append(errs, c.copy.Close())
		if c.to != nil {
			errs = append(errs, c.to.Close())
		}
	}
	if g.workspace != nil {
		errs = append(errs, g.workspace.Close())
	}
	if g.product != nil {
		errs = append(errs, g.product.Close())
	}
	return errors.Join(errs...)
}

// Gemm runs a plan and waits until the product is done. To run a plan more than once, use [Device.LoadGemm]. It returns
// the errors of LoadGemm, [Gemm.Launch] and [Device.Wait].
func (d *Device) Gemm(ctx context.Context, p *gemm.Plan, args Args) error {
	g, err := d.LoadGemm(p)
	if err != nil {
		return err
	}
	if err = g.Launch(args); err == nil {
		err = d.Wait(ctx)
	}
	if e := g.Close(); err == nil {
		err = e
	}
	return err
}
