package gpu

import (
	"context"
	"reflect"

	"girih/kernel"
	"girih/kernel/copy"
	"girih/tensormap"
)

// A Traced is a kernel of package kernel, loaded on a device.
type Traced struct {
	traced *kernel.Kernel
	module *Module
	kernel *Kernel
}

// LoadKernel compiles and loads a traced kernel. It returns the errors of [Device.Load].
func (d *Device) LoadKernel(k *kernel.Kernel) (*Traced, error) {
	m, err := d.Load(k.Module)
	if err != nil {
		return nil, err
	}
	f, err := m.Kernel(k.Name)
	if err != nil {
		_ = m.Close() // the first error is more informative
		return nil, err
	}
	return &Traced{k, m, f}, nil
}

// On returns t with s as the stream of its launches. nil is the device's own stream.
func (t *Traced) On(s *Stream) *Traced { return &Traced{t.traced, t.module, t.kernel.On(s)} }

// Args maps the names of a kernel's parameters to the arguments: a number for each number, and a *[Buffer] or an
// address for each tensor, even if the kernel uses a tensor map.
type Args map[string]any

// Launch queues the kernel. The numbers among the arguments determine the grid, the clusters, the shared memory and the
// tensor maps. The error has the code [Argument] if an argument is missing or does not match its parameter.
// Launch also returns the errors of [Kernel.Launch], and of [kernel.Kernel.Grid] and [kernel.Kernel.TensorMap],
// which are *[cute.Error]s.
func (t *Traced) Launch(args Args) error {
	k := t.traced
	numbers := map[string]int64{}
	for _, p := range k.Params {
		a, ok := args[p.Name]
		if !ok {
			return wrong("kernel %s has no argument for its parameter %s", k.Name, p.Name)
		}
		switch v := reflect.ValueOf(a); {
		case p.Pointer:
		case v.CanInt():
			numbers[p.Name] = v.Int()
		case v.CanUint():
			numbers[p.Name] = int64(v.Uint())
		}
	}
	list := make([]any, len(k.Params))
	for i, p := range k.Params {
		list[i] = args[p.Name]
		if !p.Map {
			continue
		}
		at, err := t.address(p.Name, list[i])
		if err != nil {
			return err
		}
		m, err := k.TensorMap(p.Name, numbers, at)
		if err != nil {
			return err
		}
		if list[i], err = t.module.r.device.TensorMap(tensorOf(m)); err != nil {
			return err
		}
	}
	grid, err := k.Grid(numbers)
	if err != nil {
		return err
	}
	dim := func(n [3]int64) Dim { return Dim{int(n[0]), int(n[1]), int(n[2])} }
	return t.kernel.Launch(Config{
		Grid: dim(grid), Block: Dim{X: int(k.Threads)}, Cluster: dim(k.Cluster), Shared: int(k.Dynamic),
	}, list...)
}

// address returns the address of the memory for which a tensor map is made.
func (t *Traced) address(name string, arg any) (uint64, error) {
	if at, ok := arg.(uint64); ok {
		return at, nil
	}
	b, ok := arg.(addressable)
	if !ok || reflect.ValueOf(b).IsNil() {
		return 0, wrong("kernel %s takes a buffer or its address as %s, not %T", t.traced.Name, name, arg)
	}
	if err := b.alive(); err != nil {
		return 0, err
	}
	if err := t.module.r.device.same(b.device()); err != nil {
		return 0, wrong("argument %s of kernel %s: %v", name, t.traced.Name, err)
	}
	return b.Addr(), nil
}

// tensorOf converts a map of boxes to a Tensor.
func tensorOf(m tensormap.Map) Tensor {
	t := Tensor{
		Type: TensorType(m.Type), Addr: m.Address, Interleave: TensorInterleave(m.Interleave),
		Swizzle: TensorSwizzle(m.Swizzle), NaN: m.Fill == tensormap.FillNaN,
		Promote: map[tensormap.Promotion]int{
			tensormap.Promotion64B: 64, tensormap.Promotion128B: 128, tensormap.Promotion256B: 256,
		}[m.Promotion],
	}
	for _, n := range m.Dims {
		t.Shape = append(t.Shape, uint64(n))
	}
	for _, n := range m.Strides {
		t.Stride = append(t.Stride, uint64(n))
	}
	for _, n := range m.Box {
		t.Box = append(t.Box, uint32(n))
	}
	for _, n := range m.Steps {
		t.Step = append(t.Step, uint32(n))
	}
	return t
}

// Resources returns the resources that the kernel uses.
func (t *Traced) Resources() Resources { return t.kernel.Resources() }

// Cached reports whether the kernel was compiled before.
func (t *Traced) Cached() bool { return t.module.Cached() }

// Close unloads the kernel, which must not be running. It returns the errors of [Module.Close].
func (t *Traced) Close() error { return t.module.Close() }

// CopyArgs returns the arguments for the kernel of a plan: src and dst, each a *[Buffer] or the address of the element
// at offset 0, and the values of run-time integers that were passed to [copy.Plan.At].
func CopyArgs(p *copy.Plan, src, dst any) Args {
	args := Args{"src": src, "dst": dst}
	for name, n := range p.Args() {
		args[name] = int(n)
	}
	return args
}

// Copy runs the plan p and waits until the copy is done. It copies the elements at the source layout's offsets in src
// to the destination layout's offsets in dst. Each of src and dst is a *[Buffer], or the address of the element at
// offset 0. To run a plan more than once, load its kernel with [Device.LoadKernel] and launch this kernel with
// [CopyArgs]; one kernel serves all values of run-time integers. Copy returns the errors of [copy.Plan.Kernel],
// [Device.LoadKernel], [Traced.Launch] and [Device.Wait].
func (d *Device) Copy(ctx context.Context, p *copy.Plan, src, dst any) error {
	k, err := p.Kernel()
	if err != nil {
		return err
	}
	t, err := d.LoadKernel(k)
	if err != nil {
		return err
	}
	if err = t.Launch(CopyArgs(p, src, dst)); err == nil {
		err = d.Wait(ctx)
	}
	if e := t.Close(); err == nil {
		err = e
	}
	return err
}
