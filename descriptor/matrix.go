package descriptor

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
)

// A Format says which instruction a descriptor is for.
type Format uint8

// The formats.
const (
	SM90  Format = iota // SM90: of wgmma.mma_async (PTX ISA 9.7.15.5.1.2.2; cute/arch/mma_sm90_desc.hpp).
	SM100               // SM100: of tcgen05.mma and tcgen05.cp (PTX ISA 9.7.16.4.1; cute/arch/mma_sm100_desc.hpp).
)

// String returns "wgmma" or "tcgen05".
func (f Format) String() string {
	if f == SM100 {
		return "tcgen05"
	}
	return "wgmma"
}

// section returns the section of the PTX ISA that defines the fields.
func (f Format) section() string {
	if f == SM100 {
		return "9.7.16.4.1, table 40"
	}
	return "9.7.15.5.1.2.2"
}

// A Matrix is the descriptor of 64 bits by which wgmma and tcgen05.mma find a matrix in shared memory: rows of 16, 32,
// 64 or 128 bytes along the contiguous mode. Eight rows are an atom; its pieces of 16 bytes are swizzled by the bits of
// their address.
//
//	bits    SM90                     SM100
//	0-13    start address / 16       start address / 16
//	16-29   leading byte offset/16   leading byte offset / 16, or an address / 16
//	32-45   stride byte offset / 16  stride byte offset / 16
//	46-48   reserved                 0b001
//	49-51   base offset              base offset
//	52      reserved                 1: the leading byte offset is an address (sm_103a)
//	61-63   62-63: swizzle           swizzle: 0 none, 1 128B of 32B pieces, 2 128B, 4 64B, 6 32B
//	        0 none, 1 128B, 2 64B, 3 32B
type Matrix struct {
	Format  Format
	Pattern Pattern
	// Major is the mode along which the matrix is contiguous. The bits do not contain Major; the instruction does
	// (imm-trans of wgmma, the transpose bits of the instruction descriptor of tcgen05).
	Major atom.Major
	// Start is where the matrix begins, in bytes, before the swizzle: an address, or a distance from the beginning of a
	// tile.
	Start int64
	// Leading and Stride are distances in bytes. K-major: Stride is the distance from 8 rows to the next 8; Leading is
	// the distance from one row of the pattern to the next one along K, 16 bytes for INTER. With the other patterns an
	// instruction reads a single row along K and ignores Leading (CuTe writes 16). The exception is a sparse wgmma with
	// B of 64 bytes along K in rows of SW32: the PTX ISA does not describe it, and an H200 reads on at Leading.
	// MN-major: Leading is the distance from one row of the pattern to the next one along M or N, and Stride from 8
	// elements along K to the next 8, or 4 for SW128_32B; for INTER the two are exchanged.
	Leading, Stride int64
	// Base is the row of 128 bytes, modulo 8, in which the pattern begins: (its address >> 7) & 7. It is 0 for tiles at
	// multiples of [Pattern.Align].
	Base int64
	// Absolute says that Leading is an address instead of a distance, for matrices of 48 bytes along K on sm_103a.
	Absolute bool
}

// Distances in a descriptor are 14 bits, in units of 16 bytes.
const (
	unit      = 16
	farthest  = 1<<14*unit - unit
	field     = 1<<14 - 1
	leadingAt = 16
	strideAt  = 32
	versionAt = 46
	baseAt    = 49
	modeAt    = 52
)

// modes are the encodings of the patterns, and the bit at which they begin.
var (
	modes   = [2][]uint64{{INTER: 0, SW32: 3, SW64: 2, SW128: 1}, {INTER: 0, SW32: 6, SW64: 4, SW128: 2, SW128Base: 1}}
	modesAt = [2]int{62, 61}
)

// reserved are the bits that must be 0.
var reserved = [2]uint64{
	3<<14 | 3<<30 | 7<<46 | 0x3ff<<52,
	3<<14 | 3<<30 | 0xff<<53,
}

// Align returns the required alignment in bytes of the address of a tile: [Pattern.Align].
func (d Matrix) Align() int64 { return d.Pattern.Align() }

// Check returns [cute.CodeNotRepresentable] for a matrix without a descriptor: distances that are not multiples of 16
// bytes or are 2^18 bytes or more, a base offset over 7 or for a matrix that is not swizzled, SW128_32B in the format
// of sm90 or for a K-major matrix, and an absolute leading address, except for K-major SW128 with base offset 0 in the
// format of sm100 (PTX ISA 9.7.16.3.1.2.1).
func (d Matrix) Check() error {
	if err := d.checkDistances(); err != nil {
		return err
	}
	switch {
	case d.Format > SM100 || int(d.Pattern) >= len(modes[d.Format]):
		return withHint(fail(cute.CodeNotRepresentable, "a descriptor of %v has INTER, SW32, SW64 or SW128, found %v (PTX ISA %s)",
			d.Format, d.Pattern, d.Format.section()), "the nearest is SW128")
	case d.Pattern == SW128Base && d.Major == atom.KMajor:
		return withHint(fail(cute.CodeNotRepresentable, "SW128_32B is MN-major, found K-major (PTX ISA 9.7.16.10.6, table 53)"),
			"the nearest is SW128")
	case d.Base < 0 || d.Base > 7:
		return withHint(fail(cute.CodeNotRepresentable, "a base offset is 0 to 7, found %d (PTX ISA %s)", d.Base,
			d.Format.section()),
			"it is (the address where the pattern begins >> 7) & 7")
	case d.Base > 0 && d.Pattern == INTER:
		return withHint(fail(cute.CodeNotRepresentable,
			"a base offset is for swizzled matrices, found %d of INTER (PTX ISA %s)", d.Base,
			d.Format.section()), "it is 0")
	case d.Absolute && (d.Format != SM100 || d.Pattern != SW128 || d.Major != atom.KMajor || d.Base != 0):
		return withHint(fail(cute.CodeNotRepresentable,
			"an absolute leading address is for tcgen05, SW128, K-major and base offset 0, found %v, %v, %v-major and %d "+
				"(PTX ISA 9.7.16.3.1.2.1)", d.Format, d.Pattern, d.Major, d.Base), "bit 52 is 0: a distance")
	}
	return nil
}

// checkDistances refuses distances that do not fit in their fields.
func (d Matrix) checkDistances() error {
	for _, x := range []struct {
		name  string
		bytes int64
	}{{"a start", d.Start}, {"a leading byte offset", d.Leading}, {"a stride byte offset", d.Stride}} {
		if x.bytes < 0 || x.bytes > farthest || x.bytes%unit != 0 {
			near := min(max(x.bytes, 0), farthest) / unit * unit
			return withHint(fail(cute.CodeNotRepresentable, "a descriptor has %s of 0 to %d bytes in steps of %d, found %d (PTX ISA %s)",
				x.name, farthest, unit, x.bytes, d.Format.section()), "the nearest is %d", near)
		}
	}
	return nil
}

// Bits returns the descriptor. Addresses and distances lose the bits that do not fit, as in (x & 0x3FFFF) >> 4 of the
// PTX ISA; [Matrix.Check] reports them.
func (d Matrix) Bits() uint64 {
	f := min(d.Format, SM100)
	bits := uint64(d.Start/unit)&field | uint64(d.Leading/unit)&field<<leadingAt | uint64(d.Stride/unit)&field<<strideAt |
		uint64(d.Base)&7<<baseAt
	if int(d.Pattern) < len(modes[f]) {
		bits |= modes[f][d.Pattern] << modesAt[f]
	}
	if f == SM100 {
		bits |= 1 << versionAt
	}
	if d.Absolute {
		bits |= 1 << modeAt
	}
	return bits
}

// Decode returns the fields of a descriptor. It returns [cute.CodeNotRepresentable] for reserved bits that are set,
// fixed bits that differ, and a swizzle that does not exist (3, 5 and 7 of sm100), and the errors of [Matrix.Check].
func Decode(f Format, major atom.Major, bits uint64) (Matrix, error) {
	f = min(f, SM100)
	near := fmt.Sprintf("the nearest is %#016x", nearest(f, major, bits))
	if bad := bits & reserved[f]; bad != 0 {
		if f == SM90 && bits>>versionAt&7 == 1 {
			near = "0b001 in the bits 46-48 is a descriptor of tcgen05, whose swizzle is in the bits 61-63"
		}
		return Matrix{}, withHint(fail(cute.CodeNotRepresentable,
			"a descriptor of %v has 0 in the bits %s, found 1 in %s of %#016x (PTX ISA %s)", f,
			ranges(reserved[f]), ranges(bad), bits, f.section()), "%s", near)
	}
	if v := bits >> versionAt & 7; f == SM100 && v != 1 {
		if v == 0 {
			near = "0b000 there is a descriptor of wgmma, whose swizzle is in the bits 62-63"
		}
		return Matrix{}, withHint(fail(cute.CodeNotRepresentable,
			"a descriptor of tcgen05 has 0b001 in the bits 46-48, found %03b of %#016x (PTX ISA %s)", v, bits, f.section()),
			"%s", near)
	}
	p := slices.Index(modes[f], bits>>modesAt[f])
	if p < 0 {
		return Matrix{}, withHint(fail(cute.CodeNotRepresentable,
			"the swizzle of a descriptor of tcgen05 is 0, 1, 2, 4 or 6, found %d in %#016x (PTX ISA %s)",
			bits>>modesAt[f], bits, f.section()), "%s", near)
	}
	d := fields(f, major, bits)
	d.Pattern = Pattern(p)
	return d, d.Check()
}

// fields returns the fields of a descriptor without the swizzle.
func fields(f Format, major atom.Major, bits uint64) Matrix {
	return Matrix{
		Format: f, Major: major, Start: int64(bits&field) * unit, Leading: int64(bits>>leadingAt&field) * unit,
		Stride: int64(bits>>strideAt&field) * unit, Base: int64(bits >> baseAt & 7),
		Absolute: f == SM100 && bits>>modeAt&1 == 1,
	}
}

// nearest returns the legal descriptor that differs in the fewest fields: reserved bits become 0, fixed bits get their
// value, and a swizzle that does not exist becomes the one before it.
func nearest(f Format, major atom.Major, bits uint64) uint64 {
	d := fields(f, major, bits)
	p := slices.Index(modes[f], bits>>modesAt[f])
	if p < 0 {
		p = slices.Index(modes[f], bits>>modesAt[f]-1)
	}
	d.Pattern = Pattern(p)
	if d.Pattern == SW128Base && major == atom.KMajor {
		d.Pattern = SW128
	}
	if d.Pattern == INTER {
		d.Base = 0
	}
	if d.Check() != nil {
		d.Absolute = false
	}
	return d.Bits()
}

// ranges lists the bits that are set: "14-15, 30".
func ranges(bits uint64) string {
	var parts []string
	for i := 0; i < 64; i++ {
		if bits>>i&1 == 0 {
			continue
		}
		from := i
		for i < 63 && bits>>(i+1)&1 == 1 {
			i++
		}
		if from == i {
			parts = append(parts, fmt.Sprint(i))
			continue
		}
		parts = append(parts, fmt.Sprintf("%d-%d", from, i))
	}
	return strings.Join(parts, ", ")
}

// Find returns where the instruction reads an element of the matrix, for elements of the given bits: the byte in which
// the element begins, counted like Start. Row counts along M or N. The result holds for any distances, even if no tile
// has them: an H200 reads so, in all canonical forms, with random distances and every base offset. It returns
// [cute.CodeNotRepresentable] for elements of tcgen05 beyond the row of a pattern that is K-major and swizzled, which
// the PTX ISA does not define, and for an absolute leading address, and [cute.CodeExtent] for negative coordinates and
// for bits that do not divide 128.
func (d Matrix) Find(bits, row, k int64) (int64, error) {
	if bits <= 0 || 128%bits != 0 || row < 0 || k < 0 {
		return 0, fail(cute.CodeExtent,
			"expected an element of 4 to 128 bits at coordinates of at least 0, found %d at (%d,%d)", bits, row, k)
	}
	piece := 128 / bits // elements in 16 bytes
	along, across := k, row
	if d.Major == atom.MNMajor {
		along, across = row, k
	}
	if d.Absolute || d.Pattern > SW128Base {
		return 0, fail(cute.CodeNotRepresentable, "no element is found by %v with an absolute leading address", d.Pattern)
	}
	far := along / piece * unit
	if d.Format == SM100 && d.Major == atom.KMajor && d.Pattern != INTER && far >= d.Pattern.Width() {
		return 0, fail(cute.CodeNotRepresentable,
			"K-major rows of %v have %d elements, element %d is not there", d.Pattern, d.Pattern.Width()*8/bits, k)
	}
	at := d.Pattern.swizzleByte(d.linear(along/piece, across), d.Base)
	return at + along%piece*bits/8, nil
}

// linear returns the address of 16 bytes before the swizzle: along counts them on the contiguous mode, across the rows
// of the other mode (PTX ISA 9.7.15.5.1.2.1 and 9.7.16.3, Canonical Layouts).
func (d Matrix) linear(along, across int64) int64 {
	rows, width := d.Pattern.Rows(), d.Pattern.Width()/unit
	at := d.Start + across%rows*width*unit
	switch {
	case d.Major == atom.KMajor:
		return at + across/rows*d.Stride + along%width*unit + along/width*d.Leading
	case d.Pattern == INTER:
		return at + across/rows*d.Leading + along*d.Stride
	}
	return at + across/rows*d.Stride + along%width*unit + along/width*d.Leading
}

// String returns the fields: "SW128, K-major, start 0, LBO 16, SBO 1024".
func (d Matrix) String() string {
	s := fmt.Sprintf("%v, %v-major, start %d, LBO %d, SBO %d", d.Pattern, d.Major, d.Start, d.Leading, d.Stride)
	if d.Base > 0 {
		s += fmt.Sprintf(", base offset %d", d.Base)
	}
	if d.Absolute {
		s += ", LBO is an address"
	}
	return s
}
