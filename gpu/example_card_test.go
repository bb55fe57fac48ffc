package gpu_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"girih/gpu"
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

// A kernel from its text to its result. It needs a card: without one, Open says so.
func Example() {
	ctx := context.Background()
	d, err := gpu.Open(0)
	if err != nil {
		log.Fatal(err) // gpu: no_driver, with what to do about it
	}
	defer d.Close()
	m, err := d.LoadPTX(scale)
	if err != nil {
		log.Fatal(err) // the log of the driver's compiler is in it
	}
	k, err := m.Kernel("scale")
	if err != nil {
		log.Fatal(err)
	}
	x, err := gpu.Upload(ctx, d, []float32{1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	if err := k.Launch(gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}}, x, float32(10), x.Len()); err != nil {
		log.Fatal(err)
	}
	host := make([]float32, x.Len())
	if err := x.Read(ctx, host); err != nil { // waits
		log.Fatal(err)
	}
	fmt.Println(host) // [10 20 30]
}

// Two kernels, or two shapes of one, are timed against each other, round by round.
func ExampleDevice_Time() {
	d, err := gpu.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	m, err := d.LoadPTX(scale)
	if err != nil {
		log.Fatal(err)
	}
	k, err := m.Kernel("scale")
	if err != nil {
		log.Fatal(err)
	}
	const n = 1 << 26
	x, err := gpu.Alloc[float32](d, n)
	if err != nil {
		log.Fatal(err)
	}
	by := func(threads int) gpu.Case {
		return gpu.Case{Name: fmt.Sprint(threads, " threads"), Run: func() error {
			return k.Launch(gpu.Config{Grid: gpu.Dim{X: n / threads}, Block: gpu.Dim{X: threads}}, x, float32(1), n)
		}}
	}
	r, err := d.Time(context.Background(), gpu.TimeOptions{}, by(128), by(1024))
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range r.Cases {
		fmt.Printf("%s: %v, %.0f GB/s\n", c.Name, c.Median(), 8*n/c.Median().Seconds()/1e9)
	}
	fmt.Println(r.Clocks)
}

// A thousand launches as one.
func ExampleDevice_Capture() {
	d, err := gpu.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	x, err := gpu.Alloc[float32](d, 1024)
	if err != nil {
		log.Fatal(err)
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
		log.Fatal(err)
	}
	if err := g.Launch(); err != nil {
		log.Fatal(err)
	}
	if err := d.Wait(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func ExampleDevices() {
	cards, err := gpu.Devices()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, c := range cards {
		fmt.Printf("%s (%s), %d multiprocessors, %d GiB\n", c.Name, c.Chip, c.SMs, c.Memory>>30)
	}
}
