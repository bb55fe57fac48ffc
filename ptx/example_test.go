package ptx_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"girih/ptx"
)

const source = `
.version 8.7
.target sm_90a
.address_size 64

.extern .shared .align 16 .b8 arena[];
.const .f32 weights[3] = {0f3F800000, 1.5, -2.0};
.func fade(.reg .f32 x);

.visible .entry scale(.param .u64 data, .param .u32 n)
.reqntid 128, 1, 1
{
	.reg .pred p;
	.reg .b32 i, m, f;
	.reg .b64 a;
	mov.u32 i, %tid.x;            // which thread
	ld.param.u32 m, [n];
	setp.ge.u32 p, i, m;
	@p bra done;
	ld.param.u64 a, [data];
	{ mad.wide.u32 a, i, 1 << 2, a; }
	ld.global.f32 f, [a + 0x10];
	fma.rn.f32 f, f, 0f40000000, 0f3F800000;
	st.global.f32 [a + 0x10], f;
done:
	ret;
}
`

func parse() *ptx.Module {
	m, err := ptx.Parse(source)
	if err != nil {
		panic(err)
	}
	return m
}

// The example lists the instructions of a kernel that access global memory, with their lines.
func Example() {
	m, err := ptx.Parse(source)
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range m.Func("scale").Stmts() {
		if in, ok := s.(*ptx.Instr); ok && in.Op.Space() == ptx.Global {
			fmt.Printf("line %d: %v, %d bits\n", in.Pos.Line, in, in.Op.Type().Bits())
		}
	}
	// Output:
	// line 22: ld.global.f32 f, [a+16];, 32 bits
	// line 24: st.global.f32 [a+16], f;, 32 bits
}

func ExampleParse() {
	m, err := ptx.Parse(".version 8.7 .target sm_90a .global .align 8 .u64 p[2] = {0xFF, ~0};")
	fmt.Print(m)
	fmt.Println(err)
	// Output:
	// .version 8.7
	// .target sm_90a
	//
	// .global .align 8 .u64 p[2] = {255, -1};
	// <nil>
}

func ExampleError() {
	_, err := ptx.Parse(".version 8.7 .target sm_90a\n.entry k() {\n\tmov.u32 %r1, %r2\n}")
	e, _ := errors.AsType[*ptx.Error](err)
	fmt.Println(e.Code, e.Line, e.Col, e.Expected)
	// Output: syntax 3 18 ',' or ';'
}

func ExampleCode() {
	_, err := ptx.Parse(".version 8.7 .target sm_90a .reg .b32 %r<99999999>;")
	e, _ := errors.AsType[*ptx.Error](err)
	fmt.Println(e.Code == ptx.CodeOverflow, err)
	// Output: true 1:42: expected from 1 to 16777216 names, found 99999999
}

func ExampleError_Error() {
	_, err := ptx.Parse(".version 8.7 .target sm_90a .global .u33 x;")
	fmt.Println(err.Error())
	// Output: 1:37: expected a type, found '.u33'
}

func ExampleError_Caret() {
	_, err := ptx.Parse(".version 8.7 .target sm_90a\n.global .align 6 .b8 x[4];")
	e, _ := errors.AsType[*ptx.Error](err)
	fmt.Println(e.Caret())
	// Output:
	// .global .align 6 .b8 x[4];
	//                ^
}

func ExampleModule() {
	m := &ptx.Module{
		Version: ptx.Version{Major: 8, Minor: 7}, Target: []string{"sm_90a"}, AddressSize: 64,
		Decls: []ptx.Decl{
			&ptx.Var{Space: ptx.Global, Type: ptx.U32, Name: "one", Init: ptx.Int(1)},
			&ptx.Var{Space: ptx.Global, Type: ptx.U64, Name: "where", Init: ptx.Sym{Name: "one", Generic: true}},
		},
	}
	fmt.Print(m)
	// Output:
	// .version 8.7
	// .target sm_90a
	// .address_size 64
	//
	// .global .u32 one = 1;
	// .global .u64 where = generic(one);
}

func ExampleModule_String() {
	m := &ptx.Module{Version: ptx.Version{Major: 8, Minor: 7}, Target: []string{"sm_90a"}}
	fmt.Printf("%q\n", m.String())
	// Output: ".version 8.7\n.target sm_90a\n"
}

func ExampleModule_WriteTo() {
	m := &ptx.Module{Version: ptx.Version{Major: 9}, Target: []string{"sm_100a", "debug"}}
	n, err := m.WriteTo(os.Stdout)
	fmt.Println(n, err)
	// Output:
	// .version 9.0
	// .target sm_100a, debug
	// 36 <nil>
}

func ExampleModule_Funcs() {
	for f := range parse().Funcs() {
		fmt.Println(f.Name, f.Entry, len(f.Params), f.Body != nil)
	}
	// Output:
	// fade false 1 false
	// scale true 2 true
}

func ExampleModule_Func() {
	m := parse()
	fmt.Println(m.Func("fade"), m.Func("fading") == nil)
	// Output: .func fade(.reg .f32 x); true
}

func ExampleFunc_Directive() {
	d, ok := parse().Func("scale").Directive("reqntid")
	fmt.Println(d.Args, ok)
	// Output: [128 1 1] true
}

func ExampleFunc_Stmts() {
	labels := 0
	for s := range parse().Func("scale").Stmts() {
		if l, ok := s.(*ptx.Label); ok {
			fmt.Println(l.Name, l.Pos.Line)
			labels++
		}
	}
	fmt.Println(labels)
	// Output:
	// done 25
	// 1
}

func ExampleDirective() {
	fmt.Println(ptx.Directive{Name: "maxntid", Args: []int64{128, 1, 1}})
	fmt.Println(ptx.Directive{Name: "pragma", Strings: []string{"nounroll"}})
	// Output:
	// .maxntid 128, 1, 1
	// .pragma "nounroll";
}

func ExamplePos() {
	f := parse().Func("scale")
	fmt.Println(f.Pos.Line, f.Pos.Col)
	// Output: 10 1
}

func ExampleLinkage() {
	m := parse()
	fmt.Println(m.Func("scale").Linkage == ptx.Visible, m.Func("fade").Linkage == "")
	// Output: true true
}

func ExampleSpace() {
	fmt.Println(&ptx.Var{Linkage: ptx.Extern, Space: ptx.Shared, Type: ptx.B8, Name: "arena", Dims: []int64{-1}})
	// Output: .extern .shared .b8 arena[];
}

func ExamplePtr() {
	fmt.Println(&ptx.Var{Space: ptx.Param, Type: ptx.U64, Ptr: &ptx.Ptr{Space: ptx.Global, Align: 16}, Name: "data"})
	// Output: .param .u64 .ptr .global .align 16 data;
}

func ExampleVersion() {
	fmt.Println(parse().Version)
	// Output: 8.7
}

func ExampleVar() {
	for _, d := range parse().Decls {
		if v, ok := d.(*ptx.Var); ok {
			fmt.Println(v.Space, v.Name, v.Type, v.Dims, v.Align, v.Init)
		}
	}
	// Output:
	// shared arena b8 [-1] 16 <nil>
	// const weights f32 [3] 0 {0f3F800000, 0d3FF8000000000000, 0dC000000000000000}
}

func ExampleVar_Size() {
	v := ptx.Var{Space: ptx.Shared, Vec: 4, Type: ptx.F32, Name: "tile", Dims: []int64{32, 33}}
	fmt.Println(v.Size(), "bytes:", &v)
	// Output: 16896 bytes: .shared .v4 .f32 tile[32][33];
}

func ExampleType_Bits() {
	fmt.Println(ptx.F32.Bits(), ptx.Type("e4m3x2").Bits(), ptx.Pred.Bits(), ptx.Type("f31").Bits())
	// Output: 32 16 1 0
}

func ExampleOp() {
	op := ptx.Op("ld.global.L1::no_allocate.v4.f32")
	fmt.Println(op.Name(), op.Space(), op.Vec(), op.Type())
	// Output: ld global 4 f32
}

func ExampleOp_Name() {
	fmt.Println(ptx.Op("cp.async.bulk.commit_group").Name())
	// Output: cp
}

func ExampleOp_Mods() {
	fmt.Println(slices.Collect(ptx.Op("mma.sync.aligned.m16n8k16").Mods()))
	// Output: [sync aligned m16n8k16]
}

func ExampleOp_Has() {
	op := ptx.Op("cp.async.bulk.commit_group")
	fmt.Println(op.Has("bulk"), op.Has("tensor"))
	// Output: true false
}

func ExampleOp_Types() {
	fmt.Println(ptx.Op("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32").Types())
	// Output: [f32 bf16 bf16 f32]
}

func ExampleOp_Type() {
	fmt.Println(ptx.Op("add.rn.ftz.f32").Type(), ptx.Op("bar.sync").Type() == "")
	// Output: f32 true
}

func ExampleOp_Space() {
	fmt.Println(ptx.Op("st.async.shared::cluster.b32").Space(), ptx.Op("ld.u32").Space() == "")
	// Output: shared::cluster true
}

func ExampleOp_Vec() {
	fmt.Println(ptx.Op("ld.global.v4.f32").Vec(), ptx.Op("ld.global.f32").Vec())
	// Output: 4 1
}

// Every part of a module prints as it does in the module.
func ExampleNode() {
	f := parse().Func("scale")
	fmt.Println(f.Params[0])
	fmt.Println(f.Body.Stmts[0])
	fmt.Println(f.Body.Stmts[5].(*ptx.Instr).Operands[1])
	// Output:
	// .param .u64 data;
	// .reg .pred p;
	// %tid.x
}

// The example prints an operand of each kind.
func ExampleOperand() {
	for _, x := range []ptx.Operand{
		ptx.Name("%tid.x"), ptx.Int(-8), ptx.Bits32(0x3f800000), ptx.Bits64(0x3ff0000000000000), ptx.Sink,
		ptx.Addr{Base: ptx.Name("%rd1"), Offset: 16},
		ptx.Addr{Base: ptx.Name("map"), Args: []ptx.Operand{ptx.Vec{ptx.Name("x"), ptx.Name("y")}}},
		ptx.Vec{ptx.Name("%r1"), ptx.Sink},
		ptx.Pair{First: "p", Second: "q"},
		ptx.Not("p"),
		ptx.Sym{Name: "tile", Offset: 4},
		ptx.Elem{Array: "tile", Index: ptx.Int(3)},
		ptx.Args{ptx.Name("a"), ptx.Name("b")},
		ptx.Field{Name: "filter_mode", Value: "nearest"},
	} {
		fmt.Println(x)
	}
	// Output:
	// %tid.x
	// -8
	// 0f3F800000
	// 0d3FF0000000000000
	// _
	// [%rd1+16]
	// [map, {x, y}]
	// {%r1, _}
	// p|q
	// !p
	// tile+4
	// tile[3]
	// (a, b)
	// filter_mode = nearest
}

// The example prints a statement of each kind.
func ExampleStmt() {
	for _, s := range []ptx.Stmt{
		&ptx.Instr{Pred: "p", Not: true, Op: "bra.uni", Operands: []ptx.Operand{ptx.Name("done")}},
		&ptx.Label{Name: "done"},
		&ptx.Var{Space: ptx.Reg, Type: ptx.B32, Name: "%r", Count: 100},
		&ptx.Loc{File: 1, Line: 20, Col: 3, Function: "name", At: &ptx.Loc{File: 1, Line: 40, Col: 5}},
		&ptx.Targets{Name: "table", List: []ptx.Name{"one", "two"}},
		&ptx.Prototype{Name: "proto", Params: []*ptx.Var{{Space: ptx.Param, Type: ptx.B32, Name: "_"}}},
		&ptx.Pragma{Strings: []string{"nounroll"}},
		&ptx.Block{Stmts: []ptx.Stmt{&ptx.Instr{Op: "ret"}}},
	} {
		fmt.Println(s)
	}
	// Output:
	// @!p bra.uni done;
	// done:
	// .reg .b32 %r<100>;
	// .loc 1 20 3, function_name name, inlined_at 1 40 5
	// table: .branchtargets one, two;
	// proto: .callprototype _(.param .b32 _);
	// .pragma "nounroll";
	// {
	// 	ret;
	// }
}

// The example prints the declarations that are neither functions nor variables.
func ExampleDecl() {
	for _, d := range []ptx.Decl{
		&ptx.Alias{Name: "f", Of: "g"},
		&ptx.File{Index: 1, Name: "k.cu"},
		&ptx.Section{Name: ".debug_str", Text: ".b8 65, 0"},
	} {
		fmt.Println(d)
	}
	// Output:
	// .alias f, g;
	// .file 1 "k.cu"
	// .section .debug_str
	// {
	// .b8 65, 0
	// }
}

func ExampleBits32() {
	fmt.Println(ptx.Bits32(math.Float32bits(-0.5)))
	// Output: 0fBF000000
}

func ExampleBits64() {
	fmt.Println(ptx.Bits64(math.Float64bits(0.1)))
	// Output: 0d3FB999999999999A
}

func ExampleBits32_Float() {
	fmt.Println(ptx.Bits32(0x40490fdb).Float())
	// Output: 3.1415927
}

func ExampleBits64_Float() {
	fmt.Println(ptx.Bits64(0x3fe0000000000000).Float())
	// Output: 0.5
}

func ExampleNot() {
	fmt.Println(ptx.Not("%p1"))
	// Output: !%p1
}

func ExampleName_Base() {
	fmt.Println(ptx.Name("%tid.x").Base())
	// Output: %tid
}

func ExampleName_Part() {
	fmt.Println(ptx.Name("%tid.x").Part())
	// Output: x
}

func ExampleError_Unwrap() {
	_, err := ptx.Parse(".version")
	code, ok := errors.AsType[ptx.Code](err)
	fmt.Println(code, ok)
	// Output: syntax true
}
