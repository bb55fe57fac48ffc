package lint_test

import (
	"fmt"

	"girih/ptx"
	"girih/ptx/flow"
	"girih/ptx/lint"
)

const early = `.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .f32 %f<5>; .reg .b64 %rd<4>;
	ld.param.u64 %rd3, [out];
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned;
	st.global.f32 [%rd3], %f1;
	wgmma.wait_group.sync.aligned 0;
	ret;
}
`

func ExampleCheck() {
	m, err := ptx.Parse(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range lint.Check(m, "", nil).Lines {
		fmt.Printf("%d: %s %s: %.56s ...\n", l.Line, l.Grade, l.Rule, l.Text)
	}
	// Output:
	// 11: fault wgmma-registers: reads %f1, accumulator of the wgmma at line 9, which is  ...
}

func ExampleRules() {
	for _, r := range lint.Rules()[:2] {
		fmt.Printf("%s (%s)\n", r.Name, r.Section)
	}
	// Output:
	// wgmma-fence (wgmma.fence)
	// wgmma-registers (wgmma.mma_async, wgmma.wait_group)
}

func Example() {
	fmt.Println(lint.Fault, lint.Path, lint.Hint)
	// Output:
	// fault path hint
}

func ExampleGrade() {
	m, err := ptx.Parse(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lint.Check(m, "", nil).Lines[0].Grade == lint.Fault)
	// Output:
	// true
}

func ExampleFunc() {
	m, err := ptx.Parse(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	log := "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n" +
		"ptxas info    : Used 40 registers\n"
	r := lint.Check(m, log, nil)
	fmt.Printf("%s: %d registers\n", r.Funcs[0].Name, r.Funcs[0].Registers)
	// Output:
	// k: 40 registers
}

func ExampleAdded() {
	m, err := ptx.Parse(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	log := "ptxas info    : (C7517) warpgroup.wait is injected in around line 11 by compiler in function 'k'\n"
	a := lint.Check(m, log, nil).Funcs[0].Injected[0]
	fmt.Println(a.Op, a.Line)
	// Output:
	// wgmma.wait_group 11
}

func ExampleLine() {
	m, err := ptx.Parse(early)
	if err != nil {
		fmt.Println(err)
		return
	}
	l := lint.Check(m, "", nil).Lines[0]
	fmt.Println(l.Kernel, l.Op, l.Line, l.Other)
	fmt.Println(len(flow.New(m.Func("k")).To))
	// Output:
	// k st.global.f32 11 9
	// 2
}
