package pack

import (
	"fmt"
	"slices"
)

// The data of functions (pointer maps, stack objects, inlined calls) lies in one part, go:func.*, that only offsets in
// the _funcs refer to. arrange puts what stays in the order in which the functions refer to it, so that an offset is
// mostly a little more than the greatest one before it, and leaves zeros at the end.

// dropped reports whether data k of functions is for tracebacks only.
func dropped(k int) bool { return k == fnArgs || k == fnArgLive }

// arrange rearranges the part between t.gofunc and the table by which functions are found, which follows it.
func (t *functab) arrange() error {
	var all []uint32 // where something begins
	t.eachData(func(at, _ int) { all = append(all, t.m.u32(at)) })
	slices.Sort(all)
	all = slices.Compact(all)
	size := int(t.m.u64(t.module+moduleFind)) - t.gofunc
	if len(all) == 0 || size <= int(all[len(all)-1]) || t.gofunc+size > len(t.m) {
		return fmt.Errorf("the data of functions is not before the table by which they are found")
	}
	old := t.m[t.gofunc : t.gofunc+size]
	kept := make([]byte, 0, size)
	moved := map[uint32]uint32{}
	t.eachData(func(at, k int) {
		off := t.m.u32(at)
		if _, ok := moved[off]; ok || dropped(k) {
			return
		}
		i, _ := slices.BinarySearch(all, off)
		end := size
		if i+1 < len(all) {
			end = int(all[i+1])
		}
		for len(kept)%8 != 0 && off%8 == 0 || len(kept)%4 != 0 && off%4 == 0 {
			kept = append(kept, 0)
		}
		moved[off] = uint32(len(kept))
		kept = append(kept, old[off:end]...)
	})
	if len(kept) > size {
		return fmt.Errorf("the data of functions grows from %d to %d bytes", size, len(kept))
	}
	t.eachData(func(at, k int) {
		if dropped(k) {
			t.m.put(at, none)
			return
		}
		t.m.put(at, moved[t.m.u32(at)])
	})
	clear(old[copy(old, kept):])
	return nil
}

// eachData calls f with the place of each offset, and the number of the data.
func (t *functab) eachData(f func(at, k int)) {
	t.each(func(fn int) error {
		pcs, fns := t.counts(fn)
		for k := range fns {
			if at := fn + funcSize + 4*(pcs+k); t.m.u32(at) != none {
				f(at, k)
			}
		}
		return nil
	}) // collect has seen the errors
}

// A packed module stores the table of functions as differences: of the places to those of the function before, and of
// the offsets into the parts, where they are new, to the greatest one before. differences makes them; the inverse,
// sums, is in the decoder too. at is the address of the table and n the number of functions.

// newOffset marks a difference. Offsets are smaller.
const newOffset = 1 << 31

// A greatest is the greatest offset so far.
type greatest uint32

// difference replaces an offset.
func (g *greatest) difference(m memory, at int) {
	if v := m.u32(at); v > uint32(*g) && v != none {
		m.put(at, newOffset|(v-uint32(*g)))
		*g = greatest(v)
	}
}

// sum is the inverse.
func (g *greatest) sum(m memory, at int) {
	if v := m.u32(at); v >= newOffset && v != none {
		*g += greatest(v - newOffset)
		m.put(at, uint32(*g))
	}
}

// walkTable calls f with the place of each offset in _func i, at fn, and its part.
func walkTable(m memory, fn int, f func(at, part int)) {
	f(fn+funcName, 0)
	f(fn+funcPCSP, 1)
	pcs, fns := int(m.u32(fn+funcPCData)), int(m[fn+funcFuncData])
	for k := range pcs {
		f(fn+funcSize+4*k, 1)
	}
	for k := range fns {
		f(fn+funcSize+4*(pcs+k), 2)
	}
}

func differences(m memory, at, n int) {
	var g [3]greatest
	last := uint32(0)
	for i := range n {
		entry := at + 8*i
		off := m.u32(entry + 4)
		fn := at + int(off)
		walkTable(m, fn, func(at, part int) { g[part].difference(m, at) })
		m.put(fn, m.u32(fn)-m.u32(entry))
		m.put(entry, m.u32(entry)-uint32(i)<<16)
		m.put(entry+4, off-last)
		last = off
	}
}

func sums(m memory, at, n int) {
	var g [3]greatest
	last := uint32(0)
	for i := range n {
		entry := at + 8*i
		last += m.u32(entry + 4)
		fn := at + int(last)
		m.put(entry+4, last)
		m.put(entry, m.u32(entry)+uint32(i)<<16)
		m.put(fn, m.u32(fn)+m.u32(entry))
		walkTable(m, fn, func(at, part int) { g[part].sum(m, at) })
	}
}
