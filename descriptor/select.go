package descriptor

import (
	"fmt"
	"strconv"

	"girih"
	"girih/atom"
	"girih/dtype"
)

func fmtInt(n int64) string { return strconv.FormatInt(n, 10) }

// A Selection is the atom that a builder of CUTLASS takes for a tile, and why.
type Selection struct {
	Atom Atom
	// Extent is that of the tile along the contiguous mode, Wide that of the atom: Wide divides Extent.
	Extent, Wide int64
	// Tried are the wider atoms that do not divide it.
	Tried []Atom
	// Why is the reason, in a sentence without a full stop.
	Why string
}

// Select returns the atom that CUTLASS's builders take for a tile of (BLK_MN, BLK_K) elements: the widest swizzle that
// divides the extent along the contiguous mode (ss_smem_selector of cutlass/gemm/collective/builders/sm90_common.inl,
// and sm100_smem_selector of sm100_common.inl, which takes SW128_32B alone for 32-bit elements that are MN-major). Of
// nested extents the first one counts, as in BLK_MN0. The type is that of the elements in shared memory. It returns
// [girih.CodeNotDivisible] where the builder's static_assert fails, and the errors of [MakeAtom].
func Select(f Format, major atom.Major, t dtype.Type, tile [2]int64) (Selection, error) {
	for i, name := range []string{"BLK_MN", "BLK_K"} {
		if tile[i] <= 0 || tile[i]%8 != 0 {
			return Selection{}, withHint(fail(girih.CodeNotDivisible, "%s must be a multiple of 8, found %d", name, tile[i]),
				"the nearest is %d", max(8, (tile[i]+4)/8*8))
		}
	}
	mode, name := 1, "BLK_K"
	if major == atom.MNMajor {
		mode, name = 0, "BLK_MN"
	}
	patterns := []Pattern{SW128, SW64, SW32, INTER}
	if f == SM100 && major == atom.MNMajor && t.Bits() == 32 {
		patterns = []Pattern{SW128Base}
	}
	s := Selection{Extent: tile[mode]}
	for _, p := range patterns {
		a, err := MakeAtom(p, major, t)
		if err != nil {
			return Selection{}, err
		}
		if s.Wide = a.wide(); s.Extent%s.Wide != 0 {
			s.Tried = append(s.Tried, a)
			continue
		}
		s.Atom = a
		s.Why = fmt.Sprintf(
			"%s of %d elements of %v are %s bytes: the widest row that divides it is %v, %d elements (%d bytes)", name,
			s.Extent, t, bytesOf(s.Extent, t), p, s.Wide, p.Width())
		if p == SW128Base {
			s.Why = fmt.Sprintf(
				"elements of 32 bits that are MN-major have SW128_32B alone, and its %d elements divide %s of %d", s.Wide, name,
				s.Extent)
		}
		return s, nil
	}
	last := s.Tried[len(s.Tried)-1]
	return s, withHint(fail(girih.CodeNotDivisible,
		"%s must be a multiple of the %d elements (%d bytes) of %s, found %d", name, s.Wide,
		last.Pattern.Width(), last.Name(), s.Extent), "the nearest is %d", (s.Extent+s.Wide-1)/s.Wide*s.Wide)
}

// bytesOf writes how many bytes so many elements are.
func bytesOf(n int64, t dtype.Type) string {
	bits := n * int64(t.Bits())
	if bits%8 != 0 {
		return fmt.Sprintf("%d/8", bits)
	}
	return fmtInt(bits / 8)
}

// wide returns the elements of a row of the atom.
func (a Atom) wide() int64 { return a.Pattern.Width() * 8 / a.Bits }
