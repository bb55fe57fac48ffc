package interp

import (
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file implements the names that a kernel can use: coordinates, barriers and shared memory.

// names returns the coordinates of a thread in C++: threadIdx, blockIdx, blockDim and gridDim.
func (k *kernel) names(t *thread) map[string]Value {
	return map[string]Value{
		"threadIdx": dim3Of(t.index), "blockIdx": dim3Of(k.index), "blockDim": dim3Of(k.block), "gridDim": dim3Of(k.grid),
	}
}

// dim3Of returns a dim3.
func dim3Of(e [3]int64) Value {
	o := &Object{names: []string{"x", "y", "z"}, fields: make(map[string]*cell, 3)}
	for i, name := range o.names {
		o.fields[name] = &cell{v: cInt(uint64(e[i]), CUInt), typ: CUInt}
	}
	return o
}

// A Launch is a kernel of the CuTe DSL with its arguments, before it is launched.
type Launch struct {
	fn   *Func
	args *arguments
}

// launchDSL implements kernel(ARGS).launch(grid=, block=).
func (r *runner) launchDSL(l Launch, c *arguments) (Value, error) {
	var extents [2][3]int64
	for i, name := range []string{"grid", "block"} {
		v := c.take(name)
		if v == nil && len(c.pos) > i {
			v = c.pos[i]
		}
		if v == nil {
			return nil, errorf(cute.CodeRank, "expected launch(grid=(X, Y, Z), block=(X, Y, Z)), found no %s", name)
		}
		var err error
		if extents[i], err = extentOf(v); err != nil {
			return nil, err
		}
	}
	cluster := [3]int64{1, 1, 1}
	if v := c.take("cluster"); v != nil && v != (None{}) {
		var err error
		if cluster, err = extentOf(v); err != nil {
			return nil, err
		}
	}
	for i, n := range cluster {
		if extents[0][i]%n != 0 {
			return nil, errorf(cute.CodeExtent, "expected a grid of whole clusters, found %d blocks and clusters of %d",
				extents[0][i], n)
		}
	}
	if r.Tracer != nil && r.tracing == nil && r.Tracer.Wants(l.fn.name()) {
		return None{}, r.traceDSL(l, extents)
	}
	r.cluster = cluster
	return None{}, r.runKernel(extents[0], extents[1], func() error {
		args := &arguments{pos: append([]Value(nil), l.args.pos...), keys: append([]python.KeyArg(nil), l.args.keys...)}
		_, err := r.invoke(l.fn, args)
		return err
	})
}

// isKernel reports whether a function of Python has the decorator @cute.kernel.
func isKernel(d *program.Def) bool {
	for _, x := range d.Decorators {
		if c, ok := x.(*program.Call); ok {
			x = c.Fn
		}
		if lastName(x) == "kernel" {
			return true
		}
	}
	return false
}

// runInt returns a run-time integer in a kernel.
func runInt(n int64) Value { return Element{Type: dtype.S32, N: n} }

func runInts(e [3]int64) Value { return Tuple{runInt(e[0]), runInt(e[1]), runInt(e[2])} }

// kernelNames lists the functions of the CuTe DSL's cute.arch that kernels call.
var kernelNames map[string]func(r *runner, c *arguments) (Value, error)

func init() {
	of := func(f func(k *kernel) Value) func(r *runner, c *arguments) (Value, error) {
		return func(r *runner, _ *arguments) (Value, error) {
			if r.kernel == nil {
				return nil, errorf(cute.CodeName, "a thread has its coordinates in a kernel only: launch one")
			}
			return f(r.kernel), nil
		}
	}
	alone := func(r *runner, _ *arguments) (Value, error) {
		if k := r.kernel; k != nil && volume(k.cluster) > 1 {
			return nil, errorf(cute.CodeSyntax, "a barrier of the %d blocks of a cluster is not run: one block runs after the "+
				"other", volume(k.cluster))
		}
		return None{}, nil
	}
	sync := func(r *runner, _ *arguments) (Value, error) { return None{}, r.syncThreads() }
	warp := func(r *runner, _ *arguments) (Value, error) { return None{}, r.syncWarp() }
	kernelNames = map[string]func(r *runner, c *arguments) (Value, error){
		"thread_idx": of(func(k *kernel) Value { return runInts(k.now.index) }),
		"block_idx":  of(func(k *kernel) Value { return runInts(k.index) }),
		"block_dim":  of(func(k *kernel) Value { return runInts(k.block) }),
		"grid_dim":   of(func(k *kernel) Value { return runInts(k.grid) }),
		"lane_idx":   of(func(k *kernel) Value { return runInt(k.now.id % 32) }),
		"warp_idx":   of(func(k *kernel) Value { return runInt(k.now.id / 32) }),
		"make_warp_uniform": func(_ *runner, c *arguments) (Value, error) {
			if len(c.pos) != 1 {
				return nil, errorf(cute.CodeRank, "expected one integer, found %d arguments", len(c.pos))
			}
			return c.pos[0], nil
		},
		"sync_threads": sync, "barrier": (*runner).syncSome, "sync_warp": warp, "elect_one": electOne,
		"block_idx_in_cluster": of(func(k *kernel) Value { return runInt(k.rank()) }),
		"block_in_cluster_idx": of(func(k *kernel) Value { return runInts(k.inCluster()) }),
		"cluster_dim":          of(func(k *kernel) Value { return runInts(k.clusters()) }),
		"block_in_cluster_dim": of(func(k *kernel) Value { return runInts(k.cluster) }),
		"cluster_size":         of(func(k *kernel) Value { return runInt(volume(k.cluster)) }),
		"cluster_arrive":       alone, "cluster_arrive_relaxed": alone,
		"cluster_wait": func(r *runner, c *arguments) (Value, error) {
			if v, err := alone(r, c); err != nil {
				return v, err
			}
			return None{}, r.syncThreads()
		},
		"SmemAllocator": func(*runner, *arguments) (Value, error) { return smemAllocator{}, nil },
	}
}

// idleNames lists functions of the DSL that have no effect here: fences, registers, prefetches, and groups of copies.
// Copies are complete when they return.
var idleNames = program.Words(`cp_async_commit_group cp_async_wait_group fence_proxy cp_async_bulk_commit_group
	cp_async_bulk_wait_group fence_acq_rel_cta fence_acq_rel_cluster fence_acq_rel_gpu fence_acq_rel_sys mbarrier_init_fence
	fence_view_async_shared setmaxregister_increase setmaxregister_decrease warpgroup_reg_alloc warpgroup_reg_dealloc
	prefetch_descriptor griddepcontrol_wait griddepcontrol_launch_dependents`)

// clusters returns the number of clusters of the grid.
func (k *kernel) clusters() (e [3]int64) {
	for i := range e {
		e[i] = k.grid[i] / k.cluster[i]
	}
	return e
}

// inCluster returns the coordinate of the block in its cluster.
func (k *kernel) inCluster() (e [3]int64) {
	for i := range e {
		e[i] = k.index[i] % k.cluster[i]
	}
	return e
}

// rank returns the number of the block in its cluster.
func (k *kernel) rank() int64 {
	e := k.inCluster()
	return e[0] + k.cluster[0]*(e[1]+k.cluster[1]*e[2])
}

// kernelName returns a name of cute.arch or cutlass.utils, or nil.
func (r *runner) kernelName(path, name string) Value {
	if name == "compile" && lastPart(path) == "cute" {
		return &Builtin{Name: "cute.compile", Always: true, Call: compile}
	}
	f := kernelNames[name]
	if f == nil {
		f = barrierFunction(name)
	}
	if f == nil {
		f = warpFunction(name)
	}
	if f == nil && idleNames[name] {
		f = func(*runner, *arguments) (Value, error) { return None{}, nil }
	}
	if name == "WARP_SIZE" || name == "FULL_MASK" {
		return map[string]Int{"WARP_SIZE": 32, "FULL_MASK": 1<<32 - 1}[name]
	}
	if f == nil {
		return nil
	}
	return &Builtin{Name: path + "." + name, Always: true, Call: f}
}

// lastPart returns the last name of a path.
func lastPart(path string) string { return path[strings.LastIndex(path, ".")+1:] }

// syncWarp implements __syncwarp().
func (r *runner) syncWarp() error {
	k := r.kernel
	if k == nil {
		return nil
	}
	warp := k.now.id / 32
	n := min(32, int64(len(k.threads))-32*warp)
	return r.together("warp "+string(rune('0'+warp)), n, nil, func([]any) error {
		k.phases[warp]++
		return nil
	})
}

// isFirst reports whether the running thread prints at trace time. It is the first thread of a launch.
func (k *kernel) isFirst() bool { return k == nil || k.now.id == 0 && k.index == [3]int64{} }

// cppKernelRow returns a function of CUDA or CuTe about threads as a row, such as cp_async_wait<0>().
func cppKernelRow(name string) memoryRow {
	return func(r *runner, _ *arguments, _ dtype.Type) (Value, error) {
		k := r.kernel
		switch {
		case strings.HasPrefix(name, "__syncthreads"), name == "syncthreads":
			return None{}, r.syncThreads()
		case strings.HasPrefix(name, "__syncwarp"):
			return None{}, r.syncWarp()
		case name == "thread0":
			return cBools[k == nil || k.now.id == 0 && k.index == [3]int64{}], nil
		case name == "block0":
			return cBools[k == nil || k.index == [3]int64{}], nil
		}
		return None{}, nil
	}
}

// kernelRows lists the names that cppKernelRow knows.
var kernelRows = program.Words(`__syncthreads syncthreads __syncwarp thread0 block0 cp_async_fence cp_async_wait
	cp_async_wait_all warpgroup_arrive warpgroup_wait warpgroup_commit_batch warpgroup_fence_operand tma_store_fence
	__threadfence __threadfence_block`)

// sharedVariable returns a __shared__ variable, which all threads of a block share.
func (r *runner) sharedVariable(st *program.Declare, t TypeValue, q *program.Declarator) (*cell, error) {
	k := r.kernel
	if v, ok := k.shared[q]; ok {
		return v.(*cell), nil // only cells are stored below
	}
	if r.traces() {
		return r.tracedShared(t, q)
	}
	own := *st
	own.Shared = false
	c, err := r.variable(&own, t, q)
	if err == nil {
		k.shared[q] = c
	}
	return c, err
}
