package atom_test

import (
	"errors"
	"fmt"

	"girih"
	"girih/atom"
	"girih/dtype"
)

// check ends an example that fails.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// ldsmA returns the copy of A from shared memory with ldmatrix.x4, of four warps of SM80_16x8x16.
func ldsmA() (atom.TiledCopy, atom.TiledMMA) {
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	check(err)
	mma, err := atom.MakeTiledMMA(m, girih.MustParse("(2,2,1):(1,2,0)"), girih.Ints(32, 32, 16))
	check(err)
	a, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	check(err)
	c, err := atom.MakeTiledCopyA(a, mma)
	check(err)
	return c, mma
}

// rows returns the copy of 8 halves in a row by each of 256 threads.
func rows() atom.TiledCopy {
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")
	check(err)
	c, err := atom.MakeTiledCopy(a, girih.MustParse("(32,8):(8,1)"), girih.MustParse("(1,8):(0,1)"))
	check(err)
	return c
}

func ExampleCopy() {
	c, err := atom.FindCopy("SM75_U16x8_LDSM_T")
	check(err)
	fmt.Println(c.Arch, c.Text)
	fmt.Println("threads", c.ThrID)
	fmt.Println("rows   ", c.Src)
	fmt.Println("holds  ", c.Dst)
	// Output:
	// sm75 ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];
	// threads 32:1
	// rows    (32,128):(128,1)
	// holds   ((4,8),(16,2,4)):((256,16),(1,128,1024))
}

func ExampleCopy_Bits() {
	c, err := atom.FindCopy("SM75_U32x1_LDSM_N")
	check(err)
	fmt.Println(c.Src, "8 threads give rows of 128 bits, the others give the same ones")
	fmt.Println(c.Bits())
	// Output:
	// ((8,4),128):((128,0),1) 8 threads give rows of 128 bits, the others give the same ones
	// 1024
}

func ExampleCopy_Threads() {
	c, err := atom.FindCopy("SM90_U32x4_STSM_N")
	check(err)
	fmt.Println(c.Threads())
	// Output:
	// 32
}

func ExampleCopy_Fit() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, girih.MustParse("(128,64):(72,1)"), dtype.F16)
	check(err)
	c, err := atom.FindCopy("SM75_U32x4_LDSM_N")
	check(err)
	f, err := c.Fit(r)
	check(err)
	fmt.Println(f.Fits, f.Reason)
	r.Memory = girih.MustParse("(128,64):(68,1)")
	f, err = c.Fit(r)
	check(err)
	fmt.Println(f.Fits, f.Reason)
	fmt.Println(f.Hint)
	// Output:
	// true Each thread has 8 elements of an instruction, and executes 16 instructions.
	// false 16 bytes behind one address of thread 1 begin with (1,0) at offset 68, that is bit 1088, which is no multiple of 128.
	// strides between rows that are multiples of 8 elements
}

func ExampleCopySide() {
	c, err := atom.FindCopy("SM75_U32x4_LDSM_N")
	check(err)
	fmt.Println("from", c.From.Space, c.From.Unit, "bits at a multiple of", c.From.Align)
	fmt.Println("to", c.To.Space, c.To.Count, "of", c.To.Unit, "bits")
	// Output:
	// from shared memory 128 bits at a multiple of 128
	// to registers 4 of 32 bits
}

func ExampleCopySide_Registers() {
	c, err := atom.FindCopy("SM100_TMEM_LOAD_32dp32b64x")
	check(err)
	fmt.Println(c.From.Registers(), c.To.Registers())
	// Output:
	// 0 64
}

func ExampleCopyKind_String() {
	c, err := atom.FindCopy("SM90_TMA_LOAD<16384>")
	check(err)
	fmt.Println(c.Kind)
	// Output:
	// TMA
}

func ExampleCopies() {
	kinds := map[atom.CopyKind]int{}
	for c := range atom.Copies() {
		kinds[c.Kind]++
	}
	fmt.Println(kinds[atom.MatrixCopy], "for matrices,", kinds[atom.TMEMCopy], "for tensor memory")
	// Output:
	// 24 for matrices, 162 for tensor memory
}

func ExampleCopyNames() {
	for name := range atom.CopyNames() {
		fmt.Println(name)
		break
	}
	// Output:
	// UniversalCopy<uint8_t>
}

func ExampleFindCopy() {
	_, err := atom.FindCopy("SM75_U32x4_LDSN_N")
	if e, ok := errors.AsType[*girih.Error](err); ok {
		fmt.Println(e.Msg)
		fmt.Println(e.Hint)
	}
	_, err = atom.FindCopy("SM90_TMA_LOAD")
	fmt.Println(err)
	// Output:
	// no copy operation is called "SM75_U32x4_LDSN_N"
	// did you mean SM75_U32x4_LDSM_N?
	// type: copy_atom: SM90_TMA_LOAD needs the number of bits that one instruction moves in angle brackets
}

func ExampleCopyAtom() {
	a, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	check(err)
	fmt.Print(a)
	// Output:
	// Copy_Atom
	//   ThrID:        32:1
	//   ValLayoutSrc: (32,8):(8,1)
	//   ValLayoutDst: (32,(2,4)):(2,(1,64))
	//   ValLayoutRef: (32,(2,4)):(2,(1,64))
	//   ValueType:    16b
}

func ExampleMakeCopyAtom() {
	c, err := atom.FindCopy("SM75_U16x8_LDSM_T")
	check(err)
	a, err := atom.MakeCopyAtom(c, dtype.S8)
	check(err)
	fmt.Println(a.ValDst, "pairs stay together")
	_, err = atom.MakeCopyAtom(c, dtype.F32)
	fmt.Println(err)
	// Output:
	// ((4,8),(2,2,4)):((32,2),(1,16,128)) pairs stay together
	// type: copy_atom: CopyOperation is not valid for Dst of ValType: a value of 32 bits (f32) would be shared: SM75_U16x8_LDSM_T gives it to 2 of the 32 threads
}

func ExampleFindCopyAtom() {
	a, err := atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "float")
	check(err)
	fmt.Println(a.ValSrc)
	// Output:
	// (1,4):(0,1)
}

func ExampleCopyAtom_NumVal() {
	a, err := atom.FindCopyAtom("SM75_U32x2_LDSM_N", "half_t")
	check(err)
	fmt.Println(a.NumVal())
	// Output:
	// 4
}

func ExampleCopyAtom_NumValSrc() {
	a, err := atom.FindCopyAtom("SM75_U32x2_LDSM_N", "half_t")
	check(err)
	fmt.Println(a.NumValSrc(), "in a row of 16 bytes")
	// Output:
	// 8 in a row of 16 bytes
}

func ExampleCopyAtom_NumValDst() {
	a, err := atom.FindCopyAtom("SM75_U32x2_LDSM_N", "half_t")
	check(err)
	fmt.Println(a.NumValDst(), "in two registers")
	// Output:
	// 4 in two registers
}

func ExampleCopyAtom_String() {
	a, err := atom.FindCopyAtom("UniversalCopy<float>", "float")
	check(err)
	fmt.Print(a)
	// Output:
	// Copy_Atom
	//   ThrID:        1:0
	//   ValLayoutSrc: (1,1):(0,1)
	//   ValLayoutDst: (1,1):(0,1)
	//   ValLayoutRef: (1,1):(0,1)
	//   ValueType:    32b
}

func ExampleTiledCopy() {
	c, _ := ldsmA()
	fmt.Println("reference  ", c.LayoutTV())
	fmt.Println("source     ", c.LayoutSrcTV())
	fmt.Println("destination", c.LayoutDstTV())
	// Output:
	// reference   ((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))
	// source      ((16,2,2,2),(8,1)):((1,256,16,0),(32,0))
	// destination ((4,8,2,2),((2,2,2),1)):((64,1,16,0),((32,8,256),0))
}

func ExampleMakeTiledCopy() {
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")
	check(err)
	c, err := atom.MakeTiledCopy(a, girih.MustParse("(32,8):(8,1)"), girih.MustParse("(1,8):(0,1)"))
	check(err)
	fmt.Print(c)
	_, err = atom.MakeTiledCopy(a, girih.MustParse("(32,8):(8,1)"), girih.MustParse("(1,4):(0,1)"))
	fmt.Println(err)
	// Output:
	// TiledCopy
	//   Tiler_MN:       (32,64)
	//   TiledLayout_TV: ((8,32),8):((256,1),32)
	// Copy_Atom
	//   ThrID:        1:0
	//   ValLayoutSrc: (1,8):(0,1)
	//   ValLayoutDst: (1,8):(0,1)
	//   ValLayoutRef: (1,8):(0,1)
	//   ValueType:    16b
	// not_divisible: make_tiled_copy_impl: TiledCopy uses too few vals for selected CopyAtom: UniversalCopy<uint128_t> takes 8 values of f16 from each thread, and the layout ((8,32),4):((128,1),32) has 4
}

func ExampleMakeTiledCopyTV() {
	a, err := atom.FindCopyAtom("UniversalCopy<uint32_t>", "half_t")
	check(err)
	c, err := atom.MakeTiledCopyTV(a, girih.MustParse("((4,8),(2,2)):((32,1),(16,8))"), girih.Ints(16, 8))
	check(err)
	fmt.Println(c.LayoutSrcTV())
	// Output:
	// ((4,8),(2,2)):((32,1),(16,8))
}

func ExampleMakeCotiledCopy() {
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "float")
	check(err)
	// Thread t has the addresses 4t to 4t+3 of a column-major matrix.
	c, err := atom.MakeCotiledCopy(a, girih.MustParse("(32,4):(4,1)"), girih.MustParse("(16,8):(1,16)"))
	check(err)
	fmt.Println(c.TilerText(), c.LayoutTV())
	_, err = atom.MakeCotiledCopy(a, girih.MustParse("(32,4):(4,1)"), girih.MustParse("(16,8):(1,20)"))
	fmt.Println(err)
	// Output:
	// ((4,4):(4,1),8:1) ((4,8),4):((1,16),4)
	// not_invertible: make_cotiled_copy: The memory pointed to by AtomTVLayout does not exist in the DataLayout: thread 4, value 0 of (32,4):(4,1) is at offset 16, and (16,8):(1,20) has no coordinate there
}

func ExampleMakeTiledCopyA() {
	c, _ := ldsmA()
	thread, err := c.Thread(33)
	check(err)
	part, offset, err := thread.PartitionS(girih.MustParse("(128,64):(64,1)"))
	check(err)
	fmt.Println(part, "from", offset)
	// Output:
	// ((8,1),4,4):((1,0),2048,16) from 1088
}

func ExampleMakeTiledCopyB() {
	_, mma := ldsmA()
	a, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t")
	check(err)
	c, err := atom.MakeTiledCopyB(a, mma)
	check(err)
	fmt.Println(c.LayoutSrcTV())
	// Output:
	// ((8,2,2,2,2),(8,1)):((1,256,16,0,8),(32,0))
}

func ExampleMakeTiledCopyC() {
	_, mma := ldsmA()
	a, err := atom.FindCopyAtom("UniversalCopy<uint64_t>", "float")
	check(err)
	c, err := atom.MakeTiledCopyC(a, mma)
	check(err)
	fmt.Println(c.TilerText(), c.LayoutSrcTV())
	// Output:
	// (32,32) ((4,8,2,2),(2,(2,2))):((64,1,16,256),(32,(8,512)))
}

func ExampleMakeTiledCopyCAtom() {
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	check(err)
	mma, err := atom.MakeTiledMMA(m, girih.MustParse("(2,2,1):(1,2,0)"), nil)
	check(err)
	a, err := atom.FindCopyAtom("SM90_U32x2_STSM_N", "half_t")
	check(err)
	c, err := atom.MakeTiledCopyCAtom(a, mma)
	check(err)
	fmt.Println(c.TilerText())
	fmt.Println(c.LayoutTV())
	// Output:
	// ((8,2,2):(1,16,8),(8,2):(2,1))
	// ((4,8,2,2),(2,2)):((32,1,8,128),(256,16))
}

func ExampleMakeTiledCopyS() {
	c, _ := ldsmA()
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")
	check(err)
	s, err := atom.MakeTiledCopyS(a, c)
	check(err)
	fmt.Println(s.LayoutTV(), "the rows that ldmatrix reads")
	// Output:
	// ((16,2,2,2),(8,1)):((1,256,16,0),(32,0)) the rows that ldmatrix reads
}

func ExampleMakeTiledCopyD() {
	c, _ := ldsmA()
	a, err := atom.FindCopyAtom("UniversalCopy<uint32_t>", "half_t")
	check(err)
	d, err := atom.MakeTiledCopyD(a, c)
	check(err)
	fmt.Println(d.LayoutTV(), "what ldmatrix writes")
	// Output:
	// ((4,8,2,2),((2,2,2),1)):((64,1,16,0),((32,8,256),0)) what ldmatrix writes
}

func ExampleTiledCopy_Atom() {
	fmt.Println(rows().Atom().Name)
	// Output:
	// UniversalCopy<uint128_t>
}

func ExampleTiledCopy_LayoutTV() {
	tv := rows().LayoutTV()
	index, err := tv.Eval(girih.Ints(9, 3)) // thread 9, value 3
	check(err)
	fmt.Println(tv, index)
	// Output:
	// ((8,32),8):((256,1),32) 353
}

func ExampleTiledCopy_LayoutSrcTV() {
	fmt.Println(rows().LayoutSrcTV())
	// Output:
	// ((8,32),(8,1)):((256,1),(32,0))
}

func ExampleTiledCopy_LayoutDstTV() {
	fmt.Println(rows().LayoutDstTV())
	// Output:
	// ((8,32),(8,1)):((256,1),(32,0))
}

func ExampleTiledCopy_Tiler() {
	fmt.Println(rows().Tiler())
	// Output:
	// (32,64)
}

func ExampleTiledCopy_TilerText() {
	fmt.Println(rows().TilerText())
	// Output:
	// (32,64)
}

func ExampleTiledCopy_Shape() {
	fmt.Println(rows().Shape())
	// Output:
	// (32,64)
}

func ExampleTiledCopy_TileSize() {
	fmt.Println(rows().TileSize())
	// Output:
	// 2048
}

func ExampleTiledCopy_Size() {
	fmt.Println(rows().Size())
	// Output:
	// 256
}

func ExampleTiledCopy_String() {
	a, err := atom.FindCopyAtom("UniversalCopy<float>", "float")
	check(err)
	c, err := atom.MakeTiledCopy(a, girih.MustParse("(4,8):(8,1)"), girih.MustParse("1:0"))
	check(err)
	fmt.Print(c)
	// Output:
	// TiledCopy
	//   Tiler_MN:       (4,8)
	//   TiledLayout_TV: ((8,4),1):((4,1),0)
	// Copy_Atom
	//   ThrID:        1:0
	//   ValLayoutSrc: (1,1):(0,1)
	//   ValLayoutDst: (1,1):(0,1)
	//   ValLayoutRef: (1,1):(0,1)
	//   ValueType:    32b
}

func ExampleTiledCopy_Thread() {
	thread, err := rows().Thread(9)
	check(err)
	part, offset, err := thread.PartitionS(girih.MustParse("(128,64):(1@0,1@1)"))
	check(err)
	fmt.Println("thread 9 begins at", offset, "and has", part)
	_, err = rows().Thread(256)
	fmt.Println(err)
	// Output:
	// thread 9 begins at (1,8) and has ((8,1),4,1):((1@1,0),32@0,0)
	// mode: get_slice: expected a thread from 0 to 255 of ((8,32),8):((256,1),32), found 256
}

func ExampleTiledCopy_ThrfrgS() {
	l, err := rows().ThrfrgS(girih.MustParse("(128,64):(64,1)"))
	check(err)
	fmt.Println(l)
	// Output:
	// ((8,32),(8,1),(4,1)):((8,64),(1,0),(2048,0))
}

func ExampleTiledCopy_ThrfrgD() {
	_, err := rows().ThrfrgD(girih.MustParse("(100,64):(64,1)"))
	fmt.Println(err)
	// Output:
	// not_divisible: tidfrg_D: expected a multiple of 32 elements along mode 0 of the tensor, found 100 in (100,64):(64,1)
}

func ExampleThrCopy() {
	thread, err := rows().Thread(77)
	check(err)
	part, offset, err := thread.PartitionD(girih.MustParse("(128,64):(64,1)"))
	check(err)
	fmt.Println(part, "from", offset)
	// Output:
	// ((8,1),4,1):((1,0),2048,0) from 616
}

func ExampleThrCopy_Index() {
	thread, err := rows().Thread(77)
	check(err)
	fmt.Println(thread.Index())
	// Output:
	// 77
}

func ExampleThrCopy_PartitionS() {
	thread, err := rows().Thread(5)
	check(err)
	part, offset, err := thread.PartitionS(girih.MustParse("(128,64):(64,1)"))
	check(err)
	fmt.Println(part, "from", offset)
	// Output:
	// ((8,1),4,1):((1,0),2048,0) from 40
}

func ExampleThrCopy_PartitionD() {
	c, _ := ldsmA()
	thread, err := c.Thread(5)
	check(err)
	part, offset, err := thread.PartitionD(girih.MustParse("(128,64):(1@0,1@1)"))
	check(err)
	fmt.Println(part, "from", offset)
	// Output:
	// (((2,2,2),1),4,4):(((1@1,8@0,8@1),0),32@0,16@1) from (1,2)
}

func ExampleThrCopy_PartitionSComposed() {
	w, err := girih.NewSwizzle(3, 3, 3)
	check(err)
	tensor, err := girih.NewComposed(w, girih.Int(0), girih.MustParse("(128,64):(64,1)"))
	check(err)
	thread, err := rows().Thread(9)
	check(err)
	part, err := thread.PartitionSComposed(tensor)
	check(err)
	fmt.Println(part)
	// Output:
	// Sw<3,3,3> o 72 o ((8,1),4,1):((1,0),2048,0)
}

func ExampleThrCopy_PartitionDComposed() {
	w, err := girih.NewSwizzle(3, 3, 3)
	check(err)
	tensor, err := girih.NewComposed(w, girih.Int(0), girih.MustParse("(128,64):(64,1)"))
	check(err)
	thread, err := rows().Thread(9)
	check(err)
	part, err := thread.PartitionDComposed(tensor)
	check(err)
	offsets, err := part.AppendOffsets(nil)
	check(err)
	fmt.Println(offsets[:8])
	// Output:
	// [64 65 66 67 68 69 70 71]
}

func ExampleThrCopy_RetileD() {
	c, mma := ldsmA()
	owner, err := mma.Thread(0)
	check(err)
	fragment, err := owner.PartitionFragment(atom.OperandA, girih.MustParse("(128,64):(1,128)"))
	check(err)
	thread, err := c.Thread(0)
	check(err)
	retiled, err := thread.RetileD(fragment)
	check(err)
	fmt.Println(fragment)
	fmt.Println(retiled)
	// Output:
	// ((2,2,2),4,4):((1,2,4),8,32)
	// ((8,1),4,4):((1,0),8,32)
}

func ExampleThrCopy_RetileS() {
	_, mma := ldsmA()
	a, err := atom.FindCopyAtom("UniversalCopy<uint64_t>", "float")
	check(err)
	c, err := atom.MakeTiledCopyC(a, mma)
	check(err)
	thread, err := c.Thread(0)
	check(err)
	retiled, err := thread.RetileS(girih.MustParse("((2,2),4,8):((1,2),4,16)"))
	check(err)
	fmt.Println(retiled)
	// Output:
	// ((2,(2,2)),4,4):((1,(2,16)),4,32)
}

func ExampleCopyDirection_String() {
	fmt.Println(atom.SharedToRegisters)
	fmt.Println(atom.GlobalToShared)
	// Output:
	// from shared memory to registers
	// from global memory to shared memory
}

func ExampleCopyRequest() {
	// cp.async by 256 threads, each 8 halves of a row.
	r := atom.CopyRequest{
		Memory: girih.MustParse("(128,64):(64,1)"), Type: dtype.F16,
		LayoutTV: girih.MustParse("((8,32),8):((256,1),32)"), Tile: girih.Ints(32, 64), Direction: atom.GlobalToShared,
	}
	fits, err := atom.CopiesFor(r)
	check(err)
	for _, f := range fits {
		if f.Fits {
			fmt.Println(f.Copy.Name, f.Instructions)
		}
	}
	// Output:
	// UniversalCopy<uint128_t> 4
	// SM80_CP_ASYNC_CACHEALWAYS<uint128_t> 4
	// SM80_CP_ASYNC_CACHEGLOBAL<uint128_t> 4
	// SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t> 4
	// SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t> 4
	// UniversalCopy<uint64_t> 8
	// SM80_CP_ASYNC_CACHEALWAYS<uint64_t> 8
	// SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t> 8
	// UniversalCopy<uint32_t> 16
	// SM80_CP_ASYNC_CACHEALWAYS<uint32_t> 16
	// SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t> 16
	// UniversalCopy<uint16_t> 32
}

func ExampleNewCopyRequest() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandC, girih.MustParse("(64,64):(64,1)"), dtype.F16)
	check(err)
	fmt.Println(r.Direction, r.Tile)
	// Output:
	// from registers to shared memory (32,32)
}

func ExampleCopiesFor() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, girih.MustParse("(128,64):(64,1)"), dtype.F16)
	check(err)
	r.Arch = "sm80"
	fits, err := atom.CopiesFor(r)
	check(err)
	for _, f := range fits[:6] {
		fmt.Println(f.Fits, f.Copy.Name, f.Reason)
	}
	// Output:
	// true SM75_U32x4_LDSM_N Each thread has 8 elements of an instruction, and executes 16 instructions.
	// true SM75_U32x2_LDSM_N Each thread has 4 elements of an instruction, and executes 32 instructions.
	// true UniversalCopy<uint32_t> Each thread has 2 elements of an instruction, and executes 64 instructions.
	// true SM75_U32x1_LDSM_N Each thread has 2 elements of an instruction, and executes 64 instructions.
	// true UniversalCopy<uint16_t> Each thread has 1 element of an instruction, and executes 128 instructions.
	// false UniversalCopy<uint64_t> 8 bytes behind one address of thread 0 begin with (0,0) at offset 0; at offset 2 there should be (8,0), which is at 512.
}

func ExampleCopyFit() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, girih.MustParse("(128,64):(1,128)"), dtype.F16)
	check(err)
	c, err := atom.FindCopy("SM75_U32x4_LDSM_N")
	check(err)
	f, err := c.Fit(r)
	check(err)
	fmt.Println(f.Reason)
	fmt.Println(f.Hint)
	// Output:
	// 16 bytes behind one address of thread 0 begin with (0,0) at offset 0; at offset 1 there should be (0,1), which is at 128.
	// ldmatrix and stmatrix with .trans, if the other mode is contiguous
}

func ExampleCopyPlace() {
	_, mma := ldsmA()
	r, err := atom.NewCopyRequest(mma, atom.OperandA, girih.MustParse("(128,64):(1,128)"), dtype.F16)
	check(err)
	c, err := atom.FindCopy("UniversalCopy<uint32_t>")
	check(err)
	f, err := c.Fit(r)
	check(err)
	for _, p := range []*atom.CopyPlace{f.First, f.Second} {
		fmt.Println("thread", p.Thread, "value", p.Value, "at", p.Coord, "offset", p.Offset)
	}
	// Output:
	// thread 0 value 0 at (0,0) offset 0
	// thread 0 value 1 at (0,1) offset 128
}
