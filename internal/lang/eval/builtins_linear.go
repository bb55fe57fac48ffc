package eval

import (
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/internal/ints"
	"girih/internal/lang/triton"
	"girih/linear"
)

// linearBuiltins makes linear layouts, takes them back to CuTe, and composes and divides them.
func linearBuiltins() []Builtin {
	pair := func(f func(a, b linear.Layout) (linear.Layout, error)) func(*call) (Value, error) {
		return func(c *call) (Value, error) {
			a, err := asLinear(c.args[0])
			if err != nil {
				return nil, err
			}
			b, err := asLinear(c.args[1])
			if err != nil {
				return nil, err
			}
			l, err := f(a, b)
			return Linear{l}, err
		}
	}
	return []Builtin{
		{
			Name: "linear", Params: "X, dims?", named: []int{1},
			Doc: "Returns a layout, swizzle, composed layout or matrix as a map over bits: the value of an index is the exclusive or of those of its bits. " +
				"With names each mode is an input dimension, otherwise the index is. An encoding of Triton takes the shape of the tensor.",
			Example: "linear((4,(2,2)):(2,(1,8)), (lane,register))", Output: "linear{lane=[[2],[4]], register=[[1],[8]], out=[offset:16]}",
			known: (*call).linear,
		},
		{
			Name: "to_layout", Params: "L, shape?",
			Doc: "Returns a linear layout as a CuTe layout, with a swizzle outside if it needs one; where none is the map it says why. " +
				"One of a size that is no power of two keeps it if it can, and otherwise goes on as bits do.",
			Example: "to_layout(linear{index=[[1],[2],[5],[10]], out=[offset:16]})", Output: "Sw<2,0,2> o 0 o 16:1",
			known: (*call).toLayout,
		},
		{
			Name: "to_xor", Params: "L",
			Doc: "Returns a linear layout as a layout with F2 strides, which every one is. One of a size that is no power of two keeps it if it can, " +
				"and otherwise goes on as bits do.",
			Example: "to_xor(linear(Sw<3,0,3> o 0 o (8,8):(8,1)))", Output: "(8,8):(F2(9),F2(1))",
			known: (*call).toXor,
		},
		{
			Name: "F2", Params: "n",
			Doc: "Returns a number that is added and multiplied without carries: an F2 stride, where it stands in one. " +
				"Layouts with F2 strides, such as (8,8):(F2(9),F2(1)), are composed, divided, sliced, inverted and drawn as others are.",
			Example: "F2(3)*3", Output: "F2(5)",
			known: func(c *call) (Value, error) {
				if x, ok := c.args[0].(F2); ok {
					return x, nil
				}
				n, err := c.integer(0)
				if err != nil {
					return nil, err
				}
				if n < 0 {
					return nil, &cute.Error{
						Code: cute.CodeNegative, Op: "F2",
						Msg: "expected a number of at least 0, found " + c.args[0].String(),
					}
				}
				return F2{Number: f2.Vector(n)}, nil
			},
		},
		{
			Name: "invert_and_compose", Params: "A, B",
			Doc:     "Returns C with B o C = A: where B has what A has. Of several pre-images it takes the smallest.",
			Example: "invert_and_compose(linear{a=[[2],[1]], out=[x:4]}, linear{b=[[1],[2]], out=[x:4]})", Output: "linear{a=[[2],[1]], out=[b:4]}",
			known: pair(func(a, b linear.Layout) (linear.Layout, error) { return a.InvertAndCompose(b) }),
		},
		{
			Name: "divide_left", Params: "A, B",
			Doc:     "Returns C with A = B * C, and refuses where B is not the first part of A.",
			Example: "divide_left(linear{r=[[1],[2],[4]], out=[x:8]}, linear{r=[[1]], out=[x:2]})", Output: "linear{r=[[1],[2]], out=[x:4]}",
			known: pair(linear.Layout.DivideLeft),
		},
		{
			Name: "divide_right", Params: "A, B",
			Doc:     "Returns C with A = C * B, and refuses where B is not the last part of A.",
			Example: "divide_right(linear{r=[[1],[2],[4]], out=[x:8]}, linear{r=[[1]], out=[x:2]})", Output: "linear{r=[[1],[2]], out=[x:4]}",
			known: pair(linear.Layout.DivideRight),
		},
		{
			Name: "has_part", Params: "A, B",
			Doc:     "Reports whether B is a part of A: whether A = B * C for some C.",
			Example: "has_part(linear(16:1), linear(4:1))", Output: "true",
			known: func(c *call) (Value, error) {
				a, errA := asLinear(c.args[0])
				if errA != nil {
					return nil, errA
				}
				b, errB := asLinear(c.args[1])
				return Bool(errB == nil && a.HasPart(b)), errB
			},
		},
		{
			Name: "xor", Params: "A, B",
			Doc:     "Returns the map whose value is the exclusive or of those of both, of the same dimensions: their sum over F2. The larger sizes of the outputs count.",
			Example: "xor(linear(8:1), linear((2,4):(4,0)))", Output: "linear{index=[[5],[2],[4]], out=[offset:8]}",
			known: pair(linear.Layout.Xor),
		},
		{
			Name: "concat_ins", Params: "A, B",
			Doc:     "Returns the map of the inputs of both, the matrices side by side: its value is the exclusive or of both values.",
			Example: "concat_ins(linear{a=[[1]], out=[x:4]}, linear{b=[[2]], out=[x:4]})", Output: "linear{a=[[1]], b=[[2]], out=[x:4]}",
			known: pair(linear.Layout.ConcatIns),
		},
		{
			Name: "concat_outs", Params: "A, B",
			Doc:     "Returns the map to the outputs of both, the matrices one below the other.",
			Example: "concat_outs(linear{a=[[1]], out=[x:2]}, linear{a=[[2]], out=[y:4]})", Output: "linear{a=[[1,2]], out=[x:2,y:4]}",
			known: pair(linear.Layout.ConcatOuts),
		},
	}
}

// linear converts argument 0.
func (c *call) linear() (Value, error) {
	if enc, ok := c.args[0].(Encoding); ok {
		l, err := c.encoded(enc, 1)
		return Linear{l}, err
	}
	var names []string
	if len(c.args) > 1 {
		n, ok := c.args[1].(Names)
		if !ok {
			return nil, c.bad(1, "names of dimensions")
		}
		names = n
	}
	l, err := asLinear(c.args[0], names...)
	return Linear{l}, err
}

// toLayout converts argument 0 back.
func (c *call) toLayout() (Value, error) {
	var l linear.Layout
	var err error
	if enc, ok := c.args[0].(Encoding); ok {
		if padded, ok := enc.Encoding.(triton.PaddedShared); ok && len(c.args) > 1 {
			return c.paddedLayout(padded)
		}
		l, err = c.encoded(enc, 1)
	} else {
		if v, ok := unevenLayout(c.args[0]); ok {
			return v, nil
		}
		if l, err = asLinear(c.args[0]); err == nil {
			c.env.noteUneven(c.args[0])
		}
	}
	if err != nil {
		return nil, err
	}
	for _, d := range l.OutDims() {
		if d.Size == 1 && len(l.OutDims()) > 1 {
			if l, err = l.SqueezeOuts(d.Name); err != nil {
				return nil, err
			}
		}
	}
	if len(l.OutDims()) > 1 {
		r, offset, err := l.ToLayout()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(offset.Leaves(), func(x int64) bool { return x != 0 }) {
			c.env.note("the value at 0 is %v: the layout is without it", offset)
		}
		return Layout{r}, nil
	}
	r, err := l.ToComposed()
	if err != nil {
		return nil, err
	}
	if r.Outer() == nil {
		return Layout{r.Layout()}, nil
	}
	return Composed{r}, nil
}

// unevenLayout returns a value whose size is no power of two as the CuTe layout of that size with its values, if there
// is one.
func unevenLayout(v Value) (Value, bool) {
	if unevenSize(v) == 0 {
		return nil, false
	}
	if l, err := asLayout(v); err == nil {
		return Layout{l}, !l.HasBasis()
	}
	if _, table, err := valuesOf("to_layout", v); err == nil {
		if l, err := cute.Recognize(table); err == nil {
			return Layout{l}, true
		}
	}
	_, ok := v.(Composed)
	return v, ok
}

// toXor returns argument 0 with F2 strides.
func (c *call) toXor() (Value, error) {
	if x, ok := c.args[0].(Xor); ok && unevenSize(x) != 0 {
		return x, nil
	}
	if n := unevenSize(c.args[0]); n != 0 {
		if shape, table, err := valuesOf("to_xor", c.args[0]); err == nil {
			for _, s := range []cute.Tuple{shape, cute.Int(n)} {
				at := ints.Asking(c.env.stop(), func(i int64) (int64, error) { return table[i], nil })
				if x, err := linear.FitXor(s, at); err == nil {
					return Xor{x}, nil
				}
			}
		}
	}
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	c.env.noteUneven(c.args[0])
	return xorOf(l.ToXor())
}

// paddedLayout returns where padded memory has each of its elements, counted without padding.
func (c *call) paddedLayout(padded triton.PaddedShared) (Value, error) {
	shape, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	n, err := shape.Product()
	if err != nil {
		return nil, err
	}
	l, err := padded.Physical(n)
	return Layout{l}, err
}
