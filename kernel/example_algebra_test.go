package kernel_test

import (
	"context"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// This file has whole kernels of the algebra of tensors: other coordinates for the same elements.

// The divides of CuTe, and other views of a tensor in shared memory.
func ExampleK_ZippedDivide() {
	_, err := kernel.Trace("views", 32, func(k *kernel.K) {
		x := k.Shared("x", dtype.F32, parse("(8,6):(1,8)"))
		for _, t := range []kernel.Tensor{
			x,
			k.LogicalDivide(x, cute.Ints(4, 2)),
			k.ZippedDivide(x, cute.Ints(4, 2)),
			k.TiledDivide(x, cute.Ints(4, 2)),
			k.FlatDivide(x, cute.Ints(4, 2)),
			k.Composition(x, cute.MustParse("(2,3):(4,16)")),
			k.Coalesce(x),
			k.GroupModes(k.FlatDivide(x, cute.Ints(4, 2)), 1, 3),
			k.SelectModes(x, 1, 0),
			k.TakeModes(x, 0, 1),
		} {
			fmt.Println(t.Layout())
		}
	})
	fmt.Println(err)
	// Output:
	// (8,6):(1,8)
	// ((4,2),(2,3)):((1,4),(8,16))
	// ((4,2),(2,3)):((1,8),(4,16))
	// ((4,2),2,3):((1,8),4,16)
	// (4,2,2,3):(1,8,4,16)
	// (2,3):(4,16)
	// (48):(1)
	// (4,(2,2),3):(1,(8,4),16)
	// (6,8):(8,1)
	// (8):(1)
	// <nil>
}

// A bias of columns is a tensor whose rows are all one: each thread loads its distinct elements only.
func ExampleK_FilterZeros() {
	k, err := kernel.Trace("add_bias", 32, func(k *kernel.K) {
		bias := k.GlobalLayout("bias", dtype.F32, parse("(4,32,8):(0,1,32)"))
		y := k.GlobalLayout("y", dtype.F32, parse("(4,32,8):(1,4,128)"))
		all := kernel.Open
		tBgB, tYgY := k.Slice(bias, all, k.ThreadIdx(), all), k.Slice(y, all, k.ThreadIdx(), all)
		own := k.FilterZeros(tBgB) // (1,8)
		fmt.Println(tBgB.Layout(), own.Layout())
		r := k.MakeFragment(dtype.F32, tBgB.Layout()) // strides of 0 in registers too
		k.Copy(own, k.FilterZeros(r))
		k.Copy(r, tYgY)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 256), make([]float64, 1024)
	for i := range x {
		x[i] = float64(i)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"bias": x, "y": y}})
	fmt.Println(y[4*37], y[4*37+3], err)
	// Output:
	// (4,8):(0,32) (1,8):(0,32)
	// 37 37 <nil>
}

// A causal mask without arithmetic on lanes: an identity tensor, partitioned as the accumulators are, has the row and
// the column of each.
func ExampleElemLess() {
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")),
		cute.MustParse("(4,1,1):(1,0,0)"), nil))
	k, err := kernel.Trace("mask", 128, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 15})
		s := k.Global("s", dtype.F32, kernel.Modes(n, n), n, kernel.Int(1)) // rows of scores
		cS := k.MakeIdentityTensor(n, n)
		k.Grid(n.CeilDiv(64), n.CeilDiv(32))
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tile := func(t kernel.Tensor) kernel.Tensor {
			return thr.PartitionC(k.LocalTile(t, kernel.Shape(64, 32), k.BlockIdx(0), k.BlockIdx(1)))
		}
		tSgS, tScS := tile(s), tile(cS)
		r := thr.MakeFragmentC(tSgS)
		k.Fill(r, -1)
		k.CopyPred(func(i kernel.Index) kernel.Cond { // above the diagonal, and inside
			at := k.Coord(tScS, i)
			return at[0].Less(at[1]).And(kernel.ElemLess(at, []kernel.Index{n, n}))
		}, r, tSgS)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const n = 70
	s := make([]float64, n*n)
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": n}, Tensors: map[string][]float64{"s": s},
	})
	sum := 0.0
	for _, x := range s {
		sum += x
	}
	fmt.Println(s[3*n+3], s[3*n+4], sum, err)
	// Output: 0 -1 -2415 <nil>
}

// The maximum of a row, and the row scaled by it, in the registers of a thread.
func ExampleK_Transform() {
	k, err := kernel.Trace("scale", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.F32, parse("(32,8):(8,1)"))
		y := k.GlobalLayout("y", dtype.F16, parse("(32,8):(8,1)"))
		row := k.LocalTile(x, kernel.Shape(1, 8), k.ThreadIdx(), kernel.Int(0))
		r := k.MakeFragmentLike(row, dtype.F32)
		k.Copy(row, r)
		squares, halves := k.MakeFragmentLike(row, dtype.F32), k.MakeFragmentLike(row, dtype.F16)
		k.Transform2(r, r, squares, kernel.Value.Mul)
		scale := k.Reduce(squares, k.Number(dtype.F32, 0), kernel.Value.Max).Rsqrt()
		k.Transform(r, halves, func(v kernel.Value) kernel.Value { return v.Mul(scale).Convert(dtype.F16) })
		k.Copy(halves, k.LocalTile(y, kernel.Shape(1, 8), k.ThreadIdx(), kernel.Int(0)))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 256), make([]float64, 256)
	for i := range x {
		x[i] = float64(i%8) - 8
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Println(y[:8], err)
	// Output: [-1 -0.875 -0.75 -0.625 -0.5 -0.375 -0.25 -0.125] <nil>
}

// The product of a product, as in attention: the accumulators of A·Bᵀ are the operand A of the next one, in place.
func ExampleThrMMA_ConvertLayoutAccAregs() {
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")),
		cute.MustParse("(2,1,1):(1,0,0)"), nil)) // two warps along M
	k, err := kernel.Trace("twice", 64, func(k *kernel.K) {
		q, key := k.GlobalLayout("q", dtype.F16, parse("(32,16):(16,1)")), k.GlobalLayout("k", dtype.F16, parse("(32,16):(16,1)"))
		v := k.GlobalLayout("v", dtype.F16, parse("(8,32):(1,8)")) // (N,K)
		o := k.GlobalLayout("o", dtype.F32, parse("(32,8):(8,1)"))
		thr := k.ThrMMA(mma, k.ThreadIdx())
		gS := k.MakeIdentityTensor(kernel.Int(32), kernel.Int(32))    // no memory: only the shape of the scores
		tSrS := k.Name("tSrS", thr.MakeFragmentC(thr.PartitionC(gS))) // its registers in a listing
		load := func(part, r kernel.Tensor) kernel.Tensor {
			k.Copy(part, r)
			return r
		}
		tQ, tK, tV := thr.PartitionA(q), thr.PartitionB(key), thr.PartitionB(v)
		k.Clear(tSrS)
		k.GemmTiled(mma, load(tQ, thr.MakeFragmentA(tQ)), load(tK, thr.MakeFragmentB(tK)), tSrS)
		p := k.MakeFragmentLike(tSrS, dtype.F16)
		k.Convert(tSrS, p)
		tOrP := thr.ConvertLayoutAccAregs(p, thr)
		fmt.Println(p.Layout(), "is", tOrP.Layout())
		tOgO := thr.PartitionC(o)
		tOrO := thr.MakeFragmentC(tOgO)
		k.Clear(tOrO)
		k.GemmTiled(mma, tOrP, load(tV, thr.MakeFragmentB(tV)), tOrO)
		k.Copy(tOrO, tOgO)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, key, v, o := make([]float64, 512), make([]float64, 512), make([]float64, 256), make([]float64, 256)
	for i := range q {
		q[i], key[i], v[i/2] = float64(i%7-3), float64(i%5-2), float64(i%3-1)
	}
	want := 0.0 // of row 9, column 5
	for j := range 32 {
		for d := range 16 {
			want += q[9*16+d] * key[j*16+d] * v[j*8+5]
		}
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Tensors: map[string][]float64{"q": q, "k": key, "v": v, "o": o},
	})
	fmt.Println(o[9*8+5] == want, err)
	// Output:
	// ((2,2),1,4):((1,2),0,4) is ((2,2,2),1,2):((1,2,4),0,8)
	// true <nil>
}
