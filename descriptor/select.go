package descriptor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

func fmtInt(n int64) string { return strconv.FormatInt(n, 10) }

// A Selector is one of the functions with which the builders of CUTLASS select the atom of a tile.
type Selector uint8

// The selectors (cutlass/gemm/collective/builders, sm90_common.inl, sm100_common.inl and sm120_common.inl of 4.7).
const (
	SelectSS    Selector = iota // SelectSS: ss_smem_selector, of wgmma with A and B in shared memory, and of epilogues.
	SelectRS                    // SelectRS: rs_smem_selector, of wgmma with A in registers: mixed types, MN-major words.
	SelectRSB                   // SelectRSB: rs_smem_selector where B is transposed in shared memory (is_ws_transposed_B).
	SelectSM100                 // SelectSM100: sm100_smem_selector, of tcgen05.mma.
	SelectRR                    // SelectRR: sm120_rr_smem_selector, of mma.sync on 8 bits or fewer.
)

var selectorNames = [...]string{
	"ss_smem_selector", "rs_smem_selector", "rs_smem_selector<is_ws_transposed_B>", "sm100_smem_selector", "sm120_rr_smem_selector",
}

// String returns the name in CUTLASS: "ss_smem_selector".
func (s Selector) String() string {
	if int(s) < len(selectorNames) {
		return selectorNames[s]
	}
	return fmt.Sprintf("Selector(%d)", uint8(s))
}

// FindSelector returns the selector of a name: the name of the function, with or without _sparse after it, or the name
// of an instruction or an architecture in CuTe or PTX, such as wgmma, tcgen05 and sm120. sparse says that the name is
// for a sparse A. It returns [cute.CodeName] for an unknown name.
func FindSelector(name string) (s Selector, sparse bool, err error) {
	text := strings.ToLower(strings.TrimSpace(name))
	sparse = strings.Contains(text, "sparse") || strings.Contains(text, ".sp.")
	text = strings.Replace(text, "_sparse", "", 1)
	if i := slices.Index(selectorNames[:], strings.Replace(text, "is_ws_transposed_b", "is_ws_transposed_B", 1)); i >= 0 {
		return Selector(i), sparse, nil
	}
	for _, x := range []struct {
		prefix string
		s      Selector
	}{
		{"wgmma", SelectSS},
		{"gmma", SelectSS},
		{"sm90", SelectSS},
		{"tcgen05", SelectSM100},
		{"umma", SelectSM100},
		{"sm100", SelectSM100},
		{"sm103", SelectSM100},
		{"sm120", SelectRR},
	} {
		if strings.HasPrefix(text, x.prefix) {
			if x.s == SelectSS && strings.Contains(text, "_rs") {
				return SelectRS, sparse, nil
			}
			return x.s, sparse, nil
		}
	}
	return 0, false, withHint(fail(cute.CodeName, "no builder of CUTLASS selects an atom for %.60q", name),
		"wgmma, tcgen05, sm120, an instruction by its name, or %s", strings.Join(selectorNames[:], ", "))
}

// A Selection is the atom that a builder of CUTLASS takes for a tile, and why.
type Selection struct {
	Atom Atom
	// Extent is the extent of the tile along the contiguous mode, Wide is the extent of the atom: Wide divides Extent.
	Extent, Wide int64
	// Tried contains the wider atoms, which do not divide Extent.
	Tried []Atom
	// Why is the reason, in a sentence without a full stop.
	Why string
}

// Select returns the atom that the selector chooses for a tile of (BLK_MN, BLK_K) elements: the widest swizzle that
// divides the extent along the contiguous mode, with these exceptions:
//
//	sm100_smem_selector      only SW128_32B for MN-major types of 32 bits; for a sparse operand it is the first
//	rs_smem_selector         SW32 or INTER for 32 and 64 bits that are MN-major, which are transposed through registers
//	  is_ws_transposed_B     only SW32 for MN-major types of 32 and 64 bits, and only SW128 for MN-major types of 8 bits
//	sm120_rr_smem_selector   only K-major types of 8 bits or less
//
// If extents are nested, the first leaf counts, as in BLK_MN0. t is the type of the elements in shared memory; sparsity
// is 1, or the number of elements that share a place, 2 or 4. It returns [cute.CodeNotDivisible] if the builder's
// static_assert fails, [cute.CodeType] for types and majors that the selector does not accept, and the errors of
// [MakeAtom] and [Atom.Sparse].
func (s Selector) Select(major atom.Major, t dtype.Type, tile [2]int64, sparsity int64) (Selection, error) {
	for i, name := range []string{"BLK_MN", "BLK_K"} {
		if tile[i] <= 0 || tile[i]%8 != 0 {
			return Selection{}, withHint(fail(cute.CodeNotDivisible, "%s must be a multiple of 8, found %d", name, tile[i]),
				"the nearest is %d", max(8, (min(tile[i], 1<<40)+4)/8*8))
		}
	}
	mode, name := 1, "BLK_K"
	if major == atom.MNMajor {
		mode, name = 0, "BLK_MN"
	}
	patterns, why, err := s.patterns(major, t, sparsity)
	if err != nil {
		return Selection{}, err
	}
	out := Selection{Extent: tile[mode]}
	for _, p := range patterns {
		a, err := MakeAtom(p, major, t)
		if err == nil && sparsity > 1 {
			a, err = a.Sparse(sparsity)
		}
		if err != nil {
			return Selection{}, err
		}
		if out.Wide = a.wide(); out.Extent%out.Wide != 0 {
			out.Tried = append(out.Tried, a)
			continue
		}
		out.Atom = a
		out.Why = fmt.Sprintf(
			"%s of %d elements of %v are %s bytes: the widest row that divides it is %v, %d elements (%d bytes)", name,
			out.Extent, t, bytesOf(out.Extent/a.apart(), t), p, out.Wide, p.Width())
		if why != "" {
			out.Why = fmt.Sprintf("%s, and the %d elements of %v divide %s of %d", why, out.Wide, p, name, out.Extent)
		}
		return out, nil
	}
	last := out.Tried[len(out.Tried)-1]
	return out, withHint(fail(cute.CodeNotDivisible,
		"%s must be a multiple of the %d elements (%d bytes) of %s, found %d", name, out.Wide,
		last.Pattern.Width(), last.Name(), out.Extent), "the nearest is %d", (min(out.Extent,
		1<<40)+out.Wide-1)/out.Wide*out.Wide)
}

// patterns returns the patterns that the selector tries, in order, and why some are missing.
func (s Selector) patterns(major atom.Major, t dtype.Type, sparsity int64) (try []Pattern, why string, err error) {
	across, bits := major == atom.MNMajor, t.Bits()
	if s == SelectRR && (across || bits > 8) {
		return nil, "", withHint(fail(cute.CodeType, "%v takes elements of at most 8 bits that are K-major, found %v that is %v-major",
			s, t, major), "ldmatrix reads K-major tiles of mma.sync; tiles of 16 bits take any atom")
	}
	all := []Pattern{SW128, SW64, SW32, INTER}
	if !across {
		return all, "", nil
	}
	if s == SelectSM100 && bits == 32 && sparsity > 1 {
		return append([]Pattern{SW128Base}, all...), "", nil
	}
	for _, r := range restrictions {
		if r.s == s && int(r.least) <= bits && bits <= int(r.most) {
			return r.only, r.why, nil
		}
	}
	return all, "", nil
}

// restrictions are the patterns that a selector tries for MN-major types with least to most bits. For all other types
// it tries the four usual patterns.
var restrictions = []struct {
	s           Selector
	least, most uint8 // bits
	only        []Pattern
	why         string
}{
	{SelectSM100, 32, 32, []Pattern{SW128Base}, "elements of 32 bits that are MN-major have only SW128_32B"},
	{
		SelectRSB, 32, 255,
		[]Pattern{SW32},
		"words that are transposed in shared memory have only SW32, whose transposition is optimized",
	},
	{
		SelectRS, 32, 255,
		[]Pattern{SW32, INTER},
		"words that are MN-major go through registers: with SW32 or less that has no bank conflicts",
	},
	{
		SelectRSB, 8, 8,
		[]Pattern{SW128},
		"bytes that are transposed in shared memory have only SW128, whose transposition is optimized",
	},
}

// bytesOf prints the size in bytes of a number of elements.
func bytesOf(n int64, t dtype.Type) string {
	if n > 1<<50 {
		return "too many"
	}
	bits := n * int64(t.Bits())
	if bits%8 != 0 {
		return fmt.Sprintf("%d/8", bits)
	}
	return fmtInt(bits / 8)
}

// wide returns the elements of a row of the atom; a sparse K-major row also counts those that are left out.
func (a Atom) wide() int64 { return a.Pattern.Width() * 8 / a.Bits * a.apart() }

// apart returns how many elements along the contiguous mode share a place.
func (a Atom) apart() int64 {
	if a.Major == atom.KMajor {
		return a.Sparsity
	}
	return 1
}
