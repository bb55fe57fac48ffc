package tile

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
)

// A Gemm describes the shared memory of a matrix product of tiles. M, N and K count elements. A type of 0 means that
// the matrix is left out.
type Gemm struct {
	M, N, K     int64
	A, B        dtype.Type
	Scale       dtype.Type // the type of the scale factors of A and B
	ScaleVector int64      // the number of elements along K that share a scale factor: 16 or 32
	C, D        dtype.Type // what the epilogue loads and stores
	EpiM, EpiN  int64      // the tile of the epilogue
	CStages     int64      // the number of copies of the epilogue tile of C
	DStages     int64      // the number of copies of the epilogue tile of D
	AccStages   int64      // accumulators in tensor memory, with a pipeline of barriers and the pointer
	Barriers    int64      // mbarriers in addition to the pipelines' own
	Align       int64      // the alignment of the tiles in bytes; 0 means 1024 on machines with TMA, else 128
	CTAGroup    int64      // 2 if two CTAs share a product (cta_group::2): each has M rows, and half of B
}

// The sizes of barriers and addresses, in bytes: an mbarrier is a 64-bit object (PTX ISA, "mbarrier"); tcgen05.alloc
// writes a 32-bit address of tensor memory.
const (
	barrierBytes = 8
	tmemPointer  = 4
	// Scale factors are stored in blocks of 128 rows by 4 (PTX ISA, tcgen05.mma, "Scale factors"; Blk_MN and Blk_SF of
	// CUTLASS).
	scaleRows    = 128
	scaleColumns = 4
)

// Buffers returns the buffers of the product on a machine: the ring of A, B and scale factors, the epilogue's C and D,
// then the barriers. A stage of a pipeline has two mbarriers, full and empty (cutlass/pipeline/sm90_pipeline.hpp);
// machines before sm90 have no mbarriers. Sizes are in bytes, rounded up.
//
// It returns [cute.CodeExtent] for extents that are not positive or too large, and [cute.CodeType] if A or B is left
// out.
func (g Gemm) Buffers(t Target) ([]Buffer, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	tma := t.bulk()
	align := g.Align
	if align == 0 {
		if align = 128; tma {
			align = 1024
		}
	}
	n := g.N
	if g.CTAGroup == 2 {
		n /= 2
	}
	list := []Buffer{
		{"A", bytesOf(g.M*g.K, g.bits(t, g.A, g.B)), align, 1, true},
		{"B", bytesOf(n*g.K, g.bits(t, g.B, g.A)), align, 1, true},
	}
	if g.ScaleVector > 0 {
		list = append(list,
			Buffer{"SFA", g.scales(g.M), min(align, 128), 1, true},
			Buffer{"SFB", g.scales(g.N), min(align, 128), 1, true})
	}
	if g.C != 0 {
		list = append(list, Buffer{"C", bytesOf(g.EpiM*g.EpiN, int64(g.C.Bits())), align, g.CStages, false})
	}
	if g.D != 0 {
		list = append(list, Buffer{"D", bytesOf(g.EpiM*g.EpiN, int64(g.D.Bits())), align, g.DStages, false})
	}
	if tma {
		list = append(list, Buffer{"mainloop barriers", 2 * barrierBytes, barrierBytes, 1, true})
		if g.C != 0 {
			list = append(list, Buffer{"epilogue load barriers", 2 * barrierBytes, barrierBytes, g.CStages, false})
		}
	}
	if g.AccStages > 0 {
		list = append(list,
			Buffer{"accumulator barriers", 2 * barrierBytes, barrierBytes, g.AccStages, false},
			Buffer{"tensor memory dealloc barrier", barrierBytes, barrierBytes, 1, false},
			Buffer{"tensor memory pointer", tmemPointer, tmemPointer, 1, false})
	}
	if g.Barriers > 0 {
		list = append(list, Buffer{"other barriers", barrierBytes, barrierBytes, g.Barriers, false})
	}
	return list, nil
}

// check refuses impossible products. Extents are bounded, so that bytes do not overflow.
func (g Gemm) check() error {
	const op, most = "budget", 1 << 14
	for _, x := range []struct {
		name string
		n    int64
		ok   bool
	}{
		{"M", g.M, g.M > 0},
		{"N", g.N, g.N > 0},
		{"K", g.K, g.K > 0},
		{"the epilogue's M", g.EpiM, g.EpiM > 0 || g.C == 0 && g.D == 0 && g.EpiM == 0},
		{"the epilogue's N", g.EpiN, g.EpiN > 0 || g.C == 0 && g.D == 0 && g.EpiN == 0},
		{"stages of C", g.CStages, g.CStages > 0 || g.C == 0 && g.CStages == 0},
		{"stages of D", g.DStages, g.DStages > 0 || g.D == 0 && g.DStages == 0},
		{"elements of a scale factor", g.ScaleVector, g.ScaleVector >= 0},
		{"accumulators", g.AccStages, g.AccStages >= 0},
		{"barriers", g.Barriers, g.Barriers >= 0},
	} {
		if !x.ok || x.n > most {
			return fail(cute.CodeExtent, op, "expected a positive number of %s up to %d, found %d", x.name, most, x.n)
		}
	}
	if g.A == 0 || g.B == 0 || g.ScaleVector > 0 && g.Scale == 0 {
		return fail(cute.CodeType, op, "expected the types of A and B, and of scale factors where there are any")
	}
	return nil
}

// bulk reports whether the machine has TMA and pipelines of mbarriers: sm90 and later.
func (t Target) bulk() bool {
	return t.NVIDIA() && (len(t.Name) > 4 || t.Name >= "sm90")
}

// bits returns the bits of an element in shared memory: instructions of kind f8f6f4 (and mxf8f6f4) store 4-bit and
// 6-bit elements in bytes, kinds mxf4 and mxf4nvf4 packed (PTX ISA, tcgen05.mma, "Packing formats").
func (g Gemm) bits(t Target, own, other dtype.Type) int64 {
	b := int64(own.Bits())
	if !t.bulk() || t.Name == "sm90" || own.Kind() != dtype.Float || b != 4 && b != 6 {
		return b
	}
	if b == 4 && other.Bits() == 4 && g.ScaleVector > 0 {
		return b
	}
	return 8
}

// scales returns the bytes of the scale factors of a number of rows, in blocks of 128 rows by 4.
func (g Gemm) scales(rows int64) int64 {
	across := (g.K + g.ScaleVector - 1) / g.ScaleVector
	blocks := ((rows + scaleRows - 1) / scaleRows) * ((across + scaleColumns - 1) / scaleColumns)
	return bytesOf(blocks*scaleRows*scaleColumns, int64(g.Scale.Bits()))
}

func bytesOf(elements, bits int64) int64 { return (elements*bits + 7) / 8 }

// A StageCount is the number of stages by another tool's rule, with its terms in bytes.
type StageCount struct {
	Rule     string // the tool with this rule, and where the rule is documented
	Stages   int64
	Capacity int64 // the bytes that the rule divides among stages
	Carveout int64 // the bytes that the rule reserves for the epilogue and barriers
	Stage    int64 // the bytes that the rule counts for one stage
	Text     string
}

// StageCountAutoCarveout returns the number of stages that CUTLASS's builder computes for a carve-out of the epilogue's
// shared memory. For sm90, compute_stage_count_or_override of sm90_gmma_builder.inl rounds a stage, the carve-out and
// the capacity to 128 bytes. For sm100, sm103, sm110 and sm120, sm100_compute_stage_count_or_override of
// sm100_umma_builder.inl rounds nothing, and subtracts 160 bytes for a dense kernel with 2 accumulators and 2 stages of
// the scheduler from sm100's capacity (sm100_pipeline_carveout.inl); with scale factors it rounds the barriers of a
// stage to 128 bytes (sm100_blockscaled_umma_builder.inl), and sm120 has 96 bytes less for its scheduler. None of these
// rules counts the alignment of atoms.
//
// It returns [cute.CodeUnknown] for machines whose builders have no automatic count, and the errors of [Gemm.Buffers].
func (g Gemm) StageCountAutoCarveout(t Target) (StageCount, error) {
	list, err := g.Buffers(t)
	if err != nil {
		return StageCount{}, err
	}
	if !t.bulk() {
		return StageCount{}, fail(cute.CodeUnknown, "budget", "CUTLASS computes no number of stages for %s", t.Name)
	}
	s := StageCount{Rule: "CUTLASS StageCountAutoCarveout", Capacity: t.PerBlock}
	for _, b := range list {
		switch b.Name {
		case "A", "B", "SFA", "SFB":
			s.Stage += b.Bytes
		case "C", "D", "epilogue load barriers":
			s.Carveout += b.Bytes * b.Copies
		}
	}
	switch {
	case t.Name == "sm90":
		s.Stage, s.Carveout, s.Capacity = ints.RoundUp(s.Stage, 128), ints.RoundUp(s.Carveout, 128), s.Capacity/128*128
	case t.PerBlock > 200<<10:
		s.Capacity -= 160
	case g.ScaleVector > 0:
		s.Capacity -= 96
	}
	pipeline := int64(2 * barrierBytes)
	if t.Name != "sm90" && g.ScaleVector > 0 {
		pipeline = 128
	}
	s.Stage += pipeline
	s.Stages = max((s.Capacity-s.Carveout)/s.Stage, 0)
	s.Text = fmt.Sprintf("(%d - %d) / %d", s.Capacity, s.Carveout, s.Stage)
	return s, nil
}

// DSLStages returns the number of stages by _compute_stages of the CuTe DSL's GEMM examples: the capacity of each of
// the given number of CTAs on an SM, minus 1024 bytes for barriers and the epilogue's copies, divided by the data of
// one stage without barriers. It returns the errors of [Gemm.Buffers], and [cute.CodeUnknown] for machines without TMA.
func (g Gemm) DSLStages(t Target, ctas int64) (StageCount, error) {
	list, err := g.Buffers(t)
	if err != nil {
		return StageCount{}, err
	}
	if !t.bulk() || ctas < 1 {
		return StageCount{}, fail(cute.CodeUnknown, "budget", "the CuTe DSL's examples have no stages on %s", t.Name)
	}
	const helpers = 1024
	s := StageCount{Rule: "CuTe DSL _compute_stages", Capacity: t.PerBlock / ctas, Carveout: helpers}
	for _, b := range list {
		switch b.Name {
		case "A", "B", "SFA", "SFB":
			s.Stage += b.Bytes
		case "C", "D":
			s.Carveout += b.Bytes * b.Copies
		}
	}
	s.Stages = max((s.Capacity-s.Carveout)/s.Stage, 0)
	s.Text = fmt.Sprintf("(%d - %d) / %d", s.Capacity, s.Carveout, s.Stage)
	return s, nil
}
