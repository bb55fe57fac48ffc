package tiled_test

import (
	"errors"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// Impossible calls are refused with a code, the numbers and, if there is one, the repair; nothing panics.
func TestRefusals(t *testing.T) {
	t.Parallel()
	f32 := func(l string) tensor.Tensor[float32] { return must(tensor.Alloc[float32](parse(l))) }
	f16 := func(l string) tensor.Tensor[uint64] { return must(tensor.AllocPacked(dtype.F16, parse(l))) }
	fma := tiledMMA("UniversalFMA<float>", "(4,4,1)", nil)
	mma := tiledMMA("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", nil)
	wgmma := tiledMMA("SM90_64x16x16_F32F16F16_SS", "(1,1,1)", nil)
	tcgen05 := tiledMMA("SM100_MMA_F16BF16_SS_128x256", "(1,1,1)", nil)
	wide := must(atom.FindCopyAtom("UniversalCopy<uint128_t>", "float"))
	cp := must(atom.MakeTiledCopy(wide, parse("(8,4)"), parse("(4,1)"))) // a tile of 32 by 4
	cpAsync := must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "float"))
	async := must(atom.MakeTiledCopy(cpAsync, parse("(8,4)"), parse("(4,1)")))
	ldsm := must(atom.MakeTiledCopyA(must(atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")), mma))
	thr := must(fma.Thread(0))
	id := must(tensor.Identity(cute.Ints(16, 16)))
	padded := must(f32("(30,4)").LocalTile(cute.Ints(32, 4), cute.At(0, 0)))
	none := tensor.Try(tensor.Alloc[float32](parse("(4,4)"))).In(atom.GlobalMemory)
	failed := tensor.Try(none.Slice(cute.At(9, 9)))
	yes := must(tensor.Alloc[bool](parse("(32,4)")))
	for _, x := range []struct {
		name string
		code cute.Code
		says string
		err  error
	}{
		{"tile of A", cute.CodeNotDivisible, "found 40", second(tiled.PartitionA(mma, f16("(40,16)")))},
		{"tile of A, one thread", cute.CodeNotDivisible, "multiple of 4", second(tiled.PartitionA(thr, f32("(6,4)")))},
		{"rank of A", cute.CodeRank, "found 1 modes", second(tiled.PartitionA(mma, f16("32")))},
		{"tile of S", cute.CodeNotDivisible, "multiple of 32", second(tiled.PartitionS(cp, f32("(40,4)")))},
		{"rank of S", cute.CodeRank, "has 1 modes", second(tiled.PartitionS(cp, f32("32")))},
		{"zero tensor", cute.CodeType, "zero Tensor", second(tiled.PartitionC(fma, tensor.Tensor[float32]{}))},
		{"failed tensor", cute.CodeMode, "", second(tiled.PartitionC(fma, failed))},
		{"failed part", cute.CodeMode, "", second(tiled.MakeFragmentC[float32](fma, failed))},
		{"fragment of no part", cute.CodeRank, "(Thr,V,RestM,RestN)", second(tiled.MakeFragmentC[float32](fma, f32("(4,4)")))},
		{"fragment of another type", cute.CodeType, "Go type is float32", second(tiled.PartitionFragmentC[float64](fma, f32("(4,4)")))},
		{"descriptors of another type", cute.CodeType, "no other type", second(tiled.PartitionFragmentA[float32](wgmma, f16("(64,16)")))},
		{"accumulators in tensor memory", cute.CodeType, "tensor memory", second(tiled.PartitionFragmentC[float32](tcgen05, f32("(128,256)")))},
		{"fragment like no part", cute.CodeRank, "at least 4 modes", second(tiled.MakeFragmentLike[float32](cp, f32("(4,4)")))},
		{"retile of other threads", cute.CodeNotCongruent, "128 threads", second(tiled.RetileD(ldsm, f16("(64,8,2,2)")))},

		{"copy of another width", cute.CodeType, "16 bits", tiled.Copy(ldsm, f32("(32,16)"), f32("(32,16)"))},
		{"copy of another size", cute.CodeNotCongruent, "2 tiles", tiled.Copy(cp, f32("(64,4)"), f32("(32,4)"))},
		{"copy of a tile that does not divide", cute.CodeNotDivisible, "found 33", tiled.Copy(cp, f32("(33,4)"), f32("(33,4)"))},
		{"source in the wrong memory", cute.CodeType, "reads global memory", tiled.Copy(async, f32("(32,4)").In(atom.SharedMemory), f32("(32,4)").In(atom.SharedMemory))},
		{"destination in the wrong memory", cute.CodeType, "writes shared memory", tiled.Copy(async, f32("(32,4)"), f32("(32,4)").In(atom.GlobalMemory))},
		{"one thread of a warp", cute.CodeType, "32 threads together", tiled.Copy(ldsm, f16("(8,1,1)"), f16("(8,1,1)"))},
		{"one thread beside all", cute.CodeNotCongruent, "not of the same kind", tiled.Copy(cp, f32("(4,1,1)"), f32("(32,4)"))},
		{"rows instead of columns", cute.CodeNotRepresentable, "UniversalCopy<uint32_t>", tiled.Copy(cp, f32("(32,4):(4,1)"), f32("(32,4)"))},
		{"odd pitch", cute.CodeNotRepresentable, "UniversalCopy<uint32_t>", tiled.Copy(cp, f32("(32,4)"), f32("(32,4):(1,33)"))},
		{"odd start", cute.CodeNotRepresentable, "no multiple of 4", tiled.Copy(cp, must(tensor.MakeAt(make([]float32, 130), 2, parse("(32,4)"))), f32("(32,4)"))},
		{"overlapping destination", cute.CodeNotInjective, "one place", tiled.Copy(cp, f32("(32,4)"), f32("(32,4):(1,0)"))},
		{"padded", cute.CodeMode, "padded", tiled.Copy(cp, padded, f32("(32,4)"))},
		{"identity tensor as copy", cute.CodeType, "0", tiled.Copy(cp, id, id)},
		{"zero copy", cute.CodeType, "zero TiledCopy", tiled.Copy(atom.TiledCopy{}, f32("4"), f32("4"))},
		{"failed source", cute.CodeMode, "", tiled.Copy(cp, failed, f32("(32,4)"))},
		{"zero destination", cute.CodeType, "", tiled.Copy(cp, f32("(32,4)"), tensor.Tensor[float32]{})},
		{"predicate of another shape", cute.CodeNotCongruent, "predicate", tiled.CopyIf(cp, must(tensor.Alloc[bool](parse("(5,4)"))), must(tiled.PartitionS(cp, f32("(32,4)"))), f32("(32,4)"))},
		{"failed predicate", cute.CodeMode, "", tiled.CopyIf(cp, tensor.Try(yes.Slice(cute.At(99, 0))), f32("(32,4)"), f32("(32,4)"))},
		{"zero predicate", cute.CodeType, "", tiled.CopyIf(cp, tensor.Tensor[bool]{}, f32("(32,4)"), f32("(32,4)"))},

		{"elements of A", cute.CodeType, "multiplies with f16 as A, found elements of f32", tiled.Gemm(mma, f32("(32,16)"), f16("(16,16)"), f32("(32,16)"))},
		{"elements of C", cute.CodeType, "f32 as C", tiled.Gemm(mma, f16("(32,16)"), f16("(16,16)"), f16("(32,16)"))},
		{"no elements", cute.CodeType, "elements of bool", tiled.Gemm(fma, must(tensor.Alloc[bool](parse("(4,4)"))), f32("(4,4)"), f32("(4,4)"))},
		{"A in global memory", cute.CodeType, "MakeFragmentA", tiled.Gemm(mma, f16("(32,16)").In(atom.GlobalMemory), f16("(16,16)"), f32("(32,16)"))},
		{"C in shared memory", cute.CodeType, "MakeFragmentC", tiled.Gemm(mma, f16("(32,16)"), f16("(16,16)"), f32("(32,16)").In(atom.SharedMemory))},
		{"B in registers", cute.CodeType, "shared memory first", tiled.Gemm(wgmma, f16("(64,16)"), f16("(16,16)").In(atom.Registers), f32("(64,16)"))},
		{"extents of M", cute.CodeNotCongruent, "one extent of M in A and C, found 32 and 64", tiled.Gemm(mma, f16("(32,16)"), f16("(16,16)"), f32("(64,16)"))},
		{"extents of N", cute.CodeNotCongruent, "one extent of N", tiled.Gemm(mma, f16("(32,16)"), f16("(32,16)"), f32("(32,16)"))},
		{"extents of K", cute.CodeNotCongruent, "one extent of K", tiled.Gemm(mma, f16("(32,16)"), f16("(16,32)"), f32("(32,16)"))},
		{"ranks", cute.CodeRank, "(Thr,V,RestM,RestK)", tiled.Gemm(mma, f16("32"), f16("(16,16)"), f32("(32,16)"))},
		{"a part of another MMA", cute.CodeNotCongruent, "128 threads", tiled.Gemm(mma, f16("(64,8,1,1)"), f16("(16,16)"), f32("(32,16)"))},
		{"values of another MMA", cute.CodeNotCongruent, "8 values of A", tiled.Gemm(mma, f16("(128,4,1,1)"), f16("(16,16)"), f32("(32,16)"))},
		{"one thread of a warp", cute.CodeType, "32 threads together", tiled.Gemm(mma, f16("(8,1,1)"), f16("(4,1,1)"), f32("(4,1,1)"))},
		{"one thread beside all", cute.CodeNotCongruent, "3 modes", tiled.Gemm(fma, f32("(1,1,1)"), f32("(4,4)"), f32("(4,4)"))},
		{"overlapping accumulators", cute.CodeNotInjective, "one place", tiled.Gemm(fma, f32("(4,4)"), f32("(4,4)"), f32("(4,4):(1,0)"))},
		{"padded A", cute.CodeMode, "CopyIf", tiled.Gemm(fma, padded, f32("(4,4)"), f32("(32,4)"))},
		{"atoms along K", cute.CodeNotInjective, "PartitionFragmentC", tiled.Gemm(tiledMMA("UniversalFMA<float>", "(1,1,2)", nil), f32("(1,2)"), f32("(1,2)"), f32("(1,1)"))},
		{"integers of floats", cute.CodeType, "no arithmetic", tiled.Gemm(tiledMMA("UniversalFMA<int,float,float,int>", "(1,1,1)", nil), f32("(1,1)"), f32("(1,1)"), must(tensor.Alloc[int32](parse("(1,1)"))))},
		{"too many products", cute.CodeLimit, "8589934592", tiled.Gemm(fma, f32("(4096,2048):(1,0)"), f32("(4096,2048):(1,0)"), must(tensor.Alloc[float32](parse("(4096,4096)"))))},
		{"too many elements", cute.CodeLimit, "67108864", tiled.Gemm(fma, f32("(65536,65536):(0,1)"), f32("(4,65536):(0,1)"), f32("(4,4)"))},
		{"read-only C", cute.CodeType, "", tiled.Gemm(fma, f32("(4,4)"), f32("(4,4)"), must(tensor.Lazy(f32("(4,4)"), func(x float32) float32 { return x })))},
		{"zero MMA", cute.CodeType, "", tiled.Gemm(atom.TiledMMA{}, f32("(4,4)"), f32("(4,4)"), f32("(4,4)"))},
		{"zero A", cute.CodeType, "", tiled.Gemm(fma, tensor.Tensor[float32]{}, f32("(4,4)"), f32("(4,4)"))},
		{"failed A", cute.CodeMode, "", tiled.Gemm(fma, failed, f32("(4,4)"), f32("(4,4)"))},
	} {
		t.Run(x.name, func(t *testing.T) {
			wantCode(t, x.err, x.code)
			if e, ok := errors.AsType[*cute.Error](x.err); ok && !strings.Contains(e.Msg+" "+e.Hint, x.says) {
				t.Errorf("%v (%s) does not say %q", x.err, e.Hint, x.says)
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

// Block-scaled, sparse, and complex instructions with real accumulators have more operands than A, B and C.
func TestRefusedInstructions(t *testing.T) {
	t.Parallel()
	for a := range atom.MMAs() {
		m, err := atom.MakeTiledMMA(a, cute.Layout{}, nil)
		if err != nil || a.Scale == nil && a.Sparse == nil && a.Types.A.Parts == 1 {
			continue
		}
		err = tiled.Gemm(m, tensor.Tensor[uint64]{}, tensor.Tensor[uint64]{}, tensor.Tensor[uint64]{})
		wantCode(t, err, cute.CodeType)
		if text := tiled.Arithmetic(a).Text; (text == "") != (a.Types.A.Parts == 1 || !strings.Contains(a.Name, "_C64C64C64C64_")) {
			t.Errorf("%s adds %q", a.Name, text)
		}
	}
}
