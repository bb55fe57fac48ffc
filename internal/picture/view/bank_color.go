package view

import (
	"fmt"

	"girih/internal/picture/draw"
)

// bankBytes is the width of a bank of shared memory, and bankCount their number where no machine says otherwise.
const (
	bankBytes = 4
	bankCount = 32
)

// bankOf returns the bank of an element in a tile that begins in bank 0; it is the first of those of a wider element.
func bankOf(offset int64, elemBits int) int64 {
	const again = 8 * bankBytes * bankCount // so many elements, of whatever width, end where the banks begin again
	return ((offset%again + again) % again * int64(elemBits) / (8 * bankBytes)) % bankCount
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// bankNote says what the fills of banks, or of groups of 4 banks, mean.
func bankNote(group bool, elemBits int) string {
	what, how := "bank", "byte/4 mod 32"
	if group {
		what, how = "group of 4 banks", "byte/16 mod 8"
	}
	return fmt.Sprintf("The fill is the %s of the element, %d bits wide, in a tile that begins in bank 0: %s.", what,
		elemBits, how)
}

// bankFills returns the fills of the banks: the hue is that of 4 neighbours, 16 bytes, and the lightness tells them
// apart, unless hues are enough.
func bankFills(t *draw.Theme, hues bool) []draw.Color {
	out := make([]draw.Color, bankCount)
	for b := range out {
		out[b] = t.Shade(int64(b/4), int64(b%4), 4)
		if hues {
			out[b] = t.Hue(int64(b / 4))
		}
	}
	return out
}

// bankLegend has a swatch for each 4 banks; hues alone for cells of at least 16 bytes.
func bankLegend(t *draw.Theme, hues bool) legend {
	var l legend
	fills := bankFills(t, hues)
	for g := 0; g < bankCount; g += 4 {
		s := swatch{text: fmt.Sprintf("banks %d–%d", g, g+3), fills: fills[g : g+4]}
		if hues || t.Classic {
			s.fills = fills[g : g+1]
		}
		l.items = append(l.items, s)
	}
	return l
}
