package atom

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// An MMA is an instruction D = A·B + C with what CuTe calls MMA_Traits: the threads that execute it and the
// elements that each thread holds. Do not change the fields.
//
// A, B and C are layouts (thread, value) -> index. The index counts elements colexicographically in (M,K) for A, in
// (N,K) for B and in (M,N) for C; D has the layout of C. If an instruction multiplies several blocks at once, the block
// is the last mode: (M,K,block). Threads are numbered from 0, as in ThrID. An operand that is not in registers has
// stride 0 along the threads if all of them name the same matrix, and is divided between the two CTAs of a pair.
type MMA struct {
	Operation
	// Types are the element types.
	Types Types
	// Shape is M, N and K, in elements. For a sparse operation, K also counts the elements that are not stored.
	Shape [3]int64
	// Blocks is the number of matrices that one instruction multiplies independently: 1, except for some AMD
	// instructions.
	Blocks int64
	// ThrID maps a thread, from 0 on, to its number in the warp, wavefront or warpgroup; for CTA pairs to the CTA.
	ThrID   cute.Layout
	A, B, C cute.Layout
	// AFrom, BFrom and CFrom are the memories that contain the operands.
	AFrom, BFrom, CFrom Space
	// AMajor and BMajor say along which mode the operand is contiguous in shared memory. For registers they repeat the
	// name of the operation: T is K-major, N is MN-major.
	AMajor, BMajor Major
	// Registers are the operands of one thread. If the instruction accumulates in the registers of C, D is empty.
	Registers RegisterCounts
	// Scale describes the scale factors of a block-scaled operation, and is nil for others.
	Scale *Scale
	// Sparse describes the metadata of a sparse operation, and is nil for others.
	Sparse *Sparse

	spelledA string // A as CuTe prints it if its stride is not congruent to its shape, otherwise ""
}

// Types are the elements of the four operands.
type Types struct{ A, B, C, D Element }

// An Element is one value: a number, or a complex number of several parts.
type Element struct {
	// Type is the type of a part.
	Type dtype.Type
	// Parts is 1 for a real number, 2 for a complex number, and 3 for the three products that CuTe's GaussComplex
	// keeps.
	Parts int
	// Held is the number of bits in which a part is stored, if it exceeds the size of the type: 8 for a 6-bit number
	// that is padded to a byte in registers. 0 means the size of the type.
	Held int
	// Sparsity is the number of logical elements for each held element: 2 for 2:4 sparsity. 0 means 1.
	Sparsity int
}

// Bits returns the bits that one logical element takes, which is what CuTe calls sizeof_bits of the value type: 16 for
// a half, 128 for a complex double, 8 for a half in 2:4 sparsity, where every other element is left out.
//
//go:noinline
func (e Element) Bits() int {
	b := e.Held
	if b == 0 {
		b = e.Type.Bits()
	}
	return b * e.Parts / max(e.Sparsity, 1)
}

// String returns the name of the type: "f16", "complex f64", "gauss complex f64", "sparse f16".
func (e Element) String() string {
	s := e.Type.String()
	switch e.Parts {
	case 2:
		s = "complex " + s
	case 3:
		s = "gauss complex " + s
	}
	if e.Sparsity > 1 {
		s = "sparse " + s
	}
	return s
}

// A Major says along which mode a matrix is contiguous.
type Major uint8

// The two kinds.
const (
	KMajor  Major = iota // KMajor: consecutive elements along K are neighbours.
	MNMajor              // MNMajor: consecutive elements along M of A, or along N of B, are neighbours.
)

// String returns "K" or "MN", as CuTe names them.
func (m Major) String() string {
	if m == MNMajor {
		return "MN"
	}
	return "K"
}

// RegisterCounts counts the registers that one thread passes for each operand. A matrix in shared memory counts as one
// descriptor of 64 bits, a matrix in tensor memory as an address of 32 bits.
type RegisterCounts struct{ D, A, B, C RegisterGroup }

// A RegisterGroup is a number of registers of some width, an operand of an instruction.
type RegisterGroup struct {
	Count int // registers
	Bits  int // the size of each, in bits
}

// String returns a text such as "4 x 32b", or "none".
func (g RegisterGroup) String() string {
	if g.Count == 0 {
		return "none"
	}
	return strconv.Itoa(g.Count) + " x " + strconv.Itoa(g.Bits) + "b"
}

// A Scale describes the scale factors of a block-scaled operation: one for each Vector elements along K.
type Scale struct {
	Type dtype.Type
	// Vector is the number of consecutive elements along K that share a factor (CuTe's SFVecSize).
	Vector int64
	// A and B are the layouts (thread, value) -> index in (M,K) and (N,K) of the scale factors in registers, with one
	// value for each element along K. From is the memory that contains the factors.
	A, B cute.Layout
	From Space
}

// A Sparse describes the metadata of a sparse operation.
type Sparse struct {
	// In each group of Of consecutive elements of A along K, Kept are stored: 2 of 4, and 4 of 8 in pairs for 4-bit
	// types.
	Kept, Of int64
	// E is the layout (thread, value) -> index in (M,K) of the metadata in registers. From is the memory that contains
	// the metadata.
	E    cute.Layout
	From Space
}

// A family is a set of operations that share a table or a closed form.
type family interface {
	// find returns the operation with that name, or nil and no error if there is none.
	find(name string) (*MMA, error)
	// all returns all operations of the family in a fixed order.
	all() iter.Seq[MMA]
	// names returns the names of all operations, and shorter names for operations with parameters.
	names() iter.Seq[string]
}

// families returns all families, in the order of their architectures.
func families() []family {
	return []family{universal{}, scalar{}, quadpair{}, warp{}, gmma{}, umma{}, sm120{}, amd{}}
}

const opAtom = "mma"

// FindMMA returns the operation of the given name. It takes CuTe's names, with template arguments where the operation
// has some, with or without "cute::" and the trailing "{}":
//
//	SM80_16x8x16_F32F16F16F32_TN
//	SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>     majors are K if missing
//	SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,UMMA::Major::K,UMMA::Major::K>
//	SM100_MMA_F16BF16_SS_128x256                                    the same with the first types and K-major
//	SM120_16x8x32_TN<float_e4m3_t,float_e5m2_t,float>
//	UniversalFMA<float,float,float>
//	v_mfma_f32_32x32x8_f16                                          AMD's names, also in capitals
//
// It returns [cute.CodeName] with the nearest names if there is none, and [cute.CodeType] or [cute.CodeNotDivisible]
// for template arguments that the operation does not take.
func FindMMA(name string) (MMA, error) {
	key := canonicalName(name)
	for _, f := range families() {
		m, err := f.find(key)
		if err != nil {
			return MMA{}, err
		}
		if m != nil {
			return *m, nil
		}
	}
	return MMA{}, unknownName(opAtom, "MMA operation", name, slices.Collect(MMANames()))
}

// canonicalName drops what C++ puts around the name of an operation, and spaces.
func canonicalName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSuffix(name, "{}")
	if in, ok := strings.CutPrefix(name, "MMA_Atom<"); ok && strings.HasSuffix(in, ">") {
		name = in[:len(in)-1]
	}
	return strings.ReplaceAll(name, "cute::", "")
}

// MMAs returns every operation in a fixed order, architecture by architecture. An operation whose M and N are
// parameters, as on tensor memory (tcgen05), appears once for each combination of types, with its largest M and N;
// [FindMMA] finds the others.
func MMAs() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		for _, f := range families() {
			for m := range f.all() {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// MMANames returns the names of all operations in the order of [MMAs], without making the operations.
func MMANames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range families() {
			for n := range f.names() {
				if !yield(n) {
					return
				}
			}
		}
	}
}
