package ptx_test

import (
	"fmt"

	"girih/ptx"
)

// show prints the function that b wrote.
func show(b *ptx.Builder) {
	f, err := b.Func()
	if err != nil {
		fmt.Println("error:", err)
		return
	}
	fmt.Println(f)
}

// The kernel adds the rows of a matrix with 128 columns.
func ExampleBuilder() {
	b := ptx.NewKernel("rows")
	in, out, n := b.Param(ptx.U64, "in"), b.Param(ptx.U64, "out"), b.Param(ptx.U32, "n")
	b.Direct("reqntid", 128)

	thread := b.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	column := b.Let(ptx.U64, "mul.wide.u32", thread, ptx.Int(4))
	row := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: in})
	b.Emit("add.u64", row, row, column)
	rows := b.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: n})
	sum := b.Let(ptx.F32, "mov.f32", ptx.Bits32(0))
	b.For(ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: rows, Step: 1}, func(ptx.Name) {
		v := b.Let(ptx.F32, "ld.global.f32", ptx.Addr{Base: row})
		b.Emit("add.f32", sum, sum, v)
		b.Emit("add.u64", row, row, ptx.Int(512))
	})
	to := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: out})
	b.Emit("add.u64", to, to, column)
	b.Emit("st.global.f32", ptx.Addr{Base: to}, sum)
	b.Emit("ret")

	f, err := b.Func()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(&ptx.Module{
		Version: ptx.Version{Major: 8, Minor: 7}, Target: []string{"sm_90a"}, AddressSize: 64, Decls: []ptx.Decl{f},
	})
	// Output:
	// .version 8.7
	// .target sm_90a
	// .address_size 64
	//
	// .visible .entry rows(
	// 	.param .u64 in,
	// 	.param .u64 out,
	// 	.param .u32 n
	// )
	// .reqntid 128
	// {
	// 	.reg .pred %p<2>;
	// 	.reg .b32 %r<5>;
	// 	.reg .b64 %rd<3>;
	// 	mov.u32 %r0, %tid.x;
	// 	mul.wide.u32 %rd0, %r0, 4;
	// 	ld.param.u64 %rd1, [in];
	// 	add.u64 %rd1, %rd1, %rd0;
	// 	ld.param.u32 %r1, [n];
	// 	mov.f32 %r2, 0f00000000;
	// 	mov.u32 %r3, 0;
	// 	setp.ge.u32 %p0, %r3, %r1;
	// 	@%p0 bra $L2;
	// $L1:
	// 	ld.global.f32 %r4, [%rd1];
	// 	add.f32 %r2, %r2, %r4;
	// 	add.u64 %rd1, %rd1, 512;
	// 	add.u32 %r3, %r3, 1;
	// 	setp.lt.u32 %p1, %r3, %r1;
	// 	@%p1 bra $L1;
	// $L2:
	// 	ld.param.u64 %rd2, [out];
	// 	add.u64 %rd2, %rd2, %rd0;
	// 	st.global.f32 [%rd2], %r2;
	// 	ret;
	// }
}

func ExampleNewKernel() {
	show(ptx.NewKernel("nothing"))
	// Output:
	// .visible .entry nothing()
	// {
	// }
}

func ExampleNewFunc() {
	show(ptx.NewFunc("nothing"))
	// Output:
	// .func nothing()
	// {
	// }
}

func ExampleBuilder_Func() {
	b := ptx.NewKernel("k")
	b.Let("f31", "mov.b32", ptx.Int(0))
	_, err := b.Func()
	fmt.Println(err)
	// Output: expected a type that registers have, found 'f31' in k
}

func ExampleBuilder_Param() {
	b := ptx.NewKernel("k")
	b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "data")})
	show(b)
	// Output:
	// .visible .entry k(.param .u64 data)
	// {
	// 	.reg .b64 %rd<1>;
	// 	ld.param.u64 %rd0, [data];
	// }
}

func ExampleBuilder_Declare() {
	b := ptx.NewKernel("k")
	b.Declare(&ptx.Var{Space: ptx.Param, Align: 64, Type: ptx.B8, Name: "map", Dims: []int64{128}})
	tile := b.Declare(&ptx.Var{Space: ptx.Shared, Align: 1024, Type: ptx.B8, Name: "tile", Dims: []int64{4096}})
	b.Emit("st.shared.u32", ptx.Addr{Base: tile}, ptx.Int(0))
	show(b)
	// Output:
	// .visible .entry k(.param .align 64 .b8 map[128])
	// {
	// 	.shared .align 1024 .b8 tile[4096];
	// 	st.shared.u32 [tile], 0;
	// }
}

func ExampleBuilder_Direct() {
	b := ptx.NewKernel("k")
	b.Direct("maxntid", 256, 1, 1)
	b.Direct("explicitcluster")
	show(b)
	// Output:
	// .visible .entry k()
	// .maxntid 256, 1, 1
	// .explicitcluster
	// {
	// }
}

func ExampleBuilder_Reg() {
	b := ptx.NewKernel("k")
	fmt.Println(b.Reg(ptx.Pred), b.Reg(ptx.F32), b.Reg(ptx.U32), b.Reg(ptx.F16), b.Reg(ptx.U64))
	// Output: %p0 %r0 %r1 %rs0 %rd0
}

func ExampleBuilder_Regs() {
	b := ptx.NewKernel("k")
	b.Emit("ld.shared.v4.f32", b.Regs(ptx.F32, 4), ptx.Addr{Base: ptx.Name("tile")})
	show(b)
	// Output:
	// .visible .entry k()
	// {
	// 	.reg .b32 %r<4>;
	// 	ld.shared.v4.f32 {%r0, %r1, %r2, %r3}, [tile];
	// }
}

func ExampleRegisters() {
	b := ptx.NewKernel("k")
	before := b.Reg(ptx.B32)
	made := b.Registers()
	after := b.Reg(ptx.B32)
	fmt.Println(made.Has(before), made.Has(after))
	// Output: true false
}

func ExampleBuilder_Emit() {
	b := ptx.NewFunc("f")
	b.Emit("bar.sync", ptx.Int(0))
	show(b)
	// Output:
	// .func f()
	// {
	// 	bar.sync 0;
	// }
}

func ExampleBuilder_EmitIf() {
	b := ptx.NewFunc("f")
	first := b.Let(ptx.Pred, "setp.eq.u32", ptx.Name("x"), ptx.Int(0))
	b.EmitIf(first, "trap")
	b.EmitIf(ptx.Not(first), "ret")
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .pred %p<1>;
	// 	setp.eq.u32 %p0, x, 0;
	// 	@%p0 trap;
	// 	@!%p0 ret;
	// }
}

func ExampleBuilder_Let() {
	b := ptx.NewFunc("f")
	x := b.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	b.Let(ptx.U64, "mul.wide.u32", x, ptx.Int(4))
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .b32 %r<1>;
	// 	.reg .b64 %rd<1>;
	// 	mov.u32 %r0, %tid.x;
	// 	mul.wide.u32 %rd0, %r0, 4;
	// }
}

func ExampleBuilder_Add() {
	b := ptx.NewFunc("f")
	b.Add(&ptx.Pragma{Strings: []string{"nounroll"}})
	show(b)
	// Output:
	// .func f()
	// {
	// 	.pragma "nounroll";
	// }
}

func ExampleBuilder_Label() {
	b := ptx.NewFunc("f")
	fmt.Println(b.Label(), b.Label())
	// Output: $L1 $L2
}

func ExampleBuilder_Mark() {
	b := ptx.NewFunc("f")
	forever := b.Label()
	b.Mark(forever)
	b.Emit("bra", forever)
	show(b)
	// Output:
	// .func f()
	// {
	// $L1:
	// 	bra $L1;
	// }
}

// The barrier is collected first and placed after the fence.
func ExampleBuilder_Collect() {
	b := ptx.NewKernel("k")
	later := b.Collect(func() { b.Emit("bar.sync", ptx.Int(0)) })
	b.Emit("membar.cta")
	for _, s := range later {
		b.Add(s)
	}
	f, err := b.Func()
	fmt.Println(f.Body, err)
	// Output:
	// {
	// 	membar.cta;
	// 	bar.sync 0;
	// } <nil>
}

// The scope contains a call and declares the parameter of the call.
func ExampleBuilder_Scope() {
	b := ptx.NewFunc("f")
	b.Scope(func() {
		b.Add(&ptx.Var{Space: ptx.Param, Type: ptx.B32, Name: "x"})
		b.Emit("st.param.b32", ptx.Addr{Base: ptx.Name("x")}, ptx.Int(1))
		b.Emit("call.uni", ptx.Name("g"), ptx.Args{ptx.Name("x")})
	})
	show(b)
	// Output:
	// .func f()
	// {
	// 	{
	// 		.param .b32 x;
	// 		st.param.b32 [x], 1;
	// 		call.uni g, (x);
	// 	}
	// }
}

func ExampleBuilder_If() {
	b := ptx.NewFunc("f")
	b.If(b.Let(ptx.Pred, "setp.eq.u32", ptx.Name("x"), ptx.Int(0)), func() { b.Emit("trap") })
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .pred %p<1>;
	// 	setp.eq.u32 %p0, x, 0;
	// 	@!%p0 bra $L1;
	// 	trap;
	// $L1:
	// }
}

func ExampleBuilder_IfElse() {
	b := ptx.NewFunc("f")
	p := b.Let(ptx.Pred, "setp.eq.u32", ptx.Name("x"), ptx.Int(0))
	b.IfElse(p, func() { b.Emit("trap") }, func() { b.Emit("brkpt") })
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .pred %p<1>;
	// 	setp.eq.u32 %p0, x, 0;
	// 	@!%p0 bra $L1;
	// 	trap;
	// 	bra $L2;
	// $L1:
	// 	brkpt;
	// $L2:
	// }
}

// Each thread waits until the phase of an mbarrier is over.
func ExampleBuilder_While() {
	b := ptx.NewFunc("f")
	wait := ptx.Op("mbarrier.try_wait.parity.shared::cta.b64")
	b.While(func() ptx.Operand {
		return ptx.Not(b.Let(ptx.Pred, wait, ptx.Addr{Base: ptx.Name("full")}, ptx.Int(0)))
	}, func() {})
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .pred %p<1>;
	// $L1:
	// 	mbarrier.try_wait.parity.shared::cta.b64 %p0, [full], 0;
	// 	@%p0 bra $L2;
	// 	bra $L1;
	// $L2:
	// }
}

func ExampleRange() {
	b := ptx.NewFunc("f")
	even := ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: ptx.Int(8), Step: 2}
	b.For(even, func(i ptx.Name) { b.Emit("bar.sync", i) })
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .pred %p<2>;
	// 	.reg .b32 %r<1>;
	// 	mov.u32 %r0, 0;
	// 	setp.ge.u32 %p0, %r0, 8;
	// 	@%p0 bra $L2;
	// $L1:
	// 	bar.sync %r0;
	// 	add.u32 %r0, %r0, 2;
	// 	setp.lt.u32 %p1, %r0, 8;
	// 	@%p1 bra $L1;
	// $L2:
	// }
}

func ExampleBuilder_For() {
	b := ptx.NewFunc("f")
	down := ptx.Range{Type: ptx.S32, From: ptx.Int(8), To: ptx.Int(0), Step: -2}
	b.For(down, func(i ptx.Name) { b.Emit("bar.sync", i) })
	show(b)
	// Output:
	// .func f()
	// {
	// 	.reg .pred %p<2>;
	// 	.reg .b32 %r<1>;
	// 	mov.s32 %r0, 8;
	// 	setp.le.s32 %p0, %r0, 0;
	// 	@%p0 bra $L2;
	// $L1:
	// 	bar.sync %r0;
	// 	add.s32 %r0, %r0, -2;
	// 	setp.gt.s32 %p1, %r0, 0;
	// 	@%p1 bra $L1;
	// $L2:
	// }
}
