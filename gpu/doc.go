// Package gpu runs kernels on NVIDIA GPUs and times them. It needs only the card's driver: no CUDA toolkit, no cgo. The
// driver compiles PTX, from package ptx or from a file, once. The result is stored in girih/cubin of the user's cache,
// where later runs find it.
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
// A device runs queued work in the order of the queue. The arguments of a launch are checked against the parameters of
// the kernel. Several goroutines may call any methods; the device has one queue for all of them. While one goroutine
// captures a graph or measures times, the others must not use the device: their work would become part of the graph or
// the measurement.
//
// # A kernel that does not end
//
// Functions that wait take a context. If the context ends before the work, the work is abandoned: the error has the
// code [Left], and the kernel keeps running, because the driver cannot stop a single kernel. Until the kernel ends,
// nothing on the device can be freed, and Close returns an error instead of waiting. The end of the process ends the
// kernel.
package gpu
