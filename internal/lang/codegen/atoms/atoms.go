// Package atoms writes instructions as CuTe C++ (include/cute/atom) and as the CuTe DSL of CUTLASS 4
// (cutlass/cute/atom.py and cutlass/cute/nvgpu).
package atoms

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/dtype"
)

// CPPMMA returns the type of an atom in C++, "" for an instruction of AMD, which CuTe does not have. The operations of
// wgmma are templates; the short name omits the majors, although a matrix of 16-bit elements may be transposed, and
// the parameters with defaults.
func CPPMMA(m atom.MMA) string {
	if strings.HasPrefix(m.Arch, "gfx") {
		return ""
	}
	name := m.Name
	if strings.HasPrefix(m.Text, "wgmma") && !strings.Contains(name, "<") {
		switch integers := m.Types.D.Type == dtype.S32; {
		case m.Types.A.Type.Bits() == 16:
			name += fmt.Sprintf("<GMMA::Major::%v,GMMA::Major::%v>", m.AMajor, m.BMajor)
		case !integers || m.Sparse != nil:
			name += "<>"
		}
	}
	return "MMA_Atom<" + name + ">"
}

// CPPCopy returns the type of a copy atom in C++.
func CPPCopy(a atom.CopyAtom) string { return "Copy_Atom<" + a.Name + ", " + a.Type.CPP() + ">" }

// A dslOp is the class of an MMA operation in the DSL, and the atoms with that operation.
type dslOp struct {
	class  string                // the module and the name of the class
	family func(atom.MMA) bool   // selects the instructions of the class
	types  func(atom.MMA) bool   // selects the types of the operands
	both   bool                  // the constructor takes the types of A and B, not of A alone
	more   func(atom.MMA) string // returns the arguments after the shape; nil if there are none
}

// dslOps are the MMA operations of the DSL (cutlass/cute/nvgpu).
var dslOps = []dslOp{
	{class: "warpgroup.MmaF16BF16Op", family: isWgmma, types: isHalf, more: dslSources},
	{class: "warpgroup.MmaF8Op", family: isWgmma, types: isFP8, both: true, more: dslSources},
	{class: "warp.MmaF16BF16Op", family: isM16N8, types: isHalf},
	{
		class: "warp.MmaFP8Op", family: func(m atom.MMA) bool { return m.Arch == "sm89" },
		types: func(m atom.MMA) bool { return isFP8(m) && m.Types.A.Type == m.Types.B.Type },
	},
	{class: "warp.MmaI8Op", family: isM16N8, types: isInt8, both: true, more: dslOverflow},
}

func isWgmma(m atom.MMA) bool { return strings.HasPrefix(m.Text, "wgmma") }

func isM16N8(m atom.MMA) bool { return m.Arch == "sm80" && m.Shape[0] == 16 && m.Shape[1] == 8 }

func isHalf(m atom.MMA) bool {
	switch t := m.Types; t.A.Type {
	case dtype.F16:
		return t.B.Type == t.A.Type && (t.D.Type == dtype.F16 || t.D.Type == dtype.F32)
	case dtype.BF16:
		return t.B.Type == t.A.Type && t.D.Type == dtype.F32
	}
	return false
}

func isFP8(m atom.MMA) bool { return areOf(m, dtype.E4M3, dtype.E5M2) }

func isInt8(m atom.MMA) bool { return areOf(m, dtype.S8, dtype.U8) }

// areOf reports whether A and B are of the given types.
func areOf(m atom.MMA, types ...dtype.Type) bool {
	return slices.Contains(types, m.Types.A.Type) && slices.Contains(types, m.Types.B.Type)
}

// dslSources says from where wgmma reads A, and gives the majors.
func dslSources(m atom.MMA) string {
	source := "RMEM"
	if m.AFrom == atom.SharedMemory {
		source = "SMEM"
	}
	const g = "cute.nvgpu.warpgroup."
	return fmt.Sprintf(", %sOperandSource.%s, %sOperandMajorMode.%v, %sOperandMajorMode.%v", g, source, g, m.AMajor, g,
		m.BMajor)
}

func dslOverflow(m atom.MMA) string {
	if strings.HasSuffix(m.Name, "_SATURATE") {
		return ", cute.nvgpu.warp.MmaIntOverflow.SATURATE"
	}
	return ", cute.nvgpu.warp.MmaIntOverflow.WRAP"
}

// DSLMMA returns the operation of an MMA in the DSL, "" if the DSL has no such operation.
func DSLMMA(m atom.MMA) string {
	a, b, acc := m.Types.A.Type, m.Types.B.Type, m.Types.D.Type
	if m.Sparse != nil || m.Scale != nil || m.Types.A.Parts > 1 || m.Types.C.Type != acc {
		return ""
	}
	if strings.HasPrefix(m.Name, "UniversalFMA") {
		if a != b || a != acc {
			return ""
		}
		return "cute.nvgpu.MmaUniversalOp(" + DSLType(a) + ")"
	}
	k := slices.IndexFunc(dslOps, func(op dslOp) bool { return op.family(m) && op.types(m) })
	if k < 0 {
		return ""
	}
	op, types := dslOps[k], DSLType(a)+", "
	if op.both {
		types += DSLType(b) + ", "
	}
	shape := fmt.Sprintf("(%d, %d, %d)", m.Shape[0], m.Shape[1], m.Shape[2])
	if op.more != nil {
		shape += op.more(m)
	}
	return "cute.nvgpu." + op.class + "(" + types + DSLType(acc) + ", " + shape + ")"
}

// DSLCopy returns a copy atom in the DSL, "" if the DSL does not have the atom.
func DSLCopy(a atom.CopyAtom) string {
	op, bits := "", fmt.Sprintf(", num_bits_per_copy=%d", a.Bits())
	matrices := a.Bits() / 1024 // matrices of 8 by 8 elements of 16 bits
	flags := map[bool]string{true: "True", false: "False"}[strings.HasSuffix(a.Name, "_T")]
	switch name := a.Name; {
	case strings.HasPrefix(name, "UniversalCopy"):
		op = "cute.nvgpu.CopyUniversalOp()"
	case strings.HasPrefix(name, "SM80_CP_ASYNC_CACHE") && !strings.Contains(name, "ZFILL"):
		mode := map[bool]string{true: "GLOBAL", false: "ALWAYS"}[strings.Contains(name, "CACHEGLOBAL")]
		op = "cute.nvgpu.cpasync.CopyG2SOp(cache_mode=cute.nvgpu.cpasync.LoadCacheMode." + mode + ")"
	case strings.HasPrefix(name, "SM75_U") && strings.Contains(name, "_LDSM_"):
		op, bits = fmt.Sprintf("cute.nvgpu.warp.LdMatrix8x8x16bOp(transpose=%s, num_matrices=%d)", flags, matrices), ""
	case strings.HasPrefix(name, "SM90_U") && strings.Contains(name, "_STSM_"):
		op, bits = fmt.Sprintf("cute.nvgpu.warp.StMatrix8x8x16bOp(transpose=%s, num_matrices=%d)", flags, matrices), ""
	}
	typ := DSLType(a.Type)
	if op == "" || typ == "" {
		return ""
	}
	return "cute.make_copy_atom(" + op + ", " + typ + bits + ")"
}

// DSLType returns the class of a type in the DSL, "" if the type has no class.
func DSLType(t dtype.Type) string {
	if t.DSL() == "" {
		return ""
	}
	return "cutlass." + t.DSL()
}
