package deflate

// A path is the graph of a block: the bits of each literal, length and distance.
type path struct {
	data     []byte
	matches  matchList
	literal  [256]uint32
	length   [maxMatch + 1]uint32
	distance [distances]uint32 // by distance symbol
	bits     []uint32          // by position: the number of bits from there to the end
	next     []token           // by position: the first token of a shortest path from there
}

// guess sets the lengths of edges before there are codes.
func (p *path) guess() {
	for i := range p.literal {
		p.literal[i] = 8
	}
	for n := minMatch; n <= maxMatch; n++ {
		s := lengthSymbol[n]
		p.length[n] = 7 + uint32(lengthExtra[s])
	}
	for s := range p.distance {
		p.distance[s] = 5 + uint32(distanceExtra[s])
	}
}

// missing is the assumed length of a symbol that a code lacks: adding the symbol would lengthen the words of other
// symbols.
const missing = 13

// price sets the lengths of edges from the bits of codes.
func (p *path) price(symbols, offsets code) {
	cost := func(c code, i int) uint32 {
		if c.bits[i] == 0 {
			return missing
		}
		return uint32(c.bits[i])
	}
	for i := range p.literal {
		p.literal[i] = cost(symbols, i)
	}
	for n := minMatch; n <= maxMatch; n++ {
		s := lengthSymbol[n]
		p.length[n] = cost(symbols, firstLength+int(s)) + uint32(lengthExtra[s])
	}
	for s := range p.distance {
		p.distance[s] = cost(offsets, s) + uint32(distanceExtra[s])
	}
}

// shortest returns the tokens of a shortest path. shortest works backward: the best path from a place to the end
// follows from the best paths of all later places.
func (p *path) shortest(tokens []token) []token {
	n := len(p.data)
	if p.bits == nil {
		p.bits, p.next = make([]uint32, n+1), make([]token, n)
	}
	for i := n - 1; i >= 0; i-- {
		best := p.literal[p.data[i]] + p.bits[i+1]
		first := token{length: 1, literal: p.data[i]}
		shorter := int32(minMatch - 1)
		for _, m := range p.matches.at(i) {
			far := p.distance[distanceSymbol(m.distance)]
			m.length = min(m.length, int32(n-i))
			for length := shorter + 1; length <= m.length; length++ {
				if bits := far + p.length[length] + p.bits[i+int(length)]; bits < best {
					best, first = bits, token{length: uint16(length), distance: uint16(m.distance - 1)}
				}
			}
			shorter = m.length
		}
		p.bits[i], p.next[i] = best, first
	}
	for i := 0; i < n; i += int(p.next[i].length) {
		tokens = append(tokens, p.next[i])
	}
	return tokens
}
