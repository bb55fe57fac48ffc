package atom_test

import (
	"fmt"

	"girih/atom"
)

func ExampleFindPTX() {
	m, err := atom.FindPTX("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", atom.Registers)
	fmt.Println(m.Name, m.A, err)
	// The example prints which metadata each thread passes, bit by bit: first the groups of row 0, then the groups of
	// row 8.
	fmt.Println(m.Sparse.E)

	m, err = atom.FindPTX("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", atom.SharedMemory)
	fmt.Println(m.Name, m.C, err)
	// Output:
	// SM80_SPARSE_16x8x32_F32F16F16F32_TN ((4,8),(4,2,2)):((64,1),(16,8,256)) <nil>
	// ((2,2,8),(16,2)):((256,0,1),(16,8))
	// SM90_64x128x16_F32F16F16_SS ((4,8,4),(2,2,16)):((128,1,16),(64,8,512)) <nil>
}

func ExampleBareMMAs() {
	for m := range atom.BareMMAs() {
		if m.Sparse != nil && m.Shape[2] == 8 {
			fmt.Println(m.Name)
			fmt.Println(m.Text)
		}
	}
	// Output:
	// SM80_SPARSE_16x8x8_F32TF32TF32F32_TN
	// mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11}, %12, sp-sel;
}
