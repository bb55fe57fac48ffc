package eval

import (
	"girih/cute"
	"girih/linear"
)

// dimensionBuiltins rearranges the dimensions of linear layouts, and asks about them.
func dimensionBuiltins() []Builtin {
	return []Builtin{
		{
			Name: "sublayout", Params: "L, ins, outs", named: []int{1, 2},
			Doc:     "Returns the map from some inputs to some outputs; the other inputs are 0.",
			Example: "sublayout(linear{a=[[1,0]], b=[[0,1]], out=[x:2,y:2]}, b, (x,y))", Output: "linear{b=[[0,1]], out=[x:2,y:2]}",
			known: func(c *call) (Value, error) {
				return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) {
					return l.Sublayout(names[0], names[1])
				})
			},
		},
		{
			Name: "quotient", Params: "L, dims", named: []int{1},
			Doc:     "Returns what is left of a map that keeps these dimensions as they are, and refuses one that does not.",
			Example: "quotient(linear{a=[[1,0]], w=[[0,1]], out=[a:2,w:2]}, w)", Output: "linear{a=[[1]], out=[a:2]}",
			known: func(c *call) (Value, error) {
				return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) { return l.Quotient(names[0]...) })
			},
		},
		{
			Name: "transpose_ins", Params: "L, ins", named: []int{1},
			Doc:     "Returns the map with its inputs in another order: the first is the least significant.",
			Example: "transpose_ins(linear{a=[[1]], b=[[2]], out=[x:4]}, (b,a))", Output: "linear{b=[[2]], a=[[1]], out=[x:4]}",
			known: func(c *call) (Value, error) {
				return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) { return l.TransposeIns(names[0]...) })
			},
		},
		{
			Name: "transpose_outs", Params: "L, outs", named: []int{1},
			Doc:     "Returns the map with its outputs in another order.",
			Example: "transpose_outs(linear{a=[[1,0]], out=[x:2,y:1]}, (y,x))", Output: "linear{a=[[0,1]], out=[y:1,x:2]}",
			known: func(c *call) (Value, error) {
				return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) { return l.TransposeOuts(names[0]...) })
			},
		},
		{
			Name: "rename_in", Params: "L, old, new", named: []int{1, 2},
			Doc:     "Returns the map with another name for an input.",
			Example: "rename_in(linear{a=[[1]], out=[x:2]}, a, lane)", Output: "linear{lane=[[1]], out=[x:2]}",
			known: func(c *call) (Value, error) { return c.rename(linear.Layout.RenameIn) },
		},
		{
			Name: "rename_out", Params: "L, old, new", named: []int{1, 2},
			Doc:     "Returns the map with another name for an output.",
			Example: "rename_out(linear{a=[[1]], out=[x:2]}, x, offset)", Output: "linear{a=[[1]], out=[offset:2]}",
			known: func(c *call) (Value, error) { return c.rename(linear.Layout.RenameOut) },
		},
		{
			Name: "flatten_ins", Params: "L",
			Doc:     "Returns the map of one input, the index of all, the first dimension lowest. It keeps the first name.",
			Example: "flatten_ins(linear{a=[[1]], b=[[2]], out=[x:4]})", Output: "linear{a=[[1],[2]], out=[x:4]}",
			known: func(c *call) (Value, error) {
				return c.onLinear(func(l linear.Layout, _ ...Names) (linear.Layout, error) { return l.FlattenIns(), nil })
			},
		},
		{
			Name: "flatten_outs", Params: "L",
			Doc:     "Returns the map to one output, the index of all, the first dimension lowest. It keeps the first name.",
			Example: "flatten_outs(linear{a=[[1,0]], b=[[0,1]], out=[x:4,y:2]})", Output: "linear{a=[[1]], b=[[4]], out=[x:8]}",
			known: func(c *call) (Value, error) {
				return c.onLinear(func(l linear.Layout, _ ...Names) (linear.Layout, error) { return l.FlattenOuts(), nil })
			},
		},
		{
			Name: "reshape_ins", Params: "L, ins, sizes", named: []int{1},
			Doc:     "Returns the map with the index of its inputs taken apart into dimensions of these sizes.",
			Example: "reshape_ins(linear(8:1), (a,b), (2,4))", Output: "linear{a=[[1]], b=[[2],[4]], out=[offset:8]}",
			known: func(c *call) (Value, error) { return c.reshape(linear.Layout.ReshapeIns) },
		},
		{
			Name: "reshape_outs", Params: "L, outs, sizes", named: []int{1},
			Doc:     "Returns the map with the index of its outputs taken apart into dimensions of these sizes.",
			Example: "reshape_outs(linear(8:1), (x,y), (2,4))", Output: "linear{index=[[1,0],[0,1],[0,2]], out=[x:2,y:4]}",
			known: func(c *call) (Value, error) { return c.reshape(linear.Layout.ReshapeOuts) },
		},
		{
			Name: "resize_in", Params: "L, in, size", named: []int{1},
			Doc:     "Returns the map with another size of an input: a smaller one drops the last bases, a larger one adds bases that are 0.",
			Example: "resize_in(linear(8:1), index, 4)", Output: "linear{index=[[1],[2]], out=[offset:8]}",
			known: func(c *call) (Value, error) { return c.resize(linear.Layout.ResizeIn) },
		},
		{
			Name: "resize_out", Params: "L, out, size", named: []int{1},
			Doc: "Returns the map with another size of an output: a larger one adds rows of zeros to the matrix, of a smaller one what is a multiple of it " +
				"becomes 0, and anything else that does not fit is refused.",
			Example: "resize_out(linear(4:1), offset, 16)", Output: "linear{index=[[1],[2]], out=[offset:16]}",
			known: func(c *call) (Value, error) { return c.resize(resizeOut) },
		},
		{
			Name: "free_variables", Params: "L",
			Doc:     "Returns for each input a mask of the bits that repeat values: with them 0, every value is there once.",
			Example: "free_variables(linear{a=[[1],[2],[3]], out=[x:4]})", Output: "{4}",
			known: func(c *call) (Value, error) {
				l, err := asLinear(c.args[0])
				if err != nil {
					return nil, err
				}
				out := List{}
				for _, m := range l.FreeVariableMasks() {
					out = append(out, integer(m.Value))
				}
				return out, nil
			},
		},
		{
			Name: "num_consecutive", Params: "L",
			Doc:     "Returns how many consecutive inputs, at every multiple of that number, have consecutive outputs: the vector width of an access.",
			Example: "num_consecutive(linear(Sw<2,3,3> o 0 o (8,32):(32,1)))", Output: "1",
			known: func(c *call) (Value, error) {
				l, err := asLinear(c.args[0])
				return integer(l.NumConsecutiveInOut()), err
			},
		},
	}
}

// onLinear calls f with the linear layout and the names in the other arguments.
func (c *call) onLinear(f func(l linear.Layout, names ...Names) (linear.Layout, error)) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	var names []Names
	for i, a := range c.args[1:] {
		n, ok := a.(Names)
		if !ok {
			return nil, c.bad(i+1, "names of dimensions")
		}
		names = append(names, n)
	}
	r, err := f(l, names...)
	return Linear{r}, err
}

func (c *call) rename(f func(l linear.Layout, from, to string) (linear.Layout, error)) (Value, error) {
	return c.onLinear(func(l linear.Layout, names ...Names) (linear.Layout, error) {
		for i, n := range names {
			if len(n) != 1 {
				return l, &cute.Error{Code: cute.CodeName, Op: c.fn.Name, Msg: "expected one name, found " + c.args[i+1].String()}
			}
		}
		return f(l, names[0][0], names[1][0])
	})
}

// resize calls f with the map, the name of a dimension and its new size.
func (c *call) resize(f func(l linear.Layout, dim string, size int64) (linear.Layout, error)) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	names, ok := c.args[1].(Names)
	if !ok || len(names) != 1 {
		return nil, c.bad(1, "the name of a dimension")
	}
	n, err := c.integer(2)
	if err != nil {
		return nil, err
	}
	r, err := f(l, names[0], n)
	return Linear{r}, err
}

func resizeOut(l linear.Layout, out string, n int64) (linear.Layout, error) {
	if l.HasOut(out) && n > l.OutSize(out) {
		return l.GrowOut(out, n)
	}
	return l.ResizeOut(out, n)
}

func (c *call) reshape(f func(l linear.Layout, dims ...linear.Dim) (linear.Layout, error)) (Value, error) {
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	names, ok := c.args[1].(Names)
	if !ok {
		return nil, c.bad(1, "names of dimensions")
	}
	t, err := c.tuple(2)
	if err != nil {
		return nil, err
	}
	sizes := t.Leaves()
	if len(sizes) != len(names) {
		return nil, &cute.Error{
			Code: cute.CodeRank, Op: c.fn.Name,
			Msg: "expected a size for each of " + names.String() + ", found " + t.String(),
		}
	}
	dims := make([]linear.Dim, len(names))
	for i := range dims {
		dims[i] = linear.Dim{Name: names[i], Size: sizes[i]}
	}
	r, err := f(l, dims...)
	return Linear{r}, err
}
