package descriptor

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// An Atom is the layout of the smallest tile of a pattern: CuTe's GMMA::Layout_K_SW128_Atom<T> and its relatives
// (cute/atom/mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp; PTX ISA, wgmma "Strides" and "Shared Memory Matrix
// Layout"; tcgen05 "Canonical Layouts"). Do not change the fields.
type Atom struct {
	// Pattern and Major identify the atom, Type is the type of its elements.
	Pattern Pattern
	Major   atom.Major
	Type    dtype.Type
	// Bits is the size of an element in shared memory: the bits of the type, or 8 for a type of 4 or 6 bits that is not
	// packed.
	Bits int64
	// Sparsity is the number of logical elements that share a place: 1, or the S of Layout_K_SW128_SpAtom<T,S>.
	Sparsity int64
	// Layout maps (M,K) or (N,K) to an element, before the swizzle.
	Layout cute.Layout
	// Swizzle acts on addresses in bytes. CuTe prints it before the layout, although the layout counts elements.
	Swizzle cute.Swizzle
	// Elements is the same function in elements, valid if the tile begins at a multiple of the swizzle's period:
	// Sw<3,3,3> o 0 o (8,64):(64,1).
	Elements cute.Composed
}

// MakeAtom returns the atom of the pattern. It returns [cute.CodeType] for a pattern that does not exist, for elements
// that do not fill 16 bytes evenly, such as 6 bits, and for SW128_32B that is K-major.
func MakeAtom(p Pattern, major atom.Major, t dtype.Type) (Atom, error) {
	return makeAtom(p, major, t, int64(t.Bits()))
}

// MakeUnpackedAtom returns the atom for elements of 4 or 6 bits that take 8 bits each, as the kinds f8f6f4 and mxf8f6f4
// of tcgen05.mma read them: 16 elements are packed together and padded to 16 bytes (PTX ISA, 9.7.16.10.4.4). Within
// those 16 bytes, the elements are at the places of the padded type, as CuTe counts them: its builders use the atom of
// uint8_t (ElementAMma_SmemAllocType of cutlass/gemm/collective/builders/sm100_blockscaled_umma_builder.inl). It
// returns [cute.CodeType] as [MakeAtom] does, and for other types.
func MakeUnpackedAtom(p Pattern, major atom.Major, t dtype.Type) (Atom, error) {
	if b := t.Bits(); b != 4 && b != 6 {
		return Atom{}, fail(cute.CodeType, "expected a type of 4 or 6 bits, which takes 8 unpacked, found %v of %d bits",
			t, b)
	}
	return makeAtom(p, major, t, 8)
}

func makeAtom(p Pattern, major atom.Major, t dtype.Type, bits int64) (Atom, error) {
	if bits == 0 || 128%bits != 0 {
		return Atom{}, withHint(fail(cute.CodeType, "expected elements that fill 16 bytes evenly, found %v of %d bits", t,
			bits),
			"elements that are read from a byte each, as kind::f8f6f4 reads 4 and 6 bits, use "+
				"Layout_%v_%v_Atom<uint8_t>", major, p)
	}
	if p > SW128Base || p == SW128Base && major == atom.KMajor {
		return Atom{}, fail(cute.CodeType,
			"expected INTER, SW32, SW64 or SW128, or SW128_32B that is MN-major, found %v that is %v-major", p, major)
	}
	// The width is in bits; the swizzle acts above the 3 bits of a byte's index.
	width, rows := 8*p.Width(), p.Rows()
	b, m, s := p.bits()
	shape, stride := cute.Ints(width, rows), cute.Ints(1, width)
	if major == atom.KMajor {
		shape, stride = cute.Ints(rows, width), cute.Ints(width, 1)
	}
	inBits, err := cute.New(shape, stride)
	if err != nil {
		return Atom{}, err
	}
	out := Atom{Pattern: p, Major: major, Type: t, Bits: bits, Sparsity: 1, Swizzle: p.Swizzle()}
	if out.Layout, err = cute.Recast(inBits, 1, bits); err != nil {
		return Atom{}, err
	}
	onBits, err := cute.NewSwizzle(b, m+3, s)
	if err != nil {
		return Atom{}, err
	}
	chain, err := cute.NewComposed(onBits, cute.Int(0), inBits)
	if err != nil {
		return Atom{}, err
	}
	out.Elements, err = chain.Recast(1, bits)
	return out, err
}

// Sparse returns the atom of a sparse operand, in which s logical elements along K share a place: CuTe's
// Layout_K_SW128_SpAtom<T,S>, blocked_product((1,S), the dense atom) (cute/atom/mma_traits_sm90_gmma_sparse.hpp). Its
// offsets count logical elements. It returns [cute.CodeType] unless s is 2 or 4 and at most the bits of an element, and
// for an atom that is already sparse.
func (a Atom) Sparse(s int64) (Atom, error) {
	if s != 2 && s != 4 || a.Bits%s != 0 || a.Sparsity != 1 {
		return Atom{}, fail(cute.CodeType, "expected 2 or 4 elements in the place of one of a dense atom, found %d in %s",
			s, a.Name())
	}
	block, err := cute.LayoutLeft(cute.Ints(1, s))
	if err != nil {
		return Atom{}, err
	}
	a.Sparsity = s
	if a.Layout, err = cute.BlockedProduct(block, a.Layout); err != nil {
		return Atom{}, err
	}
	w, err := a.Elements.Recast(a.Bits, a.Bits/s) // only for the unit of the swizzle
	if err != nil {
		return Atom{}, err
	}
	a.Elements, err = w.Map(func(cute.Layout) (cute.Layout, error) { return a.Layout, nil })
	return a, err
}

// unpacked is the suffix that CUTLASS adds to the name of a type whose elements instructions read from a byte each. The
// elements still have 4 or 6 bits, also in the atom of such a type (sizeof_bits, cutlass/float_subbyte.h).
const unpacked = "_unpacksmem_t"

// FindAtom returns the atom with a name from CuTe, with or without the namespace and the trailing "{}":
//
//	GMMA::Layout_K_SW128_Atom<half_t>, UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>
//	GMMA::Layout_SW64_Atom<half_t,GMMA::Major::K>
//	Layout_K_SW128_SpAtom<half_t,2>                 sparse
//	Layout_K_SW128_Atom<float_e2m1_unpacksmem_t>    of 4 bits, as in CuTe; for a byte each use the atom of uint8_t
//	SmemLayoutAtomKind.K_SW128<f16>                 the kind of the CuTe DSL, with the type
//
// It returns [cute.CodeName] with the nearest names if no atom has the name, and the errors of [MakeAtom] and
// [Atom.Sparse].
func FindAtom(name string) (Atom, error) {
	text := strings.TrimSuffix(strings.Join(strings.Fields(name), ""), "{}")
	base, args, _ := strings.Cut(strings.TrimSuffix(text, ">"), "<")
	list := strings.Split(args, ",")
	base = base[strings.LastIndexAny(base, ":.")+1:]
	var names []string
	for p := range Pattern(len(patternNames)) {
		for _, major := range []atom.Major{atom.KMajor, atom.MNMajor} {
			n := major.String() + "_" + p.String()
			names = append(names, "Layout_"+n+"_Atom<half_t>")
			switch {
			case base == "Layout_"+n+"_Atom" && len(list) == 1, base == n && len(list) == 1:
				return parseAtom(p, major, list)
			case base == "Layout_"+n+"_SpAtom" && len(list) == 2:
				return parseAtom(p, major, list)
			case base == "Layout_"+p.String()+"_Atom" && len(list) == 2 && strings.HasSuffix(list[1], "Major::"+major.String()):
				return parseAtom(p, major, list[:1])
			case base == "Layout_"+p.String()+"_SpAtom" && len(list) == 3 && strings.HasSuffix(list[2], "Major::"+major.String()):
				return parseAtom(p, major, list[:2])
			}
		}
	}
	e := fail(cute.CodeName, "no layout atom is called %.100q", name)
	if near := atom.Nearest(text, names, 3); len(near) > 0 {
		e.Hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return Atom{}, e
}

// AtomNames returns the names of the layout atoms of halves, with the namespace of C++.
func AtomNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range Pattern(len(patternNames)) {
			for _, major := range []atom.Major{atom.KMajor, atom.MNMajor} {
				name := "Layout_" + major.String() + "_" + p.String() + "_Atom<half_t>"
				if _, err := FindAtom(name); err == nil && !yield("GMMA::"+name) {
					return
				}
			}
		}
	}
}

// parseAtom reads the template arguments: the type, and the sparsity if there is a second one.
func parseAtom(p Pattern, major atom.Major, list []string) (Atom, error) {
	if list[0] == "" {
		return Atom{}, fail(cute.CodeName, "a layout atom has the type of its elements: Layout_%v_%v_Atom<half_t>", major, p)
	}
	text, loose := strings.CutSuffix(list[0], unpacked)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "cutlass::"), "detail::")
	t, err := dtype.Parse(text)
	if err != nil && loose {
		t, err = dtype.Parse(text + "_t")
	}
	if err != nil {
		return Atom{}, fail(cute.CodeName, "%v", err)
	}
	a, err := MakeAtom(p, major, t)
	if err != nil || len(list) == 1 {
		return a, err
	}
	s, err := strconv.ParseInt(strings.TrimPrefix(list[1], "_"), 10, 64)
	if err != nil {
		return Atom{}, fail(cute.CodeName, "expected a sparsity of 2 or 4, found %.40q", list[1])
	}
	return a.Sparse(s)
}

// Name returns the name in CuTe without the namespace: "Layout_K_SW128_Atom<half_t>". For unpacked elements it is the
// byte atom's: "Layout_K_SW128_Atom<uint8_t>".
func (a Atom) Name() string {
	t := cppName(a.Held())
	if a.Sparsity > 1 {
		return fmt.Sprintf("Layout_%v_%v_SpAtom<%s,%d>", a.Major, a.Pattern, t, a.Sparsity)
	}
	return fmt.Sprintf("Layout_%v_%v_Atom<%s>", a.Major, a.Pattern, t)
}

// Held returns the type that the elements have in shared memory: their own, or bytes if they are not packed.
func (a Atom) Held() dtype.Type {
	if a.Bits != int64(a.Type.Bits()) {
		return dtype.U8
	}
	return a.Type
}

// Kind returns the name in the CuTe DSL's SmemLayoutAtomKind: "K_SW128". The DSL's MN_SW128_32B has 8 rows and the atom
// of C++ has 4: the same function, repeated (cutlass/cute/nvgpu/tcgen05/helpers.py).
func (a Atom) Kind() string { return a.Major.String() + "_" + a.Pattern.String() }

// cppName returns the type as C++ spells it in template arguments.
func cppName(t dtype.Type) string {
	if t == dtype.S32 {
		return "int32_t"
	}
	return t.CPP()
}

// String returns what CuTe prints, without underscores: the swizzle of bytes, and the layout of elements, "Sw<3,4,3> o
// smem_ptr[16b](unset) o (8,64):(64,1)", with "smem_sparse<2>_ptr[16b](unset)" for a sparse atom.
func (a Atom) String() string {
	at := fmt.Sprintf("smem_ptr[%db](unset)", a.Bits)
	if a.Sparsity > 1 {
		at = fmt.Sprintf("smem_sparse<%d>_ptr[%db](unset)", a.Sparsity, a.Bits)
	}
	return fmt.Sprintf("%v o %s o %v", a.Swizzle, at, a.Layout)
}

// TileToShape repeats the atom to the shape, as CuTe's tile_to_shape does, with the modes in the given order; the zero
// tuple means the first mode first. The result is in elements, swizzled. It returns the errors of [cute.TileToShape],
// and [cute.CodeNotDivisible] if the atom does not divide the shape.
func (a Atom) TileToShape(shape, order cute.Tuple) (cute.Composed, error) {
	size, err := shape.Product()
	if err != nil {
		return cute.Composed{}, err
	}
	c, err := a.Elements.Map(func(l cute.Layout) (cute.Layout, error) { return cute.TileToShape(l, shape, order) })
	if err != nil {
		return cute.Composed{}, err
	}
	if c.Size() != size {
		return cute.Composed{}, fail(cute.CodeNotDivisible, "the atom %v of %s does not divide the shape %v",
			a.Layout.Shape(), a.Name(), shape)
	}
	return c, nil
}
