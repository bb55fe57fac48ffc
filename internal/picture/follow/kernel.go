package follow

import "girih/kernel"

// A Buffer is a tensor in global memory, as the launch describes it.
type Buffer struct {
	Name    string // as the recording names it
	Type    string
	Bits    int
	Extents []int64  // in elements; nil if they are not known
	Strides []int64  // as many as Extents
	Names   []string // of the modes: m, k
}

// A Region is a tensor in shared memory.
type Region struct {
	Name, Type, Layout string
	Bits               int
	Offset, Bytes      int64 // from the beginning of the kernel's shared memory
}

// A Kernel is what is known of a kernel in addition to its run.
type Kernel struct {
	Tensors   []Buffer
	Shared    []Region
	Fragments []kernel.Fragment
	Report    *kernel.Report // nil for PTX of others
	Threads   int64
}
