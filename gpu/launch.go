package gpu

import (
	"fmt"

	"girih/internal/card/cuda"
)

// A Dim contains the numbers of blocks or threads in three directions; 0 counts as 1.
type Dim struct{ X, Y, Z int }

// Size returns the number of blocks or threads, the product of the extents.
func (d Dim) Size() int { n := d.ones(); return n[0] * n[1] * n[2] }

// String returns the extents as CUDA writes them: (128,1,1).
func (d Dim) String() string { n := d.ones(); return fmt.Sprintf("(%d,%d,%d)", n[0], n[1], n[2]) }

func (d Dim) ones() [3]int {
	n := [3]int{d.X, d.Y, d.Z}
	for i := range n {
		if n[i] == 0 {
			n[i] = 1
		}
	}
	return n
}

// A Config is the shape of a launch.
type Config struct {
	Grid        Dim  // blocks
	Block       Dim  // threads per block
	Cluster     Dim  // blocks per cluster; Dim{} for no cluster, or for the cluster that the kernel requires
	Shared      int  // bytes of dynamic shared memory per block
	Cooperative bool // all blocks run at the same time; otherwise the launch is refused
	Overlap     bool // the kernel may start before earlier work is done, and waits for it with griddepcontrol
}

// On returns k with s as the stream of its launches, which have the code [Argument] if s belongs to another device. nil
// is the device's own stream.
func (k *Kernel) On(s *Stream) *Kernel {
	c := *k
	c.on = s
	return &c
}

// Launch queues the kernel. An argument is a *[Buffer], a *[Pinned], a *[DLTensor], a number of the parameter's size,
// an int whose value fits this size, a [TensorMap], or a []byte for anything else. The error has the code [Argument] if
// an argument does not match its parameter or is on another device, or if c exceeds a limit, and [BadLaunch] if the
// driver refuses the launch. [Device.Wait] reports errors that occur while the kernel runs.
func (k *Kernel) Launch(c Config, args ...any) error {
	if err := k.r.alive("the module"); err != nil {
		return err
	}
	if err := k.check(c); err != nil {
		return err
	}
	encoded, err := k.encode(args)
	if err != nil {
		return err
	}
	if c.Shared > 0 {
		if err := k.allow(c.Shared); err != nil {
			return err
		}
	}
	cfg := cuda.Config{
		Grid: uints(c.Grid), Block: uints(c.Block), Shared: uint32(c.Shared), Cooperative: c.Cooperative, Overlap: c.Overlap,
	}
	if c.Cluster != (Dim{}) {
		cfg.Cluster = uints(c.Cluster)
	}
	if c.Cluster.Size() > portableCluster {
		if err := k.function.SetAttr(cuda.FuncLargerClusters, 1); err != nil {
			return failure(err)
		}
	}
	s, err := k.r.queue(k.on)
	if err != nil {
		return err
	}
	return failure(k.function.Launch(s.stream, cfg, encoded))
}

// portableCluster is the number of blocks of a cluster that every chip from sm_90 supports.
const portableCluster = 8

func uints(d Dim) [3]uint32 {
	n := d.ones()
	return [3]uint32{uint32(n[0]), uint32(n[1]), uint32(n[2])}
}

// allow raises the kernel's limit of shared memory from the default of 48 KiB to the card's maximum, so that launches
// from several goroutines do not lower each other's limit.
func (k *Kernel) allow(shared int) error {
	now, err := k.function.Attr(cuda.FuncDynamicShared)
	if err != nil || now >= shared {
		return failure(err)
	}
	return failure(k.function.SetAttr(cuda.FuncDynamicShared, k.limits.shared-k.resources.Shared))
}

// check refuses shapes that exceed a limit. The driver would refuse them too, but without stating the numbers.
func (k *Kernel) check(c Config) error {
	refuse := func(format string, args ...any) error {
		return wrong("launch of kernel %s: %s", k.name, fmt.Sprintf(format, args...))
	}
	grid, block, cluster := c.Grid.ones(), c.Block.ones(), c.Cluster.ones()
	for i, axis := range [3]string{"x", "y", "z"} {
		switch {
		case grid[i] < 1 || grid[i] > k.limits.grid[i]:
			return refuse("a grid of %d blocks in %s: 1 to %d", grid[i], axis, k.limits.grid[i])
		case block[i] < 1 || block[i] > k.limits.block[i]:
			return refuse("a block of %d threads in %s: 1 to %d", block[i], axis, k.limits.block[i])
		case cluster[i] < 1 || grid[i]%cluster[i] != 0:
			return refuse("a grid of %d blocks in %s is not a multiple of the cluster's %d", grid[i], axis, cluster[i])
		}
	}
	switch threads := c.Block.Size(); {
	case threads > k.resources.MaxThreads:
		return refuse("a block of %d threads: the kernel can have %d, with %d registers each",
			threads, k.resources.MaxThreads, k.resources.Registers)
	case c.Shared < 0 || c.Shared > k.limits.shared-k.resources.Shared:
		return refuse("%d bytes of shared memory and the kernel's %d: a block can have %d",
			c.Shared, k.resources.Shared, k.limits.shared)
	case c.Cluster.Size() > 1 && !k.limits.clusters:
		return refuse("%s has no clusters", k.r.device.info.Chip)
	}
	return nil
}

// A Graph is work that was queued once and is launched as a whole, which takes the host less time.
type Graph struct {
	r     *resource
	graph *cuda.Graph
	on    *Stream // the stream of launches; nil for the device's own
}

// Capture makes a graph of the work that queue queues on the device's own stream. It returns the errors of
// [Stream.Capture].
func (d *Device) Capture(queue func() error) (*Graph, error) { return d.main.Capture(queue) }

// Capture makes a graph of the work that queue queues on s: launches, copies of pinned memory, fills, events. Work on
// another stream becomes part of the graph if the stream waits for an event of s, and s for an event after this work.
// Capture does not run the work. queue must not wait, and no other goroutine may use s, because its launches would be
// captured too. Buffers and modules in the work must stay open as long as the graph. Capture returns the error of
// queue, or an error with the code [Failed] if the work cannot be part of a graph.
func (s *Stream) Capture(queue func() error) (*Graph, error) {
	if err := s.alive(); err != nil {
		return nil, err
	}
	if err := s.stream.Capture(); err != nil {
		return nil, failure(err)
	}
	unqueued := queue()
	g, err := s.stream.EndCapture()
	if unqueued != nil {
		if g != nil {
			_ = g.Close() // the first error is more informative
		}
		return nil, unqueued
	}
	if err != nil {
		return nil, failure(err)
	}
	return &Graph{r: s.r.device.own(g.Close), graph: g}, nil
}

// Launch queues the graph. The error has the code [Argument] if the graph was closed.
func (g *Graph) Launch() error {
	if err := g.r.alive("the graph"); err != nil {
		return err
	}
	s, err := g.r.queue(g.on)
	if err != nil {
		return err
	}
	return failure(g.graph.Launch(s.stream))
}

// On returns g with s as the stream of its launches. nil is the device's own stream.
func (g *Graph) On(s *Stream) *Graph { return &Graph{g.r, g.graph, s} }

// Close destroys the graph. The error has the code [Left] if abandoned work is still running.
func (g *Graph) Close() error { return g.r.close() }
