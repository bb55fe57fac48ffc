package interp

import (
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
)

// This file has the words of C++ by which the threads of a block and the copy engine wait for each other: CUTLASS's
// classes of mbarriers, CuTe's functions on them, and the words for warps and clusters. The functions have the names of
// the CuTe DSL, with which they run and are traced.

// barrierTypes lists the classes of an mbarrier, which is a uint64_t in shared memory.
var barrierTypes = program.Words("ClusterBarrier ClusterTransactionBarrier")

// barrierMembers are the static functions of the classes, and the functions of the CuTe DSL.
var barrierMembers = map[string]string{
	"init": "mbarrier_init", "arrive": "mbarrier_arrive", "wait": "mbarrier_wait",
	"arrive_and_expect_tx": "mbarrier_arrive_and_expect_tx", "expect_transaction": "mbarrier_expect_tx",
}

// barrierReferences are CuTe's functions whose first argument is a reference to an mbarrier.
var barrierReferences = map[string]string{
	"initialize_barrier": "mbarrier_init", "wait_barrier": "mbarrier_wait", "arrive_barrier": "mbarrier_arrive",
	"set_barrier_transaction_bytes": "mbarrier_arrive_and_expect_tx",
}

// barrierMember returns the function T::name of a class of mbarriers; ok is false for another type or name.
func barrierMember(t TypeValue, name string) (v Value, ok bool) {
	of := barrierMembers[name]
	if !barrierTypes[t.Name] || of == "" {
		return nil, false
	}
	return &Builtin{Name: t.Name + "::" + name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
		if len(c.pos) == 0 {
			return nil, errorf(cute.CodeRank, "expected the address of an mbarrier")
		}
		p, err := r.barrierPointer(c.pos[0])
		if err != nil {
			return nil, err
		}
		c.pos[0] = p
		return r.callBarrier(of, c)
	}}, true
}

// barrierPointer returns the address in a pointer to an mbarrier.
func (r *runner) barrierPointer(v Value) (Value, error) { return r.sharedPointer(v, "an mbarrier") }

// sharedPointer returns the address in a pointer to a word in shared memory.
func (r *runner) sharedPointer(v Value, what string) (Value, error) {
	if p, ok := v.(Pointer); ok {
		c, err := p.cell()
		if err != nil {
			return nil, err
		}
		if _, isPlace := c.v.(Address); !isPlace && !r.traces() {
			return v, nil // of a variable
		}
		v = c.v // the address of a field
	}
	if !isShared(v) {
		e := errorf(cute.CodeType, "expected the address of %s in shared memory, found %s", what, r.describe(v))
		e.hint = "take &words[i] of an array in shared memory, with an index that is the same for all threads"
		return nil, e
	}
	return v, nil
}

// barrierReference returns the address of the mbarrier that an expression denotes.
func (r *runner) barrierReference(x program.Expr) (Value, error) {
	y := program.Expr(&program.Unary{Span: program.Span{From: x.Pos(), To: x.End()}, Op: "&", X: x})
	if u, ok := x.(*program.Unary); ok && u.Op == "*" {
		y = u.X
	}
	v, err := r.value(y)
	if err != nil {
		return nil, err
	}
	v, err = r.barrierPointer(v)
	return v, r.at(x, err)
}

// callReference calls one of CuTe's functions on a reference to an mbarrier; ok is false for other functions.
func (r *runner) callReference(name *program.Name, x *program.Call) (v Value, ok bool, err error) {
	of := barrierReferences[name.Name]
	if of == "" || r.find(name) != nil || len(x.Args) == 0 {
		return nil, false, nil
	}
	p, err := r.barrierReference(x.Args[0].X)
	if err != nil {
		return nil, true, err
	}
	rest := *x
	rest.Args = x.Args[1:]
	c, err := r.evaluateArguments(&rest)
	if err != nil {
		return nil, true, err
	}
	if of == "mbarrier_init" && len(c.pos) == 0 {
		c.pos = []Value{cInt(1, CIntType)}
	}
	c.pos = append([]Value{p}, c.pos...)
	v, err = r.callBarrier(of, c)
	return v, true, r.at(x, err)
}

// callBarrier calls a function of the CuTe DSL on an mbarrier.
func (r *runner) callBarrier(name string, c *arguments) (Value, error) {
	run := barrierFunction(name)
	if r.traces() {
		none := func([]Value) (Value, error) { return nil, r.notFollowed(name) }
		return r.tracerCall(tracedCall{name: name, at: r.here, run: none}, c)
	}
	return run(r, c)
}

// clusterRows are the words of C++ about warps and clusters.
var clusterRows = map[string]func(k *kernel) Value{
	"elect_one_sync":           func(k *kernel) Value { return cInt(uint64(max(0, 1-k.now.id%32)), CUInt) },
	"canonical_warp_idx_sync":  func(k *kernel) Value { return cInt(uint64(k.now.id/32), CIntType) },
	"canonical_warp_idx":       func(k *kernel) Value { return cInt(uint64(k.now.id/32), CIntType) },
	"canonical_warp_group_idx": func(k *kernel) Value { return cInt(uint64(k.now.id/128), CIntType) },
	"canonical_lane_idx":       func(k *kernel) Value { return cInt(uint64(k.now.id%32), CIntType) },
	"block_rank_in_cluster":    func(k *kernel) Value { return cInt(uint64(k.rank()), CUInt) },
	"tma_store_arrive":         nil,
	"tma_store_wait":           nil,
	"fence_barrier_init":       nil,
	"fence_view_async_shared":  nil,
	"prefetch_tma_descriptor":  nil,
	"warpgroup_reg_alloc":      nil,
	"warpgroup_reg_dealloc":    nil,
}

func init() {
	for name, f := range clusterRows {
		memoryRows[name] = func(r *runner, _ *arguments, _ dtype.Type) (Value, error) {
			if f == nil {
				return None{}, nil
			}
			if r.kernel == nil {
				return nil, errorf(cute.CodeName, "a thread has its coordinates in a kernel only: launch one")
			}
			return f(r.kernel), nil
		}
	}
	for name, run := range map[string]string{
		"cluster_arrive": "cluster_arrive", "cluster_arrive_relaxed": "cluster_arrive", "cluster_wait": "cluster_wait",
		"cluster_sync": "cluster_wait",
	} {
		memoryRows[name] = func(r *runner, c *arguments, _ dtype.Type) (Value, error) { return kernelNames[run](r, c) }
	}
}

// shadowInSize returns the value of thread 0 in the operand of sizeof, which is not run in C++.
func (t *tracing) shadowInSize(v Value) Value {
	if t != nil && t.isSize {
		if s, ok := ShadowOf(v); ok {
			return s
		}
	}
	return v
}

// sizeOfTensor returns sizeof(make_tensor_like(X)), the size of a tensor that owns its elements. X may be tensor<I>(Y),
// a mode of a tensor. ok is false for other expressions.
func (r *runner) sizeOfTensor(x program.Expr) (v Value, ok bool) {
	c, isCall := x.(*program.Call)
	if !isCall || r.lang != program.Cpp || nameOf(c.Fn) != "make_tensor_like" || len(c.Args) != 1 {
		return nil, false
	}
	if tr := r.tracing; tr != nil {
		tr.shadow, tr.isSize = tr.shadow+1, true
		defer func() { tr.shadow, tr.isSize = tr.shadow-1, false }()
	}
	of, mode := c.Args[0].X, program.Expr(nil)
	if y, isCall := of.(*program.Call); isCall && len(y.Args) == 1 && nameOfTemplate(y.Fn) == "tensor" {
		t := *y.Fn.(*program.Template)
		t.X = &program.Name{Span: t.Span, Name: "layout"}
		of, mode = y.Args[0].X, &t
	}
	a, err := r.value(of)
	s, isTensor := StorageOf(a)
	if err != nil || !isTensor || s.Layout == nil {
		return nil, false
	}
	if mode != nil {
		arg := program.Arg{X: &known{program.Span{From: of.Pos(), To: of.End()}, a}}
		if a, err = r.value(&program.Call{Span: c.Span, Fn: mode, Args: []program.Arg{arg}}); err != nil {
			return nil, false
		}
	}
	n, err := r.elementsLike(a)
	return cInt(uint64((n*int64(s.Type.Bits())+7)/8), CULong), err == nil
}

// elementsLike returns the number of elements that make_tensor_like makes for a tensor or a layout.
func (r *runner) elementsLike(v Value) (int64, error) {
	l, err := r.layoutOf([]Value{v})
	if err != nil {
		return 0, err
	}
	inner, ok := l.(cute.Layout)
	if !ok {
		inner = l.(cute.Composed).Layout()
	}
	like, err := cute.MakeLayoutLike(inner)
	if err != nil {
		return 0, err
	}
	return like.Cosize()
}

// nameOfTemplate returns NAME of NAME<ARGS>, or "".
func nameOfTemplate(x program.Expr) string {
	if t, ok := x.(*program.Template); ok {
		return nameOf(t.X)
	}
	return ""
}
