package descriptor

import (
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// CuTe prints these layout atoms, and tiles of them (conformance/user_cases.json, U066 to U075).
func TestAtoms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, printed, elements string }{
		{"GMMA::Layout_K_SW128_Atom<half_t>", "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
		{"GMMA::Layout_K_SW64_Atom<half_t>", "Sw<2,4,3> o smem_ptr[16b](unset) o (8,32):(32,1)", "Sw<2,3,3> o 0 o (8,32):(32,1)"},
		{"GMMA::Layout_MN_SW128_Atom<half_t>", "Sw<3,4,3> o smem_ptr[16b](unset) o (64,8):(1,64)", "Sw<3,3,3> o 0 o (64,8):(1,64)"},
		{"GMMA::Layout_K_SW128_Atom<int8_t>", "Sw<3,4,3> o smem_ptr[8b](unset) o (8,128):(128,1)", "Sw<3,4,3> o 0 o (8,128):(128,1)"},
		{"UMMA::Layout_K_INTER_Atom<float>", "Sw<0,4,3> o smem_ptr[32b](unset) o (8,4):(4,1)", "Sw<0,2,3> o 0 o (8,4):(4,1)"},
		{"UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>", "Sw<2,5,2> o smem_ptr[32b](unset) o (32,4):(1,32)", "Sw<2,3,2> o 0 o (32,4):(1,32)"},
		{"Layout_K_SW32_Atom<double>", "Sw<1,4,3> o smem_ptr[64b](unset) o (8,4):(4,1)", "Sw<1,1,3> o 0 o (8,4):(4,1)"},
		{"Layout_K_SW128_Atom<float_e2m1_t>", "Sw<3,4,3> o smem_ptr[4b](unset) o (8,256):(256,1)", "Sw<3,5,3> o 0 o (8,256):(256,1)"},
		// The values are compiled from CUTLASS 4.7: the unpacked type still has 4 bits.
		{"UMMA::Layout_K_SW128_Atom<float_e2m1_unpacksmem_t>", "Sw<3,4,3> o smem_ptr[4b](unset) o (8,256):(256,1)", "Sw<3,5,3> o 0 o (8,256):(256,1)"},
		{"UMMA::Layout_MN_SW128_32B_SpAtom<half_t,2>", "Sw<2,5,2> o smem_sparse<2>_ptr[16b](unset) o ((1,64),(2,4)):((0,2),(1,128))", "Sw<2,5,2> o 0 o ((1,64),(2,4)):((0,2),(1,128))"},
	} {
		a, err := FindAtom(c.name)
		if err != nil || a.String() != c.printed || a.Elements.String() != c.elements {
			t.Errorf("%s: %v, %v, %v", c.name, a, a.Elements, err)
		}
	}
	for name, code := range map[string]cute.Code{
		"Layout_K_SW128_Atom<float_e3m2_unpacksmem_t>": cute.CodeType,
		"Layout_K_SW256_Atom<half_t>":                  cute.CodeName, "Layout_K_SW128_Atom<float_e3m2_t>": cute.CodeType,
		"Layout_K_SW128_32B_Atom<float>": cute.CodeType, "Layout_K_SW128_Atom<x>": cute.CodeName,
	} {
		if _, err := FindAtom(name); !hasCode(err, code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The swizzle of bytes and the swizzle in elements are the same function, address by address, and a bijection of the
// tile.
func TestAtomsByAddress(t *testing.T) {
	t.Parallel()
	for p := INTER; p <= SW128Base; p++ {
		for _, major := range []atom.Major{atom.KMajor, atom.MNMajor} {
			for _, e := range []dtype.Type{dtype.F64, dtype.TF32, dtype.F16, dtype.E4M3} {
				a, err := MakeAtom(p, major, e)
				if err != nil {
					continue
				}
				bytes := int64(e.Bits() / 8)
				plain, err1 := a.Layout.AppendOffsets(nil)
				swizzled, err2 := a.Elements.AppendOffsets(nil)
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				seen := map[int64]bool{}
				for i, x := range plain {
					y, err := a.Swizzle.At(x * bytes)
					if err != nil || y != swizzled[i]*bytes || seen[y] {
						t.Fatalf("%s: element %d is at byte %d, want %d: %v", a.Name(), i, swizzled[i]*bytes, y, err)
					}
					seen[y] = true
				}
			}
		}
	}
}

func TestAtomsOfOperands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		o    atom.Operand
		want int
	}{
		{"SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>", atom.OperandA, 4},
		{"SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>", atom.OperandB, 4},
		{"SM90_64x128x16_F32F16F16_RS", atom.OperandA, 0},
		{"SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,128,128,UMMA::Major::MN,UMMA::Major::K>", atom.OperandA, 1},
		{"SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,128,128,UMMA::Major::MN,UMMA::Major::K>", atom.OperandC, 0},
		{"SM80_16x8x16_F32F16F16F32_TN", atom.OperandB, 0},
	} {
		m := mustFind(t, c.name)
		if got := AtomsOf(m, c.o); len(got) != c.want {
			t.Errorf("%v of %s: %v", c.o, c.name, got)
		}
	}
	a, err := FindAtom("Layout_K_SW128_Atom<half_t>")
	if err != nil {
		t.Fatal(err)
	}
	l, err := a.TileToShape(cute.Ints(128, 64), cute.Tuple{})
	if err != nil || l.Layout().String() != "((8,16),(64,1)):((64,512),(1,0))" {
		t.Errorf("%v, %v", l, err)
	}
	if _, err := a.TileToShape(cute.Ints(100, 64), cute.Tuple{}); !hasCode(err, cute.CodeNotDivisible) {
		t.Errorf("%v", err)
	}
}
