package lower

import (
	"girih"
	"girih/atom"
	"girih/ptx"
)

// A Descriptor is how wgmma finds a matrix in shared memory (PTX ISA 9.7.15.5.1, Matrix Descriptor Format): rows of 16,
// 32, 64 or 128 bytes along the mode that is contiguous, eight of them a block, whose pieces of 16 bytes are swizzled
// by the bits of their address, so that tiles begin at multiples of [Descriptor.Align].
type Descriptor struct {
	Pattern atom.SharedPattern
	Major   atom.Major
	// Start is where the matrix begins, in bytes from the beginning of the tile, before the swizzle.
	Start int64
	// Leading and Stride are distances in bytes. K-major: Stride from 8 rows to the next 8; Leading from 16 bytes to
	// the next ones, for INTER alone. MN-major: Leading from one row of the pattern to the next one along M or N, and
	// Stride from 8 elements along K to the next 8; the other way round for INTER.
	Leading, Stride int64
}

// Align returns the bytes of which the address of a tile must be a multiple: the period of the swizzle, at least 16.
func (d Descriptor) Align() int64 {
	if d.Pattern == atom.INTER {
		return unit
	}
	return 128 << d.Pattern
}

// limits of a descriptor: 14 bits of units of 16 bytes.
const (
	unit      = 16
	farthest  = 1<<14*unit - unit
	patternAt = 62
)

// Bits returns the descriptor of a tile at address 0.
func (d Descriptor) Bits() uint64 {
	mode := [...]uint64{atom.INTER: 0, atom.SW32: 3, atom.SW64: 2, atom.SW128: 1}[d.Pattern]
	return uint64(d.Start/unit) | uint64(d.Leading/unit)<<16 | uint64(d.Stride/unit)<<32 | mode<<patternAt
}

// At writes what makes the descriptor of a tile at an address of shared memory, a register of 32 bits, and returns its
// register.
func (d Descriptor) At(b *ptx.Builder, tile ptx.Operand) ptx.Name {
	low := b.Let(ptx.U32, "shr.u32", tile, ptx.Int(4))
	wide := b.Let(ptx.U64, "cvt.u64.u32", low)
	return b.Let(ptx.U64, "add.u64", wide, ptx.Int(d.Bits()))
}

// Descriptor returns the descriptor with which the instruction reads A or B out of the tile, from the element (row, k)
// on. It returns [girih.CodeNotRepresentable] with the first element that no descriptor finds where the tile has it,
// [girih.CodeExtent] for elements outside of the tile, and [girih.CodeType] for an operand that is not in shared
// memory.
func (t *Tile) Descriptor(m atom.MMA, o atom.Operand, row, k int64) (Descriptor, error) {
	atoms := m.SharedAtoms(o)
	if len(atoms) == 0 || !IsWarpgroup(m) {
		return Descriptor{}, fail(girih.CodeType, "%v of %s has no descriptor", o, m.Name)
	}
	rows, columns := sharedExtents(m, o)
	if row < 0 || k < 0 || row+rows > t.rows || k+columns > t.columns {
		return Descriptor{}, fail(girih.CodeExtent, "%s takes %d by %d elements of %v from (%d,%d) on, the tile has %d by %d",
			m.Name, rows, columns, o, row, k, t.rows, t.columns)
	}
	w := window{Tile: t, row: row, k: k, height: rows, width: columns}
	var nearest error // that of the pattern which finds the most elements
	most := -1
	for _, a := range atoms {
		d, found, err := w.describe(a)
		if err == nil {
			return d, nil
		}
		if found > most {
			nearest, most = err, found
		}
	}
	return Descriptor{}, nearest
}

// sharedExtents returns the elements of an operand that are in shared memory: of sparse A half of those along K.
func sharedExtents(m atom.MMA, o atom.Operand) (rows, columns int64) {
	rows, columns = m.Extents(o)
	if o == atom.OperandA {
		columns /= int64(max(m.Types.A.Sparsity, 1))
	}
	return rows, columns
}

// A Tile is a matrix in shared memory: the table of its elements, and what it is before its swizzle.
type Tile struct {
	rows, columns int64
	offsets       []int64 // in elements
	plain         []int64 // before the swizzle
	text          string
}

// NewTile returns the tile that leads from (M,K), or (N,K), to elements: a layout, or one behind the swizzle of one of
// the patterns ([atom.MMA.SharedAtoms]). It returns [girih.CodeRank] if it has not two modes.
func NewTile(tile girih.Inner) (*Tile, error) {
	t := &Tile{text: tile.String()}
	plain, ok := tile.(girih.Layout)
	var err error
	if c, composed := tile.(girih.Composed); composed {
		plain, ok = c.Layout(), true
		if t.offsets, err = c.AppendOffsets(nil); err != nil {
			return nil, err
		}
	}
	modes := plain.Modes()
	if !ok || len(modes) != 2 {
		return nil, fail(girih.CodeRank, "expected a tile of two modes, found %t", tile)
	}
	t.rows, t.columns = modes[0].Size(), modes[1].Size()
	if t.plain, err = plain.AppendOffsets(nil); err != nil {
		return nil, err
	}
	if t.offsets == nil {
		t.offsets = t.plain
	}
	return t, nil
}

// A window is the elements of a tile that an instruction takes: so many from (row, k) on.
type window struct {
	*Tile
	row, k, height, width int64
}

// index returns the index in the tile of an element of the window.
func (w window) index(r, c int64) int64 { return w.row + r + (w.k+c)*w.rows }

// describe makes the descriptor of a pattern and holds it to every element. found is how many are where the tile has
// them.
func (w window) describe(a atom.SharedAtom) (d Descriptor, found int, err error) {
	bits := int64(a.Type.Bits())
	bytes := func(r, c int64) int64 { return w.plain[w.index(r, c)] * bits / 8 }
	d = Descriptor{Pattern: a.Pattern, Major: a.Major, Start: bytes(0, 0)}
	width := int64(128) << a.Pattern / bits // elements of a row of the pattern
	far := func(r, c int64) int64 {
		if r >= w.height || c >= w.width {
			return 0 // never used
		}
		return bytes(r, c) - d.Start
	}
	switch {
	case a.Major == atom.KMajor:
		d.Stride = far(8, 0)
		if a.Pattern == atom.INTER {
			d.Leading = far(0, width)
		}
	case a.Pattern == atom.INTER:
		d.Stride, d.Leading = far(width, 0), far(0, 8)
	default:
		d.Leading, d.Stride = far(width, 0), far(0, 8)
	}
	for _, x := range []int64{d.Start, d.Leading, d.Stride} {
		if x < 0 || x > farthest || x%unit != 0 {
			return d, 0, fail(girih.CodeNotRepresentable,
				"a descriptor has distances of 0 to %d bytes in steps of %d, found %d in %s", farthest, unit, x, w.text)
		}
	}
	for c := range w.width {
		for r := range w.height {
			at, err := d.find(a, r, c)
			if err != nil {
				return d, found, err
			}
			if want := w.offsets[w.index(r, c)] * bits / 8; at/8 != want {
				return d, found, fail(girih.CodeNotRepresentable,
					"%v, %v-major, reads element (%d,%d) at byte %d, and %s has it at %d",
					a.Pattern, a.Major, w.row+r, w.k+c, at/8, w.text, want)
			}
			found++
		}
	}
	return d, found, nil
}

// Find returns where wgmma reads an element of the matrix, in bytes from the beginning of the tile. It returns the
// errors of [atom.MakeSharedAtom].
func (d Descriptor) Find(t atom.Element, row, k int64) (int64, error) {
	a, err := atom.MakeSharedAtom(d.Pattern, d.Major, t.Type)
	if err != nil {
		return 0, err
	}
	bits, err := d.find(a, row, k)
	return bits / 8, err // elements of wgmma are whole bytes
}

// find returns the place of an element in bits (PTX ISA 9.7.15.5.1.2, Strides; CUTLASS, cute/arch/mma_sm90_desc.hpp).
func (d Descriptor) find(a atom.SharedAtom, row, k int64) (int64, error) {
	bits := int64(a.Type.Bits())
	width := int64(128) << d.Pattern / bits
	along, across := k, row // along the contiguous mode
	if d.Major == atom.MNMajor {
		along, across = row, k
	}
	// A block is 8 rows of the pattern; block counts them along and across.
	at := along%width*bits + across%8*width*bits
	far, next := along/width, across/8
	switch {
	case d.Major == atom.KMajor:
		at += next * d.Stride * 8
		if d.Pattern == atom.INTER {
			at += far * d.Leading * 8
		} else if far > 0 {
			return 0, fail(girih.CodeNotRepresentable,
				"K-major rows of %v have %d elements, element %d is not there", d.Pattern, width, k)
		}
	case d.Pattern == atom.INTER:
		at += far*d.Stride*8 + next*d.Leading*8
	default:
		at += far*d.Leading*8 + next*d.Stride*8
	}
	at += d.Start * 8
	swizzled, err := a.Swizzle.At(at / 8)
	if err != nil {
		return 0, err
	}
	return swizzled*8 + at%8, nil
}
