package atom_test

import (
	"fmt"
	"log"

	"girih/atom"
	"girih/cute"
)

func tiled(name, atoms, tile string) atom.TiledMMA {
	m, err := atom.MakeTiledMMA(find(name), cute.MustParse(atoms), cute.MustParseTiler(tile))
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// ampere is the usual TiledMMA of sm80: 4 warps on a tile of 32 by 32 by 16.
func ampere() atom.TiledMMA {
	return tiled("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "<32,32,16>")
}

func ExampleMakeTiledMMA() {
	_, err := atom.MakeTiledMMA(find("SM80_16x8x16_F32F16F16F32_TN"), cute.MustParse("(2,2,1):(1,2,0)"),
		cute.MustParseTiler("<24,_,_>"))
	fmt.Println(err)
	// Output: not_divisible: make_tiled_mma: expected a multiple of 32 elements in the permutation of M, 16 of the atom times 2 atoms, found 24 in 24:1
}

// The first experiment with a quad-pair: one atom on a tile of its own size is the atom itself.
func ExampleMakeTiledMMA_experiment1() {
	m := tiled("SM70_8x8x4_F32F16F16F32_NT", "(1,1,1):(0,0,0)", "<8,8,4>")
	fmt.Println(m.ThrLayoutVMNK(), m.Size(), m.TileShape())
	fmt.Println(m.LayoutTV(atom.OperandC))
	// Output:
	// ((4,2),1,1,1):((1,16),0,0,0) 8 [8 8 4]
	// (((2,2),4,2),((2,2,2),(1,1))):(((1,16),0,4),((8,2,32),(0,0))) <nil>
}

// The second: 2 by 2 atoms, numbered along the second mode first, are the four quad-pairs of a warp, which begin at
// threads 0, 4, 8 and 12.
func ExampleMakeTiledMMA_experiment2() {
	m := tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "_")
	fmt.Println(m.ThrLayoutVMNK(), m.Size(), m.TileShape())
	for _, corner := range [][2]int64{{0, 0}, {0, 8}, {8, 0}, {8, 8}} {
		who, err := m.Owners(atom.OperandC, cute.Tuple{}, corner[0], corner[1])
		fmt.Println(corner, who, err)
	}
	// Output:
	// ((4,2),2,2,1):((1,16),8,4,0) 32 [16 16 4]
	// [0 0] [{0 0}] <nil>
	// [0 8] [{4 0}] <nil>
	// [8 0] [{8 0}] <nil>
	// [8 8] [{12 0}] <nil>
}

// valuesOfA lists where the values of a thread are in the tile of A.
func valuesOfA(m atom.TiledMMA, thread int64) {
	t, err := m.Thread(thread)
	if err != nil {
		log.Fatal(err)
	}
	tile := m.TileShape()
	tensor, err := cute.LayoutLeft(cute.Ints(tile[0], tile[2]))
	if err != nil {
		log.Fatal(err)
	}
	part, offset, err := t.Partition(atom.OperandA, tensor)
	if err != nil {
		log.Fatal(err)
	}
	start, _ := offset.Int64()
	v := 0
	for _, x := range part.All() {
		fmt.Printf("T%dV%d => (%2d,%d)\n", thread, v, (start+x)%tile[0], (start+x)/tile[0])
		v++
	}
}

// The third: a tile of 32 by 32 repeats the 2 by 2 atoms in the values of the same threads. The values of a thread are
// in two places of A.
func ExampleMakeTiledMMA_experiment3() {
	m := tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "<32,32,4>")
	fmt.Println(m.LayoutTV(atom.OperandC))
	valuesOfA(m, 0)
	// Output:
	// (((2,2),2,2,2),((2,2,2),(2,2))):(((1,64),256,8,4),((32,2,128),(16,512))) <nil>
	// T0V0 => ( 0,0)
	// T0V1 => ( 1,0)
	// T0V2 => ( 2,0)
	// T0V3 => ( 3,0)
	// T0V4 => (16,0)
	// T0V5 => (17,0)
	// T0V6 => (18,0)
	// T0V7 => (19,0)
}

// The fourth: a permutation of M makes them neighbours, and FindPermutation finds it.
func ExampleMakeTiledMMA_experiment4() {
	before := tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "<32,32,4>")
	p, err := atom.FindPermutation(before, atom.OperandA, 0, 8)
	fmt.Println(p, err)
	m := tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "<(4,4,2):(1,8,4),32,4>")
	valuesOfA(m, 0)
	// Output:
	// <(4,4,2):(1,8,4),32:1,4:1> <nil>
	// T0V0 => ( 0,0)
	// T0V1 => ( 1,0)
	// T0V2 => ( 2,0)
	// T0V3 => ( 3,0)
	// T0V4 => ( 4,0)
	// T0V5 => ( 5,0)
	// T0V6 => ( 6,0)
	// T0V7 => ( 7,0)
}

func ExampleFindPermutation() {
	m := tiled("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "_")
	// If each thread holds 8 consecutive accumulators along N, it can store 32 bytes at once.
	fmt.Println(atom.FindPermutation(m, atom.OperandC, 1, 8))
	_, err := atom.FindPermutation(m, atom.OperandC, 1, 3)
	fmt.Println(err)
	// Output:
	// <_,(2,8,4):(1,8,2),_> <nil>
	// not_divisible: permute: a thread holds 2 elements of C of an atom along N, which cannot make runs of 3
}

func ExampleTiledMMA() {
	m := ampere()
	t, err := m.Thread(37)
	if err != nil {
		log.Fatal(err)
	}
	identity, err := cute.MakeIdentityLayout(cute.Ints(64, 64))
	if err != nil {
		log.Fatal(err)
	}
	part, offset, err := t.Partition(atom.OperandC, identity)
	fmt.Println(offset, part, err)
	// Output: (17,2) ((2,2),2,4):((1@1,8@0),32@0,16@1) <nil>
}

func ExampleTiledMMA_Atom() {
	fmt.Println(ampere().Atom().Name)
	// Output: SM80_16x8x16_F32F16F16F32_TN
}

func ExampleTiledMMA_AtomLayoutMNK() {
	fmt.Println(tiled("SM80_16x8x16_F32F16F16F32_TN", "(2,2):(2,1)", "_").AtomLayoutMNK())
	// Output: (2,2,1):(2,1,0)
}

func ExampleTiledMMA_PermutationMNK() {
	fmt.Println(tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "<(4,4,2):(1,8,4),32>").PermutationMNK())
	// Output: [(4,4,2):(1,8,4) 32 _]
}

func ExampleTiledMMA_PermutationText() {
	fmt.Println(tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "<(4,4,2):(1,8,4),32:1>").PermutationText())
	// Output: <(4,4,2):(1,8,4),32,_>
}

func ExampleTiledMMA_ThrLayoutVMNK() {
	fmt.Println(ampere().ThrLayoutVMNK())
	// Output: (32,2,2,1):(1,32,64,0)
}

func ExampleTiledMMA_Size() {
	fmt.Println(ampere().Size())
	// Output: 128
}

func ExampleTiledMMA_TileShape() {
	fmt.Println(tiled("SM80_16x8x16_F32F16F16F32_TN", "(3,4,2):(1,3,12)", "_").TileShape())
	// Output: [48 32 32]
}

func ExampleTiledMMA_Notes() {
	for _, n := range tiled("SM80_16x8x8_F32F16F16F32_TN", "(1,2,2):(0,1,2)", "_").Notes() {
		fmt.Println(n)
	}
	// Output:
	// AtomLayoutMNK has 2 atoms along K: each of them holds a part of the sum for every element of C, which the kernel has to add up
	// CuTe's get_layoutC_TV is ((4,8,4),((2,2),(1,1))):((32,1,128),((16,8),(0,0))), which leads 256 values of the threads beyond K atom 0 out of the tile of 16 by 16; partition_C is right
}

func ExampleTiledMMA_String() {
	fmt.Println(tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "<(4,4,2):(1,8,4),32,4>"))
	// Output:
	// TiledMMA
	//   ThrLayoutVMNK:  ((4,2),2,2,1):((1,16),8,4,0)
	//   PermutationMNK: ((4,4,2):(1,8,4),32,4)
	// MMA_Atom
	//   ThrID:      (4,2):(1,16)
	//   Shape_MNK:  (8,8,4)
	//   LayoutA_TV: ((4,2),4):((8,4),1)
	//   LayoutB_TV: ((4,2),4):((8,4),1)
	//   LayoutC_TV: ((2,2,2),(2,2,2)):((1,16,4),(8,2,32))
}

func ExampleTiledMMA_Thread() {
	t, err := ampere().Thread(127)
	fmt.Println(t.VMNK(), err)
	_, err = ampere().Thread(128)
	fmt.Println(err)
	// Output:
	// [31 1 1 0] <nil>
	// mode: get_slice: expected a thread from 0 to 127 of (32,2,2,1):(1,32,64,0), found 128
}

func ExampleTiledMMA_Thrfrg() {
	fmt.Println(ampere().Thrfrg(atom.OperandA, cute.MustParse("(128,64):(1,128)")))
	// Output: (((4,8),(2,1)),((2,2,2),(4,4))):(((256,1),(16,0)),((128,8,1024),(32,2048))) <nil>
}

func ExampleTiledMMA_LayoutTV() {
	fmt.Println(ampere().LayoutTV(atom.OperandC))
	// Output: ((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512))) <nil>
}

func ExampleTiledMMA_PartitionShape() {
	fmt.Println(ampere().PartitionShape(atom.OperandC, cute.Ints(128, 128)))
	_, err := ampere().PartitionShape(atom.OperandC, cute.Ints(100, 128))
	fmt.Println(err)
	// Output:
	// ((2,2),4,8) <nil>
	// not_divisible: thrfrg_C: expected a multiple of 32 elements along M of the tensor, found 100 in (100,128):(1,100)
}

func ExampleTiledMMA_Owners() {
	m := ampere()
	fmt.Println(m.Owners(atom.OperandC, cute.Tuple{}, 17, 2))
	fmt.Println(m.Owners(atom.OperandA, cute.Tuple{}, 17, 2)) // both atoms along N read A
	// Output:
	// [{37 0}] <nil>
	// [{37 0} {101 0}] <nil>
}

func ExampleThrMMA() {
	t, err := ampere().Thread(37)
	fmt.Println(t.VMNK(), t.SameAs(), err)
	// Output: [5 1 0 0] 37 <nil>
}

func ExampleThrMMA_VMNK() {
	t, err := tiled("SM70_8x8x4_F32F16F16F32_NT", "(2,2,1):(2,1,0)", "_").Thread(28)
	fmt.Println(t.VMNK(), err) // thread 28 is the fifth of its quad-pair
	// Output: [4 1 1 0] <nil>
}

func ExampleThrMMA_SameAs() {
	t, err := tiled("SM70_8x8x4_F32F16F16F32_NT", "(1,1,1):(0,0,0)", "_").Thread(7)
	fmt.Println(t.SameAs(), err) // the second quad-pair of the warp computes the same as the first
	// Output: 3 <nil>
}

func ExampleThrMMA_Partition() {
	t, err := ampere().Thread(5)
	if err != nil {
		log.Fatal(err)
	}
	part, offset, err := t.Partition(atom.OperandA, cute.MustParse("(128,64):(1,128)"))
	fmt.Println(offset, part, err)
	// Output: 257 ((2,2,2),4,4):((128,8,1024),32,2048) <nil>
}

func ExampleThrMMA_PartitionComposed() {
	t, err := ampere().Thread(5)
	if err != nil {
		log.Fatal(err)
	}
	w, err := cute.NewSwizzle(2, 3, 3)
	if err != nil {
		log.Fatal(err)
	}
	tile, err := cute.NewComposed(w, cute.Int(0), cute.MustParse("((8,4),(32,1)):((32,256),(1,0))"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.PartitionComposed(atom.OperandA, tile))
	// Output: Sw<2,3,3> o 34 o ((2,2,2),1,2):((1,256,8),0,16) <nil>
}

func ExampleThrMMA_PartitionFragment() {
	t, err := ampere().Thread(0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.PartitionFragment(atom.OperandB, cute.MustParse("(128,64):(64,1)")))
	fmt.Println(t.PartitionFragment(atom.OperandC, cute.MustParse("(128,128):(128,1)")))
	// Output:
	// ((2,2),8,4):((1,2),16,4) <nil>
	// ((2,2),4,8):((1,2),4,16) <nil>
}

// TensorTV gives a tensor the threads as its mode 0: the elements of A that thread 5 has.
func ExampleTiledMMA_TensorTV() {
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1)"), nil)
	tv, _ := mma.TensorTV(atom.OperandA, cute.MustParse("(128,64):(64,1)"))
	fmt.Println(tv)
	fmt.Println(tv.SliceAndOffset(cute.MakeCoord(cute.At(5), cute.Open)))
	// Output:
	// ((4,8,2,2),((2,2,2),(4,4))):((2,64,1024,0),((1,512,8),(2048,16)))
	// (((2,2,2),(4,4))):(((1,512,8),(2048,16))) 66 <nil>
}

func ExampleTiledMMA_ThreadOrder() {
	m, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	mma, _ := atom.MakeTiledMMA(m, cute.Layout{}, nil)
	fmt.Println(mma.ThrLayoutVMNK()) // threads 0 to 3 and 16 to 19 ...
	fmt.Println(mma.ThreadOrder())   // ... come first in this order
	// Output:
	// ((4,2),1,1,1):((1,16),0,0,0)
	// ((4,2),1,1,1):((1,4),0,0,0)
}

// The element (1,8) of A is value 4 of lane 4.
func ExampleTiledMMA_ElementTV() {
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(m, cute.Layout{}, nil)
	l, err := mma.ElementTV(atom.OperandA)
	fmt.Println(l, err)
	fmt.Println(l.Eval(cute.Ints(1, 8)))
	// Output:
	// ((8,2),(2,4,2)):((4,64),(32,1,128)) <nil>
	// 132 <nil>
}

func ExampleThrMMA_TiledMMA() {
	m, _ := atom.FindMMA("UniversalFMA<float>")
	mma, _ := atom.MakeTiledMMA(m, cute.MustParse("(16,16,1)"), nil)
	thr, _ := mma.Thread(17)
	fmt.Println(thr.VMNK(), thr.TiledMMA().Size())
	// Output: [0 1 1 0] 256
}

// A tensor is divided by the permutation and by the atom. Each atom is composed with its layout, and the atoms are
// divided by the number of atoms side by side.
func ExampleTiledMMA_ThrfrgStages() {
	m := ampere()
	s, err := m.ThrfrgStages(atom.OperandC, cute.MustParse("(64,64):(1,64)"))
	check(err)
	fmt.Println(s.Permuted)
	fmt.Println(s.Atoms)
	fmt.Println(s.Own)
	fmt.Println(s.Rest)
	fmt.Println(s.Zip())
	// Output:
	// ((32,2),(32,2)):((1,32),(64,2048))
	// ((16,8),(4,8)):((1,64),(16,512))
	// ((4,8),(2,2)):((128,1),(64,8))
	// ((2,2),(2,4)):((16,512),(32,1024))
	// (((4,8),(2,2)),((2,2),(2,4))):(((128,1),(16,512)),((64,8),(32,1024))) <nil>
}

// Four threads of Volta's quad-pairs are numbered 0 to 3, the other four 16 to 19.
func ExampleTiledMMA_Atoms() {
	a, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	m, _ := atom.MakeTiledMMA(a, cute.Layout{}, cute.MustParseTiler("<8,16,4>"))
	threads, values, err := m.Atoms(atom.OperandC)
	fmt.Println(threads[:20], err)
	fmt.Println(values)
	// Output:
	// [0 0 0 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 0 0 0 0] <nil>
	// [0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1]
}
