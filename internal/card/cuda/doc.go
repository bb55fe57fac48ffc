// Package cuda calls the CUDA driver, which comes with the driver of the card: libcuda.so.1 or nvcuda.dll. It needs no
// toolkit and no cgo. Package gpu, its only user, adds types and checks.
//
// A Context may be used by many goroutines: each call locks its goroutine to a thread and makes the context current
// there, because the driver has a current context for each thread. No call waits for a kernel unless its comment says
// so: package gpu polls [Stream.IsDone], so that it can stop waiting for a kernel that never ends.
package cuda
