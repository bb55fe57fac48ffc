package eval

// matrixRows returns the built-ins that compute with matrices over F2.
func matrixRows() []Builtin {
	return []Builtin{
		{
			Name: "matrix", Params: "X",
			Doc: "Returns the matrix of a map that is linear over bits: column j is the value of bit j, row i its " +
				"bit i. Matrices are written [[1,1],[0,1]], [1 1; 0 1] or in LaTeX, \\begin{bmatrix} 1 & 1 \\\\ 0 & 1 " +
				"\\end{bmatrix}; [A B; C D] puts matrices together. [[1,1],[1,1]], without a 0, is a matrix where an " +
				"operation takes matrices, and a tiler elsewhere; a note says which.",
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
			Doc:     "Returns a basis of the inputs that M maps to 0, as numbers whose bits are the components.",
			Example: "kernel(matrix{rows=[[1,1]]})", Output: "{3}",
			known: kernelOf,
		},
		{
			Name: "intersection", Params: "M, N",
			Doc: "Returns a basis of the values that both matrices have, as numbers whose bits are the components. " +
				"If one has the rows of banks and the other the lanes of an access, the result is the bank " +
				"conflicts of the access.",
			Example: "intersection([[1,0],[0,1],[0,0]], [[1,0],[0,0],[1,1]])", Output: "{1}",
			known: matrixPair(intersection),
		},
		{
			Name: "solve", Params: "M, b",
			Doc:     "Returns x with M x = b, as the number whose bits are the components; refuses if there is none.",
			Example: "solve(matrix{rows=[[1,1],[0,1]]}, 2)", Output: "3",
			known: solve,
		},
	}
}
