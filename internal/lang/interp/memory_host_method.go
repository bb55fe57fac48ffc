package interp

import (
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/python"
)

// This file has the methods of the arrays of PyTorch and NumPy.

// hostMethod calls a method of an array. It returns errNoMemory if the array does not have the method.
func (r *runner) hostMethod(a Algebra, name string, c *arguments) (Value, error) {
	t := a.view()
	switch name {
	case "contiguous", "detach", "requires_grad_", "pin_memory":
		return a, nil
	case "to", "type", "astype", "float", "half", "int", "bfloat16", "clone", "copy":
		return r.convertArray(a, name, c)
	case "reshape", "view":
		shape, err := r.reshape(a, c.pos)
		if err != nil {
			return nil, err
		}
		l, err := cute.LayoutRight(shape)
		if err != nil {
			return nil, err
		}
		return r.tensorOn(a.window, t.Start(), l)
	case "permute", "t", "transpose":
		return r.permute(a, name, c)
	case "size", "stride", "dim", "numel":
		return r.hostExtent(a, name, c)
	case "fill_", "zero_", "fill":
		x := Value(Int(0))
		if len(c.pos) > 0 {
			x = c.pos[0]
		}
		return a, r.fillTensor(a, x)
	case "item":
		if t.Size() == 1 {
			v, err := r.getElement(a, 0)
			return plain(v), err
		}
	case "tolist":
		return r.hostTolist(a)
	}
	return r.hostMemory(a, name, c)
}

// hostMemory calls a method of an array that concerns the location of its elements, or that fills it with random
// numbers.
func (r *runner) hostMemory(a Algebra, name string, c *arguments) (Value, error) {
	switch name {
	case "cuda", "cpu":
		return r.onDevice(a, name)
	case "numpy":
		w := *a.window
		w.numpy = true
		a.window = &w
		return a, nil
	case "data_ptr":
		return Address{a.window, a.view().Start()}, nil
	case "element_size":
		return Int((a.typ.Bits() + 7) / 8), nil
	case "random_", "normal_", "uniform_":
		return r.hostRandomIn(a, name, c)
	}
	return nil, errNoMemory
}

// hostRandomIn implements a.random_(low, high) and similar methods, which fill the array itself.
func (r *runner) hostRandomIn(a Algebra, name string, c *arguments) (Value, error) {
	like := &arguments{pos: []Value{r.hostTuple(a.view().Shape())}}
	t := dtype.F32
	if name == "random_" {
		t = dtype.S64
		like.pos = append(append([]Value(nil), c.pos...), like.pos...)
	}
	v, err := hostRandom(r, like, t)
	if err != nil {
		return nil, err
	}
	return a, r.copyTo(v, a)
}

// onDevice implements a.cuda() and a.cpu(), which copy to the other memory.
func (r *runner) onDevice(a Algebra, device string) (Value, error) {
	gpu := strings.HasPrefix(device, "cuda")
	if gpu == (a.space == atom.GlobalMemory) {
		return a, nil
	}
	v, err := r.convertArray(a, "clone", &arguments{})
	b, ok := v.(Algebra)
	if err != nil || !ok {
		return nil, err
	}
	b.space = atom.Anywhere
	if gpu {
		b.space = atom.GlobalMemory
	}
	return b, nil
}

// reshape returns the new shape for a compact array. One extent may be -1.
func (r *runner) reshape(a Algebra, args []Value) (cute.Tuple, error) {
	if len(args) == 1 {
		if t, ok := args[0].(Tuple); ok {
			args = t
		}
	}
	n, rest, sizes := a.view().Size(), -1, make([]int64, len(args))
	for i, v := range args {
		x, ok := integerOf(v)
		switch {
		case !ok:
			return cute.Tuple{}, python.TypeError("expected integers as a shape, found %s", r.describe(v))
		case x == -1:
			rest, sizes[i] = i, 1
		default:
			sizes[i] = x
		}
	}
	product := int64(1)
	for _, s := range sizes {
		product *= max(s, 1)
	}
	if rest >= 0 && n%product == 0 {
		sizes[rest] = n / product
		product = n
	}
	l, plain := a.view().Layout().(cute.Layout)
	flat, _ := cute.LayoutRight(l.Shape())
	if product != n || !plain || !flat.Equal(l) {
		return cute.Tuple{}, python.ValueError("an array of %v is not viewed as one of %v", a.view().Layout(),
			cute.Ints(sizes...))
	}
	return cute.Ints(sizes...), nil
}

// permute implements a.t(), a.permute(1, 0) and a.transpose(0, 1).
func (r *runner) permute(a Algebra, name string, c *arguments) (Value, error) {
	rank := a.view().Rank()
	order := make([]int, rank)
	for i := range order {
		order[i] = i
	}
	given, err := r.hostModes(rank, c.pos)
	if err != nil {
		return nil, err
	}
	switch {
	case name == "t" && rank == 2 && len(given) == 0:
		order = []int{1, 0}
	case name == "transpose" && len(given) == 2:
		order[given[0]], order[given[1]] = given[1], given[0]
	case name == "permute" && len(given) == rank:
		order = given
	default:
		return nil, python.TypeError("expected the order of %d modes", rank)
	}
	p, err := a.view().Map(func(l cute.Layout) (cute.Layout, error) {
		modes := make([]cute.Layout, rank)
		for i, k := range order {
			modes[i] = l.Modes()[k]
		}
		return cute.MakeLayout(modes...)
	})
	if err != nil {
		return nil, err
	}
	return r.viewOn(a.window, p), nil
}

// hostModes returns the modes that arguments name. Negative numbers count from the end.
func (r *runner) hostModes(rank int, args []Value) ([]int, error) {
	if len(args) == 1 {
		if t, ok := args[0].(Tuple); ok {
			args = t
		}
	}
	modes := make([]int, len(args))
	for i, v := range args {
		n, ok := integerOf(v)
		if ok && n < 0 {
			n += int64(rank)
		}
		if !ok || n < 0 || n >= int64(rank) {
			return nil, python.TypeError("expected modes below %d, found %s", rank, r.describe(v))
		}
		modes[i] = int(n)
	}
	return modes, nil
}

// hostExtent implements a.size(), a.stride(), a.dim() and a.numel().
func (r *runner) hostExtent(a Algebra, name string, c *arguments) (Value, error) {
	t := a.view()
	var list []int64
	switch name {
	case "dim":
		return Int(t.Rank()), nil
	case "numel":
		return Int(t.Size()), nil
	case "size":
		list = t.Domain().AppendModeSizes(nil)
	default:
		list = t.Domain().Stride().Leaves()
	}
	if len(c.pos) == 0 {
		out := make(Tuple, len(list))
		for i, n := range list {
			out[i] = Int(n)
		}
		return out, nil
	}
	i, _ := integerOf(c.pos[0])
	if i < 0 {
		i += int64(len(list))
	}
	if i < 0 || i >= int64(len(list)) {
		return nil, python.Raise("IndexError", "expected a mode below %d, found %d", len(list), i)
	}
	return Int(list[i]), nil
}

// convertArray implements a.to(dtype), a.half() and similar methods, which return a new array.
func (r *runner) convertArray(a Algebra, name string, c *arguments) (Value, error) {
	t := a.typ
	if own, ok := map[string]dtype.Type{
		"float": dtype.F32, "half": dtype.F16, "int": dtype.S32, "bfloat16": dtype.BF16,
	}[name]; ok {
		t = own
	}
	if by := c.take("dtype"); by != nil {
		c.pos = append(c.pos, by)
	}
	if device := c.take("device"); device != nil {
		c.pos = append(c.pos, device)
	}
	for _, v := range c.pos {
		if own, ok := elementTypeOf(v); ok {
			t = own
		} else if text, ok := v.(Str); ok && t == a.typ {
			return r.onDevice(a, string(text))
		}
	}
	if t == a.typ && name != "clone" && name != "copy" {
		return a, nil
	}
	b, err := r.hostArray(t, a.view().Domain().AppendModeSizes(nil))
	if err != nil {
		return nil, err
	}
	b.numpy, b.space = a.numpy, a.space
	return b, r.copyTo(a, b)
}

// hostTolist implements a.tolist().
func (r *runner) hostTolist(a Algebra) (Value, error) {
	v, err := r.loadVector(a)
	if err != nil {
		return nil, err
	}
	elems := v.(Vector).Elems
	for i, e := range elems {
		n, _ := numberOf(e)
		elems[i] = Int(n.n)
		if n.isFloat {
			elems[i] = Float(n.f)
		}
	}
	var build func(at, step int, shape []int64) Value
	build = func(at, step int, shape []int64) Value {
		if len(shape) == 0 {
			return elems[at]
		}
		list := &List{}
		for i := range int(shape[0]) {
			list.Elems = append(list.Elems, build(at+i*step, step*int(shape[0]), shape[1:]))
		}
		return list
	}
	return build(0, 1, a.view().Domain().AppendModeSizes(nil)), nil
}
