package atom

import (
	"fmt"

	"girih/cute"
)

// This file defines ldmatrix, stmatrix and movmatrix. Each works on 8x8 matrices of 16 bits. The threads of the warp
// give the addresses of the rows, of 128 bits each: thread i gives row i%8 of matrix i/8 (PTX ISA, ldmatrix). The bits
// of a matrix are numbered 16·(column + 8·row), its rows one after the other.
//
// Without .trans thread t holds 32 bits of row t/4 of each matrix, so that bits go to threads in order. With .trans it
// holds two elements of column t/4, in the rows 2·(t%4) and 2·(t%4)+1:
//
//	thread (t%4, t/4) -> 256·(t%4) + 16·(t/4)     register (half, matrix) -> 128·half + 1024·matrix
//
// stmatrix writes from registers what ldmatrix reads into them, so the two have the same pair of layouts.

// matrixRows returns the layout (thread, bit) for the rows of n 8-row matrices, n = 1, 2, 4; threads beyond 8·n give no
// row.
func matrixRows(n int) cute.Layout {
	if n == 4 {
		return cute.MustParse("(32,128):(128,1)")
	}
	return bitLayout("((%d,%d),128):((128,0),1)", 8*n, 4/n)
}

// matrixFragment returns the layout (thread, bit) of the fragments of n matrices.
func matrixFragment(n int) cute.Layout {
	if n == 1 {
		return cute.MustParse("(32,32):(32,1)")
	}
	return bitLayout("(32,(32,%d)):(32,(1,1024))", n)
}

// matrixFragmentTrans is matrixFragment with .trans.
func matrixFragmentTrans(n int) cute.Layout {
	if n == 1 {
		return cute.MustParse("((4,8),(16,2)):((256,16),(1,128))")
	}
	return bitLayout("((4,8),(16,2,%d)):((256,16),(1,128,1024))", n)
}

// byteFragmentTrans is the fragment of n matrices of 16 rows of 8 bytes, transposed as in stmatrix.m16n8.
func byteFragmentTrans(n int) cute.Layout {
	if n == 1 {
		return cute.MustParse("((4,8),(8,2,2)):((256,8),(1,128,64))")
	}
	return bitLayout("((4,8),(8,2,2,%d)):((256,8),(1,128,64,1024))", n)
}

const (
	warpThreads = "32:1"
	// rowBits is the length and the alignment of a row that ldmatrix and stmatrix address.
	rowBits = 128
)

// loadMatrix returns ldmatrix: rows in shared memory to fragments of n registers.
func loadMatrix(op Operation, n int, rows, fragment cute.Layout) Copy {
	return Copy{
		Operation: op, ThrID: cute.MustParse(warpThreads), Src: rows, Dst: fragment, Ref: fragment,
		Kind: MatrixCopy, From: inMemory(SharedMemory, rowBits), To: inRegisters(n),
	}
}

// storeMatrix returns stmatrix: fragments of n registers to rows in shared memory.
func storeMatrix(op Operation, n int, rows, fragment cute.Layout) Copy {
	return Copy{
		Operation: op, ThrID: cute.MustParse(warpThreads), Src: fragment, Dst: rows, Ref: fragment,
		Kind: MatrixCopy, From: inRegisters(n), To: inMemory(SharedMemory, rowBits),
	}
}

// loadText and storeText write the instruction with n registers.
func loadText(qualifiers string, n int) string {
	return fmt.Sprintf("ldmatrix.sync.aligned.%s %s, [%%%d];", qualifiers, registerList(0, n), n)
}

func storeText(qualifiers string, n int) string {
	return fmt.Sprintf("stmatrix.sync.aligned.%s [%%0], %s;", qualifiers, registerList(1, n))
}

// matrixCopies75 returns ldmatrix and movmatrix of sm75.
func matrixCopies75() []Copy {
	op := func(name, text string) Operation {
		return Operation{Name: name, Arch: "sm75", Text: text, Source: "CUTLASS include/cute/atom/copy_traits_sm75.hpp, PTX ISA ldmatrix, movmatrix"}
	}
	var out []Copy
	for _, n := range []int{1, 2, 4} {
		text := loadText(fmt.Sprintf("m8n8.x%d.shared.b16", n), n)
		out = append(out, loadMatrix(op(fmt.Sprintf("SM75_U32x%d_LDSM_N", n), text), n, matrixRows(n), matrixFragment(n)))
	}
	for _, n := range []int{1, 2, 4} {
		text := loadText(fmt.Sprintf("m8n8.x%d.trans.shared.b16", n), n)
		out = append(out, loadMatrix(op(fmt.Sprintf("SM75_U16x%d_LDSM_T", 2*n), text), n, matrixRows(n), matrixFragmentTrans(n)))
	}
	// An H200 transposes, as the PTX ISA says (conformance/hardware/h200_instructions.jsonl). CuTe's traits use the
	// layout of the source for the destination.
	l := matrixFragment(1)
	return append(out, Copy{
		Operation: op("SM75_U32x1_MOVM_T", "movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"),
		ThrID:     cute.MustParse(warpThreads), Src: l, Dst: matrixFragmentTrans(1), Ref: l, Kind: MatrixCopy,
		From: inRegisters(1), To: inRegisters(1),
		Note: "the instruction transposes the 8x8 matrix of 16 bits, and CuTe's layouts say that it does not: CuTe has the destination " +
			l.String(),
	})
}

// matrixCopies90 returns stmatrix of sm90.
func matrixCopies90() []Copy {
	op := func(name, text string) Operation {
		return Operation{Name: name, Arch: "sm90", Text: text, Source: "CUTLASS include/cute/atom/copy_traits_sm90.hpp, PTX ISA stmatrix"}
	}
	var out []Copy
	for _, n := range []int{1, 2, 4} {
		text := storeText(fmt.Sprintf("m8n8.x%d.shared.b16", n), n)
		out = append(out, storeMatrix(op(fmt.Sprintf("SM90_U32x%d_STSM_N", n), text), n, matrixRows(n), matrixFragment(n)))
	}
	for _, n := range []int{1, 2, 4} {
		text := storeText(fmt.Sprintf("m8n8.x%d.trans.shared.b16", n), n)
		out = append(out, storeMatrix(op(fmt.Sprintf("SM90_U16x%d_STSM_T", 2*n), text), n, matrixRows(n),
			matrixFragmentTrans(n)))
	}
	return out
}

// matrixCopies100 returns ldmatrix and stmatrix of sm100a: 8-bit elements transposed, and 4- and 6-bit elements, which
// ldmatrix spreads to bytes.
func matrixCopies100() []Copy {
	op := func(name, text string) Operation {
		return Operation{Name: name, Arch: "sm100a", Text: text, Source: "CUTLASS include/cute/atom/copy_traits_sm100.hpp, PTX ISA ldmatrix, stmatrix"}
	}
	var out []Copy
	for _, n := range []int{1, 2} {
		// The 16 rows of a matrix are numbered so that the fragments have the order of stmatrix.m16n8.
		rows := bitLayout("((2,2,4,2),128):((128,1024,256,%d),1)", 2048*(n-1))
		c := loadMatrix(op(fmt.Sprintf("SM100_U8x%d_LDSM_T", 8*n), loadText(fmt.Sprintf("m16n16.x%d.trans.shared.b8", n),
			2*n)), 2*n, rows, byteFragmentTrans(2*n))
		c.Note = "CuTe permutes bytes between the two registers of each matrix after the instruction; the layouts include that"
		out = append(out, c)
	}
	for _, n := range []int{1, 2, 4} {
		for _, f := range []struct {
			bits    int
			format  string
			padding string
		}{{4, "b4x16_p64", "64"}, {6, "b6x16_p32", "32"}} {
			name := fmt.Sprintf("SM100_SU%d_DU8x16_x%d_LDSM_N", f.bits, n)
			c := loadMatrix(op(name, loadText(fmt.Sprintf("m8n16.x%d.shared.b8x16.%s", n, f.format), n)), n, matrixRows(n),
				matrixFragment(n))
			c.Note = fmt.Sprintf(
				"a row of 16 bytes in shared memory holds 16 elements of %d bits and %s bits of padding; in registers each element has a byte",
				f.bits, f.padding)
			out = append(out, c)
		}
	}
	for _, n := range []int{1, 2, 4} {
		text := storeText(fmt.Sprintf("m16n8.x%d.trans.shared.b8", n), n)
		out = append(out, storeMatrix(op(fmt.Sprintf("SM100_U8x%d_STSM_T", 4*n), text), n, matrixRows(n), byteFragmentTrans(n)))
	}
	return out
}
