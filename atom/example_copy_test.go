package atom_test

import (
	"errors"
	"fmt"

	"girih/atom"
	"girih/cute"
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
	mma, err := atom.MakeTiledMMA(m, cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16))
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
	c, err := atom.MakeTiledCopy(a, cute.MustParse("(32,8):(8,1)"), cute.MustParse("(1,8):(0,1)"))
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
	r, err := atom.NewCopyRequest(mma, atom.OperandA, cute.MustParse("(128,64):(72,1)"), dtype.F16)
	check(err)
	c, err := atom.FindCopy("SM75_U32x4_LDSM_N")
	check(err)
	f, err := c.Fit(r)
	check(err)
	fmt.Println(f.Fits, f.Reason)
	r.Memory = cute.MustParse("(128,64):(68,1)")
	f, err = c.Fit(r)
	check(err)
	fmt.Println(f.Fits, f.Reason)
	fmt.Println(f.Hint)
	// Output:
	// true Each thread has 8 elements of an instruction, and executes 16 instructions.
	// false 16 bytes at one address of thread 1 begin with (1,0) at offset 68, bit 1088, which is not a multiple of 128.
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
	// 30 for matrices, 162 for tensor memory
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
	if e, ok := errors.AsType[*cute.Error](err); ok {
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
