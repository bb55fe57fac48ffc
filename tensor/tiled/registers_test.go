package tiled_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/tensor"
	"girih/tensor/tiled"
)

// Each instruction uses its own threads' registers, even if other threads hold the same part of a tensor: the registers
// are random numbers, and each atom is computed by force, value by value according to its layouts.
func TestOwnRegisters(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 1))
	for range 20 {
		m := drawn(r, "SM80_16x8x32_S32S8S8S32_TN")
		a := m.Atom()
		tile := m.TileShape()
		id := func(x, y int64) tensor.Tensor[cute.Tuple] { return must(tensor.Identity(cute.Ints(x, y))) }
		rA := must(tiled.PartitionFragmentA[int8](m, id(2*tile[0], tile[2])))
		rB := must(tiled.PartitionFragmentB[int8](m, id(tile[1], tile[2])))
		rC := must(tiled.PartitionFragmentC[int32](m, id(2*tile[0], tile[1])))
		for i := range rA.Size() {
			_ = rA.Set(int8(r.IntN(256)-128), i)
		}
		for i := range rB.Size() {
			_ = rB.Set(int8(r.IntN(256)-128), i)
		}
		if err := tiled.Gemm(m, rA, rB, rC); err != nil {
			t.Fatal(err)
		}
		order := m.ThreadOrder()
		counts := m.AtomLayoutMNK().AppendModeSizes(nil)
		for vm := range counts[0] {
			for vn := range counts[1] {
				for vk := range counts[2] {
					lane := func(l int64) int64 {
						x, _ := must(order.Eval(must(cute.MakeTuple(cute.Int(l), cute.Int(vm), cute.Int(vn), cute.Int(vk))))).Int64()
						return x
					}
					for rm := range rC.Extent(2) {
						for rn := range rC.Extent(3) {
							want := map[[2]int64]int32{}
							for rk := range rA.Extent(3) {
								xa, xb := map[[2]int64]int8{}, map[[2]int64]int8{}
								for l := range int64(32) {
									for v := range a.Values(atom.OperandA) {
										p := must(a.At(atom.OperandA, l, v))
										xa[[2]int64{p.Row, p.Column}] = must(rA.At(lane(l), v, rm, rk))
									}
									for v := range a.Values(atom.OperandB) {
										p := must(a.At(atom.OperandB, l, v))
										xb[[2]int64{p.Row, p.Column}] = must(rB.At(lane(l), v, rn, rk))
									}
								}
								for i := range a.Shape[0] {
									for j := range a.Shape[1] {
										for k := range a.Shape[2] {
											want[[2]int64{i, j}] += int32(xa[[2]int64{i, k}]) * int32(xb[[2]int64{j, k}])
										}
									}
								}
							}
							for l := range int64(32) {
								for v := range a.Values(atom.OperandC) {
									p := must(a.At(atom.OperandC, l, v))
									if got := must(rC.At(lane(l), v, rm, rn)); got != want[[2]int64{p.Row, p.Column}] {
										t.Fatalf("%v %s: atom (%d,%d,%d), lane %d, value %d is %d, want %d", m.AtomLayoutMNK(),
											m.PermutationText(), vm, vn, vk, l, v, got, want[[2]int64{p.Row, p.Column}])
									}
								}
							}
						}
					}
				}
			}
		}
	}
}

// v_wmma holds each element of A and B twice: if the two registers differ, there is no product.
func TestTwiceHeld(t *testing.T) {
	t.Parallel()
	m := tiledMMA("v_wmma_f32_16x16x16_f16", "(1,1,1)", nil)
	a := must(tiled.PartitionFragmentA[uint64](m, must(tensor.Identity(cute.Ints(16, 16)))))
	b := must(tensor.AllocPacked(dtype.F16, parse("(16,16)")))
	c := must(tensor.Alloc[float32](parse("(16,16)")))
	if err := tiled.Gemm(m, a, b, c); err != nil {
		t.Fatal(err)
	}
	if err := a.Set(0x3c00, 16+3, 2, 0, 0); err != nil {
		t.Fatal(err)
	}
	wantCode(t, tiled.Gemm(m, a, b, c), cute.CodeNotInjective)
	if err := a.Set(0x3c00, 3, 2, 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := tiled.Gemm(m, a, b, c); err != nil {
		t.Fatal(err)
	}
}

// Accumulators are column-major whatever the order of C: rC of conformance/cute/tiled_mma_copy.txt, M1.
func TestAccumulatorLayout(t *testing.T) {
	t.Parallel()
	m := tiledMMA("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", nil)
	for _, l := range []string{"(128,128):(128,1)", "(128,128):(1,128)"} {
		c := must(tensor.Alloc[float32](parse(l)))
		if got := must(tiled.PartitionFragmentC[float32](must(m.Thread(5)), c)).Layout().String(); got != "((2,2),4,8):((1,2),4,16)" {
			t.Errorf("rC of %s is %s", l, got)
		}
	}
}

// These sums are close to the middle between two results: a second rounding would give the other result.
func TestRoundedOnce(t *testing.T) {
	t.Parallel()
	// Subnormal float32: an odd multiple of 2^-149 plus slightly less than half of it.
	m := tiledMMA("UniversalFMA<float>", "(1,1,1)", nil)
	one := func(x float32) tensor.Tensor[float32] { return must(tensor.Make([]float32{x}, parse("(1,1)"))) }
	a, b := float32(math.Ldexp(1+0x1p-23, -75)), float32(math.Ldexp(1-0x1p-23, -75))
	c := float32(0x1p-127 + 0x1p-149)
	sum := one(c)
	if err := tiled.Gemm(m, one(a), one(b), sum); err != nil {
		t.Fatal(err)
	}
	if got := must(sum.At(0)); got != c {
		t.Errorf("%x·%x + %x is %x", a, b, c, got)
	}
	// Products of halves in float32, and of floats in float64, are added in the reference order.
	h := tiledMMA("UniversalFMA<half_t,float,float,half_t>", "(1,1,1)", nil)
	codes := packed(dtype.F16, []uint64{0x3c01}, parse("(1,1)")) // 1 + 2^-10, odd
	if err := tiled.Gemm(h, one(0x1p-11*(1+0x1p-23)), one(1-0x1p-23), codes); err != nil {
		t.Fatal(err)
	}
	if got := must(codes.At(0)); got != 0x3c01 {
		t.Errorf("f16 sum is %#x", got)
	}
	d := tiledMMA("UniversalFMA<float,double,double,float>", "(1,1,1)", nil)
	two := func(x float64) tensor.Tensor[float64] { return must(tensor.Make([]float64{x}, parse("(1,1)"))) }
	sum = one(1 + 0x1p-23)
	if err := tiled.Gemm(d, two(0x1p-24*(1+0x1p-52)), two(1-0x1p-52), sum); err != nil {
		t.Fatal(err)
	}
	if got := must(sum.At(0)); got != 1+0x1p-23 {
		t.Errorf("f32 sum of f64 products is %x", got)
	}
}
