package interp

import (
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
)

// This file launches the kernels of C++: f<<<GRID, BLOCK>>>(ARGS), and cutlass::launch_kernel_on_cluster.

// launch runs f<<<GRID, BLOCK>>>(ARGS).
func (r *runner) launch(x *program.Call) (Value, error) {
	fn, explicit := x.Fn, []program.Expr(nil)
	if t, ok := fn.(*program.Template); ok {
		fn, explicit = t.X, t.Args
	}
	v, err := r.value(fn)
	if err != nil {
		return nil, err
	}
	f, err := r.kernelOf(v)
	if err != nil {
		return nil, r.at(fn, err)
	}
	if explicit != nil {
		if f, err = r.withArguments(f, explicit); err != nil {
			return nil, err
		}
	}
	grid, err := r.extent(x.Grid)
	if err != nil {
		return nil, err
	}
	block, err := r.extent(x.Block)
	if err != nil {
		return nil, err
	}
	args, err := r.cppArguments(f, x)
	if err != nil {
		return nil, err
	}
	if r.Tracer != nil && r.tracing == nil && r.Tracer.Wants(f.name()) {
		if err := r.statedBytes(x.Bytes); err != nil {
			return nil, err
		}
		defer func() { r.dynamic = nil }()
	}
	return None{}, r.launchKernel(f, grid, block, args)
}

// statedBytes notes how much shared memory a launch states for extern __shared__.
func (r *runner) statedBytes(x program.Expr) error {
	n := int64(0)
	if x != nil {
		v, err := r.value(x)
		if err != nil {
			return err
		}
		n, _ = integerOf(v)
	}
	r.dynamic = &n
	return nil
}

// kernelOf returns the kernel that a value is.
func (r *runner) kernelOf(v Value) (*Func, error) {
	f, ok := v.(*Func)
	if !ok || !f.Def.Kernel {
		return nil, errorf(cute.CodeType, "expected a kernel, found %s", r.describe(v))
	}
	return f, nil
}

// launchKernel runs a kernel of C++ for all threads.
func (r *runner) launchKernel(f *Func, grid, block [3]int64, args []argument) error {
	at := r.here
	if r.Tracer != nil && r.tracing == nil && r.Tracer.Wants(f.name()) {
		return r.traceCpp(f, grid, block, args)
	}
	return r.again(launched{f, grid, block, args}, func() error {
		return r.runKernel(grid, block, func() error {
			if err := r.step(at); err != nil {
				return err
			}
			_, err := r.callWith(f, nil, args)
			return err
		})
	})
}

// A known is a template argument that has been evaluated: a type or a value.
type known struct {
	program.Span
	v Value
}

// withArguments returns a function with template arguments, as in f<4> or &f<T>. The arguments are evaluated where they
// are written, not where the function is called.
func (r *runner) withArguments(f *Func, args []program.Expr) (*Func, error) {
	g := *f
	g.explicit = nil
	for _, x := range args {
		v, err := r.templateValue(x)
		if err != nil {
			return nil, err
		}
		g.explicit = append(g.explicit, &known{program.Span{From: x.Pos(), To: x.End()}, v})
	}
	return &g, nil
}

// extent evaluates the size of a grid or a block.
func (r *runner) extent(x program.Expr) (e [3]int64, err error) {
	v, err := r.value(x)
	if err != nil {
		return e, err
	}
	return extentOf(v)
}

func extentOf(v Value) (e [3]int64, err error) {
	list := []Value{v}
	switch v := v.(type) {
	case *Object:
		list = v.values()
	case Tuple:
		list = v
	case *List:
		list = v.Elems
	case Algebra:
		if t, ok := v.Value.(eval.Tuple); ok && !t.IsInt() {
			list = nil
			for _, n := range t.Leaves() {
				list = append(list, Int(n))
			}
		}
	}
	e = [3]int64{1, 1, 1}
	for i, v := range list {
		n, ok := integerOf(v)
		if !ok || i > 2 {
			return e, errorf(cute.CodeType, "expected up to 3 integers as a grid or a block")
		}
		if n < 1 || n > maxThreads {
			return e, errorf(cute.CodeExtent, "expected from 1 to %d threads and blocks, found %d", maxThreads, n)
		}
		e[i] = n
	}
	return e, nil
}

// clusterFields lists the fields of cutlass::ClusterLaunchParams in order.
var clusterFields = []string{"grid_dims", "block_dims", "cluster_dims", "dynamic_smem_size_in_bytes", "cuda_stream"}

// clusterParams returns a cutlass::ClusterLaunchParams with values for its first fields.
func clusterParams(list []Value) (Value, error) {
	if len(list) > len(clusterFields) {
		return nil, errorf(cute.CodeRank, "ClusterLaunchParams has %d fields, found %d values", len(clusterFields), len(list))
	}
	o := &Object{names: clusterFields, fields: make(map[string]*cell)}
	for i, name := range clusterFields {
		c := &cell{v: cInt(0, CIntType), typ: CIntType}
		switch {
		case i < 3:
			d, err := dim3(list[min(i, len(list)):min(i+1, len(list))])
			if err != nil {
				return nil, err
			}
			c = &cell{v: d}
		case i < len(list):
			c.v = list[i]
		}
		o.fields[name] = c
	}
	return o, nil
}

// launchOnCluster implements cutlass::launch_kernel_on_cluster(params, kernel, ARGS...). The blocks of a cluster run
// one after another, like all blocks, so access to the shared memory of another block is not supported.
func launchOnCluster(r *runner, c *arguments) (Value, error) {
	if len(c.pos) < 2 {
		return nil, errorf(cute.CodeRank, "expected the parameters of the launch and a kernel, found %d arguments", len(c.pos))
	}
	params, ok := c.pos[0].(*Object)
	if !ok || len(params.names) != len(clusterFields) {
		return nil, errorf(cute.CodeType, "expected a ClusterLaunchParams as the parameters of the launch, found %s",
			r.describe(c.pos[0]))
	}
	var e [3][3]int64
	for i := range e {
		var err error
		if e[i], err = extentOf(params.values()[i]); err != nil {
			return nil, err
		}
	}
	for i, n := range e[2] {
		if e[0][i]%n != 0 {
			return nil, errorf(cute.CodeNotDivisible, "expected a grid in whole clusters of %d blocks in dimension %d, found %d",
				n, i, e[0][i])
		}
	}
	f, err := r.kernelOf(c.pos[1])
	if err != nil {
		return nil, err
	}
	var args []argument
	for _, v := range c.pos[2:] {
		args = append(args, argument{v: v, at: r.here})
	}
	r.cluster = e[2]
	defer func() { r.cluster = [3]int64{} }()
	return cInt(0, CIntType), r.launchKernel(f, e[0], e[1], args)
}
