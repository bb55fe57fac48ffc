package atom_test

import (
	"fmt"

	"girih/atom"
	"girih/cute"
)

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
	c, err := atom.MakeTiledCopy(a, cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,8):(0,1)"))
	check(err)
	fmt.Print(c)
	_, err = atom.MakeTiledCopy(a, cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,4):(0,1)"))
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
	c, err := atom.MakeTiledCopyTV(a, cute.MustParse("((4,8),(2,2)):((32,1),(16,8))"), cute.Ints(16, 8))
	check(err)
	fmt.Println(c.LayoutSrcTV())
	// Output:
	// ((4,8),(2,2)):((32,1),(16,8))
}

func ExampleMakeCotiledCopy() {
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "float")
	check(err)
	// Thread t accesses the addresses 4t to 4t+3 of a column-major matrix.
	c, err := atom.MakeCotiledCopy(a, cute.MustParse("(32,4):(4,1)"), cute.MustParse("(16,8):(1,16)"))
	check(err)
	fmt.Println(c.TilerText(), c.LayoutTV())
	_, err = atom.MakeCotiledCopy(a, cute.MustParse("(32,4):(4,1)"), cute.MustParse("(16,8):(1,20)"))
	fmt.Println(err)
	// Output:
	// ((4,4):(4,1),8:1) ((4,8),4):((1,16),4)
	// not_invertible: make_cotiled_copy: The memory pointed to by AtomTVLayout does not exist in the DataLayout: thread 4, value 0 of (32,4):(4,1) is at offset 16, and (16,8):(1,20) has no coordinate there
}

func ExampleMakeTiledCopyA() {
	c, _ := ldsmA()
	thread, err := c.Thread(33)
	check(err)
	part, offset, err := thread.PartitionS(cute.MustParse("(128,64):(64,1)"))
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
	mma, err := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1):(1,2,0)"), nil)
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
	index, err := tv.Eval(cute.Ints(9, 3)) // thread 9, value 3
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
	c, err := atom.MakeTiledCopy(a, cute.MustParse("(4,8):(8,1)"), cute.MustParse("1:0"))
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
	part, offset, err := thread.PartitionS(cute.MustParse("(128,64):(1@0,1@1)"))
	check(err)
	fmt.Println("thread 9 begins at", offset, "and has", part)
	_, err = rows().Thread(256)
	fmt.Println(err)
	// Output:
	// thread 9 begins at (1,8) and has ((8,1),4,1):((1@1,0),32@0,0)
	// mode: get_slice: expected a thread from 0 to 255 of ((8,32),8):((256,1),32), found 256
}

func ExampleTiledCopy_ThrfrgS() {
	l, err := rows().ThrfrgS(cute.MustParse("(128,64):(64,1)"))
	check(err)
	fmt.Println(l)
	// Output:
	// ((8,32),(8,1),(4,1)):((8,64),(1,0),(2048,0))
}

func ExampleTiledCopy_ThrfrgD() {
	_, err := rows().ThrfrgD(cute.MustParse("(100,64):(64,1)"))
	fmt.Println(err)
	// Output:
	// not_divisible: tidfrg_D: expected a multiple of 32 elements along mode 0 of the tensor, found 100 in (100,64):(64,1)
}

func ExampleThrCopy() {
	thread, err := rows().Thread(77)
	check(err)
	part, offset, err := thread.PartitionD(cute.MustParse("(128,64):(64,1)"))
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
	part, offset, err := thread.PartitionS(cute.MustParse("(128,64):(64,1)"))
	check(err)
	fmt.Println(part, "from", offset)
	// Output:
	// ((8,1),4,1):((1,0),2048,0) from 40
}

func ExampleThrCopy_PartitionD() {
	c, _ := ldsmA()
	thread, err := c.Thread(5)
	check(err)
	part, offset, err := thread.PartitionD(cute.MustParse("(128,64):(1@0,1@1)"))
	check(err)
	fmt.Println(part, "from", offset)
	// Output:
	// (((2,2,2),1),4,4):(((1@1,8@0,8@1),0),32@0,16@1) from (1,2)
}

func ExampleThrCopy_PartitionSComposed() {
	w, err := cute.NewSwizzle(3, 3, 3)
	check(err)
	tensor, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("(128,64):(64,1)"))
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
	w, err := cute.NewSwizzle(3, 3, 3)
	check(err)
	tensor, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("(128,64):(64,1)"))
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
	fragment, err := owner.PartitionFragment(atom.OperandA, cute.MustParse("(128,64):(1,128)"))
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
	retiled, err := thread.RetileS(cute.MustParse("((2,2),4,8):((1,2),4,16)"))
	check(err)
	fmt.Println(retiled)
	// Output:
	// ((2,(2,2)),4,4):((1,(2,16)),4,32)
}

// The stages of a tensor that a copy of 32 by 64 elements reads.
func ExampleTiledCopy_ThrfrgStagesS() {
	a, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")
	check(err)
	c, err := atom.MakeTiledCopy(a, cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,8):(0,1)"))
	check(err)
	s, err := c.ThrfrgStagesS(cute.MustParse("(64,64):(64,1)"))
	check(err)
	fmt.Println(s.Tiles)
	fmt.Println(s.Own)
	fmt.Println(s.Join())
	// Output:
	// ((32,64),(2,1)):((64,1),(2048,0))
	// ((8,32),(8,1)):((8,64),(1,0))
	// ((8,32),(8,1),(2,1)):((8,64),(1,0),(2048,0)) <nil>
}

// The layouts of threads and values give the thread-value layout and the tiler.
func ExampleRakeThreads() {
	r, err := atom.RakeThreads(cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,8):(0,1)"))
	check(err)
	fmt.Println(r.Product)
	fmt.Println(r.Inverse)
	fmt.Println(r.TV, r.Tiler)
	// Output:
	// (32,(8,8)):(8,(256,1))
	// (8,256):(256,1)
	// ((8,32),8):((256,1),32) (32,64)
}
