package cuda

import (
	"runtime"
	"unsafe"
)

// A Config is the shape of a launch.
type Config struct {
	Grid, Block [3]uint32 // the numbers of blocks and of threads
	Cluster     [3]uint32 // the number of blocks; zero for no clusters
	Shared      uint32    // bytes of dynamic shared memory per block
	Cooperative bool      // all blocks run at the same time
	Overlap     bool      // the kernel may start before earlier work is done: griddepcontrol
}

// A launchConfig is CUlaunchConfig.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attrs       unsafe.Pointer
	n           uint32
}

// An attribute is CUlaunchAttribute.
type attribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

// Values of CUlaunchAttributeID.
const (
	attrCooperative = 2
	attrCluster     = 4
	attrOverlap     = 6 // programmatic stream serialization
)

// Launch queues the kernel. Each argument has the bytes of one parameter, which are copied.
func (f *Function) Launch(s *Stream, cfg Config, args [][]byte) *Failure {
	attrs := make([]attribute, 0, 3)
	if cfg.Cluster != [3]uint32{} {
		a := attribute{id: attrCluster}
		copy(a.value[:], cfg.Cluster[:])
		attrs = append(attrs, a)
	}
	if cfg.Cooperative {
		attrs = append(attrs, attribute{id: attrCooperative, value: [16]uint32{1}})
	}
	if cfg.Overlap {
		attrs = append(attrs, attribute{id: attrOverlap, value: [16]uint32{1}})
	}
	c := &launchConfig{
		grid: cfg.Grid, block: cfg.Block, shared: cfg.Shared, stream: s.handle,
		attrs: unsafe.Pointer(unsafe.SliceData(attrs)), n: uint32(len(attrs)),
	}
	// The driver takes an array of pointers to the parameters. Objects on the heap do not move.
	params := make([]unsafe.Pointer, len(args)+1)
	for i, a := range args {
		params[i] = unsafe.Pointer(unsafe.SliceData(a))
	}
	err := f.ctx.call(cuLaunchKernelEx, uintptr(unsafe.Pointer(c)), f.handle, uintptr(unsafe.Pointer(&params[0])), 0)
	runtime.KeepAlive(args)
	runtime.KeepAlive(attrs)
	return err
}
