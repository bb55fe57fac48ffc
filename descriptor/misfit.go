package descriptor

import (
	"errors"
	"fmt"

	"girih/atom"
	"girih/cute"
)

// A Misfit says why no descriptor describes a matrix: the first core matrix, 8 rows of 16 bytes, that is not where the
// nearest pattern expects it. A Misfit is an error that wraps a [cute.Error] of the code [cute.CodeNotRepresentable].
type Misfit struct {
	// Pattern and Major put the most pieces in place, and Matrix is their descriptor.
	Pattern Pattern
	Major   atom.Major
	Matrix  Matrix
	// Core is the core matrix in the tile, by its number along M or N and along K; Stage is its stage.
	Core  [2]int64
	Stage int64
	// Row and K are the first element of the 16 bytes that are out of place, in the tile.
	Row, K int64
	// Want is the byte at which the 16 bytes should begin, At the byte at which they begin, from the beginning of the
	// tile. If Element is not 0, it is the element of the 16 bytes that does not follow the previous element, and Want
	// and At are its bytes.
	Want, At, Element int64
	// Found counts the 16-byte pieces, of the total Of, that are in place under the pattern. Both are 0 if no pattern
	// could be tried.
	Found, Of int
	// Short says that the extent of the matrix along its contiguous mode is not a multiple of 16 bytes.
	Short bool
	// Cause is not nil if everything is in place and a value does not fit in its field of the descriptor.
	Cause error

	bits, rows int64
	text       string
}

// misfit describes the 16 bytes at the place (along, across) of the window.
func (p *pieces) misfit(along, across int64, pattern Pattern, more func(*Misfit)) *Misfit {
	n := 128 / p.operand.Bits
	m := &Misfit{
		Pattern: pattern, Major: p.major, Stage: p.stage, bits: p.operand.Bits, rows: p.tile.rows,
		text: p.tile.String(),
	}
	if p.major == atom.MNMajor {
		m.Row, m.K = p.row+along*n, p.k+across
		m.Core = [2]int64{m.Row / n, m.K / 8}
	} else {
		m.Row, m.K = p.row+across, p.k+along*n
		m.Core = [2]int64{m.Row / 8, m.K / n}
	}
	more(m)
	return m
}

// Unwrap returns the [cute.Error], of the code [cute.CodeNotRepresentable].
func (m *Misfit) Unwrap() error {
	e := fail(cute.CodeNotRepresentable, "%s", m.message())
	e.Witness = &cute.Witness{
		Coord: cute.Ints(m.Row, m.K), Index: m.Row + m.K*m.rows, Value: cute.Int(m.At), Want: cute.Int(m.Want),
	}
	return e
}

// Error returns what is out of place, with its numbers.
func (m *Misfit) Error() string { return m.Unwrap().Error() }

func (m *Misfit) message() string {
	n := 128 / m.bits
	switch {
	case m.Short:
		return fmt.Sprintf("a matrix that is %v-major has a multiple of %d elements (16 bytes) along its contiguous mode, and %s does not",
			m.Major, n, m.text)
	case m.Cause != nil:
		cause := m.Cause.Error()
		if e, ok := errors.AsType[*cute.Error](m.Cause); ok {
			cause = e.Msg
		}
		return fmt.Sprintf("%s is %v, %v-major, and has no descriptor: %s", m.text, m.Pattern, m.Major, cause)
	case m.Of == 0 && m.Element == 0:
		return fmt.Sprintf("16 bytes begin at a multiple of 16, element (%d,%d) of %s is at byte %d", m.Row, m.K, m.text, m.At)
	case m.Of == 0:
		row, k := m.Row, m.K+m.Element
		if m.Major == atom.MNMajor {
			row, k = m.Row+m.Element, m.K
		}
		return fmt.Sprintf("16 bytes of a core matrix that is %v-major are %d consecutive elements: (%d,%d) should follow at byte %d, "+
			"and %s has it at %d", m.Major, n, row, k, m.Want, m.text, m.At)
	}
	at := ""
	if m.Stage > 0 {
		at = fmt.Sprintf(" of stage %d", m.Stage)
	}
	return fmt.Sprintf("core matrix (%d,%d)%s is out of place: %v, %v-major, reads element (%d,%d) at byte %d, and %s has it at %d",
		m.Core[0], m.Core[1], at, m.Pattern, m.Major, m.Row, m.K, m.Want, m.text, m.At)
}
