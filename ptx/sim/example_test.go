package sim_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
	"girih/tensormap"
)

// square is the kernel of the examples: out[i] = in[i] * in[i] for i < n.
const square = `.version 8.0
.target sm_80
.address_size 64
.global .u32 runs = 7;
.visible .entry square(.param .u64 in, .param .u64 out, .param .u32 n)
{
	.reg .pred %p<1>; .reg .b32 %r<4>; .reg .b64 %rd<5>;
	ld.param.u64 %rd0, [in];
	ld.param.u64 %rd1, [out];
	ld.param.u32 %r0, [n];
	mov.u32 %r1, %tid.x;
	setp.ge.u32 %p0, %r1, %r0;
	@%p0 ret;
	mad.wide.u32 %rd3, %r1, 4, %rd0;
	mad.wide.u32 %rd4, %r1, 4, %rd1;
	ld.global.u32 %r2, [%rd3];
	mul.lo.u32 %r2, %r2, %r2;
	st.global.u32 [%rd4], %r2;
	ret;
}`

// loaded returns the program of square, and its memory with four numbers and space for their squares.
func loaded() (p *sim.Program, m *sim.Memory, in, out *sim.Buffer) {
	module, err := ptx.Parse(square)
	if err != nil {
		panic(err)
	}
	if p, err = sim.Load(module); err != nil {
		panic(err)
	}
	if m, err = p.NewMemory(); err != nil {
		panic(err)
	}
	data, _ := binary.Append(nil, binary.LittleEndian, []uint32{1, 2, 3, 4})
	if in, err = m.Put("in", data); err != nil {
		panic(err)
	}
	if out, err = m.Alloc("out", 16); err != nil {
		panic(err)
	}
	return p, m, in, out
}

func Example() {
	p, m, in, out := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: 1}, Block: sim.Dim{X: 32},
		Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(4)},
	})
	fmt.Println(out.Bytes(), err)
	// Output: [1 0 0 0 4 0 0 0 9 0 0 0 16 0 0 0] <nil>
}

func ExampleFinding() {
	p, m, in, out := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(5)},
	})
	if f, ok := errors.AsType[*sim.Finding](err); ok {
		fmt.Println(f.Kind, f.Pos.Line, f.Thread)
		fmt.Println(f.Message)
	}
	// Output:
	// out-of-bounds 16 (4,0,0)
	// 4 bytes read at address 0x7f0000001210: 0 bytes after the end of in, 16 bytes at 0x7f0000001200
}

func ExampleFinding_Error() {
	f := &sim.Finding{Kind: sim.KindTrap, Pos: ptx.Pos{Line: 12}, Op: "trap", Source: "kernel.cu:3", Message: "trap in lanes 0x1"}
	fmt.Println(f)
	// Output: trap: line 12 (kernel.cu:3), trap, block (0,0,0) thread (0,0,0): trap in lanes 0x1
}

func ExampleKind() {
	p, m, in, out := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{Args: []sim.Arg{sim.Pointer(out, 0), sim.Pointer(in, 0), sim.U32(1)}})
	f, ok := errors.AsType[*sim.Finding](err)
	fmt.Println(ok && f.Kind == sim.KindUninitialised)
	// Output: true
}

func ExampleDim_String() {
	fmt.Println(sim.Dim{X: 32, Y: 8, Z: 1})
	// Output: (32,8,1)
}

func ExampleError() {
	p, m, _, _ := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{Entry: "cube"})
	e, ok := errors.AsType[*sim.Error](err)
	fmt.Println(ok && e.Code == sim.CodeEntry, err)
	// Output: true entry: the module has no kernel "cube", but square
}

func ExampleError_Error() {
	p, m, in, _ := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{Args: []sim.Arg{sim.Pointer(in, 0), sim.U32(4), sim.U32(4)}})
	fmt.Println(err)
	// Output: argument: parameter 1, out, has 8 bytes, found an argument of 4
}

func ExampleError_Unwrap() {
	p, m, in, out := loaded()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	_, err := p.Run(ctx, m, sim.Launch{Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(4)}})
	fmt.Println(errors.Is(err, context.Canceled))
	// Output: true
}

func ExampleCode() {
	p, m, _, _ := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{Block: sim.Dim{X: 2048}})
	fmt.Println(err)
	// Output: launch: a block of (2048,1,1), and it may be (1024,1024,64), 1024 in all
}

func ExampleLoad() {
	module, err := ptx.Parse(square)
	if err != nil {
		panic(err)
	}
	p, err := sim.Load(module)
	fmt.Println(p.Kernels(), err)
	// Output: [square] <nil>
}

func ExampleProgram_Kernels() {
	p, _, _, _ := loaded()
	fmt.Println(p.Kernels())
	// Output: [square]
}

func ExampleProgram_Bytes() {
	m, err := ptx.Parse(".version 9.0\n.target sm_90a\n.address_size 64\n.global .f32 weights[1000];\n.const .b8 table[24];\n")
	if err != nil {
		panic(err)
	}
	p, err := sim.Load(m)
	fmt.Println(p.Bytes(), err)
	// Output: 4024 <nil>
}

func ExampleProgram_NewMemory() {
	p, _, _, _ := loaded()
	m, err := p.NewMemory()
	fmt.Println(m != nil, err)
	// Output: true <nil>
}

func ExampleProgram_Run() {
	p, m, in, out := loaded()
	res, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(4)},
	})
	fmt.Println(res.Instructions, res.Lanes, len(res.Findings), err)
	// The second warp has no number to square, so it ends at line 13.
	for _, l := range res.Lines[5:8] {
		fmt.Println(l.Line, l.Op, l.Warps, l.Lanes)
	}
	// Output:
	// 18 404 0 <nil>
	// 13 ret 2 60
	// 14 mad.wide.u32 1 4
	// 15 mad.wide.u32 1 4
}

func ExampleMemory_Variable() {
	_, m, _, _ := loaded()
	runs, err := m.Variable("runs")
	fmt.Println(runs.Bytes(), err)
	// Output: [7 0 0 0] <nil>
}

func ExampleMemory_Alloc() {
	_, m, _, _ := loaded()
	b, err := m.Alloc("scratch", 64)
	fmt.Println(len(b.Bytes()), b.Written(0, 64), err)
	// Output: 64 false <nil>
}

func ExampleMemory_Put() {
	_, m, _, _ := loaded()
	b, err := m.Put("data", []byte{1, 2, 3})
	fmt.Println(b.Bytes(), b.Address()%512, err)
	// Output: [1 2 3] 0 <nil>
}

func ExampleBuffer_Address() {
	_, _, in, out := loaded()
	fmt.Println(out.Address()-in.Address() > 4096)
	// Output: true
}

func ExampleBuffer_Bytes() {
	_, _, in, _ := loaded()
	fmt.Println(in.Bytes()[:8])
	// Output: [1 0 0 0 2 0 0 0]
}

func ExampleBuffer_Written() {
	p, m, in, out := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(3)},
	})
	fmt.Println(out.Written(0, 12), out.Written(12, 4), err)
	// Output: true false <nil>
}

func ExamplePointer() {
	p, m, in, out := loaded()
	_, err := p.Run(context.Background(), m, sim.Launch{
		Args: []sim.Arg{sim.Pointer(in, 8), sim.Pointer(out, 0), sim.U32(1)},
	})
	fmt.Println(out.Bytes()[0], err)
	// Output: 9 <nil>
}

func ExampleBytes() {
	p, m, in, out := loaded()
	four := sim.Bytes([]byte{4, 0, 0, 0}) // the same as U32(4)
	res, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.U64(in.Address()), sim.Pointer(out, 0), four},
	})
	fmt.Println(res.Instructions, err)
	// Output: 12 <nil>
}

// The example copies a box of 2 rows from a tensor of 3 rows with 12 words each to shared memory, and from there to
// out.
func ExampleTensorMap() {
	mod, _ := ptx.Parse(`.version 9.0
.target sm_90a
.address_size 64
.visible .entry box(.param .align 64 .b8 map[128], .param .u64 out)
{
	.reg .pred %p; .reg .b32 %to, %bar, %x, %y; .reg .b64 %map, %out;
	.shared .align 128 .b8 tile[32];
	.shared .align 8 .b64 full;
	mov.b64 %map, map; cvta.param.u64 %map, %map;
	ld.param.u64 %out, [out];
	mov.u32 %to, tile; mov.u32 %bar, full; mov.u32 %x, 4; mov.u32 %y, 1;
	mbarrier.init.shared::cta.b64 [%bar], 1;
	fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 32;
	cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%to], [%map, {%x, %y}], [%bar];
L:	mbarrier.try_wait.parity.shared::cta.b64 %p, [%bar], 0;
	@!%p bra L;
	cp.async.bulk.global.shared::cta.bulk_group [%out], [%to], 32;
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;
}`)
	p, _ := sim.Load(mod)
	m, _ := p.NewMemory()
	var rows []byte
	for i := range uint32(36) {
		rows = binary.LittleEndian.AppendUint32(rows, 100*(i/12)+i%12)
	}
	tensor, _ := m.Put("tensor", rows)
	out, _ := m.Alloc("out", 32)
	object, err := sim.TensorMap(tensormap.Map{
		Type: tensormap.UInt32, Address: tensor.Address(), Dims: []int64{12, 3}, Strides: []int64{48}, Box: []int64{4, 2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = p.Run(context.Background(), m, sim.Launch{Args: []sim.Arg{object, sim.Pointer(out, 0)}})
	words := make([]uint32, 8)
	_, _ = binary.Decode(out.Bytes(), binary.LittleEndian, words)
	fmt.Println(words, err)
	// Output: [104 105 106 107 204 205 206 207] <nil>
}

// The argument is a structure of 16 bytes with a pointer at byte 8.
func ExampleArg_At() {
	a, err := sim.Bytes(make([]byte, 16)).At(8, sim.U64(0x7f0000000200))
	fmt.Printf("%x %v\n", a.Bytes(), err)
	_, err = a.At(12, sim.U64(1))
	fmt.Println(err)
	// Output:
	// 000000000000000000020000007f0000 <nil>
	// argument: 8 bytes at offset 12 of an argument of 16
}

func ExampleArg_Bytes() {
	fmt.Printf("%x\n", sim.U32(0x01020304).Bytes())
	// Output: 04030201
}

func ExampleProgram_RunSeeds() {
	p, m, in, out := loaded()
	res, err := p.RunSeeds(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 64}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(4)},
	}, 20)
	fmt.Println(res.Instructions, out.Bytes()[12], err)
	// Output: 18 16 <nil>
}

// A buffer of a recorded launch keeps its address.
func ExampleMemory_Place() {
	_, m, _, _ := loaded()
	b, err := m.Place("weights", 0x7f3c00000200, 4, []byte{1, 2, 3, 4})
	fmt.Printf("0x%x %v %v\n", b.Address(), b.Bytes(), err)
	// Output: 0x7f3c00000200 [1 2 3 4] <nil>
}

// No other buffer is placed in a reserved range, whose contents are unknown.
func ExampleMemory_Reserve() {
	_, m, _, _ := loaded()
	fmt.Println(m.Reserve("cache", 0x7f3c00000000, 1<<34))
	_, err := m.Place("weights", 0x7f3c00000200, 4, nil)
	fmt.Println(err)
	// Output:
	// <nil>
	// memory: buffer "weights" of 4 bytes at address 0x7f3c00000200: cache has 17179869184 bytes at 0x7f3c00000000
}
