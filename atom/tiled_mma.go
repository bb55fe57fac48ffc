package atom

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"girih/cute"
)

// A TiledMMA repeats an MMA: over more threads, as AtomLayoutMNK says, and over more values of the same threads, as
// PermutationMNK says. It is CuTe's TiledMMA (include/cute/atom/mma_atom.hpp) and immutable.
//
//	SM70_8x8x4_F32F16F16F32_NT, (2,2,1):(2,1,0), <(4,4,2):(1,8,4),32,4>
//
// is four quad-pairs, 32 threads, on a tile of 32 by 32 by 4, where thread 0 has rows 0 to 7 of A; without the
// permutation of M it has rows 0 to 3 and 16 to 19.
type TiledMMA struct {
	atom  MMA
	atoms cute.Layout    // a layout of rank 3
	perm  [3]cute.Tiler  // as the caller gave it: Keep, an integer or a layout
	tiler [3]cute.Layout // perm with n:1 for Keep and for the integer n
	vmnk  cute.Layout
	// divide contains the tilers that the formulas for each operand use, and the leaves of the modes of vmnk. They are
	// computed once.
	divide [3]operandTilers
	leaves [4][]mode
	counts [3]int64 // the number of atoms along M, N and K
	order  cute.Layout
	held   [3]cute.Layout // the result of ElementTV, by operand; the zero layout if there is none
}

// operandTilers are the tilers of [TiledMMA.Thrfrg] for one operand.
type operandTilers struct{ perm, atom, across cute.Tile }

const opTiledMMA = "make_tiled_mma"

// MakeTiledMMA returns the MMA repeated over the layout of atoms (AtomLayoutMNK), whose modes count atoms along M, N
// and K and whose strides order their threads, and over the permutation (PermutationMNK): [cute.Keep] or a tile or
// shape with an integer, a layout or [cute.Keep] for each of M, N and K. Modes that are missing are 1:0 and Keep. The
// zero layout is one atom, and nil as permutation is Keep.
//
// The size of a permutation is the extent of the tile. A layout gives the places in the tensor that atoms and threads
// take in turn: the layout need not be a bijection, but must not take an element twice. Keep has as many elements as
// the atoms.
//
// It returns [cute.CodeRank] for more than three modes, [cute.CodeNotDivisible] if the size of a permutation is not a
// multiple of the extent of the atoms along its mode, [cute.CodeNotInjective] if atoms share threads or a permutation
// takes an element twice, [cute.CodeNegative] and [cute.CodeCodomain] for strides that are negative or coordinates,
// [cute.CodeType] for other permutations, for an instruction of several blocks and for an inconsistent MMA that is not
// from the tables, and the errors of [cute.TiledProduct].
func MakeTiledMMA(atom MMA, atoms cute.Layout, permutation cute.Tiler) (TiledMMA, error) {
	m := TiledMMA{atom: atom, atoms: atoms}
	if atom.Blocks != 1 {
		return TiledMMA{}, fail(cute.CodeType, opTiledMMA,
			"%s multiplies %d blocks at once, and a TiledMMA tiles one multiplication", atom.Name, atom.Blocks)
	}
	for o := OperandA; o <= OperandC; o++ {
		rows, columns := atom.Extents(o)
		if tv := atom.TV(o); rows < 1 || columns < 1 || tv.Rank() != 2 || threadsOf(tv) != atom.ThrID.Size() {
			return TiledMMA{}, fail(cute.CodeType, opTiledMMA,
				"expected threads and values of %v, %d by %d, for the %d threads %v, found %v", o, rows, columns, atom.ThrID.Size(),
				atom.ThrID, tv)
		}
	}
	if err := m.layOutThreads(); err != nil {
		return TiledMMA{}, err
	}
	if err := m.permute(permutation); err != nil {
		return TiledMMA{}, err
	}
	m.prepare()
	return m, nil
}

// prepare computes what the formulas need repeatedly.
func (m *TiledMMA) prepare() {
	for o := OperandA; o <= OperandC; o++ {
		x, y := o.Axes()
		m.divide[o] = operandTilers{
			perm:   cute.MakeTile(m.tiler[x], m.tiler[y]),
			atom:   cute.MakeTile(column(m.atom.Shape[x], 1), column(m.atom.Shape[y], 1)),
			across: cute.MakeTile(column(m.threadsAlong(x), 1), column(m.threadsAlong(y), 1)),
		}
		rows, columns := m.atom.Extents(o)
		if held, err := cute.RightInverse(m.atom.TV(o)); err == nil && held.Size() == rows*columns {
			if held, err = held.WithShape(cute.Ints(rows, columns)); err == nil {
				m.held[o] = held
			}
		}
	}
	for i, l := range m.vmnk.Modes() {
		strides := l.Stride().Leaves()
		for j, s := range l.Shape().Leaves() {
			m.leaves[i] = append(m.leaves[i], mode{s, strides[j]})
		}
	}
}

// layOutThreads completes the layout of atoms and derives ThrLayoutVMNK.
func (m *TiledMMA) layOutThreads() error {
	const op = opTiledMMA
	given, unit := m.atoms, column(1, 0)
	if given.HasBasis() {
		return fail(cute.CodeCodomain, op, "expected integers as strides of the layout of atoms, found %v", given)
	}
	if given.Rank() > 3 {
		return fail(cute.CodeRank, op, "expected M, N and K in the layout of atoms, found %d modes in %v",
			given.Rank(), given)
	}
	for _, d := range given.Stride().Leaves() {
		if d < 0 {
			return fail(cute.CodeNegative, op, "expected strides of at least 0 in the layout of atoms, found %d in %v", d, given)
		}
	}
	var err error
	if given.Rank() == 0 {
		given = unit
	}
	if m.atoms, err = given.AppendToRank(3, unit); err != nil {
		return err
	}
	for i, l := range m.atoms.Modes() {
		m.counts[i] = l.Size()
	}
	injective, w, err := cute.IsInjective(m.atoms)
	if err != nil {
		return err
	}
	if !injective {
		e := fail(cute.CodeNotInjective, op, "two atoms of %v would have the same threads", m.atoms)
		e.Witness, e.Hint = w, "give each mode of more than one atom a stride that the other modes do not reach"
		return e
	}
	if m.vmnk, err = cute.TiledProduct(m.atom.ThrID, m.atoms); err != nil {
		return atomsDoNotFit(m.atom, m.atoms, err)
	}
	m.order, err = cute.MakeLayoutLike(m.vmnk)
	return err
}

// atomsDoNotFit says why ThrID and the layout of atoms have no product.
func atomsDoNotFit(atom MMA, atoms cute.Layout, err error) error {
	e, ok := errors.AsType[*cute.Error](err)
	if !ok {
		return err
	}
	out := *e
	out.Op = opTiledMMA
	out.Msg = fmt.Sprintf("the atoms %v do not fit the threads that ThrID %v of %s leaves free: %s", atoms, atom.ThrID,
		atom.Name, e.Msg)
	if atom.ThrID.Size() == 8 {
		out.Hint = "four quad-pairs fill a warp, so the numbers of atoms are best powers of two"
	}
	return &out
}

// permute reads the permutation.
func (m *TiledMMA) permute(permutation cute.Tiler) error {
	const op = opTiledMMA
	given, err := tilerModes(permutation)
	if err != nil {
		return err
	}
	if len(given) > 3 {
		return fail(cute.CodeRank, op, "expected M, N and K in the permutation, found %d modes in %v",
			len(given), permutation)
	}
	for i := range m.perm {
		m.perm[i] = cute.Keep
		if i < len(given) {
			m.perm[i] = given[i]
		}
		if err := m.permuteMode(i); err != nil {
			return err
		}
	}
	return nil
}

// tilerModes returns the tilers of the single modes.
func tilerModes(t cute.Tiler) ([]cute.Tiler, error) {
	switch t := t.(type) {
	case nil:
		return nil, nil
	case cute.Tile:
		return t.Modes(), nil
	case cute.Tuple:
		if t.IsInt() {
			break
		}
		var out []cute.Tiler
		for _, e := range t.Modes() {
			out = append(out, e)
		}
		return out, nil
	default:
		if t == cute.Keep {
			return nil, nil
		}
	}
	return nil, &cute.Error{
		Code: cute.CodeType, Op: opTiledMMA, Msg: fmt.Sprintf("expected a tile of M, N and K as permutation, found %v", t),
		Hint: "a permutation of M alone is <L,_,_>",
	}
}

// permuteMode checks the permutation of mode i of M, N, K and makes it a layout.
func (m *TiledMMA) permuteMode(i int) error {
	const op = opTiledMMA
	threads := m.threadsAlong(i)
	if threads > math.MaxInt64/m.atom.Shape[i] {
		return fail(cute.CodeOverflow, op, "%d atoms of %d elements along %c do not fit in 64 bits", threads,
			m.atom.Shape[i], axisNames[i])
	}
	whole := m.atom.Shape[i] * threads
	switch p := m.perm[i].(type) {
	case cute.Layout:
		m.tiler[i] = p
	case cute.Tuple:
		n, ok := p.Int64()
		if !ok {
			return fail(cute.CodeType, op, "expected an integer, a layout or _ as permutation of %c, found %v", axisNames[i], p)
		}
		if n < 1 {
			return fail(cute.CodeExtent, op, "expected at least 1 element in the permutation of %c, found %d", axisNames[i], n)
		}
		m.tiler[i] = column(n, 1)
		return m.divides(i, whole)
	default:
		if p != cute.Keep {
			return fail(cute.CodeType, op, "expected an integer, a layout or _ as permutation of %c, found %v", axisNames[i], p)
		}
		m.tiler[i] = column(whole, 1)
		return nil
	}
	l := m.tiler[i]
	if l.HasBasis() {
		return fail(cute.CodeCodomain, op, "expected integers as strides of the permutation of %c, found %v", axisNames[i], l)
	}
	for _, d := range l.Stride().Leaves() {
		if d < 0 {
			return fail(cute.CodeNegative, op, "expected strides of at least 0 in the permutation of %c, found %d in %v",
				axisNames[i], d, l)
		}
	}
	injective, w, err := cute.IsInjective(l)
	if err != nil {
		return err
	}
	if !injective {
		e := fail(cute.CodeNotInjective, op, "the permutation %v of %c takes an element twice", l, axisNames[i])
		e.Witness = w
		return e
	}
	return m.divides(i, whole)
}

// divides refuses a permutation that the atoms do not fill.
func (m *TiledMMA) divides(i int, whole int64) error {
	n := m.tiler[i].Size()
	if n%whole == 0 {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotDivisible, Op: opTiledMMA,
		Msg: fmt.Sprintf("expected a multiple of %d elements in the permutation of %c, %d of the atom times %d atoms, found %d in %v",
			whole, axisNames[i], m.atom.Shape[i], m.threadsAlong(i), n, m.tiler[i]),
		Hint: fmt.Sprintf("the sizes nearby are %d and %d", n/whole*whole, (n/whole+1)*whole),
	}
}

// threadsAlong returns the number of atoms along mode i of M, N, K.
func (m TiledMMA) threadsAlong(i int) int64 { return m.counts[i] }

// Atom returns the MMA that is repeated.
func (m TiledMMA) Atom() MMA { return m.atom }

// AtomLayoutMNK returns the layout of atoms, of rank 3.
func (m TiledMMA) AtomLayoutMNK() cute.Layout { return m.atoms }

// PermutationMNK returns the permutations of M, N and K as they were given: a layout, an integer or [cute.Keep].
func (m TiledMMA) PermutationMNK() [3]cute.Tiler { return m.perm }

// PermutationText spells the permutations as a tile, integers and layouts n:1 as n: <(4,4,2):(1,8,4),32,_>.
func (m TiledMMA) PermutationText() string {
	var parts [3]string
	for i, t := range m.perm {
		parts[i] = t.String()
		if l, ok := t.(cute.Layout); ok && l.Equal(column(l.Size(), 1)) {
			parts[i] = l.Shape().String()
		}
	}
	return "<" + strings.Join(parts[:], ",") + ">"
}

// ThrLayoutVMNK returns the layout (V,M,N,K) -> thread, where V counts the threads of an atom and M, N, K the atoms:
// CuTe's get_thr_layout_vmnk, tiled_product of ThrID and AtomLayoutMNK.
func (m TiledMMA) ThrLayoutVMNK() cute.Layout { return m.vmnk }

// Size returns the number of threads, CuTe's size(mma).
//
//go:noinline
func (m TiledMMA) Size() int64 { return m.vmnk.Size() }

// TileShape returns the extents M, N, K of the tile that all threads compute at once, in elements: CuTe's
// tile_shape(mma).
func (m TiledMMA) TileShape() [3]int64 {
	return [3]int64{m.tiler[0].Size(), m.tiler[1].Size(), m.tiler[2].Size()}
}

// Notes lists legal but surprising properties: with several atoms along K in AtomLayoutMNK, C is not distributed as
// CuTe's get_layoutC_TV says.
func (m TiledMMA) Notes() []string {
	k := m.threadsAlong(2)
	if k == 1 {
		return nil
	}
	notes := []string{
		fmt.Sprintf("AtomLayoutMNK has %d atoms along K: each of them holds a part of the sum for every element of C, which the kernel has to add up",
			k),
	}
	c, err := m.LayoutTV(OperandC)
	if err != nil {
		return notes
	}
	t := m.TileShape()
	if v, err := CoverageOf(c, t[0]*t[1]); err == nil && v.Outside > 0 {
		notes = append(notes, fmt.Sprintf("CuTe's get_layoutC_TV is %v, which leads %d values of the threads beyond K atom 0 out of the tile of %d by %d; partition_C is right",
			c, v.Outside, t[0], t[1]))
	}
	return notes
}

// String returns what CuTe prints of a TiledMMA, without the underscores of static integers.
func (m TiledMMA) String() string {
	p := make([]string, 3)
	for i, t := range m.perm {
		p[i] = t.String()
	}
	a := m.atom
	return fmt.Sprintf(`TiledMMA
  ThrLayoutVMNK:  %v
  PermutationMNK: (%s,%s,%s)
MMA_Atom
  ThrID:      %v
  Shape_MNK:  (%d,%d,%d)
  LayoutA_TV: %s
  LayoutB_TV: %s
  LayoutC_TV: %s`, m.vmnk, p[0], p[1], p[2], a.ThrID, a.Shape[0], a.Shape[1], a.Shape[2], a.TVText(OperandA),
		a.TVText(OperandB), a.TVText(OperandC))
}
