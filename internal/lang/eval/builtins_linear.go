package eval

import (
	"girih/f2"
	"girih/linear"
)

// linearRows returns the built-ins that make linear layouts, and convert them back to CuTe.
func linearRows() []Builtin {
	return []Builtin{
		{
			Name: "linear", Params: "X, dims?", named: []int{1},
			Doc: "Returns a layout, swizzle, composed layout or matrix as a map over bits: the value of an index is " +
				"the exclusive or of the values of its bits. With names, each mode is an input dimension; " +
				"otherwise the index is the only one. For an encoding of Triton, the second argument is the shape " +
				"of the tensor.",
			Example: "linear((4,(2,2)):(2,(1,8)), (lane,register))", Output: "linear{lane=[[2],[4]], register=[[1],[8]], out=[offset:16]}",
			known: (*call).linear,
		},
		{
			Name: "to_layout", Params: "L, shape?",
			Doc: "Returns a linear layout as a CuTe layout, with a swizzle outside if it needs one; the error says " +
				"why if there is none. Keeps a size that is not a power of two if it can; otherwise the layout " +
				"continues as its bits do. With a shape, which for an encoding is the shape of the tensor, the layout " +
				"has that shape.",
			Example: "to_layout(linear{index=[[1],[2],[5],[10]], out=[offset:16]})", Output: "Sw<2,0,2> o 0 o 16:1",
			known: (*call).toLayout,
		},
		{
			Name: "to_xor", Params: "L",
			Doc: "Returns a linear layout as a layout with F2 strides; every linear layout is one. Keeps a size " +
				"that is not a power of two if it can; otherwise the layout continues as its bits do.",
			Example: "to_xor(linear(Sw<3,0,3> o 0 o (8,8):(8,1)))", Output: "(8,8):(F2(9),F2(1))",
			known: (*call).toXor,
		},
		{
			Name: "F2", Params: "n",
			Doc: "Returns a number that is added and multiplied without carries; in a stride, it is an F2 stride. " +
				"Layouts with F2 strides, such as (8,8):(F2(9),F2(1)), are composed, divided, sliced, inverted and " +
				"drawn like others.",
			Example: "F2(3)*3", Output: "F2(5)",
			known: makeF2,
		},
	}
}

// linearAlgebraRows returns the built-ins that compose, divide and concatenate linear layouts.
func linearAlgebraRows() []Builtin {
	return []Builtin{
		{
			Name: "invert_and_compose", Params: "A, B",
			Doc: "Returns C with B o C = A: C finds where B has the value of A. If there are several pre-images, it " +
				"takes the smallest.",
			Example: "invert_and_compose(linear{a=[[2],[1]], out=[x:4]}, linear{b=[[1],[2]], out=[x:4]})", Output: "linear{a=[[2],[1]], out=[b:4]}",
			known: linearPair(func(a, b linear.Layout) (linear.Layout, error) { return a.InvertAndCompose(b) }),
		},
		{
			Name: "divide_left", Params: "A, B",
			Doc: "Returns C with A = B × C, the left division A /_l B; refuses if B is not the first part of A. A and " +
				"B are linear layouts, matrices or layouts, and C is one, too.",
			Example: "divide_left(linear{r=[[1],[2],[4]], out=[x:8]}, linear{r=[[1]], out=[x:2]})", Output: "linear{r=[[1],[2]], out=[x:4]}",
			known: alike(linear.Layout.DivideLeft),
		},
		{
			Name: "divide_right", Params: "A, B",
			Doc:     "Returns C with A = C × B; refuses if B is not the last part of A.",
			Example: "divide_right(linear{r=[[1],[2],[4]], out=[x:8]}, linear{r=[[1]], out=[x:2]})", Output: "linear{r=[[1],[2]], out=[x:4]}",
			known: alike(linear.Layout.DivideRight),
		},
		{
			Name: "direct_product", Params: "A, B",
			Doc: "Returns the direct product A × B of linear layouts: its matrix has the matrix of A above left, " +
				"the matrix of B below right, and 0 elsewhere. Of two layouts it is a layout: A repeated as B says, " +
				"with the copies at multiples of the least power of two that is at least the cosize of A. CuTe's product " +
				"is A ⊗ B.",
			Example: "direct_product(4:2, 2:1)", Output: "(4,2):(2,8)",
			known: (*call).directProduct,
		},
		{
			Name: "has_part", Params: "A, B",
			Doc:     "Reports whether B is a part of A: whether A = B * C for some C.",
			Example: "has_part(linear(16:1), linear(4:1))", Output: "true",
			known: hasPart,
		},
		{
			Name: "xor", Params: "A, B",
			Doc: "Returns the map whose value is the exclusive or of both values, their sum over F2. Both maps have " +
				"the same dimensions; of two sizes of an output, the larger counts.",
			Example: "xor(linear(8:1), linear((2,4):(4,0)))", Output: "linear{index=[[5],[2],[4]], out=[offset:8]}",
			known: linearPair(linear.Layout.Xor),
		},
		{
			Name: "concat_ins", Params: "A, B",
			Doc: "Returns the map with the inputs of both, their matrices side by side, [A B]: its value is the " +
				"exclusive or of both values. Matrices have as many rows.",
			Example: "concat_ins(linear{a=[[1]], out=[x:4]}, linear{b=[[2]], out=[x:4]})", Output: "linear{a=[[1]], b=[[2]], out=[x:4]}",
			known: pairOf(f2.Matrix.Beside, linear.Layout.ConcatIns),
		},
		{
			Name: "concat_outs", Params: "A, B",
			Doc:     "Returns the map to the outputs of both, with the matrix of B below the matrix of A.",
			Example: "concat_outs(linear{a=[[1]], out=[x:2]}, linear{a=[[2]], out=[y:4]})", Output: "linear{a=[[1,2]], out=[x:2,y:4]}",
			known: pairOf(f2.Matrix.Above, linear.Layout.ConcatOuts),
		},
	}
}
