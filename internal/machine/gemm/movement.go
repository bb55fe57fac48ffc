package gemm

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
)

// This file moves the tiles of one operand, and counts the cost.

// A mover moves tiles of A or of B to shared memory and from there to registers.
type mover struct {
	side
	columns int64
	memory  []float64 // the contents of shared memory, by offset
	offset  []int64   // the offset of each element of the tile in shared memory
	load    []int64   // the elements of the tile in the order of threads and values
	stages  []*Stage  // load, and read if there is one
	perTile [2]cost   // the costs of the load and of the read
	value   rounding
	regs    int64 // bits of the fragments of all threads; 0 if the instruction reads shared memory
}

func newMover(k *Kernel, s side, target banks.Target) (*mover, error) {
	m := &mover{side: s, columns: k.Tile[2], value: roundingOf(s.value)}
	var err error
	if m.offset, err = s.shared.AppendOffsets(nil); err != nil {
		return nil, err
	}
	most := int64(0)
	for _, x := range m.offset {
		if x < 0 || x >= 1<<24 {
			return nil, &cute.Error{
				Code: cute.CodeLimit, Op: "gemm", Msg: fmt.Sprintf("the tile of %s has the offset %d in shared memory", s.name, x),
			}
		}
		most = max(most, x)
	}
	if int64(len(m.offset)) != s.rows*m.columns {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "gemm",
			Msg: fmt.Sprintf("the tile of %s is %d by %d, and its layout in shared memory is %v", s.name, s.rows,
				m.columns, *s.shared),
		}
	}
	m.memory = make([]float64, most+1)
	if err := m.planLoad(target); err != nil {
		return nil, err
	}
	if s.from != atom.Registers {
		return m, nil
	}
	return m, m.planRead(k, target)
}

// number fills the tile in shared memory with the numbers of its elements.
func (m *mover) number() {
	for i, at := range m.offset {
		m.memory[at] = float64(i)
	}
}

// planLoad tabulates the load and counts its stores to shared memory and its sectors.
func (m *mover) planLoad(target banks.Target) error {
	tv, err := partitionTV(m.side.load.ThrfrgD, m.rows, m.columns)
	if err != nil {
		return err
	}
	if m.load, err = tv.AppendOffsets(nil); err != nil {
		return err
	}
	bits := int(m.side.load.Atom().From.Unit)
	if m.perTile[0], err = m.count(target, fmt.Sprintf("st.%d", bits), tv); err != nil {
		return err
	}
	m.stages = append(m.stages,
		&Stage{Name: "global to shared, " + m.name, Operation: m.side.load.Atom().Name, VectorBits: bits})
	return nil
}

// planRead checks that every thread gets its fragment, and counts the reads.
func (m *mover) planRead(k *Kernel, target banks.Target) error {
	copied := m.side.read.Atom()
	tv, err := partitionTV(m.side.read.ThrfrgS, m.rows, m.columns)
	if err != nil {
		return err
	}
	got, err := partitionTV(m.side.read.ThrfrgD, m.rows, m.columns)
	if err != nil {
		return err
	}
	if err := m.deliver(k, got); err != nil {
		return err
	}
	var access string
	var bits int
	if copied.Kind == atom.MatrixCopy {
		access, bits = matrixAccess(copied.Text), 128
	} else {
		bits = int(copied.From.Unit)
		access = fmt.Sprintf("ld.%d", bits)
	}
	if m.perTile[1], err = m.count(target, access, tv); err != nil {
		return err
	}
	m.perTile[1].sectors = 0
	m.stages = append(m.stages, &Stage{Name: "shared to registers, " + m.name, Operation: copied.Name, VectorBits: bits})
	return nil
}

// matrixAccess returns ldmatrix.x4 or ldmatrix.x4.trans, from the instruction's text.
func matrixAccess(text string) string {
	access := "ldmatrix"
	for _, x := range []string{".x4", ".x2", ".x1"} {
		if strings.Contains(text, x) {
			access += x
			break
		}
	}
	if strings.Contains(text, ".trans") {
		access += ".trans"
	}
	return access
}

// deliver checks that the copy brings each thread the elements of its fragments.
func (m *mover) deliver(k *Kernel, got cute.Layout) error {
	offsets, err := got.AppendOffsets(nil)
	if err != nil {
		return err
	}
	threads := int(k.Threads())
	if n := int(m.side.read.Size()); n != threads {
		return refuse(cute.CodeRank, "%d threads read %s, and the MMA has %d", n, m.name, threads)
	}
	has := make(map[int64]bool, len(offsets))
	for i, x := range offsets {
		has[int64(i%threads)<<32|x] = true
	}
	return m.eachHeld(k, func(thread int64, v int, element int64) error {
		if !has[thread<<32|element] {
			return refuse(cute.CodeNotInvertible,
				"%s does not put element (%d,%d) of %s into thread %d, whose fragment has it as value %d",
				m.side.read.Atom().Name, element%m.rows, element/m.rows, m.name, thread, v)
		}
		return nil
	})
}

// eachHeld calls f for every register of the fragments, with its thread number, its value, and the element of the tile
// that it holds. It also counts the bits of all registers.
func (m *mover) eachHeld(k *Kernel, f func(thread int64, v int, element int64) error) error {
	tile, err := cute.New(cute.Ints(m.rows, m.columns), cute.Ints(1, m.rows))
	if err != nil {
		return err
	}
	tv, err := k.MMA.TensorTV(m.operand, tile)
	if err != nil {
		return err
	}
	elements, err := tv.AppendOffsets(nil)
	if err != nil {
		return err
	}
	numbers, err := k.MMA.ThrLayoutVMNK().AppendOffsets(nil)
	if err != nil {
		return err
	}
	places, err := k.MMA.ThreadOrder().AppendOffsets(nil)
	if err != nil {
		return err
	}
	values := len(elements) / len(places)
	m.regs = k.Threads() * int64(values) * int64(m.elem.Bits())
	atomsM, atomsN := int(k.atomsAlong(0)), int(k.atomsAlong(1))
	inAtom := len(places) / (atomsM * atomsN)
	for x := range atomsM {
		for y := range atomsN {
			for t := range inAtom {
				i := t + inAtom*(x+atomsM*y)
				for v := range values {
					if err := f(numbers[i], v, elements[int(places[i])+len(places)*v]); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// count returns the cost of an access of all threads to the whole tile: in shared memory, and in sectors of global
// memory.
func (m *mover) count(target banks.Target, access string, tv cute.Layout) (cost, error) {
	a, err := banks.ParseAccess(access, m.elem.Bits())
	if err != nil {
		return cost{}, err
	}
	rule, err := target.Rule(a)
	if err != nil {
		return cost{}, err
	}
	plan, err := banks.NewPlan(rule, *m.side.shared, m.elem.Bits(), banks.TV(tv))
	if err != nil {
		return cost{}, err
	}
	c := cost{instructions: int64(plan.Warps() * plan.Instructions())}
	if c.shared, err = plan.Count(nil); err != nil || a.Op() == banks.LoadMatrix {
		return c, err
	}
	stride := cute.Ints(m.columns, 1)
	if m.major == atom.MNMajor {
		stride = cute.Ints(1, m.rows)
	}
	global, err := cute.New(cute.Ints(m.rows, m.columns), stride)
	if err != nil {
		return c, err
	}
	offsets, err := global.AppendOffsets(nil)
	if err != nil {
		return c, err
	}
	traffic, err := plan.Traffic(offsets, 0)
	c.sectors = int64(traffic.Sectors)
	return c, err
}

// entries are the contents of an operand in global memory, row by row.
type entries struct {
	xs            []float64
	rows, columns int64
}

// fill copies the tile at (row, column) of the operand to shared memory; elements outside the operand are zero.
func (m *mover) fill(from entries, row, column int64) error {
	moved := int64(0)
	for _, element := range m.load {
		i, j := row+element%m.rows, column+element/m.rows
		x := 0.0
		if i < from.rows && j < from.columns {
			var err error
			if x, err = m.value(from.xs[i*from.columns+j]); err != nil {
				return err
			}
			moved++
		}
		m.memory[m.offset[element]] = x
	}
	m.stages[0].add(m.perTile[0], moved*int64(m.elem.Bits())/8, 1)
	return nil
}

// A cost is the cost of moving one tile.
type cost struct {
	shared                banks.Count
	instructions, sectors int64
}

// add adds the costs of tiles; bytes counts the bytes of each tile that are inside the problem.
func (s *Stage) add(c cost, bytes, times int64) {
	n := int(times)
	s.join(&Stage{
		Bytes: bytes * times, Instructions: c.instructions * times, Sectors: c.sectors * times,
		Shared: banks.Count{
			Wavefronts: c.shared.Wavefronts * n, Ideal: c.shared.Ideal * n, Phases: c.shared.Phases * n, Degree: c.shared.Degree,
		},
	})
}

// join adds the counts of the same stage for other tiles.
func (s *Stage) join(t *Stage) {
	s.Bytes += t.Bytes
	s.Instructions += t.Instructions
	s.Sectors += t.Sectors
	s.Shared.Wavefronts += t.Shared.Wavefronts
	s.Shared.Ideal += t.Shared.Ideal
	s.Shared.Phases += t.Shared.Phases
	s.Shared.Degree = max(s.Shared.Degree, t.Shared.Degree)
}

// read counts the copy of the fragments of all threads to their registers. The values stay in shared memory, where
// package tiled reads them: [mover.deliver] has checked that each thread receives its own.
func (m *mover) read() {
	if m.regs > 0 {
		m.stages[1].add(m.perTile[1], m.regs/8, 1)
	}
}

// partitionTV returns a partition of a tile as a layout of threads and values, (thread,values) -> index in the tile.
func partitionTV(f func(cute.Layout) (cute.Layout, error), rows, columns int64) (cute.Layout, error) {
	tile, err := cute.New(cute.Ints(rows, columns), cute.Ints(1, rows))
	if err != nil {
		return cute.Layout{}, err
	}
	l, err := f(tile)
	if err != nil {
		return cute.Layout{}, err
	}
	if l.Size()%(rows*columns) != 0 || l.Rank() != 3 {
		return cute.Layout{}, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "gemm",
			Msg: fmt.Sprintf("the tile of the copy does not divide the tile of %d by %d: %v", rows, columns, l),
		}
	}
	modes := l.Modes()
	all, err := cute.MakeLayout(modes[1], modes[2])
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.MakeLayout(modes[0], all)
}
