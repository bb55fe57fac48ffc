package tensormap

import (
	"strconv"
	"strings"

	"girih/cute"
)

// A Mode says how the copy engine goes through the tensor, which depends on the driver's function that makes the map.
type Mode uint8

// The modes (PTX ISA, "Tensor Access Modes").
const (
	Tiled      Mode = iota // a box: cuTensorMapEncodeTiled
	Im2col                 // pixels of a convolution: cuTensorMapEncodeIm2col
	Im2colWide             // pixels of one row of an image: cuTensorMapEncodeIm2colWide
)

// String returns tiled, im2col or im2col::w, as the PTX ISA names them.
func (m Mode) String() string { return word(int(m), []string{"tiled", "im2col", "im2col::w"}) }

// Function returns the function of the driver that makes a map of the mode.
func (m Mode) Function() string {
	return word(int(m), []string{"cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col", "cuTensorMapEncodeIm2colWide"})
}

// A WideMode is a CUtensorMapIm2ColWideMode: the number of pixels that a map of the mode [Im2colWide] loads.
type WideMode uint8

// The wide modes: the number of pixels in Pixels, or 128 (PTX ISA, "im2col::w and im2col::w::128 modes").
const (
	W WideMode = iota
	W128
)

// String returns the driver's name.
func (w WideMode) String() string {
	return word(int(w), []string{"CU_TENSOR_MAP_IM2COL_WIDE_MODE_W", "CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128"})
}

// An Interleave is a CUtensorMapInterleave: the arrangement of the channels in global memory.
type Interleave uint8

// The interleaves (PTX ISA, "Interleave layout"): channels side by side, or in slices of 16 or 32 bytes. With slices,
// dimension 0 counts the pixels of a row, and the last dimension but one counts slices.
const (
	InterleaveNone Interleave = iota
	Interleave16B
	Interleave32B
)

// String returns the driver's name.
func (i Interleave) String() string {
	return word(int(i), []string{"CU_TENSOR_MAP_INTERLEAVE_NONE", "CU_TENSOR_MAP_INTERLEAVE_16B", "CU_TENSOR_MAP_INTERLEAVE_32B"})
}

// Bytes returns the number of bytes of a slice, 0 without slices.
func (i Interleave) Bytes() int64 {
	if i != Interleave16B && i != Interleave32B {
		return 0
	}
	return 8 << i
}

// A Swizzle is a CUtensorMapSwizzle: the permutation of the bytes in shared memory.
type Swizzle uint8

// The swizzles (CUDA Driver API, CUtensorMapSwizzle; PTX ISA, "Swizzling Modes"). The first four move chunks of 16
// bytes.
const (
	SwizzleNone              Swizzle = iota
	Swizzle32B                       // Sw<1,4,3> on addresses
	Swizzle64B                       // Sw<2,4,3>
	Swizzle128B                      // Sw<3,4,3>
	Swizzle128BAtom32B               // Sw<2,5,2>: chunks of 32 bytes
	Swizzle128BAtom32BFlip8B         // the same, and every second row exchanges the halves of its 16 bytes
	Swizzle128BAtom64B               // Sw<1,6,1>: chunks of 64 bytes
	swizzleCount
)

// A swizzleRow has the facts about one swizzle.
type swizzleRow struct {
	name    string // the name in the driver, without the prefix
	span    int64  // bytes that a row of the box may have
	repeats int64  // bytes after which the pattern begins again
	b, m, s int    // the swizzle of CuTe on addresses
	flip    bool
}

// The spans are from the driver's documentation, the periods from the table of starting addresses in the PTX ISA.
var swizzleRows = [swizzleCount]swizzleRow{
	SwizzleNone:              {"NONE", 0, 128, 0, 4, 3, false},
	Swizzle32B:               {"32B", 32, 256, 1, 4, 3, false},
	Swizzle64B:               {"64B", 64, 512, 2, 4, 3, false},
	Swizzle128B:              {"128B", 128, 1024, 3, 4, 3, false},
	Swizzle128BAtom32B:       {"128B_ATOM_32B", 128, 1024, 2, 5, 2, false},
	Swizzle128BAtom32BFlip8B: {"128B_ATOM_32B_FLIP_8B", 128, 1024, 2, 5, 2, true},
	Swizzle128BAtom64B:       {"128B_ATOM_64B", 128, 1024, 1, 6, 1, false},
}

const swizzlePrefix = "CU_TENSOR_MAP_SWIZZLE_"

func (s Swizzle) isKnown() bool { return s < swizzleCount }

// String returns the driver's name.
func (s Swizzle) String() string {
	if !s.isKnown() {
		return strconv.Itoa(int(s))
	}
	return swizzlePrefix + swizzleRows[s].name
}

// Span returns the largest number of bytes of a row of the box, 0 for any number (CUDA Driver API, interleave).
func (s Swizzle) Span() int64 {
	if !s.isKnown() {
		return 0
	}
	return swizzleRows[s].span
}

// Repeats returns the number of bytes after which the pattern begins again. Shared memory with this alignment has the
// same pattern by offsets as by addresses. The result is 256, 512 or 1024; without a swizzle 128, which every map needs
// (PTX ISA, "Swizzling Modes").
func (s Swizzle) Repeats() int64 {
	if !s.isKnown() {
		return 128
	}
	return swizzleRows[s].repeats
}

// At maps the byte at an address of shared memory to its swizzled address (PTX ISA, "Swizzling Modes": the bits of the
// 128-byte line are added, without carry, to the bits of the chunk).
func (s Swizzle) At(address int64) int64 {
	if !s.isKnown() {
		return address
	}
	r := swizzleRows[s]
	out := address ^ address>>r.s&((1<<r.b-1)<<r.m)
	if r.flip {
		out ^= address >> 4 & 8 // bit 7, the parity of the line, exchanges the halves of 16 bytes
	}
	return out
}

// CuTe returns CuTe's swizzle on addresses, and false for Swizzle128BAtom32BFlip8B, which CuTe cannot express.
func (s Swizzle) CuTe() (cute.Swizzle, bool) {
	if !s.isKnown() || swizzleRows[s].flip {
		return cute.Swizzle{}, false
	}
	r := swizzleRows[s]
	if r.b == 0 {
		return cute.Swizzle{}, true
	}
	w, err := cute.NewSwizzle(r.b, r.m, r.s)
	return w, err == nil
}

// ParseSwizzle reads the driver's name or number, or a part of the name: CU_TENSOR_MAP_SWIZZLE_128B, SWIZZLE_128B,
// 128B, 128, SW128, none. The error has the code CodeName.
func ParseSwizzle(name string) (Swizzle, error) {
	s := strings.ToUpper(strings.TrimSpace(name))
	s = strings.TrimPrefix(strings.TrimPrefix(s, "CU_TENSOR_MAP_"), "SWIZZLE_")
	for i, r := range swizzleRows {
		if s == r.name || s == strconv.Itoa(i) || i < 4 && i > 0 && (s == strconv.Itoa(int(r.span)) ||
			s == "SW"+strconv.Itoa(int(r.span))) {
			return Swizzle(i), nil
		}
	}
	if s == "INTERLEAVE" || s == "INTER" {
		return SwizzleNone, nil
	}
	return 0, refuse(cute.CodeName, "", "%q is no swizzle of a tensor map: expected none, 32B, 64B, 128B, 128B_ATOM_32B, "+
		"128B_ATOM_32B_FLIP_8B or 128B_ATOM_64B", name)
}

// A Promotion is a CUtensorMapL2promotion: how many bytes a request that misses the L2 cache fetches from memory.
type Promotion uint8

// The promotions, in bytes.
const (
	PromotionNone Promotion = iota
	Promotion64B
	Promotion128B
	Promotion256B
)

// String returns the driver's name.
func (p Promotion) String() string {
	return word(int(p), []string{
		"CU_TENSOR_MAP_L2_PROMOTION_NONE", "CU_TENSOR_MAP_L2_PROMOTION_L2_64B", "CU_TENSOR_MAP_L2_PROMOTION_L2_128B",
		"CU_TENSOR_MAP_L2_PROMOTION_L2_256B",
	})
}

// A Fill is a CUtensorMapFloatOOBfill: the value written to shared memory for elements outside the tensor.
type Fill uint8

// The fills: zeros, or a NaN that fma.oob treats as zero (PTX ISA, "Out of Boundary Access").
const (
	FillZero Fill = iota
	FillNaN
)

// String returns the driver's name.
func (f Fill) String() string {
	return word(int(f), []string{"CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE", "CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA"})
}

// word returns name i, or the number if there is no name.
func word(i int, names []string) string {
	if i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i)
}
