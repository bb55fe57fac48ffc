package atom

import (
	"fmt"
	"strings"

	"girih/cute"
)

// This file defines AMD's transposed reads of LDS. Each lane reads one run of bits at its own address, and then lanes
// exchange elements. The exchange depends on the numbers of the lanes only, never on the addresses. The bits of an
// instruction are numbered (bits of a run)·lane + bit, as they are read; source lane s and element e of its run below.
//
//	ds_read_b64_tr_b16   lane (e, q, block) gets, as value v, element e of lane 16·block + q + 4·v
//	ds_read_b64_tr_b8    lane (e, h, block) gets, as value v, element e of lane 16·block + h + 2·v
//	ds_read_b64_tr_b4    lane (e, block) gets, as value v, element e of lane 16·block + v
//	ds_read_b96_tr_b6    lane (e, block) gets, as value v, element e of lane 16·block + v
//	ds_load_tr16_b128    lane (e, block) gets, as value v, element e of lane 8·block + v
//	ds_load_tr8_b64      lane (e, h, block) gets, as value v, element e of lane 16·block + 4·h + v%4 + 8·(v/4)
//
// The four of gfx950 are what the tests of ROCm's rocRoller expect of the machine, and all but _b6 are factors of
// layouts in Triton's lowering of local_load, as are the two of gfx1250. Triton interleaves lanes in fours for bytes of
// gfx1250 only. ds_load_tr4_b64 and ds_load_tr6_b96 have one source only, a test of AMD's that contradicts Triton in
// ds_load_tr8_b64, and are left out.

const (
	sourceTransposed950  = "AMD Instinct CDNA4 ISA, DS_READ_B64_TR_B16, _B8 and _B4, and DS_READ_B96_TR_B6; ROCm/rocm-libraries, rocRoller's TransposeLoadsTest; triton-lang/triton pull requests 5750 and 8525"
	sourceTransposed1250 = "LLVM, AMDGPU ds_load_tr; triton-lang/triton pull request 8461; ROCm/llvm-project pull request 4450"
)

// amdTransposed returns the transposed reads of gfx950, with waves of 64 lanes, and of gfx1250, with waves of 32.
func amdTransposed() []Copy {
	read := func(name, arch, source string, lanes, run int64, values string) Copy {
		n := int(run / 32)
		from := inMemory(SharedMemory, run)
		from.Align = run + run%64 // 96 bits are aligned to 128
		return Copy{
			Operation: Operation{Name: name, Arch: arch, Source: source, Text: fmt.Sprintf("%s v[0:%d], v%d", name, n-1, n)},
			ThrID:     bitLayout("%d:1", lanes), Src: bitLayout("(%d,%d):(%d,1)", lanes, run, run),
			Dst: cute.MustParse(values), Ref: cute.MustParse(values),
			Kind: MatrixCopy, From: from, To: inRegisters(n),
		}
	}
	return []Copy{
		read("ds_read_b64_tr_b16", cdna4, sourceTransposed950, 64, 64, "((4,4,4),(16,4)):((16,64,1024),(1,256))"),
		read("ds_read_b64_tr_b8", cdna4, sourceTransposed950, 64, 64, "((8,2,4),(8,8)):((8,64,1024),(1,128))"),
		read("ds_read_b64_tr_b4", cdna4, sourceTransposed950, 64, 64, "((16,4),(4,16)):((4,1024),(1,64))"),
		read("ds_read_b96_tr_b6", cdna4, sourceTransposed950, 64, 96, "((16,4),(6,16)):((6,1536),(1,96))"),
		read("ds_load_tr16_b128", cdna5, sourceTransposed1250, 32, 128, "((8,4),(16,8)):((16,1024),(1,128))"),
		read("ds_load_tr8_b64", cdna5, sourceTransposed1250, 32, 64, "((8,2,2),(8,4,2)):((8,256,1024),(1,64,512))"),
	}
}

// isAMD reports whether an architecture is AMD's.
func isAMD(arch string) bool { return strings.HasPrefix(strings.ToLower(arch), "gfx") }
