package traced_test

import (
	"slices"
	"strings"
	"testing"
)

// tmaRefused has changes of tma.cu that are not followed, and the errors.
var tmaRefused = []struct{ was, is, code, message string }{
	{
		"copy(tma_a.with(smem.full[s]), tAgA(_, next)", "copy(tma_a, tAgA(_, next)", "mode", "needs a barrier",
	},
	{
		"if (leads) {\n    for", "{\n    for", "mode", "one thread does this for all",
	},
	{
		"SM90_TMA_LOAD{}, mA, sA(_, _, 0)", "SM90_TMA_LOAD{}, mA, Layout<Shape<_64, _32>, Stride<_32, _1>>{}", "not_representable",
		"expected a tile of shared memory with the layout of the TMA copy",
	},
	{
		"clear(tCrC);", "clear(tCrC); tCrC(0) = tAsA(0, 0);", "not_representable", "of what tma_partition returns",
	},
	{
		"clear(tCrC);", "clear(tCrC); Tensor flat = flatten(tCrA);", "not_representable", "of a tensor of descriptors",
	},
	{
		"int tiles =", "if (leads) ++writes; Empty::wait(&smem.empty[writes.index()], 0); int tiles =", "type",
		"expected the address of an mbarrier in shared memory",
	},
	{
		"int tiles =", "if (leads) ++writes; ++writes; int tiles =", "not_representable", "a PipelineState that differs",
	},
	{
		"Full::wait(&smem.full[reads.index()], reads.phase())", "Full::wait(&smem.full[reads.index()], 2 + reads.phase())",
		"mode", "expected the parity 0 or 1",
	},
	{
		"clear(tCrC);", "mma.accumulate_ = GMMA::ScaleOut::Zero;", "not_representable", "gemm sets C for each of 2 steps",
	},
	{
		"auto [tAgA, tAsA] =", "auto one = tma_a.get_slice(0); auto [tAgA, tAsA] =", "not_representable", "get_slice of a copy by",
	},
	{
		"Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA)", "Int<5>{}, Layout<_1>{}, group_modes<0, 2>(sA)",
		"not_representable", "this part of a tile that 1 blocks share",
	},
	{
		"Int<0>{}, Layout<_1>{}, group_modes<0, 2>(sA)", "Int<0>{}, Layout<_2>{}, group_modes<0, 2>(sA)",
		"not_representable", "this part of a tile that 1 blocks share",
	},
	{
		"make_tensor(dB.data()", "make_tensor(dA.data()", "not_representable", "two TMA copies of one memory",
	},
	{
		"warpgroup_arrive();\n", "\n", "mode", "warpgroup_arrive is missing",
	},
	{
		"warpgroup_wait<0>();", "warpgroup_wait<0>(); reads.jump();", "name", "has no function jump",
	},
	{
		"Empty::arrive(&smem.empty[reads.index()]);", "Empty::arrive(&smem.empty[reads.index()], 2u);", "mode",
		"expected a block from 0 to 1 of the cluster",
	},
	{
		"clear(tCrC);", "clear(tCrC); Tensor over = make_tensor(make_smem_ptr(smem.full), Shape<_1>{}); clear(over);",
		"not_representable", "an mbarrier at bits",
	},
	{
		"Shape<_64, _32>{});\n  auto tma_b", "Shape<_32, _32>{});\n  auto tma_b", "", "",
	},
}

// TestTMARefused changes a program that is followed.
func TestTMARefused(t *testing.T) {
	t.Parallel()
	var lines []string
	for line := range strings.SplitSeq(read(t, "tma.cu"), "\n") { // the data do not matter, and writes begins early
		if !strings.HasPrefix(line, "  for (int i = 0; i < ") && !strings.HasPrefix(line, "  auto writes") {
			lines = append(lines, line)
		}
		if strings.HasPrefix(line, "  auto stages") {
			lines = append(lines, "  auto writes = cutlass::PipelineState<stages>();")
		}
	}
	src := strings.Join(lines, "\n")
	if p, r := trace(t, src); p == nil {
		t.Fatalf("%d:%d: %v", r.Line, r.Column, r.Error)
	}
	for _, x := range tmaRefused {
		changed := strings.Replace(src, x.was, x.is, 1)
		if changed == src {
			t.Errorf("%s is not in the program", x.was)
			continue
		}
		p, r := trace(t, changed)
		switch {
		case p != nil || r.Error == nil:
			t.Errorf("%s: no error", x.is)
		case x.code != "" && r.Error.Code != x.code, !strings.Contains(r.Error.Message, x.message):
			t.Errorf("%s: line %d: %s: %s (%s)", x.is, r.Line, r.Error.Code, r.Error.Message, r.Error.Hint)
		}
	}
}

// TestMulticast changes tma.cu so that the two blocks of a cluster share the tiles of B: each loads a half for both.
// Each tile has its own stage, so no block waits for the products of the other one.
func TestMulticast(t *testing.T) {
	t.Parallel()
	src := strings.NewReplacer(
		"SM90_TMA_LOAD{}, mB, sB(_, _, 0), make_shape(Int<32>{}, Int<32>{})",
		"SM90_TMA_LOAD_MULTICAST{}, mB, sB(_, _, 0), Shape<_32, _32>{}, _2{}",
		"tma_partition(tma_b, Int<0>{}, Layout<_1>{}", "tma_partition(tma_b, block_rank_in_cluster(), Layout<_2>{}",
		"tma_b.with(smem.full[next])", "tma_b.with(smem.full[next], uint16_t(3))",
		"K = 160", "K = 64",
	).Replace(read(t, "tma.cu"))
	p, r := trace(t, src)
	if p == nil {
		t.Fatalf("%d:%d: %v", r.Line, r.Column, r.Error)
	}
	if text := p.Kernel.Module.String(); !strings.Contains(text, ".multicast::cluster") {
		t.Error("no copy is to several blocks")
	}
	in := slices.Clone(p.Buffers)
	for i := range in {
		in[i].Values = slices.Clone(in[i].Values)
	}
	simulateAll(t, p)
	d := product("tma.cu", 64, 64)
	for i, got := range p.Buffers[2].Values {
		if want := d.result([][]float64{in[0].Values, in[1].Values}, i); got != want {
			t.Fatalf("C[%d] is %v, expected %v", i, got, want)
		}
	}
}
