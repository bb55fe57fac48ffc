package diagnose

import "testing"

// TestRoute reads messages that another command of girih answers.
func TestRoute(t *testing.T) {
	t.Parallel()
	const bulk = "tvm.error.InternalError: T.tma_copy() cannot fall back to normal copy in LowerBulk: " +
		"swizzled shared box exceeds swizzle byte width, src=A, dst=As\n"
	const nvvm = "cutlass.base_dsl.compiler.CompilerDiagnosticError: error: NVVM backend compilation failed\n" +
		"  error: libNVVM failed while compiling generated device IR.\n  note: target architecture: sm_100a\n  note: backend log:\n"
	checkStated(t, []statedCase{
		{
			"tilelang 2555", "Traceback (most recent call last):\n  File \"r.py\", line 4, in <module>\n" +
				"    kernel = matmul(block_K=48, dtype=\"float16\")\n" + bulk,
			[]string{"96 bytes is a multiple of the span 32, but not of 64", "block_K = 16, 32 or a multiple of 64", "girih tma"},
			nil,
		},
		{
			"tilelang 2555, 80", "    kernel = matmul(block_K=80, dtype=\"float16\")\n" + bulk,
			[]string{"160 bytes is a multiple of the span 32, but not of 64"},
			nil,
		},
		{
			"tilelang 2555, odd", "    kernel = matmul(block_K=24, dtype=\"float16\")\n" + bulk,
			[]string{"48 bytes is no multiple of 32"},
			nil,
		},
		{
			"a legal row", "    kernel = matmul(block_K=64, dtype=\"float16\")\n" + bulk,
			[]string{"block_K = 16, 32 or a multiple of 64"},
			[]string{"fails"},
		},
		{"nothing beside it", bulk, []string{"the extent of a row of the box (block_K) and its type"}, []string{"fails"}},
		{
			"cudnn-frontend 397", nvvm + "        NVVM backend compilation failed\n",
			[]string{"the backend log is empty", "girih atom", "CUTE_DSL_KEEP_PTX"},
			[]string{"fails"},
		},
		{
			"triton 10901", "a.py:62:18: error: 'ttg.convert_layout' op does not have expected attribute ttg.partition " +
				"which is expected of all child ops of an operation with warp specialization\n",
			[]string{"this ttg.convert_layout has no ttg.partition", "girih convert", "MLIR_ENABLE_DUMP"},
			nil,
		},
		{
			"a log that says something", nvvm + "        constraint 'n' expects an integer constant expression\n",
			[]string{"the backend log says: constraint 'n'"},
			[]string{"empty"},
		},
	})
}
