package eval

import (
	"girih/linear"
)

// dimensionRows returns the built-ins that select, order and name the dimensions of linear layouts.
func dimensionRows() []Builtin {
	return []Builtin{
		{
			Name: "sublayout", Params: "L, ins, outs", named: []int{1, 2},
			Doc:     "Returns the map from some inputs to some outputs; the other inputs are 0.",
			Example: "sublayout(linear{a=[[1,0]], b=[[0,1]], out=[x:2,y:2]}, b, (x,y))", Output: "linear{b=[[0,1]], out=[x:2,y:2]}",
			known: sublayout,
		},
		{
			Name: "quotient", Params: "L, dims", named: []int{1},
			Doc:     "Returns the rest of a map that keeps these dimensions unchanged; refuses a map that changes them.",
			Example: "quotient(linear{a=[[1,0]], w=[[0,1]], out=[a:2,w:2]}, w)", Output: "linear{a=[[1]], out=[a:2]}",
			known: linearQuotient,
		},
		{
			Name: "transpose_ins", Params: "L, ins", named: []int{1},
			Doc:     "Returns the map with its inputs in another order: the first is the least significant.",
			Example: "transpose_ins(linear{a=[[1]], b=[[2]], out=[x:4]}, (b,a))", Output: "linear{b=[[2]], a=[[1]], out=[x:4]}",
			known: transposeIns,
		},
		{
			Name: "transpose_outs", Params: "L, outs", named: []int{1},
			Doc:     "Returns the map with its outputs in another order.",
			Example: "transpose_outs(linear{a=[[1,0]], out=[x:2,y:1]}, (y,x))", Output: "linear{a=[[0,1]], out=[y:1,x:2]}",
			known: transposeOuts,
		},
		{
			Name: "rename_in", Params: "L, old, new", named: []int{1, 2},
			Doc:     "Returns the map with another name for an input.",
			Example: "rename_in(linear{a=[[1]], out=[x:2]}, a, lane)", Output: "linear{lane=[[1]], out=[x:2]}",
			known: using((*call).rename, linear.Layout.RenameIn),
		},
		{
			Name: "rename_out", Params: "L, old, new", named: []int{1, 2},
			Doc:     "Returns the map with another name for an output.",
			Example: "rename_out(linear{a=[[1]], out=[x:2]}, x, offset)", Output: "linear{a=[[1]], out=[offset:2]}",
			known: using((*call).rename, linear.Layout.RenameOut),
		},
	}
}

// reshapeRows returns the built-ins that reshape the dimensions of linear layouts, and answer questions about
// dimensions.
func reshapeRows() []Builtin {
	return []Builtin{
		{
			Name: "flatten_ins", Params: "L",
			Doc: "Returns the map with one input, the index of all inputs, the first dimension lowest. It keeps the " +
				"first name.",
			Example: "flatten_ins(linear{a=[[1]], b=[[2]], out=[x:4]})", Output: "linear{a=[[1],[2]], out=[x:4]}",
			known: flattenIns,
		},
		{
			Name: "flatten_outs", Params: "L",
			Doc: "Returns the map to one output, the index of all outputs, the first dimension lowest. It keeps the " +
				"first name.",
			Example: "flatten_outs(linear{a=[[1,0]], b=[[0,1]], out=[x:4,y:2]})", Output: "linear{a=[[1]], b=[[4]], out=[x:8]}",
			known: flattenOuts,
		},
		{
			Name: "reshape_ins", Params: "L, ins, sizes", named: []int{1},
			Doc:     "Returns the map with the index of its inputs split into dimensions of these sizes.",
			Example: "reshape_ins(linear(8:1), (a,b), (2,4))", Output: "linear{a=[[1]], b=[[2],[4]], out=[offset:8]}",
			known: using((*call).reshape, linear.Layout.ReshapeIns),
		},
		{
			Name: "reshape_outs", Params: "L, outs, sizes", named: []int{1},
			Doc:     "Returns the map with the index of its outputs split into dimensions of these sizes.",
			Example: "reshape_outs(linear(8:1), (x,y), (2,4))", Output: "linear{index=[[1,0],[0,1],[0,2]], out=[x:2,y:4]}",
			known: using((*call).reshape, linear.Layout.ReshapeOuts),
		},
		{
			Name: "resize_in", Params: "L, in, size", named: []int{1},
			Doc: "Returns the map with another size of an input: a smaller size drops the last bases, a larger size " +
				"adds bases that are 0.",
			Example: "resize_in(linear(8:1), index, 4)", Output: "linear{index=[[1],[2]], out=[offset:8]}",
			known: using((*call).resize, linear.Layout.ResizeIn),
		},
		{
			Name: "resize_out", Params: "L, out, size", named: []int{1},
			Doc: "Returns the map with another size of an output. A larger size adds rows of zeros to the matrix. " +
				"With a smaller size, bases that are multiples of it become 0, and other bases that do not fit are " +
				"refused.",
			Example: "resize_out(linear(4:1), offset, 16)", Output: "linear{index=[[1],[2]], out=[offset:16]}",
			known: using((*call).resize, resizeOut),
		},
		{
			Name: "free_variables", Params: "L",
			Doc: "Returns for each input a mask of the bits that repeat values: with these bits 0, every value " +
				"occurs once.",
			Example: "free_variables(linear{a=[[1],[2],[3]], out=[x:4]})", Output: "{4}",
			known: freeVariables,
		},
		{
			Name: "num_consecutive", Params: "L",
			Doc: "Returns how many consecutive inputs, starting at every multiple of that number, have consecutive " +
				"outputs: the vector width of an access.",
			Example: "num_consecutive(linear(Sw<2,3,3> o 0 o (8,32):(32,1)))", Output: "1",
			known: numConsecutive,
		},
	}
}
