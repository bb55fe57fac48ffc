package atom

import (
	"fmt"
	"strings"

	"girih"
	"girih/dtype"
)

// A SharedPattern is one of the canonical forms in which wgmma and tcgen05.mma read a matrix from shared memory: rows
// of 16, 32, 64 or 128 bytes along the contiguous mode, whose pieces of 16 bytes are swizzled.
type SharedPattern uint8

// The patterns, as CuTe names them.
const (
	INTER SharedPattern = iota // INTER: rows of 16 bytes, not swizzled.
	SW32                       // SW32: rows of 32 bytes, Sw<1,4,3> on byte addresses.
	SW64                       // SW64: rows of 64 bytes, Sw<2,4,3>.
	SW128                      // SW128: rows of 128 bytes, Sw<3,4,3>.
	// SW128Base: rows of 128 bytes in pieces of 32, Sw<2,5,2>, 4 rows: CuTe's SW128_32B of sm100.
	SW128Base
)

var patternNames = [...]string{"INTER", "SW32", "SW64", "SW128", "SW128_32B"}

// String returns the name in CuTe: "INTER", "SW32", "SW64", "SW128", "SW128_32B".
func (p SharedPattern) String() string {
	if int(p) < len(patternNames) {
		return patternNames[p]
	}
	return fmt.Sprintf("SharedPattern(%d)", uint8(p))
}

// A SharedAtom is the layout of the smallest tile of a pattern: CuTe's GMMA::Layout_K_SW128_Atom<T> and its relatives
// (cute/atom/mma_traits_sm90_gmma.hpp; PTX ISA, wgmma "Strides" and "Shared Memory Matrix Layout"; tcgen05 "Canonical
// Layouts"). The fields are to be read only.
type SharedAtom struct {
	// Pattern and Major say which one it is, Type of what elements.
	Pattern SharedPattern
	Major   Major
	Type    dtype.Type
	// Layout leads from (M,K) or (N,K) to an element, before the swizzle.
	Layout girih.Layout
	// Swizzle acts on addresses in bytes. CuTe prints it in front of the layout although the layout counts elements.
	Swizzle girih.Swizzle
	// Elements is the same function in elements, which holds where the tile begins at a multiple of the swizzle's period:
	// Sw<3,3,3> o 0 o (8,64):(64,1).
	Elements girih.Composed
}

const opShared = "shared_atom"

// MakeSharedAtom returns the atom of the pattern. It returns [girih.CodeType] for a pattern that does not exist, for
// elements that do not fill 16 bytes evenly, which are those of 6 bits, and for SW128_32B that is K-major.
func MakeSharedAtom(p SharedPattern, major Major, t dtype.Type) (SharedAtom, error) {
	bits := int64(t.Bits())
	if bits == 0 || 128%bits != 0 {
		return SharedAtom{}, fail(girih.CodeType, opShared,
			"expected elements that fill 16 bytes evenly, found %v of %d bits", t, bits)
	}
	// In bits: rows of so many, and how many rows; the swizzle acts above the 3 bits within a byte.
	width, rows, b, m, s := int64(128)<<p, int64(8), int(p), 7, 3
	switch {
	case p == SW128Base && major == MNMajor:
		width, rows, b, m, s = 1024, 4, 2, 8, 2
	case p >= SW128Base:
		return SharedAtom{}, fail(girih.CodeType, opShared,
			"expected INTER, SW32, SW64 or SW128, or SW128_32B that is MN-major, found %v that is %v-major", p, major)
	}
	shape, stride := girih.Ints(width, rows), girih.Ints(1, width)
	if major == KMajor {
		shape, stride = girih.Ints(rows, width), girih.Ints(width, 1)
	}
	inBits, err := girih.New(shape, stride)
	if err != nil {
		return SharedAtom{}, err
	}
	out := SharedAtom{Pattern: p, Major: major, Type: t}
	if out.Layout, err = girih.Recast(inBits, 1, bits); err != nil {
		return SharedAtom{}, err
	}
	if out.Swizzle, err = girih.NewSwizzle(b, m-3, s); err != nil {
		return SharedAtom{}, err
	}
	onBits, err := girih.NewSwizzle(b, m, s)
	if err != nil {
		return SharedAtom{}, err
	}
	chain, err := girih.NewComposed(onBits, girih.Int(0), inBits)
	if err != nil {
		return SharedAtom{}, err
	}
	out.Elements, err = chain.Recast(1, bits)
	return out, err
}

// FindSharedAtom returns the atom of a name such as "GMMA::Layout_K_SW128_Atom<half_t>" or
// "UMMA::Layout_MN_SW64_Atom<tf32>"; the namespace may be missing. It returns [girih.CodeName] with the nearest names
// if there is none, and the errors of [MakeSharedAtom].
func FindSharedAtom(name string) (SharedAtom, error) {
	base, args := templateArguments(canonicalName(name))
	base = base[strings.LastIndexByte(base, ':')+1:]
	var names []string
	for p := range SharedPattern(len(patternNames)) {
		for _, major := range []Major{KMajor, MNMajor} {
			n := "Layout_" + major.String() + "_" + p.String() + "_Atom"
			names = append(names, n+"<half_t>")
			if n != base || len(args) != 1 {
				continue
			}
			t, err := parseType(args[0])
			if err != nil {
				return SharedAtom{}, err
			}
			return MakeSharedAtom(p, major, t)
		}
	}
	return SharedAtom{}, unknownName(opShared, "layout atom", name, names)
}

// Name returns the name in CuTe without the namespace: "Layout_K_SW128_Atom<half_t>".
func (a SharedAtom) Name() string {
	return "Layout_" + a.Major.String() + "_" + a.Pattern.String() + "_Atom<" + cppName(a.Type) + ">"
}

// String returns what CuTe prints, without underscores: the swizzle of bytes, and the layout of elements,
// "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)".
func (a SharedAtom) String() string {
	return fmt.Sprintf("%v o smem_ptr[%db](unset) o %v", a.Swizzle, a.Type.Bits(), a.Layout)
}

// TileToShape repeats the atom to the shape, as CuTe's tile_to_shape does, with the modes in the given order, or the
// first one first if the order is the zero tuple. The result is in elements, swizzled. It returns the errors of
// [girih.TileToShape], and [girih.CodeNotDivisible] if the atom does not divide the shape.
func (a SharedAtom) TileToShape(shape, order girih.Tuple) (girih.Composed, error) {
	size, err := shape.Product()
	if err != nil {
		return girih.Composed{}, err
	}
	c, err := a.Elements.Map(func(l girih.Layout) (girih.Layout, error) { return girih.TileToShape(l, shape, order) })
	if err != nil {
		return girih.Composed{}, err
	}
	if c.Size() != size {
		return girih.Composed{}, fail(girih.CodeNotDivisible, opShared, "the atom %v of %s does not divide the shape %v",
			a.Layout.Shape(), a.Name(), shape)
	}
	return c, nil
}

// SharedAtoms returns the layouts in which the instruction takes the operand from shared memory, in the major that it
// has: INTER, SW32, SW64 and SW128, for tcgen05 with an MN-major operand of 32-bit elements also SW128_32B. It returns
// none for an operand that is not in shared memory, and for elements of 6 bits, which tcgen05 reads in padded
// containers.
func (m MMA) SharedAtoms(o Operand) []SharedAtom {
	from, major, e := m.AFrom, m.AMajor, m.Types.A
	switch o {
	case OperandB:
		from, major, e = m.BFrom, m.BMajor, m.Types.B
	case OperandC:
		from = m.CFrom
	}
	if from != SharedMemory {
		return nil
	}
	last := SW128
	if strings.HasPrefix(m.Arch, "sm10") && major == MNMajor && e.Type.Bits() == 32 {
		last = SW128Base
	}
	var out []SharedAtom
	for p := INTER; p <= last; p++ {
		if a, err := MakeSharedAtom(p, major, e.Type); err == nil {
			out = append(out, a)
		}
	}
	return out
}
