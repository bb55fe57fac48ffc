package link

import "girih/banks"

// A Stretch is one period of elements in the [banks.BankCount] banks of shared memory: from the first byte until an
// element again begins at the first bank. The period repeats every Bytes bytes, so an element has the same place as
// the element at the remainder of its offset.
type Stretch struct {
	Bytes int64   `json:"bytes"`          // the size of all elements: a multiple of the width of all banks
	Byte  []int64 `json:"byte"`           // the first byte of each element
	Bit   []int64 `json:"bit,omitempty"`  // the first bit of each element in its first byte; absent if 0 for all
	Bank  []int64 `json:"bank"`           // the bank of each element's first bit
	Last  []int64 `json:"last,omitempty"` // the bank of each element's last bit; absent if always the same
}

// stretchOf returns the places of elements of the given width.
func stretchOf(bits int) *Stretch {
	const line = 8 * banks.BankBytes * banks.BankCount
	s := &Stretch{}
	wide, packed := false, false
	for at := int64(0); at == 0 || at%line != 0; at += int64(bits) {
		last := banks.BankOf(at+int64(bits)-1, 1)
		s.Byte, s.Bit = append(s.Byte, at/8), append(s.Bit, at%8)
		s.Bank, s.Last = append(s.Bank, banks.BankOf(at, 1)), append(s.Last, last)
		packed = packed || at%8 != 0
		wide = wide || last != banks.BankOf(at, 1)
	}
	s.Bytes = int64(len(s.Byte)) * int64(bits) / 8
	if !packed {
		s.Bit = nil
	}
	if !wide {
		s.Last = nil
	}
	return s
}
