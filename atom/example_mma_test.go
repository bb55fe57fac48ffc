package atom_test

import (
	"fmt"
	"log"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

func find(name string) atom.MMA {
	m, err := atom.FindMMA(name)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func Example() {
	m := find("SM80_16x8x16_F32F16F16F32_TN")
	fmt.Println(m.Text)
	fmt.Println("A", m.A)
	p, err := m.At(atom.OperandA, 1, 2)
	fmt.Println(p, err)
	// Output:
	// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};
	// A ((4,8),(2,2,2)):((32,1),(16,8,128))
	// {8 2 0} <nil>
}

func ExampleFindMMA() {
	m, err := atom.FindMMA("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K>")
	fmt.Println(m.Shape, m.A, err)
	_, err = atom.FindMMA("SM100_MMA_F16BF16_SS_128x260")
	fmt.Println(err)
	_, err = atom.FindMMA("SM80_16x8x16_F32F16F16F32_NT")
	if e, ok := err.(*cute.Error); ok {
		fmt.Println(e, "-", e.Hint)
	}
	// Output:
	// [128 256 16] (1,(128,16)):(0,(1,128)) <nil>
	// not_divisible: mma: SM100_MMA_F16BF16_SS with M 128 takes N of a multiple of 8 up to 256, found 260
	// name: mma: no MMA operation is called "SM80_16x8x16_F32F16F16F32_NT" - did you mean SM80_16x8x16_F32F16F16F32_TN?
}

func ExampleMMAs() {
	n := map[string]int{}
	for m := range atom.MMAs() {
		n[m.Arch]++
	}
	fmt.Println(n["sm80"], n["sm90a"], n["sm120a"], n["gfx942"])
	// Output: 65 2112 156 46
}

func ExampleMMANames() {
	for name := range atom.MMANames() {
		if name[:4] == "SM75" {
			fmt.Println(name)
		}
	}
	// Output:
	// SM75_16x8x8_F16F16F16F16_TN
	// SM75_16x8x8_F32F16F16F32_TN
	// SM75_8x8x16_S32S8S8S32_TN
}

func ExampleOperation() {
	m := find("SM70_8x8x4_F16F16F16F16_TN")
	fmt.Println(m.Name, m.Arch)
	fmt.Println(m.Text)
	fmt.Println(m.Source)
	// Output:
	// SM70_8x8x4_F16F16F16F16_TN sm70
	// mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%8, %9, %10, %11};
	// PTX ISA, Matrix Fragments for mma.m8n8k4 with .f16 floating point type; CUTLASS, cute/atom/mma_traits_sm70.hpp
}

func ExampleMMA() {
	m := find("SM90_64x128x16_F32F16F16_RS")
	fmt.Println("A", m.AFrom, m.A)
	fmt.Println("B", m.BFrom, m.B)
	fmt.Println("C", m.CFrom, m.C)
	// Output:
	// A registers ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
	// B shared memory (128,(128,16)):(0,(1,128))
	// C registers ((4,8,4),(2,2,16)):((128,1,16),(64,8,512))
}

func ExampleMMA_TV() {
	m := find("SM70_8x8x4_F32F16F16F32_NT")
	fmt.Println(m.ThrID, m.TV(atom.OperandC))
	// Output: (4,2):(1,16) ((2,2,2),(2,2,2)):((1,16,4),(8,2,32))
}

func ExampleMMA_TVText() {
	m := find("SM80_16x8x128_S32U1U1S32_TN_XORPOPC")
	fmt.Println(m.TV(atom.OperandA))
	fmt.Println(m.TVText(atom.OperandA)) // CuTe's header contains an extra pair of parentheses
	// Output:
	// ((4,8),(32,2)):((512,1),(16,8))
	// ((4,8),(32,2)):((512,1),((16,8)))
}

func ExampleMMA_Extents() {
	fmt.Println(find("SM80_16x8x16_F32F16F16F32_TN").Extents(atom.OperandB))
	// Output: 8 16
}

func ExampleMMA_Threads() {
	fmt.Println(find("SM70_8x8x4_F32F16F16F32_NT").Threads(), find("v_mfma_f32_32x32x8_f16").Threads(),
		find("SM90_64x8x16_F16F16F16_SS").Threads())
	// Output: 8 64 128
}

func ExampleMMA_Values() {
	m := find("SM90_64x128x16_F32F16F16_SS")
	fmt.Println(m.Values(atom.OperandC), m.Values(atom.OperandB)) // B is in shared memory: every thread has all of it
	// Output: 64 2048
}

func ExampleMMA_At() {
	m := find("SM90_64x8x16_F32F16F16_SS")
	fmt.Println(m.At(atom.OperandC, 37, 0))
	_, err := m.At(atom.OperandC, 128, 0)
	fmt.Println(err)
	// Output:
	// {17 2 0} <nil>
	// mode: mma: SM90_64x8x16_F32F16F16_SS has threads 0 to 127, found thread 128
}

func ExampleMMA_Owners() {
	m := find("SM90_64x8x16_F32F16F16_SS")
	fmt.Println(m.Owners(atom.OperandC, atom.Place{Row: 17, Column: 2}))
	w := find("v_wmma_f32_16x16x16_f16") // lanes 16 apart hold the same row of A
	fmt.Println(w.Owners(atom.OperandA, atom.Place{Row: 3, Column: 5}))
	// Output:
	// [{37 0}] <nil>
	// [{3 5} {19 5}] <nil>
}

func ExampleMMA_Coverage() {
	m := find("SM90_64x8x16_F32F16F16_SS")
	c, err := m.Coverage(atom.OperandC)
	fmt.Println(c.Bijective(), err)
	b, err := m.Coverage(atom.OperandB)
	fmt.Println(b.Broadcast(), err)
	// Output:
	// true <nil>
	// 128 <nil>
}

func ExampleCoverage() {
	m := find("SM80_16x8x16_F32F16F16F32_TN")
	c, err := m.Coverage(atom.OperandA)
	fmt.Printf("%+v %v\n", c, err)
	// Output: {Elements:256 Held:256 Least:1 Most:1 Outside:0} <nil>
}

func ExampleCoverage_Bijective() {
	fmt.Println(atom.Coverage{Elements: 8, Held: 8, Least: 1, Most: 1}.Bijective())
	fmt.Println(atom.Coverage{Elements: 8, Held: 7, Least: 1, Most: 1}.Bijective())
	// Output:
	// true
	// false
}

func ExampleCoverage_Broadcast() {
	fmt.Println(atom.Coverage{Elements: 8, Held: 8, Least: 2, Most: 2}.Broadcast())
	fmt.Println(atom.Coverage{Elements: 8, Held: 8, Least: 1, Most: 2}.Broadcast())
	// Output:
	// 2
	// 0
}

func ExampleTypes() {
	t := find("SM89_16x8x32_F16E4M3E5M2F16_TN").Types
	fmt.Println(t.A, t.B, t.C, t.D)
	// Output: e4m3 e5m2 f16 f16
}

func ExampleElement() {
	fmt.Println(find("SM80_8x8x4_GC64C64C64GC64_TN").Types.C)
	fmt.Println(find("SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS").Types.A)
	// Output:
	// gauss complex f64
	// sparse f16
}

func ExampleElement_Bits() {
	half := atom.Element{Type: dtype.F16, Parts: 1}
	sparse := atom.Element{Type: dtype.F16, Parts: 1, Sparsity: 2}
	fmt.Println(half.Bits(), sparse.Bits(), atom.Element{Type: dtype.E2M3, Parts: 1, Held: 8}.Bits())
	// Output: 16 8 8
}

func ExampleElement_String() {
	fmt.Println(atom.Element{Type: dtype.F64, Parts: 2})
	// Output: complex f64
}

func ExampleMajor() {
	m := find("SM70_8x8x4_F32F16F16F32_NT")
	fmt.Println(m.AMajor, m.BMajor)
	// Output: MN MN
}

func ExampleMajor_String() {
	fmt.Println(atom.KMajor, atom.MNMajor)
	// Output: K MN
}

func ExampleRegisterCounts() {
	r := find("SM80_16x8x16_F32F16F16F32_TN").Registers
	fmt.Println("D", r.D, "A", r.A, "B", r.B, "C", r.C)
	// Output: D 4 x 32b A 4 x 32b B 2 x 32b C 4 x 32b
}

func ExampleRegisterGroup() {
	r := find("SM90_64x256x16_F32F16F16_SS").Registers
	fmt.Println(r.C.Count, r.A.Bits) // a descriptor of A
	// Output: 128 64
}

func ExampleRegisterGroup_String() {
	fmt.Println(atom.RegisterGroup{Count: 4, Bits: 32}, atom.RegisterGroup{})
	// Output: 4 x 32b none
}

func ExampleScale() {
	m := find("SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,16>")
	fmt.Println(m.Scale.Type, m.Scale.Vector, m.Scale.A, m.Scale.B)
	// Output: ue4m3 16 ((2,2,8),64):((8,0,1),16) ((4,8),64):((0,1),8)
}

func ExampleSparse() {
	m := find("SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_RS")
	fmt.Println(m.Sparse.Kept, "of", m.Sparse.Of, m.Sparse.E)
	// Output: 2 of 4 ((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))
}

func ExampleSpace() {
	m := find("SM100_MMA_TF32_TS")
	fmt.Println(m.AFrom, "-", m.BFrom, "-", m.CFrom)
	// Output: tensor memory - shared memory - tensor memory
}

func ExampleSpace_String() {
	fmt.Println(atom.Registers, "-", atom.GlobalMemory)
	// Output: registers - global memory
}

func ExampleOperand() {
	m := find("SM80_16x8x8_F32TF32TF32F32_TN")
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		fmt.Println(o, m.TV(o))
	}
	// Output:
	// A ((4,8),(2,2)):((16,1),(8,64))
	// B ((4,8),2):((8,1),32)
	// C ((4,8),(2,2)):((32,1),(16,8))
}

func ExampleOperand_String() {
	fmt.Println(atom.OperandA, atom.OperandB, atom.OperandC)
	// Output: A B C
}

func ExamplePlace() {
	m := find("v_mfma_f32_4x4x4_16b_f16") // 16 products of 4 by 4 matrices
	p, err := m.At(atom.OperandC, 9, 2)
	fmt.Printf("%+v %v\n", p, err)
	// Output: {Row:2 Column:1 Block:2} <nil>
}

func ExampleHolder() {
	m := find("SM61_DP4A")
	fmt.Println(m.Owners(atom.OperandA, atom.Place{Column: 3}))
	// Output: [{0 3}] <nil>
}

func ExampleNearest() {
	fmt.Println(atom.Nearest("SM80_16x8x8", []string{"SM80_16x8x16", "SM90_64x8x8", "SM80_16x8x4"}, 1))
	// Output: [SM80_16x8x4]
}

// The second four threads of a Volta quad-pair are threads 16 to 19 of the warp.
func ExampleMMA_Lane() {
	m, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	fmt.Println(m.Lane(3), m.Lane(4), m.Lane(7))
	// Output: 3 16 19
}

func ExampleMMA_ThreadOf() {
	m, _ := atom.FindMMA("SM70_8x8x4_F32F16F16F32_NT")
	fmt.Println(m.ThreadOf(17))
	fmt.Println(m.ThreadOf(4))
	// Output:
	// 5 <nil>
	// 0 mode: mma: the threads of SM70_8x8x4_F32F16F16F32_NT are (4,2):(1,16), found thread 4
}

func ExampleFind() {
	m, c, err := atom.Find("SM75_U32x4_LDSM_N")
	fmt.Println(m == nil, c.Kind, err)
	// Output: true matrix <nil>
}

// ldmatrix moves matrices of 16 bits, though CuTe counts its registers of 32.
func ExampleCopy_ValueType() {
	c, _ := atom.FindCopy("SM75_U32x4_LDSM_N")
	fmt.Println(c.ValueType())
	// Output: u16
}

func ExampleOperand_Axes() {
	for _, o := range []atom.Operand{atom.OperandA, atom.OperandB, atom.OperandC} {
		x, y := o.Axes()
		fmt.Printf("%v (%c,%c)\n", o, "MNK"[x], "MNK"[y])
	}
	// Output:
	// A (M,K)
	// B (N,K)
	// C (M,N)
}

func ExampleMMA_Space() {
	m, _ := atom.FindMMA("SM90_64x128x16_F32F16F16_RS")
	fmt.Println(m.Space(atom.OperandA), m.Space(atom.OperandB), m.Space(atom.OperandC))
	// Output: registers shared memory registers
}

func ExampleTypes_Of() {
	m, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	fmt.Println(m.Types.Of(atom.OperandA), m.Types.Of(atom.OperandC))
	// Output: f16 f32
}

// Four threads with two values each hold six elements of eight, two of them twice.
func ExampleCoverageOf() {
	c, err := atom.CoverageOf(cute.MustParse("(4,2):(1,2)"), 8)
	fmt.Println(c.Held, c.Least, c.Most, err)
	// Output:
	// 6 1 2 <nil>
}
