package interp

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
)

// This file implements the functions of CUDA's runtime that host code calls. Device memory is ordinary memory of the
// program, and all work is done when a call returns.

// cudaNothing lists functions that have no effect here and return success.
var cudaNothing = program.Words(`cudaDeviceSynchronize cudaGetLastError cudaPeekAtLastError cudaFuncSetAttribute cudaFree
	cudaStreamCreate cudaStreamSynchronize cudaStreamDestroy cudaDeviceReset cudaSetDevice cudaFreeHost
	cudaGetDeviceProperties cudaEventCreate cudaEventRecord cudaEventSynchronize cudaEventDestroy device_init
	CUTE_CHECK_LAST CUTE_CHECK_ERROR CUDA_CHECK CHECK_CUDA cudaCheck gpuErrchk`)

// cudaHandles lists the types of handles. Their values are never used.
var cudaHandles = program.Words("cudaStream_t cudaEvent_t CUstream")

// isCudaConstant reports whether a name is a constant of CUDA's runtime. Their values are never used.
func isCudaConstant(name string) bool {
	return name == "cudaSuccess" || name == "kSuccess" ||
		strings.HasPrefix(name, "cudaMemcpy") && strings.Contains(name, "To") && name != "cudaMemcpyToSymbol" ||
		strings.HasPrefix(name, "cudaFuncAttribute")
}

// cudaFunction returns a name of CUDA's runtime; ok is false for any other name.
func cudaFunction(name string) (v Value, ok bool) {
	call := func(*runner, *arguments) (Value, error) { return cInt(0, CIntType), nil }
	switch {
	case isCudaConstant(name):
		return cInt(0, CIntType), true
	case cudaNothing[name]:
	case strings.HasPrefix(name, "cudaMemcpy"):
		call = cudaCopy
	case strings.HasPrefix(name, "cudaMemset"):
		call = cudaSet
	case name == "cudaGetErrorString" || name == "cudaGetErrorName":
		call = func(*runner, *arguments) (Value, error) { return Str("no error"), nil }
	case hostCalls[name] != nil:
		call = hostCalls[name]
	case strings.HasPrefix(name, "atomic"):
		op, known := map[string]string{
			"Add": "+", "Sub": "-", "Max": ">", "Min": "<", "And": "&", "Or": "|", "Xor": "^", "Exch": "", "CAS": "?",
			"Inc": "++", "Dec": "--",
		}[strings.TrimPrefix(name, "atomic")]
		if !known {
			return nil, false
		}
		call = atomic(op)
	default:
		if call = warpFunction(name); call == nil {
			return nil, false
		}
	}
	return &Builtin{Name: name, Always: true, Call: call}, true
}

// hostCalls are functions of CUDA's runtime, CUTLASS and CuTe that host code calls, and loads of kernels.
var hostCalls map[string]func(r *runner, c *arguments) (Value, error)

func init() {
	hostCalls = map[string]func(r *runner, c *arguments) (Value, error){
		"cudaGetDevice": cudaNumber(0), "cudaGetDeviceCount": cudaNumber(1), "cudaEventElapsedTime": cudaElapsed,
		"evenly_divides": evenlyDivides, "launch_kernel_on_cluster": launchOnCluster, "__ldg": loadReadOnly,
	}
}

// loadReadOnly implements __ldg(p), which is *p.
func loadReadOnly(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 1 {
		return nil, errorf(cute.CodeRank, "expected one pointer, found %d values", len(c.pos))
	}
	p, err := r.pointee(c.pos[0], nowhere)
	if err == nil && p == nil {
		err = errorf(cute.CodeType, "expected a pointer, found %s", cppDescribe(c.pos[0]))
	}
	if err != nil {
		return nil, err
	}
	return r.load(p, nowhere)
}

// cudaAllocate implements cudaMalloc(&p, bytes): p then points to elements of its element type, which have no values.
func (r *runner) cudaAllocate(x *program.Call) (Value, error) {
	if len(x.Args) < 2 {
		return nil, errorf(cute.CodeRank, "expected the address of a pointer and a size, found %d arguments", len(x.Args))
	}
	to := x.Args[0].X
	if c, ok := to.(*program.Cast); ok {
		to = c.X
	}
	u, ok := to.(*program.Unary)
	if !ok || u.Op != "&" {
		return nil, r.at(to, errorf(cute.CodeType, "expected the address of a pointer, as &p"))
	}
	c, err := r.target(u.X)
	if err != nil {
		return nil, err
	}
	v, err := r.value(x.Args[1].X)
	if err != nil {
		return nil, err
	}
	n, isInt := integerOf(v)
	elem, known := dtype.Type(0), false
	var vector *cudaVector
	if c.to != nil {
		if vector = cudaVectorOf(c.to.Struct); vector != nil {
			elem, known = vector.of, true
		} else {
			elem, known = elementTypeOf(*c.to)
		}
	}
	if !isInt || !known || n < 0 || n*8%int64(elem.Bits()) != 0 {
		return nil, errorf(cute.CodeType, "expected a pointer to numbers and a size in whole elements")
	}
	w, err := r.newMemory(elem, n*8/int64(elem.Bits()))
	if err != nil {
		return nil, err
	}
	if c.v = Value(Address{w.in(atom.GlobalMemory), 0}); vector != nil {
		c.v = &vectorPointer{c.v, vector, elem, vector.n}
	}
	return cInt(0, CIntType), nil
}

// bytesAt returns n bytes at a pointer as a tensor of the pointer's elements.
func (r *runner) bytesAt(v Value, n int64) (Algebra, error) {
	p, ok, err := r.addressOf(v)
	if err != nil || !ok {
		if err == nil {
			err = errorf(cute.CodeType, "expected a pointer, found %s", r.describe(v))
		}
		return Algebra{}, err
	}
	bits := int64(p.typ.Bits())
	if n < 0 || n*8%bits != 0 {
		return Algebra{}, errorf(cute.CodeNotDivisible, "expected a size in whole elements of %v, found %d bytes", p.typ, n)
	}
	if n == 0 {
		return Algebra{}, errorf(cute.CodeExtent, "expected at least one byte")
	}
	l, err := cute.LayoutLeft(cute.Int(n * 8 / bits))
	if err != nil {
		return Algebra{}, err
	}
	return r.tensorOn(p.window, p.At, l)
}

// cudaCopy implements cudaMemcpy(dst, src, bytes, kind).
func cudaCopy(r *runner, c *arguments) (Value, error) {
	if len(c.pos) < 3 {
		return nil, errorf(cute.CodeRank, "expected cudaMemcpy(dst, src, bytes, kind), found %d arguments", len(c.pos))
	}
	n, ok := integerOf(c.pos[2])
	if !ok {
		return nil, errorf(cute.CodeType, "expected a size in bytes, found %s", r.describe(c.pos[2]))
	}
	dst, err := r.bytesAt(c.pos[0], n)
	if err != nil {
		return nil, err
	}
	src, err := r.bytesAt(c.pos[1], n)
	if err != nil {
		return nil, err
	}
	if src.typ != dst.typ {
		return nil, errorf(cute.CodeType, "a copy of %v to %v is not run", src.typ, dst.typ)
	}
	return cInt(0, CIntType), r.copyTo(src, dst)
}

// cudaSet implements cudaMemset(p, 0, bytes).
func cudaSet(r *runner, c *arguments) (Value, error) {
	if len(c.pos) < 3 {
		return nil, errorf(cute.CodeRank, "expected cudaMemset(p, 0, bytes), found %d arguments", len(c.pos))
	}
	value, ok := integerOf(c.pos[1])
	n, isInt := integerOf(c.pos[2])
	if !ok || !isInt || value != 0 {
		return nil, errorf(cute.CodeType, "only cudaMemset to 0 is run")
	}
	dst, err := r.bytesAt(c.pos[0], n)
	if err != nil {
		return nil, err
	}
	return cInt(0, CIntType), r.fillTensor(dst, c.pos[1])
}

// evenlyDivides implements evenly_divides(a, b): each mode of b divides the mode of a.
func evenlyDivides(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 2 {
		return nil, errorf(cute.CodeRank, "expected two shapes, found %d arguments", len(c.pos))
	}
	var shapes [2]cute.Tuple
	for i, v := range c.pos {
		a, err := r.asAlgebra(v)
		if err != nil {
			return nil, err
		}
		t, ok := withNumbers(a).(eval.Tuple)
		if !ok {
			return nil, errorf(cute.CodeType, "expected a shape with known extents, found %s", r.describe(v))
		}
		shapes[i] = t.Tuple
	}
	return cBools[divides(shapes[1], shapes[0])], nil
}

// divides reports whether each extent of a divides the extent of b.
func divides(a, b cute.Tuple) bool {
	if a.IsInt() {
		n, err := b.Product()
		return err == nil && n%a.Leaves()[0] == 0
	}
	if b.IsInt() || a.Rank() != b.Rank() {
		return false
	}
	for i, m := range a.Modes() {
		if !divides(m, b.Modes()[i]) {
			return false
		}
	}
	return true
}

// A gpu is the GPU that a program sees.
type gpu struct {
	name           string
	major          uint64 // of its compute capability; minor is 0
	processors, l2 uint64 // the number of multiprocessors, and the bytes of the L2 cache
}

// gpu returns the GPU that the program sees: one with tcgen05 if the text names operations of sm_100.
func (r *runner) gpu() gpu {
	if strings.Contains(r.src, "SM100_") || strings.Contains(r.src, "tcgen05") {
		return gpu{"NVIDIA B200", 10, 148, 126 << 20}
	}
	return gpu{"NVIDIA H100 80GB HBM3", 9, 132, 50 << 20}
}

// gpuProperties returns a cudaDeviceProp.
func (r *runner) gpuProperties() Value {
	of := r.gpu()
	o := &Object{fields: make(map[string]*cell)}
	for _, f := range []struct {
		name string
		n    uint64
	}{
		{"major", of.major},
		{"minor", 0},
		{"multiProcessorCount", of.processors},
		{"warpSize", 32},
		{"sharedMemPerBlockOptin", maxShared},
		{"sharedMemPerBlock", 48 << 10},
		{"sharedMemPerMultiprocessor", 228 << 10},
		{"regsPerBlock", 1 << 16},
		{"maxThreadsPerBlock", maxBlock},
		{"maxThreadsPerMultiProcessor", 2048},
		{"l2CacheSize", of.l2},
	} {
		o.names = append(o.names, f.name)
		o.fields[f.name] = &cell{v: cInt(f.n, CIntType), typ: CIntType}
	}
	o.names = append(o.names, "name")
	o.fields["name"] = &cell{v: Str(of.name)}
	return o
}

// atomic returns the implementation of atomicAdd(p, x) or a similar function, which changes an element and returns its
// old value. Such accesses are not a race.
func atomic(op string) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		if want := 2 + strings.Count(op, "?"); len(c.pos) != want {
			return nil, errorf(cute.CodeRank, "expected a pointer and %d numbers, found %d arguments", want-1, len(c.pos))
		}
		was := r.atomic
		r.atomic = true
		defer func() { r.atomic = was }()
		var at *cell
		var err error
		switch p := decay(c.pos[0]).(type) {
		case Address:
			at, err = r.addressCell(p)
		case Pointer:
			at, err = p.cell()
		default:
			err = errorf(cute.CodeType, "expected a pointer, found %s", r.describe(c.pos[0]))
		}
		if err != nil {
			return nil, err
		}
		old, err := r.load(at, r.here)
		if err != nil {
			return nil, err
		}
		v := c.pos[1]
		switch op {
		case "":
		case "<", ">":
			v, err = r.fold2(op, old, v)
		case "?", "++", "--":
			v, err = r.newNumber(op, old, c.pos[1:])
		default:
			v, err = r.combine(op, old, v, nowhere)
		}
		if err != nil {
			return nil, err
		}
		return old, r.assignTo(at, v)
	}
}

// newNumber returns what atomicCAS(p, compare, v), atomicInc(p, v) or atomicDec(p, v) stores, where old is the number.
func (r *runner) newNumber(op string, old Value, args []Value) (Value, error) {
	was, isOld := integerOf(old)
	x, isX := integerOf(args[0])
	switch {
	case !isOld || !isX:
		return nil, errorf(cute.CodeType, "expected integers, found %s and %s", r.describe(old), r.describe(args[0]))
	case op == "?" && was == x:
		return args[1], nil
	case op == "?":
		return old, nil
	case op == "++" && was >= x:
		was = 0
	case op == "++":
		was++
	case was == 0 || was > x:
		was = x
	default:
		was--
	}
	return cInt(uint64(was), CUInt), nil
}

// rangeFunction returns std::iota(first, last, x) or std::fill(first, last, x).
func rangeFunction(name string) Value {
	return &Builtin{Name: name, Call: func(r *runner, c *arguments) (Value, error) {
		if len(c.pos) != 3 {
			return nil, errorf(cute.CodeRank, "expected a range and a number, found %d arguments", len(c.pos))
		}
		p, isP := decay(c.pos[0]).(Pointer)
		q, isQ := decay(c.pos[1]).(Pointer)
		if !isP || !isQ || p.Of != q.Of {
			return nil, errorf(cute.CodeType, "expected the begin and the end of an array")
		}
		x := c.pos[2]
		for ; p.At < q.At; p.At++ {
			at, err := p.cell()
			if err != nil {
				return nil, err
			}
			if err := r.assignTo(at, x); err != nil {
				return nil, err
			}
			if err := r.work(1); err != nil {
				return nil, err
			}
			if name == "fill" {
				continue
			}
			if x, err = r.combine("+", x, cInt(1, CIntType), nowhere); err != nil {
				return nil, err
			}
		}
		return None{}, nil
	}}
}

// copyRange implements std::copy(first, last, to) and thrust::copy(first, last, to) of arrays; ok is false for other
// arguments.
func (r *runner) copyRange(c *arguments) (ok bool, err error) {
	if len(c.pos) != 3 {
		return false, nil
	}
	p, isP := decay(c.pos[0]).(Pointer)
	q, isQ := decay(c.pos[1]).(Pointer)
	to, isTo := decay(c.pos[2]).(Pointer)
	if !isP || !isQ || !isTo || p.Of != q.Of {
		return false, nil
	}
	for ; p.At < q.At; p.At, to.At = p.At+1, to.At+1 {
		from, err := p.cell()
		if err != nil {
			return true, err
		}
		at, err := to.cell()
		if err != nil {
			return true, err
		}
		v, err := r.load(from, r.here)
		if err == nil {
			err = r.assignTo(at, v)
		}
		if err == nil && p.At%elementsPerStep == 0 {
			err = r.work(1)
		}
		if err != nil {
			return true, err
		}
	}
	return true, nil
}
