package tensormap

import (
	"fmt"
	"strconv"
	"strings"

	"girih/internal/ints"
)

func text(x int64) string { return strconv.FormatInt(x, 10) }

// hex writes an address.
func hex(a uint64) string { return "0x" + strconv.FormatUint(a, 16) }

// list writes numbers with commas between them.
func list(xs []int64) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = text(x)
	}
	return strings.Join(parts, ", ")
}

// braces writes numbers as a C initializer.
func braces(xs []int64) string { return "{" + list(xs) + "}" }

// size converts bits to bytes in decimal: 12, 1.5.
func size(bits int64) string {
	if bits%8 == 0 {
		return text(bits / 8)
	}
	return strconv.FormatFloat(float64(bits)/8, 'g', -1, 64)
}

// copies writes the number of boxes of b that cover n elements.
func copies(n, b int64) string {
	if c := ints.CeilDiv(n, b); c != 1 {
		return fmt.Sprintf("%d copies", c)
	}
	return "one copy"
}
