package interp

import (
	"math"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/python"
)

// This file implements the arrays of PyTorch and NumPy from which programs of the CuTe DSL start. An array is a tensor
// with storage whose window has the flag host: it follows Python's rules of indexing. from_dlpack removes the flag.

// hostArray returns a new array of a shape, in row-major order.
func (r *runner) hostArray(t dtype.Type, shape []int64) (Algebra, error) {
	l, err := cute.LayoutRight(cute.Ints(shape...))
	if err != nil {
		return Algebra{}, err
	}
	a, err := r.allocate(t, l)
	if err == nil {
		a.host = true
	}
	return a, err
}

// hostShape returns the shape that arguments state, as in f(2, 3) and f((2, 3)).
func hostShape(args []Value) ([]int64, error) {
	if len(args) == 1 {
		switch v := args[0].(type) {
		case Tuple:
			args = v
		case *List:
			args = v.Elems
		}
	}
	shape := make([]int64, len(args))
	for i, v := range args {
		n, ok := integerOf(v)
		if !ok || n < 1 {
			return nil, python.TypeError("expected positive integers as a shape")
		}
		shape[i] = n
	}
	if len(shape) == 0 {
		return nil, python.TypeError("expected a shape, such as (4, 8)")
	}
	return shape, nil
}

// hostFunction returns torch.NAME or np.NAME; ok is false if the function is not supported.
func hostFunction(path, name string) (Value, bool) {
	root, _, _ := strings.Cut(path, ".")
	isTorch := root == "torch"
	if !isTorch && root != "np" && root != "numpy" {
		return nil, false
	}
	if strings.HasSuffix(path, "testing") || name == "allclose" || name == "equal" {
		return &Builtin{Name: name, Always: true, Call: closeArrays(name)}, true
	}
	if strings.HasSuffix(path, "cuda") || name == "prod" || name == "device" {
		return hostQuestion(name)
	}
	make := hostMakers[name]
	if make == nil {
		if t, err := dtype.Parse(strings.TrimSuffix(name, "_")); err == nil && path == root {
			return TypeValue{Name: root + "." + t.Torch()}, true
		}
		return nil, false
	}
	t := dtype.F32
	if !isTorch {
		t = dtype.F64
	}
	return &Builtin{Name: path + "." + name, Always: true, Call: hostCall(name, t, make)}, true
}

// hostQuestion returns a function that does not make an array: np.prod, or a function of torch.cuda.
func hostQuestion(name string) (Value, bool) {
	switch name {
	case "prod":
		return &Builtin{Name: name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
			return r.py.Call("math.prod", c.pos, nil)
		}}, true
	case "is_available":
		return &Builtin{Name: name, Call: func(*runner, *arguments) (Value, error) { return Bool(true), nil }}, true
	case "get_device_capability":
		return &Builtin{Name: name, Call: func(r *runner, _ *arguments) (Value, error) {
			return Tuple{Int(int64(r.gpu().major)), Int(0)}, nil
		}}, true
	case "device":
		return &Builtin{Name: name, Call: func(_ *runner, c *arguments) (Value, error) {
			if len(c.pos) == 0 {
				return nil, python.TypeError("expected the name of a device")
			}
			return c.pos[0], nil
		}}, true
	case "synchronize", "empty_cache", "init", "set_device":
		return &Builtin{Name: name, Call: func(*runner, *arguments) (Value, error) { return None{}, nil }}, true
	}
	return nil, false
}

// hostCall returns the implementation of a function that makes an array and accepts dtype. t is the default type of
// floats.
func hostCall(name string, t dtype.Type, make hostMaker) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		own := t
		if by := c.take("dtype"); by != nil && by != (None{}) {
			var ok bool
			if own, ok = elementTypeOf(by); !ok {
				return nil, python.TypeError("expected a dtype, such as torch.float32")
			}
		} else if name == "arange" || name == "tensor" || name == "array" || name == "randint" || name == "full" {
			own = hostTypeOf(c.pos, t)
		}
		for _, ignored := range []string{"requires_grad", "order", "generator", "pin_memory"} {
			c.take(ignored)
		}
		device := c.take("device")
		v, err := make(r, c, own)
		if a, ok := v.(Algebra); ok && err == nil && a.window != nil {
			a.numpy = t == dtype.F64
			if onGPU(device) {
				a.space = atom.GlobalMemory
			}
		}
		return v, err
	}
}

// onGPU reports whether a device of PyTorch is a GPU: "cuda", "cuda:0".
func onGPU(device Value) bool {
	text, ok := device.(Str)
	return ok && strings.HasPrefix(string(text), "cuda")
}

// A hostMaker makes an array of a type.
type hostMaker func(r *runner, c *arguments, t dtype.Type) (Value, error)

// hostTypeOf returns the type of an array of numbers: float if one is a float, a bit if all are bools, and otherwise
// int64. Because a list may contain itself, at most 4,194,304 elements are examined.
func hostTypeOf(vs []Value, float dtype.Type) dtype.Type {
	const most = 1 << 22
	numbers, bools := 0, 0
	for i, rest := 0, slices.Clone(vs); i < min(len(rest), most); i++ {
		switch v := rest[i].(type) {
		case Float:
			return float
		case *List:
			rest = append(rest, v.Elems...)
		case Tuple:
			rest = append(rest, v...)
		case Bool:
			bools++
		default:
			numbers++
		}
	}
	if bools > 0 && numbers == 0 {
		return dtype.U1
	}
	return dtype.S64
}

// hostMakers lists the functions that make arrays.
var hostMakers map[string]func(r *runner, c *arguments, t dtype.Type) (Value, error)

func init() {
	constant := func(x float64) func(r *runner, c *arguments, t dtype.Type) (Value, error) {
		return func(r *runner, c *arguments, t dtype.Type) (Value, error) {
			return r.filledArray(t, c.pos, func(int64) Value { return Float(x) })
		}
	}
	like := func(x float64) func(r *runner, c *arguments, t dtype.Type) (Value, error) {
		return func(r *runner, c *arguments, _ dtype.Type) (Value, error) {
			a, err := c.storage(0)
			if err != nil {
				return nil, err
			}
			shape := a.view().Domain().AppendModeSizes(nil)
			b, err := r.hostArray(a.typ, shape)
			if err == nil {
				b.numpy, b.space = a.numpy, a.space
			}
			if err == nil && !math.IsNaN(x) {
				err = r.fillTensor(b, Float(x))
			}
			return b, err
		}
	}
	hostMakers = map[string]func(r *runner, c *arguments, t dtype.Type) (Value, error){
		"zeros": constant(0), "ones": constant(1), "zeros_like": like(0), "ones_like": like(1),
		"empty_like": like(math.NaN()),
		"empty": func(r *runner, c *arguments, t dtype.Type) (Value, error) {
			shape, err := hostShape(c.pos)
			if err != nil {
				return nil, err
			}
			return r.hostArray(t, shape)
		},
		"full": func(r *runner, c *arguments, t dtype.Type) (Value, error) {
			if len(c.pos) != 2 {
				return nil, python.TypeError("expected a shape and a number")
			}
			return r.filledArray(t, c.pos[:1], func(int64) Value { return c.pos[1] })
		},
		"arange": hostRange, "tensor": hostList, "array": hostList,
		"randn": hostRandom, "rand": hostRandom, "randint": hostRandom, "random": hostRandom,
		"seed":        func(*runner, *arguments, dtype.Type) (Value, error) { return None{}, nil },
		"manual_seed": func(*runner, *arguments, dtype.Type) (Value, error) { return None{}, nil },
		"matmul": func(r *runner, c *arguments, _ dtype.Type) (Value, error) {
			return r.matmul(c)
		},
	}
}

// filledArray returns an array with a value for each index. The last mode is the fastest.
func (r *runner) filledArray(t dtype.Type, shape []Value, f func(i int64) Value) (Value, error) {
	sizes, err := hostShape(shape)
	if err != nil {
		return nil, err
	}
	a, err := r.hostArray(t, sizes)
	if err != nil {
		return nil, err
	}
	return a, r.setAll(a, f)
}

// setAll sets the elements of a new array by place.
func (r *runner) setAll(a Algebra, f func(place int64) Value) error {
	c, err := r.codes(a)
	if err != nil {
		return err
	}
	for i, p := range c.at {
		code, err := r.toCode(a.typ, f(p))
		if err != nil {
			return err
		}
		if err := c.Set(code, int64(i)); err != nil {
			return err
		}
	}
	return r.markWritten(a, c)
}

// hostRange implements arange(stop) and arange(start, stop, step).
func hostRange(r *runner, c *arguments, t dtype.Type) (Value, error) {
	start, step := 0.0, 1.0
	var stop number
	list := make([]number, len(c.pos))
	for i, v := range c.pos {
		var ok bool
		if list[i], ok = numberOf(v); !ok {
			return nil, python.TypeError("expected numbers, found %s", r.describe(v))
		}
	}
	switch len(list) {
	case 1:
		stop = list[0]
	case 3:
		step = list[2].float()
		fallthrough
	case 2:
		start, stop = list[0].float(), list[1]
	default:
		return nil, python.TypeError("expected arange(start, stop, step)")
	}
	n := math.Ceil((stop.float() - start) / step)
	if !(n >= 1 && n < 1<<31) { //nolint:staticcheck // it may be NaN
		return nil, python.TypeError("expected at least one number, found %v", n)
	}
	return r.filledArray(t, []Value{Int(int64(n))}, func(i int64) Value { return Float(start + float64(i)*step) })
}

// hostList implements tensor([[1, 2], [3, 4]]).
func hostList(r *runner, c *arguments, t dtype.Type) (Value, error) {
	if len(c.pos) != 1 {
		return nil, python.TypeError("expected a list")
	}
	var shape []Value
	var flat []Value
	var walk func(v Value, depth int) error
	walk = func(v Value, depth int) error {
		elems, isList := []Value(nil), false
		switch v := v.(type) {
		case *List:
			elems, isList = v.Elems, true
		case Tuple:
			elems, isList = v, true
		}
		if !isList {
			flat = append(flat, v)
			if depth != len(shape) {
				return python.ValueError("expected rows of one length")
			}
			return nil
		}
		if err := r.py.Enter(); err != nil { // a list may contain itself
			return err
		}
		defer r.py.Leave()
		if depth == len(shape) {
			shape = append(shape, Int(len(elems)))
		} else if Int(len(elems)) != shape[depth] {
			return python.ValueError("expected rows of %v elements, found %d", shape[depth], len(elems))
		}
		for _, e := range elems {
			if err := walk(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if err := walk(c.pos[0], 0); err != nil {
		return nil, err
	}
	return r.filledArray(t, []Value{Tuple(shape)}, func(i int64) Value { return flat[i] })
}

// hostRandom implements randn, rand and randint. The numbers are the same in every run: small multiples of 1/4, so that
// sums of products are exact. PyTorch returns other numbers.
func hostRandom(r *runner, c *arguments, t dtype.Type) (Value, error) {
	shape, low, high := c.pos, int64(-8), int64(9)
	isInt := t.Kind() != dtype.Float
	scale := 0.25
	if isInt {
		low, scale = 0, 1
	}
	if given := c.take("size"); given != nil {
		shape = []Value{given}
	} else if isInt && len(shape) > 1 {
		shape = shape[len(shape)-1:]
	}
	if n := len(c.pos); isInt && n > 0 {
		bounds := c.pos[:min(2, n)]
		if _, isTuple := bounds[len(bounds)-1].(Tuple); isTuple {
			bounds = bounds[:len(bounds)-1]
		}
		high, _ = integerOf(bounds[len(bounds)-1])
		if len(bounds) == 2 {
			low, _ = integerOf(bounds[0])
		}
	}
	if high <= low {
		return nil, python.ValueError("expected a range of integers that is not empty, found [%d, %d)", low, high)
	}
	r.noteAt(0, "the random numbers of the program are girih's own, and the same in every run")
	state := uint64(88172645463325252)
	return r.filledArray(t, shape, func(int64) Value {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return Float(float64(low+int64(state%uint64(high-low))) * scale)
	})
}

// fromDLPack implements from_dlpack(array): it returns a tensor of the CuTe DSL that shares the memory of the array.
func fromDLPack(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	a, err := c.storage(0)
	if err != nil {
		return nil, errorf(cute.CodeType, "expected an array of PyTorch or NumPy, found %s", r.describe(c.pos[0]))
	}
	w := *a.window
	w.host, w.numpy = false, false
	w.align, _ = integerOf(c.take("assumed_align"))
	a.window = &w
	if dynamic, ok := c.take("enable_tvm_ffi").(Bool); ok && bool(dynamic) {
		return r.markLate(a, nil)
	}
	return a, nil
}

// matmul implements torch.matmul(a, b) for two matrices, and a @ b. The sums of products are computed in double
// precision and rounded once.
func (r *runner) matmul(c *arguments) (Value, error) {
	a, err := c.storage(0)
	if err != nil {
		return nil, err
	}
	b, err := c.storage(1)
	if err != nil {
		return nil, err
	}
	x, err := r.loadVector(a)
	if err != nil {
		return nil, err
	}
	y, err := r.loadVector(b)
	if err != nil {
		return nil, err
	}
	s, u := a.view().Domain().AppendModeSizes(nil), b.view().Domain().AppendModeSizes(nil)
	if len(s) != 2 || len(u) != 2 || s[1] != u[0] {
		return nil, python.Raise("RuntimeError", "expected matrices (M,K) and (K,N), found %v and %v", a.view().Shape(),
			b.view().Shape())
	}
	out, err := r.hostArray(a.typ, []int64{s[0], u[1]})
	if err != nil {
		return nil, err
	}
	out.numpy, out.space = a.numpy, a.space
	p, q := x.(Vector).Elems, y.(Vector).Elems
	if err := r.work(1 + int(s[0]*u[1]*s[1]/elementsPerStep)); err != nil {
		return nil, err
	}
	return out, r.setAll(out, func(place int64) Value {
		i, j, sum := place/u[1], place%u[1], 0.0
		for k := range s[1] {
			f, _ := numberOf(p[i+s[0]*k])
			g, _ := numberOf(q[k+u[0]*j])
			sum += f.float() * g.float()
		}
		return Float(sum)
	})
}

// closeArrays is allclose, equal, assert_close and assert_allclose.
func closeArrays(name string) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		a, err := c.storage(0)
		if err != nil {
			return nil, err
		}
		b, err := c.storage(1)
		if err != nil {
			return nil, err
		}
		x, err := r.loadVector(a)
		if err != nil {
			return nil, err
		}
		y, err := r.loadVector(b)
		if err != nil {
			return nil, err
		}
		p, q := x.(Vector).Elems, y.(Vector).Elems
		if len(p) != len(q) {
			return nil, python.Raise("AssertionError", "expected arrays of one shape, found %v and %v", a.view().Shape(),
				b.view().Shape())
		}
		rtol, atol := tolerance(c, "rtol", 1e-5), tolerance(c, "atol", 1e-5)
		if name == "equal" {
			rtol, atol = 0, 0
		}
		for i := range p {
			f, _ := numberOf(p[i])
			g, _ := numberOf(q[i])
			if !(math.Abs(f.float()-g.float()) <= atol+rtol*math.Abs(g.float())) { //nolint:staticcheck // NaN differs
				if strings.HasPrefix(name, "assert") {
					at, err := cute.Idx2Crd(cute.Int(int64(i)), a.view().Shape())
					if err != nil {
						return nil, err
					}
					return nil, python.Raise("AssertionError", "the arrays differ at %v: %v and %v", at, f.float(), g.float())
				}
				return Bool(false), nil
			}
		}
		if strings.HasPrefix(name, "assert") {
			return None{}, nil
		}
		return Bool(true), nil
	}
}

func tolerance(c *arguments, name string, otherwise float64) float64 {
	if n, ok := numberOf(c.take(name)); ok {
		return n.float()
	}
	return otherwise
}

// hostBinary computes A OP B element by element if one of them is an array; ok is false if neither is.
func (r *runner) hostBinary(op string, a, b Value) (v Value, ok bool, err error) {
	if op == "@" {
		return nil, false, nil
	}
	shape, like := []int64(nil), Algebra{}
	t := dtype.Type(0)
	for _, x := range []*Value{&a, &b} {
		of, isAlgebra := (*x).(Algebra)
		if !isAlgebra || !of.isTensor() || !of.host {
			continue
		}
		if shape == nil {
			shape, like = of.view().Domain().AppendModeSizes(nil), of
		}
		if t == 0 || wider(of.typ, t) == of.typ {
			t = of.typ
		}
		if *x, err = r.loadVector(of); err != nil {
			return nil, true, err
		}
	}
	if shape == nil {
		return nil, false, nil
	}
	v, _, err = r.vectorBinary(op, a, b)
	if err != nil {
		return nil, true, err
	}
	out, err := r.hostArray(t, shape)
	if err != nil {
		return nil, true, err
	}
	out.numpy, out.space = like.numpy, like.space
	return out, true, r.storeVector(out, v.(Vector)) //nolint:forcetypeassert // one operand is a Vector
}
