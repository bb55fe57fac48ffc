package atom

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/ints"
)

// look examines every address that the tiled copy of f passes for shared memory, and fills in the rest of f.
func (m *copyMemory) look(f *CopyFit) error {
	c := f.Tiled
	side, layout, perThread := c.atom.From, c.source, c.atom.NumValSrc()
	if m.Direction != SharedToRegisters {
		side, layout, perThread = c.atom.To, c.dest, c.atom.NumValDst()
	}
	all, err := c.thrfrg(opCopiesFor, m.index, layout)
	if err != nil {
		return err
	}
	modes := all.Modes() // (thread, (value, operations), rest) -> index
	operations := modes[1].Size() / perThread
	length := int(side.Unit / int64(m.Type.Bits()))
	threads, values, rests, err := offsetsOf(modes)
	if err != nil {
		return err
	}
	for _, rest := range rests {
		for t, thread := range threads {
			for v := 0; v < len(values); v += length {
				r := run{thread: t, value: v, base: rest + thread, offsets: values[v : v+length]}
				if bad := m.misplacedValue(r, side.Align); bad >= 0 {
					m.blame(f, side, r, bad)
					return nil
				}
			}
		}
	}
	f.Fits = true
	f.Instructions = operations * int64(len(rests))
	f.Reason = fmt.Sprintf("Each thread has %s of an instruction, and executes %s.", plural(c.atom.NumVal(), "element"),
		plural(f.Instructions, "instruction"))
	return nil
}

// offsetsOf returns the offsets of the modes thread, value and rest; an element's offset is their sum.
func offsetsOf(modes []cute.Layout) (threads, values, rests []int64, err error) {
	if threads, err = modes[0].AppendOffsets(nil); err != nil {
		return nil, nil, nil, err
	}
	if values, err = modes[1].AppendOffsets(nil); err != nil {
		return nil, nil, nil, err
	}
	rests, err = modes[2].AppendOffsets(nil)
	return threads, values, rests, err
}

// A run is what one thread names with one address: elements that should be contiguous in memory.
type run struct {
	thread  int
	value   int     // the first value
	base    int64   // the index offset of the thread and the rest
	offsets []int64 // the further index offset of each value
}

// index returns the index of element i of the run.
func (r run) index(i int) int64 { return r.base + r.offsets[i] }

// misplacedValue returns the first value of a run that is not next to its predecessor in memory, 0 if the run is not
// aligned, and -1 if the run is contiguous and aligned.
func (m *copyMemory) misplacedValue(r run, align int64) int {
	first := m.offsets[r.index(0)]
	for i := range r.offsets {
		if m.offsets[r.index(i)] != first+int64(i) {
			return i
		}
	}
	if align > 0 && first*int64(m.Type.Bits())%align != 0 {
		return 0
	}
	return -1
}

// blame records what is wrong with a run: the place of its element bad, which misplacedValue found.
func (m *copyMemory) blame(f *CopyFit, side CopySide, r run, bad int) {
	f.First, f.Second = m.place(r, 0), m.place(r, bad)
	bits := int64(m.Type.Bits())
	what := fmt.Sprintf("%d bits", side.Unit)
	if side.Unit%8 == 0 {
		what = plural(side.Unit/8, "byte")
	}
	if bad == 0 {
		f.Reason = fmt.Sprintf("%s at one address of thread %d begin with %v at offset %d, bit %d, which is not a multiple of %d.",
			what, r.thread, f.First.Coord, f.First.Offset, f.First.Offset*bits, side.Align)
		f.Hint = fmt.Sprintf("strides between rows that are multiples of %s", plural(side.Align/ints.GCD(side.Align, bits), "element"))
		return
	}
	f.Reason = fmt.Sprintf("%s at one address of thread %d begin with %v at offset %d; at offset %d there should be %v, which is at %d.",
		what, r.thread, f.First.Coord, f.First.Offset, f.First.Offset+int64(bad), f.Second.Coord, f.Second.Offset)
	switch trans := strings.Contains(f.Copy.Text, ".trans."); {
	case isAMD(f.Copy.Arch):
		f.Hint = "ds_read_b64 or ds_read_b128, if the other mode is contiguous"
	case trans && strings.Contains(f.Copy.Text, "b16") && bits < 16:
		f.Hint = fmt.Sprintf(".trans exchanges pieces of 16 bits: %s stay together, and must be neighbours in shared memory and in a register; store them so, or use .b8 of sm100a",
			plural(16/bits, "element"))
	case trans:
		f.Hint = "ldmatrix and stmatrix without .trans, if the other mode is contiguous"
	case f.Copy.Kind == MatrixCopy && bits == 16:
		f.Hint = "ldmatrix and stmatrix with .trans, if the other mode is contiguous"
	}
}

// place returns where element i of the run is.
func (m *copyMemory) place(r run, i int) *CopyPlace {
	index := r.index(i)
	coord, err := cute.Idx2Crd(cute.Int(index), m.shape)
	if err != nil {
		coord = cute.Int(index)
	}
	return &CopyPlace{Thread: int64(r.thread), Value: int64(r.value + i), Coord: coord, Offset: m.offsets[index]}
}

// plural returns "1 element" or "3 elements".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
