package deflate

// A bitWriter writes bits, the lowest first.
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint
}

// put writes the low n bits of x, at most 32.
func (w *bitWriter) put(x uint32, n uint8) {
	w.bits |= uint64(x) << w.n
	for w.n += uint(n); w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
}

// flush pads the last byte with zeros.
func (w *bitWriter) flush() {
	if w.n > 0 {
		w.put(0, uint8(8-w.n))
	}
}

func (c code) write(w *bitWriter, symbol int) { w.put(uint32(c.words[symbol]), c.bits[symbol]) }

// write writes a block with its codes (RFC 1951, 3.2.7).
func (b block) write(w *bitWriter) {
	w.put(b.final|2<<1, 3)
	b.writeCodes(w)
	for _, t := range b.tokens {
		if t.length == 1 {
			b.symbols.write(w, int(t.literal))
			continue
		}
		s := lengthSymbol[t.length]
		b.symbols.write(w, firstLength+int(s))
		w.put(uint32(t.length-lengthBase[s]), lengthExtra[s])
		d := distanceSymbol(int32(t.distance) + 1)
		b.offsets.write(w, d)
		w.put(uint32(t.distance-distanceBase[d]), distanceExtra[d])
	}
	b.symbols.write(w, endOfBlock)
}

// lengthOrder is the order of the symbols of the third code, which encodes the bits of the other two codes.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// A run is a symbol of the third code: a number of bits of a symbol of the other codes; 16 to repeat the previous
// number 3 to 6 times; or 17 and 18 for 3 to 10 and 11 to 138 zeros.
type run struct {
	symbol, times uint8 // repetitions beyond the minimum, in the extra bits
}

var runExtra = [19]uint8{16: 2, 3, 7}

func (b block) writeCodes(w *bitWriter) {
	symbols, offsets := trimZeros(b.symbols.bits, 257), trimZeros(b.offsets.bits, 1)
	list := runs(append(append([]uint8{}, symbols...), offsets...))
	var frequencies [19]int
	for _, r := range list {
		frequencies[r.symbol]++
	}
	c := newCode(frequencies[:], 7)
	n := len(lengthOrder)
	for n > 4 && c.bits[lengthOrder[n-1]] == 0 {
		n--
	}
	w.put(uint32(len(symbols)-257), 5)
	w.put(uint32(len(offsets)-1), 5)
	w.put(uint32(n-4), 4)
	for _, s := range lengthOrder[:n] {
		w.put(uint32(c.bits[s]), 3)
	}
	for _, r := range list {
		c.write(w, int(r.symbol))
		w.put(uint32(r.times), runExtra[r.symbol])
	}
}

// trimZeros drops zeros at the end, down to a least length.
func trimZeros(bits []uint8, least int) []uint8 {
	for len(bits) > least && bits[len(bits)-1] == 0 {
		bits = bits[:len(bits)-1]
	}
	return bits
}

// runs converts numbers of bits to runs.
func runs(bits []uint8) []run {
	var out []run
	for i := 0; i < len(bits); {
		n := 1
		for i+n < len(bits) && bits[i+n] == bits[i] {
			n++
		}
		i += n
		x := bits[i-1]
		if x != 0 {
			out = append(out, run{x, 0})
			n--
		}
		for n > 0 {
			switch {
			case x == 0 && n >= 11:
				k := min(n, 138)
				out, n = append(out, run{18, uint8(k - 11)}), n-k
			case x == 0 && n >= 3:
				out, n = append(out, run{17, uint8(n - 3)}), 0
			case x != 0 && n >= 3:
				k := min(n, 6)
				out, n = append(out, run{16, uint8(k - 3)}), n-k
			default:
				out, n = append(out, run{x, 0}), n-1
			}
		}
	}
	return out
}
