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
// A device runs queued work in the order of its queue, its own [Stream]. The arguments of a launch are checked against
// the parameters of the kernel. Several goroutines may call any methods. While one goroutine captures a graph of a
// stream or measures times, the others must not use the stream: their work would become part of the graph or the
// measurement.
//
// # Streams
//
// Work of other streams runs at the same time. The method On of buffers, kernels and graphs selects a stream; an
// [Event] orders streams:
//
//	s, err := d.NewStream()
//	err = x.On(s).WriteFrom(pinned)          // an asynchronous copy
//	err = k.On(s).Launch(c, x, y, uint32(3))
//	err = e.Record(s)                        // e, err := d.NewEvent()
//	err = d.Stream().After(e)                // the device's own stream waits for s
//
// The package does not know which buffers a kernel uses: work on one buffer by two streams needs an event, or a wait.
//
// # Other libraries
//
// [Open] uses the primary context, as the CUDA runtime, PyTorch and CuPy do, so a buffer's address is valid in all of
// them. [ForeignBuffer] and [Device.ForeignStream] take their memory and streams as numbers, [Device.FromDLPack] and
// [Buffer.ToDLPack] exchange tensors, [OpenContext] takes a context of cuCtxCreate, and [OpenIPC] opens memory of
// another process. A call of this package leaves the current context of its thread as it was, unless there was none.
//
// A program without cgo has no Python in its process, and exchanges memory by [OpenIPC]. A program with cgo can be a
// library of Python (go build -buildmode=c-shared), or call C libraries itself: it then passes numbers.
//
// # A kernel that does not end
//
// Functions that wait take a context. If the context ends before the work, the work is abandoned: the error has the
// code [Left], and the kernel keeps running, because the driver cannot stop a single kernel. Until the kernel ends,
// nothing on the device can be freed, and Close returns an error instead of waiting. The end of the process ends the
// kernel.
package gpu
