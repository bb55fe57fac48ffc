// Package gpu runs kernels on NVIDIA GPUs and times them. It needs the driver of the card and nothing else: no CUDA
// toolkit, no cgo. The driver compiles PTX, from package ptx or from a file, once; the next start finds the result in
// girih/cubin of the user's cache.
//
//	d, err := gpu.Open(0)
//	m, err := d.Load(module)                 // *ptx.Module
//	k, err := m.Kernel("add")
//	x, err := gpu.Upload(ctx, d, []float32{1, 2, 3})
//	y, err := gpu.Alloc[float32](d, 3)
//	err = k.Launch(gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}}, x, y, uint32(3))
//	err = y.Read(ctx, host)                  // waits
//	err = d.Close()                          // frees everything
//
// Work queued on a device runs in the order of the queue. Arguments of a launch are checked against the parameters of
// the kernel. All methods may be called from several goroutines; there is one queue. While one goroutine captures a
// graph or measures times, the others must leave the device alone: work that they queue would become part of it.
//
// # A kernel that does not end
//
// Functions that wait take a context. If it ends first, the error has the code [Left] and the kernel keeps running: the
// driver cannot stop a single kernel. Until the kernel ends nothing of the device can be freed, and Close returns an
// error instead of waiting. The end of the process ends the kernel.
package gpu
