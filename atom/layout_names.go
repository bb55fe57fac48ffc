package atom

import (
	"iter"
	"strconv"
	"strings"

	"girih/cute"
)

// This file has the layouts that CuTe's headers name in traits, so that a text that uses the names can be read:
//
//	using CLayout = GMMA::CLayout_64x128;   (T128,V64) -> (M64,N128)
//	using ALayout = SM70_8x4_Col;           (T8,V4) -> (M8,K4)

// traitLayouts are the layouts that CuTe writes out (CUTLASS, cute/atom/mma_traits_sm70.hpp and mma_traits_sm80.hpp).
var traitLayouts = [...]struct{ name, text string }{
	{"SM70_QuadPair", "(4,2):(1,16)"},
	{"SM70_8x4_Row", "(8,4):(1,8)"},
	{"SM70_8x4_Col", "((4,2),4):((8,4),1)"},
	{"SM70_8x8_16b", "(8,8):(1,8)"},
	{"SM70_8x8_32b", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"},
	{"SM80_8x4", "((4,8),1):((8,1),0)"},
	{"SM80_8x8_Row", "((4,8),2):((16,1),8)"},
	{"SM80_8x16_Row", "((4,8),4):((32,1),8)"},
	{"SM80_16x8_Row", "((4,8),(2,2)):((32,1),(16,8))"},
}

// The layouts of wgmma have an extent in their names (CUTLASS, cute/atom/mma_traits_sm90_gmma.hpp).
const (
	spaceGMMA      = "GMMA::"
	nameGMMASource = "ALayout_64x"
	nameGMMASum    = "CLayout_64x"
)

// FindLayout returns the layout (thread, value) -> index with that name in CuTe's traits: SM80_16x8_Row,
// GMMA::ALayout_64x16, CLayout_64x128, GMMA::ABLayout<64,16>. ok is false if there is none.
func FindLayout(name string) (l cute.Layout, ok bool) {
	for _, n := range traitLayouts {
		if n.name == name {
			return cute.MustParse(n.text), true
		}
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "SM90::"), spaceGMMA)
	if base, args := templateArguments(name); len(args) > 0 {
		return templateLayout(base, args)
	}
	if k, found := strings.CutPrefix(name, nameGMMASource); found {
		for _, x := range [...]int64{8, 16, 32, 64} {
			if k == strconv.FormatInt(x, 10) {
				return warpgroupOperand(x, x/8), true
			}
		}
	}
	if text, found := strings.CutPrefix(name, nameGMMASum); found {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || text[0] == '0' || text[0] == '+' {
			return l, false
		}
		l, err = SumLayout(n)
		return l, err == nil
	}
	return l, false
}

// templateLayout returns the layout of a template of integers: ABLayout<64,16>, CLayout_64xN<128>.
func templateLayout(base string, args []string) (l cute.Layout, ok bool) {
	var xs []int64
	for _, a := range args {
		x, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(a), "_"), 10, 64)
		if err != nil {
			return l, false
		}
		xs = append(xs, x)
	}
	var err error
	switch {
	case base == "ABLayout" && len(xs) == 2:
		l, err = SharedLayout(xs[0], xs[1])
	case base == nameGMMASum+"N" && len(xs) == 1:
		l, err = SumLayout(xs[0])
	default:
		return l, false
	}
	return l, err == nil
}

// SumLayout returns the layout of C of a wgmma of N columns, CuTe's GMMA::CLayout_64xN<N>. It returns [cute.CodeExtent]
// unless N is a multiple of 8 from 8 to 256.
func SumLayout(n int64) (cute.Layout, error) {
	if n < 8 || n > 256 || n%8 != 0 {
		return cute.Layout{}, fail(cute.CodeExtent, opAtom, "CLayout_64xN takes a multiple of 8 from 8 to 256, found %d", n)
	}
	return warpgroupAccumulator(n, 0), nil
}

// SharedLayout returns the layout of a matrix of M by K elements in shared memory that all 128 threads of a warpgroup
// name, CuTe's GMMA::ABLayout<M,K>. It returns [cute.CodeExtent] for an extent below 1 and [cute.CodeOverflow] beyond
// 64 bits.
func SharedLayout(m, k int64) (cute.Layout, error) {
	if m < 1 || k < 1 {
		return cute.Layout{}, fail(cute.CodeExtent, opAtom, "ABLayout takes extents of at least 1, found %d and %d", m, k)
	}
	shape, err := cute.MakeTuple(cute.Int(128), cute.Ints(m, k))
	if err != nil {
		return cute.Layout{}, err
	}
	stride, err := cute.MakeTuple(cute.Int(0), cute.Ints(1, m))
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(shape, stride)
}

// LayoutNames returns the names that [FindLayout] takes. Names of wgmma have their namespace.
func LayoutNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range traitLayouts {
			if !yield(n.name) {
				return
			}
		}
		for k := int64(8); k <= 64; k *= 2 {
			if !yield(spaceGMMA + nameGMMASource + strconv.FormatInt(k, 10)) {
				return
			}
		}
		for n := int64(8); n <= 256; n += 8 {
			if !yield(spaceGMMA + nameGMMASum + strconv.FormatInt(n, 10)) {
				return
			}
		}
	}
}
