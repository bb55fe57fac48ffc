package sim_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestNames checks numbered names, and variables of functions that hide variables of the module.
func TestNames(t *testing.T) {
	t.Parallel()
	const keep = "mad.lo.u32 %r2, %r2, 0, 7;\n"
	trials(t, []trial{
		{name: "digits before the number", body: ".reg .b32 %x1<12>;\nmov.u32 %x19, 5;\nmov.u32 %x111, 2;\nadd.u32 %r2, %x19, %x111;\nst.global.u32 [%po], %r2;\n", want: func(int) uint32 { return 7 }},
		{name: "in memory", body: ".global .u32 v1<12>;\nst.global.u32 [v18], 3;\nst.global.u32 [v17], 3;\nld.global.u32 %r2, [v18];\nst.global.u32 [%po], %r2;\n", want: func(int) uint32 { return 3 }},
		{name: "an address", body: ".global .u32 a1<4>;\n.global .u64 at = a13;\nst.global.u32 [a13], 7;\nld.global.u64 %rd1, [at];\nld.global.u32 %r2, [%rd1];\nst.global.u32 [%po], %r2;\n", want: func(int) uint32 { return 7 }},
		{name: "of the last declaration", body: "{\n.global .u32 x = 1;\n}\n{\n.global .u32 x = 7;\n.global .u64 at = x;\nld.global.u64 %rd1, [at];\nld.global.u32 %r2, [%rd1];\n" + keep + "st.global.u32 [%po], %r2;\n}\n", want: func(int) uint32 { return 7 }},
	})
}

// TestManyNames loads sources whose loading would take many seconds if each lookup searched all names.
func TestManyNames(t *testing.T) {
	t.Parallel()
	const n = 8_000
	var vars, moves strings.Builder
	vars.WriteString(".global .u64 v0 = 1;\n")
	fmt.Fprintf(&moves, ".reg .f32 %%x<%d>;\nbra OUT;\n", n+1)
	moves.WriteString("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%x0, %f1, %f2, %f3}, %rd20, %rd21, 1, 1, 1, 0, 0;\n")
	for i := range n {
		fmt.Fprintf(&vars, ".global .u64 v%d = v%d;\n", i+1, i)
		fmt.Fprintf(&moves, "mov.f32 %%x%d, %%x%d;\n", n-i, n-i-1)
	}
	trials(t, []trial{
		{name: "variables", body: vars.String()},
		{name: "copies", body: moves.String() + "OUT:\n"},
	})
}
