// Package cuda calls the CUDA driver, which comes with the driver of the card: libcuda.so.1 or nvcuda.dll. It needs no
// toolkit and no cgo. Package gpu is the same with types and checks.
//
// A Context may be used by many goroutines: each call locks its goroutine to a thread and makes the context current
// there, because the driver keeps what is current for each thread. No call waits for a kernel, except where its comment
// says so: [Stream.Wait] asks again and again whether the work is done, so that a kernel which never ends can be left.
package cuda
