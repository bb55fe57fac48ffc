package deflate

import (
	"math/bits"
	"slices"
	"sort"
)

// The symbols of RFC 1951, 3.2.5: 0 to 255 are literals, 256 ends a block, and the others are lengths. A length
// symbol means a range of lengths, and extra bits select a length. Distances have a separate code.
const (
	endOfBlock  = 256
	firstLength = 257
	lengths     = 29
	distances   = 30
	longestCode = 15 // bits
)

var (
	lengthExtra  = [lengths]uint8{8: 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	lengthBase   [lengths]uint16
	lengthSymbol [maxMatch + 1]uint8

	distanceExtra [distances]uint8
	distanceBase  [distances]uint16
)

func init() {
	length := uint16(minMatch)
	for s := range lengths - 1 {
		lengthBase[s] = length
		for range 1 << lengthExtra[s] {
			lengthSymbol[length] = uint8(s)
			length++
		}
	}
	lengthBase[lengths-1], lengthSymbol[maxMatch] = maxMatch, lengths-1 // length 258 has its own symbol
	for s := range distances {
		distanceExtra[s] = uint8(max(0, s/2-1))
		if s > 0 {
			distanceBase[s] = distanceBase[s-1] + 1<<distanceExtra[s-1]
		}
	}
}

// distanceSymbol returns the symbol of a distance of at least 1: there are two symbols for each power of two.
func distanceSymbol(distance int32) int {
	d := uint32(distance - 1)
	if d < 2 {
		return int(d)
	}
	n := bits.Len32(d) - 1
	return 2*n + int(d>>(n-1)&1)
}

// A code is a Huffman code: the number of bits of each symbol, 0 for unused symbols, and the code words, lowest bit
// first.
type code struct {
	bits  []uint8
	words []uint16
}

// codesOf returns the optimal codes of tokens.
func codesOf(tokens []token) (symbols, offsets code) {
	var s [firstLength + lengths]int
	var d [distances]int
	s[endOfBlock] = 1
	for _, t := range tokens {
		if t.length == 1 {
			s[t.literal]++
			continue
		}
		s[firstLength+int(lengthSymbol[t.length])]++
		d[distanceSymbol(int32(t.distance)+1)]++
	}
	return newCode(s[:], longestCode), newCode(d[:], longestCode)
}

// newCode returns the code of symbols with these frequencies that minimizes the sum of frequency times bits; words
// have at most limit bits. A single used symbol gets one bit; if no symbol is used, symbol 0 gets one bit.
func newCode(frequencies []int, limit int) code {
	c := code{make([]uint8, len(frequencies)), make([]uint16, len(frequencies))}
	leaves := make([]bundle, 0, len(frequencies))
	for s, f := range frequencies {
		if f > 0 {
			leaves = append(leaves, bundle{weight: f, symbols: []int16{int16(s)}})
		}
	}
	switch len(leaves) {
	case 0:
		c.bits[0] = 1
	case 1:
		c.bits[leaves[0].symbols[0]] = 1
	default:
		for _, s := range packages(leaves, limit) {
			c.bits[s]++
		}
	}
	c.assign(limit)
	return c
}

// A bundle is a multiset of symbols with the sum of their frequencies.
type bundle struct {
	weight  int
	symbols []int16
}

// packages returns each symbol once for each bit of its word (L. Larmore and D. Hirschberg, "A fast algorithm for
// optimal length-limited Huffman codes", 1990). For n symbols these are the symbols of the lightest 2n-2 bundles of
// the last list. Each list contains the symbols, and the pairs of neighbours of the previous list.
func packages(leaves []bundle, limit int) []int16 {
	sort.SliceStable(leaves, func(i, j int) bool { return leaves[i].weight < leaves[j].weight })
	list := slices.Clone(leaves)
	for range limit - 1 {
		var pairs []bundle
		for i := 0; i+1 < len(list); i += 2 {
			a, b := list[i], list[i+1]
			pairs = append(pairs, bundle{a.weight + b.weight, slices.Concat(a.symbols, b.symbols)})
		}
		list = append(pairs, leaves...)
		sort.SliceStable(list, func(i, j int) bool { return list[i].weight < list[j].weight })
	}
	var out []int16
	for _, b := range list[:2*len(leaves)-2] {
		out = append(out, b.symbols...)
	}
	return out
}

// assign sets the words: shorter words first, and words of one length in the order of the symbols (RFC 1951, 3.2.2).
func (c *code) assign(limit int) {
	word := uint16(0)
	for n := 1; n <= limit; n++ {
		for s, b := range c.bits {
			if int(b) == n {
				c.words[s] = bits.Reverse16(word) >> (16 - n)
				word++
			}
		}
		word <<= 1
	}
}
