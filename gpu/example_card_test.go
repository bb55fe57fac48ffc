package gpu_test

import (
	"context"
	"fmt"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/kernel"
	"girih/symbolic"
)

// scale is a kernel as text: x[i] *= by for every i below n.
const scale = `
.version 7.8
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .f32 by, .param .u32 n)
{
	.reg .pred %p;
	.reg .b32 %i, %b, %t, %n;
	.reg .b64 %a;
	.reg .f32 %v, %f;
	mov.u32 %b, %ctaid.x;
	mov.u32 %t, %ntid.x;
	mov.u32 %i, %tid.x;
	mad.lo.u32 %i, %b, %t, %i;
	ld.param.u32 %n, [n];
	setp.ge.u32 %p, %i, %n;
	@%p ret;
	ld.param.u64 %a, [x];
	ld.param.f32 %f, [by];
	mad.wide.u32 %a, %i, 4, %a;
	ld.global.f32 %v, [%a];
	mul.f32 %v, %v, %f;
	st.global.f32 [%a], %v;
	ret;
}`

// exampleScale runs a kernel from text. Without a card, Open returns an error.
func exampleScale() error {
	ctx := context.Background()
	d, err := gpu.Open(0)
	if err != nil {
		return err // gpu: no_driver, with advice
	}
	defer d.Close()
	m, err := d.LoadPTX(scale)
	if err != nil {
		return err // contains the log of the driver's compiler
	}
	k, err := m.Kernel("scale")
	if err != nil {
		return err
	}
	x, err := gpu.Upload(ctx, d, []float32{1, 2, 3})
	if err != nil {
		return err
	}
	if err := k.Launch(gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}}, x, float32(10), x.Len()); err != nil {
		return err
	}
	host := make([]float32, x.Len())
	if err := x.Read(ctx, host); err != nil { // waits
		return err
	}
	fmt.Println(host) // [10 20 30]
	return nil
}

// exampleTraced runs a kernel written in Go: c = a + b.
func exampleTraced() error {
	add, err := kernel.Trace("add", 128, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20})
		tile := func(name string) kernel.Tensor {
			return k.LocalTile(k.Global(name, dtype.F32, kernel.Modes(n)), kernel.Shape(128), k.BlockIdx(0))
		}
		k.Grid(n.CeilDiv(128))
		a, b, c, t := tile("a"), tile("b"), tile("c"), k.ThreadIdx()
		k.If(k.InBounds(c, t), func() { k.Store(k.Load(a, t).Add(k.Load(b, t)), c, t) })
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	d, err := gpu.Open(0)
	if err != nil {
		return err // gpu: no_driver, no_device
	}
	defer d.Close()
	k, err := d.LoadKernel(add)
	if err != nil {
		return err // contains the log of the driver's compiler
	}
	host := []float32{1, 2, 3}
	a, err := gpu.Upload(ctx, d, host)
	if err != nil {
		return err
	}
	if err := k.Launch(gpu.Args{"n": 3, "a": a, "b": a, "c": a}); err != nil { // queued
		return err
	}
	if err := a.Read(ctx, host); err != nil { // waits
		return err
	}
	fmt.Println(host) // [2 4 6]
	return nil
}

// exampleTime compares two launch shapes of a kernel, round by round.
func exampleTime() error {
	d, err := gpu.Open(0)
	if err != nil {
		return err
	}
	defer d.Close()
	m, err := d.LoadPTX(scale)
	if err != nil {
		return err
	}
	k, err := m.Kernel("scale")
	if err != nil {
		return err
	}
	const n = 1 << 26
	x, err := gpu.Alloc[float32](d, n)
	if err != nil {
		return err
	}
	by := func(threads int) gpu.Case {
		return gpu.Case{Name: fmt.Sprint(threads, " threads"), Run: func() error {
			return k.Launch(gpu.Config{Grid: gpu.Dim{X: n / threads}, Block: gpu.Dim{X: threads}}, x, float32(1), n)
		}}
	}
	r, err := d.Time(context.Background(), gpu.TimeOptions{}, by(128), by(1024))
	if err != nil {
		return err
	}
	for _, c := range r.Cases {
		fmt.Printf("%s: %v, %.0f GB/s\n", c.Name, c.Median(), 8*n/c.Median().Seconds()/1e9)
	}
	fmt.Println(r.Clocks)
	return nil
}

// exampleGraph launches a thousand fills as one graph.
func exampleGraph() error {
	d, err := gpu.Open(0)
	if err != nil {
		return err
	}
	defer d.Close()
	x, err := gpu.Alloc[float32](d, 1024)
	if err != nil {
		return err
	}
	g, err := d.Capture(func() error {
		for range 1000 {
			if err := x.Fill(1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := g.Launch(); err != nil {
		return err
	}
	return d.Wait(context.Background())
}

// exampleStream copies a part on one stream while another part is scaled on a second stream.
func exampleStream() error {
	ctx := context.Background()
	d, err := gpu.Open(0)
	if err != nil {
		return err
	}
	defer d.Close()
	m, err := d.LoadPTX(scale)
	if err != nil {
		return err
	}
	k, err := m.Kernel("scale")
	if err != nil {
		return err
	}
	const n, parts = 1 << 20, 4
	host, err := gpu.AllocPinned[float32](d, n)
	if err != nil {
		return err
	}
	x, err := gpu.Alloc[float32](d, n)
	if err != nil {
		return err
	}
	copies, err := d.NewStream()
	if err != nil {
		return err
	}
	start, err := d.NewEvent()
	if err != nil {
		return err
	}
	if err := start.Record(copies); err != nil {
		return err
	}
	var copied *gpu.Event
	for i := range parts {
		from, err := host.Part(i*n/parts, n/parts)
		if err != nil {
			return err
		}
		to, err := x.Part(i*n/parts, n/parts)
		if err != nil {
			return err
		}
		if err := to.On(copies).WriteFrom(from); err != nil { // host must not change until copied
			return err
		}
		if copied, err = d.NewEvent(); err != nil {
			return err
		}
		if err := copied.Record(copies); err != nil {
			return err
		}
		if err := d.Stream().After(copied); err != nil {
			return err
		}
		c := gpu.Config{Grid: gpu.Dim{X: n / parts / 128}, Block: gpu.Dim{X: 128}}
		if err := k.Launch(c, to, float32(10), n/parts); err != nil {
			return err
		}
	}
	if err := copied.Wait(ctx); err != nil {
		return err
	}
	took, err := copied.Since(start)
	if err != nil {
		return err
	}
	fmt.Println("copies:", took)
	return d.Wait(ctx)
}

// exampleDLPack makes a tensor for PyTorch, which torch.utils.dlpack.from_dlpack reads from a capsule.
func exampleDLPack() error {
	d, err := gpu.Open(0)
	if err != nil {
		return err
	}
	defer d.Close()
	x, err := gpu.Alloc[uint16](d, 24)
	if err != nil {
		return err
	}
	managed, err := x.ToDLPack(dtype.BF16, cute.MustParse("(4,6):(6,1)"))
	if err != nil {
		return err
	}
	// The user of the tensor calls its deleter. Here the user is this package.
	t, err := d.FromDLPack(managed)
	if err != nil {
		return err
	}
	fmt.Println(t.Layout, t.Type) // (4,6):(6,1) bf16
	return t.Close()
}

// exampleDevices lists the cards.
func exampleDevices() error {
	cards, err := gpu.Devices()
	if err != nil {
		return err
	}
	for _, c := range cards {
		fmt.Printf("%s (%s), %d multiprocessors, %d GiB\n", c.Name, c.Chip, c.SMs, c.Memory>>30)
	}
	return nil
}

// TestExamples runs the examples above on a card. Their output varies, so they cannot be examples of package testing.
func TestExamples(t *testing.T) {
	card(t)
	for _, f := range []func() error{
		exampleScale, exampleTraced, exampleTime, exampleGraph, exampleStream, exampleDLPack, exampleDevices,
	} {
		check(t, f())
	}
}
