package gpu_test

import (
	"context"
	"fmt"
	"runtime"

	"girih/gpu"
)

// A function of a cgo library that Python calls with tensor.data_ptr(), tensor.numel() and
// torch.cuda.current_stream().cuda_stream. The fill is queued on PyTorch's stream.
func ExampleForeignBuffer() {
	fill := func(d *gpu.Device, addr uint64, n int, stream uint64) error {
		s, err := d.ForeignStream(stream)
		if err != nil {
			return err
		}
		defer s.Close() // waits
		x, err := gpu.ForeignBuffer[float32](d, addr, n)
		if err != nil {
			return err
		}
		defer x.Close()
		return x.On(s).Fill(1)
	}
	_ = fill // exported to C
	// Output:
}

// A cgo program whose library made a context with cuCtxCreate on the calling thread. The context stays when the device
// is closed.
func ExampleOpenContext() {
	open := func() (*gpu.Device, error) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		context, err := gpu.CurrentContext()
		if err != nil {
			return nil, err
		}
		return gpu.OpenContext(context)
	}
	_ = open // called after the library
	// Output:
}

// A capsule of PyTorch contains the address of a DLManagedTensorVersioned.
func ExampleDLBuffer() {
	read := func(d *gpu.Device, managed uint64) error {
		t, err := d.FromDLPackVersioned(managed)
		if err != nil {
			return err
		}
		defer t.Close() // calls the deleter
		fmt.Println(t.Layout, t.Type)
		x, err := gpu.DLBuffer[float32](t)
		if err != nil {
			return err
		}
		return x.Read(context.Background(), make([]float32, x.Len()))
	}
	_ = read // exported to C
	// Output:
}

// A tensor of PyTorch in another process, by the handle that its storage's _share_cuda_ returns: the last 64 bytes of
// the second value, and as the offset the fourth value plus the tensor's offset in its storage, in bytes.
func ExampleOpenIPC() {
	double := func(d *gpu.Device, k *gpu.Kernel, h gpu.IPCHandle, n int) error {
		x, err := gpu.OpenIPC[float32](d, h, n)
		if err != nil {
			return err
		}
		defer x.Close()
		c := gpu.Config{Grid: gpu.Dim{X: (n + 127) / 128}, Block: gpu.Dim{X: 128}}
		if err := k.Launch(c, x, float32(2), n); err != nil {
			return err
		}
		return d.Wait(context.Background()) // before the other process reads
	}
	_ = double // called with a handle of the other process
	// Output:
}
