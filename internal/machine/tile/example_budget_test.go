package tile_test

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/tile"
)

// hopper is a product of tiles (128,256,64) of f16.
func hopper() tile.Gemm {
	return tile.Gemm{
		M: 128, N: 256, K: 64, A: dtype.F16, B: dtype.F16, D: dtype.F16, EpiM: 64, EpiN: 32, DStages: 4,
	}
}

// gemm is the shared memory of hopper on sm90, with as many stages as fit.
func gemm() tile.Budget {
	sm90, _ := tile.FindTarget("sm90")
	buffers, _ := hopper().Buffers(sm90)
	b, _ := tile.NewBudget(tile.Request{Target: sm90, Buffers: buffers})
	return b
}

func ExampleNewBudget() {
	sm90, _ := tile.FindTarget("sm90")
	_, err := tile.NewBudget(tile.Request{Target: sm90, Stages: 5, Buffers: []tile.Buffer{
		{Name: "A and B", Bytes: 49152, Align: 1024, Copies: 1, Staged: true},
	}})
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Msg)
	fmt.Println(e.Hint)
	// Output:
	// expected at most 232448 bytes on sm90, found 245760 with 5 stage(s)
	// 4 stage(s) fit
}

func ExampleRequest() {
	sm80, _ := tile.FindTarget("sm80")
	b, err := tile.NewBudget(tile.Request{Target: sm80, CTAs: 2, Buffers: []tile.Buffer{
		{Name: "A and B", Bytes: 16384, Align: 128, Copies: 1, Staged: true},
	}})
	fmt.Println(b.Stages(), b.Limit(), err)
	// Output: 5 82944 <nil>
}

func ExampleBuffer() {
	x := tile.Buffer{Name: "A", Bytes: 128 * 64 * 2, Align: 1024, Copies: 1, Staged: true}
	fmt.Println(x.Name, x.Bytes)
	// Output: A 16384
}

func ExampleRegion() {
	for _, r := range gemm().Regions() {
		fmt.Println(r.Offset, r.Name, r.Total)
	}
	// Output:
	// 0 A 65536
	// 65536 B 131072
	// 196608 D 16384
	// 212992 mainloop barriers 64
}

func ExampleBudget() {
	b := gemm()
	fmt.Println(b.Stages(), "stages,", b.Bytes(), "of", b.Limit(), "bytes")
	// Output: 4 stages, 213056 of 232448 bytes
}

func ExampleBudget_Stages() {
	fmt.Println(gemm().Stages())
	// Output: 4
}

func ExampleBudget_Bytes() {
	fmt.Println(gemm().Bytes())
	// Output: 213056
}

func ExampleBudget_Limit() {
	fmt.Println(gemm().Limit())
	// Output: 232448
}

func ExampleBudget_Left() {
	fmt.Println(gemm().Left())
	// Output: 19392
}

func ExampleBudget_Padding() {
	sm90, _ := tile.FindTarget("sm90")
	b, _ := tile.NewBudget(tile.Request{Target: sm90, Buffers: []tile.Buffer{
		{Name: "barrier", Bytes: 8, Align: 8, Copies: 1}, {Name: "A", Bytes: 4096, Align: 1024, Copies: 1},
	}})
	fmt.Println(b.Padding(), b.Bytes())
	// Output: 1016 5120
}

func ExampleBudget_CTAs() {
	fmt.Println(gemm().CTAs())
	// Output: 1
}

func ExampleBudget_Regions() {
	fmt.Println(gemm().Regions()[1].Name, gemm().Regions()[1].Offset)
	// Output: B 65536
}

func ExampleBudget_Stage() {
	fmt.Println(gemm().Stage())
	// Output: 49168
}

func ExampleBudget_Notes() {
	for _, n := range gemm().Notes() {
		fmt.Println(n)
	}
	// Output: beyond 49152 bytes a launch needs cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 213056)
}

func ExampleGemm() {
	sm100, _ := tile.FindTarget("sm100")
	g := tile.Gemm{M: 128, N: 128, K: 256, A: dtype.E2M1, B: dtype.E2M1, Scale: dtype.E4M3, ScaleVector: 16}
	list, err := g.Buffers(sm100)
	for _, b := range list {
		fmt.Println(b.Name, b.Bytes)
	}
	fmt.Println(err)
	// Output:
	// A 16384
	// B 16384
	// SFA 2048
	// SFB 2048
	// mainloop barriers 16
	// <nil>
}

func ExampleGemm_Buffers() {
	sm80, _ := tile.FindTarget("sm80")
	list, err := tile.Gemm{M: 128, N: 64, K: 32, A: dtype.F16, B: dtype.F16}.Buffers(sm80)
	fmt.Println(list, err)
	// Output: [{A 8192 128 1 true} {B 4096 128 1 true}] <nil>
}

func ExampleGemm_StageCountAutoCarveout() {
	sm90, _ := tile.FindTarget("sm90")
	s, err := hopper().StageCountAutoCarveout(sm90)
	fmt.Println(s.Stages, "=", s.Text, err)
	// Output: 4 = (232448 - 16384) / 49168 <nil>
}

func ExampleGemm_DSLStages() {
	sm90, _ := tile.FindTarget("sm90")
	s, err := hopper().DSLStages(sm90, 1)
	fmt.Println(s.Stages, "=", s.Text, err)
	// Output: 4 = (232448 - 17408) / 49152 <nil>
}

func ExampleStageCount() {
	sm90, _ := tile.FindTarget("sm90")
	s, _ := hopper().StageCountAutoCarveout(sm90)
	fmt.Println(s.Rule, s.Capacity, s.Carveout, s.Stage)
	// Output: CUTLASS StageCountAutoCarveout 232448 16384 49168
}

func ExampleFindTarget() {
	t, err := tile.FindTarget("sm_120a")
	fmt.Println(t.Name, t.PerBlock, err)
	// Output: sm120 101376 <nil>
}

func ExampleTargets() {
	fmt.Println(tile.Targets()[0])
	// Output: sm75: 65536 bytes of a CTA, 65536 of an SM
}

func ExampleTarget() {
	t, _ := tile.FindTarget("sm90")
	fmt.Println(t.PerBlock, t.PerSM, t.Reserved, t.Blocks)
	// Output: 232448 233472 1024 32
}

func ExampleTarget_Limit() {
	t, _ := tile.FindTarget("sm90")
	one, _ := t.Limit(1)
	two, err := t.Limit(2)
	fmt.Println(one, two, err)
	// Output: 232448 115712 <nil>
}

func ExampleTarget_CTAs() {
	t, _ := tile.FindTarget("sm90")
	fmt.Println(t.CTAs(100000), t.CTAs(200000))
	// Output: 2 1
}

func ExampleTarget_NVIDIA() {
	t, _ := tile.FindTarget("gfx942")
	fmt.Println(t.NVIDIA())
	// Output: false
}

func ExampleTarget_String() {
	t, _ := tile.FindTarget("sm80")
	fmt.Println(t.String())
	// Output: sm80: 166912 bytes of a CTA, 167936 of an SM
}

func ExampleGemm_TensorMemory() {
	t, _ := tile.FindTarget("sm100")
	g := tile.Gemm{M: 128, N: 256, K: 64, A: dtype.F16, B: dtype.F16, AccStages: 2}
	m, err := g.TensorMemory(t, 1)
	fmt.Println(m.Columns(), m.Allocated, err)
	g.AccStages = 3
	_, err = g.TensorMemory(t, 1)
	fmt.Println(err)
	// Output:
	// 512 512 <nil>
	// limit: budget: expected at most 512 columns of tensor memory on sm100, found 768: 3 accumulator(s) of 128x256 take 768
}

// The columns of two accumulators of 128x96, and the columns that are allocated for them.
func ExampleTensorMemory() {
	t, _ := tile.FindTarget("sm100")
	m, err := tile.Gemm{M: 128, N: 96, K: 64, A: dtype.F16, B: dtype.F16, AccStages: 2}.TensorMemory(t, 1)
	fmt.Printf("%+v %v\n", m, err)
	// Output: {Accumulators:192 Scales:0 Allocated:256 Limit:512} <nil>
}

func ExampleTensorMemory_Columns() {
	fmt.Println(tile.TensorMemory{Accumulators: 256, Scales: 32}.Columns())
	// Output: 288
}

func ExampleTarget_TensorMemory() {
	hopper, _ := tile.FindTarget("sm90")
	blackwell, _ := tile.FindTarget("sm100")
	fmt.Println(hopper.TensorMemory(), blackwell.TensorMemory())
	// Output: false true
}
