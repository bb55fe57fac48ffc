package atom

import (
	"iter"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file defines wgmma, the operations of a warpgroup on sm90: A in registers (RS) or in shared memory (SS), B in
// shared memory, C in registers. M is 64. N is a multiple of 8 up to 256; for integers it is 8, 24 or a multiple of 16.
// K spans 32 bytes.

const sourceGMMA = "PTX ISA, Asynchronous warpgroup level matrix multiply-accumulate operation: wgmma.mma_async; CUTLASS, cute/atom/mma_traits_sm90_gmma.hpp"

// gmma is the family of wgmma.mma_async and wgmma.mma_async.sp.
type gmma struct{}

// A gmmaRow is a set of operations with the same types. Integer operations also exist with saturation.
type gmmaRow struct{ acc, a, b dtype.Type }

// gmmaRows are the rows of CuTe, dense and sparse alike.
func gmmaRows() []gmmaRow {
	f16, bf16, f32, s32 := dtype.F16, dtype.BF16, dtype.F32, dtype.S32
	rows := []gmmaRow{{f16, f16, f16}, {f32, f16, f16}, {f32, bf16, bf16}, {f32, dtype.TF32, dtype.TF32}}
	for _, t := range pairs(s32, dtype.S8, dtype.U8) {
		rows = append(rows, gmmaRow(t))
	}
	for _, acc := range []dtype.Type{f16, f32} {
		for _, t := range pairs(acc, dtype.E4M3, dtype.E5M2) {
			rows = append(rows, gmmaRow(t))
		}
	}
	return rows
}

// takes reports whether the operations of the row exist for N (PTX ISA, wgmma.mma_async: Matrix Shape).
func (r gmmaRow) takes(n int64) bool {
	if n < 8 || n > 256 || n%8 != 0 {
		return false
	}
	return r.acc != dtype.S32 || n%16 == 0 || n == 8 || n == 24
}

// A gmmaSpec names one operation.
type gmmaSpec struct {
	row              gmmaRow
	n                int64
	shared, saturate bool
	sparse           bool
}

// specs returns all operations in a fixed order.
func (gmma) specs() iter.Seq[gmmaSpec] {
	return func(yield func(gmmaSpec) bool) {
		for _, sparse := range []bool{false, true} {
			for _, r := range gmmaRows() {
				for n := int64(8); n <= 256; n += 8 {
					if !r.takes(n) {
						continue
					}
					for i := range 4 {
						s := gmmaSpec{r, n, i&1 == 0, i&2 != 0, sparse}
						if (!s.saturate || r.acc == dtype.S32) && !yield(s) {
							return
						}
					}
				}
			}
		}
	}
}

// k returns K in logical elements: 32 bytes of A, or of the compressed A of a sparse operation.
func (s gmmaSpec) k() int64 {
	k := int64(256 / s.row.a.Bits())
	if s.sparse {
		k *= 2
	}
	return k
}

func (s gmmaSpec) name() string {
	b := make([]byte, 0, 64)
	if s.sparse {
		b = append(b, "SM90::GMMA::SPARSE::GMMA_"...)
	} else {
		b = append(b, "SM90_"...)
	}
	b = appendShape(b, "xx", [3]int64{64, s.n, s.k()})
	b = append(b, '_')
	b = append(b, letters(s.row.acc)...)
	b = append(b, letters(s.row.a)...)
	b = append(b, letters(s.row.b)...)
	b = append(b, s.suffix()...)
	if s.saturate {
		b = append(b, "_SATURATE"...)
	}
	return string(b)
}

// suffix returns the part of a name after the types, without saturation. Only types of 16 bits can be MN-major.
func (s gmmaSpec) suffix() string {
	suffix := "_RS"
	if s.shared {
		suffix = "_SS"
	}
	if s.row.a.Bits() != 16 {
		suffix += "_TN"
	}
	return suffix
}

// A layoutCache keeps layouts that many operations share, so that listing all operations makes each layout once.
type layoutCache map[layoutKey]cute.Layout

// A layoutKey says which closed form a layout has, and its numbers.
type layoutKey struct {
	form byte
	x, y int64
}

//go:noinline
func (c layoutCache) of(form byte, x, y int64, make func(x, y int64) cute.Layout) cute.Layout {
	k := layoutKey{form, x, y}
	l, ok := c[k]
	if !ok {
		l = make(x, y)
		c[k] = l
	}
	return l
}

// make returns the operation with the given majors.
func (s gmmaSpec) make(cache layoutCache, aMajor, bMajor Major) MMA {
	r, k := s.row, s.k()
	acc, a := number(r.acc), number(r.a)
	if s.sparse {
		a.Sparsity = 2
	}
	m := MMA{
		Operation: Operation{Name: s.name(), Arch: "sm90a", Source: sourceGMMA},
		Types:     Types{a, number(r.b), acc, acc}, Shape: [3]int64{64, s.n, k}, Blocks: 1,
		ThrID: cache.of('t', 128, 1, column),
		B:     cache.of('s', s.n, k, warpgroupShared), C: cache.of('c', s.n, 0, warpgroupAccumulator),
		BFrom: SharedMemory, AMajor: aMajor, BMajor: bMajor,
	}
	m.Registers = RegisterCounts{
		A: RegisterGroup{1, 64}, B: RegisterGroup{1, 64}, C: RegisterGroup{int(s.n) / 2 * r.acc.Bits() / 32, 32},
	}
	if s.shared {
		m.A, m.AFrom = cache.of('s', 64, k, warpgroupShared), SharedMemory
	} else {
		w := perRegister(r.a.Bits())
		if s.sparse {
			w *= 2
		}
		m.A = cache.of('r', k, w, warpgroupOperand)
		m.Registers.A = RegisterGroup{4, 32}
	}
	if s.sparse {
		m.Sparse = &Sparse{Kept: 2, Of: 4, E: cache.of('e', k, 0, gmmaMetadata), From: Registers}
		if r.a == dtype.TF32 {
			m.Sparse.Kept, m.Sparse.Of = 1, 2
		}
	}
	m.Text = s.text(m)
	return m
}

// gmmaMetadata returns the layout of the metadata of a sparse operation with the given K (CUTLASS,
// cute/atom/mma_traits_sm90_gmma_sparse.hpp: ELayout; PTX ISA, wgmma sparse matrix metadata).
func gmmaMetadata(k, _ int64) cute.Layout {
	const m = 64
	if k == 64 {
		ts, td := tuple(mode{2, 8}, mode{2, m * k / 2}, mode{8, 1}, mode{4, 16})
		return tv(ts, td, cute.Ints(k/2), cute.Ints(m))
	}
	ts, td := tuple(mode{2, m * k / 2}, mode{2, 0}, mode{8, 1}, mode{4, 16})
	vs, vd := tuple(mode{k / 2, m}, mode{2, 8})
	return tv(ts, td, vs, vd)
}

func (s gmmaSpec) text(m MMA) string {
	r := s.row
	opcode := "wgmma.mma_async"
	if s.sparse {
		opcode += ".sp"
	}
	opcode += ".sync.aligned.m64n" + strconv.FormatInt(s.n, 10) + "k" +
		strconv.FormatInt(m.Shape[2], 10) + r.acc.PTX() + r.a.PTX() + r.b.PTX()
	if s.saturate {
		opcode += ".satfinite"
	}
	i := newInstruction(opcode).vector(m.Registers.C.Count)
	if s.shared {
		i.scalar()
	} else {
		i.vector(4)
	}
	i.scalar()
	if s.sparse {
		i.scalar().words("sp-sel")
	}
	i.words("scale-d")
	switch {
	case r.acc == dtype.S32:
	case r.a.Bits() != 16:
		i.words("imm-scale-a", "imm-scale-b")
	case s.shared:
		i.words("imm-scale-a", "imm-scale-b", "imm-trans-a", "imm-trans-b")
	default:
		i.words("imm-scale-a", "imm-scale-b", "imm-trans-b")
	}
	return i.String()
}

func (g gmma) find(name string) (*MMA, error) {
	base, args := templateArguments(name)
	if rest, ok := strings.CutPrefix(base, "SM90::GMMA::MMA_"); ok { // the struct to which the alias SM90_... refers
		base = "SM90_" + rest
	}
	if !strings.HasPrefix(base, "SM90_64x") && !strings.HasPrefix(base, "SM90::GMMA::SPARSE::GMMA_64x") {
		return nil, nil
	}
	n := widthIn(base)
	for s := range g.specs() {
		if s.n != n {
			continue
		}
		if majors, ok := s.documentedMajors(base); ok && len(args) == 0 {
			base, args = s.name(), majors
		}
		if s.name() != base {
			continue
		}
		a, b, err := s.majors(args)
		if err != nil {
			return nil, err
		}
		m := s.make(layoutCache{}, a, b)
		if a != KMajor || b != KMajor {
			m.Name += "<GMMA::Major::" + a.String() + ",GMMA::Major::" + b.String() + ">"
		}
		return &m, nil
	}
	return nil, nil
}

// majors reads the majors of A and B. Types that do not have 16 bits are K-major, and so is A in registers.
func (s gmmaSpec) majors(args []string) (a, b Major, err error) {
	if s.row.a.Bits() == 16 {
		a, b, err = majors(args)
	}
	if err == nil && a == MNMajor && !s.shared {
		err = fail(cute.CodeType, opAtom, "A of %s is in registers, which are K-major; found Major::MN", s.name())
	}
	return a, b, err
}

// documentedMajors returns the majors of A and B in the name that CUTLASS's documentation gives the operation, with the
// types of D, A, B and C: SM90_64x128x16_F16F16F16F16_NT is SM90_64x128x16_F16F16F16_SS<MN,MN>. TN is K and K, the only
// order of types that do not have 16 bits; for it there are no majors. ok is false for a name of another operation.
func (s gmmaSpec) documentedMajors(base string) (majors []string, ok bool) {
	if s.sparse || !s.shared || s.saturate {
		return nil, false
	}
	order, ok := strings.CutPrefix(base, strings.TrimSuffix(s.name(), s.suffix())+letters(s.row.acc)+"_")
	switch order {
	case "TN":
		return nil, ok
	case "NT", "NN", "TT":
		return []string{majorOfLetter(order[0], 'T'), majorOfLetter(order[1], 'N')}, ok && s.row.a.Bits() == 16
	}
	return nil, false
}

// majorOfLetter returns the major of a letter of an order, K for the given one.
func majorOfLetter(letter, k byte) string {
	if letter == k {
		return "K"
	}
	return "MN"
}

// widthIn returns N in a name that contains 64xNxK.
func widthIn(name string) int64 {
	_, rest, _ := strings.Cut(name, "64x")
	digits, _, _ := strings.Cut(rest, "x")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (g gmma) all() iter.Seq[MMA] {
	return func(yield func(MMA) bool) {
		cache := layoutCache{}
		for s := range g.specs() {
			if !yield(s.make(cache, KMajor, KMajor)) {
				return
			}
		}
	}
}

func (g gmma) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range g.specs() {
			if !yield(s.name()) {
				return
			}
		}
	}
}
