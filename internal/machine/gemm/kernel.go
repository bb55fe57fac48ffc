package gemm

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/ints"
	"girih/swizzle"
)

// A Kernel says how the tiles of a gemm move and are multiplied. [NewKernel] chooses the copies and the layouts.
type Kernel struct {
	// MMA multiplies a tile; the kernel has the threads of the MMA.
	MMA atom.TiledMMA
	// MajorA and MajorB say which mode of A and of B is contiguous in global memory: K, or M for A and N for B.
	MajorA, MajorB atom.Major
	// Tile is M, N and K of the tile that the threads compute together, in elements.
	Tile [3]int64
	// SharedA and SharedB are the layouts of the tiles of A, of shape (M,K), and of B, (N,K), in shared memory; their
	// offsets are in elements. They may be swizzled.
	SharedA, SharedB cute.Composed
	// LoadA and LoadB copy the tiles from global to shared memory, executed by all threads.
	LoadA, LoadB atom.TiledCopy
	// ReadA and ReadB copy from shared memory to the registers of the MMA. They are unused for an operand that the
	// instruction reads from shared memory.
	ReadA, ReadB atom.TiledCopy
}

// NewKernel returns a kernel with K-contiguous tiles in shared memory. A swizzle frees their rows of bank conflicts:
// Sw<3,4,3> on bytes for rows of 128 bytes, Sw<2,4,3> for 64, Sw<1,4,3> for 32. Threads load up to 16 bytes at once.
// They read fragments by ldmatrix if it delivers the instruction's fragments, and otherwise by single elements. If the
// instruction reads an operand from shared memory along M or N, its tile uses the widest of the instruction's own
// layouts that divides the tile, and is loaded by single elements.
//
// It returns [cute.CodeNotDivisible] if the tile of the MMA does not divide the tile or the threads do not divide the
// loads, and [cute.CodeLimit] for instructions that are not simulated and for tiles of more than [MaxTile] products.
func NewKernel(mma atom.TiledMMA, tile [3]int64) (Kernel, error) {
	return NewKernelOf(mma, tile, atom.KMajor, atom.KMajor)
}

// NewKernelOf is [NewKernel] for matrices with another contiguous mode in global memory. A tile has the same contiguous
// mode in shared memory, unless the instruction reads the operand from there and needs another mode. If M or N is
// contiguous, fragments are read by ldmatrix.trans or in the widest possible vectors. It returns the errors of
// NewKernel.
func NewKernelOf(mma atom.TiledMMA, tile [3]int64, a, b atom.Major) (Kernel, error) {
	k := Kernel{MMA: mma, Tile: tile, MajorA: a, MajorB: b}
	if err := k.checkTile(); err != nil {
		return Kernel{}, err
	}
	for _, side := range k.sides() {
		if side.elem == 0 {
			return Kernel{}, refuse(cute.CodeType, "no copy of whole words moves the elements of %s of %s", side.name,
				mma.Atom().Name)
		}
		shared, wanted, err := k.sharedTile(side)
		if err != nil {
			return Kernel{}, err
		}
		widest := int64(128)
		if wanted != side.major {
			widest = int64(side.elem.Bits())
		}
		load, err := side.loadTile(side.columns, k.Threads(), widest)
		if err != nil {
			return Kernel{}, err
		}
		*side.shared, *side.load = shared, load
		if side.parts > 1 || side.from != atom.Registers {
			continue
		}
		if err := k.chooseRead(side); err != nil {
			return Kernel{}, err
		}
	}
	return k, nil
}

// Threads returns the number of threads of the kernel: the threads of the TiledMMA, or whole warps if the TiledMMA uses
// only some threads of a warp, as a single quad-pair does. The unused threads take part in loads, and hold the
// fragments of a quad-pair that multiplies.
func (k Kernel) Threads() int64 {
	l, err := k.MMA.LayoutTV(atom.OperandC)
	if err != nil {
		return k.MMA.Size()
	}
	threads, err := l.Mode(0)
	if err != nil || threads.Size() <= k.MMA.Size() {
		return k.MMA.Size()
	}
	return ints.CeilDiv(threads.Size(), warpSize) * warpSize
}

const warpSize = 32

// A side is A or B.
type side struct {
	name          string
	operand       atom.Operand
	major         atom.Major // the contiguous mode in global memory
	from          atom.Space // where the instruction reads the operand
	elem          dtype.Type // the type that is moved: raw bits if the width differs from the value's
	value         dtype.Type // the type that is multiplied
	parts         int64      // moved elements in a value: 2 for complex numbers
	unit          int64      // rows in memory are multiples of this: a group of a sparse A, or the elements of a byte
	rows, columns int64      // the extents of the tile in moved elements
	shared        *cute.Composed
	load          *atom.TiledCopy
	read          *atom.TiledCopy
}

func (k *Kernel) sides() []side {
	m := k.MMA.Atom()
	a := side{
		name: "A", operand: atom.OperandA, from: m.AFrom, rows: k.Tile[0], major: k.MajorA,
		shared: &k.SharedA, load: &k.LoadA, read: &k.ReadA,
	}
	b := side{
		name: "B", operand: atom.OperandB, from: m.BFrom, rows: k.Tile[1], major: k.MajorB,
		shared: &k.SharedB, load: &k.LoadB, read: &k.ReadB,
	}
	a.of(m.Types.A, k.Tile[2])
	b.of(m.Types.B, k.Tile[2])
	if m.Sparse != nil {
		a.unit = m.Sparse.Of
	}
	return []side{a, b}
}

// of sets the fields that follow from the element type.
func (s *side) of(e atom.Element, columns int64) {
	s.elem, s.value, s.parts = movedType(e), e.Type, int64(max(e.Parts, 1))
	s.unit, s.columns = max(8/max(int64(s.elem.Bits()), 1), 1), columns*s.parts
}

// movedType returns the type that is moved for an element: raw bits if an element is held in more bits than its type
// has, or than its share of a sparse A; 0 if there is no type of that width.
func movedType(e atom.Element) dtype.Type {
	bits := e.Bits() / max(e.Parts, 1)
	if max(e.Sparsity, 1) == 1 && bits == e.Type.Bits() {
		return e.Type
	}
	return map[int]dtype.Type{2: dtype.B2, 4: dtype.B4, 8: dtype.B8, 16: dtype.B16}[bits]
}

func (k *Kernel) checkTile() error {
	shape := k.MMA.TileShape()
	for i, name := range []string{"M", "N", "K"} {
		if k.Tile[i] < 1 || k.Tile[i]%shape[i] != 0 {
			return &cute.Error{
				Code: cute.CodeNotDivisible, Op: "gemm",
				Msg: fmt.Sprintf("the tile of the TiledMMA, %d along %s, does not divide the tile of the kernel, %d", shape[i],
					name, k.Tile[i]),
			}
		}
	}
	if m, n := k.Tile[0], k.Tile[1]; m > MaxTile || n > MaxTile/m || k.Tile[2] > MaxTile/(m*n) {
		return &cute.Error{
			Code: cute.CodeLimit, Op: "gemm",
			Msg: fmt.Sprintf("a tile of %d by %d by %d has more products than the %d that are counted one by one", m, n,
				k.Tile[2], MaxTile),
			Hint: "take a smaller tile, or fewer atoms",
		}
	}
	return nil
}

// MaxTile is the largest number of products of a tile, M·N·K.
const MaxTile = 1 << 26

// sharedTile returns the layout of an operand's tile in shared memory, and which of its modes is contiguous there.
func (k *Kernel) sharedTile(s side) (tile cute.Composed, major atom.Major, err error) {
	own := descriptor.AtomsOf(k.MMA.Atom(), s.operand)
	switch {
	case len(own) > 0 && own[0].Major == atom.MNMajor:
		wide, _ := k.MMA.Atom().Extents(s.operand)
		tile, err = acrossTile(own, wide, s.rows, k.Tile[2])
		return tile, atom.MNMajor, err
	case len(own) > 0 || s.major == atom.KMajor:
		tile, err = sharedTile(s.rows, s.columns, s.elem)
		return tile, atom.KMajor, err
	}
	if tile, err = sharedTile(s.columns, s.rows, s.elem); err == nil {
		tile, err = tile.Map(swapModes)
	}
	return tile, atom.MNMajor, err
}

// swapModes swaps the two modes of a layout.
func swapModes(l cute.Layout) (cute.Layout, error) {
	modes := l.Modes()
	return cute.MakeLayout(modes[1], modes[0])
}

// sharedTile returns rows of k elements, K contiguous, with the swizzle for their length.
func sharedTile(rows, k int64, t dtype.Type) (cute.Composed, error) {
	bytes := k * int64(t.Bits()) / 8
	b := 3
	for b > 0 && bytes%(16<<b) != 0 {
		b--
	}
	wide := min(k, int64(16<<b)*8/int64(t.Bits()))
	block, err := cute.New(cute.Ints(min(rows, 8), wide), cute.Ints(wide, 1))
	if err != nil {
		return cute.Composed{}, err
	}
	if bytes%16 != 0 || rows%8 != 0 {
		b, block = 0, cute.Layout{}
		if block, err = cute.New(cute.Ints(rows, k), cute.Ints(k, 1)); err != nil {
			return cute.Composed{}, err
		}
	}
	l, err := cute.TileToShape(block, cute.Ints(rows, k), cute.Ints(0, 1))
	if err != nil {
		return cute.Composed{}, err
	}
	w, err := cute.NewSwizzle(b, 4, max(3, b))
	if err != nil {
		return cute.Composed{}, err
	}
	if w, err = swizzle.InElements(w, t.Bits()); err != nil {
		return cute.Composed{}, err
	}
	return cute.NewComposed(w, cute.Int(0), l)
}

// acrossTile returns the tile in the widest of the layouts that divide the tile and the rows of an instruction.
func acrossTile(own []descriptor.Atom, wide, rows, k int64) (tile cute.Composed, err error) {
	for _, a := range slices.Backward(own) {
		if wide%a.Layout.Modes()[0].Size() != 0 {
			continue
		}
		if tile, err = a.TileToShape(cute.Ints(rows, k), cute.Tuple{}); err == nil {
			return tile, nil
		}
	}
	return tile, err
}

// loadTile distributes rows of k elements over threads, in vectors of up to the widest bits along K; or columns, if
// columns are contiguous in memory.
func (s side) loadTile(k, threads, widest int64) (atom.TiledCopy, error) {
	if s.major == atom.MNMajor {
		s.rows, k = k, s.rows
	}
	vector := max(1, widest/int64(s.elem.Bits()))
	for vector > 1 && (k%vector != 0 || s.rows*(k/vector)%threads != 0) {
		vector /= 2
	}
	across := min(k/vector, threads)
	for threads%across != 0 || (k/vector)%across != 0 {
		across--
	}
	down := threads / across
	if s.rows%down != 0 {
		return atom.TiledCopy{}, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "gemm",
			Msg: fmt.Sprintf("%d threads do not divide the loads of %d by %d elements: %d rows of threads and %d rows of elements",
				threads, s.rows, k, down, s.rows),
		}
	}
	op, err := atom.FindCopy(fmt.Sprintf("UniversalCopy<uint%d_t>", max(8, vector*int64(s.elem.Bits()))))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	c, err := atom.MakeCopyAtom(op, s.elem)
	if err != nil {
		return atom.TiledCopy{}, err
	}
	thr, err := cute.New(cute.Ints(down, across), cute.Ints(across, 1))
	if err != nil {
		return atom.TiledCopy{}, err
	}
	val, err := cute.New(cute.Ints(1, vector), cute.Ints(0, 1))
	if err == nil && s.major == atom.MNMajor {
		if val, err = swapModes(val); err == nil {
			thr, err = swapModes(thr)
		}
	}
	if err != nil {
		return atom.TiledCopy{}, err
	}
	return atom.MakeTiledCopy(c, thr, val)
}

// chooseRead chooses how fragments are read from shared memory: the first copy that delivers them.
func (k *Kernel) chooseRead(s side) error {
	names := []string{fmt.Sprintf("UniversalCopy<uint%d_t>", max(8, s.value.Bits()))}
	warp := k.MMA.Atom().Threads() == warpSize
	switch {
	case s.major == atom.MNMajor:
		for bits := 16; bits <= 128; bits *= 2 {
			if bits > s.value.Bits() {
				names = append([]string{fmt.Sprintf("UniversalCopy<uint%d_t>", bits)}, names...)
			}
		}
		if warp && s.value.Bits() == 16 {
			names = append([]string{"SM75_U16x8_LDSM_T", "SM75_U16x4_LDSM_T", "SM75_U16x2_LDSM_T"}, names...)
		}
	case warp:
		names = append([]string{"SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x1_LDSM_N"}, names...)
	}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		return err
	}
	for _, name := range names {
		var op atom.Copy
		var c atom.CopyAtom
		if op, err = atom.FindCopy(name); err != nil {
			return err
		}
		if c, err = atom.MakeCopyAtom(op, s.elem); err != nil {
			continue
		}
		if *s.read, err = makeOperandCopy(c, k.MMA, s.operand); err != nil {
			continue
		}
		if _, err = newMover(k, s, target); err == nil {
			return nil
		}
	}
	return err
}

// makeOperandCopy is CuTe's make_tiled_copy_A and make_tiled_copy_B: each thread copies its elements of the operand.
func makeOperandCopy(c atom.CopyAtom, mma atom.TiledMMA, operand atom.Operand) (atom.TiledCopy, error) {
	tv, err := mma.LayoutTV(operand)
	if err != nil {
		return atom.TiledCopy{}, err
	}
	shape := mma.TileShape()
	rows := shape[0]
	if operand == atom.OperandB {
		rows = shape[1]
	}
	return atom.MakeTiledCopyTV(c, tv, cute.Ints(rows, shape[2]))
}
