package proof

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"girih/gpu"
	"girih/internal/card/probe"
	"girih/internal/terminal"
)

// A prober runs the kernels of package probe on a card.
type prober struct {
	device *gpu.Device
	data   *gpu.Buffer[uint32]
	clocks *gpu.Pinned[uint64]
	stderr io.Writer
}

func newProber(d *gpu.Device, stderr io.Writer) (*prober, error) {
	p := &prober{device: d, stderr: stderr}
	var err error
	if p.data, err = gpu.Alloc[uint32](d, probe.GlobalBytes/4); err != nil {
		return nil, err
	}
	if err = p.data.Fill(0); err != nil {
		return nil, err
	}
	p.clocks, err = gpu.AllocPinned[uint64](d, 1)
	return p, err
}

// machine describes the card.
func (p *prober) machine() probe.Machine {
	i := p.device.Info()
	return probe.Machine{Device: i.Name, Chip: i.Chip, Driver: i.Driver, Date: time.Now().UTC().Format(time.DateOnly)}
}

// load compiles the kernels of an instruction. It reports an instruction that the card lacks, which is not an error.
func (p *prober) load(o probe.Op, name string) (*gpu.Kernel, func(), error) {
	m, err := o.Module()
	if err != nil {
		return nil, nil, err
	}
	loaded, err := p.device.Load(m)
	if err != nil {
		fmt.Fprintf(p.stderr, "%s is left out: %s\n", o.Name, terminal.Clean(err.Error()))
		return nil, nil, nil
	}
	k, err := loaded.Kernel(name)
	if err != nil {
		return nil, nil, err
	}
	return k, func() { _ = loaded.Close() }, nil
}

// addresses returns the argument of a kernel.
func addresses(c probe.Case) []byte {
	arg := make([]byte, 0, 4*probe.Lanes)
	for i := range probe.Lanes {
		a := uint32(0)
		if i < len(c.Addr) {
			a = uint32(c.Addr[i])
		}
		arg = binary.LittleEndian.AppendUint32(arg, a)
	}
	return arg
}

// each calls do with the kernel of each instruction and its cases.
func (p *prober) each(
	ctx context.Context, cases []probe.Case, name func(probe.Op) string, do func(*gpu.Kernel, probe.Case) error,
) error {
	for len(cases) > 0 {
		o, n := cases[0].Op, 1
		for n < len(cases) && cases[n].Op.Name == o.Name {
			n++
		}
		k, unload, err := p.load(o, name(o))
		if err != nil {
			return err
		}
		for _, c := range cases[:n] {
			if k == nil {
				break
			}
			if err := do(k, c); err != nil {
				return fmt.Errorf("%s, %s: %w", o.Name, c.Name, err)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if k != nil {
			if err := p.device.Wait(ctx); err != nil {
				return fmt.Errorf("%s: %w", o.Name, err)
			}
			unload()
		}
		cases = cases[n:]
	}
	return nil
}

// once launches every case once, in order, for a profiler to count.
func (p *prober) once(ctx context.Context, cases []probe.Case) ([]probe.Record, error) {
	var records []probe.Record
	err := p.each(ctx, cases, probe.Op.OnceKernel, func(k *gpu.Kernel, c probe.Case) error {
		records = append(records, probe.NewRecord(c))
		cfg := gpu.Config{Grid: gpu.Dim{X: c.Op.Blocks()}, Block: gpu.Dim{X: probe.Lanes}}
		return k.Launch(cfg, addresses(c), p.data, uint32(0))
	})
	return records, err
}

// time measures the clocks of one access of every case: the difference of two runs, without their common costs.
func (p *prober) time(ctx context.Context, cases []probe.Case) ([]probe.Record, error) {
	const short, long = 8, 40
	var records []probe.Record
	err := p.each(ctx, cases, probe.Op.LoopKernel, func(k *gpu.Kernel, c probe.Case) error {
		cfg := gpu.Config{Grid: gpu.Dim{X: c.Op.Blocks()}, Block: gpu.Dim{X: probe.Lanes * probe.Warps}}
		var best [2]uint64
		// until a round is no faster; the first one also loads the code
		for round, less := 0, true; less && round < 8; round++ {
			less = round == 0
			for i, n := range []uint32{short, long} {
				if err := k.Launch(cfg, addresses(c), p.data, uint32(0), n, p.clocks); err != nil {
					return err
				}
				if err := p.device.Wait(ctx); err != nil {
					return err
				}
				if x := p.clocks.Slice()[0]; best[i] == 0 || x < best[i] {
					best[i], less = x, true
				}
			}
		}
		r := probe.NewRecord(c)
		r.Cycles = (float64(best[1]) - float64(best[0])) / ((long - short) * probe.Unroll * probe.Warps)
		records = append(records, r)
		return nil
	})
	return records, err
}
