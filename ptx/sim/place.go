package sim

import (
	"fmt"
	"slices"
	"sort"
)

// This file places buffers at given addresses, for a launch that was recorded on a GPU: the parameters and buffers of
// such a launch are full of pointers.

// placeAlign is the alignment of placed buffers, in bytes. No driver uses a smaller alignment.
const placeAlign = 16

// maxAddress is the end of the addresses that a tensor map can hold, and so the end of all addresses.
const maxAddress = 1 << 57

// Place returns a buffer of n bytes at an address, a multiple of 16. Another buffer may follow without a gap. The
// buffer holds a copy of data, which has n bytes; if data is nil, nothing was written to the buffer. The error is of
// type *[Error], with [CodeMemory], if the memory is full or something else is at the address.
func (m *Memory) Place(name string, address uint64, n int64, data []byte) (*Buffer, error) {
	if n < 0 || n > MaxMemory-m.total || data != nil && int64(len(data)) != n {
		return nil, m.full(name, n)
	}
	if err := m.vacant(name, address, uint64(n)); err != nil {
		return nil, err
	}
	seg := &segment{base: address, data: slices.Clone(data)}
	if data == nil {
		*seg = newSegment(address, n)
	}
	seg.name, seg.tracked = name, true
	i := sort.Search(len(m.segs), func(i int) bool { return m.segs[i].base > address })
	m.segs = slices.Insert(m.segs, i, seg)
	m.total += n
	m.next = max(m.next, gap(address+uint64(n)))
	return &Buffer{seg}, nil
}

// absent is a buffer whose contents are not known.
type absent struct {
	name    string
	address uint64
	size    uint64
}

// Reserve records that there is a buffer of n bytes at an address, with unknown contents. A kernel that accesses the
// buffer ends with a finding of the kind [KindUnsupported]. It returns the errors of [Memory.Place].
func (m *Memory) Reserve(name string, address, n uint64) error {
	if err := m.vacant(name, address, n); err != nil {
		return err
	}
	m.absent = append(m.absent, absent{name, address, n})
	m.next = max(m.next, gap(address+n))
	return nil
}

// vacant returns an error unless a buffer of n bytes can be placed at address.
func (m *Memory) vacant(name string, address, n uint64) error {
	if address == 0 || address%placeAlign != 0 || address >= maxAddress || n > maxAddress-address {
		return errorf(CodeMemory, "buffer %q of %d bytes at address 0x%x: expected a multiple of %d, and its end up to 2^57",
			name, n, address, placeAlign)
	}
	over := func(base, size uint64) bool { return address < base+size && base < address+n }
	for _, w := range []uint64{sharedWindow, localWindow, paramWindow, functionBase} {
		if over(w, windowSize) {
			return errorf(CodeMemory, "buffer %q of %d bytes at address 0x%x: the simulator has a window of its own from 0x%x to 0x%x; "+
				"record the launch again, at other addresses", name, n, address, w, uint64(w+windowSize))
		}
	}
	for _, s := range m.segs {
		if over(s.base, uint64(len(s.data))) {
			return errorf(CodeMemory, "buffer %q of %d bytes at address 0x%x: %s has %d bytes at 0x%x",
				name, n, address, s.name, len(s.data), s.base)
		}
	}
	for _, a := range m.absent {
		if over(a.address, a.size) {
			return errorf(CodeMemory, "buffer %q of %d bytes at address 0x%x: %s has %d bytes at 0x%x",
				name, n, address, a.name, a.size, a.address)
		}
	}
	return nil
}

// absentAt describes the buffer with unknown contents at an address, or returns "" if there is no such buffer.
func (m *Memory) absentAt(address uint64) string {
	for _, a := range m.absent {
		if address-a.address < a.size {
			return fmt.Sprintf("it is in %s, %d bytes at 0x%x, and nobody said what that holds", a.name, a.size, a.address)
		}
	}
	return ""
}
