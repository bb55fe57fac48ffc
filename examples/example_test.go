package examples_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"girih/dtype"
	"girih/examples"
	"girih/kernel"
)

func Example() {
	x, err := examples.Find("sgemm_2")
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := x.Trace(examples.Options{Div: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	blocks, err := k.Grid(map[string]int64{"m": 1000, "n": 4096, "k": 64})
	fmt.Println(k.Name, k.Threads, k.Shared, blocks, err)
	// Output: sgemm_2 256 8192 [8 32 1] <nil>
}

func ExampleAll() {
	for _, x := range examples.All() {
		fmt.Println(x.Name, x.Default.Tile)
	}
	// Output:
	// vector_add [512]
	// transpose_naive [32 32]
	// transpose_padded [32 32]
	// transpose_swizzled [32 32]
	// sgemm_1 [64 64 8]
	// persistent [64 64 8]
	// sgemm_2 [128 128 8]
	// sgemm_sm70 [128 128 8]
	// sgemm_sm80 [128 128 64]
	// softmax [4 256]
	// wgmma_sm90 [128 128 64]
	// wgmma_tma_sm90 [128 256 64]
	// wgmma_tma_cluster_sm90 [128 256 64]
	// umma_sm100 [128 256 64]
	// umma_multicast_sm100 [128 256 64]
	// umma_2sm_sm100 [256 256 64]
	// umma_epi_sm100 [256 256 64]
	// nvf4_sm100 [128 256]
	// mxf8_sm100 [128 256]
	// mma_scale_sm120 [128 128 128]
	// histogram [4096]
	// reduce [4096]
	// scan [4 256]
	// lookback [2048]
	// argmax [4 256]
	// topk [4 256]
	// layernorm [4 256]
	// rmsnorm [4 256]
	// cross_entropy [4 256]
	// rope [4 128]
	// paged [4 256]
	// gemm_w4a16 [64 128]
	// gemm_w8a16 [64 128]
	// gemm_fp8_sm90 [128 128]
	// persistent_sm90 [128 256 64]
	// streamk [128 128 32]
	// grouped [128 128 32]
	// attention_sm80 [128 64 128]
	// attention_causal_sm80 [128 64 128]
	// attention_sm90 [128 128 128]
	// attention_causal_sm90 [128 128 128]
	// attention_sm100 [256 64 128]
	// attention_causal_sm100 [256 64 128]
	// convolution [128 64]
}

func ExampleFind() {
	_, err := examples.Find("sgemm_3")
	fmt.Println(err)
	// Output: name: kernel: there is no kernel "sgemm_3"
}

func ExampleRecipe_Trace() {
	x, _ := examples.Find("sgemm_1")
	_, err := x.Trace(examples.Options{Tile: []int64{64, 60, 8}})
	if e, ok := errors.AsType[*kernel.Error](err); ok {
		fmt.Println(e.File, e.Err)
	}
	// Output: sgemm_1.go not_divisible: local_partition: expected a tile that divides mode 60:1@0 of B, found 32
}

func ExampleRecipe_Problem() {
	x, _ := examples.Find("vector_add")
	k, _ := x.Trace(examples.Options{})
	p, err := x.Problem(k, map[string]int64{"n": 3}, rand.New(rand.NewPCG(1, 2)))
	fmt.Println(len(p.Tensors["a"]), len(p.Tensors["c"]), err)
	// Output: 3 3 <nil>
}

// The caller makes a problem, whose output is the correct result.
func ExampleRecipe_Check() {
	x, _ := examples.Find("vector_add")
	k, _ := x.Trace(examples.Options{})
	p := examples.Problem{Kernel: k, Extents: map[string]int64{"n": 2}, Tensors: map[string][]float64{
		"a": {1, 2}, "b": {3, 4}, "c": {4, 5},
	}}
	fmt.Println(x.Check(p, p.Bytes("c")))
	// Output: fact: vector_add: element 1 of c is 5, expected 6 within 3.58e-07, for map[n:2]
}

func ExampleProblem_Bytes() {
	x, _ := examples.Find("vector_add")
	k, _ := x.Trace(examples.Options{})
	p := examples.Problem{Kernel: k, Tensors: map[string][]float64{"a": {1}}}
	fmt.Printf("% x\n", p.Bytes("a"))
	// Output: 00 00 80 3f
}

// The fact about divisors of the extents decides how wide the copies are.
func ExampleOptions() {
	x, _ := examples.Find("vector_add")
	for _, div := range []int64{1, 4} {
		k, _ := x.Trace(examples.Options{Div: div})
		var text strings.Builder
		k.Module.WriteTo(&text)
		fmt.Println(div, strings.Contains(text.String(), "ld.global.v4.b32"))
	}
	// Output:
	// 1 false
	// 4 true
}

// The file has a main that runs the kernel: nvcc -std=c++17 -arch=sm_80 vector_add.cu && ./a.out.
func ExampleRecipe_CUDA() {
	x, _ := examples.Find("vector_add")
	k, _ := x.Trace(examples.Options{Div: 512})
	text, err := x.CUDA(k)
	for line := range strings.Lines(text) {
		if strings.Contains(line, "ld.global") || strings.Contains(line, "<<<") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	fmt.Println(err)
	// Output:
	// "ld.global.v4.b32 {r11, r12, r13, r14}, [rd4];\n"
	// "ld.global.v4.b32 {r15, r16, r17, r18}, [rd6];\n"
	// vector_add<<<dim3(n/512), 128, 0, stream>>>((int)n, a, b, c);
	// <nil>
}

// Options are written as the flags of girih kernel.
func ExampleOptions_String() {
	fmt.Println(examples.Options{Tile: []int64{128, 256, 64}, Type: dtype.F16, Stages: 4})
	// Output: --tile 128,256,64 --type f16 --stages 4
}
