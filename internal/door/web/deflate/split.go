package deflate

import "math/bits"

// This file chooses where blocks end. A block has its own codes, so a block should end where the data changes; but the
// codes take about 90 bytes. The tokens of a first parse are counted cell by cell. The size of a block made of
// consecutive cells follows from the sum of their counts, and the cheapest division into blocks is a shortest path
// over the cells.

const (
	cell       = 1 << 12 // bytes of data per cell; blocks end only at the ends of cells
	mostCells  = 100     // cells per block
	codesBits  = 90 * 8  // the approximate size of a block's codes, in bits
	allSymbols = firstLength + lengths + distances
	unit       = 64 // a bit costs this much; costs are integers
)

// A count is how often each symbol occurs: literals and lengths, then distances.
type count [allSymbols]uint32

func (c *count) add(t token) {
	if t.length == 1 {
		c[t.literal]++
		return
	}
	c[firstLength+int(lengthSymbol[t.length])]++
	c[firstLength+lengths+distanceSymbol(int32(t.distance)+1)]++
}

// cost returns the length of a block with these symbols, in units. A symbol with a share p of all symbols takes
// -log2(p) bits, at least one bit. Extra bits are the same in every division.
func (c *count) cost() uint64 {
	return codesBits*unit + bitsOf(c[:firstLength+lengths]) + bitsOf(c[firstLength+lengths:])
}

func bitsOf(frequencies []uint32) uint64 {
	var n uint32
	for _, f := range frequencies {
		n += f
	}
	all := log2(n)
	var sum uint64
	for _, f := range frequencies {
		if f > 0 {
			sum += uint64(f) * max(unit, all-log2(f))
		}
	}
	return sum
}

// logs lists log2(x) in units, computed with integers, so that all machines write the same file.
var logs [1 << 12]uint64

func init() {
	for x := 1; x < len(logs); x++ {
		whole := bits.Len(uint(x)) - 1
		logs[x] = uint64(whole)
		part := uint64(x) << (31 - whole) // 1 <= part/2^31 < 2
		for u := unit; u > 1; u /= 2 {    // squaring doubles the logarithm: the next bit is 1 if the result reaches 1
			part = part * part >> 31
			logs[x] = 2*logs[x] + part>>32
			part >>= part >> 32
		}
	}
}

// log2 returns the logarithm of x in units, rounded down, from the twelve highest bits of x; log2(0) is 0.
func log2(x uint32) uint64 {
	low := max(0, bits.Len32(x)-12)
	return logs[x>>low] + uint64(low)*unit
}

// ends returns where the blocks of n bytes of data end, from the tokens of a first parse.
func ends(tokens []token, n int) []int {
	cells := make([]count, max(1, (n+cell-1)/cell))
	at := 0
	for _, t := range tokens {
		cells[at/cell].add(t)
		at += int(t.length)
	}
	best := make([]uint64, len(cells)+1) // by number of cells: the smallest cost of the first cells
	last := make([]int, len(cells)+1)    // by number of cells: the start of the last block in the best division
	for j := 1; j < len(best); j++ {
		var c count
		c[endOfBlock] = 1
		for i := j - 1; i >= max(0, j-mostCells); i-- {
			for s, f := range cells[i] {
				c[s] += f
			}
			if sum := best[i] + c.cost(); sum < best[j] || i == j-1 {
				best[j], last[j] = sum, i
			}
		}
	}
	var out []int
	for j := len(cells); j > 0; j = last[j] {
		out = append([]int{min(j*cell, n)}, out...)
	}
	return out
}
