package atom

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"girih/cute"
	"girih/dtype"
)

// This file finds which copy operations fit a layout of shared memory, and why the others do not. CuTe reports a
// misfit, if at all, as "Copy_Traits: src failed to vectorize into registers. Layout is incompatible with this CopyOp."

// A CopyDirection is where the copy of a [CopyRequest] comes from and goes to.
type CopyDirection uint8

// The directions.
const (
	SharedToRegisters CopyDirection = iota // SharedToRegisters: operands of an MMA are loaded.
	RegistersToShared                      // RegistersToShared: results are stored.
	GlobalToShared                         // GlobalToShared: the tile is filled from global memory by its threads.
)

// String returns a text such as "from shared memory to registers".
func (d CopyDirection) String() string {
	from, to := d.spaces()
	return "from " + from.String() + " to " + to.String()
}

func (d CopyDirection) spaces() (from, to Space) {
	switch d {
	case RegistersToShared:
		return Registers, SharedMemory
	case GlobalToShared:
		return GlobalMemory, SharedMemory
	}
	return SharedMemory, Registers
}

// A CopyRequest describes a copy.
type CopyRequest struct {
	// Memory is the layout of shared memory, coordinate -> offset in elements: a [cute.Layout] or a [cute.Composed]
	// with a swizzle. The address of its first element is assumed to be a multiple of 16 bytes.
	Memory cute.Inner
	// Type is the type of its elements.
	Type dtype.Type
	// LayoutTV maps (thread, value) to the colexicographic index in the tile, values in the order of the registers.
	LayoutTV cute.Layout
	// Tile is the shape of the tile, or a tile of layouts, as in [MakeTiledCopyTV].
	Tile cute.Tiler
	// Direction says between which memories the elements move.
	Direction CopyDirection
	// Arch is the architecture, such as "sm90" or "gfx950", or "" for any of NVIDIA's.
	Arch string
}

// A CopyFit says whether a copy operation fits a request.
type CopyFit struct {
	Copy   Copy
	Fits   bool
	Reason string // why the operation does not fit, or how much it moves, as a sentence
	Hint   string // an operation that would fit instead, or ""
	// First and Second are two elements that should be next to each other and are not, or twice the element whose
	// address is not aligned. They are nil if there is another reason.
	First, Second *CopyPlace
	// If the operation fits, Tiled is its tiled copy, and Instructions counts what each thread executes for the layout.
	Tiled        TiledCopy
	Instructions int64
}

// A CopyPlace is an element of a layout of shared memory.
type CopyPlace struct {
	Thread, Value int64      // the thread and value that move it, in the layout of the side in shared memory
	Coord         cute.Tuple // the coordinate in the layout
	Offset        int64      // the offset in elements
}

const opCopiesFor = "copies"

// CopiesFor returns, for each copy operation in the direction of the request, whether it fits. The operations that fit
// come first, the fewest instructions at the top. UniversalCopy is listed for every width that holds whole elements.
// Bulk copies and copies of tensor memory are left out: one thread starts them, or they have their own partition.
//
// An operation fits if its threads and values divide the threads and values of the request, and if every run of bits
// that one thread names with one address is contiguous in shared memory and begins at a multiple of its length: 16
// bytes for ldmatrix and stmatrix (PTX ISA). Every address is examined, so that swizzles and odd strides are judged
// exactly.
//
// It returns [cute.CodeNotDivisible] if the tile does not divide the layout, [cute.CodeLimit] if the layout has more
// than [cute.EnumLimit] elements, [cute.CodeRank], [cute.CodeType] and [cute.CodeExtent] for requests that make no
// sense, and the errors of [MakeTiledCopyTV].
func CopiesFor(r CopyRequest) ([]CopyFit, error) {
	m, err := newCopyMemory(r)
	if err != nil {
		return nil, err
	}
	var fits []CopyFit
	for _, c := range candidates(r) {
		f, err := m.judge(c)
		if err != nil {
			return nil, err
		}
		fits = append(fits, f)
	}
	sort.SliceStable(fits, func(i, j int) bool { // a plain assignment is the last choice
		a, b := &fits[i], &fits[j]
		return a.Fits && (!b.Fits || cmp.Or(
			cmp.Compare(a.Instructions, b.Instructions), cmp.Compare(generic(a.Copy), generic(b.Copy))) < 0)
	})
	return fits, nil
}

// generic returns 1 for a copy that is an assignment, and 0 for an instruction made for its direction.
func generic(c Copy) int {
	if c.Kind == UniversalCopy {
		return 1
	}
	return 0
}

// Fit returns whether one operation fits a request. It returns the errors of [CopiesFor].
func (c Copy) Fit(r CopyRequest) (CopyFit, error) {
	m, err := newCopyMemory(r)
	if err != nil {
		return CopyFit{}, err
	}
	return m.judge(c)
}

// candidates returns the operations in the direction of the request for elements of its width. Bulk copies and copies
// of tensor memory are left out, because they have no partition among threads that could fit.
func candidates(r CopyRequest) []Copy {
	var out []Copy
	bits := int64(r.Type.Bits())
	for c := range Copies() {
		switch {
		case !goes(c, r.Direction), c.Kind == TMEMCopy, c.Kind == BulkCopy, c.Kind == TensorCopy:
		case isAMD(c.Arch) != isAMD(r.Arch) && c.Kind != UniversalCopy: // of the other vendor
		case c.Kind == UniversalCopy && c.From.Unit < max(bits, 8):
		case spreads(c) != "" && bits > 8:
		default:
			out = append(out, c)
		}
	}
	return out
}

// goes reports whether the operation goes in the direction.
func goes(c Copy, d CopyDirection) bool {
	from, to := d.spaces()
	return (c.From.Space == from || c.From.Space == Anywhere) && (c.To.Space == to || c.To.Space == Anywhere)
}

// A copyMemory is a request with the offset of every element.
type copyMemory struct {
	CopyRequest
	shape   cute.Tuple
	index   cute.Layout // coordinate -> colexicographic index
	offsets []int64     // the offset of each index
}

func newCopyMemory(r CopyRequest) (*copyMemory, error) {
	m := &copyMemory{CopyRequest: r}
	var size int64
	switch l := r.Memory.(type) {
	case cute.Layout:
		if l.HasBasis() {
			return nil, fail(cute.CodeCodomain, opCopiesFor, "expected offsets in memory, found the coordinates of %v", l)
		}
		m.shape, size = l.Shape(), l.Size()
	case cute.Composed:
		if l.HasBasis() {
			return nil, fail(cute.CodeCodomain, opCopiesFor, "expected offsets in memory, found the coordinates of %v", l)
		}
		m.shape, size = l.Shape(), l.Size()
	default:
		return nil, fail(cute.CodeType, opCopiesFor, "expected the layout of shared memory, found none")
	}
	if r.Type.Bits() == 0 {
		return nil, fail(cute.CodeType, opCopiesFor, "expected the type of the elements, found none")
	}
	if size > cute.EnumLimit {
		return nil, fail(cute.CodeLimit, opCopiesFor, "%v has %d elements, and every address of at most %d is looked at",
			r.Memory, size, cute.EnumLimit)
	}
	if r.Arch != "" && archNumber(r.Arch) == 0 && !isAMD(r.Arch) {
		return nil, fail(cute.CodeName, opCopiesFor, "expected an architecture such as sm90, found %.40q", r.Arch)
	}
	if err := m.checkTile(size); err != nil {
		return nil, err
	}
	var err error
	switch l := r.Memory.(type) {
	case cute.Layout:
		m.offsets, err = l.AppendOffsets(nil)
	case cute.Composed:
		m.offsets, err = l.AppendOffsets(nil)
	}
	if err != nil {
		return nil, err
	}
	m.index, err = cute.LayoutLeft(m.shape)
	return m, err
}

// checkTile refuses what no operation can mend: a tile that does not divide the layout, and threads and values outside.
func (m *copyMemory) checkTile(size int64) error {
	whole, err := MakeTiledCopyTV(oneValue(m.Type), m.LayoutTV, m.Tile)
	if err != nil {
		return err
	}
	index, err := cute.LayoutLeft(m.shape)
	if err != nil {
		return err
	}
	all, err := whole.thrfrg(opCopiesFor, index, whole.source)
	if err != nil {
		return err
	}
	if rests := all.Modes()[2].Size(); rests*whole.TileSize() != size {
		return fail(cute.CodeNotDivisible, opCopiesFor,
			"the tile %s does not divide the shape %v of shared memory: %d elements of %d", tilerText(m.Tile), m.shape,
			rests*whole.TileSize(), size)
	}
	return nil
}

// oneValue returns the copy of one element at a time, which fits every layout.
func oneValue(t dtype.Type) CopyAtom {
	c := Copy{Operation: Operation{Name: "UniversalCopy<" + t.CPP() + ">"}, Kind: UniversalCopy}.byOneThread(int64(t.Bits()))
	one := cute.MustParse("(1,1):(0,1)")
	return CopyAtom{Copy: c, Type: t, ValSrc: one, ValDst: one, ValRef: one}
}

// archNumber returns the 90 of "sm90a", and 0 for other names.
func archNumber(arch string) int {
	digits := strings.TrimRight(strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(arch), "_", ""), "sm"), "af")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// lacks reports whether an architecture does not have the operation. NVIDIA's keep what older ones have, and AMD's do
// not: the transposed reads of gfx950 and gfx1250 differ.
func lacks(arch string, c Copy) bool {
	switch {
	case isAMD(c.Arch):
		return !strings.EqualFold(c.Arch, arch)
	case isAMD(arch):
		return c.Kind != UniversalCopy
	}
	return archNumber(c.Arch) > archNumber(arch)
}

// judge returns whether the operation fits, and why not.
func (m *copyMemory) judge(c Copy) (CopyFit, error) {
	f := CopyFit{Copy: c}
	if !goes(c, m.Direction) {
		f.Reason = fmt.Sprintf("It goes from %v to %v, not %v.", c.From.Space, c.To.Space, m.Direction)
		return f, nil
	}
	if m.Arch != "" && lacks(m.Arch, c) {
		f.Reason = fmt.Sprintf("It needs %s, and the target is %s.", c.Arch, m.Arch)
		return f, nil
	}
	if spread := spreads(c); spread != "" {
		f.Reason = spread
		return f, nil
	}
	switch {
	case c.From.Unit <= 1:
		f.Reason = "It has no width of its own: cute::copy picks one of the others."
		return f, nil
	case c.Kind == TensorCopy:
		f.Reason = "It copies a box; the tensor map, not a partition among threads, says where the box is in shared memory."
		return f, nil
	}
	atom, err := MakeCopyAtom(c, m.Type)
	if err != nil {
		f.Reason, f.Hint = m.typeReason(c)
		return f, nil
	}
	if f.Tiled, err = MakeTiledCopyTV(atom, m.LayoutTV, m.Tile); err != nil {
		f.Reason = sentence(reason(err))
		return f, nil
	}
	if err := m.look(&f); err != nil {
		return CopyFit{}, err
	}
	return f, nil
}

// spreads returns why an operation that changes the width of elements does not fit.
func spreads(c Copy) string {
	for _, bits := range []string{"4", "6"} {
		if strings.Contains(c.Name, "_SU"+bits+"_DU8") {
			return fmt.Sprintf("It reads rows of 16 elements of %s bits and padding, and makes each a byte: a layout of elements does not say where the padding is.",
				bits)
		}
	}
	return ""
}

// typeReason returns why an operation does not take values of the type.
func (m *copyMemory) typeReason(c Copy) (reason, hint string) {
	bits := int64(m.Type.Bits())
	switch {
	case c.Kind == UniversalCopy && c.From.Unit < bits:
		return fmt.Sprintf("It copies %d bits, and an element has %d.", c.From.Unit, bits), ""
	case strings.Contains(c.Text, ".trans.") && strings.Contains(c.Text, "b16"):
		return fmt.Sprintf(".trans exchanges pieces of 16 bits, and an element has %d: its halves would go to two threads.",
			bits), "ldmatrix without .trans, or loads of single elements"
	case isAMD(c.Arch):
		return fmt.Sprintf("Lanes exchange elements that are narrower than %d bits.", bits), ""
	case strings.Contains(c.Text, ".trans."):
		return fmt.Sprintf(".trans with .b8 exchanges bytes, and an element has %d bits.", bits), "the operations with .b16 for 16 bits"
	}
	return fmt.Sprintf("It moves pieces that are no whole number of elements of %d bits.", bits), ""
}

// sentence turns a message into a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
