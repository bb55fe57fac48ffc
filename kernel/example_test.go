package kernel_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A vector is scaled: two neighbours of each thread.
func Example() {
	k, err := kernel.Trace("scale", 64, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: 2})
		x, alpha := k.Global("x", dtype.F32, kernel.Modes(n)), k.Scalar("alpha", dtype.F32)
		k.Grid(n.CeilDiv(128))
		block := k.LocalTile(x, kernel.Shape(128), k.BlockIdx(0))
		own := k.LocalTile(block, kernel.Shape(2), k.ThreadIdx())
		r := k.MakeFragmentLike(own, dtype.F32)
		k.CopyIf(own, r)
		for i := range int64(2) {
			k.Store(k.Load(r, kernel.Int(i)).Mul(alpha), r, kernel.Int(i))
		}
		k.CopyIf(r, own)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	k.Module.WriteTo(os.Stdout)
	// Output:
	// .version 8.0
	// .target sm_80
	// .address_size 64
	//
	// .visible .entry scale(
	// 	.param .u32 n,
	// 	.param .u64 x,
	// 	.param .b32 alpha
	// )
	// .reqntid 64
	// {
	// 	.reg .pred %p<1>;
	// 	.reg .b32 %r<14>;
	// 	.reg .b64 %rd<3>;
	// 	ld.param.u32 %r0, [n];
	// 	ld.param.u64 %rd0, [x];
	// 	cvta.to.global.u64 %rd0, %rd0;
	// 	ld.param.b32 %r1, [alpha];
	// 	mov.u32 %r2, %ctaid.x;
	// 	mov.u32 %r3, %tid.x;
	// 	mad.wide.u32 %rd1, %r2, 512, %rd0;
	// 	mad.wide.u32 %rd2, %r3, 8, %rd1;
	// 	shl.b32 %r8, %r2, 7;
	// 	mad.lo.s32 %r9, %r3, 2, %r8;
	// 	setp.lt.s32 %p0, %r9, %r0;
	// 	@%p0 ld.global.v2.b32 {%r6, %r7}, [%rd2];
	// 	@%p0 mov.b32 %r4, %r6;
	// 	@%p0 mov.b32 %r5, %r7;
	// 	mov.b32 %r10, %r4;
	// 	mul.rn.f32 %r11, %r10, %r1;
	// 	mov.b32 %r4, %r11;
	// 	mov.b32 %r12, %r5;
	// 	mul.rn.f32 %r13, %r12, %r1;
	// 	mov.b32 %r5, %r13;
	// 	@%p0 st.global.v2.b32 [%rd2], {%r4, %r5};
	// 	ret;
	// }
}

// The tile of a transpose goes through shared memory, whose swizzle spreads a column over the banks.
func ExampleTrace() {
	w, _ := cute.NewSwizzle(5, 0, 5)
	tile, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("(32,32):(32,1)"))
	k, err := kernel.Trace("transpose", 256, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(32,32):(32,1)"))
		b := k.GlobalLayout("b", dtype.F32, cute.MustParse("(32,32):(1,32)"))
		s := k.Shared("s", dtype.F32, tile)
		rows, columns := cute.MustParse("(8,32):(32,1)"), cute.MustParse("(32,8):(1,32)")
		k.Copy(k.LocalPartition(a, rows, k.ThreadIdx()), k.LocalPartition(s, rows, k.ThreadIdx()))
		k.Sync()
		k.Copy(k.LocalPartition(s, columns, k.ThreadIdx()), k.LocalPartition(b, columns, k.ThreadIdx()))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(k.Explain())
	// Output:
	// [%rd2]           a + 4·thread.x
	// [%rd2+1024]      a + 4·thread.x + 1024
	// [%rd2+2048]      a + 4·thread.x + 2048
	// [%rd2+3072]      a + 4·thread.x + 3072
	// [%r11]           shared + 32·(thread.x/8) + 4·((thread.x/32 xor thread.x) mod 8)
	// [%r12+1024]      shared - 32·(thread.x/8 mod 2) + 64·(thread.x/16) + 4·((thread.x/32 xor thread.x) mod 8) + 1056
	// [%r13+2048]      shared + 32·(thread.x/8 mod 2) - 64·(thread.x/16 mod 2) + 128·(thread.x/32) + 4·((thread.x/32 xor thread.x) mod 8) + 2112
	// [%r14+3072]      shared - 32·(thread.x/8 mod 4) + 128·(thread.x/32) + 4·((thread.x/32 xor thread.x) mod 8) + 3168
	// [%r20]           shared + 128·(thread.x mod 8) + 1056·(thread.x/8 mod 4) + 4·((thread.x/32 xor thread.x) mod 8)
	// [%r27+32]        shared + 128·(thread.x mod 8) + 992·(thread.x/8 mod 2) + 2112·(thread.x/16 mod 2) + 4·((thread.x/32 xor thread.x) mod 8) + 32
	// [%r33+64]        shared + 128·(thread.x mod 8) + 1056·(thread.x/8 mod 2) + 1984·(thread.x/16 mod 2) + 4·((thread.x/32 xor thread.x) mod 8) + 64
	// [%r38+96]        shared + 128·(thread.x mod 8) + 992·(thread.x/8 mod 4) + 4·((thread.x/32 xor thread.x) mod 8) + 96
	// [%rd3]           b + 4·thread.x
	// [%rd3+1024]      b + 4·thread.x + 1024
	// [%rd3+2048]      b + 4·thread.x + 2048
	// [%rd3+3072]      b + 4·thread.x + 3072
}

func ExampleError() {
	_, err := kernel.Trace("k", 128, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(60,64):(64,1)"))
		k.LocalTile(a, kernel.Shape(32, 32), kernel.Int(0), kernel.Int(0)) // the line of the error
	})
	if e, ok := errors.AsType[*kernel.Error](err); ok {
		fmt.Println(e.File, e.Err)
		fmt.Println(e.Err.Hint)
	}
	// Output:
	// example_test.go not_divisible: local_tile: expected a tile that divides mode 60:64 of a, found 32
	// take a tile whose extents divide those of the tensor
}

func ExampleIndex() {
	_, err := kernel.Trace("k", 128, func(k *kernel.K) {
		t := k.ThreadIdx()
		fmt.Println(t.Div(8).Mul(kernel.Int(8)).Add(t.Mod(8)))
		fmt.Println(t.Sub(t.Mod(32)).CeilDiv(32))
		fmt.Println(kernel.Int(7).Div(2).Int64())
		fmt.Println(t.Less(kernel.Int(128)), t.Less(kernel.Int(100)).And(t.Less(kernel.Int(200))))
	})
	fmt.Println(err)
	// Output:
	// thread.x
	// thread.x/32
	// 3 true
	// true thread.x < 100
	// <nil>
}

func ExampleTensor() {
	_, err := kernel.Trace("k", 128, func(k *kernel.K) {
		m, n := k.Int("m", symbolic.Facts{Min: 1, Max: 4096}), k.Int("n", symbolic.Facts{Min: 1, Max: 4096, Div: 64})
		a := k.Global("a", dtype.F16, kernel.Modes(m, n), n, kernel.Int(1))
		tiles := k.LocalTile(a, kernel.Shape(128, 64), k.BlockIdx(0), kernel.Open)
		fmt.Println(tiles)
		fmt.Println(tiles.Rank(), tiles.Extent(2), tiles.Space(), tiles.Elem())
		fmt.Println(k.Slice(tiles, kernel.Int(3), kernel.Open, kernel.Int(1)))
	})
	fmt.Println(err)
	// Output:
	// global a (128,64,n/64):(1@0,1@1,[0,64]) at (128·block.x,0)
	// 3 n/64 global f16
	// global a (64):(1@1) at (128·block.x + 3,64)
	// <nil>
}

func ExampleKernel_Grid() {
	k, err := kernel.Trace("k", 128, func(k *kernel.K) {
		m, n := k.Int("m", symbolic.Facts{Min: 1, Max: 4096}), k.Int("n", symbolic.Facts{Min: 1, Max: 4096})
		k.Grid(m.CeilDiv(128), n.CeilDiv(64))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Grid(map[string]int64{"m": 1000, "n": 64}))
	fmt.Println(k.Grid(map[string]int64{"m": 1000}))
	// Output:
	// [8 1 1] <nil>
	// [0 0 0] unknown: address: n has no value
}

func ExampleCond_Always() {
	_, err := kernel.Trace("f", 128, func(k *kernel.K) {
		t := k.ThreadIdx()
		k.If(t.Less(kernel.Int(64)), func() {
			if !t.Less(kernel.Int(64)).Always() || t.Less(kernel.Int(63)).Always() {
				fmt.Println("not what the condition says")
			}
		})
	})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleK_If() {
	k, err := kernel.Trace("k", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 0, Max: 1 << 20})
		x := k.Global("x", dtype.F32, kernel.Modes(n))
		i := k.ThreadIdx()
		k.If(k.InBounds(x, i), func() {
			v := k.Load(x, i)
			k.Store(v.Max(k.Number(dtype.F32, 0)), x, i)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	k.Module.WriteTo(os.Stdout)
	// Output:
	// .version 8.0
	// .target sm_80
	// .address_size 64
	//
	// .visible .entry k(
	// 	.param .u32 n,
	// 	.param .u64 x
	// )
	// .reqntid 32
	// {
	// 	.reg .pred %p<1>;
	// 	.reg .b32 %r<5>;
	// 	.reg .b64 %rd<2>;
	// 	ld.param.u32 %r0, [n];
	// 	ld.param.u64 %rd0, [x];
	// 	cvta.to.global.u64 %rd0, %rd0;
	// 	mov.u32 %r1, %tid.x;
	// 	setp.lt.s32 %p0, %r1, %r0;
	// 	@!%p0 bra $L1;
	// 	mad.wide.u32 %rd1, %r1, 4, %rd0;
	// 	ld.global.b32 %r2, [%rd1];
	// 	mov.b32 %r3, 0;
	// 	max.f32 %r4, %r2, %r3;
	// 	st.global.b32 [%rd1], %r4;
	// $L1:
	// 	ret;
	// }
}

func ExampleK_Gemm() {
	k, err := kernel.Trace("gemm", 64, func(k *kernel.K) {
		depth := k.Int("k", symbolic.Facts{Min: 8, Max: 1 << 20, Div: 8})
		a := k.Global("a", dtype.F32, kernel.Modes(kernel.Int(16), depth))
		b := k.Global("b", dtype.F32, kernel.Modes(kernel.Int(16), depth))
		c := k.GlobalLayout("c", dtype.F32, cute.MustParse("(16,16):(1,16)"))
		alpha, beta := k.Scalar("alpha", dtype.F32), k.Scalar("beta", dtype.F32)
		gA := k.LocalTile(a, kernel.Shape(16, 8), kernel.Int(0), kernel.Open) // (16,8,k)
		gB := k.LocalTile(b, kernel.Shape(16, 8), kernel.Int(0), kernel.Open)
		sA := k.Shared("sA", dtype.F32, cute.MustParse("(16,8):(1,16)"))
		sB := k.Shared("sB", dtype.F32, cute.MustParse("(16,8):(1,16)"))
		t, threads := k.ThreadIdx(), cute.MustParse("(8,8):(1,8)")
		rC := k.MakeFragment(dtype.F32, cute.MustParse("(2,2):(1,2)"))
		k.Clear(rC)
		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
			k.Copy(k.LocalPartition(k.Slice(gA, kernel.Open, kernel.Open, i), threads, t), k.LocalPartition(sA, threads, t))
			k.Copy(k.LocalPartition(k.Slice(gB, kernel.Open, kernel.Open, i), threads, t), k.LocalPartition(sB, threads, t))
			k.Sync()
			k.Gemm(k.LocalPartitionProj(sA, threads, t, cute.MustParseCoord("(1,_)")),
				k.LocalPartitionProj(sB, threads, t, cute.MustParseCoord("(_,1)")), rC)
			k.Sync()
		})
		k.Axpby(alpha, rC, beta, k.LocalPartition(c, threads, t))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Name, k.Threads, k.Shared, k.Params[1].Name)
	// Output:
	// gemm 64 1536 a
}

func ExampleValue() {
	k, err := kernel.Trace("k", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.S32, cute.MustParse("(2,32):(32,1)"))
		t := k.ThreadIdx()
		a, b := k.Load(x, kernel.Int(0), t), k.Load(x, kernel.Int(1), t)
		fmt.Println(a.Type())
		k.Store(a.FMA(b, a.Sub(b)).Min(a.Add(b)), x, kernel.Int(0), t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Explain())
	// Output:
	// s32
	// [%rd1]           x + 4·thread.x
	// [%rd1+128]       x + 4·thread.x + 128
	// [%rd1]           x + 4·thread.x
}

// Without a swizzle, a column of a tile is in one bank.
func ExampleKernel_Plan() {
	k, err := kernel.Trace("transpose", 256, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 32, Max: 1 << 15, Div: 32})
		a := k.Global("a", dtype.F32, kernel.Modes(n, n), n, kernel.Int(1))
		s := k.Shared("s", dtype.F32, cute.MustParse("(32,32):(32,1)"))
		k.Grid(n.Div(32), n.Div(32))
		tile, rows := kernel.Shape(32, 32), cute.MustParse("(8,32):(32,1)")
		from := k.LocalTile(a, tile, k.BlockIdx(0), k.BlockIdx(1))
		k.Copy(k.LocalPartition(from, rows, k.ThreadIdx()), k.LocalPartition(k.Transposed(s), rows, k.ThreadIdx()))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	accesses, total, err := k.Plan(map[string]int64{"n": 64})
	fmt.Println(err)
	fmt.Println(accesses[0].Op, accesses[0].Address, accesses[0].Cost.Sectors, "sectors")
	fmt.Println(accesses[4].Op, accesses[4].Address, accesses[4].Cost.Ways, "ways")
	fmt.Println(total.Sectors, total.Fewest, total.Wavefronts, total.Ideal)
	// Output:
	// <nil>
	// ld.global.b32 a + 128·block.y + 4·(thread.x mod 32) + 4096·(n/32)·block.x + 128·(n/32)·(thread.x/32) 128 sectors
	// st.shared.b32 shared + 128·(thread.x mod 32) + 4·(thread.x/32) 32 ways
	// 512 512 4096 128
}

// Requests shows the address of each lane.
func ExampleKernel_Requests() {
	k, err := kernel.Trace("half", 64, func(k *kernel.K) {
		k.Grid(kernel.Int(1))
		x := k.GlobalLayout("x", dtype.F32, cute.MustParse("64:1"))
		t := k.ThreadIdx()
		k.If(t.Less(kernel.Int(34)), func() { k.Store(k.Number(dtype.F32, 1), x, t) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	requests, err := k.Requests(nil, [3]int64{})
	for _, r := range requests {
		for lane := range 3 {
			if r.Active(lane) {
				fmt.Println("warp", r.Warp, "lane", lane, "byte", r.At[lane])
			}
		}
	}
	fmt.Println(err)
	// Output:
	// warp 0 lane 0 byte 0
	// warp 0 lane 1 byte 4
	// warp 0 lane 2 byte 8
	// warp 1 lane 0 byte 128
	// warp 1 lane 1 byte 132
	// <nil>
}

// The report of a tile that is written by rows and read by columns, with the swizzle that removes the conflicts.
func ExampleKernel_ReportFor() {
	k, err := kernel.Trace("twice", 128, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 30, Div: 4})
		x := k.Global("x", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(128))
		i := k.BlockIdx(0).Mul(kernel.Int(128)).Add(k.ThreadIdx())
		k.If(k.InBounds(x, i), func() { v := k.Load(x, i); k.Store(v.Add(v), x, i) })
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := k.ReportFor(map[string]int64{"n": 1 << 20})
	fmt.Println(r.Total.Bytes, "bytes in", r.Total.Sectors, "sectors", err)
	// Output: 8388608 bytes in 262144 sectors <nil>
}

func ExampleKernel_Report() {
	k, err := kernel.Trace("columns", 256, func(k *kernel.K) {
		s := k.Shared("s", dtype.F32, cute.MustParse("(32,32):(32,1)"))
		b := k.GlobalLayout("b", dtype.F32, cute.MustParse("(32,32):(1,32)"))
		columns := cute.MustParse("(32,8):(1,32)")
		k.Clear(k.LocalPartition(s, columns, k.ThreadIdx()))
		k.Copy(k.LocalPartition(s, columns, k.ThreadIdx()), k.LocalPartition(b, columns, k.ThreadIdx()))
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range k.Report().Warnings() {
		fmt.Printf("%s: %s\n  %s\n", n.Kind, n.Text, n.Repair)
	}
	// Output:
	// conflict: 1024 wavefronts, 32 without conflicts: 32 ways
	//   Sw<5,0,5> o 0 o (32,32):(32,1) has no conflicts
	// conflict: 1024 wavefronts, 32 without conflicts: 32 ways
	//   Sw<5,0,5> o 0 o (32,32):(32,1) has no conflicts
}

// Rows that begin at any element, 4 apart, are reversed: the kernel computes offsets, and uses vectors if the address
// allows them.
func ExampleK_View() {
	k, err := kernel.Trace("reverse", 64, func(k *kernel.K) {
		src := k.GlobalAligned("src", dtype.U8, 16, cute.MustParse("1:0"))
		dst := k.GlobalAligned("dst", dtype.U8, 4, cute.MustParse("1:0"))
		k.Grid(kernel.Int(1))
		t := k.ThreadIdx()
		at := k.Crd2Idx(t, cute.MustParse("(8,8):(8,64)")) // what the thread reads
		r, turned := k.MakeFragment(dtype.U8, cute.MustParse("8:1")), k.MakeFragment(dtype.U8, cute.MustParse("8:1"))
		k.CopyWhere(t.Less(kernel.Int(60)), k.View(src, at, cute.MustParse("8:1")), r)
		k.Copy(k.View(r, kernel.Int(7), cute.MustParse("8:-1")), turned)
		to := k.Assume(k.View(dst, kernel.Int(472).Sub(at), cute.MustParse("8:1")), 4)
		k.CopyWhere(t.Less(kernel.Int(60)), turned, to)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(k.Explain())
	// Output:
	// [%rd2]           src + 8·thread.x
	// [%rd4]           dst - 8·thread.x + 472
	// [%rd6]           dst - 8·thread.x + 476
}

// A copy of whole tiles, as PTX with comments and as CUDA C++.
func ExampleKernel_Listing() {
	k, err := kernel.Trace("pick", 32, func(k *kernel.K) {
		n := k.Int("n", symbolic.Facts{Min: 32, Max: 1 << 20, Div: 32})
		a := k.Global("a", dtype.F32, kernel.Modes(n))
		b := k.Global("b", dtype.F32, kernel.Modes(n))
		k.Grid(n.CeilDiv(32))
		own := func(t kernel.Tensor) kernel.Tensor {
			return k.LocalTile(k.LocalTile(t, kernel.Shape(32), k.BlockIdx(0)), kernel.Shape(1), k.ThreadIdx())
		}
		k.Copy(own(a), own(b))
	})
	fmt.Println(err)
	for _, text := range []string{k.Listing(), k.CUDA()} {
		for line := range strings.Lines(text) {
			if _, note, ok := strings.Cut(line, "_test.go:"); ok { // a line of this file
				_, note, _ = strings.Cut(note, ": ")
				fmt.Print(note)
			} else if strings.Contains(line, ".global.b32") || strings.Contains(line, "<<<") {
				fmt.Println(strings.TrimSpace(line))
			}
		}
	}
	// Output:
	// <nil>
	// 4 bytes a lane from a (n):(1)
	// ld.global.b32 %r3, [%rd3];
	// 4 bytes a lane to b (n):(1)
	// st.global.b32 [%rd5], %r3;
	// 4 bytes a lane from a (n):(1)
	// "ld.global.b32 r3, [rd3];\n"
	// 4 bytes a lane to b (n):(1)
	// "st.global.b32 [rd5], r3;\n"
	// pick<<<dim3(n/32), 32, 0, stream>>>((int)n, a, b);
}

func ExampleKernel_CUDA() {
	k, err := kernel.Trace("nothing", 64, func(k *kernel.K) { k.Grid(k.Int("n", symbolic.Facts{Min: 1, Max: 100}).CeilDiv(8)) })
	fmt.Println(err)
	fmt.Println(k.CUDA())
	// Output:
	// <nil>
	// // nothing: blocks of 64 threads, ((n + 7)/8) of them
	// // n: from 1 to 100, a multiple of 1
	// #include <cstdint>
	// #include <cuda_runtime.h>
	//
	// extern "C" __global__ void __launch_bounds__(64)
	// nothing(int n)
	// {
	//     asm volatile(
	//         "{\n"
	//         ".reg .b32 r<1>;\n"
	//         "mov.u32 r0, %0;\n"
	//         "ret;\n"
	//         "}\n"
	//         :: "r"(n)
	//         : "memory");
	// }
	//
	// // launch_nothing returns cudaErrorInvalidValue for numbers that the kernel was not made for.
	// inline cudaError_t launch_nothing(int64_t n, cudaStream_t stream = 0)
	// {
	//     if (n < 1 || n > 100) return cudaErrorInvalidValue;
	//     nothing<<<dim3((n + 7)/8), 64, 0, stream>>>((int)n);
	//     return cudaGetLastError();
	// }
}

func ExampleKernel_GridText() {
	k, err := kernel.Trace("tiles", 64, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		k.Grid(m.CeilDiv(128), kernel.Int(2))
	})
	fmt.Println(k.GridText(), err)
	// Output: [(m + 127)/128 2] <nil>
}

// With two blocks of 384 threads on a multiprocessor, a thread gets 80 of the 65,536 registers instead of 168.
func ExampleK_MinBlocksPerMultiprocessor() {
	k, err := kernel.Trace("pair", 384, func(k *kernel.K) {
		k.MinBlocksPerMultiprocessor(2)
		k.IfElse(k.WarpgroupIdx().Less(kernel.Int(2)), func() { k.WarpgroupRegAlloc(104) }, func() { k.WarpgroupRegDealloc(24) })
	})
	fmt.Println(k.Module.Func("pair").Directives, err)
	// Output: [.reqntid 384 .minnctapersm 2] <nil>
}
