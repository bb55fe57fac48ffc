package gpu_test

import (
	"errors"
	"fmt"
	"time"

	"girih/gpu"
	"girih/kernel/copy"
	"girih/symbolic"
)

func ExampleDim() {
	grid := gpu.Dim{X: 64, Y: 2}
	fmt.Println(grid, grid.Size())
	// Output: (64,2,1) 128
}

func ExampleDim_Size() {
	fmt.Println(gpu.Dim{}.Size(), gpu.Dim{X: 32, Y: 8}.Size())
	// Output: 1 256
}

func ExampleDim_String() {
	fmt.Println(gpu.Dim{X: 128})
	// Output: (128,1,1)
}

func ExampleTimes_Median() {
	t := gpu.Times{Each: []time.Duration{9 * time.Microsecond, 3 * time.Microsecond, 4 * time.Microsecond}}
	fmt.Println(t.Median())
	// Output: 4µs
}

func ExampleTimes_Quantile() {
	t := gpu.Times{Each: []time.Duration{9 * time.Microsecond, 3 * time.Microsecond, 4 * time.Microsecond}}
	fmt.Println(t.Quantile(0), t.Quantile(0.25), t.Quantile(1))
	// Output: 3µs 3.5µs 9µs
}

func ExampleError() {
	var err error = &gpu.Error{Code: gpu.OutOfMemory, Message: "no 4096 bytes", Call: "cuMemAlloc_v2", Name: "CUDA_ERROR_OUT_OF_MEMORY"}
	if e, ok := errors.AsType[*gpu.Error](err); ok {
		fmt.Println(e.Code)
		fmt.Println(e)
	}
	// Output:
	// out_of_memory
	// no 4096 bytes: cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY
}

func ExampleCode() {
	fmt.Println(gpu.Refused, gpu.Left)
	// Output: refused left
}

// The arguments of a plan for run-time integers include the values of the integers.
func ExampleCopyArgs() {
	var s symbolic.Scope
	n, _ := s.Named("N", symbolic.NoFacts())
	shape := symbolic.Nest(symbolic.Number(symbolic.Of(n)), symbolic.Number(symbolic.Const(2)))
	src, _ := symbolic.LayoutLeft(shape)
	dst, _ := symbolic.LayoutRight(shape)
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err = p.At(symbolic.Values{n: 1000})
	fmt.Println(gpu.CopyArgs(p, uint64(0x1000), uint64(0x2000)), err)
	// Output: map[N:1000 dst:8192 src:4096] <nil>
}
