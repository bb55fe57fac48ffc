package gemm

import "strings"

// This file counts registers, so that plans spill none to memory if they can. The counts are from 1,536 kernels of all
// tiles, outputs and epilogues that the driver's compiler and ptxas 13.0 made.

// mostRegisters returns the registers of a thread, less 8 for the loop. If the compiler compiles for the
// linker, it does not count registers that the warpgroup that copies hands over.
func (c *Choice) mostRegisters(w *work) int64 {
	if w.promoted && c.Registers[0] > 0 {
		return c.Registers[0] - 8 // what the linker spills is compiled whole: gpu.Device.Load
	}
	return min(1<<16/(128*(c.Warpgroups+1))/8*8, 255) - 8
}

// mostSpilled is more than the inputs of all epilogues that a kernel has parameters for.
const mostSpilled = 1 << 12

// excess returns how many registers of a thread are in memory.
func (p *Plan) excess(c *Choice, w *work) int64 { return max(p.registers(c, w)-c.mostRegisters(w), 0) }

// registers returns how many a thread needs: for its sums, for bounds of columns and places in D, which the compiler
// computes before the loop over tiles, and for the inputs of the epilogue.
func (p *Plan) registers(c *Choice, w *work) int64 {
	_, warpgroups := c.teams()
	rows, columns := c.Tile[0]/(32*warpgroups), c.Tile[1]
	sums := rows * columns / 4
	n := sums
	if w.promoted {
		n += 2 * sums // of the steps that are under way
	}
	if c.Split > 1 {
		if sums > 64 && !p.problem.Epilogue.plain() {
			return 256 // the inputs and the parts of several vectors are under way together
		}
		return n
	}
	switch {
	case c.Direct:
		n += columns*(rows+1)/4 + 10
	case c.Staged:
		n += 24
	}
	return n + p.inputRegisters(c, w, rows, columns)
}

// inputRegisters returns the registers for the inputs of the epilogue, of a thread that has sums in these rows and in
// a quarter of the columns.
func (p *Plan) inputRegisters(c *Choice, w *work, rows, columns int64) (n int64) {
	sums := rows * columns / 4
	for i, in := range p.problem.Epilogue.all() {
		switch modes := strings.TrimSuffix(in.Modes, "l"); {
		case c.fetches(w) && i == w.fetched:
			n += 16
		case modes == "mn":
			n += 8 + min(2*sums, 32) // elements of two pieces
			if w.single(&in) {
				n += max(2*sums-c.room(), 0) // places of single elements, which the compiler computes before
			}
		case (modes == "n") != w.exchanged:
			n += columns / 4
		default:
			n += 2 * rows
		}
	}
	return n
}

// single reports whether the elements of an input with the modes M and N are loaded one at a time.
func (w *work) single(in *Input) bool {
	return w.rowUnit() == 1 || in.Name == "C" && w.c.vector() <= int64(in.Type.Bits())/8
}

// room returns how many places of single elements a kernel has registers for by itself.
func (c *Choice) room() int64 {
	if c.PingPong {
		return 90
	}
	return 100
}
