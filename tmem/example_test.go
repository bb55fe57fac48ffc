package tmem_test

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/tmem"
)

// instruction returns tcgen05.mma.kind::f16 with sums of f32.
func instruction(m, n int64, ctas int) descriptor.Instruction {
	return descriptor.Instruction{
		Kind: descriptor.KindF16, A: dtype.F16, B: dtype.F16, D: dtype.F32, M: m, N: n, Group: ctas,
	}
}

// An epilogue: the accumulator of an instruction with M 64, the tcgen05.ld that reads it, and who holds its elements.
func Example() {
	d, err := tmem.Accumulator(instruction(64, 128, 1)) // 16 lanes of each warp
	if err != nil {
		fmt.Println(err)
		return
	}
	l, _ := d.Layout()
	fmt.Println(l, "in", d.Columns(), "columns")

	load := tmem.Access{Shape: "16x256b", Repeat: 16}
	p, err := load.Partition(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(load, "fills", load.Registers(), "registers")
	place, _ := d.Place(50, 77)
	owner, _ := p.Owner(50, 77)
	fmt.Println("(50,77) is in", place)
	fmt.Println(owner)
	// Output:
	// ((16,4),128):((65536,2097152),1) in 128 columns
	// tcgen05.ld.sync.aligned.16x256b.x16.b32 fills 64 registers
	// (50,77) is in lane 98, column 77
	// warp 3, thread 10: register 37, bit 0 of the instruction at 0x00600000
}

func ExampleAddress() {
	a, err := tmem.NewAddress(32, 64)
	fmt.Println(a, a.Lane(), a.Column(), err)
	// Output: 0x00200040 32 64 <nil>
}

func ExampleNewAddress() {
	_, err := tmem.NewAddress(128, 0)
	fmt.Println(err)
	// Output: mode: tmem: expected a lane from 0 to 127 and a column from 0 to 511, found lane 128, column 0
}

func ExamplePlace() {
	p := tmem.Place{Lane: 70, Column: 3}
	fmt.Println(p, p.Address(), "warp", p.Warp())
	// Output: lane 70, column 3 0x00460003 warp 2
}

func ExampleWarpsOf() {
	fmt.Println(tmem.WarpsOf(16, 63))
	// Output: [0 1] <nil>
}

func ExampleDataPathOf() {
	for _, i := range []descriptor.Instruction{instruction(256, 64, 2), instruction(128, 64, 2), instruction(64, 64, 1)} {
		d, err := tmem.DataPathOf(i)
		fmt.Println(i.M, i.CTAs(), d, err)
	}
	// Output:
	// 256 2 A <nil>
	// 128 2 B <nil>
	// 64 1 F <nil>
}

func ExampleDataPath() {
	fmt.Println(tmem.DataPathA, tmem.DataPathG)
	// Output: A G
}

func ExampleAccumulator() {
	for _, i := range []descriptor.Instruction{instruction(128, 64, 1), instruction(64, 64, 1), instruction(128, 64, 2)} {
		d, err := tmem.Accumulator(i)
		if err != nil {
			fmt.Println(err)
			return
		}
		l, _ := d.Layout()
		p, _ := d.Place(33, 40)
		fmt.Println(l, "  (33,40) is in", p)
	}
	// Output:
	// (128,64):(65536,1)   (33,40) is in lane 33, column 40
	// ((16,4),64):((65536,2097152),1)   (33,40) is in lane 65, column 40
	// (64,(32,2)):(65536,(1,4194304))   (33,40) is in lane 97, column 8
}

func ExampleOperandA() {
	a, err := tmem.OperandA(instruction(128, 64, 1), 64)
	l, _ := a.Layout()
	p, _ := a.Place(1, 5)
	fmt.Println(l, a.Columns(), "columns;", p, err)
	// Output: (128,64):(131072,1) 32 columns; lane 1, column 2, bit 16 <nil>
}

func ExampleTensor() {
	d, _ := tmem.Accumulator(instruction(64, 32, 1))
	at, _ := tmem.NewAddress(16, 128)
	d, err := d.Move(at)
	coord, found, _ := d.Find(tmem.Place{Lane: 49, Column: 130})
	fmt.Println(d.Address(), d.Columns(), coord, found, err)
	// Output: 0x00100080 32 [17 2] true <nil>
}

func ExampleTensor_Coordinates() {
	d, _ := tmem.Accumulator(instruction(64, 32, 1))
	fmt.Println(d.Coordinates())
	// Output: ((16,4),32):((1@0,32@0),32@1) <nil>
}

func ExampleTensor_Tile() {
	d, _ := tmem.Accumulator(instruction(64, 32, 1))
	for _, tile := range []func(...int64) (tmem.Tensor, error){d.Tile, d.TileColumns} {
		t, _ := tile(2)
		l, _ := t.Layout()
		fmt.Println(l, t.Columns(), "columns")
	}
	// Output:
	// (((16,4),32),2):(((65536,2097152),1),1048576) 32 columns
	// (((16,4),32),2):(((65536,2097152),1),32) 64 columns
}

func ExampleTensor_Compose() {
	d, _ := tmem.Accumulator(instruction(128, 64, 2))
	part, err := d.Compose(cute.MakeTile(cute.MustParseTiler("32:1"), cute.MustParseTiler("32:2")))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(part.Layout())
	// Output: (32,(16,2)):(65536,(2,4194304)) <nil>
}

func ExampleAccess() {
	load := tmem.Access{Shape: "16x256b", Repeat: 2}
	l, err := load.ThreadValue(32)
	fmt.Println(load, load.Registers(), "registers")
	fmt.Println(l, err)
	// Output:
	// tcgen05.ld.sync.aligned.16x256b.x2.b32 8 registers
	// ((4,8),(2,2,2)):((2,65536),(1,524288,8)) <nil>
}

func ExampleParseAccess() {
	fmt.Println(tmem.ParseAccess("32x32b.x16.pack::16b"))
	// Output: tcgen05.ld.sync.aligned.32x32b.x16.pack::16b.b32 <nil>
}

func ExampleAccess_Partition() {
	d, _ := tmem.Accumulator(instruction(64, 32, 1))
	_, err := tmem.Access{Shape: "32x32b", Repeat: 32}.Partition(d)
	fmt.Println(err)
	p, err := tmem.Access{Shape: "16x256b", Repeat: 4}.Partition(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	o, _ := p.Owner(33, 21)
	fmt.Println(o)
	fmt.Println(p.Element(o))
	// Output:
	// mode: tmem: tcgen05.ld.sync.aligned.32x32b.x32.b32 reaches 32 lanes of a warp, found a tensor in 16 of them
	// warp 2, thread 6: register 9, bit 0 of the instruction at 0x00400000
	// [33 21] true <nil>
}

func ExamplePartition() {
	half := instruction(128, 32, 1)
	half.D = dtype.F16
	d, _ := tmem.Accumulator(half) // each f16 has a column
	p, err := tmem.Access{Shape: "32x32b", Repeat: 16, Packed: true}.Partition(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Owner(40, 7))
	// Output:
	// warp 1, thread 8: register 3, bit 16 of the instruction at 0x00200000 <nil>
}

func ExampleOwner() {
	d, _ := tmem.Accumulator(instruction(128, 32, 1))
	p, _ := tmem.Access{Shape: "32x32b", Repeat: 8}.Partition(d)
	fmt.Println(p.Element(tmem.Owner{Warp: 3, Thread: 4, At: 0x00600010, Register: 5}))
	// Output: [100 21] true <nil>
}

func ExampleAccess_TiledCopy() {
	d, _ := tmem.Accumulator(instruction(128, 64, 1))
	c, err := tmem.Access{Shape: "32x32b", Repeat: 16}.TiledCopy(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.TilerText(), c.LayoutDstTV())
	// Output: ((4,32):(32,1),16:1) ((32,4),(16,1)):((4,1),(128,0))
}

func ExampleFindFill() {
	_, err := tmem.FindFill("64x128b")
	fmt.Println(err)
	// Output: name: tmem: unknown shape "64x128b" of tcgen05.cp
}

func ExampleFill() {
	for _, name := range []string{"64x128b.warpx2::02_13", "64x128b.warpx2::01_23", "32x128b.warpx4"} {
		f, _ := tmem.FindFill(name)
		l, _ := f.Layout(32)
		fmt.Println(f.String(), "copies", f.Rows(), "rows of", f.RowBits(), "bits:", l)
	}
	// Output:
	// 64x128b.warpx2::02_13 copies 64 rows of 128 bits: (64,4,2):(65536,1,4194304)
	// 64x128b.warpx2::01_23 copies 64 rows of 128 bits: ((32,2),4,2):((65536,4194304),1,2097152)
	// 32x128b.warpx4 copies 32 rows of 128 bits: (32,4,4):(65536,1,2097152)
}

func ExampleAlloc() {
	d, _ := tmem.Accumulator(instruction(64, 96, 1))
	a, err := tmem.Alloc(tmem.BufferOf("D0", d), tmem.BufferOf("D1", d), tmem.Buffer{Name: "SFA", Columns: 4})
	fmt.Println(a.Addresses, a.Least, "of", a.Columns, "columns", err)
	fmt.Println(a.Proof)
	// Output:
	// [0x00000004 0x00100004 0x00000000] 100 of 128 columns <nil>
	// 4 columns in all lanes, and 192 in half of the lanes: 96
}

func ExampleAllocation() {
	_, err := tmem.Alloc(
		tmem.Buffer{Name: "D", Columns: 256}, tmem.Buffer{Name: "A", Columns: 128, Half: true},
		tmem.Buffer{Name: "B", Columns: 160, Half: true}, tmem.Buffer{Name: "C", Columns: 160, Half: true},
	)
	fmt.Println(err)
	// Output: limit: tmem: expected buffers of at most 512 columns together: 256 columns in all lanes, and 448 in half of the lanes: 288, since none of them have a sum from 161 to 287
}

func ExampleBuffer() {
	a, _ := tmem.Alloc(tmem.Buffer{Name: "D", Columns: 64}, tmem.Buffer{Name: "E", Columns: 64})
	a.Addresses = []tmem.Address{0, 32} // computed elsewhere
	fmt.Println(a.Verify())
	// Output: not_injective: tmem: buffers "D" and "E" share column 32
}

func ExampleBufferOf() {
	d, _ := tmem.Accumulator(instruction(64, 96, 1))
	fmt.Printf("%+v\n", tmem.BufferOf("D", d))
	// Output: {Name:D Columns:96 Half:true}
}

// nvfp4 returns tcgen05.mma.kind::mxf4nvf4 with a factor for 16 elements.
func nvfp4(o atom.Operand) tmem.ScaleFactors {
	return tmem.ScaleFactors{Operand: o, Vector: 16, Instruction: descriptor.Instruction{
		Kind: descriptor.KindMXF4NVF4, A: dtype.E2M1, B: dtype.E2M1, D: dtype.F32, Scale: dtype.UE4M3,
		M: 128, N: 128, Group: 1,
	}}
}

func ExampleScaleFactors() {
	sfa := nvfp4(atom.OperandA)
	global, _ := sfa.GlobalLayout(256, 128)
	shared, _ := sfa.SharedLayout(256, 128)
	in, err := sfa.Tensor(256, 128)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("global", global)
	fmt.Println("shared", shared)
	b, _ := global.Eval(cute.Ints(200, 100))
	s, _ := shared.Eval(cute.Ints(200, 100))
	p, _ := in.Place(200, 100, 1)
	fmt.Println("row 200, k 100: byte", b, "in global memory, byte", s, "in shared memory;", p)
	// Output:
	// global (((32,4),2),((16,4),2)):(((16,4),1024),((0,1),512))
	// shared (((32,4),2),((16,4),2)):(((16,4),512),((0,1),1024))
	// row 200, k 100: byte 1674 in global memory, byte 1674 in shared memory; lane 40, column 14, bit 16
}

func ExampleScaleStep() {
	mxfp4 := nvfp4(atom.OperandB)
	mxfp4.Vector, mxfp4.Instruction.Scale = 32, dtype.UE8M0
	fmt.Println("an instruction reads", mxfp4.PerStep(), "factors along K")
	for step := range int64(3) {
		at, err := mxfp4.Step(128, step)
		fmt.Println("column", at.Column, "SFB_ID", at.ID, err)
	}
	// Output:
	// an instruction reads 2 factors along K
	// column 0 SFB_ID 0 <nil>
	// column 0 SFB_ID 2 <nil>
	// column 4 SFB_ID 0 <nil>
}

// The accumulators of two tiles along M, as CuTe's make_fragment_C places them.
func ExampleFragment() {
	m, err := atom.FindMMA("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,K,K>")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := tmem.Fragment(m, atom.OperandC, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := c.Layout()
	fmt.Println(l, "in", c.Columns(), "columns", err)
	_, err = tmem.Fragment(m, atom.OperandA, 2, 1)
	fmt.Println(err)
	// Output:
	// ((128,64),2,1):((65536,1),64,0) in 128 columns <nil>
	// type: tmem: A of SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K> is in shared memory, not in tensor memory
}

func ExampleAccessOf() {
	c, err := atom.FindCopy("SM100_TMEM_LOAD_16dp256b4x")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := tmem.AccessOf(c)
	fmt.Println(a, a.Registers(), err)
	// Output: tcgen05.ld.sync.aligned.16x256b.x4.b32 16 <nil>
}
