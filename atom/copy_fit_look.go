package atom

import (
	"fmt"
	"strings"

	"girih"
)

// look looks at every address that the tiled copy of f passes for shared memory, and fills in the rest of f.
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
	run := side.Unit / int64(m.Type.Bits())
	threads, values, rests, err := offsetsOf(modes)
	if err != nil {
		return err
	}
	for _, rest := range rests {
		for t, thread := range threads {
			for v := 0; v < len(values); v += int(run) {
				first := rest + thread + values[v]
				if bad := m.misplaced(values[v:v+int(run)], rest+thread, side.Align); bad >= 0 {
					m.blame(f, side, first, rest+thread+values[v+bad], int64(t), int64(v), int64(bad))
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

// offsetsOf returns the offsets of the modes thread, value and rest, which add up.
func offsetsOf(modes []girih.Layout) (threads, values, rests []int64, err error) {
	if threads, err = modes[0].AppendOffsets(nil); err != nil {
		return nil, nil, nil, err
	}
	if values, err = modes[1].AppendOffsets(nil); err != nil {
		return nil, nil, nil, err
	}
	rests, err = modes[2].AppendOffsets(nil)
	return threads, values, rests, err
}

// misplaced returns the first value of a run that does not follow the first one in memory, 0 if the run is not aligned,
// and -1 if it lies as it should.
func (m *copyMemory) misplaced(run []int64, base, align int64) int {
	first := m.offsets[base+run[0]]
	for i, v := range run {
		if m.offsets[base+v] != first+int64(i) {
			return i
		}
	}
	if align > 0 && first*int64(m.Type.Bits())%align != 0 {
		return 0
	}
	return -1
}

// blame says what is wrong with a run: its elements at the indices first and second, the one bad places later.
func (m *copyMemory) blame(f *CopyFit, side CopySide, first, second, thread, value, bad int64) {
	f.First, f.Second = m.place(first, thread, value), m.place(second, thread, value+bad)
	bits := int64(m.Type.Bits())
	what := fmt.Sprintf("%d bits", side.Unit)
	if side.Unit%8 == 0 {
		what = plural(side.Unit/8, "byte")
	}
	if bad == 0 {
		f.Reason = fmt.Sprintf("%s behind one address of thread %d begin with %v at offset %d, that is bit %d, which is no multiple of %d.",
			what, thread, f.First.Coord, f.First.Offset, f.First.Offset*bits, side.Align)
		f.Hint = fmt.Sprintf("strides between rows that are multiples of %s", plural(side.Align/bits, "element"))
		return
	}
	f.Reason = fmt.Sprintf("%s behind one address of thread %d begin with %v at offset %d; at offset %d there should be %v, which is at %d.",
		what, thread, f.First.Coord, f.First.Offset, f.First.Offset+bad, f.Second.Coord, f.Second.Offset)
	switch trans := strings.Contains(f.Copy.Text, ".trans."); {
	case trans && strings.Contains(f.Copy.Text, "b16") && bits < 16:
		f.Hint = fmt.Sprintf(".trans exchanges pieces of 16 bits: %s stay together, and must be neighbours in shared memory and in a register; store them so, or use .b8 of sm100a",
			plural(16/bits, "element"))
	case trans:
		f.Hint = "ldmatrix and stmatrix without .trans, if the other mode is contiguous"
	case f.Copy.Kind == MatrixCopy && bits == 16:
		f.Hint = "ldmatrix and stmatrix with .trans, if the other mode is contiguous"
	}
}

func (m *copyMemory) place(index, thread, value int64) *CopyPlace {
	coord, err := girih.Idx2Crd(girih.Int(index), m.shape)
	if err != nil {
		coord = girih.Int(index)
	}
	return &CopyPlace{Thread: thread, Value: value, Coord: coord, Offset: m.offsets[index]}
}

// plural returns "1 element" or "3 elements".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
