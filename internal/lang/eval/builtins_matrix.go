package eval

// matrixRows compute with matrices over F2.
func matrixRows() []Builtin {
	return []Builtin{
		{
			Name: "matrix", Params: "X",
			Doc: "Returns the matrix of a linear layout, or of what is one: column j is the value of bit j, row i its bit i. " +
				"[[1,1],[0,1]] is the matrix of these rows by itself if it has a 0, which no tiler has.",
			Example: "matrix(Sw<1,0,1>)", Output: "matrix{rows=[[1,1],[0,1]]}",
			known: makeMatrix,
		},
		{
			Name: "transpose", Params: "M",
			Doc:     "Returns the transposed matrix.",
			Example: "transpose(matrix{rows=[[1,1],[0,1]]})", Output: "matrix{rows=[[1,0],[1,1]]}",
			known: transpose,
		},
		{
			Name: "block_diag", Params: "M, N",
			Doc:     "Returns the matrix with M above left and N below right: the product of two layouts.",
			Example: "block_diag(matrix{rows=[[1]]}, matrix{rows=[[1]]})", Output: "matrix{rows=[[1,0],[0,1]]}",
			known: matrixPair(blockDiag),
		},
		{
			Name: "echelon", Params: "M",
			Doc:     "Returns the reduced row echelon form; a note names the pivot columns.",
			Example: "echelon(matrix{rows=[[1,1],[1,0]]})", Output: "matrix{rows=[[1,0],[0,1]]}",
			known: echelon,
		},
		{
			Name: "kernel", Params: "M",
			Doc:     "Returns a basis of what is mapped to 0, as numbers whose bits are the components.",
			Example: "kernel(matrix{rows=[[1,1]]})", Output: "{3}",
			known: kernelOf,
		},
		{
			Name: "intersection", Params: "M, N",
			Doc: "Returns a basis of the values that both matrices have, as numbers whose bits are the components: what the rows of banks " +
				"and the lanes of an access have in common are its bank conflicts.",
			Example: "intersection([[1,0],[0,1],[0,0]], [[1,0],[0,0],[1,1]])", Output: "{1}",
			known: matrixPair(intersection),
		},
		{
			Name: "solve", Params: "M, b",
			Doc:     "Returns x with M x = b, as the number whose bits are the components; where no x is one it says so.",
			Example: "solve(matrix{rows=[[1,1],[0,1]]}, 2)", Output: "3",
			known: solve,
		},
	}
}
