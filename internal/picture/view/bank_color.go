package view

import (
	"fmt"

	"girih/banks"
	"girih/internal/picture/draw"
)

const (
	bankBytes = banks.BankBytes
	bankCount = banks.BankCount
)

// bankNote explains the fills of banks, or of groups of 4 banks if by is ColorGroup.
func bankNote(by ColorBy, elemBits int) string {
	what, how := "bank", "byte/4 mod 32"
	if by == ColorGroup {
		what, how = "group of 4 banks", "byte/16 mod 8"
	}
	return fmt.Sprintf("The fill is the %s of the element, %d bits wide, in a tile that begins in bank 0: %s.", what,
		elemBits, how)
}

// bankFills returns the fills of the banks. Each 4 adjacent banks, 16 bytes, share a hue; their lightness differs,
// unless by is ColorGroup.
func bankFills(t *draw.Theme, by ColorBy) []draw.Color {
	out := make([]draw.Color, bankCount)
	for b := range out {
		out[b] = t.Shade(int64(b/4), int64(b%4), 4)
		if by == ColorGroup {
			out[b] = t.Hue(int64(b / 4))
		}
	}
	return out
}

// cellBank returns the meaning of the fill of a cell with a number of bits: a cell of at least 16 bytes contains
// whole groups of 4 banks.
func cellBank(bits int) ColorBy {
	if bits >= 128 {
		return ColorGroup
	}
	return ColorBank
}

// bankLegend has a swatch for every 4 banks.
func bankLegend(t *draw.Theme, by ColorBy) legend {
	var l legend
	fills := bankFills(t, by)
	for g := 0; g < bankCount; g += 4 {
		s := swatch{text: fmt.Sprintf("banks %d–%d", g, g+3), fills: fills[g : g+4]}
		if by == ColorGroup || t.Classic {
			s.fills = fills[g : g+1]
		}
		l.items = append(l.items, s)
	}
	return l
}
