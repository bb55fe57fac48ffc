package gemm

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
)

// This file moves the tiles of one operand, and counts what that costs.

// A mover moves tiles of A, or of B, to shared memory and on to registers.
type mover struct {
	side
	columns int64
	shared  []float64 // by offset
	offset  []int64   // of each element of the tile in shared memory
	load    []int64   // the elements of the tile in the order of threads and values
	stages  []*Stage  // load, and read if there is one
	perTile [2]cost   // of the load and of the read
	frags   spread
	regs    []float64 // thread by thread; nil if the instruction reads shared memory
	value   rounding
	threads *threadTable
}

func newMover(k *Kernel, s side, target banks.Target) (*mover, error) {
	m := &mover{side: s, columns: k.Tile[2], value: roundingOf(s.value)}
	var err error
	if m.threads, err = k.threads(); err != nil {
		return nil, err
	}
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
	m.shared = make([]float64, most+1)
	if err := m.planLoad(target); err != nil {
		return nil, err
	}
	if m.frags, err = spreadOf(k.MMA, s.operand, s.rows, m.columns); err != nil {
		return nil, err
	}
	from := k.MMA.Atom().AFrom
	if s.operand == atom.OperandB {
		from = k.MMA.Atom().BFrom
	}
	if from != atom.Registers {
		return m, nil
	}
	m.regs = make([]float64, int(k.Threads())*m.frags.values)
	return m, m.planRead(k, target)
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

// matrixAccess returns ldmatrix.x4 or ldmatrix.x4.trans of the instruction's text.
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

// deliver checks that what the copy puts into the registers of a thread are the elements of its fragments.
func (m *mover) deliver(k *Kernel, got cute.Layout) error {
	offsets, err := got.AppendOffsets(nil)
	if err != nil {
		return err
	}
	threads := int(k.Threads())
	if n := int(m.side.read.Size()); n != threads {
		return &cute.Error{
			Code: cute.CodeRank, Op: "gemm", Msg: fmt.Sprintf("%d threads read %s, and the MMA has %d", n, m.name, threads),
		}
	}
	has := make(map[int64]bool, len(offsets))
	for i, x := range offsets {
		has[int64(i%threads)<<32|x] = true
	}
	return m.threads.eachThread(m.operand, &m.frags, func(thread, v int, element int32) error {
		if !has[int64(thread)<<32|int64(element)] {
			return &cute.Error{
				Code: cute.CodeNotInvertible, Op: "gemm",
				Msg: fmt.Sprintf("%s does not put element (%d,%d) of %s into thread %d, whose fragment has it as value %d",
					m.side.read.Atom().Name, int64(element)%m.rows, int64(element)/m.rows, m.name, thread, v),
			}
		}
		return nil
	})
}

// count returns what an access of all threads to the whole tile costs: in shared memory, and in sectors of global
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

// An entries is what an operand has in global memory, row by row.
type entries struct {
	xs            []float64
	rows, columns int64
}

// fill copies the tile at (row, column) of the operand to shared memory; beyond the operand it is zero.
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
		m.shared[m.offset[element]] = x
	}
	m.stages[0].add(m.perTile[0], moved*int64(m.elem.Bits())/8, 1)
	return nil
}

// A cost is what moving one tile takes.
type cost struct {
	shared                banks.Count
	instructions, sectors int64
}

// add counts tiles, and the bytes of each that are inside the problem.
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

// regBytes is what the registers of all threads hold of a tile.
func (m *mover) regBytes() int64 { return int64(len(m.regs)) * int64(m.elem.Bits()) / 8 }

// read copies the fragments of all threads to their registers.
func (m *mover) read() error {
	if m.regs == nil {
		return nil
	}
	m.stages[1].add(m.perTile[1], m.regBytes(), 1)
	return m.threads.eachThread(m.operand, &m.frags, func(thread, v int, element int32) error {
		m.regs[thread*m.frags.values+v] = m.shared[m.offset[element]]
		return nil
	})
}
