package traced

import (
	"maps"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// A function implements a function or a method of CuTe.
type function = func(t *Tracer, c *interp.TracedCall) (interp.Value, error)

// functions are the functions and methods of CuTe that make instructions, or whose operands differ from thread to
// thread.
var functions map[string]function

func init() {
	functions = map[string]function{
		"()": (*Tracer).apply, "load": (*Tracer).load, "store": (*Tracer).store,
		"load_vector": (*Tracer).loadVector, "store_vector": (*Tracer).storeVector,
		"make_tensor": (*Tracer).makeTensor,
		"local_tile":  (*Tracer).localTile, "local_partition": (*Tracer).localPartition,
		"select": (*Tracer).selectModes, "make_coord": tupleOf, "make_tuple": tupleOf, "make_warp_uniform": same,
		"thread_idx": coordinateOf("threadIdx"), "block_idx": coordinateOf("blockIdx"),
		"lane_idx": ofThread(kernel.Index.Mod), "warp_idx": ofThread(kernel.Index.Div),
		"block_dim": run, "grid_dim": run, "allocate_tensor": (*Tracer).fragmentLike,
		"copy_if": (*Tracer).copyIf, "elem_less": (*Tracer).elemLess, "get": (*Tracer).get, "transform": (*Tracer).transform,
		"where": (*Tracer).where, "to": (*Tracer).convertElements, "reduce": (*Tracer).reduce,
		"clear": (*Tracer).clear, "fill": (*Tracer).fill,
		"copy": (*Tracer).copy, "autovec_copy": (*Tracer).autovecCopy, "cooperative_copy": (*Tracer).cooperativeCopy,
		"gemm": (*Tracer).gemm, "axpby": (*Tracer).axpby,
		"cp_async_fence": simple((*kernel.K).CpAsyncFence), "cp_async_commit_group": simple((*kernel.K).CpAsyncFence),
		"cp_async_wait": (*Tracer).wait, "cp_async_wait_group": (*Tracer).wait,
		"thread0": (*Tracer).nobody, "block0": (*Tracer).nobody,
		"partition_S": part(kernel.ThrCopy.PartitionS), "partition_D": part(kernel.ThrCopy.PartitionD),
		"retile_S": part(kernel.ThrCopy.RetileS), "retile_D": part(kernel.ThrCopy.RetileD),
		"partition_A": part(kernel.ThrMMA.PartitionA), "partition_B": part(kernel.ThrMMA.PartitionB),
		"partition_C": part(kernel.ThrMMA.PartitionC),
	}
	addWarpgroup(functions)
	addWaits(functions)
	addTensorMemory(functions)
	functions["get_flat_coord"], functions["create_tma_multicast_mask"] = (*Tracer).flatCoord, (*Tracer).multicastMask
	functions["tma_partition"], functions["get_tma_tensor"] = (*Tracer).tmaPartition, (*Tracer).tmaTensor
	for _, name := range []string{"get_slice", "get_thread_slice", "get_thread"} {
		functions[name] = (*Tracer).slice
	}
	for _, name := range []string{"__syncthreads", "syncthreads", "sync_threads", "barrier"} {
		functions[name] = simple((*kernel.K).Sync)
	}
	for _, name := range []string{"__syncwarp", "sync_warp"} {
		functions[name] = simple((*kernel.K).SyncWarp)
	}
	for _, name := range []string{
		"make_tensor_like", "make_fragment_like", "make_rmem_tensor", "make_rmem_tensor_like", "make_fragment",
	} {
		functions[name] = (*Tracer).fragmentLike
	}
	for name, f := range functionsOfElements {
		functions[name] = elementFunction(f)
	}
	maps.Copy(functions, mathFunctions())
	maps.Copy(functions, atomicFunctions())
	maps.Copy(functions, votes())
	for _, o := range []string{"A", "B", "C"} {
		functions["partition_fragment_"+o] = (*Tracer).operand
		functions["make_fragment_"+o] = (*Tracer).operand
	}
	for _, name := range []string{"make_gmem_ptr", "make_smem_ptr", "make_rmem_ptr", "raw_pointer_cast", "make_ptr"} {
		functions[name] = run
	}
}

// maxCalls limits the calls of a kernel, whose loops are unrolled.
const maxCalls = 1 << 17

// Call runs a call.
func (t *Tracer) Call(c *interp.TracedCall) (interp.Value, error) {
	if t.calls++; t.calls > maxCalls {
		return nil, refuse(cute.CodeLimit, "follow a smaller problem: loops are unrolled",
			"the kernel calls more than %d functions", maxCalls)
	}
	if t.Probe && instructions[c.Name] {
		t.probed = true
		return nil, errProbed
	}
	if f := functions[c.Name]; f != nil {
		return f(t, c)
	}
	if strings.HasPrefix(c.Name, "print") {
		t.quiet()
		return interp.None{}, nil
	}
	return t.structural(c)
}

// instructions are the calls before which a probe ends.
var instructions = map[string]bool{
	"copy": true, "copy_if": true, "autovec_copy": true, "gemm": true, "axpby": true, "load": true, "store": true,
}

// quiet notes that nothing is printed.
func (t *Tracer) quiet() { t.note("what the kernel prints is left out") }

// note adds a note once.
func (t *Tracer) note(text string) {
	if !slices.Contains(t.out.Notes, text) {
		t.out.Notes = append(t.out.Notes, text)
	}
}

// unknown refuses a call.
func unknown(c *interp.TracedCall) error {
	hint := "girih run may run it; to follow the data, write it with tensors, partitions, copy, gemm and axpby"
	return refuse(cute.CodeNotRepresentable, hint,
		"%s is not followed in a kernel", c.Name)
}

func simple(f func(k *kernel.K)) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		if len(c.Args) > 0 {
			return nil, unknown(c)
		}
		f(t.k)
		return interp.None{}, nil
	}
}

func run(_ *Tracer, c *interp.TracedCall) (interp.Value, error) { return c.Run(c.Args) }

// nobody answers thread0(), with which programs print in one thread.
func (t *Tracer) nobody(*interp.TracedCall) (interp.Value, error) {
	t.quiet()
	return interp.CInt{Type: interp.CBool}, nil
}

// coordinateOf returns the implementation of thread_idx() and block_idx() of the CuTe DSL.
func coordinateOf(name string) function {
	return func(t *Tracer, _ *interp.TracedCall) (interp.Value, error) {
		out := make(interp.Tuple, 3)
		for i := range out {
			out[i] = t.Coordinate(name, i).(index).value(interp.Int(0)) // it returns no other type
		}
		return out, nil
	}
}

// ofThread returns the implementation of lane_idx() and warp_idx() of the CuTe DSL.
func ofThread(f func(i kernel.Index, n int64) kernel.Index) function {
	return func(t *Tracer, _ *interp.TracedCall) (interp.Value, error) {
		return index{f(t.k.ThreadIdx(), 32), interp.CNone}.value(interp.Int(0)), nil
	}
}

func same(_ *Tracer, c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 1 {
		return nil, unknown(c)
	}
	return c.Args[0], nil
}

func tupleOf(_ *Tracer, c *interp.TracedCall) (interp.Value, error) { return interp.Tuple(c.Args), nil }

// selectModes implements select<I,...>(x) of a coordinate whose numbers may differ from thread to thread, and of a
// tensor.
func (t *Tracer) selectModes(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 1 {
		return t.structural(c)
	}
	list, ok := c.Args[0].(interp.Tuple)
	if !ok || len(c.Ints) == 0 {
		return t.structural(c)
	}
	out := make(interp.Tuple, len(c.Ints))
	for i, n := range c.Ints {
		if n < 0 || n >= int64(len(list)) {
			return t.structural(c)
		}
		out[i] = list[n]
	}
	return out, nil
}

// wait implements cp_async_wait<N>().
func (t *Tracer) wait(c *interp.TracedCall) (interp.Value, error) {
	n := int64(0)
	switch {
	case len(c.Ints) == 1:
		n = c.Ints[0]
	case len(c.Args) == 1:
		var ok bool
		if n, ok = interp.Integer(c.Args[0]); !ok {
			return nil, unknown(c)
		}
	}
	t.k.CpAsyncWait(n)
	return interp.None{}, nil
}

// shadows returns arguments with the values of thread 0.
func shadows(c *interp.TracedCall) ([]interp.Value, error) {
	out := make([]interp.Value, len(c.Args))
	for i, v := range c.Args {
		var ok bool
		if out[i], ok = interp.ShadowOf(v); !ok {
			return nil, refuse(cute.CodeNotRepresentable, "compute with known numbers",
				"%s of a value that depends on elements is not followed", c.Name)
		}
	}
	return out, nil
}

// shadow runs a call with the values of thread 0.
func shadow(c *interp.TracedCall) (interp.Value, error) {
	args, err := shadows(c)
	if err != nil {
		return nil, err
	}
	return c.Run(args)
}

// depends reports whether a value contains an integer, a condition or an element that differs from thread to thread.
func depends(v interp.Value) bool {
	switch v := v.(type) {
	case *interp.Traced:
		_, isTensor := v.Of.(*tensor)
		return !isTensor
	case interp.Tuple:
		return slices.ContainsFunc(v, depends)
	}
	return false
}

// structural runs an operation that only changes the coordinates of one tensor, or asks for its shape. It is the same
// for all threads.
func (t *Tracer) structural(c *interp.TracedCall) (interp.Value, error) {
	of, at, ok := t.onlyTensor(c)
	if !ok {
		return nil, unknown(c)
	}
	if ask := of.questions(); ask != nil {
		return ask(t, c)
	}
	v, err := shadow(c)
	if err != nil || of == nil {
		return v, err
	}
	if of.axes != nil {
		return t.partOfCoordinates(of, c.Args[at], v), nil
	}
	to, ok := interp.StorageOf(v)
	if !ok {
		if a, isAlgebra := v.(interp.Algebra); isAlgebra && a.Value != nil && a.Value.Kind() == eval.KindTensor {
			return nil, unknown(c)
		}
		return v, nil
	}
	from, _ := interp.StorageOf(c.Args[at].(*interp.Traced).Shadow)
	layout, isLayout := to.Layout.(cute.Layout)
	if !isLayout && from.Start == to.Start {
		layout, isLayout = to.Layout.(cute.Composed).Layout(), true
	}
	if !isLayout || to.ID != from.ID || to.Type != from.Type {
		return nil, unknown(c)
	}
	return wrap(t.k.View(of.t, kernel.Int(to.Start-from.Start), layout), of, v), nil
}

// onlyTensor returns the tensor among the arguments, and the number of the argument. ok is false if there are several
// tensors, or if another argument differs from thread to thread.
func (t *Tracer) onlyTensor(c *interp.TracedCall) (of *tensor, at int, ok bool) {
	for i, v := range c.Args {
		if depends(v) {
			return nil, 0, false
		}
		if x, isTensor := t.of(v); isTensor {
			if of != nil && !questions[c.Name] {
				return nil, 0, false
			}
			of, at = x, i
		}
	}
	return of, at, true
}

// questions are operations of several tensors that depend on their layouts only.
var questions = map[string]bool{
	"congruent": true, "compatible": true, "max_common_vector": true, "max_common_layout": true, "size": true,
}

// slice implements get_slice(thread) of a tiled copy or a tiled MMA.
func (t *Tracer) slice(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	i, ok := indexOf(c.Args[1])
	if !ok {
		return nil, unknown(c)
	}
	v, err := shadow(c)
	if err != nil {
		return nil, err
	}
	switch of := valueOf(c.Args[0]).(type) {
	case eval.TiledCopy:
		return &interp.Traced{Of: t.k.ThrCopy(of.TiledCopy, i.Index), Shadow: v}, nil
	case eval.TiledMMA:
		return &interp.Traced{Of: t.k.ThrMMA(of.TiledMMA, i.Index), Shadow: v}, nil
	}
	return nil, unknown(c)
}

// sliceOf returns the thread of a tiled copy or a tiled MMA that a value is, or nil. The number of the thread may be
// known: get_slice(0).
func (t *Tracer) sliceOf(v interp.Value) any {
	if x, ok := v.(*interp.Traced); ok {
		return x.Of
	}
	s, ok := valueOf(v).(eval.ThrSlice)
	if !ok {
		return nil
	}
	of, n := s.Of()
	switch of := of.(type) {
	case eval.TiledCopy:
		return t.k.ThrCopy(of.TiledCopy, kernel.Int(n))
	case eval.TiledMMA:
		return t.k.ThrMMA(of.TiledMMA, kernel.Int(n))
	}
	return nil
}

// part returns the implementation of partition_S and similar methods.
func part[T any](f func(thr T, x kernel.Tensor) kernel.Tensor) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		if len(c.Args) != 2 {
			return nil, unknown(c)
		}
		of, isTensor := t.of(c.Args[1])
		thr, ok := t.sliceOf(c.Args[0]).(T)
		if !ok || !isTensor {
			return nil, unknown(c)
		}
		v, err := shadow(c)
		if err != nil {
			return nil, err
		}
		return t.agree(c.Name, wrap(f(thr, of.t), of, v))
	}
}

// fragmentLike implements make_fragment_like(x) and similar functions.
func (t *Tracer) fragmentLike(c *interp.TracedCall) (interp.Value, error) {
	v, err := shadow(c)
	if err != nil {
		return nil, err
	}
	return t.memory(v)
}

// makeTensor implements make_tensor(pointer, layout) and make_tensor<T>(layout).
func (t *Tracer) makeTensor(c *interp.TracedCall) (interp.Value, error) {
	if slices.ContainsFunc(c.Args, depends) {
		return nil, unknown(c)
	}
	return t.fragmentLike(c)
}

// operand implements make_fragment_A(x), partition_fragment_A(x) and the same functions of B and C.
func (t *Tracer) operand(c *interp.TracedCall) (interp.Value, error) {
	v, err := shadow(c)
	if err != nil {
		return nil, err
	}
	s, ok := interp.StorageOf(v)
	switch {
	case ok && s.Space == atom.SharedMemory:
		return t.descriptors(c, v)
	case ok && s.Space == atom.TensorMemory:
		return t.accumulator(c, v)
	}
	if !ok || s.Space != atom.Registers {
		return nil, unknown(c)
	}
	return t.registers(s, v), nil
}

// element returns an element of a tensor.
func (t *Tracer) element(c *interp.TracedCall, of *tensor, at []kernel.Index) (interp.Value, error) {
	switch {
	case of.tile != nil:
		return t.askTile(c)
	case of.axes != nil:
		return t.coordinate(of, at, c.Apply)
	case of.preds != nil:
		return t.predicate(of, at...)
	}
	return t.value(t.k.Load(of.t, at...)), nil
}

// flatModes returns a tensor whose modes are the parts of the modes at which the coordinate is a tuple, such as
// ((_,_),(i,j)), and their coordinates.
func (t *Tracer) flatModes(of *tensor, args []interp.Value) (*tensor, []interp.Value) {
	var modes []cute.Layout
	var out []interp.Value
	var visit func(l cute.Layout, v interp.Value)
	visit = func(l cute.Layout, v interp.Value) {
		parts, ok := v.(interp.Tuple)
		if sub := l.Modes(); ok && !isOpen(v) && !l.Shape().IsInt() && len(sub) == len(parts) {
			for i, p := range parts {
				visit(sub[i], p)
			}
			return
		}
		modes, out = append(modes, l), append(out, v)
	}
	own := of.t.Layout().Modes()
	if len(own) != len(args) {
		return of, args
	}
	for i, v := range args {
		visit(own[i], v)
	}
	if len(out) == len(args) {
		return of, args
	}
	flat := *of
	flat.t = t.k.View(of.t, kernel.Int(0), kernel.Must(cute.MakeLayout(modes...)))
	return &flat, out
}

// apply implements t(i,_,j): a slice, or an element.
func (t *Tracer) apply(c *interp.TracedCall) (interp.Value, error) {
	of, ok := t.of(c.Args[0])
	if !ok {
		return nil, refuse(cute.CodeNotRepresentable, "compute the coordinate with integers",
			"a layout at a coordinate that differs from thread to thread is not followed")
	}
	args := c.Args[1:]
	if len(args) == 1 && of.t.Rank() > 1 {
		if list, ok := modesOf(args[0]); ok && len(list) == of.t.Rank() {
			args = list
		}
	}
	whole := of
	if slices.ContainsFunc(args, depends) {
		of, args = t.flatModes(of, args)
	}
	at, ok := coordinates(args)
	if !ok {
		of = whole
		if slices.ContainsFunc(args, depends) {
			return nil, refuse(cute.CodeNotRepresentable, "give a mode one integer, or leave it open",
				"a coordinate with parts that differ from thread to thread is not followed")
		}
		return t.structural(c)
	}
	if !slices.Contains(at, kernel.Open) {
		return t.element(c, of, at)
	}
	full := make([]interp.Value, len(c.Args))
	for i, v := range c.Args {
		if n, ok := interp.Integer(v); ok { // where a slice begins says nothing about what C++ knows of its layout
			v = interp.CInt{Bits: uint64(n), Type: interp.CIntType, Static: true}
		}
		full[i] = v
	}
	static := *c
	static.Args = full
	v, err := shadow(&static)
	if err != nil {
		return nil, err
	}
	return t.agree(c.Name, wrap(t.k.Slice(of.t, at...), of, v))
}
